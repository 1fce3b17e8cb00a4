//! The README: its tour is what the program prints, its counts are those of the tables.

use std::path::Path;
use std::process::Command;

use utf8::issue::{KINDS, Kind, KindRow};
use utf8::registry::CODECS;

use crate::common::bin::VARIABLES;

/// Returns what a shell in the checkout prints for a command, on both outputs.
fn output(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_utf8"));
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    for variable in VARIABLES {
        shell.env_remove(variable);
    }
    let out = shell
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn examples_of_the_readme_are_exact() {
    if crate::common::bin::emulated() {
        return crate::common::bin::skipped("the tour", "a shell cannot start the emulated binary");
    }
    let readme = include_str!("../../README.md");
    let mut commands = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for run in block.split("$ ").skip(1) {
            let (command, shown) = run.split_once('\n').unwrap();
            assert_eq!(output(command), shown, "{command}");
            commands += 1;
        }
    }
    assert!(commands >= 5);
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
