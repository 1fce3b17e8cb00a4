//! Diffs: patches that `patch` applies, and views with unsafe bytes escaped.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use crate::common::bin::{Dir, lines, raw, run, skipped};
use crate::common::inputs::Rng;
use crate::common::peer::patched;

/// Returns the lines of a diff after those of the name, and of the reason if it is no patch.
fn diff(args: &[&str], input: &[u8]) -> Vec<String> {
    let out = run(&["repair", "--diff"]).args(args).write_stdin(input).assert().code(1).stderr("");
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    text.lines().skip_while(|line| !line.starts_with("@@")).map(str::to_owned).collect()
}

/// Checks that the diff of a file, applied by `patch`, gives what the repair writes.
fn applies(name: &[u8], content: &[u8], options: &[&str]) {
    let dir = Dir::new();
    if !dir.try_write(name, content) {
        return skipped("application of a diff", "the name is not possible here");
    }
    let repair = |args: &[&str]| {
        let mut command = raw();
        command.current_dir(dir.path(".")).arg("repair").args(args).args(options).arg("--");
        command.arg(OsStr::from_bytes(name)).output().unwrap()
    };
    let wanted = repair(&[]).stdout;
    let found = repair(&["--diff"]);
    let what = String::from_utf8_lossy(&found.stdout).into_owned();
    assert_eq!(found.status.code(), Some(i32::from(wanted != content)), "{options:?} {what}");
    if found.stdout.is_empty() {
        return assert!(wanted == content, "{options:?}");
    }
    let Some((result, status)) = patched(&dir, name, &found.stdout) else { return };
    assert_eq!(status, Some(0), "{options:?} {what}");
    assert!(result == wanted, "{options:?} {what}");
}

#[test]
fn a_diff_into_a_closed_pipe_tells_of_changes() {
    let dir = Dir::of(&[("good", b"a\n"), ("bad", b"a\xFF\n")]);
    for (name, status) in [("good", 0), ("bad", 1)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = raw();
        command.current_dir(dir.path(".")).args(["repair", "--diff", name]).stdout(writer);
        assert_eq!(command.status().unwrap().code(), Some(status), "{name}");
    }
}

/// Lines of all kinds, some of them faulty.
fn text(rng: &mut Rng) -> Vec<u8> {
    let starts: [&[u8]; 8] =
        [b"", b"x", b"\0", b"-- a", b"+++ b", b"\\ No newline", b"@@ -1 +1 @@", "é".as_bytes()];
    let faults: [&[u8]; 3] = [b"\xFF", b"\xC0\xAF", b"\xE2\x82"];
    let (rare, mixed) = (1 + rng.below(20), rng.below(3) == 0);
    let mut text = if rng.below(8) == 0 { "\u{FEFF}".into() } else { Vec::new() };
    for _ in 0..rng.below(40) {
        text.extend_from_slice(rng.pick(&starts));
        if rng.below(rare) == 0 {
            text.extend_from_slice(rng.pick(&faults));
        }
        let ends: [&[u8]; 3] = [b"\n", b"\r\n", b"\r"];
        text.extend_from_slice(if mixed { rng.pick(&ends) } else { b"\n" });
    }
    if rng.below(3) == 0 {
        text.pop();
    }
    text
}

#[test]
fn patch_makes_of_every_file_what_a_repair_does() {
    let options: [&[&str]; 9] = [
        &[],
        &["--on-error=ignore"],
        &["--newlines=lf"],
        &["--newlines=crlf"],
        &["--bom=add"],
        &["--bom=remove", "--shorten-overlong"],
        &["--truncate=40"],
        &["--truncate-lines=3", "--on-error=ignore"],
        &["--from=windows-1252", "--newlines=crlf"],
    ];
    let mut rng = Rng::new(1);
    for _ in 0..300 {
        let content = text(&mut rng);
        let options = rng.pick(&options);
        applies(b"f", &content, options);
    }
}

#[test]
fn patch_finds_a_file_of_any_name() {
    for name in [
        &b"a b"[..],
        b"-n",
        b"say \"hi\"",
        b"back\\slash",
        b"line\nfeed",
        b"tab\tulator",
        b"caf\xE9",
        "€ é".as_bytes(),
        "\u{202E}txt".as_bytes(),
        b"\x1B[31m",
        b"##vso[a]b",
    ] {
        applies(name, b"a\xFF\n", &[]);
    }
}

#[test]
fn patch_applies_a_hunk_that_is_longer_than_the_limit() {
    let many: Vec<u8> = (0..60_000)
        .flat_map(|at| format!("line {at:0>70} ").into_bytes().into_iter().chain(*b"\xFF\n"))
        .collect();
    let content = [&b"a\nb\nc\nd\n"[..], &many, b"e\nf\ng\nh\ni\nj\nk\nl\n\xFF"].concat();
    applies(b"f", &content, &[]);
}

