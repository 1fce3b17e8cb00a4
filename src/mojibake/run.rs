//! Runs of double-encoded sequences: certainty, and choice between overlapping runs.

use std::ops::Range;

use super::characters::ScriptSet;
use super::oddity::{CERTAIN, EXPECTED, NAMED, RARE_PAIR_MARGIN};
use super::pages::{PageSet, Pages};

/// Adjacent sequences of UTF-8 in one page.
#[derive(Clone, Debug)]
pub(super) struct SequenceRun {
    /// The range of characters, in [`TextLine::chars`](super::line::TextLine::chars).
    pub chars: Range<usize>,
    /// The range of sequences, in [`TextLine::sequences`](super::line::TextLine::sequences).
    pub sequences: Range<usize>,
    /// The index of the page.
    pub page: usize,
    /// The pages in which the run has the same reading, `page` included.
    pub pages: PageSet,
    /// True if one of them is windows-1252, or ISO-8859-15 and the run decodes to common characters only:
    /// both pages have the same lead bytes.
    pub is_common: bool,
    /// Points by which the reversal lowers the oddity of the line.
    pub gain: i32,
    /// Pages of other families with a different reading of similar gain.
    pub rivals: PageSet,
    /// Pages of the same family with a different reading of similar gain.
    pub relatives: PageSet,
    /// True if no byte is lost and the neighbouring characters are not in the page.
    pub isolated: bool,
    /// Number of sequences with a lost byte.
    pub lost: usize,
    /// True if it decodes to rare letters only.
    pub all_rare: bool,
    /// True if the page is named, and the run decodes to a letter or a rare symbol that is rarer than
    /// all of its characters.
    pub is_rarer: bool,
    /// True if no earlier pass undid a part of the run.
    pub untouched: bool,
    /// True if it decodes to a rare character.
    pub has_rare: bool,
    /// The scripts of the letters that it decodes to, but for phonetic ones.
    pub letter_scripts: ScriptSet,
}

impl SequenceRun {
    /// Returns the gain from which another run rivals or replaces this one.
    pub fn min_rival_gain(&self) -> i32 {
        CERTAIN.max(2 * self.gain / 3).min(self.gain)
    }

    /// Replaces the run with `other`, which overlaps it, if that is better; else records `other` as
    /// a rival or a relative. Pages of one family are no rivals: the line decides between them. A
    /// run with rare characters does not compete with one without, unless `rare`, which tells which of
    /// both has some, is `None`. Returns the pages of the run that is dropped.
    pub fn compete(
        &mut self,
        mut other: SequenceRun,
        rare: Option<[bool; 2]>,
        pages: &Pages,
    ) -> PageSet {
        let same_family = pages.families[self.page] >> other.page & 1 == 1;
        let wins = match rare {
            Some([false, true]) if self.gain >= CERTAIN => false,
            Some([true, false]) if other.gain >= CERTAIN => true,
            _ => other.gain > self.gain,
        };
        if wins {
            std::mem::swap(self, &mut other);
        }
        let is_close = other.gain >= CERTAIN && 3 * other.gain >= 2 * self.gain;
        if is_close && rare.is_none() {
            match same_family {
                true => self.relatives |= other.pages | other.relatives,
                false => self.rivals |= other.pages | other.rivals,
            }
        }
        other.pages
    }

    /// Returns `true` if another reading is as plausible.
    pub fn is_ambiguous(&self) -> bool {
        self.rivals != 0
    }

    /// Returns `true` if the run cannot be intended text.
    pub fn is_certain(&self) -> bool {
        let mostly_intact = self.lost < 2 || self.lost < self.sequences.len();
        // Two characters of a rare page, such as `Π²` or `√∫`, may be intended.
        let rare_pair = self.chars.len() == 2 && !self.is_common;
        let needed = if rare_pair { CERTAIN + RARE_PAIR_MARGIN } else { CERTAIN };
        let is_likely = !self.all_rare || self.is_common;
        self.gain >= needed && mostly_intact && self.rivals == 0 && is_likely
    }

    /// Returns `true` if the run is undone wherever its page is certain.
    pub fn is_strong(&self) -> bool {
        self.gain >= CERTAIN && self.lost == 0 || self.is_certain()
    }

    /// Returns `true` if the run is to be undone, in a line of its page if `expected` is true.
    /// `is_as_deep` is true if no layer of the run was undone, or a certain run of its page had one
    /// undone, too. `is_plausible` judges the characters that it decodes to. Sound text, such as the result
    /// of an earlier pass, can be UTF-8 in a `named` page: of characters that are rarer.
    pub fn qualifies(
        &self,
        expected: bool,
        is_as_deep: bool,
        named: bool,
        is_plausible: impl Fn() -> bool,
    ) -> bool {
        let likely = match (self.lost > 0, is_as_deep) {
            (true, is_as_deep) => expected && is_as_deep && self.gain > 0,
            (false, true) if expected => self.gain >= EXPECTED || is_plausible(),
            (false, _) => (expected || named) && self.gain >= NAMED,
        };
        let is_meant = || self.is_rarer && self.gain < EXPECTED && !is_plausible();
        likely || self.is_certain() || named && self.isolated && !is_meant()
    }
}
