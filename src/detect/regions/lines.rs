//! Lines: the kind of each, and groups of lines in one legacy encoding.
//!
//! Some lines in a legacy encoding are well-formed UTF-8 by chance, or mostly so: in double-byte
//! sets, about one character in four is. Well-formed lines next to legacy lines are therefore
//! *doubtful* until more is known of the legacy encoding. They belong to the legacy text if its
//! encoding can decode them and they hold no sequence that only UTF-8 explains. A series of
//! doubtful lines that is longer than chance explains is UTF-8.

use std::ops::Range;
use std::rc::Rc;

use memchr::memchr;

use super::Region;
use super::readers::{CHANGE, LegacyReaders};
use super::tail::{PageChange, TailLines};
use crate::detect::Answer;
use crate::detect::high_bytes::HighByteSampler;
use crate::detect::legacy::LineReader;
use crate::detect::mixture::has_deliberate_utf8;
use crate::detect::trial::is_well_formed;
use crate::detect::utf8_test::Utf8Test;
use crate::kernel::Kernels;

/// The least length, in bytes, of a line of UTF-8 that is evidence against binary data. In data
/// with NULs, shorter lines are UTF-8 by chance.
const LONG_LINE: usize = 32;

/// The number of bytes of legacy lines after which doubts are first resolved: fewer rarely show
/// the encoding. Doubts are resolved again each time that the length has grown 16-fold.
const FIRST_RESOLUTION: u64 = 1 << 10;

/// The most bytes of doubtful lines that are kept.
const DOUBTFUL_BYTES: usize = 64 << 10;

/// The least size of the parts in which lines are compared, in bytes.
const PART: usize = 256;

/// The difference of costs that further lines hardly turn.
const CERTAIN_EXCESS: i64 = 8 * CHANGE;

/// The most bytes that are compared, which bounds the time that a line takes.
const MOST_COMPARED: usize = 4 << 10;

/// A line, or a part of a long one, and the evidence in it.
#[derive(Default)]
pub(super) struct LineEvidence {
    /// The bytes received so far, with the line feed.
    pub bytes: Vec<u8>,
    pub utf8_test: Utf8Test,
    pub has_ill_formed: bool,
}

/// The kind of a line, or of a stretch of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// ASCII without NULs.
    Ascii,
    /// ASCII with NULs: binary data, unless UTF-8 follows.
    Nul,
    /// Well-formed UTF-8 beyond ASCII.
    Utf8,
    /// A stretch of [`Nul`](LineKind::Nul) and short UTF-8 lines: UTF-8, unless binary data follows.
    NulUtf8,
    /// Ill-formed, but mostly UTF-8.
    Damaged,
    /// Ill-formed and hardly UTF-8.
    Legacy,
    /// Ill-formed, with NULs.
    Binary,
}

impl LineEvidence {
    /// Returns the kind of the line, taken by itself.
    pub fn kind(&self) -> LineKind {
        let has_nul = || memchr(0, &self.bytes).is_some();
        match (self.has_ill_formed, self.bytes.is_ascii()) {
            (false, false) => LineKind::Utf8,
            (true, _) if has_nul() => LineKind::Binary,
            (_, true) if has_nul() => LineKind::Nul,
            (_, true) => LineKind::Ascii,
            (true, false) if self.utf8_test.is_mostly_utf8() => LineKind::Damaged,
            (true, false) => LineKind::Legacy,
        }
    }
}

impl LineKind {
    /// Returns the kind of a stretch of this kind with a further line of `len` bytes, or `None` if
    /// the line starts another region. Binary data has short lines of every kind.
    pub fn with(self, line: LineKind, len: usize) -> Option<LineKind> {
        match (self, line) {
            (_, LineKind::Ascii) => Some(self),
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Utf8) if len >= LONG_LINE => {
                Some(LineKind::Utf8)
            }
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Utf8) => Some(LineKind::NulUtf8),
            (LineKind::Nul | LineKind::NulUtf8, LineKind::Binary) => Some(LineKind::Binary),
            (LineKind::Nul, LineKind::Damaged | LineKind::Legacy) => Some(LineKind::Binary),
            (LineKind::NulUtf8 | LineKind::Utf8 | LineKind::Damaged, LineKind::Nul) => Some(self),
            (LineKind::Binary, _) => (line != LineKind::Utf8 || len < LONG_LINE).then_some(self),
            _ => (self == line).then_some(self),
        }
    }

    /// Returns the answer for a stretch of this kind. The encoding of legacy lines takes a ranking.
    pub fn answer(self) -> Answer {
        match self {
            LineKind::Ascii => Answer::named("us-ascii"),
            LineKind::Utf8 | LineKind::NulUtf8 => Answer::utf8(),
            LineKind::Damaged => Answer::Damaged,
            LineKind::Nul | LineKind::Binary => Answer::Binary,
            LineKind::Legacy => Answer::Unknown,
        }
    }
}

