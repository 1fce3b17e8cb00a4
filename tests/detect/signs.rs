//! Signs that are letters in other legacy encodings: marks and controls.

use super::legacy::{assert_no_wrong_certainty, assert_read, is_right, ranked};
use crate::common::sentences::encoded;
use utf8::detect::detect;
use utf8::registry::Encoding;

#[test]
fn an_apostrophe_is_no_letter_however_often_it_stands() {
    let text = "We can’t say it isn’t true, but the committee hasn’t decided.\n\
                It’s Peter’s turn, and I don’t know what he’ll say about it.\n\
                Don’t panic! You’ll find that it’s all there.\n";
    for often in [1, 3, 50] {
        for codec in ["windows-1252", "macintosh"] {
            let best =
                &ranked(&encoded(Encoding::for_label(codec).unwrap(), &text.repeat(often)))[0];
            assert_eq!((best.codec.name, best.language), (codec, "en"), "{often} times");
        }
    }
}

/// Manx and Makonde, which have no model.
#[test]
fn an_apostrophe_within_words_is_no_letter_for_certain() {
    for text in ["v’ayn: v’ayn:\nFoddee da’n\n", "nding’ondo ang’avele\n"] {
        let bytes = encoded(Encoding::for_label("windows-1252").unwrap(), text);
        let best = &ranked(&bytes)[0];
        assert!(best.codec.name == "windows-1252" || best.confidence < 0.8, "{text}: {best:?}");
    }
    let spanish = "Mía, mi tía María había ido allí todavía.";
    let best = &ranked(&encoded(Encoding::for_label("macintosh").unwrap(), spanish))[0];
    assert_eq!((best.codec.name, best.language), ("macintosh", "es"));
}

/// Sentences in Quechua, which has no model: ñ of Western Europe is ņ of the Baltic states.
#[test]
fn a_page_for_few_languages_is_not_certain_for_text_in_others() {
    for (text, is_enough) in [
        ("Wiñay huñunakuy: ñuqanchik ñawpaqman purinchik, huñusqa kañiwata mikunchik.", true),
        ("Llaqtapi huñukuna: huñuq runakuna huñunakunku, wiñay huñuy.", false),
    ] {
        let best = &ranked(&encoded(Encoding::for_label("windows-1252").unwrap(), text))[0];
        let is_right = best.codec.name == "windows-1252" && best.confidence > 0.95;
        assert!(is_right || !is_enough && best.confidence < 0.8, "{text}: {best:?}");
    }
}

/// × of ibm850 is ₧ in ibm437, and … of windows-1252 a control in ISO-8859-1: text has neither, whether the
/// other words are French or Ligurian, which has no model.
#[test]
fn a_single_sign_tells_pages_that_agree_in_all_words() {
    let french = "La pièce mesure 4 × 3 mètres. Les fenêtres donnent sur l'allée, où les élèves \
                  s'étaient arrêtés après la leçon. Elle préfère rester près de la cheminée.";
    let ligurian = "A çitæ a l'é vëgia e a l'à di carroggi streiti. A Zêna gh'é o mâ, o pòrto e a \
                    ciassa, dond'i figgeu zeugan tutto o giorno. Pöi vëgne a seia… E candeie, i \
                    lummi e e stelle s'açendan, e a gente a va a dormî into letto. Doman gh'é \
                    torna o sô, se no ciêuve, e i pescoéi van in mâ co-e ræ.";
    for (codec, text) in [("ibm850", french), ("windows-1252", ligurian)] {
        let best = &ranked(&encoded(Encoding::for_label(codec).unwrap(), text))[0];
        assert!(best.codec.name == codec && best.confidence > 0.6, "{best:?}");
    }
}

