//! Spare capacity at the end of a text, filled block by block.

use std::mem::MaybeUninit;

use super::Utf8Form;

/// The room after a text. Blocks are stored whole, because stores of a fixed size take less time.
pub struct SpareRoom<'a> {
    room: &'a mut [MaybeUninit<u8>],
    /// The number of bytes appended.
    len: usize,
}

impl SpareRoom<'_> {
    /// Appends the first `len` bytes of a block.
    ///
    /// # Panics
    /// If there is no room for the block.
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, block: [u8; N], len: usize) {
        let room: &mut [_; N] = self.room[self.len..].first_chunk_mut().expect("room for a block");
        *room = block.map(MaybeUninit::new);
        self.len += len.min(N);
    }

    /// Appends a character.
    #[inline(always)]
    pub fn push_form(&mut self, form: Utf8Form) {
        self.push(form.bytes(), form.count());
    }

    /// Appends the characters of a code page.
    ///
    /// # Panics
    /// If there is no room for four bytes for each.
    #[inline(always)]
    pub fn extend_forms(&mut self, bytes: &[u8], forms: &[Utf8Form; 256]) {
        let room = &mut self.room[self.len..][..4 * bytes.len()];
        let mut len = 0;
        for &byte in bytes {
            let form = forms[usize::from(byte)];
            // SAFETY: the room has four bytes for each character, and each before took at most four.
            // The next overwrites what is too much.
            unsafe { room.as_mut_ptr().add(len).cast::<[u8; 4]>().write(form.bytes()) };
            len += form.count();
        }
        self.len += len;
    }

    /// Appends bytes.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn extend(&mut self, bytes: &[u8]) {
        let room = &mut self.room[self.len..][..bytes.len()];
        room.iter_mut().zip(bytes).for_each(|(room, &byte)| *room = MaybeUninit::new(byte));
        self.len += bytes.len();
    }
}

/// Appends at most `most` bytes to a text, in blocks of up to `N` bytes.
#[inline(always)]
pub fn append_blocks<const N: usize, T>(
    text: &mut Vec<u8>,
    most: usize,
    write: impl FnOnce(&mut SpareRoom<'_>) -> T,
) -> T {
    text.reserve(most + N);
    let mut spare = SpareRoom { room: text.spare_capacity_mut(), len: 0 };
    let result = write(&mut spare);
    let len = spare.len;
    // SAFETY: the bytes are in the capacity, and were written by blocks without a gap.
    unsafe { text.set_len(text.len() + len) };
    result
}
