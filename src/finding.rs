//! Findings: how an ill-formed sequence is cut, placed and described.

pub mod fault;
pub mod locate;
pub(crate) mod message;
pub mod segments;
