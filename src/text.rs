//! Writers for text: escapes, JSON, HTML, numbers and the shapes and names of characters.

pub(crate) mod character;
pub(crate) mod escape;
pub(crate) mod html;
pub(crate) mod json;
pub mod name;
pub(crate) mod write;
