//! The ranking of legacy encodings: laws, and recall by language.

use crate::common::sentences::{
    LENGTHS, Piece, encoded, is_right as is_found, legacy_pieces, legacy_texts, pieces, sentences,
    texts, unicode_pieces,
};
use unicode_normalization::UnicodeNormalization;
use utf8::detect::detect;
use utf8::detect::legacy::{LegacyCandidate, LegacySample, codecs, rank, rank_thoroughly};
use utf8::issue::Kind;
use utf8::registry::Encoding;

pub fn decoded(codec: &Encoding, bytes: &[u8]) -> Vec<u32> {
    crate::common::sentences::decoded(codec, bytes).expect("a candidate holds all")
}

/// Returns the first sentence of each language in each of its encodings, unless it is ASCII.
pub fn cases() -> impl Iterator<Item = (&'static str, &'static Encoding, Vec<u8>)> {
    let mut last = "";
    let first = sentences().filter(move |row| std::mem::replace(&mut last, row.0) != row.0);
    let cases = first.flat_map(|(language, text)| {
        let texts = legacy_texts(language, text);
        texts.map(move |(codec, text)| (language, codec, encoded(codec, &text)))
    });
    cases.filter(|(.., bytes)| !bytes.is_ascii())
}

pub(super) fn ranked(bytes: &[u8]) -> Vec<LegacyCandidate> {
    in_pieces(bytes, usize::MAX)
}

fn in_pieces(bytes: &[u8], size: usize) -> Vec<LegacyCandidate> {
    let mut sample = LegacySample::default();
    bytes.chunks(size).for_each(|piece| sample.add(piece));
    rank(sample)
}

pub(super) fn is_right(bytes: &[u8], codec: &Encoding) -> bool {
    let best = ranked(bytes)[0].codec;
    decoded(best, bytes) == decoded(codec, bytes)
}

/// Asserts that a text in a code page is read right.
pub(super) fn assert_read(codec: &str, text: &str) {
    let page = Encoding::for_label(codec).unwrap();
    assert!(is_right(&encoded(page, text), page), "{codec} {text}");
}

/// Asserts that a text in a code page is read right, or doubtful.
pub(super) fn assert_no_wrong_certainty(codec: &str, text: &str) {
    let found = detect(&encoded(Encoding::for_label(codec).unwrap(), text));
    assert!(found.confidence < 0.8 || found.answer.name() == codec, "{text} {found:?}");
}

/// Returns reproducible random bytes.
pub fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Returns long texts of several kinds, with much ASCII.
fn long() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = ["koi8-r", "shift_jis", "gbk", "iso-8859-2", "windows-1255"]
        .into_iter()
        .map(|name| {
            let sentences: Vec<u8> = cases()
                .filter(|(_, codec, _)| codec.name == name)
                .flat_map(|(.., bytes)| [bytes, b"\n<p>".to_vec()].concat())
                .collect();
            [sentences.repeat(150), b" nothing but ASCII".repeat(300), sentences].concat()
        })
        .collect();
    texts.push(noise(50_000, 1));
    texts
}

/// Returns the detected share of the pieces, in thousandths.
fn found(pieces: &[Piece]) -> usize {
    let found = |piece: &&Piece| is_found(&detect(&piece.bytes), piece.codec, &piece.bytes);
    pieces.iter().filter(found).count() * 1000 / pieces.len()
}

#[test]
fn pieces_of_each_length_are_found_in_every_set() {
    let floors = [940, 980, 990, 995, 995];
    for ((length, number), floor) in LENGTHS.into_iter().zip(floors) {
        let share = found(&legacy_pieces(length, number));
        assert!(share >= floor, "{length} characters: {share} of 1000");
    }
}

/// All sets except iso-8859-16 for Romanian, which differs from the more common windows-1250 in a
/// few letters only.
#[test]
fn long_pieces_are_found_in_each_set() {
    let (length, number) = LENGTHS[3];
    let pieces = legacy_pieces(length, number);
    for codec in codecs() {
        let of_codec: Vec<&Piece> = pieces.iter().filter(|one| one.name == codec.name).collect();
        let right = of_codec.iter().filter(|one| is_found(&detect(&one.bytes), codec, &one.bytes));
        let (right, all) = (right.count(), of_codec.len());
        let floor = if codec.name == "iso-8859-16" { all * 9 / 10 } else { all };
        assert!(all > 0 && right >= floor, "{}: {right} of {all}", codec.name);
    }
}

