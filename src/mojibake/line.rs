//! Reversal of the double-encoded runs of a line.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::mem::take;
use std::ops::Range;

use super::characters::NeighbourClass::{Combining, Letter, Lower, Upper};
use super::characters::{COMMON_SCRIPTS, CharTraits, LetterScript, NEVER, ScriptSet};
use super::oddity::{EXPECTED, Oddity, RARE};
use super::pages::{MOST, PageSet, Pages};
use super::reading::{AlphabetCounts, AlphabetSet, alphabets_of};
use super::run::SequenceRun;
use super::sequence::DoubleSequence;

/// The largest number of layers recorded for a character. Deeper layers are undone, but not
/// recorded.
const MAX_LAYERS: usize = 7;

/// Stands for ISO-8859-1 in place of the index of a page, where a C1 control was read in
/// windows-1252.
pub(super) const CONTROLS: u8 = MOST as u8;

/// The largest number of passes over a line. [`LONGEST`](super::LONGEST) bytes hold fewer layers;
/// only crafted input could need more.
const PASSES: usize = 32;

/// Marks and spaces that often follow a word. A capital before one is judged more strictly.
const FOLLOW_WORDS: &str = "’…”™\u{A0}\u{202F}";

/// The most runs before a closing guillemet among which the opening one is searched for.
const QUOTED_RUNS: usize = 64;

/// The pages in which a part was misread, the last misreading first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageLayers {
    pages: [u8; MAX_LAYERS],
    pub count: u8,
}

impl PageLayers {
    /// Returns the indexes of the pages.
    pub fn pages(&self) -> &[u8] {
        &self.pages[..usize::from(self.count)]
    }

    /// Records that a C1 control was read in windows-1252.
    pub fn push_control(&mut self) {
        self.push(CONTROLS.into());
    }

    fn push(&mut self, page: usize) {
        if usize::from(self.count) < MAX_LAYERS {
            self.pages[usize::from(self.count)] = page as u8;
            self.count += 1;
        }
    }
}

/// The source of a character: a byte range of the line, and the layers undone in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharOrigin {
    pub start: u32,
    pub end: u32,
    pub layers: PageLayers,
    /// True if the last layer was undone since the passes began anew.
    pub is_recent: bool,
}

/// A part of the line in which a run was undone or kept.
pub(super) struct LineMatch<'a> {
    /// Byte range in the line.
    pub bytes: Range<usize>,
    /// Its current characters, as a range of [`TextLine::chars`].
    pub chars: Range<usize>,
    pub outcome: MatchOutcome<'a>,
}

/// The outcome of a match.
pub(super) enum MatchOutcome<'a> {
    /// Undone, by way of these pages.
    Undone(PageLayers),
    /// Unchanged, as part of this run.
    Kept(&'a SequenceRun),
}

/// A line, or the part of a long line that is judged as a unit.
#[derive(Default)]
pub(super) struct TextLine {
    /// The characters that the score depends on: all non-ASCII characters, and the first three and
    /// the last two of each stretch of ASCII. A space as the very first character may become part
    /// of a run; as many are left then as a second call for the result loads.
    pub chars: Vec<char>,
    /// The origin of each character.
    pub origins: Vec<CharOrigin>,
    /// The runs of the last pass, in order and disjoint.
    pub runs: Vec<SequenceRun>,
    /// The sequences of all runs.
    pub sequences: Vec<DoubleSequence>,
    /// The running totals of the line; empty until needed.
    pub oddities: Vec<Oddity>,
    /// The capitals beyond ASCII that end a word in capitals; `None` until needed.
    pub capital_ends: Option<BTreeSet<char>>,
    /// True if a character stands for a byte that no page maps; `None` until needed.
    pub shows_lost_bytes: Option<bool>,
    /// For each page, the letters of each alphabet in the line; `None` until needed.
    pub alphabets: [Option<AlphabetCounts>; MOST],
    /// The pages of the runs that the last pass dropped, because others overlapped them.
    pub dropped: PageSet,
    /// True if no run of the line was undone since the passes began anew.
    pub untouched: bool,
    /// Index of the first character that is judged since then.
    pub from: usize,
    /// The letters that certain runs decoded to since then.
    certain: KnownLetters,
    /// Buffer for the decoded characters of the run that is scored.
    pub decoded: Vec<char>,
}

/// The letters that runs of a line decode to.
#[derive(Default)]
struct KnownLetters {
    /// The scripts of all characters.
    scripts: ScriptSet,
    /// The highest rarity of a Latin letter.
    rarest_latin: u8,
    /// The alphabets that have all Latin letters; `None` before the first.
    alphabets: Option<AlphabetSet>,
}

