//! The roles of sequences in coloured output, and their colours.
//!
//! The colours are from the xterm cube of 216, which looks the same on all terminals, unlike the
//! sixteen configurable colours. They are legible on white and on black.

use super::{DumpItem, Meaning};

/// The role of a sequence, shown by its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A printable ASCII character.
    Plain,
    /// A character beyond ASCII. Odd and even ones alternate, so that boundaries are visible.
    Odd,
    /// A character beyond ASCII, after an odd one.
    Even,
    /// A control character, a signature, or a sequence without a code point.
    Unseen,
    /// An ill-formed sequence.
    Fault,
}

/// A row of [`ROLES`].
struct RoleColor {
    /// Control sequence that selects the colour (ECMA-48, SGR).
    sgr: &'static [u8],
    /// Name of the colour.
    color: &'static str,
    /// Description of the sequences in this colour.
    description: &'static str,
}

/// Control sequence that resets colour and weight.
pub(super) const RESET: &[u8] = b"\x1B[0m";

/// Control sequence for bits of the value, within the colour of the role: bold.
pub(super) const PAYLOAD: &[u8] = b"\x1B[1m";

/// The colours of the roles, in the order of [`Role`].
static ROLES: [RoleColor; 5] = [
    row(b"", "no colour", "printable ASCII"),
    row(b"\x1B[38;5;28m", "green", "characters beyond ASCII, alternating with blue"),
    row(b"\x1B[38;5;31m", "blue", "characters beyond ASCII, alternating with green"),
    row(b"\x1B[38;5;133m", "purple", "control characters, signatures and shifts"),
    row(b"\x1B[38;5;161m", "red", "ill-formed sequences"),
];

const fn row(sgr: &'static [u8], color: &'static str, description: &'static str) -> RoleColor {
    RoleColor { sgr, color, description }
}

/// Returns the name of each colour with the description of its sequences.
pub fn colors() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    Role::ALL.into_iter().map(|role| (role.color(), role.description()))
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 5] = [Role::Plain, Role::Odd, Role::Even, Role::Unseen, Role::Fault];

    /// Returns the name of the colour.
    pub fn color(self) -> &'static str {
        ROLES[self as usize].color
    }

    /// Returns the description of the sequences in this role.
    pub fn description(self) -> &'static str {
        ROLES[self as usize].description
    }

    /// Returns the control sequence that selects the colour.
    pub fn sgr(self) -> &'static [u8] {
        ROLES[self as usize].sgr
    }

    /// Appends text, in the colour of the role if `color` is true.
    pub fn paint(self, out: &mut Vec<u8>, color: bool, text: &[u8]) {
        let colored = color && self != Role::Plain && !text.is_empty();
        out.extend_from_slice(if colored { self.sgr() } else { b"" });
        out.extend_from_slice(text);
        out.extend_from_slice(if colored { RESET } else { b"" });
    }
}

/// Assigns roles to the sequences of an input in order.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// True if the last character beyond ASCII was even.
    even: bool,
}

impl Roles {
    /// Returns the role of the next sequence.
    pub fn next(&mut self, item: &DumpItem<'_>) -> Role {
        match item.meaning {
            Meaning::Ill(..) => Role::Fault,
            Meaning::Skip | Meaning::Signature => Role::Unseen,
            Meaning::Scalar(0..0x20 | 0x7F..0xA0) => Role::Unseen,
            Meaning::Scalar(0x20..0x7F) => Role::Plain,
            Meaning::Scalar(_) | Meaning::Several(_) => {
                self.even = !self.even;
                if self.even { Role::Even } else { Role::Odd }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance of a colour of the cube (WCAG 2), with the levels of xterm.
    fn luminance(index: usize) -> f64 {
        let levels = [0, 95, 135, 175, 215, 255].map(|level| f64::from(level) / 255.0);
        let linear = |at: usize| ((levels[at % 6] + 0.055) / 1.055).powf(2.4);
        let cube = index - 16;
        0.2126 * linear(cube / 36) + 0.7152 * linear(cube / 6) + 0.0722 * linear(cube)
    }

    #[test]
    fn colours_can_be_read_on_white_and_on_black() {
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Plain) {
            let sgr = str::from_utf8(role.sgr()).unwrap();
            let index = sgr.strip_prefix("\x1B[38;5;").unwrap().strip_suffix('m').unwrap();
            let luminance = luminance(index.parse().unwrap());
            let (on_white, on_black) = (1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05);
            assert!(on_white >= 4.0 && on_black >= 4.0, "{index}: {on_white} {on_black}");
        }
    }
}
