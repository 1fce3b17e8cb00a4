//! Notations: every input is cut into pieces, and every text is read again as it was.

use crate::common::hex;
use crate::common::inputs::Rng;
use crate::common::log::{chunked, whole};
use crate::common::notation::{MODES, lacks, pieces, read};
use crate::common::written;
use utf8::codec::Group;
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};

use super::cuts;

pub fn cases() -> usize {
    2
}

/// Checks the parser on the bytes, or the writer on them as text and as code points.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let notations: Vec<&Encoding> =
        CODECS.iter().filter(|spec| spec.group == Group::Notation).collect();
    let (spec, escapes) = (rng.pick(&notations), rng.pick(&MODES));
    if case == 0 {
        let cuts = cuts(rng, bytes.len());
        pieces(spec, bytes);
        let (log, whole) = (chunked(spec, best(), bytes, &cuts).0, whole(spec, best(), bytes));
        return assert_eq!(log, whole, "{}: {} cut at {cuts:?}", spec.name, hex(bytes));
    }
    let text = String::from_utf8_lossy(bytes);
    let points = text.chars().map(u32::from).filter(|&value| !lacks(spec, value));
    let points: Vec<u32> = points.collect();
    let spelt = written(spec, escapes, points.iter().copied()).expect("it can spell them");
    assert_eq!(read(spec, &spelt), Some(points), "{} {escapes:?}: {}", spec.name, hex(&spelt));
}
