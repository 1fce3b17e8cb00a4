//! `utf8 dump-bits --format json`: every field of every sequence.

use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::common::bin::{Dir, objects, run};
use crate::common::inputs::{MIXTURES, Rng, dirty};
use crate::common::representatives;
use utf8::codec::Group;

/// Returns the objects of the bytes of hex digits.
fn dump(digits: &str, args: &[&str]) -> Vec<Value> {
    let args = [&["dump-bits", "--format", "json", "-xe", digits], args].concat();
    objects(&run(&args).assert().code(0).get_output().stdout)
}

/// Returns the fields of the only sequence, without those that every object has.
fn said(digits: &str, codec: &str) -> Value {
    let objects = dump(digits, &["-f", codec]);
    let [Value::Object(object)] = &objects[..] else { panic!("not one object: {objects:?}") };
    let mut object = object.clone();
    for key in ["type", "path", "offset", "length", "hex", "bits", "markers"] {
        assert!(object.remove(key).is_some(), "{key} of {digits}");
    }
    Value::Object(object)
}

#[test]
fn characters_have_all_fields() {
    assert_eq!(
        dump("41 E2 82 AC", &[])[1],
        json!({
            "type": "sequence", "path": "-e", "offset": 1, "length": 3, "hex": "E2 82 AC",
            "bits": "11100010 10000010 10101100", "markers": [4, 2, 2], "role": "character",
            "value": "U+20AC", "char": "€", "name": "EURO SIGN", "category": "Sc",
        })
    );
}

#[test]
fn faults_have_the_fields_of_validate() {
    assert_eq!(
        said("C0 AF", "utf-8"),
        json!({
            "role": "fault", "kind": "overlong-2", "class": "overlong", "value": "U+002F",
            "message": "overlong 2-byte form C0 AF of U+002F",
        })
    );
    assert_eq!(said("E2 82", "utf-8")["value"], Value::Null);
}

#[test]
fn signatures_and_shifts_have_roles() {
    assert_eq!(said("EF BB BF", "utf-8-bom"), json!({"role": "signature"}));
    assert_eq!(dump("1B 24 42 1B 28 42", &["-f", "iso-2022-jp"])[0]["role"], "skip");
}

#[test]
fn a_sequence_may_spell_two_code_points() {
    // HKSCS-2008: 8862 is U+00CA U+0304.
    let said = said("88 62", "big5-hkscs");
    assert_eq!(said["values"], json!(["U+00CA", "U+0304"]));
    assert_eq!(said["char"], "\u{CA}\u{304}");
    assert_eq!(said["categories"], json!(["Lu", "Mn"]));
    let names = ["LATIN CAPITAL LETTER E WITH CIRCUMFLEX", "COMBINING MACRON"];
    assert_eq!(said["names"], json!(names));
}

#[test]
fn non_scalar_values_have_no_character() {
    let surrogate = said("ED A0 80", "wtf-8");
    assert_eq!(surrogate["value"], "U+D800");
    assert_eq!(surrogate["char"], Value::Null);
    assert_eq!(surrogate["category"], "Cs");
    let beyond = said("F8 88 80 80 80", "rfc2279");
    assert_eq!(beyond["value"], "U+200000");
    assert_eq!([&beyond["char"], &beyond["category"]], [&Value::Null, &Value::Null]);
}

#[test]
fn a_value_that_is_computed_has_its_derivation() {
    assert!(said("3D D8 00 DE", "utf-16le")["derivation"].is_string());
    assert_eq!(said("E2 82 AC", "utf-8")["derivation"], Value::Null);
}

#[test]
fn cut_sequences_name_the_whole() {
    let objects = dump("41 E2 82 AC 42", &["-s", "2", "-n", "1"]);
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["cut"], json!({"sequence_offset": 1, "sequence_hex": "E2 82 AC"}));
    assert_eq!([&objects[0]["offset"], &objects[0]["length"]], [&json!(2), &json!(1)]);
    assert_eq!([&objects[0]["hex"], &objects[0]["markers"]], [&json!("82"), &json!([2])]);
    assert!(dump("41 E2 82 AC 42", &[]).iter().all(|object| object.get("cut").is_none()));
}

#[test]
fn names_can_be_left_out() {
    let object = &dump("41", &["--no-names"])[0];
    assert_eq!([object.get("name"), object.get("value")], [None, Some(&json!("U+0041"))]);
}

#[test]
fn a_path_that_is_no_text_has_its_bytes() {
    let dir = Dir::new();
    if !dir.try_write(b"a\xFF\x1B\"", b"x") {
        return crate::common::bin::skipped(
            "a path of bytes",
            "the file system takes no such names",
        );
    }
    let mut command = run(&["dump-bits", "--format", "json"]);
    let name = std::ffi::OsStr::from_bytes(b"a\xFF\x1B\"");
    let assert = command.current_dir(dir.path("")).arg(name).assert().code(0);
    let object = &objects(&assert.get_output().stdout)[0];
    assert_eq!(object["path"], "a\u{FFFD}\u{1B}\"");
    assert_eq!(object["path_bytes"], "Yf8bIg==");
}

