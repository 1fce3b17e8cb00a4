//! How do bytes get into a file at their offsets?

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::PlacedBytes;
use crate::os::replace::Replacement;

/// The largest offset that a file can have.
const FARTHEST: u64 = i64::MAX as u64;

impl PlacedBytes {
    /// Put the bytes into a regular file at their offsets, all or none. What is not theirs stays
    /// as it is; beyond its end the file grows, with zeros where there are no bytes. If that changes
    /// nothing, the file is not touched.
    ///
    /// # Errors
    /// The file does not exist, is not regular or cannot be replaced, see [`Replacement`]; it
    /// cannot be read, or be written in full. Then it is left as it is.
    pub fn patch(&mut self, path: &Path) -> io::Result<PatchSummary> {
        // To open a FIFO would take as long as nobody writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("is no regular file (--patch changes files in place)"));
        }
        if self.end() > FARTHEST {
            return Err(io::Error::other("no file is so long (correct the offsets)"));
        }
        let replacement = Replacement::begin(path)?;
        if replacement.is_direct() {
            return Err(io::Error::other("cannot be replaced by this name (give the file's own)"));
        }
        let old = File::open(path)?;
        let length = |file: &File| file.metadata().map(|metadata| metadata.len());
        let (mut patched, new) = self.patched(&old, &replacement)?;
        if let Some(new) = new {
            patched.grown = length(&new)?.saturating_sub(length(&old)?);
            drop(new);
            replacement.commit()?;
        }
        Ok(patched)
    }

    /// What takes the place of the old file, if that is to change.
    fn patched(
        &mut self,
        old: &File,
        replacement: &Replacement,
    ) -> io::Result<(PatchSummary, Option<File>)> {
        let (mut new, mut there, mut patched) = (None, Vec::new(), PatchSummary::default());
        self.each(|offset, bytes| {
            there.resize(bytes.len(), 0);
            let there = read_at(old, &mut there, offset)?;
            let same = bytes.iter().zip(there).filter(|(new, old)| new == old).count();
            if same == bytes.len() {
                return Ok(());
            }
            patched.changed += (there.len() - same) as u64;
            let new = match &mut new {
                Some(new) => new,
                None => new.insert(copy(old, replacement)?),
            };
            new.write_all_at(bytes, offset)
        })?;
        Ok((patched, new))
    }
}

/// What a patch did to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchSummary {
    /// How many bytes of the file have another value.
    pub changed: u64,
    /// How many bytes it is longer.
    pub grown: u64,
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
