//! Lints that report stretches of text, which are decided after the text has passed.
//!
//! Each search has its matches in order. They leave in the order of all matches: a match waits while
//! a search may still find one before it.

use std::collections::VecDeque;
use std::iter;

use super::declaration::DeclarationSearch;
use super::mojibake::MojibakeSearch;
use super::nfc::NfcSearch;
use super::queue::{LintMatch, MatchState};
use crate::codec::Step;
use crate::lint::levels::RuleLevels;
use crate::lint::{Level, Lint};
use crate::registry::Encoding;

/// Whole sequences of a text.
#[derive(Clone, Copy)]
pub(super) struct TextSlice<'a> {
    /// The offset in the input, in bytes.
    pub offset: u64,
    pub bytes: &'a [u8],
    /// True if the text is UTF-8.
    pub is_utf8: bool,
    pub encoding: &'static Encoding,
}

impl<'a> TextSlice<'a> {
    /// Returns the sequences, with their offsets and bytes.
    pub fn steps(self) -> impl Iterator<Item = (u64, &'a [u8], Step)> {
        let mut at = 0;
        iter::from_fn(move || {
            let rest = self.bytes.get(at..).filter(|rest| !rest.is_empty())?;
            let step = self.encoding.step(rest);
            // Steps without a length are possible only if the bytes change.
            let bytes = &rest[..step.size().clamp(1, rest.len())];
            let offset = self.offset + at as u64;
            at += bytes.len();
            Some((offset, bytes, step))
        })
    }
}

/// A search for stretches of text that a lint reports.
pub(super) trait StretchSearch {
    /// Examines the next part of a text.
    fn examine(&mut self, slice: TextSlice<'_>, found: &mut MatchList);

    /// Decides about the text so far. Later text has no context.
    fn close(&mut self, found: &mut MatchList);

    /// Decides about text of any length, because many other matches wait for it.
    fn give_up(&mut self, found: &mut MatchList) {
        let _ = found;
    }

    /// Returns the offset from which text is undecided, or `None` if all text is decided.
    fn undecided_from(&self) -> Option<u64>;
}

/// The matches of a search, in the order of their offsets.
pub(super) struct MatchList {
    lint: Lint,
    level: Level,
    matches: VecDeque<LintMatch>,
    /// The number of matches whose position is known.
    placed: usize,
}

impl MatchList {
    fn new(lint: Lint, level: Level) -> MatchList {
        MatchList { lint, level, matches: VecDeque::new(), placed: 0 }
    }

    /// Appends a match.
    pub fn push(&mut self, found: LintMatch) {
        let state = MatchState::Found(self.lint, self.level);
        self.matches.push_back(LintMatch { state, ..found });
    }

    /// Returns the offset of the first match, if its position is known.
    fn first_placed(&self) -> Option<u64> {
        self.matches.front().filter(|_| self.placed > 0).map(|found| found.offset)
    }

    /// Returns the offset of the first match whose position is not known.
    fn first_unplaced(&self) -> Option<u64> {
        self.matches.get(self.placed).map(|found| found.offset)
    }
}

/// The searches for stretches, and their matches.
#[derive(Default)]
pub(super) struct StretchLints {
    searches: Vec<(Box<dyn StretchSearch>, MatchList)>,
    /// The end of the last match that was found, and its level.
    covered: Option<(u64, Level)>,
}

impl StretchLints {
    /// Returns the searches of a text in an encoding for the lints that are reported.
    pub fn of(encoding: &'static Encoding, levels: &RuleLevels) -> StretchLints {
        let mut lints = StretchLints::default();
        lints.add(levels, Lint::WrongDeclaration, || DeclarationSearch::new(encoding));
        lints.add(levels, Lint::Mojibake, || MojibakeSearch::new(levels));
        lints.add(levels, Lint::NotNfc, || NfcSearch::new(levels));
        lints
    }

    /// Adds a search, if its lint is reported.
    fn add<S: StretchSearch + 'static>(
        &mut self,
        levels: &RuleLevels,
        lint: Lint,
        open: impl FnOnce() -> S,
    ) {
        if let Some((lint, level)) = levels.first_of(&[lint]) {
            self.searches.push((Box::new(open()), MatchList::new(lint, level)));
        }
    }

    /// Examines the next part of a text.
    pub fn examine(&mut self, slice: TextSlice<'_>) {
        for (search, found) in &mut self.searches {
            search.examine(slice, found);
        }
    }

    /// Decides about the text so far.
    pub fn close(&mut self) {
        for (search, found) in &mut self.searches {
            search.close(found);
        }
    }

    /// Decides about text that other matches wait for without a limit.
    pub fn give_up(&mut self) {
        for (search, found) in &mut self.searches {
            search.give_up(found);
        }
    }

    /// Returns the offset of the first match whose position is not known.
    pub fn offset_to_place(&self) -> Option<u64> {
        self.searches.iter().filter_map(|(_, list)| list.first_unplaced()).min()
    }

    /// Returns the first match whose position is not known, if it is at `end` or before.
    pub fn next_to_place(&mut self, end: Option<u64>) -> Option<&mut LintMatch> {
        let offset = self.offset_to_place().filter(|&offset| end.is_none_or(|end| offset <= end));
        let mut lists = self.searches.iter_mut().map(|(_, list)| list);
        let list = lists.find(|list| offset.is_some() && list.first_unplaced() == offset)?;
        list.placed += 1;
        list.matches.get_mut(list.placed - 1)
    }

    /// Returns the number of matches that have not left.
    pub fn len(&self) -> usize {
        self.searches.iter().map(|(_, list)| list.matches.len()).sum()
    }

    /// Returns the offset of the first match that has not left, or from which matches may still be
    /// found.
    pub fn first_waiting(&self) -> Option<u64> {
        let firsts =
            self.searches.iter().filter_map(|(_, list)| Some(list.matches.front()?.offset));
        firsts.chain([self.undecided_from()]).min()
    }

    /// Returns the offset from which matches may still be found, or have no position; the largest
    /// number if there are none.
    pub fn undecided_from(&self) -> u64 {
        let starts = self.searches.iter().filter_map(|(search, _)| search.undecided_from());
        starts.chain(self.offset_to_place()).min().unwrap_or(u64::MAX)
    }

    /// Removes the first match, with its lint and level, if it has its position, no match may still
    /// be found before it, and it is at `end` or before.
    pub fn next_found(&mut self, end: Option<u64>) -> Option<(LintMatch, Lint, Level)> {
        let undecided = self.undecided_from();
        loop {
            let firsts = self.searches.iter().filter_map(|(_, list)| list.first_placed());
            let offset = firsts.min().filter(|&offset| offset < undecided)?;
            if end.is_some_and(|end| end < offset) {
                return None;
            }
            let mut lists = self.searches.iter_mut().map(|(_, list)| list);
            let list = lists.find(|list| list.first_placed() == Some(offset))?;
            list.placed -= 1;
            let (found, lint, level) = (list.matches.pop_front()?, list.lint, list.level);
            if !self.is_covered(offset, level) {
                self.covered = Some((found.end(), level));
                return Some((found, lint, level));
            }
        }
    }

    /// Returns `true` if a match at an offset is in a stretch that was found, whose level is the
    /// same or higher.
    pub fn is_covered(&self, offset: u64, level: Level) -> bool {
        self.covered.is_some_and(|(end, most)| offset < end && level <= most)
    }
}
