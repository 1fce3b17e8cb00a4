//! Multi-byte sets of East Asia, as in the WHATWG Encoding Standard.
//!
//! `encoding_rs` has the tables and judges well-formedness. A character that was read once is looked
//! up from then on. An ill-formed sequence has the length that the standard gives it: an ASCII byte
//! that interrupts a sequence is not part of it. Of an incomplete GB 18030 sequence, only the lead
//! byte is ill-formed; its digits are ASCII.

use std::ops::{Range, RangeInclusive};

use encoding_rs::DecoderResult;

use super::bulk::{self, WORD};
use super::sets::inverse::{CodePen, push};
use super::{Codec, Escapes, Group, LengthCounts, Properties, Step};
use crate::issue::Kind;
use crate::kernel::{Kernels, LONGEST_UTF8, Loaded, append_blocks};

mod codes;
mod known;
pub(super) mod place;
mod sets;

pub use sets::{LongSequences, MultiByteSet, SETS, set};

/// The codec of a multi-byte set, given by its index in [`SETS`]: see [`set`].
#[derive(Debug)]
pub struct MultiByte<const SET: usize>;

/// The length of the longest sequence, in bytes: that of GB 18030.
pub(crate) const LONGEST: usize = 4;

/// The first sequence of some bytes.
enum LegacyStep {
    /// A well-formed sequence: its length in bytes, its UTF-16 code units, and their number.
    Whole(usize, [u16; 2], usize),
    /// An ill-formed sequence: its length in bytes, and the index of the byte that shows it.
    Fault(usize, usize),
    /// The beginning of a well-formed sequence.
    Part,
}

/// Returns the first bytes, and a lower bound on the number of bytes at the front that are ASCII.
#[inline(always)]
fn read_ascii(kernels: &Kernels, bytes: &[u8]) -> ([u8; WORD], usize) {
    match bulk::ascii_before(bytes, 0x80) {
        (word, WORD) => (word, WORD + kernels.ascii(&bytes[WORD..])),
        few => few,
    }
}

impl<const SET: usize> MultiByte<SET> {
    /// The row of the set.
    const ROW: &'static MultiByteSet = &SETS[SET];

    /// See [`LongSequences`].
    const FOUR_BYTES: bool = matches!(Self::ROW.long, LongSequences::FourBytes);
    const SINGLE_SHIFTS: bool = matches!(Self::ROW.long, LongSequences::SingleShifts);

    /// The first and the last trail byte of pairs.
    const TRAILS: [u8; 2] = [*Self::ROW.trails.start(), *Self::ROW.trails.end()];

    /// Reads one sequence with a fresh decoder.
    fn read(bytes: &[u8]) -> LegacyStep {
        let mut decoder = Self::ROW.encoding.new_decoder_without_bom_handling();
        let mut units = [0; 2];
        for (at, &byte) in bytes.iter().take(LONGEST).enumerate() {
            match decoder.decode_to_utf16_without_replacement(&[byte], &mut units, false) {
                (DecoderResult::Malformed(len, _), ..) => return LegacyStep::Fault(len.into(), at),
                (_, _, 0) => (),
                (_, _, written) => return LegacyStep::Whole(at + 1, units, written),
            }
        }
        LegacyStep::Part
    }

    /// Returns `true` if the bytes are in range, but no character starts with them.
    pub(super) fn starts_no_character(begun: &[u8]) -> bool {
        (Self::ROW.starts_no_character)(begun)
    }

    /// Returns the kind of an ill-formed sequence of `len` bytes that begins well with `begun` and
    /// then has the byte `next`. The first byte that excludes every character decides.
    fn kind(len: usize, begun: &[u8], next: u8) -> Kind {
        let whole = len > begun.len() || begun.len() == 1 && (Self::ROW.is_ascii_trail)(next);
        if whole || Self::starts_no_character(begun) { Kind::Unmapped } else { Kind::TruncatedNext }
    }
}

