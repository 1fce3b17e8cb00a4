//! .editorconfig files; see <https://spec.editorconfig.org>.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ec4rs::rawvalue::RawValue;
use ec4rs::{ConfigParser, ParseError, Properties, PropertiesSource, Section};

use super::settings::{BomRule, Origin, SettingsLayer};
use super::{ConfigError, read_in};
use crate::lint::LineEnding;
use crate::os::directory::Directory;
use crate::registry::Encoding;
use crate::text::number::grouped;

const NAME: &CStr = c".editorconfig";

/// The maximum length of the name of a section, in bytes, as the specification has it.
const LONGEST_NAME: usize = 1024;

/// The maximum number of alternatives that the name of a section may have. The library tries them
/// all.
const MOST_ALTERNATIVES: usize = 1024;

/// The maximum number of alternatives that the names of all sections of a file may have.
const MOST_IN_FILE: usize = 8 << 10;

/// The maximum number of `*` and `?` in the names of all sections of a file. The library tries all
/// sections for each file that is checked: ten times as many take a tenth of a second for a long name.
const MOST_WILDCARDS: usize = 1000;

/// The keys that are settings.
const KEYS: [&str; 3] = ["charset", "end_of_line", "insert_final_newline"];

/// The maximum depth of braces in the name of a section. The library recurses.
const DEEPEST: usize = 16;

/// An .editorconfig file.
#[derive(Debug)]
pub(super) struct EditorConfig {
    directory: PathBuf,
    sections: Sections,
    /// True if files in outer directories do not hold.
    pub is_root: bool,
    /// True if a section turns lints on or off.
    pub sets_lints: bool,
}

/// The sections of a file, in their order.
struct Sections(Vec<Section>);

impl std::fmt::Debug for Sections {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} sections", self.0.len())
    }
}

impl EditorConfig {
    /// Reads the file of an open directory, if it has one.
    ///
    /// # Errors
    /// It cannot be read; a line is malformed; a section is too complex.
    pub fn of_directory(
        directory: &Path,
        open: &Directory,
    ) -> Result<Option<EditorConfig>, ConfigError> {
        let Some((path, text)) = read_in(directory, open, NAME)? else { return Ok(None) };
        EditorConfig::parse(&path, directory, &text).map(Some)
    }

    fn parse(path: &Path, directory: &Path, text: &str) -> Result<EditorConfig, ConfigError> {
        let names =
            (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| line.starts_with('['));
        let (mut all, mut wildcards) = (0, 0);
        for (line, name) in names.clone() {
            let Some(alternatives) = count_alternatives(name) else {
                let message = "the section has too many alternatives, or is too long";
                return Err(ConfigError::at(path, (line, 1), message));
            };
            all += alternatives;
            if all > MOST_IN_FILE {
                let message = "the sections have too many alternatives";
                return Err(ConfigError::at(path, (line, 1), message));
            }
            wildcards += name.matches(['*', '?']).count();
            if wildcards > MOST_WILDCARDS {
                let most = grouped(MOST_WILDCARDS as u64);
                let message = format!("the sections up to here have more than {most} of * and ?");
                return Err(ConfigError::at(path, (line, 1), message));
            }
        }
        let failed = |line: usize, error: ParseError| {
            let message = match error {
                ParseError::InvalidLine => "expected [section] or key = value".to_owned(),
                error => error.to_string(),
            };
            ConfigError::at(path, (line, 1), message)
        };
        let parser = ConfigParser::new_with_path(text.as_bytes(), Some(Arc::from(path)));
        let mut parser = parser.map_err(|error| failed(1, error))?;
        let (mut sections, mut names) = (Vec::new(), names.map(|(_, name)| name));
        while let Some(section) = parser.next() {
            let mut section = section.map_err(|error| failed(parser.line_no(), error))?;
            let is_dead = names.next().is_some_and(matches_nothing);
            retain_settings(section.props_mut());
            if !is_dead && !section.props().is_empty() {
                sections.push(section);
            }
        }
        let sets_lints = sections.iter().any(|section| layer(section.props()).sets_lints());
        let (directory, is_root) = (directory.to_owned(), parser.is_root);
        Ok(EditorConfig { directory, sections: Sections(sections), is_root, sets_lints })
    }
}

/// Returns `true` if the name of a section matches no file by the specification: it is the name of a
/// directory, or has a range of numbers that ends before its start. The library matches both.
fn matches_nothing(name: &str) -> bool {
    let glob = name.rfind(']').map_or(name, |end| &name[..end]);
    let mut parts = glob.split('{');
    let is_reversed = |part: &str| {
        let (range, _) = part.split_once('}')?;
        let (start, end) = range.split_once("..")?;
        Some(start.parse::<i64>().ok()? > end.parse::<i64>().ok()?)
    };
    // Other alternatives may match beside a range in braces.
    let is_nested = glob.contains("{{") || glob.contains(',');
    glob.ends_with('/') || !is_nested && parts.any(|part| is_reversed(part) == Some(true))
}

