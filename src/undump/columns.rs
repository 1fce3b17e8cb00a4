//! Columns of a row without a colon.
//!
//! A row has bits and hex cells, as in the sequence layout, or hex cells alone, as in folded rows
//! and those of `hexdump -C` and `od -t x1`. `od -t o1` writes octal cells alone.

use std::io;

use memchr::memchr;

use super::cells::{self, shown, wrong_cell};
use super::error::{DumpRemedy, wrong, wrong_form};
use crate::dump::CellBase;
use crate::source::hex;

/// The number of bytes in a row of `hexdump -C`, `od`, `hexyl` and Wireshark.
const ROW: usize = 16;

/// U+00B7, the mark between marker bits and payload bits.
const MARK: &[u8] = "\u{B7}".as_bytes();

/// Appends the bytes of a row, from the column of this base.
pub(super) fn read(columns: &[u8], base: Option<CellBase>, out: &mut Vec<u8>) -> io::Result<()> {
    match base {
        Some(CellBase::Octal) if is_octal_cell(word(columns)) => {
            cells::read(columns, CellBase::Octal, out)
        }
        Some(CellBase::Octal) => {
            let message = "a row without a colon, and without octal cells of three digits";
            Err(wrong_form(message, DumpRemedy::NoBase))
        }
        Some(CellBase::Decimal) => {
            let message = "a row without a colon has no decimal cells";
            Err(wrong_form(message, DumpRemedy::NoBase))
        }
        _ if matches!(columns, [_, _] | [_, _, b' ', ..]) => hex_alone(columns, out),
        _ if bits(word(columns)).is_none() => Err(wrong_cell(word(columns), CellBase::Hex)),
        Some(CellBase::Bits) => bits_column(columns, out),
        _ => hex_column(behind_bits(columns)?, out).map(|_| ()),
    }
}

/// Appends the bytes of hex cells with one blank between cells. Returns the text after the cells.
fn hex_column<'a>(mut cells: &'a [u8], out: &mut Vec<u8>) -> io::Result<&'a [u8]> {
    loop {
        let Some((digits, rest)) = cells.split_first_chunk() else {
            return Err(wrong_cell(word(cells), CellBase::Hex));
        };
        out.push(hex::pair(digits).ok_or_else(|| wrong_cell(word(cells), CellBase::Hex))?);
        match rest {
            [] | [b' '] | [b' ', b' ', ..] => return Ok(rest),
            [b' ', next @ ..] => cells = next,
            _ => return Err(wrong_cell(word(cells), CellBase::Hex)),
        }
    }
}

/// Appends the bytes of a row of hex cells. Two blanks may stand in the middle of the row, and three
/// after its first half, as in `hexyl --border none`. Sixteen cells are a whole row.
fn hex_alone(mut cells: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let behind = hex_column(cells, out)?;
        let next = behind.trim_ascii_start();
        if !begins_with_cell(next) || out.len() == ROW && !begins_with_cells(next) {
            return Ok(());
        }
        let gap = if out.len() == ROW / 2 { 3 } else { 2 };
        if out.len() == ROW || behind.len() - next.len() > gap {
            let cell = shown(word(next));
            return Err(wrong(format!("\"{cell}\" stands apart (one blank between cells)")));
        }
        cells = next;
    }
}

/// Returns `true` for a cell of `od -t o1`.
fn is_octal_cell(cell: &[u8]) -> bool {
    cell.len() == 3 && cell.iter().all(|digit| matches!(digit, b'0'..=b'7'))
}

/// Returns `true` for half a row of cells, which is hardly text.
fn begins_with_cells(text: &[u8]) -> bool {
    let cells = text.split(|&byte| byte == b' ').take(ROW / 2);
    cells.clone().count() == ROW / 2
        && cells.into_iter().all(|cell| cell.len() == 2 && begins_with_cell(cell))
}

fn begins_with_cell(text: &[u8]) -> bool {
    let digits = text.first_chunk().and_then(hex::pair);
    digits.is_some() && matches!(text.get(2), None | Some(b' '))
}

/// Appends the bytes of binary cells with one blank between cells.
fn bits_column(mut cells: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let cell = word(cells);
        out.push(bits(cell).ok_or_else(|| wrong_cell(cell, CellBase::Bits))?);
        match &cells[cell.len()..] {
            [b' ', next @ ..] if !next.starts_with(b" ") => cells = next,
            _ => return Ok(()),
        }
    }
}

