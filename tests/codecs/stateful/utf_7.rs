//! UTF-7 and its IMAP variant, against a model that reads a run of base64 as one number (RFC 2152).

use crate::common::inputs::{Rng, code_points, strings};
use crate::common::peer::{peer, python};
use crate::common::{digits, each, tally};
use utf8::Kind;
use utf8::codec::Escapes;
use utf8::registry::Encoding;

use super::{Fault, Text, put};

/// The offset and length of a piece, and its value; `None` for a shift.
type Piece = (usize, usize, Result<Option<u32>, Kind>);

pub struct Model {
    pub spec: &'static Encoding,
    shift: u8,
    digits: &'static str,
    imap: bool,
}

const ALPHABET: [&str; 2] = [
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,",
];

pub fn models() -> [Model; 2] {
    let model = |name, shift, imap| Model {
        spec: Encoding::for_label(name).unwrap(),
        shift,
        digits: ALPHABET[usize::from(imap)],
        imap,
    };
    [model("utf-7", b'+', false), model("utf-7-imap", b'&', true)]
}

impl Model {
    fn direct(&self, byte: u8) -> bool {
        let set = match self.imap {
            false => {
                "\t\n\r !\"#$%&'()*,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`\
                      abcdefghijklmnopqrstuvwxyz{|}"
            }
            true => {
                "\n\r !\"#$%'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`\
                     abcdefghijklmnopqrstuvwxyz{|}~"
            }
        };
        set.as_bytes().contains(&byte)
    }

    fn is_digit(&self, byte: Option<&u8>) -> bool {
        byte.is_some_and(|byte| self.digits.as_bytes().contains(byte))
    }

