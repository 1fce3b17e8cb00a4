//! Inputs that are something else than damaged text in the codec.

use std::io;
use std::ops::ControlFlow;

use crate::cli::args::InputArgs;
use crate::cli::inputs::NamedInput;
use crate::cli::prose::{grouped, percent};
use crate::cli::shell;
use crate::detect::{Answer, Detection, EvidenceSink};
use crate::issue::{Class, Issue};
use crate::kernel::Kernels;
use crate::registry::Encoding;
use crate::report::{Format, FormatRow, ReportStyle};
use crate::scan::Chunk;
use crate::sink::{Run, Sink};
use crate::text::name::InputName;
use crate::validate::FloodJudge;

/// The confidence below which an encoding is no reason to hide findings.
const LEAST_CONFIDENT: f64 = 0.8;

/// Hides findings of an input that is in another encoding or binary.
pub(super) struct ForeignInputJudge {
    pub codec: &'static Encoding,
    pub kernels: &'static Kernels,
    pub format: &'static FormatRow,
    pub style: ReportStyle,
    /// The detected encoding, if findings are hidden.
    pub found: Option<Detection>,
}

impl FloodJudge for ForeignInputJudge {
    fn open(&self) -> Box<dyn Format> {
        (self.format.open)(self.style)
    }

    fn hides(&mut self, offset: u64, block: &[u8]) -> bool {
        let counts = HighByteCounts::of(self.codec, self.kernels, offset, block);
        if counts.all >= 2 * counts.ill_formed || 3 * counts.complete > counts.ill_formed {
            return false;
        }
        let found = EvidenceSink::gather(offset, block).finish();
        let is_foreign = match found.answer {
            Answer::Damaged => false,
            Answer::Codec(codec) if codec.inner.utf8 || codec.name == "us-ascii" => false,
            Answer::Binary => true,
            // Stray bytes in long ASCII text say little of an encoding.
            _ => found.confidence >= LEAST_CONFIDENT || 4 * counts.ill_formed > block.len(),
        };
        self.found = is_foreign.then_some(found);
        is_foreign
    }
}

/// Counts of the bytes beyond ASCII.
#[derive(Default)]
struct HighByteCounts {
    all: usize,
    /// Those in ill-formed sequences.
    ill_formed: usize,
    /// Those in overlong forms, surrogates and values above the maximum: all bytes of a sequence, as
    /// encoders of other rules write them. In a legacy encoding, few combine by chance.
    complete: usize,
}

impl HighByteCounts {
    /// Counts in bytes that start at an offset.
    fn of(
        codec: &'static Encoding,
        kernels: &'static Kernels,
        offset: u64,
        bytes: &[u8],
    ) -> HighByteCounts {
        let mut counts = HighByteCounts::default();
        let chunk = Chunk { bytes, offset, last: true };
        // The sink returns no errors.
        let _ = (codec.inner.open)(offset).scan(kernels, chunk, &mut counts);
        counts
    }
}

fn high_bytes(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !byte.is_ascii()).count()
}

impl Sink for HighByteCounts {
    fn run(&mut self, run: Run<'_>) -> io::Result<ControlFlow<()>> {
        self.all += high_bytes(run.bytes);
        Ok(ControlFlow::Continue(()))
    }

    fn signature(&mut self, _: u64, _: &[u8]) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn issue(&mut self, issue: &Issue, bytes: &[u8], _: Option<u8>) -> io::Result<ControlFlow<()>> {
        let high = high_bytes(bytes);
        self.all += high;
        self.ill_formed += high;
        if high > 1
            && matches!(issue.kind.class(), Class::Overlong | Class::Surrogate | Class::Range)
        {
            self.complete += high;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns the line about findings that are not shown: the encoding that the input seems to be in,
/// if that is the reason, and the next command or option.
pub(super) fn hidden_line(
    hidden: u64,
    found: Option<&Detection>,
    args: &InputArgs,
    input: NamedInput<'_>,
    name: &InputName<'_>,
) -> String {
    const SHOW: &str = "--max-shown none shows all";
    let hidden = grouped(hidden);
    let Some(found) = found else { return format!("{hidden} more ({SHOW})") };
    let likely = percent(found.confidence);
    let what = match found.answer {
        Answer::Unknown => "no known encoding".to_owned(),
        Answer::Binary => format!("binary data ({likely})"),
        answer => format!("{} ({likely})", answer.name()),
    };
    match shell::command("detect", args, input, name) {
        Some(command) => format!("{hidden} more; looks like {what}: {command}"),
        None => format!("{hidden} more; looks like {what} ({SHOW})"),
    }
}
