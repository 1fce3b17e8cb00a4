//! Do shifts that are printable spell text? UTF-7 (RFC 2152) and HZ (RFC 1843)

use crate::registry::Encoding;
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::announcement::AnnouncementTest;
use super::escapes::Announcement;
use super::trial::{distinct, hangul, plausibility, read};

/// Shifts are looked for in so many bytes from the start.
pub(super) const REACH: u64 = 1 << 20;

/// Looks for shifts, as long as all of them are well formed.
#[derive(Clone, Debug, Default)]
pub(super) struct ShiftFinder {
    found: Option<Announcement>,
    not_hz: bool,
    not_utf7: bool,
}

/// What shifts may come to.
enum ShiftEvidence {
    /// There are none, or too few to tell.
    Nothing,
    /// Some are ill-formed, or no text.
    Junk,
    /// Text, with what it is and how likely that is.
    Text(Announcement),
}

impl AnnouncementTest for ShiftFinder {
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        memchr2(b'+', b'~', bytes)
    }

    fn judge(&mut self, window: &[u8]) -> bool {
        ShiftFinder::ask(&mut self.found, &mut self.not_hz, || hz(window));
        ShiftFinder::ask(&mut self.found, &mut self.not_utf7, || utf7(window));
        self.found.is_some() || self.not_hz && self.not_utf7
    }
}

impl ShiftFinder {
    /// What was found.
    pub fn announced(&self) -> Option<Announcement> {
        self.found
    }

    /// Ask for one of the two, if it is still possible.
    fn ask(
        found: &mut Option<Announcement>,
        ruled_out: &mut bool,
        spelt: impl Fn() -> ShiftEvidence,
    ) {
        if *ruled_out || found.is_some() {
            return;
        }
        match spelt() {
            ShiftEvidence::Nothing => {}
            ShiftEvidence::Junk => *ruled_out = true,
            ShiftEvidence::Text(announced) => *found = Some(announced),
        }
    }
}

/// Whether it is UTF-7.
fn utf7(bytes: &[u8]) -> ShiftEvidence {
    let reading = Encoding::for_label("utf-7").and_then(|codec| read(codec, bytes, 0x80));
    let Some(reading) = reading.filter(|reading| reading.lone == 0) else {
        return ShiftEvidence::Junk;
    };
    // In some languages, one letter is all that is not ASCII.
    let values = distinct(&reading.values);
    let plausible = plausibility(&values) + hangul(&values);
    match values.len() as i32 {
        0 => ShiftEvidence::Nothing,
        number if plausible <= 0 || plausible < number / 2 => ShiftEvidence::Junk,
        // There may be more in another window.
        _ if plausible < least(bytes, &values) => ShiftEvidence::Nothing,
        _ => ShiftEvidence::Text(("utf-7", 1.0 - (-f64::from(plausible) / 2.0).exp())),
    }
}

/// How plausible these code points must be. Words behind a plus sign are base64 that spells some of
/// any script; few begin as that of a Latin letter does, or end at a hyphen.
fn least(bytes: &[u8], values: &[u32]) -> i32 {
    if is_closed(bytes) || values.iter().all(|&value| value < 0x250) { 1 } else { 4 }
}

/// Whether a hyphen ends the text of a shift.
fn is_closed(bytes: &[u8]) -> bool {
    let behind = |plus: usize| bytes[plus + 1..].iter().find(|byte| !is_base64(**byte));
    memchr_iter(b'+', bytes).any(|plus| {
        bytes.get(plus + 1).is_some_and(|&byte| is_base64(byte)) && behind(plus) == Some(&b'-')
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'/'
}

/// Whether it is HZ: all tildes are its escapes, and GB 2312 stands between `~{` and `~}`.
fn hz(bytes: &[u8]) -> ShiftEvidence {
    let mut rest = bytes;
    let mut text = Vec::new();
    while let Some(at) = memchr(b'~', rest) {
        let len = match &rest[at..] {
            [b'~'] => 1,
            [b'~', b'~' | b'\n', ..] => 2,
            [b'~', b'{', behind @ ..] => match gb_2312(behind) {
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
        _ if text.is_empty() => ShiftEvidence::Nothing,
        Some(reading) if plausibility(&reading.values) >= 0 => {
            ShiftEvidence::Text(("hz-gb-2312", 0.95))
        }
        _ => ShiftEvidence::Junk,
    }
}

/// The text of GB 2312 up to an escape, and its length with that. What the end cuts is no evidence.
fn gb_2312(behind: &[u8]) -> Option<(&[u8], usize)> {
    let end = memmem::find(behind, b"~}");
    let text = &behind[..end.unwrap_or(behind.len())];
    let (pairs, rest) = text.as_chunks();
    let is_pair =
        |&[lead, trail]: &[u8; 2]| (0x21..=0x77).contains(&lead) && (0x21..=0x7E).contains(&trail);
    if !pairs.iter().all(is_pair) {
        return None;
    }
    match end {
        None => Some((&[], behind.len())),
        Some(len) => (rest.is_empty() && !pairs.is_empty()).then_some((text, len + 2)),
    }
}
