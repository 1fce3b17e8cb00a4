//! The format `json`: JSON Lines with an object for each finding and one for each input.

use super::{Finding, Format, ReportStyle, ReportedInput};
use crate::text::json::JsonObject;
use crate::text::name::InputName;

pub(super) struct JsonReport {
    style: ReportStyle,
    /// The message of a finding.
    message: Vec<u8>,
}

impl JsonReport {
    pub(super) fn new(style: ReportStyle) -> JsonReport {
        JsonReport { style, message: Vec::new() }
    }
}

impl Format for JsonReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let position = finding.position;
        let mut object = JsonObject::new(out, "finding");
        object.path(finding.name);
        object.number("offset", finding.offset);
        object.number("length", finding.length());
        object.rule(finding.id(), finding.class());
        object.plain("level", finding.level.name().as_bytes());
        object.hex("hex", finding.bytes());
        object.code_point("value", finding.value());
        let [line, column_bytes] = finding.line_and_column();
        object.number_or_null("line", line);
        object.number_or_null("column_bytes", column_bytes);
        object.number_or_null("column_chars", position.map(|at| at.column_chars));
        self.message.clear();
        finding.write_message(&mut self.message);
        object.string("message", &self.message);
        object.end();
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
