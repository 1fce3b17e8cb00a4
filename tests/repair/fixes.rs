//! `utf8 repair --fix`: fixes of what lints report.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use crate::common::bin::{Dir, objects, utf8};
use crate::common::inputs::Rng;
use utf8::lint::LINTS;
use utf8::{Encoding, Policy};

/// Returns a command for `utf8 repair --fix` with further arguments in a directory.
pub(super) fn fix(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).arg("repair").args(args);
    command
}

/// Returns the text of a file after its fix, and the status.
fn run_once(bytes: &[u8], args: &[&str]) -> (Vec<u8>, Option<i32>) {
    let dir = Dir::of(&[("file", bytes)]);
    let mut command = fix(&dir, &["-i", "-q", "--no-config", "--no-editorconfig"]);
    let status = command.args(args).arg("file").output().unwrap().status;
    (fs::read(dir.path("file")).unwrap(), status.code())
}

/// Returns the text of a file after its fix.
fn fixed(bytes: &[u8], args: &[&str]) -> Vec<u8> {
    let (text, status) = run_once(bytes, args);
    assert_eq!(status, Some(0), "{args:?}");
    text
}

/// Returns the ids of what lints report in a text.
fn ids(text: &[u8], args: &[&str]) -> Vec<String> {
    let mut command = utf8();
    command.args(["validate", "--format=json", "--no-config", "--no-editorconfig"]).args(args);
    let out = command.write_stdin(text).assert();
    let objects = objects(&out.get_output().stdout);
    let findings = objects.iter().filter(|object| object["type"] == "finding");
    findings.map(|finding| finding["kind"].as_str().unwrap().to_owned()).collect()
}

/// The text of each lint's example after its fix.
const FIXED: [(&str, &str); 23] = [
    ("bidi-unpaired", "a = b // c\n"),
    ("bidi-control", "a  c\n"),
    ("tag-character", "ab\n"),
    ("variation-selector", "a\n"),
    ("invisible", "admin\n"),
    ("c0-control", "[2J\n"),
    ("c1-control", "as\n"),
    ("nul", "ab\n"),
    ("bom", "a\n"),
    ("mixed-line-ending", "a\r\nb\r\n"),
    ("lone-cr", "a\nb\n"),
    ("line-separator", "a\nb\n"),
    ("missing-final-newline", "a\n"),
    ("bom-inside", "a\nb\n"),
    ("noncharacter", "\n"),
    ("mojibake", "caf\u{E9}\n"),
    ("not-nfc", "caf\u{E9}\n"),
    ("irregular-whitespace", "a b\n"),
    ("bidi-mark", "ab\n"),
    ("soft-hyphen", "hyphen\n"),
    ("missing-bom", "\u{FEFF}a\n"),
    ("crlf", "a\n"),
    ("lf", "a\r\n"),
];

#[test]
fn every_lint_with_a_fix_is_fixed() {
    for row in LINTS {
        let option = format!("--fix={}", row.id);
        let deny = format!("--deny={}", row.id);
        let dir = Dir::of(&[("file", row.faulty.as_bytes())]);
        let Some(found) = row.fix else {
            fix(&dir, &[&option, "file"]).assert().code(2).stderr(contains("cannot fix it"));
            continue;
        };
        if !found.certain {
            let refused = contains(format!("{option}: this fix can change the meaning"));
            fix(&dir, &[&option, "file"]).assert().code(2).stdout("").stderr(refused);
        }
        let options = [&option[..], "--unsafe-fixes", "--binary"];
        let text = fixed(row.faulty.as_bytes(), &options);
        let expected = FIXED.iter().find(|(id, _)| *id == row.id).expect(row.id).1;
        assert_eq!(String::from_utf8_lossy(&text), expected, "{}", row.id);
        assert_eq!(ids(&text, &[&deny]), [""; 0], "{}", row.id);
        assert_eq!(fixed(row.good.as_bytes(), &options), row.good.as_bytes(), "{}", row.id);
    }
}

