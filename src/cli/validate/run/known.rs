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
    /// Counts a file with findings whose name cannot be in the baseline: one has absolute names, the other
    /// relative ones.
    pub(super) fn count_misnamed(
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
            self.totals.misnamed.add(session, name);
        }
    }

    /// Takes the name of the first file whose name cannot be in the baseline, if nothing of that is found.
    pub(super) fn take_misnamed(&mut self) -> Option<OsString> {
        let misnamed = std::mem::take(&mut self.totals.misnamed);
        misnamed.into_first().filter(|_| self.totals.known() == 0)
    }

    /// Describes the names of the baseline, and the one to type for a file whose name cannot be in it.
    pub(super) fn describe_names(&self, file: &OsStr) -> String {
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
        format!("its names are {form}: {advice}")
    }

    /// Returns the number of findings of the baseline that were not found, if there are any. `misnamed` is
    /// a file whose name cannot be in it.
    pub(super) fn describe_unfound(&self, misnamed: Option<&OsStr>) -> String {
        let known = self.baseline.map_or(0, Baseline::number);
        match known.saturating_sub(self.totals.known()) {
            0 => String::new(),
            unfound if self.totals.known() == 0 && self.totals.findings() > 0 => {
                let reason = misnamed.map_or_else(
                    || "its names count from the directory where it was written".to_owned(),
                    |first| self.describe_names(first),
                );
                format!("; none of the {} of the baseline found ({reason})", grouped(unfound))
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
    let forms = [path::absolute(path), absolute(path)];
    let mut forms = forms.into_iter().flatten().map(|path| from_current_directory(&path));
    let found = forms.find(|path| path.is_relative())?;
    Some(if found.as_os_str().is_empty() { ".".into() } else { found })
}
