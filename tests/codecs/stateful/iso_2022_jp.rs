//! ISO-2022-JP, against the decoder and the encoder of the WHATWG Encoding Standard.

use std::sync::LazyLock;

use crate::common::inputs::{Rng, strings};
use crate::common::peer::python;
use crate::common::{digits, hex};
use encoding_rs::{DecoderResult, EUC_JP, EncoderResult, ISO_2022_JP};
use utf8::Kind;
use utf8::codec::Escapes;
use utf8::registry::Encoding;

use super::{Text, put};

static ISO: LazyLock<&Encoding> = LazyLock::new(|| Encoding::for_label("iso-2022-jp").unwrap());

/// Decodes with the reference decoder. Of two adjacent escapes it blames the first; this project
/// blames the second.
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
    let mut ours = Text::of(&ISO, bytes);
    // The reference gives no kinds.
    ours.faults.iter_mut().for_each(|fault| fault.2 = Kind::Unmapped);
    assert_eq!(ours, whatwg(bytes), "{}", bytes.escape_ascii());
}

#[rustfmt::skip]
pub static TOKENS: &[&[u8]] = &[
    b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$B", b"\x1B$@", b"\x1B", b"(", b"$", b"B", b"\\", b"~", b"a",
    b"\n", b"\x0E", b"$\"", b"0!", b")!", b"\x80", b"\xFF", b"\x7F", b"\x1B(Z",
];

/// Tokens chosen by their indices.
pub fn tokens(chosen: &[u8]) -> Vec<u8> {
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

/// The two-byte set is the one of EUC-JP, decoded and encoded.
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

/// Encodes with the reference encoder.
fn encoded(text: &str) -> Option<Vec<u8>> {
    let mut out = vec![0; 8 * text.len() + 16];
    let (result, _, written) =
        ISO_2022_JP.new_encoder().encode_from_utf8_without_replacement(text, &mut out, true);
    out.truncate(written);
    matches!(result, EncoderResult::InputEmpty).then_some(out)
}

/// A strict encoder refuses characters that would decode differently. It writes half-width katakana,
/// which the reference encoder replaces by full-width ones, in their set.
#[test]
fn iso_2022_jp_text_decodes_back() {
    let mut refused = vec![];
    for scalar in ('\0'..='\u{FFFF}').chain(['\u{10000}', '\u{20089}', char::MAX]) {
        let text = scalar.to_string();
        let (ours, theirs) = (put(&ISO, &text), encoded(&text));
        if let Some(bytes) = &ours {
            assert_eq!(Text::of(&ISO, bytes).text(), text);
        }
        if let katakana @ 0xFF61..=0xFF9F = u32::from(scalar) {
            let byte = 0x21 + (katakana - 0xFF61) as u8;
            assert_eq!(ours.as_deref(), Some(&[0x1B, b'(', b'I', byte, 0x1B, b'(', b'B'][..]));
        } else if ours != theirs {
            assert_eq!(ours, None, "{scalar:?}");
            refused.push(u32::from(scalar));
        }
    }
    assert_eq!(refused, [0x2212]);
    for value in [0xD800, 0xDFFF, 0x11_0000, u32::MAX] {
        assert!(!ISO.writer(Escapes::Usual).put(value, &mut vec![]));
    }
}

#[test]
fn iso_2022_jp_shifts_as_the_standard_does() {
    let from = ['a', '\\', '~', '\n', '¥', '‾', 'あ', '日', '～', '①', ' '];
    let mut rng = Rng::new(2022);
    for len in 0..3000 {
        let text: String = (0..len % 60).map(|_| rng.pick(&from)).collect();
        let bytes = put(&ISO, &text).unwrap();
        assert_eq!(bytes, encoded(&text).unwrap(), "{text:?}");
        let found = Text::of(&ISO, &bytes);
        assert_eq!((found.text(), found.faults.len()), (text, 0));
    }
}

/// A refused character leaves the selected set as it was.
#[test]
fn refused_characters_keep_the_selected_set() {
    let (mut writer, mut out) = (ISO.writer(Escapes::Usual), vec![]);
    for (value, held) in [(0x3042, true), (0x20AC, false), (0x1B, false), (0x3044, true)] {
        assert_eq!(writer.put(value, &mut out), held, "{value:X}");
    }
    writer.finish(&mut out);
    assert_eq!(out, b"\x1B$B$\"$$\x1B(B");
}

/// Decodes a text in each line; writes `-` on an error.
const READ: &str = "
import sys
for line in sys.stdin:
    try:
        print('%X' % ord(bytes.fromhex(line).decode('iso2022_jp_ext')))
    except UnicodeDecodeError:
        print('-')
";

/// Characters of the two-byte set that CPython decodes by Unicode's table rather than Microsoft's.
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
        .filter_map(|scalar| Some((scalar.into(), put(&ISO, &scalar.to_string())?)))
        .collect();
    let input: String = texts.iter().map(|(_, bytes)| digits(bytes) + "\n").collect();
    let Some(answer) = python(READ, input.as_bytes()) else { return };
    let mut differ = vec![];
    for ((value, bytes), theirs) in texts.iter().zip(answer.lines()) {
        match u32::from_str_radix(theirs, 16) {
            Ok(theirs) if theirs != *value => differ.push((*value, theirs)),
            Ok(_) => (),
            // CPython lacks the rows of NEC and IBM.
            Err(_) => assert!(matches!(bytes[3], 0x2D | 0x79..=0x7C), "{value:X}"),
        }
    }
    assert_eq!(differ, NOT_CPYTHON);
}
