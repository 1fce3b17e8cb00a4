//! Tests under adverse conditions: full disks, signals, closed pipes, files that change.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod changing_files;
mod dump;
mod every_call;
mod hostile;
mod in_place;
mod pieces;
mod repair;
mod repair_races;
mod replace;
mod replace_faults;
mod shapes;
mod short_calls;
mod tree_races;
mod validate;
