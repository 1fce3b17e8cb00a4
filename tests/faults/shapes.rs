//! Adversarial shapes: every command reads each of them in a limited address space and in linear time.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::common::bin::{emulated, raw, shell_of, skipped, wait_with_time};
use crate::common::each;

/// The address space of a run in KiB: program, libraries and all buffers.
const ADDRESS_SPACE: u64 = 64 << 10;

/// The size of an input in MiB, unless `UTF8_SHAPE_MIB` says otherwise.
const MIB: usize = 16;

/// The sizes of inputs whose times are compared, in bytes. Each is 8 times the one before.
const GROWING: [usize; 3] = [1 << 20, 8 << 20, 64 << 20];

/// How many times the time of an input 8 times as long may take 8 times the input.
const MOST_GROWTH: u32 = 12;

/// Less CPU time is not measured well enough to be compared.
const MEASURABLE: Duration = Duration::from_millis(5);

/// A pair is blamed if so many attempts fail: other programs disturb a time.
const ATTEMPTS: usize = 3;

/// Text that comes once, and text that repeats behind it.
type Shape = (&'static str, &'static str, &'static [u8]);

const SHAPES: &[Shape] = &[
    ("one line", "", b"a"),
    ("one line of two-byte sequences", "", "é".as_bytes()),
    ("one line of three-byte sequences", "", "語".as_bytes()),
    ("NUL", "", b"\0"),
    ("bytes that are never valid", "", b"\xFF"),
    ("lead bytes", "", b"\xE2"),
    ("truncated sequences", "", b"\xF0\x9F\x98"),
    ("continuation bytes", "", b"\x80"),
    ("surrogates", "", b"\xED\xA0\xBD"),
    ("sequences of six bytes", "", b"\xFD\xBF\xBF\xBF\xBF\xBF"),
    ("a line of Latin-1", "", b"caf\xE9 "),
    ("one mark", "a", "\u{301}".as_bytes()),
    ("marks out of order", "a", "\u{301}\u{327}\u{323}\u{5B0}".as_bytes()),
    ("joined emoji", "", "👩\u{200D}".as_bytes()),
    ("regional indicators", "", "🇩".as_bytes()),
    ("leading consonants of Hangul", "", "\u{1100}".as_bytes()),
    ("Hangul in parts", "", "\u{1100}\u{1161}\u{11A8}".as_bytes()),
    ("byte order marks", "", b"\xEF\xBB\xBF"),
    ("overrides of direction", "", "\u{202E}".as_bytes()),
    ("tag characters", "", "\u{E0068}".as_bytes()),
    ("blanks without width", "", "\u{A0}\u{200B}".as_bytes()),
    ("CR LF", "", b"\r\n"),
    ("CR", "", b"\r"),
    ("LF", "", b"\n"),
    ("one base64 run of UTF-7", "+", b"AGEAYgBj"),
    ("starts of base64 in UTF-7", "", b"+"),
    ("one line of two-byte characters in ISO-2022-JP", "\x1B$B", b"$\"$$"),
    ("escapes of ISO-2022", "", b"\x1B$B\x1B(B"),
    ("shifts of ISO-2022", "\x1B$)A", b"\x0E\x0F"),
    ("ampersands", "", b"&"),
    ("one decimal reference of HTML", "&#", b"1"),
    ("one hexadecimal reference of HTML", "&#x", b"0"),
    ("one name of HTML", "&", b"a"),
    ("percent escapes", "", b"%C3%A9"),
    ("backslashes", "", b"\\"),
    ("escaped surrogates", "", b"\\ud83d"),
    ("double encoding", "", "Ã©".as_bytes()),
    ("triple encoding", "", "ÃƒÂ©".as_bytes()),
    ("lines of double encoding", "", "ðŸ˜€ Ã©\n".as_bytes()),
    ("rows of a dump", "", b"00000000: 4141 4141\n"),
    ("rows of a dump, far apart", "", b"7fffffffffff0000: 41\n"),
    ("opening brackets", "", b"["),
];

/// Commands that read standard input once. Those that need a regular file read it twice.
const COMMANDS: &[&str] = &[
    "validate",
    "validate --max-shown none",
    "validate --format full --max-shown none",
    "validate --format lines --max-shown none",
    "validate --format json --segments byte",
    "validate --format tsv --stats",
    "validate --format sarif",
    "validate --format github",
    "validate --format gitlab",
    "validate --format junit",
    "validate --format checkstyle",
    "validate --format rdjson",
    "validate --format html",
    "validate --deny strict --deny text --format json",
    "validate --partial",
    "validate -f utf-7",
    "validate -f iso-2022-jp",
    "validate -f iso-2022-cn",
    "validate -f html",
    "decode -t code-points --on-error replace",
    "decode -t json --on-error replace",
    "decode -f html -t utf-8 --on-error replace",
    "decode -f json -t utf-8 --on-error replace",
    "decode -f percent -t utf-8 --on-error replace",
    "decode -f utf-7 -t utf-8 --on-error replace",
    "decode -f iso-2022-jp -t utf-8 --on-error replace",
    "decode -f iso-2022-cn -t utf-8 --on-error replace",
    "decode -f hz -t utf-8 --on-error replace",
    "encode -f code-points -t utf-8 --on-error replace",
    "encode -t windows-1258 --on-error transliterate",
    "encode -t euc-jis-2004 --on-error transliterate",
    "encode -t iso-2022-jp --on-error backslashreplace",
    "dump-bits",
    "dump-bits --no-fold",
    "dump-bits --base hex",
    "dump-bits --format json",
    "dump-bits --format html",
    "dump-bits --only-ill-formed --context 2",
    "dump-bits --reverse",
    "dump-bits --reverse --plain",
    "repair",
    "repair -v --explain",
    "repair --normalize nfc",
    "repair --normalize nfkd",
    "repair --truncate-lines 80",
    "repair --undo-mojibake -v --explain",
    "repair --diff",
    "repair --on-error drop-line",
    "repair --newlines crlf",
    "repair --net-unicode",
    "detect",
    "detect --format long",
    "detect --format json",
];

/// Writes a shape until it has a size, or the reader ends.
fn feed(mut to: ChildStdin, (_, first, repeated): Shape, size: usize) {
    let block = repeated.repeat((64 << 10) / repeated.len());
    let result = (|| -> io::Result<()> {
        to.write_all(first.as_bytes())?;
        (0..size.div_ceil(block.len())).try_for_each(|_| to.write_all(&block))
    })();
    if let Err(error) = result {
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "{error}");
    }
}

