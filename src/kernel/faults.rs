//! Search for all ill-formed sequences of UTF-8, by masks with a bit for each byte of a window.
//!
//! Whether a sequence is ill-formed at a byte depends only on a few bytes before and after it, so
//! windows overlap by these, and none waits for another.

use super::ascii_set::{NibbleTables, tables_of_pairs};
use super::prefetch::Prefetcher;

/// The number of bytes of a window that are examined at once, and of bits in a mask.
pub(super) const EXAMINED: usize = u64::BITS as usize;

/// The number of bytes before a byte that tell whether it belongs to a sequence.
const BEFORE: usize = 5;

/// The number of bytes after a lead byte that tell whether its sequence is well-formed.
const AFTER: usize = 3;

/// The number of bytes that a window decides on.
pub(super) const DECIDED: usize = EXAMINED - BEFORE - AFTER;

/// The number of bytes in a window: those examined at once, and the one after them.
pub(super) const WINDOW: usize = EXAMINED + 1;

/// The number of ill-formed sequences that are listed for each window, even if it has fewer.
const FEW_FAULTS: usize = 2;

/// The same number of line feeds.
const FEW_LINE_FEEDS: usize = 1;

/// The mean distance in bytes below which ill-formed sequences are dense.
const DENSE: usize = 512;

/// Returns `true` if so many ill-formed sequences in so many bytes are dense.
pub(crate) fn are_dense(number: usize, bytes: usize) -> bool {
    DENSE * number > bytes
}

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultMark {
    /// Its index in bytes.
    pub at: u32,
    /// The number of bytes before it that are no continuation bytes.
    pub starts: u32,
}

/// The ill-formed sequences of a text, and the line feeds that tell their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultMarks {
    /// The first bytes of the ill-formed sequences.
    pub faults: Vec<FaultMark>,
    /// The line feeds.
    pub line_feeds: Vec<FaultMark>,
}

impl FaultMarks {
    /// Removes all marks.
    pub fn clear(&mut self) {
        self.faults.clear();
        self.line_feeds.clear();
    }
}

/// A place in a text, of the first byte of an ill-formed sequence.
pub(super) trait FaultPlace: Copy + Default {
    /// Returns its index in bytes.
    fn index(self) -> usize;

    /// Returns the place so many bytes after this one, where first bytes of sequences are given by a
    /// mask.
    fn after(self, number: u32, starts: u64) -> Self;

    /// Returns the place so many bytes before this one, at the start of the last sequence.
    fn back(self, number: u32) -> Self;
}

/// A list of places.
pub(super) trait FaultPlaces {
    /// A place in it.
    type Place: FaultPlace;

    /// Prepares for another text.
    fn begin(&mut self) {}

    /// Adds those of a window that starts at a place.
    fn add(&mut self, start: Self::Place, window: WindowFaults);

    /// Removes those from one on.
    fn truncate(&mut self, end: Self::Place);
}

/// The ill-formed sequences of a window, by masks of the bytes that it decides on.
#[derive(Clone, Copy)]
pub(super) struct WindowFaults {
    /// The first bytes of ill-formed sequences.
    pub faults: u64,
    /// The line feeds.
    line_feeds: u64,
    /// The bytes that are no continuation bytes.
    starts: u64,
    /// The bytes that may start a pair of surrogates.
    pub pairs: u64,
}

/// Masks of the bytes of a window.
pub(super) struct WindowMasks<F> {
    /// Returns the mask of the bytes from a byte on, which is not ASCII.
    pub from: F,
    /// The bytes from C0 on that no well-formed sequence starts with, by the byte and the next one.
    pub barred: u64,
    /// The line feeds.
    pub line_feeds: u64,
}

/// The tables of a byte and of the next one. A bit in both means that no well-formed sequence starts
/// with the two bytes: see [`WindowMasks::barred`].
pub(super) static BARRED: [NibbleTables; 2] = tables_of_pairs(&[
    // Table 3-7 of the Unicode Standard.
    [0xFFFF, 0xF000, 0xF0FF], // a lead byte, not before a continuation byte
    [0x0003, 0x1000, 0xFFFF], // C0 and C1
    [0xFFE0, 0x8000, 0xFFFF], // F5..FF
    [0x0001, 0x4000, 0x0300], // E0 before 80..9F
    [0x2000, 0x4000, 0x0C00], // ED before A0..BF
    [0x0001, 0x8000, 0x0100], // F0 before 80..8F
    [0x0010, 0x8000, 0x0E00], // F4 before 90..BF
]);

/// Implements [`Kernels::faults`](super::Kernels::faults),
/// [`Kernels::fault_bits`](super::Kernels::fault_bits) and
/// [`Kernels::fault_marks`](super::Kernels::fault_marks). `examine` returns the masks of a window.
#[inline(always)]
pub(super) fn find<L: FaultPlaces, F: Fn(u8) -> u64>(
    bytes: &[u8],
    places: &mut L,
    examine: impl Fn(&[u8; WINDOW]) -> WindowMasks<F>,
) -> L::Place {
    places.begin();
    let bytes = &bytes[..bytes.len().min(u32::MAX as usize)];
    let mut end = L::Place::default();
    let Some(front) = bytes.first_chunk::<{ WINDOW - BEFORE }>() else { return end };
    let mut first = [0; WINDOW];
    first[BEFORE..].copy_from_slice(front);
    let mut window = Some(&first);
    let prefetcher = Prefetcher::new();
    while let Some(some) = window {
        prefetcher.prefetch(&some[..EXAMINED]);
        let found = examine(some).faults();
        places.add(end, found);
        end = end.after(DECIDED as u32, found.starts);
        window = bytes[end.index() - BEFORE..].first_chunk();
    }
    // The last sequence may continue.
    let last = bytes[..end.index()].iter().rev().take(BEFORE);
    if let Some((back, &lead)) = (1..).zip(last).find(|(_, byte)| byte.leading_ones() != 1)
        && !lead.is_ascii()
    {
        end = end.back(back);
    }
    places.truncate(end);
    end
}

