//! Conversions of other programs, where they are installed.

mod answers;
mod ask;
mod differences;
mod faults;
mod inputs;
mod ours;
mod points;
mod policies;
mod table;
