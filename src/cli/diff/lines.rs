//! Lines of a diff, limited in size, and their form: bytes as they are, or escaped.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;

use crate::codec::family::continues;
use crate::codec::{Group, Step, UTF8_BOM};
use crate::registry::Encoding;
use crate::report::ReportStyle;
use crate::text::escape::{EscapeStyle, escape};
use crate::text::name::InputName;

/// The number of bytes shown of the lines of one side.
const LIMIT: usize = 64 << 10;

/// The number of bytes in a patch of the lines of one side that change together.
const PATCH_LIMIT: usize = 1 << 20;

const RED: &[u8] = b"\x1B[31m";
const GREEN: &[u8] = b"\x1B[32m";
const DIM: &[u8] = b"\x1B[2m";

/// In decoded text, precedes a byte that is not text. The upper four bits and the lower four bits
/// of the byte follow, each as a continuation byte, so that no cut separates them.
const MARK: u8 = 0xFF;

/// Lines of one side.
#[derive(Debug, Default)]
pub(super) struct DiffLines {
    /// The kept part.
    text: Vec<u8>,
    /// True if the rest is not kept.
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

    /// Returns `true` if the lines are not kept whole.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Marks the lines as incomplete, as those of the other side are.
    pub fn cut(&mut self) {
        self.cut |= !self.text.is_empty();
    }

    /// Returns the number of lines, with an unterminated last line.
    pub fn number(&self) -> u64 {
        self.feeds + u64::from(!self.ended && !self.is_empty())
    }

    /// Appends text.
    pub fn add(&mut self, text: &[u8], view: &LineView) {
        let Some(last) = text.last() else { return };
        self.feeds += memchr::memchr_iter(b'\n', text).count() as u64;
        self.ended = *last == b'\n';
        let room = if self.cut { 0 } else { view.limit() - self.text.len() };
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

    /// Appends the lines, each after its sign. Returns the number of lines that are shown.
    pub fn show(&self, sign: u8, view: &LineView, out: &mut Vec<u8>) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let mut shown = 0;
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            view.line(sign, line.strip_suffix(b"\n").unwrap_or(line), out);
            shown += 1;
        }
        if self.cut && view.is_patch() {
            // A line that no file has: patch rejects the hunk.
            view.line(sign, b"... (the rest is too long for a patch)", out);
            shown += 1;
        } else if self.cut {
            out.extend_from_slice(b"\\ The rest is too long to show\n");
        }
        if !self.ended {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
        shown
    }
}

/// The form of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum DiffForm {
    /// Bytes as they are: `patch` can apply it.
    Patch,
    /// Text with unsafe characters escaped, for a terminal.
    Screen,
    /// Decoded text of an encoding whose lines do not end with the byte of LF.
    Decoded,
    /// Lines of a part of the input.
    Part,
}

impl DiffForm {
    /// Returns the form of the diff of text in these encodings. `whole` says that the diff is of the
    /// whole input.
    pub fn of(codecs: &[&Encoding], whole: bool, style: ReportStyle) -> DiffForm {
        if !codecs.iter().all(|codec| has_byte_lines(codec)) {
            DiffForm::Decoded
        } else if !whole {
            DiffForm::Part
        } else if style.color || io::stdout().is_terminal() {
            DiffForm::Screen
        } else {
            DiffForm::Patch
        }
    }

    /// Returns the reason why the diff is no patch.
    fn reason(self, codec: Option<&Encoding>) -> Option<String> {
        match self {
            DiffForm::Patch => None,
            DiffForm::Screen => Some(
                r"unsafe bytes are shown as \xHH or \u{HHHH}; written to a file, it is one"
                    .to_owned(),
            ),
            DiffForm::Decoded => {
                Some(format!("{} is shown as text", codec.map_or("the input", |codec| codec.name)))
            }
            DiffForm::Part => Some("it is of a part of the input".to_owned()),
        }
    }
}

