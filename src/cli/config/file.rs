//! utf8.toml files.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings::{BomRule, Origin, SettingsLayer};
use super::{ConfigError, NAMES, read_in};
use crate::cli::args::most_similar;
use crate::cli::lints::{characters, rule};
use crate::cli::paths::{is_empty_pattern, too_large};
use crate::lint::{Level, LineEnding};
use crate::os::directory::Directory;
use crate::registry::Encoding;
use crate::text::number::grouped;

/// The tables of a file.
const TABLES: &[&str] = &["validate", "override"];

/// The settings of a table.
const SETTINGS: &[&str] = &[
    "deny",
    "warn",
    "allow",
    "allow-char",
    "encoding",
    "line-ending",
    "bom",
    "final-newline",
    "reason",
];

/// The setting of `[validate]` alone, and that of an override.
const EXCLUDE: &str = "exclude";
const PATHS: &str = "paths";

/// A utf8.toml file.
#[derive(Debug)]
pub(super) struct ConfigFile {
    /// The path for messages.
    path: Arc<Path>,
    /// The directory that patterns are relative to.
    root: PathBuf,
    general: Arc<SettingsLayer>,
    exclude: Patterns,
    overrides: Vec<OverrideGroup>,
    /// True if a table turns lints on or off.
    pub sets_lints: bool,
}

/// The patterns of an override, and its settings.
type SettingsOverride = (Patterns, Arc<SettingsLayer>);

/// The most overrides of a file: each takes some 20 KB.
const MOST_OVERRIDES: usize = 1000;

/// The number of overrides that are left out at once where none matches.
const GROUP: usize = 64;

/// Overrides that follow each other.
#[derive(Debug)]
struct OverrideGroup {
    /// The patterns of all, without the sign of those that exclude.
    any: Option<Gitignore>,
    overrides: Vec<SettingsOverride>,
}

/// Patterns as in .gitignore, and the lines that they stand in.
#[derive(Debug)]
struct Patterns {
    patterns: Gitignore,
    lines: Vec<(String, usize)>,
}

type Entry<'a> = (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

impl ConfigFile {
    /// Reads the file of an open directory, if it has one.
    ///
    /// # Errors
    /// It cannot be read; it is malformed; there are two.
    pub fn of_directory(
        directory: &Path,
        open: &Directory,
    ) -> Result<Option<ConfigFile>, ConfigError> {
        let mut found: Option<ConfigFile> = None;
        for name in NAMES {
            let Some((path, text)) = read_in(directory, open, name)? else { continue };
            if found.is_some() {
                let message =
                    format!("there is {} beside it: remove one", NAMES[0].to_string_lossy());
                return Err(ConfigError::new(&path, message));
            }
            found = Some(ConfigFile::parse(&path, directory.to_owned(), &text)?);
        }
        Ok(found)
    }

    /// Parses a file whose patterns are relative to `root`.
    ///
    /// # Errors
    /// It is malformed: the first error.
    pub fn parse(path: &Path, root: PathBuf, text: &str) -> Result<ConfigFile, ConfigError> {
        let line_ends = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let reader = TomlReader { path: Arc::from(path), text, line_ends, wildcards: Cell::new(0) };
        let document = DeTable::parse(text).map_err(|error| {
            reader.error(error.span().unwrap_or_default(), error.message().to_owned())
        })?;
        let mut file = ConfigFile {
            path: Arc::clone(&reader.path),
            root,
            general: Arc::default(),
            exclude: Patterns::none(),
            overrides: Vec::new(),
            sets_lints: false,
        };
        let mut overrides: Vec<SettingsOverride> = Vec::new();
        for (key, value) in entries(document.get_ref()) {
            match key.get_ref().as_ref() {
                "validate" => {
                    let table = reader.table(value)?;
                    (file.general, file.exclude) = reader.settings(table, EXCLUDE)?;
                }
                "override" => {
                    for value in reader.list(value, "tables: [[override]]")? {
                        let table = reader.table(value)?;
                        let (layer, paths) = reader.settings(table, PATHS)?;
                        if paths.patterns.is_empty() {
                            let message = "an override needs paths = [\"...\"]";
                            return Err(reader.error(value.span(), message));
                        }
                        if overrides.len() == MOST_OVERRIDES {
                            let message = format!("more than {MOST_OVERRIDES} overrides");
                            return Err(reader.error(value.span(), message));
                        }
                        overrides.push((paths, layer));
                    }
                }
                name => return Err(reader.unknown(key, name, TABLES.iter().copied())),
            }
        }
        file.sets_lints =
            file.general.sets_lints() || overrides.iter().any(|(_, layer)| layer.sets_lints());
        file.overrides = OverrideGroup::all(overrides);
        Ok(file)
    }

