//! Content of a file before its conversion in place: text to convert, text that is in the target
//! encoding already, or binary data.

use std::io;
use std::ops::ControlFlow;

use super::InputConverter;
use crate::cli::args::{BomArg, FromCodec};
use crate::cli::inputs::NamedInput;
use crate::codec::Group;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::sink::{IssueKeeper, Run, Sink, flow_if};

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    Text,
    /// Text beyond ASCII that is well-formed in the target encoding.
    Converted,
    /// Data with NUL where neither encoding has units of several bytes.
    Binary,
}

impl InputConverter<'_> {
    /// Examines a file, in a pass of its own.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn examine(&mut self, file: NamedInput<'_>) -> io::Result<FileContent> {
        let (args, target) = (self.args, self.options.target);
        // A detected encoding may have units of any size.
        let source = Some(self.reader.codec).filter(|_| args.input.from.is_none_or(is_named));
        let mut probe = ContentProbe {
            searches_nul: !args.binary && target.inner.unit == 1 && source.is_some_and(is_narrow),
            judges: !args.reconvert && target.group == Group::Family,
            signed: false,
            nul: false,
            ill_formed: false,
            beyond_ascii: false,
        };
        if !probe.searches_nul && !probe.judges {
            return Ok(FileContent::Text);
        }
        self.reader.examine(
            file,
            if probe.judges { target } else { Encoding::UTF_8 },
            &mut probe,
        )?;
        let ContentProbe { searches_nul, judges, signed, nul, ill_formed, beyond_ascii } = probe;
        if nul && searches_nul {
            return Ok(FileContent::Binary);
        }
        // UTF-16 can be well-formed in the target by accident, but not without NUL.
        let may_be_converted = judges && beyond_ascii && !nul && !ill_formed;
        if !may_be_converted {
            return Ok(FileContent::Text);
        }
        if signed && target.inner.signs {
            return Ok(FileContent::Converted);
        }
        // A detected encoding is not read twice, so that a BOM can still be added or removed.
        let changes_bom = !matches!(args.bom, None | Some(BomArg::Keep));
        let is_left = match source {
            None => !changes_bom && signed == target.inner.signs,
            Some(_) => !self.reads_as_text(source, file)?,
        };
        match is_left {
            true => Ok(FileContent::Converted),
            false => Ok(FileContent::Text),
        }
    }

    /// Returns `true` if a file in the target encoding is also well-formed in the source encoding,
    /// which is a relative of UTF-8 or a notation: its conversion loses nothing.
    fn reads_as_text(
        &mut self,
        source: Option<&'static Encoding>,
        file: NamedInput<'_>,
    ) -> io::Result<bool> {
        let alike = |source: &&Encoding| matches!(source.group, Group::Family | Group::Notation);
        let Some(source) = source.filter(alike) else { return Ok(false) };
        let mut first = IssueKeeper(None);
        self.reader.examine(file, source, &mut first)?;
        Ok(first.0.is_none())
    }
}

/// Returns `true` unless the encoding is to be detected.
fn is_named(from: FromCodec) -> bool {
    matches!(from, FromCodec::Codec(_))
}

/// Returns `true` if the units of an encoding are bytes.
fn is_narrow(codec: &Encoding) -> bool {
    codec.inner.unit == 1
}

/// Searches for NUL, ASCII and ill-formed sequences.
struct ContentProbe {
    /// True if NUL marks binary data.
    searches_nul: bool,
    /// True if the text is judged in the codec of the scan.
    judges: bool,
    /// True if the text starts with a BOM that is not part of it.
    signed: bool,
    nul: bool,
    ill_formed: bool,
    beyond_ascii: bool,
}

impl ContentProbe {
    /// Examines bytes. Breaks once further bytes do not matter.
    fn examine(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.nul = memchr::memchr(0, bytes).is_some();
        self.beyond_ascii |= !bytes.is_ascii();
        flow_if(!self.nul && (self.searches_nul || !self.ill_formed))
    }
}

impl Sink for ContentProbe {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        Ok(self.examine(run.bytes))
    }

    fn signature(&mut self, _: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.signed = true;
        Ok(self.examine(bytes))
    }

    fn issue(&mut self, _: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.ill_formed = true;
        Ok(self.examine(bytes))
    }

    fn gulp(&mut self, _: &Kernels, _: u64, bytes: &[u8]) -> io::Result<usize> {
        // After a signature, the text is still to be judged.
        let wanted = self.ill_formed && self.examine(bytes).is_continue();
        Ok(if wanted { bytes.len() } else { 0 })
    }
}
