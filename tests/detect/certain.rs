//! Encodings that are certain: seven-bit sets, code units and EBCDIC.

use crate::common::detect::{encoded, in_pieces};
use crate::common::hex;
use utf8::detect::{Detection, DetectionReason, EvidenceOptions, detect};
use utf8::kernel::best;

const ENGLISH: &str = "The fox reads a book about encodings, and then it sleeps.\r\n";
const RUSSIAN: &str = "Лиса прочитала книгу о кодировках и потом уснула.\n";
const JAPANESE: &str = "狐は文字コードの本を読んで、それから眠りました。\n";
const CHINESE: &str = "这只狐狸读了一本关于字符编码的书，然后就睡着了。\n";

/// Returns the verdict on bytes, the same for any pieces.
fn verdict(bytes: &[u8]) -> Detection {
    let verdict = detect(bytes);
    for size in [1, 7, 4099, 65_536] {
        let cuts: Vec<usize> = (size..bytes.len()).step_by(size).collect();
        if cuts.len() < 5000 {
            let again = in_pieces(best(), bytes, &cuts, EvidenceOptions::default());
            assert_eq!(again.answer.name(), verdict.answer.name(), "pieces of {size}");
            assert_eq!(again.confidence, verdict.confidence, "pieces of {size}");
        }
    }
    verdict
}

fn name(bytes: &[u8]) -> &'static str {
    verdict(bytes).answer.name()
}

/// Encodes text in UTF-16, with more units at the end.
fn units(little: bool, text: &str, last: &[u16]) -> Vec<u8> {
    let bytes = if little { u16::to_le_bytes } else { u16::to_be_bytes };
    text.encode_utf16().chain(last.iter().copied()).flat_map(bytes).collect()
}

#[test]
fn a_lone_surrogate_does_not_make_utf16_binary() {
    for (little, expected) in [(true, "wtf-16le"), (false, "wtf-16be")] {
        for text in [ENGLISH, RUSSIAN, JAPANESE] {
            for lone in [0xD83D, 0xDE00] {
                let text = units(little, &text.repeat(40), &[lone, b' '.into()]);
                let verdict = verdict(&text);
                assert_eq!(verdict.answer.name(), expected);
                assert_eq!(verdict.reason, DetectionReason::Surrogates);
                assert!(verdict.confidence > 0.99 && verdict.confidence < 1.0);
            }
        }
    }
    // A pair that the end truncates does not count.
    assert_eq!(name(&units(true, ENGLISH, &[0xD83D])), "utf-16le");
    let text: Vec<u8> =
        format!("{ENGLISH}{RUSSIAN}").chars().flat_map(|c| (c as u32).to_be_bytes()).collect();
    assert_eq!(name(&[&text[..], &[0, 0, 0xD8, 0x3D], &text].concat()), "ucs-4be");
}

#[test]
fn a_lone_surrogate_does_not_refute_a_signature() {
    for little in [true, false] {
        let text = format!("\u{FEFF}{}", RUSSIAN.repeat(200));
        let verdict = verdict(&units(little, &text, &[0xD83D, b' '.into()]));
        assert_eq!((verdict.answer.name(), verdict.confidence), ("utf-16", 1.0));
    }
    // Every other unit is a surrogate by chance.
    let junk = units(true, "\u{FEFF}", &[0xD83D, 1, 0xDE00, 2, 0xD801, 3, 0xD801, 4, 0xD801, 5]);
    assert_eq!((name(&junk), detect(&junk).confidence), ("utf-16", 0.6));
    let wide: Vec<u8> = "\u{FEFF}ab".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    // Too large by far, but two of three units are wide.
    let verdict = verdict(&[&wide[..], b"\0\0\0\x7F"].concat());
    assert_eq!((verdict.answer.name(), verdict.confidence), ("utf-32", 0.6));
}

