//! Do conversions agree with those of other tools, where they are installed?

#![cfg(feature = "cli")]

#[allow(dead_code)] // the inputs serve other laws too
#[path = "../common"]
mod common {
    pub mod bin;
    pub mod inputs;
}

mod answers;
mod ask;
mod differences;
mod faults;
mod inputs;
mod ours;
mod points;
mod policies;
mod table;
