//! Receivers of the events of a scan.

use std::io;
use std::ops::{ControlFlow, Range};

use crate::codec::RunReader;
use crate::issue::Issue;
use crate::kernel::Kernels;

/// A run of well-formed sequences.
pub struct Run<'a> {
    /// The offset of its first byte in the whole input.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// A reader of the code points.
    pub reader: &'a mut dyn RunReader,
    /// The output of the [work](Sink::work_ahead) of the sink, if it was done on exactly these bytes.
    pub prepared: Option<&'a [u8]>,
}

impl<'a> Run<'a> {
    /// Returns a run of bytes at an offset.
    pub fn new(offset: u64, bytes: &'a [u8], reader: &'a mut dyn RunReader) -> Run<'a> {
        Run { offset, bytes, reader, prepared: None }
    }

    /// Returns the offset after its last byte in the whole input.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { offset, bytes, .. } = self;
        f.debug_struct("Run").field("offset", offset).field("bytes", bytes).finish_non_exhaustive()
    }
}

/// A receiver of runs and issues. Every byte of the input is passed in exactly one call, in order.
///
/// Each method returns whether the scan continues or breaks; an error ends it.
pub trait Sink {
    /// Receives a run of well-formed sequences. A long run may come in several calls, each of whole
    /// sequences.
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>>;

    /// Receives a signature: U+FEFF at the start of the input, where the codec does not count it as
    /// text.
    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>>;

    /// Receives an ill-formed sequence, its bytes, and the next byte. For an incomplete sequence,
    /// `None` says that the input ended there.
    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>>;

    /// Offers the bytes after an issue or a signature, unscanned. Returns the number of bytes that
    /// the sink consumed; it must end on a boundary of maximal subparts, and be 0 for a codec with
    /// state.
    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let _ = (kernels, offset, bytes);
        Ok(0)
    }

    /// Returns `true` if the sink can [take](Sink::take_unscanned) text that was not scanned.
    fn takes_unscanned(&self) -> bool {
        false
    }

    /// Offers text of a codec that [transcodes](crate::codec::Codec::TRANSCODES_UNSCANNED) it unscanned,
    /// before the scan of it. Returns the number of bytes that the sink consumed: well-formed
    /// sequences, over which it advanced the reader.
    fn take_unscanned(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<usize> {
        let _ = (offset, bytes, reader);
        Ok(0)
    }

    /// Announces that the text is in another codec, by its canonical name, because of a BOM at the
    /// start of the input. If the BOM is passed as a signature, the announcement comes first.
    fn codec(&mut self, codec: &'static str) {
        let _ = codec;
    }

    /// Returns `true` if the bytes that it receives may change while it uses them, as those of a
    /// mapped file may: it passes them to kernels and scalar steps only, makes no `str` of them, and
    /// trusts no index that an earlier read gave.
    fn tolerates_changes(&self) -> bool {
        false
    }

    /// Returns work on later text, for another thread, or `None` if there is nothing but the scan to
    /// do. The sink may never receive the text.
    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        None
    }

    /// Flushes results before a read that may wait.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Work of a [`Sink`] on well-formed text, done before the text is passed to it.
pub trait AheadWork: Send {
    /// Does the work on the front of `bytes`, which start at a boundary of sequences, and appends its
    /// output, for [`Run::prepared`]. Returns the number of bytes of the front: whole, well-formed
    /// sequences. `scan` scans bytes into a sink, with offsets from 0, and returns the offset that was
    /// reached.
    ///
    /// # Errors
    /// Returns the errors of `scan`.
    fn process(
        &mut self,
        bytes: &[u8],
        scan: ScanBytes<'_>,
        output: &mut Vec<u8>,
    ) -> io::Result<usize>;

    /// Returns `true` if the work is only possible on whole lines.
    fn needs_lines(&self) -> bool {
        false
    }
}

/// A scan of bytes into a sink.
pub type ScanBytes<'a> = &'a dyn Fn(&[u8], &mut dyn Sink) -> io::Result<usize>;

/// Returns the length of the whole, well-formed sequences at the front.
///
/// # Errors
/// Returns the errors of `scan`.
pub(crate) fn well_formed_len(bytes: &[u8], scan: ScanBytes<'_>) -> io::Result<usize> {
    let mut first = IssueKeeper(None);
    let reached = scan(bytes, &mut first)?;
    Ok(first.0.map_or(reached, |issue| issue.offset as usize))
}

/// Returns `Continue` if the scan is to go on.
pub(crate) fn flow_if(goes_on: bool) -> ControlFlow<()> {
    if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Returns the indices of the bytes at an offset that are in a range of the input.
pub(crate) fn within(range: &Range<u64>, offset: u64, bytes: &[u8]) -> Range<usize> {
    let clip = |at: u64| at.saturating_sub(offset).min(bytes.len() as u64) as usize;
    clip(range.start)..clip(range.end)
}

/// Returns the flow of a scan after an issue outside of a range of the input: it continues before
/// the range and breaks after it. Returns `None` if the issue starts in the range.
pub(crate) fn outside(range: &Range<u64>, issue: &Issue) -> Option<ControlFlow<()>> {
    match issue.offset {
        offset if offset >= range.end => Some(ControlFlow::Break(())),
        offset if offset < range.start => Some(ControlFlow::Continue(())),
        _ => None,
    }
}

/// Returns the indices of the sequences of a run that start in a range of the input. The reader
/// passes the bytes before them.
pub(crate) fn starting(range: &Range<u64>, run: &mut Run<'_>) -> Range<usize> {
    let part = within(range, run.offset, run.bytes);
    let start = run.reader.boundary(run.bytes, part.start);
    run.reader.pass(&run.bytes[..start]);
    let rest = &run.bytes[start..];
    let len = match run.bytes.len() - part.end {
        0 => rest.len(),
        _ => run.reader.boundary(rest, part.end.saturating_sub(start)),
    };
    start..start + len
}

/// Collects the issues.
impl Sink for Vec<Issue> {
    fn run(&mut self, _: Run<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.push(*issue);
        Ok(ControlFlow::Continue(()))
    }
}

/// Ends a scan at the first issue and keeps it.
#[derive(Debug)]
pub(crate) struct IssueKeeper(pub Option<Issue>);

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
