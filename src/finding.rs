//! Findings: segments of ill-formed sequences, with their positions and messages.

pub mod line_terminator;
pub mod locate;
pub(crate) mod message;
#[cfg(feature = "cli")]
pub(crate) mod positions;
pub mod segments;
pub mod stop;
mod template;
