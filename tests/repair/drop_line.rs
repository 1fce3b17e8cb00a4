//! The policy `drop-line`, and the lines that it rejects.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use assert_cmd::Command;
use predicates::str::contains;

use crate::common::bin::{Dir, objects, raw, run, skipped, utf8};
use crate::common::inputs::{MIXTURES, Rng, dirty};
use crate::common::peer::peer;
use crate::common::repair::{repaired, unsigned};
use crate::common::replace::{names, text};
use crate::common::representatives;
use utf8::finding::line_terminator::LineTerminator;
use utf8::policy::Policy;
use utf8::registry::Encoding;
use utf8::repair::{
    MojibakeOptions, Newlines, NormalizationForm, RepairPlan, StructuralRepairs, TruncationLimit,
};

pub(super) const TEXT: &[u8] = b"good\nbad \xFF one\nfine\n\xC0\xAF\nlast \xE2\x82";

/// Returns a command for `utf8 repair --on-error drop-line` in a directory.
pub(super) fn repair(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).args(["repair", "--on-error", "drop-line"]).args(args);
    command
}

#[test]
fn faulty_lines_are_left_out_and_kept() {
    let dir = Dir::of(&[("a", TEXT), ("b", b"x\ny\xFF\nw"), ("good", b"a\nb"), ("empty", b"")]);
    for (args, output, rejects, errors) in [
        (
            &["a"][..],
            &b"good\nfine\n"[..],
            &b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\n"[..],
            "utf8: a: 3 of 5 lines dropped\n",
        ),
        (
            &["a", "b"],
            b"good\nfine\nx\nw",
            b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\ny\xFF\n",
            "utf8: a: 3 of 5 lines dropped\nutf8: b: 1 of 3 lines dropped\n",
        ),
        (
            &["--shorten-overlong", "-q", "a"],
            b"good\nfine\n/\n",
            b"bad \xFF one\nlast \xE2\x82\n",
            "",
        ),
        (&["good", "empty"], b"a\nb", b"", ""),
        (&["-n", "8", "a"], b"good\nbad", b"", ""),
        (&["--truncate", "3", "-q", "a"], b"goo", b"bad \xFF one\n", ""),
        (
            &["--newlines", "crlf", "-q", "a"],
            b"good\r\nfine\r\n",
            b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\n",
            "",
        ),
    ] {
        let out = repair(&dir, &[&["--rejects", "kept"], args].concat()).assert().code(0);
        out.stdout(output.to_vec()).stderr(errors);
        let truncates = args.contains(&"--truncate");
        // Text after the cut is not validated.
        assert!(truncates || fs::read(dir.path("kept")).unwrap() == rejects, "{args:?}");
    }
    dir.write("utf8.toml", "[validate]\ndeny = [\"crlf\"]\n");
    for place in [&["-o", "out"][..], &["-i"]] {
        let args = [&["--fix", "--rejects", "utf8.toml", "a"], place].concat();
        let said = "--rejects utf8.toml: not written: this run reads it as settings";
        repair(&dir, &args).assert().code(2).stderr(contains(said));
        assert_eq!(text(dir.path("utf8.toml")), "[validate]\ndeny = [\"crlf\"]\n");
    }
    fs::remove_file(dir.path("utf8.toml")).unwrap();
    repair(&dir, &["-o", "out", "--rejects", "kept", "a"]).assert().code(0);
    assert_eq!(text(dir.path("out")), "good\nfine\n");
    // A run that fails leaves both files.
    repair(&dir, &["-o", "out", "--rejects", "kept", "b", "missing"]).assert().code(2);
    assert_eq!(text(dir.path("out")), "good\nfine\n");
    assert_eq!(fs::read(dir.path("kept")).unwrap(), b"bad \xFF one\n\xC0\xAF\nlast \xE2\x82\n");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut piped = raw();
    piped.current_dir(dir.path("")).args([
        "repair",
        "-q",
        "--on-error",
        "drop-line",
        "--rejects",
        "kept",
        "b",
    ]);
    let out = piped.stdout(writer).output().unwrap();
    let said = "utf8: --rejects kept: not written, because standard output was closed or failed\n";
    assert_eq!((String::from_utf8(out.stderr).unwrap(), out.status.code()), (said.into(), Some(2)));
}

