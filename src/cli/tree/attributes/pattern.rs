//! Patterns of .gitattributes as globs of `globset`.

use std::ops::RangeInclusive;

use globset::{Glob, GlobBuilder};

/// Compiles a pattern. Returns `None` for one that matches no file: of a directory, or malformed.
pub(super) fn compile(pattern: &str) -> Option<Glob> {
    if pattern.ends_with('/') {
        return None;
    }
    let translated = translate(pattern.strip_prefix('/').unwrap_or(pattern))?;
    let glob = match pattern.contains('/') {
        // All of a directory, but not the directory.
        true if translated.ends_with("/**") => format!("{translated}/*"),
        true => translated,
        false => format!("**/{translated}"),
    };
    GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build().ok()
}

/// Returns the glob for a pattern of git, which has no alternatives in braces, and backslashes and
/// named classes in brackets.
fn translate(pattern: &str) -> Option<String> {
    let mut glob = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => push_literal(&mut glob, rest.next()?),
            '[' => {
                let (class, after) = CharacterClass::parse(rest.as_str())?;
                class.push(&mut glob)?;
                rest = after.chars();
            }
            '*' => {
                let stars = rest.as_str().len() - rest.as_str().trim_start_matches('*').len();
                let after = &rest.as_str()[stars..];
                let is_component = glob.is_empty() || glob.ends_with('/');
                let is_component = is_component && (after.is_empty() || after.starts_with('/'));
                glob.push_str(if is_component && stars == 1 { "**" } else { "*" });
                rest = after.chars();
            }
            '?' => glob.push(c),
            c => push_literal(&mut glob, c),
        }
    }
    Some(glob)
}

fn push_literal(glob: &mut String, c: char) {
    if c.is_ascii_punctuation() && !matches!(c, '/' | '.' | '-' | '_') {
        glob.push('\\');
    }
    glob.push(c);
}

/// Characters in brackets.
struct CharacterClass {
    negated: bool,
    /// The ASCII characters.
    ascii: [bool; 128],
    /// The others, in ranges.
    others: Vec<RangeInclusive<char>>,
}

impl CharacterClass {
    /// Parses the text after the bracket. Returns the class and the text after it; `None` if it is
    /// malformed.
    fn parse(text: &str) -> Option<(CharacterClass, &str)> {
        let inner = text.strip_prefix(['!', '^']);
        let mut class =
            CharacterClass { negated: inner.is_some(), ascii: [false; 128], others: Vec::new() };
        let mut rest = inner.unwrap_or(text);
        // The character before, which can start a range.
        let mut before = None;
        let mut is_first = true;
        loop {
            let mut chars = rest.chars();
            let c = chars.next()?;
            rest = chars.as_str();
            match c {
                ']' if !is_first => return Some((class, rest)),
                '-' if before.is_some() && !rest.is_empty() && !rest.starts_with(']') => {
                    let mut chars = rest.chars();
                    let mut end = chars.next()?;
                    if end == '\\' {
                        end = chars.next()?;
                    }
                    rest = chars.as_str();
                    class.add(before.take()?..=end);
                }
                '[' if rest.starts_with(':') => match rest[1..].split_once(":]") {
                    Some((name, after)) if !name.contains(']') => {
                        class.add_named(name)?;
                        (rest, before) = (after, None);
                    }
                    _ => {
                        class.add(c..=c);
                        before = Some(c);
                    }
                },
                c => {
                    let c = if c == '\\' { chars.next()? } else { c };
                    rest = chars.as_str();
                    class.add(c..=c);
                    before = Some(c);
                }
            }
            is_first = false;
        }
    }

    fn add(&mut self, range: RangeInclusive<char>) {
        let (start, end) = (u32::from(*range.start()), u32::from(*range.end()));
        for value in start..=end.min(127) {
            self.ascii[value as usize] = true;
        }
        if end > 127 && start <= end {
            self.others.push((*range.start()).max('\u{80}')..=*range.end());
        }
    }

    /// Adds a class of POSIX. Returns `None` if there is none of this name.
    fn add_named(&mut self, name: &str) -> Option<()> {
        let has: fn(&u8) -> bool = match name {
            "alnum" => u8::is_ascii_alphanumeric,
            "alpha" => u8::is_ascii_alphabetic,
            "blank" => |byte| matches!(byte, b' ' | b'\t'),
            "cntrl" => u8::is_ascii_control,
            "digit" => u8::is_ascii_digit,
            "graph" => u8::is_ascii_graphic,
            "lower" => u8::is_ascii_lowercase,
            "print" => |byte| matches!(byte, b' '..=b'~'),
            "punct" => u8::is_ascii_punctuation,
            "space" => |byte| matches!(byte, b' ' | b'\t'..=b'\r'),
            "upper" => u8::is_ascii_uppercase,
            "xdigit" => u8::is_ascii_hexdigit,
            _ => return None,
        };
        (0..128).filter(has).for_each(|byte| self.ascii[usize::from(byte)] = true);
        Some(())
    }

    /// Appends the class. Returns `None` if it has no character. It never matches a slash.
    fn push(mut self, glob: &mut String) -> Option<()> {
        self.ascii[usize::from(b'/')] = self.negated;
        let chars = (0..128u8).filter(|byte| self.ascii[usize::from(*byte)]).map(char::from);
        // ] is literal at the start, - there and at the end, and ! and ^ elsewhere.
        let (special, plain): (Vec<_>, Vec<_>) =
            chars.partition(|c| matches!(c, ']' | '-' | '!' | '^'));
        let marks: String = special.iter().filter(|c| matches!(c, '!' | '^')).collect();
        let (bracket, dash) = (special.contains(&']'), special.contains(&'-'));
        let is_plain = !plain.is_empty() || !self.others.is_empty();
        if !self.negated && !is_plain && !bracket && !dash {
            match marks.as_str() {
                "" => return None,
                "!^" => glob.push_str(r"{\!,\^}"),
                mark => glob.extend(['\\'].into_iter().chain(mark.chars())),
            }
            return Some(());
        }
        glob.push_str(if self.negated { "[!" } else { "[" });
        let is_dash_first = dash && !is_plain && !bracket;
        match (bracket, is_dash_first) {
            (true, _) => glob.push(']'),
            (_, true) => glob.push('-'),
            _ => {}
        }
        glob.extend(plain);
        for range in &self.others {
            glob.extend([*range.start(), '-', *range.end()]);
        }
        glob.push_str(&marks);
        if dash && !is_dash_first {
            glob.push('-');
        }
        glob.push(']');
        Some(())
    }
}
