//! Notations: UTF-8 text with escapes, as in source code and markup.
//!
//! A [`Grammar`] reads and writes the escapes of a notation. All other text is UTF-8. The list of
//! [code points](points) is a codec of its own.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::bulk::{self, WORD};
use super::family::Utf8;
use super::{Codec, Escapes, Group, Properties, Step};
use crate::kernel::{
    AsciiSet, Kernels, LONGEST_UTF8, SpareRoom, Utf8Form, append_blocks, boundary,
};
use escape::{SHORT, ShortEscape};

pub mod c;
mod escape;
pub mod html;
pub mod json;
pub mod percent;
pub mod points;
pub mod python;
pub mod rust;

/// The escapes of a notation.
pub trait Grammar: 'static {
    /// The ASCII byte that starts each escape.
    const INTRODUCER: u8;

    /// See [`Codec::LONGEST`]. It includes the bytes after an escape that are needed to judge it.
    const LONGEST: usize = escape::LONGEST;

    /// See [`Codec::WIDEST`]: the length of the longest escape that is read.
    const WIDEST: usize;

    /// See [`Codec::ITEM`].
    const ITEM: &'static str = "an escape";

    /// See [`Properties`].
    const SCALARS: bool = true;

    /// See [`Properties`].
    const SURROGATES: bool = false;

    /// Returns the escape of a character beyond ASCII if it has at most 16 bytes. Such a character is
    /// written as this escape after any other, unless [`Escapes::Minimal`] lets it stand.
    const SHORT_ESCAPE: Option<fn(char) -> Option<ShortEscape>> = None;

    /// Reads a sequence that starts with the introducer, as [`Codec::step`] does.
    fn read(bytes: &[u8], last: bool) -> Step;

    /// Reads an escape of a byte of UTF-8, as [`Codec::step`] does, if the notation has such.
    fn read_byte(_: &[u8], _last: bool) -> Step {
        escape::bad(1)
    }

    /// Returns `true` if a code point can be written after the code point `before`.
    fn can_write(value: u32, _before: Option<u32>) -> bool {
        char::from_u32(value).is_some()
    }

    /// Returns `true` if an unescaped character is read as itself after the code point `before`.
    fn can_stand(value: u32, before: Option<u32>) -> bool;

    /// Returns `true` if a character is written unescaped after the code point `before`. Of ASCII,
    /// only after the same character does it depend on `before`.
    fn is_unescaped(value: u32, before: Option<u32>, escapes: Escapes) -> bool {
        match escapes {
            Escapes::Usual => is_printable_ascii(value) && Self::can_stand(value, before),
            Escapes::All => false,
            Escapes::Minimal => Self::can_stand(value, before),
        }
    }

    /// Appends the escape of a code point: the most general one with [`Escapes::All`].
    fn spell(value: u32, escapes: Escapes, out: &mut Vec<u8>);
}

/// Returns `true` for printable ASCII.
fn is_printable_ascii(value: u32) -> bool {
    matches!(value, 0x20..=0x7E)
}

/// The codec of a grammar.
#[derive(Debug)]
pub struct Notation<G>(PhantomData<G>);

/// The state of a writer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotationPen {
    escapes: Escapes,
    /// The ASCII characters that are written unescaped after any character.
    plain: AsciiSet,
    /// The last code point.
    before: Option<u32>,
}

impl NotationPen {
    /// Appends the characters at the front that have short escapes, and single plain ones between
    /// them. Returns their number.
    fn push_short<G: Grammar>(&self, values: &[u32], room: &mut SpareRoom<'_>) -> usize {
        let Some(short_escape) = G::SHORT_ESCAPE else { return 0 };
        for (at, &value) in values.iter().enumerate() {
            let scalar = char::from_u32(value).filter(|scalar| !scalar.is_ascii());
            if let Some((text, len)) = scalar.and_then(short_escape) {
                room.push(text, len);
                continue;
            }
            let is_single = values.get(at + 1).is_some_and(|&next| next >= 0x80);
            if !is_single || !self.plain.has(value) {
                return at;
            }
            room.push([value as u8], 1);
        }
        values.len()
    }
}

