//! The decision: weighs the evidence, the strongest first.

use std::iter;

use memchr::memrchr;

use super::Answer;
use super::certain::{certain_answer, code_units};
use super::code_units::detect_ideographs;
use super::detection::{Detection, DetectionReason, Evidence, RankedAnswer};
use super::double_encoding::{DoubleEncoding, find_double_encoding};
use super::evidence::EvidenceSink;
use super::legacy::{self, LegacyCandidate, LegacySample, rank};
use super::misreading::find_misreading;
use super::mixture::{HighRuns, MixtureCounts, PossibleMixture};
use super::regions::has_several_encodings;
use super::tally::is_rare_control;
use super::utf8_test::{TestResult, Utf8Test};
use crate::registry::Encoding;

/// The confidence below which the answer is unknown.
const LEAST_ANSWERED: f64 = 0.17;

/// The confidence below which only the runner-up is listed as a candidate.
const NOTABLE: f64 = 0.001;

/// The confidence below which UTF-16 and UTF-32 without NULs take precedence over a legacy encoding.
const DOUBTFUL: f64 = 0.5;

/// The most confidence in an answer that is not certain.
pub(super) const MOST_CONFIDENT: f64 = 0.9999;

impl Detection {
    /// Decides from the evidence.
    pub(super) fn decide(sink: &mut EvidenceSink) -> Detection {
        let mut evidence = Evidence::of(sink);
        let certain = certain_answer(sink, &evidence);
        let mut detection = match certain {
            Some(binary) if binary.reason == DetectionReason::Controls => {
                text_with_controls(sink).unwrap_or(binary)
            }
            certain => certain.unwrap_or_else(|| Detection::likeliest(sink)),
        };
        match detection.answer {
            Answer::Damaged => {
                evidence.add_damage(sink, detection.evidence.mixture);
                evidence.double_encoding = double_encoding(sink);
            }
            Answer::Codec(codec) if codec.inner.utf8 => {
                // Misread text may have pairs of letters that look like double encoding.
                let all = sink.options.evidence;
                evidence.misreading = all.then(|| find_misreading(sink.high.bytes())).flatten();
                if evidence.misreading.is_none() {
                    evidence.double_encoding = double_encoding(sink);
                }
            }
            Answer::Codec(codec) if detection.reason == DetectionReason::Language => {
                evidence.has_several_encodings =
                    sink.options.regions && has_several_encodings(sink.high.bytes(), codec);
            }
            _ => {}
        }
        detection.evidence = evidence;
        detection
    }

