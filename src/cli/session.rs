//! Outputs, terminal style and exit status of a run.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use super::args::{TalkArgs, WhenArg};
use super::parallel::TurnWriter;
use super::paths::from_current_directory;
use super::reports::ReportStream;
use super::{Status, safe, tree};
use crate::kernel::{self, Kernels};
use crate::os::calls;
use crate::os::stamp::FileId;
use crate::output::Output;
use crate::report::ReportStyle;
use crate::source::ThreadCount;
use crate::text::name::InputName;
use crate::text::number::grouped;
use streams::BlockingWriter;

pub(super) use streams::{SecondOutputs, closed_error, messages_lost, open_stdout, print_error};

mod streams;

/// The name of standard output in messages.
pub(super) const STANDARD_OUTPUT: &str = "standard output";

/// The state of a run.
pub(super) struct Session {
    pub kernels: &'static Kernels,
    pub out: Output,
    /// Further outputs: the reports in files.
    pub reports: Vec<Output>,
    /// The streams of `out` and `reports`; empty for standard output alone.
    pub streams: Vec<ReportStream>,
    /// The receiver of messages; `None` for standard error.
    errors: Option<Box<dyn Write>>,
    /// The writer of a thread that works on one of several inputs.
    turn: Option<TurnWriter>,
    /// The file that the output goes to, if it is not standard output.
    file: Option<File>,
    pub style: ReportStyle,
    pub quiet: bool,
    pub progress: bool,
    /// True if standard output and standard error are terminals: messages start new lines of text.
    shares_terminal: bool,
    /// The number of threads that scan a large file.
    pub threads: ThreadCount,
    /// The exit status so far.
    pub status: Status,
}

/// The options that the threads of a run share.
#[derive(Clone, Copy)]
pub(super) struct SessionOptions {
    kernels: &'static Kernels,
    style: ReportStyle,
    quiet: bool,
    progress: bool,
    /// The number of threads that scan a large file.
    threads: ThreadCount,
}

impl Session {
    /// Returns a session with these options.
    pub fn new(talk: &TalkArgs) -> anyhow::Result<Session> {
        let on = |when, auto| match when {
            WhenArg::Always => true,
            WhenArg::Never => false,
            WhenArg::Auto => auto,
        };
        Ok(Session {
            style: ReportStyle {
                color: on(talk.color, has_colors()),
                unicode: is_unicode(),
                stats: false,
                command: "",
            },
            quiet: talk.quiet,
            progress: on(talk.progress, io::stderr().is_terminal() && !talk.quiet),
            ..Session::plain()?
        })
    }

    /// Returns a session with default options.
    pub fn plain() -> anyhow::Result<Session> {
        Ok(Session {
            kernels: select_kernels()?,
            out: Output::new(open_stdout(), STANDARD_OUTPUT),
            reports: Vec::new(),
            streams: Vec::new(),
            errors: None,
            turn: None,
            file: None,
            style: ReportStyle { color: false, unicode: is_unicode(), ..ReportStyle::default() },
            quiet: false,
            progress: false,
            shares_terminal: io::stdout().is_terminal() && io::stderr().is_terminal(),
            threads: ThreadCount::One,
            status: Status::Good,
        })
    }

    /// Returns the number of columns of the terminal that the output goes to: COLUMNS, or the width
    /// that the terminal reports. `None` if the output goes elsewhere or the width is unknown.
    pub fn terminal_columns(&self) -> Option<usize> {
        if self.file.is_some() || !io::stdout().is_terminal() {
            return None;
        }
        let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        set.filter(|&columns| columns > 0).or_else(|| calls::columns(io::stdout().as_fd()))
    }

    /// Returns the options for the threads of the run. `threads` is the number that scan a large file.
    pub fn options(&self, threads: ThreadCount) -> SessionOptions {
        SessionOptions {
            kernels: self.kernels,
            style: self.style,
            quiet: self.quiet,
            progress: self.progress,
            threads,
        }
    }

    /// Returns a session for a thread, with its own output and reports.
    pub fn worker(
        options: SessionOptions,
        out: Output,
        reports: Vec<Output>,
        errors: Box<dyn Write>,
        turn: TurnWriter,
    ) -> Session {
        Session {
            kernels: options.kernels,
            out,
            reports,
            streams: Vec::new(),
            errors: Some(errors),
            turn: Some(turn),
            file: None,
            style: options.style,
            quiet: options.quiet,
            progress: options.progress,
            shares_terminal: false,
            threads: options.threads,
            status: Status::Good,
        }
    }

    /// Returns the standard streams, for further outputs to them.
    pub fn second_outputs(&self) -> SecondOutputs {
        SecondOutputs(self.turn.clone())
    }

