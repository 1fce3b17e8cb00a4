//! Verdicts with their evidence, for people.

use super::advice;
use crate::cli::prose::percent;
use crate::cli::session::write_name;
use crate::detect::{
    Answer, ByteTally, DamageKind, DamageRow, Detection, DetectionReason, Evidence, FirstIssue,
    FoundDamage, Misreading, MixtureCounts, RankedAnswer,
};
use crate::text::name::InputName;
use crate::text::number::{counted, grouped};
use crate::text::write;

/// A line: its label and its text.
type LongLine = (&'static str, String);

/// Appends the lines of an input.
pub(super) fn write(out: &mut Vec<u8>, name: &InputName<'_>, lines: &[LongLine]) {
    write_name(out, name, false, b':');
    for (at, (about, said)) in lines.iter().enumerate() {
        match at {
            0 => out.extend(format!(" {said}\n").bytes()),
            _ => out.extend(format!("  {about:<10} {said}\n").bytes()),
        }
    }
}

/// Returns the lines of an input, the answer first.
pub(super) fn lines(verdict: &Detection, most: Option<u16>, next: Option<String>) -> Vec<LongLine> {
    let evidence = &verdict.evidence;
    let mut lines = vec![("", answer(verdict))];
    if let Some(tally) = &evidence.tally {
        lines.push(("bytes", bytes(tally)));
    }
    if let Some(signature) = evidence.signature {
        lines.push(("signature", signature.form.to_owned()));
    }
    lines.push(("UTF-8", utf8(evidence)));
    lines.extend(evidence.damages.iter().map(|found| ("damage", damage(found, evidence))));
    if let Some(rest) = advice::cut_unit(verdict) {
        let rest = counted(rest, "byte");
        lines.push(("damage", format!("{rest} after the last code unit, at the end")));
    }
    lines.extend(evidence.mixture.map(|mixed| ("mixed", both(mixed, evidence))));
    if let Some(twice) = &evidence.double_encoding {
        let places = counted(twice.places, "place");
        let (original, page) = (twice.original.name, twice.page.name);
        let first = place(twice.first);
        let (label, error) = match twice.original.inner.utf8 {
            true => ("twice", format!("UTF-8 read as {page} and encoded again")),
            false => ("misread", format!("{original} read as {page}")),
        };
        lines.push((label, format!("{error}, in {places}, the first at {first}")));
    }
    if let Some(Misreading { encoding, read_as, .. }) = &evidence.misreading {
        let [encoding, read_as] = [encoding, read_as].map(|codec| codec.name);
        lines.push(("misread", format!("{encoding} read as {read_as} and encoded as UTF-8")));
    }
    if let Some(tally) = &evidence.tally {
        lines.extend(ends(verdict, tally).map(|said| ("line ends", said)));
    }
    lines.extend(others(verdict, most));
    if let Answer::Foreign(_) = verdict.answer {
        lines.push(("note", "no codec; iconv(1) or uconv(1) may read it".to_owned()));
    }
    if let (Answer::Damaged, Some(loss)) = (verdict.answer, advice::loss(verdict)) {
        lines.push(("note", loss));
    }
    lines.extend(next.map(|command| ("next", command)));
    lines
}

fn answer(verdict: &Detection) -> String {
    format!("{} ({})", verdict.answer.name(), reason(verdict))
}

/// Returns the confidence of an answer and its reason.
pub(super) fn reason(verdict: &Detection) -> String {
    let sure = match verdict.answer {
        Answer::Unknown => String::new(),
        _ if verdict.confidence == 1.0 => "certain: ".to_owned(),
        _ => format!("{} likely: ", percent(verdict.confidence)),
    };
    let language = verdict.candidates.first().and_then(|candidate| candidate.language);
    match (verdict.reason, language) {
        (DetectionReason::Language, Some(language)) => {
            let language = named_language(language);
            format!("{sure}{} {language}", DetectionReason::Language.description())
        }
        (reason, _) => format!("{sure}{}", reason.description()),
    }
}

fn place(offset: u64) -> String {
    format!("byte 0x{offset:X} ({offset})")
}

fn bytes(tally: &ByteTally) -> String {
    let size = tally.size();
    let mut said = counted(size, "byte");
    if size > 0 {
        // Rounded down, so that 100.0 % is never less than all.
        let tenths = u128::from(tally.ascii()) * 1000 / u128::from(size);
        said += &match tally.ascii() == size {
            true => ", all of them ASCII".to_owned(),
            false => format!(", {}.{} % of them ASCII", tenths / 10, tenths % 10),
        };
    }
    for (number, what) in [(tally.nuls(), "NUL"), (tally.controls(), "other control")] {
        if number > 0 {
            said += &format!(", {}", counted(number, what));
        }
    }
    said
}

fn utf8(evidence: &Evidence) -> String {
    if let Some(fault) = &evidence.first_issue {
        return ruled_out(fault);
    }
    let Some(tally) = evidence.tally.as_ref().filter(|_| evidence.first_non_ascii.is_some()) else {
        return "well-formed, for all is ASCII".to_owned();
    };
    let lengths = (1u64..).zip(&tally.lengths).skip(1).filter(|row| *row.1 > 0);
    let lengths: Vec<_> = lengths
        .map(|(length, &number)| format!("{} of {}", grouped(number), counted(length, "byte")))
        .collect();
    format!("well-formed: beyond ASCII, sequences: {}", lengths.join(", "))
}

fn ruled_out(fault: &FirstIssue) -> String {
    let mut bytes = Vec::new();
    write::bytes(&mut bytes, &fault.bytes);
    let bytes = String::from_utf8_lossy(&bytes);
    format!("ruled out by {bytes} at {} [{}]", place(fault.offset), fault.kind)
}

fn damage(found: &FoundDamage, evidence: &Evidence) -> String {
    let DamageRow { noun, detail, .. } = found.kind.row();
    let page = evidence.stray_page.filter(|_| found.kind == DamageKind::Stray);
    let page = page.map(|page| format!(", likely of {}", page.name)).unwrap_or_default();
    let (number, first) = (counted(found.count, noun), place(found.first));
    format!("{number}{detail}{page}; the first at {first}")
}

fn both(mixed: MixtureCounts, evidence: &Evidence) -> String {
    let (utf8, runs) = (grouped(mixed.utf8), counted(mixed.runs, "run"));
    let page = evidence.stray_page.map(|page| format!(", the others likely of {}", page.name));
    format!("of {runs} beyond ASCII, {utf8} are UTF-8{}", page.unwrap_or_default())
}

/// Returns the counts of line ends, if a byte each shows them.
fn ends(verdict: &Detection, tally: &ByteTally) -> Option<String> {
    let wide = matches!(verdict.answer, Answer::Codec(codec) if !codec.has_byte_units());
    // EBCDIC ends lines with 15 and 25.
    if wide || verdict.reason == DetectionReason::Ebcdic || matches!(verdict.answer, Answer::Binary)
    {
        return None;
    }
    let ends = [(tally.lf(), "LF"), (tally.crlf(), "CRLF"), (tally.cr(), "CR")];
    let said: Vec<_> = ends
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{} {what}", grouped(*number)))
        .collect();
    match said.len() {
        0 => None,
        1 => Some(said.join("")),
        _ => Some(format!("mixed: {}", said.join(", "))),
    }
}

/// Returns lines of the candidates with the same text as the answer and of the runner-up, or of
/// `most` candidates.
fn others(verdict: &Detection, most: Option<u16>) -> Vec<LongLine> {
    let alike = verdict.equivalents();
    if let Some(most) = most {
        let first = alike.len().min(1);
        let others = verdict.candidates.iter().take(most.into()).skip(first);
        return others.map(|candidate| ("or else", likely(candidate))).collect();
    }
    let names: Vec<_> = alike.iter().skip(1).map(|candidate| candidate.answer.name()).collect();
    let mut lines = Vec::new();
    if !names.is_empty() {
        lines.push(("alike", format!("the same text in {}", some(&names))));
    }
    lines.extend(verdict.candidates.get(alike.len()).map(|next| ("runner-up", likely(next))));
    lines
}

/// Returns a language for people.
fn named_language(code: &str) -> String {
    match code {
        "und-latn" => "other (Latin script)".into(),
        "und-cyrl" => "other (Cyrillic script)".into(),
        _ => format!("\"{code}\""),
    }
}

/// Returns the first few names.
fn some(names: &[&str]) -> String {
    let shown = names.len().min(5);
    let more = match names.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names[..shown].join(", ") + &more
}

fn likely(candidate: &RankedAnswer) -> String {
    let language =
        candidate.language.map(|language| format!(", language {}", named_language(language)));
    let (name, likely) = (candidate.answer.name(), percent(candidate.confidence));
    format!("{name}, {likely} likely{}", language.unwrap_or_default())
}
