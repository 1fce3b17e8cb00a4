//! What can be told of an input before its language is asked for? The strongest evidence first.

use super::code_units::{form, is_text, is_wide};
use super::decision::MOST;
use super::detection::{Evidence, VerdictReason};
use super::ebcdic::ebcdic;
use super::evidence::EvidenceSink;
use super::signature::{Signature, signatures};
use super::tally::is_binary;
use super::utf8_test::TestResult;
use super::window::KeptWindow;
use super::{Answer, trial};

/// An answer, its confidence, and what it rests on.
pub(super) struct JudgedAnswer(pub Answer, pub f64, pub VerdictReason);

/// The answer, if it takes no statistics of languages.
pub(super) fn certain(gatherer: &EvidenceSink, evidence: &Evidence) -> Option<JudgedAnswer> {
    signed(gatherer, evidence)
        .or_else(|| well_formed(gatherer))
        .or_else(|| seven_bit(gatherer))
        .or_else(|| in_ebcdic(gatherer))
        .or_else(|| odd_units(gatherer))
        .or_else(|| binary(gatherer))
}

/// The encoding of the first bytes of a range, if they do not make lines that are each in an
/// encoding: that of code units, escapes or shifts.
pub(super) fn unlined(offset: u64, bytes: &[u8]) -> Option<Answer> {
    let mut gatherer = EvidenceSink::over(offset, bytes);
    let evidence = Evidence::of(&mut gatherer);
    let judged = certain(&gatherer, &evidence)?;
    judged.2.is_of_whole().then_some(judged.0)
}

/// The signature at the start of the input.
pub(super) fn signature(head: &KeptWindow) -> Option<&'static Signature> {
    let mut signatures = signatures(head.bytes()).filter(|_| head.start() == Some(0));
    signatures.find(|signature| match signature.form {
        // A BOM of UTF-16 and U+0000 are those of UTF-32, too.
        "utf-32le" => is_wide(head.bytes()),
        // These are ASCII.
        "utf-7" => trial::is("utf-7", head.bytes()),
        _ => true,
    })
}

/// How sure a signature is before something else.
const DOUBTFUL: f64 = 0.6;

/// What a signature says. Of UTF-8, there is more to say; and where code units are to follow, it
/// may stand there by chance.
fn signed(gatherer: &EvidenceSink, evidence: &Evidence) -> Option<JudgedAnswer> {
    let signature = evidence.signature.filter(|signature| signature.answer != "utf-8")?;
    let answer = Answer::named(signature.answer);
    let head = gatherer.head.bytes();
    let confidence = match answer {
        Answer::Codec(codec) if codec.unit > 1 => match (is_text(codec.name, head), codec.unit) {
            (false, _) => DOUBTFUL,
            (true, 2) => 0.99,
            (true, _) => 1.0,
        },
        Answer::Codec(codec) if trial::is(codec.name, head) => 1.0,
        Answer::Codec(_) => DOUBTFUL,
        // Nobody here knows whether the rest is such.
        _ => 0.95,
    };
    Some(JudgedAnswer(answer, confidence, VerdictReason::Signature))
}

fn well_formed(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    let beyond = gatherer.high.start().is_some() && gatherer.is_well_formed();
    beyond.then(|| JudgedAnswer(Answer::utf8(), 1.0, VerdictReason::WellFormed))
}

fn seven_bit(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    if gatherer.high.start().is_some() {
        return None;
    }
    if let Some((name, confidence)) = gatherer.escapes.end().announced() {
        return Some(JudgedAnswer(Answer::named(name), confidence, VerdictReason::Escapes));
    }
    if has_odd_bytes(gatherer) {
        return None;
    }
    Some(match gatherer.shifts.end().announced() {
        Some((name, confidence)) => {
            JudgedAnswer(Answer::named(name), confidence.min(MOST), VerdictReason::Shifts)
        }
        None => JudgedAnswer(Answer::named("us-ascii"), 1.0, VerdictReason::Ascii),
    })
}

/// UTF-16 and UTF-32 without a signature, and with odd bytes. There is no need to look for them if
/// UTF-8 is settled.
fn odd_units(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    let possible = gatherer.odds.finding() != TestResult::Utf8 && has_odd_bytes(gatherer);
    possible.then(|| unsigned(gatherer)).flatten()
}

/// Whether there is a NUL, as each blank and line end of UTF-16 has, or controls, as the letters of
/// Russian and of others have there.
fn has_odd_bytes(gatherer: &EvidenceSink) -> bool {
    gatherer.nul.is_some() || is_binary(gatherer.head.bytes())
}

/// UTF-16 and UTF-32 without a signature.
pub(super) fn unsigned(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    let head = gatherer.head.bytes();
    let whole = head.len() as u64 == gatherer.seen && !gatherer.is_cut();
    let (form, confidence) = form(head, whole)?;
    let reason =
        if form.reading.lone == 0 { VerdictReason::Units } else { VerdictReason::Surrogates };
    Some(JudgedAnswer(Answer::Codec(form.codec), confidence.min(MOST), reason))
}

fn in_ebcdic(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    gatherer.high.start()?;
    let (codec, confidence) = ebcdic(gatherer.head.bytes())?;
    Some(JudgedAnswer(Answer::Codec(codec), confidence.min(MOST), VerdictReason::Ebcdic))
}

fn binary(gatherer: &EvidenceSink) -> Option<JudgedAnswer> {
    let odd = is_binary(gatherer.head.bytes()) || is_binary(gatherer.high.bytes());
    let nul = gatherer.nul.is_some() && !gatherer.odds.utf8();
    let confidence = if odd { 0.99 } else { 0.9 };
    (odd || nul).then_some(JudgedAnswer(Answer::Binary, confidence, VerdictReason::Controls))
}
