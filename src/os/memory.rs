//! Copies of memory for the static binary, in place of those of musl, which take several times as
//! long for a few bytes.

use std::arch::x86_64::__m128i;
use std::mem::MaybeUninit;
use std::sync::atomic::{Ordering, compiler_fence};

/// The number of bytes of a vector.
const VECTOR: usize = size_of::<__m128i>();

/// The number of vectors that are loaded before any is stored.
const GROUP: usize = 4;

/// The number of bytes from which the CPU's instruction for strings is faster.
const LONG: usize = 2 << 10;

/// Defines `memcpy` and `memmove` of a program, in place of those of the C library.
#[doc(hidden)] // the binary's
#[macro_export]
macro_rules! replace_copies_of_memory {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
                // SAFETY: the caller's promise is that of the function of the same name.
                unsafe { $crate::$name(to, from, len) }
            }
        )*
    };
}

/// Copies `len` bytes, as C defines it (ISO/IEC 9899:2018, 7.24.2.1).
///
/// # Safety
/// `from` is valid for reads of `len` bytes and `to` for writes, and they do not overlap.
#[inline]
pub unsafe fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    // SAFETY: the caller's promise; each function copies as many bytes as it needs.
    unsafe {
        if len <= FEW {
            copy_few(to, from, len);
        } else if len < LONG {
            copy_forward(to, from, len);
        } else {
            copy_long(to, from, len);
        }
    }
    to
}

/// Copies `len` bytes, which may overlap, as C defines it (ISO/IEC 9899:2018, 7.24.2.2).
///
/// # Safety
/// `from` is valid for reads of `len` bytes and `to` for writes.
#[inline]
pub unsafe fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    let distance = (to as usize).wrapping_sub(from as usize);
    // SAFETY: the caller's promise. Bytes that a store changes were loaded before: all of a few;
    // those after it if the target is below the source; those before it if it is above.
    unsafe {
        if len <= FEW {
            copy_few(to, from, len);
        } else if distance < len {
            copy_backward(to, from, len);
        } else if len < LONG || distance.wrapping_neg() < len {
            // The instruction for strings is slow if the bytes overlap.
            copy_forward(to, from, len);
        } else {
            copy_long(to, from, len);
        }
    }
    to
}

/// The largest number of bytes that are all loaded before any is stored.
const FEW: usize = 2 * GROUP * VECTOR;

/// Copies up to [`FEW`] bytes, from both ends, so that the middle is copied twice.
///
/// # Safety
/// That of [`memmove`].
#[inline(always)]
unsafe fn copy_few(to: *mut u8, from: *const u8, len: usize) {
    /// Copies the first and the last `N` values.
    ///
    /// # Safety
    /// That of [`memmove`]; `len` is at least the size of `N` values.
    #[inline(always)]
    unsafe fn copy_ends<T, const N: usize>(to: *mut u8, from: *const u8, len: usize) {
        // SAFETY: as the caller guarantees, both parts are within `len` bytes.
        unsafe {
            let end = len - N * size_of::<T>();
            let first = read::<[T; N]>(from);
            let last = read::<[T; N]>(from.add(end));
            write(to, first);
            write(to.add(end), last);
        }
    }
    // SAFETY: each arm copies within `len` bytes.
    unsafe {
        match len {
            0 => {}
            1 => copy_ends::<u8, 1>(to, from, len),
            2..4 => copy_ends::<u16, 1>(to, from, len),
            4..8 => copy_ends::<u32, 1>(to, from, len),
            8..16 => copy_ends::<u64, 1>(to, from, len),
            16..=32 => copy_ends::<__m128i, 1>(to, from, len),
            33..=64 => copy_ends::<__m128i, 2>(to, from, len),
            _ => copy_ends::<__m128i, GROUP>(to, from, len),
        }
    }
}

/// Reads the bytes of a value. They may be uninitialized, as the padding of a structure is, or part
/// of a pointer, which remains one.
///
/// # Safety
/// The bytes of a `T` can be read from `from` on.
#[inline(always)]
unsafe fn read<T>(from: *const u8) -> MaybeUninit<T> {
    // SAFETY: as the caller guarantees.
    unsafe { from.cast::<MaybeUninit<T>>().read_unaligned() }
}

/// Writes the bytes of a value.
///
/// # Safety
/// The bytes of a `T` can be written from `to` on.
#[inline(always)]
unsafe fn write<T>(to: *mut u8, value: MaybeUninit<T>) {
    // SAFETY: as the caller guarantees.
    unsafe { to.cast::<MaybeUninit<T>>().write_unaligned(value) }
}

/// The vectors of a group.
type VectorGroup = [MaybeUninit<__m128i>; GROUP];

/// Reads a group.
///
/// # Safety
/// The bytes of a group can be read from `from` on.
#[inline(always)]
unsafe fn load(from: *const u8) -> VectorGroup {
    // SAFETY: as the caller guarantees.
    std::array::from_fn(|at| unsafe { read(from.add(at * VECTOR)) })
}

