//! Settings of git that name files of rules: `core.excludesFile` and `core.attributesFile`. See
//! git-config(1). git is not run, and included files are not read.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::pattern::LARGEST;
use crate::cli::parallel::lock;
use crate::cli::repository::{REPOSITORY, open_rules, read_rules};
use crate::cli::session::variable;
use crate::codec::UTF8_BOM;

/// The settings for a repository. A later file overrides those before it.
#[derive(Debug)]
pub(super) struct GitConfig {
    /// The file of excludes: the value of the setting, or the default.
    pub excludes: Option<PathBuf>,
    /// The file of attributes: the value of the setting, or the default.
    pub attributes: Option<PathBuf>,
}

impl GitConfig {
    /// Reads the settings for the top directory of a repository, from those of the system to its
    /// own.
    pub fn of_top(top: &Path) -> GitConfig {
        let user = user_directory();
        let default = |name: &str| Some(user.as_ref()?.join(name));
        let mut config =
            GitConfig { excludes: default("ignore"), attributes: default("attributes") };
        for path in general_files(user.as_deref()) {
            if let Some(text) = read_small(&path) {
                config.add(&text, top);
            }
        }
        if let Some(common) = common_directory(&top.join(REPOSITORY)) {
            let path = common.join("config");
            match read(&path) {
                Ok(text) => config.add(&text.unwrap_or_default(), top),
                Err(error) => drop(lock(&UNREAD).entry(path).or_insert(error)),
            }
        }
        config
    }

    /// Adds the settings of a file. Paths are relative to the top directory.
    fn add(&mut self, text: &[u8], top: &Path) {
        for (name, value) in settings(text) {
            let path = || expand(&value).map(|path| top.join(path));
            match name.as_slice() {
                b"excludesfile" => self.excludes = path(),
                b"attributesfile" => self.attributes = path(),
                _ => {}
            }
        }
    }
}

/// Returns the directory of the user's files of git.
fn user_directory() -> Option<PathBuf> {
    let config = variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| Some(Path::new(&variable("HOME")?).join(".config")));
    Some(config?.join("git"))
}

/// Returns the files of settings of the system and of the user, the weakest first.
fn general_files(user: Option<&Path>) -> Vec<PathBuf> {
    let system = variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
    let system = variable("GIT_CONFIG_NOSYSTEM").is_none().then(|| PathBuf::from(system));
    let home = || variable("HOME").map(|home| Path::new(&home).join(".gitconfig"));
    let of_user = match env::var_os("GIT_CONFIG_GLOBAL") {
        Some(named) => vec![PathBuf::from(named)],
        None => user.map(|user| user.join("config")).into_iter().chain(home()).collect(),
    };
    system.into_iter().chain(of_user).collect()
}

/// Reads a small regular file. Returns `None` for one that is missing.
///
/// # Errors
/// Those of opening and reading; it is no regular file, or too large.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    open_rules(path)?.map(|file| read_rules(file, LARGEST)).transpose()
}

/// Reads a small regular file. Returns `None` for one that is missing, unreadable or too large.
fn read_small(path: &Path) -> Option<Vec<u8>> {
    read(path).ok()?
}

/// The repositories' own settings that could not be read, and the reasons. git refuses to work then.
static UNREAD: Mutex<BTreeMap<PathBuf, io::Error>> = Mutex::new(BTreeMap::new());

/// Takes the paths of repositories' own settings that could not be read, and the reasons.
pub(in crate::cli) fn take_unread_settings() -> BTreeMap<PathBuf, io::Error> {
    std::mem::take(&mut *lock(&UNREAD))
}

/// Opens a file of rules of the user or the system. As for git, one that may not be read is missing:
/// a program may run with the environment of another user.
///
/// # Errors
/// Those of opening.
pub(super) fn open_of_user(path: &Path) -> io::Result<Option<File>> {
    match open_rules(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        opened => opened,
    }
}

