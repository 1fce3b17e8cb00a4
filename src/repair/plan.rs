//! The plan of a repair.

use std::error::Error;
use std::fmt;

use super::segment::MAX_PENDING;
use super::stage::Stage;
use super::{
    MojibakeOptions, Newlines, NormalizationForm, STAGES, StructuralRepairs, TruncationLimit,
};
use crate::codec::BOM;
use crate::policy::{Bom, Policy, REPLACEMENT};
use crate::registry::Encoding;

/// The number of bytes on either side of a range that decide about line ends in it.
const CONTEXT: u64 = MAX_PENDING as u64 + 16;

/// The repairs to make.
///
/// ```
/// use utf8::{Encoding, NormalizationForm, Newlines, Policy, RepairPlan, repair};
///
/// let mut plan = RepairPlan::new(Policy::Replace);
/// plan.newlines = Some(Newlines::Lf);
/// plan.normalization = Some(NormalizationForm::Nfc);
/// let (text, summary) = repair(Encoding::UTF_8, b"e\xCC\x81\r\n\xFF", &plan)?;
/// assert_eq!(text, "é\n\u{FFFD}".as_bytes());
/// assert_eq!(summary.changes, 3);
/// # Ok::<(), utf8::RepairError>(())
/// ```
#[derive(Clone, Copy, Debug)]
// The tests name every field, so that none is forgotten.
#[cfg_attr(not(feature = "unstable-internals"), non_exhaustive)]
pub struct RepairPlan {
    /// Treatment of U+FEFF at the start of an input.
    pub bom: Bom,
    /// True to remove U+FEFF after the start, where it is a zero width no-break space or was left
    /// by joining files.
    pub remove_inner_boms: bool,
    /// Ill-formed sequences to rewrite as the code points that they spell.
    pub structure: StructuralRepairs,
    /// Reversal of double encoding; `None` for none.
    pub mojibake: Option<MojibakeOptions>,
    /// Treatment of the remaining ill-formed sequences. A strict policy ends the repair at the
    /// first.
    pub policy: Policy,
    /// The line end to write; `None` keeps line ends.
    pub newlines: Option<Newlines>,
    /// The normalization form to write; `None` keeps the text.
    pub normalization: Option<NormalizationForm>,
    /// The limit on the length of the text; `None` for none.
    pub truncation: Option<TruncationLimit>,
    /// True if U+0000 marks the input as binary and ends the repair.
    #[doc(hidden)] // only the summary tells that it ended
    pub text_only: bool,
    /// True if the journal receives skipped repairs.
    #[doc(hidden)] // only the command line has a journal
    pub report_skipped: bool,
}

impl RepairPlan {
    /// Creates a plan that applies an error policy and nothing else.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, RepairPlan, repair};
    ///
    /// // Line ends and the byte order mark are kept.
    /// let plan = RepairPlan::new(Policy::Ignore);
    /// let (text, _) = repair(Encoding::UTF_8, b"\xEF\xBB\xBFa\r\n\xFFb", &plan)?;
    /// assert_eq!(text, b"\xEF\xBB\xBFa\r\nb");
    /// # Ok::<(), utf8::RepairError>(())
    /// ```
    pub fn new(policy: Policy) -> RepairPlan {
        RepairPlan {
            bom: Bom::Keep,
            remove_inner_boms: false,
            structure: StructuralRepairs::default(),
            mojibake: None,
            policy,
            newlines: None,
            normalization: None,
            truncation: None,
            text_only: false,
            report_skipped: false,
        }
    }

    /// Checks that the plan can be carried out in text of this codec.
    ///
    /// # Errors
    /// Returns an error if the codec lacks U+FEFF or all that the policy can write, or if text with
    /// shift sequences is to be truncated.
    ///
    /// ```
    /// use utf8::{Encoding, Policy, PlanError, RepairPlan, TruncationLimit};
    ///
    /// let mut plan = RepairPlan::new(Policy::Replace);
    /// plan.truncation = Some(TruncationLimit::new(80));
    /// assert!(plan.check(Encoding::UTF_8).is_ok());
    /// let iso2022jp = Encoding::for_label("iso-2022-jp").unwrap();
    /// assert!(matches!(plan.check(iso2022jp), Err(PlanError::Truncation(_))));
    /// ```
    pub fn check(&self, codec: &'static Encoding) -> Result<(), PlanError> {
        if self.bom == Bom::Add && !codec.can_encode(BOM) {
            return Err(PlanError::Bom(codec));
        }
        if self.truncation.is_some() && codec.properties.stateful {
            return Err(PlanError::Truncation(codec));
        }
        match self.policy.lacking(codec) {
            Some(value) => Err(PlanError::Escape(codec, value)),
            None => Ok(()),
        }
    }