/// Removes the keys that are no settings here.
fn retain_settings(properties: &mut Properties) {
    let mut kept = Properties::new();
    for (key, value) in properties.iter().filter(|(key, _)| KEYS.contains(key)) {
        kept.insert_raw_for_key(key, value.clone());
    }
    *properties = kept;
}

/// Returns the number of alternatives in the name of a section; `None` if it would take too long to
/// match.
fn count_alternatives(name: &str) -> Option<usize> {
    // The alternatives of each open brace: those before the last comma, and those since.
    let mut braces = vec![(0_usize, 1_usize)];
    for byte in name.bytes() {
        let is_inside = braces.len() > 1;
        let Some((before, since)) = braces.last_mut() else { break };
        match byte {
            b'{' => braces.push((0, 1)),
            b',' if is_inside => (*before, *since) = (before.saturating_add(*since), 1),
            b'}' if is_inside => {
                let all = before.saturating_add(*since);
                braces.pop();
                if let Some((_, since)) = braces.last_mut() {
                    *since = since.saturating_mul(all);
                }
            }
            _ => {}
        }
        if braces.len() > DEEPEST {
            return None;
        }
    }
    let alternatives = braces.iter().map(|(before, since)| before.saturating_add(*since));
    let number = alternatives.fold(1, usize::saturating_mul);
    (name.len() <= LONGEST_NAME && number <= MOST_ALTERNATIVES).then_some(number)
}

/// Returns the settings that files have for a file, by its absolute path.
pub(super) fn settings(files: &[Arc<EditorConfig>], path: &Path) -> SettingsLayer {
    let mut properties = Properties::new();
    for file in files {
        let below = path.strip_prefix(&file.directory).unwrap_or(path);
        for section in &file.sections.0 {
            // It has no errors.
            let _ = section.apply_to(&mut properties, below);
        }
    }
    layer(&properties)
}

/// Returns the settings that properties have.
fn layer(properties: &Properties) -> SettingsLayer {
    let get = |key: &str| {
        let value = properties.get_raw_for_key(key);
        let text = value.into_option()?.to_ascii_lowercase();
        Some((text, origin(value)?))
    };
    let charset = get("charset").and_then(|(text, origin)| Some((charset(&text)?, origin)));
    let end = get("end_of_line").and_then(|(text, origin)| match &*text {
        "lf" => Some((Some(LineEnding::Lf), origin)),
        "crlf" => Some((Some(LineEnding::CrLf), origin)),
        _ => None,
    });
    let newline = get("insert_final_newline").and_then(|(text, origin)| match &*text {
        "true" => Some((true, origin)),
        "false" => Some((false, origin)),
        _ => None,
    });
    SettingsLayer {
        encoding: charset.as_ref().map(|((encoding, _), origin)| (*encoding, origin.clone())),
        bom: charset.and_then(|((_, rule), origin)| rule.map(|rule| (Some(rule), origin))),
        line_ending: end,
        final_newline: newline,
        ..SettingsLayer::default()
    }
}

/// Returns the place of a value.
fn origin(value: &RawValue) -> Option<Origin> {
    value.source().map(|(path, line)| Origin { path: path.into(), line })
}

/// Returns the encoding of a charset, and its rule for the byte order mark.
fn charset(name: &str) -> Option<(&'static Encoding, Option<BomRule>)> {
    let (label, rule) = match name {
        "utf-8" => ("utf-8", Some(BomRule::Forbid)),
        "utf-8-bom" => ("utf-8", Some(BomRule::Require)),
        // Editors know latin1, utf-16be and utf-16le. Files in other encodings have names, too.
        _ => (name, None),
    };
    Encoding::for_label(label).map(|encoding| (encoding, rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_with_many_alternatives_are_complex() {
        for (name, number) in [("[*]", 1), ("[*.{js,jsx,ts}]", 3), ("[{a,{b,c}}]", 3)] {
            assert_eq!(count_alternatives(name), Some(number), "{name}");
        }
        let deep = format!("[{}]", "{a,".repeat(20));
        let overflowing = format!("[{{{},c}}]", "{a,b}".repeat(64));
        let names = ["{a,b}".repeat(11), "{a,b".repeat(11), deep, "a".repeat(2000), overflowing];
        for name in names {
            assert_eq!(count_alternatives(&name), None, "{name}");
        }
    }
}
