//! Content of a file before its conversion in place: text to convert, text that is in the target
//! encoding already, or binary data.

use std::io;

use super::InputConverter;
use crate::cli::args::{BomArg, FromCodec};
use crate::cli::content_probe::{ContentProbe, SequenceCounts, has_ascii, starts_wide};
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::NamedInput;
use crate::codec::Group;
use crate::policy::Policy;
use crate::registry::Encoding;
use crate::sink::IssueKeeper;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileContent {
    Text,
    /// Text that is in the target encoding already.
    Converted,
    /// Data in a known binary format, or with NUL, which text in the source encoding does not have.
    /// NUL counts in the whole file: one that is rewritten is not only judged by its start.
    Binary,
    /// Text without NUL, which text in the source encoding, of this name, has.
    Foreign(&'static str),
    /// Text in this encoding, whose code units the source encoding reads in another byte order.
    Reversed(&'static Encoding),
    /// Text that is in the target encoding already but for some damage.
    Damaged,
}

impl InputConverter<'_> {
    /// Returns the message for an input that `--output` would replace although it is in the target
    /// encoding already. With `--from auto`, the encoding is detected anew.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn describe_refusal(&mut self, input: NamedInput<'_>) -> io::Result<Option<String>> {
        let args = self.args;
        let may_convert = args.reconvert || args.input.is_auto();
        if may_convert
            || args.input.hex
            || !args.input.is_whole()
            || !matches!(input, NamedInput::File(..))
            || !args.output.replaces(input)
        {
            return Ok(None);
        }
        Ok(match self.examine(input)? {
            FileContent::Converted => Some(self.describe_converted("it")),
            FileContent::Damaged => Some(self.describe_damaged(input, "unchanged")),
            _ => None,
        })
    }

    /// Examines a file, in a pass of its own.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn examine(&mut self, file: NamedInput<'_>) -> io::Result<FileContent> {
        let (args, target) = (self.args, self.options.target);
        // A detected encoding may have units of any size.
        let source = Some(self.reader.codec).filter(|_| args.input.from.is_none_or(is_named));
        let has_byte_units = source.is_some_and(Encoding::has_byte_units);
        let skips_binary = args.in_place.is_wanted() && !args.binary;
        let searches_nul = skips_binary && has_byte_units;
        if searches_nul && FirstBlock::read_signature(file).is_binary_format() {
            return Ok(FileContent::Binary);
        }
        let named = source.filter(|_| !args.reconvert);
        let start = named.and_then(|source| examine_start(file, source, target));
        if let Some(content) = start.filter(|it| *it != FileContent::Binary || skips_binary) {
            return Ok(content);
        }
        if let Some(source) = named.filter(|source| !source.has_byte_units())
            && let Some(other) = FirstBlock::read(file).in_other_order(source)
        {
            return Ok(FileContent::Reversed(other));
        }
        if named.is_some_and(|source| self.may_repeat(source)) && self.is_no_source(file)? {
            return Ok(FileContent::Converted);
        }
        let judges = !args.reconvert && target.group == Group::Family;
        let mut probe = ContentProbe {
            searches_nul,
            ignores_nul: has_byte_units && !searches_nul,
            judges,
            // In legacy text, few bytes combine to sequences by chance.
            finds_damage: judges && named.is_some_and(is_legacy),
            expects_nul: named.is_some_and(|source| !source.has_byte_units()),
            is_plain: named.is_some_and(|source| !has_ascii(source) && has_ascii(target)),
            ..ContentProbe::default()
        };
        if !probe.searches_nul && !probe.judges && !probe.expects_nul && !probe.is_plain {
            return Ok(FileContent::Text);
        }
        self.reader.examine(
            file,
            if probe.judges { target } else { Encoding::UTF_8 },
            &mut probe,
        )?;
        if probe.nul && probe.searches_nul {
            return Ok(FileContent::Binary);
        }
        if !probe.has_text {
            return Ok(FileContent::Text);
        }
        if probe.is_plain || self.is_converted(&probe, source, file)? {
            return Ok(FileContent::Converted);
        }
        if probe.counts.are_damaged() {
            return Ok(FileContent::Damaged);
        }
        match named.filter(|_| probe.expects_nul && !probe.nul) {
            Some(source) if !starts_wide(file, source) => Ok(FileContent::Foreign(source.name)),
            _ => Ok(FileContent::Text),
        }
    }

    /// Returns `true` if a file is text beyond ASCII in the target encoding, UTF-8 or a relative.
    fn is_converted(
        &mut self,
        probe: &ContentProbe,
        source: Option<&'static Encoding>,
        file: NamedInput<'_>,
    ) -> io::Result<bool> {
        let (args, target) = (self.args, self.options.target);
        let ContentProbe { judges, signed, nul, ill_formed, beyond_ascii, .. } = *probe;
        if !judges || !beyond_ascii || ill_formed {
            return Ok(false);
        }
        // UTF-16 can be well-formed in the target by accident, but not without NUL. Converted text
        // may contain U+0000, and does not start like UTF-16 then.
        if nul && source.is_none_or(|source| source.has_byte_units() || starts_wide(file, source)) {
            return Ok(false);
        }
        if signed && target.inner.signs {
            return Ok(true);
        }
        // The encoding may be detected anew: a BOM can still be added or removed.
        let changes_bom = !matches!(args.bom, None | Some(BomArg::Keep));
        match source {
            None => Ok(!changes_bom && signed == target.inner.signs),
            Some(_) => Ok(!self.reads_as_text(source, file)?),
        }
    }

    /// Returns `true` if another run over converted text would replace what the first has written:
    /// text in a legacy encoding, read as UTF-8 or a relative, with a policy for ill-formed
    /// sequences.
    pub(super) fn may_repeat(&self, source: &Encoding) -> bool {
        let target = self.options.target;
        let is_plain = !target.properties.stateful && has_ascii(target);
        let is_strict = self.options.policy == Policy::Strict;
        source.group == Group::Family && is_legacy(target) && is_plain && !is_strict
    }

    /// Returns `true` if a file is hardly text in the source encoding, and well-formed in the target.
    fn is_no_source(&mut self, file: NamedInput<'_>) -> io::Result<bool> {
        let mut counts = SequenceCounts::default();
        self.reader.examine(file, self.reader.codec, &mut counts)?;
        if counts.ill_formed == 0 || counts.are_damaged() {
            return Ok(false);
        }
        let mut first = IssueKeeper(None);
        self.reader.examine(file, self.options.target, &mut first)?;
        Ok(first.0.is_none())
    }

    /// Returns `true` if a file in the target encoding is also well-formed in the source encoding,
    /// which is a relative of UTF-8 or a notation: its conversion loses nothing.
    fn reads_as_text(
        &mut self,
        source: Option<&'static Encoding>,
        file: NamedInput<'_>,
    ) -> io::Result<bool> {
        let alike = |source: &&Encoding| matches!(source.group, Group::Family | Group::Notation);
        let Some(source) = source.filter(alike) else { return Ok(false) };
        let mut first = IssueKeeper(None);
        self.reader.examine(file, source, &mut first)?;
        Ok(first.0.is_none())
    }
}

