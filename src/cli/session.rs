//! How does a command talk to the world? Standard output, standard error, the exit status.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use super::args::{TalkArgs, WhenArg};
use super::progress;
use super::prose::grouped;
use super::{Status, safe};
use crate::kernel::{self, Kernels};
use crate::os::calls;
use crate::output::Output;
use crate::report::ReportStyle;
use crate::text::name::InputName;

/// What errors call standard output.
pub(super) const STANDARD_OUTPUT: &str = "standard output";

/// The state of a run.
pub(super) struct Session {
    pub kernels: &'static Kernels,
    pub out: Output,
    pub style: ReportStyle,
    pub quiet: bool,
    pub progress: bool,
    /// What the run comes to so far.
    pub status: Status,
}

impl Session {
    /// A session that does what these options say.
    pub fn new(talk: &TalkArgs) -> anyhow::Result<Session> {
        let on = |when, auto| match when {
            WhenArg::Always => true,
            WhenArg::Never => false,
            WhenArg::Auto => auto,
        };
        Ok(Session {
            style: ReportStyle {
                color: on(talk.color, colors()),
                unicode: unicode(),
                stats: false,
            },
            quiet: talk.quiet,
            progress: on(talk.progress, io::stderr().is_terminal() && !talk.quiet),
            ..Session::plain()?
        })
    }

    /// A session without options.
    pub fn plain() -> anyhow::Result<Session> {
        Ok(Session {
            kernels: kernels()?,
            out: Output::new(stdout(), STANDARD_OUTPUT),
            style: ReportStyle { color: false, unicode: unicode(), stats: false },
            quiet: false,
            progress: false,
            status: Status::Good,
        })
    }

    /// See that standard output is there, even if nothing will be written.
    pub fn check_output(&self) -> anyhow::Result<()> {
        match calls::closed_at_start(1) {
            true => anyhow::bail!("{}: {}", self.out.name(), reason(&closed())),
            false => Ok(()),
        }
    }

    /// Write to this file from now on, which errors call by this name.
    pub fn write_to(&mut self, file: File, name: &str) {
        self.out = out(file, name);
    }

    /// The name of an input, to be shown.
    pub fn name<'a>(&self, raw: &'a OsStr) -> InputName<'a> {
        InputName::new(raw, self.style.unicode)
    }

    /// Print a name as an item of a list: its bytes and NUL if asked so, otherwise safe to show.
    pub fn print_name(&mut self, name: &InputName<'_>, null: bool, end: u8) {
        let out = self.out.buffer();
        if null {
            out.extend_from_slice(name.raw.as_bytes());
            out.push(0);
        } else {
            out.extend_from_slice(name.listed());
            out.push(end);
        }
    }

    /// Say something about an input on standard error, behind what was written so far.
    pub fn say(&mut self, name: &InputName<'_>, what: &str) {
        if !self.quiet {
            self.tell(&[name.shown(), b": ", what.as_bytes()].concat());
        }
    }

    /// Report trouble with an input. The run goes on.
    pub fn trouble(&mut self, name: &InputName<'_>, what: &str) {
        self.raise(Status::Trouble);
        self.complain(name, what);
    }

    /// Say that something is wrong with an input, on standard error.
    pub fn warn(&mut self, name: &InputName<'_>, what: &str) {
        if !self.quiet {
            self.complain(name, what);
        }
    }

    fn complain(&mut self, name: &InputName<'_>, what: &str) {
        self.tell(&[b"utf8: ", name.shown(), b": ", what.as_bytes()].concat());
    }

    /// Say if an input has ended, at `reached`, before the range that was asked for.
    pub fn note_end(&mut self, name: &InputName<'_>, reached: u64, start: u64) {
        if reached < start {
            self.say(name, &format!("ends before offset {}", grouped(start)));
        }
    }

    fn tell(&mut self, line: &[u8]) {
        // A failure stays with the output, which is asked for it at the end.
        let _ = self.out.flush();
        say_line(line);
    }

    /// The run comes to this at least.
    pub fn raise(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Do the work, write what is left of the output, and say what the run comes to.
    pub fn finish(
        mut self,
        work: impl FnOnce(&mut Session) -> anyhow::Result<()>,
    ) -> anyhow::Result<Status> {
        work(&mut self)?;
        let _ = self.out.flush();
        match self.out.failure() {
            // Who reads no further has what they want.
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                anyhow::bail!("{}: {}", self.out.name(), reason(&error))
            }
            _ => Ok(self.status),
        }
    }
}

