//! The scalar kernel: the standard library, with which every other kernel must agree.

use std::ops::{Range, RangeInclusive};

use super::rows::{
    CODE_OF_HALF, CODES, CharCodes, ColumnAppender, Leads, RowAppender, RowLook, RowSpan, RowText,
    code,
};
use super::{FaultMark, Functions, KernelRow, Kernels, Loaded, Replaced};

pub(super) const ROW: KernelRow = KernelRow {
    is_available: || true,
    kernels: Kernels {
        name: "scalar",
        summary: "the standard library, no vector instructions of its own",
        functions: Functions {
            utf8,
            ascii,
            utf16,
            utf32,
            // The codecs' own steps are the reference.
            read_utf8: |_, _| Loaded::default(),
            read_utf16: |_, _, _| Loaded::default(),
            read_page: |_, _, _| 0,
            write_page: |_, _, _| 0,
            write_utf16: |_, _, _| 0,
            utf8_to_utf16: |_, _, _| 0,
            utf8_to_utf32: |_, _, _| 0,
            utf16_to_utf8: |_, _, _| 0,
            utf32_to_utf8: |_, _, _| 0,
            write_ascii: |values, set, out| set.write(values, out),
            row_codes,
            bit_rows,
            hex_rows,
            row_column,
            lossy: |_, _, _| Replaced::default(),
            faults: |_, _| 0,
            fault_marks: |_, _| FaultMark::default(),
            skip: |bytes, filter| filter.find(bytes),
        },
    },
};

fn utf16(bytes: &[u8], little: bool) -> usize {
    let order = if little { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.as_chunks().0.iter().map(|&unit| order(unit));
    let scalars = char::decode_utf16(units).map_while(Result::ok);
    2 * scalars.map(char::len_utf16).sum::<usize>()
}

pub(super) fn utf32(bytes: &[u8], little: bool) -> usize {
    let order = if little { u32::from_le_bytes } else { u32::from_be_bytes };
    let units = bytes.as_chunks().0.iter().map(|&unit| order(unit));
    4 * units.map_while(char::from_u32).count()
}

pub(super) fn utf8(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Shared with the portable kernel: the compiler vectorizes it.
pub(super) fn ascii(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let clean = bytes.chunks_exact(BLOCK).take_while(|block| block.is_ascii()).count() * BLOCK;
    let rest = &bytes[clean..];
    clean + rest.iter().take(BLOCK).take_while(|byte| byte.is_ascii()).count()
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
        *of_block = [leads(0xC0..=0xDF), leads(0xE0..=0xEF), leads(0xF0..=0xFF)];
        let code = |at: usize| match all_bytes[at] {
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

pub(super) fn row_column(
    text: &RowText,
    range: Range<usize>,
    look: &RowLook,
    out: &mut Vec<u8>,
) {
    let mut bytes = ColumnAppender::<1>::new(text, range, out);
    while let Some((&shown, &[code], _)) = bytes.next() {
        look.push_text(&mut bytes.room, code, shown);
    }
}

/// Returns the binary digits of a byte as ASCII.
fn binary(byte: u8) -> [u8; 8] {
    std::array::from_fn(|at| b'0' + (byte >> (7 - at) & 1))
}
