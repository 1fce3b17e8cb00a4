//! Directories as inputs of `utf8 validate` and `utf8 detect`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};

use crate::common::bin::{Dir, skipped, utf8, without_time};
use crate::common::inputs::Rng;
use crate::common::sentences::{encoded, sentences};
use utf8::registry::CODECS;

mod foreign;

/// A directory `t` with hidden, ignored, binary, ill-formed and special files.
fn tree() -> Dir {
    let dir = Dir::new();
    for folder in ["t", "t/.git", "t/.github", "t/sub", "t/build"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    for (name, bytes) in [
        ("t/.gitignore", &b"*.log\nbuild/\n"[..]),
        ("t/.git/config", b"\xFF"),
        ("t/.github/a.yml", b"ok\n"),
        ("t/build/x", b"\xFF"),
        ("t/c.log", b"\xFF"),
        ("t/bin", b"x\0\xFF"),
        ("t/sub/b.txt", b"b\xFF\n"),
        ("t/z.txt", b"\xC0\xAF\n"),
        ("outside", b"\xFF"),
    ] {
        dir.write(name, bytes);
    }
    symlink("../outside", dir.path("t/link")).unwrap();
    symlink(".", dir.path("t/loop")).unwrap();
    dir
}

/// Returns the names of the files with findings, in their order.
fn faulty(dir: &Dir, args: &[&str]) -> Vec<String> {
    let out = dir.validate().arg("-l").args(args).output().unwrap();
    String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_directory_stands_for_the_text_files_in_it() {
    let dir = tree();
    let out = dir.validate().arg("t").assert().code(1);
    let out = out.stdout(
        "t/sub/b.txt:1:2: byte 0x1 (1): byte FF starts no sequence [invalid-fe-ff]\n\
         t/z.txt:1:1: byte 0x0 (0): overlong 2-byte form C0 AF of U+002F [overlong-2]\n",
    );
    out.stderr(starts_with("4 files checked in ").and(ends_with(
        " s, 2 are ill-formed; 2 findings: 1 overlong-2, 1 invalid-fe-ff; skipped: 1 binary file, \
             2 that are no regular files\n\
         next: utf8 detect --format long t/sub/b.txt\n",
    )));
}

#[test]
fn many_faulty_files_have_one_summary() {
    let dir = Dir::new();
    (0..200).for_each(|number| dir.write(format!("{number:03}"), b"a\xFF"));
    let out = dir.validate().arg(".").assert().code(1);
    let out = out.stderr(starts_with("200 files checked in ").and(ends_with(
        " s, 200 are ill-formed; 200 findings: 200 invalid-fe-ff\n\
             next: utf8 detect --format long 000\n",
    )));
    let shown = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    assert_eq!(shown.lines().count(), 200);
    let out = dir.validate().args(["-v", "."]).assert().code(1);
    out.stderr(contains(
        "100: 1 ill-formed sequence in 2 bytes; next: utf8 detect --format long 100\n",
    ));
}

#[test]
fn a_clean_directory_has_a_summary_only() {
    let dir = tree();
    let out = dir.validate().arg("t/.github").assert().code(0).stdout("");
    out.stderr(starts_with("1 file checked in ").and(ends_with(" s, all are well-formed\n")));
    for quiet in ["-q", "--format=json", "-c", "-l"] {
        dir.validate().args([quiet, "t/.github"]).assert().code(0).stderr("");
    }
}

#[test]
fn options_select_the_files() {
    let dir = tree();
    for (args, names) in [
        (&["t"][..], &["t/sub/b.txt", "t/z.txt"][..]),
        (&["-r", "t"], &["t/sub/b.txt", "t/z.txt"]),
        (&["--no-ignore", "t"], &["t/build/x", "t/c.log", "t/sub/b.txt", "t/z.txt"]),
        (&["--binary", "t"], &["t/bin", "t/sub/b.txt", "t/z.txt"]),
        (&["-g", "*.txt", "-g", "!z*", "t"], &["t/sub/b.txt"]),
        (&["-g", "sub/", "t"], &["t/sub/b.txt"]),
        (&["-g", "t/sub/", "-g", "!b*", "t"], &[]),
        (&["--exclude", "sub", "t"], &["t/z.txt"]),
        (&["--exclude", "t/sub/", "t"], &["t/z.txt"]),
        (&["--max-filesize", "2", "t"], &[]),
        (&["--type", "txt", "t"], &["t/sub/b.txt", "t/z.txt"]),
        (&["--type", "yaml", "t"], &[]),
        (&["t/bin", "t/c.log"], &["t/bin", "t/c.log"]),
        (&["--force-exclude", "--exclude", "z*", "t/z.txt", "t/c.log"], &["t/c.log"]),
        (&["--force-exclude", "t/bin", "./t/z.txt"], &["./t/z.txt"]),
        (&["--force-exclude", "t/link", "t/z.txt"], &["t/z.txt"]),
        (&["t/link"], &["t/link"]),
        (&["--force-exclude", "--exclude", "sub", "t/sub/b.txt", "t/z.txt"], &["t/z.txt"]),
        (&["--force-exclude", "--exclude", "t/sub/", "t/sub/b.txt"], &[]),
        (&["--force-exclude", "-g", "!/t", "t/sub/b.txt"], &[]),
        (&["t/z.txt", "t/sub", "t/z.txt"], &["t/z.txt", "t/sub/b.txt", "t/z.txt"]),
    ] {
        assert_eq!(faulty(&dir, args), names, "{args:?}");
    }
    let out = dir.validate().args(["-l", "."]).current_dir(dir.path("t")).assert();
    out.stdout("sub/b.txt\nz.txt\n");
}

#[test]
fn a_directory_without_a_file_to_check_is_an_error() {
    let dir = tree();
    fs::create_dir(dir.path("empty")).unwrap();
    fs::create_dir(dir.path("binary")).unwrap();
    dir.write("binary/a.out", b"\0");
    fs::create_dir_all(dir.path("nested/empty")).unwrap();
    fs::create_dir_all(dir.path("repository/.git/info")).unwrap();
    dir.write("repository/.git/HEAD", b"ref: refs/heads/main\n");
    fs::create_dir(dir.path("ignored")).unwrap();
    dir.write("ignored/.gitignore", b"*\n");
    for (args, said) in [
        (&["empty"][..], "empty: no file to check (the directory is empty)"),
        (&["nested"], "nested: no file to check (it has no files)"),
        (&["repository"], "repository: no file to check (it has no files)"),
        (
            &["ignored"],
            "ignored: no file to check (--no-ignore reads files that .gitignore excludes)",
        ),
        (
            &["binary"],
            "binary: no file to check; skipped: 1 binary file (--binary reads binary files)",
        ),
        (
            &["--max-filesize=1", "t/sub"],
            "t/sub: no file to check; skipped: 1 large file (raise --max-filesize)",
        ),
    ] {
        for command in ["validate", "detect"] {
            let mut run = utf8();
            run.current_dir(dir.path("")).arg(command).args(args);
            run.assert().code(2).stdout("").stderr(format!("utf8: {said}\n"));
        }
    }
}

/// Whether an excluded directory has a file that the options select is not known.
#[test]
fn options_that_select_no_file_are_named_beside_exclusions() {
    let dir = tree();
    fs::write(dir.path("t/utf8.toml"), "[validate]\nexclude = ['sub/']\n").unwrap();
    let said = "utf8: t: no file to check; skipped: 1 excluded by utf8.toml (--glob, --exclude or --type \
                leave out the others; --no-config reads them)\n";
    for option in ["--type=md", "--glob=*.none"] {
        dir.validate().args([option, "t"]).assert().code(2).stdout("").stderr(said);
    }
}

#[test]
fn files_that_are_all_excluded_are_a_note() {
    let dir = tree();
    let args = ["--force-exclude", "--exclude", "*.txt", "t/z.txt", "./t/sub/b.txt"];
    let out = dir.validate().args(args).assert().code(0).stdout("");
    out.stderr("utf8: nothing to check: 2 files excluded\n");
}

#[test]
fn unusable_rules_are_errors() {
    let dir = tree();
    for (args, said) in [
        (&["--type", "zz"][..], "--type zz: unknown type (similar: z, zig, zsh or zstd)"),
        (&["-g", "["], "--glob [: error parsing glob '[': unclosed character class; missing ']'"),
        (&["--exclude", "a{"], "--exclude a{: "),
        (&["-j", "0"], "--jobs 0: expected a number, 1 or greater"),
        (&["--exclude", "./sub"], "'./sub' matches nothing (globs are relative, "),
        (&["-g", ""], "'' matches nothing"),
        (&["-g", "./\n::error::x\u{1B}"], "'./\\x0A::error::x\\x1B' matches nothing"),
        (&["--exclude", "!"], "'!' matches nothing"),
    ] {
        let out = dir.validate().args(args).arg("t").assert().code(2).stdout("");
        out.stderr(starts_with(format!("utf8: {said}")));
    }
}

#[test]
fn detect_walks_directories() {
    let dir = tree();
    let mut run = utf8();
    run.current_dir(dir.path("")).args(["detect", "t", "t/bin"]);
    let skipped = "utf8: skipped: 1 binary file, 2 that are no regular files\n";
    run.assert().code(0).stderr(skipped).stdout(
        "t/.github/a.yml: us-ascii\nt/.gitignore: us-ascii\nt/sub/b.txt: unknown\n\
         t/z.txt: unknown\nt/bin: binary\n",
    );
    let mut run = utf8();
    run.current_dir(dir.path("")).args(["detect", "--expect", "utf-8", "t"]);
    let out = run.assert().code(1);
    out.stderr(contains("utf8: t/z.txt: is unknown, not utf-8\n"));
}

#[test]
fn data_without_nul_is_binary() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    // As in an inventory of Sphinx, which has a header and compressed data.
    let header =
        b"# Sphinx inventory version 2\n# The remainder of this file is compressed using zlib.\n";
    let mut rng = Rng::new(7);
    let data = (0..1000).map(|_| 1 + (rng.next() % 255) as u8);
    dir.write("t/objects.inv", header.iter().copied().chain(data).collect::<Vec<_>>());
    let none = "utf8: t: no file to check; skipped: 1 binary file (--binary reads binary files)\n";
    dir.validate().arg("t").assert().code(2).stderr(none);
    dir.validate().args(["-f", "utf-8", "t"]).assert().code(2).stderr(none);
    for args in [&["--binary", "t"][..], &["-f", "wtf-8", "t"], &["t/objects.inv"]] {
        assert_eq!(faulty(&dir, args), ["t/objects.inv"], "{args:?}");
    }
    dir.write("t/.gitattributes", "*.inv text\n");
    assert_eq!(faulty(&dir, &["t"]), ["t/objects.inv"]);
}

/// Text is not skipped, whatever its encoding and its damage.
#[test]
fn text_without_nul_is_not_binary() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    let text: String = sentences().map(|(_, sentence)| format!("{sentence}\n")).collect();
    let capitals = text.to_uppercase();
    let mut files = Vec::new();
    for codec in CODECS {
        for (name, text) in [("text", &text), ("capitals", &capitals)] {
            let has = |character: &char| codec.can_encode((*character).into());
            let mut bytes = encoded(codec, &text.chars().filter(has).collect::<String>());
            if bytes[..bytes.len().min(8000)].contains(&0) {
                continue;
            }
            bytes.chunks_mut(100).for_each(|line| line[0] = 0xFF);
            let name = format!("t/{}-{name}", codec.name.replace(['/', ':'], "-"));
            dir.write(&name, bytes);
            files.push(name);
        }
    }
    let out = dir.validate().args(["-v", "t"]).output().unwrap();
    let errors = String::from_utf8(out.stderr).unwrap();
    let skipped: Vec<_> = errors.lines().filter(|line| line.contains("skipped: binary")).collect();
    assert_eq!(skipped, [""; 0]);
    assert!(errors.contains(&format!("\n{} files checked in ", files.len())));
    assert!((600..1000).contains(&files.len()));
}

