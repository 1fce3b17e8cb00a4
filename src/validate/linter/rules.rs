//! The rules of a search, and the text that they certainly do not report.

use std::io;
use std::sync::Arc;

use super::classes::{LintClass, class_of};
use super::context::Neighbours;
use super::{declaration, inline, interest};
use crate::codec::Step;
use crate::codec::family::floor_boundary;
use crate::kernel::{Kernels, LONGEST_UTF8, SequenceFilter};
use crate::lint::levels::RuleLevels;
use crate::lint::{Level, Lint};
use crate::registry::Encoding;
use crate::sink::{AheadWork, ScanBytes, well_formed_len};

/// The lints that may report a text without any character that they name.
const SEARCHES: &[Lint] = &[Lint::Mojibake, Lint::NotNfc, Lint::MissingBom, Lint::Lf];

/// The levels of all rules, prepared for the search of any number of texts.
pub struct LintRules {
    pub(in crate::validate) levels: RuleLevels,
    /// The sequences of UTF-8 that need a look.
    filter: SequenceFilter,
    /// The same with line feeds.
    line_feed_filter: SequenceFilter,
    /// True if one of [`SEARCHES`] is reported.
    has_searches: bool,
}

impl LintRules {
    /// Returns the sequences of UTF-8 that need a look, with line feeds or without.
    fn filter(&self, line_feeds: bool) -> &SequenceFilter {
        match line_feeds {
            true => &self.line_feed_filter,
            false => &self.filter,
        }
    }

    /// Returns `true` if lints certainly report nothing in a text that is well-formed UTF-8 without
    /// U+FEFF at its start. `comments` says that comments turn lints off.
    pub(in crate::validate) fn pass(&self, kernels: &Kernels, text: &[u8], comments: bool) -> bool {
        let is_reported = |lint| self.levels.of(lint) != Level::Allow;
        let lacks_line_end = text.last().is_some_and(|last| !b"\n\r".contains(last));
        let may_have_findings = self.has_searches
            || is_reported(Lint::MissingFinalNewline) && lacks_line_end
            || is_reported(Lint::WrongDeclaration) && declaration::declares_any(text)
            || comments && inline::may_have_comments(text);
        !may_have_findings && kernels.skip(text, &self.filter) == text.len()
    }

    /// Returns the number of bytes of whole sequences at the front of UTF-8 text that lints certainly
    /// do not report. `before` has the last two code points before the text, the last one first, if
    /// they are known.
    pub(super) fn plain_len(
        &self,
        kernels: &Kernels,
        text: &[u8],
        line_feeds: bool,
        before: Option<[Option<u32>; 2]>,
    ) -> usize {
        let mut at = 0;
        loop {
            at += kernels.skip(&text[at..], self.filter(line_feeds));
            let step = Encoding::UTF_8.step(&text[at..]);
            let context = || match (last_two(&text[..at]), before) {
                ([last, None], Some(before)) if last.is_some() => Some([last, before[0]]),
                ([_, None], _) => before,
                (known, _) => Some(known),
            };
            let after = text.get(at + step.size()..).unwrap_or_default();
            if !self.is_certainly_allowed(&step, context, after, Encoding::UTF_8) {
                return at;
            }
            at += step.size();
        }
    }

    /// Returns `true` if certainly no lint reports the character of a step: one that no lint names, or
    /// an invisible one that its neighbours need. Returns `false` if a neighbour that decides is not
    /// known. `before` returns the last two code points, the last one first.
    pub(super) fn is_certainly_allowed(
        &self,
        step: &Step,
        before: impl Fn() -> Option<[Option<u32>; 2]>,
        after: &[u8],
        encoding: &Encoding,
    ) -> bool {
        let &[value] = step.values() else { return false };
        if self.levels.of(Lint::NotAscii) != Level::Allow {
            return false;
        }
        let after = match class_of(value) {
            None => return self.levels.of(Lint::Unassigned) == Level::Allow,
            // The characters before it decide.
            Some(LintClass::Selector) => None,
            Some(LintClass::Invisible) if !after.is_empty() => {
                let &[after, ..] = encoding.step(after).values() else { return false };
                Some(after)
            }
            _ => return false,
        };
        before().is_some_and(|before| Neighbours { before, after }.need(value))
    }

    /// Returns `true` if a lint is reported.
    #[cfg(feature = "cli")]
    pub(crate) fn report(&self, lint: Lint) -> bool {
        self.levels.of(lint) != Level::Allow
    }
}

impl From<RuleLevels> for LintRules {
    fn from(levels: RuleLevels) -> LintRules {
        let [filter, line_feed_filter] =
            [false, true].map(|line_feeds| interest::filter(&levels, line_feeds));
        let has_searches = levels.first_of(SEARCHES).is_some();
        LintRules { levels, filter, line_feed_filter, has_searches }
    }
}

/// Search ahead for text that needs no look.
pub(super) struct LintWork {
    pub rules: Arc<LintRules>,
    /// True if line feeds need one. They may cease to.
    pub line_feeds: bool,
    pub kernels: &'static Kernels,
}

impl AheadWork for LintWork {
    fn process(&mut self, bytes: &[u8], scan: ScanBytes<'_>, _: &mut Vec<u8>) -> io::Result<usize> {
        // In this order, the bytes after the text are examined by one of both alone.
        let plain = self.rules.plain_len(self.kernels, bytes, self.line_feeds, None);
        well_formed_len(&bytes[..plain], scan)
    }
}

/// Returns the last two code points of UTF-8 text, the last one first; `None` where it has fewer.
pub(super) fn last_two(text: &[u8]) -> [Option<u32>; 2] {
    let end = &text[floor_boundary(text, text.len().saturating_sub(2 * LONGEST_UTF8))..];
    let mut chars = str::from_utf8(end).unwrap_or_default().chars().rev().map(u32::from);
    [chars.next(), chars.next()]
}
