//! Double encoding of letters that few languages have, and of letters that tell related pages apart.

use crate::common::repair::misread;
use crate::properties::mojibake::undone;
use utf8::mojibake::MojibakeUndoer;
use utf8::registry::Encoding;

/// Text with letters of Africa, with combining marks, and in scripts of few languages.
#[rustfmt::skip]
static RARE: &[&str] = &[
    "Kpɔ alo woa gbugbɔ ɖe hatsotso bubu ɖe go, eye nàdzo.", "Yɛlkpana lʋgir, kʋlim paas ka sɔŋ bɔna.",
    "Zàaɓi ma fātā, ko kun buƙaci wani ɗan ƴaƴan itace.", "Nyɛw cogoya kɔnɔ: ɲɛjira la, an bɛ taa.",
    "Takayɩhayʋʋ nakʋyʋ yem, La taala ma cɩnɛ é!",
    "Siu-kái chit ia̍h ê loē-iông, lūi-pia̍t tio̍h khai-sí.", "Owu môkọt erieen̄ akpọk yi, inin̄ òkup.",
    "Vȯtšimi pǟl um, kȭlbatijiz õigõmt līb.", "Ǩeeʹrjtõõđ sizz", "Tuʹst ij leäkku vuõiggâdvuõtt tän seeid muʹtted.",
    "ߞߐߜߍ ߓߘߊ߫ ߛߌ߲ߘߌ߫ ߣߌ߲߬", "ⵓⵔ ⵉⵎⴽⵏ ⵓⴽⵓⵙ ⵓⵙⴷⴰⵡ", "ᠪᠠᡳᡨᠠᠯᠠᠰᡳ ᡳ ᡤᡝᠪᡠ", "ᐊᔾᔨᒌᙱᓐᓂᖏᑦ ᓂᕈᐊᖅᑕᐅᓂᖏᑦ",
    "ꠟꠦꠈꠣꠔ ꠡꠣꠗ ꠖꠦꠅꠀ", "ꯑꯅꯧꯕ ꯏꯃꯦꯜ ꯑꯦꯗ꯭ꯔꯦꯁ", "ܫܒܘܩ ܨܘܝܒܐ ܒܬܪܟ", "ތިޔަ ލިޔުއްވި ދެ ސިއްރުބަސް", "𐌰𐌽𐌰𐌻𐌰𐌿𐌲𐌽 𐌺𐌿𐌽𐌹",
    "Ɣer aḍris n waccaren", "ԱՄԲՈՂՋ ֊ի համար", "ᲓᲐᲠᲩᲔᲜᲘᲚᲘᲐ ᲐᲛ", "10\u{200A}километров\u{2003}и дальше",
    "ᎠᏓᏅᏖᏗ ᎪᏪᎵ", "ꦱꦸꦒꦼꦁ ꦫꦮꦸꦃ", "ⲁⲩⲣⲉϩ ⲁⲛ ⲡⲁⲓϫⲓⲛⲫⲱⲛϩ",
];

/// Text in windows-1252 whose characters are other letters in ISO-8859-15.
#[rustfmt::skip]
static WESTERN: &[&str] = &[
    "nişán", "Barqarorkunī naşud, peştar", "Kíríş etmegen", "Gişti û şêx", "größer ẞ", "RĪGĀ un", "Última edición",
    "À propos de l'île", "JAUNĀKĀ VERSIJA", "SÌ;NO", "RISPOSTA: SÌ", "است،", "أي رأي آخر،", "ПО П.", "\u{202A}C:\\Users",
    "\u{202B}{}th",
];

/// Text with capitals at the ends of words that are a capital and a mark in windows-1252.
static CAPITALS: &[&str] = &[
    "Z ORGANIZACJĄ NARODÓW",
    "RÓWNIEŻ",
    "KAŽDÁ ÚROVEŇ",
    "NÁZEV SOUBORŮ",
    "PRAWDOPODOBNIE POWRÓCĄ",
];

/// Text in ISO-8859-15 that would have letters in windows-1252 that no language has together, or a capital
/// alone or within a word.
#[rustfmt::skip]
static LATIN9: &[&str] = &[
    "Non è stata inserita alcuna password.", "Prikaži izbrane čase in všečke", "Použité na stránkách, ďalší",
    "Tekur aðeins við síðum sem þegar eru til.", "Leita í navnaøkinum:",
];

