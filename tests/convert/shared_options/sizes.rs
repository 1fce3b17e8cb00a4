//! Sizes: the values of `-s` and `-n`.

use predicates::str::contains;

use crate::common::bin::{Dir, validate};

#[test]
fn sizes_are_decimal_or_hex_with_units() {
    let mut bytes = vec![b'a'; 3 << 20];
    for at in [0x10, 1 << 10, 1 << 20] {
        bytes[at] = 0xFF;
    }
    let dir = Dir::of(&[("f", &bytes)]);
    let offsets = |args: &[&str]| {
        let out = dir.validate().args(["--format", "tsv", "f"]).args(args).assert();
        let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
        text.lines().map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect()
    };
    let all: Vec<u64> = vec![0x10, 1 << 10, 1 << 20];
    for (args, expected) in [
        (&["-s", "0"][..], &all[..]),
        (&["-s", "16"], &all),
        (&["-s", "0x10"], &all),
        (&["-s", "17"], &all[1..]),
        (&["-s", "0x11"], &all[1..]),
        (&["-s", "1k"], &all[1..]),
        (&["-s", "1K"], &all[1..]),
        (&["-s", "0x1k"], &all[1..]),
        (&["-s", "1025"], &all[2..]),
        (&["-s", "1M"], &all[2..]),
        (&["-s", "1m"], &all[2..]),
        (&["-s", "1G"], &[]),
        (&["-s", "0xFFFFFFFFFFFFFFFF"], &[]),
        (&["-n", "1k"], &all[..1]),
        (&["-n", "1025"], &all[..2]),
        (&["-n", "1M"], &all[..2]),
        (&["-n", "3M"], &all),
        (&["-n", "0"], &[]),
        (&["--skip", "1k", "--length", "1"], &all[1..2]),
        (&["-s1k", "-n1"], &all[1..2]),
        (&["-s", "-2M"], &all[2..]),
        (&["-s-2M"], &all[2..]),
        (&["--skip=-2M"], &all[2..]),
        (&["-s", "-0x200000"], &all[2..]),
        (&["-s", "-3G"], &all),
        (&["-s", "-0"], &[]),
    ] {
        let found: Vec<u64> = offsets(args);
        assert_eq!(found, expected, "{args:?}");
    }
}

#[test]
fn malformed_sizes_are_usage_errors() {
    for (option, value, why) in [
        ("-s", "x", "expected a number of bytes"),
        ("-s", "1kb", "expected a number of bytes"),
        ("-s", "0x", "expected a number of bytes"),
        ("-s", "1.5k", "expected a number of bytes"),
        ("-s", "--5", "expected a number of bytes"),
        ("-n", "", "expected a number of bytes"),
        ("-s", "18446744073709551616", "too large"),
        ("-n", "17179869184G", "too large"),
    ] {
        let out = validate().args([option, value, "-e", "a"]).assert().code(2).stdout("");
        out.stderr(contains(why));
    }
    validate().args(["-n", "-1", "-e", "a"]).assert().code(2).stdout("");
}
