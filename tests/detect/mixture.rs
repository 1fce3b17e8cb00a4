//! Mixtures of UTF-8 and legacy encodings by whole lines, and stray bytes.

use std::ops::RangeInclusive;

use crate::common::detect::{encoded, in_pieces};
use crate::common::sentences::{self, legacy_texts, texts};
use crate::legacy::ranked;
use crate::properties::detect::ALL;
use utf8::detect::{Answer, DetectionReason, detect};
use utf8::kernel::best;
use utf8::registry::Encoding;

/// Cuts a text into lines of some characters.
fn lines(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|line| line.iter().collect::<String>() + "\n").collect()
}

/// Every third line to every tenth is UTF-8. An answer of less than 80 % is used by no command.
#[test]
fn lines_of_utf8_in_legacy_texts_leave_no_certain_answer() {
    let (mut number, mut certain) = (0, 0);
    for (language, text) in texts() {
        for (codec, text) in legacy_texts(language, &text) {
            for each in [3, 5, 10] {
                let line = |(at, line): (usize, &String)| match at % each {
                    1 => line.clone().into_bytes(),
                    _ => sentences::encoded(codec, line),
                };
                let mixed: Vec<u8> = lines(&text, 40).iter().enumerate().flat_map(line).collect();
                let detection = detect(&mixed);
                let is_damaged = detection.answer == Answer::Damaged;
                certain += usize::from(!is_damaged && detection.confidence >= 0.8);
                number += 1;
            }
        }
    }
    // Some languages have few words beyond ASCII.
    assert!(certain * 100 <= number * 3, "{certain} of {number}");
}

/// In lines of two to forty characters.
#[test]
fn legacy_lines_that_are_utf8_by_chance_make_no_mixture() {
    let (mut number, mut mixed) = (0, 0);
    for (language, text) in texts() {
        for (codec, text) in legacy_texts(language, &text) {
            for length in [2, 3, 4, 6, 10, 20, 40] {
                let lines = lines(&text, length);
                for lines in [&lines[..lines.len().min(20)], &lines] {
                    let bytes = sentences::encoded(codec, &lines.concat());
                    let is_mixed = detect(&bytes).answer == Answer::Damaged;
                    number += 1;
                    mixed += usize::from(is_mixed);
                }
            }
        }
    }
    assert!(mixed * 1000 <= number, "{mixed} of {number}");
}

#[test]
fn lines_of_utf8_need_no_characters_of_the_page() {
    let german = "2024 INFO Jürgen größer\n".repeat(5);
    let russian = "2024 INFO сервер остановлен по запросу\n2024 WARN ошибка соединения с базой\n\
                   2024 INFO пользователь вошёл в систему\n2024 INFO повторная попытка\n";
    let japanese = "2024 INFO 設定を読み込みました\n";
    let others = "2024 WARN サーバー接続エラー\n2024 INFO 処理が完了しました\n";
    for (utf8, text, codec) in [
        (&*german, russian.repeat(15), "windows-1251"),
        (&german, russian.repeat(15), "koi8-r"),
        (japanese, others.repeat(2), "shift_jis"),
        (japanese, others.repeat(2), "euc-jp"),
    ] {
        let file = [utf8.as_bytes(), &encoded(&text, codec)].concat();
        for file in [file.clone(), file.repeat(80)] {
            let detection = detect(&file);
            assert_eq!(detection.answer.name(), "damaged-utf-8", "{codec}");
            assert_eq!(detection.reason, DetectionReason::Mixed, "{codec}");
        }
    }
}

/// U+76EE U+5F55 is C4 BF C2 BC in GBK.
#[test]
fn a_word_of_a_set_that_is_utf8_by_chance_makes_no_mixture() {
    let text =
        "服务器已停止\n目录\n连接数据库失败\n用户登录成功\n目录 目录\n文件未找到\n配置已更新\n";
    for number in [1, 20] {
        let detection = detect(&encoded(&text.repeat(number), "gbk"));
        assert_eq!(detection.answer.name(), "gbk");
    }
}

/// Returns the characters of rows of a set, `number` in a line, each line after the bytes of its first
/// character if `hex`.
fn table(
    leads: RangeInclusive<u8>,
    trails: &[RangeInclusive<u8>],
    number: usize,
    hex: bool,
) -> Vec<u8> {
    let cells = |lead| trails.iter().cloned().flatten().map(move |trail| [lead, trail]);
    let characters: Vec<[u8; 2]> = leads.flat_map(cells).collect();
    let line = |line: &[[u8; 2]]| {
        let number =
            if hex { format!("{:02X}{:02X} ", line[0][0], line[0][1]) } else { String::new() };
        [number.as_bytes(), line.as_flattened(), b"\n"].concat()
    };
    characters.chunks(number).flat_map(line).collect()
}

