//! Frames of dumps: vertical lines between offset, cells and text, as hexyl draws them.
//!
//! ```text
//! ┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
//! │00000000│ e2 82 ac 0a             ┊                         │×××_    ┊        │
//! └────────┴─────────────────────────┴─────────────────────────┴────────┴────────┘
//! ```

use std::io;

use super::cell_text::{is_shown_as, is_text_of};
use super::cells;
use super::columns::{PANEL, word};
use super::error::{DumpRemedy, wrong, wrong_form};
use crate::dump::CellBase;
use crate::text::number::counted;

/// The vertical lines: of Unicode, the inner one dashed, and of ASCII.
const LINES: [&[u8]; 3] = ["│".as_bytes(), "┊".as_bytes(), b"|"];

/// Returns `true` for a horizontal line of a frame.
pub(super) fn is_rule(line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else { return false };
    let is_part = |c| matches!(c, '─' | '┌' | '┬' | '┐' | '└' | '┴' | '┘' | '+' | '-');
    line.starts_with(['┌', '└', '+']) && line.chars().all(is_part)
}

/// The widths of panels of hexyl, with groups of 1, 2, 4 and 8 bytes.
const HEX: [usize; 4] = [25, 21, 19, 18];
const OCTAL_OR_DECIMAL: [usize; 4] = [33, 29, 27, 26];
const BITS: [usize; 4] = [73, 69, 67, 66];

/// Splits a framed row into its first panel and the rest. `None` if the line is no framed row.
pub(super) fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    split_panel(behind_line(line)?)
}

/// Returns the panels of a framed row without an offset. `None` if hexyl writes no such row.
pub(super) fn bare(line: &[u8]) -> Option<&[u8]> {
    let panels = behind_line(line)?;
    let (first, _) = split_panel(panels)?;
    let is_panel =
        [HEX, OCTAL_OR_DECIMAL, BITS].iter().flatten().any(|&width| first.len() == width);
    is_panel.then_some(panels)
}

/// Returns `true` if the first of some panels is empty.
pub(super) fn is_empty(panels: &[u8]) -> bool {
    split_panel(panels).is_some_and(|(first, _)| first.trim_ascii().is_empty())
}

/// Appends the bytes of panels of cells. Panels of another width show text. Without a base, the width
/// tells it.
pub(super) fn read(mut panels: &[u8], base: Option<CellBase>, out: &mut Vec<u8>) -> io::Result<()> {
    if !LINES.iter().any(|line| panels.ends_with(line)) {
        return Err(wrong("a framed row without the line at its end (copy whole rows)"));
    }
    let width = split_panel(panels).map_or(0, |(first, _)| first.len());
    let base = match base {
        Some(base) => base,
        None if OCTAL_OR_DECIMAL.contains(&width) => {
            return Err(wrong_form("octal or decimal cells", DumpRemedy::OtherBase));
        }
        None if BITS.contains(&width) => CellBase::Bits,
        None => CellBase::Hex,
    };
    let mut group = 0;
    while let Some((panel, rest)) = split_panel(panels) {
        if width != panel.len() || !panel.is_ascii() {
            break;
        }
        group = group.max(word(panel.trim_ascii_start()).len() / base.width());
        cells::read(panel, base, out)?;
        panels = rest;
    }
    if group > 1 && is_reversed(panels, group, out) {
        let group = counted(group as u64, "byte");
        return Err(wrong(format!("groups of {group} in reversed order (hexyl --endianness big)")));
    }
    Ok(())
}

/// Returns `true` if panels with text show these bytes only if the bytes of each group are reversed.
fn is_reversed(panels: &[u8], group: usize, bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(panels) else { return false };
    let is_shown = |bytes: &[u8]| is_text_of(text, PANEL, bytes, is_shown_as);
    let mut reversed = bytes.to_vec();
    reversed.chunks_mut(group).for_each(<[u8]>::reverse);
    !is_shown(bytes) && is_shown(&reversed)
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
            (" 61 62 ┊ 63 64 │ab┊cd│", Some(CellBase::Hex), &b"abcd"[..]),
            (" 61 62 | 7c    |ab||   |", Some(CellBase::Hex), b"ab|"),
            (" 61 c3 │a×│", Some(CellBase::Hex), b"a\xC3"),
            (" 6162 ┊ 6364 │", Some(CellBase::Hex), b"abcd"),
            (" 01100001 │a│", Some(CellBase::Bits), b"a"),
        ] {
            let mut out = Vec::new();
            read(row.as_bytes(), base, &mut out).unwrap();
            assert_eq!(out, bytes, "{row}");
        }
        for row in [" 61 62 ┊ 63 6", " 61 6 │a │"] {
            assert!(read(row.as_bytes(), Some(CellBase::Hex), &mut Vec::new()).is_err(), "{row}");
        }
    }
}