/// Returns the text after the column of bits.
fn behind_bits(mut columns: &[u8]) -> io::Result<&[u8]> {
    while let Some(len) = memchr(b' ', columns) {
        columns = &columns[len + 1..];
        if columns.starts_with(b" ") {
            return Ok(columns.trim_ascii_start());
        }
    }
    Err(wrong_form("no hex cells after two blanks", DumpRemedy::Bits))
}

/// Returns the byte of eight binary digits, with or without marks between the digits.
fn bits(mut cell: &[u8]) -> Option<u8> {
    let (mut byte, mut digits) = (0, 0);
    while let [first, rest @ ..] = cell {
        cell = match first {
            b'0' | b'1' => {
                byte = byte << 1 | (first & 1);
                digits += 1;
                rest
            }
            b'.' => rest,
            _ => cell.strip_prefix(MARK)?,
        };
    }
    (digits == 8).then_some(byte)
}

/// Returns the start of a text up to the next blank.
fn word(text: &[u8]) -> &[u8] {
    &text[..memchr(b' ', text).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EURO: &str = "1110\u{B7}0010 10\u{B7}000010 10\u{B7}101101  e2 82 ac  U+20AC  \u{20AC}";

    fn spelt(columns: &str, base: Option<CellBase>) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let read = read(columns.as_bytes(), base, &mut out);
        read.map(|()| out).map_err(|error| error.to_string())
    }

    #[test]
    fn hex_decides_unless_bits_are_requested() {
        // The last bit and the last hex digit differ.
        assert_eq!(spelt(EURO, None).unwrap(), [0xE2, 0x82, 0xAC]);
        assert_eq!(spelt(EURO, Some(CellBase::Hex)).unwrap(), [0xE2, 0x82, 0xAC]);
        assert_eq!(spelt(EURO, Some(CellBase::Bits)).unwrap(), [0xE2, 0x82, 0xAD]);
        let ascii = "1100.0000 10.101111            C0 AF";
        assert_eq!(spelt(ascii, None).unwrap(), [0xC0, 0xAF]);
        assert_eq!(spelt("11000000", Some(CellBase::Bits)).unwrap(), [0xC0]);
    }

    #[test]
    fn hex_cells_alone() {
        for (columns, bytes) in [
            ("48 69  \"be 41\"", &b"Hi"[..]),
            ("48 69", b"Hi"),
            ("41 42 43 44 45 46 47 48  49 4a      |ABCDEFGHIJ|", b"ABCDEFGHIJ"),
            ("41  >A<", b"A"),
        ] {
            assert_eq!(spelt(columns, Some(CellBase::Bits)).unwrap(), bytes, "{columns}");
        }
    }

    #[test]
    fn other_lines_are_rejected() {
        for (columns, base, why) in [
            ("1100\u{B7}0000 10\u{B7}101111", None, "no hex cells after two blanks"),
            ("11000000  U+20AC", None, "\"U+20AC\" is not a hexadecimal number"),
            ("11000000  c0 a  x", None, "\"a\" has 1 digit"),
            ("11000000 1100000  c0 a0", Some(CellBase::Bits), "\"1100000\" has 7 digits"),
            ("41 4", None, "\"4\" has 1 digit"),
            ("41 x", None, "\"x\" is not a hexadecimal number"),
            ("41 424", None, "\"424\" has 3 digits"),
            ("41 4242", None, "\"4242\" is several bytes"),
            ("1110001011100010", Some(CellBase::Bits), "\"1110001011100010\" is several bytes"),
            ("41    42", None, "\"42\" stands apart"),
            ("4865 6c6c", None, "\"4865\" is several bytes"),
            ("101 2", Some(CellBase::Octal), "\"2\" has 1 digit (a byte has 3 octal digits)"),
            ("41 42", Some(CellBase::Octal), "a row without a colon"),
            ("101 102", Some(CellBase::Decimal), "a row without a colon"),
            ("hello", None, "\"hello\" is not a hexadecimal number"),
        ] {
            let error = spelt(columns, base).unwrap_err();
            assert!(error.starts_with(why), "{columns}: {error}");
        }
    }
}
