//! Inputs that are something else than damaged text in the codec.

use crate::cli::args::InputArgs;
use crate::cli::first_block::FirstBlock;
use crate::cli::inputs::NamedInput;
use crate::cli::prose::{grouped, percent};
use crate::cli::shell;
use crate::detect::{Answer, Detection};
use crate::registry::Encoding;
use crate::report::{Format, FormatRow, ReportStyle};
use crate::text::name::InputName;
use crate::validate::FloodJudge;

/// Hides findings of an input that is in another encoding or binary.
pub(super) struct ForeignInputJudge<'a> {
    pub codec: &'static Encoding,
    pub format: &'static FormatRow,
    pub style: ReportStyle,
    pub args: &'a InputArgs,
    pub input: NamedInput<'a>,
    pub name: &'a InputName<'a>,
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

    /// Names the encoding that the input seems to be in, if that is the reason, and the next
    /// command or option.
    fn message(&self, hidden: u64) -> String {
        const SHOW: &str = "--max-shown none shows all";
        let hidden = grouped(hidden);
        let Some(found) = &self.found else { return format!("{hidden} more ({SHOW})") };
        let likely = percent(found.confidence);
        let what = match found.answer {
            Answer::Unknown => "no known encoding".to_owned(),
            Answer::Binary => format!("binary data ({likely})"),
            answer => format!("{} ({likely})", answer.name()),
        };
        match shell::command("detect", self.args, self.input, self.name) {
            Some(command) => format!("{hidden} more; looks like {what}: {command}"),
            None => format!("{hidden} more; looks like {what} ({SHOW})"),
        }
    }
}
