//! The format `json`: JSON Lines with an object for each finding and one for each input.

use super::{Finding, Format, ReportStyle, ReportedInput};
use crate::finding::locate::Position;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write::{self, Append};

/// The largest number of bytes of the keys and numbers of a finding.
const MOST_FIXED: usize = 512;

const NO_POSITION: &[u8; 52] = b",\"line\":null,\"column_bytes\":null,\"column_chars\":null";

pub(super) struct JsonReport {
    style: ReportStyle,
    /// The message of a finding, before it is escaped.
    message: Vec<u8>,
}

impl JsonReport {
    pub(super) fn new(style: ReportStyle) -> JsonReport {
        JsonReport { style, message: Vec::new() }
    }
}

impl Format for JsonReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let bytes = finding.bytes();
        let path = finding.name.json_path();
        let most = MOST_FIXED + path.len() + 3 * bytes.len();
        write::record(out, most, |out| {
            out.all(b"{\"type\":\"finding\",");
            out.slice(path);
            out.all(b",\"offset\":");
            write::decimal(out, finding.offset);
            out.all(b",\"length\":");
            write::decimal(out, finding.length());
            out.all(b",\"kind\":\"");
            finding.write_id(out);
            out.all(b"\",\"class\":\"");
            finding.write_class(out);
            out.all(b"\",\"level\":\"");
            out.slice(finding.level.name().as_bytes());
            out.all(b"\",\"hex\":\"");
            write::bytes(out, bytes);
            out.all(b"\",\"value\":");
            match finding.value() {
                Some(value) => {
                    out.all(b"\"");
                    write::code_point(out, value);
                    out.all(b"\"");
                }
                None => out.all(b"null"),
            }
            match finding.position {
                Some(Position { line, column_bytes, column_chars }) => {
                    out.all(b",\"line\":");
                    write::decimal(out, line);
                    out.all(b",\"column_bytes\":");
                    write::decimal(out, column_bytes);
                    out.all(b",\"column_chars\":");
                    write::decimal(out, column_chars);
                }
                None => out.all(NO_POSITION),
            }
            out.all(b",\"message\":\"");
        });
        finding.write_json_message(out, &mut self.message);
        out.extend_from_slice(b"\"}\n");
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
