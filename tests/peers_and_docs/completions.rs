//! Completion of command lines in bash, zsh and fish.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::bin::{raw, skipped, utf8};

/// The formats of `utf8 detect`.
const DETECT: &[&str] = &[
    "plain",
    "long",
    "json",
    "mime",
    "github",
    "gitlab",
    "sarif",
    "junit",
    "checkstyle",
    "rdjson",
    "html",
];

/// Returns the candidates for the last word, as the binary offers them.
fn offered(words: &[&str]) -> Vec<String> {
    let index = (words.len() - 1).to_string();
    let out = utf8().args(words).env("UTF8_COMPLETE", index).assert().success();
    let lines = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    lines.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn values_belong_to_the_option_of_the_command() {
    for (words, values) in [
        (&["utf8", "--format", ""][..], &["text", "json"][..]),
        (&["utf8", "detect", "--format", ""], DETECT),
        (&["utf8", "decode", "-f", "AUT"], &["auto"]),
        (
            &["utf8", "repair", "--undo-mojibake=KOI8-"],
            &["koi8-r", "koi8-u", "koi8-t", "koi8-ru", "koi8-u-rfc2319", "KOI8-E"],
        ),
        (&["utf8", "validate", "--deny", "bom,STR"], &["bom,strict"]),
        (&["utf8", "validate", "--allow", "ill"], &["ill-formed"]),
        (&["utf8", "repair", "--fix=bom"], &["bom", "bom-inside"]),
        (&["utf8", "repair", "--fix=ill"], &[]),
        (&["utf8", "validate", "--list-lints=lone"], &["lone-cr"]),
        (&["utf8", "help", "sc"], &["scale"]),
    ] {
        let found = offered(words);
        let value = |found: &String| found.rsplit('=').next().unwrap().to_owned();
        let found: Vec<_> = found.iter().map(value).collect();
        assert_eq!(found, values, "{words:?}");
    }
}

#[test]
fn an_alias_is_offered_if_it_is_typed() {
    assert_eq!(offered(&["utf8", "validate", "-f", "LATIN1"]), ["latin1", "latin10"]);
    assert!(!offered(&["utf8", "validate", "-f", ""]).contains(&"latin1".to_owned()));
    // Names of other encodings that start so hide none.
    assert!(offered(&["utf8", "validate", "-f", "latin"]).contains(&"latin1".to_owned()));
}

#[test]
fn options_are_offered_after_a_hyphen_only() {
    assert_eq!(offered(&["utf8", "repair", "--bac"]), ["--backup"]);
    assert!(offered(&["utf8", ""]).iter().all(|name| !name.starts_with('-')));
    assert_eq!(offered(&["utf8", "repair", ""]), [""; 0]);
}

#[test]
fn an_index_outside_of_the_words_offers_nothing() {
    for index in ["9", "x", "", "-1", "18446744073709551616"] {
        utf8().env("UTF8_COMPLETE", index).arg("utf8").assert().success().stdout("").stderr("");
    }
}

#[test]
fn every_value_on_offer_is_accepted() {
    for (command, option, start) in [
        ("validate", "--from", ""),
        ("decode", "--from", ""),
        ("encode", "--to", ""),
        ("decode", "--on-error", ""),
        ("encode", "--on-error", "fallback="),
        ("repair", "--fallback", ""),
        ("repair", "--undo-mojibake", ""),
        ("detect", "--expect", ""),
        ("validate", "--deny", ""),
        ("validate", "--list-lints", ""),
    ] {
        let word = format!("{option}={start}");
        let names: BTreeSet<_> = offered(&["utf8", command, &word]).into_iter().collect();
        assert!(names.len() > 4, "{command} {word}: {names:?}");
        for name in names {
            let mut run = raw();
            run.args([command, &name]).stdin(Stdio::null());
            if option == "--on-error" {
                run.arg("--to=wtf-8"); // utf-8 cannot hold the code points of surrogateescape
            }
            let out = run.output().unwrap();
            let message = String::from_utf8_lossy(&out.stderr);
            assert_ne!(out.status.code(), Some(2), "{command} {name}: {message}");
        }
    }
}

/// A command line, and what bash, zsh and fish offer for its last word.
const LINES: [(&[&str], &[&str]); 6] = [
    (
        &["utf8", "validate", "--format", ""],
        &[
            "text",
            "full",
            "json",
            "tsv",
            "lines",
            "github",
            "gitlab",
            "sarif",
            "junit",
            "checkstyle",
            "rdjson",
            "html",
            "baseline",
        ],
    ),
    (&["utf8", "decode", "-f", "KOI8-R"], &["koi8-r", "koi8-ru"]),
    (&["utf8", "repair", "--fallback", "windows-125"], &WINDOWS),
    (&["utf8", "detect", "--expect", "ISO-10646-UCS"], &["iso-10646-ucs-2", "iso-10646-ucs-4"]),
    (&["utf8", "va"], &["validate"]),
    (&["utf8", "validate", "two"], &["two words.txt"]),
];

const WINDOWS: [&str; 9] = [
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
];

/// Runs a script of a shell in a directory with a file "two words.txt", with the binary in PATH.
/// Returns its lines, or `None` if there is no such shell.
fn run(shell: &str, script: &str) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two words.txt"), "").unwrap();
    let binary = Path::new(raw().get_program()).parent().unwrap().to_owned();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary).chain(std::env::split_paths(&inherited));
    let path = std::env::join_paths(folders).unwrap();
    let run = Command::new(shell)
        .args(["-c", script])
        .current_dir(&folder)
        .env("PATH", path)
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output();
    let Ok(out) = run else {
        skipped(&format!("completion in {shell}"), "there is none");
        return None;
    };
    assert_eq!(String::from_utf8_lossy(&out.stderr), "", "{shell}: {script}");
    Some(String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect())
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

