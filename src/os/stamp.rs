//! Identity of a file's state: a change of the file changes its stamp.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// What does not change while a file stays as it is: which one it is, its size and the time of the
/// last change, which nobody can set.
#[derive(Debug, PartialEq)]
pub(crate) struct FileStamp {
    id: (u64, u64),
    size: u64,
    changed: (i64, i64),
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> FileStamp {
        FileStamp {
            id: (metadata.dev(), metadata.ino()),
            size: metadata.size(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}
