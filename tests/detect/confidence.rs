//! The confidence in a legacy encoding.

use super::legacy::{cases, decoded, is_right, noise, ranked};
use crate::common::sentences::{LENGTHS, encoded, is_right as is_found, legacy_pieces};
use utf8::detect::detect;
use utf8::registry::Encoding;

/// Shares of the pieces, in thousandths: of the answers given with a confidence, the wrong ones, and of
/// all pieces, the right ones among them.
#[test]
fn confident_answers_are_hardly_ever_wrong() {
    let pieces = LENGTHS.into_iter().flat_map(|(length, number)| legacy_pieces(length, number));
    let answers: Vec<(bool, f64)> = pieces
        .map(|piece| {
            let found = detect(&piece.bytes);
            (is_found(&found, piece.codec, &piece.bytes), found.confidence)
        })
        .collect();
    for (least, most_wrong, least_right) in [(0.8, 10, 850), (0.95, 5, 750)] {
        let given = answers.iter().filter(|(_, confidence)| *confidence >= least);
        let (given, right) =
            given.fold((0, 0), |(given, right), one| (given + 1, right + usize::from(one.0)));
        let wrong = given - right;
        assert!(wrong * 1000 <= given * most_wrong, "{least}: {wrong} wrong of {given}");
        let all = answers.len();
        assert!(right * 1000 >= all * least_right, "{least}: {right} right of {all}");
    }
}

/// Checks that text in a codec is read in it, or with a confidence below `most`.
fn assert_right_or_unlikely(codec: &str, text: &str, most: f64) {
    let codec = Encoding::for_label(codec).unwrap();
    let bytes = encoded(codec, text);
    let best = &ranked(&bytes)[0];
    assert!(is_right(&bytes, codec) || best.confidence < most, "{best:?}");
}

/// The marks of windows-1252 in Friulian words are letters of Latvian in windows-1257.
#[test]
fn words_in_languages_of_other_pages_are_no_certain_evidence() {
    let words = "O ai viodût il cjâf dal paîs, e al à fevelât cun lôr.";
    assert_right_or_unlikely("windows-1252", words, 0.95);
}

/// Each Nahuatl word fits no language, and costs a little less in windows-1252 than with its long vowels.
#[test]
fn many_words_in_a_language_without_a_model_are_no_certain_evidence() {
    let words = "tlahcuilōlli āmatl tōnatiuh mētztli cōātl tōchtli ācatl cuāuhtli ōcēlōtl xōchitl mīchin \
                 tōtōtl chālchihuitl āltepētl nāhuatl tlahtōlli īpan īhuān cihuātl tlācatl tēuctli \
                 yōllōtl tepētl mōchi ōmpa nicān āxcān yōhualli ēhēcatl tlālli";
    assert_right_or_unlikely("windows-1257", words, 0.8);
}

/// In VISCII, Hakka in windows-1252 has other tones of Vietnamese, which fit it better.
#[test]
fn text_that_fits_a_rare_page_badly_is_no_certain_evidence() {
    let words = "Ngì pit-sî he yit-miàng tên-ki yung-fu pin-chhiâ Phiên-siá chông-chiet sî-yeu yî \
                 khok-ngin Yúng-yû thi-tiám khó-nèn kiet-kó khí-thung thûng-tî kiên-kói Yîn-vi \
                 hâ-poi ngì mò-fap";
    assert_right_or_unlikely("windows-1252", words, 0.8);
}

/// The Kikongo word for "page" has a letter that the languages of the tables have not, or hardly. Each
/// further one costs less than the first.
#[test]
fn a_letter_that_returns_is_no_further_evidence_against_a_page() {
    let codec = Encoding::for_label("windows-1252").unwrap();
    let text = "Nsoba yayi me sala mukânda ya yimpa.\nNkûmbu ya mukânda:\nMukânda na bweso";
    assert!(is_right(&encoded(codec, text), codec));
}

#[test]
fn repetition_keeps_the_answer() {
    for (language, codec, bytes) in cases().filter(|(_, codec, bytes)| is_right(bytes, codec)) {
        let twice = [&bytes[..], b"\n", &bytes].concat();
        assert!(is_right(&twice, codec), "{language} {}", codec.name);
        let often = twice.repeat(200);
        assert!(is_right(&often, codec), "{language} {}, often", codec.name);
    }
}