#[test]
fn without_names_the_files_lints_are_fixed() {
    let text = b"\xEF\xBB\xBFa\r\nb\nc\rd\xEF\xBB\xBFe\xE2\x80\x8B";
    let expected = b"a\r\nb\r\nc\r\nde\xE2\x80\x8B\r\n";
    assert_eq!(fixed(text, &["--fix"]), expected);
    let dir = Dir::of(&[("a", text), ("b", b"b\n")]);
    fix(&dir, &["--fix", "a"]).assert().code(0).stdout(&expected[..]).stderr("");
    fix(&dir, &["--fix", "--check", "-v", "a", "b"]).assert().code(1).stdout("a\n").stderr(
        "a: byte 0: EF BB BF -> nothing [bom]\n\
         a: byte 7 (now 4): 0A -> 0D 0A [newlines]\n\
         a: byte 9 (now 7): 0D -> 0D 0A [fix]\n\
         a: byte 11 (now 10): EF BB BF -> nothing [fix]\n\
         a: byte 18 (now 14): nothing -> 0D 0A [fix]\n\
         total: 2 files: 1 would change; 1 unchanged\n",
    );
    let diff = "--- a\n+++ a\n@@ -1,3 +1,4 @@\n-\u{FEFF}a\r\n+a\r\n-b\n+b\r\n";
    fix(&dir, &["--fix", "--diff", "a"]).assert().code(1).stdout(starts_with(diff));
    fix(&dir, &["-i", "--fix", "a", "b"]).assert().code(0).stdout("").stderr(
        "a: repaired, 3 findings fixed (lone-cr, missing-final-newline, bom-inside), 1 byte order \
             mark removed, 1 line end replaced\n",
    );
    assert_eq!(fs::read(dir.path("a")).unwrap(), expected);
    fix(&dir, &["-i", "--fix", "a", "b"]).assert().code(0).stderr("");
}

/// A line end has one reading, whichever lints are named: CR CR LF is one.
#[test]
fn line_ends_are_those_of_the_first_line() {
    let text = b"a\rb\r\nc\nd";
    assert_eq!(fixed(text, &["--fix=lone-cr"]), b"a\r\nb\r\nc\nd");
    assert_eq!(fixed(text, &["--fix=missing-final-newline"]), b"a\rb\r\nc\nd\r\n");
    assert_eq!(fixed(text, &["--fix=mixed-line-ending"]), b"a\rb\r\nc\r\nd");
    let text = b"a\r\r\nb\nc\r\r\r\n\r\rd\n";
    assert_eq!(fixed(text, &["--fix=lone-cr"]), b"a\r\nb\nc\r\n\r\n\r\nd\n");
    assert_eq!(fixed(text, &["--fix=crlf"]), b"a\nb\nc\n\r\rd\n");
    assert_eq!(fixed(text, &["--fix"]), b"a\r\nb\r\nc\r\n\r\n\r\nd\r\n");
    let many = [&b"\r".repeat(5000)[..], b"\n"].concat();
    assert_eq!(ids(&many, &["--deny=lone-cr"]).len(), 4999);
}

#[test]
fn unsafe_fixes_are_counted_and_made_on_request() {
    let text = "a\u{200B}b\u{A0}c\n".as_bytes();
    let dir = Dir::of(&[("a", text), ("b.csv", b"\xEF\xBB\xBFx\n"), ("B.PS1", b"\xEF\xBB\xBFx\n")]);
    let left = |number, ids| {
        format!("{number} left, whose fix can change the meaning of text: {ids} (--unsafe-fixes)\n")
    };
    let messages = [("a", "invisible"), ("b.csv", "bom"), ("B.PS1", "bom")]
        .map(|(name, ids)| format!("{name}: {}", left("1 finding", ids)));
    fix(&dir, &["-i", "--fix=strict", "a", "b.csv", "B.PS1"])
        .assert()
        .code(0)
        .stderr(messages.concat());
    let all = format!("utf8: {}", left("3 findings", "invisible, bom"));
    fix(&dir, &["-ir", "--fix=strict", "."]).assert().code(0).stderr(contains(all));
    fix(&dir, &["-i", "-q", "--fix=strict,text", "--unsafe-fixes", "a", "b.csv"])
        .assert()
        .code(0)
        .stderr("");
    assert_eq!(fs::read(dir.path("a")).unwrap(), b"ab c\n");
    assert_eq!(fs::read(dir.path("b.csv")).unwrap(), b"x\n");
    assert_eq!(fs::read(dir.path("B.PS1")).unwrap(), b"\xEF\xBB\xBFx\n");
}

