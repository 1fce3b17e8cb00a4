//! Values of the options of `utf8 repair`.

use clap::ValueEnum;

/// Treatment of U+FEFF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RepairBomArg {
    /// write one if the input starts with one
    Keep,
    /// remove it from the start of each input
    Remove,
    /// remove it inside, too, where joined files have it
    RemoveAll,
    /// start the output, or each file in place, with one
    Add,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormArg {
    /// unchanged
    None,
    /// canonical composition
    Nfc,
    /// canonical decomposition
    Nfd,
    /// compatibility composition
    Nfkc,
    /// compatibility decomposition
    Nfkd,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum NewlinesArg {
    /// unchanged
    Keep,
    /// LF, as on Unix
    Lf,
    /// CR LF, as on Windows and in most protocols
    Crlf,
    /// LF, also for a CR without LF
    LfAll,
    /// CR LF, also for a CR without LF
    CrlfAll,
}
