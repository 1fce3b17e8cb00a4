//! Which part of the input is looked at closely? Windows that hold bytes beyond ASCII.

use super::strict_sets::StrictSets;

/// The size of a window, in bytes.
const WINDOW: usize = 1 << 10;

/// How many windows are kept.
const MOST: usize = 16;

/// What is known of some bytes: up to 16 KiB of them, and for all of them, which code pages and
/// sets can hold them. It does not matter in which pieces they come.
#[derive(Clone)]
pub struct LegacySample {
    /// What is kept, each window behind the last.
    windows: Vec<Vec<u8>>,
    /// Every so many-th window with bytes beyond ASCII is kept.
    stride: u64,
    /// How many windows had bytes beyond ASCII.
    number: u64,
    /// The window that is not complete yet.
    partial: Vec<u8>,
    /// Whether that is the first.
    first: bool,
    /// Which bytes occur.
    present: [bool; 256],
    /// The multi-byte sets, at work.
    sets: StrictSets,
}

impl Default for LegacySample {
    fn default() -> LegacySample {
        LegacySample {
            windows: Vec::new(),
            stride: 1,
            number: 0,
            partial: Vec::with_capacity(WINDOW),
            first: true,
            present: [false; 256],
            sets: StrictSets::default(),
        }
    }
}

impl std::fmt::Debug for LegacySample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LegacySample { windows, stride, number, .. } = self;
        f.debug_struct("Sample")
            .field("windows", &windows.len())
            .field("stride", stride)
            .field("number", number)
            .finish_non_exhaustive()
    }
}

impl LegacySample {
    /// Go on with these bytes of the input.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(WINDOW - self.partial.len()));
            self.partial.extend_from_slice(now);
            bytes = rest;
            if self.partial.len() == WINDOW {
                self.window();
            }
        }
    }

    /// The window is complete.
    fn window(&mut self) {
        let whole = std::mem::replace(&mut self.partial, Vec::with_capacity(WINDOW));
        let first = std::mem::replace(&mut self.first, false);
        self.sets.add(&whole);
        if whole.is_ascii() {
            self.partial = whole;
            self.partial.clear();
            return;
        }
        for &byte in &whole {
            self.present[usize::from(byte)] = true;
        }
        if self.number.is_multiple_of(self.stride) {
            self.keep(aligned(whole, first));
        }
        self.number += 1;
    }

    /// Keep a window, and every other one, if there are too many.
    fn keep(&mut self, window: Vec<u8>) {
        self.windows.push(window);
        if self.windows.len() > MOST {
            self.stride *= 2;
            let mut kept = false;
            self.windows.retain(|_| {
                kept = !kept;
                kept
            });
        }
    }

    /// The input ends. Nothing more may be added.
    pub(in crate::detect) fn end(&mut self) {
        self.window();
    }

    /// The windows that are kept.
    pub(in crate::detect) fn windows(&self) -> impl Iterator<Item = &[u8]> {
        self.windows.iter().map(Vec::as_slice)
    }

    /// The bytes beyond ASCII that occur.
    pub(super) fn high(&self) -> impl Iterator<Item = u8> {
        (0x80..=0xFF).filter(|&byte| self.present[usize::from(byte)])
    }

    /// How many bytes at the end are a cut sequence in this row of [`SETS`](super::pages::SETS).
    pub(super) fn cut(&self, set: usize) -> usize {
        self.sets.cut(set)
    }

    /// Whether there was a sequence of four bytes, which only GB 18030 has.
    pub(super) fn has_four(&self) -> bool {
        self.sets.has_four()
    }

    /// Whether all is well formed in this row of [`SETS`](super::pages::SETS), but for a cut sequence at the end.
    pub(super) fn is_in(&self, set: usize) -> bool {
        self.sets.holds(set)
    }
}

/// A window from a byte on that is part of no sequence: such bytes are below 30.
fn aligned(mut window: Vec<u8>, first: bool) -> Vec<u8> {
    if !first {
        let start = window.iter().position(|&byte| byte < 0x30).unwrap_or(window.len());
        window.drain(..start);
    }
    window
}
