//! Patches of files by dumps.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::PlacedBytes;
use super::radix::either_radix;
use crate::os::replace::{OpenTarget, Replacement};
use crate::os::{blocking, fill_at};

/// The largest offset in a file.
const FARTHEST: u64 = i64::MAX as u64;

impl PlacedBytes {
    /// Checks that the bytes can be written into a file at their offsets.
    ///
    /// # Errors
    /// The dump has no offsets, or some that may be decimal or hexadecimal, or one that is too large for a
    /// file.
    pub fn check_patch(&self) -> io::Result<()> {
        if self.is_bare() {
            return Err(io::Error::other("a patch needs a dump with offsets"));
        }
        // Gaps are common in a patch.
        if let Some(line) = self.either_radix_line() {
            return Err(either_radix(line));
        }
        if self.end() > FARTHEST {
            return Err(io::Error::other(
                "an offset is too large for a file (correct the offsets)",
            ));
        }
        Ok(())
    }

    /// Writes the bytes into a regular file at their offsets, all or none. Other bytes of the file
    /// stay. The file grows if necessary, with zeros in gaps. It is not touched if nothing changes.
    ///
    /// # Errors
    /// Those of [`check_patch`](PlacedBytes::check_patch). The file does not exist, is not regular or
    /// cannot be replaced (see [`Replacement`]); it cannot be read, or the new content cannot be written.
    /// The file then stays as it was.
    pub fn patch(&mut self, path: &Path) -> io::Result<PatchSummary> {
        self.check_patch()?;
        let target = OpenTarget::open(path)?;
        let old = target.file()?;
        target.check()?;
        let mut new = None;
        let patched = self.write_patched(old, &target, &mut new);
        match (new, patched) {
            (Some(replacement), Ok(patched)) => replacement.commit().map(|()| patched),
            (Some(replacement), Err(error)) => Err(replacement.discard_after(error)),
            (None, patched) => patched,
        }
    }

    /// Writes the new content, and begins the replacement if anything changes.
    fn write_patched(
        &mut self,
        old: &File,
        target: &OpenTarget,
        replacement: &mut Option<Replacement>,
    ) -> io::Result<PatchSummary> {
        let (mut new, mut there, mut patched) = (None, Vec::new(), PatchSummary::default());
        self.each(|offset, bytes| {
            there.resize(bytes.len(), 0);
            let filled = fill_at(old, &mut there, offset)?;
            let there = &there[..filled];
            let same = bytes.iter().zip(there).filter(|(new, old)| new == old).count();
            if same == bytes.len() {
                return Ok(());
            }
            patched.changed += (there.len() - same) as u64;
            let new = match &mut new {
                Some(new) => new,
                None => new.insert(copy(old, replacement.insert(target.replace()?))?),
            };
            new.write_all_at(bytes, offset)
        })?;
        if let Some(new) = new {
            let length = |file: &File| file.metadata().map(|metadata| metadata.len());
            patched.grown = length(&new)?.saturating_sub(length(old)?);
        }
        Ok(patched)
    }
}

/// The effect of a patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchSummary {
    /// The number of bytes of the file that have another value.
    pub changed: u64,
    /// The number of bytes that the file is longer.
    pub grown: u64,
}

/// Copies a file into its replacement. Returns the new file.
fn copy(old: &File, replacement: &Replacement) -> io::Result<File> {
    let new = replacement.file()?;
    blocking::copy(old, &new, u64::MAX)?;
    Ok(new)
}