#[test]
fn a_wide_encoding_has_no_binary_files() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    dir.write("t/a", b"a\0\0\xD8");
    dir.write("t/bom", b"\xFF\xFEa\0");
    assert_eq!(faulty(&dir, &["-f", "utf-16le", "t"]), ["t/a"]);
    assert_eq!(faulty(&dir, &["t"]), ["t/bom"]);
}

#[test]
fn the_output_of_the_run_is_left_out() {
    let dir = tree();
    let name = dir.path("t/report.txt");
    let mut run = dir.raw();
    run.args(["--format", "tsv", "t"]).stdout(fs::File::create(&name).unwrap());
    assert_eq!(run.status().unwrap().code(), Some(1));
    assert_eq!(fs::read_to_string(name).unwrap().lines().count(), 2);
}

/// Writes `number` files, every third of them ill-formed, one with many findings.
fn many(number: usize) -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    for at in 0..number {
        let text = "ab\u{e9}\n".repeat(at * 7 % 90);
        let end: &[u8] = if at % 3 == 0 { b"\xE2\x82" } else { b"" };
        dir.write(format!("t/{at:04}"), [text.as_bytes(), end].concat());
    }
    dir.write("t/0002-large", b"text \xC3 ".repeat(40_000));
    dir
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let dir = many(700);
    let names: Vec<u8> = (0..700).flat_map(|at| format!("t/{at:04}\n").into_bytes()).collect();
    dir.write("list", names);
    for args in [
        &["t", "--max-shown=none"][..],
        &["--format=json", "t"],
        &["--format=full", "--max-shown=3", "-v", "t", "none", "t/0002"],
        &["-c", "--files-from", "list"],
        &["-v", "--stats", "t/0001", "t/0002", "t/0003"],
    ] {
        let run = |jobs: &str| {
            let out = dir.validate().args(["-j", jobs]).args(args).output().unwrap();
            let errors = String::from_utf8(out.stderr).unwrap();
            (out.status.code(), out.stdout, without_time(&errors))
        };
        let one = run("1");
        for jobs in ["2", "3", "8"] {
            assert!(run(jobs) == one, "-j {jobs} {args:?}");
        }
    }
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let dir = many(300);
    for jobs in ["1", "8"] {
        let script = format!("\"$@\" -j {jobs} --max-shown none t | head -n 1");
        let mut shell = crate::common::bin::shell(&script);
        let out = shell.current_dir(dir.path("")).output().unwrap();
        assert!(out.stdout.starts_with(b"t/0000:1:1: "));
        let errors = String::from_utf8(out.stderr).unwrap();
        assert!(!errors.contains("utf8: "), "{errors}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    if !std::path::Path::new("/dev/full").exists() {
        return skipped("a full disk", "there is no /dev/full");
    }
    let dir = many(300);
    for jobs in ["1", "8"] {
        let mut run = dir.raw();
        run.args(["-j", jobs, "t"]).stdout(fs::File::create("/dev/full").unwrap());
        let out = run.output().unwrap();
        assert_eq!(out.status.code(), Some(2));
        let errors = String::from_utf8(out.stderr).unwrap();
        assert!(errors.contains("utf8: standard output: No space left on device"), "{errors}");
    }
}

