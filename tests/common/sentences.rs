//! The project's own sentences, and their encodings.

use std::collections::BTreeMap;

use utf8::codec::{Escapes, Group, Step};
use utf8::detect::{Answer, Detection, legacy};
use utf8::issue::Kind;
use utf8::registry::Encoding;

static TABLE: &str = include_str!("../corpus/sentences.tsv");

/// Returns each language and sentence.
pub fn sentences() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once('\t').unwrap())
}

/// Returns each language and all of its sentences.
pub fn texts() -> BTreeMap<&'static str, String> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for (language, sentence) in sentences() {
        let text = texts.entry(language).or_default();
        text.push_str(sentence);
        text.push(' ');
    }
    texts
}

/// Returns the legacy sets of a language, each with the text as it is written there.
pub fn legacy_texts<'a>(
    language: &str,
    text: &'a str,
) -> impl Iterator<Item = (&'static Encoding, String)> + use<'a> {
    let east = match language {
        "zh-cn" => &["gbk"][..],
        "zh-tw" => &["gbk", "big5"],
        "ja" => &["shift_jis", "euc-jp"],
        "ko" => &["euc-kr"],
        _ => &[],
    };
    // East Asian sets also contain other alphabets, which nobody writes in them.
    let used = move |codec: &&Encoding| codec.is_page() || east.contains(&codec.name);
    legacy::codecs().filter(used).filter_map(|codec| Some((codec, written(codec, text)?)))
}

/// Adapts a text to a set: many lack typographic quotes, some have only the cedilla.
fn written(codec: &Encoding, text: &str) -> Option<String> {
    let plain = text.replace(['’', '“', '”'], "'").replace('–', "-");
    let comma = |text: &str| text.replace('ş', "ș").replace('ţ', "ț").replace('Ţ', "Ț");
    let texts = [text.to_string(), comma(text), comma(&plain), plain];
    texts.into_iter().find(|text| text.chars().all(|character| codec.can_encode(character.into())))
}

/// Returns `number` pieces of `length` characters, evenly spaced; the text repeats at its end.
pub fn pieces(text: &str, length: usize, number: usize) -> impl Iterator<Item = String> + use<> {
    let characters: Vec<char> = text.chars().collect();
    let step = characters.len() / number;
    (0..number).map(move |at| characters.iter().cycle().skip(at * step).take(length).collect())
}

pub fn encoded(codec: &Encoding, text: &str) -> Vec<u8> {
    let mut writer = codec.writer(Escapes::Usual);
    let mut bytes = Vec::new();
    for character in text.chars() {
        assert!(writer.put(character.into(), &mut bytes), "{} lacks {character}", codec.name);
    }
    writer.finish(&mut bytes);
    bytes
}

/// Decodes text in an encoding without state. Returns `None` if it is ill-formed.
pub fn decoded(codec: &Encoding, mut bytes: &[u8]) -> Option<Vec<u32>> {
    let mut text = Vec::new();
    while !bytes.is_empty() {
        let step = codec.step(bytes);
        match step {
            Step::Scalar { value, .. } => text.push(value),
            Step::Two { values, .. } => text.extend(values),
            // The end truncates a character: the last item stands for its bytes.
            Step::Ill { kind: Kind::TruncatedEnd, .. } => {
                text.extend(bytes.iter().map(|&byte| 0x11_0000 + u32::from(byte)));
                return Some(text);
            }
            _ => return None,
        }
        bytes = &bytes[step.size()..];
    }
    Some(text)
}

/// Returns `true` if a verdict gives the same text as the true encoding.
pub fn is_right(verdict: &Detection, codec: &Encoding, bytes: &[u8]) -> bool {
    match verdict.answer {
        Answer::Codec(found) if found.name == codec.name => true,
        Answer::Codec(found) if [found.group, codec.group] == [Group::Units; 2] => {
            // The BOM tells the byte order.
            found.inner.unit == codec.inner.unit && bytes.starts_with(&encoded(codec, "\u{FEFF}"))
        }
        Answer::Codec(found) => {
            let text = decoded(found, bytes);
            text.is_some() && text == decoded(codec, bytes)
        }
        _ => false,
    }
}

/// Returns the Unicode encoding forms, with the text that precedes the content.
pub fn forms() -> impl Iterator<Item = (&'static str, &'static Encoding, &'static str)> {
    let forms = [
        ("UTF-8", "utf-8", ""),
        ("UTF-16LE with a BOM", "utf-16le", "\u{FEFF}"),
        ("UTF-16BE with a BOM", "utf-16be", "\u{FEFF}"),
        ("UTF-32LE with a BOM", "utf-32le", "\u{FEFF}"),
        ("UTF-32BE with a BOM", "utf-32be", "\u{FEFF}"),
        ("UTF-16LE", "utf-16le", ""),
        ("UTF-16BE", "utf-16be", ""),
        ("UTF-32LE", "utf-32le", ""),
        ("UTF-32BE", "utf-32be", ""),
        ("UTF-7", "utf-7", ""),
        ("ISO-2022-JP", "iso-2022-jp", ""),
    ];
    forms.into_iter().map(|(name, codec, front)| (name, Encoding::for_label(codec).unwrap(), front))
}

/// The measured lengths in characters, and the number of pieces of each text.
pub const LENGTHS: [(usize, usize); 5] = [(8, 4), (24, 4), (80, 4), (400, 2), (4000, 1)];

/// A piece of a text, encoded.
pub struct Piece {
    /// The encoding's name in tables.
    pub name: &'static str,
    pub codec: &'static Encoding,
    pub bytes: Vec<u8>,
}

/// Returns pieces of all texts in each legacy set.
pub fn legacy_pieces(length: usize, number: usize) -> Vec<Piece> {
    let mut all = Vec::new();
    for (language, text) in texts() {
        for (codec, text) in legacy_texts(language, &text) {
            let bytes = pieces(&text, length, number).map(|piece| encoded(codec, &piece));
            // All sets agree on ASCII.
            let beyond = bytes.filter(|bytes| !bytes.is_ascii());
            all.extend(beyond.map(|bytes| Piece { name: codec.name, codec, bytes }));
        }
    }
    all
}

/// Returns pieces of all texts in each Unicode form that differs from ASCII.
pub fn unicode_pieces(length: usize, number: usize) -> Vec<Piece> {
    let mut all = Vec::new();
    for (language, text) in texts() {
        for (name, codec, front) in forms() {
            if codec.name == "iso-2022-jp" && language != "ja" {
                continue;
            }
            for piece in pieces(&text, length, number).filter(|piece| !piece.is_ascii()) {
                let bytes = encoded(codec, &format!("{front}{piece}"));
                all.push(Piece { name, codec, bytes });
            }
        }
    }
    all
}
