//! Writes that end where lines end.

use std::io::{self, Read, Write};

use crate::finding::line_terminator::LineTerminator;

/// The size of a write in bytes, until a line is longer.
const WRITE_SIZE: usize = 64 << 10;

/// The maximum size of a write, in bytes.
const LONGEST_WRITE: usize = 1 << 20;

/// Copies lines in writes that end at line ends, so that no line of another program is within one. A line
/// longer than [`LONGEST_WRITE`] takes several.
///
/// # Errors
/// Those of reading and writing.
pub(super) fn copy_lines(
    from: &mut dyn Read,
    to: &mut dyn Write,
    terminator: &LineTerminator,
) -> io::Result<()> {
    let (mut lines, mut size) = (Vec::new(), WRITE_SIZE);
    loop {
        from.take((size - lines.len()) as u64).read_to_end(&mut lines)?;
        if lines.len() < size {
            return to.write_all(&lines);
        }
        match terminator.find_last(&lines) {
            Some(end) => {
                to.write_all(&lines[..end])?;
                lines.drain(..end);
            }
            None if size < LONGEST_WRITE => size *= 2,
            None => {
                to.write_all(&lines)?;
                lines.clear();
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
        let lines = b"123456\n".repeat(WRITE_SIZE / 4);
        let whole = WRITE_SIZE / 7 * 7;
        assert_eq!(writes(&lines, "utf-8"), [whole, lines.len() - whole]);
        // U+0A0A and U+000A: a line feed is a whole unit.
        let units = [b"\n\n", &b"\n\0"[..]].concat().repeat(WRITE_SIZE / 4 + 1);
        assert_eq!(writes(&units[2..], "utf-16le"), [WRITE_SIZE - 2, 4]);
    }

    #[test]
    fn a_long_line_is_one_write_up_to_a_limit() {
        let line = |len: usize| [&b"a".repeat(len - 1)[..], b"\n"].concat();
        let text = [line(3), line(WRITE_SIZE), line(LONGEST_WRITE), line(5)].concat();
        assert_eq!(writes(&text, "utf-8"), [3, WRITE_SIZE, LONGEST_WRITE, 5]);
        let text = [line(LONGEST_WRITE + 9), line(5)].concat();
        assert_eq!(writes(&text, "utf-8"), [LONGEST_WRITE, 14]);
        assert_eq!(writes(b"", "utf-8"), [0; 0]);
    }
}
