//! Tables of code pages that the WHATWG Encoding Standard does not have.
//!
//! A line of `tables.txt` has the name of a page, the page that it is based on, and the differences
//! from that page: a byte, and the code points from this byte on. `80=410..42F,401,-` gives those of
//! 34 bytes. `-` marks an unmapped byte; as a base, every byte is unmapped. Other bases are `ascii`,
//! `latin1` and pages.

use memchr::memmem;

use super::{PAGES, UNMAPPED, page};

/// The lines, each with a line end before it.
static TABLES: &str = concat!("\n", include_str!("tables.txt"));

/// Returns the code point of each byte of a page, [`UNMAPPED`] for none.
///
/// # Panics
/// If the page has no table.
pub(super) fn read(name: &str) -> [u16; 256] {
    let start = ["\n", name, " "].concat();
    let at = memmem::find(TABLES.as_bytes(), start.as_bytes()).expect("a table");
    let line = TABLES[at + start.len()..].lines().next().unwrap_or_default();
    let mut fields = line.split(' ');
    let mut points = base(fields.next().expect("a base"));
    for field in fields {
        let (byte, items) = field.split_once('=').expect("a byte and code points");
        let mut byte = usize::from(number(byte));
        for item in items.split(',') {
            // A search for one byte is faster than one for both points.
            let (first, last) = match item.split_once('.') {
                Some((first, rest)) => (first, rest.strip_prefix('.').expect("two points")),
                None => (item, item),
            };
            for point in number(first)..=number(last) {
                points[byte] = point;
                byte += 1;
            }
        }
    }
    points
}

fn base(name: &str) -> [u16; 256] {
    let identity = |byte| byte as u16;
    match name {
        "-" => [UNMAPPED; 256],
        "latin1" => std::array::from_fn(identity),
        "ascii" => {
            let ascii = |byte| if byte < 0x80 { identity(byte) } else { UNMAPPED };
            std::array::from_fn(ascii)
        }
        _ => PAGES[page(name)].points(),
    }
}

/// Parses a code point or byte, or `-` for [`UNMAPPED`].
fn number(digits: &str) -> u16 {
    match digits {
        "-" => UNMAPPED,
        _ => u16::from_str_radix(digits, 16).expect("hexadecimal digits"),
    }
}
