//! How often does `utf8 detect` find the text, and does its confidence come true?
//!
//! `utf8-models sentences` measures on the project's own sentences, and prints a table of Markdown:
//! sets whose numbers agree share a row. `utf8-models cases [SHOWN]` measures the ranking on
//! standard input, which has a case a line as cases.py writes them, and shows so many candidates of
//! each miss.

mod cases;
#[path = "../../tests/common/sentences.rs"]
mod sentences;
mod table;

use sentences::{LENGTHS, is_right, legacy_pieces, unicode_pieces};
use table::Table;

/// The table of the project's own sentences.
fn own() -> Table {
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
        ["sentences"] => print!("{}", own()),
        ["cases"] => cases::measure(0),
        ["cases", shown] => cases::measure(shown.parse().expect("a number of candidates")),
        _ => eprintln!("usage: utf8-models sentences | utf8-models cases [SHOWN]"),
    }
}
