//! Which sequences are near a fault? A layout that shows nothing else gets only those.

use std::collections::VecDeque;
use std::io;

use super::{DumpItem, Layout, Meaning, begins, each};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// A layout that gets the ill-formed sequences, and so many sequences on either side of them.
#[derive(Debug)]
struct ContextFilter<L> {
    layout: L,
    context: usize,
    /// The last sequences before the next, as far as they may still be wanted.
    held: VecDeque<ContextItem>,
    /// How many are still wanted behind the last fault.
    after: usize,
}

/// An item with bytes of its own.
#[derive(Debug)]
struct ContextItem {
    offset: u64,
    sequence: Box<[u8]>,
    before: usize,
    len: usize,
    what: Meaning,
}

impl ContextItem {
    fn of(item: &DumpItem<'_>) -> ContextItem {
        let &DumpItem { offset, sequence, before, len, what } = item;
        ContextItem { offset, sequence: sequence.into(), before, len, what }
    }

    fn item(&self) -> DumpItem<'_> {
        let &ContextItem { offset, ref sequence, before, len, what } = self;
        DumpItem { offset, sequence, before, len, what }
    }
}

/// Show on this layout the ill-formed sequences, and so many before and behind each; all sequences,
/// if that is `None`.
pub fn near(layout: impl Layout + 'static, context: Option<usize>) -> Box<dyn Layout> {
    match context {
        Some(context) => {
            Box::new(ContextFilter { layout, context, held: VecDeque::new(), after: 0 })
        }
        None => Box::new(layout),
    }
}

impl<L: Layout> ContextFilter<L> {
    fn hold(&mut self, item: &DumpItem<'_>) {
        if self.context == 0 {
            return;
        }
        if self.held.len() == self.context {
            self.held.pop_front();
        }
        self.held.push_back(ContextItem::of(item));
    }

    fn reset(&mut self) {
        self.held.clear();
        self.after = 0;
    }
}

impl<L: Layout> Layout for ContextFilter<L> {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        spec: &'static Encoding,
    ) -> io::Result<()> {
        self.reset();
        self.layout.begin(out, name, spec)
    }

    fn codec(&mut self, spec: &'static Encoding) {
        self.layout.codec(spec);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        if item.is_fault() {
            for held in self.held.drain(..) {
                self.layout.item(out, &held.item())?;
            }
            self.after = self.context;
        } else if self.after > 0 {
            self.after -= 1;
        } else {
            self.hold(item);
            return Ok(());
        }
        self.layout.item(out, item)
    }

    fn utf8(&mut self, out: &mut Output, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let skipped = if self.after == 0 { before_last(bytes, self.context) } else { 0 };
        each(offset + skipped as u64, &bytes[skipped..], |item| self.item(out, &item))
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.reset();
        self.layout.end(out)
    }

    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        self.layout.finish(out)
    }
}

/// How many bytes of UTF-8 are before the last so many sequences.
fn before_last(bytes: &[u8], sequences: usize) -> usize {
    let starts = bytes.iter().enumerate().rev().filter(|&(_, &byte)| begins(byte));
    starts.take(sequences).last().map_or(bytes.len(), |(start, _)| start)
}
