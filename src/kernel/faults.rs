//! Search for all ill-formed sequences of UTF-8, by masks with a bit for each byte of a window.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // no other CPU has masks of bytes

/// The number of bytes in a window.
pub(super) const WINDOW: usize = u64::BITS as usize;

/// The number of bytes after a lead byte that the longest sequence may have.
const LONGEST_REST: usize = 5;

/// The number of bytes of a window whose sequences certainly end in it.
const STARTS: usize = WINDOW - LONGEST_REST;

/// The bytes at which classes of bytes start.
const LIMITS: [u8; 16] = [
    0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5, 0xF8, 0xFC, 0xFE,
];

/// The masks of the bytes of a window that are not below each of [`LIMITS`].
type LimitMasks = [u64; LIMITS.len()];

/// The mean distance in bytes below which ill-formed sequences are dense.
pub(crate) const DENSE: usize = 512;

/// The ill-formed sequences of a window, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultMask {
    /// The index of the first byte of the window.
    pub start: usize,
    /// A bit for the first byte of each, the lowest for the first byte of the window.
    pub faults: u64,
}

impl FaultMask {
    /// Returns the indexes of their first bytes, in order.
    pub fn starts(self) -> impl Iterator<Item = usize> {
        let mut faults = self.faults;
        std::iter::from_fn(move || {
            let at = faults.trailing_zeros() as usize;
            faults &= faults.wrapping_sub(1);
            (at < WINDOW).then_some(self.start + at)
        })
    }

    /// Returns `true` if the ill-formed sequences of so many bytes are dense: more than one for each
    /// [`DENSE`] bytes.
    pub fn are_dense(masks: &[FaultMask], bytes: usize) -> bool {
        let number = |mask: &FaultMask| mask.faults.count_ones() as usize;
        DENSE * masks.iter().map(number).sum::<usize>() > bytes
    }

    /// Returns the index of the first at an index or behind it.
    #[inline]
    pub fn next(self, at: usize) -> Option<usize> {
        let passed = at.saturating_sub(self.start) as u32;
        let faults = self.faults & u64::MAX.unbounded_shl(passed);
        (faults != 0).then(|| self.start + faults.trailing_zeros() as usize)
    }
}

/// Implements [`Kernels::faults`](super::Kernels::faults). `compare` returns the masks of a
/// window for these limits.
#[inline(always)]
pub(super) fn find(
    bytes: &[u8],
    masks: &mut Vec<FaultMask>,
    compare: impl Fn(&[u8; WINDOW], [u8; LIMITS.len()]) -> LimitMasks,
) -> usize {
    let mut at = 0;
    while let Some(window) = bytes[at..].first_chunk() {
        let (faults, len) = examine(compare(window, LIMITS));
        if faults != 0 {
            masks.push(FaultMask { start: at, faults });
        }
        at += len;
    }
    at
}

/// Returns the mask of the ill-formed sequences of a window, by their first bytes, and the number of
/// bytes of whole sequences at its front. The window starts with a sequence.
///
/// A sequence is a lead byte with the continuation bytes after it, as many as it announces at most,
/// or another byte. It is ill-formed unless it is in table 3-7 of the Unicode Standard.
#[inline(always)]
fn examine(masks: LimitMasks) -> (u64, usize) {
    let [from_80, from_90, from_a0, from_c0, from_c2, masks @ ..] = masks;
    let [from_e0, from_e1, from_ed, from_ee, from_f0, from_f1, masks @ ..] = masks;
    let [from_f4, from_f5, from_f8, from_fc, from_fe] = masks;
    let rest = from_80 & !from_c0;
    // The lead bytes that announce so many bytes or more.
    let [two, three, four, five, six] =
        [from_c0, from_e0, from_f0, from_f8, from_fc].map(|from| from & !from_fe);
    let [second, third, fourth] = [1, 2, 3].map(|back| rest >> back);
    let is_cut = two & !second | three & !third | four & !fourth;
    let is_beyond = from_c0 & !from_c2
        | from_e0 & !from_e1 & !(from_a0 >> 1)
        | from_ed & !from_ee & (from_a0 >> 1)
        | from_f0 & !from_f1 & !(from_90 >> 1)
        | from_f4 & !from_f5 & (from_90 >> 1)
        | from_f5;
    // The continuation bytes that belong to a lead byte.
    let (mut rests, mut covered) = (rest, 0);
    for (back, leads) in (1..).zip([two, three, four, five, six]) {
        covered |= leads << back & rests;
        rests &= rest << back;
    }
    let len = STARTS + (!(covered >> STARTS)).trailing_zeros() as usize;
    let faults = is_cut | is_beyond | rest & !covered;
    (faults & u64::MAX >> (WINDOW - len), len)
}
