//! What does a program read? JSON Lines: an object for each finding, and one for each input.

use super::{Finding, Format, InputSummary, ReportStyle};
use crate::registry::Encoding;
use crate::text::json::JsonObject;
use crate::text::name::InputName;

pub(super) struct JsonReport(pub(super) ReportStyle);

impl Format for JsonReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (piece, place) = (&finding.piece, &finding.place);
        let mut object = JsonObject::new(out, "finding");
        object.path(finding.name);
        object.number("offset", finding.offset);
        object.number("length", piece.bytes.len() as u64);
        object.kind(piece.kind);
        object.hex("hex", piece.bytes);
        object.code_point("value", finding.spec.spelt_value(piece.kind, piece.bytes));
        object.number("line", place.line);
        object.number("column_bytes", place.column_bytes);
        object.number("column_chars", place.column_chars);
        object.end();
    }

    fn end(
        &mut self,
        out: &mut Vec<u8>,
        name: &InputName<'_>,
        spec: &Encoding,
        summary: Option<&InputSummary>,
    ) {
        let Some(summary) = summary else { return };
        let mut object = JsonObject::new(out, "summary");
        object.path(name);
        object.string("codec", spec.name.as_bytes());
        object.number("start", summary.start);
        object.number("size", summary.size);
        object.bool("valid", summary.findings == 0);
        object.number("findings", summary.findings);
        object.bool("stopped", summary.stopped);
        let mut kinds = JsonObject::nested(object.key("by_kind"));
        for (kind, number) in summary.found() {
            kinds.number(kind.id(), number);
        }
        kinds.close();
        object.number("lines", summary.lines);
        object.number("scalars", summary.lengths.iter().sum());
        match summary.bom {
            Some(bom) => object.bool("bom", bom),
            None => object.null("bom"),
        }
        if self.0.stats {
            let mut lengths = JsonObject::nested(object.key("by_length"));
            for (length, &number) in (1..).zip(&summary.lengths).filter(|row| *row.1 > 0) {
                let more = if length == summary.lengths.len() { "+" } else { "" };
                lengths.number(&format!("{length}{more}"), number);
            }
            lengths.close();
        }
        object.end();
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, what: &str) {
        let mut object = JsonObject::new(out, "trouble");
        object.path(name);
        object.string("message", what.as_bytes());
        object.end();
    }
}
