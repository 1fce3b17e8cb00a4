//! Error policies of `utf8 decode` and `utf8 encode`.

use predicates::str::{contains, starts_with};

use crate::common::bin::run;
use crate::common::unhex;
use utf8::{Encoding, Policy};

/// A policy, and its output for `a`, E2 82, `z` in UTF-8 and for `a`, €, `z` in Latin-1.
const POLICIES: &[(&str, Option<&str>, Option<&str>)] = &[
    ("strict", None, None),
    ("replace", Some("61 EF BF BD 7A"), Some("61 3F 7A")),
    ("transliterate", Some("61 EF BF BD 7A"), Some("61 45 55 52 7A")),
    ("replace-byte", Some("61 EF BF BD EF BF BD 7A"), None),
    ("ignore", Some("61 7A"), Some("61 7A")),
    // a\xe2\x82z, a\u20acz
    ("backslashreplace", Some("61 5C 78 65 32 5C 78 38 32 7A"), Some("61 5C 75 32 30 61 63 7A")),
    // a&#x20AC;z, a\u20acz
    ("escape=html", None, Some("61 26 23 78 32 30 41 43 3B 7A")),
    ("escape=json", None, Some("61 5C 75 32 30 61 63 7A")),
    ("optu", Some("61 EE BF A2 EE BE 82 7A"), None),
    // U+00E2, and 82 is U+201A.
    ("fallback=windows-1252", Some("61 C3 A2 E2 80 9A 7A"), None),
];

/// Returns the report of one loss to a target.
fn loss(policy: &str, target: &str) -> String {
    let what = if target == "utf-8" { "sequence" } else { "character" };
    let done = match policy {
        "replace" | "replace-byte" => "replaced",
        "transliterate" => "transliterated",
        "ignore" => "left out",
        "backslashreplace" => "spelt out",
        "escape=html" => "escaped in html",
        "escape=json" => "escaped in json",
        // The output tells the bytes.
        _ => return String::new(),
    };
    format!("utf8: -: 1 {what} {done}\n")
}

#[test]
fn policies_treat_ill_formed_and_unencodable_text() {
    for &(policy, ill_formed, lacking) in POLICIES {
        for (target, input, expected) in
            [("utf-8", "61 E2 82 7A", ill_formed), ("latin1", "61 E2 82 AC 7A", lacking)]
        {
            let mut command = run(&["encode", "-t", target, "--on-error", policy]);
            let out = command.write_stdin(unhex(input)).assert();
            match expected {
                Some(output) => out.code(0).stdout(unhex(output)).stderr(loss(policy, target)),
                None => out.code(1).stdout("a").stderr(contains("byte 1: ")),
            };
        }
    }
}

/// The references and escapes are those of Python's `xmlcharrefreplace` (in hexadecimal digits), of
/// RFC 8259, section 7 (pairs of surrogates), and of RFC 3986 (bytes of UTF-8).
#[test]
fn unencodable_characters_are_escaped_in_a_notation() {
    for (notation, expected) in [
        ("html", "caf\u{E9} &#x20AC; &#x1F600; & \\"),
        ("json", "caf\u{E9} \\u20ac \\ud83d\\ude00 & \\"),
        ("c", "caf\u{E9} \\u20AC \\U0001F600 & \\"),
        ("python", "caf\u{E9} \\u20ac \\U0001f600 & \\"),
        ("rust", "caf\u{E9} \\u{20AC} \\u{1F600} & \\"),
        ("percent", "caf\u{E9} %E2%82%AC %F0%9F%98%80 & \\"),
    ] {
        let expected: Vec<u8> = expected.chars().map(|c| u8::try_from(c).unwrap()).collect();
        let mut command = run(&["encode", "-t", "latin1", "--on-error"]);
        let out = command.arg(format!("escape={notation}"));
        let out = out.write_stdin("caf\u{E9} \u{20AC} \u{1F600} & \\").assert().code(0);
        out.stdout(expected).stderr(format!("utf8: -: 2 characters escaped in {notation}\n"));
    }
    let mut repair = run(&["repair", "--on-error", "escape=html", "-xe", "E9"]);
    repair.assert().code(2).stderr(contains("a repair does not change the encoding"));
}

