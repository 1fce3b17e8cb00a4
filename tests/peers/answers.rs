//! Which questions does a peer answer otherwise?

use std::collections::{HashMap, HashSet};

use utf8::codec::{Spec, Step};

use crate::differences::{Difference, bytes, points};

/// A question and two answers to it.
#[derive(Debug)]
pub struct Answer<'a> {
    place: usize,
    question: &'a [u8],
    ours: &'a [u8],
    theirs: &'a [u8],
}

impl<'a> Answer<'a> {
    /// The lines of the questions, of our answers and of theirs, each text with its line end.
    ///
    /// # Errors
    /// That there are more or fewer answers than questions.
    pub fn all(texts: [(&'a [u8], &[u8]); 3]) -> Result<Vec<Answer<'a>>, String> {
        let [questions, ours, theirs] = texts.map(|(text, end)| split(text, end));
        if theirs.len() != questions.len() {
            return Err(format!("{} answers to {} questions", theirs.len(), questions.len()));
        }
        let all = questions.into_iter().zip(ours).zip(theirs).enumerate();
        let answer = |(place, ((question, ours), theirs))| Answer { place, question, ours, theirs };
        Ok(all.map(answer).collect())
    }

    /// What the peer has read; nothing if it has put or left something out, or has taken the lead
    /// byte of a sequence for its own number.
    fn text(&self) -> Option<&'a str> {
        let text = std::str::from_utf8(self.theirs).ok()?;
        let behind = text.strip_prefix(char::from(self.question[0])).unwrap_or("");
        let apart = self.question.len() > 1 && !behind.is_empty();
        (!text.is_empty() && !text.contains('\u{FFFD}') && !apart).then_some(text)
    }
}

/// The lines of some bytes, whose code units are as long as their line end.
fn split<'a>(bytes: &'a [u8], end: &[u8]) -> Vec<&'a [u8]> {
    let mut from = 0;
    let units = bytes.chunks_exact(end.len()).enumerate().filter(|(_, unit)| *unit == end);
    let line = |at: usize| &bytes[std::mem::replace(&mut from, at + end.len())..at];
    units.map(|(unit, _)| unit * end.len()).map(line).collect()
}

/// What a peer reads otherwise than we do.
#[derive(Debug, Default)]
pub struct Reading<'a> {
    pub differences: Vec<Difference>,
    /// The bytes that it reads otherwise.
    otherwise: HashSet<&'a [u8]>,
    /// As which of them it should write a text.
    sources: HashMap<&'a str, &'a [u8]>,
}

impl<'a> Reading<'a> {
    pub fn of(answers: &[Answer<'a>]) -> Reading<'a> {
        let mut reading = Reading::default();
        let single = answers.iter().filter(|answer| answer.question.len() == 1);
        let single: HashMap<_, _> = single.map(|answer| (answer.question, answer.theirs)).collect();
        for answer in answers.iter().filter(|answer| answer.ours != answer.theirs) {
            // A lead byte may be skipped, and the other read as if it stood alone.
            let skipped = single.get(&answer.question[1..]) == Some(&answer.theirs);
            match answer.text().filter(|_| !skipped) {
                None if answer.ours.is_empty() => continue,
                text => reading.differs(answer, text),
            }
        }
        reading
    }

    fn differs(&mut self, answer: &Answer<'a>, text: Option<&'a str>) {
        let Answer { place, question, .. } = *answer;
        self.differences.push(Difference { place, key: bytes(question), answer: text.map(points) });
        self.otherwise.insert(question);
        if let Some(text) = text {
            self.sources.entry(text).or_insert(question);
        }
    }

    /// What the peer should then write for this text, for which we write these bytes.
    fn inverse(&self, text: &str, ours: &'a [u8]) -> Option<&'a [u8]> {
        if self.otherwise.contains(ours) { self.sources.get(text).copied() } else { Some(ours) }
    }
}

/// What a peer writes otherwise than follows from what it reads.
#[derive(Debug, Default)]
pub struct Writing {
    pub differences: Vec<Difference>,
    /// How many code points have two places, of which it takes the other.
    pub elsewhere: usize,
}

impl Writing {
    pub fn of(spec: &Spec, answers: &[Answer<'_>], reading: &Reading<'_>) -> Writing {
        let mut writing = Writing::default();
        let substitutes = substitutes(answers);
        for answer in answers {
            let Answer { question, theirs, .. } = *answer;
            let stands = substitutes.iter().any(|(of, bytes)| *of != question && bytes == theirs);
            let theirs = (!stands).then_some(theirs);
            let text = std::str::from_utf8(question).unwrap();
            if theirs != reading.inverse(text, answer.ours) {
                writing.differs(spec, answer.place, text, theirs);
            }
        }
        writing
    }

    fn differs(&mut self, spec: &Spec, place: usize, point: &str, theirs: Option<&[u8]>) {
        if theirs.is_some_and(|theirs| reads(spec, theirs, point)) {
            self.elsewhere += 1;
        } else {
            let (key, answer) = (points(point), theirs.map(bytes));
            self.differences.push(Difference { place, key, answer });
        }
    }
}

/// What may stand for a code point that the peer lacks, and of which it is the right answer:
/// nothing, one question mark or two, U+FFFD.
fn substitutes(answers: &[Answer<'_>]) -> [(&'static [u8], Vec<u8>); 4] {
    let written = |text: &[u8]| {
        let asked = answers.iter().find(|answer| answer.question == text);
        asked.map_or(Vec::new(), |answer| answer.theirs.to_vec())
    };
    let replacement = "\u{FFFD}".as_bytes();
    let mark = written(b"?");
    [(b"", vec![]), (b"", mark.repeat(2)), (b"?", mark), (replacement, written(replacement))]
}

/// Whether we, too, read these bytes as this code point.
fn reads(spec: &Spec, bytes: &[u8], point: &str) -> bool {
    let value = point.chars().next().map_or(0, u32::from);
    (spec.step)(bytes) == Step::Scalar { value, len: bytes.len() }
}
