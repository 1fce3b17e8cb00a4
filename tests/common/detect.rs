//! Input for the detector.

use super::sentences;
use utf8::detect::{Detection, Detector, EvidenceOptions};
use utf8::kernel::Kernels;
use utf8::registry::Encoding;

/// Encodes text in the encoding of a name.
pub fn encoded(text: &str, codec: &str) -> Vec<u8> {
    sentences::encoded(Encoding::for_label(codec).unwrap(), text)
}

/// Splits bytes at the cuts.
pub fn pieces<'a>(bytes: &'a [u8], cuts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(cuts.iter().copied().chain([bytes.len()])).map(|(start, end)| &bytes[start..end])
}

/// Returns the detector's verdict on bytes that are cut in pieces.
pub fn in_pieces(
    kernels: &'static Kernels,
    bytes: &[u8],
    cuts: &[usize],
    wanted: EvidenceOptions,
) -> Detection {
    let mut detector = Detector::with(kernels, 0..u64::MAX, wanted);
    let _ = pieces(bytes, cuts).try_for_each(|piece| detector.push(piece));
    detector.finish()
}
