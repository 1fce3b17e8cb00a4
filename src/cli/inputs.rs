//! Inputs: files, standard input, lists of files and the text of `--text`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;

use super::args::InputArgs;
use super::prose::quoted;
use super::safe;
use super::session::{Session, closed_error, reason};
use crate::os::{BlockingReader, calls};
use crate::source::{Buffer, ReadOptions, Source};
use crate::text::name::InputName;

/// The limit of a name in a list, in bytes; no system has longer names.
const LONGEST_NAME: u64 = 64 << 10;

/// An input.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamedInput<'a> {
    /// The argument of `--text`.
    Text(&'a OsStr),
    Stdin,
    /// A file, and whether its name stands in a list.
    File(&'a Path, bool),
    /// A regular file that was opened before.
    Opened(&'a Path, &'a File),
}

impl<'a> NamedInput<'a> {
    /// Returns the name for reports.
    pub fn name(self) -> &'a OsStr {
        match self {
            NamedInput::Text(_) => OsStr::new("-e"),
            NamedInput::Stdin => OsStr::new("-"),
            NamedInput::File(path, _) | NamedInput::Opened(path, _) => path.as_os_str(),
        }
    }

    /// Opens the input.
    pub fn open<'b>(self, how: &ReadOptions, buffer: &'b mut Buffer) -> io::Result<Source<'b>> {
        match self {
            NamedInput::Text(text) => Source::from_bytes(text.as_bytes().to_vec(), how, buffer),
            NamedInput::Stdin if calls::closed_at_start(0) => Err(closed_error()),
            NamedInput::Stdin => Source::from_file(not_the_output(stdin()?)?, how, buffer),
            NamedInput::File(path, _) => {
                Source::from_start(not_the_output(File::open(path)?)?, how, buffer)
            }
            NamedInput::Opened(_, file) => Source::from_start(file.try_clone()?, how, buffer),
        }
    }
}

/// Returns a file that is read, unless standard output goes to it: the input would never end.
///
/// # Errors
/// The file is regular, not empty, and the file of standard output.
fn not_the_output(file: File) -> io::Result<File> {
    static OUTPUT: OnceLock<Option<(u64, u64)>> = OnceLock::new();
    let identity = |file: &File| {
        let metadata = file.metadata().ok().filter(|metadata| metadata.is_file())?;
        Some(((metadata.dev(), metadata.ino()), metadata.len()))
    };
    let output = OUTPUT.get_or_init(|| {
        let output = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
        identity(&output).map(|(output, _)| output)
    });
    match (identity(&file), output) {
        (Some((input, 1..)), Some(output)) if input == *output => {
            Err(io::Error::other("is the output, too (write to another file)"))
        }
        _ => Ok(file),
    }
}

/// Calls `work` for each input in order, until it breaks.
pub(super) fn each(
    args: &InputArgs,
    session: &mut Session,
    mut work: impl FnMut(&mut Session, NamedInput<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut work = |session: &mut Session, input: NamedInput<'_>| {
        // Opening may wait. The output keeps its error.
        let _ = session.out.flush();
        work(session, input)
    };
    for text in &args.text {
        work(session, NamedInput::Text(text))?;
    }
    if args.files.is_empty() && args.files_from.is_empty() && args.text.is_empty() {
        return work(session, NamedInput::Stdin);
    }
    for path in &args.files {
        let is_stdin = path.as_os_str() == "-";
        work(session, if is_stdin { NamedInput::Stdin } else { NamedInput::File(path, false) })?;
    }
    for list in &args.files_from {
        read_list(list, args.null, session, &mut work)?;
    }
    ControlFlow::Continue(())
}

/// Returns the command that detects the encoding of an input.
pub(super) fn detect_command(input: NamedInput<'_>) -> String {
    match input {
        NamedInput::Stdin | NamedInput::Text(_) => "utf8 detect".to_owned(),
        _ => format!("utf8 detect {}", safe(quoted(input.name()))),
    }
}

/// Reports an input that cannot be read, and returns the reason. Returns `None` for a directory in
/// a list, which is skipped with a note.
pub(super) fn report_failure(
    session: &mut Session,
    input: NamedInput<'_>,
    name: &InputName<'_>,
    error: &io::Error,
) -> Option<String> {
    if error.kind() == io::ErrorKind::IsADirectory && matches!(input, NamedInput::File(_, true)) {
        session.note(name, "is a directory, skipped");
        return None;
    }
    let reason = match input {
        NamedInput::File(path, true)
            if error.kind() == io::ErrorKind::NotFound
                && path.as_os_str().as_bytes().ends_with(b"\r") =>
        {
            format!("{} (the list has CR LF line ends)", calls::error_text(error))
        }
        NamedInput::File(path, true)
            if error.kind() == io::ErrorKind::NotFound && is_quoted(path) =>
        {
            format!(
                "{} (git quotes such names: git ls-files -z, with -0)",
                calls::error_text(error)
            )
        }
        NamedInput::File(path, _) if error.kind() == io::ErrorKind::IsADirectory => {
            let command = std::env::args_os().nth(1).unwrap_or_default();
            let (directory, command) = (safe(quoted(path.as_os_str())), safe(command));
            format!(
                "is a directory (its files: find {directory} -type f -print0 | utf8 {command} -0 --files-from -)"
            )
        }
        NamedInput::File(path, _)
            if error.kind() == io::ErrorKind::NotFound && path.is_symlink() =>
        {
            "a symbolic link to a missing file".to_owned()
        }
        _ => reason(error),
    };
    session.report_error(name, &reason);
    Some(reason)
}

/// Returns `true` if a name has the quotes of git.
fn is_quoted(path: &Path) -> bool {
    let name = path.as_os_str().as_bytes();
    name.len() > 1 && name.starts_with(b"\"") && name.ends_with(b"\"")
}

/// Calls `work` for each file of a list.
fn read_list(
    list: &Path,
    null: bool,
    session: &mut Session,
    mut work: impl FnMut(&mut Session, NamedInput<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut names = match open_list(list) {
        Ok(names) => BufReader::new(names),
        Err(error) => return report_list(list, &error, session),
    };
    let end = if null { 0 } else { b'\n' };
    let mut name = Vec::new();
    loop {
        name.clear();
        if names.buffer().is_empty() {
            // Reading may wait.
            let _ = session.out.flush();
        }
        match (&mut names).take(LONGEST_NAME).read_until(end, &mut name) {
            Ok(0) => return ControlFlow::Continue(()),
            Ok(_) => {}
            Err(error) => return report_list(list, &error, session),
        }
        if name.last() == Some(&end) {
            name.pop();
        } else if name.len() as u64 == LONGEST_NAME {
            let error = io::Error::other(
                "a name in this list is too long (-0 reads names that end with NUL)",
            );
            return report_list(list, &error, session);
        }
        if !name.is_empty() {
            let name = OsString::from(OsStr::from_bytes(&name));
            work(session, NamedInput::File(Path::new(&name), true))?;
        }
    }
}

/// Returns standard input as a file.
pub(super) fn stdin() -> io::Result<File> {
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

fn open_list(list: &Path) -> io::Result<BlockingReader> {
    Ok(BlockingReader(match list.as_os_str() == "-" {
        true if calls::closed_at_start(0) => return Err(closed_error()),
        true => stdin()?,
        false => File::open(list)?,
    }))
}

fn report_list(list: &Path, error: &io::Error, session: &mut Session) -> ControlFlow<()> {
    let name = session.name(list.as_os_str());
    session.report_error(&name, &reason(error));
    ControlFlow::Continue(())
}
