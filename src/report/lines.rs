//! The format `lines`: the faulty lines themselves.

use super::{Finding, Format};

/// Shows no findings: the command writes the lines.
pub(super) struct LinesReport;

impl Format for LinesReport {
    fn finding(&mut self, _: &mut Vec<u8>, _: &Finding<'_>) {}
}
