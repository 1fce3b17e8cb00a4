//! Configuration: the settings that utf8.toml and .editorconfig files have for other files.

use std::collections::HashMap;
use std::ffi::{CStr, OsStr};
use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clap::Args;

use super::parallel::lock;
use super::paths::{absolute, from_current_directory, split};
use super::prose::quoted;
use super::repository::{REPOSITORY_NAME, is_missing, open_rules, read_rules};
use super::safe;
use super::shell::set_flags;
use crate::codec::UTF8_BOM;
use crate::os::calls;
use crate::os::directory::Directory;
use editorconfig::EditorConfig;
use file::ConfigFile;
use settings::FileSettings;

pub(super) use settings::Origin;

mod editorconfig;
mod file;
pub(super) mod settings;
mod show;

/// The names of configuration files, of which a directory may have one.
const NAMES: [&CStr; 2] = [c"utf8.toml", c".utf8.toml"];

/// The path of a file of rules for messages, and its text.
type Rules = (PathBuf, String);

/// The largest configuration that is read, in bytes.
const LARGEST: u64 = 256 << 10;

/// Options that select configuration files.
#[derive(Args, Debug)]
pub(super) struct ConfigArgs {
    /// Use this configuration instead of the nearest utf8.toml
    #[arg(long, value_name = "FILE", help_heading = HEADING, hide_short_help = true)]
    config: Option<PathBuf>,

    /// Ignore utf8.toml files
    #[arg(long, conflicts_with = "config", help_heading = HEADING, hide_short_help = true)]
    no_config: bool,

    /// Ignore .editorconfig files
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    no_editorconfig: bool,
}

/// The heading of options for settings of files.
pub(super) const HEADING: &str = "Configuration";

impl ConfigArgs {
    /// Returns the options as a shell reads them.
    pub fn options(&self) -> Vec<String> {
        let file = self.config.iter().map(|path| format!("--config {}", quoted(path.as_os_str())));
        let flags = [(self.no_config, "--no-config"), (self.no_editorconfig, "--no-editorconfig")];
        file.chain(set_flags(&flags)).collect()
    }

    /// Returns the configuration of a run.
    ///
    /// # Errors
    /// Those of reading the file that is named.
    pub fn open(&self) -> anyhow::Result<Configuration> {
        let named = self.config.as_deref().map(|path| {
            let failed = |error: &io::Error| ConfigError::new(path, calls::error_text(error));
            let file = open_rules(path).map_err(|error| failed(&error))?;
            let text = read(path, file.ok_or_else(|| ConfigError::new(path, "no such file"))?)?;
            let here = Path::new(".").canonicalize().map_err(|error| {
                let reason = calls::error_text(&error);
                ConfigError::new(path, format!("applies to the current directory: {reason}"))
            })?;
            ConfigFile::parse(path, here, &text)
        });
        let named = named.transpose().map_err(anyhow::Error::msg)?;
        Ok(Configuration {
            named: named.map(Arc::new),
            finds_files: !self.no_config,
            finds_editorconfig: !self.no_editorconfig,
            ..Configuration::nearest()
        })
    }
}

/// An error in a configuration, or of reading it.
#[derive(Debug)]
pub(super) struct ConfigError {
    path: PathBuf,
    /// The line and the column, if the error has a place.
    place: Option<(usize, usize)>,
    message: String,
    reported: AtomicBool,
}

impl ConfigError {
    fn new(path: &Path, message: impl Into<String>) -> ConfigError {
        let (path, message) = (path.to_owned(), message.into());
        ConfigError { path, place: None, message, reported: AtomicBool::new(false) }
    }

    fn at(path: &Path, place: (usize, usize), message: impl Into<String>) -> ConfigError {
        ConfigError { place: Some(place), ..ConfigError::new(path, message) }
    }

    /// Returns `true` for the first call: an error is reported once, not for every file.
    pub fn is_new(&self) -> bool {
        !self.reported.swap(true, Ordering::Relaxed)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:", safe(&self.path))?;
        if let Some((line, column)) = self.place {
            write!(out, "{line}:{column}:")?;
        }
        write!(out, " {}", safe(&self.message))
    }
}

/// The configuration of a run.
#[derive(Debug)]
pub(super) struct Configuration {
    /// The file that the command line names, which holds for all files.
    named: Option<Arc<ConfigFile>>,
    /// True to look for utf8.toml.
    finds_files: bool,
    /// True to look for .editorconfig.
    finds_editorconfig: bool,
    known: Mutex<KnownDirectories>,
}

