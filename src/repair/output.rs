//! What is written of a repair, and what is said of it?

use std::io;

use super::note::SkippedRepair;
use super::{REPAIRS, RepairReasons, RepairRow, SegmentReceiver, TextSegment};
use crate::codec::family::Rfc2279;
use crate::codec::{Codec, Escapes, Step, TextWriter};
use crate::finding::fault::StopReason;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::registry::Encoding;

/// For how many bytes behind an ill-formed sequence others are expected.
const DENSE: usize = 4 << 10;

/// Something that was changed.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The offset of its first byte in the source.
    pub offset: u64,
    /// The offset of what stands for it in what is written for this input.
    pub written: u64,
    /// Its bytes in the source; none, where something is put in.
    pub before: &'a [u8],
    /// How many bytes more of the source it is, which are left out and not at hand.
    pub unseen: u64,
    /// The bytes that are written in their place; none, where they are left out.
    pub after: &'a [u8],
    /// Why.
    pub reasons: RepairReasons,
}

/// Keeps a record of changes.
pub trait Journal {
    /// These bytes are copied as they are.
    ///
    /// # Errors
    /// Those of writing.
    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let _ = (offset, bytes);
        Ok(())
    }

    /// This is changed.
    ///
    /// # Errors
    /// Those of writing.
    fn change(&mut self, change: &Change<'_>) -> io::Result<()>;

    /// This was considered, and left. Only where the plan asks for notes.
    ///
    /// # Errors
    /// Those of writing.
    fn note(&mut self, note: &SkippedRepair<'_>) -> io::Result<()> {
        let _ = note;
        Ok(())
    }
}

/// What was done to an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepairSummary {
    /// How many changes were made, as far as they were counted.
    pub changes: u64,
    /// Of how many changes each was a reason, in the order of [`REPAIRS`].
    by_reason: [u64; REPAIRS.len()],
    /// How many bytes were read.
    pub read: u64,
    /// How many bytes stand for them.
    pub written: u64,
    /// What nothing could stand for, and ended the repair.
    pub fault: Option<StopReason>,
    /// Whether there is a U+0000 in it, as in files that are no text. Only where the plan asks.
    pub binary: bool,
}

impl RepairSummary {
    /// Of how many changes each was a reason that was one, in the order of [`REPAIRS`].
    pub fn by_reason(&self) -> impl Iterator<Item = (&'static RepairRow, u64)> {
        REPAIRS.iter().zip(self.by_reason).filter(|&(_, number)| number > 0)
    }
}

/// Where the output of a repair goes, and what it is there.
#[derive(Default)]
pub struct RepairTarget<'a> {
    /// What is written to; nothing, where a repair is only tried.
    pub to: Option<&'a mut Output>,
    /// What is told of each change.
    pub journal: Option<&'a mut dyn Journal>,
    /// Whether other inputs were written there before this.
    pub joined: bool,
    /// Whether nobody asks how many changes there were, if it is written to, nor how long what is
    /// left out behind a cut.
    pub uncounted: bool,
}

/// The end of the chain: what is written, and what is said of it.
pub(crate) struct RepairOutput<'a> {
    pub to: Option<&'a mut Output>,
    journal: Option<&'a mut dyn Journal>,
    /// The codec of the text: the one that was named, or what a signature has told.
    pub text: &'static Encoding,
    /// Writes all of the text anew, where bytes mean nothing without those before them.
    anew: Option<Box<dyn TextWriter>>,
    room: Vec<u8>,
    pub account: RepairSummary,
}

impl Change<'_> {
    /// How many bytes of the source it is.
    pub fn length(&self) -> u64 {
        self.before.len() as u64 + self.unseen
    }
}

impl SegmentReceiver for RepairOutput<'_> {
    fn take(&mut self, piece: &TextSegment<'_>) -> io::Result<()> {
        self.account.read += piece.before.len() as u64;
        if piece.reasons.is_empty() && self.anew.is_none() {
            return self.same(piece.offset, piece.before);
        }
        if self.is_spelt() {
            return self.spelt(piece, piece.after);
        }
        let mut spelt = std::mem::take(&mut self.room);
        spelt.clear();
        self.spell(piece.after, &mut spelt);
        let taken = self.spelt(piece, &spelt);
        self.room = spelt;
        taken
    }

    fn cut(&mut self, piece: &TextSegment<'_>, unseen: u64) -> io::Result<()> {
        self.account.read += piece.before.len() as u64 + unseen;
        if self.is_spelt() {
            return self.change(piece, unseen, piece.after);
        }
        let mut spelt = Vec::new();
        self.spell(piece.after, &mut spelt);
        self.change(piece, unseen, &spelt)
    }

    fn note(&mut self, note: &SkippedRepair<'_>) -> io::Result<()> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.note(note))
    }
}

