//! Which sequences are near a fault? A layout that shows nothing else gets only those.

use std::collections::VecDeque;
use std::io;

use super::{Item, Layout, What, begins, each};
use crate::output::Out;
use crate::registry::Spec;
use crate::text::name::Name;

/// A layout that gets the ill-formed sequences, and so many sequences on either side of them.
#[derive(Debug)]
struct Near<L> {
    layout: L,
    context: usize,
    /// The last sequences before the next, as far as they may still be wanted.
    held: VecDeque<Held>,
    /// How many are still wanted behind the last fault.
    after: usize,
}

/// An item with bytes of its own.
#[derive(Debug)]
struct Held {
    offset: u64,
    sequence: Box<[u8]>,
    before: usize,
    len: usize,
    what: What,
}

impl Held {
    fn of(item: &Item<'_>) -> Held {
        let &Item { offset, sequence, before, len, what } = item;
        Held { offset, sequence: sequence.into(), before, len, what }
    }

    fn item(&self) -> Item<'_> {
        let &Held { offset, ref sequence, before, len, what } = self;
        Item { offset, sequence, before, len, what }
    }
}

/// Show on this layout the ill-formed sequences, and so many before and behind each; all sequences,
/// if that is `None`.
pub fn near(layout: impl Layout + 'static, context: Option<usize>) -> Box<dyn Layout> {
    match context {
        Some(context) => Box::new(Near { layout, context, held: VecDeque::new(), after: 0 }),
        None => Box::new(layout),
    }
}

impl<L: Layout> Near<L> {
    fn hold(&mut self, item: &Item<'_>) {
        if self.context == 0 {
            return;
        }
        if self.held.len() == self.context {
            self.held.pop_front();
        }
        self.held.push_back(Held::of(item));
    }

    fn reset(&mut self) {
        self.held.clear();
        self.after = 0;
    }
}

impl<L: Layout> Layout for Near<L> {
    fn begin(&mut self, out: &mut Out, name: &Name<'_>, spec: &'static Spec) -> io::Result<()> {
        self.reset();
        self.layout.begin(out, name, spec)
    }

    fn codec(&mut self, spec: &'static Spec) {
        self.layout.codec(spec);
    }

    fn item(&mut self, out: &mut Out, item: &Item<'_>) -> io::Result<()> {
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

    fn utf8(&mut self, out: &mut Out, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let skipped = if self.after == 0 { before_last(bytes, self.context) } else { 0 };
        each(offset + skipped as u64, &bytes[skipped..], |item| self.item(out, &item))
    }

    fn end(&mut self, out: &mut Out) -> io::Result<()> {
        self.reset();
        self.layout.end(out)
    }

    fn finish(&mut self, out: &mut Out) -> io::Result<()> {
        self.layout.finish(out)
    }
}

/// How many bytes of UTF-8 are before the last so many sequences.
fn before_last(bytes: &[u8], sequences: usize) -> usize {
    let starts = bytes.iter().enumerate().rev().filter(|&(_, &byte)| begins(byte));
    starts.take(sequences).last().map_or(bytes.len(), |(start, _)| start)
}
