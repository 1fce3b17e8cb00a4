//! `utf8 repair`: output, messages and exit statuses.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};

use crate::common::bin::{Dir, lines, objects, raw, run, shell_of};
use crate::common::unhex;
use utf8::{Encoding, Policy};

/// Checks the output of a repair, in hex.
fn check(args: &[&str], input: &str, output: &str) {
    let out = run(&["repair", "-q"]).args(args).write_stdin(unhex(input)).assert();
    out.code(0).stderr("").stdout(unhex(output));
}

#[test]
fn each_policy_has_its_replacement() {
    // 41, an overlong slash, a truncated sequence, a surrogate, é.
    let input = "41 C0 AF E2 82 ED A0 80 C3 A9";
    let fffd = |number: usize| "EF BF BD ".repeat(number);
    for (policy, stands) in [
        ("replace", fffd(2 + 1 + 3)),
        ("replace-byte", fffd(2 + 2 + 3)),
        ("ignore", String::new()),
        ("fallback=windows-1252", "C3 80 C2 AF C3 A2 E2 80 9A C3 AD C2 A0 E2 82 AC".to_owned()),
        ("optu", "EE BF 80 EE BE AF EE BF A2 EE BE 82 EE BF AD EE BE A0 EE BE 80".to_owned()),
    ] {
        check(&["--on-error", policy], input, &format!("41 {stands} C3 A9"));
    }
    check(&[], input, &format!("41 {} C3 A9", fffd(6)));
    let out = run(&["repair", "--on-error", "backslashreplace"]).write_stdin(unhex(input)).assert();
    out.code(0).stdout(r"A\xc0\xaf\xe2\x82\xed\xa0\x80é");
}

/// Bytes that the policy replaced are counted in one line, with the likely reason, whether the
/// input is a file or a stream.
#[test]
fn a_loss_is_reported_once() {
    let old = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.";
    let old = utf8::encode(Encoding::for_label("cp1251").unwrap(), old, Policy::Strict).unwrap();
    let mixed = [&"größer und schöner, ".repeat(9).into_bytes()[..], b"\xFCber"].concat();
    let dir = Dir::of(&[("old.txt", &old), ("mixed", &mixed), ("good", "größer".as_bytes())]);
    let foreign = "looks like windows-1251 (utf8 decode -f windows-1251 old.txt)";
    let stray = "some of it looks like windows-1252 (--fallback windows-1252)";
    let all = format!("64 of 80 bytes replaced; {foreign}");
    let one = format!("1 of 211 bytes left out; {stray}");
    let read = format!("64 of 80 bytes read as iso-8859-1; {foreign}");
    let ignore = ["--on-error", "ignore"];
    for (args, file, said) in [
        (&[][..], "old.txt", &*all),
        (&["--skip", "0x10"], "old.txt", &format!("52 of 64 bytes replaced; {foreign}")),
        (&["--fallback", "latin1"], "old.txt", &read),
        // It is what the text looks like.
        (&["--fallback", "windows-1251"], "old.txt", "64 of 80 bytes read as windows-1251"),
        (&ignore, "mixed", &one),
        (&["--stats", "-q"][..1], "good", ""),
        (&["--explain"], "old.txt", foreign),
        (&["-v"], "mixed", stray),
        (&["--fallback", "cp1252"], "mixed", "1 of 211 bytes read as windows-1252"),
        (&[], "good", ""),
        (&["--format", "json"], "old.txt", ""),
        (&["-q"], "old.txt", ""),
    ] {
        for is_stream in [false, true] {
            let mut command = run(&["repair"]);
            command.current_dir(dir.path("")).args(args);
            match is_stream {
                true => command.write_stdin(fs::read(dir.path(file)).unwrap()),
                false => command.arg(file),
            };
            let out = command.assert().code(0);
            let err = String::from_utf8(out.get_output().stderr.clone()).unwrap();
            let name = if is_stream { "-" } else { file };
            // A code page loses nothing.
            let prefix = if args.contains(&"--fallback") { "" } else { "utf8: " };
            let found = err.lines().last().filter(|line| line.contains(prefix));
            // Standard input has no name.
            let said = if is_stream { said.replace(" old.txt)", ")") } else { said.to_owned() };
            let expected = format!("{prefix}{name}: {said}");
            let expected = Some(&*expected).filter(|_| !said.is_empty());
            assert_eq!(found, expected, "{args:?} {file}");
        }
    }
    let out = run(&["repair"]).current_dir(dir.path("")).args(["mixed", "old.txt"]).assert();
    let one = one.replace("left out", "replaced");
    out.stderr(format!("utf8: mixed: {one}\nutf8: old.txt: {all}\n"));
}

