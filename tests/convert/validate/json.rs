//! `--format json`.

use serde_json::json;

use crate::common::bin::{Dir, hex, json, objects};

#[test]
fn json_has_these_fields_and_no_others() {
    assert_eq!(
        json("41 0A C3 A9 E0 80 AF", &[]),
        [
            json!({
                "type": "finding", "path": "-e", "offset": 4, "length": 3, "kind": "overlong-3",
                "class": "overlong", "level": "error", "hex": "E0 80 AF", "value": "U+002F",
                "line": 2, "column_bytes": 3, "column_chars": 2,
                "message": "overlong 3-byte form E0 80 AF of U+002F",
            }),
            json!({
                "type": "summary", "path": "-e", "codec": "utf-8", "size": 7, "valid": false,
                "findings": 1, "warnings": 0, "start": 0, "stopped": false, "by_kind": {"overlong-3": 1}, "lines": 2,
                "scalars": 3, "bom": false,
            }),
        ]
    );
}

#[test]
fn json_sums_up_good_files_too() {
    let dir = Dir::of(&[("empty", b""), ("good", b"\xEF\xBB\xBFa\n")]);
    let out =
        dir.validate().args(["--format", "json", "empty", "good"]).assert().code(0).stderr("");
    assert_eq!(
        objects(&out.get_output().stdout),
        [
            json!({
                "type": "summary", "path": "empty", "codec": "utf-8", "size": 0, "valid": true,
                "findings": 0, "warnings": 0, "start": 0, "stopped": false, "by_kind": {}, "lines": 0, "scalars": 0,
                "bom": false,
            }),
            json!({
                "type": "summary", "path": "good", "codec": "utf-8", "size": 5, "valid": true,
                "findings": 0, "warnings": 0, "start": 0, "stopped": false, "by_kind": {}, "lines": 1, "scalars": 3,
                "bom": true,
            }),
        ]
    );
}

#[test]
fn json_counts_by_kind() {
    let objects = json("80 80 C0 80 FF FF FF C2", &[]);
    let expected =
        json!({"lone-continuation": 2, "overlong-nul": 1, "invalid-fe-ff": 3, "truncated-end": 1});
    assert_eq!(objects.last().unwrap()["by_kind"], expected);
}

#[test]
fn stats_of_json_have_code_points_by_length() {
    let stats = json("41 42 C3 A9 E2 82 AC F0 9F 98 80 FF", &["--stats"]);
    assert_eq!(stats[1]["by_length"], json!({"1": 2, "2": 1, "3": 1, "4": 1}));
    assert_eq!(stats[1]["scalars"], 5);
    let long = json("FD BF BF BF BF BF", &["-f", "rfc2279", "--stats"]);
    assert_eq!(long[0]["by_length"], json!({"6": 1}));
    let pair = json("ED A0 BD ED B8 80 C3 A9", &["-f", "cesu-8", "--stats"]);
    assert_eq!(pair[0]["by_length"], json!({"2": 1, "6": 1}));
}

/// Returns line, column in bytes and column in code points of the last finding.
fn place(bytes: &str, args: &[&str]) -> [u64; 3] {
    let objects = json(bytes, args);
    let last = &objects[objects.len() - 2];
    ["line", "column_bytes", "column_chars"].map(|key| last[key].as_u64().unwrap())
}

#[test]
fn columns_count_bytes_and_code_points() {
    assert_eq!(place("61 C3 A9 E2 82 AC F0 9F 98 80 FF", &[]), [1, 11, 5]);
    assert_eq!(place("C3 A9 0A C3 A9 FF", &[]), [2, 3, 2]);
    assert_eq!(place("EF BB BF FF", &[]), [1, 4, 2]);
}

#[test]
fn a_fault_counts_one_code_point_for_each_maximal_subpart() {
    for how in ["sequence", "maximal", "byte"] {
        let how = &["--segments", how];
        assert_eq!(place("E2 82 41 FF", how), [1, 4, 3], "one truncated, and A");
        assert_eq!(place("F0 9F 98 41 FF", how), [1, 5, 3], "one truncated, and A");
        assert_eq!(place("C0 AF FF", how), [1, 3, 3], "two of an overlong form");
        assert_eq!(place("E0 80 80 41 FF", how), [1, 5, 5], "three, and A");
        assert_eq!(place("ED A0 BD ED B8 80 FF", how), [1, 7, 7], "six of a pair");
        assert_eq!(place("C0 AF 0A FF", how), [2, 1, 1], "none on a new line");
    }
}

#[test]
fn a_piece_stands_at_the_column_of_its_subpart() {
    let columns = |bytes, how| -> Vec<[u64; 2]> {
        let objects = json(bytes, &["--segments", how]);
        let findings = objects.iter().filter(|object| object["type"] == "finding");
        let column = |object: &serde_json::Value, key| object[key].as_u64().unwrap();
        findings.map(|f| [column(f, "column_bytes"), column(f, "column_chars")]).collect()
    };
    assert_eq!(columns("C3 A9 E2 82 41", "byte"), [[3, 2], [4, 2]]);
    assert_eq!(columns("C3 A9 E2 82 41", "maximal"), [[3, 2]]);
    for how in ["byte", "maximal"] {
        assert_eq!(columns("C3 A9 E0 80 AF", how), [[3, 2], [4, 3], [5, 4]]);
    }
}

