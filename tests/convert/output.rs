//! Output files of `utf8 decode` and `utf8 encode`.

use predicates::str::contains;

use crate::common::bin::{Dir, raw, run, skipped};

#[test]
fn a_write_that_fails_leaves_the_file_as_it_is() {
    // Long enough for a write to fail before the last block.
    let dir = Dir::of(&[("old", b"precious"), ("in", &[b'a'; 300_000])]);
    for (blocks, input) in [("4", "in"), ("1", "in")] {
        let script =
            format!("ulimit -f {blocks}; exec \"$0\" \"$@\" decode -t utf-8 -o old {input}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).arg(raw().get_program()).args(raw().get_args());
        let out = command.current_dir(dir.path("")).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.starts_with("utf8: old: File too large"), "{said}");
        assert_eq!(std::fs::read(dir.path("old")).unwrap(), b"precious");
        assert_eq!(names(&dir), ["in", "old"]);
    }
}

/// Runs `utf8 encode -t utf-16be` in a directory.
fn encode_in(dir: &Dir, args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = run(&["encode", "-t", "utf-16be"]);
    command.current_dir(dir.path("")).args(args).assert()
}

/// Returns the sorted names in a directory.
fn names(dir: &Dir) -> Vec<String> {
    let entries = std::fs::read_dir(dir.path("")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn output_files_are_written_only_on_success() {
    let dir = Dir::of(&[("good", b"a"), ("bad", b"a\xFF"), ("old", b"old")]);
    encode_in(&dir, &["-o", "new", "good", "good"]).code(0).stdout("").stderr("");
    assert_eq!(std::fs::read(dir.path("new")).unwrap(), b"\0a\0a");
    encode_in(&dir, &["-o", "old", "good"]).code(0).stdout("");
    assert_eq!(std::fs::read(dir.path("old")).unwrap(), b"\0a");
    // The output may be an input.
    encode_in(&dir, &["-o", "good", "good"]).code(0).stdout("");
    assert_eq!(std::fs::read(dir.path("good")).unwrap(), b"\0a");
    assert_eq!(names(&dir), ["bad", "good", "new", "old"]);
}

#[test]
fn a_fault_or_trouble_leaves_the_file_as_it_is() {
    let dir = Dir::of(&[("good", b"a"), ("bad", b"a\xFF"), ("old", b"old")]);
    encode_in(&dir, &["-o", "old", "good", "bad"]).code(1).stderr(contains("bad: byte 1"));
    encode_in(&dir, &["-o", "old", "missing", "good"]).code(2).stderr(contains("missing"));
    encode_in(&dir, &["-o", "new", "bad"]).code(1).stdout("");
    assert_eq!(std::fs::read(dir.path("old")).unwrap(), b"old");
    assert_eq!(names(&dir), ["bad", "good", "old"]);
    // With a policy, the input has no issue.
    encode_in(&dir, &["-o", "old", "--on-error", "ignore", "bad"]).code(0);
    assert_eq!(std::fs::read(dir.path("old")).unwrap(), b"\0a");
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let dir = Dir::of(&[("good", b"a")]);
    let out = encode_in(&dir, &["-o", ".", "good"]).code(2);
    out.stderr("utf8: .: is a directory (name a file)\n");
    let out = encode_in(&dir, &["-o", "none/new", "good"]).code(2);
    out.stderr("utf8: none/new: its directory does not exist (mkdir -p none)\n");
    if !std::path::Path::new("/dev/full").exists() {
        return skipped("an_output_that_cannot_be_written_is_named", "no /dev/full");
    }
    let out = encode_in(&dir, &["-o", "/dev/full", "good"]).code(2);
    out.stderr("utf8: /dev/full: No space left on device (make room and run again)\n");
}

/// Of options with other values, the last one counts.
#[test]
fn an_option_names_one_file() {
    let dir = Dir::of(&[("f", b"a\n\xFF\n")]);
    let in_folder = |args: &[&str]| {
        let mut command = run(args);
        command.current_dir(dir.path("")).assert()
    };
    for (args, option) in [
        (&["decode", "-f", "latin1"][..], "--output"),
        (&["repair"], "--output"),
        (&["repair", "--on-error", "drop-line"], "--rejects"),
        (&["dump-bits"], "--output"),
        (&["dump-bits", "--reverse"], "--patch"),
        (&["validate"], "--write-baseline"),
        (&["validate"], "--baseline"),
        (&["repair", "-i", "--fix"], "--config"),
    ] {
        let named = [args, &[option, "one", option, "two", "f"]].concat();
        let said = format!("utf8: {option}: name one file, not one and two\n");
        in_folder(&named).code(2).stdout("").stderr(said);
        assert_eq!(names(&dir), ["f"], "{args:?}");
    }
    let args = ["-o", "new", "--output=new", "--on-error", "ignore", "--on-error", "replace"];
    in_folder(&[&["repair", "-q", "f"], &args[..]].concat()).code(0).stdout("").stderr("");
    assert_eq!(std::fs::read(dir.path("new")).unwrap(), "a\n\u{FFFD}\n".as_bytes());
}

#[test]
fn standard_output_and_devices_are_written_as_they_come() {
    let dir = Dir::of(&[("bad", b"a\xFF")]);
    for output in ["-", "/dev/stdout"] {
        encode_in(&dir, &["-o", output, "bad"]).code(1).stdout("\0a");
    }
    encode_in(&dir, &["-o", "/dev/null", "bad"]).code(1).stdout("");
    assert_eq!(names(&dir), ["bad"]);
}

/// A second conversion onto the input would encode the text twice.
#[test]
fn an_input_that_is_converted_already_is_not_its_own_output() {
    let dir = Dir::of(&[("f", b"caf\xE9 au lait\n"), ("g", b"")]);
    let decode = |args: &[&str]| {
        let mut command = run(&["decode", "-f", "windows-1252"]);
        command.current_dir(dir.path("")).args(args).assert()
    };
    let text = |name| std::fs::read_to_string(dir.path(name)).unwrap();
    decode(&["-o", "f", "f"]).code(0).stderr("");
    assert_eq!(text("f"), "café au lait\n");
    decode(&["-o", "f", "./f"])
        .code(1)
        .stdout("")
        .stderr("utf8: ./f: already utf-8: unchanged (--reconvert converts it anyway)\n");
    assert_eq!(text("f"), "café au lait\n");
    // The encoding is detected anew.
    decode(&["-f", "auto", "-o", "f", "f"]).code(0).stderr("");
    assert_eq!(text("f"), "café au lait\n");
    decode(&["-o", "g", "f"]).code(0).stderr("");
    assert_eq!(text("g"), "cafÃ© au lait\n");
    decode(&["--reconvert", "-o", "f", "f"]).code(0).stderr("");
    assert_eq!(text("f"), "cafÃ© au lait\n");
    for args in [&["--reconvert", "f"][..], &["--reconvert", "-o", "other", "f"]] {
        decode(args).code(2).stderr(contains("--reconvert needs --in-place, or --output onto an"));
    }
    assert!(!dir.path("other").exists());
}

/// NUL is text where no file is skipped as binary.
#[test]
fn converted_text_with_nul_is_not_its_own_output() {
    for args in [&["-o", "f", "f"][..], &["-i", "--binary", "f"]] {
        let dir = Dir::of(&[("f", b"\0 caf\xE9 au lait\0")]);
        let decode = || {
            let mut command = run(&["decode", "-f", "windows-1252"]);
            command.current_dir(dir.path("")).args(args).assert()
        };
        decode().code(0);
        decode().stderr(contains("f: already utf-8: unchanged"));
        assert_eq!(std::fs::read(dir.path("f")).unwrap(), "\0 café au lait\0".as_bytes());
    }
}

#[test]
fn damaged_text_in_the_target_encoding_is_not_its_own_output() {
    let text = b"caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 \xFF";
    let dir = Dir::of(&[("f", text)]);
    let decode = |args: &[&str]| {
        let mut command = run(&["decode", "-f", "windows-1252"]);
        command.current_dir(dir.path("")).args(args).assert()
    };
    let said = "utf8: f: is damaged utf-8: unchanged (--reconvert converts it anyway; utf8 detect \
                --format long f advises a repair)\n";
    decode(&["-o", "f", "f"]).code(1).stderr(said);
    assert_eq!(std::fs::read(dir.path("f")).unwrap(), text);
    decode(&["-o", "f", "--reconvert", "f"]).code(0).stderr("");
    assert_eq!(std::fs::read_to_string(dir.path("f")).unwrap(), "cafÃ© cafÃ© cafÃ© ÿ");
}

#[test]
fn a_converted_input_among_others_or_of_a_list_is_not_the_output() {
    let dir = Dir::of(&[("f", "café".as_bytes()), ("e", b"\xE9"), ("list", b"f\n")]);
    for args in [&["f", "e"][..], &["e", "f"], &["--files-from", "list"]] {
        let mut command = run(&["decode", "-f", "windows-1252", "-o", "f"]);
        let out = command.current_dir(dir.path("")).args(args).assert().code(1);
        out.stderr("utf8: f: already utf-8: unchanged (--reconvert converts it anyway)\n");
        assert_eq!(std::fs::read_to_string(dir.path("f")).unwrap(), "café");
    }
    let mut command = run(&["decode", "-f", "windows-1252", "-o", "f", "--reconvert"]);
    command.current_dir(dir.path("")).args(["--files-from", "list"]).assert().code(0);
    assert_eq!(std::fs::read_to_string(dir.path("f")).unwrap(), "cafÃ©");
}
