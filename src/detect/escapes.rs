//! Escape sequences of ISO/IEC 2022 that announce an encoding.

use crate::registry::Encoding;
use memchr::{memchr, memchr_iter};

use super::announcement::AnnouncementTest;
use super::trial::read;

pub(super) const ESC: u8 = 0x1B;

/// The length of an escape sequence of ISO-2022-JP, in bytes.
const SEQUENCE: usize = 3;

/// Escape sequences, and the encodings that they announce. The first row that occurs decides.
pub(super) const ESCAPES: [(&[u8], &str); 16] = [
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

/// The name of an announced encoding, and the probability that the announcement is right.
pub(super) type Announcement = (&'static str, f64);

/// Finds escape sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct EscapeFinder(Option<Announcement>);

impl AnnouncementTest for EscapeFinder {
    fn find_start(&self, bytes: &[u8]) -> Option<usize> {
        memchr(ESC, bytes)
    }

    fn test(&mut self, window: &[u8]) -> bool {
        self.0 = find_announcement(window);
        self.0.is_some()
    }
}

impl EscapeFinder {
    /// Returns the announcement, if one was found.
    pub fn announced(&self) -> Option<Announcement> {
        self.0
    }
}

/// Returns the encoding that escape sequences in bytes announce.
fn find_announcement(bytes: &[u8]) -> Option<Announcement> {
    let row = |at| ESCAPES.iter().position(|(escape, _)| bytes[at..].starts_with(escape));
    let (_, name) = ESCAPES[memchr_iter(ESC, bytes).filter_map(row).min()?];
    match Encoding::for_label(name) {
        Some(codec) if !codec.inner.utf8 => {
            // Other decoders accept escapes that the codec rejects.
            let well_formed = read(codec, &without_empty_segments(bytes), 0).is_some();
            Some((name, if well_formed { 0.99 } else { 0.6 }))
        }
        _ => Some((name, 0.95)),
    }
}

/// Returns the bytes without escapes that are directly followed by another one. They occur where
/// texts are joined; the codec rejects them because they can hide text from filters.
fn without_empty_segments(bytes: &[u8]) -> Vec<u8> {
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
