//! Helpers that the test binaries share.
#![allow(dead_code)] // each test uses its part of it

pub mod bin;
pub mod detect;
#[cfg(target_os = "linux")]
pub mod disk;
#[cfg(target_os = "linux")]
pub mod guard;
#[cfg(target_os = "linux")]
pub mod in_place;
pub mod inputs;
pub mod log;
pub mod model;
pub mod notation;
pub mod page;
pub mod peer;
pub mod repair;
pub mod replace;
pub mod sentences;
pub mod streams;
#[cfg(target_os = "linux")]
pub mod trace;
#[cfg(target_os = "linux")]
pub mod xattr;

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use utf8::Issue;
use utf8::codec::{Escapes, LengthCounts, LineCount};
use utf8::kernel::{self, FaultMark, Functions, Kernels, Loaded, Replaced};
use utf8::registry::{CODECS, Encoding};
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};

/// Functions of a kernel that leaves everything to the codec's own step.
pub const NOTHING: Functions = Functions {
    utf8: |_| 0,
    ascii: |_| 0,
    utf16: |_, _| 0,
    utf32: |_, _| 0,
    read_utf8: |_, _| Loaded { read: 0, written: 0 },
    read_utf16: |_, _, _| Loaded { read: 0, written: 0 },
    read_page: |_, _, _| 0,
    before_any: |_, _| 0,
    write_page: |_, _, _| 0,
    write_utf16: |_, _, _| 0,
    utf8_to_utf16: |_, _, _| 0,
    utf8_to_utf32: |_, _, _| 0,
    utf16_to_utf8: |_, _, _| 0,
    utf32_to_utf8: |_, _, _| 0,
    write_ascii: |_, _, _| 0,
    row_codes: |text, chars| scalar().row_codes(text, chars),
    bit_rows: |text, span, look, out| scalar().bit_rows(text, span, look, out),
    hex_rows: |text, span, look, out| scalar().hex_rows(text, span, look, out),
    row_column: |text, range, look, out| scalar().row_column(text, range, look, out),
    lossy: |_, _, _| Replaced { read: 0, ill_formed: 0 },
    skip: |_, _| 0,
    faults: |_, _| 0,
    fault_bits: |_, _| 0,
    fault_marks: |_, _| FaultMark::default(),
};

/// A kernel that claims nothing.
// SAFETY: the functions are safe.
pub static BLIND: Kernels = unsafe { Kernels::new("blind", "claims nothing", NOTHING) };

/// A kernel that stops early and at odd places, within its contract.
// SAFETY: the functions are safe.
pub static TIMID: Kernels = unsafe {
    Kernels::new(
        "timid",
        "stops early, at odd places",
        Functions {
            utf8: |bytes| valid_up_to(&bytes[..bytes.len().min(13)]),
            ascii: |bytes| bytes.iter().take(5).take_while(|byte| byte.is_ascii()).count(),
            utf16: |bytes, little| scalar().utf16(front(bytes, 14), little),
            utf32: |bytes, little| scalar().utf32(front(bytes, 20), little),
            read_utf8: |bytes, values| scalar().read_utf8(front(bytes, 13), values),
            read_utf16: |bytes, little, values| {
                scalar().read_utf16(front(bytes, 14), little, values)
            },
            read_page: |bytes, page, values| scalar().read_page(front(bytes, 3), page, values),
            write_utf16: |values, little, out| scalar().write_utf16(front(values, 5), little, out),
            lossy: |bytes, stand_in, out| match bytes.utf8_chunks().next() {
                Some(first) if first.valid().is_empty() && bytes.len() > 5 => {
                    out.extend_from_slice(stand_in);
                    let read = first.invalid().len();
                    Replaced { read, ill_formed: read }
                }
                _ => Replaced::default(),
            },
            ..NOTHING
        },
    )
};

/// Returns the kernel without vectors, which every CPU can run.
pub fn scalar() -> &'static Kernels {
    kernel::named("scalar").unwrap()
}

/// Returns the first `most` elements.
fn front<T>(all: &[T], most: usize) -> &[T] {
    &all[..all.len().min(most)]
}

/// Returns the kernels that this CPU can run.
pub fn kernels() -> impl Iterator<Item = &'static Kernels> {
    kernel::available()
}

/// Returns the encodings of the family with their models.
pub fn family() -> Vec<(&'static Encoding, &'static model::Model)> {
    CODECS.iter().filter_map(|spec| Some((spec, model::Model::of(spec.name)?))).collect()
}

