//! What is undone in a line?

use std::ops::Range;

use super::certainty::Oddity;
use super::pages::{PageSet, Pages};
use super::run::SequenceRun;
use super::sequence::DoubleSequence;

/// The most layers that are told. Deeper ones are undone all the same.
const DEEPEST: usize = 7;

/// How often a line is looked through, at most. There are as many layers at most as there can be
/// in [`LONGEST`](super::LONGEST) bytes; only what is made to could go on for longer.
const PASSES: usize = 32;

/// The pages that a piece was read in by mistake, the last mistake first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageLayers {
    pages: [u8; DEEPEST],
    pub count: u8,
}

impl PageLayers {
    /// The numbers of the pages.
    pub fn pages(&self) -> &[u8] {
        &self.pages[..usize::from(self.count)]
    }

    fn push(&mut self, page: usize) {
        if usize::from(self.count) < DEEPEST {
            self.pages[usize::from(self.count)] = page as u8;
            self.count += 1;
        }
    }
}

/// Where a character comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharOrigin {
    pub start: u32,
    pub end: u32,
    pub layers: PageLayers,
}

/// A part of the line that something was found in.
pub(super) struct LineMatch<'a> {
    /// Its bytes.
    pub part: Range<usize>,
    /// The characters that it is now.
    pub values: Range<usize>,
    pub why: MatchOutcome<'a>,
}

/// What was done with it.
pub(super) enum MatchOutcome<'a> {
    Undone(PageLayers),
    /// It is in this run.
    Left(&'a SequenceRun),
}

/// A line, or as much of it as is looked at together.
#[derive(Default)]
pub(super) struct TextLine {
    /// The characters that matter: all that are not ASCII, and the first two and the last two of
    /// each stretch of ASCII between them. The very first may be undone, if it is a blank.
    pub values: Vec<char>,
    /// Where each comes from.
    pub origins: Vec<CharOrigin>,
    /// What was found last: in order, and apart from each other.
    pub runs: Vec<SequenceRun>,
    /// What the runs spell.
    pub sequences: Vec<DoubleSequence>,
    /// How odd it is; empty if nobody asked yet.
    pub odds: Vec<Oddity>,
    /// Whether nothing was undone yet.
    pub untouched: bool,
    /// What one of them spells, while it is judged.
    pub spelt: Vec<char>,
    /// The pages that the line has been through for certain.
    confirmed: PageSet,
}

/// What is known beside a line.
pub(super) struct LineContext<'a> {
    pub pages: &'a Pages,
    /// Whether the page was named: what can be undone is.
    pub named: bool,
    /// The pages that the text before has been through for certain.
    pub seen: PageSet,
    /// The two characters before the line.
    pub before: [char; 2],
}

impl TextLine {
    /// Undo what there is to undo. What was found and left is in [`Line::runs`] then.
    pub fn solve(&mut self, text: &str, around: &LineContext<'_>) {
        self.read(text);
        (self.confirmed, self.untouched) = (0, true);
        for _ in 0..PASSES {
            self.find(text, around);
            self.side();
            let certain = self.runs.iter().filter(|run| run.is_certain(around.seen));
            self.confirmed |= certain.fold(0, |set, run| set | run.alike);
            if !self.apply(self.confirmed, around) && !self.apply_afresh(around) {
                return;
            }
        }
        self.runs.clear();
    }

    /// Decide between peers, where what is certain was read in one of them alone.
    fn side(&mut self) {
        if self.runs.iter().any(|run| run.second.is_some()) {
            let certain = self.runs.iter().filter(|run| run.is_certain(0));
            let pages = certain.fold(PageSet::MAX, |set, run| set & run.alike);
            self.runs.iter_mut().for_each(|run| run.side_with(pages));
        }
    }

    /// Put in its place what would be certain if the line came once more, as it is now: to undo
    /// what was undone changes nothing.
    fn apply_afresh(&mut self, around: &LineContext<'_>) -> bool {
        let around = LineContext { seen: 0, ..*around };
        self.runs.iter_mut().for_each(|run| run.raw = true);
        let certain = self.runs.iter().filter(|run| run.is_certain(0));
        let confirmed = certain.fold(0, |set, run| set | run.alike);
        self.apply(confirmed, &around)
    }

