//! The queue of matches, in the order of their offsets.

use std::collections::VecDeque;

use crate::finding::locate::Position;
use crate::lint::{Level, Lint};

/// A place in the text that a lint reports, or may report.
#[derive(Debug, Default)]
pub(in crate::validate) struct LintMatch {
    /// The offset in the input, in bytes.
    pub offset: u64,
    /// The bytes of its characters.
    pub bytes: Vec<u8>,
    /// The number of its characters.
    pub columns: u64,
    /// The first character.
    pub value: Option<u32>,
    /// A fact for the message.
    pub detail: Vec<u8>,
    /// The text that is meant instead, if the lint knows it.
    pub proposed: Option<String>,
    /// True if a comment is about its line, or about the file and behind it, so that a line end
    /// there would change what the comment allows.
    pub is_bound: bool,
    /// The number of code points, in the same line, from its start to the text that was examined
    /// when it was found; 0 if it starts in that text.
    pub chars_since_start: u64,
    /// The position, if it was needed or a search knows it.
    pub position: Option<Position>,
    pub(super) state: MatchState,
}

impl LintMatch {
    /// Returns the offset after its last byte.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    fn is_dropped(&self) -> bool {
        self.state == MatchState::Dropped
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MatchState {
    /// The text after it decides.
    #[default]
    Waiting,
    Dropped,
    Found(Lint, Level),
}

/// The matches from the first that waits. Each has a number: the number of matches before it.
#[derive(Default)]
pub(super) struct MatchQueue {
    matches: VecDeque<LintMatch>,
    /// The number of matches that have left the queue.
    released: usize,
    /// The number of matches whose position is known.
    placed: usize,
}

impl MatchQueue {
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Returns the number of the next match.
    pub fn next_number(&self) -> usize {
        self.released + self.matches.len()
    }

    /// Appends a match. Returns its number.
    pub fn push(
        &mut self,
        offset: u64,
        bytes: &[u8],
        value: Option<u32>,
        state: MatchState,
    ) -> usize {
        self.matches.push_back(LintMatch {
            offset,
            bytes: bytes.to_vec(),
            columns: value.is_some().into(),
            value,
            state,
            ..LintMatch::default()
        });
        self.next_number() - 1
    }

    /// Returns the match of this number, which has not left the queue.
    pub fn get(&mut self, number: usize) -> &mut LintMatch {
        &mut self.matches[number - self.released]
    }

    /// Passes the matches that are dropped. Returns the offset of the first of the others whose
    /// position is not known.
    pub fn offset_to_place(&mut self) -> Option<u64> {
        while self.matches.get(self.placed - self.released).is_some_and(LintMatch::is_dropped) {
            self.placed += 1;
        }
        self.matches.get(self.placed - self.released).map(|found| found.offset)
    }

    /// Returns the first match whose position is not known. It is known from now on.
    pub fn place_next(&mut self) -> Option<&mut LintMatch> {
        let next = self.matches.get_mut(self.placed - self.released)?;
        self.placed += 1;
        Some(next)
    }

    /// Removes the matches that are dropped from the front. Returns the offset of the first of the
    /// others.
    pub fn first_undropped(&mut self) -> Option<u64> {
        while self.is_first_placed() && self.matches.front().is_some_and(LintMatch::is_dropped) {
            self.matches.pop_front();
            self.released += 1;
        }
        self.matches.front().map(|found| found.offset)
    }

    /// Removes the first match, if a lint reports it and its position is known. Returns it with its
    /// lint and level.
    pub fn pop_found(&mut self) -> Option<(LintMatch, Lint, Level)> {
        let MatchState::Found(lint, level) = self.matches.front()?.state else { return None };
        let found = self.is_first_placed().then(|| self.matches.pop_front())??;
        self.released += 1;
        Some((found, lint, level))
    }

    fn is_first_placed(&self) -> bool {
        self.released < self.placed
    }
}