/// Returns the encodings, with a few of the rare sets for all of them: the law is long, and rare sets
/// differ only in their tables.
pub fn representatives() -> Vec<&'static Encoding> {
    const RARE: [&str; 18] = [
        "viscii",
        "armscii-8",
        "isiri-3342",
        "iso-11548-1",
        "x-mac-arabic",
        "ibm037",
        "ibm1047-lf",
        "ibm838",
        "iso646-de",
        "cp932",
        "euc-tw",
        "euc-jis-2004",
        "shift_jis-2004",
        "gb18030-2022",
        "iso-2022-jp-2",
        "iso-2022-kr",
        "hz-gb-2312",
        "ibm1399",
    ];
    let is_wanted = |spec: &&Encoding| {
        !spec.group.is_rare() || RARE.contains(&spec.name) || is_every_case_wanted()
    };
    CODECS.iter().filter(is_wanted).collect()
}

/// An offset at which U+FEFF is not a signature.
const INSIDE: u64 = 1;

/// Counts the code points that start in a part of a well-formed text, by length.
pub fn tally(spec: &Encoding, text: &[u8], part: Range<usize>) -> LengthCounts {
    count(spec, text, part).0
}

/// Counts the line ends of a well-formed text.
pub fn lines(spec: &Encoding, text: &[u8]) -> LineCount {
    count(spec, text, 0..0).1
}

fn count(spec: &Encoding, text: &[u8], part: Range<usize>) -> (LengthCounts, LineCount) {
    let (mut lengths, mut lines) = (LengthCounts::default(), LineCount::default());
    runs(spec, &BLIND, text, INSIDE, |run| {
        let start = (run.offset - INSIDE) as usize;
        let more = run.reader.lines(run.bytes);
        lines.number += more.number;
        lines.end = more.end.map(|end| start + end).or(lines.end);
        let clip = |at: usize| at.saturating_sub(start).min(run.bytes.len());
        run.reader.tally(run.bytes, clip(part.start)..clip(part.end), &mut lengths);
    });
    (lengths, lines)
}

/// Encodes code points. Returns `None` if the encoding lacks one of them.
pub fn written(
    encoding: &Encoding,
    escapes: Escapes,
    values: impl IntoIterator<Item = u32>,
) -> Option<Vec<u8>> {
    let (mut writer, mut out) = (encoding.writer(escapes), vec![]);
    let all = values.into_iter().all(|value| {
        let before = out.len();
        let held = writer.put(value, &mut out);
        assert!(held || out.len() == before, "{}: {value:X} is half written", encoding.name);
        held
    });
    writer.finish(&mut out);
    all.then_some(out)
}

/// Scans an input and passes each run to `visit`. Returns the number of issues.
pub fn runs(
    encoding: &Encoding,
    kernels: &Kernels,
    bytes: &[u8],
    offset: u64,
    visit: impl FnMut(Run<'_>),
) -> usize {
    let mut runs = Runs { visit, issues: 0 };
    let chunk = Chunk { bytes, offset, last: true };
    encoding.open(offset).scan(kernels, chunk, &mut runs).unwrap();
    runs.issues
}

/// Passes runs to a closure, counts issues and ignores signatures.
struct Runs<F> {
    visit: F,
    issues: usize,
}

impl<F: FnMut(Run<'_>)> Sink for Runs<F> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        (self.visit)(run);
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.issues += 1;
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the length of the prefix that the standard library finds well-formed.
pub fn valid_up_to(bytes: &[u8]) -> usize {
    std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len)
}

/// Formats bytes as `ED A0 80`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Formats bytes as `EDA080`.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Parses `ED A0 80`; the empty string and `-` are no bytes.
pub fn unhex(text: &str) -> Vec<u8> {
    let bytes = text.split_whitespace().filter(|word| *word != "-");
    bytes.map(|word| u8::from_str_radix(word, 16).expect(word)).collect()
}

/// Returns `true` if the long laws are to check all of their cases.
fn is_every_case_wanted() -> bool {
    std::env::var_os("UTF8_EVERY_CASE").is_some()
}

/// Returns the distance of the cases that a long law checks, which is 1 for all of them. Miri, which
/// is slow, gets a few.
pub fn stride(usual: usize) -> usize {
    match is_every_case_wanted() {
        true => 1,
        false if cfg!(miri) => 771,
        false => usual,
    }
}

/// Does the work for each item, on all cores.
pub fn each<'a, T: Sync>(items: &'a [T], work: impl Fn(&'a T) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || items.get(next.fetch_add(1, Ordering::Relaxed));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) = take() {
                    work(item);
                }
            });
        }
    });
}