/// Two files with the halves of a sentence, the second half first. Each file must be certain: two
/// doubtful ones could add up to another set.
#[test]
fn repetition_makes_no_answer_certain() {
    for line in [
        "Don’t do that; it isn’t allowed\n",
        "rock ’n’ roll\n",
        "# © 2020 by Foo\n",
        "• second item\n",
        "piñata and jalapeño\n",
        "3 × 4 = 12 and 12 ÷ 4 = 3\n",
    ] {
        let codec = Encoding::for_label("windows-1252").unwrap();
        let bytes = encoded(codec, line).repeat(10);
        let best = &ranked(&bytes)[0];
        let is_right = decoded(best.codec, &bytes) == decoded(codec, &bytes);
        assert!(
            is_right || best.confidence < 0.8,
            "{line} {} {}",
            best.codec.name,
            best.confidence
        );
    }
}

/// A lead byte of UTF-8 at the end of a line may be the start of a cut character; other bytes are not.
#[test]
fn quotation_marks_at_the_ends_of_lines_are_no_cut_characters() {
    let codec = Encoding::for_label("windows-1252").unwrap();
    for line in
        ["Buka “%S”\n", "Ne peut pas ouvrir “%S”\r\n", "The file “{name}” is not in “{path}”\n"]
    {
        let best = &ranked(&encoded(codec, &line.repeat(3)))[0];
        assert!(best.codec.name == "windows-1252" && best.confidence >= 0.95, "{line} {best:?}");
    }
    for (line, is_certain) in [
        (&b"Vi bor vid en sj\xF6\n"[..], true),
        (b"Ouvrir le caf\xC3\n", false),
        (b"Ouvrir le caf\xE9\n", false),
    ] {
        let best = &ranked(&line.repeat(3))[0];
        assert_eq!(best.confidence >= 0.8, is_certain, "{} {best:?}", line.escape_ascii());
    }
}

/// U+2014 without spaces is ó of Mac OS Roman in windows-1252, and the other way round Ñ of ibm775.
#[test]
fn dashes_between_words_are_no_letters() {
    for text in [
        "The result—after many hours of work—was a plain text file, nothing more.",
        "good—better—best",
        "The report—all 300 pages of it—landed on my desk at noon, and nobody had read it.",
    ] {
        for codec in ["windows-1252", "macintosh"] {
            let codec = Encoding::for_label(codec).unwrap();
            assert!(is_right(&encoded(codec, text), codec), "{} {text}", codec.name);
        }
    }
    for text in ["yes—no", "I know—really", "life–or death", "not–yet"] {
        assert_right_or_unlikely("windows-1252", text, 0.89);
    }
    for (codec, text) in
        [("macintosh", "la canción de la mañana"), ("ibm850", "déjà vu à la carte")]
    {
        let codec = Encoding::for_label(codec).unwrap();
        assert!(is_right(&encoded(codec, text), codec), "{text}");
    }
}

/// 80 is € in GBK, and ill-formed in the other sets: all characters of the text are rare in GBK.
#[test]
fn a_bad_byte_makes_no_other_set_certain() {
    for (codec, text) in [
        (
            "euc-kr",
            "모든 사람은 교육을 받을 권리를 가진다. 교육은 최소한 초등 및 기초 단계에서는 무상이어야 한다.",
        ),
        (
            "euc-jp",
            "新しいソフトウェアを導入する前に、必ず設定ファイルの複製を作成してから作業を開始してください。",
        ),
    ] {
        let bytes = encoded(Encoding::for_label(codec).unwrap(), text);
        let bytes = [&b"\x80 "[..], &bytes].concat();
        assert!(ranked(&bytes)[0].confidence < 0.8, "{:?}", ranked(&bytes)[0]);
    }
}

/// The opening mark and the capital are a Cyrillic letter in Shift_JIS, and the closing mark starts a sequence.
#[test]
fn quoted_capitals_are_no_cyrillic_letters() {
    for text in ["Film: „Auf Wiedersehen“", "Ubuntu 5.04 „Hoary Hedgehog”"] {
        let codec = Encoding::for_label("windows-1252").unwrap();
        assert!(is_right(&encoded(codec, text), codec), "{text}");
    }
}

