//! Lines that a repair leaves out: `--rejects`.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::SpooledTempFile;

use super::RepairArgs;
use crate::cli::Status;
use crate::cli::inputs::{self, NamedInput, is_the_output, leave_out_file};
use crate::cli::output::{directory_of, is_same_file, is_same_place, is_standard_output};
use crate::cli::session::{Session, reason};
use crate::os::replace::Replacement;
use crate::output::Output;

/// The lines of a file in place that are held in memory; more move into a temporary file.
const IN_MEMORY: usize = 1 << 20;

/// Parses the value of `--rejects`.
pub(super) fn reject_path(text: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(text);
    match is_standard_output(&path) {
        true => Err("expected a file: standard output has the repaired text"),
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
    Appended(RejectSpool, Option<AppendedLines>),
}

/// The regular file that lines were appended to, and its length before.
type AppendedLines = (File, u64);

/// The rejected lines of a file in place.
#[derive(Clone)]
struct RejectSpool(Rc<RefCell<SpooledTempFile>>);

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
        let mut inputs = args.input.files.iter().chain(&args.input.files_from);
        if inputs.any(|input| is_same_place(input, path)) {
            anyhow::bail!("--rejects {name}: is an input, too (name another file)");
        }
        let trouble = |error: io::Error| anyhow::anyhow!("--rejects {name}: {}", reason(&error));
        let (place, to): (_, Box<dyn Write>) = match args.in_place.is_wanted() {
            true => {
                if let Ok(file) = path.metadata() {
                    leave_out_file(&file);
                }
                let spool = RejectSpool(Rc::new(RefCell::new(SpooledTempFile::new(IN_MEMORY))));
                (RejectPlace::Appended(spool.clone(), None), Box::new(spool))
            }
            false => {
                let replacement = Replacement::begin(path).map_err(trouble)?;
                let file = replacement.file().map_err(trouble)?;
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
            spool.0.borrow_mut().set_len(0)?;
            spool.0.borrow_mut().rewind()?;
        }
        Ok(())
    }

    /// Appends the lines of a file in place to the file, and writes them to the disk.
    ///
    /// # Errors
    /// Those of writing, with the name. The file is then what it was.
    pub fn append(&mut self) -> io::Result<()> {
        let RejectPlace::Appended(spool, appended) = &mut self.place else { return Ok(()) };
        let written = self.out.flush().map_err(|error| self.out.failure().unwrap_or(error));
        let mut spool = spool.0.borrow_mut();
        *appended = written.and_then(|()| append(&mut spool, self.path)).map_err(|error| {
            io::Error::other(format!("--rejects {}: {}", self.name, reason(&error)))
        })?;
        Ok(())
    }

    /// Takes back the lines of a file that was not replaced, so that another run does not append
    /// them twice.
    pub fn take_back(&mut self) {
        let RejectPlace::Appended(_, appended) = &mut self.place else { return };
        if let Some((file, len)) = appended.take() {
            // The lines are also in the file that was not replaced: nothing is lost in any case.
            let _ = file.set_len(len);
        }
    }

    /// Replaces the file if the run succeeded.
    pub fn commit(mut self, session: &Session) -> anyhow::Result<()> {
        let RejectPlace::Replaced(replacement) = self.place else { return Ok(()) };
        // A write may have failed before the last.
        let _ = self.out.flush();
        let written = match self.out.failure() {
            Some(error) => Err(error),
            None if session.status == Status::Good && !session.out.failed() => replacement.commit(),
            None => Err(io::Error::other("not written, because the run failed")),
        };
        written.map_err(|error| anyhow::anyhow!("--rejects {}: {}", self.name, reason(&error)))
    }
}

/// Appends the content of a spool to a file, unless it is empty.
fn append(spool: &mut SpooledTempFile, path: &Path) -> io::Result<Option<AppendedLines>> {
    let mut first = [0];
    spool.rewind()?;
    if spool.read(&mut first)? == 0 {
        return Ok(None);
    }
    spool.rewind()?;
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let before = file.metadata()?;
    let copied = io::copy(spool, &mut file).and_then(|_| match before.is_file() {
        true => file.sync_all(),
        false => Ok(()),
    });
    if copied.is_err() && before.is_file() {
        file.set_len(before.len())?;
    }
    copied?;
    // The file may be new: its name is written to the disk, too.
    if before.is_file() && before.len() == 0 {
        leave_out_file(&before);
        File::open(directory_of(path))?.sync_all()?;
    }
    Ok(before.is_file().then_some((file, before.len())))
}
