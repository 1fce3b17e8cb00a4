//! Tests of detection and of double encoding.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod alphabets_in_sets;
mod c1_controls;
mod certain;
mod command;
mod confidence;
mod damage;
mod detector;
mod documents;
mod drawings;
mod from_auto;
mod legacy;
mod long_mojibake;
mod lost_bytes;
mod misreading;
mod mixture;
mod mojibake;
mod mojibake_letters;
mod next_command;
mod regions;
mod signs;