impl KnownLetters {
    fn add(&mut self, value: char) {
        let one = CharTraits::of(value);
        self.scripts |= one.script_bit();
        // Korean headlines have single ideographs.
        if one.script == LetterScript::Hangul {
            self.scripts |= 1 << LetterScript::Han as u16;
        }
        if one.script == LetterScript::Latin {
            self.rarest_latin = self.rarest_latin.max(one.rarity);
            let alphabets = self.alphabets.get_or_insert(AlphabetSet::MAX);
            *alphabets &= alphabets_of(value);
        }
    }

    /// Returns `true` if an alphabet has all Latin letters and this one.
    fn share_alphabet_with(&self, letter: char) -> bool {
        self.alphabets.is_some_and(|alphabets| alphabets & alphabets_of(letter) != 0)
    }
}

/// The context in which a line is judged.
pub(super) struct LineContext<'a> {
    pub pages: &'a Pages,
    /// True if the user named the page, so that every run that can be undone is.
    pub named: bool,
    /// The two characters before the line.
    pub before: [char; 2],
}

impl TextLine {
    /// Undoes every run that qualifies, and then reads C1 controls. [`TextLine::runs`] holds the
    /// remaining runs after it. A second call for the result changes nothing, because the passes
    /// begin anew until none does or [`PASSES`] are done.
    pub fn undo(&mut self, text: &str, context: &LineContext<'_>) {
        self.load(text);
        let mut passes = PASSES;
        while self.undo_anew(&mut passes, text, context) || self.read_controls(text, context) {
            self.origins.iter_mut().for_each(|origin| origin.is_recent = false);
        }
    }

    /// Undoes every run that qualifies, in up to `passes` passes. Returns `true` if there was one.
    fn undo_anew(&mut self, passes: &mut usize, text: &str, context: &LineContext<'_>) -> bool {
        (self.untouched, self.from) = (true, 0);
        self.certain = KnownLetters::default();
        let mut confirmed = 0;
        while *passes > 0 {
            *passes -= 1;
            self.oddities.clear();
            if self.untouched {
                self.skip_to_first_start(context.pages);
            }
            self.find_runs(PageSet::MAX, text, context);
            let certain = self.runs.iter().filter(|run| run.is_certain());
            let candidates = certain.fold(0, |set, run| set | run.pages | run.relatives);
            if candidates != 0 {
                match self.keep_best_page(candidates, confirmed, text, context) {
                    0 => return !self.untouched,
                    pages => confirmed |= pages,
                }
            }
            if !self.apply(confirmed, context) {
                return !self.untouched;
            }
        }
        self.runs.clear();
        false
    }

    /// Returns the letters that the runs decode to, if that gains points.
    fn known_letters(&self) -> KnownLetters {
        let mut known = KnownLetters::default();
        for run in self.runs.iter().filter(|run| run.gain >= EXPECTED) {
            self.decoded(run).for_each(|value| known.add(value));
        }
        known
    }

    /// Returns `true` if no character that the run decodes to is foreign to the scripts of the line,
    /// or rarer than its letters.
    fn is_plausible(&self, run: &SequenceRun, known: &KnownLetters) -> bool {
        self.decoded(run).all(|value| {
            let traits = CharTraits::of(value);
            let is_as_rare = || match traits.class {
                Combining => traits.rarity <= RARE,
                _ => traits.script == LetterScript::Latin && traits.rarity <= known.rarest_latin,
            };
            match known.scripts & traits.script_bit() & !COMMON_SCRIPTS {
                0 => {
                    traits.script_bit() & COMMON_SCRIPTS != 0
                        && (traits.rarity < RARE || is_as_rare())
                }
                _ => traits.rarity < NEVER,
            }
        })
    }

    /// Returns `true` if a word goes on before or after the run: doubly encoded, all of its letters
    /// beyond ASCII would be in the run.
    fn is_within_word(&self, run: &SequenceRun) -> bool {
        self.is_in_word(run.chars.start) || self.is_in_word(run.chars.end)
    }

    /// Returns `true` if the run is sound text. Its letters are of the scripts that certain runs decode
    /// to, and it decodes to combining marks or other scripts; or a continuation byte of its page
    /// stands before it, in no sequence; or it [ends a word in capitals](Self::ends_capitals_oddly).
    fn is_sound(&self, run: &SequenceRun, context: &LineContext<'_>) -> bool {
        let common = 1 << LetterScript::Common as u16;
        let is_in = |set: ScriptSet, value: char| CharTraits::of(value).script_bit() & set != 0;
        let is_known = |&value: &char| {
            CharTraits::of(value).is_letter() && is_in(self.certain.scripts & !common, value)
        };
        let is_foreign = |value: char| {
            let one = CharTraits::of(value);
            one.class == Combining && one.rarity > RARE
                || !is_in(self.certain.scripts | common, value)
        };
        let before = run.chars.start.checked_sub(1).map(|at| self.chars[at]);
        let is_stray = |value| context.pages.entry(value).continuations >> run.page & 1 == 1;
        before.is_some_and(is_stray)
            || self.chars[run.chars.clone()].iter().all(is_known)
                && self.decoded(run).all(is_foreign)
            || self.ends_capitals_oddly(run, context)
    }