#[test]
fn two_files_of_one_encoding_are_in_that_encoding() {
    let texts = [ENGLISH, RUSSIAN, JAPANESE];
    for codec in ["utf-7", "utf-16le", "utf-16be", "utf-16", "utf-32le", "utf-32be", "utf-32"] {
        for (first, second) in texts.iter().flat_map(|&one| texts.map(|other| (one, other))) {
            if codec == "utf-7" && (first, second) == (ENGLISH, ENGLISH) {
                continue;
            }
            let verdict = verdict(&[encoded(first, codec), encoded(second, codec)].concat());
            assert_eq!(verdict.answer.name(), codec, "{first}{second}");
            assert!(verdict.confidence > 0.9, "{codec}: {verdict:?}");
        }
    }
    // No line break between the two, so that escapes are adjacent.
    let japanese = encoded(JAPANESE.trim_end(), "iso-2022-jp");
    let verdict = verdict(&japanese.repeat(50));
    assert_eq!((verdict.answer.name(), verdict.confidence), ("iso-2022-jp", 0.99));
    assert_eq!(name(&hz(CHINESE).repeat(50)), "hz-gb-2312");
}

/// Encodes text in HZ.
fn hz(text: &str) -> Vec<u8> {
    let gb_2312 = encoded(text.trim_end(), "gbk").iter().map(|byte| byte & 0x7F).collect();
    [b"~{".to_vec(), gb_2312, b"~}\n".to_vec()].concat()
}

#[test]
fn announcements_after_much_ascii_are_found() {
    let licence = b"Permission is granted, free of charge; ~~ no warranty +- none.\n".repeat(1700);
    let coloured = b"\x1B[31merror\x1B[0m: it is red\n".repeat(4000);
    for ascii in [&licence, &coloured] {
        let with = |text: &[u8]| name(&[&ascii[..], text, b"\nThe end.\n"].concat());
        assert_eq!(with(&encoded(JAPANESE, "iso-2022-jp")), "iso-2022-jp");
        assert_eq!(with(b"The end."), "us-ascii");
    }
    // Each of the two has an escape that the other lacks.
    let plain = |filler: &[u8], text: &[u8]| name(&[&filler.repeat(2500), text].concat());
    assert_eq!(plain(b"There is no warranty. Sorry! +-\n", &encoded(RUSSIAN, "utf-7")), "utf-7");
    assert_eq!(plain(b"There is no warranty. Sorry! ~~\n", &hz(CHINESE)), "hz-gb-2312");
    assert_eq!(plain(b"There is no warranty. 1 + 1.\n", &encoded(RUSSIAN, "utf-7")), "us-ascii");
}

/// A window may end within a shift or an escape.
#[test]
fn windows_may_end_within_shifts_and_escapes() {
    let (hz, jp, utf7) = (hz(CHINESE), encoded(JAPANESE, "iso-2022-jp"), encoded(RUSSIAN, "utf-7"));
    for cut in 0..8 {
        for (first, text, expected) in [
            (&b"~~"[..], &hz, "hz-gb-2312"),
            (b"+-", &utf7, "utf-7"),
            (b"\x1B[m", &jp, "iso-2022-jp"),
        ] {
            let filler = vec![b'.'; (64 << 10) - first.len() - cut];
            let bytes = [first, &filler, text].concat();
            assert_eq!(detect(&bytes).answer.name(), expected, "{cut}");
        }
        // The whole input is one.
        let long = [&b"."[..cut.min(1)], &hz.repeat(2000)].concat();
        assert_eq!(detect(&long[..(65 << 10) + cut]).answer.name(), "hz-gb-2312");
        let long = [&b"....."[..cut.min(5)], &encoded(&RUSSIAN.repeat(900), "utf-7")].concat();
        assert_eq!(detect(&long).answer.name(), "utf-7");
    }
}

#[test]
fn text_of_a_page_is_not_units() {
    let japanese = format!("{0}カタカナでコンピュータと書きます。{0}", "0;0;0;0\n".repeat(4));
    assert_eq!(name(&encoded(&japanese, "shift_jis")), "shift_jis");
    assert_eq!(name(&encoded("Москва, Россия, 2020 год", "koi8-r")), "koi8-r");
    // French letters, one in each line: rows of Gujarati in UTF-16.
    let verdict = detect(b"\xE9\n\xE8\n\xEA\n\xE0\n\xE7\n");
    assert!(verdict.confidence < 0.8, "{verdict:?}");
}

