//! Which system calls does a program make, and what if one of them fails or is its last?

use std::panic::resume_unwind;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use super::bin::{Dir, emulated, skipped};
use super::replace::text;

/// A shell's words that run a program under strace with these options and write what it calls to
/// a log. Says aloud if that cannot be done.
pub fn tracer(case: &str, options: &str, log: &Dir) -> Option<String> {
    let tracer = format!("strace -f -y -o '{}' {options}", log.path("log").display());
    let attempt = Command::new("sh").args(["-c", &format!("{tracer} true")]).output();
    if emulated() || !attempt.is_ok_and(|done| done.status.success()) {
        skipped(case, "strace is missing or may not trace");
        return None;
    }
    Some(tracer)
}

/// A system call.
#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    /// Of the calls of this name, it is this one; the first is 1.
    pub number: usize,
    /// The call with its arguments, in which descriptors are followed by what they are of, and
    /// its result.
    pub text: String,
}

/// The calls in a log, in order.
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

/// The process that a SIGSTOP of strace's has stopped; `None` if the child ended without that.
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

/// Let a stopped process go on.
pub fn go_on(stopped: libc::pid_t) {
    // SAFETY: a process that a child of ours has started, stopped, so that it is still there.
    assert_eq!(unsafe { libc::kill(stopped, libc::SIGCONT) }, 0);
}

/// What strace does to one call.
pub fn inject(call: &Call, what: &str) -> String {
    format!("-e inject={}:{what}:when={}", call.name, call.number)
}

/// The call whose name starts so and that has these words in it: of those, number `n` from 0.
pub fn nth<'a>(calls: &'a [Call], name: &str, words: &str, n: usize) -> &'a Call {
    let found =
        calls.iter().filter(|call| call.name.starts_with(name) && call.text.contains(words)).nth(n);
    found.unwrap_or_else(|| panic!("no {name} {words}: {calls:?}"))
}

/// Do it with each, on two threads: half of it is to wait for the disk.
pub fn each(calls: &[Call], work: impl Fn(&Call) + Sync) {
    let half = |from| calls.iter().skip(from).step_by(2).for_each(&work);
    thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0);
        other.join().unwrap_or_else(|panic| resume_unwind(panic));
    });
}
