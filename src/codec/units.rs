//! UTF-16, UTF-32, UCS-2, UCS-4 and WTF-16: code units of two or four bytes in either byte order.
//!
//! [`Units`] takes the rules as a constant, as [`Family`](super::family::Family) does.

use std::ops::{Range, RangeInclusive};

use super::surrogate::{BEYOND_LOW, HIGH, LOW, is_surrogate, join, split};
use super::{
    BOM, Codec, EncodingScheme, Escapes, Group, LengthCounts, LineCount, Properties, Step, bulk,
    tally_by_steps,
};
use crate::issue::Kind;
use crate::kernel::Loaded;
use crate::kernel::{Kernels, front};

/// A code unit has four bytes instead of two.
pub const WIDE: u32 = 1 << 0;
/// The least significant byte comes first.
pub const LITTLE: u32 = 1 << 1;
/// A surrogate pair is one supplementary code point.
pub const PAIRS: u32 = 1 << 2;
/// Lone surrogates are well-formed.
pub const LONE: u32 = 1 << 3;
/// Values have up to 31 bits.
pub const LARGE: u32 = 1 << 4;
/// U+FEFF at the start of the input is a signature, and tells the byte order.
pub const MARK: u32 = 1 << 5;
/// A writer starts with U+FEFF.
pub const SIGN: u32 = 1 << 6;

/// An encoding of fixed code units, given by its rules.
#[derive(Debug)]
pub struct Units<const RULES: u32>;

/// The state of a reader.
#[derive(Clone, Copy, Debug)]
pub struct ByteOrder {
    /// The input starts here, and a BOM may tell the order.
    may_have_bom: bool,
    little: bool,
}

/// The fixed bits of a surrogate, and the others: half of the number that a pair adds to 10000.
const MARKERS: u32 = 6;
const HALF: u32 = u16::BITS - MARKERS;

/// The bytes of a block: few enough to check twice, enough for a vector loop.
const BLOCK: usize = 64;

/// Returns the code unit of two or four bytes.
#[inline(always)]
fn unit(bytes: &[u8], little: bool) -> u32 {
    match *bytes {
        [a, b] if little => u16::from_le_bytes([a, b]).into(),
        [a, b] => u16::from_be_bytes([a, b]).into(),
        [a, b, c, d] if little => u32::from_le_bytes([a, b, c, d]),
        [a, b, c, d] => u32::from_be_bytes([a, b, c, d]),
        _ => 0,
    }
}

impl<const R: u32> Units<R> {
    const fn has(rules: u32) -> bool {
        R & rules != 0
    }

    /// The size of a code unit in bytes.
    const SIZE: usize = if Self::has(WIDE) { 4 } else { 2 };

    /// The largest value.
    const LAST: u32 = if Self::has(LARGE) {
        i32::MAX as u32
    } else if Self::has(WIDE | PAIRS) {
        char::MAX as u32
    } else {
        u16::MAX as u32
    };

    /// The encodings of the text after a BOM: big-endian, little-endian.
    const SIBLINGS: [&'static str; 2] = if Self::has(WIDE) {
        ["utf-32be", "utf-32le"]
    } else if Self::has(PAIRS) {
        ["utf-16be", "utf-16le"]
    } else {
        ["ucs-2be", "ucs-2le"]
    };

