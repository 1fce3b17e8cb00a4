//! Ill-formed sequences with context: a layout that passes only these on to another one.

use std::collections::VecDeque;
use std::io;

use super::utf8_text::Utf8Text;
use super::{DumpItem, Layout, Meaning, for_each_sequence, is_first_byte};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::name::InputName;

/// Passes ill-formed sequences on to a layout, with `context` sequences before and after each.
#[derive(Debug)]
struct ContextFilter<L> {
    layout: L,
    context: usize,
    /// The last sequences that were not passed on, at most `context`.
    pending: VecDeque<ContextItem>,
    /// Number of sequences still to be passed on after the last ill-formed one.
    after: usize,
}

/// A [`DumpItem`] that owns its bytes.
#[derive(Debug)]
struct ContextItem {
    offset: u64,
    sequence: Box<[u8]>,
    before: usize,
    len: usize,
    meaning: Meaning,
}

impl ContextItem {
    fn new(item: &DumpItem<'_>) -> ContextItem {
        let &DumpItem { offset, sequence, before, len, meaning } = item;
        ContextItem { offset, sequence: sequence.into(), before, len, meaning }
    }

    fn item(&self) -> DumpItem<'_> {
        let &ContextItem { offset, ref sequence, before, len, meaning } = self;
        DumpItem { offset, sequence, before, len, meaning }
    }
}

/// Limits a layout to ill-formed sequences and `context` sequences before and after each. `None`
/// shows all sequences.
pub fn with_context(layout: impl Layout + 'static, context: Option<usize>) -> Box<dyn Layout> {
    match context {
        Some(context) => {
            Box::new(ContextFilter { layout, context, pending: VecDeque::new(), after: 0 })
        }
        None => Box::new(layout),
    }
}

impl<L: Layout> ContextFilter<L> {
    fn keep(&mut self, item: &DumpItem<'_>) {
        if self.context == 0 {
            return;
        }
        if self.pending.len() == self.context {
            self.pending.pop_front();
        }
        self.pending.push_back(ContextItem::new(item));
    }

    fn reset(&mut self) {
        self.pending.clear();
        self.after = 0;
    }
}

impl<L: Layout> Layout for ContextFilter<L> {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        self.reset();
        self.layout.begin(out, name, encoding)
    }

    fn codec(&mut self, encoding: &'static Encoding) {
        self.layout.codec(encoding);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        if item.is_fault() {
            for before in self.pending.drain(..) {
                self.layout.item(out, &before.item())?;
            }
            self.after = self.context;
        } else if self.after > 0 {
            self.after -= 1;
        } else {
            self.keep(item);
            return Ok(());
        }
        self.layout.item(out, item)
    }

    fn utf8(&mut self, out: &mut Output, text: Utf8Text<'_>) -> io::Result<()> {
        let skipped = if self.after == 0 { len_before_last(text.bytes, self.context) } else { 0 };
        let offset = text.offset + skipped as u64;
        for_each_sequence(offset, &text.bytes[skipped..], |item| {
            self.item(out, &item)?;
            out.settle()
        })
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        self.reset();
        self.layout.end(out)
    }

    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        self.layout.finish(out)
    }
}

/// Returns the number of bytes before the last `sequences` sequences of well-formed UTF-8.
fn len_before_last(bytes: &[u8], sequences: usize) -> usize {
    let starts = bytes.iter().enumerate().rev().filter(|&(_, &byte)| is_first_byte(byte));
    starts.take(sequences).last().map_or(bytes.len(), |(start, _)| start)
}
