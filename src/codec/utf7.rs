//! UTF-7 and its variant for IMAP: ASCII, and UTF-16 in runs of base64.
//!
//! RFC 2152, and RFC 3501, section 5.1.3, for mailbox names. A shift (`+` or `&`) opens a run, and
//! `-` closes it. A text of IMAP has a name on each line, so that a run ends before a line end. The
//! sequence of a character is the digits that complete its code units, so it can
//! use bits of the digit before it. Shifts have no code point.
//!
//! Kinds of issues:
//! * `unmapped`: a byte that cannot stand for itself;
//! * `surrogate-high`, `surrogate-low`: the digits of a lone surrogate;
//! * `bad-escape`: a shift that opens no run; digits that end within a code unit; a code unit after
//!   which the run ends with bits that are not zero; in IMAP also a run that is not closed, a code
//!   unit that is printable ASCII or a line end, and `-` and `&` between two runs.
//!
//! The byte that ends a run is not part of the issue and is read separately.

use super::surrogate::{BEYOND_LOW, HIGH, LOW, join};
use super::{Codec, Escapes, Group, Properties, Step};
use crate::issue::Kind;
use crate::kernel::Kernels;

/// UTF-7, or its variant for IMAP.
#[derive(Debug)]
pub struct Utf7<const IMAP: bool>;

/// The bits of an open run that do not complete a code unit, when reading, or a digit, when writing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Base64Bits {
    value: u32,
    count: u32,
}

/// The bits of a digit.
const DIGIT: u32 = 6;

/// The bits of a code unit.
const UNIT: u32 = u16::BITS;

/// Closes a run.
const CLOSE: u8 = b'-';

impl Base64Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.value = self.value << count | value;
        self.count += count;
    }

    /// Takes the first `count` bits, if there are as many.
    fn take(&mut self, count: u32) -> Option<u32> {
        self.count = self.count.checked_sub(count)?;
        let value = self.value >> self.count;
        self.value &= (1 << self.count) - 1;
        Some(value)
    }
}

/// The text after the bytes at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextAfter {
    /// None: the input ends.
    End,
    /// Unknown, and it may decide if the bytes are well-formed.
    Unknown,
    /// Unknown, but the bytes are known to be well-formed.
    WellFormed,
}

impl<const IMAP: bool> Utf7<IMAP> {
    /// Opens a run.
    const SHIFT: u8 = if IMAP { b'&' } else { b'+' };

