//! Single-byte code pages.
//!
//! [`PAGES`] is the one table: the codec, detection and the search for double encoding read it, and
//! the registry takes its rows from it. The tables of the WHATWG Encoding Standard come from
//! `encoding_rs`, all others from `tables`. A lookup table is built when its page is first used.

use std::ops::Range;
use std::sync::OnceLock;

use super::{
    Codec, Escapes, Group, LengthCounts, LineCount, Properties, Step, bulk, lines_of_byte,
};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, PageChars, UNMAPPED};
use crate::text::decomposition::{is_mark, letter_and_marks};

mod rows;
mod tables;

pub use rows::PAGES;

/// The codec of the code pages. The row of an encoding is that in [`PAGES`].
#[derive(Debug)]
pub struct Page;

/// A row of [`PAGES`].
#[derive(Clone, Copy, Debug)]
pub struct PageRow {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, matched without regard to case, hyphens, underscores and blanks.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The group in listings.
    pub group: Group,
    /// The single-byte encoding of the WHATWG Encoding Standard that has the table of the page.
    /// `None`: `tables` has it.
    pub whatwg: Option<&'static encoding_rs::Encoding>,
    /// True if 00..7F are ASCII.
    pub ascii: bool,
    /// The origin of the page.
    pub family: PageFamily,
    /// The rank among the candidates of detection. `None`: not a candidate.
    pub detect: Option<Prior>,
    /// The rank among the pages in which double encoding is looked for. `None`: only looked for in
    /// this page on request.
    pub mojibake: Option<Trial>,
}

/// The origin of a code page. Pages of one origin agree in many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageFamily {
    /// ISO/IEC 8859.
    Iso,
    /// Microsoft Windows, which extends many pages of ISO/IEC 8859.
    Windows,
    /// KOI8.
    Koi8,
    /// Mac OS.
    Macintosh,
    /// IBM PC and MS-DOS.
    Dos,
    /// EBCDIC.
    Ebcdic,
    /// None of these: related to no other page.
    Other,
}

impl PageFamily {
    /// Returns `true` for EBCDIC.
    pub fn is_ebcdic(self) -> bool {
        self == PageFamily::Ebcdic
    }
}

/// The prior of a code page in detection.
#[derive(Clone, Copy, Debug)]
pub struct Prior {
    /// The place among the candidates, from 0. Of pages that decode a text alike, the first is the
    /// answer.
    pub rank: u8,
    /// The script of the languages that the page is for.
    pub script: Script,
    /// The cost of the page before any byte is seen, in bits. Chosen by hand from the use of the
    /// page for its script on the web, and before the web in files of its systems.
    pub cost: u8,
    /// The languages that were written in the page, by their names in the tables of detection.
    /// Empty: all of the script.
    pub languages: &'static [&'static str],
}

/// A script that code pages are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Latin.
    Latin,
    /// Cyrillic.
    Cyrillic,
    /// Greek.
    Greek,
    /// Hebrew.
    Hebrew,
    /// Arabic.
    Arabic,
    /// Thai.
    Thai,
    /// Georgian.
    Georgian,
    /// Armenian.
    Armenian,
}

/// The part of a code page in the search for double encoding.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The place among the pages that are tried, from 0. Of pages that read a run alike, the first
    /// is named.
    pub rank: u8,
    /// Names of related pages that are as common, and often have another byte for the same letter.
    pub peers: &'static [&'static str],
}

find_row! {
    /// Returns the index of the row with this canonical name.
    page in PAGES
}

/// Collects an item for each row that has a rank, in the order of the ranks.
pub(crate) fn by_rank<T>(item: impl Fn(&'static PageRow) -> Option<(u8, T)>) -> Vec<T> {
    let mut items: Vec<_> = PAGES.iter().filter_map(item).collect();
    items.sort_by_key(|(rank, _)| *rank);
    items.into_iter().map(|(_, item)| item).collect()
}

/// Returns the code point of a byte in the page of a row.
pub(super) fn code_point(row: usize, byte: u8) -> Option<u32> {
    let point = table(row).points()[usize::from(byte)];
    (point != UNMAPPED).then_some(point.into())
}

/// Returns the row with this canonical name.
pub(crate) fn row(name: &str) -> Option<&'static PageRow> {
    PAGES.iter().find(|row| row.name == name)
}

