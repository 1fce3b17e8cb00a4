//! Progress line on standard error: of a long input, or of the files of directories.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::codec::RunReader;
use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::os::calls;
use crate::registry::Encoding;
use crate::sink::{AheadWork, Run, Sink};
use crate::source::Source;
use crate::text::number::counted;

/// The time before the first line: short work shows none.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between two lines.
const PACE: Duration = Duration::from_millis(200);

/// The number of bytes between two looks at the clock.
const STRIDE: u64 = 64 << 10;

/// The width of a terminal of unknown width, in columns.
const WIDTH: usize = 80;

/// True if a line stands on the terminal.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Erases the line before other text is written.
pub(super) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = io::stderr().write_all(b"\r\x1B[K");
    }
}

/// Scans a source into a sink. Shows progress if the input has a `name`.
pub(super) fn scan(
    source: &mut Source<'_>,
    encoding: &'static Encoding,
    kernels: &'static Kernels,
    name: Option<&[u8]>,
    sink: &mut dyn Sink,
) -> io::Result<u64> {
    match name {
        Some(name) => {
            let line = ProgressLine::new(name, source.length());
            source.scan(encoding, kernels, &mut ProgressSink { sink, line })
        }
        None => source.scan(encoding, kernels, sink),
    }
}

/// Passes the bytes of a source to `receive`, unscanned. Shows progress if the input has a `name`.
pub(super) fn for_each_block(
    source: &mut Source<'_>,
    name: Option<&[u8]>,
    mut receive: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut line = name.map(|name| ProgressLine::new(name, source.length()));
    source.for_each_block(|offset, bytes| {
        if let Some(line) = &mut line {
            line.tick(offset);
        }
        receive(bytes).map(ControlFlow::Continue)
    })
}

/// Forwards everything to a sink, and shows progress.
struct ProgressSink<'a> {
    sink: &'a mut dyn Sink,
    line: ProgressLine,
}

/// The progress of one input. Dropping it erases the line.
struct ProgressLine {
    /// The escaped name of the input.
    name: String,
    /// The length of the input in bytes, if it is known.
    length: Option<u64>,
    started: Instant,
    /// The first offset.
    start: Option<u64>,
    /// The offset of the next look at the clock.
    look: u64,
    /// The time of the next line, from the start.
    next: Duration,
}

impl ProgressLine {
    fn new(name: &[u8], length: Option<u64>) -> ProgressLine {
        let name = String::from_utf8_lossy(name).into_owned();
        let started = Instant::now();
        ProgressLine { name, length, started, start: None, look: 0, next: PATIENCE }
    }

    /// Shows the line if it is due.
    fn tick(&mut self, offset: u64) {
        let start = *self.start.get_or_insert(offset);
        if offset < self.look {
            return;
        }
        self.look = offset + STRIDE;
        let spent = self.started.elapsed();
        if spent < self.next {
            return;
        }
        self.next = spent + PACE;
        show(&self.line(offset, (offset - start) as f64 / spent.as_secs_f64(), width()));
    }

    /// Returns the line, cut to `width` columns.
    fn line(&self, offset: u64, speed: f64, width: usize) -> String {
        let speed = amount(speed as u64);
        let far = match self.length {
            Some(length) if length > 0 => {
                let share = 100 * u128::from(offset) / u128::from(length);
                format!("{} of {} ({share} %)", amount(offset), amount(length))
            }
            _ => amount(offset),
        };
        let numbers = format!(": {far}, {speed}/s");
        let room = width.saturating_sub(numbers.len() + 1);
        end_of(&self.name, room) + &numbers
    }
}

