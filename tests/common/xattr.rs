//! What are the extended attributes of a file, and its ACL?

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::bin::skipped;

fn set(path: &Path, name: &str, value: &[u8]) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    let (name, start) = (CString::new(name).unwrap(), value.as_ptr().cast());
    // SAFETY: two strings, and as many bytes as the call is told.
    match unsafe { libc::setxattr(path.as_ptr(), name.as_ptr(), start, value.len(), 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The value of an attribute, if there is such a one.
pub fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    let (name, mut value) = (CString::new(name).unwrap(), vec![0; 1 << 16]);
    let start = value.as_mut_ptr().cast();
    // SAFETY: two strings, and as much room as the call is told.
    let len = unsafe { libc::getxattr(path.as_ptr(), name.as_ptr(), start, value.len()) };
    value.truncate(usize::try_from(len).ok()?);
    Some(value)
}

/// Whether a file system takes an attribute; says so if not.
pub fn taken(path: &Path, name: &str, value: &[u8]) -> bool {
    let taken = set(path, name, value);
    if let Err(error) = &taken {
        skipped(name, &error.to_string());
    }
    taken.is_ok()
}

/// An ACL as Linux has it (posix_acl_xattr.h): version 2, then tag, rights and id of each entry.
fn acl(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut acl = 2u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        acl.extend(tag.to_le_bytes().iter().chain(&rights.to_le_bytes()).chain(&id.to_le_bytes()));
    }
    acl
}

/// u::rw- u:1234:rwx g::r-- m::rwx o::---
pub fn an_acl() -> Vec<u8> {
    const NO_ID: u32 = u32::MAX;
    acl(&[(1, 6, NO_ID), (2, 7, 1234), (4, 4, NO_ID), (0x10, 7, NO_ID), (0x20, 0, NO_ID)])
}

pub const ACCESS: &str = "system.posix_acl_access";
pub const DEFAULT: &str = "system.posix_acl_default";
