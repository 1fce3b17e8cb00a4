//! Search for NUL, ASCII and ill-formed sequences, which tell whether a file can be text in an
//! encoding.

use std::io;
use std::ops::ControlFlow;

use super::first_block::FirstBlock;
use super::inputs::NamedInput;
use super::reading::InputReader;
use crate::codec::{Escapes, Group};
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::sink::{Run, Sink, flow_if};

/// Checks that a file can be text in an encoding that does not contain ASCII.
///
/// # Errors
/// It has no NUL, as UTF-16 and UTF-32 have, or is ASCII or UTF-8; it cannot be read.
pub(super) fn check_content(
    reader: &mut InputReader<'_>,
    file: NamedInput<'_>,
    encoding: &'static Encoding,
) -> io::Result<()> {
    if has_ascii(encoding) {
        return Ok(());
    }
    let expects_nul = !encoding.has_byte_units();
    let mut probe = ContentProbe { expects_nul, is_plain: true, ..ContentProbe::default() };
    reader.examine(file, Encoding::UTF_8, &mut probe)?;
    let name = encoding.name;
    let reason = match expects_nul {
        _ if !probe.has_text => return Ok(()),
        true if !probe.nul && !starts_wide(file, encoding) => {
            format!("has no NUL, as {name} text has")
        }
        false if !probe.ill_formed => format!("is ASCII or UTF-8, not {name}"),
        _ => return Ok(()),
    };
    Err(io::Error::other(format!(
        "{reason}: not repaired (utf8 detect names its encoding, for -f)"
    )))
}

/// Returns `true` if a file starts as text in units of several bytes, as in this encoding.
pub(super) fn starts_wide(file: NamedInput<'_>, codec: &Encoding) -> bool {
    let block = FirstBlock::read(file);
    codec.after_bom(&block.bytes).is_some() || block.wide_codec().is_some()
}

/// Returns `true` if plain ASCII is the same text in an encoding. In a notation, it is the usual
/// way to write text.
pub(super) fn has_ascii(codec: &Encoding) -> bool {
    let mut bytes = Vec::new();
    let mut writer = codec.writer(Escapes::Minimal);
    writer.sign(false);
    writer.put('A'.into(), &mut bytes);
    codec.group == Group::Notation || bytes == b"A"
}

/// Returns `true` if a byte is plain ASCII text: no control but those of lines and pages, and ESC.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B | b' '..=b'~')
}

/// Searches for NUL, ASCII and ill-formed sequences.
#[derive(Debug, Default)]
pub(super) struct ContentProbe {
    /// True if NUL marks binary data.
    pub searches_nul: bool,
    /// True if NUL is text.
    pub ignores_nul: bool,
    /// True if the text is judged in the codec of the scan.
    pub judges: bool,
    /// True if the search for NUL goes on because text in the source encoding has it.
    pub expects_nul: bool,
    /// True if the text starts with a BOM that is not part of it.
    pub signed: bool,
    pub nul: bool,
    pub ill_formed: bool,
    pub beyond_ascii: bool,
    /// True as long as the text is plain ASCII, if that is to be known.
    pub is_plain: bool,
    /// True if there are bytes.
    pub has_text: bool,
    /// True if the sequences are counted, up to the [`MOST_COUNTED`]th that is ill-formed.
    pub finds_damage: bool,
    pub counts: SequenceCounts,
}

/// The number of ill-formed sequences that tell damaged text from legacy text.
const MOST_COUNTED: u64 = 64;

impl ContentProbe {
    /// Examines bytes. Breaks once further bytes do not matter.
    fn examine(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.nul = !self.ignores_nul && memchr::memchr(0, bytes).is_some();
        self.beyond_ascii |= !bytes.is_ascii();
        self.is_plain = self.is_plain && bytes.iter().copied().all(is_plain);
        self.has_text |= !bytes.is_empty();
        let is_judging = !self.ill_formed || self.is_counting();
        flow_if(!self.nul && (self.searches_nul || self.expects_nul || is_judging))
    }

    fn is_counting(&self) -> bool {
        self.finds_damage && self.counts.ill_formed < MOST_COUNTED
    }
}

impl Sink for ContentProbe {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let flow = self.examine(run.bytes);
        if self.is_counting() {
            let _ = self.counts.run(run)?;
        }
        Ok(flow)
    }

    fn signature(&mut self, _: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.signed = true;
        Ok(self.examine(bytes))
    }

    fn issue(&mut self, _: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.ill_formed = true;
        self.counts.ill_formed += 1;
        Ok(self.examine(bytes))
    }

    fn gulp(&mut self, _: &Kernels, _: u64, bytes: &[u8]) -> io::Result<usize> {
        // After a signature, the text is still to be judged.
        let is_judged = self.ill_formed && !self.is_counting();
        let wanted = is_judged && self.examine(bytes).is_continue();
        Ok(if wanted { bytes.len() } else { 0 })
    }
}

/// Counts of the sequences beyond ASCII.
#[derive(Debug, Default)]
pub(super) struct SequenceCounts {
    /// Those of several bytes that are well-formed.
    pub complete: u64,
    pub ill_formed: u64,
}

impl SequenceCounts {
    /// Returns `true` if the text has ill-formed sequences among more characters of several bytes.
    pub fn are_damaged(&self) -> bool {
        self.ill_formed > 0 && self.complete > self.ill_formed
    }
}

impl Sink for SequenceCounts {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.complete += run.bytes.iter().filter(|byte| **byte >= 0xC0).count() as u64;
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.ill_formed += 1;
        Ok(ControlFlow::Continue(()))
    }
}
