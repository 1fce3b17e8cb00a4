//! Writes the seeds of fuzzing into a directory, one file each.

use std::fs;
use std::path::PathBuf;

use utf8_fuzz::properties::seeds;

fn main() {
    let directory = PathBuf::from(std::env::args_os().nth(1).expect("a directory"));
    fs::create_dir_all(&directory).unwrap();
    let found = seeds::found().into_iter().map(|(_, bytes)| bytes);
    for (number, bytes) in seeds::seeds().into_iter().chain(found).enumerate() {
        fs::write(directory.join(number.to_string()), bytes).unwrap();
    }
}
