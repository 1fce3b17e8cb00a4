//! Declarations of the encoding of a text, in its first lines.
//!
//! A text is ASCII here, with bytes of 80 or more for other characters.

use std::ops::Range;

/// The number of bytes of a text that are searched, as browsers do.
pub(crate) const SEARCHED: usize = 1024;

/// The number of lines that have modelines of Vim.
const MODELINES: usize = 5;

/// A declared label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeclaredLabel {
    /// Its place in the text, in bytes.
    pub range: Range<usize>,
    /// True if browsers read it: the WHATWG Encoding Standard says what it means.
    pub is_of_web: bool,
}

/// Returns the labels that are declared, in order.
pub(crate) fn labels(head: &[u8]) -> Vec<DeclaredLabel> {
    let is_xml = head.starts_with(b"<?xml") && head.get(5).is_some_and(u8::is_ascii_whitespace);
    let (markup, is_of_web) = match head.trim_ascii_start().first() {
        Some(b'<') if is_xml => (xml_label(head), false),
        Some(b'<') => (html_label(head), true),
        Some(b'@') => (css_label(head), true),
        _ => (None, false),
    };
    let markup = markup.map(|range| DeclaredLabel { range, is_of_web });
    let others = header_label(head).into_iter().chain(line_labels(head));
    let others = others.map(|range| DeclaredLabel { range, is_of_web: false });
    let mut labels: Vec<_> = markup.into_iter().chain(others).collect();
    labels.sort_by_key(|label| label.range.start);
    labels.dedup_by_key(|label| label.range.start);
    labels
}

/// Returns the index after the next occurrence of some bytes, from an index on.
fn after(head: &[u8], at: usize, bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find(head.get(at..)?, bytes).map(|found| at + found + bytes.len())
}

/// Returns the index of the first byte, from an index on, that is not of a kind.
fn skip(head: &[u8], at: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = head.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| is(byte)).count()
}

fn skip_space(head: &[u8], at: usize) -> usize {
    skip(head, at, |byte| byte.is_ascii_whitespace())
}

/// Returns the range of the value after `=`, in quotation marks or not.
fn value(head: &[u8], at: usize) -> Option<Range<usize>> {
    let at = skip_space(head, at);
    let start = skip_space(head, at + usize::from(head.get(at) == Some(&b'=')));
    match *head.get(start)? {
        _ if start == at => None,
        quote @ (b'"' | b'\'') => {
            let end = skip(head, start + 1, |byte| byte != quote);
            (end < head.len()).then_some(start + 1..end)
        }
        _ => {
            let is_part = |byte: u8| !byte.is_ascii_whitespace() && !b";\"'>\\".contains(&byte);
            Some(start..skip(head, start, is_part))
        }
    }
}

/// Returns the label in an XML declaration, at the start of a text.
fn xml_label(head: &[u8]) -> Option<Range<usize>> {
    let end = after(head, 0, b"?>")?;
    let name = after(&head[..end], 0, b"encoding")?;
    value(&head[..end], name)
}

/// Returns the label in a `@charset` rule of CSS, which has only this spelling.
fn css_label(head: &[u8]) -> Option<Range<usize>> {
    let start = head.starts_with(b"@charset \"").then_some(10)?;
    let end = skip(head, start, |byte| byte != b'"');
    head[end..].starts_with(b"\";").then_some(start..end)
}

/// Returns the label in a `meta` element, as browsers find it (WHATWG HTML, section 13.2.3.2).
fn html_label(head: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        at = after(head, at, b"<")? - 1;
        let rest = &head[at..];
        at = match rest {
            [b'<', b'!', b'-', b'-', ..] => after(head, at + 2, b"-->")?,
            [b'<', b'!' | b'?', ..] => after(head, at, b">")?,
            _ if is_meta(rest) => {
                let (label, end) = meta_label(head, at + 5);
                let close = skip(head, end, is_between);
                if label.is_some() && head.get(close) == Some(&b'>') {
                    return label;
                }
                end
            }
            [b'<', b'/', byte, ..] | [b'<', byte, ..] if byte.is_ascii_alphabetic() => {
                let end = |byte: u8| byte != b'>' && !byte.is_ascii_whitespace();
                let mut end = skip(head, at, end);
                while let Some((_, _, next)) = attribute(head, end) {
                    end = next;
                }
                end
            }
            _ => at + 1,
        };
    }
}

/// Returns `true` for a byte that separates attributes.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'/'
}

fn is_meta(rest: &[u8]) -> bool {
    let is_name = rest.get(1..5).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"));
    is_name && rest.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
}

