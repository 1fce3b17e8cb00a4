//! Do the codecs that remember something read and write what their standards say, however the
//! input comes?

use std::fmt::Write;
use std::io;
use std::ops::ControlFlow;

use crate::common::inputs::{Rng, strings};
use crate::common::log::{chunked, halted, whole};
use crate::common::peer::{peer, python};
use crate::common::{BLIND, each, hex, tally};
use encoding_rs::{DecoderResult, EUC_JP, EncoderResult, ISO_2022_JP};
use utf8::codec::Escapes;
use utf8::kernel::best;
use utf8::registry::{CODECS, Spec, find};
use utf8::scan::Chunk;
use utf8::sink::{Run, Sink};
use utf8::{Issue, Kind};

/// Where a fault is, how long, and why.
type Fault = (usize, usize, Kind);

/// What an input says: its code points, with U+FFFD for each fault; and its faults.
#[derive(Debug, Default, PartialEq, Eq)]
struct Text {
    values: Vec<u32>,
    faults: Vec<Fault>,
}

impl Text {
    fn of(spec: &Spec, bytes: &[u8]) -> Text {
        let mut text = Text::default();
        let chunk = Chunk { bytes, offset: 0, last: true };
        let scanned = (spec.open)(0).scan(best(), chunk, &mut text).unwrap();
        assert_eq!(scanned.consumed, bytes.len(), "{}: {}", spec.name, hex(bytes));
        text
    }

    fn text(&self) -> String {
        self.values.iter().map(|&value| char::from_u32(value).unwrap()).collect()
    }
}

impl Sink for Text {
    /// Reads in blocks that are as small as can be.
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let (mut at, mut room) = (0, [0; 3]);
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

/// What a codec writes, if it can.
fn put(spec: &Spec, text: &str) -> Option<Vec<u8>> {
    let (mut writer, mut out) = ((spec.write)(Escapes::Usual), vec![]);
    let all = text.chars().all(|scalar| writer.put(scalar.into(), &mut out));
    writer.finish(&mut out);
    all.then_some(out)
}

fn stateful() -> Vec<&'static Spec> {
    CODECS.iter().filter(|spec| spec.traits.stateful).collect()
}

// UTF-7, by a model that takes a run of base64 as one number, as the RFC describes it.

/// What stands in a text: where, how long, and what it is; `None` is nothing.
type Piece = (usize, usize, Result<Option<u32>, Kind>);

struct Model {
    spec: &'static Spec,
    shift: u8,
    digits: &'static str,
    imap: bool,
}

const ALPHABET: [&str; 2] = [
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,",
];

fn models() -> [Model; 2] {
    let model = |name, shift, imap| Model {
        spec: find(name).unwrap(),
        shift,
        digits: ALPHABET[usize::from(imap)],
        imap,
    };
    [model("utf-7", b'+', false), model("utf-7-imap", b'&', true)]
}

impl Model {
    fn direct(&self, byte: u8) -> bool {
        let set = match self.imap {
            false => {
                "\t\n\r !\"#$%&'()*,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`\
                      abcdefghijklmnopqrstuvwxyz{|}"
            }
            true => {
                " !\"#$%'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`\
                     abcdefghijklmnopqrstuvwxyz{|}~"
            }
        };
        set.as_bytes().contains(&byte)
    }

    fn is_digit(&self, byte: Option<&u8>) -> bool {
        byte.is_some_and(|byte| self.digits.as_bytes().contains(byte))
    }

