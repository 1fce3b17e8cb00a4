//! Rows of a dump, with vectors of 128 bits.

use std::ops::Range;

use super::squeeze;
use super::vector::{LANES, Lanes, MOST_SIZE, Vectors};
use crate::kernel::rows::{
    BLOCK, CODE_OF_HALF, CharCodes, ColumnAppender, Leads, OWN, RowAppender, RowLook, RowSpan,
    RowText, code,
};
use crate::kernel::spare::SpareRoom;

/// Implements [`Kernels::row_codes`](crate::kernel::Kernels::row_codes).
#[inline(always)]
pub fn codes<V: Vectors>(v: V, text: &mut RowText, chars: &CharCodes) {
    let of_half = v.load_each(&CODE_OF_HALF);
    let (last, delete) = (v.splat8(0x7F), v.splat8(code::DELETE));
    let (hash, bracket, undecided) = (v.splat8(b'#'), v.splat8(b'['), v.splat8(code::UNDECIDED));
    let fault = v.splat8(code::FAULT);
    let [narrow_c, narrow_d] = chars.narrow_leads.each_ref().map(|leads| v.load_each(leads));
    let mut leads = Leads::default();
    for (block, leads) in leads[..text.blocks()].iter_mut().enumerate() {
        let mut codes = [0; BLOCK];
        let block_codes = codes.chunks_exact_mut(V::SIZE);
        let block_bytes = text.block(block);
        let is_ascii = block_bytes[..BLOCK].is_ascii();
        let faults = text.faults(block);
        for (at, codes) in (0..).step_by(V::SIZE).zip(block_codes) {
            let bytes = v.load(&block_bytes[at..]);
            let next = v.load(&block_bytes[at + 1..]);
            let (high, low) = halves(v, bytes);
            let of_bytes = v.select(v.eq8(bytes, last), delete, v.shuffle(of_half, high));
            let ends = v.or(v.eq8(next, hash), v.eq8(next, bracket));
            let commands = v.and(v.eq8(bytes, hash), ends);
            let of_bytes = v.select(commands, undecided, of_bytes);
            if is_ascii {
                codes.copy_from_slice(v.store(of_bytes).as_ref());
                continue;
            }
            let of_faults = v.select(lanes(v, faults >> at), fault, of_bytes);
            codes.copy_from_slice(v.store(of_faults).as_ref());
            let (two, three, four) =
                (from(v, bytes, 0xC0), from(v, bytes, 0xE0), from(v, bytes, 0xF0));
            let narrow_c = v.and(v.eq8(high, v.splat8(0xC)), v.shuffle(narrow_c, low));
            let narrow_d = v.and(v.eq8(high, v.splat8(0xD)), v.shuffle(narrow_d, low));
            let narrow: u64 = v.bits8(v.or(narrow_c, narrow_d)).into();
            leads[0] |= (two & !three & !narrow) << at;
            leads[1] |= (three & !four) << at;
            leads[2] |= four << at;
        }
        for leads in leads {
            *leads &= !faults;
        }
        text.set_block(block, codes);
    }
    text.set_chars(&leads, chars);
}

/// Returns a vector with FF for each of the lower bits of a mask that is set.
#[inline(always)]
fn lanes<V: Vectors>(v: V, mask: u64) -> V::Bytes {
    const BITS: Lanes = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    /// The indexes of the bytes of the mask.
    const BYTES: [[u8; 8]; MOST_SIZE / 8] = [[0; 8], [1; 8], [2; 8], [3; 8]];
    let (bytes, bits) = (v.load(BYTES.as_flattened()), v.load_each(&BITS));
    v.eq8(v.and(v.shuffle(v.splat32(mask as u32), bytes), bits), bits)
}

/// Returns the mask of the bytes from one on.
#[inline(always)]
fn from<V: Vectors>(v: V, bytes: V::Bytes, least: u8) -> u64 {
    v.bits8(v.eq8(v.max8(bytes, v.splat8(least)), bytes)).into()
}

/// Loads a vector of bytes from an index on.
#[inline(always)]
fn load_at<V: Vectors>(v: V, bytes: &[u8; READ], at: usize) -> V::Bytes {
    v.load(&bytes[at..])
}

/// Returns the upper and the lower half of each byte.
#[inline(always)]
fn halves<V: Vectors>(v: V, bytes: V::Bytes) -> (V::Bytes, V::Bytes) {
    let half = v.splat8(0xF);
    (v.and(v.shr16::<4>(bytes), half), v.and(bytes, half))
}

/// The number of bytes of a row that vectors read, some behind the row.
const READ: usize = 2 * LANES;