#[test]
fn pieces_of_each_length_are_found_in_every_form_of_unicode() {
    for (length, number) in LENGTHS {
        let (utf8, others): (Vec<_>, Vec<_>) =
            unicode_pieces(length, number).into_iter().partition(|piece| piece.name == "UTF-8");
        assert_eq!(found(&utf8), 1000, "UTF-8 is always found");
        let share = found(&others);
        assert!(share >= 990, "{length} characters: {share} of 1000");
    }
}

#[test]
fn languages_are_detected() {
    let told = cases().filter(|(language, _, bytes)| ranked(bytes)[0].language == *language);
    let (told, all) = (told.count(), cases().count());
    assert_eq!(told, all);
}

#[test]
fn loan_words_do_not_make_english_another_language() {
    for text in [
        "We met at the café on Monday – it’s the “quiet” one near the harbour, isn’t it?",
        "She ordered a crème brûlée, and I’ve never seen anyone so happy.",
        "Please send your résumé to the personnel office before Friday.",
        "Zoë and Chloë visited the Brontë museum in Yorkshire last week.",
        "A coöperative of voters near Zürich elected Herr Müller.",
        "The price is £45 or €50, and the temperature 20° outside.",
        "© 2001 Example Corp. All rights reserved. Product™ is a trademark.",
    ] {
        let best = &ranked(&encoded(Encoding::for_label("windows-1252").unwrap(), text))[0];
        assert_eq!(best.codec.name, "windows-1252", "{text}");
    }
}

#[test]
fn words_in_english_markup_are_read_in_their_language() {
    let titles = [
        "Árvíz fenyegeti a folyó menti falvakat",
        "Megnyílt a felújított múzeum – képek",
        "Több ezer látogató a könyvfesztiválon",
        "Tűzijáték és fűszeres étel az ünnepi vásáron",
        "Elhunyt a népszerű zeneszerző",
        "Hűvösebb idő érkezik a hétvégén",
        "A miniszterelnök szerint gyűlést tartanak",
        "Csökkent a munkanélküliség az országban",
        "Új híd épül a Tisza fölött",
        "Döntő mérkőzés a vízilabda-bajnokságban",
        "Őszi szünet után új tanév",
    ];
    let item = |title| {
        format!("<item about=\"weather\"><title>{title}</title><link>weather</link></item>\n")
    };
    let text: String = titles.map(item).concat();
    let best = &ranked(&encoded(Encoding::for_label("windows-1250").unwrap(), &text))[0];
    assert_eq!((best.codec.name, best.language), ("windows-1250", "hu"));
}

#[test]
fn letters_of_words_are_no_characters_of_multi_byte_sets() {
    for (text, codec) in [
        ("Sélectionner Désélection", "ibm850"),
        ("ausfüllen Einschließlich", "ibm850"),
        ("bokmärke", "ibm850"),
        ("lymentesítési szolgáltat", "x-mac-ce"),
        ("Prüfung", "ibm437"),
        ("prüfen überall", "ibm850"),
        ("Überprüfung Überhangmenü", "ibm437"),
        ("übermittelnde zurücknehmen", "windows-1252"),
        ("zuverlässige Einzelworteinträgen", "macintosh"),
    ] {
        let codec = Encoding::for_label(codec).unwrap();
        assert!(is_right(&encoded(codec, text), codec), "{text}");
    }
}

