//! Messages of short ill-formed sequences, kept for the next ones: where there are many, most are
//! alike.

use std::ptr;

use super::{Finding, FindingSubject};
use crate::finding::message::names_next;
use crate::issue::Kind;
use crate::registry::Encoding;
use crate::text::write::{Append, PaddedText};

/// The number of messages that are kept, as a power of two.
const BITS: u32 = 9;

/// The length of the longest message that is kept, in bytes.
const LONGEST: usize = 72;

/// The number of messages before the first that is kept: a short report needs no memory for others.
const FEW: u32 = 64;

/// The last messages of a report.
#[derive(Default)]
pub(super) struct MessageMemo {
    /// One message for each value of a hash; `None` for the first few findings.
    kept: Option<Box<KeptMessages>>,
    /// The number of messages before.
    few: u32,
    /// A message that is not kept.
    other: Vec<u8>,
}

type KeptMessages = [KeptMessage; 1 << BITS];

/// Everything that a message of a short ill-formed sequence depends on.
#[derive(Clone, Copy)]
struct MessageKey {
    encoding: &'static Encoding,
    /// A bit, the bytes of the sequence, the byte after it if the message names that, and the kind.
    facts: u64,
}

/// The largest number of bytes of a sequence whose message is kept.
const MOST_BYTES: usize = 6;

#[derive(Clone)]
struct KeptMessage {
    key: Option<MessageKey>,
    text: PaddedText<LONGEST>,
}

/// A message of a [`MessageMemo`].
pub(super) enum MessageText<'a> {
    Kept(&'a PaddedText<LONGEST>),
    Other(&'a [u8]),
}

impl MessageText<'_> {
    /// Returns its length in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            MessageText::Kept(text) => text.len(),
            MessageText::Other(text) => text.len(),
        }
    }

    /// Appends it.
    #[inline(always)]
    pub fn put(&self, out: &mut impl Append) {
        match self {
            MessageText::Kept(text) => text.put(out),
            MessageText::Other(text) => out.slice(text),
        }
    }
}

impl MessageMemo {
    /// Returns the message of a finding, which `write` appends, always in the same way.
    #[inline(always)]
    pub fn message(
        &mut self,
        finding: &Finding<'_>,
        write: impl FnOnce(&Finding<'_>, &mut Vec<u8>),
    ) -> MessageText<'_> {
        let MessageMemo { kept, few, other } = self;
        let (key, kept) = match (MessageKey::of(finding), kept) {
            (Some(key), Some(kept)) => (key, kept),
            (_, kept) => {
                *few = few.saturating_add(1);
                if *few == FEW {
                    *kept = Some(no_messages());
                }
                write_other(other, *finding, write);
                return MessageText::Other(other);
            }
        };
        let place = &mut kept[key.hash()];
        if !place.key.is_some_and(|kept| kept.equals(key)) {
            write_other(other, *finding, write);
            if other.len() > LONGEST {
                return MessageText::Other(other);
            }
            *place = KeptMessage { key: Some(key), text: PaddedText::of(other) };
        }
        MessageText::Kept(&place.text)
    }
}

/// Writes a message that is not kept. The finding is a copy: one that the caller lends would be in
/// memory for all messages.
#[cold]
#[inline(never)]
fn write_other(
    other: &mut Vec<u8>,
    finding: Finding<'_>,
    write: impl FnOnce(&Finding<'_>, &mut Vec<u8>),
) {
    other.clear();
    write(&finding, other);
}

/// Returns room for messages.
#[cold]
fn no_messages() -> Box<KeptMessages> {
    Box::new([const { KeptMessage { key: None, text: PaddedText::of(b"") } }; 1 << BITS])
}

impl MessageKey {
    /// Returns the key of the message of a finding, if it is kept.
    #[inline(always)]
    fn of(finding: &Finding<'_>) -> Option<MessageKey> {
        let FindingSubject::Fault { segment, next } = finding.subject else { return None };
        let bytes = match *segment.sequence {
            [byte] => 1 << u8::BITS | u64::from(byte),
            // The message of a part of a sequence depends on its place.
            ref all if all.len() <= MOST_BYTES && all.len() == segment.bytes.len() => {
                all.iter().fold(1, |bytes, &byte| bytes << u8::BITS | u64::from(byte))
            }
            _ => return None,
        };
        // No branch: kinds follow each other at random.
        let is_named = names_next(segment.kind, segment.sequence.len());
        let next = (1 + next.map_or(1 << u8::BITS, u64::from)) * u64::from(is_named);
        const KIND_BITS: u32 = 5;
        const { assert!(Kind::COUNT <= 1 << KIND_BITS) };
        let facts = (bytes << 9 | next) << KIND_BITS | segment.kind as u64;
        Some(MessageKey { encoding: finding.encoding, facts })
    }

    #[inline(always)]
    fn equals(self, other: MessageKey) -> bool {
        ptr::eq(self.encoding, other.encoding) && self.facts == other.facts
    }

    #[inline(always)]
    fn hash(self) -> usize {
        (self.facts.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
    }
}
