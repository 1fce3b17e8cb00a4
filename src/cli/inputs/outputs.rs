//! The files that a run writes, which are no inputs, and those that it must not write.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::os::stamp::FileId;

/// Returns a file that is to be read, unless this run writes to it: the input would never end.
///
/// # Errors
/// This run writes to the file, which is not empty.
pub(super) fn refuse_output(file: File) -> io::Result<File> {
    let metadata = file.metadata()?;
    let Some(refusal) = refusal(&metadata).filter(|_| metadata.len() > 0) else {
        return Ok(file);
    };
    let mut refused = REFUSED.write().unwrap_or_else(PoisonError::into_inner);
    refused.extend(identity(&metadata));
    Err(io::Error::other(refusal))
}

/// The reason not to read the output.
pub(in crate::cli) const IS_OUTPUT: &str = "is the output, too (write to another file)";

/// The regular files that this run writes, with the reasons not to read them.
static OUTPUTS: LazyLock<RwLock<Vec<(FileId, &str)>>> = LazyLock::new(|| {
    let stdout = stream_identity(io::stdout());
    RwLock::new(stdout.map(|file| (file, IS_OUTPUT)).into_iter().collect())
});

/// Returns the identity of the regular file that a stream writes to.
fn stream_identity(stream: impl AsFd) -> Option<FileId> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    identity(&file.metadata().ok()?)
}

/// Returns `true` if a file is regular and standard error writes to it.
pub(in crate::cli) fn has_the_messages(file: &Metadata) -> bool {
    identity(file).is_some_and(|file| stream_identity(io::stderr()) == Some(file))
}

/// Returns the identity of a regular file.
fn identity(file: &Metadata) -> Option<FileId> {
    file.is_file().then(|| FileId::of(file))
}

/// Leaves the file of a report out of the inputs: its new content, and the file at its path.
pub(in crate::cli) fn leave_out(path: &Path, new: &File) {
    let files = [new.metadata(), path.metadata()].into_iter().flatten();
    files.for_each(|file| leave_out_file(&file, IS_OUTPUT));
}

/// Excludes a regular file, which this run writes, from the inputs. `refusal` is the error for it as a
/// named input.
pub(in crate::cli) fn leave_out_file(file: &Metadata, refusal: &'static str) {
    let mut outputs = OUTPUTS.write().unwrap_or_else(PoisonError::into_inner);
    outputs.extend(identity(file).map(|file| (file, refusal)));
}

/// The files of [`OUTPUTS`] that were named as inputs, too.
static REFUSED: RwLock<Vec<FileId>> = RwLock::new(Vec::new());

/// Returns `true` if the file at the path of a report was named as an input, too.
pub(in crate::cli) fn was_refused(path: &Path) -> bool {
    let refused = REFUSED.read().unwrap_or_else(PoisonError::into_inner);
    !refused.is_empty() && path.metadata().is_ok_and(|found| refused.contains(&FileId::of(&found)))
}

/// The files that this run reads beside its inputs, and their purposes.
static PROTECTED: RwLock<BTreeMap<FileId, &str>> = RwLock::new(BTreeMap::new());

/// Protects a file that is read for a purpose from being replaced by a report or the output.
pub(in crate::cli) fn protect(file: &Metadata, purpose: &'static str) {
    let mut protected = PROTECTED.write().unwrap_or_else(PoisonError::into_inner);
    protected.extend(identity(file).map(|file| (file, purpose)));
}

/// Checks that the file at a path, if there is one, may be replaced.
///
/// # Errors
/// It was [protected](protect).
pub(in crate::cli) fn check_unprotected(path: &Path) -> io::Result<()> {
    let Ok(found) = path.metadata() else { return Ok(()) };
    let protected = PROTECTED.read().unwrap_or_else(PoisonError::into_inner);
    match protected.get(&FileId::of(&found)) {
        Some(purpose) => Err(io::Error::other(format!(
            "not written: this run reads it as {purpose} (write to another file)"
        ))),
        None => Ok(()),
    }
}

/// Returns `true` if a file is regular and this run writes to it.
pub(in crate::cli) fn is_the_output(file: &Metadata) -> bool {
    refusal(file).is_some()
}

/// Returns the reason not to read a file if it is regular and this run writes to it.
fn refusal(file: &Metadata) -> Option<&'static str> {
    let outputs = OUTPUTS.read().unwrap_or_else(PoisonError::into_inner);
    if outputs.is_empty() {
        return None;
    }
    let file = identity(file)?;
    outputs.iter().find(|(output, _)| *output == file).map(|(_, refusal)| *refusal)
}