/// Consecutive lines of ASCII, lines in one legacy encoding, and doubtful lines between them.
pub(super) struct LineGroup {
    bytes: Range<u64>,
    /// The lines that are not doubtful, without those of the tail.
    text: GroupText,
    /// The reader of the lines, once there is one.
    reader: Option<Rc<LineReader>>,
    /// True if other lines have decided on the reader.
    is_reader_of_others: bool,
    /// The length of the lines, in bytes, from which they are ranked for a reader.
    next_ranking: u64,
    /// The last legacy lines, as long as they fit the encoding badly.
    tail: TailLines,
    /// The doubtful lines, in order.
    doubts: Vec<DoubtfulLines>,
    /// The total length of the doubtful lines, in bytes.
    doubtful_bytes: usize,
    /// The number of bytes of legacy lines after which doubts are resolved next.
    next_resolution: u64,
}

/// The lines that are ranked.
#[derive(Clone, Default)]
pub(super) struct GroupText {
    pub utf8_test: Utf8Test,
    pub sampler: HighByteSampler,
    /// The length of the lines that are not ASCII, in bytes.
    pub len: u64,
}

/// Consecutive lines that are UTF-8, or mostly, unless by chance.
struct DoubtfulLines {
    bytes: Range<u64>,
    kind: LineKind,
    utf8_test: Utf8Test,
    /// The lines that are not ASCII.
    text: Vec<u8>,
}

/// The effect of a line on a group.
pub(super) enum LineOutcome {
    /// The line is part of the group.
    Joined,
    /// The line is part of the group, and the doubts have to be resolved.
    ResolveDoubts,
    /// The group ends before these lines, which have this kind.
    EndedBefore(Range<u64>, LineKind),
    /// The group ends before lines in another legacy encoding.
    ChangedTo(Box<LineGroup>),
}

impl LineGroup {
    /// Creates an empty group at an offset.
    pub fn new(offset: u64) -> LineGroup {
        LineGroup {
            bytes: offset..offset,
            text: GroupText::default(),
            reader: None,
            is_reader_of_others: false,
            next_ranking: 1,
            tail: TailLines::default(),
            doubts: Vec::new(),
            doubtful_bytes: 0,
            next_resolution: FIRST_RESOLUTION,
        }
    }

    /// Adds the line that follows the group.
    pub fn add_line(
        &mut self,
        kernels: &Kernels,
        line: &LineEvidence,
        kind: LineKind,
        readers: &mut LegacyReaders,
    ) -> LineOutcome {
        let start = self.bytes.end;
        let end = start + line.bytes.len() as u64;
        let mut outcome = match kind {
            LineKind::Ascii => self.add_ascii(kernels, line, end),
            LineKind::Legacy => self.add_legacy(kernels, line, readers),
            LineKind::Utf8 | LineKind::Damaged => self.add_doubtful(line, kind, end),
            LineKind::Nul | LineKind::NulUtf8 | LineKind::Binary => {
                self.end_before(line, kind, end)
            }
        };
        match &mut outcome {
            LineOutcome::EndedBefore(bytes, _) => self.bytes.end = bytes.start,
            LineOutcome::ChangedTo(group) => {
                self.bytes.end = group.bytes.start;
                group.bytes.end = end;
            }
            LineOutcome::Joined | LineOutcome::ResolveDoubts => self.bytes.end = end,
        }
        outcome
    }

    /// Returns `true` if the group has no line beyond ASCII.
    fn is_ascii(&self) -> bool {
        self.text.len == 0 && self.tail.is_empty() && self.doubts.is_empty()
    }