/// Two ideographs in Shift_JIS are four letters in ibm866, and so on.
#[test]
fn a_short_word_is_not_certain_in_a_wrong_encoding() {
    for (name, words) in [
        ("shift_jis", "東京 大阪 京都 仙台 田中 鈴木"),
        ("gbk", "北京 陈静 赵磊 王伟 西安"),
        ("euc-jp", "仙台 佐藤 横浜 札幌 福岡"),
        ("windows-1251", "Омск Иван нет"),
        ("ibm866", "Омск Олег нет"),
    ] {
        let codec = Encoding::for_label(name).unwrap();
        for word in words.split(' ') {
            for text in [word.to_owned(), format!("Name: {word}\n"), format!("1;{word};x\n")] {
                let bytes = encoded(codec, &text);
                let best = &ranked(&bytes)[0];
                let is_right = decoded(best.codec, &bytes) == decoded(codec, &bytes);
                assert!(is_right || best.confidence < 0.8, "{text} in {name}: {best:?}");
            }
        }
    }
}

#[test]
fn confidence_is_a_probability_and_equal_texts_share_it() {
    // Kana, in the same row of three sets, and a truncated one.
    let kana =
        [&b"\xA4\xD2\xA4\xE9\xA4\xAC\xA4\xCA"[..], b"\xA4\xD2\xA4\xE9\xA4"].map(<[u8]>::to_vec);
    for bytes in cases().map(|(.., bytes)| bytes).chain(kana) {
        let found = ranked(&bytes);
        assert!(found.is_sorted_by(|one, next| one.confidence >= next.confidence));
        let mut texts: Vec<(Vec<u32>, f64)> = Vec::new();
        for one in &found {
            assert!((0.0..=1.0).contains(&one.confidence));
            let text = decoded(one.codec, &bytes);
            match texts.iter().find(|(other, _)| *other == text) {
                Some((_, confidence)) => assert_eq!(*confidence, one.confidence),
                None => texts.push((text, one.confidence)),
            }
        }
        assert!(texts.iter().map(|(_, confidence)| confidence).sum::<f64>() < 1.000_001);
    }
}

#[test]
fn ascii_has_no_candidates() {
    assert!(ranked(b"").is_empty());
    assert!(ranked(&b"nothing but ASCII ".repeat(1000)).is_empty());
}

#[test]
fn two_letters_are_doubtful() {
    for bytes in [&b"\xE9\xE8"[..], b"\xE9t", b"\xE9t \xE9t", b"\xC3 \xE9"] {
        let best = &ranked(bytes)[0];
        assert!(best.confidence <= 0.2, "{bytes:X?}: {best:?}");
    }
}

#[test]
fn a_repeated_byte_is_doubtful() {
    for byte in 0x80..=0xFF {
        for number in [1, 2, 8, 1000] {
            let best = &ranked(&vec![byte; number])[0];
            assert!(best.confidence <= 0.2, "{byte:X} {number}: {best:?}");
        }
    }
}

#[test]
fn noise_is_doubtful() {
    for seed in 0..20 {
        let best = &ranked(&noise(400, seed))[0];
        assert!(best.confidence < 0.01, "{best:?}");
    }
}

/// Names of Poland and Latvia in French: more French text makes them no less likely, and neither does
/// another name with the same letter.
#[test]
fn names_in_another_language_stay_certain_in_longer_text() {
    let page = |name| Encoding::for_label(name).unwrap();
    let polish = "Cet été, Wałęsa a été invitée au marché. Le député Michał a préféré se taire. La société \
                  Paweł a annoncé un café. ";
    let french = "L'année passée, il était occupé. Une école fermée, un blé coupé. ";
    for text in
        [polish.to_owned(), format!("{polish}{french}"), format!("{polish}{french}").repeat(9)]
    {
        let best = &ranked(&encoded(page("windows-1250"), &text))[0];
        assert!(best.codec.name == "windows-1250" && best.confidence > 0.95, "{best:?}");
    }
    let latvian = "Cet été, Jānis a été invitée au marché. Le député Tālis a préféré se taire. La société \
                   Jānis a annoncé un café. L'année passée, Jānis était occupé. ";
    let best = &ranked(&encoded(page("windows-1257"), latvian))[0];
    assert!(best.codec.name == "windows-1257", "{best:?}");
}

#[test]
fn a_byte_that_fills_memory_is_no_certain_text() {
    for bytes in [&b"ok\nb\xFF\nc\xFF\n"[..], b"a\xFF\nb\xFF\nc\xFF\nd\xFF\n"] {
        let found = detect(bytes);
        assert!(found.confidence < 0.8, "{found:?}");
    }
}
