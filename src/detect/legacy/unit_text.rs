//! Decoding of sample windows to UTF-16.

use std::io;
use std::ops::ControlFlow;

use encoding_rs::DecoderResult;

use crate::codec::legacy;
use crate::issue::Issue;
use crate::kernel::{self, Loaded};
use crate::registry::Encoding;
use crate::scan::Chunk;
use crate::sink::{Run, Sink};

/// U+0020.
pub(super) const BLANK: u16 = 0x20;

/// Returns the character of a code unit.
pub(super) fn character(unit: u16) -> char {
    char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Decodes the windows to UTF-16, with a space after each. A sequence cut by the end of a window is
/// dropped.
pub(super) fn decode<'a>(codec: &Encoding, windows: impl Iterator<Item = &'a [u8]>) -> Vec<u16> {
    let mut text = Vec::new();
    for window in windows {
        decode_window(codec, window, &mut text);
        text.push(BLANK);
    }
    text
}

/// Decodes a window up to the first ill-formed sequence. Returns `true` if there is none.
pub(super) fn decode_window(codec: &Encoding, window: &[u8], text: &mut Vec<u16>) -> bool {
    // The tables of these decoders are at hand; those of the codecs are unpacked on first use.
    if let Some(set) = legacy::SETS.iter().find(|set| set.name == codec.name) {
        let mut decoder = set.encoding.new_decoder_without_bom_handling();
        let start = text.len();
        let room = decoder.max_utf16_buffer_length(window.len()).unwrap_or_default();
        text.resize(start + room, 0);
        let (result, _, written) =
            decoder.decode_to_utf16_without_replacement(window, &mut text[start..], false);
        text.truncate(start + written);
        return result == DecoderResult::InputEmpty;
    }
    let mut sink = UnitSink { text, is_well_formed: true };
    // Not from the start of an input, where U+FEFF is no text.
    let chunk = Chunk { bytes: window, offset: 1, last: false };
    // The sink has no errors.
    let _ = codec.open(1).scan(kernel::best(), chunk, &mut sink);
    sink.is_well_formed
}

/// The number of code points that are decoded at once.
const DECODED: usize = 256;

/// Appends a text in UTF-16, and stops at an ill-formed sequence.
struct UnitSink<'a> {
    text: &'a mut Vec<u16>,
    is_well_formed: bool,
}

impl Sink for UnitSink<'_> {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let mut rest = run.bytes;
        let mut values = [0; DECODED];
        while !rest.is_empty() {
            let Loaded { read, written } = run.reader.load(kernel::best(), rest, &mut values);
            for &value in &values[..written] {
                let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.text.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            }
            rest = &rest[read..];
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        self.is_well_formed = false;
        Ok(ControlFlow::Break(()))
    }
}
