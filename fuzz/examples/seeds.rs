//! Writes the seeds of fuzzing into a directory, one file each.

use std::fs;
use std::path::PathBuf;

use utf8_fuzz::common::inputs::Rng;
use utf8_fuzz::properties::{HEAD, seeds};

fn main() {
    let directory = PathBuf::from(std::env::args_os().nth(1).expect("a directory"));
    fs::create_dir_all(&directory).unwrap();
    let head = |number: usize| Rng::new(number as u64).next().to_le_bytes();
    let seeds = seeds::seeds().into_iter().enumerate();
    let seeds = seeds.map(|(number, text)| [&head(number)[..HEAD], &text].concat());
    let found = seeds::found().into_iter().map(|(_, bytes)| bytes);
    for (number, bytes) in seeds.chain(found).enumerate() {
        fs::write(directory.join(number.to_string()), bytes).unwrap();
    }
}
