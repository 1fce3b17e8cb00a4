//! `utf8 decode` and `utf8 encode`: output, messages and exit statuses.

use crate::common::bin::Piped;
use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::common::bin::{Dir, raw, run, shell_of, skipped};
use crate::common::inputs::{MIXTURES, Rng, dirty};
use crate::common::unhex;

/// The end of a message about an issue that `--on-error` could treat.
const LACKING: &str =
    "(--on-error replace, transliterate, ignore, backslashreplace or escape=html continues)\n";

/// The end of a message about an ill-formed sequence, with `--from` or without.
fn ill_formed(from: Option<&str>) -> String {
    match from {
        Some(from) => {
            format!("(--on-error replace continues; utf8 validate -f {from} lists all)\n")
        }
        None => "(if it is not utf-8, name its encoding: --from CODEC, or --from auto; \
                 --on-error replace continues; utf8 validate lists all)\n"
            .to_owned(),
    }
}

#[test]
fn the_unnamed_side_is_utf8() {
    for (args, input, output) in [
        (&["decode", "-f", "windows-1251"][..], "CF F0 E8", "D0 9F D1 80 D0 B8"),
        (&["encode", "-f", "windows-1251"], "CF F0 E8", "D0 9F D1 80 D0 B8"),
        (&["decode", "-t", "utf-16le"], "E2 82 AC", "AC 20"),
        (&["encode", "-t", "utf-16le"], "E2 82 AC", "AC 20"),
        (&["decode", "-f", "utf-16be", "-t", "latin1"], "00 41 00 E9", "41 E9"),
        (&["encode", "-f", "utf-16be", "-t", "latin1"], "00 41 00 E9", "41 E9"),
        (&["decode", "-f", "utf-8", "-t", "utf-8"], "E2 82 AC", "E2 82 AC"),
        (&["encode", "--from", "CESU_8"], "ED A0 BD ED B8 80", "F0 9F 98 80"),
    ] {
        let out = run(args).write_stdin(unhex(input)).assert().code(0).stderr("");
        out.stdout(unhex(output));
    }
}

#[test]
fn text_before_the_first_fault_is_written() {
    for (args, input, output, message) in [
        (
            &["decode", "-t", "utf-16be"][..],
            "41 C0 AF 42",
            "00 41",
            "byte 1: overlong 2-byte form C0 AF of U+002F [overlong-2] ",
        ),
        (
            &["decode", "-f", "utf-16le"],
            "41 00 00 D8 42 00",
            "41",
            "byte 2: high surrogate 00 D8, that is U+D800 [surrogate-high] ",
        ),
        (
            &["encode", "-t", "utf-8"],
            "C3 A9 E2 82",
            "C3 A9",
            "byte 2: truncated 3-byte sequence E2 82: expected 80..BF, found the end of input [truncated-end] ",
        ),
    ] {
        let from = args.iter().position(|arg| *arg == "-f").map(|at| args[at + 1]);
        let said = format!("utf8: -: {message}{}", ill_formed(from));
        let out = run(args).write_stdin(unhex(input)).assert().code(1);
        out.stdout(unhex(output)).stderr(said);
    }
}

