//! `utf8 dump-bits --reverse`: writes the bytes of a dump or patches a file, or changes nothing.

use crate::common::replace::stamp;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Stdio;

use crate::common::bin::{Dir, raw, run};
use crate::common::inputs::{HOSTILE, Rng};
use assert_cmd::Command;

/// Returns a command for `utf8 dump-bits`.
fn dump(args: &[&str]) -> Command {
    run(&[&["dump-bits"], args].concat())
}

/// Returns a command for `utf8 dump-bits` in a directory.
fn within(dir: &Dir, args: &[&str]) -> Command {
    let mut command = dump(args);
    command.current_dir(dir.path(""));
    command
}

/// Returns its output.
fn written(args: &[&str], input: &[u8]) -> Vec<u8> {
    dump(args).write_stdin(input).assert().success().stderr("").get_output().stdout.clone()
}

/// Returns the sorted names in a directory.
fn names(dir: &Dir) -> Vec<String> {
    let entries = fs::read_dir(dir.path("")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

// Round trips

/// Options of dumps, and the options to reverse them.
const LOOKS: &[(&[&str], &[&str])] = &[
    (&[], &[]),
    (&["--no-fold", "--no-names", "-u"], &[]),
    (&["--no-fold"], &["--base", "bits"]),
    (&["--color", "always"], &[]),
    (&["--layout", "bytes"], &[]),
    (&["--layout", "bytes", "--color", "always"], &[]),
    (&["--base", "bits", "-c", "5", "-g", "2"], &["--base", "bits"]),
    (&["--base", "hex"], &[]),
    (&["--base", "hex", "-c", "7", "-u", "--squeeze"], &[]),
    (&["--base", "hex", "-g", "4"], &["--base", "hex"]),
    (&["--base", "hex", "-g", "0", "-c", "33"], &[]),
    (&["--base", "octal", "-g", "3"], &["--base", "octal"]),
    (&["--base", "decimal", "-c", "1", "--squeeze"], &["--base", "decimal"]),
    (&["-p"], &["-p"]),
    (&["-p", "-c", "0"], &["-p", "--base", "hex"]),
    (&["-p", "--base", "bits"], &["-p", "--base", "bits"]),
];

#[test]
fn reverse_restores_the_dumped_bytes() {
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..300).map(|_| rng.next() as u8).collect();
    let text = "Hello world, \"this\" is | text. \u{20AC}\u{1F600} ".as_bytes();
    let all = [text, &HOSTILE.concat(), text, &[0; 70], text, &noise].concat();
    for (look, back) in LOOKS {
        let back = [&["-r"], *back].concat();
        for (skip, len) in [(0, 0), (0, 1), (3, all.len()), (15, 99), (60, 3), (100, 700)] {
            let bytes = &all[skip..(skip + len).min(all.len())];
            let (skip, len) = (skip.to_string(), len.to_string());
            let args = [look, &["-s", &skip, "-n", &len][..]].concat();
            let dumped = written(&args, &all);
            let shown = String::from_utf8_lossy(&dumped);
            assert_eq!(written(&back, &dumped), bytes, "{args:?}\n{shown}");
        }
    }
}

#[test]
fn the_reverse_of_a_dump_in_any_codec() {
    let mut rng = Rng::new(2);
    let text: Vec<u8> =
        "a\u{E9}\u{20AC}\u{1F600} text ".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let noise: Vec<u8> = (0..200).map(|_| rng.next() as u8).collect();
    for codec in [
        "utf-16le",
        "utf-16",
        "utf-32be",
        "utf-1",
        "utf-7",
        "windows-1251",
        "gb18030",
        "iso-2022-jp",
        "cesu-8",
        "fss-utf",
        "shift_jis",
    ] {
        for bytes in [&text[..], &noise] {
            for look in [&["-f", codec][..], &["-f", codec, "--base", "hex"], &["-f", codec, "-p"]]
            {
                let back = if look.contains(&"-p") { &["-r", "-p"][..] } else { &["-r"] };
                assert_eq!(written(back, &written(look, bytes)), bytes, "{look:?}");
            }
        }
    }
}

#[test]
fn other_bits_beside_hex_are_noted() {
    let rows = String::from_utf8(written(&[], "a\u{E9}z".as_bytes())).unwrap();
    let edited = rows.replace("110\u{B7}00011", "110\u{B7}00010").replace("7a ", "79 ");
    let note = "-: line 2: bits and hex differ in 2 rows; the hex cells were used (--base bits uses \
                the bits, --base hex silences this)\n";
    for (args, text, said) in [
        (&["-r"][..], "a\u{E9}y", note),
        (&["-r", "-q"], "a\u{E9}y", ""),
        (&["-r", "--base", "hex"], "a\u{E9}y", ""),
        (&["-r", "--base", "bits"], "a\u{A9}z", ""),
    ] {
        let run = dump(args).write_stdin(&*edited).assert().success();
        run.stdout(text).stderr(said);
    }
}

// Errors

#[test]
fn dumps_are_written_one_after_another() {
    let dir = Dir::of(&[("a", b"10: 41\n12: 42\n"), ("b", b"00000000  43 44  \"CD\"\n")]);
    within(&dir, &["--reverse", "a", "-", "b"])
        .write_stdin("0: 2d")
        .assert()
        .success()
        .stdout("A\0B-CD")
        .stderr("a: 1 gap between rows filled with 1 zero byte\n");
    dump(&["-r", "-e", "0: e282ac"]).assert().success().stdout("\u{20AC}");
}

#[test]
fn decimal_offsets_are_noted() {
    let rows = "00000008: 61626364\n00000012: 65666768\n00000016: 69\n";
    let note = "-e: offsets read as decimal (xxd -d; 0x before them makes them hexadecimal)\n";
    dump(&["-r", "-e", rows]).assert().success().stdout("abcdefghi").stderr(note);
    let rows = rows.replace("0000", "0x0000");
    let note = "-e: 1 gap between rows filled with 6 zero bytes\n";
    dump(&["-r", "-e", &rows]).assert().success().stdout("abcd\0\0\0\0\0\0efghi").stderr(note);
    let said = "utf8: -e: line 2: an offset that is decimal or, after a gap, hexadecimal (put 0x";
    let refused = dump(&["-r", "-e", "00000009: 41\n00000010: 42\n"]).assert().code(2).stdout("");
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).starts_with(said));
}