/// Returns the end of a name, in at most `room` columns. It distinguishes more than the start.
fn end_of(name: &str, mut room: usize) -> String {
    let fits = |c: &char| {
        let left = room.checked_sub(columns(*c));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let end: Vec<char> = name.chars().rev().take_while(fits).collect();
    end.into_iter().rev().collect()
}

/// The progress in directories.
struct FileProgress {
    started: Instant,
    /// The number of files so far.
    files: AtomicU64,
    /// The time of the next line, from the start, in milliseconds.
    next: AtomicU64,
}

/// Counts a file of a directory. If a line is due, shows the number of files with this escaped name.
pub(super) fn count_file(name: &[u8]) {
    static PROGRESS: OnceLock<FileProgress> = OnceLock::new();
    let progress = PROGRESS.get_or_init(|| FileProgress {
        started: Instant::now(),
        files: AtomicU64::new(0),
        next: AtomicU64::new(PATIENCE.as_millis() as u64),
    });
    let files = progress.files.fetch_add(1, Ordering::Relaxed) + 1;
    let spent = progress.started.elapsed().as_millis() as u64;
    let next = progress.next.load(Ordering::Relaxed);
    let later = spent + PACE.as_millis() as u64;
    // One thread writes the line.
    let is_due = spent >= next
        && progress
            .next
            .compare_exchange(next, later, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok();
    if is_due {
        show(&line_of_files(files, &String::from_utf8_lossy(name), width()));
    }
}

/// Returns the line about a number of files and the name of the last, cut to `width` columns.
fn line_of_files(files: u64, name: &str, width: usize) -> String {
    let number = format!("{}: ", counted(files, "file"));
    let room = width.saturating_sub(number.len() + 1);
    number + &end_of(name, room)
}

/// Returns the width of the terminal in columns.
fn width() -> usize {
    calls::columns(io::stderr().as_fd()).unwrap_or(WIDTH)
}

/// Shows a line in place of the one before.
fn show(line: &str) {
    let _ = io::stderr().write_all(format!("\r\x1B[K{line}").as_bytes());
    SHOWN.store(true, Ordering::Relaxed);
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        clear();
    }
}

/// Returns the greatest width of a character in columns.
fn columns(c: char) -> usize {
    const FIRST_WIDE: char = '\u{1100}';
    if c < FIRST_WIDE { 1 } else { 2 }
}

/// Returns a number of bytes in a suitable unit.
fn amount(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
        if amount < 1000.0 {
            let digits = usize::from(amount < 10.0 && unit != "bytes");
            return format!("{amount:.digits$} {unit}");
        }
        amount /= 1024.0;
    }
    format!("{amount:.1} TiB")
}

impl Sink for ProgressSink<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.line.tick(run.offset);
        self.sink.run(run)
    }

    fn signature(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.sink.signature(offset, bytes)
    }

    fn issue(
        &mut self,
        issue: &Issue,
        bytes: &[u8],
        next: Option<u8>,
    ) -> io::Result<ControlFlow<()>> {
        self.line.tick(issue.offset);
        self.sink.issue(issue, bytes, next)
    }

    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        self.line.tick(offset);
        self.sink.gulp(kernels, offset, bytes)
    }

    fn takes_unscanned(&self) -> bool {
        self.sink.takes_unscanned()
    }

    fn take_unscanned(
        &mut self,
        offset: u64,
        bytes: &[u8],
        reader: &mut dyn RunReader,
    ) -> io::Result<usize> {
        self.line.tick(offset);
        self.sink.take_unscanned(offset, bytes, reader)
    }

    fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        self.sink.work_ahead()
    }

    fn codec(&mut self, codec: &'static str) {
        self.sink.codec(codec);
    }

    fn tolerates_changes(&self) -> bool {
        self.sink.tolerates_changes()
    }

    fn pause(&mut self) -> io::Result<()> {
        self.sink.pause()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_and_keeps_the_end_of_the_name() {
        let progress = ProgressLine::new(b"a/long/way/to/notes.txt", Some(4 << 20));
        let line = progress.line(1 << 20, 2e6, 80);
        assert_eq!(line, "a/long/way/to/notes.txt: 1.0 MiB of 4.0 MiB (25 %), 1.9 MiB/s");
        let line = progress.line(1 << 20, 2e6, 50);
        assert_eq!(line, "o/notes.txt: 1.0 MiB of 4.0 MiB (25 %), 1.9 MiB/s");
    }

    #[test]
    fn a_line_about_files_fits() {
        assert_eq!(line_of_files(1, "a/b.txt", 80), "1 file: a/b.txt");
        assert_eq!(line_of_files(12_345, "a/long/way/to/notes.txt", 24), "12,345 files: notes.txt");
    }

    #[test]
    fn amounts() {
        for (bytes, said) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.0 KiB"),
            (1 << 20, "1.0 MiB"),
            (3 << 30, "3.0 GiB"),
            (60 << 30, "60 GiB"),
            (5 << 40, "5.0 TiB"),
        ] {
            assert_eq!(amount(bytes), said);
        }
    }
}
