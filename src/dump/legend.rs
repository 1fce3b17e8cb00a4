//! The legend: colours, marks, and a table of the 256 byte values in UTF-8.

use std::ops::RangeInclusive;

use super::roles::Role;
use crate::codec::family::Utf8;
use crate::codec::{Codec, Step};
use crate::issue::Class;
use crate::report::ReportStyle;
use crate::text::character::shape;

/// Appends the whole legend.
pub fn write(out: &mut Vec<u8>, style: ReportStyle) {
    write_colors(out, style);
    write_marks(out, style);
    write_table(out, style);
}

/// Appends the colours with their descriptions.
fn write_colors(out: &mut Vec<u8>, style: ReportStyle) {
    out.extend_from_slice(b"Colours\n\n");
    for role in Role::ALL {
        out.extend_from_slice(b"  ");
        role.paint(out, style.color, role.color().as_bytes());
        let text = format!("{:1$}{2}\n", "", COLOR - role.color().len(), role.description());
        out.extend_from_slice(text.as_bytes());
    }
    out.push(b'\n');
}

/// Width of the column of colours.
const COLOR: usize = "no colour  ".len();

/// Appends the marks with their descriptions.
fn write_marks(out: &mut Vec<u8>, style: ReportStyle) {
    let text =
        if style.unicode { MARKS.to_owned() } else { MARKS.replace('·', ".").replace('é', "e") };
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(if style.unicode { UNICODE_MARKS } else { ASCII_MARKS }.as_bytes());
}

const MARKS: &str = "\
Marks

  110·00010  marker bits before the point, bits of the value after it
  c3.a9 41   rows of bytes: a blank before the first byte of a sequence, a
             full stop before each further byte
  41!c0.af   an exclamation mark before an ill-formed sequence
  é·         text column: a point for each further byte
  ~          the same in a character that continues a grapheme cluster (a flag,
             a family, a base with marks)
";

const UNICODE_MARKS: &str = "  ×          text column: the first byte of an ill-formed sequence
  ␊ ␣ ◌ ▯    a control, a blank, the base of a combining mark, other characters
             that cannot be shown

";

const ASCII_MARKS: &str = "  !          text column: the first byte of an ill-formed sequence
  ^J .       a control, and other characters that are not printable ASCII

";

/// The role of a byte value in UTF-8.
enum ByteRole {
    /// A single byte: this character of ASCII.
    Character(u32),
    /// A continuation byte with these six bits of the value.
    Continuation(u8),
    /// A lead byte.
    Lead(Lead),
    /// A byte that never occurs, with the class of the issue where it does.
    Never(Class),
}

/// A lead byte.
struct Lead {
    /// Length in bytes of the sequences that it starts.
    len: usize,
    /// The first code point of these sequences.
    first: u32,
    /// Second bytes of these sequences.
    second: RangeInclusive<u8>,
}

/// All continuation bytes: the second bytes after an unrestricted lead byte.
const CONTINUATIONS: RangeInclusive<u8> = 0x80..=0xBF;

/// Decodes the first sequence of complete text.
fn step(bytes: &[u8]) -> Step {
    Utf8::step(&mut Utf8::start(0, u64::MAX), bytes, true)
}

impl ByteRole {
    /// Returns the role of a byte value.
    fn of(byte: u8) -> ByteRole {
        match step(&[byte]) {
            Step::Scalar { value, .. } => ByteRole::Character(value),
            Step::Ill { kind, .. } if kind.class() == Class::Continuation => {
                ByteRole::Continuation(byte & (u8::MAX >> Utf8::markers(&[byte], 0)))
            }
            Step::Ill { kind, .. } => {
                Lead::of(byte).map_or(ByteRole::Never(kind.class()), ByteRole::Lead)
            }
            _ => ByteRole::Never(Class::Lead),
        }
    }

    /// Returns the length in bytes of the sequences that start with the byte; 0 if there are none.
    fn len(&self) -> usize {
        match self {
            ByteRole::Character(_) => 1,
            ByteRole::Lead(lead) => lead.len,
            ByteRole::Continuation(_) | ByteRole::Never(_) => 0,
        }
    }

    /// Returns the cell of the byte in the table.
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
    /// Returns the lead byte with this value. `None` if no sequence of several bytes starts with it.
    fn of(byte: u8) -> Option<Lead> {
        let second = Utf8::expected(&[byte])?;
        let len = Some(Utf8::announced(0, &[byte])).filter(|&len| len > 1)?;
        match step(&[byte, *second.start(), 0x80, 0x80][..len]) {
            Step::Scalar { value: first, .. } => Some(Lead { len, first, second }),
            _ => None,
        }
    }

    /// Returns `true` if some continuation bytes cannot follow as the second byte.
    fn is_restricted(&self) -> bool {
        self.second != CONTINUATIONS
    }

    /// Returns the continuation bytes that cannot follow; they are at one end of the range.
    fn excluded(&self) -> RangeInclusive<u8> {
        match (self.second.start() - 1, self.second.end() + 1) {
            (last, _) if CONTINUATIONS.contains(&last) => *CONTINUATIONS.start()..=last,
            (_, first) => first..=*CONTINUATIONS.end(),
        }
    }
}

/// Mark of a lead byte with a restricted second byte.
const RESTRICTED: &str = "*";
/// Text in the cell of a byte that never occurs.
const NEVER: &str = "--";

