//! Costs of texts in single-byte code pages.

use std::borrow::Cow;
use std::collections::HashMap;
use std::slice;

use super::confidence::MISFIT;
use super::letter_case::{CaseTable, ascii_cases, case_cost, inner_capitals, pairs_case_cost};
use super::model::{BIT, Language, Model};
use super::oddity::{branches, is_never_word, is_unit};
use super::pages::{DetectedPage, Glyph, LetterCase, OTHER_LATIN};
use super::pairs::{Pair, Pairs};
use super::symbols::{
    SymbolCosts, ascii_cells, byte_saving, first_cost, pairs_cost, set_high_symbols, word_cost,
};
use super::words::{Word, is_in_word};
use super::{CandidateText, RankedCandidate, ranked};
use crate::codec::pages::{Prior, Script};

/// The cost of an ASCII letter next to a letter of another script. Chosen by hand: one word in sixty.
pub(super) const MIXED_LETTERS: i64 = 6 * BIT;

/// The most cost of a further occurrence of a letter that the language lacks, among the letters of others:
/// a letter that occurred once is likelier to return. Chosen by hand from 1 to 7 bits.
const REPEATED: u16 = 4 * BIT as u16;

/// The cost of a word in another language than the text, chosen by hand from 2.5 to 8 bits so that
/// both sentences and single names in English are read right.
const FOREIGN_WORD: i64 = 3 * BIT;

/// The further cost of a foreign word in English whose first letter is small and beyond ASCII: as much as
/// that of a capital at the start of a word. Foreign words in English are names, which start with capitals.
const SMALL_IN_NAME: i64 =
    case_cost(LetterCase::None, LetterCase::Upper) - case_cost(LetterCase::None, LetterCase::Lower);

/// As [`SMALL_IN_NAME`], if the letter is a capital, which the cost of letter case takes for rare. A word is not
/// cheaper as a foreign one than in its own language.
const CAPITAL_IN_NAME: i64 = 1 - FOREIGN_WORD;

/// The further cost in English of a word with letters that English lacks: such a word is hardly English. Chosen
/// by hand; with 3 bits, more names are certain in the wrong page.
const NOT_ENGLISH: i64 = BIT + BIT / 2;

/// The cost of a language that was not written in a page, chosen by hand: one text in thirty.
const FOREIGN_PAGE: i64 = 5 * BIT;

/// The cost of a branch of a tree of files, such as `├──`, chosen by hand.
const BRANCH: i64 = 8 * BIT;

/// The cost of a unit with the micro sign, chosen by hand: in the models, `µm` costs some 10 bits more, and `µF`
/// 16 more, because hardly a capital follows a sign.
const UNIT: i64 = 14 * BIT;

/// The cost of each different letter that is a word of its own, but in no language. Chosen by hand; with 6
/// or 12 bits, hardly a text is read otherwise.
const LONE_LETTER: i64 = 8 * BIT;

/// The cost of a byte that is no part of the text, chosen by hand: a byte of any value, once in some
/// thousand bytes. With less, a sign such as × is taken for one, and what tells two pages apart counts
/// for too little; with more, such a byte changes the page of a text.
const STRAY: i64 = 20 * BIT;

/// The highest cost of a page, in bits, in which text in capitals is expected: in the pages of Mac OS, Ü
/// of windows-1254 is İ, which in capitals is as common.
const MOST_IN_CAPITALS: u8 = 8;

/// The highest cost of a page, in bits, in which text in a language without a model is expected. Some of
/// these languages have letters of which others are rare, so that long text in such a language seemed
/// to be in a page of the Baltic states: a dearer page needs a language that was written in it.
const MOST_FOR_OTHERS: u8 = 3;

/// The further mean cost of a pair in words in a dearer page, chosen by hand. Text that is in such a
/// page fits its language well; text in a language without a model may have likelier letters in one.
const RARITY: i64 = BIT / 2;

/// The number of words from which one may have a stray byte: the others tell the page.
const WORDS_WITH_STRAY: usize = 4;

/// The least mean cost of a pair if most words are in languages for which the page was not made: such
/// a text is hardly evidence for the page.
const UNSUITED: i64 = MISFIT + BIT / 2;

/// The number of bytes of words by which the languages are chosen: some ten words of Western Europe.
const FIRST_BYTES: usize = 128;

/// The number of bytes of words by which a language is chosen to tell that the pages of a script are
/// hopeless, which hardly depends on the language.
const FEW_BYTES: usize = 24;

