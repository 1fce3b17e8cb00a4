//! What is written where an issue stood, or a code point that the target lacks?

use crate::codec::Group;
use crate::codec::family::{LOW, OPTU_BASE};
use crate::issue::Issue;
use crate::registry::Encoding;

/// What becomes of what is ill-formed, and of what cannot be written.
#[derive(Clone, Copy, Debug, Default)]
pub enum Policy {
    /// The end of the run.
    #[default]
    Strict,
    /// U+FFFD for each maximal subpart (Unicode, section 3.9; the WHATWG Encoding Standard).
    Replace,
    /// U+FFFD for each byte.
    ReplaceByte,
    /// Nothing.
    Ignore,
    /// `\xHH` for each byte, as CPython spells it.
    BackslashReplace,
    /// U+DC00 + byte for each byte (PEP 383). The end of the run where one is ASCII, which is never
    /// escaped: wide units have such bytes in their faults.
    SurrogateEscape,
    /// U+EF00 + byte for each byte (MirBSD OPTU); and for those of a genuine U+EF80..EFFF, so that
    /// the bytes can be told from what is written. ASCII is never escaped here either.
    Optu,
    /// For each byte, its character in this single-byte code page, or else U+FFFD.
    Fallback(&'static Encoding),
}

/// What becomes of a byte order mark, where it is not for the codecs to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bom {
    /// There is one if the first input with any text starts with one.
    Keep,
    /// There is none.
    Remove,
    /// There is one.
    Add,
}

/// A row of [`POLICIES`].
#[derive(Debug)]
pub struct PolicyRow {
    /// The name on the command line.
    pub name: &'static str,
    /// What stands for bytes that are ill-formed.
    pub ill_formed: &'static str,
    /// What stands for a code point that the target lacks.
    pub lacking: &'static str,
    /// What was done, in a report.
    pub done: &'static str,
    /// The policy; `None` for one that wants a code page.
    pub policy: Option<Policy>,
}

/// What a policy says that has nothing to put in the place.
pub(crate) const END: &str = "the run ends";

/// Every policy. The first is the default.
#[rustfmt::skip]
pub static POLICIES: &[PolicyRow] = &[
    PolicyRow { name: "strict", ill_formed: END, lacking: END, done: "met", policy: Some(Policy::Strict) },
    PolicyRow { name: "replace", ill_formed: "U+FFFD for each maximal subpart", lacking: "U+FFFD, or ? if the target lacks that too",
          done: "replaced", policy: Some(Policy::Replace) },
    PolicyRow { name: "replace-byte", ill_formed: "U+FFFD for each byte", lacking: END, done: "replaced", policy: Some(Policy::ReplaceByte) },
    PolicyRow { name: "ignore", ill_formed: "nothing", lacking: "nothing", done: "left out", policy: Some(Policy::Ignore) },
    PolicyRow { name: "backslashreplace", ill_formed: "\\xHH for each byte", lacking: "\\xHH, \\uHHHH or \\UHHHHHHHH",
          done: "spelt out", policy: Some(Policy::BackslashReplace) },
    PolicyRow { name: "surrogateescape", ill_formed: "U+DC80..DCFF for each byte", lacking: END, done: "escaped", policy: Some(Policy::SurrogateEscape) },
    PolicyRow { name: "optu", ill_formed: "U+EF80..EFFF for each byte", lacking: END, done: "escaped", policy: Some(Policy::Optu) },
    PolicyRow { name: "fallback", ill_formed: "the byte's character in a code page: fallback=PAGE", lacking: END,
          done: "read in the code page", policy: None },
];

/// The replacement character.
pub const REPLACEMENT: u32 = 0xFFFD;