    fn pieces(&self, bytes: &[u8]) -> Vec<Piece> {
        let (mut at, mut pieces) = (0, vec![]);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte != self.shift {
                let value =
                    if self.direct(byte) { Ok(Some(byte.into())) } else { Err(Kind::Unmapped) };
                pieces.push((at, 1, value));
                at += 1;
            } else if bytes.get(at + 1) == Some(&b'-') {
                pieces.push((at, 2, Ok(Some(byte.into()))));
                at += 2;
            } else if self.is_digit(bytes.get(at + 1)) {
                pieces.push((at, 1, Ok(None)));
                at = self.run(bytes, at + 1, &mut pieces);
            } else {
                pieces.push((at, 1, Err(Kind::BadEscape)));
                at += 1;
            }
        }
        pieces
    }

    /// Read a run from its first digit on, and its end. Returns what is behind it.
    fn run(&self, bytes: &[u8], start: usize, pieces: &mut Vec<Piece>) -> usize {
        let behind = |at| bytes[at..].iter().take_while(|byte| self.is_digit(Some(byte))).count();
        let number = behind(start);
        let value = |byte: &u8| self.digits.bytes().position(|digit| digit == *byte).unwrap();
        let bits: String =
            bytes[start..][..number].iter().map(|byte| format!("{:06b}", value(byte))).collect();
        let units: Vec<u32> = (0..bits.len() / 16)
            .map(|at| u32::from_str_radix(&bits[16 * at..][..16], 2).unwrap())
            .collect();
        // A unit has the digits that hold its bits, but for one that the unit before it has.
        let place = |unit: usize| (16 * unit).div_ceil(6);
        let end = start + number;
        let padding = &bits[16 * units.len()..];
        let closed = !self.imap || bytes.get(end) == Some(&b'-');
        let fine = !padding.contains('1') && closed || number > place(units.len());
        let mut at = 0;
        while at < units.len() {
            let (value, taken) = match units[at..] {
                [high @ 0xD800..0xDC00, low @ 0xDC00..0xE000, ..] => {
                    (Ok(0x1_0000 + (high - 0xD800) * 0x400 + low - 0xDC00), 2)
                }
                [0xD800..0xDC00, ..] => (Err(Kind::SurrogateHigh), 1),
                [0xDC00..0xE000, ..] => (Err(Kind::SurrogateLow), 1),
                [0x20..0x7F, ..] if self.imap => (Err(Kind::BadEscape), 1),
                [unit, ..] => (Ok(unit), 1),
                [] => unreachable!(),
            };
            let ends_ill = at + taken == units.len() && !fine;
            let value = value
                .and_then(|value| if ends_ill { Err(Kind::BadEscape) } else { Ok(Some(value)) });
            pieces.push((start + place(at), place(at + taken) - place(at), value));
            at += taken;
        }
        let left = number - place(units.len()).min(number);
        if left > 0 {
            pieces.push((end - left, left, Err(Kind::BadEscape)));
        }
        match bytes[end..] {
            [b'-', shift, ..] if self.imap && shift == self.shift && behind(end + 2) > 0 => {
                pieces.push((end, 2, Err(Kind::BadEscape)));
                self.run(bytes, end + 2, pieces)
            }
            [b'-', ..] => {
                pieces.push((end, 1, Ok(None)));
                end + 1
            }
            _ => end,
        }
    }

    fn text(&self, bytes: &[u8]) -> Text {
        let mut text = Text::default();
        for (at, len, value) in self.pieces(bytes) {
            match value {
                Ok(value) => text.values.extend(value),
                Err(kind) => {
                    text.values.push(0xFFFD);
                    text.faults.push((at, len, kind));
                }
            }
        }
        text
    }

    fn compare(&self, bytes: &[u8]) {
        let what = || format!("{}: {}", self.spec.name, bytes.escape_ascii());
        assert_eq!(Text::of(self.spec, bytes), self.text(bytes), "{}", what());
    }

    /// Pieces that make all sorts of runs, in either form.
    fn tokens(&self) -> Vec<Vec<u8>> {
        let tokens = [
            "+", "-", "AGE", "AOk", "AOkA", "AOk-", "AGF", "2D3eAA", "2D0", "3gA", "2D0A", "AA",
            "B", "/", "!", "\\", "~", "\n", "\x01", "&",
        ];
        let form = |token: &str| match self.imap {
            false => token.as_bytes().to_vec(),
            true => token.replace('&', "%").replace('+', "&").replace('/', ",").into_bytes(),
        };
        tokens.map(form).into_iter().chain([vec![0x80]]).collect()
    }

    /// Strings of so many tokens.
    fn token_strings(&self, number: usize, mut visit: impl FnMut(&[u8])) {
        let tokens = self.tokens();
        let indices: Vec<u8> = (0..tokens.len() as u8).collect();
        strings(&indices, number, |chosen| {
            visit(
                &chosen.iter().flat_map(|&at| tokens[usize::from(at)].clone()).collect::<Vec<_>>(),
            );
        });
    }

    /// A string of tokens, most of them good.
    fn random(&self, rng: &mut Rng, number: usize) -> Vec<u8> {
        let tokens = self.tokens();
        (0..number).flat_map(|_| tokens[rng.below(tokens.len())].clone()).collect()
    }
}

