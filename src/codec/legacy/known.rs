//! Characters of the multi-byte sets that were read before: each sequence is decoded once.

use super::place::LEFT;
use super::{MultiByte, SETS};
use crate::codec::sets::linear;
use crate::codec::{Codec, Step};
use crate::kernel::{Utf8Cell, Utf8Form};

/// For each set, the known characters of two bytes, by their bytes.
static PAIRS: [[Utf8Cell; 1 << 16]; SETS.len()] =
    [const { [const { Utf8Cell::empty() }; 1 << 16] }; SETS.len()];

/// The known characters of four bytes in GB 18030, by their places.
static QUADRUPLES: [Utf8Cell; linear::BASIC as usize] =
    [const { Utf8Cell::empty() }; linear::BASIC as usize];

/// Passes known characters at the front to `visit`. Returns the number of bytes read.
#[inline(always)]
fn run<const N: usize>(
    bytes: &[u8],
    most: usize,
    known: impl Fn([u8; N]) -> Utf8Form,
    visit: &mut impl FnMut(Utf8Form),
) -> usize {
    let mut read = 0;
    for &sequence in bytes.as_chunks::<N>().0.iter().take(most) {
        let form = known(sequence);
        if form == Utf8Form::NONE {
            break;
        }
        visit(form);
        read += N;
    }
    read
}

impl<const SET: usize> MultiByte<SET> {
    /// Passes the characters at the front, `most` at most, to `visit`: some of one length.
    /// Returns the number of bytes read; 0 where only [`step`](Codec::step) knows more.
    #[inline(always)]
    pub(super) fn read_some(bytes: &[u8], most: usize, mut visit: impl FnMut(Utf8Form)) -> usize {
        let pair = |bytes| PAIRS[SET][usize::from(u16::from_be_bytes(bytes))].get();
        let mut read = run(bytes, most, pair, &mut visit);
        if read == 0 && Self::FOUR_BYTES {
            read = run(bytes, most, Self::four, &mut visit);
        }
        if read > 0 || most == 0 {
            return read;
        }
        let (len, form) = Self::read_new(bytes);
        if len > 0 {
            visit(form);
        }
        len
    }

    /// Passes the characters of pairs in the left half at the front, as [`read_some`](Self::read_some)
    /// does those in the right half.
    pub(in crate::codec) fn read_left(
        bytes: &[u8],
        most: usize,
        mut visit: impl FnMut(Utf8Form),
    ) -> usize {
        let right = |[lead, trail]: [u8; 2]| {
            let is_left = LEFT.contains(&lead) && LEFT.contains(&trail);
            is_left.then_some([lead | 0x80, trail | 0x80])
        };
        let known = |pair| {
            let pair = right(pair).map(u16::from_be_bytes);
            pair.map_or(Utf8Form::NONE, |pair| PAIRS[SET][usize::from(pair)].get())
        };
        let read = run(bytes, most, known, &mut visit);
        if read > 0 || most == 0 {
            return read;
        }
        let new = bytes.first_chunk().and_then(|&pair| right(pair));
        let (len, form) = new.map_or((0, Utf8Form::NONE), |pair| Self::read_new(&pair));
        if len > 0 {
            visit(form);
        }
        len
    }

    /// Returns the known character of four bytes.
    #[inline(always)]
    fn four(bytes: [u8; 4]) -> Utf8Form {
        let Some(place) = linear::place(bytes) else { return Utf8Form::NONE };
        match QUADRUPLES.get(place as usize) {
            Some(cell) => cell.get(),
            None => linear::supplementary(place),
        }
    }

    /// Reads the character at the front, which is known then. Returns its length in bytes; 0 for
    /// none.
    fn read_new(bytes: &[u8]) -> (usize, Utf8Form) {
        let Step::Scalar { value, len } = Self::step(&mut (), bytes, false) else {
            return (0, Utf8Form::NONE);
        };
        let form = Utf8Form::of(value);
        match *bytes {
            [lead, next, ..] if len == 2 => {
                PAIRS[SET][usize::from(u16::from_be_bytes([lead, next]))].set(form);
            }
            [a, b, c, d, ..] if len == 4 => {
                let cell = linear::place([a, b, c, d]).and_then(|at| QUADRUPLES.get(at as usize));
                cell.inspect(|cell| cell.set(form));
            }
            _ => (),
        }
        (len, form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::legacy::set;

    /// Asserts that the first character is read as `step` reads it, before and after it is known.
    fn check<const SET: usize>(bytes: &[u8]) {
        let expected = match MultiByte::<SET>::step(&mut (), bytes, false) {
            Step::Scalar { value, len } => (len, Some(Utf8Form::of(value))),
            _ => (0, None),
        };
        for _ in 0..2 {
            let mut found = None;
            let read = MultiByte::<SET>::read_some(bytes, 1, |form| found = Some(form));
            assert_eq!((read, found), expected, "{}: {bytes:X?}", SETS[SET].name);
        }
    }

    fn check_all<const SET: usize>() {
        for [lead, next] in (0..=u16::MAX).map(u16::to_be_bytes) {
            check::<SET>(&[lead]);
            check::<SET>(&[lead, next]);
            check::<SET>(&[lead, next, 0xA1, b'0']);
        }
        let places = (0..linear::BASIC + 9).chain(188_990..190_000).chain(1_237_000..1_260_000);
        for place in places {
            check::<SET>(&linear::code(place).to_be_bytes());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes for large tables, in safe code")]
    fn characters_are_read_as_steps_read_them() {
        check_all::<{ set("gbk") }>();
        check_all::<{ set("gb18030") }>();
        check_all::<{ set("big5") }>();
        check_all::<{ set("big5-hkscs") }>();
        check_all::<{ set("shift_jis") }>();
        check_all::<{ set("euc-jp") }>();
        check_all::<{ set("euc-kr") }>();
    }
}
