//! Kernels and conversions in memory, on one thread, beside libraries.
//!
//! simdutf chooses its instructions once in a process, so each kernel has a process of its own.

use std::hint::black_box;
use std::io;
use std::ops::ControlFlow;
use std::process::Command;

use utf8::Issue;
use utf8::convert::{Conversion, Convert, ConvertOptions};
use utf8::kernel::{self, Kernels};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};

use crate::args::Args;
use crate::corpus::{DIRTY, LEGACY, TEXTS};
use crate::machine::CpuTime;
use crate::table::{Contender, Table, Unit};

/// Kernels, and what simdutf calls its implementation with the same set of instructions.
const SIMDUTF_NAMES: &[(&str, &str)] =
    &[("avx512", "icelake"), ("avx2", "haswell"), ("sse4.2", "westmere"), ("neon", "arm64")];

/// A number of bytes that every CPU caches.
const CACHED: usize = 256 << 10;

/// The size of text to convert, at most.
const CONVERTED: usize = 16 << 20;

/// The bytes that are converted at a time: few enough that the output stays in the cache.
const BLOCK: usize = 64 << 10;

/// Prints the tables of each kernel that this CPU can run.
pub fn print_all(args: &Args) -> io::Result<()> {
    if !args.wants("memory") {
        return Ok(());
    }
    for &(name, simdutf) in SIMDUTF_NAMES {
        if !kernel::available().any(|kernels| kernels.name == name) {
            continue;
        }
        let status = Command::new(std::env::current_exe()?)
            .args(["--kernel", name, "--size", &args.size.to_string()])
            .args(["--runs", &args.runs.to_string()])
            .env("SIMDUTF_FORCE_IMPLEMENTATION", simdutf)
            .status()?;
        assert!(status.success(), "{name}: {status}");
    }
    Ok(())
}

/// Prints the tables of the kernel that the command line names.
pub fn print_kernel(name: &str, args: &Args) {
    let kernels = kernel::named(name).expect("the CPU can run the kernel");
    let bench = Bench { kernels, runs: args.runs };
    println!("\n### In memory, `{name}`");
    println!("\nsimdutf8 and simdutf use the same set of instructions.");
    println!("\nValidation of {} MiB:", args.size >> 20);
    bench.validation(args.size);
    println!("\nValidation of {} KiB, in the cache of the CPU:", CACHED >> 10);
    bench.validation(CACHED);
    println!("\nIll-formed sequences, each reported to a caller that counts:");
    bench.scans(args.size);
    println!("\nLine feeds, counted:");
    bench.line_feeds(args.size);
    let size = args.size.min(CONVERTED);
    type Measure = fn(&Bench, &mut Table, &str, &str);
    let conversions: &[(&str, Measure)] = &[
        ("UTF-8 to UTF-16LE", Bench::write_utf16),
        ("UTF-8 to UTF-32LE", Bench::write_utf32),
        ("UTF-16LE to UTF-8", Bench::read_utf16),
        ("UTF-32LE to UTF-8", Bench::read_utf32),
    ];
    for (title, measure) in conversions {
        println!("\n{title}:");
        let mut table = Table::new(Unit::GigabytesPerSecond);
        for corpus in TEXTS {
            let bytes = corpus.bytes(size);
            let text = str::from_utf8(&bytes).expect("texts are well formed");
            measure(&bench, &mut table, corpus.name, text);
        }
        table.print();
    }
    println!("\nCode pages:");
    bench.pages(size);
}

/// Measurements of a kernel.
struct Bench {
    kernels: &'static Kernels,
    runs: usize,
}

