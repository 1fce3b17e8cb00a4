//! Bytes of a dump at their offsets, in memory or in an unnamed temporary file.

use std::io::{self, Write};

use crate::spool::{Spool, read_bytes, read_numbers};

/// The limit of the bytes in memory; more move into a temporary file.
const IN_MEMORY: usize = 16 << 20;

/// The size of a block in bytes: of a stored block, and of those given to the caller.
const BLOCK: usize = 64 << 10;

/// The content of gaps.
static ZEROS: [u8; BLOCK] = [0; BLOCK];

/// The bytes of a dump at ascending offsets. Gaps and repeated rows take no room.
#[derive(Debug)]
pub struct PlacedBytes {
    /// For each block the offset of its first byte, the number of its bytes, the number of bytes
    /// that they cover when repeated, and the bytes.
    spool: Spool,
    /// The number of blocks in the spool.
    count: u64,
    /// The last block, which is not in the spool yet. It ends at `end`.
    last: Vec<u8>,
    origin: Option<u64>,
    end: u64,
    gaps: PlacementGaps,
    /// The line of the first row that follows the one above in decimal, and a gap in hexadecimal, if the
    /// offsets are read as decimal. There are then no gaps, whatever the offsets of the blocks.
    joined: Option<u64>,
    differing: Option<DifferingRows>,
    /// True if the rows had no offsets.
    bare: bool,
}

/// The gaps between the bytes of a dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlacementGaps {
    /// The number of gaps.
    pub number: u64,
    /// The sum of their lengths in bytes.
    pub bytes: u64,
}

/// The rows whose bits and hex cells show different bytes. The hex cells were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferingRows {
    /// The number of rows, at least 1.
    pub number: u64,
    /// The line of the first of them, from 1 on.
    pub first: u64,
}

impl Default for PlacedBytes {
    fn default() -> PlacedBytes {
        PlacedBytes {
            spool: Spool::with_limit(IN_MEMORY),
            count: 0,
            last: Vec::new(),
            origin: None,
            end: 0,
            gaps: PlacementGaps::default(),
            joined: None,
            differing: None,
            bare: false,
        }
    }
}

impl PlacedBytes {
    /// Returns the offset of the first byte, or 0 if there is none.
    pub fn origin(&self) -> u64 {
        self.origin.unwrap_or(0)
    }

    /// Returns the offset after the last byte.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the gaps between the bytes.
    pub fn gaps(&self) -> PlacementGaps {
        self.gaps
    }

    /// Returns `true` if the offsets were read as decimal.
    pub fn has_decimal_offsets(&self) -> bool {
        self.joined.is_some()
    }

    /// Returns the line that shows that the offsets are decimal or, after a gap, hexadecimal.
    pub(super) fn either_radix_line(&self) -> Option<u64> {
        self.joined
    }

    /// Returns the rows whose bits and hex cells differ, if there are any.
    pub fn differing(&self) -> Option<DifferingRows> {
        self.differing
    }

    /// Notes that the row on this line has other bits than hex.
    pub(super) fn note_differing_row(&mut self, line: u64) {
        let rows = self.differing.get_or_insert(DifferingRows { number: 0, first: line });
        rows.number += 1;
    }

    /// Returns `true` if the rows have no offsets.
    pub(super) fn is_bare(&self) -> bool {
        self.bare
    }

    /// Notes that the rows have no offsets. Returns `false` if there was a row with an offset.
    pub(super) fn set_bare(&mut self) -> bool {
        self.bare |= self.origin.is_none();
        self.bare
    }

    /// Returns `true` if there are no bytes.
    pub(super) fn is_empty(&self) -> bool {
        self.end == self.origin()
    }

