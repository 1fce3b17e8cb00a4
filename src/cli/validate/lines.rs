//! Faulty lines of an input, or the other lines: `--format lines`.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::OpenOptionsExt;

use crate::codec::{Escapes, Group};
use crate::issue::Issue;
use crate::kernel;
use crate::output::Output;
use crate::registry::{Encoding, by_name};
use crate::report::InputSummary;
use crate::sink::{Run, Sink, flow_if, within};
use crate::text::escape::{EscapeStyle, escape};
use crate::validate::Check;

/// The largest part of a line that is held in memory.
const MOST_HELD: usize = 1 << 20;

/// The number of bytes of a spooled line that are read at a time.
const BLOCK: usize = 64 << 10;

/// The choice and the presentation of lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOptions {
    /// True to write the lines without findings instead.
    pub others: bool,
    /// The escapes for a terminal; `None` writes lines as they are.
    pub escapes: Option<EscapeStyle>,
}

/// Writes the lines with findings, byte for byte, or the others. The lines are those of the range;
/// an unterminated last line is terminated.
pub(super) struct LineFilter<'a> {
    check: Check<'a>,
    range: Range<u64>,
    options: LineOptions,
    out: &'a mut Output,
    /// The bytes of U+000A.
    terminator: Vec<u8>,
    line: HeldLine,
    /// True if the line has a finding.
    is_faulty: bool,
    /// True once the check has stopped: the line is the last.
    stopped: bool,
}

impl<'a> LineFilter<'a> {
    /// Returns a filter for a range of an input in this encoding. `check` counts the findings.
    pub fn new(
        check: Check<'a>,
        encoding: &'static Encoding,
        range: Range<u64>,
        options: LineOptions,
        out: &'a mut Output,
    ) -> LineFilter<'a> {
        let (terminator, line) = (terminator(encoding), HeldLine::default());
        let (is_faulty, stopped) = (false, false);
        LineFilter { check, range, options, out, terminator, line, is_faulty, stopped }
    }

    /// Ends the last line and the check. `whole` says that the input was read without errors.
    ///
    /// # Errors
    /// Returns the errors of the output and of the spooled line.
    pub fn end(mut self, whole: bool) -> io::Result<InputSummary> {
        let is_open = self.is_faulty || !self.line.is_empty();
        if is_open && self.is_faulty != self.options.others {
            let terminator = self.terminator.clone();
            self.add(&terminator, false)?;
            self.end_line()?;
        }
        self.check.end(whole)
    }

    /// Returns the index after the first terminator.
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        let unit = self.terminator.len();
        match self.terminator[..] {
            [byte] => memchr::memchr(byte, bytes).map(|at| at + 1),
            _ => bytes
                .chunks_exact(unit)
                .position(|found| found == self.terminator)
                .map(|at| (at + 1) * unit),
        }
    }

    /// Returns the index after the last terminator.
    fn find_last(&self, bytes: &[u8]) -> Option<usize> {
        let unit = self.terminator.len();
        match self.terminator[..] {
            [byte] => memchr::memrchr(byte, bytes).map(|at| at + 1),
            _ => bytes
                .chunks_exact(unit)
                .rposition(|found| found == self.terminator)
                .map(|at| (at + 1) * unit),
        }
    }

    /// Receives whole sequences, which are faulty or not.
    fn receive(&mut self, mut bytes: &[u8], is_faulty: bool) -> io::Result<()> {
        while let Some(end) = self.find(bytes) {
            self.add(&bytes[..end], is_faulty)?;
            self.end_line()?;
            bytes = &bytes[end..];
            if self.stopped {
                return Ok(());
            }
            if !is_faulty && let Some(end) = self.find_last(bytes) {
                if self.options.others {
                    self.write(&bytes[..end])?;
                }
                bytes = &bytes[end..];
            }
        }
        if bytes.is_empty() { Ok(()) } else { self.add(bytes, is_faulty) }
    }

    /// Adds bytes to the line.
    fn add(&mut self, bytes: &[u8], is_faulty: bool) -> io::Result<()> {
        if is_faulty && !std::mem::replace(&mut self.is_faulty, true) {
            self.release(!self.options.others)?;
        }
        match (self.is_faulty, self.options.others) {
            (true, false) => self.write(bytes),
            (true, true) => Ok(()),
            (false, _) => self.line.append(bytes),
        }
    }

    /// Ends the line, of which all bytes were added.
    fn end_line(&mut self) -> io::Result<()> {
        self.release(self.options.others)?;
        self.is_faulty = false;
        Ok(())
    }

    /// Writes or drops the held part of the line.
    fn release(&mut self, is_written: bool) -> io::Result<()> {
        let mut line = std::mem::take(&mut self.line);
        if is_written {
            line.for_each_block(|block| self.write(block))?;
        }
        line.clear()?;
        self.line = line;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(escapes) = self.options.escapes else { return self.out.copy(bytes) };
        let mut rest = bytes;
        while let Some(end) = self.find(rest) {
            escape(self.out.buffer(), &rest[..end - self.terminator.len()], escapes);
            self.out.buffer().push(b'\n');
            rest = &rest[end..];
        }
        escape(self.out.buffer(), rest, escapes);
        self.out.settle()
    }

    /// Returns the flow of the scan after more bytes were received.
    fn flow(&self, of_check: ControlFlow<()>) -> ControlFlow<()> {
        let is_open = self.is_faulty || !self.line.is_empty();
        flow_if(of_check.is_continue() || is_open && !self.options.others)
    }
}