/// `°` and `·` of DOS are `ø` and `ú` in windows-1252 and letters of Hebrew in windows-1255: no words.
#[test]
fn signs_between_blanks_are_no_letters() {
    for text in [
        "High: 25 ° · Low: 14 ° · Not interested",
        "Home · News · About the project",
        "Switch to the tab · Group without a name",
    ] {
        for codec in ["ibm850", "ibm437"] {
            assert_read(codec, text);
        }
    }
    // The words à, ó, į and о.
    for (codec, text) in [
        ("windows-1252", "Il va à la gare à midi."),
        ("windows-1252", "Son siete ó ocho días, según él."),
        ("windows-1257", "Mes einame į mišką ir į miestą."),
        ("windows-1251", "Он думает о ней и о том дне."),
    ] {
        assert_read(codec, text);
    }
}

/// µ of windows-1252 is ľ in ISO-8859-2, ³ is ł in windows-1250, and ´ is ī in ISO-8859-10.
#[test]
fn signs_beside_letters_and_digits_are_no_letters() {
    for (codec, text) in [
        ("windows-1252", "Die Größe beträgt 100 µm."),
        ("windows-1252", "10 µF capacitor"),
        ("windows-1252", "after 5 µs of delay"),
        ("ibm850", "10 µF capacitor"),
        ("windows-1252", "Han spiser to æg og fire stykker brød om dagen."),
        ("ibm852", "Ám ha nincs más, akkor is jó lesz így."),
        ("windows-1252", "Raumgröße 60 m³"),
        ("windows-1252", "¼ Liter Öl und ½ Liter für später"),
        ("windows-1252", "We can´t find the file. It´s missing."),
        ("windows-1252", "l´homme et l´enfant"),
        ("ibm850", "Fläche 20 m², Höhe 3 m, Volumen 60 m³"),
        ("ibm850", "Die Wohnung hat 50 m² und liegt in München. Größe über alles."),
    ] {
        assert_read(codec, text);
    }
}

/// ´ for an apostrophe is ī in ISO-8859-10.
#[test]
fn an_accent_for_an_apostrophe_is_no_letter_for_certain() {
    let windows = Encoding::for_label("windows-1252").unwrap();
    for text in ["I don´t know, it´s late and I´m tired.", "Let´s go\nThat´s it", "It´s a test."]
    {
        let found = detect(&encoded(windows, text));
        let is_right = is_right(&encoded(windows, text), windows);
        assert!(is_right || found.confidence < 0.8, "{text}: {found:?}");
    }
}

#[test]
fn an_apostrophe_of_mac_roman_is_no_half_wide_katakana() {
    let text = "the quick brown fox; ".repeat(100) + "Peter’s Trackpad" + &"; and more".repeat(100);
    let best = &ranked(&encoded(Encoding::for_label("macintosh").unwrap(), &text))[0];
    assert_eq!(best.codec.name, "macintosh");
}

#[test]
fn a_sign_alone_is_no_ideograph() {
    for text in ["The layer is at 20 °C, more or less.", "The layer is 5 µm thick at 20 °C"] {
        let best = &ranked(&encoded(Encoding::for_label("windows-1252").unwrap(), text))[0];
        assert_eq!(best.codec.name, "windows-1252", "{text}");
    }
}

/// `°C` of windows-1252 is a syllable in windows-949, and a word that fits no language.
#[test]
fn a_unit_is_no_word() {
    let page = Encoding::for_label("windows-1252").unwrap();
    for text in [
        "The temperature in London will be 23°C tomorrow, and 5°C at night.\n",
        "Set the oven to 180 °C and bake for 25 minutes. Store below 5 °C.\n",
        "5 µm thick, 20 ± 0.5 mm\n",
    ] {
        let found = detect(&encoded(page, text));
        assert!(found.answer.name() == "windows-1252" && found.confidence > 0.85, "{found:?}");
    }
}

