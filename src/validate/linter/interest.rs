//! A filter that skips UTF-8 text without characters that lints report.

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
        for (lints, ranges) in RANGES {
            if levels.first_of(lints).is_some() {
                ranges.iter().for_each(|&(start, end)| interest.add(start, end));
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

/// Lints, and the ranges of characters that they may report.
type LintRanges = (&'static [Lint], &'static [(u32, u32)]);

/// The characters that each lint may report, and those that decide about others.
#[rustfmt::skip]
const RANGES: &[LintRanges] = &[
    (&[Lint::BidiUnpaired, Lint::BidiControl], &[(0x202A, 0x202E), (0x2066, 0x2069)]),
    (&[Lint::TagCharacter], &[(0xE0000, 0xE007F)]),
    (&[Lint::VariationSelector], &[(0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180D), (0x180F, 0x180F)]),
    (&[Lint::Invisible], &[
        (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200D),
        (0x2060, 0x2065), (0x206A, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]),
    (&[Lint::C0Control], &[(1, 8), (0xB, 0xC), (0xE, 0x1F), (0x7F, 0x7F)]),
    (&[Lint::C1Control], &[(0x80, 0x84), (0x86, 0x9F)]),
    (&[Lint::Nul], &[(0, 0)]),
    (&[Lint::Bom, Lint::BomInside], &[(0xFEFF, 0xFEFF)]),
    (&[Lint::MixedLineEnding, Lint::Crlf, Lint::Lf], &[(0xA, 0xA), (0xD, 0xD)]),
    (&[Lint::LoneCr], &[(0xD, 0xD)]),
    (&[Lint::LineSeparator], &[(0x85, 0x85), (0x2028, 0x2029)]),
    (&[Lint::Noncharacter], &[
        (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF), (0x1FFFE, 0x1FFFF), (0x2FFFE, 0x2FFFF), (0x3FFFE, 0x3FFFF),
        (0x4FFFE, 0x4FFFF), (0x5FFFE, 0x5FFFF), (0x6FFFE, 0x6FFFF), (0x7FFFE, 0x7FFFF),
        (0x8FFFE, 0x8FFFF), (0x9FFFE, 0x9FFFF), (0xAFFFE, 0xAFFFF), (0xBFFFE, 0xBFFFF),
        (0xCFFFE, 0xCFFFF), (0xDFFFE, 0xDFFFF), (0xEFFFE, 0xEFFFF), (0xFFFFE, 0xFFFFF),
        (0x10FFFE, 0x10FFFF)]),
    (&[Lint::PrivateUse], &[(0xE000, 0xF8FF), (0xF0000, 0x10FFFF)]),
    (&[Lint::ReplacementCharacter], &[(0xFFFD, 0xFFFD)]),
    (&[Lint::NotAscii, Lint::Unassigned], &[(0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)]),
    (&[Lint::IrregularWhitespace], &[
        (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)]),
    (&[Lint::BidiMark], &[(0x61C, 0x61C), (0x200E, 0x200F)]),
    (&[Lint::SoftHyphen], &[(0xAD, 0xAD)]),
];
