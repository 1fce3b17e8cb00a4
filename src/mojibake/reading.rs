//! Choice of the page in which a line was misread.
//!
//! Related pages share most characters, so that several of them read the same line, each with some
//! letters of its own. The page is chosen for the line, not for each run: the one whose reading
//! gains most, less points for letters that no language has together.

use std::cmp::Ordering;
use std::mem::take;
use std::sync::LazyLock;

use super::characters::{CharTraits, LetterScript};
use super::line::{LineContext, TextLine};
use super::oddity::ODD_CASE;
use super::pages::{COMMONEST, MOST, PageSet, Pages};
use super::run::SequenceRun;
use super::sequence::DoubleSequence;

/// Points by which windows-1252 is preferred to ISO-8859-15, less than those of a capital within a word. Of
/// 40,681 lines, 1 is half repaired in windows-1252 (2 without) and 602 in ISO-8859-15 (385).
const RARER_PAGE: i32 = ODD_CASE - 1;

/// Points of a letter that is not in the alphabet that has most letters of the line.
const STRANGER: i32 = 3;

/// The letters beyond ASCII of each language or group of languages, in lower case. `ẞ`, which is not the
/// upper case of `ß` in Unicode, stands for itself.
static ALPHABETS: [&str; 33] = [
    "áčďéěíňóřšťúůýž",                                                     // Czech
    "áäčďéíĺľňóôŕšťúýž",                                                   // Slovak
    "ąćęłńóśźż",                                                           // Polish
    "áéíóöőúüű",                                                           // Hungarian
    "ăâîșțşţ",                                                             // Romanian
    "čćđšž",                                                               // Slovenian, Croatian
    "ąčęėįšųūž",                                                           // Lithuanian
    "āčēģīķļņšūž",                                                         // Latvian
    "äõöüšž",                                                              // Estonian
    "äåöé",                                                                // Finnish, Swedish
    "æøåé",                                                                // Danish, Norwegian
    "áæéíóöúýðþ",                                                          // Icelandic
    "äöüßẞ",                                                               // German
    "äëïéèöü",                                                             // Dutch, Luxembourgish
    "àâæçèéêëîïôœùûü",                                                     // French
    "áéíñóúüªº",                                                           // Spanish
    "àáâãçéêíóôõúüªº",                                                     // Portuguese
    "àèéìòùª",                                                             // Italian
    "àçèéíïòóúü·",                                                         // Catalan
    "âçêğıîöşüû",                                                          // Turkish, Kurdish
    "áäçéğíıñňöşúüý",                                                      // Kazakh, Turkmen, Tatar
    "çğīşūƣƶ",                                                             // Tajik
    "ĉĝĥĵŝŭ",                                                              // Esperanto
    "áéíóú",                                                               // Irish
    "âêîôûŵŷ",                                                             // Welsh
    "çë",                                                                  // Albanian
    "ċġħż",                                                                // Maltese
    "çəğıöşü",                                                             // Azerbaijani
    "àáèéìíòóùúɓɖɗǝɛɣɩƙŋɲɔʋƴ",                                             // Languages of Africa
    "āēīōū",                                                               // Māori
    "àáèéìíòóùúüāēěīōūǎǐǒǔǖǘǚǜ",                                           // Chinese in Pinyin
    "čḍǧɣḥɛṛṣṭţẓ",                                                         // Kabyle
    "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", // Vietnamese
];

/// A set of [`ALPHABETS`]: bit n stands for the n-th.
pub(super) type AlphabetSet = u64;

const _: () = assert!(ALPHABETS.len() <= AlphabetSet::BITS as usize);

/// The scalar value after the last letter of an alphabet.
const END: usize = 0x1F00;

/// The reading of a line in a page.
struct LineReading {
    /// The index of the page.
    page: usize,
    /// Points that the reversal gains.
    gain: i32,
    /// Points for letters that no language has together.
    stranger_points: i32,
    /// The characters that the runs decode to.
    values: Vec<char>,
    /// True if some characters stand for bytes that the page does not map.
    keeps_bytes: bool,
    /// True if a related page is as good and gives other characters.
    tied: bool,
    runs: Vec<SequenceRun>,
    sequences: Vec<DoubleSequence>,
}

