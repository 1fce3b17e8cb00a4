//! Syntax of the lines of a dump.

use std::io;

use memchr::memchr;

use super::cells::shown;
use super::error::{DumpRemedy, wrong, wrong_form};
use super::{columns, frame};
use crate::source::hex::DIGIT_VALUES;

/// A line of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DumpLine<'a> {
    /// An empty line.
    Empty,
    /// `*`: the row above repeats.
    Star,
    /// `--`: rows are missing between those above and below.
    Apart,
    /// An offset and the rest of the row.
    Row(u64, RowShape<'a>),
    /// An offset of eight digits or more before a colon, and the cells. `xxd` writes it in hexadecimal, and
    /// `xxd -d` in decimal.
    EightDigits { hex: u64, decimal: Option<u64>, cells: &'a [u8] },
    /// An offset that is certainly hexadecimal, and the rest of the row: with `0x`, or with fewer digits
    /// before a colon than `xxd -d` writes.
    HexRow(u64, RowShape<'a>),
    /// The seven digits of an offset in some radix, and the rest of the row.
    SevenDigits(&'a str, RowShape<'a>),
    /// A row without an offset.
    Bare(RowShape<'a>),
}

/// The part of a row after the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowShape<'a> {
    /// Nothing: the bytes end there.
    End,
    /// A colon and this: cells of any base, each after a separator.
    Colon(&'a [u8]),
    /// Blanks and this: binary cells, hex cells or both.
    Blank(&'a [u8]),
    /// A vertical line and this: panels with cells and with text.
    Framed(&'a [u8]),
    /// A colon and this: hex cells with `0x`.
    Prefixed(&'a [u8]),
}

impl<'a> DumpLine<'a> {
    /// Parses a line.
    pub fn parse(line: &'a [u8]) -> io::Result<DumpLine<'a>> {
        let indent = line.iter().take_while(|&&byte| byte == b' ').count();
        match line.trim_ascii() {
            b"" => Ok(DumpLine::Empty),
            b"*" => Ok(DumpLine::Star),
            b"--" => Ok(DumpLine::Apart),
            line if frame::is_rule(line) => Ok(DumpLine::Empty),
            line => {
                let parsed = match frame::split(line) {
                    Some((first, panels)) => framed_row(first.trim_ascii_end(), panels)
                        .or_else(|| Some(DumpLine::Bare(RowShape::Framed(frame::bare(line)?)))),
                    None if is_bare(line, indent) => Some(DumpLine::Bare(RowShape::Blank(line))),
                    None => memory_row(line).or_else(|| row(line, indent)),
                };
                parsed.ok_or_else(|| stranger(line))
            }
        }
    }
}

/// Returns `true` for a row of `hexyl --border none --no-position` or of `od -A n`: the first word of
/// an indented line is a cell.
fn is_bare(line: &[u8], indent: usize) -> bool {
    let is_digits = |word: &[u8], radix| word.iter().all(|&c| char::from(c).is_digit(radix));
    let mut words = line.splitn(3, |&byte| byte == b' ');
    let first = words.next().unwrap_or_default();
    match first.len() {
        2 => indent > 0 && is_digits(first, 16),
        3 => indent > 0 && is_digits(first, 10),
        // No program writes an offset of eight digits, one blank and bits.
        8 => {
            let both = [first, words.next().unwrap_or_default()];
            indent > 1 && both.iter().all(|word| word.len() == 8 && is_digits(word, 2))
        }
        _ => false,
    }
}

/// Parses a row with an offset.
fn row(line: &[u8], indent: usize) -> Option<DumpLine<'_>> {
    let (offset, len) = offset(line)?;
    let (digits, rest) = line.split_at(len);
    let digits = str::from_utf8(digits).ok()?;
    let shape = match rest {
        [b':', rest @ ..] if len < 8 => {
            return Some(DumpLine::HexRow(offset, RowShape::Colon(rest)));
        }
        [b':', cells @ ..] => {
            return Some(DumpLine::EightDigits {
                hex: offset,
                decimal: digits.parse().ok(),
                cells,
            });
        }
        _ if digits.len() < 6 && !(digits.len() == 4 && rest.starts_with(b"  ")) => return None,
        [] => RowShape::End,
        [b' ', ..] if is_group(offset, len, rest, indent) => return None,
        [b' ', rest @ ..] => RowShape::Blank(rest.trim_ascii_start()),
        _ => return None,
    };
    Some(match is_seven(digits) {
        true => DumpLine::SevenDigits(digits, shape),
        false => DumpLine::Row(offset, shape),
    })
}

/// Returns `true` if the digits of an offset, before this text, may be a group of cells of
/// `hexyl --no-position`.
fn is_group(offset: u64, digits: usize, text: &[u8], indent: usize) -> bool {
    /// No file is so long.
    const FARTHEST: u64 = 1 << 60;
    /// The number of blanks before a row of hexyl.
    const INDENT: usize = 2;
    let cells = text.trim_ascii_start();
    let blanks = text.len() - cells.len();
    let is_triple = columns::word(cells).len() == 3;
    match (digits, blanks) {
        (16, 2) => offset >= FARTHEST,
        (16, _) => true,
        (8, 1) => indent == INDENT,
        (6, 1) => indent == INDENT && is_triple,
        // The text of an incomplete row.
        (_, blanks) => blanks > 3,
    }
}

/// Parses a row between vertical lines, given its first panel.
fn framed_row<'a>(first: &[u8], panels: &'a [u8]) -> Option<DumpLine<'a>> {
    match first {
        b"*" => return Some(DumpLine::Star),
        // hexyl says so if there are no bytes.
        b"" | b" No content" => return Some(DumpLine::Empty),
        // Cells, without an offset.
        [b' ', ..] => return None,
        _ => {}
    }
    let (offset, digits) = offset(first)?;
    let is_end = frame::is_empty(panels);
    let shape = if is_end { RowShape::End } else { RowShape::Framed(panels) };
    (digits == first.len()).then_some(DumpLine::Row(offset, shape))
}

/// Parses a row of a debugger or of tcpdump: an offset with `0x`, perhaps a symbol in angle brackets,
/// and a colon.
fn memory_row(line: &[u8]) -> Option<DumpLine<'_>> {
    let line = line.strip_prefix(b"0x")?;
    let (offset, digits) = offset(line)?;
    let rest = match line[digits..].strip_prefix(b" <") {
        Some(symbol) => &symbol[memchr(b'>', symbol)? + 1..],
        None => &line[digits..],
    };
    let cells = rest.strip_prefix(b":")?;
    let is_prefixed = cells.trim_ascii_start().starts_with(b"0x");
    // tcpdump has two blanks before the first cell.
    let second = cells.strip_prefix(b" ").filter(|cells| cells.starts_with(b" "));
    let cells = second.unwrap_or(cells);
    let shape = if is_prefixed { RowShape::Prefixed(cells) } else { RowShape::Colon(cells) };
    Some(DumpLine::HexRow(offset, shape))
}

/// Returns the number at the start of a line and the number of its digits.
fn offset(line: &[u8]) -> Option<(u64, usize)> {
    /// The number of digits of the largest offset.
    const MOST: usize = 16;
    let mut number = 0;
    for (at, &byte) in line.iter().enumerate() {
        match DIGIT_VALUES[usize::from(byte)] {
            digit @ ..16 if at < MOST => number = number << 4 | u64::from(digit),
            ..16 => return None,
            _ if at == 0 => return None,
            _ => return Some((number, at)),
        }
    }
    Some((number, line.len()))
}

/// Returns `true` for an offset of seven digits: `od -A x` writes six of them, `hexdump -C` eight.
fn is_seven(digits: &str) -> bool {
    digits.len() == 7 && digits.starts_with('0')
}

/// Returns the error of a line that is not a row.
fn stranger(line: &[u8]) -> io::Error {
    let word = line.split(|byte| matches!(byte, b' ' | b':')).next().unwrap_or(line);
    let is_hex = !word.is_empty() && word.iter().all(u8::is_ascii_hexdigit);
    if let Some(quote) = quote(line) {
        let mark = shown(quote);
        return wrong(format!("\"{mark}\" before the row (remove it from each line)"));
    }
    match word {
        b"unsigned" => wrong_form(
            "an array of C, of which only the part between braces has bytes",
            DumpRemedy::Digits,
        ),
        b"==>" => wrong("a dump of several files (take them apart, and reverse each)"),
        _ if is_hex && word.len() > 16 => {
            wrong_form("no offset has so many digits", DumpRemedy::Digits)
        }
        _ if is_hex && word.len() >= 6 => {
            wrong("an offset, or cells in groups (put a colon after an offset; hexyl -g 1)")
        }
        _ if is_hex => wrong_form(
            "the offset is missing: it has six digits or more, or a colon after it",
            DumpRemedy::Digits,
        ),
        _ => wrong(format!("\"{}\" where a row was expected (remove the line)", shown(line))),
    }
}

/// Returns the mark of a quotation or comment, if a row is behind it.
fn quote(line: &[u8]) -> Option<&[u8]> {
    const MARKS: [&[u8]; 5] = [b">", b"|", b"#", b"//", b"*"];
    let behind = |mark: &[u8]| line.strip_prefix(mark)?.strip_prefix(b" ");
    let mark = MARKS.into_iter().find(|mark| behind(mark).is_some())?;
    let row = row(behind(mark)?.trim_ascii(), 0);
    let is_row = matches!(
        row,
        Some(DumpLine::Row(..) | DumpLine::EightDigits { .. } | DumpLine::HexRow(..))
    );
    is_row.then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_classified() {
        for (line, is) in [
            ("", DumpLine::Empty),
            (" \r", DumpLine::Empty),
            ("*\r", DumpLine::Star),
            ("--", DumpLine::Apart),
            ("0: 41", DumpLine::HexRow(0, RowShape::Colon(b" 41"))),
            (
                "fFfFfFfFfFfFfFfF:.ac",
                DumpLine::EightDigits { hex: u64::MAX, decimal: None, cells: b".ac" },
            ),
            ("00000010: 41", DumpLine::EightDigits { hex: 16, decimal: Some(10), cells: b" 41" }),
            ("00000010  41  A ", DumpLine::Row(16, RowShape::Blank(b"41  A"))),
            ("000010 41", DumpLine::Row(16, RowShape::Blank(b"41"))),
            ("1000000 41", DumpLine::Row(1 << 24, RowShape::Blank(b"41"))),
            ("00000010", DumpLine::Row(16, RowShape::End)),
            ("0000020 41", DumpLine::SevenDigits("0000020", RowShape::Blank(b"41"))),
            ("0010  41", DumpLine::Row(16, RowShape::Blank(b"41"))),
            ("┌──┬──┐", DumpLine::Empty),
            ("+--+--+", DumpLine::Empty),
            ("│*  │  ┊  │", DumpLine::Star),
            ("|10|    |  |", DumpLine::Row(16, RowShape::End)),
            ("|10| 41 |A|", DumpLine::Row(16, RowShape::Framed(b" 41 |A|"))),
            (" 41 42  AB", DumpLine::Bare(RowShape::Blank(b"41 42  AB"))),
            (" 101", DumpLine::Bare(RowShape::Blank(b"101"))),
            ("  01000001 01000010  AB", DumpLine::Bare(RowShape::Blank(b"01000001 01000010  AB"))),
            ("|        | No content   |  |", DumpLine::Empty),
            ("| No content              |        |", DumpLine::Empty),
            (
                "| 61                      |a       |",
                DumpLine::Bare(RowShape::Framed(b" 61                      |a       |")),
            ),
            ("0x10:\t0x41", DumpLine::HexRow(16, RowShape::Prefixed(b"\t0x41"))),
            ("0x10 <buf+8>:\t0x41", DumpLine::HexRow(16, RowShape::Prefixed(b"\t0x41"))),
            ("0x10: 41 42  AB", DumpLine::HexRow(16, RowShape::Colon(b" 41 42  AB"))),
            ("\t0x0010:  4142 43  ABC", DumpLine::HexRow(16, RowShape::Colon(b" 4142 43  ABC"))),
        ] {
            assert_eq!(DumpLine::parse(line.as_bytes()).unwrap(), is, "{line:?}");
        }
    }

    #[test]
    fn other_lines_are_rejected() {
        for (line, why) in [
            ("==> notes.txt <==", "a dump of several files"),
            ("│ 41 │A│", "\"\\u{2502} 41 \\u{2502}A\\u{2502}\" where a row was expected"),
            ("0x41 0x42", "\"0x41 0x42\" where a row was expected"),
            ("0010 41", "the offset is missing"),
            ("48 65 6c", "the offset is missing"),
            ("48656c6c6f48656c6c", "no offset has so many digits"),
            ("00000010\t41", "\"00000010\\x0941\" where a row was expected"),
            ("  626520              be ", "an offset, or cells in groups"),
            ("  6162206364206566  ab cd ef", "an offset, or cells in groups"),
            ("  6162206364206566   61", "an offset, or cells in groups"),
            ("  61626364 65        abcde", "an offset, or cells in groups"),
            ("  141142 143  abc", "an offset, or cells in groups"),
            ("> 00000010: 4142 43  ABC", "\">\" before the row"),
            ("// 00000010  41 42 43", "\"//\" before the row"),
            ("> hello", "\"> hello\" where a row was expected"),
            ("unsigned char hi[] = {", "an array of C"),
            ("hello", "\"hello\" where a row was expected"),
            ("00000010;", "\"00000010;\" where a row was expected"),
        ] {
            let error = DumpLine::parse(line.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(why), "{line}: {error}");
        }
    }
}
