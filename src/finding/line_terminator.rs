//! The bytes that end a line.

use crate::codec::{Escapes, Group};
use crate::registry::Encoding;

/// The bytes of U+000A in an encoding. In a notation, and in an encoding that has U+000A only in
/// shifts, lines are those of its own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTerminator(Vec<u8>);

impl LineTerminator {
    /// Returns the terminator of lines in an encoding.
    pub fn of(encoding: &Encoding) -> LineTerminator {
        LineTerminator::of_control(encoding, b'\n')
    }

    /// Returns the bytes of U+000D where those of U+000A end lines.
    #[cfg(feature = "cli")]
    pub(crate) fn carriage_return(encoding: &Encoding) -> Vec<u8> {
        LineTerminator::of_control(encoding, b'\r').0
    }

    fn of_control(encoding: &Encoding, control: u8) -> LineTerminator {
        let mut bytes = Vec::new();
        if encoding.group != Group::Notation {
            let mut writer = encoding.writer(Escapes::Usual);
            writer.sign(false);
            writer.put(control.into(), &mut bytes);
        }
        let is_unit = bytes.len() == encoding.inner.unit;
        LineTerminator(if is_unit { bytes } else { vec![control] })
    }

    /// Returns its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the index after the first terminator in bytes that start with a whole sequence.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        match self.0[..] {
            [byte] => memchr::memchr(byte, bytes).map(|at| at + 1),
            _ => self.units(bytes).position(|unit| unit == self.0).map(|at| self.end(at)),
        }
    }

    /// Returns the index after the last terminator in bytes that start with a whole sequence.
    pub fn find_last(&self, bytes: &[u8]) -> Option<usize> {
        match self.0[..] {
            [byte] => memchr::memrchr(byte, bytes).map(|at| at + 1),
            _ => self.units(bytes).rposition(|unit| unit == self.0).map(|at| self.end(at)),
        }
    }

    /// Returns the number of terminators in bytes that start with a whole sequence.
    pub fn count(&self, bytes: &[u8]) -> u64 {
        match self.0[..] {
            [byte] => memchr::memchr_iter(byte, bytes).count() as u64,
            _ => self.units(bytes).filter(|unit| *unit == self.0).count() as u64,
        }
    }

    fn units<'a>(&self, bytes: &'a [u8]) -> std::slice::ChunksExact<'a, u8> {
        bytes.chunks_exact(self.0.len())
    }

    /// Returns the index after the unit of this number.
    fn end(&self, unit: usize) -> usize {
        (unit + 1) * self.0.len()
    }
}
