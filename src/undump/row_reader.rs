//! Rows with offsets.

use std::borrow::Cow;
use std::io;

use memchr::memchr;

use super::base::BaseJudge;
use super::error::{DumpRemedy, on_line, wrong, wrong_form};
use super::line::{DumpLine, RowShape};
use super::pending::PendingLines;
use super::placement::RowPlacer;
use super::radix::{DecimalOffsets, OffsetRadix, either_radix};
use super::{PlacedBytes, cells, columns, frame};
use crate::codec::UTF8_BOM;
use crate::dump::CellBase;

const ESC: u8 = 0x1B;

/// Reads rows with offsets.
#[derive(Debug)]
pub(super) struct RowReader {
    /// The base of the cells, once it is known.
    base: Option<CellBase>,
    judge: BaseJudge,
    held: PendingLines,
    order: RowPlacer,
    offsets: OffsetRadix,
    decimals: DecimalOffsets,
}

impl RowReader {
    pub fn new(base: Option<CellBase>) -> RowReader {
        RowReader {
            base,
            judge: BaseJudge::default(),
            held: PendingLines::default(),
            order: RowPlacer::default(),
            offsets: OffsetRadix::default(),
            decimals: DecimalOffsets::default(),
        }
    }

    /// Reads a line.
    pub fn line(&mut self, number: u64, line: &[u8]) -> io::Result<()> {
        let line = if number == 1 { line.strip_prefix(UTF8_BOM).unwrap_or(line) } else { line };
        let line = &uncoloured(line)[..];
        let parsed = DumpLine::parse(line);
        if self.base.is_none() {
            if let Some(base) = self.judge.look(parsed.as_ref().ok()) {
                self.settle(base)?;
            } else if self.judge.is_undecided() || !self.held.is_empty() {
                return self.hold(number, line);
            }
        }
        self.take(number, parsed)
    }

    /// Returns the bytes. Call it after the last line.
    pub fn finish(mut self) -> io::Result<PlacedBytes> {
        if !self.held.is_empty() {
            self.decide()?;
        }
        let mut placed = self.order.finish()?;
        if let Some(line) = self.decimals.first_gap() {
            let origin = self.decimals.origin().ok_or_else(|| either_radix(line))?;
            placed.join(origin, line);
        }
        Ok(placed)
    }

    /// Keeps a line until the base is known.
    fn hold(&mut self, number: u64, line: &[u8]) -> io::Result<()> {
        match self.held.push(number, line) {
            true => self.decide(),
            false => Ok(()),
        }
    }

    /// Decides the base where no further line can.
    fn decide(&mut self) -> io::Result<()> {
        let base = self.judge.end().ok_or_else(|| {
            let message = "eight binary digits are one byte or, in hexadecimal, four";
            on_line(self.held.first(), wrong_form(message, DumpRemedy::BitsOrHex))
        })?;
        self.settle(base)
    }

    /// Sets the base and reads the waiting lines.
    fn settle(&mut self, base: CellBase) -> io::Result<()> {
        self.base = Some(base);
        let held = std::mem::take(&mut self.held);
        held.lines().try_for_each(|(number, line)| self.take(number, DumpLine::parse(line)))
    }

    fn take(&mut self, number: u64, line: io::Result<DumpLine<'_>>) -> io::Result<()> {
        let taken = line.and_then(|line| self.place(number, line));
        taken.map_err(|error| on_line(number, error))
    }

    fn place(&mut self, number: u64, line: DumpLine<'_>) -> io::Result<()> {
        match line {
            DumpLine::Empty => Ok(()),
            DumpLine::Star => {
                self.decimals.star();
                self.order.star(number)
            }
            DumpLine::Apart => {
                self.decimals.rule_out();
                self.order.apart()
            }
            DumpLine::Bare(shape) => {
                let offset = self.order.bare()?;
                self.row(number, offset, shape)
            }
            DumpLine::EightDigits { hex, decimal, cells } => {
                self.order.numbered()?;
                let gap = self.order.gap_before(hex);
                let row = self.row(number, hex, RowShape::Colon(cells));
                row.map_err(|error| match self.decimals.may_have_star() {
                    true => either_radix(number),
                    false => error,
                })?;
                self.decimals.add(number, hex, decimal, self.order.row_len(), gap);
                Ok(())
            }
            DumpLine::Row(offset, shape) | DumpLine::HexRow(offset, shape) => {
                self.decimals.rule_out();
                self.order.numbered()?;
                self.row(number, offset, shape)
            }
            DumpLine::SevenDigits(digits, shape) => {
                let offset = self.offsets.number(digits, self.order.next_offset())?;
                self.place(number, DumpLine::Row(offset, shape))
            }
        }
    }

    fn row(&mut self, number: u64, offset: u64, shape: RowShape<'_>) -> io::Result<()> {
        let base = self.base;
        match shape {
            RowShape::End => self.order.end(offset),
            // Rows that are read before the base is known are the same in every base.
            RowShape::Colon(text) => {
                let base = base.unwrap_or(CellBase::Hex);
                self.order.row(offset, |out| {
                    let rest = cells::read(text, base, out)?;
                    match base == CellBase::Hex && cells::is_reversed(text, rest, out) {
                        true => Err(wrong(
                            "groups of bytes in reversed order (utf8 dump-bits, or xxd without -e, \
                             writes them in order)",
                        )),
                        false => Ok(()),
                    }
                })
            }
            RowShape::Framed(panels) => {
                self.order.row(offset, |out| frame::read(panels, base, out))
            }
            RowShape::Prefixed(text) => {
                self.order.row(offset, |out| cells::read_prefixed(text, out))
            }
            RowShape::Blank(text) => {
                let mut agree = true;
                self.order.row(offset, |out| {
                    agree = columns::read(text, base, out)?;
                    Ok(())
                })?;
                if !agree {
                    self.order.note_differing_row(number);
                }
                Ok(())
            }
        }
    }
}

/// Returns a line without colour escapes: `ESC [`, numbers, `m`.
fn uncoloured(line: &[u8]) -> Cow<'_, [u8]> {
    if memchr(ESC, line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut parts = line.split(|&byte| byte == ESC);
    let mut text = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        match behind_colour(part) {
            Some(rest) => text.extend_from_slice(rest),
            None => text.extend([&[ESC], part].concat()),
        }
    }
    Cow::Owned(text)
}

/// Returns the text after a colour escape, given the text after ESC; `None` for other escapes.
fn behind_colour(text: &[u8]) -> Option<&[u8]> {
    let numbers = text.strip_prefix(b"[")?;
    let len = numbers.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'))?;
    numbers[len..].strip_prefix(b"m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_no_part_of_a_line() {
        for (line, text) in [
            ("41 42", "41 42"),
            ("\x1B[1m41\x1B[0m 42", "41 42"),
            ("\x1B[38;5;12m41\x1B[m", "41"),
            ("\x1B\x1B[1m[1mx\x1B[2J\x1B[", "\x1B[1mx\x1B[2J\x1B["),
        ] {
            assert_eq!(uncoloured(line.as_bytes()), text.as_bytes(), "{line:?}");
        }
    }
}