    /// Waits until no other thread works on an earlier input. Returns `false` if there are no other
    /// threads.
    pub fn wait_for_turn(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| {
            turn.wait();
            true
        })
    }

    /// Returns the number of the current input, from 0, if several threads work; otherwise 0, as inputs
    /// come in order.
    pub fn turn(&self) -> u64 {
        self.turn.as_ref().map_or(0, TurnWriter::turn)
    }

    /// Claims a file to rewrite. Returns `true` if an earlier input has claimed the same file, once the
    /// work on that input is over.
    pub fn claim(&self, file: &Metadata) -> bool {
        self.turn.as_ref().is_some_and(|turn| {
            let is_known = turn.claim(FileId::of(file));
            if is_known {
                turn.wait();
            }
            is_known
        })
    }

    /// Checks that standard output is open, even if nothing will be written.
    pub fn check_output(&self) -> anyhow::Result<()> {
        match calls::closed_at_start(1) {
            true => anyhow::bail!("{}: {}", self.out.name(), reason(&closed_error())),
            false => Ok(()),
        }
    }

    /// Redirects the output to a file, which messages call `name`.
    pub fn write_to(&mut self, file: File, name: &str) {
        self.file = file.try_clone().ok();
        self.out = Output::new(Box::new(BlockingWriter(file)), name);
    }

    /// Leaves a hole of `len` zero bytes in the output. Returns `false` if that is not possible: the
    /// output is no regular file, or is not written at its end.
    ///
    /// # Errors
    /// Those of the output and of making the file longer.
    pub fn leave_hole(&mut self, len: u64) -> io::Result<bool> {
        let file = match &self.file {
            Some(file) => file.try_clone(),
            None => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        };
        let Ok(mut file) = file else { return Ok(false) };
        if !file.metadata()?.is_file() {
            return Ok(false);
        }
        self.out.flush()?;
        let at = file.stream_position()?;
        if at < file.metadata()?.len() {
            return Ok(false);
        }
        file.set_len(at.saturating_add(len))?;
        file.seek(SeekFrom::Current(i64::try_from(len).unwrap_or(i64::MAX)))?;
        Ok(true)
    }

    /// Returns the name of an input, escaped for display.
    pub fn name<'a>(&self, raw: &'a OsStr) -> InputName<'a> {
        InputName::new(raw, self.style.unicode)
    }

    /// Prints a name in a list: raw with NUL if `null`, otherwise escaped with `end`.
    pub fn print_name(&mut self, name: &InputName<'_>, null: bool, end: u8) {
        write_name(self.out.buffer(), name, null, end);
    }

    /// Prints a note about an input on standard error, after the output so far.
    pub fn note(&mut self, name: &InputName<'_>, message: &str) {
        if !self.quiet {
            self.print_line(&[name.shown(), b": ", message.as_bytes()].concat());
        }
    }

    /// Prints a summary of the run on standard error, after the output so far.
    pub fn print_summary(&mut self, summary: &str) {
        if !self.quiet {
            self.print_line(summary.as_bytes());
        }
    }

    /// Reports an error that concerns no single input. The run goes on.
    pub fn report_run_error(&mut self, message: &str) {
        self.raise(Status::Trouble);
        self.print_line(&[b"utf8: ", message.as_bytes()].concat());
    }

    /// Reports an error of an input. The run goes on.
    pub fn report_error(&mut self, name: &InputName<'_>, message: &str) {
        self.raise(Status::Trouble);
        self.print_problem(name, message);
    }

    /// Reports work that was not done because of what an input contains. The run goes on.
    pub fn report_undone(&mut self, name: &InputName<'_>, message: &str) {
        self.raise(Status::Bad);
        self.print_problem(name, message);
    }

    /// Reports a problem of an input that does not change the exit status.
    pub fn warn(&mut self, name: &InputName<'_>, message: &str) {
        if !self.quiet {
            self.print_problem(name, message);
        }
    }

    /// Reports a file that was replaced: as a problem if content was lost, otherwise as a note.
    pub fn report_change(&mut self, name: &InputName<'_>, lossy: bool, message: &str) {
        match lossy {
            true => self.warn(name, message),
            false => self.note(name, message),
        }
    }

    fn print_problem(&mut self, name: &InputName<'_>, message: &str) {
        self.print_line(&[b"utf8: ", name.shown(), b": ", message.as_bytes()].concat());
    }

    /// Notes that an input ended, at `reached`, before the selected range.
    pub fn note_end(&mut self, name: &InputName<'_>, reached: u64, start: u64) {
        if reached < start {
            self.note(name, &format!("ends before offset {}", grouped(start)));
        }
    }

    fn print_line(&mut self, line: &[u8]) {
        if self.shares_terminal && self.file.is_none() && self.out.is_in_line() {
            self.out.buffer().push(b'\n');
        }
        // The output keeps its error.
        let _ = self.out.flush();
        let line = [line, b"\n"].concat();
        match &mut self.errors {
            Some(errors) => drop(errors.write_all(&line)),
            None => print_error(&line),
        }
    }

    /// Returns `true` if a write to an output has failed.
    pub fn output_failed(&self) -> bool {
        self.out.failed() || self.reports.iter().any(Output::failed)
    }

    /// Returns an output: standard output is 0, reports in files are the others.
    pub fn report(&mut self, number: usize) -> &mut Output {
        match number {
            0 => &mut self.out,
            _ => &mut self.reports[number - 1],
        }
    }

    /// Raises the exit status to at least this.
    pub fn raise(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Reports the settings of git that could not be read: files are excluded and read without them.
    fn report_unread_settings(&mut self) {
        for (path, error) in tree::take_unread_settings() {
            let path = from_current_directory(&path);
            let message = format!(
                "{}: core.excludesFile and core.attributesFile in it have no effect",
                calls::error_text(&error)
            );
            self.warn(&self.name(path.as_os_str()), &message);
        }
    }

    /// Does the work, flushes the output and returns the exit status.
    pub fn finish(
        mut self,
        work: impl FnOnce(&mut Session) -> anyhow::Result<()>,
    ) -> anyhow::Result<Status> {
        work(&mut self)?;
        self.report_unread_settings();
        let _ = self.out.flush();
        match self.out.failure() {
            // A closed pipe is not an error: its reader has enough.
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                anyhow::bail!("{}: {}", self.out.name(), reason(&error))
            }
            _ => Ok(self.status),
        }
    }
}

