//! Another look at text that was fixed: fixes can lead to further findings.

use std::io;

use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::scan::Feed;
use crate::validate::Check;

/// The number of bytes that are examined at once.
const BLOCK: usize = 64 << 10;

/// Finds what another run can fix in the text that a repair writes.
pub(super) struct Recheck<'a> {
    check: Check<'a>,
    feed: Feed,
    /// Text that is not examined yet.
    block: Vec<u8>,
}

impl<'a> Recheck<'a> {
    /// Returns another look at a text by a check.
    pub fn new(
        check: Check<'a>,
        codec: &'static Encoding,
        kernels: &'static Kernels,
    ) -> Recheck<'a> {
        let feed = Feed::new(codec.open(0), kernels, 0);
        Recheck { check, feed, block: Vec::new() }
    }

    /// Receives the next bytes of the text.
    ///
    /// # Errors
    /// Those of the check.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.block.extend_from_slice(bytes);
        if self.block.len() < BLOCK { Ok(()) } else { self.examine() }
    }

    fn examine(&mut self) -> io::Result<()> {
        let examined = self.feed.push(&self.block, &mut self.check).map(drop);
        self.block.clear();
        examined
    }

    /// Ends the text. `is_complete` says that all of it was received.
    ///
    /// # Errors
    /// Those of the check.
    pub fn end(mut self, is_complete: bool) -> io::Result<()> {
        self.examine()?;
        self.feed.finish(&mut self.check).map(drop)?;
        self.check.end(is_complete).map(drop)
    }
}
