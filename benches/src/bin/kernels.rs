//! How fast is each kernel, in memory, on one thread?
//!
//! `cargo run --release --bin kernels -- [--size 256m] [--runs 7] [FILE...]`
//!
//! Every row of [kernel](utf8::kernel::available) that this CPU can run, against the standard library,
//! simdutf8 and simdutf; then the listing of faults, against a loop of the standard library that
//! only counts them. Files take the place of the corpora that are made here.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use utf8::Issue;
use utf8::kernel::{self, Kernels};
use utf8::registry::CODECS;
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};
use utf8_benches::args::Args;
use utf8_benches::corpus::{DIRTY, LEGACY, TEXTS};
use utf8_benches::harness::{Amount, Contender, compare};
use utf8_benches::machine::{self, Who};

fn main() -> io::Result<()> {
    let args = Args::parse();
    for path in &args.operands {
        let mut bytes = machine::buffer(std::fs::metadata(path)?.len() as usize);
        File::open(path)?.read_to_end(&mut bytes)?;
        match std::str::from_utf8(&bytes) {
            Ok(_) => validate(path, &bytes, args.runs),
            Err(_) => list(path, &bytes, args.runs),
        }
    }
    if args.operands.is_empty() {
        for corpus in TEXTS {
            validate(corpus.name, &corpus.bytes(args.size), args.runs);
        }
        for corpus in DIRTY.iter().chain(LEGACY) {
            list(corpus.name, &corpus.bytes(args.size), args.runs);
        }
    }
    Ok(())
}

fn available() -> impl Iterator<Item = &'static Kernels> {
    kernel::available()
}

/// Compare on well-formed bytes.
fn validate(name: &str, bytes: &[u8], runs: usize) {
    let check = |is_valid: bool| assert!(is_valid, "{name} is well formed");
    let mut them: Vec<_> = available()
        .map(|kernels| {
            let work = move || assert_eq!(kernels.utf8(bytes), bytes.len(), "{}", kernels.name);
            Contender::new(format!("kernel {}", kernels.name), work)
        })
        .collect();
    them.push(Contender::new("std", || check(std::str::from_utf8(bytes).is_ok())));
    them.push(Contender::new("simdutf8 basic", || {
        check(simdutf8::basic::from_utf8(bytes).is_ok());
    }));
    them.push(Contender::new("simdutf8 compat", || {
        check(simdutf8::compat::from_utf8(bytes).is_ok());
    }));
    them.push(Contender::new("simdutf", || check(simdutf::validate_utf8(bytes))));
    compare(&format!("validate: {name}"), Amount::Bytes(bytes.len()), runs, Who::Us, &mut them);
}

/// Compare on bytes with faults.
fn list(name: &str, bytes: &[u8], runs: usize) {
    // The sequences that the library finds are not cut as those of the standard library; what
    // replaces them is the same.
    let expected = chunks(bytes);
    let mut them: Vec<_> = available()
        .map(|kernels| {
            let work = move || assert_eq!(scan(kernels, bytes), expected, "{}", kernels.name);
            Contender::new(format!("scan with {}", kernels.name), work)
        })
        .collect();
    them.push(Contender::new("std utf8_chunks, counting", || {
        assert_eq!(chunks(bytes), expected);
    }));
    compare(
        &format!("list faults: {name}, {expected} replacements"),
        Amount::Bytes(bytes.len()),
        runs,
        Who::Us,
        &mut them,
    );
}

fn chunks(bytes: &[u8]) -> u64 {
    bytes.utf8_chunks().map(|chunk| u64::from(!chunk.invalid().is_empty())).sum()
}

fn scan(kernels: &Kernels, bytes: &[u8]) -> u64 {
    let mut count = Count(0);
    let chunk = Chunk { bytes, offset: 0, last: true };
    let scanned = (CODECS[0].open)(0).scan(kernels, chunk, &mut count);
    assert_eq!(scanned.expect("the sink does not fail").consumed, bytes.len());
    count.0
}

/// Counts replacements.
struct Count(u64);

impl Sink for Count {
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