impl LineReading {
    /// Returns the better one of two readings. Of two that tie, it is the one in a page that maps all
    /// of its bytes, or in a `confirmed` page: text that was misread in it may have been so twice. Pages
    /// of two families do not tie: the line may be in both. Nor does ISO-8859-15 with windows-1252, which
    /// is much more common. Between these two, the case of letters is better evidence than the language.
    fn better(mut self, mut other: LineReading, confirmed: PageSet, pages: &Pages) -> LineReading {
        let is_latin9_pair = (1 << self.page | 1 << other.page) == (COMMONEST | pages.latin9);
        let is_by_gain = is_latin9_pair && (self.gain - other.gain).abs() >= ODD_CASE;
        let points = |one: &LineReading| {
            let is_latin9 = is_latin9_pair && 1 << one.page == pages.latin9;
            let points = if is_by_gain { one.gain } else { one.points() };
            points - if is_latin9 { RARER_PAGE } else { 0 }
        };
        let (own, others) = (points(&self), points(&other));
        if (others, self.page) > (own, other.page) {
            std::mem::swap(&mut self, &mut other);
        }
        let related = pages.families[self.page] >> other.page & 1 == 1;
        let is_equal = others == own
            || self.differs_in_case(&other)
            || other.page < self.page && self.differs_in_rarity(&other);
        if related && !is_latin9_pair && is_equal && other.values != self.values {
            let precedence = |one: &LineReading| (!one.keeps_bytes, confirmed >> one.page & 1 == 1);
            match precedence(&self).cmp(&precedence(&other)) {
                Ordering::Greater => {}
                Ordering::Equal => self.tied = true,
                Ordering::Less => self = other,
            }
        }
        self
    }

    /// Returns the points that the reversal gains, less those for letters that no language has together.
    fn points(&self) -> i32 {
        self.gain - self.stranger_points
    }

    /// Returns `true` if two readings differ only in the case of letters, and gain about the same: a
    /// small letter is more common than its capital, but either may be meant.
    fn differs_in_case(&self, other: &LineReading) -> bool {
        self.values.len() == other.values.len()
            && self
                .differences(other)
                .all(|(own, other)| own.to_lowercase().eq(other.to_lowercase()))
            && (self.points() - other.points()).abs() <= self.differences(other).count() as i32
    }

    /// Returns `true` if another reading is worse only because its letters are a little rarer.
    fn differs_in_rarity(&self, other: &LineReading) -> bool {
        let traits = |(own, other)| [CharTraits::of(own), CharTraits::of(other)];
        let pairs = || self.differences(other).map(traits);
        let rarer = |[own, other]: [CharTraits; 2]| i32::from(other.rarity) - i32::from(own.rarity);
        self.values.len() == other.values.len()
            && pairs().all(|[own, other]| own.class == other.class && rarer([own, other]) <= 1)
            && self.points() - other.points() <= pairs().map(rarer).sum()
    }

    /// Returns the characters in which two readings of the same length differ.
    fn differences(&self, other: &LineReading) -> impl Iterator<Item = (char, char)> {
        let pairs = self.values.iter().copied().zip(other.values.iter().copied());
        pairs.filter(|(own, other)| own != other)
    }
}

