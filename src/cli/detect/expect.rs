//! Expected encodings: `--expect`.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::cli::args::{Offering, offered, unknown};
use crate::codec::legacy::SETS;
use crate::detect::{Answer, Detection, FOREIGN};
use crate::registry::names::resolve;
use crate::registry::{CODECS, Encoding, matches_loosely};

/// An expected encoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedCodec {
    /// The name of a codec, of an encoding without a codec, or of another answer.
    pub name: &'static str,
}

/// Parses a label of an encoding, by loose matching.
pub(super) fn parser() -> impl TypedValueParser<Value = ExpectedCodec> {
    let parse = |label: String| expected(&label);
    Offering {
        parser: StringValueParser::new().try_map(parse),
        names: || CODECS.iter().map(offered).chain(others().map(PossibleValue::new)).collect(),
    }
}

fn expected(label: &str) -> Result<ExpectedCodec, String> {
    if label.is_empty() {
        return Err("needs the name of an encoding, as in --expect utf-8".to_owned());
    }
    let other = || others().find(|name| matches_loosely(name, label));
    match (resolve(label), other()) {
        (Ok(codec), _) => Ok(ExpectedCodec { name: codec.name }),
        (_, Some(name)) => Ok(ExpectedCodec { name }),
        (Err(reason), None) => Err(unknown(label, reason)),
    }
}

/// Returns the answers that are no codecs.
fn others() -> impl Iterator<Item = &'static str> {
    Answer::FIXED.iter().map(Answer::name).chain(FOREIGN.iter().copied())
}

/// Codecs that differ from UTF-8 by the signature.
const SIGNED: &str = "utf-8-bom";
const UNSIGNED: &str = "utf-8n";

/// Returns the name of a codec that decodes all texts in a multi-byte set to the same text.
fn superset(answer: &str) -> Option<&'static str> {
    SETS.iter().find(|set| set.name == answer)?.superset
}

impl ExpectedCodec {
    /// Returns `true` if only UTF-8 is as expected.
    pub fn is_utf8(&self) -> bool {
        ["utf-8", "us-ascii", SIGNED, UNSIGNED].contains(&self.name)
    }

    /// Returns `true` if the verdict is as expected.
    pub fn is(&self, verdict: &Detection) -> bool {
        let signature = verdict.evidence.signature;
        let answer = verdict.answer.name();
        match (self.name, answer) {
            ("utf-8", "us-ascii") => true,
            (SIGNED, "utf-8" | "us-ascii") => signature.is_some(),
            (UNSIGNED, "utf-8" | "us-ascii") => signature.is_none(),
            (name, answer) if name == answer => true,
            (name, _)
                if signature.is_some_and(|signature| {
                    signature.form == name.strip_suffix("-bom").unwrap_or(name)
                }) =>
            {
                !matches!(verdict.answer, Answer::Damaged)
            }
            _ => self.reads_alike(verdict),
        }
    }

    /// Returns `true` if the codec decodes the input to the same text as the answer.
    fn reads_alike(&self, verdict: &Detection) -> bool {
        let answer = verdict.answer.name();
        match Encoding::for_label(self.name) {
            Some(codec) if answer == "us-ascii" => {
                let is_same = |byte: u8| codec.code_point(byte) == Some(byte.into());
                codec.properties.transparent
                    || codec.group.is_east_asian() && (b' '..=b'~').all(is_same)
            }
            _ if superset(answer) == Some(self.name) => true,
            _ => verdict.equivalents().iter().any(|candidate| candidate.answer.name() == self.name),
        }
    }
}
