//! What does the evidence come to? The strongest first.

use std::iter;

use memchr::memrchr;

use super::certain::{JudgedAnswer, certain, signature, unsigned};
use super::code_units::ideographic;
use super::detection::{Detection, Evidence, RankedAnswer, VerdictReason};
use super::double_encoding::{DoubleEncoding, twice};
use super::evidence::EvidenceSink;
use super::mixture::{HighRuns, MixtureCounts};
use super::utf8_test::{TestResult, Utf8Test};
use super::{Answer, legacy};

/// Below this, a legacy set is no answer.
const LEAST: f64 = 0.2;

/// Below this, nothing but the runner-up is a candidate.
const NOTABLE: f64 = 0.001;

/// A legacy set that is less likely gives way to UTF-16 and UTF-32.
const DOUBTFUL: f64 = 0.5;

/// What is not proved is no more likely than this.
pub(super) const MOST: f64 = 0.9999;

impl Detection {
    /// What all evidence comes to.
    pub(super) fn of(mut gatherer: EvidenceSink) -> Detection {
        let mut evidence = Evidence::of(&mut gatherer);
        let certain = certain(&gatherer, &evidence).map(Detection::alone);
        let mut verdict = certain.unwrap_or_else(|| Detection::likely(&mut gatherer));
        match verdict.answer {
            Answer::Damaged => evidence.damage(&gatherer, verdict.evidence.mixed),
            Answer::Codec(codec) if codec.utf8 => evidence.twice = again(&gatherer),
            _ => {}
        }
        verdict.evidence = evidence;
        verdict
    }

    fn alone(JudgedAnswer(answer, confidence, reason): JudgedAnswer) -> Detection {
        let candidates = vec![RankedAnswer { answer, language: None, confidence }];
        Detection { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }

    /// What can only be said to be likely: damaged UTF-8, or a legacy set.
    fn likely(gatherer: &mut EvidenceSink) -> Detection {
        let sample = std::mem::take(&mut gatherer.thin).end();
        let verdict = Detection::weighed(&gatherer.odds, sample, gatherer.wanted.candidates);
        match verdict.answer {
            Answer::Damaged => verdict,
            _ if verdict.confidence >= DOUBTFUL => verdict,
            _ => units(gatherer).unwrap_or(verdict),
        }
    }

    /// The same, by the sequences and a sample of the text.
    fn weighed(odds: &Utf8Test, mut sample: legacy::LegacySample, candidates: bool) -> Detection {
        let mostly = odds.is_mostly();
        // Once it is settled, the sample is no longer fed.
        let settled = odds.finding() == TestResult::Utf8;
        if settled || mostly && !candidates {
            return Detection::best(vec![damaged(odds.probability().min(MOST))]);
        }
        let runs = HighRuns::of(&mut sample);
        let ranked = legacy::rank(sample);
        let utf8 = odds.against(ranked.first().map_or(0.0, |best| best.confidence));
        let mixed = ranked.first().filter(|_| !mostly).and_then(|best| runs.mixed(best.codec));
        let mixed = mixed.filter(|mixed| mixed.probability() > utf8);
        match mixed {
            Some(mixed) => Detection::ranked(mixed.probability(), ranked).with(mixed),
            None => Detection::ranked(utf8, ranked),
        }
    }

    /// The best of damaged UTF-8, which is so likely, and of legacy sets.
    fn ranked(utf8: f64, ranked: Vec<legacy::LegacyCandidate>) -> Detection {
        let utf8 = utf8.min(MOST);
        let legacy = ranked.into_iter().map(|candidate| RankedAnswer {
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
        Detection::best(candidates)
    }

    /// If it is damaged UTF-8, this is why.
    fn with(mut self, mixed: MixtureCounts) -> Detection {
        if matches!(self.answer, Answer::Damaged) {
            self.reason = VerdictReason::Mixed;
            self.evidence.mixed = Some(mixed);
        }
        self
    }

    fn best(candidates: Vec<RankedAnswer>) -> Detection {
        let (answer, confidence) = match candidates.first() {
            Some(best) if best.confidence >= LEAST => (best.answer, best.confidence),
            _ => (Answer::Unknown, 0.0),
        };
        let reason = match answer {
            Answer::Damaged => VerdictReason::Mostly,
            Answer::Unknown => VerdictReason::Nothing,
            _ => VerdictReason::Language,
        };
        Detection { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }
}

fn damaged(confidence: f64) -> RankedAnswer {
    RankedAnswer { answer: Answer::Damaged, language: None, confidence }
}

impl Evidence {
    pub(super) fn of(gatherer: &mut EvidenceSink) -> Evidence {
        Evidence {
            size: gatherer.seen,
            signature: signature(&gatherer.head),
            fault: gatherer.fault.clone(),
            beyond: gatherer.high.start(),
            tally: gatherer.tally.take(),
            ..Evidence::default()
        }
    }

    /// Say what keeps it from being UTF-8.
    fn damage(&mut self, gatherer: &EvidenceSink, mixed: Option<MixtureCounts>) {
        self.mixed = mixed;
        // Damages are counted until it is settled that most of it is something else.
        if gatherer.odds.finding() != TestResult::Other {
            self.damages = gatherer.near.found();
        }
        self.page = gatherer.wanted.evidence.then(|| gatherer.near.page()).flatten();
    }
}

/// What is in UTF-16 or UTF-32 and has no NUL, for it has no blank. Of what is nothing but a few
/// ideographs, most are short words of a code page.
fn units(gatherer: &EvidenceSink) -> Option<Detection> {
    let ideographs = || {
        let codec = ideographic(gatherer.head.bytes())?;
        Some(JudgedAnswer(Answer::Codec(codec), LEAST, VerdictReason::Units))
    };
    unsigned(gatherer).or_else(ideographs).map(Detection::alone)
}

/// What text is likely in that is not well-formed UTF-8.
pub(super) fn legacy(odds: &Utf8Test, sample: legacy::LegacySample) -> Answer {
    Detection::weighed(odds, sample, false).answer
}

/// Whether it was encoded twice. Where it starts is told by what is before it, too: that is there if
/// the start of the input has both.
fn again(gatherer: &EvidenceSink) -> Option<DoubleEncoding> {
    let (high, head) = (&gatherer.high, &gatherer.head);
    let offset = high.start().filter(|_| gatherer.wanted.evidence)?;
    let start = head.start()?;
    let before = (offset - start) as usize;
    if before >= head.bytes().len() / 2 {
        return twice(offset, high.bytes());
    }
    let line = memrchr(b'\n', &head.bytes()[..before]).map_or(0, |at| at + 1);
    twice(start + line as u64, &head.bytes()[line..])
}
