//! The detector: its laws, and an example of each encoding.

use std::ops::Range;

use crate::common::detect::{encoded, in_pieces};
use crate::common::inputs::{HOSTILE, Rng, clean, dirty};
use crate::common::{BLIND, hex, kernels};
use crate::properties::detect::{ALL, told};
use utf8::detect::{
    Answer, DamageKind, Detection, DetectionReason, Detector, Evidence, EvidenceOptions, detect,
};
use utf8::kernel::best;

/// Sentences in many scripts.
#[rustfmt::skip]
pub(super) const SENTENCES: [&str; 16] = [
    "The quick fox reads a book about encodings, and then it sleeps.",
    "Où est passé l’élève qui avait été très fâché ? Là-bas, près du château.",
    "Größere Straßen führen über schöne Brücken nach Österreich zurück.",
    "Быстрая лиса прочитала книгу о кодировках и потом уснула.",
    "Η γρήγορη αλεπού διάβασε ένα βιβλίο και μετά κοιμήθηκε.",
    "השועל המהיר קרא ספר על קידודים ואחר כך הלך לישון.",
    "قرأ الثعلب السريع كتابا عن الترميز ثم نام في بيته.",
    "तेज़ लोमड़ी ने किताब पढ़ी और फिर वह अपने घर में सो गई।",
    "สุนัขจิ้งจอกอ่านหนังสือเกี่ยวกับการเข้ารหัสแล้วก็นอนหลับ",
    "빠른 여우가 인코딩에 관한 책을 읽고 나서 잠이 들었다.",
    "狐は文字コードの本を読んで、それから眠りました。",
    "这只狐狸读了一本关于字符编码的书，然后就睡着了。",
    "這隻狐狸讀了一本關於字元編碼的書，然後就睡著了。",
    "Արագ աղվեսը կարդաց գիրքը և հետո քնեց իր տանը։",
    "სწრაფმა მელამ წაიკითხა წიგნი და შემდეგ დაიძინა.",
    "Cáo đọc một cuốn sách về bảng mã rồi đi ngủ.",
];

pub(super) fn all(bytes: &[u8]) -> Detection {
    in_pieces(best(), bytes, &[], ALL)
}

pub(super) fn evidence(bytes: &[u8]) -> Evidence {
    all(bytes).evidence
}

pub(super) fn name(bytes: &[u8]) -> &'static str {
    detect(bytes).answer.name()
}

/// Returns inputs of all kinds.
fn inputs() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(7);
    let mut inputs: Vec<Vec<u8>> = HOSTILE.iter().map(|bytes| bytes.to_vec()).collect();
    inputs.extend((0..40).map(|_| clean(&mut rng, 300, &[1, 1, 2, 3, 4]).into_bytes()));
    inputs.extend((0..40).map(|_| dirty(&mut rng, 300, &[1, 1, 2, 3, 4], 9)));
    let pages = [(1, "windows-1252"), (3, "koi8-r"), (4, "iso-8859-7"), (10, "shift_jis")];
    let legacy = pages.map(|(at, page)| encoded(&SENTENCES[at].replace('’', "'"), page));
    inputs.extend(legacy.iter().map(|text| text.repeat(40)));
    inputs.extend(legacy.map(|text| [&text[..], SENTENCES[3].as_bytes()].concat().repeat(9)));
    inputs.extend(SENTENCES.map(|text| encoded(text, "utf-16le")));
    inputs
}

#[test]
fn valid_utf8_with_a_character_beyond_ascii_is_utf8_for_certain() {
    let mut rng = Rng::new(1);
    let noise = ["", "\0\0\0\0", "\x1B$B\x1B(B", "\x01\x02\x03", "~{VPND~}", "+AOk-", "A\0B\0"];
    for _ in 0..2000 {
        let c = loop {
            if let Some(c) = char::from_u32(0x80 + (rng.next() % 0x110000) as u32) {
                break c;
            }
        };
        for noise in noise {
            for text in [format!("{noise}{c}"), format!("{c}{noise}"), format!("{noise}{c}{noise}")]
            {
                let verdict = detect(text.as_bytes());
                assert_eq!(verdict.answer.name(), "utf-8", "{}", hex(text.as_bytes()));
                assert_eq!(verdict.confidence, 1.0);
                assert_eq!(verdict.reason, DetectionReason::WellFormed);
            }
        }
    }
    for text in SENTENCES.iter().filter(|text| !text.is_ascii()) {
        assert_eq!(name(text.as_bytes()), "utf-8");
    }
}

