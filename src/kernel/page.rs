//! Code pages, as tables that vectors look up by half bytes.

use super::Utf8Form;
use super::byte_set::ByteSet;

/// The number of bytes with the same upper half.
const ROW: usize = 16;

/// Marks a byte without a character.
pub(crate) const UNMAPPED: u16 = char::REPLACEMENT_CHARACTER as u16;

/// Code points less their bytes, of sixteen bytes each: the low bytes and the high ones.
pub(super) type PageOffsets = [[u8; ROW]; 2];

/// For each byte, the difference of a table from the same place in the row before, except for the
/// rows 0 and 8.
pub(super) type TableSteps = [[u8; ROW]; ROW];

/// The number of irregular upper halves above which a look-up in the whole table takes less time.
const MOST_IRREGULAR: usize = 8;

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
    /// These upper halves, with the offsets by the lower half. Empty if `steps` takes their place.
    pub(super) irregular: Vec<(u8, PageOffsets)>,
    /// The low bytes of the code points, for a page with more than [`MOST_IRREGULAR`] irregular upper
    /// halves.
    pub(super) steps: Option<Box<TableSteps>>,
    /// The bytes that have none.
    pub(crate) unmapped: ByteSet,
}

impl PageChars {
    /// Creates the tables of these code points. U+FFFD marks a byte that has none.
    pub fn new(points: &[u16; 256]) -> PageChars {
        let mut page = PageChars {
            points: *points,
            forms: points.map(|point| Utf8Form::of(point.into())),
            regular: Default::default(),
            is_irregular: [0; ROW],
            irregular: Vec::new(),
            steps: None,
            unmapped: ByteSet::of(|byte| points[usize::from(byte)] == UNMAPPED),
        };
        for (row, points) in points.as_chunks::<ROW>().0.iter().enumerate() {
            let offsets: [u16; ROW] =
                std::array::from_fn(|at| points[at].wrapping_sub((ROW * row + at) as u16));
            let mut mapped = (0..ROW).filter(|&at| points[at] != UNMAPPED).map(|at| offsets[at]);
            let first = mapped.next().unwrap_or_default();
            if mapped.all(|offset| offset == first) {
                [page.regular[0][row], page.regular[1][row]] = first.to_le_bytes();
            } else {
                page.is_irregular[row] = 0xFF;
                let half = |half: usize| offsets.map(|offset| offset.to_le_bytes()[half]);
                page.irregular.push((row as u8, [half(0), half(1)]));
            }
        }
        if page.irregular.len() > MOST_IRREGULAR {
            page.irregular = Vec::new();
            page.steps = Some(Box::new(steps(&points.map(|point| point as u8))));
        }
        page
    }

    /// Returns `true` if code points have high bytes.
    pub(super) fn has_high_bytes(&self) -> bool {
        self.points.iter().any(|&point| point > 0xFF)
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

/// Returns the steps of a table.
fn steps(table: &[u8; 256]) -> TableSteps {
    let rows = table.as_chunks::<ROW>().0;
    std::array::from_fn(|row| match row % 8 {
        0 => rows[row],
        _ => std::array::from_fn(|at| rows[row][at] ^ rows[row - 1][at]),
    })
}
