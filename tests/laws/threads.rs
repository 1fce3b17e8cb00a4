//! Scans of a file with several threads: the same as those with one.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use crate::common::each;
use crate::common::inputs::{HOSTILE, Rng, clean};
use crate::common::log::Log;
use crate::common::representatives;
use crate::common::streams::Shared;
use tempfile::NamedTempFile;
use utf8::convert::{Conversion, Convert, PolicyCounts};
use utf8::finding::locate::Locator;
use utf8::kernel::best;
use utf8::lint::levels::RuleLevels;
use utf8::lint::{LINTS, Level};
use utf8::output::Output;
use utf8::report::{FORMATS, ReportStyle};
use utf8::sink::{AheadWork, Run, ScanBytes, Sink};
use utf8::source::{Buffer, RangeStart, ReadOptions, Source, ThreadCount};
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList};
use utf8::{ConvertOptions, Encoding, Issue, Policy, convert};

/// Several blocks after the one that one thread scans first.
const LENGTH: usize = 900 << 10;

/// The distances of faults: none, few in a block, and so many that threads do not pay off.
const DISTANCES: [usize; 3] = [usize::MAX, 30 << 10, 300];

/// Returns lines of text in all scripts, in UTF-8.
fn lines(rng: &mut Rng) -> String {
    let mut text = String::new();
    while text.len() < LENGTH {
        let len = if rng.one_in(500) { 9_000 } else { 80 };
        let len = rng.below(len);
        let widths: &[usize] = rng.pick(&[&[1], &[1, 1, 1, 2], &[1, 2, 3], &[1, 1, 1, 1, 3, 4]]);
        text.push_str(&clean(rng, len, widths).replace(['\r', '\n'], " "));
        text.push_str(if rng.one_in(50) { "\r\n" } else { "\n" });
    }
    text
}

/// Inserts hostile sequences of whole units at about this distance.
fn damage(rng: &mut Rng, bytes: &[u8], distance: usize, unit: usize) -> Vec<u8> {
    let mut damaged = Vec::new();
    let mut rest = bytes;
    while rest.len() / 2 > distance {
        let (front, behind) = rest.split_at((1 + rng.below(2 * distance)) / unit * unit);
        damaged.extend_from_slice(front);
        damaged.extend_from_slice(rng.pick(HOSTILE));
        damaged.resize(damaged.len().next_multiple_of(unit), 0xDC);
        rest = behind;
    }
    damaged.extend_from_slice(rest);
    damaged
}

/// Returns files in an encoding, of the same text with faults at each of the distances.
fn files_in(encoding: &'static Encoding) -> [NamedTempFile; DISTANCES.len()] {
    static TEXT: LazyLock<String> = LazyLock::new(|| lines(&mut Rng::new(0)));
    let mut options = ConvertOptions::to(encoding);
    options.policy = Policy::Ignore;
    let text = convert(Encoding::UTF_8, TEXT.as_bytes(), &options).unwrap();
    // Most of it may have no encoding.
    let text = text.repeat(LENGTH.div_ceil(text.len()));
    let mut rng = Rng::new(1);
    DISTANCES.map(|distance| file_with(&damage(&mut rng, &text, distance, encoding.inner.unit)))
}

fn file_with(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Opens a file from an offset on, to be scanned with this number of threads.
fn open<'b>(
    file: &NamedTempFile,
    encoding: &Encoding,
    threads: usize,
    skip: u64,
    buffer: &'b mut Buffer,
) -> Source<'b> {
    let options = ReadOptions {
        skip: RangeStart::FromStart(skip),
        reach: encoding.reach(),
        unit: encoding.inner.unit,
        longest: encoding.inner.longest,
        threads: ThreadCount::Exactly(threads),
        ..ReadOptions::default()
    };
    Source::from_start(File::open(file.path()).unwrap().into(), &options, buffer).unwrap()
}

/// A sink with work: a copy of the text. It checks the copies that it receives.
struct CopyingSink;

