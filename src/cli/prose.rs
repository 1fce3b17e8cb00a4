//! Lists, file names and probabilities for people.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::safe;

/// Quotes the name of a file as a word of the shell, which is printed as it is. `printf` spells a name
/// with bytes that messages would escape.
pub(super) fn quoted(name: &OsStr) -> String {
    let bytes = name.as_bytes();
    let dash = if bytes.starts_with(b"-") { "./" } else { "" };
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '+' | ',' | '@' | ':' | '=')
    };
    let is_shown = |text: &str| safe(text) == text;
    match name.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) && is_shown(text) => {
            format!("{dash}{text}")
        }
        Some(text) if is_shown(&text.replace('\\', "")) => {
            format!("'{dash}{}'", text.replace('\'', r"'\''"))
        }
        // A command substitution loses line feeds at the end. POSIX has these quotes since 2024.
        _ if bytes.ends_with(b"\n") => format!("$'{dash}{}'", octal_escapes(bytes)),
        _ => format!("\"$(printf '{dash}{}')\"", octal_escapes(bytes)),
    }
}

/// Escapes bytes for `printf` and `$'…'`, except a few that are plain.
fn octal_escapes(bytes: &[u8]) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'_' | b' ');
    let escaped = |&byte: &u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("\\{byte:03o}"),
    };
    bytes.iter().map(escaped).collect()
}

/// Lists alternatives: `a, b or c`.
pub(super) fn any_of(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => last.to_string(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Returns a probability in percent, rounded down: 100 % is certainty.
pub(super) fn percent(probability: f64) -> String {
    match probability {
        1.0 => "100 %".to_owned(),
        p if p < 0.01 => "less than 1 %".to_owned(),
        p if p > 0.99 => "over 99 %".to_owned(),
        // 0.29 * 100.0 is a little less than 29.
        p => format!("{:.0} %", (p * 1000.0).round().div_euclid(10.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_as_people_read_them() {
        assert_eq!(any_of(&["a"]), "a");
        assert_eq!(any_of(&["a", "b", "c"]), "a, b or c");
    }

    #[test]
    fn probabilities_as_people_read_them() {
        let said = [
            (0.0, "less than 1 %"),
            (0.29, "29 %"),
            (0.799, "79 %"),
            (0.9999, "over 99 %"),
            (1.0, "100 %"),
        ];
        for (probability, expected) in said {
            assert_eq!(percent(probability), expected);
        }
    }
}
