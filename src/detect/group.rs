//! Which lines next to each other are in one legacy set?
//!
//! Some lines of such a set are UTF-8 by chance, wholly or mostly: in sets of two bytes, every
//! fourth character is. So lines that may be are in doubt, until more is known of the set of those
//! about them. They belong to it if it holds them, and their text is none that only UTF-8 explains.
//! Where doubtful lines that follow each other are more than chance brings about, they are UTF-8.

use std::ops::Range;

use super::Answer;
use super::decision::legacy;
use super::high_bytes::HighByteSampler;
use super::line::{LineEvidence, LineKind};
use super::mixture::tells;
use super::regions::Region;
use super::utf8_test::Utf8Test;
use crate::codec::Group as Kind;
use crate::kernel::Kernels;

/// How often the language of lines is asked for. Behind that, they are in what the longest region
/// of a legacy set was in.
const ASKED: u32 = 256;

/// How many bytes of lines of a set tell which it is. Behind as many, doubts are judged, and again
/// whenever there are 16 times as many.
const TELLING: u64 = 1 << 10;

/// How many bytes of lines in doubt are kept.
const HELD: usize = 64 << 10;

/// Asks for the set of lines.
pub(super) struct SetAsker {
    left: u32,
    /// The length of the longest region of a legacy set so far, and what it is in.
    longest: (u64, Answer),
}

/// Lines of ASCII, of legacy sets, and those that may be.
pub(super) struct LineGroup {
    bytes: Range<u64>,
    /// What is no longer in doubt.
    text: GroupText,
    /// Lines in doubt, in order.
    doubts: Vec<DoubtfulLines>,
    /// How many bytes are kept of them.
    held: usize,
    /// Behind how many bytes of a legacy set doubts are judged.
    due: u64,
}

/// What tells the set of lines.
#[derive(Clone, Default)]
struct GroupText {
    odds: Utf8Test,
    thin: HighByteSampler,
    /// How many bytes, but for ASCII.
    len: u64,
}

/// Lines next to each other that are UTF-8, or mostly: if not by chance.
struct DoubtfulLines {
    bytes: Range<u64>,
    sort: LineKind,
    odds: Utf8Test,
    /// Those of them that are not ASCII.
    text: Vec<u8>,
}

/// What becomes of a line.
pub(super) enum LineDecision {
    /// The group goes on.
    More,
    /// It goes on, and its doubts are to be judged.
    Due,
    /// It ends before these lines, which are of this sort.
    End(Range<u64>, LineKind),
}

impl Default for SetAsker {
    fn default() -> SetAsker {
        SetAsker { left: ASKED, longest: (0, Answer::Unknown) }
    }
}

impl SetAsker {
    fn ask(&mut self, text: &GroupText) -> Answer {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                legacy(&text.odds, text.thin.clone().end())
            }
            None => self.longest.1,
        }
    }

    /// The region of a legacy set.
    fn region(&mut self, bytes: Range<u64>, answer: Answer) -> Region {
        let len = bytes.end - bytes.start;
        if len > self.longest.0 && matches!(answer, Answer::Codec(_)) {
            self.longest = (len, answer);
        }
        Region { bytes, answer }
    }
}

impl LineGroup {
    /// An empty one.
    pub fn at(offset: u64) -> LineGroup {
        let (text, doubts) = (GroupText::default(), Vec::new());
        LineGroup { bytes: offset..offset, text, doubts, held: 0, due: TELLING }
    }

    /// Go on with a line.
    pub fn line(&mut self, kernels: &Kernels, line: &LineEvidence, sort: LineKind) -> LineDecision {
        let start = self.bytes.end;
        let end = start + line.bytes.len() as u64;
        let next = match sort {
            LineKind::Ascii => self.ascii(kernels, line, end),
            LineKind::Legacy => self.legacy(kernels, line),
            LineKind::Utf8 | LineKind::Damaged => self.doubt(line, sort, end),
            _ => self.other(line, sort, end),
        };
        match &next {
            LineDecision::End(bytes, _) => self.bytes.end = bytes.start,
            _ => self.bytes.end = end,
        }
        next
    }

    /// Whether it has nothing but ASCII.
    fn is_ascii(&self) -> bool {
        self.text.len == 0 && self.doubts.is_empty()
    }

    fn ascii(&mut self, kernels: &Kernels, line: &LineEvidence, end: u64) -> LineDecision {
        match self.doubts.last_mut().filter(|doubt| doubt.bytes.end == self.bytes.end) {
            Some(doubt) => doubt.bytes.end = end,
            None => self.text.thin.add(kernels, &line.bytes),
        }
        LineDecision::More
    }

    fn legacy(&mut self, kernels: &Kernels, line: &LineEvidence) -> LineDecision {
        self.text.add(kernels, &line.bytes, &line.odds);
        if self.doubts.is_empty() || self.text.len < self.due {
            return LineDecision::More;
        }
        self.due = self.text.len * 16;
        LineDecision::Due
    }

