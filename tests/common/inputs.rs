//! Inputs of the laws: strings of boundary bytes, hostile fragments, and random text.

use super::stride;

/// Fragments of texts in many encodings.
pub static FRAGMENTS: &[&[u8]] = &[
    b"a",
    b"\n",
    b"\r\n",
    b"\xE2\x82\xAC",
    b"\xE2\x82",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\xED\xA0\x80",
    b"\xED\xB0\x80",
    b"\xC0\x80",
    b"\xF0\x9F\x98\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFF",
    b"\x00",
    b"\xD8\x00",
    b"\x00\xDC",
    b"\x3D\xD8\x00\xDE",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xEF\xBB\xBF",
    // Letters with marks that sets of Hong Kong and Japan join to one character.
    b"\xC3\x8A\xCC\x84",
    b"\xC3\xA6\xCC\x80",
    b"\xE3\x81\x8B\xE3\x82\x9A",
    b"text ",
    b"\0\n",
    b"\n\0",
    b"\0\0\0\n",
];

/// Fragments at the boundaries of the tables: each kind of issue, each way to truncate it, and
/// well-formed neighbours.
#[rustfmt::skip]
pub static HOSTILE: &[&[u8]] = &[
    b"\x00", b"A", b"\x7F", b"\n",
    b"\x80", b"\xBF", b"\x80\xBF\x80",
    b"\xC0", b"\xC0\x80", b"\xC0\x81", b"\xC0\xBF", b"\xC1", b"\xC1\xBF",
    b"\xC2", b"\xC2\x80", b"\xDF", b"\xDF\xBF",
    b"\xE0", b"\xE0\x80", b"\xE0\x9F", b"\xE0\x9F\xBF", b"\xE0\xA0", b"\xE0\xA0\x80",
    b"\xE1", b"\xE1\x80", b"\xE1\x80\x80", b"\xEC\xBF\xBF",
    b"\xED", b"\xED\x9F", b"\xED\x9F\xBF", b"\xED\xA0", b"\xED\xA0\x80", b"\xED\xAF\xBF",
    b"\xED\xB0", b"\xED\xB0\x80", b"\xED\xBF\xBF",
    b"\xED\xA0\x80\xED", b"\xED\xA0\x80\xED\x9F\xBF", b"\xED\xA0\x80\xED\xA0\x80",
    b"\xED\xA0\x80\xED\xB0", b"\xED\xA0\x80\xED\xB0\x80", b"\xED\xAF\xBF\xED\xBF\xBF",
    b"\xED\xB0\x80\xED\xA0\x80", b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80",
    b"\xEE", b"\xEE\x80\x80", b"\xEE\xBD\xBF", b"\xEE\xBE\x80", b"\xEF", b"\xEF\x80\x80",
    b"\xEF\xBB", b"\xEF\xBB\xBF", b"\xEF\xB7\x90", b"\xEF\xBF", b"\xEF\xBF\xBD",
    b"\xEF\xBF\xBE", b"\xEF\xBF\xBF",
    b"\xF0", b"\xF0\x80", b"\xF0\x8F\xBF", b"\xF0\x8F\xBF\xBF", b"\xF0\x90", b"\xF0\x90\x80",
    b"\xF0\x90\x80\x80", b"\xF1", b"\xF1\x80", b"\xF1\x80\x80", b"\xF3\xBF\xBF\xBF",
    b"\xF4", b"\xF4\x8F", b"\xF4\x8F\xBF", b"\xF4\x8F\xBF\xBF", b"\xF4\x90", b"\xF4\x90\x80",
    b"\xF4\x90\x80\x80", b"\xF4\xBF\xBF\xBF", b"\xF5", b"\xF5\x80\x80", b"\xF7\xBF\xBF\xBF",
    b"\xF8", b"\xF8\x80", b"\xF8\x87\xBF\xBF\xBF", b"\xF8\x88", b"\xF8\x88\x80\x80\x80",
    b"\xFB\xBF\xBF", b"\xFB\xBF\xBF\xBF\xBF",
    b"\xFC", b"\xFC\x80", b"\xFC\x83\xBF\xBF\xBF\xBF", b"\xFC\x84", b"\xFC\x84\x80\x80\x80\x80",
    b"\xFD\xBF\xBF\xBF", b"\xFD\xBF\xBF\xBF\xBF\xBF",
    b"\xFE", b"\xFE\xBF\xBF", b"\xFF", b"\xFF\xFE",
];

