//! Kernels: never claim too much, read beyond a slice, or change a report.

use crate::common::inputs::{CLASSES, HOSTILE, MIXTURES, Rng, clean, dirty, strings};
use crate::common::model::trails;
use crate::common::{BLIND, TIMID, each, hex, kernels, log, representatives, valid_up_to};
use crate::properties::kernels::{Expected, assert_faults, assert_issues, fault_starts, issues};
use std::ops::Range;
use utf8::finding::locate::Locator;
use utf8::finding::segments::Segments;
use utf8::kernel::{self, AsciiSet, Kernels};
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::report::{InputSummary, ReportStyle, format_by_name};
use utf8::scan::Feed;
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList};

/// The edges of blocks in vector code.
const EDGES: [usize; 8] = [0, 16, 32, 64, 128, 192, 256, 512];

/// Texts around an issue, one for each length of a form.
const FILLERS: [&str; 5] = ["a", "é", "€", "😀", "a\né€😀"];

/// Asserts that a kernel claims well-formed text whole.
fn assert_complete(kernels: &Kernels, text: &str) {
    let claimed = kernels.utf8(text.as_bytes());
    assert_eq!(claimed, text.len(), "{}: {text:?}", kernels.name);
    let ascii = text.bytes().position(|byte| !byte.is_ascii()).unwrap_or(text.len());
    assert!(kernels.ascii(text.as_bytes()) <= ascii, "{}: {text:?}", kernels.name);
}

/// Asserts that every kernel agrees with the standard library and with the codec's own steps.
fn assert_expected(text: &[u8]) {
    let expected = Expected::of(text);
    kernels().for_each(|kernels| expected.check(kernels, text));
}

/// Repeats a text up to `len` bytes, without a truncated form at the end.
fn fill(filler: &str, len: usize) -> String {
    let mut text = filler.repeat(len / filler.len() + 1);
    while text.len() > len {
        text.pop();
    }
    text
}

/// Returns every offset that may straddle an edge.
fn around_edges() -> impl Iterator<Item = usize> {
    EDGES.iter().flat_map(|edge| edge.saturating_sub(8)..=edge + 8)
}

/// Bytes at every alignment to 64, one after the other.
struct Aligned {
    room: Vec<u8>,
}

impl Aligned {
    fn new(len: usize) -> Aligned {
        Aligned { room: vec![b'.'; len + 3 * 64] }
    }

    fn at(&mut self, alignment: usize, bytes: &[u8]) -> &[u8] {
        let start = self.room.as_ptr().align_offset(64) + alignment;
        let place = &mut self.room[start..start + bytes.len()];
        place.copy_from_slice(bytes);
        place
    }
}

#[test]
fn all_ill_formed_sequences_are_found_at_once() {
    for kernels in kernels() {
        let (mut examined, mut number) = (0, 0);
        strings(CLASSES, 3, |sequence| {
            // At every place of a window in turn, before the rest of a longer sequence.
            number += 1;
            let filler = fill(FILLERS[number % FILLERS.len()], number % 67);
            let rest = [&b"a"[..], b"\x80a", b"\xBF\x80\x80\x80"][number % 3];
            let text = [filler.as_bytes(), sequence, rest, &[b'z'; 70]].concat();
            examined += assert_faults(kernels, &text);
        });
        let mut rng = Rng::new(16);
        for (widths, rarity) in MIXTURES.iter().flat_map(|&widths| [(widths, 2), (widths, 20)]) {
            for len in 0..300 {
                examined += assert_faults(kernels, &dirty(&mut rng, len, widths, rarity));
            }
        }
        // The scalar kernel leaves everything to the codec.
        let gets_on = examined > 1 << 20 || kernels.name == "scalar";
        assert!(gets_on, "{}: {examined}", kernels.name);
    }
}

