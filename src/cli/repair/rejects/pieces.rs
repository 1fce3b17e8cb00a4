//! Writes that end where lines end.

use std::io::{self, Read, Write};

use crate::finding::line_terminator::LineTerminator;

/// The size of a piece of short lines, in bytes.
const PIECE: usize = 64 << 10;

/// The maximum size of a piece, in bytes. A longer line is written in several.
const LONGEST: usize = 1 << 20;

/// Copies lines. Each write ends at the end of a line: what another program appends to the same file is
/// not within a line.
///
/// # Errors
/// Those of reading and writing.
pub(super) fn copy_lines(
    from: &mut dyn Read,
    to: &mut dyn Write,
    terminator: &LineTerminator,
) -> io::Result<()> {
    let (mut piece, mut size) = (Vec::new(), PIECE);
    loop {
        from.take((size - piece.len()) as u64).read_to_end(&mut piece)?;
        if piece.len() < size {
            return to.write_all(&piece);
        }
        match terminator.find_last(&piece) {
            Some(end) => {
                to.write_all(&piece[..end])?;
                piece.drain(..end);
            }
            None if size < LONGEST => size *= 2,
            None => {
                to.write_all(&piece)?;
                piece.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::by_name;

    /// Returns the lengths of the writes of a text.
    fn writes(text: &[u8], encoding: &'static str) -> Vec<usize> {
        struct Lengths<'a>(&'a [u8], Vec<usize>);

        impl Write for Lengths<'_> {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.strip_prefix(bytes).expect("the next bytes of the text");
                self.1.push(bytes.len());
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let (mut from, mut to) = (text, Lengths(text, Vec::new()));
        copy_lines(&mut from, &mut to, &LineTerminator::of(by_name(encoding))).unwrap();
        assert!(to.0.is_empty());
        to.1
    }

    #[test]
    fn writes_end_at_the_ends_of_lines() {
        let lines = b"123456\n".repeat(PIECE / 4);
        let whole = PIECE / 7 * 7;
        assert_eq!(writes(&lines, "utf-8"), [whole, lines.len() - whole]);
        // U+0A0A and U+000A: a line feed is a whole unit.
        let units = [b"\n\n", &b"\n\0"[..]].concat().repeat(PIECE / 4 + 1);
        assert_eq!(writes(&units[2..], "utf-16le"), [PIECE - 2, 4]);
    }

    #[test]
    fn a_long_line_is_one_write_up_to_a_limit() {
        let line = |len: usize| [&b"a".repeat(len - 1)[..], b"\n"].concat();
        let text = [line(3), line(PIECE), line(LONGEST), line(5)].concat();
        assert_eq!(writes(&text, "utf-8"), [3, PIECE, LONGEST, 5]);
        let text = [line(LONGEST + 9), line(5)].concat();
        assert_eq!(writes(&text, "utf-8"), [LONGEST, 14]);
        assert_eq!(writes(b"", "utf-8"), [0; 0]);
    }
}
