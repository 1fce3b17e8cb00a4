//! Measures detection and its confidence on cases from standard input.

use std::io::{BufRead, stdin};

use utf8::detect::{Answer, Detection, RankedAnswer, detect};
use utf8::registry::Encoding;

use crate::sentences::decoded;
use crate::table::{Table, Tally};

/// The confidence from which `--from auto` decodes.
const DECODED: f64 = 0.8;

/// The confidence of answers that must hardly ever be wrong.
const CERTAIN: f64 = 0.95;

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

    /// Returns `true` if the answer decodes the bytes to the text.
    fn is_right(&self, detection: &Detection) -> bool {
        let Answer::Codec(codec) = detection.answer else { return false };
        decoded(codec, &self.bytes).is_some_and(|text| text.into_iter().eq(self.points()))
    }

    fn points(&self) -> impl Iterator<Item = u32> {
        self.text.chars().map(u32::from)
    }

    /// Prints the start of the text beyond ASCII, and the first candidates.
    fn show(&self, found: &Detection, shown: usize) {
        let at =
            self.bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0).saturating_sub(20);
        let text = quoted(self.points().skip(at));
        println!(
            "\n{} {} {:?} {:.4} {text}",
            self.set, self.length, found.answer, found.confidence
        );
        for RankedAnswer { answer, language, confidence, .. } in found.candidates.iter().take(shown)
        {
            let Answer::Codec(codec) = answer else { continue };
            let text = quoted(decode(codec, &self.bytes).into_iter().skip(at));
            println!("  {} {} {confidence:.4} {text}", codec.name, language.unwrap_or_default());
        }
    }
}

fn decode(codec: &Encoding, bytes: &[u8]) -> Vec<u32> {
    decoded(codec, bytes).unwrap_or_default()
}

/// Quotes the first 70 code points.
fn quoted(points: impl Iterator<Item = u32>) -> String {
    format!("{:?}", points.take(70).filter_map(char::from_u32).collect::<String>())
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits");
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// The confidences in ten bins: the sum of the confidences, and the right answers.
#[derive(Default)]
struct Calibration([(f64, Tally); 10]);

impl Calibration {
    fn count(&mut self, confidence: f64, right: bool) {
        let (sum, tally) = &mut self.0[((confidence * 10.0) as usize).min(9)];
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

/// Counts of right and wrong answers by their confidence.
#[derive(Default)]
struct Certainty {
    all: u32,
    right: u32,
    right_certain: u32,
    wrong_decoded: u32,
    wrong_certain: u32,
    refused: u32,
}

impl Certainty {
    fn count(&mut self, confidence: f64, right: bool) {
        self.all += 1;
        self.right += u32::from(right);
        self.right_certain += u32::from(right && confidence >= CERTAIN);
        self.wrong_decoded += u32::from(!right && confidence >= DECODED);
        self.wrong_certain += u32::from(!right && confidence >= CERTAIN);
        self.refused += u32::from(confidence < DECODED);
    }

    fn print(&self) {
        let Certainty { all, right, right_certain, wrong_decoded, wrong_certain, refused } = self;
        let share = |part: &u32, of: u32| 100.0 * f64::from(*part) / f64::from(of.max(1));
        println!("\n| | % |\n|---|---|");
        println!("| right | {:.1} |", share(right, *all));
        println!("| right answers given at ≥ {CERTAIN} | {:.1} |", share(right_certain, *right));
        let certain = right_certain + wrong_certain;
        println!(
            "| answers at ≥ {CERTAIN} that are wrong | {:.2} |",
            share(wrong_certain, certain)
        );
        println!("| wrong at ≥ {DECODED} | {:.2} |", share(wrong_decoded, *all));
        println!("| below {DECODED} | {:.2} |", share(refused, *all));
    }
}

/// Measures all cases, and prints the first `shown` candidates of each wrong answer.
pub fn measure(shown: usize) {
    let (mut table, mut calibration) = (Table::default(), Calibration::default());
    let mut certainty = Certainty::default();
    for case in stdin().lock().lines().map(|line| Case::parse(&line.expect("a line"))) {
        let found = detect(&case.bytes);
        let right = case.is_right(&found);
        table.count("all", case.length, right);
        table.count(&case.set, case.length, right);
        calibration.count(found.confidence, right);
        certainty.count(found.confidence, right);
        if !right && shown > 0 {
            case.show(&found, shown);
        }
    }
    print!("{table}");
    calibration.print();
    certainty.print();
}
