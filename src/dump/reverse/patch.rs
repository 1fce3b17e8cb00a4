//! How do bytes get into a file at their offsets?

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::Pieces;
use crate::replace::Replacement;

/// The largest offset that a file can have.
const FARTHEST: u64 = i64::MAX as u64;

impl Pieces {
    /// Put the bytes into a regular file at their offsets, all or none. What is not theirs stays
    /// as it is; beyond its end the file grows, with zeros where there are no bytes. Says whether
    /// that changed anything; if not, the file was not touched.
    ///
    /// # Errors
    /// The file does not exist, is not regular or cannot be replaced, see [`Replacement`]; it
    /// cannot be read, or be written in full. Then it is left as it is.
    pub fn patch(&mut self, path: &Path) -> io::Result<bool> {
        // To open a FIFO would take as long as nobody writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("is no regular file (--patch changes files in place)"));
        }
        let replacement = Replacement::begin(path)?;
        if replacement.is_direct() {
            return Err(io::Error::other("cannot be replaced by this name (give the file's own)"));
        }
        let old = File::open(path)?;
        match self.patched(&old, &replacement)? {
            Some(new) => {
                drop(new);
                replacement.commit().map(|()| true)
            }
            None => Ok(false),
        }
    }

    /// What takes the place of the old file, if that is to change.
    fn patched(&mut self, old: &File, replacement: &Replacement) -> io::Result<Option<File>> {
        let (mut new, mut there) = (None, Vec::new());
        self.each(|offset, bytes| {
            if offset.saturating_add(bytes.len() as u64) > FARTHEST {
                return Err(io::Error::other("no file is so long (correct the offsets)"));
            }
            there.resize(bytes.len(), 0);
            if read_at(old, &mut there, offset)? == bytes {
                return Ok(());
            }
            let new = match &mut new {
                Some(new) => new,
                None => new.insert(copy(old, replacement)?),
            };
            new.write_all_at(bytes, offset)
        })?;
        Ok(new)
    }
}

/// A copy of the file, to be changed.
fn copy(mut old: &File, replacement: &Replacement) -> io::Result<File> {
    let mut new = replacement.file()?;
    io::copy(&mut old, &mut new)?;
    Ok(new)
}

/// The bytes that a file has at an offset; fewer at its end.
fn read_at<'a>(file: &File, bytes: &'a mut [u8], offset: u64) -> io::Result<&'a [u8]> {
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&bytes[..filled])
}