#[test]
fn short_strings_of_all_sorts_are_utf8_for_certain() {
    let sorts = "\0\n\x1B$ a+-~{\x7F\u{80}éΩя€\u{FEFF}中\u{FFFF}😀\u{10FFFF}";
    let longer = |text: &String| sorts.chars().map(|c| format!("{text}{c}")).collect::<Vec<_>>();
    let mut texts = vec![String::new()];
    for _ in 0..3 {
        texts = texts.iter().flat_map(longer).collect();
        for text in texts.iter().filter(|text| !text.is_ascii()) {
            let verdict = detect(text.as_bytes());
            assert_eq!((verdict.answer.name(), verdict.confidence), ("utf-8", 1.0), "{text:?}");
        }
    }
}

#[test]
fn ill_formed_text_is_never_utf8() {
    for input in inputs() {
        let valid = std::str::from_utf8(&input).is_ok();
        let answer = name(&input);
        assert_eq!(answer == "utf-8", valid && !input.is_ascii(), "{answer}: {}", hex(&input));
    }
}

#[test]
fn ascii_is_ascii() {
    for text in [
        "",
        "a",
        "Bush hid the facts",
        "#include <stdio.h>\r\nint main() { return C++; }\r\n",
        "1 + 1 = 2, a+b, +49 30 1234, ~/bin:~user, ++i, x+=y; +ADIW; +1+2-",
        "\x1B[31mred\x1B[0m",
        "iVBORw0KGgo+AAAANSUhEUgAA/BAA+ABwCAIAAACb0q",
    ] {
        let verdict = detect(text.as_bytes());
        assert_eq!((verdict.answer.name(), verdict.confidence), ("us-ascii", 1.0), "{text}");
    }
}

#[test]
fn splits_and_kernels_do_not_change_the_verdict() {
    let mut rng = Rng::new(3);
    for input in inputs() {
        for wanted in [ALL, EvidenceOptions::default()] {
            let expected = told(&in_pieces(best(), &input, &[], wanted));
            let mut cuts: Vec<usize> =
                (0..8).map(|_| rng.next() as usize % (input.len() + 1)).collect();
            cuts.sort_unstable();
            let bytewise: Vec<usize> = (0..input.len()).collect();
            for cuts in [&[][..], &cuts, &bytewise] {
                let told = told(&in_pieces(best(), &input, cuts, wanted));
                assert_eq!(told, expected, "{} cut at {cuts:?}", hex(&input));
            }
            for kernel in kernels().chain([&BLIND]) {
                let told = told(&in_pieces(kernel, &input, &cuts, wanted));
                assert_eq!(told, expected, "{}: {}", kernel.name, hex(&input));
            }
        }
    }
}

#[test]
fn no_split_changes_the_verdict() {
    let latin = encoded(&SENTENCES[1].replace('’', "'"), "windows-1252");
    let mixed = [&latin[..], b"\n", SENTENCES[1].as_bytes(), b"\n", &latin, &latin].concat();
    let cut = [&b"\xEF\xBB\xBF"[..], SENTENCES[3].as_bytes(), b"\xF0\x9F\x98"].concat();
    let units = encoded(SENTENCES[9], "utf-16be");
    for input in [&mixed[..], &cut, &units, b"\xED\xA0\xBD\xED\xB8\x80 \xC0\x80", b"~{VPND~} +AOk-"]
    {
        let expected = told(&all(input));
        for cut in 0..=input.len() {
            assert_eq!(told(&in_pieces(best(), input, &[cut], ALL)), expected, "cut at {cut}");
        }
    }
}

