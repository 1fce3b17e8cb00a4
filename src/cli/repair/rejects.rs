//! Lines that a repair leaves out: `--rejects`.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::RepairArgs;
use crate::cli::inputs::{self, NamedInput, has_the_messages, is_the_output, leave_out_file};
use crate::cli::output::{directory_of, is_same_file, is_same_place, is_standard_output};
use crate::cli::session::{Session, reason};
use crate::cli::{Status, safe};
use crate::detect::{CONTENT_START, ContentKind, content_kind};
use crate::finding::line_terminator::LineTerminator;
use crate::os::calls;
use crate::os::directory::Directory;
use crate::os::fill_at;
use crate::os::replace::{AppendedEnd, OpenTarget, Replacement};
use crate::output::Output;
use crate::registry::Encoding;
use crate::spool::Spool;
use line_writes::copy_lines;
use locked_file::{open_locked, replaced_meanwhile};

mod line_writes;
mod locked_file;

/// Parses the value of `--rejects`.
pub(super) fn reject_path(text: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(text);
    match is_standard_output(&path) {
        true => Err("expected a file, not standard output"),
        false => Ok(path),
    }
}

/// The file of `--rejects`.
pub(super) struct RejectFile<'a> {
    path: &'a Path,
    /// The name for messages.
    name: String,
    /// The output for rejected lines.
    pub out: Output,
    place: RejectPlace,
}

enum RejectPlace {
    /// The file is replaced when the run succeeds.
    Replaced(Replacement),
    /// Lines are appended before each file in place is replaced. Until then they are here.
    Appended(RejectSpool, AppendState),
}

/// The state of a file that lines are appended to.
#[derive(Default)]
struct AppendState {
    /// The file, if it is a FIFO or a device: a reader would take its closing for the end.
    stream: Option<File>,
    /// The encoding of the lines.
    text: Option<&'static Encoding>,
}

/// The encoding of rejected lines.
#[derive(Clone, Copy)]
pub(super) struct RejectedText {
    /// The encoding in which the file is read.
    pub named: &'static Encoding,
    /// The same, or the one that a BOM at the start of the file announces.
    pub text: &'static Encoding,
}

impl RejectedText {
    /// Returns the bytes to write before the lines: a BOM if a new file would be read in another byte
    /// order without it; a line terminator if the last line lacks one.
    ///
    /// # Errors
    /// Those of reading.
    fn prefix(self, path: &Path, len: u64, terminator: &[u8]) -> io::Result<Vec<u8>> {
        if len == 0 {
            let signature = self.text.inner.signature;
            let is_read = self.named.read_as(&[]).inner.signature == signature;
            return Ok(if is_read { Vec::new() } else { signature.to_vec() });
        }
        let mut end = vec![0; terminator.len()];
        let start = len.saturating_sub(terminator.len() as u64);
        fill_at(&calls::open_nonblocking(path)?, &mut end, start)?;
        Ok(if end == terminator { Vec::new() } else { terminator.to_vec() })
    }

    /// Checks that the lines can follow those of a file, if it has any.
    ///
    /// # Errors
    /// Those of reading; the lines of the file are in an encoding with other code units.
    fn check_file(self, path: &Path) -> io::Result<()> {
        let mut start = vec![0; CONTENT_START];
        let read = fill_at(&calls::open_nonblocking(path)?, &mut start, 0)?;
        if read == 0 { Ok(()) } else { self.check_kept(&start[..read]) }
    }

    /// Checks that the lines can follow those of a file that starts with these bytes.
    ///
    /// # Errors
    /// They are in an encoding with other code units.
    fn check_kept(self, start: &[u8]) -> io::Result<()> {
        // U+000A has a NUL in UTF-16 and UTF-32. Lines of bytes may start as a BOM does.
        let (has_nul, is_wide) = (start.contains(&0), !self.named.has_byte_units());
        let kept = match content_kind(start) {
            ContentKind::CodeUnits(units) if is_wide || has_nul && is_lines_of(units, start) => {
                units
            }
            _ if is_wide && !has_nul => {
                return Err(other_encoding(self.text, "an 8-bit encoding"));
            }
            _ => self.named,
        };
        let kept = kept.read_as(start);
        match kept.inner.signature == self.text.inner.signature {
            true => Ok(()),
            false => Err(other_encoding(self.text, kept.name)),
        }
    }
}

