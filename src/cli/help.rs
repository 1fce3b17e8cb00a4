//! Prose of the help and of the man pages.

use std::fmt::Write;

use super::args::policies;
use super::changes::MOST;
use super::codecs::GROUPS;
use crate::codec::Group;
use crate::detect::{DAMAGES, FOREIGN, REASONS};
use crate::dump;
use crate::issue::KINDS;
use crate::lint::levels::{LINT_SETS, LintSet};
use crate::lint::{LINTS, LintFix};
use crate::policy::{POLICIES, Policy, PolicyRow, PolicyUse};
use crate::registry::names::OWNERS;
use crate::registry::{CODECS, Encoding};
use crate::repair::{SKIP_REASONS, STAGES};

/// A section of a page.
#[derive(Debug)]
pub struct HelpSection {
    /// Its title.
    pub title: &'static str,
    /// Its lines: paragraphs, separated by empty lines. A line of a table has two blanks after its
    /// first column; a paragraph that is indented by two blanks is verbatim.
    pub body: String,
}

/// The pages on topics, which belong to no command, with the line that `apropos` searches.
pub const TOPICS: [(&str, &str); 5] = [
    (ENCODINGS, "encodings, code pages, BOM, notations and kinds of ill-formed UTF-8 of utf8"),
    (REPORTS, "reports of utf8 validate: JSON, TSV, GitHub, GitLab, SARIF, JUnit, HTML"),
    (LINTS_PAGE, "lints of utf8 validate: invisible and bidirectional characters, BOM, line ends"),
    (CONFIG, "settings of utf8 validate for files: utf8.toml, .editorconfig, .gitattributes"),
    (SCALE, "ranges of large inputs with utf8: merged reports, GNU parallel, xargs, curl"),
];

const ENCODINGS: &str = "encodings";
const REPORTS: &str = "reports";
const LINTS_PAGE: &str = "lints";
const CONFIG: &str = "config";
const SCALE: &str = "scale";

/// The texts of the pages: `## ` starts a section, and `{name}` is one of [`PLACEHOLDERS`].
const PAGES: [(&str, &str); 12] = [
    ("utf8", include_str!("help/utf8.txt")),
    ("validate", include_str!("help/validate.txt")),
    ("decode", CONVERT),
    ("encode", CONVERT),
    ("dump-bits", include_str!("help/dump-bits.txt")),
    ("repair", include_str!("help/repair.txt")),
    ("detect", include_str!("help/detect.txt")),
    (ENCODINGS, include_str!("help/encodings.txt")),
    (REPORTS, include_str!("help/reports.txt")),
    (LINTS_PAGE, include_str!("help/lints.txt")),
    (CONFIG, include_str!("help/config.txt")),
    (SCALE, include_str!("help/scale.txt")),
];

const CONVERT: &str = include_str!("help/convert.txt");

/// Sections of [`TOPICS`] that the help of a command repeats, for systems without man pages.
const REPEATED: [(&str, &str, &str); 17] = [
    ("validate", REPORTS, "JSON and TSV"),
    ("validate", REPORTS, "Lines"),
    ("validate", REPORTS, "Reports as one document"),
    ("validate", ENCODINGS, "Kinds of ill-formed sequences"),
    ("repair", LINTS_PAGE, "Fixes"),
    ("repair", REPORTS, "Changes of repair"),
    ("decode", ENCODINGS, "Byte order marks"),
    ("decode", ENCODINGS, "Notations"),
    ("encode", ENCODINGS, "Byte order marks"),
    ("encode", ENCODINGS, "Notations"),
    ("validate", SCALE, "Ranges"),
    ("validate", SCALE, "Reports of ranges"),
    ("decode", SCALE, "Ranges"),
    ("encode", SCALE, "Ranges"),
    ("dump-bits", SCALE, "Ranges"),
    ("repair", SCALE, "Ranges"),
    ("detect", SCALE, "Ranges"),
];

/// The replacement of a policy that has none.
pub(super) const STOPS: &str = "(stops with an error)";

