//! Memory that vectors are written to.

use std::marker::PhantomData;

/// Memory that is filled from the front by whole vectors, of which only some bytes may count.
pub struct VectorRoom<'a> {
    start: *mut u8,
    size: usize,
    /// The number of bytes written that count.
    len: usize,
    /// The text that the memory is behind.
    text: Option<&'a mut Vec<u8>>,
    memory: PhantomData<&'a mut [u32]>,
}

impl<'a> VectorRoom<'a> {
    /// Returns the memory of values.
    #[inline(always)]
    pub fn of_values(values: &'a mut [u32]) -> VectorRoom<'a> {
        let size = size_of_val(values);
        VectorRoom {
            start: values.as_mut_ptr().cast(),
            size,
            len: 0,
            text: None,
            memory: PhantomData,
        }
    }

    /// Reserves `most` bytes behind a text, to which those that count are appended in
    /// the end.
    #[inline(always)]
    pub fn behind(text: &'a mut Vec<u8>, most: usize) -> VectorRoom<'a> {
        text.reserve(most);
        let spare = text.spare_capacity_mut();
        let (start, size) = (spare.as_mut_ptr().cast(), spare.len());
        VectorRoom { start, size, len: 0, text: Some(text), memory: PhantomData }
    }

    /// Returns the number of bytes written that count.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes back bytes that were written.
    pub fn take_back(&mut self, bytes: usize) {
        self.len = self.len.saturating_sub(bytes);
    }

    /// Returns `true` if this number of bytes fits.
    #[inline(always)]
    pub fn has(&self, bytes: usize) -> bool {
        self.size - self.len >= bytes
    }

    /// Appends vectors in memory, of which `len` bytes count.
    ///
    /// # Safety
    /// The vectors fit, have no padding, and `len` is at most their size.
    #[inline(always)]
    pub unsafe fn push<M: Copy>(&mut self, vectors: M, len: usize) {
        debug_assert!(self.has(size_of::<M>()) && len <= size_of::<M>());
        // SAFETY: the vectors fit, as the caller guarantees. The memory is borrowed as long as the
        // room exists.
        unsafe { self.start.add(self.len).cast::<M>().write_unaligned(vectors) };
        self.len += len;
    }
}

impl Drop for VectorRoom<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(text) = self.text.take() {
            let len = text.len() + self.len;
            // SAFETY: the memory is the spare capacity, and the bytes that count were written.
            unsafe { text.set_len(len) };
        }
    }
}
