//! The format `json`: JSON Lines with an object for each finding and one for each input.

use super::memo::MessageMemo;
use super::{Finding, Format, ReportStyle, ReportedInput, texts_of_kinds};
use crate::finding::locate::Position;
use crate::issue::{KINDS, Kind};
use crate::lint::Level;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write::{self, Append, CloseDecimals, PaddedText};

/// The largest number of bytes of the keys and numbers of a finding.
const MOST_FIXED: usize = 512;

const NO_POSITION: &[u8; 52] = b",\"line\":null,\"column_bytes\":null,\"column_chars\":null";

/// The members of an error of one byte of each of [`KINDS`], from the length up to the bytes.
static ONE_BYTE: [PaddedText<96>; Kind::COUNT] = texts_of_kinds!(row => &[
    b",\"length\":1,\"kind\":\"",
    row.id.as_bytes(),
    b"\",\"class\":\"",
    row.class.id().as_bytes(),
    b"\",\"level\":\"error\",\"hex\":\"",
]);

pub(super) struct JsonReport {
    style: ReportStyle,
    messages: MessageMemo,
    /// The message of a finding, before it is escaped.
    unescaped: Vec<u8>,
    offsets: CloseDecimals,
    lines: CloseDecimals,
}

impl JsonReport {
    pub(super) fn new(style: ReportStyle) -> JsonReport {
        let (messages, unescaped, offsets, lines) = Default::default();
        JsonReport { style, messages, unescaped, offsets, lines }
    }
}

/// Appends the members of a finding from the length up to the bytes.
#[inline(always)]
fn write_rule(out: &mut impl Append, finding: &Finding<'_>) {
    if let (Some((kind, _)), Level::Deny) = (finding.one_byte(), finding.level) {
        return ONE_BYTE[kind as usize].put(out);
    }
    out.all(b",\"length\":");
    write::decimal(out, finding.length());
    out.all(b",\"kind\":\"");
    finding.write_id(out);
    out.all(b"\",\"class\":\"");
    out.slice(finding.class().as_bytes());
    out.all(b"\",\"level\":\"");
    out.slice(finding.level.name().as_bytes());
    out.all(b"\",\"hex\":\"");
}

/// Appends the members of the position.
#[inline(always)]
fn write_position(out: &mut impl Append, position: Option<Position>, lines: &mut CloseDecimals) {
    let Some(Position { line, column_bytes, column_chars }) = position else {
        return out.all(NO_POSITION);
    };
    out.all(b",\"line\":");
    lines.put(out, line);
    out.all(b",\"column_bytes\":");
    write::decimal(out, column_bytes);
    out.all(b",\"column_chars\":");
    write::decimal(out, column_chars);
}

impl Format for JsonReport {
    #[inline(always)]
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (bytes, path) = (finding.bytes(), finding.name.json_path());
        let unescaped = &mut self.unescaped;
        let message = self
            .messages
            .message(finding, |finding, out| finding.write_json_message(out, unescaped));
        let most = MOST_FIXED + path.len() + 3 * bytes.len() + message.len();
        let out = &mut write::record(out, most);
        out.all(b"{\"type\":\"finding\",");
        path.put(out);
        out.all(b",\"offset\":");
        self.offsets.put(out, finding.offset);
        write_rule(out, finding);
        write::bytes(out, bytes);
        match finding.value() {
            Some(value) => {
                out.all(b"\",\"value\":\"");
                write::code_point(out, value);
                out.all(b"\"");
            }
            None => out.all(b"\",\"value\":null"),
        }
        write_position(out, finding.position, &mut self.lines);
        out.all(b",\"message\":\"");
        message.put(out);
        out.all(b"\"}\n");
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        let Some(summary) = input.summary else { return };
        let mut object = JsonObject::new(out, "summary");
        object.path(input.name);
        if let Some(encoding) = input.encoding {
            object.string("codec", encoding.name.as_bytes());
        }
        object.number("start", summary.start);
        object.number("size", summary.size);
        object.bool("valid", summary.errors() == 0);
        object.number("findings", summary.findings);
        object.number("warnings", summary.warnings);
        if summary.suppressed > 0 {
            object.number("suppressed", summary.suppressed);
        }
        if summary.known > 0 {
            object.number("known", summary.known);
        }
        if summary.allowed > 0 {
            object.number("allowed", summary.allowed);
        }
        object.bool("stopped", summary.stopped);
        let mut kinds = JsonObject::nested(object.key("by_kind"));
        for (id, number) in summary.found() {
            kinds.number(id, number);
        }
        kinds.close();
        object.number("lines", summary.lines);
        object.number("scalars", summary.lengths.iter().sum());
        match summary.bom {
            Some(bom) => object.bool("bom", bom),
            None => object.null("bom"),
        }
        if self.style.stats {
            let mut lengths = JsonObject::nested(object.key("by_length"));
            for (length, &number) in (1..).zip(&summary.lengths).filter(|row| *row.1 > 0) {
                let more = if length == summary.lengths.len() { "+" } else { "" };
                lengths.number(&format!("{length}{more}"), number);
            }
            lengths.close();
        }
        object.end();
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        let mut object = JsonObject::new(out, "trouble");
        object.path(name);
        object.string("message", message.as_bytes());
        object.end();
    }
}
