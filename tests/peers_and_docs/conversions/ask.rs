//! How is another tool asked to convert?

use std::borrow::Cow;
use std::io::ErrorKind;
use std::process::Output;

use assert_cmd::Command;

use crate::common::bin::{Dir, skipped};

/// Another tool that converts.
#[derive(Debug)]
pub struct Peer {
    /// What the table calls it.
    pub name: &'static str,
    /// What it calls the UTF-8 in which texts are handed over.
    pub text: &'static str,
    /// The program and its first arguments.
    command: &'static [&'static str],
    /// What it says of itself, where others have its name, too.
    signs: &'static [&'static str],
    /// The version that the table is of, as the peer tells it.
    version: &'static str,
    /// How it is given work.
    work: Work,
}

#[derive(Debug)]
enum Work {
    /// Its last arguments are `-f`, `-t` and the two codecs.
    Alone,
    /// A script in a file of this name takes any number of jobs.
    Script(&'static str, &'static str),
}

/// Some bytes in one codec that are to be converted into another, as the peer calls them.
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
    // It lives for a second.
    command: &["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    signs: &[],
    version: "17",
    work: Work::Script("Convert.java", include_str!("Convert.java")),
};

impl Peer {
    /// The same with other first arguments.
    pub const fn called(self, command: &'static [&'static str]) -> Peer {
        Peer { command, ..self }
    }

    /// What the peer makes of each job; nothing, and that aloud, where there is no such peer.
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

    /// Whether the peer is of the version that the table is of.
    pub fn is_as_listed(&self) -> bool {
        self.says(self.version)
    }

    /// Whether it is not another of the same name.
    pub fn is_meant(&self) -> bool {
        self.signs.is_empty() || self.signs.iter().any(|sign| self.says(sign))
    }

    /// Whether this is in what the peer says of itself.
    fn says(&self, part: &str) -> bool {
        let said = answer(Command::new(self.command[0]).arg("--version"));
        said.is_some_and(|out| text(&out.stdout).contains(part))
    }

    fn alone(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        let out = self.told(&["-f", job.from, "-t", job.to], job.bytes.to_vec())?;
        // iconv -c says in the end that it has left something out.
        let done = out.status.code() < Some(2);
        assert!(done, "{} {} {}: {}", self.name, job.from, job.to, text(&out.stderr));
        Some(out.stdout)
    }

    /// What the program does with these last arguments and this input, if there is one.
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

/// What a command says, if there is such a program. Some are only a script that finds none.
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

/// Bytes behind a line that has their number, again and again.
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
