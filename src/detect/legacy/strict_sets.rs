//! In which multi-byte sets is everything well formed, but for a cut end?
//!
//! Most text that one of them holds, others hold, too, and they agree where its characters end. So
//! all sets that are left walk through it together, as long as they agree. The codecs are asked
//! once for each pair of bytes.

use super::pages::SETS;
use crate::codec::Step;
use crate::issue::Kind;
use crate::registry::{Encoding, by_name};

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

/// Some of [`SETS`], a bit for each.
type SetMask = u8;

/// The first of [`SETS`] alone: GB 18030, which has sequences of four bytes.
const GB: SetMask = 1;

/// The bit of a pair that begins nothing but well-formed sequences of four bytes there.
const FOUR: u8 = 1 << SETS.len();

/// The bit of each byte of a word that those of ASCII lack.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The sets at work on an input that comes in pieces.
#[derive(Clone)]
pub(super) struct StrictSets {
    specs: [&'static Encoding; SETS.len()],
    /// In which sets all so far is well formed, but for a sequence that has just begun.
    left: SetMask,
    /// In which sets a byte is known to be a character.
    alone: [SetMask; 256],
    /// In which sets a pair of bytes is known to be a sequence, and [`FOUR`].
    pairs: Vec<u8>,
    /// A sequence that the last piece has begun, in each set.
    begun: [Vec<u8>; SETS.len()],
    /// Whether there was a sequence of four bytes.
    four: bool,
}

/// What stands at the front of some bytes.
enum SequenceEnd {
    /// A sequence of so many bytes.
    Whole(usize),
    /// The beginning of one.
    Part,
    IllFormed,
}

impl Default for StrictSets {
    fn default() -> StrictSets {
        StrictSets {
            specs: SETS.map(|set| by_name(set.name)),
            left: FOUR - 1,
            alone: std::array::from_fn(|byte| if byte < 0x80 { FOUR - 1 } else { 0 }),
            pairs: vec![0; 1 << 16],
            begun: Default::default(),
            four: false,
        }
    }
}

impl StrictSets {
    /// Whether all so far is well formed in a set, but for a sequence that has just begun.
    pub fn holds(&self, set: usize) -> bool {
        self.left & 1 << set != 0
    }

    /// How many bytes have begun a sequence of a set at the end of all so far.
    pub fn cut(&self, set: usize) -> usize {
        self.begun[set].len()
    }

    /// Whether there was a sequence of four bytes.
    pub fn has_four(&self) -> bool {
        self.four
    }

    /// Go on with these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let fresh = self.begun.iter().all(Vec::is_empty);
        if self.left == 0 || fresh && bytes.is_ascii() {
            return;
        }
        let mut at: [usize; SETS.len()] = std::array::from_fn(|set| self.finish(set, bytes));
        let mut starts = (0..SETS.len()).filter(|&set| self.holds(set)).map(|set| at[set]);
        if let Some(start) = starts.next()
            && starts.all(|other| other == start)
        {
            at = [start + self.read(self.left, &bytes[start..]); SETS.len()];
        }
        for (set, at) in at.into_iter().enumerate() {
            self.read_alone(set, &bytes[at..]);
        }
    }

    /// Read all of these bytes in one set.
    fn read_alone(&mut self, set: usize, bytes: &[u8]) {
        if self.begun[set].is_empty() {
            let end = self.read(1 << set, bytes);
            if self.holds(set) {
                self.begun[set].extend_from_slice(&bytes[end..]);
            }
        }
    }

    /// Read what the last piece has begun in a set. Returns how many of these bytes belong to it.
    fn finish(&mut self, set: usize, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.holds(set) && at < bytes.len() && !self.begun[set].is_empty() {
            let mut begun = std::mem::take(&mut self.begun[set]);
            begun.push(bytes[at]);
            at += 1;
            match self.ask(set, &begun) {
                // A byte that stands alone, and the next.
                SequenceEnd::Whole(len) => at -= begun.len() - len,
                SequenceEnd::Part => self.begun[set] = begun,
                SequenceEnd::IllFormed => {}
            }
        }
        at
    }

    /// Read on while all that are left of a company agree where the sequences end. Returns how
    /// many bytes.
    fn read(&mut self, company: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        while self.left & company != 0 && at < bytes.len() {
            at += self.known(self.left & company, &bytes[at..]);
            match self.agreed(self.left & company, &bytes[at..]) {
                Some(len) => at += len,
                None => break,
            }
        }
        at
    }