/// Text with a symbol or a letter after a space.
#[rustfmt::skip]
static ISOLATED: &[&str] = &[
    "× pixels, file size", "Newer edit →", "← Older revision", "Þessi flokkur", "Þu fenge to wisbec",
    "Títols protegits", "Uñstawi jark'ata", "Tìtulu faddiu",
];

/// Text that may be intended where one of its layers is undone.
#[rustfmt::skip]
static TWICE: &[&str] = &[
    "Bu sayfayı temizle", "Sifabö'ö si fakhai", "« emailuser » funtzioa", "Oʻchirilgan sahifalarni koʻrish",
    "keitimų, keitimas", "Kaŝi etendajn detalojn", "Rilataj paĝoj",
];

/// Text in Esperanto and other languages, of which ibm437 and ibm850 have different letters.
#[rustfmt::skip]
static DOS: &[&str] = &[
    "Rilataj paĝoj", "Kaŝi etendajn detalojn", "Vidi la novajn ŝanĝojn ekde", "Prikaži izmjene", "Ne može se",
    "þessari skrá", "Reveni al la alŝuta formularo.", "Čas je za žabe", "Šimtas žmonių",
];

/// Returns a text after double encoding in a page, and the same undone.
fn misread_and_undone(name: &str, text: &str) -> Option<[String; 2]> {
    let wrong = misread(Encoding::for_label(name).unwrap(), text)?;
    let undone = undone(MojibakeUndoer::likely(), &wrong);
    Some([wrong, undone])
}

/// In a line of ibm437 or ibm850, two related pages can have letters of one script.
#[test]
fn letters_of_few_languages_are_undone() {
    let mut left = 0;
    for text in RARE {
        for name in ["windows-1252", "iso-8859-1", "windows-1251", "koi8-r", "ibm437", "ibm850"] {
            let [wrong, undone] = misread_and_undone(name, text).unwrap();
            let is_left = name.starts_with("ibm") && undone == wrong;
            assert!(is_left || undone == *text, "{name}: {wrong} {undone} {text}");
            left += usize::from(is_left);
        }
    }
    assert!(left <= 2, "{left}");
}

/// ‚Ä is no start of a word.
#[test]
fn marks_alone_are_undone_in_macintosh() {
    for text in ["Click “Save” to continue", "It’s here", "A – B", "and so on…"] {
        let [_, undone] = misread_and_undone("macintosh", text).unwrap();
        assert_eq!(undone, text);
    }
}

#[test]
fn capitals_of_the_alphabet_of_others_are_undone_before_marks() {
    for text in CAPITALS {
        let [_, undone] = misread_and_undone("windows-1252", text).unwrap();
        assert_eq!(undone, *text);
    }
}

#[test]
fn windows_1252_is_more_common_than_iso_8859_15() {
    for text in WESTERN {
        assert_eq!(misread_and_undone("windows-1252", text).unwrap()[1], *text);
    }
}

#[test]
fn letters_that_no_language_has_together_tell_iso_8859_15() {
    for text in LATIN9 {
        assert_eq!(misread_and_undone("iso-8859-15", text).unwrap()[1], *text);
    }
}

/// `áşž` of windows-1250 is Vietnamese in ISO-8859-2.
#[test]
fn capital_sharp_s_is_undone_where_it_is_no_other_letter() {
    for text in ["FUẞBALL", "größer ẞ", "GROẞE STRAẞE"] {
        assert_eq!(misread_and_undone("windows-1252", text).unwrap()[1], text);
    }
    for text in ["TIẾNG", "YẾU"] {
        let [wrong, undone] = misread_and_undone("iso-8859-2", text).unwrap();
        assert!([&wrong, text].contains(&&*undone), "{undone}");
    }
}

/// A guillemet that was misread belongs to one before it that was, too.
#[test]
fn quoted_words_in_capitals_are_undone() {
    for (name, text) in [
        ("windows-1252", "Le groupe «RATP» est publié."),
        ("windows-1252", "«TYPE»"),
        ("windows-1252", "Die »BRD« für"),
        ("windows-1251", "Привет «NATO»"),
        ("windows-1252", "Hǎinán"),
    ] {
        assert_eq!(misread_and_undone(name, text).unwrap()[1], text);
    }
}

