//! What is it that keeps a text from being UTF-8?

use super::legacy::{self, Sample};
use super::odds::is_form;
use crate::issue::{Class, Issue, Kind};
use crate::policy;
use crate::registry::Spec;

/// What a damage is a sign of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// Surrogate pairs in three bytes each: CESU-8.
    Pairs,
    /// C0 80: the U+0000 of Modified UTF-8.
    Nuls,
    /// Surrogates alone, in three bytes: WTF-8, or what JavaScript and Windows let through.
    Surrogates,
    /// Forms of four, five and six bytes above U+10FFFF: RFC 2279.
    Large,
    /// Other overlong forms.
    Overlong,
    /// A sequence that the end of the input cuts.
    Cut,
    /// Continuation bytes at the start of the input: the rest of a sequence that is not there.
    Beheaded,
    /// Bytes that are no form at all: of a code page, or what is left of a sequence.
    Stray,
}

/// Every damage, in the order of the enumeration.
pub const DAMAGES: [Damage; 8] = [
    Damage::Pairs,
    Damage::Nuls,
    Damage::Surrogates,
    Damage::Large,
    Damage::Overlong,
    Damage::Cut,
    Damage::Beheaded,
    Damage::Stray,
];

impl Damage {
    fn of(issue: &Issue) -> Damage {
        match issue.kind {
            // The longest sequence has three.
            Kind::LoneContinuation if issue.offset < 3 => Damage::Beheaded,
            Kind::SurrogatePair => Damage::Pairs,
            Kind::OverlongNul => Damage::Nuls,
            Kind::TruncatedEnd => Damage::Cut,
            kind => match kind.class() {
                Class::Surrogate if is_form(issue) => Damage::Surrogates,
                Class::Range | Class::Lead if is_form(issue) => Damage::Large,
                Class::Overlong if issue.len > 1 => Damage::Overlong,
                _ => Damage::Stray,
            },
        }
    }

    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        self.words().0
    }

    /// What one of it is called, and what is said of one or of many.
    pub fn said(self) -> [&'static str; 2] {
        let (_, one, more) = self.words();
        [one, more]
    }

    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Damage::Pairs => {
                ("surrogate-pairs", "surrogate pair", " in three bytes each, as CESU-8 has them")
            }
            Damage::Nuls => ("overlong-nuls", "U+0000", " as C0 80, as Modified UTF-8 has it"),
            Damage::Surrogates => ("lone-surrogates", "lone surrogate", ", as in WTF-8"),
            Damage::Large => ("large-forms", "form", " above U+10FFFF, as in RFC 2279"),
            Damage::Overlong => ("overlong-forms", "overlong form", ""),
            Damage::Cut => ("cut-at-end", "sequence", " that the end cuts"),
            Damage::Beheaded => {
                ("cut-at-start", "continuation byte", " at the start, of a sequence that is cut")
            }
            Damage::Stray => ("stray-bytes", "stray sequence", ""),
        }
    }
}

/// How often a damage was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub damage: Damage,
    /// How many sequences have it.
    pub number: u64,
    /// The offset of the first of them.
    pub first: u64,
}

/// How much ASCII on either side of a stray byte may tell its page.
const AROUND: usize = 12;

/// How many bytes are asked for the page, at most.
const MOST: usize = 4 << 10;

/// So many stray bytes tell their page: if they do not, they are of none.
const FEW: usize = 16;

/// Counts damages, and keeps some stray bytes.
#[derive(Debug, Default)]
pub(super) struct Near {
    found: [Option<Found>; DAMAGES.len()],
    /// Stray bytes and the ASCII about them, apart from each other by a blank.
    stray: Vec<u8>,
    /// The end of the text before.
    before: Vec<u8>,
    /// How much of the ASCII that follows is still wanted.
    wanted: usize,
}

impl Near {
    /// See a run go by.
    pub fn run(&mut self, bytes: &[u8]) {
        let wanted = &bytes[..bytes.len().min(self.wanted)];
        let ascii = super::thin::ascii(wanted);
        self.stray.extend_from_slice(&wanted[..ascii]);
        self.wanted = if ascii < bytes.len() { 0 } else { self.wanted - ascii };
        let last = &bytes[bytes.len().saturating_sub(AROUND)..];
        let room = AROUND - last.len();
        self.before.drain(..self.before.len().saturating_sub(room));
        self.before.extend_from_slice(last);
    }

    /// Count an ill-formed sequence.
    pub fn issue(&mut self, issue: &Issue, bytes: &[u8]) {
        let mut damage = Damage::of(issue);
        let beheaded = self.found[Damage::Beheaded as usize].map_or(0, |found| found.number);
        if damage == Damage::Beheaded && issue.offset != beheaded {
            damage = Damage::Stray;
        }
        // Where there are stray bytes, one at the end is another, rather than cut.
        if damage == Damage::Cut && issue.len == 1 && self.found[Damage::Stray as usize].is_some() {
            damage = Damage::Stray;
        }
        if damage == Damage::Stray && self.found[Damage::Stray as usize].is_none() {
            self.head_is_stray();
        }
        let found = &mut self.found[damage as usize];
        found.get_or_insert(Found { damage, number: 0, first: issue.offset }).number += 1;
        if damage == Damage::Stray && self.stray.len() < MOST {
            if self.wanted == 0 {
                let other = self.before.iter().rposition(|byte| !byte.is_ascii());
                self.stray.push(b' ');
                self.stray.extend_from_slice(&self.before[other.map_or(0, |at| at + 1)..]);
            }
            self.stray.extend_from_slice(bytes);
            self.wanted = AROUND;
        }
        self.before.clear();
    }

    /// Where there are stray bytes, those at the start are such, too.
    fn head_is_stray(&mut self) {
        let head = self.found[Damage::Beheaded as usize].take();
        self.found[Damage::Stray as usize] =
            head.map(|head| Found { damage: Damage::Stray, ..head });
    }

    /// What was found, and how often.
    pub fn found(&self) -> Vec<Found> {
        self.found.iter().flatten().copied().collect()
    }

    /// The code page that the stray bytes are likely in, if they are. Of a set of several bytes, too
    /// much may have been taken for UTF-8.
    pub fn page(&self) -> Option<&'static Spec> {
        if self.stray.is_empty() {
            return None;
        }
        let mut sample = Sample::default();
        sample.add(&self.stray);
        let best = legacy::rank(sample).into_iter().next()?;
        let few = self.stray.iter().filter(|byte| !byte.is_ascii()).count() < FEW;
        let page = policy::fallback(best.codec.name).is_ok() && (few || best.confidence > 0.5);
        page.then_some(best.codec)
    }
}
