//! Codes of characters, for writing.

use std::collections::BTreeMap;

use super::tables::Chars;
use crate::kernel::append_blocks;

/// The codes of the characters of a set. A code is the number that its bytes are, the first byte the
/// highest.
pub struct Inverse {
    /// For each code point below [`PLANES`], its code; 0 for none.
    codes: Vec<u32>,
    /// The codes of two code points, by these.
    joined: BTreeMap<[u32; 2], u32>,
    /// The first code points of the pairs.
    firsts: Vec<u32>,
    /// The second code points of the pairs.
    seconds: SecondChars,
    /// The codes of ASCII are its own bytes.
    has_ascii: bool,
    /// Returns the code of a supplementary code point that is not collected.
    supplementary: fn(u32) -> Option<u32>,
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

    /// Returns `false` if a code point is certainly none of them.
    #[inline(always)]
    pub fn may_have(self, value: u32) -> bool {
        self.0 & SecondChars::bit(value) != 0
    }
}

impl Inverse {
    /// Collects the first code of each character, or if that is a second choice, the first other one.
    pub fn new(
        codes: impl Iterator<Item = (u32, Chars)>,
        is_second_choice: fn(u32) -> bool,
    ) -> Inverse {
        let mut inverse = Inverse {
            codes: vec![0; PLANES],
            joined: BTreeMap::new(),
            firsts: Vec::new(),
            seconds: SecondChars::default(),
            has_ascii: false,
            supplementary: |_| None,
        };
        for (code, chars) in codes {
            let known = match chars {
                Chars::None => continue,
                Chars::One(value) => &mut inverse.codes[value as usize],
                Chars::Two(values) => inverse.joined.entry(values).or_default(),
            };
            if *known == 0 || is_second_choice(*known) && !is_second_choice(code) {
                *known = code;
            }
        }
        inverse.firsts = inverse.joined.keys().map(|[first, _]| *first).collect();
        inverse.firsts.dedup();
        let seconds =
            inverse.joined.keys().map(|[_, second]| SecondChars(SecondChars::bit(*second)));
        inverse.seconds = seconds.fold(SecondChars::default(), SecondChars::union);
        inverse.has_ascii = (0..0x80).all(|value| inverse.get(value) == Some(value));
        inverse
    }

    /// Adds the codes of supplementary code points that are not collected.
    pub fn with_supplementary(self, codes: fn(u32) -> Option<u32>) -> Inverse {
        Inverse { supplementary: codes, ..self }
    }

    /// Returns the code of a code point, if it is collected, or else 0.
    #[inline(always)]
    pub fn collected(&self, value: u32) -> u32 {
        self.codes.get(value as usize).copied().unwrap_or_default()
    }

    /// Returns the code of a code point.
    #[inline(always)]
    pub fn get(&self, value: u32) -> Option<u32> {
        match self.collected(value) {
            0 if value > 0 => (self.supplementary)(value),
            code => Some(code),
        }
    }

    /// Returns the code of two code points together.
    pub fn joined(&self, first: u32, second: u32) -> Option<u32> {
        self.joined.get(&[first, second]).copied()
    }

    /// Returns the code points that can join others.
    pub fn seconds(&self) -> SecondChars {
        self.seconds
    }

    /// Returns `true` if a code point must wait: it joins the next one, or the next one has no code and
    /// may be left out.
    #[inline(always)]
    fn waits(&self, value: u32, next: Option<u32>) -> bool {
        match next.filter(|&next| self.collected(next) != 0) {
            _ if self.joined.is_empty() => false,
            Some(next) => self.seconds.may_have(next) && self.joined(value, next).is_some(),
            None => self.joins(value),
        }
    }

    /// Returns `true` if a code point can start a pair.
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

    /// Emits the codes of code points, as [`put`](Self::put) does, up to the first that has none.
    /// Returns their number.
    #[inline(always)]
    pub fn put_all(&mut self, values: &[u32], mut emit: impl FnMut(u32)) -> usize {
        let mut at = 0;
        loop {
            at += self.put_run(&values[at..], &mut emit);
            match values.get(at) {
                Some(&value) if self.put(value, &mut emit) => at += 1,
                _ => return at,
            }
        }
    }

    /// Emits the codes of the code points at the front that wait for nothing. Returns their number.
    #[inline(always)]
    fn put_run(&self, values: &[u32], mut emit: impl FnMut(u32)) -> usize {
        let values = if self.pending.is_none() { values } else { &[] };
        for (at, &value) in values.iter().enumerate() {
            let code = self.codes.collected(value);
            if code == 0 || self.codes.waits(value, values.get(at + 1).copied()) {
                return at;
            }
            emit(code);
        }
        values.len()
    }

    /// Appends code points up to the first that has no code. Returns their number.
    pub fn store(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        append_blocks::<BLOCK, _>(out, LONGEST_CODE * (values.len() + 1), |room| {
            let mut stored = 0;
            loop {
                let rest = &values[stored..];
                if self.codes.has_ascii
                    && let Some(block) = ascii_block(rest)
                {
                    self.release(|code| room.push_code(code));
                    room.push(block, BLOCK);
                    stored += BLOCK;
                    continue;
                }
                let few = &rest[..rest.len().min(BLOCK)];
                let number = self.put_all(few, |code| room.push_code(code));
                stored += number;
                if number < few.len() || number == 0 {
                    return stored;
                }
            }
        })
    }
}

/// The end of the planes that have characters of sets, in code points.
const PLANES: usize = 0x3_0000;

/// The number of code points that are examined for being ASCII at a time.
const BLOCK: usize = 16;

/// The most bytes of a code.
const LONGEST_CODE: usize = 4;

/// Returns the bytes of the first code points if all are ASCII.
#[inline(always)]
fn ascii_block(values: &[u32]) -> Option<[u8; BLOCK]> {
    let block: &[u32; BLOCK] = values.first_chunk()?;
    let all = block.iter().fold(0, |all, value| all | value);
    (all < 0x80).then(|| block.map(|value| value as u8))
}

/// Appends the bytes of a code.
pub fn push(code: u32, out: &mut Vec<u8>) {
    append_blocks::<LONGEST_CODE, _>(out, LONGEST_CODE, |room| room.push_code(code));
}
