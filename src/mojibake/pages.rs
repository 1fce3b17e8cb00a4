//! Mapping from characters to their bytes in each page.

use std::sync::{Arc, LazyLock};

use super::controls::WINDOWS_1252;
use crate::codec::family::{continues, is_lead};
use crate::codec::pages::{PageFamily, PageRow, by_rank, row};
use crate::registry::{Encoding, by_name};

/// The largest number of pages tried together.
pub(super) const MOST: usize = 13;

/// A set of pages: bit n stands for page n.
pub(super) type PageSet = u16;

/// The set of the page of rank 0.
pub(super) const COMMONEST: PageSet = 1;

/// The space that other software wrote in place of a no-break space.
pub(super) const BLANK: char = ' ';

/// The bytes of a character in every page.
#[derive(Clone, Copy, Default)]
pub(super) struct PageEntry {
    /// The pages in which its byte is a lead byte of UTF-8.
    pub leads: PageSet,
    /// The pages in which its byte is a continuation byte of UTF-8.
    pub continuations: PageSet,
    /// Its byte in each page; 0 for none.
    pub bytes: [u8; MOST],
}

/// A set of code pages with the reverse mapping of their upper halves.
pub(super) struct Pages {
    /// The pages, in order of preference.
    pub encodings: Vec<&'static Encoding>,
    /// For each page, the pages of its family, which have many characters in common.
    pub families: Vec<PageSet>,
    /// For each page, its peers: see [`Trial::peers`](crate::codec::pages::Trial::peers).
    pub peers: Vec<PageSet>,
    /// For each page, the continuation bytes that strict converters do not map.
    pub unassigned: Vec<Vec<u8>>,
    /// For each page, the continuation bytes that other software drops: those that the page does not
    /// map, and C1 controls.
    pub lost: Vec<Vec<u8>>,
    /// The pages of Windows that also take C1 controls for bytes.
    mixed: PageSet,
    /// For each C1 control, those of these pages that map its byte to another character.
    without_control: [PageSet; 32],
    /// True if windows-1252 is tried, so that C1 controls may be read in it.
    pub reads_controls: bool,
    /// The pages in which words in Cyrillic have sequences of small letters: ibm866, if it is tried
    /// beside others.
    small_cyrillic: PageSet,
    /// ISO-8859-15, if it is tried beside pages of Windows.
    pub latin9: PageSet,
    /// The pages in which the no-break space is a continuation byte.
    pub nbsp_pages: PageSet,
    /// For each high byte of a scalar value of the BMP, the index in `cells` of its 256 entries.
    rows: [u8; 256],
    /// Blocks of 256 entries. The first block is empty.
    cells: Vec<[PageEntry; 256]>,
}

impl Pages {
    /// Returns the pages that are tried where none is named, built on first use.
    pub fn likely() -> Arc<Pages> {
        static PAGES: LazyLock<Arc<Pages>> =
            LazyLock::new(|| Arc::new(Pages::of(&by_rank(|row| Some((row.mojibake?.rank, row))))));
        Arc::clone(&PAGES)
    }

    /// Returns a set of this page alone; `None` unless it [can be tried](page_row).
    pub fn only(encoding: &'static Encoding) -> Option<Pages> {
        page_row(encoding).map(|row| Pages::of(&[row]))
    }

