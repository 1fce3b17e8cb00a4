//! The layout of digits alone.

use std::io;

use super::{CellBase, DumpItem, DumpStyle, Layout, Utf8Text};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// Writes the digits of the bytes, with a fixed number of bytes in a line.
#[derive(Debug)]
pub struct PlainLayout {
    base: CellBase,
    upper: bool,
    columns: usize,
    /// Number of bytes in the current line.
    used: usize,
}

impl PlainLayout {
    /// Creates a layout with `columns` bytes in a line; 0 puts all bytes of an input on one line.
    pub fn new(style: DumpStyle, base: CellBase, columns: usize) -> PlainLayout {
        PlainLayout { base, upper: style.upper, columns, used: 0 }
    }

    /// Appends the digits of bytes.
    fn write(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        for &byte in bytes {
            out.extend_from_slice(self.base.digits(self.upper, byte));
            self.used += 1;
            if self.used == self.columns {
                out.push(b'\n');
                self.used = 0;
            }
        }
    }
}

/// Number of bytes between two calls of [`Output::settle`].
const SOME: usize = 1 << 10;

impl Layout for PlainLayout {
    fn begin(&mut self, _: &mut Output, _: &InputName<'_>, _: &'static Encoding) -> io::Result<()> {
        Ok(())
    }

    fn codec(&mut self, _: &'static Encoding) {}

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        self.write(out.buffer(), item.bytes());
        Ok(())
    }

    fn takes_faults(&self) -> bool {
        true
    }

    fn tolerates_changes(&self) -> bool {
        true
    }

    fn utf8(&mut self, out: &mut Output, text: Utf8Text<'_>) -> io::Result<()> {
        for some in text.bytes.chunks(SOME) {
            self.write(out.buffer(), some);
            out.settle()?;
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
