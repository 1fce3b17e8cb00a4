//! What do the colours and marks mean, and what can each byte value be in UTF-8?

use std::ops::RangeInclusive;

use super::paint::Role;
use crate::codec::family::Utf8;
use crate::codec::{Codec, Step};
use crate::issue::{Class, Kind};
use crate::report::ReportStyle;
use crate::text::character::shape;

/// Append the legend.
pub fn write(out: &mut Vec<u8>, style: ReportStyle) {
    colors(out, style);
    marks(out, style);
    table(out, style);
}

/// Append what has each colour.
fn colors(out: &mut Vec<u8>, style: ReportStyle) {
    out.extend_from_slice(b"Colours\n\n");
    for role in Role::ALL {
        out.extend_from_slice(b"  ");
        paint(out, style, role, role.color());
        let text = format!("{:1$}{2}\n", "", COLOR - role.color().len(), role.what());
        out.extend_from_slice(text.as_bytes());
    }
    out.push(b'\n');
}

/// The width of the column of colours.
const COLOR: usize = "no colour  ".len();

/// Append what the marks mean, as they are in this style.
fn marks(out: &mut Vec<u8>, style: ReportStyle) {
    let text =
        if style.unicode { MARKS.to_owned() } else { MARKS.replace('·', ".").replace('é', "e") };
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(if style.unicode { UNICODE_MARKS } else { ASCII_MARKS }.as_bytes());
}

const MARKS: &str = "\
Marks

  110·00010  the bits before the point mark what the byte is, those behind it
             carry the value
  c3.a9 41   in rows of bytes, a blank stands before the first byte of a
             sequence, a point before each further one
  41!c0.af   an exclamation mark stands before an ill-formed one
  é·         in the text beside them, a point stands for each further byte
";

const UNICODE_MARKS: &str = "  ×          and this where an ill-formed sequence begins
  ␊ ␣ ◌ ▯    a control, a blank, what a mark sits on, and what cannot be shown

";

const ASCII_MARKS: &str = "  !          and this where an ill-formed sequence begins
  ^J .       a control, and what is not ASCII or cannot be shown

";

/// What a byte value can be in UTF-8.
enum ByteRole {
    /// A character of its own.
    Character(u32),
    /// A continuation with this payload.
    Continuation(u8),
    /// A lead.
    Lead(Lead),
    /// Nothing, and of this class if it is used all the same.
    Never(Class),
}

/// A lead byte.
struct Lead {
    /// How many bytes it announces.
    len: usize,
    /// The first code point that it starts.
    first: u32,
    /// Which bytes may follow it.
    second: RangeInclusive<u8>,
}

/// What may follow a lead that does not restrict it.
const CONTINUATIONS: RangeInclusive<u8> = 0x80..=0xBF;

fn step(bytes: &[u8]) -> Step {
    Utf8::step(&mut Utf8::start(u64::MAX), bytes, true)
}

impl ByteRole {
    fn of(byte: u8) -> ByteRole {
        match step(&[byte]) {
            Step::Scalar { value, .. } => ByteRole::Character(value),
            Step::Ill { kind: Kind::LoneContinuation, .. } => {
                ByteRole::Continuation(byte & (u8::MAX >> Utf8::markers(&[byte], 0)))
            }
            Step::Ill { kind, .. } => {
                Lead::of(byte).map_or(ByteRole::Never(kind.class()), ByteRole::Lead)
            }
            _ => ByteRole::Never(Class::Lead),
        }
    }

    /// How many bytes a sequence has that starts with it; none if none does.
    fn len(&self) -> usize {
        match self {
            ByteRole::Character(_) => 1,
            ByteRole::Lead(lead) => lead.len,
            ByteRole::Continuation(_) | ByteRole::Never(_) => 0,
        }
    }

