//! Escapes for text from outside, to be shown on a terminal or in a log.
//!
//! The result has no control characters, no bidirectional controls, no line separators, and no
//! commands of CI runners: `##[…]` (GitHub), `##vso[…]` (Azure) and `##teamcity[…]` anywhere in a
//! line, `::…::` (GitHub) at its start.

/// Notation of escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeStyle {
    /// `\u{202E}`; `\xHH` for ASCII and for bytes that are not UTF-8.
    Text,
    /// As `Text`; invisible characters are escaped, too: for names in messages.
    Name,
    /// As `Text`; characters other than ASCII are escaped, too.
    Ascii,
    /// As `Ascii`, without escaping backslashes: for text that has many of them.
    Quote,
    /// The content of a JSON string. Bytes that are not UTF-8 become U+FFFD.
    Json,
}

impl EscapeStyle {
    fn is_ascii(self) -> bool {
        matches!(self, EscapeStyle::Ascii | EscapeStyle::Quote)
    }
}

/// Returns `true` if bytes have `#`, without which there is nothing to [disarm]. The compiler
/// vectorizes a loop without an exit.
#[inline(always)]
pub(crate) fn has_hash(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |any, &byte| any | (byte == b'#'))
}

/// Replaces the second character of `##` and `#[`, which start commands of CI runners, in the part
/// of `out` from `start` on. That part is not at the start of a line.
pub(crate) fn disarm(out: &mut Vec<u8>, start: usize, stand_in: &[u8]) {
    let Some(first) = memchr::memchr(b'#', &out[start..]) else { return };
    let is_command = |pair: &[u8]| matches!(pair, [b'#', b'#' | b'[']);
    if !out[start + first..].windows(2).any(is_command) {
        return;
    }
    let rest = out.split_off(start + first);
    let mut after_hash = false;
    for byte in rest {
        let starts = after_hash && matches!(byte, b'#' | b'[');
        after_hash = byte == b'#' && !starts;
        if starts { out.extend_from_slice(stand_in) } else { out.push(byte) }
    }
}

/// Appends bytes with escapes.
pub(crate) fn escape(out: &mut Vec<u8>, bytes: &[u8], spelling: EscapeStyle) {
    let mut before = None;
    let mut blank = true;
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        loop {
            let plain = rest.bytes().take_while(|&byte| is_plain(byte)).count();
            if plain > 0 {
                let (text, after) = rest.split_at(plain);
                out.extend_from_slice(text.as_bytes());
                blank &= text.bytes().all(|byte| byte == b' ');
                (before, rest) = (None, after);
            }
            let Some(c) = rest.chars().next() else { break };
            rest = &rest[c.len_utf8()..];
            let command = before == Some('#') && matches!(c, '[' | '#')
                || blank && c == ':' && rest.starts_with(':');
            let hidden = spelling == EscapeStyle::Name && is_invisible(c);
            if command || hidden || unsafe_to_show(c) || !c.is_ascii() && spelling.is_ascii() {
                spell(out, c, spelling);
            } else if c == '\\' && spelling != EscapeStyle::Quote
                || c == '"' && spelling == EscapeStyle::Json
            {
                out.extend([b'\\', c as u8]);
            } else {
                out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            blank &= c.is_whitespace();
            before = Some(c).filter(|_| !command);
        }
        match chunk.invalid() {
            [] => {}
            _ if spelling == EscapeStyle::Json => out.extend("\u{FFFD}".as_bytes()),
            invalid => invalid.iter().for_each(|byte| out.extend(format!("\\x{byte:02X}").bytes())),
        }
        before = before.filter(|_| chunk.invalid().is_empty());
        blank &= chunk.invalid().is_empty();
    }
}

/// Returns `true` for printable ASCII that is never escaped and starts no command.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\' | b'#' | b'[' | b':')
}

