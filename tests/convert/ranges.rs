//! Ranges: the findings of ranges that tile an input are those of the whole input.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;

use predicates::str::contains;

use crate::common::bin::{Dir, at, hex, raw_validate, validate};
use crate::common::inputs::{HOSTILE, MIXTURES, Rng, SPELT, dirty};
use crate::common::streams::{Shared, SlowReader};
use crate::common::{representatives, stride};
use utf8::finding::locate::Locator;
use utf8::finding::segments::Segments;
use utf8::kernel;
use utf8::output::Output;
use utf8::registry::{CODECS, Encoding};
use utf8::report::{FORMATS, FormatRow, ReportStyle};
use utf8::source::{Buffer, MapMode, RangeStart, ReadOptions, Source};
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList};

/// The source of an input.
#[derive(Clone, Copy, Debug)]
enum From<'a> {
    /// A stream of bytes.
    Stream(&'a [u8]),
    /// A stream that returns at most this number of bytes at a time.
    Slow(&'a [u8], usize),
    /// A file, mapped or read.
    File(&'a Path, MapMode),
}

/// The encoding, format and segments of a report.
#[derive(Clone, Copy, Debug)]
struct Question {
    spec: &'static Encoding,
    format: &'static FormatRow,
    segments: Segments,
}

impl Question {
    /// Returns the findings of a range as the format writes them.
    fn ask(
        self,
        from: From<'_>,
        start: usize,
        length: Option<usize>,
        buffer: &mut Buffer,
    ) -> String {
        let how = ReadOptions {
            skip: RangeStart::FromStart(start as u64),
            length: length.map(|length| length as u64),
            map: if let From::File(_, map) = from { map } else { MapMode::Auto },
            reach: self.spec.reach(),
            unit: self.spec.inner.unit,
            longest: self.spec.inner.longest,
            ..ReadOptions::default()
        };
        let mut source = match from {
            From::Stream(bytes) => Source::from_bytes(bytes.to_vec(), &how, buffer).unwrap(),
            From::Slow(bytes, most) => {
                Source::from_reader(SlowReader(bytes, most), &how, buffer).unwrap()
            }
            From::File(path, _) => {
                Source::from_start(std::fs::File::open(path).unwrap().into(), &how, buffer).unwrap()
            }
        };
        let written = Shared::default();
        let mut out = Output::new(Box::new(written.clone()), "memory");
        let mut format = (self.format.open)(ReportStyle::default());
        let name = InputName::new(OsStr::new("f"), true);
        let (kernels, chars) = (kernel::best(), self.format.columns_in_chars);
        let (format, out_to) = (format.as_mut(), &mut out);
        let list = FindingList { format, out: out_to, most: None, judged: false, judge: None };
        let report = CheckReport {
            name: &name,
            lists: vec![list],
            locator: Some(Locator::new(self.spec, kernels, chars, source.lookback())),
        };
        let wanted =
            CheckOptions { segments: self.segments, limit: None, count: chars, comments: false };
        let mut check = Check::new(self.spec, source.range(), wanted, Some(report));
        source.scan(self.spec, kernels, &mut check).unwrap();
        check.end(true).unwrap();
        out.flush().unwrap();
        findings(&written.0.borrow())
    }

    /// Checks that the ranges between the cuts have the findings of the whole.
    fn tile(self, from: From<'_>, whole: &str, cuts: &[usize], buffer: &mut Buffer) {
        let mut start = 0;
        let mut together = String::new();
        for &cut in cuts {
            together += &self.ask(from, start, Some(cut - start), buffer);
            start = cut;
        }
        together += &self.ask(from, start, None, buffer);
        assert_eq!(together, whole, "{self:?} {from:?} cut at {cuts:?}");
    }
}

/// Returns the lines that are findings.
fn findings(report: &[u8]) -> String {
    let report = std::str::from_utf8(report).unwrap();
    let lines = report.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("{\"type\":\"summary\"")).collect()
}

fn questions() -> impl Iterator<Item = Question> {
    let formats = FORMATS.iter().filter(|row| ["json", "tsv"].contains(&row.name));
    let segments = [Segments::Sequence, Segments::Maximal, Segments::Byte];
    // The other encodings have boundaries only for a reader that started at the beginning.
    let synchronise = representatives().into_iter().filter(|spec| spec.inner.reach.is_some());
    synchronise.flat_map(move |spec| {
        formats
            .clone()
            .flat_map(move |format| segments.map(|segments| Question { spec, format, segments }))
    })
}

/// Returns strings of about forty bytes with the difficult cases.
fn strings() -> Vec<Vec<u8>> {
    let by_hand: &[&[u8]] = &[
        // Pairs, and halves that depend on bytes before or after them.
        b"a\xED\xA0\x80\xED\xB0\x80\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80\n\xED\xB0\x80\xED\xAF\xBF\xED\xBF\xBF\xED\xA0\x80\xED\xB0",
        // Long forms, and runs of continuation bytes that exceed the look-back.
        b"\xFC\x84\x80\x80\x80\x80\x80\x80\n\x80\xFD\xBF\xBF\xBF\xF8\x80\x80\x80\xAF\xBF\xF4\x90\x80\x80\xF0\x9F\x98\x80\x80\x80\x80\xC0\x80\x00",
        // Truncated forms between characters and line ends.
        b"\xEF\xBB\xBF\xC3\xA9\xE2\x82\n\xE2\x82\xAC\xF0\x9F\x98\nx\xF0\x9F\x98\x80\xE2\r\n\xE1\x80\xF1\x80\x80\xE1\x80\xC2",
        // An incomplete BOM, NULs, and bytes that start no sequence.
        b"\xEF\xBB\x41\x00\xFE\xBF\xBF\xFF\xC1\xBF\xC0\xE0\x9F\xBF\xE0\x80\n\xEF\xBF\xBE\xEE\xBE\x80\xEF\xBB\xBF\xF5\x80\xDF",
    ];
    let mut rng = Rng::new(2);
    let random = (0..4).map(|_| {
        let mut bytes = Vec::new();
        while bytes.len() < 36 {
            bytes.extend_from_slice(rng.pick(HOSTILE));
        }
        bytes
    });
    by_hand.iter().map(|bytes| bytes.to_vec()).chain(random).collect::<Vec<_>>()
}

#[test]
fn every_cut_of_a_hostile_string() {
    let buffer = &mut Buffer::default();
    for bytes in strings() {
        for question in questions() {
            let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
            assert!(question.spec.name != "utf-8" || whole.lines().count() > 5, "{whole}");
            for cut in 0..=bytes.len() {
                question.tile(From::Stream(&bytes), &whole, &[cut], buffer);
            }
        }
    }
}

/// Code units are counted from the start of the input, wherever a range starts.
#[test]
fn every_cut_of_code_units() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    let format = FORMATS.iter().find(|row| row.name == "json").unwrap();
    let is_of_units = |spec: &&Encoding| spec.inner.reach.is_none() && spec.reach().is_some();
    let bytes =
        b"\xD8\x3D\xDE\x00\0\n\x3D\xD8\x00\xDE\n\0\xDC\0\xD8\0\0\xD8\0\xDC\0\x11\0\0\n\0\0\0a";
    for (spec, mark) in CODECS
        .iter()
        .filter(is_of_units)
        .flat_map(|spec| [&b""[..], spec.inner.signature].map(|mark| (spec, mark)))
    {
        let bytes = [mark, bytes].concat();
        dir.write("f", &bytes);
        let path = dir.path("f");
        for segments in [Segments::Sequence, Segments::Byte] {
            let question = Question { spec, format, segments };
            let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
            for cut in 0..=bytes.len() {
                for from in [From::Stream(&bytes), From::File(&path, MapMode::Never)] {
                    question.tile(from, &whole, &[cut], buffer);
                }
            }
        }
    }
}