#[test]
fn overlong_forms_and_surrogates_are_read_on_request() {
    let shorten = &["--shorten-overlong"][..];
    let join = &["--join-surrogates"][..];
    for (args, input, output) in [
        (shorten, "C0 AF C0 80 C1 BF", "2F 00 7F"),
        (shorten, "E0 82 A9 F0 82 82 AC", "C2 A9 E2 82 AC"),
        (shorten, "F8 80 82 82 AC FC 80 80 82 82 AC", "E2 82 AC E2 82 AC"),
        // Incomplete: an issue like others.
        (shorten, "E0 82 41", "EF BF BD EF BF BD 41"),
        // A surrogate in four bytes becomes one in three; a value above the limit stays.
        (shorten, "F0 8D A0 80", "EF BF BD EF BF BD EF BF BD"),
        (shorten, "F8 84 90 80 80", "EF BF BD EF BF BD EF BF BD EF BF BD"),
        (shorten, "ED A0 BD ED B8 80", &"EF BF BD ".repeat(6)),
        (join, "41 ED A0 BD ED B8 80 42", "41 F0 9F 98 80 42"),
        (join, "ED AF BF ED BF BF ED A0 80", "F4 8F BF BF EF BF BD EF BF BD EF BF BD"),
        (join, "C0 AF", "EF BF BD EF BF BD"),
        (&["-f", "mutf-8", "--shorten-overlong"], "E0 80 80 C0 80", "C0 80 C0 80"),
        (
            &["-f", "wtf-8", "--join-surrogates"],
            "ED A0 BD ED B8 80 ED A0 80",
            "F0 9F 98 80 ED A0 80",
        ),
    ] {
        check(args, input, output);
    }
}

#[test]
fn other_codecs_are_repaired_in_their_own_terms() {
    for (codec, input, output) in [
        (
            "cesu-8",
            "ED A0 BD ED B8 80 F0 9F 98 80",
            "ED A0 BD ED B8 80 EF BF BD EF BF BD EF BF BD EF BF BD",
        ),
        ("utf-16le", "41 00 00 DC 42 00", "41 00 FD FF 42 00"),
        ("utf-16be", "00 41 DC 00 00 42", "00 41 FF FD 00 42"),
        ("utf-16", "FF FE 41 00 00 DC 42 00", "FF FE 41 00 FD FF 42 00"),
        ("utf-32be", "00 00 00 41 00 11 00 00", "00 00 00 41 00 00 FF FD"),
        // An encoding without U+FFFD.
        ("us-ascii", "41 E9 42", "41 3F 42"),
        ("shift_jis", "82 A0 FF 82 A2", "82 A0 3F 82 A2"),
        (
            "iso-2022-jp",
            "1B 24 42 24 22 FF 24 22 1B 28 42",
            "1B 24 42 24 22 1B 28 42 3F 1B 24 42 24 22 1B 28 42",
        ),
    ] {
        check(&["-f", codec], input, output);
    }
    let out = run(&["repair", "-f", "json", "-e", r"\u12 \u00e9"]).assert();
    out.code(0).stdout(r"\ufffd \u00e9");
}

#[test]
fn a_policy_needs_a_codec_that_holds_what_it_writes() {
    run(&["repair", "--on-error", "surrogateescape", "-e", "a"])
        .assert()
        .code(2)
        .stderr(starts_with("utf8: --on-error surrogateescape: utf-8 cannot hold U+DC80 ("));
    for policy in ["replace", "replace-byte", "fallback=windows-1252"] {
        run(&["repair", "-f", "iso-5428", "--on-error", policy, "-e", "a"])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("iso-5428 has neither U+FFFD nor ? (ignore leaves the bytes out"));
    }
    check(&["-f", "iso-5428", "--on-error", "ignore"], "41 A7 42", "41 42");
    check(&["-f", "wtf-8", "--on-error", "surrogateescape"], "41 FF", "41 ED B3 BF");
    // It joins the high surrogate before it: WTF-8 has no pair of halves.
    check(&["-f", "wtf-8", "--on-error", "surrogateescape"], "ED A0 80 FF", "F0 90 83 BF");
}