    fn of(rows: &[&'static PageRow]) -> Pages {
        let mut pages = Pages {
            encodings: rows.iter().map(|row| by_name(row.name)).collect(),
            families: rows.iter().map(|row| set(rows, |other| row.is_related(other))).collect(),
            peers: rows.iter().map(|row| set(rows, |other| row.is_peer(other))).collect(),
            unassigned: Vec::new(),
            lost: Vec::new(),
            mixed: 0,
            without_control: [0; 32],
            reads_controls: rows.iter().any(|row| row.name == WINDOWS_1252),
            small_cyrillic: 0,
            latin9: if rows.len() > 1 { set(rows, |row| row.name == "iso-8859-15") } else { 0 },
            nbsp_pages: 0,
            rows: [0; 256],
            cells: vec![[PageEntry::default(); 256]],
        };
        for (page, row) in rows.iter().enumerate() {
            pages.add(page, row.family == PageFamily::Windows);
        }
        pages.nbsp_pages = pages.entry('\u{A0}').continuations;
        if rows.len() > 1 {
            pages.small_cyrillic = pages.entry('р').leads & pages.entry('а').continuations;
        }
        pages
    }

    /// Adds the characters of a page.
    fn add(&mut self, page: usize, windows: bool) {
        let encoding = self.encodings[page];
        let points: Vec<_> = (0x80..=0xFF).map(|byte| (byte, encoding.code_point(byte))).collect();
        let lacks = |&(byte, point): &(u8, Option<u32>)| {
            let is_control = byte < 0xA0 && point == Some(byte.into());
            continues(byte) && (is_control || point.is_none())
        };
        let lost: Vec<_> =
            points.iter().filter(|entry| lacks(entry)).map(|entry| entry.0).collect();
        self.unassigned.push(if windows { lost.clone() } else { Vec::new() });
        self.lost.push(lost);
        for &(byte, point) in &points {
            if let Some(point) = point {
                self.set(point, page, byte);
            }
        }
        // Where text mixes Latin-1 with a page of Windows, a C1 control stands for the byte of the
        // same value. In a page that has a peer, a control is evidence for the peer instead.
        let mixed = windows && self.peers[page] == 0;
        self.mixed |= PageSet::from(mixed) << page;
        for byte in (0x80..0xA0).filter(|_| mixed) {
            let is_mapped = !self.unassigned[page].contains(&byte);
            self.without_control[usize::from(byte - 0x80)] |= PageSet::from(is_mapped) << page;
            self.set(byte.into(), page, byte);
        }
        // Some software keeps bytes that the page does not map as in Latin-1: A1 of windows-1257 as `¡`.
        // Letters are kept as text in a named page: `ß“` is German, though windows-1255 does not map DF.
        let is_named = self.encodings.len() == 1;
        let is_unmapped = |&&(byte, point): &&(u8, Option<u32>)| {
            point.is_none() && byte >= 0xA0 && (is_mark(byte) || !is_named)
        };
        for &(byte, _) in points.iter().filter(is_unmapped).filter(|_| mixed) {
            self.set(byte.into(), page, byte);
        }
    }

    /// Maps a scalar value to its byte in a page, unless it has one.
    fn set(&mut self, point: u32, page: usize, byte: u8) {
        let [.., high, low] = point.to_be_bytes().map(usize::from);
        if self.rows[high] == 0 {
            self.rows[high] = self.cells.len() as u8;
            self.cells.push([PageEntry::default(); 256]);
        }
        let entry = &mut self.cells[usize::from(self.rows[high])][low];
        if entry.bytes[page] == 0 {
            entry.bytes[page] = byte;
            entry.leads |= PageSet::from(is_lead(byte)) << page;
            entry.continuations |= PageSet::from(continues(byte)) << page;
        }
    }

    /// Returns the entry of a scalar value.
    #[inline(always)]
    pub fn entry(&self, value: impl Into<u32>) -> &PageEntry {
        let value = value.into();
        let [plane, high, low] = [value >> 16, value >> 8 & 0xFF, value & 0xFF];
        let row = if plane == 0 { self.rows[high as usize] } else { 0 };
        &self.cells[usize::from(row)][low as usize]
    }

    /// Returns the pages in which a line may have been misread. ISO-8859-15 is one if the line has
    /// its letters beyond Latin-1, and no other character that only pages of Windows have. If it also
    /// has C1 controls, these pages cannot have produced it. Ibm866 is one if the line has more than
    /// words in Cyrillic.
    pub fn possible(&self, line: &[char]) -> PageSet {
        let is_word = |pair: &[char]| {
            !matches!(*pair, ['\u{2500}'..='\u{259F}', _] | ['Ё', 'Я'] | ['р'..='я', 'А'..='Я'])
        };
        let words = if line.windows(2).all(is_word) { self.small_cyrillic } else { 0 };
        self.possible_latin(line) & !words
    }

    /// Returns the pages in which a line may have been misread, of those for Latin script.
    fn possible_latin(&self, line: &[char]) -> PageSet {
        if self.latin9 == 0 {
            return PageSet::MAX;
        }
        let (mut impossible, mut has_letters) = (0, false);
        for &value in line.iter().filter(|value| !value.is_ascii()) {
            match value {
                '\u{80}'..='\u{9F}' => impossible |= self.without_control[value as usize - 0x80],
                '€' | 'Š' | 'š' | 'Ž' | 'ž' | 'Œ' | 'œ' | 'Ÿ' => has_letters = true,
                '\u{100}'.. if self.roles(value) & self.mixed != 0 => return !self.latin9,
                _ => {}
            }
        }
        match has_letters {
            true if impossible & COMMONEST != 0 => !impossible,
            true => PageSet::MAX,
            false => !self.latin9,
        }
    }

    /// Returns the pages in which three neighbours start no run, because words have them.
    #[inline(always)]
    pub fn within_words(&self, values: [u32; 3]) -> PageSet {
        let small = u32::from('а')..=u32::from('я');
        if values.iter().all(|value| small.contains(value)) { self.small_cyrillic } else { 0 }
    }

    /// Returns `true` if the character is one of Latin-1 that stands for a byte that the page does not
    /// map.
    pub fn is_kept(&self, value: char, page: usize) -> bool {
        matches!(value, '\u{A0}'..='\u{FF}')
            && self.entry(value).bytes[page] != 0
            && !self.encodings[page].can_encode(value.into())
    }

    /// Returns the pages in which the character is a lead or a continuation byte.
    pub fn roles(&self, value: char) -> PageSet {
        let entry = self.entry(value);
        entry.leads | entry.continuations
    }

    /// Returns the pages in which the character is a continuation byte, or stands for a lost one.
    pub fn continuations(&self, value: char) -> PageSet {
        match value {
            char::REPLACEMENT_CHARACTER => PageSet::MAX,
            BLANK => self.nbsp_pages,
            _ => self.entry(value).continuations,
        }
    }
}

/// Returns `true` for a byte of Latin-1 between the C1 controls and the letters.
fn is_mark(byte: u8) -> bool {
    (0xA0..0xC0).contains(&byte)
}

/// Returns the row of a code page that can be tried: its lower half is ASCII, and its upper half
/// has characters.
pub(super) fn page_row(encoding: &Encoding) -> Option<&'static PageRow> {
    let has_more = || (0x80..=0xFF).any(|byte| encoding.code_point(byte).is_some());
    row(encoding.name).filter(|_| encoding.properties.transparent && has_more())
}

