//! `utf8 repair --truncate`: reads no further than needed, and reports the omitted part.

use std::fs;

use serde_json::json;

use predicates::str::ends_with;

use crate::common::bin::{Dir, objects, run};
use crate::common::replace::text;

/// A family: four people, with joiners between them (25 bytes).
const FAMILY: &str = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}";

#[test]
fn clusters_stay_whole_if_asked() {
    let text = format!("a{FAMILY}");
    for (args, kept) in [
        (&["--truncate", "25"][..], "a\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}"),
        (&["--truncate", "25", "--graphemes"], "a"),
        (&["--truncate-lines", "25", "--graphemes"], "a"),
        (&["--truncate", "26", "--graphemes"], &text),
        (&["--truncate", "0", "--graphemes"], ""),
    ] {
        run(&[&["repair", "-e", &text], args].concat()).assert().code(0).stdout(kept.to_owned());
    }
    run(&["repair", "-e", "x", "--graphemes"]).assert().code(2);
    run(&["repair", "-e", "x", "--truncate", "1", "--truncate-lines", "1"]).assert().code(2);
}

#[cfg(target_os = "linux")]
#[test]
fn text_after_the_cut_is_not_read() {
    for more in [&[][..], &["--graphemes"], &["--on-error", "strict"], &["--newlines", "lf"]] {
        let args = [&["repair", "--truncate", "3", "/dev/zero"], more].concat();
        run(&args).assert().code(0).stdout("\0\0\0");
    }
    let wide = ["repair", "-f", "utf-16le", "--truncate", "3", "/dev/zero"];
    run(&wide).assert().code(0).stdout("\0\0");
    run(&["repair", "--truncate", "3", "--check", "/dev/zero"]).assert().code(1);
}

/// The message has the bytes that were replaced in the text before the cut, however the input arrives
/// and whatever waits in other stages.
#[test]
fn replaced_bytes_after_the_cut_do_not_count() {
    let input = b"a\xFFbcdef\xFF\xFFghi\n";
    let dir = Dir::of(&[("f", input)]);
    let file = dir.path("f");
    let stages = [
        &[][..],
        &["--normalize", "nfc"],
        &["--newlines", "lf"],
        &["--undo-mojibake"],
        &["--graphemes"],
    ];
    // A replacement has three bytes.
    for (limit, output, message) in [
        ("3", "a", ""),
        ("4", "a\u{FFFD}", ": 1 byte replaced\n"),
        ("9", "a\u{FFFD}bcdef", ": 1 byte replaced\n"),
        ("12", "a\u{FFFD}bcdef\u{FFFD}", ": 2 bytes replaced\n"),
        ("99", "a\u{FFFD}bcdef\u{FFFD}\u{FFFD}ghi\n", ": 3 bytes replaced\n"),
    ] {
        for more in stages {
            let args = [&["repair", "--truncate", limit][..], more].concat();
            let of_file = run(&args).arg(&file).assert().code(0).stdout(output);
            let piped = run(&args).write_stdin(&input[..]).assert().code(0).stdout(output);
            for out in [of_file, piped] {
                let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
                assert!(said.ends_with(message), "{limit} {more:?}: {said}");
                assert_eq!(said.is_empty(), message.is_empty(), "{limit} {more:?}: {said}");
            }
        }
    }
}

#[test]
fn omitted_text_is_one_reported_change() {
    let long = [&b"ab"[..], &b"c".repeat(300_000), b"\n\xFF"].concat();
    let dir = Dir::of(&[("f", &long)]);
    let file = dir.path("f");
    let args = ["repair", "--truncate", "2", "--on-error", "strict", file.to_str().unwrap()];
    let out = run(&[&args[..], &["--format", "json"]].concat()).assert().code(0).stdout("ab");
    let told = objects(&out.get_output().stderr);
    assert_eq!(told.len(), 2);
    let pick = |names: &[&str]| names.iter().map(|name| told[0][*name].clone()).collect::<Vec<_>>();
    assert_eq!(
        pick(&["offset", "length", "new_offset", "new_length", "reasons"]),
        [json!(2), json!(300_002), json!(2), json!(0), json!(["truncate"])]
    );
    let hex = told[0]["hex"].as_str().unwrap();
    assert!(hex.split(' ').eq(std::iter::repeat_n("63", 4096)));
    assert_eq!((&told[1]["size"], &told[1]["changes"]), (&json!(300_004), &json!(1)));
    let out = run(&[&args[..], &["-v", "--stats"]].concat()).assert().code(0);
    let said = String::from_utf8(out.get_output().stderr.clone()).unwrap();
    let ends = ["... (300,002 bytes) -> nothing [truncate]", "2 after 1 change: 1 truncate"];
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.lines().zip(ends).all(|(line, end)| line.ends_with(end)), "{said}");
}

#[test]
fn faults_after_the_cut_do_not_stop_a_repair() {
    let dir = Dir::of(&[("f", b"abc\xFF"), ("nul", b"abc\0")]);
    let in_place = |name: &str| {
        let file = dir.path(name);
        run(&["repair", "-i", "--truncate", "2", file.to_str().unwrap()]).assert()
    };
    in_place("f").code(0).stderr(ends_with("f: repaired, 1 cut\n"));
    assert_eq!(text(dir.path("f")), "ab");
    // The whole input determines the type.
    in_place("nul").code(1);
    assert_eq!(fs::read(dir.path("nul")).unwrap(), b"abc\0");
}
