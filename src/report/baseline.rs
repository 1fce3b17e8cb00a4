//! The format `baseline`: the findings of old text, and the reader that recognizes them.
//!
//! A line has the hash of path, kind and bytes, the number of such findings in the file, the kind
//! and the path, separated by tabs. The lines of findings are no part of it, so that it survives
//! edits around them.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Seek, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

/// The numbers of known findings, by their hashes, in the order of the hashes.
#[derive(Debug, Default)]
pub struct Baseline {
    known: Vec<(Hash, u64)>,
    uses: Option<BaselineUses>,
}

/// The part of a baseline that a run has met.
#[derive(Debug, Default)]
struct BaselineUses {
    /// The numbers of findings that were found, in the order of the known ones.
    found: Vec<AtomicU64>,
    /// The hashes of the paths, in order, and whether their files were examined.
    examined: Vec<(Hash, AtomicBool)>,
}

impl BaselineUses {
    /// Returns whether the file of this path was examined; `None` if the baseline does not have it.
    fn file(&self, path: &[u8]) -> Option<&AtomicBool> {
        let hash = hash_of_path(path);
        let at = self.examined.binary_search_by_key(&hash, |(hash, _)| *hash).ok()?;
        Some(&self.examined[at].1)
    }
}

/// Returns the hash of a path as it stands in a baseline.
fn hash_of_path(path: &[u8]) -> Hash {
    hash([path.strip_prefix(b"./").unwrap_or(path)]).to_be_bytes()
}

/// The result of a reduction of a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrunedBaseline {
    /// The number of findings that are left.
    pub kept: u64,
    /// The number of findings that were removed.
    pub removed: u64,
    /// True if a file of the baseline was examined or exists.
    pub has_files: bool,
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
        let mut known = Vec::new();
        each_line(text, |_, parsed| {
            known.extend(parsed.map(|BaselineLine { hash, number, .. }| (hash, number)));
            Ok(())
        })?;
        known.sort_unstable();
        known.dedup_by(|(hash, number), (kept, sum)| {
            let is_equal = hash == kept;
            if is_equal {
                *sum = sum.saturating_add(*number);
            }
            is_equal
        });
        known.shrink_to_fit();
        Ok(Baseline { known, uses: None })
    }

    /// Reads a baseline that [`prune`](Baseline::prune) reduces after the run.
    ///
    /// # Errors
    /// Those of [`read`](Baseline::read).
    pub fn read_to_prune(text: &mut (impl BufRead + Seek)) -> Result<Baseline, BaselineError> {
        let mut paths = Vec::new();
        each_line(text, |_, parsed| {
            paths.extend(parsed.map(|line| hash_of_path(line.path)));
            Ok(())
        })?;
        paths.sort_unstable();
        paths.dedup();
        text.rewind().map_err(BaselineError::Io)?;
        let read = Baseline::read(text)?;
        let found = read.known.iter().map(|_| AtomicU64::new(0)).collect();
        let examined = paths.into_iter().map(|path| (path, AtomicBool::new(false))).collect();
        Ok(Baseline { uses: Some(BaselineUses { found, examined }), ..read })
    }

    /// Records that an input was examined as a whole.
    pub fn note_examined(&self, name: &InputName<'_>) {
        let file = self.uses.as_ref().and_then(|uses| uses.file(name.listed()));
        if let Some(is_examined) = file {
            is_examined.store(true, Ordering::Relaxed);
        }
    }

    /// Writes the lines of a baseline without the findings that the run did not find in the files that it
    /// examined, and without those of files that do not exist.
    ///
    /// # Errors
    /// A line is malformed; errors of reading and writing.
    pub fn prune(
        &self,
        text: &mut dyn BufRead,
        out: &mut dyn Write,
        exists: impl Fn(&[u8]) -> bool,
    ) -> Result<PrunedBaseline, BaselineError> {
        let mut pruned = PrunedBaseline::default();
        each_line(text, |line, parsed| {
            let Some(BaselineLine { hash, number, path }) = parsed else {
                return out.write_all(line);
            };
            let (left, has_file) = self.left(hash, number, path, &exists);
            pruned.kept += left;
            pruned.removed += number - left;
            pruned.has_files |= has_file;
            match left {
                0 => Ok(()),
                _ if left == number => out.write_all(line),
                _ => {
                    let mut fields = line.splitn(3, |byte| *byte == b'\t');
                    let (hash, rest) = (fields.next(), fields.nth(1));
                    let left = left.to_string();
                    let fields =
                        [hash.unwrap_or_default(), left.as_bytes(), rest.unwrap_or_default()];
                    out.write_all(&fields.join(&b'\t'))
                }
            }
        })?;
        Ok(pruned)
    }

    /// Returns the number of findings of a line that are left, and `true` if its file was examined or
    /// exists.
    fn left(
        &self,
        hash: Hash,
        number: u64,
        path: &[u8],
        exists: &impl Fn(&[u8]) -> bool,
    ) -> (u64, bool) {
        let uses = self.uses.as_ref();
        let file = uses.and_then(|uses| uses.file(path));
        if !file.is_some_and(|is_examined| is_examined.load(Ordering::Relaxed)) {
            let exists = exists(path);
            return (if exists { number } else { 0 }, exists);
        }
        // Lines with one hash share the number.
        let found = uses.zip(self.place(hash)).map(|(uses, at)| &uses.found[at]);
        let left = found.map_or(number, |found| {
            let left = number.min(found.load(Ordering::Relaxed));
            found.fetch_sub(left, Ordering::Relaxed);
            left
        });
        (left, true)
    }

    /// Returns the number of findings that are known.
    pub fn number(&self) -> u64 {
        self.known.iter().fold(0, |sum, (_, number)| sum.saturating_add(*number))
    }

    /// Returns the place of a hash among the known ones.
    fn place(&self, hash: Hash) -> Option<usize> {
        self.known.binary_search_by_key(&hash, |(hash, _)| *hash).ok()
    }
}

