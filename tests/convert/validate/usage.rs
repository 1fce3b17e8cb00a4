//! Exit statuses and errors of usage.

use predicates::prelude::*;
use predicates::str::contains;

use super::summaries::three;
use crate::common::bin::validate;

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
