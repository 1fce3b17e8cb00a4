//! Changes of a dry run as findings of documents.

use crate::cli::changes::{self, MOST};
use crate::cli::reports::MOST_IN_DOCUMENT;
use crate::finding::locate::Position;
use crate::finding::segments::Segments;
use crate::finding::stop::UntreatedSequence;
use crate::issue::Kind;
use crate::lint::Level;
use crate::registry::Encoding;
use crate::repair::Change;
use crate::report::{Finding, FindingSubject, NEEDS_REPAIR};
use crate::text::name::InputName;

/// The first changes of an input.
#[derive(Debug, Default)]
pub(super) struct ChangeFindings {
    changes: Vec<FoundChange>,
    /// The number of further changes.
    pub hidden: u64,
}

/// A change that a repair would make.
#[derive(Debug)]
struct FoundChange {
    offset: u64,
    /// The first bytes, and the number of all.
    bytes: Vec<u8>,
    length: u64,
    message: Vec<u8>,
}

impl ChangeFindings {
    /// Adds a change.
    pub fn add(&mut self, change: &Change<'_>) {
        if self.changes.len() as u64 == MOST_IN_DOCUMENT {
            self.hidden += 1;
            return;
        }
        let bytes = change.before[..change.before.len().min(MOST)].to_vec();
        let message = describe(change);
        self.changes.push(FoundChange {
            offset: change.offset,
            bytes,
            length: change.length(),
            message,
        });
    }

    /// Returns the offsets of the first byte of each change and of the byte after it, and that of
    /// the sequence that ends the repair.
    pub fn offsets(&self, stop: Option<&UntreatedSequence>) -> Vec<u64> {
        let ends = self.changes.iter().flat_map(|it| [it.offset, it.offset + it.length]);
        ends.chain(stop.map(|stop| stop.issue.offset)).collect()
    }

    /// Returns the findings, from the positions of the offsets; there are none if the input cannot
    /// be read again.
    pub fn findings<'a>(
        &'a self,
        name: &'a InputName<'a>,
        encoding: &'static Encoding,
        stop: Option<&'a UntreatedSequence>,
        positions: &[Position],
    ) -> Vec<Finding<'a>> {
        let finding = |offset, subject, position| {
            let level = Level::Deny;
            Finding { name, encoding, offset, subject, level, position }
        };
        let changes = self.changes.iter().enumerate().map(|(at, change)| {
            let [start, end] = [2 * at, 2 * at + 1].map(|at| positions.get(at).copied());
            let subject = FindingSubject::Other {
                rule: &NEEDS_REPAIR,
                bytes: &change.bytes,
                length: change.length,
                columns: columns(start, end).unwrap_or(change.length.min(1)),
                message: &change.message,
            };
            finding(change.offset, subject, start)
        });
        let stopped = stop.and_then(|stop| {
            let mut segments = Segments::Sequence.split(stop.encoding, stop.issue, &stop.bytes);
            let subject = FindingSubject::Fault { segment: segments.next()?, next: stop.next };
            Some(finding(
                stop.issue.offset,
                subject,
                positions.get(2 * self.changes.len()).copied(),
            ))
        });
        changes.chain(stopped).collect()
    }
}

/// Returns the finding of a file that is text in UTF-16 or UTF-32.
pub(super) fn foreign_text<'a>(
    name: &'a InputName<'a>,
    encoding: &'static Encoding,
) -> Finding<'a> {
    let subject = FindingSubject::of_input(Kind::NotUtf8, &[]);
    let position = Some(Position::START);
    Finding { name, encoding, offset: 0, subject, level: Level::Deny, position }
}

/// Returns the number of code points between two positions of a line.
fn columns(start: Option<Position>, end: Option<Position>) -> Option<u64> {
    let (start, end) = (start?, end?);
    (start.line == end.line).then(|| end.column_chars - start.column_chars)
}

/// Returns the message of a change.
fn describe(change: &Change<'_>) -> Vec<u8> {
    let mut message = b"repair ".to_vec();
    let after = &changes::own_text(change.after, change.pending).1[..];
    match change.before {
        [] => {
            message.extend_from_slice(b"inserts ");
            changes::write_bytes(&mut message, after, after.len() as u64);
        }
        before => {
            let verb: &[u8] = if after.is_empty() { b"removes " } else { b"replaces " };
            message.extend_from_slice(verb);
            changes::write_bytes(&mut message, before, change.length());
            if !after.is_empty() {
                message.extend_from_slice(b" with ");
                changes::write_bytes(&mut message, after, after.len() as u64);
            }
        }
    }
    message.extend(format!(" ({})", change.reasons).bytes());
    message
}
