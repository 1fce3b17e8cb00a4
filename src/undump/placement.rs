//! Placement of rows at their offsets.

use std::io;

use super::PlacedBytes;
use super::error::{DumpRemedy, on_line, wrong, wrong_form};
use crate::text::number::counted;

/// The error of `*` without an offset after it.
const NO_END: &str = "no offset after * ends its rows (add a line with the offset)";

/// Places the bytes of rows at their offsets.
#[derive(Debug, Default)]
pub(super) struct RowPlacer {
    pieces: PlacedBytes,
    /// The bytes of the row above.
    above: Vec<u8>,
    /// The offset of the row above.
    offset: u64,
    /// The number of the line with `*` after the row above.
    star: Option<u64>,
}

impl RowPlacer {
    /// Notes a row with an offset.
    pub fn numbered(&mut self) -> io::Result<()> {
        match self.pieces.is_bare() {
            true => Err(wrong("an offset after rows without offsets (take several dumps apart)")),
            false => Ok(()),
        }
    }

    /// Returns the offset of a row without an offset.
    pub fn bare(&mut self) -> io::Result<u64> {
        if self.star.is_some() {
            return Err(wrong(
                "no offset tells how many rows * stands for (hexyl -v and od -v write all rows)",
            ));
        }
        match self.pieces.set_bare() {
            true => Ok(self.pieces.end()),
            false => Err(wrong_form("the offset is missing in this row", DumpRemedy::Digits)),
        }
    }

    /// Places a row, whose bytes `read` appends.
    pub fn row(
        &mut self,
        offset: u64,
        read: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.reach(offset, true)?;
        self.above.clear();
        read(&mut self.above)?;
        if self.above.is_empty() {
            return Err(wrong("a row without a byte (remove it)"));
        }
        if offset.checked_add(self.above.len() as u64).is_none() {
            return Err(wrong("a row exceeds the last offset, ffffffffffffffff"));
        }
        self.offset = offset;
        self.pieces.append(&self.above)
    }

    /// Notes that the row above, on this line, has other bits than hex.
    pub fn note_differing_row(&mut self, line: u64) {
        self.pieces.note_differing_row(line);
    }

    /// Repeats the row above until the next offset.
    pub fn star(&mut self, number: u64) -> io::Result<()> {
        if self.above.is_empty() {
            return Err(wrong("no row above * to repeat (remove the line)"));
        }
        self.star = Some(number);
        Ok(())
    }

    /// Separates the rows above and below.
    pub fn apart(&mut self) -> io::Result<()> {
        if self.star.is_some() {
            return Err(wrong(NO_END));
        }
        if self.pieces.is_bare() {
            return Err(wrong("-- between rows without offsets (take several dumps apart)"));
        }
        self.above.clear();
        Ok(())
    }

    /// Returns the offset after the row above, unless a gap can follow it.
    pub fn next_offset(&self) -> Option<u64> {
        self.star.is_none().then(|| self.pieces.end())
    }

    /// Returns the number of bytes between the last row and one at this offset; 0 after `*`.
    pub fn gap_before(&self, offset: u64) -> u64 {
        let end = self.next_offset().filter(|_| !self.pieces.is_empty());
        end.map_or(0, |end| offset.abs_diff(end))
    }

    /// Returns the number of bytes of the last row.
    pub fn row_len(&self) -> u64 {
        self.above.len() as u64
    }

    /// Ends the bytes at this offset.
    pub fn end(&mut self, offset: u64) -> io::Result<()> {
        if self.pieces.is_empty() && offset > self.pieces.end() {
            return Err(wrong_form("an offset without bytes", DumpRemedy::Digits));
        }
        self.reach(offset, false)?;
        self.above.clear();
        Ok(())
    }

    /// Returns the bytes. Call it after the last row.
    pub fn finish(self) -> io::Result<PlacedBytes> {
        match self.star {
            Some(number) => Err(on_line(number, wrong(NO_END))),
            None => Ok(self.pieces),
        }
    }

    /// Continues at this offset. `whole` requires that repeated rows end there.
    fn reach(&mut self, offset: u64, whole: bool) -> io::Result<()> {
        if offset < self.pieces.end() {
            return Err(self.overlap(offset));
        }
        if self.star.take().is_some() {
            let (covers, row) = (offset - self.pieces.end(), self.above.len() as u64);
            if whole && !covers.is_multiple_of(row) {
                return Err(wrong(format!(
                    "* covers {}, not a multiple of the {row} in the row above (correct the offset)",
                    counted(covers, "byte")
                )));
            }
            self.pieces.repeat(&self.above, covers)?;
        }
        self.pieces.skip_to(offset)
    }

    fn overlap(&self, offset: u64) -> io::Error {
        let end = self.pieces.end();
        wrong(if offset < self.offset {
            let above = self.offset;
            format!(
                "offset {offset:08x} is before that of the row above, {above:08x} \
                 (rows must ascend; take several dumps apart)"
            )
        } else {
            format!(
                "offset {offset:08x} is {} before the end of the row above, {end:08x} \
                 (correct the offsets from here on, or the row above)",
                counted(end - offset, "byte")
            )
        })
    }
}
