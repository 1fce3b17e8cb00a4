//! The line ends of an input.

use super::classes::LintClass;
use super::queue::MatchState;
use super::{Linter, MOST_WAITING};
use crate::lint::{LineEnding, Lint};

/// The line ends of an input so far. Each lint about them has one finding in an input.
#[derive(Debug, Default)]
pub(super) struct LineEnds {
    first: Option<LineEnding>,
    has_other: bool,
}

impl LineEnds {
    /// Counts a line end. Returns the lints that its line may break, the most specific first.
    pub fn add(&mut self, end: LineEnding) -> &'static [Lint] {
        let is_new = match self.first {
            None => true,
            Some(first) => first != end && !std::mem::replace(&mut self.has_other, true),
        };
        let is_first = self.first.is_none();
        self.first.get_or_insert(end);
        match end {
            _ if !is_new => &[],
            LineEnding::Lf if is_first => &[Lint::Lf],
            LineEnding::CrLf if is_first => &[Lint::Crlf],
            LineEnding::Lf => &[Lint::Lf, Lint::MixedLineEnding],
            LineEnding::CrLf => &[Lint::Crlf, Lint::MixedLineEnding],
        }
    }

    /// Returns the first line end.
    pub fn first(&self) -> Option<LineEnding> {
        self.first
    }

    /// Returns `true` if a line feed alone may still be reported.
    pub fn needs_line_feeds(&self) -> bool {
        self.first.is_none() || self.first == Some(LineEnding::CrLf) && !self.has_other
    }
}

impl Linter {
    /// Examines line ends.
    pub(super) fn end_line(&mut self, offset: u64, bytes: &[u8], value: u32) {
        match value {
            0xA => self.add_line_feed(offset, bytes),
            0xD => self.add_carriage_return(offset, bytes),
            _ => self.settle_carriage_returns(),
        }
        if ends_line(value) {
            self.close_controls();
        }
    }

    /// Counts the line end that a LINE FEED completes.
    fn add_line_feed(&mut self, offset: u64, bytes: &[u8]) {
        let carriage_return = self.carriage_returns.next_back();
        let end = if carriage_return.is_some() { LineEnding::CrLf } else { LineEnding::Lf };
        let lints = self.line_ends.add(end);
        if carriage_return.is_some() || self.rules.levels.first_of(lints).is_some() {
            let number = carriage_return
                .unwrap_or_else(|| self.queue.push(offset, &[], None, MatchState::Waiting));
            let found = self.queue.get(number);
            found.bytes.extend_from_slice(bytes);
            found.detail = difference(end).to_vec();
            self.settle(number, lints);
        }
        self.look_at_line_feeds();
        // CARRIAGE RETURNs before CR LF are a part of one line end that was converted twice.
        for number in self.carriage_returns.clone() {
            self.queue.get(number).proposed = Some(String::new());
        }
        self.settle_carriage_returns();
    }

    /// Queues a CARRIAGE RETURN, which the next character decides about.
    fn add_carriage_return(&mut self, offset: u64, bytes: &[u8]) {
        if self.carriage_returns.len() == MOST_WAITING {
            self.settle_carriage_returns();
        }
        if self.rules.levels.first_of(LintClass::CarriageReturn.lints()).is_some() {
            let number = self.queue.push(offset, bytes, Some(0xD), MatchState::Waiting);
            let waiting = &self.carriage_returns;
            let first = if waiting.is_empty() { number } else { waiting.start };
            self.carriage_returns = first..number + 1;
        }
    }

    /// Decides about the CARRIAGE RETURNs that wait: they are lone.
    pub(super) fn settle_carriage_returns(&mut self) {
        for number in std::mem::replace(&mut self.carriage_returns, 0..0) {
            self.settle(number, &[Lint::LoneCr]);
        }
    }
}

/// Returns the message about a line end that differs from the first.
fn difference(end: LineEnding) -> &'static [u8] {
    match end {
        LineEnding::Lf => b"LF, the first line with CR LF",
        LineEnding::CrLf => b"CR LF, the first line with LF",
    }
}

/// Returns `true` if a character ends a line for editors.
fn ends_line(value: u32) -> bool {
    matches!(value, 0xA | 0xD | 0x85 | 0x2028 | 0x2029)
}
