//! Converted files that still declare another encoding.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::api::convert;
use crate::convert::ConvertOptions;
use crate::kernel::Kernels;
use crate::lint::levels::RuleLevels;
use crate::lint::{Level, Lint};
use crate::policy::{Bom, Policy};
use crate::registry::Encoding;
use crate::scan::Feed;
use crate::validate::declaration::{SEARCHED, declares_any};
use crate::validate::{Check, CheckOptions, LintRules};

/// Finds declarations of another encoding than that of the text.
#[derive(Default)]
pub(super) struct DeclarationCheck(OnceCell<Arc<LintRules>>);

impl DeclarationCheck {
    /// Returns `true` if the first block of a file, once converted, declares another encoding.
    pub fn contradicts(
        &self,
        (source, block): (&'static Encoding, &[u8]),
        options: ConvertOptions,
        kernels: &'static Kernels,
    ) -> bool {
        // The block ends anywhere.
        let options = ConvertOptions { policy: Policy::Ignore, ..options };
        let start = &block[..block.len().min(SEARCHED * source.inner.unit)];
        let plain = ConvertOptions { target: Encoding::UTF_8, bom: Some(Bom::Remove), ..options };
        if !declares_any(&convert(source, start, &plain).unwrap_or_default()) {
            return false;
        }
        let converted = convert(source, block, &options).unwrap_or_default();
        let rules = self.0.get_or_init(|| {
            let mut levels = RuleLevels::default();
            levels.turn_off_lints();
            levels.set(Lint::WrongDeclaration.row().id, Level::Warn);
            Arc::new(levels.into())
        });
        let check = CheckOptions { comments: true, ..CheckOptions::default() };
        let mut check = Check::new(options.target, 0..u64::MAX, check, None).with_rules(rules);
        let mut feed = Feed::new(options.target.open(0), kernels, 0);
        // Without a report, a check has no errors.
        let _ = feed.push(&converted, &mut check);
        let _ = feed.finish(&mut check);
        check.end(false).is_ok_and(|summary| summary.warnings > 0)
    }
}