/// Writes a group.
///
/// # Safety
/// The bytes of a group can be written from `to` on.
#[inline(always)]
unsafe fn store(to: *mut u8, group: VectorGroup) {
    for (at, vector) in group.into_iter().enumerate() {
        // SAFETY: as the caller guarantees.
        unsafe { write(to.add(at * VECTOR), vector) }
    }
    // Without it, the compiler would make a call of memcpy of the loop: of this function.
    compiler_fence(Ordering::SeqCst);
}

/// Copies more than a group from the first byte on.
///
/// # Safety
/// That of [`memmove`], and no byte of the target is behind its source.
#[inline(always)]
unsafe fn copy_forward(to: *mut u8, from: *const u8, len: usize) {
    let end = len - size_of::<VectorGroup>();
    // SAFETY: all groups are within `len` bytes.
    unsafe {
        let last = load(from.add(end));
        let mut at = 0;
        while at < end {
            store(to.add(at), load(from.add(at)));
            at += size_of::<VectorGroup>();
        }
        store(to.add(end), last);
    }
}

/// Copies more than a group from the last byte on.
///
/// # Safety
/// That of [`memmove`].
#[inline(always)]
unsafe fn copy_backward(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: all groups are within `len` bytes.
    unsafe {
        let first = load(from);
        let mut at = len;
        while at > size_of::<VectorGroup>() {
            at -= size_of::<VectorGroup>();
            store(to.add(at), load(from.add(at)));
        }
        store(to, first);
    }
}

/// Copies bytes that do not overlap with the CPU's instruction for strings: eight at a time, since
/// older CPUs are slow with single bytes.
///
/// # Safety
/// That of [`memcpy`], for eight bytes or more.
#[inline(always)]
unsafe fn copy_long(to: *mut u8, from: *const u8, len: usize) {
    const WORD: usize = size_of::<u64>();
    // SAFETY: the instruction reads and writes whole words of the caller's bytes; the direction flag
    // is clear, as the ABI demands. The last word is within the bytes.
    unsafe {
        std::arch::asm!(
            "rep movsq",
            inout("rdi") to => _,
            inout("rsi") from => _,
            inout("rcx") len / WORD => _,
            options(nostack, preserves_flags)
        );
        write(to.add(len - WORD), read::<u64>(from.add(len - WORD)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance between the cases, prime to the number of cases of one length.
    const STRIDE: usize = if cfg!(miri) { 23 } else { 1 };

    /// Returns lengths around all limits; in Miri, which reads no assembly, only those below [`LONG`].
    fn lengths() -> impl Iterator<Item = usize> {
        let lengths = (0..3 * FEW).chain(LONG - FEW..LONG + FEW).chain([3 * LONG + 1]);
        lengths.filter(|&len| len < LONG || !cfg!(miri))
    }

    /// Returns different bytes side by side.
    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|at| (at * 31 + at / 251) as u8).collect()
    }

    #[test]
    fn separate_bytes_are_copied() {
        let cases = lengths().flat_map(|len| (0..3).map(move |start| (start, len)));
        for (start, len) in cases.step_by(STRIDE) {
            let from = bytes(start + len);
            let mut to = vec![0xEE; start + len + 1];
            let expected = [&to[..start], &from[start..], &[0xEE]].concat();
            let target = to[start..].as_mut_ptr();
            // SAFETY: both have `len` bytes, in separate vectors.
            assert_eq!(unsafe { memcpy(target, from[start..].as_ptr(), len) }, target);
            assert!(to == expected, "{start} {len}");
        }
    }

    #[test]
    fn overlapping_bytes_are_moved() {
        let cases = lengths().flat_map(|len| {
            let distances = [0, 1, 2, 7, 15, 16, 17, 63, 64, 65, FEW, len / 2, len, len + 1];
            distances.into_iter().map(move |distance| (len, distance))
        });
        for (len, distance) in cases.step_by(STRIDE) {
            for (from, to) in [(1, 1 + distance), (1 + distance, 1)] {
                let mut found = bytes(len + distance + 2);
                let mut expected = found.clone();
                expected.copy_within(from..from + len, to);
                let start = found.as_mut_ptr();
                // SAFETY: both ranges are within the vector.
                unsafe { memmove(start.add(to), start.add(from), len) };
                assert!(found == expected, "{from} {to} {len}");
            }
        }
    }

    /// Asserts that up to 40 values are copied. Miri reports padding that is read and pointers that
    /// are none afterwards.
    fn check_values<T: Copy + PartialEq + std::fmt::Debug>(value: T, other: T) {
        for count in 0..40 {
            let (from, mut to) = ([value; 40], [other; 40]);
            // SAFETY: both arrays have the values, whose bytes `memcpy` copies as they are.
            unsafe {
                memcpy(to.as_mut_ptr().cast(), from.as_ptr().cast(), count * size_of::<T>());
            }
            assert_eq!(to[..count], from[..count]);
            assert_eq!(to[count..], [other; 40][count..]);
        }
    }

    #[test]
    fn padding_and_pointers_are_copied() {
        check_values((1_u8, 2_u16), (3, 4));
        check_values((1_u8, "text"), (3, ""));
        check_values(&1, &2);
    }
}
