//! How fast is a conversion, in memory, on one thread?
//!
//! `cargo run --release --bin convert -- [--size 64m] [--runs 7]`
//!
//! Every row of [kernel](utf8::kernel::available) that this CPU can run, against encoding_rs and
//! simdutf. All convert an input of this size in pieces into one buffer that is used again.

use std::io;
use std::ops::ControlFlow;

use utf8::Issue;
use utf8::codec::{Escapes, TextWriter};
use utf8::kernel::{self, Kernels};
use utf8::registry::Encoding;
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};
use utf8_benches::args::Args;
use utf8_benches::corpus::{LEGACY, TEXTS};
use utf8_benches::harness::{Amount, Contender, compare};
use utf8_benches::machine::Who;

/// How many bytes are converted at a time: few enough that the cache has what was written.
const PIECE: usize = 64 << 10;

/// How many code points are between a reader and a writer.
const BLOCK: usize = 2048;

fn main() {
    let args = Args::parse();
    let chosen =
        |name: &str| args.operands.is_empty() || args.operands.iter().any(|o| name.contains(o));
    for corpus in TEXTS.iter().filter(|c| chosen(c.name)) {
        let bytes = corpus.bytes(args.size);
        let text = std::str::from_utf8(&bytes).expect("texts are well formed");
        from_utf8(corpus.name, text, args.runs);
        from_utf16(corpus.name, text, args.runs);
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

/// One of our contenders for each kernel.
fn ours<'a>(from: &str, to: &str, bytes: &'a [u8]) -> Vec<Contender<'a>> {
    let (from, to) =
        (Encoding::for_label(from).expect("a codec"), Encoding::for_label(to).expect("a codec"));
    kernel::available()
        .filter(|kernels| kernels.name != "scalar")
        .map(move |kernels| {
            let mut out = Vec::new();
            let work = move || convert(from, to, kernels, bytes, &mut out);
            Contender::new(format!("kernel {}", kernels.name), work)
        })
        .collect()
}

/// A contender with a buffer of this length.
fn peer<'a, T: Clone + Default + 'a>(
    name: &str,
    room: usize,
    work: impl Fn(&mut [T]) + 'a,
) -> Contender<'a> {
    let mut room = vec![T::default(); room];
    Contender::new(name, move || work(&mut room))
}

/// Text in pieces that cut no character.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let most = PIECE.min(rest.len());
        let end = (0..=most).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or(most);
        let piece;
        (piece, rest) = rest.split_at(end);
        (end > 0).then_some(piece)
    })
}

fn from_utf8(name: &str, text: &str, runs: usize) {
    let amount = Amount::Bytes(text.len());
    let mut them = ours("utf-8", "utf-16le", text.as_bytes());
    them.push(peer("encoding_rs", PIECE + 1, |room| {
        for piece in pieces(text) {
            encoding_rs::mem::convert_utf8_to_utf16(piece.as_bytes(), room);
        }
    }));
    them.push(peer("simdutf", PIECE, |room| {
        for piece in pieces(text) {
            // SAFETY: no form has less bytes than units.
            unsafe {
                let _ = simdutf::convert_utf8_to_utf16le(
                    piece.as_ptr(),
                    piece.len(),
                    room.as_mut_ptr(),
                );
            }
        }
    }));
    compare(&format!("UTF-8 to UTF-16LE: {name}"), amount, runs, Who::Us, &mut them);

    let mut them = ours("utf-8", "utf-32le", text.as_bytes());
    them.push(peer("simdutf", PIECE, |room| {
        for piece in pieces(text) {
            // SAFETY: no form has less bytes than values.
            unsafe {
                let _ =
                    simdutf::convert_utf8_to_utf32(piece.as_ptr(), piece.len(), room.as_mut_ptr());
            }
        }
    }));
    compare(&format!("UTF-8 to UTF-32LE: {name}"), amount, runs, Who::Us, &mut them);
}