impl PageRow {
    /// Returns `true` if the pages agree in many bytes.
    pub(crate) fn is_related(&self, other: &PageRow) -> bool {
        match (self.family, other.family) {
            (PageFamily::Iso | PageFamily::Windows, PageFamily::Iso | PageFamily::Windows) => true,
            (PageFamily::Other, PageFamily::Other) => self.name == other.name,
            (one, other) => one == other,
        }
    }

    /// Returns the code point of each byte, [`UNMAPPED`] for none.
    pub(crate) fn points(&self) -> [u16; 256] {
        let Some(encoding) = self.whatwg else { return tables::read(self.name) };
        let (bytes, mut points) = (std::array::from_fn::<u8, 256, _>(|byte| byte as u8), [0; 256]);
        let mut decoder = encoding.new_decoder_without_bom_handling();
        // Unmapped bytes become U+FFFD, which is the mark of them.
        let _ = decoder.decode_to_utf16(&bytes, &mut points, true);
        points
    }

    /// Returns `true` if the other page is a [peer](Trial::peers) of this one.
    pub(crate) fn is_peer(&self, other: &PageRow) -> bool {
        self.mojibake.is_some_and(|trial| trial.peers.contains(&other.name))
    }
}

/// Marks a code point that a page lacks. No byte has the bit.
const ABSENT: u16 = 0x100;

/// The first code point of three bytes in UTF-8. Those below are looked up faster.
const NEAR: usize = 0x800;

/// The lookup table of a page that is in use.
struct PageTable {
    /// The code points, and the tables for kernels.
    chars: PageChars,
    /// For each high byte of a code point, the index in `cells`; that of an empty element where no code
    /// point has it.
    rows: [u8; 256],
    /// For each low byte of a code point, its byte in the page, or [`ABSENT`]. The first elements are
    /// those of the code points below [`NEAR`].
    cells: Vec<[u16; 256]>,
    /// The page has combining marks.
    has_marks: bool,
}

static TABLES: [OnceLock<Box<PageTable>>; PAGES.len()] = [const { OnceLock::new() }; PAGES.len()];

impl PageTable {
    fn new(row: usize) -> Box<PageTable> {
        let points = PAGES[row].points();
        const EMPTY: u8 = (NEAR >> 8) as u8;
        let mut rows = std::array::from_fn(|high| EMPTY.min(high as u8));
        let mut cells = vec![[ABSENT; 256]; usize::from(EMPTY) + 1];
        // Of bytes with the same code point, the last is written, but ASCII as itself.
        let first = if PAGES[row].ascii { 0x80 } else { 0 };
        for byte in (0..=u8::MAX).map(|byte| byte.wrapping_add(first)) {
            let point = points[usize::from(byte)];
            if point == UNMAPPED {
                continue;
            }
            let [high, low] = point.to_be_bytes().map(usize::from);
            if rows[high] == EMPTY {
                rows[high] = cells.len() as u8;
                cells.push([ABSENT; 256]);
            }
            cells[usize::from(rows[high])][low] = byte.into();
        }
        let has_marks = points.iter().any(|&point| is_mark(point.into()));
        Box::new(PageTable { chars: PageChars::new(&points), rows, cells, has_marks })
    }

    /// Returns the code point of each byte, [`UNMAPPED`] for none.
    #[inline(always)]
    fn points(&self) -> &[u16; 256] {
        &self.chars.points
    }

    /// Returns the byte of a code point, or [`ABSENT`].
    #[inline(always)]
    fn cell(&self, value: u32) -> u16 {
        let row = self.rows.get(value as usize >> 8);
        row.map_or(ABSENT, |&row| self.cells[usize::from(row)][value as usize & 0xFF])
    }

    /// Returns the cells of the code points below [`NEAR`].
    fn near(&self) -> &[u16; NEAR] {
        self.cells.as_flattened().first_chunk().expect("cells of the first rows")
    }

    /// Returns the byte of a code point.
    #[inline(always)]
    fn byte(&self, value: u32) -> Option<u8> {
        u8::try_from(self.cell(value)).ok()
    }
}

/// Returns the table of the page of a row.
fn table(row: usize) -> &'static PageTable {
    TABLES[row].get_or_init(|| PageTable::new(row))
}

/// The page of a reader or writer.
#[derive(Clone, Copy)]
pub struct PageInUse {
    row: &'static PageRow,
    table: &'static PageTable,
}

impl PageInUse {
    fn of(row: usize) -> PageInUse {
        PageInUse { row: &PAGES[row], table: table(row) }
    }
}

