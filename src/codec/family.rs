//! UTF-8 and its variants: one layout of bits, and a set of rules for each encoding.
//!
//! [`Family`] takes the rules as a constant, so the compiler removes the code of rules that an
//! encoding does not have.

use std::ops::{Range, RangeInclusive};

use super::surrogate::{BEYOND_LOW, HIGH, LOW, is_surrogate, join, split};
use super::{
    Codec, EncodingScheme, Escapes, Group, LONGEST_SEQUENCE, LengthCounts, Properties, Step,
    UTF8_BOM, bulk, tally_by_steps,
};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, front};
use forms::{BITS, LEAST, PairEnd, announced, begins_supplementary, bits, low_half, shift_in};

pub(super) use forms::markers;
pub(crate) use forms::{continues, floor_boundary, is_lead, put_form, tally_leads};
pub use rules::{APART, BOM, ESCAPE, JOIN, LAX, LONE, LONG, NUL2, OPTU, SHORT, SIGN};

mod forms;
mod rules;

/// An encoding of the family, given by its rules.
#[derive(Debug)]
pub struct Family<const RULES: u32>;

/// UTF-8: RFC 3629; the Unicode Standard, table 3-7.
pub type Utf8 = Family<0>;
/// CESU-8: UTR #26.
pub type Cesu8 = Family<{ SHORT | JOIN }>;
/// UTF-8 of RFC 2279: values of up to 31 bits, surrogates included.
pub(crate) type Rfc2279 = Family<{ LONG | LONE }>;

/// True at the start of the input, the only place of a signature.
#[derive(Clone, Copy, Debug)]
pub struct AtStart(bool);

/// The state of a writer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FamilyPen {
    /// A pending high surrogate, which a low one would join.
    high: Option<u32>,
}

/// The first number of bytes searched for NUL.
const LEAST_BLOCK: usize = 32;

/// The number that OPTU-8 adds to an escaped byte.
pub(crate) const OPTU_BASE: u32 = 0xEF00;

/// The first byte of each class of second bytes that some lead byte tells apart, after one that
/// continues nothing.
const SECONDS: [u8; 8] = [b'a', 0x80, 0x81, 0x84, 0x88, 0x90, 0xA0, 0xB0];

/// The index in [`SECONDS`] of the class of each byte.
static SECOND_CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let (mut byte, mut class) = (0x80, 0);
    while byte < 0xC0 {
        if class + 1 < SECONDS.len() && byte == SECONDS[class + 1] as usize {
            class += 1;
        }
        classes[byte] = class as u8;
        byte += 1;
    }
    classes
};

/// Returns a byte before one of a class and a byte that continues nothing.
const fn before_class(byte: usize, class: usize) -> [u8; 3] {
    [byte as u8, SECONDS[class], b'a']
}

/// Reads the first sequence of UTF-8 within a text, without a call through a table of encodings.
#[inline(always)]
pub(crate) fn utf8_step(bytes: &[u8]) -> Step {
    Utf8::step(&mut Utf8::start(0, u64::MAX), bytes, true)
}

impl<const R: u32> Family<R> {
    const fn has(rules: u32) -> bool {
        R & rules != 0
    }

    const LONGEST: usize = if Self::has(LONG) {
        LONGEST_SEQUENCE
    } else if Self::has(SHORT) {
        3
    } else {
        4
    };

    /// Returns `true` for a byte outside well-formed sequences that the rules make a code point.
    fn is_escaped(sequence: &[u8]) -> bool {
        Self::has(ESCAPE | OPTU) && matches!(sequence, [byte] if *byte >= 0x80)
    }

    /// The first and the last second byte for each lead byte C0..FF; (1, 0) for none.
    const SECOND: [(u8, u8); 64] = {
        let mut table = [(1, 0); 64];
        let mut lead = 0;
        while lead < 64 {
            let mut second = 0xBF;
            while second >= 0x80 {
                if let Step::Scalar { .. } | Step::Ill { kind: Kind::TruncatedEnd, .. } =
                    Self::read_form(&[0xC0 | lead, second], true)
                {
                    table[lead as usize].0 = second;
                    if table[lead as usize].1 == 0 {
                        table[lead as usize].1 = second;
                    }
                }
                second -= 1;
            }
            lead += 1;
        }
        table
    };