#[test]
fn tables_of_numbers_are_not_units() {
    let short: Vec<u8> = (0..2000u16).flat_map(u16::to_le_bytes).collect();
    let long: Vec<u8> = (0..500u32).flat_map(|i| (i * 7919 % 1000).to_be_bytes()).collect();
    // As in machine code: a byte of ASCII, and a small number.
    let code: Vec<u8> = (0..3000u16).flat_map(|i| [b'a' + (i % 26) as u8, (i % 3) as u8]).collect();
    let halves = |numbers: &[u16]| -> Vec<u8> {
        numbers.iter().copied().flat_map(u16::to_le_bytes).collect()
    };
    // Read as UTF-32, most of these are in planes 1 to 3, and as UTF-16, Latin letters beyond ASCII.
    let flags = halves(&[1; 1000]);
    let pairs = halves(&[0, 2, 12, 2, 24, 2, 36, 2]);
    let rates = halves(&[44100, 2, 44100, 2]);
    let volts = halves(&[228, 230, 229, 231, 230, 228, 231, 229]);
    let counter: Vec<u8> = (1000..1256u32).flat_map(u32::to_le_bytes).collect();
    for bytes in [short, long, code, flags, pairs, rates, volts, counter] {
        assert_eq!(name(&bytes), "binary");
    }
}

/// They are letters by chance: `Pƻ`, `ϵ϶ϴ`.
#[test]
fn two_or_three_numbers_are_no_units_for_certain() {
    for numbers in [&[80, 443][..], &[1013, 1014, 1012], &[300, 301], &[100, 200, 300]] {
        for bytes in [
            numbers.iter().copied().flat_map(u32::to_le_bytes).collect::<Vec<_>>(),
            numbers.iter().copied().flat_map(u32::to_be_bytes).collect(),
        ] {
            let verdict = detect(&bytes);
            assert!(verdict.confidence < 0.8, "{verdict:?}");
        }
    }
    assert_eq!(name(b"P\0\0\0\xBB\x01\0\0"), "utf-32le");
    let word = detect(&encoded("naïf", "utf-32le"));
    assert!(word.answer.name() == "utf-32le" && word.confidence > 0.95, "{word:?}");
}

/// Read as UTF-16, most pairs of letters are ideographs, and some are frequent ones.
#[test]
fn tables_of_strings_are_no_certain_units() {
    for bytes in [
        &b"p_get_type\0g_object_new\0"[..],
        b"e\0freed\0chdir\0iex\0tsscanf\0statc\0closedir\0ssrchr\0memmove\0sstrtol\0f",
    ] {
        let verdict = detect(bytes);
        assert!(verdict.answer.name() == "binary" || verdict.confidence < 0.8, "{verdict:?}");
    }
}

#[test]
fn text_without_blanks_is_text() {
    let json = r#"{"name":"Søren","id":12,"ok":true},"#.repeat(40);
    let hindi = "हमबहुतदेरतकबरामदेमेंबैठेऔरबगीचेमेंपक्षियोंकीआवाजसुनतेरहे".repeat(3);
    let korean = "대한민국은민주공화국이다".repeat(3);
    for text in [json, "0123456789ABCDEF".repeat(60), hindi, korean] {
        for codec in ["utf-16le", "utf-16be", "utf-32le"] {
            assert_eq!(name(&encoded(&text, codec)), codec, "{text}");
        }
    }
}

/// Rows 0A and 0D of Unicode are letters of Gurmukhi, Gujarati and Malayalam, and row 01 is Latin.
#[test]
fn single_words_in_code_units_are_no_binary_data() {
    for (word, forms) in [
        ("ਗੁਰਮੁਖੀ", &["utf-32le", "utf-32be"][..]),
        ("ગુજરાતી", &["utf-32le", "utf-32be"]),
        ("മലയാളം", &["utf-32le", "utf-32be"]),
        ("Łężyca", &["utf-16le", "utf-16be", "utf-32le", "utf-32be"]),
    ] {
        for form in forms {
            assert_eq!(name(&encoded(word, form)), *form, "{word}");
        }
    }
}

#[test]
fn tildes_of_format_strings_are_no_hz() {
    for text in ["(format t \"~{~a~^, ~}~%\" list)", "(format t \"~{(~a)~}\" list)", "~{a,b~}"] {
        assert_eq!(name(text.as_bytes()), "us-ascii", "{text}");
    }
}

