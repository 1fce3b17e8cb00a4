//! Repair of double encoding.

use predicates::str::ends_with;

use crate::common::repair::{misread, unsigned};
use std::fs;

use crate::common::bin::{Dir, objects, run};
use crate::common::inputs::Rng;
use crate::common::repair::repaired;
use utf8::policy::Policy;
use utf8::registry::{CODECS, Encoding};
use utf8::repair::{MojibakeOptions, Newlines, NormalizationForm, RepairPlan, StructuralRepairs};

/// A sentence in each of some languages, in the order of their pages.
#[rustfmt::skip]
static SENTENCES: &[&str] = &[
    "Le garçon naïf a mangé des crêpes à Noël, près du château.",
    "Die Bäckerin verkauft süße Brötchen und große Käsekuchen für Österreich.",
    "Mañana por la mañana el niño pequeño comió piñones y plátanos.",
    "A menina não comeu o pão da avó, porque já não há manteiga.",
    "Żółw poszedł wąską ścieżką nad rzekę, gdzie spał źrebak.",
    "Včera večer přišel starý přítel a přinesl čerstvé houby.",
    "Güneş doğarken çocuklar bahçede şarkı söylüyor, kuşlar ötüyor.",
    "Вчера вечером мы долго гуляли по набережной и ели мороженое.",
    "Το καλοκαίρι πηγαίνουμε πάντα στη θάλασσα με τους φίλους μας.",
    "昨日の夜、友達と一緒に映画を見ました。",
];

/// The pages in which text is misread most often.
const PAGES: [&str; 12] = [
    "windows-1252",
    "iso-8859-1",
    "windows-1250",
    "windows-1251",
    "windows-1253",
    "windows-1254",
    "windows-1257",
    "koi8-r",
    "ibm437",
    "ibm850",
    "ibm866",
    "macintosh",
];

/// Misreads a text in a page several times.
fn misread_often(page: &str, text: &str, times: usize) -> Option<String> {
    let page = Encoding::for_label(page).unwrap();
    (0..times).try_fold(text.to_owned(), |text, _| misread(page, &text))
}

fn likely() -> RepairPlan {
    RepairPlan { mojibake: Some(MojibakeOptions::likely()), ..RepairPlan::new(Policy::Replace) }
}

fn named(page: &str) -> RepairPlan {
    let undoing = MojibakeOptions::named(Encoding::for_label(page).unwrap());
    RepairPlan { mojibake: Some(undoing.unwrap()), ..RepairPlan::new(Policy::Replace) }
}

/// Returns the output of a repair of UTF-8.
fn text(plan: &RepairPlan, text: impl AsRef<[u8]>) -> String {
    String::from_utf8(repaired(plan, Encoding::UTF_8, text.as_ref(), &[]).0).unwrap()
}

/// Returns texts with damage of several kinds, and some without.
fn texts(number: usize) -> Vec<String> {
    let mut rng = Rng::new(21);
    let mut text = |_| {
        let mut text = String::new();
        for _ in 0..1 + rng.below(4) {
            let words: Vec<_> = rng.pick(SENTENCES).split(' ').collect();
            let words = &words[rng.below(words.len())..].join(" ");
            let wrong = misread_often(rng.pick(&PAGES), words, rng.below(4));
            text += &wrong.unwrap_or_else(|| words.clone());
            text += rng.pick(&[" ", "\n", "\r\n", "", "…", "\u{A0}"]);
        }
        text
    };
    (0..number).map(&mut text).collect()
}