/// The escapes are those of java.util.Properties (`load` and `store`); native2ascii leaves ASCII alone,
/// with the escapes in it.
#[test]
fn properties_of_java_are_escaped_as_native2ascii_does() {
    let text = "# \u{E9}t\u{E9}\nkey\\:a = Stra\u{DF}e\\\n  \u{1F600}\\t\\u00e9\r\n";
    let expected = "# \\u00e9t\\u00e9\nkey\\:a = Stra\\u00dfe\\\n  \\ud83d\\ude00\\t\\u00e9\r\n";
    let mut command = run(&["encode", "-t", "us-ascii", "--on-error", "escape=json"]);
    command.write_stdin(text).assert().code(0).stdout(expected);
}

/// `%E9` and `\xE9` are bytes. What is no escape of a byte is its own bytes.
#[test]
fn ill_formed_escapes_of_bytes_are_treated_as_these_bytes() {
    for (notation, policy, input, expected) in [
        ("percent", "fallback=windows-1252", "a%E9%80 %C3%A9 %zz", "a\u{E9}\u{20AC} \u{E9} %zz"),
        ("percent", "backslashreplace", "%E9", "\\xe9"),
        ("percent", "replace-byte", "%E9", "\u{FFFD}"),
        ("c", "fallback=windows-1251", r"\xEF\357 \303\251 \q", "\u{43F}\u{43F} \u{E9} \\q"),
    ] {
        let mut command = run(&["decode", "-f", notation, "-t", "utf-8", "-q"]);
        let out = command.args(["--on-error", policy]).write_stdin(input).assert();
        out.code(0).stdout(expected);
    }
    let mut bytes = run(&["decode", "-f", "percent", "-t", "utf-8-surrogateescape"]);
    let out = bytes.args(["--on-error", "surrogateescape"]).write_stdin("%E9%80x").assert();
    out.code(0).stdout(b"\xE9\x80x".to_vec());
    let mut repair = run(&["repair", "-f", "percent", "--fallback", "latin1"]);
    repair.write_stdin("a%E9b").assert().code(0).stdout("a%C3%A9b");
}

/// ASMO 449 has the backslash, but no Latin letters and only Arabic digits.
#[test]
fn escapes_that_the_target_lacks_are_not_begun() {
    for (input, hint) in [
        (&b"!\xE2\x82"[..], "utf8: -: byte 1: asmo-449 cannot hold U+0078 [unencodable]"),
        (b"!x", "utf8: -: byte 1: asmo-449 cannot hold U+0078 [unencodable]"),
    ] {
        let mut command = run(&["encode", "-t", "asmo-449", "--on-error", "backslashreplace"]);
        let out = command.write_stdin(input).assert().code(1).stdout("!");
        out.stderr(format!("{hint} (--on-error ignore continues)\n"));
    }
}

/// The suffixes of `iconv` name policies; on the source they have no effect, as there.
#[test]
fn suffixes_of_iconv_name_policies() {
    let input = "caf\u{E9} \u{2013} \u{3042}\u{E000}".as_bytes();
    for (target, output) in [
        ("ascii//TRANSLIT", "cafe - a?"),
        ("ascii//TRANSLIT//IGNORE", "cafe - a?"),
        ("ascii//IGNORE,translit", "cafe - a?"),
        ("US-ASCII//ignore", "caf  "),
    ] {
        let mut command = run(&["encode", "-t", target]);
        command.write_stdin(input).assert().code(0).stdout(output);
        let mut same = run(&["encode", "-f", "utf-8//TRANSLIT//IGNORE", "-t", target, "-q"]);
        same.write_stdin(input).assert().code(0).stdout(output).stderr("");
    }
    let mut strict = run(&["encode", "-f", "utf-8//IGNORE", "-t", "ascii//"]);
    strict.write_stdin(input).assert().code(1).stdout("caf");
    let mut unknown = run(&["encode", "-t", "ascii//FOO"]);
    unknown
        .assert()
        .code(2)
        .stderr("utf8: --to ascii//FOO: unknown suffix //FOO (expected //TRANSLIT or //IGNORE)\n");
    let mut two = run(&["encode", "-t", "ascii//TRANSLIT", "--on-error", "ignore"]);
    two.assert()
        .code(2)
        .stderr("utf8: the suffix of --to means --on-error transliterate, but ignore is named\n");
}

