//! Lines that a repair in place appends to the file of `--rejects`.

use std::fs;

use assert_cmd::Command;

use crate::common::bin::{Dir, utf8};

/// Returns a command for `utf8 repair -i --on-error drop-line --rejects kept` in a directory.
fn repair(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path("."));
    command.args(["repair", "-qi", "--on-error", "drop-line", "--rejects", "kept"]).args(args);
    command
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
        let run = repair(&dir, &["-f", codec, "f"]).assert();
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
    repair(&dir, &["--binary", "a", "b", "c"]).assert().code(0).stderr("");
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
    repair(&dir, &["-f", "utf-16le", "a"]).assert().code(0);
    repair(&dir, &["-f", "utf-16le", "b"]).assert().code(0);
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"x\0y\0\n\0\0\xD8Z\0\n\0");
    fs::remove_file(dir.path("kept")).unwrap();
    repair(&dir, &["-f", "utf-32be", "c", "d"]).assert().code(0);
    let kept = fs::read(dir.path("kept")).unwrap();
    assert_eq!(kept, b"\0\0\0\0\0\0\0\n\0\x11\0\0\0\0\0\n");
}