#[test]
fn nothing_is_half_written() {
    let dir = Dir::of(&[("bad", b"0: 41\n1: 42\n2: 4\n"), ("good", b"0: 43\n")]);
    within(&dir, &["-r", "bad", "good"])
        .assert()
        .code(2)
        .stdout("C")
        .stderr("utf8: bad: line 3: \"4\" has 1 digit (a byte has 2 hexadecimal digits)\n");
    for (args, input, what) in [
        (
            &["-r"][..],
            "0: 00000001",
            "utf8: -: line 1: eight binary digits are one byte or, in hexadecimal, four (--base bits or --base hex",
        ),
        (
            &["-r"],
            "41 42",
            "utf8: -: line 1: the offset is missing: it has six digits or more, or a colon after it (-p",
        ),
        (
            &["-r", "--base", "bits"],
            "0: 41",
            "utf8: -: line 1: \"41\" is not a binary number; two blanks end the cells (--base",
        ),
        (&["-r"], "==> a <==\n", "utf8: -: line 1: a dump of several files (take them apart"),
        (&["-r", "-p"], "41\n4x", "utf8: -: unexpected \"x\" at byte 4 (line 2) of the hex text"),
        (&["-r", "-p", "--base", "bits"], "01", "utf8: -: line 1: 2 of 8 digits at the end"),
        (&["-r", "-p", "--base", "octal"], "101", "utf8: --plain needs --base hex"),
    ] {
        let out = dump(args).write_stdin(input).assert().code(2).stdout("");
        let said = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(said.starts_with(what), "{args:?}: {said}");
    }
}

#[test]
fn endless_dumps_are_not_kept_and_end_with_a_closed_pipe() {
    for text in ["0: 41\n*\nffffffffffffff00: 42\n", "0: 41\nffffffffffffff00: 42\n"] {
        let mut command = raw();
        command
            .args(["dump-bits", "-r", "-q", "-e", text])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut start = [1; 200_000];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        assert_eq!((start[0], start[1] == start[0]), (0x41, text.contains('*')));
        let out = child.wait_with_output().unwrap();
        assert_eq!((out.status.code(), out.stderr), (Some(0), vec![]));
    }
}