    /// Returns the settings for a file by its absolute path, the weakest first.
    pub fn layers(&self, path: &Path) -> Vec<Arc<SettingsLayer>> {
        let mut layers = vec![Arc::clone(&self.general)];
        if let Some(path) = self.relative(path) {
            let overrides = self.overrides.iter().flat_map(|group| group.layers(&path));
            layers.extend(overrides.map(Arc::clone));
        }
        layers
    }

    /// Returns the place of the pattern that excludes an entry, if one does.
    pub fn exclusion(&self, path: &Path, is_dir: bool) -> Option<Origin> {
        let line = self.exclude.find(&self.relative(path)?, is_dir, false)?;
        Some(Origin { path: Arc::clone(&self.path), line })
    }

    /// Returns a path from the directory that patterns are relative to, if it is below.
    fn relative(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.root).ok().map(Path::to_owned)
    }
}

impl OverrideGroup {
    /// Returns the groups of overrides.
    fn all(mut overrides: Vec<SettingsOverride>) -> Vec<OverrideGroup> {
        let mut groups = Vec::new();
        while !overrides.is_empty() {
            let rest = overrides.split_off(overrides.len().min(GROUP));
            let lines = overrides.iter().flat_map(|(patterns, _)| &patterns.lines);
            let any = union(lines.map(|(pattern, _)| pattern.as_str()));
            groups.push(OverrideGroup { any, overrides: std::mem::replace(&mut overrides, rest) });
        }
        groups
    }

    /// Returns the settings for a file, by its path from the directory that patterns are relative
    /// to.
    fn layers(&self, path: &Path) -> impl Iterator<Item = &Arc<SettingsLayer>> {
        let is_none = |any: &Gitignore| any.matched_path_or_any_parents(path, false).is_none();
        let overrides = match self.any.as_ref().is_some_and(is_none) {
            true => &[][..],
            false => &self.overrides,
        };
        let matching =
            overrides.iter().filter(|(patterns, _)| patterns.find(path, false, true).is_some());
        matching.map(|(_, layer)| layer)
    }
}

/// Returns a matcher of all that one of several patterns matches, whether it excludes or includes;
/// `None` if they are too many.
fn union<'a>(patterns: impl Iterator<Item = &'a str>) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        // The text after the sign has none of its own.
        let positive = match pattern.strip_prefix('!') {
            Some(text) if text.starts_with(['!', '#']) => &format!("\\{text}"),
            Some(text) => text,
            None => pattern,
        };
        builder.add_line(None, positive).ok()?;
    }
    builder.build().ok()
}

impl Patterns {
    fn none() -> Patterns {
        Patterns { patterns: Gitignore::empty(), lines: Vec::new() }
    }

    /// Returns the line of the pattern that matches an entry, or with `around` a directory around
    /// it.
    fn find(&self, path: &Path, is_dir: bool, around: bool) -> Option<usize> {
        if self.lines.is_empty() {
            return None;
        }
        let found = match around {
            true => self.patterns.matched_path_or_any_parents(path, is_dir),
            false => self.patterns.matched(path, is_dir),
        };
        let pattern =
            found.is_ignore().then_some(found.inner()).flatten().map(|glob| glob.original())?;
        let line = self.lines.iter().rev().find(|(text, _)| text == pattern);
        line.map(|(_, line)| *line)
    }
}

/// Returns `true` if a pattern ends in blanks, unless it is one space after a backslash.
fn ends_in_blank(pattern: &str) -> bool {
    let text = pattern.trim_end();
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    let is_escaped = &pattern[text.len()..] == " " && backslashes % 2 == 1;
    text.len() < pattern.len() && !is_escaped
}

/// Returns the entries of a table in the order of the file.
fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The maximum number of wildcards in the patterns of a file. Several times as many take seconds to match
/// one long path: the automaton that is fast does not fit in its cache any more.
const MOST_WILDCARDS: usize = 10_000;

