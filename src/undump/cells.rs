//! Cells after a colon.

use std::io;

use super::error::{DumpRemedy, wrong, wrong_form};
use crate::dump::CellBase;
use crate::kernel::gather_bits;
use crate::source::hex;
use crate::text::escape::{EscapeStyle, escape};
use crate::text::number::counted;

/// Appends the bytes of cells. A separator (blank, period or exclamation mark) precedes each cell,
/// a cell has one byte or more, and two blanks end the cells. Returns the rest of the row.
pub(super) fn read<'a>(cells: &'a [u8], base: CellBase, out: &mut Vec<u8>) -> io::Result<&'a [u8]> {
    match base {
        CellBase::Hex => read_with(cells, base, hex::pair, out),
        CellBase::Bits => read_with(cells, base, bits, out),
        CellBase::Octal => read_with(cells, base, radix::<8>, out),
        CellBase::Decimal => read_with(cells, base, radix::<10>, out),
    }
}

/// Appends the bytes of hex cells that start with `0x`.
pub(super) fn read_prefixed(text: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    for cell in text.split(u8::is_ascii_whitespace).filter(|cell| !cell.is_empty()) {
        let digits = cell.strip_prefix(b"0x").and_then(|digits| <&[u8; 2]>::try_from(digits).ok());
        let byte = digits.and_then(hex::pair);
        out.push(byte.ok_or_else(|| {
            wrong(format!("\"{}\" is not a byte with 0x (x/16xb shows bytes)", shown(cell)))
        })?);
    }
    Ok(())
}

fn read_with<'a, const N: usize>(
    mut cells: &'a [u8],
    base: CellBase,
    value: impl Fn(&[u8; N]) -> Option<u8>,
    out: &mut Vec<u8>,
) -> io::Result<&'a [u8]> {
    while let Some(cell) = next(cells) {
        cells = cell;
        while let Some((digits, rest)) = cells.split_first_chunk()
            && let Some(byte) = value(digits)
        {
            out.push(byte);
            cells = rest;
        }
        let ended = cells.first().is_none_or(is_separator);
        if !ended || cells.len() == cell.len() {
            return Err(wrong_cell(word(cell), base));
        }
    }
    Ok(cells)
}

/// Returns `true` if the text of a row of hex cells shows the bytes only if those of each group are
/// reversed, as xxd -e writes them: it is ASCII and contradicts the order of the cells in at least four
/// places. `rest` is the row from the end of the cells on. xxd aligns an incomplete group to the right,
/// so that blanks may stand before more cells.
pub(super) fn is_reversed(row: &[u8], rest: &[u8], cells: &[u8]) -> bool {
    const CONTRADICTIONS: usize = 4;
    let group = word(next(row).unwrap_or_default()).len() / 2;
    if group < 2 {
        return false;
    }
    let last = rest.windows(GAP.len()).rposition(|two| two == GAP);
    let (Some(text), Some(last)) = (rest.strip_prefix(GAP), last) else { return false };
    let reversed = || cells.chunks(group).flat_map(|group| group.iter().rev());
    let contradicts = |text: &[u8]| {
        padded(text).zip(reversed()).all(|(c, &byte)| c == shown_as(byte))
            && padded(text).zip(cells).filter(|&(c, &byte)| c != shown_as(byte)).count()
                >= CONTRADICTIONS
    };
    [text, &rest[last + GAP.len()..]].into_iter().any(contradicts) && !shows_in_order(rest, cells)
}

/// Two blanks end the cells.
const GAP: &[u8] = b"  ";

/// Returns `true` if the text of a row shows these bytes in order. The blanks before it may be those of
/// missing cells, or show the first bytes.
fn shows_in_order(rest: &[u8], cells: &[u8]) -> bool {
    let (text, blanks) = (rest.trim_ascii_start(), cells.iter().take_while(|&&byte| byte == b' '));
    let (gap, blanks) = (rest.len() - text.len(), blanks.count());
    let shown = cells[blanks..].iter().map(|&byte| shown_as(byte));
    gap >= GAP.len() + blanks && padded(text).zip(shown).all(|(c, shown)| c == shown)
}

/// Returns the character of the text that shows a byte.
fn shown_as(byte: u8) -> u8 {
    if matches!(byte, b' '..=b'~') { byte } else { b'.' }
}

/// Returns a text with the blanks at its end, which may have been cut off.
fn padded(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().copied().chain(std::iter::repeat(b' '))
}

/// Returns the text from the next cell on; `None` after the last cell.
pub(super) fn next(cells: &[u8]) -> Option<&[u8]> {
    match cells {
        [] | [b' '] | [b' ', b' ', ..] => None,
        [byte, cell @ ..] if is_separator(byte) => Some(cell),
        cell => Some(cell),
    }
}

fn is_separator(byte: &u8) -> bool {
    matches!(byte, b' ' | b'.' | b'!')
}

/// Returns the start of a text up to the next separator.
pub(super) fn word(text: &[u8]) -> &[u8] {
    let len = text.iter().position(is_separator);
    &text[..len.unwrap_or(text.len())]
}