impl<P: FaultPlace> FaultPlaces for Vec<P> {
    type Place = P;

    #[inline(always)]
    fn add(&mut self, start: P, window: WindowFaults) {
        add::<P, FEW_FAULTS>(self, start, window.faults, window.starts);
    }

    fn truncate(&mut self, end: P) {
        while self.pop_if(|place| place.index() >= end.index()).is_some() {}
    }
}

impl FaultPlaces for FaultMarks {
    type Place = FaultMark;

    #[inline(always)]
    fn add(&mut self, start: FaultMark, window: WindowFaults) {
        let WindowFaults { faults, line_feeds, starts, .. } = window;
        add::<_, FEW_FAULTS>(&mut self.faults, start, faults, starts);
        add::<_, FEW_LINE_FEEDS>(&mut self.line_feeds, start, line_feeds, starts);
    }

    fn truncate(&mut self, end: FaultMark) {
        FaultPlaces::truncate(&mut self.faults, end);
        FaultPlaces::truncate(&mut self.line_feeds, end);
    }
}

/// Adds the places of a mask in a window that starts at a place.
#[inline(always)]
fn add<P: FaultPlace, const FEW: usize>(places: &mut Vec<P>, start: P, mut left: u64, starts: u64) {
    places.reserve(EXAMINED);
    let room = places.spare_capacity_mut();
    let number = left.count_ones() as usize;
    // Most windows have a few. A branch for each number is one that no predictor foresees.
    for place in &mut room[..FEW] {
        place.write(start.after(left.trailing_zeros() % u64::BITS, starts));
        left &= left.wrapping_sub(1);
    }
    for place in &mut room[FEW.min(number)..number] {
        place.write(start.after(left.trailing_zeros(), starts));
        left &= left - 1;
    }
    // SAFETY: so many places of the capacity were written.
    unsafe { places.set_len(places.len() + number) };
}

impl FaultPlace for u32 {
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn after(self, number: u32, _: u64) -> u32 {
        self + number
    }

    fn back(self, number: u32) -> u32 {
        self - number
    }
}

impl FaultPlace for FaultMark {
    #[inline(always)]
    fn index(self) -> usize {
        self.at as usize
    }

    #[inline(always)]
    fn after(self, number: u32, starts: u64) -> FaultMark {
        let passed = starts & ((1 << number) - 1);
        FaultMark { at: self.at + number, starts: self.starts + passed.count_ones() }
    }

    fn back(self, number: u32) -> FaultMark {
        // The bytes of a mapped file may have changed since.
        FaultMark { at: self.at - number, starts: self.starts.saturating_sub(1) }
    }
}

impl<F: Fn(u8) -> u64> WindowMasks<F> {
    /// Returns the ill-formed sequences.
    ///
    /// A sequence is a lead byte with the continuation bytes after it, as many as it announces at
    /// most, or another byte. It is ill-formed unless it is in table 3-7 of the Unicode Standard.
    #[inline(always)]
    fn faults(&self) -> WindowFaults {
        // The lead bytes that announce two, three and four bytes or more.
        // Calls in a row: a generic function in between would lack the instructions.
        let from = &self.from;
        let (from_80, two, three, four) = (from(0x80), from(0xC0), from(0xE0), from(0xF0));
        let rest = from_80 & !two;
        let is_cut = three & !(rest >> 2) | four & !(rest >> 3);
        // The continuation bytes that belong to a lead byte.
        let (third, fourth) = (rest & rest << 1, rest & rest << 1 & rest << 2);
        let cover = |[two, three, four]: [u64; 3]| {
            two << 1 & rest | three << 2 & third | four << 3 & fourth
        };
        let mut covered = cover([two, three, four]);
        // All lead bytes from F8 on are barred, and matter where a continuation byte follows.
        if (four & self.barred) << 1 & rest != 0 {
            // FE and FF announce nothing.
            let (five, six, none) = (from(0xF8), from(0xFC), from(0xFE));
            let [two, three, four, five, six] =
                [two, three, four, five, six].map(|leads| leads & !none);
            let fifth = fourth & rest << 3;
            covered = cover([two, three, four]) | five << 4 & fifth | six << 5 & fifth & rest << 4;
        }
        let faults = self.barred | is_cut | rest & !covered;
        let surrogates = from(0xED) & !from(0xEE);
        let decided = |mask: u64| mask >> BEFORE & ((1 << DECIDED) - 1);
        WindowFaults {
            faults: decided(faults),
            line_feeds: decided(self.line_feeds),
            starts: !rest >> BEFORE,
            pairs: decided(surrogates & surrogates >> 3),
        }
    }
}
