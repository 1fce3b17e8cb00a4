//! Reversal of double encoding in a stream, line by line.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use super::candidates::is_boundary;
use super::line::{LineContext, LineMatch, MatchOutcome, PageLayers, TextLine};
use super::pages::{self, Pages};
use super::run::SequenceRun;
use super::{LONGEST, MojibakePart, MojibakeVerdict, PageReading, PageSteps, candidates};
use crate::kernel::{Kernels, best};
use crate::registry::Encoding;

/// Undoes double encoding in a stream of well-formed UTF-8.
#[must_use]
pub struct MojibakeUndoer {
    kernels: &'static Kernels,
    pages: Arc<Pages>,
    named: bool,
    line: TextLine,
    /// The undecided end of the input so far.
    pending: Vec<u8>,
    state: UndoState,
    /// Number of bytes passed on.
    offset: u64,
    /// The last two characters passed on.
    before: [char; 2],
}

/// Position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UndoState {
    /// Before a candidate.
    Searching,
    /// At the first candidate of a line. The pending text starts with this many bytes without a
    /// line end.
    InLine(usize),
    /// In a run that is too long.
    InLongRun,
}

impl MojibakeUndoer {
    /// Creates an undoer that tries the likely pages and undoes only certain runs.
    pub fn likely() -> MojibakeUndoer {
        MojibakeUndoer::new(Pages::likely(), false)
    }

    /// Creates an undoer that undoes every reversible run of this page, unless it would write rare or
    /// foreign characters. Returns `None` unless [`accepts`](Self::accepts) does.
    pub fn named(page: &'static Encoding) -> Option<MojibakeUndoer> {
        Pages::only(page).map(|pages| MojibakeUndoer::new(Arc::new(pages), true))
    }

    /// Returns `true` if the codec is a single-byte code page whose lower half is ASCII.
    pub fn accepts(page: &Encoding) -> bool {
        pages::page_row(page).is_some()
    }

    fn new(pages: Arc<Pages>, named: bool) -> MojibakeUndoer {
        MojibakeUndoer {
            kernels: best(),
            pages,
            named,
            line: TextLine::default(),
            pending: Vec::new(),
            state: UndoState::Searching,
            offset: 0,
            before: ['\n'; 2],
        }
    }

