//! What does the help say behind the options? The man pages say the same.

use std::fmt::Write;

mod convert;
mod detect;
mod dump;
mod repair;
mod validate;

/// A section of the help of a command, and of its man page.
#[derive(Debug)]
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Its lines.
    pub body: String,
}

/// The sections behind the options of a command: of `utf8` itself, or of one of its commands.
pub fn sections(command: &str) -> Vec<Section> {
    match command {
        "validate" => validate::sections(),
        "decode" | "encode" => convert::sections(),
        "dump-bits" => dump::sections(),
        "repair" => repair::sections(),
        "detect" => detect::sections(),
        _ => vec![
            section("Exit status", STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", EXAMPLES),
        ],
    }
}

fn section(title: &'static str, body: &str) -> Section {
    Section { title, body: body.to_owned() }
}

/// The sections as the help has them.
pub(super) fn epilogue(command: &str) -> String {
    let mut text = String::new();
    for Section { title, body } in sections(command) {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{title}:");
        for line in body.lines() {
            let _ = writeln!(text, "{}{line}", if line.is_empty() { "" } else { "  " });
        }
    }
    text
}

/// Lines of two columns.
fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.fold(String::new(), |mut text, (name, what)| {
        let _ = writeln!(text, "{name:width$}  {what}");
        text
    })
}

const CONVERTED_RANGES: &str = "\
With --skip and --length, what starts in the range is converted, and all of it:
a range never cuts a sequence, and ranges that tile a file give, together, what
the whole file gives. A codec that does not synchronise itself, such as utf-16,
gbk or a notation, is read from the range's first byte on instead, whatever that
byte is part of. Each input has its own range. With --hex, offsets are those of
the bytes that are spelt.";

const CODECS: &str = "\
utf-8 and its relatives (cesu-8, mutf-8, wtf-8, rfc2279, utf8mb3 ...), utf-16,
utf-32, ucs-2 and ucs-4 in both orders, utf-1, utf-7, the ISO-8859, Windows,
DOS, Mac, KOI8 and EBCDIC pages that are most in use, the sets of East Asia, and
notations such as json: utf8 --list-codecs has them all, with their other names,
what can be relied on in each, and a line on it.

ASCII case, -, _ and blanks in a codec's name do not matter. \"utf8\" is RFC
3629; the utf8 of MySQL is mysql-utf8 and that of Oracle is oracle-utf8.";

const STATUS: &str = "\
0  done, or: yes
1  no: something is ill-formed
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1";

const ENVIRONMENT: &str = "\
NO_COLOR                no colours, unless --color always
CLICOLOR_FORCE          colours even where standard output is no terminal
LC_ALL, LC_CTYPE, LANG  reports keep to ASCII unless the first that is set says
                        UTF-8
UTF8_KERNEL             the kernel to use; utf8 --version names it and the others";

const EXAMPLES: &str = "\
utf8 validate notes.txt           is it UTF-8, and where is it not?
utf8 validate -xe 'E2 82 AC C0'   the same of some bytes
utf8 decode -e 'naïve'            which code points are these?
utf8 encode -e 'U+20AC' | xxd     and which bytes these?
utf8 encode -t utf-16le a.txt     the same text in another codec
utf8 dump-bits -e 'naïve €'       what is in each of their bytes?
utf8 repair notes.txt             the same text, well formed
utf8 detect notes.txt             which encoding is it in?
utf8 --list-codecs                which codecs are there?";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::VARIABLE;

    #[test]
    fn the_environment_is_complete() {
        assert!(ENVIRONMENT.contains(VARIABLE));
    }
}
