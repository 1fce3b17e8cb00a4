//! Search of a line for runs that are UTF-8 in a page.

use std::collections::BTreeSet;
use std::ops::Range;

use super::candidates;
use super::characters::NeighbourClass::{Frame, Upper};
use super::characters::{CharTraits, LetterScript, ScriptSet};
use super::controls::{is_c1_control, read_control};
use super::line::{CharOrigin, LineContext, TextLine};
use super::oddity::{MAX_PAIR_BONUS, RARE, is_stray, oddities, oddity};
use super::pages::{BLANK, COMMONEST, MOST, PageSet, Pages};
use super::run::SequenceRun;
use super::sequence::DoubleSequence;

/// Number of deeper layers that the score of a decoded run considers.
const LOOKAHEAD: usize = 3;

/// The longest decoded text, in characters, whose deeper layers are considered.
const MAX_LAYERED: usize = 64;

impl TextLine {
    /// Finds the runs of these pages and keeps the best of those that overlap.
    pub fn find_runs(&mut self, among: PageSet, text: &str, context: &LineContext<'_>) {
        let among = among & context.pages.possible(&self.chars[self.from..]);
        self.dropped = 0;
        (self.shows_lost_bytes, self.alphabets) = (None, [None; MOST]);
        self.capital_ends = None;
        self.runs.clear();
        self.sequences.clear();
        let mut until = [0; MOST];
        for at in self.from..self.chars.len().saturating_sub(1) {
            let leads = context.pages.entry(self.chars[at]).leads & among;
            if leads == 0 {
                continue;
            }
            let mut set = leads & context.pages.continuations(self.chars[at + 1]);
            while set != 0 {
                let page = set.trailing_zeros() as usize;
                set &= set - 1;
                if until[page] > at {
                    continue;
                }
                let run = self.run_at(page, at, text, context);
                until[page] = run.as_ref().map_or_else(|&start| start, |run| run.chars.end);
                if let Ok(run) = run {
                    self.consider(run, context);
                }
            }
        }
    }

    /// Skips the text before that which would be judged if what was undone had been read so: from the
    /// first sequence that can start a run on, and a little before it.
    pub fn skip_to_first_start(&mut self, pages: &Pages) {
        let starts = |&at: &usize| candidates::starts_run(pages, &self.chars[at..]);
        self.from = match (0..self.chars.len()).find(starts) {
            Some(start) => candidates::context_start_of(&self.chars, start),
            None => self.chars.len(),
        };
    }

    /// Returns the run of this page that starts at `start`, without its gain.
    ///
    /// # Errors
    /// Returns the first later position at which a run can start. The sequences before it are not
    /// read again for this page, so that the time is linear in the length of the line.
    fn run_at(
        &mut self,
        page: usize,
        start: usize,
        text: &str,
        context: &LineContext<'_>,
    ) -> Result<SequenceRun, usize> {
        let first = self.sequences.len();
        let (mut at, mut lost) = (start, 0);
        while let Some(sequence) = context
            .pages
            .sequence(page, &self.chars[at..], |blank| self.following(at + blank, text))
        {
            if sequence.lossy {
                let before = self.before_sequence(first, at, context);
                if !self.is_only_reading(page, at, &sequence, before, context) {
                    break;
                }
            }
            at += sequence.len;
            lost += usize::from(sequence.lossy);
            self.sequences.push(sequence);
        }
        let skipped = self.skipped_len(start, &self.sequences[first..]);
        if skipped > 0 || at == start {
            self.sequences.truncate(first);
            return Err(start + skipped);
        }
        let (chars, sequences) = (start..at, first..self.sequences.len());
        let is_recent = |origin: &CharOrigin| origin.is_recent;
        let untouched = self.untouched || !self.origins[chars.clone()].iter().any(is_recent);
        let decoded = self.sequences[sequences.clone()].iter().map(|one| one.value);
        let is_rare_letter = |value| {
            let traits = CharTraits::of(value);
            traits.is_letter() && traits.rarity >= RARE
        };
        let all_rare = decoded.clone().all(is_rare_letter);
        let has_rare = decoded.clone().any(|value| CharTraits::of(value).rarity >= RARE);
        let letter_scripts = decoded.clone().fold(0, |set, value| set | judged_script(value));
        let all_common = decoded.clone().all(|value| CharTraits::of(value).rarity <= 1);
        let is_rarer = context.named && are_rarer(decoded, &self.chars[chars.clone()]);
        let foreign = |&value: &char| context.pages.entry(value).bytes[page] == 0;
        let isolated = lost == 0 && self.neighbours(&chars).flatten().all(foreign);
        Ok(SequenceRun {
            chars,
            sequences,
            page,
            pages: 1 << page,
            is_common: 1 << page == COMMONEST || 1 << page == context.pages.latin9 && all_common,
            gain: 0,
            rivals: 0,
            relatives: 0,
            isolated,
            lost,
            all_rare,
            is_rarer,
            untouched,
            has_rare,
            letter_scripts,
        })
    }

