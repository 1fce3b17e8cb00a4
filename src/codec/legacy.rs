//! What do several bytes mean in the sets of East Asia? The WHATWG Encoding Standard's answers.
//!
//! `encoding_rs` has the tables and is the judge. A fault spans what the standard takes for one:
//! an ASCII byte that interrupts a sequence is never part of it.

use std::ops::{Range, RangeInclusive};

use encoding_rs::{DecoderResult, Encoding};

use super::{Codec, Escapes, Group, Lengths, Step, Traits};
use crate::issue::Kind;
use crate::kernel::Kernels;

/// A multi-byte set: one of the constants below.
#[derive(Debug)]
pub struct Legacy<const SET: usize>;

/// GBK, which is read as GB 18030.
pub const GBK: usize = 0;
/// GB 18030.
pub const GB18030: usize = 1;
/// Big5, with the Hong Kong supplement when it is read.
pub const BIG5: usize = 2;
/// EUC-JP: JIS X 0208, and JIS X 0212 when it is read.
pub const EUC_JP: usize = 3;
/// Shift_JIS as Windows has it.
pub const SHIFT_JIS: usize = 4;
/// EUC-KR as Windows has it: Unified Hangul Code.
pub const EUC_KR: usize = 5;

static SETS: [&Encoding; 6] = [
    &encoding_rs::GBK_INIT,
    &encoding_rs::GB18030_INIT,
    &encoding_rs::BIG5_INIT,
    &encoding_rs::EUC_JP_INIT,
    &encoding_rs::SHIFT_JIS_INIT,
    &encoding_rs::EUC_KR_INIT,
];

/// The longest sequence, of GB 18030.
const LONGEST: usize = 4;

/// How many bytes are decoded at once. Where faults are dense, room for more would be cleared for
/// nothing.
const BLOCK: usize = 256;

/// What stands at the front of some bytes.
enum Read {
    /// A sequence of so many bytes, and its UTF-16 code units.
    Whole(usize, [u16; 2], usize),
    /// A fault of so many bytes, and the byte behind it if it took that to tell.
    Fault(usize, Option<u8>),
    /// The beginning of a sequence.
    Part,
}

impl<const SET: usize> Legacy<SET> {
    /// Read one sequence. A decoder that is fresh knows nothing of what was before it.
    fn read(bytes: &[u8]) -> Read {
        let mut decoder = SETS[SET].new_decoder_without_bom_handling();
        let mut units = [0; 2];
        for at in 0..bytes.len().min(LONGEST) {
            let byte = &bytes[at..=at];
            match decoder.decode_to_utf16_without_replacement(byte, &mut units, false) {
                (DecoderResult::Malformed(len, _), ..) => {
                    let len = usize::from(len);
                    return Read::Fault(len, bytes[..=at].get(len).copied());
                }
                (_, _, 0) => (),
                (_, _, written) => return Read::Whole(at + 1, units, written),
            }
        }
        Read::Part
    }

    /// What may stand behind a lead byte in a pair, first and last.
    const TRAILS: RangeInclusive<u8> = match SET {
        GBK | GB18030 | BIG5 => 0x40..=0xFE,
        EUC_JP => 0xA1..=0xFE,
        SHIFT_JIS => 0x40..=0xFC,
        _ => 0x41..=0xFE,
    };

    /// Whether this byte of ASCII may stand behind a lead byte.
    fn trails(byte: u8) -> bool {
        match SET {
            EUC_JP => false,
            EUC_KR => byte.is_ascii_alphabetic(),
            GBK | GB18030 => matches!(byte, b'0'..=b'9' | 0x40..=0x7E),
            _ => matches!(byte, 0x40..=0x7E),
        }
    }

    /// Whether a sequence of more than one byte starts with this one.
    fn leads(byte: u8) -> bool {
        match SET {
            EUC_JP => matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE),
            SHIFT_JIS => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
            _ => matches!(byte, 0x81..=0xFE),
        }
    }

    /// Why a fault is one that ends before this byte, if it was a byte behind it that told.
    fn kind(next: Option<u8>) -> Kind {
        match next {
            Some(next) if !Self::trails(next) => Kind::TruncatedNext,
            _ => Kind::Unmapped,
        }
    }

    /// How many bytes at the end of these, which are well formed so far, begin a sequence?
    fn pending(decoder: &mut encoding_rs::Decoder) -> usize {
        match decoder.decode_to_utf16_without_replacement(&[], &mut [0; 2], true).0 {
            DecoderResult::Malformed(len, behind) => usize::from(len + behind),
            _ => 0,
        }
    }
}

