//! What is a line of a dump?

use std::io;

use super::cells::shown;
use super::wrong;
use crate::source::hex::WORTH;

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DumpLine<'a> {
    /// Nothing.
    Empty,
    /// `*`: the row above goes on, again and again.
    Star,
    /// `--`: the rows above and below are apart.
    Apart,
    /// An offset, and what is behind it.
    Row(u64, RowShape<'a>),
}

/// What is behind an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowShape<'a> {
    /// Nothing: the bytes end there.
    End,
    /// A colon and this: cells of any base, each behind a separator.
    Colon(&'a [u8]),
    /// Blanks and this: cells of bits, hex cells or both.
    Blank(&'a [u8]),
}

impl<'a> DumpLine<'a> {
    /// Take a line for what it is.
    pub fn parse(line: &'a [u8]) -> io::Result<DumpLine<'a>> {
        match line.trim_ascii() {
            b"" => Ok(DumpLine::Empty),
            b"*" => Ok(DumpLine::Star),
            b"--" => Ok(DumpLine::Apart),
            line => row(line).ok_or_else(|| stranger(line)),
        }
    }
}

/// A row with an offset.
fn row(line: &[u8]) -> Option<DumpLine<'_>> {
    let (offset, digits) = offset(line)?;
    let shape = match &line[digits..] {
        [b':', rest @ ..] => RowShape::Colon(rest),
        _ if !is_wide(&line[..digits]) => return None,
        [] => RowShape::End,
        [b' ', rest @ ..] => RowShape::Blank(rest.trim_ascii_start()),
        _ => return None,
    };
    Some(DumpLine::Row(offset, shape))
}

/// The number that a line begins with, and how many digits it has.
fn offset(line: &[u8]) -> Option<(u64, usize)> {
    /// The digits of the largest offset.
    const MOST: usize = 16;
    let mut number = 0;
    for (at, &byte) in line.iter().enumerate() {
        match WORTH[usize::from(byte)] {
            digit @ ..16 if at < MOST => number = number << 4 | u64::from(digit),
            ..16 => return None,
            _ if at == 0 => return None,
            _ => return Some((number, at)),
        }
    }
    Some((number, line.len()))
}

/// Whether digits without a colon are an offset: `od -A x` writes six, `hexdump -C` eight. Seven
/// that begin with a zero are octal or decimal.
fn is_wide(digits: &[u8]) -> bool {
    digits.len() > 5 && !is_octal(digits)
}

fn is_octal(digits: &[u8]) -> bool {
    digits.len() == 7 && digits[0] == b'0'
}

/// Why a line is no row.
fn stranger(line: &[u8]) -> io::Error {
    let word = line.split(|byte| matches!(byte, b' ' | b':')).next().unwrap_or(line);
    let is_hex = !word.is_empty() && word.iter().all(u8::is_ascii_hexdigit);
    wrong(match word {
        b"==>" => "a dump of several files (take them apart, and reverse each)".to_owned(),
        _ if is_hex && is_octal(word) => {
            "an offset of seven digits is octal or decimal (od -A x writes hexadecimal ones)"
                .to_owned()
        }
        _ if is_hex && word.len() > 16 => {
            "no offset has so many digits (plain digits? -p reads them)".to_owned()
        }
        _ if is_hex => "the offset is missing (six digits at least, or any number of them and a \
                        colon; -p reads digits without offsets)"
            .to_owned(),
        _ => format!("\"{}\" where a row was expected (take it out)", shown(line)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_is() {
        for (line, is) in [
            ("", DumpLine::Empty),
            (" \r", DumpLine::Empty),
            ("*\r", DumpLine::Star),
            ("--", DumpLine::Apart),
            ("0: 41", DumpLine::Row(0, RowShape::Colon(b" 41"))),
            ("fFfFfFfFfFfFfFfF:.ac", DumpLine::Row(u64::MAX, RowShape::Colon(b".ac"))),
            ("00000010  41  A ", DumpLine::Row(16, RowShape::Blank(b"41  A"))),
            ("000010 41", DumpLine::Row(16, RowShape::Blank(b"41"))),
            ("1000000 41", DumpLine::Row(1 << 24, RowShape::Blank(b"41"))),
            ("00000010", DumpLine::Row(16, RowShape::End)),
        ] {
            assert_eq!(DumpLine::parse(line.as_bytes()).unwrap(), is, "{line:?}");
        }
    }

    #[test]
    fn what_is_no_row() {
        for (line, why) in [
            ("==> notes.txt <==", "a dump of several files"),
            ("0000020 41", "an offset of seven digits"),
            ("0000020", "an offset of seven digits"),
            ("48 65 6c", "the offset is missing"),
            ("48656c6c6f48656c6c", "no offset has so many digits"),
            ("00000010\t41", "\"00000010\\x0941\" where a row was expected"),
            ("hello", "\"hello\" where a row was expected"),
            ("00000010;", "\"00000010;\" where a row was expected"),
        ] {
            let error = DumpLine::parse(line.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(why), "{line}: {error}");
        }
    }
}