/// Formats, and the number of findings that each shows.
type Lists<'a> = (&'a [&'a str], Option<u64>);

/// Returns the summary and the lists of a check of a text in parts.
fn check(
    kernels: &'static Kernels,
    options: CheckOptions,
    lists: Lists<'_>,
    text: &[u8],
    part: usize,
) -> (InputSummary, Vec<Output>) {
    check_range(kernels, options, lists, text, part, 0..text.len() as u64)
}

/// Does the same for the findings of a range.
fn check_range(
    kernels: &'static Kernels,
    options: CheckOptions,
    (formats, most): Lists<'_>,
    text: &[u8],
    part: usize,
    range: Range<u64>,
) -> (InputSummary, Vec<Output>) {
    let name = InputName::new("a".as_ref(), true);
    let open = |name: &&str| (format_by_name(name.as_ref()).unwrap().open)(ReportStyle::PLAIN);
    let mut writers: Vec<_> = formats.iter().map(open).collect();
    let mut outs: Vec<_> = formats.iter().map(|_| Output::memory()).collect();
    let mut lists = Vec::new();
    for (format, out) in writers.iter_mut().zip(&mut outs) {
        let format = &mut **format;
        lists.push(FindingList { format, out, most, judged: false, judge: None });
    }
    let locator = Some(Locator::new(Encoding::UTF_8, kernels, true, None));
    let report = (!formats.is_empty()).then_some(CheckReport { name: &name, lists, locator });
    let mut check = Check::new(Encoding::UTF_8, range, options, report);
    let mut feed = Feed::new(Encoding::UTF_8.open(0), kernels, 0);
    for part in text.chunks(part) {
        assert!(feed.push(part, &mut check).unwrap().is_continue());
    }
    assert!(feed.finish(&mut check).unwrap().is_continue());
    (check.end(true).unwrap(), outs)
}

/// Asserts that checks of dense ill-formed sequences do not depend on the kernel.
fn assert_checked_as_by_single_steps(seed: u64, options: CheckOptions, lists: Lists<'_>) {
    let mut rng = Rng::new(seed);
    for (widths, rarity) in MIXTURES.iter().flat_map(|&widths| [(widths, 2), (widths, 30)]) {
        for len in (0..300).step_by(7).chain([5_000, 40_000]) {
            let text = dirty(&mut rng, len, widths, rarity);
            let (expected, mut reports) = check(&BLIND, options, lists, &text, usize::MAX);
            for kernels in kernels() {
                for part in [usize::MAX, 1 + len / 2, 67] {
                    let (found, mut outs) = check(kernels, options, lists, &text, part);
                    assert_eq!(found, expected, "{} {part}: {}", kernels.name, hex(&text));
                    for (out, report) in outs.iter_mut().zip(&mut reports) {
                        let same = out.buffer() == report.buffer();
                        assert!(same, "{} {part}: {}", kernels.name, hex(&text));
                    }
                }
            }
        }
    }
}

#[test]
fn dense_ill_formed_sequences_are_counted_as_by_single_steps() {
    assert_checked_as_by_single_steps(17, CheckOptions::default(), (&[], None));
}

#[test]
fn dense_ill_formed_sequences_are_listed_as_by_single_steps() {
    for segments in [Segments::Sequence, Segments::Maximal, Segments::Byte] {
        let options = CheckOptions { segments, count: true, ..CheckOptions::default() };
        assert_checked_as_by_single_steps(18, options, (&["json", "text", "tsv"], None));
    }
    // The page has a place for each finding, in the list or not.
    assert_checked_as_by_single_steps(20, CheckOptions::default(), (&["tsv", "html"], Some(50)));
}

/// Returns the lists of findings in a range of a text, without summaries.
fn lists(text: &[u8], range: Range<u64>) -> Vec<Vec<u8>> {
    let (options, formats) = (CheckOptions::default(), (&["text", "tsv", "json"][..], None));
    let kernels = kernel::best();
    let (_, mut outs) = check_range(kernels, options, formats, text, usize::MAX, range);
    let is_finding = |line: &&[u8]| !line.starts_with(b"{\"type\":\"summary\"");
    let findings = |out: &mut Output| {
        out.buffer()
            .split_inclusive(|&byte| byte == b'\n')
            .filter(is_finding)
            .collect::<Vec<_>>()
            .concat()
    };
    outs.iter_mut().map(findings).collect()
}

#[test]
fn findings_in_a_list_are_written_as_each_alone() {
    let mut rng = Rng::new(19);
    for (widths, rarity) in MIXTURES.iter().flat_map(|&widths| [(widths, 2), (widths, 30)]) {
        let text = dirty(&mut rng, 3000, widths, rarity);
        let starts = fault_starts(&text).into_iter().map(|start| start as u64);
        let mut alone = lists(&text, 0..0);
        for start in starts {
            let found = lists(&text, start..start + 1);
            alone.iter_mut().zip(found).for_each(|(list, finding)| list.extend(finding));
        }
        assert!(lists(&text, 0..text.len() as u64) == alone, "{}", hex(&text));
    }
}

#[test]
fn kernels_have_names_of_their_own_and_the_last_is_the_scalar_one() {
    let names = kernel::names();
    for (i, name) in names.iter().enumerate() {
        assert!(!names[..i].contains(name), "{name}");
    }
    assert_eq!(names.last(), Some(&"scalar"));
}

#[test]
fn ascii_is_written_up_to_the_first_value_that_is_not_in_the_set() {
    let sets: [fn(u8) -> bool; 4] =
        [|_| true, |byte| byte.is_ascii_alphanumeric(), |byte| byte != b'"', |_| false];
    let others = [0x22, 0x7F, 0x80, 0xFF, 0x100, 0x141, 0x1_0061, 0x8000_0041, u32::MAX];
    for kernels in kernels() {
        for is_in in sets {
            let set = AsciiSet::of(is_in);
            let is_written =
                |value: &u32| u8::try_from(*value).is_ok_and(|byte| byte < 0x80 && is_in(byte));
            for (at, len) in (0..140).flat_map(|len| (0..=len).step_by(3).map(move |at| (at, len)))
            {
                let mut values = vec![u32::from(b'a'); len];
                if at < len {
                    values[at] = others[(at + len) % others.len()];
                }
                let mut out = b"before".to_vec();
                let written = kernels.write_ascii(&values, &set, &mut out);
                let expected = values.iter().take_while(|value| is_written(value)).count();
                let may_stop = [BLIND.name, TIMID.name].contains(&kernels.name);
                assert!(written == expected || may_stop && written < expected, "{}", kernels.name);
                let bytes = values[..written].iter().map(|&value| value as u8);
                assert!(out.iter().copied().eq(b"before".iter().copied().chain(bytes)));
            }
        }
    }
}

#[test]
fn clean_text_of_every_length_at_every_alignment() {
    each(&kernels().collect::<Vec<_>>(), |kernels| {
        let mut aligned = Aligned::new(700);
        for filler in FILLERS {
            let text = fill(filler, 600);
            let ends = (0..=text.len()).filter(|&end| text.is_char_boundary(end));
            for end in ends {
                let alignments = if end < 130 { 0..=64 } else { end % 64..=end % 64 };
                for alignment in alignments {
                    let bytes = aligned.at(alignment, &text.as_bytes()[..end]);
                    assert_complete(kernels, std::str::from_utf8(bytes).unwrap());
                }
            }
        }
    });
}

#[test]
fn bytes_of_every_number_are_counted() {
    let mut aligned = Aligned::new(700);
    for len in 0..700 {
        let bytes: Vec<u8> = (0..len).map(|at| b"\n\n\x8A\n"[at * at % 7 % 4]).collect();
        let bytes = aligned.at(len % 64, &bytes);
        for value in [b'\n', b'\x8A', b'.'] {
            let expected = bytes.iter().filter(|&&byte| byte == value).count() as u64;
            assert_eq!(kernel::count(bytes, |byte| byte == value), expected, "{len}");
        }
    }
    assert_eq!(kernel::count(&[b'\n'; 100_000], |byte| byte == b'\n'), 100_000);
}

#[test]
fn clean_random_text() {
    each(&kernels().collect::<Vec<_>>(), |kernels| {
        let mut rng = Rng::new(64);
        for widths in MIXTURES {
            for _ in 0..400 {
                let len = rng.below(3000);
                assert_complete(kernels, &clean(&mut rng, len, widths));
            }
        }
    });
}

#[test]
fn text_that_the_end_cuts() {
    for filler in FILLERS {
        let text = fill(filler, 600);
        for end in 0..=text.len() {
            assert_expected(&text.as_bytes()[..end]);
            assert_expected(&text.as_bytes()[end..]);
        }
    }
}

#[test]
fn every_fault_around_every_edge_at_every_alignment() {
    let kernels: Vec<_> = kernels().collect();
    each(HOSTILE, |fault| {
        let mut aligned = Aligned::new(700);
        for filler in FILLERS {
            let (text, behind) = (fill(filler, 600), fill(filler, 70));
            for place in around_edges().filter(|&place| text.is_char_boundary(place)) {
                let bytes = [&text.as_bytes()[..place], fault, behind.as_bytes()].concat();
                let expected = Expected::of(&bytes);
                for alignment in 0..=64 {
                    let bytes = aligned.at(alignment, &bytes);
                    kernels.iter().for_each(|kernels| expected.check(kernels, bytes));
                }
                assert_expected(&bytes[..place + fault.len()]);
            }
        }
    });
}

#[test]
fn every_byte_around_an_edge() {
    let bytes: Vec<u8> = (0..=255).collect();
    each(&bytes, |&byte| {
        for filler in FILLERS {
            for place in (0..=70).chain(120..=136).chain(250..=262) {
                let mut text = fill(filler, 330).into_bytes();
                text[place] = byte;
                assert_expected(&text);
            }
        }
    });
}

/// Each scalar value straddles an edge in every way.
#[test]
fn every_scalar_value_across_an_edge() {
    let kernels: Vec<_> = kernels().collect();
    let blocks: Vec<u32> = (0..0x11_0000 >> 12).collect();
    each(&blocks, |&block| {
        let mut bytes = [b'a'; 320];
        for scalar in (block << 12..(block + 1) << 12).filter_map(char::from_u32) {
            for edge in [64, 256] {
                for start in edge - scalar.len_utf8()..=edge {
                    scalar.encode_utf8(&mut bytes[start..]);
                    let len = edge + 40;
                    for kernels in &kernels {
                        let claimed = kernels.utf8(&bytes[..len]);
                        assert_eq!(claimed, len, "{} {scalar:?} at {start}", kernels.name);
                    }
                    bytes[start..start + scalar.len_utf8()].fill(b'a');
                }
            }
        }
    });
}

/// Four bytes, each from every range of the tables, straddle an edge in every way.
#[test]
fn every_four_bytes_by_class_across_an_edge() {
    let kernels: Vec<_> = kernels().collect();
    each(CLASSES, |&lead| {
        let mut bytes = [b'a'; 300];
        strings(CLASSES, 3, |rest| {
            for edge in [64, 256] {
                for start in edge - 4..=edge {
                    bytes[start..start + 4].copy_from_slice(&[lead, rest[0], rest[1], rest[2]]);
                    let text = &bytes[..edge + 36];
                    let valid = start + valid_up_to(&text[start..]);
                    for kernels in &kernels {
                        let claimed = kernels.utf8(text);
                        let inside = claimed < valid && !trails(text[claimed]);
                        assert!(claimed == valid || inside, "{} {}", kernels.name, hex(text));
                    }
                    bytes[start..start + 4].fill(b'a');
                }
            }
        });
    });
}

#[test]
fn random_dirty_buffers_of_many_densities() {
    let rarities = [1, 2, 3, 5, 8, 13, 30, 70, 200, 1000, 5000];
    each(&rarities, |&rarity| {
        let mut rng = Rng::new(rarity as u64);
        for _ in 0..400 {
            let (len, widths) = (rng.below(4000), rng.pick(MIXTURES));
            let bytes = dirty(&mut rng, len, widths, rarity);
            assert_expected(&bytes);
            assert_expected(&bytes[rng.below(bytes.len() + 1)..]);
        }
    });
}

#[test]
fn random_bytes() {
    let mut rng = Rng::new(1993);
    for bits in [0x7F, 0xBF, 0xCF, 0xFF] {
        for len in 0..1000 {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8 & bits).collect();
            assert_expected(&bytes);
        }
    }
}

