//! Encodings by name: each refers to one [`Codec`] without its type.

use std::ops::RangeInclusive;

use crate::codec::dynamic::{TextWriter, writer};
use crate::codec::{Codec, EncodingScheme, Escapes, Group, Properties, Step};
use crate::issue::{Class, Kind};
use crate::scan::{Scanner, scanner};
use names::resolve;

pub use rows::CODECS;

pub mod names;

mod rows;

/// An encoding: a row of [`CODECS`].
///
/// ```
/// use utf8::Encoding;
///
/// let latin1 = Encoding::for_label("Latin 1").unwrap();
/// assert_eq!(latin1.name, "iso-8859-1");
/// assert_eq!(latin1.code_point(0xE9), Some(0xE9));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Encoding {
    /// The canonical name, as in every report.
    pub name: &'static str,
    /// Other names, matched loosely: see [`Encoding::for_label`].
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The family of encodings that it belongs to.
    pub group: Group,
    /// Properties that hold for every text in the encoding.
    pub properties: Properties,
    /// The row of the encoding in the table of its codec: see [`Codec::start`].
    row: usize,
    /// See [`Encoding::writes_all`].
    writes_all: bool,
    /// The codec, for the crate and its tests. A reference, because all code pages have the same.
    #[doc(hidden)]
    pub inner: &'static ErasedCodec,
}

/// The functions and constants of one [`Codec`], without its type.
#[derive(Clone, Copy, Debug)]
pub struct ErasedCodec {
    /// See [`Encoding::open`].
    open: fn(row: usize, offset: u64) -> Box<dyn Scanner>,
    /// See [`Encoding::writer`].
    write: fn(row: usize, Escapes) -> Box<dyn TextWriter>,
    /// See [`Encoding::can_encode`].
    has: fn(row: usize, value: u32) -> bool,
    /// See [`Codec::holds_letters`].
    holds_letters: fn(row: usize) -> bool,
    /// See [`Codec::LONGEST`].
    pub longest: usize,
    /// See [`Codec::ITEM`].
    pub item: &'static str,
    /// See [`Codec::ESCAPE`].
    pub escape: Option<u32>,
    /// See [`Codec::REACH`].
    pub reach: Option<u64>,
    /// See [`Codec::SIGNATURE`].
    pub signature: &'static [u8],
    /// A writer starts with U+FEFF.
    pub signs: bool,
    /// See [`Codec::codec_after_bom`].
    pub codec_after_bom: fn(&[u8]) -> Option<&'static str>,
    /// See [`Encoding::step`].
    step: fn(row: usize, &[u8], last: bool) -> Step,
    /// See [`Codec::spells`].
    pub spells: fn(&[u8]) -> Option<u32>,
    /// See [`Codec::INTRODUCER`].
    pub introducer: Option<u8>,
    /// See [`Codec::escape`].
    pub escape_of: fn(u32, &mut Vec<u8>) -> bool,
    /// See [`Encoding::escaped_byte`].
    escaped_byte: fn(&[u8]) -> Option<u8>,
    /// See [`Codec::expected`].
    pub expected: fn(&[u8]) -> Option<RangeInclusive<u8>>,
    /// See [`Codec::announced`].
    announced: fn(row: usize, &[u8]) -> usize,
    /// See [`Codec::UTF8`].
    pub utf8: bool,
    /// See [`Codec::STRICT`].
    pub strict: bool,
    /// See [`Codec::SCHEME`].
    pub scheme: Option<EncodingScheme>,
    /// See [`Codec::REENCODES_ALL`].
    pub reencodes_all: bool,
    /// See [`Codec::RESTARTS_BY_LINE`].
    pub restarts_by_line: bool,
    /// See [`Codec::UNIT`].
    pub unit: usize,
    /// See [`Codec::WIDEST`].
    pub widest: usize,
    /// See [`Codec::markers`].
    pub markers: fn(&[u8], usize) -> u32,
    /// See [`Codec::derivation`].
    pub derivation: fn(&[u8]) -> Option<String>,
}

impl ErasedCodec {
    const fn of<C: Codec>() -> ErasedCodec {
        ErasedCodec {
            open: scanner::<C>,
            write: writer::<C>,
            has: |row, value| C::put(&mut C::pen(row, Escapes::Usual), value, &mut Vec::new()),
            holds_letters: C::holds_letters,
            longest: C::LONGEST,
            item: C::ITEM,
            escape: C::ESCAPE,
            reach: C::REACH,
            signature: C::SIGNATURE,
            signs: C::SIGNS,
            codec_after_bom: C::codec_after_bom,
            step: |row, bytes, last| C::step(&mut C::start(row, u64::MAX), bytes, last),
            spells: C::spells,
            introducer: C::INTRODUCER,
            escape_of: C::escape,
            escaped_byte: C::escaped_byte,
            expected: C::expected,
            announced: C::announced,
            utf8: C::UTF8,
            strict: C::STRICT,
            scheme: C::SCHEME,
            reencodes_all: C::REENCODES_ALL,
            restarts_by_line: C::RESTARTS_BY_LINE,
            unit: C::UNIT,
            widest: C::WIDEST,
            markers: C::markers,
            derivation: C::derivation,
        }
    }
}

