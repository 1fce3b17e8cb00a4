//! Inputs that are something else than damaged text in the codec.

use std::io::{self, IsTerminal};

use crate::cli::args::InputArgs;
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::NamedInput;
use crate::cli::prose::percent;
use crate::cli::shell::{self, EXAMINE};
use crate::detect::{Answer, Detection};
use crate::registry::Encoding;
use crate::report::{Format, FormatRow, ReportStyle};
use crate::text::name::InputName;
use crate::text::number::grouped;
use crate::validate::FloodJudge;

/// The confidence below which a few findings say nothing of another encoding.
const LEAST_CERTAIN: f64 = 0.9;

/// Hides findings of an input that is in another encoding or binary.
pub(super) struct ForeignInputJudge<'a> {
    pub codec: &'static Encoding,
    pub format: &'static FormatRow,
    pub style: ReportStyle,
    pub args: &'a InputArgs,
    pub input: NamedInput<'a>,
    pub name: &'a InputName<'a>,
    /// True if the list goes to standard output: on a terminal, a pause of the input decides.
    pub is_standard_output: bool,
    /// The detected encoding, if findings are hidden.
    pub found: Option<Detection>,
}

impl FloodJudge for ForeignInputJudge<'_> {
    fn open(&self) -> Box<dyn Format> {
        (self.format.open)(self.style)
    }

    fn hides(&mut self, offset: u64, block: &[u8]) -> bool {
        self.found = FirstBlock { offset, bytes: block.to_vec() }.foreign_encoding(self.codec);
        self.found.is_some()
    }

    fn decides_at_pauses(&self) -> bool {
        self.is_standard_output && io::stdout().is_terminal()
    }

    fn examines_few(&self) -> bool {
        !self.input.is_found()
    }

    /// Names the encoding that the input seems to be in, if that is the reason, and the next
    /// command or option.
    fn message(&self, hidden: u64) -> String {
        const SHOW: &str = "--max-shown none shows all";
        let hidden = grouped(hidden);
        let Some(found) = &self.found else { return format!("{hidden} more ({SHOW})") };
        let likeness = describe(found);
        match self.detect_command() {
            Some(command) => format!("{hidden} more; {likeness}: {command}"),
            None => format!("{hidden} more; {likeness} ({SHOW})"),
        }
    }
}

impl ForeignInputJudge<'_> {
    /// Names the encoding that an input with few findings, which are all shown, is very likely to
    /// be in, and the next command.
    pub fn advice(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        let is_named = !matches!(found.answer, Answer::Unknown);
        let likeness = (is_named && found.confidence >= LEAST_CERTAIN).then(|| describe(found))?;
        Some(match self.detect_command() {
            Some(command) => format!("{likeness}: {command}"),
            None => likeness,
        })
    }

    fn detect_command(&self) -> Option<String> {
        shell::command(EXAMINE, self.args, self.input, self.name)
    }
}

/// Names the encoding that an input seems to be in.
fn describe(found: &Detection) -> String {
    let likely = percent(found.confidence);
    match found.answer {
        Answer::Unknown => "looks like no known encoding".to_owned(),
        Answer::Binary => format!("looks like binary data ({likely})"),
        answer => format!("looks like {} ({likely})", answer.name()),
    }
}
