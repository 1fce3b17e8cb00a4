//! Radix of offsets. Seven digits are octal by default in `od`, decimal with `-A d`, hexadecimal in
//! `hexdump`; eight and a colon are hexadecimal, or decimal with `xxd -d`.

use std::io;

use super::error::{on_line, wrong};

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

/// Finds whether the offsets before colons are decimal: then each row starts where the row above ends,
/// and in hexadecimal, there are gaps between rows.
#[derive(Debug, Default)]
pub(super) struct DecimalOffsets {
    /// The decimal offset of the first row.
    origin: Option<u64>,
    /// The decimal offset after the row above.
    end: u64,
    /// The line of the first row that follows a gap in hexadecimal.
    gap: Option<u64>,
    /// True if a hexadecimal offset is no multiple of 16, as those of whole rows are.
    is_uneven: bool,
    /// True if `*` stands for rows, whose number depends on the radix.
    has_star: bool,
    is_after_star: bool,
    ruled_out: bool,
}

impl DecimalOffsets {
    /// Adds a row on a line with the number that its offset is in hexadecimal. `follows` says that it
    /// starts there where the row above ends, or is the first row.
    pub fn add(&mut self, line: u64, offset: u64, len: u64, follows: bool) {
        if self.ruled_out {
            return;
        }
        let is_after_star = std::mem::take(&mut self.is_after_star);
        let number = format!("{offset:x}").parse().ok();
        let fits = |number: &u64| match is_after_star {
            true => *number >= self.end,
            false => self.origin.is_none() || *number == self.end,
        };
        let number = number.filter(fits);
        let Some((number, end)) =
            number.and_then(|start: u64| Some((start, start.checked_add(len)?)))
        else {
            return self.rule_out();
        };
        self.origin.get_or_insert(number);
        self.end = end;
        self.is_uneven |= !offset.is_multiple_of(16);
        if !follows {
            self.gap.get_or_insert(line);
        }
    }

    /// Notes that `*` stands for rows.
    pub fn star(&mut self) {
        (self.has_star, self.is_after_star) = (true, true);
    }

    /// Notes that the offsets are hexadecimal.
    pub fn rule_out(&mut self) {
        self.ruled_out = true;
    }

    /// Returns the offset of the first row if the offsets are decimal. Call it after the last row.
    ///
    /// # Errors
    /// They may be hexadecimal.
    pub fn origin(&self) -> io::Result<Option<u64>> {
        match self.gap {
            Some(line) if !self.ruled_out && (self.has_star || !self.is_uneven) => Err(on_line(
                line,
                wrong(
                    "an offset that is decimal or, after a gap, hexadecimal (put 0x before each offset \
                     if hexadecimal; else write the dump without xxd -d)",
                ),
            )),
            Some(_) if !self.ruled_out => Ok(self.origin),
            _ => Ok(None),
        }
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