/// Returns the encoding with this canonical name.
///
/// # Panics
/// If the table has no such row: for names that the crate itself states.
pub(crate) fn by_name(name: &'static str) -> &'static Encoding {
    CODECS.iter().find(|row| row.name == name).expect("a canonical name")
}

impl Encoding {
    /// Makes the row of the codec `C`.
    const fn of<C: Codec>(
        name: &'static str,
        labels: &'static [&'static str],
        summary: &'static str,
    ) -> Encoding {
        Encoding {
            name,
            labels,
            summary,
            group: C::GROUP,
            properties: C::PROPERTIES,
            row: 0,
            writes_all: true,
            inner: const { &ErasedCodec::of::<C>() },
        }
    }

    /// UTF-8, as in a `str`; a BOM is text.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, decode};
    ///
    /// assert_eq!(Encoding::for_label("utf8"), Some(Encoding::UTF_8));
    /// assert_eq!(decode(Encoding::UTF_8, b"\xEF\xBB\xBFa", Policy::Strict).unwrap(), "\u{FEFF}a");
    /// ```
    pub const UTF_8: &'static Encoding = &CODECS[0];

    /// Returns every encoding, UTF-8 first.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let names_of_koi8 = Encoding::all().map(|it| it.name).filter(|it| it.starts_with("koi8-"));
    /// assert_eq!(names_of_koi8.take(2).collect::<Vec<_>>(), ["koi8-r", "koi8-u"]);
    /// ```
    pub fn all() -> impl Iterator<Item = &'static Encoding> {
        CODECS.iter()
    }

    /// Returns the encoding with this name or label. ASCII case, hyphens, underscores, spaces, tabs
    /// and slashes at the end are ignored. A prefix says whose name it is: `java:cp874`,
    /// `mysql:latin1`; so do `glibc`, `icu`, `python`, `windows`, `oracle`, `postgresql`, `emacs`,
    /// `vim`, `iana` and `whatwg`.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let of_mysql = Encoding::for_label("mysql:latin1").unwrap();
    /// assert_eq!(of_mysql.name, "windows-1252");
    /// ```
    pub fn for_label(label: &str) -> Option<&'static Encoding> {
        resolve(label).ok()
    }

    /// Returns the name and the labels.
    ///
    /// ```
    /// let names: Vec<_> = utf8::Encoding::for_label("viscii").unwrap().names().collect();
    /// assert_eq!(names[0], "viscii");
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.labels.iter().copied())
    }

    /// Returns `true` if the encoding is a single-byte code page.
    #[doc(hidden)] // for the crate and its tests
    pub fn is_page(&self) -> bool {
        self.group.is_page()
    }

    /// Starts a scan of an input at an offset in bytes.
    #[doc(hidden)] // for the crate and its tests
    pub fn open(&self, offset: u64) -> Box<dyn Scanner> {
        (self.inner.open)(self.row, offset)
    }

    /// Starts to write an output.
    #[doc(hidden)] // for the crate and its tests
    pub fn writer(&self, escapes: Escapes) -> Box<dyn TextWriter> {
        (self.inner.write)(self.row, escapes)
    }

    /// See [`Codec::step`]: from a fresh state in the middle of an input, which ends with the bytes.
    #[doc(hidden)] // for the crate and its tests
    pub fn step(&self, bytes: &[u8]) -> Step {
        (self.inner.step)(self.row, bytes, true)
    }

    /// Reads the first sequence as [`step`](Encoding::step) does, of an input that continues.
    pub(crate) fn step_within(&self, bytes: &[u8]) -> Step {
        (self.inner.step)(self.row, bytes, false)
    }

    /// See [`Codec::announced`].
    #[doc(hidden)] // for the crate and its tests
    pub fn announced(&self, bytes: &[u8]) -> usize {
        (self.inner.announced)(self.row, bytes)
    }

    /// Returns the encoding of the text after a BOM, if the first bytes of an input are a BOM that
    /// tells the byte order.
    #[doc(hidden)] // for the crate and its tests
    pub fn after_bom(&self, start: &[u8]) -> Option<&'static Encoding> {
        (self.inner.codec_after_bom)(start).map(by_name)
    }

    /// Returns the encoding in which text that starts with these bytes is read: the one that its BOM
    /// announces, or that of a text without one.
    pub(crate) fn read_as(&'static self, start: &[u8]) -> &'static Encoding {
        let marked = self.after_bom(start);
        marked.or_else(|| self.after_bom(self.inner.signature)).unwrap_or(self)
    }

    /// Returns the number of bytes before an offset at which a reader must start to be synchronised
    /// there; `None` if no number is enough. See [`Codec::REACH`]. Code units are counted from the
    /// start of the input, and the one before can be the first of a pair.
    #[doc(hidden)] // for the crate and its tests
    pub fn reach(&self) -> Option<u64> {
        let unit = self.inner.unit;
        self.inner.reach.or((unit > 1).then_some(unit as u64))
    }

    /// Returns `true` if a BOM at the start of an input tells the byte order of its text.
    pub(crate) fn tells_byte_order(&self) -> bool {
        self.after_bom(self.inner.signature).is_some()
    }

    /// Returns `true` if the code units are bytes. NUL then marks binary data among text.
    pub(crate) fn has_byte_units(&self) -> bool {
        self.inner.unit == 1
    }

    /// Returns the value that a complete ill-formed sequence spells, as an overlong form does.
    pub(crate) fn spelt_value(&self, kind: Kind, bytes: &[u8]) -> Option<u32> {
        let spells = !matches!(kind.class(), Class::Truncated | Class::Input);
        if spells { (self.inner.spells)(bytes) } else { None }
    }

    /// Returns the byte that an ill-formed escape stands for, as `%E9` does in `percent`.
    pub(crate) fn escaped_byte(&self, bytes: &[u8]) -> Option<u8> {
        (self.inner.escaped_byte)(bytes)
    }

    /// Returns `true` for a notation of escapes in other text.
    pub(crate) fn escapes_text(&self) -> bool {
        self.inner.introducer.is_some()
    }

    /// Returns the code point of a byte, if the byte alone is a sequence.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let windows = Encoding::for_label("windows-1252").unwrap();
    /// assert_eq!(windows.code_point(0x80), Some('€'.into()));
    /// // In UTF-8, 80 is a continuation byte.
    /// assert_eq!(Encoding::UTF_8.code_point(0x80), None);
    /// ```
    pub fn code_point(&self, byte: u8) -> Option<u32> {
        match self.step(&[byte]) {
            Step::Scalar { value, .. } => Some(value),
            _ => None,
        }
    }

    /// See [`Codec::holds_letters`].
    pub(crate) fn holds_letters(&self) -> bool {
        (self.inner.holds_letters)(self.row)
    }

    /// Returns `true` if all code points that the encoding reads can be written in it.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, decode, encode};
    ///
    /// // The WHATWG Encoding Standard: Big5 has the characters of Hong Kong for decoding only.
    /// let big5 = Encoding::for_label("big5").unwrap();
    /// assert!(!big5.writes_all());
    /// let text = decode(big5, b"\x87\x40", Policy::Strict).unwrap();
    /// assert_eq!(text, "\u{43F0}");
    /// assert!(encode(big5, &text, Policy::Strict).is_err());
    /// ```
    pub fn writes_all(&self) -> bool {
        self.writes_all
    }

    /// Returns `true` if text in this encoding can have this code point. A writer also writes
    /// code points that it can decompose.
    ///
    /// ```
    /// use utf8::Encoding;
    ///
    /// let [latin1, wtf8] = ["latin1", "wtf-8"].map(|name| Encoding::for_label(name).unwrap());
    /// assert!(latin1.can_encode('é'.into()) && !latin1.can_encode('€'.into()));
    /// // An unpaired surrogate.
    /// assert!(wtf8.can_encode(0xD800) && !Encoding::UTF_8.can_encode(0xD800));
    /// ```
    pub fn can_encode(&self, value: u32) -> bool {
        (self.inner.has)(self.row, value)
    }
}