/// Sets that are tried where no other fits. The bytes are those of glibc's iconv, and of Python's codec
/// for johab.
#[test]
fn rare_sets_are_found_where_no_other_fits() {
    #[rustfmt::skip]
    let texts = [
        ("euc-tw", "今天天氣很好，我們一起去公園散步。孩子們在湖邊放風箏", &b"\xC4\xF4\xC5\xB2\xC5\xB2\xD6\xB4\xD0\xFE\xC7\xEF\xA1\xA2\xCA\xBC\xD4\xAF\xC4\xA1\xD8\xC4\xC6\xAA\xC4\xFC\xE3\xD0\xDF\xD7\xCA\xE3\xA1\xA4\xD0\xE6\xC4\xCD\xD4\xAF\xC7\xE3\xE0\xB9\xF9\xB1\xCD\xF3\xD3\xF8\xEA\xAE"[..]),
        ("johab", "할아버지께서 여러 해 동안 구석에 서 있던 시계를", &b"\xD0i\xB4a\xA4\xE1\xBB\xA1\x8DA\xAC\xE1 \xB5a\x9C\xE1 \xD0\x81 \x95\xB7\xB4e \x8A\x81\xAC\xE2\xB5A \xAC\xE1 \xB7\xB6\x94\xE5 \xAF\xA1\x89\x81\x9Fi"[..]),
        ("viscii", "Hôm nay trời đẹp nên chúng tôi đi dạo quanh hồ", &b"H\xF4m nay tr\xB6i \xF0\xA9p n\xEAn ch\xFAng t\xF4i \xF0i d\xD5o quanh h\xB0"[..]),
        ("tcvn", "Hôm nay trời đẹp nên chúng tôi đi dạo quanh hồ", &b"H\xABm nay tr\xEAi \xAE\xD1p n\xAAn ch\xF3ng t\xABi \xAEi d\xB9o quanh h\xE5"[..]),
    ];
    for (name, text, bytes) in texts {
        let codec = Encoding::for_label(name).unwrap();
        assert_eq!(encoded(codec, text), bytes, "{name}");
        let verdict = detect(bytes);
        assert_eq!((verdict.answer.name(), verdict.confidence >= 0.8), (name, true), "{verdict:?}");
    }
    let all = crate::common::sentences::texts();
    for (name, language) in [("euc-tw", "zh-tw"), ("johab", "ko"), ("viscii", "vi"), ("tcvn", "vi")]
    {
        let codec = Encoding::for_label(name).unwrap();
        for (length, number) in [(24, 4), (200, 2), (4000, 1)] {
            let text: String = all[language].nfc().collect();
            for piece in pieces(&text, length, number) {
                let bytes = encoded(codec, &piece);
                let verdict = detect(&bytes);
                assert!(is_found(&verdict, codec, &bytes), "{name} {length} {piece}: {verdict:?}");
            }
        }
    }
}

/// Characters that the ranges of bytes allow, but the set lacks, rule it out.
#[test]
fn a_pair_without_a_character_rules_a_rare_set_out() {
    let codec = Encoding::for_label("euc-tw").unwrap();
    let (_, text) = sentences().find(|row| row.0 == "zh-tw").unwrap();
    let bytes = [encoded(codec, text), b"\xFD\xFE".to_vec()].concat();
    assert!(utf8::validate(codec, &bytes).is_err());
    assert!(ranked(&bytes).iter().all(|one| one.codec.name != "euc-tw"));
}

/// Such lists are words of two letters in code pages.
#[test]
fn characters_one_a_line_are_no_words_of_two_letters() {
    for (name, text) in [
        (
            "euc-kr",
            "가나다라마바사아자차카타파하이그저것수를은는에의로도서고한지기시리인어대정부일동전보원주",
        ),
        (
            "euc-jp",
            "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業",
        ),
        (
            "shift_jis",
            "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業",
        ),
        (
            "gbk",
            "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那",
        ),
        (
            "big5",
            "的一是不了人我在有他這為之大來以個中上們到說國和地也子時道出而要於就下得可你年生自會那",
        ),
    ] {
        let codec = Encoding::for_label(name).unwrap();
        let characters: Vec<String> = text.chars().map(String::from).collect();
        for number in [10, 20, characters.len()] {
            let bytes = encoded(codec, &characters[..number].join("\n"));
            assert!(is_right(&bytes, codec), "{name}, {number}: {:?}", ranked(&bytes)[0]);
        }
    }
    let words = "да не ну он ты мы вы на по за до из от об".split(' ').collect::<Vec<_>>();
    let codec = Encoding::for_label("windows-1251").unwrap();
    assert!(is_right(&encoded(codec, &words.join("\n")), codec));
}

