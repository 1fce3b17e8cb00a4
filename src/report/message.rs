//! What does a person need to be told about a fault? The bytes, what they would have spelt, what
//! ended them, and what was expected there.

use super::{Finding, write};
use crate::issue::{Class, Kind};

/// Append the message of a finding, without the kind's id.
pub(crate) fn message(out: &mut Vec<u8>, finding: &Finding<'_>) {
    let piece = &finding.piece;
    if piece.bytes.len() < piece.sequence.len() {
        out.extend_from_slice(b"byte ");
        write::bytes(out, piece.bytes);
        out.extend_from_slice(b" of ");
    }
    let value = (finding.spec.spells)(piece.sequence);
    match piece.kind {
        Kind::LoneContinuation => {
            out.extend_from_slice(b"continuation byte ");
            write::bytes(out, piece.sequence);
            out.extend_from_slice(b" without a lead byte");
        }
        Kind::InvalidFeFf => {
            out.extend_from_slice(b"byte ");
            write::bytes(out, piece.sequence);
            out.extend_from_slice(b" starts no sequence");
        }
        Kind::RawNul => out.extend_from_slice(b"byte 00, where U+0000 is C0 80"),
        Kind::TruncatedNext | Kind::TruncatedEnd => truncated(out, finding),
        kind => {
            form(out, kind, piece.sequence);
            if let Some(value) = value {
                let is_it = matches!(kind, Kind::SurrogateHigh | Kind::SurrogateLow);
                out.extend_from_slice(if is_it { b", that is " } else { b" of " });
                write::code_point(out, value);
            }
            out.extend_from_slice(remark(kind));
            if value.is_none() {
                out.extend_from_slice(b", cut short by ");
                ended_by(out, finding.next);
            }
        }
    }
}

/// The name of a form that has all its bytes or could have: `overlong 2-byte form C0 AF`.
fn form(out: &mut Vec<u8>, kind: Kind, sequence: &[u8]) {
    match kind {
        Kind::SurrogateHigh => out.extend_from_slice(b"high surrogate "),
        Kind::SurrogateLow => out.extend_from_slice(b"low surrogate "),
        Kind::SurrogatePair => out.extend_from_slice(b"surrogate pair "),
        _ => {
            if kind.class() == Class::Overlong {
                out.extend_from_slice(b"overlong ");
            }
            write::decimal(out, announced(sequence));
            out.extend_from_slice(b"-byte form ");
        }
    }
    write::bytes(out, sequence);
}

/// How many bytes the lead byte of a sequence announces.
fn announced(sequence: &[u8]) -> u64 {
    sequence.first().map_or(0, |lead| lead.leading_ones().into())
}

/// What there is to add about a kind.
fn remark(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::SurrogatePair => b", as CESU-8 has it",
        Kind::Above10ffff => b", above U+10FFFF",
        Kind::FourByte => b", where no form is longer than 3 bytes",
        Kind::FiveByte | Kind::SixByte => b", as RFC 2279 had it",
        _ => b"",
    }
}

fn truncated(out: &mut Vec<u8>, finding: &Finding<'_>) {
    let sequence = finding.piece.sequence;
    let (first, last) = (finding.spec.expected)(sequence);
    out.extend_from_slice(b"truncated ");
    write::decimal(out, announced(sequence));
    out.extend_from_slice(b"-byte sequence ");
    write::bytes(out, sequence);
    out.extend_from_slice(b": expected ");
    write::byte2(out, first);
    if first < last {
        out.extend_from_slice(b"..");
        write::byte2(out, last);
    }
    out.extend_from_slice(b", found ");
    ended_by(out, finding.next);
}

fn ended_by(out: &mut Vec<u8>, next: Option<u8>) {
    match next {
        Some(next) => write::byte2(out, next),
        None => out.extend_from_slice(b"the end of input"),
    }
}