    /// Processes the next part of the text, split at any byte, and passes on the decided parts. At
    /// most [`LONGEST`] bytes stay pending.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn feed<E>(
        &mut self,
        text: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.process(text, false, to)
    }

    /// Decides and passes on the pending text. Text that is fed later starts without context.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn finish<E>(
        &mut self,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.process(&[], true, to)?;
        // Later text is no part of a run that was too long.
        (self.state, self.before) = (UndoState::Searching, ['\n'; 2]);
        Ok(())
    }

    fn process<E>(
        &mut self,
        text: &[u8],
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.pending.is_empty() {
            let used = self.advance(text, last, to)?;
            self.pending.extend_from_slice(&text[used..]);
        } else {
            self.pending.extend_from_slice(text);
            let mut pending = std::mem::take(&mut self.pending);
            let used = self.advance(&pending, last, to)?;
            pending.drain(..used);
            self.pending = pending;
        }
        Ok(())
    }

    /// Passes on as much of `text` as can be decided. Returns the number of bytes.
    fn advance<E>(
        &mut self,
        text: &[u8],
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let decided = match self.state {
                UndoState::Searching => self.skip_to_candidate(rest, last, to)?,
                UndoState::InLine(known) => self.judge_line(rest, known, last, to)?,
                UndoState::InLongRun => self.skip_long_run(rest, to)?,
            };
            match decided {
                Some(len) => {
                    self.remember(&rest[..len]);
                    at += len;
                }
                None => return Ok(at),
            }
        }
    }

    /// Passes on the text before the next candidate. Returns its length, or `None` if more text is
    /// needed.
    fn skip_to_candidate<E>(
        &mut self,
        text: &[u8],
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let sound = match candidates::find_candidate(self.kernels, &self.pages, text, last) {
            Some(at) => {
                self.state = UndoState::InLine(0);
                candidates::context_start(text, at)
            }
            None if last => text.len(),
            None => candidates::undecided_from(text),
        };
        if sound == 0 && self.state == UndoState::Searching {
            return Ok(None);
        }
        self.emit_unchanged(&text[..sound], MojibakeVerdict::Sound, to)?;
        Ok(Some(sound))
    }

    /// Judges the line from its first candidate on. Returns the number of bytes, or `None` if more
    /// text is needed.
    fn judge_line<E>(
        &mut self,
        text: &[u8],
        known: usize,
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let front = &text[..text.len().min(LONGEST)];
        let end = match batch_end(front, known) {
            BatchEnd::Line(end) => end,
            BatchEnd::Unknown if last => front.len(),
            BatchEnd::Unknown => {
                self.state = UndoState::InLine(front.len());
                return Ok(None);
            }
            BatchEnd::Nowhere => {
                self.state = UndoState::InLongRun;
                return Ok(Some(0));
            }
        };
        self.state = UndoState::Searching;
        self.judge(&text[..end], to)?;
        Ok(Some(end))
    }

    /// Passes on the next part of a run that is too long. Returns its length, or `None` if more
    /// text is needed.
    fn skip_long_run<E>(
        &mut self,
        text: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let end = text.iter().position(is_boundary);
        if end.is_some() {
            self.state = UndoState::Searching;
        } else if text.is_empty() {
            return Ok(None);
        }
        let end = end.unwrap_or(text.len());
        self.emit_unchanged(&text[..end], MojibakeVerdict::TooLong, to)?;
        Ok(Some(end))
    }

    /// Undoes the runs of a line and passes it on.
    fn judge<E>(
        &mut self,
        bytes: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = valid_prefix(bytes);
        let mut line = std::mem::take(&mut self.line);
        let (pages, before) = (&self.pages, self.before);
        line.undo(text, &LineContext { pages, named: self.named, before });
        let passed = self.emit_line(&line, text, to);
        self.line = line;
        passed?;
        self.emit_unchanged(&bytes[text.len()..], MojibakeVerdict::Sound, to)
    }

    /// Passes on a line after its reversal.
    fn emit_line<E>(
        &mut self,
        line: &TextLine,
        text: &str,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut done = 0;
        let mut after = String::new();
        for LineMatch { bytes, chars, outcome } in line.matches() {
            self.emit_unchanged(&text.as_bytes()[done..bytes.start], MojibakeVerdict::Sound, to)?;
            done = bytes.end;
            let before = &text.as_bytes()[bytes];
            match outcome {
                MatchOutcome::Undone(layers) => {
                    after.clear();
                    after.extend(&line.chars[chars]);
                    self.emit_undone(before, after.as_bytes(), layers, to)?;
                }
                MatchOutcome::Kept(run) => {
                    self.emit_unchanged(before, self.verdict(line, run), to)?
                }
            }
        }
        self.emit_unchanged(&text.as_bytes()[done..], MojibakeVerdict::Sound, to)
    }

    /// Returns the verdict for a kept run.
    fn verdict<'a>(&self, line: &'a TextLine, run: &SequenceRun) -> MojibakeVerdict<'a> {
        let sequences = &line.sequences[run.sequences.clone()];
        let reading = PageReading { page: self.pages.encodings[run.page], sequences };
        match run.is_ambiguous() {
            true => MojibakeVerdict::Ambiguous(reading),
            false => MojibakeVerdict::Meant(reading),
        }
    }

    /// Passes on an undone part.
    fn emit_undone<E>(
        &mut self,
        before: &[u8],
        after: &[u8],
        layers: PageLayers,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = self.advance_offset(before.len());
        let verdict = MojibakeVerdict::Undone(PageSteps { pages: &self.pages, layers });
        to(MojibakePart { source, before, after, verdict })
    }

    /// Passes on bytes as they are.
    fn emit_unchanged<E>(
        &mut self,
        bytes: &[u8],
        verdict: MojibakeVerdict<'_>,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if bytes.is_empty() {
            return Ok(());
        }
        let source = self.advance_offset(bytes.len());
        to(MojibakePart { source, before: bytes, after: bytes, verdict })
    }

    /// Advances the offset by `len` bytes. Returns the range passed.
    fn advance_offset(&mut self, len: usize) -> Range<u64> {
        let start = self.offset;
        self.offset += len as u64;
        start..self.offset
    }

    /// Records the last characters of the bytes passed on.
    fn remember(&mut self, bytes: &[u8]) {
        let tail = &bytes[bytes.len().saturating_sub(8)..];
        for value in tail.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
            self.before = [self.before[1], value];
        }
    }
}

/// Omits the pending text.
impl fmt::Debug for MojibakeUndoer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages: Vec<_> = self.pages.encodings.iter().map(|page| page.name).collect();
        f.debug_struct("MojibakeUndoer")
            .field("pages", &pages)
            .field("named", &self.named)
            .field("state", &self.state)
            .field("pending", &self.pending.len())
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

/// Returns the longest prefix that is well-formed UTF-8.
fn valid_prefix(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_else(|_| {
        let valid = bytes.utf8_chunks().next();
        valid.map_or("", |chunk| chunk.valid())
    })
}

/// The end of the text that is judged as a unit.
enum BatchEnd {
    /// At this offset: after a line end, or at a boundary in a line that is too long.
    Line(usize),
    /// All of the text could be one run.
    Nowhere,
    /// In text not yet received.
    Unknown,
}

/// Returns the end of the unit that starts at `front`, whose first `known` bytes contain no line
/// end.
fn batch_end(front: &[u8], known: usize) -> BatchEnd {
    if let Some(at) = memchr(b'\n', &front[known..]) {
        return BatchEnd::Line(known + at + 1);
    }
    if front.len() < LONGEST {
        return BatchEnd::Unknown;
    }
    front.iter().rposition(is_boundary).map_or(BatchEnd::Nowhere, |at| BatchEnd::Line(at + 1))
}
