//! `--tracked`: the files that git tracks.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Output};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::common::bin::{Dir, skipped, utf8};

/// Runs git in a directory, with no configuration but that of the repository. Returns `None` if
/// there is no git.
fn git(dir: &Dir, args: &[&str]) -> Option<Output> {
    let mut git = Command::new("git");
    git.current_dir(dir.path("")).env("HOME", dir.path("")).env("GIT_CONFIG_NOSYSTEM", "1");
    git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(args).output().ok()
}

/// A repository `r` with tracked, ignored, deleted and other files; `None` without git.
fn repository() -> Option<Dir> {
    let dir = Dir::new();
    if !git(&dir, &["init", "-q", "r"])?.status.success() {
        return None;
    }
    fs::create_dir(dir.path("r/sub")).unwrap();
    fs::create_dir(dir.path("r/moved")).unwrap();
    for (name, bytes) in [
        ("r/.gitignore", &b"*.log\n"[..]),
        ("r/a.log", b"\xFF"),
        ("r/b.txt", b"ok\n"),
        ("r/gone.txt", b"\xFF"),
        ("r/moved/m.txt", b"\xFF"),
        ("r/sub/c.txt", b"c\xFF\n"),
        ("r/typed", b"\xFF"),
        ("r/bin", b"\0\xFF"),
    ] {
        dir.write(name, bytes);
    }
    symlink("b.txt", dir.path("r/link")).unwrap();
    git(&dir, &["-C", "r", "add", "-f", "."])?;
    fs::remove_file(dir.path("r/gone.txt")).unwrap();
    fs::remove_dir_all(dir.path("r/moved")).unwrap();
    symlink("sub", dir.path("r/moved")).unwrap();
    fs::remove_file(dir.path("r/typed")).unwrap();
    symlink("b.txt", dir.path("r/typed")).unwrap();
    dir.write("r/untracked", b"\xFF");
    Some(dir)
}

/// Returns the names of the files with findings, in their order.
fn faulty(dir: &Dir, args: &[&str]) -> Vec<String> {
    let out = dir.validate().args(["-l", "--tracked"]).args(args).output().unwrap();
    String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn tracked_files_are_those_of_git() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    assert_eq!(faulty(&dir, &["r"]), ["r/a.log", "r/sub/c.txt"]);
    assert_eq!(faulty(&dir, &["r", "--binary"]), ["r/a.log", "r/bin", "r/sub/c.txt"]);
    assert_eq!(faulty(&dir, &["r", "-g", "*.txt"]), ["r/sub/c.txt"]);
    assert_eq!(faulty(&dir, &["r", "--exclude", "sub"]), ["r/a.log"]);
    assert_eq!(faulty(&dir, &["r", "--max-filesize", "2"]), ["r/a.log"]);
    assert_eq!(faulty(&dir, &["r", "--type", "txt"]), ["r/sub/c.txt"]);
    assert_eq!(faulty(&dir, &["r/sub", "r/untracked"]), ["r/sub/c.txt", "r/untracked"]);
    let out = dir.validate().args(["-v", "--tracked", "r"]).assert().code(1);
    out.stderr(
        contains("r/gone.txt: skipped: tracked, but not in the work tree\n")
            .and(contains("r/moved/m.txt: skipped: tracked, but not in the work tree\n"))
            .and(contains("r/link: skipped: no regular file\n"))
            .and(contains("r/typed: skipped: no regular file\n"))
            .and(contains("r/bin: skipped: binary (--binary reads it)\n"))
            .and(contains("\n4 files checked in "))
            .and(contains(
                " 2 are ill-formed; 2 findings: 2 invalid-fe-ff; skipped: 1 binary file, \
                 2 that are no regular files, 2 not in the work tree\n",
            )),
    );
}

