//! What does the evidence come to? The strongest first.

use super::certain::{Judged, certain, signature};
use super::gather::Detector;
use super::legacy;
use super::mixed::{Mixed, Runs};
use super::near::Found;
use super::odds::Finding;
use super::signature::Signature;
use super::tally::Tally;
use super::twice::{Twice, twice};
use super::{Answer, units};
use crate::codec::Spec;
use crate::issue::{Issue, Kind};

/// Below this, a legacy set is no answer.
const LEAST: f64 = 0.2;

/// Below this, nothing but the runner-up is a candidate.
const NOTABLE: f64 = 0.001;

/// What is not proved is no more likely than this.
pub(super) const MOST: f64 = 0.9999;

/// What an input is in, how sure that is, and why.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The answer.
    pub answer: Answer,
    /// How likely it is that the answer is right: 0..=1.
    pub confidence: f64,
    /// What the answer rests on.
    pub reason: Reason,
    /// What it can be, the most likely first. More than the answer only if it was
    /// [wanted](super::Wanted).
    pub candidates: Vec<Candidate>,
    /// What was found. Complete only if it was [wanted](super::Wanted): otherwise, what came behind
    /// the byte that decided was not looked at.
    pub evidence: Evidence,
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
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
    /// So does [`Units`](Reason::Units), but for lone surrogates.
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

impl Reason {
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
        use Reason::{Ebcdic, Escapes, Shifts, Signature, Surrogates, Units};
        matches!(self, Signature | Escapes | Shifts | Units | Surrogates | Ebcdic)
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Reason::Signature => ("signature", "the signature says so"),
            Reason::WellFormed => ("well-formed", "all is well-formed UTF-8, and not all is ASCII"),
            Reason::Ascii => ("ascii", "all is ASCII"),
            Reason::Escapes => ("escapes", "escape sequences announce it"),
            Reason::Shifts => ("shifts", "its shifts spell text"),
            Reason::Units => ("units", "its code units spell text"),
            Reason::Surrogates => {
                ("surrogates", "its code units spell text, but for lone surrogates")
            }
            Reason::Ebcdic => ("ebcdic", "read as EBCDIC, its words and blanks are text"),
            Reason::Mostly => ("mostly", "most of what is not ASCII is well-formed"),
            Reason::Mixed => ("mixed", "some of it is UTF-8, and some of a code page"),
            Reason::Controls => ("controls", "it has NULs or controls that text does not have"),
            Reason::Language => ("language", "so read, it looks like the language"),
            Reason::Nothing => ("nothing", "nothing speaks for any encoding"),
        }
    }
}

/// Something that an input can be in.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is.
    pub answer: Answer,
    /// The language of the text, where that was told.
    pub language: Option<&'static str>,
    /// How likely it is.
    pub confidence: f64,
}

/// What was found, whatever the answer.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// How many bytes were seen.
    pub size: u64,
    /// The signature that the input starts with.
    pub signature: Option<&'static Signature>,
    /// What ruled UTF-8 out.
    pub fault: Option<Fault>,
    /// The offset of the first byte that is not ASCII.
    pub beyond: Option<u64>,
    /// What keeps it from being UTF-8, where it is a near miss.
    pub damages: Vec<Found>,
    /// The code page of stray bytes among UTF-8.
    pub page: Option<&'static Spec>,
    /// How much of a text in a code page is UTF-8, where that is why it is damaged UTF-8.
    pub mixed: Option<Mixed>,
    /// That it was encoded twice.
    pub twice: Option<Twice>,
    /// What was counted, if it was wanted.
    pub tally: Option<Tally>,
}

/// The first ill-formed sequence of the input, as UTF-8.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The offset of its first byte.
    pub offset: u64,
    /// Why it is ill-formed.
    pub kind: Kind,
    /// Its bytes, and the one behind it, if that is why.
    pub bytes: Vec<u8>,
}

impl Fault {
    pub(super) fn new(issue: &Issue, bytes: &[u8], next: Option<u8>) -> Fault {
        let next = next.filter(|_| issue.kind == Kind::TruncatedNext);
        let bytes = bytes.iter().copied().chain(next).collect();
        Fault { offset: issue.offset, kind: issue.kind, bytes }
    }
}

impl Verdict {
    pub(super) fn of(mut detector: Detector) -> Verdict {
        let mut evidence = Evidence::of(&mut detector);
        let certain = certain(&detector, &evidence).map(Verdict::alone);
        let mut verdict = certain.unwrap_or_else(|| Verdict::likely(&mut detector));
        match verdict.answer {
            Answer::Damaged => evidence.damage(&detector, verdict.evidence.mixed),
            Answer::Codec(codec) if codec.utf8 => evidence.twice = again(&detector),
            _ => {}
        }
        verdict.evidence = evidence;
        verdict
    }