#[test]
fn a_line_that_is_too_long_for_a_patch_is_rejected() {
    let long = b"z".repeat(3 << 20);
    let content = [
        b"\xFF1\n",
        &b"a\n".repeat(9)[..],
        &long,
        b"\xFF\n",
        &b"a\n".repeat(9),
        &long,
        b"\n\xFF2\n",
    ]
    .concat();
    let dir = Dir::of(&[("f", &content)]);
    let out = run(&["repair", "--diff", "f"]).current_dir(dir.path(".")).assert().code(1);
    let said = "utf8: f: line 11 is too long for a patch, which will be rejected there (--in-place changes the file)\n";
    let found = out.stderr(said).get_output().stdout.clone();
    // The other changes are made. A long line is no context.
    let wanted =
        ["\u{FFFD}1\n".as_bytes(), &content[3..content.len() - 3], "\u{FFFD}2\n".as_bytes()]
            .concat();
    let Some((result, status)) = patched(&dir, b"f", &found) else { return };
    assert_eq!(status, Some(1));
    assert!(result == wanted);
}

#[test]
fn a_diff_ends_before_a_sequence_that_is_not_repaired() {
    let input = b"1\r\n2\r\n3\xFF\r\n4\r\n";
    let args = ["repair", "--diff", "--newlines=lf", "--on-error=strict"];
    let out = run(&args).write_stdin(&input[..]).assert().code(1);
    out.stdout("--- -\n+++ -\n@@ -1,2 +1,2 @@\n-1\r\n+1\n-2\r\n+2\n")
        .stderr(starts_with("utf8: -: byte 7: "));
}

/// The lines of [`LINES`] that a change of CR LF to LF and of FF to U+FFFD shows.
fn hunks(old: [&str; 3], new: [&str; 2]) -> Vec<String> {
    let [old_5, old_9, old_17] = old;
    let [new_5, new_17] = new;
    let missing = r"\ No newline at end of file";
    [
        "@@ -2,11 +2,11 @@",
        " 2",
        " 3",
        " 4",
        old_5,
        new_5,
        " 6",
        " 7",
        " 8",
        old_9,
        "+9",
        " 10",
        " 11",
        " 12",
        "@@ -14,4 +14,4 @@",
        " 14",
        " 15",
        " 16",
        old_17,
        missing,
        new_17,
        missing,
    ]
    .map(str::to_owned)
    .to_vec()
}

const LINES: &[u8] = b"1\n2\n3\n4\n5\xFF\x1B[m\n6\n7\n8\n9\r\n10\n11\n12\n13\n14\n15\n16\n17\xFF";

#[test]
fn a_diff_has_the_bytes_of_the_lines_that_would_change() {
    let args = ["repair", "--diff", "--newlines=lf"];
    let out = run(&args).write_stdin(LINES).assert().code(1).stderr("");
    let old = ["-5\u{FFFD}\x1B[m", "-9\r", "-17\u{FFFD}"];
    let shown = [
        &["--- -".to_owned(), "+++ -".to_owned()][..],
        &hunks(old, ["+5\u{FFFD}\x1B[m", "+17\u{FFFD}"]),
    ]
    .concat()
    .join("\n")
        + "\n";
    let wanted = shown.replacen('\u{FFFD}', "\u{1}", 1).replacen("-17\u{FFFD}", "-17\u{1}", 1);
    let wanted: Vec<_> = wanted.bytes().map(|byte| if byte == 1 { 0xFF } else { byte }).collect();
    out.stdout(wanted);
    run(&["repair", "--diff", "-e", "a\n"]).assert().code(0).stdout("");
}

#[test]
#[cfg(target_os = "linux")]
fn no_unsafe_byte_of_a_diff_reaches_a_terminal() {
    use crate::common::bin::{seen, terminal};
    let dir = Dir::of(&[("f", LINES)]);
    let (mut person, program) = terminal();
    let mut command = raw();
    command.current_dir(dir.path(".")).args(["repair", "--diff", "--newlines=lf", "f"]);
    let mut child =
        command.env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").stdout(program).spawn();
    drop(command);
    assert_eq!(child.as_mut().unwrap().wait().unwrap().code(), Some(1));
    let text = String::from_utf8(seen(&mut person)).unwrap().replace("\r\n", "\n");
    let reason =
        r"# Not a patch: unsafe bytes are shown as \xHH or \u{HHHH}; written to a file, it is one.";
    let old = [r"-5\xFF\x1B[m", r"-9\x0D", r"-17\xFF"];
    let shown = [
        &[reason, "--- f", "+++ f"].map(str::to_owned)[..],
        &hunks(old, ["+5\u{FFFD}\\x1B[m", "+17\u{FFFD}"]),
    ]
    .concat();
    assert_eq!(text.lines().collect::<Vec<_>>(), shown);
}

