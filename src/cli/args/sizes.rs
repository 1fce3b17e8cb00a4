//! Parsers of numbers of bytes.

use std::str::FromStr;

use crate::source::RangeStart;

/// Parses a number of bytes: decimal or `0xHEX`, with `k`, `M` or `G`.
pub(in crate::cli) fn size(text: &str) -> Result<u64, String> {
    let is_number = |text: &&str| text.ends_with(UNITS);
    let binary = text.strip_suffix("iB").filter(is_number);
    let decimal = text.strip_suffix('B').filter(is_number);
    let base: u64 = if decimal.is_some() { 1000 } else { 1024 };
    let text = binary.or(decimal).unwrap_or(text);
    let (digits, unit) = match text.strip_suffix(UNITS) {
        Some(digits) => (digits, text[digits.len()..].to_ascii_lowercase()),
        None => (text, String::new()),
    };
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            u64::from_str_radix(hex, 16)
        }
        // Dumps print such offsets, in hexadecimal or octal.
        _ if digits.len() > 1 && digits.starts_with('0') && is_decimal(digits) => {
            let rest = digits.trim_start_matches('0');
            let hex = if rest.is_empty() { "0" } else { rest };
            return Err(format!("a leading 0 is ambiguous: {hex} is decimal, 0x{hex} hexadecimal"));
        }
        _ if digits.starts_with(|c: char| c.is_ascii_digit()) => ungrouped(digits).parse(),
        _ if digits.starts_with('-') => return Err("expected a number, 0 or more".to_owned()),
        _ => return Err(NO_SIZE.to_owned()),
    };
    let factor = match unit.as_str() {
        "k" => base,
        "m" => base.pow(2),
        "g" => base.pow(3),
        _ => 1,
    };
    match number {
        Ok(number) => number.checked_mul(factor).ok_or("too large".to_owned()),
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => {
            Err("too large".to_owned())
        }
        Err(_) => Err(NO_SIZE.to_owned()),
    }
}

fn is_decimal(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns digits without the commas between groups of three, which messages print.
fn ungrouped(digits: &str) -> String {
    let mut groups = digits.split(',').rev().peekable();
    let mut is_grouped = true;
    while let Some(group) = groups.next() {
        let is_first = groups.peek().is_none();
        is_grouped &= if is_first { (1..=3).contains(&group.len()) } else { group.len() == 3 };
    }
    if is_grouped { digits.replace(',', "") } else { digits.to_owned() }
}

/// Parses a number of a type without zero.
pub(in crate::cli) fn at_least_one<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "expected a number, 1 or greater")
}

const UNITS: [char; 6] = ['k', 'K', 'm', 'M', 'g', 'G'];

const NO_SIZE: &str = "expected a number of bytes: decimal or 0xHEX, with k, M or G";

/// Parses an offset: a number of bytes, from the end if it is negative.
pub(super) fn skip(text: &str) -> Result<RangeStart, String> {
    match text.strip_prefix('-') {
        Some(back) if back.starts_with('-') => Err(NO_SIZE.to_owned()),
        Some(back) => size(back).map(RangeStart::FromEnd),
        None => size(text).map(RangeStart::FromStart),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("420", 420),
            ("1,024", 1024),
            ("12,345,678", 12_345_678),
            ("0x1A4", 420),
            ("1k", 1024),
            ("0x2M", 2 << 20),
            ("3G", 3 << 30),
            ("4KiB", 4096),
            ("1MiB", 1 << 20),
            ("1kB", 1000),
            ("1MB", 1_000_000),
            ("0x1B", 27),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        let malformed = ["", "k", "0x", "+5", "1.5", "0x+5", "12q", "1 k", "1iB", "MiB", "1B"];
        for text in malformed.into_iter().chain(["1,2", "1,", ",024", "1024,000", "1,024,"]) {
            assert_eq!(size(text).unwrap_err(), NO_SIZE, "{text}");
        }
        for text in ["18446744073709551616", "17179869184G"] {
            assert_eq!(size(text).unwrap_err(), "too large", "{text}");
        }
        let ambiguous = "a leading 0 is ambiguous: 20 is decimal, 0x20 hexadecimal";
        assert_eq!(size("00000020").unwrap_err(), ambiguous);
        assert_eq!(skip("-1k"), Ok(RangeStart::FromEnd(1024)));
        assert_eq!(skip("0x10"), Ok(RangeStart::FromStart(16)));
    }
}