/// A sequence starts at the start of a range of an encoding that does not synchronise itself.
#[test]
fn a_range_of_other_encodings_is_judged_from_its_start() {
    let buffer = &mut Buffer::default();
    let tsv = FORMATS.iter().find(|row| row.name == "tsv").unwrap();
    for spec in CODECS.iter().filter(|spec| spec.reach().is_none()) {
        let question = Question { spec, format: tsv, segments: Segments::Sequence };
        for bytes in strings() {
            for start in 0..=bytes.len() {
                let found = question.ask(From::Stream(&bytes), start, None, buffer);
                let rest = question.ask(From::Stream(&bytes[start..]), 0, None, buffer);
                let shifted = kinds(&rest, start);
                assert_eq!(kinds(&found, 0), shifted, "{} from {start}", spec.name);
            }
        }
    }
}

/// A BOM determines the byte order of a range that does not contain it.
#[test]
fn a_range_after_a_bom_has_its_byte_order() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    let json = FORMATS.iter().find(|row| row.name == "json").unwrap();
    for (codec, bytes) in [
        ("utf-16", &b"\xFF\xFEa\0\n\0\0\xDC"[..]),
        ("utf-16", b"\xFE\xFF\0a\0\n\xDC\0"),
        ("ucs-2", b"\xFF\xFEa\0\n\0\0\xDC"),
        ("utf-32", b"\xFF\xFE\0\0a\0\0\0\n\0\0\0\0\xDC\0\0"),
    ] {
        let spec = Encoding::for_label(codec).unwrap();
        let question = Question { spec, format: json, segments: Segments::Sequence };
        dir.write("f", bytes);
        let path = dir.path("f");
        let whole = question.ask(From::Stream(bytes), 0, None, buffer);
        assert!(whole.contains("\"value\":\"U+DC00\",\"line\":2,"), "{whole}");
        let unit = if codec == "utf-32" { 4 } else { 2 };
        for start in (unit..bytes.len()).step_by(unit) {
            for from in [From::Stream(bytes), From::File(&path, MapMode::Never)] {
                assert_eq!(question.ask(from, start, None, buffer), whole, "{codec} from {start}");
            }
        }
    }
}

