//! Directories: the files in them that a command reads.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path};
use std::sync::Arc;

use clap::{ArgAction, Args};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::args::size;
use super::config::{Configuration, DirectorySettings};
use super::paths::{is_empty_pattern, too_large};
use super::prose::{any_of, quoted};
use super::repository::is_nested;
use super::shell::set_flags;
use crate::detect::{CONTENT_START, ContentKind, content_kind, is_binary_format};
use crate::issue::Kind;
use crate::lint::levels::{LevelNames, RuleLevels};
use crate::lint::{Level, Lint};
use crate::os;
use crate::registry::Encoding;
use crate::source::HEAD;

pub(super) use attributes::{FileAttribute, FileAttributes, file_at_fault};
pub(super) use counts::{SkipCause, TreeCounts, count, report_empty, value};
pub(super) use git_config::take_unread_settings;
pub(super) use walk::{NamedFiles, OpenTreeFile, Tree, TreeEntry, TreeError, UnreadFile};

mod attributes;
mod beneath;
mod counts;
mod excludes;
mod git_config;
mod pattern;
mod tracked;
mod walk;

/// The number of bytes at the start of a file that are read first. Smaller files are read once.
const EXAMINED: usize = 16 << 10;

const _: () = assert!(EXAMINED > CONTENT_START);

/// The start of a pointer of Git LFS.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// The help of FILE in commands that walk directories.
pub(super) const FILES_HELP: &str = "Files and directories; none or - is standard input";

/// Options of commands that read directories.
#[derive(Args, Clone, Debug)]
pub(super) struct TreeArgs {
    /// Accepted and without effect: these commands always walk directories
    #[arg(short, long, help_heading = HEADING, hide = true)]
    recursive: bool,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Read binary files in directories, too
    ///
    /// Also those that .gitattributes marks as binary or -text.
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    binary: bool,
}

impl TreeArgs {
    /// Returns the options as a shell reads them.
    pub fn options(&self) -> Vec<String> {
        let mut options = self.selection.options();
        options.extend(set_flags(&[(self.binary, "--binary")]));
        options
    }
}

/// The heading of options for directories.
pub(super) const HEADING: &str = "Directories";

/// Options that select files in directories.
#[derive(Args, Clone, Debug)]
pub(super) struct SelectionArgs {
    /// Read the files that git tracks, ignored or not
    ///
    /// Exactly those that git ls-files lists in each directory, in the current one if no FILE is
    /// named. git runs without hooks and monitors.
    #[arg(long, help_heading = HEADING)]
    pub tracked: bool,

    /// Enter submodules and other repositories in directories
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    submodules: bool,

    /// Read files that .gitignore and .ignore exclude, too
    ///
    /// Without it, the rules of .gitignore, .ignore, .git/info/exclude and core.excludesFile of git
    /// hold, in a repository or not. Hidden files are read, .git is not.
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    no_ignore: bool,

    /// Read only files that match GLOB; !GLOB excludes
    ///
    /// As in .gitignore, relative to the current directory; the last match decides.
    #[arg(short, long, value_name = "GLOB", help_heading = HEADING, action = ArgAction::Append)]
    glob: Vec<String>,

    /// Leave out files and directories that match GLOB
    #[arg(long, value_name = "GLOB", help_heading = HEADING, action = ArgAction::Append, hide_short_help = true)]
    exclude: Vec<String>,

    /// Read only files of this type, by their names: c, py, md, ...
    ///
    /// The types are those of ripgrep (rg --type-list).
    #[arg(long = "type", value_name = "TYPE", help_heading = HEADING, action = ArgAction::Append, hide_short_help = true)]
    types: Vec<String>,

    /// Leave out files that are larger
    #[arg(long, value_name = "BYTES", help_heading = HEADING, value_parser = size, hide_short_help = true)]
    max_filesize: Option<u64>,

    /// Apply these options to what is named, too
    ///
    /// For hooks that pass the names of changed files: --glob, --exclude, --type, --max-filesize and
    /// .gitattributes hold, and binary files are left out. Names are not looked up in .gitignore.
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub force_exclude: bool,
}

