//! Damage in text of UTF-8: its kinds, its places, and what tells it from a legacy encoding.

use super::detector::{SENTENCES, all, evidence, name};
use crate::common::detect::{encoded, in_pieces};
use crate::common::hex;
use crate::properties::detect::{ALL, told};
use utf8::detect::{DamageKind, detect};
use utf8::kernel::best;

#[test]
fn every_near_miss_has_its_name_its_number_and_its_place() {
    let cases: [(&[u8], DamageKind, u64, u64); 14] = [
        // U+1F600 as two surrogates of three bytes, twice.
        (b"ok \xED\xA0\xBD\xED\xB8\x80 \xED\xA0\xBD\xED\xB8\x80", DamageKind::SurrogatePairs, 2, 3),
        (b"a\xC0\x80b\xC0\x80c\xC0\x80 \xC3\xA9", DamageKind::OverlongNuls, 3, 1),
        (b"\xC3\xA9 \xED\xA0\xBD \xED\xB8\x80", DamageKind::LoneSurrogates, 2, 3),
        (b"ab\xF8\x88\x80\x80\x80 \xFC\x84\x80\x80\x80\x80", DamageKind::AboveUnicode, 2, 2),
        (b"\xF4\x90\x80\x80", DamageKind::AboveUnicode, 1, 0),
        (b"\xC3\xA9 and \xE0\x80\xAF", DamageKind::Overlong, 1, 7),
        (b"\xC3\xA9t\xC3\xA9 \xE2\x82", DamageKind::CutAtEnd, 1, 6),
        (b"\xC3\xA9\n\xF0\x9F\x98\na \xE2\x82\r\nb", DamageKind::CutAtLineEnd, 2, 3),
        // A lead byte alone is cut where a letter of a code page is unlikely.
        (b"na\xC3\xAFve caf\xC3\nd\xC3\xA9j\xC3\xA0 vu\n", DamageKind::CutAtLineEnd, 1, 10),
        (b"na\xC3\xAFve caf\xE9\nd\xC3\xA9j\xC3\xA0 vu\n", DamageKind::Stray, 1, 10),
        (b"caf\xC3\xA9, d\xC3\xA9j\xC3\xA0, \xE9t\xE9", DamageKind::Stray, 2, 15),
        (b"un caf\xC3\xA9 \x93bon\x94", DamageKind::Stray, 2, 9),
        // The rest of a character that the start truncates, and bytes that are none.
        (b"\x82\xAC, c\xC3\xB4t\xC3\xA9, d\xC3\xA9j\xC3\xA0", DamageKind::CutAtStart, 2, 0),
        (b"\x93bon\x94, c\xC3\xB4t\xC3\xA9, d\xC3\xA9j\xC3\xA0", DamageKind::Stray, 2, 0),
    ];
    for (bytes, damage, number, first) in cases {
        let verdict = all(bytes);
        assert_eq!(verdict.answer.name(), "damaged-utf-8", "{}", hex(bytes));
        let [found] = verdict.evidence.damages[..] else { panic!("{:?}", verdict.evidence) };
        assert_eq!((found.kind, found.count, found.first), (damage, number, first));
    }
}

/// Attacks on decoders that do not refuse overlong forms (RFC 3629, section 10).
#[test]
fn overlong_forms_in_paths_are_damage() {
    let log = b"GET /index.html HTTP/1.0\n".repeat(20);
    for line in [
        &b"GET /scripts/..\xC0\xAF..\xC0\xAFwinnt/system32/cmd.exe\n"[..],
        b"GET /\xC0\xAE\xC0\xAE/\xC0\xAE\xC0\xAE/etc/passwd\n",
        b"GET /\xC0\xAE\xC0\xAE\xC0\xAF\xC0\xAE\xC0\xAE\xC0\xAFetc/passwd\n",
        b"GET /scripts/..\xC1\x9C..\xC1\x9Cwinnt\n",
        b"path=..\xE0\x80\xAF..\xE0\x80\xAFetc\n",
        b"GET /..\xF0\x80\x80\xAF..\xF8\x80\x80\x80\xAFetc\n",
        b"q=\xC0\xBCscript\xC0\xBEalert(1)\xC0\xBC/script\xC0\xBE\n",
        b"\xC0\xAE\xC0\xAE/etc",
        b"caf\xC3\xA9 ..\xC0\xAF../etc\n",
    ] {
        for text in [line.to_vec(), [&log[..], line, &log].concat(), line.repeat(400)] {
            let verdict = all(&text);
            assert_eq!(verdict.answer.name(), "damaged-utf-8", "{}", hex(line));
            assert_eq!(verdict.evidence.damages[0].kind, DamageKind::Overlong, "{}", hex(line));
            assert_eq!(verdict.evidence.damages.len(), 1);
        }
        let single: Vec<usize> = (0..line.len()).collect();
        assert_eq!(told(&in_pieces(best(), line, &single, ALL)), told(&all(line)), "{}", hex(line));
    }
}

