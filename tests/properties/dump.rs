//! Dumps: reversible in every layout, and independent of kernels; reversal of any text.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::ops::Range;
use std::rc::Rc;

use crate::common::detect::pieces;
use crate::common::inputs::Rng;
use crate::common::{BLIND, kernels};
use utf8::dump::sink::DumpSink;
use utf8::dump::{ByteLayout, CellBase, DumpStyle, Grid, Layout, PlainLayout, SequenceLayout};
use utf8::kernel::{Kernels, best};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::report::ReportStyle;
use utf8::scan::Chunk;
use utf8::text::name::InputName;
use utf8::undump::{DumpForm, DumpReader};

use super::{cuts, encoding};

pub fn cases() -> usize {
    1 + kernels().count()
}

/// Checks that a dump of the bytes does not depend on the kernel, and that its reverse is the bytes.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let spec = encoding(rng);
    let (layout, form) = rng.pick(&reversible());
    let [mut start, mut end] = [(); 2].map(|()| rng.below(bytes.len() + 1));
    if start > end {
        std::mem::swap(&mut start, &mut end);
    }
    let of = |kernels| Case { spec, kernels, bytes, range: start as u64..end as u64 };
    let dump = of(&BLIND).whole(layout(&BLIND).as_mut());
    match kernels().nth(case) {
        Some(kernels) => {
            let cuts = cuts(rng, bytes.len());
            let found = of(kernels).cut(layout(kernels).as_mut(), &cuts);
            assert_eq!(found, dump, "{} {}", spec.name, kernels.name);
        }
        None => assert_eq!(reversed(&dump, form), bytes[start..end], "{}: {dump}", spec.name),
    }
}

/// The forms of dumps.
pub const FORMS: [DumpForm; 7] = [
    DumpForm::Rows(None),
    DumpForm::Rows(Some(CellBase::Bits)),
    DumpForm::Rows(Some(CellBase::Hex)),
    DumpForm::Rows(Some(CellBase::Octal)),
    DumpForm::Rows(Some(CellBase::Decimal)),
    DumpForm::PlainHex,
    DumpForm::PlainBits,
];

/// Checks that the reverse of any text is the same, or the same error, wherever it is cut.
pub fn check_reverse(_: usize, rng: &mut Rng, dump: &[u8]) {
    let form = rng.pick(&FORMS);
    let cuts = cuts(rng, dump.len());
    assert_eq!(read_rows(form, pieces(dump, &cuts)), read_rows(form, [dump]), "{form:?}");
}

/// Reverses a dump in parts. Returns the start, the end and the rows, or the error. A damaged offset
/// may be huge: only its row is requested.
pub fn read_rows<'a>(
    form: DumpForm,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Result<(u64, u64, Vec<u8>), String> {
    let read = || {
        let mut reverse = DumpReader::new(form);
        parts.into_iter().try_for_each(|part| reverse.feed(part))?;
        let mut pieces = reverse.finish()?;
        let mut seen = Vec::new();
        let seeing = pieces.each(|offset, bytes| match seen.len() {
            0..100_000 => {
                seen.extend([&offset.to_be_bytes(), bytes].concat());
                Ok(())
            }
            _ => Err(io::Error::other("much")),
        });
        seeing.map(|()| (pieces.origin(), pieces.end(), seen))
    };
    let read: io::Result<_> = read();
    read.map_err(|error| error.to_string())
}

/// The usual style.
pub const LOOK: DumpStyle = DumpStyle {
    report: ReportStyle { color: false, unicode: true, stats: false, command: "" },
    several: false,
    width: None,
    names: true,
    fold: true,
    upper: false,
    only_ill_formed: None,
};

pub const fn grid(base: CellBase, columns: usize, group: usize) -> Grid {
    Grid { base, upper: false, columns, group, squeeze: false }
}

/// Output into memory.
#[derive(Clone, Default)]
pub struct Paper(pub Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An input and the way to dump it.
pub struct Case<'a> {
    pub spec: &'static Encoding,
    pub kernels: &'static Kernels,
    pub bytes: &'a [u8],
    pub range: Range<u64>,
}

/// Returns the case of a whole input.
pub fn all<'a>(spec: &'static Encoding, bytes: &'a [u8]) -> Case<'a> {
    Case { spec, kernels: best(), bytes, range: 0..u64::MAX }
}