impl TextLine {
    /// Keeps the runs of the page among `candidates` that reads the line best. Returns the pages in
    /// which these runs are the same; none, and keeps all runs as ambiguous, if two pages tie.
    pub fn keep_best_page(
        &mut self,
        candidates: PageSet,
        confirmed: PageSet,
        text: &str,
        context: &LineContext<'_>,
    ) -> PageSet {
        let shared = self.runs.iter().fold(candidates, |set, run| set & run.pages);
        // The pages whose runs are the present ones and no others.
        let found = shared & !self.dropped;
        let others = if found == 0 { candidates } else { candidates & self.dropped };
        let page = found.trailing_zeros() as usize;
        if found != 0 {
            self.runs.iter_mut().for_each(|run| run.page = page);
        }
        if others == 0 {
            return found;
        }
        let mut best = (found != 0).then(|| self.take_reading(page, context.pages));
        for page in (0..MOST).filter(|page| others >> page & 1 == 1) {
            self.find_runs(1 << page, text, context);
            if self.runs.iter().any(SequenceRun::is_strong) {
                let reading = self.take_reading(page, context.pages);
                best = Some(match best {
                    Some(best) => best.better(reading, confirmed, context.pages),
                    None => reading,
                });
            }
        }
        if let Some(LineReading { tied: false, page, runs, sequences, .. }) = best {
            (self.runs, self.sequences) = (runs, sequences);
            return 1 << page;
        }
        self.find_runs(PageSet::MAX, text, context);
        self.runs.iter_mut().for_each(|run| run.rivals |= candidates);
        0
    }

    /// Removes the runs, which are those of a page. Returns the reading of the line in it.
    fn take_reading(&mut self, page: usize, pages: &Pages) -> LineReading {
        let gaining = || self.runs.iter().filter(|run| run.gain > 0);
        let gain = gaining().map(|run| run.gain).sum();
        let values: Vec<_> = gaining().flat_map(|run| self.decoded(run)).collect();
        let stranger_points = STRANGER * strangers(&values);
        let chars = || gaining().flat_map(|run| &self.chars[run.chars.clone()]);
        let keeps_bytes = chars().any(|&value| pages.is_kept(value, page));
        let (runs, sequences) = (take(&mut self.runs), take(&mut self.sequences));
        LineReading {
            page,
            gain,
            stranger_points,
            values,
            keeps_bytes,
            tied: false,
            runs,
            sequences,
        }
    }
}

/// For each alphabet, a number of letters that it has.
#[derive(Clone, Copy)]
pub(super) struct AlphabetCounts([i32; ALPHABETS.len()]);

impl AlphabetCounts {
    /// Counts the letters of each alphabet.
    pub fn of_letters(letters: impl IntoIterator<Item = char>) -> AlphabetCounts {
        let mut counts = [0; ALPHABETS.len()];
        for letter in letters {
            alphabets_with(letter).for_each(|alphabet| counts[alphabet] += 1);
        }
        AlphabetCounts(counts)
    }

    /// Returns the largest number among the alphabets that have `letter`.
    pub fn of(&self, letter: char) -> i32 {
        alphabets_with(letter).map(|alphabet| self.0[alphabet]).max().unwrap_or_default()
    }
}

/// Returns the number of letters that are not in the alphabet that has most of them.
fn strangers(text: &[char]) -> i32 {
    let letters = || text.iter().copied().filter(|&value| is_latin(value));
    let AlphabetCounts(counts) = AlphabetCounts::of_letters(letters());
    letters().count() as i32 - counts.into_iter().max().unwrap_or_default()
}

/// Returns the indexes of the alphabets that have a letter, in either case.
fn alphabets_with(letter: char) -> impl Iterator<Item = usize> {
    let mut alphabets = alphabets_of(letter);
    std::iter::from_fn(move || {
        let first = alphabets.trailing_zeros() as usize;
        alphabets &= alphabets.wrapping_sub(1);
        (first < ALPHABETS.len()).then_some(first)
    })
}

/// Returns the alphabets that have a letter, in either case.
pub(super) fn alphabets_of(letter: char) -> AlphabetSet {
    static TABLE: LazyLock<Box<[AlphabetSet; END]>> = LazyLock::new(|| {
        let mut table = Box::new([0; END]);
        for (at, alphabet) in ALPHABETS.iter().enumerate() {
            let capitals = alphabet.chars().flat_map(char::to_uppercase);
            for letter in alphabet.chars().chain(capitals) {
                table[letter as usize] |= 1 << at;
            }
        }
        table
    });
    TABLE.get(letter as usize).copied().unwrap_or_default()
}

/// Returns `true` for a letter of Latin script.
fn is_latin(value: char) -> bool {
    let traits = CharTraits::of(value);
    traits.is_letter() && traits.script == LetterScript::Latin
}