/// Quotation marks of GBK are other signs in Big5, and letters in pages. “us” of Shift_JIS is `ügusüh` in ibm850.
#[test]
fn quoted_english_is_in_the_set_that_has_quotation_marks() {
    for text in [
        "The board said “no” to the plan. “We don’t see it,” he said.\n",
        "Let “us” use\n",
        "Drop it “in the right” directory.\n",
        "Let me “think” about it…\n",
    ] {
        for codec in ["gbk", "euc-kr", "shift_jis", "euc-jp"] {
            assert_read(codec, text);
        }
    }
    for text in [
        "früh übt sich",
        "Müller geht früh zur Bühne, kühl und müde",
        "Ügyfél és ügynök",
        "az ügy dühe",
        "ügyel a dühre",
        "az ügy miatt düh fogta el",
    ] {
        assert_read("ibm852", text);
    }
}

/// `…` of Shift_JIS is `üc` in ibm850.
#[test]
fn an_ellipsis_of_shift_jis_is_no_letter() {
    for text in ["Save as…\nOpen…\nQuit\n", "Loading… done\n", "Open file…\nSave as…\nPrint…\nExit"]
    {
        assert_no_wrong_certainty("shift_jis", text);
    }
}

/// ★ of EUC-JP and of Big5 is another sign in GBK.
#[test]
fn signs_of_a_set_alone_are_not_certain() {
    for codec in ["euc-jp", "big5", "gbk", "euc-kr"] {
        for text in ["★★★☆☆ Rating\n", "Press ◎ to start\n"] {
            assert_no_wrong_certainty(codec, text);
        }
    }
    let found = detect(&encoded(Encoding::for_label("euc-jp").unwrap(), "「Title」、「Name」\n"));
    assert!(found.answer.name() == "euc-jp" && found.confidence > 0.9, "{found:?}");
}

/// In UTF-16, digits and a no-break space are Bopomofo and marks of katakana; in pages of DOS, the space is
/// Ā or á.
#[test]
fn no_break_spaces_are_no_letters_for_certain() {
    for text in [
        "1\u{A0}000\u{A0}000\n2\u{A0}000\u{A0}000\n",
        "NOM\u{A0}: DUPONT\nPRENOM\u{A0}: JEAN\n",
        "TOTAL\u{A0}: 25\n",
    ] {
        assert_no_wrong_certainty("windows-1252", text);
    }
    let utf16 =
        encoded(Encoding::for_label("utf-16le").unwrap(), "1\u{A0}000 files, 25\u{A0}% more\n");
    assert_eq!(detect(&utf16).answer.name(), "utf-16le");
}

/// `°C` of Mac OS Roman is an ideographic full stop in Big5.
#[test]
fn a_unit_alone_is_no_mark_of_a_set() {
    for text in ["Oven at 200°C for 10 min\n", "It is 23°C outside, 5°C inside\n", "23°C\n"] {
        assert_no_wrong_certainty("macintosh", text);
    }
}

/// In UTF-16, a quotation mark and a letter are an operator such as ⋩ or a dingbat such as ➍.
#[test]
fn quoted_letters_are_no_symbols() {
    let quoted = ["'ç':'ç' ", "('é','è','à','ù')", "{'ä':'ä','ö':'ö','ü':'ü'}"];
    let doubly = ["\"ß\":\"ß\"", "\"Æ\":\"Æ\",\"æ\":\"æ\",\"Ø\":\"Ø\",", ":\"ü\",\"Ý\""];
    for (codecs, texts) in
        [(&["iso-8859-1", "macintosh", "ibm850"][..], quoted), (&["iso-8859-1", "ibm850"], doubly)]
    {
        for (codec, text) in codecs.iter().flat_map(|codec| texts.map(|text| (codec, text))) {
            let answer = detect(&encoded(Encoding::for_label(codec).unwrap(), text)).answer;
            assert!(!answer.name().starts_with("utf"), "{text}: {answer:?}");
        }
    }
    for text in
        ["∀x∈A: ∃y≥x", "He said: 2 × 3 ≠ 7 → no.", "⠓⠑⠇⠇⠕ ⠺⠕⠗⠇⠙", "★★★☆☆ ★★★★★", "→ ⇒ ⇐ ←", "☀☁☂☃"]
    {
        for codec in ["utf-16le", "utf-16be"] {
            let answer = detect(&encoded(Encoding::for_label(codec).unwrap(), text)).answer;
            assert_eq!(answer.name(), codec, "{text}");
        }
    }
}