/// Returns the path of a completion script.
fn script(name: &str) -> String {
    format!("{}/completions/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Runs the completion function of bash over words as bash splits them.
fn bash(words: &[&str]) -> Option<Vec<String>> {
    let set = format!(
        "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _utf8; ",
        script("utf8.bash"),
        quoted(words),
        words.len() - 1,
    );
    run("bash", &(set + r#"((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"; true"#))
}

#[test]
fn bash_completes() {
    for (words, candidates) in LINES {
        let Some(found) = bash(words) else { return };
        // Without candidates, bash completes the names of files.
        let none = candidates[0].ends_with(".txt");
        assert_eq!(found, if none { &[] } else { candidates }, "{words:?}");
    }
    for words in [
        &["utf8", "repair", "--on-error", "=", "fallback", "=", "windows-125"][..],
        &["utf8", "repair", "--on-error", "fallback", "=", "windows-125"],
        &["utf8", "repair", "--fallback", "=", "windows-125"],
    ] {
        assert_eq!(bash(words).unwrap(), WINDOWS, "{words:?}");
    }
    for words in
        [&["utf8", "detect", "--format", "=", ""][..], &["utf8", "detect", "--format", "="]]
    {
        assert_eq!(bash(words).unwrap(), DETECT, "{words:?}");
    }
}

#[test]
fn zsh_completes() {
    for (words, candidates) in LINES {
        let stubs =
            "compadd() { print -rl -- $values }; compset() { : }; _files() { print -rl -- * }";
        let run = run(
            "zsh",
            &format!(
                "emulate zsh; {stubs}; words=({}); CURRENT={}; complete() {{ source '{}' }}; complete",
                quoted(words),
                words.len(),
                script("_utf8"),
            ),
        );
        let Some(found) = run else { return };
        assert_eq!(found, candidates, "{words:?}");
    }
}

#[test]
fn fish_completes() {
    let line = |words: &[&str]| words.join(" ");
    let quoted = [("repair --on-error=fallback=windows-1251", "--on-error=fallback=windows-1251")];
    let files = [("validate --files-from=two", "--files-from=two words.txt")];
    let single = quoted.iter().chain(&files);
    let single = single.map(|(words, found)| (format!("utf8 {words}"), vec![*found]));
    let lines = LINES.iter().map(|(words, candidates)| (line(words), candidates.to_vec()));
    for (line, candidates) in lines.chain(single) {
        let complete = format!("source '{}'; complete -C '{line}'", script("utf8.fish"));
        let Some(found) = run("fish", &complete) else { return };
        let values: Vec<_> = found.iter().map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(values, candidates, "{line}");
    }
}
