//! Cuts of an input into chunks, and the start of a scan.

use std::io;
use std::ops::ControlFlow;

use crate::common::inputs::{HOSTILE, MIXTURES, Rng, clean, dirty, strings};
use crate::common::log::{fed, halted, whole};
use crate::common::model::{Verdict, trails};
use crate::common::{BLIND, TIMID, each, family, hex, kernels, representatives, stride};
use crate::properties::splits::{REACH, begins_anywhere, same};
use utf8::Issue;
use utf8::codec::Step;
use utf8::kernel::{Kernels, best};
use utf8::registry::Encoding;
use utf8::scan::{Chunk, Feed};
use utf8::sink::{Run, Sink};

fn every_single_cut(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) {
    let expected = whole(spec, kernels, bytes);
    for cut in 0..=bytes.len() {
        same(spec, kernels, bytes, &[cut], &expected);
    }
}

fn every_double_cut(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) {
    let expected = whole(spec, kernels, bytes);
    for second in 0..=bytes.len() {
        for first in 0..=second {
            same(spec, kernels, bytes, &[first, second], &expected);
        }
    }
}

fn one_byte_at_a_time(spec: &Encoding, kernels: &Kernels, bytes: &[u8]) {
    let cuts: Vec<usize> = (0..=bytes.len()).collect();
    same(spec, kernels, bytes, &cuts, &whole(spec, kernels, bytes));
}

#[test]
fn all_double_cuts_of_hostile_strings() {
    each(&representatives(), |&spec| {
        for first in HOSTILE {
            for second in [&b""[..], b"A", b"\x80", b"\xED\xB0\x80", b"\xC3\xA9", first] {
                every_double_cut(spec, &BLIND, &[first, second].concat());
            }
            every_double_cut(spec, best(), &[b"A\xC3\xA9", *first, b"\xE2\x82\xACB"].concat());
        }
    });
}

#[test]
fn all_single_cuts_of_two_hostile_strings() {
    each(&representatives(), |&spec| {
        for first in HOSTILE {
            for second in HOSTILE {
                let bytes = [*first, *second].concat();
                every_single_cut(spec, best(), &bytes);
                one_byte_at_a_time(spec, &BLIND, &bytes);
            }
        }
    });
}

#[test]
fn signatures_in_pieces() {
    let starts: [&[u8]; 7] = [
        b"",
        b"\xEF",
        b"\xEF\xBB",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBE",
        b"\xEF\xBB\xBF\xEF\xBB\xBF",
        b"A\xEF\xBB\xBF",
    ];
    for spec in representatives() {
        for start in starts {
            for end in [&b""[..], b"A", b"\xFF", b"\xEF\xBB\xBF"] {
                every_double_cut(spec, best(), &[start, end].concat());
                one_byte_at_a_time(spec, &TIMID, &[start, end].concat());
            }
        }
    }
}

/// Returns chunks of at most `most` bytes, some of them empty.
fn random_cuts(rng: &mut Rng, len: usize, most: usize) -> Vec<usize> {
    let mut cuts = vec![];
    let mut at = 0;
    while at < len {
        cuts.push(at);
        at += rng.below(most + 1);
    }
    cuts
}

#[test]
fn random_cuts_of_dirty_inputs() {
    each(&representatives(), |&spec| {
        let mut rng = Rng::new(3629);
        let rarities = [1, 2, 4, 10, 50, 1000];
        for (rarity, &widths) in
            rarities.iter().flat_map(|&it| MIXTURES.iter().map(move |widths| (it, widths)))
        {
            for kernels in [&BLIND, &TIMID, best()] {
                let len = rng.below(1500);
                let bytes = dirty(&mut rng, len, widths, rarity);
                let expected = whole(spec, kernels, &bytes);
                for most in [1, 2, 3, 7, 64, 65, 300] {
                    let cuts = random_cuts(&mut rng, len, most);
                    same(spec, kernels, &bytes, &cuts, &expected);
                }
            }
        }
    });
}

