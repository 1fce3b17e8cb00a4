//! Are the cells of a dump bits, or hexadecimal?
//!
//! Eight binary digits behind a colon are a byte as `xxd -b` writes it, or four as `xxd -g 4` does.
//! The next offset tells, or else the text column, which has a character for each byte. If neither
//! does, that is for a person to say.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::cells;
use super::row::{DumpLine, RowShape};
use crate::dump::CellBase;

/// The binary digits of a byte.
const BITS: usize = 8;

/// Judges the base of a dump by its lines.
#[derive(Debug, Default)]
pub(super) struct BaseJudge {
    /// The row above, if it could be either.
    above: Option<(u64, CellShape)>,
}

/// What the cells of a row look like.
#[derive(Clone, Copy, Debug)]
struct CellShape {
    /// How many digits they have.
    digits: usize,
    /// Whether they may be bits.
    bits: bool,
    /// How wide the text column is, but for blanks at its ends.
    text: usize,
    /// How far its last character may reach over the end of the row.
    over: usize,
}

impl BaseJudge {
    /// The base, if this line tells it, or if it is none.
    pub fn look(&mut self, line: Option<&DumpLine<'_>>) -> Option<CellBase> {
        match line {
            Some(DumpLine::Row(offset, RowShape::Colon(cells))) => {
                self.row(*offset, CellShape::of(cells))
            }
            Some(DumpLine::Empty) => None,
            _ => self.end(),
        }
    }

    fn row(&mut self, offset: u64, look: CellShape) -> Option<CellBase> {
        let above = self.above.take();
        let told = above.and_then(|(start, above)| above.by_distance(offset.checked_sub(start)?));
        told.or_else(|| above?.1.by_text()).or_else(|| {
            self.above = look.bits.then_some((offset, look));
            (!look.bits).then_some(CellBase::Hex)
        })
    }

    /// The base, if the row above tells it, whatever is behind it.
    pub fn end(&mut self) -> Option<CellBase> {
        self.above.take()?.1.by_text()
    }

    /// Whether the row above could be either.
    pub fn is_undecided(&self) -> bool {
        self.above.is_some()
    }
}

impl CellShape {
    fn of(mut rest: &[u8]) -> CellShape {
        let (mut digits, mut longest, mut binary) = (0, 0, true);
        while let Some(cell) = cells::next(rest) {
            let word = cells::word(cell);
            binary &= word.iter().all(|digit| matches!(digit, b'0' | b'1'));
            digits += word.len();
            longest = longest.max(word.len());
            rest = &cell[word.len()..];
        }
        let text = String::from_utf8_lossy(rest);
        let text = text.trim();
        let over = usize::from(text.chars().next_back().and_then(char::width) == Some(2));
        CellShape { digits, bits: binary && longest >= BITS, text: text.width(), over }
    }

    /// How many bytes it has as bits, and as hexadecimal.
    fn lengths(&self) -> (usize, usize) {
        (self.digits / BITS, self.digits / 2)
    }

    /// The base, by how far it is from this row to the next.
    fn by_distance(&self, distance: u64) -> Option<CellBase> {
        let (bits, hex) = self.lengths();
        if distance == bits as u64 && self.digits.is_multiple_of(BITS) {
            return Some(CellBase::Bits);
        }
        // There may be a gap.
        let is_hex = distance == hex as u64 && self.by_text() != Some(CellBase::Bits);
        is_hex.then_some(CellBase::Hex)
    }

    /// The base, by how long the text is. A blank for a byte may have been lost at its ends; but
    /// bytes whose hex digits are binary are controls, and none of them is shown as a blank.
    fn by_text(&self) -> Option<CellBase> {
        let (bits, hex) = self.lengths();
        match self.text {
            0 => None,
            text if text == hex || text == hex + self.over => Some(CellBase::Hex),
            text if text <= bits => Some(CellBase::Bits),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_or_hexadecimal() {
        for (lines, base) in [
            // The next offset.
            (&["0: 01000001 01000010", "2: 01000001"][..], Some(CellBase::Bits)),
            (&["0: 01000001 01000010", "8: 01000001"], Some(CellBase::Hex)),
            (&["0: 0100000101000010", "2: 01000001"], Some(CellBase::Bits)),
            (&["0: 01000001", "", "1: 01000001"], Some(CellBase::Bits)),
            // It is a gap's, says the text.
            (&["0: 01000001 01000010  AB", "8: 01000001"], Some(CellBase::Bits)),
            (&["0: 01000001 01000010", "5: 01000001", "6: 01000001"], Some(CellBase::Bits)),
            // A digit, or the length of a cell.
            (&["0: 01000002"], Some(CellBase::Hex)),
            (&["0: 0100 0001"], Some(CellBase::Hex)),
            (&["0: 01000001 0100"], None),
            // The text.
            (&["0: 01000001 01000010  AB", "*"], Some(CellBase::Bits)),
            (&["0: 01000001 00100000  A", "*"], Some(CellBase::Bits)),
            (&["0: 01000001 01000010  ........", "--"], Some(CellBase::Hex)),
            (&["0: 01000001 01000010  .....", "*"], None),
            (&["0: 00010001 00110001  日本日本", "*"], Some(CellBase::Hex)),
            (&["0: 01000001", "*", "4: 01000001"], None),
            // Nothing to judge by.
            (&["0: 01000001"], None),
            (&["000000 41", "hello"], None),
        ] {
            let mut judge = BaseJudge::default();
            let told = lines
                .iter()
                .find_map(|line| judge.look(DumpLine::parse(line.as_bytes()).ok().as_ref()));
            assert_eq!(told, base, "{lines:?}");
        }
    }
}
