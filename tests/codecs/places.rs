//! Places in East Asian code tables, counted and as CPython computes them.

use std::collections::BTreeMap;

use crate::common::peer::python;
use crate::common::{hex, unhex};
use utf8::codec::Step;
use utf8::registry::Encoding;

/// Returns the lead and trail bytes of a set in the order of its index.
fn index(name: &str) -> Vec<[u8; 2]> {
    let range = |ranges: &[(u8, u8)]| -> Vec<u8> {
        ranges.iter().flat_map(|&(first, last)| first..=last).collect()
    };
    let (leads, trails) = match name {
        "shift_jis" => (range(&[(0x81, 0x9F), (0xE0, 0xFC)]), range(&[(0x40, 0x7E), (0x80, 0xFC)])),
        "gbk" | "gb18030" => (range(&[(0x81, 0xFE)]), range(&[(0x40, 0x7E), (0x80, 0xFE)])),
        "euc-kr" => (range(&[(0x81, 0xFE)]), range(&[(0x41, 0xFE)])),
        "euc-jp" => (range(&[(0xA1, 0xFE)]), range(&[(0xA1, 0xFE)])),
        _ => (range(&[(0x81, 0xFE)]), range(&[(0x40, 0x7E), (0xA1, 0xFE)])),
    };
    leads.iter().flat_map(|&lead| trails.iter().map(move |&trail| [lead, trail])).collect()
}

/// Returns the derivation that counting gives for a pair: a cell of 94 by 94, or a pointer.
fn counted(name: &str, pointer: usize, pair: [u8; 2]) -> String {
    let right = pair.iter().all(|byte| (0xA1..=0xFE).contains(byte));
    let (row, cell) = match name {
        "shift_jis" if pointer < 94 * 94 => (pointer / 94 + 1, pointer % 94 + 1),
        "shift_jis" if pointer < 94 * 94 + 10 * 188 => {
            return format!("0xE000 + 0x{:X}", pointer - 94 * 94);
        }
        "gbk" | "gb18030" | "euc-kr" | "euc-jp" if right => {
            (usize::from(pair[0]) - 0xA0, usize::from(pair[1]) - 0xA0)
        }
        _ => return format!("pointer {pointer}"),
    };
    format!("{}row {row}, cell {cell}", if name == "euc-jp" { "JIS X 0208 " } else { "" })
}

#[test]
fn pairs_are_where_counting_finds_them() {
    for name in ["shift_jis", "gbk", "gb18030", "euc-kr", "euc-jp", "big5", "big5-hkscs"] {
        let spec = Encoding::for_label(name).unwrap();
        for (pointer, pair) in index(name).into_iter().enumerate() {
            if let Step::Scalar { len: 2, .. } | Step::Two { len: 2, .. } = spec.step(&pair) {
                let found = (spec.inner.derivation)(&pair);
                assert_eq!(found, Some(counted(name, pointer, pair)), "{name}: {}", hex(&pair));
            }
        }
    }
}

#[test]
fn four_bytes_of_gb18030_are_counted_like_digits() {
    let spec = Encoding::for_label("gb18030").unwrap();
    let digits = || b'0'..=b'9';
    let halves = (0x81..=0xFE).flat_map(|high| digits().map(move |low| [high, low]));
    let halves: Vec<[u8; 2]> = halves.collect();
    let quadruples = halves.iter().flat_map(|a| halves.iter().map(move |b| [*a, *b].concat()));
    for (linear, bytes) in quadruples.enumerate() {
        let Step::Scalar { value, .. } = spec.step(&bytes) else { continue };
        let derivation = (spec.inner.derivation)(&bytes).unwrap();
        let place = match value.checked_sub(0x1_0000) {
            Some(number) => format!("0x10000 + 0x{number:X}"),
            None => format!("linear {linear}"),
        };
        assert_eq!(derivation, place, "{}", hex(&bytes));
    }
}

/// Writes each pair of some sets as CPython decodes it, with its place in a seven-bit encoding.
const CELLS: &str = r"
sets = [('euc-jp', 'euc_jp', 'iso2022_jp', b'\x1B$B', 'JIS X 0208 ', b''),
        ('euc-jp', 'euc_jp', 'iso2022_jp_1', b'\x1B$(D', 'JIS X 0212 ', b'\x8F'),
        ('shift_jis', 'shift_jis', 'iso2022_jp', b'\x1B$B', '', b''),
        ('euc-kr', 'euc_kr', 'iso2022_kr', b'\x1B$)C\x0E', '', b''),
        ('gbk', 'gb2312', 'hz', b'~{', '', b'')]
for name, eight, seven, start, label, shift in sets:
    for lead in range(0x81, 0xFF):
        for trail in range(0x40, 0xFF):
            code = shift + bytes([lead, trail])
            try:
                spelt = code.decode(eight).encode(seven)
            except UnicodeError:
                continue
            if len(code.decode(eight)) == 1 and spelt.startswith(start):
                row, cell = (byte - 0x20 for byte in spelt[len(start):][:2])
                print(name, code.hex(' '), f'{label}row {row}, cell {cell}', sep='|')
";

#[test]
fn rows_and_cells_are_those_of_cpython() {
    let Some(cells) = python(CELLS, b"") else { return };
    let mut seen = 0;
    let mut encodings = BTreeMap::new();
    for line in cells.lines() {
        let [name, code, cell] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let code = unhex(code);
        let spec = *encodings.entry(name).or_insert_with(|| Encoding::for_label(name).unwrap());
        assert_eq!((spec.inner.derivation)(&code).as_deref(), Some(cell), "{line}");
        seen += 1;
    }
    // The minimum for JIS X 0208 twice, JIS X 0212, KS X 1001 and GB 2312.
    assert!(seen > 2 * 6_800 + 6_000 + 8_200 + 7_400, "{seen}");
}
