//! The binary: how tests run it, and their temporary directories.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{self, Child, ChildStdout, ExitStatus, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::CommandCargoExt;
use tempfile::TempDir;

/// The variables that change what the binary prints, apart from LC_ALL.
pub const VARIABLES: [&str; 8] = [
    "LC_CTYPE",
    "LANG",
    "TERM",
    "NO_COLOR",
    "CLICOLOR_FORCE",
    "UTF8_KERNEL",
    "UTF8_FORMAT",
    "GITHUB_STEP_SUMMARY",
];

/// The variable that names the kernel to test commands with.
const TESTED_KERNEL: &str = "UTF8_TEST_KERNEL";

/// Returns a command for the binary in an environment with only a UTF-8 locale.
pub fn raw() -> process::Command {
    let mut command = process::Command::cargo_bin("utf8").expect("cargo builds it for its tests");
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C.UTF-8");
    if let Some(kernel) = std::env::var_os(TESTED_KERNEL) {
        command.env("UTF8_KERNEL", kernel);
    }
    command
}

/// Returns a command for the binary, with assertions.
pub fn utf8() -> Command {
    Command::from_std(raw())
}

/// Returns a command for `utf8 validate`.
pub fn validate() -> Command {
    let mut command = utf8();
    command.arg("validate");
    command
}

/// Returns a command for `utf8 validate`, as std runs it.
pub fn raw_validate() -> process::Command {
    let mut command = raw();
    command.arg("validate");
    command
}

/// Returns a command for a shell script in which `"$@"` is `utf8 validate`.
pub fn shell(script: &str) -> process::Command {
    shell_of(script, &raw_validate())
}

