//! A log of the events of a scan, independent of how runs were cut.

use std::io;
use std::ops::ControlFlow;

use utf8::kernel::Kernels;
use utf8::registry::Encoding;
use utf8::scan::{Chunk, Feed};
use utf8::sink::{Run, Sink};
use utf8::{Issue, Kind};

use super::hex;
use super::model::{Model, announced};

/// An event; adjacent runs are merged.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// Well-formed bytes.
    Run(Vec<u8>),
    /// A BOM.
    Signature(Vec<u8>),
    /// An issue, and the byte that interrupted it if it is incomplete.
    Issue(Issue, Option<u8>),
}

/// The events of a scan. Panics unless they cover the input in order, each byte once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The events.
    pub events: Vec<Event>,
    end: u64,
    halting: bool,
    /// True if the encoding is not of the family, so that a lead byte does not determine a length.
    foreign: bool,
}

impl Log {
    /// Creates a log for an encoding.
    pub fn of(spec: &Encoding) -> Log {
        Log { foreign: Model::of(spec.name).is_none(), ..Log::default() }
    }

    /// Returns the issues.
    pub fn issues(&self) -> impl Iterator<Item = Issue> {
        self.events.iter().filter_map(|event| match event {
            Event::Issue(issue, _) => Some(*issue),
            _ => None,
        })
    }

    fn advance(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        assert_eq!(offset, self.end, "a gap or an overlap before {}", hex(bytes));
        assert!(!bytes.is_empty(), "an empty event at {offset}");
        self.end += bytes.len() as u64;
        Ok(if self.halting { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl Sink for Log {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let Run { offset, bytes, .. } = run;
        match self.events.last_mut() {
            Some(Event::Run(run)) => run.extend_from_slice(bytes),
            _ => self.events.push(Event::Run(bytes.to_vec())),
        }
        self.advance(offset, bytes)
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.events.push(Event::Signature(bytes.to_vec()));
        self.advance(offset, bytes)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        assert_eq!(issue.len as usize, bytes.len());
        let complete = match self.foreign {
            true => !matches!(issue.kind, Kind::TruncatedNext | Kind::TruncatedEnd),
            false => bytes.len() >= announced(bytes[0]),
        };
        self.events.push(Event::Issue(*issue, next.filter(|_| !complete)));
        self.advance(issue.offset, bytes)
    }
}

/// Collects the issues of a whole input.
pub fn issues(spec: &Encoding, kernels: &Kernels, bytes: &[u8], found: &mut Vec<Issue>) {
    found.clear();
    let chunk = Chunk { bytes, offset: 0, last: true };
    let scanned = spec.open(0).scan(kernels, chunk, found).unwrap();
    assert_eq!(scanned.consumed, bytes.len(), "{}: {} is not consumed", spec.name, hex(bytes));
}

/// Returns the events of a whole input.
pub fn whole(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) -> Log {
    chunked(spec, kernels, bytes, &[]).0
}

/// Returns the events of an input in pieces, and the length of the longest tail between two. A cut
/// at the very end is an end that is announced late.
pub fn chunked(spec: &Encoding, kernels: &Kernels, bytes: &[u8], cuts: &[usize]) -> (Log, usize) {
    let mut log = Log::of(spec);
    let mut scanner = spec.open(0);
    let (mut at, mut tail) = (0, 0);
    let last = [(bytes.len(), true)];
    for (end, last) in cuts.iter().map(|&cut| (cut, false)).chain(last) {
        let chunk = Chunk { bytes: &bytes[at..end], offset: at as u64, last };
        let scanned = scanner.scan(kernels, chunk, &mut log).unwrap();
        assert!(scanned.flow.is_continue());
        at += scanned.consumed;
        tail = tail.max(end - at);
    }
    assert_eq!(at, bytes.len(), "{}: {} is not consumed", spec.name, hex(bytes));
    assert_eq!(at as u64, log.end, "{}: {} is not in the log", spec.name, hex(bytes));
    (log, tail)
}

/// Returns the events of an input that is pushed into a feed in parts.
pub fn fed(
    encoding: &Encoding,
    kernels: &'static Kernels,
    bytes: &[u8],
    cuts: impl IntoIterator<Item = usize>,
) -> Log {
    let mut log = Log::of(encoding);
    let mut feed = Feed::new(encoding.open(0), kernels, 0);
    let mut start = 0;
    for end in cuts.into_iter().chain([bytes.len()]) {
        assert!(feed.push(&bytes[start..end], &mut log).unwrap().is_continue());
        start = end;
    }
    assert!(feed.finish(&mut log).unwrap().is_continue());
    assert_eq!((feed.offset(), log.end), (bytes.len() as u64, bytes.len() as u64));
    log
}

/// Returns the events of an input whose sink stops after each event and is resumed.
pub fn halted(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) -> Log {
    let mut log = Log { halting: true, ..Log::of(spec) };
    let mut scanner = spec.open(0);
    let mut at = 0;
    while at < bytes.len() {
        let chunk = Chunk { bytes: &bytes[at..], offset: at as u64, last: true };
        let scanned = scanner.scan(kernels, chunk, &mut log).unwrap();
        at += scanned.consumed;
        assert!(scanned.consumed > 0, "{}: no progress in {}", spec.name, hex(bytes));
        assert_eq!(at as u64, log.end, "consumed is not what the sink has seen");
    }
    log.halting = false;
    log
}
