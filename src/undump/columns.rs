//! Columns of a row without a colon.
//!
//! A row has bits and hex cells, as in the sequence layout, or cells of one base, as in folded rows
//! and those of `hexdump -C`, `od` and `hexyl --border none`. Cells may be in panels of eight. Text
//! after cells may look like further cells: its column and its characters tell it, or the row is
//! refused.

use std::io;

use memchr::{memchr, memmem};

use super::cell_text::{may_show, shows};
use super::cells::{radix, shown, wrong_cell};
use super::error::{DumpRemedy, wrong, wrong_form};
use crate::dump::CellBase;
use crate::source::hex;
use crate::text::number::counted;

/// The number of cells in a panel of `hexyl` and in half a row of `hexdump -C`.
pub(super) const PANEL: usize = 8;

/// The number of blanks between the halves of a row of `hexdump -C`.
const HALVES_GAP: usize = 2;

/// The largest number of blanks between a whole row and its text.
const TEXT_GAP: usize = 3;

/// U+00B7, the mark between marker bits and payload bits.
const MARK: &[u8] = "\u{B7}".as_bytes();

/// Appends the bytes of a row, from the column of this base. Returns `false` if its bits and hex
/// cells differ and no base was requested.
pub(super) fn read(columns: &[u8], base: Option<CellBase>, out: &mut Vec<u8>) -> io::Result<bool> {
    let first = word(columns);
    let one_base = match base {
        Some(base @ (CellBase::Octal | CellBase::Decimal)) if first.len() == base.width() => {
            panels(columns, base, out)
        }
        Some(CellBase::Octal | CellBase::Decimal) => {
            let message = "a row without a colon, and without cells of three digits";
            Err(wrong_form(message, DumpRemedy::NoBase))
        }
        _ if first.len() == 2 => panels(columns, CellBase::Hex, out),
        _ if cell(first, CellBase::Bits).is_none() => Err(wrong_cell(first, CellBase::Hex)),
        Some(CellBase::Bits) => panels(columns, CellBase::Bits, out),
        _ => return bits_and_hex(columns, base, out),
    };
    one_base.map(|()| true)
}

/// Appends the bytes of the hex cells of a row with bits and hex cells. Returns `false` if its bits
/// differ and no base was requested.
fn bits_and_hex(columns: &[u8], base: Option<CellBase>, out: &mut Vec<u8>) -> io::Result<bool> {
    let (bits, hex) = behind_bits(columns)?;
    run(hex, CellBase::Hex, out)?;
    if base.is_some() {
        return Ok(true);
    }
    let bits = bits.split(|&byte| byte == b' ').map(|word| cell(word, CellBase::Bits));
    let number = bits.clone().count();
    if number != out.len() {
        let (bits, hex) = (counted(number as u64, "byte"), out.len());
        let message = format!("{bits} in bits, but {hex} in hex");
        return Err(wrong_form(message, DumpRemedy::BitsOrHex));
    }
    Ok(bits.eq(out.iter().copied().map(Some)))
}

/// Appends the bytes of panels of cells.
fn panels(columns: &[u8], base: CellBase, out: &mut Vec<u8>) -> io::Result<()> {
    // Text in another encoding is not compared with the cells.
    let row = str::from_utf8(columns).unwrap_or_default();
    let mut cells = columns;
    loop {
        let behind = run(cells, base, out)?;
        let next = behind.trim_ascii_start();
        if cell(word(next), base).is_none() {
            return Ok(());
        }
        // The next panel, or text that looks like cells.
        let (gap, start) = (behind.len() - next.len(), columns.len() - next.len());
        let is_whole = out.len().is_multiple_of(PANEL);
        let is_half = (base, out.len(), gap) == (CellBase::Hex, PANEL, HALVES_GAP);
        let is_panel = is_half || is_whole && start == out.len() / PANEL * panel_width(base);
        let is_text = match is_panel {
            true => may_show(row, start, base, out),
            false => is_whole && gap <= TEXT_GAP || shows(row, start, base, out),
        };
        match is_text {
            false if is_panel => cells = next,
            true if !is_panel || !is_run(columns, next, base, out.len()) => return Ok(()),
            _ => {
                let cell = shown(word(next));
                return Err(wrong(format!(
                    "\"{cell}\" stands apart: a cell or text (remove the text, or close the gap)"
                )));
            }
        }
    }
}