#[test]
fn an_ellipsis_after_a_word_is_no_letter() {
    let codec = Encoding::for_label("windows-1252").unwrap();
    for text in [
        "Save As…\nOpen…\nClose\nPrint…\n",
        "Loading… Please wait… Save as… Open file\n",
        "Analisa Prestasi… Permintaan Baru, simpan sebagai… buka fail…\n",
    ] {
        assert!(is_right(&encoded(codec, text), codec), "{text}");
        assert!(is_right(&encoded(codec, text).repeat(20), codec), "{text}");
    }
}

/// Capitals of Vietnamese are C0 controls in VISCII and in TCVN 5712. The bytes are those of iconv.
#[test]
fn capitals_in_place_of_controls_are_text() {
    for (name, bytes) in [
        ("viscii", &b"K\x19 THU\x87T M\x06U, T\x14 L\x8E D\xC2N S\x8F, K\x14 NI\x8EM NG\xC0Y \xD0\x93C L\x87P"[..]),
        ("tcvn", b"K\x15 THU\x86T M\xC3U, T\x14 L\x8C D\xA2N S\xFF, K\x14 NI\x8CM NG\x80Y \xA7\x97C L\x86P"),
    ] {
        assert_eq!(detect(bytes).answer.name(), name);
        let verdict = detect(&bytes.repeat(50));
        assert_eq!(verdict.answer.name(), name);
        // Another control, or NUL, is no letter.
        for control in *b"\x0F\0" {
            let data = [bytes, &[control; 5]].concat();
            assert_eq!(detect(&data).answer.name(), "binary", "{name} {control:X}");
        }
    }
    assert_eq!(detect(b"\x02\x14\x19\xE1\x05\xC0\xFF\x93\x06\x02\x02\x14").answer.name(), "binary");
}

/// Equal bytes without a blank are letters in EBCDIC.
#[test]
fn a_rule_of_equal_bytes_is_no_text() {
    for bytes in [vec![0xC4; 64], b"\xE9\xE8".repeat(20)] {
        assert!(detect(&bytes).confidence < 0.8);
    }
}

#[test]
fn marks_alone_are_no_hebrew() {
    let codec = Encoding::for_label("macintosh").unwrap();
    for text in [
        "Microsoft® Windows™ and Office® are trademarks\n",
        "“Adobe® Reader™” isn’t here, it’s there.\n“Quoted text” and ‘single’\n",
    ] {
        let best = &ranked(&encoded(codec, text))[0];
        let hebrew = ["windows-1255", "iso-8859-8", "ibm862"];
        assert!(!hebrew.contains(&best.codec.name), "{text} {best:?}");
    }
}

/// `x²` of DOS is `xı` in windows-1254, and of KOI8-R `xť` in windows-1250.
#[test]
fn a_sign_behind_each_letter_is_no_letter_for_certain() {
    for text in ["x² + y² = z²\n", "a² b² c²"] {
        for codec in ["ibm437", "ibm850", "koi8-r"] {
            assert_no_wrong_certainty(codec, text);
        }
    }
    assert_no_wrong_certainty("ibm850", "a² + b³ = c²");
    for text in ["Tutti i dì dico sì", "El té que sé hacer", "Il a dé, né.", "Ele só tem dó."]
    {
        let page = Encoding::for_label("windows-1252").unwrap();
        let found = detect(&encoded(page, text));
        assert!(is_right(&encoded(page, text), page) && found.confidence >= 0.8, "{found:?}");
    }
}

/// Õ and Č of the Baltic pages are ’ and » in Mac OS Roman.
#[test]
fn marks_before_small_letters_are_no_marks_for_certain() {
    for codec in ["windows-1257", "iso-8859-13"] {
        assert_no_wrong_certainty(codec, "\"Õunapuu\",\"Čiurlionis\"\n");
    }
    assert_read("windows-1252", "’Tis the season, ’twas the night, it’s late.");
}