#[test]
fn unencodable_characters_are_reported_with_source_offsets() {
    for (from, to, input, output, message) in [
        ("utf-8", "latin1", "C3 A9 E2 82 AC 41", "E9", "2: iso-8859-1 cannot hold U+20AC"),
        ("utf-8", "ucs-2le", "41 F4 8F BF BF", "41 00", "1: ucs-2le cannot hold U+10FFFF"),
        ("rfc2279", "utf-8", "41 FD BF BF BF BF BF", "41", "1: utf-8 cannot hold U+7FFFFFFF"),
        ("wtf-8", "utf-8", "41 ED A0 80", "41", "1: utf-8 cannot hold U+D800"),
        ("wtf-16le", "utf-8", "41 00 00 DC", "41", "2: utf-8 cannot hold U+DC00"),
        (
            "ucs-4be",
            "utf-16be",
            "00 00 00 41 7F FF FF FF",
            "00 41",
            "4: utf-16be cannot hold U+7FFFFFFF",
        ),
        ("utf-16", "us-ascii", "FE FF 00 41 00 E9", "41", "4: us-ascii cannot hold U+00E9"),
        ("shift_jis", "latin1", "41 82 A0 42", "41", "1: iso-8859-1 cannot hold U+3042"),
        // Two code points from one sequence: the second is at the same place.
        ("big5", "iso-8859-1", "41 88 62", "41 CA", "1: iso-8859-1 cannot hold U+0304"),
        ("ebcdic-cp-us", "us-ascii", "C1 4A", "41", "1: us-ascii cannot hold U+00A2"),
    ] {
        let composes = "(utf8 repair --normalize nfc may compose it; ";
        let advice = match message.ends_with("U+0304") {
            true => LACKING.replacen('(', composes, 1),
            false => LACKING.to_owned(),
        };
        let said = format!("utf8: -: byte {message} [unencodable] {advice}");
        let out = run(&["encode", "-f", from, "-t", to]).write_stdin(unhex(input)).assert().code(1);
        out.stdout(unhex(output)).stderr(said);
    }
}

#[test]
fn a_byte_order_mark_that_the_target_lacks_has_its_own_hint() {
    let out = run(&["encode", "-t", "latin1"]).write_stdin("\u{FEFF}a").assert().code(1).stdout("");
    out.stderr(
        "utf8: -: byte 0: iso-8859-1 cannot hold U+FEFF [unencodable] (--bom remove omits it)\n",
    );
}

#[test]
fn policies_that_cannot_write_anything_are_no_hint() {
    for (target, text, policies) in [
        ("iso-2033", "~", "ignore"),
        ("iso-5428", "~", "ignore"),
        ("us-ascii", "é", "replace, transliterate, ignore, backslashreplace or escape=html"),
    ] {
        let out = run(&["encode", "-t", target, "-e", text]).assert().code(1).stdout("");
        out.stderr(contains(format!("(--on-error {policies} continues)")));
    }
}

/// The line end of code points, too, is written before.
#[test]
fn the_summary_is_behind_the_output() {
    for (args, said) in [
        (&["-e", "\u{E9}"][..], "U+00E9\n-e: 2 bytes\n"),
        (&["-e", "a", "-e", "bc"], " U+0062 U+0063\n-e: 2 bytes\n"),
    ] {
        let mut program = raw();
        program.args(["decode", "-v"]).args(args);
        let out = shell_of("exec \"$@\" 2>&1", &program).output().unwrap();
        assert!(out.stdout.ends_with(said.as_bytes()), "{}", out.stdout.escape_ascii());
    }
}

#[test]
fn several_inputs_are_decoded_separately_and_joined() {
    let dir = Dir::of(&[("a", b"a\xE2"), ("b", b"\x82\xACb"), ("c", b"c"), ("d", b"\xFF\xFEd\0")]);
    let decode = |args: &[&str]| {
        let mut command = run(&["decode", "-f", "utf-8", "-t", "utf-8"]);
        command.current_dir(dir.path("")).args(args).assert()
    };
    let out = decode(&["--on-error", "replace", "a", "b", "c"]).code(0);
    let out = out.stderr("utf8: a: 1 sequence replaced\nutf8: b: 2 sequences replaced\n");
    out.stdout("a\u{FFFD}\u{FFFD}\u{FFFD}bc");
    // The first issue ends the run; nothing after it is written.
    let out = decode(&["c", "a", "c"]).code(1).stdout("ca");
    out.stderr(contains("utf8: a: byte 1: truncated 3-byte sequence E2"));
    // Errors do not end it.
    let out = decode(&["c", "missing", "c"]).code(2).stdout("cc");
    out.stderr("utf8: missing: No such file or directory (check the name)\n");
    // Each input has its own byte order.
    let out = run(&["decode", "-f", "utf-16"]).current_dir(dir.path("")).args(["d", "d"]).assert();
    out.code(0).stdout("dd");
    run(&["decode", "-f", "utf-8", "-t", "utf-16be", "-e", "a", "-e", "b"])
        .assert()
        .stdout("\0a\0b");
}