    fn add_ascii(&mut self, kernels: &Kernels, line: &LineEvidence, end: u64) -> LineOutcome {
        match self.doubts.last_mut().filter(|doubt| doubt.bytes.end == self.bytes.end) {
            Some(doubt) => doubt.bytes.end = end,
            None => self.text.sampler.add(kernels, &line.bytes),
        }
        LineOutcome::Joined
    }

    fn add_legacy(
        &mut self,
        kernels: &Kernels,
        line: &LineEvidence,
        readers: &mut LegacyReaders,
    ) -> LineOutcome {
        if self.reader.is_none() {
            self.reader = readers.last();
            self.is_reader_of_others = self.reader.is_some();
        }
        match &self.reader {
            Some(reader) if self.tail.is_empty() && reader.is_fitted_by(&line.bytes) => {
                self.text.add(kernels, &line.bytes, &line.utf8_test);
            }
            Some(reader) => {
                let (bytes, utf8_test) = (line.bytes.clone(), line.utf8_test.clone());
                self.tail.add(self.bytes.end, bytes, utf8_test, reader);
                if let Some(change) = self.find_change(kernels, readers) {
                    return LineOutcome::ChangedTo(self.split(kernels, change));
                }
                if !self.tail.is_suspect() {
                    self.end_tail(kernels);
                }
            }
            None => {
                self.text.add(kernels, &line.bytes, &line.utf8_test);
                if self.text.len >= self.next_ranking {
                    self.next_ranking = self.text.len * 2;
                    self.reader = readers.find(&self.text);
                }
            }
        }
        if self.doubts.is_empty() || self.text.len < self.next_resolution {
            return LineOutcome::Joined;
        }
        self.next_resolution = self.text.len * 16;
        LineOutcome::ResolveDoubts
    }

    /// Moves the tail to the other lines.
    fn end_tail(&mut self, kernels: &Kernels) {
        for line in self.tail.take() {
            self.text.add(kernels, &line.bytes, &line.utf8_test);
        }
    }

    /// Returns the lines of the tail that are in another encoding than those before. If the other
    /// encoding fits the lines before as well, it is taken for the whole group instead.
    fn find_change(
        &mut self,
        kernels: &Kernels,
        readers: &mut LegacyReaders,
    ) -> Option<PageChange> {
        let reader = self.reader.clone()?;
        let change = self.tail.find_change(kernels, &reader, readers)?;
        let mut whole = None;
        if self.text.excess(&change.reader, &reader) <= CHANGE {
            whole = Some(Rc::clone(&change.reader));
        } else if change.is_new {
            // The encoding of few lines may be a wrong guess.
            let part = &self.tail.lines()[change.lines.clone()];
            let mut text = self.text.clone();
            part.iter().for_each(|line| text.add(kernels, &line.bytes, &line.utf8_test));
            whole = readers.find(&text).filter(|third| {
                let in_part: i64 =
                    part.iter().map(|line| third.excess(&change.reader, &line.bytes)).sum();
                let excess = self.text.excess(third, &reader) + in_part;
                excess + third.prior <= reader.prior + CHANGE
            });
        }
        let Some(reader) = whole else { return Some(change) };
        self.end_tail(kernels);
        self.reader = Some(reader);
        self.is_reader_of_others = false;
        None
    }

    /// Ends the group before lines in another encoding. Returns the group that these start.
    fn split(&mut self, kernels: &Kernels, change: PageChange) -> Box<LineGroup> {
        let mut lines = self.tail.take();
        let after = lines.split_off(change.lines.end);
        let changed = lines.split_off(change.lines.start);
        lines.iter().for_each(|line| self.text.add(kernels, &line.bytes, &line.utf8_test));
        let start = changed.first().map_or(self.bytes.end, |line| line.start);
        let mut group = LineGroup::new(start);
        changed.iter().for_each(|line| group.text.add(kernels, &line.bytes, &line.utf8_test));
        for line in after {
            group.tail.add(line.start, line.bytes, line.utf8_test, &change.reader);
        }
        group.reader = Some(change.reader);
        group.is_reader_of_others = !change.is_new;
        let moved = self.doubts.partition_point(|doubt| doubt.bytes.start < start);
        group.doubts = self.doubts.split_off(moved);
        group.doubtful_bytes = group.doubts.iter().map(|doubt| doubt.text.len()).sum();
        Box::new(group)
    }