impl PartialEq for PageInUse {
    fn eq(&self, other: &PageInUse) -> bool {
        std::ptr::eq(self.row, other.row)
    }
}

/// The number of values looked up before they are checked.
const STORED: usize = 32;

/// Writes the bytes of some values. Returns all bits of their cells.
#[inline(always)]
fn write_cells(values: &[u32; STORED], bytes: &mut [u8; STORED], cell: impl Fn(u32) -> u16) -> u16 {
    let mut all = 0;
    for (byte, &value) in bytes.iter_mut().zip(values) {
        let cell = cell(value);
        *byte = cell as u8;
        all |= cell;
    }
    all
}

impl Codec for Page {
    type State = PageInUse;
    type Pen = PageInUse;
    const TOLERATES_CHANGES: bool = true;
    const REACH: Option<u64> = Some(0);
    const SIGNATURE: &'static [u8] = &[];

    const WIDEST: usize = 1;
    const GROUP: Group = Group::Page;
    const PROPERTIES: Properties = Properties {
        // See `PageRow::ascii`.
        transparent: false,
        stateful: false,
        scalars: false,
        surrogates: false,
    };

    fn start(row: usize, _: u64) -> PageInUse {
        PageInUse::of(row)
    }

    fn prefix(page: &mut PageInUse, kernels: &Kernels, bytes: &[u8]) -> usize {
        let chars = &page.table.chars;
        match chars.unmapped.is_empty() {
            true => bytes.len(),
            false => kernels.before_any(bytes, &chars.unmapped),
        }
    }

    fn step(page: &mut PageInUse, bytes: &[u8], _: bool) -> Step {
        match bytes.first().map(|&byte| page.table.points()[usize::from(byte)]) {
            None => Step::Short,
            Some(UNMAPPED) => Step::ill(Kind::Unmapped, 1),
            Some(point) => Step::Scalar { value: point.into(), len: 1 },
        }
    }

    fn load(page: &mut PageInUse, kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        let points = page.table.points();
        bulk::load::<Self>(page, bytes, values, |bytes, values| {
            let read = kernels.read_page(bytes, points, values);
            Loaded { read, written: read }
        })
    }

    fn write_utf8(
        page: &mut PageInUse,
        kernels: &Kernels,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> usize {
        kernels.write_page(bytes, &page.table.chars, out)
    }

    fn pen(row: usize, _: Escapes) -> PageInUse {
        PageInUse::of(row)
    }

    fn put(page: &mut PageInUse, value: u32, out: &mut Vec<u8>) -> bool {
        let byte = page.table.byte(value);
        out.extend(byte);
        byte.is_some()
    }

    fn store(page: &mut PageInUse, _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        let (table, near) = (page.table, page.table.near());
        let start = out.len();
        out.resize(start + values.len(), 0);
        let mut done = 0;
        // Without an exit within a block: lookups do not wait for each other.
        let blocks = values.as_chunks::<STORED>().0.iter();
        for (block, bytes) in blocks.zip(out[start..].as_chunks_mut::<STORED>().0) {
            let cells = match block.iter().fold(0, |all, value| all | value) as usize {
                0..NEAR => write_cells(block, bytes, |value| near[value as usize % NEAR]),
                _ => write_cells(block, bytes, |value| table.cell(value)),
            };
            if cells & ABSENT != 0 {
                break;
            }
            done += STORED;
        }
        out.truncate(start + done);
        out.extend(values[done..].iter().map_while(|&value| table.byte(value)));
        out.len() - start
    }

    fn put_decomposed(page: &mut PageInUse, value: u32, out: &mut Vec<u8>) -> bool {
        let table = page.table;
        let holds = |c: char| table.byte(c.into()).is_some();
        let c = char::from_u32(value).filter(|_| table.has_marks);
        let parts = c.and_then(|c| letter_and_marks(c, holds)).unwrap_or_default();
        out.extend(parts.iter().filter_map(|&part| table.byte(part.into())));
        !parts.is_empty()
    }

    fn tally(_: &PageInUse, _: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        lengths[0] += part.len() as u64;
    }

    fn lines(page: &PageInUse, bytes: &[u8]) -> LineCount {
        // ISIRI 3342 has U+000A twice: the byte that is written ends lines.
        page.table.byte(0x0A).map_or_else(LineCount::default, |byte| lines_of_byte(bytes, byte))
    }

    fn announced(_: usize, _: &[u8]) -> usize {
        1
    }
}
