//! Speed of conversions, in memory, on one thread.
//!
//! `cargo run --release --bin convert -- [--size 64m] [--runs 7] [NAME...]`
//!
//! Compares each [available](utf8::kernel::available) kernel with encoding_rs and simdutf. All of
//! them convert the input block by block into one buffer. A NAME selects the corpora and code pages
//! whose names contain it.

use std::io;

use utf8::convert::{Conversion, Convert, ConvertOptions};
use utf8::kernel::{self, Kernels};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::scan::Chunk;
use utf8_benches::args::Args;
use utf8_benches::corpus::{LEGACY, TEXTS};
use utf8_benches::harness::{Contender, Unit, compare};
use utf8_benches::machine::CpuTime;

/// The bytes that are converted at a time: few enough that the output stays in the cache.
const BLOCK: usize = 64 << 10;

fn main() {
    let args = Args::parse();
    let chosen =
        |name: &str| args.operands.is_empty() || args.operands.iter().any(|o| name.contains(o));
    for corpus in TEXTS.iter().filter(|c| chosen(c.name)) {
        let bytes = corpus.bytes(args.size);
        let text = std::str::from_utf8(&bytes).expect("texts are well formed");
        from_utf8(corpus.name, text, args.runs);
        from_utf16(corpus.name, text, args.runs);
        from_utf32(corpus.name, text, args.runs);
    }
    for (corpus, name) in
        LEGACY.iter().zip(["iso-8859-1", "windows-1251"]).filter(|(_, c)| chosen(c))
    {
        let bytes = corpus.bytes(args.size);
        from_page(name, &bytes, args.runs);
        let (text, _) = encoding(name).decode_without_bom_handling(&bytes);
        to_page(name, &text, args.runs);
    }
}

/// Returns a contender for each kernel.
fn kernel_contenders<'a>(from: &str, to: &str, bytes: &'a [u8]) -> Vec<Contender<'a>> {
    let (from, to) = (
        Encoding::for_label(from).expect("name of a codec"),
        Encoding::for_label(to).expect("name of a codec"),
    );
    kernel::available()
        .filter(|kernels| kernels.name != "scalar")
        .map(move |kernels| {
            let work = move || convert(from, to, kernels, bytes);
            Contender::new(format!("kernel {}", kernels.name), work)
        })
        .collect()
}

/// Returns a contender that writes into a buffer of this length.
fn peer<'a, T: Clone + Default + 'a>(
    name: &str,
    length: usize,
    work: impl Fn(&mut [T]) + 'a,
) -> Contender<'a> {
    let mut buffer = vec![T::default(); length];
    Contender::new(name, move || work(&mut buffer))
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

fn from_utf8(name: &str, text: &str, runs: usize) {
    let unit = Unit::BytesPerSecond(text.len());
    let mut contenders = kernel_contenders("utf-8", "utf-16le", text.as_bytes());
    contenders.push(peer("encoding_rs", BLOCK + 1, |buffer| {
        for block in text_blocks(text) {
            encoding_rs::mem::convert_utf8_to_utf16(block.as_bytes(), buffer);
        }
    }));
    contenders.push(peer("simdutf", BLOCK, |buffer| {
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
    }));
    compare(
        &format!("UTF-8 to UTF-16LE: {name}"),
        unit,
        runs,
        CpuTime::OwnProcess,
        &mut contenders,
    );

    let mut contenders = kernel_contenders("utf-8", "utf-32le", text.as_bytes());
    contenders.push(peer("simdutf", BLOCK, |buffer| {
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
    }));
    compare(
        &format!("UTF-8 to UTF-32LE: {name}"),
        unit,
        runs,
        CpuTime::OwnProcess,
        &mut contenders,
    );
}

fn from_utf16(name: &str, text: &str, runs: usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let mut contenders = kernel_contenders("utf-16le", "utf-8", &bytes);
    contenders.push(peer("encoding_rs", 2 * BLOCK, |buffer| {
        for block in units.chunks(BLOCK / 2) {
            encoding_rs::mem::convert_utf16_to_utf8(block, buffer);
        }
    }));
    contenders.push(peer("simdutf", 2 * BLOCK, |buffer| {
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
    }));
    let title = format!("UTF-16LE to UTF-8: {name}");
    compare(&title, Unit::BytesPerSecond(bytes.len()), runs, CpuTime::OwnProcess, &mut contenders);
}

fn from_utf32(name: &str, text: &str, runs: usize) {
    let values: Vec<u32> = text.chars().map(u32::from).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut contenders = kernel_contenders("utf-32le", "utf-8", &bytes);
    contenders.push(peer("simdutf", BLOCK, |buffer| {
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
    }));
    let title = format!("UTF-32LE to UTF-8: {name}");
    compare(&title, Unit::BytesPerSecond(bytes.len()), runs, CpuTime::OwnProcess, &mut contenders);
}

fn from_page(name: &str, bytes: &[u8], runs: usize) {
    let mut contenders = kernel_contenders(name, "utf-8", bytes);
    if name == "iso-8859-1" {
        contenders.push(peer("encoding_rs", 2 * BLOCK, |buffer| {
            for block in bytes.chunks(BLOCK) {
                encoding_rs::mem::convert_latin1_to_utf8(block, buffer);
            }
        }));
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
    } else {
        contenders.push(peer("encoding_rs", 3 * BLOCK, |buffer| {
            let mut decoder = encoding(name).new_decoder_without_bom_handling();
            for block in bytes.chunks(BLOCK) {
                let _ = decoder.decode_to_utf8_without_replacement(block, buffer, false);
            }
        }));
    }
    let title = format!("{name} to UTF-8");
    compare(&title, Unit::BytesPerSecond(bytes.len()), runs, CpuTime::OwnProcess, &mut contenders);
}

fn encoding(name: &str) -> &'static encoding_rs::Encoding {
    encoding_rs::Encoding::for_label(name.as_bytes()).expect("label of the Encoding Standard")
}

fn to_page(name: &str, text: &str, runs: usize) {
    let mut contenders = kernel_contenders("utf-8", name, text.as_bytes());
    contenders.push(peer("encoding_rs", 2 * BLOCK, |buffer| {
        let mut encoder = encoding(name).new_encoder();
        for block in text_blocks(text) {
            let _ = encoder.encode_from_utf8_without_replacement(block, buffer, false);
        }
    }));
    let title = format!("UTF-8 to {name}");
    compare(&title, Unit::BytesPerSecond(text.len()), runs, CpuTime::OwnProcess, &mut contenders);
}

/// Converts as the program does, and discards the output.
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
