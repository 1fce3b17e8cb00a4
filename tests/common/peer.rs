//! Other programs as references, where they are installed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{Seek, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::bin::{Dir, skipped};

/// Returns the output of a program. Reports a skip and returns `None` if the program fails on empty
/// input.
///
/// # Panics
/// If it fails on this input.
pub fn peer(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    static CAN_RUN: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let command = format!("{program} {args:?}");
    let attempt = || {
        let out = run(program, args, b"");
        if out.is_none() {
            skipped(&format!("{program} {}", args.last().unwrap_or(&"")), "there is none");
        }
        out
    };
    if input.is_empty() {
        return attempt();
    }
    let known = CAN_RUN.lock().unwrap().get(&command).copied();
    let can_run = known.unwrap_or_else(|| attempt().is_some());
    CAN_RUN.lock().unwrap().insert(command.clone(), can_run);
    can_run.then(|| run(program, args, input).unwrap_or_else(|| panic!("{command} fails")))
}

/// Returns standard output, unless the program fails.
fn run(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    // A file: a pipe could fill up while the output is not read.
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input).unwrap();
    file.rewind().unwrap();
    let out = Command::new(program).args(args).stdin(file).stderr(Stdio::null()).output().ok()?;
    out.status.success().then_some(out.stdout)
}

/// Runs a Python program.
pub fn python(program: &str, input: &[u8]) -> Option<String> {
    let out = peer("python3", &["-c", program], input)?;
    Some(String::from_utf8(out).unwrap())
}

/// Returns the content of a file after `patch` has applied a diff, and its exit status; `None`
/// without `patch`.
pub fn patched(dir: &Dir, name: &[u8], diff: &[u8]) -> Option<(Vec<u8>, Option<i32>)> {
    let mut patch = Command::new("patch");
    patch.current_dir(dir.path(".")).args(["-p0", "-s"]).stdin(Stdio::piped());
    let Ok(mut child) = patch.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        skipped("application of a diff", "patch is not installed");
        return None;
    };
    child.stdin.take().unwrap().write_all(diff).unwrap();
    let status = child.wait().unwrap();
    // patch removes a file that it has emptied.
    let path = dir.path(OsStr::from_bytes(name));
    Some((fs::read(path).unwrap_or_default(), status.code()))
}