/// A lint that is named is fixed whichever others the settings turn on, but its opposite.
#[test]
fn other_lints_do_not_hide_those_that_are_named() {
    let dir = Dir::of(&[
        ("utf8.toml", b"[validate]\nline-ending = \"crlf\"\ndeny = [\"bidi-unpaired\"]\n"),
        ("a", "a = b\u{202E} // c\r\n".as_bytes()),
        ("b", b"a\r\nb\r\n"),
        ("c", b"a\nb\r\n"),
        ("d", b"a\nb"),
    ]);
    let read = |name| fs::read(dir.path(name)).unwrap();
    let options = ["--unsafe-fixes", "--fix=bidi-control"];
    fix(&dir, &["-i", "-q", "a"]).args(options).assert().code(0);
    assert_eq!(read("a"), b"a = b // c\r\n");
    fix(&dir, &["-i", "-q", "--fix=crlf", "b"]).assert().code(0);
    assert_eq!(read("b"), b"a\r\nb\r\n");
    fix(&dir, &["-i", "-q", "--fix=mixed-line-ending", "c"]).assert().code(0);
    assert_eq!(read("c"), b"a\r\nb\r\n");
    // Alone, a final line end is like the others.
    fix(&dir, &["-i", "-q", "--fix=missing-final-newline", "d"]).assert().code(0);
    assert_eq!(read("d"), b"a\nb\n");
}

/// With settings, exactly the findings of `utf8 validate` are fixed, and the command that it
/// suggests changes no file without one.
#[test]
fn what_validate_reports_is_fixed() {
    let crlf_and_bom = "root = true\n[*.bat]\nend_of_line = crlf\n[*.ps1]\nend_of_line = crlf\n\
                        charset = utf-8-bom\n";
    let text = "\u{FEFF}a\r\nb\n\u{200E}c\rd";
    // The settings, the name of the file, its text, and the text after --fix and --unsafe-fixes.
    let cases: [(&str, &str, &str, &str, &str); 9] = [
        (
            "utf8.toml",
            "[validate]\nline-ending = \"lf\"\n",
            "f",
            text,
            "\u{FEFF}a\nb\n\u{200E}c\rd",
        ),
        ("utf8.toml", "[validate]\nwarn = [\"bidi-mark\"]\n", "f", text, "\u{FEFF}a\r\nb\nc\rd"),
        ("utf8.toml", "[validate]\nallow = [\"bom\"]\n", "f", text, text),
        ("utf8.toml", "[[override]]\npaths = [\"x\"]\nbom = \"forbid\"\n", "f", text, text),
        ("utf8.toml", "[validate]\nexclude = [\"x\"]\n", "f", "a", "a\n"),
        (
            ".editorconfig",
            "root = true\n[*]\nend_of_line = lf\n",
            "f",
            "a\rb\u{2028}c\n",
            "a\rb\u{2028}c\n",
        ),
        (".editorconfig", "root = true\n[*]\ninsert_final_newline = false\n", "f", "a", "a"),
        (".editorconfig", crlf_and_bom, "a.bat", "a\r\n", "a\r\n"),
        (".editorconfig", crlf_and_bom, "a.ps1", "\u{FEFF}a\r\nb\n", "\u{FEFF}a\r\nb\r\n"),
    ];
    let fixed_with = |case: &(&str, &str, &str, &str, &str), option: &str| {
        let (place, settings, name, text, _) = *case;
        let dir = Dir::of(&[(place, settings.as_bytes()), (name, text.as_bytes())]);
        fix(&dir, &["-i", "-q", option, "--unsafe-fixes", name]).assert().code(0);
        String::from_utf8(fs::read(dir.path(name)).unwrap()).unwrap()
    };
    for case in &cases {
        assert_eq!(fixed_with(case, "--fix"), case.4, "{case:?}");
    }
    for case in &cases[7..] {
        assert_eq!(fixed_with(case, "--fix=bom,crlf"), case.3, "{case:?}");
    }
    let dir = Dir::new();
    dir.write("a", "a");
    for pair in ["bom,missing-bom", "crlf,lf", "files,missing-bom", "net-unicode,crlf"] {
        let option = format!("--fix={pair}");
        let refused = contains("exclude each other: name one of them");
        fix(&dir, &["-i", &option, "a"]).assert().code(2).stderr(refused);
    }
    dir.write("utf8.toml", "[validate]\ndeny = [\"bom\", \"missing-bom\"]\n");
    fix(&dir, &["-i", "--fix", "a"]).assert().code(0).stderr("");
}

