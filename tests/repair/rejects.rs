//! Lines that a repair in place appends to the file of `--rejects`.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use assert_cmd::Command;
use predicates::str::{contains, starts_with};

use super::drop_line::{TEXT, repair};
use crate::common::bin::{Dir, raw};
use crate::common::replace::{names, stamp, text};

/// Returns a command for `utf8 repair -qi --on-error drop-line --rejects kept` in a directory.
fn repair_quietly(dir: &Dir, args: &[&str]) -> Command {
    let mut command = repair(dir, &["-qi", "--rejects", "kept"]);
    command.args(args);
    command
}

#[test]
fn a_file_in_place_loses_its_faulty_lines_to_the_rejects() {
    let binary = b"a\0\n\xFF\n";
    let dir = Dir::of(&[("a", TEXT), ("good", b"a\nb"), ("b", b"x\ny\xFF\nw"), ("bin", binary)]);
    let args = ["-i", "--rejects", "kept", "good", "a", "b"];
    let good = stamp(dir.path("good"));
    let out = repair(&dir, &args).assert().code(0).stdout("");
    out.stderr(
        "utf8: a: repaired, 3 of 5 lines dropped\nutf8: b: repaired, 1 of 3 lines dropped\n",
    );
    let kept = b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\ny\xFF\n";
    assert_eq!((text(dir.path("a")), text(dir.path("b"))), ("good\nfine\n".into(), "x\nw".into()));
    assert_eq!(fs::read(dir.path("kept")).unwrap(), kept);
    // A second run changes nothing; neither does a binary file.
    repair(&dir, &args).assert().code(0).stdout("").stderr("");
    repair(&dir, &["-i", "--rejects", "kept", "bin"]).assert().code(1);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), kept);
    assert_eq!(stamp(dir.path("good")), good);
    // A later run appends.
    dir.write("a", b"\xFF\n");
    repair(&dir, &args).assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), [&kept[..], b"\xFF\n"].concat());
    // Without rejected lines, the file is not made.
    repair(&dir, &["-i", "--rejects", "none", "good"]).assert().code(0);
    assert_eq!(names(&dir), ["a", "b", "bin", "good", "kept"]);
}

#[test]
fn a_file_whose_lines_cannot_be_kept_is_unchanged() {
    let dir = Dir::of(&[("a", TEXT)]);
    for rejects in ["/dev/full", "missing/kept"] {
        let out = repair(&dir, &["-i", "--rejects", rejects, "a"]).assert().code(2);
        out.stderr(contains(format!("utf8: a: --rejects {rejects}: ")));
        assert_eq!(fs::read(dir.path("a")).unwrap(), TEXT, "{rejects}");
    }
    assert_eq!(names(&dir), ["a"]);
}

#[test]
fn a_fifo_gets_the_lines_of_all_files() {
    let dir = Dir::of(&[("a", TEXT), ("b", b"\xFF\n"), ("c", b"\xFE\n")]);
    let path = dir.path("fifo");
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let reader = std::thread::spawn(move || fs::read(path).unwrap());
    repair(&dir, &["-i", "-q", "--rejects", "fifo", "a", "b", "c"]).assert().code(0);
    let lines = b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\n\xFF\n\xFE\n";
    assert_eq!(reader.join().unwrap(), lines);
}

#[test]
fn rejects_of_a_file_that_is_not_replaced_are_taken_back() {
    let dir = Dir::of(&[("a", b"ok\na\xFF\n"), ("rejects", b"before\n")]);
    fs::hard_link(dir.path("a"), dir.path("b")).unwrap();
    for _ in 0..2 {
        repair(&dir, &["-i", "--rejects", "rejects", "a"]).assert().code(2);
    }
    assert_eq!(fs::read(dir.path("a")).unwrap(), b"ok\na\xFF\n");
    assert_eq!(fs::read(dir.path("rejects")).unwrap(), b"before\n");
}