struct Copying;

impl AheadWork for Copying {
    fn process(
        &mut self,
        bytes: &[u8],
        scan: ScanBytes<'_>,
        output: &mut Vec<u8>,
    ) -> io::Result<usize> {
        let mut issues = Vec::<Issue>::new();
        let reached = scan(bytes, &mut issues)?;
        let end = issues.first().map_or(reached, |issue| issue.offset as usize);
        output.extend_from_slice(&bytes[..end]);
        Ok(end)
    }
}

impl Sink for CopyingSink {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        if let Some(copy) = run.prepared {
            assert!(copy == run.bytes, "at {}", run.offset);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        Some(Box::new(Copying))
    }
}

#[test]
fn events_do_not_depend_on_threads() {
    each(&representatives(), |&encoding| {
        for (file, distance) in files_in(encoding).iter().zip(DISTANCES) {
            let scan = |threads| {
                let (mut log, mut buffer) = (Log::of(encoding), Buffer::default());
                let mut source = open(file, encoding, threads, 0, &mut buffer);
                let reached = source.scan(encoding, best(), &mut log).unwrap();
                (log, reached)
            };
            let one = scan(1);
            for threads in [2, 5] {
                let name = encoding.name;
                assert!(scan(threads) == one, "{name}, {threads}, a fault per {distance} bytes");
            }
        }
    });
}

/// Counts the text whose work was done ahead, for a sink.
struct PreparedCounter<'a> {
    sink: &'a mut dyn Sink,
    prepared: u64,
}

impl Sink for PreparedCounter<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.prepared += run.prepared.map_or(0, |_| run.bytes.len() as u64);
        self.sink.run(run)
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.sink.signature(offset, bytes)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        self.sink.issue(issue, bytes, next)
    }

    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        self.sink.work_ahead()
    }
}

/// Returns the number of bytes of a file whose work was done ahead.
fn prepared(file: &NamedTempFile, encoding: &'static Encoding, sink: &mut dyn Sink) -> u64 {
    let (mut counter, mut buffer) = (PreparedCounter { sink, prepared: 0 }, Buffer::default());
    let mut source = open(file, encoding, 2, 0, &mut buffer);
    source.scan(encoding, best(), &mut counter).unwrap();
    counter.prepared
}

/// Otherwise, the other tests would test nothing.
#[test]
fn most_text_is_prepared() {
    // One thread scans the first block and the last bytes.
    let most = |file: &NamedTempFile| (file.path().metadata().unwrap().len() - (600 << 10)) / 2;
    for name in ["utf-8", "cesu-8", "utf-16le", "utf-32be", "gb18030", "iso-8859-1", "html"] {
        let encoding = Encoding::for_label(name).unwrap();
        for (file, distance) in files_in(encoding).iter().zip(&DISTANCES[..2]) {
            let done = prepared(file, encoding, &mut CopyingSink);
            assert!(done >= most(file), "{name}, {distance}: {done}");
        }
    }
    let [file, ..] = files_in(Encoding::UTF_8);
    let len = file.path().metadata().unwrap().len();
    for name in ["utf-16le", "utf-16", "cesu-8", "gb18030", "json", "code-points", "utf-7"] {
        let mut options = ConvertOptions::to(Encoding::for_label(name).unwrap());
        options.policy = Policy::Ignore;
        let (mut conversion, mut out) = (Conversion::new(best(), options), Output::memory());
        let range = 0..len;
        let mut sink = Convert::new(&mut conversion, Encoding::UTF_8, range, &mut out);
        let done = prepared(&file, Encoding::UTF_8, &mut sink);
        assert!(done >= most(&file), "to {name}: {done}");
    }
    let mut levels = RuleLevels::default();
    assert!(levels.set("tag-character", Level::Deny));
    let rules = Arc::new(levels.into());
    let check = Check::new(Encoding::UTF_8, 0..len, CheckOptions::default(), None);
    let done = prepared(&file, Encoding::UTF_8, &mut check.with_rules(&rules));
    assert!(done > 0);
    let joined = file_with(joined_lines(&mut Rng::new(0), usize::MAX).as_bytes());
    let mut levels = RuleLevels::default();
    assert!(levels.set("invisible", Level::Deny) && levels.set("variation-selector", Level::Deny));
    let rules = Arc::new(levels.into());
    let check = Check::new(Encoding::UTF_8, 0..LENGTH as u64, CheckOptions::default(), None);
    let done = prepared(&joined, Encoding::UTF_8, &mut check.with_rules(&rules));
    assert!(done >= most(&joined), "joined emoji: {done}");
}

