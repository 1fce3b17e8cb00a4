//! `UTF8_KERNEL` and `--version`.

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::bin::{Dir, skipped, utf8, validate};
use crate::common::peer::peer;
use utf8::kernel;

#[test]
fn each_kernel_finds_the_same() {
    let mut bytes = "Grüße, 日本語 😀\n".repeat(50).into_bytes();
    bytes.extend(b"\xED\xA0\x80 \xC0\xAF");
    bytes.extend("“Zero\u{200B}width” 「\u{2066}」 \u{FEFF}\x07 🏳\u{FE0F}\r\n".repeat(50).bytes());
    let dir = Dir::of(&[("f", &bytes)]);
    let run = |kernel: &str| {
        let mut validate = dir.validate();
        validate.args(["--format", "json", "--deny", "strict,text", "f"]);
        let out = validate.env("UTF8_KERNEL", kernel).assert();
        out.code(1).get_output().stdout.clone()
    };
    let best = run("");
    for name in kernel::names() {
        assert_eq!(run(name), best, "{name}");
    }
    for name in ["avx512", "avx2", "sse4.2", "neon"] {
        if kernel::named(name).is_none() {
            skipped(name, "this CPU does not have its instructions");
        }
    }
}

#[test]
fn the_portable_kernel_is_the_best_without_avx_512() {
    let out = utf8().arg("--version").env("UTF8_KERNEL", "portable").assert().code(0);
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let expected = kernel::names().into_iter().find(|&name| name != "avx512").unwrap();
    assert!(text.contains(&format!("kernel: {expected} (")), "{text}");
}

#[test]
fn an_unknown_kernel_is_an_error_that_lists_those_there_are() {
    let out = validate().args(["-e", "a"]).env("UTF8_KERNEL", "abacus").assert().code(2).stdout("");
    let said = predicate::str::starts_with("utf8: UTF8_KERNEL: ").and(contains("abacus"));
    out.stderr(said.and(contains(kernel::names().join(", "))));
}

#[test]
fn the_long_version_names_the_kernel() {
    for row in kernel::available() {
        let out = utf8().arg("--version").env("UTF8_KERNEL", row.name).assert().code(0);
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        let line = text.lines().find(|line| line.starts_with("kernel: ")).expect("a line for it");
        assert_eq!(line.split(' ').nth(1), Some(row.name));
    }
}

#[test]
fn the_long_version_names_the_commit_of_releases_and_source_archives() {
    let out = utf8().arg("--version").assert().code(0);
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let start = format!("utf8 {}", env!("CARGO_PKG_VERSION"));
    let commit = text.lines().next().and_then(|line| line.strip_prefix(&start)).expect("a version");
    // A checkout and a published crate have none.
    let digits = commit.strip_prefix(" (").and_then(|rest| rest.strip_suffix(")"));
    let is_hash =
        |digits: &str| digits.len() >= 12 && u64::from_str_radix(&digits[..12], 16).is_ok();
    assert!(commit.is_empty() || digits.is_some_and(is_hash), "{commit:?}");
    let is_archive = !include_str!("../../../src/cli/commit.txt").starts_with('$');
    assert!(!is_archive || !commit.is_empty(), "no commit");
}

#[test]
fn git_writes_the_commit_into_source_archives() {
    let git = |script: &str| {
        // Tests run in the directory of the manifest.
        Some(String::from_utf8(peer("sh", &["-c", script], b"")?).unwrap())
    };
    let archived = git(
        "test -z \"$(git rev-parse --show-prefix)\" && git archive HEAD src/cli/commit.txt | tar -xO",
    );
    let Some(archived) = archived else { return };
    assert_eq!(archived, git("git rev-parse HEAD").unwrap());
}

#[test]
fn the_short_version_is_one_line() {
    let line = format!("utf8 {}\n", env!("CARGO_PKG_VERSION"));
    utf8().arg("-V").assert().code(0).stdout(line).stderr("");
}