/// Returns the directory with the data that all work trees of a repository share. `own` is .git, which
/// may be a file that names a directory.
pub(super) fn common_directory(own: &Path) -> Option<PathBuf> {
    let line = |path: &Path| Some(read_small(path)?.trim_ascii_end().to_vec());
    if own.is_dir() {
        return Some(own.to_owned());
    }
    let text = line(own)?;
    let path = text.strip_prefix(b"gitdir: ")?;
    let own = own.parent()?.join(OsStr::from_bytes(path));
    Some(match line(&own.join("commondir")) {
        Some(path) => own.join(OsStr::from_bytes(&path)),
        None => own,
    })
}

/// Returns the path of a setting; `None` for an empty one, for a home directory itself or that of
/// another user, and for a path in the directory of git, `%(prefix)/`.
fn expand(value: &[u8]) -> Option<PathBuf> {
    match value.strip_prefix(b":(optional)").unwrap_or(value) {
        [b'~', b'/', below @ ..] => {
            Some(Path::new(&variable("HOME")?).join(OsStr::from_bytes(below)))
        }
        [] | [b'~', ..] | [b'%', b'(', ..] => None,
        path => Some(PathBuf::from(OsStr::from_bytes(path))),
    }
}

/// Returns the settings of the section `core` in their order, with their names in lower case.
fn settings(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut rest = text.strip_prefix(UTF8_BOM).unwrap_or(text);
    let (mut found, mut is_core) = (Vec::new(), false);
    while let Some((&first, after)) = rest.split_first() {
        rest = match first {
            _ if first.is_ascii_whitespace() => after,
            b'#' | b';' => skip_line(after),
            b'[' => {
                let end = memchr::memchr2(b']', b'\n', after).unwrap_or(after.len());
                is_core = after[..end].eq_ignore_ascii_case(b"core");
                after.get(end + 1..).unwrap_or_default()
            }
            _ => {
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
                let end = rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len());
                let (name, behind) = rest.split_at(end);
                let behind = skip_blanks(behind);
                match behind.strip_prefix(b"=") {
                    Some(value) => {
                        let (value, behind) = parse_value(skip_blanks(value));
                        if is_core {
                            found.push((name.to_ascii_lowercase(), value));
                        }
                        behind
                    }
                    // A name alone is true; other text is malformed.
                    None => skip_line(behind),
                }
            }
        };
    }
    found
}

/// Returns the text after the line.
fn skip_line(text: &[u8]) -> &[u8] {
    memchr::memchr(b'\n', text).map_or(&[], |end| &text[end + 1..])
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    &text[start.unwrap_or(text.len())..]
}

/// Parses a value, with its quotes and escapes. Returns it and the text after its line.
fn parse_value(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut value, mut len, mut is_quoted) = (Vec::new(), 0, false);
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'\n' => break,
            b'\r' if rest.starts_with(b"\n") => continue,
            b'"' => is_quoted = !is_quoted,
            b'#' | b';' if !is_quoted => {
                rest = skip_line(rest);
                break;
            }
            b'\\' => {
                let Some((&escape, after)) = rest.split_first() else { break };
                rest = after;
                match escape {
                    b'\n' => continue,
                    b'n' => value.push(b'\n'),
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    other => value.push(other),
                }
            }
            b' ' | b'\t' if !is_quoted => {
                value.push(byte);
                // Blanks at the end do not count.
                continue;
            }
            byte => value.push(byte),
        }
        len = value.len();
    }
    value.truncate(len);
    (value, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_does() {
        // The syntax is that of git-config(1).
        let text = b"; excludesFile = x\n[core \"x\"]\n\texcludesFile = y\n[CORE]bare\n\
            ExcludesFile = \"~/a b\" c # comment\r\n attributesFile=a\\\\b\\\n/c ; more\n\
            [user]\nexcludesfile = z\n";
        let found = settings(text);
        let found: Vec<_> = found.iter().map(|(name, value)| (&name[..], &value[..])).collect();
        let expected: [(&[u8], &[u8]); 2] =
            [(b"excludesfile", b"~/a b c"), (b"attributesfile", b"a\\b/c")];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_value_can_be_empty_or_unterminated() {
        for (text, value) in [(&b""[..], &b""[..]), (b"\n", b""), (b"\"a", b"a"), (b"a\\", b"a")] {
            assert_eq!(parse_value(text), (value.to_vec(), &b""[..]));
        }
    }
}
