//! Limits of the findings that are shown: floods, terminals and `--max-shown`.

use std::io::Write;

use predicates::str::{contains, ends_with};

use crate::common::bin::{Dir, Piped, objects, raw_validate};
use crate::common::inputs::Rng;

/// Two lines of Russian in windows-1251.
const RUSSIAN: &[u8] =
    b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xDD\xF2\xEE \xF1\xF2\xE0\xF0\xFB\xE9 \
      \xF2\xE5\xEA\xF1\xF2 \xE2 \xEA\xEE\xE4\xE8\xF0\xEE\xE2\xEA\xE5 Windows, \xE8 \xE2 \
      \xED\xB8\xEC \xEC\xED\xEE\xE3\xEE \xE1\xF3\xEA\xE2.\n\xD1\xED\xEE\xE2\xE0 \xE8 \
      \xF1\xED\xEE\xE2\xE0 \xEE\xE4\xED\xEE \xE8 \xF2\xEE \xE6\xE5, \xE4\xE0 \xE8 \xE2\xF1\xB8.\n";

fn dir() -> Dir {
    let utf16: Vec<u8> = "這是一個中文的文件，裡面有很多字。\n"
        .repeat(9)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let damaged =
        [&"Größe, Maß und Füße.\n".repeat(9).into_bytes()[..], b"\xFF caf\xE9\n"].concat();
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..300_000).map(|_| rng.next() as u8).collect();
    Dir::of(&[
        ("old.txt", RUSSIAN),
        ("noise", &noise),
        ("utf16", &[&b"\xFF\xFE"[..], &utf16].concat()),
        ("damaged", &damaged.repeat(200)),
    ])
}

