//! HTML: escapes, elements, and the style that pages share.

use super::character::is_noncharacter;
use super::escape::unsafe_to_show;
use super::write;

/// The style sheet that all pages share: colours, fonts, headings.
const BASE_STYLE: &str = include_str!("html/base.css");

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

/// Appends HTML to a buffer. All markup and text of a page goes through it.
pub(crate) struct HtmlWriter<'a> {
    pub(crate) out: &'a mut Vec<u8>,
}

impl<'a> HtmlWriter<'a> {
    /// Returns a writer to a buffer.
    pub(crate) fn new(out: &'a mut Vec<u8>) -> HtmlWriter<'a> {
        HtmlWriter { out }
    }

    /// Appends markup.
    pub(crate) fn markup(&mut self, markup: &str) {
        self.out.extend_from_slice(markup.as_bytes());
    }

    /// Appends text, escaped.
    pub(crate) fn text(&mut self, text: &[u8]) {
        escape(self.out, text);
    }

    /// Appends digits, which need no escapes.
    pub(crate) fn digits(&mut self, digits: &[u8]) {
        self.out.extend_from_slice(digits);
    }

    /// Appends HTML whose text is escaped already.
    pub(crate) fn escaped(&mut self, html: &[u8]) {
        self.out.extend_from_slice(html);
    }

    /// Appends a number in decimal.
    pub(crate) fn number(&mut self, number: u64) {
        write::decimal(self.out, number);
    }

    /// Appends an element without attributes; `content` appends its content.
    pub(crate) fn element(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        for part in ["<", name, ">"] {
            self.markup(part);
        }
        content(self);
        for part in ["</", name, ">"] {
            self.markup(part);
        }
    }

    /// Appends an element without attributes that has only text.
    pub(crate) fn text_element(&mut self, name: &str, text: &[u8]) {
        self.element(name, |html| html.text(text));
    }

    /// Begins a page that refers to no other file: the head, with a title and a style sheet after
    /// the shared one, and the start of the body.
    pub(crate) fn begin_html(&mut self, title: impl FnOnce(&mut Self), style: &str) {
        self.markup(
            "<!DOCTYPE html>\n<html lang=\"en\" id=\"top\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n",
        );
        self.element("title", title);
        self.markup("\n");
        self.element("style", |html| {
            html.markup("\n");
            html.markup(BASE_STYLE);
            html.markup(style);
        });
        self.markup("\n</head>\n<body>\n");
    }
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
