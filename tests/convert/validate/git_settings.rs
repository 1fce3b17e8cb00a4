//! Settings of git that name files of rules: `core.excludesFile` and `core.attributesFile`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::common::bin::{Dir, skipped};

/// Writes files, and the directories that they are in.
fn write(dir: &Dir, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        fs::create_dir_all(dir.path(name).parent().unwrap()).unwrap();
        dir.write(name, bytes);
    }
}

/// Sets the variables of git to files in the directory.
fn isolate(dir: &Dir, command: &mut Command) {
    command.env("HOME", dir.path("home")).env("GIT_CONFIG_SYSTEM", dir.path("system"));
    command.env("GIT_ATTR_NOSYSTEM", "1").current_dir(dir.path("t"));
    for variable in ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_DIR"] {
        command.env_remove(variable);
    }
}

/// Returns the names of the files in `t` that have findings.
fn faulty(dir: &Dir) -> BTreeSet<String> {
    let mut command = dir.raw();
    isolate(dir, &mut command);
    let out = command.args(["-l", "."]).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Returns the names of the files in `t` that git does not exclude; `None` without git.
fn listed_by_git(dir: &Dir) -> Option<BTreeSet<String>> {
    let mut git = Command::new("git");
    isolate(dir, &mut git);
    let out = git.args(["ls-files", "--others", "--exclude-standard"]).output().ok()?;
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// A repository `t` whose files are all ill-formed.
fn repository() -> Dir {
    let dir = Dir::new();
    for folder in ["home/.config/git", "t/.git/objects", "t/.git/refs", "t/sub"] {
        fs::create_dir_all(dir.path(folder)).unwrap();
    }
    write(&dir, &[("t/.git/HEAD", b"ref: refs/heads/main\n"), ("t/.git/config", b"")]);
    for name in ["a.txt", "b.log", "c.tmp", "d.bak", "sub/e.log", "kept.log"] {
        dir.write(Path::new("t").join(name), b"\xFF\n");
    }
    dir
}

#[test]
fn excludes_are_those_of_the_strongest_setting() {
    let dir = repository();
    let mut has_git = true;
    let mut check = |settings: &[(&str, &str)], excluded: &[&str]| {
        for (name, text) in settings {
            write(&dir, &[(name, text.as_bytes())]);
        }
        let all = ["a.txt", "b.log", "c.tmp", "d.bak", "sub/e.log", "kept.log"];
        let expected: BTreeSet<_> =
            all.iter().filter(|name| !excluded.contains(name)).map(|&name| name.into()).collect();
        assert_eq!(faulty(&dir), expected, "{settings:?}");
        match listed_by_git(&dir) {
            Some(listed) => assert_eq!(listed, expected, "git: {settings:?}"),
            None => has_git = false,
        }
    };
    let logs = ["b.log", "sub/e.log", "kept.log"];
    check(&[], &[]);
    check(&[("home/.config/git/ignore", "*.log\n")], &logs);
    check(&[("tmp", "*.tmp\n"), ("system", "[core]\nexcludesFile = ../tmp\n")], &["c.tmp"]);
    // A value of the user, and then of the repository, overrides those before.
    check(
        &[("home/x", "*.bak\n"), ("home/.gitconfig", "[core]\n\texcludesfile = ~/x # mine\n")],
        &["d.bak"],
    );
    let quoted = "[core \"x\"]\nexcludesFile=no\n[Core] ExcludesFile = \"../r u\"l'es' ; x\n";
    check(&[("r ul'es'", "*.log\n"), ("t/.git/config", quoted)], &logs);
    // It is weaker than .gitignore.
    check(&[("t/.gitignore", "!kept.log\n.gitignore\n")], &["b.log", "sub/e.log"]);
    check(&[("t/.git/config", "[core]\nexcludesFile =\n")], &[]);
    check(&[("t/.git/config", "[core]\nexcludesFile = missing\n")], &[]);
    if !has_git {
        skipped("core.excludesFile", "there is no git to compare with");
    }
}

/// Runs a command on arguments in a folder of the directory. Returns the lines of its output, from
/// the folder.
fn lines_of(mut command: Command, dir: &Dir, folder: &str, args: &[&str]) -> BTreeSet<String> {
    isolate(dir, &mut command);
    let out = command.current_dir(dir.path(folder)).args(args).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn excludes_are_matched_from_the_top_of_the_repository() {
    let dir = repository();
    for folder in ["t/nested/.git/objects", "t/nested/.git/refs"] {
        fs::create_dir_all(dir.path(folder)).unwrap();
    }
    write(&dir, &[("t/nested/.git/HEAD", b"ref: refs/heads/main\n")]);
    let names = ["a.txt", "sub/a.txt", "sub/x.txt", "sub/deep/n.md", "sub/deep/sub/x.txt"];
    for name in names.iter().chain(&["deep/n.md", "nested/a.txt", "nested/sub/a.txt"]) {
        write(&dir, &[(&format!("t/{name}"), b"\xFF\n")]);
    }
    let rules = b"/a.txt\nsub/x.txt\n/*/deep/*.md\n**/e.log\n!/b.log\n*.bak\n";
    write(&dir, &[("home/.config/git/ignore", rules)]);
    let has_git = Command::new("git").arg("--version").output().is_ok();
    let check = |expected: &[&str]| {
        let expected: BTreeSet<String> = expected.iter().map(|&name| name.to_owned()).collect();
        let git = ["ls-files", "--others", "--exclude-standard"];
        if has_git {
            let mut listed = lines_of(Command::new("git"), &dir, "t", &git);
            listed.extend(
                lines_of(Command::new("git"), &dir, "t/nested", &git)
                    .iter()
                    .map(|name| format!("nested/{name}")),
            );
            listed.remove("nested/");
            assert_eq!(listed, expected);
        }
        // From the top, from above and from inside, by several paths.
        let absolute = dir.path("t").canonicalize().unwrap();
        let absolute = absolute.to_str().unwrap();
        for (folder, path, shown, below) in [
            ("t", ".", "", ""),
            (".", "t", "t/", ""),
            ("home", "../t/", "../t/", ""),
            ("t", "sub", "sub/", "sub/"),
            ("t/sub", ".", "", "sub/"),
            ("t/sub/deep", "../deep", "../deep/", "sub/deep/"),
            ("home", absolute, &format!("{absolute}/"), ""),
        ] {
            let found = lines_of(dir.raw(), &dir, folder, &["-l", "--submodules", path]);
            let expected = expected.iter().filter_map(|name| name.strip_prefix(below));
            let expected: BTreeSet<_> = expected.map(|name| format!("{shown}{name}")).collect();
            assert_eq!(found, expected, "{path} in {folder}");
        }
    };
    let kept =
        ["b.log", "c.tmp", "deep/n.md", "kept.log", "nested/sub/a.txt", "sub/a.txt"].as_slice();
    check(&[kept, &["sub/deep/sub/x.txt"]].concat());
    // It is weaker than all other rules.
    write(&dir, &[("t/sub/.gitignore", b"!x.txt\n!deep/n.md\n.gitignore\n")]);
    check(&[kept, &["sub/deep/n.md", "sub/deep/sub/x.txt", "sub/x.txt"]].concat());
    write(&dir, &[("t/.git/info/exclude", b"x.txt\n!*.bak\n")]);
    check(&[kept, &["d.bak", "sub/deep/n.md", "sub/deep/sub/x.txt", "sub/x.txt"]].concat());
    if !has_git {
        skipped("patterns of core.excludesFile", "there is no git to compare with");
    }
}

/// Returns the names that git excludes in a folder; `None` without git.
fn excluded_by_git(dir: &Dir, folder: &str, names: &[&str]) -> Option<BTreeSet<String>> {
    let mut git = Command::new("git");
    isolate(dir, &mut git);
    let out = git.current_dir(dir.path(folder)).arg("check-ignore").args(names).output().ok()?;
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
    Some(String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn rules_of_git_count_from_the_top_of_the_repository() {
    let dir = repository();
    let names = ["a.txt", "b.log", "c.tmp", "d.bak", "sub/e.log", "kept.log"];
    let check = |folder: &str, expected: &[&str]| {
        let found = lines_of(dir.raw(), &dir, folder, &["-l", "."]);
        let left = names.iter().filter(|name| found.contains(**name)).copied();
        assert_eq!(left.collect::<Vec<_>>(), expected, "{folder}");
        let excluded = names.iter().filter(|name| !expected.contains(name));
        match excluded_by_git(&dir, folder, &names) {
            Some(found) => assert_eq!(found, excluded.map(|&name| name.to_owned()).collect()),
            None => skipped("the top of a repository", "there is no git to compare with"),
        }
    };
    write(&dir, &[(".gitignore", b"a.txt\n!*.log\n"), (".git/info/exclude", b"c.tmp\n!b.log\n")]);
    write(&dir, &[("home/.config/git/ignore", b"*.log\n")]);
    check("t", &["a.txt", "c.tmp", "d.bak"]);
    // A work tree has the excludes of its repository.
    let own = dir.path("t/.git/worktrees/w");
    for name in names {
        write(&dir, &[(&format!("w/{name}"), b"\xFF\n")]);
    }
    write(
        &dir,
        &[
            ("t/.git/info/exclude", b"!kept.log\n*.bak\n"),
            ("t/.git/worktrees/w/HEAD", b"ref: refs/heads/w\n"),
            ("t/.git/worktrees/w/commondir", b"../..\n"),
            ("w/.git", format!("gitdir: {}\n", own.display()).as_bytes()),
        ],
    );
    check("t", &["a.txt", "c.tmp", "kept.log"]);
    check("w", &["a.txt", "c.tmp", "kept.log"]);
    // .ignore, which is none of git's, counts from wherever it is.
    write(&dir, &[(".ignore", b"a.txt\n!b.log\n")]);
    assert_eq!(faulty(&dir), ["b.log", "c.tmp", "kept.log"].map(str::to_owned).into());
}

#[test]
fn a_link_to_a_gitignore_is_not_followed() {
    let dir = repository();
    let all = faulty(&dir);
    write(&dir, &[("rules", b"*.log\n"), ("t/sub/.gitignore", b".gitignore\n")]);
    std::os::unix::fs::symlink("../rules", dir.path("t/.gitignore")).unwrap();
    assert_eq!(faulty(&dir), all);
    let sub: BTreeSet<_> = all.iter().filter_map(|name| name.strip_prefix("sub/")).collect();
    assert!(sub.contains("e.log"), "{sub:?}");
    assert!(lines_of(dir.raw(), &dir, "t/sub", &["-l", "."]).contains("e.log"));
}

#[test]
fn attributes_are_those_of_the_strongest_setting() {
    let dir = repository();
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    write(&dir, &[("home/.config/git/attributes", b"*.log -text\n")]);
    assert_eq!(faulty(&dir), names(&["a.txt", "c.tmp", "d.bak"]));
    write(
        &dir,
        &[("home/.gitconfig", b"[core]\nattributesFile = ~/x\n"), ("home/x", b"*.txt -text\n")],
    );
    assert_eq!(faulty(&dir), names(&["b.log", "c.tmp", "d.bak", "kept.log", "sub/e.log"]));
    // Files of the user may be links.
    fs::rename(dir.path("home/x"), dir.path("home/y")).unwrap();
    std::os::unix::fs::symlink("y", dir.path("home/x")).unwrap();
    assert!(!faulty(&dir).contains("a.txt"));
    write(
        &dir,
        &[("t/.git/config", b"[core]\nattributesFile = rules\n"), ("t/rules", b"*.tmp binary\n")],
    );
    assert!(faulty(&dir).contains("a.txt") && !faulty(&dir).contains("c.tmp"));
}

#[test]
fn hostile_settings_neither_run_programs_nor_hang() {
    let dir = repository();
    let marker = dir.path("ran");
    let fifo = dir.path("fifo");
    let made = Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success());
    assert!(made);
    let program = format!("touch {}", marker.display());
    let text = format!(
        "[core]\nfsmonitor = \"{program}\"\nhooksPath = ..\nattributesFile = {0}\n\
         [alias]\nx = \"!{program}\"\n[include]\npath = {0}\n",
        fifo.display()
    );
    dir.write("t/.git/config", text.as_bytes());
    assert_eq!(faulty(&dir).len(), 6);
    let run = |config: &[u8]| {
        dir.write("t/.git/config", config);
        let mut command = dir.raw();
        isolate(&dir, &mut command);
        let mut command = assert_cmd::Command::from_std(command);
        command.timeout(std::time::Duration::from_secs(60)).args(["-l", "."]).assert()
    };
    run(format!("[core]\nexcludesFile = {}\n", fifo.display()).as_bytes())
        .code(2)
        .stderr(contains("is no regular file (--no-ignore reads the directory without it)\n"));
    run(b"[core]\nexcludesFile = /dev/zero\n").code(2).stderr(contains("is no regular file"));
    // Settings that are too large, or no settings, have no effect.
    fs::remove_file(dir.path("t/.git/config")).unwrap();
    fs::File::create(dir.path("t/.git/config")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(faulty(&dir).len(), 6);
    let ends = b"[core\nexcludesFile = \"a\\".to_vec();
    run(&ends).code(1);
    run(&[&b"[core]\n"[..], &b"[".repeat(1 << 16), b"=\xFF\0\n\\"].concat()).code(1);
    fs::remove_file(dir.path("t/.git/config")).unwrap();
    fs::rename(&fifo, dir.path("t/.git/config")).unwrap();
    assert_eq!(faulty(&dir).len(), 6);
    assert!(!marker.exists());
}

#[test]
fn an_unreadable_file_of_attributes_is_reported_once() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    let many: Vec<_> = (0..20).map(|number| format!("t/bad/sub/{number}")).collect();
    for name in many.iter().map(String::as_str).chain(["t/bad/x", "t/good/y"]) {
        write(&dir, &[(name, b"\xFF\n")]);
    }
    write(&dir, &[("t/bad/.gitattributes", b"* -text\n")]);
    let path = dir.path("t/bad/.gitattributes");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        // The superuser reads every file, but none that is too large.
        fs::File::options().write(true).open(&path).unwrap().set_len(5 << 20).unwrap();
    }
    for jobs in ["-j1", "-j4"] {
        let out = dir.validate().args(["-l", jobs, "t"]).assert().code(2).stdout("t/good/y\n");
        let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines.len(), 1, "{said}");
        assert!(lines[0].starts_with("utf8: t/bad/.gitattributes: "), "{said}");
        assert!(lines[0].ends_with("; the files in its directory are not read"), "{said}");
    }
    let args = ["--force-exclude", "-l", "t/bad/x", "t/bad/x", "t/good/y"];
    let out = dir.validate().args(args).assert().code(2).stdout("t/good/y\n");
    out.stderr(contains("t/bad/.gitattributes: ").and(contains("t/bad/x").not()));
}

#[test]
fn a_home_that_is_not_accessible_has_no_rules() {
    use std::os::unix::fs::PermissionsExt;
    let dir = repository();
    let home = dir.path("home");
    write(&dir, &[("home/.config/git/ignore", b"*\n"), ("home/.config/git/attributes", b"*\n")]);
    for folder in [dir.path(""), dir.path("t"), dir.path("t/sub")] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&home, fs::Permissions::from_mode(0o0)).unwrap();
    let mut command = dir.raw();
    if fs::read_dir(&home).is_ok() {
        // The superuser becomes another user.
        let mut other = Command::new("setpriv");
        other.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]);
        other.arg(command.get_program()).args(command.get_args());
        command = other;
    }
    isolate(&dir, &mut command);
    let out = command.args(["-l", "."]).output();
    fs::set_permissions(&home, fs::Permissions::from_mode(0o755)).unwrap();
    let Ok(out) = out else { return skipped("another user's home", "there is no setpriv") };
    let (found, said) =
        (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    if said.contains("setpriv: ") {
        return skipped("another user's home", "the program cannot be run as another user");
    }
    assert_eq!((out.status.code(), found.lines().count()), (Some(1), 6), "{said}");
}

#[test]
fn settings_of_a_repository_that_cannot_be_read_are_named_once() {
    let dir = repository();
    // Even the superuser reads no directory as a file.
    fs::remove_file(dir.path("t/.git/config")).unwrap();
    fs::create_dir(dir.path("t/.git/config")).unwrap();
    let said = "utf8: .git/config: is no regular file: core.excludesFile and core.attributesFile in it \
                have no effect\n";
    for args in [&["-l", "-j1", "."][..], &["-l", "-j4", "."], &["-l", "--force-exclude", "a.txt"]]
    {
        let mut command = dir.raw();
        isolate(&dir, &mut command);
        let out = command.args(args).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stderr), said, "{args:?}");
        assert_eq!(out.status.code(), Some(1), "{args:?}");
    }
    let mut command = dir.raw();
    isolate(&dir, &mut command);
    let out = command.args(["-q", "."]).output().unwrap();
    assert_eq!((out.status.code(), &out.stderr[..]), (Some(1), &b""[..]));
}
