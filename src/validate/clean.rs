//! Fast path for whole texts without findings.

use super::{CheckOptions, LintRules};
use crate::kernel::Kernels;
use crate::report::InputSummary;

/// Returns the summary of a whole text in UTF-8 that is well-formed and has nothing that a lint may
/// report. Returns `None` for all other texts and for some of these, which need a
/// [`Check`](super::Check).
pub fn summary_of_clean(
    kernels: &Kernels,
    text: &[u8],
    rules: &LintRules,
    options: CheckOptions,
) -> Option<InputSummary> {
    // Without findings, neither their segments nor their limit matter.
    let CheckOptions { segments: _, limit: _, count, comments } = options;
    let is_clean = !count
        && !text.starts_with("\u{FEFF}".as_bytes())
        && kernels.utf8(text) == text.len()
        && rules.pass(kernels, text, comments);
    let size = text.len() as u64;
    let mut summary = InputSummary::of(&(0..size));
    summary.size = size;
    is_clean.then_some(summary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel;
    use crate::lint::levels::RuleLevels;
    use crate::lint::{LINTS, Level};
    use crate::registry::Encoding;
    use crate::scan::Feed;
    use crate::validate::Check;
    use std::sync::Arc;

    /// The distance between the levels that are checked. Miri, which is slow, gets a few.
    const LEVELS_STRIDE: usize = if cfg!(miri) { 19 } else { 1 };

    /// Returns the summary of a check of a text.
    fn checked(text: &[u8], rules: &Arc<LintRules>, options: CheckOptions) -> InputSummary {
        let range = 0..text.len() as u64;
        let mut check = Check::new(Encoding::UTF_8, range, options, None).with_rules(rules);
        let mut feed = Feed::new(Encoding::UTF_8.open(0), kernel::best(), 0);
        let _ = feed.push(text, &mut check).unwrap();
        let _ = feed.finish(&mut check).unwrap();
        check.end(true).unwrap()
    }

    #[test]
    fn clean_texts_have_the_summary_of_a_check() {
        let mut texts: Vec<Vec<u8>> = LINTS
            .iter()
            .flat_map(|row| [row.faulty, row.good])
            .map(|text| text.as_bytes().to_vec())
            .collect();
        let others: [&[u8]; 8] = [
            b"",
            b"plain",
            b"\xFF",
            b"a\xC3",
            "\u{FEFF}".as_bytes(),
            "é 中 😀\r\n".as_bytes(),
            b"a // utf8:allow(bom)\n",
            b"a\r",
        ];
        texts.extend(others.map(<[u8]>::to_vec));
        let sets = LINTS.iter().map(|row| row.id).chain(["strict", "text", "ill-formed"]);
        let denied = sets.map(|set| {
            let mut levels = RuleLevels::default();
            assert!(levels.set(set, Level::Deny), "{set}");
            levels
        });
        let levels = denied.chain([RuleLevels::default(), RuleLevels::of_trees()]);
        let cases: Vec<_> = texts.iter().flat_map(|text| [(text, false), (text, true)]).collect();
        let mut clean = 0;
        for levels in levels.step_by(LEVELS_STRIDE) {
            let rules = Arc::new(LintRules::from(levels));
            for &(text, comments) in cases.iter().step_by(crate::TEST_STRIDE.min(cases.len() / 4)) {
                let options = CheckOptions { comments, ..CheckOptions::default() };
                let whole = checked(text, &rules, options);
                for kernels in kernel::available() {
                    let Some(summary) = summary_of_clean(kernels, text, &rules, options) else {
                        continue;
                    };
                    assert_eq!(summary, whole, "{} {:?}", kernels.name, text.escape_ascii());
                    clean += 1;
                }
            }
        }
        assert!(clean > if cfg!(miri) { 0 } else { 500 }, "{clean}");
    }
}
