//! Unified diff of the lines that a repair changes, with unsafe characters escaped.

use std::collections::VecDeque;
use std::io;

use super::lines::{DiffLines, LIMIT, LineView};
use crate::output::Output;
use crate::repair::{Change, Journal};
use crate::text::name::InputName;

/// The number of context lines.
const CONTEXT: usize = 3;

/// The warning that `patch` cannot apply the diff.
const HEADER: &[u8] =
    b"# Not a patch: ill-formed bytes are shown as \\xHH, unsafe characters as \\xHH or \\u{HHHH}.";

/// One side of the diff.
#[derive(Debug, Default)]
struct DiffSide {
    /// The lines that are not complete on both sides.
    lines: DiffLines,
    /// The number of lines before them.
    passed: u64,
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
    /// Equal lines before a change.
    before: VecDeque<DiffLines>,
    hunk: Hunk,
    headed: bool,
}

/// Changed lines with their context.
#[derive(Debug, Default)]
struct Hunk {
    text: Vec<u8>,
    old: u64,
    new: u64,
    /// The number of equal lines at the end.
    alike: usize,
}

impl DiffSide {
    /// Removes and returns the lines.
    fn pass(&mut self) -> DiffLines {
        let lines = std::mem::take(&mut self.lines);
        self.passed += lines.number();
        lines
    }

    /// Returns the position of a hunk that ends here and has this many lines.
    fn place(&self, lines: u64) -> String {
        match lines {
            0 => format!("{},0", self.passed),
            _ => format!("{},{lines}", self.passed - lines + 1),
        }
    }
}

impl Hunk {
    fn show_alike(&mut self, line: &DiffLines, view: &LineView) {
        line.show(b' ', view, &mut self.text);
        self.old += 1;
        self.new += 1;
    }
}

impl Journal for Diff<'_> {
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        for part in self.view.read(offset, bytes).split_inclusive(|&byte| byte == b'\n') {
            self.old.lines.add(part);
            self.new.lines.add(part);
            if part.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(())
    }

    fn change(&mut self, change: &Change<'_>) -> io::Result<()> {
        self.differs = true;
        self.old.lines.add(&self.view.read(change.offset, change.before));
        if change.elided > 0 {
            self.old.lines.add_unseen();
        }
        self.new.lines.add(&self.view.text(change.after));
        match self.old.lines.ended && self.new.lines.ended {
            true => self.line(),
            false => Ok(()),
        }
    }
}

impl<'a> Diff<'a> {
    /// Returns the diff of an input, written to `out`.
    pub fn new(name: &'a InputName<'a>, view: LineView, out: Output) -> Diff<'a> {
        let (old, new, before, hunk) = Default::default();
        Diff { name, view, out, old, new, differs: false, before, hunk, headed: false }
    }

    /// Writes the last hunk. Call it at the end of the input.
    pub fn finish(&mut self) {
        // The output keeps its error.
        let _ = self.line().and_then(|()| self.write_hunk());
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
        let goes_on = !self.hunk.text.is_empty() && self.hunk.alike < CONTEXT;
        if !goes_on {
            self.write_hunk()?;
        }
        self.new.pass();
        let line = self.old.pass();
        if goes_on {
            self.hunk.alike += 1;
            self.hunk.show_alike(&line, &self.view);
            return Ok(());
        }
        if self.before.len() == CONTEXT {
            self.before.pop_front();
        }
        self.before.push_back(line);
        Ok(())
    }

    fn changed(&mut self) -> io::Result<()> {
        if self.hunk.text.len() > LIMIT {
            self.write_hunk()?;
        }
        for line in self.before.drain(..) {
            self.hunk.show_alike(&line, &self.view);
        }
        let Hunk { text, old, new, alike } = &mut self.hunk;
        for (sign, side, number) in [(b'-', &mut self.old, old), (b'+', &mut self.new, new)] {
            let lines = side.pass();
            *number += lines.number();
            lines.show(sign, &self.view, text);
        }
        *alike = 0;
        Ok(())
    }

    fn write_hunk(&mut self) -> io::Result<()> {
        let hunk = std::mem::take(&mut self.hunk);
        if hunk.text.is_empty() {
            return Ok(());
        }
        let out = self.out.buffer();
        if !std::mem::replace(&mut self.headed, true) {
            let name = self.name.shown();
            self.view.header(HEADER, out);
            self.view.header(&[b"--- ", name].concat(), out);
            self.view.header(&[b"+++ ", name, b" (repaired)"].concat(), out);
        }
        let (old, new) = (self.old.place(hunk.old), self.new.place(hunk.new));
        self.view.header(format!("@@ -{old} +{new} @@").as_bytes(), out);
        out.extend_from_slice(&hunk.text);
        self.out.settle()
    }
}
