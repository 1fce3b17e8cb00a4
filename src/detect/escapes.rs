//! Do escape sequences announce a set of seven bits, or UTF-8?

use crate::registry::Encoding;
use memchr::{memchr, memchr_iter};

use super::announcement::AnnouncementTest;
use super::trial::read;

pub(super) const ESC: u8 = 0x1B;

/// The length of an escape sequence of ISO-2022-JP, in bytes.
const SEQUENCE: usize = 3;

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

/// What announces itself, and how likely that is.
pub(super) type Announcement = (&'static str, f64);

/// Looks for escape sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct EscapeFinder(Option<Announcement>);

impl AnnouncementTest for EscapeFinder {
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        memchr(ESC, bytes)
    }

    fn judge(&mut self, window: &[u8]) -> bool {
        self.0 = announced(window);
        self.0.is_some()
    }
}

impl EscapeFinder {
    /// What was found.
    pub fn announced(&self) -> Option<Announcement> {
        self.0
    }
}

/// What escape sequences say that these bytes are in, and how likely that is.
fn announced(bytes: &[u8]) -> Option<Announcement> {
    let row = |at| ESCAPES.iter().position(|(escape, _)| bytes[at..].starts_with(escape));
    let (_, name) = ESCAPES[memchr_iter(ESC, bytes).filter_map(row).min()?];
    match Encoding::for_label(name) {
        Some(codec) if name != "utf-8" => {
            // Others are more lenient about escapes than the codec.
            let well_formed = read(codec, &effective(bytes), 0).is_some();
            Some((name, if well_formed { 0.99 } else { 0.6 }))
        }
        _ => Some((name, 0.95)),
    }
}

/// The bytes without escapes that another one follows at once: where a text ends and another
/// starts, there are such, and the codec takes them for an attack.
fn effective(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = memchr(ESC, rest) {
        let (text, escape) = rest.split_at(at);
        kept.extend_from_slice(text);
        let len = match escape {
            [_, b'$' | b'(', _, ESC, ..] => SEQUENCE,
            _ => {
                kept.push(ESC);
                1
            }
        };
        rest = &escape[len..];
    }
    kept.extend_from_slice(rest);
    kept
}
