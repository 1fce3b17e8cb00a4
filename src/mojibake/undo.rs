//! How is a stream undone, line by line?

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use super::line::{LineContext, LineMatch, MatchOutcome, PageLayers, TextLine};
use super::pages::{self, PageSet, Pages};
use super::run::SequenceRun;
use super::{LONGEST, MojibakePart, MojibakeVerdict, PageReading, PageSteps, skip};
use crate::kernel::{Kernels, best};
use crate::registry::Encoding;

/// Undoes what was encoded more than once, in a stream of well-formed UTF-8.
#[must_use]
pub struct MojibakeUndoer {
    kernels: &'static Kernels,
    pages: Arc<Pages>,
    named: bool,
    line: TextLine,
    /// The pages that the text has been through for certain.
    seen: PageSet,
    /// The end of the input so far, if it is not decided yet.
    held: Vec<u8>,
    state: UndoState,
    /// How much of it has been passed on.
    offset: u64,
    /// The last two characters that were passed on.
    before: [char; 2],
}

/// Where the text is that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UndoState {
    /// Before a candidate.
    Outside,
    /// In a line with one, at its start. So many bytes of what is held are without a line end.
    Inside(usize),
    /// In a run that is too long.
    Beyond,
}

impl MojibakeUndoer {
    /// Undo what certainly was read in one of the likely pages.
    pub fn likely() -> MojibakeUndoer {
        MojibakeUndoer::new(Pages::likely(), false)
    }

    /// Undo what can have been read in this page. `None` if it is no single-byte page whose
    /// lower half is ASCII.
    pub fn named(page: &'static Encoding) -> Option<MojibakeUndoer> {
        Pages::only(page).map(|pages| MojibakeUndoer::new(Arc::new(pages), true))
    }

    /// Whether this page can be [named](Undo::named).
    pub fn takes(page: &Encoding) -> bool {
        pages::page_row(page).is_some()
    }

    fn new(pages: Arc<Pages>, named: bool) -> MojibakeUndoer {
        MojibakeUndoer {
            kernels: best(),
            pages,
            named,
            line: TextLine::default(),
            seen: 0,
            held: Vec::new(),
            state: UndoState::Outside,
            offset: 0,
            before: ['\n'; 2],
        }
    }

    /// Go on with this part of the text, which may start and end anywhere, and pass on what is
    /// decided. At most [`LONGEST`] bytes stay undecided.
    ///
    /// # Errors
    /// The receiver's.
    pub fn feed<E>(
        &mut self,
        text: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.work(text, false, to)
    }

    /// Decide what is left: the text ends here, or something that is no text follows.
    ///
    /// # Errors
    /// The receiver's.
    pub fn finish<E>(
        &mut self,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.work(&[], true, to)?;
        // What follows is no part of a run that was too long.
        (self.state, self.before) = (UndoState::Outside, ['\n'; 2]);
        Ok(())
    }

    fn work<E>(
        &mut self,
        text: &[u8],
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.held.is_empty() {
            let used = self.advance(text, last, to)?;
            self.held.extend_from_slice(&text[used..]);
        } else {
            self.held.extend_from_slice(text);
            let mut held = std::mem::take(&mut self.held);
            let used = self.advance(&held, last, to)?;
            held.drain(..used);
            self.held = held;
        }
        Ok(())
    }

    /// Decide as much as can be, and return how many bytes.
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
                UndoState::Outside => self.outside(rest, last, to)?,
                UndoState::Inside(known) => self.inside(rest, known, last, to)?,
                UndoState::Beyond => self.beyond(rest, to)?,
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

    /// Pass on what is before a candidate. `None` if more text is needed.
    fn outside<E>(
        &mut self,
        text: &[u8],
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let sound = match skip::candidate(self.kernels, &self.pages, text) {
            Some(at) => {
                self.state = UndoState::Inside(0);
                skip::start(text, at)
            }
            None if last => text.len(),
            None => skip::undecided(text),
        };
        if sound == 0 && self.state == UndoState::Outside {
            return Ok(None);
        }
        self.keep(&text[..sound], MojibakeVerdict::Sound, to)?;
        Ok(Some(sound))
    }

    /// Judge a line from its first candidate on. `None` if more text is needed.
    fn inside<E>(
        &mut self,
        text: &[u8],
        known: usize,
        last: bool,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let front = &text[..text.len().min(LONGEST)];
        let end = match end(front, known) {
            BatchEnd::Line(end) => end,
            BatchEnd::Unknown if last => front.len(),
            BatchEnd::Unknown => {
                self.state = UndoState::Inside(front.len());
                return Ok(None);
            }
            BatchEnd::Beyond => {
                self.state = UndoState::Beyond;
                return Ok(Some(0));
            }
        };
        self.state = UndoState::Outside;
        self.judge(&text[..end], to)?;
        Ok(Some(end))
    }