/// Returns the lines on standard output.
fn shown(dir: &Dir, args: &[&str]) -> Vec<String> {
    let out = dir.validate().args(args).assert().code(1);
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn another_encoding_has_ten_findings_and_the_next_command() {
    let dir = dir();
    let number = shown(&dir, &["--format", "tsv", "old.txt"]).len();
    for (args, lines) in [(&[][..], 10), (&["--format", "full"], 30)] {
        let all = shown(&dir, &[args, &["--max-shown", "none", "old.txt"]].concat());
        let first = shown(&dir, &[args, &["old.txt"]].concat());
        assert_eq!(first[..lines], all[..lines]);
        let last = format!(
            "old.txt: {} more; looks like windows-1251 (over 99 %): utf8 detect --format long old.txt",
            number - 10
        );
        assert_eq!(first[lines..], [last]);
    }
    let summary = format!("old.txt: {number} ill-formed sequences in {} bytes\n", RUSSIAN.len());
    dir.validate().arg("old.txt").assert().code(1).stderr(summary);
}

#[test]
fn the_advice_fits_the_input() {
    let dir = dir();
    let out = dir.validate().write_stdin(RUSSIAN).assert().code(1);
    out.stdout(ends_with(
        " more; looks like windows-1251 (over 99 %): utf8 detect --format long\n",
    ));
    let out = dir.validate().args(["-n", "90", "old.txt"]).assert().code(1);
    out.stdout(ends_with(
        " more; looks like windows-1251 (over 99 %) (--max-shown none shows all)\n",
    ));
    let out = dir.validate().arg("noise").assert().code(1);
    out.stdout(ends_with(
        " more; looks like binary data (99 %): utf8 detect --format long noise\n",
    ));
    let out = dir.validate().write_stdin([0xFF; 20]).assert().code(1);
    out.stdout(ends_with("-: 10 more; looks like no known encoding: utf8 detect --format long\n"));
    let out = dir.validate().arg("utf16").assert().code(1);
    out.stdout(contains(" more; looks like utf-16 ("));
}

#[test]
fn damaged_utf_8_has_all_findings() {
    let dir = dir();
    assert_eq!(shown(&dir, &["damaged"]).len(), 400);
    // Few stray bytes in ASCII.
    dir.write("few", b"nothing but ASCII in this line\n\xE9\n".repeat(40));
    assert_eq!(shown(&dir, &["few"]).len(), 40);
    // Forms of relatives of UTF-8, without any well-formed sequence.
    dir.write("forms", b"\xC0\xAF \xE0\x80\xAF \xED\xA0\x80 \xF4\x90\x80\x80 \xFF\n".repeat(9));
    assert_eq!(shown(&dir, &["forms"]).len(), 45);
    let stress = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/ill-formed.txt");
    assert_eq!(shown(&dir, &[stress]).len(), 17);
}

#[test]
fn a_flood_after_the_first_block_is_shown() {
    let dir = dir();
    let block = "é".repeat(32 << 10).into_bytes();
    dir.write("late", [&block[..], RUSSIAN].concat());
    let all = shown(&dir, &["--format", "tsv", "late"]).len();
    assert_eq!(shown(&dir, &["late"]).len(), all);
    // The block is that of the range.
    assert_eq!(shown(&dir, &["-s", "65536", "late"]).len(), 11);
    assert_eq!(shown(&dir, &["-s", "65536", "--format", "full", "late"]).len(), 31);
}

#[test]
fn a_flood_is_hidden_wherever_the_input_pauses() {
    let number = shown(&dir(), &["--format", "tsv", "old.txt"]).len();
    let mut slow = Piped::new(&mut raw_validate());
    let (first, rest) = RUSSIAN.split_at(60);
    slow.write(first);
    let lines: Vec<_> = (0..10).map(|_| slow.line()).collect();
    assert!(lines[9].starts_with("-:1:"), "{lines:?}");
    slow.write(rest);
    let (code, more, summary) = slow.end();
    assert_eq!(code, Some(1));
    assert!(more.starts_with(&format!("-: {} more; looks like ", number - 10)), "{more}");
    assert!(summary.starts_with(&format!("-: {number} ill-formed sequences")), "{summary}");
}

#[test]
fn few_findings_have_advice_if_it_is_certain() {
    let dir = Dir::of(&[
        ("latin", b"Le caf\xE9 cr\xE8me est tr\xE8s bon. Il est d\xE9j\xE0 l\xE0.\n"),
        ("wide", b"\xFF\xFEa\0b\0c\0\n\0"),
        ("doubtful", b"caf\xE9"),
    ]);
    let note = |run: &mut assert_cmd::Command| {
        let out = run.assert().code(1);
        String::from_utf8(out.get_output().stderr.clone()).unwrap()
    };
    let named = |name: &str| note(dir.validate().arg(name));
    let latin = named("latin");
    assert!(latin.starts_with("latin: 6 ill-formed sequences in 44 bytes; looks like "), "{latin}");
    assert!(
        latin.contains("windows-1252 (") && latin.ends_with("): utf8 detect --format long latin\n"),
        "{latin}"
    );
    let wide = "wide: 2 ill-formed sequences in 10 bytes; looks like utf-16 (100 %): utf8 detect --format long wide\n";
    assert_eq!(named("wide"), wide);
    // A doubtful encoding is not named.
    let doubtful =
        "doubtful: 1 ill-formed sequence in 4 bytes; next: utf8 detect --format long doubtful\n";
    assert_eq!(named("doubtful"), doubtful);
    let piped = note(dir.validate().pipe_stdin(dir.path("wide")).unwrap());
    assert!(piped.ends_with("; looks like utf-16 (100 %): utf8 detect --format long\n"), "{piped}");
    // Advice is for people, and needs all findings.
    assert_eq!(note(dir.validate().args(["--format=tsv", "wide"])), "");
    assert!(!note(dir.validate().args(["-m9", "wide"])).contains("looks like"));
}

#[test]
fn options_and_formats_without_a_limit_show_all() {
    let dir = dir();
    let number = shown(&dir, &["--format", "tsv", "old.txt"]).len();
    assert!(number > 60);
    for args in [&["--max-shown", "none"][..], &["-m", "1000"]] {
        assert_eq!(shown(&dir, &[args, &["old.txt"]].concat()).len(), number, "{args:?}");
    }
    let out = dir.validate().args(["--format", "json", "old.txt"]).assert().code(1);
    assert_eq!(objects(&out.get_output().stdout).len(), number + 1);
    // In a code page, the bytes that it lacks are asked for.
    dir.write("bytes", [0xE9; 20]);
    assert_eq!(shown(&dir, &["-f", "us-ascii", "bytes"]).len(), 20);
}

#[test]
fn max_shown_is_a_limit_for_every_input() {
    let dir = dir();
    for (format, rows) in [("text", 1), ("full", 3)] {
        let run = |most: &str| shown(&dir, &["--format", format, "--max-shown", most, "damaged"]);
        let all = run("none");
        for (most, more) in [(0, 400), (1, 399), (12, 388)] {
            let lines = run(&most.to_string());
            assert_eq!(lines[..most * rows], all[..most * rows]);
            assert_eq!(
                lines[most * rows..],
                [format!("damaged: {more} more (--max-shown none shows all)")]
            );
        }
        assert_eq!(run("400"), all);
    }
    let lines = shown(&dir, &["--max-shown", "1", "-m", "3", "damaged"]);
    assert_eq!(lines[1..], ["damaged: 2 more (--max-shown none shows all)"]);
    let out = dir.validate().args(["--max-shown=few", "damaged"]).assert().code(2);
    out.stderr(contains("expected a number or none"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_a_hundred() {
    use crate::common::bin;
    let dir = dir();
    let seen = |args: &[&str]| {
        let (mut person, program) = bin::terminal();
        let mut command = dir.raw();
        command.args(["--color", "never"]).args(args);
        command.stdout(program).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(command);
        let seen = bin::seen(&mut person);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        let text = String::from_utf8(seen).unwrap().replace('\r', "");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = seen(&["damaged"]);
    assert_eq!(lines.len(), 101);
    assert_eq!(lines[100], "damaged: 300 more (--max-shown none shows all)");
    assert_eq!(seen(&["--format", "full", "damaged"]).len(), 301);
    assert_eq!(seen(&["old.txt"]).len(), 11);
    assert_eq!(seen(&["--max-shown", "none", "damaged"]).len(), 400);
    assert_eq!(seen(&["-m", "350", "damaged"]).len(), 350);
    assert_eq!(seen(&["--format", "tsv", "damaged"]).len(), 400);
}

/// On a terminal, a pause of the input decides whether a flood is hidden; in a report in a file, the first
/// 64 KiB do.
#[test]
#[cfg(target_os = "linux")]
fn a_pause_decides_for_no_report_in_a_file() {
    use crate::common::bin;
    use std::io::{BufRead, BufReader};
    let dir = Dir::new();
    let (person, program) = bin::terminal();
    let mut command = dir.raw();
    command.args(["--format", "text", "--format", "text=report"]).stdout(program);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&b"\xD1\xFA\xE5\xF8\xFC\n".repeat(15)).unwrap();
    // The terminal shows the first findings when the input pauses.
    let mut shown = BufReader::new(person).lines();
    assert_eq!(shown.by_ref().take(10).filter(Result::is_ok).count(), 10);
    stdin.write_all("Привет\n".repeat(8000).as_bytes()).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let report = std::fs::read_to_string(dir.path("report")).unwrap();
    assert_eq!(report.lines().count(), 75);
}

/// The reader of a slow stream sees the first findings at once.
#[test]
fn the_first_findings_are_not_held() {
    let mut log = Piped::new(&mut raw_validate());
    for number in 1..=10 {
        log.child.stdin.as_mut().unwrap().write_all(b"\xFF\n").unwrap();
        assert!(log.line().starts_with(&format!("-:{number}:1: ")));
    }
    assert_eq!(log.end().0, Some(1));
}

#[test]
fn findings_of_lints_that_are_not_shown_are_counted() {
    let dir = Dir::of(&[("f", "é\n".repeat(1500).as_bytes())]);
    let run = |args: &[&str]| {
        let out = dir.validate().args(["--deny=not-ascii", "f"]).args(args).output().unwrap();
        String::from_utf8(out.stdout).unwrap()
    };
    for (most, more) in [("1", "1,499"), ("12", "1,488"), ("600", "900")] {
        let text = run(&["--max-shown", most]);
        assert!(text.contains(&format!("f: {more} more (--max-shown none")), "{text}");
    }
    let junit = run(&["--format=junit"]);
    assert!(junit.contains("500 more"), "{junit}");
}
