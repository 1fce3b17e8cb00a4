//! The format `baseline`: the findings of old text, and the reader that recognizes them.
//!
//! A line has the hash of path, kind and bytes, the number of such findings in the file, the kind
//! and the path, separated by tabs. The lines of findings are no part of it, so that it survives
//! edits around them.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::path::Path;

use super::fingerprint::hash;
use super::{Finding, Format, ReportedInput, path_in_repository};
use crate::text::name::InputName;
use crate::text::write;

/// The version of the hash, at the start of each line.
const VERSION: &str = "1:";

/// The maximum number of different findings that are kept. A file with more has several lines for
/// equal ones.
const MOST: usize = 64 << 10;

/// The maximum length of a line, in bytes. The longest path of a system has 4 KiB.
const LONGEST: u64 = 64 << 10;

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
pub struct Baseline {
    /// In the order of the hashes.
    known: Vec<(Hash, u64)>,
    /// True if some name is an absolute path.
    has_absolute: bool,
    /// True if some name is a relative path.
    has_relative: bool,
}

/// The form of the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameForm {
    Absolute,
    Relative,
}

impl NameForm {
    /// Returns the form of a name.
    pub(crate) fn of(name: &Path) -> NameForm {
        if name.is_absolute() { NameForm::Absolute } else { NameForm::Relative }
    }
}

/// A hash in bytes, without the alignment of a number.
type Hash = [u8; 16];

/// The reason why a baseline cannot be read.
#[derive(Debug)]
pub enum BaselineError {
    /// A malformed line: its number, from 1.
    Line(u64),
    /// An error of reading.
    Io(io::Error),
}

impl Baseline {
    /// Reads a baseline, line by line.
    ///
    /// # Errors
    /// A line is malformed; errors of reading.
    pub fn read(text: &mut dyn BufRead) -> Result<Baseline, BaselineError> {
        let (mut baseline, mut line) = (Baseline::default(), Vec::new());
        for number in 1.. {
            line.clear();
            let length = text.take(LONGEST).read_until(b'\n', &mut line);
            if length.map_err(BaselineError::Io)? == 0 {
                break;
            }
            if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
                return Err(BaselineError::Line(number));
            }
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            // Editors on Windows write a BOM.
            let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
                Some(rest) if number == 1 => rest,
                _ => line,
            };
            if line.trim_ascii().is_empty() || line.starts_with(b"#") {
                continue;
            }
            let line = parse_line(line).ok_or(BaselineError::Line(number))?;
            baseline.known.push((line.hash, line.count));
            let form = line.name.map(|name| NameForm::of(name.as_ref()));
            baseline.has_absolute |= form == Some(NameForm::Absolute);
            baseline.has_relative |= form == Some(NameForm::Relative);
        }
        let known = &mut baseline.known;
        known.sort_unstable();
        known.dedup_by(|(hash, number), (kept, sum)| {
            let is_equal = hash == kept;
            if is_equal {
                *sum = sum.saturating_add(*number);
            }
            is_equal
        });
        known.shrink_to_fit();
        Ok(baseline)
    }

    /// Returns the number of findings that are known.
    pub fn number(&self) -> u64 {
        self.known.iter().fold(0, |sum, (_, number)| sum.saturating_add(*number))
    }

    /// Returns the form of all names, or `None` if the baseline has both forms or no names.
    #[cfg(feature = "cli")]
    pub(crate) fn name_form(&self) -> Option<NameForm> {
        match (self.has_absolute, self.has_relative) {
            (true, false) => Some(NameForm::Absolute),
            (false, true) => Some(NameForm::Relative),
            _ => None,
        }
    }

    /// Returns the number of findings with a hash that are known.
    fn known(&self, hash: u128) -> Option<u64> {
        let at = self.known.binary_search_by_key(&hash.to_be_bytes(), |(hash, _)| *hash).ok()?;
        Some(self.known[at].1)
    }
}

/// A line of a baseline.
struct BaselineLine<'a> {
    hash: Hash,
    /// The number of findings with the hash.
    count: u64,
    /// The name of the file, if it is UTF-8.
    name: Option<&'a str>,
}

/// Parses a line of a baseline.
fn parse_line(line: &[u8]) -> Option<BaselineLine<'_>> {
    let mut fields = line.split(|byte| *byte == b'\t').map(std::str::from_utf8);
    let hash = fields.next()?.ok()?.strip_prefix(VERSION)?;
    let hash = u128::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 32)?;
    let count = fields.next()?.ok()?.parse().ok()?;
    // The kind is not read: the hash has it.
    let name = fields.nth(1).and_then(Result::ok);
    Some(BaselineLine { hash: hash.to_be_bytes(), count, name })
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
        let Some(known) = self.baseline.known(hash) else { return false };
        let found = self.found.entry(hash).or_default();
        *found += 1;
        *found <= known
    }
}