#[test]
fn transliteration_is_counted_and_reported() {
    let run = |args: &[&str]| {
        let mut command = run(&[&["encode", "-t", "latin1//TRANSLIT"], args].concat());
        command.write_stdin("\u{2019}\u{E9}\u{20AC}\n").assert().code(0)
    };
    run(&[]).stdout(&b"'\xE9EUR\n"[..]).stderr("utf8: -: 2 characters transliterated\n");
    let verbose = "-: 9 bytes, 2 code points not in iso-8859-1 transliterated\n";
    run(&["-v"]).stderr(verbose);
    run(&["--stats"]).stderr(contains("2 unencodable"));
    run(&["--explain"]).stderr(contains("E2 82 AC -> 45 55 52"));
}

#[test]
fn bytes_are_escaped_where_the_target_holds_the_escapes() {
    let escape = ["encode", "--on-error", "surrogateescape", "-t"];
    for (target, output) in [
        ("wtf-16be", "00 61 DC E2 DC 82 00 7A"),
        ("wtf-8", "61 ED B3 A2 ED B2 82 7A"),
        ("utf-8-surrogateescape", "61 E2 82 7A"),
    ] {
        let mut command = run(&[&escape[..], &[target]].concat());
        command.write_stdin(unhex("61 E2 82 7A")).assert().code(0).stdout(unhex(output)).stderr("");
    }
    // The second byte of an issue has its own offset.
    let mut command = run(&[&escape[..], &["utf-8"]].concat());
    let out = command.write_stdin(unhex("61 E2 82 7A")).assert().code(1).stdout("a");
    out.stderr(contains("byte 1: utf-8 cannot hold U+DCE2 [unencodable]"));
}

#[test]
fn ascii_is_never_escaped() {
    for policy in ["surrogateescape", "optu"] {
        for (from, input, end) in
            [("utf-16be", "00 61 D8 80 DC", None), ("utf-16be", "00 61 D8 00 00 7A", Some(2))]
        {
            let args = ["decode", "-f", from, "-t", "ucs-4be", "--on-error", policy];
            let out = run(&args).write_stdin(unhex(input)).assert();
            match end {
                None => out.code(0).stderr(""),
                Some(at) => out.code(1).stderr(contains(format!("byte {at}: high surrogate"))),
            };
        }
    }
}

#[test]
fn joined_escapes_are_counted_and_reported() {
    let args = ["encode", "-f", "wtf-16be", "-t", "utf-8-surrogateescape"];
    let out = run(&args).write_stdin(unhex("DC C3 DC A9 00 61 DC C3")).assert().code(0);
    out.stdout(unhex("C3 A9 61 C3")).stderr(
        "-: 2 escaped bytes form well-formed text together \
         and will not be read back as escapes\n",
    );
}

#[test]
fn optu_escapes_code_points_that_look_like_escapes() {
    // EE BE 80 is U+EF80, private.
    let args = ["encode", "--on-error", "optu", "-t", "utf-16be", "-v"];
    let out = run(&args).write_stdin(unhex("61 EE BE 80 FF")).assert().code(0);
    out.stdout(unhex("00 61 EF EE EF BE EF 80 EF FF"))
        .stderr("-: 5 bytes, 1 ill-formed sequence escaped, 1 private code point escaped\n");
}

#[test]
fn a_question_mark_replaces_an_unencodable_replacement() {
    for policy in ["replace", "replace-byte", "fallback=us-ascii"] {
        let args = ["encode", "-t", "latin1", "--on-error", policy];
        run(&args).write_stdin(unhex("61 FF 7A")).assert().code(0).stdout("a?z");
    }
}

