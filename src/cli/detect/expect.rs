//! Is it what was expected?

use crate::cli::args::unknown;
use crate::codec::Group;
use crate::detect::{Answer, Detection, NAMES};
use crate::registry::{Encoding, loose};

/// What an input is expected to be in.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedCodec {
    /// The name of a codec, of an encoding without one, or of another answer.
    pub name: &'static str,
}

/// The encoding of this label, which is matched loosely.
pub(super) fn parse(label: &str) -> Result<ExpectedCodec, String> {
    let other = || NAMES.iter().copied().find(|name| loose(name) == loose(label));
    match Encoding::for_label(label).map(|codec| codec.name).or_else(other) {
        Some(name) => Ok(ExpectedCodec { name }),
        None => Err(unknown(label)),
    }
}

/// Codecs that differ from UTF-8 by a signature.
const SIGNED: &str = "utf-8-bom";
const UNSIGNED: &str = "utf-8n";

/// Answers, and codecs that read all of them alike.
const SUPERSETS: [(&str, &str); 2] = [("gbk", "gb18030"), ("big5", "big5-hkscs")];

impl ExpectedCodec {
    /// Whether only UTF-8 is.
    pub fn is_utf8(&self) -> bool {
        ["utf-8", "us-ascii", SIGNED, UNSIGNED].contains(&self.name)
    }

    /// Whether this is it.
    pub fn is(&self, verdict: &Detection) -> bool {
        let signature = verdict.evidence.signature;
        let answer = verdict.answer.name();
        match (self.name, answer) {
            ("utf-8", "us-ascii") => true,
            (SIGNED, "utf-8" | "us-ascii") => signature.is_some(),
            (UNSIGNED, "utf-8" | "us-ascii") => signature.is_none(),
            (name, answer) if name == answer => true,
            (name, _) if signature.is_some_and(|signature| signature.form == name) => {
                !matches!(verdict.answer, Answer::Damaged)
            }
            _ => self.reads_alike(verdict),
        }
    }

    /// Whether the codec makes the same text of the input as the answer.
    fn reads_alike(&self, verdict: &Detection) -> bool {
        let answer = verdict.answer.name();
        match Encoding::for_label(self.name) {
            Some(codec) if answer == "us-ascii" => {
                codec.properties.transparent || codec.group == Group::EastAsia
            }
            _ if SUPERSETS.contains(&(answer, self.name)) => true,
            _ => verdict.equivalents().iter().any(|candidate| candidate.answer.name() == self.name),
        }
    }
}
