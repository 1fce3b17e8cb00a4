//! Tests of dumps and of their reversal.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../properties/mod.rs"]
mod properties;

mod bits;
mod html;
mod json;
mod layouts;
mod legend;
mod reverse;
mod reverse_command;
mod reverse_programs;
