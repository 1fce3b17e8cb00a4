//! The next command for inputs with ill-formed UTF-8.

use std::ffi::OsStr;

use super::run::ValidateRun;
use crate::cli::detect::next_command;
use crate::cli::first_block::{CERTAIN, FirstBlock};
use crate::cli::inputs::NamedInput;
use crate::cli::prose::quoted;
use crate::cli::session::Session;
use crate::cli::shell;
use crate::detect::DamageKind;
use crate::issue::Kind;
use crate::registry::Encoding;
use crate::report::InputSummary;
use crate::text::name::InputName;

/// The command that names the encoding of an input and the next command.
const DETECT: &str = "detect --format long";

/// Returns `true` if an input that was read in an encoding has ill-formed sequences of UTF-8.
pub(super) fn has_ill_formed_utf8(encoding: &Encoding, summary: &InputSummary) -> bool {
    encoding == Encoding::UTF_8 && summary.kinds().any(|(kind, _)| kind != Kind::NotUtf8)
}

impl ValidateRun<'_> {
    /// Returns the next command for an input with ill-formed UTF-8, if it is the only one. Of several,
    /// one line at the end has it.
    pub(super) fn advise_repair(
        &mut self,
        session: &Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) -> Option<String> {
        let args = &self.args.input;
        let detect = shell::command(DETECT, args, input, name)?;
        if self.several {
            self.totals.damaged.add(session, name);
            return None;
        }
        let block = FirstBlock::read(input);
        let damage = block.damage();
        // A repair would write the characters that these forms hide.
        if damage.as_ref().is_some_and(|damage| damage.evidence.count(DamageKind::Overlong) > 0) {
            return None;
        }
        let certain = damage.filter(|damage| block.is_whole() && damage.confidence >= CERTAIN);
        let command = match certain {
            Some(damage) => next_command(&damage, args, input, name)?,
            None => detect,
        };
        Some(format!("next: {command}"))
    }

    /// Reports the next command for several inputs, of which some have ill-formed UTF-8.
    pub(super) fn report_damaged(&mut self, session: &mut Session) {
        let damaged = std::mem::take(&mut self.totals.damaged);
        if self.args.lists() && self.args.format.prose {
            let command = |name: &OsStr| format!("next: utf8 {DETECT} {}", quoted(name));
            damaged.report(session, command, |number, first| {
                format!("{number} files are ill-formed; {}", command(first))
            });
        }
    }
}