/// The value of `--bom`, the source, the target, the input, and the output.
const MARKS: &[(Option<&str>, &str, &str, &str, &str)] = &[
    (None, "utf-8", "utf-16le", "EF BB BF 61", "FF FE 61 00"),
    (None, "utf-8", "utf-16", "61", "FE FF 00 61"),
    (None, "utf-8", "utf-16", "EF BB BF 61", "FE FF FE FF 00 61"),
    (None, "utf-8", "utf-32", "", "00 00 FE FF"),
    (None, "utf-8-bom", "utf-8", "EF BB BF 61", "61"),
    (None, "utf-8", "utf-8-bom", "61", "EF BB BF 61"),
    (None, "utf-8n", "utf-8n", "EF BB BF 61", "61"),
    (None, "utf-16", "utf-8", "FF FE 61 00", "61"),
    (None, "utf-16", "utf-8", "00 61", "61"),
    (None, "utf-16le", "utf-8", "FF FE 61 00", "EF BB BF 61"),
    (Some("keep"), "utf-16", "utf-8", "FF FE 61 00", "EF BB BF 61"),
    (Some("keep"), "utf-16", "utf-8", "00 61", "61"),
    (Some("keep"), "utf-8", "utf-16", "EF BB BF 61", "FE FF 00 61"),
    (Some("keep"), "utf-8", "utf-16", "61", "00 61"),
    (Some("keep"), "utf-8", "utf-8", "61 EF BB BF", "61 EF BB BF"),
    (Some("remove"), "utf-8", "utf-16", "EF BB BF 61", "00 61"),
    (Some("remove"), "utf-8", "utf-8", "EF BB BF EF BB BF 61", "EF BB BF 61"),
    (Some("remove"), "utf-8", "latin1", "EF BB BF 61", "61"),
    (Some("add"), "utf-8", "utf-8", "61", "EF BB BF 61"),
    (Some("add"), "utf-8", "utf-8", "EF BB BF 61", "EF BB BF 61"),
    (Some("add"), "utf-8", "utf-16le", "", "FF FE"),
    (Some("add"), "utf-16", "utf-16", "FF FE 61 00", "FE FF 00 61"),
    (Some("add"), "utf-8", "gb18030", "61", "84 31 95 33 61"),
];

#[test]
fn the_bom_follows_the_codec_or_the_option() {
    for &(bom, from, to, input, output) in MARKS {
        // Without the note about a second mark.
        let mut command = run(&["encode", "-q", "-f", from, "-t", to]);
        if let Some(bom) = bom {
            command.args(["--bom", bom]);
        }
        let out = command.write_stdin(unhex(input)).assert().code(0).stderr("");
        assert_eq!(out.get_output().stdout, unhex(output), "{bom:?} {from} {to} {input}");
    }
}

#[test]
fn several_inputs_carry_one_byte_order_mark() {
    let dir =
        Dir::of(&[("empty", b""), ("a", b"\xEF\xBB\xBFa"), ("b", b"\xEF\xBB\xBFb"), ("c", b"c")]);
    for (args, output) in [
        (&["a", "b"][..], "\u{FEFF}a\u{FEFF}b"),
        (&["--bom", "keep", "a", "b"], "\u{FEFF}ab"),
        (&["--bom", "keep", "empty", "b", "a"], "\u{FEFF}ba"),
        (&["--bom", "keep", "c", "a"], "ca"),
        (&["--bom", "remove", "a", "b"], "ab"),
        (&["--bom", "add", "c", "b"], "\u{FEFF}cb"),
        (&["-t", "utf-8-bom", "c", "c"], "\u{FEFF}cc"),
    ] {
        let mut command = run(&["decode", "-f", "utf-8"]);
        command.current_dir(dir.path("")).args(args).assert().code(0).stdout(output);
    }
}

