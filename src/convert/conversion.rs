//! The state of an output into which inputs are converted.

use std::ops::Range;

use super::escape_collisions::EscapeCollisions;
use super::{ConvertOptions, ExtraMark, PolicyCounts};
use crate::codec::{BOM, TextWriter};
use crate::finding::stop::StopReason;
use crate::kernel::Kernels;
use crate::output::Output;
use crate::policy::{Bom, Policy, REPLACEMENT};
use crate::registry::Encoding;

/// Number of code points per block; a block fits in the first-level cache.
const BLOCK: usize = 2048;

/// The state of an output into which inputs are converted one after another.
pub struct Conversion {
    pub(super) kernels: &'static Kernels,
    pub(super) options: ConvertOptions,
    pub(super) writer: Box<dyn TextWriter>,
    /// True until the first input with text decides on the byte order mark.
    bom_undecided: bool,
    /// True until something is written at the start of a text.
    pub(super) is_at_start: bool,
    pub(super) values: Vec<u32>,
    pub(super) replacement: Vec<u32>,
    /// True if the target lacks characters of the escapes that the policy writes.
    lacks_escapes: bool,
    pub(super) collisions: Option<EscapeCollisions>,
    pub(super) input: ConvertProgress,
}

impl Conversion {
    /// Creates the state of an empty output.
    pub fn new(kernels: &'static Kernels, options: ConvertOptions) -> Conversion {
        Conversion {
            kernels,
            options,
            writer: options.target.writer(options.escapes),
            bom_undecided: options.bom.is_some(),
            is_at_start: true,
            values: vec![0; BLOCK],
            replacement: Vec::new(),
            lacks_escapes: matches!(options.policy, Policy::BackslashReplace | Policy::Escape(_))
                && options.policy.lacking(options.target).is_some(),
            collisions: options.target.inner.escape.map(EscapeCollisions::new),
            // Until the first input begins.
            input: ConvertProgress::new(options.target, 0..0),
        }
    }

    /// Begins an input in this codec, of which a range is converted. Only a range at the start has a
    /// byte order mark, so that those of the other ranges can follow it.
    pub(crate) fn begin(&mut self, source: &'static Encoding, range: Range<u64>) {
        if range.start > 0 || range.is_empty() {
            self.writer.sign(false);
            self.bom_undecided = false;
            self.is_at_start = false;
        }
        self.input = ConvertProgress::new(source, range);
    }

    /// Begins an input within its text, at the start of a line.
    pub(super) fn resume_at_line(&mut self, source: &'static Encoding) {
        self.begin(source, 0..u64::MAX);
        self.input.started = true;
        self.input.counts.has_text = true;
        self.is_at_start = false;
        self.writer.restart();
    }

    /// Returns the reason if the conversion of the input stopped early.
    pub(crate) fn stop(&self) -> Option<&StopReason> {
        self.input.stop.as_ref()
    }

    /// Writes the bytes that end the text, after the last input. Returns their number: they are the
    /// last in the buffer of the output.
    pub fn finish(mut self, out: &mut Output) -> usize {
        let before = out.buffer().len();
        self.decide_bom(false);
        self.writer.finish(out.buffer());
        out.buffer().len() - before
    }

    /// Returns the number of escaped bytes that form characters together, and so do not read back
    /// as escapes.
    pub fn joined_escapes(&self) -> u64 {
        self.collisions.as_ref().map_or(0, EscapeCollisions::count)
    }

    /// Decides on the byte order mark at the start of an input. Returns `true` if the U+FEFF of the
    /// input, if it has one, is consumed.
    pub(super) fn decide_bom(&mut self, has_bom: bool) -> bool {
        let Some(bom) = self.options.bom else { return false };
        let writes_bom = match bom {
            Bom::Keep => has_bom && self.options.target.can_encode(BOM),
            Bom::Remove => false,
            Bom::Add => true,
        };
        if std::mem::take(&mut self.bom_undecided) {
            self.writer.sign(writes_bom);
        }
        has_bom && (writes_bom || bom == Bom::Remove)
    }

    /// Writes code points up to the first that the target cannot encode. Returns their number.
    pub(super) fn store(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let before = out.len();
        let stored = self.writer.store(self.kernels, values, out);
        if self.is_at_start {
            let target = self.options.target;
            let written = &out[before..];
            self.is_at_start = written.is_empty();
            // A noncharacter would be read as a byte order mark of the other order.
            let signature = target.inner.signature;
            if target.after_bom(written).is_some() && !written.starts_with(signature) {
                out.splice(before..before, signature.iter().copied());
            }
        }
        if let Some(collisions) = &mut self.collisions {
            collisions.record(&values[..stored]);
        }
        stored
    }

    /// Writes a replacement, with `?` for U+FFFD if the target lacks that. Returns the number of
    /// code points up to the first that the target cannot encode. An escape is written whole or not
    /// at all.
    pub(super) fn store_replacement(&mut self, values: &[u32], out: &mut Vec<u8>) -> usize {
        let lacks = |&value: &u32| !self.options.target.can_encode(value);
        if self.lacks_escapes
            && let Some(at) = values.iter().position(lacks)
        {
            return at;
        }
        let mut at = 0;
        loop {
            at += self.store(&values[at..], out);
            match values.get(at) {
                Some(&REPLACEMENT) if self.store(&['?'.into()], out) == 1 => at += 1,
                _ => return at,
            }
        }
    }
}

impl std::fmt::Debug for Conversion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversion").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The state of the conversion of one input.
pub(super) struct ConvertProgress {
    /// The codec of the text: the named one, or the one that a signature selects.
    pub(super) codec: &'static Encoding,
    pub(super) range: Range<u64>,
    pub(super) started: bool,
    /// True if the input starts with a signature, or with U+FEFF twice.
    pub(super) has_other_mark: bool,
    pub(super) extra_mark: Option<ExtraMark>,
    pub(super) counts: PolicyCounts,
    pub(super) stop: Option<StopReason>,
}

impl ConvertProgress {
    fn new(source: &'static Encoding, range: Range<u64>) -> ConvertProgress {
        ConvertProgress {
            codec: source,
            range,
            started: false,
            has_other_mark: false,
            extra_mark: None,
            counts: PolicyCounts::default(),
            stop: None,
        }
    }
}