    /// The length of all at the front that no codec need be asked for.
    fn known(&self, company: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let start = at;
            at += self.words(company, &bytes[at..]);
            at += self.ones(company, &bytes[at..]);
            at += self.twos(company, &bytes[at..]);
            if company == GB {
                at += self.fours(&bytes[at..]);
            }
            if at == start {
                return at;
            }
        }
    }

    /// Pairs beyond ASCII with ASCII behind them, eight bytes at a time: no step waits for the
    /// table, or for a guess where a word ends.
    fn words(&self, company: SetMask, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(word) = bytes[at..].first_chunk() {
            let high = u64::from_le_bytes(*word) & HIGH;
            let pairs = (high ^ HIGH).trailing_zeros() / 16;
            let behind = high.checked_shr(16 * pairs).unwrap_or_default();
            let len = (behind.trailing_zeros() / 8 + 2 * pairs).min(8) as usize;
            if len == 0 || !self.are_twos(company, word, pairs) {
                break;
            }
            at += len;
        }
        at
    }

    /// Whether so many pairs at the front are known to be sequences.
    fn are_twos(&self, company: SetMask, word: &[u8; 8], pairs: u32) -> bool {
        let known = word.as_chunks().0.iter().rev().fold(0, |known: u32, pair| {
            known << 1 | u32::from(self.pairs[place(*pair)] & company == company)
        });
        known.trailing_ones() >= pairs
    }

    fn ones(&self, company: SetMask, bytes: &[u8]) -> usize {
        let is_one = |byte: &&u8| self.alone[usize::from(**byte)] & company == company;
        bytes.iter().take_while(is_one).count()
    }

    fn twos(&self, company: SetMask, bytes: &[u8]) -> usize {
        let (pairs, _) = bytes.as_chunks();
        pairs.iter().take_while(|pair| self.pairs[place(**pair)] & company == company).count() * 2
    }

    fn fours(&self, bytes: &[u8]) -> usize {
        let is_four = |&&[a, b, c, d]: &&[u8; 4]| {
            let (c, d) = ((0x81..=0xFE).contains(&c), d.is_ascii_digit());
            c && d && self.pairs[place([a, b])] & FOUR != 0
        };
        bytes.as_chunks().0.iter().take_while(is_four).count() * 4
    }

    /// The length of the sequence at the front, if all agree for which it is well-formed. The
    /// others are no longer left.
    fn agreed(&mut self, company: SetMask, bytes: &[u8]) -> Option<usize> {
        let front = &bytes[..bytes.len().min(LONGEST)];
        let mut agreed = None;
        for set in (0..SETS.len()).filter(|set| company & 1 << set != 0) {
            match self.ask(set, front) {
                SequenceEnd::Whole(len) if *agreed.get_or_insert(len) == len => {}
                SequenceEnd::Whole(_) | SequenceEnd::Part => return None,
                SequenceEnd::IllFormed => {}
            }
        }
        agreed
    }

    /// Ask the codec of a set what stands at the front.
    fn ask(&mut self, set: usize, bytes: &[u8]) -> SequenceEnd {
        match (self.specs[set].step)(bytes) {
            Step::Ill { kind: Kind::TruncatedEnd, .. } | Step::Short => SequenceEnd::Part,
            Step::Ill { .. } => {
                self.left &= !(1 << set);
                SequenceEnd::IllFormed
            }
            step => {
                self.learn(set, &bytes[..step.size()]);
                SequenceEnd::Whole(step.size())
            }
        }
    }

    /// Keep in mind a sequence of a set.
    fn learn(&mut self, set: usize, sequence: &[u8]) {
        match *sequence {
            [byte] => self.alone[usize::from(byte)] |= 1 << set,
            [lead, trail] => self.pairs[place([lead, trail])] |= 1 << set,
            [first, second, _, _] => {
                self.four = true;
                // Those between the first and the last are characters, if both are.
                let is_one = |third, fourth| {
                    let step = (self.specs[set].step)(&[first, second, third, fourth]);
                    !matches!(step, Step::Ill { .. })
                };
                if is_one(0x81, b'0') && is_one(0xFE, b'9') {
                    self.pairs[place([first, second])] |= FOUR;
                }
            }
            _ => {}
        }
    }
}

/// The place of a pair in the table.
fn place(pair: [u8; 2]) -> usize {
    u16::from_be_bytes(pair).into()
}