/// A run that has ended.
struct Ended {
    status: ExitStatus,
    /// The front of standard error.
    message: String,
    /// User and system time.
    time: Duration,
}

/// Runs a command on a shape of a size in bytes. One that hangs is killed; no other is nearly as slow.
fn run(command: &str, shape: Shape, size: usize) -> Ended {
    run_for(command, shape, size, Duration::from_secs(60 + 20 * (size >> 20) as u64))
}

/// Runs a command for a limited time.
fn run_for(command: &str, shape: Shape, size: usize, limit: Duration) -> Ended {
    let script = format!("ulimit -v {ADDRESS_SPACE} || exit 126; exec \"$@\" {command}");
    let mut run = shell_of(&script, &raw());
    run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    let (stdin, mut stderr) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
    let mut message = Vec::new();
    thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        scope.spawn(move || feed(stdin, shape, size));
        let child = &mut child;
        scope.spawn(move || {
            if ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                child.kill().unwrap();
            }
        });
        stderr.by_ref().take(2000).read_to_end(&mut message).unwrap();
        io::copy(&mut stderr, &mut io::sink()).unwrap();
        drop(end);
    });
    let (status, time) = wait_with_time(child);
    Ended { status, message: String::from_utf8_lossy(&message).into_owned(), time }
}

/// Returns why the run breaks a promise.
fn complaint(command: &str, shape: Shape, ended: &Ended) -> Option<String> {
    let Ended { status, message, .. } = ended;
    // Only text that is no dump is refused.
    let most = if command.contains("--reverse") { 2 } else { 1 };
    let is_ended = status.code().is_some_and(|code| (0..=most).contains(&code));
    let is_blamed = ["panicked", "memory"].iter().any(|word| message.contains(word));
    let is_good = is_ended && !is_blamed;
    (!is_good).then(|| format!("{command} < {}: {status}: {message}", shape.0))
}

/// Returns why a run breaks a promise, or why time grows faster than the input.
fn growth_complaint(command: &str, shape: Shape) -> Option<String> {
    let start = run(command, shape, 0).time;
    let mut shorter: Option<Duration> = None;
    for size in GROWING {
        let ended = run(command, shape, size);
        if let Some(text) = complaint(command, shape, &ended) {
            return Some(text);
        }
        let time = ended.time.saturating_sub(start);
        if let Some(shorter) = shorter {
            if time > MOST_GROWTH * shorter.max(MEASURABLE) {
                let (name, mib) = (shape.0, size >> 20);
                return Some(format!(
                    "{command} < {name}: {time:?} for {mib} MiB, {shorter:?} for an eighth"
                ));
            }
            if shorter >= MEASURABLE {
                break;
            }
        }
        shorter = Some(time);
    }
    None
}

/// Asserts that no command has a complaint about any shape.
fn assert_good(complaint: impl Fn(&str, Shape) -> Option<String> + Sync) {
    if emulated() {
        return skipped("adversarial shapes", "an emulator has memory and time of its own");
    }
    let pairs = SHAPES.iter().flat_map(|&shape| COMMANDS.iter().map(move |&c| (c, shape)));
    let complaints = Mutex::new(String::new());
    each(&pairs.collect::<Vec<_>>(), |&(command, shape)| {
        if let Some(text) = complaint(command, shape) {
            writeln!(complaints.lock().unwrap(), "{text}").unwrap();
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{complaints}");
}

/// Takes about ten minutes of two cores with a release build.
#[test]
#[ignore = "minutes; UTF8_SHAPE_MIB sets the size of each input"]
fn every_command_reads_every_shape_in_bounded_memory() {
    let mib = std::env::var("UTF8_SHAPE_MIB").map_or(MIB, |mib| mib.parse().unwrap());
    assert_good(|command, shape| complaint(command, shape, &run(command, shape, mib << 20)));
}

/// Takes about 13 minutes of two cores with a release build.
#[test]
#[ignore = "minutes"]
fn every_command_reads_every_shape_in_linear_time() {
    assert_good(|command, shape| {
        let attempts = (0..ATTEMPTS).map_while(|_| growth_complaint(command, shape));
        let complaints: Vec<_> = attempts.collect();
        (complaints.len() == ATTEMPTS).then(|| complaints.join("; again "))
    });
}

#[test]
fn a_run_that_hangs_is_killed() {
    let ended = run_for("dump-bits --format json", SHAPES[0], MIB << 20, Duration::ZERO);
    assert_eq!(ended.status.signal(), Some(libc::SIGKILL), "{}", ended.message);
}