    /// What is in its cell, how wide that is, and its colour.
    fn cell(&self, unicode: bool) -> LegendCell {
        match self {
            ByteRole::Character(0x20) if !unicode => LegendCell::of("SP".into(), Role::Unseen),
            ByteRole::Character(value) => {
                let shape = shape(*value, unicode);
                let role = if shape.stand_in { Role::Unseen } else { Role::Plain };
                let text = String::from_utf8_lossy(shape.text()).into_owned();
                LegendCell { text, width: shape.width.into(), role }
            }
            ByteRole::Continuation(bits) => LegendCell::of(format!("+{bits:02X}"), Role::Even),
            ByteRole::Lead(lead) => {
                let star = if lead.is_restricted() { RESTRICTED } else { "" };
                LegendCell::of(format!("{:X}{star}", lead.first), Role::Odd)
            }
            ByteRole::Never(_) => LegendCell::of(NEVER.into(), Role::Fault),
        }
    }
}

impl Lead {
    /// What a byte is that starts a sequence of several, if it does.
    fn of(byte: u8) -> Option<Lead> {
        let second = Utf8::expected(&[byte])?;
        let len = Some(Utf8::announced(&[byte])).filter(|&len| len > 1)?;
        match step(&[byte, *second.start(), 0x80, 0x80][..len]) {
            Step::Scalar { value: first, .. } => Some(Lead { len, first, second }),
            _ => None,
        }
    }

    fn is_restricted(&self) -> bool {
        self.second != CONTINUATIONS
    }

    /// The continuations that may not follow it: those on one side.
    fn denied(&self) -> RangeInclusive<u8> {
        match (self.second.start() - 1, self.second.end() + 1) {
            (last, _) if CONTINUATIONS.contains(&last) => *CONTINUATIONS.start()..=last,
            (_, first) => first..=*CONTINUATIONS.end(),
        }
    }
}

/// Marks a lead whose second byte is restricted.
const RESTRICTED: &str = "*";
/// Stands for a byte that never occurs.
const NEVER: &str = "--";

/// A cell of the table.
struct LegendCell {
    text: String,
    /// Its width in columns.
    width: usize,
    role: Role,
}

impl LegendCell {
    /// A cell of ASCII.
    fn of(text: String, role: Role) -> LegendCell {
        LegendCell { width: text.len(), text, role }
    }
}

/// The columns from one cell to the next, and those in front of the first.
const STRIDE: usize = 4;

/// Append the table of what each of the 256 byte values can be in UTF-8, and notes on it.
pub fn table(out: &mut Vec<u8>, style: ReportStyle) {
    out.extend_from_slice(b"What each byte value can be in UTF-8 (RFC 3629)\n\n");
    let head = |low: usize| LegendCell::of(format!("_{low:X}"), Role::Plain);
    line(out, style, "", (0..16).map(head).enumerate());
    for high in 0..16 {
        row(out, style, high);
    }
    out.push(b'\n');
    notes(out, style);
}

/// Append the bytes with this high nibble. Where their cells are too wide to stand side by side,
/// every other one is in a line below.
fn row(out: &mut Vec<u8>, style: ReportStyle, high: u8) {
    let cells = || (0..16).map(|low| ByteRole::of(high << 4 | low).cell(style.unicode)).enumerate();
    let label = format!("{high:X}_");
    if cells().all(|(_, cell)| cell.width < STRIDE) {
        return line(out, style, &label, cells());
    }
    line(out, style, &label, cells().step_by(2));
    line(out, style, "", cells().skip(1).step_by(2));
}

/// Append a line with some cells, each in its column.
fn line(
    out: &mut Vec<u8>,
    style: ReportStyle,
    label: &str,
    cells: impl Iterator<Item = (usize, LegendCell)>,
) {
    out.extend_from_slice(label.as_bytes());
    let mut used = label.len();
    for (column, cell) in cells {
        let start = STRIDE * (column + 1);
        out.resize(out.len() + start - used, b' ');
        paint(out, style, cell.role, &cell.text);
        used = start + cell.width;
    }
    out.push(b'\n');
}

