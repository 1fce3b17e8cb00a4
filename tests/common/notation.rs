//! Reading, writing and random input of notations.

use utf8::Kind;
use utf8::codec::{Escapes, Step};
use utf8::registry::Encoding;

use super::inputs::Rng;

/// The amounts of escaping.
pub const MODES: [Escapes; 3] = [Escapes::Usual, Escapes::All, Escapes::Minimal];

/// A piece of an input: its code points or the kind of its issue, and its bytes.
pub type Piece<'a> = (Result<Vec<u32>, Kind>, &'a [u8]);

/// Returns the pieces of an input, without the blanks between code points.
pub fn pieces<'a>(spec: &Encoding, bytes: &'a [u8]) -> Vec<Piece<'a>> {
    let (mut at, mut pieces) = (0, vec![]);
    while at < bytes.len() {
        let (piece, len) = match spec.step(&bytes[at..]) {
            Step::Scalar { value, len } => (Some(Ok(vec![value])), len),
            Step::Two { values, len } => (Some(Ok(values.to_vec())), len),
            Step::Skip { len } => (None, len),
            Step::Ill { kind, len, .. } => (Some(Err(kind)), len),
            step => panic!("{}: {step:?} at {at} of {}", spec.name, show(bytes)),
        };
        assert!(len > 0 && len <= spec.inner.longest, "{}: {}", spec.name, show(bytes));
        pieces.extend(piece.map(|piece| (piece, &bytes[at..at + len])));
        at += len;
    }
    pieces
}

/// Returns the code points of an input without issues.
pub fn read(spec: &Encoding, bytes: &[u8]) -> Option<Vec<u32>> {
    let values: Result<Vec<_>, _> = pieces(spec, bytes).into_iter().map(|piece| piece.0).collect();
    Some(values.ok()?.concat())
}

/// Formats bytes for messages.
pub fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Returns the code points of a text.
pub fn points(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Returns `true` for values that a notation cannot spell.
pub fn lacks(spec: &Encoding, value: u32) -> bool {
    match spec.name {
        "code-points" => value > i32::MAX as u32,
        "json" | "python" => value > 0x10_FFFF,
        "html" if value == 0 => true,
        _ => char::from_u32(value).is_none(),
    }
}

/// Characters with a meaning next to each other.
#[rustfmt::skip]
pub static AWKWARD: &[u32] = &[
    0, 7, 8, 9, 0x0A, 0x0D, 0x1B, 0x20, 0x22, 0x23, 0x25, 0x26, 0x27, 0x2B, 0x30, 0x31, 0x37, 0x38,
    0x3B, 0x3C, 0x3D, 0x3F, 0x41, 0x4E, 0x55, 0x5C, 0x61, 0x62, 0x6C, 0x6E, 0x74, 0x75, 0x78, 0x7B,
    0x7D, 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xE9, 0xFF, 0x100, 0x2028, 0x202E, 0xD83D, 0xDBFF, 0xDC00,
    0xDE00, 0xE000, 0xFEFF, 0xFFFD, 0xFFFF, 0x1_F600, 0x10_FFFF,
];

/// Returns random text, with fragments of the notations.
pub fn texts(rng: &mut Rng, len: usize) -> Vec<u32> {
    (0..len)
        .map(|_| match rng.below(3) {
            0 => rng.pick(AWKWARD),
            1 => rng.below(0x80) as u32,
            _ => {
                let width = rng.pick(&[1, 2, 3, 4]);
                rng.scalar(width).into()
            }
        })
        .collect()
}

/// Returns the parts of escapes, well-formed or not.
pub fn fragments(name: &str) -> &'static [&'static str] {
    match name {
        "code-points" => &[
            "U+",
            "u+",
            "0x",
            "#",
            "\\u{",
            "}",
            " ",
            "\n",
            "\t",
            "\r\n",
            "41",
            "1F600",
            "7FFFFFFF",
            "80000000",
            "0",
            "Z",
            ",",
            "é",
            "0000000000000000000000000000000",
        ],
        "rust" => &[
            "\\", "\\u", "\\u{", "}", "_", "\\x", "4", "1F600", "d800", "110000", "\\n", "\\'",
            "\\0", "\\q", "é", "\n", "0000000",
        ],
        "json" => &[
            "\\",
            "\\u",
            "\\u{",
            "}",
            "\\x",
            "\\0",
            "1",
            "41",
            "00e9",
            "\\ud83d",
            "\\ude00",
            "\\u{de00}",
            "\\u{d83d}",
            "\\n",
            "\\v",
            "\\/",
            "é",
            "q",
            "d83d",
            "000000000000000",
        ],
        "c" => &[
            "\\",
            "\\x",
            "\\342",
            "\\202",
            "\\254",
            "\\xE2",
            "\\x82",
            "\\xAC",
            "\\0",
            "1",
            "41",
            "8",
            "\\u",
            "\\U",
            "20AC",
            "0001F600",
            "d800",
            "??",
            "\\?",
            "\\n",
            "\\q",
            "é",
            "\\400",
            "00000000000",
        ],
        "python" => &[
            "\\",
            "\\x",
            "\\u",
            "\\U",
            "\\N",
            "\\N{",
            "EURO SIGN",
            "}",
            "X",
            "41",
            "20ac",
            "0001f600",
            "d83d",
            "\\0",
            "7",
            "8",
            "\\n",
            "\\q",
            "é",
            "00110000",
            "\\7",
        ],
        "html" => &[
            "&",
            "&#",
            "&#x",
            "&#X",
            ";",
            "amp",
            "not",
            "notin",
            "notit",
            "euro",
            "fjlig",
            "x",
            "41",
            "128",
            "0",
            "D800",
            "110000",
            "é",
            "&lt",
            "=",
            " ",
            "000000000000000000000",
        ],
        _ => &[
            "%", "%E2", "%82", "%AC", "%C3", "%F0", "%9F", "%98", "%80", "%ED", "%A0", "4", "G",
            "é", "+", "%4", "%41",
        ],
    }
}

/// Returns random fragments, with bytes that are not UTF-8 between them.
pub fn puzzle(rng: &mut Rng, name: &str, most: usize) -> Vec<u8> {
    let mut bytes = vec![];
    for _ in 0..rng.below(most) {
        match rng.below(12) {
            0 => bytes.extend(rng.pick(&[&b"\xE2"[..], b"\x82", b"\xED\xA0\x80", b"\xFF"])),
            _ => bytes.extend(rng.pick(fragments(name)).bytes()),
        }
    }
    bytes
}
