//! What are the bytes? Nothing but their digits.

use std::io;

use super::{CellBase, DumpItem, DumpStyle, Layout};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// The layout of digits alone, so many bytes a line.
#[derive(Debug)]
pub struct PlainLayout {
    base: CellBase,
    upper: bool,
    columns: usize,
    /// How many bytes are in the line.
    used: usize,
}

impl PlainLayout {
    /// Digits of this base, so many bytes a line; all in one line, if that is 0.
    pub fn new(look: DumpStyle, base: CellBase, columns: usize) -> PlainLayout {
        PlainLayout { base, upper: look.upper, columns, used: 0 }
    }
}

impl Layout for PlainLayout {
    fn begin(&mut self, _: &mut Output, _: &InputName<'_>, _: &'static Encoding) -> io::Result<()> {
        Ok(())
    }

    fn codec(&mut self, _: &'static Encoding) {}

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        self.utf8(out, item.start(), item.bytes())
    }

    fn utf8(&mut self, out: &mut Output, _: u64, bytes: &[u8]) -> io::Result<()> {
        let out = out.buffer();
        for &byte in bytes {
            out.extend_from_slice(self.base.digits(self.upper, byte));
            self.used += 1;
            if self.used == self.columns {
                out.push(b'\n');
                self.used = 0;
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        if std::mem::take(&mut self.used) > 0 {
            out.buffer().push(b'\n');
        }
        Ok(())
    }
}