impl<const SET: usize> Codec for Legacy<SET> {
    type State = ();
    type Pen = ();
    // A trail byte may look like a lead byte, and most of the others like ASCII.
    const REACH: Option<u64> = None;
    const SIGNATURE: &'static [u8] = &[];

    const GROUP: Group = Group::EastAsia;
    const TRAITS: Traits =
        Traits { transparent: SET == EUC_JP, stateful: false, scalars: false, surrogates: false };

    fn start(_: u64) {}

    fn prefix(_: &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        let mut at = (kernels.ascii)(bytes);
        if at == bytes.len() {
            return at;
        }
        let mut decoder = SETS[SET].new_decoder_without_bom_handling();
        let mut units = [0; BLOCK];
        while at < bytes.len() {
            let rest = &bytes[at..];
            let (result, read, _) =
                decoder.decode_to_utf16_without_replacement(rest, &mut units, false);
            at += read;
            if let DecoderResult::Malformed(len, behind) = result {
                return at - usize::from(len + behind);
            }
        }
        at - Self::pending(&mut decoder)
    }

    fn step(_: &mut (), bytes: &[u8], last: bool) -> Step {
        let fault = |kind, len| Step::Ill { kind, len, replacements: 1 };
        match Self::read(bytes) {
            Read::Whole(len, units, written) => {
                let mut values = char::decode_utf16(units[..written].iter().copied())
                    .map(|unit| unit.map_or(0xFFFD, u32::from));
                match (values.next(), values.next()) {
                    (Some(first), Some(second)) => Step::Two { values: [first, second], len },
                    (first, _) => Step::Scalar { value: first.unwrap_or(0xFFFD), len },
                }
            }
            Read::Fault(len, next) => fault(Self::kind(next), len),
            Read::Part if last && !bytes.is_empty() => fault(Kind::TruncatedEnd, bytes.len()),
            Read::Part => Step::Short,
        }
    }

    fn pen(_: Escapes) {}

    /// Strictly: what would be read as another character is not written.
    fn put(_: &mut (), value: u32, out: &mut Vec<u8>) -> bool {
        if value < 0x80 {
            out.push(value as u8);
            return true;
        }
        let Some(scalar) = char::from_u32(value) else { return false };
        let mut bytes = [0; LONGEST];
        // More than any sequence takes: an encoder may demand some to spare.
        let mut room = [0; 16];
        let (_, _, len) = SETS[SET].new_encoder().encode_from_utf8_without_replacement(
            scalar.encode_utf8(&mut bytes),
            &mut room,
            true,
        );
        let read = Self::step(&mut (), &room[..len], true);
        let same = read == Step::Scalar { value, len };
        if same {
            out.extend_from_slice(&room[..len]);
        }
        same
    }

    fn tally(_: &(), bytes: &[u8], part: Range<usize>, lengths: &mut Lengths) {
        let mut at = 0;
        while at < part.end {
            let len = Self::announced(&bytes[at..]);
            let two = SET == BIG5 && matches!(bytes[at..], [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..]);
            lengths[len - 1] += if at < part.start { 0 } else { 1 + u64::from(two) };
            at += len;
        }
    }

    fn expected(bytes: &[u8]) -> Option<RangeInclusive<u8>> {
        match bytes {
            [0x8E] if SET == EUC_JP => Some(0xA1..=0xDF),
            [_] => Some(Self::TRAILS),
            [_, b'0'..=b'9'] => Some(0x81..=0xFE),
            [_, b'0'..=b'9', _] => Some(b'0'..=b'9'),
            _ => Some(Self::TRAILS),
        }
    }

    fn announced(bytes: &[u8]) -> usize {
        match bytes {
            [lead, ..] if !Self::leads(*lead) => 1,
            [0x8F, ..] if SET == EUC_JP => 3,
            [_, b'0'..=b'9', ..] if SET == GBK || SET == GB18030 => 4,
            _ => 2,
        }
    }
}