#[test]
fn all_evidence_leads_to_the_same_answer() {
    for input in inputs() {
        let (quick, full) = (detect(&input), all(&input));
        assert_eq!(quick.answer.name(), full.answer.name(), "{}", hex(&input));
        assert_eq!(quick.confidence, full.confidence, "{}", hex(&input));
    }
}

#[test]
fn a_long_text_keeps_its_answer() {
    for (at, codec) in [(1, "windows-1252"), (3, "windows-1251"), (10, "euc-jp")] {
        let text = encoded(&SENTENCES[at].replace('’', "'"), codec);
        let long = [text.repeat(2000), b"plain ASCII\n".repeat(9000), text.repeat(10)].concat();
        let cuts: Vec<usize> = (0..long.len()).step_by(4099).collect();
        let verdict = in_pieces(best(), &long, &cuts, EvidenceOptions::default());
        assert_eq!(verdict.answer.name(), codec);
        assert_eq!(told(&verdict), told(&detect(&long)));
    }
}

#[test]
fn two_texts_in_one_encoding_are_in_that_encoding() {
    let utf8: Vec<&str> = SENTENCES.into_iter().filter(|text| !text.is_ascii()).collect();
    for (first, second) in utf8.iter().zip(&utf8[1..]) {
        assert_eq!(name(format!("{first}{second}").as_bytes()), "utf-8");
    }
    for codec in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        for (first, second) in SENTENCES.iter().zip(&SENTENCES[1..]) {
            assert_eq!(name(&encoded(&format!("{first}{second}"), codec)), codec);
        }
    }
    for (first, second) in SENTENCES.iter().zip(&SENTENCES[1..]) {
        let signed = |text: &str| encoded(&format!("\u{FEFF}{text}"), "utf-16le");
        assert_eq!(name(&[signed(first), signed(second)].concat()), "utf-16");
    }
    for (first, second) in utf8.iter().zip(&utf8[1..]) {
        let damaged = |text: &str| [text.as_bytes(), b" \xFF\n"].concat();
        assert_eq!(name(&[damaged(first), damaged(second)].concat()), "damaged-utf-8");
    }
}

#[test]
fn signatures() {
    for (bytes, answer, form) in [
        (&b"\xEF\xBB\xBF"[..], "utf-8", "utf-8"),
        (b"\xEF\xBB\xBFabc", "utf-8", "utf-8"),
        (b"\xFE\xFF\0a", "utf-16", "utf-16be"),
        (b"\xFF\xFEa\0", "utf-16", "utf-16le"),
        (b"\xFF\xFE", "utf-16", "utf-16le"),
        (b"\0\0\xFE\xFF\0\0\0a", "utf-32", "utf-32be"),
        (b"\xFF\xFE\0\0a\0\0\0", "utf-32", "utf-32le"),
        // U+0000 and two letters in UTF-16.
        (b"\xFF\xFE\0\0a\0b\0", "utf-16", "utf-16le"),
        (b"\xF7\x64\x4Cabc", "utf-1", "utf-1"),
        (b"\x0E\xFE\xFFabc", "scsu", "scsu"),
        (b"\xFB\xEE\x28abc", "bocu-1", "bocu-1"),
        (b"\xDD\x73\x66\x73\x81", "utf-ebcdic", "utf-ebcdic"),
        (b"\x84\x31\x95\x33abc", "gb18030", "gb18030"),
        (b"+/v8-abc", "utf-7", "utf-7"),
        (b"+/v8A6Q-", "utf-7", "utf-7"),
    ] {
        let verdict = all(bytes);
        assert_eq!(verdict.answer.name(), answer, "{}", hex(bytes));
        assert_eq!(verdict.evidence.signature.map(|signature| signature.form), Some(form));
    }
}