impl SelectionArgs {
    /// Returns the options as a shell reads them.
    fn options(&self) -> Vec<String> {
        let SelectionArgs { tracked, submodules, no_ignore, .. } = self;
        let SelectionArgs { glob, exclude, types, max_filesize, force_exclude, .. } = self;
        let lists = [("--glob", glob), ("--exclude", exclude), ("--type", types)];
        let lists = lists.into_iter().flat_map(|(option, values)| {
            values.iter().map(move |value| format!("{option} {}", quoted(value.as_ref())))
        });
        let flags = [
            (*tracked, "--tracked"),
            (*submodules, "--submodules"),
            (*no_ignore, "--no-ignore"),
            (*force_exclude, "--force-exclude"),
        ];
        let size = max_filesize.map(|size| format!("--max-filesize {size}"));
        lists.chain(size).chain(set_flags(&flags)).collect()
    }
}

/// Rules for a file that need its content or its metadata.
#[derive(Clone, Copy, Debug)]
struct ContentRules {
    max_filesize: Option<u64>,
    /// True to read binary files, too.
    binary: bool,
    /// The encoding that the command line names for all files.
    from: Option<&'static Encoding>,
    /// True if encodings that are declared do not count.
    ignores_declared: bool,
}

impl ContentRules {
    /// Returns `true` if a file is read in the encoding that is declared for it.
    fn obeys_declared(&self) -> bool {
        self.from.is_none() && !self.ignores_declared
    }

    /// Checks the attributes of a file.
    ///
    /// # Errors
    /// It is left out; it is declared to be in an encoding without a codec.
    fn check_attribute(&self, attribute: &FileAttribute) -> Result<(), UnreadFile> {
        match attribute {
            FileAttribute::Binary if !self.binary => Err(SkipCause::NoText.into()),
            FileAttribute::Unknown(message) if self.obeys_declared() => {
                Err(io::Error::other(message.clone()).into())
            }
            _ => Ok(()),
        }
    }

    /// Checks the size of a file.
    ///
    /// # Errors
    /// It is left out.
    fn check_size(&self, metadata: &Metadata) -> Result<(), UnreadFile> {
        match self.max_filesize.is_some_and(|most| metadata.len() > most) {
            true => Err(SkipCause::Large.into()),
            false => Ok(()),
        }
    }

    /// Returns the reading of a file. `levels` are those of the rules that check it, if any do: text
    /// with NUL is read to report NUL, and UTF-16 or UTF-32 that is allowed in its encoding.
    ///
    /// # Errors
    /// It is left out; it cannot be read.
    fn judge(
        &self,
        file: &File,
        start: &FileStart,
        attributes: &FileAttributes,
        levels: impl Fn() -> Option<RuleLevels>,
    ) -> Result<FileReading, UnreadFile> {
        // Code units of several bytes contain NUL.
        if self.from.is_some_and(|codec| !codec.has_byte_units()) {
            return Ok(FileReading::AsNamed);
        }
        if let FileAttribute::Encoding(codec) = attributes.content
            && self.obeys_declared()
        {
            return Ok(match start.bytes.starts_with(POINTER) {
                true => FileReading::AsNamed,
                false => FileReading::Declared(codec),
            });
        }
        match start.content(file)? {
            ContentKind::CodeUnits(codec) if self.from.is_none() => {
                let is_allowed = |levels: RuleLevels| levels.of_kind(Kind::NotUtf8) == Level::Allow;
                Ok(match levels().is_some_and(is_allowed) {
                    true => FileReading::Declared(codec),
                    false => FileReading::Foreign(codec),
                })
            }
            ContentKind::Binary
                if !self.binary && (!attributes.is_text || is_binary_format(&start.bytes)) =>
            {
                Err(SkipCause::Binary.into())
            }
            ContentKind::TextWithNul
                if !self.binary
                    && !attributes.is_text
                    && levels().is_none_or(|levels| levels.of(Lint::Nul) == Level::Allow) =>
            {
                Err(SkipCause::TextWithNul.into())
            }
            ContentKind::Text
            | ContentKind::TextWithNul
            | ContentKind::Binary
            | ContentKind::CodeUnits(_) => Ok(FileReading::AsNamed),
        }
    }
}