/// As git, repair refuses text that cannot be in the declared encoding.
#[test]
fn text_that_contradicts_its_encoding_is_left() {
    let wide: Vec<_> = "a\r\nb\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::new();
    fs::create_dir(dir.path(".git")).unwrap();
    dir.write(
        ".gitattributes",
        "wide* working-tree-encoding=UTF-16LE\nebcdic* working-tree-encoding=IBM037\n",
    );
    let left = [
        ("wide-ascii", "hello.\r\n"),
        ("wide-utf-8", "h\u{E9}"),
        ("ebcdic-ascii", "hello"),
        ("ebcdic-utf-8", "h\u{E9}"),
    ];
    left.iter().for_each(|(name, text)| dir.write(name, text));
    dir.write("wide", &wide);
    dir.write("wide-empty", "");
    dir.write("ebcdic", b"\x88\x85\x93\x93\x96");
    let told = contains("wide-ascii: has no NUL, as utf-16le text has: not repaired")
        .and(contains("ebcdic-utf-8: is ASCII or UTF-8, not ibm037: not repaired"))
        .and(contains("4 failed"));
    for option in ["--fix", "--newlines=lf"] {
        fix(&dir, &["-i", "-r", "--check", option, "."]).assert().code(2);
    }
    fix(&dir, &["-i", "-r", "--fix", "."]).assert().code(2).stderr(told);
    for (name, text) in left {
        assert_eq!(fs::read(dir.path(name)).unwrap(), text.as_bytes(), "{name}");
    }
    assert_eq!(fs::read(dir.path("wide")).unwrap().len(), wide.len() + 2);
    assert_eq!(fs::read(dir.path("ebcdic")).unwrap().len(), 6);
    fix(&dir, &["--fix", "-f", "utf-16", "wide-ascii"]).assert().code(2).stdout("");
}

/// ESC begins the shifts of ISO-2022-JP; in other text it is a control.
#[test]
fn fixes_do_not_remove_shifts() {
    let japanese = b"\x1B$B$3$s$K$A$O\x1B(B\n";
    let late = [&b"line of plain text\n".repeat(20_000)[..], &japanese.repeat(50)].concat();
    let hz = b"A ~{<:Ky2;R*~} line\x07\n";
    let dir = Dir::of(&[("jp", japanese), ("log", b"\x1B[31mred\x1B[0m\n"), ("late", &late)]);
    dir.write("hz", hz);
    let options = ["-i", "-q", "--fix=c0-control", "--unsafe-fixes"];
    fix(&dir, &[&options[..], &["log", "hz"]].concat()).assert().code(0);
    assert_eq!(fs::read(dir.path("log")).unwrap(), b"[31mred[0m\n");
    assert_eq!(fs::read(dir.path("hz")).unwrap(), b"A ~{<:Ky2;R*~} line\n");
    for (name, text) in [("jp", &japanese[..]), ("late", &late)] {
        let out = fix(&dir, &[&options[..], &[name]].concat()).assert().code(2);
        out.stderr(starts_with(format!("utf8: {name}: looks like iso-2022-jp, where ESC, SO and")));
        assert!(fs::read(dir.path(name)).unwrap() == text, "{name}");
    }
}