#[test]
fn fallback_is_short_for_a_policy() {
    let args = ["encode", "-f", "utf-8", "--fallback", "cp1251", "-v"];
    let out = run(&args).write_stdin(unhex("EF C3 A9 98")).assert().code(0);
    // 98 is U+0098 in windows-1251, as the WHATWG has it.
    out.stdout(unhex("D0 BF C3 A9 C2 98"))
        .stderr("-: 4 bytes, 2 ill-formed sequences read as windows-1251\n");
    for (args, error) in [
        (&["--fallback", "gbk"][..], "gbk is not a single-byte code page"),
        (&["--fallback", "cp1252", "--on-error", "ignore"], "cannot be used with"),
        (&["--on-error", "fallback"], "fallback needs a code page: fallback=windows-1252"),
        (&["--on-error", "drop"], "unknown policy (expected strict, replace, "),
    ] {
        run(&["encode"]).args(args).args(["-e", "a"]).assert().code(2).stderr(contains(error));
    }
}

#[test]
fn verbose_counts_replacements_and_quiet_prints_only_errors() {
    let input = unhex("61 FF E2 82 E2 82 AC");
    let args = ["encode", "-t", "latin1", "--on-error", "replace"];
    let out = run(&args).arg("-v").write_stdin(input.clone()).assert().code(0).stdout("a???");
    out.stderr(
        "-: 7 bytes, 2 ill-formed sequences replaced, 1 code point not in iso-8859-1 replaced\n",
    );
    let out = run(&args).write_stdin(input.clone()).assert().code(0);
    out.stdout("a???").stderr("utf8: -: 2 sequences and 1 character replaced\n");
    let out = run(&args).arg("-q").write_stdin(input.clone()).assert().code(0);
    out.stdout("a???").stderr("");
    let out = run(&["encode", "-t", "latin1", "-q"]).write_stdin(input).assert().code(1);
    out.stdout("a").stderr(starts_with("utf8: -: byte 1: byte FF starts no sequence "));
}

#[test]
fn a_loss_has_its_likely_reason() {
    let old = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.";
    let old = utf8::encode(Encoding::for_label("cp1251").unwrap(), old, Policy::Strict).unwrap();
    let words = "hello wörld".as_bytes();
    let none = "none is a code point, which encode reads without --from (--from utf-8)";
    let replace = ["--on-error", "replace"];
    for (args, input, said) in [
        (
            &["decode", "-f", "utf-8"][..],
            &old[..],
            "64 sequences replaced; looks like windows-1251 (-f windows-1251)",
        ),
        (
            &["encode", "-t", "utf-16"],
            &old,
            "64 sequences replaced; looks like windows-1251 (-f windows-1251)",
        ),
        (&["decode", "-f", "gbk"], "größer und schöner".as_bytes(), ""),
        (
            &["decode", "-f", "us-ascii"],
            "größer und schöner".as_bytes(),
            "6 sequences replaced; looks like utf-8 (-f utf-8)",
        ),
        (&["encode"], words, &format!("2 sequences replaced; {none}")),
        (&["encode"], b"U+41 world", "1 sequence replaced"),
        (
            &["encode", "-f", "code-points"],
            words,
            "2 sequences replaced; looks like utf-8 (-f utf-8)",
        ),
        // A character that the target lacks says nothing of the source.
        (&["encode", "-t", "us-ascii"], words, "1 character replaced"),
    ] {
        let out = run(args).args(replace).write_stdin(input).assert().code(0);
        let expected = if said.is_empty() { String::new() } else { format!("utf8: -: {said}\n") };
        out.stderr(expected);
    }
    let out = run(&["encode", "-v", "--on-error", "ignore"]).write_stdin(words).assert().code(0);
    out.stdout("").stderr(format!("-: 12 bytes, 2 ill-formed sequences left out; {none}\n"));
}
