//! Radix of offsets of seven digits: octal by default in `od`, decimal with `-A d`, hexadecimal in
//! `hexdump`.

use std::io;

use super::error::wrong;

/// Finds the radix of the offsets of a dump: rows follow one another without gaps.
#[derive(Debug, Default)]
pub(super) struct OffsetRadix {
    known: Option<u32>,
}

/// The radices of offsets of seven digits.
const RADICES: [u32; 3] = [8, 10, 16];

impl OffsetRadix {
    /// Returns the number of seven digits. `expected` is the offset after the row above, if no gap
    /// can precede the row.
    pub fn number(&mut self, digits: &str, expected: Option<u64>) -> io::Result<u64> {
        let number = |radix: u32| u64::from_str_radix(digits, radix).ok();
        if let Some(radix) = self.known {
            return number(radix).ok_or_else(|| {
                wrong("an offset in another base than those above (correct its digits)")
            });
        }
        let numbers: Vec<_> = RADICES.iter().map(|&radix| number(radix)).collect();
        let told = numbers.iter().position(|number| number.is_some() && *number == expected);
        let (Some(told), Some(expected)) = (told, expected) else {
            return Err(wrong(
                "an offset of seven digits is octal, decimal or hexadecimal, and the rows above do \
                 not tell (od -A x -v)",
            ));
        };
        if numbers.iter().filter(|number| **number == Some(expected)).count() == 1 {
            self.known = Some(RADICES[told]);
        }
        Ok(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_offset_with_several_meanings_decides() {
        for (offsets, numbers) in [
            (&[("0000000", 0), ("0000020", 16), ("0000100", 64)][..], &[0, 16, 64][..]),
            (&[("0000000", 0), ("0000016", 16), ("0000100", 100)], &[0, 16, 100]),
            (&[("0000000", 0), ("0000010", 16), ("00000ff", 255)], &[0, 16, 255]),
            (&[("0000000", 0), ("0000005", 5)], &[0, 5]),
        ] {
            let mut radix = OffsetRadix::default();
            for (&(digits, expected), &number) in offsets.iter().zip(numbers) {
                assert_eq!(radix.number(digits, Some(expected)).unwrap(), number, "{digits}");
            }
        }
        for (digits, expected) in [("0000020", Some(15)), ("0000020", None)] {
            assert!(OffsetRadix::default().number(digits, expected).is_err());
        }
    }
}
