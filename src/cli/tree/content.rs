//! The start of a file in a directory, and the rules that it decides.

use std::fs::{File, Metadata};
use std::io;
use std::sync::Arc;

use super::attributes::{FileAttribute, FileAttributes};
use super::counts::SkipCause;
use super::open_file::UnreadFile;
use crate::detect::{CONTENT_START, ContentKind, content_kind, is_binary_format};
use crate::issue::Kind;
use crate::lint::levels::RuleLevels;
use crate::lint::{Level, Lint};
use crate::os;
use crate::os::fill_at;
use crate::registry::Encoding;
use crate::source::HEAD;

/// The number of bytes at the start of a file that are read first. Smaller files are read once.
const EXAMINED: usize = 16 << 10;

const _: () = assert!(EXAMINED > CONTENT_START);

/// The start of a pointer of Git LFS.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Rules for a file that need its content or its metadata.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContentRules {
    pub max_filesize: Option<u64>,
    /// True to read binary files, too.
    pub binary: bool,
    /// The encoding that the command line names for all files.
    pub from: Option<&'static Encoding>,
    /// True if encodings that are declared do not count.
    pub ignores_declared: bool,
}

impl ContentRules {
    /// Returns `true` if files are read in the encodings that are declared for them.
    fn obeys_declared(&self) -> bool {
        self.from.is_none() && !self.ignores_declared
    }

    /// Checks the attributes of a file.
    ///
    /// # Errors
    /// The file is left out, or declared to be in an encoding without a codec.
    pub fn check_attribute(&self, attribute: &FileAttribute) -> Result<(), UnreadFile> {
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
    /// The file is left out.
    pub fn check_size(&self, metadata: &Metadata) -> Result<(), UnreadFile> {
        match self.max_filesize.is_some_and(|most| metadata.len() > most) {
            true => Err(SkipCause::Large.into()),
            false => Ok(()),
        }
    }

    /// Returns the way to read a file. `levels` are those of the rules that check it, if any do: text
    /// with NUL is read to report NUL, and UTF-16 or UTF-32 that is allowed in its encoding.
    ///
    /// # Errors
    /// The file is left out, or cannot be read.
    pub fn reading(
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
            // A pointer is ASCII, whatever the encoding of the file that it stands for.
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
            // Text in other encodings can be diverse.
            ContentKind::DataWithoutNul
                if !self.binary
                    && !attributes.is_text
                    && self.from.is_none_or(|codec| codec == Encoding::UTF_8) =>
            {
                Err(SkipCause::Binary.into())
            }
            ContentKind::Text
            | ContentKind::TextWithNul
            | ContentKind::DataWithoutNul
            | ContentKind::Binary
            | ContentKind::CodeUnits(_) => Ok(FileReading::AsNamed),
        }
    }
}

/// The way to read a file of a directory.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) enum FileReading {
    /// In the encoding that the command line names, or UTF-8.
    AsNamed,
    /// In the encoding that .gitattributes declares, or that the file is in where rules allow it.
    Declared(&'static Encoding),
    /// Text in UTF-16 or UTF-32 that nothing declares.
    Foreign(&'static Encoding),
}

/// The first bytes of a file.
#[derive(Debug)]
pub(super) struct FileStart {
    pub bytes: Arc<Vec<u8>>,
    /// True if the bytes are the whole file, and one read has returned them.
    pub is_whole: bool,
}

impl FileStart {
    /// Reads the start of a file. The position of the file does not change.
    pub fn read(file: &File, metadata: &Metadata) -> io::Result<FileStart> {
        // One byte more than the file has, to see its end.
        let most = metadata.len().saturating_add(1).min(EXAMINED as u64);
        let mut bytes = vec![0; most as usize];
        let mut len = os::read_at(file, &mut bytes, 0)?;
        let is_whole = len as u64 == metadata.len() && len < EXAMINED;
        if !is_whole {
            len += fill_at(file, &mut bytes[len..], len as u64)?;
        }
        bytes.truncate(len);
        Ok(FileStart { bytes: Arc::new(bytes), is_whole })
    }

    /// Returns the content of the file.
    fn content(&self, file: &File) -> io::Result<ContentKind> {
        match content_kind(&self.bytes) {
            ContentKind::Binary | ContentKind::TextWithNul if !self.is_whole => {
                // More bytes tell code units from binary data.
                let mut start = vec![0; HEAD];
                let len = fill_at(file, &mut start, 0)?;
                Ok(content_kind(&start[..len]))
            }
            kind => Ok(kind),
        }
    }
}
