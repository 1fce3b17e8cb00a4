//! Base of the cells of a dump: bits or hexadecimal.
//!
//! Eight binary digits after a colon are one byte as `xxd -b` writes it, or four bytes as `xxd -g
//! 4` does. The next offset decides, otherwise the text column, which has one character for each
//! byte. If neither decides, the user must name the base.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::cells;
use super::line::{DumpLine, RowShape};
use crate::dump::CellBase;

/// The number of binary digits of a byte.
const BITS: usize = 8;

/// Finds the base of a dump in its lines.
#[derive(Debug, Default)]
pub(super) struct BaseJudge {
    /// The offset and the cells of the row above, if these can be in either base.
    above: Option<(u64, CellShape)>,
}

/// The shape of the cells and the text of a row.
#[derive(Clone, Copy, Debug)]
struct CellShape {
    /// The number of digits.
    digits: usize,
    /// True if the cells can be bits.
    bits: bool,
    /// The width of the text column in terminal columns, without blanks at its ends.
    text: usize,
    /// The number of terminal columns by which the last character can exceed the row.
    over: usize,
}

impl BaseJudge {
    /// Returns the base if this line decides it, or if the line has no cells after a colon and the
    /// row above decides it.
    pub fn look(&mut self, line: Option<&DumpLine<'_>>) -> Option<CellBase> {
        match line {
            Some(
                DumpLine::EightDigits { hex: offset, cells, .. }
                | DumpLine::HexRow(offset, RowShape::Colon(cells)),
            ) => self.row(*offset, CellShape::of(cells)),
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

    /// Returns the base if the row above decides it alone.
    pub fn end(&mut self) -> Option<CellBase> {
        self.above.take()?.1.by_text()
    }

    /// Returns `true` if the row above can be in either base.
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

    /// Returns the number of bytes as bits and as hex digits.
    fn lengths(&self) -> (usize, usize) {
        (self.digits / BITS, self.digits / 2)
    }

    /// Returns the base in which this row ends where the next row starts, `distance` bytes on.
    fn by_distance(&self, distance: u64) -> Option<CellBase> {
        let (bits, hex) = self.lengths();
        if distance == bits as u64 && self.digits.is_multiple_of(BITS) {
            return Some(CellBase::Bits);
        }
        // A gap can follow the row.
        let is_hex = distance == hex as u64 && self.by_text() != Some(CellBase::Bits);
        is_hex.then_some(CellBase::Hex)
    }

    /// Returns the base in which the row has as many bytes as its text has characters. Blanks at
    /// the ends of the text may be lost; but a byte whose hex digits are binary digits is a control
    /// character, which is never shown as a blank.
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
            // The text shows that a gap follows.
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
            // Nothing decides.
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
