//! What does a script read?

use crate::detect::{Answer, Detection, Region};
use crate::text::name::InputName;

/// As `file --mime` prints it.
pub(super) fn mime(verdict: &Detection) -> String {
    match verdict.answer {
        Answer::Binary => "application/octet-stream; charset=binary".to_owned(),
        Answer::Damaged | Answer::Unknown => "text/plain; charset=unknown-8bit".to_owned(),
        answer => format!("text/plain; charset={}", answer.name()),
    }
}

/// The encodings that it can be: name, how likely, language.
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

/// Append a region: its first and its last byte, and what it is in.
pub(super) fn region(out: &mut Vec<u8>, name: Option<&InputName<'_>>, region: &Region) {
    if let Some(name) = name {
        out.extend_from_slice(name.listed());
        out.extend_from_slice(b": ");
    }
    let Region { bytes, answer } = region;
    out.extend(format!("{}-{} {}\n", bytes.start, bytes.end - 1, answer.name()).bytes());
}
