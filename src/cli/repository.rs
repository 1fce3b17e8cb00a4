//! Repositories: their top directories, and the files of rules in them.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The name of a repository's own data, which holds no text of the project.
pub(super) const REPOSITORY: &str = ".git";

/// Returns `true` if a directory is the top of a repository.
pub(super) fn is_top(directory: &Path) -> bool {
    directory.join(REPOSITORY).symlink_metadata().is_ok()
}

/// Returns the top directory of the repository of a directory; the directory itself if it is in
/// none.
pub(super) fn top_of(directory: &Path) -> &Path {
    directory.ancestors().find(|path| is_top(path)).unwrap_or(directory)
}

/// Opens a file of rules, through links. Returns `None` if it is missing. Whether the file is
/// regular is still to be checked: opening does not wait for the writer of a FIFO.
///
/// # Errors
/// Those of opening.
pub(super) fn open_rules(path: &Path) -> io::Result<Option<File>> {
    match OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns `true` if an error says that there is no file of a path.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