/// Without its BOM, little-endian text would be other text. The advice works.
#[test]
fn a_repair_does_not_change_the_byte_order() {
    for (codec, text, input, bare, converted) in [
        ("utf-16", "utf-16le", "FF FE 41 00", "41 00", "00 41"),
        ("ucs-2", "ucs-2le", "FF FE 41 00", "41 00", "00 41"),
        ("utf-32", "utf-32le", "FF FE 00 00 41 00 00 00", "41 00 00 00", "00 00 00 41"),
        // U+FFFE would be read as a BOM: the conversion keeps the BOM before it.
        ("utf-16", "utf-16be", "FE FF FF FE 00 41", "FF FE 00 41", "FE FF FF FE 00 41"),
    ] {
        let big = text.replace("le", "be");
        let read_as = if text == big { text.replace("be", "le") } else { big };
        let said = format!(
            "utf8: -: the text is {text}, but the output would be read as {read_as} (-f {text} \
             writes {text}; utf8 decode -f {codec} -t {codec} --bom remove writes big-endian text)\n"
        );
        for args in [&["--bom", "remove"][..], &["--bom", "remove", "--normalize", "nfc"]] {
            let args = [&["repair", "-f", codec], args].concat();
            let out = run(&args).write_stdin(unhex(input)).assert();
            out.code(2).stdout("").stderr(said.clone());
        }
        check(&["--bom", "remove", "-f", text], input, bare);
        let args = ["decode", "-f", codec, "-t", codec, "--bom", "remove"];
        run(&args).write_stdin(unhex(input)).assert().code(0).stdout(unhex(converted));
    }
    // A BOM that is cut off.
    let args = ["repair", "-f", "utf-16", "--truncate-lines", "1"];
    run(&args).write_stdin(unhex("FF FE 41 00 0A 00")).assert().code(2).stdout("");
    check(&["-f", "utf-16", "--truncate", "1"], "FF FE 41 00 0A 00", "");
}

#[test]
fn joined_texts_have_one_byte_order() {
    let (little, big, bare) = (&b"\xFF\xFEa\0"[..], &b"\xFE\xFF\0b"[..], &b"\0c"[..]);
    let dir = Dir::of(&[("little", little), ("big", big), ("bare", bare), ("empty", b"")]);
    for (args, output) in [
        (&["keep", "little", "little"][..], Some(b"\xFF\xFEa\0\xFF\xFEa\0".to_vec())),
        (&["keep", "empty", "big", "bare"], Some([big, bare].concat())),
        (&["add", "little", "little"], Some(b"\xFF\xFEa\0a\0".to_vec())),
        (&["remove", "big", "bare"], Some(b"\0b\0c".to_vec())),
        (&["keep", "little", "big"], None),
        (&["keep", "little", "bare"], None),
        (&["keep", "big", "little"], None),
        (&["add", "big", "little"], None),
        (&["remove", "bare", "little"], None),
    ] {
        let mut command = run(&["repair", "-f", "utf-16", "--bom", args[0]]);
        let out = command.current_dir(dir.path(".")).args(&args[1..]).assert();
        match output {
            Some(output) => drop(out.code(0).stdout(output).stderr("")),
            None => {
                drop(out.code(2).stderr(ends_with(
                    " (utf8 decode -f utf-16 -t utf-16 writes one byte order)\n",
                )))
            }
        }
    }
}