#[test]
fn comments_protect_their_places() {
    let text = "a\u{200B} utf8:allow(invisible)\nb\u{200B}\n";
    let expected = "a\u{200B} utf8:allow(invisible)\nb\n";
    let options = ["--fix=invisible", "--unsafe-fixes"];
    assert_eq!(fixed(text.as_bytes(), &options), expected.as_bytes());
    let text = b"\xEF\xBB\xBF# utf8:allow-file(bom,mixed-line-ending)\r\na\nb";
    // The line end is that of the first line.
    assert_eq!(fixed(text, &["--fix"]), [&text[..], b"\r\n"].concat());
}

#[test]
fn edits_are_made_at_their_places_in_long_texts() {
    // Parts of text, and what remains of them.
    const PARTS: [(&str, &str); 6] = [
        ("a\u{200B}b", "ab"),
        ("\u{AD}\u{200E}\u{200B}", ""),
        ("\u{A0}", " "),
        ("e\u{301}x", "\u{E9}x"),
        ("plain text, some bytes of it\n", "plain text, some bytes of it\n"),
        ("\u{416}\u{1F600}\u{3042}", "\u{416}\u{1F600}\u{3042}"),
    ];
    let mut rng = Rng::new(41);
    let options =
        ["--unsafe-fixes", "--fix=invisible,soft-hyphen,bidi-mark,not-nfc,irregular-whitespace"];
    for length in [1, 7, 100, 30_000, 100_000] {
        let parts: Vec<_> = (0..length).map(|_| rng.pick(&PARTS)).collect();
        let text: String = parts.iter().map(|part| part.0).collect();
        let expected: String = parts.iter().map(|part| part.1).collect();
        assert!(fixed(text.as_bytes(), &options) == expected.as_bytes(), "{length}");
        for name in ["utf-16le", "utf-32be", "cesu-8", "gb18030"] {
            let codec = Encoding::for_label(name).unwrap();
            let encoded = |text: &str| utf8::encode(codec, text, Policy::Strict).unwrap();
            let from = format!("--from={name}");
            let found = fixed(&encoded(&text), &[&options[..], &[&from, "--binary"]].concat());
            assert!(found == encoded(&expected), "{name}, {length}");
        }
    }
}

#[test]
fn an_edit_is_one_change_wherever_reading_ends_within_it() {
    // An edit is at every multiple of 4.
    let text = format!("xxx{}", "e\u{301}x".repeat(100_000));
    for name in ["utf-8", "utf-16le"] {
        let codec = Encoding::for_label(name).unwrap();
        let dir = Dir::of(&[("a", &utf8::encode(codec, &text, Policy::Strict).unwrap())]);
        fix(&dir, &["-i", "--fix=not-nfc", "--unsafe-fixes", "--binary", "-f", name, "a"])
            .assert()
            .code(0)
            .stderr("a: repaired, 100,000 findings fixed (not-nfc)\n");
    }
}

#[test]
fn adjacent_findings_are_one_change_and_counted_apart() {
    let text = "a\r".to_owned() + &"\u{200B}".repeat(200_000) + "\nb";
    let dir = Dir::of(&[("a", text.as_bytes())]);
    let options = ["--fix=invisible,lone-cr", "--unsafe-fixes"];
    let out = fix(&dir, &["--check", "--format=json", "a"]).args(options).assert().code(1);
    let objects = objects(&out.get_output().stdout);
    let lengths = objects.iter().filter(|it| it["type"] == "change").map(|it| &it["length"]);
    assert_eq!(lengths.collect::<Vec<_>>(), [1, 600_000]);
    let told = "a: repaired, 200,001 findings fixed (invisible, lone-cr)\n";
    fix(&dir, &["-i", "a"]).args(options).assert().code(0).stderr(told);
    assert_eq!(fs::read(dir.path("a")).unwrap(), b"a\n\nb");
}