    fn pieces(&self, bytes: &[u8]) -> Vec<Piece> {
        let (mut at, mut pieces) = (0, vec![]);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte != self.shift {
                let value =
                    if self.direct(byte) { Ok(Some(byte.into())) } else { Err(Kind::Unmapped) };
                pieces.push((at, 1, value));
                at += 1;
            } else if bytes.get(at + 1) == Some(&b'-') {
                pieces.push((at, 2, Ok(Some(byte.into()))));
                at += 2;
            } else if self.is_digit(bytes.get(at + 1)) {
                pieces.push((at, 1, Ok(None)));
                at = self.run(bytes, at + 1, &mut pieces);
            } else {
                pieces.push((at, 1, Err(Kind::BadEscape)));
                at += 1;
            }
        }
        pieces
    }

    /// Reads a run from its first digit to its end. Returns the offset after it.
    fn run(&self, bytes: &[u8], start: usize, pieces: &mut Vec<Piece>) -> usize {
        let behind = |at| bytes[at..].iter().take_while(|byte| self.is_digit(Some(byte))).count();
        let number = behind(start);
        let value = |byte: &u8| self.digits.bytes().position(|digit| digit == *byte).unwrap();
        let bits: String =
            bytes[start..][..number].iter().map(|byte| format!("{:06b}", value(byte))).collect();
        let units: Vec<u32> = (0..bits.len() / 16)
            .map(|at| u32::from_str_radix(&bits[16 * at..][..16], 2).unwrap())
            .collect();
        // A unit needs the digits that hold its bits, less one if it shares a digit with the unit
        // before it.
        let place = |unit: usize| (16 * unit).div_ceil(6);
        let end = start + number;
        let padding = &bits[16 * units.len()..];
        let closed = !self.imap || bytes.get(end) == Some(&b'-');
        let fine = !padding.contains('1') && closed || number > place(units.len());
        let mut at = 0;
        while at < units.len() {
            let (value, taken) = match units[at..] {
                [high @ 0xD800..0xDC00, low @ 0xDC00..0xE000, ..] => {
                    (Ok(0x1_0000 + (high - 0xD800) * 0x400 + low - 0xDC00), 2)
                }
                [0xD800..0xDC00, ..] => (Err(Kind::SurrogateHigh), 1),
                [0xDC00..0xE000, ..] => (Err(Kind::SurrogateLow), 1),
                [0x0A | 0x0D | 0x20..0x7F, ..] if self.imap => (Err(Kind::BadEscape), 1),
                [unit, ..] => (Ok(unit), 1),
                [] => unreachable!(),
            };
            let ends_ill = at + taken == units.len() && !fine;
            let value = value
                .and_then(|value| if ends_ill { Err(Kind::BadEscape) } else { Ok(Some(value)) });
            pieces.push((start + place(at), place(at + taken) - place(at), value));
            at += taken;
        }
        let left = number - place(units.len()).min(number);
        if left > 0 {
            pieces.push((end - left, left, Err(Kind::BadEscape)));
        }
        match bytes[end..] {
            [b'-', shift, ..] if self.imap && shift == self.shift && behind(end + 2) > 0 => {
                pieces.push((end, 2, Err(Kind::BadEscape)));
                self.run(bytes, end + 2, pieces)
            }
            [b'-', ..] => {
                pieces.push((end, 1, Ok(None)));
                end + 1
            }
            _ => end,
        }
    }

    fn text(&self, bytes: &[u8]) -> Text {
        let mut text = Text::default();
        for (at, len, value) in self.pieces(bytes) {
            match value {
                Ok(value) => text.values.extend(value),
                Err(kind) => {
                    text.values.push(0xFFFD);
                    text.faults.push((at, len, kind));
                }
            }
        }
        text
    }

    fn compare(&self, bytes: &[u8]) {
        let what = || format!("{}: {}", self.spec.name, bytes.escape_ascii());
        assert_eq!(Text::of(self.spec, bytes), self.text(bytes), "{}", what());
    }

    /// Returns pieces that combine to runs of all kinds, in either variant.
    fn tokens(&self) -> Vec<Vec<u8>> {
        let tokens = [
            "+", "-", "AGE", "AOk", "AOkA", "AOk-", "AGF", "2D3eAA", "2D0", "3gA", "2D0A", "AA",
            "B", "/", "!", "\\", "~", "\n", "\x01", "&",
        ];
        let form = |token: &str| match self.imap {
            false => token.as_bytes().to_vec(),
            true => token.replace('&', "%").replace('+', "&").replace('/', ",").into_bytes(),
        };
        tokens.map(form).into_iter().chain([vec![0x80]]).collect()
    }

    /// Visits each string of `number` tokens.
    fn token_strings(&self, number: usize, mut visit: impl FnMut(&[u8])) {
        let tokens = self.tokens();
        let indices: Vec<u8> = (0..tokens.len() as u8).collect();
        strings(&indices, number, |chosen| {
            visit(
                &chosen.iter().flat_map(|&at| tokens[usize::from(at)].clone()).collect::<Vec<_>>(),
            );
        });
    }

    /// Returns a string of tokens, most of them well-formed.
    pub fn random(&self, rng: &mut Rng, number: usize) -> Vec<u8> {
        let tokens = self.tokens();
        (0..number).flat_map(|_| tokens[rng.below(tokens.len())].clone()).collect()
    }
}

#[test]
fn every_short_string_of_utf_7() {
    each(&models(), |model| {
        for len in 1..=3 {
            let all: Vec<u8> = (0..=0x82).chain([0xFE, 0xFF]).collect();
            let few = if len < 3 { &all[..] } else { &all[9..] };
            strings(&few.iter().copied().step_by(len).collect::<Vec<_>>(), len, |bytes| {
                model.compare(bytes);
            });
        }
        strings(b"+-AB2/,&!~\n\x80", 5, |bytes| model.compare(bytes));
        strings(b"+-AD2&", 7, |bytes| model.compare(bytes));
    });
}

#[test]
fn every_string_of_tokens_of_utf_7() {
    each(&models(), |model| {
        model.token_strings(3, |bytes| {
            model.compare(bytes);
            model.compare(&[&[model.shift][..], bytes].concat());
        });
    });
}