    /// Returns the two characters before the sequence at `at`, decoded from the index `first` of the
    /// sequences on.
    fn before_sequence(&self, first: usize, at: usize, context: &LineContext<'_>) -> [char; 2] {
        match self.sequences[first..] {
            [.., far, near] => [far.value, near.value],
            [near] => [self.preceding(at - near.len, context)[1], near.value],
            [] => self.preceding(at, context),
        }
    }

    /// Returns the length in characters of the first sequences that cannot start a run. A lossy
    /// sequence before another one is skipped if it cannot, or if it is within a word, as if the text
    /// began after it. So is a sound word with the space behind it.
    fn skipped_len(&self, start: usize, sequences: &[DoubleSequence]) -> usize {
        let sound = self.sound_word_len(start, sequences);
        let mut at = start + sequences[..sound].iter().map(|sequence| sequence.len).sum::<usize>();
        let mut sequences = &sequences[sound..];
        while let [first, rest @ ..] = sequences
            && first.lossy
            && !rest.is_empty()
            && (self.is_in_word(at) || !candidates::can_start(&self.chars[at..], first.len))
        {
            at += first.len;
            sequences = rest;
        }
        at - start
    }

    /// Returns the number of sequences up to the last one with a space, if some of them are rare, or
    /// foreign to the script of those behind: their first letter ends a sound word, as in `café «Ã‰xito»`.
    fn sound_word_len(&self, start: usize, sequences: &[DoubleSequence]) -> usize {
        let mut end = start + sequences.iter().map(|sequence| sequence.len).sum::<usize>();
        let has_space = |sequence: &DoubleSequence| {
            let chars = end - sequence.len..end;
            end = chars.start;
            sequence.lossy && self.chars[chars].contains(&BLANK)
        };
        let Some(last) = sequences.iter().rposition(has_space) else { return 0 };
        let traits = |sequence: &DoubleSequence| CharTraits::of(sequence.value);
        let behind = &sequences[last + 1..];
        let scripts = behind.iter().fold(0, |set, sequence| set | traits(sequence).script_bit());
        let is_odd = |sequence: &DoubleSequence| {
            let one = traits(sequence);
            one.rarity >= RARE || one.is_letter() && scripts & one.script_bit() == 0
        };
        let is_sound = !behind.is_empty() && sequences[..=last].iter().any(is_odd);
        if is_sound { last + 1 } else { 0 }
    }

    /// Returns the characters before and after a range, if there are any.
    fn neighbours(&self, part: &Range<usize>) -> impl Iterator<Item = Option<&char>> {
        let before = part.start.checked_sub(1).and_then(|at| self.chars.get(at));
        [before, self.chars.get(part.end)].into_iter()
    }

