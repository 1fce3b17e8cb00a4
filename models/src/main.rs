//! Measures the accuracy of `utf8 detect`.
//!
//! `utf8-models sentences` measures on the project's own sentences, and prints a Markdown table in
//! which encodings with equal results share a row. `utf8-models cases [SHOWN]` measures the ranking
//! of legacy encodings and its confidence on cases from standard input, as cases.py writes them, and
//! prints the first SHOWN candidates of each wrong answer.

mod cases;
#[path = "../../tests/common/sentences.rs"]
mod sentences;
mod table;

use sentences::{LENGTHS, is_right, legacy_pieces, unicode_pieces};
use table::Table;

/// Measures on the project's own sentences.
fn measure_sentences() -> Table {
    let mut table = Table::default();
    for (length, number) in LENGTHS {
        for piece in legacy_pieces(length, number) {
            let right = is_right(&utf8::detect::detect(&piece.bytes), piece.codec, &piece.bytes);
            table.count("all legacy sets", length, right);
            table.count(piece.name, length, right);
        }
        for piece in unicode_pieces(length, number) {
            let right = is_right(&utf8::detect::detect(&piece.bytes), piece.codec, &piece.bytes);
            table.count(piece.name, length, right);
        }
    }
    table
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sentences"] => print!("{}", measure_sentences()),
        ["cases"] => cases::measure(0),
        ["cases", shown] => cases::measure(shown.parse().expect("a number of candidates")),
        _ => eprintln!("usage: utf8-models sentences | utf8-models cases [SHOWN]"),
    }
}
