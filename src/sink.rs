//! What may be done with a run or an issue?

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
    /// What can tell which code points they are.
    pub reader: &'a mut dyn RunReader,
}

impl<'a> Run<'a> {
    /// The run of these bytes.
    pub fn new(offset: u64, bytes: &'a [u8], reader: &'a mut dyn RunReader) -> Run<'a> {
        Run { offset, bytes, reader }
    }
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { offset, bytes, .. } = self;
        f.debug_struct("Run").field("offset", offset).field("bytes", bytes).finish_non_exhaustive()
    }
}

/// What a scan pushes into. Every byte of the input is in exactly one call, in order.
///
/// Each method returns whether the scan shall go on; an error ends it.
pub trait Sink {
    /// A run of well-formed sequences. A long one may come in several calls, each of whole
    /// sequences.
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>>;

    /// A signature: U+FEFF at the start of the input, where the codec says that it is no text.
    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>>;

    /// An ill-formed sequence, its bytes, and the byte behind it. For a sequence that is not
    /// complete, `None` says that the input ended there.
    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>>;

    /// These bytes follow what was just handed out. How many of them has the sink taken as they
    /// are, so that nobody needs to say what they are? To a boundary of maximal subparts, of a
    /// codec that has no state.
    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let _ = (kernels, offset, bytes);
        Ok(0)
    }

    /// The text from here on is in the codec of this name, as a signature at the start of the input has told
    /// that was not handed out.
    fn codec(&mut self, codec: &'static str) {
        let _ = codec;
    }

    /// The next read may wait for its bytes: give out what is decided.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Which of these bytes, that start at an offset, are in a range of the input.
pub(crate) fn within(range: &Range<u64>, offset: u64, bytes: &[u8]) -> Range<usize> {
    let clip = |at: u64| at.saturating_sub(offset).min(bytes.len() as u64) as usize;
    clip(range.start)..clip(range.end)
}

/// What becomes of a scan at an ill-formed sequence that does not start in a range of the input:
/// before it, it goes on, and behind it, it ends. `None` if it starts in it.
pub(crate) fn outside(range: &Range<u64>, issue: &Issue) -> Option<ControlFlow<()>> {
    match issue.offset {
        offset if offset >= range.end => Some(ControlFlow::Break(())),
        offset if offset < range.start => Some(ControlFlow::Continue(())),
        _ => None,
    }
}

/// Which bytes of a run are the sequences that start in a range of the input, and all of each? The
/// reader passes what is before them.
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
