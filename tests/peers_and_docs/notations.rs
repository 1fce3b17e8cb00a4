//! Notations in other programs: written text is read back, and readings agree.

use crate::common::written;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::inputs::Rng;
use crate::common::notation::{AWKWARD, MODES, fragments, lacks, read, texts};
use serde_json::{Value, json};
use tempfile::TempDir;
use utf8::registry::Encoding;

/// A text and one of its spellings.
struct Case {
    values: Vec<u32>,
    spelt: Vec<u8>,
}

impl Case {
    fn text(&self) -> &str {
        str::from_utf8(&self.spelt).unwrap()
    }
}

/// Returns spellings of awkward pairs and of random texts, in every mode.
fn cases(spec: &Encoding) -> Vec<Case> {
    let mut rng = Rng::new(305);
    let pairs =
        AWKWARD.iter().flat_map(|&first| AWKWARD.iter().map(move |&second| vec![first, second]));
    let any = (0..300).map(|len| texts(&mut rng, len % 40));
    let texts = pairs.chain(any).map(|mut values| {
        values.retain(|&value| !lacks(spec, value));
        values
    });
    let spelt = texts.zip((0..3).cycle()).filter_map(|(values, mode)| {
        Some(Case { spelt: written(spec, MODES[mode], values.iter().copied())?, values })
    });
    spelt.collect()
}

/// Returns spellings, well-formed and not, with their code points.
fn readings(spec: &Encoding, but: &[&str]) -> Vec<(String, Option<Vec<u32>>)> {
    let mut rng = Rng::new(1105);
    let fragments: Vec<_> =
        fragments(spec.name).iter().filter(|fragment| !but.contains(fragment)).collect();
    (0..6000)
        .map(|_| (0..rng.below(7)).map(|_| *rng.pick(&fragments)).collect::<String>())
        .map(|text| {
            let values = read(spec, text.as_bytes());
            (text, values)
        })
        .collect()
}

/// Returns the output of a program. Reports a skip and returns `None` if it cannot run.
fn answer(case: &str, command: &mut Command, input: &[u8]) -> Option<Vec<u8>> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        crate::common::bin::skipped(
            case,
            &format!("there is no {}", command.get_program().display()),
        );
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    let out = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{case}: {}", &said[..said.len().min(2000)]);
    Some(out.stdout)
}

/// Runs an interpreter on texts; returns the numbers of each, or `None`.
fn interpret(case: &str, program: &[&str], texts: &[&str]) -> Option<Vec<Option<Vec<u32>>>> {
    let mut command = Command::new(program[0]);
    let input = serde_json::to_vec(&json!(texts)).unwrap();
    let out = answer(case, command.args(&program[1..]), &input)?;
    let Value::Array(rows) = serde_json::from_slice(&out).unwrap() else { panic!("{case}") };
    let row = |row: Value| serde_json::from_value::<Option<Vec<u32>>>(row).unwrap();
    Some(rows.into_iter().map(row).collect())
}

/// Returns a Python program that reads each text by an expression over `s`; warnings are errors.
fn python(expression: &str) -> String {
    format!(
        "import ast, html, json, sys, urllib.parse, warnings
warnings.simplefilter('error')
def read(s):
    try:
        return [ord(c) for c in {expression}]
    except (SyntaxError, ValueError):
        return None
json.dump([read(s) for s in json.load(sys.stdin)], sys.stdout)"
    )
}

/// Returns a Node.js program that reads each text by an expression over `s`.
fn node(expression: &str) -> String {
    format!(
        "const read = s => {{
  try {{ return Array.from({expression}, c => c.codePointAt(0)); }} catch {{ return null; }}
}};
console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8')).map(read)));"
    )
}

/// Checks that a program reads spellings as the original text.
fn reads_back(name: &str, program: &[&str], but: impl Fn(u32) -> bool) {
    let mut cases = cases(Encoding::for_label(name).unwrap());
    cases.retain(|case| !case.values.iter().any(|&value| but(value)));
    let texts: Vec<_> = cases.iter().map(Case::text).collect();
    let Some(found) = interpret(&format!("{name} as written"), program, &texts) else { return };
    for (case, found) in cases.iter().zip(found) {
        assert_eq!(found.as_ref(), Some(&case.values), "{name}: {}", case.text());
    }
}