/// Returns the output of a conversion, with the counts and the reason if it stopped.
fn converted(
    file: &NamedTempFile,
    from: &'static Encoding,
    options: ConvertOptions,
    threads: usize,
    skip: u64,
) -> (Vec<u8>, PolicyCounts, String, u64) {
    let (mut out, mut buffer) = (Output::memory(), Buffer::default());
    let mut conversion = Conversion::new(best(), options);
    let mut source = open(file, from, threads, skip, &mut buffer);
    let mut sink = Convert::new(&mut conversion, from, source.range(), &mut out);
    let reached = source.scan(from, best(), &mut sink).unwrap();
    let (counts, stop) = sink.end();
    conversion.finish(&mut out);
    (std::mem::take(out.buffer()), counts, format!("{stop:?}"), reached)
}

#[test]
fn conversions_do_not_depend_on_threads() {
    let sources =
        ["utf-8", "utf-16", "cesu-8", "utf-16be", "gb18030", "big5-hkscs", "windows-1251", "json"];
    let policies = [
        "strict",
        "replace",
        "transliterate",
        "ignore",
        "backslashreplace",
        "surrogateescape",
        "optu",
    ];
    let sources = sources.map(|name| Encoding::for_label(name).unwrap());
    let sources = sources.map(|from| (from, files_in(from)));
    each(&representatives(), |&to| {
        let mut rng = Rng::new(to.name.bytes().map(u64::from).sum());
        for _ in 0..3 {
            let (from, files) = &sources[rng.below(sources.len())];
            let (case, skip) = (rng.below(files.len()), rng.pick(&[0, 1001]));
            let mut options = ConvertOptions::to(to);
            let policy = rng.pick(&policies);
            options.policy = policy.parse().unwrap();
            let several = rng.pick(&[2, 3, 9]);
            let [one, three] =
                [1, several].map(|threads| converted(&files[case], from, options, threads, skip));
            let (names, distance) = ((from.name, to.name), DISTANCES[case]);
            assert!(three == one, "{names:?}, {policy}, {distance} bytes, from {skip}");
        }
    });
}

/// The first of the code points of a sequence may have an encoding where the second has none.
#[test]
fn unencodable_characters_do_not_depend_on_threads() {
    for (from, line, rare, to) in [
        ("html", &b"plain &lt; text\n"[..], &b"a &nvlt; b &euro; c\n"[..], "iso-8859-1"),
        ("big5-hkscs", b"plain text\n", b"a \x88\x62 b\n", "windows-1252"),
        ("utf-8", "слова\n".as_bytes(), "日本\n".as_bytes(), "windows-1251"),
        ("utf-8", "слова\n".as_bytes(), "日本\n".as_bytes(), "iso-2022-jp"),
        ("utf-16le", b"a\0\n\0", b"\x3D\xD8\x00\xDE\n\0", "ucs-2be"),
    ] {
        let [from, to] = [from, to].map(|name| Encoding::for_label(name).unwrap());
        let stretch = line.repeat((30 << 10) / line.len());
        let text = [&stretch[..], rare].concat().repeat(LENGTH / stretch.len());
        let file = file_with(&text);
        for policy in ["strict", "replace", "ignore"] {
            let mut options = ConvertOptions::to(to);
            options.policy = policy.parse().unwrap();
            let [one, three] = [1, 3].map(|threads| converted(&file, from, options, threads, 0));
            assert!(three == one, "{} to {}, {policy}", from.name, to.name);
        }
    }
}