/// The settings of directories, by their paths.
#[derive(Debug, Default)]
struct KnownDirectories {
    all: HashMap<PathBuf, Arc<DirectorySettings>>,
    /// The last directory, which mostly has the next entry, too.
    last: Option<(PathBuf, Arc<DirectorySettings>)>,
}

/// The files that hold for a directory.
#[derive(Debug)]
pub(super) struct DirectorySettings {
    /// The absolute path, without symbolic links.
    path: PathBuf,
    /// True if it is the top of a repository.
    is_repository: bool,
    file: Result<Option<Arc<ConfigFile>>, Arc<ConfigError>>,
    /// The .editorconfig files, the outermost first.
    editorconfig: Result<Vec<Arc<EditorConfig>>, Arc<ConfigError>>,
}

impl Configuration {
    /// Returns the configuration of a run without options: the files nearest to each file hold.
    pub fn nearest() -> Configuration {
        Configuration {
            named: None,
            finds_files: true,
            finds_editorconfig: true,
            known: Mutex::default(),
        }
    }

    /// Returns the settings of a file.
    ///
    /// # Errors
    /// A configuration that holds for it has an error.
    pub fn settings(&self, path: &Path) -> Result<FileSettings, Arc<ConfigError>> {
        let (parent, name) = split(path);
        self.directory(parent).map_or(Ok(FileSettings::default()), |found| found.of_file(name))
    }

    /// Returns the place of the pattern that excludes an entry or a directory around it, up to the top
    /// of its repository: of several, that of the outermost. As in a walk, the configuration of the
    /// directory that has the entry decides.
    pub fn exclusion(&self, path: &Path, is_dir: bool) -> Option<Origin> {
        let path = match is_dir {
            true => absolute(path).ok()?,
            false => {
                let (parent, name) = split(path);
                absolute(parent).ok()?.join(name)
            }
        };
        let mut found = None;
        for entry in path.ancestors() {
            let (Some(parent), Some(name)) = (entry.parent(), entry.file_name()) else { break };
            let directory = self.directory(parent)?;
            found = directory.exclusion(name, is_dir || entry != path).or(found);
            if directory.is_repository {
                break;
            }
        }
        found
    }

    /// Returns the settings of a directory in another one, which is open.
    pub fn enter(
        &self,
        outer: &DirectorySettings,
        name: &OsStr,
        directory: &Directory,
    ) -> Arc<DirectorySettings> {
        let path = outer.path.join(name);
        let mut known = lock(&self.known);
        let read = || Arc::new(self.read_directory(&path, directory, Some(outer)));
        Arc::clone(known.all.entry(path.clone()).or_insert_with(read))
    }

    /// Returns the settings of a directory, or `None` if nothing can be set.
    pub fn directory(&self, path: &Path) -> Option<Arc<DirectorySettings>> {
        if self.named.is_none() && !self.finds_files && !self.finds_editorconfig {
            return None;
        }
        let mut known = lock(&self.known);
        // Bytes are compared faster than components.
        if let Some((last, directory)) = &known.last
            && last.as_os_str() == path.as_os_str()
        {
            return Some(Arc::clone(directory));
        }
        let directory = match known.all.get(path) {
            Some(directory) => Arc::clone(directory),
            None => {
                let directory = match absolute(path) {
                    Ok(absolute) => self.load(&mut known.all, &absolute),
                    Err(error) => Arc::new(DirectorySettings::unopened(path, None, &error)),
                };
                known.all.insert(path.to_owned(), Arc::clone(&directory));
                directory
            }
        };
        known.last = Some((path.to_owned(), Arc::clone(&directory)));
        Some(directory)
    }

    /// Returns the settings of a directory, by its absolute path.
    fn load(
        &self,
        known: &mut HashMap<PathBuf, Arc<DirectorySettings>>,
        path: &Path,
    ) -> Arc<DirectorySettings> {
        let mut found = None;
        let mut missing = Vec::new();
        for path in path.ancestors() {
            found = known.get(path).cloned();
            if found.is_some() {
                break;
            }
            missing.push(path);
        }
        for path in missing.into_iter().rev() {
            let settings = Arc::new(match Directory::at(path) {
                Ok(directory) => self.read_directory(path, &directory, found.as_deref()),
                Err(error) => DirectorySettings::unopened(path, found.as_deref(), &error),
            });
            known.insert(path.to_owned(), Arc::clone(&settings));
            found = Some(settings);
        }
        found.expect("a path is its own ancestor")
    }

