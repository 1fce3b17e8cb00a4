//! SCSU, the Standard Compression Scheme for Unicode (UTS #6).
//!
//! A text starts in the single-byte mode: ASCII and, from 80 on, 128 characters of the current one of
//! eight dynamic windows. Tags among the controls change or move the window, quote a character of
//! another, or go to the Unicode mode, in which a character is UTF-16 in big-endian order. Tags have
//! no code point, except that those which quote are part of the sequence of their character.
//!
//! Kinds of issues:
//! * `bad-escape`: a reserved tag, a tag that moves a window to a reserved place, or a tag that the end
//!   of the input cuts short;
//! * `surrogate-high`, `surrogate-low`: the code unit of a lone surrogate, with the tag that quotes it.
//!   The two units of a pair are adjacent and in one mode;
//! * `truncated-end`: half a code unit.

use super::surrogate::{BEYOND_LOW, HIGH, LOW, SUPPLEMENTARY, join};
use super::{Codec, Escapes, Group, LineCount, Properties, Step, bulk};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded};
use pen::ScsuPen;

mod pen;

/// SCSU.
#[derive(Debug)]
pub struct Scsu;

/// The number of windows of each kind.
const WINDOWS: usize = 8;

/// The number of characters of a window.
const WINDOW: u32 = 0x80;

/// The first characters of the static windows.
const STATIC: [u32; WINDOWS] = [0, 0x80, 0x100, 0x300, 0x2000, 0x2080, 0x2100, 0x3000];

/// The first characters of the dynamic windows at the start of a text.
const DYNAMIC: [u32; WINDOWS] = [0x80, 0xC0, 0x400, 0x600, 0x900, 0x3040, 0x30A0, 0xFF00];

/// The first byte that selects one of [`SPECIAL`].
const FIRST_SPECIAL: u8 = 0xF9;

/// The places of windows that are no multiple of their size.
const SPECIAL: [u32; 7] = [0xC0, 0x250, 0x370, 0x530, 0x3040, 0x30A0, 0xFF60];

/// The distance of windows from 68 on from where they would be.
const GAP: u32 = 0xAC00;

// Tags of the single-byte mode. Those with a range are for the eight windows.
const QUOTE: u8 = 0x01;
const LAST_QUOTE: u8 = 0x08;
const DEFINE_EXTENDED: u8 = 0x0B;
const RESERVED: u8 = 0x0C;
const QUOTE_UNICODE: u8 = 0x0E;
const TO_UNICODE: u8 = 0x0F;
const CHANGE: u8 = 0x10;
const LAST_CHANGE: u8 = 0x17;
const DEFINE: u8 = 0x18;
const LAST_DEFINE: u8 = 0x1F;

// Tags of the Unicode mode. The first two go to the single-byte mode.
const UNICODE_CHANGE: u8 = 0xE0;
const LAST_UNICODE_CHANGE: u8 = 0xE7;
const UNICODE_DEFINE: u8 = 0xE8;
const LAST_UNICODE_DEFINE: u8 = 0xEF;
const UNICODE_QUOTE: u8 = 0xF0;
const UNICODE_DEFINE_EXTENDED: u8 = 0xF1;
const UNICODE_RESERVED: u8 = 0xF2;

/// Returns `true` for a byte that is an ASCII character of the single-byte mode.
const fn is_direct(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..0x80)
}

/// Returns the first character of the window that a byte defines.
fn place(byte: u8) -> Option<u32> {
    let place = u32::from(byte) * WINDOW;
    match byte {
        0x01..0x68 => Some(place),
        0x68..0xA8 => Some(place + GAP),
        FIRST_SPECIAL.. => Some(SPECIAL[usize::from(byte - FIRST_SPECIAL)]),
        _ => None,
    }
}

/// Reads a reserved tag. `None` if there is no byte after it, which the message names.
fn reserved(bytes: &[u8]) -> Option<Step> {
    bytes.get(1).map(|_| Step::ill(Kind::BadEscape, 1))
}

/// The mode and the dynamic windows of a reader.
#[derive(Clone, Copy, Debug)]
pub struct ScsuState {
    in_unicode: bool,
    /// The first characters of the dynamic windows.
    windows: [u32; WINDOWS],
    /// The window of the single-byte mode.
    current: usize,
}