/// The noncharacter U+FFFE at the start of a text would be read as a byte order mark of the other order.
#[test]
fn a_swapped_mark_is_text_after_a_mark() {
    let dir = Dir::of(&[
        ("f", "\u{FFFE}a".as_bytes()),
        ("a", b"a"),
        ("ignored", "\u{1F600}\u{FFFE}a".as_bytes()),
        ("signed", "\u{FEFF}\u{FFFE}a".as_bytes()),
    ]);
    for (args, output) in [
        (&["-t", "ucs-2", "f"][..], "FE FF FF FE 00 61"),
        (&["-t", "ucs-2", "a", "f"], "00 61 FF FE 00 61"),
        (&["-t", "ucs-2be", "f"], "FF FE 00 61"),
        (&["-t", "ucs-2", "--on-error", "ignore", "ignored"], "FE FF FF FE 00 61"),
        (&["-t", "ucs-2", "signed"], "FE FF FF FE 00 61"),
        (&["-t", "ucs-2", "--bom", "remove", "signed"], "FE FF FF FE 00 61"),
        (&["-t", "utf-16", "--bom", "remove", "f"], "FE FF FF FE 00 61"),
        (&["-t", "utf-16be", "--bom", "remove", "f"], "FF FE 00 61"),
        (&["-t", "utf-32", "--bom", "remove", "f"], "00 00 FF FE 00 00 00 61"),
    ] {
        let mut command = run(&["decode", "-f", "utf-8"]);
        let out = command.current_dir(dir.path("")).args(args).assert().code(0);
        out.stdout(unhex(output));
    }
}

#[test]
fn a_mark_cannot_be_added_where_there_is_none() {
    let out = run(&["encode", "-t", "koi8-r", "--bom", "add", "-e", "a"]).assert().code(2);
    out.stdout("").stderr("utf8: --bom add: koi8-r has no byte order mark\n");
    let out = run(&["encode", "-t", "koi8-r", "--bom", "keep"]).write_stdin("\u{FEFF}a").assert();
    out.code(1).stdout("").stderr(contains("byte 0: koi8-r cannot hold U+FEFF [unencodable]"));
}

#[test]
fn hex_is_read_as_its_bytes() {
    run(&["decode", "-t", "utf-8", "-xe", "E2 82 AC"]).assert().code(0).stdout("€");
    let out = run(&["decode", "-t", "utf-8", "-xe", "E2 8Z"]).assert().code(2);
    out.stderr(contains("unexpected \"Z\" at byte 4 of the hex text"));
}

#[test]
fn complete_text_is_written_while_the_input_pauses() {
    let mut run = Piped::new(raw().args(["decode", "-f", "utf-16le", "-t", "utf-8"]));
    let mut expect = |input: &[u8], text: &str| {
        run.write(input);
        let mut got = vec![0; text.len()];
        run.stdout.read_exact(&mut got).unwrap();
        assert_eq!(String::from_utf8(got).unwrap(), text);
    };
    expect(b"a\0b", "a");
    expect(b"\0\x3D", "b");
    expect(b"\xD8\x00\xDEc\0", "😀c");
    assert_eq!(run.end(), (Some(0), String::new(), String::new()));
}

#[test]
fn a_large_file_is_the_same_however_it_is_read() {
    let mut rng = Rng::new(41);
    let dir = Dir::new();
    let text: Vec<u8> = (0..40).flat_map(|_| dirty(&mut rng, 40_000, MIXTURES[0], 60)).collect();
    dir.write("f", &text);
    let expected: Vec<u8> =
        String::from_utf8_lossy(&text).encode_utf16().flat_map(u16::to_le_bytes).collect();
    for map in ["auto", "always", "never"] {
        let mut command =
            run(&["decode", "-t", "utf-16le", "--on-error", "replace", "--mmap", map]);
        let out = command.current_dir(dir.path("")).arg("f").assert().code(0);
        assert!(out.get_output().stdout == expected, "--mmap {map}");
    }
    let mut command = run(&["decode", "-t", "utf-16le", "--on-error", "replace"]);
    assert!(command.write_stdin(text).assert().code(0).get_output().stdout == expected);
}

#[test]
fn output_that_is_lost_is_trouble() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return skipped("output_that_is_lost_is_trouble", "no /dev/full");
    };
    let out = raw().args(["encode", "-e", "a", "-f", "utf-8"]).stdout(full).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(said, "utf8: standard output: No space left on device (make room and run again)\n");
}

