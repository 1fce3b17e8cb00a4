//! Which colour has a byte? The roles, and the colours that tell them apart.
//!
//! They are of the cube of 216 that terminals agree on, for the sixteen that come before it are
//! what each takes them for: these can be read on white and on black alike.

use super::{DumpItem, Meaning};

/// What a byte is, to be seen at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A character of one unit that can be seen: printable ASCII, in most codecs.
    Plain,
    /// A longer sequence. Neighbours take turns, so that their boundary shows.
    Odd,
    /// See `Odd`.
    Even,
    /// A control, a signature, and what stands for nothing.
    Unseen,
    /// An ill-formed sequence.
    Fault,
}

/// A row of [`ROLES`].
struct RoleColor {
    /// What starts the colour on a terminal.
    sgr: &'static [u8],
    /// What it is called.
    color: &'static str,
    /// What has it.
    what: &'static str,
}

/// Back to what there was.
pub(super) const PLAIN: &[u8] = b"\x1B[0m";

/// The bits that carry the value, within the colour of the role.
pub(super) const PAYLOAD: &[u8] = b"\x1B[1m";

/// Every role, in the order of [`Role`].
static ROLES: [RoleColor; 5] = [
    paint(b"", "no colour", "a printable character of one unit, such as ASCII"),
    paint(b"\x1B[38;5;28m", "green", "a sequence of several bytes, or of a character beyond ASCII"),
    paint(b"\x1B[38;5;31m", "blue", "the same, for every other one"),
    paint(b"\x1B[38;5;133m", "purple", "a control character, a signature, a shift"),
    paint(b"\x1B[38;5;161m", "red", "an ill-formed sequence"),
];

const fn paint(sgr: &'static [u8], color: &'static str, what: &'static str) -> RoleColor {
    RoleColor { sgr, color, what }
}

/// The colours by their names, and what has them.
pub fn colors() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
    Role::ALL.into_iter().map(|role| (role.color(), role.what()))
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 5] = [Role::Plain, Role::Odd, Role::Even, Role::Unseen, Role::Fault];

    /// What its colour is called.
    pub fn color(self) -> &'static str {
        ROLES[self as usize].color
    }

    /// What has it.
    pub fn what(self) -> &'static str {
        ROLES[self as usize].what
    }

    /// What starts its colour.
    pub fn sgr(self) -> &'static [u8] {
        ROLES[self as usize].sgr
    }

    /// Append something in its colour.
    pub fn paint(self, out: &mut Vec<u8>, text: &[u8]) {
        let colored = self != Role::Plain && !text.is_empty();
        out.extend_from_slice(if colored { self.sgr() } else { b"" });
        out.extend_from_slice(text);
        out.extend_from_slice(if colored { PLAIN } else { b"" });
    }
}

/// Gives the sequences of an input their roles.
#[derive(Debug, Default)]
pub(super) struct Roles {
    even: bool,
}

impl Roles {
    /// The role of the next sequence.
    pub fn next(&mut self, item: &DumpItem<'_>) -> Role {
        match item.what {
            Meaning::Ill(..) => Role::Fault,
            Meaning::Skip | Meaning::Signature => Role::Unseen,
            Meaning::Scalar(0..0x20 | 0x7F..0xA0) => Role::Unseen,
            Meaning::Scalar(0x20..0x7F) => Role::Plain,
            Meaning::Scalar(_) | Meaning::Two(_) => {
                self.even = !self.even;
                if self.even { Role::Even } else { Role::Odd }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour of the cube: WCAG 2, on the levels that xterm has.
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
