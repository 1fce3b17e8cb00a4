//! Unified diff of the lines that a command changes: a patch, or where that is not possible a view
//! with unsafe characters escaped.

use std::collections::VecDeque;
use std::io;

use crate::output::Output;
use crate::text::name::InputName;
use crate::text::number::grouped;
use lines::DiffLines;

mod lines;

pub(super) use lines::{DiffForm, LineView, front, has_byte_lines};

/// The number of context lines.
const CONTEXT: usize = 3;

/// The number of bytes from which on a hunk is ended by its next change.
const LONGEST_HUNK: usize = 4 << 20;

/// One side of the diff.
#[derive(Debug, Default)]
struct DiffSide {
    /// The lines that are not complete on both sides.
    lines: DiffLines,
    /// The number of lines before them.
    passed: u64,
}

/// Returns the message about a line that is too long for a patch.
pub(super) fn describe_cut(line: u64) -> String {
    format!(
        "line {} is too long for a patch, which will be rejected there (--in-place changes the file)",
        grouped(line)
    )
}

/// Collects changes and writes hunks.
pub(super) struct Diff<'a> {
    name: &'a InputName<'a>,
    view: LineView,
    pub out: Output,
    old: DiffSide,
    new: DiffSide,
    /// True if the incomplete lines differ.
    differs: bool,
    /// The last equal lines after the hunk, or before a change.
    before: VecDeque<DiffLines>,
    hunk: Option<Hunk>,
    headed: bool,
    /// The number of the first line that is too long for a patch, if there is one.
    pub cut_line: Option<u64>,
}

/// Changed lines with their context.
#[derive(Debug)]
struct Hunk {
    /// The numbers of lines before the body.
    start: (u64, u64),
    /// Equal lines before the body.
    lead: VecDeque<DiffLines>,
    /// The text from the first changed line to the last.
    body: Vec<u8>,
    /// The numbers of lines in the body.
    lines: (u64, u64),
    /// Equal lines after the body.
    tail: Vec<DiffLines>,
}

impl DiffSide {
    /// Removes and returns the lines.
    fn pass(&mut self) -> DiffLines {
        let lines = std::mem::take(&mut self.lines);
        self.passed += lines.number();
        lines
    }
}

impl Hunk {
    /// Extends the body by the equal lines after it, and by others.
    fn extend(&mut self, lines: impl Iterator<Item = DiffLines>, view: &LineView) {
        for line in std::mem::take(&mut self.tail).into_iter().chain(lines) {
            line.show(b' ', view, &mut self.body);
            self.lines = (self.lines.0 + 1, self.lines.1 + 1);
        }
    }

    /// Removes context, so that both sides have as many lines: `patch` takes a side with fewer for
    /// the start or the end of the file.
    fn balance(&mut self, is_at_end: bool) {
        let starts_file = self.start.0 == self.lead.len() as u64;
        if !is_at_end && self.lead.len() > self.tail.len() {
            self.lead.drain(..self.lead.len() - self.tail.len());
        } else if !starts_file {
            self.tail.truncate(self.lead.len());
        }
    }

    /// Returns the position of one side, with this number of lines before and in the body.
    fn place(&self, start: u64, lines: u64) -> String {
        let (lead, tail) = (self.lead.len() as u64, self.tail.len() as u64);
        match lead + lines + tail {
            0 => format!("{start},0"),
            number => format!("{},{number}", start - lead + 1),
        }
    }
}

