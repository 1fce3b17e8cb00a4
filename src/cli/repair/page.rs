//! Code pages of double encoding: `--undo-mojibake=PAGE`.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::cli::args::CodecParser;
use crate::registry::{CODECS, Encoding};
use crate::repair::MojibakeOptions;

/// Parses the name of a code page, and offers the names for completion.
#[derive(Clone, Debug)]
pub(super) struct UndoingParser;

impl TypedValueParser for UndoingParser {
    type Value = MojibakeOptions;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<MojibakeOptions, clap::Error> {
        CodecParser.try_map(named).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let pages = CODECS.iter().filter(|spec| MojibakeOptions::named(spec).is_some());
        Some(Box::new(pages.map(|spec| PossibleValue::new(spec.name).help(spec.summary))))
    }
}

fn named(page: &'static Encoding) -> Result<MojibakeOptions, String> {
    let hint = "is not a single-byte code page over ASCII, as windows-1252 is";
    MojibakeOptions::named(page).ok_or_else(|| format!("{} {hint}", page.name))
}
