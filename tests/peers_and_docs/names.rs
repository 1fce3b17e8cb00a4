//! Names of encodings, compared with those of other programs.

use std::collections::BTreeMap;

use crate::common::peer::{peer, python};
use utf8::registry::Encoding;

/// Names by which `iconv` means another set: the WHATWG has KOI8, ibm-874 is the table of IBM, and the
/// pages of Windows have controls in their holes, as ibm1162 and ibm5347 have.
const OTHER_SETS: [&str; 11] = [
    "KOI8",
    "KOI-8",
    "IBM874",
    "CP1162",
    "CSIBM11621162",
    "IBM-1162",
    "IBM1162",
    "CP5347",
    "CSIBM5347",
    "IBM-5347",
    "IBM5347",
];

/// A program that prints, for each name, the name and the code points of each byte.
const TABLES: &str = r#"
import subprocess, sys
for name in sys.stdin.read().split():
    run = subprocess.run(["iconv", "-c", "-f", name, "-t", "UTF-32LE"], input=bytes(range(256)),
                         capture_output=True)
    print(name, run.stdout.hex())
"#;

/// Returns the names that `iconv` prints; `None` without it.
fn names_of_iconv() -> Option<Vec<String>> {
    let list = String::from_utf8(peer("iconv", &["-l"], b"-")?).unwrap();
    let names = list.split_whitespace().map(|name| name.trim_end_matches('/').to_owned());
    Some(names.collect())
}

#[test]
fn the_names_of_iconv_are_known() {
    let Some(names) = names_of_iconv() else { return };
    let (known, unknown): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| Encoding::for_label(name).is_some());
    // Mixed EBCDIC, sets with shifts, JIS X 0213, Johab, ISO 6937 and its kin are missing.
    assert!(known.len() * 100 >= names.len() * 90, "of {} unknown: {unknown:?}", names.len());
}

/// All names of a code page, as `iconv` has them, mean one table there.
#[test]
fn no_name_of_a_page_means_another_table() {
    let Some(names) = names_of_iconv() else { return };
    let pages = names.iter().filter(|name| !OTHER_SETS.contains(&name.as_str()));
    let pages: Vec<_> = pages
        .filter(|name| Encoding::for_label(name).is_some_and(Encoding::is_page))
        .map(String::as_str)
        .collect();
    let Some(tables) = python(TABLES, pages.join("\n").as_bytes()) else { return };
    let mut first: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for line in tables.lines() {
        let (name, table) = line.split_once(' ').unwrap();
        let page = Encoding::for_label(name).unwrap().name;
        let (other, expected) = *first.entry(page).or_insert((name, table));
        assert_eq!(table, expected, "{name} and {other} are {page}");
    }
}