/// A cell of the table.
struct LegendCell {
    text: String,
    /// Width of the text in columns.
    width: usize,
    role: Role,
}

impl LegendCell {
    /// Creates a cell with ASCII text.
    fn of(text: String, role: Role) -> LegendCell {
        LegendCell { width: text.len(), text, role }
    }
}

/// Width of a column of the table in columns of the terminal. The row labels take as much.
const STRIDE: usize = 4;

/// Appends the table of the 256 byte values in UTF-8, with notes.
pub fn write_table(out: &mut Vec<u8>, style: ReportStyle) {
    out.extend_from_slice(b"What each byte value can be in UTF-8 (RFC 3629)\n\n");
    let head = |low: usize| LegendCell::of(format!("_{low:X}"), Role::Plain);
    write_line(out, style, "", (0..16).map(head).enumerate());
    for high in 0..16 {
        write_row(out, style, high);
    }
    out.push(b'\n');
    write_notes(out, style);
}

/// Appends the bytes with this high nibble. If their cells are too wide for one line, every other
/// cell is in a second line.
fn write_row(out: &mut Vec<u8>, style: ReportStyle, high: u8) {
    let cells = || (0..16).map(|low| ByteRole::of(high << 4 | low).cell(style.unicode)).enumerate();
    let label = format!("{high:X}_");
    if cells().all(|(_, cell)| cell.width < STRIDE) {
        return write_line(out, style, &label, cells());
    }
    write_line(out, style, &label, cells().step_by(2));
    write_line(out, style, "", cells().skip(1).step_by(2));
}

/// Appends a line with some cells, each in its column.
fn write_line(
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
        cell.role.paint(out, style.color, cell.text.as_bytes());
        used = start + cell.width;
    }
    out.push(b'\n');
}

/// Appends the notes that explain the cells.
fn write_notes(out: &mut Vec<u8>, style: ReportStyle) {
    let mut entry = |sample: &str, role: Role, text: String| {
        out.extend_from_slice(b"  ");
        role.paint(out, style.color, sample.as_bytes());
        out.extend_from_slice(format!("{:1$}{text}\n", "", SAMPLE - sample.len()).as_bytes());
    };
    let ascii = ranges(|role| matches!(role, ByteRole::Character(_)));
    entry("A", Role::Plain, format!("{ascii}  ASCII: the character"));
    let continuations = ranges(|role| matches!(role, ByteRole::Continuation(_)));
    entry("+2A", Role::Even, format!("{continuations}  continuation byte: its six bits"));
    for len in 2..=Utf8::WIDEST {
        let leads = (0..=u8::MAX).filter_map(Lead::of).filter(|lead| lead.len == len);
        let sample = leads.map(|lead| format!("{:X}", lead.first)).next().unwrap_or_default();
        let bytes = ranges(|role| role.len() == len);
        let text = format!("{bytes}  lead byte of {len}-byte sequences: their first code point");
        entry(&sample, Role::Odd, text);
    }
    let never = ranges(|role| matches!(role, ByteRole::Never(_)));
    entry(NEVER, Role::Fault, format!("{never}  never in UTF-8:"));
    for (class, why) in WHY_NEVER {
        let bytes = ranges(|role| matches!(role, ByteRole::Never(never) if *never == class));
        entry("", Role::Fault, format!("{bytes}  {why}"));
    }
    for (at, (byte, lead)) in restricted().enumerate() {
        let sample = if at == 0 { RESTRICTED } else { "" };
        entry(sample, Role::Odd, restriction(byte, &lead));
    }
}

/// The reasons why bytes never occur, by the class of their issues.
const WHY_NEVER: [(Class, &str); 3] = [
    (Class::Overlong, "all sequences with them would be overlong"),
    (Class::Range, "all sequences with them would be above U+10FFFF"),
    (Class::Lead, "five- and six-byte forms of RFC 2279, or undefined"),
];

/// Width of the column of samples.
const SAMPLE: usize = "10000  ".len();

/// Formats the byte values for which this holds: `C0..C1 F5..FF`.
fn ranges(holds: impl Fn(&ByteRole) -> bool) -> String {
    let all: Vec<u8> = (0..=u8::MAX).filter(|&byte| holds(&ByteRole::of(byte))).collect();
    let ranges = all.chunk_by(|byte, next| next - byte == 1);
    let ranges = ranges.map(|range| format_range(&(range[0]..=range[range.len() - 1])));
    ranges.collect::<Vec<_>>().join(" ")
}

/// Formats a range of byte values: `80..BF`.
fn format_range(range: &RangeInclusive<u8>) -> String {
    format!("{:02X}..{:02X}", range.start(), range.end())
}

/// Returns the lead bytes with a restricted second byte.
fn restricted() -> impl Iterator<Item = (u8, Lead)> {
    let leads = (0..=u8::MAX).filter_map(|byte| Some((byte, Lead::of(byte)?)));
    leads.filter(|(_, lead)| lead.is_restricted())
}

/// Describes the second bytes after a lead byte, and the sequences with other continuation bytes.
fn restriction(byte: u8, lead: &Lead) -> String {
    let excluded = lead.excluded();
    let class = match step(&[byte, *excluded.start()]) {
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
        format_range(&lead.second),
        format_range(&excluded)
    )
}
