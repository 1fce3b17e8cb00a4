//! Findings: segments of ill-formed sequences, with their positions and messages.

pub mod fault;
pub mod locate;
pub(crate) mod message;
pub mod segments;
mod template;
