//! The line ends of an input.

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

/// Returns the message about a line end that differs from the first.
pub(super) fn difference(end: LineEnding) -> &'static [u8] {
    match end {
        LineEnding::Lf => b"LF, the first line with CR LF",
        LineEnding::CrLf => b"CR LF, the first line with LF",
    }
}
