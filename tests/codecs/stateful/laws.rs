//! Laws of all codecs with state.

use crate::common::runs;

use crate::common::inputs::Rng;
use crate::common::log::{chunked, halted, whole};
use crate::common::{BLIND, each, hex, unhex};
use utf8::codec::Escapes;
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};
use utf8::sink::Run;

use super::compressed::CLASSES;
use super::iso_2022_jp::{TOKENS, tokens};
use super::stateful;
use super::utf_7::models;

/// Returns random text of an encoding.
fn any(rng: &mut Rng, spec: &Encoding, len: usize) -> Vec<u8> {
    let classes = CLASSES.iter().find(|(name, _)| *name == spec.name);
    match models().into_iter().find(|model| model.spec.name == spec.name) {
        Some(model) => model.random(rng, len),
        None if let Some((_, classes)) = classes => {
            let classes = unhex(classes);
            (0..len).map(|_| rng.pick(&classes)).collect()
        }
        None => tokens(&(0..len).map(|_| rng.below(TOKENS.len()) as u8).collect::<Vec<_>>()),
    }
}

#[test]
fn events_are_the_same_at_any_split() {
    each(&stateful(), |spec| {
        let mut rng = Rng::new(5);
        for len in 0..300 {
            let bytes = any(&mut rng, spec, len % 12);
            let expected = whole(spec, best(), &bytes);
            let same = |cuts: &[usize]| {
                for kernels in [&BLIND, best()] {
                    let (log, tail) = chunked(spec, kernels, &bytes, cuts);
                    let what = || format!("{}: {} {cuts:?}", spec.name, bytes.escape_ascii());
                    assert_eq!(log, expected, "{}", what());
                    assert!(tail <= 7, "{} leaves {tail}", what());
                }
            };
            for second in 0..=bytes.len() {
                (0..=second).for_each(|first| same(&[first, second]));
            }
            same(&(0..=bytes.len()).collect::<Vec<_>>());
            assert_eq!(halted(spec, best(), &bytes), expected, "{}: {}", spec.name, hex(&bytes));
        }
    });
}

/// A run is read again from any of its boundaries to any other.
#[test]
fn any_part_of_a_run_is_read_again() {
    each(&stateful(), |spec| {
        let mut rng = Rng::new(6);
        for len in 0..400 {
            let bytes = any(&mut rng, spec, len % 12);
            runs(spec, best(), &bytes, 0, read_parts);
        }
    });
}

/// Reads a run between any two of its boundaries.
fn read_parts(run: Run<'_>) {
    let bytes = run.bytes;
    let mut boundaries: Vec<usize> =
        (0..=bytes.len()).map(|at| run.reader.boundary(bytes, at)).collect();
    assert_eq!(boundaries[0], 0, "{}", hex(bytes));
    assert_eq!(boundaries[bytes.len()], bytes.len(), "{}", hex(bytes));
    boundaries.dedup();
    // The bytes behind a boundary do not matter to those before it.
    for &end in &boundaries {
        assert_eq!(run.reader.boundary(&bytes[..end], end), end, "{}", hex(bytes));
    }
    let (mut values, mut room) = (vec![], vec![0; bytes.len() + 2]);
    for part in boundaries.windows(2) {
        let loaded = run.reader.load(best(), &bytes[part[0]..part[1]], &mut room);
        assert_eq!(loaded.read, part[1] - part[0], "{}", hex(bytes));
        values.extend_from_slice(&room[..loaded.written]);
    }
    assert!(values.len() <= bytes.len() && !values.contains(&0xFFFD), "{}", hex(bytes));
}

#[test]
fn stateful_codecs_do_not_synchronise() {
    let names: Vec<_> = stateful().iter().map(|spec| spec.name).collect();
    for name in ["utf-7", "utf-7-imap", "iso-2022-jp"] {
        assert!(names.contains(&name));
    }
    assert!(stateful().iter().all(|spec| spec.inner.reach.is_none()));
}

/// Lines can be written apart where each starts alike.
#[test]
fn a_line_feed_restarts_writers() {
    let text = "aé ¥日本語가か\u{309A}丂乂я\u{1F600}ஜெ+~&\\é日\n";
    for spec in CODECS.iter().filter(|spec| spec.can_encode('\n'.into())) {
        let mut writer = spec.writer(Escapes::Usual);
        writer.restart();
        let mut out = Vec::new();
        for c in text.chars() {
            writer.put(c.into(), &mut out);
        }
        assert_eq!(writer.is_restarted(), spec.inner.restarts_by_line, "{}", spec.name);
    }
}
