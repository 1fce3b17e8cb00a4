//! EBCDIC, rewritten so that its code pages are ranked as others are.
//!
//! Letters, digits and some marks of ASCII have the same byte in all EBCDIC pages that are ranked.
//! In the rewritten sample, these bytes are ASCII and controls are those of ASCII; the other bytes,
//! which differ between the pages, are numbered from 80 on.

use std::sync::LazyLock;

use super::confidence::{RankedTexts, assign};
use super::model::{BIT, Model};
use super::pages::DetectedPage;
use super::pairs::{Pairs, SampleText};
use super::sample::LegacySample;
use super::symbols::EnglishCosts;
use super::{LegacyCandidate, group_by_text, single_byte};
use crate::codec::pages::{PAGES, by_rank};
use crate::registry::{Encoding, by_name};

/// The place of the first graphic character, a space. Controls are below, and at FF.
const FIRST_GRAPHIC: u8 = 0x40;

/// The rewriting of samples, and the pages that they are ranked in.
struct Rewriting {
    /// For each byte of EBCDIC, its byte in the rewritten sample.
    bytes: [u8; 256],
    pages: Vec<DetectedPage>,
    /// The page that is the answer where no byte tells the pages apart.
    usual: &'static Encoding,
}

impl Rewriting {
    fn get() -> &'static Rewriting {
        static REWRITING: LazyLock<Rewriting> = LazyLock::new(Rewriting::new);
        &REWRITING
    }

    fn new() -> Rewriting {
        let rows = by_rank(|row| {
            let prior = row.detect.filter(|_| row.family.is_ebcdic())?;
            Some((prior.rank, (row, prior, row.points())))
        });
        let (mut bytes, mut telling) = ([0; 256], Vec::new());
        for byte in 0..=u8::MAX {
            let points = rows.iter().map(|(_, _, points)| points[usize::from(byte)]);
            bytes[usize::from(byte)] = common_ascii(byte, points).unwrap_or_else(|| {
                telling.push(byte);
                u8::try_from(0x7F + telling.len()).expect("at most 128 bytes differ in the pages")
            });
        }
        let source = |byte: u8| telling.get(usize::from(byte & 0x7F)).copied().unwrap_or_default();
        let pages =
            rows.iter().map(|(row, prior, points)| DetectedPage::new(row, *prior, points, source));
        let pages: Vec<_> = pages.collect();
        Rewriting { bytes, usual: pages[0].codec, pages }
    }
}

/// Returns the ASCII character that a byte is in all pages, from its code point in each. Both line ends, next
/// line (15) and line feed (25), are U+000A, and controls that no text has U+0001.
fn common_ascii(byte: u8, mut points: impl Iterator<Item = u16>) -> Option<u8> {
    match byte {
        0x15 | 0x25 => Some(b'\n'),
        0x05 => Some(b'\t'),
        0x0C | 0x0D => Some(byte),
        _ if !(FIRST_GRAPHIC..0xFF).contains(&byte) => Some(1),
        _ => {
            let first = points.next().filter(|&point| point < 0x80)?;
            points.all(|point| point == first).then_some(first as u8)
        }
    }
}

/// A sample of bytes, rewritten as if they were EBCDIC.
pub(in crate::detect) struct EbcdicSample {
    /// The rewritten bytes: ASCII, and bytes beyond for characters that differ between pages.
    pub rewritten: Vec<u8>,
    /// The line end is that of pages with the line feed at 15.
    has_line_feed_at_15: bool,
}

impl EbcdicSample {
    pub fn new(bytes: &[u8]) -> EbcdicSample {
        let table = &Rewriting::get().bytes;
        let has = |byte| memchr::memchr(byte, bytes).is_some();
        EbcdicSample {
            rewritten: bytes.iter().map(|&byte| table[usize::from(byte)]).collect(),
            has_line_feed_at_15: has(0x15) && !has(0x25),
        }
    }

    /// Returns the pages that define all bytes, the best first. Pages that decode the bytes to the
    /// same text are adjacent. If all do, returns one.
    pub fn rank(&self) -> Vec<LegacyCandidate> {
        let ranked = self.rank_by_text();
        let codec = |one: &LegacyCandidate| match self.has_line_feed_at_15 {
            true => with_line_feed_at_15(one.codec),
            false => one.codec,
        };
        ranked.into_iter().map(|one| LegacyCandidate { codec: codec(&one), ..one }).collect()
    }

    /// As [`rank`](Self::rank), whatever the line end.
    fn rank_by_text(&self) -> Vec<LegacyCandidate> {
        let Rewriting { pages, usual, .. } = Rewriting::get();
        let model = Model::get();
        let mut sample = LegacySample::default();
        sample.add(&self.rewritten);
        sample.finish();
        let high: Vec<u8> = sample.high_bytes().collect();
        if high.is_empty() {
            return vec![LegacyCandidate {
                codec: usual,
                language: model.languages[0].name,
                confidence: 1.0,
                text: 0,
                fit: 1.0,
                cost: 0,
            }];
        }
        let text = SampleText::of(sample.windows());
        let pairs = Pairs::count(&text);
        let ranked = single_byte::rank_pages(model, pages, &high, &pairs, i64::MAX);
        let texts = RankedTexts::of(group_by_text(ranked), &sample, &pairs);
        assign(texts, &pairs, None)
    }
}

/// The bits by which text in EBCDIC must be likelier than ASCII to cast doubt on it, chosen by hand.
const MARGIN: i64 = 8;

impl LegacyCandidate {
    /// Returns `true` if bytes that are ASCII too are clearly likelier in this EBCDIC page than as
    /// English.
    pub(in crate::detect) fn is_likelier_than_ascii(&self, bytes: &[u8]) -> bool {
        let cost = EnglishCosts::of(Model::get()).of_word(bytes);
        self.cost + MARGIN * BIT < cost
    }
}

/// Returns the page that differs only in that 15 is the line feed, or the page itself if there is
/// none.
fn with_line_feed_at_15(page: &'static Encoding) -> &'static Encoding {
    let mut pages = PAGES.iter().filter(|row| row.family.is_ebcdic()).map(|row| by_name(row.name));
    let is_other = |other: &&Encoding| {
        other.code_point(0x15) == Some(0x0A)
            && (FIRST_GRAPHIC..=u8::MAX).all(|byte| other.code_point(byte) == page.code_point(byte))
    };
    pages.find(|other| is_other(other)).unwrap_or(page)
}