    /// Returns a detection with a single candidate.
    pub(super) fn single(answer: Answer, confidence: f64, reason: DetectionReason) -> Detection {
        let candidates = vec![RankedAnswer { answer, language: None, confidence, text: 0 }];
        Detection { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }

    /// Returns a detection with another candidate, which has the rest of the confidence.
    pub(super) fn beside(
        answer: Answer,
        confidence: f64,
        reason: DetectionReason,
        other: LegacyCandidate,
    ) -> Detection {
        let mut detection = Detection::single(answer, confidence, reason);
        let other = RankedAnswer::legacy(other);
        detection.candidates.push(RankedAnswer {
            confidence: other.confidence * (1.0 - confidence),
            text: other.text + 1,
            ..other
        });
        detection
    }

    /// Decides between damaged UTF-8, legacy encodings, and code units without NULs.
    fn likeliest(sink: &mut EvidenceSink) -> Detection {
        let sample = std::mem::take(&mut sink.sampler).into_sample();
        let detection = Detection::weigh(&sink.utf8_test, sample, sink.options.candidates);
        match detection.answer {
            Answer::Damaged => detection,
            _ if detection.confidence >= DOUBTFUL => detection,
            _ => code_units_without_nul(sink).unwrap_or(detection),
        }
    }

    /// Decides between damaged UTF-8 and legacy encodings, by the UTF-8 test and the sample.
    fn weigh(utf8_test: &Utf8Test, mut sample: LegacySample, candidates: bool) -> Detection {
        let is_mostly_utf8 = utf8_test.is_mostly_utf8();
        // The sample ends where the test has found UTF-8.
        let is_settled = utf8_test.result() == TestResult::Utf8;
        if is_settled || is_mostly_utf8 && !candidates {
            return Detection::best_of(vec![damaged(utf8_test.probability().min(MOST_CONFIDENT))]);
        }
        let runs = HighRuns::of(&mut sample);
        let ranked = rank(sample);
        let best = ranked.first();
        let texts = ranked.chunk_by(|one, next| one.text == next.text);
        let legacy = texts.map(|text| text[0].confidence / text[0].fit).sum::<f64>().min(1.0);
        let utf8 = utf8_test.probability_against(legacy);
        let mixture = best.filter(|_| !is_mostly_utf8).map(|best| runs.mixture(best.codec));
        match mixture.filter(|mixture| mixture.probability > utf8) {
            Some(PossibleMixture { counts, probability }) => {
                Detection::from_ranking(probability, ranked).with(counts)
            }
            None => Detection::from_ranking(utf8, ranked),
        }
    }

    /// Merges damaged UTF-8 of a given probability into a ranking of legacy encodings.
    fn from_ranking(utf8: f64, ranked: Vec<LegacyCandidate>) -> Detection {
        let utf8 = utf8.min(MOST_CONFIDENT);
        let legacy = ranked.into_iter().map(|candidate| RankedAnswer {
            confidence: (candidate.confidence * (1.0 - utf8)).min(MOST_CONFIDENT),
            ..RankedAnswer::legacy(candidate)
        });
        Detection::notable(iter::once(damaged(utf8)).chain(legacy).collect())
    }

    /// Decides for an EBCDIC page of a ranking that is not empty. However unlikely the best page is,
    /// it is the answer: the text is in none but these.
    pub(super) fn from_ebcdic(ranked: Vec<LegacyCandidate>) -> Detection {
        let best = ranked[0].text;
        let candidates = ranked.into_iter().map(RankedAnswer::legacy).map(|mut one| {
            if one.text == best {
                one.confidence = one.confidence.max(LEAST_ANSWERED);
            }
            one
        });
        Detection { reason: DetectionReason::Ebcdic, ..Detection::notable(candidates.collect()) }
    }

    /// Decides for the likeliest candidate, and keeps those that are worth listing.
    fn notable(mut candidates: Vec<RankedAnswer>) -> Detection {
        candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let best = candidates.first().map_or(0.0, |best| best.confidence);
        let notable = candidates.partition_point(|candidate| candidate.confidence >= NOTABLE);
        let equal = candidates.chunk_by(|a, b| a.text == b.text).next().map_or(0, <[_]>::len);
        let runner_up = if best < LEAST_ANSWERED { 0 } else { equal + 1 };
        candidates.truncate(notable.max(runner_up));
        Detection::best_of(candidates)
    }

    /// Adds a mixture as the reason for damaged UTF-8.
    fn with(mut self, mixture: MixtureCounts) -> Detection {
        if matches!(self.answer, Answer::Damaged) {
            self.reason = DetectionReason::Mixed;
            self.evidence.mixture = Some(mixture);
        }
        self
    }

    fn best_of(candidates: Vec<RankedAnswer>) -> Detection {
        let (answer, confidence) = match candidates.first() {
            Some(best) if best.confidence >= LEAST_ANSWERED => (best.answer, best.confidence),
            _ => (Answer::Unknown, 0.0),
        };
        let reason = match answer {
            Answer::Damaged => DetectionReason::Mostly,
            Answer::Unknown => DetectionReason::Nothing,
            _ => DetectionReason::Language,
        };
        Detection { answer, confidence, reason, candidates, evidence: Evidence::default() }
    }
}

fn damaged(confidence: f64) -> RankedAnswer {
    RankedAnswer { answer: Answer::Damaged, language: None, confidence, text: usize::MAX }
}

impl RankedAnswer {
    fn legacy(candidate: LegacyCandidate) -> RankedAnswer {
        RankedAnswer {
            answer: Answer::Codec(candidate.codec),
            language: Some(candidate.language),
            confidence: candidate.confidence.min(MOST_CONFIDENT),
            text: candidate.text,
        }
    }
}

impl Evidence {
    /// Collects the evidence that does not depend on the answer. Takes the counts out of the sink.
    pub(super) fn of(sink: &mut EvidenceSink) -> Evidence {
        Evidence {
            size: sink.size,
            signature: sink.find_signature(),
            first_issue: sink.first_issue.clone(),
            first_non_ascii: sink.high.start(),
            tally: sink.tally.take(),
            ..Evidence::default()
        }
    }