#[test]
fn inputs_are_named_as_in_validate() {
    let dir = Dir::of(&[("a", b"a"), ("b", b"b"), ("list", b"a\nb\n.\n")]);
    let mut command = run(&["decode", "-t", "utf-8", "--files-from", "list"]);
    let out = command.current_dir(dir.path("")).assert().code(0).stdout("ab");
    out.stderr(".: is a directory, skipped\n");
    run(&["decode", "."]).assert().code(2).stderr(contains(".: is a directory (add -i -r "));
    let out = run(&["encode", "-f", "klingon", "-e", "a"]).assert().code(2).stdout("");
    out.stderr(contains("klingon").and(contains("utf8 --list-codecs")));
    run(&["encode", "--list-codecs"]).assert().code(0).stdout(contains("UTF-8 and its relatives"));
}

// Notations

#[test]
fn code_points_are_the_default_notation() {
    run(&["decode", "-e", "é€😀"]).assert().code(0).stdout("U+00E9 U+20AC U+1F600\n");
    run(&["decode"]).write_stdin("a\nb\n").assert().stdout("U+0061 U+000A\nU+0062 U+000A\n");
    run(&["decode"]).write_stdin("").assert().code(0).stdout("");
    // Two inputs are one text.
    run(&["decode", "-e", "a", "-e", "b"]).assert().stdout("U+0061 U+0062\n");
    run(&["encode", "-e", "U+20AC 0x41 \\u{e9} #10"]).assert().code(0).stdout("€Aé\n");
    // Naming one side makes the other UTF-8.
    run(&["decode", "-t", "latin1", "-e", "é"]).assert().stdout(&b"\xE9"[..]);
    run(&["encode", "-t", "code-points", "-e", "é"]).assert().stdout("U+00E9\n");
}

#[test]
fn malformed_escapes_are_reported_with_offsets() {
    for (codec, text, output, message) in [
        ("code-points", "U+41 U+20Z", "A", "byte 5: \"U+20Z\" is not a code point"),
        ("code-points", "U+80000000", "", "byte 0: \"U+80000000\" is not a code point"),
        ("json", "a\\u20Z", "a", "byte 1: \"\\u20\" is not an escape"),
        ("rust", "a\\u{D800}", "a", "byte 1: \"\\u{D800}\" is not an escape"),
        ("html", "a&nope;", "a", "byte 1: \"&nope;\" is not a character reference"),
    ] {
        let out = run(&["encode", "-f", codec, "-e", text]).assert().code(1).stdout(output);
        out.stderr(format!("utf8: -e: {message} [bad-escape] {}", ill_formed(Some(codec))));
    }
    let out = run(&["encode", "-e", "naive"]).assert().code(1).stdout("");
    out.stderr(
        "utf8: -e: byte 0: \"naive\" is not a code point [bad-escape] \
         (type code points as U+20AC; --from utf-8 or --to reads text)\n",
    );
}

#[test]
fn code_points_outside_a_notation_are_unencodable() {
    for (to, input, output, message) in [
        ("rust", "ED A0 80", "", "byte 0: rust cannot hold U+D800"),
        ("json", "ED A0 BD ED B8 80", "\\ud83d", "byte 3: json cannot hold U+DE00"),
        ("c", "41 ED B8 80", "A", "byte 1: c cannot hold U+DE00"),
        ("python", "FD BF BF BF BF BF", "", "byte 0: python cannot hold U+7FFFFFFF"),
        ("html", "00", "", "byte 0: html cannot hold U+0000"),
    ] {
        let mut command = run(&["decode", "-f", "rfc2279", "-t", to]);
        let out = command.write_stdin(unhex(input)).assert().code(1).stdout(output);
        out.stderr(format!("utf8: -: {message} [unencodable] {LACKING}"));
    }
}

