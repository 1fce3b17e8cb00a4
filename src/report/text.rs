//! The format `text`: `NAME:LINE:COLUMN: byte 0xHEX (DEC): MESSAGE [KIND]`.

use super::{Finding, Format, ReportStyle, ReportedInput};
use crate::lint::Level;
use crate::text::name::InputName;
use crate::text::write::{self, Append};

pub(super) struct TextReport(pub(super) ReportStyle);

const BOLD: &[u8] = b"\x1B[1m";
const RED: &[u8] = b"\x1B[31m";
const PLAIN: &[u8] = b"\x1B[0m";

/// The largest number of bytes of what stands before the message of a finding, without the name.
const MOST_BEFORE: usize = 128;

/// The largest number of bytes of what stands after the message.
const MOST_AFTER: usize = 128;

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
    /// Appends a line about an input.
    pub(super) fn note(&self, out: &mut Vec<u8>, name: &InputName<'_>, note: &str) {
        out.extend_from_slice(name.shown());
        out.extend_from_slice(b": ");
        out.extend_from_slice(note.as_bytes());
        out.push(b'\n');
    }
}

impl Format for TextReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let name = finding.name.shown();
        let [line, column] = finding.line_and_column();
        write::record(out, MOST_BEFORE + name.len(), |out| {
            self.0.bold(out, |out| out.slice(name));
            for number in [line, column].into_iter().flatten() {
                out.all(b":");
                write::decimal(out, number);
            }
            out.all(b": ");
            finding.write_offset(out);
            if finding.level == Level::Warn {
                out.all(b"warning: ");
            }
        });
        finding.write_message(out);
        write::record(out, MOST_AFTER, |out| {
            out.all(b" ");
            self.0.fault(out, |out| {
                out.all(b"[");
                finding.write_id(out);
                out.all(b"]");
            });
            out.all(b"\n");
        });
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.hidden_note {
            self.note(out, input.name, note);
        }
    }
}