#[test]
fn random_strings_of_utf_7() {
    each(&models(), |model| {
        let mut rng = Rng::new(2152);
        for number in 0..3000 {
            model.compare(&model.random(&mut rng, number % 100));
        }
    });
}

/// Texts of the RFCs: code points and bytes.
static SPELT: &[(&str, &str, &str)] = &[
    ("utf-7", "A\u{2262}\u{391}.", "A+ImIDkQ."),
    ("utf-7", "Hi Mom -\u{263A}-!", "Hi Mom -+Jjo--!"),
    ("utf-7", "\u{65E5}\u{672C}\u{8A9E}", "+ZeVnLIqe-"),
    ("utf-7", "Item 3 is \u{A3}1.", "Item 3 is +AKM-1."),
    ("utf-7", "1 + 1 = 2;", "1 +- 1 = 2;"),
    (
        "utf-7-imap",
        "~peter/mail/\u{53F0}\u{5317}/\u{65E5}\u{672C}\u{8A9E}",
        "~peter/mail/&U,BTFw-/&ZeVnLIqe-",
    ),
    ("utf-7-imap", "\u{263A}!", "&Jjo-!"),
    ("utf-7-imap", "\u{53F0}\u{5317}\u{65E5}\u{672C}\u{8A9E}", "&U,BTF2XlZyyKng-"),
    ("utf-7-imap", "Lost & Found", "Lost &- Found"),
    ("utf-7-imap", "\u{263A}\nEntwürfe\r\n", "&Jjo-\nEntw&APw-rfe\r\n"),
];

#[test]
fn examples_of_the_rfcs() {
    for (name, text, bytes) in SPELT {
        let spec = Encoding::for_label(name).unwrap();
        assert_eq!(put(spec, text).unwrap(), bytes.as_bytes(), "{name}");
        assert_eq!(Text::of(spec, bytes.as_bytes()).text(), *text, "{name}: {bytes}");
    }
    // Characters that may be direct but need not be, and a run that contains its own shift.
    let utf7 = Encoding::for_label("utf-7").unwrap();
    assert_eq!(Text::of(utf7, b"+AGEAYgBj-+AGE+AA").text(), "abca\u{3E00}");
    assert_eq!(Text::of(utf7, b"Hi Mom +ACYmOgAh").text(), "Hi Mom &\u{263A}!");
}

