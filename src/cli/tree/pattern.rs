//! Patterns of .gitignore and .gitattributes, matched as git does, byte by byte. See gitignore(5).

use std::io;
use std::path::Path;

use crate::codec::UTF8_BOM;
use crate::text::number::grouped;

/// The largest file of git that is read, of patterns or settings, in bytes.
pub(super) const LARGEST: u64 = 4 << 20;

/// The maximum number of patterns of a file.
pub(super) const MOST_PATTERNS: usize = 1 << 16;

/// A pattern.
#[derive(Debug)]
pub(super) struct GitPattern {
    /// The text, without a slash at its start and its end.
    text: Box<[u8]>,
    /// The number of bytes before the first wildcard.
    literal: usize,
    /// True if the pattern is compared with the name alone, in any directory below.
    is_name: bool,
    /// The number of literal bytes at the end of the last component; 0 in patterns with `[` or `\\`.
    tail: usize,
    /// True for directories alone.
    is_directory: bool,
}

/// A file or directory that patterns are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternSubject<'a> {
    /// The path from the directory that patterns are relative to.
    pub path: &'a [u8],
    /// The last component of the path.
    pub name: &'a [u8],
    pub is_dir: bool,
}

/// Returns the length of the path of a directory that patterns are relative to, with a slash at its
/// end.
pub(super) fn base_of(directory: &Path) -> usize {
    directory.join("").as_os_str().len()
}

/// Returns the error of a file with too many patterns.
pub(super) fn too_many_patterns() -> io::Error {
    io::Error::other(format!("has more than {} patterns", grouped(MOST_PATTERNS as u64)))
}

/// Returns the lines of a file of rules and their numbers, from 1. A line ends before NUL, too.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let text = text.strip_prefix(UTF8_BOM).unwrap_or(text);
    (1..).zip(text.split(|&byte| byte == b'\n').map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        before_nul(line)
    }))
}

fn before_nul(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(0, text).unwrap_or(text.len())]
}

impl GitPattern {
    /// Parses a pattern, without the `!` of one that includes. The text ends before NUL.
    pub fn parse(text: &[u8]) -> GitPattern {
        let text = before_nul(text);
        let (text, is_directory) = match text.strip_suffix(b"/") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let is_name = !text.contains(&b'/');
        let text = text.strip_prefix(b"/").unwrap_or(text);
        let literal = text.iter().position(is_special).unwrap_or(text.len());
        let is_simple = !text.iter().any(|byte| matches!(byte, b'[' | b'\\'));
        let ends = text.iter().rev().take_while(|byte| !matches!(byte, b'*' | b'?' | b'/'));
        let tail = if is_simple { ends.count() } else { 0 };
        GitPattern { text: text.into(), literal, tail, is_name, is_directory }
    }

    /// Returns `true` if the pattern matches nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns `true` if the pattern is for directories alone.
    pub fn is_directory(&self) -> bool {
        self.is_directory
    }

    /// Returns `true` if the pattern matches.
    pub fn matches(&self, subject: PatternSubject<'_>) -> bool {
        if self.is_directory && !subject.is_dir {
            return false;
        }
        let text = if self.is_name { subject.name } else { subject.path };
        if self.literal == self.text.len() {
            return *self.text == *text;
        }
        // The end of a text tells most patterns apart.
        let (start, tail) = self.text.split_at(self.text.len() - self.tail);
        if !text.ends_with(tail) {
            return false;
        }
        if self.is_name && start == b"*" {
            return true;
        }
        let (literal, wild) = self.text.split_at(self.literal);
        // As in git, ** after literal text counts as ** at the start of a pattern.
        match text.strip_prefix(literal) {
            Some(rest) => match_wildcards(wild, rest),
            None => false,
        }
    }
}