    /// Reads the files of an open directory in another one.
    fn read_directory(
        &self,
        path: &Path,
        directory: &Directory,
        outer: Option<&DirectorySettings>,
    ) -> DirectorySettings {
        let mut settings = DirectorySettings::without_own(path, outer);
        match &self.named {
            Some(named) => settings.file = Ok(Some(Arc::clone(named))),
            None if !self.finds_files => {}
            None => {
                settings.is_repository = directory.status(REPOSITORY_NAME).is_ok();
                match ConfigFile::of_directory(path, directory) {
                    Ok(None) if settings.is_repository => settings.file = Ok(None),
                    Ok(None) => {}
                    own => settings.file = own.map(|own| own.map(Arc::new)).map_err(Arc::new),
                }
            }
        }
        let own = match self.finds_editorconfig {
            true => EditorConfig::of_directory(path, directory).map_err(Arc::new),
            false => Ok(None),
        };
        match own {
            Ok(None) => {}
            Ok(Some(own)) if own.is_root => settings.editorconfig = Ok(vec![Arc::new(own)]),
            Ok(Some(own)) => {
                if let Ok(files) = &mut settings.editorconfig {
                    files.push(Arc::new(own));
                }
            }
            Err(error) => settings.editorconfig = Err(error),
        }
        settings
    }
}

impl DirectorySettings {
    /// Returns the settings of a directory in another one that has no files of its own.
    fn without_own(path: &Path, outer: Option<&DirectorySettings>) -> DirectorySettings {
        let file = outer.map_or(Ok(None), |outer| outer.file.clone());
        let editorconfig = outer.map_or(Ok(Vec::new()), |outer| outer.editorconfig.clone());
        DirectorySettings { path: path.to_owned(), is_repository: false, file, editorconfig }
    }

    /// Returns the settings of a directory that cannot be opened. One that is missing or not accessible
    /// has the settings of the directory around it, any other has the error.
    fn unopened(
        path: &Path,
        outer: Option<&DirectorySettings>,
        error: &io::Error,
    ) -> DirectorySettings {
        let mut settings = DirectorySettings::without_own(path, outer);
        if !is_missing(error) && error.kind() != io::ErrorKind::PermissionDenied {
            let error = Arc::new(ConfigError::new(path, calls::error_text(error)));
            (settings.file, settings.editorconfig) = (Err(Arc::clone(&error)), Err(error));
        }
        settings
    }

    /// Returns the place of the pattern that excludes an entry of the directory, if one does.
    pub fn exclusion(&self, name: &OsStr, is_dir: bool) -> Option<Origin> {
        let file = self.file.as_ref().ok()?.as_ref()?;
        file.exclusion(&self.path.join(name), is_dir)
    }

    /// Returns the settings of a file in the directory.
    ///
    /// # Errors
    /// A configuration that holds for it has an error.
    pub fn of_file(&self, name: &OsStr) -> Result<FileSettings, Arc<ConfigError>> {
        let mut layers = Vec::new();
        let editorconfig = self.editorconfig.as_ref().map_err(Arc::clone)?;
        let mut sets_lints = editorconfig.iter().any(|file| file.sets_lints);
        if !editorconfig.is_empty() {
            layers.push(Arc::new(editorconfig::settings(editorconfig, &self.path.join(name))));
        }
        if let Some(file) = self.file.as_ref().map_err(Arc::clone)? {
            layers.extend(file.layers(&self.path.join(name)));
            sets_lints |= file.sets_lints;
        }
        Ok(FileSettings { layers, sets_lints })
    }
}

/// Reads a configuration in an open directory, whose path is `directory`, if it exists.
///
/// # Errors
/// It cannot be read, is no regular file or is too large.
fn read_in(directory: &Path, open: &Directory, name: &CStr) -> Result<Option<Rules>, ConfigError> {
    let file = match open.open_file_following(name) {
        Err(error) if is_missing(&error) && open.status(name).is_err() => return Ok(None),
        file => file,
    };
    let path = from_current_directory(&directory.join(OsStr::from_bytes(name.to_bytes())));
    match file {
        Ok(file) => read(&path, file).map(|text| Some((path, text))),
        Err(error) if is_missing(&error) => {
            Err(ConfigError::new(&path, "is a symbolic link that leads nowhere"))
        }
        Err(error) => Err(ConfigError::new(&path, calls::error_text(&error))),
    }
}

/// Reads a configuration that is open.
///
/// # Errors
/// It is no regular file, is too large or not UTF-8; those of reading.
fn read(path: &Path, file: File) -> Result<String, ConfigError> {
    let text = read_rules(file, LARGEST);
    let text = text.map_err(|error| ConfigError::new(path, calls::error_text(&error)))?;
    let text = text.strip_prefix(UTF8_BOM).unwrap_or(&text).to_vec();
    String::from_utf8(text).map_err(|_| ConfigError::new(path, "is not UTF-8"))
}
