//! Does the README's tour show what the program prints?

use std::path::Path;
use std::process::Command;

/// What a shell in the checkout prints for a command, on both outputs.
fn output(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_utf8"));
    let path = std::env::var("PATH").unwrap();
    let out = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("LC_ALL", "C.UTF-8")
        .env_remove("UTF8_KERNEL")
        .output()
        .unwrap();
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn the_tour_is_true() {
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
fn the_number_of_codecs_is_true() {
    let readme = include_str!("../../README.md");
    let numbers: Vec<usize> = readme
        .match_indices(" codecs")
        .filter_map(|(at, _)| readme[..at].split_whitespace().last()?.parse().ok())
        .collect();
    assert!(numbers.iter().all(|&number| number == utf8::registry::CODECS.len()), "{numbers:?}");
}
