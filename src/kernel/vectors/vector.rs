//! Vectors of 128 or 256 bits.

/// Bytes in a vector of 128 bits.
pub const LANES: usize = 16;

/// Bytes in the longest vector.
pub const MOST_SIZE: usize = 32;

/// A vector of 128 bits in memory.
pub type Lanes = [u8; LANES];

/// Declares [`Vectors`].
macro_rules! vectors {
    ($(
        $(#[$doc:meta])*
        $name:ident$(<const $n:ident>)?($($argument:ident: $type:ty),*) -> $result:ty;
    )*) => {
        /// The instructions of a CPU for vectors of one or two parts of 128 bits. A value exists only
        /// where the CPU has them.
        ///
        /// # Safety
        /// `Memory` is an array of `SIZE` bytes, and so has no padding: vectors are written to raw
        /// memory of that size.
        pub unsafe trait Vectors: Copy {
            /// A vector.
            type Bytes: Copy;
            /// A vector in memory.
            type Memory: Copy + AsRef<[u8]>;
            /// The instructions for vectors of one part.
            type Single: Vectors<Memory = Lanes>;
            /// The number of parts of a vector.
            const PARTS: usize;
            /// The size of a vector in bytes.
            const SIZE: usize = LANES * Self::PARTS;
            /// Returns the instructions for vectors of one part.
            fn single(self) -> Self::Single;
            $($(#[$doc])* fn $name$(<const $n: i32>)?(self, $($argument: $type),*) -> $result;)*
        }
    };
}

vectors! {
    /// Loads the bytes at the front, which are at least those of a vector.
    load(bytes: &[u8]) -> Self::Bytes;
    /// Loads the same bytes into each part.
    load_each(part: &Lanes) -> Self::Bytes;
    store(bytes: Self::Bytes) -> Self::Memory;
    and(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    or(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    xor(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Selects `a` where all bits of a byte of the mask are set, and `b` where none is.
    select(mask: Self::Bytes, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    splat8(value: u8) -> Self::Bytes;
    splat16(value: u16) -> Self::Bytes;
    splat32(value: u32) -> Self::Bytes;
    /// Subtracts; 0 where `b` is greater.
    less8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Subtracts signed numbers; the least one where the difference is less.
    less_signed8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    max8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    eq32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the mask of the continuation bytes of UTF-8.
    trails(bytes: Self::Bytes) -> Self::Bytes;
    add16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    add32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    shl16<const N>(a: Self::Bytes) -> Self::Bytes;
    shr16<const N>(a: Self::Bytes) -> Self::Bytes;
    shl32<const N>(a: Self::Bytes) -> Self::Bytes;
    shr32<const N>(a: Self::Bytes) -> Self::Bytes;
    /// Moves the bytes so that lower and upper halves of parts have them in order.
    apart(bytes: Self::Bytes) -> Self::Bytes;
    /// Interleaves the lower halves of each part.
    low8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Interleaves the upper halves of each part.
    high8(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    low16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    high16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows units below 100.
    narrow16(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows values below 10000.
    narrow32(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Narrows values below 100 to bytes.
    narrow_ascii(values: [Self::Bytes; 4]) -> Self::Bytes;
    /// Narrows masks of values.
    narrow_masks(a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the bytes of each part at these places, each below 16, and 0 for the place FF.
    shuffle(bytes: Self::Bytes, places: Self::Bytes) -> Self::Bytes;
    /// Returns the bytes of each part at the lower halves of these places, and 0 for places whose
    /// highest bit is set.
    shuffle_low(bytes: Self::Bytes, places: Self::Bytes) -> Self::Bytes;
    /// Returns the bytes of a part at these places, each below 16.
    shuffle_part(bytes: Self::Bytes, part: usize, places: &Lanes) -> Lanes;
    /// Returns the highest bit of each byte.
    bits8(bytes: Self::Bytes) -> u32;
    /// Returns a bit for each unit of a mask, in eight of the sixteen bits of each part.
    bits16(mask: Self::Bytes) -> u32;
    /// Returns a bit for each value of a mask.
    bits32(mask: Self::Bytes) -> u32;
    /// Returns `true` if any byte has its highest bit.
    any(bytes: Self::Bytes) -> bool;
    /// Returns `true` if the vectors have a bit in common.
    meet(a: Self::Bytes, b: Self::Bytes) -> bool;
}

/// Returns the bytes of a vector at the front.
#[inline(always)]
pub fn front<const N: usize>(bytes: &[u8]) -> &[u8; N] {
    bytes.first_chunk().expect("bytes of a vector")
}

/// Implements the functions of [`Vectors`].
macro_rules! instructions {
    ($($name:ident$(<const $n:ident>)?($($argument:ident: $type:ty),*) -> $result:ty =
        $body:expr;)*) => {
        $(
            #[inline(always)]
            #[allow(unused_unsafe)] // some need no instruction
            fn $name$(<const $n: i32>)?(self, $($argument: $type),*) -> $result {
                // SAFETY: `self` exists only where the CPU has the instructions. Loads and stores get an
                // array of the size of a vector.
                unsafe { $body }
            }
        )*
    };
}

pub(super) use instructions;