#[test]
fn every_short_string_of_utf_7() {
    each(&models(), |model| {
        for len in 1..=3 {
            let all: Vec<u8> = (0..=0x82).chain([0xFE, 0xFF]).collect();
            let few = if len < 3 { &all[..] } else { &all[9..] };
            strings(&few.iter().copied().step_by(len).collect::<Vec<_>>(), len, |bytes| {
                model.compare(bytes);
            });
        }
        strings(b"+-AB2/,&!~\n\x80", 5, |bytes| model.compare(bytes));
        strings(b"+-AD2&", 7, |bytes| model.compare(bytes));
    });
}

#[test]
fn every_string_of_tokens_of_utf_7() {
    each(&models(), |model| {
        model.token_strings(3, |bytes| {
            model.compare(bytes);
            model.compare(&[&[model.shift][..], bytes].concat());
        });
    });
}

#[test]
fn random_strings_of_utf_7() {
    each(&models(), |model| {
        let mut rng = Rng::new(2152);
        for number in 0..3000 {
            model.compare(&model.random(&mut rng, number % 100));
        }
    });
}

/// Texts that the RFCs spell: the code points, and the bytes.
static SPELT: &[(&str, &str, &str)] = &[
    ("utf-7", "A\u{2262}\u{391}.", "A+ImIDkQ."),
    ("utf-7", "Hi Mom -\u{263A}-!", "Hi Mom -+Jjo--!"),
    ("utf-7", "\u{65E5}\u{672C}\u{8A9E}", "+ZeVnLIqe-"),
    ("utf-7", "Item 3 is \u{A3}1.", "Item 3 is +AKM-1."),
    ("utf-7", "1 + 1 = 2;", "1 +- 1 = 2;"),
    (
        "utf-7-imap",
        "~peter/mail/\u{53F0}\u{5317}/\u{65E5}\u{672C}\u{8A9E}",
        "~peter/mail/&U,BTFw-/&ZeVnLIqe-",
    ),
    ("utf-7-imap", "\u{263A}!", "&Jjo-!"),
    ("utf-7-imap", "\u{53F0}\u{5317}\u{65E5}\u{672C}\u{8A9E}", "&U,BTF2XlZyyKng-"),
    ("utf-7-imap", "Lost & Found", "Lost &- Found"),
];

#[test]
fn what_the_rfcs_spell() {
    for (name, text, bytes) in SPELT {
        let spec = find(name).unwrap();
        assert_eq!(put(spec, text).unwrap(), bytes.as_bytes(), "{name}");
        assert_eq!(Text::of(spec, bytes.as_bytes()).text(), *text, "{name}: {bytes}");
    }
    // What may stand for itself but need not, and a run that holds its own shift.
    let utf7 = find("utf-7").unwrap();
    assert_eq!(Text::of(utf7, b"+AGEAYgBj-+AGE+AA").text(), "abca\u{3E00}");
    assert_eq!(Text::of(utf7, b"Hi Mom +ACYmOgAh").text(), "Hi Mom &\u{263A}!");
}