/// Returns lines with invisible characters that the characters beside them need, and, once in about
/// so many words, with one that nothing needs.
fn joined_lines(rng: &mut Rng, distance: usize) -> String {
    let needed = ["👩\u{200D}🚀", "❤\u{FE0F}\u{200D}🔥", "می\u{200C}خواهم", "क्\u{200D}", "“word”"];
    let needless = ["a\u{200D}b", "\u{FE0F}", "👩\u{200D}\n", "\u{200C}x"];
    let mut text = String::new();
    while text.len() < LENGTH {
        let words: &[_] = if rng.one_in(distance) { &needless } else { &needed };
        text += rng.pick(words);
        text.push(if rng.one_in(12) { '\n' } else { ' ' });
    }
    text
}

/// Returns the findings of a check, with the summary.
fn checked(file: &NamedTempFile, levels: &RuleLevels, threads: usize, skip: u64) -> String {
    let (encoding, mut buffer) = (Encoding::UTF_8, Buffer::default());
    let mut source = open(file, encoding, threads, skip, &mut buffer);
    let written = Shared::default();
    let mut out = Output::new(Box::new(written.clone()), "memory");
    let row = FORMATS.iter().find(|row| row.name == "tsv").unwrap();
    let mut format = (row.open)(ReportStyle::default());
    let name = InputName::new(OsStr::new("f"), true);
    let (format, out_to) = (format.as_mut(), &mut out);
    let list = FindingList { format, out: out_to, most: None, judged: false, judge: None };
    let locator = Locator::new(encoding, best(), true, source.lookback());
    let report = CheckReport { name: &name, lists: vec![list], locator: Some(locator) };
    let options = CheckOptions { comments: true, ..CheckOptions::default() };
    let rules = Arc::new(levels.clone().into());
    let mut check = Check::new(encoding, source.range(), options, Some(report)).with_rules(&rules);
    source.scan(encoding, best(), &mut check).unwrap();
    let summary = check.end(true).unwrap();
    out.flush().unwrap();
    let report = String::from_utf8(written.0.borrow().clone()).unwrap();
    format!("{report}{summary:?}")
}

#[test]
fn findings_do_not_depend_on_threads() {
    let sets = LINTS.iter().map(|row| row.id).chain(["strict", "text", "ill-formed"]);
    let sets: Vec<_> = sets.collect();
    let mut rng = Rng::new(5198);
    let text = lines(&mut rng).replace("\r\n", "\n");
    // Few enough that threads find text without any between them.
    let mut places = String::new();
    let mut rest = &text[..];
    while let Some((front, behind)) = rest.split_at_checked(rest.floor_char_boundary(30_000)) {
        let row = &LINTS[rng.below(LINTS.len())];
        places += front;
        places += [row.faulty, row.good][rng.below(2)];
        rest = behind;
        if rest.len() < 30_000 {
            break;
        }
    }
    places += rest;
    let ascii: String = text.chars().map(|c| if c.is_ascii() { c } else { 'x' }).collect();
    let damaged = damage(&mut rng, places.as_bytes(), 50_000, 1);
    let joined = joined_lines(&mut rng, 5_000);
    let joined = damage(&mut rng, joined.as_bytes(), 90_000, 1);
    let files = [ascii.as_bytes(), places.as_bytes(), &damaged, &joined].map(file_with);
    each(&sets, |set| {
        let mut levels = RuleLevels::default();
        assert!(levels.set(set, Level::Deny), "{set}");
        for (number, file) in files.iter().enumerate() {
            for skip in [0, 100_001] {
                let [one, three] = [1, 3].map(|threads| checked(file, &levels, threads, skip));
                assert!(three == one, "{set} in file {number} from {skip}");
            }
        }
    });
}
