//! Double encoding: UTF-8 that was decoded as a code page and encoded as UTF-8 again. Windows-1252 that
//! was decoded as ISO-8859-1 counts as such.

use std::convert::Infallible;

use crate::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};
use crate::registry::Encoding;

/// Double encoding found in an input.
#[derive(Clone, Debug)]
pub struct DoubleEncoding {
    /// The encoding of the bytes at the first place: UTF-8, or windows-1252.
    pub original: &'static Encoding,
    /// The code page in which they were read last.
    pub page: &'static Encoding,
    /// The number of places.
    pub places: u64,
    /// The offset of the first place, in bytes.
    pub first: u64,
}

/// Returns the double encoding in UTF-8 text that starts at an offset.
pub(super) fn find_double_encoding(offset: u64, text: &[u8]) -> Option<DoubleEncoding> {
    let mut found: Option<DoubleEncoding> = None;
    let mut count = |part: MojibakePart<'_>| -> Result<(), Infallible> {
        if let MojibakeVerdict::Undone(steps) = part.verdict
            && let Some(page) = steps.pages().next()
        {
            let first = offset + part.source.start;
            let original = steps.original();
            let new = DoubleEncoding { original, page, places: 0, first };
            found.get_or_insert(new).places += 1;
        }
        Ok(())
    };
    let mut undoer = MojibakeUndoer::likely();
    let Ok(()) = undoer.feed(text, &mut count);
    let Ok(()) = undoer.finish(&mut count);
    found
}
