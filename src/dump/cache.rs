//! A cache of rendered rows, keyed by sequence: most texts have few different characters, and
//! looking up a name takes longer than writing a row.

use std::ops::Range;

use super::roles::Role;
use super::{DumpItem, Meaning};
use crate::finding::message::{names_next, next_byte};
use crate::issue::Kind;
use crate::registry::Encoding;

/// The number of slots at first: a short dump needs no large cache.
const FEWEST_SLOTS: usize = 1 << 6;

/// The greatest number of slots.
const MOST_SLOTS: usize = 1 << 14;

/// The factor by which the number of slots grows once as many rows were cached as there are slots.
const GROWTH: usize = 1 << 4;

/// Length of the longest cached sequence in bytes.
const MOST_BYTES: usize = 8;

/// A direct-mapped cache of the text after the offset of a row.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    /// Encoding of the cached sequences.
    encoding: Option<&'static Encoding>,
    /// True if the byte after a sequence changes nothing in its row but its own name, in encodings where
    /// it does not change the sequence.
    may_share: bool,
    /// True if rows that differ only in the byte after the sequence share a slot.
    shares: bool,
    slots: Vec<CacheSlot>,
    /// The number of rows that were cached in these slots.
    cached: usize,
}

#[derive(Clone, Debug, Default)]
struct CacheSlot {
    /// The key; in an empty slot, one without bytes.
    key: CacheKey,
    row: CachedRow,
}

/// The text of a row, but for the name of the byte after its sequence if rows that differ only in that
/// share it.
#[derive(Clone, Debug, Default)]
pub(super) struct CachedRow {
    text: Box<[u8]>,
    /// The index in the text where that name belongs, or the length of the text.
    gap: u32,
}

impl CachedRow {
    /// Appends the row of a sequence.
    #[inline]
    pub fn append(&self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        let (before, after) = self.text.split_at(self.gap as usize);
        out.extend_from_slice(before);
        if !after.is_empty() {
            if let Meaning::Ill(_, Some(next)) = item.meaning {
                next_byte(out, next);
            }
            out.extend_from_slice(after);
        }
    }
}

/// A sequence with its meaning and its look, as numbers that are compared quickly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CacheKey {
    /// The bytes of the sequence, the last in the low byte.
    bytes: u64,
    /// The code points, or the kind of an ill-formed sequence.
    values: u64,
    /// One more than the byte after an ill-formed sequence, if the cached text names it.
    next: u16,
    /// The number of bytes of the sequence.
    len: u8,
    /// The variant of the meaning.
    variant: u8,
    look: u8,
}

/// The part of the look of a sequence that depends on the sequences before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SequenceLook {
    pub role: Role,
    /// True if the sequence continues a grapheme cluster.
    pub joined: bool,
}

impl SequenceLook {
    /// The look of all sequences of a layout without colours and clusters.
    pub const PLAIN: SequenceLook = SequenceLook { role: Role::Plain, joined: false };
}

/// Returns the key of a sequence. `None` if its row depends on more than its bytes, or if it is too
/// long. `shares` tells whether rows that differ only in the byte after the sequence share a slot.
#[inline]
fn key(item: &DumpItem<'_>, look: SequenceLook, shares: bool) -> Option<CacheKey> {
    let len = item.sequence.len();
    if len > MOST_BYTES || item.is_cut() || item.offset == 0 {
        return None;
    }
    let bytes = item.sequence.iter().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte));
    let (variant, values, next) = match item.meaning {
        Meaning::Scalar(value) => (0, value.into(), None),
        Meaning::Several(values) => {
            let &[first, second] = &*values else { return None };
            (1, u64::from(first) << 32 | u64::from(second), None)
        }
        Meaning::Skip => (2, 0, None),
        Meaning::Signature => (3, 0, None),
        Meaning::Ill(Kind::TruncatedNext, _) if shares => (4, Kind::TruncatedNext as u64, None),
        Meaning::Ill(kind, next) => (4, kind as u64, next.filter(|_| names_next(kind, len))),
    };
    let next = next.map_or(0, |next| 1 + u16::from(next));
    let look = (look.role as u8) << 1 | u8::from(look.joined);
    Some(CacheKey { bytes, values, next, len: len as u8, variant, look })
}

impl CacheKey {
    /// Returns the index of the slot for the key, of this number of slots, a power of two.
    #[inline]
    fn slot(self, slots: usize) -> usize {
        // Fibonacci hashing: the upper bits of the product depend on all of the factor's. The look
        // has bits of its own, or neighbouring characters in two colours would share a slot.
        let mixed = (self.bytes << 4 | u64::from(self.look)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let next = u64::from(self.next).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed.wrapping_add(next) >> (u64::BITS - slots.ilog2())) as usize
    }
}

impl RowCache {
    /// Creates a cache. With `may_share`, rows that differ only in the byte after the sequence share a
    /// slot, if the encoding allows it.
    pub fn new(may_share: bool) -> RowCache {
        RowCache { may_share, ..RowCache::default() }
    }

    /// Returns the cached row of a sequence with a look.
    #[inline]
    pub fn get(&self, item: &DumpItem<'_>, look: SequenceLook) -> Option<&CachedRow> {
        let key = key(item, look, self.shares)?;
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[key.slot(self.slots.len())];
        (slot.key == key).then_some(&slot.row)
    }

    /// Caches the text of the row of a sequence, unless it has no key. `named` is where the text names
    /// the byte after the sequence.
    pub fn set(
        &mut self,
        item: &DumpItem<'_>,
        look: SequenceLook,
        text: &[u8],
        named: Option<Range<usize>>,
    ) {
        let Some(key) = key(item, look, self.shares) else { return };
        let slots = self.slots.len();
        if self.cached >= slots && slots < MOST_SLOTS {
            self.clear();
            self.slots
                .resize_with((slots * GROWTH).clamp(FEWEST_SLOTS, MOST_SLOTS), CacheSlot::default);
        }
        self.cached += 1;
        let at = key.slot(self.slots.len());
        let slot = &mut self.slots[at];
        let (before, after) = match named {
            Some(named) if key.next == 0 => (&text[..named.start], &text[named.end..]),
            _ => (text, &[][..]),
        };
        let row = CachedRow { text: [before, after].concat().into(), gap: before.len() as u32 };
        *slot = CacheSlot { key, row };
    }

    /// Clears the cache.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.cached = 0;
    }

    /// Sets the encoding of the sequences that follow. A change clears the cache.
    pub fn set_encoding(&mut self, encoding: &'static Encoding) {
        // In strict UTF-8, the byte that cuts a sequence short is no continuation byte, so that nothing but
        // its name depends on it.
        self.shares = self.may_share && encoding.inner.strict;
        if !self.encoding.replace(encoding).is_some_and(|before| std::ptr::eq(before, encoding)) {
            self.clear();
        }
    }
}