/// An encoding, bytes, the decoded text, and its issues.
#[rustfmt::skip]
static FAULTS: &[(&str, &[u8], &str, &[Fault])] = &[
    ("utf-7", b"a\\b", "a\u{FFFD}b", &[(1, 1, Kind::Unmapped)]),
    ("utf-7", b"~", "\u{FFFD}", &[(0, 1, Kind::Unmapped)]),
    ("utf-7", b"\x00\x7F\xC3\xA9", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
     &[(0, 1, Kind::Unmapped), (1, 1, Kind::Unmapped), (2, 1, Kind::Unmapped), (3, 1, Kind::Unmapped)]),
    // A shift that starts no run.
    ("utf-7", b"+", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("utf-7", b"+!", "\u{FFFD}!", &[(0, 1, Kind::BadEscape)]),
    ("utf-7", b"+~", "\u{FFFD}\u{FFFD}", &[(0, 1, Kind::BadEscape), (1, 1, Kind::Unmapped)]),
    ("utf-7", b"+-+-", "++", &[]),
    // An incomplete unit.
    ("utf-7", b"+A", "\u{FFFD}", &[(1, 1, Kind::BadEscape)]),
    ("utf-7", b"+AG!", "\u{FFFD}!", &[(1, 2, Kind::BadEscape)]),
    ("utf-7", b"+AGEA-b", "a\u{FFFD}b", &[(4, 1, Kind::BadEscape)]),
    ("utf-7", b"+AGEAY\xFF", "a\u{FFFD}\u{FFFD}", &[(4, 2, Kind::BadEscape), (6, 1, Kind::Unmapped)]),
    // Leftover bits that are not zero.
    ("utf-7", b"+AGF", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGF-b", "\u{FFFD}b", &[(1, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGEAYh b", "a\u{FFFD} b", &[(4, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGEAYgBj", "abc", &[]),
    // A run without a terminator.
    ("utf-7", b"+AGE", "a", &[]),
    ("utf-7", b"+AGE!b", "a!b", &[]),
    ("utf-7", b"+AGE--b", "a-b", &[]),
    ("utf-7", b"+AGE-+AGI-", "ab", &[]),
    ("utf-7", b"+AGE\x80", "a\u{FFFD}", &[(4, 1, Kind::Unmapped)]),
    // Halves of pairs.
    ("utf-7", b"+2D3eAA-", "\u{1F600}", &[]),
    ("utf-7", b"+2D0-", "\u{FFFD}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D0", "\u{FFFD}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D0AYQ-", "\u{FFFD}a", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D3YPd4A-", "\u{FFFD}\u{1F600}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+3gA-", "\u{FFFD}", &[(1, 3, Kind::SurrogateLow)]),
    ("utf-7", b"+3gDYPQ-", "\u{FFFD}\u{FFFD}", &[(1, 3, Kind::SurrogateLow), (4, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D3eAB-", "\u{FFFD}", &[(1, 6, Kind::BadEscape)]),
    ("utf-7", b"+2D3e-", "\u{FFFD}\u{FFFD}", &[(1, 3, Kind::SurrogateHigh), (4, 1, Kind::BadEscape)]),
    // IMAP: control characters and unterminated runs; a line end is between names.
    ("utf-7-imap", b"a\tb\r\n", "a\u{FFFD}b\r\n", &[(1, 1, Kind::Unmapped)]),
    ("utf-7-imap", b"&Jjo-\n&Jjo-\n", "\u{263A}\n\u{263A}\n", &[]),
    ("utf-7-imap", b"&Jjo\nb", "\u{FFFD}\nb", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&AAo-", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("utf-7-imap", b"&!", "\u{FFFD}!", &[(0, 1, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo!", "\u{FFFD}!", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&JjoA6Q", "\u{263A}\u{FFFD}", &[(4, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo&Jjo-", "\u{FFFD}\u{263A}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&U/BTFw-", "\u{FFFD}/BTFw-", &[(1, 1, Kind::BadEscape)]),
    // Printable ASCII in base64.
    ("utf-7-imap", b"&AGE-", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&JjoAIQ-", "\u{263A}\u{FFFD}", &[(4, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&ACY-", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&AB8AfwCA-", "\u{1F}\u{7F}\u{80}", &[]),
    // Two adjacent shifts.
    ("utf-7-imap", b"&U,BTFw-&ZeVnLIqe-", "\u{53F0}\u{5317}\u{FFFD}\u{65E5}\u{672C}\u{8A9E}",
     &[(7, 2, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo-&-&Jjo-", "\u{263A}&\u{263A}", &[]),
    ("utf-7-imap", b"&Jjo-&", "\u{263A}\u{FFFD}", &[(5, 1, Kind::BadEscape)]),
    // An issue that ends between two sets, and the text after it.
    ("iso-2022-jp", b"a\x0E\x0F\x80b", "a\u{FFFD}\u{FFFD}\u{FFFD}b",
     &[(1, 1, Kind::Unmapped), (2, 1, Kind::Unmapped), (3, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B(J\\~|", "\u{A5}\u{203E}|", &[]),
    ("iso-2022-jp", b"\x1B(I1!`a", "\u{FF71}\u{FF61}\u{FFFD}\u{FFFD}", &[(5, 1, Kind::Unmapped), (6, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$@$\"\x1B(Ba", "\u{3042}a", &[]),
    ("iso-2022-jp", b"\x1B$B$\"\n\x1B(Ba", "\u{3042}\u{FFFD}a", &[(5, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$\x1B(Ba", "\u{FFFD}a", &[(3, 1, Kind::TruncatedNext)]),
    ("iso-2022-jp", b"\x1B$B)\x1B(Ba", "\u{FFFD}a", &[(3, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$\n$\"", "\u{FFFD}\u{3042}", &[(3, 2, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B)!$\"", "\u{FFFD}\u{3042}", &[(3, 2, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$", "\u{FFFD}", &[(3, 1, Kind::TruncatedEnd)]),
    ("iso-2022-jp", b"\x1B", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(", "\u{FFFD}(", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(Za", "\u{FFFD}(Za", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B$B\x1B$A", "\u{FFFD}\u{3061}", &[(3, 1, Kind::BadEscape)]),
    // The second of two adjacent escapes is redundant but takes effect.
    ("iso-2022-jp", b"\x1B(J\x1B$B$\"", "\u{FFFD}\u{3042}", &[(3, 3, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(J\x1B(B\x1B(Ja\\", "\u{FFFD}\u{FFFD}a\u{A5}",
     &[(3, 3, Kind::BadEscape), (6, 3, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(Ja\x1B(B", "a", &[]),
];

#[test]
fn lengths_of_issues() {
    for (name, bytes, text, faults) in FAULTS {
        let found = Text::of(Encoding::for_label(name).unwrap(), bytes);
        let what = format!("{name}: {}", bytes.escape_ascii());
        assert_eq!(found.faults, *faults, "{what}");
        assert_eq!(found.text(), *text, "{what}");
    }
}

/// Shifts are part of a run and represent no code point.
#[test]
fn shifts_are_not_counted() {
    for (name, bytes, lengths) in [
        ("utf-7", "+AGEAYgBj2D3eAA-+--", [1, 2, 2, 0, 0, 1, 0]),
        ("utf-7-imap", "a&JjoA6dg93gA-", [1, 0, 2, 0, 1, 0, 0]),
        ("iso-2022-jp", "a\x1B$B$\"$\"\x1B(B", [1, 2, 0, 0, 0, 0, 0]),
    ] {
        let spec = Encoding::for_label(name).unwrap();
        let found = tally(spec, bytes.as_bytes(), 0..bytes.len());
        assert_eq!(found, lengths, "{name}: {bytes}");
    }
}

#[test]
fn scalar_values_of_utf_7_there_and_back() {
    each(&models(), |model| {
        let all: String = ('\0'..=char::MAX).collect();
        let bytes = put(model.spec, &all).unwrap();
        let found = Text::of(model.spec, &bytes);
        assert!(found.text() == all && found.faults.is_empty(), "{}", model.spec.name);
        for scalar in code_points().filter_map(char::from_u32) {
            // Each position in a run, and neighbours that end a run in different ways.
            let text = match u32::from(scalar) % 5 {
                0 => format!("{scalar}"),
                1 => format!("é{scalar}"),
                2 => format!("éé{scalar}-"),
                3 => format!("a{scalar}a"),
                _ => format!("{scalar}{}{scalar}", char::from(model.shift)),
            };
            let bytes = put(model.spec, &text).unwrap();
            let found = Text::of(model.spec, &bytes);
            assert_eq!(found, model.text(&bytes), "{text:?}");
            assert_eq!(found.text(), text, "{text:?}");
        }
        let mut out = vec![];
        for value in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, u32::MAX] {
            assert!(!model.spec.writer(Escapes::Usual).put(value, &mut out));
        }
        assert!(out.is_empty());
    });
}

/// Returns text that alternates between direct and encoded characters.
fn mixed(rng: &mut Rng, len: usize, from: &[char]) -> String {
    (0..len).map(|_| if rng.one_in(8) { rng.scalar(3) } else { rng.pick(from) }).collect()
}

const SIGNS: &[char] = &[
    'a', 'Z', '0', '+', '-', '/', ',', '&', '!', '~', '\\', ' ', '\0', 'é', 'あ', '日', '€', '😀',
];

/// Reads lines of hex digits in UTF-8; writes the encoded bytes of each.
const ENCODE: &str = "
import sys
for line in sys.stdin:
    print(bytes.fromhex(line).decode().encode('utf-7').hex())
";

#[test]
fn utf_7_is_written_as_cpython_writes_it() {
    let mut rng = Rng::new(7);
    let texts: Vec<String> = (0..4000).map(|at| mixed(&mut rng, at % 40, SIGNS)).collect();
    let input: String = texts.iter().map(|text| digits(text.as_bytes()) + "\n").collect();
    let Some(answer) = python(ENCODE, input.as_bytes()) else { return };
    assert_eq!(answer.lines().count(), texts.len());
    for (text, theirs) in texts.iter().zip(answer.lines()) {
        let ours = put(Encoding::for_label("utf-7").unwrap(), text).unwrap();
        assert_eq!(digits(&ours), theirs.to_uppercase(), "{text:?}");
    }
}

/// The inverse: `-` for an error.
const DECODE: &str = "
import sys
for line in sys.stdin:
    try:
        print(bytes.fromhex(line).decode('utf-7').encode('utf-32-be', 'surrogatepass').hex() or ' ')
    except UnicodeDecodeError:
        print('-')
";

/// CPython accepts more direct characters, lone surrogates, and a shift at the end.
#[test]
fn utf_7_is_read_as_cpython_reads_it() {
    let [model, _] = models();
    let mut inputs = vec![];
    model.token_strings(3, |bytes| inputs.push([b"+", bytes].concat()));
    let input: String = inputs.iter().map(|bytes| digits(bytes) + "\n").collect();
    let Some(answer) = python(DECODE, input.as_bytes()) else { return };
    assert_eq!(answer.lines().count(), inputs.len());
    let lax = |bytes: &[u8], (at, len, kind): Fault| match kind {
        Kind::Unmapped => bytes[at] < 0x80,
        Kind::BadEscape => bytes[at] == b'+' && at + len == bytes.len(),
        Kind::SurrogateHigh | Kind::SurrogateLow => true,
        _ => false,
    };
    for (bytes, theirs) in inputs.iter().zip(answer.lines()) {
        let ours = Text::of(model.spec, bytes);
        let what = bytes.escape_ascii();
        if ours.faults.is_empty() {
            let values: String = ours.values.iter().map(|value| format!("{value:08x}")).collect();
            assert_eq!(theirs.trim(), values, "{what}");
        } else if theirs != "-" {
            assert!(ours.faults.iter().all(|&fault| lax(bytes, fault)), "{what}: {theirs}");
        }
    }
}

/// Names of UTF-7 variants in other programs, and separators between two texts.
const PEERS: &[(&str, &str, &str, &str)] = &[
    ("utf-7", "uconv", "utf-7", "\n"),
    ("utf-7", "iconv", "utf-7", "\n"),
    ("utf-7-imap", "uconv", "imap-mailbox-name", "/"),
    ("utf-7-imap", "iconv", "utf-7-imap", "/"),
];

#[test]
fn utf_7_is_read_and_written_as_icu_and_glibc_do() {
    let mut rng = Rng::new(3501);
    let from: Vec<char> = SIGNS.iter().copied().filter(|&sign| sign != '\0').collect();
    for (name, program, theirs, between) in PEERS {
        let spec = Encoding::for_label(name).unwrap();
        let texts: Vec<String> = (0..2000).map(|at| mixed(&mut rng, at % 30, &from)).collect();
        let text = texts.join(between);
        let bytes = put(spec, &text).unwrap();
        let read = peer(program, &["-f", theirs, "-t", "utf-8"], &bytes);
        assert!(read.is_none_or(|read| read == text.as_bytes()), "{name}: {program} reads");
        let written = peer(program, &["-f", "utf-8", "-t", theirs], text.as_bytes());
        let Some(written) = written else { continue };
        assert_eq!(Text::of(spec, &written).text(), text, "{name}: {program} writes");
        assert_eq!(Text::of(spec, &written).faults, []);
    }
}
