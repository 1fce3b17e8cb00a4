//! A filter that skips UTF-8 text without characters that lints report.

use super::classes::{CLASSES, LintClass};
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
    /// True if no ASCII byte needs a look.
    is_beyond_ascii: bool,
    /// True if line feeds need a look.
    line_feeds: bool,
    /// The first bytes, above ASCII, of sequences that may need a look, filled with FF. `None` if
    /// there are too many.
    leads: Option<[u8; MOST_LEADS]>,
    /// The smallest of them.
    first_lead: u8,
}

impl Interest {
    /// Returns a filter without interest in anything but the characters that lints report.
    /// `line_feeds` says whether line feeds need a look.
    pub fn of(levels: &RuleLevels, line_feeds: bool) -> Interest {
        let is_reported = |class: LintClass| match class {
            LintClass::LineFeed => line_feeds,
            _ => levels.first_of(class.lints()).is_some(),
        };
        let classes = CLASSES.iter().filter(|(.., class)| is_reported(*class));
        let all = [(0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)];
        let needs_all = levels.first_of(&[Lint::NotAscii, Lint::Unassigned]).is_some();
        let all = all.into_iter().filter(|_| needs_all);
        Interest::of_ranges(classes.map(|&(start, end, _)| (start, end)).chain(all))
    }

    /// Returns a filter for ranges of characters, each with sequences of one length.
    pub fn of_ranges(ranges: impl Iterator<Item = (u32, u32)>) -> Interest {
        let (seconds, leads) = ([0; 256], None);
        let (is_beyond_ascii, line_feeds, first_lead) = (false, false, 0xFF);
        let mut interest = Interest { seconds, is_beyond_ascii, line_feeds, leads, first_lead };
        ranges.for_each(|(start, end)| interest.add(start, end));
        interest.is_beyond_ascii = interest.seconds[..0x80].iter().all(|seconds| *seconds == 0);
        interest.line_feeds = interest.seconds[usize::from(b'\n')] != 0;
        interest.leads = interest.leads();
        let mut leads = 0xC2..0xF5;
        let first = leads.find(|&lead| interest.seconds[usize::from(lead)] != 0);
        interest.first_lead = first.unwrap_or(interest.first_lead);
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

    /// Returns the number of bytes at the front of whole sequences that need no look. It ends at
    /// the start of a sequence, or at the end.
    pub fn skip(&self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk() {
            if self.is_beyond_ascii && block.is_ascii() {
                at += ascii_blocks(&bytes[at..]);
                continue;
            }
            let found = if self.is_plain(block) { BLOCK } else { self.find(block) };
            at += found;
            if found < BLOCK {
                return at;
            }
        }
        let rest = &bytes[at..];
        let next = rest[rest.len().min(1)..].iter().copied().chain([0]);
        let found = rest.iter().zip(next).position(|(&first, second)| self.has(first, second));
        at + found.unwrap_or(rest.len())
    }

    /// Returns `true` if a sequence that starts with these two bytes needs a look.
    #[inline]
    pub fn has(&self, first: u8, second: u8) -> bool {
        self.seconds[usize::from(first)] >> (second & 0x3F) & 1 == 1
    }

    /// Returns `true` if no byte of a block starts a sequence that may need a look. This is
    /// certain and fast, but not always true where it could be.
    #[inline]
    fn is_plain(&self, block: &[u8; BLOCK + 1]) -> bool {
        let (line_feeds, first_lead) = (self.line_feeds, self.first_lead);
        let is_text = |byte: u8| {
            let is_line_feed = (byte == b'\n') & !line_feeds;
            (byte >= b' ') & (byte != 0x7F) | (byte == b'\t') | is_line_feed
        };
        let block = &block[..BLOCK];
        let Some([a, b, c, d, e, f, g, h]) = self.leads else {
            let is_low = |byte: u8| is_text(byte) & (byte < first_lead);
            return block.iter().fold(true, |plain, &byte| plain & is_low(byte));
        };
        block.iter().fold(true, |plain, &byte| {
            let is_lead = (byte == a) | (byte == b) | (byte == c) | (byte == d);
            let is_lead = is_lead | (byte == e) | (byte == f) | (byte == g) | (byte == h);
            plain & is_text(byte) & !is_lead
        })
    }

    /// Returns the index of the first sequence in a block that needs a look; the length of the
    /// block if there is none. The byte after the block can decide.
    #[inline]
    fn find(&self, block: &[u8; BLOCK + 1]) -> usize {
        // All of the block, because branches take longer.
        let bit = |at: usize| u32::from(self.has(block[at], block[at + 1])) << at;
        (0..BLOCK).fold(0, |found, at| found | bit(at)).trailing_zeros() as usize
    }
}

/// Returns the length of the ASCII text at the front, in whole blocks, of which the first is ASCII.
fn ascii_blocks(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks_exact(4 * BLOCK).take_while(|blocks| blocks.is_ascii());
    (4 * BLOCK * blocks.count()).max(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{LINTS, Level};
    use crate::validate::linter::classes::class_of;

    /// Returns the levels of every lint alone, of none and of the default ones.
    fn levels() -> impl Iterator<Item = RuleLevels> {
        let alone = LINTS.iter().map(|row| {
            let mut levels = RuleLevels::default();
            levels.set(row.id, Level::Deny);
            levels
        });
        alone.chain([RuleLevels::default(), RuleLevels::of_trees()])
    }

    #[test]
    fn text_is_skipped_up_to_the_first_sequence_of_interest() {
        let classes = CLASSES.iter().filter_map(|(start, ..)| char::from_u32(*start));
        let chars: Vec<_> = classes.chain(['a', '\t', 'é', 'я', '中', '😀']).collect();
        for levels in levels() {
            let needs_all = levels.first_of(&[Lint::NotAscii, Lint::Unassigned]).is_some();
            for line_feeds in [false, true] {
                let interest = Interest::of(&levels, line_feeds);
                let is_reported = |c: char| match class_of(c.into()) {
                    Some(LintClass::LineFeed) => line_feeds,
                    Some(class) if levels.first_of(class.lints()).is_some() => true,
                    _ => needs_all && !c.is_ascii(),
                };
                for (at, &c) in chars.iter().enumerate() {
                    // Lengths around those of blocks, and two characters at any distance.
                    for len in (0..3 * BLOCK).chain(7 * BLOCK..9 * BLOCK) {
                        let other = chars[(at + len) % chars.len()];
                        let text = format!("{}{c}{}{other}", "x".repeat(len), "y".repeat(len % 40));
                        let skipped = interest.skip(text.as_bytes());
                        let first = text.char_indices().find(|(_, c)| is_reported(*c));
                        let first = first.map_or(text.len(), |(at, _)| at);
                        assert!(skipped <= first && text.is_char_boundary(skipped), "{text:?}");
                        let may_pass = text.is_ascii() || first == 0;
                        assert!(!may_pass || skipped == first, "{text:?}");
                    }
                }
            }
        }
    }
}
