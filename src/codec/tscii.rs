//! TSCII 1.7, a set of Tamil: glyphs in the order in which they are seen.
//!
//! A byte is ASCII or a glyph, which is up to four code points. Vowel signs on the left of a letter are
//! bytes before it, and the two parts of a vowel sign enclose it; in a text, they follow it.
//!
//! A writer joins code points to glyphs, as glibc does. It refuses what would be read as another
//! text: a letter after a vowel sign that has none, and a sign that would join the bytes before it.
//!
//! Kinds of issues: `unmapped`.

use super::{Codec, Escapes, Group, MOST_VALUES, Properties, Step, bulk};
use crate::issue::Kind;
use crate::kernel::{Kernels, Loaded, front};

/// TSCII.
#[derive(Debug)]
pub struct Tscii;

/// The glyphs of 80..FF; `-` for none.
const GLYPHS: &str = "\
    ௦ ௧ ஸ்ரீ ஜ ஷ ஸ ஹ க்ஷ ஜ் ஷ் ஸ் ஹ் க்ஷ் ௨ ௩ ௪ \
    ௫ ‘ ’ “ ” ௬ ௭ ௮ ௯ ஙு ஞு ஙூ ஞூ ௰ ௱ ௲ \
    - ா ி ீ ு ூ ெ ே ை © ௗ அ ஆ இ ஈ உ \
    ஊ எ ஏ ஐ ஒ ஓ ஔ ஃ க ங ச ஞ ட ண த ந \
    ப ம ய ர ல வ ழ ள ற ன டி டீ கு சு டு ணு \
    து நு பு மு யு ரு லு வு ழு ளு று னு கூ சூ டூ ணூ \
    தூ நூ பூ மூ யூ ரூ லூ வூ ழூ ளூ றூ னூ க் ங் ச் ஞ் \
    ட் ண் த் ந் ப் ம் ய் ர் ல் வ் ழ் ள் ற் ன் இ -";

/// The byte of the first glyph.
const FIRST: u8 = 0x80;

/// The first code point of Tamil, and the number of its block.
const TAMIL: u32 = 0x0B80;
const TAMIL_BLOCK: usize = 0x80;

/// The vowel signs on the left of their letters, and the right parts of those with two parts.
const E: u8 = 0xA6;
const AI: u8 = 0xA8;
const EE: u8 = 0xA7;
const AA: u8 = 0xA1;
const AU_LENGTH: u8 = 0xAA;

/// The vowel signs of two parts: the bytes and the code point. The first with a code point is
/// written. glibc has the long vowel on the left of the last, which is not the sign that is seen.
const TWO_PARTS: [(u8, u8, u32); 4] =
    [(E, AA, 0x0BCA), (EE, AA, 0x0BCB), (E, AU_LENGTH, 0x0BCC), (EE, AU_LENGTH, 0x0BCC)];

/// Sa and ha without vowel. The signs of the next two are part of the letter, and ra follows sa in shri.
const S: u8 = 0x8A;
const H: u8 = 0x8B;
const U: u8 = 0xA4;
const UU: u8 = 0xA5;
const RA: u8 = 0xC3;
const SHRI: u8 = 0x82;

/// Ksha, a letter of three code points.
const KSSA: u8 = 0x87;

/// The code points of a glyph.
#[derive(Clone, Copy)]
struct TamilGlyph {
    /// The code points, and zeros after them.
    values: [u32; MOST_VALUES],
    number: usize,
}

impl TamilGlyph {
    fn values(&self) -> &[u32] {
        &self.values[..self.number]
    }
}

/// The glyphs of 80..FF.
static TABLE: [TamilGlyph; 128] = parse();

