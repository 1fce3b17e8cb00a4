//! Comparisons with other programs, and tests of the documents.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod conversions;
mod generated;
mod notations;
mod readme;
mod repair;