    fn add_doubtful(&mut self, line: &LineEvidence, kind: LineKind, end: u64) -> LineOutcome {
        let start = if self.is_ascii() { self.bytes.start } else { self.bytes.end };
        let mut doubt = match self.doubts.pop() {
            Some(last) if last.is_continued_by(start, kind) => last,
            last => {
                self.doubts.extend(last);
                let (utf8_test, text) = (Utf8Test::default(), Vec::new());
                DoubtfulLines { bytes: start..end, kind, utf8_test, text }
            }
        };
        doubt.add(line, end);
        if doubt.utf8_test.is_beyond_chance() {
            return LineOutcome::EndedBefore(doubt.bytes, kind);
        }
        self.doubts.push(doubt);
        self.doubtful_bytes += line.bytes.len();
        match self.doubtful_bytes > DOUBTFUL_BYTES {
            true => LineOutcome::ResolveDoubts,
            false => LineOutcome::Joined,
        }
    }

    /// Ends the group before a line with NULs, and before the doubtful lines next to it that form
    /// a stretch with it.
    fn end_before(&mut self, line: &LineEvidence, kind: LineKind, end: u64) -> LineOutcome {
        let start = self.bytes.end;
        if self.is_ascii() {
            return LineOutcome::EndedBefore(self.bytes.start..end, kind);
        }
        let last = self.doubts.last().filter(|doubt| doubt.bytes.end == start);
        let both = last.and_then(|doubt| doubt.kind.with(kind, line.bytes.len()));
        match both.and_then(|both| Some((both, self.doubts.pop()?))) {
            Some((both, doubt)) => LineOutcome::EndedBefore(doubt.bytes.start..end, both),
            None => LineOutcome::EndedBefore(start..end, kind),
        }
    }

    /// Decides which doubtful lines belong to the legacy text. Returns the regions that end before
    /// the rest of the group: the doubtful lines that are UTF-8, and the legacy text before each.
    pub fn resolve_doubts(
        &mut self,
        kernels: &Kernels,
        readers: &mut LegacyReaders,
    ) -> Vec<Region> {
        self.end_tail(kernels);
        let (answer, separate) = self.absorb_doubts(kernels, readers);
        let mut regions = Vec::new();
        for doubt in separate {
            let before = self.bytes.start..doubt.bytes.start;
            if !before.is_empty() {
                regions.push(readers.region(before, answer));
            }
            self.bytes.start = doubt.bytes.end;
            regions.push(Region { bytes: doubt.bytes, answer: doubt.kind.answer() });
        }
        regions
    }

    /// Ends the group and returns its remaining regions.
    pub fn finish(mut self, kernels: &Kernels, readers: &mut LegacyReaders) -> Vec<Region> {
        let mut regions = self.resolve_doubts(kernels, readers);
        let bytes = self.bytes.clone();
        if bytes.is_empty() {
            return regions;
        }
        regions.push(match self.text.len {
            0 => Region { bytes, answer: LineKind::Ascii.answer() },
            _ => {
                let answer = self.answer(&self.text, readers);
                readers.region(bytes, answer)
            }
        });
        regions
    }

    /// Returns the encoding of text of the group. What other lines are in counts, unless the text is
    /// much likelier in another encoding.
    fn answer(&self, text: &GroupText, readers: &mut LegacyReaders) -> Answer {
        let given = self.reader.as_ref().filter(|_| self.is_reader_of_others);
        if let Some(given) = given
            && readers.is_confirmed(given)
            && !text.utf8_test.favours_utf8()
            && text.misfit(given) <= 0
        {
            return Answer::Codec(given.codec);
        }
        match (readers.rank(text), given) {
            (Some(answer), None) => answer,
            (Some(Answer::Damaged), Some(_)) => Answer::Damaged,
            (Some(answer), Some(given)) => {
                let other = match answer {
                    Answer::Codec(codec) => readers.reader(codec),
                    _ => None,
                };
                if other.as_ref().is_some_and(|other| other.codec.name == given.codec.name) {
                    readers.confirm(given);
                }
                let is_given = match other {
                    Some(other) => text.excess(given, &other) + given.prior <= other.prior + CHANGE,
                    None => text.misfit(given) <= CHANGE,
                };
                if is_given { Answer::Codec(given.codec) } else { answer }
            }
            (None, _) => match self.reader.clone().or_else(|| readers.last()) {
                Some(reader) => Answer::Codec(reader.codec),
                None => Answer::Unknown,
            },
        }
    }

