//! The levels of lints: `--deny`, `--warn`, `--allow`, `--allow-char`; and `--list-lints`.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};

use super::args::{Offering, is_hex, most_similar};
use super::session::Session;
use super::{Status, help};
use crate::issue::KINDS;
use crate::lint::levels::{
    LINT_SETS, LevelNames, LintMask, RuleLevels, lint_mask, lints_in, rule_names,
};
use crate::lint::{FixAction, LINTS, Level, LintFix, LintRow};
use crate::text::escape::{EscapeStyle, escape};
use crate::text::json::JsonObject;

/// The extensions of files that keep their byte order mark: some programs of Windows read them as
/// UTF-8 only with it.
const KEEP_BOM: [&str; 2] = ["csv", "ps1"];

/// The extensions of files whose records may contain line ends of another kind (RFC 4180).
const KEEP_LINE_ENDS: [&str; 1] = ["csv"];

#[derive(Args, Debug)]
pub(super) struct LintArgs {
    /// Report lints as errors, or a set such as strict
    #[arg(long, value_name = "LINT,...", value_delimiter = ',', value_parser = offering(rule), hide_possible_values = true)]
    deny: Vec<&'static str>,

    /// Report as warnings, which do not change the exit status
    #[arg(long, value_name = "LINT,...", value_delimiter = ',', value_parser = offering(rule), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    warn: Vec<&'static str>,

    /// Do not report; ill-formed names all ill-formed sequences
    #[arg(long, value_name = "LINT,...", value_delimiter = ',', value_parser = offering(rule), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    allow: Vec<&'static str>,

    /// Exclude characters from lints: U+00A0,U+2010..U+2015
    #[arg(long, value_name = "CHAR,...", value_delimiter = ',', value_parser = characters)]
    #[arg(hide_short_help = true)]
    allow_char: Vec<RangeInclusive<u32>>,

    /// Ignore comments in files that turn lints off: utf8:allow(LINT)
    #[arg(long, hide_short_help = true)]
    pub no_inline: bool,

    /// List the lints and sets, or describe those of a name; JSON with --format json
    #[arg(long, value_name = "LINT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "", value_parser = offering(lint_or_all))]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    list_lints: Option<&'static str>,
}

/// Returns `true` if a fix does not change the meaning of a file with this name.
pub(super) fn is_certain(fix: LintFix, name: &OsStr) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default();
    let changes = match fix.action {
        FixAction::RemoveBom => &KEEP_BOM[..],
        FixAction::UnifyLineEnds => &KEEP_LINE_ENDS,
        _ => &[],
    };
    fix.certain && !changes.iter().any(|kept| extension.eq_ignore_ascii_case(kept))
}

/// Returns a parser that offers those names of lints and of their sets that it accepts.
pub(super) fn offering(
    parser: fn(&str) -> Result<&'static str, String>,
) -> impl TypedValueParser<Value = &'static str> {
    let offered = |name| {
        let lint = LINTS.iter().find(|row| row.id == name).map(|row| row.title);
        let set = || LINT_SETS.iter().find(|set| set.name == name).map(|set| set.summary);
        PossibleValue::new(name).help(lint.or_else(set).unwrap_or_default())
    };
    let is_accepted = move |name: &&str| parser(name).is_ok();
    let names = move || rule_names().filter(is_accepted).map(offered).collect();
    Offering { parser, names }
}

/// Parses the name of a rule or a set.
pub(super) fn rule(text: &str) -> Result<&'static str, String> {
    let is_named = |name: &&str| name.eq_ignore_ascii_case(text);
    rule_names().find(is_named).ok_or_else(|| unknown(text, rule_names()))
}

/// Parses the name of a lint or a set, or an empty text for all.
fn lint_or_all(text: &str) -> Result<&'static str, String> {
    match text {
        "" => Ok(""),
        _ => rule(text).and_then(|name| match lint_mask(name) {
            0 => Err("names ill-formed text; see utf8-encodings(7)".to_owned()),
            _ => Ok(name),
        }),
    }
}

fn unknown(text: &str, names: impl Iterator<Item = &'static str>) -> String {
    match most_similar(text, names) {
        Some(name) => format!("no lint has this name; did you mean {name}?"),
        None if KINDS.iter().any(|row| row.id == text) => {
            "is a kind of ill-formed text, which ill-formed stands for".to_owned()
        }
        None => "no lint has this name; --list-lints lists them".to_owned(),
    }
}

/// Parses a character or a range of characters, as code points.
pub(super) fn characters(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    const EXPECTED: &str = "expected a code point or a range: U+00A0 or U+2010..U+2015";
    let code_point = |text: &str| {
        let digits = text.strip_prefix("U+").or(text.strip_prefix("u+")).ok_or(EXPECTED)?;
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex(digits));
        value.filter(|value| *value <= 0x10_FFFF).ok_or(EXPECTED)
    };
    let (start, end) = text.split_once("..").unwrap_or((text, text));
    let range = code_point(start)?..=code_point(end)?;
    if range.is_empty() { Err("the range is empty: its start is above its end") } else { Ok(range) }
}

