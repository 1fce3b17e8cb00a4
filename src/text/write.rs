//! Fast writers of numbers and bytes: a report may contain millions of findings.

use crate::kernel::SpareRoom;

/// A text that arrays are appended to. A copy of fixed size takes less time than a call of `memcpy`
/// for a few bytes.
pub(crate) trait Append {
    /// Appends the first `len` bytes of an array.
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize);

    /// Appends bytes.
    fn slice(&mut self, bytes: &[u8]);

    /// Appends an array.
    #[inline(always)]
    fn all<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.front(bytes, N);
    }
}

impl Append for Vec<u8> {
    #[inline(always)]
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        let end = self.len() + len;
        self.extend_from_slice(bytes);
        self.truncate(end);
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl Append for SpareRoom<'_> {
    #[inline(always)]
    fn front<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        assert!(len <= N, "a part of an array");
        self.push(*bytes, len);
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) {
        self.extend(bytes);
    }
}

/// The largest number of bytes that a writer of a record appends as one array.
const ARRAY: usize = 96;

/// Returns room for a record of at most `most` bytes: reserves memory once. What is in the room is
/// appended when it is dropped.
#[inline(always)]
pub(crate) fn record(out: &mut Vec<u8>, most: usize) -> SpareRoom<'_> {
    SpareRoom::new(out, most + ARRAY)
}

/// Appends a number in decimal.
#[inline(always)]
pub(crate) fn decimal(out: &mut impl Append, number: u64) {
    if number < MILLION {
        let (text, len) = short_decimal_before(number, 0);
        out.front(&text, len - 1);
    } else {
        // A function that appended would keep the length of `out` in memory.
        let (digits, len) = long_decimal(number);
        out.front(&digits, len);
    }
}

/// Appends a number in decimal and a byte after it.
#[inline(always)]
pub(crate) fn decimal_before(out: &mut impl Append, number: u64, byte: u8) {
    if number < MILLION {
        let (text, len) = short_decimal_before(number, byte);
        out.front(&text, len);
    } else {
        decimal(out, number);
        out.all(&[byte]);
    }
}

/// Returns the digits of a number below a million and a byte after them, and how many bytes there
/// are. The lengths of columns vary: a branch for each is one that no predictor foresees.
#[inline(always)]
fn short_decimal_before(number: u64, byte: u8) -> ([u8; 8], usize) {
    let [high, low] = [number / THOUSAND, number % THOUSAND]
        .map(|three| u64::from(u32::from_le_bytes(THREE_DIGITS[three as usize])));
    let digits = high | low << 24;
    // The last digit counts even if it is zero.
    let zeros = (digits ^ u64::from_le_bytes(*b"00000\x0000")).trailing_zeros() / u8::BITS;
    let text = (digits | u64::from(byte) << 48) >> (u8::BITS * zeros);
    (text.to_le_bytes(), 7 - zeros as usize)
}

/// The least number of more than three digits.
const THOUSAND: u64 = 1000;

/// The least number of more than six digits.
const MILLION: u64 = 1_000_000;

/// The digits of numbers of up to three, and a byte of zero.
static THREE_DIGITS: [[u8; 4]; THOUSAND as usize] = {
    let mut all = [[0; 4]; THOUSAND as usize];
    let mut number = 0;
    while number < all.len() {
        let [hundreds, tens, ones] = [number / 100, number / 10 % 10, number % 10];
        all[number] = [b'0' + hundreds as u8, b'0' + tens as u8, b'0' + ones as u8, 0];
        number += 1;
    }
    all
};

/// Appends numbers in decimal, most of which are close to the one before.
#[derive(Debug, Default)]
pub(crate) struct CloseDecimals {
    /// The thousands of the last number, and their digits.
    thousands: u64,
    digits: [u8; 24],
    len: usize,
}

impl CloseDecimals {
    /// Appends a number.
    #[inline(always)]
    pub(crate) fn put(&mut self, out: &mut impl Append, number: u64) {
        if number < THOUSAND {
            return decimal(out, number);
        }
        self.put_thousands(out, number);
        out.front(&THREE_DIGITS[(number % THOUSAND) as usize], 3);
    }