#[test]
fn names_of_files_are_escaped() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    if !dir.try_write(b"t/a\x1B[31m\xFF\n", b"\xFF") {
        return skipped("hostile names", "the file system refuses them");
    }
    assert_eq!(faulty(&dir, &["t"]), [r"t/a\x1B[31m\xFF\x0A"]);
    let out = dir.validate().args(["-l0", "t"]).assert().code(1);
    assert_eq!(out.get_output().stdout, b"t/a\x1B[31m\xFF\n\0");
}

#[test]
fn a_directory_that_becomes_a_link_leads_nowhere() {
    let dir = Dir::new();
    for folder in ["secret", "t", "t/d"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    for at in 0..50 {
        dir.write(format!("secret/{at:02}"), b"secret \xFF");
        dir.write(format!("t/d/{at:02}"), b"public");
    }
    // Rules outside are not read either.
    for name in ["utf8.toml", ".editorconfig", ".gitignore", ".gitattributes"] {
        dir.write(format!("secret/{name}"), b"\xFF[");
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::rename(dir.path("t/d"), dir.path("t/e")).unwrap();
                symlink("../secret", dir.path("t/d")).unwrap();
                fs::remove_file(dir.path("t/d")).unwrap();
                fs::rename(dir.path("t/e"), dir.path("t/d")).unwrap();
            }
        });
        for _ in 0..200 {
            let out = dir.validate().args(["--format=json", "t"]).output().unwrap();
            let found = String::from_utf8(out.stdout).unwrap();
            let said = String::from_utf8_lossy(&out.stderr);
            if found.contains(r#""type":"finding""#) || said.contains("is not UTF-8") {
                done.store(true, Ordering::Relaxed);
                panic!("a file outside was read: {found}{said}");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_deep_tree_needs_few_descriptors() {
    let dir = Dir::new();
    let deep = format!("t{}", "/d".repeat(1200));
    fs::create_dir_all(dir.path(&deep)).unwrap();
    for depth in [2, 3, 700, 1200] {
        let folder = format!("t{}", "/d".repeat(depth));
        dir.write(format!("{folder}/a"), b"\xFF");
        // Read after those further down.
        dir.write(format!("{folder}/z"), b"\xFF");
    }
    let mut shell = crate::common::bin::shell("ulimit -n 150 && \"$@\" -j 2 -l t");
    let out = shell.current_dir(dir.path("")).output().unwrap();
    let names = String::from_utf8(out.stdout).unwrap();
    assert_eq!((out.status.code(), names.lines().count()), (Some(1), 8), "{:?}", out.stderr);
}

#[test]
fn fifos_are_left_out() {
    let dir = tree();
    let made = Command::new("mkfifo").arg(dir.path("t/fifo")).status();
    if !made.is_ok_and(|status| status.success()) {
        return skipped("a FIFO in a directory", "there is no mkfifo");
    }
    let out = dir.validate().args(["-v", "t"]).assert().code(1);
    out.stderr(contains("t/fifo: skipped: no regular file\n"));
}

#[test]
fn unreadable_directories_and_files_are_errors() {
    let dir = tree();
    for (name, mode) in [("t/sub", 0), ("t/z.txt", 0)] {
        fs::set_permissions(dir.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let readable = fs::read(dir.path("t/z.txt")).is_ok();
    let out = dir.validate().arg("t").assert();
    fs::set_permissions(dir.path("t/sub"), fs::Permissions::from_mode(0o755)).unwrap();
    if readable {
        return skipped("unreadable directories", "this user may read everything");
    }
    out.code(2).stderr(
        contains("utf8: t/sub: Permission denied (check its mode and owner)\n")
            .and(contains("utf8: t/z.txt: Permission denied (check its mode and owner)\n")),
    );
}

#[test]
fn git_ignores_the_same_files() {
    let dir = tree();
    dir.write("t/sub/.gitignore", b"*\n!keep/\n!*.txt\n");
    fs::create_dir(dir.path("t/sub/keep")).unwrap();
    dir.write("t/sub/keep/a.txt", b"\xFF");
    dir.write("t/sub/no", b"\xFF");
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(dir.path("t")).args(args).env("HOME", dir.path("")).output()
    };
    fs::remove_dir_all(dir.path("t/.git")).unwrap();
    if git(&["init", "-q"]).is_err() {
        return skipped("the rules of .gitignore", "there is no git");
    }
    let listed = git(&["ls-files", "-co", "--exclude-standard", "--", "*.txt", "*/no"]).unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut listed: Vec<_> = listed.lines().map(|name| format!("t/{name}")).collect();
    listed.sort();
    assert_eq!(faulty(&dir, &["t", "--exclude", "bin"]), listed);
}

#[test]
fn rules_that_are_no_regular_file_are_errors() {
    let dir = Dir::new();
    fs::create_dir_all(dir.path("t/sub")).unwrap();
    dir.write("t/a", b"\xFF");
    dir.write("t/sub/b", b"\xFF");
    symlink("/dev/zero", dir.path("t/sub/.ignore")).unwrap();
    let run = || dir.validate().arg("t").timeout(Duration::from_secs(60)).assert();
    run().code(2).stdout(contains("t/a:1:1")).stderr(contains(
        "utf8: t/sub: its .ignore is no regular file (--no-ignore reads the directory without it)",
    ));
    dir.validate().args(["--no-ignore", "t"]).assert().code(1).stdout(contains("t/sub/b:1:1"));
    if !Command::new("mkfifo").arg(dir.path("t/.ignore")).status().is_ok_and(|made| made.success())
    {
        return skipped("a FIFO with rules", "there is no mkfifo");
    }
    run().code(2).stdout("").stderr(contains("t: its .ignore is no regular file"));
    fs::remove_file(dir.path("t/.ignore")).unwrap();
    fs::remove_file(dir.path("t/sub/.ignore")).unwrap();
    // .git may be a file with the path of a repository.
    symlink("/dev/zero", dir.path("t/.git")).unwrap();
    run().code(1).stdout(contains("t/a:1:1"));
    fs::remove_file(dir.path("t/.git")).unwrap();
    let make_fifo = |name| Command::new("mkfifo").arg(dir.path(name)).status().unwrap();
    make_fifo("t/.git");
    run().code(1).stdout(contains("t/a:1:1"));
    fs::remove_file(dir.path("t/.git")).unwrap();
    dir.write("t/.git", format!("gitdir: {}\n", dir.path("own").display()));
    fs::create_dir_all(dir.path("own/info")).unwrap();
    make_fifo("own/commondir");
    run().code(1).stdout(contains("t/a:1:1"));
    make_fifo("own/info/exclude");
    run().code(2).stdout("").stderr(contains("t: its .git/info/exclude is no regular file"));
    fs::remove_file(dir.path("t/.git")).unwrap();
    // The rules around the directory are read, too.
    fs::create_dir(dir.path(".gitignore")).unwrap();
    run().code(1).stdout(contains("t/a:1:1"));
    fs::remove_dir(dir.path(".gitignore")).unwrap();
    make_fifo(".gitignore");
    run().code(2).stdout("").stderr(contains("t: .gitignore is no regular file (--no-ignore"));
}