    /// The kind of the ill-formed sequence that starts with a byte 80..FF, by the class of the next
    /// byte: see [`SECONDS`].
    const FAULTS: [[Kind; 8]; 128] = {
        let mut table = [[Kind::LoneContinuation; 8]; 128];
        let mut at = 0;
        while at < 8 * 128 {
            let (low, class) = (at / 8, at % 8);
            if let Step::Ill { kind, .. } = Self::read_form(&before_class(0x80 | low, class), true)
            {
                table[low][class] = kind;
            }
            at += 1;
        }
        table
    };

    /// The kinds of the ill-formed sequences of one byte, by the byte and the class of the next one.
    const FAULTS_OF_ONE_BYTE: [[Option<Kind>; 8]; 256] = {
        let mut table = [[None; 8]; 256];
        let mut at = 0;
        while at < 8 * 256 {
            let bytes = before_class(at / 8, at % 8);
            if let Step::Ill { kind, len: 1, .. } = Self::read_form(&bytes, true) {
                table[at / 8][at % 8] = Some(kind);
            }
            at += 1;
        }
        table
    };

    /// Returns the kind of the ill-formed sequence that starts with two bytes; that of a pair of
    /// surrogates is that of the high one.
    #[inline]
    pub(crate) fn kind_of_fault([lead, next]: [u8; 2]) -> Kind {
        Self::FAULTS[(lead & 0x7F) as usize][SECOND_CLASSES[next as usize] as usize]
    }

    /// Returns the kind of a byte before another one, if it is an ill-formed sequence.
    #[inline]
    pub(crate) fn kind_of_byte([byte, next]: [u8; 2]) -> Option<Kind> {
        Self::FAULTS_OF_ONE_BYTE[byte as usize][SECOND_CLASSES[next as usize] as usize]
    }

    /// Reads one sequence without joining surrogates.
    #[inline(always)]
    const fn read_form(bytes: &[u8], last: bool) -> Step {
        if bytes.is_empty() {
            return Step::Short;
        }
        let lead = bytes[0];
        if lead < 0x80 {
            if lead == 0 && Self::has(NUL2) && !Self::has(LAX) {
                return Self::ill(Kind::RawNul, 1);
            }
            return Step::Scalar { value: lead as u32, len: 1 };
        }
        if continues(lead) {
            return Self::ill(Kind::LoneContinuation, 1);
        }
        let want = announced(lead);
        if want == 1 {
            return Self::ill(Kind::InvalidFeFf, 1);
        }
        let mut value = bits(lead);
        let mut len = 1;
        while len < want && len < bytes.len() && continues(bytes[len]) {
            value = shift_in(value, bytes[len]);
            len += 1;
        }
        let kind = match Self::fault(want, len, value) {
            Some(kind) => kind,
            None if len == want => return Step::Scalar { value, len },
            None if len < bytes.len() => Kind::TruncatedNext,
            None => Kind::TruncatedEnd,
        };
        if len < want && len == bytes.len() && !last {
            return Step::Short;
        }
        if matches!(kind, Kind::FourByte) && !Self::has(JOIN) && begins_supplementary(len, value) {
            // One character that the target of a conversion would lack.
            return Step::Ill { kind, len, replacements: 1 };
        }
        Self::ill(kind, len)
    }

