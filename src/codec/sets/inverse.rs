//! Codes of characters, for writing.

use std::collections::BTreeMap;

use super::tables::Chars;

/// The codes of the characters of a set. A code is the number that its bytes are, the first byte the
/// highest.
pub struct Inverse {
    /// For each code point but its lowest eight bits, the index in `cells`.
    rows: Box<[u16]>,
    /// For each lowest eight bits of a code point, its code; 0 for none. The first element is empty.
    cells: Vec<[u32; 256]>,
    /// The codes of two code points, by these.
    joined: BTreeMap<[u32; 2], u32>,
    /// The first ones of two code points.
    firsts: Vec<u32>,
    /// The second ones.
    seconds: SecondChars,
}

/// The second ones of two code points that have a code: a bit for the lowest six bits of each.
#[derive(Clone, Copy, Default)]
pub struct SecondChars(u64);

impl SecondChars {
    fn bit(value: u32) -> u64 {
        1 << (value % u64::BITS)
    }

    pub fn union(self, other: SecondChars) -> SecondChars {
        SecondChars(self.0 | other.0)
    }

    /// Returns `false` if the next code point is none of them. One that follows later may be.
    #[inline(always)]
    pub fn may_have(self, next: Option<&u32>) -> bool {
        self.0 & next.map_or(u64::MAX, |&next| SecondChars::bit(next)) != 0
    }
}

impl Inverse {
    /// Collects the first code of each character, second choices after all others.
    pub fn new<I: Iterator<Item = (u32, Chars)>>(
        codes: impl Fn() -> I,
        is_second_choice: fn(u32) -> bool,
    ) -> Inverse {
        let rows = vec![0; 0x1100].into_boxed_slice();
        let mut inverse = Inverse {
            rows,
            cells: vec![[0; 256]],
            joined: BTreeMap::new(),
            firsts: Vec::new(),
            seconds: SecondChars::default(),
        };
        let first = codes().filter(|&(code, _)| !is_second_choice(code));
        for (code, chars) in first.chain(codes().filter(|&(code, _)| is_second_choice(code))) {
            match chars {
                Chars::None => (),
                Chars::One(value) => inverse.add(value, code),
                Chars::Two(values) => drop(inverse.joined.entry(values).or_insert(code)),
            }
        }
        inverse.firsts = inverse.joined.keys().map(|[first, _]| *first).collect();
        inverse.firsts.dedup();
        let seconds =
            inverse.joined.keys().map(|[_, second]| SecondChars(SecondChars::bit(*second)));
        inverse.seconds = seconds.fold(SecondChars::default(), SecondChars::union);
        inverse
    }

    fn add(&mut self, value: u32, code: u32) {
        let row = &mut self.rows[value as usize >> 8];
        if *row == 0 {
            *row = self.cells.len() as u16;
            self.cells.push([0; 256]);
        }
        let cell = &mut self.cells[usize::from(*row)][value as usize & 0xFF];
        if *cell == 0 {
            *cell = code;
        }
    }

    /// Returns the code of a code point.
    #[inline(always)]
    pub fn get(&self, value: u32) -> Option<u32> {
        let row = *self.rows.get(value as usize >> 8)?;
        let code = self.cells[usize::from(row)][value as usize & 0xFF];
        (code != 0 || value == 0).then_some(code)
    }

    /// Returns the code of two code points together.
    pub fn joined(&self, first: u32, second: u32) -> Option<u32> {
        self.joined.get(&[first, second]).copied()
    }

    /// Returns `true` if some codes are of two code points.
    pub fn has_joined(&self) -> bool {
        !self.joined.is_empty()
    }

    /// Returns the code points that can join others.
    pub fn seconds(&self) -> SecondChars {
        self.seconds
    }

    /// Returns `true` if a code point joins the next one, or may join one that follows later.
    #[inline(always)]
    fn waits(&self, value: u32, next: Option<&u32>) -> bool {
        self.seconds.may_have(next)
            && match next {
                Some(&next) => self.joined(value, next).is_some(),
                None => self.joins(value),
            }
    }

    /// Returns `true` if another code point can join this one.
    #[inline(always)]
    pub fn joins(&self, first: u32) -> bool {
        !self.firsts.is_empty() && self.firsts.binary_search(&first).is_ok()
    }
}

/// The codes of a writer, and the code point that waits for another to join it.
#[derive(Clone, Copy)]
pub struct CodePen {
    codes: &'static Inverse,
    pending: Option<u32>,
}

impl PartialEq for CodePen {
    fn eq(&self, other: &CodePen) -> bool {
        std::ptr::eq(self.codes, other.codes) && self.pending == other.pending
    }
}

impl CodePen {
    /// Starts to write.
    pub fn new(codes: &'static Inverse) -> CodePen {
        CodePen { codes, pending: None }
    }

    /// Emits the code of the code point that waits, if there is one.
    pub fn release(&mut self, mut emit: impl FnMut(u32)) {
        if let Some(code) = self.pending.take().and_then(|value| self.codes.get(value)) {
            emit(code);
        }
    }

    /// Emits the code of a code point, or lets it wait. Returns `false`, and changes nothing, if
    /// there is none.
    pub fn put(&mut self, value: u32, mut emit: impl FnMut(u32)) -> bool {
        if let Some(code) = self.pending.and_then(|first| self.codes.joined(first, value)) {
            self.pending = None;
            emit(code);
            return true;
        }
        let Some(code) = self.codes.get(value) else { return false };
        self.release(&mut emit);
        if self.codes.joins(value) {
            self.pending = Some(value);
        } else {
            emit(code);
        }
        true
    }

    /// Writes the characters at the front that have a code and wait for nothing. Returns their
    /// number.
    pub fn put_run(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        if self.pending.is_some() {
            return 0;
        }
        let mut written = 0;
        while let Some(&value) = values.get(written) {
            match self.codes.get(value) {
                Some(code) if !self.codes.waits(value, values.get(written + 1)) => push(code, out),
                _ => break,
            }
            written += 1;
        }
        written
    }
}

/// Appends the bytes of a code.
#[inline(always)]
pub fn push(code: u32, out: &mut Vec<u8>) {
    let bytes = code.to_be_bytes();
    match code {
        ..0x100 => out.push(bytes[3]),
        0x100..0x1_0000 => out.extend_from_slice(&bytes[2..]),
        0x1_0000..0x100_0000 => out.extend_from_slice(&bytes[1..]),
        0x100_0000.. => out.extend_from_slice(&bytes),
    }
}
