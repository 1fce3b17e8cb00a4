//! `utf8 detect --format long`: the next command, as a shell runs it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Output;

use super::command::{FRENCH, detect, dir, printed};
use crate::common::bin::{Dir, objects, raw, shell_of, utf8};
use crate::common::detect::encoded;
use crate::common::sentences::{legacy_texts, sentences};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::json;

/// Returns the next command that `--format long` suggests for a file.
fn next(dir: &Dir, file: &str) -> String {
    let told = printed(dir, &["--format", "long", "--", file]);
    let row = told.lines().find_map(|line| line.strip_prefix("  next       "));
    row.unwrap_or_else(|| panic!("{told}")).to_owned()
}

/// Runs a suggested command in a shell, with the tested binary as `utf8`.
fn pasted(dir: &Dir, command: &str) -> Output {
    let script = format!("utf8() {{ \"$program\" \"$@\"; }}\nprogram=$1; {command}");
    let mut shell = shell_of(&script, &raw());
    shell.current_dir(dir.path("")).output().unwrap()
}

#[test]
fn the_next_command_works_when_pasted() {
    let dir = dir();
    for (file, text) in [
        ("latin", "Le café crème est très goûté à Orléans, même l'été.\n"),
        ("damaged", "déjà vu, à la télé, café\n"),
        ("cesu", "smile 😀\n"),
        ("utf-16", "ab\n"),
        ("twice", "été à la plage, très gênant\n"),
        ("misread", "Привет, мир! Как дела у вас сегодня?\n"),
        ("controls", "it’s\n"),
    ] {
        let command = next(&dir, file);
        let output = pasted(&dir, &command);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{command}: {told}");
    }
    assert!(pasted(&dir, &next(&dir, "data")).status.success());
    // Ill-formed bytes stay as they are.
    let text = "plain text, but for this: ";
    let units: Vec<u8> = text.bytes().flat_map(|byte| [byte, 0]).collect();
    dir.write("lone", [&units, &b"=\xD8.\0"[..]].concat());
    assert_eq!(
        pasted(&dir, &next(&dir, "lone")).stdout,
        b"plain text, but for this: \xED\xA0\xBD."
    );
}

#[test]
fn mixed_pages_are_reported_with_a_repair_command() {
    let dir = dir();
    let utf8 = "café crème, à la télé\n".as_bytes();
    dir.write("mixed", [FRENCH, FRENCH, utf8, FRENCH, FRENCH].concat());
    let told = printed(&dir, &["--format", "long", "mixed"]);
    assert!(told.contains("5 are UTF-8, the others likely of windows-1252\n"), "{told}");
    let command = next(&dir, "mixed");
    assert_eq!(command, "utf8 repair --fallback windows-1252 mixed");
    let saved = pasted(&dir, &command).stdout;
    let french: String = FRENCH.iter().map(|&byte| char::from(byte)).collect();
    let whole = [french.repeat(2).as_bytes(), utf8, french.repeat(2).as_bytes()].concat();
    assert_eq!(saved, whole);
    let told = detect(&dir, &["--format", "json", "mixed"]).output().unwrap().stdout;
    assert_eq!(objects(&told)[0]["mixed"]["utf8"], json!(5));
}

/// The test for UTF-8 ends before the end of such a file, and counts no damage.
#[test]
fn a_page_with_some_utf8_is_repaired_without_loss() {
    let dir = Dir::new();
    let german = "2024 INFO Jürgen größer\n".repeat(10);
    let french = FRENCH.repeat(60);
    // Сервер остановлен
    let russian = b"\xD1\xE5\xF0\xE2\xE5\xF0 \xEE\xF1\xF2\xE0\xED\xEE\xE2\xEB\xE5\xED\n".repeat(60);
    let french_text: String = french.iter().map(|&byte| char::from(byte)).collect();
    let russian_text = "Сервер остановлен\n".repeat(60);
    for (page, text, decoded) in
        [("windows-1252", &french, &french_text), ("windows-1251", &russian, &russian_text)]
    {
        dir.write("log", [german.as_bytes(), text].concat());
        let command = next(&dir, "log");
        assert_eq!(command, format!("utf8 repair --fallback {page} log"));
        let told = detect(&dir, &["--format", "json", "log"]).output().unwrap().stdout;
        assert_eq!(objects(&told)[0]["command"], json!(command));
        assert_eq!(pasted(&dir, &command).stdout, format!("{german}{decoded}").into_bytes());
    }
}

#[test]
fn damage_that_fits_no_page_is_replaced() {
    let dir = Dir::new();
    dir.write("log", ["Größe, Maß, Füße\n".as_bytes(), b"\xFF\n"].concat());
    assert_eq!(next(&dir, "log"), "utf8 repair --on-error replace log");
    let run = utf8().current_dir(dir.path("")).args(["repair", "-i", "log"]).assert();
    run.stderr(contains("--fallback").not());
}

#[test]
fn double_encoding_in_damaged_text_is_undone_too() {
    let dir = Dir::new();
    let text = "Größe, Maß, Füße; Ã©tÃ© Ã  la plage, trÃ¨s gÃªnant\n".as_bytes();
    dir.write("log", [text, b"caf\xE9\n"].concat());
    let command = next(&dir, "log");
    assert_eq!(command, "utf8 repair --undo-mojibake --fallback windows-1252 log");
    let expected = "Größe, Maß, Füße; été à la plage, très gênant\ncafé\n";
    assert_eq!(pasted(&dir, &command).stdout, expected.as_bytes());
}

