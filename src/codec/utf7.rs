//! What is UTF-7? Text for channels of seven bits, where runs of base64 spell UTF-16.
//!
//! RFC 2152, and the form of it that names mailboxes in IMAP (RFC 3501, section 5.1.3). A shift
//! opens a run, and `-` closes it. A character is all digits that it takes to complete its units,
//! so it shares some of the bits of the digit before it; the shifts stand for nothing.
//!
//! A byte that may not stand for itself is `unmapped`. Half a pair is a `surrogate`, of its own
//! digits. All else is a `bad-escape`: a shift that opens nothing; digits that end before their
//! unit does; a unit whose run may not end behind it as it does, for the bits that are left are
//! not zero or, in IMAP, it is not closed; there, too, a unit that is printable ASCII, and a `-`
//! and a `&` between two runs. What ends a run is no part of these faults, and is read for itself.

use super::family::{BEYOND_LOW, HIGH, LOW, join};
use super::{Codec, Escapes, Group, Properties, Step};
use crate::issue::Kind;
use crate::kernel::Kernels;

/// UTF-7, or the form of it that IMAP has.
#[derive(Debug)]
pub struct Utf7<const IMAP: bool>;

/// Bits that do not make a whole unit yet, or a whole digit. They are remembered while a run is
/// open, when reading as when writing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Base64Bits {
    value: u32,
    count: u32,
}

/// How many bits a digit has.
const DIGIT: u32 = 6;

/// How many bits a unit has.
const UNIT: u32 = u16::BITS;

/// What closes a run.
const CLOSE: u8 = b'-';

impl Base64Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.value = self.value << count | value;
        self.count += count;
    }

    /// Take the first bits, if there are so many.
    fn take(&mut self, count: u32) -> Option<u32> {
        self.count = self.count.checked_sub(count)?;
        let value = self.value >> self.count;
        self.value &= (1 << self.count) - 1;
        Some(value)
    }
}

/// What is behind the bytes at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunEnd {
    /// Nothing: the input ends.
    Nothing,
    /// What will tell if they are well-formed.
    More,
    /// What has told that they are.
    Told,
}

const fn ill(kind: Kind, len: usize) -> Step {
    Step::Ill { kind, len, replacements: 1 }
}

impl<const IMAP: bool> Utf7<IMAP> {
    /// What opens a run.
    const SHIFT: u8 = if IMAP { b'&' } else { b'+' };