/// Only LF ends a line, and a file of an old Macintosh has none: one fault would drop all of it.
#[test]
fn a_text_with_lines_that_end_with_cr_alone_is_refused() {
    let text = b"one\rtw\xFFo\rthree\r";
    let wide: Vec<u8> =
        "one\rtw\u{F8FF}o\rthree\r".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&wide[..], b"\x00\xD8"].concat();
    let dir = Dir::of(&[("a", text), ("w", &wide), ("last", b"o\xFF\r"), ("lf", b"o\rt\xFF\nx\n")]);
    dir.write("progress", b"9 %\xFF\r10 %\n");
    dir.write("doubled", b"o\xFF\r\r\n");
    for args in [
        &["a"][..],
        &["--rejects", "kept", "-i", "a"],
        &["--check", "a"],
        &["-f", "utf-16le", "-i", "w"],
    ] {
        let out = repair(&dir, args).assert().code(2).stdout("");
        out.stderr(contains(": its lines end with CR alone, which ends no line here"));
    }
    assert_eq!(fs::read(dir.path("a")).unwrap(), text);
    assert_eq!(names(&dir), ["a", "doubled", "last", "lf", "progress", "w"]);
    for name in ["last", "progress", "doubled"] {
        repair(&dir, &[name]).assert().code(0).stdout("");
    }
    repair(&dir, &["lf"]).assert().code(0).stdout("x\n");
}

#[test]
fn the_rejects_are_neither_an_input_nor_the_output() {
    let dir = Dir::of(&[("a", TEXT), ("b", b"x\n"), ("names", b"a\n")]);
    symlink("a", dir.path("link")).unwrap();
    symlink("c", dir.path("to-c")).unwrap();
    symlink("a~", dir.path("to-backup")).unwrap();
    for (args, message) in [
        (&["--rejects", "-", "a"][..], "expected a file, not standard output"),
        (&["--rejects", "/dev/stdout", "a"], "expected a file, not standard output"),
        (&["--rejects", "a", "a"], "--rejects a: is an input, too"),
        (&["--rejects", "link", "a"], "--rejects link: is an input, too"),
        (&["-i", "--rejects", "./a", "a"], "--rejects ./a: is an input, too"),
        (&["--rejects", "a", "--files-from", "names"], "utf8: a: is the file of --rejects, too"),
        (&["--rejects", "./c", "-o", "c", "a"], "--rejects ./c: is the output, too"),
        (&["--rejects", "to-c", "-o", "c", "a"], "--rejects to-c: is the output, too"),
        (&["-i", "--backup=~", "--rejects", "a~", "a"], "has the suffix of backups, ~ (name"),
        (
            &["-i", "--backup=~", "--rejects", "to-backup", "a"],
            "--rejects to-backup: has the suffix of backups, ~ (name",
        ),
        (&["--rejects", "b", "-o", "b", "a"], "--rejects b: is the output, too"),
        (&["--rejects", "b", "--check", "a"], "cannot be used with"),
        (&["--rejects", "b", "--on-error", "ignore", "a"], "--rejects needs --on-error drop-line"),
    ] {
        repair(&dir, args).assert().code(2).stderr(contains(message));
    }
    assert_eq!(fs::read(dir.path("a")).unwrap(), TEXT);
    assert_eq!((text(dir.path("b")), names(&dir).len()), ("x\n".into(), 6));
    for command in ["decode", "encode"] {
        let out = utf8().args([command, "--on-error", "drop-line"]).assert().code(2);
        out.stderr(contains("only repair drops lines (utf8 repair -f CODEC --on-error drop-line"));
    }
    for policy in ["transliterate", "escape=json"] {
        let out = utf8().args(["repair", "--on-error", policy]).assert().code(2);
        out.stderr(contains("a repair does not change the encoding (utf8 encode escapes or"));
    }
}

