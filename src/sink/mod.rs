//! What may be done with a run or an issue?

use std::io;
use std::ops::ControlFlow;

use crate::codec::Spec;
use crate::issue::Issue;

pub mod check;

/// What a scan pushes into. Every byte of the input is in exactly one call, in order.
///
/// Each method returns whether the scan shall go on; an error ends it.
pub trait Sink {
    /// A run of well-formed sequences. A long one may come in several calls, each of whole
    /// sequences.
    fn run(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>>;

    /// Bytes that belong to the encoding and not to the text, such as the signature of
    /// `utf-8-bom`.
    fn skip(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.run(offset, bytes)
    }

    /// An ill-formed sequence, its bytes, and the byte behind it. For a sequence that is not
    /// complete, `None` says that the input ended there.
    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>>;

    /// The text from here on is in this codec, as a signature at the start of the input has told
    /// that was not handed out.
    fn codec(&mut self, codec: &'static Spec) {
        let _ = codec;
    }

    /// The next read may wait for its bytes: give out what is decided.
    fn pause(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects the issues.
impl Sink for Vec<Issue> {
    fn run(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.push(*issue);
        Ok(ControlFlow::Continue(()))
    }
}
