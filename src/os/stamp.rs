//! The identity and the state of a file, to detect changes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The identity of a file, its size and the time of its last change of status (ctime), which no
/// process can set. Two stamps of a file that was not changed are equal.
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

/// Returns `true` if a file takes no blocks of a disk, as files of /proc and /sys on Linux.
pub(crate) fn has_no_blocks(metadata: &Metadata) -> bool {
    metadata.blocks() == 0
}