/// The number of languages in which all words are read: those that fit the first words and the ASCII
/// between words best.
const MOST_LANGUAGES: usize = 8;

/// The number of them that are chosen by their words alone: the ASCII of markup is English, whatever
/// language the words are in.
const BY_WORDS: usize = 2;

/// The number of words that fit these languages worst, of which the likeliest languages are added: names
/// may be in another language than the text.
const MOST_NAMES: usize = 4;

/// The costs of the words in a page and a language.
struct Reading<'a> {
    language: &'a Language,
    /// The cost of the language in the page, of which `page` is due to the page.
    prior: i64,
    page: i64,
    /// True if text in the language is evidence for the page: it was written in the page, or the page is
    /// for all languages of the script that have no page of their own.
    is_suited: bool,
    /// The cost beyond [`REPEATED`] of the first occurrence of each letter that the language lacks and that
    /// occurs again.
    foreign_letters: i64,
    /// The cost of the ASCII pairs between the words.
    ascii: i64,
    /// The cost of each word that is kept, without that of `foreign_letters`.
    words: Vec<i64>,
    /// The cost of each word that is kept, as if each of its letters occurred for the first time.
    words_at_first: Vec<i64>,
    /// The cost of the words that are not kept.
    rest: i64,
}

impl<'l> Reading<'l> {
    /// Lowers the costs of [signs](PageReader::signs) to their own.
    fn with_signs(mut self, signs: &[(usize, i64)]) -> Reading<'l> {
        for &(at, most) in signs {
            for costs in [&mut self.words, &mut self.words_at_first] {
                if let Some(cost) = costs.get_mut(at) {
                    *cost = most.min(*cost);
                }
            }
        }
        self
    }
}

impl Reading<'_> {
    fn of<'a>(
        costs: &LanguageCosts<'a>,
        page: &DetectedPage,
        cells: &SymbolCosts,
        foreign_letters: i64,
        words: &[Word],
        rest: &[Pair],
    ) -> Reading<'a> {
        let language = costs.language;
        let is_foreign = |byte: &u8| cells[usize::from(*byte)].is_foreign;
        let cost = |word: &Word| {
            let is_not_english = language.is_english() && word.bytes.iter().any(is_foreign);
            word_cost(language, cells, word.bytes) + if is_not_english { NOT_ENGLISH } else { 0 }
        };
        let costs_of_words: Vec<i64> = words.iter().map(cost).collect();
        let mut words_at_first = costs_of_words.clone();
        if foreign_letters > 0 {
            for (cost, word) in words_at_first.iter_mut().zip(words) {
                *cost += first_cost(cells, word.bytes);
            }
        }
        let is_for = page.is_for(language.name);
        let foreign = if is_for { 0 } else { FOREIGN_PAGE };
        Reading {
            language,
            prior: i64::from(language.cost) + foreign,
            page: foreign,
            is_suited: is_for || page.is_for_others(),
            foreign_letters,
            ascii: costs.ascii,
            words: costs_of_words,
            words_at_first,
            rest: pairs_cost(language, cells, rest),
        }
    }

    /// Returns the cost of words, of which each costs at most what `most` returns for its index.
    fn words_cost(&self, words: &[Word], most: impl Fn(usize) -> i64) -> i64 {
        let sum = |costs: &[i64]| -> i64 {
            let costs = costs.iter().enumerate().map(|(at, &cost)| cost.min(most(at)));
            words.iter().zip(costs).map(|(word, cost)| word.count * cost).sum()
        };
        // Where each word with a letter costs the most, the letter costs nothing in this language.
        (self.foreign_letters + sum(&self.words)).min(sum(&self.words_at_first))
    }

    /// Returns the cost of one of the words that are kept, and of the language.
    fn word_at_first(&self, word: usize) -> i64 {
        self.prior + self.words_at_first[word]
    }
}

/// Reads words in a page.
struct PageReader<'a> {
    model: &'a Model,
    page: &'a DetectedPage,
    pairs: &'a Pairs<'a>,
    /// The code points of the bytes beyond ASCII that occur.
    points: Vec<u32>,
    /// The letters among these bytes.
    letters: Vec<(u8, Glyph)>,
    /// The cost of the marks among them, among those of their classes.
    marks_cost: i64,
    cases: CaseTable,
    /// The symbols of all other bytes, which are the same in all languages of the script.
    others: SymbolCosts,
    /// The bytes between blanks that are letters, but words in no language: 9E in `80 \x9E 25`, which is `×`
    /// in ibm850, is `ž` in windows-1252.
    lone: Vec<u8>,
    /// The words that are branches of a tree of files, or units: the index and the highest cost of each.
    signs: Vec<(usize, i64)>,
}