    /// Pass on what is left of a run that is too long. `None` if more text is needed.
    fn beyond<E>(
        &mut self,
        text: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<Option<usize>, E> {
        let end = text.iter().position(breaks);
        if end.is_some() {
            self.state = UndoState::Outside;
        } else if text.is_empty() {
            return Ok(None);
        }
        let end = end.unwrap_or(text.len());
        self.keep(&text[..end], MojibakeVerdict::TooLong, to)?;
        Ok(Some(end))
    }

    /// Pass on a line, with what is to be undone in it undone.
    fn judge<E>(
        &mut self,
        bytes: &[u8],
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let text = valid(bytes);
        let mut line = std::mem::take(&mut self.line);
        let (pages, before) = (&self.pages, self.before);
        line.solve(text, &LineContext { pages, named: self.named, seen: self.seen, before });
        let passed = self.pass(&line, text, to);
        if !self.named {
            self.seen |= line.confirmed();
        }
        self.line = line;
        passed?;
        self.keep(&bytes[text.len()..], MojibakeVerdict::Sound, to)
    }

    /// Pass on a line that is solved.
    fn pass<E>(
        &mut self,
        line: &TextLine,
        text: &str,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut done = 0;
        let mut after = String::new();
        for LineMatch { part, values, why } in line.findings() {
            self.keep(&text.as_bytes()[done..part.start], MojibakeVerdict::Sound, to)?;
            done = part.end;
            let before = &text.as_bytes()[part];
            match why {
                MatchOutcome::Undone(layers) => {
                    after.clear();
                    after.extend(&line.values[values]);
                    self.put(before, after.as_bytes(), layers, to)?;
                }
                MatchOutcome::Left(run) => self.keep(before, self.left(line, run), to)?,
            }
        }
        self.keep(&text.as_bytes()[done..], MojibakeVerdict::Sound, to)
    }

    /// What is said of a run that was left.
    fn left<'a>(&self, line: &'a TextLine, run: &SequenceRun) -> MojibakeVerdict<'a> {
        let sequences = &line.sequences[run.to.clone()];
        let reading = PageReading { page: self.pages.specs[run.page], sequences };
        match run.is_ambiguous() {
            true => MojibakeVerdict::Ambiguous(reading),
            false => MojibakeVerdict::Meant(reading),
        }
    }

    /// Pass on what was undone.
    fn put<E>(
        &mut self,
        before: &[u8],
        after: &[u8],
        layers: PageLayers,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = self.pass_over(before.len());
        let verdict = MojibakeVerdict::Undone(PageSteps { pages: &self.pages, layers });
        to(MojibakePart { source, before, after, verdict })
    }

    /// Pass on bytes as they are.
    fn keep<E>(
        &mut self,
        bytes: &[u8],
        verdict: MojibakeVerdict<'_>,
        to: &mut impl FnMut(MojibakePart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if bytes.is_empty() {
            return Ok(());
        }
        let source = self.pass_over(bytes.len());
        to(MojibakePart { source, before: bytes, after: bytes, verdict })
    }

    /// So many bytes are passed on. Returns where they were.
    fn pass_over(&mut self, len: usize) -> Range<u64> {
        let start = self.offset;
        self.offset += len as u64;
        start..self.offset
    }

    /// The text so far ends with these bytes.
    fn remember(&mut self, bytes: &[u8]) {
        let tail = &bytes[bytes.len().saturating_sub(8)..];
        for value in tail.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
            self.before = [self.before[1], value];
        }
    }
}

/// Without the text that is held.
impl fmt::Debug for MojibakeUndoer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages: Vec<_> = self.pages.specs.iter().map(|page| page.name).collect();
        f.debug_struct("Undo")
            .field("pages", &pages)
            .field("named", &self.named)
            .field("state", &self.state)
            .field("held", &self.held.len())
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

/// The front of these bytes that is text.
fn valid(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_else(|_| {
        let valid = bytes.utf8_chunks().next();
        valid.map_or("", |chunk| chunk.valid())
    })
}

/// Where what is judged together ends.
enum BatchEnd {
    /// Here: behind a line, or at a good place in one that is too long.
    Line(usize),
    /// Nowhere: all of it could be one run.
    Beyond,
    /// In what is to follow.
    Unknown,
}

/// Where does the line end that this is the front of? So many bytes are without a line end.
fn end(front: &[u8], known: usize) -> BatchEnd {
    if let Some(at) = memchr(b'\n', &front[known..]) {
        return BatchEnd::Line(known + at + 1);
    }
    if front.len() < LONGEST {
        return BatchEnd::Unknown;
    }
    front.iter().rposition(breaks).map_or(BatchEnd::Beyond, |at| BatchEnd::Line(at + 1))
}

/// Whether no run goes on behind this byte: no sequence has ASCII in it, but for a blank.
pub(super) fn breaks(byte: &u8) -> bool {
    byte.is_ascii() && *byte != b' '
}
