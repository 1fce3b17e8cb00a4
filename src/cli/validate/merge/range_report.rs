//! The reports of ranges as a merge keeps them: all but the findings.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use anyhow::{Context, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::object::JsonLine;
use crate::codec::LengthCounts;
use crate::finding::locate::Position;
use crate::finding::segments::Segments;
use crate::issue::Kind;
use crate::registry::Encoding;
use crate::report::partial::VERSION;

/// The start of the report of a range.
#[derive(Clone, Debug)]
pub(super) struct RangeReportHead {
    pub path: OsString,
    pub codec: &'static Encoding,
    pub segments: Segments,
    pub start: u64,
    pub stamp: Option<String>,
}

impl RangeReportHead {
    /// Reads the object that starts a range.
    pub fn read(object: &JsonLine<'_>) -> anyhow::Result<RangeReportHead> {
        let name = object.plain("segments")?;
        let segments = Segments::ALL.into_iter().find(|rule| rule.name() == name);
        Ok(RangeReportHead {
            path: path_of(object)?,
            codec: object.encoding("codec")?,
            segments: segments.context("'segments' is unknown")?,
            start: object.number("start")?,
            stamp: object.text_or_null("stamp")?,
        })
    }
}

/// Returns the path of an object, which has a version.
pub(super) fn path_of(object: &JsonLine<'_>) -> anyhow::Result<OsString> {
    let version = object.number("version")?;
    ensure!(version == VERSION, "is of version {version}; this program reads version {VERSION}");
    if !object.has("path_bytes") {
        return Ok(object.text("path")?.into());
    }
    let bytes = STANDARD.decode(object.plain("path_bytes")?).ok();
    Ok(OsString::from_vec(bytes.context("'path_bytes' is not Base64")?))
}

/// The report of a range, without its findings.
#[derive(Clone, Debug)]
pub(super) struct RangeReport {
    pub head: RangeReportHead,
    /// The number of the report, and the offset of the first finding in it.
    pub place: (usize, u64),
    /// The encoding of the text: the one that is named, or that a BOM selects.
    pub text: &'static Encoding,
    pub size: u64,
    /// The number of bytes of the whole input, if it is known.
    pub of: Option<u64>,
    /// The number of findings in the report.
    pub listed: u64,
    pub warnings: u64,
    /// The number of ill-formed places that rules allow.
    pub allowed: u64,
    pub by_kind: Vec<(Kind, u64)>,
    pub lengths: LengthCounts,
    pub line_ends: u64,
    pub open_bytes: u64,
    pub open_chars: u64,
    pub bom: Option<bool>,
}

/// The greatest size of a file in bytes.
const LARGEST_FILE: u64 = i64::MAX as u64;

/// The most bytes behind a range that a sequence in it can have.
const MOST_BEYOND: u64 = 1 << 10;

impl RangeReport {
    /// Reads the object that ends a range. `listed` is the number of findings that were read.
    pub fn read(
        head: RangeReportHead,
        place: (usize, u64),
        listed: u64,
        object: &JsonLine<'_>,
    ) -> anyhow::Result<RangeReport> {
        let range = RangeReport {
            place,
            text: object.encoding("text")?,
            size: object.number("size")?,
            of: object.number_or_null("of")?,
            listed: object.number("listed")?,
            warnings: object.number("warnings")?,
            allowed: match object.has("allowed") {
                true => object.number("allowed")?,
                false => 0,
            },
            by_kind: object.kinds("by_kind")?,
            lengths: object.numbers("by_length")?,
            line_ends: object.number("line_ends")?,
            open_bytes: object.number("open_bytes")?,
            open_chars: object.number("open_chars")?,
            bom: object.bool_or_null("bom")?,
            head,
        };
        if object.bool("stopped")? {
            bail!("the check stopped at a limit of findings: run it again without --max-errors");
        }
        let add = |sum: u64, number| sum.checked_add(number);
        let (start, findings) = (range.head.start, object.number("findings")?);
        let kinds = range.by_kind.iter().map(|row| row.1).try_fold(0, add);
        let end = start.checked_add(range.size);
        ensure!(end.is_some_and(|end| end <= LARGEST_FILE), "'size' is too large");
        for (key, number) in [
            ("line_ends", range.line_ends),
            ("open_bytes", range.open_bytes),
            ("open_chars", range.open_chars),
        ] {
            ensure!(number <= range.size + MOST_BEYOND, "'{key}' is larger than the range");
        }
        ensure!(
            range.listed == listed,
            "'listed' is {}, but {listed} findings are there",
            range.listed
        );
        ensure!(kinds == Some(findings), "'findings' is not the sum of 'by_kind'");
        ensure!(range.listed <= findings, "'listed' is larger than 'findings'");
        ensure!(range.warnings <= findings, "'warnings' is larger than 'findings'");
        ensure!(
            range.lengths.into_iter().try_fold(0, add) == Some(object.number("scalars")?),
            "'scalars' is not the sum of 'by_length'"
        );
        Ok(range)
    }