#[test]
fn words_after_plus_signs_are_not_utf7() {
    // The last three are well-formed as UTF-7: U+768C U+2796 U+869D, three others, and two dashes.
    for text in
        ["a + b", "C++", "1+1=2", "/lazr/+download", "$self->{+ENCODING}", "Lotus +IBM, +IBQ"]
    {
        assert_eq!(name(text.as_bytes()), "us-ascii", "{text}");
    }
    // U+69CB U+629E, U+0A87 U+629E, and five others.
    for text in ["rock+acting-music", "see +Coding- here", "the +modified- files", "x+telephony"] {
        assert_eq!(name(text.as_bytes()), "us-ascii", "{text}");
    }
}

#[test]
fn utf7_of_vietnamese_words_is_detected() {
    // Their letters are in U+00xx, U+01xx and U+1Exx.
    for text in ["người", "điểm", "Tiếng Na Uy", "trước"] {
        assert_eq!(name(&encoded(text, "utf-7")), "utf-7", "{text}");
    }
}

#[test]
fn utf7_of_one_letter_quotation_or_hangul_is_detected() {
    for text in ["café", "Një ditë më parë është", "오늘은 날씨가 좋아서 친구와 함께 걸었다"]
    {
        assert_eq!(name(&encoded(text, "utf-7")), "utf-7", "{text}");
    }
    // The quotation marks „ and “, with no hyphen after them.
    assert_eq!(name(b"Open +IB4%s+IBw (again)"), "utf-7");
}

#[test]
fn only_a_proof_is_certain() {
    let long = RUSSIAN.repeat(100);
    for codec in ["utf-7", "utf-16le", "utf-32be", "iso-2022-jp", "koi8-r", "windows-1251"] {
        let verdict = detect(&encoded(&long, codec));
        assert_eq!(verdict.answer.name(), codec);
        assert!(verdict.confidence <= 0.9999, "{codec}: {}", verdict.confidence);
    }
}

/// Texts that Python encoded in cp037 and cp273.
#[test]
fn ebcdic_is_detected_by_its_words() {
    for (bytes, expected) in [
        // "Dear reader, the fox has two books at home.", and a second line
        (
            "c4858199409985818485996b40a38885408696a7408881a240a3a6964082969692a24081a340889694854b25\
          e3888540a28583969584409695854089a240818296a4a34083968485a24b25",
            "ibm037",
        ),
        (
            "c4858199409985818485996b40a38885408696a7408881a240a3a6964082969692a24081a340889694854b15\
          e3888540a28583969584409695854089a240818296a4a34083968485a24b15",
            "ibm037-lf",
        ),
        (
            "d3854099859581998440814093a440a495409389a599854085a34089934085a2a340978199a3894b",
            "ibm037",
        ),
        ("6161e2e3c5d7f1404040c5e7c5c340d7c7d47ee2d6d9e36bd9c5c7c9d6d57ef5f1f2d2", "ibm037"),
        ("819540969384408696a7", "ibm037"),
        // "an array[1]\n": brackets at the places of code page 1047, with either line end
        ("81954081999981a8adf1bd25", "ibm1047"),
        ("81954081999981a8adf1bd15", "ibm1047-lf"),
        ("81954081999981a8baf1bb25", "ibm037"),
    ] {
        let bytes = bytes_of(expected, bytes);
        let verdict = verdict(&bytes);
        assert_eq!((verdict.answer.name(), verdict.reason), (expected, DetectionReason::Ebcdic));
        assert!(verdict.confidence > 0.8, "{}: {}", hex(&bytes), verdict.confidence);
    }
}

/// "//DD1 DD DSN=PROD.PAYROLL,DISP=SHR", two records of numbers, and one of JSON, with either line end: few of
/// the characters are letters or spaces.
#[test]
fn capitals_digits_and_marks_are_text_in_ebcdic() {
    for hex in [
        "6161c4c4f140c4c440c4e2d57ed7d9d6c44bd7c1e8d9d6d3d36bc4c9e2d77ee2c8d925",
        "e2d4c9e3c86bf1f2f0f04bf5f06bf2f0f2f460f0f160f0f225d1d6d5c5e26bf9f94bf9f56bf2f0f2f460f0f260f0f325",
        "c07f89847f7af16b7f959481857f7a7f8285a3817fd025",
    ] {
        for (end, codec) in [(0x25, "ibm037"), (0x15, "ibm037-lf")] {
            let mut bytes = bytes_of(codec, hex);
            bytes.iter_mut().filter(|byte| **byte == 0x25).for_each(|byte| *byte = end);
            assert_eq!(verdict(&bytes).answer.name(), codec);
        }
    }
}

