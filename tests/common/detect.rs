//! How is the detector fed?

use utf8::codec::{CODECS, Escapes, find};
use utf8::detect::{Detector, Verdict, Wanted};
use utf8::kernel::Kernels;
use utf8::scan::Chunk;

/// The text in a codec.
pub fn encoded(text: &str, codec: &str) -> Vec<u8> {
    let mut writer = (find(codec).unwrap().write)(Escapes::Usual);
    let mut out = Vec::new();
    for c in text.chars() {
        assert!(writer.put(c.into(), &mut out), "{codec} lacks {c}");
    }
    writer.finish(&mut out);
    out
}

/// What a detector says of bytes that come in pieces, which end at the cuts.
pub fn in_pieces(
    kernels: &'static Kernels,
    bytes: &[u8],
    cuts: &[usize],
    wanted: Wanted,
) -> Verdict {
    let mut detector = Detector::new(kernels, 0..u64::MAX, wanted);
    let mut scanner = (CODECS[0].open)(0);
    let mut start = 0;
    for &cut in cuts.iter().chain([&bytes.len()]) {
        let last = cut == bytes.len();
        let chunk = Chunk { bytes: &bytes[start..cut], offset: start as u64, last };
        let scanned = scanner.scan(kernels, chunk, &mut detector).unwrap();
        start += scanned.consumed;
        if scanned.flow.is_break() || last {
            break;
        }
    }
    detector.verdict()
}
