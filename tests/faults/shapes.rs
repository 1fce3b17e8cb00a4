//! Adversarial shapes: every command reads each of them in a limited address space.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::common::bin::{emulated, raw, shell_of, skipped};

/// The address space of a run in KiB: program, libraries and all buffers.
const ADDRESS_SPACE: u64 = 64 << 10;

/// The size of an input in MiB, unless `UTF8_SHAPE_MIB` says otherwise.
const MIB: usize = 16;

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

/// Returns why the run breaks a promise.
fn complaint(command: &str, shape: Shape, size: usize) -> Option<String> {
    let script = format!("ulimit -v {ADDRESS_SPACE} || exit 126; exec \"$@\" {command}");
    let mut run = shell_of(&script, &raw());
    run.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = run.spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let out = thread::scope(|scope| {
        scope.spawn(|| feed(stdin, shape, size));
        let (mut stderr, mut message) = (child.stderr.take().unwrap(), Vec::new());
        stderr.by_ref().take(2000).read_to_end(&mut message).unwrap();
        io::copy(&mut stderr, &mut io::sink()).unwrap();
        (child.wait().unwrap(), String::from_utf8_lossy(&message).into_owned())
    });
    let (status, message) = out;
    // Only text that is no dump is refused.
    let most = if command.contains("--reverse") { 2 } else { 1 };
    let ended = status.code().is_some_and(|code| (0..=most).contains(&code));
    let blamed = ["panicked", "memory"].iter().any(|word| message.contains(word));
    (!ended || blamed).then(|| format!("{command} < {}: {status}: {message}", shape.0))
}

/// Takes about ten minutes of two cores with a release build.
#[test]
#[ignore = "minutes; UTF8_SHAPE_MIB sets the size of each input"]
fn every_command_reads_every_shape_in_bounded_memory() {
    if emulated() {
        return skipped("adversarial shapes", "an emulator has memory of its own");
    }
    let mib = std::env::var("UTF8_SHAPE_MIB").map_or(MIB, |mib| mib.parse().unwrap());
    let pairs = SHAPES.iter().flat_map(|&shape| COMMANDS.iter().map(move |&c| (c, shape)));
    let (pairs, complaints) = (Mutex::new(pairs), Mutex::new(String::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((command, shape)) = pairs.lock().unwrap().next() else { return };
                    if let Some(text) = complaint(command, shape, mib << 20) {
                        writeln!(complaints.lock().unwrap(), "{text}").unwrap();
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{complaints}");
}
