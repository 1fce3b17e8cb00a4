//! Do conversions agree with those of other tools, where they are installed?

mod answers;
mod ask;
mod differences;
mod faults;
mod inputs;
mod ours;
mod points;
mod policies;
mod table;