#[test]
fn a_utf8_signature_does_not_decide() {
    for (bytes, damage) in [
        (&b"\xEF\xBB\xBFabc\xE9def"[..], DamageKind::Stray),
        (b"\xEF\xBB\xBF\xED\xA0\xBD\xED\xB8\x80", DamageKind::SurrogatePairs),
    ] {
        let verdict = all(bytes);
        assert_eq!(verdict.answer.name(), "damaged-utf-8");
        assert_eq!(verdict.evidence.damages[0].kind, damage);
    }
}

#[test]
fn a_few_sequences_of_utf8_do_not_make_a_legacy_text_utf8() {
    // "Ã©" is meant: a text about mojibake, in Latin-1.
    let text = "Le « Ã© » apparaît à la place du « é » très répété, où ça gêne l'élève.";
    assert_eq!(name(&encoded(text, "windows-1252")), "windows-1252");
    // A capital and a quote are two bytes of UTF-8: CA BB.
    let text = "Он сказал: «Да, в этом году „СК»“ выиграл»";
    assert_eq!(name(&encoded(text, "windows-1251")), "windows-1251");
}

/// Returns lines in a page, some of them in UTF-8.
fn mixed(text: &str, page: &str, lines: usize, utf8: impl Fn(usize) -> bool) -> Vec<u8> {
    let page = encoded(text, page);
    let line = |at| if utf8(at) { text.as_bytes() } else { &page };
    (0..lines).flat_map(|at| [line(at), b"\n"].concat()).collect()
}

#[test]
fn a_page_and_some_utf8_is_neither() {
    for (at, page) in
        [(1, "windows-1252"), (2, "macintosh"), (2, "ibm850"), (3, "koi8-r"), (4, "windows-1253")]
    {
        let text = SENTENCES[at].replace('’', "'");
        let few = mixed(&text, page, 20, |at| at % 5 == 3);
        let last = mixed(&text, page, 400, |at| at >= 320);
        let first = mixed(&text, page, 400, |at| at < 40);
        for (bytes, reason) in [
            (few, DetectionReason::Mixed),
            (last, DetectionReason::Mixed),
            (first, DetectionReason::Mostly),
        ] {
            let verdict = all(&bytes);
            assert_eq!(verdict.answer.name(), "damaged-utf-8", "{text} in {page}");
            assert_eq!(verdict.reason, reason, "{text} in {page}");
            assert_eq!(verdict.evidence.stray_page.unwrap().name, page);
        }
        assert_eq!(name(&mixed(&text, page, 400, |_| false)), page);
    }
}

#[test]
fn the_runs_of_utf8_in_a_page_are_counted() {
    let text = "\u{e9} \u{e0} \u{e7} \u{fb} \u{f4} \u{c9}; l'\u{e9}t\u{e9} tr\u{e8}s chaud";
    let evidence = evidence(&mixed(text, "windows-1252", 10, |at| at == 4));
    let mixed = evidence.mixture.unwrap();
    assert_eq!((mixed.utf8, mixed.runs), (9, 90));
    // Damage that was counted to the limit, or to the end.
    assert!(evidence.damages.iter().all(|found| found.count == 81));
}

#[test]
fn accidental_utf8_does_not_make_a_mixture() {
    // C5 A3, C3 A6 and CE A6 in KOI8; D0 B7 in ibm855; D5 8E in macintosh; C4 BF in ibm437.
    for (text, page) in [
        ("Он видел её вчера, и её книга лежала там. Где её дом? Я её знаю.", "koi8-r"),
        ("Ні тут, ні там не було нікого, ці люди ні про що не знали, ні.", "koi8-u"),
        (
            "Видел ли кто из вас, как большие белые птицы летели над старым городом и над рекой, \
             когда первое весеннее солнце осветило крыши домов, мосты, сады и тихие улицы, \
             по которым люди шли на работу, а дети бежали в школу?",
            "ibm855",
        ),
        ("l’été, l’école, d’été, l’élève : tout l’été à l’école", "macintosh"),
        ("┌──────┐\r\n│ für │\r\n└──────┘ Größe und Höhe, Maß und Füße", "ibm437"),
    ] {
        let text = encoded(text, page);
        let verdict = all(&text.repeat(5));
        assert_ne!(verdict.answer.name(), "damaged-utf-8", "{page}");
    }
}

