//! `utf8 detect`: output and exit statuses.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Output;

use crate::common::bin::{Dir, lines, objects, raw, shell_of, utf8};
use crate::common::detect::encoded;
use crate::common::sentences::{legacy_texts, sentences};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::json;

#[test]
fn an_empty_expectation_is_an_error_of_its_option() {
    let dir = dir();
    for list in ["", "utf-8,"] {
        let run = detect(&dir, &["--expect", list, "ascii"]).assert().code(2);
        run.stderr("utf8: --expect: needs the name of an encoding, as in --expect utf-8\n");
    }
}

#[test]
fn a_byte_order_mark_is_certain() {
    let run = detect(&dir(), &["-v", "utf-16"]).assert().success();
    run.stderr("utf-16: certain: by its signature\n");
}

const FRENCH: &[u8] =
    b"Le caf\xE9 cr\xE8me est tr\xE8s go\xFBt\xE9 \xE0 Orl\xE9ans, m\xEAme l'\xE9t\xE9.\n";
pub(super) const DAMAGED: &[u8] = b"d\xC3\xA9j\xC3\xA0 vu, \xC3\xA0 la t\xE9l\xE9, caf\xC3\xA9\n";

pub(super) fn dir() -> Dir {
    Dir::of(&[
        ("ascii", &b"plain\r\n"[..]),
        ("utf-8", "déjà vu\n".as_bytes()),
        ("latin", FRENCH),
        ("damaged", DAMAGED),
        ("cesu", b"smile \xED\xA0\xBD\xED\xB8\x80\n"),
        ("utf-16", b"\xFF\xFEa\0b\0\n\0"),
        ("twice", "Ã©tÃ© Ã  la plage, trÃ¨s gÃªnant\n".as_bytes()),
        ("misread", "Ïðèâåò, ìèð! Êàê äåëà ó âàñ ñåãîäíÿ?\n".as_bytes()),
        ("data", b"\x7FELF\x02\x01\x01\0\0\0\0\xFF\0\0\0\0"),
        ("controls", "it\u{92}s\n".as_bytes()),
        // 今天天气很好
        ("gbk", b"\xBD\xF1\xCC\xEC\xCC\xEC\xC6\xF8\xBA\xDC\xBA\xC3\n"),
    ])
}

fn detect(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path("")).arg("detect").args(args);
    command
}

