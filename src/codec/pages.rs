//! Which character is this byte? Single-byte code pages, each a table of 256.
//!
//! The WHATWG Encoding Standard's tables are those of `encoding_rs`; the others are ours. A table
//! is made when its page is first used.

use std::ops::Range;
use std::sync::OnceLock;

use encoding_rs::Encoding;

use super::{
    Codec, Escapes, Group, LengthCounts, LineCount, Properties, Step, bulk, lines_of_byte,
};
use crate::issue::Kind;
use crate::kernel::Kernels;
use crate::kernel::Loaded;

mod tables;

/// A code page, by its row in the table of pages: see [`page`].
#[derive(Debug)]
pub struct Page<const ROW: usize>;

/// A row of [`PAGES`].
struct PageRow {
    name: &'static str,
    base: PageBase,
    /// Where it differs from its base: lists of bytes and their code points.
    patches: &'static [&'static [(u8, u16)]],
    line_feed: u8,
}

/// What a page is made from.
enum PageBase {
    /// Nothing but ASCII.
    Ascii,
    /// U+0000..00FF.
    Latin1,
    /// The upper half is the WHATWG's.
    Whatwg(&'static Encoding),
    /// The upper half is this table, the lower ASCII.
    Upper(&'static [u16; 128]),
    /// All of it.
    Full(&'static [u16; 256]),
}

/// Stands for a byte without a character. No page has the replacement character.
const HOLE: u16 = 0xFFFD;

/// The row with this name.
pub const fn page(name: &str) -> usize {
    let mut row = 0;
    while !equal(PAGES[row].name, name) {
        row += 1;
    }
    row
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn of(
    name: &'static str,
    base: PageBase,
    patches: &'static [&'static [(u8, u16)]],
) -> PageRow {
    PageRow { name, base, patches, line_feed: b'\n' }
}

const fn whatwg(name: &'static str, encoding: &'static Encoding) -> PageRow {
    of(name, PageBase::Whatwg(encoding), &[])
}

const fn dos(name: &'static str, upper: &'static [u16; 128]) -> PageRow {
    of(name, PageBase::Upper(upper), &[])
}

const fn ebcdic(
    name: &'static str,
    line_feed: u8,
    patches: &'static [&'static [(u8, u16)]],
) -> PageRow {
    PageRow { name, base: PageBase::Full(&tables::IBM037), patches, line_feed }
}

/// Latin-5 has Turkish letters where Latin-1 has Icelandic ones.
static TURKISH: &[(u8, u16)] = &[
    (0xD0, 0x011E),
    (0xDD, 0x0130),
    (0xDE, 0x015E),
    (0xF0, 0x011F),
    (0xFD, 0x0131),
    (0xFE, 0x015F),
];

/// The marks that Microsoft added to ISO-8859-11 are controls again.
static CONTROLS: &[(u8, u16)] = &[
    (0x80, 0x80),
    (0x85, 0x85),
    (0x91, 0x91),
    (0x92, 0x92),
    (0x93, 0x93),
    (0x94, 0x94),
    (0x95, 0x95),
    (0x96, 0x96),
    (0x97, 0x97),
];

/// 80..9F and the no-break space have no character.
static NO_CONTROLS: &[(u8, u16)] = &{
    let mut holes = [(0, HOLE); 0x21];
    let mut at = 0;
    while at < holes.len() {
        holes[at].0 = 0x80 + at as u8;
        at += 1;
    }
    holes
};

/// What IBM added to TIS-620.
static THAI_OF_IBM: &[(u8, u16)] = &[
    (0xA0, 0x0E48),
    (0xDB, 0x0E49),
    (0xDC, 0x0E4A),
    (0xDD, 0x0E4B),
    (0xDE, 0x0E4C),
    (0xFC, 0xA2),
    (0xFD, 0xAC),
    (0xFE, 0xA6),
    (0xFF, 0xA0),
];

/// The six places where 1047 differs from 037.
static OPEN_SYSTEMS: &[(u8, u16)] = &[
    (0x5F, b'^' as u16),
    (0xAD, b'[' as u16),
    (0xB0, 0xAC),
    (0xBA, 0xDD),
    (0xBB, 0xA8),
    (0xBD, b']' as u16),
];

/// Line feed and next line change places.
static SWAPPED: &[(u8, u16)] = &[(0x15, b'\n' as u16), (0x25, 0x85)];

#[rustfmt::skip]
static PAGES: &[PageRow] = &[
    of("us-ascii", PageBase::Ascii, &[]),
    of("iso-8859-1", PageBase::Latin1, &[]),
    whatwg("iso-8859-2", &encoding_rs::ISO_8859_2_INIT),
    whatwg("iso-8859-3", &encoding_rs::ISO_8859_3_INIT),
    whatwg("iso-8859-4", &encoding_rs::ISO_8859_4_INIT),
    whatwg("iso-8859-5", &encoding_rs::ISO_8859_5_INIT),
    whatwg("iso-8859-6", &encoding_rs::ISO_8859_6_INIT),
    whatwg("iso-8859-7", &encoding_rs::ISO_8859_7_INIT),
    whatwg("iso-8859-8", &encoding_rs::ISO_8859_8_INIT),
    of("iso-8859-9", PageBase::Latin1, &[TURKISH]),
    whatwg("iso-8859-10", &encoding_rs::ISO_8859_10_INIT),
    of("iso-8859-11", PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT), &[CONTROLS]),
    whatwg("iso-8859-13", &encoding_rs::ISO_8859_13_INIT),
    whatwg("iso-8859-14", &encoding_rs::ISO_8859_14_INIT),
    whatwg("iso-8859-15", &encoding_rs::ISO_8859_15_INIT),
    whatwg("iso-8859-16", &encoding_rs::ISO_8859_16_INIT),
    whatwg("windows-874", &encoding_rs::WINDOWS_874_INIT),
    whatwg("windows-1250", &encoding_rs::WINDOWS_1250_INIT),
    whatwg("windows-1251", &encoding_rs::WINDOWS_1251_INIT),
    whatwg("windows-1252", &encoding_rs::WINDOWS_1252_INIT),
    whatwg("windows-1253", &encoding_rs::WINDOWS_1253_INIT),
    whatwg("windows-1254", &encoding_rs::WINDOWS_1254_INIT),
    whatwg("windows-1255", &encoding_rs::WINDOWS_1255_INIT),
    whatwg("windows-1256", &encoding_rs::WINDOWS_1256_INIT),
    whatwg("windows-1257", &encoding_rs::WINDOWS_1257_INIT),
    whatwg("windows-1258", &encoding_rs::WINDOWS_1258_INIT),
    whatwg("koi8-r", &encoding_rs::KOI8_R_INIT),
    whatwg("koi8-u", &encoding_rs::KOI8_U_INIT),
    whatwg("macintosh", &encoding_rs::MACINTOSH_INIT),
    whatwg("x-mac-cyrillic", &encoding_rs::X_MAC_CYRILLIC_INIT),
    whatwg("x-user-defined", &encoding_rs::X_USER_DEFINED_INIT),
    of("tis-620", PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT), &[NO_CONTROLS]),
    of("ibm-874", PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT), &[NO_CONTROLS, THAI_OF_IBM]),
    dos("ibm437", &tables::IBM437),
    dos("ibm737", &tables::IBM737),
    dos("ibm775", &tables::IBM775),
    dos("ibm850", &tables::IBM850),
    dos("ibm852", &tables::IBM852),
    dos("ibm855", &tables::IBM855),
    dos("ibm857", &tables::IBM857),
    of("ibm858", PageBase::Upper(&tables::IBM850), &[&[(0xD5, 0x20AC)]]),
    dos("ibm860", &tables::IBM860),
    dos("ibm861", &tables::IBM861),
    dos("ibm862", &tables::IBM862),
    dos("ibm863", &tables::IBM863),
    of("ibm864", PageBase::Upper(&tables::IBM864), &[&[(b'%', 0x066A)]]),
    dos("ibm865", &tables::IBM865),
    whatwg("ibm866", &encoding_rs::IBM866_INIT),
    dos("ibm869", &tables::IBM869),
    ebcdic("ibm037", 0x25, &[]),
    ebcdic("ibm037-lf", 0x15, &[SWAPPED]),
    ebcdic("ibm1047", 0x25, &[OPEN_SYSTEMS]),
    ebcdic("ibm1047-lf", 0x15, &[OPEN_SYSTEMS, SWAPPED]),
];