#[test]
fn decode_and_encode_undo_each_other() {
    let text = "a\"'\\&<%U+?? ??/\t\r\n\u{7F}\u{80}é€\u{FEFF}\u{202E}日本\u{1F600}\u{10FFFF}";
    for notation in ["code-points", "rust", "json", "c", "python", "html", "percent"] {
        for escapes in [&[][..], &["--all"], &["--minimal"]] {
            let args = [&["decode", "-f", "utf-8", "-t", notation], escapes].concat();
            let spelt = run(&args).write_stdin(text).assert().code(0);
            let spelt = spelt.get_output().stdout.clone();
            let out = run(&["encode", "-f", notation, "-t", "utf-8"]).write_stdin(spelt).assert();
            out.code(0).stdout(text);
        }
    }
    // Lone surrogates and 31 bits, where they can be spelt.
    let odd = unhex("ED A0 80 41 ED B0 80 FD BF BF BF BF BF");
    for (notation, bytes) in [("code-points", &odd[..]), ("json", &odd[..7]), ("python", &odd[..7])]
    {
        let spelt = run(&["decode", "-f", "rfc2279", "-t", notation]).write_stdin(bytes).assert();
        let spelt = spelt.code(0).get_output().stdout.clone();
        let out = run(&["encode", "-f", notation, "-t", "rfc2279"]).write_stdin(spelt).assert();
        out.code(0).stdout(bytes.to_vec());
    }
}

#[test]
fn rfc_2279_joins_separate_surrogates() {
    let input = unhex("00 00 D8 3D 00 00 DE 00 00 00 D8 3D");
    let out = run(&["encode", "-f", "ucs-4", "-t", "rfc2279"]).write_stdin(input).assert().code(0);
    out.stdout(unhex("F0 9F 98 80 ED A0 BD"));
}

#[test]
fn closed_standard_output_exits_2_without_output() {
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "exec \"$0\" \"$@\" decode -e '' >&-"]).arg(raw().get_program());
    command.args(raw().get_args());
    let out = command.output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(said, "utf8: standard output: is closed (open it, or redirect it)\n");
}

