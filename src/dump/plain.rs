//! What are the bytes? Nothing but their digits.

use std::io;

use super::{Base, Item, Layout, Look};
use crate::output::Out;
use crate::registry::Spec;
use crate::text::name::Name;

/// The layout of digits alone, so many bytes a line.
#[derive(Debug)]
pub struct Plain {
    base: Base,
    upper: bool,
    columns: usize,
    /// How many bytes are in the line.
    used: usize,
}

impl Plain {
    /// Digits of this base, so many bytes a line; all in one line, if that is 0.
    pub fn new(look: Look, base: Base, columns: usize) -> Plain {
        Plain { base, upper: look.upper, columns, used: 0 }
    }
}

impl Layout for Plain {
    fn begin(&mut self, _: &mut Out, _: &Name<'_>, _: &'static Spec) -> io::Result<()> {
        Ok(())
    }

    fn codec(&mut self, _: &'static Spec) {}

    fn item(&mut self, out: &mut Out, item: &Item<'_>) -> io::Result<()> {
        self.utf8(out, item.start(), item.bytes())
    }

    fn utf8(&mut self, out: &mut Out, _: u64, bytes: &[u8]) -> io::Result<()> {
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

    fn end(&mut self, out: &mut Out) -> io::Result<()> {
        if std::mem::take(&mut self.used) > 0 {
            out.buffer().push(b'\n');
        }
        Ok(())
    }
}
