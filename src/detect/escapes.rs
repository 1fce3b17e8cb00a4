//! Does text of seven bits announce that it is more than ASCII?

use memchr::memmem;

use super::reading::{plausibility, read};
use crate::codec;

/// Escape sequences of ISO 2022, and what announces itself by them. What is further up tells more.
const ESCAPES: [(&[u8], &str); 16] = [
    (b"\x1B$)C", "iso-2022-kr"),
    (b"\x1B$)A", "iso-2022-cn"),
    (b"\x1B$)G", "iso-2022-cn"),
    (b"\x1B$)E", "iso-2022-cn-ext"),
    (b"\x1B$A", "iso-2022-jp-2"),
    (b"\x1B$(C", "iso-2022-jp-2"),
    (b"\x1B.A", "iso-2022-jp-2"),
    (b"\x1B.F", "iso-2022-jp-2"),
    (b"\x1B$(D", "iso-2022-jp-1"),
    (b"\x1B$(O", "iso-2022-jp-3"),
    (b"\x1B$(Q", "iso-2022-jp-2004"),
    (b"\x1B$@", "iso-2022-jp"),
    (b"\x1B$B", "iso-2022-jp"),
    (b"\x1B(J", "iso-2022-jp"),
    (b"\x1B(I", "iso-2022-jp"),
    (b"\x1B%G", "utf-8"),
];

/// What escape sequences say that these bytes are in, and how likely that is. The bytes start with
/// an escape.
pub(super) fn announced(bytes: &[u8]) -> Option<(&'static str, f64)> {
    let has = |(escape, _): &&(&[u8], &str)| memmem::find(bytes, escape).is_some();
    let &(_, name) = ESCAPES.iter().find(has)?;
    match codec::find(name) {
        Some(codec) if name != "utf-8" => {
            // Others are more lenient about escapes than the codec.
            Some((name, if read(codec, bytes).is_some() { 0.99 } else { 0.6 }))
        }
        _ => Some((name, 0.95)),
    }
}

/// What shifts that are printable say that these bytes are in, and how likely that is.
pub(super) fn shifted(bytes: &[u8]) -> Option<(&'static str, f64)> {
    if is_hz(bytes) {
        return Some(("hz-gb-2312", 0.95));
    }
    let beyond = beyond(bytes)?;
    let plausible = plausibility(&beyond);
    let enough = plausible > 0 && plausible >= beyond.len() as i32 / 2;
    enough.then(|| ("utf-7", 1.0 - (-f64::from(plausible) / 2.0).exp()))
}

/// What is not ASCII, if the bytes are UTF-7.
fn beyond(bytes: &[u8]) -> Option<Vec<u32>> {
    memchr::memchr(b'+', bytes)?;
    let reading = read(codec::find("utf-7")?, bytes)?;
    let beyond: Vec<_> = reading.values.into_iter().filter(|&value| value >= 0x80).collect();
    (!beyond.is_empty()).then_some(beyond)
}

/// Whether it is HZ (RFC 1843): all tildes are its escapes, and GB 2312 stands between `~{` and
/// `~}`.
fn is_hz(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    let mut found = false;
    while let Some(at) = memchr::memchr(b'~', rest) {
        let len = match &rest[at..] {
            [b'~', b'~' | b'\n', ..] | [b'~'] => 2,
            [b'~', b'{', text @ ..] => match gb_2312(text) {
                Some(len) => {
                    found = true;
                    2 + len
                }
                None => return false,
            },
            _ => return false,
        };
        rest = &rest[(at + len).min(rest.len())..];
    }
    found
}

/// The length of this text of GB 2312 and of the escape behind it.
fn gb_2312(text: &[u8]) -> Option<usize> {
    let len = memmem::find(text, b"~}")?;
    let (pairs, rest) = text[..len].as_chunks();
    let is_pair =
        |&[lead, trail]: &[u8; 2]| (0x21..=0x77).contains(&lead) && (0x21..=0x7E).contains(&trail);
    (!pairs.is_empty() && pairs.iter().all(is_pair) && rest.is_empty()).then_some(len + 2)
}
