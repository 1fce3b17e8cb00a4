//! How is the detector fed?

use super::sentences;
use utf8::detect::{Detection, Detector, EvidenceOptions};
use utf8::kernel::Kernels;
use utf8::registry::Encoding;

/// The text in the codec of this name.
pub fn encoded(text: &str, codec: &str) -> Vec<u8> {
    sentences::encoded(Encoding::for_label(codec).unwrap(), text)
}

/// The pieces of some bytes, which end at the cuts.
pub fn pieces<'a>(bytes: &'a [u8], cuts: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    starts.zip(cuts.iter().copied().chain([bytes.len()])).map(|(start, end)| &bytes[start..end])
}

/// What a detector says of bytes that come in pieces, which end at the cuts.
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
