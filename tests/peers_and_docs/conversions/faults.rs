//! Issues that peers find.

use std::collections::HashMap;

use assert_cmd::Command;

use super::ask::{ICONV, Job, PYTHON};
use super::inputs::{Make, pairs, swapped, utf8, utf16, utf32};
use crate::common::bin::{Dir, run, skipped};
use crate::common::digits;
use crate::common::inputs::{Rng, clean};

/// Our name of an encoding, Python's, and inputs.
struct Subject {
    ours: &'static str,
    theirs: &'static str,
    make: Make,
    /// Returns `true` for lead bytes of sequences that Python reads differently (see the table).
    without: fn(u8) -> bool,
}

const fn subject(ours: &'static str, theirs: &'static str, make: Make) -> Subject {
    Subject { ours, theirs, make, without: |_| false }
}

const fn without(without: fn(u8) -> bool, subject: Subject) -> Subject {
    Subject { without, ..subject }
}

static FORMS: [Subject; 5] = [
    subject("utf-8", "utf-8:faults", utf8),
    subject("utf-16be", "utf-16-be:faults", utf16),
    subject("utf-16le", "utf-16-le:faults", |rng, number| swapped(utf16(rng, number), 2)),
    subject("utf-32be", "utf-32-be:faults", utf32),
    subject("utf-32le", "utf-32-le:faults", |rng, number| swapped(utf32(rng, number), 4)),
];

static SETS: [Subject; 6] = [
    without(|byte| byte == 0x80, subject("gb18030", "gb18030:faults", pairs)),
    without(|byte| byte == 0x80, subject("gbk", "gb18030:faults", pairs)),
    without(
        |byte| matches!(byte, 0x81..=0xA0 | 0xA3 | 0xC6..=0xC8 | 0xF9..),
        subject("big5", "cp950:faults", pairs),
    ),
    without(|byte| matches!(byte, 0xAD | 0xF9..), subject("euc-jp", "euc_jp:faults", pairs)),
    without(|byte| matches!(byte, 0xA0 | 0xFD..), subject("shift_jis", "cp932:faults", pairs)),
    subject("euc-kr", "cp949:faults", pairs),
];

impl Subject {
    fn input(&self, rng: &mut Rng, number: usize) -> Vec<u8> {
        let mut bytes = (self.make)(rng, number);
        bytes.retain(|&byte| !(self.without)(byte));
        bytes
    }

    /// Returns jobs to find the issues of each input.
    fn jobs<'a>(&self, inputs: &'a [Vec<u8>]) -> Vec<Job<'a>> {
        let job = |bytes| Job { from: self.theirs, to: PYTHON.text, bytes };
        inputs.iter().map(|bytes| job(bytes)).collect()
    }

    /// Returns the offset of the first issue in each input, by one run of the binary.
    fn first(&self, inputs: &[Vec<u8>]) -> Vec<Option<u64>> {
        let dir = Dir::new();
        let names: Vec<_> = (0..inputs.len()).map(|place| place.to_string()).collect();
        names.iter().zip(inputs).for_each(|(name, bytes)| dir.write(name, bytes));
        let args = ["-f", self.ours, "--max-errors", "1", "--format", "tsv"];
        let found = rows(dir.validate().args(args).args(&names));
        let offset = |row: &[String; 7]| (row[6].clone(), row[0].parse().unwrap());
        let found: HashMap<String, u64> = found.iter().map(offset).collect();
        names.iter().map(|name| found.get(name).copied()).collect()
    }
}

/// Returns the cells of a report: offset, length, kind, line, column, bytes and name.
fn rows(command: &mut Command) -> Vec<[String; 7]> {
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    said.lines().map(|line| cells(line).try_into().unwrap()).collect()
}