/// Shifts, escapes and separators of every encoding that has them, closed and open.
pub static SPELT: &[u8] = b"a+2D0-b ab+D-a+AOk-b+2D0-+2D0-+ a&2D0-b&AOk-&D\n\
    U+41 \t\n\n\nU+42\r\n\x1B$B!!\x1B(B\x1B(J\\\x1B$B!\n\
    \\u20AC\\uD83D\\u{41}\\N{DIGIT ONE}&amp;&#65;&#x;%E2%82%AC%E2\n+/v8&ab";

/// The first and last byte of each range in any table.
#[rustfmt::skip]
pub static CLASSES: &[u8] = &[
    0x00, 0x41, 0x7F, 0x80, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBB, 0xBD,
    0xBE, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4,
    0xF5, 0xF7, 0xF8, 0xF9, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF,
];

/// Returns the code points of the planes that have tables (0 to 2, and 14), and one in 17 of the
/// others, which all encodings compute; the first and the last of each plane are among them.
pub fn code_points() -> impl Iterator<Item = u32> {
    (0..=0x10).flat_map(|plane| {
        let step = if matches!(plane, 0..=2 | 14) { 1 } else { stride(17) };
        (plane << 16..(plane + 1) << 16).step_by(step)
    })
}

/// Visits every string of `len` of these bytes, in order.
pub fn strings(classes: &[u8], len: usize, mut visit: impl FnMut(&[u8])) {
    let mut digits = vec![0; len];
    let mut bytes = vec![classes[0]; len];
    loop {
        visit(&bytes);
        let Some(turn) = digits.iter().rposition(|&digit| digit + 1 < classes.len()) else {
            return;
        };
        digits[turn] += 1;
        digits[turn + 1..].fill(0);
        for at in turn..len {
            bytes[at] = classes[digits[at]];
        }
    }
}

/// A reproducible pseudo-random generator: an additive counter and a mixing function.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator; equal seeds give equal sequences.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
            mixed = (mixed ^ mixed >> shift).wrapping_mul(factor);
        }
        mixed ^ mixed >> 31
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Returns `true` once in `turns` calls on average.
    pub fn one_in(&mut self, turns: usize) -> bool {
        self.below(turns) == 0
    }

    /// Returns one of the elements.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Returns a scalar value whose UTF-8 form has `bytes` bytes.
    pub fn scalar(&mut self, bytes: usize) -> char {
        let (first, end) =
            [(0, 0x80), (0x80, 0x800), (0x800, 0x1_0000), (0x1_0000, 0x11_0000)][bytes - 1];
        loop {
            let value = first + self.below((end - first) as usize) as u32;
            if let Some(scalar) = char::from_u32(value) {
                return scalar;
            }
        }
    }
}

/// Returns well-formed text of at least `len` bytes with UTF-8 forms of these lengths.
pub fn clean(rng: &mut Rng, len: usize, widths: &[usize]) -> String {
    let mut text = String::with_capacity(len + 3);
    while text.len() < len {
        let width = rng.pick(widths);
        text.push(rng.scalar(width));
    }
    text
}

/// Returns `len` bytes of such text, in which one of `rarity` scalar values is a hostile fragment
/// or a random byte, and the end may truncate a form.
pub fn dirty(rng: &mut Rng, len: usize, widths: &[usize], rarity: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(len + 6);
    while bytes.len() < len {
        if !rng.one_in(rarity) {
            let width = rng.pick(widths);
            bytes.extend_from_slice(rng.scalar(width).encode_utf8(&mut [0; 4]).as_bytes());
        } else if rng.one_in(3) {
            bytes.push(rng.next() as u8);
        } else {
            bytes.extend_from_slice(rng.pick(HOSTILE));
        }
    }
    bytes.truncate(len);
    bytes
}

/// Mixtures of form lengths as in real text: one script, a script with ASCII, everything.
pub static MIXTURES: &[&[usize]] =
    &[&[1], &[2], &[3], &[4], &[1, 1, 1, 1, 1, 1, 1, 1, 1, 2], &[1, 2], &[1, 3], &[1, 2, 3, 4]];