/// Messages would overwrite the lines.
#[test]
fn the_rejects_are_not_where_messages_go() {
    let dir = Dir::of(&[("a", TEXT)]);
    for rejects in ["log", "/dev/stderr"] {
        let log = fs::File::create(dir.path("log")).unwrap();
        let mut command = raw();
        command.current_dir(dir.path("."));
        command.args(["repair", "-i", "--on-error", "drop-line", "--rejects", rejects, "a"]);
        assert_eq!(command.stderr(log).status().unwrap().code(), Some(2));
        let message = format!("--rejects {rejects}: has the messages, too");
        assert!(text(dir.path("log")).contains(&message));
        assert_eq!(fs::read(dir.path("a")).unwrap(), TEXT);
    }
}

#[test]
fn reports_have_each_line() {
    let dir = Dir::of(&[("a", TEXT)]);
    let out = repair(&dir, &["--format", "json", "--check", "a"]).assert().code(1);
    let records = objects(&out.get_output().stdout);
    let places: Vec<_> = records[..3]
        .iter()
        .map(|it| (it["offset"].as_u64().unwrap(), it["length"].as_u64().unwrap()))
        .collect();
    assert_eq!(places, [(5, 10), (20, 3), (23, 7)]);
    assert_eq!((&records[3]["changes"], &records[3]["new_size"]), (&3.into(), &10.into()));
    repair(&dir, &["--explain", "a"])
        .assert()
        .stderr("a: kept no multi-byte UTF-8 sequence, 3 lines dropped\n");
    let out = repair(&dir, &["--diff", "a"]).assert().code(1);
    let diff = out.get_output().stdout.clone();
    assert!(!diff.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"+fine")));
    let patched = peer(
        "sh",
        &["-c", "cd \"$1\" && patch -s -p0 -o - a", "sh", dir.path(".").to_str().unwrap()],
        &diff,
    );
    match patched {
        Some(patched) => assert_eq!(patched, b"good\nfine\n"),
        None => skipped("the diff as a patch", "no patch"),
    }
}

/// U+FEFF at the start is not part of the first line.
#[test]
fn a_byte_order_mark_stays() {
    for (codec, input, output) in [
        ("utf-8", &b"\xEF\xBB\xBFa\xFF\nb\n"[..], &b"\xEF\xBB\xBFb\n"[..]),
        ("utf-16", b"\xFF\xFE\x00\xDC\n\0a\0\n\0", b"\xFF\xFEa\0\n\0"),
        ("utf-16", b"\xFE\xFF\xDC\x00\0\n\0a\0\n", b"\xFE\xFF\0a\0\n"),
    ] {
        let mut command = run(&["repair"]);
        let out = command.args(["-q", "-f", codec, "--on-error", "drop-line"]).write_stdin(input);
        out.assert().code(0).stdout(output);
    }
}

/// Returns text of an encoding in lines, with faults.
fn lines_of(rng: &mut Rng, codec: &'static Encoding) -> Vec<u8> {
    let spelt = |text: &str| unsigned(codec, text);
    let terminator = LineTerminator::of(codec).as_bytes().to_vec();
    let unit = codec.inner.unit;
    let mut text = spelt("a").unwrap_or_default();
    for _ in 0..rng.below(60) {
        let part = match rng.below(8) {
            0 => {
                let len = 4 * rng.below(4);
                dirty(rng, len, MIXTURES[0], 3)
            }
            1 => (0..unit).map(|_| rng.next() as u8).collect(),
            2 | 3 => terminator.clone(),
            _ => spelt(rng.pick(&["b", "some words", "\u{E9}", "\u{416}", "\u{4E9C}"]))
                .unwrap_or_else(|| spelt("c").unwrap_or_default()),
        };
        text.extend(part);
    }
    text
}

