//! Tables of right answers by encoding and length.

use std::collections::BTreeMap;
use std::fmt;

/// The number of right answers, and of all answers.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub right: u32,
    pub all: u32,
}

impl Tally {
    pub fn count(&mut self, right: bool) {
        self.right += u32::from(right);
        self.all += 1;
    }

    pub fn share(self) -> f64 {
        f64::from(self.right) / f64::from(self.all.max(1))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.all {
            0 => Ok(()),
            // Rounded down, so that 100 % means all.
            all => write!(f, "{}", self.right * 100 / all),
        }
    }
}

/// The tallies of each encoding and length. Displayed as a Markdown table, in percent; encodings with
/// right answers only are listed below it.
#[derive(Default)]
pub struct Table {
    lengths: Vec<usize>,
    sets: BTreeMap<String, BTreeMap<usize, Tally>>,
}

impl Table {
    pub fn count(&mut self, set: &str, length: usize, right: bool) {
        if !self.lengths.contains(&length) {
            self.lengths.push(length);
            self.lengths.sort_unstable();
        }
        self.sets.entry(set.into()).or_default().entry(length).or_default().count(right);
    }

    fn row(&self, of: &BTreeMap<usize, Tally>) -> String {
        let cell = |length| of.get(length).copied().unwrap_or_default().to_string();
        self.lengths.iter().map(cell).collect::<Vec<_>>().join(" | ")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (set, lengths) in &self.sets {
            rows.entry(self.row(lengths)).or_default().push(set);
        }
        let whole = rows.remove(&vec!["100"; self.lengths.len()].join(" | "));
        let mut rows: Vec<(Vec<&str>, String)> =
            rows.into_iter().map(|(row, sets)| (sets, row)).collect();
        rows.sort();
        let lengths: Vec<String> = self.lengths.iter().map(usize::to_string).collect();
        writeln!(f, "| characters | {} |", lengths.join(" | "))?;
        writeln!(f, "|---|{}", "---|".repeat(lengths.len()))?;
        for (sets, row) in rows {
            writeln!(f, "| {} | {row} |", sets.join(", "))?;
        }
        whole.map_or(Ok(()), |sets| writeln!(f, "\nAt each length 100: {}.", sets.join(", ")))
    }
}