/// The way to read a file of a directory.
#[derive(Clone, Copy, Debug)]
pub(super) enum FileReading {
    /// In the encoding that the command line names, or UTF-8.
    AsNamed,
    /// In the encoding that .gitattributes declares, or that the file is in where rules allow it.
    Declared(&'static Encoding),
    /// Text in UTF-16 or UTF-32 that nothing declares.
    Foreign(&'static Encoding),
}

/// The rules that [`TreeArgs`] ask for, compiled.
#[derive(Clone, Debug)]
pub(super) struct TreeRules {
    /// The settings of files, if they hold.
    config: Option<Arc<Configuration>>,
    /// The levels of rules that the command line names, if files are checked.
    levels: Option<Arc<LevelNames>>,
    /// True to list the files that git tracks.
    pub tracked: bool,
    /// True to enter repositories in directories.
    submodules: bool,
    no_ignore: bool,
    globs: Override,
    types: Option<Types>,
    content: ContentRules,
    /// True to walk directories that are named.
    pub walks: bool,
    /// True to apply the rules to files that are named.
    pub force_exclude: bool,
    /// True if options select files by their names.
    selects: bool,
}

impl TreeRules {
    /// Reads files by their settings.
    pub fn with_configuration(mut self, config: Arc<Configuration>) -> TreeRules {
        self.config = Some(config);
        self
    }

    /// Reads files to check them. `levels` are those of rules that the command line names.
    pub fn with_levels(mut self, levels: LevelNames) -> TreeRules {
        self.levels = Some(Arc::new(levels));
        self
    }

    /// Reads files as if no encoding were declared.
    pub fn ignoring_declared(mut self) -> TreeRules {
        self.content.ignores_declared = true;
        self
    }

    /// Returns the settings of a directory, if any hold.
    fn settings_of(&self, directory: &Path) -> Option<Arc<DirectorySettings>> {
        self.config.as_ref()?.directory(directory)
    }

    /// Returns `true` if the rules of .gitignore and the like hold.
    fn excludes_files(&self) -> bool {
        !self.tracked && !self.no_ignore
    }

    /// Returns `true` if the options for names take a file or directory.
    fn select(&self, path: &Path, is_dir: bool) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut ancestors = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        !self.selects
            || !(self.globs.matched(path, is_dir).is_ignore()
                || ancestors.any(|path| self.globs.matched(path, true).is_ignore())
                || self.has_other_type(path, is_dir))
    }

    /// Returns `true` if types are selected, and a file has none of them.
    fn has_other_type(&self, path: &Path, is_dir: bool) -> bool {
        self.types.as_ref().is_some_and(|types| types.matched(path, is_dir).is_ignore())
    }

    /// Returns `true` if the rules for names take a file or directory that is named. Like directories,
    /// they leave out symbolic links and repositories in others.
    pub fn take(&self, path: &Path) -> bool {
        let is_dir = path.is_dir();
        if path.is_symlink() || is_dir && !self.submodules && is_nested(path) {
            return false;
        }
        // Patterns do not match . and .. in place of a name.
        let has_name = matches!(path.components().next_back(), Some(Component::Normal(_)));
        let exclusion = || self.config.as_ref()?.exclusion(path, is_dir);
        (!has_name || self.select(path, is_dir)) && exclusion().is_none()
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
    /// Compiles the rules. `from` is the encoding that the command line names for all files.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    pub fn rules(&self, from: Option<&'static Encoding>) -> anyhow::Result<TreeRules> {
        self.selection.rules(true, from, self.binary)
    }
}

impl SelectionArgs {
    /// Returns the option that selects files, if there is one, and `true` if it is only for
    /// directories.
    pub fn first_option(&self) -> Option<(&'static str, bool)> {
        let options = [
            ("--tracked", self.tracked, true),
            ("--submodules", self.submodules, true),
            ("--no-ignore", self.no_ignore, true),
            ("--glob", !self.glob.is_empty(), false),
            ("--exclude", !self.exclude.is_empty(), false),
            ("--type", !self.types.is_empty(), false),
            ("--max-filesize", self.max_filesize.is_some(), false),
        ];
        let mut given = options.into_iter().filter(|(_, is_given, _)| *is_given);
        given.next().map(|(name, _, for_directories)| (name, for_directories))
    }

