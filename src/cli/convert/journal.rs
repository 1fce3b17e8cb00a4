//! Journal of a conversion: comparison with the input, record of replacements, and diff.

use std::io;

use super::{ConvertedInput, InputConverter};
use crate::cli::changes::{ChangeCounts, RecordForm, ShownChange};
use crate::cli::diff::{Diff, DiffForm, LineView};
use crate::convert::{ConvertJournal, ConvertedPart, PolicyCounts};
use crate::output::Output;
use crate::policy::Policy;
use crate::registry::Encoding;
use crate::text::json::JsonObject;
use crate::text::name::InputName;

/// The greatest difference in bytes between the lengths of the input and of an equal output so far.
/// Writers hold back a few bytes; only repeated shift sequences come near it.
const MOST_BEHIND: usize = 1 << 20;

/// Compares an input with its conversion, which comes in parts of other lengths.
#[derive(Debug, Default)]
struct InputComparison {
    /// The bytes of each side that the other has not reached yet.
    input: Vec<u8>,
    output: Vec<u8>,
    differs: bool,
}

impl InputComparison {
    fn add(&mut self, input: &[u8], output: &[u8]) {
        if self.differs || self.input.is_empty() && self.output.is_empty() && input == output {
            return;
        }
        self.input.extend_from_slice(input);
        self.output.extend_from_slice(output);
        let common = self.input.len().min(self.output.len());
        self.differs = self.input[..common] != self.output[..common];
        self.input.drain(..common);
        self.output.drain(..common);
        self.differs |= self.input.len().max(self.output.len()) > MOST_BEHIND;
    }

    /// Returns `true` if the input and the output, both complete, differ.
    fn differs(&self) -> bool {
        self.differs || !self.input.is_empty() || !self.output.is_empty()
    }
}

/// The journal of the conversion of one input.
pub(super) struct ConversionJournal<'a> {
    name: &'a InputName<'a>,
    /// The form of the record of replacements, if there is one.
    form: Option<RecordForm>,
    /// The output of the record.
    out: Output,
    diff: Option<Diff<'a>>,
    comparison: InputComparison,
    /// True if a policy may replace sequences.
    replaces: bool,
    /// The number of bytes written.
    pub written: u64,
    pub recorded: RecordedChanges,
}

/// The number of changes in a record, and those for each reason.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecordedChanges {
    changes: u64,
    /// Each change counts once for a reason.
    by_reason: PolicyCounts,
}

impl RecordedChanges {
    /// Counts a change, in which the policy was applied so many times.
    fn add(&mut self, counts: &PolicyCounts) {
        let RecordedChanges { changes, by_reason } = self;
        *changes += 1;
        by_reason.ill_formed += counts.ill_formed.min(1);
        by_reason.unencodable += counts.unencodable.min(1);
        by_reason.reescaped += counts.reescaped.min(1);
    }
}

impl ConvertJournal for ConversionJournal<'_> {
    fn is_fine(&self) -> bool {
        self.diff.is_some() || self.form.is_some() && self.replaces
    }

    fn part(&mut self, part: &ConvertedPart<'_>) -> io::Result<()> {
        let ConvertedPart { offset, before, after, pending, counts } = *part;
        let reasons: Vec<_> = reasons(&counts).map(|row| row.0).collect();
        if let Some(form) = self.form.filter(|_| !reasons.is_empty()) {
            let (name, written, length) = (self.name, self.written, before.len() as u64);
            let reasons = &reasons[..];
            let change =
                ShownChange { name, offset, written, before, length, after, pending, reasons };
            change.append(form, self.out.buffer());
            self.recorded.add(&counts);
            self.out.settle()?;
        }
        self.written += after.len() as u64;
        self.comparison.add(before, after);
        match &mut self.diff {
            Some(diff) if before == after => diff.same(offset, before),
            Some(diff) => diff.change(offset, before, 0, after),
            None => Ok(()),
        }
    }
}

impl ConversionJournal<'_> {
    /// Receives the bytes that end the output.
    pub fn end(&mut self, offset: u64, after: &[u8]) -> io::Result<()> {
        let counts = PolicyCounts::default();
        match after {
            [] => Ok(()),
            _ => {
                self.part(&ConvertedPart { offset, before: &[], after, pending: [&[]; 2], counts })
            }
        }
    }

    /// Writes what is left. Returns the error of an output.
    pub fn flush(&mut self, is_complete: bool) -> Option<io::Error> {
        // The outputs keep their errors.
        let _ = self.out.flush();
        let failure = self.diff.as_mut().and_then(|diff| {
            diff.finish(is_complete);
            diff.out.failure()
        });
        failure.or_else(|| self.out.failure())
    }

    /// Returns `true` if the output differs from the input.
    pub fn differs(&self) -> bool {
        self.comparison.differs()
    }

    /// Returns the number of the first line that is too long for a patch.
    pub fn cut_line(&self) -> Option<u64> {
        self.diff.as_ref()?.cut_line
    }
}