/// Columns of a notation are those of its text, in which an escape is several characters.
#[test]
fn columns_of_notations_count_the_characters_of_escapes() {
    for (codec, text, column) in [
        ("percent", "a%C3%A9%zz", 8),
        // Characters beyond ASCII, and a line feed that is escaped.
        ("percent", "\u{E9}%0A\u{20AC}%zz", 6),
        ("json", "\\u00e9\\u20AC\\q", 13),
        ("html", "&eacute;&#xD800;", 9),
        ("c", "x\\n\\q", 4),
        ("code-points", "U+41 x\u{E9} \u{E9}x U+42", 9),
    ] {
        let bytes: Vec<_> = text.bytes().map(|byte| format!("{byte:02X}")).collect();
        let bytes = bytes.join(" ");
        let args = ["-f", codec];
        assert_eq!(place(&bytes, &args)[2], column, "{text}");
        // An ill-formed escape, too, has as many columns as characters.
        let dir = Dir::of(&[("f", format!("{text}\n{text}").as_bytes())]);
        for more in [&["f"][..], &["--segments", "byte", "f"]] {
            let out = dir.validate().args(["--format", "json", "-f", codec]).args(more).assert();
            let told = objects(&out.get_output().stdout);
            for found in &told[..told.len() - 1] {
                let offset = found["offset"].as_u64().unwrap() as usize;
                let file = format!("{text}\n{text}");
                // A byte within a character is behind its first bytes, which count one.
                let before = String::from_utf8_lossy(&file.as_bytes()[..offset]);
                let line = before.rsplit('\n').next().unwrap();
                assert_eq!(found["column_chars"], line.chars().count() + 1, "{text} {more:?}");
            }
        }
    }
}

#[test]
fn a_column_behind_an_ill_formed_escape_counts_its_characters() {
    // A reference to a surrogate, and two escaped bytes that begin no character.
    assert_eq!(place("26 23 78 44 38 30 30 3B FF", &["-f", "html"]), [1, 9, 9]);
    assert_eq!(place("25 46 46 25 46 46 FF", &["-f", "percent"]), [1, 7, 7]);
}

#[test]
fn an_unpaired_surrogate_of_cesu_8_counts_one() {
    assert_eq!(place("ED A0 80 FF", &["-f", "cesu-8"]), [1, 4, 2]);
    assert_eq!(place("ED A0 BD ED B8 80 FF", &["-f", "cesu-8"]), [1, 7, 2], "a pair is one");
}

#[test]
fn a_signature_of_utf_8_bom_is_no_text() {
    assert_eq!(place("EF BB BF FF", &["-f", "utf-8-bom"]), [1, 4, 1]);
    let summary = &json("EF BB BF 41", &["-f", "utf-8-bom"])[0];
    assert_eq!((&summary["scalars"], &summary["bom"]), (&json!(1), &json!(true)));
}

#[test]
fn json_names_a_file_losslessly() {
    let dir = Dir::new();
    if !dir.try_write(b"caf\xE9", b"\xFF") {
        return crate::common::bin::skipped("a name in Latin-1", "the file system takes none");
    }
    dir.write("café", b"\xFF");
    let out = dir
        .validate()
        .args(["--format", "json"])
        .arg(std::path::Path::new(std::ffi::OsStr::new("café")))
        .arg(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"caf\xE9"))
        .assert()
        .code(1);
    let objects = objects(&out.get_output().stdout);
    for object in &objects[..2] {
        assert_eq!(object["path"], "café");
        assert_eq!(object.get("path_bytes"), None, "UTF-8 needs none");
    }
    for object in &objects[2..] {
        assert_eq!(object["path"], "caf\u{FFFD}");
        assert_eq!(object["path_bytes"], "Y2Fm6Q==", "63 61 66 E9 in base64");
    }
    assert_eq!(objects.len(), 4);
}

#[test]
fn json_has_an_object_for_trouble() {
    let dir = Dir::of(&[("good", b"a")]);
    let out = dir.validate().args(["--format", "json", "missing", "good"]).assert().code(2);
    let objects = objects(&out.get_output().stdout);
    assert_eq!(objects[0]["type"], "trouble");
    assert_eq!(objects[0]["path"], "missing");
    assert!(objects[0]["message"].as_str().unwrap().contains("No such file"));
    assert_eq!(objects[0].as_object().unwrap().len(), 3);
    assert_eq!((&objects[1]["type"], &objects[1]["path"]), (&json!("summary"), &json!("good")));
    assert_eq!(objects.len(), 2);
}

#[test]
fn json_leaves_standard_error_alone() {
    hex("C0 AF", &["--format", "json"]).code(1).stderr("");
}

#[test]
fn json_names_the_codec() {
    assert_eq!(json("41", &["-f", "Oracle UTF8"])[0]["codec"], "cesu-8");
}
