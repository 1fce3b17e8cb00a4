//! `utf8 validate`.

mod attributes;
mod baseline;
mod config;
mod documents;
mod full;
mod git_settings;
mod ignores;
mod inline;
mod json;
mod kinds;
mod limits;
mod lines;
mod lints;
mod merge;
mod no_lines;
mod reports;
mod segments;
mod summaries;
mod tracked;
mod trees;
mod tsv;
mod usage;
