//! What is in the cells of a row? Bits, digits and characters, marked up by what each byte is.

use crate::codec::Group;
use crate::dump::{CellBase, DumpItem};
use crate::registry::Encoding;
use crate::text::character::shape;
use crate::text::html::escape;

/// How sequences are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellView {
    /// Their codec.
    pub spec: &'static Encoding,
    /// With hexadecimal digits in upper case.
    pub upper: bool,
    /// With the names of characters.
    pub names: bool,
}

impl CellView {
    /// The bits of a byte of a sequence: those that mark what it is, and those of the value.
    pub fn split(&self, sequence: &[u8], at: usize) -> (&'static [u8], &'static [u8]) {
        let digits = CellBase::Bits.digits(false, sequence[at]);
        digits.split_at(((self.spec.markers)(sequence, at) as usize).min(digits.len()))
    }

    /// Append the bits of the bytes that are shown: a lead byte as `<b>`, what continues it as
    /// `<u>`, and in either the marker as `<i>`.
    pub fn bits(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        for at in item.before..item.before + item.len {
            if at > item.before {
                out.push(b' ');
            }
            let tag = match self.part(item.sequence, at) {
                Some(BytePart::Lead(_)) => b'b',
                Some(BytePart::Continuation) => b'u',
                Some(BytePart::Single) | None => {
                    apart(out, self.split(item.sequence, at));
                    continue;
                }
            };
            out.extend_from_slice(&[b'<', tag, b'>']);
            apart(out, self.split(item.sequence, at));
            out.extend_from_slice(&[b'<', b'/', tag, b'>']);
        }
    }

    /// Append hexadecimal digits with blanks between the bytes.
    pub fn hex(&self, out: &mut Vec<u8>, bytes: &[u8]) {
        for (at, &byte) in bytes.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            out.extend_from_slice(CellBase::Hex.digits(self.upper, byte));
        }
    }

    /// What a byte of a sequence is, in words. None where there is nothing to say of it.
    pub fn role(&self, sequence: &[u8], at: usize) -> Option<String> {
        match self.part(sequence, at) {
            Some(BytePart::Single) => Some("single byte".to_owned()),
            Some(BytePart::Lead(announced)) => Some(format!("lead byte of {announced}")),
            Some(BytePart::Continuation) => Some("continuation byte".to_owned()),
            None if self.spec.group == Group::Notation || sequence.len() == 1 => None,
            None => Some(format!("byte {} of {}", at + 1, sequence.len())),
        }
    }

    /// What a byte of a sequence is, where its own bits say it.
    fn part(&self, sequence: &[u8], at: usize) -> Option<BytePart> {
        let family = self.spec.group == Group::Family;
        let says = family || self.spec.group == Group::Transformation;
        if !says || self.split(sequence, at).0.is_empty() {
            return None;
        }
        let first = sequence[at];
        // The second half of a CESU-8 pair has a lead byte of its own.
        if at > 0 && !(family && first >= 0xC0) || family && matches!(first, 0x80..0xC0) {
            return Some(BytePart::Continuation);
        }
        match (self.spec.announced)(&sequence[at..]) {
            1 => first.is_ascii().then_some(BytePart::Single),
            announced => Some(BytePart::Lead(announced)),
        }
    }
}

/// What a byte of a sequence is.
enum BytePart {
    /// All of it.
    Single,
    /// The first of so many.
    Lead(usize),
    /// Not the first.
    Continuation,
}

/// Append the two parts of a byte's bits, told apart.
fn apart(out: &mut Vec<u8>, (marker, payload): (&[u8], &[u8])) {
    if !marker.is_empty() {
        out.extend_from_slice(b"<i>");
        out.extend_from_slice(marker);
        out.extend_from_slice(b"</i>");
    }
    if !marker.is_empty() && !payload.is_empty() {
        out.extend_from_slice("·".as_bytes());
    }
    out.extend_from_slice(payload);
}

/// Append what is shown of characters, a stand-in marked as one.
pub(super) fn characters(out: &mut Vec<u8>, values: &[u32]) {
    let shapes = || values.iter().map(|&value| shape(value, true));
    let stand_in = shapes().any(|shape| shape.stand_in);
    out.extend_from_slice(if stand_in { b"<bdi class=\"x\">" } else { b"<bdi>" });
    for shape in shapes() {
        escape(out, shape.text());
    }
    out.extend_from_slice(b"</bdi>");
}
