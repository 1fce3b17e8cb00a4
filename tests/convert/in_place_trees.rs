//! Directories as inputs of `utf8 decode -i -r` and `utf8 encode -i -r`.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use crate::common::bin::{Dir, objects, utf8};

/// A directory `t` with hidden, ignored, converted and binary files.
fn tree() -> Dir {
    let dir = Dir::new();
    for folder in ["t", "t/.hidden", "t/sub"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    for (name, bytes) in [
        ("t/.gitignore", &b"*.log\n"[..]),
        ("t/.hidden/a", b"caf\xE9\n"),
        ("t/c.log", b"\xE9"),
        ("t/p.png", b"\x89PNG\r\n\x1A\n\xE9"),
        ("t/done", "café\n".as_bytes()),
        ("t/fine", "naïve\n".as_bytes()),
        ("t/sub/b", b"\xE9t\xE9\n"),
        ("t/wide", b"\xFF\xFEa\0"),
    ] {
        dir.write(name, bytes);
    }
    dir
}

fn run(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).args(args);
    command
}

#[test]
fn a_directory_is_converted_once() {
    let dir = tree();
    let args = ["decode", "-f", "latin1", "-i", "-r", "t"];
    let out = run(&dir, &args).assert().code(0).stdout("");
    out.stderr(
        starts_with(
            "t/.hidden/a: converted from iso-8859-1 to utf-8\n\
             t/sub/b: converted from iso-8859-1 to utf-8\n\
             t/wide: is utf-16: skipped (utf8 decode -f utf-16 -i t/wide converts it to UTF-8)\n\
             total: 2 files are already utf-8: unchanged (--reconvert converts them anyway)\n\
             6 files checked in ",
        )
        .and(contains(
            " s, 2 converted, 1 unchanged, 2 already converted, 1 in another encoding; skipped: 1 binary file\n",
        )),
    );
    assert_eq!(fs::read(dir.path("t/sub/b")).unwrap(), "été\n".as_bytes());
    let before =
        ["t/c.log", "t/p.png", "t/wide", "t/sub/b"].map(|it| fs::read(dir.path(it)).unwrap());
    let out = run(&dir, &args).assert().code(0);
    out.stderr(contains(" s, 1 unchanged, 4 already converted, 1 in another encoding; "));
    let after =
        ["t/c.log", "t/p.png", "t/wide", "t/sub/b"].map(|it| fs::read(dir.path(it)).unwrap());
    assert_eq!(after, before);
    assert_eq!(before[..2], [b"\xE9".to_vec(), b"\x89PNG\r\n\x1A\n\xE9".to_vec()]);
}

#[test]
fn dry_runs_list_the_files_of_a_directory() {
    let dir = tree();
    let base = ["decode", "-f", "latin1", "-i", "-r", "-g", "!wide", "t"];
    let out = run(&dir, &[&base[..], &["--check"]].concat()).assert().code(1);
    out.stdout("t/.hidden/a\nt/sub/b\n").stderr(contains(" s, 2 would change, 1 unchanged, 2 al"));
    let out = run(&dir, &[&base[..], &["--diff"]].concat()).assert().code(1);
    let shown = &out.get_output().stdout;
    assert!(shown.starts_with(b"--- t/.hidden/a\n+++ t/.hidden/a\n@@ -1,1 +1,1 @@\n-caf\xE9\n"));
    let out = run(&dir, &[&base[..], &["--stats", "--check"]].concat()).assert().code(1);
    out.stderr(contains("t/sub/b: "));
    assert_eq!(fs::read(dir.path("t/sub/b")).unwrap(), b"\xE9t\xE9\n");
    let out = run(&dir, &[&base[..], &["--format=json", "-q"]].concat()).assert().code(0);
    let told = objects(&out.stderr("").get_output().stdout);
    let paths: Vec<_> = told.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["t/.gitignore", "t/.hidden/a", "t/done", "t/fine", "t/sub/b"]);
}

#[test]
fn a_directory_needs_both_options() {
    let dir = tree();
    for args in [&["decode", "-f", "latin1", "t"][..], &["encode", "-i", "-t", "latin1", "t"]] {
        let said = "utf8: t: is a directory (add -i -r to rewrite the files in it, ";
        run(&dir, args).assert().code(2).stdout("").stderr(starts_with(said));
    }
    let out = run(&dir, &["encode", "-r", "-t", "latin1", "t"]).assert().code(2);
    out.stderr(starts_with("utf8: --recursive needs --in-place (add -i to "));
}

#[test]
fn files_with_a_declared_encoding_are_left() {
    let dir = tree();
    dir.write("t/.gitattributes", "sub/* working-tree-encoding=latin1\n*.png -binary\n");
    let args = ["encode", "-t", "utf-16be", "-i", "-r", "-g", "b", "t"];
    let out = run(&dir, &args).assert().code(0);
    out.stderr(starts_with(
        "t/sub/b: is iso-8859-1 by .gitattributes: skipped (--from iso-8859-1 ",
    ));
    let args = ["decode", "-f", "latin1", "-i", "-r", "-q", "-g", "b", "t"];
    run(&dir, &args).assert().code(0).stderr("");
    assert_eq!(fs::read(dir.path("t/sub/b")).unwrap(), "été\n".as_bytes());
}

#[test]
fn text_of_wide_units_is_read_where_it_is_named_or_detected() {
    for from in ["utf-16", "auto"] {
        let dir = tree();
        let args = ["decode", "-f", from, "-i", "-r", "-q", "-g", "wide", "t"];
        run(&dir, &args).assert().code(0).stderr("");
        assert_eq!(fs::read(dir.path("t/wide")).unwrap(), b"a");
    }
}
