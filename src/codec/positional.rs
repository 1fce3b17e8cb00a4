//! Encodings as positional numbers: UTF-1 and FSS-UTF of 1992.
//!
//! The lead byte and the bytes after it are the digits of a number. The base is the number of
//! values of a byte. The first value of a form follows the last value of the shorter form, so no
//! sequence is overlong.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use super::{Codec, Escapes, Group, Properties, Step, bulk};
use crate::issue::Kind;
use crate::kernel::Loaded;
use crate::kernel::{Kernels, front};

/// The first and the last value of a byte.
pub type ByteRange = (u8, u8);

/// The sequences of one length.
#[derive(Clone, Copy, Debug)]
pub struct SequenceForm {
    /// The lead bytes.
    pub leads: ByteRange,
    /// The number of bytes after the lead byte.
    pub trails: usize,
    /// The values of these bytes, in the order of the digits.
    pub digits: &'static [ByteRange],
    /// The value of the first sequence.
    pub first: u64,
}

/// The forms of an encoding.
pub trait PositionalForms: 'static {
    /// The forms in the order of their lead bytes. The first has one byte.
    const FORMS: &'static [SequenceForm];
    /// The kind of a byte above the last lead byte.
    const BEYOND: Kind;
    /// See [`Properties`].
    const TRANSPARENT: bool;
    /// The bytes of U+FEFF.
    const SIGNATURE: &'static [u8];
    /// See [`Codec::markers`].
    fn markers(at: usize, byte: u8) -> u32;
}

/// The codec of some forms.
#[derive(Debug)]
pub struct Positional<T>(PhantomData<T>);

/// The largest value: 31 bits.
const LAST: u64 = i32::MAX as u64;

impl SequenceForm {
    /// Makes a form of lead bytes and digits. Its first value is 0: see [`in_a_row`].
    pub const fn of(leads: ByteRange, trails: usize, digits: &'static [ByteRange]) -> SequenceForm {
        SequenceForm { leads, trails, digits, first: 0 }
    }

    /// Returns the number of sequences of `trails` bytes after a lead byte.
    const fn power(&self, trails: usize) -> u64 {
        let (mut base, mut at) = (0, 0);
        while at < self.digits.len() {
            base += count(self.digits[at]);
            at += 1;
        }
        base.pow(trails as u32)
    }

    /// Returns the digit of a byte.
    fn digit(&self, byte: u8) -> Option<u64> {
        let at = self.digits.iter().position(|range| (range.0..=range.1).contains(&byte))?;
        let before: u64 = self.digits[..at].iter().copied().map(count).sum();
        Some(before + u64::from(byte - self.digits[at].0))
    }

    /// Returns the byte of a digit.
    fn byte(&self, mut digit: u64) -> u8 {
        for &range in self.digits {
            if digit < count(range) {
                return range.0 + digit as u8;
            }
            digit -= count(range);
        }
        unreachable!("a digit is less than its base")
    }

    /// Returns the number of bytes of this form at the front, and the least value of a sequence that
    /// starts with them.
    fn read(&self, lead: u8, rest: &[u8]) -> (usize, u64) {
        let lead = u64::from(lead - self.leads.0);
        let digits = rest.iter().take(self.trails).map_while(|&byte| self.digit(byte));
        let (trails, number) =
            digits.fold((0, lead), |(n, number), digit| (n + 1, number * self.power(1) + digit));
        (1 + trails, self.first + number * self.power(self.trails - trails))
    }

    /// Returns the length of a sequence in bytes.
    const fn len(&self) -> usize {
        1 + self.trails
    }

    /// Returns the sum of the first value and a number, written as its digits where the base is no
    /// power of two.
    fn sum(&self, number: u64) -> String {
        let first = format!("0x{:X} + ", self.first);
        let base = self.power(1);
        if base.is_power_of_two() {
            return format!("{first}0x{number:X}");
        }
        // The only lead byte of a form is no digit.
        let places = (0..self.trails + usize::from(self.leads.0 < self.leads.1)).rev();
        let terms = places.map(|place| match (number / self.power(place) % base, place) {
            (digit, 0) => format!("{digit}"),
            (digit, 1) => format!("{digit}*{base}"),
            (digit, _) => format!("{digit}*{base}^{place}"),
        });
        first + &terms.collect::<Vec<_>>().join(" + ")
    }

