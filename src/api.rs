//! The public library: functions on bytes in memory, and the same work on streams.

use crate::issue::Issue;
use crate::kernel;
use crate::registry::Encoding;
use crate::scan::Feed;
use crate::sink::IssueKeeper;

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

/// Returns every ill-formed sequence of bytes, in order. Scans only as far as the iterator is
/// advanced, in blocks.
///
/// ```
/// use utf8::{Encoding, issues};
///
/// let found = issues(Encoding::UTF_8, b"a\xFFb\xC3");
/// assert_eq!(found.map(|issue| issue.offset).collect::<Vec<_>>(), [1, 3]);
/// ```
pub fn issues(encoding: &'static Encoding, bytes: &[u8]) -> impl Iterator<Item = Issue> {
    IssueScan { feed: Some(feed(encoding)), rest: bytes, found: Vec::new().into_iter() }
}

/// The number of bytes that an [`IssueScan`] scans at a time.
const BLOCK: usize = 16 << 10;

/// The issues of bytes.
struct IssueScan<'a> {
    /// `None` once the end of the bytes is scanned.
    feed: Option<Feed>,
    rest: &'a [u8],
    found: std::vec::IntoIter<Issue>,
}

impl Iterator for IssueScan<'_> {
    type Item = Issue;

    fn next(&mut self) -> Option<Issue> {
        loop {
            if let Some(issue) = self.found.next() {
                return Some(issue);
            }
            let feed = self.feed.as_mut()?;
            let mut found = Vec::new();
            let (block, rest) = self.rest.split_at(BLOCK.min(self.rest.len()));
            self.rest = rest;
            // The sink has no errors.
            if block.is_empty() {
                let _ = feed.finish(&mut found);
                self.feed = None;
            } else {
                let _ = feed.push(block, &mut found);
            }
            self.found = found.into_iter();
        }
    }
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
#[must_use = "input that waits is lost without `finish`"]
pub struct Validator {
    feed: Feed,
    first: IssueKeeper,
}

impl Validator {
    /// Creates a validator of a stream in this encoding.
    ///
    /// ```
    /// use utf8::{Encoding, Validator};
    ///
    /// // An unpaired surrogate is ill-formed in UTF-8, but not in WTF-8.
    /// let wtf8 = Encoding::for_label("wtf-8").unwrap();
    /// assert!(Validator::new(wtf8).push(b"\xED\xA0\x80a").is_ok());
    /// assert!(Validator::new(Encoding::UTF_8).push(b"\xED\xA0\x80a").is_err());
    /// ```
    pub fn new(encoding: &'static Encoding) -> Validator {
        Validator { feed: feed(encoding), first: IssueKeeper(None) }
    }

    /// Validates the next bytes, as far as they complete sequences.
    ///
    /// # Errors
    /// Returns the first ill-formed sequence of the stream, with its offset in the whole stream.
    ///
    /// ```
    /// use utf8::{Encoding, Kind, Validator};
    ///
    /// let mut validator = Validator::new(Encoding::UTF_8);
    /// assert_eq!(validator.push(b"caf\xC3"), Ok(()));
    /// let issue = validator.push(b"(").unwrap_err();
    /// assert_eq!((issue.offset, issue.len, issue.kind), (3, 1, Kind::TruncatedNext));
    /// // Later calls return the same issue.
    /// assert_eq!(validator.push(b"\xFF"), Err(issue));
    /// ```
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Issue> {
        // The sink has no errors.
        let _ = self.feed.push(bytes, &mut self.first);
        self.first.0.map_or(Ok(()), Err)
    }

    /// Validates the end of the stream.
    ///
    /// # Errors
    /// As for [`push`](Validator::push); a sequence that the end cuts is ill-formed.
    ///
    /// ```
    /// use utf8::{Encoding, Kind, Validator};
    ///
    /// let mut validator = Validator::new(Encoding::UTF_8);
    /// validator.push(b"\xE2\x82")?; // the euro sign is E2 82 AC
    /// assert_eq!(validator.finish().unwrap_err().kind, Kind::TruncatedEnd);
    /// # Ok::<(), utf8::Issue>(())
    /// ```
    pub fn finish(mut self) -> Result<(), Issue> {
        let _ = self.feed.finish(&mut self.first);
        self.first.0.map_or(Ok(()), Err)
    }
}

/// Returns a feed of the whole of an input.
fn feed(encoding: &'static Encoding) -> Feed {
    Feed::new(encoding.open(0), kernel::best(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directory of temporary files is that of the process: the test runs itself in another one.
    #[cfg(feature = "cli")]
    #[test]
    #[cfg_attr(miri, ignore = "Miri starts no process")]
    fn a_long_line_that_cannot_be_kept_is_an_error() {
        const NAME: &str = "api::tests::a_long_line_that_cannot_be_kept_is_an_error";
        const NOWHERE: &str = "/nowhere/at/all";
        if std::env::var_os("TMPDIR").is_none_or(|folder| folder != NOWHERE) {
            let mut again = std::process::Command::new(std::env::current_exe().unwrap());
            let run = again.args(["--exact", NAME]).env("TMPDIR", NOWHERE).output().unwrap();
            assert!(String::from_utf8_lossy(&run.stdout).contains("1 passed"));
            return;
        }
        let text = [&b"first\n"[..], &[b'a'; 3 << 20], b"\nlast\n"].concat();
        let plan = crate::RepairPlan::new(crate::Policy::DropLine);
        let mut repairer = Repairer::new(Encoding::UTF_8, &plan).unwrap();
        let mut out = Vec::new();
        text.chunks(1000).for_each(|part| repairer.push(part, &mut out));
        let Err(RepairError::Io(error)) = repairer.finish(&mut out) else { panic!("no error") };
        assert!(error.to_string().contains(NOWHERE), "{error}");
        assert!(out == b"first\n");
    }

    #[test]
    fn sequences_may_cross_blocks() {
        let mut bytes = vec![b'a'; 2 * BLOCK];
        bytes[BLOCK - 1..BLOCK + 2].copy_from_slice("€".as_bytes());
        bytes.extend(b"\xE2\x82");
        assert!(issues(Encoding::UTF_8, &bytes).map(|issue| issue.offset).eq([2 * BLOCK as u64]));
        bytes[BLOCK + 1] = b'b';
        let found: Vec<_> = issues(Encoding::UTF_8, &bytes).collect();
        assert_eq!((found[0].offset, found[0].len), (BLOCK as u64 - 1, 2));
        assert_eq!(found.len(), 2);
        assert_eq!(validate(Encoding::UTF_8, &bytes), Err(found[0]));
    }
}
