//! Measures the ranking of legacy encodings, and its confidence, on cases from standard input.

use std::io::{BufRead, stdin};

use utf8::detect::legacy::{LegacyCandidate, LegacySample, rank};
use utf8::registry::Encoding;

use crate::sentences::decoded;
use crate::table::{Table, Tally};

/// A text with its bytes in an encoding.
struct Case {
    /// The language and the encoding.
    set: String,
    /// The length in characters, or 0 for a whole file.
    length: usize,
    bytes: Vec<u8>,
    text: String,
}

impl Case {
    /// Parses a line of the output of cases.py.
    fn parse(line: &str) -> Case {
        let fields: Vec<&str> = line.split('\t').collect();
        Case {
            set: fields[0].into(),
            length: fields[1].parse().unwrap_or_default(),
            bytes: bytes(fields[2]),
            text: String::from_utf8(bytes(fields[3])).expect("a text"),
        }
    }

    fn ranked(&self) -> Vec<LegacyCandidate> {
        let mut sample = LegacySample::default();
        sample.add(&self.bytes);
        rank(sample)
    }

    /// Returns `true` if a codec decodes the bytes to the text.
    fn is_right(&self, codec: &Encoding) -> bool {
        decoded(codec, &self.bytes).is_some_and(|text| text.into_iter().eq(self.points()))
    }

    fn points(&self) -> impl Iterator<Item = u32> {
        self.text.chars().map(u32::from)
    }

    /// Prints the start of the text, and the first candidates.
    fn show(&self, ranked: &[LegacyCandidate], shown: usize) {
        println!("\n{} {} {}", self.set, self.length, self.start(Some(self.points().collect())));
        for one in ranked.iter().take(shown) {
            let text = self.start(decoded(one.codec, &self.bytes));
            println!("  {} {} {:.4} {text}", one.codec.name, one.language, one.confidence);
        }
    }

    /// Quotes the first 60 code points.
    fn start(&self, points: Option<Vec<u32>>) -> String {
        let points = points.unwrap_or_default().into_iter().take(60);
        format!("{:?}", points.filter_map(char::from_u32).collect::<String>())
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// The confidences in twenty bins: the sum of the confidences, and the right answers.
#[derive(Default)]
struct Calibration([(f64, Tally); 20]);

impl Calibration {
    fn count(&mut self, confidence: f64, right: bool) {
        let (sum, tally) = &mut self.0[((confidence * 20.0) as usize).min(19)];
        *sum += confidence;
        tally.count(right);
    }

    fn print(&self) {
        println!("\n| confidence | right | texts |\n|---|---|---|");
        for (sum, tally) in self.0.iter().filter(|(_, tally)| tally.all > 0) {
            let confidence = sum / f64::from(tally.all);
            println!("| {confidence:.3} | {:.3} | {} |", tally.share(), tally.all);
        }
    }
}

/// Measures all cases, and prints the first `shown` candidates of each wrong answer.
pub fn measure(shown: usize) {
    let (mut table, mut calibration) = (Table::default(), Calibration::default());
    for case in stdin().lock().lines().map(|line| Case::parse(&line.expect("a line"))) {
        let ranked = case.ranked();
        let Some(best) = ranked.first() else { continue };
        let right = case.is_right(best.codec);
        table.count("all", case.length, right);
        table.count(&case.set, case.length, right);
        calibration.count(best.confidence, right);
        if !right && shown > 0 {
            case.show(&ranked, shown);
        }
    }
    print!("{table}");
    calibration.print();
}
