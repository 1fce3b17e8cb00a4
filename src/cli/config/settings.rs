//! The settings of a file, from several places.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::cli::safe;
use crate::issue::Kind;
use crate::lint::levels::{LevelNames, RuleLevels};
use crate::lint::{Level, LineEnding, Lint};
use crate::registry::Encoding;

/// The place of a setting: a line of a file.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Debug, Default, PartialEq)]
pub(super) struct SettingsLayer {
    pub encoding: Sourced<&'static Encoding>,
    pub line_ending: Sourced<Option<LineEnding>>,
    pub bom: Sourced<Option<BomRule>>,
    pub final_newline: Sourced<bool>,
    pub levels: LevelNames,
    /// The places of `levels`, by level.
    pub level_origins: Vec<(Level, Origin)>,
    /// The place of the characters of `levels`.
    pub character_origin: Option<Origin>,
}

impl SettingsLayer {
    /// Returns `true` if lints are turned on or off.
    pub fn sets_lints(&self) -> bool {
        !self.single_settings().is_empty() || self.levels.has_lints()
    }

    /// Returns the lints that single settings deny or lift, with the places of the settings.
    fn single_settings(&self) -> Vec<(Lint, bool, &Origin)> {
        let mut lints = Vec::new();
        if let Some((end, origin)) = &self.line_ending {
            lints.push((Lint::Crlf, *end == Some(LineEnding::Lf), origin));
            lints.push((Lint::Lf, *end == Some(LineEnding::CrLf), origin));
        }
        if let Some((rule, origin)) = &self.bom {
            lints.push((Lint::Bom, *rule == Some(BomRule::Forbid), origin));
            lints.push((Lint::MissingBom, *rule == Some(BomRule::Require), origin));
        }
        if let Some((is_required, origin)) = &self.final_newline {
            lints.push((Lint::MissingFinalNewline, *is_required, origin));
        }
        lints
    }
}

/// The settings of a file.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct FileSettings {
    /// The layers that hold for the file, the weakest first.
    pub(super) layers: Vec<Arc<SettingsLayer>>,
    /// True if the places of the settings turn lints on or off, for this file or others.
    pub(super) sets_lints: bool,
}

impl PartialEq for FileSettings {
    fn eq(&self, other: &FileSettings) -> bool {
        let is_same = |(one, other)| Arc::ptr_eq(one, other) || one == other;
        self.layers.len() == other.layers.len()
            && self.layers.iter().zip(&other.layers).all(is_same)
    }
}

impl FileSettings {
    /// Returns `true` if utf8.toml or .editorconfig turns lints on or off, for this file or others,
    /// or .gitattributes sets the line ends of this file.
    pub fn sets_lints(&self) -> bool {
        self.sets_lints
    }

    /// Returns `true` if the settings allow a kind of ill-formed sequences in directories.
    pub fn allows(&self, kind: Kind) -> bool {
        let mut levels = RuleLevels::of_trees();
        self.apply(&mut levels);
        levels.of_kind(kind) == Level::Allow
    }

    /// Adds the line ends that .gitattributes asks for, which are the weakest setting.
    pub fn add_line_ending(&mut self, end: LineEnding, origin: Origin) {
        self.sets_lints = true;
        let line_ending = Some((Some(end), origin));
        self.add_weakest(SettingsLayer { line_ending, ..SettingsLayer::default() });
    }

    /// Adds the encoding that .gitattributes declares, which is the weakest setting.
    pub fn add_encoding(&mut self, encoding: &'static Encoding, origin: Origin) {
        let encoding = Some((encoding, origin));
        self.add_weakest(SettingsLayer { encoding, ..SettingsLayer::default() });
    }

    fn add_weakest(&mut self, layer: SettingsLayer) {
        self.layers.insert(0, Arc::new(layer));
    }

    /// Returns the encoding, if one is set.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.strongest(|layer| &layer.encoding).map(|(encoding, _)| *encoding)
    }

    /// Returns the place that sets the encoding, if one is set.
    pub fn encoding_place(&self) -> Option<&Origin> {
        self.strongest(|layer| &layer.encoding).map(|(_, origin)| origin)
    }

    /// Returns `true` if the settings ask for a lint.
    pub fn asks_for_lints(&self) -> bool {
        let mut levels = RuleLevels::default();
        self.apply(&mut levels);
        levels.has_lints()
    }

    /// Returns levels of rules, changed by the settings, and then by the command line, which names
    /// `named`.
    pub fn levels(&self, mut levels: RuleLevels, named: &LevelNames) -> RuleLevels {
        self.apply(&mut levels);
        named.apply(&mut levels);
        levels
    }

    /// Applies the settings to levels, the weakest first.
    pub fn apply(&self, levels: &mut RuleLevels) {
        self.apply_each(levels, |_, _| {});
    }

    /// Applies the settings to levels, the weakest first: of each layer its sets, then its single
    /// settings, then its rules. Calls a function after each, with the places of new levels.
    pub(super) fn apply_each(
        &self,
        levels: &mut RuleLevels,
        mut after: impl FnMut(&RuleLevels, &dyn Fn(Level) -> Option<Origin>),
    ) {
        for layer in &self.layers {
            let origin = |level| {
                let mut origins = layer.level_origins.iter();
                origins.find(|(of, _)| *of == level).map(|(_, origin)| origin.clone())
            };
            layer.levels.apply_sets(levels);
            after(levels, &origin);
            for (lint, is_denied, place) in layer.single_settings() {
                levels.set(lint.row().id, if is_denied { Level::Deny } else { Level::Allow });
                after(levels, &|_| Some(place.clone()));
            }
            layer.levels.apply_rules(levels);
            after(levels, &origin);
        }
    }

    /// Returns the value of a setting in the strongest layer that has it.
    pub(super) fn strongest<T>(
        &self,
        of: impl Fn(&SettingsLayer) -> &Sourced<T>,
    ) -> Option<&(T, Origin)> {
        self.layers.iter().rev().find_map(|layer| of(layer).as_ref())
    }
}