impl ScsuState {
    /// Returns the number of bytes at the front that are characters in a mode without tags, and
    /// passes each character, up to `most`.
    #[inline(always)]
    fn read_some(&self, bytes: &[u8], most: usize, mut visit: impl FnMut(u32)) -> usize {
        if self.in_unicode {
            let units = bytes.as_chunks().0.iter().take(most);
            let units =
                units.take_while(|[high, _]| self.is_unit(*high) && !matches!(high, 0xD8..=0xDF));
            return 2 * units.map(|unit| visit(u16::from_be_bytes(*unit).into())).count();
        }
        let window = self.windows[self.current];
        let plain = bytes.iter().take(most).take_while(|&&byte| byte >= 0x80 || is_direct(byte));
        plain
            .map(|&byte| match byte {
                0x80.. => visit(window + u32::from(byte & 0x7F)),
                _ => visit(byte.into()),
            })
            .count()
    }

    /// Returns `true` for the first byte of a code unit without tag.
    fn is_unit(&self, byte: u8) -> bool {
        self.in_unicode && !matches!(byte, UNICODE_CHANGE..=UNICODE_RESERVED)
    }

    /// Reads the first sequence. Only a complete one changes the state.
    fn read(&mut self, bytes: &[u8], last: bool) -> Step {
        let Some(&tag) = bytes.first() else { return Step::Short };
        let found = if self.in_unicode {
            self.read_unicode(tag, bytes)
        } else {
            self.read_byte(tag, bytes)
        };
        match found {
            None if !last => Step::Short,
            None if self.is_unit(tag) => Step::ill(Kind::TruncatedEnd, bytes.len()),
            None => Step::ill(Kind::BadEscape, bytes.len()),
            Some(Step::Ill { kind: Kind::SurrogateHigh, len, .. }) => {
                self.read_pair(bytes, len, last)
            }
            Some(step) => step,
        }
    }

    /// Reads a sequence of the single-byte mode. `None` for bytes that are too few.
    fn read_byte(&mut self, tag: u8, bytes: &[u8]) -> Option<Step> {
        match tag {
            QUOTE..=LAST_QUOTE => {
                let window = usize::from(tag - QUOTE);
                let value = match *bytes.get(1)? {
                    byte @ 0x80.. => self.windows[window] + u32::from(byte & 0x7F),
                    byte => STATIC[window] + u32::from(byte),
                };
                Some(Step::Scalar { value, len: 2 })
            }
            DEFINE_EXTENDED => self.define_extended(bytes),
            RESERVED => reserved(bytes),
            QUOTE_UNICODE => Self::read_unit(bytes.get(1..3)?, 3),
            TO_UNICODE => {
                self.in_unicode = true;
                Some(Step::Skip { len: 1 })
            }
            CHANGE..=LAST_CHANGE => Some(self.change(tag - CHANGE)),
            DEFINE..=LAST_DEFINE => self.define(tag - DEFINE, bytes),
            0x80.. => {
                let value = self.windows[self.current] + u32::from(tag & 0x7F);
                Some(Step::Scalar { value, len: 1 })
            }
            _ => Some(Step::Scalar { value: tag.into(), len: 1 }),
        }
    }

    /// Reads a sequence of the Unicode mode. `None` for bytes that are too few.
    fn read_unicode(&mut self, tag: u8, bytes: &[u8]) -> Option<Step> {
        match tag {
            UNICODE_CHANGE..=LAST_UNICODE_CHANGE => Some(self.change(tag - UNICODE_CHANGE)),
            UNICODE_DEFINE..=LAST_UNICODE_DEFINE => self.define(tag - UNICODE_DEFINE, bytes),
            UNICODE_QUOTE => Self::read_unit(bytes.get(1..3)?, 3),
            UNICODE_DEFINE_EXTENDED => self.define_extended(bytes),
            UNICODE_RESERVED => reserved(bytes),
            _ => Self::read_unit(bytes.get(..2)?, 2),
        }
    }

    /// Goes to a window, in the single-byte mode.
    fn change(&mut self, window: u8) -> Step {
        self.in_unicode = false;
        self.current = usize::from(window);
        Step::Skip { len: 1 }
    }

    /// Moves a window, and goes there.
    fn define(&mut self, window: u8, bytes: &[u8]) -> Option<Step> {
        let Some(place) = place(*bytes.get(1)?) else { return Some(Step::ill(Kind::BadEscape, 2)) };
        self.change(window);
        self.windows[self.current] = place;
        Some(Step::Skip { len: 2 })
    }

    /// Moves a window above the BMP, and goes there.
    fn define_extended(&mut self, bytes: &[u8]) -> Option<Step> {
        let [high, low] = *bytes.get(1..)?.first_chunk()?;
        self.change(high >> 5);
        let place = u32::from(u16::from_be_bytes([high & 0x1F, low]));
        self.windows[self.current] = SUPPLEMENTARY + place * WINDOW;
        Some(Step::Skip { len: 3 })
    }

