//! Files in directories that are in UTF-16 or UTF-32, or have NUL.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};
use serde_json::Value;

use super::faulty;
use crate::common::bin::{Dir, objects, utf8};

/// A directory `t` with files in UTF-16 and UTF-32, with and without a BOM, and others with NUL.
fn code_units() -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    let text = "A line of text\r\nand another one, a little longer\r\n".repeat(3);
    let wide = |bom: &str| {
        let units = bom.encode_utf16().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect::<Vec<_>>()
    };
    let wider: Vec<_> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    for (name, bytes) in [
        ("t/bom.txt", wide("\u{FEFF}")),
        ("t/no bom.txt", wide("")),
        ("t/utf-32", wider),
        ("t/nul.txt", b"a line\0\0\nwith NUL \xFF\n".to_vec()),
        ("t/gzip", b"\x1F\x8B\x08\x01 no NUL \xFF".to_vec()),
        ("t/plain.txt", b"ok\n".to_vec()),
    ] {
        dir.write(name, bytes);
    }
    dir
}

#[test]
fn text_in_code_units_is_one_finding() {
    let dir = code_units();
    let out = dir.validate().args(["-j1", "t"]).assert().code(1).stdout(
        "t/bom.txt:1:1: byte 0x0 (0): utf-16 text, where UTF-8 is expected [not-utf-8]\n\
         t/no bom.txt:1:1: byte 0x0 (0): utf-16le text, where UTF-8 is expected [not-utf-8]\n\
         t/utf-32:1:1: byte 0x0 (0): utf-32be text, where UTF-8 is expected [not-utf-8]\n",
    );
    out.stderr(starts_with("4 files checked in ").and(ends_with(
        " s, 3 are ill-formed; 3 findings: 3 not-utf-8; skipped: 2 binary files\n\
         utf8 decode -f auto -i FILE converts a file to UTF-8\n",
    )));
    let verbose = dir.validate().args(["-j1", "-v", "t"]).assert().code(1);
    verbose.stderr(
        contains(
            "t/bom.txt: is utf-16, not UTF-8 (utf8 decode -f utf-16 -i t/bom.txt converts it)",
        )
        .and(contains("(utf8 decode -f utf-16le -i 't/no bom.txt' converts it)\n")),
    );
    let tsv = dir.validate().args(["--format=tsv", "t"]).assert().code(1).stderr("");
    tsv.stdout(starts_with("0\t2\tnot-utf-8\t1\t1\tFF FE\tt/bom.txt\n"));
    let json = dir.validate().args(["--format=json", "t"]).assert().code(1).stderr("");
    json.stdout(
        contains(r#""offset":0,"length":2,"kind":"not-utf-8","class":"input","level":"error","hex":"FF FE","#)
            .and(contains(r#""by_kind":{"not-utf-8":1}"#)),
    );
    let full = dir.validate().args(["--format=full", "t"]).assert().code(1);
    full.stdout(contains("  00000000  FF FE 41 00 20 00 6C 00  69 00"));
    let counts = dir.validate().args(["-c", "t"]).assert().code(1);
    counts.stdout("t/bom.txt:1\nt/no bom.txt:1\nt/plain.txt:0\nt/utf-32:1\n");
    dir.validate().args(["-q", "t"]).assert().code(1).stdout("").stderr("");
}

#[test]
fn the_advice_for_code_units_makes_them_utf_8() {
    let dir = code_units();
    let out = dir.validate().args(["-f", "utf-16", "t/bom.txt"]).assert();
    out.code(0);
    for (codec, name) in [("utf-16", "t/bom.txt"), ("utf-16le", "t/no bom.txt")] {
        let mut run = utf8();
        run.current_dir(dir.path("")).args(["decode", "-f", codec, "-i", name]).assert().code(0);
        dir.validate().arg(name).assert().code(0).stdout("");
    }
}

#[test]
fn a_declared_encoding_is_no_finding() {
    let dir = code_units();
    assert_eq!(faulty(&dir, &["-f", "utf-16le", "t/no bom.txt"]), [""; 0]);
    // A file that is named is read as UTF-8, unless the rules of directories apply to it.
    let named = dir.validate().args(["--max-shown=none", "t/bom.txt"]).assert().code(1);
    named.stdout(contains("[invalid-fe-ff]"));
    let args = ["--force-exclude", "t/bom.txt", "t/nul.txt", "t/gzip"];
    let judged = dir.validate().args(args).assert().code(1);
    judged.stdout(contains("[not-utf-8]\n").count(1));
    assert_eq!(faulty(&dir, &args), ["t/bom.txt"]);
    // With NUL, text in other encodings is binary.
    assert_eq!(faulty(&dir, &["--binary", "t"]).len(), 5);
}

#[test]
fn text_in_another_encoding_has_its_size() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    dir.write("t/a", b"\xFF\xFEh\0i\0\n\0");
    let run = dir.validate().args(["--format", "json", "t"]).assert().code(1);
    let objects = objects(&run.get_output().stdout);
    assert_eq!((&objects[0]["kind"], &objects[0]["value"]), (&"not-utf-8".into(), &Value::Null));
    assert_eq!(objects[1]["size"], 8);
}

#[test]
fn text_with_nul_is_named_when_it_is_skipped() {
    let text = b"/* a comment */ int x;\n".repeat(4);
    let hidden = [&text[..], "/* \0 \u{202E} */\n".as_bytes()].concat();
    let dir =
        Dir::of(&[("t/evil.c", &hidden[..]), ("t/plain.c", b"x\n"), ("t/b.bin", b"\0\x01\xFF")]);
    let strict = || {
        let mut validate = dir.validate();
        validate.args(["--deny", "bidi-unpaired"]);
        validate
    };
    let note = "t/evil.c: skipped: text with NUL (--binary, or text in .gitattributes, reads it)\n";
    let counts = contains("skipped: 1 binary file, 1 text file with NUL");
    strict().arg("t").assert().code(0).stderr(starts_with(note).and(counts));
    let told = [note, "utf8: skipped: 1 binary file, 1 text file with NUL\n"].concat();
    dir.run("detect").arg("t").assert().code(0).stderr(told);
    // What the user says is text is read, damaged or not, but for known binary formats.
    dir.write("t/damaged.c", b"a\0b\xFF\n");
    dir.write("t/elf.c", b"\x7FELF\x02\x01\x01\0\xFF");
    dir.write("t/.gitattributes", b"*.c text\n");
    let damaged = contains("t/damaged.c:1:4: ").and(contains("t/elf.c").not());
    dir.validate().arg("t").assert().code(1).stdout(damaged);
    fs::remove_file(dir.path("t/damaged.c")).unwrap();
    let out = strict().arg("t").assert().code(1).stderr(contains("evil.c: skipped").not());
    out.stdout(contains("[bidi-unpaired]"));
}

/// A check for NUL reads text with NUL, which other checks leave out.
#[test]
fn text_with_nul_is_read_to_report_nul() {
    let text = "INSERT 1;\nINSERT \0;\n";
    let dir = Dir::of(&[("t/dump.sql", text.as_bytes()), ("t/b.bin", b"\0\x01\xFF"), ("s/e", b"")]);
    let found = "t/dump.sql:2:8: byte 0x11 (17): U+0000 NULL [nul]\n";
    for lints in ["--deny=nul", "--deny=postgres", "--deny=strict"] {
        dir.validate().args([lints, "t"]).assert().code(1).stdout(found);
        dir.validate()
            .args([lints, "--force-exclude", "t/dump.sql"])
            .assert()
            .code(1)
            .stdout(found);
    }
    dir.validate().args(["--warn=nul", "t"]).assert().code(0).stdout(contains("[nul]"));
    // A short text, too.
    dir.write("s/n.txt", "x\0y ü\n".as_bytes());
    let short = "s/n.txt:1:2: byte 0x1 (1): U+0000 NULL [nul]\n";
    dir.validate().args(["--deny=nul", "s"]).assert().code(1).stdout(short);
    dir.validate().args(["--deny=strict", "--allow=nul", "t"]).assert().stdout("");
    dir.write("t/utf8.toml", "[validate]\ndeny = ['nul']\n");
    dir.validate().arg("t").assert().code(1).stdout(found);
    // With an ill-formed sequence, too.
    dir.write("t/dump.sql", b"INSERT 'caf\xE9';\nINSERT \0;\n");
    let both = contains("t/dump.sql:1:12: ").and(contains("t/dump.sql:2:8: "));
    dir.validate().arg("t").assert().code(1).stdout(both);
}

/// UTF-16 that is allowed is checked as UTF-16.
#[test]
fn text_in_another_encoding_that_is_allowed_is_checked_in_it() {
    let dir = Dir::of(&[("t/u.txt", &b"\xFF\xFE\x2E\x20\x00\xD8\x0A\x00"[..])]);
    let allowed = |args: &[&str]| {
        let mut run = dir.validate();
        run.arg("--allow=not-utf-8").args(args).arg("t");
        run.assert()
    };
    let fault =
        "t/u.txt:1:5: byte 0x4 (4): high surrogate 00 D8, that is U+D800 [surrogate-high]\n";
    allowed(&["--allow=bidi-unpaired"]).code(1).stdout(fault);
    allowed(&["--deny=security"]).code(1).stdout(contains("[bidi-unpaired]").and(contains(fault)));
    dir.validate().arg("t").assert().code(1).stdout(contains("[not-utf-8]"));
}

/// Named files and streams have the finding where it is asked for.
#[test]
fn named_text_in_code_units_is_a_finding_where_that_is_denied() {
    let dir = code_units();
    let finding = |name: &str| {
        format!("{name}:1:1: byte 0x0 (0): utf-16le text, where UTF-8 is expected [not-utf-8]\n")
    };
    let deny = "--deny=not-utf-8";
    let named = dir.validate().args([deny, "t/no bom.txt", "t/plain.txt"]).assert().code(1);
    named.stdout(finding("t/no bom.txt")).stderr(
        "t/no bom.txt: is utf-16le, not UTF-8 (utf8 decode -f utf-16le -i 't/no bom.txt' converts it)\n",
    );
    let wide = fs::read(dir.path("t/no bom.txt")).unwrap();
    let piped = dir.validate().arg(deny).write_stdin(wide).assert().code(1).stdout(finding("-"));
    piped.stderr("-: is utf-16le, not UTF-8 (utf8 decode -f utf-16le converts it)\n");
    dir.validate().args([deny, "-q", "t/no bom.txt"]).assert().code(1).stdout("").stderr("");
    let full = |args: &[&str]| dir.validate().args(args).arg("--format=full").output().unwrap();
    assert_eq!(full(&[deny, "t/no bom.txt"]).stdout, full(&["--glob=no bom.txt", "t"]).stdout);
    for args in [&[][..], &["-f", "utf-16le", deny], &["--allow=not-utf-8"]] {
        dir.validate().args(args).arg("t/no bom.txt").assert().code(0).stdout("");
    }
    dir.validate().args(["--format=lines", deny, "t/no bom.txt"]).assert().code(1);
    // A lint that decides at the end goes on to do so where the finding is allowed.
    let units = "no end".encode_utf16().flat_map(u16::to_le_bytes);
    dir.write("open", units.collect::<Vec<_>>());
    let args = ["--deny=missing-final-newline", "open"];
    dir.validate().args(args).assert().code(1).stdout(contains("[missing-final-newline]"));
}

#[test]
fn detect_ignores_declared_encodings() {
    let dir = Dir::of(&[
        ("t/.gitattributes", &b"*.txt working-tree-encoding=ISO-8859-1\n"[..]),
        ("t/a.txt", b"Ein Pr\xFCfbericht, gepr\xFCft f\xFCr die \xDCbung\n"),
    ]);
    let alone = dir.run("detect").arg("t/a.txt").output().unwrap().stdout;
    let out = dir.run("detect").args(["t", "--glob", "*.txt"]).assert().code(0);
    out.stdout([b"t/a.txt: ", &alone[..]].concat());
    assert_eq!(alone, b"windows-1252\n");
}