/// A placeholder of the texts, and the text that replaces it.
type Placeholder = (&'static str, fn() -> String);

#[rustfmt::skip]
const PLACEHOLDERS: [Placeholder; 18] = [
    ("{count}", || CODECS.len().to_string()),
    ("{most}", || MOST.to_string()),
    ("{kinds}", || table(KINDS.iter().map(|row| (row.id, row.explanation)))),
    ("{lints}", || table(LINTS.iter().map(|row| (row.id, row.explanation)))),
    ("{fixes}", || table(LINTS.iter().filter_map(|row| Some((row.id, described(row.fix?)))))),
    ("{sets}", || table(LINT_SETS.iter().map(|set| (set.name, with_members(set))))),
    ("{ill_formed}", || table(policies(PolicyUse::Conversion).filter(|row| row.policy == Some(Policy::Strict) || row.ill_formed.is_some()).map(treatment))),
    ("{treated}", || table(policies(PolicyUse::Repair).map(treatment))),
    ("{unencodable}", || table(POLICIES.iter().filter_map(|row| Some((row.name, row.unencodable?))))),
    ("{repairs}", || table(STAGES.iter().map(|row| (row.name, row.summary)))),
    ("{skipped}", || table(SKIP_REASONS.iter().map(|row| (row.name, row.summary)))),
    ("{reasons}", || table(REASONS.iter().map(|row| (row.id, row.description)))),
    ("{damages}", || table(DAMAGES.iter().map(|row| (row.id, [row.noun, row.detail].concat())))),
    ("{colours}", || table(dump::colors())),
    ("{codecs}", codecs),
    ("{owners}", || names(OWNERS.iter().map(|owner| owner.prefix))),
    ("{foreign}", || names(FOREIGN.iter().copied())),
    ("{anew}", || names(common_codecs().filter(|encoding| encoding.inner.reencodes_all).map(|encoding| encoding.name))),
];

/// Returns the name of a policy and its replacement for ill-formed sequences.
fn treatment(row: &PolicyRow) -> (&'static str, &'static str) {
    (row.name, row.ill_formed.unwrap_or(STOPS))
}

/// Returns the description of a set with its lints.
fn with_members(set: &LintSet) -> String {
    let members = LINTS.iter().filter(|row| (set.has)(row.lint)).map(|row| row.id);
    format!("{}: {}", set.summary, members.collect::<Vec<_>>().join(", "))
}

/// Returns the description of a fix.
fn described(fix: LintFix) -> String {
    let note = if fix.certain { "" } else { " (unsafe)" };
    format!("{}{note}", fix.action.description())
}

/// Returns the sections of a page: of a command, of `utf8` itself or of one of [`TOPICS`].
pub fn sections(page: &str) -> Vec<HelpSection> {
    let text = PAGES.iter().find(|(name, _)| *name == page).map_or("", |(_, text)| text);
    let sections = text.split("## ").filter_map(|section| section.split_once('\n'));
    sections.map(|(title, body)| HelpSection { title, body: expanded(body.trim_end()) }).collect()
}

/// Replaces the placeholders of a text.
fn expanded(text: &str) -> String {
    PLACEHOLDERS.iter().fold(text.to_owned(), |text, (name, value)| match text.contains(name) {
        true => text.replace(name, value().trim_end()),
        false => text,
    })
}

/// Returns the text that `--help` prints after the options.
pub(super) fn epilogue(page: &str) -> String {
    let repeated = REPEATED.iter().filter(|(command, ..)| *command == page);
    let repeated = repeated.flat_map(|(_, topic, title)| {
        sections(topic).into_iter().filter(move |section| section.title == *title)
    });
    plain(sections(page).into_iter().chain(repeated))
}

/// Returns the text of one of [`TOPICS`].
pub(super) fn topic(page: &str) -> String {
    plain(sections(page).into_iter())
}

/// Returns sections as plain text.
fn plain(sections: impl Iterator<Item = HelpSection>) -> String {
    let mut text = String::new();
    for HelpSection { title, body } in sections {
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

/// Returns the last line of `-h`.
pub(super) fn pointer(page: &str) -> String {
    match page {
        "utf8" => "Examples: utf8 --help. Options of a command: utf8 COMMAND -h.".to_owned(),
        _ => format!("All options and examples: utf8 {page} --help"),
    }
}

/// Returns lines of two columns.
pub(super) fn table<N: AsRef<str>, T: AsRef<str>>(
    rows: impl Iterator<Item = (N, T)> + Clone,
) -> String {
    let width = rows.clone().map(|(name, _)| name.as_ref().len()).max().unwrap_or(0) + 2;
    rows.fold(String::new(), |mut text, (name, meaning)| {
        let name = name.as_ref();
        let _ = writeln!(text, "{name:width$}{}", filled(meaning.as_ref(), width));
        text
    })
}

/// Breaks a text into lines that fit after an indent, which the lines after the first have.
fn filled(words: &str, indent: usize) -> String {
    let mut text = String::new();
    let mut column = indent;
    for word in words.split(' ') {
        let width = word.chars().count();
        if column > indent && column + 1 + width > WIDTH {
            let _ = write!(text, "\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text
}

/// The width of the lines of a page, in columns.
const WIDTH: usize = 78;

/// Returns a table of the codecs for each group, for groups of rare pages their number only.
fn codecs() -> String {
    let of = |group| CODECS.iter().filter(move |encoding| encoding.group == group);
    let (rare, common): (Vec<_>, Vec<_>) = GROUPS.iter().partition(|(group, _)| group.is_rare());
    let listed = |(group, title): &(Group, &str)| {
        format!(
            "{title}:\n\n{}\n",
            table(of(*group).map(|encoding| (encoding.name, encoding.summary)))
        )
    };
    let counted = |(group, title): &(Group, &'static str)| (of(*group).count().to_string(), *title);
    format!(
        "{}Others, see utf8 --list-codecs:\n\n{}",
        common.into_iter().map(listed).collect::<String>(),
        table(rare.into_iter().map(counted)),
    )
}

/// Returns the codecs that are not rare.
fn common_codecs() -> impl Iterator<Item = &'static Encoding> {
    CODECS.iter().filter(|encoding| !encoding.group.is_rare())
}

/// Joins names with commas to lines.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    filled(&names.collect::<Vec<_>>().join(", "), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::pages::PAGES as PAGES_OF_BYTES;
    use crate::detect::{Answer, SIGNATURES};
    use crate::kernel::VARIABLE;
    use crate::registry::{Encoding, loose};

    #[test]
    #[cfg_attr(miri, ignore = "searches all pages, in safe code")]
    fn no_placeholder_is_left() {
        for (page, _) in PAGES {
            for HelpSection { title, body } in sections(page) {
                let mut braces = body.match_indices('{').map(|(at, _)| &body[at + 1..]);
                let is_placeholder =
                    |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
                assert!(!braces.any(is_placeholder), "{page}: {title}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches all pages, in safe code")]
    fn lines_fit_a_terminal() {
        for (page, _) in PAGES {
            for HelpSection { title, body } in sections(page) {
                let verbatim = |line: &&str| title == "Examples" || line.starts_with("  ");
                let wide = |line: &&str| line.chars().count() > WIDTH;
                let line = body.lines().filter(|line| !verbatim(line)).find(wide);
                assert_eq!(line, None, "{page}: {title}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches all pages, in safe code")]
    fn every_placeholder_is_used() {
        for (placeholder, _) in PLACEHOLDERS {
            assert!(PAGES.iter().any(|(_, text)| text.contains(placeholder)), "{placeholder}");
        }
    }

    #[test]
    fn every_answer_that_is_no_encoding_is_explained() {
        let answers = sections("detect").remove(0).body;
        for answer in Answer::FIXED {
            let mut lines = answers.lines().map(|line| line.split("  ").next());
            assert!(lines.any(|first| first == Some(answer.name())), "{}", answer.name());
        }
    }

    /// Returns the words of a section, without punctuation.
    fn words(page: &str, title: &str) -> Vec<String> {
        let section = sections(page).into_iter().find(|section| section.title == title).unwrap();
        let words = section
            .body
            .split_whitespace()
            .map(|word| word.trim_matches([',', ';', '.', ':', '(', ')']));
        words.map(str::to_owned).collect()
    }

    #[test]
    fn every_page_that_is_tried_is_named() {
        let words = words("repair", "Mojibake");
        for page in PAGES_OF_BYTES.iter().filter(|page| page.mojibake.is_some()) {
            let number = page.name.strip_prefix("windows-").unwrap_or(page.name);
            assert!(
                words.iter().any(|word| [page.name, number].contains(&&word[..])),
                "{}",
                page.name
            );
        }
    }

    #[test]
    fn every_signature_is_named() {
        let text = loose(&words("detect", "Order of evidence").concat());
        for signature in SIGNATURES {
            assert!(text.contains(&loose(signature.answer)), "{}", signature.answer);
        }
    }

    #[test]
    fn targets_for_lone_surrogates_hold_them() {
        let words = words("decode", "Error policies");
        let start = words.iter().position(|word| word == "surrogates").unwrap();
        let named = words[start + 1..].iter().map_while(|word| Encoding::for_label(word));
        let named: Vec<_> = named.collect();
        assert!(!named.is_empty());
        assert!(named.iter().all(|target| target.properties.surrogates), "{named:?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches all pages, in safe code")]
    fn repeated_sections_exist() {
        for (_, topic, title) in REPEATED {
            assert!(sections(topic).iter().any(|section| section.title == title), "{title}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes for all commands, in safe code")]
    fn the_environment_is_complete() {
        assert!(epilogue("utf8").contains(VARIABLE));
    }
}