/// The first number of bytes searched for the introducer.
const LEAST_BLOCK: usize = 64;

/// The most bytes of an incomplete sequence at the end of a block.
const CUT: usize = 3;

/// The most words that are examined before a search for the introducer.
const WORDS: usize = 8;

/// Passes the ASCII before the introducer to `visit`, word by word: the first bytes of each count.
/// Returns a lower bound on the number of bytes.
#[inline(always)]
fn read_words(bytes: &[u8], introducer: u8, mut visit: impl FnMut([u8; WORD], usize)) -> usize {
    let mut at = 0;
    for _ in 0..WORDS {
        let (word, ascii) = bulk::ascii_before(&bytes[at..], introducer);
        visit(word, ascii);
        at += ascii;
        if ascii < WORD {
            break;
        }
    }
    at
}

impl<G: Grammar> Codec for Notation<G> {
    type State = ();
    type Pen = NotationPen;
    // A byte that looks like a character can be part of an escape.
    const REACH: Option<u64> = None;
    // The text is part of another text, so U+FEFF is a character.
    const SIGNATURE: &'static [u8] = &[];

    const LONGEST: usize = G::LONGEST;
    const WIDEST: usize = G::WIDEST;
    const ITEM: &'static str = G::ITEM;
    const INTRODUCER: Option<u8> = Some(G::INTRODUCER);
    const GROUP: Group = Group::Notation;
    const PROPERTIES: Properties = Properties {
        transparent: false,
        stateful: false,
        scalars: G::SCALARS,
        surrogates: G::SURROGATES,
    };

    fn start(_: usize, _: u64) {}

    fn prefix((): &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        // In growing blocks, so that the bytes after an issue are not searched again for each issue.
        let (mut at, mut block) = (0, LEAST_BLOCK);
        loop {
            while bytes.get(at) == Some(&G::INTRODUCER) {
                match G::read(&bytes[at..], false) {
                    Step::Scalar { len, .. } | Step::Two { len, .. } => at += len,
                    _ => return at,
                }
            }
            at += read_words(&bytes[at..], G::INTRODUCER, |_, _| ());
            if bytes.get(at) == Some(&G::INTRODUCER) {
                continue;
            }
            let ahead = &bytes[at..bytes.len().min(at + block)];
            let text = memchr::memchr(G::INTRODUCER, ahead).unwrap_or(ahead.len());
            let gained = kernels.utf8(&ahead[..text]);
            at += gained;
            let is_cut = text == block && gained + CUT >= block;
            block = if is_cut { 2 * block } else { block };
            let is_before_escape = text < ahead.len() && gained == text;
            if !is_cut && !is_before_escape {
                return at;
            }
        }
    }

    #[inline(always)]
    fn step((): &mut (), bytes: &[u8], last: bool) -> Step {
        match bytes.first() {
            Some(&first) if first == G::INTRODUCER => G::read(bytes, last),
            _ => Utf8::step(&mut Utf8::start(0, u64::MAX), bytes, last),
        }
    }

    fn write_utf8((): &mut (), _: &Kernels, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        append_blocks::<WORD, _>(out, LONGEST_UTF8 * bytes.len(), |room| {
            let mut at = 0;
            loop {
                if bytes.get(at) != Some(&G::INTRODUCER) {
                    let push = |word, ascii| room.push::<WORD>(word, ascii);
                    at += read_words(&bytes[at..], G::INTRODUCER, push);
                }
                if bytes.get(at) != Some(&G::INTRODUCER) {
                    let escape = memchr::memchr(G::INTRODUCER, &bytes[at..]);
                    let end = escape.map_or(boundary(bytes, bytes.len()), |text| at + text);
                    room.extend(&bytes[at..end]);
                    at = end;
                    if escape.is_none() {
                        return at;
                    }
                }
                match G::read(&bytes[at..], false) {
                    // UTF-8 has no surrogates.
                    Step::Scalar { value, len } if char::from_u32(value).is_some() => {
                        room.push_form(Utf8Form::of(value));
                        at += len;
                    }
                    Step::Two { values, len } => {
                        values.into_iter().for_each(|value| room.push_form(Utf8Form::of(value)));
                        at += len;
                    }
                    _ => return at,
                }
            }
        })
    }

