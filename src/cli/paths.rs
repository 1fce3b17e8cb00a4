//! Paths: their parts, and other forms of them.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{self, Path, PathBuf};

/// Splits a path into the path of a directory and a name in it.
pub(super) fn split(path: &Path) -> (&Path, &OsStr) {
    let bytes = path.as_os_str().as_bytes();
    // This is faster than the components of the path, of which a name in a directory has no more.
    let (parent, name) = match memchr::memrchr(b'/', bytes) {
        None => (&b"."[..], bytes),
        Some(slash) => (&bytes[..slash.max(1)], &bytes[slash + 1..]),
    };
    if !matches!(name, b"" | b"." | b"..") {
        return (Path::new(OsStr::from_bytes(parent)), OsStr::from_bytes(name));
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    (parent.unwrap_or(Path::new(".")), path.file_name().unwrap_or(OsStr::new("..")))
}

/// Returns the absolute path of a directory, without the symbolic links of the part that exists: the
/// directory of the name of a stream need not.
///
/// # Errors
/// The current directory has no path, or one that is too long; no part is accessible.
pub(super) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = path::absolute(path)?;
    let mut result = Err(io::ErrorKind::NotFound.into());
    for existing in path.ancestors() {
        result = existing.canonicalize();
        if let Ok(found) = &mut result {
            found.extend(path.strip_prefix(existing).into_iter().flatten());
            break;
        }
    }
    result
}

/// Returns a path from the current directory, if it is below.
pub(super) fn from_current_directory(path: &Path) -> PathBuf {
    let here = env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    below.unwrap_or_else(|| path.to_owned())
}

/// Returns a path without a leading `./`.
pub(super) fn without_dot_slash(path: &Path) -> PathBuf {
    // This is faster than the components of the path.
    let bytes = path.as_os_str().as_bytes();
    let below = bytes.strip_prefix(b"./").map(|below| {
        let start = below.iter().position(|byte| *byte != b'/');
        &below[start.unwrap_or(below.len())..]
    });
    let below = below.filter(|below| !below.is_empty());
    below.map_or(path, |below| Path::new(OsStr::from_bytes(below))).to_owned()
}

/// The number of characters of a pattern in a message.
const SHOWN: usize = 60;

/// Describes a pattern that cannot be compiled.
pub(super) fn too_large(pattern: &str) -> String {
    let start: String = pattern.chars().take(SHOWN).collect();
    let rest = if start.len() < pattern.len() { "..." } else { "" };
    format!(
        "'{start}{rest}', {} bytes, is too large a pattern (a matcher has 10 MiB, and 250 levels of \
         braces and brackets, at most)",
        pattern.len()
    )
}

/// Returns `true` if a pattern has nothing but its sign and slashes.
pub(super) fn is_empty_pattern(pattern: &str) -> bool {
    pattern.strip_prefix('!').unwrap_or(pattern).trim().trim_matches('/').is_empty()
}
