//! What was considered, and left as it is?

use crate::mojibake::{self, Verdict};
use crate::registry::Spec;

/// Why something was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It could be meant as it stands.
    Meant,
    /// It may be one thing or another.
    Ambiguous,
    /// The codec lacks a character of what it would be.
    Lacking,
    /// It is too long to be judged.
    TooLong,
}

/// A row of [`LEFT`].
#[derive(Debug)]
#[non_exhaustive]
pub struct AboutLeft {
    /// Why.
    pub left: Left,
    /// Its name in every report.
    pub name: &'static str,
    /// Why, in one line.
    pub summary: &'static str,
}

/// Every reason to leave something as it is.
#[rustfmt::skip]
pub static LEFT: &[AboutLeft] = &[
    AboutLeft { left: Left::Meant, name: "meant", summary: "it could be meant" },
    AboutLeft { left: Left::Ambiguous, name: "ambiguous", summary: "it could be something else, read in another code page" },
    AboutLeft { left: Left::Lacking, name: "lacking", summary: "the codec of the text lacks a character of that" },
    AboutLeft { left: Left::TooLong, name: "too-long", summary: "it is too long to be judged" },
];

impl Left {
    /// What is said of it.
    pub fn about(self) -> &'static AboutLeft {
        &LEFT[self as usize]
    }
}

/// Text that was encoded twice, it seems, and was left as it is.
#[derive(Clone, Debug)]
pub struct Note<'a> {
    /// The offset of its first byte in the source.
    pub offset: u64,
    /// The text, in UTF-8. The source may have it in another codec. Of what is too long, its front.
    pub text: &'a [u8],
    /// The code page it may have been read in, and what it would be; `None` if that is not known.
    pub spells: Option<(&'static Spec, String)>,
    /// Why it was left.
    pub left: Left,
}

impl<'a> Note<'a> {
    /// What the reverser has found at this offset.
    pub(super) fn of(offset: u64, found: &mojibake::Piece<'a>, left: Left) -> Note<'a> {
        let spells = match &found.verdict {
            Verdict::Meant(reading) | Verdict::Ambiguous(reading) => {
                Some((reading.page, reading.spells().collect()))
            }
            Verdict::Undone(steps) => {
                let spelt = String::from_utf8_lossy(found.after).into_owned();
                steps.pages().next().map(|page| (page, spelt))
            }
            _ => None,
        };
        Note { offset, text: found.before, spells, left }
    }
}
