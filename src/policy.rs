//! Error policies: replacements for ill-formed sequences and unencodable characters.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::codec::family::OPTU_BASE;
use crate::codec::surrogate::LOW;
use crate::issue::Issue;
use crate::registry::Encoding;
use transliterate::transliterate;

mod transliterate;

/// The treatment of a byte order mark that overrides the rules of the codecs.
///
/// ```
/// use utf8::{Bom, ConvertOptions, Encoding, convert};
///
/// let mut options = ConvertOptions::to(Encoding::UTF_8);
/// options.bom = Some(Bom::Remove);
/// assert_eq!(convert(Encoding::UTF_8, b"\xEF\xBB\xBFa", &options).unwrap(), b"a");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bom {
    /// Writes one if the first input that contains text starts with one.
    Keep,
    /// Writes none.
    Remove,
    /// Writes one.
    Add,
}

/// The work of an error policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyUse {
    /// Conversion to another encoding.
    Conversion,
    /// Repair, which keeps the encoding: it holds each character of the text.
    Repair,
}

/// A row of [`POLICIES`].
#[derive(Debug)]
#[non_exhaustive]
pub struct PolicyRow {
    /// The name.
    pub name: &'static str,
    /// The replacement for an ill-formed sequence; `None` if the policy stops.
    pub ill_formed: Option<&'static str>,
    /// The replacement for a code point that the target cannot encode; `None` if the policy stops.
    pub unencodable: Option<&'static str>,
    /// The work that the policy is for; `None` if it is for each.
    pub only_in: Option<PolicyUse>,
    /// The policy; `None` for one that takes a value.
    pub policy: Option<Policy>,
    /// The placeholder of the value that the policy takes, as in `fallback=PAGE`.
    pub value: Option<&'static str>,
    /// Returns the policy with a value.
    parse: fn(Option<&str>) -> Result<Policy, PolicyError>,
}

impl PolicyRow {
    /// Returns the name as it is typed, with the placeholder of a value.
    pub(crate) fn usage(&self) -> String {
        match self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.to_owned(),
        }
    }
}

