//! Declarations of an encoding that contradict the text.

use std::collections::VecDeque;
use std::ops::Range;

use super::LintMatch;
use super::stretches::{MatchList, StretchSearch, TextSlice};
use crate::codec::family::continues;
use crate::codec::{Group, UTF8_BOM};
use crate::finding::locate::Position;
use crate::registry::Encoding;
use crate::text::escape::{EscapeStyle, escape};
pub(crate) use labels::SEARCHED;
use labels::{DeclaredLabel, labels};

mod labels;

/// The largest offset at which a text starts, after a signature.
const FIRST: u64 = 4;

/// Finds the labels of encodings in which the text would be another one.
///
/// Declarations are read once [`SEARCHED`] characters are known. The first character beyond ASCII
/// that is another one in a declared encoding contradicts it.
pub(super) struct DeclarationSearch {
    /// The encoding of the text.
    encoding: &'static Encoding,
    /// True until the declarations are read.
    is_collecting: bool,
    /// The offset of the text in the input.
    start: u64,
    /// The first characters of the text: UTF-8, or their ASCII value or FF.
    head: Vec<u8>,
    /// Their offsets in the input and their bytes, unless they are UTF-8.
    source: Option<(Vec<u64>, Vec<u8>)>,
    /// The declarations that are not decided, and those after them.
    declared: VecDeque<Declaration>,
}

/// A declaration of another encoding.
struct Declaration {
    encoding: &'static Encoding,
    label: LintMatch,
    /// True if the text contradicts it.
    is_wrong: bool,
}

/// The relation of a declared encoding to that of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EncodingRelation {
    /// The text is the same in both.
    Same,
    /// The declaration itself is other text in the declared encoding.
    Contradictory,
    /// Characters beyond ASCII decide.
    Similar,
}

impl EncodingRelation {
    fn of(declared: &Encoding, encoding: &Encoding) -> EncodingRelation {
        let is_family = |encoding: &Encoding| encoding.group == Group::Family;
        match (declared.inner.unit, encoding.inner.unit) {
            (1, 1) if declared.name == encoding.name => EncodingRelation::Same,
            (1, 1) if is_family(declared) && is_family(encoding) => EncodingRelation::Same,
            (1, 1) if is_ebcdic(declared) != is_ebcdic(encoding) => EncodingRelation::Contradictory,
            (1, 1) => EncodingRelation::Similar,
            (1, _) | (_, 1) => EncodingRelation::Contradictory,
            // Labels such as utf-16 leave the byte order open.
            _ => EncodingRelation::Same,
        }
    }
}

fn is_ebcdic(encoding: &Encoding) -> bool {
    encoding.code_point(b'a').is_some_and(|value| value != u32::from(b'a'))
}

/// Returns `true` if a character beyond ASCII of a text is another one in a declared encoding. Neither
/// has shift states.
pub(crate) fn differs(declared: &Encoding, encoding: &Encoding, text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(ascii) = text[at..].iter().position(|byte| !byte.is_ascii()) {
        at += ascii;
        let rest = &text[at..];
        let step = encoding.step(rest);
        if step != declared.step(rest) {
            return true;
        }
        at += step.size().clamp(1, rest.len());
    }
    false
}

/// Returns the encoding that a label of a text means.
fn meaning(name: &str, is_of_web: bool) -> Option<&'static Encoding> {
    let of_web = is_of_web.then(|| Encoding::for_label(&format!("whatwg:{name}"))).flatten();
    of_web.or_else(|| Encoding::for_label(name)).filter(|row| row.group != Group::Notation)
}

/// Returns the encoding that the start of a text declares, if it is ASCII where it does: the first of
/// several.
#[cfg(feature = "cli")]
pub(crate) fn declared_encoding(start: &[u8]) -> Option<&'static Encoding> {
    let head = &start[..start.len().min(SEARCHED)];
    labels(head).into_iter().find_map(|DeclaredLabel { range, is_of_web }| {
        meaning(str::from_utf8(&head[range]).ok()?, is_of_web)
    })
}

/// Returns `true` if a text in UTF-8, of which the first [`SEARCHED`] bytes matter, declares an
/// encoding, be it its own.
pub(crate) fn declares_any(text: &[u8]) -> bool {
    !labels(&text[..text.len().min(SEARCHED)]).is_empty()
}

impl DeclarationSearch {
    pub fn new(encoding: &'static Encoding) -> DeclarationSearch {
        DeclarationSearch {
            encoding,
            is_collecting: true,
            start: 0,
            head: Vec::new(),
            source: None,
            declared: VecDeque::new(),
        }
    }

