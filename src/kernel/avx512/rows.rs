//! AVX-512: rows of a dump.
//!
//! The digits of a row fit a vector, and so do four bytes of text for each of sixteen bytes, of which
//! those that count are kept.

use std::arch::x86_64::*;
use std::ops::Range;

use super::vector::{LANES, load, select, store};
use crate::kernel::rows::{
    CODE_OF_HALF, CODES, CharCodes, ColumnAppender, Leads, OWN, RowAppender, RowLook, RowSpan,
    RowText, code,
};

/// Returns, for each lane, the index of its byte, in cells of `size` lanes.
const fn owners(size: usize) -> [u8; LANES] {
    let mut owners = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        owners[lane] = (lane / size) as u8;
        lane += 1;
    }
    owners
}

/// Returns the mask of the lanes at one place of cells of `size` lanes. There are `cells`.
const fn places(size: usize, cells: usize, place: usize) -> u64 {
    let mut mask = 0;
    let mut lane = place;
    while lane < cells * size {
        mask |= 1 << lane;
        lane += size;
    }
    mask
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,popcnt")]
pub fn codes(text: &mut RowText, chars: &CharCodes) {
    let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let of_half = _mm512_broadcast_i32x4(load_table(&CODE_OF_HALF));
    let bits = _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]).to_le());
    let (narrow, rest) = chars.narrow.split_at(2 * LANES);
    // Calls in a row: a generic function in between would lack the instructions.
    let (narrow, rest) = (load_two(narrow), load_two(rest));
    let (narrow_pages, wide_pages) = (load_two(&chars.narrow_pages), load_two(&chars.wide_pages));
    let (half, fault) = (splat(0xF), splat(code::FAULT));
    let (first, second) = (splat(code::FIRST[1]), splat(code::SECOND[2]));
    let mut last_is_wide = 0;
    let mut all_leads = Leads::default();
    for (at, leads) in all_leads[..text.blocks()].iter_mut().enumerate() {
        let block = text.block(at);
        let bytes = load(block.first_chunk().expect("a block"));
        let next = load(block.last_chunk().expect("a block"));
        let faults = text.faults(at);
        let codes =
            _mm512_shuffle_epi8(of_half, _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), half));
        let deletes = _mm512_cmpeq_epi8_mask(bytes, splat(0x7F));
        let codes = _mm512_mask_mov_epi8(codes, deletes, splat(code::DELETE));
        let is = |bytes, byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let commands = is(bytes, b'#') & (is(next, b'#') | is(next, b'['));
        let codes = _mm512_mask_mov_epi8(codes, commands, splat(code::UNDECIDED));
        let from = |least: u8| _mm512_cmpge_epu8_mask(bytes, splat(least));
        let (two, three, four) = (from(0xC0), from(0xE0), from(0xF0));
        let (two, three) = (two & !three & !faults, three & !four & !faults);
        // The bits of a byte in the tables: the low bits of the lead byte, and those of the next one
        // but for the last three.
        let place = select(
            0xF8,
            _mm512_slli_epi16::<3>(bytes),
            _mm512_and_si512(_mm512_srli_epi16::<3>(next), splat(7)),
        );
        let bit = _mm512_shuffle_epi8(bits, _mm512_and_si512(next, splat(7)));
        let has = |[low, high]: [__m512i; 2]| {
            _mm512_test_epi8_mask(_mm512_permutex2var_epi8(low, place, high), bit)
        };
        let upper = _mm512_movepi8_mask(place);
        let is_narrow = has(narrow) & !upper | has(rest) & upper;
        let (is_narrow_page, is_wide_page) = (has(narrow_pages), has(wide_pages));
        let wide = three & is_wide_page;
        let codes = _mm512_mask_mov_epi8(codes, wide, first);
        let codes = _mm512_mask_mov_epi8(codes, wide << 1 | last_is_wide, second);
        last_is_wide = wide >> (LANES - 1);
        let codes = _mm512_mask_mov_epi8(codes, faults, fault);
        *leads = [two & !is_narrow, three & !(is_narrow_page | is_wide_page), four & !faults];
        text.set_block(at, store(codes));
    }
    text.set_chars(&all_leads, chars);
}

/// Loads a table of two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_two(table: &[u8]) -> [__m512i; 2] {
    let (halves, _) = table.as_chunks();
    [load(&halves[0]), load(&halves[1])]
}

/// Loads a table of sixteen bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_table(table: &[u8; 16]) -> __m128i {
    // SAFETY: the table has the size of a vector.
    unsafe { _mm_loadu_si128(table.as_ptr().cast()) }
}

/// Loads bytes of a row, and others behind them.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_row(bytes: &[u8; LANES / 2]) -> __m512i {
    // SAFETY: the array has the size of a vector.
    _mm512_castsi256_si512(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
}

/// The tables of the text column.
struct ColumnTables {
    own: __m512i,
    lens: __m512i,
    texts: __m512i,
}

impl ColumnTables {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(look: &RowLook) -> ColumnTables {
        const { assert!(size_of::<[[u8; 4]; CODES]>() == LANES) };
        ColumnTables {
            own: _mm512_broadcast_i32x4(load_table(&OWN)),
            lens: _mm512_broadcast_i32x4(load_table(&look.lens)),
            // SAFETY: the table has the size of a vector.
            texts: unsafe { _mm512_loadu_si512(look.texts.as_ptr().cast()) },
        }
    }