impl PageRow {
    /// Whether the lower half is ASCII.
    const fn has_ascii(&self) -> bool {
        let mut ascii = !matches!(self.base, PageBase::Full(_));
        let mut list = 0;
        while list < self.patches.len() {
            let mut at = 0;
            while at < self.patches[list].len() {
                ascii &= self.patches[list][at].0 >= 0x80;
                at += 1;
            }
            list += 1;
        }
        ascii
    }

    /// The code point of each byte.
    fn points(&self) -> [u16; 256] {
        let mut points = std::array::from_fn(|byte| byte as u16);
        match self.base {
            PageBase::Ascii => points[128..].fill(HOLE),
            PageBase::Latin1 => (),
            PageBase::Whatwg(encoding) => {
                for byte in 0x80..=0xFF {
                    points[usize::from(byte)] = decoded(encoding, byte);
                }
            }
            PageBase::Upper(upper) => points[128..].copy_from_slice(upper),
            PageBase::Full(full) => points = *full,
        }
        for &(byte, point) in self.patches.iter().copied().flatten() {
            points[usize::from(byte)] = point;
        }
        points
    }
}

/// The code point of a byte in a single-byte encoding.
fn decoded(encoding: &'static Encoding, byte: u8) -> u16 {
    let mut unit = [HOLE];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let _ = decoder.decode_to_utf16_without_replacement(&[byte], &mut unit, true);
    unit[0]
}

