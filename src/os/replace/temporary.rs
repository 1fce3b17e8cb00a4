//! How is a file written that must not stay? Under a name of its own, which goes with it.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::remove_on_signal::RemoveOnSignal;

/// A new file, removed when it is dropped and when a signal ends the process.
#[derive(Debug)]
pub(super) struct Temporary {
    file: File,
    path: PathBuf,
    _doomed: RemoveOnSignal,
}

impl Temporary {
    /// A file in this directory, with this mode but for the umask.
    pub fn new(directory: &Path, mode: u32) -> io::Result<Temporary> {
        let path = directory.join(name());
        // Before there is a file: no signal comes too early.
        let doomed = RemoveOnSignal::new(&path)?;
        let file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        Ok(Temporary { file, path, _doomed: doomed })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Stay, under another name, in place of what had it.
    pub fn take_place(mut self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.path != Path::new("") {
            // Nothing more can be done about it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A name that nothing else has: std seeds its hashers with random bits.
fn name() -> String {
    format!(".utf8-{:016x}.tmp", RandomState::new().build_hasher().finish())
}