/// Where one character of such a table is UTF-8 by chance, the next ones are. Characters one a line are
/// words of two letters in a code page, and those in the order of a set are likely in another set.
#[test]
fn a_table_of_a_set_is_no_mixture_and_certain_in_no_other_encoding() {
    for (name, leads, trails) in [
        ("gbk", 0xB0..=0xF7, &[0xA1..=0xFE][..]), // GB 2312
        ("gbk", 0x81..=0xFE, &[0x40..=0x7E, 0x80..=0xFE]),
        ("big5", 0xA4..=0xC6, &[0x40..=0x7E, 0xA1..=0xFE]),
        ("shift_jis", 0x89..=0x97, &[0x40..=0x7E, 0x80..=0xFC]),
        ("euc-kr", 0xB0..=0xC8, &[0xA1..=0xFE]),
        ("euc-jp", 0xB0..=0xCF, &[0xA1..=0xFE]),
    ] {
        let (first, last) = (*leads.start(), *leads.end());
        let middle = first + (last - first) / 2;
        let parts = [leads, first..=first, first..=first + 3, middle..=middle + 7, last - 3..=last];
        for (part, number) in parts.iter().flat_map(|part| [1, 16, 32, 94].map(|one| (part, one))) {
            for hex in [false, true] {
                let detection = detect(&table(part.clone(), trails, number, hex));
                let answer = detection.answer.name();
                assert_ne!(answer, "damaged-utf-8", "{name} {part:X?}, {number}");
                assert!(
                    answer == name || detection.confidence < 0.8,
                    "{name} {part:X?}, {number}: {answer} {}",
                    detection.confidence
                );
            }
        }
    }
}

#[test]
fn few_stray_bytes_name_a_page_only_where_they_read_well() {
    let page = |before: &str, stray: &[u8], after: &str| {
        let bytes = [before.as_bytes(), stray, after.as_bytes()].concat();
        let detection = in_pieces(best(), &bytes, &[], ALL);
        assert_eq!(detection.answer.name(), "damaged-utf-8");
        detection.evidence.stray_page.map(|page| page.name)
    };
    let german = "Größe, Maß, Füße und Übung ".repeat(3);
    let russian = "Привет, мир! Это длинный текст, и он в кодировке UTF-8. ".repeat(3);
    let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy. ".repeat(3);
    for stray in
        [&b"caf\xE9 "[..], b"10\xA0km ", b"\x93ja\x94 ", b"l\x92\xE9t\xE9 ", b"\xE0 la carte "]
    {
        assert_eq!(page(&german, stray, &german), Some("windows-1252"), "{stray:X?}");
    }
    for stray in
        [&b"\xFF "[..], b"caf\xFE ", b"caf\xC5 ", b"caf\xD6 ", b"caf\xD9 ", b"\xFF\xFF\xFF\xFF "]
    {
        assert_eq!(page(&german, stray, &german), None, "{stray:X?}");
    }
    for stray in [0xA0, 0xC5, 0xD0, 0xD6, 0xD9, 0xE9, 0xFE, 0xFF] {
        assert_eq!(page(&russian, &[stray], &russian), None, "{stray:X}");
    }
    assert_eq!(page(&russian, b"\xEF\xF0\xE8\xE2\xE5\xF2 ", &russian), Some("windows-1251"));
    // Letters of Czech in iso-8859-2, three of them.
    assert_eq!(page(&czech, b"m\xECsto k\xF9\xF2 ", &czech), None);
}

/// Part of the lines in GBK is UTF-8 by chance.
#[test]
fn stray_lines_of_a_set_have_no_page() {
    let utf8 = "这只狐狸读了一本关于字符编码的书，然后就睡着了。\n".repeat(30);
    let gbk = encoded("今天天气很好，我们一起去公园散步。连接数据库失败\n", "gbk");
    for number in [1, 6] {
        let detection =
            in_pieces(best(), &[utf8.as_bytes(), &gbk.repeat(number)].concat(), &[], ALL);
        assert_eq!(detection.answer.name(), "damaged-utf-8");
        assert!(detection.evidence.stray_page.is_none(), "{:?}", detection.evidence.stray_page);
    }
}

/// A byte that is no part of a text says little about its page. Typographic marks are left out: they
/// tell the page. Without a limit to the cost of such a byte, more than 15 of a thousand change.
#[test]
fn one_stray_byte_leaves_the_page_of_a_text() {
    let (mut all, mut changed) = (0, Vec::new());
    let pages = [
        ("de", "windows-1252"),
        ("fr", "windows-1252"),
        ("es", "windows-1252"),
        ("pl", "windows-1250"),
        ("tr", "windows-1254"),
        ("ru", "windows-1251"),
    ];
    for (language, name) in pages {
        let page = Encoding::for_label(name).unwrap();
        let text: String =
            texts()[language].chars().filter(|one| !"–—„“”’«»…".contains(*one)).collect();
        let text = sentences::encoded(page, &text);
        let blanks: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b' ').collect();
        let middle = blanks[blanks.len() / 2];
        let page = ranked(&text)[0].codec;
        for (byte, before) in
            (0x80..=0xFF).flat_map(|byte| ["", " ", " x"].map(|before| (byte, before)))
        {
            let stray = [before.as_bytes(), &[byte]].concat();
            let bytes = [&text[..middle], &stray, &text[middle..]].concat();
            let found = ranked(&bytes)[0].codec;
            all += 1;
            if found != page {
                changed.push(format!("{language} {before}{byte:02X} {}", found.name));
            }
        }
    }
    assert!(changed.len() * 1000 <= all * 5, "{} of {all}: {changed:#?}", changed.len());
}