/// The repaired text has the lines without findings, and the rejects are the others.
#[test]
fn lines_are_those_of_validate() {
    let dir = Dir::new();
    let validate = |codec: &str, args: &[&str]| {
        let mut command = dir.validate();
        command.args(["--format", "lines", "-f", codec, "in"]).args(args);
        command.assert().get_output().stdout.clone()
    };
    let mut rng = Rng::new(14);
    for codec in representatives() {
        for _ in 0..4 {
            let input = lines_of(&mut rng, codec);
            dir.write("in", &input);
            let args = ["-q", "-f", codec.name, "--rejects", "kept", "in"];
            let out = repair(&dir, &args).assert().code(0);
            let mut output = out.get_output().stdout.clone();
            let case = format!("{} {}", codec.name, input.escape_ascii());
            assert!(fs::read(dir.path("kept")).unwrap() == validate(codec.name, &[]), "{case}");
            if codec.inner.reencodes_all {
                continue;
            }
            let others = validate(codec.name, &["-v"]);
            // Only validate terminates the last line.
            if output != others {
                output.extend(LineTerminator::of(codec).as_bytes());
            }
            assert_eq!(output, others, "{case}");
        }
    }
}

#[test]
fn grep_keeps_the_same_lines() {
    let grep =
        |input: &[u8]| peer("sh", &["-c", "LC_ALL=C.UTF-8 grep -ax '.*'; test $? -lt 2"], input);
    if grep(b"\xC3\xA9\n\xFF\n").is_none_or(|out| out != b"\xC3\xA9\n") {
        return skipped("lines as grep keeps them", "grep has no UTF-8 locale");
    }
    let mut rng = Rng::new(3);
    for round in 0..40 {
        let mut text = Vec::new();
        for at in 0..rng.below(300) {
            let rarity = rng.pick(&[1, 10, 100, 10_000]);
            let mut line = dirty(&mut rng, at % 70, MIXTURES[round % MIXTURES.len()], rarity);
            line.retain(|&byte| byte != 0);
            text.extend(line);
            text.push(b'\n');
        }
        // grep keeps U+FEFF with its line.
        text.insert(0, b'a');
        let expected = grep(&text).unwrap();
        let plan = RepairPlan::new(Policy::DropLine);
        let kept = repaired(&plan, Encoding::UTF_8, &text, &[]).0;
        assert!(kept == expected, "{}", text.escape_ascii());
    }
}

/// The other repairs of a text are those of its remaining lines.
#[test]
fn other_repairs_follow() {
    let mut rng = Rng::new(5);
    let forms = [None, Some(NormalizationForm::Nfc), Some(NormalizationForm::Nfkd)];
    let ends = [None, Some(Newlines::Lf), Some(Newlines::CrLfAll)];
    for round in 0..3_000 {
        let mut text = b"a".to_vec();
        for _ in 0..rng.below(12) {
            let rarity = rng.pick(&[1, 10, 100]);
            text.extend(dirty(&mut rng, 20, MIXTURES[round % MIXTURES.len()], rarity));
            text.extend(rng.pick(&[
                &b"\n"[..],
                b"\r\n",
                b"\r\r\n",
                b"e\xCC\x81\n",
                b"",
                b"\xC0\xAF",
            ]));
        }
        let limit = |bytes, lines, graphemes| TruncationLimit { bytes, lines, graphemes };
        let limits = [None, Some(limit(9, true, false)), Some(limit(40, false, true))];
        let structure = StructuralRepairs { shorten: rng.one_in(2), join: rng.one_in(2) };
        let dropping = RepairPlan { structure, ..RepairPlan::new(Policy::DropLine) };
        let others = RepairPlan {
            mojibake: rng.one_in(4).then(MojibakeOptions::default),
            newlines: rng.pick(&ends),
            normalization: rng.pick(&forms),
            truncation: rng.pick(&limits),
            remove_inner_boms: rng.one_in(4),
            ..RepairPlan::new(Policy::Strict)
        };
        let both = RepairPlan { structure, policy: Policy::DropLine, ..others };
        let codec = Encoding::UTF_8;
        let remaining = repaired(&dropping, codec, &text, &[]).0;
        let expected = repaired(&others, codec, &remaining, &[]).0;
        let cut = rng.below(text.len() + 1);
        let found = repaired(&both, codec, &text, &[cut]).0;
        assert_eq!(
            found.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{both:?} {}",
            text.escape_ascii()
        );
        assert_eq!(repaired(&dropping, codec, &remaining, &[]).0, remaining);
    }
}