    /// Returns the complete code units.
    #[inline(always)]
    fn units(bytes: &[u8], little: bool) -> impl DoubleEndedIterator<Item = u32> + '_ {
        bytes.chunks_exact(Self::SIZE).map(move |bytes| unit(bytes, little))
    }

    /// Returns `true` if a code unit is well-formed whatever its neighbours are.
    #[inline(always)]
    const fn is_independent(unit: u32) -> bool {
        (!is_surrogate(unit) || Self::has(WIDE) && Self::has(LONE)) & (unit <= Self::LAST)
    }

    /// Returns the length, in bytes, of the code units at the front that are well-formed alone.
    #[inline(always)]
    fn independent(bytes: &[u8], little: bool) -> usize {
        // Without an early exit within a block, so that the compiler vectorizes it.
        let all = |block: &&[u8]| {
            Self::units(block, little).fold(true, |all, unit| all & Self::is_independent(unit))
        };
        let blocks = BLOCK * bytes.chunks_exact(BLOCK).take_while(all).count();
        let units = Self::units(&bytes[blocks..], little);
        blocks + Self::SIZE * units.take_while(|&unit| Self::is_independent(unit)).count()
    }

    /// Reads a high surrogate and the low one after it, if there is one.
    fn read_high(bytes: &[u8], little: bool, last: bool, high: u32) -> Step {
        match bytes.get(Self::SIZE..2 * Self::SIZE).map(|bytes| unit(bytes, little)) {
            Some(low @ LOW..BEYOND_LOW) => {
                Step::Scalar { value: join(high, low), len: 2 * Self::SIZE }
            }
            None if !last => Step::Short,
            _ if Self::has(LONE) => Step::Scalar { value: high, len: Self::SIZE },
            Some(_) => Step::ill(Kind::SurrogateHigh, Self::SIZE),
            None => Step::ill(Kind::TruncatedEnd, bytes.len()),
        }
    }

    /// Reads a complete code unit that no other joins.
    fn read_alone(value: u32) -> Step {
        let kind = match value {
            HIGH..LOW if !Self::has(LONE) => Kind::SurrogateHigh,
            LOW..BEYOND_LOW if !Self::has(LONE) => Kind::SurrogateLow,
            _ if value <= Self::LAST => return Step::Scalar { value, len: Self::SIZE },
            _ if Self::has(LARGE) => Kind::Above7fffffff,
            _ => Kind::Above10ffff,
        };
        Step::ill(kind, Self::SIZE)
    }

    /// Returns the byte order if the bytes are a BOM: true for little-endian.
    fn bom_order(bytes: &[u8]) -> Option<bool> {
        let bytes = bytes.get(..Self::SIZE)?;
        [false, true].into_iter().find(|&little| unit(bytes, little) == BOM)
    }

    /// Returns `true` if the bytes begin with a high surrogate, and pairs are joined.
    fn begins_pair(bytes: &[u8]) -> bool {
        let high = |bytes| (HIGH..LOW).contains(&unit(bytes, Self::has(LITTLE)));
        Self::has(PAIRS) && bytes.get(..Self::SIZE).is_some_and(high)
    }

    #[inline(always)]
    fn widen(bytes: &[u8], little: bool, values: &mut [u32]) -> Loaded {
        let units = Self::units(bytes, little).zip(values);
        let written = units.map(|(unit, value)| *value = unit).count();
        Loaded { read: written * Self::SIZE, written }
    }

    fn push_some(values: &[u32], out: &mut Vec<u8>) {
        let mut bytes = [[0; 4]; 64];
        for (bytes, value) in bytes.iter_mut().zip(values) {
            *bytes = if Self::has(LITTLE) { value.to_le_bytes() } else { value.to_be_bytes() };
        }
        out.extend_from_slice(bytes[..values.len()].as_flattened());
    }

    fn push(unit: u32, out: &mut Vec<u8>) {
        if Self::has(LITTLE) {
            out.extend_from_slice(&unit.to_le_bytes()[..Self::SIZE]);
        } else {
            out.extend_from_slice(&unit.to_be_bytes()[size_of::<u32>() - Self::SIZE..]);
        }
    }
}

