//! `--files-from` and `-0`.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use predicates::prelude::*;
use predicates::str::contains;

use crate::common::bin::{Dir, skipped, utf8};

fn listed() -> Dir {
    Dir::of(&[("a", b"\xFF"), ("b c", b"good"), ("sub.d", b"\xFF")])
}

#[test]
fn names_are_read_from_a_file() {
    let dir = listed();
    for list in ["a\nb c\nsub.d\n", "a\nb c\nsub.d", "\na\n\nb c\nsub.d\n\n"] {
        dir.write("list", list);
        let out = dir.validate().args(["-v", "-c", "--files-from", "list"]).assert().code(1);
        out.stdout("a:1\nb c:0\nsub.d:1\n");
    }
}

#[test]
fn names_are_read_from_standard_input() {
    let out =
        listed().validate().args(["-c", "--files-from", "-"]).write_stdin("a\nb c\n").assert();
    out.code(1).stdout("a:1\nb c:0\n");
}

#[test]
fn names_end_with_nul_if_asked() {
    let dir = listed();
    dir.write("two\nlines", b"\xFF");
    for list in ["a\0two\nlines\0", "a\0two\nlines"] {
        let mut command = dir.validate();
        command.args(["-l0", "--files-from", "-"]).write_stdin(list);
        command.assert().code(1).stdout("a\0two\nlines\0");
    }
}

/// Without --files-from, the list would be checked as a text.
#[test]
fn a_list_of_names_is_no_text() {
    for command in ["validate", "detect", "decode", "encode", "repair", "dump-bits"] {
        for names in [&[][..], &["-"]] {
            let mut run = utf8();
            let out = run.args([command, "-0"]).args(names).write_stdin("a\0b\0").assert().code(2);
            out.stdout("").stderr(contains("--files-from - reads them from standard input"));
        }
    }
}

#[test]
fn a_list_with_other_ends_of_names_is_explained() {
    let dir = listed();
    dir.write("list", "a\n\nb c\0sub.d\0\nb c\n");
    let out = dir.validate().args(["-c", "--files-from", "list"]).assert().code(2);
    let advice = "(--null reads a list whose names end with NUL)\n";
    out.stdout("a:1\nb c:0\n")
        .stderr(format!("utf8: list: line 3 contains NUL, which no name can {advice}"));
    // A list with lines that is read with --null is one name.
    dir.write("list", "a\n".repeat(40_000));
    let out = dir.validate().args(["-0", "--files-from", "list"]).assert().code(2);
    out.stderr(
        "utf8: list: a name in this list is too long (without --null, a list has a name a line)\n",
    );
    dir.write("list", "a\0".repeat(40_000));
    let out = dir.validate().args(["--files-from", "list"]).assert().code(2);
    out.stderr(format!("utf8: list: a name in this list is too long {advice}"));
}

#[test]
fn a_name_that_a_list_escapes_is_explained() {
    let dir = Dir::of(&[("back\\slash", b"\xFF")]);
    let list = dir.validate().args(["-l", "back\\slash"]).output().unwrap().stdout;
    let out = dir.validate().args(["--files-from", "-"]).write_stdin(list).assert().code(2);
    out.stderr(
        "utf8: back\\\\\\\\slash: No such file or directory (a list with lines escapes such names: \
         write and read it with -0)\n",
    );
}

#[test]
fn named_files_come_before_those_of_the_list() {
    let dir = listed();
    dir.write("list", "a\n");
    let out = dir.validate().args(["-c", "--files-from", "list", "b c"]).assert().code(1);
    out.stdout("b c:0\na:1\n");
}

#[test]
fn an_empty_list_names_nothing() {
    listed()
        .validate()
        .args(["-v", "--files-from", "-"])
        .write_stdin("")
        .assert()
        .code(0)
        .stderr("");
}

#[test]
fn a_list_that_cannot_be_read_is_trouble() {
    let out = listed().validate().args(["--files-from", "missing", "a"]).assert().code(2);
    out.stdout(contains("a:1:1")).stderr(contains("utf8: missing: No such file or directory"));
}

#[test]
fn a_directory_in_a_list_is_skipped_with_a_note() {
    let dir = listed();
    fs::create_dir(dir.path("folder")).unwrap();
    let out = dir.validate().args(["-c", "--files-from", "-"]).write_stdin("folder\na\n").assert();
    out.code(1).stdout("a:1\n").stderr("folder: is a directory, skipped\n");
    let out =
        dir.validate().args(["-q", "--files-from", "-"]).write_stdin("folder\nb c\n").assert();
    out.code(0).stderr("");
}

#[test]
fn a_directory_on_the_command_line_is_an_error() {
    let dir = listed();
    fs::create_dir(dir.path("a folder")).unwrap();
    let refused = |command: &str, message: &str| {
        let mut run = utf8();
        run.current_dir(dir.path("")).args([command, "a folder"]);
        let message = format!("utf8: a folder: is a directory ({message})\n");
        run.assert().code(2).stdout("").stderr(message);
    };
    refused("dump-bits", "name a file");
    for command in ["decode", "encode", "repair"] {
        refused(
            command,
            "add -i -r to rewrite the files in it, -i -r --check to list those that would change",
        );
    }
}

#[test]
fn names_that_are_not_utf_8_are_files_like_others() {
    let dir = Dir::new();
    if !dir.try_write(b"caf\xE9", b"\xC0\xAF") {
        return skipped("a name in Latin-1", "the file system takes none");
    }
    let line = "caf\\xE9:1:1: byte 0x0 (0): overlong 2-byte form C0 AF of U+002F [overlong-2]\n";
    let name = OsStr::from_bytes(b"caf\xE9");
    dir.validate().arg(name).assert().code(1).stdout(line);
    let list = b"caf\xE9\n".to_vec();
    dir.validate().args(["--files-from", "-"]).write_stdin(list).assert().code(1).stdout(line);
    dir.validate().arg("-l0").arg(name).assert().code(1).stdout(&b"caf\xE9\0"[..]);
    dir.validate().arg("-l").arg(name).assert().code(1).stdout("caf\\xE9\n");
}

#[test]
fn a_missing_file_exits_2_after_the_others() {
    let out = listed().validate().args(["-c", "a", "missing", "b c"]).assert().code(2);
    let said = predicate::str::starts_with("utf8: missing: No such file or directory (");
    out.stdout("a:1\nb c:0\n").stderr(said);
}

#[test]
fn an_unreadable_file_exits_2_after_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let dir = listed();
    fs::set_permissions(dir.path("a"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(dir.path("a")).is_ok() {
        return skipped("an unreadable file", "this user may read everything");
    }
    let out = dir.validate().args(["-c", "a", "sub.d"]).assert().code(2);
    let said = predicate::str::starts_with("utf8: a: Permission denied (");
    out.stdout("sub.d:1\n").stderr(said);
}
