//! Repositories: their top directories, and the files of rules in them.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::inputs;
use super::paths::absolute;
use crate::os::calls;
use crate::os::directory::Directory;

/// The name of a repository's own data, which holds no text of the project.
pub(super) const REPOSITORY: &str = ".git";
pub(super) const REPOSITORY_NAME: &CStr = c".git";

/// Returns `true` if a directory is the top of a repository.
pub(super) fn is_top(directory: &Path) -> bool {
    directory.join(REPOSITORY).symlink_metadata().is_ok()
}

/// Returns `true` if a directory is the top of a repository in another one, such as a submodule.
pub(super) fn is_nested(directory: &Path) -> bool {
    let is_top = Directory::at(directory).is_ok_and(|open| is_repository(&open));
    is_top && absolute(directory).is_ok_and(|path| path.parent().and_then(top_of).is_some())
}

/// The largest `.git` file, which names the directory of a repository, in bytes.
const LONGEST_LINK: u64 = 4 << 10;

/// Returns `true` if a directory is the top of a repository: its `.git`, or the directory that its
/// `.git` names, has a HEAD. An empty `.git` hides nothing.
pub(super) fn is_repository(directory: &Directory) -> bool {
    let has_head = |own: &[u8]| {
        let head = CString::new([own, b"/HEAD"].concat());
        head.is_ok_and(|head| directory.status(&head).is_ok())
    };
    let named = || {
        let file = directory.open_file_following(REPOSITORY_NAME).ok()?;
        let text = read_rules(file, LONGEST_LINK).ok()?;
        text.trim_ascii_end().strip_prefix(b"gitdir: ").map(<[u8]>::to_vec)
    };
    has_head(REPOSITORY_NAME.to_bytes()) || named().is_some_and(|own| has_head(&own))
}

/// Returns the top directory of the repository of a directory, by its absolute path, if it is in
/// one.
pub(super) fn top_of(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|path| is_top(path))
}

/// Opens a file of rules, through links. Returns `None` if it is missing. Whether the file is
/// regular is still to be checked: opening does not wait for the writer of a FIFO.
///
/// # Errors
/// Those of opening.
pub(super) fn open_rules(path: &Path) -> io::Result<Option<File>> {
    match calls::open_nonblocking(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a file of rules that is open, of at most this number of bytes.
///
/// # Errors
/// It is no regular file, so that reading might not end, or is larger; those of reading.
pub(super) fn read_rules(file: File, most: u64) -> io::Result<Vec<u8>> {
    let metadata = file.metadata()?;
    let is_regular = metadata.is_file();
    let mut text = Vec::new();
    if is_regular {
        inputs::protect(&metadata, "settings");
        file.take(most + 1).read_to_end(&mut text)?;
    }
    match describe_unfit(is_regular, text.len() as u64, most) {
        Some(unfit) => Err(io::Error::other(unfit)),
        None => Ok(text),
    }
}

/// Describes why a file of rules is not read, by its kind and size.
pub(super) fn describe_unfit(is_regular: bool, size: u64, most: u64) -> Option<String> {
    match is_regular {
        false => Some("is no regular file".to_owned()),
        true if size <= most => None,
        true if most < 1 << 20 => Some(format!("is larger than {} KiB", most >> 10)),
        true => Some(format!("is larger than {} MiB", most >> 20)),
    }
}

/// Returns `true` if an error says that there is no file of a path.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns `true` if an error of opening says that there is no file of a name, or a link, which is not
/// followed.
pub(super) fn is_missing_or_link(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(libc::ELOOP)
}
