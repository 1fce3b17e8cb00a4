//! Runs of double-encoded sequences: certainty, and choice between overlapping runs.

use std::ops::Range;

use super::line::LineContext;
use super::oddity::{CERTAIN, EXPECTED, FAMILY_MARGIN, NAMED, RARE_PAIR_MARGIN};
use super::pages::{COMMONEST, PageSet, Pages};

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
    /// Points by which the reversal lowers the oddity of the line.
    pub gain: i32,
    /// Pages of other families with a different reading of similar gain.
    pub rivals: PageSet,
    /// The reading in the peer page, if its gain is no smaller.
    pub peer: Option<SecondReading>,
    /// True if no byte is lost and the neighbouring characters are not in the page.
    pub isolated: bool,
    /// Number of sequences with a lost byte.
    pub lost: usize,
    /// True if no earlier pass undid a part of the run.
    pub untouched: bool,
}

/// The reading of a run in the peer of its page.
#[derive(Clone, Debug)]
pub(super) struct SecondReading {
    page: usize,
    pages: PageSet,
    sequences: Range<usize>,
}

impl SequenceRun {
    /// Returns the gain from which another run rivals or replaces this one.
    pub fn min_rival_gain(&self) -> i32 {
        CERTAIN.max(2 * self.gain / 3).min(self.gain)
    }

    /// Replaces the run with `other`, which overlaps it, if that is better; else records `other` as
    /// a rival or peer reading. Pages of one family are no rivals: the more common page wins unless
    /// the other exceeds it by [`FAMILY_MARGIN`].
    pub fn compete(&mut self, mut other: SequenceRun, pages: &Pages) {
        let same_family = pages.families[self.page] >> other.page & 1 == 1;
        let peers = pages.peers[self.page] >> other.page & 1 == 1;
        let wins = other.gain > self.gain + if same_family { FAMILY_MARGIN } else { 0 };
        if wins {
            std::mem::swap(self, &mut other);
        } else if peers && other.chars == self.chars && other.gain >= self.gain {
            self.peer = Some(SecondReading {
                page: other.page,
                pages: other.pages,
                sequences: other.sequences,
            });
            return;
        }
        if !same_family && other.gain >= CERTAIN && 3 * other.gain >= 2 * self.gain {
            self.rivals |= other.pages | other.rivals;
        }
    }

    /// Resolves a peer reading if `pages` contains exactly one of the two pages.
    pub fn prefer_pages(&mut self, pages: PageSet) {
        let Some(peer) = &mut self.peer else { return };
        match (self.pages & pages != 0, peer.pages & pages != 0) {
            (true, false) => (),
            (false, true) => {
                (self.page, self.pages) = (peer.page, peer.pages);
                self.sequences = peer.sequences.clone();
            }
            _ => return,
        }
        self.peer = None;
    }

    /// Returns `true` if another reading is as plausible.
    pub fn is_ambiguous(&self) -> bool {
        self.rivals != 0 || self.peer.is_some()
    }

    /// Returns `true` if the run cannot be intended text. `confirmed` are the pages confirmed in
    /// the surrounding text; they resolve rivals.
    pub fn is_certain(&self, confirmed: PageSet) -> bool {
        let unrivalled =
            self.rivals == 0 || self.pages & confirmed != 0 && self.rivals & confirmed == 0;
        let mostly_intact = self.lost < 2 || self.lost < self.sequences.len();
        // Two characters of a rare page, such as `Π²` or `√∫`, may be intended.
        let rare_pair = self.chars.len() == 2 && self.pages & COMMONEST == 0;
        let needed = if rare_pair { CERTAIN + RARE_PAIR_MARGIN } else { CERTAIN };
        self.gain >= needed && mostly_intact && unrivalled && self.peer.is_none()
    }

    /// Returns `true` if the run is to be undone, with the pages `confirmed` in its line.
    pub fn qualifies(&self, confirmed: PageSet, context: &LineContext<'_>) -> bool {
        let expected = self.pages & confirmed != 0;
        let likely = match (self.lost > 0, self.untouched) {
            (true, untouched) => expected && untouched && self.gain >= 0,
            (false, true) if expected => self.gain >= EXPECTED,
            (false, _) => (expected || context.named) && self.gain >= NAMED,
        };
        likely && !self.is_ambiguous()
            || self.is_certain(context.confirmed | confirmed)
            || context.named && self.isolated
    }
}