    /// The digits of base64, in order.
    const DIGITS: &'static [u8; 64] = if IMAP {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,"
    } else {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    };

    /// The value of each digit; of other bytes, one that no digit has.
    const VALUES: [u8; 256] = {
        let mut values = [u8::MAX; 256];
        let mut digit = 0;
        while digit < Self::DIGITS.len() {
            values[Self::DIGITS[digit] as usize] = digit as u8;
            digit += 1;
        }
        values
    };

    /// The value of a digit.
    fn digit(byte: u8) -> Option<u32> {
        let value = Self::VALUES[usize::from(byte)];
        (value < 1 << DIGIT).then_some(value.into())
    }

    fn is_digit(byte: u8) -> bool {
        Self::digit(byte).is_some()
    }

    /// Whether a byte may stand for itself outside of a run: in RFC 2152, the sets D and O, and the
    /// blanks of its rule 3.
    fn direct(byte: u8) -> bool {
        match byte {
            b'\t' | b'\n' | b'\r' => !IMAP,
            b'\\' | b'~' => IMAP,
            _ => byte != Self::SHIFT && matches!(byte, b' '..=b'~'),
        }
    }

    /// Read a unit: it, and its digits. An error is how many digits there are, if too few.
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

    /// Read one sequence. What is too short leaves everything as it was.
    fn judge(run: &mut Option<Base64Bits>, bytes: &[u8], behind: RunEnd) -> Step {
        let mut after = *run;
        let step = Self::read(&mut after, bytes, behind);
        if step != Step::Short {
            *run = after;
        }
        step
    }

    fn read(run: &mut Option<Base64Bits>, bytes: &[u8], behind: RunEnd) -> Step {
        let Some(&first) = bytes.first() else { return Step::Short };
        match run {
            Some(bits) if Self::is_digit(first) => Self::inside(bits, bytes, behind),
            Some(_) if first == CLOSE => Self::close(run, &bytes[1..], behind),
            _ if first == Self::SHIFT => Self::shift(run, bytes.get(1).copied(), behind),
            _ => {
                *run = None;
                match Self::direct(first) {
                    true => Step::Scalar { value: first.into(), len: 1 },
                    false => ill(Kind::Unmapped, 1),
                }
            }
        }
    }

    /// Read the digits of a character.
    fn inside(bits: &mut Base64Bits, bytes: &[u8], behind: RunEnd) -> Step {
        match Self::unit(bits, bytes) {
            Ok((high @ HIGH..LOW, len)) => {
                let mut rest = *bits;
                match Self::unit(&mut rest, &bytes[len..]) {
                    Ok((low @ LOW..BEYOND_LOW, more)) => {
                        *bits = rest;
                        Self::whole(*bits, join(high, low), bytes, len + more, behind)
                    }
                    Err(more) if len + more == bytes.len() && behind == RunEnd::More => Step::Short,
                    _ => ill(Kind::SurrogateHigh, len),
                }
            }
            Ok((LOW..BEYOND_LOW, len)) => ill(Kind::SurrogateLow, len),
            Ok((value, len)) => Self::whole(*bits, value, bytes, len, behind),
            Err(len) if len == bytes.len() && behind == RunEnd::More => Step::Short,
            Err(len) => ill(Kind::BadEscape, len),
        }
    }

    /// A character of `len` digits, behind which these bits are left.
    fn whole(bits: Base64Bits, value: u32, bytes: &[u8], len: usize, behind: RunEnd) -> Step {
        let closes = |next| bits.value == 0 && (!IMAP || next == Some(CLOSE));
        let fits = match bytes.get(len).copied() {
            // What can stand for itself must.
            _ if IMAP && (0x20..0x7F).contains(&value) => false,
            Some(next) => Self::is_digit(next) || closes(Some(next)),
            None if behind == RunEnd::More && !closes(None) => return Step::Short,
            None => behind == RunEnd::Told || closes(None),
        };
        if fits { Step::Scalar { value, len } } else { ill(Kind::BadEscape, len) }
    }

    /// Read what closes a run.
    fn close(run: &mut Option<Base64Bits>, rest: &[u8], behind: RunEnd) -> Step {
        *run = None;
        match *rest {
            [] if IMAP && behind == RunEnd::More => Step::Short,
            [shift] if IMAP && shift == Self::SHIFT && behind == RunEnd::More => Step::Short,
            [shift, next, ..] if IMAP && shift == Self::SHIFT && Self::is_digit(next) => {
                *run = Some(Base64Bits::default());
                ill(Kind::BadEscape, 2)
            }
            _ => Step::Skip { len: 1 },
        }
    }

    /// Read what opens a run, or spells itself.
    fn shift(run: &mut Option<Base64Bits>, next: Option<u8>, behind: RunEnd) -> Step {
        *run = None;
        match next {
            Some(CLOSE) => return Step::Scalar { value: Self::SHIFT.into(), len: 2 },
            Some(next) if Self::is_digit(next) => (),
            None if behind == RunEnd::Told => (),
            None if behind == RunEnd::More => return Step::Short,
            _ => return ill(Kind::BadEscape, 1),
        }
        *run = Some(Base64Bits::default());
        Step::Skip { len: 1 }
    }

    /// Write the digits that the bits make.
    fn write(bits: &mut Base64Bits, out: &mut Vec<u8>) {
        while let Some(digit) = bits.take(DIGIT) {
            out.push(Self::DIGITS[digit as usize]);
        }
    }

    /// End a run that is open, before this byte or the end of the text.
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
    // Whether a run is open at an offset may depend on anything before it.
    const REACH: Option<u64> = None;
    // The last digit of U+FEFF is the first of what follows it.
    const SIGNATURE: &'static [u8] = &[];

    // Those of a pair whose first digit has none of its bits, or two.
    const WIDEST: usize = (2 * UNIT).div_ceil(DIGIT) as usize;
    const ITEM: &'static str = if IMAP { "base64 as IMAP has it" } else { "base64 of UTF-16" };
    const GROUP: Group = Group::Transformation;
    const PROPERTIES: Properties =
        Properties { transparent: false, stateful: true, scalars: true, surrogates: false };

    fn start(_: u64) -> Option<Base64Bits> {
        None
    }

    fn prefix(run: &mut Option<Base64Bits>, _: &Kernels, bytes: &[u8]) -> usize {
        match run {
            Some(_) => 0,
            None => bytes.iter().take_while(|&&byte| Self::direct(byte)).count(),
        }
    }

    fn step(run: &mut Option<Base64Bits>, bytes: &[u8], last: bool) -> Step {
        Self::judge(run, bytes, if last { RunEnd::Nothing } else { RunEnd::More })
    }

    fn reread(run: &mut Option<Base64Bits>, bytes: &[u8]) -> Step {
        Self::judge(run, bytes, RunEnd::Told)
    }

    fn pen(_: Escapes) -> Option<Base64Bits> {
        None
    }

    fn put(run: &mut Option<Base64Bits>, value: u32, out: &mut Vec<u8>) -> bool {
        let Some(scalar) = char::from_u32(value) else { return false };
        match u8::try_from(scalar) {
            Ok(byte) if Self::direct(byte) => {
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

    fn announced(bytes: &[u8]) -> usize {
        bytes.len()
    }
}
