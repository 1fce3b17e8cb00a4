//! Reversal of double encoding: bounded, idempotent, and independent of cuts.

use crate::common::detect::pieces;
use crate::common::inputs::Rng;
use utf8::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};

use super::{cuts, encoding};

pub fn cases() -> usize {
    2
}

/// Checks text that is undone with the likely pages, or with one of all.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let page = Some(encoding(rng)).filter(|spec| MojibakeUndoer::accepts(spec));
    let undo = || match page {
        Some(page) => MojibakeUndoer::named(page).unwrap(),
        None => MojibakeUndoer::likely(),
    };
    let whole = told(undo(), [text.as_bytes()]);
    if case == 0 {
        let cuts = cuts(rng, text.len());
        let in_parts = told(undo(), pieces(text.as_bytes(), &cuts));
        return assert_eq!(in_parts, whole, "{text:?} cut at {cuts:?}");
    }
    // A C1 control has two bytes, and its character in windows-1252 up to three.
    let controls = match page {
        Some(page) if page.name != "windows-1252" => 0,
        _ => text.chars().filter(|c| matches!(c, '\u{80}'..='\u{9F}')).count(),
    };
    assert!(whole.text.len() <= text.len() + controls, "{text:?}");
    let once = String::from_utf8(whole.text).unwrap();
    assert_eq!(undone(undo(), &once), once, "{text:?}");
}

/// The repaired text, and the reported parts.
#[derive(Debug, Default, PartialEq)]
pub struct Told {
    pub text: Vec<u8>,
    /// Adjacent parts of one kind are merged.
    pub pieces: Vec<(u64, u64, String)>,
}

impl Told {
    fn add(&mut self, piece: &MojibakePart<'_>) {
        let verdict = format!("{:?}", piece.verdict);
        let sound = piece.before == piece.after;
        assert!(sound || matches!(piece.verdict, MojibakeVerdict::Undone(_)));
        assert_eq!(piece.before.len() as u64, piece.source.end - piece.source.start);
        self.text.extend_from_slice(piece.after);
        match self.pieces.last_mut() {
            Some(last) if last.2 == verdict && sound => last.1 = piece.source.end,
            last => {
                assert_eq!(last.map_or(0, |last| last.1), piece.source.start);
                self.pieces.push((piece.source.start, piece.source.end, verdict));
            }
        }
    }
}

pub fn told<'a>(mut undo: MojibakeUndoer, parts: impl IntoIterator<Item = &'a [u8]>) -> Told {
    let mut told = Told::default();
    let mut to = |piece: MojibakePart<'_>| -> Result<(), ()> {
        told.add(&piece);
        Ok(())
    };
    for part in parts {
        undo.feed(part, &mut to).unwrap();
    }
    undo.finish(&mut to).unwrap();
    told
}

pub fn undone(undo: MojibakeUndoer, text: &str) -> String {
    String::from_utf8(told(undo, [text.as_bytes()]).text).unwrap()
}