/// Returns the byte of eight binary digits.
pub(super) fn bits(digits: &[u8; 8]) -> Option<u8> {
    let bits = u64::from_be_bytes(*digits) ^ u64::from_ne_bytes([b'0'; 8]);
    let is_bits = bits & !u64::from_ne_bytes([1; 8]) == 0;
    is_bits.then_some(gather_bits(bits))
}

/// Returns the byte of three digits.
pub(super) fn radix<const RADIX: u16>(digits: &[u8; 3]) -> Option<u8> {
    let number = digits.iter().try_fold(0, |number, digit| {
        let digit = u16::from(digit.wrapping_sub(b'0'));
        (digit < RADIX).then_some(RADIX * number + digit)
    });
    u8::try_from(number?).ok()
}

/// Returns the error of a cell that is invalid in this base.
pub(super) fn wrong_cell(cell: &[u8], base: CellBase) -> io::Error {
    let (radix, digits, name) = match base {
        CellBase::Bits => (2, 8, "binary"),
        CellBase::Hex => (16, 2, "hexadecimal"),
        CellBase::Octal => (8, 3, "octal"),
        CellBase::Decimal => (10, 3, "decimal"),
    };
    let why = if cell.is_empty() {
        "is a separator without a cell (two blanks end the cells)".to_owned()
    } else if !cell.iter().all(|&digit| (digit as char).is_digit(radix)) {
        let article = if base == CellBase::Octal { "an" } else { "a" };
        let why = format!("is not {article} {name} number; two blanks end the cells");
        return wrong_form(format!("\"{}\" {why}", shown(cell)), DumpRemedy::OtherBase);
    } else if !cell.len().is_multiple_of(digits) {
        let has = counted(cell.len() as u64, "digit");
        format!("has {has} (a byte has {digits} {name} digits)")
    } else if matches!(base, CellBase::Octal | CellBase::Decimal) {
        "is more than a byte holds (377 in octal, 255 in decimal)".to_owned()
    } else {
        "is several bytes (hexdump -C and od -A x -t x1 put each in a cell of its own)".to_owned()
    };
    wrong(format!("\"{}\" {why}", shown(cell)))
}

/// Returns text of a dump with unsafe characters escaped, and shortened if it is long.
pub(super) fn shown(text: &[u8]) -> String {
    const MOST: usize = 32;
    let mut out = Vec::new();
    escape(&mut out, &text[..text.len().min(MOST)], EscapeStyle::Quote);
    if text.len() > MOST {
        out.extend_from_slice(b"...");
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt(cells: &str, base: CellBase) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        let read = read(cells.as_bytes(), base, &mut out);
        read.map(|_| out).map_err(|error| error.to_string())
    }

    #[test]
    fn every_byte_in_every_base() {
        for byte in 0..=u8::MAX {
            for (base, cell) in [
                (CellBase::Bits, format!(" {byte:08b}")),
                (CellBase::Hex, format!(".{byte:02x}")),
                (CellBase::Hex, format!("!{byte:02X}")),
                (CellBase::Octal, format!(" {byte:03o}")),
                (CellBase::Decimal, format!("{byte:03}")),
            ] {
                assert_eq!(spelt(&cell, base).unwrap(), [byte], "{cell}");
            }
        }
    }

    #[test]
    fn separators_groups_and_the_text_column() {
        let euro = [0x41, 0xE2, 0x82, 0xAC, 0xC0, 0xAF];
        for cells in [
            " 41 e2.82.ac!c0.af  A\u{20AC}",
            " 41e2.82ac!c0af",
            " 41e282acc0af  ",
            " 41 e2 82 ac c0 af ",
        ] {
            assert_eq!(spelt(cells, CellBase::Hex).unwrap(), euro, "{cells}");
        }
        assert_eq!(spelt(" 101342.202  ..", CellBase::Octal).unwrap(), [0x41, 0xE2, 0x82]);
    }

    #[test]
    fn malformed_cells_are_rejected() {
        for (cells, base, why) in [
            (" 41 4", CellBase::Hex, "\"4\" has 1 digit (a byte has 2"),
            (" 41 424", CellBase::Hex, "\"424\" has 3 digits"),
            (" 41 4g", CellBase::Hex, "\"4g\" is not a hexadecimal number"),
            (" 41 \x1B[1m", CellBase::Hex, "\"\\x1B[1m\" is not a hexadecimal number"),
            (" 41..42", CellBase::Hex, "\"\" is a separator without a cell"),
            (" 01000001 0100001", CellBase::Bits, "\"0100001\" has 7 digits"),
            (" 01000002", CellBase::Bits, "\"01000002\" is not a binary number"),
            (" 101 400", CellBase::Octal, "\"400\" is more than a byte holds"),
            (" 108", CellBase::Octal, "\"108\" is not an octal number"),
            (" 255256", CellBase::Decimal, "\"255256\" is more than a byte holds"),
            (" 1", CellBase::Decimal, "\"1\" has 1 digit (a byte has 3"),
        ] {
            let error = spelt(cells, base).unwrap_err();
            assert!(error.starts_with(why), "{cells}: {error}");
        }
    }
}
