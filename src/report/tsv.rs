//! What does `cut -f` read? `OFFSET LENGTH KIND LINE COLUMN BYTES NAME`, a line for each finding.

use super::{Finding, Format};
use crate::text::write;

pub(super) struct TsvReport;

impl Format for TsvReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (piece, place) = (&finding.piece, &finding.place);
        write::decimal(out, finding.offset);
        out.push(b'\t');
        write::decimal(out, piece.bytes.len() as u64);
        out.push(b'\t');
        write::text(out, piece.kind.id().as_bytes());
        for number in [place.line, place.column_bytes] {
            out.push(b'\t');
            write::decimal(out, number);
        }
        out.push(b'\t');
        write::bytes(out, piece.bytes);
        out.push(b'\t');
        write::text(out, finding.name.listed());
        out.push(b'\n');
    }
}
