//! Directories as inputs of `utf8 repair -i -r`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command as Process;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};

use crate::common::bin::{Dir, objects, skipped, utf8};
use crate::common::replace::{names, stamp, text};

/// A directory `t` with hidden, ignored, binary, ill-formed and special files.
fn tree() -> Dir {
    let dir = Dir::new();
    for folder in ["t", "t/.git", "t/.github", "t/sub", "t/build"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    for (name, bytes) in [
        ("t/.gitignore", &b"*.log\nbuild/\n"[..]),
        ("t/.git/config", b"\xFF"),
        ("t/.github/a.yml", b"a\xFF\n"),
        ("t/build/x", b"\xFF"),
        ("t/c.log", b"\xFF"),
        ("t/bin", b"x\0\xFF"),
        ("t/good", b"good\n"),
        ("t/sub/b.txt", b"b\xFF\n"),
        ("outside", b"\xFF"),
    ] {
        dir.write(name, bytes);
    }
    symlink("../outside", dir.path("t/link")).unwrap();
    symlink("..", dir.path("t/up")).unwrap();
    dir
}

/// The files that are left out.
const LEFT: [(&str, &[u8]); 5] = [
    ("t/.git/config", b"\xFF"),
    ("t/build/x", b"\xFF"),
    ("t/c.log", b"\xFF"),
    ("t/bin", b"x\0\xFF"),
    ("outside", b"\xFF"),
];

/// Returns a command for `utf8 repair -i -r --on-error replace` in a directory.
fn repair(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command
        .current_dir(dir.path("."))
        .args(["repair", "-i", "-r", "--on-error=replace"])
        .args(args);
    command
}

/// Returns `true` if the ill-formed byte of a file is replaced.
fn is_repaired(dir: &Dir, name: &str) -> bool {
    fs::read(dir.path(name)).unwrap().windows(3).any(|bytes| bytes == b"\xEF\xBF\xBD")
}

#[test]
fn the_files_that_a_check_reads_are_repaired() {
    let dir = tree();
    let out = repair(&dir, &["t"]).assert().code(0).stdout("");
    out.stderr(
        starts_with(
            "utf8: t/.github/a.yml: repaired, 1 sequence replaced\n\
             utf8: t/sub/b.txt: repaired, 1 sequence replaced\n4 files checked in ",
        )
        .and(ends_with(
            " s, 2 repaired, 2 unchanged; skipped: 1 binary file, 2 that are no regular files\n",
        )),
    );
    assert_eq!(text(dir.path("t/sub/b.txt")), "b\u{FFFD}\n");
    for (name, bytes) in LEFT {
        assert_eq!(fs::read(dir.path(name)).unwrap(), bytes, "{name}");
    }
    let before = stamp(dir.path("t/sub/b.txt"));
    let again = repair(&dir, &["t"]).assert().code(0).stdout("");
    again.stderr(starts_with("4 files checked in ").and(contains(" s, 4 unchanged; skipped: ")));
    assert_eq!(stamp(dir.path("t/sub/b.txt")), before);
    dir.validate().arg("t").assert().code(0);
}

#[test]
fn options_select_the_files() {
    for (args, repaired) in [
        (&["t"][..], &["t/.github/a.yml", "t/sub/b.txt"][..]),
        (&["--no-ignore", "t"], &["t/.github/a.yml", "t/build/x", "t/c.log", "t/sub/b.txt"]),
        (&["--binary", "t"], &["t/.github/a.yml", "t/bin", "t/sub/b.txt"]),
        (&["-g", "*.txt", "t"], &["t/sub/b.txt"]),
        (&["--exclude", "sub", "t"], &["t/.github/a.yml"]),
        (&["--type", "yaml", "t"], &["t/.github/a.yml"]),
        (&["--max-filesize", "2", "--binary", "t"], &[]),
        (&["t/build"], &["t/build/x"]),
        (&["t/sub", "t/c.log"], &["t/c.log", "t/sub/b.txt"]),
        (&["--force-exclude", "-g", "*.txt", "t/sub/b.txt", "t/c.log"], &["t/sub/b.txt"]),
    ] {
        let dir = tree();
        let _ = repair(&dir, args).assert();
        let all = ["t/.github/a.yml", "t/bin", "t/build/x", "t/c.log", "t/sub/b.txt", "outside"];
        let found: Vec<_> = all.into_iter().filter(|name| is_repaired(&dir, name)).collect();
        assert_eq!(found, repaired, "{args:?}");
    }
}

#[test]
fn tracked_files_are_those_of_git() {
    let dir = tree();
    fs::remove_dir_all(dir.path("t/.git")).unwrap();
    let git = |args: &[&str]| {
        let run = Process::new("git").current_dir(dir.path("t")).args(args).output();
        run.is_ok_and(|done| done.status.success())
    };
    if !git(&["init", "-q"]) || !git(&["add", "-f", "c.log", "sub/b.txt"]) {
        return skipped("tracked files", "there is no git");
    }
    fs::remove_file(dir.path("t/sub/b.txt")).unwrap();
    let out = repair(&dir, &["--tracked", "t"]).assert().code(0);
    out.stderr(contains("1 repaired; skipped: 1 not in the work tree"));
    assert!(is_repaired(&dir, "t/c.log") && !is_repaired(&dir, "t/.github/a.yml"));
}

#[test]
fn a_directory_needs_both_options() {
    let dir = tree();
    let run = |args: &[&str], message: &str| {
        let mut command = utf8();
        let out = command.current_dir(dir.path(".")).arg("repair").args(args).assert().code(2);
        out.stdout("").stderr(contains(message));
    };
    let rewrites = "utf8: t: is a directory (add -i -r to rewrite the files in it, -i -r --check to list \
                    those that would change)\n";
    for args in [&["t"][..], &["-i", "t"], &["-i", "--force-exclude", "t"]] {
        run(args, rewrites);
    }
    for (option, shows) in [("--check", "list the files"), ("--diff", "show the lines")] {
        let said = format!("t: is a directory (add -i -r to {shows} that would change)\n");
        run(&[option, "t"], &said);
        let said = format!("--recursive needs --in-place (add -i to {shows} that would change)\n");
        run(&["-r", option, "t"], &said);
    }
    run(
        &["-r", "t"],
        "--recursive needs --in-place (add -i to rewrite the files in directories, -i --check to list \
         those that would change)\n",
    );
    run(&["-i", "-r"], "utf8: --recursive needs a directory (-i -r . ");
    run(&["-i", "-g", "*.txt", "t/c.log"], "utf8: --glob needs -i -r (or --force-exclude");
    run(&["-i", "--tracked", "t/c.log"], "utf8: --tracked needs -i -r\n");
    run(&["--force-exclude", "t/c.log"], "utf8: --force-exclude needs --in-place or --check\n");
    run(&["-i", "-r", "--glob", "./x", "t"], "'./x' matches nothing");
    assert!(!is_repaired(&dir, "t/sub/b.txt") && !is_repaired(&dir, "t/c.log"));
}

#[test]
fn nothing_to_repair_is_an_error() {
    let dir = tree();
    let out = repair(&dir, &["-g", "*.none", "t"]).assert().code(2).stdout("");
    out.stderr("utf8: t: no file to check (--glob, --exclude or --type leave out the others)\n");
    let args = ["--force-exclude", "--exclude", "*.log", "t/c.log"];
    let out = repair(&dir, &args).assert().code(0);
    out.stderr("utf8: nothing to check: 1 file excluded\n");
}

#[test]
fn dry_runs_and_records_are_those_of_files() {
    let dir = tree();
    let check = repair(&dir, &["--check", "t"]).assert().code(1);
    check.stdout("t/.github/a.yml\nt/sub/b.txt\n").stderr(contains(" s, 2 would change, 2 unch"));
    let check = repair(&dir, &["--check", "-q", "-0", "t/sub"]).assert().code(1);
    check.stdout("").stderr("");
    let diff = repair(&dir, &["--diff", "t"]).assert().code(1);
    let shown = &diff.get_output().stdout;
    assert!(
        shown.starts_with(b"--- t/.github/a.yml\n+++ t/.github/a.yml\n@@ -1,1 +1,1 @@\n-a\xFF\n")
    );
    let stats = repair(&dir, &["--check", "--stats", "t/sub"]).assert().code(1);
    stats.stderr(starts_with("t/sub/b.txt: 3 bytes, 5 after 1 change: 1 on-error\n"));
    assert!(!is_repaired(&dir, "t/sub/b.txt"));
    let json = repair(&dir, &["--format=json", "-q", "t"]).assert().code(0).stderr("");
    let told = objects(&json.get_output().stdout);
    let summaries = told.iter().filter(|it| it["type"] == "summary");
    let paths: Vec<_> = summaries.map(|it| it["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!(paths, ["t/.github/a.yml", "t/.gitignore", "t/good", "t/sub/b.txt"]);
    let again = repair(&dir, &["--check", "t"]).assert().code(0).stdout("");
    again.stderr(contains(" s, 4 unchanged; skipped: "));
}

#[test]
fn an_untreated_fault_leaves_its_file_only() {
    let dir = tree();
    dir.write("t/cr", b"a\r\n");
    let mut command = utf8();
    command.current_dir(dir.path("."));
    let out = command.args(["repair", "-i", "-r", "--newlines=lf", "t"]).assert().code(1);
    out.stderr(
        contains("t/cr: repaired, 1 line end replaced\n")
            .and(contains("t/sub/b.txt: byte 1: "))
            .and(contains(" s, 1 repaired, 2 unchanged, 2 with errors, unchanged; skipped: ")),
    );
    assert_eq!(text(dir.path("t/cr")), "a\n");
    assert_eq!(fs::read(dir.path("t/sub/b.txt")).unwrap(), b"b\xFF\n");
}

#[test]
fn products_of_the_run_are_left_out() {
    let dir = tree();
    dir.write("t/.utf8-0123456789abcdef.tmp", b"\xFF");
    dir.write("t/old.orig", b"\xFF");
    let args = ["--backup=.orig", "t", "t/sub", "t/sub/b.txt"];
    let out = repair(&dir, &args).assert().code(0);
    out.stderr(
        contains(" s, 2 repaired, 2 unchanged, 5 made by utf8 or backups; skipped: ")
            .and(contains("t/sub/b.txt: was replaced in this run: skipped\n"))
            .and(contains("orig: has the suffix").not()),
    );
    assert_eq!(fs::read(dir.path("t/sub/b.txt.orig")).unwrap(), b"b\xFF\n");
    assert!(is_repaired(&dir, "t/sub/b.txt") && !is_repaired(&dir, "t/old.orig"));
    let out = repair(&dir, &["-v", "--backup=.orig", "t"]).assert().code(0);
    out.stderr(
        contains("t/old.orig: has the suffix of backups, .orig: skipped\n")
            .and(contains("t/bin: skipped: binary (--binary reads it)\n")),
    );
    assert_eq!(names(&dir).len(), 2);
}

#[test]
fn backups_of_other_runs_are_left_out() {
    let dir = tree();
    for (name, bytes) in
        [("t/a.orig", b"\xFF"), ("t/sub/b.txt~", b"\xFE"), ("t/lone.orig", b"\xFD")]
    {
        dir.write(name, bytes);
    }
    dir.write("t/a", b"a");
    let out = repair(&dir, &["-v", "t"]).assert().code(0);
    out.stderr(
        contains("t/a.orig: is a backup of a: skipped (name it to rewrite it)\n")
            .and(contains("t/sub/b.txt~: is a backup of b.txt: skipped")),
    );
    assert_eq!(fs::read(dir.path("t/a.orig")).unwrap(), b"\xFF");
    assert_eq!(fs::read(dir.path("t/sub/b.txt~")).unwrap(), b"\xFE");
    assert!(is_repaired(&dir, "t/lone.orig"));
    repair(&dir, &["t/a.orig"]).assert().code(0);
    assert!(is_repaired(&dir, "t/a.orig"));
}

#[test]
fn rejected_lines_in_the_tree_are_no_input() {
    let dir = tree();
    for rejects in ["t/rejects", "t/sub/a-rejects"] {
        dir.write("t/sub/b.txt", b"b\xFF\nc\n");
        let args = ["--on-error=drop-line", "--rejects", rejects, "t"];
        let out = repair(&dir, &args).assert().code(0);
        out.stderr(contains("rejects:").not());
        assert!(fs::read(dir.path(rejects)).unwrap().ends_with(b"b\xFF\n"));
        fs::remove_file(dir.path(rejects)).unwrap();
    }
    // It exists before the run, too.
    dir.write("t/a", b"\xFF\n");
    dir.write("t/zz", b"old \xFF\n");
    let args = ["--on-error=drop-line", "--rejects", "t/zz", "t"];
    repair(&dir, &args).assert().code(0);
    assert_eq!(fs::read(dir.path("t/zz")).unwrap(), b"old \xFF\n\xFF\n");
}

#[test]
fn attributes_decide_as_for_a_check() {
    let dir = tree();
    let rules =
        "*.u16 working-tree-encoding=UTF-16LE\n*.dat binary\n*.no working-tree-encoding=x\n";
    dir.write("t/.gitattributes", rules);
    dir.write("t/a.u16", b"a\0\r\0\n\0");
    dir.write("t/b.dat", b"\xFF\r\n");
    dir.write("t/wide", b"\xFF\xFEa\0\r\0\n\0");
    dir.write("t/x.no", b"x\r\n");
    let out = repair(&dir, &["--newlines=lf", "t"]).assert().code(2);
    out.stderr(
        contains("t/a.u16: repaired, 1 line end replaced\n")
            .and(contains("\nt/wide: is utf-16: skipped (utf8 decode -f utf-16 -i t/wide "))
            .and(contains("utf8: t/x.no: "))
            .and(contains(" 1 in another encoding; skipped: 1 binary file, 1 that .gitattr")),
    );
    assert_eq!(fs::read(dir.path("t/a.u16")).unwrap(), b"a\0\n\0");
    assert_eq!(fs::read(dir.path("t/b.dat")).unwrap(), b"\xFF\r\n");
    assert_eq!(fs::read(dir.path("t/wide")).unwrap(), b"\xFF\xFEa\0\r\0\n\0");
    assert_eq!(text(dir.path("t/x.no")), "x\r\n");
    // Text in another encoding is left: not everything is repaired.
    repair(&dir, &["-g", "wide", "t"]).assert().code(1);
    let auto = repair(&dir, &["-f", "auto", "--newlines=lf", "-g", "wide", "t"]).assert().code(0);
    auto.stderr(starts_with("t/wide: repaired, 1 line end replaced\n"));
    assert_eq!(fs::read(dir.path("t/wide")).unwrap(), b"\xFF\xFEa\0\n\0");
}

#[test]
fn a_file_of_many_links_and_unreadable_folders_are_trouble() {
    let dir = tree();
    fs::hard_link(dir.path("t/sub/b.txt"), dir.path("t/again")).unwrap();
    let made = Process::new("mkfifo").arg(dir.path("t/fifo")).status();
    assert!(made.is_ok_and(|done| done.success()));
    let out = repair(&dir, &["t"]).assert().code(2);
    out.stderr(
        contains("t/again: has 2 hard links")
            .and(contains("t/sub/b.txt: has 2 hard links"))
            .and(contains(" s, 1 repaired, 2 unchanged, 2 failed; skipped: 1 binary file, 3 that")),
    );
    fs::remove_file(dir.path("t/again")).unwrap();
    fs::set_permissions(dir.path("t/sub"), fs::Permissions::from_mode(0o0)).unwrap();
    if fs::read_dir(dir.path("t/sub")).is_ok() {
        return skipped("a folder that cannot be read", "this user reads all");
    }
    let out = repair(&dir, &["t"]).assert().code(2);
    fs::set_permissions(dir.path("t/sub"), fs::Permissions::from_mode(0o755)).unwrap();
    out.stderr(contains("utf8: t/sub: Permission denied").and(contains(" 3 unchanged; skipped: ")));
}

#[test]
fn the_order_is_that_of_the_names() {
    let dir = Dir::new();
    for folder in ["d", "d/b", "d/a", "d/a.b"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    let files = ["d/b/z", "d/a/y", "d/a.b/x", "d/c", "d/A"];
    for name in files {
        dir.write(name, b"\xFF");
    }
    let out = repair(&dir, &["--check", "./d"]).assert().code(1);
    out.stdout("d/A\nd/a/y\nd/a.b/x\nd/b/z\nd/c\n");
    let out = repair(&dir, &["d"]).assert().code(0);
    let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    let named: Vec<_> = said.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(named, ["d/A", "d/a/y", "d/a.b/x", "d/b/z", "d/c"]);
}