    /// Returns the kind of a sequence if no completion of it is well-formed. It announces `want`
    /// bytes, and the first `len` spell `value`.
    #[inline(always)]
    const fn fault(want: usize, len: usize, value: u32) -> Option<Kind> {
        let rest = BITS * (want - len) as u32;
        let from = value << rest;
        let to = from | ((1u64 << rest) - 1) as u32;
        if want == 4 && Self::has(SHORT) {
            return Some(Kind::FourByte);
        }
        let lax = Self::has(LAX) && want <= Self::LONGEST;
        let nul = Self::has(NUL2) && want == 2 && from == 0;
        if to < LEAST[want] && !lax && !nul {
            return Some(match want {
                2 if len == 2 && value == 0 => Kind::OverlongNul,
                2 => Kind::Overlong2,
                3 => Kind::Overlong3,
                4 => Kind::Overlong4,
                5 => Kind::Overlong5,
                _ => Kind::Overlong6,
            });
        }
        if want > Self::LONGEST {
            return Some(if want == 5 { Kind::FiveByte } else { Kind::SixByte });
        }
        if want == 3 && from >= HIGH && to < BEYOND_LOW && !Self::has(LONE) {
            if from >= LOW {
                return Some(Kind::SurrogateLow);
            }
            if !Self::has(JOIN) {
                return Some(Kind::SurrogateHigh);
            }
        }
        if from > char::MAX as u32 && !Self::has(LONG) {
            return Some(Kind::Above10ffff);
        }
        if Self::has(OPTU) && want == 3 && (from >= 0xEF80 && to < 0xF000 || from >= 0xFFFE) {
            // The kind is not reported: each byte is escaped.
            return Some(Kind::LoneContinuation);
        }
        None
    }

    /// Returns an ill-formed step with its number of replacements.
    #[inline(always)]
    const fn ill(kind: Kind, len: usize) -> Step {
        let whole = match kind {
            Kind::TruncatedNext | Kind::TruncatedEnd => true,
            // A complete unpaired surrogate of CESU-8 is one maximal subpart.
            Kind::SurrogateHigh | Kind::SurrogateLow => Self::has(JOIN) && len == 3,
            _ => false,
        };
        Step::Ill { kind, len, replacements: if whole { 1 } else { len as u8 } }
    }

    /// Reads a complete high surrogate and the low one after it, if there is one.
    #[cold]
    fn read_high(bytes: &[u8], last: bool, value: u32) -> Step {
        match low_half(&bytes[3..], last) {
            PairEnd::Short => Step::Short,
            PairEnd::Low(low) if Self::has(JOIN) => {
                Step::Scalar { value: join(value, low), len: 6 }
            }
            PairEnd::Low(_) => Self::ill(Kind::SurrogatePair, 6),
            PairEnd::Other if Self::has(LONE) => Step::Scalar { value, len: 3 },
            PairEnd::Other => Self::ill(Kind::SurrogateHigh, 3),
        }
    }

    /// Returns a lower bound of the length, in bytes, of the front of a run that is strict UTF-8.
    #[inline(always)]
    fn strict(kernels: &Kernels, bytes: &[u8], room: usize) -> usize {
        let ahead = &bytes[..bytes.len().min(4 * room)];
        match () {
            // All well-formed text is strict UTF-8.
            () if R & !(BOM | SIGN | SHORT) == 0 => bytes.len(),
            // Some sequences of UTF-8 are escaped bytes.
            () if Self::has(OPTU) => kernels.ascii(ahead),
            () => kernels.utf8(ahead),
        }
    }

    /// Returns the number of values at the front that are encoded as in UTF-8, if at all.
    #[inline(always)]
    fn common(values: &[u32]) -> usize {
        if !Self::has(SHORT) {
            return values.len();
        }
        front(values, |value| {
            value < 0x1_0000
                && !(Self::has(NUL2) && value == 0)
                && !(Self::has(OPTU) && value >= 0xEF80)
        })
    }

    /// A low surrogate changes the meaning of a high one before it.
    const PAIRS: bool = Self::has(JOIN | APART) || !Self::has(LONE | ESCAPE);
}

impl<const R: u32> Codec for Family<R> {
    type State = AtStart;
    type Pen = FamilyPen;
    const TOLERATES_CHANGES: bool = true;
    // Each byte that is no continuation starts a sequence, except for the low half of a pair, which
    // ends where it would end alone.
    const REACH: Option<u64> = Some(LONGEST_SEQUENCE as u64 - 1);
    const SIGNATURE: &'static [u8] = UTF8_BOM;
    const SIGNS: bool = Self::has(SIGN);
    const UTF8: bool = !Self::has(SHORT | NUL2 | OPTU);
    const STRICT: bool = !Self::has(!(BOM | SIGN));
    const SCHEME: Option<EncodingScheme> = match Self::STRICT {
        true => Some(EncodingScheme::Utf8),
        false => None,
    };
    const TRANSCODES_UNSCANNED: bool = Self::STRICT;
    const REENCODES_ALL: bool = Self::has(APART);
    const WIDEST: usize = if Self::has(JOIN) { 6 } else { Self::LONGEST };
    const ESCAPE: Option<u32> = match (Self::has(ESCAPE), Self::has(OPTU)) {
        (true, _) => Some(LOW),
        (_, true) => Some(OPTU_BASE),
        _ => None,
    };
    const GROUP: Group = Group::Family;
    const PROPERTIES: Properties = Properties {
        transparent: !Self::has(NUL2),
        stateful: false,
        scalars: (!Self::has(SHORT) || Self::has(JOIN)) && !Self::has(OPTU),
        surrogates: Self::has(LONE),
    };

