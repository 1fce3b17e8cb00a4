//! How certain is a run, and which of two is the better?

use std::ops::Range;

use super::certainty::{ALONE, CERTAIN, KIN, LIKELY, NAMED};
use super::line::LineContext;
use super::pages::{COMMONEST, PageSet, Pages};

/// Neighbouring sequences in a page.
#[derive(Clone, Debug)]
pub(super) struct SequenceRun {
    /// Which characters they are made of.
    pub from: Range<usize>,
    /// What they spell: a part of [`Line::sequences`].
    pub to: Range<usize>,
    pub page: usize,
    /// The pages that say the same.
    pub alike: PageSet,
    /// How much less odd it would be.
    pub gain: i32,
    /// Pages of other families that say something else, and almost as well.
    pub rivals: PageSet,
    /// What its peer says, if that is no worse.
    pub second: Option<SecondReading>,
    /// Whether the characters around it are not in the page, and no byte is lost.
    pub whole: bool,
    /// How many bytes are lost.
    pub lost: usize,
    /// Whether nothing was undone here before.
    pub raw: bool,
}

/// Another reading of a run.
#[derive(Clone, Debug)]
pub(super) struct SecondReading {
    page: usize,
    alike: PageSet,
    to: Range<usize>,
}

impl SequenceRun {
    /// What another must gain at least to be a rival of this one, or better.
    pub fn worthwhile(&self) -> i32 {
        CERTAIN.max(2 * self.gain / 3).min(self.gain)
    }

    /// Be this other run, if that is better. Pages of a family are no rivals, but the more common
    /// goes first; if there is one.
    pub fn compete(&mut self, mut other: SequenceRun, pages: &Pages) {
        let kin = pages.kin[self.page] >> other.page & 1 == 1;
        let peers = pages.peers[self.page] >> other.page & 1 == 1;
        let wins = other.gain > self.gain + if kin { KIN } else { 0 };
        if wins {
            std::mem::swap(self, &mut other);
        } else if peers && other.from == self.from && other.gain >= self.gain {
            self.second =
                Some(SecondReading { page: other.page, alike: other.alike, to: other.to });
            return;
        }
        if !kin && other.gain >= CERTAIN && 3 * other.gain >= 2 * self.gain {
            self.rivals |= other.alike | other.rivals;
        }
    }

    /// Of two peers, take the one that the rest of the line has been through. Both
    /// readings stay open if that is neither, or either.
    pub fn side_with(&mut self, pages: PageSet) {
        let Some(second) = &mut self.second else { return };
        match (self.alike & pages != 0, second.alike & pages != 0) {
            (true, false) => (),
            (false, true) => {
                (self.page, self.alike) = (second.page, second.alike);
                self.to = second.to.clone();
            }
            _ => return,
        }
        self.second = None;
    }

    /// Whether what it was is open.
    pub fn is_ambiguous(&self) -> bool {
        self.rivals != 0 || self.second.is_some()
    }

    /// Whether it can be meant in no other way. `seen` are the pages that text around it has been
    /// through.
    pub fn is_certain(&self, seen: PageSet) -> bool {
        let settled = self.rivals == 0 || self.alike & seen != 0 && self.rivals & seen == 0;
        let more_than_lost = self.lost < 2 || self.lost < self.to.len();
        // `Π²` or `√∫` alone: two characters of a rare page may well be meant.
        let alone = self.from.len() == 2 && self.alike & COMMONEST == 0;
        let enough = if alone { CERTAIN + ALONE } else { CERTAIN };
        self.gain >= enough && more_than_lost && settled && self.second.is_none()
    }

    /// Whether it is to be undone in a line that has been through the pages in `confirmed`.
    pub fn convinces(&self, confirmed: PageSet, around: &LineContext<'_>) -> bool {
        let expected = self.alike & confirmed != 0;
        let likely = match (self.lost > 0, self.raw) {
            (true, raw) => expected && raw && self.gain >= 0,
            (false, true) if expected => self.gain >= LIKELY,
            (false, _) => (expected || around.named) && self.gain >= NAMED,
        };
        likely && !self.is_ambiguous()
            || self.is_certain(around.seen | confirmed)
            || around.named && self.whole
    }
}
