//! What would these bytes be in some codec, and would it be text?

use std::io;
use std::ops::ControlFlow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::issue::{Class, Issue};
use crate::kernel;
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{Run, Sink};

/// How many code points are looked at, at most.
const MOST: usize = 4096;

/// How many lone surrogates may be in some bytes, and one more in so many of them: what is not
/// UTF-16 has one in 32 units by chance.
const LONE: u64 = 4;
const BYTES_FOR_LONE: u64 = 256;

/// What bytes are in a codec.
#[derive(Debug, Default)]
pub(super) struct TrialReading {
    /// The first code points, as far as they were asked for.
    pub values: Vec<u32>,
    /// How many lone surrogates are among the bytes.
    pub lone: u64,
    /// Whether the bytes end within a sequence.
    pub cut: bool,
}

/// Read bytes in a codec: what is `from` this code point on. `None` if they are ill-formed there,
/// but for a sequence that their end cuts, and for a few lone surrogates.
pub(super) fn read(codec: &Encoding, bytes: &[u8], from: u32) -> Option<TrialReading> {
    let mut reader = LenientSink { from, reading: TrialReading::default(), ill_formed: false };
    // What the end cuts is not judged then.
    let chunk = Chunk { bytes, offset: 0, last: false };
    let scanned = (codec.open)(0).scan(kernel::best(), chunk, &mut reader).ok()?;
    let cut = scanned.consumed < bytes.len();
    (!reader.ill_formed).then_some(TrialReading { cut, ..reader.reading })
}

/// Whether some bytes are well formed in this codec, but for their end.
pub(super) fn is(name: &str, bytes: &[u8]) -> bool {
    let reading = Encoding::for_label(name).and_then(|codec| read(codec, bytes, 0));
    reading.is_some_and(|reading| reading.lone == 0)
}

struct LenientSink {
    from: u32,
    reading: TrialReading,
    ill_formed: bool,
}

impl Sink for LenientSink {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let mut rest = run.bytes;
        let mut values = [0; 1024];
        while !rest.is_empty() && self.reading.values.len() < MOST {
            let loaded = run.reader.load(kernel::best(), rest, &mut values);
            let wanted = values[..loaded.written].iter().filter(|&&value| value >= self.from);
            self.reading.values.extend(wanted.take(MOST - self.reading.values.len()));
            rest = &rest[loaded.read..];
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.reading.lone += 1;
        let few = self.reading.lone <= LONE + issue.offset / BYTES_FOR_LONE;
        self.ill_formed = !few || issue.kind.class() != Class::Surrogate;
        Ok(if self.ill_formed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// How much do these code points look like text? More than 0 is likely, and the more of them the
/// more; what no text has weighs as much against it as many letters for it.
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

/// How many of these no text has: controls, and what is not assigned.
pub(super) fn junk(values: &[u32]) -> usize {
    values.iter().filter(|value| weight(0, **value) == JUNK).count()
}

/// What a code point weighs that no text has.
const JUNK: i32 = -24;

/// What a code point weighs behind another that is not ASCII.
fn weight(before: u32, value: u32) -> i32 {
    match value {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => 3,
        0x3000..=0x30FF => 3,
        0xFF01..=0xFF1F => 2,
        0xFF20..=0xFF9F => 1,
        0x4E00..=0x9FFF => i32::from(is_common(value)) * 4,
        0xAC00..=0xD7A3 | 0xFEFF => 0,
        0x1_F000..=0x1_FAFF => 3,
        _ => match category(value) {
            GeneralCategory::Unassigned
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Control => JUNK,
            _ if value >= 0x1_0000 => 1,
            // Two blanks or line ends are one character, too.
            _ if value == before => 0,
            _ if (0x2010..0x2040).contains(&value) || value == 0x20AC => 1,
            // Other marks are in a row of their own, and no script.
            _ if value >= 0x3000 || value >> 8 == 0x20 => -2,
            _ if value < 0x250 && before < 0x3000 || value < 0x100 => 2,
            _ if before == 0 || before >> 8 == value >> 8 => 2,
            _ => -2,
        },
    }
}

fn category(value: u32) -> GeneralCategory {
    char::from_u32(value).map_or(GeneralCategory::Surrogate, |c| c.general_category())
}

/// The ideographs that make up a quarter of Chinese text or more, in both scripts, and those that
/// Japanese has most.
const COMMON: &str = "的一是不了人我在有他这這中大来來上国國个個到说說们們为為子和你地出道也时時年得就那要下以生会會自着着去之过過家学學对對可她里裡后後小么麼心多天而能好都然没沒日于於起还還发發成事只作当當想看文无無开開手十用主行方又如前所本见見经經头頭面公同三已老从從动動两兩长長月分二知名新会東京者合見";

fn is_common(value: u32) -> bool {
    COMMON.chars().any(|c| u32::from(c) == value)
}

/// What syllables of Hangul weigh, where most are such: there are so many that few tell nothing.
pub(super) fn hangul(values: &[u32]) -> i32 {
    let number = values.iter().filter(|value| (0xAC00..=0xD7A3).contains(*value)).count();
    if number * 2 > values.len() { number as i32 } else { 0 }
}

/// Each of these code points once.
pub(super) fn distinct(values: &[u32]) -> Vec<u32> {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Whether these are ideographs, and nothing else: two at least, and not some few again and again.
pub(super) fn is_ideographic(values: &[u32]) -> bool {
    let distinct = distinct(values);
    let varied = distinct.len() >= 2 && distinct.len() * 2 > values.len();
    varied && values.iter().all(|value| (0x4E00..=0x9FFF).contains(value))
}