impl<const R: u32> Codec for Units<R> {
    type State = ByteOrder;
    type Pen = ();
    const TOLERATES_CHANGES: bool = true;
    // A byte does not tell its place in a code unit.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = match (Self::has(WIDE), Self::has(LITTLE)) {
        (false, false) => &(BOM as u16).to_be_bytes(),
        (false, true) => &(BOM as u16).to_le_bytes(),
        (true, false) => &BOM.to_be_bytes(),
        (true, true) => &BOM.to_le_bytes(),
    };

    const SIGNS: bool = Self::has(SIGN);
    const SCHEME: Option<EncodingScheme> = match R & !(MARK | SIGN | LITTLE) {
        PAIRS => Some(EncodingScheme::Utf16(Self::has(LITTLE))),
        WIDE => Some(EncodingScheme::Utf32(Self::has(LITTLE))),
        _ => None,
    };
    const TRANSCODES_UNSCANNED: bool = Self::SCHEME.is_some();
    const UNIT: usize = Self::SIZE;
    const WIDEST: usize = if Self::has(PAIRS) { 2 * Self::SIZE } else { Self::SIZE };
    const GROUP: Group = Group::Units;
    const PROPERTIES: Properties = Properties {
        transparent: false,
        stateful: false,
        scalars: Self::has(WIDE | PAIRS),
        surrogates: Self::has(LONE),
    };

    fn start(_: usize, offset: u64) -> ByteOrder {
        ByteOrder { may_have_bom: Self::has(MARK) && offset == 0, little: Self::has(LITTLE) }
    }

    #[inline(always)]
    fn prefix(order: &mut ByteOrder, kernels: &Kernels, bytes: &[u8]) -> usize {
        match order {
            ByteOrder { may_have_bom: true, .. } => 0,
            ByteOrder { little, .. } if Self::has(PAIRS) => kernels.utf16(bytes, *little),
            ByteOrder { little, .. } if Self::SCHEME.is_some() => kernels.utf32(bytes, *little),
            ByteOrder { little: false, .. } => Self::independent(bytes, false),
            ByteOrder { little: true, .. } => Self::independent(bytes, true),
        }
    }

    #[inline(always)]
    fn step(order: &mut ByteOrder, bytes: &[u8], last: bool) -> Step {
        let Some(first) = bytes.get(..Self::SIZE) else {
            return match bytes.is_empty() || !last {
                true => Step::Short,
                false => Step::ill(Kind::TruncatedEnd, bytes.len()),
            };
        };
        if order.may_have_bom {
            order.may_have_bom = false;
            if let Some(little) = Self::bom_order(first) {
                order.little = little;
                return Step::Signature { len: Self::SIZE };
            }
        }
        match unit(first, order.little) {
            high @ HIGH..LOW if Self::has(PAIRS) => {
                Self::read_high(bytes, order.little, last, high)
            }
            value => Self::read_alone(value),
        }
    }

    fn load(order: &mut ByteOrder, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        order.may_have_bom = false;
        let little = order.little;
        bulk::load::<Self>(order, bytes, values, |bytes, values| match () {
            () if !Self::has(WIDE) => kernels.read_utf16(bytes, little, values),
            () if little => Self::widen(bytes, true, values),
            () => Self::widen(bytes, false, values),
        })
    }

    fn write_utf8(
        order: &mut ByteOrder,
        kernels: &Kernels,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> usize {
        order.may_have_bom = false;
        match Self::SCHEME {
            Some(EncodingScheme::Utf16(_)) => kernels.utf16_to_utf8(bytes, order.little, out),
            Some(EncodingScheme::Utf32(_)) => kernels.utf32_to_utf8(bytes, order.little, out),
            _ => 0,
        }
    }

    fn pen(_: usize, _: Escapes) {}

    fn put((): &mut (), value: u32, out: &mut Vec<u8>) -> bool {
        if value > Self::LAST || is_surrogate(value) && !Self::has(LONE) {
            return false;
        }
        if Self::has(PAIRS) && value > u16::MAX.into() {
            split(value).into_iter().for_each(|half| Self::push(half, out));
        } else {
            Self::push(value, out);
        }
        true
    }

    fn store((): &mut (), kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store::<Self>(&mut (), values, out, |(), values, out| match () {
            () if Self::has(PAIRS) => kernels.write_utf16(values, Self::has(LITTLE), out),
            () if Self::has(WIDE) => {
                let values = &values[..match Self::has(LONE) {
                    true => front(values, |value| value <= Self::LAST),
                    false => kernels.scalars(values),
                }];
                values.chunks(64).for_each(|some| Self::push_some(some, out));
                values.len()
            }
            () => {
                let short = front(values, |value| value <= Self::LAST);
                kernels.write_utf16(&values[..short], Self::has(LITTLE), out)
            }
        })
    }

    fn tally(order: &ByteOrder, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        if Self::has(PAIRS) && Self::has(LONE) {
            return tally_by_steps::<Self>(order, bytes, part, lengths);
        }
        let start = |at: usize| at.next_multiple_of(Self::SIZE).min(bytes.len());
        let bytes = &bytes[start(part.start)..start(part.end)];
        lengths[Self::SIZE - 1] += (bytes.len() / Self::SIZE) as u64;
        if Self::has(PAIRS) {
            let count = |first: u32, end: u32| {
                let units = Self::units(bytes, order.little);
                units.filter(|unit| (first..end).contains(unit)).count() as u64
            };
            let pairs = count(HIGH, LOW);
            let units = &mut lengths[Self::SIZE - 1];
            // The bytes of a mapped file may change between two counts.
            *units = units.saturating_sub(pairs + count(LOW, BEYOND_LOW));
            lengths[2 * Self::SIZE - 1] += pairs;
        }
    }

    fn lines(order: &ByteOrder, bytes: &[u8]) -> LineCount {
        let ends = || Self::units(bytes, order.little).map(|unit| unit == '\n' as u32);
        let number = ends().filter(|&end| end).count() as u64;
        let end = (number > 0).then(|| {
            let after = ends().rev().take_while(|&end| !end).count();
            (bytes.len() / Self::SIZE - after) * Self::SIZE
        });
        LineCount { number, end }
    }

    fn codec_after_bom(bytes: &[u8]) -> Option<&'static str> {
        let little = Self::bom_order(bytes).filter(|_| Self::has(MARK))?;
        Some(Self::SIBLINGS[usize::from(little)])
    }

    fn spells(bytes: &[u8]) -> Option<u32> {
        (bytes.len() == Self::SIZE).then(|| unit(bytes, Self::has(LITTLE)))
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        // The significant byte of a low surrogate has fixed bits.
        let significant = if Self::has(LITTLE) { 2 * Self::SIZE - 1 } else { Self::SIZE };
        let low = |value: u32| (value >> u8::BITS) as u8;
        let wanted = Self::begins_pair(bytes) && bytes.len() == significant;
        wanted.then_some(low(LOW)..=low(BEYOND_LOW - 1))
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        if Self::begins_pair(bytes) { 2 * Self::SIZE } else { Self::SIZE }
    }

    /// Returns 6 for the significant byte of a surrogate, unless the surrogate is alone and
    /// well-formed: then these bits are part of its value.
    fn markers(sequence: &[u8], at: usize) -> u32 {
        let significant = at % 2 == usize::from(Self::has(LITTLE));
        let alone = Self::has(LONE) && sequence.len() == Self::SIZE;
        let marked = !Self::has(WIDE) && significant && !alone && sequence[at] & 0xF8 == 0xD8;
        if marked { MARKERS } else { 0 }
    }

    fn derivation(sequence: &[u8]) -> Option<String> {
        let (high, low) = sequence.split_at_checked(Self::SIZE)?;
        let half = |bytes| unit(bytes, Self::has(LITTLE)) % (1 << HALF);
        let pair = Self::has(PAIRS) && low.len() == Self::SIZE;
        pair.then(|| format!("0x10000 + 0x{:X}", half(high) << HALF | half(low)))
    }
}
