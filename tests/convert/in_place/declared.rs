//! Files of `decode -i` and `encode -i` for which an encoding is declared or set.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with};
use utf8::policy::Policy;
use utf8::registry::Encoding;

use super::run;
use crate::common::bin::{Dir, lines};

#[test]
fn a_declared_file_is_not_detected_and_converted() {
    let text = b"Pr\xFCfbericht f\xFCr \xDCbungen\n";
    let dir = Dir::of(&[
        ("a.txt", text),
        (".gitattributes", b"*.txt working-tree-encoding=ISO-8859-1\n"),
    ]);
    let decode = |from: &str| {
        let mut decode = dir.run("decode");
        decode.args(["-f", from, "-i", "a.txt"]);
        decode
    };
    decode("auto").assert().code(1).stderr(
        "utf8: a.txt: is iso-8859-1 by .gitattributes: skipped (--from iso-8859-1 converts it; \
         change .gitattributes, too)\n",
    );
    assert_eq!(std::fs::read(dir.path("a.txt")).unwrap(), text);
    let converted = decode("iso-8859-1").assert().code(0);
    converted.stderr(ends_with(
        "a.txt: is still iso-8859-1 by .gitattributes: git reads it so (change .gitattributes, too)\n",
    ));
    assert!(String::from_utf8(std::fs::read(dir.path("a.txt")).unwrap()).is_ok());
    dir.write("a.txt", text);
    let repaired =
        dir.run("repair").args(["-i", "--fallback=iso-8859-1", "a.txt"]).assert().code(0);
    repaired.stderr(ends_with(
        "a.txt: is still iso-8859-1 by .gitattributes: git reads it so (change .gitattributes, too)\n",
    ));
}

#[test]
fn settings_of_another_encoding_are_named() {
    let dir = Dir::of(&[
        ("a.txt", b"\xFC".as_slice()),
        ("b.txt", b"\xFC"),
        ("c.csv", b"\xFC"),
        ("d.md", b"\xFC"),
        ("utf8.toml", b"[[override]]\npaths = ['*.txt']\nencoding = 'windows-1252'\n"),
        (".editorconfig", b"root = true\n[*.csv]\ncharset = latin1\n"),
    ]);
    let decode = |args: &[&str]| {
        let mut decode = dir.run("decode");
        decode.args(["-f", "windows-1252", "-i"]).args(args);
        decode.assert().code(0)
    };
    decode(&["c.csv"])
        .stderr(ends_with("c.csv: is still iso-8859-1 by .editorconfig:3 (change that, too)\n"));
    decode(&["d.md"]).stderr(contains("is still").not());
    decode(&["a.txt", "b.txt"]).stderr(ends_with(
        "total: 2 converted files are still in other encodings by .gitattributes, utf8.toml or \
         .editorconfig, the first is a.txt (utf8 validate --show-config a.txt shows where)\n",
    ));
    dir.write("a.txt", b"\xFC");
    decode(&["-v", "a.txt"])
        .stderr(contains("a.txt: is still windows-1252 by utf8.toml:3 (change that, too)\n"));
}

/// A declaration that was true before the conversion, and is not after it.
#[test]
fn declarations_of_other_encodings_are_named() {
    let page = b"<meta charset=\"iso-8859-1\"><p>caf\xE9</p>\n";
    let english = b"<meta charset=\"iso-8859-1\"><p>coffee</p>\n";
    let allowed = [&page[..], b"<!-- utf8:allow-file(wrong-declaration) -->\n"].concat();
    let wide: Vec<_> = "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<a/>\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let unused = b"<meta charset=\"utf-8\">caf\xE9 <!-- utf8:allow(wrong-declaration) -->\n";
    let dir = Dir::of(&[("a b.html", page), ("c.html", page), ("english", english)]);
    dir.write("unused", unused);
    dir.write("to-wide.xml", "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a/>\n");
    dir.write("allowed", allowed);
    dir.write("wide.xml", wide);
    let command = "utf8 validate --warn wrong-declaration";
    for (codec, name, is_named) in [
        ("iso-8859-1", "allowed", false),
        ("iso-8859-1", "unused", false),
        ("utf-16le", "wide.xml", true),
        ("iso-8859-1", "c.html", true),
    ] {
        let out = run(&dir, &["decode", "-i", "-f", codec, name]).assert().code(0);
        let converted = format!("{name}: converted from {codec} to utf-8");
        let note =
            format!("{name}: still declares another encoding ({command} {name} shows where)");
        let expected = [&converted[..], &note[..]];
        out.stderr(lines(if is_named { &expected } else { &expected[..1] }));
    }
    run(&dir, &["decode", "-i", "-q", "-f", "iso-8859-1", "a b.html"]).assert().code(0).stderr("");
    let args = ["encode", "-i", "-t", "utf-16le", "to-wide.xml"];
    run(&dir, &args).assert().code(0).stderr(ends_with(
        "to-wide.xml: still declares another encoding (utf8 validate -f utf-16le --warn \
         wrong-declaration to-wide.xml shows where)\n",
    ));
    for name in ["1.html", "2.html", "3.html", "4.html"] {
        dir.write(name, page);
    }
    let verbose = ["decode", "-i", "-v", "-f", "iso-8859-1", "3.html", "4.html"];
    let out = run(&dir, &verbose).assert().code(0);
    out.stderr(contains("3.html: still declares").and(contains("4.html: still declares")));
    let several = ["decode", "-i", "-f", "iso-8859-1", "1.html", "2.html", "english"];
    let out = run(&dir, &several).assert().code(0);
    out.stderr(ends_with(format!(
        "total: 2 converted files still declare other encodings, the first is 1.html ({command} \
         1.html shows where)\n"
    )));
    // The command shows it.
    let shown = run(&dir, &["validate", "--warn", "wrong-declaration", "c.html"]).assert().code(0);
    shown.stdout(contains("c.html:1:16: "));
}

#[test]
fn a_file_that_was_in_another_encoding_is_told_after_its_conversion() {
    let text = "Съешь ещё этих мягких французских булок, да выпей чаю\n";
    let old = utf8::encode(Encoding::for_label("koi8-r").unwrap(), text, Policy::Strict).unwrap();
    let dir = Dir::of(&[("f", &old)]);
    let out = dir.run("decode").args(["-f", "windows-1252", "-i", "f"]).assert().code(0);
    out.stderr(
        "f: converted from windows-1252 to utf-8\n\
         f: the old file: looks like koi8-r (utf8 encode -t windows-1252 --reconvert -i f restores \
         it)\n",
    );
    let undo = ["encode", "-t", "windows-1252", "--reconvert", "-i", "f"];
    run(&dir, &undo).assert().code(0);
    assert_eq!(std::fs::read(dir.path("f")).unwrap(), old);
    let backup = ["decode", "-f", "windows-1252", "-i", "--backup", ".orig", "f"];
    let out = run(&dir, &backup).assert().code(0);
    out.stderr(ends_with("f: the old file: looks like koi8-r (utf8 decode -f koi8-r f.orig)\n"));
}