    fn start(_: usize, offset: u64) -> AtStart {
        AtStart(offset == 0)
    }

    #[inline(always)]
    fn prefix(state: &mut AtStart, kernels: &Kernels, bytes: &[u8]) -> usize {
        if Self::has(BOM) && state.0 {
            return 0;
        }
        if !Self::has(SHORT) {
            return kernels.utf8(bytes);
        }
        if !Self::has(NUL2) || Self::has(LAX) {
            return kernels.ascii(bytes);
        }
        // In growing blocks, so that the bytes after a NUL are not searched again for each NUL.
        let (mut at, mut block) = (0, LEAST_BLOCK);
        loop {
            let ahead = &bytes[at..bytes.len().min(at + block)];
            let ascii = kernels.ascii(&ahead[..memchr::memchr(0, ahead).unwrap_or(ahead.len())]);
            at += ascii;
            if ascii < block {
                return at;
            }
            block *= 2;
        }
    }

    #[inline(always)]
    fn step(state: &mut AtStart, bytes: &[u8], last: bool) -> Step {
        if Self::has(BOM) && state.0 {
            if bytes.starts_with(UTF8_BOM) {
                state.0 = false;
                return Step::Signature { len: UTF8_BOM.len() };
            }
            if UTF8_BOM.starts_with(bytes) && !last {
                return Step::Short;
            }
            state.0 = false;
        }
        // Where issues are dense, most are like this: one lookup instead of a loop.
        if let [lead, next, ..] = *bytes
            && lead >= 0x80
            && !continues(next)
            && !Self::has(ESCAPE | OPTU)
        {
            return Self::ill(Self::FAULTS[(lead & 0x7F) as usize][0], 1);
        }
        match Self::read_form(bytes, last) {
            Step::Scalar { value, len: 3 } if Self::PAIRS && value & !0x3FF == HIGH => {
                Self::read_high(bytes, last, value)
            }
            Step::Ill { kind: Kind::SurrogateHigh, len: 3, .. } if Self::PAIRS => {
                Self::read_high(bytes, last, HIGH)
            }
            Step::Ill { .. } if Self::has(ESCAPE) => {
                Step::Scalar { value: LOW + bytes[0] as u32, len: 1 }
            }
            Step::Ill { .. } if Self::has(OPTU) => {
                Step::Scalar { value: OPTU_BASE + bytes[0] as u32, len: 1 }
            }
            step => step,
        }
    }

    fn load(state: &mut AtStart, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        state.0 = false;
        bulk::load::<Self>(state, bytes, values, |bytes, values| {
            let strict = Self::strict(kernels, bytes, values.len());
            kernels.read_utf8(&bytes[..strict], values)
        })
    }

    fn transcode(
        state: &mut AtStart,
        kernels: &Kernels,
        bytes: &[u8],
        scheme: EncodingScheme,
        out: &mut Vec<u8>,
    ) -> usize {
        state.0 = false;
        match scheme {
            EncodingScheme::Utf16(little) if Self::STRICT => {
                kernels.utf8_to_utf16(bytes, little, out)
            }
            EncodingScheme::Utf32(little) if Self::STRICT => {
                kernels.utf8_to_utf32(bytes, little, out)
            }
            _ => 0,
        }
    }

    fn pen(_: usize, _: Escapes) -> FamilyPen {
        FamilyPen::default()
    }

