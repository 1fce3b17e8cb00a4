//! Work on several inputs at a time, with output in the order of the inputs.

use std::collections::VecDeque;
use std::io::Write;
use std::iter::once;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use clap::Args;

use super::Status;
use super::args::at_least_one;
use super::inputs::{self, InputWork, Inputs, PendingInput};
use super::progress;
use super::session::{self, Session};
use super::tree::TreeError;
use crate::os;
use crate::source::ThreadCount;
use turns::Turns;

pub(super) use turns::TurnWriter;

mod turns;

/// The number of inputs that are found at a time.
const MOST_FOUND: usize = 64;

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

    /// Returns the number of threads for these inputs. `has_report` is false if no report is written.
    pub fn threads(self, inputs: &Inputs<'_>, has_report: bool) -> usize {
        let threads = match self.jobs {
            // The run stops at the first input that decides, and opens no later one.
            _ if !has_report => 1,
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
/// which `start` returns and `end` turns into a result. `has_report` is false if no report is written.
pub(super) fn each<W: InputWork, T: Send>(
    inputs: Inputs<'_>,
    jobs: JobArgs,
    has_report: bool,
    session: &mut Session,
    start: impl Fn(&Session) -> W + Sync,
    end: impl Fn(W) -> T + Sync,
) -> Vec<T> {
    let threads = jobs.threads(&inputs, has_report);
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

/// Processes inputs with a number of threads, as [`each`] does.
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
    let options = session.options(jobs.in_file(threads));
    let run = |writer: TurnWriter| {
        let mut session = writer.session(options, number);
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
        // The turns keep the errors.
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
