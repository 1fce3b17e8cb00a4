//! Answers that need no statistics of languages, the strongest evidence first.

use super::Answer;
use super::binary_format::is_binary_format;
use super::code_units::{detect_form, is_text};
use super::decision::MOST_CONFIDENT;
use super::detection::{Detection, DetectionReason, Evidence};
use super::ebcdic::{few_words_in_ebcdic, rank_ebcdic, rank_seven_bit_ebcdic};
use super::evidence::EvidenceSink;
use super::tally::is_binary;
use super::trial::is_well_formed_in;
use super::utf8_test::TestResult;

/// Returns the answer, if statistics of languages are not needed for it.
pub(super) fn certain_answer(sink: &EvidenceSink, evidence: &Evidence) -> Option<Detection> {
    by_signature(sink, evidence)
        .or_else(|| well_formed(sink))
        .or_else(|| binary_format(sink))
        .or_else(|| announced(sink))
        .or_else(|| ebcdic(sink))
        .or_else(|| ascii(sink))
        .or_else(|| code_units_with_controls(sink))
        .or_else(|| binary(sink))
}

/// Returns the encoding of the first bytes of a range, if the input is in that encoding as a whole:
/// one with code units, escapes, shifts or EBCDIC line ends. Other inputs have lines, and each line
/// can be in another encoding.
pub(super) fn whole_input_answer(offset: u64, bytes: &[u8]) -> Option<Answer> {
    let mut sink = EvidenceSink::gather(offset, bytes);
    let evidence = Evidence::of(&mut sink);
    let Detection { answer, reason, .. } = certain_answer(&sink, &evidence)?;
    reason.row().is_of_whole.then_some(answer)
}

/// The confidence in a signature that does not fit the bytes after it.
const DOUBTFUL_SIGNATURE: f64 = 0.6;

/// Returns the answer of a signature. That of UTF-8 does not decide, because the rest may be
/// ill-formed. A signature is doubtful if the rest is no text in its encoding.
fn by_signature(sink: &EvidenceSink, evidence: &Evidence) -> Option<Detection> {
    let signature = evidence.signature.filter(|signature| !signature.is_utf8())?;
    let answer = Answer::named(signature.answer);
    let head = sink.head.bytes();
    let confidence = match answer {
        Answer::Codec(codec) if !codec.has_byte_units() && is_text(codec.name, head) => 1.0,
        Answer::Codec(codec) if !codec.has_byte_units() => DOUBTFUL_SIGNATURE,
        Answer::Codec(codec) if is_well_formed_in(codec.name, head) => 1.0,
        Answer::Codec(_) => DOUBTFUL_SIGNATURE,
        // Without a codec, the rest cannot be checked.
        _ => 0.95,
    };
    Some(Detection::single(answer, confidence, DetectionReason::Signature))
}

fn well_formed(sink: &EvidenceSink) -> Option<Detection> {
    let is_utf8 = sink.high.start().is_some() && sink.is_well_formed();
    is_utf8.then(|| Detection::single(Answer::utf8(), 1.0, DetectionReason::WellFormed))
}

/// Returns binary data if the input starts as a file in a binary format does, and is not meant to be UTF-8.
fn binary_format(sink: &EvidenceSink) -> Option<Detection> {
    let is_format = sink.head.start() == Some(0)
        && !sink.is_well_formed()
        && !sink.utf8_test.favours_utf8()
        && is_binary_format(sink.head.bytes());
    is_format.then(|| Detection::single(Answer::Binary, 0.99, DetectionReason::Format))
}

/// Returns the encoding that escapes or printable shifts in ASCII announce.
fn announced(sink: &EvidenceSink) -> Option<Detection> {
    if sink.high.start().is_some() {
        return None;
    }
    if let Some((name, confidence)) = sink.escapes.finish().announced() {
        return Some(Detection::single(Answer::named(name), confidence, DetectionReason::Escapes));
    }
    if has_rare_controls(sink) {
        return None;
    }
    let (name, confidence) = sink.shifts.finish().announced()?;
    let confidence = confidence.min(MOST_CONFIDENT);
    Some(Detection::single(Answer::named(name), confidence, DetectionReason::Shifts))
}

