//! Tests of `utf8 validate`, `encode` and `decode`, and of the options that all commands share.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod command;
mod converted_ranges;
mod in_place;
mod in_place_trees;
mod output;
mod pairs;
mod policies;
mod ranges;
mod review;
mod shared_options;
mod tilings;
mod validate;
