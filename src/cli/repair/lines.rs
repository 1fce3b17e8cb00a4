//! Lines of a diff, escaped and limited in size.

use std::borrow::Cow;

use super::explain::front;
use crate::codec::{Group, Step};
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::escape::{EscapeStyle, escape};

/// The number of bytes shown of the lines of one side.
pub(super) const LIMIT: usize = 64 << 10;

const RED: &[u8] = b"\x1B[31m";
const GREEN: &[u8] = b"\x1B[32m";
const DIM: &[u8] = b"\x1B[2m";

/// In decoded text, precedes a byte that is not text. The upper four bits and the lower four bits
/// of the byte follow, each as a continuation byte, so that no cut separates them.
const MARK: u8 = 0xFF;

/// Lines of one side.
#[derive(Debug, Default)]
pub(super) struct DiffLines {
    /// The shown part.
    text: Vec<u8>,
    /// True if the rest is not shown.
    cut: bool,
    /// The number of line feeds.
    feeds: u64,
    /// True if the last line has its line feed.
    pub ended: bool,
}

impl DiffLines {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.cut
    }

    /// Returns the number of lines, with an unterminated last line.
    pub fn number(&self) -> u64 {
        self.feeds + u64::from(!self.ended && !self.is_empty())
    }

    /// Appends text.
    pub fn add(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        self.feeds += memchr::memchr_iter(b'\n', text).count() as u64;
        self.ended = *last == b'\n';
        let room = if self.cut { 0 } else { LIMIT - self.text.len() };
        let shown = front(text, room);
        self.text.extend_from_slice(shown);
        self.cut |= shown.len() < text.len();
    }

    /// Appends unread lines that are removed.
    pub fn add_unseen(&mut self) {
        self.cut = true;
        self.feeds += 1;
        self.ended = true;
    }

    /// Appends the lines, each after its sign.
    pub fn show(&self, sign: u8, view: &LineView, out: &mut Vec<u8>) {
        if self.is_empty() {
            return;
        }
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            view.line(sign, line.strip_suffix(b"\n").unwrap_or(line), out);
        }
        if self.cut {
            out.extend_from_slice(b"\\ The rest is too long to show\n");
        }
        if !self.ended {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
}

/// The presentation of text.
pub(super) struct LineView {
    /// The codec to decode; `None` if bytes are shown as UTF-8.
    codec: Option<&'static Encoding>,
    style: ReportStyle,
}

impl LineView {
    /// Returns the presentation of a codec: decoded, unless the codec is close to UTF-8.
    pub fn new(codec: &'static Encoding, style: ReportStyle) -> LineView {
        let stands = matches!(codec.group, Group::Family | Group::Notation);
        LineView { codec: Some(codec).filter(|_| !stands), style }
    }

    /// Returns text of the input, which has whole sequences. A signature selects the codec of the
    /// rest.
    pub fn read<'t>(&mut self, offset: u64, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        if let Some(codec) = self.codec.filter(|_| offset == 0) {
            self.codec = codec.after_bom(bytes).or(self.codec);
        }
        self.text(bytes)
    }

    /// Returns text in the form of [`DiffLines`].
    pub fn text<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        self.codec.map_or(Cow::Borrowed(bytes), |codec| Cow::Owned(decoded(codec, bytes)))
    }

    /// Appends a header line.
    pub fn header(&self, text: &[u8], out: &mut Vec<u8>) {
        self.style.paint(DIM, out, |out| out.extend_from_slice(text));
        out.push(b'\n');
    }

    /// Appends a line after its sign.
    fn line(&self, sign: u8, line: &[u8], out: &mut Vec<u8>) {
        let write = |out: &mut Vec<u8>| {
            out.push(sign);
            self.spell(line, out);
        };
        match sign {
            b'-' => self.style.paint(RED, out, write),
            b'+' => self.style.paint(GREEN, out, write),
            _ => write(out),
        }
        out.push(b'\n');
    }

    /// Appends escaped text.
    fn spell(&self, line: &[u8], out: &mut Vec<u8>) {
        let spelling = if self.style.unicode { EscapeStyle::Text } else { EscapeStyle::Ascii };
        if self.codec.is_none() {
            return spell_text(out, line, spelling);
        }
        let mut parts = line.split(|&byte| byte == MARK);
        spell_text(out, parts.next().unwrap_or_default(), spelling);
        for part in parts {
            let Some((&[upper, lower], text)) = part.split_first_chunk() else { continue };
            let byte = upper << 4 | lower & 0x0F;
            out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
            spell_text(out, text, spelling);
        }
    }
}

/// Appends escaped text. U+FEFF is escaped too: lines that differ only in it would look the same.
fn spell_text(out: &mut Vec<u8>, mut text: &[u8], spelling: EscapeStyle) {
    while let Some(at) = memchr::memmem::find(text, "\u{FEFF}".as_bytes()) {
        escape(out, &text[..at], spelling);
        out.extend_from_slice(b"\\u{FEFF}");
        text = &text[at + '\u{FEFF}'.len_utf8()..];
    }
    escape(out, text, spelling);
}

/// Decodes to UTF-8, with a mark before each byte that is not part of a scalar value.
fn decoded(codec: &Encoding, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let step = (codec.inner.step)(rest);
        // Whole sequences are never short.
        let (sequence, tail) = rest.split_at(step.size().max(1));
        let mut is_text = matches!(step, Step::Skip { .. });
        for c in step.values().iter().copied().filter_map(char::from_u32) {
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            is_text = true;
        }
        if !is_text {
            let marked = |byte: &u8| [MARK, 0x80 | byte >> 4, 0x80 | byte & 0x0F];
            text.extend(sequence.iter().flat_map(marked));
        }
        rest = tail;
    }
    text
}
