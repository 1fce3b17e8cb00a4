//! Baselines: findings of old text that are not reported.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::cli::inputs;
use crate::cli::output::is_standard_output;
use crate::cli::prose::quoted;
use crate::cli::safe;
use crate::os::calls;
use crate::report::baseline::{Baseline, BaselineError};

/// The largest baseline that is read, in bytes.
const LARGEST: u64 = 256 << 20;

#[derive(Args, Debug)]
pub(super) struct BaselineArgs {
    /// Do not report the findings that FILE knows
    #[arg(long, value_name = "FILE", help_heading = "Configuration", hide_short_help = true)]
    baseline: Option<PathBuf>,

    /// Write all findings to FILE, for --baseline, instead of a report
    #[arg(long, value_name = "FILE", help_heading = "Configuration", hide_short_help = true)]
    #[arg(value_parser = PathBufValueParser::new().try_map(file_name), conflicts_with_all = ["baseline", "instead", "quiet", "max_errors"])]
    pub write_baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// Reads the baseline, if one is named.
    ///
    /// # Errors
    /// It is standard input, or cannot be read; a line is malformed.
    pub fn read(&self) -> anyhow::Result<Option<Baseline>> {
        self.baseline.as_deref().map(read).transpose()
    }

    /// Returns the option that names the baseline, as a shell reads it.
    pub fn option(&self) -> Option<String> {
        let name = |path: &PathBuf| quoted(path.as_os_str());
        self.baseline.as_ref().map(|path| format!("--baseline {}", name(path)))
    }
}

/// Checks that a file to write is none yet, or a baseline: others are not replaced.
///
/// # Errors
/// It is another file, or cannot be read.
pub(super) fn check_old(path: &Path) -> anyhow::Result<()> {
    if !path.metadata().is_ok_and(|found| found.is_file()) {
        return Ok(());
    }
    let is_baseline = calls::open_nonblocking(path)
        .is_ok_and(|file| Baseline::read(&mut BufReader::new(file).take(LARGEST)).is_ok());
    anyhow::ensure!(
        is_baseline,
        "--write-baseline {}: is no baseline (remove it, or write to another file)",
        safe(path)
    );
    Ok(())
}

/// Returns the name of a file unless it stands for standard output.
fn file_name(path: PathBuf) -> Result<PathBuf, &'static str> {
    match is_standard_output(&path) {
        true => Err("goes to a file only (--format baseline writes to standard output)"),
        false => Ok(path),
    }
}

/// Reads a baseline.
///
/// # Errors
/// It is standard input, or cannot be read; a line is malformed.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Baseline> {
    anyhow::ensure!(
        path.as_os_str() != "-",
        "--baseline -: name a file (standard input is not read)"
    );
    let name = safe(path);
    let file = File::open(path).map_err(|error| trouble(&name, &error))?;
    if let Ok(file) = file.metadata() {
        inputs::protect(&file, "the baseline");
    }
    let mut text = BufReader::new(file).take(LARGEST + 1);
    let read = Baseline::read(&mut text).map_err(|error| match error {
        BaselineError::Io(error) => trouble(&name, &error),
        BaselineError::Line(line) => {
            anyhow::anyhow!("--baseline {name}:{line}: expected HASH, NUMBER, KIND and NAME")
        }
    });
    anyhow::ensure!(text.limit() > 0, "--baseline {name}: is larger than 256 MiB");
    read
}

/// Returns the message of an error of reading.
fn trouble(name: &str, error: &io::Error) -> anyhow::Error {
    let text = calls::error_text(error);
    anyhow::anyhow!("--baseline {name}: {text} (--write-baseline writes one)")
}
