//! Tables of code pages that the WHATWG Encoding Standard does not have.
//!
//! A line of `tables.txt` has the name of a page, the page that it is based on, and the differences
//! from that page: a byte, and the code points from this byte on. `80=410..42F,401,-` gives those of
//! 34 bytes. `-` marks an unmapped byte; as a base, every byte is unmapped. Other bases are `ascii`,
//! `latin1` and pages.

use super::{PAGES, UNMAPPED, page};

static TABLES: &str = include_str!("tables.txt");

/// Returns the code point of each byte of a page, [`UNMAPPED`] for none.
///
/// # Panics
/// If the page has no table.
pub(super) fn read(name: &str) -> [u16; 256] {
    let named = |line: &&str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
    let line = TABLES.lines().find(named).expect("a table");
    let mut fields = line.split(' ').skip(1);
    let mut points = base(fields.next().expect("a base"));
    for field in fields {
        let (byte, items) = field.split_once('=').expect("a byte and code points");
        let mut byte = usize::from(number(byte));
        for item in items.split(',') {
            let (first, last) = item.split_once("..").unwrap_or((item, item));
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