    fn write(&self, value: u64, out: &mut Vec<u8>) {
        let number = value - self.first;
        out.push(self.leads.0 + (number / self.power(self.trails)) as u8);
        let digit = |at: usize| number / self.power(at) % self.power(1);
        out.extend((0..self.trails).rev().map(|at| self.byte(digit(at))));
    }
}

/// Returns the number of bytes in a range.
const fn count(range: ByteRange) -> u64 {
    (range.1 - range.0) as u64 + 1
}

/// Sets the first value of each form to that after the form before it.
pub const fn in_a_row<const N: usize>(mut forms: [SequenceForm; N]) -> [SequenceForm; N] {
    let mut at = 1;
    while at < N {
        let before = forms[at - 1];
        forms[at].first = before.first + count(before.leads) * before.power(before.trails);
        at += 1;
    }
    forms
}

impl<T: PositionalForms> Positional<T> {
    /// Returns the form of a lead byte.
    fn form(lead: u8) -> Option<&'static SequenceForm> {
        T::FORMS.iter().find(|form| lead <= form.leads.1)
    }
}

impl<T: PositionalForms> Codec for Positional<T> {
    type State = ();
    type Pen = ();
    // A byte within a sequence may look like a lead byte or a single byte.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = T::SIGNATURE;

    const WIDEST: usize = T::FORMS[T::FORMS.len() - 1].len();
    const GROUP: Group = Group::Transformation;
    const PROPERTIES: Properties = Properties {
        transparent: T::TRANSPARENT,
        stateful: false,
        scalars: true,
        surrogates: true,
    };

    fn start(_: usize, _: u64) {}

    #[inline(always)]
    fn prefix((): &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        kernels.ascii(bytes)
    }

    fn step((): &mut (), bytes: &[u8], last: bool) -> Step {
        let Some((&lead, rest)) = bytes.split_first() else { return Step::Short };
        let Some(form) = Self::form(lead) else { return Step::ill(T::BEYOND, 1) };
        let (len, value) = form.read(lead, rest);
        let complete = len == form.len();
        if !complete && len == bytes.len() && !last {
            return Step::Short;
        }
        if value > LAST {
            return Step::ill(Kind::Above7fffffff, len);
        }
        match complete {
            true => Step::Scalar { value: value as u32, len },
            false if len < bytes.len() => Step::ill(Kind::TruncatedNext, len),
            false => Step::ill(Kind::TruncatedEnd, len),
        }
    }

    fn load((): &mut (), kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load::<Self>(&mut (), bytes, values, |bytes, values| {
            let ahead = &bytes[..bytes.len().min(values.len())];
            kernels.read_utf8(&ahead[..kernels.ascii(ahead)], values)
        })
    }

    fn pen(_: usize, _: Escapes) {}

    fn put((): &mut (), value: u32, out: &mut Vec<u8>) -> bool {
        let value = u64::from(value);
        if value > LAST {
            return false;
        }
        if let Some(form) = T::FORMS.iter().rev().find(|form| form.first <= value) {
            form.write(value, out);
        }
        true
    }

    fn store((): &mut (), kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store::<Self>(&mut (), values, out, |(), values, out| {
            let ascii = front(values, |value| value < 0x80);
            kernels.write_utf8(&values[..ascii], out)
        })
    }

    fn spells(bytes: &[u8]) -> Option<u32> {
        let (&lead, rest) = bytes.split_first()?;
        let form = Self::form(lead)?;
        let (len, value) = form.read(lead, rest);
        let whole = len == bytes.len() && len == form.len();
        u32::try_from(value).ok().filter(|_| whole)
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        let form = Self::form(*bytes.first()?)?;
        let [(first, last)] = *form.digits else { return None };
        let fits = |&next: &u8| form.read(bytes[0], &[&bytes[1..], &[next]].concat()).1 <= LAST;
        (first..=last).rev().find(fits).map(|last| first..=last)
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        bytes.first().and_then(|&lead| Self::form(lead)).map_or(1, SequenceForm::len)
    }

    fn markers(sequence: &[u8], at: usize) -> u32 {
        T::markers(at, sequence[at])
    }

    fn derivation(sequence: &[u8]) -> Option<String> {
        let form = Self::form(*sequence.first()?).filter(|form| form.first > 0)?;
        // The bytes may have changed.
        Some(form.sum(u64::from(Self::spells(sequence)?).checked_sub(form.first)?))
    }
}
