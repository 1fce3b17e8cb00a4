//! The program: run as a child, or in the process of a fuzz target.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::OnceLock;

use crate::common::bin::utf8;

/// A finished run.
#[derive(Debug)]
pub struct Finished {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs the program in a directory, with arguments and standard input.
pub type Runner = fn(&Path, &[OsString], &[u8]) -> Finished;

/// The runner of this process, if it is not [`as_child`].
pub static RUNNER: OnceLock<Runner> = OnceLock::new();

/// Runs the program. Checks that it ends by itself, with a documented status and messages that are
/// harmless to a terminal.
pub fn run(dir: &Path, words: &[OsString], stdin: &[u8]) -> Finished {
    let finished = RUNNER.get().unwrap_or(&(as_child as Runner))(dir, words, stdin);
    let said = String::from_utf8_lossy(&finished.stderr);
    assert!(matches!(finished.status, Some(0..=2)), "{words:?}: {:?}: {said}", finished.status);
    assert!(!said.contains("panicked"), "{words:?}: {said}");
    let is_harmful = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!said.contains(is_harmful), "{words:?}: {said:?}");
    finished
}

/// Runs the program with arguments that are text.
pub fn run_words(dir: &Path, words: &[&str], stdin: &[u8]) -> Finished {
    run(dir, &words.iter().map(OsString::from).collect::<Vec<_>>(), stdin)
}

fn as_child(dir: &Path, words: &[OsString], stdin: &[u8]) -> Finished {
    let words = words.iter().map(|word| word as &OsStr);
    let done = utf8().current_dir(dir).args(words).write_stdin(stdin).output().unwrap();
    assert_eq!(done.status.signal(), None);
    Finished { status: done.status.code(), stdout: done.stdout, stderr: done.stderr }
}
