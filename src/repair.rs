//! Repair of ill-formed or unwanted text, with a record of every change.
//!
//! The sink passes the source on in segments: source bytes, replacement text and the reasons for
//! the change. Runs that nothing changes pass as whole slices and are copied. [`STAGES`] lists the
//! repairs in the order in which they apply. (The error policy is applied while the source is read,
//! but its output is exempt from the reversal of double encoding.)
//!
//! ```
//! use utf8::{Encoding, Policy, RepairPlan, repair};
//!
//! let mut plan = RepairPlan::new(Policy::Replace);
//! plan.structure.join = true;
//! let (text, summary) = repair(Encoding::UTF_8, b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80", &plan)?;
//!
//! assert_eq!(text, "caf\u{FFFD} \u{1F600}".as_bytes());
//! assert_eq!(summary.changes, 2);
//! # Ok::<(), utf8::RepairError>(())
//! ```

mod encode;
mod joins;
mod journal;
mod lines;
mod output;
mod plan;
mod segment;
mod sink;
mod skipped;
mod stage;
mod stages;
mod structure;

pub use journal::{Change, Journal, Occurrences, RepairSummary};
pub use lines::LineDropper;
pub use output::{ByteOrderError, RepairTarget};
pub use plan::{PlanError, RepairPlan};
pub use segment::TextSegment;
pub use sink::Repair;
pub use skipped::{SKIP_REASONS, SkippedRepair};
pub use stage::SegmentReceiver;
pub use stages::line_ends::Newlines;
pub use stages::mojibake::MojibakeOptions;
pub use stages::normalize::NormalizationForm;
pub use stages::truncate::TruncationLimit;
pub use stages::{RepairReason, RepairReasons, STAGES};
pub use structure::StructuralRepairs;