#[test]
fn ill_formed_sequences_are_between_the_edits() {
    let text = b"a\xE2\x80\x8Bb\xFFc\xC2\xA0d\xC0\xAFe\r";
    let options = ["--fix=invisible,irregular-whitespace,lone-cr", "--unsafe-fixes"];
    let replaced = fixed(text, &[&options[..], &["--on-error=replace"]].concat());
    assert_eq!(replaced, "ab\u{FFFD}c d\u{FFFD}\u{FFFD}e\n".as_bytes());
    let dropped =
        fixed(b"a\xFF\nb\xE2\x80\x8B\nc\xFF", &[&options[..], &["--on-error=drop-line"]].concat());
    assert_eq!(dropped, b"b\n");
    // In place, ill-formed text is left as it is unless a policy is named.
    let dir = Dir::of(&[("a", text)]);
    fix(&dir, &["-i", "a"]).args(options).assert().code(1).stderr(contains("unchanged"));
    assert_eq!(fs::read(dir.path("a")).unwrap(), text);
}

#[test]
fn what_cannot_be_fixed_at_once_is_told() {
    // The limit of edits, and some more.
    let number = (1 << 20) + 5;
    let text = "\u{AD}x".repeat(number);
    let options = ["--fix=soft-hyphen", "--unsafe-fixes"];
    let dir = Dir::of(&[("a", text.as_bytes()), ("nul", &vec![0; 1 << 22])]);
    let told = contains("a: 5 findings left: soft-hyphen (run it again)");
    fix(&dir, &["-i", "a"]).args(options).assert().code(1).stderr(told);
    fix(&dir, &["-i", "-q", "a"]).args(options).assert().code(0).stderr("");
    assert_eq!(fs::read(dir.path("a")).unwrap(), vec![b'x'; number]);
    // Adjacent removals are one.
    fix(&dir, &["-i", "-q", "--binary", "--fix=nul", "--unsafe-fixes", "nul"]).assert().code(0);
    assert_eq!(fs::read(dir.path("nul")).unwrap(), b"");
}

/// The status is 0 only if another run has nothing to fix.
#[test]
fn findings_that_a_fix_leads_to_are_told() {
    let cases = [
        ("\u{FEFF}\u{FEFF}a\n", "bom", "\u{FEFF}a\n"),
        ("e\u{200B}\u{301}\n", "invisible,not-nfc", "e\u{301}\n"),
    ];
    for (text, ids, once) in cases {
        let option = format!("--fix={ids}");
        let dir = Dir::of(&[("a", text.as_bytes())]);
        let left = || contains("1 finding left: ").and(contains(" (run it again)\n"));
        let options = [&option[..], "--unsafe-fixes"];
        fix(&dir, &["a"]).args(options).assert().code(1).stdout(once).stderr(left());
        fix(&dir, &["-i", "a"]).args(options).assert().code(1).stderr(left());
        fix(&dir, &["-i", "a"]).args(options).assert().code(0);
        fix(&dir, &["-i", "--check", "a"]).args(options).assert().code(0).stderr("");
    }
}

/// A line end would take the permission of a comment from the text after it.
#[test]
fn lines_that_comments_are_about_stay_whole() {
    let next = "utf8:allow-next-line(invisible)";
    let cases = [
        (format!("{next}\rb\u{200B}\r\n\u{200B}\n"), format!("{next}\rb\r\n\u{200B}\n"), true),
        (format!("{next}\r\r\n\u{200B}\n"), format!("{next}\r\n\u{200B}\n"), false),
        (format!("a\rb {next}\n\u{200B}c\r\n"), format!("a\nb {next}\n\u{200B}c\r\n"), false),
    ];
    let same =
        ["a\rutf8:allow(invisible)\u{200B}\n", "a\u{2028}utf8:allow-file(invisible)\u{200B}\n"];
    let same = same.map(|text| (text.to_owned(), text.to_owned(), true));
    for (text, expected, is_bound) in cases.into_iter().chain(same) {
        let dir = Dir::of(&[("a", text.as_bytes())]);
        let options = ["-i", "--fix=lone-cr,line-separator,invisible", "--unsafe-fixes", "a"];
        let note = "1 finding left, where a comment is about the line: l";
        for _ in 0..2 {
            let out = fix(&dir, &options).assert().code(0);
            assert_eq!(String::from_utf8_lossy(&out.get_output().stderr).contains(note), is_bound);
            assert_eq!(fs::read(dir.path("a")).unwrap(), expected.as_bytes(), "{text:?}");
        }
    }
}

