//! Directories: the files in them that a command reads.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use clap::{ArgAction, Args};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::args::size;
use super::prose::any_of;

pub(super) use counts::{SkipCause, TreeCounts, count, report_empty, value};
pub(super) use walk::{Tree, TreeEntry, TreeError, UnreadFile};

mod beneath;
mod counts;
mod tracked;
mod walk;

/// The number of bytes at the start of a file in which NUL marks it as binary, as for git.
const BINARY_START: usize = 8000;

/// The help of FILE in commands that walk directories.
pub(super) const FILES_HELP: &str = "Files and directories to read; none or - is standard input";

/// Options that select files in directories.
#[derive(Args, Clone, Debug)]
pub(super) struct TreeArgs {
    /// Accepted and without effect: these commands always walk directories
    #[arg(short, long, help_heading = "Directories", hide = true)]
    recursive: bool,

    /// Read the files that git tracks, ignored or not
    ///
    /// Exactly those that git ls-files lists in each directory, in the current one if no FILE is
    /// named. git runs without hooks and monitors.
    #[arg(long, help_heading = "Directories")]
    tracked: bool,

    /// Enter submodules and other repositories in directories
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    submodules: bool,

    /// Read files that .gitignore and .ignore exclude, too
    ///
    /// Without it, the rules of .gitignore, .ignore, .git/info/exclude and git's global excludes
    /// hold, in a repository or not. Hidden files are read, .git is not.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    no_ignore: bool,

    /// Read only files that match GLOB; !GLOB excludes
    ///
    /// As in .gitignore, relative to the current directory; the last match decides.
    #[arg(short, long, value_name = "GLOB", help_heading = "Directories", action = ArgAction::Append)]
    glob: Vec<String>,

    /// Leave out files and directories that match GLOB
    #[arg(long, value_name = "GLOB", help_heading = "Directories", action = ArgAction::Append, hide_short_help = true)]
    exclude: Vec<String>,

    /// Read only files of this type, by their names: c, py, md, ...
    ///
    /// The types are those of ripgrep (rg --type-list).
    #[arg(long = "type", value_name = "TYPE", help_heading = "Directories", action = ArgAction::Append, hide_short_help = true)]
    types: Vec<String>,

    /// Leave out files that are larger
    #[arg(long, value_name = "BYTES", help_heading = "Directories", value_parser = size, hide_short_help = true)]
    max_filesize: Option<u64>,

    /// Apply these options to files that are named, too
    ///
    /// For hooks that pass the names of changed files: --glob, --exclude, --type and --max-filesize
    /// hold, and binary files are left out. Names are not looked up in .gitignore.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    force_exclude: bool,

    /// Read binary files in directories, too
    ///
    /// A file is binary if its first 8,000 bytes contain NUL, unless it starts with the BOM of
    /// UTF-16 or UTF-32, or --from names such an encoding.
    #[arg(long, help_heading = "Directories", hide_short_help = true)]
    binary: bool,
}

/// The rules that [`TreeArgs`] ask for, compiled.
#[derive(Clone, Debug)]
pub(super) struct TreeRules {
    /// True to list the files that git tracks.
    pub tracked: bool,
    /// True to enter repositories in directories.
    submodules: bool,
    no_ignore: bool,
    globs: Override,
    types: Types,
    max_filesize: Option<u64>,
    /// True to leave out binary files.
    text_only: bool,
    /// True to apply the rules to files that are named.
    force_exclude: bool,
    /// True if options select files by their names.
    selects: bool,
}

impl TreeRules {
    /// Returns `true` if a file that was named is left out.
    pub fn exclude(&self, path: &Path) -> bool {
        if !self.force_exclude {
            return false;
        }
        let path = path.strip_prefix("./").unwrap_or(path);
        let metadata = path.metadata().ok().filter(Metadata::is_file);
        let is_large = |most| metadata.as_ref().is_some_and(|metadata| metadata.len() > most);
        let is_binary = || File::open(path).is_ok_and(|file| is_binary(&file).unwrap_or(false));
        !self.select(path)
            || self.max_filesize.is_some_and(is_large)
            || self.text_only && metadata.is_some() && is_binary()
    }

    /// Returns `true` if the rules for names take a file, by its path without a leading `./`.
    fn select(&self, path: &Path) -> bool {
        let mut ancestors = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        !self.selects
            || !(self.globs.matched(path, false).is_ignore()
                || ancestors.any(|path| self.globs.matched(path, true).is_ignore())
                || self.types.matched(path, false).is_ignore())
    }

    /// Returns advice for a directory in which the rules have left out every file.
    pub fn advice(&self) -> &'static str {
        match self {
            TreeRules { selects: true, .. } => "--glob, --exclude or --type leave out the others",
            TreeRules { tracked: true, .. } => "git add adds files",
            _ => "--no-ignore reads files that .gitignore excludes",
        }
    }
}

impl TreeArgs {
    /// Compiles the rules. `wide` says that the encoding to read has units of several bytes, which
    /// contain NUL.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    pub fn rules(&self, wide: bool) -> anyhow::Result<TreeRules> {
        let unusable = |glob: &&String| glob.is_empty() || glob.starts_with("./");
        if let Some(glob) = self.glob.iter().chain(&self.exclude).find(unusable) {
            anyhow::bail!(
                "'{glob}' matches nothing (globs are relative, as in .gitignore: vendor/)"
            );
        }
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.glob {
            globs.add(glob).map_err(|error| explained("--glob", glob, &error))?;
        }
        for glob in &self.exclude {
            let inverse = format!("!{glob}");
            globs.add(&inverse).map_err(|error| explained("--exclude", glob, &error))?;
        }
        let mut types = TypesBuilder::new();
        if !self.types.is_empty() {
            types.add_defaults();
        }
        for name in &self.types {
            let known = types.definitions();
            if name != "all" && !known.iter().any(|known| known.name() == name) {
                let start = name.get(..1).unwrap_or_default();
                let near = known.iter().map(|known| known.name());
                let near: Vec<_> = near.filter(|known| known.starts_with(start)).take(8).collect();
                let near = if near.is_empty() { "c, md, py, ..." } else { &any_of(&near) };
                anyhow::bail!("--type {}: unknown type (similar: {near})", super::safe(name));
            }
            types.select(name);
        }
        Ok(TreeRules {
            tracked: self.tracked,
            submodules: self.submodules,
            no_ignore: self.no_ignore,
            globs: globs.build()?,
            types: types.build()?,
            max_filesize: self.max_filesize,
            text_only: !(self.binary || wide),
            force_exclude: self.force_exclude,
            selects: !(self.glob.is_empty() && self.exclude.is_empty() && self.types.is_empty()),
        })
    }
}

fn explained(option: &str, glob: &str, error: &ignore::Error) -> anyhow::Error {
    anyhow::anyhow!("{option} {}: {}", super::safe(glob), super::safe(error.to_string()))
}

/// Returns `true` if the start of a file contains NUL without a BOM of UTF-16 or UTF-32. The
/// position of the file does not change.
fn is_binary(file: &File) -> io::Result<bool> {
    let mut start = [0; BINARY_START];
    let len = file.read_at(&mut start, 0)?;
    let wide: [&[u8]; 3] = [b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"];
    let start = &start[..len];
    Ok(memchr::memchr(0, start).is_some() && !wide.iter().any(|bom| start.starts_with(bom)))
}
