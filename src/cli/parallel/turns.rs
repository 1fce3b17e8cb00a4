//! The turns of inputs, in which their output is written.
//!
//! The output of the work on an input is gathered until its turn comes, and written directly from
//! then on. Work that has gathered much, or is far ahead, waits.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::lock;
use crate::cli::Status;
use crate::cli::session::{self, STANDARD_OUTPUT, Session, SessionOptions};
use crate::os::stamp::FileId;
use crate::output::Output;

/// The number of bytes that the work on an input may gather before its turn.
const MOST_GATHERED: usize = 64 << 10;

/// The number of inputs that may be done before their turn.
const MOST_AHEAD: usize = 256;

/// A stream that turns write to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stream {
    /// Standard output is 0; reports in files are the others.
    Output(usize),
    Errors,
}

/// The turns of the inputs.
pub(super) struct Turns {
    pub state: Mutex<TurnState>,
    /// Signals that the turn has changed.
    next: Condvar,
}

impl Turns {
    /// Returns the turns of work that writes to these outputs.
    pub fn new(outputs: Vec<Box<dyn Write + Send>>) -> Turns {
        let buffered = |to| BufWriter::with_capacity(MOST_GATHERED, to);
        let state = TurnState {
            turn: 0,
            done: BTreeMap::new(),
            claimed: BTreeSet::new(),
            files: HashSet::new(),
            status: Status::Good,
            waiting: 0,
            outputs: outputs.into_iter().map(buffered).collect(),
            failure: None,
        };
        Turns { state: Mutex::new(state), next: Condvar::new() }
    }

    /// Waits until the turn may have changed.
    fn wait<'a>(&self, mut state: MutexGuard<'a, TurnState>) -> MutexGuard<'a, TurnState> {
        state.waiting += 1;
        let mut state = self.next.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Wakes the threads that wait. A signal is a system call even if no thread waits for it.
    fn wake(&self, state: &TurnState) {
        if state.waiting > 0 {
            self.next.notify_all();
        }
    }
}

pub(super) struct TurnState {
    /// The input whose work writes directly.
    turn: u64,
    /// The output of the work that is done before its turn.
    done: BTreeMap<u64, (Vec<StreamBytes>, Status)>,
    /// The inputs whose work has claimed a file and is not done.
    claimed: BTreeSet<u64>,
    /// The files that were claimed.
    files: HashSet<FileId>,
    /// The exit status of the inputs whose turn has ended.
    pub status: Status,
    /// The number of threads that wait for their turns.
    waiting: usize,
    outputs: Vec<BufWriter<Box<dyn Write + Send>>>,
    /// The error of the first write that failed, and the number of its output. Nothing is written
    /// after it.
    pub failure: Option<(usize, io::Error)>,
}

/// Bytes for a stream.
type StreamBytes = (Stream, Vec<u8>);

impl TurnState {
    /// Returns `true` if every input before a turn has claimed a file or is done.
    fn may_claim(&self, turn: u64) -> bool {
        let done = self.done.range(..turn).count() + self.claimed.range(..turn).count();
        done as u64 == turn - self.turn
    }

    /// Writes gathered output, and remembers an error.
    fn write(&mut self, gathered: &[StreamBytes]) {
        if self.failure.is_none() {
            self.failure = self.try_write(gathered).err();
        }
    }

    fn try_write(&mut self, gathered: &[StreamBytes]) -> Result<(), (usize, io::Error)> {
        for (stream, bytes) in gathered {
            match *stream {
                Stream::Output(at) => {
                    self.outputs[at].write_all(bytes).map_err(|error| (at, error))?;
                }
                Stream::Errors => {
                    self.outputs[0].flush().map_err(|error| (0, error))?;
                    session::print_error(bytes);
                }
            }
        }
        // Reports in files are flushed at the end.
        self.outputs[0].flush().map_err(|error| (0, error))
    }

    /// Writes the rest of all outputs.
    pub fn flush(&mut self) {
        for (at, output) in self.outputs.iter_mut().enumerate() {
            if self.failure.is_none() {
                self.failure = output.flush().err().map(|error| (at, error));
            }
        }
    }
}

/// The output of the work on an input.
struct TurnOutput {
    turns: Arc<Turns>,
    turn: u64,
    gathered: Vec<StreamBytes>,
    size: usize,
}

impl TurnOutput {
    /// Gathers bytes, and writes them if it is the turn of this input. Waits for the turn if there
    /// are many. Returns `false` if writing has failed.
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> bool {
        self.size += bytes.len();
        match self.gathered.last_mut() {
            Some((last, gathered)) if *last == stream => gathered.extend_from_slice(bytes),
            _ => self.gathered.push((stream, bytes.to_vec())),
        }
        let mut state = lock(&self.turns.state);
        while state.turn != self.turn {
            if self.size <= MOST_GATHERED {
                return state.failure.is_none();
            }
            state = self.turns.wait(state);
        }
        state.write(&self.gathered);
        self.gathered.clear();
        self.size = 0;
        state.failure.is_none()
    }