/// Files with two names are not replaced: their lines are taken back while another run appends.
#[test]
fn two_runs_with_one_file_of_rejects_lose_nothing() {
    let dir = Dir::new();
    let faulty = |name: &String| [name.as_bytes(), b"\xFF\n"].concat();
    let files = |stem: &str| {
        let names: Vec<_> = (100..200).map(|number| format!("{stem}{number}")).collect();
        names.iter().for_each(|name| dir.write(name, faulty(name)));
        names
    };
    let (linked, replaced) = (files("linked"), files("replaced"));
    for name in &linked {
        fs::hard_link(dir.path(name), dir.path(format!("{name}.too"))).unwrap();
    }
    std::thread::scope(|scope| {
        for (names, code) in [(&linked, 2), (&replaced, 0)] {
            let mut command = repair(&dir, &["-qi", "--rejects", "kept"]);
            command.args(names);
            scope.spawn(move || command.assert().code(code));
        }
    });
    let kept = fs::read(dir.path("kept")).unwrap();
    assert!(
        kept == replaced.iter().flat_map(faulty).collect::<Vec<_>>(),
        "{}",
        kept.escape_ascii()
    );
    assert!(linked.iter().all(|name| fs::read(dir.path(name)).unwrap() == faulty(name)));
}

#[test]
fn rejects_of_other_files_stay_if_a_file_is_not_replaced() {
    let faulty = b"ok\na\xFF\n".repeat(300_000);
    let dir = Dir::of(&[("a", b"ok\na\xFF\n"), ("b", &faulty), ("c", b"c\xFF\n")]);
    let mut command = std::process::Command::new("sh");
    // The text of b is beyond the limit of a file, in blocks of 512 bytes.
    let program = assert_cmd::cargo::cargo_bin!("utf8");
    let out = command
        .args(["-c", "trap '' XFSZ; ulimit -f 400; exec \"$@\"", "sh"])
        .arg(program)
        .args(["repair", "-i", "--on-error", "drop-line", "--rejects", "kept", "a", "b", "c"])
        .current_dir(dir.path("."))
        .output()
        .unwrap();
    let errors = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{errors}");
    assert!(errors.contains("utf8: b: "), "{errors}");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"a\xFF\nc\xFF\n");
    assert_eq!(fs::read(dir.path("b")).unwrap(), faulty);
}

#[test]
fn rejects_that_find_no_room_for_a_while_are_reported() {
    let faulty = b"ok\na\xFF and some more text\n".repeat(60_000);
    let dir = Dir::of(&[("a", &faulty), ("b", b"b\xFF\n")]);
    let mut command = repair(&dir, &["-i", "--rejects", "kept", "a", "b"]);
    let out = command.env("TMPDIR", dir.path("missing")).assert().code(2);
    let folder = dir.path("missing").display().to_string();
    out.stderr(starts_with(format!(
        "utf8: a: --rejects kept: temporary file in {folder}: No such"
    )));
    assert_eq!(fs::read(dir.path("a")).unwrap(), faulty);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"b\xFF\n");
}

#[test]
fn lines_of_different_files_in_place_are_kept_apart() {
    let dir = Dir::of(&[("a", b"ok\n\xFF"), ("b", b"\xFE\nok"), ("c", b"ok\nc\xFF")]);
    repair(&dir, &["-i", "-q", "--rejects", "kept", "a", "b", "c"]).assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"\xFF\n\xFE\nc\xFF\n");
    // A file whose last line has no end gets one first.
    dir.write("kept", b"mine");
    dir.write("b", b"\xFD\n");
    repair(&dir, &["-i", "-q", "--rejects", "kept", "b"]).assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"mine\n\xFD\n");
}

