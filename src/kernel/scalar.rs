//! The scalar kernel: the standard library, and loops that the compiler vectorizes for any CPU. Vector
//! kernels leave to them what is less than a block.

use std::ops::{Range, RangeInclusive};

use super::rows::{
    CODE_OF_HALF, CODES, CharCodes, ColumnAppender, Leads, RowAppender, RowLook, RowSpan, RowText,
    code,
};
use super::{
    BLOCK, ByteSet, Functions, KernelRow, Kernels, LONGEST_UTF8, PageChars, Replaced, append_blocks,
};

mod faults;
mod utf16;
mod utf32;
mod utf8;

pub use utf8::decode;
pub(super) use utf8::read as read_utf8;
pub(super) use utf16::{read as read_utf16, well_formed as utf16, write as write_utf16};
pub(super) use utf32::{to_utf8 as utf32_to_utf8, well_formed as utf32};

pub(super) const ROW: KernelRow = KernelRow {
    is_available: || true,
    kernels: Kernels {
        name: "scalar",
        summary: "the standard library, and loops without instructions of a CPU",
        functions: Functions {
            utf8,
            ascii,
            utf16,
            utf32,
            read_utf8,
            read_utf16,
            read_page,
            before_any,
            write_page,
            write_utf16,
            // Through code points.
            utf8_to_utf16: |_, _, _| 0,
            utf8_to_utf32: |_, _, _| 0,
            utf16_to_utf8: |_, _, _| 0,
            utf32_to_utf8,
            write_ascii: |values, set, out| set.write_by_lookup(values, out),
            row_codes,
            bit_rows,
            hex_rows,
            row_column,
            lossy,
            skip: |bytes, filter| filter.find_in_blocks(bytes),
            faults: faults::faults,
            fault_bits: faults::fault_bits,
            fault_marks: faults::fault_marks,
        },
    },
};

pub(super) fn utf8(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

pub(super) fn ascii(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let clean = bytes.chunks_exact(BLOCK).take_while(|block| block.is_ascii()).count() * BLOCK;
    let rest = &bytes[clean..];
    clean + rest.iter().take(BLOCK).take_while(|byte| byte.is_ascii()).count()
}

pub(super) fn read_page(bytes: &[u8], points: &[u16; 256], values: &mut [u32]) -> usize {
    let pairs = bytes.iter().zip(values);
    pairs.map(|(&byte, value)| *value = points[usize::from(byte)].into()).count()
}

pub(super) fn before_any(bytes: &[u8], set: &ByteSet) -> usize {
    // Without an exit within a block: lookups do not wait for each other.
    let has_none =
        |block: &&[u8; BLOCK]| !block.iter().fold(false, |any, &byte| any | set.has(byte));
    let blocks = BLOCK * bytes.as_chunks().0.iter().take_while(has_none).count();
    blocks + bytes[blocks..].iter().take_while(|byte| !set.has(**byte)).count()
}

pub(super) fn write_page(bytes: &[u8], page: &PageChars, out: &mut Vec<u8>) -> usize {
    let most = LONGEST_UTF8 * bytes.len();
    append_blocks::<BLOCK, _>(out, most, |room| room.extend_forms(bytes, &page.forms));
    bytes.len()
}

pub(super) fn lossy(bytes: &[u8], stand_in: &[u8], text: &mut Vec<u8>) -> Replaced {
    let mut replaced = Replaced::default();
    for chunk in bytes.utf8_chunks() {
        let (valid, invalid) = (chunk.valid().as_bytes(), chunk.invalid());
        text.extend_from_slice(valid);
        replaced.read += valid.len();
        if replaced.read + invalid.len() == bytes.len() {
            break;
        }
        text.extend_from_slice(stand_in);
        replaced.read += invalid.len();
        replaced.ill_formed += invalid.len();
    }
    replaced
}

/// Returns the mark before the digits of a byte of UTF-8: a point for a continuation byte.
#[inline]
pub const fn mark(byte: u8) -> u8 {
    if byte & 0xC0 == 0x80 { b'.' } else { b' ' }
}

pub(super) fn row_codes(text: &mut RowText, chars: &CharCodes) {
    let mut all = Leads::default();
    for (block, of_block) in all[..text.blocks()].iter_mut().enumerate() {
        let all_bytes = *text.block(block);
        let [bytes @ .., _] = all_bytes;
        let leads = |leads: RangeInclusive<u8>| {
            let mask = |mask, byte: &u8| mask >> 1 | u64::from(leads.contains(byte)) << 63;
            bytes.iter().fold(0, mask)
        };
        let faults = text.faults(block);
        *of_block = [leads(0xC0..=0xDF), leads(0xE0..=0xEF), leads(0xF0..=0xFF)]
            .map(|leads| leads & !faults);
        let code = |at: usize| match all_bytes[at] {
            _ if faults >> at & 1 != 0 => code::FAULT,
            b'#' if matches!(all_bytes[at + 1], b'#' | b'[') => code::UNDECIDED,
            0x7F => code::DELETE,
            byte => CODE_OF_HALF[usize::from(byte >> 4)],
        };
        text.set_block(block, std::array::from_fn(code));
    }
    text.set_chars(&all, chars);
}

pub(super) fn bit_rows(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    append_rows::<6, 8>(text, span, look, out, binary);
}

pub(super) fn hex_rows(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    let digit = |half: u8| look.digits[usize::from(half)];
    append_rows::<16, 2>(text, span, look, out, |byte| [digit(byte >> 4), digit(byte & 0xF)]);
}

fn append_rows<const COLUMNS: usize, const DIGITS: usize>(
    text: &RowText,
    span: RowSpan,
    look: &RowLook,
    out: &mut Vec<u8>,
    digits: impl Fn(u8) -> [u8; DIGITS],
) {
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin::<{ 2 * CODES }, COLUMNS>() {
        for (&byte, &code) in bytes.iter().zip(codes) {
            rows.room.push([code::MARKS[usize::from(code)]], 1);
            rows.room.push(digits(byte), DIGITS);
        }
        rows.room.push(*b"  ", 2);
        for (at, &code) in codes.iter().enumerate() {
            let shown = bytes[at..].first_chunk().expect("bytes behind");
            look.push_text(&mut rows.room, code, *shown);
        }
        rows.end();
    }
}

pub(super) fn row_column(text: &RowText, range: Range<usize>, look: &RowLook, out: &mut Vec<u8>) {
    let mut bytes = ColumnAppender::<1>::new(text, range, out);
    while let Some((&shown, &[code], _)) = bytes.next() {
        look.push_text(&mut bytes.room, code, shown);
    }
}

/// Returns the binary digits of a byte as ASCII.
fn binary(byte: u8) -> [u8; 8] {
    std::array::from_fn(|at| b'0' + (byte >> (7 - at) & 1))
}