impl<'a> Diff<'a> {
    /// Returns the diff of an input, written to `out`.
    pub fn new(name: &'a InputName<'a>, view: LineView, out: Output) -> Diff<'a> {
        let (old, new, before) = Default::default();
        let (hunk, cut_line) = (None, None);
        Diff { name, view, out, old, new, differs: false, before, hunk, headed: false, cut_line }
    }

    /// Receives bytes that stay as they are.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        for part in self.view.read(offset, bytes).split_inclusive(|&byte| byte == b'\n') {
            self.old.lines.add(part, &self.view);
            self.new.lines.add(part, &self.view);
            if part.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(())
    }

    /// Receives bytes and their replacement. `elided` is the number of further bytes that are
    /// removed.
    ///
    /// # Errors
    /// Errors of writing.
    pub fn change(
        &mut self,
        offset: u64,
        before: &[u8],
        elided: u64,
        after: &[u8],
    ) -> io::Result<()> {
        self.differs = true;
        let before = self.view.read(offset, before);
        self.old.lines.add(&before, &self.view);
        if elided > 0 {
            self.old.lines.add_unseen();
        }
        let after = self.view.text(after);
        self.new.lines.add(&after, &self.view);
        match self.old.lines.ended && (self.new.lines.ended || self.new.lines.is_empty()) {
            true => self.line(),
            false => Ok(()),
        }
    }

    /// Writes the last hunk. `is_complete` says that the input was read to its end; otherwise, the
    /// incomplete lines are dropped.
    pub fn finish(&mut self, is_complete: bool) {
        // The output keeps its error.
        let last = if is_complete { self.line() } else { Ok(()) };
        let _ = last.and_then(|()| self.write_hunk(is_complete && self.before.is_empty()));
        let _ = self.out.flush();
    }

    /// Handles lines that are complete on both sides.
    fn line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.differs) {
            return self.changed();
        }
        if self.old.lines.is_empty() {
            return Ok(());
        }
        self.new.pass();
        let line = self.old.pass();
        if line.is_cut() {
            // It is no context.
            self.write_hunk(false)?;
            self.before.clear();
            return Ok(());
        }
        if let Some(hunk) = self.hunk.as_mut().filter(|hunk| hunk.tail.len() < CONTEXT) {
            hunk.tail.push(line);
            return Ok(());
        }
        if self.before.len() == CONTEXT {
            self.write_hunk(false)?;
            self.before.pop_front();
        }
        self.before.push_back(line);
        Ok(())
    }

    fn changed(&mut self) -> io::Result<()> {
        if self.hunk.as_ref().is_some_and(|hunk| hunk.body.len() > LONGEST_HUNK) {
            self.write_hunk(false)?;
        }
        let view = &self.view;
        let hunk = match &mut self.hunk {
            Some(hunk) => {
                hunk.extend(self.before.drain(..), view);
                hunk
            }
            none => none.insert(Hunk {
                start: (self.old.passed, self.new.passed),
                lead: std::mem::take(&mut self.before),
                body: Vec::new(),
                lines: (0, 0),
                tail: Vec::new(),
            }),
        };
        let is_cut = self.old.lines.is_cut() || self.new.lines.is_cut();
        if is_cut && view.is_patch() && self.cut_line.is_none() {
            self.cut_line = Some(self.old.passed + 1);
        }
        for (sign, side, number) in
            [(b'-', &mut self.old, &mut hunk.lines.0), (b'+', &mut self.new, &mut hunk.lines.1)]
        {
            let mut lines = side.pass();
            if is_cut {
                lines.cut();
            }
            *number += lines.show(sign, view, &mut hunk.body);
        }
        match is_cut {
            // The numbers of lines in its header are of no use.
            true => self.write_hunk(false),
            false => Ok(()),
        }
    }

    /// Writes the hunk. `is_at_end` says that no line follows it.
    fn write_hunk(&mut self, is_at_end: bool) -> io::Result<()> {
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        hunk.balance(is_at_end);
        let view = &self.view;
        let out = self.out.buffer();
        if !std::mem::replace(&mut self.headed, true) {
            view.start(self.name, out);
        }
        let (old, new) =
            (hunk.place(hunk.start.0, hunk.lines.0), hunk.place(hunk.start.1, hunk.lines.1));
        view.header(format!("@@ -{old} +{new} @@").as_bytes(), out);
        for line in &hunk.lead {
            line.show(b' ', view, out);
        }
        out.extend_from_slice(&hunk.body);
        for line in &hunk.tail {
            line.show(b' ', view, out);
        }
        self.out.settle()
    }
}