/// Defines [`Policy`] and [`POLICIES`], so that no policy lacks its row. `(VALUE)` marks a policy
/// that takes the name of an encoding.
macro_rules! policies {
    ($($(#[$attribute:meta])* $policy:ident $(($value:ident))? {
        name: $name:literal,
        done: $done:literal,
        $($field:ident: $text:expr,)*
    })*) => {
        /// The treatment of ill-formed sequences and of code points that the target cannot encode.
        ///
        /// ```
        /// use utf8::{Encoding, Policy, decode};
        ///
        /// let read = |policy: &str| decode(Encoding::UTF_8, b"caf\xE9", policy.parse().unwrap());
        /// assert_eq!(read("replace").unwrap(), "caf\u{FFFD}");
        /// assert_eq!(read("backslashreplace").unwrap(), "caf\\xe9");
        /// assert_eq!(read("fallback=windows-1252").unwrap(), "café");
        /// assert!(read("strict").is_err());
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Policy {
            $($(#[$attribute])* $policy $((policies!(@type $value)))?,)*
        }

        /// Every policy. The first is the default.
        pub static POLICIES: &[PolicyRow] = &[$(PolicyRow {
            name: $name,
            policy: policies!(@policy $policy $($value)?),
            value: policies!(@value $($value)?),
            parse: policies!(@parse $policy $name $($value)?),
            $($field: $text,)*
        }),*];

        impl Policy {
            /// Returns the name.
            ///
            /// ```
            /// use utf8::Policy;
            ///
            /// let policy: Policy = "fallback=latin1".parse().unwrap();
            /// assert_eq!(policy.name(), "fallback");
            /// assert_eq!(Policy::BackslashReplace.name(), "backslashreplace");
            /// ```
            pub fn name(self) -> &'static str {
                match self {
                    $(Policy::$policy { .. } => $name,)*
                }
            }

            /// Returns the participle for reports: "3 sequences replaced".
            #[cfg(feature = "cli")]
            pub(crate) fn done(self) -> String {
                let done = match self {
                    $(Policy::$policy { .. } => $done,)*
                };
                match self {
                    Policy::Fallback(page) => done.replace("PAGE", page.name),
                    Policy::Escape(notation) => done.replace("NOTATION", notation.name),
                    _ => done.to_owned(),
                }
            }
        }
    };
    (@type $value:ident) => { &'static Encoding };
    (@policy $policy:ident $value:ident) => { None };
    (@policy $policy:ident) => { Some(Policy::$policy) };
    (@value $value:ident) => { Some(stringify!($value)) };
    (@value) => { None };
    (@parse $policy:ident $name:literal PAGE) => {
        |page| page.map_or(Err(PolicyError::MissingPage($name)), fallback)
    };
    (@parse $policy:ident $name:literal NOTATION) => {
        |notation| notation.map_or(Err(PolicyError::MissingNotation($name)), escape)
    };
    (@parse $policy:ident $name:literal) => {
        |value| value.map_or(Ok(Policy::$policy), |_| Err(PolicyError::UnexpectedPage($name)))
    };
}

policies! {
    /// Stops at the first.
    #[default]
    Strict {
        name: "strict", done: "met", only_in: None,
        ill_formed: None, unencodable: None,
    }
    /// Writes U+FFFD for each maximal subpart (Unicode, section 3.9; WHATWG Encoding Standard).
    Replace {
        name: "replace", done: "replaced", only_in: None,
        ill_formed: Some("U+FFFD for each maximal subpart"),
        unencodable: Some("U+FFFD, or ? if the target lacks that too"),
    }
    /// Writes text that stands for a character: one that looks alike, its decomposition, or ASCII.
    /// For an ill-formed sequence and a character without such text, does as `Replace`.
    Transliterate {
        name: "transliterate", done: "transliterated", only_in: Some(PolicyUse::Conversion),
        ill_formed: Some("U+FFFD for each maximal subpart"),
        unencodable: Some("one that looks alike, its parts, or ASCII; else as replace"),
    }
    /// Writes U+FFFD for each byte.
    ReplaceByte {
        name: "replace-byte", done: "replaced", only_in: None,
        ill_formed: Some("U+FFFD for each byte"), unencodable: None,
    }
    /// Writes nothing.
    Ignore {
        name: "ignore", done: "left out", only_in: None,
        ill_formed: Some("nothing"), unencodable: Some("nothing"),
    }
    /// Writes `\xHH` for each byte, as CPython does.
    BackslashReplace {
        name: "backslashreplace", done: "spelt out", only_in: None,
        ill_formed: Some("\\xHH for each byte"),
        unencodable: Some("\\xHH, \\uHHHH or \\UHHHHHHHH"),
    }
    /// Writes a character that the target lacks as the escape of a notation: `&#xE9;` in `html`,
    /// as `xmlcharrefreplace` of CPython does in decimal, or `\u00e9` in `json`. Stops at an
    /// ill-formed sequence, and at each character if the encoding is no notation of escapes.
    Escape(NOTATION) {
        name: "escape", done: "escaped in NOTATION", only_in: Some(PolicyUse::Conversion),
        ill_formed: None,
        unencodable: Some("its escape in a notation: escape=html, escape=json"),
    }
    /// Writes U+DC00 + byte for each byte (PEP 383). Stops at a sequence that contains ASCII, which
    /// is never escaped; ill-formed sequences of wide code units may contain it.
    SurrogateEscape {
        name: "surrogateescape", done: "escaped", only_in: None,
        ill_formed: Some("U+DC80..DCFF for each byte"), unencodable: None,
    }
    /// Writes U+EF00 + byte for each byte (MirBSD OPTU), and escapes each byte of U+EF80..EFFF in
    /// the text, so that escapes are unambiguous. ASCII is never escaped, as for `SurrogateEscape`.
    Optu {
        name: "optu", done: "escaped", only_in: None,
        ill_formed: Some("U+EF80..EFFF for each byte"), unencodable: None,
    }
    /// Writes the character of each byte in this single-byte code page, or U+FFFD.
    Fallback(PAGE) {
        name: "fallback", done: "read as PAGE", only_in: None,
        ill_formed: Some("the byte's character in a code page: fallback=PAGE"),
        unencodable: None,
    }
    /// Leaves out each line with an ill-formed sequence. Only a repair does this; a conversion stops,
    /// as for `Strict`. A line waits until its end is known: the part beyond 1 MiB in a temporary
    /// file, or in memory if the crate has no feature `cli`.
    DropLine {
        name: "drop-line", done: "dropped", only_in: Some(PolicyUse::Repair),
        ill_formed: Some("nothing, and leaves out its whole line"), unencodable: None,
    }
}

/// The replacement character, U+FFFD.
pub const REPLACEMENT: u32 = 0xFFFD;

impl Policy {
    /// Returns a code point that the policy writes and an encoding lacks, if there is nothing else to
    /// write.
    pub(crate) fn lacking(self, encoding: &Encoding) -> Option<u32> {
        let lacks = |value: &u32| !encoding.can_encode(*value);
        match self {
            Policy::SurrogateEscape => Some(LOW + 0x80).filter(lacks),
            Policy::Optu => Some(optu_escape(0x80)).filter(lacks),
            Policy::BackslashReplace => BACKSLASH_ESCAPES.chars().map(u32::from).find(lacks),
            Policy::Escape(_) => (0x20..0x7F).find(lacks),
            Policy::Replace | Policy::Transliterate | Policy::ReplaceByte | Policy::Fallback(_) => {
                Some(REPLACEMENT).filter(lacks).filter(|_| !encoding.can_encode('?'.into()))
            }
            Policy::Strict | Policy::Ignore | Policy::DropLine => None,
        }
    }

    /// Appends the replacement for an ill-formed sequence. Returns `false` if there is none.
    pub(crate) fn ill_formed(self, issue: &Issue, bytes: &[u8], values: &mut Vec<u32>) -> bool {
        let mut each = |value: &dyn Fn(u8) -> u32| values.extend(bytes.iter().map(|&b| value(b)));
        match self {
            Policy::Strict | Policy::Escape(_) | Policy::DropLine => return false,
            Policy::SurrogateEscape | Policy::Optu if bytes.iter().any(u8::is_ascii) => {
                return false;
            }
            Policy::Replace | Policy::Transliterate => {
                values.extend(std::iter::repeat_n(REPLACEMENT, issue.replacements.into()));
            }
            Policy::ReplaceByte => each(&|_| REPLACEMENT),
            Policy::Ignore => (),
            Policy::BackslashReplace => {
                bytes.iter().for_each(|&byte| push_backslash_escape(byte.into(), values))
            }
            Policy::SurrogateEscape => each(&|byte| LOW + u32::from(byte)),
            Policy::Optu => each(&optu_escape),
            Policy::Fallback(page) => each(&|byte| page.code_point(byte).unwrap_or(REPLACEMENT)),
        }
        true
    }

    /// Appends the replacement for a code point that the target cannot encode. Returns `false` if
    /// there is none.
    pub(crate) fn unencodable(self, value: u32, target: &Encoding, values: &mut Vec<u32>) -> bool {
        match self {
            Policy::Replace => values.push(REPLACEMENT),
            Policy::Transliterate => {
                let holds = |c: char| target.can_encode(c.into());
                match char::from_u32(value).and_then(|c| transliterate(c, &holds)) {
                    Some(text) => values.extend(text.chars().map(u32::from)),
                    None => values.push(REPLACEMENT),
                }
            }
            Policy::Ignore => (),
            Policy::BackslashReplace => push_backslash_escape(value, values),
            Policy::Escape(notation) => {
                let mut escape = Vec::new();
                let is_escaped = (notation.inner.escape_of)(value, &mut escape);
                values.extend(escape.into_iter().map(u32::from));
                return is_escaped;
            }
            _ => return false,
        }
        true
    }

    /// Returns `true` if the replaced bytes and characters cannot be told from the output: each is
    /// U+FFFD, nothing, ASCII or like another character.
    #[cfg(feature = "cli")]
    pub(crate) fn is_lossy(self) -> bool {
        match self {
            Policy::Replace
            | Policy::Transliterate
            | Policy::ReplaceByte
            | Policy::Ignore
            | Policy::BackslashReplace
            | Policy::Escape(_)
            | Policy::DropLine => true,
            Policy::Strict | Policy::SurrogateEscape | Policy::Optu | Policy::Fallback(_) => false,
        }
    }

    /// Returns `true` if ill-formed bytes become code points that escape them.
    pub(crate) fn escapes_bytes(self) -> bool {
        matches!(self, Policy::Optu)
    }

    /// Returns `true` if a code point of the text would read back as an escaped byte.
    pub(crate) fn collides_with_escape(self, value: u32) -> bool {
        self.escapes_bytes() && (OPTU_BASE + 0x80..OPTU_BASE + 0x100).contains(&value)
    }
}

/// The characters of the escapes that [`push_backslash_escape`] writes.
const BACKSLASH_ESCAPES: &str = "\\xuU0123456789abcdef";

/// Returns the private-use code point that escapes a byte.
pub(crate) fn optu_escape(byte: u8) -> u32 {
    OPTU_BASE + u32::from(byte)
}

/// Appends `\xHH`, `\uHHHH` or `\UHHHHHHHH`.
fn push_backslash_escape(value: u32, values: &mut Vec<u32>) {
    let text = match value {
        0..0x100 => format!("\\x{value:02x}"),
        0x100..0x1_0000 => format!("\\u{value:04x}"),
        _ => format!("\\U{value:08x}"),
    };
    values.extend(text.chars().map(u32::from));
}

/// Parses a name, such as `replace` or `fallback=windows-1252`.
///
/// ```
/// use utf8::{Encoding, Policy};
///
/// assert_eq!("replace".parse(), Ok(Policy::Replace));
/// let latin1 = Encoding::for_label("latin1").unwrap();
/// assert_eq!("fallback=latin1".parse(), Ok(Policy::Fallback(latin1)));
/// ```
impl FromStr for Policy {
    type Err = PolicyError;

    /// # Errors
    /// Returns an error if the name is unknown, or a value is missing, superfluous or unknown.
    fn from_str(text: &str) -> Result<Policy, PolicyError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let row = POLICIES.iter().find(|row| row.name == name).ok_or(PolicyError::Unknown)?;
        (row.parse)(value)
    }
}

/// Returns the policy that decodes ill-formed bytes in the code page of this name.
///
/// # Errors
/// Returns an error if the name is unknown or no single-byte code page.
pub fn fallback(page: &str) -> Result<Policy, PolicyError> {
    match Encoding::for_label(page) {
        Some(page) if page.is_page() => Ok(Policy::Fallback(page)),
        Some(page) => Err(PolicyError::NotAPage(page)),
        None => Err(PolicyError::UnknownPage),
    }
}

/// Returns the policy that escapes unencodable characters in the notation of this name.
///
/// # Errors
/// Returns an error if the name is unknown, or no notation of escapes in text.
pub(crate) fn escape(notation: &str) -> Result<Policy, PolicyError> {
    match Encoding::for_label(notation) {
        Some(notation) if notation.escapes_text() => Ok(Policy::Escape(notation)),
        Some(codec) => Err(PolicyError::NotANotation(codec)),
        None => Err(PolicyError::UnknownNotation),
    }
}

/// The reason why a text names no policy.
///
/// ```
/// use utf8::{Policy, PolicyError};
///
/// assert_eq!("skip".parse::<Policy>(), Err(PolicyError::Unknown));
/// assert_eq!("fallback".parse::<Policy>(), Err(PolicyError::MissingPage("fallback")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyError {
    /// No policy has the name.
    Unknown,
    /// The policy of this name needs a code page.
    MissingPage(&'static str),
    /// The policy of this name needs a notation.
    MissingNotation(&'static str),
    /// The policy of this name takes no value.
    UnexpectedPage(&'static str),
    /// The codec is no single-byte code page.
    NotAPage(&'static Encoding),
    /// No code page has the name.
    UnknownPage,
    /// The codec is no notation of escapes in text.
    NotANotation(&'static Encoding),
    /// No notation has the name.
    UnknownNotation,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Unknown => {
                f.write_str("unknown policy (expected ")?;
                for (at, row) in POLICIES.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", row.usage())?;
                }
                f.write_str(")")
            }
            PolicyError::MissingPage(name) => {
                write!(f, "{name} needs a code page: {name}=windows-1252")
            }
            PolicyError::MissingNotation(name) => write!(f, "{name} needs a notation: {name}=html"),
            PolicyError::UnexpectedPage(name) => write!(f, "{name} takes no value"),
            PolicyError::NotAPage(codec) => {
                write!(f, "{} is not a single-byte code page", codec.name)
            }
            PolicyError::UnknownPage => f.write_str("unknown code page"),
            PolicyError::NotANotation(codec) => {
                write!(f, "{} is not a notation of escapes, as html and json are", codec.name)
            }
            PolicyError::UnknownNotation => f.write_str("unknown notation"),
        }
    }
}

impl Error for PolicyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_found_by_its_name() {
        for row in POLICIES {
            let usage = row.usage().replace("PAGE", "latin1").replace("NOTATION", "json");
            let policy: Policy = usage.parse().unwrap();
            assert_eq!(policy.name(), row.name);
        }
        for (text, error) in [
            ("fallback", "fallback needs a code page: fallback=windows-1252"),
            ("fallback=utf-8", "utf-8 is not a single-byte code page"),
            ("fallback=gbk", "gbk is not a single-byte code page"),
            ("ignore=x", "ignore takes no value"),
            ("escape", "escape needs a notation: escape=html"),
            ("escape=gbk", "gbk is not a notation of escapes, as html and json are"),
            (
                "escape=code-points",
                "code-points is not a notation of escapes, as html and json are",
            ),
            ("escape=xml77", "unknown notation"),
        ] {
            assert_eq!(text.parse::<Policy>().unwrap_err().to_string(), error);
        }
        assert_eq!("fallback=latin77".parse::<Policy>(), Err(PolicyError::UnknownPage));
        assert_eq!("skip".parse::<Policy>(), Err(PolicyError::Unknown));
    }
}