/// A line of a baseline.
struct BaselineLine<'a> {
    hash: Hash,
    number: u64,
    /// The path, with escapes.
    path: &'a [u8],
}

/// Passes each line, with its line end, to a closure, parsed unless it is empty or a comment.
fn each_line(
    text: &mut dyn BufRead,
    mut work: impl FnMut(&[u8], Option<BaselineLine<'_>>) -> io::Result<()>,
) -> Result<(), BaselineError> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = text.take(LONGEST).read_until(b'\n', &mut line);
        if length.map_err(BaselineError::Io)? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            return Err(BaselineError::Line(number));
        }
        let content = line.strip_suffix(b"\n").unwrap_or(&line);
        let parsed = match content.trim_ascii().is_empty() || content.starts_with(b"#") {
            true => None,
            false => Some(parse_line(content).ok_or(BaselineError::Line(number))?),
        };
        work(&line, parsed).map_err(BaselineError::Io)?;
    }
    Ok(())
}

/// Parses a line.
fn parse_line(line: &[u8]) -> Option<BaselineLine<'_>> {
    let mut fields = line.splitn(4, |byte| *byte == b'\t');
    let mut text = || std::str::from_utf8(fields.next()?).ok();
    let hash = text()?.strip_prefix(VERSION)?;
    let hash = u128::from_str_radix(hash, 16).ok().filter(|_| hash.len() == 32)?;
    let number = text()?.parse().ok()?;
    let path = fields.nth(1).unwrap_or_default();
    Some(BaselineLine { hash: hash.to_be_bytes(), number, path })
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
        let Some(at) = self.baseline.place(hash.to_be_bytes()) else { return false };
        let found = self.found.entry(hash).or_default();
        *found += 1;
        let is_known = *found <= self.baseline.known[at].1;
        if let Some(uses) = self.baseline.uses.as_ref().filter(|_| is_known) {
            uses.found[at].fetch_add(1, Ordering::Relaxed);
        }
        is_known
    }
}