/// The kernel that the environment asks for, or else the best.
pub(super) fn kernels() -> anyhow::Result<&'static Kernels> {
    let Some(name) = std::env::var_os(kernel::VARIABLE).filter(|name| !name.is_empty()) else {
        return Ok(kernel::best());
    };
    let name = name.to_string_lossy();
    kernel::named(&name).ok_or_else(|| {
        let (name, names) = (safe(&*name), kernel::names().join(", "));
        anyhow::anyhow!(
            "{}: no kernel '{name}' on this CPU; available: {names}",
            kernel::VARIABLE
        )
    })
}

/// Report trouble that is not with an input.
pub(super) fn complain(what: &str) {
    say_line(&[b"utf8: ", what.as_bytes()].concat());
}

/// Print a line on standard error. If nobody can hear it, that changes nothing.
fn say_line(line: &[u8]) {
    let _ = BlockingWriter(io::stderr()).write_all(&[line, b"\n"].concat());
}

/// What a person needs to know of an error, without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = calls::said(error);
    let ours = error.raw_os_error().is_none();
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            "is a directory (its files: find DIR -type f -print0 | utf8 COMMAND -0 --files-from -)"
                .to_owned()
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => format!("{text} (check the name)"),
        io::ErrorKind::InvalidInput if ours => {
            "a name cannot contain NUL (--null reads a list with NUL between names)".to_owned()
        }
        io::ErrorKind::PermissionDenied => format!("{text} (check its mode and owner)"),
        io::ErrorKind::StorageFull => format!("{text} (make room and run again)"),
        io::ErrorKind::Unsupported if ours => {
            "a negative --skip needs an input of known size (a regular file that is not hex, or --text)"
                .to_owned()
        }
        _ => text,
    }
}

/// Standard output or standard error, apart from what a session writes there.
pub(super) fn apart(error: bool) -> Output {
    match error {
        true => {
            Output::new(Box::new(BestEffortWriter(BlockingWriter(io::stderr()))), "standard error")
        }
        false => Output::new(stdout(), STANDARD_OUTPUT),
    }
}

/// Write to this file, which errors call by this name.
pub(super) fn out(file: File, name: &str) -> Output {
    Output::new(Box::new(BlockingWriter(file)), name)
}

/// Standard output, or an error in its place if it was closed.
fn stdout() -> Box<dyn Write> {
    if calls::closed_at_start(1) {
        return Box::new(ClosedOutput);
    }
    match io::stdout().as_fd().try_clone_to_owned() {
        Ok(descriptor) => Box::new(BlockingWriter(File::from(descriptor))),
        Err(_) => Box::new(ClosedOutput),
    }
}

/// Writes to a descriptor, and waits where it takes nothing yet.
struct BlockingWriter<W>(W);

impl<W: Write + AsFd> Write for BlockingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::clear();
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    calls::wait(self.0.as_fd(), libc::POLLOUT)?;
                }
                result => return result,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes if it can: that nobody can hear it changes nothing.
struct BestEffortWriter<W>(W);

impl<W: Write> Write for BestEffortWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written here is lost, and that is an error.
struct ClosedOutput;

impl Write for ClosedOutput {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(closed())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a standard descriptor says that was closed when the process started.
pub(super) fn closed() -> io::Error {
    io::Error::other("is closed (open it, or redirect it)")
}

/// Whether a variable is set to something.
fn set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Whether standard output takes colours: no-color.org, bixense.com/clicolors.
fn colors() -> bool {
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !set("NO_COLOR") && (forced || io::stdout().is_terminal() && !dumb)
}

/// Whether the locale's codeset is UTF-8: the first of its variables that is set decides.
pub(super) fn unicode() -> bool {
    let variable = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|variable| set(variable));
    let locale = variable.and_then(std::env::var_os).unwrap_or_default();
    is_utf8(&locale.to_string_lossy())
}

/// Whether a locale such as `de_DE.UTF-8@euro` has UTF-8 for its codeset.
fn is_utf8(locale: &str) -> bool {
    let codeset = locale.split_once('.').map_or(locale, |(_, codeset)| codeset);
    let codeset = codeset.split_once('@').map_or(codeset, |(codeset, _)| codeset);
    ["utf8", "utf-8"].contains(&codeset.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codeset_of_a_locale() {
        for locale in ["C.UTF-8", "de_DE.utf8", "de_DE.UTF-8@euro", "UTF-8"] {
            assert!(is_utf8(locale), "{locale}");
        }
        for locale in ["", "C", "POSIX", "de_DE", "de_DE.ISO-8859-1@utf-8", "xUTF-8x"] {
            assert!(!is_utf8(locale), "{locale}");
        }
    }
}
