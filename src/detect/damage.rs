//! What is it that keeps a text from being UTF-8?

use super::legacy::{self, LegacySample};
use super::utf8_test::is_form;
use crate::issue::{Class, Issue, Kind};
use crate::policy;
use crate::registry::Encoding;

/// What a damage is a sign of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
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
pub const DAMAGES: [DamageKind; 8] = [
    DamageKind::Pairs,
    DamageKind::Nuls,
    DamageKind::Surrogates,
    DamageKind::Large,
    DamageKind::Overlong,
    DamageKind::Cut,
    DamageKind::Beheaded,
    DamageKind::Stray,
];

impl DamageKind {
    fn of(issue: &Issue) -> DamageKind {
        match issue.kind {
            // The longest sequence has three.
            Kind::LoneContinuation if issue.offset < 3 => DamageKind::Beheaded,
            Kind::SurrogatePair => DamageKind::Pairs,
            Kind::OverlongNul => DamageKind::Nuls,
            Kind::TruncatedEnd => DamageKind::Cut,
            kind => match kind.class() {
                Class::Surrogate if is_form(issue) => DamageKind::Surrogates,
                Class::Range | Class::Lead if is_form(issue) => DamageKind::Large,
                Class::Overlong if issue.len > 1 => DamageKind::Overlong,
                _ => DamageKind::Stray,
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
            DamageKind::Pairs => {
                ("surrogate-pairs", "surrogate pair", " in three bytes each, as CESU-8 has them")
            }
            DamageKind::Nuls => ("overlong-nuls", "U+0000", " as C0 80, as Modified UTF-8 has it"),
            DamageKind::Surrogates => ("lone-surrogates", "lone surrogate", ", as in WTF-8"),
            DamageKind::Large => ("large-forms", "form", " above U+10FFFF, as in RFC 2279"),
            DamageKind::Overlong => ("overlong-forms", "overlong form", ""),
            DamageKind::Cut => ("cut-at-end", "sequence", " that the end cuts"),
            DamageKind::Beheaded => {
                ("cut-at-start", "continuation byte", " at the start, of a sequence that is cut")
            }
            DamageKind::Stray => ("stray-bytes", "stray sequence", ""),
        }
    }
}

/// How often a damage was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundDamage {
    /// What it is.
    pub damage: DamageKind,
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
pub(super) struct DamageCounter {
    found: [Option<FoundDamage>; DAMAGES.len()],
    /// Stray bytes and the ASCII about them, apart from each other by a blank.
    stray: Vec<u8>,
    /// The end of the text before.
    before: Vec<u8>,
    /// How much of the ASCII that follows is still wanted.
    wanted: usize,
}

impl DamageCounter {
    /// See a run go by.
    pub fn run(&mut self, bytes: &[u8]) {
        let wanted = &bytes[..bytes.len().min(self.wanted)];
        let ascii = super::high_bytes::ascii(wanted);
        self.stray.extend_from_slice(&wanted[..ascii]);
        self.wanted = if ascii < bytes.len() { 0 } else { self.wanted - ascii };
        let last = &bytes[bytes.len().saturating_sub(AROUND)..];
        let room = AROUND - last.len();
        self.before.drain(..self.before.len().saturating_sub(room));
        self.before.extend_from_slice(last);
    }

    /// Count an ill-formed sequence.
    pub fn issue(&mut self, issue: &Issue, bytes: &[u8]) {
        let mut damage = DamageKind::of(issue);
        let beheaded = self.found[DamageKind::Beheaded as usize].map_or(0, |found| found.number);
        if damage == DamageKind::Beheaded && issue.offset != beheaded {
            damage = DamageKind::Stray;
        }
        // Where there are stray bytes, one at the end is another, rather than cut.
        if damage == DamageKind::Cut
            && issue.len == 1
            && self.found[DamageKind::Stray as usize].is_some()
        {
            damage = DamageKind::Stray;
        }
        if damage == DamageKind::Stray && self.found[DamageKind::Stray as usize].is_none() {
            self.head_is_stray();
        }
        let found = &mut self.found[damage as usize];
        found.get_or_insert(FoundDamage { damage, number: 0, first: issue.offset }).number += 1;
        if damage == DamageKind::Stray && self.stray.len() < MOST {
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
        let head = self.found[DamageKind::Beheaded as usize].take();
        self.found[DamageKind::Stray as usize] =
            head.map(|head| FoundDamage { damage: DamageKind::Stray, ..head });
    }

    /// What was found, and how often.
    pub fn found(&self) -> Vec<FoundDamage> {
        self.found.iter().flatten().copied().collect()
    }

    /// The code page that the stray bytes are likely in, if they are. Of a set of several bytes, too
    /// much may have been taken for UTF-8.
    pub fn page(&self) -> Option<&'static Encoding> {
        if self.stray.is_empty() {
            return None;
        }
        let mut sample = LegacySample::default();
        sample.add(&self.stray);
        let best = legacy::rank(sample).into_iter().next()?;
        let few = self.stray.iter().filter(|byte| !byte.is_ascii()).count() < FEW;
        let page = policy::fallback(best.codec.name).is_ok() && (few || best.confidence > 0.5);
        page.then_some(best.codec)
    }
}
