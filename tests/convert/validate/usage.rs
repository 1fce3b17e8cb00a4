//! Exit statuses and errors of usage.

use predicates::prelude::*;
use predicates::str::contains;

use super::summaries::three;
use crate::common::bin::{Dir, run, validate};

#[test]
fn status_2_outranks_1_and_other_inputs_are_processed() {
    let dir = three();
    for files in [["bad", "missing", "good"], ["missing", "good", "bad"]] {
        let out = dir.validate().args(["-m1"]).args(files).assert().code(2);
        out.stdout(contains("bad:1:1: ")).stderr(contains("utf8: missing: "));
    }
}

#[test]
fn options_that_exclude_each_other_are_usage_errors() {
    for args in [
        &["-l", "-L"][..],
        &["-l", "-c"],
        &["-L", "-c"],
        &["-q", "-v"],
        &["-l", "--format", "json"],
        &["-L", "--format", "tsv"],
        &["-e", "a", "file"],
        &["-e", "a", "--files-from", "list"],
        &["-m", "0"],
        &["-m", "-1"],
        &["-m", "x"],
        &["--format", "yaml"],
        &["--segments", "word"],
        &["--mmap", "maybe"],
        &["--color", "blue"],
        &["--no-such-option"],
        &["-e"],
    ] {
        validate()
            .args(args)
            .write_stdin(&b"\xFF"[..])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::is_empty().not());
    }
}

#[test]
fn a_command_must_be_named_and_known() {
    crate::common::bin::utf8().assert().code(2).stdout("");
    crate::common::bin::utf8().arg("validat").assert().code(2).stderr(contains("validate"));
}

#[test]
fn errors_say_what_is_wrong_in_the_situation() {
    for (args, said) in [
        (&["decode", "-t", "auto", "-e", "a"][..], "auto is for --from; --to needs an encoding"),
        (
            &["decode", "-xe", "FF"],
            "(if it is not utf-8, name its encoding: --from CODEC, or --from auto; ",
        ),
    ] {
        let out = run(args).assert();
        assert_ne!(out.get_output().status.code(), Some(0), "{args:?}");
        out.stderr(contains(said));
    }
    let euro = ["encode", "-t", "latin1", "--on-error", "surrogateescape", "-e", "U+20AC"];
    let out = run(&euro).args(["-f", "u+"]).assert().code(1);
    out.stderr(contains(
        "(--on-error replace, transliterate, ignore, backslashreplace or escape=html continues)",
    ));
    let lone = ["encode", "-f", "wtf-8", "-t", "latin1", "--on-error", "surrogateescape", "-xe"];
    run(&lone).arg("ED A0 80").assert().code(1).stderr(contains("--to wtf-8"));
}

#[test]
fn a_link_to_a_missing_file_is_named() {
    let dir = Dir::new();
    std::os::unix::fs::symlink("missing", dir.path("dangling")).unwrap();
    let said = "utf8: dangling: a symbolic link to a missing file\n";
    dir.validate().arg("dangling").assert().code(2).stderr(said);
}

#[test]
fn an_unknown_command_has_a_suggestion() {
    let dir = Dir::of(&[("notes.txt", b"")]);
    for (args, said) in [
        (&["validte"][..], "unknown command 'validte'; did you mean 'validate'?"),
        (&["help", "valdate"], "no help on 'valdate' (did you mean 'validate'?)"),
        (&["help", "lint"], "no help on 'lint' (did you mean 'lints'?)"),
        (&["help", "scale", "lints"], "no help on 'scale' (utf8 help scale, alone)"),
        (&["help", "help", "validate"], "no help on 'validate' (utf8 help validate, alone)"),
        (
            &["help", "zzz"],
            "no help on 'zzz' (utf8 help COMMAND, encodings, reports, lints, config or scale)",
        ),
        (&["lint"], "unknown command 'lint'; did you mean 'validate'?"),
        (&["iconv"], "unknown command 'iconv'; did you mean 'decode'?"),
        (&["xxd"], "unknown command 'xxd'; did you mean 'dump-bits'?"),
        (&["fix"], "unknown command 'fix'; did you mean 'repair'?"),
        (&["file"], "unknown command 'file'; did you mean 'detect'?"),
        (&["zzz"], "unknown command 'zzz' (utf8 --help lists all)"),
        (&["repair", "--nfc"], "unknown option '--nfc'; did you mean '--normalize nfc'?"),
        (&["detect", "--mime"], "unknown option '--mime'; did you mean '--format mime'?"),
        (
            &["notes.txt"],
            "unknown command 'notes.txt' (utf8 --help lists all; for a file: utf8 validate notes.txt)",
        ),
        (&["--list-codecs", "utf-8"], "expected = before the name: --list-codecs=utf-8"),
        (&["-f", "gbk", "validate", "x"], "options follow the command: utf8 validate -f ..."),
    ] {
        usage_error(&dir, args, said);
    }
}

