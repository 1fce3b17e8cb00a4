//! Exit statuses and errors of usage.

use predicates::prelude::*;
use predicates::str::contains;

use super::summaries::three;
use crate::common::bin::{Dir, run, validate};

#[test]
fn status_2_outranks_1_and_other_inputs_are_processed() {
    let dir = three();
    for files in [["bad", "missing", "good"], ["missing", "good", "bad"]] {
        let out = dir.validate().args(["-m1"]).args(files).assert().code(2);
        out.stdout(contains("bad:1:1: ")).stderr(contains("utf8: missing: "));
    }
}

#[test]
fn options_that_exclude_each_other_are_usage_errors() {
    for args in [
        &["-l", "-L"][..],
        &["-l", "-c"],
        &["-L", "-c"],
        &["-q", "-v"],
        &["-l", "--format", "json"],
        &["-L", "--format", "tsv"],
        &["-e", "a", "file"],
        &["-e", "a", "--files-from", "list"],
        &["-m", "0"],
        &["-m", "-1"],
        &["-m", "x"],
        &["--format", "yaml"],
        &["--segments", "word"],
        &["--mmap", "maybe"],
        &["--color", "blue"],
        &["--no-such-option"],
        &["-e"],
    ] {
        validate()
            .args(args)
            .write_stdin(&b"\xFF"[..])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::is_empty().not());
    }
}

#[test]
fn a_command_must_be_named_and_known() {
    crate::common::bin::utf8().assert().code(2).stdout("");
    crate::common::bin::utf8().arg("validat").assert().code(2).stderr(contains("validate"));
}

#[test]
fn errors_say_what_is_wrong_in_the_situation() {
    for (args, said) in [
        (&["decode", "-t", "auto", "-e", "a"][..], "auto is for --from; --to needs an encoding"),
        (
            &["decode", "-xe", "FF"],
            "(if it is not utf-8, name its encoding: --from CODEC, or --from auto; ",
        ),
    ] {
        let out = run(args).assert();
        assert_ne!(out.get_output().status.code(), Some(0), "{args:?}");
        out.stderr(contains(said));
    }
    let euro = ["encode", "-t", "latin1", "--on-error", "surrogateescape", "-e", "U+20AC"];
    let out = run(&euro).args(["-f", "u+"]).assert().code(1);
    out.stderr(contains("(--on-error replace, ignore or backslashreplace continues)"));
    let lone = ["encode", "-f", "wtf-8", "-t", "latin1", "--on-error", "surrogateescape", "-xe"];
    run(&lone).arg("ED A0 80").assert().code(1).stderr(contains("--to wtf-8"));
}

#[test]
fn a_link_to_a_missing_file_is_named() {
    let dir = Dir::new();
    std::os::unix::fs::symlink("missing", dir.path("dangling")).unwrap();
    let said = "utf8: dangling: a symbolic link to a missing file\n";
    dir.validate().arg("dangling").assert().code(2).stderr(said);
}
