//! The format `baseline`: the findings of old text, and the reader that recognizes them.
//!
//! A line has the hash of path, kind and bytes, the number of such findings in the file, the kind
//! and the path, separated by tabs. The lines of findings are no part of it, so that it survives
//! edits around them.

use std::collections::HashMap;

use super::fingerprint::hash;
use super::{Finding, Format, ReportedInput, path_in_repository};
use crate::text::name::InputName;
use crate::text::write;

/// The version of the hash, at the start of each line.
const VERSION: &str = "1:";

/// The maximum number of different findings that are kept. A file with more has several lines for
/// equal ones.
const MOST: usize = 64 << 10;

/// Returns the hash of a finding.
fn hash_of(name: &InputName<'_>, id: &str, bytes: &[u8]) -> u128 {
    hash([path_in_repository(name), id.as_bytes(), bytes])
}

/// A writer of a baseline.
#[derive(Default)]
pub(super) struct BaselineReport {
    /// The places in `counts`, by hash.
    places: HashMap<u128, usize>,
    /// The different findings of an input in their order: hash, kind and number.
    counts: Vec<(u128, &'static str, u64)>,
}

impl BaselineReport {
    fn flush(&mut self, out: &mut Vec<u8>, name: &InputName<'_>) {
        self.places.clear();
        for (hash, id, number) in self.counts.drain(..) {
            out.extend(format!("{VERSION}{hash:032x}\t").bytes());
            write::decimal(out, number);
            out.extend(format!("\t{id}\t").bytes());
            out.extend_from_slice(name.listed());
            out.push(b'\n');
        }
    }
}

impl Format for BaselineReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        if self.counts.len() == MOST {
            self.flush(out, finding.name);
        }
        let hash = hash_of(finding.name, finding.id(), finding.bytes());
        let new = self.counts.len();
        let place = *self.places.entry(hash).or_insert(new);
        if place == new {
            self.counts.push((hash, finding.id(), 0));
        }
        self.counts[place].2 += 1;
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        self.flush(out, input.name);
    }
}

/// The numbers of known findings, by their hashes.
#[derive(Debug, Default)]
pub struct Baseline(HashMap<u128, u64>);

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// Returns the number of the first line that is malformed, from 1.
    pub fn parse(text: &[u8]) -> Result<Baseline, usize> {
        let mut known = HashMap::new();
        for (line, number) in text.split(|byte| *byte == b'\n').zip(1_usize..) {
            if line.trim_ascii().is_empty() || line.starts_with(b"#") {
                continue;
            }
            let (hash, count) = parse_line(line).ok_or(number)?;
            let sum: &mut u64 = known.entry(hash).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(Baseline(known))
    }

    /// Returns the number of findings that are known.
    pub fn number(&self) -> u64 {
        self.0.values().fold(0, |sum, number| sum.saturating_add(*number))
    }
}

/// Returns the hash and the number of a line.
fn parse_line(line: &[u8]) -> Option<(u128, u64)> {
    let mut fields = line.split(|byte| *byte == b'\t').map(std::str::from_utf8);
    let hash = fields.next()?.ok()?.strip_prefix(VERSION)?;
    let hash = u128::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 32)?;
    Some((hash, fields.next()?.ok()?.parse().ok()?))
}

/// The findings of an input that a baseline knows.
#[derive(Debug)]
pub struct KnownFindings<'a> {
    baseline: &'a Baseline,
    name: &'a InputName<'a>,
    /// The numbers of findings so far.
    found: HashMap<u128, u64>,
}

impl<'a> KnownFindings<'a> {
    /// Returns the findings of an input.
    pub fn new(baseline: &'a Baseline, name: &'a InputName<'a>) -> KnownFindings<'a> {
        KnownFindings { baseline, name, found: HashMap::new() }
    }

    /// Counts a finding. Returns `true` if the baseline has as many of them.
    pub fn has(&mut self, id: &str, bytes: &[u8]) -> bool {
        let hash = hash_of(self.name, id, bytes);
        let Some(&known) = self.baseline.0.get(&hash) else { return false };
        let found = self.found.entry(hash).or_default();
        *found += 1;
        *found <= known
    }
}