/// Asserts that the arguments are an error of usage with exactly this message.
fn usage_error(dir: &Dir, args: &[&str], said: &str) {
    let out = run(args).current_dir(dir.path("")).assert().code(2).stdout("");
    out.stderr(format!("utf8: {said}\n"));
}

#[test]
fn an_invalid_value_is_named_with_its_option() {
    let dir = Dir::new();
    for (args, said) in [
        (
            &["validate", "--format", "xml"][..],
            "--format xml: expected text, full, json, tsv, lines, github, gitlab, sarif, junit, checkstyle, rdjson, html or baseline",
        ),
        (
            &["validate", "--format="],
            "--format: expected text, full, json, tsv, lines, github, gitlab, sarif, junit, checkstyle, rdjson, html or baseline",
        ),
        (
            &["dump-bits", "--layout", "hex"],
            "--layout hex: expected sequence or bytes; did you mean --base hex?",
        ),
        (&["validate", "--max-errors"], "--max-errors: needs a value: --max-errors <N>"),
        (&["validate", "-f"], "--from: needs a value: --from <CODEC>"),
        (&["validate", "-f", "sarif"], "--from sarif: unknown codec; did you mean --format sarif?"),
        (&["detect", "--candidates", "0"], "--candidates 0: expected a number, 1 to 65535"),
        (
            &["repair", "--fallback", "cp1252x"],
            "--fallback cp1252x: unknown codec; similar names: cp1252, cp1250, cp1251 (utf8 --list-codecs lists all)",
        ),
        (
            &["repair", "--on-error", "fallback=cp1252x"],
            "--on-error fallback=cp1252x: unknown code page; similar names: cp1252, cp1250, cp1251 (utf8 --list-codecs lists all)",
        ),
        (&["repair", "--fallback", "gbk"], "--fallback gbk: gbk is not a single-byte code page"),
        (
            &["decode", "-t", "\u{1b}[31m"],
            "--to \\x1B[31m: unknown codec (utf8 --list-codecs lists all)",
        ),
    ] {
        usage_error(&dir, args, said);
    }
}

#[test]
fn reading_other_text_as_json_has_a_hint() {
    let dir = Dir::of(&[("notes.txt", b"hello\n"), ("a.json", b" {\"a\": \"\\u00e9\"}\n")]);
    let hint = "notes.txt: is not JSON; did you mean --format json? (--from: how to read it)\n";
    let out = dir.validate().args(["-f", "json", "notes.txt", "a.json"]).assert().code(0);
    out.stdout("").stderr(hint);
    for args in [&["-q", "-f", "json"][..], &["-f", "json", "--format", "json"], &["-f", "c"]] {
        dir.validate().args(args).arg("notes.txt").assert().code(0).stderr("");
    }
}

