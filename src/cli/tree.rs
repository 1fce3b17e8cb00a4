//! Directories: the options that select files in them, and the rules that these options ask for.

use std::path::{Component, Path};
use std::sync::Arc;

use clap::{ArgAction, Args};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::args::{DefaultInput, size};
use super::config::{Configuration, DirectorySettings};
use super::paths::{is_empty_pattern, too_large};
use super::prose::{any_of, quoted};
use super::repository::is_nested;
use super::shell::set_flags;
use crate::lint::levels::LevelNames;
use crate::registry::Encoding;
use content::ContentRules;

pub(super) use attributes::{FileAttribute, FileAttributes, file_at_fault};
pub(super) use content::FileReading;
pub(super) use counts::{SkipCause, TreeCounts, count, report_empty, value};
pub(super) use git_config::take_unread_settings;
pub(super) use open_file::{NamedFiles, OpenTreeFile, TreeError, UnreadFile};
pub(super) use walk::{Tree, TreeEntry};

mod attributes;
mod beneath;
mod content;
mod counts;
mod excludes;
mod git_config;
mod open_file;
mod pattern;
mod tracked;
mod walk;

/// The help of FILE in commands that walk directories.
pub(super) const FILES_HELP: &str = "Files and directories; none or - is standard input";

/// Options of commands that read directories.
#[derive(Args, Clone, Debug)]
pub(super) struct TreeArgs {
    /// Accepted and without effect: these commands always walk directories
    #[arg(short, long, help_heading = HEADING, hide = true)]
    recursive: bool,

    #[command(flatten)]
    pub selection: SelectionArgs,

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

    /// Compiles the rules. `from` is the encoding that the command line names for all files.
    ///
    /// # Errors
    /// A glob is malformed, or a type is unknown.
    pub fn rules(&self, from: Option<&'static Encoding>) -> anyhow::Result<TreeRules> {
        self.selection.rules(true, from, self.binary)
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
    /// Returns the input where no file is named.
    pub fn default_input(&self) -> DefaultInput {
        if self.tracked { DefaultInput::TrackedFiles } else { DefaultInput::Stdin }
    }

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

    /// Compiles the types; `None` if there are none: an empty set would be slow, as it counts the cores.
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

    /// Checks files by rules. `levels` are the levels that the command line names.
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

    /// Returns `true` if the options for names include a file or directory.
    fn includes(&self, path: &Path, is_dir: bool) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let mut ancestors = path.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        !self.selects
            || !(self.globs.matched(path, is_dir).is_ignore()
                || ancestors.any(|path| self.globs.matched(path, true).is_ignore())
                || self.has_other_type(path, is_dir))
    }

    /// Returns `true` if types are selected, and a file has another type.
    fn has_other_type(&self, path: &Path, is_dir: bool) -> bool {
        self.types.as_ref().is_some_and(|types| types.matched(path, is_dir).is_ignore())
    }

    /// Returns `true` if the rules for names include a file or directory that is named. As in a walk,
    /// symbolic links and nested repositories are left out.
    pub fn includes_named(&self, path: &Path) -> bool {
        let is_dir = path.is_dir();
        if path.is_symlink() || is_dir && !self.submodules && is_nested(path) {
            return false;
        }
        // Patterns do not match . and .. in place of a name.
        let has_name = matches!(path.components().next_back(), Some(Component::Normal(_)));
        let exclusion = || self.config.as_ref()?.exclusion(path, is_dir);
        (!has_name || self.includes(path, is_dir)) && exclusion().is_none()
    }

    /// Returns advice for a directory in which the rules have left out every file.
    pub fn advice(&self) -> &'static str {
        match self {
            TreeRules { selects: true, .. } => counts::SELECTION,
            TreeRules { tracked: true, .. } => "git add adds files",
            _ => "--no-ignore reads files that .gitignore excludes",
        }
    }
}

/// Returns the glob of everything in the directories that a glob selects; `None` if it excludes, or is
/// not for directories alone.
fn content_glob(glob: &str) -> Option<String> {
    let directory = glob.strip_suffix('/').filter(|_| !glob.starts_with('!'))?;
    // A name matches directories anywhere; a path with a slash is relative.
    let anywhere = if directory.contains('/') { "" } else { "**/" };
    Some(format!("{anywhere}{directory}/**"))
}

fn explained(option: &str, glob: &str, error: &ignore::Error) -> anyhow::Error {
    anyhow::anyhow!("{option} {}: {}", super::safe(glob), super::safe(error.to_string()))
}
