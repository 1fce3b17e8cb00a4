//! Double encoding in long lines, which bounds memory and time.

use crate::properties::mojibake::{told, undone};
use utf8::mojibake::{LONGEST, MojibakePart, MojibakeUndoer};

#[test]
fn very_long_runs_are_left_and_reported() {
    let run = "Ã©".repeat(LONGEST / 4 + 1);
    let text = format!("a {run}, Ã©tÃ©");
    let expected = format!("a {run}, été");
    for size in [1000, LONGEST, text.len()] {
        let told = told(MojibakeUndoer::likely(), text.as_bytes().chunks(size));
        assert!(told.pieces.iter().any(|(from, to, verdict)| {
            verdict == "TooLong" && (to - from) as usize == run.len()
        }));
        assert!(told.text == expected.as_bytes());
    }
    let run = "Ã©".repeat(LONGEST / 4 - 1);
    assert!(undone(MojibakeUndoer::likely(), &run) == "é".repeat(LONGEST / 4 - 1));
}

#[test]
fn long_lines_are_held_no_longer_than_they_may_be() {
    let text = "a lot of cafÃ©s and naÃ¯vetÃ©, ".repeat(20_000);
    let expected = "a lot of cafés and naïveté, ".repeat(20_000);
    let mut undo = MojibakeUndoer::likely();
    let (mut fed, mut done, mut out) = (0, 0, Vec::new());
    for part in text.as_bytes().chunks(4096) {
        undo.feed(part, &mut |piece| passed(&piece, &mut done, &mut out)).unwrap();
        fed += part.len();
        assert!(fed - done <= LONGEST, "{fed} {done}");
    }
    undo.finish(&mut |piece| passed(&piece, &mut done, &mut out)).unwrap();
    assert!(done == fed && out == expected.as_bytes());
}

/// Advances through the input, and appends a part to the output.
fn passed(piece: &MojibakePart<'_>, done: &mut usize, out: &mut Vec<u8>) -> Result<(), ()> {
    *done = piece.source.end as usize;
    out.extend_from_slice(piece.after);
    Ok(())
}

#[test]
fn very_long_runs_are_passed_on_incrementally() {
    // If each word was examined on its own, with 64 KiB after it, this would take minutes.
    for word in ["Ã© ", "Ã©", "Ð¿ â€œ ", "Ã  "] {
        let text = word.repeat(2_000_000 / word.len());
        let (mut undo, mut fed, mut pieces, mut out) = (MojibakeUndoer::likely(), 0, 0, Vec::new());
        let mut done = 0;
        for part in text.as_bytes().chunks(4096) {
            let mut to = |piece: MojibakePart<'_>| {
                pieces += 1;
                passed(&piece, &mut done, &mut out)
            };
            undo.feed(part, &mut to).unwrap();
            fed += 1;
            assert!(pieces <= fed, "{word}");
        }
        undo.finish(&mut |piece| passed(&piece, &mut done, &mut out)).unwrap();
        assert!(out == text.as_bytes(), "{word}");
    }
}

#[test]
fn very_long_runs_end_with_the_text() {
    let run = "Ã©".repeat(LONGEST / 4 + 1);
    let mut undo = MojibakeUndoer::likely();
    let (mut done, mut out) = (0, Vec::new());
    for part in [&run, "Ã©Ã¨"] {
        undo.feed(part.as_bytes(), &mut |piece| passed(&piece, &mut done, &mut out)).unwrap();
        undo.finish(&mut |piece| passed(&piece, &mut done, &mut out)).unwrap();
    }
    assert!(out.ends_with("Ã©éè".as_bytes()));
}