impl Sink for LineFilter<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let (offset, bytes) = (run.offset, run.bytes);
        let flow = if self.stopped { ControlFlow::Break(()) } else { self.check.run(run)? };
        self.receive(&bytes[within(&self.range, offset, bytes)], false)?;
        Ok(self.flow(flow))
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        let flow = self.check.signature(offset, bytes)?;
        self.receive(&bytes[within(&self.range, offset, bytes)], false)?;
        Ok(flow)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        let before = self.check.summary().findings;
        let flow = match self.stopped {
            true => ControlFlow::Break(()),
            false => self.check.issue(issue, bytes, next)?,
        };
        let is_faulty = self.check.summary().findings > before;
        self.receive(&bytes[within(&self.range, issue.offset, bytes)], is_faulty)?;
        self.stopped |= flow.is_break();
        Ok(self.flow(flow))
    }

    fn tolerates_changes(&self) -> bool {
        // Escaped text is a `str`.
        self.options.escapes.is_none()
    }

    fn codec(&mut self, codec: &'static str) {
        self.terminator = terminator(by_name(codec));
        self.check.codec(codec);
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns the bytes of U+000A. In a notation, lines are those of its own text.
fn terminator(encoding: &Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    if encoding.group != Group::Notation {
        let mut writer = (encoding.inner.write)(Escapes::Usual);
        writer.sign(false);
        writer.put(0x0A, &mut bytes);
    }
    if bytes.is_empty() { vec![b'\n'] } else { bytes }
}

/// The bytes of a line that may have to be written, in memory or in a temporary file.
#[derive(Debug, Default)]
struct HeldLine {
    /// The last bytes; all of them if `spool` is empty.
    bytes: Vec<u8>,
    spool: Option<File>,
    /// The number of bytes in the temporary file.
    spooled: u64,
}

impl HeldLine {
    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.spooled == 0
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.bytes.len() + bytes.len() <= MOST_HELD {
            self.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(temporary()?),
        };
        for part in [&self.bytes[..], bytes] {
            spool.write_all(part)?;
            self.spooled += part.len() as u64;
        }
        self.bytes.clear();
        Ok(())
    }

    /// Passes the bytes on, in blocks of whole sequences of UTF-8.
    fn for_each_block(&mut self, mut work: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(spool) = self.spool.as_mut().filter(|_| self.spooled > 0) {
            spool.rewind()?;
            let (mut block, mut carried) = (vec![0; BLOCK], 0);
            loop {
                let got = carried + spool.read(&mut block[carried..])?;
                let end = if got < BLOCK { got } else { kernel::boundary(&block, got) };
                work(&block[..end])?;
                if got == carried {
                    break;
                }
                block.copy_within(end..got, 0);
                carried = got - end;
            }
        }
        work(&self.bytes)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.bytes.clear();
        if let Some(spool) = self.spool.as_mut().filter(|_| self.spooled > 0) {
            spool.set_len(0)?;
            spool.rewind()?;
            self.spooled = 0;
        }
        Ok(())
    }
}

/// Creates a file without a name in the directory of temporary files.
///
/// # Errors
/// Those of creating it, with the directory.
fn temporary() -> io::Result<File> {
    let directory = std::env::temp_dir();
    let random = RandomState::new().build_hasher().finish();
    let path = directory.join(format!(".utf8-{random:016x}.tmp"));
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
    let file = file.map_err(|error| {
        io::Error::other(format!("a long line cannot be kept in {}: {error}", directory.display()))
    })?;
    fs::remove_file(&path)?;
    Ok(file)
}