/// Returns a command for a shell script in which `"$@"` is `program`.
pub fn shell_of(script: &str, program: &process::Command) -> process::Command {
    let mut command = process::Command::new("sh");
    command.args(["-c", script, "sh"]).arg(program.get_program()).args(program.get_args());
    for (variable, value) in program.get_envs() {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    command
}

/// Returns the signals that end a process after it has removed its temporary files: those of POSIX
/// (`<signal.h>`) and signal(7) that end it by default. std ignores SIGPIPE, and has handlers for
/// SIGSEGV and SIGBUS; SIGKILL cannot be caught.
pub fn fatal_signals() -> Vec<libc::c_int> {
    let posix = [
        libc::SIGABRT,
        libc::SIGALRM,
        libc::SIGFPE,
        libc::SIGHUP,
        libc::SIGILL,
        libc::SIGINT,
        libc::SIGPROF,
        libc::SIGQUIT,
        libc::SIGSYS,
        libc::SIGTERM,
        libc::SIGTRAP,
        libc::SIGUSR1,
        libc::SIGUSR2,
        libc::SIGVTALRM,
        libc::SIGXCPU,
        libc::SIGXFSZ,
    ];
    #[cfg(target_os = "linux")]
    let others = [libc::SIGIO, libc::SIGPWR, libc::SIGSTKFLT]
        .into_iter()
        .chain(libc::SIGRTMIN()..=libc::SIGRTMAX());
    #[cfg(not(target_os = "linux"))]
    let others = [libc::SIGEMT];
    posix.into_iter().chain(others).collect()
}

/// Restores the default action of signals: a test under `nohup` or in a script's background
/// inherits ignored ones.
pub fn with_default_signals(command: &mut process::Command) -> &mut process::Command {
    let signals = fatal_signals();
    let reset = move || {
        for &signal in &signals {
            // SAFETY: signal is async-signal-safe and may be called between fork and exec.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: the closure calls nothing but signal.
    unsafe { command.pre_exec(reset) }
}

/// Returns `true` if an emulator runs the binary; memory, descriptors and mappings are then the
/// emulator's.
pub fn emulated() -> bool {
    raw().get_args().next().is_some()
}

/// Returns `true` if this user may run the binary.
pub fn runs() -> bool {
    raw().arg("--version").stdout(Stdio::null()).status().is_ok()
}

/// Reports a skipped case on standard error, past the output capture of tests.
pub fn skipped(case: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {case}: {why}");
}

/// Returns the words of the C library for an error.
pub fn words_of(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    text.replace(&format!(" (os error {errno})"), "")
}

/// Validates the bytes of hex digits.
pub fn hex(digits: &str, args: &[&str]) -> Assert {
    validate().args(["-xe", digits]).args(args).assert()
}

/// A temporary directory. File names are relative to it.
#[derive(Debug)]
pub struct Dir(TempDir);

impl Dir {
    /// Creates an empty directory.
    pub fn new() -> Dir {
        Dir(TempDir::new().unwrap())
    }

    /// Creates a directory with files.
    pub fn of(files: &[(&str, &[u8])]) -> Dir {
        let dir = Dir::new();
        files.iter().for_each(|(name, bytes)| dir.write(name, bytes));
        dir
    }

    /// Returns the path of a file.
    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.path().join(name.as_ref())
    }

    /// Writes a file.
    pub fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes a file with a name in bytes. Returns false if the file system refuses the name.
    pub fn try_write(&self, name: &[u8], bytes: &[u8]) -> bool {
        fs::write(self.path(OsStr::from_bytes(name)), bytes).is_ok()
    }

    /// Returns a command of utf8 that runs here.
    pub fn run(&self, command: &str) -> Command {
        let mut utf8 = utf8();
        utf8.arg(command).current_dir(self.path(""));
        utf8
    }

    /// Returns a command for `utf8 validate` in this directory.
    pub fn validate(&self) -> Command {
        let mut command = validate();
        command.current_dir(self.0.path());
        command
    }

    /// Returns a command for `utf8 validate` in this directory, as std runs it.
    pub fn raw(&self) -> process::Command {
        let mut command = raw_validate();
        command.current_dir(self.0.path());
        command
    }
}

/// Returns standard input from an unnamed regular file, at an offset.
pub fn at(bytes: &[u8], position: u64) -> Stdio {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.seek(SeekFrom::Start(position)).unwrap();
    file.into()
}

/// Returns messages without the time of a run in their summary.
pub fn without_time(messages: &str) -> String {
    let (before, after) = messages.split_once(" checked in ").unwrap_or((messages, ""));
    let after = after.split_once(' ').map_or("", |(_, after)| after);
    format!("{before}{after}")
}

/// Joins lines, each with its line feed.
pub fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Parses JSON Lines with an independent reader.
pub fn objects(text: &[u8]) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(text).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns the JSON report of the bytes of hex digits.
pub fn json(digits: &str, args: &[&str]) -> Vec<serde_json::Value> {
    objects(&hex(digits, &[&["--format", "json"], args].concat()).get_output().stdout)
}

/// Opens a terminal: returns the end of the person and the end of the program.
#[cfg(target_os = "linux")]
pub fn terminal() -> (fs::File, Stdio) {
    use std::os::fd::{FromRawFd, OwnedFd};
    use std::ptr;
    let (mut person, mut program) = (-1, -1);
    let (name, modes, size) = (ptr::null_mut(), ptr::null(), ptr::null());
    // SAFETY: two descriptors are written; the name, the modes and the size may be null.
    let opened = unsafe { libc::openpty(&mut person, &mut program, name, modes, size) };
    assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
    for end in [person, program] {
        // SAFETY: a descriptor of this function, kept from the children of other tests.
        unsafe { libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    // SAFETY: openpty has opened both, and nothing else owns them.
    unsafe { (fs::File::from_raw_fd(person), OwnedFd::from_raw_fd(program).into()) }
}

/// Reads a terminal until no program has it open.
#[cfg(target_os = "linux")]
pub fn seen(person: &mut fs::File) -> Vec<u8> {
    use std::io::Read;
    let mut seen = Vec::new();
    // Linux returns EIO at the end.
    let ended = person.read_to_end(&mut seen);
    assert!(ended.is_ok() || ended.unwrap_err().raw_os_error() == Some(libc::EIO));
    seen
}

/// Returns a command for `utf8` with arguments.
pub fn run(args: &[&str]) -> Command {
    let mut command = utf8();
    command.args(args);
    command
}

/// A child whose standard input, output and error are pipes of this process.
#[derive(Debug)]
pub struct Piped {
    pub child: Child,
    pub stdout: BufReader<ChildStdout>,
}

impl Piped {
    /// Starts the command.
    pub fn new(command: &mut process::Command) -> Piped {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Piped { child, stdout }
    }

    /// Writes to its standard input.
    pub fn write(&mut self, bytes: &[u8]) {
        self.child.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Reads a line of its standard output.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// Closes its standard input. Returns its exit status and the rest of its standard output and
    /// standard error.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        let out = self.child.wait_with_output().unwrap();
        assert_eq!(out.status.signal(), None, "died of a signal");
        (out.status.code(), rest, String::from_utf8(out.stderr).unwrap())
    }
}

/// Waits for a child. Returns its exit status, and the CPU time of it and of the children that it
/// has waited for.
pub fn wait_with_time(child: Child) -> (ExitStatus, Duration) {
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: wait4 writes a status and a usage, whose fields may be zero.
    let usage = unsafe {
        let waited = libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr());
        assert_eq!(waited, child.id() as libc::pid_t, "{}", std::io::Error::last_os_error());
        usage.assume_init()
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    (ExitStatus::from_raw(status), time(usage.ru_utime) + time(usage.ru_stime))
}

/// Returns the memory of a process, in KiB, without mappings of files: those of the binary and its
/// libraries have relocated addresses, of which each build has others. It is exact, unlike the counters
/// behind [`peak`].
#[cfg(target_os = "linux")]
pub fn anonymous(child: &Child) -> u64 {
    let memory = fs::read_to_string(format!("/proc/{}/smaps", child.id())).unwrap();
    let mut is_file = false;
    let kib = |line: &str| -> Option<u64> {
        let (field, value) = line.split_once(':')?;
        if field.contains('-') {
            is_file = line.contains(" /");
        }
        let is_counted = field == "Anonymous" && !is_file;
        is_counted.then(|| value.trim().trim_end_matches(" kB").parse().unwrap())
    };
    memory.lines().filter_map(kib).sum()
}

/// Returns the peak of a process's memory so far, in KiB, without the pages of mapped files: the
/// system maps more or fewer pages of the binary.
#[cfg(target_os = "linux")]
pub fn peak(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let field = |name: &str| -> u64 {
        let value = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        value.trim().trim_end_matches(" kB").parse().unwrap()
    };
    field("VmHWM:").saturating_sub(field("RssFile:"))
}