    /// What was undone, and what was left of the runs that were found, in order.
    pub fn findings(&self) -> Vec<LineMatch<'_>> {
        let mut findings = Vec::new();
        let mut runs = self.runs.iter().peekable();
        let mut at = 0;
        while let Some(first) = self.origins.get(at) {
            while runs.next_if(|run| run.from.end <= at).is_some() {}
            let found = match runs.peek() {
                _ if first.layers.count > 0 => {
                    Some((self.undone(at), MatchOutcome::Undone(first.layers)))
                }
                Some(run) if run.from.start <= at => {
                    Some((self.left(at, run), MatchOutcome::Left(run)))
                }
                _ => None,
            };
            let values = at..found.as_ref().map_or(at + 1, |found| found.0);
            at = values.end;
            if let Some((end, why)) = found {
                let part = first.start as usize..self.origins[end - 1].end as usize;
                findings.push(LineMatch { part, values, why });
            }
        }
        findings
    }

    /// Where the characters end that were undone with this one.
    fn undone(&self, at: usize) -> usize {
        let goes_on =
            |pair: &&[CharOrigin]| (pair[0].end, pair[0].layers) == (pair[1].start, pair[1].layers);
        at + 1 + self.origins[at..].windows(2).take_while(goes_on).count()
    }

    /// Where the characters of this run end that were not undone, as this one.
    fn left(&self, at: usize, run: &SequenceRun) -> usize {
        let rest = &self.origins[at..run.from.end];
        at + rest.iter().take_while(|origin| origin.layers.count == 0).count()
    }

    /// The pages that the line has been through.
    pub fn confirmed(&self) -> PageSet {
        self.confirmed
    }

    fn read(&mut self, text: &str) {
        self.values.clear();
        self.origins.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let ascii = bytes[at..].iter().take_while(|byte| byte.is_ascii()).count();
            for near in (0..ascii.min(2)).chain(ascii.saturating_sub(2).max(2)..ascii) {
                self.push(char::from(bytes[at + near]), at + near);
            }
            at += ascii;
            for value in text[at..].chars().take_while(|value| !value.is_ascii()) {
                self.push(value, at);
                at += value.len_utf8();
            }
        }
    }

    fn push(&mut self, value: char, start: usize) {
        self.values.push(value);
        let (start, end) = (start as u32, (start + value.len_utf8()) as u32);
        self.origins.push(CharOrigin { start, end, layers: PageLayers::default() });
    }

    /// Put what is certain in its place. Returns whether anything is.
    fn apply(&mut self, confirmed: PageSet, around: &LineContext<'_>) -> bool {
        let (mut read, mut written) = (0, 0);
        let runs = std::mem::take(&mut self.runs);
        for run in &runs {
            if run.convinces(confirmed, around) {
                written = self.move_down(read..run.from.start, written);
                written = self.join(run, written);
                read = run.from.end;
            }
        }
        self.runs = runs;
        if read > 0 {
            self.untouched = false;
            let len = self.move_down(read..self.values.len(), written);
            self.values.truncate(len);
            self.origins.truncate(len);
        }
        read > 0
    }

    /// Move these characters to this place, and return where they end there.
    fn move_down(&mut self, from: Range<usize>, to: usize) -> usize {
        self.values.copy_within(from.clone(), to);
        self.origins.copy_within(from.clone(), to);
        to + from.len()
    }

    /// Put what the run spells in this place, and return where it ends there.
    fn join(&mut self, run: &SequenceRun, to: usize) -> usize {
        let (mut read, mut written) = (run.from.start, to);
        for sequence in &self.sequences[run.to.clone()] {
            let origin = joined(&self.origins[read..read + sequence.len], run.page);
            (self.values[written], self.origins[written]) = (sequence.value, origin);
            read += sequence.len;
            written += 1;
        }
        written
    }
}

/// The origin of a character that is made of these.
fn joined(origins: &[CharOrigin], page: usize) -> CharOrigin {
    let deepest = origins.iter().max_by_key(|origin| origin.layers.count);
    let mut layers = deepest.map_or(PageLayers::default(), |origin| origin.layers);
    layers.push(page);
    CharOrigin { start: origins[0].start, end: origins[origins.len() - 1].end, layers }
}