/// `Â` ends words of several languages: a no-break space behind it, as French has before these marks, does
/// not tell whether it was misread.
#[test]
fn marks_and_capitals_at_the_end_of_words_in_capitals_are_undone() {
    for text in ["¡OLÉ!", "CAFÉ"] {
        assert_eq!(misread_and_undone("windows-1252", text).unwrap()[1], text);
    }
    for text in [
        "Mariama BÂ\u{A0}: Une si longue lettre",
        "HÂLÂ\u{A0}!",
        "ИВАНОВ\u{A0}!",
        "LATVIJĀ\u{A0}!",
        "AMANHÃ”",
        "IRMÃ\u{A0}!",
    ] {
        assert_eq!(undone(MojibakeUndoer::likely(), text), text);
    }
}

/// In ibm850, `Ìƒ` is a letter of Thaana. Windows-1253 does not map the first byte of `ґ`.
#[test]
fn characters_are_of_the_script_of_their_word() {
    for (wrong, text) in
        [("DuÌƒya", "Du\u{303}ya"), ("Ò‘Π°Π½ΠΎΠΊ", "ґанок"), ("Π”Πµ Ò‘Π°Π½ΠΎΠΊ?", "Де ґанок?")]
    {
        assert_eq!(undone(MojibakeUndoer::likely(), wrong), text);
    }
}

#[test]
fn single_symbols_and_capitals_are_undone() {
    for text in ISOLATED {
        for name in ["windows-1252", "iso-8859-1"] {
            assert_eq!(misread_and_undone(name, text).unwrap()[1], *text, "{name}");
        }
    }
}

/// The page of the first layer is that of the second one, if all of the line is UTF-8 in it.
#[test]
fn a_second_layer_is_undone_in_all_of_a_line() {
    for text in TWICE {
        for name in ["windows-1252", "ibm437"] {
            let once = misread(Encoding::for_label(name).unwrap(), text).unwrap();
            let wrong = misread(Encoding::for_label(name).unwrap(), &once).unwrap();
            assert_eq!(undone(MojibakeUndoer::likely(), &wrong), *text, "{name}");
        }
    }
}

/// The Cyrillic of the first layer is no evidence that the line has text in Cyrillic.
#[test]
fn a_second_layer_of_cyrillic_in_latin_text_is_undone() {
    let page = Encoding::for_label("windows-1251").unwrap();
    for text in
        ["La richiesta è stata annullata.", "Methwyd â chreu'r cyfeiriadur", "Nå'an muna'sesetbi:"]
    {
        let twice = misread(page, &misread(page, text).unwrap()).unwrap();
        assert_eq!(undone(MojibakeUndoer::likely(), &twice), text);
    }
    for text in ["Её", "Ищи её"] {
        let once = misread(page, text).unwrap();
        assert_eq!(undone(MojibakeUndoer::likely(), &once), text);
    }
}

#[test]
fn letters_of_two_related_pages_are_undone_in_the_right_one_or_left() {
    let mut left = 0;
    for text in DOS {
        for name in ["ibm437", "ibm850"] {
            let [wrong, undone] = misread_and_undone(name, text).unwrap();
            assert!(undone == *text || undone == wrong, "{name}: {wrong} {undone}");
            left += usize::from(undone == wrong);
        }
    }
    assert!(left <= 10, "{left}");
}

/// In DOS pages, a letter and the border of its cell are a sequence, as are marks of footnotes in Mac OS
/// Roman, and a sign with the quotation mark behind it.
#[test]
fn cells_and_marks_are_left() {
    for text in [
        "║Spaß║Übung║",
        "║10µ║é║",
        "║а║б║в║г║",
        "│х│о│х│",
        "│м│я│ч│",
        "│р│с│т│у│ф│х│ц│ч│",
        "│À│Á│È│É│Ê│Ë│Ì│Í│Î│Ï│",
        "Maria López‡§¶, Ana Núñez†§",
        "A. Doe‡¶§",
        "Символ «╨» и «╤»",
        "记号‘°’と‘±’",
    ] {
        assert_eq!(undone(MojibakeUndoer::likely(), text), text);
    }
}

/// `Ā»` is `»` that was misread in windows-1257, and the end of a word in Latvian.
#[test]
fn capitals_before_genuine_guillemets_are_kept() {
    const TEXT: &str = "šī ēka ir liela žēl";
    for quoted in ["«LATVIJĀ»", "LATVIJĀ« b"] {
        let wrong = misread(Encoding::for_label("windows-1252").unwrap(), TEXT).unwrap();
        let undone = undone(MojibakeUndoer::likely(), &format!("{wrong} {quoted}"));
        assert_eq!(undone, format!("{TEXT} {quoted}"));
    }
}
