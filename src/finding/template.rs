//! Message templates of kinds, parsed at compile time.

use crate::text::equal;

/// A fact of an ill-formed sequence that a message shows.
#[derive(Clone, Copy)]
pub(super) enum Fact {
    /// Nothing.
    None,
    /// The bytes of the sequence: `E0 80`.
    Bytes,
    /// The number of bytes that the first ones announce.
    Announced,
    /// The code point: `U+002F`. Empty if the sequence does not have all its bytes.
    Value,
    /// The byte after a sequence that lacks bytes: `41 "A"`, or `the end of input`. Empty after a
    /// sequence that has all its bytes.
    Next,
    /// The bytes that could have continued the sequence: `80..BF`. Empty if there are none, or if
    /// there are restrictions beyond a range.
    Expected,
    /// The sequence as text. A single byte, which says little, includes the byte after it.
    Text,
    /// The name of the codec.
    Codec,
    /// The spelling that the codec requires.
    Item,
}

/// The placeholder of every fact.
const PLACEHOLDERS: [(&str, Fact); 8] = [
    ("bytes", Fact::Bytes),
    ("n", Fact::Announced),
    ("value", Fact::Value),
    ("next", Fact::Next),
    ("expected", Fact::Expected),
    ("text", Fact::Text),
    ("codec", Fact::Codec),
    ("item", Fact::Item),
];

/// The longest literal text of one part, in bytes.
const LONGEST: usize = 24;

/// A part of a template: literal text, and the fact after it.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The literal text, then unused bytes: a copy of fixed size takes less time.
    pub text: [u8; LONGEST],
    /// The length of the literal text in bytes.
    pub len: u8,
    /// The fact.
    pub fact: Fact,
    /// The number of parts, with this one, that are dropped if the fact is empty.
    pub group: u8,
}

/// The parts of a template.
#[derive(Clone, Copy)]
pub(super) struct Template {
    parts: [Part; Template::MOST],
    len: usize,
}

impl Template {
    /// The largest number of parts.
    const MOST: usize = 8;

    /// Parses text with `{placeholders}` and `[groups]`. A group has one placeholder.
    ///
    /// # Panics
    /// On a bad template: at compile time, as every template is parsed in a constant.
    pub const fn parse(template: &'static str) -> Template {
        let empty = Part { text: [0; LONGEST], len: 0, fact: Fact::None, group: 0 };
        let (mut parts, mut len) = ([empty; Template::MOST], 0);
        let mut group = None;
        let mut rest = template.as_bytes();
        while !rest.is_empty() {
            if let [b'[', behind @ ..] = rest {
                assert!(group.is_none(), "a group inside a group");
                group = Some(len);
                rest = behind;
            }
            (parts[len], rest) = Part::parse(rest);
            len += 1;
            if let [b']', behind @ ..] = rest {
                let Some(start) = group else { panic!("`]` without `[`") };
                parts[start].group = (len - start) as u8;
                group = None;
                rest = behind;
                let mut at = start;
                while at < len {
                    let has_fact = !matches!(parts[at].fact, Fact::None);
                    assert!(has_fact == (at == start), "a group without its one placeholder");
                    at += 1;
                }
            }
        }
        assert!(group.is_none(), "`[` without `]`");
        Template { parts, len }
    }

    /// Returns `true` if JSON escapes nothing in the literal text, nor in facts but [`Fact::Next`].
    pub const fn is_plain(&self) -> bool {
        let mut at = 0;
        while at < self.len {
            let part = &self.parts[at];
            let mut text = part.text.split_at(part.len as usize).0;
            while let [byte, rest @ ..] = text {
                if !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\' | b'#') {
                    return false;
                }
                text = rest;
            }
            if matches!(part.fact, Fact::Text | Fact::Codec | Fact::Item) {
                return false;
            }
            at += 1;
        }
        true
    }

    /// Returns `true` if a fact depends on the byte after the sequence.
    pub const fn names_next(&self) -> bool {
        let (mut at, mut names_next) = (0, false);
        while at < self.len {
            names_next |= match self.parts[at].fact {
                Fact::Next | Fact::Expected | Fact::Text => true,
                Fact::None
                | Fact::Bytes
                | Fact::Announced
                | Fact::Value
                | Fact::Codec
                | Fact::Item => false,
            };
            at += 1;
        }
        names_next
    }

    /// Returns the parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts[..self.len]
    }
}

impl Part {
    /// Parses the part at the front of a text. Returns it and the rest.
    const fn parse(text: &[u8]) -> (Part, &[u8]) {
        let mut part = Part { text: [0; LONGEST], len: 0, fact: Fact::None, group: 0 };
        let length = literal(text);
        let (literal, rest) = text.split_at(if length < LONGEST { length } else { LONGEST });
        part.text.split_at_mut(literal.len()).0.copy_from_slice(literal);
        part.len = literal.len() as u8;
        match rest {
            [b'{', behind @ ..] => {
                let (name, close) = behind.split_at(self::literal(behind));
                let [b'}', rest @ ..] = close else { panic!("`{{` without `}}`") };
                part.fact = Fact::named(name);
                (part, rest)
            }
            [b'}', ..] => panic!("`}}` without `{{`"),
            _ => (part, rest),
        }
    }
}

impl Fact {
    const fn named(name: &[u8]) -> Fact {
        let mut rows: &[_] = &PLACEHOLDERS;
        while let [(row, placeholder), behind @ ..] = rows {
            if equal(row.as_bytes(), name) {
                return *placeholder;
            }
            rows = behind;
        }
        panic!("no placeholder has this name")
    }
}

/// Returns the number of bytes before the next bracket or brace.
const fn literal(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && !matches!(text[at], b'[' | b']' | b'{' | b'}') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no placeholder has this name")]
    fn a_placeholder_must_be_known() {
        Template::parse("byte {byte}");
    }

    #[test]
    fn brackets_and_braces_must_match() {
        for text in ["[a{n}", "a]", "[[{n}]]", "[]", "[a]", "[{n}{n}]", "{n", "n}", "{n[}]"] {
            assert!(std::panic::catch_unwind(|| Template::parse(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn long_text_is_cut_into_parts() {
        let template = Template::parse("text that is longer than one part {n}[, {value}.]");
        let text = template.parts().iter().map(|part| &part.text[..part.len.into()]);
        assert_eq!(text.collect::<Vec<_>>().concat(), b"text that is longer than one part , .");
        let groups: Vec<_> = template.parts().iter().map(|part| part.group).collect();
        assert_eq!(groups, [0, 0, 2, 0]);
    }
}
