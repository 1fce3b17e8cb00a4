//! Printable shifts that announce an encoding: UTF-7 (RFC 2152) and HZ (RFC 1843).

use std::collections::BTreeSet;

use crate::registry::Encoding;
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::announcement::AnnouncementTest;
use super::escapes::Announcement;
use super::legacy::english_bits;
use super::trial::{distinct, hangul_weight, is_latin, plausibility, read};

/// The number of bytes at the start of the input that are searched for shifts.
pub(super) const REACH: u64 = 1 << 20;

/// Finds shifts, as long as all of them are well formed.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftFinder {
    announcement: Option<Announcement>,
    not_hz: bool,
    not_utf7: bool,
}

/// The evidence of shifts in a window.
enum ShiftEvidence {
    /// There are no shifts, or too few.
    None,
    /// A shift is ill-formed, or does not decode to text.
    Junk,
    /// The shifts decode to text.
    Text(Announcement),
}

impl AnnouncementTest for ShiftFinder {
    fn find_start(&self, bytes: &[u8]) -> Option<usize> {
        memchr2(b'+', b'~', bytes)
    }

    fn test(&mut self, window: &[u8]) -> bool {
        ShiftFinder::look(&mut self.announcement, &mut self.not_hz, || hz(window));
        ShiftFinder::look(&mut self.announcement, &mut self.not_utf7, || utf7(window));
        self.announcement.is_some() || self.not_hz && self.not_utf7
    }
}

impl ShiftFinder {
    /// Returns the announcement, if one was found.
    pub fn announced(&self) -> Option<Announcement> {
        self.announcement
    }

    /// Looks for one of the two encodings, unless it is ruled out or an announcement was found.
    fn look(
        found: &mut Option<Announcement>,
        ruled_out: &mut bool,
        evidence: impl Fn() -> ShiftEvidence,
    ) {
        if *ruled_out || found.is_some() {
            return;
        }
        match evidence() {
            ShiftEvidence::None => {}
            ShiftEvidence::Junk => *ruled_out = true,
            ShiftEvidence::Text(announced) => *found = Some(announced),
        }
    }
}

/// Returns the evidence for UTF-7 in a window.
fn utf7(bytes: &[u8]) -> ShiftEvidence {
    let reading = Encoding::for_label("utf-7").and_then(|codec| read(codec, bytes, 0x80));
    let Some(reading) = reading.filter(|reading| reading.lone_surrogates == 0) else {
        return ShiftEvidence::Junk;
    };
    // Distinct code points: some languages have a single letter beyond ASCII.
    let values = distinct(&reading.values);
    let plausible = plausibility(&values) + hangul_weight(&values) + quotation_weight(&values)
        - words_weight(bytes);
    match values.len() as i32 {
        0 => ShiftEvidence::None,
        number if plausible <= 0 || plausible < number / 2 => ShiftEvidence::Junk,
        // Another window may have more.
        _ if plausible < least_plausibility(bytes, &values) => ShiftEvidence::None,
        _ => ShiftEvidence::Text(("utf-7", 1.0 - (-f64::from(plausible) / 2.0).exp())),
    }
}

/// Returns the plausibility from which code points are text. A word after a plus sign is base64 of
/// some code points by chance. Such a word rarely decodes to Latin letters only or ends in a
/// hyphen, so that less is required of code points that do.
fn least_plausibility(bytes: &[u8], values: &[u32]) -> i32 {
    if has_closed_shift(bytes) || values.iter().copied().all(is_latin) { 1 } else { 4 }
}

/// The weight of two different quotation marks, chosen by hand.
const QUOTATION: i32 = 4;

/// Returns the additional weight of quotation marks, given different code points. Words after plus signs
/// hardly decode to two by chance.
fn quotation_weight(values: &[u32]) -> i32 {
    let marks = values.iter().filter(|value| (0x2018..=0x201F).contains(*value)).count();
    if marks > 1 { QUOTATION } else { 0 }
}

/// Returns the weight of English words after plus signs, as in `rock+acting-music`: one for each bit by which
/// the different ones are likelier in English than any base64.
fn words_weight(bytes: &[u8]) -> i32 {
    let words: BTreeSet<&[u8]> = shifts(bytes).map(|(base64, _)| base64).collect();
    let base64: usize = words.iter().map(|word| 6 * word.len()).sum();
    // A window has fewer than 6 × 64 Ki bits.
    (base64 as i64 - english_bits(words.into_iter())).max(0) as i32
}

/// Returns `true` if a hyphen closes a shift.
fn has_closed_shift(bytes: &[u8]) -> bool {
    shifts(bytes).any(|(_, next)| next == Some(b'-'))
}

/// Returns the base64 after each plus sign, and the byte after it. A plus sign within base64 starts another
/// item.
fn shifts(bytes: &[u8]) -> impl Iterator<Item = (&[u8], Option<u8>)> {
    let shift = |plus: usize| {
        let rest = &bytes[plus + 1..];
        let len = rest.iter().take_while(|byte| is_base64(**byte)).count();
        (len > 0).then(|| (&rest[..len], rest.get(len).copied()))
    };
    memchr_iter(b'+', bytes).filter_map(shift)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'/'
}

/// Returns the evidence for HZ in a window: each tilde starts an escape of HZ, and GB 2312 stands
/// between `~{` and `~}`.
fn hz(bytes: &[u8]) -> ShiftEvidence {
    let mut rest = bytes;
    let mut text = Vec::new();
    while let Some(at) = memchr(b'~', rest) {
        let len = match &rest[at..] {
            [b'~'] => 1,
            [b'~', b'~' | b'\n', ..] => 2,
            [b'~', b'{', rest @ ..] => match gb_2312(rest) {
                Some((pairs, len)) => {
                    text.extend_from_slice(pairs);
                    2 + len
                }
                None => return ShiftEvidence::Junk,
            },
            _ => return ShiftEvidence::Junk,
        };
        rest = &rest[at + len..];
    }
    text.iter_mut().for_each(|byte| *byte |= 0x80);
    let reading = Encoding::for_label("gbk").and_then(|codec| read(codec, &text, 0));
    match reading {
        _ if text.is_empty() => ShiftEvidence::None,
        Some(reading) if plausibility(&reading.values) >= 0 => {
            ShiftEvidence::Text(("hz-gb-2312", 0.95))
        }
        _ => ShiftEvidence::Junk,
    }
}

/// Returns the GB 2312 text up to the closing escape, and its length with the escape, in bytes. Text
/// cut at the end of the window is skipped. Returns `None` if the text is not GB 2312.
fn gb_2312(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let end = memmem::find(bytes, b"~}");
    let text = &bytes[..end.unwrap_or(bytes.len())];
    let (pairs, rest) = text.as_chunks();
    let is_pair =
        |&[lead, trail]: &[u8; 2]| (0x21..=0x77).contains(&lead) && (0x21..=0x7E).contains(&trail);
    if !pairs.iter().all(is_pair) {
        return None;
    }
    match end {
        None => Some((&[], bytes.len())),
        Some(len) => (rest.is_empty() && !pairs.is_empty()).then_some((text, len + 2)),
    }
}