    fn pen(_: usize, escapes: Escapes) -> NotationPen {
        let is_plain = |byte: u8| {
            let value = byte.into();
            let is_unescaped = |before| G::is_unescaped(value, before, escapes);
            G::can_write(value, None) && is_unescaped(None) && is_unescaped(Some(value))
        };
        NotationPen { escapes, plain: AsciiSet::of(is_plain), before: None }
    }

    fn put(pen: &mut NotationPen, value: u32, out: &mut Vec<u8>) -> bool {
        let NotationPen { escapes, before, .. } = *pen;
        if !G::can_write(value, before) {
            return false;
        }
        match char::from_u32(value).filter(|_| G::is_unescaped(value, before, escapes)) {
            Some(scalar) => out.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes()),
            None => G::spell(value, escapes, out),
        }
        pen.before = Some(value);
        true
    }

    fn store(pen: &mut NotationPen, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        let has_short = G::SHORT_ESCAPE.is_some() && pen.escapes != Escapes::Minimal;
        bulk::store_by_runs::<Self>(pen, values, out, |pen, values, out| {
            let stored = if pen.plain.has(values[0]) {
                kernels.write_ascii(values, &pen.plain, out)
            } else if has_short && values[0] >= 0x80 {
                let most = SHORT * values.len();
                append_blocks::<SHORT, _>(out, most, |room| pen.push_short::<G>(values, room))
            } else {
                return 0;
            };
            pen.before = values[..stored].last().copied().or(pen.before);
            stored
        })
    }

    fn spells(bytes: &[u8]) -> Option<u32> {
        Utf8::spells(bytes)
    }

    fn escape(value: u32, out: &mut Vec<u8>) -> bool {
        let has_escape = G::can_write(value, None);
        if has_escape {
            G::spell(value, Escapes::All, out);
        }
        has_escape
    }

    fn escaped_byte(bytes: &[u8]) -> Option<u8> {
        match bytes.starts_with(&[G::INTRODUCER]).then(|| G::read_byte(bytes, true))? {
            Step::Scalar { value, len } if len == bytes.len() => u8::try_from(value).ok(),
            _ => None,
        }
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        Utf8::expected(bytes)
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        Utf8::announced(0, bytes)
    }

    /// Returns the marker bits of UTF-8, and 0 in an escape, which spells the value.
    fn markers(sequence: &[u8], at: usize) -> u32 {
        let escape = sequence.len() > 1 && sequence[0] == G::INTRODUCER;
        if escape { 0 } else { Utf8::markers(sequence, at) }
    }
}

#[cfg(test)]
mod tests {
    use super::c::CText;
    use super::html::HtmlText;
    use super::json::JsonText;
    use super::percent::PercentText;
    use super::python::PythonText;
    use super::rust::RustText;
    use super::*;
    use crate::kernel::best;

    /// Asserts that plain characters are written as they are, whatever stands before them.
    fn check<G: Grammar>() {
        for escapes in [Escapes::Usual, Escapes::All, Escapes::Minimal] {
            let pen = Notation::<G>::pen(0, escapes);
            for value in (0..0x80).filter(|&value| pen.plain.has(value)) {
                let units = (0..0x1_0000).step_by(crate::TEST_CHAR_STRIDE).map(Some);
                for before in units.chain([None, Some(0x1F600)]) {
                    let is_plain =
                        G::can_write(value, before) && G::is_unescaped(value, before, escapes);
                    assert!(is_plain, "{}: {value:X} after {before:X?}", G::ITEM);
                }
            }
        }
    }

