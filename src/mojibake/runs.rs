//! Which runs of a line could be undone?

use std::ops::Range;

use super::certainty::{MERIT, is_stray, oddities, oddity};
use super::line::{CharOrigin, LineContext, TextLine};
use super::pages::{MOST, PageSet, Pages};
use super::run::SequenceRun;
use super::sequence::DoubleSequence;
use super::skip;

/// How many layers below one are looked at, to judge it.
const AHEAD: usize = 3;

/// How much of a run is looked at for that, in characters.
const GLIMPSE: usize = 64;

impl TextLine {
    /// Find the runs of every page, and keep of those that overlap the best.
    pub fn find(&mut self, text: &str, around: &LineContext<'_>) {
        self.runs.clear();
        self.sequences.clear();
        self.odds.clear();
        let mut until = [0; MOST];
        for at in 0..self.values.len().saturating_sub(1) {
            let leads = around.pages.entry(self.values[at]).leads;
            if leads == 0 {
                continue;
            }
            let mut set = leads & around.pages.trails(self.values[at + 1]);
            while set != 0 {
                let page = set.trailing_zeros() as usize;
                set &= set - 1;
                if until[page] <= at
                    && let Some(run) = self.run(page, at, text, around)
                {
                    until[page] = run.from.end;
                    self.consider(run, around);
                }
            }
        }
    }

    /// The run of this page that starts here, not judged yet.
    fn run(
        &mut self,
        page: usize,
        start: usize,
        text: &str,
        around: &LineContext<'_>,
    ) -> Option<SequenceRun> {
        let first = self.sequences.len();
        let (mut at, mut lost) = (start, 0);
        while let Some(sequence) =
            around.pages.sequence(page, &self.values[at..], |blank| self.after(at + blank, text))
        {
            at += sequence.len;
            lost += usize::from(sequence.lossy);
            self.sequences.push(sequence);
        }
        if !self.may_start(start, &self.sequences[first..]) {
            return None;
        }
        let (from, to) = (start..at, first..self.sequences.len());
        let untouched = |origin: &CharOrigin| origin.layers.count == 0;
        let raw = self.untouched || self.origins[from.clone()].iter().all(untouched);
        let stranger = |&value: &char| around.pages.entry(value).bytes[page] == 0;
        let whole = lost == 0 && self.beside(&from).flatten().all(stranger);
        let (alike, gain, rivals, second) = (1 << page, 0, 0, None);
        let run = SequenceRun { from, to, page, alike, gain, rivals, second, whole, lost, raw };
        (at > start).then_some(run)
    }

    /// Whether a run may start with the first of these sequences: as in text that is entered only
    /// behind it, what is no start by itself does not keep the others from being judged.
    fn may_start(&self, start: usize, sequences: &[DoubleSequence]) -> bool {
        match sequences {
            [first, _, ..] if first.lossy => skip::starts(&self.values[start..], first.len),
            _ => true,
        }
    }

    /// The characters before and after this part, if there are any.
    fn beside(&self, part: &Range<usize>) -> impl Iterator<Item = Option<&char>> {
        let before = part.start.checked_sub(1).and_then(|at| self.values.get(at));
        [before, self.values.get(part.end)].into_iter()
    }

    /// How much less odd is the line with this run undone? Half as much for each character beside
    /// it that is odd itself. `None` if it is certainly less than `enough`, and that more than 0.
    fn gain(&mut self, run: &SequenceRun, enough: i32, around: &LineContext<'_>) -> Option<i32> {
        let odd = self.odd(&run.from, around);
        let most = odd + MERIT * (run.to.len() as i32 + 1);
        if enough > 0 && most < enough {
            return None;
        }
        let before = self.before(run.from.start, around);
        let after = self.values.get(run.from.end).copied().unwrap_or('\n');
        let mut spelt = std::mem::take(&mut self.spelt);
        spelt.clear();
        spelt.extend(self.spelt(run));
        let gain = odd - least(around.pages, before, &spelt, after, AHEAD);
        self.spelt = spelt;
        let of_pages = |&&value: &&char| around.pages.roles(value) != 0;
        let strays = self.beside(&run.from).flatten().filter(of_pages);
        Some(gain >> strays.filter(|&&value| is_stray(value)).count())
    }

    /// How odd is this part of the line, as it stands?
    fn odd(&mut self, part: &Range<usize>, around: &LineContext<'_>) -> i32 {
        if self.odds.is_empty() {
            oddities(around.before, &self.values, &mut self.odds);
        }
        self.odds[part.end].met - self.odds[part.start].before
    }

    /// What the run spells.
    fn spelt(&self, run: &SequenceRun) -> impl Iterator<Item = char> {
        self.sequences[run.to.clone()].iter().map(|sequence| sequence.value)
    }

    /// The character after this one, and the text from there on as it was.
    fn after<'a>(&self, at: usize, text: &'a str) -> (char, &'a str) {
        let rest = &text[self.origins[at].end as usize..];
        let next = self.values.get(at + 1).copied();
        let ascii = rest.chars().next().filter(char::is_ascii);
        (ascii.or(next).unwrap_or('\n'), rest)
    }

    /// The two characters before this one.
    fn before(&self, at: usize, around: &LineContext<'_>) -> [char; 2] {
        let back = |back| at.checked_sub(back).map(|at| self.values[at]);
        match (back(2), back(1)) {
            (Some(far), Some(near)) => [far, near],
            (_, Some(near)) => [around.before[1], near],
            _ => around.before,
        }
    }

    /// Judge a run, and keep the better of it and what it overlaps.
    fn consider(&mut self, mut run: SequenceRun, around: &LineContext<'_>) {
        let last = self.runs.last().filter(|last| last.from.end > run.from.start);
        let Some(last) = last else {
            run.gain = self.gain(&run, i32::MIN, around).unwrap_or_default();
            self.runs.push(run);
            return;
        };
        let same = last.from == run.from && self.spelt(last).eq(self.spelt(&run));
        let part = run.from.end <= last.from.end && run.from.len() < last.from.len();
        if part && around.pages.kin[run.page] >> last.page & 1 == 1 {
            return;
        }
        if !same {
            let Some(gain) = self.gain(&run, last.worthwhile(), around) else { return };
            run.gain = gain;
        }
        let Some(last) = self.runs.last_mut() else { return };
        if same {
            last.alike |= run.alike;
            last.whole |= run.whole;
        } else {
            last.compete(run, around.pages);
        }
    }
}

/// How odd is this text, or what it spells if it was encoded once more and again?
fn least(pages: &Pages, before: [char; 2], text: &[char], after: char, ahead: usize) -> i32 {
    let odd = oddity(before, text, after);
    let shared = |set, &value| set & pages.roles(value);
    let glimpse = ahead > 0 && text.len() <= GLIMPSE;
    let mut set = if glimpse { text.iter().fold(PageSet::MAX, shared) } else { 0 };
    let mut least_yet = odd;
    while set != 0 {
        let page = set.trailing_zeros() as usize;
        set &= set - 1;
        if let Some(below) = spelt(pages, page, text) {
            least_yet = least_yet.min(least(pages, before, &below, after, ahead - 1));
        }
    }
    least_yet
}

/// What all of this text spells in a page.
fn spelt(pages: &Pages, page: usize, mut text: &[char]) -> Option<Vec<char>> {
    let mut values = Vec::new();
    while !text.is_empty() {
        let sequence = pages.sequence(page, text, |_| ('\n', ""))?;
        values.push(sequence.value);
        text = &text[sequence.len..];
    }
    Some(values)
}
