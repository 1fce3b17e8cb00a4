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
    let dir = Dir::new();
    for (kept, codec, text, found) in [
        (little("\u{FEFF}a\n"), "utf-8", &bytes, "utf-16le, not in utf-8"),
        (big("\u{FEFF}a\n"), "windows-1253", &b"\xD2\n".to_vec(), "utf-16be, not in windows-1253"),
        (unmarked.clone(), "utf-8", &bytes, "utf-16le, not in utf-8"),
        (unmarked, "utf-16le", &le, ""),
        (little("\u{FEFF}a\n"), "utf-16be", &be, "utf-16le, not in utf-16be"),
        (little("\u{FEFF}a\n"), "utf-16le", &le, ""),
        (little("\u{FEFF}"), "utf-16le", &le, ""),
        (b"a\n".to_vec(), "utf-16le", &le, "an 8-bit encoding, not in utf-16le"),
        // A rejected line may start as a BOM does.
        (b"\xFF\xFEa\n".to_vec(), "utf-8", &bytes, ""),
        (b"\xFE\xFFa\n".to_vec(), "utf-8", &bytes, ""),
    ] {
        dir.write("kept", &kept);
        dir.write("f", text);
        let run = repair(&dir, &["-f", codec, "f"]).assert();
        if found.is_empty() {
            run.code(0).stderr("");
            assert_ne!(fs::read(dir.path("kept")).unwrap(), kept, "{codec}");
            continue;
        }
        let advice = "(name another file for them)";
        run.code(2).stderr(format!("utf8: f: --rejects kept: has lines in {found} {advice}\n"));
        assert_eq!(fs::read(dir.path("kept")).unwrap(), kept, "{codec}");
        assert_eq!(&fs::read(dir.path("f")).unwrap(), text, "{codec}");
    }
}
