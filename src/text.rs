//! Writers of text: escapes, JSON, HTML and numbers; names and displayed forms of characters.

pub(crate) mod character;
pub(crate) mod escape;
pub(crate) mod html;
pub(crate) mod json;
pub mod name;
pub(crate) mod write;
