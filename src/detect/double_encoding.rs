//! Was this UTF-8 encoded twice?

use std::convert::Infallible;

use crate::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};
use crate::registry::Encoding;

/// UTF-8 that was read in a code page and encoded once more.
#[derive(Clone, Debug)]
pub struct DoubleEncoding {
    /// The page of the first place.
    pub page: &'static Encoding,
    /// In how many places.
    pub number: u64,
    /// The offset of the first.
    pub first: u64,
}

/// Look for it in a text that starts at this offset.
pub(super) fn twice(offset: u64, text: &[u8]) -> Option<DoubleEncoding> {
    let mut found: Option<DoubleEncoding> = None;
    let mut to = |piece: MojibakePart<'_>| -> Result<(), Infallible> {
        if let MojibakeVerdict::Undone(steps) = piece.verdict
            && let Some(page) = steps.pages().next()
        {
            let first = offset + piece.source.start;
            found.get_or_insert(DoubleEncoding { page, number: 0, first }).number += 1;
        }
        Ok(())
    };
    let mut undo = MojibakeUndoer::likely();
    let Ok(()) = undo.feed(text, &mut to);
    let Ok(()) = undo.finish(&mut to);
    found
}
