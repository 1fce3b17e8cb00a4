//! Other programs that convert, and questions to them.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::process::Output;

use assert_cmd::Command;

use crate::common::bin::{Dir, skipped};

/// A program that converts.
#[derive(Debug)]
pub struct Peer {
    /// Its name in the table.
    pub name: &'static str,
    /// Its name for the UTF-8 in which texts are passed.
    pub text: &'static str,
    /// The program and its first arguments.
    command: &'static [&'static str],
    /// Words in its version that distinguish programs of one name.
    signs: &'static [&'static str],
    /// The version that the table describes, in the program's own words.
    version: &'static str,
    /// The way to pass jobs.
    work: Work,
}

#[derive(Debug)]
enum Work {
    /// The last arguments are `-f`, `-t` and the two encodings.
    Alone,
    /// A script in a file of this name takes any number of jobs.
    Script(&'static str, &'static str),
}

/// Bytes to convert from one encoding to another, in the peer's names.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub bytes: &'a [u8],
}

pub const ICONV: Peer = Peer {
    name: "iconv",
    text: "UTF-8",
    command: &["iconv", "-c"],
    signs: &["GLIBC", "GNU libc"],
    version: "2.36",
    work: Work::Alone,
};

pub const UCONV: Peer = Peer {
    name: "uconv",
    text: "UTF-8",
    command: &["uconv", "--from-callback", "skip", "--to-callback", "skip"],
    signs: &[],
    version: "ICU 72",
    work: Work::Alone,
};

pub const PYTHON: Peer = Peer {
    name: "python",
    text: "utf-8",
    command: &["python3"],
    signs: &[],
    version: "3.11",
    work: Work::Script("convert.py", include_str!("convert.py")),
};

pub const PERL: Peer = Peer {
    name: "perl",
    text: "utf8",
    command: &["perl"],
    signs: &[],
    version: "v5.36",
    work: Work::Script("convert.pl", include_str!("convert.pl")),
};

pub const TCL: Peer = Peer {
    name: "tcl",
    text: "utf-8",
    command: &["tclsh8.6"],
    signs: &[],
    version: "",
    work: Work::Script("convert.tcl", include_str!("convert.tcl")),
};

pub const JAVA: Peer = Peer {
    name: "java",
    text: "UTF-8",
    // It expires after a second.
    command: &["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    signs: &[],
    version: "17",
    work: Work::Script("Convert.java", include_str!("Convert.java")),
};

impl Peer {
    /// Returns the same program with other first arguments.
    pub const fn called(self, command: &'static [&'static str]) -> Peer {
        Peer { command, ..self }
    }

    /// Returns the output of each job. Reports a skip and returns `None` if the program is missing.
    pub fn ask(&self, case: &str, jobs: &[Job<'_>]) -> Option<Vec<Vec<u8>>> {
        let answers = match self.work {
            _ if !self.is_meant() => None,
            Work::Alone => jobs.iter().map(|job| self.alone(job)).collect(),
            Work::Script(name, script) => self.script(name, script, jobs),
        };
        if answers.is_none() {
            skipped(case, &format!("there is no {}", self.command[0]));
        }
        answers
    }

    /// Returns `true` if the program has the version of the table.
    pub fn is_as_listed(&self) -> bool {
        self.says(self.version)
    }

    /// Returns `true` unless it is another program of the same name.
    pub fn is_meant(&self) -> bool {
        self.signs.is_empty() || self.signs.iter().any(|sign| self.says(sign))
    }

    /// Returns `true` if its version contains `part`.
    fn says(&self, part: &str) -> bool {
        let said = answer(Command::new(self.command[0]).arg("--version"));
        said.is_some_and(|out| text(&out.stdout).contains(part))
    }

    fn alone(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        let out = self.told(&["-f", job.from, "-t", job.to], job.bytes.to_vec())?;
        // iconv -c reports at the end that it dropped something.
        let done = matches!(out.status.code(), Some(0 | 1));
        assert!(done, "{} {} {}: {}", self.name, job.from, job.to, text(&out.stderr));
        Some(out.stdout)
    }

    /// Runs the program on an input, if it exists.
    pub fn told(&self, args: &[&str], input: Vec<u8>) -> Option<Output> {
        let mut command = Command::new(self.command[0]);
        command.env("LC_ALL", "C").args(&self.command[1..]).args(args);
        answer(command.write_stdin(input))
    }

    fn script(&self, name: &str, script: &str, jobs: &[Job<'_>]) -> Option<Vec<Vec<u8>>> {
        let dir = Dir::of(&[(name, script.as_bytes())]);
        let mut input = Vec::new();
        for Job { from, to, bytes } in jobs {
            input.extend(format!("{from} {to} {}\n", bytes.len()).bytes());
            input.extend_from_slice(bytes);
        }
        let out = self.told(&[dir.path(name).to_str().unwrap()], input)?;
        let answers = records(&out.stdout);
        assert_eq!(answers.len(), jobs.len(), "{}: {}", self.name, text(&out.stderr));
        Some(answers)
    }
}

/// Runs a command, if there is a program for it: some names are scripts that find none.
fn answer(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(out) => (out.status.code() != Some(127)).then_some(out),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
            None
        }
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Splits records: each is a line with a length, and bytes.
fn records(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
        let length: usize = std::str::from_utf8(&bytes[..end]).unwrap().parse().unwrap();
        let (record, rest) = bytes[end + 1..].split_at(length);
        records.push(record.to_vec());
        bytes = rest;
    }
    records
}
