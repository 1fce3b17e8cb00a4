//! Where does an input change from one encoding to another?
//!
//! By the line, for few texts change within one. Lines of one code page that follow each other are
//! one region, and are asked for their page together: where two pages meet, the region has the
//! name of the likelier. What has no lines of bytes, which the first 64 KiB tell, is one region.

use std::io;
use std::ops::{ControlFlow, Range};

use super::Answer;
use super::cut::RegionCutter;
use crate::kernel;
use crate::registry::CODECS;
use crate::scan::Feed;

/// A part of an input, of whole lines, that is in one encoding.
#[derive(Clone, Debug)]
pub struct Region {
    /// Which bytes.
    pub bytes: Range<u64>,
    /// What they are in.
    pub answer: Answer,
}

/// What is told of regions.
pub trait RegionReceiver {
    /// A region has ended.
    ///
    /// # Errors
    /// Those of writing.
    fn region(&mut self, region: Region) -> io::Result<()>;

    /// The next region may take long: give out what was told.
    ///
    /// # Errors
    /// Those of writing.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: FnMut(Region) -> io::Result<()>> RegionReceiver for F {
    fn region(&mut self, region: Region) -> io::Result<()> {
        self(region)
    }
}

/// Tells the regions of an input, as they end.
///
/// ```
/// use utf8::detect::{Region, Regions};
///
/// let mut found = Vec::new();
/// let mut regions = Regions::new(0..u64::MAX, |Region { bytes, answer, .. }| {
///     found.push((bytes, answer.name()));
///     Ok(())
/// });
/// for piece in [&b"d\xC3\xA9j\xC3"[..], b"\xA0 vu\nun caf", b"\xE9 cr\xE8me\n"] {
///     if regions.feed(piece)?.is_break() {
///         break;
///     }
/// }
/// regions.end()?;
/// assert_eq!(found, [(0..10, "utf-8"), (10..24, "windows-1252")]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Regions<T> {
    feed: Feed,
    cutter: RegionCutter<T>,
}

impl<T: RegionReceiver> Regions<T> {
    /// Tell those of a range of an input, in bytes.
    pub fn new(range: Range<u64>, to: T) -> Regions<T> {
        let feed = Feed::new((CODECS[0].open)(0), kernel::best(), 0);
        Regions { feed, cutter: RegionCutter::new(range, to) }
    }

    /// Go on with the next piece of the input. The first starts at offset 0, and what is not in the
    /// range is passed over. Breaks once the rest is not needed.
    ///
    /// # Errors
    /// The receiver's.
    pub fn feed(&mut self, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.feed.push(bytes, &mut self.cutter)
    }

    /// The input has ended: tell the last.
    ///
    /// # Errors
    /// The receiver's.
    pub fn end(mut self) -> io::Result<()> {
        let _ = self.feed.finish(&mut self.cutter)?;
        self.cutter.end()
    }
}
