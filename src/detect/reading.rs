//! What would these bytes be in some codec, and would it be text?

use std::io;
use std::ops::ControlFlow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::codec::Spec;
use crate::issue::{Issue, Kind};
use crate::kernel;
use crate::scan::Chunk;
use crate::sink::{Run, Sink};

/// How many code points are looked at, at most.
const MOST: usize = 4096;

/// What bytes are in a codec.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The first code points.
    pub values: Vec<u32>,
    /// Whether the bytes end within a sequence.
    pub cut: bool,
}

/// Read bytes in a codec. `None` if they are ill-formed there, but for a sequence that their end
/// cuts.
pub(super) fn read(codec: &Spec, bytes: &[u8]) -> Option<Reading> {
    let mut reader = Strict::default();
    let chunk = Chunk { bytes, offset: 0, last: true };
    // The sink has no errors.
    let _ = (codec.open)(0).scan(kernel::best(), chunk, &mut reader);
    (!reader.ill_formed).then_some(reader.reading)
}

#[derive(Default)]
struct Strict {
    reading: Reading,
    ill_formed: bool,
}

impl Sink for Strict {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let room = MOST - self.reading.values.len();
        let mut values = vec![0; room.min(run.bytes.len())];
        let loaded = run.reader.load(kernel::best(), run.bytes, &mut values);
        self.reading.values.extend_from_slice(&values[..loaded.written]);
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.reading.cut = issue.kind == Kind::TruncatedEnd;
        self.ill_formed = !self.reading.cut;
        Ok(ControlFlow::Break(()))
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

/// What a code point weighs behind another that is not ASCII.
fn weight(before: u32, value: u32) -> i32 {
    match value {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => 3,
        0x3000..=0x30FF | 0xFF01..=0xFF9F => 3,
        0x4E00..=0x9FFF => i32::from(is_common(value)) * 4,
        0xAC00..=0xD7A3 | 0xFEFF => 0,
        0x1_F000..=0x1_FAFF => 3,
        _ => match category(value) {
            GeneralCategory::Unassigned
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Control => -24,
            _ if value >= 0x1_0000 => 1,
            // Two blanks or line ends are one character, too.
            _ if value == before => 0,
            _ if value >= 0x3000 => -2,
            _ if value < 0x250 || before == 0 || before >> 8 == value >> 8 => 2,
            _ if (0x2010..0x2040).contains(&value) => 1,
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

/// Whether these are ideographs, and nothing else: two at least, and not some few again and again.
pub(super) fn is_ideographic(values: &[u32]) -> bool {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let varied = distinct.len() >= 2 && distinct.len() * 2 > values.len();
    varied && values.iter().all(|value| (0x4E00..=0x9FFF).contains(value))
}
