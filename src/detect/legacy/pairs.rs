//! Counts of the byte pairs of a sample.

use super::model::BIT;
use super::words::{WindowPart, Word, WordCounts, is_in_word, join_windows, split_words};

/// A pair of adjacent bytes.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub bytes: [u8; 2],
    /// The number of occurrences.
    pub count: i64,
}

/// The windows of a sample, each between spaces.
pub(super) struct SampleText {
    text: Vec<u8>,
    /// The different bytes beyond ASCII that are whole words between blanks of a window: the text does not
    /// tell where windows end.
    lone: Vec<u8>,
}

impl SampleText {
    /// Joins the windows of a sample.
    pub fn of<'a>(windows: impl Iterator<Item = &'a [u8]> + Clone) -> SampleText {
        let mut lone: Vec<u8> = windows.clone().flat_map(lone_bytes).collect();
        lone.sort_unstable();
        lone.dedup();
        SampleText { text: join_windows(windows), lone }
    }
}

/// The pairs of a sample.
pub(super) struct Pairs<'a> {
    /// The pairs of two ASCII bytes outside of words with bytes beyond ASCII.
    pub ascii: Vec<Pair>,
    /// The pairs in words with bytes beyond ASCII, and around them.
    pub high: Vec<Pair>,
    /// The most frequent words with bytes beyond ASCII.
    pub words: Vec<Word<'a>>,
    /// The pairs in the other words.
    pub rest: Vec<Pair>,
    /// The different bytes beyond ASCII that are whole words, between blanks.
    pub lone: &'a [u8],
    /// For each byte, whether it occurs more than once in words with bytes beyond ASCII.
    repeated: [bool; 256],
    /// The number of words that start with an ASCII letter.
    ascii_words: i64,
    /// The number of occurrences of ASCII pairs.
    ascii_count: i64,
    /// The number of occurrences of ASCII pairs that count.
    ascii_weight: i64,
}

/// Counts of pairs of bytes.
struct PairCounts(Vec<u16>);

impl Default for PairCounts {
    fn default() -> PairCounts {
        PairCounts(vec![0; 1 << 16])
    }
}

impl PairCounts {
    fn add(&mut self, bytes: &[u8], count: i64) {
        for pair in bytes.windows(2) {
            // A sample has less than 64 Ki pairs.
            self.0[usize::from(u16::from_be_bytes([pair[0], pair[1]]))] += count as u16;
        }
    }

    fn add_words(&mut self, words: &[Word<'_>]) {
        words.iter().for_each(|word| self.add(word.bytes, word.count));
    }

    fn pairs(&self) -> Vec<Pair> {
        const BLOCK: usize = 32;
        let mut pairs = Vec::new();
        // Most blocks have no pair.
        for (at, block) in self.0.chunks(BLOCK).enumerate() {
            if block.iter().fold(0, |any, count| any | count) == 0 {
                continue;
            }
            let counts = (at * BLOCK..).zip(block).filter(|(_, count)| **count > 0);
            pairs.extend(counts.map(|(pair, &count)| Pair {
                bytes: (pair as u16).to_be_bytes(),
                count: count.into(),
            }));
        }
        pairs
    }
}

impl<'a> Pairs<'a> {
    /// Counts the pairs of a sample.
    pub fn count(sample: &'a SampleText) -> Pairs<'a> {
        let (mut counts, mut words) =
            (PairCounts::default(), WordCounts::with_room_for(sample.text.len()));
        split_words(&sample.text, |part| match part {
            WindowPart::Word(bytes) => words.add(bytes),
            WindowPart::Between(bytes) => counts.add(bytes, 1),
        });
        let ascii = counts.pairs();
        counts.0.fill(0);
        let (words, others) = words.into_frequent();
        counts.add_words(&others);
        let rest = counts.pairs();
        counts.add_words(&words);
        Pairs::new(ascii, counts.pairs(), words, rest, &sample.lone)
    }

    fn new(
        ascii: Vec<Pair>,
        high: Vec<Pair>,
        words: Vec<Word<'a>>,
        rest: Vec<Pair>,
        lone: &'a [u8],
    ) -> Pairs<'a> {
        let ascii_words =
            occurrences(&ascii, |[a, b]| !a.is_ascii_alphabetic() && b.is_ascii_alphabetic());
        let [ascii_count, other] = [&ascii, &high].map(|pairs| occurrences(pairs, |_| true));
        // Markup and programs are in no language, so that ASCII counts up to a limit only. Chosen by
        // hand: a sentence, and eight times the number of other pairs.
        let ascii_weight = ascii_count.min(48 + 8 * other);
        let mut counts = [0; 256];
        for pair in &high {
            counts[usize::from(pair.bytes[1])] += pair.count;
        }
        let repeated = counts.map(|count| count > 1);
        Pairs { ascii, ascii_words, ascii_count, ascii_weight, high, words, rest, lone, repeated }
    }