    /// Reads a code unit, at the end of a sequence of `len` bytes.
    fn read_unit(unit: &[u8], len: usize) -> Option<Step> {
        Some(match u32::from(u16::from_be_bytes(*unit.first_chunk()?)) {
            HIGH..LOW => Step::ill(Kind::SurrogateHigh, len),
            LOW..BEYOND_LOW => Step::ill(Kind::SurrogateLow, len),
            value => Step::Scalar { value, len },
        })
    }

    /// Reads a high surrogate of `len` bytes with the low one after it.
    fn read_pair(&self, bytes: &[u8], len: usize, last: bool) -> Step {
        let quote = if self.in_unicode { UNICODE_QUOTE } else { QUOTE_UNICODE };
        let size = match bytes.get(len) {
            Some(&tag) if tag == quote => 3,
            Some(LOW_HIGH_BYTE..=LAST_LOW_HIGH_BYTE) if self.in_unicode => 2,
            None if !last => return Step::Short,
            _ => return Step::ill(Kind::SurrogateHigh, len),
        };
        let unit = |end| bytes.get(end - 2..end).and_then(|unit| unit.first_chunk());
        let [Some(&high), low] = [len, len + size].map(unit) else { return Step::Short };
        match low.map(|&low| u32::from(u16::from_be_bytes(low))) {
            Some(low @ LOW..BEYOND_LOW) => {
                let value = join(u16::from_be_bytes(high).into(), low);
                Step::Scalar { value, len: len + size }
            }
            None if !last => Step::Short,
            _ => Step::ill(Kind::SurrogateHigh, len),
        }
    }
}

/// The first bytes of low surrogates.
const LOW_HIGH_BYTE: u8 = (LOW >> 8) as u8;
const LAST_LOW_HIGH_BYTE: u8 = ((BEYOND_LOW - 1) >> 8) as u8;

impl Codec for Scsu {
    type State = ScsuState;
    type Pen = ScsuPen;
    const TOLERATES_CHANGES: bool = true;
    // The tag for an offset can be anywhere before it.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[QUOTE_UNICODE, 0xFE, 0xFF];

    // Windows stay where they are.
    const RESTARTS_BY_LINE: bool = false;
    // A surrogate pair, each unit quoted.
    const WIDEST: usize = 6;
    const ITEM: &'static str = "a complete tag of SCSU";
    const GROUP: Group = Group::Transformation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: true, surrogates: false };

    fn start(_: usize, _: u64) -> ScsuState {
        ScsuState { in_unicode: false, windows: DYNAMIC, current: 0 }
    }

    fn prefix(state: &mut ScsuState, _: &Kernels, bytes: &[u8]) -> usize {
        state.read_some(bytes, usize::MAX, |_| ())
    }

    fn step(state: &mut ScsuState, bytes: &[u8], last: bool) -> Step {
        state.read(bytes, last)
    }

    fn load(state: &mut ScsuState, _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load_with::<Self>(state, bytes, values, |state, bytes, values| {
            let mut written = 0;
            let read = state.read_some(bytes, values.len(), |value| {
                values[written] = value;
                written += 1;
            });
            Loaded { read, written }
        })
    }

    fn pen(_: usize, _: Escapes) -> ScsuPen {
        ScsuPen::default()
    }

    fn put(pen: &mut ScsuPen, value: u32, out: &mut Vec<u8>) -> bool {
        let is_scalar = char::from_u32(value).is_some();
        if is_scalar {
            pen.put(value, out);
        }
        is_scalar
    }

    fn finish(pen: &mut ScsuPen, out: &mut Vec<u8>) {
        pen.release(None, out);
    }

    fn lines(state: &ScsuState, bytes: &[u8]) -> LineCount {
        let (mut lines, mut state, mut at) = (LineCount::default(), *state, 0);
        // Every sequence of a line feed has this byte.
        if memchr::memchr(b'\n', bytes).is_none() {
            return lines;
        }
        while at < bytes.len() {
            let (start, size) = (at, if state.in_unicode { 2 } else { 1 });
            at += state.read_some(&bytes[start..], usize::MAX, {
                let mut end = start;
                let lines = &mut lines;
                move |value| {
                    end += size;
                    lines.add(value, end);
                }
            });
            let step = state.read(&bytes[at..], true);
            at += step.size();
            step.values().iter().for_each(|&value| lines.add(value, at));
        }
        lines
    }

    fn announced(_: usize, _: &[u8]) -> usize {
        2
    }
}