fn spell(out: &mut Vec<u8>, c: char, spelling: EscapeStyle) {
    match spelling {
        EscapeStyle::Json => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.extend(format!("\\u{unit:04x}").bytes());
            }
        }
        _ if c.is_ascii() => out.extend(format!("\\x{:02X}", u32::from(c)).bytes()),
        _ => out.extend(format!("\\u{{{:04X}}}", u32::from(c)).bytes()),
    }
}

/// Returns `true` if a character could mislead a terminal or a reader: C0, DEL, C1, Bidi_Control
/// and line separators.
pub(crate) fn unsafe_to_show(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns `true` if a character is invisible: Default_Ignorable_Code_Point (DerivedCoreProperties.txt)
/// except joiners and variation selectors, which spell words and emoji.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180E}' | '\u{200B}' | '\u{200E}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}'
        | '\u{E01F0}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use icu_properties::CodePointSetData;
    use icu_properties::props::{DefaultIgnorableCodePoint, JoinControl, VariationSelector};

    use super::*;

    #[test]
    fn invisible_characters_in_names_are_escaped() {
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let (joins, selects) =
            (CodePointSetData::new::<JoinControl>(), CodePointSetData::new::<VariationSelector>());
        for c in ('\0'..=char::MAX).step_by(crate::TEST_STRIDE) {
            let is_hidden = ignorable.contains(c) && !joins.contains(c) && !selects.contains(c);
            assert_eq!(is_invisible(c), is_hidden, "{c:?}");
        }
        let name = "a\u{200B}b\u{AD}c\u{FEFF}\u{200D}";
        let shown = "a\\u{200B}b\\u{00AD}c\\u{FEFF}\u{200D}";
        assert_eq!(escaped(name.as_bytes(), EscapeStyle::Name), shown);
        assert_eq!(escaped(name.as_bytes(), EscapeStyle::Text), name);
    }

    fn escaped(bytes: &[u8], spelling: EscapeStyle) -> String {
        let mut out = Vec::new();
        escape(&mut out, bytes, spelling);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn harmless_names_are_unchanged() {
        for name in ["a b.txt", "Grüße/日本.txt", "Foo::Bar.pm", "a#b", "[x]"] {
            assert_eq!(escaped(name.as_bytes(), EscapeStyle::Text), name);
        }
    }

    #[test]
    fn harmful_characters_are_escaped() {
        for (name, text, json) in [
            ("a\x1B[31m\n", "a\\x1B[31m\\x0A", "a\\u001b[31m\\u000a"),
            ("\u{9B}\u{7F}", "\\u{009B}\\x7F", "\\u009b\\u007f"),
            ("a\u{202E}b\u{2028}", "a\\u{202E}b\\u{2028}", "a\\u202eb\\u2028"),
            ("##[error]", "#\\x23[error]", "#\\u0023[error]"),
            ("##vso[x]", "#\\x23vso[x]", "#\\u0023vso[x]"),
            (" ::error::", " \\x3A:error::", " \\u003a:error::"),
            ("a\\b\"", "a\\\\b\"", "a\\\\b\\\""),
        ] {
            assert_eq!(escaped(name.as_bytes(), EscapeStyle::Text), text);
            assert_eq!(escaped(name.as_bytes(), EscapeStyle::Json), json);
        }
        assert_eq!(escaped(b"a\xFFb", EscapeStyle::Text), "a\\xFFb");
        assert_eq!(escaped(b"a\xFFb", EscapeStyle::Json), "a\u{FFFD}b");
        assert_eq!(escaped(br"\u20", EscapeStyle::Quote), r"\u20");
        assert_eq!(escaped("é\u{1F600}".as_bytes(), EscapeStyle::Ascii), "\\u{00E9}\\u{1F600}");
    }

    #[test]
    fn no_char_of_bidi_control_comes_out() {
        // PropList.txt, Bidi_Control: twelve characters.
        let bidi = "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}";
        assert_eq!(bidi.chars().filter(|&c| unsafe_to_show(c)).count(), 12);
    }
}