    /// Checks that the repairs of the ranges of a text, concatenated, equal the repair of the whole text.
    /// Repairs of whole lines or of characters that combine need ranges that end with a line.
    ///
    /// # Errors
    /// Returns the reason if they are not.
    ///
    /// ```
    /// use utf8::{Encoding, PlanError, Policy, RepairPlan, TruncationLimit};
    ///
    /// let mut plan = RepairPlan::new(Policy::Replace);
    /// assert!(plan.check_ranges(Encoding::UTF_8).is_ok());
    /// // Only the whole text tells where the first 80 bytes end.
    /// plan.truncation = Some(TruncationLimit::new(80));
    /// assert!(matches!(plan.check_ranges(Encoding::UTF_8), Err(PlanError::TruncatedRange)));
    /// ```
    pub fn check_ranges(&self, codec: &'static Encoding) -> Result<(), PlanError> {
        match self.truncation {
            Some(limit) if !limit.lines => Err(PlanError::TruncatedRange),
            _ if codec.inner.reencodes_all || codec.properties.stateful => {
                Err(PlanError::Range(codec))
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if text outside of a range decides about the repair of text in it.
    pub(super) fn looks_around(&self) -> bool {
        self.newlines.is_some() && self.policy != Policy::DropLine
    }

    /// Returns the number of bytes on either side of a range that can decide about the repair of
    /// text in it.
    ///
    /// ```
    /// use utf8::{Newlines, Policy, RepairPlan};
    ///
    /// let mut plan = RepairPlan::new(Policy::Replace);
    /// assert_eq!(plan.context(), 0);
    /// // A CR before a range and an LF in it are one line end.
    /// plan.newlines = Some(Newlines::Lf);
    /// assert!(plan.context() > 0);
    /// ```
    pub fn context(&self) -> u64 {
        // A line end can have so many CRs.
        if self.looks_around() { CONTEXT } else { 0 }
    }

    /// Returns the stages for text of this codec, in the order of [`STAGES`].
    pub(super) fn stages(&self, codec: &'static Encoding) -> Vec<Box<dyn Stage>> {
        let mut stages = Vec::new();
        for row in STAGES {
            (row.add)(self, codec, &mut stages);
        }
        stages
    }

    /// Returns the replacement for each maximal subpart after the start of a text, if the plan does
    /// nothing else there. `stages` are the stages of the plan.
    pub(super) fn plain_replacement(
        &self,
        codec: &Encoding,
        stages: &[Box<dyn Stage>],
    ) -> Option<&'static [u8]> {
        let RepairPlan {
            structure,
            policy,
            text_only,
            remove_inner_boms: _, // these five add stages
            mojibake: _,
            newlines: _,
            normalization: _,
            truncation: _,
            bom: _,            // concerns the start
            report_skipped: _, // concerns the journal
        } = *self;
        let nothing_else = structure == StructuralRepairs::default() && stages.is_empty();
        match policy {
            _ if !nothing_else || text_only || !codec.inner.strict => None,
            Policy::Replace | Policy::Transliterate => Some("\u{FFFD}".as_bytes()),
            Policy::Ignore => Some(&[]),
            _ => None,
        }
    }
}

/// The reason why a plan cannot be carried out in a codec.
///
/// ```
/// use utf8::{Bom, Encoding, PlanError, Policy, RepairPlan};
///
/// let mut plan = RepairPlan::new(Policy::Strict);
/// plan.bom = Bom::Add;
/// let latin1 = Encoding::for_label("latin1").unwrap();
/// assert!(matches!(plan.check(latin1), Err(PlanError::Bom(_))));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum PlanError {
    /// The plan adds U+FEFF, which the codec lacks.
    Bom(&'static Encoding),
    /// The policy writes code points, such as this one, that the codec lacks.
    Escape(&'static Encoding, u32),
    /// The plan truncates text with shift sequences, which themselves take up bytes.
    Truncation(&'static Encoding),
    /// The plan truncates a range, of which only the whole text has an end.
    TruncatedRange,
    /// The plan repairs a range of text that depends on the text before it.
    Range(&'static Encoding),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Bom(codec) => write!(f, "{} has no byte order mark", codec.name),
            PlanError::Escape(codec, REPLACEMENT) => {
                write!(f, "{} has neither U+FFFD nor ?", codec.name)
            }
            PlanError::Escape(codec, value) => {
                write!(f, "{} cannot hold U+{value:04X}", codec.name)
            }
            PlanError::Truncation(codec) => {
                write!(f, "{} has shift sequences and cannot be truncated", codec.name)
            }
            PlanError::TruncatedRange => f.write_str("a range cannot be truncated"),
            PlanError::Range(codec) => {
                write!(f, "a text in {} depends on the text before it", codec.name)
            }
        }
    }
}

impl Error for PlanError {}