/// A line end at the end of the text starts no line to which the comment could apply.
#[test]
fn a_final_line_with_a_comment_gets_its_line_end() {
    let text = "x = 1 # utf8:allow(invisible) \u{200B}";
    let dir = Dir::of(&[("a", text.as_bytes())]);
    fix(&dir, &["-i", "--fix=missing-final-newline", "a"]).assert().code(0);
    assert_eq!(fs::read(dir.path("a")).unwrap(), format!("{text}\n").as_bytes());
}

#[test]
fn inputs_that_are_read_once_are_refused() {
    let dir = Dir::new();
    let twice = "utf8: -: --fix reads its input twice, standard input is read once (name a file: utf8 \
                 repair --fix FILE)\n";
    fix(&dir, &["--fix"]).write_stdin("a\r\nb\n").assert().code(2).stdout("").stderr(twice);
    for option in ["--skip=1", "--length=1", "--text=a", "--hex"] {
        fix(&dir, &["--fix", option]).assert().code(2).stderr(contains("cannot be used with"));
    }
    fix(&dir, &["--fix", "."]).assert().code(2).stderr(contains("is a directory (add -i -r "));
    fix(&dir, &["--fix=missing-bom", "-f", "koi8-r", "a"])
        .assert()
        .code(2)
        .stderr(contains("--fix=missing-bom: koi8-r has no byte order mark"));
    assert_eq!(ids(b"a\n", &["--deny=missing-bom", "-fkoi8-r"]), [""; 0]);
    assert_eq!(ids(b"a\n", &["--deny=missing-bom", "-fgb18030"]), ["missing-bom"]);
    let stateful = contains("lints cannot read utf-7, which has shift states");
    dir.write("a", "a\n");
    fix(&dir, &["--fix", "-f", "utf-7", "a"]).assert().code(2).stderr(stateful);
    let named = contains("--on-error repairs ill-formed sequences");
    fix(&dir, &["--fix=ill-formed", "a"]).assert().code(2).stderr(named);
    fix(&dir, &["--unsafe-fixes", "a"]).assert().code(2).stderr(contains("--fix"));
}

/// Whatever a text has, a fix with status 0 has removed every finding that it can fix, and another
/// one changes nothing.
#[test]
fn a_fixed_text_has_no_finding() {
    const PARTS: [&str; 22] = [
        "a",
        "b",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\0",
        "\u{1B}",
        "\u{85}",
        "\u{A0}",
        "\u{AD}",
        "e\u{301}",
        "\u{C3}\u{A9}",
        "\u{200B}",
        "\u{200D}",
        "\u{202E}",
        "\u{202C}",
        "\u{2067}",
        "\u{FEFF}",
        "\u{FE0F}",
        "\u{E0067}",
        "\u{FFFF}",
    ];
    let sets = ["security", "files", "text", "strict", "net-unicode"];
    let names: Vec<_> = LINTS.iter().filter(|row| row.fix.is_some()).map(|row| row.id).collect();
    let mut rng = Rng::new(17);
    for _ in 0..250 {
        let text: String = (0..1 + rng.below(12)).map(|_| rng.pick(&PARTS)).collect();
        let set = if rng.one_in(2) { rng.pick(&sets) } else { names[rng.below(names.len())] };
        let options = [&format!("--fix={set}")[..], "--unsafe-fixes", "--binary"];
        // Text that was apart before can be mojibake or compose after it.
        let (mut last, mut status) = run_once(text.as_bytes(), &options);
        for _ in 0..3 {
            if status == Some(1) {
                (last, status) = run_once(&last, &options);
            }
        }
        assert_eq!(status, Some(0), "{text:?} {set}");
        let left = ids(&last, &[&format!("--warn={set}"), "--no-inline"]);
        let fixable = left.iter().filter(|id| names.contains(&&id[..]));
        assert_eq!(fixable.count(), 0, "{text:?} {set}: {last:?} {left:?}");
        assert_eq!(fixed(&last, &options), last, "{text:?} {set}");
    }
}
