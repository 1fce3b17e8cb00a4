//! Values of the options of `utf8 repair`.

use clap::ValueEnum;

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
}
