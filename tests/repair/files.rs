//! In-place repair: refused files, and kept metadata.

#![cfg(target_os = "linux")]

use std::ffi::{CString, OsStr};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, chown, symlink};
use std::process::{Command, Stdio};

use crate::common::bin::{Dir, raw, runs, shell_of, skipped, words_of};
use crate::common::disk::small;
use crate::common::in_place::{content, ended, faulty, in_place, new, old, scripted, temporaries};
use crate::common::replace::{as_nobody_prepared, is_root, mode, names, set_mode, text};
use crate::common::xattr::{ACCESS, an_acl, get, taken};

/// Returns the message of a refused repair of `f`; checks that the file is unchanged.
fn refused(dir: &Dir, args: &[&str]) -> String {
    left(dir, &mut in_place(dir, args))
}

/// Returns the messages of a program that leaves `f` and the directory as they are.
fn left(dir: &Dir, program: &mut Command) -> String {
    let before = (content(dir, "f"), names(dir));
    let (code, said) = ended(&program.output().unwrap());
    assert_eq!(code, Some(2), "{said}");
    assert!((content(dir, "f"), names(dir)) == before, "{said}");
    said
}

/// Checks a repair without messages.
fn repaired(dir: &Dir, args: &[&str]) {
    assert_eq!(ended(&in_place(dir, args).output().unwrap()), (Some(0), String::new()));
}

// Room

#[test]
fn a_full_disk_leaves_the_old_file() {
    let Some(small) = small("a repair on a full disk", "size=256k") else { return };
    let dir = &small.0;
    dir.write("f", old());
    let full = "No space left on device (make room and run again)\n";
    dir.write("ballast", [0; 8 << 10]);
    assert_eq!(refused(dir, &["f"]), format!("utf8: f: {full}"));
    fs::remove_file(dir.path("ballast")).unwrap();
    // There is room for the new content, and a backup needs none.
    fs::remove_file(dir.path("f")).unwrap();
    dir.write("f", &old()[..100_000]);
    repaired(dir, &["--backup", "~", "f"]);
    assert!(content(dir, "f").unwrap() == new()[..100_002]);
    assert!(content(dir, "f~").unwrap() == old()[..100_000]);
}

#[test]
fn a_limit_of_file_sizes_leaves_the_old_file() {
    let dir = faulty();
    for args in [&["f"][..], &["--backup", "~", "f"]] {
        let said = left(&dir, &mut scripted("ulimit -f 8; exec \"$@\"", &dir, args));
        assert!(said.starts_with("utf8: f: File too large"), "{said}");
    }
}

// Standard output and standard error

#[test]
fn report_errors_are_errors_of_standard_output() {
    let tries: [&[&str]; 3] = [&["--check"], &["--diff"], &["--check", "--format", "json"]];
    for what in tries.into_iter().chain([&["-i", "--on-error=replace", "--format", "json"][..]]) {
        for (script, why) in [
            ("exec \"$@\" >/dev/full", "No space left on device (make room and run again)"),
            ("exec \"$@\" >&-", "is closed (open it, or redirect it)"),
        ] {
            let dir = faulty();
            dir.write("g", b"\xFF");
            let mut program = raw();
            program.arg("repair").args(what).args(["f", "g"]);
            let mut program = shell_of(script, &program);
            let said = left(&dir, program.current_dir(dir.path(".")));
            assert_eq!(said, format!("utf8: standard output: {why}\n"), "{what:?}");
            assert_eq!(content(&dir, "g").unwrap(), b"\xFF");
        }
    }
}

#[test]
fn a_stream_that_cannot_be_written_leaves_no_file_unrepaired() {
    for (script, status) in [
        ("exec \"$@\" >/dev/full", 0), // nothing is written there
        ("exec \"$@\" >&-", 0),
        ("exec \"$@\" 2>&-", 0),
        ("exec \"$@\" 2>/dev/full", 2),
    ] {
        let dir = faulty();
        let done = scripted(script, &dir, &["-v", "f"]).output().unwrap();
        assert_eq!(done.status.code(), Some(status), "{script}");
        assert!(content(&dir, "f").unwrap() == new(), "{script}");
    }
}

