//! The format `tsv`: `OFFSET LENGTH KIND LINE COLUMN BYTES NAME`, a line for each finding.

use super::{Finding, Format};
use crate::text::write::{self, Append};

/// The largest number of bytes of a line without the bytes and the name.
const MOST_FIXED: usize = 256;

pub(super) struct TsvReport;

impl Format for TsvReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (bytes, name) = (finding.bytes(), finding.name.listed());
        let [line, column] = finding.line_and_column();
        let most = MOST_FIXED + 3 * bytes.len() + name.len();
        write::record(out, most, |out| {
            write::decimal(out, finding.offset);
            out.all(b"\t");
            write::decimal(out, finding.length());
            out.all(b"\t");
            finding.write_id(out);
            for number in [line, column] {
                out.all(b"\t");
                if let Some(number) = number {
                    write::decimal(out, number);
                }
            }
            out.all(b"\t");
            write::bytes(out, bytes);
            out.all(b"\t");
            out.slice(name);
            out.all(b"\n");
        });
    }
}