const fn parse() -> [TamilGlyph; 128] {
    let mut table = [TamilGlyph { values: [0; MOST_VALUES], number: 0 }; 128];
    let text = GLYPHS.as_bytes();
    let (mut at, mut glyph) = (0, 0);
    while at < text.len() {
        let len = match text[at] {
            0xE0.. => 3,
            0xC0.. => 2,
            _ => 1,
        };
        match text[at] {
            b' ' => glyph += 1,
            b'-' => {}
            lead => {
                let mut value = lead as u32 & (0x7F >> len);
                let mut next = 1;
                while next < len {
                    value = value << 6 | (text[at + next] & 0x3F) as u32;
                    next += 1;
                }
                let TamilGlyph { values, number } = &mut table[glyph];
                values[*number] = value;
                *number += 1;
            }
        }
        at += len;
    }
    assert!(glyph == 127);
    table
}

/// Returns the last byte whose glyph is the first `number` code points; 0 for none.
const fn byte_of(table: &[TamilGlyph; 128], values: &[u32; MOST_VALUES], number: usize) -> u8 {
    let mut glyph = table.len();
    while glyph > 0 {
        glyph -= 1;
        let mut same = 0;
        while same < number && table[glyph].values[same] == values[same] {
            same += 1;
        }
        if same == number && table[glyph].number == number {
            return FIRST + glyph as u8;
        }
    }
    0
}

/// For each code point of Tamil, the byte of its glyph; 0 for none.
static BYTES: [u8; TAMIL_BLOCK] = {
    let (table, mut bytes, mut value) = (parse(), [0; TAMIL_BLOCK], 0);
    while value < TAMIL_BLOCK {
        bytes[value] = byte_of(&table, &[TAMIL + value as u32, 0, 0, 0], 1);
        value += 1;
    }
    bytes
};

/// The code points that join a glyph to make another one.
const JOINING: [u32; 6] = [0x0BC1, 0x0BC2, 0x0BCD, 0x0BBF, 0x0BC0, 0x0BB7];

/// For each glyph, the byte of the one that it makes with each of [`JOINING`]; 0 for none.
static JOINED: [[u8; JOINING.len()]; 128] = {
    let (table, mut joined, mut glyph) = (parse(), [[0; JOINING.len()]; 128], 0);
    while glyph < table.len() {
        let TamilGlyph { values, number } = table[glyph];
        if number > 1 {
            let first = byte_of(&table, &values, number - 1);
            let mut sign = 0;
            while first != 0 && JOINING[sign] != values[number - 1] {
                sign += 1;
            }
            if first != 0 {
                joined[(first - FIRST) as usize][sign] = FIRST + glyph as u8;
            }
        }
        glyph += 1;
    }
    joined
};

/// The code points of ksha with each of the vowel signs that can stand on the left.
static KSSA_WITH: [[u32; MOST_VALUES]; 6] = {
    let signs = [0x0BC6, 0x0BC7, 0x0BC8, 0x0BCA, 0x0BCB, 0x0BCC];
    let (mut all, mut sign) = ([parse()[(KSSA - FIRST) as usize].values; 6], 0);
    while sign < signs.len() {
        all[sign][MOST_VALUES - 1] = signs[sign];
        sign += 1;
    }
    all
};

/// Returns the glyph of a byte from 80 on.
fn glyph(byte: u8) -> &'static TamilGlyph {
    &TABLE[usize::from(byte & 0x7F)]
}

/// Returns `true` for a letter that a vowel sign can stand before.
fn is_letter(byte: u8) -> bool {
    matches!(byte, 0xB8..=0xC9 | 0x83..=KSSA)
}

/// Returns the vowel sign of a left and a right part.
fn two_parts(left: u8, right: u8) -> Option<u32> {
    let found = TWO_PARTS.iter().find(|(first, last, _)| (*first, *last) == (left, right));
    found.map(|(.., value)| *value)
}