/// Returns the offset, plus `before`, and the kind in each line.
fn kinds(tsv: &str, before: usize) -> Vec<(usize, String)> {
    let fields = tsv.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    fields.map(|f| (before + f[0].parse::<usize>().unwrap(), f[2].to_owned())).collect()
}

/// Positions, too, are the same for a file, whose lines are counted in a second scan, and for a
/// stream in pieces.
#[test]
fn the_arrival_of_an_input_does_not_matter() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    let mut rng = Rng::new(7);
    let format = FORMATS.iter().find(|row| row.name == "json").unwrap();
    let tails = (0..SPELT.len()).step_by(3).map(|at| SPELT[at..].to_vec());
    let random = (0..80).map(|_| (0..rng.below(12)).map(|_| rng.pick(SPELT)).collect());
    for bytes in tails.chain(strings()).chain(random) {
        dir.write("f", &bytes);
        let path = &dir.path("f");
        for spec in representatives() {
            let question = Question { spec, format, segments: Segments::Sequence };
            let whole = question.ask(From::Slow(&bytes, 1), 0, None, buffer);
            for from in [
                From::Slow(&bytes, 3),
                From::Stream(&bytes),
                From::File(path, MapMode::Never),
                From::File(path, MapMode::Always),
            ] {
                let told = question.ask(from, 0, None, buffer);
                assert_eq!(told, whole, "{} {from:?} {}", spec.name, bytes.escape_ascii());
            }
        }
    }
}

