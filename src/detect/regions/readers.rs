//! The legacy encodings of an input, as far as they are known.

use std::ops::Range;
use std::rc::Rc;

use super::Region;
use super::lines::GroupText;
use crate::detect::Answer;
use crate::detect::decision::legacy_answer;
use crate::detect::legacy::LineReader;
use crate::registry::Encoding;

/// The most rankings of legacy text for one input, which bounds the time. After that, lines are in
/// the encodings that were found before.
const RANKINGS: u32 = 256;

/// The least confidence in another encoding of lines, chosen by hand.
const LIKELY: f64 = 0.6;

/// The number of rankings without a change of the encoding from which the length of the lines that
/// are ranked doubles with each.
const VAIN_RANKINGS: u32 = 16;

/// The number of confirmations after which an encoding needs no more, chosen by hand.
const CONFIRMATIONS: u32 = 8;

/// The most encodings of regions that are tried on other lines.
const MOST_READERS: usize = 6;

/// The cost by which other lines must be likelier in another encoding, in sixteenths of a bit. Chosen
/// by hand.
pub(super) const CHANGE: i64 = 32 * 16;

/// Ranks legacy text, [`RANKINGS`] times at most, and keeps readers of the encodings found.
pub(super) struct LegacyReaders {
    rankings_left: u32,
    /// The number of rankings since the last change of the encoding that found none.
    vain_rankings: u32,
    /// The readers of the encodings that are expected or that regions have, the latest last.
    known: Vec<Rc<LineReader>>,
    /// All readers, one of an encoding, each with the number of rankings that confirmed it: a new one takes
    /// the time of reading a page of text.
    readers: Vec<(Rc<LineReader>, u32)>,
}

impl Default for LegacyReaders {
    fn default() -> LegacyReaders {
        LegacyReaders {
            rankings_left: RANKINGS,
            vain_rankings: 0,
            known: Vec::new(),
            readers: Vec::new(),
        }
    }
}

impl LegacyReaders {
    /// Returns the encoding of a text, unless there were too many rankings.
    pub fn rank(&mut self, text: &GroupText) -> Option<Answer> {
        self.rank_with_confidence(text).map(|(answer, _)| answer)
    }

    fn rank_with_confidence(&mut self, text: &GroupText) -> Option<(Answer, f64)> {
        self.spend()?;
        Some(legacy_answer(&text.utf8_test, text.sampler.clone().into_sample()))
    }

    /// Counts work that takes the time of a ranking. Returns `None` if there was too much.
    fn spend(&mut self) -> Option<()> {
        self.rankings_left = self.rankings_left.checked_sub(1)?;
        Some(())
    }

    /// Returns `true` if lines that fit their encoding badly, of this length in bytes, are to be
    /// ranked.
    pub fn is_worth_a_ranking(&self, len: usize) -> bool {
        len >> self.vain_rankings.saturating_sub(VAIN_RANKINGS).min(usize::BITS - 1) > 0
    }

    /// Counts a ranking of lines that fit their encoding badly.
    pub fn count_ranking(&mut self, has_change: bool) {
        self.vain_rankings = if has_change { 0 } else { self.vain_rankings + 1 };
    }

    /// Returns a reader for the encoding of a text.
    pub fn find(&mut self, text: &GroupText) -> Option<Rc<LineReader>> {
        match self.rank(text) {
            Some(Answer::Codec(codec)) => self.reader(codec),
            _ => None,
        }
    }

    /// Returns a reader for the encoding of a text, if that is likely.
    pub fn find_likely(&mut self, text: &GroupText) -> Option<Rc<LineReader>> {
        match self.rank_with_confidence(text) {
            Some((Answer::Codec(codec), LIKELY..)) => self.reader(codec),
            _ => None,
        }
    }

    /// Returns a reader for an encoding, if it is one that is ranked.
    pub fn reader(&mut self, codec: &'static Encoding) -> Option<Rc<LineReader>> {
        let mut readers = self.readers.iter();
        if let Some((reader, _)) = readers.find(|(reader, _)| reader.codec.name == codec.name) {
            return Some(Rc::clone(reader));
        }
        let reader = Rc::new(LineReader::new(codec)?);
        self.readers.push((Rc::clone(&reader), 0));
        Some(reader)
    }

    /// Expects an encoding: lines that fit it are not ranked.
    pub fn expect(&mut self, reader: Rc<LineReader>) {
        self.readers.push((Rc::clone(&reader), CONFIRMATIONS));
        self.known.push(reader);
    }

    /// Counts a ranking whose answer was the encoding that was expected of the lines.
    pub fn confirm(&mut self, reader: &LineReader) {
        let mut readers = self.readers.iter_mut();
        if let Some((_, number)) = readers.find(|(one, _)| one.codec.name == reader.codec.name) {
            *number += 1;
        }
    }

    /// Returns `true` if rankings have confirmed an encoding so often that lines that fit it are taken
    /// to be in it.
    pub fn is_confirmed(&self, reader: &LineReader) -> bool {
        let is_reader = |(one, _): &&(Rc<LineReader>, u32)| one.codec.name == reader.codec.name;
        self.readers.iter().find(is_reader).is_some_and(|(_, number)| *number >= CONFIRMATIONS)
    }

    /// Returns the readers of the encodings of regions.
    pub fn known(&self) -> &[Rc<LineReader>] {
        &self.known
    }

    /// Returns the reader of the last legacy region.
    pub fn last(&self) -> Option<Rc<LineReader>> {
        self.known.last().cloned()
    }

    /// Makes a region, and keeps a reader for its encoding.
    pub fn region(&mut self, bytes: Range<u64>, answer: Answer) -> Region {
        if let Answer::Codec(codec) = answer
            && let Some(reader) = self.reader(codec)
        {
            self.known.retain(|known| known.codec.name != codec.name);
            if self.known.len() == MOST_READERS {
                self.known.remove(0);
            }
            self.known.push(reader);
        }
        Region { bytes, answer }
    }
}