    /// Waits until it is the turn of this input. Output is written directly from then on.
    fn wait(&self) {
        let mut state = lock(&self.turns.state);
        while state.turn != self.turn {
            state = self.turns.wait(state);
        }
    }

    /// Claims a file, once every earlier input has claimed one or is done. Returns `true` if it was
    /// claimed before.
    fn claim(&self, file: FileId) -> bool {
        let mut state = lock(&self.turns.state);
        while !state.may_claim(self.turn) {
            state = self.turns.wait(state);
        }
        state.claimed.insert(self.turn);
        self.turns.wake(&state);
        !state.files.insert(file)
    }

    /// Ends the work on this input, and writes the output of the inputs after it that are done.
    /// Returns `false` if writing has failed.
    fn end(&mut self, status: Status) -> bool {
        let gathered = std::mem::take(&mut self.gathered);
        self.size = 0;
        let mut state = lock(&self.turns.state);
        state.claimed.remove(&self.turn);
        while state.turn != self.turn {
            if state.done.len() < MOST_AHEAD {
                state.done.insert(self.turn, (gathered, status));
                self.turns.wake(&state);
                return state.failure.is_none();
            }
            state = self.turns.wait(state);
        }
        let mut done = Some((gathered, status));
        while let Some((gathered, status)) = done {
            if state.failure.is_none() {
                state.status = state.status.max(status);
            }
            state.write(&gathered);
            state.turn += 1;
            let turn = state.turn;
            done = state.done.remove(&turn);
        }
        self.turns.wake(&state);
        state.failure.is_none()
    }
}

/// A writer of the output of one thread.
#[derive(Clone)]
pub(in crate::cli) struct TurnWriter(Arc<Mutex<TurnOutput>>);

impl TurnWriter {
    pub(super) fn new(turns: &Arc<Turns>) -> TurnWriter {
        let turns = Arc::clone(turns);
        let output = TurnOutput { turns, turn: 0, gathered: Vec::new(), size: 0 };
        TurnWriter(Arc::new(Mutex::new(output)))
    }

    /// Returns a session that writes here, to a number of outputs.
    pub(super) fn session(&self, options: SessionOptions, outputs: usize) -> Session {
        let writer = |stream| Box::new(StreamWriter(self.clone(), stream));
        let output = |at| Output::new(writer(Stream::Output(at)), STANDARD_OUTPUT);
        let reports = (1..outputs).map(output).collect();
        Session::worker(options, output(0), reports, writer(Stream::Errors), self.clone())
    }

    /// Returns a writer to standard output, in turn.
    pub fn standard_output(&self) -> impl Write + 'static {
        StreamWriter(self.clone(), Stream::Output(0))
    }

    /// Returns a writer to standard error, in turn.
    pub fn errors(&self) -> impl Write + 'static {
        StreamWriter(self.clone(), Stream::Errors)
    }

    /// Returns the turn of the input.
    pub fn turn(&self) -> u64 {
        lock(&self.0).turn
    }

    /// See [`TurnOutput::wait`].
    pub fn wait(&self) {
        lock(&self.0).wait();
    }

    /// See [`TurnOutput::claim`].
    pub fn claim(&self, file: FileId) -> bool {
        lock(&self.0).claim(file)
    }

    /// Begins the work on the input of a turn.
    pub(super) fn begin(&self, turn: u64) -> Turn<'_> {
        lock(&self.0).turn = turn;
        Turn { writer: self, is_over: false }
    }
}

/// The turn of an input. It ends even if the work panics, because other threads wait for the next.
pub(super) struct Turn<'a> {
    writer: &'a TurnWriter,
    is_over: bool,
}

impl Turn<'_> {
    /// Ends it with the exit status of the input. Returns `false` if writing has failed.
    pub fn end(mut self, status: Status) -> bool {
        self.is_over = true;
        lock(&self.writer.0).end(status)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            lock(&self.writer.0).end(Status::Trouble);
        }
    }
}

/// A writer to a standard stream, in turn.
struct StreamWriter(TurnWriter, Stream);

impl Write for StreamWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match lock(&self.0.0).write(self.1, bytes) {
            true => Ok(bytes.len()),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_panic_ends_its_turn() {
        let turns = Arc::new(Turns::new(vec![Box::new(io::sink())]));
        let [first, second] = [TurnWriter::new(&turns), TurnWriter::new(&turns)];
        thread::scope(|scope| {
            let later = scope.spawn(|| {
                let turn = second.begin(1);
                second.wait();
                turn.end(Status::Good)
            });
            let panicked = scope.spawn(|| {
                let _turn = first.begin(0);
                std::panic::resume_unwind(Box::new("the work panics"));
            });
            assert!(panicked.join().is_err());
            assert!(later.join().unwrap());
        });
        assert_eq!(lock(&turns.state).status, Status::Trouble);
    }
}