#[test]
fn byte_order_marks() {
    for (bom, input, output) in [
        ("keep", "EF BB BF 41", "EF BB BF 41"),
        ("keep", "41", "41"),
        ("remove", "EF BB BF EF BB BF 41", "EF BB BF 41"),
        ("remove", "41 EF BB BF", "41 EF BB BF"),
        ("add", "EF BB BF 41", "EF BB BF 41"),
        ("add", "41", "EF BB BF 41"),
        ("add", "FF 41", "EF BB BF EF BF BD 41"),
        ("add", "", "EF BB BF"),
    ] {
        check(&["--bom", bom], input, output);
    }
    for (args, input, output) in [
        (&[][..], "EF BB BF 41 EF BB BF EF BB BF 42 EF BB BF", "41 42"),
        (&["--shorten-overlong"], "41 F0 8F BB BF 42", "41 42"),
        (&["-s", "3"], "41 42 43 EF BB BF 44", "44"),
        (&["-f", "utf-16be"], "FE FF 00 41 FE FF 00 42", "00 41 00 42"),
        (&["-f", "utf-7"], "2B 2F 76 38 2D 41 2B 2F 76 38 2D 42", "41 42"),
        (&["-f", "gb18030"], "41 84 31 95 33 42", "41 42"),
        (&["-f", "koi8-r"], "41 C1", "41 C1"),
    ] {
        check(&[args, &["--bom", "remove-all"]].concat(), input, output);
    }
    let joined = ["repair", "--bom", "remove-all", "-e", "\u{FEFF}a", "-e", "\u{FEFF}b\u{FEFF}"];
    run(&joined).assert().code(0).stdout("ab");
    check(&["--bom", "add", "-f", "utf-16le"], "41 00", "FF FE 41 00");
    check(&["--bom", "remove", "-f", "utf-16"], "FE FF 00 41", "00 41");
    // A writer of SCSU looks ahead (Unicode Technical Standard 6).
    let dir = Dir::of(&[("f", b"caf\xE9")]);
    dir.run("repair").args(["-i", "-f", "scsu", "--bom", "add", "f"]).assert().code(0);
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"\x0E\xFE\xFFcaf\xE9");
    run(&["repair", "--bom", "add", "-f", "koi8-r", "-e", "a"]).assert().code(2);
    // Several inputs make one output.
    let out = run(&["repair", "--bom", "add", "-e", "a", "-e", "\u{FEFF}b"]).assert();
    out.code(0).stdout("\u{FEFF}ab");
    // An input that cannot be opened is not counted; an empty one is.
    let out = run(&["repair", "--bom", "add", "missing", "-"]).write_stdin("a").assert();
    out.code(2).stdout("\u{FEFF}a");
    run(&["repair", "--bom", "add", "-e", "", "-e", "a"]).assert().code(0).stdout("\u{FEFF}a");
}

#[test]
fn messages_follow_output() {
    let args = ["repair", "--stats", "--explain", "-s", "1", "-e", "\u{2A}a\u{2A}", "-e", ""];
    let mut program = raw();
    program.args(args);
    let out = shell_of("exec \"$@\" 2>&1", &program).output().unwrap();
    assert_eq!(
        String::from_utf8(out.stdout).unwrap(),
        "a*-e: kept no multi-byte UTF-8 sequence, 0 bytes replaced\n\
         -e: 2 bytes, 2 after 0 changes\n\
         -e: ends before offset 1\n\
         -e: kept no multi-byte UTF-8 sequence, 0 bytes replaced\n\
         -e: 0 bytes, 0 after 0 changes\n"
    );
}

#[test]
fn a_strict_repair_ends_at_the_first_fault() {
    let out = run(&["repair", "--on-error", "strict"]).write_stdin(unhex("41 C0 AF FF")).assert();
    out.code(1).stdout("A").stderr(
        starts_with("utf8: -: byte 1: overlong 2-byte form C0 AF of U+002F [overlong-2] (")
            .and(contains("--on-error")),
    );
    let args = ["repair", "--on-error", "strict", "--shorten-overlong"];
    run(&args).write_stdin(unhex("C0 AF")).assert().code(0).stdout("/");
}

