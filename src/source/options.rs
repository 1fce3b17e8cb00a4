//! Options for reading an input.

use std::io;
use std::ops::Range;

use super::ahead::ThreadCount;
use crate::codec::LONGEST_SEQUENCE;

/// The number of bytes in a row of a hexdump.
pub const HEXDUMP_ROW: u64 = 16;

/// Policy for mapping regular files into memory.
///
/// The first mapping of a process installs a handler of SIGBUS, because a mapped file may shrink.
/// The handler passes signals on that are not about a mapping of this crate.
///
/// A mapped file may change while it is scanned. It is therefore read, whatever the mode, if the
/// [encoding](crate::codec::Codec::TOLERATES_CHANGES) or the [sink](crate::sink::Sink::tolerates_changes) needs
/// bytes that stay the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapMode {
    /// Maps where it is faster than reading, measured on the first windows.
    #[default]
    Auto,
    /// Maps wherever it is safe and possible.
    Always,
    /// Never maps.
    Never,
}

/// The start of a range, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeStart {
    /// A distance from the start of the input.
    FromStart(u64),
    /// A distance from the end of the input. A shorter input is read from its start.
    FromEnd(u64),
}

/// Options for reading an input.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// The use of memory mappings for regular files.
    pub map: MapMode,
    /// True if the input consists of hex digits that spell the bytes.
    pub hex: bool,
    /// The start of the range to read.
    pub skip: RangeStart,
    /// The length of the range in bytes; to the end of the input if `None`.
    pub length: Option<u64>,
    /// True if a hexdump shows whole rows at both ends of the range.
    pub rows: bool,
    /// The number of bytes before the range at which a reader must start; `None` if it must start
    /// with the range. See [`Encoding::reach`](crate::Encoding::reach).
    pub reach: Option<u64>,
    /// The size of a code unit in bytes. Units are counted from the start of the input.
    pub unit: usize,
    /// The number of further bytes to read on either side of the range.
    pub context: u64,
    /// The offset at which a stream starts in the whole input; `None` if it is the whole.
    pub at: Option<u64>,
    /// The number of bytes of the whole input that a stream is a part of, if it is known.
    pub of: Option<u64>,
    /// The number of threads that scan a large regular file.
    pub threads: ThreadCount,
    /// The length in bytes of the longest sequence. The input is read so far beyond the range, for
    /// a sequence that starts in it.
    pub longest: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            map: MapMode::Auto,
            hex: false,
            skip: RangeStart::FromStart(0),
            length: None,
            rows: false,
            reach: Some(LONGEST_SEQUENCE as u64 - 1),
            unit: 1,
            context: 0,
            at: None,
            of: None,
            threads: ThreadCount::One,
            longest: LONGEST_SEQUENCE,
        }
    }
}

impl ReadOptions {
    /// Returns the range to read of an input of this length.
    ///
    /// # Errors
    /// Returns `Unsupported` for a distance from an end that is not known.
    pub(super) fn range(&self, len: Option<u64>) -> io::Result<Range<u64>> {
        let start = match (self.skip, len) {
            (RangeStart::FromStart(skip), _) => skip,
            (RangeStart::FromEnd(back), Some(len)) => len.saturating_sub(back),
            (RangeStart::FromEnd(_), None) => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(start..self.length.map_or(u64::MAX, |length| start.saturating_add(length)))
    }

    /// Returns the start of a range if a scan must begin exactly there, not before.
    pub(super) fn seam(&self, range: &Range<u64>) -> Option<u64> {
        Some(range.start).filter(|&start| self.reach.is_none() && start > 0)
    }

    /// Returns the bytes to read for a range: enough that every sequence that starts in it is
    /// judged with all its bytes.
    pub(super) fn extent(&self, range: &Range<u64>) -> Range<u64> {
        if range.is_empty() {
            return range.clone();
        }
        let row = if self.rows { HEXDUMP_ROW } else { 1 };
        let first = row.max(self.unit as u64);
        let start = match self.reach {
            Some(reach) => range.start.saturating_sub(reach + self.context) / first * first,
            None => range.start,
        };
        let behind = self.longest as u64 - 1 + self.context;
        let end = range.end.saturating_add(behind).checked_next_multiple_of(row);
        start..end.unwrap_or(u64::MAX)
    }
}