#[test]
fn without_a_name_the_current_directory_is_read() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    for (folder, names) in [("r", "a.log\nsub/c.txt\n"), ("r/sub", "c.txt\n")] {
        let mut run = dir.validate();
        run.current_dir(dir.path(folder)).args(["-l", "--tracked"]).write_stdin("\n");
        run.assert().code(1).stdout(names);
    }
    let mut run = utf8();
    run.current_dir(dir.path("r"))
        .args(["detect", "--tracked"])
        .assert()
        .code(0)
        .stdout(".gitignore: us-ascii\na.log: unknown\nb.txt: us-ascii\nsub/c.txt: unknown\n");
}

#[test]
fn an_unmerged_file_is_read_once() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    let object = git(&dir, &["-C", "r", "hash-object", "-w", "b.txt"]).unwrap().stdout;
    let object = String::from_utf8(object).unwrap();
    let entries = [1, 2, 3].map(|stage| format!("100644 {} {stage}\tz.txt\n", object.trim()));
    dir.write("entries", entries.concat());
    dir.write("r/z.txt", b"<<<<\xFF");
    let mut shell = Command::new("sh");
    shell.args(["-c", "git -C r update-index --index-info < entries"]).current_dir(dir.path(""));
    assert!(shell.status().unwrap().success());
    assert_eq!(faulty(&dir, &["r", "-g", "z.txt"]), ["r/z.txt"]);
}

#[test]
fn submodules_are_entered_on_request() {
    let Some(dir) = repository() else { return skipped("--submodules", "there is no git") };
    git(&dir, &["init", "-q", "other"]).unwrap();
    dir.write("other/o.txt", b"o\xFF");
    git(&dir, &["-C", "other", "add", "."]).unwrap();
    git(&dir, &["-C", "other", "commit", "-qm", "x"]).unwrap();
    let args = ["-c", "protocol.file.allow=always", "-C", "r", "submodule", "--quiet", "add"];
    let added = git(&dir, &[&args[..], &["../other", "module"]].concat()).unwrap();
    assert!(added.status.success(), "{added:?}");
    let own = ["r/a.log", "r/sub/c.txt"];
    assert_eq!(faulty(&dir, &["r"]), own);
    let entered = [own[0], "r/module/o.txt", own[1]];
    assert_eq!(faulty(&dir, &["r", "--submodules"]), entered);
    let walked = |args: &[&str]| {
        let out = dir.validate().args(["-l", "r"]).args(args).output().unwrap();
        String::from_utf8(out.stdout).unwrap()
    };
    assert_eq!(walked(&[]), "r/sub/c.txt\nr/untracked\n");
    assert_eq!(walked(&["--submodules"]), "r/module/o.txt\nr/sub/c.txt\nr/untracked\n");
    let out = dir.validate().args(["-v", "r"]).assert().code(1);
    out.stderr(contains("r/module: skipped: a repository of its own (--submodules enters it)\n"));
}

/// git add of a repository makes an entry without .gitmodules, which git itself does not enter.
#[test]
fn repositories_that_are_no_submodules_are_entered_on_request() {
    let Some(dir) = repository() else { return skipped("--submodules", "there is no git") };
    for (repository, file) in [("r/inner/deep", "d.txt"), ("r/inner", "i.txt")] {
        git(&dir, &["init", "-q", repository]).unwrap();
        dir.write(format!("{repository}/{file}"), b"\xFF");
        git(&dir, &["-C", repository, "add", "."]).unwrap();
        git(&dir, &["-C", repository, "commit", "-qm", "x"]).unwrap();
    }
    git(&dir, &["-C", "r", "add", "inner"]).unwrap();
    let own = ["r/a.log", "r/sub/c.txt"];
    assert_eq!(faulty(&dir, &["r"]), own);
    let entered = [own[0], "r/inner/deep/d.txt", "r/inner/i.txt", own[1]];
    assert_eq!(faulty(&dir, &["r", "--submodules"]), entered);
    // The variables of a hook are about the outer repository.
    let mut hook = dir.validate();
    hook.current_dir(dir.path("r")).env("GIT_DIR", ".git").env("GIT_INDEX_FILE", ".git/index");
    let hook = hook.args(["-l", "--tracked", "--submodules"]).assert().code(1);
    hook.stdout("a.log\ninner/deep/d.txt\ninner/i.txt\nsub/c.txt\n");
    // A link in place of the repository leads nowhere, and a directory without one is left out.
    fs::rename(dir.path("r/inner/deep"), dir.path("deep")).unwrap();
    symlink("../../deep", dir.path("r/inner/deep")).unwrap();
    assert_eq!(faulty(&dir, &["r", "--submodules"]), [own[0], "r/inner/i.txt", own[1]]);
    fs::remove_file(dir.path("r/inner/deep")).unwrap();
    fs::create_dir(dir.path("r/inner/deep")).unwrap();
    assert_eq!(faulty(&dir, &["r", "--submodules"]), [own[0], "r/inner/i.txt", own[1]]);
    // Its .git is no repository: the outer one is not listed again.
    fs::create_dir(dir.path("r/inner/deep/.git")).unwrap();
    let out = dir.validate().args(["--tracked", "--submodules", "r"]).assert().code(2);
    out.stderr(contains("is in no git repository"));
}