    fn put(pen: &mut FamilyPen, value: u32, out: &mut Vec<u8>) -> bool {
        let holds = match value {
            0xDC80..=0xDCFF if Self::has(ESCAPE) => true,
            0xFFFE | 0xFFFF => !Self::has(OPTU),
            _ if is_surrogate(value) => Self::has(LONE),
            0x1_0000..=0x10_FFFF => !Self::has(SHORT) || Self::has(JOIN),
            0x11_0000..=0x7FFF_FFFF => Self::has(LONG),
            0x8000_0000.. => false,
            _ => true,
        };
        if !holds {
            return false;
        }
        if let Some(high) = pen.high.take() {
            if (LOW..BEYOND_LOW).contains(&value) {
                put_form(join(high, value), out);
                return true;
            }
            put_form(high, out);
        }
        match value {
            0 if Self::has(NUL2) => out.extend([0xC0, 0x80]),
            0xDC80..=0xDCFF if Self::has(ESCAPE) => out.push(value as u8),
            0xEF80..=0xEFFF if Self::has(OPTU) => out.push(value as u8),
            0x1_0000.. if Self::has(SHORT) => {
                split(value).into_iter().for_each(|half| put_form(half, out));
            }
            HIGH..LOW if Self::has(APART | LONG) => pen.high = Some(value),
            _ => put_form(value, out),
        }
        true
    }

    fn store(pen: &mut FamilyPen, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store::<Self>(pen, values, out, |pen, values, out| match pen.high {
            None => kernels.write_utf8(&values[..Self::common(values)], out),
            Some(_) => 0,
        })
    }

    fn release(pen: &mut FamilyPen, out: &mut Vec<u8>) {
        if let Some(high) = pen.high.take() {
            put_form(high, out);
        }
    }

    fn tally(state: &AtStart, bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        if Self::has(JOIN | ESCAPE | OPTU) {
            return tally_by_steps::<Self>(state, bytes, part, lengths);
        }
        tally_leads(&bytes[part], lengths);
    }

    fn spells(bytes: &[u8]) -> Option<u32> {
        let (&lead, rest) = bytes.split_first()?;
        let take = |rest: &[u8]| rest.iter().fold(bits(lead), |value, &byte| shift_in(value, byte));
        match bytes.len() {
            1 => None,
            6 if lead == 0xED => match low_half(&bytes[3..], true) {
                PairEnd::Low(low) => Some(join(take(&rest[..2]), low)),
                _ => None,
            },
            len => (len == announced(lead)).then(|| take(rest)),
        }
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        let (first, last) = match bytes {
            [lead] if *lead >= 0xC0 => Self::SECOND[(lead & 0x3F) as usize],
            _ => (0x80, 0xBF),
        };
        (first <= last).then_some(first..=last)
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        bytes.first().map_or(0, |&lead| announced(lead))
    }

    /// See [`Codec::markers`]. The payload of a surrogate pair is that of both surrogates.
    fn markers(sequence: &[u8], at: usize) -> u32 {
        if Self::is_escaped(sequence) { 0 } else { markers(sequence[at]) }
    }

    fn derivation(sequence: &[u8]) -> Option<String> {
        // The ten bits of a surrogate that are not fixed.
        let half = |second: u8, third: u8| shift_in(u32::from(second & 0x0F), third);
        match *sequence {
            [byte] if Self::is_escaped(sequence) => {
                Some(format!("0x{:X} + 0x{byte:X}", <Self as Codec>::ESCAPE?))
            }
            [_, a, b, _, c, d] if Self::has(JOIN) => {
                Some(format!("0x10000 + (0x{:X} << 10) + 0x{:X}", half(a, b), half(c, d)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ill_formed_sequences_of_one_byte_have_the_kind_of_a_step() {
        let mut state = Utf8::start(0, 1);
        for [byte, next] in (0..=u16::MAX).step_by(crate::TEST_STRIDE).map(u16::to_be_bytes) {
            for rest in [b'a', 0x80, 0x9F, 0xBF, 0xED] {
                let step = Utf8::step(&mut state, &[byte, next, rest, rest, rest, rest], true);
                let expected = match step {
                    Step::Ill { kind, len: 1, replacements } => Some((kind, replacements)),
                    _ => None,
                };
                let found = Utf8::kind_of_byte([byte, next]).map(|kind| (kind, 1));
                assert_eq!(found, expected, "{byte:02X} {next:02X}");
            }
        }
    }
}