    /// Returns the points that undoing this run gains, halved for each stray neighbour. `None` if
    /// the gain is certainly below a positive `enough`.
    fn gain(&mut self, run: &SequenceRun, enough: i32, context: &LineContext<'_>) -> Option<i32> {
        let before = self.preceding(run.chars.start, context);
        let after = self.chars.get(run.chars.end).copied().unwrap_or('\n');
        let text = &self.chars[run.chars.clone()];
        // A control proves damage, so that only a run that decodes to something rare may be text of
        // windows-1252. After a capital, letters of African languages are rare: `LIBERTÉ”` has ɔ.
        let follows_capital = CharTraits::of(before[1]).class == Upper;
        let rare = RARE - u8::from(follows_capital);
        let is_rare = self.decoded(run).any(|value| CharTraits::of(value).rarity >= rare);
        let read =
            is_rare.then(|| oddity_of_controls(context.pages, before, text, after)).flatten();
        let odd = self.oddity_of(&run.chars, context).min(read.unwrap_or(i32::MAX));
        let most = odd + MAX_PAIR_BONUS * (run.sequences.len() as i32 + 1);
        if enough > 0 && most < enough {
            return None;
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        decoded.extend(self.decoded(run));
        let mut least = least_oddity(context.pages, before, &decoded, after, LOOKAHEAD);
        if read.is_some() {
            // Controls that were encoded twice are read in the next step.
            let read = oddity_of_controls(context.pages, before, &decoded, after);
            least = least.min(read.unwrap_or(least));
        }
        let gain = odd - least;
        self.decoded = decoded;
        let has_role = |&&value: &&char| context.pages.roles(value) != 0;
        let strays = self.neighbours(&run.chars).flatten().filter(has_role);
        let strays = strays.filter(|&&value| is_stray(value)).count();
        let gain = gain >> strays >> u32::from(self.may_end_capitals(run, before[1]));
        let is_sound = follows_capital && self.ends_in_sign(run)
            || self.is_quoted_sign(run, before[1], after)
            || self.has_cell_border(run, context)
            || self.are_footnote_marks(run);
        Some(if is_sound { gain.min(0) } else { gain })
    }

    /// Returns `true` if a run of one sequence is a quotation mark and a sign that it encloses together
    /// with the character before or after the run, as in `«╨»`.
    fn is_quoted_sign(&self, run: &SequenceRun, before: char, after: char) -> bool {
        const QUOTES: [[char; 2]; 5] = [['«', '»'], ['“', '”'], ['‘', '’'], ['‹', '›'], ['„', '“']];
        let are_quotes = |open, close| QUOTES.contains(&[open, close]);
        match self.chars[run.chars.clone()] {
            [_, close] if are_quotes(before, close) => true,
            [open, _] => are_quotes(open, after),
            _ => false,
        }
    }

    /// Returns `true` if a run has letters and the drawing that borders the cells of the line, as in
    /// `│х│о│х│`: the run adjoins it, or the line ends with it, where it belongs to no sequence.
    fn has_cell_border(&self, run: &SequenceRun, context: &LineContext<'_>) -> bool {
        let is_drawn = |value: &char| CharTraits::of(*value).class == Frame;
        let text = &self.chars[run.chars.clone()];
        if !text.iter().any(is_drawn) || text.iter().all(is_drawn) {
            return false;
        }
        let is_blank = |value: &char| value.is_ascii_whitespace();
        let end = self.chars.iter().rposition(|value| !is_blank(value)).map_or(0, |last| last + 1);
        let line = &self.chars[..end];
        let ends_sequence = || {
            (2..=line.len().min(4)).any(|len| {
                let sequence = context.pages.sequence(run.page, &line[end - len..], |_| ('\n', ""));
                sequence.is_some_and(|sequence| sequence.len == len)
            })
        };
        let is_border = |value: &&char| is_drawn(value) && text.contains(value);
        self.neighbours(&run.chars).flatten().any(|value| is_border(&value))
            || line.last().filter(is_border).is_some_and(|_| !ends_sequence())
    }

    /// Returns `true` if a run of one sequence consists of marks that refer to footnotes.
    fn are_footnote_marks(&self, run: &SequenceRun) -> bool {
        run.sequences.len() == 1
            && self.chars[run.chars.clone()].iter().all(|value| "†‡§¶•".contains(*value))
    }

    /// Returns `true` if a run is a letter and a sign that stands for an apostrophe or a quotation mark in
    /// words in capitals, or for a pause between them, and decodes to a capital of few languages: `PÅ´`
    /// is Danish, and would be `PŴ`.
    fn ends_in_sign(&self, run: &SequenceRun) -> bool {
        let is_rare_capital = |value: char| {
            let traits = CharTraits::of(value);
            traits.class == Upper && traits.rarity > 1
        };
        matches!(self.chars[run.chars.clone()], [_, '´' | '¨' | '…'])
            && self.decoded(run).all(is_rare_capital)
    }

    /// Returns `true` if the first character of a run of one sequence, after the capital `before`, also
    /// ends a word in capitals, so that it may end one here: `ACASĂ…MAMĂ`.
    fn may_end_capitals(&mut self, run: &SequenceRun, before: char) -> bool {
        run.sequences.len() == 1 && CharTraits::of(before).class == Upper && {
            let judged = &self.chars[self.from..];
            let ends = self.capital_ends.get_or_insert_with(|| capital_ends(judged));
            ends.contains(&self.chars[run.chars.start])
        }
    }

    /// Returns the points of a part of the line as it stands.
    fn oddity_of(&mut self, part: &Range<usize>, context: &LineContext<'_>) -> i32 {
        if self.oddities.is_empty() {
            oddities(context.before, &self.chars, &mut self.oddities);
        }
        self.oddities[part.end].met - self.oddities[part.start].before
    }

    /// Returns the decoded characters of a run.
    pub fn decoded(&self, run: &SequenceRun) -> impl Iterator<Item = char> {
        self.sequences[run.sequences.clone()].iter().map(|sequence| sequence.value)
    }

    /// Returns `true` if the run decodes to letters of another script than those before or after it.
    fn is_foreign(&self, run: &SequenceRun) -> bool {
        let near = self.neighbours(&run.chars).flatten().map(|&value| judged_script(value));
        near.filter(|&script| script != 0).any(|script| run.letter_scripts & !script != 0)
    }

    /// Returns the character after the one at `at`, and the rest of the line's original text.
    pub fn following<'a>(&self, at: usize, text: &'a str) -> (char, &'a str) {
        let rest = &text[self.origins[at].end as usize..];
        let next = self.chars.get(at + 1).copied();
        let ascii = rest.chars().next().filter(char::is_ascii);
        (ascii.or(next).unwrap_or('\n'), rest)
    }