    /// Moves the doubtful lines that belong to the legacy text into it. Returns the encoding of the
    /// text and the doubtful lines that remain.
    fn absorb_doubts(
        &mut self,
        kernels: &Kernels,
        readers: &mut LegacyReaders,
    ) -> (Answer, Vec<DoubtfulLines>) {
        let doubts = std::mem::take(&mut self.doubts);
        self.doubtful_bytes = 0;
        if doubts.is_empty() || self.text.len == 0 {
            return (Answer::Unknown, doubts);
        }
        let all = self.text.with(kernels, doubts.iter());
        let answer = self.answer(&all, readers);
        if doubts.iter().all(|doubt| doubt.is_text_of(answer)) {
            self.text = all;
            return (answer, Vec::new());
        }
        let answer = self.answer(&self.text, readers);
        let (decodable, mut separate): (Vec<_>, Vec<_>) =
            doubts.into_iter().partition(|doubt| doubt.is_text_of(answer));
        let joined = self.text.with(kernels, decodable.iter());
        // Lines that change the ranking do not belong to the text.
        if decodable.is_empty() || self.answer(&joined, readers) == answer {
            self.text = joined;
        } else {
            separate.extend(decodable);
            separate.sort_unstable_by_key(|doubt| doubt.bytes.start);
        }
        (answer, separate)
    }
}

impl GroupText {
    /// Returns by how much the lines cost more in one encoding than in another, or a part of that which
    /// leaves no doubt. Of long text, a sample counts.
    fn excess(&self, reader: &LineReader, other: &LineReader) -> i64 {
        let (mut sum, mut compared) = (0, 0);
        for part in self.sampler.windows().flat_map(parts) {
            sum += reader.excess(other, part);
            compared += part.len();
            if sum.abs() > CERTAIN_EXCESS || compared > MOST_COMPARED {
                break;
            }
        }
        sum
    }

    /// Returns the sum of the misfits of the words in an encoding. Of long text, a sample counts.
    fn misfit(&self, reader: &LineReader) -> i64 {
        self.sampler.windows().map(|window| reader.cost(window).misfit).sum()
    }

    pub fn add(&mut self, kernels: &Kernels, bytes: &[u8], utf8_test: &Utf8Test) {
        self.sampler.add(kernels, bytes);
        self.utf8_test.merge(utf8_test);
        self.len += bytes.len() as u64;
    }

    /// Returns the text with some doubtful lines added.
    fn with<'a>(
        &self,
        kernels: &Kernels,
        doubts: impl Iterator<Item = &'a DoubtfulLines>,
    ) -> GroupText {
        let mut text = self.clone();
        for doubt in doubts {
            text.add(kernels, &doubt.text, &doubt.utf8_test);
        }
        text
    }
}

/// Splits text after the first line end behind each [`PART`] bytes.
fn parts(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let near = text.len().min(PART);
        let end = memchr(b'\n', &text[near..]).map_or(text.len(), |at| near + at + 1);
        (!text.is_empty()).then(|| text.split_off(..end)).flatten()
    })
}

impl DoubtfulLines {
    /// Returns `true` if a line of this kind at this offset extends the series.
    fn is_continued_by(&self, offset: u64, kind: LineKind) -> bool {
        self.bytes.end == offset && self.kind == kind
    }

    fn add(&mut self, line: &LineEvidence, end: u64) {
        self.bytes.end = end;
        self.utf8_test.merge(&line.utf8_test);
        self.text.extend_from_slice(&line.bytes);
    }

    /// Returns `true` if the lines are likely text of a legacy encoding: well formed in it and, for
    /// a code page, without a sequence that only UTF-8 explains.
    fn is_text_of(&self, answer: Answer) -> bool {
        match answer {
            Answer::Codec(codec) => {
                is_well_formed(codec, &self.text)
                    && !(codec.is_page() && has_deliberate_utf8(&self.text, codec))
            }
            _ => false,
        }
    }
}