/// Returns the reasons for replacements that occurred, each with its number.
pub(super) fn reasons(counts: &PolicyCounts) -> impl Iterator<Item = (&'static str, u64)> + use<> {
    let PolicyCounts { ill_formed, unencodable, reescaped, has_text: _ } = *counts;
    let rows = [("ill-formed", ill_formed), ("unencodable", unencodable), ("reescaped", reescaped)];
    rows.into_iter().filter(|(_, number)| *number > 0)
}

impl InputConverter<'_> {
    /// Returns the journal of an input, if one is needed.
    pub(super) fn journal<'b>(&self, name: &'b InputName<'b>) -> Option<ConversionJournal<'b>> {
        let review = &self.args.review;
        let form = match review.is_json() {
            true => Some(RecordForm::Json),
            false => review.explain.then_some(RecordForm::Lines),
        };
        if form.is_none() && !review.stats && !review.is_dry_run() {
            return None;
        }
        let diff = (review.diff && !self.args.talk.quiet).then(|| {
            let form = DiffForm::of(&[], self.args.input.is_whole(), self.style);
            let view = LineView::new(form, Encoding::UTF_8, self.style);
            Diff::new(name, view, self.second_outputs.open(false))
        });
        Some(ConversionJournal {
            name,
            form,
            out: self.second_outputs.open(self.records_on_standard_error(form)),
            diff,
            comparison: InputComparison::default(),
            replaces: self.options.policy != Policy::Strict,
            written: 0,
            recorded: RecordedChanges::default(),
        })
    }

    /// Returns `true` if standard output has something else than the record.
    fn records_on_standard_error(&self, form: Option<RecordForm>) -> bool {
        form == Some(RecordForm::Lines) || self.args.writes_text()
    }

    /// Writes the summary of an input as a JSON object, if these are wanted. Returns the error of
    /// writing it.
    pub(super) fn record_summary(
        &self,
        name: &InputName<'_>,
        converted: &ConvertedInput,
        is_converted: bool,
    ) -> Option<io::Error> {
        self.record(name, Some(converted.source), |object| {
            let counts = change_counts(converted, &converted.recorded);
            counts.add_to(object, ("converted", is_converted));
        })
    }

    /// Writes a JSON object about a file that is left as it is, if these are wanted. Returns the
    /// error of writing it.
    pub(super) fn record_left(&self, name: &InputName<'_>, reason: &str) -> Option<io::Error> {
        self.record(name, None, |object| {
            object.bool("converted", false);
            object.plain("left", reason.as_bytes());
        })
    }

    /// Writes a JSON object of type summary, if these are wanted. Returns the error of writing it.
    fn record(
        &self,
        name: &InputName<'_>,
        source: Option<&Encoding>,
        add: impl FnOnce(&mut JsonObject<'_>),
    ) -> Option<io::Error> {
        if !self.args.review.is_json() {
            return None;
        }
        let mut out = self.second_outputs.open(self.args.writes_text());
        let mut object = JsonObject::new(out.buffer(), "summary");
        object.path(name);
        if let Some(source) = source {
            object.plain("codec", source.name.as_bytes());
        }
        object.plain("target", self.options.target.name.as_bytes());
        add(&mut object);
        object.end();
        // The output keeps its error.
        let _ = out.flush();
        out.failure()
    }

    /// Returns the numbers of bytes and of replacements, in a line.
    pub(super) fn statistics(&self, converted: &ConvertedInput) -> String {
        let (source, target) = (converted.source.name, self.options.target.name);
        // A line does not have the number of changes.
        let treated = RecordedChanges { changes: 0, by_reason: converted.treated };
        change_counts(converted, &treated)
            .describe(&format!("conversion from {source} to {target}"))
    }
}

fn change_counts(converted: &ConvertedInput, counted: &RecordedChanges) -> ChangeCounts {
    ChangeCounts {
        size: converted.size(),
        written: converted.written,
        changes: counted.changes,
        by_reason: reasons(&counted.by_reason).collect(),
    }
}
