//! Comparisons with other programs, and tests of the documents.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod completions;
mod conversions;
mod generated;
mod help;
mod hooks;
mod man;
mod names;
mod notations;
mod readme;
mod repair;
mod spark;
