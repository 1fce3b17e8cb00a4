//! Tables of characters by codes of one and two bytes, unpacked at first use.
//!
//! `tables.bin` is a sequence of tables. Each starts with the length of its name, the name, the number
//! of the table that it is based on (from 1; 0 for none) and the length of the rest. The rest is a
//! sequence of runs: the number of codes to leave as in the base, four times the number of codes to
//! set plus a kind, and values. A value is a code point or two, the second shifted by 21 bits, plus
//! one; 0 is none. Kind 0 lists all values, 1 the first of values that count up, and 2 unmaps. A
//! listed value is the signed difference from what would count up, and numbers are in groups of seven
//! bits, the lowest first.

use std::collections::BTreeMap;

use crate::kernel::Utf8Form;

static TABLES: &[u8] = include_bytes!("tables.bin");

/// The number of codes of one and two bytes.
pub const CODES: usize = 1 << 16;

/// The kinds of runs.
const LISTED: u64 = 0;
const ASCENDING: u64 = 1;

/// The bits of the first of two code points.
const FIRST: u64 = (1 << 21) - 1;

/// The characters of a table, by their codes.
pub struct CharTable {
    /// The code points; [`Utf8Form::NONE`] for none or two.
    pub forms: Box<[Utf8Form; CODES]>,
    /// The codes that stand for two code points.
    pub joined: BTreeMap<u16, [u32; 2]>,
}

/// The bytes of a table that are still to be read.
struct Packed<'a>(&'a [u8]);

impl<'a> Packed<'a> {
    fn number(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.bytes(1)[0];
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    fn size(&mut self) -> usize {
        self.number() as usize
    }

    fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    fn bytes(&mut self, len: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(len);
        self.0 = rest;
        bytes
    }

    /// Returns the name, the number of the base, and the rest of the next table.
    fn table(&mut self) -> (&'a [u8], usize, Packed<'a>) {
        let len = self.size();
        let name = self.bytes(len);
        let base = self.size();
        let len = self.size();
        (name, base, Packed(self.bytes(len)))
    }
}

/// Unpacks the table with this name.
///
/// # Panics
/// If there is none.
pub fn unpack(name: &str) -> CharTable {
    let mut all = Packed(TABLES);
    let mut found = Vec::new();
    loop {
        let (next, base, packed) = all.table();
        found.push((base, packed));
        if next == name.as_bytes() {
            break;
        }
    }
    let mut chain = vec![];
    let mut at = found.len();
    while at > 0 {
        chain.push(at - 1);
        at = found[at - 1].0;
    }
    let mut table = CharTable::empty();
    for at in chain.into_iter().rev() {
        table.patch(&mut found[at].1);
    }
    table
}

impl CharTable {
    fn empty() -> CharTable {
        let forms = vec![Utf8Form::NONE; CODES].into_boxed_slice();
        CharTable { forms: forms.try_into().expect("all codes"), joined: BTreeMap::new() }
    }

    /// Applies the differences from the base.
    fn patch(&mut self, packed: &mut Packed<'_>) {
        let (mut code, mut last) = (0, 0);
        while !packed.0.is_empty() {
            code += packed.size();
            let run = packed.number();
            let kind = run % 4;
            for at in 0..run / 4 {
                let step = match kind {
                    LISTED => packed.signed(),
                    ASCENDING if at == 0 => packed.signed(),
                    _ => 0,
                };
                if kind <= ASCENDING {
                    last += 1 + step;
                }
                self.set(code, if kind <= ASCENDING { last as u64 } else { 0 });
                code += 1;
            }
        }
    }

    fn set(&mut self, code: usize, value: u64) {
        let Some(points) = value.checked_sub(1) else {
            self.forms[code] = Utf8Form::NONE;
            self.joined.remove(&(code as u16));
            return;
        };
        let (first, second) = ((points & FIRST) as u32, (points >> 21) as u32);
        if second == 0 {
            self.forms[code] = Utf8Form::of(first);
            self.joined.remove(&(code as u16));
        } else {
            self.forms[code] = Utf8Form::NONE;
            self.joined.insert(code as u16, [first, second]);
        }
    }

    /// Returns the code points of a code; none if it is unmapped.
    pub fn get(&self, code: u16) -> Chars {
        let form = self.forms[usize::from(code)];
        match self.joined.get(&code) {
            _ if form != Utf8Form::NONE => Chars::One(form.value()),
            Some(&points) => Chars::Two(points),
            None => Chars::None,
        }
    }

    /// Returns all codes with their characters.
    pub fn codes(&self) -> impl Iterator<Item = (u32, Chars)> {
        let known = (0..).zip(self.forms.iter()).filter(|(_, form)| **form != Utf8Form::NONE);
        let joined = self.joined.iter().map(|(&code, &points)| (code.into(), Chars::Two(points)));
        known.map(|(code, form)| (code, Chars::One(form.value()))).chain(joined)
    }

    /// Removes the codes for which a condition does not hold.
    pub fn retain(&mut self, holds: impl Fn(u16) -> bool) {
        self.joined.retain(|&code, _| holds(code));
        for (code, form) in (0..=u16::MAX).zip(self.forms.iter_mut()) {
            if !holds(code) {
                *form = Utf8Form::NONE;
            }
        }
    }
}

/// The code points of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chars {
    /// The code is unmapped.
    None,
    /// One.
    One(u32),
    /// Two.
    Two([u32; 2]),
}