    /// Returns the two characters before the one at `at`.
    pub fn preceding(&self, at: usize, context: &LineContext<'_>) -> [char; 2] {
        let back = |count| at.checked_sub(count).map(|at| self.chars[at]);
        match (back(2), back(1)) {
            (Some(far), Some(near)) => [far, near],
            (_, Some(near)) => [context.before[1], near],
            _ => context.before,
        }
    }

    /// Scores a run and keeps the better of it and the last run, if they overlap.
    fn consider(&mut self, mut run: SequenceRun, context: &LineContext<'_>) {
        let last = self.runs.last().filter(|last| last.chars.end > run.chars.start);
        let Some(last) = last else {
            run.gain = self.gain(&run, i32::MIN, context).unwrap_or_default();
            self.runs.push(run);
            return;
        };
        if last.chars == run.chars && self.decoded(last).eq(self.decoded(&run)) {
            if let Some(last) = self.runs.last_mut() {
                last.pages |= run.pages;
                last.is_common |= run.is_common;
                last.isolated |= run.isolated;
            }
            return;
        }
        let within = run.chars.end <= last.chars.end && run.chars.len() < last.chars.len();
        let related = context.pages.families[run.page] >> last.page & 1 == 1;
        let enough = last.min_rival_gain();
        let gain = if within && related { None } else { self.gain(&run, enough, context) };
        let Some(gain) = gain else {
            self.dropped |= run.pages;
            return;
        };
        run.gain = gain;
        if let Some(mut last) = self.runs.pop() {
            let rare = [last.has_rare, run.has_rare];
            // Letters of another script than the word are no more likely than rare characters.
            let decides =
                rare[0] != rare[1] && !self.is_foreign(if rare[0] { &run } else { &last });
            self.dropped |= last.compete(run, decides.then_some(rare), context.pages);
            self.runs.push(last);
        }
    }
}

