//! Was this text encoded twice?
//!
//! UTF-8 whose bytes were read in a single-byte code page, and written as UTF-8 again, is
//! well-formed text that nobody meant: `Ã©` for `é`. [`Undo`] finds the runs that spell UTF-8 if
//! each character is taken for its byte in such a page, and says what they were; again and again,
//! until nothing is left to undo.
//!
//! Where the page is named, every run that can be undone is. Where none is, only what cannot have
//! been meant is touched: see `certainty`. What was considered and left is told as well.
//!
//! Text is judged by the line: what one word of it shows counts for the next.
//!
//! ```
//! use std::convert::Infallible;
//! use utf8::mojibake::{Piece, Undo, Verdict};
//!
//! let (mut text, mut undone) = (Vec::new(), 0);
//! let mut to = |piece: Piece<'_>| -> Result<(), Infallible> {
//!     text.extend_from_slice(piece.after);
//!     undone += usize::from(matches!(piece.verdict, Verdict::Undone(_)));
//!     Ok(())
//! };
//! let mut undo = Undo::likely();
//! undo.feed("the cafÃ©â€™s naÃ¯vetÃ©, in a CAFÉ…".as_bytes(), &mut to).unwrap();
//! undo.finish(&mut to).unwrap();
//! assert_eq!(text, "the café’s naïveté, in a CAFÉ…".as_bytes());
//! assert_eq!(undone, 3);
//! ```

use std::ops::Range;

use crate::registry::Encoding;

use line::PageLayers;
use pages::Pages;
use sequence::DoubleSequence;
pub use undo::MojibakeUndoer;

mod certainty;
mod characters;
mod line;
mod pages;
mod run;
mod runs;
mod sequence;
mod skip;
mod undo;

/// The longest part of a line, in bytes, that is judged together. Nothing longer is held.
pub const LONGEST: usize = 64 << 10;

/// A part of the text.
#[derive(Clone, Debug)]
pub struct MojibakePart<'a> {
    /// Where it is in the input, in bytes.
    pub source: Range<u64>,
    /// What stands there.
    pub before: &'a [u8],
    /// What is to stand there.
    pub after: &'a [u8],
    /// Why.
    pub verdict: MojibakeVerdict<'a>,
}

/// What was found in a piece.
#[derive(Clone, Debug)]
pub enum MojibakeVerdict<'a> {
    /// Nothing.
    Sound,
    /// It was encoded more than once, by way of these pages; the last first.
    Undone(PageSteps<'a>),
    /// It spells UTF-8 in a page, but may be meant as it stands.
    Meant(PageReading<'a>),
    /// It spells something in a page, and something else, which is as likely, in another.
    Ambiguous(PageReading<'a>),
    /// A run of characters of the pages that is longer than [`LONGEST`].
    TooLong,
}

/// The pages that a text was read in by mistake, the last mistake first.
#[derive(Clone, Copy)]
pub struct PageSteps<'a> {
    pages: &'a Pages,
    layers: PageLayers,
}

impl PageSteps<'_> {
    /// The pages.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = &'static Encoding> {
        self.layers.pages().iter().map(|&page| self.pages.specs[usize::from(page)])
    }
}

impl std::fmt::Debug for PageSteps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.pages().map(|page| page.name)).finish()
    }
}

/// What a text would be, if it was read in a page by mistake.
#[derive(Clone, Copy)]
pub struct PageReading<'a> {
    /// The page.
    pub page: &'static Encoding,
    sequences: &'a [DoubleSequence],
}

impl PageReading<'_> {
    /// What it would be. Where a part of the run was undone already, this is what the whole run
    /// would be.
    pub fn spells(&self) -> impl Iterator<Item = char> {
        self.sequences.iter().map(|sequence| sequence.value)
    }
}

impl std::fmt::Debug for PageReading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reading")
            .field(&self.page.name)
            .field(&self.spells().collect::<String>())
            .finish()
    }
}
