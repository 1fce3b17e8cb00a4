//! The content of a file by its start: text, text in UTF-16 or UTF-32, or binary data.

use memchr::memchr;

use super::Answer;
use super::binary_format::is_binary_format;
use super::certain::certain_answer;
use super::detection::{Detection, Evidence};
use super::evidence::EvidenceSink;
use super::signature::find_signature;
use super::tally::{controls, is_binary, is_rare_control};
use crate::kernel::count;
use crate::registry::Encoding;

/// The number of bytes at the start of a file in which NUL is searched for, as git does.
pub const CONTENT_START: usize = 8000;

/// The confidence from which on text with NUL is taken for UTF-16 or UTF-32 without a BOM.
const CERTAIN_UNITS: f64 = 0.95;

/// The content of a file.
#[derive(Clone, Copy, Debug)]
pub enum ContentKind {
    /// Text whose code units are bytes, or data that cannot be told from it.
    Text,
    /// Text in UTF-16 or UTF-32, in this codec.
    CodeUnits(&'static Encoding),
    /// Data with NUL, or of a known format.
    Binary,
    /// UTF-8 text with a few NULs.
    TextWithNul,
    /// Data without NUL that looks like compressed data. Text in BOCU-1 can: a caller that knows the
    /// encoding takes it for text.
    DataWithoutNul,
}

/// Returns the content of a file that starts with these bytes. A BOM of UTF-16 or UTF-32 decides,
/// then the signature of a binary format, then NUL in the first [`CONTENT_START`] bytes: text whose
/// NULs are those of code units is UTF-16 or UTF-32. Other bytes are data if they look like
/// compressed data.
pub fn content_kind(start: &[u8]) -> ContentKind {
    let answer = find_signature(start).map(|signature| Answer::named(signature.answer));
    if let Some(Answer::Codec(codec)) = answer
        && !codec.has_byte_units()
    {
        return ContentKind::CodeUnits(codec);
    }
    if is_binary_format(start) {
        return ContentKind::Binary;
    }
    let head = &start[..start.len().min(CONTENT_START)];
    let has_nul = memchr(0, head).is_some();
    if !has_nul && (answer.is_some() || !is_diverse(head)) {
        return ContentKind::Text;
    }
    let mut sink = EvidenceSink::gather(0, start);
    let evidence = Evidence::of(&mut sink);
    match certain_answer(&sink, &evidence) {
        Some(Detection { answer: Answer::Codec(codec), confidence, .. })
            if !codec.has_byte_units() && confidence >= CERTAIN_UNITS =>
        {
            ContentKind::CodeUnits(codec)
        }
        Some(Detection { answer: Answer::Binary, .. }) if !has_nul => ContentKind::DataWithoutNul,
        _ if !has_nul => ContentKind::Text,
        _ if is_text_with_nul(start) => ContentKind::TextWithNul,
        _ => ContentKind::Binary,
    }
}

/// Returns `true` if bytes are UTF-8, but for a sequence that the end cuts.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns the number of ill-formed sequences of UTF-8, without one that the end cuts.
fn count_ill_formed(bytes: &[u8]) -> u64 {
    let (mut rest, mut number) = (bytes, 0);
    while let Err(error) = std::str::from_utf8(rest)
        && let Some(len) = error.error_len()
    {
        number += 1;
        rest = &rest[error.valid_up_to() + len..];
    }
    number
}

/// Returns `true` if a text that starts with these bytes is UTF-8 with few controls, at most one in
/// eight bytes or in a text of three to seven, of which some are NUL. With ill-formed sequences, these and the
/// controls are at most two from 16 bytes on, and at most one in 64 bytes from 192 on: programs and archives
/// have more.
fn is_text_with_nul(start: &[u8]) -> bool {
    let (len, controls) = (start.len() as u64, controls(start));
    if is_utf8(start) {
        return controls <= (len / 8).max(u64::from(len > 2));
    }
    // Most programs have too many controls, so that their ill-formed sequences need not be counted.
    let most = (len / 64).max(if len < 16 { 0 } else { 2 });
    controls < most && controls + count_ill_formed(start) <= most
}

/// The least number of different rare controls, of 23, in data. The letters of VISCII and of TCVN 5712 are
/// 6 and 12 of them, and separators of fields a few. 500 bytes of compressed data have 20.
const DIVERSE: usize = 16;

/// Returns `true` if bytes look like compressed data: not UTF-8, a quarter beyond ASCII, and at least
/// [`DIVERSE`] different rare controls, which are more than one in 64 bytes. Separators alone, or letters
/// that look like controls, do not make a text binary, nor do a few bad bytes.
fn is_diverse(bytes: &[u8]) -> bool {
    let kinds = || (0..0x80).filter(|&byte| is_rare_control(byte) && memchr(byte, bytes).is_some());
    is_binary(bytes)
        && 4 * count(bytes, |byte| byte >= 0x80) >= bytes.len() as u64
        && kinds().count() >= DIVERSE
        && !is_utf8(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(start: &[u8]) -> &'static str {
        match content_kind(start) {
            ContentKind::Text => "text",
            ContentKind::CodeUnits(codec) => codec.name,
            ContentKind::Binary => "binary",
            ContentKind::TextWithNul => "text with NUL",
            ContentKind::DataWithoutNul => "data without NUL",
        }
    }

    #[test]
    fn the_start_of_a_file_tells_its_content() {
        let text = "A line of text, and another\r\n";
        let units: Vec<_> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (start, kind) in [
            (&b""[..], "text"),
            (b"plain", "text"),
            (b"\xFF\xC0", "text"),
            (b"nul\0", "text with NUL"),
            (b"nul\0\0", "binary"),
            (b"\0", "binary"),
            (b"a\0", "binary"),
            (&[b"/* a line of text */\n".repeat(10).as_slice(), b"\0"].concat(), "text with NUL"),
            (b"int x; // \0 y", "text with NUL"),
            (&[b"\xFF and text\n".repeat(10).as_slice(), b"\0"].concat(), "binary"),
            (b"a line \xFF with \0 ", "text with NUL"),
            (b"a line \xFF\xFE with \0 ", "binary"),
            (b"line \xFF with\0 ", "binary"),
            (&[&[b'a'; 200][..], b"\xFF\0\0"].concat(), "text with NUL"),
            (&[&[b'a'; 180][..], b"\xFF\0\0"].concat(), "binary"),
            // A sequence that the end cuts is none.
            (b"nul\0\xE2\x82", "text with NUL"),
            (b"\xEF\xBB\xBFnul\0", "text with NUL"),
            (b"\xFF\xFEa\0", "utf-16"),
            (b"\xFE\xFF\0a", "utf-16"),
            (b"\xFF\xFE\0\0a\0\0\0", "utf-32"),
            (b"\0\0\xFE\xFF\0\0\0a", "utf-32"),
            (&units, "utf-16be"),
        ] {
            assert_eq!(name(start), kind, "{start:X?}");
        }
    }

    #[test]
    fn data_without_nul_is_told_from_text_with_controls() {
        // Not compressed, but as diverse.
        let data: Vec<u8> = (0..1200_u32).map(|at| (1 + at * 89 % 255) as u8).collect();
        let header = b"# A header\n# The rest is compressed\n";
        assert_eq!(name(&[&header[..], &data].concat()), "data without NUL");
        let data_with_controls = |is_kept: fn(u8) -> bool| -> Vec<u8> {
            data.iter().copied().filter(|&byte| !is_rare_control(byte) || is_kept(byte)).collect()
        };
        let lines = b"A line of text\n".repeat(400);
        let utf8: String = data.iter().map(|&byte| char::from(byte)).collect();
        for text in [
            // The letters of TCVN 5712.
            data_with_controls(|byte| matches!(byte, 0x01 | 0x02 | 0x04..=0x06 | 0x11..=0x17)),
            data_with_controls(|byte| byte >= 0x1C),
            // A text with a block of data.
            [&lines[..], &data[..600]].concat(),
            utf8.into_bytes(),
            [b"\xEF\xBB\xBF", &data[..]].concat(),
            // Data after the first 8,000 bytes does not count.
            [&lines[..], &lines, &data].concat(),
        ] {
            assert_eq!(name(&text), "text");
        }
    }

    #[test]
    fn a_nul_counts_in_the_first_bytes_only() {
        let before = [&vec![b'a'; CONTENT_START - 1][..], b"\0"].concat();
        assert_eq!(name(&before), "text with NUL");
        assert_eq!(name(&[b"a", &before[..]].concat()), "text");
    }
}
