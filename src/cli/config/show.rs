//! The settings of a file and their places, for `--show-config`.

use std::path::Path;

use super::Configuration;
use super::settings::{BomRule, FileSettings};
use crate::cli::safe;
use crate::cli::tree::{FileAttribute, FileAttributes};
use crate::issue::Kind;
use crate::lint::levels::{ILL_FORMED, LevelNames, RuleLevels};
use crate::lint::{LINTS, Level, LineEnding};

/// A line: a setting, its value as in TOML and its place.
struct ShownSetting {
    name: &'static str,
    value: String,
    place: String,
}

/// The name of the default settings.
const DEFAULT: &str = "default";

impl Configuration {
    /// Returns the settings of a file in a directory, in lines. `named` are the levels that the
    /// command line names.
    ///
    /// # Errors
    /// The path is that of a directory; a configuration has an error; attributes cannot be read, or
    /// name an unknown encoding.
    pub fn describe(&self, path: &Path, named: &LevelNames) -> anyhow::Result<String> {
        if path.is_dir() {
            let path = safe(path);
            anyhow::bail!(
                "--show-config {path}: is a directory (name a file, which may be missing)"
            );
        }
        let mut settings = self.settings(path).map_err(anyhow::Error::msg)?;
        let FileAttributes { content, content_origin, line_ending, .. } = FileAttributes::of(path)?;
        if let Some((end, origin)) = line_ending {
            settings.add_line_ending(end, origin);
        }
        let is_binary = matches!(content, FileAttribute::Binary);
        match (content, &content_origin) {
            (FileAttribute::Encoding(codec), Some(origin)) => {
                settings.add_encoding(codec, origin.clone());
            }
            (FileAttribute::Unknown(message), _) => anyhow::bail!(message),
            _ => {}
        }
        let settings = &settings;
        let mut lines = single_settings(settings);
        let excluded = self.exclusion(path, false);
        let binary = content_origin.filter(|_| is_binary);
        for (name, origin) in [("excluded", excluded), ("binary", binary)] {
            let place = origin.map(|origin| origin.to_string());
            let value = "true".to_owned();
            lines.extend(place.map(|place| ShownSetting { name, value, place }));
        }
        lines.extend(allowed_characters(settings));
        let levels = levels(settings, named);
        let width = |line: &ShownSetting| line.name.len() + line.value.len();
        let width = lines.iter().chain(&levels).map(width).max().unwrap_or(0);
        let mut text = format!("# {}\n", safe(path));
        let line = |ShownSetting { name, value, place }: &ShownSetting| {
            let blanks = " ".repeat(width - name.len() - value.len());
            format!("{name} = {value}{blanks}  # {place}\n")
        };
        text.extend(lines.iter().map(line));
        text += "\n# levels\n";
        text.extend(levels.iter().map(line));
        Ok(text)
    }
}

/// Returns the characters that no lint reports, of each place that names some.
fn allowed_characters(settings: &FileSettings) -> impl Iterator<Item = ShownSetting> {
    settings.layers.iter().filter_map(|layer| {
        let ranges =
            layer.levels.characters.iter().map(|range| match range.start() == range.end() {
                true => format!("\"U+{:04X}\"", range.start()),
                false => format!("\"U+{:04X}..U+{:04X}\"", range.start(), range.end()),
            });
        let value = format!("[{}]", ranges.collect::<Vec<_>>().join(", "));
        let place = layer.character_origin.as_ref()?.to_string();
        Some(ShownSetting { name: "allow-char", value, place })
    })
}

/// Returns the encoding and the other settings, as far as they are set, that are no levels.
fn single_settings(settings: &FileSettings) -> Vec<ShownSetting> {
    let line = |name, value: String, place: String| ShownSetting { name, value, place };
    let encoding = settings.strongest(|layer| &layer.encoding);
    let name = encoding.map_or("utf-8", |(encoding, _)| encoding.name);
    let place = encoding.map_or(DEFAULT.to_owned(), |(_, origin)| origin.to_string());
    let mut lines = vec![line("encoding", format!("\"{name}\""), place)];
    // `any` and `false` lift lints: they are no defaults.
    if let Some((end, origin)) = settings.strongest(|layer| &layer.line_ending) {
        let name = match end {
            Some(LineEnding::Lf) => "\"lf\"",
            Some(LineEnding::CrLf) => "\"crlf\"",
            None => "\"any\"",
        };
        lines.push(line("line-ending", name.to_owned(), origin.to_string()));
    }
    if let Some((rule, origin)) = settings.strongest(|layer| &layer.bom) {
        let name = match rule {
            Some(BomRule::Forbid) => "\"forbid\"",
            Some(BomRule::Require) => "\"require\"",
            None => "\"any\"",
        };
        lines.push(line("bom", name.to_owned(), origin.to_string()));
    }
    if let Some((is_required, origin)) = settings.strongest(|layer| &layer.final_newline) {
        lines.push(line("final-newline", is_required.to_string(), origin.to_string()));
    }
    lines
}

/// Returns the levels of rules that are reported, and of those that were set otherwise.
fn levels(settings: &FileSettings, named: &LevelNames) -> Vec<ShownSetting> {
    let mut rules: Vec<_> = [ILL_FORMED, Kind::NotUtf8.id()]
        .into_iter()
        .chain(LINTS.iter().map(|row| row.id))
        .map(|name| (name, Level::Allow, String::new()))
        .collect();
    let mut levels = RuleLevels::default();
    let mut update = |levels: &RuleLevels, place: &dyn Fn(Level) -> String| {
        for (name, level, origin) in &mut rules {
            let new = levels.level(name);
            if new != *level {
                (*level, *origin) = (new, place(new));
            }
        }
    };
    update(&levels, &|_| DEFAULT.to_owned());
    levels = RuleLevels::of_trees();
    update(&levels, &|_| "default in directories".to_owned());
    settings.apply_each(&mut levels, |levels, origin| {
        update(levels, &|level| origin(level).map_or(String::new(), |at| at.to_string()));
    });
    named.apply(&mut levels);
    update(&levels, &|level| format!("--{}", name_of(level)));
    let shown =
        rules.into_iter().filter(|(_, level, place)| *level != Level::Allow || !place.is_empty());
    let line = |(name, level, place)| {
        let value = format!("\"{}\"", name_of(level));
        ShownSetting { name, value, place }
    };
    shown.map(line).collect()
}

/// Returns the name of a level, as in utf8.toml and in options.
fn name_of(level: Level) -> &'static str {
    match level {
        Level::Allow => "allow",
        Level::Warn => "warn",
        Level::Deny => "deny",
    }
}
