//! Differences between a peer's answers and ours.

use std::collections::{HashMap, HashSet};

use utf8::codec::Step;
use utf8::registry::Encoding;

use super::differences::{Difference, points};
use crate::common::digits;

/// A question and two answers.
#[derive(Debug)]
pub struct Answer<'a> {
    place: usize,
    question: &'a [u8],
    ours: &'a [u8],
    theirs: &'a [u8],
}

/// A text in lines, and its line end.
pub type Lines<'a> = (&'a [u8], &'a [u8]);

impl<'a> Answer<'a> {
    /// Returns the questions and answers that matter.
    ///
    /// # Errors
    /// If the number of answers differs from the number of questions.
    pub fn some(
        [questions, ours, theirs]: [Lines<'a>; 3],
        matters: impl Fn(&Answer<'a>) -> bool,
    ) -> Result<Vec<Answer<'a>>, String> {
        let [asked, answered] = [questions, theirs].map(|lines| split(lines).count());
        if asked != answered {
            return Err(format!("{answered} answers to {asked} questions"));
        }
        let all = split(questions).zip(split(ours)).zip(split(theirs)).enumerate();
        let answer = |(place, ((question, ours), theirs))| Answer { place, question, ours, theirs };
        Ok(all.map(answer).filter(matters).collect())
    }

    fn differs(&self) -> bool {
        self.ours != self.theirs
    }

    /// Returns the peer's reading; `None` if it added or dropped a character, or took the lead byte
    /// of a sequence for a number of its own.
    fn text(&self) -> Option<&'a str> {
        let text = std::str::from_utf8(self.theirs).ok()?;
        let behind = text.strip_prefix(char::from(self.question[0])).unwrap_or("");
        let apart = self.question.len() > 1 && !behind.is_empty();
        (!text.is_empty() && !text.contains('\u{FFFD}') && !apart).then_some(text)
    }
}

/// Splits a text into lines; the line end is one code unit.
fn split<'a>((text, end): Lines<'a>) -> impl Iterator<Item = &'a [u8]> {
    let mut from = 0;
    let units = text.chunks_exact(end.len()).enumerate().filter(move |(_, unit)| *unit == end);
    units.map(move |(unit, _)| {
        let at = unit * end.len();
        &text[std::mem::replace(&mut from, at + end.len())..at]
    })
}

/// The bytes that a peer reads differently.
#[derive(Debug, Default)]
pub struct Reading<'a> {
    pub differences: Vec<Difference>,
    /// The bytes that it reads differently.
    otherwise: HashSet<&'a [u8]>,
    /// The bytes as which it should write a text.
    sources: HashMap<&'a str, &'a [u8]>,
}

impl<'a> Reading<'a> {
    /// Compares the answers to the questions.
    pub fn of(texts: [Lines<'a>; 3]) -> Result<Reading<'a>, String> {
        let single = |answer: &Answer<'_>| answer.question.len() == 1;
        let answers = Answer::some(texts, |answer| single(answer) || answer.differs())?;
        let alone = answers.iter().filter(|answer| single(answer));
        let alone: HashMap<_, _> = alone.map(|answer| (answer.question, answer.theirs)).collect();
        let mut reading = Reading::default();
        for answer in answers.iter().filter(|answer| answer.differs()) {
            // A lead byte may be skipped, and the other byte read as if alone.
            let skipped = alone.get(&answer.question[1..]) == Some(&answer.theirs);
            match answer.text().filter(|_| !skipped) {
                None if answer.ours.is_empty() => continue,
                text => reading.add(answer, text),
            }
        }
        Ok(reading)
    }

    fn add(&mut self, answer: &Answer<'a>, text: Option<&'a str>) {
        let Answer { place, question, .. } = *answer;
        self.differences.push(Difference {
            place,
            key: digits(question),
            answer: text.map(points),
        });
        self.otherwise.insert(question);
        if let Some(text) = text {
            self.sources.entry(text).or_insert(question);
        }
    }

    /// Returns the bytes that the peer should write for a text, given our bytes.
    fn inverse(&self, text: &str, ours: &'a [u8]) -> Option<&'a [u8]> {
        if self.otherwise.contains(ours) { self.sources.get(text).copied() } else { Some(ours) }
    }
}

/// The code points that a peer writes differently than its reading implies.
#[derive(Debug, Default)]
pub struct Writing {
    pub differences: Vec<Difference>,
    /// The number of code points with two places of which it takes the other.
    pub elsewhere: usize,
}

impl Writing {
    /// Compares the answers to the questions.
    pub fn of<'a>(
        spec: &Encoding,
        texts: [Lines<'a>; 3],
        reading: &Reading<'a>,
    ) -> Result<Writing, String> {
        let answers = Answer::some(texts, |answer| {
            let asked = [MARK, REPLACEMENT].contains(&answer.question);
            asked || answer.differs() || reading.otherwise.contains(answer.ours)
        })?;
        let substitutes = substitutes(&answers);
        let mut writing = Writing::default();
        for Answer { place, question, ours, theirs } in answers {
            let stands = substitutes.iter().any(|(of, bytes)| *of != question && bytes == theirs);
            let theirs = (!stands).then_some(theirs);
            let text = std::str::from_utf8(question).unwrap();
            if theirs != reading.inverse(text, ours) {
                writing.add(spec, place, text, theirs);
            }
        }
        Ok(writing)
    }

    fn add(&mut self, spec: &Encoding, place: usize, point: &str, theirs: Option<&[u8]>) {
        if theirs.is_some_and(|theirs| reads(spec, theirs, point)) {
            self.elsewhere += 1;
        } else {
            let (key, answer) = (points(point), theirs.map(digits));
            self.differences.push(Difference { place, key, answer });
        }
    }
}

const MARK: &[u8] = b"?";
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Returns the substitutes for code points that the peer lacks, with the code points for which they
/// are right: nothing, one or two question marks, U+FFFD.
fn substitutes(answers: &[Answer<'_>]) -> [(&'static [u8], Vec<u8>); 4] {
    let written = |text: &[u8]| {
        let asked = answers.iter().find(|answer| answer.question == text);
        asked.map_or(Vec::new(), |answer| answer.theirs.to_vec())
    };
    let mark = written(MARK);
    [(b"", vec![]), (b"", mark.repeat(2)), (MARK, mark), (REPLACEMENT, written(REPLACEMENT))]
}

/// Returns `true` if we read bytes as a code point.
fn reads(spec: &Encoding, bytes: &[u8], point: &str) -> bool {
    let value = point.chars().next().map_or(0, u32::from);
    spec.step(bytes) == Step::Scalar { value, len: bytes.len() }
}
