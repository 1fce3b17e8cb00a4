//! Kernels that write the rows of dumps: the codes of bytes, and their digits and text.

use crate::common::inputs::{Rng, dirty};
use crate::common::model::trails;
use crate::common::{hex, kernels, valid_up_to};
use crate::properties::kernels::{fault_len, fault_starts};
use utf8::kernel::{
    CharCodes, FaultBits, Kernels, MOST_ROW_TEXT, PAGE, RowLook, RowSpan, RowText, row_code,
};

/// Returns the codes of the bytes of a text, one sequence after the other, where `chars` has those of
/// characters of several bytes.
fn row_codes(text: &[u8], chars: &CharCodes) -> Vec<u8> {
    let mut codes = Vec::new();
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            let start = codes.len();
            codes.resize(start + c.len_utf8(), row_code::FURTHER);
            match c {
                '\0'..' ' => codes[start] = row_code::CONTROL,
                '\x7F' => codes[start] = row_code::DELETE,
                '#' if matches!(text.get(start + 1), Some(b'#' | b'[')) => {
                    codes[start] = row_code::UNDECIDED;
                }
                ' '..='~' => codes[start] = row_code::FIRST[1],
                _ => codes[start..start + 2].copy_from_slice(&chars.get(c.into())),
            }
        }
        codes.resize(codes.len() + chunk.invalid().len(), row_code::FURTHER);
    }
    codes
}

/// Makes each lead byte that starts no character a continuation byte.
fn without_leads(mut text: Vec<u8>) -> Vec<u8> {
    loop {
        let valid = valid_up_to(&text);
        let Some(at) = fault_starts(&text[valid..])
            .into_iter()
            .map(|at| valid + at)
            .find(|&at| !trails(text[at]))
        else {
            return text;
        };
        text[at] = 0x80;
    }
}

/// Returns codes of any two values for all characters beyond ASCII, in some pages all the same.
fn any_codes(rng: &mut Rng) -> CharCodes {
    let mut chars = CharCodes::new();
    for first in (0x80..=u32::from(char::MAX)).step_by(PAGE) {
        let size = match first {
            ..0x800 => 2,
            0x800..0x1_0000 => 3,
            0x1_0000.. => 4,
        };
        let narrow = [row_code::FIRST[size], row_code::FURTHER];
        let wide = [row_code::FIRST[1], row_code::SECOND[size - 1]];
        let page = rng.next() % 4;
        let codes = std::array::from_fn(|_| match (page, rng.next()) {
            (0, random) if random & 1 == 0 => {
                [(random >> 8) as u8 & 0xF, (random >> 16) as u8 & 0xF]
            }
            (0 | 1, _) => narrow,
            _ => wide,
        });
        chars.set_page(first, size, &codes);
    }
    chars
}

#[test]
fn codes_of_rows_are_those_of_the_characters() {
    let mut rng = Rng::new(31);
    let chars = any_codes(&mut rng);
    for len in 0..=MOST_ROW_TEXT {
        let bytes = match len % 3 {
            0 => dirty(&mut rng, len, &[1, 2, 3, 4], 20),
            1 => (0..len).map(|_| rng.next() as u8).collect(),
            _ => dirty(&mut rng, len, &[1, 3], 100),
        };
        let bytes = without_leads(bytes);
        let expected = row_codes(&bytes, &chars);
        for kernels in kernels() {
            // The last character may have bytes behind the text.
            for cut in 0..=bytes.len().min(3) {
                let mut text = RowText::new();
                text.set(&bytes, bytes.len() - cut);
                kernels.row_codes(&mut text, &chars);
                // The byte behind the text has a code, too.
                let found = &text.codes()[..expected.len().min(bytes.len() - cut + 1)];
                assert_eq!(found, &expected[..found.len()], "{}: {}", kernels.name, hex(&bytes));
            }
        }
    }
}

#[test]
fn codes_of_rows_have_the_faults_of_the_text() {
    let mut rng = Rng::new(33);
    let chars = any_codes(&mut rng);
    for len in 0..MOST_ROW_TEXT {
        let bytes = match len % 2 {
            0 => dirty(&mut rng, len + 200, &[1, 2, 3, 4], 3),
            _ => (0..len + 200).map(|_| rng.pick(&BYTES)).collect::<Vec<u8>>(),
        };
        let mut bits = FaultBits::NONE;
        let examined = kernels().map(|kernels| kernels.fault_bits(&bytes, &mut bits)).max();
        if examined.is_none_or(|examined| examined <= len) {
            continue;
        }
        kernels().find(|kernels| kernels.fault_bits(&bytes, &mut bits) > 0);
        bits.finish(&bytes, fault_len);
        let start = len / 7;
        let mut part = bytes[start..].to_vec();
        for second in bits.seconds().iter().filter_map(|&at| (at as usize).checked_sub(start)) {
            part[second] = 0x80;
        }
        // A byte that starts no sequence, and a stray continuation byte, have the same code.
        let mut plain = part.clone();
        bits.between(start, bytes.len()).for_each(|at| plain[at - start] = 0x80);
        let mut expected = row_codes(&plain, &chars);
        bits.between(start, bytes.len()).for_each(|at| expected[at - start] = row_code::FAULT);
        let cut = len - start;
        for kernels in kernels() {
            let mut text = RowText::new();
            text.set(&part, cut);
            text.set_faults(&bits, start);
            kernels.row_codes(&mut text, &chars);
            assert_eq!(text.codes(), &expected[..=cut], "{}: {}", kernels.name, hex(&part));
        }
    }
}