    /// Asserts that text with escapes is read from any place on as steps read it.
    fn check_reading<G: Grammar>(text: &str) {
        let bytes = text.as_bytes();
        let starts = (0..bytes.len()).filter(|&at| text.is_char_boundary(at));
        let texts = starts.enumerate().step_by(crate::TEST_STRIDE).flat_map(|(number, at)| {
            // The end cuts an escape in another place each time.
            let cut = bytes.len().saturating_sub(1 + number % 24).max(at);
            [&bytes[at..], &bytes[at..cut]]
        });
        for bytes in texts {
            let (mut ends, mut expected, mut out) = (vec![0], String::new(), Vec::new());
            let written = Notation::<G>::write_utf8(&mut (), best(), bytes, &mut out);
            let mut at = 0;
            while let step @ (Step::Scalar { .. } | Step::Two { .. }) =
                Notation::<G>::step(&mut (), &bytes[at..], false)
            {
                if at < written {
                    expected.extend(step.values().iter().filter_map(|&it| char::from_u32(it)));
                }
                at += step.size();
                ends.push(at);
            }
            assert!(ends.contains(&written), "{}: {written}: {bytes:X?}", G::ITEM);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{}", G::ITEM);
            let judged = Notation::<G>::prefix(&mut (), best(), bytes);
            assert!(ends.contains(&judged), "{}: {judged}: {bytes:X?}", G::ITEM);
        }
    }

    #[test]
    fn text_with_escapes_is_read_as_steps_read_it() {
        // Miri, which is slow, gets a short text.
        let times = if cfg!(miri) { 1 } else { 12 };
        for gap in ["", "a", " and ", "more than a few words ", "é", "語語語", "\u{1F600}"] {
            let join = |escapes: &[&str]| escapes.join(gap).repeat(times);
            let json = [r"\u5E9c", r"\n", r"\uD83D\uDE00", r"\x41", r"\u{1F600}", r"\\", r#"\""#];
            check_reading::<JsonText>(&join(&json));
            check_reading::<JsonText>(&join(&[r"\u5E9C", r"\uD83D", r"\u0041"]));
            check_reading::<JsonText>(&join(&[r"\u5E9C", r"\uD83", r"\q"]));
            let html = ["&#x5E9c;", "&lt;", "&amp", "&nGt;", "&#228;", "& ", "&eacute", "&#x80;"];
            check_reading::<HtmlText>(&join(&html));
            check_reading::<HtmlText>(&join(&["&quot;", "&#xD800;", "&none;", "&#x110000;"]));
            check_reading::<PercentText>(&join(&["%41", "%E5%BA%9C", "%F0%9F%98%80", "%E5%BA"]));
            check_reading::<PythonText>(&join(&[r"\u5E9C", r"\N{DASH}", r"\101", r"\U0001F600"]));
            check_reading::<CText>(&join(&[r"\u5E9C", r"\xE5\xBA\x9C", r"\101", r"\n"]));
            check_reading::<RustText>(&join(&[r"\u{5E9C}", r"\x41", r"\n", r"\0"]));
        }
    }

    /// Asserts that short escapes, if there are any, are those that characters are written with.
    fn check_short<G: Grammar>() {
        let Some(short_escape) = G::SHORT_ESCAPE else { return };
        let mut checked = 0;
        for value in (0..=0x10_FFFF).step_by(crate::TEST_CHAR_STRIDE) {
            let scalar = char::from_u32(value).filter(|scalar| !scalar.is_ascii());
            let Some((text, len)) = scalar.and_then(short_escape) else { continue };
            for escapes in [Escapes::Usual, Escapes::All] {
                let mut expected = Vec::new();
                G::spell(value, escapes, &mut expected);
                assert_eq!(text[..len], expected, "{}: {value:X}", G::ITEM);
                for before in [None, Some(value), Some(0xD83D)] {
                    let is_escaped =
                        G::can_write(value, before) && !G::is_unescaped(value, before, escapes);
                    assert!(is_escaped, "{}: {value:X} after {before:X?}", G::ITEM);
                }
            }
            checked += 1;
        }
        assert!(checked > 0, "{}", G::ITEM);
    }

    #[test]
    fn short_escapes_are_those_of_spell() {
        check_short::<CText>();
        check_short::<HtmlText>();
        check_short::<JsonText>();
        check_short::<PercentText>();
        check_short::<PythonText>();
        check_short::<RustText>();
    }

    #[test]
    fn plain_characters_do_not_depend_on_the_character_before() {
        check::<CText>();
        check::<HtmlText>();
        check::<JsonText>();
        check::<PercentText>();
        check::<PythonText>();
        check::<RustText>();
    }
}
