//! Which byte is this character, in which code page?

use std::sync::{Arc, LazyLock};

use crate::codec::family::continues;
use crate::codec::{Group, Step};
use crate::registry::{Encoding, find};

/// How many pages are tried at a time, at most.
pub(super) const MOST: usize = 12;

/// A set of pages: bit n stands for the nth.
pub(super) type PageSet = u16;

/// The pages that text was likely read in. Of two that read a run alike, the first is named.
/// ISO-8859-1 is in windows-1252, whose unassigned bytes and C1 controls are those of Latin-1.
const LIKELY: [&str; 11] = [
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
];

/// The pages of Central Europe. Neither is the more common, and where one has a letter the other
/// often has it for another byte.
const CENTRAL: [&str; 2] = ["windows-1250", "iso-8859-2"];

/// The first of them.
pub(super) const COMMONEST: PageSet = 1;

/// What a character is in every page.
#[derive(Clone, Copy, Default)]
pub(super) struct PageEntry {
    /// The pages in which its byte starts a sequence of UTF-8.
    pub leads: PageSet,
    /// The pages in which its byte goes on with one.
    pub trails: PageSet,
    /// Its byte in each page; 0 if it has none.
    pub bytes: [u8; MOST],
}

/// Code pages, and the way back from a character to its byte.
pub(super) struct Pages {
    pub specs: Vec<&'static Encoding>,
    /// The pages of each page's family, which agree in much.
    pub kin: Vec<PageSet>,
    /// Pages of one family of which none is the more common, if there are any.
    pub peers: PageSet,
    /// For each page, the bytes of continuations that strict converters have no character for.
    pub holes: Vec<Vec<u8>>,
    /// The pages in which the no-break space goes on with a sequence.
    pub blanks: PageSet,
    /// For each high byte of a scalar value, which of `cells` its low byte is looked up in.
    rows: [u8; 256],
    /// The first has no entries.
    cells: Vec<[PageEntry; 256]>,
}

impl Pages {
    /// The pages that are tried where none is named. They are made once, for all inputs.
    pub fn likely() -> Arc<Pages> {
        static PAGES: LazyLock<Arc<Pages>> = LazyLock::new(|| {
            let specs: Vec<_> = LIKELY.iter().filter_map(|name| find(name)).collect();
            Arc::new(Pages::of(&specs))
        });
        Arc::clone(&PAGES)
    }

    /// This page alone; `None` if it is none that can be [tried](is_page).
    pub fn only(spec: &'static Encoding) -> Option<Pages> {
        is_page(spec).then(|| Pages::of(&[spec]))
    }

    fn of(specs: &[&'static Encoding]) -> Pages {
        let mut pages = Pages {
            specs: Vec::new(),
            kin: Vec::new(),
            peers: 0,
            holes: Vec::new(),
            blanks: 0,
            rows: [0; 256],
            cells: vec![[PageEntry::default(); 256]],
        };
        if specs.len() > 1 {
            pages.peers = set(specs, |spec| CENTRAL.contains(&spec.name));
        }
        for &spec in specs {
            pages.add(spec);
        }
        pages.blanks = pages.entry('\u{A0}').trails;
        let kin = |of: &&Encoding| set(specs, |spec| family(spec.name) == family(of.name));
        pages.kin = specs.iter().map(kin).collect();
        pages
    }

    fn add(&mut self, spec: &'static Encoding) {
        let page = self.specs.len();
        let points: Vec<_> = (0x80..=0xFF).map(|byte| (byte, point(spec, byte))).collect();
        self.specs.push(spec);
        let lacks = |&(byte, point): &(u8, Option<u32>)| {
            continues(byte) && point.is_none_or(|point| point == byte.into())
        };
        let windows = spec.name.starts_with("windows-");
        let holes = points.iter().filter(|entry| windows && lacks(entry) && entry.0 < 0xA0);
        self.holes.push(holes.map(|&(byte, _)| byte).collect());
        for &(byte, point) in &points {
            if let Some(point) = point {
                self.set(point, page, byte);
            }
        }
        // Where Latin-1 and a page of Windows are mixed, a control stands for the byte as well. If
        // the page has a peer, that is a sign of the peer.
        let mixed = windows && self.peers >> page & 1 == 0;
        for byte in (0x80..0xA0).filter(|_| mixed) {
            self.set(byte.into(), page, byte);
        }
    }

    /// This character has this byte in the page, unless it has another.
    fn set(&mut self, point: u32, page: usize, byte: u8) {
        let [.., high, low] = point.to_be_bytes().map(usize::from);
        if self.rows[high] == 0 {
            self.rows[high] = self.cells.len() as u8;
            self.cells.push([PageEntry::default(); 256]);
        }
        let entry = &mut self.cells[usize::from(self.rows[high])][low];
        if entry.bytes[page] == 0 {
            entry.bytes[page] = byte;
            entry.leads |= PageSet::from((0xC2..=0xF4).contains(&byte)) << page;
            entry.trails |= PageSet::from(continues(byte)) << page;
        }
    }

    /// What this scalar value is in every page.
    #[inline(always)]
    pub fn entry(&self, value: impl Into<u32>) -> &PageEntry {
        let value = value.into();
        let [plane, high, low] = [value >> 16, value >> 8 & 0xFF, value & 0xFF];
        let row = if plane == 0 { self.rows[high as usize] } else { 0 };
        &self.cells[usize::from(row)][low as usize]
    }
}

/// Whether it is a single-byte page that leaves ASCII where it is, and has more.
pub(super) fn is_page(spec: &Encoding) -> bool {
    let page = spec.group == Group::Page && spec.traits.transparent;
    page && (0x80..=0xFF).any(|byte| point(spec, byte).is_some())
}

/// The code point of a byte in a page.
fn point(page: &Encoding, byte: u8) -> Option<u32> {
    match (page.step)(&[byte]) {
        Step::Scalar { value, .. } => Some(value),
        _ => None,
    }
}

/// What pages of one origin have in common: the beginning of their names.
fn family(name: &str) -> &str {
    match name.split_once('-') {
        Some(("windows" | "iso", _)) => "windows",
        _ if name.starts_with("ibm") => "ibm",
        _ => name,
    }
}

/// The pages of which this is true.
fn set(specs: &[&Encoding], is: impl Fn(&Encoding) -> bool) -> PageSet {
    let pages = specs.iter().enumerate().filter(|(_, spec)| is(spec));
    pages.fold(0, |set, (page, _)| set | 1 << page)
}