/// Letters of these alphabets have one lead byte in the sets of East Asia, and so are ideographs of few
/// leads in Big5.
#[test]
fn greek_and_cyrillic_in_east_asian_sets_are_letters() {
    let texts = [
        "Привет, мир",
        "Лиса прочитала книгу о кодировках и потом уснула.",
        "Лисицата прочете книга",
        "Η αλεπού διαβάζει ένα βιβλίο",
    ];
    for name in ["euc-jp", "gbk", "euc-kr", "shift_jis"] {
        let codec = Encoding::for_label(name).unwrap();
        for text in texts {
            let text: String = text.chars().filter(|&c| codec.can_encode(c.into())).collect();
            let bytes = encoded(codec, &text);
            assert!(is_right(&bytes, codec), "{name} {text}: {:?}", ranked(&bytes)[0]);
        }
    }
}

/// In Turkish, `I` is the capital of `ı`, and `İ` that of `i`.
#[test]
fn turkish_in_capitals_is_turkish() {
    let codec = Encoding::for_label("windows-1254").unwrap();
    for text in [
        "ESKİ TARİHLİ\n",
        "VERİTABANI ZATEN KİLİTLİ.\n",
        "İZİN VERİLMEDİ\n",
        "BİLİNMEYEN DEĞİŞİKLİK\n",
        "SIRALAMA ÖLÇÜTÜ SEÇİLMEDİ\n",
        "ÜNLÜ TÜRK DÜŞÜNÜRÜ\n",
        "SÜRÜCÜ\n",
    ] {
        let bytes = encoded(codec, text);
        assert!(is_right(&bytes, codec), "{text}: {:?}", ranked(&bytes)[0]);
    }
}

/// Greek has no accents in capitals, and no final sigma.
#[test]
fn greek_in_capitals_is_greek() {
    let texts = [
        "ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ - ΔΕΛΤΙΟ ΑΠΟΣΤΟΛΗΣ\n",
        "ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ ΥΠΟΥΡΓΕΙΟ ΠΑΙΔΕΙΑΣ\n",
        "ΜΙΣΘΟΔΟΣΙΑ ΠΡΟΣΩΠΙΚΟΥ\nΑΠΟΔΟΧΕΣ ΚΡΑΤΗΣΕΙΣ ΠΛΗΡΩΤΕΟ\n",
        "ΑΘΗΝΑ;ΕΛΛΑΔΑ\nΓΙΩΡΓΟΣ;ΠΑΤΡΑ\n",
        "ΔΕΝ ΕΠΙΤΡΕΠΕΤΑΙ ΝΑ\n",
        "ΠΛΗΚΤΡΟΛΟΓΙΟ\n",
    ];
    for name in ["windows-1253", "iso-8859-7", "ibm737", "ibm869"] {
        let codec = Encoding::for_label(name).unwrap();
        for text in texts {
            let bytes = encoded(codec, text);
            assert!(is_right(&bytes, codec), "{name} {text}: {:?}", ranked(&bytes)[0]);
        }
    }
}

#[test]
fn visual_hebrew_is_hebrew() {
    let codec = Encoding::for_label("iso-8859-8").unwrap();
    let (_, text) = sentences().find(|row| row.0 == "he").unwrap();
    let visual: String = text.chars().rev().collect();
    let best = &ranked(&encoded(codec, &visual))[0];
    assert_eq!(best.language, "he-visual");
}

#[test]
fn vietnamese_is_in_its_page_with_its_tones_apart() {
    let codec = Encoding::for_label("windows-1258").unwrap();
    let text = "Hôm nay trời đe\u{323}p nên chúng tôi đi da\u{323}o quanh hô\u{300}. Buô\u{309}i tô\u{301}i ca\u{309} nha\u{300} ăn cơm.";
    let text = text.replace('ờ', "ơ\u{300}");
    let best = &ranked(&encoded(codec, &text))[0];
    assert_eq!((best.codec.name, best.language), ("windows-1258", "vi"));
}

