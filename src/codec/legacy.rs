//! Multi-byte sets of East Asia, as in the WHATWG Encoding Standard.
//!
//! `encoding_rs` has the tables and judges well-formedness. An ill-formed sequence has the length
//! that the standard gives it: an ASCII byte that interrupts a sequence is not part of it. Of an
//! incomplete GB 18030 sequence, only the lead byte is ill-formed; its digits are ASCII.

use std::ops::{Range, RangeInclusive};

use encoding_rs::DecoderResult;

use super::{Codec, Escapes, Group, LengthCounts, Properties, Step, bulk, load_by_steps};
use crate::issue::Kind;
use crate::kernel::{AsciiSet, Kernels, Loaded};
use codes::PendingLetter;

mod codes;
pub(super) mod place;
mod sets;

pub use sets::{LongSequences, MultiByteSet, SETS, set};

/// The codec of a multi-byte set, given by its index in [`SETS`]: see [`set`].
#[derive(Debug)]
pub struct MultiByte<const SET: usize>;

/// The length of the longest sequence, in bytes: that of GB 18030.
pub(super) const LONGEST: usize = 4;

/// The code units decoded at once. Where issues are dense, clearing a larger buffer costs more than
/// it saves.
const BLOCK: usize = 256;

/// The first sequence of some bytes.
enum LegacyStep {
    /// A well-formed sequence: its length in bytes, its UTF-16 code units, and their number.
    Whole(usize, [u16; 2], usize),
    /// An ill-formed sequence: its length in bytes, and the index of the byte that shows it.
    Fault(usize, usize),
    /// The beginning of a well-formed sequence.
    Part,
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
        for at in 0..bytes.len().min(LONGEST) {
            let byte = &bytes[at..=at];
            match decoder.decode_to_utf16_without_replacement(byte, &mut units, false) {
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

    /// Returns the number of bytes of an incomplete sequence at the end of the decoded bytes.
    fn pending(decoder: &mut encoding_rs::Decoder) -> usize {
        match decoder.decode_to_utf16_without_replacement(&[], &mut [0; 2], true).0 {
            DecoderResult::Malformed(len, after) => usize::from(len + after),
            _ => 0,
        }
    }
}

impl<const SET: usize> Codec for MultiByte<SET> {
    type State = ();
    type Pen = PendingLetter;
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

    fn start(_: u64) {}

    fn prefix(_: &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        let mut at = kernels.ascii(bytes);
        if at == bytes.len() {
            return at;
        }
        let mut decoder = Self::ROW.encoding.new_decoder_without_bom_handling();
        let mut units = [0; BLOCK];
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (result, read, _) =
                decoder.decode_to_utf16_without_replacement(rest, &mut units, false);
            at += read;
            if let DecoderResult::Malformed(len, after) = result {
                return at - usize::from(len + after);
            }
        }
        at - Self::pending(&mut decoder)
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
        let mut decoder = Self::ROW.encoding.new_decoder_without_bom_handling();
        let mut units = [0; BLOCK];
        let mut all = Loaded::default();
        while all.read < bytes.len() {
            let room = &mut units[..BLOCK.min(values.len() - all.written)];
            let (_, read, written) =
                decoder.decode_to_utf16_without_replacement(&bytes[all.read..], room, false);
            if read == 0 {
                break;
            }
            all.read += read;
            let points = char::decode_utf16(room[..written].iter().copied());
            for (value, point) in values[all.written..].iter_mut().zip(points) {
                *value = point.map_or(0xFFFD, u32::from);
                all.written += 1;
            }
        }
        all.read -= Self::pending(&mut decoder);
        // A decoder may need more room than there is.
        if all.read == 0 { load_by_steps::<Self>(&mut (), bytes, values) } else { all }
    }

    fn pen(_: Escapes) -> PendingLetter {
        PendingLetter::default()
    }

    fn put(held: &mut PendingLetter, value: u32, out: &mut Vec<u8>) -> bool {
        Self::write(held, value, out)
    }

    fn store(
        held: &mut PendingLetter,
        kernels: &Kernels,
        values: &[u32],
        out: &mut Vec<u8>,
    ) -> usize {
        bulk::store_by_runs::<Self>(held, values, out, |held, values, out| {
            if values[0] >= 0x80 {
                return Self::write_pairs(values, out);
            }
            held.release(out);
            kernels.write_ascii(values, &AsciiSet::ALL, out)
        })
    }

    fn finish(held: &mut PendingLetter, out: &mut Vec<u8>) {
        held.release(out);
    }

    fn tally(_: &(), bytes: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        let mut at = 0;
        while at < part.end {
            let len = Self::announced(&bytes[at..]);
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

    fn announced(bytes: &[u8]) -> usize {
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