#[test]
fn every_cut_of_a_hostile_file() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    for bytes in strings() {
        dir.write("f", &bytes);
        let path = dir.path("f");
        for question in questions() {
            let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
            for map in [MapMode::Always, MapMode::Never] {
                for cut in 0..=bytes.len() {
                    question.tile(From::File(&path, map), &whole, &[cut], buffer);
                }
            }
        }
    }
}

#[test]
fn every_cut_of_a_fragment_around_the_row_of_a_dump() {
    let buffer = &mut Buffer::default();
    let dir = Dir::new();
    let path = dir.path("f");
    let json = |question: &Question| {
        question.format.name == "json" && matches!(question.segments, Segments::Byte)
    };
    for fragment in HOSTILE.iter().filter(|fragment| fragment.len() > 1) {
        for before in 10..=17 {
            let bytes = [&b"a".repeat(before)[..], fragment, b"\x80\x80b"].concat();
            dir.write("f", &bytes);
            for question in questions().filter(json) {
                let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
                for cut in before + 1..bytes.len() {
                    question.tile(From::File(&path, MapMode::Never), &whole, &[cut], buffer);
                }
            }
        }
    }
}

#[test]
fn tiles_of_every_size() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    for bytes in strings() {
        dir.write("f", &bytes);
        let path = dir.path("f");
        for question in questions() {
            let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
            for size in 1..=8 {
                let cuts: Vec<_> = (size..bytes.len()).step_by(size).collect();
                question.tile(From::Stream(&bytes), &whole, &cuts, buffer);
                question.tile(From::File(&path, MapMode::Always), &whole, &cuts, buffer);
            }
        }
    }
}