/// Pages that are no candidates, and differ from a candidate in marks or in a few letters.
#[test]
fn marks_and_letters_tell_rare_pages_from_the_candidates() {
    let croatian = "Mrežna veza je prekinuta. Želite li pokušati ponovno? Provjerite može li računalo \
        doći do poslužitelja. Bilješke koje ste već spremili neće nestati, ali izmjene učinjene nakon \
        zadnjeg spremanja možda hoće. Ako želite, možete ih sačuvati u običnu datoteku i kasnije učitati. \
        Više o tome piše u priručniku, koji je također moguće pročitati na našim stranicama, gdje ćete \
        pronaći odgovore na najčešća pitanja. Svaki korisnik može odlučiti što želi vidjeti: brojeve, \
        riječi ili čitave rečenice. Završite uređivanje prije nego što isključite uređaj. Spremi kao… \
        Otvori…\n";
    let ukrainian = "Не вдалося відкрити “нотатки”. Спробуйте ще раз або виберіть “Закрити”.\n";
    let romanian = "Această fereastră se închide după ce căutarea găsește rădăcina.\n";
    for (name, text) in
        [("x-mac-croatian", croatian), ("koi8-ru", ukrainian), ("x-mac-romanian", romanian)]
    {
        let codec = Encoding::for_label(name).unwrap();
        let bytes = encoded(codec, text);
        assert!(is_right(&bytes, codec), "{name}: {:?}", ranked(&bytes)[0]);
    }
}

/// In English, a word with letters beyond ASCII is likely a name in another language, with a capital.
#[test]
fn names_in_english_are_read_in_their_languages() {
    let names = [
        ("iso-8859-2", "Petr Štetiar"),
        ("iso-8859-2", "Jakub Žitný"),
        ("iso-8859-2", "Leonas Šimkus"),
        ("iso-8859-2", "Radek Švarz"),
        ("windows-1250", "Marek Łabuz"),
        ("windows-1250", "Zlatan Vasović"),
        ("windows-1252", "Éric Lefèvre"),
        ("windows-1252", "Torbjörn Åkesson"),
    ];
    for (page, name) in names {
        let codec = Encoding::for_label(page).unwrap();
        let text = format!("Copyright 2009-2012 {name} <me@example.org>\nThis is free software.\n");
        let bytes = encoded(codec, &text);
        assert!(is_right(&bytes, codec), "{name}: {:?}", ranked(&bytes)[0]);
    }
}

/// Pages of one language and their neighbours, as Python's codecs write the texts.
#[test]
fn letters_of_one_language_tell_its_page_from_the_neighbours() {
    #[rustfmt::skip]
    let texts = [
        ("kz1048", "Біз бұл туралы ойланып көрдік және шешім қабылдадық", &b"\xC1\xB3\xE7 \xE1\xA2\xEB \xF2\xF3\xF0\xE0\xEB\xFB \xEE\xE9\xEB\xE0\xED\xFB\xEF \xEA\xB4\xF0\xE4\xB3\xEA \xE6\xBC\xED\xE5 \xF8\xE5\xF8\xB3\xEC \x9D\xE0\xE1\xFB\xEB\xE4\xE0\xE4\xFB\x9D"[..]),
        ("pt154", "Біз бұл туралы ойланып көрдік және шешім қабылдадық", &b"\xC1\xB3\xE7 \xE1\xB1\xEB \xF2\xF3\xF0\xE0\xEB\xFB \xEE\xE9\xEB\xE0\xED\xFB\xEF \xEA\xB5\xF0\xE4\xB3\xEA \xE6\xBA\xED\xE5 \xF8\xE5\xF8\xB3\xEC \x9D\xE0\xE1\xFB\xEB\xE4\xE0\xE4\xFB\x9D"[..]),
        ("x-mac-greek", "Το αρχείο δεν βρέθηκε στον φάκελο", &b"\xC6\xEF \xE1\xF2\xF8\xE5\xDD\xEF \xE4\xE5\xEE \xE2\xF2\xDB\xF5\xE8\xEB\xE5 \xF3\xF4\xEF\xEE \xE6\xC0\xEB\xE5\xEC\xEF"[..]),
        ("x-mac-turkish", "Dosya bulunamadı, şifre yanlış", &b"Dosya bulunamad\xDD, \xDFifre yanl\xDD\xDF"[..]),
        ("x-mac-ce", "Příliš žluťoučký kůň úpěl", &b"P\xDE\x92li\xE4 \xEClu\xE9ou\x8Bk\xF9 k\xF3\xCB \x9Cp\x9El"[..]),
        ("koi8-t", "Ҷумҳурии Тоҷикистон", &b"\x8E\xD5\xCD\x8A\xD5\xD2\xC9\xC9 \xF4\xCF\x8D\xC9\xCB\xC9\xD3\xD4\xCF\xCE"[..]),
    ];
    for (name, text, bytes) in texts {
        let verdict = detect(bytes);
        assert_eq!((verdict.answer.name(), verdict.confidence > 0.9), (name, true), "{text}");
    }
}

