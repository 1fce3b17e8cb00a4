//! The writer of SCSU.
//!
//! A character outside the current window waits for the next one: if that is in the same window, the
//! writer goes there, and otherwise it quotes the character. It also goes there if the last
//! character that it quoted was from the window, so that marks which return cost two bytes once.

use super::{
    CHANGE, DEFINE, DEFINE_EXTENDED, DYNAMIC, FIRST_SPECIAL, GAP, QUOTE, QUOTE_UNICODE, SPECIAL,
    STATIC, SUPPLEMENTARY, TO_UNICODE, UNICODE_CHANGE, UNICODE_DEFINE, UNICODE_DEFINE_EXTENDED,
    UNICODE_QUOTE, UNICODE_RESERVED, WINDOW, WINDOWS, is_direct,
};
use crate::codec::BOM;

/// The state of a writer.
#[derive(Clone, Debug, PartialEq)]
pub struct ScsuPen {
    in_unicode: bool,
    /// The first characters of the dynamic windows.
    windows: [u32; WINDOWS],
    /// The window of the single-byte mode.
    current: usize,
    /// The windows, from the one that was used last to the one that moves next.
    recent: [usize; WINDOWS],
    /// The character that was quoted last, if none outside ASCII has been written in the current
    /// window since.
    quoted: Option<u32>,
    /// The character that waits for the next one.
    pending: Option<u32>,
}

impl Default for ScsuPen {
    fn default() -> ScsuPen {
        ScsuPen {
            in_unicode: false,
            windows: DYNAMIC,
            current: 0,
            // Latin, Cyrillic and Japanese are the last to go.
            recent: [0, 5, 6, 2, 7, 4, 3, 1],
            quoted: None,
            pending: None,
        }
    }
}

/// Returns `true` if a window that starts at a place has this character.
fn holds(place: u32, value: u32) -> bool {
    (place..place + WINDOW).contains(&value)
}

/// Returns `true` for ASCII, with few controls.
fn is_ascii(value: u32) -> bool {
    u8::try_from(value).is_ok_and(|byte| byte < 0x80 && is_direct(byte))
}

/// A place for a window.
#[derive(Clone, Copy)]
struct WindowPlace {
    /// The first character.
    first: u32,
    /// The byte that defines a window of the BMP.
    code: u8,
}

/// Returns the place of the window for a character. Where two overlap, one that also has the next
/// character is better, and then the one for a script.
fn place_for(value: u32, next: Option<u32>) -> Option<WindowPlace> {
    let aligned = value & !(WINDOW - 1);
    let code = match value {
        0x80..0x3400 => aligned / WINDOW,
        0xE000..SUPPLEMENTARY => (aligned - GAP) / WINDOW,
        SUPPLEMENTARY.. => 0,
        _ => return None,
    };
    let aligned = WindowPlace { first: aligned, code: code as u8 };
    let special = (FIRST_SPECIAL..=u8::MAX).zip(SPECIAL).find(|&(_, first)| holds(first, value));
    let Some((code, first)) = special else { return Some(aligned) };
    let also = |first| next.is_some_and(|next| holds(first, next));
    let is_better = match (also(aligned.first), also(first)) {
        (true, false) => false,
        (false, true) => true,
        // Latin letters with few accents are all in one of the blocks beside it.
        _ => first != SPECIAL[0],
    };
    Some(if is_better { WindowPlace { first, code } } else { aligned })
}

/// Returns `true` for a character that a window can have. U+FEFF is always a code unit, so that at the
/// start of a text it is the signature.
fn has_place(value: u32) -> bool {
    value != BOM && place_for(value, None).is_some()
}

impl ScsuPen {
    /// Writes a character, or lets it wait. Line feeds never wait.
    pub fn put(&mut self, value: u32, out: &mut Vec<u8>) {
        self.release(Some(value), out);
        if self.in_unicode {
            match value {
                0x0A => self.change(self.current, out),
                _ if has_place(value) || is_ascii(value) => return self.pending = Some(value),
                _ => return self.write_units(value, out),
            }
        }
        if !self.write_byte(value, out) {
            self.pending = Some(value);
        }
    }

    /// Writes the character that waits, given the next one.
    pub fn release(&mut self, next: Option<u32>, out: &mut Vec<u8>) {
        let Some(value) = self.pending.take() else { return };
        if self.in_unicode && !self.leaves_unicode(value, next) {
            return self.write_units(value, out);
        }
        if self.in_unicode && is_ascii(value) {
            let window = next.and_then(|next| self.window_of(next, None));
            self.change(window.unwrap_or(self.current), out);
            self.write_byte(value, out);
        } else {
            self.write_elsewhere(value, next, out);
        }
    }

    /// Writes a character of the single-byte mode that needs no other window. Returns `false`, and
    /// writes nothing, for others.
    fn write_byte(&mut self, value: u32, out: &mut Vec<u8>) -> bool {
        let place = self.windows[self.current];
        match value {
            0..0x80 if is_ascii(value) => out.push(value as u8),
            0..0x20 => out.extend([QUOTE, value as u8]),
            _ if holds(place, value) => {
                out.push(0x80 + (value - place) as u8);
                self.quoted = None;
            }
            _ => return false,
        }
        true
    }

