//! Names of Java, whose tables are compared with those of the codecs that they mean.

use std::collections::BTreeSet;

use super::owner;
use crate::common::peer::peer;
use crate::common::{hex, runs, scalar, unhex};
use utf8::registry::Encoding;

/// The program that prints tables.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers_and_docs/names/Tables.java");

/// A table to ask for.
struct Job {
    name: &'static str,
    codec: &'static Encoding,
    /// The bytes before and after each sequence in hex.
    frame: [&'static str; 2],
}

/// Returns the tables of all names without state; pairs of mixed sets are between shifts.
fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (name, _) in owner("java").names() {
        let Some(codec) = Encoding::for_label(&format!("java:{name}")) else { continue };
        let is_mixed = codec.name.starts_with("ibm") && codec.properties.stateful;
        let plain = (is_mixed || !codec.properties.stateful).then_some(["-", "-"]);
        let frames = plain.into_iter().chain(is_mixed.then_some(["0E", "0F"]));
        jobs.extend(frames.map(|frame| Job { name, codec, frame }));
    }
    jobs
}

/// Returns the code points of bytes in the notation of the program.
fn read(codec: &Encoding, bytes: &[u8]) -> String {
    let mut text = Vec::new();
    let issues = runs(codec, scalar(), bytes, 0, |run| {
        let mut room = [0; 16];
        let loaded = run.reader.load(scalar(), run.bytes, &mut room);
        text.extend(room[..loaded.written].iter().map(|value| format!("{value:x}")));
    });
    if issues > 0 || text.is_empty() { "-".to_owned() } else { text.join("+") }
}

/// Returns the sequences that an answer is about, with the texts.
fn cells(answer: &str) -> Vec<(Vec<u8>, &str)> {
    let mut answers = answer.split(' ');
    let mut cells = Vec::new();
    for lead in 0..=u8::MAX {
        let alone = answers.next().unwrap();
        cells.push((vec![lead], alone));
        let trails = (0..=u8::MAX).filter(|_| alone == "-");
        cells.extend(trails.map(|trail| (vec![lead, trail], answers.next().unwrap())));
    }
    cells
}

/// Returns `true` if a codec may have a text that Java refuses: a set may have more rows, and a page
/// controls in its holes, or the point that windows-1255 got later.
fn may_add(codec: &Encoding, bytes: &[u8]) -> bool {
    let point = codec.code_point(bytes[0]);
    !codec.is_page()
        || bytes.len() > 1
        || point.is_some_and(|point| matches!(point, 0x80..0xA0 | 0x5BA))
}

/// All that Java reads under a name, we read alike.
#[test]
fn names_of_java_mean_its_tables() {
    let jobs = jobs();
    let line = |job: &Job| format!("{} {} {}\n", job.name, job.frame[0], job.frame[1]);
    let input: String = jobs.iter().map(line).collect();
    let args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", TABLES];
    let Some(answer) = peer("java", &args, input.as_bytes()) else { return };
    let answer = String::from_utf8(answer).unwrap();
    assert_eq!(answer.lines().count(), jobs.len());
    let mut seen = BTreeSet::new();
    let mut complaints = String::new();
    for (Job { name, codec, frame }, answer) in jobs.iter().zip(answer.lines()) {
        let (charset, texts) = answer.split_once(' ').unwrap();
        if !seen.insert((charset, codec.name, frame)) {
            continue;
        }
        let [before, after] = frame.map(|hex| if hex == "-" { Vec::new() } else { unhex(hex) });
        // Shifts of a mixed set are no characters.
        let is_shift = |byte: &u8| codec.properties.stateful && matches!(byte, 0x0E | 0x0F);
        for (bytes, theirs) in cells(texts) {
            if bytes.iter().any(is_shift) || theirs == "-" && may_add(codec, &bytes) {
                continue;
            }
            let ours = read(codec, &[&before[..], &bytes, &after].concat());
            if ours != theirs {
                complaints += &format!(
                    "java:{name} ({charset}) is {}, {}: {theirs}, not {ours}\n",
                    codec.name,
                    hex(&bytes)
                );
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}
