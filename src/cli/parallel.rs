//! Work on several inputs at a time, with output in the order of the inputs.
//!
//! Each input has a turn. The output of its work is gathered until its turn comes, and written
//! directly from then on. Work that has gathered much, or is far ahead, waits.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::io::{self, BufWriter, Write};
use std::iter::once;
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use clap::Args;

use super::Status;
use super::args::at_least_one;
use super::inputs::{self, InputWork, Inputs, PendingInput};
use super::progress;
use super::session::{self, STANDARD_OUTPUT, Session, SessionManner};
use super::tree::TreeError;
use crate::os;
use crate::os::stamp::FileId;
use crate::output::Output;
use crate::source::ThreadCount;

/// The number of bytes that the work on an input may gather before its turn.
const MOST_GATHERED: usize = 64 << 10;

/// The number of inputs that are found at a time.
const MOST_FOUND: usize = 64;

/// The number of inputs that may be done before their turn.
const MOST_AHEAD: usize = 256;

/// Options for the use of several threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct JobArgs {
    /// Use up to N threads [default: one per core for directories]
    ///
    /// See THREADS in utf8(1).
    #[arg(short, long, value_name = "N", help_heading = "Input", hide_short_help = true, value_parser = at_least_one::<NonZero<usize>>)]
    jobs: Option<NonZero<usize>>,
}

/// Describes --jobs of a command that reads each file with one thread.
pub(super) fn describe_files(jobs: clap::Arg) -> clap::Arg {
    let help = "Read up to N files at a time [default: one per core, for directories]";
    jobs.help(help).long_help(help)
}

impl JobArgs {
    /// Returns the number of threads for each of several files that are read at a time, or for one.
    pub fn in_file(self, files: usize) -> ThreadCount {
        match self.jobs.map(|jobs| jobs.get() / files) {
            None if files == 1 => ThreadCount::Auto,
            None => ThreadCount::One,
            Some(threads) => ThreadCount::Exactly(threads.max(1)),
        }
    }

    /// Returns the number of threads for these inputs.
    pub fn threads(self, inputs: &Inputs<'_>, quiet: bool) -> usize {
        let threads = match self.jobs {
            // A quiet run stops at the first input that decides, and opens no later one.
            _ if quiet => 1,
            Some(jobs) => jobs.get(),
            None if inputs.counts.trees.is_empty() => 1,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        };
        match threads.min(inputs.most) {
            several @ 2.. => several.min(os::room_for_threads().saturating_add(1)),
            one => one,
        }
    }
}

/// Processes inputs, several at a time, until the work on one breaks. Each thread has its own work,
/// which `start` returns and `end` turns into a result.
pub(super) fn each<W: InputWork, T: Send>(
    inputs: Inputs<'_>,
    jobs: JobArgs,
    session: &mut Session,
    start: impl Fn(&Session) -> W + Sync,
    end: impl Fn(W) -> T + Sync,
) -> Vec<T> {
    let threads = jobs.threads(&inputs, session.quiet && session.reports.is_empty());
    let results = match threads {
        0 | 1 => {
            let mut work = start(session);
            inputs::each_of(inputs, session, &mut work);
            vec![end(work)]
        }
        _ => each_in_parallel(inputs, jobs, threads, session, start, end),
    };
    progress::clear();
    results
}

