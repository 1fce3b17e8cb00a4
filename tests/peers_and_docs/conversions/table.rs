//! All code points and sequences in other programs, against a table of known differences.

use std::collections::BTreeSet;

use utf8::codec::Group;
use utf8::registry::{CODECS, Encoding};

use super::answers::{Reading, Writing};
use super::ask::{ICONV, JAVA, Job, PERL, PYTHON, Peer, TCL, UCONV};
use super::differences::spell;
use super::ours::Ours;
use crate::common::bin::skipped;

/// Encodings, peers' names for them, and their differences.
static TABLE: &str = include_str!("../../corpus/peers.tsv");

/// An encoding, a peer's name for it, and the peer's differences.
struct Row {
    spec: &'static Encoding,
    theirs: &'static str,
    /// The bytes that it reads differently.
    read: &'static str,
    /// The code points that it writes differently than its reading implies.
    written: &'static str,
}

/// Returns the cells of the table: an encoding, a `peer=name`, and the differences.
fn cells() -> impl Iterator<Item = [&'static str; 4]> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect("four cells"))
}

impl Row {
    /// Returns the rows of a peer.
    fn all(peer: &Peer) -> Vec<Row> {
        let row = |[ours, names, read, written]: [&'static str; 4]| {
            let names = names.split(' ').filter_map(|name| name.split_once('='));
            let names = names.filter(|(name, _)| *name == peer.name);
            names.map(move |(_, theirs)| Row {
                spec: Encoding::for_label(ours).expect(ours),
                theirs,
                read,
                written,
            })
        };
        cells().flat_map(row).collect()
    }

    /// Returns two jobs: to write our text, and to read our bytes.
    fn jobs(&self, peer: &Peer) -> [Job<'static>; 2] {
        let ours = Ours::of(self.spec);
        [
            Job { from: peer.text, to: self.theirs, bytes: &ours.text },
            Job { from: self.theirs, to: peer.text, bytes: &ours.asked },
        ]
    }

    /// Returns the peer's differences in the notation of the table.
    fn differences(&self, written: &[u8], read: &[u8]) -> Result<[String; 2], String> {
        let ours = Ours::of(self.spec);
        // The form for mailboxes has no lines, but no peer differs there.
        if written == ours.written && read == ours.read {
            return Ok(["-", "-"].map(str::to_owned));
        }
        let (line, end) = (&b"\n"[..], &ours.end[..]);
        let reading = Reading::of([(&ours.asked, end), (&ours.read, line), (read, line)])?;
        let texts = [(&ours.text[..], line), (&ours.written, end), (written, end)];
        let Writing { differences, elsewhere } = Writing::of(self.spec, texts, &reading)?;
        Ok([spell(&reading.differences, 0), spell(&differences, elsewhere)])
    }

    /// Returns the correct row if the table is wrong.
    fn complaint(&self, peer: &Peer, written: &[u8], read: &[u8]) -> Option<String> {
        let found = match self.differences(written, read) {
            Ok(found) if found == [self.read, self.written] => return None,
            Ok(found) => found.join("\t"),
            Err(error) => error,
        };
        Some(format!("{}\t{}={}\t{found}\n", self.spec.name, peer.name, self.theirs))
    }

    /// Returns `true` if another version of the peer may differ.
    fn differs(&self) -> bool {
        [self.read, self.written] != ["-", "-"]
    }
}

/// The number of rows at a time, which limits memory.
const ROWS: usize = 8;

fn agrees(peer: &Peer, case: &str) {
    let mut complaints = String::new();
    for rows in Row::all(peer).chunks(ROWS) {
        let jobs: Vec<_> = rows.iter().flat_map(|row| row.jobs(peer)).collect();
        let Some(answers) = peer.ask(case, &jobs) else { return };
        for (row, answers) in rows.iter().zip(answers.chunks(2)) {
            match row.complaint(peer, &answers[0], &answers[1]) {
                Some(said) if row.differs() && !peer.is_as_listed() => skipped(case, &said),
                said => complaints.extend(said),
            }
        }
    }
    assert!(complaints.is_empty(), "{} is not as listed:\n{complaints}", peer.name);
}

/// Encodings that no peer has.
const OURS_ALONE: [&str; 7] =
    ["utf-8n", "optu-8", "utf8mb3", "utf-1", "fss-utf-1992", "ucs-2", "x-user-defined"];

/// Encodings that other tests ask about: they hold more than lines of scalar values, or no lines, or
/// leave much to the writer.
const ELSEWHERE: [&str; 13] = [
    "iso-11548-1",
    "utf-8-bom",
    "wtf-8",
    "generalized-utf-8",
    "utf-8-surrogateescape",
    "utf-16",
    "utf-16le-bom",
    "wtf-16le",
    "wtf-16be",
    "utf-32",
    "utf-32le-bom",
    "utf-7-imap",
    "scsu",
];

#[test]
fn the_table_covers_all_codecs_of_the_peers() {
    let listed: Vec<_> = cells().map(|[ours, ..]| ours).collect();
    let codecs = CODECS.iter().filter(|spec| spec.group != Group::Notation);
    let missing = codecs.map(|spec| spec.name).filter(|name| !listed.contains(name));
    assert_eq!(missing.collect::<BTreeSet<_>>(), OURS_ALONE.into_iter().chain(ELSEWHERE).collect());
}

#[test]
fn iconv_converts_the_same() {
    agrees(&ICONV, "iconv_converts_the_same");
}

#[test]
fn uconv_converts_the_same() {
    agrees(&UCONV, "uconv_converts_the_same");
}

#[test]
fn python_converts_the_same() {
    agrees(&PYTHON, "python_converts_the_same");
}

#[test]
fn perl_converts_the_same() {
    agrees(&PERL, "perl_converts_the_same");
}

#[test]
fn tcl_converts_the_same() {
    agrees(&TCL, "tcl_converts_the_same");
}

#[test]
fn java_converts_the_same() {
    agrees(&JAVA, "java_converts_the_same");
}