/// Returns `true` if bytes are well-formed except for a truncated end.
fn is_held(codec: &'static Encoding, bytes: &[u8]) -> bool {
    utf8::issues(codec, bytes).all(|issue| {
        issue.kind == Kind::TruncatedEnd && issue.offset + issue.len as u64 == bytes.len() as u64
    })
}

#[test]
fn a_candidate_holds_all_and_none_is_left_out() {
    assert_eq!(codecs().count(), 62);
    let texts = long().into_iter().chain((0..40).map(|seed| noise(3, seed)));
    let texts = texts.chain(cases().map(|(.., bytes)| bytes));
    for bytes in texts.filter(|bytes| !bytes.is_ascii()) {
        let found: Vec<&str> = ranked(&bytes).iter().map(|one| one.codec.name).collect();
        for codec in codecs() {
            let also = if codec.name == "gbk" { "gb18030" } else { codec.name };
            let found = found.contains(&codec.name) || found.contains(&also);
            assert_eq!(found, is_held(codec, &bytes), "{} {bytes:X?}", codec.name);
        }
    }
}

#[test]
fn splits_of_text_do_not_matter() {
    for bytes in long() {
        let whole = ranked(&bytes);
        for size in [1, 7, 1023, 1025, 30_000] {
            let pieces = in_pieces(&bytes, size);
            assert_eq!(format!("{whole:?}"), format!("{pieces:?}"), "pieces of {size}");
        }
    }
}

/// Returns the names and confidences of the candidates, but not of those that are impossible.
fn possible(ranked: Vec<LegacyCandidate>) -> Vec<(&'static str, f64)> {
    let ranked = ranked.into_iter().map(|one| (one.codec.name, one.confidence));
    ranked.filter(|&(_, confidence)| confidence > 1e-12).collect()
}

/// Returns Russian in three pages with odd cases of letters: at random, in turns, and as in the names of
/// a program.
fn odd_cases() -> Vec<Vec<u8>> {
    let text = &texts()["ru"];
    let written = |text: &str, is_upper: &mut dyn FnMut() -> bool| -> String {
        let case = |c: char| if is_upper() { c.to_uppercase().next().unwrap_or(c) } else { c };
        text.chars().map(case).collect()
    };
    let mut noise = noise(text.len(), 2).into_iter();
    let random = written(text, &mut || noise.next().is_some_and(|byte| byte % 2 == 0));
    let mut turns = [true, false].into_iter().cycle();
    let turns = written(text, &mut || turns.next() == Some(true));
    let mut names = String::new();
    for word in text.split_whitespace() {
        let mut is_first = true;
        let start: String = word.chars().take(3).collect();
        names += &written(&start, &mut || std::mem::take(&mut is_first));
    }
    let in_page = |name: &'static str| {
        let codec = Encoding::for_label(name).unwrap();
        [&random, &turns, &names].map(|text| encoded(codec, text))
    };
    ["koi8-r", "ibm866", "windows-1251"].into_iter().flat_map(in_page).collect()
}

#[test]
fn pages_that_are_taken_for_hopeless_are() {
    let pieces =
        [(80, 4), (400, 2), (4000, 1)].into_iter().flat_map(|(len, n)| legacy_pieces(len, n));
    for bytes in pieces.map(|piece| piece.bytes).chain(long()).chain(odd_cases()) {
        let mut sample = LegacySample::default();
        sample.add(&bytes);
        let [all, found] = [rank_thoroughly(sample.clone()), rank(sample)];
        assert_eq!(all.len(), found.len());
        assert_eq!(possible(found), possible(all));
    }
}

#[test]
fn lines_of_a_log_are_in_their_language_however_many_there_are() {
    for (name, message) in [
        ("gbk", "错误：找不到文件"),
        ("euc-kr", "오류: 파일을 찾을 수 없습니다"),
        ("shift_jis", "エラー：ファイルが見つかりません"),
        ("koi8-r", "Ошибка: файл не найден"),
        ("windows-1250", "Chyba: soubor nebyl nalezen, zkuste to později"),
    ] {
        let codec = Encoding::for_label(name).unwrap();
        for lines in [1, 20, 1000] {
            let line = |at| format!("2024-01-01 12:00:{:02} [main] ERROR {message}\n", at % 60);
            let bytes = encoded(codec, &(0..lines).map(line).collect::<String>());
            assert!(is_right(&bytes, codec), "{name} {lines}");
        }
    }
}