/// Reads the first sequence.
fn read(bytes: &[u8], last: bool) -> Step {
    let Some(&byte) = bytes.first() else { return Step::Short };
    match (byte, bytes.get(1)) {
        (..0x80, _) => Step::Scalar { value: byte.into(), len: 1 },
        (E..=AI, _) => read_sign(byte, &bytes[1..], last),
        (S | H, None) if !last => Step::Short,
        (S | H, Some(&sign @ (U | UU))) => {
            let values = [glyph(byte).values[0], glyph(sign).values[0]];
            Step::Two { values, len: 2 }
        }
        _ => match *glyph(byte).values() {
            [] => Step::ill(Kind::Unmapped, 1),
            [value] => Step::Scalar { value, len: 1 },
            [first, second] => Step::Two { values: [first, second], len: 1 },
            _ => Step::Many { values: glyph(byte).values(), len: 1 },
        },
    }
}

/// Reads a vowel sign on the left with the letter and the right part after it, if there are these.
fn read_sign(left: u8, rest: &[u8], last: bool) -> Step {
    let letter = rest.first().copied().filter(|&byte| is_letter(byte));
    let rest = &rest[usize::from(letter.is_some())..];
    let begun = 1 + usize::from(letter.is_some());
    let (sign, len) = match rest.first().map(|&right| two_parts(left, right)) {
        None if !last && (letter.is_none() || left != AI) => return Step::Short,
        Some(Some(sign)) => (sign, begun + 1),
        _ => (glyph(left).values[0], begun),
    };
    match letter {
        None => Step::Scalar { value: sign, len },
        Some(KSSA) => {
            let with = KSSA_WITH.iter().find(|values| values.ends_with(&[sign]));
            Step::Many { values: with.map_or(&[], |values| values), len: len as u8 }
        }
        Some(letter) => Step::Two { values: [glyph(letter).values[0], sign], len },
    }
}

/// The state of a writer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TsciiPen {
    /// The glyph that waits for a code point to join it.
    pending: Option<u8>,
    /// Sa without vowel waits before it.
    after_s: bool,
    /// The last two bytes that are written; zeros after ASCII.
    last: [u8; 2],
}

/// Returns `true` if a code point can join a glyph or stand before it.
fn waits(byte: u8) -> bool {
    byte >= FIRST && (is_letter(byte) || byte == S || JOINED[usize::from(byte - FIRST)] != [0; 6])
}

/// Returns the byte of the glyph that another one makes with a code point.
fn join(byte: u8, value: u32) -> Option<u8> {
    let sign = JOINING.iter().position(|&sign| sign == value)?;
    Some(JOINED[usize::from(byte - FIRST)][sign]).filter(|&byte| byte != 0)
}

/// Returns the bytes of a code point alone, the second 0 if there is one.
fn code(value: u32) -> Option<[u8; 2]> {
    let of_parts = TWO_PARTS.iter().find(|(.., sign)| *sign == value);
    let byte = match value {
        ..0x80 => value as u8,
        TAMIL..0x0C00 => match of_parts {
            Some(&(left, right, _)) => return Some([left, right]),
            None => Some(BYTES[(value - TAMIL) as usize]).filter(|&byte| byte != 0)?,
        },
        _ => (FIRST..=u8::MAX).find(|&byte| *glyph(byte).values() == [value])?,
    };
    Some([byte, 0])
}

impl TsciiPen {
    fn put(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        let code = code(value);
        if self.put_joined(value, code, out) {
            return true;
        }
        let Some(code) = code.filter(|code| !self.is_misread(code[0])) else { return false };
        self.release(out);
        match code {
            [byte, _] if waits(byte) => self.pending = Some(byte),
            [byte, 0] => self.emit(&[byte], out),
            _ => self.emit(&code, out),
        }
        true
    }