/// Returns `true` if `columns` go on with one more panel of cells after this number of cells.
fn is_run(columns: &[u8], next: &[u8], base: CellBase, cells: usize) -> bool {
    run(next, base, &mut Vec::new()).is_ok_and(|behind| {
        let text = behind.trim_ascii_start();
        let column = columns.len() - text.len();
        // hexdump -C has its text one column before that of hexyl.
        text.is_empty() || column >= (cells / PANEL + 1) * panel_width(base) - 2
    })
}

/// Returns the width of a panel of `hexyl` with the blanks after it.
pub(super) fn panel_width(base: CellBase) -> usize {
    PANEL * (base.width() + 1) + 2
}

/// Appends the bytes of cells with one blank between cells. Returns the text after the cells.
fn run<'a>(mut cells: &'a [u8], base: CellBase, out: &mut Vec<u8>) -> io::Result<&'a [u8]> {
    loop {
        let word = word(cells);
        out.push(cell(word, base).ok_or_else(|| wrong_cell(word, base))?);
        match &cells[word.len()..] {
            [b' ', next @ ..] if !matches!(next, [] | [b' ', ..]) => cells = next,
            rest => return Ok(rest),
        }
    }
}

/// Splits a row into the column of bits and the text from the hex cells on.
fn behind_bits(columns: &[u8]) -> io::Result<(&[u8], &[u8])> {
    let gap = memmem::find(columns, b"  ").unwrap_or(columns.len());
    let (bits, hex) = columns.split_at(gap);
    let hex = hex.trim_ascii_start();
    let is_hex = cell(word(hex), CellBase::Bits).is_none() && !hex.is_empty();
    is_hex
        .then_some((bits, hex))
        .ok_or_else(|| wrong_form("no hex cells after two blanks", DumpRemedy::Bits))
}

/// Returns the byte of a cell.
fn cell(cell: &[u8], base: CellBase) -> Option<u8> {
    match base {
        CellBase::Hex => hex::pair(cell.try_into().ok()?),
        CellBase::Bits => bits(cell),
        CellBase::Octal => radix::<8>(cell.try_into().ok()?),
        CellBase::Decimal => radix::<10>(cell.try_into().ok()?),
    }
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
pub(super) fn word(text: &[u8]) -> &[u8] {
    &text[..memchr(b' ', text).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EURO: &str = "1110\u{B7}0010 10\u{B7}000010 10\u{B7}101101  e2 82 ac  U+20AC  \u{20AC}";

    fn spelt(columns: &str, base: Option<CellBase>) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let read = read(columns.as_bytes(), base, &mut out);
        read.map(|_| out).map_err(|error| error.to_string())
    }

    #[test]
    fn different_bits_and_hex_are_told_unless_a_base_is_requested() {
        let agree = |columns: &str, base| read(columns.as_bytes(), base, &mut Vec::new()).unwrap();
        assert!(!agree(EURO, None));
        assert!(agree(EURO, Some(CellBase::Hex)));
        assert!(agree(EURO, Some(CellBase::Bits)));
        assert!(agree("1100.0000 10.101111            C0 AF", None));
        assert!(!agree("1100.0000 10.10111x            C0 AF", None));
        assert!(agree("48 69  \"be 41\"", None));
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
            ("41 42  43 44", None, "\"43\" stands apart"),
            ("01000001 01000010  41", None, "2 bytes in bits, but 1 in hex"),
            ("01000001   01000010", None, "no hex cells after two blanks"),
            ("4865 6c6c", None, "\"4865\" is several bytes"),
            ("101 2", Some(CellBase::Octal), "\"2\" has 1 digit (a byte has 3 octal digits)"),
            ("41 42", Some(CellBase::Octal), "a row without a colon"),
            ("41 42", Some(CellBase::Decimal), "a row without a colon"),
            ("hello", None, "\"hello\" is not a hexadecimal number"),
        ] {
            let error = spelt(columns, base).unwrap_err();
            assert!(error.starts_with(why), "{columns}: {error}");
        }
    }
}
