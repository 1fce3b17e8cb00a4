//! A filter for rows: all rows, or only those near ill-formed sequences.

use std::collections::VecDeque;

/// Takes rows without an ill-formed sequence out of the output, except `context` rows before and
/// after.
#[derive(Debug)]
pub(super) struct RowFilter {
    /// Number of rows before and after each row with an ill-formed sequence; `None` keeps all rows.
    context: Option<usize>,
    /// Index in the output where the current row starts.
    start: usize,
    /// The last rows that were taken out, at most `context`.
    pending: VecDeque<Vec<u8>>,
    /// Number of rows still to be kept after the last row with an ill-formed sequence.
    after: usize,
    /// True if rows were dropped since the last row that was kept.
    gap: bool,
    /// True if a row was kept.
    any: bool,
}

/// The line between rows that are not consecutive.
const SEPARATOR: &[u8] = b"--\n";

impl RowFilter {
    /// Creates a filter with this number of rows of context.
    pub fn new(context: Option<usize>) -> RowFilter {
        RowFilter { context, start: 0, pending: VecDeque::new(), after: 0, gap: false, any: false }
    }

    /// Begins a row, which the caller appends to `out`.
    #[inline]
    pub fn begin(&mut self, out: &[u8]) {
        self.start = out.len();
    }

    /// Ends the row. `fault` is true if an ill-formed sequence starts in it.
    #[inline]
    pub fn end(&mut self, out: &mut Vec<u8>, fault: bool) {
        if let Some(context) = self.context {
            self.filter(out, fault, context);
        }
    }

    /// Implements [`end`](Self::end).
    fn filter(&mut self, out: &mut Vec<u8>, fault: bool, context: usize) {
        if fault {
            let row = out.split_off(self.start);
            self.write_pending(out);
            out.extend_from_slice(&row);
            self.after = context;
        } else if self.after > 0 {
            self.after -= 1;
        } else {
            self.pending.push_back(out.split_off(self.start));
            if self.pending.len() > context {
                self.pending.pop_front();
                self.gap = true;
            }
        }
    }

    /// Returns `true` if the next row is kept in any case.
    pub fn keeps_next(&self) -> bool {
        self.after > 0 || self.context.is_none()
    }

    /// Drops the pending rows, because the caller leaves rows out and `context` more will follow.
    pub fn drop_pending(&mut self) {
        self.pending.clear();
        self.gap = true;
    }

    /// Appends the pending rows, after a separator if rows before them were dropped.
    fn write_pending(&mut self, out: &mut Vec<u8>) {
        if self.gap && self.any {
            out.extend_from_slice(SEPARATOR);
        }
        for row in self.pending.drain(..) {
            out.extend_from_slice(&row);
        }
        (self.gap, self.any) = (false, true);
    }

    /// Forgets all rows, at the end of an input.
    pub fn reset(&mut self) {
        *self = RowFilter::new(self.context);
    }
}