/// Returns `true` for a legacy encoding of bytes.
fn is_legacy(encoding: &Encoding) -> bool {
    encoding.has_byte_units() && !matches!(encoding.group, Group::Family | Group::Notation)
}

/// Returns `true` unless the encoding is to be detected.
fn is_named(from: FromCodec) -> bool {
    matches!(from, FromCodec::Codec(_))
}

/// Examines the start of a file for encodings that announce themselves: those with units of several
/// bytes, and those with shift sequences. Returns `None` if it may be in the source encoding.
fn examine_start(
    file: NamedInput<'_>,
    source: &'static Encoding,
    target: &'static Encoding,
) -> Option<FileContent> {
    let is_stateful = target.properties.stateful && source.name != target.name;
    if target.has_byte_units() && !is_stateful {
        return None;
    }
    let block = FirstBlock::read(file);
    let found = block.likely_codec().or_else(|| block.wide_codec())?;
    let reads = |codec: &'static Encoding| {
        let read = codec.after_bom(&block.bytes).unwrap_or(codec).inner;
        let found = found.after_bom(&block.bytes).unwrap_or(found).inner;
        (read.unit, read.signature) == (found.unit, found.signature)
    };
    let is_signed = target.inner.signs && target.after_bom(&block.bytes).is_some();
    match found.has_byte_units() {
        _ if is_signed && source.after_bom(&block.bytes).is_none() => Some(FileContent::Converted),
        true => (found.name == target.name).then_some(FileContent::Converted),
        false if reads(source) => None,
        false if reads(target) => Some(FileContent::Converted),
        false => source.has_byte_units().then_some(FileContent::Binary),
    }
}