#[test]
fn closed_pipe_leaves_files_and_exits_2() {
    let dir = faulty();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let said = left(&dir, in_place(&dir, &["--format", "json", "f"]).stdout(writer));
    let wanted = "utf8: standard output: closed before all changes were recorded: the files that are left are \
                  unchanged\n";
    assert_eq!(said, wanted);
}

// Permissions

#[test]
fn permission_errors_are_explained() {
    let case = "a repair of another's file";
    let dir = faulty();
    fs::create_dir(dir.path("open")).unwrap();
    dir.write("open/g", b"\xFF");
    symlink("../f", dir.path("open/link")).unwrap();
    as_nobody_prepared(
        case,
        || {
            [(".", 0o755), ("open", 0o777), ("f", 0o666), ("open/g", 0o666)]
                .into_iter()
                .for_each(|(name, mode)| set_mode(dir.path(name), mode));
        },
        || {
            if !runs() {
                return skipped(case, "nobody may run the binary");
            }
            let beside = "no file can be made beside it: Permission denied (check the mode and";
            let owner = "its owner and group cannot be kept: Operation not permitted (write to";
            for (args, why) in [
                (&["f"][..], beside),
                (&["open/link"], beside),
                (&["open/g"], owner),
                (&["--backup", "~", "open/g"], owner),
            ] {
                let said = refused(&dir, args);
                let name = args[args.len() - 1];
                assert!(said.starts_with(&format!("utf8: {name}: {why}")), "{said}");
                assert_eq!(fs::read_dir(dir.path("open")).unwrap().count(), 2);
            }
        },
    );
}

#[test]
fn an_immutable_file_is_refused() {
    for flag in ["i", "a"] {
        let dir = faulty();
        let chattr = |sign: &str| {
            let mut chattr = Command::new("chattr");
            chattr.arg(format!("{sign}{flag}")).arg(dir.path("f")).stderr(Stdio::null());
            chattr.status().is_ok_and(|status| status.success())
        };
        if !chattr("+") {
            return skipped("an immutable file", "chattr may not make one here");
        }
        let said = refused(&dir, &["f"]);
        assert!(chattr("-"));
        assert!(said.contains("Operation not permitted"), "{said}");
        repaired(&dir, &["f"]);
    }
}

// Metadata

#[test]
fn mode_and_owner_are_kept_and_a_backup_has_them_too() {
    let dir = Dir::new();
    for kept in [0o600, 0o644, 0o4751, 0o2755, 0o444] {
        if kept == 0o444 && !is_root() {
            skipped("a file that may not be written to", "only root may nevertheless");
            continue;
        }
        let _ = fs::remove_file(dir.path("f~"));
        dir.write("f", b"\xFF");
        if is_root() {
            chown(dir.path("f"), Some(1234), Some(4321)).unwrap();
        }
        set_mode(dir.path("f"), kept);
        let before = fs::metadata(dir.path("f")).unwrap();
        repaired(&dir, &["--backup", "~", "f"]);
        let backup = fs::metadata(dir.path("f~")).unwrap();
        for after in [&backup, &fs::metadata(dir.path("f")).unwrap()] {
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "{kept:o}");
            assert_eq!(after.mode() & 0o7777, kept, "{kept:o}");
        }
        assert_eq!(backup.modified().unwrap(), before.modified().unwrap());
        fs::remove_file(dir.path("f")).unwrap();
    }
}

#[test]
fn attributes_and_an_acl_are_kept_and_a_backup_has_them_too() {
    let dir = Dir::of(&[("f", b"\xFF")]);
    let path = dir.path("f");
    if !taken(&path, "user.mime_type", b"text/plain") || !taken(&path, ACCESS, &an_acl()) {
        return;
    }
    let before = (get(&path, "user.mime_type"), get(&path, ACCESS), mode(&path));
    repaired(&dir, &["--backup", "~", "f"]);
    for path in [path, dir.path("f~")] {
        assert_eq!((get(&path, "user.mime_type"), get(&path, ACCESS), mode(&path)), before);
    }
}