/// Moves the bytes of text to the front, one to four of each four. Two bits for each tell their
/// number, less one.
static KEPT: [Lanes; 256] = squeeze::table(4, &[0b0001, 0b0011, 0b0111, 0b1111]);

/// Moves the bytes of text to the front, one of each two, or both if the bit is set.
static SHORT: [Lanes; 256] = squeeze::table(2, &[0b01, 0b11]);

/// One row of this many is sampled.
const SAMPLED: usize = 4;

/// The tables of the text column.
#[derive(Clone, Copy)]
struct ColumnVectors<V: Vectors> {
    own: V::Bytes,
    /// The number of bytes for each code, less one.
    more: V::Bytes,
    /// The first, second and third byte of the text for each code.
    texts: [V::Bytes; 3],
    /// True if few rows have a text of three bytes, such as the picture of a line feed. Only then does
    /// a branch on them save time.
    are_short: bool,
}

impl<V: Vectors<Memory = Lanes>> ColumnVectors<V> {
    /// Creates the tables for rows of a text.
    #[inline(always)]
    fn new(v: V, look: &RowLook, text: &RowText, rows: Range<usize>, columns: usize) -> Self {
        let [first, second, third] = &look.planes;
        let column = ColumnVectors {
            own: v.load(&OWN),
            more: v.less8(v.load(&look.lens), v.splat8(1)),
            texts: [v.load(first), v.load(second), v.load(third)],
            are_short: true,
        };
        let sample = rows.step_by(SAMPLED * columns);
        let is_short = |at| column.short(v, v.load(text.codes_at::<LANES>(at)), columns).is_some();
        let short: usize = sample.clone().map(|at| usize::from(is_short(at))).sum();
        ColumnVectors { are_short: 8 * short >= 7 * sample.len(), ..column }
    }

    /// Returns a bit for each of the first `columns` bytes whose text has two bytes; `None` if one has
    /// more.
    #[inline(always)]
    fn short(&self, v: V, codes: V::Bytes, columns: usize) -> Option<u32> {
        let more = v.shuffle(self.more, codes);
        let of_row = u32::MAX >> (32 - columns);
        let is_short = v.bits8(v.shl16::<6>(more)) & of_row == 0;
        is_short.then(|| v.bits8(v.shl16::<7>(more)) & of_row)
    }

    /// Appends the text column of the first `columns` bytes, 1 to 16.
    #[inline(always)]
    fn push(
        &self,
        v: V,
        room: &mut SpareRoom<'_>,
        bytes: &[u8; READ],
        codes: V::Bytes,
        columns: usize,
    ) {
        let own = v.shuffle(self.own, codes);
        let [first, second, third] = self.texts;
        let first = v.or(v.and(own, load_at(v, bytes, 0)), v.shuffle(first, codes));
        let second = v.or(v.and(own, load_at(v, bytes, 1)), v.shuffle(second, codes));
        let fronts = [v.low8(first, second), v.high8(first, second)];
        if self.are_short
            && let Some(longer) = self.short(v, codes, columns)
        {
            for (group, text) in fronts.into_iter().take(columns.div_ceil(8)).enumerate() {
                let longer = longer >> (8 * group) & 0xFF;
                let len = (columns - 8 * group).min(8) + longer.count_ones() as usize;
                room.push(v.store(v.shuffle(text, v.load(&SHORT[longer as usize]))), len);
            }
            return;
        }
        let third = v.or(v.and(own, load_at(v, bytes, 2)), v.shuffle(third, codes));
        let controls = v.eq8(codes, v.splat8(code::CONTROL));
        let third = v.or(third, v.and(controls, load_at(v, bytes, 0)));
        let fourth = v.and(own, load_at(v, bytes, 3));
        let backs = [v.low8(third, fourth), v.high8(third, fourth)];
        let texts = [
            v.low16(fronts[0], backs[0]),
            v.high16(fronts[0], backs[0]),
            v.low16(fronts[1], backs[1]),
            v.high16(fronts[1], backs[1]),
        ];
        let more = v.store(v.shuffle(self.more, codes));
        for (group, text) in texts.into_iter().take(columns.div_ceil(4)).enumerate() {
            let number = (columns - 4 * group).min(4);
            let more = more[4 * group..].first_chunk().expect("four codes");
            let more = u32::from_le_bytes(*more);
            // The two bits of each byte side by side.
            let index = more.wrapping_mul(1 << 24 | 1 << 18 | 1 << 12 | 1 << 6) >> 24;
            let of_row = more & u32::MAX >> (32 - 8 * number);
            let len = number as u32 + (of_row.wrapping_mul(0x0101_0101) >> 24);
            let text = v.shuffle(text, v.load(&KEPT[index as usize & 0xFF]));
            room.push(v.store(text), len as usize);
        }
    }
}