impl Bench {
    fn measure(
        &self,
        table: &mut Table,
        column: &str,
        bytes: usize,
        contenders: &mut [Contender<'_>],
    ) {
        table.measure(column, bytes, self.runs, CpuTime::OwnProcess, contenders);
    }

    fn ours<'a>(&self, work: impl FnMut() + 'a) -> Contender<'a> {
        Contender::ours(format!("**`{}`**", self.kernels.name), work)
    }

    fn validation(&self, size: usize) {
        let kernels = self.kernels;
        let mut table = Table::new(Unit::GigabytesPerSecond);
        for corpus in TEXTS {
            let bytes = &*corpus.bytes(size);
            let check = |is_valid: bool| assert!(is_valid, "{} is well formed", corpus.name);
            let mut contenders = vec![
                self.ours(|| check(kernels.utf8(black_box(bytes)) == bytes.len())),
                Contender::peer("simdutf8", || check(simdutf8(kernels.name, black_box(bytes)))),
                Contender::peer("simdutf", || check(simdutf::validate_utf8(black_box(bytes)))),
                Contender::peer("std", || check(str::from_utf8(black_box(bytes)).is_ok())),
            ];
            self.measure(&mut table, corpus.name, size, &mut contenders);
        }
        table.print();
    }

    fn scans(&self, size: usize) {
        let kernels = self.kernels;
        let mut table = Table::new(Unit::GigabytesPerSecond);
        for corpus in DIRTY.iter().chain(LEGACY) {
            let bytes = &*corpus.bytes(size);
            // The library and std delimit ill-formed sequences differently, but agree on the
            // number of replacement characters.
            let expected = std_replacements(bytes);
            let check = |count: u64| assert_eq!(count, expected, "{}", corpus.name);
            let mut contenders = vec![
                self.ours(|| check(scan(kernels, bytes))),
                Contender::peer("std `utf8_chunks`", || check(std_replacements(bytes))),
            ];
            self.measure(&mut table, corpus.name, size, &mut contenders);
        }
        table.print();
    }

    fn line_feeds(&self, size: usize) {
        let bytes = TEXTS[0].bytes(size);
        let mut table = Table::new(Unit::GigabytesPerSecond);
        for (place, bytes) in [("memory", &*bytes), ("cache", &bytes[..size.min(CACHED)])] {
            let expected = memchr::memchr_iter(b'\n', bytes).count() as u64;
            let check = move |count: u64| assert_eq!(count, expected);
            let mut contenders = vec![
                Contender::ours("**`utf8`**", || {
                    check(kernel::count(black_box(bytes), |byte| byte == b'\n'));
                }),
                Contender::peer("memchr", || {
                    check(memchr::memchr_iter(b'\n', black_box(bytes)).count() as u64);
                }),
                Contender::peer("std", || {
                    check(black_box(bytes).iter().filter(|&&byte| byte == b'\n').count() as u64);
                }),
            ];
            self.measure(&mut table, place, bytes.len(), &mut contenders);
        }
        table.print();
    }

    fn write_utf16(&self, table: &mut Table, column: &str, text: &str) {
        let mut contenders = vec![
            self.converter("utf-8", "utf-16le", text.as_bytes()),
            peer("simdutf", BLOCK, |buffer| {
                for block in text_blocks(text) {
                    // SAFETY: a character has no more code units in UTF-16 than in UTF-8.
                    unsafe {
                        let _ = simdutf::convert_utf8_to_utf16le(
                            block.as_ptr(),
                            block.len(),
                            buffer.as_mut_ptr(),
                        );
                    }
                }
            }),
            peer("encoding_rs", BLOCK + 1, |buffer| {
                for block in text_blocks(text) {
                    encoding_rs::mem::convert_utf8_to_utf16(block.as_bytes(), buffer);
                }
            }),
        ];
        self.measure(table, column, text.len(), &mut contenders);
    }

    fn write_utf32(&self, table: &mut Table, column: &str, text: &str) {
        let mut contenders = vec![
            self.converter("utf-8", "utf-32le", text.as_bytes()),
            peer("simdutf", BLOCK, |buffer| {
                for block in text_blocks(text) {
                    // SAFETY: a character has at least one byte.
                    unsafe {
                        let _ = simdutf::convert_utf8_to_utf32(
                            block.as_ptr(),
                            block.len(),
                            buffer.as_mut_ptr(),
                        );
                    }
                }
            }),
        ];
        self.measure(table, column, text.len(), &mut contenders);
    }

    fn read_utf16(&self, table: &mut Table, column: &str, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let mut contenders = vec![
            self.converter("utf-16le", "utf-8", &bytes),
            peer("simdutf", 2 * BLOCK, |buffer| {
                for block in units.chunks(BLOCK / 2) {
                    // SAFETY: a code unit takes at most three bytes.
                    unsafe {
                        let _ = simdutf::convert_utf16le_to_utf8(
                            block.as_ptr(),
                            block.len(),
                            buffer.as_mut_ptr(),
                        );
                    }
                }
            }),
            peer("encoding_rs", 2 * BLOCK, |buffer| {
                for block in units.chunks(BLOCK / 2) {
                    encoding_rs::mem::convert_utf16_to_utf8(block, buffer);
                }
            }),
        ];
        self.measure(table, column, bytes.len(), &mut contenders);
    }

    fn read_utf32(&self, table: &mut Table, column: &str, text: &str) {
        let values: Vec<u32> = text.chars().map(u32::from).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let mut contenders = vec![
            self.converter("utf-32le", "utf-8", &bytes),
            peer("simdutf", 2 * BLOCK, |buffer| {
                for block in values.chunks(BLOCK / 4) {
                    // SAFETY: a code point takes at most four bytes.
                    unsafe {
                        let _ = simdutf::convert_utf32_to_utf8(
                            block.as_ptr(),
                            block.len(),
                            buffer.as_mut_ptr(),
                        );
                    }
                }
            }),
        ];
        self.measure(table, column, bytes.len(), &mut contenders);
    }

    /// Measures conversions of two code pages in both directions.
    fn pages(&self, size: usize) {
        let mut table = Table::new(Unit::GigabytesPerSecond);
        for (corpus, name) in LEGACY.iter().zip(["iso-8859-1", "windows-1251"]) {
            let page = encoding_rs::Encoding::for_label(name.as_bytes())
                .expect("label of the Encoding Standard");
            let bytes = &*corpus.bytes(size);
            let mut contenders = vec![self.converter(name, "utf-8", bytes)];
            if name == "iso-8859-1" {
                contenders.push(peer("simdutf", 2 * BLOCK, |buffer| {
                    for block in bytes.chunks(BLOCK) {
                        // SAFETY: a character takes at most two bytes.
                        unsafe {
                            let _ = simdutf::convert_latin1_to_utf8(
                                block.as_ptr(),
                                block.len(),
                                buffer.as_mut_ptr(),
                            );
                        };
                    }
                }));
                contenders.push(peer("encoding_rs", 2 * BLOCK, |buffer| {
                    for block in bytes.chunks(BLOCK) {
                        encoding_rs::mem::convert_latin1_to_utf8(block, buffer);
                    }
                }));
            } else {
                contenders.push(peer("encoding_rs", 3 * BLOCK, |buffer| {
                    let mut decoder = page.new_decoder_without_bom_handling();
                    for block in bytes.chunks(BLOCK) {
                        let _ = decoder.decode_to_utf8_without_replacement(block, buffer, false);
                    }
                }));
            }
            self.measure(&mut table, &format!("{name} to UTF-8"), size, &mut contenders);

            let (text, _) = page.decode_without_bom_handling(bytes);
            let mut contenders = vec![
                self.converter("utf-8", name, text.as_bytes()),
                peer("encoding_rs", 2 * BLOCK, |buffer| {
                    let mut encoder = page.new_encoder();
                    for block in text_blocks(&text) {
                        let _ = encoder.encode_from_utf8_without_replacement(block, buffer, false);
                    }
                }),
            ];
            self.measure(&mut table, &format!("UTF-8 to {name}"), text.len(), &mut contenders);
        }
        table.print();
    }

    /// Returns a contender that converts as the program does, and discards the output.
    fn converter<'a>(&self, from: &str, to: &str, bytes: &'a [u8]) -> Contender<'a> {
        let codec = |name| Encoding::for_label(name).expect("name of a codec");
        let (from, to, kernels) = (codec(from), codec(to), self.kernels);
        self.ours(move || convert(from, to, kernels, bytes))
    }
}

