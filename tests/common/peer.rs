//! Other programs as references, where they are installed.

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::bin::skipped;

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
