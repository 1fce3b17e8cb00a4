//! Speed of each kernel, in memory, on one thread.
//!
//! `cargo run --release --bin kernels -- [--size 256m] [--runs 7] [FILE...]`
//!
//! Compares validation by each [available](utf8::kernel::available) kernel with the standard
//! library, simdutf8 and simdutf, a scan of ill-formed text with a loop of the standard library that
//! only counts ill-formed sequences, and the count of line feeds with memchr and the standard
//! library. Files replace the generated corpora.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};
use std::ops::ControlFlow;

use utf8::Issue;
use utf8::kernel::{self, Kernels};
use utf8::registry::Encoding;
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};
use utf8_benches::args::Args;
use utf8_benches::corpus::{DIRTY, LEGACY, TEXTS};
use utf8_benches::harness::{Contender, Unit, compare};
use utf8_benches::machine::{self, CpuTime};

/// A number of bytes that every CPU caches.
const CACHED: usize = 128 << 10;

fn main() -> io::Result<()> {
    let args = Args::parse();
    for path in &args.operands {
        let mut bytes = machine::buffer(std::fs::metadata(path)?.len() as usize);
        File::open(path)?.read_to_end(&mut bytes)?;
        match std::str::from_utf8(&bytes) {
            Ok(_) => compare_validation(path, &bytes, args.runs),
            Err(_) => compare_scans(path, &bytes, args.runs),
        }
    }
    if args.operands.is_empty() {
        for corpus in TEXTS {
            compare_validation(corpus.name, &corpus.bytes(args.size), args.runs);
        }
        for corpus in DIRTY.iter().chain(LEGACY) {
            compare_scans(corpus.name, &corpus.bytes(args.size), args.runs);
        }
        let bytes = TEXTS[0].bytes(args.size);
        compare_counts("in memory", &bytes, args.runs);
        compare_counts("in the cache of the CPU", &bytes[..args.size.min(CACHED)], args.runs);
    }
    Ok(())
}

/// Compares validation of well-formed bytes.
fn compare_validation(name: &str, bytes: &[u8], runs: usize) {
    let check = |is_valid: bool| assert!(is_valid, "{name} is well formed");
    let mut contenders: Vec<_> = kernel::available()
        .map(|kernels| {
            let work = move || assert_eq!(kernels.utf8(bytes), bytes.len(), "{}", kernels.name);
            Contender::new(format!("kernel {}", kernels.name), work)
        })
        .collect();
    contenders.push(Contender::new("std", || check(std::str::from_utf8(bytes).is_ok())));
    contenders.push(Contender::new("simdutf8 basic", || {
        check(simdutf8::basic::from_utf8(bytes).is_ok());
    }));
    contenders.push(Contender::new("simdutf8 compat", || {
        check(simdutf8::compat::from_utf8(bytes).is_ok());
    }));
    contenders.push(Contender::new("simdutf", || check(simdutf::validate_utf8(bytes))));
    compare(
        &format!("validate: {name}"),
        Unit::BytesPerSecond(bytes.len()),
        runs,
        CpuTime::OwnProcess,
        &mut contenders,
    );
}

/// Compares scans of bytes with ill-formed sequences.
fn compare_scans(name: &str, bytes: &[u8], runs: usize) {
    // The library and the standard library delimit ill-formed sequences differently, but agree on
    // the number of replacement characters.
    let expected = std_replacements(bytes);
    let mut contenders: Vec<_> = kernel::available()
        .map(|kernels| {
            let work = move || assert_eq!(scan(kernels, bytes), expected, "{}", kernels.name);
            Contender::new(format!("scan with {}", kernels.name), work)
        })
        .collect();
    contenders.push(Contender::new("std utf8_chunks, counting", || {
        assert_eq!(std_replacements(bytes), expected);
    }));
    compare(
        &format!("list ill-formed sequences: {name}, {expected} replacements"),
        Unit::BytesPerSecond(bytes.len()),
        runs,
        CpuTime::OwnProcess,
        &mut contenders,
    );
}

/// Compares counts of line feeds.
fn compare_counts(place: &str, bytes: &[u8], runs: usize) {
    let expected = memchr::memchr_iter(b'\n', bytes).count() as u64;
    let check = move |count: u64| assert_eq!(count, expected);
    let mut contenders = [
        Contender::new("utf8", || check(kernel::count(black_box(bytes), |byte| byte == b'\n'))),
        Contender::new("memchr", || {
            check(memchr::memchr_iter(b'\n', black_box(bytes)).count() as u64);
        }),
        Contender::new("std", || {
            check(black_box(bytes).iter().filter(|&&byte| byte == b'\n').count() as u64);
        }),
    ];
    compare(
        &format!("count line feeds {place}"),
        Unit::BytesPerSecond(bytes.len()),
        runs,
        CpuTime::OwnProcess,
        &mut contenders,
    );
}

/// Counts replacement characters with the standard library.
fn std_replacements(bytes: &[u8]) -> u64 {
    bytes.utf8_chunks().map(|chunk| u64::from(!chunk.invalid().is_empty())).sum()
}

/// Counts replacement characters with a kernel.
fn scan(kernels: &Kernels, bytes: &[u8]) -> u64 {
    let mut count = ReplacementCounter(0);
    let chunk = Chunk { bytes, offset: 0, last: true };
    let scanned = Encoding::UTF_8.open(0).scan(kernels, chunk, &mut count);
    assert_eq!(scanned.expect("the sink does not fail").consumed, bytes.len());
    count.0
}

/// A sink that counts replacement characters.
struct ReplacementCounter(u64);

impl Sink for ReplacementCounter {
    fn run(&mut self, _: Run<'_>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.0 += u64::from(issue.replacements);
        Ok(ControlFlow::Continue(()))
    }
}