    /// The digits of base64, in order.
    const DIGITS: &'static [u8; 64] = if IMAP {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,"
    } else {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    };

    /// The value of each digit; `u8::MAX` for other bytes.
    const VALUES: [u8; 256] = {
        let mut values = [u8::MAX; 256];
        let mut digit = 0;
        while digit < Self::DIGITS.len() {
            values[Self::DIGITS[digit] as usize] = digit as u8;
            digit += 1;
        }
        values
    };

    /// Returns the value of a digit.
    fn digit(byte: u8) -> Option<u32> {
        let value = Self::VALUES[usize::from(byte)];
        (value < 1 << DIGIT).then_some(value.into())
    }

    fn is_digit(byte: u8) -> bool {
        Self::digit(byte).is_some()
    }

    /// Returns `true` if a byte can stand for itself outside a run: in RFC 2152, the sets D and O,
    /// and the white space of rule 3. In IMAP, which has no line ends within names, they are
    /// between names.
    fn is_direct(byte: u8) -> bool {
        match byte {
            b'\n' | b'\r' => true,
            b'\t' => !IMAP,
            b'\\' | b'~' => IMAP,
            _ => byte != Self::SHIFT && matches!(byte, b' '..=b'~'),
        }
    }

    /// Reads a code unit. Returns it and the number of its digits.
    ///
    /// # Errors
    /// The number of digits, if too few.
    fn unit(bits: &mut Base64Bits, bytes: &[u8]) -> Result<(u32, usize), usize> {
        for (len, &byte) in bytes.iter().enumerate() {
            let Some(digit) = Self::digit(byte) else { return Err(len) };
            bits.push(digit, DIGIT);
            if let Some(unit) = bits.take(UNIT) {
                return Ok((unit, len + 1));
            }
        }
        Err(bytes.len())
    }

    /// Reads one sequence. [`Step::Short`] leaves the state unchanged.
    fn judge(run: &mut Option<Base64Bits>, bytes: &[u8], after: TextAfter) -> Step {
        let mut next = *run;
        let step = Self::read(&mut next, bytes, after);
        if step != Step::Short {
            *run = next;
        }
        step
    }

    fn read(run: &mut Option<Base64Bits>, bytes: &[u8], after: TextAfter) -> Step {
        let Some(&first) = bytes.first() else { return Step::Short };
        match run {
            Some(bits) if Self::is_digit(first) => Self::read_digits(bits, bytes, after),
            Some(_) if first == CLOSE => Self::read_close(run, &bytes[1..], after),
            _ if first == Self::SHIFT => Self::read_shift(run, bytes.get(1).copied(), after),
            _ => {
                *run = None;
                match Self::is_direct(first) {
                    true => Step::Scalar { value: first.into(), len: 1 },
                    false => Step::ill(Kind::Unmapped, 1),
                }
            }
        }
    }

    /// Reads the digits of a character.
    fn read_digits(bits: &mut Base64Bits, bytes: &[u8], after: TextAfter) -> Step {
        match Self::unit(bits, bytes) {
            Ok((high @ HIGH..LOW, len)) => {
                let mut rest = *bits;
                match Self::unit(&mut rest, &bytes[len..]) {
                    Ok((low @ LOW..BEYOND_LOW, more)) => {
                        *bits = rest;
                        Self::complete(*bits, join(high, low), bytes, len + more, after)
                    }
                    Err(more) if len + more == bytes.len() && after == TextAfter::Unknown => {
                        Step::Short
                    }
                    _ => Step::ill(Kind::SurrogateHigh, len),
                }
            }
            Ok((LOW..BEYOND_LOW, len)) => Step::ill(Kind::SurrogateLow, len),
            Ok((value, len)) => Self::complete(*bits, value, bytes, len, after),
            Err(len) if len == bytes.len() && after == TextAfter::Unknown => Step::Short,
            Err(len) => Step::ill(Kind::BadEscape, len),
        }
    }

    /// Judges a character of `len` digits, after which `bits` are left.
    fn complete(bits: Base64Bits, value: u32, bytes: &[u8], len: usize, after: TextAfter) -> Step {
        let closes = |next| bits.value == 0 && (!IMAP || next == Some(CLOSE));
        let fits = match bytes.get(len).copied() {
            // A character that can stand for itself must; a line end is none within a name.
            _ if IMAP && matches!(value, 0x0A | 0x0D | 0x20..0x7F) => false,
            Some(next) => Self::is_digit(next) || closes(Some(next)),
            None if after == TextAfter::Unknown && !closes(None) => return Step::Short,
            None => after == TextAfter::WellFormed || closes(None),
        };
        if fits { Step::Scalar { value, len } } else { Step::ill(Kind::BadEscape, len) }
    }

    /// Reads the end of a run.
    fn read_close(run: &mut Option<Base64Bits>, rest: &[u8], after: TextAfter) -> Step {
        *run = None;
        match *rest {
            [] if IMAP && after == TextAfter::Unknown => Step::Short,
            [shift] if IMAP && shift == Self::SHIFT && after == TextAfter::Unknown => Step::Short,
            [shift, next, ..] if IMAP && shift == Self::SHIFT && Self::is_digit(next) => {
                *run = Some(Base64Bits::default());
                Step::ill(Kind::BadEscape, 2)
            }
            _ => Step::Skip { len: 1 },
        }
    }

    /// Reads a shift that opens a run or, with `-`, spells itself.
    fn read_shift(run: &mut Option<Base64Bits>, next: Option<u8>, after: TextAfter) -> Step {
        *run = None;
        match next {
            Some(CLOSE) => return Step::Scalar { value: Self::SHIFT.into(), len: 2 },
            Some(next) if Self::is_digit(next) => (),
            None if after == TextAfter::WellFormed => (),
            None if after == TextAfter::Unknown => return Step::Short,
            _ => return Step::ill(Kind::BadEscape, 1),
        }
        *run = Some(Base64Bits::default());
        Step::Skip { len: 1 }
    }

    /// Writes the digits that the bits complete.
    fn write(bits: &mut Base64Bits, out: &mut Vec<u8>) {
        while let Some(digit) = bits.take(DIGIT) {
            out.push(Self::DIGITS[digit as usize]);
        }
    }

    /// Ends an open run, before the next byte or the end of the text.
    fn leave(run: &mut Option<Base64Bits>, next: Option<u8>, out: &mut Vec<u8>) {
        let Some(mut bits) = run.take() else { return };
        if bits.count > 0 {
            bits.push(0, DIGIT - bits.count);
            Self::write(&mut bits, out);
        }
        if IMAP || next.is_none_or(|next| next == CLOSE || Self::is_digit(next)) {
            out.push(CLOSE);
        }
    }
}

