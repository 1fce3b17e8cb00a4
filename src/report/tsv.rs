//! The format `tsv`: `OFFSET LENGTH KIND LINE COLUMN BYTES NAME`, a line for each finding.

use super::{Finding, Format};
use crate::text::write;

pub(super) struct TsvReport;

impl Format for TsvReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        write::decimal(out, finding.offset);
        out.push(b'\t');
        write::decimal(out, finding.length());
        out.push(b'\t');
        write::text(out, finding.id().as_bytes());
        for number in finding.line_and_column() {
            out.push(b'\t');
            if let Some(number) = number {
                write::decimal(out, number);
            }
        }
        out.push(b'\t');
        write::bytes(out, finding.bytes());
        out.push(b'\t');
        write::text(out, finding.name.listed());
        out.push(b'\n');
    }
}
