//! What can be told of an input before its language is asked for? The strongest evidence first.

use super::ebcdic::ebcdic;
use super::gather::Detector;
use super::judge::MOST;
use super::odds::Finding;
use super::signature::{Signature, signatures};
use super::tally::is_binary;
use super::units::{form, is_text, is_wide};
use super::verdict::{Evidence, Reason};
use super::window::Window;
use super::{Answer, reading};

/// An answer, its confidence, and what it rests on.
pub(super) struct Judged(pub Answer, pub f64, pub Reason);

/// The answer, if it takes no statistics of languages.
pub(super) fn certain(detector: &Detector, evidence: &Evidence) -> Option<Judged> {
    signed(detector, evidence)
        .or_else(|| well_formed(detector))
        .or_else(|| seven_bit(detector))
        .or_else(|| in_ebcdic(detector))
        .or_else(|| odd_units(detector))
        .or_else(|| binary(detector))
}

/// The encoding of the first bytes of a range, if they do not make lines that are each in an
/// encoding: that of code units, escapes or shifts.
pub(super) fn unlined(offset: u64, bytes: &[u8]) -> Option<Answer> {
    let mut detector = Detector::over(offset, bytes);
    let evidence = Evidence::of(&mut detector);
    let judged = certain(&detector, &evidence)?;
    judged.2.is_of_whole().then_some(judged.0)
}

/// The signature at the start of the input.
pub(super) fn signature(head: &Window) -> Option<&'static Signature> {
    let mut signatures = signatures(head.bytes()).filter(|_| head.start() == Some(0));
    signatures.find(|signature| match signature.form {
        // A BOM of UTF-16 and U+0000 are those of UTF-32, too.
        "utf-32le" => is_wide(head.bytes()),
        // These are ASCII.
        "utf-7" => reading::is("utf-7", head.bytes()),
        _ => true,
    })
}

/// How sure a signature is before something else.
const DOUBTFUL: f64 = 0.6;

/// What a signature says. Of UTF-8, there is more to say; and where code units are to follow, it
/// may stand there by chance.
fn signed(detector: &Detector, evidence: &Evidence) -> Option<Judged> {
    let signature = evidence.signature.filter(|signature| signature.answer != "utf-8")?;
    let answer = Answer::named(signature.answer);
    let head = detector.head.bytes();
    let confidence = match answer {
        Answer::Codec(codec) if codec.unit > 1 => match (is_text(codec.name, head), codec.unit) {
            (false, _) => DOUBTFUL,
            (true, 2) => 0.99,
            (true, _) => 1.0,
        },
        Answer::Codec(codec) if reading::is(codec.name, head) => 1.0,
        Answer::Codec(_) => DOUBTFUL,
        // Nobody here knows whether the rest is such.
        _ => 0.95,
    };
    Some(Judged(answer, confidence, Reason::Signature))
}

fn well_formed(detector: &Detector) -> Option<Judged> {
    let beyond = detector.high.start().is_some() && detector.is_well_formed();
    beyond.then(|| Judged(Answer::utf8(), 1.0, Reason::WellFormed))
}

fn seven_bit(detector: &Detector) -> Option<Judged> {
    if detector.high.start().is_some() {
        return None;
    }
    if let Some((name, confidence)) = detector.escapes.end().announced() {
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
    Some(match detector.shifts.end().announced() {
        Some((name, confidence)) => {
            Judged(Answer::named(name), confidence.min(MOST), Reason::Shifts)
        }
        None => Judged(Answer::named("us-ascii"), 1.0, Reason::Ascii),
    })
}

/// UTF-16 and UTF-32 without a signature, and with a NUL, as each blank and line end has, or with
/// controls, as the letters of some scripts have. There is no need to look for them if UTF-8 is
/// settled.
fn odd_units(detector: &Detector) -> Option<Judged> {
    let odd = || detector.nul.is_some() || is_binary(detector.head.bytes());
    let possible = detector.odds.finding() != Finding::Utf8 && odd();
    possible.then(|| unsigned(detector)).flatten()
}

/// UTF-16 and UTF-32 without a signature.
pub(super) fn unsigned(detector: &Detector) -> Option<Judged> {
    let head = detector.head.bytes();
    let whole = head.len() as u64 == detector.seen && !detector.is_cut();
    let (form, confidence) = form(head, whole)?;
    let reason = if form.reading.lone == 0 { Reason::Units } else { Reason::Surrogates };
    Some(Judged(Answer::Codec(form.codec), confidence.min(MOST), reason))
}

fn in_ebcdic(detector: &Detector) -> Option<Judged> {
    detector.high.start()?;
    let (codec, confidence) = ebcdic(detector.head.bytes())?;
    Some(Judged(Answer::Codec(codec), confidence.min(MOST), Reason::Ebcdic))
}

fn binary(detector: &Detector) -> Option<Judged> {
    let odd = is_binary(detector.head.bytes()) || is_binary(detector.high.bytes());
    let nul = detector.nul.is_some() && !detector.odds.utf8();
    let confidence = if odd { 0.99 } else { 0.9 };
    (odd || nul).then_some(Judged(Answer::Binary, confidence, Reason::Controls))
}
