//! Do the offsets of rows stand in order, and what is between them?

use std::io;

use super::{PlacedBytes, counted, on_line, wrong};

/// What is wrong with a star at the end.
const NO_END: &str = "no offset behind * says how far it goes (add a line with one)";

/// Puts the bytes of rows in their places.
#[derive(Debug, Default)]
pub(super) struct RowPlacer {
    pieces: PlacedBytes,
    /// The bytes of the row above.
    above: Vec<u8>,
    /// Its offset.
    offset: u64,
    /// The number of the line that says that it goes on.
    star: Option<u64>,
}

impl RowPlacer {
    /// A row, with what appends its bytes.
    pub fn row(
        &mut self,
        offset: u64,
        read: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.reach(offset, true)?;
        self.above.clear();
        read(&mut self.above)?;
        if self.above.is_empty() {
            return Err(wrong("a row without a byte (take it out)"));
        }
        if offset.checked_add(self.above.len() as u64).is_none() {
            return Err(wrong("no input is so long (the last offset is ffffffffffffffff)"));
        }
        self.offset = offset;
        self.pieces.append(&self.above)
    }

    /// The row above goes on until the next offset.
    pub fn star(&mut self, number: u64) -> io::Result<()> {
        if self.above.is_empty() {
            return Err(wrong("there is no row above for * to repeat (take it out)"));
        }
        self.star = Some(number);
        Ok(())
    }

    /// The rows above and below are apart.
    pub fn apart(&mut self) -> io::Result<()> {
        if self.star.is_some() {
            return Err(wrong(NO_END));
        }
        self.above.clear();
        Ok(())
    }

    /// The bytes end here.
    pub fn end(&mut self, offset: u64) -> io::Result<()> {
        if self.pieces.is_empty() && offset > self.pieces.end() {
            return Err(wrong("an offset without bytes (plain digits? -p reads them)"));
        }
        self.reach(offset, false)?;
        self.above.clear();
        Ok(())
    }

    /// All rows are there.
    pub fn finish(self) -> io::Result<PlacedBytes> {
        match self.star {
            Some(number) => Err(on_line(number, wrong(NO_END))),
            None => Ok(self.pieces),
        }
    }

    /// Go on at this offset. If a row begins there, all before it are whole.
    fn reach(&mut self, offset: u64, whole: bool) -> io::Result<()> {
        if offset < self.pieces.end() {
            return Err(self.overlap(offset));
        }
        if self.star.take().is_some() {
            let (covers, row) = (offset - self.pieces.end(), self.above.len() as u64);
            if whole && !covers.is_multiple_of(row) {
                return Err(wrong(format!(
                    "* covers {}, and the row above it has {row} (correct the offset)",
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
                 (rows stand in order; take several dumps apart)"
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