/// Compares readings: the text, ours, theirs.
fn reads_as(
    name: &str,
    program: &[&str],
    but: &[&str],
    compare: impl Fn(&str, Option<Vec<u32>>, Option<Vec<u32>>),
) {
    let readings = readings(Encoding::for_label(name).unwrap(), but);
    let texts: Vec<_> = readings.iter().map(|reading| reading.0.as_str()).collect();
    let Some(found) = interpret(&format!("{name} as read"), program, &texts) else { return };
    for ((text, ours), theirs) in readings.into_iter().zip(found) {
        compare(&text, ours, theirs);
    }
}

#[test]
fn python_reads_python() {
    let python = python("ast.literal_eval('\"' + s + '\"')");
    reads_back("python", &["python3", "-c", &python], |_| false);
    // Above \377, Python 3.12 and later warn; but not where a character beyond ASCII follows a
    // backslash.
    reads_as("python", &["python3", "-c", &python], &["\\7", "é"], |text, ours, theirs| {
        assert_eq!(ours, theirs, "{text}");
    });
}

#[test]
fn python_reads_json_and_html_and_percent() {
    reads_back("json", &["python3", "-c", &python("json.loads('\"' + s + '\"')")], |_| false);
    reads_back(
        "percent",
        &["python3", "-c", &python("urllib.parse.unquote(s, errors='strict')")],
        |_| false,
    );
    // It drops control characters and noncharacters.
    let dropped = |value| {
        matches!(value, 0..=8 | 0x0B | 0x0E..=0x1F | 0x7F | 0xFDD0..=0xFDEF)
            || value & 0xFFFE == 0xFFFE
    };
    let html = python("html.unescape(s)");
    reads_back("html", &["python3", "-c", &html], dropped);
    reads_as("html", &["python3", "-c", &html], &[], |text, ours, theirs| {
        let comparable = |values: &Vec<u32>| !values.iter().any(|&value| dropped(value));
        if ours.as_ref().is_some_and(comparable) {
            assert_eq!(ours, theirs, "{text}");
        }
    });
}

/// Every named reference of HTML in Python's table.
#[test]
fn python_has_the_named_references() {
    let program = "import html.entities, json, sys
json.dump(sorted((k, [ord(c) for c in v]) for k, v in html.entities.html5.items()), sys.stdout)";
    let Some(out) = answer("names of HTML", Command::new("python3").args(["-c", program]), b"")
    else {
        return;
    };
    let theirs: Vec<(String, Vec<u32>)> = serde_json::from_slice(&out).unwrap();
    assert_eq!(theirs.len(), 2231);
    let notation = Encoding::for_label("html").unwrap();
    for (name, values) in theirs {
        assert_eq!(read(notation, format!("&{name}").as_bytes()), Some(values));
    }
}

/// Every character name in Python's table.
#[test]
fn python_has_the_names_of_characters() {
    // Later versions of Unicode may have other characters.
    let program = "import sys, unicodedata
if unicodedata.unidata_version.split('.')[:1] > ['17']: unicodedata = unicodedata.ucd_3_2_0
for value in range(0x110000):
    name = unicodedata.name(chr(value), '')
    if name: print(f'{value:X}', name)";
    let Some(out) =
        answer("names of characters", Command::new("python3").args(["-c", program]), b"")
    else {
        return;
    };
    let theirs = String::from_utf8(out).unwrap();
    assert!(theirs.lines().count() > 90_000);
    let notation = Encoding::for_label("python").unwrap();
    for line in theirs.lines() {
        let (value, name) = line.split_once(' ').unwrap();
        let value = u32::from_str_radix(value, 16).unwrap();
        let found = read(notation, format!("\\N{{{name}}}").as_bytes());
        assert_eq!(found, Some(vec![value]), "{name}");
    }
}

