//! What is repaired, and in what order?
//!
//! Repairs pass pieces on: what stood in the source, what stands for it now, and why. What is
//! not touched passes as a whole slice and is copied as it is. The order is: byte order mark,
//! structure, what was encoded twice, error policy, line ends, normalization, truncation. (The
//! policy stands in first, but what it has written is not taken for what was there.)
//!
//! ```
//! use utf8::policy::Policy;
//! use utf8::repair::{Plan, repaired};
//!
//! let utf8 = utf8::registry::Encoding::for_label("utf-8").unwrap();
//! let mut plan = Plan::new(Policy::Replace);
//! plan.structure.join = true;
//! let (text, account) = repaired(&plan, utf8, b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80");
//!
//! assert_eq!(text, "caf\u{FFFD} \u{1F600}".as_bytes());
//! assert_eq!(account.changes, 2);
//! ```

use std::error::Error;
use std::fmt;

use crate::codec::BOM;
use crate::kernel;
use crate::output::Output;
use crate::policy::{Bom, Policy};
use crate::registry::Encoding;
use crate::scan::Chunk;
use sink::Repair;

pub mod sink;

pub(crate) mod chain;
mod clusters;
pub mod mojibake;
pub mod newlines;
pub mod normal;
pub mod note;
pub mod output;
pub(crate) mod piece;
mod reason;
pub mod structure;
pub mod truncate;

pub(crate) use chain::{SegmentReceiver, Stage};
use clusters::Clusters;
use mojibake::{MojibakeOptions, MojibakeStage};
use newlines::{LineEndStage, Newlines};
use normal::{NormalizationForm, Normalizer};
use output::{RepairSummary, RepairTarget};
pub(crate) use piece::TextSegment;
pub use reason::{REPAIRS, RepairReason, RepairReasons, RepairRow};
use structure::StructuralRepairs;
use truncate::{Truncate, TruncationLimit};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What becomes of U+FEFF at the start of an input.
    pub bom: Bom,
    /// What of the ill-formed forms is read all the same.
    pub structure: StructuralRepairs,
    /// What is undone of what was encoded more than once; `None` for nothing.
    pub mojibake: Option<MojibakeOptions>,
    /// What becomes of what is then still ill-formed. A strict one ends the repair.
    pub policy: Policy,
    /// How lines shall end; `None` if they stay as they are.
    pub newlines: Option<Newlines>,
    /// The normalization form of the text; `None` if it stays as it is.
    pub form: Option<NormalizationForm>,
    /// How much of the text stays.
    pub limit: Option<TruncationLimit>,
    /// Whether U+0000 ends the repair, as a sign that the input is no text.
    pub text_only: bool,
    /// Whether the journal is told of what was considered and left.
    pub notes: bool,
}

impl Plan {
    /// A plan that does nothing but let a policy stand in for what is ill-formed.
    pub fn new(policy: Policy) -> Plan {
        Plan {
            bom: Bom::Keep,
            structure: StructuralRepairs::default(),
            mojibake: None,
            policy,
            newlines: None,
            form: None,
            limit: None,
            text_only: false,
            notes: false,
        }
    }

    /// See that it can be carried out in text of this codec.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check(&self, codec: &'static Encoding) -> Result<(), PlanError> {
        if self.bom == Bom::Add && !codec.holds(BOM) {
            return Err(PlanError::Bom(codec));
        }
        if self.limit.is_some() && codec.properties.stateful {
            return Err(PlanError::Limit(codec));
        }
        match self.policy.escape() {
            Some(value) if !codec.holds(value) => Err(PlanError::Escape(codec, value)),
            _ => Ok(()),
        }
    }

    /// The repairs of well-formed text of this codec, in their order.
    pub(crate) fn stages(&self, codec: &'static Encoding) -> Vec<Box<dyn Stage>> {
        let mut stages: Vec<Box<dyn Stage>> = Vec::new();
        if let Some(undoing) = self.mojibake {
            stages.push(Box::new(MojibakeStage::new(undoing, codec, self.notes)));
        }
        if let Some(newlines) = self.newlines {
            stages.push(Box::new(LineEndStage::new(newlines)));
        }
        if let Some(form) = self.form {
            stages.push(Box::new(Normalizer::new(form, codec)));
        }
        if let Some(limit) = self.limit {
            if limit.graphemes {
                stages.push(Box::new(Clusters::default()));
            }
            stages.push(Box::new(Truncate::new(limit, codec, codec.reencodes_all)));
        }
        stages
    }

    /// Returns the replacement for each maximal subpart behind the start of a text, if the plan asks
    /// for nothing else there. `stages` are those of the plan.
    pub(crate) fn stand_in(
        &self,
        codec: &Encoding,
        stages: &[Box<dyn Stage>],
    ) -> Option<&'static [u8]> {
        let Plan {
            structure,
            policy,
            text_only,
            mojibake: _, // these four make stages
            newlines: _,
            form: _,
            limit: _,
            bom: _,   // concerns the start
            notes: _, // concerns the journal
        } = *self;
        let nothing_else = structure == StructuralRepairs::default() && stages.is_empty();
        match policy {
            _ if !nothing_else || text_only || !codec.strict => None,
            Policy::Replace => Some("\u{FFFD}".as_bytes()),
            Policy::Ignore => Some(&[]),
            _ => None,
        }
    }

    /// Returns whether stages need the text of this codec as UTF-8, sequence by sequence.
    pub(crate) fn by_sequence(&self, codec: &Encoding) -> bool {
        let Plan {
            mojibake,
            newlines,
            form,
            limit,
            bom: _, // the others make no stages
            structure: _,
            policy: _,
            text_only: _,
            notes: _,
        } = *self;
        // Ends of lines are ASCII, and where that is part of nothing else they can be seen as it is.
        let characters = form.is_some() || limit.is_some();
        let seen = codec.utf8 || codec.properties.transparent && !characters;
        codec.reencodes_all
            || (characters || newlines.is_some()) && !seen
            || mojibake.is_some() && !codec.strict
    }
}

/// What a plan makes of bytes in memory, and what was done to them. What a fault that ends the
/// repair stands before is all there is.
pub fn repaired(plan: &Plan, codec: &'static Encoding, bytes: &[u8]) -> (Vec<u8>, RepairSummary) {
    let mut out = Output::memory();
    let outlet = RepairTarget { to: Some(&mut out), ..RepairTarget::default() };
    let mut repair = Repair::new(plan, codec, 0..u64::MAX, outlet);
    let chunk = Chunk { bytes, offset: 0, last: true };
    // Memory takes all.
    let _ = (codec.open)(0).scan(kernel::best(), chunk, &mut repair);
    let account = repair.end().unwrap_or_default();
    (std::mem::take(out.buffer()), account)
}

/// Why a plan cannot be carried out in a codec.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PlanError {
    /// It has no U+FEFF to add.
    Bom(&'static Encoding),
    /// It cannot hold what the policy writes, of which this is the first.
    Escape(&'static Encoding, u32),
    /// It has shifts, which would need room, too, in what is truncated.
    Limit(&'static Encoding),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Bom(codec) => write!(f, "{} has no byte order mark", codec.name),
            PlanError::Escape(codec, value) => {
                write!(f, "{} cannot hold U+{value:04X}", codec.name)
            }
            PlanError::Limit(codec) => {
                write!(f, "{} has shifts, which would need room, too", codec.name)
            }
        }
    }
}

impl Error for PlanError {}
