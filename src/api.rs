//! The public library: functions on bytes in memory, and the same work on streams.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use crate::issue::Issue;
use crate::kernel;
use crate::registry::Encoding;
use crate::scan::Feed;
use crate::sink::{Run, Sink};

mod convert;
mod repair;

pub use convert::{ConvertError, Converter, convert, decode, encode};
pub use repair::{RepairError, Repairer, repair};

/// Validates bytes.
///
/// # Errors
/// Returns the first ill-formed sequence.
///
/// ```
/// use utf8::{Encoding, Kind, validate};
///
/// assert_eq!(validate(Encoding::UTF_8, "naïve".as_bytes()), Ok(()));
/// assert_eq!(validate(Encoding::UTF_8, b"a\xC0\xAF").unwrap_err().kind, Kind::Overlong2);
/// ```
pub fn validate(encoding: &'static Encoding, bytes: &[u8]) -> Result<(), Issue> {
    let mut validator = Validator::new(encoding);
    validator.push(bytes)?;
    validator.finish()
}

/// Returns every ill-formed sequence of bytes, in order.
///
/// ```
/// use utf8::{Encoding, issues};
///
/// let found = issues(Encoding::UTF_8, b"a\xFFb\xC3");
/// assert_eq!(found.map(|issue| issue.offset).collect::<Vec<_>>(), [1, 3]);
/// ```
pub fn issues(encoding: &'static Encoding, bytes: &[u8]) -> impl Iterator<Item = Issue> {
    encoding.issues(bytes).into_iter()
}

/// Validates a stream.
///
/// ```
/// use utf8::{Encoding, Kind, Validator};
///
/// let mut validator = Validator::new(Encoding::UTF_8);
/// // A sequence may be split between two pushes.
/// validator.push(b"caf\xC3")?;
/// validator.push(b"\xA9 \xE2\x82")?;
/// let issue = validator.finish().unwrap_err();
/// assert_eq!((issue.offset, issue.kind), (6, Kind::TruncatedEnd));
/// # Ok::<(), utf8::Issue>(())
/// ```
#[derive(Debug)]
pub struct Validator {
    feed: Feed,
    first: IssueKeeper,
}

impl Validator {
    /// Creates a validator of a stream in this encoding.
    pub fn new(encoding: &'static Encoding) -> Validator {
        Validator { feed: feed(encoding), first: IssueKeeper(None) }
    }

    /// Validates the next bytes, as far as they complete sequences.
    ///
    /// # Errors
    /// Returns the first ill-formed sequence of the stream, with its offset in the whole stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Issue> {
        // The sink has no errors.
        let _ = self.feed.push(bytes, &mut self.first);
        self.first.0.map_or(Ok(()), Err)
    }

    /// Validates the end of the stream.
    ///
    /// # Errors
    /// As for [`push`](Validator::push); a sequence that the end cuts is ill-formed.
    pub fn finish(mut self) -> Result<(), Issue> {
        let _ = self.feed.finish(&mut self.first);
        self.first.0.map_or(Ok(()), Err)
    }
}

/// Ends a scan at the first issue and keeps it.
#[derive(Debug)]
struct IssueKeeper(Option<Issue>);

impl Sink for IssueKeeper {
    fn run(&mut self, _: Run<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.0 = Some(*issue);
        Ok(ControlFlow::Break(()))
    }
}

/// Returns a feed of the whole of an input.
fn feed(encoding: &'static Encoding) -> Feed {
    Feed::new((encoding.open)(0), kernel::best(), 0)
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ill-formed sequence of {} bytes at byte {} ({})", self.len, self.offset, self.kind)
    }
}

impl std::error::Error for Issue {}
