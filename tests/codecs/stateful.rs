//! Codecs with state.

mod compressed;
mod iso_2022_jp;
mod laws;
mod utf_7;

use crate::common::written;
use std::io;
use std::ops::ControlFlow;

use crate::common::hex;
use utf8::codec::Escapes;
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};
use utf8::{Issue, Kind};

/// The offset, length and kind of an issue.
pub type Fault = (usize, usize, Kind);

/// The code points of an input, with U+FFFD for each issue, and its issues.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub values: Vec<u32>,
    pub faults: Vec<Fault>,
}

impl Text {
    pub fn of(spec: &Encoding, bytes: &[u8]) -> Text {
        let mut text = Text::default();
        let chunk = Chunk { bytes, offset: 0, last: true };
        let scanned = spec.open(0).scan(best(), chunk, &mut text).unwrap();
        assert_eq!(scanned.consumed, bytes.len(), "{}: {}", spec.name, hex(bytes));
        text
    }

    pub fn text(&self) -> String {
        self.values.iter().map(|&value| char::from_u32(value).unwrap()).collect()
    }
}

impl Sink for Text {
    /// Reads in the smallest possible blocks.
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let (mut at, mut room) = (0, [0; 5]);
        while at < run.bytes.len() {
            let loaded = run.reader.load(best(), &run.bytes[at..], &mut room);
            let spans = run.reader.spans(&run.bytes[at..], loaded.written);
            assert!(spans.iter().all(|span| span.end <= loaded.read && !span.is_empty()));
            self.values.extend(&room[..loaded.written]);
            at += loaded.read;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, offset: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        panic!("a signature at {offset}")
    }

    fn issue(&mut self, issue: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        assert_eq!(issue.replacements, 1);
        self.values.push(0xFFFD);
        self.faults.push((issue.offset as usize, issue.len.into(), issue.kind));
        Ok(ControlFlow::Continue(()))
    }
}

/// Encodes text. Returns `None` if the encoding lacks a character.
fn put(spec: &Encoding, text: &str) -> Option<Vec<u8>> {
    written(spec, Escapes::Usual, text.chars().map(u32::from))
}

fn stateful() -> Vec<&'static Encoding> {
    CODECS.iter().filter(|spec| spec.properties.stateful).collect()
}