/// Returns `true` if the byte of LF ends a line and is nothing else, as in every encoding but those
/// with units of several bytes and EBCDIC.
pub(in crate::cli) fn has_byte_lines(codec: &Encoding) -> bool {
    let is_other = |step: Step| matches!(step, Step::Scalar { value, .. } if value != 0x0A);
    codec.has_byte_units() && !is_other(codec.step(b"\n"))
}

/// The presentation of text.
pub(in crate::cli) struct LineView {
    form: DiffForm,
    /// The codec to decode; `None` if bytes are shown as UTF-8.
    codec: Option<&'static Encoding>,
    style: ReportStyle,
}

impl LineView {
    /// Returns the presentation of text in a codec: decoded, unless the codec is close to UTF-8.
    pub fn new(form: DiffForm, codec: &'static Encoding, style: ReportStyle) -> LineView {
        let is_readable = matches!(codec.group, Group::Family | Group::Notation);
        let codec = Some(codec).filter(|_| !is_readable && form != DiffForm::Patch);
        LineView { form, codec, style }
    }

    pub fn is_patch(&self) -> bool {
        self.form == DiffForm::Patch
    }

    /// Returns the number of bytes that are kept of the lines of one side.
    fn limit(&self) -> usize {
        if self.is_patch() { PATCH_LIMIT } else { LIMIT }
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

    /// Appends the header of the diff of an input.
    pub fn start(&self, name: &InputName<'_>, out: &mut Vec<u8>) {
        if let Some(reason) = self.form.reason(self.codec) {
            self.header(format!("# Not a patch: {reason}.").as_bytes(), out);
        }
        let name = if self.is_patch() { file_name(name) } else { name.shown().to_vec() };
        self.header(&[b"--- ", &name[..]].concat(), out);
        self.header(&[b"+++ ", &name[..]].concat(), out);
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
            match self.is_patch() {
                true => out.extend_from_slice(line),
                false => self.spell(line, out),
            }
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
    while let Some(at) = memchr::memmem::find(text, UTF8_BOM) {
        escape(out, &text[..at], spelling);
        out.extend_from_slice(b"\\u{FEFF}");
        text = &text[at + UTF8_BOM.len()..];
    }
    escape(out, text, spelling);
}

/// Decodes to UTF-8, with a mark before each byte that is not part of a scalar value.
fn decoded(codec: &Encoding, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let step = codec.step(rest);
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

/// Returns the name of a file as `patch` reads it: with the quotes of a string in C if it has
/// characters with a meaning there or is not UTF-8.
fn file_name(name: &InputName<'_>) -> Vec<u8> {
    let raw = name.raw.as_bytes();
    let is_plain = raw == name.listed()
        && raw.trim_ascii() == raw
        && !raw.iter().any(|byte| b"\"\\".contains(byte));
    match is_plain {
        // A tab ends a name with blanks.
        true if raw.contains(&b' ') => [raw, b"\t"].concat(),
        true => raw.to_owned(),
        false => quoted_name(raw),
    }
}

/// Returns a name as a string in C, without `#`, which can start a command of a CI system.
fn quoted_name(raw: &[u8]) -> Vec<u8> {
    let mut quoted = b"\"".to_vec();
    for &byte in raw {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', byte]),
            b' '..=b'~' if byte != b'#' => quoted.push(byte),
            _ => quoted.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}

/// Returns at most `most` bytes of the start of a text, without cutting a sequence.
pub(in crate::cli) fn front(text: &[u8], most: usize) -> &[u8] {
    let ends = |at: &usize| text.get(*at).is_none_or(|&byte| !continues(byte));
    let most = most.min(text.len());
    &text[..(0..=most).rev().find(ends).unwrap_or(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_names_start_no_command() {
        let quoted = |name: &[u8]| String::from_utf8(quoted_name(name)).unwrap();
        assert_eq!(quoted(b"##vso[a]\n\"\xFF\\"), r#""\043\043vso[a]\012\"\377\\""#);
    }
}