    fn doubt(&mut self, line: &LineEvidence, sort: LineKind, end: u64) -> LineDecision {
        let start = if self.is_ascii() { self.bytes.start } else { self.bytes.end };
        let mut doubt = match self.doubts.pop() {
            Some(last) if last.goes_on(start, sort) => last,
            last => {
                self.doubts.extend(last);
                DoubtfulLines {
                    bytes: start..end,
                    sort,
                    odds: Utf8Test::default(),
                    text: Vec::new(),
                }
            }
        };
        doubt.add(line, end);
        if doubt.odds.is_beyond_chance() {
            return LineDecision::End(doubt.bytes, sort);
        }
        self.doubts.push(doubt);
        self.held += line.bytes.len();
        if self.held > HELD { LineDecision::Due } else { LineDecision::More }
    }

    /// A line of no legacy set, nor likely one.
    fn other(&mut self, line: &LineEvidence, sort: LineKind, end: u64) -> LineDecision {
        let start = self.bytes.end;
        if self.is_ascii() {
            return LineDecision::End(self.bytes.start..end, sort);
        }
        let last = self.doubts.last().filter(|doubt| doubt.bytes.end == start);
        let both = last.and_then(|doubt| doubt.sort.with(sort, line.bytes.len()));
        match both.and_then(|both| Some((both, self.doubts.pop()?))) {
            Some((both, doubt)) => LineDecision::End(doubt.bytes.start..end, both),
            None => LineDecision::End(start..end, sort),
        }
    }

    /// Judge the doubts. The regions of those that are in no legacy set end what is before them.
    pub fn judged(&mut self, kernels: &Kernels, asker: &mut SetAsker) -> Vec<Region> {
        let (answer, apart) = self.tell_apart(kernels, asker);
        let mut regions = Vec::new();
        for doubt in apart {
            let before = self.bytes.start..doubt.bytes.start;
            if !before.is_empty() {
                regions.push(asker.region(before, answer));
            }
            self.bytes.start = doubt.bytes.end;
            regions.push(Region { bytes: doubt.bytes, answer: doubt.sort.answer() });
        }
        regions
    }

    /// It has ended: what are its regions?
    pub fn end(mut self, kernels: &Kernels, asker: &mut SetAsker) -> Vec<Region> {
        let mut regions = self.judged(kernels, asker);
        let bytes = self.bytes.clone();
        if bytes.is_empty() {
            return regions;
        }
        regions.push(match self.text.len {
            0 => Region { bytes, answer: LineKind::Ascii.answer() },
            _ => {
                let answer = asker.ask(&self.text);
                asker.region(bytes, answer)
            }
        });
        regions
    }

    /// What the lines are in that are no longer in doubt, and the doubts that are apart from them.
    fn tell_apart(
        &mut self,
        kernels: &Kernels,
        asker: &mut SetAsker,
    ) -> (Answer, Vec<DoubtfulLines>) {
        let doubts = std::mem::take(&mut self.doubts);
        self.held = 0;
        if doubts.is_empty() || self.text.len == 0 {
            return (Answer::Unknown, doubts);
        }
        let all = self.text.with(kernels, doubts.iter());
        let answer = asker.ask(&all);
        if doubts.iter().all(|doubt| doubt.is_in(answer)) {
            self.text = all;
            return (answer, Vec::new());
        }
        let answer = asker.ask(&self.text);
        let (held, mut apart): (Vec<_>, Vec<_>) =
            doubts.into_iter().partition(|doubt| doubt.is_in(answer));
        let joined = self.text.with(kernels, held.iter());
        // They do not belong to it if they make something else of it.
        if held.is_empty() || asker.ask(&joined) == answer {
            self.text = joined;
        } else {
            apart.extend(held);
            apart.sort_unstable_by_key(|doubt| doubt.bytes.start);
        }
        (answer, apart)
    }
}

impl GroupText {
    fn add(&mut self, kernels: &Kernels, bytes: &[u8], odds: &Utf8Test) {
        self.thin.add(kernels, bytes);
        self.odds.join(odds);
        self.len += bytes.len() as u64;
    }

    /// It, and these.
    fn with<'a>(
        &self,
        kernels: &Kernels,
        doubts: impl Iterator<Item = &'a DoubtfulLines>,
    ) -> GroupText {
        let mut text = self.clone();
        for doubt in doubts {
            text.add(kernels, &doubt.text, &doubt.odds);
        }
        text
    }
}

impl DoubtfulLines {
    /// Whether a line of this sort follows it.
    fn goes_on(&self, offset: u64, sort: LineKind) -> bool {
        self.bytes.end == offset && self.sort == sort
    }

    fn add(&mut self, line: &LineEvidence, end: u64) {
        self.bytes.end = end;
        self.odds.join(&line.odds);
        self.text.extend_from_slice(&line.bytes);
    }

    /// Whether it is likely text of a legacy set.
    fn is_in(&self, set: Answer) -> bool {
        match set {
            Answer::Codec(codec) => {
                codec.issues(&self.text).is_empty()
                    && !(codec.group == Kind::Page && tells(&self.text, codec))
            }
            _ => false,
        }
    }
}