    /// Continues at this offset, which is not before the end.
    pub(super) fn skip_to(&mut self, offset: u64) -> io::Result<()> {
        if offset > self.end {
            self.close()?;
            if self.origin.is_some() {
                self.gaps.number += 1;
                self.gaps.bytes += offset - self.end;
            }
            self.end = offset;
        }
        self.origin.get_or_insert(offset);
        Ok(())
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.last.len() + bytes.len() > BLOCK {
            self.close()?;
        }
        self.last.extend_from_slice(bytes);
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Appends bytes repeatedly until they cover this many.
    pub(super) fn repeat(&mut self, bytes: &[u8], covers: u64) -> io::Result<()> {
        self.close()?;
        self.store(self.end, bytes, covers)?;
        self.end += covers;
        Ok(())
    }

    /// Removes the gaps: the offsets are decimal, as this line shows, and the bytes follow one another from
    /// an offset on.
    pub(super) fn join(&mut self, origin: u64, line: u64) {
        let len = self.end - self.origin() - self.gaps.bytes;
        (self.origin, self.end) = (Some(origin), origin + len);
        (self.gaps, self.joined) = (PlacementGaps::default(), Some(line));
    }

    /// Moves the last block into the spool.
    fn close(&mut self) -> io::Result<()> {
        let mut last = std::mem::take(&mut self.last);
        let len = last.len() as u64;
        if len > 0 {
            self.store(self.end - len, &last, len)?;
        }
        last.clear();
        self.last = last;
        Ok(())
    }

    fn store(&mut self, offset: u64, bytes: &[u8], covers: u64) -> io::Result<()> {
        self.count += 1;
        self.spool.write_numbers([offset, bytes.len() as u64, covers])?;
        self.spool.write_all(bytes)
    }

    /// Calls `work` for all bytes in order, in blocks, each with its offset.
    ///
    /// # Errors
    /// Those of the temporary file and of `work`.
    pub fn each(&mut self, mut work: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        self.close()?;
        let mut block = Vec::new();
        let (mut next, joined) = (self.origin(), self.joined.is_some());
        self.spool.read(|spool| {
            for _ in 0..self.count {
                let [offset, len, covers] = read_numbers(spool)?;
                let mut offset = if joined { next } else { offset };
                next = offset + covers;
                read_bytes(spool, len, &mut block)?;
                multiply(&mut block, covers);
                while offset < next {
                    let len = (next - offset).min(block.len() as u64);
                    work(offset, &block[..len as usize])?;
                    offset += len;
                }
            }
            Ok(())
        })
    }

    /// Calls `put` for all parts from the origin on, in order.
    ///
    /// # Errors
    /// Those of [`each`](PlacedBytes::each).
    pub fn write(
        &mut self,
        mut put: impl FnMut(PlacedPart<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut at, end) = (self.origin(), self.end);
        self.each(|offset, bytes| {
            if offset > at {
                put(PlacedPart::Gap(offset - at))?;
            }
            at = offset + bytes.len() as u64;
            put(PlacedPart::Bytes(bytes))
        })?;
        if end > at { put(PlacedPart::Gap(end - at)) } else { Ok(()) }
    }
}

/// A part of the bytes of a dump.
#[derive(Clone, Copy, Debug)]
pub enum PlacedPart<'a> {
    /// Bytes of rows.
    Bytes(&'a [u8]),
    /// This many zeros between rows.
    Gap(u64),
}

impl<'a> PlacedPart<'a> {
    /// Returns the bytes of the part in blocks.
    pub fn blocks(self) -> impl Iterator<Item = &'a [u8]> {
        let (bytes, mut zeros) = match self {
            PlacedPart::Bytes(bytes) => (Some(bytes), 0),
            PlacedPart::Gap(zeros) => (None, zeros),
        };
        let zeros = std::iter::from_fn(move || {
            let len = zeros.min(BLOCK as u64);
            zeros -= len;
            (len > 0).then(|| &ZEROS[..len as usize])
        });
        bytes.into_iter().chain(zeros)
    }
}

/// Repeats a short block within itself, so that fewer blocks cover the same bytes.
fn multiply(block: &mut Vec<u8>, covers: u64) {
    while !block.is_empty() && block.len() < BLOCK && (block.len() as u64) < covers {
        block.extend_from_within(..);
    }
}