/// Returns the name and the value of the next attribute of a tag, and the index after it.
fn attribute(head: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>, usize)> {
    let start = skip(head, at, is_between);
    let is_name = |byte: u8| !byte.is_ascii_whitespace() && !b"=/>".contains(&byte);
    // A name can start with an equals sign.
    let end = skip(head, start + 1, is_name);
    if head.get(start).is_none_or(|byte| *byte == b'>') || end > head.len() {
        return None;
    }
    let equals = skip_space(head, end);
    let first = skip_space(head, equals + 1);
    let value = match (head.get(equals), head.get(first)) {
        (Some(b'='), Some(&quote @ (b'"' | b'\''))) => {
            first + 1..skip(head, first + 1, |byte| byte != quote)
        }
        (Some(b'='), _) => {
            first..skip(head, first, |byte| !byte.is_ascii_whitespace() && byte != b'>')
        }
        _ => end..end,
    };
    let is_quoted = value.start > first;
    let next = value.end + usize::from(is_quoted && value.end > end);
    Some((start..end, value, next))
}

/// Returns the label in the attributes of a `meta` element, and the index after them.
fn meta_label(head: &[u8], at: usize) -> (Option<Range<usize>>, usize) {
    let (mut charset, mut content, mut has_pragma) = (None, None, false);
    let mut end = at;
    while let Some((name, value, next)) = attribute(head, end) {
        end = next;
        let name = head[name].to_ascii_lowercase();
        let text = head.get(value.clone()).unwrap_or_default();
        match &name[..] {
            b"charset" => charset = charset.or(Some(value)),
            b"content" => content = content.or(content_label(text, value.start)),
            b"http-equiv" => has_pragma |= text.eq_ignore_ascii_case(b"content-type"),
            _ => {}
        }
    }
    (charset.or(content.filter(|_| has_pragma)), end)
}

/// Returns the range of the label in a content type that starts at an index.
fn content_label(text: &[u8], start: usize) -> Option<Range<usize>> {
    let name = b"charset";
    let at = text.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name))?;
    let label = value(text, at + name.len())?;
    Some(start + label.start..start + label.end)
}

/// Returns the label of the content type in the header of a PO file, or in that at the start of a
/// message (RFC 2045, section 5).
fn header_label(head: &[u8]) -> Option<Range<usize>> {
    let first = b"msgid \"\"";
    let is_po = head.starts_with(first) || after(head, 0, b"\nmsgid \"\"").is_some();
    let mut at = 0;
    let mut is_content_type = false;
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        let field = if is_po { line.strip_prefix(b"\"").unwrap_or(line) } else { line };
        let name = b"content-type:";
        let is_continued = !is_po && matches!(line.first(), Some(b' ' | b'\t'));
        if !is_continued {
            let start = field.get(..name.len());
            is_content_type = start.is_some_and(|start| start.eq_ignore_ascii_case(name));
        }
        if let Some(label) = content_label(line, at).filter(|_| is_content_type) {
            return Some(label);
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let colon = skip(line, 0, is_name);
        if !is_po && !is_continued && (colon == 0 || line.get(colon) != Some(&b':')) {
            return None;
        }
        at += line.len();
    }
    None
}

/// Returns the labels in the comments and modelines of the first lines.
fn line_labels(head: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let mut may_declare = true;
    let lines = head.split(|&byte| byte == b'\n').take(MODELINES).enumerate();
    lines.flat_map(move |(number, line)| {
        let at = start;
        start += line.len() + 1;
        let declared = emacs_label(line).or_else(|| comment_label(line)).filter(|_| may_declare);
        // The second line counts if the first is blank or a comment, such as `#!`.
        let is_comment = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        may_declare &= number == 0 && is_comment(line.trim_ascii_start().first());
        let labels = [declared, vim_label(line)].into_iter().flatten();
        labels.map(move |label| at + label.start..at + label.end)
    })
}

/// Returns the range of the label that starts at an index of a line.
fn label_at(line: &[u8], at: usize) -> Option<Range<usize>> {
    let start = skip(line, at, |byte| matches!(byte, b' ' | b'\t'));
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let end = skip(line, start, is_part);
    let suffixes: [&[u8]; 3] = [b"-unix", b"-dos", b"-mac"];
    let label = line.get(start..end)?;
    let suffix =
        suffixes.iter().find(|suffix| label.ends_with(suffix)).map_or(0, |suffix| suffix.len());
    (start < end - suffix).then_some(start..end - suffix)
}

/// Returns the label in the variables of Emacs: `-*- mode: text; coding: utf-8 -*-`.
fn emacs_label(line: &[u8]) -> Option<Range<usize>> {
    let start = after(line, 0, b"-*-")?;
    let end = after(line, start, b"-*-")? - 3;
    let mut at = start;
    line[start..end].split(|&byte| byte == b';').find_map(|variable| {
        let first = at;
        at += variable.len() + 1;
        let colon = variable.iter().position(|&byte| byte == b':')?;
        let name = variable[..colon].trim_ascii();
        let is_coding =
            [&b"coding"[..], b"encoding"].iter().any(|known| name.eq_ignore_ascii_case(known));
        label_at(&line[..end], first + colon + 1).filter(|_| is_coding)
    })
}