#[test]
fn two_texts_in_one_set_are_in_that_set() {
    let told = |codec: &Encoding, bytes: &[u8], least: f64| {
        let verdict = detect(bytes);
        let found =
            Encoding::for_label(verdict.answer.name()).filter(|_| verdict.confidence >= least);
        found.is_some_and(|found| decoded(found, bytes) == decoded(codec, bytes))
    };
    let mut number = 0;
    for (language, codec, bytes) in cases() {
        let Some(at) = bytes.iter().skip(bytes.len() / 2).position(|&byte| byte == b' ') else {
            continue;
        };
        let (first, second) = bytes.split_at(bytes.len() / 2 + at);
        if told(codec, first, 0.8) && told(codec, second, 0.8) {
            let both = [second, b"\n", first].concat();
            assert!(told(codec, &both, 0.8), "{language} {}", codec.name);
            number += 1;
        }
    }
    assert!(number > 100, "{number}");
}

#[test]
fn codecs_that_read_alike_stand_together_and_the_most_common_is_first() {
    for (text, name) in [
        (&b"He said \x93hello\x94 and left"[..], "windows-1252"),
        (b"one \x96 two", "windows-1252"),
        (b"and so on\x85", "windows-1252"),
        // A tree of files, in pages of DOS for Latin and Cyrillic.
        (b"src\n\xC3\xC4\xC4 main.rs\n\xC0\xC4\xC4 lib.rs\n", "ibm850"),
    ] {
        let found = ranked(text);
        assert_eq!((found[0].codec.name, found[0].language), (name, "en"), "{text:X?}");
        let alike =
            |one: &&LegacyCandidate| decoded(one.codec, text) == decoded(found[0].codec, text);
        let number = found.iter().take_while(alike).count();
        assert!(number > 5 && found.iter().filter(alike).count() == number);
        assert!(found[..number].iter().all(|one| one.confidence == found[0].confidence));
    }
}

#[test]
fn kana_are_in_each_set_that_has_their_row_and_japanese_first() {
    let found = ranked(b"\xA4\xD2\xA4\xE9\xA4\xAC\xA4\xCA");
    assert_eq!((found[0].codec.name, found[0].language), ("euc-jp", "ja"));
    let gbk = found.iter().find(|one| one.codec.name == "gbk").unwrap();
    assert_eq!(gbk.confidence, found[0].confidence);
}

#[test]
fn four_bytes_are_of_gb_18030() {
    let chinese = "今天天气很好，我们一起去公园散步。";
    let told =
        |text: &str| ranked(&encoded(Encoding::for_label("gb18030").unwrap(), text))[0].codec.name;
    assert_eq!(told(chinese), "gbk");
    assert_eq!(told(&format!("{chinese}\u{20021}{chinese}")), "gb18030");
    assert_eq!(told(&format!("{}\u{2E86}", chinese.repeat(2000))), "gb18030");
}

#[test]
fn a_character_that_the_end_cuts_rules_no_set_out() {
    for name in ["shift_jis", "euc-jp", "gbk", "big5", "euc-kr"] {
        let codec = Encoding::for_label(name).unwrap();
        let (.., bytes) = cases().find(|(_, other, _)| other.name == name).unwrap();
        let bytes = bytes.strip_suffix(b".").unwrap_or(&bytes);
        let full = bytes.repeat(100);
        let longer = [&full[..], &bytes[..1]].concat();
        for bytes in [&bytes[..bytes.len() - 1], &full[..full.len() - 1], &longer] {
            assert!(is_held(codec, bytes) && utf8::validate(codec, bytes).is_err(), "{name}");
            assert_eq!(ranked(bytes)[0].codec.name, name);
        }
    }
}

#[test]
fn a_cut_sequence_within_rules_a_set_out() {
    let codec = Encoding::for_label("euc-jp").unwrap();
    let bytes = [&encoded(codec, "今日は")[..5], b" and on"].concat();
    assert!(ranked(&bytes).iter().all(|one| one.codec.name != "euc-jp"));
}