/// Validates with simdutf8 and the instructions of the kernel; those of AVX2 for AVX-512, which
/// simdutf8 does not use.
fn simdutf8(kernel: &str, bytes: &[u8]) -> bool {
    match kernel {
        // SAFETY: the CPU can run the kernel, which needs these instructions.
        #[cfg(target_arch = "x86_64")]
        "sse4.2" => unsafe { simdutf8::basic::imp::x86::sse42::validate_utf8(bytes).is_ok() },
        _ => simdutf8::basic::from_utf8(bytes).is_ok(),
    }
}

/// Returns a contender that writes into a buffer of this length.
fn peer<'a, T: Clone + Default + 'a>(
    name: &str,
    length: usize,
    work: impl Fn(&mut [T]) + 'a,
) -> Contender<'a> {
    let mut buffer = vec![T::default(); length];
    Contender::peer(name, move || work(&mut buffer))
}

/// Splits text into blocks between characters.
fn text_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let limit = BLOCK.min(rest.len());
        let end = (0..=limit).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or(limit);
        let block;
        (block, rest) = rest.split_at(end);
        (end > 0).then_some(block)
    })
}

fn convert(
    from: &'static Encoding,
    to: &'static Encoding,
    kernels: &'static Kernels,
    bytes: &[u8],
) {
    let mut conversion = Conversion::new(kernels, ConvertOptions::to(to));
    let mut out = Output::new(Box::new(io::sink()), "nothing");
    let mut sink = Convert::new(&mut conversion, from, 0..u64::MAX, &mut out);
    let mut scanner = from.open(0);
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes.len().min(at + 4 * BLOCK);
        let chunk = Chunk { bytes: &bytes[at..end], offset: at as u64, last: end == bytes.len() };
        at += scanner.scan(kernels, chunk, &mut sink).expect("the sink does not fail").consumed;
    }
    let (_, stop) = sink.end();
    assert!(stop.is_none(), "the text is well formed, and the target has all of it");
}

/// Counts replacement characters with std.
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