    /// Returns `true` if the run is the last capital of a word in capitals and a mark, and decodes to a
    /// character that is no capital, or rarer than those that certain runs decode to: `NESCAFÉ™` in
    /// French. Behind a character that is not in [`FOLLOW_WORDS`], a letter of an alphabet with those is not
    /// odd, as in `BETÅ°`. A genuine guillemet behind a capital looks like one that was misread. In scripts
    /// without capitals, particles follow abbreviations.
    fn ends_capitals_oddly(&self, run: &SequenceRun, context: &LineContext<'_>) -> bool {
        let [capital, mark] = [run.chars.start, run.chars.start + 1].map(|at| self.chars[at]);
        let [far, near] = self.preceding(run.chars.start, context);
        let capitals = [far, near, capital];
        let is_letter = |&value: &char| CharTraits::of(value).is_letter();
        let is_odd = |value| {
            // Few words end in Â, the lead byte of signs.
            if capital == 'Â' && value == mark || self.closes_quote(run, value) {
                return false;
            }
            let one = CharTraits::of(value);
            let is_judged = one.class != Letter || one.script_bit() & self.certain.scripts == 0;
            // A letter of rarity 1 is common in some language.
            let is_rarer = one.rarity > self.certain.rarest_latin.max(1);
            let is_known =
                || !FOLLOW_WORDS.contains(mark) && self.certain.share_alphabet_with(value);
            is_judged && (one.class != Upper || is_rarer && !is_known())
        };
        run.sequences.len() == 1
            && capitals.iter().all(|&value| CharTraits::of(value).class == Upper)
            && !is_letter(&mark)
            && !self.chars.get(run.chars.end).is_some_and(is_letter)
            && self.decoded(run).any(is_odd)
    }

    /// Returns `true` if the run decodes to the guillemet `value`, and one of the runs shortly before it, in
    /// the same page, to the one that opens the quotation.
    fn closes_quote(&self, run: &SequenceRun, value: char) -> bool {
        let opening = match value {
            '»' => '«',
            '«' => '»',
            _ => return false,
        };
        let end = self.runs.partition_point(|one| one.chars.end <= run.chars.start);
        let mut before = self.runs[..end].iter().rev().take(QUOTED_RUNS);
        before.any(|one| one.pages & run.pages != 0 && self.decoded(one).eq([opening]))
    }

    /// Returns `true` if the characters before and at an index are letters of a word beyond ASCII: of
    /// the same script, and not a capital after a small letter.
    pub fn is_in_word(&self, at: usize) -> bool {
        let pair = at.checked_sub(1).and_then(|before| self.chars.get(before..=at));
        pair.is_some_and(|pair| {
            let [a, b] = [pair[0], pair[1]].map(CharTraits::of);
            let are_letters = [a, b].iter().all(|one| one.is_letter() && one.rarity > 0);
            are_letters && a.script == b.script && (a.class, b.class) != (Lower, Upper)
        })
    }

