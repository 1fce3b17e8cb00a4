//! Levels of all rules of a check, and the names of groups of lints.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{LINTS, Level, Lint, LintGroup, LintRow};
use crate::issue::Kind;

/// The name of all kinds of ill-formed sequences, and of files that are not UTF-8.
pub const ILL_FORMED: &str = "ill-formed";

/// A name that stands for several lints.
#[derive(Debug)]
pub struct LintSet {
    /// The name.
    pub name: &'static str,
    /// The description, in one line.
    pub summary: &'static str,
    /// Returns `true` for the lints of the set.
    pub has: fn(Lint) -> bool,
}

/// Every set of lints.
#[rustfmt::skip]
pub static LINT_SETS: &[LintSet] = &[
    LintSet { name: "security", summary: "characters that can deceive a reader or a program",
              has: |lint| lint.row().group == LintGroup::Security },
    LintSet { name: "files", summary: "byte order marks, line ends and declared encodings",
              has: |lint| lint.row().group == LintGroup::Files },
    LintSet { name: "text", summary: "characters that a text may have by mistake",
              // All text in most languages is beyond ASCII.
              has: |lint| lint.row().group == LintGroup::Text && lint != Lint::NotAscii },
    LintSet { name: "strict", summary: "security and files",
              has: |lint| matches!(lint.row().group, LintGroup::Security | LintGroup::Files) },
    LintSet { name: "net-unicode",
              summary: "what RFC 5198 (Net-Unicode) excludes",
              has: |lint| matches!(lint, Lint::Nul | Lint::C0Control | Lint::C1Control | Lint::LoneCr
                  | Lint::Lf | Lint::LineSeparator | Lint::Bom | Lint::NotNfc | Lint::Unassigned
                  | Lint::Noncharacter) },
    LintSet { name: "postgres", summary: "what PostgreSQL refuses in text",
              has: |lint| lint == Lint::Nul },
    LintSet { name: "xml", summary: "what XML 1.0 forbids or discourages",
              has: |lint| matches!(lint, Lint::Nul | Lint::C0Control | Lint::Noncharacter) },
];

/// The levels of all rules, and the characters that no lint reports.
#[derive(Clone, Debug)]
pub struct RuleLevels {
    lints: [Level; Lint::COUNT],
    /// The level of ill-formed sequences.
    ill_formed: Level,
    /// The level of whole inputs in UTF-16 or UTF-32.
    not_utf8: Level,
    /// The characters that no lint reports, in ranges with gaps between them, in order.
    allowed: Arc<[RangeInclusive<u32>]>,
}

impl Default for RuleLevels {
    /// Denies ill-formed sequences and allows all else, but warns of unused comments if lints are on.
    /// ASCII in UTF-16 is valid UTF-8 with NUL.
    fn default() -> RuleLevels {
        let mut lints = [Level::Allow; Lint::COUNT];
        lints[Lint::UnusedAllow as usize] = Level::Warn;
        let (ill_formed, not_utf8) = (Level::Deny, Level::Allow);
        RuleLevels { lints, ill_formed, not_utf8, allowed: Arc::default() }
    }
}

impl RuleLevels {
    /// Returns the levels for files of directories: files in UTF-16 or UTF-32 are errors, and the lints
    /// that compilers have warn.
    pub fn of_trees() -> RuleLevels {
        let mut levels = RuleLevels { not_utf8: Level::Deny, ..RuleLevels::default() };
        for lint in [Lint::BidiUnpaired, Lint::TagCharacter] {
            levels.lints[lint as usize] = Level::Warn;
        }
        levels
    }

    /// Sets the level of a rule or a set of lints, by its name. Returns `false` if there is none.
    pub fn set(&mut self, name: &str, level: Level) -> bool {
        if name == ILL_FORMED {
            (self.ill_formed, self.not_utf8) = (level, level);
            return true;
        }
        if name == Kind::NotUtf8.id() {
            self.not_utf8 = level;
            return true;
        }
        let lints = lint_mask(name);
        for row in lints_in(lints) {
            self.lints[row.lint as usize] = level;
        }
        lints != 0
    }