impl LintArgs {
    /// Returns `true` if lints are named.
    pub fn names_lints(&self) -> bool {
        let mut levels = RuleLevels::default();
        self.names().apply(&mut levels);
        levels.has_lints()
    }

    /// Returns the lints that options report.
    pub fn reported(&self) -> LintMask {
        self.deny.iter().chain(&self.warn).fold(0, |mask, name| mask | lint_mask(name))
    }

    /// Returns the names of the options.
    pub fn names(&self) -> LevelNames {
        LevelNames {
            deny: self.deny.clone(),
            warn: self.warn.clone(),
            allow: self.allow.clone(),
            characters: self.allow_char.clone(),
        }
    }

    /// Prints the list of lints, or the description of one, if it is requested.
    pub fn list(&self, format: &str) -> Option<anyhow::Result<Status>> {
        let name = self.list_lints?;
        let listed = if name.is_empty() { LintMask::MAX } else { lint_mask(name) };
        let rows: Vec<_> = lints_in(listed).collect();
        let write = |out: &mut Vec<u8>| match format {
            "json" => rows.iter().for_each(|row| describe_in_json(out, row)),
            _ if name.is_empty() => list_all(out),
            _ => {
                for (at, row) in rows.iter().enumerate() {
                    out.extend_from_slice(if at == 0 { b"" } else { b"\n" });
                    describe(out, row);
                }
            }
        };
        Some(Session::plain().and_then(|session| {
            session.finish(|session| {
                anyhow::ensure!(
                    matches!(format, "text" | "json"),
                    "--list-lints needs --format text or json, not {format}"
                );
                write(session.out.buffer());
                Ok(())
            })
        }))
    }
}

/// Returns a text with escapes for all but printable ASCII.
fn escaped(text: &str) -> String {
    let mut out = Vec::new();
    escape(&mut out, text.as_bytes(), EscapeStyle::Ascii);
    String::from_utf8_lossy(&out).into_owned()
}

/// Appends a line for each lint and for each set, and where to read more.
fn list_all(out: &mut Vec<u8>) {
    let in_trees = RuleLevels::of_trees();
    let titles = LINTS.iter().map(|row| match in_trees.of(row.lint) {
        Level::Allow => (row.id.to_owned(), row.title),
        _ => (format!("{}*", row.id), row.title),
    });
    let sets = LINT_SETS.iter().map(|set| (set.name, set.summary));
    let (titles, sets) = (help::table(titles), help::table(sets));
    let text = format!(
        "Lints:\n{titles}\nSets:\n{sets}\n\
         * Warning by default in directories (unused-allow: wherever lints are on).\n  \
         All others are off.\n\
         utf8 validate --list-lints=NAME describes one; utf8 help lints has the rules for all.\n"
    );
    out.extend(text.bytes());
}

/// Appends the description of a lint.
fn describe(out: &mut Vec<u8>, row: &LintRow) {
    let LintRow { id, title, explanation, reason, .. } = row;
    let sets = LINT_SETS.iter().filter(|set| (set.has)(row.lint)).map(|set| set.name);
    let sets: Vec<_> = sets.collect();
    let sets = if sets.is_empty() { "none".to_owned() } else { sets.join(", ") };
    let fix = row.fix.map(|fix| format!("{} ({})", command(id, fix), fix.action.description()));
    let fix = fix.as_deref().unwrap_or("none");
    let text = format!(
        "{id}: {title}\n\nReports {explanation}.\n{reason}\n\n\
         Reported:      {}\nNot reported:  {}\nIn the sets:   {sets}\n\
         Fix:           {fix}\n\n\
         --deny {id}    report it as an error\n\
         --warn {id}    report it as a warning\n\
         --allow {id}   do not report it\n",
        escaped(row.faulty),
        escaped(row.good),
    );
    out.extend(text.bytes());
}

/// Returns the command that fixes the findings of a lint.
fn command(id: &str, fix: LintFix) -> String {
    let option = if fix.certain { "" } else { " --unsafe-fixes" };
    format!("utf8 repair -i --fix={id}{option}")
}

/// Appends the description of a lint as an object.
fn describe_in_json(out: &mut Vec<u8>, row: &LintRow) {
    let mut object = JsonObject::new(out, "lint");
    object.plain("id", row.id.as_bytes());
    object.plain("group", row.group.id().as_bytes());
    let sets: Vec<_> =
        LINT_SETS.iter().filter(|set| (set.has)(row.lint)).map(|set| set.name).collect();
    object.strings("sets", &sets);
    object.string("title", row.title.as_bytes());
    object.string("explanation", row.explanation.as_bytes());
    object.string("reason", row.reason.as_bytes());
    if let Some(fix) = row.fix {
        object.string("fix", command(row.id, fix).as_bytes());
    }
    object.string("reported", row.faulty.as_bytes());
    object.string("not_reported", row.good.as_bytes());
    object.end();
}
