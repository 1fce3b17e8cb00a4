//! Repair of ill-formed text.

use std::{fmt, io};

use super::feed;
use crate::issue::Issue;
use crate::output::Output;
use crate::registry::Encoding;
use crate::repair::{ByteOrderError, PlanError, Repair, RepairPlan, RepairSummary, RepairTarget};
use crate::scan::Feed;

/// The reason why a repair was not begun or ended early.
///
/// ```
/// use utf8::{Encoding, Policy, RepairError, RepairPlan, repair};
///
/// let error = repair(Encoding::UTF_8, b"a\xFF", &RepairPlan::new(Policy::Strict)).unwrap_err();
/// assert!(matches!(error, RepairError::IllFormed(issue) if issue.offset == 1));
///
/// // `SurrogateEscape` writes unpaired surrogates, which UTF-8 lacks.
/// let plan = RepairPlan::new(Policy::SurrogateEscape);
/// assert!(matches!(repair(Encoding::UTF_8, b"a\xFF", &plan), Err(RepairError::Plan(_))));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum RepairError {
    /// The encoding cannot hold what the plan writes.
    Plan(PlanError),
    /// An ill-formed sequence that the plan does not treat.
    IllFormed(Issue),
    /// The repaired text would be read in another byte order.
    ByteOrder(ByteOrderError),
    /// A line of more than 1 MiB, which [`Policy::DropLine`](crate::Policy::DropLine) may drop, could
    /// not be kept in a temporary file.
    Io(io::Error),
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Plan(error) => error.fmt(f),
            RepairError::IllFormed(issue) => issue.fmt(f),
            RepairError::ByteOrder(error) => error.fmt(f),
            RepairError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RepairError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RepairError::Plan(error) => error.source(),
            RepairError::ByteOrder(error) => error.source(),
            RepairError::Io(error) => error.source(),
            RepairError::IllFormed(_) => None,
        }
    }
}

impl From<io::Error> for RepairError {
    fn from(error: io::Error) -> RepairError {
        error.downcast().map_or_else(RepairError::Io, RepairError::ByteOrder)
    }
}

/// Repairs bytes. Well-formed text is copied byte for byte, unless the plan asks for more, and but for a
/// character of a notation that a change before it would make part of an escape.
///
/// # Errors
/// Returns the first ill-formed sequence that the plan does not treat, the reason why the plan does
/// not fit the encoding or the byte order of the text, or the error of a temporary file.
///
/// ```
/// use utf8::{Encoding, Policy, RepairPlan, repair};
///
/// let plan = RepairPlan::new(Policy::Replace);
/// let (text, summary) = repair(Encoding::UTF_8, b"a\xFFb", &plan).unwrap();
/// assert_eq!(text, "a\u{FFFD}b".as_bytes());
/// assert_eq!(summary.changes, 1);
/// ```
pub fn repair(
    encoding: &'static Encoding,
    bytes: &[u8],
    plan: &RepairPlan,
) -> Result<(Vec<u8>, RepairSummary), RepairError> {
    let mut out = Vec::new();
    let mut repairer = Repairer::new(encoding, plan)?;
    repairer.push(bytes, &mut out);
    let summary = repairer.finish(&mut out)?;
    Ok((out, summary))
}

/// Repairs a stream.
///
/// ```
/// use utf8::{Encoding, Policy, Repairer, RepairPlan};
///
/// let mut out = Vec::new();
/// let mut repairer = Repairer::new(Encoding::UTF_8, &RepairPlan::new(Policy::Ignore))?;
/// for part in [&b"a\xE2\x82"[..], b"\xAC\xFF", b"b"] {
///     repairer.push(part, &mut out);
/// }
/// let summary = repairer.finish(&mut out)?;
/// assert_eq!((out, summary.changes), ("a€b".as_bytes().to_vec(), 1));
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[must_use = "input that waits is lost without `finish`"]
pub struct Repairer {
    feed: Feed,
    repair: Repair<'static>,
    /// The error that ended the repair.
    failure: Option<io::Error>,
}

impl Repairer {
    /// Creates a repairer of a stream in this encoding.
    ///
    /// # Errors
    /// Returns the reason why the plan does not fit the encoding.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, Repairer};
    ///
    /// // `SurrogateEscape` writes unpaired surrogates, which WTF-8 has and UTF-8 lacks.
    /// let plan = RepairPlan::new(Policy::SurrogateEscape);
    /// let wtf8 = Encoding::for_label("wtf-8").unwrap();
    /// assert!(Repairer::new(wtf8, &plan).is_ok());
    /// assert!(Repairer::new(Encoding::UTF_8, &plan).is_err());
    /// ```
    pub fn new(encoding: &'static Encoding, plan: &RepairPlan) -> Result<Repairer, RepairError> {
        plan.check(encoding).map_err(RepairError::Plan)?;
        let target =
            RepairTarget { output: Some(Output::memory().into()), ..RepairTarget::default() };
        Ok(Repairer {
            feed: feed(encoding),
            repair: Repair::new(plan, encoding, 0..u64::MAX, target),
            failure: None,
        })
    }

    /// Repairs the next bytes and appends the text that is decided to `out`. Appends nothing after
    /// an error, which [`finish`](Repairer::finish) returns.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, Repairer};
    ///
    /// let mut out = Vec::new();
    /// let mut repairer = Repairer::new(Encoding::UTF_8, &RepairPlan::new(Policy::Replace))?;
    /// // The next byte decides whether E2 is ill-formed.
    /// repairer.push(b"a\xE2", &mut out);
    /// assert_eq!(out, b"a");
    /// repairer.push(b"(", &mut out);
    /// repairer.finish(&mut out)?;
    /// assert_eq!(out, "a\u{FFFD}(".as_bytes());
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.failure.is_none() {
            self.failure = self.feed.push(bytes, &mut self.repair).err();
            self.flush(out);
        }
    }

    /// Repairs the end of the stream, appends it to `out` and returns the summary.
    ///
    /// # Errors
    /// Returns the first ill-formed sequence that the plan does not treat, the reason why the plan does
    /// not fit the byte order of the text, or the error of a temporary file.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, Repairer};
    ///
    /// let mut out = Vec::new();
    /// let mut repairer = Repairer::new(Encoding::UTF_8, &RepairPlan::new(Policy::Replace))?;
    /// repairer.push(b"caf\xC3", &mut out);
    /// let summary = repairer.finish(&mut out)?;
    /// assert_eq!(out, "caf\u{FFFD}".as_bytes());
    /// assert_eq!((summary.read, summary.written), (4, 6));
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<RepairSummary, RepairError> {
        if let Some(error) = self.failure.take() {
            return Err(error.into());
        }
        let _ = self.feed.finish(&mut self.repair)?;
        let summary = self.repair.finish()?;
        self.flush(out);
        match &summary.stop {
            Some(stop) => Err(RepairError::IllFormed(stop.issue)),
            None => Ok(summary),
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        if let Some(output) = self.repair.output() {
            out.append(output.buffer());
        }
    }
}

impl fmt::Debug for Repairer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repairer").field("feed", &self.feed).finish_non_exhaustive()
    }
}
