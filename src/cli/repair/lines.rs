//! How are lines shown in a diff? As text, of which nothing can do harm, and no more than fits.

use std::borrow::Cow;

use super::explain::front;
use crate::codec::{Group, Step};
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::escape::{EscapeStyle, escape};

/// How many bytes are shown of lines on one side.
pub(super) const LIMIT: usize = 64 << 10;

const RED: &[u8] = b"\x1B[31m";
const GREEN: &[u8] = b"\x1B[32m";
const DIM: &[u8] = b"\x1B[2m";

/// In decoded text, stands in front of a byte that is no text: of its upper four bits and its lower
/// ones, each in a byte that continues a sequence, so that nobody cuts between them.
const MARK: u8 = 0xFF;

/// Some lines, as they are on one side.
#[derive(Debug, Default)]
pub(super) struct DiffLines {
    /// What is shown of them.
    text: Vec<u8>,
    /// Whether there is more.
    cut: bool,
    /// How many line feeds there are in all.
    feeds: u64,
    /// Whether the last of them has its line feed.
    pub ended: bool,
}

impl DiffLines {
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.cut
    }

    /// How many lines there are, the last of which may have no end.
    pub fn number(&self) -> u64 {
        self.feeds + u64::from(!self.ended && !self.is_empty())
    }

    /// Add some text.
    pub fn add(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        self.feeds += memchr::memchr_iter(b'\n', text).count() as u64;
        self.ended = *last == b'\n';
        let room = if self.cut { 0 } else { LIMIT - self.text.len() };
        let shown = front(text, room);
        self.text.extend_from_slice(shown);
        self.cut |= shown.len() < text.len();
    }

    /// Add what is left out and not at hand. Nothing is said of its end, which nobody has seen.
    pub fn add_unseen(&mut self) {
        self.cut = true;
        self.feeds += 1;
        self.ended = true;
    }

    /// Show them, each behind a sign.
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

/// How text is shown.
pub(super) struct LineView {
    /// The codec that it is decoded from; `None` where its bytes are shown as they stand.
    codec: Option<&'static Encoding>,
    style: ReportStyle,
}

impl LineView {
    /// How text of this codec is shown: decoded, unless its bytes are much as those of UTF-8.
    pub fn new(codec: &'static Encoding, style: ReportStyle) -> LineView {
        let stands = matches!(codec.group, Group::Family | Group::Notation);
        LineView { codec: Some(codec).filter(|_| !stands), style }
    }

    /// Some text of the input, in which sequences are whole. It may tell how to read what follows.
    pub fn read<'t>(&mut self, offset: u64, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        if let Some(codec) = self.codec.filter(|_| offset == 0) {
            self.codec = codec.after_bom(bytes).or(self.codec);
        }
        self.text(bytes)
    }

    /// Some text, as it is added to [`Lines`].
    pub fn text<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        self.codec.map_or(Cow::Borrowed(bytes), |codec| Cow::Owned(decoded(codec, bytes)))
    }

    /// Append what is above the lines.
    pub fn header(&self, text: &[u8], out: &mut Vec<u8>) {
        self.style.paint(DIM, out, |out| out.extend_from_slice(text));
        out.push(b'\n');
    }

    /// Append a line behind its sign.
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

    /// Append text as it may be shown.
    fn spell(&self, line: &[u8], out: &mut Vec<u8>) {
        let spelling = if self.style.unicode { EscapeStyle::Text } else { EscapeStyle::Ascii };
        if self.codec.is_none() {
            return escape(out, line, spelling);
        }
        let mut parts = line.split(|&byte| byte == MARK);
        escape(out, parts.next().unwrap_or_default(), spelling);
        for part in parts {
            let Some((&[upper, lower], text)) = part.split_first_chunk() else { continue };
            let byte = upper << 4 | lower & 0x0F;
            out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
            escape(out, text, spelling);
        }
    }
}

/// Text of a codec in UTF-8, with a mark in front of each byte that stands for no scalar value.
fn decoded(codec: &Encoding, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let step = (codec.step)(rest);
        // In whole sequences, nothing is short.
        let (sequence, tail) = rest.split_at(step.size().max(1));
        let characters = match step {
            Step::Scalar { value, .. } => [char::from_u32(value), None],
            Step::Two { values, .. } => values.map(char::from_u32),
            _ => [None, None],
        };
        for c in characters.iter().flatten() {
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        if characters == [None, None] && !matches!(step, Step::Skip { .. }) {
            let marked = |byte: &u8| [MARK, 0x80 | byte >> 4, 0x80 | byte & 0x0F];
            text.extend(sequence.iter().flat_map(marked));
        }
        rest = tail;
    }
    text
}