    /// Turns off all lints.
    pub fn turn_off_lints(&mut self) {
        self.lints.fill(Level::Allow);
    }

    /// Turns off these lints; see [`lint_mask`].
    pub fn turn_off(&mut self, lints: LintMask) {
        for row in lints_in(lints) {
            self.lints[row.lint as usize] = Level::Allow;
        }
    }

    /// Turns off everything that is reported as a warning.
    pub fn turn_off_warnings(&mut self) {
        let rules = self.lints.iter_mut().chain([&mut self.ill_formed, &mut self.not_utf8]);
        rules.filter(|level| **level == Level::Warn).for_each(|level| *level = Level::Allow);
    }

    /// Excludes characters from all lints.
    pub fn allow_characters(&mut self, ranges: &[RangeInclusive<u32>]) {
        if ranges.is_empty() {
            return;
        }
        let mut all = [&*self.allowed, ranges].concat();
        all.retain(|range| !range.is_empty());
        all.sort_unstable_by_key(|range| *range.start());
        all.dedup_by(|next, last| {
            let is_adjacent = *next.start() <= last.end().saturating_add(1);
            if is_adjacent {
                *last = *last.start()..=*last.end().max(next.end());
            }
            is_adjacent
        });
        self.allowed = all.into();
    }

    /// Returns the level of a lint.
    pub fn of(&self, lint: Lint) -> Level {
        self.lints[lint as usize]
    }

    /// Returns the level of a rule by its name; of a set, and of an unknown name, `Allow`.
    pub fn level(&self, name: &str) -> Level {
        match LINTS.iter().find(|row| row.id == name) {
            Some(row) => self.of(row.lint),
            None if name == ILL_FORMED => self.ill_formed,
            None if name == Kind::NotUtf8.id() => self.not_utf8,
            None => Level::Allow,
        }
    }

    /// Returns the level of a kind of ill-formed sequences.
    pub fn of_kind(&self, kind: Kind) -> Level {
        if kind == Kind::NotUtf8 { self.not_utf8 } else { self.ill_formed }
    }

    /// Returns `true` if a lint is reported. Warnings of unused comments do not count: there are
    /// none without other lints.
    pub fn has_lints(&self) -> bool {
        let is_on = |lint: Lint, level: Level| match lint {
            Lint::UnusedAllow => level == Level::Deny,
            _ => level != Level::Allow,
        };
        LINTS.iter().any(|row| is_on(row.lint, self.of(row.lint)))
    }

    /// Returns `true` if one of these lints is reported; see [`lint_mask`].
    pub fn reports_any(&self, lints: LintMask) -> bool {
        lints_in(lints).any(|row| self.of(row.lint) != Level::Allow)
    }

    /// Returns the first of these lints that is reported, with the highest level of them all: a
    /// text that is an error by a general lint is none the less by a special one.
    pub fn first_of(&self, lints: &[Lint]) -> Option<(Lint, Level)> {
        let first = lints.iter().find(|&&lint| self.of(lint) != Level::Allow)?;
        let highest = lints.iter().map(|&lint| self.of(lint)).max()?;
        Some((*first, highest))
    }

    /// Returns `true` if no lint reports this character.
    pub fn allows_character(&self, value: u32) -> bool {
        let at = self.allowed.partition_point(|range| *range.end() < value);
        self.allowed.get(at).is_some_and(|range| range.contains(&value))
    }
}

/// The names of rules and sets with the levels that they are to have, and characters that no lint is
/// to report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelNames {
    /// The names of errors.
    pub deny: Vec<&'static str>,
    /// The names of warnings.
    pub warn: Vec<&'static str>,
    /// The names of rules that are not reported.
    pub allow: Vec<&'static str>,
    /// Ranges of characters that no lint reports.
    pub characters: Vec<RangeInclusive<u32>>,
}

