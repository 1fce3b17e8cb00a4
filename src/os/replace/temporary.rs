//! Temporary files in the directory of a target.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::remove_on_signal::RemoveOnSignal;

/// A new file that is removed when the value is dropped or a signal ends the process.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    path: PathBuf,
    _doomed: RemoveOnSignal,
}

impl Temporary {
    /// Creates a file in a directory, with a mode that the umask restricts.
    pub fn new(directory: &Path, mode: u32) -> io::Result<Temporary> {
        let path = directory.join(name());
        // Registered before the file exists, so that no signal comes too early.
        let doomed = RemoveOnSignal::new(&path)?;
        let file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        Ok(Temporary { file, path, _doomed: doomed })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Renames the file to another path and keeps it.
    pub fn take_place(mut self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.path != Path::new("") {
            // An error cannot be handled here.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns a random file name; std seeds its hashers with random bits.
fn name() -> String {
    format!(".utf8-{:016x}.tmp", RandomState::new().build_hasher().finish())
}