    /// Checks the position of a finding, counted from the start of the range.
    ///
    /// # Errors
    /// The line is 0, or the position is behind the finding.
    pub fn check_position(&self, offset: u64, position: Position) -> anyhow::Result<()> {
        let Position { line, column_bytes, column_chars } = position;
        let most = offset - self.head.start + 1 + MOST_BEYOND;
        ensure!(line > 0, "'line' is 0");
        for (key, number) in
            [("line", line), ("column_bytes", column_bytes), ("column_chars", column_chars)]
        {
            ensure!(number <= most, "'{key}' is larger than the text before the finding");
        }
        Ok(())
    }

    /// Returns `true` if a BOM selects another encoding than the one that is named.
    pub fn has_other_encoding(&self) -> bool {
        self.text != self.head.codec
    }

    /// Returns the offset after the range.
    pub fn end(&self) -> u64 {
        self.head.start + self.size
    }

    /// Checks that two reports can be of one input.
    ///
    /// # Errors
    /// They cannot: the reason.
    pub fn check_beside(&self, other: &RangeReport) -> anyhow::Result<()> {
        let (a, b) = (&self.head, &other.head);
        ensure!(
            a.codec == b.codec,
            "one range was read as {}, another as {}",
            a.codec.name,
            b.codec.name
        );
        ensure!(a.segments == b.segments, "the ranges were read with different --segments");
        if let (Some(a), Some(b)) = (&a.stamp, &b.stamp) {
            ensure!(a == b, "changed between the ranges: run all of them again");
        }
        if let (Some(a), Some(b)) = (self.of, other.of) {
            ensure!(a == b, "has {a} bytes in one report and {b} in another");
        }
        ensure!(
            self.text == other.text || !self.has_other_encoding() || !other.has_other_encoding(),
            "one range is {}, another {}",
            self.text.name,
            other.text.name
        );
        Ok(())
    }
}

/// Splits the ranges of an input, in their order, into parts without gaps. Empty ranges are left out
/// unless all ranges are empty.
pub(super) fn parts_of(ranges: &[RangeReport]) -> anyhow::Result<Vec<Vec<&RangeReport>>> {
    let mut parts: Vec<Vec<&RangeReport>> = Vec::new();
    for range in ranges.iter().filter(|range| range.size > 0) {
        match parts.last_mut().and_then(|part| Some((part.last()?.end(), part))) {
            Some((end, _)) if end > range.head.start => {
                let end = end.min(range.end());
                bail!("two reports of bytes {}..{end}", range.head.start)
            }
            Some((end, part)) if end == range.head.start => part.push(range),
            _ => parts.push(vec![range]),
        }
    }
    if parts.is_empty() {
        parts.extend(ranges.first().map(|range| vec![range]));
    }
    Ok(parts)
}

/// Checks that a part is the whole input.
pub(super) fn check_whole(parts: &[Vec<&RangeReport>], of: Option<u64>) -> anyhow::Result<()> {
    let mut reached = 0;
    for part in parts {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
        ensure!(first.head.start <= reached, "no report of bytes {reached}..{}", first.head.start);
        reached = last.end();
    }
    let of = of.context("no report tells the size of the whole (--of SIZE)")?;
    ensure!(reached >= of, "no report of bytes {reached}..{of}");
    ensure!(reached == of, "the reports reach byte {reached}, the size is {of}");
    Ok(())
}
