//! Removal of U+FEFF after the start of the text, as joined files have it.

use std::io;

use memchr::memmem;

use crate::codec::UTF8_BOM;
use crate::registry::Encoding;
use crate::repair::segment::TextSegment;
use crate::repair::stage::{SegmentReceiver, Stage, StageInput};
use crate::repair::{RepairPlan, RepairReason};

/// Appends the stage if the plan asks for it.
pub(super) fn add(plan: &RepairPlan, _: &'static Encoding, stages: &mut Vec<Box<dyn Stage>>) {
    if plan.remove_inner_boms {
        stages.push(Box::new(InnerBoms));
    }
}

/// Removes each U+FEFF.
#[derive(Debug)]
struct InnerBoms;

impl Stage for InnerBoms {
    fn input(&self) -> StageInput {
        StageInput::Utf8
    }

    fn push(
        &mut self,
        segment: &TextSegment<'_>,
        next: &mut dyn SegmentReceiver,
    ) -> io::Result<()> {
        if !segment.is_run() {
            let mut after = Vec::with_capacity(segment.after.len());
            let mut from = 0;
            for at in memmem::find_iter(segment.after, UTF8_BOM) {
                after.extend_from_slice(&segment.after[from..at]);
                from = at + UTF8_BOM.len();
            }
            if from == 0 {
                return next.push(segment);
            }
            after.extend_from_slice(&segment.after[from..]);
            let reasons = segment.reasons.and(RepairReason::Bom);
            return next.push(&TextSegment { after: &after, reasons, ..*segment });
        }
        let mut rest = *segment;
        while let Some(at) = memmem::find(rest.after, UTF8_BOM) {
            let (text, tail) = rest.split(at);
            next.push_part(&text)?;
            let (mark, tail) = tail.split(UTF8_BOM.len());
            let reasons = RepairReason::Bom.into();
            next.push(&TextSegment { after: &[], reasons, ..mark })?;
            rest = tail;
        }
        next.push_part(&rest)
    }
}
