//! Repair of ill-formed or unwanted text, with a record of every change.
//!
//! The sink passes the source on in segments: source bytes, replacement text and the reasons for
//! the change. Runs that nothing changes pass as whole slices and are copied. [`STAGES`] lists the
//! repairs in the order in which they apply. (The error policy is applied while the source is read,
//! but its output is exempt from the reversal of double encoding.)
//!
//! ```
//! use utf8::policy::Policy;
//! use utf8::repair::{RepairPlan, repaired};
//!
//! let utf8 = utf8::registry::Encoding::for_label("utf-8").unwrap();
//! let mut plan = RepairPlan::new(Policy::Replace);
//! plan.structure.join = true;
//! let (text, summary) = repaired(&plan, utf8, b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80");
//!
//! assert_eq!(text, "caf\u{FFFD} \u{1F600}".as_bytes());
//! assert_eq!(summary.changes, 2);
//! ```

use crate::kernel;
use crate::output::Output;
use crate::registry::Encoding;
use crate::scan::Chunk;

mod encode;
mod journal;
mod output;
mod plan;
mod segment;
mod sink;
mod skipped;
mod stage;
mod stages;
mod structure;

pub use journal::{Change, Journal, RepairSummary};
pub use output::RepairTarget;
pub use plan::{PlanError, RepairPlan};
pub use sink::Repair;
pub use skipped::{SKIP_REASONS, SkipReason, SkipReasonRow, SkippedRepair};
pub use stages::line_ends::Newlines;
pub use stages::mojibake::MojibakeOptions;
pub use stages::normalize::NormalizationForm;
pub use stages::truncate::TruncationLimit;
pub use stages::{RepairReason, RepairReasons, STAGES, StageRow};
pub use structure::StructuralRepairs;

/// Repairs a whole input in memory. If the plan's policy is strict, the output ends before the
/// first sequence that no repair treats; [RepairSummary::stop`] describes it.
pub fn repaired(
    plan: &RepairPlan,
    codec: &'static Encoding,
    bytes: &[u8],
) -> (Vec<u8>, RepairSummary) {
    let mut output = Output::memory();
    let target = RepairTarget { output: Some((&mut output).into()), ..RepairTarget::default() };
    let mut repair = Repair::new(plan, codec, 0..u64::MAX, target);
    let chunk = Chunk { bytes, offset: 0, last: true };
    // Writing to memory cannot fail.
    let _ = (codec.open)(0).scan(kernel::best(), chunk, &mut repair);
    let summary = repair.end().unwrap_or_default();
    (std::mem::take(output.buffer()), summary)
}
