//! How does a command rewrite the files that it reads? Whole or not at all, and with a backup.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::InputArgs;
use super::backup::{self, Backup};
use super::inputs::NamedInput;
use super::session;
use crate::os::FileStamp;
use crate::os::replace::{self, Replacement};
use crate::output::Output;

#[derive(Args, Debug)]
pub(super) struct InPlaceArgs {
    /// Rewrite each file in place
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["text", "hex", "skip", "length", "output"])]
    in_place: bool,

    /// Keep the original of a file as NAME + SUFFIX
    ///
    /// If the backup exists, the file is left as it is, with exit status 2.
    #[arg(long, value_name = "SUFFIX", help_heading = "Output", value_parser = suffix, requires = "in_place")]
    backup: Option<OsString>,
}

impl InPlaceArgs {
    /// Whether files are rewritten.
    pub fn wanted(&self) -> bool {
        self.in_place
    }

    /// What a backup is called behind the name of the file.
    pub fn backup(&self) -> Option<&OsStr> {
        self.backup.as_deref()
    }

    /// See that there are files to rewrite.
    pub fn check(&self, input: &InputArgs) -> anyhow::Result<()> {
        if self.in_place && input.files.is_empty() && input.files_from.is_empty() {
            anyhow::bail!("--in-place: which files?");
        }
        Ok(())
    }
}

/// A suffix for the names of backups.
fn suffix(text: &str) -> Result<OsString, &'static str> {
    match text.is_empty() || text.contains('/') {
        true => Err("a backup needs a name of its own, in the same directory (as in .orig)"),
        false => Ok(text.into()),
    }
}

/// A file that is to be rewritten where it is.
pub(super) struct InPlaceTarget<'a> {
    path: &'a Path,
    /// What it was before it was read.
    stamp: FileStamp,
}

impl<'a> InPlaceTarget<'a> {
    /// The file that an input is, if that is one that can be replaced by another.
    pub fn of(input: NamedInput<'a>) -> io::Result<InPlaceTarget<'a>> {
        let NamedInput::File(path, _) = input else {
            return Err(io::Error::other("cannot be rewritten in place (name a file)"));
        };
        let found = fs::metadata(path)?;
        match Replacement::is_possible(path)? {
            true => Ok(InPlaceTarget { path, stamp: FileStamp::of(&found) }),
            false if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            false => Err(not_regular()),
        }
    }

    /// See that nothing speaks against rewriting it, as far as that can be known without trying.
    pub fn vet(&self) -> io::Result<()> {
        Replacement::vet(self.path)
    }

    /// Whether it is what it was before it was read.
    fn is_as_it_was(&self) -> io::Result<bool> {
        Ok(FileStamp::of(&fs::metadata(self.path)?) == self.stamp)
    }

    /// Let it hold what `work` writes, if that says so, once all of it is written, and if it is
    /// what it was when this was made. What it held is kept under its name with a suffix, if there
    /// is one. Returns what `work` came to.
    pub fn rewrite<T>(
        &self,
        suffix: Option<&OsStr>,
        work: impl FnOnce(&mut Output) -> io::Result<(bool, T)>,
    ) -> io::Result<T> {
        let name = suffix.map(|suffix| backup::name(self.path, suffix));
        if let Some(name) = &name {
            // Not only when all is written.
            backup::vet(name)?;
        }
        let replacement = self.begin()?;
        let mut out = session::out(replacement.file()?, "");
        let done = work(&mut out).and_then(|done| out.flush().map(|()| done));
        if let Some(failure) = out.failure() {
            return Err(failure);
        }
        let (good, done) = done?;
        if good {
            self.commit(replacement, name)?;
        }
        Ok(done)
    }

    /// Start to replace it.
    fn begin(&self) -> io::Result<Replacement> {
        if !Replacement::is_possible(self.path)? {
            return Err(not_regular());
        }
        let replacement = Replacement::begin(self.path)?;
        match self.is_as_it_was()? {
            _ if replacement.is_direct() => Err(not_regular()),
            false => Err(replace::changed()),
            true => Ok(replacement),
        }
    }

    /// Replace it, and let its backup stay only then.
    fn commit(&self, replacement: Replacement, backup: Option<PathBuf>) -> io::Result<()> {
        let backup = backup.map(|name| Backup::make(self.path, name)).transpose()?;
        let committed = replacement.commit();
        // One error comes when it is replaced already, and then it may be lost but for its backup.
        let replaced = committed.is_ok() || !self.is_as_it_was().unwrap_or(false);
        if let Some(backup) = backup.filter(|_| replaced) {
            backup.stay();
        }
        committed
    }

    /// What `work` comes to, if the file holds all that it writes already, or if it says that it
    /// has failed. It is stopped where it writes something else.
    pub fn unchanged<T>(
        &self,
        work: impl FnOnce(&mut Output) -> io::Result<(bool, T)>,
    ) -> io::Result<Option<T>> {
        let mut old = File::open(self.path)?;
        let mut out =
            Output::new(Box::new(UnchangedPrefix { old: old.try_clone()?, held: Vec::new() }), "");
        match work(&mut out) {
            Ok((false, done)) => Ok(Some(done)),
            // Both descriptors are at the same place.
            Ok((true, done)) if out.flush().is_ok() && old.read(&mut [0])? == 0 => Ok(Some(done)),
            Err(error) if !out.failed() => Err(error),
            _ => Ok(None),
        }
    }
}

fn not_regular() -> io::Error {
    io::Error::other(
        "is no regular file, and can only be written to at once (leave out --in-place)",
    )
}

/// Takes what a file holds, and nothing else.
struct UnchangedPrefix {
    old: File,
    held: Vec<u8>,
}

impl Write for UnchangedPrefix {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.resize(bytes.len(), 0);
        self.old.read_exact(&mut self.held)?;
        match self.held == bytes {
            true => Ok(bytes.len()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
