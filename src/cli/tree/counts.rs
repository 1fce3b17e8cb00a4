//! Numbers of the files of a directory: those that were offered, and those left out, by cause.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cli::inputs::InputWork;
use crate::cli::repository::REPOSITORY;
use crate::cli::session::Session;
use crate::text::number::grouped;

/// The cause for which an entry of a directory is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum SkipCause {
    /// The file is binary.
    Binary,
    /// The file has NUL and is text otherwise.
    TextWithNul,
    /// .gitattributes says that the file is no text.
    NoText,
    /// The file is larger than the limit.
    Large,
    /// A symbolic link, device, FIFO or socket.
    Special,
    /// A tracked file that is not in the work tree.
    Missing,
    /// A directory with a repository of its own.
    Repository,
    /// The configuration excludes it.
    Excluded,
}

/// The texts about a cause.
struct SkipTexts {
    /// Describes one entry and several, after their number.
    counted: [&'static str; 2],
    /// Describes an entry, and the option that reads it.
    note: &'static str,
    /// The option that reads such entries.
    advice: Option<&'static str>,
}

impl SkipCause {
    const COUNT: usize = 8;

    const ALL: [SkipCause; SkipCause::COUNT] = [
        SkipCause::Binary,
        SkipCause::TextWithNul,
        SkipCause::NoText,
        SkipCause::Large,
        SkipCause::Special,
        SkipCause::Missing,
        SkipCause::Repository,
        SkipCause::Excluded,
    ];

    #[rustfmt::skip]
    fn texts(self) -> SkipTexts {
        let binary = Some("--binary reads binary files");
        let (counted, note, advice) = match self {
            SkipCause::Binary => (["binary file", "binary files"],
                "skipped: binary (--binary reads it)", binary),
            SkipCause::TextWithNul => (["text file with NUL", "text files with NUL"],
                "skipped: text with NUL (--binary, or text in .gitattributes, reads it)", binary),
            SkipCause::NoText => (["that .gitattributes marks as binary"; 2],
                "skipped: -text or binary in .gitattributes (--binary reads it)", binary),
            SkipCause::Large => (["large file", "large files"],
                "skipped: larger than --max-filesize", Some("raise --max-filesize")),
            SkipCause::Special => (["that is no regular file", "that are no regular files"],
                "skipped: no regular file", None),
            SkipCause::Missing => (["not in the work tree"; 2],
                "skipped: tracked, but not in the work tree", None),
            SkipCause::Repository => (["nested repository", "nested repositories"],
                "skipped: a repository of its own (--submodules enters it)", Some("--submodules enters them")),
            SkipCause::Excluded => (["excluded by utf8.toml"; 2],
                "skipped: excluded by utf8.toml", Some("--no-config reads them")),
        };
        SkipTexts { counted, note, advice }
    }

    /// Describes a number of entries, 1 or more.
    fn counted(self, number: u64) -> String {
        format!("{} {}", grouped(number), self.texts().counted[usize::from(number > 1)])
    }

    /// Describes an entry, and the option that reads it.
    pub fn note(self) -> &'static str {
        self.texts().note
    }

    /// Returns `true` if each such entry is named, even without --verbose: it may hide the text that
    /// a check is for.
    pub fn is_named(self) -> bool {
        self == SkipCause::TextWithNul
    }
}

/// The numbers of files of a directory that was named.
#[derive(Debug, Default)]
pub(in crate::cli) struct TreeCounts {
    /// The files that were offered, of which some are then left out.
    files: AtomicU64,
    /// The entries that were left out, by cause.
    skipped: [AtomicU64; SkipCause::COUNT],
    /// The files that were offered, and then left out.
    withdrawn: AtomicU64,
    /// The directories and files that could not be read.
    failed: AtomicU64,
}

/// Adds one to a counter.
pub(in crate::cli) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Returns the value of a counter.
pub(in crate::cli) fn value(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

impl TreeCounts {
    /// Counts a file that is offered.
    pub fn offer(&self) {
        count(&self.files);
    }

    /// Counts a file that was offered and is left out. Without a cause, it is not reported.
    pub fn withdraw(&self, cause: Option<SkipCause>) {
        count(&self.withdrawn);
        if let Some(cause) = cause {
            self.skip(cause);
        }
    }

    /// Counts an entry that is left out.
    pub fn skip(&self, cause: SkipCause) {
        count(&self.skipped[cause as usize]);
    }

    /// Counts a failure.
    pub fn fail(&self) {
        count(&self.failed);
    }

    /// Returns the number of files that were offered, and then left out.
    pub fn withdrawn(&self) -> u64 {
        value(&self.withdrawn)
    }

    /// Returns the number of files that were examined.
    pub fn examined(&self) -> u64 {
        value(&self.files) - self.withdrawn()
    }

    /// Adds the numbers of entries that another directory has left out.
    pub fn add_skipped(&self, other: &TreeCounts) {
        for (to, from) in self.skipped.iter().zip(&other.skipped) {
            to.fetch_add(value(from), Ordering::Relaxed);
        }
    }

    /// Returns the causes for which entries were left out, with the numbers of entries.
    fn causes(&self) -> impl Iterator<Item = (SkipCause, u64)> + '_ {
        let all = SkipCause::ALL.iter().zip(&self.skipped);
        all.map(|(cause, number)| (*cause, value(number))).filter(|(_, number)| *number > 0)
    }

    /// Describes the entries that were left out: `; skipped: 2 binary files`. Returns an empty text
    /// if there are none.
    pub fn describe_skipped(&self) -> String {
        let parts: Vec<_> = self.causes().map(|(cause, number)| cause.counted(number)).collect();
        if parts.is_empty() { String::new() } else { format!("; skipped: {}", parts.join(", ")) }
    }
}

/// Returns `true` if a directory has no entry.
fn is_empty_directory(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Returns `true` if a directory, or one in it, has a file outside of repositories. One that cannot be
/// read may have some.
fn has_files(path: &Path) -> bool {
    let Ok(entries) = fs::read_dir(path) else { return true };
    entries.flatten().any(|entry| {
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        entry.file_name() != REPOSITORY && (!is_directory || has_files(&entry.path()))
    })
}

/// The advice where options select files.
pub(in crate::cli) const SELECTION: &str = "--glob, --exclude or --type leave out the others";

/// Reports the directories in which no file was examined, as failures of the work. `rules` says
/// which options or rules have left out the others.
pub(in crate::cli) fn report_empty(
    session: &mut Session,
    work: &mut impl InputWork,
    trees: &[(PathBuf, Arc<TreeCounts>)],
    rules: &str,
) {
    let is_empty = |counts: &TreeCounts| counts.examined() == 0 && value(&counts.failed) == 0;
    for (root, counts) in trees.iter().filter(|(_, counts)| is_empty(counts)) {
        let advised = |(cause, _): (SkipCause, u64)| Some((cause, cause.texts().advice?));
        let advice = match counts.causes().find_map(advised) {
            // The files of a directory that is excluded may not be selected either.
            Some((SkipCause::Excluded, advice)) if rules == SELECTION => {
                format!("{rules}; {advice}")
            }
            Some((_, advice)) => advice.to_owned(),
            None if is_empty_directory(root) => "the directory is empty".to_owned(),
            None if !has_files(root) => "it has no files".to_owned(),
            None => rules.to_owned(),
        };
        let message = format!("no file to check{} ({advice})", counts.describe_skipped());
        work.fail(session, root, &io::Error::other(message));
    }
}