impl Policy {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// What was done to what was met, in a report.
    pub fn done(self) -> &'static str {
        self.row().map_or("", |row| row.done)
    }

    fn row(self) -> Option<&'static PolicyRow> {
        let this = std::mem::discriminant(&self);
        let same = |policy: Policy| std::mem::discriminant(&policy) == this;
        // The one that wants a code page is the last.
        POLICIES.iter().find(|row| row.policy.is_none_or(same))
    }

    /// The first of the code points that it writes for bytes, where the codec may lack them.
    pub fn escape(self) -> Option<u32> {
        match self {
            Policy::SurrogateEscape => Some(LOW + 0x80),
            Policy::Optu => Some(optu(0x80)),
            _ => None,
        }
    }

    /// Append the code points that stand for an ill-formed sequence. False if the run is to end.
    pub fn ill_formed(self, issue: &Issue, bytes: &[u8], values: &mut Vec<u32>) -> bool {
        let mut each = |value: &dyn Fn(u8) -> u32| values.extend(bytes.iter().map(|&b| value(b)));
        match self {
            Policy::Strict => return false,
            Policy::SurrogateEscape | Policy::Optu if bytes.iter().any(u8::is_ascii) => {
                return false;
            }
            Policy::Replace => {
                values.extend(std::iter::repeat_n(REPLACEMENT, issue.replacements.into()));
            }
            Policy::ReplaceByte => each(&|_| REPLACEMENT),
            Policy::Ignore => (),
            Policy::BackslashReplace => bytes.iter().for_each(|&byte| spell(byte.into(), values)),
            Policy::SurrogateEscape => each(&|byte| LOW + u32::from(byte)),
            Policy::Optu => each(&optu),
            Policy::Fallback(page) => each(&|byte| page.code_point(byte).unwrap_or(REPLACEMENT)),
        }
        true
    }

    /// Append the code points that stand for one that the target lacks. False if the run is to end.
    pub fn lacking(self, value: u32, values: &mut Vec<u32>) -> bool {
        match self {
            Policy::Replace => values.push(REPLACEMENT),
            Policy::Ignore => (),
            Policy::BackslashReplace => spell(value, values),
            _ => return false,
        }
        true
    }

    /// Whether this code point of the text is taken for bytes that are ill-formed.
    pub fn collides_with_escape(self, value: u32) -> bool {
        matches!(self, Policy::Optu) && (OPTU_BASE + 0x80..OPTU_BASE + 0x100).contains(&value)
    }
}

/// The private code point of a byte.
pub(crate) fn optu(byte: u8) -> u32 {
    OPTU_BASE + u32::from(byte)
}

/// Append `\xHH`, `\uHHHH` or `\UHHHHHHHH`.
fn spell(value: u32, values: &mut Vec<u32>) {
    let text = match value {
        0..0x100 => format!("\\x{value:02x}"),
        0x100..0x1_0000 => format!("\\u{value:04x}"),
        _ => format!("\\U{value:08x}"),
    };
    values.extend(text.chars().map(u32::from));
}

/// The policy of this name, such as `replace` or `fallback=windows-1252`.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Policy, String> {
    let (name, page) = match text.split_once('=') {
        Some((name, page)) => (name, Some(page)),
        None => (text, None),
    };
    let row = POLICIES.iter().find(|row| row.name == name);
    match (row.map(|row| row.policy), page) {
        (Some(Some(policy)), None) => Ok(policy),
        (Some(None), Some(page)) => fallback(page),
        (Some(None), None) => Err(format!("which code page? (as in {name}=windows-1252)")),
        (Some(Some(_)), Some(_)) => Err(format!("{name} takes no value")),
        (None, _) => {
            let names: Vec<_> = POLICIES.iter().map(|row| row.name).collect();
            Err(format!("no policy has this name (there are {})", names.join(", ")))
        }
    }
}

/// The policy that reads each bad byte in this code page.
///
/// # Errors
/// Why it cannot be one.
pub fn fallback(page: &str) -> Result<Policy, String> {
    match Encoding::for_label(page) {
        Some(page) if page.group == Group::Page => Ok(Policy::Fallback(page)),
        Some(page) => Err(format!("{} is no single-byte code page", page.name)),
        None => Err("no code page has this name (utf8 --list-codecs has them all)".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_found_by_its_name() {
        for row in POLICIES {
            match row.policy {
                Some(_) => assert_eq!(parse(row.name).unwrap().done(), row.done),
                None => assert_eq!(parse("fallback=latin1").unwrap().done(), row.done),
            }
        }
        for (text, error) in [
            ("fallback", "which code page? (as in fallback=windows-1252)"),
            ("fallback=utf-8", "utf-8 is no single-byte code page"),
            ("fallback=gbk", "gbk is no single-byte code page"),
            ("ignore=x", "ignore takes no value"),
        ] {
            assert_eq!(parse(text).unwrap_err(), error);
        }
        assert!(parse("fallback=latin77").unwrap_err().starts_with("no code page"));
        assert!(parse("skip").unwrap_err().starts_with("no policy"));
    }
}