#[test]
fn a_hostile_configuration_runs_nothing() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    dir.write("evil", "#!/bin/sh\necho ran >> \"$RAN\"\n");
    fs::set_permissions(dir.path("evil"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::copy(dir.path("evil"), dir.path("r/.git/hooks/post-index-change")).unwrap();
    let evil = dir.path("evil");
    let evil = evil.to_str().unwrap();
    let alias = format!("!{evil}");
    for (name, value) in [
        ("core.fsmonitor", evil),
        ("core.pager", evil),
        ("core.sshCommand", evil),
        ("core.hooksPath", ".git/hooks"),
        ("pager.ls-files", evil),
        ("alias.ls-files", &alias),
        ("filter.x.clean", evil),
        ("filter.x.process", evil),
    ] {
        git(&dir, &["-C", "r", "config", name, value]).unwrap();
    }
    dir.write("r/.gitattributes", b"* filter=x\n");
    let ran = dir.path("ran");
    // The files are written later than the index: git cannot tell that they are unchanged.
    dir.write("r/b.txt", b"other\n");
    dir.validate().args(["--tracked", "r"]).env("RAN", &ran).assert().code(1);
    assert!(!ran.exists());
}

#[test]
fn failures_of_git_are_said_in_a_line() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    fs::create_dir(dir.path("plain")).unwrap();
    let mut run = dir.validate();
    run.args(["--tracked", "plain"]).env("GIT_CEILING_DIRECTORIES", dir.path(""));
    run.assert()
        .code(2)
        .stdout("")
        .stderr("utf8: plain: is in no git repository (leave out --tracked, or run git init)\n");
    dir.validate().args(["--tracked", "r"]).env("PATH", dir.path("")).assert().code(2).stderr(
        "utf8: r: --tracked needs git, which is not in PATH (without --tracked, .gitignore \
         decides)\n",
    );
    git(&dir, &["init", "-q", "--bare", "bare"]).unwrap();
    let out = dir.validate().args(["--tracked", "bare"]).assert().code(2);
    out.stderr("utf8: bare: is in no work tree of git (leave out --tracked)\n");
    dir.write("r/.git/index", b"DIRC broken");
    let out = dir.validate().args(["--tracked", "r"]).assert().code(2).stdout("");
    out.stderr(contains("utf8: r: git ls-files failed: fatal: "));
    fs::remove_file(dir.path("r/.git/index")).unwrap();
    dir.validate()
        .args(["--tracked", "r"])
        .assert()
        .code(2)
        .stderr("utf8: r: no file to check (git add adds files)\n");
}

#[test]
fn a_hook_reads_the_index_that_git_names() {
    let Some(dir) = repository() else { return skipped("--tracked", "there is no git") };
    let mut run = dir.validate();
    run.current_dir(dir.path("r")).args(["-l", "--tracked", "sub"]);
    run.env("GIT_DIR", ".git").env("GIT_INDEX_FILE", ".git/index");
    run.assert().code(1).stdout("sub/c.txt\n");
}