// Patches

#[test]
fn a_patch_changes_its_bytes_and_no_others() {
    for (rows, bytes) in [
        ("2: 58", &b"01X3456789"[..]),
        ("0: 58\n--\n00000008  59 5a  \"YZ\"", b"X1234567YZ"),
        ("1: 58\n*\n4: 59\n", b"0XXXY56789"),
        ("9: 58 59", b"012345678XY"),
        ("c: 58", b"0123456789\0\0X"),
        ("0x00000001: 58\n0x00000002: 59\n0x00000010: 5a", b"0XY3456789\0\0\0\0\0\0Z"),
        ("00000001: 58\n00000002: 59", b"0XY3456789"),
        // The end of a file is not a byte.
        ("000001 58\n000020\n", b"0X23456789"),
    ] {
        let dir = Dir::of(&[("f", b"0123456789")]);
        fs::set_permissions(dir.path("f"), fs::Permissions::from_mode(0o640)).unwrap();
        let mut command = within(&dir, &["-r", "-q", "--patch", "f"]);
        command.write_stdin(rows).assert().success().stdout("").stderr("");
        assert_eq!(fs::read(dir.path("f")).unwrap(), bytes, "{rows}");
        assert_eq!(fs::metadata(dir.path("f")).unwrap().mode() & 0o777, 0o640);
        assert_eq!(names(&dir), ["f"]);
    }
}

#[test]
fn a_patch_of_many_blocks() {
    let mut rng = Rng::new(3);
    let mut bytes: Vec<u8> = (0..300_000).map(|_| rng.next() as u8).collect();
    let dir = Dir::of(&[("f", &bytes)]);
    let mut rows = String::new();
    for at in (100..bytes.len()).step_by(1000) {
        let len = (bytes.len() - at).min(rng.below(1000));
        let cells: String =
            bytes[at..at + len].iter().map(|byte| format!("{:02x}", !byte)).collect();
        bytes[at..at + len].iter_mut().for_each(|byte| *byte = !*byte);
        if len > 0 {
            rows.push_str(&format!("{at:08x}: {cells}\n"));
        }
    }
    within(&dir, &["-r", "--patch", "f"]).write_stdin(rows).assert().success();
    assert!(fs::read(dir.path("f")).unwrap() == bytes);
}

#[test]
fn a_patch_that_changes_nothing_leaves_the_file_alone() {
    let dir = Dir::of(&[("f", b"0123456789"), ("empty", b"")]);
    for (name, rows) in [("f", "2: 32 33\n--\n8: 38"), ("f", ""), ("empty", "")] {
        let before = stamp(dir.path(name));
        within(&dir, &["-r", "--patch", name]).write_stdin(rows).assert().success().stderr("");
        assert_eq!(stamp(dir.path(name)), before, "{rows}");
    }
}

#[test]
fn a_patch_that_fails_changes_nothing() {
    const DECIMAL_OR_NOT: &str = "utf8: -: line 2: an offset that is decimal or, after a gap, hexadecimal (put 0x before each";
    let dir = Dir::of(&[("f", b"0123456789"), ("two", b"old")]);
    fs::create_dir(dir.path("d")).unwrap();
    fs::hard_link(dir.path("two"), dir.path("three")).unwrap();
    for (args, rows, said) in [
        (&["f"][..], "0: 58\n1: 5\n", "utf8: -: line 2: \"5\" has 1 digit (a byte has 2 hexa"),
        (&["f"], "0: 58\nfffffffffffffff0: 58\n", "utf8: -: an offset is too large for a file"),
        (&["f"], "00000009: 58\n00000010: 59\n", DECIMAL_OR_NOT),
        // The rows of xxd -d -s 9 -c 1.
        (&["f"], "00000009: 58\n00000010: 59\n00000011: 5a\n", DECIMAL_OR_NOT),
        (&["none"], "0: 58", "utf8: none: No such file or directory (check the name)"),
        (&["d"], "0: 58", "utf8: d: is a directory"),
        (&["/dev/null"], "0: 58", "utf8: /dev/null: not a regular file: cannot be replaced"),
        (&["two"], "0: 58", "utf8: two: has 2 hard links, which would be split"),
        (&["f", "-p"], "58", "utf8: --patch needs a dump with offsets"),
        (&["f", "d1", "d2"], "", "utf8: --patch takes one dump (run it once for each)"),
    ] {
        let out = within(&dir, &[&["-r", "--patch"], args].concat())
            .write_stdin(rows)
            .assert()
            .code(2)
            .stdout("");
        let told = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(told.starts_with(said), "{args:?}: {told}");
        assert_eq!(fs::read(dir.path("f")).unwrap(), b"0123456789");
        assert_eq!(names(&dir), ["d", "f", "three", "two"]);
    }
}

