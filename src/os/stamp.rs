//! The identity and the state of a file, to detect changes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
#[cfg(feature = "cli")]
use std::time::{Duration, SystemTime};

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) use libc::stat as RawStatus;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use libc::stat64 as RawStatus;

/// The identity of a file: its device and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileId(u64, u64);

impl FileId {
    pub(crate) fn of(metadata: &Metadata) -> FileId {
        FileId(metadata.dev(), metadata.ino())
    }
}

/// The identity of a file, its size and the times of its last modification (mtime) and of its last
/// change of status (ctime), which no process can set. Two stamps of a file that was not changed
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileStamp {
    id: FileId,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    pub(crate) fn of(metadata: &Metadata) -> FileStamp {
        FileStamp {
            id: FileId::of(metadata),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns the stamp of a status that the system has returned.
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    pub(crate) fn of_status(status: &RawStatus) -> FileStamp {
        #[cfg(not(target_os = "netbsd"))]
        let nanoseconds = (status.st_mtime_nsec as i64, status.st_ctime_nsec as i64);
        #[cfg(target_os = "netbsd")]
        let nanoseconds = (status.st_mtimensec as i64, status.st_ctimensec as i64);
        FileStamp {
            id: FileId(status.st_dev as u64, status.st_ino as u64),
            size: status.st_size as u64,
            modified: (status.st_mtime as i64, nanoseconds.0),
            changed: (status.st_ctime as i64, nanoseconds.1),
        }
    }

    /// Returns for how long a change after `now` may leave the stamp as it is: zero, unless the file was
    /// changed just before and has times of whole seconds, as on ext3. A time that is further in the
    /// future, by the clock of a file server, tells nothing.
    #[cfg(feature = "cli")]
    pub(crate) fn unsettled(&self, now: SystemTime) -> Duration {
        let ((modified, 0), (changed, 0)) = (self.modified, self.changed) else {
            return Duration::ZERO;
        };
        let last = Duration::from_secs(modified.max(changed).max(0) as u64);
        match now.duration_since(SystemTime::UNIX_EPOCH + last) {
            Ok(age) => COARSEST.saturating_sub(age),
            Err(ahead) if ahead.duration() < COARSEST => COARSEST,
            Err(_) => Duration::ZERO,
        }
    }

    /// Returns `true` if both stamps are of one file.
    pub(crate) fn is_same_file(&self, other: &FileStamp) -> bool {
        self.id == other.id
    }

    /// Returns `true` if the content of a file is the same at both stamps, though its status may
    /// have changed.
    pub(crate) fn has_same_content(&self, other: &FileStamp) -> bool {
        (self.id, self.size, self.modified) == (other.id, other.size, other.modified)
    }
}

/// The longest unit of the times of a file system: that of FAT.
#[cfg(feature = "cli")]
const COARSEST: Duration = Duration::from_secs(2);

/// Returns `true` if a file takes no blocks of a disk, as files of /proc and /sys on Linux.
pub(crate) fn has_no_blocks(metadata: &Metadata) -> bool {
    metadata.blocks() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for how long a change may leave a stamp as it is, in milliseconds, at a time after 100
    /// seconds. The stamp has these times, in seconds and nanoseconds.
    fn unsettled(modified: (i64, i64), changed: (i64, i64), millis: u64) -> u128 {
        let stamp = FileStamp { id: FileId(1, 2), size: 3, modified, changed };
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(100_000 + millis);
        stamp.unsettled(now).as_millis()
    }

    #[test]
    fn only_recent_times_of_whole_seconds_are_waited_for() {
        assert_eq!(unsettled((100, 0), (100, 0), 300), 1700);
        assert_eq!(unsettled((90, 0), (101, 0), 1999), 1001);
        assert_eq!(unsettled((100, 0), (100, 0), 2000), 0);
        assert_eq!(unsettled((100, 0), (100, 1), 0), 0);
        // An older time that was restored, as tar does.
        assert_eq!(unsettled((90, 0), (100, 500), 0), 0);
        // The clock of a file server is ahead.
        assert_eq!(unsettled((101, 0), (101, 0), 500), 2000);
        assert_eq!(unsettled((500, 0), (500, 0), 0), 0);
    }
}
