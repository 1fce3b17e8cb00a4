//! Owner, group, mode and extended attributes of a file, copied to its replacement.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use super::{OTHERWISE, failed};
use crate::os::calls::retry;

/// Gives a new file the owner, group, mode and extended attributes of an old one. Equal values are
/// not set again: some file systems support only defaults.
pub(super) fn keep(old: &File, new: &File) -> io::Result<()> {
    let (owner, mode) = owner_and_mode(old)?;
    if owner_and_mode(new)?.0 != owner {
        retry(|| fchown(new, Some(owner.0), Some(owner.1)))
            .map_err(|error| lost("its owner and group cannot be kept", &error))?;
    }
    #[cfg(target_os = "linux")]
    extended::keep(old, new)?;
    // The mode comes last: a change of owner clears the set-id bits, and an ACL changes group bits.
    keep_mode(mode, new).map_err(|error| lost("its mode cannot be kept", &error))
}

fn keep_mode(mode: u32, new: &File) -> io::Result<()> {
    if owner_and_mode(new)?.1 != mode {
        new.set_permissions(Permissions::from_mode(mode))?;
    }
    // The system silently drops the set-group-id bit for a group that the caller is not in.
    match owner_and_mode(new)?.1 == mode {
        true => Ok(()),
        false => Err(io::Error::from_raw_os_error(libc::EPERM)),
    }
}

/// Returns the owner and group of a file, and its mode.
fn owner_and_mode(file: &File) -> io::Result<((u32, u32), u32)> {
    let metadata = file.metadata()?;
    Ok(((metadata.uid(), metadata.gid()), metadata.mode() & 0o7777))
}

fn lost(failure: &str, error: &io::Error) -> io::Error {
    failed(failure, error, OTHERWISE)
}

#[cfg(target_os = "linux")]
mod extended {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io;

    use super::lost;
    use crate::os::calls::xattr;

    /// Attributes that the kernel derives from the content.
    const OF_CONTENT: [&CStr; 2] = [c"security.evm", c"security.ima"];

    /// Gives a new file the extended attributes of an old one, and no others.
    pub fn keep(old: &File, new: &File) -> io::Result<()> {
        let names = names(old)?;
        // A new file may have inherited attributes from its directory.
        for name in self::names(new)?.iter().filter(|name| !names.contains(name)) {
            xattr::remove(new, name).map_err(|error| lost_attribute(name, &error))?;
        }
        for name in &names {
            copy(old, new, name).map_err(|error| lost_attribute(name, &error))?;
        }
        Ok(())
    }

    fn names(file: &File) -> io::Result<Vec<CString>> {
        let names = xattr::names(file)
            .map_err(|error| lost("its extended attributes cannot be kept", &error))?;
        Ok(names.into_iter().filter(|name| !OF_CONTENT.contains(&name.as_c_str())).collect())
    }

    fn copy(old: &File, new: &File, name: &CStr) -> io::Result<()> {
        let value = xattr::get(old, name)?;
        match xattr::get(new, name) {
            Ok(has) if has == value => Ok(()),
            _ => xattr::set(new, name, &value),
        }
    }

    fn lost_attribute(name: &CStr, error: &io::Error) -> io::Error {
        lost(&format!("its extended attribute {name:?} cannot be kept"), error)
    }
}