/// The confidence in ASCII without a space or line end for a few bytes that are words in EBCDIC, too.
/// Chosen by hand: such bytes are hardly ever EBCDIC, but nothing in them tells.
const AMBIGUOUS_ASCII: f64 = 0.9;

fn ascii(sink: &EvidenceSink) -> Option<Detection> {
    if sink.high.start().is_some() || has_rare_controls(sink) {
        return None;
    }
    if has_control_in_each_unit(sink.head.bytes())
        && let Some(units) = code_units(sink)
    {
        return Some(units);
    }
    let (ascii, reason) = (Answer::named("us-ascii"), DetectionReason::Ascii);
    Some(match few_words_in_ebcdic(sink.head.bytes()) {
        Some(page) => Detection::beside(ascii, AMBIGUOUS_ASCII, reason, page),
        None => Detection::single(ascii, 1.0, reason),
    })
}

/// The least number of pairs: a short row of a table may be fewer such pairs.
const LEAST_UNITS: usize = 6;

/// Returns `true` if one byte of each pair is the same tab or form feed, as in words of Indic scripts in
/// UTF-16. The other bytes are not all letters and digits, and none ends a line, as in a table.
fn has_control_in_each_unit(bytes: &[u8]) -> bool {
    let (units, rest) = bytes.as_chunks::<2>();
    let is_row = |byte: u8| matches!(byte, b'\t' | b'\x0C');
    (0..2).any(|row| {
        let mut rows = units.iter().map(|unit| unit[row]);
        let mut cells = units.iter().map(|unit| unit[1 - row]);
        let ends_line = |unit: &[u8; 2]| matches!(unit[1 - row], b'\n' | b'\r');
        rest.is_empty()
            && units.len() >= LEAST_UNITS
            && rows.next().is_some_and(|first| is_row(first) && rows.all(|byte| byte == first))
            && !units.iter().any(ends_line)
            && cells.any(|byte| !byte.is_ascii_alphanumeric())
    })
}

/// Returns UTF-16 or UTF-32 without a signature, in bytes with NULs or rare controls. Does not
/// examine text known to be UTF-8.
fn code_units_with_controls(sink: &EvidenceSink) -> Option<Detection> {
    let is_possible = sink.utf8_test.result() != TestResult::Utf8 && has_rare_controls(sink);
    is_possible.then(|| code_units(sink)).flatten()
}

/// Returns `true` if there is a NUL, as spaces and line ends in UTF-16 have, or many rare controls,
/// as Cyrillic letters have there.
fn has_rare_controls(sink: &EvidenceSink) -> bool {
    sink.nul.is_some() || is_binary(sink.head.bytes())
}

/// Returns UTF-16 or UTF-32 without a signature.
pub(super) fn code_units(sink: &EvidenceSink) -> Option<Detection> {
    let head = sink.head.bytes();
    let is_whole = head.len() as u64 == sink.size && !sink.may_be_cut();
    let (form, confidence) = detect_form(head, is_whole)?;
    let reason = match form.reading.lone_surrogates {
        0 => DetectionReason::Units,
        _ => DetectionReason::Surrogates,
    };
    Some(Detection::single(Answer::Codec(form.codec), confidence.min(MOST_CONFIDENT), reason))
}

fn ebcdic(sink: &EvidenceSink) -> Option<Detection> {
    let head = sink.head.bytes();
    let ranked = match sink.high.start() {
        Some(_) => rank_ebcdic(head),
        None => rank_seven_bit_ebcdic(head),
    };
    ranked.map(Detection::from_ebcdic)
}

/// The number of bytes from which controls leave hardly a doubt. A few characters in UTF-16 have
/// controls too.
const LONG: u64 = 32;

fn binary(sink: &EvidenceSink) -> Option<Detection> {
    let has_controls = is_binary(sink.head.bytes()) || is_binary(sink.high.bytes());
    let has_nul = sink.nul.is_some() && !sink.utf8_test.favours_utf8();
    let is_long = sink.size >= LONG;
    let confidence = if has_controls && is_long { 0.99 } else { 0.9 };
    (has_controls || has_nul).then_some(Detection::single(
        Answer::Binary,
        confidence,
        DetectionReason::Controls,
    ))
}