impl Case<'_> {
    /// Returns the dump of an input in pieces.
    pub fn cut(&self, layout: &mut dyn Layout, cuts: &[usize]) -> String {
        let paper = Paper::default();
        let mut out = Output::new(Box::new(paper.clone()), "paper");
        let name = InputName::new(OsStr::new("input"), true);
        layout.begin(&mut out, &name, self.spec).unwrap();
        let mut scanner = self.spec.open(0);
        let mut sink = DumpSink::new(self.kernels, self.spec, self.range.clone(), layout, &mut out);
        let (mut at, last) = (0, [(self.bytes.len(), true)]);
        for (end, last) in cuts.iter().map(|&cut| (cut, false)).chain(last) {
            let chunk = Chunk { bytes: &self.bytes[at..end], offset: at as u64, last };
            let scanned = scanner.scan(self.kernels, chunk, &mut sink).unwrap();
            at += scanned.consumed;
            if scanned.flow.is_break() {
                break;
            }
        }
        layout.end(&mut out).unwrap();
        layout.finish(&mut out).unwrap();
        out.flush().unwrap();
        drop(out);
        String::from_utf8(paper.0.take()).expect("a dump is text")
    }

    /// Returns the dump of a whole input.
    pub fn whole(&self, layout: &mut dyn Layout) -> String {
        self.cut(layout, &[])
    }
}

/// Creates a layout that uses a kernel.
pub type New = fn(&'static Kernels) -> Box<dyn Layout>;

/// Returns layouts that can be reversed, with the form to reverse them.
pub fn reversible() -> Vec<(New, DumpForm)> {
    let ask = |base| DumpForm::Rows(Some(base));
    vec![
        (|_| Box::new(SequenceLayout::new(LOOK)), DumpForm::Rows(None)),
        (|_| Box::new(SequenceLayout::new(LOOK)), ask(CellBase::Bits)),
        (
            |_| Box::new(SequenceLayout::new(DumpStyle { fold: false, upper: true, ..LOOK })),
            DumpForm::Rows(None),
        ),
        (
            |_| Box::new(SequenceLayout::new(DumpStyle { fold: false, names: false, ..LOOK })),
            ask(CellBase::Bits),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Bits, 6, 1))),
            ask(CellBase::Bits),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Bits, 5, 2))),
            ask(CellBase::Bits),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 16, 1))),
            DumpForm::Rows(None),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 3, 2))),
            DumpForm::Rows(None),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 300, 0))),
            ask(CellBase::Hex),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Hex, 8, 4))),
            ask(CellBase::Hex),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Octal, 1, 1))),
            ask(CellBase::Octal),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Octal, 7, 3))),
            ask(CellBase::Octal),
        ),
        (
            |kernels| Box::new(ByteLayout::new(kernels, LOOK, grid(CellBase::Decimal, 10, 1))),
            ask(CellBase::Decimal),
        ),
        (
            |kernels| {
                Box::new(ByteLayout::new(
                    kernels,
                    LOOK,
                    Grid { squeeze: true, ..grid(CellBase::Hex, 2, 1) },
                ))
            },
            DumpForm::Rows(None),
        ),
        (
            |kernels| {
                let report = ReportStyle { color: true, unicode: false, ..ReportStyle::default() };
                Box::new(ByteLayout::new(
                    kernels,
                    DumpStyle { report, ..LOOK },
                    grid(CellBase::Hex, 16, 1),
                ))
            },
            DumpForm::Rows(None),
        ),
        (|_| Box::new(PlainLayout::new(LOOK, CellBase::Hex, 30)), DumpForm::PlainHex),
        (|_| Box::new(PlainLayout::new(LOOK, CellBase::Bits, 0)), DumpForm::PlainBits),
    ]
}

/// Returns the bytes of a dump.
pub fn reversed(dump: &str, form: DumpForm) -> Vec<u8> {
    let mut reverse = DumpReader::new(form);
    let read = reverse.feed(dump.as_bytes());
    let mut bytes = Vec::new();
    let mut pieces =
        read.and_then(|()| reverse.finish()).unwrap_or_else(|error| panic!("{error}: {dump}"));
    pieces
        .write(|part| {
            part.blocks().for_each(|block| bytes.extend_from_slice(block));
            Ok(())
        })
        .unwrap();
    bytes
}
