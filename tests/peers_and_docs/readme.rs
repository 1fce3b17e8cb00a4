//! The README: its tour is what the program prints, its counts are those of the tables, and the links
//! of all documents.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use utf8::issue::{KINDS, Kind, KindRow};
use utf8::registry::CODECS;

use crate::common::bin::{Dir, VARIABLES, emulated, skipped};
use crate::help;

/// Returns what a shell in the checkout prints for a command, on both outputs.
fn output(command: &str) -> String {
    output_in(env!("CARGO_MANIFEST_DIR").as_ref(), &format!("exec 2>&1; {command}"))
}

/// Returns what a shell in a directory prints for a command.
fn output_in(dir: &Path, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_utf8"));
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    for variable in VARIABLES {
        shell.env_remove(variable);
    }
    let out = shell
        .args(["-c", command])
        .current_dir(dir)
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn examples_of_the_readme_are_exact() {
    if emulated() {
        return skipped("the tour", "a shell cannot start the emulated binary");
    }
    let mut commands = 0;
    for block in blocks("console") {
        for run in block.split("$ ").skip(1) {
            let (command, shown) = run.split_once('\n').unwrap();
            assert_eq!(output(command), shown, "{command}");
            commands += 1;
        }
    }
    assert!(commands >= 5);
}

/// Returns the content of the blocks of the README in a language.
pub fn blocks(language: &str) -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let fence = format!("```{language}\n");
    readme.split(&fence).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn scripts_of_the_readme_run() {
    if emulated() {
        return skipped("the scripts", "a shell cannot start the emulated binary");
    }
    let lines = |language| blocks(language).into_iter().map(str::lines);
    let of_gitlab = |line: &'static str| line.trim().strip_prefix("script: ");
    let of_make = |line: &'static str| line.strip_prefix("lint: ; ");
    let scripts = lines("sh").map(|block| block.collect::<Vec<_>>());
    let scripts = scripts
        .chain(lines("yaml").map(|block| block.filter_map(of_gitlab).collect()))
        .chain(lines("make").map(|block| block.filter_map(of_make).collect()));
    let mut ran = 0;
    for block in scripts {
        let dir = help::repository();
        for folder in ["man", "completions"] {
            symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), dir.path(folder)).unwrap();
        }
        for line in block {
            let is_portable = cfg!(target_os = "linux") || !line.starts_with("install -D");
            if !is_portable || line.starts_with("cargo ") || line.ends_with("as root") {
                skipped(line, "it builds, needs root or another system");
                continue;
            }
            // Not every sh has the option.
            let script = match line.starts_with("set -o pipefail") {
                true => format!("bash -c '{}'", line.replace('\'', r"'\''")),
                false => line.to_owned(),
            };
            ran += usize::from(help::run(&dir, &script));
        }
    }
    assert!(ran > 10, "{ran}");
}

/// The commands of other tools in the README, a file for each, and the output with what is in the file
/// then.
#[rustfmt::skip]
const OTHERS: &[(&str, &[u8], &str)] = &[
    ("iconv -f CP1252", b"5\x80\n", "5€\n"),
    ("iconv -c", "café\n".as_bytes(), "caf\n"),
    ("recode", b"caf\xE9\n", "café\n"),
    ("native2ascii", "café\n".as_bytes(), "caf\\u00e9\n"),
    ("isutf8", "café\n".as_bytes(), ""),
    ("file", "café\n".as_bytes(), "utf-8\n"),
    ("dos2unix", b"a\r\nb\r\n", "a\nb\n"),
    ("unix2dos", b"a\nb\n", "a\r\nb\r\n"),
    ("sed", b"\xEF\xBB\xBFa\n", "a\n"),
    ("uconv", "cafe\u{301}\n".as_bytes(), "café\n"),
    ("ftfy", "cafÃ©\n".as_bytes(), "café\n"),
    ("xxd -p", "café\n".as_bytes(), "636166c3a90a\n"),
    ("xxd -r", b"00000000: 6361 660a  caf.\n", "caf\n"),
];

#[test]
fn commands_of_other_tools_do_the_same() {
    if emulated() {
        return skipped("other tools", "a shell cannot start the emulated binary");
    }
    let readme = include_str!("../../README.md");
    let (_, section) = readme.split_once("## Coming from other tools\n").unwrap();
    let rows: Vec<_> = section.split("\n## ").next().unwrap().lines().skip(3).collect();
    let rows = rows.iter().filter_map(|row| row.strip_prefix("| `")?.strip_suffix("` |"));
    let mut number = 0;
    for (other, own) in rows.map(|row| row.split_once("` | `").unwrap()) {
        let case = OTHERS.iter().find(|(start, ..)| other.starts_with(start));
        let (_, content, expected) = case.unwrap_or_else(|| panic!("no case for {other}"));
        let program = other.split(' ').next().unwrap();
        for (command, runs) in
            [(own, true), (other, !output(&format!("command -v {program}")).is_empty())]
        {
            if !runs {
                skipped(program, "there is none");
                continue;
            }
            let dir = Dir::of(&[("f", content)]);
            // In place, nothing is printed.
            let printed = output_in(&dir.path(""), &format!("{command} 2> /dev/null"));
            let result = if own.contains(" -i ") {
                printed + &output_in(&dir.path(""), "cat f")
            } else {
                printed
            };
            assert_eq!(result, *expected, "{command}");
        }
        number += 1;
    }
    assert_eq!(number, OTHERS.len());
}

#[test]
fn the_counts_are_those_of_the_tables() {
    let readme = include_str!("../../README.md");
    // The kinds of sequences: not of characters that a target lacks, and of whole files.
    let is_sequence = |row: &&KindRow| !matches!(row.kind, Kind::Unencodable | Kind::NotUtf8);
    let kinds = KINDS.iter().filter(is_sequence).count();
    for count in [format!("**{} codecs**", CODECS.len()), format!("one of {kinds} kinds")] {
        assert!(readme.contains(&count), "{count}");
    }
}

#[test]
fn links_to_headings_lead_to_one_heading() {
    let read = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name)
    };
    let mut links = 0;
    for name in ["README.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = read(name);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let is_remote = |target: &str| target.starts_with("http");
        for target in targets.filter(|target| !is_remote(target)) {
            let Some((file, anchor)) = target.split_once('#') else { continue };
            let document = if file.is_empty() { text.clone() } else { read(file) };
            let is_named = |line: &&str| anchor_of(line).as_deref() == Some(anchor);
            assert_eq!(document.lines().filter(is_named).count(), 1, "{name}: {target}");
            links += 1;
        }
    }
    assert!(links > 0);
}

/// Returns the name by which links lead to a heading; `None` for another line.
fn anchor_of(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    Some(title.chars().filter(is_kept).collect::<String>().to_lowercase().replace(' ', "-"))
}
