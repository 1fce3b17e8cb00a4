//! Names of encodings.
//!
//! A bare name is one of a row of [`CODECS`]. A name with a prefix, as `glibc:cp950`, means what it
//! means to an implementation: a row of [`OWNERS`], which lists its names.

use super::{CODECS, Encoding, by_name, loose_byte, matches_loosely};

/// An implementation or standard that gives names to encodings: a row of [`OWNERS`].
#[derive(Debug)]
pub struct NameOwner {
    /// The prefix.
    pub prefix: &'static str,
    /// The name in messages.
    pub title: &'static str,
    /// The names, separated by blanks, after a line that names the source. `NAME=CODEC`: the codec
    /// that has the table of the owner, where a bare NAME means another; `NAME=`: no codec has it.
    names: &'static str,
}

/// Makes a row of [`OWNERS`] of a prefix, which is also the name of the file, and a title.
macro_rules! owners {
    ($($prefix:literal: $title:literal,)*) => {
        /// Every implementation and standard whose names are known.
        pub static OWNERS: &[NameOwner] = &[$(NameOwner {
            prefix: $prefix,
            title: $title,
            names: include_str!(concat!("names/", $prefix, ".txt")),
        }),*];
    };
}

owners! {
    "iana": "IANA",
    "whatwg": "the WHATWG Encoding Standard",
    "glibc": "glibc",
    "icu": "ICU",
    "java": "Java",
    "python": "CPython",
    "windows": "Windows",
    "mysql": "MySQL",
    "oracle": "Oracle",
    "postgresql": "PostgreSQL",
    "emacs": "Emacs",
    "vim": "Vim",
}

/// Other prefixes, with the prefix of the owner of the same names and the name in messages.
const PREFIXES: &[(&str, &str, &str)] = &[
    ("iconv", "glibc", "glibc"),
    ("cpython", "python", "CPython"),
    ("jdk", "java", "Java"),
    ("openjdk", "java", "Java"),
    ("postgres", "postgresql", "PostgreSQL"),
    ("pg", "postgresql", "PostgreSQL"),
    ("mariadb", "mysql", "MariaDB"),
    ("dotnet", "windows", ".NET"),
    ("mssql", "windows", "SQL Server"),
    ("sqlserver", "windows", "SQL Server"),
];

impl NameOwner {
    /// Returns the owner that a prefix means, and its name in messages.
    fn find(prefix: &str) -> Option<(&'static NameOwner, &'static str)> {
        let other = PREFIXES.iter().find(|(other, ..)| matches_loosely(other, prefix));
        let prefix = other.map_or(prefix, |(_, prefix, _)| prefix);
        let owner = OWNERS.iter().find(|owner| matches_loosely(owner.prefix, prefix))?;
        Some((owner, other.map_or(owner.title, |(.., title)| title)))
    }

    /// Returns the names, each with the codec that it means where a bare name means another, empty
    /// if there is none.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let words = self.names.lines().skip_while(|line| line.starts_with('#'));
        words.flat_map(str::split_ascii_whitespace).map(|word| match word.split_once('=') {
            Some((name, codec)) => (name, Some(codec)),
            None => (word, None),
        })
    }

    fn resolve(&self, title: &'static str, name: &str) -> Result<&'static Encoding, LabelError> {
        let found = self.names().find(|(other, _)| matches_loosely(other, name));
        let (listed, codec) = found.ok_or(LabelError::Unlisted(title))?;
        match codec {
            Some("") if self.prefix == "whatwg" => Err(LabelError::Replacement),
            Some("") => Err(LabelError::Lacking(title, listed)),
            Some(codec) => Ok(by_name(codec)),
            None => find(name).ok_or(LabelError::Lacking(title, listed)),
        }
    }
}

/// The reason why a label means no encoding.
#[derive(Clone, Copy, Debug)]
pub enum LabelError {
    /// No encoding has the name.
    Unknown,
    /// The owner of the prefix, given by its name in messages, has no encoding of this name.
    Unlisted(&'static str),
    /// No codec has the table that the name has for the owner.
    Lacking(&'static str, &'static str),
    /// The WHATWG Encoding Standard decodes no text under this label.
    Replacement,
}

/// Returns the encoding that a label means: see [`Encoding::for_label`].
///
/// # Errors
/// The label means none.
pub fn resolve(label: &str) -> Result<&'static Encoding, LabelError> {
    let label = label.trim_end_matches('/');
    let owned =
        label.split_once(':').and_then(|(prefix, name)| Some((NameOwner::find(prefix)?, name)));
    match owned {
        Some(((owner, title), name)) => owner.resolve(title, name),
        None if matches_loosely(label, "replacement") => Err(LabelError::Replacement),
        None => find(label).ok_or(LabelError::Unknown),
    }
}

/// The number of places in [`INDEX`], a power of two. At most half of them are in use.
const PLACES: usize = 8192;

/// For each hash of a name, the number of its codec in [`CODECS`], from 1; 0 for an empty place. A
/// name is in the first place from its hash on that was empty.
static INDEX: [u16; PLACES] = {
    let mut index = [0; PLACES];
    let mut codec = 0;
    while codec < CODECS.len() {
        let row = &CODECS[codec];
        enter(&mut index, row.name, codec);
        let mut label = 0;
        while label < row.labels.len() {
            enter(&mut index, row.labels[label], codec);
            label += 1;
        }
        codec += 1;
    }
    index
};

const _: () = {
    let (mut place, mut used) = (0, 0);
    while place < PLACES {
        used += (INDEX[place] != 0) as usize;
        place += 1;
    }
    assert!(2 * used <= PLACES, "more than half of the places are in use");
};

const fn enter(index: &mut [u16; PLACES], name: &str, codec: usize) {
    let mut place = hash(name);
    while index[place] != 0 {
        place = (place + 1) % PLACES;
    }
    index[place] = codec as u16 + 1;
}

/// Returns the place of a name, by FNV-1a over the bytes that matching does not ignore.
const fn hash(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (mut hash, mut at) = (0x811C_9DC5_u32, 0);
    while at < bytes.len() {
        if let Some(byte) = loose_byte(bytes[at]) {
            hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
        }
        at += 1;
    }
    (hash ^ (hash >> 16)) as usize % PLACES
}

/// Returns the encoding with a name or label.
fn find(label: &str) -> Option<&'static Encoding> {
    let mut place = hash(label);
    while INDEX[place] != 0 {
        let row = &CODECS[usize::from(INDEX[place]) - 1];
        if row.names().any(|name| matches_loosely(name, label)) {
            return Some(row);
        }
        place = (place + 1) % PLACES;
    }
    None
}