pub(super) fn printed(dir: &Dir, args: &[&str]) -> String {
    let output = detect(dir, args).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn one_input_is_one_word() {
    let dir = dir();
    for (file, answer) in [
        ("ascii", "us-ascii\n"),
        ("utf-8", "utf-8\n"),
        ("latin", "windows-1252\n"),
        ("damaged", "damaged-utf-8\n"),
        ("cesu", "damaged-utf-8\n"),
        ("utf-16", "utf-16\n"),
        ("data", "binary\n"),
    ] {
        detect(&dir, &[file]).assert().code(0).stdout(answer).stderr("");
        let bytes = std::fs::read(dir.path(file)).unwrap();
        detect(&dir, &[]).write_stdin(bytes).assert().code(0).stdout(answer);
    }
}

/// Returns the JSON object of an input without its path and command.
fn found(output: Output) -> serde_json::Value {
    let mut found = objects(&output.stdout).remove(0);
    let object = found.as_object_mut().unwrap();
    object.remove("path");
    object.remove("command");
    found
}

#[test]
fn the_source_does_not_change_what_is_found() {
    let dir = dir();
    for file in ["ascii", "utf-8", "latin", "damaged", "cesu", "utf-16", "twice", "data"] {
        let bytes = std::fs::read(dir.path(file)).unwrap();
        let expected = found(detect(&dir, &["--format", "json", file]).output().unwrap());
        let pipe = detect(&dir, &["--format", "json"]).write_stdin(&bytes[..]).output().unwrap();
        assert_eq!(found(pipe), expected, "{file} from a pipe");
        let hex: String = bytes.iter().map(|byte| format!("{byte:02X} ")).collect();
        let hex = detect(&dir, &["--format", "json", "--hex"]).write_stdin(hex).output().unwrap();
        assert_eq!(found(hex), expected, "{file} in hex");
    }
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

#[test]
fn several_inputs_have_names() {
    detect(&dir(), &["ascii", "utf-8"]).assert().code(0).stdout("ascii: us-ascii\nutf-8: utf-8\n");
}

#[test]
fn all_ways_to_name_an_input() {
    utf8().args(["detect", "-e", "é"]).assert().stdout("utf-8\n");
    utf8().args(["detect", "-xe", "63 61 66 E9 20 63"]).assert().stdout("windows-1252\n");
    let dir = dir();
    detect(&dir, &["-s", "0", "-n", "5", "latin"]).assert().stdout("us-ascii\n");
    detect(&dir, &["--sample", "5", "latin"]).assert().stdout("us-ascii\n");
    detect(&dir, &["-0", "--files-from", "-"])
        .write_stdin("ascii\0utf-8\0")
        .assert()
        .stdout("ascii\0us-ascii\nutf-8\0utf-8\n");
    for mmap in ["always", "never"] {
        detect(&dir, &["--mmap", mmap, "damaged"]).assert().stdout("damaged-utf-8\n");
    }
}

#[test]
fn a_sample_that_cuts_a_character_is_no_fault() {
    detect(&dir(), &["--sample", "2", "utf-8"]).assert().stdout("utf-8\n");
}

#[test]
fn mime() {
    let args = ["--format", "mime", "ascii", "utf-8", "latin", "damaged", "utf-16", "data"];
    let expected = lines(&[
        "ascii: text/plain; charset=us-ascii",
        "utf-8: text/plain; charset=utf-8",
        "latin: text/plain; charset=windows-1252",
        "damaged: text/plain; charset=unknown-8bit",
        "utf-16: text/plain; charset=utf-16",
        "data: application/octet-stream; charset=binary",
    ]);
    detect(&dir(), &args).assert().code(0).stdout(expected);
}

#[test]
fn expectations() {
    let dir = dir();
    for (expect, file, code) in [
        ("utf-8", "utf-8", 0),
        ("UTF8", "utf-8", 0),
        ("utf-8", "ascii", 0),
        ("us-ascii", "utf-8", 1),
        ("utf-8", "latin", 1),
        ("utf-8", "damaged", 1),
        ("utf-8-bom", "utf-8", 1),
        ("koi8-r,utf-8", "utf-8", 0),
        ("cp1252", "latin", 0),
        // The same text.
        ("latin1", "latin", 0),
        ("koi8-r,windows-1251", "latin", 1),
        ("windows-1252", "ascii", 0),
        ("utf-16", "ascii", 1),
        ("gb18030", "gbk", 0),
        ("utf-16", "utf-16", 0),
        ("utf-16le", "utf-16", 0),
        ("utf-16be", "utf-16", 1),
        ("utf-16le-bom", "utf-16", 0),
        ("utf-32le-bom", "utf-16", 1),
        ("binary", "data", 0),
        ("damaged-utf-8", "cesu", 0),
    ] {
        for quiet in [false, true] {
            let mut command = detect(&dir, &["--expect", expect, file]);
            let assert =
                if quiet { command.arg("-q").assert().stdout("") } else { command.assert() };
            let assert = assert.code(code);
            let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert_eq!(stderr.is_empty(), quiet || code == 0, "{expect} {file}: {stderr}");
        }
    }
}

#[test]
fn unexpected_encodings_are_reported() {
    detect(&dir(), &["--expect", "utf-8,utf-16", "latin", "ascii"])
        .assert()
        .code(1)
        .stdout("latin: windows-1252\nascii: us-ascii\n")
        .stderr("utf8: latin: is windows-1252, not utf-8 or utf-16\n");
    detect(&dir(), &["--expect", "utf-8n", "-xe", "EFBBBF C3A9"])
        .assert()
        .code(1)
        .stderr("utf8: -e: is utf-8 with a BOM, not utf-8n\n");
}

/// The answer is printed once.
#[test]
fn verbose_adds_the_reason() {
    for (args, answer, reason) in [
        (&["-v", "--expect", "utf-8", "ascii"][..], "us-ascii\n", "ascii: certain: "),
        (&["-v", "latin"], "windows-1252\n", "latin: "),
    ] {
        let out = detect(&dir(), args).assert().code(0).stdout(answer);
        let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(said.starts_with(reason) && !said.contains(answer.trim_end()), "{said}");
        assert_eq!(said.lines().count(), 1);
    }
}

#[test]
fn quiet_stops_at_the_first_that_is_not_as_expected() {
    detect(&dir(), &["-q", "--expect", "utf-8", "latin", "missing"]).assert().code(1).stderr("");
    detect(&dir(), &["-q", "--expect", "utf-8", "utf-8", "missing"])
        .assert()
        .code(2)
        .stderr(contains("missing"));
}

#[test]
fn candidates() {
    let dir = dir();
    detect(&dir, &["--candidates", "3", "utf-8"]).assert().stdout("utf-8 1.0000\n");
    let told = printed(&dir, &["--candidates", "2", "latin"]);
    let rows: Vec<Vec<&str>> = told.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!((rows[0][0], rows[0][2]), ("windows-1252", "fr"), "{told}");
    let likely: f64 = rows[0][1].parse().unwrap();
    assert!((0.5..1.0).contains(&likely), "{told}");
    assert_eq!(rows.len(), 2);
}

#[test]
fn long() {
    let told = printed(&dir(), &["--format", "long", "damaged"]);
    let rows: Vec<&str> = told.lines().collect();
    assert!(rows[0].starts_with("damaged: damaged-utf-8 ("), "{told}");
    for row in [
        "  bytes      29 bytes, 65.5 % of them ASCII",
        "  UTF-8      ruled out by E9 6C at byte 0x12 (18) [truncated-next]",
        "  line ends  1 LF",
    ] {
        assert!(rows.contains(&row), "{row}\n{told}");
    }
    let stray = "2 stray sequences, likely of windows-1252; the first at byte 0x12 (18)";
    assert!(told.contains(stray), "{told}");
}

#[test]
fn a_hundred_percent_is_all() {
    let dir = Dir::new();
    for (ascii, row) in [(4_000, "4,002 bytes, 99.9 % of them"), (18, "20 bytes, 90.0 % of them")] {
        let text = format!("{}é", "a".repeat(ascii));
        let told = printed(&dir, &["--format", "long", "-e", &text]);
        assert!(told.contains(row), "{told}");
    }
}

#[test]
fn line_ends_that_are_mixed() {
    let told = printed(&Dir::new(), &["--format", "long", "-e", "a\r\nb\nc\rd\r\n"]);
    assert!(told.contains("  line ends  mixed: 1 LF, 2 CRLF, 1 CR\n"), "{told}");
}

#[test]
fn json_has_it_all() {
    let dir = dir();
    let told = objects(&detect(&dir, &["--format", "json", "cesu"]).output().unwrap().stdout);
    let [object] = &told[..] else { panic!("{told:?}") };
    assert_eq!(object["type"], "encoding");
    assert_eq!(object["path"], "cesu");
    assert_eq!(object["encoding"], "damaged-utf-8");
    assert_eq!(object["signature"], json!(null));
    assert_eq!((&object["size"], &object["ascii"]), (&json!(13), &json!(7)));
    assert_eq!(object["first_beyond_ascii"], 6);
    assert_eq!(object["damages"], json!([{"damage": "surrogate-pairs", "number": 1, "first": 6}]));
    assert_eq!(object["fault"]["kind"], "surrogate-pair");
    assert_eq!(object["fault"]["hex"], "ED A0 BD ED B8 80");
    assert_eq!(object["line_ends"], json!({"lf": 1, "crlf": 0, "cr": 0}));
    assert_eq!(object["command"], "utf8 repair --join-surrogates cesu");
    for (file, original, page, first) in
        [("twice", "utf-8", "windows-1252", 0), ("controls", "windows-1252", "iso-8859-1", 2)]
    {
        let found = objects(&detect(&dir, &["--format", "json", file]).output().unwrap().stdout);
        assert_eq!(
            (&found[0]["encoding"], &found[0]["confidence"]),
            (&json!("utf-8"), &json!(1.0))
        );
        let twice = &found[0]["twice"];
        assert_eq!((&twice["original"], &twice["page"]), (&json!(original), &json!(page)));
        assert_eq!((&twice["first"], &found[0]["misread"]), (&json!(first), &json!(null)));
    }
    let found =
        &objects(&detect(&dir, &["--format", "json", "misread"]).output().unwrap().stdout)[0];
    assert_eq!(found["twice"], json!(null));
    let misread = &found["misread"];
    assert_eq!(
        (&misread["encoding"], &misread["read_as"]),
        (&json!("windows-1251"), &json!("windows-1252"))
    );
}

#[test]
fn trouble() {
    let dir = dir();
    detect(&dir, &["missing", "utf-8"])
        .assert()
        .code(2)
        .stdout("utf-8: utf-8\n")
        .stderr(contains("utf8: missing: "));
    let told = objects(&detect(&dir, &["--format", "json", "missing"]).output().unwrap().stdout);
    assert_eq!((&told[0]["type"], &told[0]["path"]), (&json!("trouble"), &json!("missing")));
    detect(&dir, &["-f", "utf-8", "ascii"])
        .assert()
        .code(2)
        .stderr(contains("detect takes no --from"));
    detect(&dir, &["--expect", "utf-9", "ascii"]).assert().code(2).stderr(contains("utf-8"));
    detect(&dir, &["--candidates", "0", "ascii"]).assert().code(2);
}

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
fn regions_of_a_mixed_file() {
    let dir = dir();
    let utf8 = "déjà vu\n".as_bytes();
    dir.write("mixed", [utf8, FRENCH, b"plain\n", utf8].concat());
    let len = FRENCH.len() + 6;
    let rows = [
        "0-9 utf-8".to_owned(),
        format!("10-{} windows-1252", 9 + len),
        format!("{}-{} utf-8", 10 + len, 19 + len),
    ];
    let expected: String = rows.iter().map(|row| format!("{row}\n")).collect();
    detect(&dir, &["--regions", "mixed"]).assert().code(0).stdout(expected.clone());
    let named: String = rows.iter().map(|row| format!("mixed: {row}\n")).collect();
    detect(&dir, &["--regions", "mixed", "ascii"]).assert().stdout(named + "ascii: 0-6 us-ascii\n");
    detect(&dir, &["-0", "--regions", "ascii", "utf-8"])
        .assert()
        .stdout("ascii\x000-6 us-ascii\nutf-8\x000-9 utf-8\n");
    let told = detect(&dir, &["--regions", "--format", "json", "mixed"]).output().unwrap().stdout;
    assert_eq!(
        objects(&told)[1],
        json!({"type": "region", "path": "mixed", "offset": 10, "length": len,
               "encoding": "windows-1252"})
    );
    detect(&dir, &["--regions", "--format", "mime", "mixed"]).assert().code(2);
}

#[test]
fn the_next_command_decodes() {
    let dir = Dir::of(&[("old.txt", b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xca\xe0\xea?\n")]);
    let mut command = utf8();
    command.args(["detect", "--format", "long", "old.txt"]);
    let out = command.current_dir(dir.path("")).assert().code(0);
    out.stdout(contains("utf8 decode -f windows-1251 old.txt\n"));
}
