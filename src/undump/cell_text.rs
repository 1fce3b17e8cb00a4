//! Text after the cells of a row, which may look like cells.

use super::columns::{PANEL, panel_width};
use crate::dump::CellBase;

/// The column, from the first cell on, in which Wireshark writes the text of sixteen hex cells.
const WIRESHARK: usize = 50;

/// The number of cells in a row of Wireshark.
const WIRESHARK_ROW: usize = 16;

/// The number of columns, each a panel of hexyl after the one before, in which the text of a row may
/// start. It bounds the work for a row with a long gap; a terminal has room for fewer panels.
const MOST_COLUMNS: usize = 128;

/// Returns `true` if the characters from `columns[start]` on stand where a program writes the text of
/// these bytes, and show them. `columns` starts with the first cell.
pub(super) fn shows(columns: &str, start: usize, base: CellBase, bytes: &[u8]) -> bool {
    is_text(columns, start, base, bytes, is_shown_as)
}

/// Returns `true` if these characters may be the text of the bytes, in ASCII, EBCDIC or a code page.
pub(super) fn may_show(columns: &str, start: usize, base: CellBase, bytes: &[u8]) -> bool {
    /// The blank in EBCDIC.
    const EBCDIC_BLANK: u8 = 0x40;
    is_text(columns, start, base, bytes, |byte, c| {
        let is_ascii = matches!(byte, b' '..=b'~');
        !is_ascii || c == char::from(byte) || (byte, c) == (EBCDIC_BLANK, ' ')
    })
}

/// Returns `true` if a character shows a byte in ASCII, or stands for a byte without a character.
pub(super) fn is_shown_as(byte: u8, c: char) -> bool {
    match byte {
        b' '..=b'~' => c == char::from(byte),
        // Old versions of hexyl show NUL as a zero.
        0 => c == '0' || !c.is_ascii_alphanumeric(),
        _ => !c.is_ascii_alphanumeric(),
    }
}

/// Looks for the text of the bytes in each column in which a program may write it.
fn is_text(
    columns: &str,
    start: usize,
    base: CellBase,
    bytes: &[u8],
    shows: impl Fn(u8, char) -> bool,
) -> bool {
    let panels = bytes.len().div_ceil(PANEL)..;
    let hexyl = panels.map(|panels| (panels * panel_width(base) - 1, PANEL));
    let hexyl = hexyl.take(MOST_COLUMNS);
    let is_wireshark = base == CellBase::Hex && bytes.len() <= WIRESHARK_ROW;
    let wireshark = is_wireshark.then_some((WIRESHARK, WIRESHARK_ROW));
    let mut places = hexyl.chain(wireshark).filter(|&(column, _)| column <= start);
    places.any(|(column, panel)| {
        columns.get(column..).is_some_and(|text| is_text_of(text, panel, bytes, &shows))
    })
}

/// Returns `true` if this is the text of the bytes, in panels with a blank or a line between.
pub(super) fn is_text_of(
    text: &str,
    panel: usize,
    bytes: &[u8],
    shows: impl Fn(u8, char) -> bool,
) -> bool {
    let is_between = |c| matches!(c, ' ' | '|' | '┊' | '│');
    let mut text = text.chars().fuse();
    let mut next = || text.next().unwrap_or(' ');
    bytes.iter().enumerate().all(|(at, &byte)| {
        let is_seam = at > 0 && at.is_multiple_of(panel);
        (!is_seam || is_between(next())) && shows(byte, next())
    }) && text.all(is_between)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn text_stands_in_its_column_and_shows_the_bytes() {
        for (cells, column, text, bytes, strict, loose) in [
            // hexyl with one panel and with two.
            ("61 62", 25, "ab", &b"ab"[..], true, true),
            ("61 62", 51, "ab", b"ab", true, true),
            ("20 61 62", 52, "ab", b" ab", true, true),
            ("61 62", 52, "ab", b"ab", false, false),
            ("61 62", 24, "ab", b"ab", false, false),
            ("61 62", 51, "ac", b"ab", false, false),
            ("61 62", 51, "abc", b"ab", false, false),
            // Stand-ins.
            ("61 62 00", 51, "ab0", b"ab\0", true, true),
            ("61 62 c3", 51, "ab\u{D7}", b"ab\xC3", true, true),
            // EBCDIC
            ("81 82", 51, "ab", b"\x81\x82", false, true),
            // Wireshark
            ("61 62", 50, "ab", b"ab", true, true),
        ] {
            let columns = format!("{cells:column$}{text}");
            let start = columns.rfind("  ").unwrap() + 2;
            assert_eq!(shows(&columns, start, CellBase::Hex, bytes), strict, "{columns:?}");
            assert_eq!(may_show(&columns, start, CellBase::Hex, bytes), loose, "{columns:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts steps of safe code on long text")]
    fn a_long_gap_is_linear_work() {
        let sizes = [(1, 1 << 20), (16, 1 << 20), (1 << 10, 1 << 17), (1 << 13, 1 << 17)];
        for (cells, gap) in sizes {
            // A blank may show each of these bytes, and the last character none.
            let bytes = vec![0; cells];
            let columns = format!("{}{}00 x", "00 ".repeat(cells), " ".repeat(gap));
            let steps = Cell::new(0);
            let is_shown = |byte, c| {
                steps.set(steps.get() + 1);
                is_shown_as(byte, c)
            };
            let start = columns.len() - 4;
            assert!(!is_text(&columns, start, CellBase::Hex, &bytes, is_shown));
            let most = (MOST_COLUMNS + 1) * cells;
            assert!(steps.get() <= most, "{} steps for {cells} cells", steps.get());
        }
    }

    #[test]
    fn text_stands_in_a_limited_number_of_columns() {
        for (panels, is_shown) in [(1, true), (MOST_COLUMNS, true), (MOST_COLUMNS + 1, false)] {
            let start = panels * panel_width(CellBase::Hex) - 1;
            let columns = format!("{:start$}ab", "61 62");
            assert_eq!(shows(&columns, start, CellBase::Hex, b"ab"), is_shown, "{panels} panels");
        }
    }
}