#[test]
fn random_tilings_of_a_dirty_file() {
    let dir = Dir::new();
    let buffer = &mut Buffer::default();
    let mut rng = Rng::new(3);
    for (round, widths) in MIXTURES.iter().enumerate() {
        let mut bytes = dirty(&mut rng, 100 << 10, widths, 40);
        bytes.iter_mut().step_by(997).for_each(|byte| *byte = b'\n');
        dir.write("f", &bytes);
        let path = dir.path("f");
        let from = [
            From::Stream(&bytes),
            From::File(&path, MapMode::Always),
            From::File(&path, MapMode::Never),
        ];
        // Each encoding with each format and kind of segments in turn, and with each source in turn.
        let sampled = questions().skip(round % 6).step_by(6);
        for (number, question) in sampled.enumerate() {
            let whole = question.ask(From::Stream(&bytes), 0, None, buffer);
            let mut cuts: Vec<_> = (0..6).map(|_| rng.below(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let from = from.iter().skip((round + number) % stride(3)).step_by(stride(3));
            from.for_each(|&from| question.tile(from, &whole, &cuts, buffer));
        }
    }
}

// The binary

/// Returns the findings of the binary.
fn said(args: &[&str], stdin: Stdio) -> String {
    let out = raw_validate().args(args).stdin(stdin).output().unwrap();
    assert_ne!(out.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    findings(&out.stdout)
}

/// Returns a pipe that holds bytes.
fn pipe(bytes: &[u8]) -> Stdio {
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(bytes).unwrap();
    reader.into()
}

#[test]
fn the_binary_tiles_files_pipes_and_standard_input() {
    let dir = Dir::new();
    for (bytes, codec) in strings().iter().zip(["utf-8", "rfc2279", "utf-8-bom", "mutf-8"]) {
        dir.write("f", bytes);
        let path = dir.path("f");
        let path = path.to_str().unwrap();
        for format in ["json", "tsv"] {
            let shared = ["-f", codec, "--format", format, "--segments", "byte"];
            for from in ["file", "pipe", "standard input"] {
                let way = |extra: &[&str]| {
                    let args = [&shared[..], extra].concat();
                    match from {
                        "file" => said(&[&args[..], &[path]].concat(), Stdio::null()),
                        "pipe" => said(&args, pipe(bytes)),
                        _ => said(&args, at(bytes, 0)),
                    }
                };
                let whole = way(&[]);
                for cut in [1, 4, 7, 8, 13, 20, bytes.len()] {
                    let cut = cut.to_string();
                    let together = way(&["-n", &cut]) + &way(&["-s", &cut]);
                    assert_eq!(together, whole, "{codec} {format} {from} cut at {cut}");
                }
            }
        }
    }
}

#[test]
fn standard_input_counts_from_where_it_stands() {
    let bytes = [b"head\n", &strings()[0][..]].concat();
    let whole = said(&["--format", "json"], at(&strings()[0], 0));
    assert_eq!(said(&["--format", "json"], at(&bytes, 5)), whole);
    for cut in ["1", "6", "17"] {
        let together = said(&["--format", "json", "-n", cut], at(&bytes, 5))
            + &said(&["--format", "json", "-s", cut], at(&bytes, 5));
        assert_eq!(together, whole, "cut at {cut}");
    }
    assert_eq!(
        said(&["--format", "tsv", "-s", "-2"], at(b"head\xFF\xFF\xFF", 4)).lines().count(),
        2
    );
}

#[test]
fn a_negative_skip_counts_from_the_end() {
    let bytes = b"\xFF\n\xFE\xC0\xAF\xFF";
    let dir = Dir::of(&[("f", bytes)]);
    let path = dir.path("f");
    let path = path.to_str().unwrap();
    let whole = said(&["--format", "tsv", path], Stdio::null());
    for back in 0..8 {
        let range = ["--format", "tsv", &format!("-s-{back}"), path];
        let start = bytes.len().saturating_sub(back);
        let offset = |line: &&str| line.split('\t').next().unwrap().parse::<usize>().unwrap();
        let expected = whole.lines().filter(|line| offset(line) >= start);
        assert!(said(&range, Stdio::null()).lines().eq(expected), "-s-{back}");
    }
    hex("FF 41 FF", &["-s", "-1"]).code(1).stdout(contains("-e:1:3: byte 0x2 (2)"));
}

#[test]
fn a_negative_skip_of_a_stream_is_a_usage_error() {
    let out = validate().args(["-s", "-1"]).write_stdin(&b"\xFF"[..]).assert().code(2);
    out.stdout("").stderr(contains("utf8: -: a negative --skip needs"));
    let dir = Dir::of(&[("digits", b"FF")]);
    dir.validate().args(["-x", "-s", "-1", "digits"]).assert().code(2).stdout("");
}

#[test]
fn a_skip_beyond_the_end_finds_nothing() {
    let dir = Dir::of(&[("f", b"\xFF\xFF")]);
    for skip in ["2", "3", "17", "1k", "8G", "0xFFFFFFFFFFFFFFFF"] {
        let out = dir.validate().args(["-v", "-s", skip, "f"]).assert().code(0).stdout("");
        out.stderr(contains("f: valid, 0 bytes\n"));
        let out = validate().args(["-v", "-s", skip]).write_stdin(&b"\xFF\xFF"[..]).assert();
        out.code(0).stdout("").stderr(contains("-: valid, 0 bytes\n"));
    }
}

#[test]
fn a_range_makes_no_fault_by_cutting_a_sequence() {
    for (skip, length) in [("0", "1"), ("1", "1"), ("2", "1"), ("2", "9"), ("4", "2"), ("0", "3")] {
        hex("E2 82 AC F0 9F 98 80", &["-s", skip, "-n", length]).code(0).stdout("");
    }
}

#[test]
fn a_finding_belongs_to_the_range_of_its_first_byte_and_is_shown_whole() {
    let line = "-e:1:2: byte 0x1 (1): overlong 3-byte form E0 80 AF of U+002F [overlong-3]\n";
    hex("41 E0 80 AF 42", &["-s", "1", "-n", "1"]).code(1).stdout(line);
    hex("41 E0 80 AF 42", &["-s", "2"]).code(0).stdout("");
    hex("41 E0 80 AF 42", &["-n", "1"]).code(0).stdout("");
}

#[test]
fn ranges_of_hex_are_of_the_bytes_that_it_spells() {
    let dir = Dir::of(&[("digits", b"41 0A FF 42 FF")]);
    let args = ["-x", "-s", "2", "-n", "2", "--format", "tsv", "digits"];
    let expected = "2\t1\tinvalid-fe-ff\t2\t1\tFF\tdigits\n";
    dir.validate().args(args).assert().code(1).stdout(expected);
}

#[test]
fn every_file_has_its_own_range() {
    let dir = Dir::of(&[("a", b"\xFFa\xFF"), ("b", b"\xFF\nb\xFF")]);
    let out = dir.validate().args(["-s", "1", "--format", "tsv", "a", "b"]).assert().code(1);
    out.stdout("2\t1\tinvalid-fe-ff\t1\t3\tFF\ta\n3\t1\tinvalid-fe-ff\t2\t2\tFF\tb\n");
}

#[test]
fn sums_of_ranges_are_those_of_the_whole() {
    let bytes = "Grüße 日本\n😀 x";
    let dir = Dir::of(&[("f", bytes.as_bytes())]);
    let scalars = |args: &[&str]| {
        let out = dir.validate().args(["--format", "json", "f"]).args(args).assert().code(0);
        let summary = &crate::common::bin::objects(&out.get_output().stdout)[0];
        let number = |key: &str| summary[key].as_u64().unwrap();
        [number("size"), number("scalars")]
    };
    let whole = scalars(&[]);
    assert_eq!(whole, [bytes.len() as u64, bytes.chars().count() as u64]);
    for cut in 0..=bytes.len() {
        let cut = cut.to_string();
        let (head, tail) = (scalars(&["-n", &cut]), scalars(&["-s", &cut]));
        assert_eq!([head[0] + tail[0], head[1] + tail[1]], whole, "cut at {cut}");
    }
}

/// Returns line, column in bytes and column in code points of the first finding, of a file and of a
/// stream.
fn places(codec: &str, bytes: &[u8], args: &[&str]) -> Vec<[u64; 3]> {
    let dir = Dir::of(&[("f", bytes)]);
    let args = [&["-f", codec, "--format", "json"], args].concat();
    let outputs = [
        dir.validate().args(&args).arg("f").assert().code(1),
        validate().args(&args).write_stdin(bytes).assert().code(1),
    ];
    let place = |finding: &serde_json::Value| {
        ["line", "column_bytes", "column_chars"].map(|key| finding[key].as_u64().unwrap())
    };
    outputs.map(|out| place(&crate::common::bin::objects(&out.get_output().stdout)[0])).into()
}

#[test]
fn a_file_and_a_stream_agree_where_a_codec_does_not_synchronise_itself() {
    // Units are counted from the start of the input.
    let wide = b"A\n\0A\0\n\0\0\xD8B\0";
    assert_eq!(places("utf-16le", wide, &["-s", "1"]), [[1, 11, 6]; 2]);
    // The second byte of 81 40 is ASCII in a range that starts there.
    assert_eq!(places("gbk", b"A\x81@A\xFF", &["-s", "2"]), [[1, 5, 5]; 2]);
    // The shift before the range does not count: the range has half a character and four of ASCII.
    assert_eq!(places("iso-2022-jp", b"\x1B$B$\"$$\x1B(Ba\xFF", &["-s", "4"]), [[1, 12, 6]; 2]);
    // A BOM is not text at any offset.
    assert_eq!(places("utf-16", b"\xFE\xFF\0A\xD8\0\0A", &[]), [[1, 5, 2]; 2]);
    assert_eq!(places("utf-32", b"\xFF\xFE\0\0A\0\0\0\0\xD8\0\0", &[]), [[1, 9, 2]; 2]);
}