#[test]
fn ascii_with_a_cut_sequence_is_doubtful() {
    for bytes in [&b"caf\xC3"[..], b"hello caf\xC3", b"price \xE2\x82", b"a b c\n\xF0\x9F\x98"] {
        let verdict = detect(bytes);
        let sure = matches!(verdict.answer, Answer::Codec(_)) && verdict.confidence >= 0.5;
        assert!(!sure, "{}: {}", hex(bytes), verdict.answer.name());
    }
}

#[test]
fn pairs_that_are_utf8_by_chance_do_not_make_a_short_text_utf8() {
    for (text, codec) in [
        ("テストのエンコーディングを検出。もう一度テスト。", "euc-jp"),
        (" 『ハレタヒハフタリテヲツナイデ２』 の一環ライ", "euc-jp"),
        ("やっぱり、ITであろうとなかろうと関係ない、と。", "shift_jis"),
        ("<font color=\"#3366ff\">토리", "euc-kr"),
        ("**************<br>***值得注", "gbk"),
        ("t/cat/3.htm&quot;&gt;系统工", "gbk"),
        ("<br/>сильное удовлетворе", "ibm866"),
        ("\t\t\t<description>Первое, ", "ibm855"),
    ] {
        assert_eq!(name(&encoded(text, codec)), codec, "{text}");
    }
    // Three bytes of Chinese are valid in another set.
    assert_ne!(name(&encoded("呵。<p class=\"bMore\"><a hr", "gbk")), "damaged-utf-8");
}

#[test]
fn one_byte_beyond_ascii_is_of_a_code_page() {
    for text in [&b"caf\xE9"[..], b"caf\xE9 au lait", b"M\xFCnchen", b"\xA9 2024 Example"] {
        let answer = detect(text).answer;
        assert!(matches!(answer, Answer::Codec(codec) if !codec.inner.utf8), "{}", answer.name());
    }
}

/// A character that is cut at the end of a line looks like a letter there, and hardly elsewhere.
#[test]
fn a_letter_at_the_edge_of_a_word_is_likely_within_a_line() {
    for (bytes, is_likely) in [
        (&b"caf\xE9 au lait"[..], true),
        (b"caf\xE9\nau lait", false),
        (b"un caf\xE9", false),
        (b"\xE9cole de la ville", false),
    ] {
        let detection = detect(bytes);
        assert_eq!(detection.answer.name(), "windows-1252");
        assert_eq!(detection.confidence >= 0.9, is_likely, "{detection:?}");
    }
}

#[test]
fn code_units_are_detected_without_a_signature() {
    for codec in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
        for text in SENTENCES {
            assert_eq!(name(&encoded(text, codec)), codec, "{text}");
            let short: String = text.chars().take(12).collect();
            assert_eq!(name(&encoded(&short, codec)), codec, "{short}");
        }
    }
}

#[test]
fn code_units_are_detected_without_nul() {
    // No byte below 20, no NUL.
    let text = encoded("然后就睡着了。这是书，我看了。", "utf-16le");
    assert!(!text.contains(&0));
    assert_eq!(name(&text), "utf-16le");
}

#[test]
fn text_of_bytes_that_pair_up_is_no_code_unit() {
    for (text, codecs) in [
        ("        <description>Афи", "windows-1251 koi8-r ibm855 x-mac-cyrillic"),
        ("\t\t\t<description>Дебютный", "windows-1251"),
        ("é Nory, nebo dlouhodobě ", "iso-8859-2 windows-1250"),
        ("endszerről. A Társaság a", "iso-8859-2"),
        (" A Magyarország Oroszors", "windows-1250"),
        ("     <description>Személ", "iso-8859-2"),
        ("|￣|○＿|￣|○", "shift_jis"),
        ("|￣|○＿|￣|○＿|￣|○＿|￣|○＿|￣|○", "shift_jis"),
    ] {
        for codec in codecs.split(' ') {
            let verdict = detect(&encoded(text, codec));
            assert_ne!(verdict.reason, DetectionReason::Units, "{text} in {codec}");
        }
    }
}