#[test]
fn rejects_in_place_have_one_byte_order() {
    // A line, and a line with a surrogate alone: as little-endian and as big-endian text.
    let text = ['a' as u16, 0x0A, 0xD800, 0x0A];
    let unmarked: Vec<_> = text.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let little = [b"\xFF\xFE", &unmarked[..]].concat();
    let big: Vec<_> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let dir = Dir::of(&[("1", &little), ("2", &little), ("3", &big)]);
    let args = ["-i", "-q", "-f", "utf-16", "--rejects", "kept"];
    let out = repair(&dir, &args).args(["1", "2", "3"]).assert().code(2);
    out.stderr("utf8: 3: --rejects kept: has lines in utf-16le, not in utf-16 (name another file for them)\n");
    assert_eq!(fs::read(dir.path("3")).unwrap(), big);
    let line = [0, 0xD8, 0x0A, 0];
    let kept = [&b"\xFF\xFE"[..], &line, &line].concat();
    assert_eq!(fs::read(dir.path("kept")).unwrap(), kept);
    // The file of an earlier run has its byte order, too.
    repair(&dir, &args).arg("3").assert().code(2);
    dir.write("1", &little);
    repair(&dir, &args).arg("1").assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), [&kept[..], &line].concat());
    // Big-endian text, and text in a named byte order, need no BOM.
    repair(&dir, &["-i", "-q", "-f", "utf-16", "--rejects", "big", "3"]).assert().code(0);
    assert_eq!(fs::read(dir.path("big")).unwrap(), [0xD8, 0, 0, 0x0A]);
    dir.write("4", &unmarked);
    repair(&dir, &["-i", "-q", "-f", "utf-16le", "--rejects", "le", "4"]).assert().code(0);
    assert_eq!(fs::read(dir.path("le")).unwrap(), line);
}

#[test]
fn a_wait_for_a_locked_file_is_noted() {
    let dir = Dir::of(&[("f", &b"a\n\xFF\n"[..]), ("kept", b"")]);
    let kept = File::open(dir.path("kept")).unwrap();
    kept.lock().unwrap();
    let mut command = raw();
    command.args(["repair", "-i", "--on-error", "drop-line", "--rejects", "kept", "f"]);
    let mut run = command.current_dir(dir.path("")).stderr(Stdio::piped()).spawn().unwrap();
    let (send, receive) = mpsc::channel();
    let lines = BufReader::new(run.stderr.take().unwrap()).lines();
    thread::spawn(move || lines.for_each(|line| send.send(line.unwrap()).unwrap()));
    // The run waits for this lock, so that a missing message must not block the test.
    let line = || receive.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(line(), "utf8: f: waiting for --rejects kept, locked by another program");
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a\n\xFF\n");
    kept.unlock().unwrap();
    assert_eq!(line(), "utf8: f: repaired, 1 of 2 lines dropped");
    assert!(run.wait().unwrap().success());
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"\xFF\n");
}

