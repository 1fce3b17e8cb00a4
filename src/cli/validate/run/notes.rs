//! Notes about inputs: probable other encodings, settings, and fixes.

use super::ValidateRun;
use crate::cli::config::settings::FileSettings;
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::NamedInput;
use crate::cli::prose::quoted;
use crate::cli::session::Session;
use crate::cli::shell;
use crate::cli::tree::OpenTreeFile;
use crate::cli::validate::fix_command::FixCommand;
use crate::codec::Group;
use crate::registry::Encoding;
use crate::report::{FORMATS, InputSummary};
use crate::text::name::InputName;
use crate::text::number::counted;

impl ValidateRun<'_> {
    /// Returns the place that sets the legacy encoding in which an input is read, if one does. Such
    /// encodings accept nearly all bytes.
    pub(super) fn setting_place(
        &self,
        settings: &FileSettings,
        encoding: &'static Encoding,
    ) -> Option<String> {
        let is_legacy = !matches!(encoding.group, Group::Family | Group::Notation);
        let is_set = is_legacy && self.args.input.named_codec().is_none();
        is_set.then(|| match settings.encoding_place() {
            Some(place) if settings.encoding() == Some(encoding) => place.to_string(),
            _ => ".gitattributes".to_owned(),
        })
    }

    /// Notes that an input that is valid in an encoding of bytes looks like UTF-16 or UTF-32. ASCII in
    /// these is valid UTF-8 with NULs.
    pub(super) fn note_code_units(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        code_units: Option<&'static Encoding>,
    ) {
        if let Some(wide) = code_units.filter(|_| !self.args.talk.quiet) {
            let command = format!("validate -f {}", wide.name);
            let command = shell::command(&command, &self.args.input, input, name);
            let command = command.map_or(String::new(), |command| format!(" ({command})"));
            session.note(name, &format!("looks like {}{command}", wide.name));
        }
    }

    /// Notes that a valid input certainly looks like another encoding than the legacy one that is
    /// declared or set for it.
    pub(super) fn note_doubt(
        &mut self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        doubt: &SettingDoubt,
    ) {
        if self.args.talk.verbose || !input.is_found() {
            let file = quoted(input.name());
            let note = format!(
                "is valid {}, but looks like {} (utf8 validate --show-config {file} shows what is set)",
                doubt.encoding.name, doubt.other.name
            );
            session.note(name, &note);
        } else {
            self.totals.doubtful.add(session, name);
        }
    }

    /// Returns advice to fix findings of a file.
    pub(super) fn describe_fix(
        &self,
        input: NamedInput<'_>,
        summary: &InputSummary,
    ) -> Option<String> {
        let NamedInput::File(path, _) = input else { return None };
        let FixCommand { command, number } = self.fix_command(summary, Some(path))?;
        Some(format!("{command} fixes up to {}", counted(number, "finding")))
    }

    /// Notes that --format was probably meant if a file that is read as JSON is none.
    pub(super) fn hint_at_format(
        &self,
        session: &mut Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
    ) {
        let args = self.args;
        if args.input.codec().name != "json" || args.format.name != FORMATS[0].name {
            return;
        }
        let first = FirstBlock::read(input).bytes.trim_ascii_start().first().copied();
        if first.is_some_and(|first| !b"{[\"-0123456789tfn".contains(&first)) {
            session.note(name, "is not JSON; did you mean --format json? (--from: how to read it)");
        }
    }
}

/// The doubt about a legacy encoding that is set for an input, which is certainly in another one.
pub(super) struct SettingDoubt {
    /// The place of the setting.
    pub place: String,
    pub encoding: &'static Encoding,
    pub other: &'static Encoding,
}

impl SettingDoubt {
    /// Returns the doubt about the encoding of an input that a place sets, if the text is certainly in
    /// another one.
    pub(super) fn about(
        place: String,
        input: NamedInput<'_>,
        encoding: &'static Encoding,
    ) -> Option<SettingDoubt> {
        let other = FirstBlock::read(input).other_encoding(encoding)?;
        Some(SettingDoubt { place, encoding, other })
    }

    /// Returns the message of a finding.
    pub(super) fn message(&self) -> String {
        let SettingDoubt { place, encoding, other } = self;
        format!("{} is set by {place}, but the text is {}", encoding.name, other.name)
    }
}

/// Notes that an input with errors was not read in the encoding that .gitattributes declares.
pub(super) fn note_overridden(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    encoding: &'static Encoding,
) {
    if let NamedInput::InTree(OpenTreeFile { overridden: Some(declared), settings, .. }) = input
        && let Some(place) = settings.encoding_place()
        && settings.encoding() == Some(encoding)
    {
        let (declared, encoding) = (declared.name, encoding.name);
        session
            .note(name, &format!("is {declared} by .gitattributes, read as {encoding} by {place}"));
    }
}
