//! The settings of a file, from several places.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::cli::safe;
use crate::lint::levels::{LevelNames, RuleLevels};
use crate::lint::{Level, LineEnding, Lint};
use crate::registry::Encoding;

/// The place of a setting: a line of a file.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Origin {
    pub path: Arc<Path>,
    /// The number of the line, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", safe(&*self.path), self.line)
    }
}

/// A rule for the byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BomRule {
    Forbid,
    Require,
}

/// A value and its place.
type Sourced<T> = Option<(T, Origin)>;

/// The settings of one place: of a table of utf8.toml, or of .editorconfig. An inner `None` lifts
/// the setting of a weaker place.
#[derive(Debug, Default)]
pub(super) struct SettingsLayer {
    pub encoding: Sourced<&'static Encoding>,
    pub line_ending: Sourced<Option<LineEnding>>,
    pub bom: Sourced<Option<BomRule>>,
    pub final_newline: Sourced<bool>,
    pub levels: LevelNames,
    /// The places of `levels`, by level.
    pub level_origins: Vec<(Level, Origin)>,
}

/// The settings of a file.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct FileSettings {
    /// The layers that hold for the file, the weakest first.
    pub(super) layers: Vec<Arc<SettingsLayer>>,
}

impl FileSettings {
    /// Adds the line ends that .gitattributes asks for, which are the weakest setting.
    pub fn add_attribute(&mut self, end: LineEnding, origin: Origin) {
        let line_ending = Some((Some(end), origin));
        let layer = SettingsLayer { line_ending, ..SettingsLayer::default() };
        self.layers.insert(0, Arc::new(layer));
    }

    /// Returns the encoding, if one is set.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.strongest(|layer| &layer.encoding).map(|(encoding, _)| *encoding)
    }

    /// Applies the settings to levels: those of single settings, then those of names.
    pub fn apply(&self, levels: &mut RuleLevels) {
        for (lint, _) in self.required() {
            levels.set(lint.row().id, Level::Deny);
        }
        self.layers.iter().for_each(|layer| layer.levels.apply(levels));
    }

    /// Returns the lints that the single settings deny, and the places of the settings.
    pub(super) fn required(&self) -> impl Iterator<Item = (Lint, &Origin)> {
        let end = self.strongest(|layer| &layer.line_ending).and_then(|(end, origin)| {
            let lint = match (*end)? {
                LineEnding::Lf => Lint::Crlf,
                LineEnding::CrLf => Lint::Lf,
            };
            Some((lint, origin))
        });
        let bom = self.strongest(|layer| &layer.bom).and_then(|(rule, origin)| {
            let lint = match (*rule)? {
                BomRule::Forbid => Lint::Bom,
                BomRule::Require => Lint::MissingBom,
            };
            Some((lint, origin))
        });
        let newline = self.strongest(|layer| &layer.final_newline);
        let newline = newline.filter(|(is_required, _)| *is_required);
        let newline = newline.map(|(_, origin)| (Lint::MissingFinalNewline, origin));
        [end, bom, newline].into_iter().flatten()
    }

    /// Returns the value of a setting in the strongest layer that has it.
    pub(super) fn strongest<T>(
        &self,
        of: impl Fn(&SettingsLayer) -> &Sourced<T>,
    ) -> Option<&(T, Origin)> {
        self.layers.iter().rev().find_map(|layer| of(layer).as_ref())
    }
}
