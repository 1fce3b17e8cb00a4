//! The characters that lints may report, as a filter for UTF-8 text.

use super::classes::{CLASSES, LintClass};
use crate::kernel::SequenceFilter;
use crate::lint::Lint;
use crate::lint::levels::RuleLevels;

/// Returns a filter for the characters that lints at these levels may report. `line_feeds` says
/// whether line feeds are among them.
pub(super) fn filter(levels: &RuleLevels, line_feeds: bool) -> SequenceFilter {
    let is_reported = |class: LintClass| match class {
        LintClass::LineFeed => line_feeds,
        _ => levels.first_of(class.lints()).is_some(),
    };
    let classes = CLASSES.iter().filter(|(.., class)| is_reported(*class));
    let all = [(0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)];
    let needs_all = levels.first_of(&[Lint::NotAscii, Lint::Unassigned]).is_some();
    let all = all.into_iter().filter(|_| needs_all);
    SequenceFilter::of_ranges(classes.map(|&(start, end, _)| (start, end)).chain(all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel;
    use crate::lint::{LINTS, Level};
    use crate::validate::linter::classes::class_of;

    /// The distance between the levels that are checked. Miri, which is slow, gets a few.
    const STRIDE: usize = if cfg!(miri) { 29 } else { 1 };

    /// The distance between the lengths of text that are checked.
    const LENGTHS_STRIDE: usize = if cfg!(miri) { 13 } else { 1 };

    /// Returns the levels of every lint alone, of none, of sets and the default ones.
    fn levels() -> impl Iterator<Item = RuleLevels> {
        let sets = LINTS.iter().map(|row| row.id).chain(["strict", "text"]);
        let denied = sets.map(|set| {
            let mut levels = RuleLevels::default();
            levels.set(set, Level::Deny);
            levels
        });
        denied.chain([RuleLevels::default(), RuleLevels::of_trees()])
    }

    #[test]
    fn kernels_skip_text_up_to_the_first_sequence_that_may_be_reported() {
        let classes = CLASSES.iter().flat_map(|&(start, end, _)| [start, end]);
        let chars = classes.filter_map(char::from_u32);
        let chars: Vec<_> = chars.chain(['a', '\t', 'é', 'я', '中', '😀', '“', '。']).collect();
        for levels in levels().step_by(STRIDE) {
            let needs_all = levels.first_of(&[Lint::NotAscii, Lint::Unassigned]).is_some();
            for line_feeds in [false, true] {
                let filter = filter(&levels, line_feeds);
                let is_reported = |c: char| match class_of(c.into()) {
                    Some(LintClass::LineFeed) => line_feeds,
                    Some(class) if levels.first_of(class.lints()).is_some() => true,
                    _ => needs_all && !c.is_ascii(),
                };
                for (at, &c) in chars.iter().enumerate().step_by(crate::TEST_STRIDE) {
                    // Lengths around those of vectors, and two characters at any distance.
                    for len in (0..100).chain(120..140).step_by(LENGTHS_STRIDE) {
                        let other = chars[(at + len) % chars.len()];
                        let filler = chars[(at + 7 * len) % chars.len()];
                        let text = format!(
                            "{}{c}{filler}{}{other}",
                            "x".repeat(len),
                            "y".repeat(len % 40)
                        );
                        let first = text.char_indices().find(|(_, c)| is_reported(*c));
                        let first = first.map_or(text.len(), |(at, _)| at);
                        let bytes = text.as_bytes();
                        for kernels in kernel::available() {
                            let skipped = kernels.skip(bytes, &filter);
                            // Sequences of four bytes are told apart by three of them.
                            let stop = text[skipped..].chars().next().map(u32::from);
                            let block = stop.filter(|stop| *stop > 0xFFFF).map(|stop| stop & !0x3F);
                            let mut alike = block.into_iter().flat_map(|block| block..block + 64);
                            let stops_early = skipped < first
                                && alike
                                    .any(|value| char::from_u32(value).is_some_and(is_reported));
                            assert!(skipped == first || stops_early, "{} {text:?}", kernels.name);
                        }
                    }
                }
            }
        }
    }
}