#[test]
fn an_unknown_option_has_a_suggestion() {
    let dir = Dir::new();
    for (args, said) in [
        (&["repair", "--eol", "lf"][..], "unknown option '--eol'; did you mean '--newlines'?"),
        (&["validate", "--encoding", "gbk"], "unknown option '--encoding'; did you mean '--from'?"),
        (&["validate", "--json", "f"], "unknown option '--json'; did you mean '--format json'?"),
        (&["validate", "--GitHub"], "unknown option '--GitHub'; did you mean '--format GitHub'?"),
        (&["detect", "--sarif=f", "g"], "unknown option '--sarif'; did you mean '--format sarif'?"),
        (
            &["decode", "--html"],
            "unknown option '--html'; did you mean '--from html' or '--to html'?",
        ),
        (&["repair", "--crlf"], "unknown option '--crlf'; did you mean '--newlines crlf'?"),
        (
            &["repair", "--bom-inside"],
            "unknown option '--bom-inside'; did you mean '--fix=bom-inside'?",
        ),
        (
            &["validate", "--crlf"],
            "unknown option '--crlf'; did you mean '--deny crlf', '--warn crlf' or '--allow crlf'?",
        ),
        (&["validate", "--lint"], "unknown option '--lint'; did you mean '--deny LINT'?"),
        // --fix alone fixes the findings of all lints.
        (&["repair", "--lint", "nul"], "unknown option '--lint'; did you mean '--fix=LINT'?"),
        (&["repair", "--lints"], "unknown option '--lints'; did you mean '--fix=LINT'?"),
        (&["decode", "--lint"], "unknown option '--lint' (utf8 decode --help lists all)"),
        (&["decode", "--github"], "unknown option '--github' (utf8 decode --help lists all)"),
        (&["dump", "--no-color"], "unknown option '--no-color'; did you mean '--color never'?"),
        (
            &["decode", "--output-encoding=gbk"],
            "unknown option '--output-encoding'; did you mean '--to'?",
        ),
        (&["repair", "--inplace", "f"], "unknown option '--inplace'; did you mean '--in-place'?"),
        (
            &["repair", "--replace", "f"],
            "unknown option '--replace'; did you mean '--on-error replace'?",
        ),
        (&["decode", "-c", "f"], "unknown option '-c'; did you mean '--on-error ignore'?"),
        (&["decode", "-l"], "unknown option '-l'; did you mean '--list-codecs'?"),
        (&["-l"], "unknown option '-l'; did you mean '--list-codecs'?"),
        (&["-z"], "unknown option '-z' (utf8 --help lists all)"),
        (&["repair", "-i.bak", "f"], "unknown option '-i.bak'; did you mean '-i --backup .bak'?"),
        (&["repair", "-ri.bak", "f"], "unknown option '-i.bak'; did you mean '-i --backup .bak'?"),
        (
            &["repair", "--bogus", "--", "-i.bak"],
            "unknown option '--bogus' (utf8 repair --help lists all)",
        ),
        (&["decode", "--no-bom", "f"], "unknown option '--no-bom'; did you mean '--bom remove'?"),
        (&["dump", "--cols=8"], "unknown option '--cols'; did you mean '--columns'?"),
        (&["dump", "-b", "f"], "unknown option '-b'; did you mean '--base bits'?"),
        (&["dump", "-C", "f"], "unknown option '-C'; did you mean '--layout bytes'?"),
        (&["validate", "--stamp", "1", "-"], "--stamp needs --partial"),
        (&["repair", "-q", "--backup", "~", "f"], "--backup needs --in-place"),
        (&["encode", "-t", "//IGNORE"], "--to //IGNORE: expected an encoding before //"),
        (&["repair", "--newlnes", "lf"], "unknown option '--newlnes'; did you mean '--newlines'?"),
        (&["validate", "--zzz"], "unknown option '--zzz' (utf8 validate --help lists all)"),
        (
            &["validate", "--fix", "f"],
            "validate changes no file (utf8 repair -i --fix fixes findings of lints)",
        ),
        (&["repair", "-t", "gbk"], "repair keeps the encoding (utf8 encode -t CODEC converts)"),
        (
            &["validate", "-dash.txt"],
            "unknown option '-d' (a file whose name starts with -: ./-dash.txt, or -- before the names)",
        ),
        (&["validate", "-n", "-5", "f"], "-n -5: expected a number, 0 or more"),
        (&["dump", "-c", "-5", "f"], "-c -5: expected a number from 0 to 4096"),
        (
            &["validate", "-m", "-5", "f"],
            "-m -5: expected a number, 1 or greater (-q and -l stop at the first finding)",
        ),
        (&["validate", "--max-shown", "-5", "f"], "--max-shown -5: expected a number or none"),
        (&["detect", "--candidates", "-5", "f"], "--candidates -5: expected a number, 1 to 65535"),
        (&["detect", "--candidates", "0", "f"], "--candidates 0: expected a number, 1 to 65535"),
        (&["detect", "--candidates", "65536"], "--candidates 65536: expected a number, 1 to 65535"),
        (&["repair", "--truncate", "-5", "f"], "--truncate -5: expected a number, 0 or more"),
        (
            &["validate", "-l", "-L"],
            "the argument '--files-with-errors' cannot be used with '--files-without-errors'",
        ),
        (&["validate", ""], "a FILE name is empty (an unset variable?)"),
        (
            &["validate", "-x", "E2", "82"],
            "E2 82: no such file (-x reads digits from a file; for digits here: -xe 'E2 82')",
        ),
        (
            &["decode", "-i", "a b"],
            "--in-place needs --from or --to (utf8 decode -f CODEC -i 'a b'; utf8 detect 'a b' names the encoding)",
        ),
        (
            &["decode", "-e", "a", "-o", "nodir/f"],
            "nodir/f: its directory does not exist (mkdir -p nodir)",
        ),
    ] {
        usage_error(&dir, args, said);
    }
    let out = run(&["validate", "-f", "sarif", "f"]).assert().code(2);
    out.stderr(contains("did you mean --format sarif?"));
}

#[test]
fn names_that_lead_nowhere_have_their_reason() {
    let dir = Dir::of(&[("a", b"")]);
    for (list, said) in [
        ("a\r\n", "(the list has CR LF line ends)"),
        ("\"caf\\303\\251\"\n", "(git quotes such names: git ls-files -z, with -0)"),
    ] {
        let mut command = dir.validate();
        let out = command.args(["--files-from", "-"]).write_stdin(list).assert().code(2);
        out.stderr(contains(said));
    }
}
