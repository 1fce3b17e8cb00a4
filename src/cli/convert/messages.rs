//! Messages about conversions: summaries, losses, and advice.

use super::journal::reasons;
use super::{ConvertedInput, InputConverter};
use crate::cli::diff;
use crate::cli::prose::any_of;
use crate::cli::session::Session;
use crate::cli::shell::EXAMINE;
use crate::codec::surrogate::is_surrogate;
use crate::codec::{BOM, Group, POINTS};
use crate::convert::{ExtraMark, PolicyCounts};
use crate::finding::stop::StopReason;
use crate::policy::{Bom, POLICIES, Policy, PolicyRow};
use crate::registry::Encoding;
use crate::text::decomposition::is_mark;
use crate::text::name::InputName;
use crate::text::number::counted;

impl InputConverter<'_> {
    /// Reports the notes and the summary of an input.
    pub(super) fn report(
        &self,
        session: &mut Session,
        name: &InputName<'_>,
        converted: &ConvertedInput,
    ) {
        let ConvertedInput { fault, joined, range, reached, .. } = converted;
        session.note_end(name, *reached, range.start);
        self.report_collisions(session, name, *joined);
        if self.args.review.stats {
            session.note(name, &self.statistics(converted));
        }
        if let Some(line) = converted.cut_line {
            session.warn(name, &diff::describe_cut(line));
        }
        let verbose = self.args.talk.verbose;
        let loss = self.loss(&converted.treated);
        let advice = loss.as_ref().filter(|_| !session.quiet).and_then(|_| self.advice(converted));
        let with_advice =
            |message| [message].into_iter().chain(advice).collect::<Vec<_>>().join("; ");
        if fault.is_none() && converted.rewritten == Some(true) {
            let message = with_advice(self.summary(converted));
            session.report_change(name, loss.is_some(), &message);
        } else if fault.is_none() && verbose {
            session.note(name, &with_advice(self.summary(converted)));
        } else if let Some(loss) = loss.filter(|_| !self.args.review.is_dry_run()) {
            session.warn(name, &with_advice(loss));
        }
        if let Some(mark) = converted.extra_mark {
            session.note(name, &self.describe_extra_mark(mark));
        }
        if fault.is_none()
            && let Some(advice) = self.unit_advice(converted)
        {
            session.note(name, &advice);
        }
    }

    /// Reports the error that ended the conversion of an input.
    pub(super) fn report_fault(
        &self,
        session: &mut Session,
        name: &InputName<'_>,
        converted: &ConvertedInput,
    ) {
        if let Some(fault) = &converted.fault {
            let message = self.describe(fault, converted);
            let advice = self.unit_advice(converted);
            let parts: Vec<_> = [message].into_iter().chain(advice).collect();
            self.args.review.report_undone(session, name, &parts.join("; "));
        }
    }

    /// Describes U+FEFF after the byte order mark of the target.
    fn describe_extra_mark(&self, mark: ExtraMark) -> String {
        let target = self.options.target.name;
        let advice = if mark.is_only { " (--bom keep writes one)" } else { "" };
        format!("its byte order mark follows the one that {target} writes{advice}")
    }

    /// Returns advice about the code units of an input: where they start, if the range starts within one,
    /// or the encoding that has the likely byte order, if another one is named.
    fn unit_advice(&self, converted: &ConvertedInput) -> Option<String> {
        let ConvertedInput { source, range, reached, first, .. } = converted;
        let unit = source.inner.unit as u64;
        if !range.start.is_multiple_of(unit) && range.start < *reached {
            return Some(format!(
                "byte {} is within a unit of {unit} bytes: read from byte {} on (see RANGES in utf8(1))",
                range.start,
                range.start.next_multiple_of(unit)
            ));
        }
        let is_named = self.names_source() && !self.args.input.is_auto();
        let other = || first.in_other_order(source);
        is_named.then(other).flatten().map(|other| format!("looks like {0} (-f {0})", other.name))
    }

    /// Reports escapes that will not be read back.
    fn report_collisions(&self, session: &mut Session, name: &InputName<'_>, joined: u64) {
        if joined > 0 {
            let bytes = counted(joined, "escaped byte");
            session.note(
                name,
                &format!(
                    "{bytes} form well-formed text together and will not be read back as escapes"
                ),
            );
        }
    }

    /// Describes the sequences and characters that the policy replaced, if the output does not
    /// tell them from text.
    fn loss(&self, treated: &PolicyCounts) -> Option<String> {
        let policy = self.options.policy;
        if !policy.is_lossy() {
            return None;
        }
        let counts = [(treated.ill_formed, "sequence"), (treated.unencodable, "character")];
        let lost = counts.iter().filter(|(number, _)| *number > 0);
        let lost: Vec<_> = lost.map(|&(number, what)| counted(number, what)).collect();
        (!lost.is_empty()).then(|| format!("{} {}", lost.join(" and "), policy.done()))
    }

    /// Returns the likely reason of a loss.
    fn advice(&self, converted: &ConvertedInput) -> Option<String> {
        let ConvertedInput { source, treated, first, .. } = converted;
        if source.name == POINTS && !self.names_source() {
            let none = "none is a code point, which encode reads without --from (--from utf-8)";
            return (!treated.has_text).then(|| none.to_owned());
        }
        let is_ill_formed = treated.ill_formed > 0;
        is_ill_formed
            .then(|| first.advice(source, self.options.policy, |other| format!("-f {other}")))
            .flatten()
    }

    /// Returns `true` if the encoding to read is named.
    pub(super) fn names_source(&self) -> bool {
        self.args.input.from.is_some()
    }

    /// Returns the summary of an input. In place, the number of bytes is left to `--verbose`.
    pub(super) fn summary(&self, converted: &ConvertedInput) -> String {
        let ConvertedInput { source, treated, rewritten, .. } = converted;
        let target = self.options.target.name;
        let done = self.options.policy.done();
        let mut parts = Vec::new();
        if *rewritten == Some(true) {
            parts.push(self.describe_rewrite(source, treated));
        }
        if self.args.talk.verbose {
            parts.push(counted(converted.size(), "byte"));
        }
        if self.args.input.is_auto() && *rewritten != Some(true) {
            parts.push(format!("read as {}", source.name));
        }
        for (number, what, whose) in [
            (treated.ill_formed, "ill-formed sequence", String::new()),
            (treated.unencodable, "code point", format!(" not in {target}")),
            (treated.reescaped, "private code point", String::new()),
        ] {
            if number > 0 {
                parts.push(format!("{}{whose} {done}", counted(number, what)));
            }
        }
        if *rewritten == Some(false) {
            parts.push("unchanged".to_owned());
        }
        parts.join(", ")
    }

    /// Describes a file that was replaced. In an encoding of UTF-8 or a relative that is kept, text that
    /// the policy did not change differs by a byte order mark.
    fn describe_rewrite(&self, source: &Encoding, treated: &PolicyCounts) -> String {
        let target = self.options.target;
        if source.name != target.name {
            return format!("converted from {} to {}", source.name, target.name);
        }
        let is_same = target.group == Group::Family && reasons(treated).next().is_none();
        match self.options.bom.filter(|_| is_same) {
            Some(Bom::Remove) => "byte order mark removed".to_owned(),
            Some(Bom::Add) => "byte order mark added".to_owned(),
            Some(Bom::Keep) | None => format!("rewritten in {}", target.name),
        }
    }

    fn describe(&self, fault: &StopReason, converted: &ConvertedInput) -> String {
        let (offset, kind, message) = (fault.offset(), fault.kind(), fault.message());
        let left = if self.args.in_place.is_wanted() { "; the file is unchanged" } else { "" };
        format!("byte {offset}: {message} [{kind}]{left} ({})", self.hint(fault, converted))
    }

    /// Returns the advice for an ill-formed sequence or an unencodable code point.
    fn hint(&self, fault: &StopReason, converted: &ConvertedInput) -> String {
        let (named, source) = (self.names_source(), converted.source.name);
        match fault {
            StopReason::Unencodable { offset: 0, value: BOM, .. } => {
                "--bom remove omits it".to_owned()
            }
            StopReason::Unencodable { value, .. } => match self.options.policy {
                Policy::SurrogateEscape if is_surrogate(*value) => {
                    "--to wtf-8 or --to utf-8-surrogateescape keeps it".to_owned()
                }
                _ => {
                    let target = self.options.target;
                    let works = |row: &&PolicyRow| {
                        row.unencodable.is_some()
                            && row.policy.is_some_and(|policy| policy.lacking(target).is_none())
                    };
                    let mut names: Vec<_> =
                        POLICIES.iter().filter(works).map(|row| row.name).collect();
                    if Policy::Escape(target).lacking(target).is_none() {
                        names.push("escape=html");
                    }
                    let continues = format!("--on-error {} continues", any_of(&names));
                    match is_mark(*value) {
                        true => format!("utf8 repair --normalize nfc may compose it; {continues}"),
                        false => continues,
                    }
                }
            },
            StopReason::IllFormed(_) if source == POINTS && !named => {
                "type code points as U+20AC; --from utf-8 or --to reads text".to_owned()
            }
            StopReason::IllFormed(_) if self.args.input.is_auto() => {
                let command = converted.command(EXAMINE);
                format!("read as {source}: {command} examines all of it; -f names another encoding")
            }
            StopReason::IllFormed(_) if named => {
                let command = converted.command(&format!("validate -f {source}"));
                format!("--on-error replace continues; {command} lists all")
            }
            StopReason::IllFormed(_) => format!(
                "if it is not {source}, name its encoding: --from CODEC, or --from auto; \
                 --on-error replace continues; {} lists all",
                converted.command("validate")
            ),
        }
    }
}
