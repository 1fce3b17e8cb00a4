//! Seeds of fuzzing: the texts of the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::unhex;

/// The corpus of the tests.
fn corpus() -> PathBuf {
    // The fuzz targets are a crate beside it.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = root.join("tests/corpus");
    if corpus.exists() { corpus } else { root.join("../tests/corpus") }
}

fn rows(name: &str) -> Vec<String> {
    let text = fs::read_to_string(corpus().join(name)).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Returns the texts of the corpus: each line of text, the bytes of each vector, and some of what the
/// command line reads.
pub fn seeds() -> Vec<Vec<u8>> {
    let ill_formed = fs::read(corpus().join("ill-formed.txt")).unwrap();
    let lines = ill_formed.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec);
    let vectors = rows("vectors.tsv");
    let vectors = vectors.iter().filter_map(|row| row.split('\t').nth(1)).map(unhex);
    let texts = [rows("sentences.tsv"), rows("ftfy.tsv")].concat();
    let texts = texts.iter().filter_map(|row| row.split('\t').nth(1)).map(Vec::from);
    let files = rows("command-lines.txt").into_iter().map(|row| row.replace("\\n", "\n").into());
    lines.chain([ill_formed.clone()]).chain(vectors).chain(texts).chain(files).collect()
}

/// Returns the inputs that fuzzing found, each with the name of its property.
pub fn found() -> Vec<(String, Vec<u8>)> {
    let row = |row: String| {
        let mut columns = row.split('\t');
        let [property, bytes] = [(); 2].map(|()| columns.next().expect("a column").to_owned());
        (property, unhex(&bytes))
    };
    rows("found.tsv").into_iter().map(row).collect()
}