/// A feed carries the tails itself.
#[test]
fn parts_of_any_length_through_a_feed() {
    let encodings: Vec<_> = representatives().into_iter().enumerate().collect();
    each(&encodings, |&(number, encoding)| {
        let name = encoding.name;
        // Each pair with some of the encodings, and each encoding with some of the pairs.
        let pairs =
            HOSTILE.iter().flat_map(|first| HOSTILE.iter().map(move |second| (first, second)));
        for (first, second) in pairs.skip(number % stride(4)).step_by(stride(4)) {
            let bytes = [*first, b"A", *second].concat();
            let expected = whole(encoding, best(), &bytes);
            let log = fed(encoding, best(), &bytes, 0..bytes.len());
            assert_eq!(log, expected, "{name}: {} byte by byte", hex(&bytes));
            for cut in 0..bytes.len() {
                let log = fed(encoding, best(), &bytes, [cut]);
                assert_eq!(log, expected, "{name}: {} cut at {cut}", hex(&bytes));
            }
        }
        let mut rng = Rng::new(2279);
        for rarity in [1, 4, 50] {
            for _ in 0..20 {
                let (len, widths) = (rng.below(1500), rng.pick(MIXTURES));
                let bytes = dirty(&mut rng, len, widths, rarity);
                let expected = whole(encoding, best(), &bytes);
                for most in [1, 3, 64, 300] {
                    let cuts = random_cuts(&mut rng, len, most);
                    let log = fed(encoding, best(), &bytes, cuts.iter().copied());
                    assert_eq!(log, expected, "{name}: {} cut at {cuts:?}", hex(&bytes));
                }
            }
        }
    });
}

/// A sink that has ended a scan is not called again.
#[test]
fn a_feed_stops_with_its_sink() {
    struct One(u64);
    impl Sink for One {
        fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
            self.0 += run.bytes.len() as u64;
            Ok(ControlFlow::Break(()))
        }

        fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
            unreachable!("the input has no signature")
        }

        fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
            unreachable!("the run before it ends the scan")
        }
    }
    let (mut sink, mut feed) = (One(0), Feed::new(Encoding::UTF_8.open(0), best(), 0));
    for part in [&b"\xC3"[..], b"\xA9\xFF", b"A"] {
        let _ = feed.push(part, &mut sink).unwrap();
    }
    assert!(feed.finish(&mut sink).unwrap().is_break());
    assert_eq!((sink.0, feed.offset()), (2, 2));
}

/// Neither the cuts nor the kernel change a log.
#[test]
fn one_byte_at_a_time_with_every_kernel() {
    each(&representatives(), |&spec| {
        let mut rng = Rng::new(26);
        for len in (0..800).step_by(7) {
            let bytes = dirty(&mut rng, len, &[1, 1, 1, 2, 3, 4], 8);
            let expected = whole(spec, &BLIND, &bytes);
            let cuts: Vec<usize> = (0..=len).collect();
            for kernels in kernels().chain([&BLIND, &TIMID]) {
                same(spec, kernels, &bytes, &cuts, &expected);
                same(spec, kernels, &bytes, &[], &expected);
            }
        }
    });
}

/// A sink may stop after any event; the next call continues there.
#[test]
fn stopping_at_each_event_and_going_on() {
    each(&representatives(), |&spec| {
        for first in HOSTILE {
            for second in HOSTILE {
                let bytes = [*first, b"A", second].concat();
                let (log, expected) = (halted(spec, best(), &bytes), whole(spec, best(), &bytes));
                assert_eq!(log, expected, "{}: {}", spec.name, hex(&bytes));
            }
        }
    });
}

/// Offsets are those of the input, beyond 32 bits.
#[test]
fn offsets_are_large() {
    for (spec, model) in family() {
        let mut model = model.clone();
        model.signature = false;
        for bytes in HOSTILE {
            let offset = u64::MAX / 2;
            let mut found: Vec<Issue> = vec![];
            let chunk = Chunk { bytes, offset, last: true };
            spec.open(offset).scan(best(), chunk, &mut found).unwrap();
            let mut expected = vec![];
            model.issues(bytes, &mut expected);
            expected.iter_mut().for_each(|issue| issue.offset += offset);
            assert_eq!(found, expected, "{}: {}", spec.name, hex(bytes));
        }
    }
}

#[test]
fn a_scan_may_begin_anywhere_in_class_strings() {
    let classes = [0x41, 0x80, 0xA0, 0xB0, 0xC2, 0xED, 0xF4];
    each(&family(), |(spec, _)| {
        let (mut all, mut found) = (vec![], vec![]);
        for len in 1..=6 {
            strings(&classes, len, |bytes| begins_anywhere(spec, bytes, &mut all, &mut found));
        }
    });
}

