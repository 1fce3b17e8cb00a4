//! Summaries of validated inputs.

use std::time::Duration;

use super::tally::FileTally;
use crate::finding::segments::Segments;
use crate::issue::Kind;
use crate::report::InputSummary;
use crate::text::number::{counted, grouped};

/// The sums over several files.
#[derive(Debug, Default)]
pub(super) struct FileTotals {
    pub files: u64,
    faulty: u64,
    findings: InputSummary,
    /// The files whose settings ask for lints that the format leaves out.
    pub without_lints: u64,
    /// The findings of files that utf8 repair can fix.
    pub fixable: InputSummary,
    /// The files with ill-formed UTF-8.
    pub damaged: FileTally,
    /// The files with findings whose names have another form than those of the baseline.
    pub other_form: FileTally,
    /// The valid files that look like another encoding than the one that is set for them.
    pub doubtful: FileTally,
}

impl FileTotals {
    /// Counts a file.
    pub fn add(&mut self, summary: &InputSummary, is_fixable: bool) {
        if is_fixable {
            self.fixable.add_findings(summary);
        }
        self.files += 1;
        self.faulty += u64::from(summary.errors() > 0);
        self.findings.add_findings(summary);
    }

    /// Returns the number of findings.
    pub fn findings(&self) -> u64 {
        self.findings.findings
    }

    /// Returns the number of findings that a baseline knows.
    pub fn known(&self) -> u64 {
        self.findings.known
    }

    /// Returns the sums of two groups of files.
    pub fn and(mut self, other: FileTotals) -> FileTotals {
        self.files += other.files;
        self.faulty += other.faulty;
        self.without_lints += other.without_lints;
        self.findings.add_findings(&other.findings);
        self.fixable.add_findings(&other.fixable);
        self.damaged.merge(other.damaged);
        self.other_form.merge(other.other_form);
        self.doubtful.merge(other.doubtful);
        self
    }
}

/// Returns the summary of a run over directories, in a line, with a second line of advice if some files
/// are in other encodings.
pub(super) fn of_files(totals: &FileTotals, skipped: &str, time: Duration) -> String {
    let checked = format!("{} checked", counted(totals.files, "file"));
    let faults: u64 = totals.findings.kinds().map(|(_, number)| number).sum();
    let result = match totals.faulty {
        0 if totals.findings.known > 0 => match totals.findings() {
            0 => "nothing new".to_owned(),
            _ => "no new errors".to_owned(),
        },
        0 if totals.findings.allowed > 0 && totals.findings() == 0 => "no findings".to_owned(),
        0 if totals.findings.allowed == 0 && faults == 0 => "all are well-formed".to_owned(),
        0 => "none has errors".to_owned(),
        faulty => {
            let is_ill_formed = faults == totals.findings.findings;
            let errors = match (is_ill_formed, faulty) {
                (true, 1) => "is ill-formed",
                (true, _) => "are ill-formed",
                (false, 1) => "has errors",
                (false, _) => "have errors",
            };
            format!("{} {errors}", grouped(faulty))
        }
    };
    let kinds = totals.findings.found().map(|(kind, n)| format!("{} {kind}", grouped(n)));
    let kinds: Vec<_> = kinds.collect();
    let found = match kinds.is_empty() {
        true => result,
        false => format!(
            "{result}; {}: {}{}",
            counted(totals.findings(), "finding"),
            kinds.join(", "),
            of_warnings(&totals.findings)
        ),
    };
    let mut kinds = totals.findings.kinds();
    let converts = match kinds.any(|(kind, _)| kind == Kind::NotUtf8) {
        true => "\nutf8 decode -f auto -i FILE converts a file to UTF-8",
        false => "",
    };
    let (unreported, time) = (unreported(&totals.findings), time.as_secs_f64());
    format!("{checked} in {time:.2} s, {found}{unreported}{skipped}{converts}")
}

/// Returns the numbers of places that are not reported, if there are any.
pub(super) fn unreported(summary: &InputSummary) -> String {
    let numbers = [
        (summary.suppressed, "allowed by comments"),
        (summary.known, "in the baseline"),
        (summary.allowed, "ill-formed but allowed"),
    ];
    let some = numbers.into_iter().filter(|(number, _)| *number > 0);
    some.map(|(number, place)| format!("; {} {place}", grouped(number))).collect()
}

/// Returns the number of warnings among findings that were listed by kind, if there are any.
fn of_warnings(summary: &InputSummary) -> String {
    match summary.warnings {
        some if 0 < some && some < summary.findings => {
            let are = if some == 1 { "is a warning" } else { "are warnings" };
            format!("; {} of these {are}", grouped(some))
        }
        _ => warnings(summary),
    }
}

/// Returns the number of warnings among the findings, if there are any.
fn warnings(summary: &InputSummary) -> String {
    match summary.warnings {
        0 => String::new(),
        all if all == summary.findings => {
            format!(" ({})", if all == 1 { "a warning" } else { "all warnings" })
        }
        some => format!(
            " ({} of them {})",
            grouped(some),
            if some == 1 { "a warning" } else { "warnings" }
        ),
    }
}

/// Returns the number of findings and advice, in a line.
pub(super) fn verdict(
    summary: &InputSummary,
    segments: Segments,
    advice: Option<String>,
) -> String {
    let faults: u64 = summary.kinds().map(|(_, number)| number).sum();
    let noun = match segments {
        _ if faults < summary.findings => "finding",
        Segments::Sequence => "ill-formed sequence",
        Segments::Maximal => "ill-formed subpart",
        Segments::Byte => "ill-formed byte",
    };
    let found = counted(summary.findings, noun) + &warnings(summary);
    let bytes = counted(summary.size, "byte");
    let from = match summary.start {
        0 => String::new(),
        start => format!(" from offset {}", grouped(start)),
    };
    match summary.stopped {
        true => format!("stopped after {found}, in the first {bytes}{from} (--max-errors)"),
        false => {
            let unreported = unreported(summary);
            let advice = advice.map_or(String::new(), |advice| format!("; {advice}"));
            format!("{found} in {bytes}{from}{unreported}{advice}")
        }
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
