//! The next command for inputs with ill-formed UTF-8.

use std::ffi::OsStr;

use super::run::ValidateRun;
use crate::cli::detect::next_command;
use crate::cli::first_block::{CERTAIN, FirstBlock};
use crate::cli::inputs::NamedInput;
use crate::cli::session::Session;
use crate::cli::shell::{self, EXAMINE};
use crate::issue::Kind;
use crate::registry::Encoding;
use crate::report::InputSummary;
use crate::text::name::InputName;

/// Returns `true` if an input that was read in an encoding has ill-formed sequences of UTF-8.
pub(super) fn has_ill_formed_utf8(encoding: &Encoding, summary: &InputSummary) -> bool {
    encoding == Encoding::UTF_8 && summary.kinds().any(|(kind, _)| kind != Kind::NotUtf8)
}

impl ValidateRun<'_> {
    /// Returns advice on an input with ill-formed UTF-8: that on few findings, or the next command, unless
    /// the list has it. One of several inputs is counted for the line at the end instead, except with
    /// --verbose.
    pub(super) fn advise_on_damage(
        &mut self,
        session: &Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        advice: Option<String>,
        list_has_advice: bool,
    ) -> Option<String> {
        let is_summed_up = self.several && !self.args.talk.verbose;
        if is_summed_up {
            self.count_damaged(session, input, name);
        }
        if list_has_advice || is_summed_up {
            return advice;
        }
        advice.or_else(|| match self.several {
            true => self.advise_detect(input, name),
            false => self.advise_repair(input, name),
        })
    }

    /// Counts one of several inputs, which has ill-formed UTF-8, for the line at the end.
    fn count_damaged(&mut self, session: &Session, input: NamedInput<'_>, name: &InputName<'_>) {
        if self.detect_command(input, name).is_some() {
            self.totals.damaged.add(session, name);
        }
    }

    /// Returns the command that examines a whole file. Standard input cannot be read again.
    fn detect_command(&self, input: NamedInput<'_>, name: &InputName<'_>) -> Option<String> {
        let is_stdin = matches!(input, NamedInput::Stdin(_));
        if is_stdin { None } else { shell::command(EXAMINE, &self.args.input, input, name) }
    }

    /// Returns the `detect` command for one of several inputs.
    fn advise_detect(&self, input: NamedInput<'_>, name: &InputName<'_>) -> Option<String> {
        let detect = self.detect_command(input, name).filter(|_| self.tells_people())?;
        Some(format!("next: {detect}"))
    }

    /// Returns the next command for the only input, which has ill-formed UTF-8.
    fn advise_repair(&self, input: NamedInput<'_>, name: &InputName<'_>) -> Option<String> {
        let detect = self.detect_command(input, name).filter(|_| self.tells_people())?;
        let block = FirstBlock::read(input);
        let damage = block.damage();
        if damage.as_ref().is_some_and(|damage| damage.evidence.has_overlong_forms()) {
            return None;
        }
        let certain = damage.filter(|damage| block.is_whole() && damage.confidence >= CERTAIN);
        let command = match certain {
            Some(damage) => next_command(&damage, &self.args.input, input, name)?,
            None => detect,
        };
        Some(format!("next: {command}"))
    }

    /// Returns `true` if people read the list of findings.
    fn tells_people(&self) -> bool {
        !self.args.talk.quiet && self.args.lists() && self.args.format.prose
    }

    /// Reports the next command for several inputs, of which some have ill-formed UTF-8. `is_counted` is
    /// true after a summary that has the number of ill-formed files.
    pub(super) fn report_damaged(&mut self, session: &mut Session, is_counted: bool) {
        let damaged = std::mem::take(&mut self.totals.damaged);
        let command = |name: &OsStr| format!("next: {}", shell::on_file(EXAMINE, Some(name)));
        if !self.tells_people() {
            return;
        }
        if is_counted {
            if let Some(first) = damaged.into_first() {
                session.print_summary(&command(&first));
            }
        } else {
            damaged.report(session, command, |number, first| {
                format!("{number} files are ill-formed; {}", command(first))
            });
        }
    }
}