impl<'a> RepairOutput<'a> {
    /// What is written of text of this codec: `anew`, or only what was changed in it.
    pub fn new(outlet: RepairTarget<'a>, text: &'static Encoding, anew: bool) -> RepairOutput<'a> {
        let anew = anew.then(|| {
            let mut writer = (text.write)(Escapes::Usual);
            writer.sign(false);
            writer
        });
        let (room, account) = Default::default();
        RepairOutput { to: outlet.to, journal: outlet.journal, text, anew, room, account }
    }

    /// Whether the text of a piece is in the codec already.
    fn is_spelt(&self) -> bool {
        self.text.utf8 && self.anew.is_none()
    }

    /// Take a piece that is spelt so.
    fn spelt(&mut self, piece: &TextSegment<'_>, spelt: &[u8]) -> io::Result<()> {
        match piece.reasons.is_empty() || spelt == piece.before {
            true => self.same(piece.offset, spelt),
            false => self.change(piece, 0, spelt),
        }
    }

    fn same(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.same(offset, bytes)?;
        }
        self.write(bytes)
    }

    fn change(&mut self, piece: &TextSegment<'_>, unseen: u64, after: &[u8]) -> io::Result<()> {
        let TextSegment { offset, before, reasons, .. } = *piece;
        self.account.changes += 1;
        for row in reasons.rows() {
            self.account.by_reason[row.reason as usize] += 1;
        }
        if let Some(journal) = &mut self.journal {
            let written = self.account.written;
            journal.change(&Change { offset, written, before, unseen, after, reasons })?;
        }
        self.write(after)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.account.written += bytes.len() as u64;
        self.to.as_mut().map_or(Ok(()), |to| to.copy(bytes))
    }

    /// Write text of strict UTF-8 with what stands in for each maximal subpart that is ill-formed.
    /// Returns how many bytes of it, of which the last may wait for more.
    pub fn lossy(&mut self, kernels: &Kernels, text: &[u8], stand_in: &[u8]) -> io::Result<usize> {
        let mut at = 0;
        loop {
            let clean = kernels.utf8(&text[at..]);
            self.write(&text[at..at + clean])?;
            at += clean;
            let Some(to) = &mut self.to else { break };
            let before = to.buffer().len();
            let block = &text[at..text.len().min(at + DENSE)];
            let read = kernels.lossy(block, stand_in, to.buffer());
            self.account.written += (to.buffer().len() - before) as u64;
            to.settle()?;
            at += read;
            if read == 0 {
                break;
            }
        }
        self.account.read += at as u64;
        Ok(at)
    }

    /// Append a text in the codec. What that lacks is `?`.
    fn spell(&mut self, text: &[u8], out: &mut Vec<u8>) {
        match &mut self.anew {
            Some(writer) => put(writer.as_mut(), text, out),
            None => spell(self.text, text, out),
        }
    }

    /// All pieces are taken.
    pub fn end(&mut self) -> io::Result<()> {
        let Some(mut writer) = self.anew.take() else { return Ok(()) };
        let mut rest = Vec::new();
        writer.finish(&mut rest);
        self.write(&rest)
    }
}

/// Whether a codec has all of a text.
pub(super) fn holds(codec: &Encoding, text: &str) -> bool {
    text.chars().all(|value| codec.holds(value.into()))
}

/// Append a text in a codec, by itself. What the codec lacks is `?`.
pub(crate) fn spell(codec: &Encoding, text: &[u8], out: &mut Vec<u8>) {
    let mut writer = (codec.write)(Escapes::Usual);
    writer.sign(false);
    put(writer.as_mut(), text, out);
    if !text.is_empty() {
        writer.finish(out);
    }
}

/// Write a text, and `?` for what the codec lacks.
pub(crate) fn put(writer: &mut dyn TextWriter, text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Step::Scalar { value, len } = Rfc2279::step(&mut Rfc2279::start(1), &text[at..], true)
    {
        if !writer.put(value, out) {
            writer.put('?'.into(), out);
        }
        at += len;
    }
}