// Links

#[test]
fn links_stay_links() {
    let dir = faulty();
    fs::create_dir(dir.path("d")).unwrap();
    symlink("../f", dir.path("d/up")).unwrap();
    symlink("d/up", dir.path("link")).unwrap();
    repaired(&dir, &["--backup", "~", "link"]);
    assert!(content(&dir, "f").unwrap() == new() && content(&dir, "link~").unwrap() == old());
    assert_eq!(fs::read_link(dir.path("link")).unwrap(), OsStr::new("d/up"));
    assert_eq!(fs::read_link(dir.path("d/up")).unwrap(), OsStr::new("../f"));
}

#[test]
fn links_that_lead_nowhere_and_files_with_two_names_are_refused() {
    let dir = faulty();
    symlink("b", dir.path("a")).unwrap();
    symlink("a", dir.path("b")).unwrap();
    symlink("nothing", dir.path("dangling")).unwrap();
    let circular = format!("utf8: a: {}", words_of(libc::ELOOP));
    assert!(refused(&dir, &["a"]).starts_with(&circular));
    assert!(
        refused(&dir, &["dangling"])
            .starts_with("utf8: dangling: a symbolic link to a missing file")
    );
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    assert!(refused(&dir, &["f"]).starts_with("utf8: f: has 2 hard links, which would be split"));
}

// Targets that are no files

#[test]
fn special_files_are_refused_before_reading() {
    let dir = faulty();
    let fifo = CString::new(dir.path("fifo").as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(fifo.as_ptr(), 0o600) }, 0);
    symlink("/dev/stdin", dir.path("link")).unwrap();
    let stdin = || File::open(dir.path("f")).unwrap();
    for name in ["fifo", "/dev/null", "/dev/stdin", "/dev/fd/0", "link", "/proc/version"] {
        let said = left(&dir, in_place(&dir, &[name]).stdin(stdin()));
        let why = "not a regular file: cannot be replaced (leave out --in-place)";
        assert_eq!(said, format!("utf8: {name}: {why}\n"));
    }
    let said = left(&dir, in_place(&dir, &["-"]).stdin(stdin()));
    assert_eq!(said, "utf8: -: cannot be rewritten in place (name a file)\n");
    assert!(refused(&dir, &["."]).starts_with("utf8: .: is a directory"));
    assert!(fs::metadata(dir.path("fifo")).unwrap().file_type().is_fifo());
}

#[test]
fn an_empty_file_is_left_alone() {
    let dir = Dir::of(&[("f", b"")]);
    let inode = fs::metadata(dir.path("f")).unwrap().ino();
    repaired(&dir, &["--backup", "~", "f"]);
    assert_eq!((fs::metadata(dir.path("f")).unwrap().ino(), names(&dir).len()), (inode, 1));
    repaired(&dir, &["--bom", "add", "f"]);
    assert_eq!(text(dir.path("f")), "\u{FEFF}");
}

// Names

#[test]
fn names_may_be_of_any_bytes() {
    let dir = Dir::new();
    let strange: [&[u8]; 4] = [b"\xFFg", b"-i", b"a b\nc", b"\x1B[31m"];
    let there: Vec<_> = strange.into_iter().filter(|name| dir.try_write(name, b"\xFF")).collect();
    dir.write("list", there.join(&0));
    repaired(&dir, &["-0", "--files-from", "list", "--backup", "\u{7}~"]);
    for name in there {
        assert_eq!(text(dir.path(OsStr::from_bytes(name))), "\u{FFFD}", "{name:?}");
        let backup = [name, b"\x07~"].concat();
        assert_eq!(fs::read(dir.path(OsStr::from_bytes(&backup))).unwrap(), b"\xFF", "{name:?}");
    }
    dir.write("-n", b"\xFF");
    repaired(&dir, &["--", "-n"]);
    dir.write("-", b"\xFF");
    repaired(&dir, &["./-"]);
    assert_eq!((text(dir.path("-n")), text(dir.path("-"))), ("\u{FFFD}".into(), "\u{FFFD}".into()));
    assert_eq!(temporaries(&dir), 0);
}
