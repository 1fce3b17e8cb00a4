//! What does a reader with a browser see? A page of its own, with a row for each sequence, which
//! opens to explain it.
//!
//! The page is written as it goes, with bounded memory. It is HTML and well-formed XML, too.

use std::io;

use super::fold::AsciiFold;
use super::memo::RowCache;
use super::paint::Role;
use super::{DumpItem, DumpStyle, Layout, Meaning};
use crate::output::Output;
use crate::registry::{CODECS, Encoding};
use crate::text::name::InputName;

use cells::CellView;
use faults::FaultSummary;

mod cells;
mod explain;
mod faults;
mod page;
mod row;

/// Writes a page.
#[derive(Debug)]
pub struct HtmlLayout {
    look: DumpStyle,
    view: CellView,
    fold: AsciiFold,
    memo: RowCache,
    faults: FaultSummary,
    begun: bool,
    /// The name of the input.
    name: Vec<u8>,
    /// How many rows the input has.
    rows: u64,
    /// The offset behind the last row.
    reached: u64,
}

/// How many rows are laid out together.
const GROUP: u64 = 256;

/// The style sheet has the colours: the only role of sequences that are remembered.
const ROLE: Role = Role::Plain;

impl HtmlLayout {
    /// A page that looks like this.
    pub fn new(look: DumpStyle) -> HtmlLayout {
        HtmlLayout {
            look,
            view: CellView { spec: &CODECS[0], upper: look.upper, names: look.names },
            fold: AsciiFold::default(),
            memo: RowCache::default(),
            faults: FaultSummary::default(),
            begun: false,
            name: Vec::new(),
            rows: 0,
            reached: 0,
        }
    }

    /// Begin the page, unless that is done.
    fn begin_page(&mut self, out: &mut Vec<u8>, name: Option<&[u8]>) {
        if !std::mem::replace(&mut self.begun, true) {
            page::begin(out, name, self.look.several);
        }
    }

    /// A row is to follow, of this offset and so many bytes.
    fn row(&mut self, out: &mut Vec<u8>, offset: u64, len: usize) {
        if self.rows > 0 && self.rows.is_multiple_of(GROUP) {
            page::next_group(out);
        }
        if self.rows > 0 && self.reached < offset {
            page::left_out(out, offset - self.reached);
        }
        self.rows += 1;
        self.reached = offset + len as u64;
    }

    /// The row of a sequence.
    fn sequence(&mut self, out: &mut Vec<u8>, item: &DumpItem<'_>) {
        self.row(out, item.start(), item.len);
        let number = match item.what {
            Meaning::Ill(kind, _) if item.is_fault() => {
                self.faults.add(&self.name, item.offset, kind)
            }
            _ => None,
        };
        self.view.begin(out, item, number);
        // What is said of a fault tells its offset.
        let memo = (!matches!(item.what, Meaning::Ill(..))).then_some(&mut self.memo);
        if let Some(rest) = memo.as_ref().and_then(|memo| memo.get(item, ROLE)) {
            return out.extend_from_slice(rest);
        }
        let start = out.len();
        self.view.rest(out, item);
        if let Some(memo) = memo {
            memo.set(item, ROLE, &out[start..]);
        }
    }

    /// A row of printable characters.
    fn folded(&mut self, out: &mut Vec<u8>) {
        let mut fold = std::mem::take(&mut self.fold);
        self.row(out, fold.offset(), fold.bytes().len());
        self.view.folded(out, fold.offset(), fold.bytes(), fold.text(), fold.items());
        fold.clear();
        self.fold = fold;
    }

    /// Nothing more is folded into what was gathered: write it.
    fn unfold(&mut self, out: &mut Vec<u8>) {
        if self.fold.is_folded() && !self.fold.bytes().is_empty() {
            self.folded(out);
        }
        let mut fold = std::mem::take(&mut self.fold);
        for item in fold.items() {
            self.sequence(out, &item);
        }
        fold.end();
        self.fold = fold;
    }

    /// The offset behind what was written or gathered.
    fn next(&self) -> u64 {
        match self.fold.bytes() {
            [] => self.reached,
            bytes => self.fold.offset() + bytes.len() as u64,
        }
    }
}

impl Layout for HtmlLayout {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        spec: &'static Encoding,
    ) -> io::Result<()> {
        let out = out.buffer();
        self.name.clear();
        self.name.extend_from_slice(name.listed());
        self.begin_page(out, Some(name.listed()));
        self.faults.next_input();
        page::begin_input(out, name.listed(), spec);
        (self.rows, self.reached) = (0, 0);
        self.codec(spec);
        Ok(())
    }

    fn codec(&mut self, spec: &'static Encoding) {
        self.view.spec = spec;
        self.memo.codec(spec);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let out = out.buffer();
        let folds = self.look.fold && self.fold.takes(item, self.view.spec.unit);
        if !folds || self.next() != item.start() {
            self.unfold(out);
        }
        match item.what {
            Meaning::Scalar(value) if folds => {
                self.fold.add(item.offset, item.sequence, &[value as u8]);
                if self.fold.room() < item.len {
                    self.folded(out);
                }
            }
            _ => self.sequence(out, item),
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        let out = out.buffer();
        self.unfold(out);
        page::end_input(out, self.rows == 0);
        Ok(())
    }

    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        let buffer = out.buffer();
        self.begin_page(buffer, None);
        self.faults.write(buffer);
        page::end(buffer);
        out.settle()
    }
}