    /// Writes a code point with the glyph that waits, or lets it wait there. Returns `false`, and
    /// changes nothing, if they do not join.
    fn put_joined(&mut self, value: u32, code: Option<[u8; 2]>, out: &mut Vec<u8>) -> bool {
        let Some(byte) = self.pending else { return false };
        let shri = glyph(SHRI).values[MOST_VALUES - 1];
        match (join(byte, value), code) {
            _ if self.after_s && value == shri => {
                (self.pending, self.after_s) = (None, false);
                self.emit(&[SHRI], out);
            }
            (Some(joined), _) => {
                self.release_s(out);
                self.pending = Some(joined).filter(|&byte| waits(byte));
                if self.pending.is_none() {
                    self.emit(&[joined], out);
                }
            }
            (_, Some([RA, _])) if byte == S => (self.pending, self.after_s) = (Some(RA), true),
            (_, Some([left @ E..=AI, right])) if is_letter(byte) => {
                self.release_s(out);
                self.pending = None;
                let parts = [left, byte, right];
                self.emit(if right == 0 { &parts[..2] } else { &parts }, out);
            }
            _ => return false,
        }
        true
    }

    /// Returns `true` if a byte would be read together with those before it as another text.
    fn is_misread(&self, byte: u8) -> bool {
        let last = self.pending.map_or(self.last, |pending| [self.last[1], pending]);
        match (last, byte) {
            ([_, E..=AI], _) if is_letter(byte) => true,
            ([_, EE], AU_LENGTH) => true,
            ([EE, letter], AU_LENGTH) => is_letter(letter),
            ([_, S | H], U | UU) => true,
            _ => false,
        }
    }

    fn emit(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(bytes);
        for &byte in bytes {
            self.last = if byte < FIRST { [0; 2] } else { [self.last[1], byte] };
        }
    }

    /// Writes the sa that waits.
    fn release_s(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.after_s) {
            self.emit(&[S], out);
        }
    }

    /// Writes all that waits.
    fn release(&mut self, out: &mut Vec<u8>) {
        self.release_s(out);
        if let Some(byte) = self.pending.take() {
            self.emit(&[byte], out);
        }
    }
}

impl Codec for Tscii {
    type State = ();
    type Pen = TsciiPen;
    const TOLERATES_CHANGES: bool = true;
    // No byte within a sequence starts a longer one.
    const REACH: Option<u64> = Some(2);
    const SIGNATURE: &'static [u8] = &[];

    const LONGEST: usize = 3;
    const WIDEST: usize = 3;
    const MOST_VALUES: usize = MOST_VALUES;
    const GROUP: Group = Group::FloatingAccents;
    const PROPERTIES: Properties =
        Properties { transparent: true, stateful: false, scalars: false, surrogates: false };

    fn start(_: usize, _: u64) {}

    fn prefix((): &mut (), kernels: &Kernels, bytes: &[u8]) -> usize {
        kernels.ascii(bytes)
    }

    fn step((): &mut (), bytes: &[u8], last: bool) -> Step {
        read(bytes, last)
    }

    fn load((): &mut (), kernels: &Kernels, bytes: &[u8], values: &mut [u32]) -> Loaded {
        bulk::load::<Self>(&mut (), bytes, values, |bytes, values| {
            let ahead = &bytes[..bytes.len().min(values.len())];
            kernels.read_utf8(&ahead[..kernels.ascii(ahead)], values)
        })
    }

    fn pen(_: usize, _: Escapes) -> TsciiPen {
        TsciiPen::default()
    }

    fn put(pen: &mut TsciiPen, value: u32, out: &mut Vec<u8>) -> bool {
        pen.put(value, out)
    }

    fn store(pen: &mut TsciiPen, kernels: &Kernels, values: &[u32], out: &mut Vec<u8>) -> usize {
        bulk::store_by_runs::<Self>(pen, values, out, |pen, values, out| {
            let ascii = front(values, |value| value < 0x80);
            if ascii > 0 {
                pen.release(out);
                pen.last = [0; 2];
            }
            kernels.write_utf8(&values[..ascii], out)
        })
    }

    fn holds_letters(_: usize) -> bool {
        true
    }

    fn release(pen: &mut TsciiPen, out: &mut Vec<u8>) {
        pen.release(out);
    }

    fn announced(_: usize, bytes: &[u8]) -> usize {
        match bytes {
            [E..=AI, ..] => 2,
            _ => 1,
        }
    }
}
