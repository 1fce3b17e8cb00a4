//! `utf8 validate`.

mod full;
mod json;
mod kinds;
mod segments;
mod summaries;
mod tsv;
mod usage;