impl LevelNames {
    /// Returns `true` if a lint or a set of lints is named.
    pub fn has_lints(&self) -> bool {
        let mut names = self.deny.iter().chain(&self.warn).chain(&self.allow);
        names.any(|name| lint_mask(name) != 0)
    }

    /// Sets the levels: those of sets first, so that a lint's own is stronger.
    pub fn apply(&self, levels: &mut RuleLevels) {
        self.apply_sets(levels);
        self.apply_rules(levels);
    }

    /// Sets the levels of sets.
    pub fn apply_sets(&self, levels: &mut RuleLevels) {
        self.apply_names(levels, is_set);
    }

    /// Sets the levels of single rules, and excludes characters.
    pub fn apply_rules(&self, levels: &mut RuleLevels) {
        self.apply_names(levels, |name| !is_set(name));
        levels.allow_characters(&self.characters);
    }

    fn apply_names(&self, levels: &mut RuleLevels, has: fn(&str) -> bool) {
        let named =
            [(&self.deny, Level::Deny), (&self.warn, Level::Warn), (&self.allow, Level::Allow)];
        for (names, level) in named {
            for name in names.iter().filter(|name| has(name)) {
                levels.set(name, level);
            }
        }
    }
}

/// A set of lints, as bits.
pub type LintMask = u64;

const _: () = assert!(Lint::COUNT <= LintMask::BITS as usize);

impl Lint {
    /// Returns the set of this lint alone.
    pub fn mask(self) -> LintMask {
        1 << (self as u32)
    }
}

/// Returns the rows of these lints.
pub fn lints_in(lints: LintMask) -> impl Iterator<Item = &'static LintRow> {
    LINTS.iter().filter(move |row| row.lint.mask() & lints != 0)
}

/// Returns the lints that a name stands for: one, those of a set, or none.
pub fn lint_mask(name: &str) -> LintMask {
    let set = LINT_SETS.iter().find(|set| set.name == name);
    let has = |lint: Lint| lint.row().id == name || set.is_some_and(|set| (set.has)(lint));
    LINTS.iter().filter(|row| has(row.lint)).fold(0, |mask, row| mask | row.lint.mask())
}

/// Returns the lints of these whose opposite is among these, too.
pub fn opposed(lints: LintMask) -> LintMask {
    let is_in = |lint: Lint| lint.mask() & lints != 0;
    let opposed = |lint: &Lint| is_in(*lint) && lint.opposite().is_some_and(is_in);
    LINTS.iter().map(|row| row.lint).filter(opposed).fold(0, |mask, lint| mask | lint.mask())
}

/// Returns `true` if a name stands for several rules.
fn is_set(name: &str) -> bool {
    name == ILL_FORMED || LINT_SETS.iter().any(|set| set.name == name)
}

/// Returns every name that [`RuleLevels::set`] knows.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    let sets = LINT_SETS.iter().map(|set| set.name);
    let lints = LINTS.iter().map(|row| row.id);
    [ILL_FORMED, Kind::NotUtf8.id()].into_iter().chain(sets).chain(lints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_characters_are_united() {
        let lists: [&[RangeInclusive<u32>]; 3] =
            [&[7..=9, 2..=3, 20..=u32::MAX], &[4..=4, 3..=5, 14..=14, 30..=31], &[8..=11, 0..=0]];
        let mut levels = RuleLevels::default();
        for end in 0..lists.len() {
            levels.allow_characters(lists[end]);
            let ranges = lists[..=end].iter().copied().flatten();
            for value in (0..40).chain([u32::MAX]) {
                let is_allowed = ranges.clone().any(|range| range.contains(&value));
                assert_eq!(levels.allows_character(value), is_allowed, "{value}");
            }
        }
        assert_eq!(*levels.allowed, [0..=0, 2..=5, 7..=11, 14..=14, 20..=u32::MAX]);
    }
}