/// Removes from a label all that matching ignores: see [`Encoding::for_label`].
pub fn loose(label: &str) -> String {
    let fold = |c: char| match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => loose_byte(byte).map(char::from),
        _ => Some(c),
    };
    label.chars().filter_map(fold).collect()
}

/// Returns `true` if two labels match: see [`Encoding::for_label`].
pub(crate) fn matches_loosely(a: &str, b: &str) -> bool {
    a.bytes().filter_map(loose_byte).eq(b.bytes().filter_map(loose_byte))
}

/// Returns a byte of a label as matching compares it, in lower case; `None` if it is ignored.
const fn loose_byte(byte: u8) -> Option<u8> {
    match byte {
        b'-' | b'_' | b' ' | b'\t' => None,
        _ => Some(byte.to_ascii_lowercase()),
    }
}

/// Compares the names, which are unique.
impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Encoding").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_label_means_two_codecs() {
        let mut owner = HashMap::new();
        for encoding in CODECS {
            for name in encoding.names() {
                let before = owner.insert(loose(name), encoding.name);
                assert_eq!(before, None, "{name} of {}", encoding.name);
            }
        }
    }

    #[test]
    fn labels_are_matched_loosely() {
        assert_eq!(Encoding::UTF_8.name, "utf-8");
        for label in ["UTF8", "utf_8", "U T F - 8", "CP-65001", "Iso 10646/utf8", "18n"] {
            assert_eq!(Encoding::for_label(label).unwrap().name, "utf-8", "{label}");
        }
        assert_eq!(Encoding::for_label("Oracle UTF8").unwrap().name, "cesu-8");
        assert!(Encoding::for_label("utf-9").is_none());
        assert!(Encoding::for_label("").is_none());
    }
}
