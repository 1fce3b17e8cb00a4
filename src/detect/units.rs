//! Is it UTF-16 or UTF-32 without a byte order mark?

use super::reading::{Reading, is_ideographic, plausibility, read};
use crate::codec::{self, Spec};

/// The forms, the stricter first.
const FORMS: [&str; 4] = ["utf-32le", "utf-32be", "utf-16le", "utf-16be"];

/// How plausible the text must be, in all and for each eight units.
const LEAST: i32 = 3;
const LEAST_OF_EIGHT: i32 = 3;

/// What the high bytes of a unit of 32 bits weigh, which are zero: few other bytes are like that.
const UNIT_OF_32: i32 = 4;

/// From how many bytes on the end may cut a unit.
const LONG: usize = 16;

/// The form of some bytes, and how likely it is. `whole` says that the input ends with them.
pub(super) fn form(bytes: &[u8], whole: bool) -> Option<(&'static Spec, f64)> {
    let ascii = is_mostly_ascii(bytes);
    let possible = forms(bytes, whole).filter(|(codec, _)| !(ascii && codec.unit == 2));
    let judged = possible.filter_map(|(codec, reading)| {
        let plausible = plausible(codec, &reading.values)?;
        Some((codec, plausible))
    });
    let (codec, plausible) = judged.max_by_key(|&(_, plausible)| plausible)?;
    Some((codec, 1.0 - (-f64::from(plausible) / 6.0).exp()))
}

/// Whether most units of 16 bits are two printable characters of ASCII. Of ideographs, fewer are;
/// the letters of other scripts have a row below 20 in each unit.
fn is_mostly_ascii(bytes: &[u8]) -> bool {
    let (units, _) = bytes.as_chunks::<2>();
    let ascii = units.iter().filter(|unit| match unit {
        [b' '..=b'~', b' '..=b'~'] => true,
        // Two tabs or line ends: in rows 09 and 0A, there are many other letters.
        [first, second] => first == second && first.is_ascii_whitespace(),
    });
    let ascii = ascii.count();
    ascii * 2 > units.len()
}

/// A form in which all is ideographs. So few do not tell it from other text: only if there is none.
pub(super) fn ideographic(bytes: &[u8]) -> Option<&'static Spec> {
    let mut forms = forms(bytes, true);
    forms.find(|(_, reading)| is_ideographic(&reading.values)).map(|(codec, _)| codec)
}

/// The forms that some bytes are well formed in.
fn forms(bytes: &[u8], whole: bool) -> impl Iterator<Item = (&'static Spec, Reading)> + '_ {
    FORMS.iter().filter_map(move |name| {
        let codec = codec::find(name)?;
        let short = bytes.len() < LONG;
        let reading = read(codec, bytes).filter(|reading| !(whole && short && reading.cut))?;
        Some((codec, reading))
    })
}

/// How plausible these code points are, if they are enough so.
fn plausible(codec: &Spec, values: &[u32]) -> Option<i32> {
    let number = values.len() as i32;
    let more = if codec.unit == 4 { UNIT_OF_32 * number } else { 0 };
    let plausible = plausibility(values) + more;
    (plausible >= LEAST && plausible * 8 >= number * LEAST_OF_EIGHT).then_some(plausible)
}

/// Whether some bytes are well formed in this codec, but for their end.
pub(super) fn is(name: &str, bytes: &[u8]) -> bool {
    codec::find(name).is_some_and(|codec| read(codec, bytes).is_some())
}
