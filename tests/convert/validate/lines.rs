//! The format `lines`: faulty lines, or the others, as they are.

use std::io::{BufRead, Read};

use predicates::str::contains;

use crate::common::bin::{Dir, Piped, raw_validate, run, skipped};
#[cfg(target_os = "linux")]
use crate::common::bin::{seen, terminal};
use crate::common::inputs::{MIXTURES, Rng, dirty};
use crate::common::peer::peer;

const TEXT: &[u8] = b"good\nbad \xFF one\nfine\n\xC0\xAF\nlast \xE2\x82";

#[test]
fn faulty_lines_are_written_as_they_are() {
    let dir = Dir::of(&[("a", TEXT), ("good", b"a\nb"), ("empty", b"")]);
    for (args, code, lines) in [
        (&["a"][..], 1, &b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\n"[..]),
        (&["-v", "a"], 1, b"good\nfine\n"),
        (&["-m", "1", "a"], 1, b"bad \xFF one\n"),
        (&["-m", "2", "a", "a"], 1, b"bad \xFF one\n\xC0\xAF\nbad \xFF one\n\xC0\xAF\n"),
        // A range is read as if it were the input.
        (&["-s", "7", "-n", "4", "a"], 1, b"d \xFF \n"),
        (&["-s", "-7", "a"], 1, b"last \xE2\x82\n"),
        (&["-q", "a"], 1, b""),
        (&["-c", "a"], 1, b"3\n"),
        (&["-l", "good"], 0, b""),
        (&["good"], 0, b""),
        (&["-v", "good", "empty"], 0, b"a\nb\n"),
    ] {
        let format: &[&str] = if args.contains(&"-l") { &[] } else { &["--format", "lines"] };
        let out = dir.validate().args(format).args(args).assert().code(code);
        out.stdout(lines.to_vec());
    }
    let out = dir.validate().args(["--format", "lines", "a"]).assert();
    out.stderr("");
    let out = dir.validate().args(["--format", "lines", "a", "missing"]).assert().code(2);
    out.stderr(contains("utf8: missing: No such file"));
}

/// A line ends at the code unit or byte that is U+000A in the encoding.
#[test]
fn lines_end_in_the_encoding_of_the_text() {
    for (codec, input, faulty, others) in [
        (
            "utf-16le",
            &b"\x0A\x01\n\0\x00\xDC\x0A\x0A\n\0a\0\n\0\n"[..],
            // The code unit that the end cuts is completed.
            &b"\x00\xDC\x0A\x0A\n\0\n\0\n\0"[..],
            &b"\x0A\x01\n\0a\0\n\0"[..],
        ),
        ("utf-16", b"\xFF\xFEa\0\n\0\x00\xDC\n\0", b"\x00\xDC\n\0", b"\xFF\xFEa\0\n\0"),
        ("utf-32be", b"\0\0\0a\0\0\0\n\0\x11\0\0", b"\0\x11\0\0\0\0\0\n", b"\0\0\0a\0\0\0\n"),
        ("us-ascii", b"a\nb\x81\nc", b"b\x81\n", b"a\nc\n"),
        ("ibm037", b"\x81\x25\x82", b"", b"\x81\x25\x82\x25"),
        ("gbk", b"a\n\x81\nb", b"\x81\n", b"a\nb\n"),
    ] {
        for (args, lines) in [(&[][..], faulty), (&["-v"], others)] {
            let mut command = run(&["validate"]);
            let out = command.args(["--format", "lines", "-f", codec]).args(args);
            let out = out.write_stdin(input).assert();
            assert_eq!(out.get_output().stdout, lines, "{codec} {args:?}");
        }
    }
}

/// A range that starts or ends in a code unit has the units that start in it.
#[test]
fn a_range_has_whole_code_units() {
    let text = |values: &[u32], unit: usize, big: bool| -> Vec<u8> {
        let unit_of = |value: &u32| match big {
            true => value.to_be_bytes()[4 - unit..].to_vec(),
            false => value.to_le_bytes()[..unit].to_vec(),
        };
        values.iter().flat_map(unit_of).collect()
    };
    let all = [0x61, 0x0A, 0x62, 0x0A, 0x63, 0x0A, 0xD800, 0x0A, 0x64, 0x0A];
    for (codec, unit, big, skips) in [
        ("utf-16le", 2, false, &[1, 3, 5][..]),
        ("ucs-2le", 2, false, &[1, 3, 5]),
        ("utf-16be", 2, true, &[1, 3, 5]),
        ("utf-32be", 4, true, &[1, 2, 3, 6]),
        ("utf-32le", 4, false, &[2, 5]),
    ] {
        let dir = Dir::of(&[("f", &text(&all, unit, big))]);
        for &skip in skips {
            let first = usize::div_ceil(skip, unit);
            let others = [&all[first..6], &all[8..]].concat();
            for (more, lines) in [(&[][..], &all[6..8]), (&["-v"], &others)] {
                let skip = skip.to_string();
                let args = ["--format", "lines", "-f", codec, "-s", &skip];
                let lines = text(lines, unit, big);
                let file = dir.validate().args(args).args(more).arg("f").assert();
                assert_eq!(file.get_output().stdout, lines, "{codec} {skip} {more:?}");
                let mut piped = dir.validate();
                let piped = piped.args(args).args(more).write_stdin(text(&all, unit, big));
                let piped = piped.assert();
                assert_eq!(piped.get_output().stdout, lines, "{codec} {skip} {more:?} piped");
            }
        }
        // The unit that the end cuts is in the range.
        let args = ["--format", "lines", "-v", "-f", codec, "-n"];
        let end = (2 * unit + 1).to_string();
        let out = dir.validate().args(args).args([&end, "f"]).assert();
        assert_eq!(out.get_output().stdout, text(&[0x61, 0x0A, 0x62, 0x0A], unit, big), "{codec}");
    }
}

/// Random lines: as grep has them, and each is among the faulty ones or among the others.
#[test]
fn grep_finds_the_same_lines() {
    let grep = |options: &str, input: &[u8]| {
        let script = format!("LC_ALL=C.UTF-8 grep {options} '.*'; test $? -lt 2");
        peer("sh", &["-c", &script], input)
    };
    if grep("-ax", b"\xC3\xA9\n").is_none_or(|out| out.is_empty())
        || grep("-axv", b"\xFF\n").is_none_or(|out| out.is_empty())
    {
        return skipped("lines as grep has them", "grep has no UTF-8 locale");
    }
    let mut rng = Rng::new(31);
    for round in 0..60 {
        let mut text = Vec::new();
        for at in 0..rng.below(400) {
            let rarity = rng.pick(&[1, 10, 100, 10_000]);
            let mut line = dirty(&mut rng, at % 70, MIXTURES[round % MIXTURES.len()], rarity);
            line.retain(|&byte| byte != 0);
            text.extend(line);
            if !rng.one_in(4) {
                text.push(b'\n');
            }
        }
        for (args, options) in [(&[][..], "-axv"), (&["-v"], "-ax")] {
            let Some(expected) = grep(options, &text) else { return };
            let mut command = run(&["validate"]);
            let out = command.args(["--format", "lines"]).args(args).write_stdin(&*text).assert();
            assert!(out.get_output().stdout == expected, "{args:?} {}", text.escape_ascii());
        }
    }
}

/// A line that is longer than the memory for it is kept in a file until it is decided.
#[test]
fn long_lines_are_whole() {
    let long = "é ein Satz ".repeat(300_000).into_bytes();
    let text = [b"a\n", &long[..], b"\xFF\n", &long, b"\nb\n", &long, b"\xFF", &long].concat();
    let faulty = [&long[..], b"\xFF\n", &long, b"\xFF", &long, b"\n"].concat();
    let others = [b"a\n", &long[..], b"\nb\n"].concat();
    let dir = Dir::of(&[("f", &text)]);
    for (args, lines) in [(&[][..], &faulty), (&["-v"], &others)] {
        for mmap in ["always", "never"] {
            let args = [&["--format", "lines", "--mmap", mmap, "f"], args].concat();
            let out = dir.validate().args(args).assert().code(1);
            assert!(out.get_output().stdout == *lines, "{mmap}");
        }
        let mut command = dir.validate();
        let out = command.args(["--format", "lines"]).args(args).write_stdin(&*text).assert();
        assert!(out.get_output().stdout == *lines);
    }
}

/// A line is there before the input ends.
#[test]
fn lines_are_written_as_they_come() {
    for (args, line) in [(&[][..], &b"b\xFF\n"[..]), (&["-v"], b"a\n")] {
        let mut piped = Piped::new(raw_validate().args(["--format", "lines"]).args(args));
        piped.write(b"a\nb\xFF\nc");
        let mut found = Vec::new();
        piped.stdout.read_until(b'\n', &mut found).unwrap();
        assert_eq!(found, line);
        piped.write(b"d\n\xC3");
        drop(piped.child.stdin.take());
        let mut rest = Vec::new();
        piped.stdout.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, if args.is_empty() { &b"\xC3\n"[..] } else { b"cd\n" });
        assert_eq!(piped.child.wait().unwrap().code(), Some(1));
    }
}

/// On a terminal, lines have no raw control characters.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_has_escaped_lines() {
    let dir = Dir::of(&[("f", b"a\n\x1B[31m\xFFb\xC3\xA9\n")]);
    let (mut person, program) = terminal();
    let mut command = dir.raw();
    let status = command.args(["--format", "lines", "f"]).stdout(program).status().unwrap();
    drop(command);
    assert_eq!(status.code(), Some(1));
    assert_eq!(String::from_utf8(seen(&mut person)).unwrap(), "\\x1B[31m\\xFFb\u{E9}\r\n");
}

#[test]
fn lints_of_settings_are_left_out_with_a_message() {
    let dir = Dir::of(&[("utf8.toml", &b"[validate]\ndeny = [\"crlf\"]\n"[..]), ("a", b"x\r\n")]);
    dir.validate().arg("a").assert().code(1);
    let out = dir.validate().args(["--format", "lines", "a"]).assert().code(0).stdout("");
    out.stderr("utf8: --format lines leaves out the lints that the settings of 1 file ask for\n");
    dir.validate().args(["--no-config", "--format", "lines", "a"]).assert().code(0).stderr("");
}