fn from_utf16(name: &str, text: &str, runs: usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let mut them = ours("utf-16le", "utf-8", &bytes);
    them.push(peer("encoding_rs", 2 * PIECE, |room| {
        for piece in units.chunks(PIECE / 2) {
            encoding_rs::mem::convert_utf16_to_utf8(piece, room);
        }
    }));
    them.push(peer("simdutf", 2 * PIECE, |room| {
        for piece in units.chunks(PIECE / 2) {
            // SAFETY: no unit takes more than three bytes.
            unsafe {
                let _ = simdutf::convert_utf16le_to_utf8(
                    piece.as_ptr(),
                    piece.len(),
                    room.as_mut_ptr(),
                );
            }
        }
    }));
    let title = format!("UTF-16LE to UTF-8: {name}");
    compare(&title, Amount::Bytes(bytes.len()), runs, Who::Us, &mut them);
}

fn from_page(name: &str, bytes: &[u8], runs: usize) {
    let mut them = ours(name, "utf-8", bytes);
    if name == "iso-8859-1" {
        them.push(peer("encoding_rs", 2 * PIECE, |room| {
            for piece in bytes.chunks(PIECE) {
                encoding_rs::mem::convert_latin1_to_utf8(piece, room);
            }
        }));
        them.push(peer("simdutf", 2 * PIECE, |room| {
            for piece in bytes.chunks(PIECE) {
                // SAFETY: no character takes more than two bytes.
                unsafe {
                    let _ = simdutf::convert_latin1_to_utf8(
                        piece.as_ptr(),
                        piece.len(),
                        room.as_mut_ptr(),
                    );
                };
            }
        }));
    } else {
        them.push(peer("encoding_rs", 3 * PIECE, |room| {
            let mut decoder = encoding(name).new_decoder_without_bom_handling();
            for piece in bytes.chunks(PIECE) {
                let _ = decoder.decode_to_utf8_without_replacement(piece, room, false);
            }
        }));
    }
    let title = format!("{name} to UTF-8");
    compare(&title, Amount::Bytes(bytes.len()), runs, Who::Us, &mut them);
}

fn encoding(name: &str) -> &'static encoding_rs::Encoding {
    encoding_rs::Encoding::for_label(name.as_bytes()).expect("a label of the standard")
}

fn to_page(name: &str, text: &str, runs: usize) {
    let mut them = ours("utf-8", name, text.as_bytes());
    them.push(peer("encoding_rs", 2 * PIECE, |room| {
        let mut encoder = encoding(name).new_encoder();
        for piece in pieces(text) {
            let _ = encoder.encode_from_utf8_without_replacement(piece, room, false);
        }
    }));
    let title = format!("UTF-8 to {name}");
    compare(&title, Amount::Bytes(text.len()), runs, Who::Us, &mut them);
}

/// Convert as the program does. What was written is thrown away, as if it went into a file.
fn convert(from: &Encoding, to: &Encoding, kernels: &Kernels, bytes: &[u8], out: &mut Vec<u8>) {
    let mut sink =
        Convert { kernels, writer: (to.write)(Escapes::Usual), values: vec![0; BLOCK], out };
    let mut scanner = (from.open)(0);
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes.len().min(at + 4 * PIECE);
        let chunk = Chunk { bytes: &bytes[at..end], offset: at as u64, last: end == bytes.len() };
        at += scanner.scan(kernels, chunk, &mut sink).expect("the sink does not fail").consumed;
    }
}

struct Convert<'a> {
    kernels: &'a Kernels,
    writer: Box<dyn TextWriter>,
    values: Vec<u32>,
    out: &'a mut Vec<u8>,
}

impl Sink for Convert<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let mut at = 0;
        while at < run.bytes.len() {
            let loaded = run.reader.load(self.kernels, &run.bytes[at..], &mut self.values);
            let values = &self.values[..loaded.written];
            assert_eq!(self.writer.store(self.kernels, values, self.out), values.len());
            at += loaded.read;
            if self.out.len() >= PIECE {
                self.out.clear();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        panic!("{issue:?}")
    }
}
