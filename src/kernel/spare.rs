//! Spare capacity at the end of a text, filled block by block.

use super::Utf8Form;

/// The room after a text. Blocks are stored whole, because stores of a fixed size take less time.
pub struct SpareRoom<'a> {
    /// The end of the room.
    end: *mut u8,
    /// The number of free bytes before the end, negative: with it, an instruction checks that a block
    /// fits, and another one stores it.
    free: isize,
    text: &'a mut Vec<u8>,
}

impl<'a> SpareRoom<'a> {
    /// Reserves room behind a text. The bytes in it are appended to the text in the end.
    #[inline(always)]
    pub fn new(text: &'a mut Vec<u8>, size: usize) -> SpareRoom<'a> {
        text.reserve(size);
        let spare = text.spare_capacity_mut();
        let free = -(spare.len() as isize);
        SpareRoom { end: spare.as_mut_ptr_range().end.cast(), free, text }
    }

    /// Returns the start of the room for some bytes, and counts the first `len` as appended.
    ///
    /// # Panics
    /// If there is no room for them.
    ///
    /// # Safety
    /// The bytes that count as appended must be written before the room is dropped.
    #[inline(always)]
    pub(super) unsafe fn take(&mut self, size: usize, len: usize) -> *mut u8 {
        assert!(size <= self.free.unsigned_abs(), "room for a block");
        // SAFETY: the free bytes are in the room.
        let start = unsafe { self.end.offset(self.free) };
        self.free += len.min(size) as isize;
        start
    }

    /// Appends the first `len` bytes of a block.
    ///
    /// # Panics
    /// If there is no room for the block.
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, block: [u8; N], len: usize) {
        // SAFETY: there is room for the block, and all of it is written.
        unsafe { self.take(N, len).cast::<[u8; N]>().write(block) };
    }

    /// Appends a character.
    #[inline(always)]
    pub fn push_form(&mut self, form: Utf8Form) {
        self.push(form.bytes(), form.count());
    }

    /// Appends a number in big-endian order, without leading zero bytes.
    #[inline(always)]
    pub fn push_code(&mut self, code: u32) {
        let zeros = (code | 1).leading_zeros() / 8;
        self.push((code << (8 * zeros)).to_be_bytes(), size_of::<u32>() - zeros as usize);
    }

    /// Appends the characters of a code page, up to U+FFFF.
    ///
    /// # Panics
    /// If there is no room for four bytes for each.
    #[inline(always)]
    pub fn extend_forms(&mut self, bytes: &[u8], forms: &[Utf8Form; 256]) {
        assert!(bytes.len() <= self.free.unsigned_abs() / 4, "room for the characters");
        for &byte in bytes {
            let form = forms[usize::from(byte)];
            // SAFETY: the room has four bytes for each character, and each before took at most four.
            // The next overwrites what is too much.
            unsafe { self.end.offset(self.free).cast::<[u8; 4]>().write(form.bytes()) };
            self.free += form.short_count() as isize;
        }
    }

    /// Appends bytes.
    ///
    /// # Panics
    /// If there is no room for them.
    #[inline(always)]
    pub fn extend(&mut self, bytes: &[u8]) {
        // SAFETY: there is room for the bytes, which are not in it, and all are written.
        unsafe {
            let start = self.take(bytes.len(), bytes.len());
            start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
    }
}

impl Drop for SpareRoom<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        let len = self.text.capacity().wrapping_add_signed(self.free);
        // SAFETY: the bytes are in the capacity, and were written by blocks without a gap.
        unsafe { self.text.set_len(len) };
    }
}

/// Appends at most `most` bytes to a text, in blocks of up to `N` bytes.
#[inline(always)]
pub fn append_blocks<const N: usize, T>(
    text: &mut Vec<u8>,
    most: usize,
    write: impl FnOnce(&mut SpareRoom<'_>) -> T,
) -> T {
    write(&mut SpareRoom::new(text, most + N))
}