/// Returns the offset and length of each issue that Python finds, a line for each job.
fn faults(case: &str, jobs: &[Job<'_>]) -> Option<Vec<String>> {
    let answers = PYTHON.ask(case, jobs)?.into_iter();
    Some(answers.map(|answer| String::from_utf8(answer).unwrap()).collect())
}

/// Returns the offset of the first issue and the whole message.
fn stop(from: &str, to: &str, bytes: &[u8]) -> Option<(u64, String)> {
    let out = run(&["decode", "-f", from, "-t", to]).write_stdin(bytes).output().unwrap();
    let said = String::from_utf8(out.stderr).unwrap();
    let offset = number_behind("byte ", &said);
    assert_eq!(offset.is_none(), out.status.success(), "{said}");
    Some((offset?, said))
}

/// Returns the number after some words.
fn number_behind(before: &str, text: &str) -> Option<u64> {
    let (_, number) = text.split_once(before)?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok()
}

/// Every issue of a long input, as maximal subparts.
#[test]
fn python_finds_the_same_faults() {
    let inputs = FORMS.each_ref().map(|form| [form.input(&mut Rng::new(16), 20_000)]);
    let jobs: Vec<_> =
        FORMS.iter().zip(&inputs).flat_map(|(form, bytes)| form.jobs(bytes)).collect();
    let Some(theirs) = faults("python_finds_the_same_faults", &jobs) else { return };
    for ((form, [bytes]), theirs) in FORMS.iter().zip(&inputs).zip(&theirs) {
        let args = ["validate", "-f", form.ours, "--segments", "maximal", "--format", "tsv"];
        let found = rows(run(&args).write_stdin(&bytes[..]));
        let found: Vec<_> = found.iter().map(|row| format!("{} {}", row[0], row[1])).collect();
        assert!(found.len() > 500, "{}: only {} faults", form.ours, found.len());
        let theirs: Vec<_> = theirs.lines().collect();
        assert!(found == theirs, "{}: python has {} faults", form.ours, theirs.len());
    }
}

/// The first issue of many inputs.
#[test]
fn python_stops_where_we_stop() {
    let mut rng = Rng::new(18030);
    let subjects: Vec<_> = FORMS.iter().chain(&SETS).collect();
    let mut inputs =
        |subject: &Subject| (0..150).map(|len| subject.input(&mut rng, len % 40)).collect();
    let inputs: Vec<Vec<_>> = subjects.iter().map(|subject| inputs(subject)).collect();
    let jobs: Vec<_> =
        subjects.iter().zip(&inputs).flat_map(|(subject, inputs)| subject.jobs(inputs)).collect();
    let Some(theirs) = faults("python_stops_where_we_stop", &jobs) else { return };
    let found = subjects.iter().zip(&inputs).flat_map(|(subject, inputs)| subject.first(inputs));
    for ((job, found), theirs) in jobs.iter().zip(found).zip(&theirs) {
        assert_eq!(found, number_behind("", theirs), "{}: {}", job.from, digits(job.bytes));
    }
}

#[test]
fn a_conversion_stops_at_the_first_fault() {
    for subject in FORMS.iter().chain(&SETS) {
        let mut rng = Rng::new(1);
        let inputs: Vec<_> = (20..30).map(|len| subject.input(&mut rng, len)).collect();
        for (bytes, first) in inputs.iter().zip(subject.first(&inputs)) {
            let stop = stop(subject.ours, "wtf-8", bytes).map(|(offset, _)| offset);
            assert_eq!(stop, first, "{}: {}", subject.ours, digits(bytes));
        }
    }
}

/// Our name of an encoding, and Python's, to find the characters that it lacks.
const LACKING: [(&str, &str); 3] =
    [("iso-8859-15", "iso8859-15:faults"), ("koi8-r", "koi8-r:faults"), ("euc-kr", "cp949:faults")];

/// The first code point that an encoding lacks. Python counts code points of four bytes.
#[test]
fn python_lacks_the_same_code_points() {
    let mut rng = Rng::new(5);
    for (ours, to) in LACKING {
        let text = |_| clean(&mut rng, 30, &[1, 1, 1, 1, 2, 3]);
        let bytes = |text: String| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        let inputs: Vec<Vec<u8>> = (0..8).map(text).map(bytes).collect();
        let job = |bytes| Job { from: "utf-32-be", to, bytes };
        let jobs: Vec<_> = inputs.iter().map(|bytes| job(bytes)).collect();
        let Some(theirs) = faults("python_lacks_the_same_code_points", &jobs) else { return };
        for (bytes, theirs) in inputs.iter().zip(theirs) {
            let stop = stop("utf-32be", ours, bytes).map(|(offset, _)| offset);
            let theirs = number_behind("", &theirs).map(|place| 4 * place);
            assert_eq!(stop, theirs, "{ours}: {}", digits(bytes));
        }
    }
}

#[test]
fn iconv_stops_where_we_stop() {
    let iconv = ICONV.called(&["iconv"]);
    if !iconv.is_meant() {
        return skipped("iconv_stops_where_we_stop", "there is no iconv of glibc");
    }
    for form in &FORMS {
        let mut rng = Rng::new(10646);
        for len in 10..25 {
            let bytes = form.input(&mut rng, len);
            let out = iconv.told(&["-f", form.ours, "-t", "utf-16be"], bytes.clone()).unwrap();
            let said = String::from_utf8(out.stderr).unwrap();
            let stop = stop(form.ours, "utf-16be", &bytes);
            // It reports no place for input that ends within a sequence.
            if said.contains("incomplete") {
                assert!(stop.unwrap().1.contains("[truncated-end]"), "{}: {said}", digits(&bytes));
            } else {
                let theirs = number_behind("at position ", &said);
                assert_eq!(stop.map(|(at, _)| at), theirs, "{}: {}", form.ours, digits(&bytes));
            }
        }
    }
}
