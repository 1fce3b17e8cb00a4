//! The format `tsv`: `OFFSET LENGTH KIND LINE COLUMN BYTES NAME`, a line for each finding.

use super::{Finding, Format, texts_of_kinds};
use crate::issue::{KINDS, Kind};
use crate::text::write::{self, Append, CloseDecimals, PaddedText};

/// The largest number of bytes of a line without the bytes and the name.
const MOST_FIXED: usize = 256;

/// The length and the id of a finding of one byte of each of [`KINDS`].
static ONE_BYTE: [PaddedText<32>; Kind::COUNT] =
    texts_of_kinds!(row => &[b"\t1\t", row.id.as_bytes(), b"\t"]);

#[derive(Default)]
pub(super) struct TsvReport {
    offsets: CloseDecimals,
    lines: CloseDecimals,
    columns: CloseDecimals,
}

impl Format for TsvReport {
    #[inline(always)]
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let (bytes, name) = (finding.bytes(), finding.name.listed_text());
        let most = MOST_FIXED + 3 * bytes.len() + name.len();
        let out = &mut write::record(out, most);
        self.offsets.put(out, finding.offset);
        let one_byte = finding.one_byte();
        if let Some((kind, _)) = one_byte {
            ONE_BYTE[kind as usize].put(out);
        } else {
            out.all(b"\t");
            write::decimal_before(out, finding.length(), b'\t');
            finding.write_id(out);
            out.all(b"\t");
        }
        match finding.position {
            Some(position) => {
                self.lines.put_before(out, position.line, b'\t');
                self.columns.put_varied(out, position.column_bytes);
            }
            None => out.all(b"\t"),
        }
        if let Some((_, byte)) = one_byte {
            let [high, low] = write::hex(byte);
            out.all(&[b'\t', high, low, b'\t']);
        } else {
            out.all(b"\t");
            write::bytes(out, bytes);
            out.all(b"\t");
        }
        name.put(out);
        out.all(b"\n");
    }
}
