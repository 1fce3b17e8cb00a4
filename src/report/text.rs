//! The format `text`: `NAME:LINE:COLUMN: byte 0xHEX (DEC): MESSAGE [KIND]`.

use super::finding::OffsetWriter;
use super::memo::MessageMemo;
use super::{Finding, FindingSubject, Format, ReportStyle, ReportedInput, texts_of_kinds};
use crate::finding::locate::Position;
use crate::issue::{KINDS, Kind};
use crate::lint::Level;
use crate::text::name::InputName;
use crate::text::write::{self, Append, CloseDecimals, PaddedText};

pub(super) struct TextReport {
    pub(super) style: ReportStyle,
    messages: MessageMemo,
    offsets: OffsetWriter,
    lines: CloseDecimals,
}

/// The ids of [`KINDS`] at the end of a line.
static ENDS: [PaddedText<32>; Kind::COUNT] =
    texts_of_kinds!(row => &[b" [", row.id.as_bytes(), b"]\n"]);

const BOLD: &[u8] = b"\x1B[1m";
const RED: &[u8] = b"\x1B[31m";
const PLAIN: &[u8] = b"\x1B[0m";

/// The largest number of bytes of a line without the name and the message.
const MOST_FIXED: usize = 256;

impl ReportStyle {
    /// Appends text in bold.
    #[inline(always)]
    fn bold<A: Append>(self, out: &mut A, content: impl FnOnce(&mut A)) {
        self.paint(BOLD, out, content);
    }

    /// Appends text in the colour of ill-formed bytes.
    #[inline(always)]
    pub(super) fn fault<A: Append>(self, out: &mut A, content: impl FnOnce(&mut A)) {
        self.paint(RED, out, content);
    }

    /// Appends text in a style, given by its SGR control sequence, if colours are enabled.
    #[inline(always)]
    pub(crate) fn paint<A: Append>(self, sgr: &[u8], out: &mut A, content: impl FnOnce(&mut A)) {
        if self.color {
            out.slice(sgr);
        }
        content(out);
        if self.color {
            out.slice(PLAIN);
        }
    }
}

impl TextReport {
    pub(super) fn new(style: ReportStyle) -> TextReport {
        let (messages, offsets, lines) = Default::default();
        TextReport { style, messages, offsets, lines }
    }

    /// Appends a line about an input.
    pub(super) fn note(&self, out: &mut Vec<u8>, name: &InputName<'_>, note: &str) {
        out.extend_from_slice(name.shown());
        out.extend_from_slice(b": ");
        out.extend_from_slice(note.as_bytes());
        out.push(b'\n');
    }
}

/// Appends the id of a finding and the end of its line.
#[inline(always)]
fn write_end(out: &mut impl Append, style: ReportStyle, finding: &Finding<'_>) {
    if let FindingSubject::Fault { segment, .. } = finding.subject
        && !style.color
    {
        return ENDS[segment.kind as usize].put(out);
    }
    out.all(b" ");
    style.fault(out, |out| {
        out.all(b"[");
        finding.write_id(out);
        out.all(b"]");
    });
    out.all(b"\n");
}

impl Format for TextReport {
    #[inline(always)]
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (style, name) = (self.style, finding.name.shown_text());
        let message = self.messages.message(finding, |finding, out| finding.write_message(out));
        let most = MOST_FIXED + name.len() + message.len();
        let out = &mut write::record(out, most);
        style.bold(out, |out| name.put(out));
        if let Some(Position { line, column_bytes, .. }) = finding.position {
            out.all(b":");
            self.lines.put_before(out, line, b':');
            write::decimal(out, column_bytes);
        }
        out.all(b": byte 0x");
        self.offsets.put(out, finding.offset);
        if finding.level == Level::Warn {
            out.all(b"warning: ");
        }
        message.put(out);
        write_end(out, style, finding);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.hidden_note {
            self.note(out, input.name, note);
        }
    }
}