#[test]
fn a_scan_may_begin_anywhere_in_hostile_strings() {
    each(&family(), |(spec, _)| {
        let (mut all, mut found) = (vec![], vec![]);
        for first in HOSTILE {
            for second in HOSTILE {
                for third in [&b""[..], b"\xED\xB0\x80", b"\x80"] {
                    let bytes = [*first, second, third].concat();
                    begins_anywhere(spec, &bytes, &mut all, &mut found);
                }
            }
        }
    });
}

#[test]
fn a_scan_may_begin_anywhere_in_random_strings() {
    each(&family(), |(spec, _)| {
        let (mut all, mut found) = (vec![], vec![]);
        let mut rng = Rng::new(8);
        let bytes = [b'A', 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xE0, 0xED, 0xEF, 0xF0, 0xFC];
        for _ in 0..60_000 {
            let string: Vec<u8> = (0..8).map(|_| rng.pick(&bytes)).collect();
            begins_anywhere(spec, &string, &mut all, &mut found);
        }
        for len in 8..200 {
            let string = dirty(&mut rng, len, &[1, 2, 3, 4], 2);
            begins_anywhere(spec, &string, &mut all, &mut found);
        }
    });
}

/// In well-formed UTF-8, a boundary is three continuation bytes back at most.
#[test]
fn a_boundary_is_three_bytes_back() {
    let spec = Encoding::UTF_8;
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let text = clean(&mut rng, 300, &[1, 2, 3, 4]);
        for at in 0..text.len() {
            let back = (0..=at).rev().find(|&before| !trails(text.as_bytes()[before])).unwrap();
            assert!(at - back <= 3 && text.is_char_boundary(back));
            assert_eq!(text.is_char_boundary(at), at == back);
            let scalar = text[back..].chars().next().map(u32::from);
            let step = spec.step(&text.as_bytes()[back..]);
            assert!(matches!(step, Step::Scalar { value, .. } if Some(value) == scalar));
        }
    }
}

/// Only continuation bytes and low surrogates stand within a form: a scan may therefore start
/// anywhere.
#[test]
fn no_form_hides_the_beginning_of_another() {
    each(&family(), |(_, model)| {
        let mut rng = Rng::new(4);
        let bytes = dirty(&mut rng, 200_000, &[1, 2, 3, 4], 2);
        model.pieces(&bytes, |at, verdict| {
            let (Verdict::Good(len, _) | Verdict::Bad(_, len, _)) = verdict;
            let form = &bytes[at..at + len];
            let hidden: Vec<usize> = (1..len).filter(|&i| !trails(form[i])).collect();
            let pair = form[0] == 0xED && len == 6;
            assert_eq!(hidden, if pair { vec![3] } else { vec![] }, "{}", hex(form));
            assert!(len <= 1 + REACH);
        });
    });
}

/// A kernel that counts the bytes that it has claimed in this thread.
mod counted {
    use crate::common::scalar;
    use std::cell::Cell;

    use utf8::kernel::{Functions, Kernels};

    use crate::common::NOTHING;

    thread_local!(pub static LOOKED: Cell<usize> = const { Cell::new(0) });

    fn count(answer: usize) -> usize {
        LOOKED.set(LOOKED.get() + answer);
        answer
    }

    pub fn kernels() -> Kernels {
        let functions = Functions {
            utf8: |bytes| count(scalar().utf8(bytes)),
            ascii: |bytes| count(scalar().ascii(bytes)),
            utf16: |bytes, little| count(scalar().utf16(bytes, little)),
            ..NOTHING
        };
        // SAFETY: the functions are safe.
        unsafe { Kernels::new("counted", "counts the bytes that are scanned", functions) }
    }
}

/// The number of bytes examined is linear, for any number of issues.
#[test]
fn the_work_is_linear() {
    const LEN: usize = 64 << 10;
    let faults: [&[u8]; 6] = [b"\0", b"\xFF", b"\x80", b"\xC3", b"\xED\xA0\x80", b"\xF0\x9F\x98"];
    for spec in representatives() {
        for fault in faults {
            for gap in [0, 1, 8, 20, 300] {
                let piece = [fault, &vec![b'a'; gap]].concat();
                let bytes: Vec<u8> = piece.iter().copied().cycle().take(LEN).collect();
                counted::LOOKED.set(0);
                let chunk = Chunk { bytes: &bytes, offset: 0, last: true };
                let kernels = counted::kernels();
                spec.open(0).scan(&kernels, chunk, &mut Vec::<Issue>::new()).unwrap();
                let looked = counted::LOOKED.get();
                assert!(looked <= 2 * LEN, "{}: {fault:X?} each {gap}: {looked}", spec.name);
            }
        }
    }
}