/// A file has lines in one encoding, and its start tells UTF-16 from bytes.
#[test]
fn lines_do_not_follow_those_with_other_code_units() {
    let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
    let little = |text: &str| units(text).into_iter().flat_map(u16::to_le_bytes).collect();
    let big = |text: &str| units(text).into_iter().flat_map(u16::to_be_bytes).collect();
    let bytes = b"ok\n\xFF\n".to_vec();
    let be: Vec<u8> = [0, b'a', 0, b'\n', 0xD8, 0, 0, b'\n'].to_vec();
    let le: Vec<u8> = be.chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
    let unmarked: Vec<u8> = little("a line of text, and another\n");
    let added: &[u8] = b"\xFF\n";
    let added_unit: &[u8] = b"\0\xD8\n\0";
    let dir = Dir::new();
    for (kept, codec, text, result) in [
        (little("\u{FEFF}a\n"), "utf-8", &bytes, Err("utf-16le, not in utf-8")),
        (little("\u{FEFF}a"), "utf-8", &bytes, Err("utf-16le, not in utf-8")),
        (
            big("\u{FEFF}a\n"),
            "windows-1253",
            &b"\xD2\n".to_vec(),
            Err("utf-16be, not in windows-1253"),
        ),
        (unmarked.clone(), "utf-8", &bytes, Err("utf-16le, not in utf-8")),
        (unmarked, "utf-16le", &le, Ok(added_unit)),
        (little("\u{FEFF}a\n"), "utf-16be", &be, Err("utf-16le, not in utf-16be")),
        (little("\u{FEFF}a\n"), "utf-16le", &le, Ok(added_unit)),
        (b"a\n".to_vec(), "utf-16le", &le, Err("an 8-bit encoding, not in utf-16le")),
        // The line of a BOM alone has no end.
        (little("\u{FEFF}"), "utf-16le", &le, Ok(b"\n\0\0\xD8\n\0")),
        // A rejected line may start as a BOM does, and have NUL.
        (b"\xFF\xFEa\n".to_vec(), "utf-8", &bytes, Ok(added)),
        (b"\xFE\xFFa\n".to_vec(), "utf-8", &bytes, Ok(added)),
        (b"\xFF\xFEa\n\xFF\0\n".to_vec(), "utf-8", &bytes, Ok(added)),
        (b"\xFE\xFF\0a\n\0\n".to_vec(), "utf-8", &bytes, Ok(added)),
    ] {
        dir.write("kept", &kept);
        dir.write("f", text);
        let run = repair_quietly(&dir, &["-f", codec, "f"]).assert();
        let now = || fs::read(dir.path("kept")).unwrap();
        match result {
            Ok(added) => {
                run.code(0).stderr("");
                assert_eq!(now(), [&kept, added].concat(), "{codec}");
            }
            Err(found) => {
                let advice = "(name another file for them)";
                let said = format!("utf8: f: --rejects kept: has lines in {found} {advice}\n");
                run.code(2).stderr(said);
                assert_eq!(now(), kept, "{codec}");
                assert_eq!(&fs::read(dir.path("f")).unwrap(), text, "{codec}");
            }
        }
    }
}

/// The lines of a run may be those of a file in UTF-16, too.
#[test]
fn a_run_appends_to_its_own_lines_whatever_their_bytes() {
    let texts = [("a", &b"ok\n\xFF\xFE\n"[..]), ("b", b"ok\n\0\xFF\n"), ("c", b"ok\n\xFF\n")];
    let dir = Dir::of(&texts);
    repair_quietly(&dir, &["--binary", "a", "b", "c"]).assert().code(0).stderr("");
    let lines = texts.map(|(_, text)| &text[3..]).concat();
    assert_eq!(fs::read(dir.path("kept")).unwrap(), lines);
    for (name, _) in texts {
        assert_eq!(fs::read(dir.path(name)).unwrap(), b"ok\n", "{name}");
    }
}

/// The end of UTF-16 is often cut within a code unit. The next line starts with a whole one.
#[test]
fn a_cut_code_unit_does_not_shift_the_lines_after_it() {
    let dir = Dir::of(&[
        ("a", b"o\0k\0\n\0x\0y"),
        ("b", b"o\0k\0\n\0\0\xD8Z\0\n\0"),
        ("c", b"\0\0\0o\0\0\0\n\0\0"),
        ("d", b"\0\0\0o\0\0\0\n\0\x11\0\0\0\0\0\n"),
    ]);
    repair_quietly(&dir, &["-f", "utf-16le", "a"]).assert().code(0);
    repair_quietly(&dir, &["-f", "utf-16le", "b"]).assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"x\0y\0\n\0\0\xD8Z\0\n\0");
    fs::remove_file(dir.path("kept")).unwrap();
    repair_quietly(&dir, &["-f", "utf-32be", "c", "d"]).assert().code(0);
    let kept = fs::read(dir.path("kept")).unwrap();
    assert_eq!(kept, b"\0\0\0\0\0\0\0\n\0\x11\0\0\0\0\0\n");
}
