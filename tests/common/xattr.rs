//! Extended attributes of files, and ACLs.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::bin::skipped;

fn set(path: &Path, name: &str, value: &[u8]) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    let (name, start) = (CString::new(name).unwrap(), value.as_ptr().cast());
    // SAFETY: two C strings, and a buffer of the given length.
    match unsafe { libc::setxattr(path.as_ptr(), name.as_ptr(), start, value.len(), 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns the value of an attribute.
pub fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let path = CString::new(path.as_os_str().as_bytes()).unwrap();
    let (name, mut value) = (CString::new(name).unwrap(), vec![0; 1 << 16]);
    let start = value.as_mut_ptr().cast();
    // SAFETY: two C strings, and a buffer of the given length.
    let len = unsafe { libc::getxattr(path.as_ptr(), name.as_ptr(), start, value.len()) };
    value.truncate(usize::try_from(len).ok()?);
    Some(value)
}

/// Sets an attribute. Reports a skip and returns false if the file system refuses it.
pub fn taken(path: &Path, name: &str, value: &[u8]) -> bool {
    let taken = set(path, name, value);
    if let Err(error) = &taken {
        skipped(name, &error.to_string());
    }
    taken.is_ok()
}

/// Encodes an ACL as Linux does (posix_acl_xattr.h): version 2, then tag, permissions and ID of
/// each entry.
fn acl(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut acl = 2u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        acl.extend(tag.to_le_bytes().iter().chain(&rights.to_le_bytes()).chain(&id.to_le_bytes()));
    }
    acl
}

/// Returns an ACL: u::rw- u:1234:rwx g::r-- m::rwx o::---
pub fn an_acl() -> Vec<u8> {
    const NO_ID: u32 = u32::MAX;
    acl(&[(1, 6, NO_ID), (2, 7, 1234), (4, 4, NO_ID), (0x10, 7, NO_ID), (0x20, 0, NO_ID)])
}

pub const ACCESS: &str = "system.posix_acl_access";
pub const DEFAULT: &str = "system.posix_acl_default";
