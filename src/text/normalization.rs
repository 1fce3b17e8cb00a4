//! Characters that normalization form C leaves as they are (UAX #15).

use std::sync::LazyLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

use crate::kernel::{self, SequenceFilter};

/// The code points that may not be plain.
pub(crate) struct ActiveCharacters {
    /// A bit for each of the BMP.
    bits: [u64; 1024],
    /// A bit for each non-starter of the BMP that does not change alone or compose.
    marks: [u64; 1024],
    /// Their sequences in UTF-8.
    pub filter: SequenceFilter,
}

pub(crate) static ACTIVE: LazyLock<ActiveCharacters> = LazyLock::new(|| {
    let (mut bits, mut marks) = ([0; 1024], [0; 1024]);
    // Those of Han and Hangul are plain, as are surrogates and private-use characters.
    let values = (0x300..0x3400).chain(0xA000..0xAC00).chain(0xF900..0x10000);
    let active = values.filter(|&value| char::from_u32(value).is_some_and(|c| !is_stable(c)));
    let active: Vec<_> = active.collect();
    for &value in &active {
        bits[value as usize / 64] |= 1 << (value % 64);
        if char::from_u32(value).is_some_and(is_in_form) {
            marks[value as usize / 64] |= 1 << (value % 64);
        }
    }
    let active = active.into_iter().map(|value| (value, value));
    ActiveCharacters { bits, marks, filter: SequenceFilter::of_ranges(active.chain(SUPPLEMENTARY)) }
});

/// Ranges beyond the BMP with characters that are not plain: scripts and compatibility ideographs.
const SUPPLEMENTARY: [(u32, u32); 2] = [(0x1_0000, 0x1_EFFF), (0x2_F800, 0x2_FA1F)];

/// Returns `true` if a character is a starter that composes with nothing before it, and in the
/// form.
pub(crate) fn is_stable(c: char) -> bool {
    canonical_combining_class(c) == 0 && is_in_form(c)
}

/// Returns `true` if a character is in the form whatever stands before it, as far as the order of
/// non-starters allows.
fn is_in_form(c: char) -> bool {
    is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes
}

impl ActiveCharacters {
    /// Returns `true` if a code point is plain: a starter that composes with nothing before it and
    /// does not change alone.
    #[inline]
    pub fn is_plain(&self, value: u32) -> bool {
        match value {
            0..0x1_0000 => self.bits[value as usize / 64] >> (value % 64) & 1 == 0,
            _ => {
                let has = |&(start, end): &(u32, u32)| (start..=end).contains(&value);
                !SUPPLEMENTARY.iter().any(has) || char::from_u32(value).is_none_or(is_stable)
            }
        }
    }

    /// Returns the length in bytes of a front that is in the form and ends with a plain character:
    /// plain characters, and between two of them at most one non-starter. Indic text is like that.
    pub fn normalized_len(&self, text: &str) -> usize {
        let mut len = self.plain_len(text);
        while len > 0
            && let Some(mark) = text[len..].chars().next()
            && self
                .marks
                .get(mark as usize / 64)
                .is_some_and(|bits| bits >> (mark as u32 % 64) & 1 == 1)
        {
            let behind = len + mark.len_utf8();
            match self.plain_len(&text[behind..]) {
                0 => break,
                more => len = behind + more,
            }
        }
        len
    }

    /// Returns the length in bytes of the plain characters at the front of a text.
    pub fn plain_len(&self, text: &str) -> usize {
        let (kernels, mut len) = (kernel::best(), 0);
        loop {
            len += kernels.skip(&text.as_bytes()[len..], &self.filter);
            match text[len..].chars().next() {
                Some(c) if self.is_plain(c.into()) => len += c.len_utf8(),
                _ => return len,
            }
        }
    }
}