#[test]
fn a_patch_through_a_link_and_not_through_a_descriptor() {
    let dir = Dir::of(&[("f", b"0123456789")]);
    symlink("f", dir.path("link")).unwrap();
    within(&dir, &["-r", "--patch", "link"]).write_stdin("0: 58").assert().success();
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"X123456789");
    assert!(fs::symlink_metadata(dir.path("link")).unwrap().is_symlink());
    let mut command = raw();
    command.args(["dump-bits", "-r", "-e", "0: 59", "--patch", "/dev/stdin"]);
    let file = fs::File::options().read(true).write(true).open(dir.path("f")).unwrap();
    let out = command.stdin(file).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&out.stderr).contains("not a regular file: cannot be replaced")
    );
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"X123456789");
}

/// Gaps between rows are holes in a regular file, and zeros elsewhere.
#[test]
fn a_part_does_not_replace_its_file() {
    let dir = Dir::of(&[("f", b"0123456789abcdef"), ("short", b"0123")]);
    let dump = within(&dir, &["-s", "4", "-n", "4", "f"]).output().unwrap().stdout;
    dir.write("d", dump);
    dir.write("empty", "");
    let refused = within(&dir, &["-r", "-o", "f", "empty"]).assert();
    refused.code(2).stdout("").stderr("utf8: empty: has no rows: would empty f (16 bytes)\n");
    let said = "utf8: d: starts at offset 00000004: would replace f (16 bytes) by a part of it (--patch f changes it there)\n";
    within(&dir, &["-r", "-o", "f", "d"]).assert().code(2).stdout("").stderr(said);
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"0123456789abcdef");
    for output in ["short", "new"] {
        within(&dir, &["-r", "-o", output, "d"]).assert().code(0).stderr("");
        assert_eq!(fs::read(dir.path(output)).unwrap(), b"4567");
    }
}

#[test]
fn gaps_are_holes_in_files() {
    let dir = Dir::of(&[("dump", b"00000000: 41\n40000000: 42\n")]);
    let reverse = |args: &[&str]| {
        let mut command = raw();
        command.args(["dump-bits", "-r", "-q", "dump"]).args(args).current_dir(dir.path(""));
        command
    };
    let check = |name: &str| {
        let metadata = fs::metadata(dir.path(name)).unwrap();
        assert_eq!(metadata.len(), (1 << 30) + 1, "{name}");
        assert!(metadata.blocks() < 1 << 11, "{name}: {} blocks", metadata.blocks());
        fs::remove_file(dir.path(name)).unwrap();
    };
    assert!(reverse(&["-o", "o"]).status().unwrap().success());
    check("o");
    for append in [false, true] {
        let out = fs::File::options().create(true).write(true).append(append).open(dir.path("s"));
        assert!(reverse(&[]).stdout(out.unwrap()).status().unwrap().success());
        check("s");
    }
    // A file that is not written at its end keeps no bytes in a gap.
    dir.write("dump", b"00: 41\n04: 42\n");
    dir.write("w", b"xxxxxxxx");
    let out = fs::File::options().write(true).open(dir.path("w")).unwrap();
    assert!(reverse(&[]).stdout(out).status().unwrap().success());
    assert_eq!(fs::read(dir.path("w")).unwrap(), b"A\0\0\0Bxxx");
}
