//! The layout of bits of UTF-8.
//!
//! The leading ones of a lead byte are the length of the sequence in bytes. Each byte after it is
//! `10xxxxxx`, with six bits of payload.

use crate::codec::{LONGEST_SEQUENCE, LengthCounts};
use crate::kernel::count;

/// The payload of a continuation byte, in bits.
pub(super) const BITS: u32 = 6;

/// The least value of a shortest sequence, by its length in bytes.
pub(super) const LEAST: [u32; LONGEST_SEQUENCE + 1] = {
    let mut least = [0; LONGEST_SEQUENCE + 1];
    least[2] = 1 << 7;
    let mut bytes = 3;
    while bytes < least.len() {
        // A sequence of n bytes has 7 - n bits in its lead; the next value needs one byte more.
        least[bytes] = 1 << (7 - (bytes - 1) + BITS as usize * (bytes - 2));
        bytes += 1;
    }
    least
};

/// Returns `true` for a continuation byte, 80..BF.
pub(crate) const fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the last offset at or before `most` where a sequence starts or the text ends; `most` if
/// there is none within the length of a sequence.
pub(crate) fn floor_boundary(text: &[u8], most: usize) -> usize {
    let is_boundary = |at: &usize| text.get(*at).is_none_or(|&byte| !continues(byte));
    let least = most.saturating_sub(LONGEST_SEQUENCE - 1);
    (least..=most).rev().find(is_boundary).unwrap_or(most)
}

/// Returns `true` if the first `len` bytes of a four-byte form, which spell `value`, begin a
/// supplementary code point: they are a maximal subpart in UTF-8.
pub(super) const fn begins_supplementary(len: usize, value: u32) -> bool {
    let rest = BITS * (4 - len) as u32;
    let from = value << rest;
    from | ((1 << rest) - 1) >= 0x1_0000 && from <= char::MAX as u32
}

/// Returns the number of marker bits of a byte: the leading ones and the zero after them.
pub(in crate::codec) const fn markers(byte: u8) -> u32 {
    match byte.leading_ones() + 1 {
        bits @ ..=u8::BITS => bits,
        _ => u8::BITS,
    }
}

/// Returns the length that a lead byte announces, in bytes; 1 for any other byte.
pub(super) const fn announced(lead: u8) -> usize {
    match lead.leading_ones() as usize {
        n @ 2..=6 => n,
        _ => 1,
    }
}

/// Returns `true` for a byte that starts a sequence of UTF-8 beyond ASCII: C2 to F4. The Unicode Standard,
/// table 3-7.
pub(crate) const fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC2..=0xF4)
}

/// Appends the payload of a continuation byte to a value.
pub(super) const fn shift_in(value: u32, byte: u8) -> u32 {
    value << BITS | (byte & 0x3F) as u32
}

/// Returns the payload of a lead byte.
pub(super) const fn bits(lead: u8) -> u32 {
    lead as u32 & (0x7F >> announced(lead))
}

/// Appends the shortest sequence of a value of up to 31 bits, surrogates included.
pub(crate) fn put_form(value: u32, out: &mut Vec<u8>) {
    if value < LEAST[2] {
        return out.push(value as u8);
    }
    let len = (3..LEAST.len()).take_while(|&len| value >= LEAST[len]).last().unwrap_or(2);
    let rest = |at: usize| value >> (BITS as usize * (len - 1 - at));
    let marker = !(0xFF >> len) as u8;
    out.push(marker | rest(0) as u8);
    out.extend((1..len).map(|at| 0x80 | (rest(at) & 0x3F) as u8));
}

/// The bytes after a high surrogate.
pub(super) enum PairEnd {
    Low(u32),
    Other,
    Short,
}

/// Reads a low surrogate.
pub(super) const fn low_half(bytes: &[u8], last: bool) -> PairEnd {
    let mut value = 0xED & 0x0F;
    let mut at = 0;
    while at < 3 {
        if at == bytes.len() {
            return if last { PairEnd::Other } else { PairEnd::Short };
        }
        let byte = bytes[at];
        let fits = match at {
            0 => byte == 0xED,
            1 => byte >= 0xB0 && byte <= 0xBF,
            _ => continues(byte),
        };
        if !fits {
            return PairEnd::Other;
        }
        if at > 0 {
            value = shift_in(value, byte);
        }
        at += 1;
    }
    PairEnd::Low(value)
}

/// Adds the number of sequences of each length, by their lead bytes, to `lengths`.
pub(crate) fn tally_leads(bytes: &[u8], lengths: &mut LengthCounts) {
    let leads = |least: u8| count(bytes, |byte| byte >= least);
    let ascii = bytes.len() as u64 - leads(0x80);
    let mut longer = leads(0xC0);
    lengths[0] += ascii;
    for (bytes, least) in [(2, 0xE0), (3, 0xF0), (4, 0xF8), (5, 0xFC)] {
        let more = if longer == 0 { 0 } else { leads(least) };
        // The bytes of a mapped file may change between two counts.
        lengths[bytes - 1] += longer.saturating_sub(more);
        longer = more;
    }
    lengths[5] += longer;
}
