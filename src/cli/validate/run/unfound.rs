//! The findings of a baseline that a run does not find.

use std::ffi::{OsStr, OsString};
use std::path::{self, Path, PathBuf};

use super::ValidateRun;
use crate::cli::inputs::NamedInput;
use crate::cli::paths::{absolute, from_current_directory};
use crate::cli::prose::quoted;
use crate::cli::session::Session;
use crate::report::InputSummary;
use crate::report::baseline::{Baseline, NameForm};
use crate::text::name::InputName;
use crate::text::number::grouped;

impl ValidateRun<'_> {
    /// Counts a file with findings whose name cannot be in the baseline, because it has another form than
    /// the names there.
    pub(super) fn count_other_form(
        &mut self,
        session: &Session,
        input: NamedInput<'_>,
        name: &InputName<'_>,
        summary: &InputSummary,
    ) {
        if summary.findings > 0
            && let Some(form) = self.baseline.and_then(Baseline::name_form)
            && input.file_name().is_some_and(|name| NameForm::of(name.as_ref()) != form)
        {
            self.totals.other_form.add(session, name);
        }
    }

    /// Takes the first file whose name has another form than those of the baseline, if the run found
    /// nothing of the baseline.
    pub(super) fn take_other_form(&mut self) -> Option<OsString> {
        let other_form = std::mem::take(&mut self.totals.other_form);
        other_form.into_first().filter(|_| self.totals.known() == 0)
    }

    /// Describes a baseline of which nothing is found. `other_form` is a file whose name has another form
    /// than those of the baseline.
    pub(super) fn describe_mismatch(&self, other_form: Option<&OsStr>) -> String {
        let names = other_form.map_or_else(
            || "count from the directory where it was written".to_owned(),
            |file| self.describe_names(file),
        );
        format!("the baseline matches nothing: its names {names}")
    }

    /// Describes the form of the names of the baseline, and the name to type for a file with another form.
    fn describe_names(&self, file: &OsStr) -> String {
        // The file, or the directory that it was found in.
        let files = &self.args.input.files;
        let of_file = files.iter().find(|given| Path::new(file).starts_with(given));
        let given = of_file.or(files.first().filter(|_| files.len() == 1));
        let given = given.map_or(Path::new(file), |given| given);
        let (form, typed, elsewhere) = match self.baseline.and_then(Baseline::name_form) {
            Some(NameForm::Absolute) => ("absolute", path::absolute(given).ok(), "write it again"),
            _ => ("relative", relative(given), "run in the directory where it was written"),
        };
        let advice = typed.map_or(elsewhere.to_owned(), |path| {
            format!("name {}, not {}", quoted(path.as_os_str()), quoted(given.as_os_str()))
        });
        format!("are {form} ({advice})")
    }

    /// Describes the findings of the baseline that were not found, if there are any. `other_form` is a file
    /// whose name has another form than those of the baseline.
    pub(super) fn describe_unfound(&self, other_form: Option<&OsStr>) -> String {
        let known = self.baseline.map_or(0, Baseline::number);
        match known.saturating_sub(self.totals.known()) {
            0 => String::new(),
            _ if self.totals.known() == 0 && self.totals.findings() > 0 => {
                format!("; {}", self.describe_mismatch(other_form))
            }
            unfound => {
                let note =
                    format!("; {} of the baseline not found in these files", grouped(unfound));
                // It would record new findings, too.
                match self.totals.findings() {
                    0 => note + " (--write-baseline keeps only what it finds)",
                    _ => note,
                }
            }
        }
    }
}

/// Returns a path from the current directory, if it is below or that.
fn relative(path: &Path) -> Option<PathBuf> {
    // The path as typed, then without symbolic links.
    let paths = [path::absolute(path), absolute(path)];
    let mut paths = paths.into_iter().flatten().map(|path| from_current_directory(&path));
    let found = paths.find(|path| path.is_relative())?;
    Some(if found.as_os_str().is_empty() { ".".into() } else { found })
}