/// A line that is longer than the memory for it is kept in a file until it is decided.
#[test]
fn long_lines_are_whole() {
    let long = "é ein Satz ".repeat(300_000).into_bytes();
    let short = [&b"\xC0\xAF"[..], &long].concat();
    let text = [b"a\n", &long[..], b"\xFF\n", &short, b"\nb\n", &long, b"\xFF", &long].concat();
    let rejects = [&long[..], b"\xFF\n", &long, b"\xFF", &long, b"\n"].concat();
    let kept = [b"a\n/", &long[..], b"\nb\n"].concat();
    let dir = Dir::of(&[("f", &text)]);
    let args = ["--shorten-overlong", "-q", "--rejects", "kept", "f"];
    let out = repair(&dir, &args).assert().code(0);
    assert!(out.get_output().stdout == kept);
    assert!(fs::read(dir.path("kept")).unwrap() == rejects);
    repair(&dir, &[&["-i"], &args[..]].concat()).assert().code(0);
    assert!(fs::read(dir.path("f")).unwrap() == kept);
}

#[test]
fn rejects_that_cannot_be_written_are_reported_once() {
    if !Path::new("/dev/full").exists() {
        return skipped("rejects_that_cannot_be_written_are_reported_once", "no /dev/full");
    }
    let dir = Dir::of(&[("long", &b"a bad line\xFF\n".repeat(100_000)), ("b", TEXT)]);
    let out = repair(&dir, &["--rejects", "/dev/full", "long", "b"]).assert().code(2);
    let message = "utf8: --rejects /dev/full: No space left on device (make room and run again)\n";
    out.stderr(message);
}

#[test]
fn the_rejects_do_not_replace_what_the_run_reads() {
    let dir = Dir::of(&[("list", b"a\nb\n"), ("a", b"a\xFF\n"), ("b", b"b\xFF\n")]);
    for args in [
        &["--rejects", "list", "--files-from", "list"][..],
        &["-i", "--rejects", "list", "--files-from", "list"],
        &["-i", "--rejects", "./b", "a", "b"],
    ] {
        let run = repair(&dir, args).assert().code(2).stdout("");
        run.stderr(contains("is an input, too (name another file)"));
    }
    for (name, content) in [("list", &b"a\nb\n"[..]), ("a", b"a\xFF\n"), ("b", b"b\xFF\n")] {
        assert_eq!(fs::read(dir.path(name)).unwrap(), content, "{name}");
    }
}

#[test]
fn nothing_of_a_line_that_cannot_be_held_is_written() {
    let long = [&b"a".repeat(3 << 20)[..], b"\xFF\nok\n"].concat();
    let dir = Dir::of(&[("a", &long)]);
    let mut command = repair(&dir, &["a"]);
    let run = command.env("TMPDIR", dir.path("none")).assert().code(2).stdout("");
    let folder = dir.path("none").display().to_string();
    run.stderr(contains(format!(
        "a: temporary file in {folder}: No such file or directory (set TMPDIR to another directory)"
    )));
}
