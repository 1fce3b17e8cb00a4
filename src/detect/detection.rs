//! What is said of an input, how sure is it, and why?

use super::Answer;
use super::damage::FoundDamage;
use super::double_encoding::DoubleEncoding;
use super::mixture::MixtureCounts;
use super::signature::Signature;
use super::tally::ByteTally;
use crate::issue::{Issue, Kind};
use crate::registry::Encoding;

/// What an input is in, how sure that is, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Detection {
    /// The answer.
    pub answer: Answer,
    /// How likely it is that the answer is right: 0..=1. It is 0 where there is none.
    pub confidence: f64,
    /// What the answer rests on.
    pub reason: VerdictReason,
    /// What it can be, the most likely first, and the runner-up however unlikely it is. Where the
    /// answer is damaged UTF-8, others are here only if they were [wanted](super::EvidenceOptions).
    pub candidates: Vec<RankedAnswer>,
    /// What was found. Complete only if it was [wanted](super::EvidenceOptions): otherwise, what came behind
    /// the byte that decided was not looked at.
    pub evidence: Evidence,
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerdictReason {
    /// A signature at the start.
    Signature,
    /// All is well-formed UTF-8, and not all is ASCII.
    WellFormed,
    /// All is ASCII, and nothing else speaks.
    Ascii,
    /// Escape sequences of ISO 2022.
    Escapes,
    /// Printable shifts: UTF-7, HZ.
    Shifts,
    /// What is read as UTF-16 or UTF-32 is text.
    Units,
    /// As [`Units`](Reason::Units), but for lone surrogates.
    Surrogates,
    /// The letters, blanks and digits of EBCDIC make up the text.
    Ebcdic,
    /// Most of what is not ASCII is well-formed UTF-8.
    Mostly,
    /// Some of it is, and more than in text of a code page.
    Mixed,
    /// NUL, or other controls that text does not have.
    Controls,
    /// The text is likely in some language.
    Language,
    /// Nothing carries an answer.
    Nothing,
}

/// Every reason, in the order of the enumeration.
pub const REASONS: [VerdictReason; 13] = [
    VerdictReason::Signature,
    VerdictReason::WellFormed,
    VerdictReason::Ascii,
    VerdictReason::Escapes,
    VerdictReason::Shifts,
    VerdictReason::Units,
    VerdictReason::Surrogates,
    VerdictReason::Ebcdic,
    VerdictReason::Mostly,
    VerdictReason::Mixed,
    VerdictReason::Controls,
    VerdictReason::Language,
    VerdictReason::Nothing,
];

impl VerdictReason {
    /// Its name in JSON.
    pub fn id(self) -> &'static str {
        self.words().0
    }

    /// What a person is told.
    pub fn said(self) -> &'static str {
        self.words().1
    }

    /// Whether it is about all of the input, rather than about each line of it.
    pub(super) fn is_of_whole(self) -> bool {
        use VerdictReason::{Ebcdic, Escapes, Shifts, Signature, Surrogates, Units};
        matches!(self, Signature | Escapes | Shifts | Units | Surrogates | Ebcdic)
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            VerdictReason::Signature => ("signature", "the signature says so"),
            VerdictReason::WellFormed => {
                ("well-formed", "all is well-formed UTF-8, and not all is ASCII")
            }
            VerdictReason::Ascii => ("ascii", "all is ASCII"),
            VerdictReason::Escapes => ("escapes", "escape sequences announce it"),
            VerdictReason::Shifts => ("shifts", "its shifts spell text"),
            VerdictReason::Units => ("units", "its code units spell text"),
            VerdictReason::Surrogates => {
                ("surrogates", "its code units spell text, but for lone surrogates")
            }
            VerdictReason::Ebcdic => ("ebcdic", "read as EBCDIC, its words and blanks are text"),
            VerdictReason::Mostly => ("mostly", "most of what is not ASCII is well-formed"),
            VerdictReason::Mixed => ("mixed", "some of it is UTF-8, and some of a code page"),
            VerdictReason::Controls => {
                ("controls", "it has NULs or controls that text does not have")
            }
            VerdictReason::Language => ("language", "so read, it looks like the language"),
            VerdictReason::Nothing => ("nothing", "nothing speaks for any encoding"),
        }
    }
}

/// Something that an input can be in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankedAnswer {
    /// What it is.
    pub answer: Answer,
    /// The language of the text, where that was told.
    pub language: Option<&'static str>,
    /// How likely it is.
    pub confidence: f64,
}

/// What was found, whatever the answer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Evidence {
    /// How many bytes were seen.
    pub size: u64,
    /// The signature that the input starts with.
    pub signature: Option<&'static Signature>,
    /// What ruled UTF-8 out.
    pub fault: Option<FirstFault>,
    /// The offset of the first byte that is not ASCII.
    pub beyond: Option<u64>,
    /// What keeps it from being UTF-8, where it is a near miss.
    pub damages: Vec<FoundDamage>,
    /// The code page of stray bytes among UTF-8.
    pub page: Option<&'static Encoding>,
    /// How much of a text in a code page is UTF-8, where that is why it is damaged UTF-8.
    pub mixed: Option<MixtureCounts>,
    /// That it was encoded twice.
    pub twice: Option<DoubleEncoding>,
    /// What was counted, if it was wanted.
    pub tally: Option<ByteTally>,
}

/// The first ill-formed sequence of the input, as UTF-8.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FirstFault {
    /// The offset of its first byte.
    pub offset: u64,
    /// Why it is ill-formed.
    pub kind: Kind,
    /// Its bytes, and the one behind it, if that is why.
    pub bytes: Vec<u8>,
}

impl FirstFault {
    pub(super) fn new(issue: &Issue, bytes: &[u8], next: Option<u8>) -> FirstFault {
        let next = next.filter(|_| issue.kind == Kind::TruncatedNext);
        let bytes = bytes.iter().copied().chain(next).collect();
        FirstFault { offset: issue.offset, kind: issue.kind, bytes }
    }
}

impl Detection {
    /// The candidates, those that make the same text of the input together: nothing tells them
    /// apart, and they share their confidence.
    pub fn texts(&self) -> impl Iterator<Item = &[RankedAnswer]> {
        let is_legacy = |candidate: &RankedAnswer| candidate.language.is_some();
        self.candidates
            .chunk_by(move |a, b| is_legacy(a) && is_legacy(b) && a.confidence == b.confidence)
    }

    /// The answer, and the candidates that make the same text of the input. Nothing if the answer
    /// is no candidate.
    pub fn alike(&self) -> &[RankedAnswer] {
        match self.answer {
            Answer::Unknown => &[],
            _ => self.texts().next().unwrap_or_default(),
        }
    }
}