#[test]
fn a_diff_of_another_codec_shows_its_text() {
    let lf = "--newlines=lf";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let faulty = [utf16("t\u{10A}é\r\nb\n"), vec![0x3D, 0xD8], utf16("A\n")].concat();
    let shown = ["@@ -1,3 +1,3 @@", "-tĊé\\x0D", "+tĊé", " b", "-\\x3D\\xD8A", "+\u{FFFD}A"];
    assert_eq!(diff(&["-f", "utf-16le", lf], &faulty), shown);
    let out = run(&["repair", "--diff", "-f", "utf-16le", lf]).write_stdin(faulty).assert().code(1);
    out.stdout(starts_with("# Not a patch: utf-16le is shown as text.\n--- -\n+++ -\n@@"));
    // The BOM determines the byte order.
    let marked = [&b"\xFF\xFE"[..], &utf16("é\r\n")].concat();
    let shown = ["@@ -1,1 +1,1 @@", "-\u{FEFF}é\\x0D", "+\u{FEFF}é"];
    assert_eq!(diff(&["-f", "utf-16", lf], &marked)[0], shown[0]);
    let removed = diff(&["-f", "utf-16", "--bom=remove"], b"\xFE\xFF\0\xE9\0\r\0\n");
    assert_eq!(removed[2], "+é\\x0D");
    // 81 0D 25 is a, CR and LF in IBM037.
    let shown = ["@@ -1,2 +1,2 @@", "-a\\x0D", "+a", " b"];
    assert_eq!(diff(&["-f", "ibm037", lf], b"\x81\x0D\x25\x82\x25"), shown);
    let out = run(&["repair", "--diff", "-f", "utf-7", "-e", "+"]).assert().code(2);
    out.stderr(
        "utf8: --diff cannot show utf-7, which is written anew (--check -v lists the changes)\n",
    );
}

#[test]
fn a_view_of_a_codec_shows_its_text() {
    let lf = "--newlines=lf";
    let view = |args: &[&str], input: &[u8]| {
        let lines = diff(&[&["--length=99"], args].concat(), input);
        lines[1..].to_vec()
    };
    // E9 is é in Windows-1252.
    assert_eq!(view(&["-f", "windows-1252", lf], b"\xE9\r\nb\n"), ["-é\\x0D", "+é", " b"]);
    // 82 A0 is a kana, FF is unassigned; the substitute is ?.
    assert_eq!(view(&["-f", "shift_jis"], b"\x82\xA0\xFF\n"), ["-あ\\xFF", "+あ?"]);
    // A notation is shown as it is.
    assert_eq!(view(&["-f", "json"], "\\u12 é\n".as_bytes()), [r"-\\u12 é", r"+\\ufffd é"]);
}

#[test]
fn a_diff_of_a_range_is_no_patch() {
    let out = run(&["repair", "--diff", "-s", "1", "-xe", "41 FF"]).assert();
    out.code(1).stdout(starts_with("# Not a patch: it is of a part of the input.\n--- -e\n"));
}

#[test]
fn a_view_of_long_lines_shows_their_front() {
    let part = "--length=1M";
    let long = "é".repeat(40_000);
    let text = [long.as_bytes(), b"\n\xFFb\n"].concat();
    let lines = diff(&[part], &text);
    assert_eq!(lines, ["@@ -2,1 +2,1 @@", r"-\xFFb", "+\u{FFFD}b"]);
    // A change before and one after the shown part; the number of the next line is right.
    let text = [b"\xFF", long.as_bytes(), b"\nq\n", &[b'a'; 70_000], b"\xFF\nlast\xFF"].concat();
    let lines = diff(&[part], &text);
    let front = format!(r"-\xFF{}", "é".repeat(32_767));
    assert_eq!(lines[..3], ["@@ -1,1 +1,1 @@", &front, r"\ The rest is too long to show"]);
    let hunks: Vec<_> = lines.iter().filter(|line| line.starts_with('@')).collect();
    assert_eq!(hunks, ["@@ -1,1 +1,1 @@", "@@ -3,1 +3,1 @@", "@@ -4,1 +4,1 @@"]);
    let ends = lines.iter().filter(|line| line.starts_with(r"\ No newline")).count();
    assert_eq!((ends, lines.last().unwrap().as_str()), (2, r"\ No newline at end of file"));
}

#[test]
fn a_diff_has_colours_where_they_are_wanted() {
    let out = run(&["repair", "--diff", "--color=always", "-xe", "62 0A FF 0A"]).assert().code(1);
    out.stdout(lines(&[
        "\x1B[2m# Not a patch: unsafe bytes are shown as \\xHH or \\u{HHHH}; written to a file, it is one.\x1B[0m",
        "\x1B[2m--- -e\x1B[0m",
        "\x1B[2m+++ -e\x1B[0m",
        "\x1B[2m@@ -1,2 +1,2 @@\x1B[0m",
        " b",
        "\x1B[31m-\\xFF\x1B[0m",
        "\x1B[32m+\u{FFFD}\x1B[0m",
    ]));
}

#[test]
fn a_view_shows_a_byte_order_mark() {
    for locale in ["C.UTF-8", "en_US.ISO-8859-1"] {
        let args = ["repair", "--bom", "remove", "--diff", "--length", "9", "-e", "\u{FEFF}a"];
        let out = run(&args).env("LC_ALL", locale).assert().code(1);
        out.stdout(contains("\n-\\u{FEFF}a\n").and(contains("\n+a\n")));
    }
}
