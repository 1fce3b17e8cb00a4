//! Lists of names of files.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::outputs::refuse_output;
use super::{NameSource, PendingInput, stdin};
use crate::cli::tree::TreeError;
use crate::os::BlockingReader;
use crate::text::number::grouped;

/// The limit of a name in a list, in bytes; no system has longer names.
const LONGEST_NAME: u64 = 64 << 10;

/// Advice for a list with NUL after each name.
const NULL_ADVICE: &str = "--null reads a list whose names end with NUL";

/// The files of a list of names.
pub(super) struct NameList<'a> {
    list: &'a Path,
    /// The rest of the list; `None` before it is opened.
    names: Option<BufReader<BlockingReader>>,
    /// The byte at the end of a name.
    end: u8,
    /// The number of names that were read, and of lines without one.
    lines: u64,
    failed: bool,
}

impl NameList<'_> {
    /// Returns the files of a list, whose names end with LF, or with NUL.
    pub fn new(list: &Path, null: bool) -> NameList<'_> {
        let end = if null { 0 } else { b'\n' };
        NameList { list, names: None, end, lines: 0, failed: false }
    }

    /// Returns the next name that is not empty; `None` at the end of the list.
    fn read_name(&mut self) -> io::Result<Option<OsString>> {
        let names = match &mut self.names {
            Some(names) => names,
            names => names.insert(BufReader::new(open_list(self.list)?)),
        };
        loop {
            let mut name = Vec::new();
            if names.take(LONGEST_NAME).read_until(self.end, &mut name)? == 0 {
                return Ok(None);
            }
            self.lines += 1;
            if name.last() == Some(&self.end) {
                name.pop();
            } else if name.len() as u64 == LONGEST_NAME {
                let otherwise = match self.end {
                    0 => "without --null, a list has a name a line",
                    _ => NULL_ADVICE,
                };
                let message = format!("a name in this list is too long ({otherwise})");
                return Err(io::Error::other(message));
            }
            if !name.is_empty() {
                return Ok(Some(OsString::from_vec(name)));
            }
        }
    }
}

impl Iterator for NameList<'_> {
    type Item = Result<PendingInput, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let error = match self.read_name() {
            Ok(None) => return None,
            Ok(Some(name)) if name.as_bytes().contains(&0) => {
                let line = grouped(self.lines);
                io::Error::other(format!(
                    "line {line} contains NUL, which no name can ({NULL_ADVICE})"
                ))
            }
            Ok(Some(name)) => return Some(Ok(PendingInput::File(name.into(), NameSource::List))),
            Err(error) => {
                self.failed = true;
                error
            }
        };
        Some(Err((self.list.to_owned(), error)))
    }
}

/// Returns the likely reason why a name in a list leads to no file, with the remedy.
pub(super) fn missing_name_advice(path: &Path) -> Option<&'static str> {
    match path.as_os_str().as_bytes() {
        [.., b'\r'] => Some("the list has CR LF line ends"),
        [b'"', .., b'"'] => Some("git quotes such names: git ls-files -z, with -0"),
        name if name.contains(&b'\\') => {
            Some("a list with lines escapes such names: write and read it with -0")
        }
        _ => None,
    }
}

fn open_list(list: &Path) -> io::Result<BlockingReader> {
    Ok(BlockingReader(match list.as_os_str() == "-" {
        true => refuse_output(stdin()?)?,
        false => refuse_output(File::open(list)?)?,
    }))
}
