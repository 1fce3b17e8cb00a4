//! `--format tsv`.

use crate::common::bin::Dir;

#[test]
fn tsv_has_seven_columns_and_no_header() {
    let dir = Dir::of(&[("f", b"ab\n\xC3\xA9\xC0\xAF\xE2\x82"), ("good", b"a")]);
    dir.validate()
        .args(["--format", "tsv", "f", "good"])
        .assert()
        .code(1)
        .stdout("5\t2\toverlong-2\t2\t3\tC0 AF\tf\n7\t2\ttruncated-end\t2\t5\tE2 82\tf\n")
        .stderr("");
}

#[test]
fn tsv_escapes_control_characters_in_a_name() {
    let dir = Dir::of(&[("a\tb\nc\\", b"\xFF")]);
    dir.validate()
        .args(["--format", "tsv", "a\tb\nc\\"])
        .assert()
        .code(1)
        .stdout("0\t1\tinvalid-fe-ff\t1\t1\tFF\ta\\x09b\\x0Ac\\\\\n");
}
