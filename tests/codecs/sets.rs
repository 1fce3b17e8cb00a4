//! Multi-byte sets with tables of their own, against examples and rules of their standards.

use std::collections::BTreeSet;

use crate::common::inputs::Rng;
use crate::common::{each, hex, unhex, written};
use crate::stateful::Text;
use utf8::codec::{Escapes, Group, Step};
use utf8::kernel;
use utf8::registry::{CODECS, Encoding};

/// A set, bytes, their text, and the source.
type Vector = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
static VECTORS: &[Vector] = &[
    ("cp932", "87 40 82 A0 B1 FA 40", "①あｱⅰ", "Microsoft, code page 932"),
    ("cp932", "F0 40 F9 FC", "\u{E000}\u{E757}", "Microsoft, code page 932"),
    ("cp936", "B0 A1 80 A2 A1", "啊€ⅰ", "Microsoft, code page 936"),
    ("cp936", "AA A1 FE FE A1 40", "\u{E000}\u{E4C5}\u{E4C6}", "Microsoft, code page 936"),
    ("cp949", "B0 A1 81 41 C6 52", "가갂힣", "Microsoft, code page 949"),
    ("cp949", "C9 A1 FE FE", "\u{E000}\u{E0BB}", "Microsoft, code page 949"),
    ("cp950", "A4 40 A3 E1 A1 45", "一€‧", "Microsoft, code page 950"),
    ("cp950", "FA 40 81 40", "\u{E000}\u{EEB8}", "Microsoft, code page 950"),
    ("johab", "88 61 D3 BD 88 41 84 44", "가힣ㄱㄳ", "KS X 1001, annex 3"),
    ("euc-tw", "C4 A1 8E A1 C4 A1 8E A2 A1 A1", "一一乂", "CNS 11643, 1-4421 and 2-2121"),
    ("eucjp-ms", "AD A1 F5 A1 8F F5 A1", "①\u{E000}\u{E3AC}", "TOG, eucJP-ms"),
    ("euc-jis-2004", "A4 F7 A9 A1 8F A1 A1 8E B1 A1 BD", "か\u{309A}€\u{20089}ｱ—",
     "JIS X 0213:2004, 1-4-87, 1-9-1, 2-1-1 and 1-1-29"),
    ("shift_jis-2004", "82 F5 85 40 F0 40 B1 5C 81 5F", "か\u{309A}€\u{20089}ｱ¥\\",
     "JIS X 0213:2004, annex 1"),
    ("gb18030-2005", "A6 D9 84 31 82 36 A8 BC", "\u{E78D}\u{FE10}ḿ", "GB 18030-2005"),
    ("gb18030-2022", "A6 D9 84 31 82 36 A8 BC", "\u{FE10}\u{E78D}ḿ", "GB 18030-2022"),
    ("gb18030-2022", "FE 59 82 35 90 37 90 30 81 30 E3 32 9A 35",
     "\u{9FB4}\u{E81E}\u{10000}\u{10FFFF}", "GB 18030-2022"),
    ("ibm939", "C1 0E 44 81 0F 81", "Aあa", "IBM, CCSID 939"),
    ("iso-2022-kr", "1B 24 29 43 61 0E 30 21 0F 0A", "a가\n", "RFC 1557"),
    ("iso-2022-cn", "1B 24 29 41 0E 3D 3B 3B 3B 1B 24 29 47 47 28 5F 50 0F", "交换交換", "RFC 1922"),
    ("iso-2022-jp-2", "1B 2E 41 1B 4E 69 1B 2E 46 1B 4E 61", "éα", "RFC 1554"),
    ("iso-2022-jp-1", "1B 24 28 44 30 21 1B 28 42", "丂", "RFC 2237; JIS X 0212, 16-1"),
    ("iso-2022-jp-3", "1B 24 28 4F 24 77 1B 28 42", "か\u{309A}", "JIS X 0213:2000, 1-4-87"),
    ("t.61", "C2 65 C8 41 CA 61 CF 63 A8", "éÄåč¤", "CCITT T.61"),
    ("iso-6937", "C2 65 C6 20 24", "é\u{2D8}$", "ISO 6937:1992"),
    ("iso-6937-2", "C2 65 24 A6", "é¤#", "ISO 6937-2:1983"),
    ("ansi_x3.110", "C2 65 CD 4F", "éŐ", "ANSI X3.110"),
    ("ibm943", "81 5F 88 9F FA 40", "＼亜ⅰ", "IBM, CCSID 943"),
    ("iso-2022-jp-2004", "1B 24 28 50 21 21 1B 28 42", "\u{20089}", "JIS X 0213:2004, 2-1-1"),
];