/// Characters of two bytes that would be overlong forms, in EUC-JP, GBK and EUC-KR.
#[test]
fn characters_of_sets_are_no_overlong_forms() {
    for (text, name) in [
        ("佐々成政は戦国時代から安土桃山時代にかけての武将。", "euc-jp"),
        ("成政", "euc-jp"),
        ("声,成,政,西", "euc-jp"),
        ("<td>声</td>\n<td>西</td>\n", "euc-jp"),
        ("力量来自两个方面。", "gbk"),
        ("PE蜡", "gbk"),
        ("氧化PE蜡,EVA蜡", "gbk"),
        ("成成", "euc-jp"),
        ("/来/两/力量/", "gbk"),
        ("유럽은 유명하다. 은 윙", "euc-kr"),
        ("/유/은/", "euc-kr"),
    ] {
        assert_ne!(detect(&encoded(text, name)).answer.name(), "damaged-utf-8", "{text}");
    }
}

#[test]
fn characters_cut_at_line_ends_have_no_vote_for_a_page() {
    let line = encoded("größer als üblich\n", "windows-1252");
    let utf8 = "größer als üblich €\n".repeat(20);
    let text = [&line.repeat(5), utf8.as_bytes(), &b"cut \xF0\x9F\x98\n".repeat(7)].concat();
    let verdict = all(&text);
    assert_eq!(verdict.evidence.stray_page.map(|page| page.name), Some("windows-1252"));
}

#[test]
fn stray_bytes_of_a_set_are_of_no_page() {
    let japanese = encoded("来週の木曜日に会議を開催いたします\n", "shift_jis").repeat(5);
    let mixed =
        [&japanese[..], "来週の木曜日に会議を開催いたします\n".repeat(5).as_bytes()].concat();
    let verdict = all(&mixed);
    assert_eq!(verdict.answer.name(), "damaged-utf-8");
    assert!(verdict.evidence.stray_page.is_none(), "{:?}", verdict.evidence);
}

#[test]
fn stray_bytes_identify_their_page() {
    let text = SENTENCES[1].repeat(10);
    let stray = encoded(" déjà vu à la télé, où l'été fut très gai ", "windows-1252");
    let mixed = [text.as_bytes(), &stray, text.as_bytes()].concat();
    let evidence = evidence(&mixed);
    assert_eq!(evidence.stray_page.unwrap().name, "windows-1252");
    // The é after a blank and a d.
    assert_eq!(evidence.damages[0].first, text.len() as u64 + 2);
    assert_eq!(evidence.first_issue.unwrap().offset, text.len() as u64 + 2);
}

#[test]
fn a_few_stray_bytes_do_not_make_a_text_of_utf8_legacy() {
    assert_eq!(name(b"na\xC3\xAFve caf\xE9"), "damaged-utf-8");
    assert_eq!(name(b"na\xC3\xAFve \xE0 la carte"), "damaged-utf-8");
    assert_eq!(name(b"\xE2\x80\x9Cquoted\xE2\x80\x9D \x96 twice"), "damaged-utf-8");
    let text = [SENTENCES[3].as_bytes(), b"\xFF", SENTENCES[3].as_bytes(), b"\xC0"].concat();
    assert_eq!(name(&text), "damaged-utf-8");
}

#[test]
fn two_stray_bytes_identify_no_page() {
    for bytes in [&b"\xFF"[..], b"\x80\x81", b"\x80", b"\xE9", b" \xFF\n"] {
        assert_eq!(name(bytes), "unknown", "{}", hex(bytes));
    }
    for bytes in [&b"caf\xE9"[..], b"na\xEFve"] {
        let verdict = detect(bytes);
        assert_eq!(verdict.answer.name(), "windows-1252");
        assert!(verdict.confidence < 0.8, "{verdict:?}");
    }
}

#[test]
fn the_first_fault_of_utf8_is_reported() {
    let fault = evidence(b"plain, then \xE9t\xE9").first_issue.unwrap();
    // The t makes E9 invalid.
    assert_eq!((fault.offset, &fault.bytes[..]), (12, &b"\xE9t"[..]));
    assert_eq!(fault.kind.id(), "truncated-next");
}

/// A letter of a page may stand at the end of a line, too, but hardly one that other characters of the
/// text start with.
#[test]
fn lead_bytes_at_line_ends_are_cut_characters_if_others_start_with_them() {
    let damages = |text: &[u8]| -> Vec<DamageKind> {
        all(text).evidence.damages.iter().map(|found| found.kind).collect()
    };
    let vietnamese = "Tài tạo mật khẩu\nMật kh".as_bytes();
    assert_eq!(
        damages(&[vietnamese, b"\xE1\nTi\xE1\xBA\xBFng\n"].concat()),
        [DamageKind::CutAtLineEnd]
    );
    let chinese = "里面 重要 配置 都\n".as_bytes();
    assert_eq!(damages(&[chinese, b"clich\xE9\nr\xE9sum\xE9\n"].concat()), [DamageKind::Stray]);
    let french = "Où est-ce ? Là, près du café\nUn caf".as_bytes();
    assert_eq!(
        damages(&[french, "\u{E9}".as_bytes(), b"\nUn caf\xE9\nvoil\xE0\n"].concat()),
        [DamageKind::Stray]
    );
}