#[test]
fn pauses_do_not_split_a_bom() {
    let sources = [("utf-7", ["+/", "v8-a"]), ("code-points", ["\n", "U+FEFF U+0061"])];
    // UTF-16 writes a BOM of its own, UTF-8 none.
    let targets = [("utf-8", "a"), ("utf-16", "\0a")];
    for ((codec, pieces), (target, text)) in
        sources.iter().flat_map(|source| targets.map(|target| (source, target)))
    {
        let mut child = raw()
            .args(["decode", "-f", codec, "-t", target, "--bom", "remove"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for piece in pieces {
            stdin.write_all(piece.as_bytes()).unwrap();
            // Usually two reads; one read gives the same answer.
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
        drop(stdin);
        let out = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(out.stdout).unwrap(), text, "{codec} to {target}");
    }
}

#[test]
fn help_prints_topics() {
    for (topic, text) in [
        ("encodings", "Kinds of ill-formed sequences:"),
        ("reports", "JSON and TSV:"),
        ("lints", "mixed-line-ending"),
        ("config", "[validate]"),
    ] {
        run(&["help", topic]).assert().code(0).stdout(predicates::str::contains(text)).stderr("");
    }
    run(&["help", "nothing"]).assert().code(2);
}

#[test]
fn threads_change_neither_output_nor_messages() {
    let text = "aé日😀 \u{304B}\u{3099} words\n".repeat(60_000);
    let mut faulty = text.clone().into_bytes();
    faulty.splice(1_000_001..1_000_002, *b"\xC0\xAF");
    let dir = Dir::of(&[("clean", text.as_bytes()), ("faulty", &faulty)]);
    let commands: &[&[&str]] = &[
        &["decode", "-t", "utf-16le"],
        &["decode", "-t", "json", "--stats"],
        &["decode", "-t", "euc-jp", "--on-error", "backslashreplace"],
        &["encode", "-f", "utf-8", "-t", "utf-16", "--bom", "add"],
        &["repair", "--normalize", "nfc", "--stats"],
        &["repair", "--on-error", "strict"],
        &["validate", "--deny", "strict"],
        &["validate", "--format", "json", "--stats", "-n", "1500000"],
    ];
    for command in commands {
        for file in ["clean", "faulty"] {
            let run = |threads: &str| {
                let mut run = run(command);
                run.args([threads, file]).current_dir(dir.path("")).output().unwrap()
            };
            let (one, three) = (run("-j1"), run("-j3"));
            assert!(three.stdout == one.stdout, "{command:?} {file}");
            assert_eq!(three.stderr, one.stderr, "{command:?} {file}");
            assert_eq!(three.status, one.status, "{command:?} {file}");
        }
    }
}

#[test]
fn a_range_is_shown_in_a_notation() {
    run(&["decode", "-s", "1", "-n", "2", "-e", "a\u{e9}b"]).assert().code(0).stdout("U+00E9\n");
    let json = ["decode", "-t", "json", "-s", "1", "-n", "2", "-e", "a\u{e9}b"];
    run(&json).assert().code(0).stdout("\\u00e9");
}

#[test]
fn a_range_whose_conversion_depends_on_other_text_is_refused() {
    let reason = "utf8: a text in utf-7 depends on the text before it: leave out --skip";
    for range in [["-s", "1"], ["-n", "1"]] {
        let out = run(&["decode", "-f", "utf-8", "-t", "utf-7", "-e", "abc"]).args(range).assert();
        out.code(2).stdout("").stderr(contains(reason));
    }
    for target in ["big5-hkscs", "euc-jis-2004", "shift_jis-2004"] {
        let args = ["decode", "-f", "utf-8", "-t", target, "-s", "1", "-e", "abc"];
        run(&args).assert().code(2).stdout("").stderr(contains("depends on the text before it"));
    }
    let args = ["decode", "-f", "generalized-utf-8", "-t", "wtf-8", "-s", "1", "-e", "abc"];
    let reason = "utf8: wtf-8 joins surrogates, which may be in two ranges: leave out";
    run(&args).assert().code(2).stdout("").stderr(contains(reason));
}

#[test]
fn two_byte_order_marks_are_not_written_silently() {
    let said = |target| {
        format!(
            "-: its byte order mark follows the one that {target} writes (--bom keep writes one)\n"
        )
    };
    for (args, bytes, note) in [
        (&["-t", "utf-16"][..], &b"\xFE\xFF\xFE\xFF\0a"[..], said("utf-16")),
        (&["-t", "utf-8-bom"], b"\xEF\xBB\xBF\xEF\xBB\xBFa", said("utf-8-bom")),
        (&["-t", "utf-16", "--bom=keep"], b"\xFE\xFF\0a", String::new()),
        (&["-t", "utf-16", "-f", "utf-8-bom"], b"\xFE\xFF\0a", String::new()),
        (&["-t", "utf-16be"], b"\xFE\xFF\0a", String::new()),
        (&["-t", "utf-16", "-q"], b"\xFE\xFF\xFE\xFF\0a", String::new()),
    ] {
        let run = run(&["encode"]).args(args).write_stdin("\u{FEFF}a").assert().code(0);
        run.stdout(bytes).stderr(note);
    }
    // With --bom keep, two remain.
    for (source, text) in [
        ("utf-16", &b"\xFE\xFF\xFE\xFF\0a"[..]),
        ("utf-8-bom", b"\xEF\xBB\xBF\xEF\xBB\xBFa"),
        ("utf-8", b"\xEF\xBB\xBF\xEF\xBB\xBFa"),
    ] {
        for option in [&[][..], &["--explain"]] {
            let mut run = run(&["encode", "-f", source, "-t", "utf-16"]);
            let out = run.args(option).write_stdin(text).assert().code(0);
            out.stderr("-: its byte order mark follows the one that utf-16 writes\n");
        }
    }
    let dir = Dir::of(&[("f", b"\xFE\xFF\xFE\xFF\0a")]);
    for option in [&[][..], &["--check"]] {
        let mut unchanged = run(&["encode", "-f", "utf-16", "-t", "utf-16", "-i", "f"]);
        unchanged.args(option).current_dir(dir.path("")).assert().code(0).stdout("").stderr("");
    }
    let later = run(&["encode", "-t", "utf-16"]).write_stdin("a\u{FEFF}").assert();
    later.code(0).stderr("");
}
