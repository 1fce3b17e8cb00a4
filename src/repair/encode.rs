//! Encoding of replacement text in the codec of the source.

use crate::codec::family::Rfc2279;
use crate::codec::{Codec, Escapes, Step, TextWriter};
use crate::registry::Encoding;

/// Returns `true` if the codec has every character of `text`.
pub(super) fn can_encode(codec: &Encoding, text: &str) -> bool {
    text.chars().all(|value| codec.can_encode(value.into()))
}

/// Creates a writer of the codec that writes no byte order mark.
pub(super) fn unmarked_writer(codec: &Encoding) -> Box<dyn TextWriter> {
    let mut writer = codec.writer(Escapes::Usual);
    writer.sign(false);
    writer
}

/// Appends `text` in the codec, complete by itself. `?` replaces each character that the codec
/// lacks.
pub(super) fn encode(codec: &Encoding, text: &[u8], out: &mut Vec<u8>) {
    let mut writer = unmarked_writer(codec);
    encode_with(writer.as_mut(), text, out);
    if !text.is_empty() {
        writer.finish(out);
    }
}

/// Appends `text` through a writer. `?` replaces each character that the codec lacks.
pub(super) fn encode_with(writer: &mut dyn TextWriter, text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Step::Scalar { value, len } =
        Rfc2279::step(&mut Rfc2279::start(0, 1), &text[at..], true)
    {
        if !writer.put(value, out) {
            writer.put('?'.into(), out);
        }
        at += len;
    }
}
