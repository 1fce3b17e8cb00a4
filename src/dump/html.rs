//! The layout of an HTML page: a row for each sequence, which opens to explain it.
//!
//! The page is a stream: memory is bounded. It is HTML and well-formed XML.

use std::io;

use super::cache::{RowCache, SequenceLook};
use super::clusters::ClusterTracker;
use super::digits;
use super::fold::{AsciiFold, FoldingLayout};
use super::{DumpItem, DumpStyle, Layout, Meaning};
use crate::output::Output;
use crate::registry::Encoding;
use crate::text::html::HtmlWriter;
use crate::text::name::InputName;

use page::FaultSummary;
use row::RowStyle;

mod page;
mod row;

/// Writes an HTML page with a section for each input.
#[derive(Debug)]
pub struct HtmlLayout {
    style: DumpStyle,
    row_style: RowStyle,
    fold: AsciiFold,
    cache: RowCache,
    clusters: ClusterTracker,
    faults: FaultSummary,
    /// True once the page has begun.
    begun: bool,
    /// Name of the input.
    name: Vec<u8>,
    /// Number of rows of the input so far.
    rows: u64,
    /// Offset of the end of the last row.
    reached: u64,
}

/// Number of rows in a group, which a browser lays out together.
const GROUP: u64 = 256;

impl HtmlLayout {
    /// Creates a layout of this style.
    pub fn new(style: DumpStyle) -> HtmlLayout {
        HtmlLayout {
            style,
            row_style: RowStyle {
                encoding: Encoding::UTF_8,
                upper: style.upper,
                names: style.names,
            },
            fold: AsciiFold::default(),
            cache: RowCache::default(),
            clusters: ClusterTracker::default(),
            faults: FaultSummary::default(),
            begun: false,
            name: Vec::new(),
            rows: 0,
            reached: 0,
        }
    }

    /// Begins the page, unless it has begun. `name` is the name of the first input.
    fn begin_page(&mut self, html: &mut HtmlWriter<'_>, name: Option<&[u8]>) {
        if !std::mem::replace(&mut self.begun, true) {
            html.begin_page(name, self.style.several);
        }
    }

    /// Prepares a row for `len` bytes at an offset: begins a group and reports a gap before it.
    fn prepare_row(&mut self, html: &mut HtmlWriter<'_>, offset: u64, len: usize) {
        if self.rows > 0 && self.rows.is_multiple_of(GROUP) {
            html.next_group();
        }
        if self.rows > 0 && self.reached < offset {
            html.gap(offset - self.reached);
        }
        self.rows += 1;
        self.reached = offset + len as u64;
    }

    /// Returns the offset of the end of the last row, the folded row included.
    fn end_offset(&self) -> u64 {
        match self.fold.bytes() {
            [] => self.reached,
            bytes => self.fold.offset() + bytes.len() as u64,
        }
    }
}

impl FoldingLayout<HtmlWriter<'_>> for HtmlLayout {
    fn fold(&mut self) -> &mut AsciiFold {
        &mut self.fold
    }

    fn write_sequence(&mut self, html: &mut HtmlWriter<'_>, item: &DumpItem<'_>) {
        self.prepare_row(html, item.start(), item.len);
        let number = match item.meaning {
            Meaning::Ill(kind, _) if item.is_fault() => {
                self.faults.add(&self.name, item.offset, kind)
            }
            _ => None,
        };
        let cluster = self.clusters.next(item).then(|| self.clusters.start());
        self.row_style.begin_row(html, item, number);
        // The explanation of an ill-formed sequence has its offset, that of a character that
        // continues a cluster the offset of the cluster.
        let is_fixed = !matches!(item.meaning, Meaning::Ill(..)) && cluster.is_none();
        let cache = is_fixed.then_some(&mut self.cache);
        let look = SequenceLook::PLAIN;
        if let Some(rest) = cache.as_ref().and_then(|cache| cache.get(item, look)) {
            return rest.append(html.out, item);
        }
        let start = html.out.len();
        self.row_style.finish_row(html, item, cluster);
        if let Some(cache) = cache {
            cache.set(item, look, &html.out[start..], None);
        }
    }

    fn write_row(&mut self, html: &mut HtmlWriter<'_>) {
        self.prepare_row(html, self.fold.offset(), self.fold.bytes().len());
        self.row_style.folded_row(html, &self.fold);
        self.clusters.follow(&self.fold);
    }
}

impl Layout for HtmlLayout {
    fn begin(
        &mut self,
        out: &mut Output,
        name: &InputName<'_>,
        encoding: &'static Encoding,
    ) -> io::Result<()> {
        let html = &mut HtmlWriter::new(out.buffer());
        self.name.clear();
        self.name.extend_from_slice(name.listed());
        self.begin_page(html, Some(name.listed()));
        self.faults.end_input();
        html.begin_input(name.listed(), encoding);
        (self.rows, self.reached) = (0, 0);
        self.codec(encoding);
        Ok(())
    }

    fn codec(&mut self, encoding: &'static Encoding) {
        self.row_style.encoding = encoding;
        self.cache.set_encoding(encoding);
    }

    fn item(&mut self, out: &mut Output, item: &DumpItem<'_>) -> io::Result<()> {
        let html = &mut HtmlWriter::new(out.buffer());
        let folds = self.style.fold && self.fold.accepts(item, self.row_style.encoding.inner.unit);
        if !folds || self.end_offset() != item.start() {
            self.unfold(html);
        }
        if folds {
            self.add_folded(html, item);
        } else {
            self.write_sequence(html, item);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        let html = &mut HtmlWriter::new(out.buffer());
        self.unfold(html);
        html.end_input(self.rows == 0);
        Ok(())
    }

    fn finish(&mut self, out: &mut Output) -> io::Result<()> {
        let html = &mut HtmlWriter::new(out.buffer());
        self.begin_page(html, None);
        html.faults(&mut self.faults);
        html.end_page();
        out.settle()
    }
}

impl HtmlWriter<'_> {
    /// Appends an offset in hexadecimal.
    fn offset(&mut self, offset: u64) {
        digits::write_offset(self.out, offset);
    }
}
