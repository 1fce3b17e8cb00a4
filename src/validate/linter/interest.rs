//! A filter that skips UTF-8 text without characters that lints report.

use super::classes::CLASSES;
use crate::lint::Lint;
use crate::lint::levels::RuleLevels;

/// The length of the blocks of ASCII text that are skipped at once, in bytes.
const BLOCK: usize = 32;

/// The maximum number of first bytes that a block is searched for.
const MOST_LEADS: usize = 8;

/// The sequences of UTF-8 that may need a closer look, by their first two bytes.
pub(super) struct Interest {
    /// For each first byte, a bit for each second byte 80..BF; all bits for an ASCII byte.
    seconds: [u64; 256],
    /// True if line feeds need a look.
    line_feeds: bool,
    /// The first bytes, above ASCII, of sequences that may need a look, filled with FF. `None` if
    /// there are too many.
    leads: Option<[u8; MOST_LEADS]>,
}

impl Interest {
    /// Returns a filter without interest in anything but the characters that lints report.
    pub fn of(levels: &RuleLevels) -> Interest {
        let mut interest = Interest { seconds: [0; 256], line_feeds: false, leads: None };
        for &(start, end, class) in CLASSES {
            if levels.first_of(class.lints()).is_some() {
                interest.add(start, end);
            }
        }
        if levels.first_of(&[Lint::NotAscii, Lint::Unassigned]).is_some() {
            for (start, end) in [(0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)] {
                interest.add(start, end);
            }
        }
        interest.leads = interest.leads();
        interest
    }

    fn leads(&self) -> Option<[u8; MOST_LEADS]> {
        // FF is in no well-formed sequence.
        let mut leads = [0xFF; MOST_LEADS];
        let mut places = leads.iter_mut();
        for lead in (0xC2..0xF5).filter(|&lead| self.seconds[usize::from(lead)] != 0) {
            *places.next()? = lead;
        }
        Some(leads)
    }

    /// Adds the characters from `start` to `end`, whose sequences have one length.
    fn add(&mut self, start: u32, end: u32) {
        // Characters with the same first two bytes share 64 or 4096 values.
        let step = match start {
            0..0x800 => 1,
            0x800..0x10000 => 0x40,
            _ => 0x1000,
        };
        let starts = (start..=end).step_by(step).chain([end]);
        for c in starts.filter_map(char::from_u32) {
            match *c.encode_utf8(&mut [0; 4]).as_bytes() {
                [first, second, ..] => self.seconds[usize::from(first)] |= 1 << (second & 0x3F),
                [ascii] => self.seconds[usize::from(ascii)] = !0,
                [] => {}
            }
        }
    }

    /// Adds or removes line feeds.
    pub fn set_line_feeds(&mut self, line_feeds: bool) {
        self.line_feeds = line_feeds;
        self.seconds[usize::from(b'\n')] = if line_feeds { !0 } else { 0 };
    }

    /// Returns the number of bytes at the front of whole sequences that need no look. It ends at
    /// the start of a sequence, or at the end.
    pub fn skip(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk() {
            if !self.is_plain(block) && self.has_interest(block) {
                break;
            }
            at += BLOCK;
        }
        let rest = &bytes[at..];
        let next = rest[rest.len().min(1)..].iter().copied().chain([0]);
        let found = rest.iter().zip(next).position(|(&first, second)| self.has(first, second));
        at + found.unwrap_or(rest.len())
    }

    /// Returns `true` if a sequence that starts with these two bytes needs a look.
    #[inline]
    fn has(&self, first: u8, second: u8) -> bool {
        self.seconds[usize::from(first)] >> (second & 0x3F) & 1 == 1
    }

    /// Returns `true` if no byte of a block starts a sequence that may need a look. This is
    /// certain and fast, but not always true where it could be.
    #[inline]
    fn is_plain(&self, block: &[u8; BLOCK + 1]) -> bool {
        let Some([a, b, c, d, e, f, g, h]) = self.leads else { return false };
        let line_feeds = self.line_feeds;
        block[..BLOCK].iter().fold(true, |plain, &byte| {
            let is_line_feed = (byte == b'\n') & !line_feeds;
            let is_printed = (byte >= b' ') & (byte != 0x7F);
            let is_lead = (byte == a) | (byte == b) | (byte == c) | (byte == d);
            let is_lead = is_lead | (byte == e) | (byte == f) | (byte == g) | (byte == h);
            plain & (is_printed | (byte == b'\t') | is_line_feed) & !is_lead
        })
    }

    /// Returns `true` if a sequence in a block needs a look. The byte after the block can decide.
    #[inline]
    fn has_interest(&self, block: &[u8; BLOCK + 1]) -> bool {
        (0..BLOCK).fold(false, |found, at| found | self.has(block[at], block[at + 1]))
    }
}
