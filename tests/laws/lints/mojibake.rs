//! `mojibake`: the text that a repair would change, and no other.

use std::convert::Infallible;
use std::fs;
use std::path::Path;

use super::{deny, findings};
use utf8::mojibake::{MojibakePart, MojibakeUndoer, MojibakeVerdict};

/// Returns the offsets and lengths of the parts of a text that a repair changes.
fn changed(text: &str) -> Vec<(u64, u64)> {
    let mut changed = Vec::new();
    let mut receive = |part: MojibakePart<'_>| -> Result<(), Infallible> {
        if let MojibakeVerdict::Undone(_) = part.verdict {
            changed.push((part.source.start, part.source.end - part.source.start));
        }
        Ok(())
    };
    let mut undoer = MojibakeUndoer::likely();
    undoer.feed(text.as_bytes(), &mut receive).unwrap();
    undoer.finish(&mut receive).unwrap();
    changed
}

fn reported(codec: &str, text: &str, most: usize) -> Vec<(u64, u64)> {
    let report = findings(codec, text, most, &deny(&["mojibake"]));
    let numbers = |row: &str| {
        let mut fields = row.split('\t').map_while(|field| field.parse().ok());
        (fields.next().unwrap(), fields.next().unwrap())
    };
    report.lines().map(numbers).collect()
}

#[test]
fn text_is_reported_that_a_repair_changes() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/ftfy.tsv");
    let text = fs::read_to_string(table).unwrap();
    let long = "caf\u{C3}\u{A9} au lait, ".repeat(6000);
    for text in [text, long] {
        let changed = changed(&text);
        assert!(changed.len() > 40);
        for (codec, most) in [("utf-8", usize::MAX), ("utf-8", 1), ("utf-8", 1000), ("wtf-8", 77)] {
            assert_eq!(reported(codec, &text, most), changed, "{codec} by {most}");
        }
    }
}
