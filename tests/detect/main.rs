//! Tests of detection and of double encoding.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod certain;
mod command;
mod detector;
mod documents;
mod legacy;
mod lost_bytes;
mod mixture;
mod mojibake;
mod regions;
