//! Options that all commands share.

mod codecs;
mod inputs;
mod kernels;
mod lists;
mod names;
mod presentation;
mod sizes;

/// Returns the findings of E2 82 AC C0 AF in an input of this name.
fn euro_and_a_fault(name: &str) -> String {
    format!("{name}:1:4: byte 0x3 (3): overlong 2-byte form C0 AF of U+002F [overlong-2]\n")
}
