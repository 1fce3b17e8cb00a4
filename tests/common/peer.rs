//! What do other programs say, where there are any?

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::bin::skipped;

/// What a program makes of some input. If it cannot do as much for none, that is said aloud, and
/// `None`.
///
/// # Panics
/// If it fails on this input.
pub fn peer(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    static RUNS: Mutex<BTreeMap<String, bool>> = Mutex::new(BTreeMap::new());
    let command = format!("{program} {args:?}");
    let known = RUNS.lock().unwrap().get(&command).copied();
    let can_run = known.unwrap_or_else(|| {
        let can_run = run(program, args, b"").is_some();
        if !can_run {
            skipped(&format!("{program} {}", args.last().unwrap_or(&"")), "there is none");
        }
        RUNS.lock().unwrap().insert(command.clone(), can_run);
        can_run
    });
    can_run.then(|| run(program, args, input).unwrap_or_else(|| panic!("{command} fails")))
}

/// Its standard output, if all went well.
fn run(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    // From a file: a pipe might fill up while nobody reads the other.
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input).unwrap();
    file.rewind().unwrap();
    let out = Command::new(program).args(args).stdin(file).stderr(Stdio::null()).output().ok()?;
    out.status.success().then_some(out.stdout)
}

/// What python3 makes of it, with this program.
pub fn python(program: &str, input: &[u8]) -> Option<String> {
    let out = peer("python3", &["-c", program], input)?;
    Some(String::from_utf8(out).unwrap())
}
