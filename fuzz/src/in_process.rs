//! Runs of the program in this process: its standard streams are files in memory meanwhile.

use std::env::set_current_dir;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::panic;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::properties::program::{Finished, RUNNER};

/// The most bytes of an output that are read back.
const MOST: u64 = 1 << 20;

/// The files that stand in for the standard streams, and the streams themselves.
struct Streams {
    files: [File; 3],
    own: [OwnedFd; 3],
}

static STREAMS: LazyLock<Mutex<Streams>> = LazyLock::new(|| {
    Mutex::new(Streams { files: [(); 3].map(|()| in_memory()), own: [0, 1, 2].map(duplicate) })
});

/// Makes the properties run the program in this process. A panic is reported on the standard error of
/// the fuzzer.
pub fn prepare() {
    let own = duplicate(2);
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        replace(2, &own);
        report(info);
    }));
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("LC_ALL", "C.UTF-8") };
    let _ = RUNNER.set(run);
}

fn run(dir: &Path, words: &[OsString], stdin: &[u8]) -> Finished {
    let streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    for (number, file) in streams.files.iter().enumerate() {
        file.set_len(0).unwrap();
        rewind(file);
        replace(number as i32, file);
    }
    streams.files[0].write_all_at(stdin, 0).unwrap();
    set_current_dir(dir).unwrap();
    let status = utf8::cli::run_words(words);
    streams.own.iter().enumerate().for_each(|(number, own)| replace(number as i32, own));
    let [_, stdout, stderr] = streams.files.each_ref().map(content);
    Finished { status: Some(status.into()), stdout, stderr }
}

/// Returns the front of a file.
fn content(file: &File) -> Vec<u8> {
    let mut bytes = vec![0; file.metadata().unwrap().len().min(MOST) as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    bytes
}

fn in_memory() -> File {
    // SAFETY: the name is a C string, and nothing else owns the descriptor.
    unsafe { File::from_raw_fd(libc::memfd_create(c"stream".as_ptr(), libc::MFD_CLOEXEC)) }
}

fn rewind(file: &File) {
    // SAFETY: lseek takes numbers.
    unsafe { libc::lseek(file.as_raw_fd(), 0, libc::SEEK_SET) };
}

fn duplicate(stream: i32) -> OwnedFd {
    // SAFETY: dup takes a number, and nothing else owns its result.
    unsafe { OwnedFd::from_raw_fd(libc::dup(stream)) }
}

fn replace(stream: i32, by: &impl AsRawFd) {
    // SAFETY: dup2 takes numbers; the streams stay open.
    unsafe { libc::dup2(by.as_raw_fd(), stream) };
}
