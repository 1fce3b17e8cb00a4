//! Tests of dumps and of their reversal.

#![cfg(feature = "cli")]

#[path = "../common/mod.rs"]
mod common;

mod bits;
mod html;
mod json;
mod layouts;
mod legend;
mod reverse;
mod reverse_command;
