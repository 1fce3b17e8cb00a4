//! What does the evidence come to? The strongest first.

use std::iter;

use memchr::memrchr;

use super::certain::{Judged, certain, signature, unsigned};
use super::gather::Detector;
use super::mixed::{Mixed, Runs};
use super::odds::Finding;
use super::twice::{Twice, twice};
use super::units::ideographic;
use super::verdict::{Candidate, Evidence, Reason, Verdict};
use super::{Answer, legacy};

/// Below this, a legacy set is no answer.
const LEAST: f64 = 0.2;

/// Below this, nothing but the runner-up is a candidate.
const NOTABLE: f64 = 0.001;

/// A legacy set that is less likely gives way to UTF-16 and UTF-32.
const DOUBTFUL: f64 = 0.5;

/// What is not proved is no more likely than this.
pub(super) const MOST: f64 = 0.9999;

impl Verdict {
    /// What all evidence comes to.
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
        match verdict.answer {
            Answer::Damaged => verdict,
            _ if verdict.confidence >= DOUBTFUL => verdict,
            _ => units(detector).unwrap_or(verdict),
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
        let mut candidates: Vec<_> = iter::once(damaged(utf8)).chain(legacy).collect();
        candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let best = candidates.first().map_or(0.0, |best| best.confidence);
        let notable = candidates.partition_point(|candidate| candidate.confidence >= NOTABLE);
        let alike = candidates.partition_point(|candidate| candidate.confidence == best);
        let runner_up = if best < LEAST { 0 } else { alike + 1 };
        candidates.truncate(notable.max(runner_up));
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
            _ => (Answer::Unknown, 0.0),
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

/// What is in UTF-16 or UTF-32 and has no NUL, for it has no blank. Of what is nothing but a few
/// ideographs, most are short words of a code page.
fn units(detector: &Detector) -> Option<Verdict> {
    let ideographs = || {
        let codec = ideographic(detector.head.bytes())?;
        Some(Judged(Answer::Codec(codec), LEAST, Reason::Units))
    };
    unsigned(detector).or_else(ideographs).map(Verdict::alone)
}

/// The legacy set that this text is likely in.
pub(super) fn legacy(sample: legacy::Sample) -> Answer {
    match legacy::rank(sample).first() {
        Some(best) if best.confidence >= LEAST => Answer::Codec(best.codec),
        _ => Answer::Unknown,
    }
}

/// Whether it was encoded twice. Where it starts is told by what is before it, too: that is there if
/// the start of the input has both.
fn again(detector: &Detector) -> Option<Twice> {
    let (high, head) = (&detector.high, &detector.head);
    let offset = high.start().filter(|_| detector.wanted.evidence)?;
    let start = head.start()?;
    let before = (offset - start) as usize;
    if before >= head.bytes().len() / 2 {
        return twice(offset, high.bytes());
    }
    let line = memrchr(b'\n', &head.bytes()[..before]).map_or(0, |at| at + 1);
    twice(start + line as u64, &head.bytes()[line..])
}
