//! What does the evidence come to? The strongest first.

use super::escapes::{announced, shifted};
use super::gather::Detector;
use super::legacy;
use super::near::Found;
use super::odds::Finding;
use super::signature::{Signature, signatures};
use super::tally::{Tally, is_binary};
use super::twice::{Twice, twice};
use super::window::Window;
use super::{Answer, units};
use crate::codec::Spec;
use crate::issue::{Issue, Kind};

/// Below this, a legacy set is no answer.
const LEAST: f64 = 0.2;

/// Below this, nothing is a candidate.
const NOTABLE: f64 = 0.001;

/// What is not proved is no more likely than this.
const MOST: f64 = 0.9999;

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
    /// Most of what is not ASCII is well-formed UTF-8.
    Mostly,
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

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Reason::Signature => ("signature", "the signature says so"),
            Reason::WellFormed => ("well-formed", "all is well-formed UTF-8, and not all is ASCII"),
            Reason::Ascii => ("ascii", "all is ASCII"),
            Reason::Escapes => ("escapes", "escape sequences announce it"),
            Reason::Shifts => ("shifts", "its shifts spell text"),
            Reason::Units => ("units", "its code units spell text"),
            Reason::Mostly => ("mostly", "most of what is not ASCII is well-formed"),
            Reason::Controls => ("controls", "it has NULs or controls that text does not have"),
            Reason::Language => ("language", "so read, it looks like text of language"),
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

/// An answer, its confidence, and what it rests on.
struct Judged(Answer, f64, Reason);

impl Verdict {
    pub(super) fn of(mut detector: Detector) -> Verdict {
        let mut evidence = Evidence::of(&mut detector);
        let certain = signed(&detector, &evidence)
            .or_else(|| well_formed(&detector))
            .or_else(|| seven_bit(&detector))
            .or_else(|| unsigned(&detector))
            .or_else(|| binary(&detector));
        let certain = certain.map(Verdict::alone);
        let mut verdict = certain.unwrap_or_else(|| Verdict::likely(&mut detector));
        match verdict.answer {
            Answer::Damaged => evidence.damage(&detector),
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
        if odds.utf8() && !odds.is_contested() && !detector.wanted.candidates {
            return Verdict::best(vec![damaged(odds.probability().min(MOST))]);
        }
        let ranked = legacy::rank(std::mem::take(&mut detector.thin).end());
        let best = ranked.first().map_or(0.0, |best| best.confidence);
        let utf8 = odds.against(best).min(MOST);
        let legacy = ranked.into_iter().map(|candidate| Candidate {
            answer: Answer::Codec(candidate.codec),
            language: Some(candidate.language),
            confidence: candidate.confidence * (1.0 - utf8).min(MOST),
        });
        let mut candidates: Vec<_> = std::iter::once(damaged(utf8)).chain(legacy).collect();
        candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        candidates.retain(|candidate| candidate.confidence >= NOTABLE);
        let verdict = Verdict::best(candidates);
        match (verdict.answer, units::ideographic(detector.head.bytes())) {
            (Answer::Unknown, Some(codec)) => {
                Verdict::alone(Judged(Answer::Codec(codec), 0.5, Reason::Units))
            }
            _ => verdict,
        }
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
    fn of(detector: &mut Detector) -> Evidence {
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
    fn damage(&mut self, detector: &Detector) {
        self.damages = detector.near.found();
        self.page = detector.wanted.evidence.then(|| detector.near.page()).flatten();
    }
}

/// The signature at the start of the input.
fn signature(head: &Window) -> Option<&'static Signature> {
    let mut signatures = signatures(head.bytes()).filter(|_| head.start() == Some(0));
    signatures.find(|signature| match signature.form {
        // A BOM of UTF-16 and U+0000 are those of UTF-32, too.
        "utf-32le" => units::is("utf-32", head.bytes()),
        // These are ASCII.
        "utf-7" => units::is("utf-7", head.bytes()),
        _ => true,
    })
}

/// What a signature says. Of UTF-8, there is more to say; and two bytes may stand there by chance.
fn signed(detector: &Detector, evidence: &Evidence) -> Option<Judged> {
    let signature = evidence.signature.filter(|signature| signature.answer != "utf-8")?;
    let confidence = match signature.bytes.len() {
        2 if units::is(signature.answer, detector.head.bytes()) => 0.99,
        2 => 0.6,
        _ => 1.0,
    };
    Some(Judged(Answer::named(signature.answer), confidence, Reason::Signature))
}

fn well_formed(detector: &Detector) -> Option<Judged> {
    let beyond = detector.high.start().is_some() && detector.is_well_formed();
    beyond.then(|| Judged(Answer::utf8(), 1.0, Reason::WellFormed))
}

fn seven_bit(detector: &Detector) -> Option<Judged> {
    if detector.high.start().is_some() {
        return None;
    }
    let escaped = announced(detector.escape.bytes());
    if let Some((name, confidence)) = escaped {
        return Some(Judged(Answer::named(name), confidence, Reason::Escapes));
    }
    if detector.nul.is_some() {
        return None;
    }
    // The letters of Russian in UTF-16 are such, and so are those of others.
    let controls = is_binary(detector.head.bytes());
    if controls {
        return unsigned(detector).or_else(|| binary(detector));
    }
    Some(match shifted(detector.head.bytes()) {
        Some((name, confidence)) => Judged(Answer::named(name), confidence, Reason::Shifts),
        None => Judged(Answer::named("us-ascii"), 1.0, Reason::Ascii),
    })
}

/// UTF-16 and UTF-32 without a signature. There is no need to look for them if UTF-8 is settled, or
/// is likely and there is no NUL.
fn unsigned(detector: &Detector) -> Option<Judged> {
    let utf8 = detector.nul.is_none() && detector.odds.utf8();
    if utf8 || detector.odds.finding() == Finding::Utf8 {
        return None;
    }
    let head = detector.head.bytes();
    let whole = head.len() as u64 == detector.seen && !detector.is_cut();
    let (codec, confidence) = units::form(head, whole)?;
    Some(Judged(Answer::Codec(codec), confidence.min(MOST), Reason::Units))
}

fn binary(detector: &Detector) -> Option<Judged> {
    let odd = is_binary(detector.head.bytes()) || is_binary(detector.high.bytes());
    let nul = detector.nul.is_some() && !detector.odds.utf8();
    let confidence = if odd { 0.99 } else { 0.9 };
    (odd || nul).then_some(Judged(Answer::Binary, confidence, Reason::Controls))
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
