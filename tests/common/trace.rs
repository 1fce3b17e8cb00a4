//! System calls of a program under strace, and injected faults.

use std::panic::resume_unwind;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use super::bin::{Dir, emulated, skipped};
use super::replace::text;

/// Returns a shell command prefix that runs a program under strace and logs its calls. Reports a
/// skip if strace cannot trace.
pub fn tracer(case: &str, options: &str, log: &Dir) -> Option<String> {
    let tracer = format!("strace -f -y -o '{}'", log.path("log").display());
    let attempt = Command::new("sh").args(["-c", &format!("{tracer} true")]).output();
    if emulated() || !attempt.is_ok_and(|done| done.status.success()) {
        skipped(case, "strace is missing or may not trace");
        return None;
    }
    Some(format!("{tracer} {options}"))
}

/// A system call.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// Its number among the calls of this name, from 1.
    pub number: usize,
    /// The call with its arguments and result; descriptors are followed by their paths.
    pub text: String,
}

/// Returns the calls in a log, in order.
pub fn calls(log: &Dir) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for line in text(log.path("log")).lines() {
        let Some((name, _)) = line.split_once('(') else { continue };
        let Some(name) = name.split(' ').next_back().filter(|_| !line.contains("---")) else {
            continue;
        };
        let number = 1 + calls.iter().filter(|call| call.name == name).count();
        calls.push(Call { name: name.to_owned(), number, text: line.to_owned() });
    }
    calls
}

/// Returns the process that an injected SIGSTOP stopped; `None` if the child ended first.
pub fn stopped(child: &mut Child, log: &Dir) -> Option<libc::pid_t> {
    loop {
        let ended = child.try_wait().unwrap().is_some();
        let lines = std::fs::read_to_string(log.path("log")).unwrap_or_default();
        let line = lines.lines().find(|line| line.ends_with("--- stopped by SIGSTOP ---"));
        let pid = line.and_then(|line| line.split(' ').next()?.parse().ok());
        if ended || pid.is_some() {
            return pid;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Resumes a stopped process.
pub fn go_on(stopped: libc::pid_t) {
    // SAFETY: a stopped process that a child of this one started, so that it still exists.
    assert_eq!(unsafe { libc::kill(stopped, libc::SIGCONT) }, 0);
}

/// Returns the strace option that injects an action into one call.
pub fn inject(call: &Call, what: &str) -> String {
    format!("-e inject={}:{what}:when={}", call.name, call.number)
}

/// Returns the `n`th call, from 0, whose name starts with `name` and whose text contains `words`.
pub fn nth<'a>(calls: &'a [Call], name: &str, words: &str, n: usize) -> &'a Call {
    let found =
        calls.iter().filter(|call| call.name.starts_with(name) && call.text.contains(words)).nth(n);
    found.unwrap_or_else(|| panic!("no {name} {words}: {calls:?}"))
}

/// Does the work for each call, on two threads: half of the time is spent waiting for the disk.
pub fn each(calls: &[Call], work: impl Fn(&Call) + Sync) {
    let half = |from| calls.iter().skip(from).step_by(2).for_each(&work);
    thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0);
        other.join().unwrap_or_else(|panic| resume_unwind(panic));
    });
}