#[test]
fn node_reads_json_and_javascript() {
    reads_back("json", &["node", "-e", &node("JSON.parse('\"' + s + '\"')")], |_| false);
    // JavaScript takes any other character after a backslash for itself, and any number of zeros.
    let but = ["\\", "000000000000000"];
    let script = node("(0, eval)('\"use strict\"; (\"' + s + '\")')");
    reads_as("json", &["node", "-e", &script], &but, |text, ours, theirs| {
        assert_eq!(ours, theirs, "{text}");
    });
    reads_as(
        "json",
        &["node", "-e", &node("JSON.parse('\"' + s + '\"')")],
        &[],
        |text, ours, theirs| {
            assert!(theirs.is_none() || ours == theirs, "{text}: {ours:X?}, {theirs:X?}");
        },
    );
}

#[test]
fn node_reads_percent() {
    let script = node("decodeURIComponent(s)");
    reads_back("percent", &["node", "-e", &script], |_| false);
    reads_as("percent", &["node", "-e", &script], &[], |text, ours, theirs| {
        assert_eq!(ours, theirs, "{text}");
    });
}

/// Compiles and runs a program that prints the bytes of each literal.
fn compile(case: &str, compiler: &[&str], name: &str, source: &str) -> Option<Vec<Vec<u8>>> {
    let dir = TempDir::new().unwrap();
    let (file, program) = (dir.path().join(name), dir.path().join("program"));
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new(compiler[0]);
    answer(case, command.args(&compiler[1..]).arg(&file).arg("-o").arg(&program), b"")?;
    let out = answer(case, &mut Command::new(program), b"").unwrap();
    let lines = str::from_utf8(&out).unwrap().lines();
    Some(lines.map(crate::common::unhex).collect())
}

/// Checks that each literal is compiled to the UTF-8 of its text.
fn compiles_to(
    case: &str,
    compiler: &[&str],
    name: &str,
    frame: [&str; 3],
    literals: &[(String, Vec<u32>)],
) {
    let [before, line, behind] = frame;
    let lines: String = literals.iter().map(|(text, _)| line.replace('@', text)).collect();
    let source = format!("{before}{lines}{behind}");
    let Some(found) = compile(case, compiler, name, &source) else { return };
    assert_eq!(found.len(), literals.len(), "{case}");
    for ((text, values), found) in literals.iter().zip(found) {
        let expected: String = values.iter().filter_map(|&value| char::from_u32(value)).collect();
        assert_eq!(String::from_utf8_lossy(&found), expected, "{case}: {text}");
    }
}

/// Returns spellings with their text: written ones, and random ones that are well-formed.
fn literals(name: &str, but: &[&str]) -> Vec<(String, Vec<u32>)> {
    let spec = Encoding::for_label(name).unwrap();
    let written = cases(spec).into_iter().map(|case| (case.text().to_owned(), case.values));
    let read = readings(spec, but).into_iter().filter_map(|(text, values)| Some((text, values?)));
    written.chain(read.filter(|(text, _)| !text.contains('\n')).take(1500)).collect()
}

#[test]
fn rustc_reads_rust() {
    let frame = [
        "fn main() {\n    for text in [\n",
        "\"@\",\n",
        "    ] {\n        for byte in text.bytes() { print!(\"{byte:02X} \"); }\n        println!();\n    }\n}\n",
    ];
    compiles_to("rustc", &["rustc", "--edition=2021"], "main.rs", frame, &literals("rust", &[]));
}

/// C99 and C17 have trigraphs, the GNU dialects do not.
#[test]
fn cc_reads_c() {
    let frame = [
        "#include <stdio.h>\nstruct { const char *text; unsigned length; } all[] = {\n",
        "{\"@\", sizeof \"@\" - 1},\n",
        "};\nint main(void) {\n    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {\n\
         for (unsigned j = 0; j < all[i].length; j++) printf(\"%02X \", all[i].text[j] & 0xFF);\n\
         puts(\"\");\n    }\n}\n",
    ];
    // C has no escape for characters below U+00A0.
    let literals = literals("c", &["\\u", "\\U", "??"]);
    for standard in ["-std=c99", "-std=c17", "-std=gnu17"] {
        compiles_to(standard, &["cc", "-w", standard], "main.c", frame, &literals);
    }
}
