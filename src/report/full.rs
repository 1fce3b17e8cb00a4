//! The format `full`: the line of `text` and hexdump rows with the ill-formed bytes marked.
//!
//! A finding is written when its rows are complete or the input ends.

use std::collections::VecDeque;

use super::text::TextReport;
use super::{ContextReceiver, Finding, Format, ReportStyle, ReportedInput};
use crate::text::escape::disarm;
use crate::text::write;

/// The number of bytes in a row.
const ROW: usize = 16;

/// The number of bytes before the current ones that are kept: some findings come late, because the
/// text after them decides.
const RECENT: usize = 256 << 10;

pub(super) struct FullReport {
    text: TextReport,
    held: VecDeque<OpenRows>,
    /// The last bytes of the input so far: at least those of the incomplete row.
    recent: Vec<u8>,
    /// The offset after them.
    end: u64,
}

/// A finding whose rows are incomplete.
struct OpenRows {
    line: Vec<u8>,
    /// The offset of the first row.
    start: u64,
    /// The offset after the last row.
    end: u64,
    /// The offsets of the marked bytes.
    marked: std::ops::Range<u64>,
    /// The bytes of the rows so far, and the offset of the first one that is known.
    rows: Vec<u8>,
    known: u64,
}

impl FullReport {
    pub(super) fn new(style: ReportStyle) -> FullReport {
        FullReport {
            text: TextReport::new(style),
            held: VecDeque::new(),
            recent: Vec::new(),
            end: 0,
        }
    }

    fn settle(&mut self, out: &mut Vec<u8>, all: bool) {
        while self.held.front().is_some_and(|held| all || self.end >= held.end)
            && let Some(held) = self.held.pop_front()
        {
            out.extend_from_slice(&held.line);
            held.draw(out, self.text.style);
        }
    }
}

impl Format for FullReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let mut line = Vec::new();
        self.text.finding(&mut line, finding);
        let row = ROW as u64;
        let marked = finding.offset..finding.offset + finding.length();
        let start = marked.start / row * row;
        // The bytes of these rows so far, from the first one that is known.
        let known = start.max(self.end - self.recent.len() as u64);
        // A place between two bytes has no row.
        let end = if marked.is_empty() { start } else { marked.end.next_multiple_of(row) };
        let recent = &self.recent[self.recent.len() - (self.end - known) as usize..];
        let len = recent.len().min(end.saturating_sub(known) as usize);
        let rows = recent[..len].to_vec();
        self.held.push_back(OpenRows { line, start, end, marked, rows, known });
        self.settle(out, false);
    }

    fn context(&mut self) -> Option<&mut dyn ContextReceiver> {
        Some(self)
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        self.settle(out, true);
        self.text.end(out, input);
        self.recent.clear();
        self.end = 0;
    }
}

impl ContextReceiver for FullReport {
    fn bytes(&mut self, out: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
        for held in &mut self.held {
            let missing = held.end.saturating_sub(self.end) as usize;
            held.rows.extend_from_slice(&bytes[..missing.min(bytes.len())]);
        }
        if bytes.len() >= RECENT {
            self.recent.clear();
        }
        self.recent.extend_from_slice(&bytes[bytes.len().saturating_sub(RECENT)..]);
        if self.recent.len() > 2 * RECENT {
            self.recent.drain(..self.recent.len() - RECENT);
        }
        self.end = offset + bytes.len() as u64;
        self.settle(out, false);
    }

    fn waits(&self) -> bool {
        !self.held.is_empty()
    }
}

impl OpenRows {
    /// Appends the rows, each with a line of marks below it.
    fn draw(&self, out: &mut Vec<u8>, style: ReportStyle) {
        let mut start = self.start;
        if self.rows.is_empty() {
            return;
        }
        while start < self.end {
            self.row(out, style, start);
            self.marks(out, style, start);
            start += ROW as u64;
        }
    }

    /// Returns the byte at an offset, if it is known.
    fn byte(&self, offset: u64) -> Option<u8> {
        self.rows.get(offset.checked_sub(self.known)? as usize).copied()
    }

    fn row(&self, out: &mut Vec<u8>, style: ReportStyle, start: u64) {
        out.extend_from_slice(b"  ");
        write::hexadecimal(out, start, 8);
        out.extend_from_slice(b" ");
        for offset in start..start + ROW as u64 {
            out.extend_from_slice(gap(offset));
            match self.byte(offset) {
                Some(byte) if self.marked.contains(&offset) => {
                    style.fault(out, |out| write::byte2(out, byte));
                }
                Some(byte) => write::byte2(out, byte),
                None => out.extend_from_slice(b"  "),
            }
        }
        out.extend_from_slice(b"  |");
        let dot = if style.unicode { "·".as_bytes() } else { b"." };
        let text = out.len();
        for offset in start..start + ROW as u64 {
            match self.byte(offset) {
                Some(byte @ b' '..=b'~') => out.push(byte),
                Some(_) => out.extend_from_slice(dot),
                None => out.push(b' '),
            }
        }
        disarm(out, text, dot);
        out.extend_from_slice(b"|\n");
    }

    fn marks(&self, out: &mut Vec<u8>, style: ReportStyle, start: u64) {
        let mut address = Vec::new();
        write::hexadecimal(&mut address, start, 8);
        out.extend(std::iter::repeat_n(b' ', 2 + address.len() + 1));
        let end = self.marked.end.min(start + ROW as u64);
        for offset in start..end {
            out.extend_from_slice(gap(offset));
            match self.marked.contains(&offset) {
                true => style.fault(out, |out| out.extend_from_slice(b"^^")),
                false => out.extend_from_slice(b"  "),
            }
        }
        out.push(b'\n');
    }
}

/// Returns the blanks before a byte of a row: two in the middle, one elsewhere.
fn gap(offset: u64) -> &'static [u8] {
    if offset % ROW as u64 == ROW as u64 / 2 { b"  " } else { b" " }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_below_their_bytes_at_large_offsets() {
        let at = 0x1_2345_6780;
        let held = OpenRows {
            line: Vec::new(),
            start: at,
            end: at + 16,
            marked: at + 1..at + 2,
            rows: b"a\xFFb".to_vec(),
            known: at,
        };
        let mut out = Vec::new();
        held.draw(&mut out, ReportStyle::default());
        let out = String::from_utf8(out).unwrap();
        let (row, marks) = out.split_once('\n').unwrap();
        assert!(row.starts_with("  123456780  61 FF 62 "), "{row}");
        assert_eq!(row.find("FF"), marks.find("^^"));
    }
}
