//! Verdicts for scripts.

use crate::detect::{Answer, Detection, Region};
use crate::text::name::InputName;

/// Returns the type and the charset, as `file --mime` prints them.
pub(super) fn mime(verdict: &Detection) -> String {
    match verdict.answer {
        Answer::Binary => "application/octet-stream; charset=binary".to_owned(),
        Answer::Damaged | Answer::Unknown => "text/plain; charset=unknown-8bit".to_owned(),
        answer => format!("text/plain; charset={}", answer.name()),
    }
}

/// Returns lines of the candidates: name, probability, language.
pub(super) fn candidates(verdict: &Detection, most: u16) -> Vec<String> {
    let candidates = verdict.candidates.iter().take(most.into());
    candidates
        .map(|candidate| {
            let language = candidate.language.map(|language| format!(" {language}"));
            let name = candidate.answer.name();
            format!("{name} {:.4}{}", candidate.confidence, language.unwrap_or_default())
        })
        .collect()
}

/// Appends a region: the offsets of its first and last byte, and its encoding.
pub(super) fn region(out: &mut Vec<u8>, name: Option<&InputName<'_>>, region: &Region) {
    if let Some(name) = name {
        out.extend_from_slice(name.listed());
        out.extend_from_slice(b": ");
    }
    let Region { bytes, answer } = region;
    out.extend(format!("{}-{} {}\n", bytes.start, bytes.end - 1, answer.name()).bytes());
}