/// Returns `true` if these bytes at the start of a file have a line feed in these code units, or no byte that
/// is one.
fn is_lines_of(units: &'static Encoding, start: &[u8]) -> bool {
    let terminator = LineTerminator::of(units.read_as(start));
    terminator.find(start).is_some() || !start.contains(&b'\n')
}

/// Returns the error for lines in another encoding than those of the file.
fn other_encoding(text: &Encoding, kept: &str) -> io::Error {
    let text = text.name;
    io::Error::other(format!("has lines in {kept}, not in {text} (name another file for them)"))
}

/// The rejected lines of a file in place.
#[derive(Clone, Default)]
struct RejectSpool(Rc<RefCell<Spool>>);

impl Write for RejectSpool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> RejectFile<'a> {
    /// Opens the file that is named, if there is one.
    ///
    /// # Errors
    /// It is the output, or cannot be created.
    pub fn open(args: &'a RepairArgs, session: &Session) -> anyhow::Result<Option<RejectFile<'a>>> {
        let Some(path) = args.rejects.as_deref() else { return Ok(None) };
        let name = session.name(path.as_os_str());
        let name = String::from_utf8_lossy(name.shown()).into_owned();
        let is_output = args.output.path().is_some_and(|output| is_same_place(output, path))
            || path.metadata().is_ok_and(|file| is_the_output(&file));
        if is_output {
            anyhow::bail!("--rejects {name}: is the output, too (name another file)");
        }
        if path.metadata().is_ok_and(|file| has_the_messages(&file)) {
            anyhow::bail!("--rejects {name}: has the messages, too (name another file)");
        }
        let mut inputs = args.input.files.iter().chain(&args.input.files_from);
        if inputs.any(|input| is_same_place(input, path)) {
            anyhow::bail!("--rejects {name}: is an input, too (name another file)");
        }
        // A backup may get the name of a symbolic link, and that of its target.
        let target = OpenTarget::open(path).ok();
        let mut names = path.file_name().into_iter().chain(target.as_ref().map(OpenTarget::name));
        if let Some(suffix) = names.find_map(|name| args.in_place.suffix_of_backup(name)) {
            let suffix = safe(suffix);
            anyhow::bail!(
                "--rejects {name}: has the suffix of backups, {suffix} (name another file)"
            );
        }
        let trouble = |error: io::Error| anyhow::anyhow!("--rejects {name}: {}", reason(&error));
        let (place, to): (_, Box<dyn Write>) = match args.in_place.is_wanted() {
            true => {
                if let Ok(file) = path.metadata() {
                    leave_out_file(&file, inputs::IS_OUTPUT);
                }
                let spool = RejectSpool::default();
                (RejectPlace::Appended(spool.clone(), AppendState::default()), Box::new(spool))
            }
            false => {
                let (replacement, file) = Replacement::begin_file(path).map_err(trouble)?;
                (RejectPlace::Replaced(replacement), Box::new(file))
            }
        };
        let out = Output::new(to, &name);
        Ok(Some(RejectFile { path, name, out, place }))
    }

    /// Prepares for the lines of an input.
    ///
    /// # Errors
    /// The input is the file of rejected lines.
    pub fn begin(&mut self, input: NamedInput<'_>) -> io::Result<()> {
        let metadata = match input {
            NamedInput::Text(_) => None,
            NamedInput::Stdin(_) => inputs::stdin().and_then(|file| file.metadata()).ok(),
            NamedInput::File(path, _) => path.metadata().ok(),
            NamedInput::Opened(_, file) => file.metadata().ok(),
            NamedInput::InTree(found) => found.file.metadata().ok(),
        };
        let rejects = self.path.metadata().ok();
        if metadata.zip(rejects).is_some_and(|(input, rejects)| is_same_file(&input, &rejects)) {
            return Err(io::Error::other("is the file of --rejects, too (name another file)"));
        }
        if let RejectPlace::Appended(spool, _) = &self.place {
            self.out.buffer().clear();
            let _ = self.out.failure();
            spool.0.borrow_mut().clear();
        }
        Ok(())
    }

    /// Appends the lines of a file in place to the file, and writes them to the disk. Returns the end that was
    /// appended, which is cut off unless their file is replaced. `None` if there is none, or the file is a
    /// FIFO or a device. Calls `on_wait` with a message before a long wait for another program.
    ///
    /// # Errors
    /// Those of writing, with the name. The file is then what it was.
    pub fn append(
        &mut self,
        text: RejectedText,
        on_wait: &mut dyn FnMut(&str),
    ) -> io::Result<Option<AppendedEnd>> {
        let RejectPlace::Appended(spool, state) = &mut self.place else { return Ok(None) };
        let written = self.out.flush().map_err(|error| self.out.failure().unwrap_or(error));
        let mut spool = spool.0.borrow_mut();
        let appended = written.and_then(|()| inputs::check_unprotected(self.path)).and_then(|()| {
            let mut on_lock = || {
                on_wait(&format!("waiting for --rejects {}, locked by another program", self.name));
            };
            state.append(&mut spool, self.path, text, &mut on_lock)
        });
        drop(spool);
        appended.map_err(|error| self.error(&error))
    }

    /// Returns an error of writing with the name.
    fn error(&self, error: &io::Error) -> io::Error {
        io::Error::other(format!("--rejects {}: {}", self.name, reason(error)))
    }

    /// Takes the error of a line that could not be kept until its file is replaced, if there is one.
    pub fn failure(&mut self) -> Option<io::Error> {
        let error = self.out.failure()?;
        Some(self.error(&error))
    }

    /// Returns `true` if a line could not be written, which [`commit`](Self::commit) reports.
    pub fn failed(&self) -> bool {
        matches!(self.place, RejectPlace::Replaced(_)) && self.out.failed()
    }

    /// Replaces the file if the run succeeded.
    pub fn commit(mut self, session: &Session) -> anyhow::Result<()> {
        let RejectPlace::Replaced(replacement) = self.place else { return Ok(()) };
        // A write may have failed before the last.
        let _ = self.out.flush();
        let written = match self.out.failure() {
            Some(error) => Err(error),
            None if session.out.failed() => {
                let output = session.out.name();
                Err(io::Error::other(format!("not written, because {output} was closed or failed")))
            }
            None if session.status == Status::Good => inputs::check_unprotected(self.path),
            None => Err(io::Error::other("not written, because the run failed")),
        };
        let replaced = replacement.commit_after(written);
        replaced.map_err(|error| anyhow::anyhow!("--rejects {}: {}", self.name, reason(&error)))
    }
}