    /// Writes a character that is not in the current window.
    fn write_elsewhere(&mut self, value: u32, next: Option<u32>, out: &mut Vec<u8>) {
        let with_next = |place| next.is_some_and(|next| holds(place, next));
        let is_wanted =
            |place| with_next(place) || self.quoted.is_some_and(|last| holds(place, last));
        let place = place_for(value, next).filter(|_| has_place(value));
        let window = self.window_of(value, next);
        if let Some(window) = window {
            match self.in_unicode || is_wanted(self.windows[window]) {
                true => self.change(window, out),
                false => return self.quote(window, value, out),
            }
        } else if let Some(place) = place
            && (is_wanted(place.first) || self.defines_for_one(value, next))
        {
            self.define(place, out);
        } else {
            return self.write_apart(value, next, out);
        }
        self.write_byte(value, out);
    }

    /// Returns `true` if a window is worth while for a character alone: it takes no more bytes than a
    /// quoted code unit, and the next character outside ASCII can be in the window.
    fn defines_for_one(&self, value: u32, next: Option<u32>) -> bool {
        let is_static = STATIC.iter().any(|&place| holds(place, value));
        !is_static
            && next
                .is_none_or(|next| is_ascii(next) || value >= SUPPLEMENTARY && self.is_single(next))
    }

    /// Returns `true` if a character is in the current window.
    fn is_single(&self, value: u32) -> bool {
        holds(self.windows[self.current], value)
    }

    /// Writes a character in the single-byte mode without a window of its own.
    fn write_apart(&mut self, value: u32, next: Option<u32>, out: &mut Vec<u8>) {
        let window = STATIC.iter().position(|&place| holds(place, value));
        let is_unit = |value| !has_place(value) && !is_ascii(value);
        if let Some(window) = window {
            out.extend([QUOTE + window as u8, (value - STATIC[window]) as u8]);
        } else if value >= SUPPLEMENTARY || value != BOM && next.is_some_and(is_unit) {
            out.push(TO_UNICODE);
            self.in_unicode = true;
            return self.write_units(value, out);
        } else {
            out.push(QUOTE_UNICODE);
            out.extend_from_slice(&(value as u16).to_be_bytes());
        }
        self.quoted = Some(value);
    }

    /// Writes UTF-16, in the Unicode mode.
    fn write_units(&mut self, value: u32, out: &mut Vec<u8>) {
        let scalar = char::from_u32(value).unwrap_or_default();
        for unit in &*scalar.encode_utf16(&mut [0; 2]) {
            let bytes = unit.to_be_bytes();
            let is_tag = matches!(bytes[0], UNICODE_CHANGE..=UNICODE_RESERVED);
            out.extend(is_tag.then_some(UNICODE_QUOTE));
            out.extend_from_slice(&bytes);
        }
    }

    /// Returns `true` if a character that can stand in the single-byte mode is better written there,
    /// since the next one can, too.
    fn leaves_unicode(&self, value: u32, next: Option<u32>) -> bool {
        let Some(next) = next else { return false };
        if is_ascii(value) {
            return is_ascii(next) || self.window_of(next, None).is_some();
        }
        let window = self.window_of(value, Some(next)).map(|window| self.windows[window]);
        let place = window.or_else(|| place_for(value, Some(next)).map(|place| place.first));
        place.is_some_and(|place| holds(place, next)) || window.is_some() && is_ascii(next)
    }

    /// Returns the dynamic window of a character: one that also has the next character, if there is
    /// one, else that used last.
    fn window_of(&self, value: u32, next: Option<u32>) -> Option<usize> {
        let all = || self.recent.into_iter().filter(|&window| holds(self.windows[window], value));
        let also = |&window: &usize| next.is_some_and(|next| holds(self.windows[window], next));
        all().find(also).or_else(|| all().next())
    }

    /// Marks a window as used.
    fn touch(&mut self, window: usize) {
        let place = self.recent.iter().position(|&other| other == window).unwrap_or_default();
        self.recent[..=place].rotate_right(1);
    }

    /// Writes a character of a dynamic window, and stays in the current one.
    fn quote(&mut self, window: usize, value: u32, out: &mut Vec<u8>) {
        self.touch(window);
        let byte = 0x80 + (value - self.windows[window]) as u8;
        out.extend([QUOTE + window as u8, byte]);
        self.quoted = Some(value);
    }

    /// Goes to a dynamic window.
    fn change(&mut self, window: usize, out: &mut Vec<u8>) {
        out.push(if self.in_unicode { UNICODE_CHANGE } else { CHANGE } + window as u8);
        self.enter(window);
    }

    fn enter(&mut self, window: usize) {
        self.in_unicode = false;
        self.current = window;
        self.touch(window);
    }

    /// Moves the window that was not used for longest, and goes there.
    fn define(&mut self, place: WindowPlace, out: &mut Vec<u8>) {
        let oldest = self.recent.into_iter().rev().find(|&window| window != self.current);
        let window = oldest.unwrap_or_default();
        if place.first >= SUPPLEMENTARY {
            let number = (place.first - SUPPLEMENTARY) / WINDOW;
            let [high, low] = (number as u16 | (window as u16) << 13).to_be_bytes();
            out.extend([
                if self.in_unicode { UNICODE_DEFINE_EXTENDED } else { DEFINE_EXTENDED },
                high,
                low,
            ]);
        } else {
            let define = if self.in_unicode { UNICODE_DEFINE } else { DEFINE };
            out.extend([define + window as u8, place.code]);
        }
        self.windows[window] = place.first;
        self.enter(window);
    }
}
