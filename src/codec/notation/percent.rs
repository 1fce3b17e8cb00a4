//! Percent-encoding of URIs: UTF-8, with bytes as `%HH`. RFC 3986, section 2.

use super::escape::{fixed, in_utf8, put_upper};
use super::{Grammar, is_printable_ascii};
use crate::codec::{Escapes, Step};

/// Percent-encoded text. A `+` is itself, not a space as in forms.
#[derive(Debug)]
pub struct PercentText;

/// Returns `true` for an unreserved character: RFC 3986, section 2.3.
fn is_unreserved(value: u32) -> bool {
    u8::try_from(value)
        .is_ok_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~'))
}

impl Grammar for PercentText {
    const INTRODUCER: u8 = b'%';
    const LONGEST: usize = 4 * "%HH".len();
    const WIDEST: usize = Self::LONGEST;
    const ITEM: &'static str = "a percent-encoded character";

    fn read(bytes: &[u8], last: bool) -> Step {
        in_utf8(bytes, last, Self::read_byte)
    }

    fn read_byte(bytes: &[u8], last: bool) -> Step {
        fixed(bytes, 1, 2, last)
    }

    /// Includes all that RFC 3986 and, beyond ASCII, RFC 3987 allow unescaped.
    fn can_stand(value: u32, _: Option<u32>) -> bool {
        let excluded = |value| b" \"%<>\\^`{|}".iter().any(|&byte| u32::from(byte) == value);
        value >= 0xA0 || is_printable_ascii(value) && !excluded(value)
    }

    fn is_unescaped(value: u32, before: Option<u32>, escapes: Escapes) -> bool {
        match escapes {
            Escapes::Usual => is_unreserved(value),
            Escapes::All => false,
            Escapes::Minimal => Self::can_stand(value, before),
        }
    }

    fn spell(value: u32, _: Escapes, out: &mut Vec<u8>) {
        let scalar = char::from_u32(value).unwrap_or_default();
        for byte in scalar.encode_utf8(&mut [0; 4]).bytes() {
            put_upper("%", byte.into(), 2, out);
        }
    }
}