#[test]
fn line_ends_normalization_and_truncation_come_last() {
    let mixed = "61 0D 0A 62 0D 63 0A 0D 0D 0A 0D";
    check(&["--newlines", "lf"], mixed, "61 0A 62 0D 63 0A 0A 0D");
    check(&["--newlines", "crlf"], mixed, "61 0D 0A 62 0D 63 0D 0A 0D 0A 0D");
    check(&["--newlines", "lf-all"], mixed, "61 0A 62 0A 63 0A 0A 0A 0A");
    check(&["--newlines", "crlf-all"], mixed, "61 0D 0A 62 0D 0A 63 0D 0A 0D 0A 0D 0A 0D 0A");
    check(&["--net-unicode"], "61 0D 62 0A", "61 0D 0A 62 0D 0A");
    // The line feed was overlong; the text between the two is omitted.
    check(&["--newlines", "lf", "--shorten-overlong"], "61 0D C0 8A 62", "61 0A 62");
    check(&["--newlines", "lf", "--on-error", "ignore"], "61 0D FF 0A 62", "61 0A 62");
    check(&["--newlines", "lf", "-f", "utf-16le"], "0D 00 0A 00 0D 0A", "0A 00 0D 0A");
    check(&["--newlines", "lf", "-f", "ibm037"], "C1 0D 25 C1", "C1 25 C1");
    check(&["--normalize", "nfc"], "65 CC 81", "C3 A9");
    check(&["--normalize", "nfd"], "C3 A9", "65 CC 81");
    check(&["--normalize", "nfkc"], "EF AC 81", "66 69");
    check(&["--normalize", "nfkd"], "EF AC 81 C3 A9", "66 69 65 CC 81");
    // An e, an issue that is dropped, and the accent.
    check(&["--normalize", "nfc", "--on-error", "ignore"], "65 FF CC 81", "C3 A9");
    check(&["--net-unicode"], "EF BB BF 65 CC 81 0A", "C3 A9 0D 0A");
    check(&["--truncate", "4"], "61 E2 82 AC 62", "61 E2 82 AC");
    check(&["--truncate", "3"], "61 E2 82 AC 62", "61");
    check(&["--truncate", "3", "-f", "utf-16be"], "00 61 00 62", "00 61");
    check(&["--truncate-lines", "1"], "61 62 0D 0A 0A C3 A9 0A 63", "61 0D 0A 0A 0A 63");
    run(&["repair", "--truncate", "3", "-f", "utf-7", "-e", "a"]).assert().code(2);
    run(&["repair", "--net-unicode", "--newlines", "lf", "-e", "a"]).assert().code(2);
}

/// A high surrogate, which waits for a low one, does not belong to the change after it.
#[test]
fn a_change_leaves_out_a_character_that_the_writer_holds_back() {
    for (policy, new_hex) in [("replace", "EF BF BD"), ("ignore", "")] {
        let args = ["repair", "-f", "wtf-8", "--on-error", policy, "--format", "json"];
        let out = run(&args).args(["--check", "-xe", "41 ED A9 84 B2 42"]).assert().code(1);
        let told = objects(&out.get_output().stdout);
        let change = ["offset", "hex", "new_offset", "new_hex"].map(|key| told[0][key].clone());
        assert_eq!(serde_json::json!(change), serde_json::json!([4, "B2", 4, new_hex]), "{policy}");
    }
}

#[test]
fn each_change_is_reported() {
    let args = ["repair", "--shorten-overlong", "--newlines", "lf-all"];
    let input = unhex("61 C0 AF 0D 0A FF 0D");
    let out = run(&args).args(["-v", "--stats"]).write_stdin(input.clone()).assert().code(0);
    out.stdout("a/\n\u{FFFD}\n").stderr(lines(&[
        "-: byte 1: C0 AF -> 2F [shorten-overlong]",
        "-: byte 3 (now 2): 0D 0A -> 0A [newlines]",
        "-: byte 5 (now 3): FF -> EF BF BD [on-error]",
        "-: byte 6: 0D -> 0A [newlines]",
        "-: 7 bytes, 7 after 4 changes: 1 shorten-overlong, 1 on-error, 2 newlines",
    ]));
    let check = [&args[..], &["--check", "--format", "json"]].concat();
    let out = run(&check).write_stdin(input.clone()).assert().code(1).stderr("");
    let told = objects(&out.get_output().stdout);
    assert_eq!(told.len(), 5);
    assert_eq!(
        told[2],
        serde_json::json!({
            "type": "change", "path": "-", "offset": 5, "length": 1, "hex": "FF",
            "new_offset": 3, "new_length": 3, "new_hex": "EF BF BD", "reasons": ["on-error"],
        })
    );
    assert_eq!(
        told[4],
        serde_json::json!({
            "type": "summary", "path": "-", "codec": "utf-8", "size": 7, "new_size": 7,
            "changes": 4, "repaired": true,
            "by_reason": {"shorten-overlong": 1, "on-error": 1, "newlines": 2},
        })
    );
    let json = [&args[..], &["--format", "json"]].concat();
    let out = run(&json).write_stdin(input).assert().code(0);
    assert_eq!(objects(&out.get_output().stderr), told);
}

/// `&not` is read as `¬`, with or without a semicolon.
#[test]
fn a_character_that_is_escaped_to_keep_it_apart_is_counted() {
    let args = ["repair", "-f", "html", "--on-error", "ignore", "-v", "--stats"];
    let out = run(&args).write_stdin(unhex("26 6E 6F FF 74")).assert().code(0);
    out.stdout("&no&#x74;").stderr(lines(&[
        "-: byte 3: FF -> nothing [on-error]",
        "-: byte 4 (now 3): 74 -> 26 23 78 37 34 3B [keep-apart]",
        "-: 5 bytes, 9 after 2 changes: 1 on-error, 1 keep-apart",
    ]));
}