/// Logs do not depend on the kernel, in any encoding.
#[test]
fn logs_are_equal_for_every_codec() {
    each(&representatives(), |&spec| {
        let mut rng = Rng::new(1);
        for rarity in [1, 3, 10, 40, 300] {
            for _ in 0..40 {
                let (len, widths) = (rng.below(1500), rng.pick(MIXTURES));
                let bytes = dirty(&mut rng, len, widths, rarity);
                let expected = log::whole(spec, &BLIND, &bytes);
                for kernels in kernels().chain([&TIMID]) {
                    let log = log::whole(spec, kernels, &bytes);
                    assert_eq!(log, expected, "{} {}: {}", spec.name, kernels.name, hex(&bytes));
                }
            }
        }
    });
}

#[test]
fn hostile_fragments_around_edges_for_every_codec() {
    let kernels: Vec<_> = kernels().collect();
    each(&representatives(), |&spec| {
        for fault in HOSTILE {
            for filler in ["a", "é€"] {
                for place in [0, 1, 31, 32, 33, 61, 62, 63, 64, 65, 127, 128, 255, 256] {
                    let (text, behind) = (fill(filler, place), fill(filler, 100));
                    let bytes = [text.as_bytes(), fault, behind.as_bytes(), fault].concat();
                    let expected = issues(spec, &BLIND, &bytes);
                    for kernels in &kernels {
                        assert_issues(spec, kernels, &bytes, &expected);
                    }
                }
            }
        }
    });
}