#[test]
fn tables_are_not_code_units() {
    // As UTF-16: Gurmukhi and daggers.
    for filler in ["\n", " ", "-", "  \n\n"] {
        let text = format!("<p>{}</p>", "狐は文字コードの本を読んで");
        let text = [filler.repeat(1000).as_bytes(), &encoded(&text, "euc-jp")].concat();
        assert_eq!(name(&text), "euc-jp", "{filler:?}");
    }
}

#[test]
fn escapes_and_shifts_of_seven_bits() {
    let cases: [(&[u8], &str, DetectionReason); 10] = [
        (b"\x1B$B4A;z\x1B(B", "iso-2022-jp", DetectionReason::Escapes),
        (b"\x1B$)C\x0E0!\x0F", "iso-2022-kr", DetectionReason::Escapes),
        (b"\x1B$)A\x0E=;\x0F", "iso-2022-cn", DetectionReason::Escapes),
        (b"\x1B$(D0!\x1B(B", "iso-2022-jp-1", DetectionReason::Escapes),
        (b"text \x1B%Gmore\x1B%@", "utf-8", DetectionReason::Escapes),
        (b"~{VPND~} and ~~ is a tilde", "hz-gb-2312", DetectionReason::Shifts),
        (b"caf+AOk-", "utf-7", DetectionReason::Shifts),
        (b"Hi Mom -+Jjo--!", "utf-7", DetectionReason::Shifts),
        (b"+BB8EQAQ4BDIENQRC-", "utf-7", DetectionReason::Shifts),
        (b"+ZeVnLIqe-", "utf-7", DetectionReason::Shifts),
    ];
    for (bytes, answer, reason) in cases {
        let verdict = detect(bytes);
        assert_eq!((verdict.answer.name(), verdict.reason), (answer, reason), "{}", hex(bytes));
    }
}

#[test]
fn evidence_far_from_the_start_is_found() {
    let ascii = b"All of this is ASCII.\n".repeat(9000);
    let with = |tail: &[u8]| [&ascii[..], tail].concat();
    assert_eq!(name(&with(b"\x1B$B4A;z\x1B(B")), "iso-2022-jp");
    assert_eq!(name(&with("é".as_bytes())), "utf-8");
    assert_eq!(name(&with(b"\0")), "binary");
    assert_eq!(name(&with(&encoded(SENTENCES[3], "koi8-r"))), "koi8-r");
}

