//! Rows that fit a terminal.

use super::{dump, dump_of, shown};
use crate::common::bin::Dir;
use predicates::str::contains;

#[test]
fn narrow_rows_lose_names_then_bits() {
    let text = "e2 82 ac c0 af 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64";
    for (width, rows) in [
        (
            "90",
            "00000000  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €   EURO SIGN\n\
             00000003  110·00000 10·101111                      c0 af        overlong 2-b… [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64                   \"Hello, world\"\n",
        ),
        (
            "80",
            "00000000  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €\n\
             00000003  110·00000 10·101111                      c0 af        [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77 6f 72 6c 64                   \"Hello, world\"\n",
        ),
        (
            "46",
            "00000000  e2 82 ac     U+20AC    €   EURO SIGN\n\
             00000003  c0 af        overlong… [overlong-2]\n\
             00000005  48 65 6c 6c 6f 2c 20 77  \"Hello, w\"\n\
             0000000d  6f 72 6c 64              \"orld\"\n",
        ),
    ] {
        assert_eq!(shown(text, &["--width", width]), rows, "{width}");
    }
    // Rows of bytes and digits are shorter, unless -c asks for their length.
    assert_eq!(
        shown("41 42 43 44 45 46 47 48 49", &["--base", "hex", "--width", "46"]).lines().next(),
        Some("00000000: 41 42 43 44 45 46 47 48  ABCDEFGH")
    );
    let args = ["--base", "hex", "--width", "46", "-c", "16"];
    assert_eq!(shown(text, &args).lines().count(), 2);
    assert_eq!(shown(&"41".repeat(30), &["-p", "--width", "50"]).lines().next().unwrap().len(), 50);
}

#[test]
fn rows_with_longer_offsets_have_fewer_bytes() {
    let dir = Dir::new();
    std::fs::File::create(dir.path("sparse")).unwrap().set_len((1 << 32) + 64).unwrap();
    for (args, widths) in [
        (&["--base", "hex", "--width", "80"][..], [8 + 1 + 48 + 2 + 16, 16 + 1 + 36 + 2 + 12]),
        (&["--base", "hex", "--width", "0"], [8 + 1 + 48 + 2 + 16, 16 + 1 + 48 + 2 + 16]),
        (&["--layout", "bytes", "--width", "79"], [8 + 1 + 54 + 2 + 6, 16 + 1 + 45 + 2 + 5]),
    ] {
        // The rows before and after 4 GiB.
        for (skip, width) in [(3 << 30, widths[0]), (1_u64 << 32, widths[1])] {
            let mut command = dump_of(&dir);
            let range = ["-s", &skip.to_string(), "-n", "48", "sparse"];
            let out = command.args(args).args(range).output().unwrap();
            let dump = String::from_utf8(out.stdout).unwrap();
            assert_eq!(dump.lines().next().unwrap().chars().count(), width, "{args:?}\n{dump}");
        }
        let mut command = dump_of(&dir);
        let range = ["-s", "4294967264", "-n", "96", "sparse"];
        let dump = command.args(args).args(range).output().unwrap().stdout;
        let rows = String::from_utf8(dump.clone()).unwrap();
        let last = rows.lines().next_back().unwrap();
        assert!(rows.starts_with("ffffffe0:") && last.starts_with("00000001000000"), "{rows}");
        let base = if args.contains(&"hex") { "hex" } else { "bits" };
        let back = dump_of(&dir).args(["-r", "--base", base]).write_stdin(dump).output().unwrap();
        assert_eq!(back.stdout, [0; 96], "{args:?}\n{rows}");
    }
}

#[test]
fn a_pipe_has_all_columns() {
    let free = shown("e2 82 ac", &[]);
    let columns = |columns: &str, args: &[&str]| {
        let mut command = dump();
        command.env("COLUMNS", columns).args(["-xe", "e2 82 ac"]).args(args);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(columns("50", &[]), free);
    assert_ne!(columns("50", &["--width", "50"]), free);
    assert_eq!(columns("50", &["--width", "0"]), free);
    dump().args(["--width", "39", "-e", "a"]).assert().code(2).stderr(contains("40 or more"));
    let json = ["--width", "80", "--format", "json", "-e", "a"];
    dump().args(json).assert().code(2).stderr(contains("need --format text"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_has_the_columns_that_fit() {
    use crate::common::bin::{raw, seen, terminal};
    use std::os::fd::AsRawFd;
    let dump = |reported: u16, columns: Option<&str>, args: &[&str]| {
        let (mut person, program) = terminal();
        let size = libc::winsize { ws_row: 24, ws_col: reported, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: an open terminal, and a size that the call reads.
        assert_eq!(unsafe { libc::ioctl(person.as_raw_fd(), libc::TIOCSWINSZ, &size) }, 0);
        let mut command = raw();
        command.args(["dump-bits", "--color", "never", "-xe", "e2 82 ac"]).args(args);
        command.env_remove("COLUMNS").envs(columns.map(|columns| ("COLUMNS", columns)));
        let mut child = command.stdout(program).spawn().unwrap();
        drop(command);
        let seen = String::from_utf8(seen(&mut person)).unwrap();
        assert!(child.wait().unwrap().success());
        seen.replace('\r', "")
    };
    let rows = |width: &str| shown("e2 82 ac", &["--width", width]);
    for (reported, columns, args, width) in [
        (0, None, &[][..], "0"),
        (50, None, &[], "50"),
        (80, None, &[], "80"),
        (200, None, &[], "0"),
        // COLUMNS comes first; the option before all.
        (200, Some("50"), &[], "50"),
        (50, Some("many"), &[], "50"),
        (50, Some("60"), &["--width", "80"], "80"),
        (50, None, &["--width", "0"], "0"),
        // Narrower terminals wrap rows.
        (10, None, &[], "40"),
    ] {
        assert_eq!(dump(reported, columns, args), rows(width), "{reported} {columns:?} {args:?}");
    }
}
