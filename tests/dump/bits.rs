//! `utf8 dump-bits` for people.

use crate::common::bin::{Dir, utf8};
use assert_cmd::Command;

mod characters;
mod command;
mod ranges;
mod rows;
mod width;

/// Returns a command for `utf8 dump-bits`.
fn dump() -> Command {
    let mut command = utf8();
    command.arg("dump-bits");
    command
}

/// Returns the dump of the bytes of hex digits.
fn shown(digits: &str, args: &[&str]) -> String {
    let out =
        dump().args(["-xe", digits]).args(args).assert().success().stderr("").get_output().clone();
    String::from_utf8(out.stdout).unwrap()
}

/// Splits a row into its columns, which are two blanks apart at least.
fn columns(row: &str) -> Vec<&str> {
    row.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect()
}

fn dump_of(dir: &Dir) -> Command {
    let mut command = dump();
    command.current_dir(dir.path("."));
    command
}
