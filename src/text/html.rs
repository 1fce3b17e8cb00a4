//! Escapes for HTML text.

use super::character::is_noncharacter;
use super::escape::unsafe_to_show;

/// Appends text as the text of an element or the value of an attribute. Characters that HTML
/// excludes, or that could mislead a reader, become U+FFFD.
pub(crate) fn escape(out: &mut Vec<u8>, text: &[u8]) {
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            push(out, c);
        }
        if !chunk.invalid().is_empty() {
            push(out, char::REPLACEMENT_CHARACTER);
        }
    }
}

fn push(out: &mut Vec<u8>, c: char) {
    let escaped: &[u8] = match c {
        '&' => b"&amp;",
        '<' => b"&lt;",
        '>' => b"&gt;",
        '"' => b"&quot;",
        '\'' => b"&#39;",
        // Two of them start a command of a CI runner if the page is shown in a log.
        '#' => b"&#35;",
        ' '..='~' => return out.push(c as u8),
        c if unsafe_to_show(c) || is_noncharacter(c) => "\u{FFFD}".as_bytes(),
        c => return out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    };
    out.extend_from_slice(escaped);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &[u8]) -> String {
        let mut out = Vec::new();
        escape(&mut out, text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_mark_up_comes_out() {
        assert_eq!(escaped(b"<b a=\"'&#\">"), "&lt;b a=&quot;&#39;&amp;&#35;&quot;&gt;");
        assert_eq!(escaped("Grüße 日本 \\x".as_bytes()), "Grüße 日本 \\x");
    }

    #[test]
    fn excluded_characters_are_replaced() {
        let bad = "\0\x1B\x7F\u{9B}\u{202E}\u{2028}\u{FDD0}\u{FFFE}\u{10FFFF}";
        assert_eq!(escaped(bad.as_bytes()), "\u{FFFD}".repeat(9));
        assert_eq!(escaped(b"a\xFFb\xE2\x82"), "a\u{FFFD}b\u{FFFD}");
    }
}