/// A page that is in use.
struct PageTable {
    points: [u16; 256],
    /// Whether every byte has a character.
    whole: bool,
    /// For each high byte of a code point, which of `cells` its low byte is looked up in.
    rows: [u8; 256],
    /// The last byte of each code point, if it has one. The first cells have none.
    cells: Vec<[Option<u8>; 256]>,
}

static TABLES: [OnceLock<Box<PageTable>>; PAGES.len()] = [const { OnceLock::new() }; PAGES.len()];

impl PageTable {
    fn new(row: &PageRow) -> Box<PageTable> {
        let points = row.points();
        let (mut rows, mut cells) = ([0; 256], vec![[None; 256]]);
        for (byte, point) in (0..=u8::MAX).zip(points).filter(|&(_, point)| point != HOLE) {
            let [high, low] = point.to_be_bytes().map(usize::from);
            if rows[high] == 0 {
                rows[high] = cells.len() as u8;
                cells.push([None; 256]);
            }
            cells[usize::from(rows[high])][low] = Some(byte);
        }
        Box::new(PageTable { points, whole: !points.contains(&HOLE), rows, cells })
    }

    /// The byte of a code point.
    #[inline(always)]
    fn byte(&self, value: u32) -> Option<u8> {
        let [high, low] = u16::try_from(value).ok()?.to_be_bytes();
        self.cells[usize::from(self.rows[usize::from(high)])][usize::from(low)]
    }
}

impl<const ROW: usize> Page<ROW> {
    fn table() -> &'static PageTable {
        TABLES[ROW].get_or_init(|| PageTable::new(&PAGES[ROW]))
    }
}

/// How many characters are looked up at a time.
const BLOCK: usize = 256;

impl<const ROW: usize> Codec for Page<ROW> {
    type State = ();
    type Pen = ();
    const REACH: Option<u64> = Some(0);
    const SIGNATURE: &'static [u8] = &[];

    const WIDEST: usize = 1;
    const GROUP: Group = Group::Page;
    const TRAITS: Properties = Properties {
        transparent: PAGES[ROW].has_ascii(),
        stateful: false,
        scalars: false,
        surrogates: false,
    };

    fn start(_: u64) {}

    fn prefix(_: &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        let table = Self::table();
        if table.whole {
            return bytes.len();
        }
        // Holes are in upper halves only.
        let mut at = 0;
        loop {
            at += (kernels.ascii)(&bytes[at..]);
            let block = &bytes[at..bytes.len().min(at + BLOCK)];
            let mapped = |byte: &&u8| table.points[usize::from(**byte)] != HOLE;
            let gained = block.iter().take_while(mapped).count();
            at += gained;
            if gained < BLOCK {
                return at;
            }
        }
    }

    fn step(_: &mut (), bytes: &[u8], _: bool) -> Step {
        match bytes.first().map(|&byte| Self::table().points[usize::from(byte)]) {
            None => Step::Short,
            Some(HOLE) => Step::Ill { kind: Kind::Unmapped, len: 1, replacements: 1 },
            Some(point) => Step::Scalar { value: point.into(), len: 1 },
        }
    }

    fn load((): &mut (), kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        let points = &Self::table().points;
        bulk::load::<Self>(&mut (), bytes, values, |bytes, values| {
            let read = (kernels.read_page)(bytes, points, values);
            Loaded { read, written: read }
        })
    }

    fn pen(_: Escapes) {}

    fn put(_: &mut (), value: u32, out: &mut Vec<u8>) -> bool {
        let byte = Self::table().byte(value);
        out.extend(byte);
        byte.is_some()
    }

    fn store(_: &mut (), _: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        let table = Self::table();
        let mut done = 0;
        for values in values.chunks(BLOCK) {
            let mut bytes = [0; BLOCK];
            let mut held = 0;
            for (byte, found) in bytes.iter_mut().zip(values.iter().map_while(|&v| table.byte(v))) {
                *byte = found;
                held += 1;
            }
            out.extend_from_slice(&bytes[..held]);
            done += held;
            if held < values.len() {
                break;
            }
        }
        done
    }

    fn tally(_: &(), _: &[u8], part: Range<usize>, lengths: &mut LengthCounts) {
        lengths[0] += part.len() as u64;
    }

    fn lines(_: &(), bytes: &[u8]) -> LineCount {
        lines_of_byte(bytes, PAGES[ROW].line_feed)
    }

    fn announced(_: &[u8]) -> usize {
        1
    }
}
