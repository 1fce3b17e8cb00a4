//! The sample of the input that legacy encodings are ranked by.

use std::collections::HashSet;

use super::strict_sets::StrictSets;
use super::words::usual_words;
use crate::kernel::{self, ByteSet};

/// The size of a window, in bytes.
const WINDOW: usize = 1 << 10;

/// The most windows that are kept.
const MOST_WINDOWS: usize = 16;

/// A sample of bytes beyond ASCII and their context: windows of up to 16 KiB in total, spread over
/// the input, and for all bytes, the legacy encodings in which they are well formed. The sample does
/// not depend on the sizes of the chunks that bytes are added in.
#[derive(Clone)]
pub struct LegacySample {
    /// The windows that are kept, in the order of the input.
    windows: Vec<Vec<u8>>,
    /// Of the windows with bytes beyond ASCII, each `stride`th is kept.
    stride: u64,
    /// The number of windows with bytes beyond ASCII so far.
    high_windows: u64,
    /// The window that is being filled.
    partial: Vec<u8>,
    /// True if the window being filled is the first.
    is_first: bool,
    /// The byte values beyond ASCII that do not occur.
    unseen: ByteSet,
    /// The multi-byte sets in which the bytes are well formed.
    sets: StrictSets,
}

impl Default for LegacySample {
    fn default() -> LegacySample {
        LegacySample {
            windows: Vec::new(),
            stride: 1,
            high_windows: 0,
            partial: Vec::with_capacity(WINDOW),
            is_first: true,
            unseen: ByteSet::of(|byte| !byte.is_ascii()),
            sets: StrictSets::default(),
        }
    }
}

impl std::fmt::Debug for LegacySample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LegacySample { windows, stride, high_windows, .. } = self;
        f.debug_struct("LegacySample")
            .field("windows", &windows.len())
            .field("stride", stride)
            .field("high_windows", high_windows)
            .finish_non_exhaustive()
    }
}

impl LegacySample {
    /// Adds the next bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(WINDOW - self.partial.len()));
            self.partial.extend_from_slice(part);
            bytes = rest;
            if self.partial.len() == WINDOW {
                self.end_window();
            }
        }
    }

    /// Ends the window that is being filled.
    fn end_window(&mut self) {
        self.sets.add(&self.partial);
        if !self.partial.is_ascii() {
            let mut rest = &self.partial[..];
            while let Some((&byte, behind)) =
                rest[kernel::best().before_any(rest, &self.unseen)..].split_first()
            {
                self.unseen.remove(byte);
                rest = behind;
            }
            if self.high_windows.is_multiple_of(self.stride) {
                self.keep(self.aligned_partial().to_vec());
            }
            self.high_windows += 1;
        }
        self.partial.clear();
        self.is_first = false;
    }

    /// Returns the window being filled from the first byte on that is part of no longer sequence. The
    /// first window starts with the input and is whole.
    fn aligned_partial(&self) -> &[u8] {
        let is_start = |byte: &u8| self.is_first || ends_sequence(byte);
        let start = self.partial.iter().position(is_start).unwrap_or(self.partial.len());
        &self.partial[start..]
    }

    /// Keeps a window. If there are too many, drops every second one and doubles the stride.
    fn keep(&mut self, window: Vec<u8>) {
        self.windows.push(window);
        if self.windows.len() > MOST_WINDOWS {
            self.stride *= 2;
            let mut is_kept = false;
            self.windows.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
        }
    }

    /// Ends the input. Nothing may be added afterwards.
    pub(in crate::detect) fn finish(&mut self) {
        self.end_window();
    }

    /// Drops words with bytes beyond ASCII that occurred before: a word that returns is no further
    /// evidence, though a wrong reading may cost a little less than the right one each time.
    pub(super) fn drop_repeated_words(&mut self) {
        let size: usize = self.windows.iter().map(Vec::len).sum();
        let mut seen = HashSet::with_capacity(usual_words(size));
        let mut windows = Vec::with_capacity(self.windows.len());
        for window in &self.windows {
            let words = window.split_inclusive(ends_sequence);
            let new = words.filter(|word| word.is_ascii() || seen.insert(*word));
            windows.push(new.collect::<Vec<_>>().concat());
        }
        self.windows = windows;
    }

    /// Returns the windows that are kept.
    pub(in crate::detect) fn windows(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.windows.iter().map(Vec::as_slice)
    }

    /// Returns the windows that were kept if the input ended here.
    pub(in crate::detect) fn windows_so_far(&self) -> impl Iterator<Item = &[u8]> {
        let is_kept = self.high_windows.is_multiple_of(self.stride) && !self.partial.is_ascii();
        self.windows().chain(is_kept.then(|| self.aligned_partial()))
    }

    /// Returns the byte values beyond ASCII that occur.
    pub(super) fn high_bytes(&self) -> impl Iterator<Item = u8> {
        (0x80..=0xFF).filter(|&byte| !self.unseen.has(byte))
    }

    /// Returns the length in bytes of the sequence cut at the end in a row of
    /// [`SETS`](super::pages::SETS), or 0.
    pub(super) fn cut_len(&self, set: usize) -> usize {
        self.sets.cut_len(set)
    }

    /// Returns `true` if there was a sequence of four bytes, which only GB 18030 has.
    pub(super) fn has_four_byte_sequence(&self) -> bool {
        self.sets.has_four_byte_sequence()
    }

    /// Returns `true` if all bytes are well formed in a row of [`SETS`](super::pages::SETS), except
    /// for a sequence cut at the end. See [`StrictSets::is_well_formed_in`].
    pub(super) fn is_well_formed_in(&self, set: usize) -> bool {
        self.sets.is_well_formed_in(set)
    }

    /// See [`StrictSets::has_all_pairs`].
    pub(super) fn has_all_pairs(&self, set: usize) -> bool {
        self.sets.has_all_pairs(set)
    }
}

/// Returns `true` for a byte that is part of no longer sequence in any set.
fn ends_sequence(byte: &u8) -> bool {
    *byte < 0x30
}
