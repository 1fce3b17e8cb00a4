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

/// Returns the first sixteen bytes of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn row_of(vector: __m512i) -> __m128i {
    _mm512_castsi512_si128(vector)
}

/// Returns a vector that starts with these bytes; the others are unspecified.
#[inline]
#[target_feature(enable = "avx512f")]
fn widen(row: __m128i) -> __m512i {
    _mm512_castsi128_si512(row)
}

/// The tables of the text column.
struct ColumnTables {
    own: __m128i,
    /// For each code, a bit for each byte of its text.
    kept: __m128i,
    texts: __m512i,
}

impl ColumnTables {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(look: &RowLook) -> ColumnTables {
        const { assert!(size_of::<[[u8; 4]; CODES]>() == LANES) };
        debug_assert!(look.lens.iter().all(|&len| len <= 4), "four bits for each");
        ColumnTables {
            own: load_table(&OWN),
            kept: load_table(&look.lens.map(|len| (1 << len) - 1)),
            // SAFETY: the table has the size of a vector.
            texts: unsafe { _mm512_loadu_si512(look.texts.as_ptr().cast()) },
        }
    }

    /// Returns the text column of the first `columns` bytes, and its length in bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
    fn text(&self, bytes: __m512i, codes: __m128i, columns: usize) -> (__m512i, usize) {
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
        /// For each byte of a row, its index behind the texts.
        static SHOWN: [u8; CODES] = {
            let mut shown = [0; CODES];
            let mut at = 0;
            while at < CODES {
                shown[at] = (LANES + at) as u8;
                at += 1;
            }
            shown
        };
        const THIRDS: u64 = places(4, CODES, 2);
        let owners = load(&OWNERS);
        // The codes are below 16.
        let texts = _mm_slli_epi16::<2>(codes);
        let own = _mm_shuffle_epi8(self.own, codes);
        let first = _mm_blendv_epi8(texts, load_table(&SHOWN), own);
        let each = _mm512_add_epi8(_mm512_permutexvar_epi8(owners, widen(first)), load(&PLACES));
        let text = _mm512_permutex2var_epi8(self.texts, each, bytes);
        // The last byte of the picture of a control is the control with the high bit.
        let controls = _mm_cmpeq_epi8_mask(codes, _mm_set1_epi8(code::CONTROL.cast_signed()));
        let controls = _pdep_u64(controls.into(), THIRDS);
        let lasts = _mm_or_si128(row_of(bytes), _mm_set1_epi8(i8::MIN));
        let text = _mm512_mask_permutexvar_epi8(text, controls, owners, widen(lasts));
        let kept = _mm_shuffle_epi8(self.kept, codes);
        // Joins the four bits of two bytes: the first, and the second times 16.
        let kept = _mm_maddubs_epi16(kept, _mm_set1_epi16(0x1001));
        let kept = _mm_cvtsi128_si64(_mm_packus_epi16(kept, kept)).cast_unsigned();
        let kept = kept & u64::MAX >> (LANES - 4 * columns);
        (_mm512_maskz_compress_epi8(kept, text), kept.count_ones() as usize)
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
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
    let marks = load_table(&code::MARKS);
    let column = ColumnTables::new(look);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin() {
        let (bytes, codes) = (load_row(bytes), load_table(codes));
        let ones = _mm512_test_epi8_mask(_mm512_permutexvar_epi8(owners, bytes), bits);
        let digits = _mm512_mask_mov_epi8(zeros, ones, one);
        let marks = widen(_mm_shuffle_epi8(marks, codes));
        let digits = _mm512_mask_permutexvar_epi8(digits, MARK, owners, marks);
        rows.room.push(store(digits), DIGITS + 2);
        let (text, len) = column.text(bytes, codes, COLUMNS);
        rows.room.push(store(text), len);
        rows.end();
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub fn hex(text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    const COLUMNS: usize = 16;
    static OWNERS: [u8; LANES] = owners(3);
    const MARK: u64 = places(3, COLUMNS, 0);
    const HIGH: u64 = places(3, COLUMNS, 1);
    const LOW: u64 = places(3, COLUMNS, 2);
    let owners = load(&OWNERS);
    let splat = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let (blank, half) = (splat(b' '), _mm_set1_epi8(0xF));
    let (marks, digits) = (load_table(&code::MARKS), load_table(&look.digits));
    let column = ColumnTables::new(look);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin() {
        let (bytes, codes) = (load_row(bytes), load_table(codes));
        let row = row_of(bytes);
        let high = _mm_shuffle_epi8(digits, _mm_and_si128(_mm_srli_epi16::<4>(row), half));
        let low = _mm_shuffle_epi8(digits, _mm_and_si128(row, half));
        let marks = _mm_shuffle_epi8(marks, codes);
        let cells = _mm512_mask_permutexvar_epi8(blank, MARK, owners, widen(marks));
        let cells = _mm512_mask_permutexvar_epi8(cells, HIGH, owners, widen(high));
        let cells = _mm512_mask_permutexvar_epi8(cells, LOW, owners, widen(low));
        rows.room.push(store(cells), 3 * COLUMNS + 2);
        let (text, len) = column.text(bytes, codes, COLUMNS);
        rows.room.push(store(text), len);
        rows.end();
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub fn column(text: &RowText, range: Range<usize>, look: &RowLook, out: &mut Vec<u8>) {
    let column = ColumnTables::new(look);
    let mut parts = ColumnAppender::<CODES>::new(text, range, out);
    while let Some((bytes, codes, columns)) = parts.next() {
        let (text, len) = column.text(load_row(bytes), load_table(codes), columns);
        parts.room.push(store(text), len);
    }
}