/// Returns the script of a letter, and 0 for a phonetic one, which stands among those of any script.
fn judged_script(value: char) -> ScriptSet {
    let one = CharTraits::of(value);
    match one.is_letter() && one.script != LetterScript::Phonetic {
        true => one.script_bit(),
        false => 0,
    }
}

/// Returns `true` if a letter or a rare symbol is rarer than all characters of `text`. U+FFFD is not.
fn are_rarer(values: impl Iterator<Item = char>, text: &[char]) -> bool {
    let rarest = text.iter().map(|&value| CharTraits::of(value).rarity).max();
    values
        .filter(|&value| value != char::REPLACEMENT_CHARACTER)
        .map(CharTraits::of)
        .any(|one| Some(one.rarity) > rarest && (one.is_letter() || one.rarity >= RARE))
}

/// Returns the smallest number of points of this text or of the texts that it decodes to, up to
/// `lookahead` layers deeper.
fn least_oddity(
    pages: &Pages,
    before: [char; 2],
    text: &[char],
    after: char,
    lookahead: usize,
) -> i32 {
    let odd = oddity(before, text, after);
    let shared = |set, &value| set & pages.roles(value);
    let layered = lookahead > 0 && text.len() <= MAX_LAYERED;
    let mut set = if layered { text.iter().fold(PageSet::MAX, shared) } else { 0 };
    let mut least = odd;
    while set != 0 {
        let page = set.trailing_zeros() as usize;
        set &= set - 1;
        if let Some(decoded) = decode_all(pages, page, text) {
            least = least.min(least_oddity(pages, before, &decoded, after, lookahead - 1));
        }
    }
    least
}

/// Returns the points of a text whose C1 controls are read in windows-1252. `None` if it has none, or
/// they are not read.
fn oddity_of_controls(pages: &Pages, before: [char; 2], text: &[char], after: char) -> Option<i32> {
    let mut values = text.iter().copied();
    if !pages.reads_controls || !values.any(is_c1_control) {
        return None;
    }
    let read: Vec<_> = text.iter().copied().map(read_control).collect();
    Some(oddity(before, &read, read_control(after)))
}

/// Returns the capitals beyond ASCII that end a word in capitals before ASCII, or at the end.
fn capital_ends(text: &[char]) -> BTreeSet<char> {
    let class = |value: char| CharTraits::of(value).class;
    let is_end = |text: &&[char]| {
        let is_before_ascii = text[2].is_ascii() && !text[2].is_alphanumeric();
        class(text[0]) == Upper && class(text[1]) == Upper && is_before_ascii
    };
    let last = text.last_chunk::<2>().map(|&[before, last]| [before, last, '\n']);
    let ends = text.windows(3).chain(last.iter().map(<[char; 3]>::as_slice)).filter(is_end);
    ends.map(|text| text[1]).filter(|value| !value.is_ascii()).collect()
}

/// Returns the text that all of `text` decodes to in a page; `None` if a part is no sequence.
fn decode_all(pages: &Pages, page: usize, mut text: &[char]) -> Option<Vec<char>> {
    let mut values = Vec::new();
    while !text.is_empty() {
        let sequence = pages.sequence(page, text, |_| ('\n', ""))?;
        values.push(sequence.value);
        text = &text[sequence.len..];
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "counts steps of safe code on long text")]
    fn sequences_that_cannot_start_a_run_are_read_once() {
        // ß and a space are a lossy sequence, which starts no run.
        let text = format!("Ã© {}", "ß ".repeat(2000));
        let mut line = TextLine::default();
        let (pages, named, before) = (&Pages::likely(), false, ['\n'; 2]);
        line.undo(&text, &LineContext { pages, named, before });
        assert!(line.sequences.len() < text.len(), "{}", line.sequences.len());
    }
}
