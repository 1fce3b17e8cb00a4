//! Which choices do the options of a repair give?

use clap::ValueEnum;

use crate::policy::Bom;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArg {
    /// a line for each change, with --verbose
    Text,
    /// JSON Lines
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormArg {
    /// as it is
    None,
    /// composed
    Nfc,
    /// decomposed
    Nfd,
    /// composed, without what only compatibility tells apart
    Nfkc,
    /// decomposed, without what only compatibility tells apart
    Nfkd,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum NewlinesArg {
    /// as they do
    Keep,
    /// with LF, as on Unix
    Lf,
    /// with CR LF, as on Windows and in most protocols
    Crlf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum BomArg {
    /// that of each input stays, where there is one
    Keep,
    /// that of each input is left out
    Remove,
    /// what is written starts with one; in place, each file
    Add,
}

impl From<BomArg> for Bom {
    fn from(arg: BomArg) -> Bom {
        match arg {
            BomArg::Keep => Bom::Keep,
            BomArg::Remove => Bom::Remove,
            BomArg::Add => Bom::Add,
        }
    }
}
