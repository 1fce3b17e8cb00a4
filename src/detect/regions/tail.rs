//! The last lines of a group, as long as they fit its encoding badly.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::lines::GroupText;
use super::readers::{CHANGE, LegacyReaders};
use crate::detect::legacy::{LineCost, LineReader, new_words};
use crate::detect::utf8_test::Utf8Test;
use crate::kernel::Kernels;

/// The sum of misfits from which other encodings are tried, in sixteenths of a bit. Chosen by hand:
/// half of the cost that a change needs.
const SUSPICION: i64 = CHANGE / 2;

/// The most bytes of lines in the tail.
const TAIL_BYTES: usize = 64 << 10;

/// A legacy line of the tail.
pub(super) struct TailLine {
    /// The offset of the line.
    pub start: u64,
    pub bytes: Vec<u8>,
    pub utf8_test: Utf8Test,
    /// The words that no earlier line of the tail has.
    words: Vec<u8>,
    /// The cost in the encoding of the group: that of the words, if it is a page.
    cost: LineCost,
}

/// Consecutive legacy lines that fit the encoding of their group badly.
#[derive(Default)]
pub(super) struct TailLines {
    lines: Vec<TailLine>,
    /// The words of the lines.
    words: HashSet<Vec<u8>>,
    len: usize,
    /// The sum of the misfits of the lines.
    misfit: i64,
    /// The length from which other encodings are tried next.
    next_trial: usize,
}

/// Lines in another encoding.
pub(super) struct PageChange {
    /// Their indices in the tail.
    pub lines: Range<usize>,
    pub reader: Rc<LineReader>,
    /// True if no region had the encoding before.
    pub is_new: bool,
}

impl TailLines {
    /// Adds a line that starts at an offset, in a group with this reader.
    pub fn add(&mut self, start: u64, bytes: Vec<u8>, utf8_test: Utf8Test, reader: &LineReader) {
        let words = new_words(&mut self.words, &bytes);
        let cost = reader.cost(if reader.codec.is_page() { &words } else { &bytes });
        self.misfit += cost.misfit;
        self.len += bytes.len();
        self.lines.push(TailLine { start, bytes, utf8_test, words, cost });
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn lines(&self) -> &[TailLine] {
        &self.lines
    }

    /// Returns `true` if the lines fit badly and are not too many.
    pub fn is_suspect(&self) -> bool {
        self.misfit > 0 && self.len <= TAIL_BYTES
    }

    /// Takes all lines.
    pub fn take(&mut self) -> Vec<TailLine> {
        (self.len, self.misfit, self.next_trial) = (0, 0, 0);
        self.words.clear();
        std::mem::take(&mut self.lines)
    }

    /// Returns the lines that are likelier in another encoding than in that of the group.
    pub fn find_change(
        &mut self,
        kernels: &Kernels,
        own: &LineReader,
        readers: &mut LegacyReaders,
    ) -> Option<PageChange> {
        if self.misfit <= SUSPICION || self.len < self.next_trial {
            return None;
        }
        self.next_trial = self.len * 2;
        let known = readers.known().iter().filter_map(|reader| self.change_to(own, reader));
        if let Some((_, change)) = known.max_by_key(|(gain, _)| *gain) {
            return Some(change);
        }
        if !readers.is_worth_a_ranking(self.len) {
            return None;
        }
        let mut text = GroupText::default();
        self.lines.iter().for_each(|line| text.add(kernels, &line.bytes, &line.utf8_test));
        let found = readers.find_likely(&text);
        let change = found.as_ref().and_then(|found| self.change_to(own, found));
        readers.count_ranking(change.is_some());
        if found.is_some_and(|found| found.codec.name == own.codec.name) {
            // However odd the lines are, they are in the encoding of the group.
            self.misfit = 0;
        }
        change.map(|(_, change)| PageChange { is_new: true, ..change })
    }

    /// Returns the lines that are likelier in another encoding, and the difference of their costs.
    fn change_to(&self, own: &LineReader, other: &Rc<LineReader>) -> Option<(i64, PageChange)> {
        if own.codec.name == other.codec.name {
            return None;
        }
        let are_pages = own.codec.is_page() && other.codec.is_page();
        let gain = |line: &TailLine| match are_pages {
            true if own.is_alike(other, &line.words) => 0,
            true => line.cost.cost - other.cost(&line.words).cost,
            false => own.excess(other, &line.bytes),
        };
        let gains = self.lines.iter().map(gain);
        let (gain, lines) = largest_sum(gains);
        let change = PageChange { lines, reader: Rc::clone(other), is_new: false };
        (gain > CHANGE + (other.prior - own.prior).max(0)).then_some((gain, change))
    }
}

/// Returns the largest sum of consecutive numbers, and their indices.
fn largest_sum(numbers: impl Iterator<Item = i64>) -> (i64, Range<usize>) {
    let (mut best, mut best_range) = (0, 0..0);
    let (mut sum, mut start) = (0, 0);
    for (at, number) in numbers.enumerate() {
        if sum <= 0 {
            (sum, start) = (0, at);
        }
        sum += number;
        if sum > best {
            (best, best_range) = (sum, start..at + 1);
        }
    }
    (best, best_range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_sums_of_consecutive_numbers() {
        for (numbers, sum, range) in [
            (&[][..], 0, 0..0),
            (&[-1, -2], 0, 0..0),
            (&[3], 3, 0..1),
            (&[-1, 2, -1, 3, -5, 3], 4, 1..4),
            (&[5, -6, 7], 7, 2..3),
        ] {
            assert_eq!(largest_sum(numbers.iter().copied()), (sum, range));
        }
    }
}
