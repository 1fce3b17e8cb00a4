//! Which pairs of bytes are in a sample, and how often?

use super::model::BIT;

/// A pair of adjacent bytes, and how often it occurs.
pub(super) struct Pair {
    pub bytes: [u8; 2],
    pub number: i64,
}

/// The pairs of a sample. The input, and each of its windows, stands between blanks.
pub(super) struct Pairs {
    /// Both are ASCII.
    pub ascii: Vec<Pair>,
    /// The others. The first [`FREQUENT`] are the most frequent.
    pub high: Vec<Pair>,
    /// How many words start with a letter of ASCII.
    words: i64,
    /// How many pairs are in `ascii`, and how many of them count.
    all: i64,
    part: i64,
}

/// How many pairs tell the language of a page.
const FREQUENT: usize = 128;

impl Pairs {
    /// Count those of some windows.
    pub fn count<'a>(windows: impl Iterator<Item = &'a [u8]>) -> Pairs {
        let mut counts = vec![0u16; 1 << 16];
        for window in windows {
            let mut last = b' ';
            for &byte in window.iter().chain(b" ") {
                counts[usize::from(u16::from_be_bytes([last, byte]))] += 1;
                last = byte;
            }
        }
        let pair = |(pair, number)| Pair { bytes: u16::to_be_bytes(pair), number };
        let (ascii, mut high): (Vec<_>, Vec<_>) = (0..=u16::MAX)
            .zip(counts.into_iter().map(i64::from))
            .filter(|&(_, number)| number > 0)
            .map(pair)
            .partition(|pair: &Pair| pair.bytes.is_ascii());
        if high.len() > FREQUENT {
            high.select_nth_unstable_by_key(FREQUENT, |pair| (-pair.number, pair.bytes));
        }
        Pairs::weighed(ascii, high)
    }

    fn weighed(ascii: Vec<Pair>, high: Vec<Pair>) -> Pairs {
        let words = number(&ascii, |[a, b]| !a.is_ascii_alphabetic() && b.is_ascii_alphabetic());
        let [all, other] = [&ascii, &high].map(|pairs| number(pairs, |_| true));
        // Markup and programs are in no language: enough ASCII to tell it, but not all. By hand: a
        // sentence of it, and eight times as much as there is of the others.
        Pairs { ascii, words, all, part: all.min(48 + 8 * other), high }
    }

    /// The most frequent pairs that are not ASCII.
    pub fn frequent(&self) -> &[Pair] {
        &self.high[..self.high.len().min(FREQUENT)]
    }

    /// What ASCII counts for that costs so much.
    pub fn weigh(&self, ascii: i64) -> i64 {
        ascii * self.part / self.all.max(1)
    }

    /// How many runs of characters start behind ASCII that is no letter, by their first byte?
    pub fn runs(&self, starts: impl Fn(u8) -> bool) -> i64 {
        number(&self.high, |[a, b]| a.is_ascii() && !a.is_ascii_alphabetic() && starts(b))
    }

    /// How many letters of ASCII stand next to such a byte?
    pub fn glued(&self, such: impl Fn(u8) -> bool) -> i64 {
        number(&self.high, |[a, b]| {
            a.is_ascii_alphabetic() && such(b) || such(a) && b.is_ascii_alphabetic()
        })
    }

    /// What it costs that so many words are in another script than ASCII, half more than the
    /// logarithm of their share of all words tells. The half is by hand: with it, English with loan
    /// words stays English.
    pub fn mixed(&self, words: i64) -> i64 {
        words * (logarithm(words + self.words) - logarithm(words)) * 3 / 2
    }

    /// How many different pairs within words tell the text. Where no more than one has a byte
    /// beyond ASCII, no more than two do.
    pub fn telling(&self) -> usize {
        let different =
            |pairs: &[Pair]| pairs.iter().filter(|pair| pair.bytes.iter().all(is_of_word)).count();
        match (different(&self.high), different(&self.ascii)) {
            (joined @ 0..=1, words) => (joined + words).min(2),
            (joined, words) => joined + words,
        }
    }

    /// What it costs if each byte is as likely as any other.
    pub fn noise(&self) -> i64 {
        8 * BIT * (number(&self.high, |_| true) + self.part)
    }
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// How many pairs are such?
fn number(pairs: &[Pair], such: impl Fn([u8; 2]) -> bool) -> i64 {
    pairs.iter().filter(|pair| such(pair.bytes)).map(|pair| pair.number).sum()
}

/// The binary logarithm of a number, in units of cost. It is linear between powers of two.
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
    fn each_byte_is_in_two_pairs() {
        let pairs = Pairs::count([&b"a\xE9"[..], b"\xE9"].into_iter());
        let high: i64 = pairs.high.iter().map(|pair| pair.number).sum();
        assert_eq!((pairs.ascii.len(), high), (1, 4));
        assert_eq!(pairs.runs(|byte| byte == 0xE9), 1);
    }
}
