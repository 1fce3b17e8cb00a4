//! A finding, with everything that reports show.

use super::{ReportRule, texts_of_kinds};
use crate::finding::locate::Position;
use crate::finding::message::{json_message, lint_message, message};
use crate::finding::segments::FaultSegment;
use crate::issue::{KINDS, Kind};
use crate::lint::{Level, Lint};
use crate::registry::Encoding;
use crate::text::escape::{EscapeStyle, escape};
use crate::text::name::InputName;
use crate::text::write::{Append, CloseDecimals, CloseHexadecimals, PaddedText};

/// The subject of a finding.
#[derive(Clone, Copy, Debug)]
pub enum FindingSubject<'a> {
    /// A segment of an ill-formed sequence.
    Fault {
        /// The bytes and the kind.
        segment: FaultSegment<'a>,
        /// The byte after the ill-formed sequence; `None` at the end of the input.
        next: Option<u8>,
    },
    /// Well-formed text that a lint reports.
    Lint {
        /// The lint.
        lint: Lint,
        /// The bytes.
        bytes: &'a [u8],
        /// The number of code points.
        columns: u64,
        /// The first code point.
        value: Option<u32>,
        /// A fact for the message.
        detail: &'a [u8],
    },
    /// A finding of another rule.
    Other {
        /// The rule.
        rule: &'static ReportRule,
        /// The first bytes.
        bytes: &'a [u8],
        /// The number of all bytes.
        length: u64,
        /// The number of code points.
        columns: u64,
        /// The message.
        message: &'a [u8],
    },
}

/// The ids of [`KINDS`].
static KIND_IDS: [PaddedText<24>; Kind::COUNT] = texts_of_kinds!(row => &[row.id.as_bytes()]);

/// A finding, with everything that reports show.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// The name of the input.
    pub name: &'a InputName<'a>,
    /// The encoding that the input was read as.
    pub encoding: &'static Encoding,
    /// The offset of its first byte in the input.
    pub offset: u64,
    /// The ill-formed sequence or the lint.
    pub subject: FindingSubject<'a>,
    /// The severity.
    pub level: Level,
    /// The line and the columns; `None` if they were not counted.
    pub position: Option<Position>,
}

impl<'a> FindingSubject<'a> {
    /// Returns the subject of a finding about a whole input, of which `unit` is shown.
    #[cfg(feature = "cli")]
    pub(crate) fn of_input(kind: Kind, unit: &'a [u8]) -> FindingSubject<'a> {
        FindingSubject::Fault { segment: FaultSegment::of_one(kind, unit), next: None }
    }
}

impl FindingSubject<'_> {
    /// Returns the name of its kind or lint in every report, such as `overlong-2`.
    pub(crate) fn id(&self) -> &'static str {
        match *self {
            FindingSubject::Fault { segment, .. } => segment.kind.id(),
            FindingSubject::Lint { lint, .. } => lint.row().id,
            FindingSubject::Other { rule, .. } => rule.id,
        }
    }

    /// Returns its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            FindingSubject::Fault { segment, .. } => segment.bytes,
            FindingSubject::Lint { bytes, .. } | FindingSubject::Other { bytes, .. } => bytes,
        }
    }
}

impl Finding<'_> {
    /// Returns the name of its kind or lint in every report, such as `overlong-2`.
    pub(super) fn id(&self) -> &'static str {
        self.subject.id()
    }

    /// Returns the name of the class of its kind, or of the group of its lint.
    pub(super) fn class(&self) -> &'static str {
        match self.subject {
            FindingSubject::Fault { segment, .. } => segment.kind.class().id(),
            FindingSubject::Lint { lint, .. } => lint.row().group.id(),
            FindingSubject::Other { rule, .. } => rule.class,
        }
    }

    /// Appends the [id](Self::id).
    #[inline(always)]
    pub(super) fn write_id(&self, out: &mut impl Append) {
        match self.subject {
            FindingSubject::Fault { segment, .. } => KIND_IDS[segment.kind as usize].put(out),
            _ => out.slice(self.id().as_bytes()),
        }
    }

    /// Returns the kind and the byte of an ill-formed sequence or a segment of one byte.
    #[inline(always)]
    pub(super) fn one_byte(&self) -> Option<(Kind, u8)> {
        match self.subject {
            FindingSubject::Fault { segment, .. } => match *segment.bytes {
                [byte] => Some((segment.kind, byte)),
                _ => None,
            },
            FindingSubject::Lint { .. } | FindingSubject::Other { .. } => None,
        }
    }

    /// Returns its bytes, or the first of many.
    pub(super) fn bytes(&self) -> &[u8] {
        self.subject.bytes()
    }

    /// Returns the number of its bytes.
    pub(super) fn length(&self) -> u64 {
        match self.subject {
            FindingSubject::Other { length, .. } => length,
            _ => self.bytes().len() as u64,
        }
    }

    /// Returns the number of columns that it takes; see [`Position`].
    pub(super) fn columns(&self) -> u64 {
        match self.subject {
            FindingSubject::Fault { segment, .. } => segment.columns,
            FindingSubject::Lint { columns, .. } | FindingSubject::Other { columns, .. } => columns,
        }
    }

    /// Returns the code point that its bytes are or spell, if there is one.
    pub(super) fn value(&self) -> Option<u32> {
        match self.subject {
            FindingSubject::Fault { segment, .. } => {
                self.encoding.spelt_value(segment.kind, segment.bytes)
            }
            FindingSubject::Lint { value, .. } => value,
            FindingSubject::Other { .. } => None,
        }
    }

    /// Appends the message, without the id.
    pub(super) fn write_message(&self, out: &mut Vec<u8>) {
        match self.subject {
            FindingSubject::Fault { segment, next } => {
                message(out, self.encoding, &segment, next);
            }
            FindingSubject::Lint { lint, value, detail, .. } => {
                lint_message(out, lint, value, detail);
            }
            FindingSubject::Other { message, .. } => out.extend_from_slice(message),
        }
    }

    /// Appends the message as the content of a JSON string. `room` is for a message with escapes.
    pub(super) fn write_json_message(&self, out: &mut Vec<u8>, room: &mut Vec<u8>) {
        if let FindingSubject::Fault { segment, next } = self.subject
            && json_message(out, self.encoding, &segment, next)
        {
            return;
        }
        room.clear();
        self.write_message(room);
        escape(out, room, EscapeStyle::Json);
    }

    /// Returns the message, without the kind's id, for a format that has no offsets: the offset
    /// comes first if line and column were not counted.
    pub(super) fn message(&self) -> Vec<u8> {
        let mut message = Vec::new();
        if self.position.is_none() {
            message.extend_from_slice(b"byte 0x");
            OffsetWriter::default().put(&mut message, self.offset);
        }
        self.write_message(&mut message);
        message
    }

    /// Returns the line and the column in bytes, if they were counted.
    pub(super) fn line_and_column(&self) -> [Option<u64>; 2] {
        let position = self.position;
        [position.map(|at| at.line), position.map(|at| at.column_bytes)]
    }
}

/// Writes the offsets of findings in messages.
#[derive(Default)]
pub(super) struct OffsetWriter {
    decimal: CloseDecimals,
    hexadecimal: CloseHexadecimals,
}

impl OffsetWriter {
    /// Appends an offset after `byte 0x`: `1A4 (420): `.
    #[inline(always)]
    pub(super) fn put(&mut self, out: &mut impl Append, offset: u64) {
        self.hexadecimal.put(out, offset);
        out.all(b" (");
        self.decimal.put_before(out, offset, b')');
        out.all(b": ");
    }
}