impl<const SET: usize> Codec for MultiByte<SET> {
    type State = ();
    type Pen = CodePen;
    // A character is read by the step before it is known, so that all that are written are well-formed.
    const TRANSCODES_UNSCANNED: bool = true;
    // A trail byte can look like a lead byte, and in most sets like ASCII.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = match Self::ROW.long {
        LongSequences::FourBytes => &[0x84, 0x31, 0x95, 0x33],
        LongSequences::SingleShifts | LongSequences::None => &[],
    };

    const WIDEST: usize = match Self::ROW.long {
        LongSequences::FourBytes => LONGEST,
        LongSequences::SingleShifts => 3,
        LongSequences::None => 2,
    };
    const GROUP: Group = Group::EastAsia;
    const PROPERTIES: Properties = Properties {
        transparent: Self::TRAILS[0] >= 0x80,
        stateful: false,
        scalars: false,
        surrogates: false,
    };

    fn start(_: usize, _: u64) {}

    fn prefix(_: &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            at += read_ascii(kernels, &bytes[at..]).1;
            match Self::read_some(&bytes[at..], usize::MAX, |_| ()) {
                0 => return at,
                read => at += read,
            }
        }
    }

    fn step(_: &mut (), bytes: &[u8], last: bool) -> Step {
        match Self::read(bytes) {
            LegacyStep::Whole(len, units, written) => {
                let mut values = char::decode_utf16(units[..written].iter().copied())
                    .map(|unit| unit.map_or(0xFFFD, u32::from));
                match (values.next(), values.next()) {
                    (Some(first), Some(second)) => Step::Two { values: [first, second], len },
                    (first, _) => Step::Scalar { value: first.unwrap_or(0xFFFD), len },
                }
            }
            LegacyStep::Fault(len, at) => Step::ill(Self::kind(len, &bytes[..at], bytes[at]), len),
            LegacyStep::Part if bytes.is_empty() || !last => Step::Short,
            LegacyStep::Part if Self::starts_no_character(bytes) => {
                Step::ill(Kind::Unmapped, bytes.len())
            }
            LegacyStep::Part => Step::ill(Kind::TruncatedEnd, bytes.len()),
        }
    }

    fn load(_: &mut (), _: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load::<Self>(&mut (), bytes, values, |bytes, values| {
            let mut written = 0;
            let read = Self::read_some(bytes, values.len(), |form| {
                values[written] = form.value();
                written += 1;
            });
            Loaded { read, written }
        })
    }

    fn write_utf8(_: &mut (), kernels: &Kernels, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        append_blocks::<WORD, _>(out, LONGEST_UTF8 * bytes.len(), |room| {
            let mut at = 0;
            loop {
                let (word, ascii) = read_ascii(kernels, &bytes[at..]);
                match ascii {
                    ..=WORD => room.push(word, ascii),
                    _ => room.extend(&bytes[at..at + ascii]),
                }
                at += ascii;
                match Self::read_some(&bytes[at..], usize::MAX, |form| room.push_form(form)) {
                    0 => return at,
                    read => at += read,
                }
            }
        })
    }

    fn pen(_: usize, _: Escapes) -> CodePen {
        CodePen::new(Self::inverse())
    }

    fn put(pen: &mut CodePen, value: u32, out: &mut Vec<u8>) -> bool {
        pen.put(value, |code| push(code, out))
    }

    fn store(pen: &mut CodePen, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        pen.store(values, out)
    }

    fn holds_letters(_: usize) -> bool {
        Self::ROW.joins_marks
    }

    fn release(pen: &mut CodePen, out: &mut Vec<u8>) {
        pen.release(|code| push(code, out));
    }

    fn tally(_: &(), bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        let mut at = 0;
        while at < part.end {
            let len = Self::announced(0, &bytes[at..]);
            let two = Self::ROW.has_two_code_points
                && matches!(bytes[at..], [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..]);
            lengths[len - 1] += if at < part.start { 0 } else { 1 + u64::from(two) };
            at += len;
        }
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        match bytes {
            [0x8E] if Self::SINGLE_SHIFTS => Some(0xA1..=0xDF),
            // A digit continues a sequence of four bytes.
            [_] if Self::FOUR_BYTES => Some(b'0'..=Self::TRAILS[1]),
            [_] => Some(Self::ROW.trails.clone()),
            [_, b'0'..=b'9'] => Some(0x81..=0xFE),
            [_, b'0'..=b'9', _] => Some(b'0'..=b'9'),
            _ => Some(Self::ROW.trails.clone()),
        }
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        match bytes {
            [lead, ..] if !(Self::ROW.is_lead)(*lead) => 1,
            [0x8F, ..] if Self::SINGLE_SHIFTS => 3,
            [_, b'0'..=b'9', ..] if Self::FOUR_BYTES => 4,
            _ => 2,
        }
    }

    fn markers(sequence: &[u8], at: usize) -> u32 {
        Self::marks(sequence, at)
    }

    fn derivation(sequence: &[u8]) -> Option<String> {
        Self::place(sequence)
    }
}