#[test]
fn only_ill_formed_shows_faults_and_their_context() {
    // abcd FF efgh FF
    let digits = "61 62 63 64 FF 65 66 67 68 FF";
    let offsets = |args: &[&str]| -> Vec<Value> {
        let args = [&["--only-ill-formed"], args].concat();
        dump(digits, &args).iter().map(|object| object["offset"].clone()).collect()
    };
    assert_eq!(offsets(&[]), [4, 9]);
    assert_eq!(offsets(&["--context", "1"]), [3, 4, 5, 8, 9]);
    assert_eq!(offsets(&["--context", "2"]), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(offsets(&["--context", "9"]).len(), 10);
    assert_eq!(dump("61 62 63", &["--only-ill-formed", "--context", "1"]).len(), 0);
}

/// `--only-ill-formed` leaves the same objects for every way to read the text.
#[test]
fn only_ill_formed_is_a_subset_of_the_whole_dump() {
    let mut rng = Rng::new(0x4EA2);
    let sample = dirty(&mut rng, 6000, MIXTURES[7], 60);
    let dir = Dir::of(&[("text", &sample)]);
    let dump = |args: &[&str]| {
        let mut command = run(&["dump-bits", "--format", "json", "text"]);
        let out = command.args(args).current_dir(dir.path("")).output().unwrap().stdout;
        objects(&out)
    };
    let all = dump(&[]);
    for context in [0, 1, 2, 7, 100] {
        let near = |at: usize| {
            let around = at.saturating_sub(context)..(at + context + 1).min(all.len());
            all[around].iter().any(|object| object["role"] == "fault")
        };
        let expected: Vec<&Value> =
            (0..all.len()).filter(|&at| near(at)).map(|at| &all[at]).collect();
        let left = dump(&["--only-ill-formed", "--context", &context.to_string()]);
        assert_eq!(left.iter().collect::<Vec<_>>(), expected, "{context}");
    }
}

#[test]
fn a_cut_fault_is_one_where_it_starts() {
    let digits = "41 F0 9F 98 41";
    let count = |skip: &str| dump(digits, &["-s", skip, "--only-ill-formed"]).len();
    assert_eq!([count("1"), count("2"), count("4")], [1, 0, 0]);
}

#[test]
fn other_layouts_are_refused() {
    for options in [&["--plain"][..], &["--layout", "bytes"], &["-c", "8"], &["--squeeze"]] {
        for format in ["json", "html"] {
            let args = [&["dump-bits", "-e", "a", "--format", format], options].concat();
            run(&args).assert().code(2).stdout("");
        }
    }
}

/// Returns random bytes, and some with a meaning in most encodings.
fn samples() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(0xD0_4B);
    let random = (0..2000).map(|_| rng.next() as u8).collect();
    let mut samples = vec![Vec::new(), b"\xEF\xBB\xBFabcdef".to_vec(), random];
    samples.extend([1, 5].map(|rarity| dirty(&mut rng, 3000, MIXTURES[7], rarity)));
    samples
}

/// The names of the files of samples.
const NAMES: [&str; 5] = ["0", "1", "2", "3", "4"];

/// Returns the objects of all samples.
fn of_samples(dir: &Dir, command: &str, codec: &str) -> Vec<Value> {
    let mut command = run(&[command, "--format", "json", "-f", codec]);
    objects(&command.args(NAMES).current_dir(dir.path("")).output().unwrap().stdout)
}

/// Returns a directory with a file for each sample.
fn sample_files() -> Dir {
    let dir = Dir::new();
    samples().iter().zip(NAMES).for_each(|(sample, name)| dir.write(name, sample));
    dir
}

/// Each sequence starts where the one before it ends, and no byte is missing.
#[test]
fn all_bytes_are_there_in_every_codec() {
    let dir = sample_files();
    for spec in representatives() {
        let objects = of_samples(&dir, "dump-bits", spec.name);
        for (sample, name) in samples().iter().zip(NAMES) {
            let mut bytes = Vec::new();
            for object in objects.iter().filter(|object| object["path"] == name) {
                assert_eq!(object["offset"], bytes.len(), "{}", spec.name);
                let hex = object["hex"].as_str().unwrap().split(' ');
                let more: Vec<u8> = hex.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
                let bits: Vec<String> = more.iter().map(|byte| format!("{byte:08b}")).collect();
                assert_eq!(object["bits"], bits.join(" "), "{}", spec.name);
                assert_eq!(object["length"], more.len(), "{}", spec.name);
                let markers = object["markers"].as_array().unwrap();
                assert_eq!(markers.len(), more.len());
                assert!(markers.iter().all(|bits| bits.as_u64().unwrap() <= 8));
                bytes.extend(more);
            }
            assert!(bytes == *sample, "{}", spec.name);
        }
    }
}

/// The ill-formed sequences of a dump are the findings of `validate`, with the same fields.
#[test]
fn faults_are_the_findings_of_validate() {
    let dir = sample_files();
    for spec in representatives().into_iter().filter(|spec| spec.group != Group::Notation) {
        let told = |command: &str, key: &str, wanted: &str| -> Vec<Value> {
            let mut objects = of_samples(&dir, command, spec.name);
            objects.retain(|object| object[key] == wanted);
            let keys = ["path", "offset", "length", "kind", "class", "hex", "value"];
            objects.iter().map(|object| keys.map(|key| object[key].clone()).into()).collect()
        };
        let faults = told("dump-bits", "role", "fault");
        assert_eq!(faults, told("validate", "type", "finding"), "{}", spec.name);
    }
}

#[test]
fn no_terminal_controls_are_written() {
    let hostile = "\x1B[31m\u{9B}\x7F\u{202E}\u{2066}\u{2028}##[error]\n::error::\0";
    let dir = Dir::of(&[("text", hostile.as_bytes())]);
    let mut command = run(&["dump-bits", "--format", "json", "text"]);
    let out = command.current_dir(dir.path("")).output().unwrap().stdout;
    let text = String::from_utf8(out).unwrap();
    let is_obeyed = |c: char| {
        c != '\n' && c.is_control()
            || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(text.chars().find(|&c| is_obeyed(c)), None);
    let chars: String =
        objects(text.as_bytes()).iter().map(|object| object["char"].as_str().unwrap()).collect();
    assert_eq!(chars, hostile);
}
