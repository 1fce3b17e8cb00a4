//! Replaced files whose names are not yet on the disk.

use std::io;
use std::path::{Path, PathBuf};

use super::failed;
use crate::os::FileStamp;
use crate::os::directory::Directory;

/// The maximum number of directories, which are open, and of files.
const MOST: (usize, usize) = (64, 1 << 12);

/// Files that were replaced, but whose directories were not yet written to the disk. After a crash
/// of the system, such a file has its old or its new content. If the process ends before
/// [`sync`](UnsyncedFiles::sync), the system writes the directories some time later.
#[derive(Debug, Default)]
pub struct UnsyncedFiles {
    directories: Vec<UnsyncedDirectory>,
    files: usize,
}

#[derive(Debug)]
struct UnsyncedDirectory {
    directory: Directory,
    stamp: FileStamp,
    /// The paths of the replaced files, for messages.
    files: Vec<PathBuf>,
}

impl UnsyncedFiles {
    /// Adds a file that was replaced in a directory.
    pub(super) fn add(&mut self, directory: Directory, file: &Path) -> io::Result<()> {
        let stamp = directory.status(c".")?.stamp;
        let file = file.to_owned();
        self.files += 1;
        match self.directories.iter_mut().find(|known| known.stamp.is_same_file(&stamp)) {
            Some(known) => known.files.push(file),
            None => {
                self.directories.push(UnsyncedDirectory { directory, stamp, files: vec![file] });
            }
        }
        Ok(())
    }

    /// Returns `true` if the directories should be written before more files are added.
    pub fn is_full(&self) -> bool {
        self.directories.len() >= MOST.0 || self.files >= MOST.1
    }

    /// Writes each directory to the disk, once. Returns the files for which this failed.
    pub fn sync(&mut self) -> Vec<(PathBuf, io::Error)> {
        self.files = 0;
        let mut uncertain = Vec::new();
        for UnsyncedDirectory { directory, files, .. } in self.directories.drain(..) {
            if let Err(error) = directory.sync() {
                uncertain.extend(files.into_iter().map(|file| (file, uncertainty(&error))));
            }
        }
        uncertain
    }
}

/// Returns the error for a replaced file whose directory cannot be written to the disk.
pub(super) fn uncertainty(error: &io::Error) -> io::Error {
    failed("was replaced, but it is not certain that this survives a crash", error, "run sync")
}