    /// Appends a number and a byte after it.
    #[inline(always)]
    pub(crate) fn put_before(&mut self, out: &mut impl Append, number: u64, byte: u8) {
        if number < THOUSAND {
            return decimal_before(out, number, byte);
        }
        self.put_thousands(out, number);
        let digits = u32::from_le_bytes(THREE_DIGITS[(number % THOUSAND) as usize]);
        out.all(&(digits | u32::from(byte) << 24).to_le_bytes());
    }

    /// Appends a number. Those below a million are formatted anew: they often differ in length.
    #[inline(always)]
    pub(crate) fn put_varied(&mut self, out: &mut impl Append, number: u64) {
        match number < MILLION {
            true => decimal(out, number),
            false => self.put(out, number),
        }
    }

    /// Appends the digits of a number of more than three before the last three.
    #[inline(always)]
    fn put_thousands(&mut self, out: &mut impl Append, number: u64) {
        let thousands = number / THOUSAND;
        if thousands != self.thousands {
            (self.digits, self.len) = long_decimal(thousands);
            self.thousands = thousands;
        }
        out.front(&self.digits, self.len);
    }
}

/// Returns the digits of a number in decimal, and how many there are.
#[inline(never)]
fn long_decimal(number: u64) -> ([u8; 24], usize) {
    let (high, low) = (number / EIGHT_DIGITS, number % EIGHT_DIGITS);
    let (mut digits, mut len) = ([0; 24], 0);
    for eight in [high / EIGHT_DIGITS, high % EIGHT_DIGITS, low] {
        if len > 0 || eight > 0 {
            let (text, significant) =
                significant_digits(eight_digits(eight as u32), if len > 0 { 8 } else { 1 });
            digits[len..len + 8].copy_from_slice(&text);
            len += significant;
        }
    }
    (digits, len)
}

/// The least number of more than eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// Returns the digits of a number of up to eight, the first one in the lowest byte.
fn eight_digits(number: u32) -> u64 {
    // Each half of a lane gets the quotient and the remainder, all lanes at once. A quotient is a
    // product with the inverse, rounded up: exact for the digits that a lane has.
    let fours = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & 0xF_000F_000F_000F;
    tens | (pairs - 10 * tens) << 8
}

/// Appends eight digits as [`significant_digits`] returns them.
#[inline(always)]
fn significant(out: &mut impl Append, digits: u64, least: u32) {
    let (text, len) = significant_digits(digits, least);
    out.front(&text, len);
}

/// Returns the text of eight digits, given as numbers in bytes, without leading zeros beyond so many
/// digits, and its length. Seven more than a digit above 9 is a letter.
#[inline(always)]
fn significant_digits(digits: u64, least: u32) -> ([u8; 8], usize) {
    let zeros = (digits.trailing_zeros() / u8::BITS).min(8 - least);
    let text = (digits + u64::from_le_bytes([b'0'; 8])) >> (u8::BITS * zeros);
    (text.to_le_bytes(), 8 - zeros as usize)
}

/// Appends a few bytes, without the cost of a call of `memcpy`.
pub(crate) fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        out.extend_from_slice(word);
    }
    for &byte in rest {
        out.push(byte);
    }
}

/// A short text, then unused bytes: a copy of fixed size takes less time.
#[derive(Clone, Copy)]
pub(crate) struct PaddedText<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> PaddedText<N> {
    /// Returns a text of at most `N` bytes.
    pub(crate) const fn of(text: &[u8]) -> PaddedText<N> {
        PaddedText::joined(&[text])
    }

    /// Returns a text of parts, of at most `N` bytes together.
    pub(crate) const fn joined(parts: &[&[u8]]) -> PaddedText<N> {
        let (mut bytes, mut len, mut at) = ([0; N], 0, 0);
        while at < parts.len() {
            let part = parts[at];
            let rest = bytes.split_at_mut(len).1;
            rest.split_at_mut(part.len()).0.copy_from_slice(part);
            len += part.len();
            at += 1;
        }
        PaddedText { bytes, len: len as u8 }
    }

    /// Returns its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len.into()
    }

    /// Appends the text.
    #[inline(always)]
    pub(crate) fn put(&self, out: &mut impl Append) {
        out.front(&self.bytes, self.len.into());
    }
}