    /// Compiles the rules. `walks` says to walk directories, `from` is the encoding that the command
    /// line names for all files, and `binary` says to read binary files, too.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    pub fn rules(
        &self,
        walks: bool,
        from: Option<&'static Encoding>,
        binary: bool,
    ) -> anyhow::Result<TreeRules> {
        let unusable = |glob: &&String| {
            is_empty_pattern(glob) || glob.strip_prefix('!').unwrap_or(glob).starts_with("./")
        };
        if let Some(glob) = self.glob.iter().chain(&self.exclude).find(unusable) {
            anyhow::bail!(
                "'{}' matches nothing (globs are relative, as in .gitignore: vendor/)",
                super::safe(glob)
            );
        }
        // An empty set of patterns is compiled, too, which takes as long as a small file.
        let has_globs = !(self.glob.is_empty() && self.exclude.is_empty());
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.glob {
            globs.add(glob).map_err(|error| explained("--glob", glob, &error))?;
            // Files match no glob of directories.
            if let Some(content) = content_glob(glob) {
                globs.add(&content).map_err(|error| explained("--glob", glob, &error))?;
            }
        }
        for glob in &self.exclude {
            let inverse = format!("!{glob}");
            globs.add(&inverse).map_err(|error| explained("--exclude", glob, &error))?;
        }
        Ok(TreeRules {
            config: None,
            levels: None,
            tracked: self.tracked,
            submodules: self.submodules,
            no_ignore: self.no_ignore,
            globs: match has_globs {
                true => globs.build().map_err(|_| self.unbuilt())?,
                false => Override::empty(),
            },
            types: self.compiled_types()?,
            content: ContentRules {
                max_filesize: self.max_filesize,
                binary,
                from,
                ignores_declared: false,
            },
            walks,
            force_exclude: self.force_exclude,
            selects: has_globs || !self.types.is_empty(),
        })
    }

    /// Compiles the types; `None` if there are none. An empty set of them counts the cores.
    fn compiled_types(&self) -> anyhow::Result<Option<Types>> {
        if self.types.is_empty() {
            return Ok(None);
        }
        let mut types = TypesBuilder::new();
        types.add_defaults();
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
        Ok(Some(types.build()?))
    }

    /// Returns the error of globs that cannot be compiled: of the first that cannot alone, or of the
    /// longest.
    fn unbuilt(&self) -> anyhow::Error {
        let all = [("--glob", &self.glob), ("--exclude", &self.exclude)];
        let globs =
            || all.iter().flat_map(|(option, globs)| globs.iter().map(move |it| (*option, it)));
        let is_unbuilt = |glob: &str| {
            let mut alone = OverrideBuilder::new(".");
            alone.add(glob).is_ok_and(|alone| alone.build().is_err())
        };
        let first = globs().find(|(_, glob)| is_unbuilt(glob));
        let found = first.or_else(|| globs().max_by_key(|(_, glob)| glob.len()));
        let (option, glob) = found.map_or(("", ""), |(option, glob)| (option, glob));
        anyhow::anyhow!("{option} {}", super::safe(too_large(glob)))
    }
}

/// Returns the glob of everything in the directories that a glob selects; `None` if it excludes, or is
/// not for directories alone.
fn content_glob(glob: &str) -> Option<String> {
    let directory = glob.strip_suffix('/').filter(|_| !glob.starts_with('!'))?;
    // A name is that of a directory anywhere, but a path with a slash is relative.
    let anywhere = if directory.contains('/') { "" } else { "**/" };
    Some(format!("{anywhere}{directory}/**"))
}

fn explained(option: &str, glob: &str, error: &ignore::Error) -> anyhow::Error {
    anyhow::anyhow!("{option} {}: {}", super::safe(glob), super::safe(error.to_string()))
}

/// The first bytes of a file.
#[derive(Debug)]
struct FileStart {
    bytes: Arc<Vec<u8>>,
    /// True if they are the whole file, which one read has returned.
    is_whole: bool,
}

impl FileStart {
    /// Reads the start of a file. The position of the file does not change.
    fn read(file: &File, metadata: &Metadata) -> io::Result<FileStart> {
        // One byte more than the file has, to see its end.
        let most = metadata.len().saturating_add(1).min(EXAMINED as u64);
        let mut bytes = vec![0; most as usize];
        let len = os::read_at(file, &mut bytes, 0)?;
        bytes.truncate(len);
        let is_whole = len as u64 == metadata.len() && len < EXAMINED;
        Ok(FileStart { bytes: Arc::new(bytes), is_whole })
    }

    /// Returns the content of the file.
    fn content(&self, file: &File) -> io::Result<ContentKind> {
        match content_kind(&self.bytes) {
            ContentKind::Binary | ContentKind::TextWithNul if !self.is_whole => {
                // More bytes tell code units from binary data.
                let mut start = vec![0; HEAD];
                let len = os::read_at(file, &mut start, 0)?;
                Ok(content_kind(&start[..len]))
            }
            kind => Ok(kind),
        }
    }
}