fn is_special(byte: &u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

/// Returns `true` if a pattern with wildcards matches all of a text. Only `**` matches slashes. The
/// time is at most proportional to the product of the lengths and the number of slashes.
fn match_wildcards(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut reached) = (0, 0);
    // The places in the pattern and in the text to continue at after a mismatch: behind the last `*`,
    // and behind the last `**`. To continue at earlier ones would find nothing else.
    let mut one: Option<(usize, usize)> = None;
    let mut two: Option<(usize, usize)> = None;
    loop {
        if pattern.get(at) == Some(&b'*') {
            let start = at;
            at += pattern[at..].iter().take_while(|&&byte| byte == b'*').count();
            let rest = &pattern[at..];
            let is_component = start == 0 || pattern[start - 1] == b'/';
            if at - start == 1 || !is_component {
                one = Some((at, reached));
                continue;
            }
            match rest {
                [] => return true,
                [b'/', ..] => {
                    at += 1;
                    (one, two) = (None, Some((at, reached)));
                    continue;
                }
                // At least one directory.
                [b'\\', b'/', ..] => (one, two) = (None, Some((at + 2, reached))),
                _ => {
                    one = Some((at, reached));
                    continue;
                }
            }
        } else if let (Some(_), Some(&byte)) = (pattern.get(at), text.get(reached)) {
            let Some((is_match, next)) = match_byte(pattern, at, byte) else { return false };
            if is_match {
                (at, reached) = (next, reached + 1);
                continue;
            }
        } else if at == pattern.len() && reached == text.len() {
            return true;
        }
        match (one, two) {
            (Some((next, from)), _) if text.get(from).is_some_and(|&byte| byte != b'/') => {
                (at, reached) = (next, from + 1);
                one = Some((at, reached));
            }
            (_, Some((next, from))) => {
                let Some(slash) = memchr::memchr(b'/', &text[from..]) else { return false };
                (at, reached) = (next, from + slash + 1);
                (one, two) = (None, Some((at, reached)));
            }
            _ => return false,
        }
    }
}

/// Compares a byte with the part of a pattern at a place. Returns the place after the part; `None`
/// if it is malformed.
fn match_byte(pattern: &[u8], at: usize, byte: u8) -> Option<(bool, usize)> {
    match pattern[at] {
        b'?' => Some((byte != b'/', at + 1)),
        b'[' => match_class(pattern, at + 1, byte),
        b'\\' => Some((*pattern.get(at + 1)? == byte, at + 2)),
        literal => Some((literal == byte, at + 1)),
    }
}

/// Compares a byte with a class, after its bracket. Returns the place after the class; `None` if it
/// is malformed.
fn match_class(pattern: &[u8], mut at: usize, byte: u8) -> Option<(bool, usize)> {
    let is_negated = matches!(pattern.get(at)?, b'!' | b'^');
    at += usize::from(is_negated);
    let (start, mut is_match) = (at, false);
    // The byte before, which can start a range.
    let mut before = None;
    loop {
        let mut member = *pattern.get(at)?;
        match (member, pattern.get(at + 1)) {
            (b']', _) if at > start => break,
            (b'-', Some(end)) if before.is_some() && *end != b']' => {
                at += 1 + usize::from(*end == b'\\');
                let range = before.take()..=Some(*pattern.get(at)?);
                is_match |= range.contains(&Some(byte));
                at += 1;
                continue;
            }
            (b'[', Some(b':')) => {
                let end = at + 2 + memchr::memchr(b']', &pattern[at + 2..])?;
                if let Some(name) = pattern[at + 2..end].strip_suffix(b":") {
                    is_match |= is_in_class(name, byte)?;
                    (at, before) = (end + 1, None);
                    continue;
                }
            }
            (b'\\', next) => {
                member = *next?;
                at += 1;
            }
            _ => {}
        }
        is_match |= member == byte;
        before = Some(member);
        at += 1;
    }
    Some((is_match != is_negated && byte != b'/', at + 1))
}

/// Returns `true` if a class of POSIX has a byte; `None` if there is no class of this name.
fn is_in_class(name: &[u8], byte: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => matches!(byte, b' '..=b'~'),
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}
