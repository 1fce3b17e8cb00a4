//! How is the detector fed?

use super::sentences;
use utf8::codec::{CODECS, find};
use utf8::detect::{Detector, Verdict, Wanted};
use utf8::kernel::Kernels;
use utf8::scan::Chunk;

/// The text in the codec of this name.
pub fn encoded(text: &str, codec: &str) -> Vec<u8> {
    sentences::encoded(find(codec).unwrap(), text)
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