#[test]
fn messages_name_options_that_repair_the_fault() {
    for (input, cure) in [
        ("C0 AF", "(--shorten-overlong repairs it; if it is UTF-8: --on-error"),
        ("ED A0 BD ED B8 80", "(--join-surrogates repairs it; if it is UTF-8: --on-error"),
        ("FF", "[invalid-fe-ff] (if it is UTF-8: --on-error replace, ignore or backslashreplace "),
    ] {
        let strict = ["repair", "--on-error", "strict", "-xe", input];
        run(&strict).assert().code(1).stderr(contains(cure));
    }
}

#[test]
fn a_code_page_is_not_taken_for_a_file() {
    let out = run(&["repair", "--undo-mojibake", "cp1251", "missing"]).assert().code(2);
    out.stderr(
        "utf8: --undo-mojibake cp1251: expected = before the code page (--undo-mojibake=cp1251)\n",
    );
}

#[test]
fn a_code_page_is_suggested_only_if_the_file_suggests_it() {
    let dir = Dir::of(&[
        ("mixed", "Grüße, Maß, Füße, ".as_bytes()),
        ("old.txt", b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!\n"),
    ]);
    dir.write("mixed", [fs::read(dir.path("mixed")).unwrap(), b"caf\xE9\n".to_vec()].concat());
    for (file, said) in [
        ("mixed", "; unchanged (see utf8 detect --format long mixed, or --fallback windows-1252)"),
        (
            "old.txt",
            "; unchanged (looks like windows-1251: utf8 decode -f windows-1251 -i old.txt converts it)",
        ),
    ] {
        let mut command = run(&["repair", "-i", file]);
        command.current_dir(dir.path("")).assert().code(1).stderr(contains(said));
    }
    let named = run(&["repair", "--on-error", "strict", "-f", "utf-8", "-xe", "FF"]).assert();
    named.code(1).stderr(contains("(--on-error replace, ignore or backslashreplace continues)"));
}

#[test]
fn utf_16_is_not_called_binary() {
    let wide: Vec<u8> = "A text.\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::of(&[("wide.txt", &wide)]);
    let mut command = run(&["repair", "-i", "wide.txt"]);
    command.current_dir(dir.path("")).assert().code(1).stderr(
        "utf8: wide.txt: is utf-16le: skipped (utf8 decode -f utf-16le -i wide.txt converts it to UTF-8)\n",
    );
}

/// Nothing asks for U+FFFD where other repairs are named: a file in another encoding is left, as in
/// place.
#[test]
fn other_repairs_leave_text_in_another_encoding() {
    let old = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.";
    let old = utf8::encode(Encoding::for_label("cp1251").unwrap(), old, Policy::Strict).unwrap();
    let wide: Vec<u8> = "\u{FEFF}a,b\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = Dir::of(&[("old", &old[..]), ("wide", &wide), ("few", b"much text, and \xFF\n")]);
    let repair = |args: &[&str]| {
        let mut command = run(&["repair"]);
        command.args(args).current_dir(dir.path(""));
        command
    };
    for (file, said) in
        [("old", "looks like windows-1251: skipped"), ("wide", "is utf-16: skipped")]
    {
        let said = contains(format!("utf8: {file}: {said} (utf8 decode -f "));
        let repairs: [&[&str]; 6] = [
            &["--newlines=lf"],
            &["--bom=remove"],
            &["--normalize=nfc"],
            &["--shorten-overlong"],
            &["--newlines=lf", "--check"],
            &["--newlines=lf", "-o", "new"],
        ];
        for args in repairs {
            let args = [args, &[file]].concat();
            repair(&args).assert().code(1).stdout("").stderr(said.clone());
        }
        // A stream is read once.
        let bytes = fs::read(dir.path(file)).unwrap();
        let out = repair(&["--newlines=lf", "-o", "new"]).write_stdin(bytes.clone()).assert();
        out.code(1)
            .stderr(ends_with("\nutf8: -: new is not written (-f utf-8 repairs it anyway)\n"));
        assert!(!dir.path("new").exists());
        let lost = contains("bytes replaced; looks like ");
        repair(&["--newlines=lf"]).write_stdin(bytes).assert().code(1).stderr(lost);
        for named in
            [&["--on-error=replace", "--newlines=lf"][..], &["-futf-8", "--newlines=lf"], &[]]
        {
            repair(&[named, &[file]].concat()).assert().code(0).stderr(contains("bytes replaced"));
        }
    }
    let few = "utf8: few: 1 of 17 bytes replaced\n";
    repair(&["--newlines=lf", "few"]).assert().code(0).stderr(few);
}

#[test]
fn capital_letters_in_values_are_understood() {
    let args = ["--on-error", "REPLACE", "--newlines", "LF", "--normalize", "NFC", "--bom", "Keep"];
    run(&["repair", "-e", "a\r\n"]).args(args).assert().code(0).stdout("a\n").stderr("");
    let page = ["repair", "--on-error", "Fallback=CP1252", "-xe", "E9"];
    run(&page).assert().code(0).stdout("é");
}

#[test]
fn an_unknown_policy_has_a_suggestion() {
    let out = run(&["repair", "--on-error", "replac", "-e", "a"]).assert().code(2);
    out.stderr(contains("unknown policy; did you mean replace?"));
}

#[test]
fn text_without_its_normalization_form_in_the_encoding_is_named() {
    // é and ü are one byte in Latin-1, which has no combining marks.
    let dir = Dir::of(&[("f", b"caf\xE9 \xFC\n"), ("ascii", b"cafe\n")]);
    let latin1 = ["-f", "latin1", "--normalize"];
    let said = |form: &str| {
        format!(
            "f: byte 3 and 1 place later: kept, because iso-8859-1 cannot hold it in {form} (utf8 \
             decode -f iso-8859-1 f writes UTF-8, which can)\n"
        )
    };
    for (form, name) in [("nfd", "NFD"), ("nfkd", "NFKD")] {
        let args = [&latin1[..], &[form, "ascii", "f"]].concat();
        let out = dir.run("repair").args(&args).assert().code(0).stderr(said(name));
        out.stdout(&b"cafe\ncaf\xE9 \xFC\n"[..]);
        for how in ["-i", "--check"] {
            dir.run("repair").args(&args).arg(how).assert().code(0).stderr(said(name)).stdout("");
        }
        dir.run("repair").args(&args).arg("-q").assert().code(0).stderr("");
    }
    let json = ["nfd", "-i", "--format=json", "f"];
    let json = dir.run("repair").args(latin1).args(json).assert().code(0).stderr("");
    json.stdout(contains(r#""unnormalized":{"number":2,"first":3}"#));
    // A code page with combining marks holds both forms; Latin-1 holds composed characters.
    dir.write("marks", b"e\xEC\n");
    let marks = ["-f", "windows-1258", "--normalize", "nfd", "marks"];
    dir.run("repair").args(marks).assert().code(0).stderr("");
    dir.run("repair").args(latin1).args(["nfc", "f"]).assert().code(0).stderr("");
    // The letter of a combining mark and a letter that windows-1258 lacks.
    let lacks = ["-f", "windows-1258", "--normalize", "nfc", "-xe", "E2 F2"];
    let out = dir.run("repair").args(lacks).assert().code(0).stdout(&b"\xE2\xF2"[..]);
    out.stderr(starts_with("-e: byte 0: kept, because windows-1258 cannot hold it in NFC "));
}

/// NUL makes text binary for other programs.
#[test]
fn nul_of_overlong_forms_is_told() {
    let dir = Dir::of(&[("f", b"v\xC0\x80w\xC0\x80\xC1\xA1")]);
    let shorten = ["--shorten-overlong", "f"];
    let out = dir.run("repair").args(shorten).assert().code(0).stdout("v\0w\0a");
    out.stderr(
        "f: 2 overlong forms of U+0000 became NUL, the first at byte 1: many programs take such \
         text for binary (utf8 repair -f mutf-8 --shorten-overlong f keeps C0 80)\n",
    );
    let kept = dir.run("repair").args(["-f", "mutf-8"]).args(shorten).assert().code(0).stderr("");
    kept.stdout(&b"v\xC0\x80w\xC0\x80a"[..]);
    let json = dir.run("repair").args(shorten).args(["--format=json", "--check"]).assert().code(1);
    json.stdout(contains(r#""nuls":{"number":2,"first":1}"#)).stderr("");
}