    /// Returns the undone and the kept parts of the line, in order. A run with undone characters is
    /// no kept part: its text is not that of the input.
    pub fn matches(&self) -> Vec<LineMatch<'_>> {
        let mut matches = Vec::new();
        let as_in_input = |run: &&SequenceRun| {
            self.origins[run.chars.clone()].iter().all(|origin| origin.layers.count == 0)
        };
        let mut runs = self.runs.iter().filter(as_in_input).peekable();
        let mut at = 0;
        while let Some(first) = self.origins.get(at) {
            while runs.next_if(|run| run.chars.end <= at).is_some() {}
            let found = match runs.peek() {
                _ if first.layers.count > 0 => {
                    Some((self.undone_end(at), MatchOutcome::Undone(first.layers)))
                }
                Some(run) if run.chars.start <= at => {
                    Some((run.chars.end, MatchOutcome::Kept(run)))
                }
                _ => None,
            };
            let chars = at..found.as_ref().map_or(at + 1, |found| found.0);
            at = chars.end;
            if let Some((end, outcome)) = found {
                let bytes = first.start as usize..self.origins[end - 1].end as usize;
                matches.push(LineMatch { bytes, chars, outcome });
            }
        }
        matches
    }

    /// Returns the end of the characters that were undone together with the one at `at`.
    fn undone_end(&self, at: usize) -> usize {
        let goes_on =
            |pair: &&[CharOrigin]| (pair[0].end, pair[0].layers) == (pair[1].start, pair[1].layers);
        at + 1 + self.origins[at..].windows(2).take_while(goes_on).count()
    }

    /// Replaces the line with the characters of `text`.
    fn load(&mut self, text: &str) {
        self.chars.clear();
        self.origins.clear();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let ascii = bytes[at..].iter().take_while(|byte| byte.is_ascii()).count();
            for near in (0..ascii.min(3)).chain(ascii.saturating_sub(2).max(3)..ascii) {
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
        self.chars.push(value);
        let (start, end) = (start as u32, (start + value.len_utf8()) as u32);
        let layers = PageLayers::default();
        self.origins.push(CharOrigin { start, end, layers, is_recent: false });
    }

    /// Undoes the runs that qualify. Returns `true` if there was one.
    fn apply(&mut self, confirmed: PageSet, context: &LineContext<'_>) -> bool {
        let mut certain = take(&mut self.certain);
        for run in self.runs.iter().filter(|run| run.is_certain()) {
            self.decoded(run).for_each(|value| certain.add(value));
        }
        self.certain = certain;
        let known = LazyCell::new(|| self.known_letters());
        let deeper = self.runs.iter().filter(|run| run.is_certain() && !run.untouched);
        let deeper = deeper.fold(0, |set, run| set | run.pages) & confirmed;
        let whole = LazyCell::new(|| self.whole_line_pages());
        let qualifies = |run: &&SequenceRun| {
            // If all of the line is UTF-8, the result of an earlier pass is no sound text.
            let is_unsound =
                !run.untouched && run.lost == 0 && !self.is_chance(run) && run.pages & *whole != 0;
            let expected = run.pages & confirmed != 0
                && !self.is_within_word(run)
                && (is_unsound || !self.is_sound(run, context));
            let is_as_deep = run.untouched || run.pages & deeper != 0 || is_unsound;
            let is_plausible = || self.is_plausible(run, &known);
            run.qualifies(expected, is_as_deep, context.named, is_plausible)
        };
        let runs: Vec<_> = self.runs.iter().filter(qualifies).cloned().collect();
        let (mut read, mut written) = (0, 0);
        for run in runs {
            written = self.shift(read..run.chars.start, written);
            written = self.replace_run(&run, written);
            read = run.chars.end;
        }
        if read > 0 {
            self.untouched = false;
            let len = self.shift(read..self.chars.len(), written);
            self.chars.truncate(len);
            self.origins.truncate(len);
        }
        read > 0
    }

    /// Returns `true` if a run of little gain may decode to another character by chance: two letters, or
    /// two drawings that are a letter (`─┐` is Ŀ).
    fn is_chance(&self, run: &SequenceRun) -> bool {
        let is_letter = |value: char| CharTraits::of(value).is_letter();
        let text = &self.chars[run.chars.clone()];
        let letters = text.iter().filter(|&&value| is_letter(value)).count();
        run.gain < EXPECTED
            && text.len() == 2
            && (letters == 2 || letters == 0 && self.decoded(run).any(is_letter))
    }

    /// Returns the pages in which all characters beyond ASCII that are judged are in runs.
    fn whole_line_pages(&self) -> PageSet {
        let non_ascii = |chars: &[char]| chars.iter().filter(|value| !value.is_ascii()).count();
        let covered: usize =
            self.runs.iter().map(|run| non_ascii(&self.chars[run.chars.clone()])).sum();
        match covered == non_ascii(&self.chars[self.from..]) {
            true => self.runs.iter().fold(PageSet::MAX, |set, run| set & run.pages),
            false => 0,
        }
    }

    /// Moves the characters of a range to `to`. Returns the end of the moved range.
    fn shift(&mut self, from: Range<usize>, to: usize) -> usize {
        self.chars.copy_within(from.clone(), to);
        self.origins.copy_within(from.clone(), to);
        to + from.len()
    }

    /// Writes the decoded characters of a run at `to`. Returns their end.
    fn replace_run(&mut self, run: &SequenceRun, to: usize) -> usize {
        let (mut read, mut written) = (run.chars.start, to);
        for sequence in &self.sequences[run.sequences.clone()] {
            let origin = merged(&self.origins[read..read + sequence.len], run.page);
            (self.chars[written], self.origins[written]) = (sequence.value, origin);
            read += sequence.len;
            written += 1;
        }
        written
    }
}

/// Returns the origin of a character decoded from these.
fn merged(origins: &[CharOrigin], page: usize) -> CharOrigin {
    let deepest = origins.iter().max_by_key(|origin| origin.layers.count);
    let mut layers = deepest.map_or(PageLayers::default(), |origin| origin.layers);
    layers.push(page);
    let end = origins[origins.len() - 1].end;
    CharOrigin { start: origins[0].start, end, layers, is_recent: true }
}