impl<'a> PageReader<'a> {
    /// Creates a reader, if the page defines these bytes beyond ASCII.
    fn new(
        model: &'a Model,
        page: &'a DetectedPage,
        high: &[u8],
        pairs: &'a Pairs,
    ) -> Option<PageReader<'a>> {
        let points = page.points(high)?;
        let glyphs = points.iter().map(|&point| page.glyph(model, point));
        let glyphs: Vec<(u8, Glyph)> = high.iter().copied().zip(glyphs).collect();
        let cases = page_cases(&glyphs);
        let (letters, marks): (Vec<_>, Vec<_>) =
            glyphs.into_iter().partition(|(_, glyph)| glyph.letter_case().is_some());
        let mut others = ascii_cells(page.prior.script);
        let mut languages = model.languages.iter();
        let language = languages.find(|language| language.script == page.prior.script)?;
        set_high_symbols(model, &mut others, &marks, language);
        let cost = |&(_, glyph): &(u8, Glyph)| match glyph {
            Glyph::Mark(_, cost) => i64::from(cost),
            _ => 0,
        };
        let marks_cost = marks.iter().map(cost).sum();
        let branches = branches(high.iter().copied().zip(&points), &pairs.words);
        let micro = high.iter().zip(&points).find(|(_, point)| **point == u32::from('µ'));
        let units = micro.into_iter().flat_map(|(&micro, _)| {
            let words = pairs.words.iter().enumerate();
            words.filter(move |(_, word)| is_unit(micro, word.bytes)).map(|(at, _)| (at, UNIT))
        });
        let signs = branches.into_iter().map(|at| (at, BRANCH)).chain(units).collect();
        let is_lone = |byte: &&u8| page.character(**byte).is_some_and(is_never_word);
        let lone = pairs.lone.iter().filter(is_lone).copied().collect();
        Some(PageReader {
            model,
            page,
            pairs,
            points,
            letters,
            marks_cost,
            cases,
            others,
            lone,
            signs,
        })
    }

    /// Returns the readings in the likeliest languages. A page that costs more than `most` in the
    /// [first language](FirstLanguages) of its script is read in no other.
    fn readings<'l>(
        &self,
        languages: &'l [LanguageCosts<'l>],
        first: &mut FirstLanguages<'l>,
        most: i64,
    ) -> Vec<Reading<'l>> {
        let Prior { script, cost, .. } = self.page.prior;
        let may_be = |costs: &&LanguageCosts| {
            let Language { script: of, is_in_capitals, name, .. } = *costs.language;
            of == script
                && (!is_in_capitals || cost <= MOST_IN_CAPITALS)
                && (name != OTHER_LATIN || cost <= MOST_FOR_OTHERS)
        };
        let languages: Vec<&'l LanguageCosts<'l>> = languages.iter().filter(may_be).collect();
        let first_words = self.pairs.first_words(FIRST_BYTES);
        if first_words.len() == self.pairs.words.len() {
            return languages.into_iter().map(|one| self.read_all(one)).collect();
        }
        if most < i64::MAX {
            let language = *first.entry(script).or_insert_with(|| {
                let few = self.pairs.first_words(FEW_BYTES);
                languages[self.likeliest_first(&languages, few).0[0]]
            });
            let reading = self.read_all(language);
            if self.total_costs(slice::from_ref(&reading), &self.pairs.words)[0] > most {
                return vec![reading];
            }
        }
        let (mut order, readings) = self.likeliest_first(&languages, first_words);
        let by_words = order.len().min(MOST_LANGUAGES - BY_WORDS);
        let own_cost =
            |reading: &Reading<'_>| reading.prior + reading.words_cost(first_words, |_| i64::MAX);
        order[by_words..].sort_by_key(|&at| own_cost(&readings[at]));
        let others = order.split_off(order.len().min(MOST_LANGUAGES));
        let [chosen, others] = [order, others].map(|order| {
            order.into_iter().map(|at| languages[at]).collect::<Vec<&LanguageCosts>>()
        });
        let readings = chosen.into_iter().map(|one| self.read_all(one)).collect();
        self.with_languages_of_names(readings, &others)
    }

    /// Adds the readings in other languages in which one of the words that fit these readings worst is
    /// cheaper, the language in which it is cheapest for each.
    fn with_languages_of_names<'l>(
        &self,
        mut readings: Vec<Reading<'l>>,
        others: &[&LanguageCosts<'l>],
    ) -> Vec<Reading<'l>> {
        let words = &self.pairs.words;
        let least =
            |word| readings.iter().map(|one| one.word_at_first(word)).min().unwrap_or_default();
        let misfit = |word: usize| least(word) - MISFIT * (words[word].bytes.len() as i64 - 1);
        let mut names: Vec<usize> = (0..words.len()).filter(|&word| misfit(word) > 0).collect();
        names.sort_by_key(|&word| -misfit(word));
        names.truncate(MOST_NAMES);
        if names.is_empty() {
            return readings;
        }
        let texts: Vec<Word> = names.iter().map(|&word| words[word]).collect();
        let of_names = self.read_words(others, &texts);
        let cheapest = |(name, &word): (usize, &usize)| {
            let of_name = of_names.iter().map(|one| one.word_at_first(name)).enumerate();
            let (other, cost) = of_name.min_by_key(|(_, cost)| *cost)?;
            (cost < least(word)).then_some(other)
        };
        let mut added: Vec<usize> = names.iter().enumerate().filter_map(cheapest).collect();
        added.sort_unstable();
        added.dedup();
        readings.extend(added.into_iter().map(|other| self.read_all(others[other])));
        readings
    }

    /// Returns the indices of the languages, the likeliest by the first words first, and the readings
    /// of these words.
    fn likeliest_first<'l>(
        &self,
        languages: &[&LanguageCosts<'l>],
        first: &[Word],
    ) -> (Vec<usize>, Vec<Reading<'l>>) {
        let readings = self.read_words(languages, first).into_iter();
        let readings: Vec<_> = readings.map(|one| one.with_signs(&self.signs)).collect();
        let costs = self.total_costs(&readings, first);
        let mut order: Vec<usize> = (0..languages.len()).collect();
        order.sort_by_key(|&at| costs[at]);
        (order, readings)
    }

    /// Returns the page with its best language.
    fn rank<'l>(
        self,
        languages: &'l [LanguageCosts<'l>],
        first: &mut FirstLanguages<'l>,
        most: i64,
    ) -> Option<RankedCandidate> {
        let PageReader { page, pairs, marks_cost, ref signs, .. } = self;
        let readings = self.readings(languages, first, most);
        let costs = self.total_costs(&readings, &pairs.words).into_iter().zip(&readings);
        let (cost, best) = costs.min_by_key(|(cost, _)| *cost)?;
        let mut is_letter = [false; 256];
        self.letters.iter().for_each(|&(byte, _)| is_letter[usize::from(byte)] = true);
        // These costs do not change the rank of a page that is hopeless beside a set.
        let more = match cost > most {
            true => 0,
            false => {
                script_cost(page, &is_letter, &self.cases, pairs)
                    + LONE_LETTER * self.lone.len() as i64
                    - self.stray_saving(best, &readings)
            }
        };
        let cost = cost + more + i64::from(page.prior.cost) * BIT;
        let rarity = if page.prior.cost > MOST_FOR_OTHERS { RARITY } else { 0 };
        // A sign and a letter, as `°C`, are a unit.
        let is_word = |bytes: &[u8]| {
            bytes.iter().any(|&byte| is_letter[usize::from(byte)])
                || bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 1
        };
        let is_sign = |at: usize| signs.iter().any(|&(sign, _)| sign == at);
        let is_text = |at: usize| !is_sign(at) && is_word(pairs.words[at].bytes);
        let mean_misfit = misfit(&readings, &pairs.words, is_text, rarity);
        let (name, lacks_words) = (best.language.name, !page.has_words(pairs));
        let text = CandidateText::Page(self.points);
        let candidate = ranked(page.codec, name, cost, text, Some(mean_misfit));
        Some(RankedCandidate { marks_cost, lacks_words, ..candidate })
    }

    /// Returns the cost of these words, of the ASCII between words and of the words that are not kept in
    /// each reading. Words that are cheaper in other languages are foreign; in English, they are names.
    fn total_costs(&self, readings: &[Reading<'_>], words: &[Word]) -> Vec<i64> {
        let foreign = foreign_costs(readings, words);
        let cost = |reading: &Reading<'_>| {
            let foreign = self.foreign_costs_in(reading.language, &foreign, words);
            let words = reading.words_cost(words, |at| foreign[at]);
            reading.prior + reading.ascii + reading.rest + words
        };
        readings.iter().map(cost).collect()
    }

    /// Returns the [costs of foreign words](foreign_costs) in text in a language. In English, they are names.
    fn foreign_costs_in<'f>(
        &self,
        language: &Language,
        foreign: &'f [i64],
        words: &[Word],
    ) -> Cow<'f, [i64]> {
        if !language.is_english() {
            return Cow::Borrowed(foreign);
        }
        let case = |word: &Word| match word.bytes {
            // The further parts of a long word do not start it.
            [before, first, ..] if !first.is_ascii() && !is_in_word(before) => {
                self.cases[usize::from(*first)]
            }
            _ => LetterCase::None,
        };
        let more = |word: &Word| match case(word) {
            LetterCase::Upper => CAPITAL_IN_NAME,
            LetterCase::Lower => SMALL_IN_NAME,
            LetterCase::None => 0,
        };
        foreign.iter().zip(words).map(|(cost, word)| cost.saturating_add(more(word))).collect()
    }

    /// Reads all words.
    fn read_all<'l>(&self, costs: &LanguageCosts<'l>) -> Reading<'l> {
        let mut cells = self.others;
        let foreign = self.set_letters(&mut cells, &self.letters, costs.language);
        let reading =
            Reading::of(costs, self.page, &cells, foreign, &self.pairs.words, &self.pairs.rest);
        reading.with_signs(&self.signs)
    }

    /// Reads words in each language, without the costs of [signs](Self::signs).
    fn read_words<'l>(&self, languages: &[&LanguageCosts<'l>], words: &[Word]) -> Vec<Reading<'l>> {
        let mut occurs = [false; 256];
        let bytes = words.iter().flat_map(|word| word.bytes);
        bytes.for_each(|&byte| occurs[usize::from(byte)] = true);
        let mut letters = self.letters.to_vec();
        letters.retain(|&(byte, _)| occurs[usize::from(byte)]);
        let mut cells = self.others;
        let read = |costs: &&LanguageCosts<'l>| {
            let foreign = self.set_letters(&mut cells, &letters, costs.language);
            Reading::of(costs, self.page, &cells, foreign, words, &[])
        };
        languages.iter().map(read).collect()
    }

    /// Sets the symbols of letters in a language. Repeated ones that the language does not have cost
    /// [`REPEATED`] at most; returns the further cost of the first one of each.
    fn set_letters(
        &self,
        cells: &mut SymbolCosts,
        letters: &[(u8, Glyph)],
        language: &Language,
    ) -> i64 {
        set_high_symbols(self.model, cells, letters, language);
        let mut first = 0;
        for &(byte, _) in letters {
            let cell = &mut cells[usize::from(byte)];
            if cell.is_foreign && self.pairs.is_repeated(byte) {
                cell.first = cell.cost.saturating_sub(REPEATED);
                cell.cost -= cell.first;
                first += i64::from(cell.first);
            }
        }
        first
    }

    /// Returns what the words of a reading cost less if the one that fits worst has a stray byte.
    fn stray_saving(&self, reading: &Reading<'_>, readings: &[Reading<'_>]) -> i64 {
        let words = &self.pairs.words;
        if words.len() < WORDS_WITH_STRAY {
            return 0;
        }
        let mut cells = self.others;
        self.set_letters(&mut cells, &self.letters, reading.language);
        let foreign = foreign_costs(readings, words);
        let foreign = self.foreign_costs_in(reading.language, &foreign, words);
        let costs = reading.words.iter().zip(&*foreign);
        let saving = |(word, (own, foreign)): (&Word, (&i64, &i64))| {
            let is_lone = matches!(word.bytes[..], [_, byte, _] if self.lone.contains(&byte));
            let saving = byte_saving(reading.language, &cells, &self.cases, word.bytes)
                + if is_lone { LONE_LETTER } else { 0 };
            foreign.min(own) - (own - saving + STRAY)
        };
        let once = words.iter().zip(costs).filter(|(word, _)| word.count == 1);
        once.map(saving).fold(0, i64::max)
    }
}

