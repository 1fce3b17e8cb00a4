//! Tests of `utf8 repair`.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod command;
mod diff;
mod documents;
mod drop_line;
mod files;
mod fix_settings;
mod fixes;
mod in_place;
mod laws;
mod mojibake;
mod rejects;
mod stages;
mod threads;
mod trees;
mod truncate;
mod truncate_command;
