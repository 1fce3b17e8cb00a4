//! What was said of this sequence before? Most texts have few different characters.
//!
//! To look up a name takes longer than to write a row.

use super::paint::Role;
use super::{DumpItem, Meaning};
use crate::registry::Encoding;

/// How many answers are kept.
const SLOTS: usize = 1 << 12;

/// The longest sequence that is remembered, in bytes.
const LONGEST: usize = 8;

/// Answers, each in the only place where it can be.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    /// The codec of the sequences.
    spec: Option<&'static Encoding>,
    slots: Vec<CacheSlot>,
}

#[derive(Clone, Debug, Default)]
struct CacheSlot {
    key: Option<CacheKey>,
    answer: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CacheKey {
    what: Meaning,
    role: Role,
    bytes: u64,
    len: u8,
}

/// The key of a sequence; none for what depends on more than its bytes.
fn key(item: &DumpItem<'_>, role: Role) -> Option<CacheKey> {
    let len = item.sequence.len();
    if len > LONGEST || item.is_cut() || item.offset == 0 {
        return None;
    }
    let bytes = item.sequence.iter().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte));
    Some(CacheKey { what: item.what, role, bytes, len: len as u8 })
}

impl CacheKey {
    fn slot(self) -> usize {
        // Fibonacci hashing: the upper bits of the product depend on all of the factor's.
        let mixed = (self.bytes ^ self.role as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
    }
}

impl RowCache {
    /// What was said of this sequence.
    pub fn get(&self, item: &DumpItem<'_>, role: Role) -> Option<&[u8]> {
        let key = key(item, role)?;
        let slot = self.slots.get(key.slot())?;
        (slot.key == Some(key)).then_some(&slot.answer)
    }

    /// This is said of the sequence.
    pub fn set(&mut self, item: &DumpItem<'_>, role: Role, answer: &[u8]) {
        let Some(key) = key(item, role) else { return };
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, CacheSlot::default);
        }
        let slot = &mut self.slots[key.slot()];
        slot.key = Some(key);
        slot.answer.clear();
        slot.answer.extend_from_slice(answer);
    }

    /// What is said from here on is of sequences in this codec: for others it does not hold.
    pub fn codec(&mut self, spec: &'static Encoding) {
        if !self.spec.replace(spec).is_some_and(|before| std::ptr::eq(before, spec)) {
            self.slots.clear();
        }
    }
}
