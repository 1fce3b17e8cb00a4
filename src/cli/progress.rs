//! How far is it? A line on standard error, for work that takes a while.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::issue::Issue;
use crate::kernel::Kernels;
use crate::os::calls;
use crate::registry::Encoding;
use crate::sink::{Run, Sink};
use crate::source::Source;

/// No line before so long: short work needs none.
const PATIENCE: Duration = Duration::from_millis(500);

/// No two lines closer than this.
const PACE: Duration = Duration::from_millis(200);

/// After how many bytes the clock is asked again: input that trickles in shows itself.
const STRIDE: u64 = 64 << 10;

/// The width of a terminal that does not tell its own.
const WIDTH: usize = 80;

/// Whether a line stands on the terminal: there is one standard error.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Take the line away, for something else is about to be written.
pub(super) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = io::stderr().write_all(b"\r\x1B[K");
    }
}

/// Hand a source out to a sink. With a name for the input, say how far it is.
pub(super) fn feed(
    source: &mut Source<'_>,
    spec: &'static Encoding,
    kernels: &'static Kernels,
    name: Option<&[u8]>,
    sink: &mut dyn Sink,
) -> io::Result<u64> {
    match name {
        Some(name) => {
            let length = source.length();
            source.scan(spec, kernels, &mut Progress::new(sink, name, length))
        }
        None => source.scan(spec, kernels, sink),
    }
}

/// Passes everything on to a sink, and says how far it is.
pub(super) struct Progress<'a> {
    sink: &'a mut dyn Sink,
    /// The input's name, as shown.
    name: String,
    /// The input's length, if it is known.
    length: Option<u64>,
    started: Instant,
    /// The first offset that was seen.
    start: Option<u64>,
    /// The offset at which the clock is asked again.
    look: u64,
    /// When the next line is due.
    next: Duration,
}

impl<'a> Progress<'a> {
    pub fn new(sink: &'a mut dyn Sink, name: &[u8], length: Option<u64>) -> Progress<'a> {
        let name = String::from_utf8_lossy(name).into_owned();
        let started = Instant::now();
        Progress { sink, name, length, started, start: None, look: 0, next: PATIENCE }
    }

    /// Say how far it is, if it is time. The clock is asked only now and then.
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
        let width = calls::columns().unwrap_or(WIDTH);
        let line = self.line(offset, (offset - start) as f64 / spent.as_secs_f64(), width);
        let _ = io::stderr().write_all(format!("\r\x1B[K{line}").as_bytes());
        SHOWN.store(true, Ordering::Relaxed);
    }

    /// The line, in so many columns at most.
    fn line(&self, offset: u64, speed: f64, width: usize) -> String {
        let speed = amount(speed as u64);
        let far = match self.length {
            Some(length) if length > 0 => {
                let share = 100 * u128::from(offset) / u128::from(length);
                format!("{} of {} ({share} %)", amount(offset), amount(length))
            }
            _ => amount(offset),
        };
        let what = format!(": {far}, {speed}/s");
        // The end of a name tells more than its start.
        let mut room = width.saturating_sub(what.len() + 1);
        let fits = |c: &char| {
            let left = room.checked_sub(columns(*c));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let end: Vec<char> = self.name.chars().rev().take_while(fits).collect();
        end.into_iter().rev().chain(what.chars()).collect()
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        clear();
    }
}

/// How many columns a character may take: two where some do.
fn columns(c: char) -> usize {
    const FIRST_WIDE: char = '\u{1100}';
    if c < FIRST_WIDE { 1 } else { 2 }
}

/// A number of bytes in the unit that suits it.
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

impl Sink for Progress<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.tick(run.offset);
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
        self.tick(issue.offset);
        self.sink.issue(issue, bytes, next)
    }

    fn gulp(&mut self, kernels: &Kernels, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        self.tick(offset);
        self.sink.gulp(kernels, offset, bytes)
    }

    fn codec(&mut self, codec: &'static str) {
        self.sink.codec(codec);
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
        let mut sink: Vec<Issue> = Vec::new();
        let progress = Progress::new(&mut sink, b"a/long/way/to/notes.txt", Some(4 << 20));
        let line = progress.line(1 << 20, 2e6, 80);
        assert_eq!(line, "a/long/way/to/notes.txt: 1.0 MiB of 4.0 MiB (25 %), 1.9 MiB/s");
        let line = progress.line(1 << 20, 2e6, 50);
        assert_eq!(line, "o/notes.txt: 1.0 MiB of 4.0 MiB (25 %), 1.9 MiB/s");
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