/// A reader of the tables of a file.
struct TomlReader<'a> {
    path: Arc<Path>,
    text: &'a str,
    line_ends: Vec<usize>,
    /// The number of wildcards in the patterns so far.
    wildcards: Cell<usize>,
}

impl TomlReader<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>) -> ConfigError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        ConfigError::at(&self.path, (self.line(&span), column), message)
    }

    /// Returns the number of the line of a span, from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        self.line_ends.partition_point(|line_end| *line_end < span.start) + 1
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        Origin { path: Arc::clone(&self.path), line: self.line(span) }
    }

    fn unknown<T>(
        &self,
        key: &Spanned<T>,
        name: &str,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> ConfigError {
        let advice = match most_similar(name, names.clone()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
        };
        self.error(key.span(), format!("unknown key '{name}'; {advice}"))
    }

    fn table<'a>(&self, value: &'a Spanned<DeValue<'a>>) -> Result<&'a DeTable<'a>, ConfigError> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.expected(value, "a table"))
    }

    fn expected(&self, value: &Spanned<DeValue<'_>>, expected: &str) -> ConfigError {
        let found = value.get_ref().type_str();
        self.error(value.span(), format!("expected {expected}, found {found}"))
    }

    fn list<'a>(
        &self,
        value: &'a Spanned<DeValue<'a>>,
        expected: &str,
    ) -> Result<impl Iterator<Item = &'a Spanned<DeValue<'a>>>, ConfigError> {
        let list = value.get_ref().as_array();
        list.map(|list| list.iter()).ok_or_else(|| self.expected(value, expected))
    }

    /// Reads a list of texts, each by a parser.
    fn texts<T, E: std::fmt::Display>(
        &self,
        value: &Spanned<DeValue<'_>>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Vec<T>, ConfigError> {
        let list = self.list(value, "a list: [\"...\"]")?;
        list.map(|value| self.text(value, &parse)).collect()
    }

    /// Reads a text by a parser.
    fn text<T, E: std::fmt::Display>(
        &self,
        value: &Spanned<DeValue<'_>>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, ConfigError> {
        let text = value.get_ref().as_str().ok_or_else(|| self.expected(value, "a string"))?;
        parse(text).map_err(|error| self.error(value.span(), format!("'{text}': {error}")))
    }

    /// Reads the patterns of a list.
    fn patterns(&self, value: &Spanned<DeValue<'_>>) -> Result<Patterns, ConfigError> {
        // Paths are matched without the directory that they are relative to.
        let mut builder = GitignoreBuilder::new("");
        let mut lines = Vec::new();
        for value in self.list(value, "a list: [\"...\"]")? {
            let pattern = self.text(value, |pattern| match pattern.strip_prefix("./") {
                Some(_) => Err("patterns are relative, as in .gitignore: leave out ./"),
                None if is_empty_pattern(pattern) => Err("the pattern is empty"),
                None if pattern.starts_with('#') => {
                    Err("this is a comment in .gitignore: write \\#")
                }
                None if ends_in_blank(pattern) => {
                    Err("the blanks at the end do not count, as in .gitignore: leave them out")
                }
                None => Ok(pattern.to_owned()),
            })?;
            let wildcards = pattern.matches(['*', '?', '[', '{', ',']).count();
            self.wildcards.set(self.wildcards.get() + wildcards);
            if self.wildcards.get() > MOST_WILDCARDS {
                let most = grouped(MOST_WILDCARDS as u64);
                let message =
                    format!("the patterns up to here have more than {most} of * ? [ {{ ,");
                return Err(self.error(value.span(), message));
            }
            builder
                .add_line(None, &pattern)
                .map_err(|error| self.error(value.span(), error.to_string()))?;
            lines.push((pattern, self.line(&value.span())));
        }
        let patterns = builder.build();
        let patterns = patterns.map_err(|_| {
            let pattern = lines.iter().map(|(pattern, _)| pattern).max_by_key(|text| text.len());
            self.error(value.span(), too_large(pattern.map_or("", String::as_str)))
        })?;
        Ok(Patterns { patterns, lines })
    }

    /// Reads a table of settings. `selects` is the key of its patterns.
    fn settings(
        &self,
        table: &DeTable<'_>,
        selects: &'static str,
    ) -> Result<(Arc<SettingsLayer>, Patterns), ConfigError> {
        let mut layer = SettingsLayer::default();
        let mut patterns = Patterns::none();
        for (key, value) in entries(table) {
            let origin = self.origin(&key.span());
            let mut leveled = |level| layer.level_origins.push((level, origin.clone()));
            match key.get_ref().as_ref() {
                "deny" => {
                    layer.levels.deny = self.texts(value, rule)?;
                    leveled(Level::Deny);
                }
                "warn" => {
                    layer.levels.warn = self.texts(value, rule)?;
                    leveled(Level::Warn);
                }
                "allow" => {
                    layer.levels.allow = self.texts(value, rule)?;
                    leveled(Level::Allow);
                }
                "allow-char" => {
                    layer.levels.characters = self.texts(value, characters)?;
                    layer.character_origin = Some(origin);
                }
                "encoding" => layer.encoding = Some((self.text(value, encoding)?, origin)),
                "line-ending" => layer.line_ending = Some((self.text(value, line_ending)?, origin)),
                "bom" => layer.bom = Some((self.text(value, bom)?, origin)),
                "final-newline" => {
                    let is_required = value.get_ref().as_bool();
                    let expected = || self.expected(value, "true or false");
                    layer.final_newline = Some((is_required.ok_or_else(expected)?, origin));
                }
                // For readers of the file.
                "reason" => self.text(value, |_| Ok::<_, &str>(()))?,
                name if name == selects => patterns = self.patterns(value)?,
                name => {
                    return Err(self.unknown(key, name, SETTINGS.iter().copied().chain([selects])));
                }
            }
        }
        Ok((Arc::new(layer), patterns))
    }
}

