//! Records that end an input, and the totals of a run that a document makes of them.

use super::InputSummary;
use crate::text::write;

// Marks of records, in their first byte.
const GOOD_INPUT: u8 = b'G';
const FAULTY_INPUT: u8 = b'B';
const FAILED_INPUT: u8 = b'E';

/// Appends a record: an input was read, and has these findings.
pub(super) fn end_input(out: &mut Vec<u8>, summary: &InputSummary) {
    let mark = if summary.errors() == 0 { GOOD_INPUT } else { FAULTY_INPUT };
    end(out, mark, summary.findings);
}

/// Appends a record: an input could not be read, or not to its end. Its findings are not counted.
pub(super) fn fail_input(out: &mut Vec<u8>) {
    end(out, FAILED_INPUT, 0);
}

fn end(out: &mut Vec<u8>, mark: u8, findings: u64) {
    out.push(mark);
    write::decimal(out, findings);
    out.push(b'\n');
}

/// The totals of a run.
#[derive(Clone, Copy, Default)]
pub(super) struct RunTotals {
    /// The inputs that were read to their end.
    pub inputs: u64,
    /// Those with errors.
    pub faulty: u64,
    /// The inputs that could not be read to their end.
    pub failed: u64,
    pub findings: u64,
}

impl RunTotals {
    /// Counts an input. Returns `false` for a record that does not end one.
    pub fn add(&mut self, record: &[u8]) -> bool {
        let Some((mark, digits)) = record.split_first() else { return false };
        let counted = match *mark {
            GOOD_INPUT => [1, 0, 0],
            FAULTY_INPUT => [1, 1, 0],
            FAILED_INPUT => [0, 0, 1],
            _ => return false,
        };
        self.inputs += counted[0];
        self.faulty += counted[1];
        self.failed += counted[2];
        let digit = |byte: &u8| u64::from(byte - b'0');
        self.findings += digits.iter().fold(0, |number, byte| number * 10 + digit(byte));
        true
    }
}
