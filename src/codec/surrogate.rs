//! Surrogates: their ranges, and pairs as code points.

/// The first high surrogate.
pub(crate) const HIGH: u32 = 0xD800;

/// The first low surrogate.
pub(crate) const LOW: u32 = 0xDC00;

/// The code point after the last low surrogate.
pub(crate) const BEYOND_LOW: u32 = 0xE000;

/// The first supplementary code point.
pub(super) const SUPPLEMENTARY: u32 = 0x1_0000;

/// Returns `true` for a surrogate.
pub(crate) const fn is_surrogate(value: u32) -> bool {
    value >= HIGH && value < BEYOND_LOW
}

/// Returns the code point of a surrogate pair.
pub(super) const fn join(high: u32, low: u32) -> u32 {
    SUPPLEMENTARY + ((high - HIGH) << 10 | (low - LOW))
}

/// Returns the surrogate pair of a supplementary code point.
pub(super) const fn split(value: u32) -> [u32; 2] {
    let value = value - SUPPLEMENTARY;
    [HIGH + (value >> 10), LOW + (value & 0x3FF)]
}
