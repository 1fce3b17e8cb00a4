//! `utf8 validate`.

mod full;
mod json;
mod kinds;
mod limits;
mod lines;
mod no_lines;
mod segments;
mod summaries;
mod trees;
mod tsv;
mod usage;
