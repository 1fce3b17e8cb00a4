//! Verdicts for scripts.

use crate::cli::session::write_name;
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

/// Returns the line of a region: the offsets of its first and last byte, and its encoding.
pub(super) fn region(region: &Region) -> String {
    let Region { bytes, answer } = region;
    format!("{}-{} {}", bytes.start, bytes.end - 1, answer.name())
}

/// The name of an input in front of a line.
#[derive(Clone, Copy)]
pub(super) struct LineName<'a> {
    pub name: &'a InputName<'a>,
    /// NUL ends the name, as `grep --null` has it.
    pub null: bool,
}

/// Appends a line.
pub(super) fn line(out: &mut Vec<u8>, shown: Option<LineName<'_>>, line: &str) {
    if let Some(LineName { name, null }) = shown {
        write_name(out, name, null, b':');
        out.extend((!null).then_some(b' '));
    }
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}