/// Appends a name in a list: raw with NUL if `null`, otherwise escaped with `end`.
pub(super) fn write_name(out: &mut Vec<u8>, name: &InputName<'_>, null: bool, end: u8) {
    let (name, end) = if null { (name.raw.as_bytes(), 0) } else { (name.listed(), end) };
    out.extend_from_slice(name);
    out.push(end);
}

/// Returns the kernel that the environment names, otherwise the best.
pub(super) fn select_kernels() -> anyhow::Result<&'static Kernels> {
    let Some(name) = variable(kernel::VARIABLE) else {
        return Ok(kernel::best());
    };
    let name = name.to_string_lossy();
    let kernels = kernel::named(&name).ok_or_else(|| {
        let (name, names) = (safe(&*name), kernel::names().join(", "));
        anyhow::anyhow!("{}: no kernel '{name}' on this CPU; available: {names}", kernel::VARIABLE)
    })?;
    kernel::prefer(kernels);
    Ok(kernels)
}

/// Prints the error that ends a run.
pub(super) fn print_run_error(message: &str) {
    print_error(&[b"utf8: ", message.as_bytes(), b"\n"].concat());
}

/// Returns the message of an error, without its number and with advice.
pub(super) fn reason(error: &io::Error) -> String {
    let text = calls::error_text(error);
    let ours = error.raw_os_error().is_none();
    match error.kind() {
        io::ErrorKind::IsADirectory => "is a directory (name a file)".to_owned(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => format!("{text} (check the name)"),
        io::ErrorKind::PermissionDenied => format!("{text} (check its mode and owner)"),
        io::ErrorKind::StorageFull => format!("{text} (make room and run again)"),
        io::ErrorKind::Unsupported if ours => {
            "a negative --skip needs an input of known size (a regular file that is not hex, or --text)"
                .to_owned()
        }
        _ => text,
    }
}

/// Returns the value of a variable of the environment that is set and not empty.
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns `true` if standard output takes colours: no-color.org, bixense.com/clicolors.
fn has_colors() -> bool {
    let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    variable("NO_COLOR").is_none() && (forced || io::stdout().is_terminal() && !dumb)
}

/// Returns `true` unless the locale names a codeset other than UTF-8. The first variable that is set
/// decides. C and POSIX name none: containers have them, and PEP 538 and 540 take them for UTF-8.
pub(super) fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default();
    admits_utf8(&locale.to_string_lossy())
}

/// Returns `true` if a locale like `de_DE.UTF-8@euro` has the codeset UTF-8, or names none.
fn admits_utf8(locale: &str) -> bool {
    let Some((_, codeset)) = locale.split_once('.') else { return true };
    let codeset = codeset.split_once('@').map_or(codeset, |(codeset, _)| codeset);
    ["utf8", "utf-8"].contains(&codeset.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codeset_of_a_locale() {
        for locale in
            ["C.UTF-8", "de_DE.utf8", "de_DE.UTF-8@euro", "UTF-8", "", "C", "POSIX", "de_DE"]
        {
            assert!(admits_utf8(locale), "{locale}");
        }
        for locale in ["de_DE.ISO-8859-1@utf-8", "ja_JP.eucJP", "C.xUTF-8x"] {
            assert!(!admits_utf8(locale), "{locale}");
        }
    }
}
