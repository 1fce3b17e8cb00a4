//! `--segments`: ill-formed sequences split into findings.

use crate::common::bin::{hex, lines};

/// Returns KIND OFFSET LENGTH of each finding.
fn cut(bytes: &str, args: &[&str]) -> Vec<String> {
    let out = hex(bytes, &[&["--format", "tsv"], args].concat());
    let text = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let fields = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    fields.map(|f| format!("{} {} {}", f[2], f[0], f[1])).collect()
}

#[test]
fn a_truncated_sequence_is_one_finding_but_by_bytes() {
    let bytes = "E2 82 41";
    for how in ["sequence", "maximal"] {
        assert_eq!(cut(bytes, &["--segments", how]), ["truncated-next 0 2"]);
    }
    let single = ["truncated-next 0 1", "lone-continuation 1 1"];
    assert_eq!(cut(bytes, &["--segments", "byte"]), single);
}

#[test]
fn a_pair_is_one_finding_or_six() {
    let bytes = "ED A0 BD ED B8 80";
    assert_eq!(cut(bytes, &[]), ["surrogate-pair 0 6"]);
    for how in ["maximal", "byte"] {
        let pieces = [
            "surrogate-pair 0 1",
            "lone-continuation 1 1",
            "lone-continuation 2 1",
            "surrogate-low 3 1",
            "lone-continuation 4 1",
            "lone-continuation 5 1",
        ];
        assert_eq!(cut(bytes, &["--segments", how]), pieces, "{how}");
    }
}

#[test]
fn a_pair_of_wtf_8_is_one_finding_or_six() {
    let bytes = "ED A0 BD ED B8 80";
    assert_eq!(cut(bytes, &["-f", "wtf-8"]), ["surrogate-pair 0 6"]);
    let kinds = cut(bytes, &["-f", "wtf-8", "--segments", "byte"]);
    assert_eq!(kinds[0], "surrogate-pair 0 1");
    assert_eq!(kinds[3], "surrogate-low 3 1");
    assert_eq!(kinds.len(), 6);
}

#[test]
fn an_overlong_form_is_one_finding_or_one_a_byte() {
    for (bytes, kind, len) in [("C0 AF", "overlong-2", 2), ("F0 82 82 AC", "overlong-4", 4)] {
        assert_eq!(cut(bytes, &["--segments", "sequence"]), [format!("{kind} 0 {len}")]);
        for how in ["maximal", "byte"] {
            let pieces = cut(bytes, &["--segments", how]);
            assert_eq!(pieces[0], format!("{kind} 0 1"));
            let rest = (1..len).map(|at| format!("lone-continuation {at} 1"));
            assert!(pieces[1..].iter().cloned().eq(rest), "{pieces:?}");
        }
    }
}

#[test]
fn maximal_subparts_of_two_and_three_bytes_are_truncated_ones() {
    let pieces = ["truncated-next 0 3", "truncated-next 3 2", "truncated-end 5 1"];
    assert_eq!(cut("F1 80 80 E1 80 C2", &["--segments", "maximal"]), pieces);
    assert_eq!(cut("F1 80 80 E1 80 C2", &["--segments", "sequence"]), pieces);
}

#[test]
fn a_sequence_contains_only_its_own_continuation_bytes() {
    assert_eq!(cut("C0 41", &[]), ["overlong-2 0 1"]);
    assert_eq!(cut("E0 80 41", &[]), ["overlong-3 0 2"]);
    assert_eq!(cut("ED A0 41", &[]), ["surrogate-high 0 2"]);
    assert_eq!(cut("ED A0 BD ED B8", &[]), ["surrogate-high 0 3", "surrogate-low 3 2"]);
    assert_eq!(cut("E2 82 AC 80", &[]), ["lone-continuation 3 1"]);
    assert_eq!(cut("FE BF BF", &[])[0], "invalid-fe-ff 0 1");
}

#[test]
fn segments_name_their_sequence() {
    hex("41 C0 AF", &["--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:2: byte 0x1 (1): byte C0 of overlong 2-byte form C0 AF of U+002F [overlong-2]",
        "-e:1:3: byte 0x2 (2): continuation byte AF without a lead byte [lone-continuation]",
    ]));
    hex("E2 82 41", &["--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:1: byte 0x0 (0): byte E2 of truncated 3-byte sequence E2 82: expected 80..BF, found 41 \"A\" [truncated-next]",
        "-e:1:2: byte 0x1 (1): continuation byte 82 without a lead byte [lone-continuation]",
    ]));
}

/// A byte within a unit is no issue of its own.
#[test]
fn the_bytes_of_a_unit_are_bytes_of_it() {
    hex("00 D8 41 00", &["-f", "utf-16le", "--segments", "byte"]).code(1).stdout(lines(&[
        "-e:1:1: byte 0x0 (0): byte 00 of high surrogate 00 D8, that is U+D800 [surrogate-high]",
        "-e:1:2: byte 0x1 (1): byte D8 of high surrogate 00 D8, that is U+D800 [surrogate-high]",
    ]));
    let pieces = ["above-7fffffff 0 1", "above-7fffffff 1 1", "truncated-next 3 1"];
    assert_eq!(cut("F7 F0 41 C0 41", &["-f", "fss-utf-1992", "--segments", "byte"]), pieces);
}