#[test]
fn texts_of_the_standards() {
    for &(name, bytes, text, source) in VECTORS {
        let spec = Encoding::for_label(name).unwrap();
        let found = Text::of(spec, &unhex(bytes));
        assert_eq!((found.text().as_str(), found.faults.len()), (text, 0), "{name}: {source}");
    }
}

/// The example of RFC 1843.
#[test]
fn hz_is_as_in_its_standard() {
    let spec = Encoding::for_label("hz").unwrap();
    let bytes = b"This sentence is in ASCII.\nThe next sentence is in GB.\
        ~{<:Ky2;S{#,NpJ)l6HK!#~}Bye. ~~ ~\n.\n";
    let text =
        "This sentence is in ASCII.\nThe next sentence is in GB.己所不欲，勿施於人。Bye. ~ .\n";
    let found = Text::of(spec, bytes);
    assert_eq!((found.text().as_str(), found.faults.len()), (text, 0));
}

/// The only form that glibc, ICU and Java read alike: glibc's iconv misreads a designation between
/// Shift Out and Shift In.
#[test]
fn iso_2022_cn_designates_after_shift_in() {
    let spec = Encoding::for_label("iso-2022-cn").unwrap();
    let values = ['交', '换', '換', '换'].map(u32::from);
    let bytes = "1B 24 29 41 0E 3D 3B 3B 3B 0F 1B 24 29 47 0E 5F 50 0F 1B 24 29 41 0E 3B 3B 0F";
    assert_eq!(hex(&written(spec, Escapes::Usual, values).unwrap()), bytes);
}

/// The five bits of each initial consonant, vowel and final consonant, in the order of Unicode.
#[test]
fn johab_spells_syllables() {
    let spec = Encoding::for_label("johab").unwrap();
    let vowels: Vec<u32> = (3..=7).chain(10..=15).chain(18..=23).chain(26..=29).collect();
    let finals: Vec<u32> = (1..=17).chain(19..=29).collect();
    for number in 0..11_172 {
        let (first, vowel, last) = (number / 588, number / 28 % 21, number % 28);
        let code = 0x8000 | (first + 2) << 10 | vowels[vowel as usize] << 5 | finals[last as usize];
        let bytes = (code as u16).to_be_bytes();
        let value = 0xAC00 + number;
        assert_eq!(spec.step(&bytes), Step::Scalar { value, len: 2 }, "{value:X}");
        assert_eq!(written(spec, Escapes::Usual, [value]).unwrap(), bytes, "{value:X}");
    }
}

/// Returns the sets without shifts.
fn sets() -> Vec<&'static Encoding> {
    let groups = [Group::RareEastAsia, Group::FloatingAccents];
    let is_set = |spec: &&Encoding| groups.contains(&spec.group) && !spec.properties.stateful;
    CODECS.iter().filter(is_set).collect()
}

/// Returns all sequences that a set could have, of one and two bytes, and of three and four in
/// planes.
fn candidates() -> impl Iterator<Item = Vec<u8>> {
    let pairs = |prefix: &'static [u8]| {
        let pair = move |pair: u16| [prefix, &pair.to_be_bytes()].concat();
        (0x8000..=u16::MAX).map(pair)
    };
    let singles = (0..=u8::MAX).map(|byte| vec![byte]);
    let planes =
        [b"\x8E\xA2", b"\x8E\xA3", b"\x8E\xA4", b"\x8E\xA5", b"\x8E\xA6", b"\x8E\xA7", b"\x8E\xAF"];
    let long = planes.into_iter().flat_map(move |prefix| pairs(prefix));
    singles.chain(pairs(b"")).chain(pairs(b"\x8F")).chain(long)
}

/// Each text that is read is written, and read again as the same.
#[test]
fn what_is_read_can_be_written() {
    each(&sets(), |spec| {
        let mut texts = BTreeSet::new();
        for bytes in candidates() {
            let step = spec.step(&bytes);
            if step.size() != bytes.len() || step.values().is_empty() {
                continue;
            }
            let values = step.values().to_vec();
            let code = written(spec, Escapes::Usual, values.iter().copied());
            let code = code.unwrap_or_else(|| panic!("{}: {}", spec.name, hex(&bytes)));
            let same = Text::of(spec, &code);
            assert!(same.faults.is_empty(), "{}: {}", spec.name, hex(&bytes));
            assert_eq!(same.values, values, "{}: {}", spec.name, hex(&bytes));
            texts.insert(values);
        }
        let least = match spec.group {
            _ if spec.name == "tscii" => 190,
            Group::FloatingAccents => 360,
            _ => 9000,
        };
        assert!(texts.len() > least, "{}: {}", spec.name, texts.len());
    });
}