#[test]
fn binary_files() {
    let gzip = [&b"\x1F\x8B\x08\0\0\0\0\0\0\x03"[..], &noise(2000)].concat();
    let png = [&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06"[..], &noise(2000)];
    // The head of an ELF file (ELF-64: identification, type, machine, version, entry, offsets).
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0\x50\x10\0\0\0\0\0\0\
                \x40\0\0\0\0\0\0\0\x48\x3A\0\0\0\0\0\0\0\0\0\0\x40\0\x38\0\x0D\0\x40\0\x1F\0\x1E\0";
    for bytes in [&gzip[..], &png.concat(), elf, &noise(300), b"\0\0\0\0", b"a\0\x01\x02b\0\0c\x7F"]
    {
        assert_eq!(name(bytes), "binary", "{}", hex(&bytes[..bytes.len().min(64)]));
    }
}

/// The ideograph is rare in the models.
#[test]
fn kana_with_one_rare_ideograph_are_japanese_for_certain() {
    for codec in ["shift_jis", "euc-jp"] {
        let found = detect(&encoded("よろしくお願いいたします。", codec));
        assert!(found.answer.name() == codec && found.confidence > 0.95, "{found:?}");
    }
}

/// Their data has neither NUL nor many controls, as that of a photograph.
#[test]
fn binary_formats_are_told_by_their_start() {
    let pixels: Vec<u8> = (0..3000_u32).map(|at| 180 + (at * at % 71) as u8).collect();
    for start in
        [&b"P5\n64 48\n255\n"[..], b"GIF89a\x40\x01\xF0\x01", b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n"]
    {
        let found = detect(&[start, &pixels].concat());
        assert_eq!((found.answer.name(), found.reason), ("binary", DetectionReason::Format));
    }
    // Text that starts so.
    assert_eq!(name(b"GIF89a is a format"), "us-ascii");
    assert_eq!(name("%PDF- déjà vu".as_bytes()), "utf-8");
    let damaged = b"%PDF-1.4\nD\xC3\xA9j\xC3\xA0 vu, \xC3\xA9t\xC3\xA9, caf\xC3 et th\xC3\xA9\n";
    assert_eq!(name(damaged), "damaged-utf-8");
    for start in ["GIF89a", "%PDF-1.4", "fLaC", "wOFF"] {
        let text = format!("{start} est un format créé à l'été 1989.");
        assert_eq!(name(&encoded(&text, "windows-1252")), "windows-1252", "{text}");
    }
}

fn noise(len: usize) -> Vec<u8> {
    let mut rng = Rng::new(9);
    (0..len).map(|_| rng.next() as u8).collect()
}

#[test]
fn text_that_was_encoded_twice_is_utf8_and_noted() {
    let twice: String = "Größe, naïve café, déjà vu".bytes().map(char::from).collect();
    let verdict = all(format!("ok: {twice}").as_bytes());
    assert_eq!((verdict.answer.name(), verdict.confidence), ("utf-8", 1.0));
    let noted = verdict.evidence.double_encoding.unwrap();
    assert_eq!(noted.page.name, "windows-1252");
    // "ok: Gr" precedes the first.
    assert_eq!(noted.first, 6);
    assert!(noted.places >= 4, "{noted:?}");
    for text in SENTENCES {
        assert!(evidence(text.as_bytes()).double_encoding.is_none(), "{text}");
    }
}

#[test]
fn counts_are_reported() {
    let tally = evidence(b"a\r\nb\nc\rd\r\n\xC3\xA9\0\x01\xE2\x82\xAC\x7F").tally.unwrap();
    assert_eq!((tally.lf(), tally.crlf(), tally.cr()), (1, 2, 1));
    assert_eq!((tally.size(), tally.ascii(), tally.nuls(), tally.controls()), (18, 13, 1, 2));
    // ASCII, é and €.
    assert_eq!(tally.lengths[..4], [13, 1, 1, 0]);
}

#[test]
fn only_the_range_counts() {
    let bytes = b"\xFF\xFEabc\xC3\xA9def\xE9";
    let of = |range: Range<u64>| {
        let mut detector = Detector::with(best(), range, ALL);
        let _ = detector.push(bytes);
        detector.finish()
    };
    assert_eq!(of(2..5).answer.name(), "us-ascii");
    assert_eq!(of(2..10).answer.name(), "utf-8");
    // A sequence that starts in the range belongs to it.
    assert_eq!(of(2..6).answer.name(), "utf-8");
    assert_eq!(of(2..6).evidence.size, 5);
    assert_eq!(of(0..u64::MAX).answer.name(), "utf-16");
}

/// Escapes that announce ISO 2022 are not ASCII; braces after a tilde are.
#[test]
fn escapes_and_tildes_are_judged_with_care() {
    for (bytes, name) in [
        (&b"\x1B$BF|K\\\x1B(B\x1B$BF|K\\\x1B(B"[..], "iso-2022-jp"),
        (b"echo ~{alice,bob}/x\n", "us-ascii"),
        (b"foo ~{AB\n", "us-ascii"),
        (b"~{<:Ky2;~}\n", "hz-gb-2312"),
        (b"\x01\x02\x03", "binary"),
    ] {
        assert_eq!(detect(bytes).answer.name(), name, "{bytes:02X?}");
    }
    let cut: Vec<u8> = "hello world\n".repeat(60).bytes().flat_map(|byte| [byte, 0]).collect();
    assert_eq!(detect(&[&cut[..], b"a"].concat()).answer.name(), "utf-16le");
}
