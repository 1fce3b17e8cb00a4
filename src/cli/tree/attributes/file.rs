//! The lines of a .gitattributes file.

use std::path::PathBuf;

use globset::{Candidate, Glob, GlobSet, GlobSetBuilder};

use super::pattern;
use crate::codec::UTF8_BOM;

/// The number of bytes beyond which git ignores a line.
const LONGEST_LINE: usize = 2048;

/// The state that a line gives to an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AttributeState {
    Set,
    Unset,
    Unspecified,
    Value(Vec<u8>),
}

/// An attribute and its state.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub name: Vec<u8>,
    pub state: AttributeState,
}

/// The assignments of a line, for the paths that match a pattern or for a macro.
#[derive(Clone, Debug)]
pub(super) struct AttributeLine {
    /// The number of the line, from 1.
    pub number: usize,
    pub assignments: Vec<Assignment>,
}

/// A file of attributes.
#[derive(Debug)]
pub(super) struct AttributeFile {
    /// The path for messages.
    pub path: PathBuf,
    patterns: GlobSet,
    /// The lines of the patterns.
    lines: Vec<AttributeLine>,
    /// The macros that the file defines.
    pub macros: Vec<(Vec<u8>, AttributeLine)>,
}

impl AttributeFile {
    /// Parses a file. Lines that git ignores are ignored.
    pub fn parse(path: PathBuf, text: &[u8]) -> AttributeFile {
        let text = text.strip_prefix(UTF8_BOM).unwrap_or(text);
        let (mut globs, mut lines, mut macros) = (Vec::<Glob>::new(), Vec::new(), Vec::new());
        for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let Some((subject, assignments)) = parse_line(line) else { continue };
            let line = AttributeLine { number: at + 1, assignments };
            match subject {
                LineSubject::Macro(name) => macros.push((name, line)),
                LineSubject::Pattern(glob) => {
                    globs.push(glob);
                    lines.push(line);
                }
            }
        }
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            set.add(glob);
        }
        // Each glob was compiled before: only a set that is too large fails.
        let patterns = set.build().unwrap_or_default();
        AttributeFile { path, patterns, lines, macros }
    }

    /// Returns `true` if the file has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.macros.is_empty()
    }

    /// Returns the lines that match a path, the last first.
    pub fn matching(&self, path: &Candidate<'_>) -> impl Iterator<Item = &AttributeLine> {
        let found = self.patterns.matches_candidate(path);
        found.into_iter().rev().filter_map(|at| self.lines.get(at))
    }
}

/// The subject of a line.
enum LineSubject {
    Pattern(Glob),
    Macro(Vec<u8>),
}

/// Parses a line. Returns `None` for one without effect.
fn parse_line(line: &[u8]) -> Option<(LineSubject, Vec<Assignment>)> {
    let line = skip_blanks(line);
    if line.is_empty() || line.starts_with(b"#") || line.len() > LONGEST_LINE {
        return None;
    }
    let (subject, states) = match line.strip_prefix(b"[attr]") {
        Some(rest) => {
            let (name, states) = split_word(skip_blanks(rest));
            (is_name(name).then(|| LineSubject::Macro(name.to_vec()))?, states)
        }
        None => {
            let (pattern, states) = match unquote(line) {
                Some((pattern, states)) => (pattern, states),
                None => {
                    let (pattern, states) = split_word(line);
                    (pattern.to_vec(), states)
                }
            };
            // Git has no negative patterns here. Names that are not UTF-8 have no globs.
            let pattern = String::from_utf8(pattern).ok().filter(|it| !it.starts_with('!'))?;
            (LineSubject::Pattern(pattern::compile(&pattern)?), states)
        }
    };
    let mut assignments = Vec::new();
    let mut states = skip_blanks(states);
    while !states.is_empty() {
        let (word, rest) = split_word(states);
        assignments.push(parse_assignment(word)?);
        states = skip_blanks(rest);
    }
    (!assignments.is_empty()).then_some((subject, assignments))
}

/// Parses an attribute and its state. Returns `None` for a malformed name.
fn parse_assignment(word: &[u8]) -> Option<Assignment> {
    let (name, state) = match word {
        [b'-', name @ ..] => (name, AttributeState::Unset),
        [b'!', name @ ..] => (name, AttributeState::Unspecified),
        _ => match memchr::memchr(b'=', word) {
            Some(at) => (&word[..at], AttributeState::Value(word[at + 1..].to_vec())),
            None => (word, AttributeState::Set),
        },
    };
    is_name(name).then(|| Assignment { name: name.to_vec(), state })
}

/// Returns `true` for the name of an attribute.
fn is_name(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    !name.is_empty() && !name.starts_with(b"-") && name.iter().all(is_part)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(text.len());
    &text[start..]
}

/// Splits a text before its first blank.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len()))
}

/// Returns a pattern in quotes, without its quotes and escapes, and the text after it; `None` if it
/// is not quoted, or malformed.
fn unquote(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = line.strip_prefix(b"\"")?;
    let mut text = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((text, rest)),
            b'\\' => {
                let (&escape, after) = rest.split_first()?;
                rest = after;
                text.push(match escape {
                    b'a' => 0x07,
                    b'b' => 0x08,
                    b'f' => 0x0C,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'v' => 0x0B,
                    b'\\' | b'"' => escape,
                    b'0'..=b'3' => {
                        let (digits, after) = rest.split_at_checked(2)?;
                        rest = after;
                        let value = |digit: u8| matches!(digit, b'0'..=b'7').then(|| digit - b'0');
                        ((escape - b'0') << 6) | (value(digits[0])? << 3) | value(digits[1])?
                    }
                    _ => return None,
                });
            }
            byte => text.push(byte),
        }
    }
}
