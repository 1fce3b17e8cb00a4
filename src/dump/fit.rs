//! Rows of sequences that fit a terminal: names give way first, then bits.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::digits;
use super::fold::{LEAST_FOLDED, ROW_BYTES};
use crate::registry::Encoding;

/// Smallest and largest number of bytes that a row has room for.
const ROOM: (usize, usize) = (4, 6);

/// Width of the bits of a byte, with the point between marker and payload and a blank.
const BITS: usize = 10;
/// Width of the hexadecimal digits of a byte, with a blank.
const HEX: usize = 3;

/// Number of blanks between two columns.
const GAP: usize = 2;

/// Width of `U+10FFFF`.
pub(super) const POINT: usize = 8;
/// Width of the widest character.
pub(super) const CHARACTER: usize = 2;
/// Width of a code point and its character.
const POINT_AND_CHARACTER: usize = POINT + GAP + CHARACTER;

/// Smallest width of a name or a message that is cut.
pub(super) const LEAST_NAME: usize = 8;

/// The columns of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowFit {
    /// Largest width of a row in columns of the terminal.
    width: usize,
    /// Number of digits of the offset.
    offset: usize,
    /// Number of bytes that a row has room for.
    pub room: usize,
    /// True if the row shows bits.
    pub bits: bool,
    /// True if there is room for names.
    pub names: bool,
}

impl RowFit {
    /// Returns the columns of a row at an offset that fit `width` columns; all columns for `None`.
    pub fn new(width: Option<usize>, encoding: &Encoding, offset: u64) -> RowFit {
        let width = width.unwrap_or(usize::MAX);
        let (offset, room) = (digits::width(offset), encoding.inner.widest.clamp(ROOM.0, ROOM.1));
        let fit = RowFit { width, offset, room, bits: true, names: true };
        let fits = |fit: &RowFit| fit.meaning() >= POINT_AND_CHARACTER;
        let without_bits = RowFit { bits: false, ..fit };
        let short = RowFit { room: ROOM.0, ..without_bits };
        let fit = [fit, without_bits].into_iter().find(fits).unwrap_or(short);
        RowFit { names: fit.meaning() >= POINT_AND_CHARACTER + GAP + LEAST_NAME, ..fit }
    }

    /// Returns `true` if an offset has the width of this row's.
    pub fn is_for(&self, offset: u64) -> bool {
        self.offset == digits::width(offset)
    }

    /// Returns the width of the column of bits, with a gap; 0 if the row shows none.
    pub fn bits_width(&self) -> usize {
        if self.bits { self.room * BITS + 1 } else { 0 }
    }

    /// Returns the width of the columns between the offset and the meaning.
    fn bytes_width(&self) -> usize {
        GAP + self.bits_width() + self.room * HEX - 1 + GAP
    }

    /// Returns the number of columns for the meaning of a sequence.
    pub fn meaning(&self) -> usize {
        self.width.saturating_sub(self.offset + self.bytes_width())
    }

    /// Returns the number of blanks after `len` bytes of a sequence, before its meaning.
    pub fn blanks_after_bytes(&self, len: usize) -> usize {
        (self.room - len) * HEX + GAP
    }

    /// Returns the number of columns between the offset and the text of folded rows of up to `len`
    /// bytes.
    pub fn before_text(&self, len: usize) -> usize {
        self.bytes_width().max(1 + len * HEX + GAP)
    }

    /// Returns the number of bytes in a folded row of characters of `unit` bytes; `None` if there is
    /// no room for a row.
    pub fn folded_bytes(&self, unit: usize) -> Option<usize> {
        let fits = |&len: &usize| {
            let text = len / unit;
            text >= LEAST_FOLDED && self.offset + self.before_text(len) + text + 2 <= self.width
        };
        (1..=ROW_BYTES).rev().filter(|len| len.is_multiple_of(LEAST_FOLDED)).find(fits)
    }
}

/// Cuts the text that starts at `out[start]` to this width in columns of the terminal. A mark stands
/// for the part that is cut off.
pub(super) fn clip(out: &mut Vec<u8>, start: usize, width: usize, unicode: bool) {
    // No character is wider than its bytes.
    if out.len() - start <= width {
        return;
    }
    let Ok(text) = str::from_utf8(&out[start..]) else { return };
    if text.width() <= width {
        return;
    }
    let mark = if unicode { "…" } else { "..." };
    let mut room = width.saturating_sub(mark.width());
    let cut = text.char_indices().find(|(_, c)| {
        let width = c.width().unwrap_or(0);
        let over = width > room;
        room = room.saturating_sub(width);
        over
    });
    let cut = cut.map_or(text.len(), |(at, _)| at);
    let len = text[..cut].trim_end().len();
    out.truncate(start + len);
    out.extend_from_slice(mark.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_way_first() {
        let fit = |width: usize| {
            let fit = RowFit::new(Some(width), Encoding::UTF_8, 0);
            (fit.bits, fit.names, fit.folded_bytes(1))
        };
        assert_eq!(fit(200), (true, true, Some(16)));
        assert_eq!(fit(86), (true, true, Some(16)));
        assert_eq!(fit(85), (true, false, Some(16)));
        assert_eq!(fit(76), (true, false, Some(8)));
        // The names have the room of the bits.
        assert_eq!(fit(75), (false, true, Some(12)));
        assert_eq!(fit(44), (false, false, Some(4)));
    }

    #[test]
    fn clipped_text_has_its_width() {
        for (text, width, unicode, clipped) in [
            ("EURO SIGN", 9, true, "EURO SIGN"),
            ("EURO SIGN", 8, true, "EURO SI…"),
            ("EURO SIGN", 6, true, "EURO…"),
            ("EURO SIGN", 8, false, "EURO..."),
            // Wide characters and combining marks.
            ("日本語", 6, true, "日本語"),
            ("日本語", 5, true, "日本…"),
            ("日本語", 4, true, "日…"),
            ("e\u{301}e\u{301}e\u{301}", 3, true, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, true, "e\u{301}…"),
        ] {
            let mut out = format!("> {text}").into_bytes();
            clip(&mut out, 2, width, unicode);
            assert_eq!(String::from_utf8(out).unwrap(), format!("> {clipped}"), "{text} {width}");
        }
    }
}