    fn alone(Judged(answer, confidence, reason): Judged) -> Verdict {
        let candidates = vec![Candidate { answer, language: None, confidence }];
        Verdict { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }

    /// What can only be said to be likely: damaged UTF-8, or a legacy set.
    fn likely(detector: &mut Detector) -> Verdict {
        let odds = &detector.odds;
        let mostly = odds.utf8() && !odds.is_contested();
        // Once it is settled, the sample is no longer fed.
        let settled = odds.finding() == Finding::Utf8;
        if settled || mostly && !detector.wanted.candidates {
            return Verdict::best(vec![damaged(odds.probability().min(MOST))]);
        }
        let mut sample = std::mem::take(&mut detector.thin).end();
        let runs = Runs::of(&mut sample);
        let ranked = legacy::rank(sample);
        let utf8 = odds.against(ranked.first().map_or(0.0, |best| best.confidence));
        let mixed = ranked.first().filter(|_| !mostly).and_then(|best| runs.mixed(best.codec));
        let mixed = mixed.filter(|mixed| mixed.probability() > utf8);
        let verdict = match mixed {
            Some(mixed) => Verdict::ranked(mixed.probability(), ranked).with(mixed),
            None => Verdict::ranked(utf8, ranked),
        };
        match (verdict.answer, ideographic(detector.head.bytes())) {
            (Answer::Unknown, Some(codec)) => {
                // Of those that are taken for it, most are short words of a code page.
                Verdict::alone(Judged(Answer::Codec(codec), LEAST, Reason::Units))
            }
            _ => verdict,
        }
    }

    /// The best of damaged UTF-8, which is so likely, and of legacy sets.
    fn ranked(utf8: f64, ranked: Vec<legacy::Candidate>) -> Verdict {
        let utf8 = utf8.min(MOST);
        let legacy = ranked.into_iter().map(|candidate| Candidate {
            answer: Answer::Codec(candidate.codec),
            language: Some(candidate.language),
            confidence: (candidate.confidence * (1.0 - utf8)).min(MOST),
        });
        let mut candidates: Vec<_> = std::iter::once(damaged(utf8)).chain(legacy).collect();
        candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let best = candidates[0].confidence;
        let notable = candidates.partition_point(|candidate| candidate.confidence >= NOTABLE);
        let runner_up = candidates.partition_point(|candidate| candidate.confidence == best);
        candidates.truncate(notable.max(runner_up + 1));
        Verdict::best(candidates)
    }

    /// If it is damaged UTF-8, this is why.
    fn with(mut self, mixed: Mixed) -> Verdict {
        if matches!(self.answer, Answer::Damaged) {
            self.reason = Reason::Mixed;
            self.evidence.mixed = Some(mixed);
        }
        self
    }

    fn best(candidates: Vec<Candidate>) -> Verdict {
        let (answer, confidence) = match candidates.first() {
            Some(best) if best.confidence >= LEAST => (best.answer, best.confidence),
            best => (Answer::Unknown, 1.0 - best.map_or(0.0, |best| best.confidence)),
        };
        let reason = match answer {
            Answer::Damaged => Reason::Mostly,
            Answer::Unknown => Reason::Nothing,
            _ => Reason::Language,
        };
        Verdict { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }
}

fn damaged(confidence: f64) -> Candidate {
    Candidate { answer: Answer::Damaged, language: None, confidence }
}

impl Evidence {
    pub(super) fn of(detector: &mut Detector) -> Evidence {
        Evidence {
            size: detector.seen,
            signature: signature(&detector.head),
            fault: detector.fault.clone(),
            beyond: detector.high.start(),
            tally: detector.tally.take(),
            ..Evidence::default()
        }
    }

    /// Say what keeps it from being UTF-8.
    fn damage(&mut self, detector: &Detector, mixed: Option<Mixed>) {
        self.mixed = mixed;
        // Damages are counted until it is settled that most of it is something else.
        if detector.odds.finding() != Finding::Other {
            self.damages = detector.near.found();
        }
        self.page = detector.wanted.evidence.then(|| detector.near.page()).flatten();
    }
}

/// A form of UTF-16 or UTF-32 in which all is ideographs. Text of ASCII is, too: but of the bytes
/// of ideographs, about half are beyond it.
fn ideographic(bytes: &[u8]) -> Option<&'static Spec> {
    let beyond = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    units::ideographic(bytes).filter(|_| beyond * 4 >= bytes.len())
}

/// The legacy set that this text is likely in.
pub(super) fn legacy(sample: legacy::Sample) -> Answer {
    match legacy::rank(sample).first() {
        Some(best) if best.confidence >= LEAST => Answer::Codec(best.codec),
        _ => Answer::Unknown,
    }
}

/// Whether it was encoded twice.
fn again(detector: &Detector) -> Option<Twice> {
    let offset = detector.high.start().filter(|_| detector.wanted.evidence)?;
    twice(offset, detector.high.bytes())
}