/// The number of bytes in a block of a [`BlockText`].
const TEXT_BLOCK: usize = 32;

/// A text of any length in blocks, the last one with unused bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockText {
    blocks: Vec<[u8; TEXT_BLOCK]>,
    len: usize,
}

impl From<&[u8]> for BlockText {
    fn from(text: &[u8]) -> BlockText {
        let mut blocks = vec![[0; TEXT_BLOCK]; text.len().div_ceil(TEXT_BLOCK)];
        blocks.as_flattened_mut()[..text.len()].copy_from_slice(text);
        BlockText { blocks, len: text.len() }
    }
}

impl BlockText {
    /// Returns the text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.blocks.as_flattened()[..self.len]
    }

    /// Returns its length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends the text.
    #[inline(always)]
    pub(crate) fn put(&self, out: &mut impl Append) {
        let Some((last, whole)) = self.blocks.split_last() else { return };
        whole.iter().for_each(|block| out.all(block));
        out.front(last, self.len - whole.len() * TEXT_BLOCK);
    }
}

/// Appends a number in upper-case hexadecimal with at least `least` digits, 16 at most.
#[inline(always)]
pub(crate) fn hexadecimal(out: &mut impl Append, number: u64, least: usize) {
    match u16::try_from(number) {
        Ok(number) if least == 4 => out.all(&four_digits(number)),
        _ if number >> u32::BITS == 0 && least <= 8 => {
            significant(out, eight_halves(number as u32), least as u32);
        }
        _ => {
            if number >> u32::BITS > 0 || least > 8 {
                significant(
                    out,
                    eight_halves((number >> u32::BITS) as u32),
                    least.saturating_sub(8).max(1) as u32,
                );
            }
            significant(out, eight_halves(number as u32), 8);
        }
    }
}

/// Appends numbers in upper-case hexadecimal, most of which are close to the one before.
#[derive(Debug, Default)]
pub(crate) struct CloseHexadecimals {
    /// The high bits of the last number, and their digits.
    high: u64,
    digits: [u8; 16],
    len: usize,
}

impl CloseHexadecimals {
    /// Appends a number.
    #[inline(always)]
    pub(crate) fn put(&mut self, out: &mut impl Append, number: u64) {
        let high = number >> u16::BITS;
        if high == 0 {
            return hexadecimal(out, number, 1);
        }
        if high != self.high {
            self.set(high);
        }
        out.front(&self.digits, self.len);
        out.all(&four_digits(number as u16));
    }

    #[inline(never)]
    fn set(&mut self, high: u64) {
        let mut digits = Vec::new();
        hexadecimal(&mut digits, high, 1);
        (self.high, self.len) = (high, digits.len());
        self.digits[..digits.len()].copy_from_slice(&digits);
    }
}