/// Returns the set of the rows that satisfy a predicate.
fn set(rows: &[&PageRow], is_in: impl Fn(&PageRow) -> bool) -> PageSet {
    let pages = rows.iter().enumerate().filter(|(_, row)| is_in(row));
    pages.fold(0, |set, (page, _)| set | 1 << page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::pages::PAGES;

    #[test]
    fn pages_are_tried_in_the_order_of_their_ranks() {
        let names: Vec<_> =
            Pages::likely().encodings.iter().map(|encoding| encoding.name).collect();
        let expected = [
            "windows-1252",
            "windows-1250",
            "windows-1251",
            "windows-1253",
            "windows-1254",
            "windows-1257",
            "iso-8859-2",
            "koi8-r",
            "macintosh",
            "ibm437",
            "ibm850",
            "iso-8859-15",
            "ibm866",
        ];
        assert_eq!(names, expected);
        assert!(names.len() <= MOST);
    }

    #[test]
    fn peers_are_mutual() {
        for page in PAGES {
            for peer in page.mojibake.iter().flat_map(|trial| trial.peers) {
                let peer = row(peer).unwrap();
                assert!(page.is_peer(peer) && peer.is_peer(page), "{} {}", page.name, peer.name);
                assert!(page.is_related(peer), "{} {}", page.name, peer.name);
            }
        }
    }
}