fn paint(out: &mut Vec<u8>, style: ReportStyle, role: Role, text: &str) {
    match style.color {
        true => role.paint(out, text.as_bytes()),
        false => out.extend_from_slice(text.as_bytes()),
    }
}

/// Append what the cells mean.
fn notes(out: &mut Vec<u8>, style: ReportStyle) {
    let mut entry = |sample: &str, role, text: String| {
        out.extend_from_slice(b"  ");
        paint(out, style, role, sample);
        out.extend_from_slice(format!("{:1$}{text}\n", "", SAMPLE - sample.len()).as_bytes());
    };
    let ascii = bytes(|can| matches!(can, ByteRole::Character(_)));
    entry("A", Role::Plain, format!("{ascii}  ASCII: the character itself"));
    let continuations = bytes(|can| matches!(can, ByteRole::Continuation(_)));
    entry("+2A", Role::Even, format!("{continuations}  continuation: its six bits"));
    for len in 2..=Utf8::WIDEST {
        let leads = (0..=u8::MAX).filter_map(Lead::of).filter(|lead| lead.len == len);
        let sample = leads.map(|lead| format!("{:X}", lead.first)).next().unwrap_or_default();
        let bytes = bytes(|can| can.len() == len);
        let text =
            format!("{bytes}  lead of a {len}-byte sequence: the first code point that it starts");
        entry(&sample, Role::Odd, text);
    }
    let never = bytes(|can| matches!(can, ByteRole::Never(_)));
    entry(NEVER, Role::Fault, format!("{never}  never in UTF-8:"));
    for (class, why) in WHY_NEVER {
        let bytes = bytes(|can| matches!(can, ByteRole::Never(never) if *never == class));
        entry("", Role::Fault, format!("{bytes}  {why}"));
    }
    for (at, (byte, lead)) in restricted().enumerate() {
        let sample = if at == 0 { RESTRICTED } else { "" };
        entry(sample, Role::Odd, restriction(byte, &lead));
    }
}

/// Why a byte of a class never occurs.
const WHY_NEVER: [(Class, &str); 3] = [
    (Class::Overlong, "all that they could start is overlong"),
    (Class::Range, "all that they could start is above U+10FFFF"),
    (Class::Lead, "forms of five and six bytes in RFC 2279, or none"),
];

/// The width of the column of samples.
const SAMPLE: usize = "10000  ".len();

/// The byte values of which this holds: `C0..C1 F5..FF`.
fn bytes(holds: impl Fn(&ByteRole) -> bool) -> String {
    let all: Vec<u8> = (0..=u8::MAX).filter(|&byte| holds(&ByteRole::of(byte))).collect();
    let ranges = all.chunk_by(|byte, next| next - byte == 1);
    let ranges = ranges.map(|range| spelt(&(range[0]..=range[range.len() - 1])));
    ranges.collect::<Vec<_>>().join(" ")
}

fn spelt(range: &RangeInclusive<u8>) -> String {
    format!("{:02X}..{:02X}", range.start(), range.end())
}

/// The leads whose second byte is restricted.
fn restricted() -> impl Iterator<Item = (u8, Lead)> {
    let leads = (0..=u8::MAX).filter_map(|byte| Some((byte, Lead::of(byte)?)));
    leads.filter(|(_, lead)| lead.is_restricted())
}

/// Which bytes may follow a lead, and what it would be with the others.
fn restriction(byte: u8, lead: &Lead) -> String {
    let denied = lead.denied();
    let class = match step(&[byte, *denied.start()]) {
        Step::Ill { kind, .. } => kind.class(),
        _ => Class::Lead,
    };
    let fault = match class {
        Class::Overlong => "overlong",
        Class::Surrogate => "a surrogate",
        Class::Range => "above U+10FFFF",
        class => class.id(),
    };
    format!(
        "{byte:02X} is followed by {}: {} would be {fault}",
        spelt(&lead.second),
        spelt(&denied)
    )
}
