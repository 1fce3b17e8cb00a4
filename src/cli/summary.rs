//! Summaries of validated inputs.

use super::prose::{counted, grouped};
use crate::finding::segments::Segments;
use crate::report::InputSummary;

/// Returns the number of findings, in a line.
pub(super) fn verdict(summary: &InputSummary, segments: Segments) -> String {
    let what = match segments {
        Segments::Sequence => "ill-formed sequence",
        Segments::Maximal => "ill-formed subpart",
        Segments::Byte => "ill-formed byte",
    };
    let (found, bytes) = (counted(summary.findings, what), counted(summary.size, "byte"));
    let from = match summary.start {
        0 => String::new(),
        start => format!(" from offset {}", grouped(start)),
    };
    match summary.stopped {
        true => format!("stopped after {found}, in the first {bytes}{from} (--max-errors)"),
        false => format!("{found} in {bytes}{from}"),
    }
}

/// Returns the counts, in lines.
pub(super) fn stats(summary: &InputSummary) -> Vec<String> {
    let lengths = (1..).zip(&summary.lengths).filter(|&(length, &n)| n > 0 || length <= 4);
    let lengths: Vec<_> = lengths
        .map(|(length, &n)| match usize::try_from(length) {
            Ok(most) if most == summary.lengths.len() => format!("{} of more", grouped(n)),
            _ => format!("{} of {}", grouped(n), counted(length, "byte")),
        })
        .collect();
    let mut lines = vec![
        format!(
            "{}, {}, {}",
            counted(summary.size, "byte"),
            counted(summary.lines, "line"),
            match summary.bom {
                Some(true) => "starts with a BOM",
                Some(false) => "no BOM",
                None => "start not examined",
            }
        ),
        format!("{}: {}", counted(summary.lengths.iter().sum(), "code point"), lengths.join(", ")),
    ];
    let kinds: Vec<_> = summary.found().map(|(kind, n)| format!("{} {kind}", grouped(n))).collect();
    if !kinds.is_empty() {
        lines.push(format!("{}: {}", counted(summary.findings, "finding"), kinds.join(", ")));
    }
    lines
}