impl AppendState {
    /// Appends the content of a spool to a file, unless it is empty.
    ///
    /// # Errors
    /// Those of reading and writing; the file has lines in another encoding.
    fn append(
        &mut self,
        spool: &mut Spool,
        path: &Path,
        text: RejectedText,
        on_wait: &mut dyn FnMut(),
    ) -> io::Result<Option<AppendedEnd>> {
        if spool.is_empty() {
            return Ok(None);
        }
        if let Some(kept) = self.text.filter(|kept| kept.name != text.text.name) {
            return Err(other_encoding(text.text, kept.name));
        }
        let mut file = match self.stream.take() {
            Some(stream) => stream,
            None => open_locked(path, on_wait)?,
        };
        let terminator = LineTerminator::of(text.text);
        let appended = if file.metadata()?.is_file() {
            // Later, the file starts with lines that this run has checked or written.
            if self.text.is_none() {
                text.check_file(path)?;
            }
            Some(append_lines(file, spool, path, text, &terminator)?)
        } else {
            // Nothing is taken back from a FIFO or a device, and it stays open until the run ends.
            spool.read(|lines| copy_lines(lines, &mut file, &terminator))?;
            self.stream = Some(file);
            None
        };
        self.text = Some(text.text);
        Ok(appended)
    }
}

/// Appends the content of a spool to a regular file, by its path, and writes it to the disk.
///
/// # Errors
/// Those of reading and writing; the file was replaced. It is then unchanged.
fn append_lines(
    file: File,
    spool: &mut Spool,
    path: &Path,
    text: RejectedText,
    terminator: &LineTerminator,
) -> io::Result<AppendedEnd> {
    let before = file.metadata()?;
    let len = before.len();
    let prefix = text.prefix(path, len, terminator.as_bytes())?;
    let appended = AppendedEnd::begin(file, len);
    let copied = spool
        .read(|lines| copy_lines(&mut prefix.as_slice().chain(lines), &mut &appended, terminator));
    let written = copied.and_then(|()| appended.file().sync_all()).and_then(|()| {
        if !path.metadata().is_ok_and(|found| is_same_file(&found, &before)) {
            return Err(replaced_meanwhile());
        }
        match len {
            // The file may be new: its name is written to the disk, too.
            0 => Directory::at(directory_of(path))?.sync(),
            _ => Ok(()),
        }
    });
    if let Err(error) = written {
        return Err(appended.discard_after(error));
    }
    if len == 0 {
        leave_out_file(&before, inputs::IS_OUTPUT);
    }
    Ok(appended)
}
