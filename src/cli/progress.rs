//! How far is it? A line on standard error, for work that takes a while.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::prose::grouped;
use crate::issue::Issue;
use crate::sink::Sink;

/// No line before so long: short work needs none.
const PATIENCE: Duration = Duration::from_millis(500);

/// No two lines closer than this.
const PACE: Duration = Duration::from_millis(200);

/// Passes everything on to a sink, and says how far it is.
pub(super) struct Progress<'a> {
    pub sink: &'a mut dyn Sink,
    /// The input's name, as shown.
    pub name: &'a [u8],
    pub started: Instant,
    pub next: Duration,
}

impl<'a> Progress<'a> {
    pub fn new(sink: &'a mut dyn Sink, name: &'a [u8]) -> Progress<'a> {
        Progress { sink, name, started: Instant::now(), next: PATIENCE }
    }

    fn tick(&mut self, offset: u64) {
        let spent = self.started.elapsed();
        if spent >= self.next {
            self.next = spent + PACE;
            let speed = offset as f64 / spent.as_secs_f64() / f64::from(1 << 20);
            let line = format!(": {} bytes, {speed:.0} MiB/s", grouped(offset));
            let _ = io::stderr().write_all(&[b"\r\x1B[K", self.name, line.as_bytes()].concat());
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.next > PATIENCE {
            let _ = io::stderr().write_all(b"\r\x1B[K");
        }
    }
}

impl Sink for Progress<'_> {
    fn run(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.tick(offset);
        self.sink.run(offset, bytes)
    }

    fn skip(&mut self, offset: u64, bytes: &[u8]) -> io::Result<ControlFlow<()>> {
        self.sink.skip(offset, bytes)
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

    fn pause(&mut self) -> io::Result<()> {
        self.sink.pause()
    }
}