/// A repair would make the attack that they hide.
#[test]
fn overlong_forms_are_to_be_seen_first() {
    let dir = Dir::of(&[("access.log", &b"GET /..\xC0\xAF..\xC0\xAFetc/passwd\n"[..])]);
    assert_eq!(next(&dir, "access.log"), "utf8 repair --diff access.log");
}

/// One page would misread the lines of the others.
#[test]
fn lines_in_several_encodings_are_to_be_told_apart() {
    let russian = encoded("Программа не нашла запись в журнале\n", "windows-1251");
    let koi8 = encoded("Программа не нашла запись в журнале\n", "koi8-r");
    let dir = Dir::of(&[("one", &russian.repeat(20)[..]), ("three", &[])]);
    assert_eq!(next(&dir, "one"), "utf8 decode -f windows-1251 one");
    for parts in [[&russian[..], FRENCH, &russian], [&koi8, &russian, FRENCH]] {
        dir.write("three", parts.map(|part| part.repeat(8)).concat());
        assert_eq!(next(&dir, "three"), "utf8 detect --regions three");
    }
}

/// Few lines of a text decide whether it is in several encodings, whatever their order.
#[test]
fn lines_that_alternate_between_encodings_are_to_be_told_apart() {
    let mut texts = BTreeMap::<_, Vec<_>>::new();
    for (language, sentence) in sentences() {
        texts.entry(language).or_default().push(sentence);
    }
    let dir = Dir::new();
    let mut names = Vec::new();
    for (language, sentences) in &texts {
        for (codec, text) in legacy_texts(language, &sentences.join("\n")) {
            let name = format!("{language}-{}", codec.name);
            dir.write(&name, encoded(&format!("{text}\n").repeat(40), codec.name));
            names.push(name);
        }
    }
    assert!(names.len() > 100);
    let out = detect(&dir, &["--format", "json"]).args(&names).output().unwrap();
    for told in objects(&out.stdout) {
        assert!(!told["command"].to_string().contains("--regions"), "{told}");
    }
    for [one, other] in [
        [("ru", "windows-1251"), ("ru", "koi8-r")],
        [("el", "windows-1253"), ("ru", "windows-1251")],
        [("ja", "euc-jp"), ("ja", "shift_jis")],
        [("pl", "windows-1250"), ("tr", "windows-1254")],
        [("fr", "windows-1252"), ("fr", "ibm850")],
        [("ar", "windows-1256"), ("he", "windows-1255")],
    ] {
        let lines = |(language, codec): (&str, &str)| -> Vec<Vec<u8>> {
            let (_, text) = legacy_texts(language, &texts[language].join("\n"))
                .find(|(found, _)| found.name == codec)
                .unwrap();
            text.lines().map(|line| encoded(&format!("{line}\n"), codec)).collect()
        };
        let pairs = lines(one).into_iter().zip(lines(other));
        dir.write(
            "mixed",
            pairs.map(|(one, other)| [one, other].concat()).collect::<Vec<_>>().concat(),
        );
        assert_eq!(next(&dir, "mixed"), "utf8 detect --regions mixed", "{one:?} {other:?}");
    }
}

/// A page that fits a stray byte would turn the rests of cut characters into mojibake.
#[test]
fn no_page_is_suggested_where_more_characters_are_cut() {
    let dir = Dir::new();
    let cut = b"caf\xC3\xA9, th\xC3\xA9 \xE2\x82\nna\xC3\xAFve \xF0\x9F\x98\n".repeat(4);
    dir.write("log", [&cut[..], b"Fran\xE7ois\n"].concat());
    assert_eq!(next(&dir, "log"), "utf8 repair --on-error replace log");
    let out = utf8().current_dir(dir.path("")).args(["repair", "log"]).assert().code(0);
    out.stderr(contains("--fallback").not());
}

#[test]
fn the_next_command_takes_hostile_names() {
    let dir = Dir::new();
    let names: [&[u8]; 10] = [
        b"a b",
        b"it's",
        b"$(touch owned)",
        b"`touch owned`;\"",
        b"-f",
        b"back\\slash",
        b"new\nline",
        b"\x1B[31mred",
        b"\xE2\x80\xAEtxt",
        b"latin \xE9 % 100%d",
    ];
    for raw in names {
        if !dir.try_write(raw, FRENCH) {
            continue;
        }
        let name = OsStr::from_bytes(raw);
        let told = utf8()
            .current_dir(dir.path(""))
            .args(["detect", "--format", "long", "--"])
            .arg(name)
            .output()
            .unwrap();
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(!told.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202E}'), "{told:?}");
        let row = told.lines().find_map(|line| line.strip_prefix("  next       "));
        let output = pasted(&dir, row.unwrap_or_else(|| panic!("{told}")));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("Le café crème"), "{told}\n{:?}", output.stderr);
    }
    assert!(!dir.path("owned").exists());
}

#[test]
fn the_next_command_decodes() {
    let dir = Dir::of(&[("old.txt", b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xca\xe0\xea?\n")]);
    let mut command = utf8();
    command.args(["detect", "--format", "long", "old.txt"]);
    let out = command.current_dir(dir.path("")).assert().code(0);
    out.stdout(contains("utf8 decode -f windows-1251 old.txt\n"));
}
