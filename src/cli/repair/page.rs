//! Code pages of double encoding: `--undo-mojibake=PAGE`.

use clap::builder::TypedValueParser;

use crate::cli::args::{CodecParser, Offering, offered};
use crate::registry::{CODECS, Encoding};
use crate::repair::MojibakeOptions;

/// Parses the name of a code page.
pub(super) fn parser() -> impl TypedValueParser<Value = MojibakeOptions> {
    let names = || {
        let pages = CODECS.iter().filter(|codec| MojibakeOptions::named(codec).is_some());
        pages.map(offered).collect()
    };
    Offering { parser: CodecParser.try_map(named), names }
}

fn named(page: &'static Encoding) -> Result<MojibakeOptions, String> {
    let hint = "is not a single-byte code page over ASCII, as windows-1252 is";
    MojibakeOptions::named(page).ok_or_else(|| format!("{} {hint}", page.name))
}