/// "A|B|C" and lines of fields in cp037: `|` is `!` in cp500.
#[test]
fn an_exclamation_mark_between_letters_is_doubtful() {
    let hex = "c3e4e2e3c9c44fd5c1d4c54fc3c9e3e825f0f0f14fe2d4c9e3c84fd3d6d5c4d6d525f0f0f24fd1d6d5c5e24fd7c1d9c9e225";
    let found = verdict(&bytes_of("cp037", hex));
    assert!(found.confidence < 0.8 || found.answer.name() == "ibm037", "{found:?}");
}

fn bytes_of(what: &str, hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.bytes().map(|digit| (digit as char).to_digit(16).expect(what) as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// "Größe und Länge der Bücher" in cp273, where cp037 has marks for ö, ß and ü; and texts as iconv
/// writes them.
#[test]
fn pages_of_ebcdic_are_told_apart_by_the_letters_of_their_languages() {
    for (page, bytes) in [
        ("ibm273", "c7996aa18540a4958440d3c09587854084859940c2d083888599"),
        // "Zażółć gęślą jaźń, a potem zasnął w lesie przy drodze."
        (
            "ibm870",
            "e981b2ce9a494087528a93a0409181b79b6b4081409796a3859440a981a295a09a40a6409385a289854097\
             99a9a84084999684a9854b",
        ),
        // "Лиса прочитала книгу о кодировках и потом уснула."
        (
            "ibm1025",
            "ce8fab77409faa9eb68fac779b77409a9d8f8dad409e409a9e8a8faa9eaf9a778e408f409f9eac9e9c40ad\
             ab9dad9b774b",
        ),
        // "השועל קרא ספר על קידודים, ואז נרדם ביער.": all bytes are ASCII.
        (
            "ibm424",
            "4569466254406768414059646840625440675144464451556b40464147405868445540425162684b",
        ),
        // "DONAUDAMPFSCHIFFFAHRTSGESELLSCHAFTSKAPITÄN", all in letters.
        (
            "ibm273",
            "c4d6d5c1e4c4c1d4d7c6e2c3c8c9c6c6c6c1c8d9e3e2c7c5e2c5d3d3e2c3c8c1c6e3e2d2c1d7c9e34ad5",
        ),
        // "int main(void) { return a[0] | b[1]; }"
        ("ibm500", "8995a340948189954da59689845d40c0409985a3a4999540814af05a40bb40824af15a5e40d0"),
    ] {
        let verdict = verdict(&bytes_of(page, bytes));
        assert_eq!((verdict.answer.name(), verdict.reason), (page, DetectionReason::Ebcdic));
    }
}

/// "Hello, world!" with the exclamation mark of cp037, which is ] in cp500 and Ü in cp273.
#[test]
fn a_mark_that_pages_of_ebcdic_have_at_different_places_makes_them_doubtful() {
    let verdict = verdict(&bytes_of("cp037", "c88593939640a6969993845a"));
    assert_eq!(verdict.answer.name(), "ibm037");
    assert!(verdict.confidence < 0.9, "{}", verdict.confidence);
    let texts: Vec<_> = verdict.texts().map(|text| text[0].answer.name()).collect();
    assert!(texts.contains(&"ibm500"), "{texts:?}");
}

#[test]
fn text_without_ebcdic_spaces_is_not_ebcdic() {
    // Words of capitals in that page.
    for text in ["студент", "лекция студент билет\n", "СПИСОК СЛОВ"]
    {
        for codec in ["koi8-r", "windows-1251", "ibm866", "iso-8859-5"] {
            assert_ne!(
                verdict(&encoded(text, codec)).reason,
                DetectionReason::Ebcdic,
                "{text} in {codec}"
            );
        }
    }
    // 40 is a trail byte in these sets.
    for codec in ["big5", "shift_jis"] {
        let text = encoded("一ァ一ァ一ァ一ァ一ァ一ァ", codec);
        assert_ne!(verdict(&text).reason, DetectionReason::Ebcdic, "{codec}");
    }
}

/// Hebrew in EBCDIC: "כיבי המע" and "ילוי אוט".
#[test]
fn a_few_bytes_that_are_ascii_and_words_in_ebcdic_are_in_doubt() {
    for text in ["SQBQ@EVb", "QTFQ@AFI"] {
        let verdict = verdict(text.as_bytes());
        assert_eq!(verdict.answer.name(), "us-ascii");
        assert!((0.8..0.95).contains(&verdict.confidence), "{text}: {}", verdict.confidence);
        assert_eq!(verdict.candidates[1].answer.name(), "ibm424", "{text}");
    }
    for text in ["SQBQ@EVb\n", "SQBQ EVb", "me@host", "A@B", "ADMIN@HOST", "50%@100", "the quick"] {
        let verdict = verdict(text.as_bytes());
        assert_eq!((verdict.answer.name(), verdict.confidence), ("us-ascii", 1.0), "{text}");
    }
}

#[test]
fn ascii_without_spaces_is_not_ebcdic() {
    let art = "@".repeat(80);
    for text in ["@EXECUTABLE@", "@cFhdF", "METADATA_%dr", &art, "SQBQ@EVb\n"] {
        let verdict = verdict(text.as_bytes());
        assert_eq!((verdict.answer.name(), verdict.confidence), ("us-ascii", 1.0), "{text}");
    }
}

#[test]
fn a_few_characters_in_utf16_are_not_binary() {
    for text in ["你好，世界", "世界", "東京都の天気", "日本語", "확인하십시오", "설정", "文件"]
    {
        for (little, codec) in [(true, "utf-16le"), (false, "utf-16be")] {
            let verdict = verdict(&units(little, text, &[]));
            assert!(
                verdict.answer.name() == codec || verdict.confidence < 0.95,
                "{text}: {verdict:?}"
            );
            assert_ne!(verdict.answer.name(), "binary", "{text}");
        }
    }
    // Each high byte of Hindi is a tab.
    for (little, codec) in [(true, "utf-16le"), (false, "utf-16be")] {
        assert_eq!(name(&units(little, "नमस्ते", &[])), codec);
    }
    for table in [
        "1\t0\t1\t1\t0\t",
        "\t-\t.\t\n",
        "\ta\t\n\tb\t\n",
        "\tA\tB\tC\t\n",
        &"\t1\t\n".repeat(5),
        &"\t-\t\n".repeat(50),
        "1\t2\t3\t4\t\r\t",
        "-\t+\t-\t+\t",
    ] {
        assert_eq!(name(table.as_bytes()), "us-ascii", "{table:?}");
    }
    // Few controls are little evidence.
    for (bytes, least) in
        [(&b"\x01\x02\x03\xFE\x90\x80\x7F\x05"[..], 0.8), (&[1, 2, 0xFE, 5].repeat(64), 0.99)]
    {
        let verdict = verdict(bytes);
        assert_eq!(verdict.answer.name(), "binary");
        assert!(verdict.confidence >= least && (least > 0.9 || verdict.confidence < 0.95));
    }
}

#[test]
fn nul_keeps_utf8_and_makes_ascii_doubtful() {
    let utf8 = verdict("déjà vu\0".as_bytes());
    assert_eq!((utf8.answer.name(), utf8.confidence), ("utf-8", 1.0));
    let nuls = verdict(&[&ENGLISH.repeat(90).into_bytes()[..], b"\0"].concat());
    assert_eq!((nuls.answer.name(), nuls.reason), ("binary", DetectionReason::Controls));
    assert!(nuls.confidence <= 0.9);
}

#[test]
fn terminal_and_printer_sequences_are_ascii() {
    for text in [
        "\x1B[1;31merror\x1B[0m: no such file\r\n",
        "\x1B(B\x1B[m\x1B[2J",
        "N\x08NA\x08AM\x08ME\x08E\n\x0C\n_\x08a_\x08b\n",
        "bell\x07 and \x0B tab\x1A",
    ] {
        assert_eq!(name(text.as_bytes()), "us-ascii", "{text:?}");
        assert_eq!(name(text.repeat(9000).as_bytes()), "us-ascii", "{text:?}");
    }
}
