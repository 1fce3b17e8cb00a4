//! Tests of the encodings, each against its standard.

#[path = "../common/mod.rs"]
mod common;

mod anatomy;
mod family;
mod legacy;
mod notations;
mod oracle;
mod pages;
mod places;
mod sets;
mod stateful;
mod tscii;
mod units;