fn encoding(label: &str) -> Result<&'static Encoding, &'static str> {
    Encoding::for_label(label).ok_or("unknown encoding (utf8 --list-codecs lists them)")
}

fn line_ending(text: &str) -> Result<Option<LineEnding>, &'static str> {
    match text {
        "lf" => Ok(Some(LineEnding::Lf)),
        "crlf" => Ok(Some(LineEnding::CrLf)),
        "any" => Ok(None),
        _ => Err("expected lf, crlf or any"),
    }
}

fn bom(text: &str) -> Result<Option<BomRule>, &'static str> {
    match text {
        "forbid" => Ok(Some(BomRule::Forbid)),
        "require" => Ok(Some(BomRule::Require)),
        "any" => Ok(None),
        _ => Err("expected forbid, require or any"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "compiles hundreds of patterns, in safe code")]
    fn groups_have_the_same_overrides_as_each_pattern_alone() {
        let names =
            ["a", "b", "c.md", "*", "**", "!a", "!!a", "!#a", "\\\\!a", "*.md", "[ab]", "x/"];
        let pairs = names.iter().flat_map(|first| {
            names.iter().map(move |second| format!("{first}/{second}").replace("//", "/"))
        });
        let patterns: Vec<_> = names.iter().map(ToString::to_string).chain(pairs).collect();
        // Lists of one to three patterns; the second one of some takes files out again.
        let lists = (0..500).map(|at| {
            let of = |step: usize| format!("\"{}\"", patterns[(at * step) % patterns.len()]);
            let list: Vec<_> = [1, 7, 11].map(of).into_iter().take(1 + at % 3).collect();
            format!("[[override]]\npaths = [{}]\nbom = \"any\"\n", list.join(", "))
        });
        let text: String = lists.collect();
        let file = ConfigFile::parse(Path::new("f"), PathBuf::from("/"), &text).unwrap();
        assert!(file.overrides.len() > 1 && file.overrides.iter().all(|group| group.any.is_some()));
        let all = || file.overrides.iter().flat_map(|group| &group.overrides);
        let names = ["a", "b", "c.md", "!a", "#a", "x", "d"];
        let paths = names.iter().flat_map(|first| names.map(|second| format!("{first}/{second}")));
        for path in paths.chain(names.map(str::to_owned)) {
            let found = file.layers(&Path::new("/").join(&path));
            let expected = all()
                .filter(|(patterns, _)| patterns.find(Path::new(&path), false, true).is_some());
            let expected = expected.map(|(_, layer)| Arc::as_ptr(layer));
            assert!(found.iter().skip(1).map(Arc::as_ptr).eq(expected), "{path}");
        }
    }
}