/// Returns the label of a comment that has nothing else: `# coding: utf-8` (PEP 263).
fn comment_label(line: &[u8]) -> Option<Range<usize>> {
    let hash = skip_space(line, 0);
    let start = skip_space(line, skip(line, hash, |byte| byte == b'#'));
    let is_rest = |name: &&&[u8]| {
        line.get(start..start + name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
    };
    let names: [&[u8]; 3] = [b"coding", b"encoding", b"fileencoding"];
    let colon = start + names.iter().find(is_rest)?.len();
    let is_declaration =
        line.get(hash) == Some(&b'#') && matches!(line.get(colon), Some(b':' | b'='));
    let label = label_at(line, colon + 1).filter(|_| is_declaration)?;
    line[label.end..].trim_ascii().is_empty().then_some(label)
}

/// Returns the label in a modeline of Vim: `vim: set fileencoding=utf-8 :`.
fn vim_label(line: &[u8]) -> Option<Range<usize>> {
    let starts: [&[u8]; 2] = [b"vim:", b"vi:"];
    let start = starts.iter().find_map(|name| {
        let start = after(line, 0, name)? - name.len();
        let is_word = start > 0 && !line[start - 1].is_ascii_whitespace();
        (!is_word).then_some(start + name.len())
    })?;
    let options: [&[u8]; 2] = [b"fileencoding=", b"fenc="];
    options.iter().find_map(|name| {
        let end = after(line, start, name)?;
        let before = line[end - name.len() - 1];
        let is_option = before == b':' || before.is_ascii_whitespace();
        label_at(line, end).filter(|_| is_option)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        labels(text.as_bytes()).into_iter().map(|label| &text[label.range]).collect()
    }

    #[test]
    fn declarations_are_found() {
        for (text, label) in [
            ("<?xml version=\"1.0\" encoding=\"Latin1\"?>\n<a/>", "Latin1"),
            ("<?xml version='1.0' encoding = 'utf-8' standalone='yes'?>", "utf-8"),
            ("<!DOCTYPE html>\n<HTML lang=en><head><META CHARSET=\"koi8-r\">", "koi8-r"),
            ("<html><meta charset=koi8-r><title>", "koi8-r"),
            (
                "<html><meta name='a'/><meta content='text/html; charset=big5' http-equiv=\"Content-Type\"/>",
                "big5",
            ),
            (
                "<!-- <meta charset=utf-7> --><p title=\"<meta charset=utf-7>\"><meta charset='gbk' />",
                "gbk",
            ),
            ("@charset \"utf-16\";\n", "utf-16"),
            ("# coding: latin-1\n", "latin-1"),
            ("#!/usr/bin/python\n# -*- coding: euc-jp -*-\n", "euc-jp"),
            ("#coding=utf8", "utf8"),
            ("\n  # encoding: Windows-1252 \r\n", "Windows-1252"),
            (";; x.el -*- mode: lisp; coding: utf-8-unix; -*-", "utf-8"),
            ("/* -*- coding: koi8-r -*- */", "koi8-r"),
            ("a\nb\nc\nd\n// vim: set ts=4 fileencoding=cp1251 :\n", "cp1251"),
            ("# vim:fenc=latin1", "latin1"),
            (
                "# Russian\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=KOI8-R\\n\"\n",
                "KOI8-R",
            ),
            ("From: a@b.example\nContent-type: text/plain;\n charset=\"koi8-r\"\n\ntext", "koi8-r"),
        ] {
            assert_eq!(found(text), [label], "{text}");
        }
    }

    #[test]
    fn prose_declares_nothing() {
        for text in [
            "",
            "<",
            "<meta charset",
            "<meta charset=",
            "<meta charset='utf-8",
            "<?xml version=\"1.0\"?><meta charset=latin1>",
            "<p>charset=latin1",
            "Mails have these lines:\nContent-Type: text/plain; charset=latin1\n",
            "msgid \"Content-Type\"\nmsgstr \"\"\n\"text/plain; charset=latin1\"\n",
            "<meta content='text/html; charset=latin1'>",
            "const PAGE: &str = \"<meta charset=latin1>\";",
            "# Encoding: latin1 and others\n",
            "# coding\n",
            "coding: latin1\n",
            "import os\n# coding: latin1\n",
            "#\n#\n# coding: latin1\n",
            "The coding: latin1 -*- is",
            "vim modelines have fileencoding=latin1",
            "@charset 'latin1';",
            "a\n@charset \"latin1\";",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn any_bytes_have_an_answer() {
        let parts = [
            "<meta ",
            "charset",
            "=",
            "'",
            "\"",
            ">",
            "<!--",
            "-->",
            " ",
            "/",
            "<a ",
            "content",
            "\n",
            "#coding:",
            "# coding",
            "#",
            ":",
            "-*-",
            "x",
            "vim:",
            "fenc=",
            "<?xml ",
            "?>",
            "@charset \"",
            ";",
            "-unix",
        ];
        let mut seed = 15_u64;
        for _ in 0..100_000 / crate::TEST_STRIDE {
            let mut text = String::from(if seed.is_multiple_of(2) { "<" } else { "" });
            for _ in 0..seed >> 32 & 15 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                text.push_str(parts[(seed >> 40) as usize % parts.len()]);
            }
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            assert!(
                labels(text.as_bytes()).iter().all(|label| label.range.end <= text.len()),
                "{text}"
            );
        }
    }
}
