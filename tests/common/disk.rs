//! A small disk that is soon full.

use std::process::Command;

use super::bin::{Dir, skipped};

/// A small file system in memory, mounted until it is dropped.
pub struct Small(pub Dir);

/// Mounts a file system with options. Reports a skip if the user may not.
pub fn small(case: &str, options: &str) -> Option<Small> {
    let dir = Dir::new();
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(dir.path("."));
    let why = match mount.output() {
        Ok(done) if done.status.success() => return Some(Small(dir)),
        Ok(done) => String::from_utf8_lossy(&done.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    skipped(case, &why);
    None
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path(".")).status();
    }
}
