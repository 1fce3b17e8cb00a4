//! Trial decoding: reads bytes in a codec, and rates how plausible the result is as text.

use std::io;
use std::ops::ControlFlow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::legacy::east_asian_bits;
use crate::issue::{Class, Issue};
use crate::kernel;
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{IssueKeeper, Run, Sink, flow_if};

/// The most code points that are kept.
const MOST_VALUES: usize = 4096;

/// The number of lone surrogates that are tolerated in any text. Bytes that are not UTF-16 have one
/// in 32 units by chance.
const LONE_SURROGATES: u64 = 4;

/// The number of bytes that allow one more.
const BYTES_PER_SURROGATE: u64 = 256;

/// Bytes read in a codec.
#[derive(Debug, Default)]
pub(super) struct TrialReading {
    /// The first code points that were asked for, up to [`MOST_VALUES`].
    pub values: Vec<u32>,
    /// The number of lone surrogates.
    pub lone_surrogates: u64,
    /// True if the bytes end within a sequence.
    pub is_cut: bool,
}

/// Reads bytes in a codec and keeps the code points from `from` on. Returns `None` if the bytes are
/// ill-formed, other than by a sequence cut at the end or a few lone surrogates.
pub(super) fn read(codec: &Encoding, bytes: &[u8], from: u32) -> Option<TrialReading> {
    let mut sink = LenientSink { from, reading: TrialReading::default(), ill_formed: false };
    // With `last: false`, a sequence cut at the end is no issue.
    let chunk = Chunk { bytes, offset: 0, last: false };
    let scanned = codec.open(0).scan(kernel::best(), chunk, &mut sink).ok()?;
    let is_cut = scanned.consumed < bytes.len();
    (!sink.ill_formed).then_some(TrialReading { is_cut, ..sink.reading })
}

/// Returns `true` if bytes are well formed in a codec.
pub(super) fn is_well_formed(codec: &Encoding, bytes: &[u8]) -> bool {
    let mut first = IssueKeeper(None);
    let chunk = Chunk { bytes, offset: 0, last: true };
    // The sink has no errors.
    let _ = codec.open(0).scan(kernel::best(), chunk, &mut first);
    first.0.is_none()
}

/// Returns `true` if bytes are well formed in the codec of this name, except for a sequence cut at
/// the end.
pub(super) fn is_well_formed_in(name: &str, bytes: &[u8]) -> bool {
    let reading = Encoding::for_label(name).and_then(|codec| read(codec, bytes, 0));
    reading.is_some_and(|reading| reading.lone_surrogates == 0)
}

/// Collects code points, and stops at ill-formed sequences other than a few lone surrogates.
struct LenientSink {
    /// The first code point to keep.
    from: u32,
    reading: TrialReading,
    ill_formed: bool,
}

impl Sink for LenientSink {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let mut rest = run.bytes;
        let mut values = [0; 1024];
        while !rest.is_empty() && self.reading.values.len() < MOST_VALUES {
            let loaded = run.reader.load(kernel::best(), rest, &mut values);
            let wanted = values[..loaded.written].iter().filter(|&&value| value >= self.from);
            self.reading.values.extend(wanted.take(MOST_VALUES - self.reading.values.len()));
            rest = &rest[loaded.read..];
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.reading.lone_surrogates += 1;
        let few =
            self.reading.lone_surrogates <= LONE_SURROGATES + issue.offset / BYTES_PER_SURROGATE;
        self.ill_formed = !few || issue.kind.class() != Class::Surrogate;
        Ok(flow_if(!self.ill_formed))
    }
}

/// Rates how much code points look like text, as a sum of weights. The text is likelier than not
/// above 0. The sum grows with the length of the text; a code point that no text has weighs as much
/// against it as many letters for it.
pub(super) fn plausibility(values: &[u32]) -> i32 {
    let mut before = 0;
    let weigh = |&value: &u32| {
        let weight = weight(before, value);
        if value >= 0x80 {
            before = value;
        }
        weight
    };
    values.iter().map(weigh).sum()
}

/// Returns the number of code points that no text has: controls, and unassigned or private ones.
pub(super) fn junk(values: &[u32]) -> usize {
    values.iter().filter(|value| weight(0, **value) == JUNK).count()
}

/// Returns `true` for the blocks from Basic Latin to Latin Extended-B, and Latin Extended Additional, in
/// which most letters of Vietnamese are.
pub(super) fn is_latin(value: u32) -> bool {
    matches!(value, ..0x250 | 0x1E00..0x1F00)
}

/// The weight of a code point that no text has.
const JUNK: i32 = -24;

/// Returns the weight of a code point, where `before` is the last code point beyond ASCII, or 0. A
/// letter weighs more after one of the same row of 256 code points, as in text of one script.
fn weight(before: u32, value: u32) -> i32 {
    match value {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => 3,
        0x3000..=0x30FF => 3,
        0xFF01..=0xFF1F => 2,
        0xFF20..=0xFF9F => 1,
        0x4E00..=0x9FFF => frequency_weight(value),
        0xAC00..=0xD7A3 | 0xFEFF => 0,
        0x1_F000..=0x1_FAFF => 3,
        _ => match category(value) {
            GeneralCategory::Unassigned
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Control => JUNK,
            // Runs of spaces or line ends, read as UTF-16, repeat one code point (U+2020, U+0A0A).
            _ if value == before => 0,
            // Pairs of small 16-bit numbers, read as UTF-32, are in various rows, or rare ideographs.
            _ if value >= 0x2_0000 => 0,
            _ if value >= 0x1_0000 => i32::from(before >> 8 == value >> 8),
            _ if (0x200B..0x2040).contains(&value) || value == 0x20AC => 1,
            // The remaining punctuation of U+20xx, and rare scripts and forms from U+3000 on.
            _ if value >= 0x3000 || value >> 8 == 0x20 => -2,
            _ if is_latin(value) && before < 0x3000 || value < 0x100 => 2,
            _ if before != 0 && before >> 8 != value >> 8 => -2,
            _ => 2,
        },
    }
}

fn category(value: u32) -> GeneralCategory {
    char::from_u32(value).map_or(GeneralCategory::Surrogate, |c| c.general_category())
}

/// Returns the weight of an ideograph or a syllable of Hangul: 4 for the hundred most frequent of a
/// language, which are a quarter of text or more, to 1 for those that are hardly frequent. Those that
/// no language uses weigh against the text.
pub(super) fn frequency_weight(value: u32) -> i32 {
    match u16::try_from(value).ok().and_then(east_asian_bits) {
        Some(..=8) => 4,
        Some(..=10) => 3,
        Some(..=12) => 2,
        Some(..=14) => 1,
        Some(_) => 0,
        None => -4,
    }
}

/// Returns the additional weight of Hangul syllables, where they are the majority. There are so
/// many of them that a few are no evidence.
pub(super) fn hangul_weight(values: &[u32]) -> i32 {
    let syllables = || values.iter().filter(|value| (0xAC00..=0xD7A3).contains(*value));
    match syllables().count() * 2 > values.len() {
        true => syllables().map(|&value| frequency_weight(value)).sum(),
        false => 0,
    }
}

/// Returns each code point once, in order.
pub(super) fn distinct(values: &[u32]) -> Vec<u32> {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Returns `true` if code points are ideographs only, with two different ones at least, and few
/// repetitions.
pub(super) fn is_ideographic(values: &[u32]) -> bool {
    let distinct = distinct(values);
    let varied = distinct.len() >= 2 && distinct.len() * 2 > values.len();
    varied && values.iter().all(|value| (0x4E00..=0x9FFF).contains(value))
}