    /// Adds the first characters of a slice to those of the text.
    fn collect(&mut self, slice: TextSlice<'_>) {
        if self.head.is_empty() {
            self.start = slice.offset;
        }
        let room = SEARCHED - self.head.len();
        if slice.is_utf8 {
            return self.head.extend_from_slice(&slice.bytes[..slice.bytes.len().min(room)]);
        }
        let (offsets, source) = self.source.get_or_insert_default();
        for (offset, bytes, step) in slice.steps().take(room) {
            let ascii = |&value: &u32| u8::try_from(value).ok().filter(u8::is_ascii);
            self.head.extend(step.values().iter().map(|value| ascii(value).unwrap_or(0xFF)));
            offsets.resize(self.head.len(), offset);
            source.extend_from_slice(bytes);
        }
    }

    /// Reads the declarations of other encodings in the first characters.
    fn read(&mut self) {
        self.is_collecting = false;
        // A byte order mark precedes the text.
        let start = match self.source {
            Some(_) => usize::from(self.head.first() == Some(&0xFF)),
            None if self.head.starts_with(UTF8_BOM) => UTF8_BOM.len(),
            None => 0,
        };
        for DeclaredLabel { range, is_of_web } in labels(&self.head[start..]) {
            let label = start + range.start..start + range.end;
            let name = String::from_utf8_lossy(&self.head[label.clone()]).into_owned();
            let Some(encoding) = meaning(&name, is_of_web) else { continue };
            let relation = EncodingRelation::of(encoding, self.encoding);
            if relation != EncodingRelation::Same {
                let is_wrong = relation == EncodingRelation::Contradictory;
                let label = self.to_match(label, &name);
                self.declared.push_back(Declaration { encoding, label, is_wrong });
            }
        }
    }

    /// Returns the offset in the text of an index of the first characters, in bytes.
    fn offset(&self, at: usize) -> usize {
        match &self.source {
            Some((offsets, source)) => {
                offsets.get(at).map_or(source.len(), |offset| (offset - self.start) as usize)
            }
            None => at,
        }
    }

    /// Returns a label as a match.
    fn to_match(&self, label: Range<usize>, name: &str) -> LintMatch {
        let source = self.source.as_ref().map_or(&self.head, |(_, source)| source);
        let bytes = self.offset(label.start)..self.offset(label.end);
        let offset = self.start + bytes.start as u64;
        let before = &self.head[..label.start];
        let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line_offset = if line > 0 { self.start + self.offset(line) as u64 } else { 0 };
        let is_char = |byte: &&u8| self.source.is_some() || !continues(**byte);
        let mut detail = Vec::new();
        escape(&mut detail, name.as_bytes(), EscapeStyle::Ascii);
        detail.extend(format!(" is declared, but the text is {}", self.encoding.name).bytes());
        LintMatch {
            offset,
            bytes: source[bytes].to_vec(),
            columns: label.len() as u64,
            detail,
            position: Some(Position {
                line: 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64,
                column_bytes: offset - line_offset + 1,
                column_chars: before[line..].iter().filter(is_char).count() as u64 + 1,
            }),
            ..LintMatch::default()
        }
    }

    /// Returns the bytes of the first characters.
    fn take_source(&mut self) -> Vec<u8> {
        let head = std::mem::take(&mut self.head);
        self.source.take().map_or(head, |(_, source)| source)
    }

    /// Compares a text with the declared encodings, and reports the labels that it contradicts.
    fn compare(&mut self, text: &[u8], found: &mut MatchList) {
        let encoding = self.encoding;
        for declared in self.declared.iter_mut().filter(|declared| !declared.is_wrong) {
            declared.is_wrong = differs(declared.encoding, encoding, text);
        }
        while self.declared.front().is_some_and(|declared| declared.is_wrong) {
            self.declared.pop_front().into_iter().for_each(|declared| found.push(declared.label));
        }
    }
}

impl StretchSearch for DeclarationSearch {
    fn examine(&mut self, slice: TextSlice<'_>, found: &mut MatchList) {
        if self.is_collecting {
            self.is_collecting = !self.head.is_empty() || slice.offset <= FIRST;
            if !self.is_collecting {
                return;
            }
            let known = self.offset(self.head.len());
            self.collect(slice);
            if self.head.len() < SEARCHED {
                return;
            }
            self.read();
            if !self.declared.is_empty() {
                let source = self.take_source();
                self.compare(&source[..known], found);
            }
        }
        if !self.declared.is_empty() {
            self.compare(slice.bytes, found);
        }
    }

    fn close(&mut self, found: &mut MatchList) {
        if std::mem::take(&mut self.is_collecting) {
            self.read();
            let source = self.take_source();
            self.compare(&source, found);
        }
        self.give_up(found);
    }

    fn give_up(&mut self, found: &mut MatchList) {
        let wrong = self.declared.drain(..).filter(|declared| declared.is_wrong);
        wrong.for_each(|declared| found.push(declared.label));
    }

    fn undecided_from(&self) -> Option<u64> {
        match self.is_collecting {
            true => (!self.head.is_empty()).then_some(self.start),
            false => self.declared.front().map(|declared| declared.label.offset),
        }
    }
}
