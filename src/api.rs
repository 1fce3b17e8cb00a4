//! The public functions of the library.

use crate::issue::Issue;
use crate::registry::Encoding;

/// Returns every ill-formed sequence of bytes in memory.
pub fn issues(spec: &Encoding, bytes: &[u8]) -> Vec<Issue> {
    spec.issues(bytes)
}
