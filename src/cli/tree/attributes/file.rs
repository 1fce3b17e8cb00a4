//! The lines of a .gitattributes file.

use std::io;
use std::path::PathBuf;

use crate::cli::tree::pattern::{
    GitPattern, MOST_PATTERNS, PatternSubject, lines, too_many_patterns,
};

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
    patterns: Vec<(GitPattern, AttributeLine)>,
    /// The macros that the file defines.
    pub macros: Vec<(Vec<u8>, AttributeLine)>,
}

impl AttributeFile {
    /// Parses a file. Lines that git ignores are ignored.
    ///
    /// # Errors
    /// It has too many lines.
    pub fn parse(path: PathBuf, text: &[u8]) -> io::Result<AttributeFile> {
        let (mut patterns, mut macros) = (Vec::new(), Vec::new());
        for (number, line) in lines(text) {
            let Some((subject, assignments)) = parse_line(line) else { continue };
            let line = AttributeLine { number, assignments };
            match subject {
                LineSubject::Macro(name) => macros.push((name, line)),
                LineSubject::Pattern(pattern) => patterns.push((pattern, line)),
            }
            if patterns.len() + macros.len() > MOST_PATTERNS {
                return Err(too_many_patterns());
            }
        }
        Ok(AttributeFile { path, patterns, macros })
    }

    /// Returns `true` if the file has no lines.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.macros.is_empty()
    }

    /// Returns the lines that match a file, the last first.
    pub fn matching(&self, file: PatternSubject<'_>) -> impl Iterator<Item = &AttributeLine> {
        let found = self.patterns.iter().rev().filter(move |(pattern, _)| pattern.matches(file));
        found.map(|(_, line)| line)
    }
}

/// The subject of a line.
enum LineSubject {
    Pattern(GitPattern),
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
            // Git has no negative patterns here.
            let pattern = Some(pattern).filter(|pattern| !pattern.starts_with(b"!"))?;
            let pattern = GitPattern::parse(&pattern);
            // Directories have no attributes that count.
            let pattern = Some(pattern).filter(|pattern| !pattern.is_directory())?;
            (LineSubject::Pattern(pattern), states)
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
