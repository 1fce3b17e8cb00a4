//! Which choices do the options of a repair give?

use clap::ValueEnum;

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
