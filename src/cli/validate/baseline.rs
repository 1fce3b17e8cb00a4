//! Baselines: findings of old text that are not reported.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::cli::inputs;
use crate::cli::output::is_standard_output;
use crate::cli::prose::quoted;
use crate::cli::safe;
use crate::cli::session::reason;
use crate::os::calls;
use crate::os::replace::Replacement;
use crate::report::baseline::{Baseline, BaselineError, PrunedBaseline};
use crate::text::number::{counted, grouped};

/// The largest baseline that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The error of a larger one.
const TOO_LARGE: &str = "is larger than 256 MiB";

#[derive(Args, Debug)]
pub(super) struct BaselineArgs {
    /// Do not report the findings that FILE knows
    #[arg(long, value_name = "FILE", help_heading = "Configuration", hide_short_help = true)]
    baseline: Option<PathBuf>,

    /// Remove from the baseline what is not found any more
    #[arg(long, help_heading = "Configuration", hide_short_help = true, requires = "baseline")]
    #[arg(conflicts_with_all = ["instead", "quiet", "max_errors", "text", "hex", "skip", "length"])]
    prune_baseline: bool,

    /// Write all findings to FILE, for --baseline, instead of a report
    #[arg(long, value_name = "FILE", help_heading = "Configuration", hide_short_help = true)]
    #[arg(value_parser = PathBufValueParser::new().try_map(file_name), conflicts_with_all = ["baseline", "instead", "quiet", "max_errors"])]
    pub write_baseline: Option<PathBuf>,
}

impl BaselineArgs {
    /// Reads the baseline, if one is named.
    ///
    /// # Errors
    /// It cannot be read; a line is malformed.
    pub fn read(&self) -> anyhow::Result<Option<Baseline>> {
        let read = |path| if self.prune_baseline { read_to_prune(path) } else { read(path) };
        self.baseline.as_deref().map(read).transpose()
    }

    /// Reduces the baseline to what a run found, if that is wanted. Returns a report.
    ///
    /// # Errors
    /// The file cannot be read or replaced; no file of the baseline is here.
    pub fn prune(&self, baseline: Option<&Baseline>) -> anyhow::Result<Option<String>> {
        let Some((path, baseline)) = self.baseline.as_deref().zip(baseline) else {
            return Ok(None);
        };
        if !self.prune_baseline {
            return Ok(None);
        }
        let name = safe(path);
        let failed = |error: &io::Error| anyhow::anyhow!("{name}: {}", reason(error));
        let mut text = open(path, &name)?;
        let (replacement, file) = Replacement::begin_file(path).map_err(|error| failed(&error))?;
        let mut out = BufWriter::new(file);
        let pruned = baseline
            .prune(&mut text, &mut out, exists)
            .map_err(|error| baseline_error(&name, error))
            .and_then(|pruned| out.flush().map(|()| pruned).map_err(|error| failed(&error)));
        let is_elsewhere = |pruned: &PrunedBaseline| pruned.removed > 0 && !pruned.has_files;
        let pruned = match pruned {
            Ok(pruned) if pruned.removed > 0 && !is_elsewhere(&pruned) => {
                replacement.commit_after(Ok(())).map_err(|error| failed(&error))?;
                pruned
            }
            left => {
                replacement.discard().map_err(|error| failed(&error))?;
                left?
            }
        };
        anyhow::ensure!(
            !is_elsewhere(&pruned),
            "{name}: unchanged, because none of its files is here (names count from the directory \
             where it was written)"
        );
        let removed = counted(pruned.removed, "finding");
        Ok(Some(format!("utf8: {name}: {removed} removed, {} left", grouped(pruned.kept))))
    }

    /// Returns `true` if what is not found is removed.
    pub fn prunes(&self) -> bool {
        self.prune_baseline
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
    let is_baseline = calls::open_at_once(path)
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
/// It cannot be read; a line is malformed.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Baseline> {
    let name = safe(path);
    let mut text = open(path, &name)?.take(LARGEST + 1);
    let read = Baseline::read(&mut text).map_err(|error| baseline_error(&name, error));
    anyhow::ensure!(text.limit() > 0, "--baseline {name}: {TOO_LARGE}");
    read
}

/// Reads a baseline that is reduced after the run.
///
/// # Errors
/// Those of [`read`]; it is no regular file.
fn read_to_prune(path: &Path) -> anyhow::Result<Baseline> {
    let name = safe(path);
    let mut text = open(path, &name)?;
    let found = text.get_ref().metadata().map_err(|error| trouble(&name, &error))?;
    anyhow::ensure!(found.is_file(), "--baseline {name}: --prune-baseline needs a regular file");
    anyhow::ensure!(found.len() <= LARGEST, "--baseline {name}: {TOO_LARGE}");
    Baseline::read_to_prune(&mut text).map_err(|error| baseline_error(&name, error))
}

/// Opens a baseline, which no report replaces.
///
/// # Errors
/// It cannot be opened.
fn open(path: &Path, name: &str) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).map_err(|error| trouble(name, &error))?;
    if let Ok(file) = file.metadata() {
        inputs::protect(&file, "the baseline");
    }
    Ok(BufReader::new(file))
}

/// Returns `true` if the file of a path in a baseline exists, or may: escapes in a path hide its name.
fn exists(path: &[u8]) -> bool {
    let may_be_escaped = path.contains(&b'\\');
    let found = Path::new(OsStr::from_bytes(path)).symlink_metadata();
    may_be_escaped || !found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns the message of an error of a baseline.
fn baseline_error(name: &str, error: BaselineError) -> anyhow::Error {
    match error {
        BaselineError::Io(error) => trouble(name, &error),
        BaselineError::Line(line) => {
            anyhow::anyhow!("--baseline {name}:{line}: expected HASH, NUMBER, KIND and NAME")
        }
    }
}

/// Returns the message of an error of reading.
fn trouble(name: &str, error: &io::Error) -> anyhow::Error {
    let text = calls::error_text(error);
    anyhow::anyhow!("--baseline {name}: {text} (--write-baseline writes one)")
}
