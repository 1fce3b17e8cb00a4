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
    /// The number of rows.
    rows: u64,
    /// The length of the first row.
    row_len: u64,
    /// True if a row is shorter than the first. Only the last can be, if a program wrote them.
    has_short_row: bool,
    /// True if rows have lengths that no program gives them.
    is_irregular: bool,
    /// The line of the first row that follows a gap in hexadecimal.
    first_gap: Option<u64>,
    /// The number of these gaps.
    gaps: u64,
    /// True if a hexadecimal offset is no multiple of 16, as those of whole rows are.
    is_uneven: bool,
    /// True if a gap in hexadecimal is not as long as some rows, which may have been deleted.
    has_odd_gap: bool,
    /// True if `*` stands for rows, whose number depends on the radix.
    has_star: bool,
    is_after_star: bool,
    ruled_out: bool,
}

impl DecimalOffsets {
    /// Adds a row on a line with its offset in both radices. `gap` is the number of bytes between the row
    /// above and this one in hexadecimal.
    pub fn add(&mut self, line: u64, hex: u64, decimal: Option<u64>, len: u64, gap: u64) {
        if self.ruled_out {
            return;
        }
        let is_after_star = std::mem::take(&mut self.is_after_star);
        let fits = |number: &u64| match is_after_star {
            true => *number >= self.end,
            false => self.origin.is_none() || *number == self.end,
        };
        let number = decimal.filter(fits);
        let Some((number, end)) =
            number.and_then(|start: u64| Some((start, start.checked_add(len)?)))
        else {
            return self.rule_out();
        };
        if self.rows == 0 {
            (self.origin, self.row_len) = (Some(number), len);
        }
        self.rows += 1;
        self.end = end;
        self.is_irregular |= self.has_short_row || len > self.row_len;
        self.has_short_row = len < self.row_len;
        self.is_uneven |= !hex.is_multiple_of(16);
        if gap > 0 {
            self.first_gap.get_or_insert(line);
            self.gaps += 1;
            self.has_odd_gap |= !gap.is_multiple_of(self.row_len.max(1));
        }
    }

    /// Notes that `*` stands for rows.
    pub fn star(&mut self) {
        (self.has_star, self.is_after_star) = (true, true);
    }

    /// Returns `true` after `*` below rows whose offsets may be decimal.
    pub fn may_have_star(&self) -> bool {
        self.is_after_star && self.first_gap().is_some()
    }

    /// Notes that the offsets are hexadecimal.
    pub fn rule_out(&mut self) {
        self.ruled_out = true;
    }

    /// Returns the line of the first row that follows a gap in hexadecimal, if the offsets may be decimal.
    /// Call it after the last row.
    pub fn first_gap(&self) -> Option<u64> {
        self.first_gap.filter(|_| !self.ruled_out)
    }

    /// Returns the offset of the first row if offsets that may be decimal are: if no rows that were cut or
    /// left out explain the gaps as well.
    pub fn origin(&self) -> Option<u64> {
        /// Two rows of a few bytes may be a patch.
        const FEWEST_ROWS: u64 = 3;
        let is_whole = self.rows >= FEWEST_ROWS && !self.is_irregular && !self.has_star;
        /// Fewer may be rows that were deleted.
        const FEWEST_GAPS: u64 = 3;
        let has_gaps = self.has_odd_gap || self.gaps >= FEWEST_GAPS;
        self.origin.filter(|_| is_whole && self.is_uneven && has_gaps)
    }
}

/// Returns the error for offsets of which one, on this line, may be decimal or hexadecimal.
pub(super) fn either_radix(line: u64) -> io::Error {
    let message = "an offset that is decimal or, after a gap, hexadecimal (put 0x before each offset if \
                   hexadecimal; else write the dump without xxd -d)";
    on_line(line, wrong(message))
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
    /// Returns the line of the first gap, and the decimal offset of the first row, of rows with these
    /// offsets and lengths.
    fn look(rows: &[(&str, u64)]) -> (Option<u64>, Option<u64>) {
        let (mut offsets, mut end) = (DecimalOffsets::default(), None::<u64>);
        for (line, &(digits, len)) in (1..).zip(rows) {
            let hex = u64::from_str_radix(digits, 16).unwrap();
            let gap = end.map_or(0, |end| hex - end);
            offsets.add(line, hex, digits.parse().ok(), len, gap);
            end = Some(hex + len);
        }
        (offsets.first_gap(), offsets.origin())
    }

    #[test]
    fn rows_of_one_length_that_follow_one_another_have_decimal_offsets() {
        for (rows, first_gap, origin) in [
            (&[("00000000", 16), ("00000016", 16), ("00000032", 1)][..], Some(2), Some(0)),
            (&[("00000090", 8), ("00000098", 8), ("00000106", 8)], Some(3), Some(90)),
            // Two rows prove nothing, nor do rows of several lengths.
            (&[("00000009", 1), ("00000010", 1)], Some(2), None),
            (&[("00000008", 2), ("00000010", 1), ("00000011", 2)], Some(2), None),
            (&[("00000008", 1), ("00000009", 1), ("00000010", 2)], Some(3), None),
            // All are multiples of 16, too, as those of rows that were cut.
            (&[("00000000", 10), ("00000010", 10), ("00000020", 10)], Some(2), None),
            // One row may have been deleted; hardly three of them.
            (&[("00000000", 6), ("00000006", 6), ("00000012", 6)], Some(3), None),
            (
                &[
                    ("00000008", 2),
                    ("00000010", 2),
                    ("00000012", 2),
                    ("00000014", 2),
                    ("00000016", 2),
                    ("00000018", 2),
                    ("00000020", 2),
                    ("00000022", 2),
                    ("00000024", 2),
                    ("00000026", 2),
                    ("00000028", 2),
                    ("00000030", 2),
                ],
                Some(2),
                Some(8),
            ),
            // A gap in decimal; a letter.
            (&[("00000000", 16), ("00000016", 16), ("00000048", 16)], None, None),
            (&[("00000009", 1), ("00000010", 1), ("0000001a", 1)], None, None),
        ] {
            let (gap, start) = look(rows);
            assert_eq!((gap, start.filter(|_| gap.is_some())), (first_gap, origin), "{rows:?}");
        }
        // Neither reading has a gap.
        assert_eq!(look(&[("00000090", 1), ("00000091", 1), ("00000092", 1)]).0, None);
    }
}