/// A codec, a text, what is read, and its faults.
#[rustfmt::skip]
static FAULTS: &[(&str, &[u8], &str, &[Fault])] = &[
    ("utf-7", b"a\\b", "a\u{FFFD}b", &[(1, 1, Kind::Unmapped)]),
    ("utf-7", b"~", "\u{FFFD}", &[(0, 1, Kind::Unmapped)]),
    ("utf-7", b"\x00\x7F\xC3\xA9", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
     &[(0, 1, Kind::Unmapped), (1, 1, Kind::Unmapped), (2, 1, Kind::Unmapped), (3, 1, Kind::Unmapped)]),
    // A shift that opens nothing.
    ("utf-7", b"+", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("utf-7", b"+!", "\u{FFFD}!", &[(0, 1, Kind::BadEscape)]),
    ("utf-7", b"+~", "\u{FFFD}\u{FFFD}", &[(0, 1, Kind::BadEscape), (1, 1, Kind::Unmapped)]),
    ("utf-7", b"+-+-", "++", &[]),
    // A part of a unit.
    ("utf-7", b"+A", "\u{FFFD}", &[(1, 1, Kind::BadEscape)]),
    ("utf-7", b"+AG!", "\u{FFFD}!", &[(1, 2, Kind::BadEscape)]),
    ("utf-7", b"+AGEA-b", "a\u{FFFD}b", &[(4, 1, Kind::BadEscape)]),
    ("utf-7", b"+AGEAY\xFF", "a\u{FFFD}\u{FFFD}", &[(4, 2, Kind::BadEscape), (6, 1, Kind::Unmapped)]),
    // Bits that are left, and not zero.
    ("utf-7", b"+AGF", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGF-b", "\u{FFFD}b", &[(1, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGEAYh b", "a\u{FFFD} b", &[(4, 3, Kind::BadEscape)]),
    ("utf-7", b"+AGEAYgBj", "abc", &[]),
    // An end without a sign.
    ("utf-7", b"+AGE", "a", &[]),
    ("utf-7", b"+AGE!b", "a!b", &[]),
    ("utf-7", b"+AGE--b", "a-b", &[]),
    ("utf-7", b"+AGE-+AGI-", "ab", &[]),
    ("utf-7", b"+AGE\x80", "a\u{FFFD}", &[(4, 1, Kind::Unmapped)]),
    // Halves of pairs.
    ("utf-7", b"+2D3eAA-", "\u{1F600}", &[]),
    ("utf-7", b"+2D0-", "\u{FFFD}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D0", "\u{FFFD}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D0AYQ-", "\u{FFFD}a", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D3YPd4A-", "\u{FFFD}\u{1F600}", &[(1, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+3gA-", "\u{FFFD}", &[(1, 3, Kind::SurrogateLow)]),
    ("utf-7", b"+3gDYPQ-", "\u{FFFD}\u{FFFD}", &[(1, 3, Kind::SurrogateLow), (4, 3, Kind::SurrogateHigh)]),
    ("utf-7", b"+2D3eAB-", "\u{FFFD}", &[(1, 6, Kind::BadEscape)]),
    ("utf-7", b"+2D3e-", "\u{FFFD}\u{FFFD}", &[(1, 3, Kind::SurrogateHigh), (4, 1, Kind::BadEscape)]),
    // IMAP: controls, and what is not closed.
    ("utf-7-imap", b"a\tb\n", "a\u{FFFD}b\u{FFFD}", &[(1, 1, Kind::Unmapped), (3, 1, Kind::Unmapped)]),
    ("utf-7-imap", b"&", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("utf-7-imap", b"&!", "\u{FFFD}!", &[(0, 1, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo!", "\u{FFFD}!", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&JjoA6Q", "\u{263A}\u{FFFD}", &[(4, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo&Jjo-", "\u{FFFD}\u{263A}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&U/BTFw-", "\u{FFFD}/BTFw-", &[(1, 1, Kind::BadEscape)]),
    // Printable ASCII in base64.
    ("utf-7-imap", b"&AGE-", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&JjoAIQ-", "\u{263A}\u{FFFD}", &[(4, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&ACY-", "\u{FFFD}", &[(1, 3, Kind::BadEscape)]),
    ("utf-7-imap", b"&AB8AfwCA-", "\u{1F}\u{7F}\u{80}", &[]),
    // A shift to and fro.
    ("utf-7-imap", b"&U,BTFw-&ZeVnLIqe-", "\u{53F0}\u{5317}\u{FFFD}\u{65E5}\u{672C}\u{8A9E}",
     &[(7, 2, Kind::BadEscape)]),
    ("utf-7-imap", b"&Jjo-&-&Jjo-", "\u{263A}&\u{263A}", &[]),
    ("utf-7-imap", b"&Jjo-&", "\u{263A}\u{FFFD}", &[(5, 1, Kind::BadEscape)]),
    // A fault that ends between two sets, and what is read behind it.
    ("iso-2022-jp", b"a\x0E\x0F\x80b", "a\u{FFFD}\u{FFFD}\u{FFFD}b",
     &[(1, 1, Kind::Unmapped), (2, 1, Kind::Unmapped), (3, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B(J\\~|", "\u{A5}\u{203E}|", &[]),
    ("iso-2022-jp", b"\x1B(I1!`a", "\u{FF71}\u{FF61}\u{FFFD}\u{FFFD}", &[(5, 1, Kind::Unmapped), (6, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$@$\"\x1B(Ba", "\u{3042}a", &[]),
    ("iso-2022-jp", b"\x1B$B$\"\n\x1B(Ba", "\u{3042}\u{FFFD}a", &[(5, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$\x1B(Ba", "\u{FFFD}a", &[(3, 1, Kind::TruncatedNext)]),
    ("iso-2022-jp", b"\x1B$B)\x1B(Ba", "\u{FFFD}a", &[(3, 1, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$\n$\"", "\u{FFFD}\u{3042}", &[(3, 2, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B)!$\"", "\u{FFFD}\u{3042}", &[(3, 2, Kind::Unmapped)]),
    ("iso-2022-jp", b"\x1B$B$", "\u{FFFD}", &[(3, 1, Kind::TruncatedEnd)]),
    ("iso-2022-jp", b"\x1B", "\u{FFFD}", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(", "\u{FFFD}(", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(Za", "\u{FFFD}(Za", &[(0, 1, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B$B\x1B$A", "\u{FFFD}\u{3061}", &[(3, 1, Kind::BadEscape)]),
    // Of two escapes in a row the second is one too many, and is obeyed.
    ("iso-2022-jp", b"\x1B(J\x1B$B$\"", "\u{FFFD}\u{3042}", &[(3, 3, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(J\x1B(B\x1B(Ja\\", "\u{FFFD}\u{FFFD}a\u{A5}",
     &[(3, 3, Kind::BadEscape), (6, 3, Kind::BadEscape)]),
    ("iso-2022-jp", b"\x1B(Ja\x1B(B", "a", &[]),
];

#[test]
fn what_a_fault_spans() {
    for (name, bytes, text, faults) in FAULTS {
        let found = Text::of(find(name).unwrap(), bytes);
        let what = format!("{name}: {}", bytes.escape_ascii());
        assert_eq!(found.faults, *faults, "{what}");
        assert_eq!(found.text(), *text, "{what}");
    }
}

/// What stands for nothing is part of a run, and no code point.
#[test]
fn shifts_are_not_counted() {
    for (name, bytes, lengths) in [
        ("utf-7", "+AGEAYgBj2D3eAA-+--", [1, 2, 2, 0, 0, 1, 0]),
        ("utf-7-imap", "a&JjoA6dg93gA-", [1, 0, 2, 0, 1, 0, 0]),
        ("iso-2022-jp", "a\x1B$B$\"$\"\x1B(B", [1, 2, 0, 0, 0, 0, 0]),
    ] {
        let spec = find(name).unwrap();
        let found = tally(spec, bytes.as_bytes(), 0..bytes.len());
        assert_eq!(found, lengths, "{name}: {bytes}");
    }
}

#[test]
fn every_scalar_value_of_utf_7_there_and_back() {
    each(&models(), |model| {
        let all: String = ('\0'..=char::MAX).collect();
        let bytes = put(model.spec, &all).unwrap();
        let found = Text::of(model.spec, &bytes);
        assert!(found.text() == all && found.faults.is_empty(), "{}", model.spec.name);
        for scalar in '\0'..=char::MAX {
            // At each place in a run, and next to what ends one in its own way.
            let text = match u32::from(scalar) % 5 {
                0 => format!("{scalar}"),
                1 => format!("é{scalar}"),
                2 => format!("éé{scalar}-"),
                3 => format!("a{scalar}a"),
                _ => format!("{scalar}{}{scalar}", char::from(model.shift)),
            };
            let bytes = put(model.spec, &text).unwrap();
            assert_eq!(Text::of(model.spec, &bytes), model.text(&bytes), "{text:?}");
            assert_eq!(Text::of(model.spec, &bytes).text(), text, "{text:?}");
        }
        let mut out = vec![];
        for value in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, u32::MAX] {
            assert!(!(model.spec.write)(Escapes::Usual).put(value, &mut out));
        }
        assert!(out.is_empty());
    });
}

/// Text that changes often between what is direct and what is not.
fn mixed(rng: &mut Rng, len: usize, from: &[char]) -> String {
    (0..len).map(|_| if rng.one_in(8) { rng.scalar(3) } else { rng.pick(from) }).collect()
}

const SIGNS: &[char] = &[
    'a', 'Z', '0', '+', '-', '/', ',', '&', '!', '~', '\\', ' ', '\0', 'é', 'あ', '日', '€', '😀',
];

/// One text a line, as the hexadecimal digits of its UTF-8, to one line each: what is written.
const ENCODE: &str = "
import sys
for line in sys.stdin:
    print(bytes.fromhex(line).decode().encode('utf-7').hex())
";

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut line, byte| {
        let _ = write!(line, "{byte:02X}");
        line
    })
}

#[test]
fn utf_7_is_written_as_cpython_writes_it() {
    let mut rng = Rng::new(7);
    let texts: Vec<String> = (0..4000).map(|at| mixed(&mut rng, at % 40, SIGNS)).collect();
    let input: String = texts.iter().map(|text| digits(text.as_bytes()) + "\n").collect();
    let Some(answer) = python(ENCODE, input.as_bytes()) else { return };
    assert_eq!(answer.lines().count(), texts.len());
    for (text, theirs) in texts.iter().zip(answer.lines()) {
        let ours = put(find("utf-7").unwrap(), text).unwrap();
        assert_eq!(digits(&ours), theirs.to_uppercase(), "{text:?}");
    }
}

/// The other way round: `-` where it cannot be read.
const DECODE: &str = "
import sys
for line in sys.stdin:
    try:
        print(bytes.fromhex(line).decode('utf-7').encode('utf-32-be', 'surrogatepass').hex() or ' ')
    except UnicodeDecodeError:
        print('-')
";

/// CPython lets more stand for itself, and halves of pairs, and a shift at the end.
#[test]
fn utf_7_is_read_as_cpython_reads_it() {
    let [model, _] = models();
    let mut inputs = vec![];
    model.token_strings(3, |bytes| inputs.push([b"+", bytes].concat()));
    let input: String = inputs.iter().map(|bytes| digits(bytes) + "\n").collect();
    let Some(answer) = python(DECODE, input.as_bytes()) else { return };
    assert_eq!(answer.lines().count(), inputs.len());
    let lax = |bytes: &[u8], (at, len, kind): Fault| match kind {
        Kind::Unmapped => bytes[at] < 0x80,
        Kind::BadEscape => bytes[at] == b'+' && at + len == bytes.len(),
        Kind::SurrogateHigh | Kind::SurrogateLow => true,
        _ => false,
    };
    for (bytes, theirs) in inputs.iter().zip(answer.lines()) {
        let ours = Text::of(model.spec, bytes);
        let what = bytes.escape_ascii();
        if ours.faults.is_empty() {
            let values: String = ours.values.iter().map(|value| format!("{value:08x}")).collect();
            assert_eq!(theirs.trim(), values, "{what}");
        } else if theirs != "-" {
            assert!(ours.faults.iter().all(|&fault| lax(bytes, fault)), "{what}: {theirs}");
        }
    }
}

/// Names that others have for a form of UTF-7, and what may stand between two texts in it.
const PEERS: &[(&str, &str, &str, &str)] = &[
    ("utf-7", "uconv", "utf-7", "\n"),
    ("utf-7", "iconv", "utf-7", "\n"),
    ("utf-7-imap", "uconv", "imap-mailbox-name", "/"),
    ("utf-7-imap", "iconv", "utf-7-imap", "/"),
];

#[test]
fn utf_7_is_read_and_written_as_icu_and_glibc_do() {
    let mut rng = Rng::new(3501);
    let from: Vec<char> = SIGNS.iter().copied().filter(|&sign| sign != '\0').collect();
    for (name, program, theirs, between) in PEERS {
        let spec = find(name).unwrap();
        let texts: Vec<String> = (0..2000).map(|at| mixed(&mut rng, at % 30, &from)).collect();
        let text = texts.join(between);
        let bytes = put(spec, &text).unwrap();
        let read = peer(program, &["-f", theirs, "-t", "utf-8"], &bytes);
        assert!(read.is_none_or(|read| read == text.as_bytes()), "{name}: {program} reads");
        let written = peer(program, &["-f", "utf-8", "-t", theirs], text.as_bytes());
        let Some(written) = written else { continue };
        assert_eq!(Text::of(spec, &written).text(), text, "{name}: {program} writes");
        assert_eq!(Text::of(spec, &written).faults, []);
    }
}

// ISO-2022-JP, beside the WHATWG's decoder and encoder.

fn iso() -> &'static Spec {
    find("iso-2022-jp").unwrap()
}

/// What the standard's decoder reads. It blames the first of two escapes in a row where we blame
/// the second.
fn whatwg(bytes: &[u8]) -> Text {
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let (mut text, mut at) = (Text::default(), 0);
    let mut room = [0; 256];
    loop {
        let (result, read, written) =
            decoder.decode_to_utf16_without_replacement(&bytes[at..], &mut room, true);
        text.values.extend(room[..written].iter().map(|&unit| u32::from(unit)));
        at += read;
        match result {
            DecoderResult::InputEmpty => return text,
            DecoderResult::OutputFull => (),
            DecoderResult::Malformed(len, behind) => {
                let idle = if (len, behind) == (3, 3) { 3 } else { 0 };
                let start = at - usize::from(len + behind) + idle;
                text.values.push(0xFFFD);
                text.faults.push((start, len.into(), Kind::Unmapped));
            }
        }
    }
}

fn compare_iso(bytes: &[u8]) {
    let mut ours = Text::of(iso(), bytes);
    // It does not say why.
    ours.faults.iter_mut().for_each(|fault| fault.2 = Kind::Unmapped);
    assert_eq!(ours, whatwg(bytes), "{}", bytes.escape_ascii());
}

#[rustfmt::skip]
static TOKENS: &[&[u8]] = &[
    b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B", b"\x1B$@", b"\x1B", b"(", b"$", b"B", b"\\", b"~", b"a",
    b"\n", b"\x0E", b"$\"", b"0!", b")!", b"\x80", b"\xFF", b"\x7F", b"\x1B(Z",
];

/// Tokens chosen by their indices.
fn tokens(chosen: &[u8]) -> Vec<u8> {
    chosen.iter().flat_map(|&at| TOKENS[usize::from(at)]).copied().collect()
}

#[test]
fn every_short_string_of_iso_2022_jp() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    (1..=2).for_each(|len| strings(&all, len, compare_iso));
    strings(&all, 2, |bytes| compare_iso(&[b"\x1B$B", bytes].concat()));
    for escape in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@"] {
        strings(&all, 1, |bytes| compare_iso(&[&escape[..], bytes, bytes].concat()));
    }
    strings(b"\x1B($BJI@\n\x0E!\\~\x80", 4, compare_iso);
    let indices: Vec<u8> = (0..TOKENS.len() as u8).collect();
    strings(&indices, 3, |chosen| compare_iso(&tokens(chosen)));
    strings(&[0, 1, 3, 5, 7, 11, 12, 14, 16, 17], 4, |chosen| compare_iso(&tokens(chosen)));
}

#[test]
fn random_strings_of_iso_2022_jp() {
    let mut rng = Rng::new(1468);
    for len in 0..2000 {
        let chosen: Vec<u8> = (0..len % 300).map(|_| rng.below(TOKENS.len()) as u8).collect();
        compare_iso(&tokens(&chosen));
    }
}

/// The set of two bytes is that of EUC-JP, for reading as for writing.
#[test]
fn jis_x_0208_is_in_euc_jp() {
    let both = |bytes: &[u8; 2]| {
        let left = [&b"\x1B$B"[..], bytes].concat();
        let right = bytes.map(|byte| byte | 0x80);
        [(ISO_2022_JP, &left[..]), (EUC_JP, &right)].map(|(encoding, bytes)| {
            encoding.decode_without_bom_handling_and_without_replacement(bytes).map(String::from)
        })
    };
    for bytes in (0x21..=0x7E).flat_map(|lead| (0x21..=0x7E).map(move |trail| [lead, trail])) {
        let [left, right] = both(&bytes);
        assert_eq!(left, right, "{}", hex(&bytes));
    }
}

/// What the standard's encoder writes, if it can.
fn encoded(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![0; 8 * text.len() + 16];
    let (result, _, written) =
        ISO_2022_JP.new_encoder().encode_from_utf8_without_replacement(text, &mut out, true);
    out.truncate(written);
    matches!(result, EncoderResult::InputEmpty).then_some(out)
}

/// Strict: what would come back as another character is not written.
#[test]
fn iso_2022_jp_writes_what_it_reads_again() {
    let mut refused = vec![];
    for scalar in ('\0'..='\u{FFFF}').chain(['\u{10000}', '\u{20089}', char::MAX]) {
        let text = scalar.to_string();
        let (ours, theirs) = (put(iso(), &text), encoded(&text));
        if let Some(bytes) = &ours {
            assert_eq!(Text::of(iso(), bytes).text(), text);
        }
        if ours != theirs {
            assert_eq!(ours, None, "{scalar:?}");
            refused.push(u32::from(scalar));
        }
    }
    let expected: Vec<u32> = [0x2212].into_iter().chain(0xFF61..=0xFF9F).collect();
    assert_eq!(refused, expected);
    for value in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
        assert!(!(iso().write)(Escapes::Usual).put(value, &mut vec![]));
    }
}

#[test]
fn iso_2022_jp_shifts_as_the_standard_does() {
    let from = ['a', '\\', '~', '\n', '¥', '‾', 'あ', '日', '～', '①', ' '];
    let mut rng = Rng::new(2022);
    for len in 0..3000 {
        let text: String = (0..len % 60).map(|_| rng.pick(&from)).collect();
        let bytes = put(iso(), &text).unwrap();
        assert_eq!(bytes, encoded(&text).unwrap(), "{text:?}");
        let found = Text::of(iso(), &bytes);
        assert_eq!((found.text(), found.faults.len()), (text, 0));
    }
}

/// What is refused changes nothing: the set stays on.
#[test]
fn a_refusal_leaves_the_set_as_it_is() {
    let (mut writer, mut out) = ((iso().write)(Escapes::Usual), vec![]);
    for (value, held) in [(0x3042, true), (0xFF71, false), (0x1B, false), (0x3044, true)] {
        assert_eq!(writer.put(value, &mut out), held, "{value:X}");
    }
    writer.finish(&mut out);
    assert_eq!(out, b"\x1B$B$\"$$\x1B(B");
}

/// One text a line is read by the codec that the others call so; `-` where it is not.
const READ: &str = "
import sys
for line in sys.stdin:
    try:
        print('%X' % ord(bytes.fromhex(line).decode('iso2022_jp')))
    except UnicodeDecodeError:
        print('-')
";

/// Where CPython reads another character in the set of two bytes: Unicode's table, not Microsoft's.
static NOT_CPYTHON: &[(u32, u32)] = &[
    (0x2225, 0x2016),
    (0xFF0D, 0x2212),
    (0xFF5E, 0x301C),
    (0xFFE0, 0xA2),
    (0xFFE1, 0xA3),
    (0xFFE2, 0xAC),
];

#[test]
fn cpython_reads_iso_2022_jp() {
    let texts: Vec<(u32, Vec<u8>)> = ('\0'..='\u{FFFF}')
        .filter_map(|scalar| Some((scalar.into(), put(iso(), &scalar.to_string())?)))
        .collect();
    let input: String = texts.iter().map(|(_, bytes)| digits(bytes) + "\n").collect();
    let Some(answer) = python(READ, input.as_bytes()) else { return };
    let mut differ = vec![];
    for ((value, bytes), theirs) in texts.iter().zip(answer.lines()) {
        match u32::from_str_radix(theirs, 16) {
            Ok(theirs) if theirs != *value => differ.push((*value, theirs)),
            Ok(_) => (),
            // It has not the rows of NEC and of IBM.
            Err(_) => assert!(matches!(bytes[3], 0x2D | 0x79..=0x7C), "{value:X}"),
        }
    }
    assert_eq!(differ, NOT_CPYTHON);
}

// Laws of all that remember something.

/// Any text of a codec, and any bytes that mean something to one.
fn any(rng: &mut Rng, spec: &Spec, len: usize) -> Vec<u8> {
    match models().into_iter().find(|model| model.spec.name == spec.name) {
        Some(model) => model.random(rng, len),
        None => tokens(&(0..len).map(|_| rng.below(TOKENS.len()) as u8).collect::<Vec<_>>()),
    }
}

#[test]
fn any_cut_says_the_same() {
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

/// A run is read again from any of its boundaries, and from there to any other.
#[test]
fn any_part_of_a_run_is_read_again() {
    each(&stateful(), |spec| {
        let mut rng = Rng::new(6);
        for len in 0..400 {
            let bytes = any(&mut rng, spec, len % 12);
            let chunk = Chunk { bytes: &bytes, offset: 0, last: true };
            (spec.open)(0).scan(best(), chunk, &mut Parts).unwrap();
        }
    });
}

/// Looks at the boundaries of each run.
struct Parts;

impl Sink for Parts {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        let bytes = run.bytes;
        let mut boundaries: Vec<usize> =
            (0..=bytes.len()).map(|at| run.reader.boundary(bytes, at)).collect();
        assert_eq!(boundaries[0], 0, "{}", hex(bytes));
        assert_eq!(boundaries[bytes.len()], bytes.len(), "{}", hex(bytes));
        boundaries.dedup();
        // What ends at a boundary says nothing of what is behind it.
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
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, _: &Issue, _: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

#[test]
fn what_remembers_does_not_synchronise() {
    let names: Vec<_> = stateful().iter().map(|spec| spec.name).collect();
    for name in ["utf-7", "utf-7-imap", "iso-2022-jp"] {
        assert!(names.contains(&name));
    }
    assert!(stateful().iter().all(|spec| spec.reach.is_none()));
}
