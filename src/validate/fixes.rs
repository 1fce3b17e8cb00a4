//! The changes of a text that fix its findings.

use super::linter::LintMatch;
use crate::lint::levels::{LintMask, lints_in};
use crate::lint::{FixAction, LINTS, LineEnding, Lint};
use crate::registry::Encoding;
use edits::{EditList, EditText};

pub use edits::{EditCursor, TextEdit};

mod edits;

/// The maximum number of edits of an input. Removals of adjacent characters are one.
const MOST_EDITS: usize = 1 << 20;

/// The number of bytes of the edits of an input, with the texts that they write, from which on no more
/// are made.
const MOST_BYTES: usize = 16 << 20;

/// Numbers of findings, by lint.
#[derive(Clone, Debug)]
pub struct LintCounts([u64; Lint::COUNT]);

impl Default for LintCounts {
    fn default() -> LintCounts {
        LintCounts([0; Lint::COUNT])
    }
}

impl LintCounts {
    /// Counts a finding.
    fn count(&mut self, lint: Lint) {
        self.0[lint as usize] += 1;
    }

    /// Adds the numbers of other findings.
    pub fn add(&mut self, others: &LintCounts) {
        self.0.iter_mut().zip(others.0).for_each(|(number, other)| *number += other);
    }

    /// Returns the number of all findings.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the names of the lints that have findings.
    pub fn ids(&self) -> Vec<&'static str> {
        LINTS.iter().filter(|row| self.0[row.lint as usize] > 0).map(|row| row.id).collect()
    }
}

/// The changes that fix the findings of some lints in an input.
#[derive(Debug, Default)]
pub struct LintFixes {
    /// The lints whose findings are fixed.
    lints: LintMask,
    /// The lints whose findings are only counted.
    skipped_lints: LintMask,
    /// The number of edits that are kept; 0 if findings are only counted.
    most_edits: usize,
    edits: EditList,
    /// The lints of these whose fix concerns the whole input, if there is a finding.
    whole: LintMask,
    /// The findings that edits fix.
    pub fixed: LintCounts,
    /// The findings whose fixes are not made.
    pub skipped: LintCounts,
    /// The number of findings whose fix the encoding cannot hold.
    pub unencodable: u64,
    /// The findings that another run can fix: their edits are too many, or overlap others.
    postponed: LintCounts,
    /// The findings whose fix would end a line that a comment is about.
    pub bound: LintCounts,
    /// The line end that settings ask for; at the end of the input, the one that edits write.
    line_end: Option<LineEnding>,
}

impl LintFixes {
    /// Returns the changes for these lints; there are none yet. The findings of `skipped_lints` are
    /// only counted. `line_end` is the one that settings ask for.
    pub fn new(
        lints: LintMask,
        skipped_lints: LintMask,
        line_end: Option<LineEnding>,
    ) -> LintFixes {
        let most_edits = MOST_EDITS;
        LintFixes { lints, skipped_lints, most_edits, line_end, ..LintFixes::default() }
    }

    /// Returns the insertion of a line end at an offset.
    #[cfg(test)]
    pub(crate) fn with_line_end_at(offset: u64) -> LintFixes {
        let mut edits = EditList::default();
        edits.push(offset, 0, EditText::LineEnd);
        LintFixes { edits, ..LintFixes::default() }
    }

    /// Returns the edit behind a place, and moves the place behind it. Edits are in the order of their
    /// offsets, and do not overlap.
    pub fn next_edit(&self, cursor: &mut EditCursor) -> Option<TextEdit> {
        self.edits.next(cursor)
    }

    /// Returns the text that an edit writes, in UTF-8.
    pub fn text(&self, edit: &TextEdit) -> &[u8] {
        match edit.text {
            EditText::Nothing => &[],
            EditText::Space => b" ",
            EditText::LineEnd => self.line_end().as_bytes(),
            EditText::Proposed(range) => self.edits.proposed(range),
        }
    }

    /// Returns the line end that edits write, and that all lines get if a fix of the whole input
    /// does that.
    pub fn line_end(&self) -> LineEnding {
        self.line_end.unwrap_or(LineEnding::Lf)
    }

    /// Returns a count of findings of the same lints; there are none yet.
    pub fn counter(&self) -> LintFixes {
        let fixes = LintFixes::new(self.lints, self.skipped_lints, self.line_end);
        LintFixes { most_edits: 0, ..fixes }
    }

    /// Returns the findings that are fixed by this run or another.
    pub fn fixable(&self) -> LintCounts {
        let mut all = self.fixed.clone();
        all.add(&self.postponed);
        lints_in(self.whole).for_each(|row| all.count(row.lint));
        all
    }

    /// Returns `true` if a fix of the whole input is needed for one of these findings.
    pub fn needs(&self, action: FixAction) -> bool {
        lints_in(self.whole).any(|row| row.fix.is_some_and(|fix| fix.action == action))
    }

    /// Adds the fix of a match in a text in an encoding, if it has one.
    pub(super) fn add(&mut self, found: &LintMatch, lint: Lint, encoding: &Encoding) {
        if lint.mask() & self.skipped_lints != 0 {
            self.skipped.count(lint);
        }
        let Some(fix) = lint.row().fix.filter(|_| lint.mask() & self.lints != 0) else { return };
        // A line end at the end of the text starts no line to which a comment could apply.
        let splits_line = fix.action == FixAction::LineEnd && lint != Lint::MissingFinalNewline;
        if found.is_bound && splits_line && found.proposed.is_none() {
            return self.bound.count(lint);
        }
        let text = match fix.action {
            FixAction::Remove => EditText::Nothing,
            FixAction::Space => EditText::Space,
            FixAction::LineEnd if found.proposed.as_deref() == Some("") => EditText::Nothing,
            FixAction::LineEnd => EditText::LineEnd,
            FixAction::Replace => {
                let encodable = |text: &&str| text.chars().all(|c| encoding.can_encode(c.into()));
                let Some(text) = found.proposed.as_deref().filter(encodable) else {
                    self.unencodable += 1;
                    return;
                };
                EditText::Proposed(text)
            }
            FixAction::RemoveBom | FixAction::AddBom | FixAction::UnifyLineEnds => {
                self.whole |= lint.mask();
                return;
            }
        };
        match self.push(found.offset, found.bytes.len() as u64, text) {
            true => self.fixed.count(lint),
            false => self.postponed.count(lint),
        }
    }

    /// Appends an edit, or joins it with the last one. Returns `false` if that is left to another
    /// run.
    fn push(&mut self, offset: u64, length: u64, text: EditText<&str>) -> bool {
        let edits = &mut self.edits;
        if offset < edits.end() {
            return false;
        }
        if text == EditText::Nothing && edits.extend_removal(offset, length) {
            return true;
        }
        let has_room = edits.len() < self.most_edits && edits.size() <= MOST_BYTES;
        if has_room {
            edits.push(offset, length, text);
        }
        has_room
    }

    /// Ends the input, whose first line end this is. A single edit writes it, whatever settings ask
    /// for.
    pub(super) fn end(&mut self, first_line_end: Option<LineEnding>) {
        self.line_end = match self.needs(FixAction::UnifyLineEnds) {
            true => self.line_end.or(first_line_end),
            false => first_line_end.or(self.line_end),
        };
    }
}