/// Processes inputs with so many threads, as [`each`] does.
pub(super) fn each_in_parallel<W: InputWork, T: Send>(
    inputs: Inputs<'_>,
    jobs: JobArgs,
    threads: usize,
    session: &mut Session,
    start: impl Fn(&Session) -> W + Sync,
    end: impl Fn(W) -> T + Sync,
) -> Vec<T> {
    let queue = InputQueue::new(inputs);
    let outputs = match &session.streams[..] {
        [] => vec![Box::new(session::open_stdout()) as Box<dyn Write + Send>],
        streams => streams.iter().map(|stream| Box::new(stream.clone()) as Box<_>).collect(),
    };
    let number = outputs.len();
    let turns = Arc::new(Turns::new(outputs));
    let manner = session.manner(jobs.in_file(threads));
    let run = |writer: TurnWriter| {
        let mut session = writer.session(manner, number);
        let mut work = start(&session);
        work_through(&queue, &writer, &mut session, &mut work);
        end(work)
    };
    let results = thread::scope(|scope| {
        // This thread works, too, so that there is one where the system allows no other.
        let spawn = |_| {
            let writer = TurnWriter::new(&turns);
            thread::Builder::new().spawn_scoped(scope, || run(writer)).ok()
        };
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let own = run(TurnWriter::new(&turns));
        let join = |other: thread::ScopedJoinHandle<'_, T>| match other.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        others.into_iter().map(join).chain([own]).collect::<Vec<_>>()
    });
    let mut state = lock(&turns.state);
    state.flush();
    if let Some((output, error)) = state.failure.take() {
        let _ = session.report(output).fail(error);
    }
    session.raise(state.status);
    results
}

/// The inputs that no thread has taken yet. While one thread finds further ones, the others take
/// those that are found.
struct InputQueue<'a> {
    /// The inputs that are not found yet; `None` once no further one is to be processed.
    inputs: Mutex<Option<Inputs<'a>>>,
    /// The number of inputs to find at a time.
    batch: usize,
    found: Mutex<FoundInputs>,
}

/// Inputs in their order.
#[derive(Default)]
struct FoundInputs {
    /// The turn of the first.
    turn: u64,
    inputs: VecDeque<Result<PendingInput, TreeError>>,
}

impl<'a> InputQueue<'a> {
    fn new(inputs: Inputs<'a>) -> InputQueue<'a> {
        // A list may come from a process that waits for the results.
        let batch = if inputs.may_wait { 1 } else { MOST_FOUND };
        InputQueue { inputs: Mutex::new(Some(inputs)), batch, found: Mutex::default() }
    }

    /// Takes the next input, with its turn.
    fn take(&self) -> Option<(u64, Result<PendingInput, TreeError>)> {
        loop {
            if let Some(input) = self.take_found() {
                return Some(input);
            }
            let mut inputs = lock(&self.inputs);
            // Another thread may have found some meanwhile.
            if lock(&self.found).inputs.is_empty() && !self.find(inputs.as_mut()?) {
                return None;
            }
        }
    }

    /// Takes the next input that was found. Finds others if few are left and no thread does.
    fn take_found(&self) -> Option<(u64, Result<PendingInput, TreeError>)> {
        let mut found = lock(&self.found);
        let input = found.inputs.pop_front()?;
        found.turn += 1;
        let (turn, left) = (found.turn - 1, found.inputs.len());
        drop(found);
        if left < self.batch / 2
            && let Ok(mut inputs) = self.inputs.try_lock()
            && let Some(inputs) = inputs.as_mut()
        {
            self.find(inputs);
        }
        Some((turn, input))
    }

    /// Finds a batch of inputs. Returns `false` if there are none.
    fn find(&self, inputs: &mut Inputs<'_>) -> bool {
        let mut batch = inputs.by_ref().take(self.batch).peekable();
        let has_some = batch.peek().is_some();
        for input in batch {
            lock(&self.found).inputs.push_back(input);
        }
        has_some
    }

    /// Ends the processing: no thread takes a further input.
    fn close(&self) {
        *lock(&self.inputs) = None;
        lock(&self.found).inputs.clear();
    }
}

/// Processes inputs until there is none.
fn work_through(
    queue: &InputQueue<'_>,
    writer: &TurnWriter,
    session: &mut Session,
    work: &mut impl InputWork,
) {
    loop {
        let Some((turn, input)) = queue.take() else { return };
        let turn = writer.begin(turn);
        if input.as_ref().is_ok_and(PendingInput::may_wait) {
            writer.wait();
        }
        session.status = Status::Good;
        let flow = inputs::process(input, session, work);
        // Errors are those of the turns.
        for out in once(&mut session.out).chain(&mut session.reports) {
            let _ = out.flush();
        }
        let written = turn.end(session.status);
        if flow.is_break() || !written {
            queue.close();
        }
    }
}

/// Locks a mutex. A thread that panicked ends the process once the others are done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A stream that turns write to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stream {
    /// Standard output is 0; reports in files are the others.
    Output(usize),
    Errors,
}