impl<const IMAP: bool> Codec for Utf7<IMAP> {
    type State = Option<Base64Bits>;
    type Pen = Option<Base64Bits>;
    // Any byte before an offset can decide if a run is open there.
    const REACH: Option<u64> = None;
    // The last digit of U+FEFF has bits of the next character.
    const SIGNATURE: &'static [u8] = &[];

    // The digits of a surrogate pair.
    const WIDEST: usize = (2 * UNIT).div_ceil(DIGIT) as usize;
    const ITEM: &'static str = if IMAP { "base64 as IMAP has it" } else { "base64 of UTF-16" };
    const GROUP: Group = Group::Transformation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: true, surrogates: false };

    fn start(_: usize, _: u64) -> Option<Base64Bits> {
        None
    }

    fn prefix(run: &mut Option<Base64Bits>, _: &Kernels, bytes: &[u8]) -> usize {
        match run {
            Some(_) => 0,
            None => bytes.iter().take_while(|&&byte| Self::is_direct(byte)).count(),
        }
    }

    fn step(run: &mut Option<Base64Bits>, bytes: &[u8], last: bool) -> Step {
        Self::judge(run, bytes, if last { TextAfter::End } else { TextAfter::Unknown })
    }

    fn reread(run: &mut Option<Base64Bits>, bytes: &[u8]) -> Step {
        Self::judge(run, bytes, TextAfter::WellFormed)
    }

    fn pen(_: usize, _: Escapes) -> Option<Base64Bits> {
        None
    }

    fn put(run: &mut Option<Base64Bits>, value: u32, out: &mut Vec<u8>) -> bool {
        let Some(scalar) = char::from_u32(value) else { return false };
        match u8::try_from(scalar) {
            Ok(byte) if Self::is_direct(byte) => {
                Self::leave(run, Some(byte), out);
                out.push(byte);
            }
            Ok(byte) if byte == Self::SHIFT && (IMAP || run.is_none()) => {
                Self::leave(run, Some(byte), out);
                out.extend([byte, CLOSE]);
            }
            _ => {
                let bits = run.get_or_insert_with(|| {
                    out.push(Self::SHIFT);
                    Base64Bits::default()
                });
                for &unit in &*scalar.encode_utf16(&mut [0; 2]) {
                    bits.push(unit.into(), UNIT);
                    Self::write(bits, out);
                }
            }
        }
        true
    }

    fn finish(run: &mut Option<Base64Bits>, out: &mut Vec<u8>) {
        Self::leave(run, None, out);
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        bytes.len()
    }
}