    /// Returns the text column of the first `columns` bytes, and its length in bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]
    fn text(&self, bytes: __m512i, codes: __m512i, columns: usize) -> (__m512i, usize) {
        static OWNERS: [u8; LANES] = owners(4);
        static PLACES: [u8; LANES] = {
            let mut places = [0; LANES];
            let mut lane = 0;
            while lane < LANES {
                places[lane] = (lane % 4) as u8;
                lane += 1;
            }
            places
        };
        static SHOWN: [u8; LANES] = {
            let mut shown = OWNERS;
            let mut lane = 0;
            while lane < LANES {
                shown[lane] += PLACES[lane];
                lane += 1;
            }
            shown
        };
        const THIRDS: u64 = places(4, 16, 2);
        let (owners, places) = (load(&OWNERS), load(&PLACES));
        let codes = _mm512_permutexvar_epi8(owners, codes);
        // The codes are below 16.
        let text = _mm512_or_si512(_mm512_slli_epi16::<2>(codes), places);
        let text = _mm512_permutexvar_epi8(text, self.texts);
        let own = _mm512_movepi8_mask(_mm512_shuffle_epi8(self.own, codes));
        let text = _mm512_mask_permutexvar_epi8(text, own, load(&SHOWN), bytes);
        let control = _mm512_set1_epi8(code::CONTROL.cast_signed());
        let controls = _mm512_mask_cmpeq_epi8_mask(THIRDS, codes, control);
        let controls = _mm512_maskz_permutexvar_epi8(controls, owners, bytes);
        let text = _mm512_or_si512(text, controls);
        let all = u64::MAX >> (LANES - 4 * columns);
        let lens = _mm512_shuffle_epi8(self.lens, codes);
        let kept = _mm512_mask_cmplt_epi8_mask(all, places, lens);
        (_mm512_maskz_compress_epi8(kept, text), kept.count_ones() as usize)
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub fn bits(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    const COLUMNS: usize = 6;
    const DIGITS: usize = 9 * COLUMNS;
    static OWNERS: [u8; LANES] = owners(9);
    /// The bit of its byte that each lane shows; none in the lane before the digits.
    static BITS: [u8; LANES] = {
        let mut bits = [0; LANES];
        let mut lane = 0;
        while lane < DIGITS {
            bits[lane] = (0x100 >> (lane % 9)) as u8;
            lane += 1;
        }
        bits
    };
    const MARK: u64 = places(9, COLUMNS, 0);
    let (owners, bits) = (load(&OWNERS), load(&BITS));
    let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let (blank, zero, one) = (splat(b' '), splat(b'0'), splat(b'1'));
    let zeros = _mm512_mask_mov_epi8(blank, (1 << DIGITS) - 1, zero);
    let marks = _mm512_broadcast_i32x4(load_table(&code::MARKS));
    let column = ColumnTables::new(look);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin() {
        let (bytes, codes) = (load_row(bytes), load_row(codes));
        let ones = _mm512_test_epi8_mask(_mm512_permutexvar_epi8(owners, bytes), bits);
        let digits = _mm512_mask_mov_epi8(zeros, ones, one);
        let marks = _mm512_shuffle_epi8(marks, codes);
        let digits = _mm512_mask_permutexvar_epi8(digits, MARK, owners, marks);
        rows.room.push(store(digits), DIGITS + 2);
        let (text, len) = column.text(bytes, codes, COLUMNS);
        rows.room.push(store(text), len);
        rows.end();
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub fn hex(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    const COLUMNS: usize = 16;
    static OWNERS: [u8; LANES] = owners(3);
    const MARK: u64 = places(3, COLUMNS, 0);
    const HIGH: u64 = places(3, COLUMNS, 1);
    const LOW: u64 = places(3, COLUMNS, 2);
    let owners = load(&OWNERS);
    let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let (blank, nibble) = (splat(b' '), splat(0xF));
    let marks = _mm512_broadcast_i32x4(load_table(&code::MARKS));
    let digits = _mm512_broadcast_i32x4(load_table(&look.digits));
    let column = ColumnTables::new(look);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin() {
        let (bytes, codes) = (load_row(bytes), load_row(codes));
        let high = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
        let high = _mm512_shuffle_epi8(digits, high);
        let low = _mm512_shuffle_epi8(digits, _mm512_and_si512(bytes, nibble));
        let marks = _mm512_shuffle_epi8(marks, codes);
        let cells = _mm512_mask_permutexvar_epi8(blank, MARK, owners, marks);
        let cells = _mm512_mask_permutexvar_epi8(cells, HIGH, owners, high);
        let cells = _mm512_mask_permutexvar_epi8(cells, LOW, owners, low);
        rows.room.push(store(cells), 3 * COLUMNS + 2);
        let (text, len) = column.text(bytes, codes, COLUMNS);
        rows.room.push(store(text), len);
        rows.end();
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub fn column(text: &RowText, range: Range<usize>, look: &RowLook, out: &mut Vec<u8>) {
    let column = ColumnTables::new(look);
    let mut parts = ColumnAppender::<CODES>::new(text, range, out);
    while let Some((bytes, codes, columns)) = parts.next() {
        let (text, len) = column.text(load_row(bytes), load_row(codes), columns);
        parts.room.push(store(text), len);
    }
}
