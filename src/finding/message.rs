//! What does a person need to be told about a fault? The bytes, what they would have spelt, what
//! ended them, and what was expected there.

use std::ops::RangeInclusive;

use super::segments::FaultSegment;
use crate::issue::{Class, Kind};
use crate::registry::Encoding;
use crate::text::escape::{EscapeStyle, escape};
use crate::text::write;

/// Append the message of a fault, without the kind's id: what it was read as, what it is, and the
/// byte behind it.
pub(crate) fn message(
    out: &mut Vec<u8>,
    spec: &Encoding,
    piece: &FaultSegment<'_>,
    next: Option<u8>,
) {
    if piece.bytes.len() < piece.sequence.len() {
        out.extend_from_slice(b"byte ");
        write::bytes(out, piece.bytes);
        out.extend_from_slice(b" of ");
    }
    let value = (spec.spells)(piece.sequence);
    match piece.kind {
        Kind::LoneContinuation => {
            out.extend_from_slice(b"continuation byte ");
            write::bytes(out, piece.sequence);
            out.extend_from_slice(b" without a lead byte");
        }
        Kind::RawNul => out.extend_from_slice(b"byte 00, where U+0000 is C0 80"),
        Kind::TruncatedNext | Kind::TruncatedEnd => truncated(out, spec, piece.sequence, next),
        Kind::Unmapped => {
            let bytes = if piece.sequence.len() == 1 { &b"byte "[..] } else { b"bytes " };
            out.extend_from_slice(bytes);
            write::bytes(out, piece.sequence);
            out.extend_from_slice(b" without a character in ");
            write::text(out, spec.name.as_bytes());
        }
        Kind::BadEscape => {
            out.push(b'"');
            escape(out, piece.sequence, EscapeStyle::Quote);
            // What only begins an escape says little without what it stands before.
            let behind = next.filter(|next| piece.sequence.len() == 1 && next.is_ascii_graphic());
            out.extend(behind);
            out.extend_from_slice(b"\" is not ");
            write::text(out, spec.item.as_bytes());
        }
        kind if piece.sequence.len() == 1 => {
            out.extend_from_slice(b"byte ");
            write::bytes(out, piece.sequence);
            out.extend_from_slice(b" starts no sequence");
            write::text(out, why_not(kind));
        }
        kind => {
            form(out, spec, piece);
            if let Some(value) = value {
                let is_it = matches!(kind, Kind::SurrogateHigh | Kind::SurrogateLow);
                out.extend_from_slice(if is_it { b", that is " } else { b" of " });
                write::code_point(out, value);
            }
            write::text(out, remark(kind));
            if value.is_none() && piece.sequence.len() < (spec.announced)(piece.sequence) {
                out.extend_from_slice(b", cut short by ");
                ended_by(out, next);
            }
        }
    }
}

/// The name of a form that has all its bytes or could have: `overlong 2-byte form C0 AF`.
fn form(out: &mut Vec<u8>, spec: &Encoding, piece: &FaultSegment<'_>) {
    let (kind, sequence) = (piece.kind, piece.sequence);
    match kind {
        Kind::SurrogateHigh => out.extend_from_slice(b"high surrogate "),
        Kind::SurrogateLow => out.extend_from_slice(b"low surrogate "),
        Kind::SurrogatePair => out.extend_from_slice(b"surrogate pair "),
        _ => {
            if kind.class() == Class::Overlong {
                out.extend_from_slice(b"overlong ");
            }
            write::decimal(out, (spec.announced)(sequence) as u64);
            out.extend_from_slice(b"-byte form ");
        }
    }
    write::bytes(out, sequence);
}

/// Why a byte of this kind can start nothing, whatever follows.
fn why_not(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::Overlong2 => b": its forms are overlong",
        Kind::Above10ffff => b": its forms are above U+10FFFF",
        Kind::Above7fffffff => b": its forms are above 7FFFFFFF",
        Kind::FourByte => b": no form here has 4 bytes",
        Kind::FiveByte => b": only RFC 2279 had forms of 5 bytes",
        Kind::SixByte => b": only RFC 2279 had forms of 6 bytes",
        _ => b"",
    }
}

/// What there is to add about a form.
fn remark(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::SurrogatePair => b", as CESU-8 has it",
        Kind::Above10ffff => b", above U+10FFFF",
        Kind::Above7fffffff => b", above 7FFFFFFF",
        Kind::FourByte => b", where no form is longer than 3 bytes",
        Kind::FiveByte | Kind::SixByte => b", as RFC 2279 had it",
        _ => b"",
    }
}

fn truncated(out: &mut Vec<u8>, spec: &Encoding, sequence: &[u8], next: Option<u8>) {
    out.extend_from_slice(b"truncated ");
    write::decimal(out, (spec.announced)(sequence) as u64);
    out.extend_from_slice(b"-byte sequence ");
    write::bytes(out, sequence);
    out.push(b':');
    // Where not all of a range is expected, it does not explain what was found in it.
    let explains = |range: &RangeInclusive<u8>| next.is_none_or(|next| !range.contains(&next));
    if let Some(expected) = (spec.expected)(sequence).filter(explains) {
        out.extend_from_slice(b" expected ");
        write::byte2(out, *expected.start());
        if expected.start() < expected.end() {
            out.extend_from_slice(b"..");
            write::byte2(out, *expected.end());
        }
        out.push(b',');
    }
    out.extend_from_slice(b" found ");
    ended_by(out, next);
}

fn ended_by(out: &mut Vec<u8>, next: Option<u8>) {
    match next {
        Some(next) => {
            write::byte2(out, next);
            if let b' '..=b'~' = next {
                out.extend_from_slice(&[b' ', b'"', next, b'"']);
            }
        }
        None => out.extend_from_slice(b"the end of input"),
    }
}