/// Returns the cost of each word in another language than the text: in the one where it is cheapest.
/// Words of one or two letters are in the language of the text: `µm` is no Slovak `ľm`.
fn foreign_costs(readings: &[Reading<'_>], words: &[Word]) -> Vec<i64> {
    let cheapest = |word| readings.iter().map(|one| one.prior + one.words[word]).min();
    let cost = |(at, word): (usize, &Word)| match word.bytes.len() {
        ..5 => i64::MAX,
        _ => cheapest(at).unwrap_or_default() + FOREIGN_WORD,
    };
    words.iter().enumerate().map(cost).collect()
}

/// Returns the mean cost of a pair in words, each in the language that fits it best, plus `rarity`. A
/// language that was not written in the page costs more. If most words are in languages for which the
/// page was not made, the result is [`UNSUITED`] at least. Words count for whose index `is_text` returns
/// true.
fn misfit(
    readings: &[Reading<'_>],
    words: &[Word],
    is_text: impl Fn(usize) -> bool,
    rarity: i64,
) -> i64 {
    let (mut costs, mut pairs, mut suited) = (0, 0, 0);
    for (at, word) in words.iter().enumerate().filter(|(at, _)| is_text(*at)) {
        let best = readings.iter().min_by_key(|one| one.words[at] + one.page);
        let Some(best) = best else { continue };
        costs += word.count * (best.words[at] + best.page);
        pairs += word.count * (word.bytes.len() as i64 - 1);
        suited += if best.is_suited { word.count } else { -word.count };
    }
    let mean = costs / pairs.max(1) + rarity;
    if suited < 0 { mean.max(UNSUITED) } else { mean }
}

/// A language with the cost of the sample's ASCII pairs in it, or in English if its script is not
/// Latin.
struct LanguageCosts<'a> {
    language: &'a Language,
    ascii: i64,
}

/// For each script, the language in which its pages are read to tell whether they are hopeless: the likeliest
/// one in the first page of the script. It need not be one that is read in all of them.
type FirstLanguages<'l> = HashMap<Script, &'l LanguageCosts<'l>>;

/// Returns the pages that define all of these bytes beyond ASCII, each with its best language. A page
/// that costs more than `most` in the [first language](FirstLanguages) of its script is read in no other.
pub(super) fn rank_pages(
    model: &Model,
    pages: &[DetectedPage],
    high: &[u8],
    pairs: &Pairs,
    most: i64,
) -> Vec<RankedCandidate> {
    let latin = ascii_cells(Script::Latin);
    let cases = pairs_case_cost(&ascii_cases(), &pairs.ascii);
    // Digits and marks, as in dates and tables, are no evidence for a language.
    let has_letter = |pair: &Pair| pair.bytes.iter().any(u8::is_ascii_alphabetic);
    let (letters, others): (Vec<Pair>, Vec<Pair>) =
        pairs.ascii.iter().copied().partition(has_letter);
    let english = &model.languages[0];
    let others = pairs_cost(english, &latin, &others) + cases;
    let ascii = |language| pairs.scale_ascii(pairs_cost(language, &latin, &letters) + others);
    let english = ascii(english);
    let languages: Vec<LanguageCosts> = model
        .languages
        .iter()
        .map(|language| LanguageCosts {
            language,
            ascii: if language.script == Script::Latin { ascii(language) } else { english },
        })
        .collect();
    let readers = pages.iter().filter_map(|page| PageReader::new(model, page, high, pairs));
    let mut first = FirstLanguages::new();
    readers.filter_map(|reader| reader.rank(&languages, &mut first, most)).collect()
}

/// Returns the case of the ASCII bytes and of these ones.
fn page_cases(glyphs: &[(u8, Glyph)]) -> CaseTable {
    let mut cases = ascii_cases();
    for &(byte, glyph) in glyphs {
        if let Some(case) = glyph.letter_case() {
            cases[usize::from(byte)] = case;
        }
    }
    cases
}

/// Returns the cost of the case of letters, and of words in ASCII among words in the script of the
/// page.
fn script_cost(
    page: &DetectedPage,
    is_letter: &[bool; 256],
    cases: &CaseTable,
    pairs: &Pairs,
) -> i64 {
    let is_letter = |byte| is_letter[usize::from(byte)];
    let words = || pairs.mixture_cost(pairs.words(is_letter));
    let letters = || MIXED_LETTERS * pairs.mixed_letters(is_letter);
    pairs_case_cost(cases, &pairs.high)
        + pairs.words.iter().map(|word| inner_capitals(cases, word.bytes)).sum::<i64>()
        + match page.prior.script {
            Script::Latin => 0,
            // Thai has no spaces between words.
            Script::Thai => words(),
            _ => words() + letters(),
        }
}