    /// Adds the damage, for an input that is damaged UTF-8.
    fn add_damage(&mut self, sink: &EvidenceSink, mixture: Option<MixtureCounts>) {
        self.mixture = mixture;
        // The counts end where the test has found a legacy encoding.
        if sink.utf8_test.result() != TestResult::Other {
            self.damages = sink.damages.found();
        }
        self.stray_page = sink.options.evidence.then(|| sink.damages.stray_page()).flatten();
    }
}

/// The confidence from which bytes with controls are text in a page that has letters in their place.
const CERTAIN_TEXT: f64 = 0.95;

/// Returns the page of a text whose rare controls are letters, if that is certain: VISCII or TCVN 5712.
fn text_with_controls(sink: &mut EvidenceSink) -> Option<Detection> {
    let is_letter = |codec: &Encoding, byte| codec.code_point(byte).is_some_and(|one| one >= 0x80);
    let has_letters = |codec: &&'static Encoding| {
        let bytes = sink.head.bytes().iter().chain(sink.high.bytes());
        let mut controls = bytes.filter(|&&byte| is_rare_control(byte)).peekable();
        controls.peek().is_some() && controls.all(|&byte| is_letter(codec, byte))
    };
    let pages: Vec<_> = legacy::pages_with_letters_in_controls().filter(has_letters).collect();
    if pages.is_empty() || sink.nul.is_some() {
        return None;
    }
    let sample = std::mem::take(&mut sink.sampler).into_sample();
    let found = Detection::weigh(&sink.utf8_test, sample, false);
    let is_of = |codec: &Encoding| pages.iter().any(|page| page.name == codec.name);
    let is_text = matches!(found.answer, Answer::Codec(codec) if is_of(codec));
    (is_text && found.confidence >= CERTAIN_TEXT).then_some(found)
}

/// Returns UTF-16 or UTF-32 for text without NULs, and so without ASCII characters. Text of ideographs
/// only gets the least confidence, because most such inputs are short words in a code page.
fn code_units_without_nul(sink: &EvidenceSink) -> Option<Detection> {
    let ideographs = || {
        let codec = detect_ideographs(sink.head.bytes())?;
        Some(Detection::single(Answer::Codec(codec), LEAST_ANSWERED, DetectionReason::Units))
    };
    code_units(sink).or_else(ideographs)
}

/// Returns the answer for text that is not well-formed UTF-8, and its confidence: a legacy encoding,
/// damaged UTF-8, or unknown.
pub(super) fn legacy_answer(utf8_test: &Utf8Test, sample: LegacySample) -> (Answer, f64) {
    let Detection { answer, confidence, .. } = Detection::weigh(utf8_test, sample, false);
    (answer, confidence)
}

/// Returns the double encoding in the input, if all evidence is asked for. Text before the first
/// byte beyond ASCII is evidence too; the first window has it if that byte is in its first half.
fn double_encoding(sink: &EvidenceSink) -> Option<DoubleEncoding> {
    let (high, head) = (&sink.high, &sink.head);
    let offset = high.start().filter(|_| sink.options.evidence)?;
    let start = head.start()?;
    let before = (offset - start) as usize;
    if before >= head.bytes().len() / 2 {
        return find_double_encoding(offset, high.bytes());
    }
    let line = memrchr(b'\n', &head.bytes()[..before]).map_or(0, |at| at + 1);
    find_double_encoding(start + line as u64, &head.bytes()[line..])
}
