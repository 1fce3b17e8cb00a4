//! The report of a range, which `--merge` puts together with others: JSON Lines with an object that
//! starts the range, one for each finding and one with the counts.

use super::{
    AskedRange, Finding, FindingSubject, Format, FormatRow, InputSummary, RangeHeader,
    ReportedInput,
};
use crate::finding::locate::Position;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// The version of the format.
pub(crate) const VERSION: u64 = 1;

/// The row of the format, which is none of [`FORMATS`](super::FORMATS): its positions are others.
pub(crate) static PARTIAL: FormatRow = FormatRow {
    name: "partial",
    summary: "report of a range, for --merge",
    columns_in_chars: true,
    sums_up: true,
    open: |_| Box::new(PartialReport::default()),
    ..FormatRow::USUAL
};

/// Writes the reports of ranges.
#[derive(Default)]
struct PartialReport {
    /// The name of the encoding that the range is read as.
    codec: &'static str,
    /// The number of findings written.
    listed: u64,
}

impl Format for PartialReport {
    fn begin_range(&mut self, out: &mut Vec<u8>, header: &RangeHeader<'_>) {
        (self.codec, self.listed) = (header.encoding.name, 0);
        let mut object = JsonObject::new(out, "range");
        object.number("version", VERSION);
        object.path(header.name);
        object.plain("codec", header.encoding.name.as_bytes());
        object.plain("segments", header.segments.name().as_bytes());
        object.number("start", header.start);
        match header.stamp {
            Some(stamp) => object.string("stamp", stamp.as_bytes()),
            None => object.null("stamp"),
        }
        object.end();
    }

    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let FindingSubject::Fault { segment, next } = finding.subject else { return };
        let Some(Position { line, column_bytes, column_chars }) = finding.position else { return };
        self.listed += 1;
        let mut object = JsonObject::new(out, "finding");
        object.number("offset", finding.offset);
        object.plain("kind", segment.kind.id().as_bytes());
        object.plain("level", finding.level.name().as_bytes());
        object.hex("hex", segment.bytes);
        if segment.sequence != segment.bytes {
            object.hex("sequence", segment.sequence);
        }
        if let Some(next) = next {
            object.hex("next", &[next]);
        }
        object.number("columns", segment.columns);
        if finding.encoding.name != self.codec {
            object.plain("codec", finding.encoding.name.as_bytes());
        }
        object.number("line", line);
        object.number("column_bytes", column_bytes);
        object.number("column_chars", column_chars);
        object.end();
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        let Some((summary, counts)) = input.summary.and_then(|it| Some((it, it.range?))) else {
            return;
        };
        let mut object = JsonObject::new(out, "summary");
        object.plain("text", counts.text.as_bytes());
        object.number("size", summary.size);
        match counts.of {
            Some(of) => object.number("of", of),
            None => object.null("of"),
        }
        object.number("listed", self.listed);
        object.number("findings", summary.findings);
        object.number("warnings", summary.warnings);
        if summary.allowed > 0 {
            object.number("allowed", summary.allowed);
        }
        object.bool("stopped", summary.stopped);
        write_counts(&mut object, summary);
        object.number("line_ends", counts.line_ends);
        object.number("open_bytes", counts.open_bytes);
        object.number("open_chars", counts.open_chars);
        match summary.bom {
            Some(bom) => object.bool("bom", bom),
            None => object.null("bom"),
        }
        object.end();
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        write_trouble(out, name, message, None);
    }

    fn range_trouble(
        &mut self,
        out: &mut Vec<u8>,
        name: &InputName<'_>,
        message: &str,
        range: AskedRange,
    ) {
        write_trouble(out, name, message, Some(range));
    }
}

/// Appends an error of an input, or of a range of it.
fn write_trouble(
    out: &mut Vec<u8>,
    name: &InputName<'_>,
    message: &str,
    range: Option<AskedRange>,
) {
    let mut object = JsonObject::new(out, "trouble");
    object.number("version", VERSION);
    object.path(name);
    if let Some(range) = range {
        for (key, value) in [("start", range.start), ("size", range.size)] {
            match value {
                Some(value) => object.number(key, value),
                None => object.null(key),
            }
        }
    }
    object.string("message", message.as_bytes());
    object.end();
}

/// Appends the numbers of findings by kind, and of code points by length in bytes.
fn write_counts(object: &mut JsonObject<'_>, summary: &InputSummary) {
    let mut kinds = JsonObject::nested(object.key("by_kind"));
    for (kind, number) in summary.kinds() {
        kinds.number(kind.id(), number);
    }
    kinds.close();
    object.number("scalars", summary.lengths.iter().sum());
    let lengths = object.key("by_length");
    for (at, &number) in summary.lengths.iter().enumerate() {
        lengths.push(if at == 0 { b'[' } else { b',' });
        write::decimal(lengths, number);
    }
    lengths.push(b']');
}
