//! The first bytes of an input, and the encoding that they seem to be in, for advice in messages.

use std::io;
use std::ops::ControlFlow;

use super::auto::LEAST_PROBABILITY;
use super::inputs::NamedInput;
use crate::codec::Group;
use crate::detect::{Answer, Detection, EvidenceOptions, EvidenceSink, is_binary_format};
use crate::finding::line_terminator::LineTerminator;
use crate::issue::{Class, Issue};
use crate::kernel;
use crate::os::{calls, fill_at};
use crate::policy::Policy;
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{Run, Sink};
use crate::source::HEAD;
use crate::validate::declaration::differs;

/// The number of bytes at the end of a full block that are examined only as the rest of a sequence:
/// one that starts there may go on after the block.
const TAIL: usize = 5;

/// The number of bytes at the start of a file that tell known binary formats.
const SIGNATURE: usize = 64;

/// The confidence from which on an answer is certain: it contradicts an encoding that is named, and the
/// repair of a damaged file is the next command.
pub(super) const CERTAIN: f64 = 0.95;

/// The first bytes of the range of an input, up to [`HEAD`].
#[derive(Debug, Default)]
pub(super) struct FirstBlock {
    /// The offset of the first byte.
    pub offset: u64,
    pub bytes: Vec<u8>,
}

impl FirstBlock {
    /// Reads the first block of a regular file; of other inputs, nothing.
    pub fn read(input: NamedInput<'_>) -> FirstBlock {
        FirstBlock::read_some(input, HEAD)
    }

    /// Reads as much of the first block as tells whether the file is in a known binary format.
    pub fn read_signature(input: NamedInput<'_>) -> FirstBlock {
        FirstBlock::read_some(input, SIGNATURE)
    }

    /// Reads the start of the first block.
    fn read_some(input: NamedInput<'_>, most: usize) -> FirstBlock {
        // An incomplete block is still advice.
        let opened;
        let file = match input {
            NamedInput::Opened(_, file) => &**file,
            NamedInput::InTree(found) => &*found.file,
            // The writer of a FIFO would find its reader gone.
            NamedInput::File(path, _) if path.is_file() => match calls::open_nonblocking(path) {
                Ok(file) => {
                    opened = file;
                    &opened
                }
                Err(_) => return FirstBlock::default(),
            },
            _ => return FirstBlock::default(),
        };
        let mut bytes = vec![0; most];
        let len = fill_at(file, &mut bytes, 0).unwrap_or(0);
        bytes.truncate(len);
        FirstBlock { offset: 0, bytes }
    }

    /// Passes the block to a sink as text in a codec.
    fn scan(&self, codec: &Encoding, sink: &mut dyn Sink) {
        let chunk = Chunk { bytes: &self.bytes, offset: self.offset, last: true };
        // The sinks return no errors.
        let _ = codec.open(self.offset).scan(kernel::best(), chunk, sink);
    }

    fn detect(&self) -> Detection {
        let cut = if self.bytes.len() < HEAD { 0 } else { TAIL };
        let range = self.offset..self.offset + (self.bytes.len() - cut) as u64;
        let options = EvidenceOptions { evidence: true, ..EvidenceOptions::default() };
        let mut sink = EvidenceSink::new(kernel::best(), range, options);
        self.scan(Encoding::UTF_8, &mut sink);
        sink.finish()
    }

    /// Returns the evidence of damage, if the block is likely damaged UTF-8.
    pub fn damage(&self) -> Option<Detection> {
        Some(self.detect()).filter(|found| matches!(found.answer, Answer::Damaged))
    }