/// Implements [`Kernels::bit_rows`](crate::kernel::Kernels::bit_rows).
#[inline(always)]
pub fn bits<V: Vectors>(v: V, text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    const COLUMNS: usize = 6;
    const DIGITS: usize = 9 * COLUMNS;
    /// For each vector of cells: the indexes of their bytes, the bits that they show, the indexes of
    /// the bytes whose marks they show, and their text without ones.
    static CELLS: [[Lanes; 4]; 4] = {
        let mut cells = [[[0; LANES]; 4]; 4];
        let mut at = 0;
        while at < 4 * LANES {
            let [owners, bits, marks, blanks] = &mut cells[at / LANES];
            let (lane, cell, place) = (at % LANES, at / 9, at % 9);
            owners[lane] = if cell < COLUMNS { cell as u8 } else { 0 };
            marks[lane] = if place == 0 && cell < COLUMNS { cell as u8 } else { 0xFF };
            (bits[lane], blanks[lane]) = match (cell < COLUMNS, place) {
                (false, _) => (0, b' '),
                (true, 0) => (0, 0),
                (true, place) => (0x80 >> (place - 1), b'0'),
            };
            at += 1;
        }
        cells
    };
    let v = v.single();
    let (marks, one) = (v.load(&code::MARKS), v.splat8(1));
    let all = span.start..span.start + span.rows * COLUMNS;
    let column = ColumnVectors::new(v, look, text, all, COLUMNS);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin::<READ, LANES>() {
        let codes = v.load(codes);
        let marks = v.shuffle(marks, codes);
        let digits = load_at(v, bytes, 0);
        for (at, cells) in (0..).step_by(LANES).zip(&CELLS) {
            let [owners, bits, places, blanks] = cells;
            let digits = v.and(v.shuffle(digits, v.load(owners)), v.load(bits));
            let set = v.eq8(digits, v.splat8(0));
            // Lanes without a bit have none that is set.
            let text = v.or(v.load(blanks), v.select(set, v.splat8(0), one));
            let text = v.or(text, v.shuffle(marks, v.load(places)));
            rows.room.push(v.store(text), (DIGITS + 2 - at).min(LANES));
        }
        column.push(v, &mut rows.room, bytes, codes, COLUMNS);
        rows.end();
    }
}

/// Implements [`Kernels::hex_rows`](crate::kernel::Kernels::hex_rows).
#[inline(always)]
pub fn hex<V: Vectors>(v: V, text: &RowText, span: RowSpan, look: &RowLook, out: &mut Vec<u8>) {
    const COLUMNS: usize = 16;
    /// For each vector of cells: the indexes of the marks, of the upper and of the lower digits.
    static CELLS: [[Lanes; 3]; 3] = {
        let mut cells = [[[0xFF; LANES]; 3]; 3];
        let mut at = 0;
        while at < 3 * LANES {
            cells[at / LANES][at % 3][at % LANES] = (at / 3) as u8;
            at += 1;
        }
        cells
    };
    let v = v.single();
    let (marks, digits) = (v.load(&code::MARKS), v.load(&look.digits));
    let all = span.start..span.start + span.rows * COLUMNS;
    let column = ColumnVectors::new(v, look, text, all, COLUMNS);
    let mut rows = RowAppender::<COLUMNS>::new(text, span, out);
    while let Some((bytes, codes)) = rows.begin::<READ, LANES>() {
        let codes = v.load(codes);
        let (high, low) = halves(v, load_at(v, bytes, 0));
        let marks = v.shuffle(marks, codes);
        let (high, low) = (v.shuffle(digits, high), v.shuffle(digits, low));
        for cells in &CELLS {
            let [of_marks, of_high, of_low] = cells;
            let digits = v.or(v.shuffle(high, v.load(of_high)), v.shuffle(low, v.load(of_low)));
            rows.room.push(v.store(v.or(v.shuffle(marks, v.load(of_marks)), digits)), LANES);
        }
        rows.room.push(*b"  ", 2);
        column.push(v, &mut rows.room, bytes, codes, COLUMNS);
        rows.end();
    }
}

/// Implements [`Kernels::row_column`](crate::kernel::Kernels::row_column).
#[inline(always)]
pub fn column<V: Vectors>(
    v: V,
    text: &RowText,
    range: Range<usize>,
    look: &RowLook,
    out: &mut Vec<u8>,
) {
    let v = v.single();
    let column = ColumnVectors::new(v, look, text, range.clone(), LANES);
    let mut parts = ColumnAppender::<LANES>::new(text, range, out);
    while let Some((bytes, codes, columns)) = parts.next::<READ, LANES>() {
        column.push(v, &mut parts.room, bytes, v.load(codes), columns);
    }
}
