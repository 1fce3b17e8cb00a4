//! Writers of text: escapes, JSON, HTML and numbers; names, displayed forms and normalization of
//! characters.

pub(crate) mod character;
pub(crate) mod decomposition;
pub(crate) mod escape;
pub(crate) mod html;
pub(crate) mod json;
pub mod name;
pub(crate) mod normalization;
#[cfg(feature = "cli")]
pub(crate) mod number;
pub(crate) mod write;

/// Compares bytes in a constant, where `==` is not available.
pub(crate) const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
