//! Names of files in messages: locale, escapes, hostile names.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::bin::{Dir, lines, objects, skipped, utf8, validate};

#[test]
fn an_ascii_locale_has_names_escaped() {
    let dir = Dir::of(&[("Grüße 😀", b"\xFF")]);
    let name = "Gr\\u{00FC}\\u{00DF}e \\u{1F600}";
    for locale in ["C.ANSI_X3.4-1968", "en_US.ISO-8859-1"] {
        let out = dir.validate().env("LC_ALL", locale).args(["Grüße 😀", "fehlt: ä"]).assert();
        out.code(2)
            .stdout(format!(
                "{name}:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n"
            ))
            .stderr(contains(format!("{name}: 1 ill-formed")).and(contains("fehlt: \\u{00E4}: ")));
    }
    let out = dir.validate().arg("Grüße 😀").assert().code(1);
    out.stdout(predicate::str::starts_with("Grüße 😀:1:1: "));
}

#[test]
fn standard_input_has_the_name_that_is_given() {
    let name = ["--stdin-filename", "src/a b.txt"];
    let out = validate().args(name).write_stdin("a\u{FF}\n").assert().code(0);
    out.stdout("").stderr("");
    let out = validate().args(name).arg("--format=json").write_stdin(&b"\xFF"[..]).assert();
    out.code(1).stdout(contains(r#""path":"src/a b.txt""#).count(2));
    let mut run = utf8();
    run.args(["repair", "--diff"]).args(name).write_stdin(&b"\xFF\n"[..]);
    let out = run.assert().code(1);
    assert!(out.get_output().stdout.starts_with(b"--- src/a b.txt\t\n"));
    let mut run = utf8();
    run.args(["detect", "-", "none"]).args(name).write_stdin("a");
    run.assert().code(2).stdout("src/a b.txt: us-ascii\n");
}

#[test]
fn the_first_variable_of_the_locale_that_is_set_decides() {
    let dir = Dir::of(&[("é", b"\xFF")]);
    for (all, ctype, lang, unicode) in [
        ("", "", "C.UTF-8", true),
        ("", "de_DE.ISO-8859-1", "C.UTF-8", false),
        ("", "de_DE.UTF-8", "C", true),
        ("de_DE.ISO-8859-1", "de_DE.UTF-8", "C.UTF-8", false),
        ("en_US.utf8", "C", "C", true),
        ("", "", "", true),
        ("C", "", "", true),
        ("", "POSIX", "", true),
        ("", "", "de_DE.ISO-8859-1", false),
    ] {
        let mut command = dir.validate();
        command.env("LC_ALL", all).env("LC_CTYPE", ctype).env("LANG", lang).arg("é");
        let name = if unicode { "é" } else { "\\u{00E9}" };
        command.assert().stdout(predicate::str::starts_with(format!("{name}:1:1: ")));
    }
}

/// Hostile names, and their escaped forms.
#[rustfmt::skip]
static HOSTILE_NAMES: &[(&[u8], &str)] = &[
    (b"esc\x1B[31mred", "esc\\x1B[31mred"),
    (b"two\nlines", "two\\x0Alines"),
    (b"cr\rback", "cr\\x0Dback"),
    (b"bell\x07\x7F", "bell\\x07\\x7F"),
    (b"c1\xC2\x9B31m", "c1\\u{009B}31m"),
    (b"rtl\xE2\x80\xAEfdp", "rtl\\u{202E}fdp"),
    (b"isolate\xE2\x81\xA6", "isolate\\u{2066}"),
    (b"mark\xD8\x9C\xE2\x80\x8F", "mark\\u{061C}\\u{200F}"),
    (b"separator\xE2\x80\xA8", "separator\\u{2028}"),
    (b"##[error]x", "#\\x23[error]x"),
    (b"::error::x", "\\x3A:error::x"),
    (b"x\n::error::y", "x\\x0A::error::y"),
    (b" ::warning::x", " \\x3A:warning::x"),
    (b"raw\xFF\x9B\x80", "raw\\xFF\\x9B\\x80"),
    (b"back\\slash", "back\\\\slash"),
];

/// Asserts that text has no control characters except line feeds, no bidirectional controls, and no
/// commands of a CI runner.
fn harmless(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("our own reports are UTF-8");
    let bidi = ['\u{61C}', '\u{200E}', '\u{200F}', '\u{2028}', '\u{2029}'];
    let raw = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || bidi.contains(&c)
            || ('\u{202A}'..='\u{202E}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    assert!(!text.contains(raw), "{text:?}");
    for line in text.lines() {
        assert!(!line.contains("##["), "{line:?}");
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
    }
}

fn hostile() -> (Dir, Vec<&'static OsStr>) {
    let dir = Dir::new();
    let names = HOSTILE_NAMES.iter().map(|name| name.0).filter(|name| {
        let taken = dir.try_write(name, b"##[error]x\n::error::x \x1B[31m \xFF ##[error]y");
        if !taken {
            skipped(&String::from_utf8_lossy(name), "the file system takes no such name");
        }
        taken
    });
    let names = names.map(OsStr::from_bytes).collect();
    (dir, names)
}

#[test]
fn no_name_does_harm_in_any_format() {
    let (dir, names) = hostile();
    for args in [
        &["--format", "text"][..],
        &["--format", "full"],
        &["--format", "json", "--stats"],
        &["--format", "tsv"],
        &["-c"],
        &["-l"],
        &["-v", "--stats"],
        &["-m1"],
    ] {
        for locale in ["C.ISO-8859-1", "C.UTF-8"] {
            let out = dir.validate().env("LC_ALL", locale).args(args).args(&names).assert().code(1);
            harmless(&out.get_output().stdout);
            harmless(&out.get_output().stderr);
        }
    }
}

#[test]
fn no_name_does_harm_when_it_is_missing() {
    let dir = Dir::new();
    for format in ["text", "full", "json", "tsv"] {
        for (name, spelt) in HOSTILE_NAMES {
            let mut command = dir.validate();
            command.args(["--format", format]).arg(OsStr::from_bytes(name));
            let out = command.assert().code(2).stderr(contains(format!("utf8: {spelt}: ")));
            harmless(&out.get_output().stdout);
            harmless(&out.get_output().stderr);
        }
    }
}

#[test]
fn no_name_does_harm_as_a_directory_or_a_list() {
    let dir = Dir::new();
    for (name, spelt) in HOSTILE_NAMES {
        let name = OsStr::from_bytes(name);
        if fs::create_dir(dir.path(name)).is_err() {
            continue;
        }
        let said = contains(format!("utf8: {spelt}: no file to check"));
        let out = dir.validate().arg(name).assert().code(2).stderr(said);
        harmless(&out.get_output().stderr);
        let list = [name.as_bytes(), b"\0"].concat();
        let out = dir.validate().args(["-0", "--files-from", "-"]).write_stdin(list).assert();
        let out = out.code(0).stderr(format!("{spelt}: is a directory, skipped\n"));
        harmless(&out.get_output().stderr);
        let out = dir.validate().arg("--files-from").arg(name).assert().code(2);
        harmless(&out.get_output().stderr);
    }
}

#[test]
fn no_name_does_harm_when_it_looks_like_an_option() {
    for name in ["--##[error]x", "--\n::error::x", "-\x1B[31m", "--a\x1B]0;t\x07"] {
        let out = validate().arg(name).assert().code(2).stdout("");
        harmless(&out.get_output().stderr);
    }
    // Colours add escape sequences of the program, but not these.
    for name in ["-\x1B]0;t\x07", "--a\x1B]0;t\x07"] {
        let out = validate().arg(name).env("CLICOLOR_FORCE", "1").assert().code(2);
        out.stderr(contains("\x1B]").not().and(contains("\x07").not()));
    }
}

#[test]
fn no_value_of_an_option_does_harm() {
    for option in ["-f", "--format", "-s", "-n", "-m", "--segments", "--mmap", "--color"] {
        for value in ["##[error]x", "x\n::error::x", "\x1B[31mred", "x\u{202E}y"] {
            let out = validate().args([option, value, "-e", "a"]).assert().code(2).stdout("");
            harmless(&out.get_output().stderr);
        }
    }
    for value in ["##[error]x", "x\n::error::x", "\x1B[31mred", "x\u{202E}y"] {
        let out = validate().args(["-e", "a"]).env("UTF8_KERNEL", value).assert().code(2);
        harmless(&out.get_output().stderr);
    }
    let mut command = validate();
    command.args(["-f", "x\x1B]0;t\x07", "-e", "a"]).env("CLICOLOR_FORCE", "1");
    command.assert().code(2).stderr(contains("\x1B]").not().and(contains("\x07").not()));
}

#[test]
fn escaped_hostile_names_are_distinct() {
    let (dir, names) = hostile();
    for name in &names {
        let spelt = HOSTILE_NAMES.iter().find(|row| row.0 == name.as_bytes()).unwrap().1;
        let line =
            format!("{spelt}:2:18: byte 0x1C (28): byte FF starts no sequence [invalid-fe-ff]\n");
        dir.validate().arg(name).assert().code(1).stdout(line);
        let out = dir.validate().args(["--format", "json"]).arg(name).assert().code(1);
        let object = &objects(&out.get_output().stdout)[0];
        assert_eq!(object["path"], String::from_utf8_lossy(name.as_bytes()).into_owned());
    }
}

#[test]
fn content_does_no_harm_in_a_dump() {
    let dir = Dir::of(&[("f", b"##[error]\xFF ::e::\xFF\x1B[31m")]);
    let out = dir.validate().args(["--format", "full", "f"]).assert().code(1).stdout(lines(&[
        "f:1:10: byte 0x9 (9): byte FF starts no sequence [invalid-fe-ff]",
        "  00000000  23 23 5B 65 72 72 6F 72  5D FF 20 3A 3A 65 3A 3A  |#·[error]· ::e::|",
        "                                        ^^",
        "f:1:17: byte 0x10 (16): byte FF starts no sequence [invalid-fe-ff]",
        "  00000010  FF 1B 5B 33 31 6D                                 |··[31m          |",
        "            ^^",
    ]));
    harmless(&out.get_output().stdout);
}