#[cfg(target_os = "linux")]
mod guarded {
    use super::*;
    use crate::common::guard::Guarded;

    /// Compares a kernel, and a scan with it, at either inaccessible page.
    fn flush(guarded: &mut Guarded, kernels: &Kernels, bytes: &[u8]) {
        let expected = Expected::of(bytes);
        expected.check(kernels, guarded.behind(bytes));
        expected.check(kernels, guarded.before(bytes));
    }

    #[test]
    fn nothing_is_read_beyond_a_slice_of_any_length() {
        each(&kernels().collect::<Vec<_>>(), |kernels| {
            let mut guarded = Guarded::new();
            let mut rng = Rng::new(4096);
            for len in 0..=600 {
                for filler in FILLERS {
                    let text = filler.repeat(len / filler.len() + 1);
                    let cut = &text.as_bytes()[text.len() - len..];
                    flush(&mut guarded, kernels, &text.as_bytes()[..len]);
                    flush(&mut guarded, kernels, cut);
                    flush(&mut guarded, kernels, fill(filler, len).as_bytes());
                }
                for rarity in [1, 10, 100] {
                    let bytes = dirty(&mut rng, len, &[1, 2, 3, 4], rarity);
                    flush(&mut guarded, kernels, &bytes);
                }
            }
        });
    }

    /// The last byte before the page is a lead byte, a prefix or an issue.
    #[test]
    fn nothing_is_read_beyond_a_fault_at_the_end() {
        each(&kernels().collect::<Vec<_>>(), |kernels| {
            let mut guarded = Guarded::new();
            for len in (0..=80).chain(120..=136).chain(250..=262) {
                for fault in HOSTILE {
                    let bytes = [fill("a", len).as_bytes(), fault].concat();
                    flush(&mut guarded, kernels, &bytes);
                }
            }
        });
    }

    #[test]
    fn every_codec_stays_in_its_slice() {
        each(&representatives(), |&spec| {
            let mut guarded = Guarded::new();
            let mut rng = Rng::new(4097);
            for len in 0..=300 {
                for rarity in [1, 10, 100] {
                    let bytes = dirty(&mut rng, len, &[1, 2, 3, 4], rarity);
                    let expected = issues(spec, &BLIND, &bytes);
                    for kernels in kernels() {
                        assert_issues(spec, kernels, guarded.behind(&bytes), &expected);
                        assert_issues(spec, kernels, guarded.before(&bytes), &expected);
                    }
                }
            }
        });
    }
}
