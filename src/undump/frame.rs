//! Frames of dumps: vertical lines between offset, cells and text, as hexyl draws them.
//!
//! ```text
//! ┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
//! │00000000│ e2 82 ac 0a             ┊                         │×××_    ┊        │
//! └────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘
//! ```

use std::io;

use super::cells;
use super::error::wrong;
use crate::dump::CellBase;

/// The vertical lines: of Unicode, the inner one dashed, and of ASCII.
const LINES: [&[u8]; 3] = ["│".as_bytes(), "┊".as_bytes(), b"|"];

/// Returns `true` for a horizontal line of a frame.
pub(super) fn is_rule(line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else { return false };
    let is_part = |c| matches!(c, '─' | '┌' | '┬' | '┐' | '└' | '┴' | '┘' | '+' | '-');
    line.starts_with(['┌', '└', '+']) && line.chars().all(is_part)
}

/// Splits a framed row into its first panel and the rest. `None` if the line is no framed row.
pub(super) fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    split_panel(behind_line(line)?)
}

/// Returns `true` if the first of some panels is empty.
pub(super) fn is_empty(panels: &[u8]) -> bool {
    split_panel(panels).is_some_and(|(first, _)| first.trim_ascii().is_empty())
}

/// Appends the bytes of panels of cells. Panels of another width show text.
pub(super) fn read(mut panels: &[u8], base: CellBase, out: &mut Vec<u8>) -> io::Result<()> {
    if !LINES.iter().any(|line| panels.ends_with(line)) {
        return Err(wrong("a framed row without the line at its end (copy whole rows)"));
    }
    let mut width = None;
    while let Some((panel, rest)) = split_panel(panels) {
        if *width.get_or_insert(panel.len()) != panel.len() || !panel.is_ascii() {
            break;
        }
        cells::read(panel, base, out)?;
        panels = rest;
    }
    Ok(())
}

/// Splits text at the first vertical line.
fn split_panel(text: &[u8]) -> Option<(&[u8], &[u8])> {
    (0..text.len()).find_map(|at| Some((&text[..at], behind_line(&text[at..])?)))
}

/// Returns the text after a vertical line.
fn behind_line(text: &[u8]) -> Option<&[u8]> {
    LINES.iter().find_map(|line| text.strip_prefix(*line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_of_one_width_are_cells() {
        for (row, base, bytes) in [
            (" 61 62 ┊ 63 64 │ab┊cd│", CellBase::Hex, &b"abcd"[..]),
            (" 61 62 | 7c    |ab||   |", CellBase::Hex, b"ab|"),
            (" 61 c3 │a×│", CellBase::Hex, b"a\xC3"),
            (" 6162 ┊ 6364 │", CellBase::Hex, b"abcd"),
            (" 01100001 │a│", CellBase::Bits, b"a"),
        ] {
            let mut out = Vec::new();
            read(row.as_bytes(), base, &mut out).unwrap();
            assert_eq!(out, bytes, "{row}");
        }
        for row in [" 61 62 ┊ 63 6", " 61 6 │a │"] {
            assert!(read(row.as_bytes(), CellBase::Hex, &mut Vec::new()).is_err(), "{row}");
        }
    }
}