/// A text is written alike in one run, in parts and by single characters, also where letters wait
/// for marks, sets change, and characters that the set lacks are left out.
#[test]
fn runs_are_written_as_their_characters() {
    let chars = "aZ ~\\\n\r\t0かきケㇷセ\u{309A}\u{309A}æɔ\u{300}\u{301}˩˥\u{2E5}\u{2E9}Êê\u{304}\u{30C}日本語漢字换換\
        國丂丄乂한글조합ー。、､ｱ¥‾£é€αЖ①Ⅳ\u{20089}\u{2000B}\u{E000}\u{7F}\u{1B}";
    let is_set = |spec: &&Encoding| matches!(spec.group, Group::EastAsia | Group::RareEastAsia);
    let codecs: Vec<_> = CODECS.iter().filter(is_set).collect();
    each(&codecs, |spec| {
        let chars: Vec<u32> = chars.chars().map(u32::from).collect();
        let mut rng = Rng::new(2022);
        for _ in 0..300 {
            let from = rng.below(chars.len());
            let mut char = || match rng.one_in(2) {
                true => rng.pick(&chars),
                // Neighbours, so that marks follow their letters.
                false => chars[(from + rng.below(6)) % chars.len()],
            };
            let values: Vec<u32> = (0..40).map(|_| char()).collect();
            let (mut expected, mut writer) = (Vec::new(), spec.writer(Escapes::Usual));
            for &value in &values {
                writer.put(value, &mut expected);
            }
            writer.finish(&mut expected);
            for part in [1, 2, 7, 40] {
                let (mut out, mut writer) = (Vec::new(), spec.writer(Escapes::Usual));
                for mut values in values.chunks(part) {
                    while !values.is_empty() {
                        let stored = writer.store(kernel::best(), values, &mut out);
                        values = &values[(stored + 1).min(values.len())..];
                    }
                }
                writer.finish(&mut out);
                assert_eq!(hex(&out), hex(&expected), "{}: {values:X?} by {part}", spec.name);
            }
        }
    });
}

/// The lead byte of a plane announces the length of its sequences, in the sets that have it.
#[test]
fn lead_bytes_announce_what_their_set_has() {
    for (name, lead, expected) in [
        ("gb18030-2005", b"\x8E\xA1", 2),
        ("gb18030-2022", b"\x84\x31", 4),
        ("euc-tw", b"\x8E\xA2", 4),
        ("euc-tw", b"\xC4\xA1", 2),
        ("eucjp-ms", b"\x8F\xB0", 3),
        ("eucjp-ms", b"\x8E\xB1", 2),
        ("cp932", b"\x8F\x40", 2),
    ] {
        assert_eq!(Encoding::for_label(name).unwrap().announced(lead), expected, "{name}");
    }
}

/// An accent stands before an ASCII letter (ITU-T T.51): before another accent, it is alone.
#[test]
fn an_accent_before_another_leaves_it_to_its_letter() {
    for name in ["t.61", "iso-6937", "iso-6937-2", "ansi_x3.110"] {
        let spec = Encoding::for_label(name).unwrap();
        let found = Text::of(spec, b"\xC8\xC8a\xC2\xC2e");
        let faults: Vec<_> = found.faults.iter().map(|fault| fault.0).collect();
        assert_eq!(found.text().replace('\u{FFFD}', ""), "äé", "{name}");
        assert_eq!(faults, [0, 3], "{name}");
    }
}

/// An ASCII byte that is a character is never part of an ill-formed sequence.
#[test]
fn ascii_survives_ill_formed_sequences() {
    each(&sets(), |spec| {
        for bytes in candidates() {
            let text = [&bytes[..], b"\n"].concat();
            let mut at = 0;
            while at < text.len() {
                let step = spec.step(&text[at..]);
                assert!(step.size() > 0, "{}: {}", spec.name, hex(&text));
                let part = &text[at..at + step.size()];
                if let Step::Ill { .. } = step {
                    let is_text = |byte: &&u8| spec.code_point(**byte).is_some();
                    let ascii = part.iter().filter(|byte| byte.is_ascii()).find(is_text);
                    assert!(ascii.is_none(), "{}: {}", spec.name, hex(&text));
                }
                at += step.size();
            }
            assert_eq!(at, text.len());
        }
    });
}