    /// Returns these pairs with as much weight of ASCII as others have.
    pub fn with_ascii_weight_of(self, others: &Pairs<'_>) -> Pairs<'a> {
        Pairs { ascii_weight: others.ascii_weight.min(self.ascii_count), ..self }
    }

    /// Returns the first words, of up to `most` bytes in total, but one at least.
    pub fn first_words(&self, most: usize) -> &[Word<'a>] {
        let sizes = self.words.iter().scan(0, |sum, word| {
            *sum += word.bytes.len();
            Some(*sum)
        });
        let len = sizes.take_while(|&sum| sum <= most).count().max(1);
        &self.words[..len.min(self.words.len())]
    }

    /// Scales the cost of all ASCII pairs down to those that count. A multi-byte set has some even
    /// where there is none outside of words.
    pub fn scale_ascii(&self, cost: i64) -> i64 {
        cost * self.ascii_weight.max(1) / self.ascii_count.max(1)
    }

    /// Returns `true` if a byte beyond ASCII occurs more than once in words.
    pub fn is_repeated(&self, byte: u8) -> bool {
        self.repeated[usize::from(byte)]
    }

    /// Returns the number of words with bytes beyond ASCII that start with a byte for which `starts` is
    /// true.
    pub fn words(&self, starts: impl Fn(u8) -> bool) -> i64 {
        occurrences(&self.high, |[a, b]| a.is_ascii() && !a.is_ascii_alphabetic() && starts(b))
    }

    /// Returns the number of pairs of an ASCII letter and a byte for which `is_letter` is true.
    pub fn mixed_letters(&self, is_letter: impl Fn(u8) -> bool) -> i64 {
        occurrences(&self.high, |[a, b]| {
            a.is_ascii_alphabetic() && is_letter(b) || is_letter(a) && b.is_ascii_alphabetic()
        })
    }

    /// Returns the cost of this many words in another script than Latin: the negative logarithm of
    /// their share of all words, times 3/2. The factor was chosen by hand so that English with loan
    /// words stays English.
    pub fn mixture_cost(&self, words: i64) -> i64 {
        words * (logarithm(words + self.ascii_words) - logarithm(words)) * 3 / 2
    }

    /// Returns the number of different pairs within words. If at most one has a byte beyond ASCII,
    /// the result is at most two.
    pub fn telling(&self) -> usize {
        let is_within = |pair: &&Pair| pair.bytes.iter().all(is_in_word);
        let within = self.ascii.iter().chain(&self.high).filter(is_within);
        let (ascii, high): (Vec<&Pair>, Vec<&Pair>) =
            within.partition(|pair| pair.bytes.is_ascii());
        match (high.len(), ascii.len()) {
            (high @ 0..=1, ascii) => (high + ascii).min(2),
            (high, ascii) => high + ascii,
        }
    }

    /// Returns the number of words with bytes beyond ASCII.
    pub fn high_words(&self) -> i64 {
        self.words(|byte| is_in_word(&byte))
    }

    /// Returns the cost under the hypothesis of noise: eight bits a byte.
    pub fn noise(&self) -> i64 {
        8 * BIT * (occurrences(&self.high, |_| true) + self.ascii_weight)
    }
}

/// Returns the bytes beyond ASCII of a window that are whole words, between blanks. The start and the
/// end of a window may be within a word.
fn lone_bytes(window: &[u8]) -> impl Iterator<Item = u8> {
    let is_blank = |byte: u8| byte <= b' ';
    window.windows(3).filter_map(move |bytes| match *bytes {
        [before, byte @ 0x80..=0xFF, after] if is_blank(before) && is_blank(after) => Some(byte),
        _ => None,
    })
}

/// Returns the number of occurrences of the pairs that satisfy a predicate.
fn occurrences(pairs: &[Pair], is_counted: impl Fn([u8; 2]) -> bool) -> i64 {
    pairs.iter().filter(|pair| is_counted(pair.bytes)).map(|pair| pair.count).sum()
}

/// Returns the binary logarithm of a number in units of cost, interpolated linearly between powers
/// of two.
fn logarithm(number: i64) -> i64 {
    let number = number.max(1);
    let whole = number.ilog2();
    (i64::from(whole) - 1) * BIT + ((number * BIT) >> whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_at_powers_of_two() {
        for power in 0..40 {
            assert_eq!(logarithm(1 << power), i64::from(power) * BIT);
        }
        assert_eq!(logarithm(3), BIT + BIT / 2);
    }

    #[test]
    fn lone_bytes_are_between_blanks_of_a_window() {
        let windows = [&b"\xFA \xFA\n\xFB \xE9t\xE9 (\xFC )"[..], b"80 \x9E 25 \xFA \xFF"];
        assert_eq!(SampleText::of(windows.into_iter()).lone, [0x9E, 0xFA, 0xFB]);
    }

    #[test]
    fn each_byte_is_in_two_pairs() {
        let text = SampleText::of([&b"a\xE9"[..], b"\xE9"].into_iter());
        let pairs = Pairs::count(&text);
        let high: i64 = pairs.high.iter().map(|pair| pair.count).sum();
        assert_eq!((pairs.ascii.len(), high), (0, 5));
        assert_eq!(pairs.words(|byte| byte == 0xE9), 1);
    }
}
