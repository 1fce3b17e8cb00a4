//! Which rows are written? All of them, or those around what is ill-formed.

use std::collections::VecDeque;

/// Keeps rows back that nobody asked for.
#[derive(Debug)]
pub(super) struct RowFilter {
    /// How many rows around a fault are written; all rows, if `None`.
    context: Option<usize>,
    /// Where the last row starts in the output.
    start: usize,
    /// The rows before the next, as far as they may still be wanted.
    held: VecDeque<Vec<u8>>,
    /// How many rows are still to be written behind the last fault.
    after: usize,
    /// Whether rows were left out since the last that was written, and whether there was one.
    gap: bool,
    any: bool,
}

/// What stands between rows that are apart.
const APART: &[u8] = b"--\n";

impl RowFilter {
    pub fn new(context: Option<usize>) -> RowFilter {
        RowFilter { context, start: 0, held: VecDeque::new(), after: 0, gap: false, any: false }
    }

    /// A row is to be appended.
    pub fn begin(&mut self, out: &[u8]) {
        self.start = out.len();
    }

    /// The row is complete. `fault` says that it shows something ill-formed.
    pub fn end(&mut self, out: &mut Vec<u8>, fault: bool) {
        let Some(context) = self.context else { return };
        if fault {
            let row = out.split_off(self.start);
            self.write_held(out);
            out.extend_from_slice(&row);
            self.after = context;
        } else if self.after > 0 {
            self.after -= 1;
        } else {
            self.held.push_back(out.split_off(self.start));
            if self.held.len() > context {
                self.held.pop_front();
                self.gap = true;
            }
        }
    }

    /// Whether the next row is written, whatever it shows.
    pub fn is_wanted(&self) -> bool {
        self.after > 0 || self.context.is_none()
    }

    /// Rows are left out, and those that were held, too: there are enough behind them.
    pub fn skip(&mut self) {
        self.held.clear();
        self.gap = true;
    }

    fn write_held(&mut self, out: &mut Vec<u8>) {
        if self.gap && self.any {
            out.extend_from_slice(APART);
        }
        for row in self.held.drain(..) {
            out.extend_from_slice(&row);
        }
        (self.gap, self.any) = (false, true);
    }

    /// The input ends; the next begins anew.
    pub fn reset(&mut self) {
        *self = RowFilter::new(self.context);
    }
}