    /// Returns `true` if the block is shorter than [`HEAD`]: of a regular file, it is all.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() < HEAD
    }

    /// Returns the code page of stray bytes among UTF-8.
    pub fn stray_page(&self) -> Option<&'static Encoding> {
        self.detect().evidence.fallback_page()
    }

    /// Returns the codec that the block is likely to be in.
    pub fn likely_codec(&self) -> Option<&'static Encoding> {
        self.codec(LEAST_PROBABILITY)
    }

    /// Returns the codec that the block is in, with at least this confidence.
    fn codec(&self, least: f64) -> Option<&'static Encoding> {
        let found = self.detect();
        match found.answer {
            Answer::Codec(codec) if found.confidence >= least => Some(codec),
            _ => None,
        }
    }

    /// Returns `true` if the block, of text in a codec, has a NUL that marks it as binary.
    pub fn has_nul(&self, codec: &Encoding) -> bool {
        codec.has_byte_units() && self.bytes.contains(&0)
    }

    /// Returns `true` if the block, of text in a codec, has text after a CR, and no LF.
    pub fn has_lines_of_cr_alone(&self, codec: &Encoding) -> bool {
        let (cr, lf) = (LineTerminator::carriage_return(codec), LineTerminator::of(codec));
        let mut units = self.bytes.chunks_exact(cr.len());
        let has_no_lf = units.clone().all(|unit| unit != lf.as_bytes());
        has_no_lf && units.any(|unit| unit == cr) && units.next().is_some()
    }

    /// Returns the codec of the block if it has NULs that are no characters, as UTF-16 has.
    pub fn wide_codec(&self) -> Option<&'static Encoding> {
        self.codec(0.0).filter(|codec| !codec.has_byte_units())
    }

    /// Returns UTF-16 or UTF-32 if the block, of text in a codec, is likely to be text in that. The first
    /// characters have NULs, if any are ASCII.
    pub fn code_units(&self, codec: &Encoding) -> Option<&'static Encoding> {
        let start = &self.bytes[..self.bytes.len().min(SIGNATURE)];
        let has_nul = codec.has_byte_units() && start.contains(&0);
        has_nul.then(|| self.likely_codec()).flatten().filter(|codec| !codec.has_byte_units())
    }

    /// Returns `true` if the block is the start of a file in a known binary format.
    pub fn is_binary_format(&self) -> bool {
        self.offset == 0 && is_binary_format(&self.bytes)
    }

    /// Returns the detected encoding if the block, which has ill-formed sequences, is something else
    /// than damaged text in a codec of the family of UTF-8.
    pub fn foreign_encoding(&self, codec: &'static Encoding) -> Option<Detection> {
        let mut counts = HighByteCounts::default();
        self.scan(codec, &mut counts);
        if counts.all >= 2 * counts.ill_formed || 3 * counts.complete > counts.ill_formed {
            return None;
        }
        let found = self.detect();
        let is_foreign = match found.answer {
            Answer::Damaged => false,
            Answer::Codec(codec) if codec.inner.utf8 || codec.name == "us-ascii" => false,
            Answer::Binary => true,
            // Stray bytes in long ASCII text say little of an encoding.
            _ => found.confidence >= LEAST_PROBABILITY || 4 * counts.ill_formed > self.bytes.len(),
        };
        is_foreign.then_some(found)
    }

    /// Returns the encoding that the block is in, which is not damaged text of the family of UTF-8, if
    /// that is as likely as `--from auto` needs: the policy would lose its text. None if it is the same text in
    /// the page in which the policy reads ill-formed bytes.
    pub fn likely_foreign(
        &self,
        codec: &'static Encoding,
        policy: Policy,
    ) -> Option<&'static Encoding> {
        let found = self.foreign_encoding(codec)?;
        let Answer::Codec(foreign) = found.answer else { return None };
        let is_other = match policy {
            Policy::Fallback(page) => foreign.properties.stateful || self.differs(page, foreign),
            _ => true,
        };
        (found.confidence >= LEAST_PROBABILITY && is_other).then_some(foreign)
    }

    /// Returns `true` if the block is not the same text in two encodings, which have no shift states.
    fn differs(&self, codec: &Encoding, other: &Encoding) -> bool {
        match (codec.inner.unit, other.inner.unit) {
            (1, 1) => differs(other, codec, &self.bytes),
            (unit, other) => unit != other,
        }
    }

    /// Returns the encoding that the block is certainly in, if it is other text in this one.
    pub fn other_encoding(&self, codec: &'static Encoding) -> Option<&'static Encoding> {
        let other = self.codec(CERTAIN)?;
        let is_comparable = !codec.properties.stateful && !other.properties.stateful;
        (is_comparable && self.differs(codec, other)).then_some(other)
    }

    /// Returns the encoding that the block is certainly in, if it is text of code units that a codec reads
    /// in another byte order.
    pub fn in_other_order(&self, codec: &'static Encoding) -> Option<&'static Encoding> {
        if codec.has_byte_units() {
            return None;
        }
        let other = self.codec(CERTAIN)?;
        let read_as = |codec: &'static Encoding| codec.after_bom(&self.bytes).unwrap_or(codec);
        let (read, other) = (read_as(codec), read_as(other));
        let is_other = |unit: &[u8]| read.step(unit).values() != other.step(unit).values();
        let size = read.inner.unit;
        let differs = other.inner.unit == size && self.bytes.chunks_exact(size).any(is_other);
        differs.then_some(other)
    }

    /// Returns the likely reason why a policy had to treat ill-formed sequences of a codec, and the
    /// option or command that avoids it. `reads` returns the one that reads the input in the encoding of
    /// a name.
    pub fn advice(
        &self,
        codec: &'static Encoding,
        policy: Policy,
        reads: impl FnOnce(&str) -> String,
    ) -> Option<String> {
        let found = match codec.group {
            Group::Family => self.foreign_encoding(codec),
            _ => Some(self.detect()),
        };
        let is_likely = found.as_ref().is_none_or(|found| found.confidence >= LEAST_PROBABILITY);
        let fits = |other: &Encoding| {
            other.name == codec.name
                || other.name == "us-ascii"
                || matches!(policy, Policy::Fallback(page) if page.name == other.name)
                || codec.after_bom(&self.bytes).is_some_and(|read| read.name == other.name)
        };
        match found.as_ref().map(|found| found.answer) {
            _ if !is_likely => None,
            Some(Answer::Codec(other)) if !fits(other) => {
                Some(format!("looks like {} ({})", other.name, reads(other.name)))
            }
            Some(Answer::Binary) if codec.group == Group::Family => {
                Some("looks like binary data".to_owned())
            }
            Some(answer @ Answer::Foreign(_)) => Some(format!("looks like {}", answer.name())),
            None if codec.inner.utf8 && !matches!(policy, Policy::Fallback(_)) => {
                let found = self.detect();
                let is_damaged = matches!(found.answer, Answer::Damaged);
                let page = found.evidence.fallback_page()?.name;
                (is_damaged && found.confidence >= LEAST_PROBABILITY)
                    .then(|| format!("some of it looks like {page} (--fallback {page})"))
            }
            _ => None,
        }
    }
}

/// Counts of the bytes beyond ASCII.
#[derive(Default)]
struct HighByteCounts {
    all: usize,
    /// Those in ill-formed sequences.
    ill_formed: usize,
    /// Those in overlong forms, surrogates and values above the maximum: all bytes of a sequence, as
    /// encoders of other rules write them. In a legacy encoding, few combine by chance.
    complete: usize,
}

fn high_bytes(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !byte.is_ascii()).count()
}

impl Sink for HighByteCounts {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.all += high_bytes(run.bytes);
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        let high = high_bytes(bytes);
        self.all += high;
        self.ill_formed += high;
        if high > 1
            && matches!(issue.kind.class(), Class::Overlong | Class::Surrogate | Class::Range)
        {
            self.complete += high;
        }
        Ok(ControlFlow::Continue(()))
    }
}
