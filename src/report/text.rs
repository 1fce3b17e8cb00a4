//! The format `text`: `NAME:LINE:COLUMN: byte 0xHEX (DEC): MESSAGE [KIND]`.

use super::{Finding, Format, ReportStyle, ReportedInput};
use crate::lint::Level;
use crate::text::name::InputName;
use crate::text::write;

pub(super) struct TextReport(pub(super) ReportStyle);

const BOLD: &[u8] = b"\x1B[1m";
const RED: &[u8] = b"\x1B[31m";
const PLAIN: &[u8] = b"\x1B[0m";

impl ReportStyle {
    /// Appends text in bold.
    fn bold(self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.paint(BOLD, out, write);
    }

    /// Appends text in the colour of ill-formed bytes.
    pub(super) fn fault(self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        self.paint(RED, out, write);
    }

    /// Appends text in a style, given by its SGR control sequence, if colours are enabled.
    pub(crate) fn paint(self, sgr: &[u8], out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        if self.color {
            out.extend_from_slice(sgr);
        }
        write(out);
        if self.color {
            out.extend_from_slice(PLAIN);
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
        self.0.bold(out, |out| write::text(out, finding.name.shown()));
        for number in finding.line_and_column().into_iter().flatten() {
            out.push(b':');
            write::decimal(out, number);
        }
        out.extend_from_slice(b": ");
        finding.write_offset(out);
        if finding.level == Level::Warn {
            out.extend_from_slice(b"warning: ");
        }
        finding.write_message(out);
        out.push(b' ');
        self.0.fault(out, |out| {
            out.push(b'[');
            write::text(out, finding.id().as_bytes());
            out.push(b']');
        });
        out.push(b'\n');
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        if let Some(note) = input.hidden_note {
            self.note(out, input.name, note);
        }
    }
}