/// Bytes that are often in ill-formed sequences, and in pairs of surrogates.
const BYTES: [u8; 13] =
    [b'a', b'\n', b'#', 0x80, 0xA0, 0xB0, 0xC3, 0xCC, 0xE4, 0xED, 0xED, 0xF0, 0xFF];

/// Returns the row of some bytes with these codes, one byte after the other. `behind` has the bytes
/// of the row and three more.
fn row_of(offset: u64, codes: &[u8], behind: &[u8], cell: fn(u8) -> String) -> Vec<u8> {
    let digits = if offset >> 32 > 0 { 16 } else { 8 };
    let mut row = format!("{offset:0digits$x}:").into_bytes();
    for (code, &byte) in codes.iter().zip(behind) {
        row.push(match *code {
            row_code::FAULT => b'!',
            row_code::FURTHER => b'.',
            code if row_code::SECOND.contains(&code) => b'.',
            _ => b' ',
        });
        row.extend(cell(byte).bytes());
    }
    row.extend(b"  ");
    row.extend(column_of(codes, behind));
    row.push(b'\n');
    row
}

/// Returns the text column of some bytes with these codes, as [`row_of`] does.
fn column_of(codes: &[u8], behind: &[u8]) -> Vec<u8> {
    let mut column = Vec::new();
    for (at, &code) in codes.iter().enumerate() {
        let firsts = row_code::FIRST.iter().skip(1).position(|&first| first == code);
        let seconds = row_code::SECOND.iter().skip(2).position(|&second| second == code);
        if let Some(len) = firsts.map(|at| at + 1).or(seconds.map(|at| at + 2)) {
            column.extend(&behind[at..at + len]);
        } else if code == row_code::CONTROL {
            column.extend([0xE2, 0x90, 0x80 | behind[at]]);
        } else {
            column.extend(text_of_code(code));
        }
    }
    column
}

/// Returns a text of one to three bytes for each code; the one of controls is the picture of NUL.
fn text_of_code(code: u8) -> &'static [u8] {
    assert_eq!(row_code::CONTROL % 3, 2);
    ["x", "·", "␀"][usize::from(code) % 3].as_bytes()
}

/// The bytes in a row, the digits of one, and the function that appends rows.
type RowGrid = (usize, fn(u8) -> String, fn(&Kernels, &RowText, RowSpan, &RowLook, &mut Vec<u8>));

const GRIDS: [RowGrid; 2] = [
    (6, |byte| format!("{byte:08b}"), Kernels::bit_rows),
    (16, |byte| format!("{byte:02X}"), Kernels::hex_rows),
];

#[test]
fn rows_have_the_digits_and_the_text_of_each_byte() {
    let mut rng = Rng::new(32);
    let look = RowLook::new(*b"0123456789ABCDEF", text_of_code);
    for len in (0..=MOST_ROW_TEXT).step_by(48) {
        let mut text = RowText::new();
        let mut bytes: Vec<u8> = (0..len + 3).map(|_| rng.next() as u8).collect();
        text.set(&bytes, len);
        // Every other text has at most two bytes in the column for each of its own.
        let most = if len % 96 == 0 { 2 } else { 4 };
        let codes: Vec<u8> =
            (0..16).filter(|&code| column_of(&[code], &[0; 4]).len() <= most).collect();
        for (code, byte) in text.codes_mut().iter_mut().zip(&mut bytes) {
            *code = codes[rng.next() as usize % codes.len()];
            *byte &= if *code == row_code::CONTROL { 0x1F } else { 0xFF };
        }
        text.set(&bytes, len);
        let codes = text.codes().to_vec();
        for range in [0..len, len / 3..len / 2, len..len] {
            let expected = column_of(&codes[range.clone()], &bytes[range.start..]);
            for kernels in kernels() {
                let mut out = Vec::new();
                kernels.row_column(&text, range.clone(), &look, &mut out);
                assert_eq!(out, expected, "{} {range:?}", kernels.name);
            }
        }
        for offset in [0, 0xFF, 0xFFFF_FFF0, 0x12_3456_789A] {
            for (columns, cell, append) in GRIDS {
                let start = len / columns / 3 * columns;
                let rows = (len - start) / columns;
                let mut expected = b"before".to_vec();
                for row in 0..rows {
                    let (at, place) = (row * columns, start + row * columns);
                    let (codes, behind) = (&codes[place..place + columns], &bytes[place..]);
                    expected.extend(row_of(offset + at as u64, codes, behind, cell));
                }
                for kernels in kernels() {
                    let mut out = b"before".to_vec();
                    append(kernels, &text, RowSpan { offset, start, rows }, &look, &mut out);
                    let texts = [&out, &expected].map(|text| String::from_utf8_lossy(text));
                    assert_eq!(texts[0], texts[1], "{} {columns}", kernels.name);
                }
            }
        }
    }
}
