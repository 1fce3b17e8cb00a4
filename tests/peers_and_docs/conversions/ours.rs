//! Answers of the binary about an encoding.

use std::sync::{Arc, LazyLock, OnceLock};

use utf8::codec::{Escapes, Group, Step};
use utf8::registry::{CODECS, Encoding};

use crate::common::bin::run;

/// Converts bytes, all of which must be valid, by the binary.
pub fn ours(args: &[&str], bytes: &[u8]) -> Vec<u8> {
    let out = run(args).write_stdin(bytes).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {said}");
    out.stdout
}

/// Questions and the binary's answers, in lines, so that answers can be matched to questions.
#[derive(Debug)]
pub struct Ours {
    /// Every code point of the encoding.
    pub text: Arc<[u8]>,
    /// That text in the encoding.
    pub written: Vec<u8>,
    /// Every byte of a code page, every sequence of an East Asian set; otherwise the written text.
    pub asked: Vec<u8>,
    /// The code points of these bytes.
    pub read: Vec<u8>,
    /// The line end of the encoding.
    pub end: Vec<u8>,
}

/// Every scalar value except the line feed.
static SCALARS: LazyLock<Arc<[u8]>> = LazyLock::new(|| lines('\0'..=char::MAX));

/// The scalar values of the planes that East Asian sets use.
static MAPPED: LazyLock<Arc<[u8]>> =
    LazyLock::new(|| lines(('\0'..='\u{FFFF}').chain('\u{20000}'..='\u{2FFFF}')));

fn lines(scalars: impl Iterator<Item = char>) -> Arc<[u8]> {
    let text: String = scalars.filter(|c| *c != '\n').flat_map(|c| [c, '\n']).collect();
    text.into_bytes().into()
}

impl Ours {
    /// Returns the answers about an encoding, which are asked once.
    pub fn of(spec: &'static Encoding) -> &'static Ours {
        static ALL: LazyLock<Vec<OnceLock<Ours>>> =
            LazyLock::new(|| CODECS.iter().map(|_| OnceLock::new()).collect());
        let place = CODECS.iter().position(|other| other.name == spec.name).unwrap();
        ALL[place].get_or_init(|| Ours::ask(spec))
    }

    fn ask(spec: &Encoding) -> Ours {
        let text = held(spec);
        let encode = ["encode", "-t", spec.name];
        let (written, mut header) = (ours(&encode, &text), ours(&encode, b"\n"));
        // ISO-2022-KR starts with an escape sequence.
        let end = header.split_off(header.len() - spec.inner.unit);
        let asked = match spec.group {
            group if group.is_page() => joined((0..=u8::MAX).map(|byte| vec![byte]), &end),
            Group::RareEastAsia if is_mixed(spec) => {
                let singles = (0..=u8::MAX).filter(|byte| ![0x0E, 0x0F].contains(byte));
                joined(singles.map(|byte| vec![byte]).chain(shifted_pairs()), &end)
            }
            Group::EastAsia | Group::RareEastAsia | Group::FloatingAccents => {
                [header, joined(sequences(spec, &written), &end)].concat()
            }
            _ => written.clone(),
        };
        let decode = ["decode", "-f", spec.name, "-t", "utf-8", "--on-error", "ignore"];
        let read = ours(&decode, &asked);
        Ours { text, written, asked, read, end }
    }
}

fn held(spec: &Encoding) -> Arc<[u8]> {
    let (mut writer, mut out) = (spec.writer(Escapes::Usual), Vec::new());
    let mut holds = |scalar: &char| {
        out.clear();
        writer.put((*scalar).into(), &mut out)
    };
    if spec.properties.scalars {
        return SCALARS.clone();
    }
    let candidates = if holds(&'\u{10FFFD}') { &SCALARS } else { &MAPPED };
    let candidates = std::str::from_utf8(candidates).unwrap().split('\n');
    lines(candidates.filter_map(|line| line.chars().next()).filter(holds))
}

/// Returns, in order, every sequence of one or two bytes, those of three bytes after 8F, and other
/// written ones.
fn sequences(spec: &Encoding, written: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let one = (0..=u8::MAX).map(|byte| vec![byte]);
    let two = (0x8000..=u16::MAX).map(|pair| pair.to_be_bytes().to_vec());
    let three = (0xA1A1..=0xFEFE_u16).map(|pair| [&[0x8F], &pair.to_be_bytes()[..]].concat());
    let whole = |bytes: &Vec<u8>| match spec.step(bytes) {
        step @ (Step::Scalar { .. } | Step::Two { .. } | Step::Many { .. }) => {
            step.size() == bytes.len()
        }
        _ => false,
    };
    let lines = written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut sequences: Vec<_> = one.chain(two).chain(three).filter(whole).collect();
    sequences.extend(lines.map(<[u8]>::to_vec));
    sequences.sort();
    sequences.dedup();
    sequences.into_iter()
}

/// Returns `true` for a set of EBCDIC with pairs between Shift Out and Shift In.
fn is_mixed(spec: &Encoding) -> bool {
    spec.name.starts_with("ibm") && spec.properties.stateful
}

/// Returns every pair of bytes that are no controls, between shifts.
fn shifted_pairs() -> impl Iterator<Item = Vec<u8>> {
    let bytes = 0x40..=u8::MAX;
    let pairs = bytes.clone().flat_map(move |lead| bytes.clone().map(move |trail| [lead, trail]));
    pairs.map(|[lead, trail]| vec![0x0E, lead, trail, 0x0F])
}

/// Joins sequences in lines.
fn joined(sequences: impl Iterator<Item = Vec<u8>>, end: &[u8]) -> Vec<u8> {
    sequences.filter(|bytes| bytes != end).flat_map(|bytes| [&bytes, end].concat()).collect()
}
