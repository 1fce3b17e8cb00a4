//! How often does the ranking find the text? Accuracy for each set and length, and calibration.
//!
//! Standard input has a case a line, as cases.py writes them: set, sort, the bytes and the text in
//! hex. An argument is the number of candidates to show of each miss.

use std::collections::BTreeMap;
use std::io::{BufRead, stdin};
use std::time::{Duration, Instant};

use utf8::codec::{Spec, Step};
use utf8::detect::legacy::{Sample, rank};

/// Right answers, and all.
type Tally = (u32, u32);

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.bytes().map(|digit| (digit as char).to_digit(16).unwrap() as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn decode(codec: &Spec, mut bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    while !bytes.is_empty() {
        let step = (codec.step)(bytes);
        match step {
            Step::Scalar { value, .. } => text.push(char::from_u32(value)?),
            Step::Two { values, .. } => text.extend(values.into_iter().filter_map(char::from_u32)),
            _ => return None,
        }
        bytes = &bytes[step.size()..];
    }
    Some(text)
}

fn count(tally: &mut Tally, right: bool) {
    tally.0 += u32::from(right);
    tally.1 += 1;
}

fn main() {
    let shown: usize = std::env::args().nth(1).map_or(0, |number| number.parse().unwrap());
    let mut sets: BTreeMap<(String, String), Tally> = BTreeMap::new();
    let mut sorts: BTreeMap<String, Tally> = BTreeMap::new();
    let mut calibration = [(0.0, 0, 0); 20];
    let mut slowest = Duration::ZERO;
    for line in stdin().lock().lines().map(Result::unwrap) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (input, expected) = (bytes(fields[2]), String::from_utf8(bytes(fields[3])).unwrap());
        let start = Instant::now();
        let mut sample = Sample::default();
        sample.add(&input);
        let found = rank(sample);
        slowest = slowest.max(start.elapsed());
        let right = found
            .first()
            .is_some_and(|best| decode(best.codec, &input).as_ref() == Some(&expected));
        count(sets.entry((fields[0].into(), fields[1].into())).or_default(), right);
        count(sorts.entry(fields[1].into()).or_default(), right);
        if let Some(best) = found.first() {
            let bin = &mut calibration[((best.confidence * 20.0) as usize).min(19)];
            *bin = (bin.0 + best.confidence, bin.1 + u32::from(right), bin.2 + 1);
        }
        if !right && shown > 0 {
            println!(
                "\n{} {} {:?}",
                fields[0],
                fields[1],
                expected.chars().take(60).collect::<String>()
            );
            for best in found.iter().take(shown) {
                let text: String =
                    decode(best.codec, &input).unwrap_or_default().chars().take(60).collect();
                println!(
                    "  {} {} {} {:.2} {text:?}",
                    best.codec.name, best.language, best.cost, best.confidence
                );
            }
        }
    }
    for ((set, sort), (right, all)) in &sets {
        println!(
            "{set}\t{sort}\t{right}\t{all}\t{:.1}",
            100.0 * f64::from(*right) / f64::from(*all)
        );
    }
    for (sort, (right, all)) in &sorts {
        println!("ALL\t{sort}\t{right}\t{all}\t{:.1}", 100.0 * f64::from(*right) / f64::from(*all));
    }
    for (sum, right, all) in calibration.iter().filter(|bin| bin.2 > 0) {
        let number = f64::from(*all);
        println!("CONFIDENCE\t{:.3}\t{:.3}\t{all}", sum / number, f64::from(*right) / number);
    }
    println!("SLOWEST\t{slowest:?}");
}
