//! The counts of an input.

use std::ops::Range;

use crate::codec::LengthCounts;
use crate::issue::{KINDS, Kind};
use crate::lint::{LINTS, Level, Lint};

/// The counts of an input, or of the part that was examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputSummary {
    /// The offset of the first byte that was examined.
    pub start: u64,
    /// The number of bytes that were examined.
    pub size: u64,
    /// The number of findings.
    pub findings: u64,
    /// The number of findings that are warnings.
    pub warnings: u64,
    by_kind: [u64; Kind::COUNT],
    by_lint: [u64; Lint::COUNT],
    /// The number of places that comments in the text allow.
    pub suppressed: u64,
    /// The number of places that a baseline knows, which are no findings.
    pub known: u64,
    /// The number of ill-formed places that the levels of rules allow, which are no findings.
    pub allowed: u64,
    /// True if the check stopped at the limit of findings.
    pub stopped: bool,
    /// True if the input starts with U+FEFF; `None` if its start was not examined.
    pub bom: Option<bool>,
    /// The number of lines, including an unterminated last one; 0 if they were not counted.
    pub lines: u64,
    /// The numbers of well-formed code points by their length in bytes; 0 if they were not counted.
    pub lengths: LengthCounts,
    /// The counts that put the reports of ranges together, if they are wanted.
    pub range: Option<RangeCounts>,
}

/// The counts of a range that positions in the range after it depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeCounts {
    /// The name of the encoding of the text: that which a byte order mark selects.
    pub text: &'static str,
    /// The number of bytes of the whole input, if it is known.
    pub of: Option<u64>,
    /// The number of line ends.
    pub line_ends: u64,
    /// The number of bytes after the last line end, or of all bytes.
    pub open_bytes: u64,
    /// The number of code points after the last line end, or of all.
    pub open_chars: u64,
}

impl InputSummary {
    /// Returns the summary of a range before it is examined.
    pub fn of(range: &Range<u64>) -> InputSummary {
        let at_start = range.start == 0 && !range.is_empty();
        InputSummary {
            start: range.start,
            bom: at_start.then_some(false),
            ..InputSummary::default()
        }
    }

    /// Counts ill-formed sequences.
    pub(crate) fn add(&mut self, kind: Kind, level: Level, number: u64) {
        self.by_kind[kind as usize] += number;
        self.add_findings_of(level, number);
    }

    /// Counts a finding of a lint.
    pub(crate) fn add_lint(&mut self, lint: Lint, level: Level) {
        self.by_lint[lint as usize] += 1;
        self.add_findings_of(level, 1);
    }

    fn add_findings_of(&mut self, level: Level, number: u64) {
        self.findings += number;
        self.warnings += if level == Level::Warn { number } else { 0 };
    }

    /// Returns the number of findings that are errors.
    pub fn errors(&self) -> u64 {
        self.findings - self.warnings
    }

    /// Counts the findings of another input.
    #[cfg(feature = "cli")]
    pub(crate) fn add_findings(&mut self, other: &InputSummary) {
        self.findings += other.findings;
        self.warnings += other.warnings;
        self.suppressed += other.suppressed;
        self.known += other.known;
        self.allowed += other.allowed;
        self.by_lint.iter_mut().zip(other.by_lint).for_each(|(sum, number)| *sum += number);
        self.by_kind.iter_mut().zip(other.by_kind).for_each(|(sum, number)| *sum += number);
    }

    /// Returns the names of the kinds and lints that were found and their numbers, in the order of
    /// [`KINDS`] and [`LINTS`].
    pub fn found(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let lints = LINTS.iter().map(|row| (row.id, self.by_lint[row.lint as usize]));
        let kinds = self.kinds().map(|(kind, number)| (kind.id(), number));
        kinds.chain(lints.filter(|(_, number)| *number > 0))
    }

    /// Returns the kinds that were found and their numbers, in the order of [`KINDS`].
    pub fn kinds(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        let all = KINDS.iter().map(|row| (row.kind, self.by_kind[row.kind as usize]));
        all.filter(|(_, number)| *number > 0)
    }
}