#[test]
fn double_encoding_of_a_named_page_is_undone() {
    let mut tried = 0;
    for page in PAGES {
        let plan = named(page);
        for (sentence, times) in SENTENCES.iter().flat_map(|text| (1..=3).map(move |n| (text, n))) {
            let Some(wrong) = misread_often(page, sentence, times) else { continue };
            let (out, account, _) = repaired(&plan, Encoding::UTF_8, wrong.as_bytes(), &[]);
            assert_eq!(String::from_utf8(out).unwrap(), *sentence, "{times} times {page}");
            assert!(account.changes > 0 && account.stop.is_none());
            tried += 1;
        }
        assert_eq!(text(&plan, SENTENCES.join("\n")), SENTENCES.join("\n"), "{page}");
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn splits_of_the_input_do_not_matter() {
    let mut rng = Rng::new(22);
    for wrong in texts(60) {
        let mut bytes = wrong.into_bytes();
        if rng.one_in(2) {
            let at = rng.below(bytes.len() + 1);
            bytes.insert(at, 0xFF);
        }
        let structure = StructuralRepairs { shorten: true, join: true };
        let (newlines, form) = (Some(Newlines::Lf), Some(NormalizationForm::Nfd));
        for plan in [
            likely(),
            named("windows-1252"),
            RepairPlan { structure, newlines, normalization: form, ..likely() },
        ] {
            let whole = repaired(&plan, Encoding::UTF_8, &bytes, &[]).0;
            let every: Vec<_> = (0..bytes.len()).collect();
            for cuts in [&[rng.below(bytes.len() + 1)][..], &every] {
                let parts = repaired(&plan, Encoding::UTF_8, &bytes, cuts).0;
                assert_eq!(String::from_utf8(parts), String::from_utf8(whole.clone()));
            }
        }
    }
}

#[test]
fn undoing_is_idempotent() {
    // Undone text is not available as context for the rest.
    let found =
        ["bahÃ§ede, ßß Š²ŠµŃ‡ŠµŃ€Š¾Š¼ Š¼Ń‹", "cafÃ© ßß Š¼Š¾Ń€Š¾Š¶ŠµŠ½Š¾Šµ"].map(str::to_owned);
    for wrong in texts(300).into_iter().chain(found) {
        for plan in PAGES.map(named).into_iter().chain([likely()]) {
            let once = text(&plan, &wrong);
            assert_eq!(text(&plan, &once), once, "{wrong:?} {plan:?}");
        }
    }
}

#[test]
fn undoing_works_in_every_codec() {
    let mut tried = 0;
    for codec in CODECS.iter().filter(|codec| codec.name != "us-ascii") {
        for sentence in SENTENCES {
            for page in ["windows-1252", "windows-1251", "macintosh"] {
                let wrong = misread_often(page, sentence, 1).unwrap_or_default();
                // A page that spells a character with a mark has other text.
                if !wrong.chars().all(|c| codec.can_encode(c.into())) {
                    continue;
                }
                let pair = (unsigned(codec, &wrong), unsigned(codec, sentence));
                let (Some(before), Some(after)) = pair else { continue };
                let every: Vec<_> = (0..before.len()).collect();
                for cuts in [&[][..], &every] {
                    let out = repaired(&named(page), codec, &before, cuts).0;
                    assert_eq!(out, after, "{} {wrong:?}", codec.name);
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn unencodable_originals_are_not_undone() {
    for codec in CODECS.iter().filter(|codec| codec.is_page()) {
        for sentence in SENTENCES {
            let Some(before) = unsigned(codec, sentence) else { continue };
            // UTF-8 that is well-formed in the page, but no text in it.
            for bytes in [before.as_slice(), sentence.as_bytes()] {
                let (out, _, changes) = repaired(&likely(), codec, bytes, &[]);
                let lost = changes.iter().any(|change| change.3.contains(&b'?'));
                assert!(!lost || utf8::validate(codec, bytes).is_err(), "{} {out:?}", codec.name);
            }
        }
    }
    let latin1 = Encoding::for_label("iso-8859-1").unwrap();
    let bytes = |text| unsigned(latin1, text).unwrap();
    let (wrong, right) = (bytes("naÃ¯ve Ð¼Ð¸"), bytes("naïve Ð¼Ð¸"));
    assert_eq!(repaired(&named("windows-1252"), latin1, &wrong, &[]).0, right);
}

#[test]
fn policy_output_is_not_undone() {
    let policy = "fallback=windows-1252".parse().unwrap();
    let plan = RepairPlan { policy, ..named("windows-1252") };
    for (bytes, written) in [
        (&b"\xC3\x83\xA9"[..], "Ã©"),
        (b"\xC3\xC2\xA9", "Ã©"),
        (b"\xC3\x83\xC2\xA9\xC3\x83\xA9", "éÃ©"),
    ] {
        assert_eq!(text(&plan, bytes), written);
    }
}

#[test]
fn replacement_characters_of_the_policy_stand_for_a_lost_byte() {
    let quoted = b"\xC3\xA2\xE2\x82\xAC\xC5\x93quoted\xC3\xA2\xE2\x82\xAC";
    for (ill_formed, rest) in [(&b"\xFF"[..], ""), (b"\xE2\x80", ""), (b"\xC0\x80", "\u{FFFD}")] {
        let (out, summary, changes) =
            repaired(&likely(), Encoding::UTF_8, &[&quoted[..], ill_formed].concat(), &[]);
        assert_eq!(String::from_utf8(out), Ok(format!("“quoted”{rest}")));
        assert_eq!((summary.treated, changes.len()), (ill_formed.len() as u64, 2));
        assert_eq!(changes[1].4, "undo-mojibake,on-error");
    }
    // All replacement characters of a sequence are one change, wherever the text is cut.
    let changes = repaired(&likely(), Encoding::UTF_8, b"a\xC0\x80b \xC3\x83\xC2\xA9", &[]).2;
    assert_eq!(changes.len(), 2);
    assert_eq!(changes[0].3, "\u{FFFD}\u{FFFD}".as_bytes());
}

#[test]
fn a_second_run_changes_nothing_whatever_is_ill_formed() {
    let mut rng = Rng::new(23);
    let spaced: Vec<_> = texts(400).iter().map(|text| text.replace(' ', "\u{FFFD}")).collect();
    let plans: Vec<_> = PAGES.map(named).into_iter().chain([likely()]).collect();
    for wrong in texts(400).into_iter().chain(spaced) {
        let mut bytes = wrong.into_bytes();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() + 1);
            let ill_formed = rng.pick(&[&b"\xFF"[..], b"\x9D", b"\xE2\x80", b"\xC0\x80", b"\xC3"]);
            bytes.splice(at..at, ill_formed.iter().copied());
        }
        for plan in &plans {
            let once = text(plan, &bytes);
            assert_eq!(text(plan, &once), once, "{bytes:02X?} {plan:?}");
        }
    }
}

#[test]
fn output_of_earlier_stages_is_undone() {
    let structure = StructuralRepairs { shorten: true, join: true };
    let plan = RepairPlan { structure, ..named("windows-1252") };
    // Ã in three bytes, © in two; a surrogate pair for 😀, misread in Windows-1252.
    let (out, _, changes) = repaired(&plan, Encoding::UTF_8, b"a\xE0\x83\x83\xC2\xA9b", &[]);
    assert_eq!(out, "aéb".as_bytes());
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].4, "shorten-overlong,undo-mojibake");
    assert_eq!((changes[0].0, &changes[0].2[..]), (1, &b"\xE0\x83\x83\xC2\xA9"[..]));
    assert_eq!(text(&plan, b"\xED\xA0\xBD\xED\xB8\x80 \xC3\x83\xC2\xA9"), "😀 é");
    // Undone text is normalized, and its line ends are converted.
    let plan = RepairPlan {
        normalization: Some(NormalizationForm::Nfd),
        newlines: Some(Newlines::CrLf),
        ..likely()
    };
    let (out, _, changes) = repaired(&plan, Encoding::UTF_8, "dÃ©jÃ\u{A0} vu\n".as_bytes(), &[]);
    assert_eq!(String::from_utf8(out).unwrap(), "de\u{301}ja\u{300} vu\r\n");
    let reasons: Vec<_> = changes.iter().map(|change| change.4.as_str()).collect();
    assert_eq!(reasons, ["undo-mojibake,normalize", "undo-mojibake,normalize", "newlines"]);
}

/// Returns the text of a column, with its `\u{...}` replaced.
fn unescaped(column: &str) -> String {
    let mut parts = column.split("\\u{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        text.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
        text += rest;
    }
    text
}

#[test]
fn published_cases_of_ftfy() {
    let (mut done, mut left, mut stay) = (0, 0, 0);
    let cases = include_str!("../corpus/ftfy.tsv").lines().filter(|line| !line.starts_with('#'));
    for case in cases {
        let [what, wrong, right, _] = case.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        let (wrong, right) = (unescaped(wrong), unescaped(right));
        let out = text(&likely(), &wrong);
        // If a row fails here, update it.
        assert_eq!(out == right, !matches!(what, "left" | "beyond"), "{case} {out}");
        match what {
            "undone" | "restored" | "kept" | "meant" => done += 1,
            "left" => left += 1,
            "stays" => stay += usize::from(wrong == right),
            _ => assert_eq!(what, "beyond"),
        }
    }
    assert!(done >= 9 * left && done > 90 && stay > 45, "{done} {left} {stay}");
}

/// Returns standard output and standard error of the binary.
fn told(args: &[&str], input: &str, status: i32) -> (String, String) {
    let out = run(&["repair"]).args(args).write_stdin(input).assert().code(status);
    let [out, err] = [&out.get_output().stdout, &out.get_output().stderr];
    [out, err].map(|text| String::from_utf8(text.clone()).unwrap()).into()
}

#[test]
fn the_command_undoes_mojibake_with_and_without_a_page() {
    for (args, input, output) in [
        (&["--undo-mojibake"][..], "cafÃ© 10 Â£\n", "café 10 £\n"),
        (&["--undo-mojibake"], "PÃƒÂ£o", "Pão"),
        (&["--undo-mojibake"], "S Ã O\n", "S Ã O\n"),
        (&["--undo-mojibake=koi8-r"], "п÷я─п╦п╡п╣я┌ cafÃ©", "Привет cafÃ©"),
        // A no-break space of KOI8-R is 9A, and a space stands for it.
        (&["--undo-mojibake=koi8-r"], "п п╟п╨ п╢п╣п╩п╟?", "Как дела?"),
        (&["--undo-mojibake=cp1251", "--normalize", "nfd"], "Р™", "И\u{306}"),
        (&[], "cafÃ©", "cafÃ©"),
        (&["-f", "windows-1252", "--undo-mojibake=windows-1252"], "e", "e"),
    ] {
        assert_eq!(told(args, input, 0), (output.to_owned(), String::new()), "{args:?}");
    }
}

#[test]
fn unknown_pages_are_usage_errors() {
    for (page, said) in [
        ("utf-8", "utf-8 is not a single-byte code page over ASCII, as windows-1252 is"),
        ("us-ascii", "us-ascii is not a single-byte code page over ASCII"),
        ("ibm037", "ibm037 is not a single-byte code page over ASCII"),
        ("shift_jis", "shift_jis is not a single-byte code page over ASCII"),
        ("windows-1259", "similar names: windows-125"),
    ] {
        let (out, err) = told(&[&format!("--undo-mojibake={page}")], "x", 2);
        assert!(out.is_empty() && err.contains(said), "{err}");
    }
}

#[test]
fn each_change_is_reported() {
    let (_, err) = told(&["--undo-mojibake", "-v"], "a cafÃ©\n", 0);
    assert_eq!(err, "-: byte 5: C3 83 C2 A9 -> C3 A9 [undo-mojibake]\n");
    let (_, err) = told(&["--undo-mojibake", "--stats"], "a cafÃ©\n", 0);
    assert_eq!(err, "-: 10 bytes, 8 after 1 change: 1 undo-mojibake\n");
    let (out, err) = told(&["--undo-mojibake", "--check"], "a cafÃ©\n", 1);
    assert_eq!((out.as_str(), err.as_str()), ("-\n", ""));
    let (out, _) = told(&["--undo-mojibake", "--diff"], "x\na cafÃ©\n", 1);
    assert_eq!(out, "--- -\n+++ -\n@@ -1,2 +1,2 @@\n x\n-a cafÃ©\n+a café\n");
    let (out, err) = told(&["--undo-mojibake", "--format", "json"], "a cafÃ©\n", 0);
    assert_eq!(out, "a café\n");
    let told = objects(err.as_bytes());
    assert_eq!(told[0]["reasons"], serde_json::json!(["undo-mojibake"]));
    assert_eq!(told[1]["by_reason"]["undo-mojibake"], 1);
}

#[test]
fn files_are_undone_in_their_place() {
    let dir = Dir::of(&[("wrong", "cafÃ©\n".as_bytes()), ("right", "S Ã O café\n".as_bytes())]);
    let paths = ["wrong", "right"].map(|name| dir.path(name));
    for said in ["wrong: repaired, 1 double encoding undone\n", ""] {
        run(&["repair", "-i", "--undo-mojibake"])
            .args(&paths)
            .assert()
            .code(0)
            .stdout("")
            .stderr(ends_with(said));
        assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "café\n");
        assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "S Ã O café\n");
    }
}

#[test]
fn skipped_text_is_reported_on_request() {
    let explain = ["--undo-mojibake", "--explain"];
    let kept = "-: kept 4 multi-byte UTF-8 sequences, 0 bytes replaced\n";
    let left = "-: byte 6: \"É…\" would be \"Ʌ\" (windows-1252), but is left: plausible as it stands [meant]\n";
    assert_eq!(told(&explain, "é PEL\u{C9}… é\n", 0).1, format!("{left}{kept}"));
    // The change in the message, in ASCII if the locale is.
    let (_, err) = told(&["--undo-mojibake", "--explain", "-v"], "cafÃ©, but PELÉ…\n", 0);
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 3, "{err}");
    assert!(
        lines[0].ends_with("-> C3 A9 [undo-mojibake]") && lines[1].ends_with("[meant]"),
        "{err}"
    );
    let out = run(&["repair"])
        .args(explain)
        .env("LC_ALL", "C.ISO-8859-1")
        .write_stdin("PELÉ…\n")
        .assert();
    let err = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    assert!(err.is_ascii() && err.contains(r#""\u{00C9}\u{2026}" would be "\u{0245}""#), "{err}");
}

#[test]
fn notes_are_objects_in_a_record() {
    let (_, err) = told(&["--undo-mojibake", "--explain", "--format", "json"], "PELÉ…\n", 0);
    let told = objects(err.as_bytes());
    let note = serde_json::json!({
        "type": "note", "path": "-", "offset": 3, "text": "É…", "page": "windows-1252",
        "spells": "\u{245}", "left": "meant",
    });
    assert_eq!(told[0], note);
    assert_eq!((&told[1]["kept_sequences"], &told[1]["on_error_bytes"]), (&2.into(), &0.into()));
}

#[test]
fn notes_do_not_depend_on_splits() {
    let input = format!("PELÉ… cafÃ©, CAFÉ”\n{}\nCAFÉ® é\n", "Ã©".repeat(20_000));
    let plan = RepairPlan { report_skipped: true, ..likely() };
    let whole = repaired(&plan, Encoding::UTF_8, input.as_bytes(), &[]).2;
    let reasons: Vec<_> = whole.iter().map(|entry| entry.4.as_str()).collect();
    assert_eq!(reasons, ["Meant", "undo-mojibake", "Meant", "TooLong", "Meant"]);
    for size in [100, 4096, 70_000] {
        let cuts: Vec<_> = (1..input.len() / size + 1).map(|at| at * size).collect();
        assert!(repaired(&plan, Encoding::UTF_8, input.as_bytes(), &cuts).2 == whole, "{size}");
    }
}

/// A note quotes the input, never text that was already undone.
#[test]
fn notes_are_about_the_input() {
    let kept = "-: kept no multi-byte UTF-8 sequence, 0 bytes replaced\n";
    for (input, output) in
        [("ein Ãœ und", "ein Ü und"), ("drei Ã© und vier Ã© und", "drei é und vier é und")]
    {
        assert_eq!(
            told(&["--undo-mojibake", "--explain"], input, 0),
            (output.to_owned(), kept.to_owned())
        );
    }
    let page = Encoding::for_label("windows-1252").unwrap();
    let plan = RepairPlan { report_skipped: true, ..likely() };
    let words = ["é ", "Ü ", "É…", " und ", "à", "œ ", "é Ü", "n\n", "è à "];
    let mut rng = Rng::new(17);
    for _ in 0..3000 {
        let input: String = (0..1 + rng.below(8))
            .map(|_| {
                let word = rng.pick(&words);
                match rng.below(3) {
                    0 => word.to_owned(),
                    1 => misread(page, word).unwrap_or_default(),
                    _ => misread(page, word).unwrap_or_default().replace('\u{A0}', " "),
                }
            })
            .collect();
        for (offset, _, text, _, reason) in repaired(&plan, &CODECS[0], input.as_bytes(), &[]).2 {
            if reason == "Meant" || reason == "Ambiguous" {
                let quoted = input.as_bytes()[offset as usize..].starts_with(&text);
                assert!(quoted && !text[0].is_ascii(), "{input:?}: {offset} {text:X?}");
            }
        }
    }
}

#[test]
fn notes_are_bounded_and_do_no_harm() {
    for long in ["Ã©".repeat(20_000), "Ã© ".repeat(100_000)] {
        let (out, err) = told(&["--undo-mojibake", "--explain"], &long, 0);
        assert!(out == long && err.len() < 400, "{}", err.len());
        assert!(
            err.contains(
                "\"... is left: too long to judge: no boundary in 65,536 bytes [too-long]"
            ),
            "{err}"
        );
    }
    // Line ends separate two parts that are too long; replacement characters do not.
    let long = "Ã©".repeat(20_000).into_bytes();
    let bytes = [&long, &b"\xFF\n"[..], &long, b"\xFF\n", "Ã©Ã¨".as_bytes()].concat();
    let (out, _, entries) =
        repaired(&RepairPlan { report_skipped: true, ..likely() }, Encoding::UTF_8, &bytes, &[]);
    let reasons: Vec<_> = entries.iter().map(|entry| entry.4.as_str()).collect();
    assert_eq!(reasons, ["TooLong", "on-error", "TooLong", "on-error", "undo-mojibake"]);
    assert!(out.ends_with("\u{FFFD}\néè".as_bytes()));
    // A C1 control character of Latin-1.
    let (_, err) =
        told(&["--undo-mojibake=iso-8859-1", "--explain"], "\u{C2}\u{85}A\u{C2}\u{9B}x Â\u{85}", 0);
    assert!(!err.contains(['\u{85}', '\u{9B}']), "{err}");
}

#[test]
fn the_policy_is_summed_up() {
    let input = b"caf\xC3\xA9 and caf\xE9, 5 \x80, \xE2\x82\xAC\n";
    for (policy, said) in [
        (
            "fallback=windows-1252",
            "kept 2 multi-byte UTF-8 sequences, 2 bytes read as windows-1252",
        ),
        ("ignore", "kept 2 multi-byte UTF-8 sequences, 2 bytes left out"),
        ("replace", "kept 2 multi-byte UTF-8 sequences, 2 bytes replaced"),
    ] {
        let args = ["repair", "--explain", "--on-error", policy];
        run(&args).write_stdin(&input[..]).assert().code(0).stderr(format!("-: {said}\n"));
    }
    let args = ["repair", "--explain", "--diff", "--on-error", "fallback=windows-1252"];
    let said = "-: kept 2 multi-byte UTF-8 sequences, 2 bytes read as windows-1252\n";
    run(&args).write_stdin(&input[..]).assert().code(1).stderr(said);
    let dir = Dir::of(&[("a", "é\n".as_bytes())]);
    let out =
        run(&["repair", "-i", "--explain", "--on-error", "ignore"]).arg(dir.path("a")).assert();
    let err = String::from_utf8(out.code(0).get_output().stderr.clone()).unwrap();
    assert!(err.ends_with("kept 1 multi-byte UTF-8 sequence, 0 bytes left out\n"), "{err}");
    let args = ["repair", "--explain", "-f", "utf-16le"];
    run(&args).write_stdin(b"a\0\0\xD8b\0").assert().stderr("-: kept 4 bytes, 2 bytes replaced\n");
}

/// Fixes each doubly encoded line, and nothing else.
const FTFY: &str = "
import sys, ftfy
for line in sys.stdin.buffer.read().decode().split('\\n'):
    sys.stdout.buffer.write((ftfy.fix_encoding(line) + '\\n').encode())
";

#[test]
fn text_that_ftfy_undoes_is_undone() {
    let pages = ["windows-1252", "windows-1251", "macintosh", "ibm437"];
    let pairs = pages.iter().flat_map(|page| {
        SENTENCES.iter().filter_map(move |text| Some((misread_often(page, text, 1)?, *text)))
    });
    let (wrong, right): (Vec<_>, Vec<_>) = pairs.unzip();
    let input = wrong.join("\n");
    let Some(theirs) = crate::common::peer::python(FTFY, input.as_bytes()) else { return };
    let (ours, _) = told(&["--undo-mojibake"], &input, 0);
    let done = theirs.lines().zip(&right).filter(|(theirs, right)| theirs == *right).count();
    assert!(done > 20, "{done}");
    for ((ours, theirs), right) in ours.lines().zip(theirs.lines()).zip(right) {
        assert!(ours == right || theirs != right, "{theirs} {ours}");
    }
}
