//! Code pages, as tables that vectors look up by half bytes.

use super::Utf8Form;

/// The number of bytes with the same upper half.
const ROW: usize = 16;

/// Code points less their bytes, of sixteen bytes each: the low bytes and the high ones.
pub(super) type PageOffsets = [[u8; ROW]; 2];

/// The characters of a code page.
#[derive(Clone, Debug)]
pub struct PageChars {
    /// The code points.
    pub(crate) points: [u16; 256],
    /// Each in UTF-8.
    pub(super) forms: [Utf8Form; 256],
    /// The offsets by the upper half of the byte; 0 if they depend on the lower half.
    pub(super) regular: PageOffsets,
    /// FF for each upper half whose offsets depend on the lower half.
    pub(super) is_irregular: [u8; ROW],
    /// These upper halves, with the offsets by the lower half.
    pub(super) irregular: Vec<(u8, PageOffsets)>,
}

impl PageChars {
    /// Creates the tables of these code points. Those of U+FFFD are unspecified.
    pub fn new(points: &[u16; 256]) -> PageChars {
        let mut page = PageChars {
            points: *points,
            forms: points.map(|point| Utf8Form::of(point.into())),
            regular: Default::default(),
            is_irregular: [0; ROW],
            irregular: Vec::new(),
        };
        for (row, points) in points.as_chunks::<ROW>().0.iter().enumerate() {
            let offsets: [u16; ROW] =
                std::array::from_fn(|at| points[at].wrapping_sub((ROW * row + at) as u16));
            let is_mapped = |at: &usize| points[*at] != char::REPLACEMENT_CHARACTER as u16;
            let mut mapped = (0..ROW).filter(is_mapped).map(|at| offsets[at]);
            let first = mapped.next().unwrap_or_default();
            if mapped.all(|offset| offset == first) {
                [page.regular[0][row], page.regular[1][row]] = first.to_le_bytes();
            } else {
                page.is_irregular[row] = 0xFF;
                let half = |half: usize| offsets.map(|offset| offset.to_le_bytes()[half]);
                page.irregular.push((row as u8, [half(0), half(1)]));
            }
        }
        page
    }

    /// Returns `true` if each of the first upper halves has only characters that are their bytes.
    fn is_identity(&self, rows: usize) -> bool {
        let tables = [&self.is_irregular, &self.regular[0], &self.regular[1]];
        tables.iter().all(|table| table[..rows] == [0; ROW][..rows])
    }

    /// Returns `true` if the bytes below 80 are ASCII.
    pub(super) fn has_ascii(&self) -> bool {
        self.is_identity(8)
    }

    /// Returns `true` if the bytes are the code points.
    pub(super) fn is_latin1(&self) -> bool {
        self.is_identity(ROW)
    }
}
