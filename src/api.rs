//! The public functions of the library.

use crate::issue::Issue;
use crate::registry::Spec;

/// Returns every ill-formed sequence of bytes in memory.
pub fn issues(spec: &Spec, bytes: &[u8]) -> Vec<Issue> {
    spec.issues(bytes)
}
