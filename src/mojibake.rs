//! Double-encoded text (mojibake): detection and reversal.
//!
//! UTF-8 that was decoded in a single-byte code page and encoded as UTF-8 again is well formed, but
//! shows `Ã©` for `é`. [`MojibakeUndoer`] finds the runs of characters whose bytes in a code page
//! are UTF-8 and replaces each run with the decoded text, layer by layer, until no reversible run
//! remains.
//!
//! With a named page, every reversible run is undone unless the result is rarer than the line's
//! other text or foreign to it. Without one, a run is undone only if its characters and their
//! neighbours show that it cannot be intended text (see `oddity`); skipped runs are reported with the
//! reason.
//!
//! Lines are the unit of judgement, and independent of each other. A run that is certain shows the
//! page of its line (see `reading`); then each sequence of this page in the line is undone unless
//! the result is rare or in a script that the line does not have otherwise. The other runs, and all
//! runs of a line that two related pages read equally well but not alike, are kept and reported.
//!
//! Bytes of windows-1252 that were decoded as ISO-8859-1 are undone likewise: the C1 control U+0092
//! becomes `’`, where the whole line shows that it is no control.
//!
//! ```
//! use std::convert::Infallible;
//! use utf8::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};
//!
//! let (mut text, mut undone) = (Vec::new(), 0);
//! let mut to = |part: MojibakePart<'_>| -> Result<(), Infallible> {
//!     text.extend_from_slice(part.after);
//!     undone += usize::from(matches!(part.verdict, MojibakeVerdict::Undone(_)));
//!     Ok(())
//! };
//! let mut undoer = MojibakeUndoer::likely();
//! undoer.feed("the cafÃ©â€™s naÃ¯vetÃ©, in a CAFÉ…".as_bytes(), &mut to).unwrap();
//! undoer.finish(&mut to).unwrap();
//! assert_eq!(text, "the café’s naïveté, in a CAFÉ…".as_bytes());
//! assert_eq!(undone, 3);
//! ```

use std::ops::Range;

use crate::registry::{Encoding, by_name};

use controls::WINDOWS_1252;
use line::{CONTROLS, PageLayers};
use pages::Pages;
use sequence::DoubleSequence;
pub use undo::MojibakeUndoer;

mod candidates;
mod characters;
mod controls;
mod line;
mod lost;
mod oddity;
mod pages;
mod reading;
mod run;
mod search;
mod sequence;
mod undo;

/// The longest part of a line, in bytes, that is judged as a unit. No more input is buffered.
pub const LONGEST: usize = 64 << 10;

/// A part of the text with its verdict. The parts of a text follow each other without a gap.
#[derive(Clone, Debug)]
pub struct MojibakePart<'a> {
    /// Byte range in the input.
    pub source: Range<u64>,
    /// The input bytes.
    pub before: &'a [u8],
    /// The bytes that replace them; equal to `before` unless the verdict is `Undone`.
    pub after: &'a [u8],
    /// Result of the analysis.
    pub verdict: MojibakeVerdict<'a>,
}

/// Result of the analysis of a part of the text.
#[derive(Clone, Debug)]
pub enum MojibakeVerdict<'a> {
    /// No reversible run.
    Sound,
    /// Undone, by way of these pages.
    Undone(PageSteps<'a>),
    /// UTF-8 in a page, but plausible as it stands; unchanged.
    Meant(PageReading<'a>),
    /// Reversible through two pages to different texts of similar plausibility; unchanged.
    Ambiguous(PageReading<'a>),
    /// Part of a run of candidate characters longer than [`LONGEST`]; unchanged.
    TooLong,
}

/// The pages in which an undone text had been misread, the last misreading first.
#[derive(Clone, Copy)]
pub struct PageSteps<'a> {
    pages: &'a Pages,
    layers: PageLayers,
}

impl PageSteps<'_> {
    /// Returns the pages. At most seven are recorded; deeper layers are undone but not listed.
    pub fn pages(&self) -> impl ExactSizeIterator<Item = &'static Encoding> {
        self.layers.pages().iter().map(|&page| match page {
            CONTROLS => by_name("iso-8859-1"),
            _ => self.pages.encodings[usize::from(page)],
        })
    }

    /// Returns the encoding that was misread first: UTF-8, or windows-1252 whose bytes became C1
    /// controls.
    pub fn original(&self) -> &'static Encoding {
        match self.layers.pages() {
            [.., CONTROLS] => by_name(WINDOWS_1252),
            _ => Encoding::UTF_8,
        }
    }
}

impl std::fmt::Debug for PageSteps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.pages().map(|page| page.name)).finish()
    }
}

/// A reversible run decoded through one page.
#[derive(Clone, Copy)]
pub struct PageReading<'a> {
    /// The page.
    pub page: &'static Encoding,
    sequences: &'a [DoubleSequence],
}

impl PageReading<'_> {
    /// Returns the decoded characters of the whole run, even if a part of the run was undone.
    pub fn chars(&self) -> impl Iterator<Item = char> {
        self.sequences.iter().map(|sequence| sequence.value)
    }
}

impl std::fmt::Debug for PageReading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PageReading")
            .field(&self.page.name)
            .field(&self.chars().collect::<String>())
            .finish()
    }
}