/// The turns of the inputs.
struct Turns {
    state: Mutex<TurnState>,
    /// Signals that the turn has changed.
    next: Condvar,
}

impl Turns {
    /// Returns the turns of work that writes to these outputs.
    fn new(outputs: Vec<Box<dyn Write + Send>>) -> Turns {
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

struct TurnState {
    /// The input whose work writes directly.
    turn: u64,
    /// The output of the work that is done before its turn.
    done: BTreeMap<u64, (Vec<Piece>, Status)>,
    /// The inputs whose work has claimed a file and is not done.
    claimed: BTreeSet<u64>,
    /// The files that were claimed.
    files: HashSet<FileId>,
    /// The exit status of the inputs whose turn has ended.
    status: Status,
    /// The number of threads that wait for their turns.
    waiting: usize,
    outputs: Vec<BufWriter<Box<dyn Write + Send>>>,
    /// The error of the first write that failed, and the number of its output. Nothing is written
    /// after it.
    failure: Option<(usize, io::Error)>,
}

/// Bytes for a stream.
type Piece = (Stream, Vec<u8>);

impl TurnState {
    /// Returns `true` if every input before a turn has claimed a file or is done.
    fn may_claim(&self, turn: u64) -> bool {
        let done = self.done.range(..turn).count() + self.claimed.range(..turn).count();
        done as u64 == turn - self.turn
    }

    /// Writes pieces, and remembers an error.
    fn write(&mut self, pieces: &[Piece]) {
        if self.failure.is_none() {
            self.failure = self.try_write(pieces).err();
        }
    }

    fn try_write(&mut self, pieces: &[Piece]) -> Result<(), (usize, io::Error)> {
        for (stream, bytes) in pieces {
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
    fn flush(&mut self) {
        for (at, output) in self.outputs.iter_mut().enumerate() {
            if self.failure.is_none() {
                self.failure = output.flush().err().map(|error| (at, error));
            }
        }
    }
}

/// The output of the work on an input.
struct Pieces {
    turns: Arc<Turns>,
    turn: u64,
    gathered: Vec<Piece>,
    size: usize,
}

impl Pieces {
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
        while let Some((pieces, status)) = done {
            if state.failure.is_none() {
                state.status = state.status.max(status);
            }
            state.write(&pieces);
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
pub(super) struct TurnWriter(Arc<Mutex<Pieces>>);

impl TurnWriter {
    fn new(turns: &Arc<Turns>) -> TurnWriter {
        let turns = Arc::clone(turns);
        let pieces = Pieces { turns, turn: 0, gathered: Vec::new(), size: 0 };
        TurnWriter(Arc::new(Mutex::new(pieces)))
    }

    /// Returns a session that writes here, to so many outputs.
    fn session(&self, manner: SessionManner, outputs: usize) -> Session {
        let writer = |stream| Box::new(StreamWriter(self.clone(), stream));
        let output = |at| Output::new(writer(Stream::Output(at)), STANDARD_OUTPUT);
        let reports = (1..outputs).map(output).collect();
        Session::worker(manner, output(0), reports, writer(Stream::Errors), self.clone())
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

    /// See [`Pieces::wait`].
    pub fn wait(&self) {
        lock(&self.0).wait();
    }

    /// See [`Pieces::claim`].
    pub fn claim(&self, file: FileId) -> bool {
        lock(&self.0).claim(file)
    }

    /// Begins the work on the input of a turn.
    fn begin(&self, turn: u64) -> Turn<'_> {
        lock(&self.0).turn = turn;
        Turn { writer: self, is_over: false }
    }
}

/// The turn of an input. It ends in any case, also if the work panics: other threads wait for the
/// next.
struct Turn<'a> {
    writer: &'a TurnWriter,
    is_over: bool,
}

impl Turn<'_> {
    /// Ends it with the exit status of the input. Returns `false` if writing has failed.
    fn end(mut self, status: Status) -> bool {
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