/// Returns the hexadecimal digits of a number for [`significant`], the first one in the lowest byte.
fn eight_halves(number: u32) -> u64 {
    let number = u64::from(number.swap_bytes());
    let pairs = (number | number << 16) & 0xFFFF_0000_FFFF;
    let bytes = (pairs | pairs << 8) & 0xFF_00FF_00FF_00FF;
    let halves = (bytes >> 4 | bytes << 8) & 0x0F0F_0F0F_0F0F_0F0F;
    let letters = (halves + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    halves + 7 * letters
}

/// Appends a number in lower-case hexadecimal, as [`hexadecimal`] does.
#[inline]
pub(crate) fn lower_hexadecimal(out: &mut Vec<u8>, number: u64, least: usize) {
    if least == 4
        && let Ok(number) = u16::try_from(number)
    {
        return out.extend_from_slice(number.to_be_bytes().map(lower_hex).as_flattened());
    }
    let start = out.len();
    hexadecimal(out, number, least);
    out[start..].make_ascii_lowercase();
}

/// Returns a number in four upper-case hexadecimal digits.
#[inline]
pub(crate) fn four_digits(number: u16) -> [u8; 4] {
    let [high, low] = number.to_be_bytes().map(hex);
    [high[0], high[1], low[0], low[1]]
}

/// The two digits of each byte.
pub(crate) static HEX: [[u8; 2]; 256] = {
    let mut digits = [[0; 2]; 256];
    let mut byte = 0;
    while byte < digits.len() {
        digits[byte] = [DIGITS[byte >> 4], DIGITS[byte & 0xF]];
        byte += 1;
    }
    digits
};

/// The hexadecimal digits.
pub(crate) const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Appends bytes as `E2 82 AC`.
#[inline(always)]
pub(crate) fn bytes(out: &mut impl Append, bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    out.all(&hex(first));
    for &byte in rest {
        let [high, low] = hex(byte);
        out.all(&[b' ', high, low]);
    }
}

/// Appends a byte as two hexadecimal digits.
pub(crate) fn byte2(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(&hex(byte));
}

/// Returns the two digits of a byte.
pub(crate) fn hex(byte: u8) -> [u8; 2] {
    HEX[usize::from(byte)]
}

/// Returns the two digits of a byte in lower-case hexadecimal.
#[inline]
pub(crate) fn lower_hex(byte: u8) -> [u8; 2] {
    hex(byte).map(|digit| digit | 0x20)
}

/// Appends a code point as `U+20AC`.
#[inline]
pub(crate) fn code_point(out: &mut impl Append, value: u32) {
    out.all(b"U+");
    hexadecimal(out, value.into(), 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_hexadecimal() {
        for len in 0..=9 {
            let some = &[0x00, 0x9A, 0xFF, 0x0B, 0xC0, 0x41, 0x80, 0x7F, 0xE2][..len];
            let mut hex = Vec::new();
            bytes(&mut hex, some);
            let each: Vec<_> = some.iter().map(|byte| format!("{byte:02X}")).collect();
            assert_eq!(hex, each.join(" ").into_bytes());
        }
    }

    #[test]
    fn texts_in_blocks_are_written_whole() {
        let text: Vec<u8> = (0..100).collect();
        for len in 0..=text.len() {
            let blocks = BlockText::from(&text[..len]);
            let (mut plain, mut room) = (b"a".to_vec(), b"a".to_vec());
            blocks.put(&mut plain);
            blocks.put(&mut record(&mut room, len));
            assert_eq!(blocks.as_bytes(), &text[..len]);
            assert!([&plain, &room].iter().all(|out| out[1..] == text[..len] && out[0] == b'a'));
        }
    }

    #[test]
    fn numbers_are_written_as_std_writes_them() {
        let powers = (0..20).flat_map(|n| [10u64.pow(n) - 1, 10u64.pow(n), 10u64.pow(n) + 1]);
        let long = (8..19).flat_map(|n| [10u64.pow(n) + 90_706_050, 20_304 * 10u64.pow(n - 4)]);
        // All numbers of four digits, in both halves of eight.
        let fours = (0..10_000).flat_map(|number| [number, 10_000 * number + 9_999 - number]);
        let fours = fours.step_by(crate::TEST_STRIDE);
        let (mut close, mut close_hex) = <(CloseDecimals, CloseHexadecimals)>::default();
        for number in
            powers.chain(long).chain(fours).chain([u64::MAX, 0x1A4, 0xFEDC_BA98_7654_3210])
        {
            let (mut dec, mut hex) = (Vec::new(), Vec::new());
            decimal(&mut dec, number);
            assert_eq!(dec, number.to_string().into_bytes());
            for number in [number, number.saturating_add(1), number, number / 3] {
                dec.clear();
                close.put(&mut dec, number);
                assert_eq!(dec, number.to_string().into_bytes());
                dec.clear();
                close.put_varied(&mut dec, number);
                assert_eq!(dec, number.to_string().into_bytes());
                dec.clear();
                close.put_before(&mut dec, number, b'a');
                decimal_before(&mut dec, number, b'b');
                assert_eq!(dec, format!("{number}a{number}b").into_bytes());
                hex.clear();
                close_hex.put(&mut hex, number);
                assert_eq!(hex, format!("{number:X}").into_bytes());
            }
            for least in 1..=16 {
                hex.clear();
                hexadecimal(&mut hex, number, least);
                assert_eq!(hex, format!("{number:0least$X}").into_bytes());
            }
        }
    }
}
