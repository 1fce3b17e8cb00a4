//! Direct conversions of kernels, against the standard library.

use crate::common::hex;
use utf8::kernel::Kernels;

/// A direct conversion of a kernel.
pub struct DirectLane {
    pub name: &'static str,
    pub source: fn(&str) -> Vec<u8>,
    pub target: fn(&str) -> Vec<u8>,
    pub kernel: fn(&Kernels, &[u8], &mut Vec<u8>) -> usize,
}

fn utf8_of(text: &str) -> Vec<u8> {
    text.into()
}

fn utf16_of(text: &str, little: bool) -> Vec<u8> {
    in_bytes(&text.encode_utf16().collect::<Vec<_>>(), little)
}

/// Returns a code unit of UTF-32.
pub fn unit(value: u32, little: bool) -> [u8; 4] {
    if little { value.to_le_bytes() } else { value.to_be_bytes() }
}

fn utf32_of(text: &str, little: bool) -> Vec<u8> {
    text.chars().flat_map(|c| unit(c.into(), little)).collect()
}

pub static DIRECT_LANES: [DirectLane; 8] = [
    DirectLane {
        name: "UTF-8 to UTF-16LE",
        source: utf8_of,
        target: |text| utf16_of(text, true),
        kernel: |kernels, bytes, out| kernels.utf8_to_utf16(bytes, true, out),
    },
    DirectLane {
        name: "UTF-8 to UTF-16BE",
        source: utf8_of,
        target: |text| utf16_of(text, false),
        kernel: |kernels, bytes, out| kernels.utf8_to_utf16(bytes, false, out),
    },
    DirectLane {
        name: "UTF-8 to UTF-32LE",
        source: utf8_of,
        target: |text| utf32_of(text, true),
        kernel: |kernels, bytes, out| kernels.utf8_to_utf32(bytes, true, out),
    },
    DirectLane {
        name: "UTF-8 to UTF-32BE",
        source: utf8_of,
        target: |text| utf32_of(text, false),
        kernel: |kernels, bytes, out| kernels.utf8_to_utf32(bytes, false, out),
    },
    DirectLane {
        name: "UTF-16LE to UTF-8",
        source: |text| utf16_of(text, true),
        target: utf8_of,
        kernel: |kernels, bytes, out| kernels.utf16_to_utf8(bytes, true, out),
    },
    DirectLane {
        name: "UTF-16BE to UTF-8",
        source: |text| utf16_of(text, false),
        target: utf8_of,
        kernel: |kernels, bytes, out| kernels.utf16_to_utf8(bytes, false, out),
    },
    DirectLane {
        name: "UTF-32LE to UTF-8",
        source: |text| utf32_of(text, true),
        target: utf8_of,
        kernel: |kernels, bytes, out| kernels.utf32_to_utf8(bytes, true, out),
    },
    DirectLane {
        name: "UTF-32BE to UTF-8",
        source: |text| utf32_of(text, false),
        target: utf8_of,
        kernel: |kernels, bytes, out| kernels.utf32_to_utf8(bytes, false, out),
    },
];

/// The number of bytes that a direct conversion may leave at the end: two blocks and a sequence.
pub const LEFT: usize = 2 * 64 + 4;

impl DirectLane {
    /// Asserts that a kernel appends the text of whole sequences, but for the end of a text of which
    /// the last `cut` bytes are missing.
    pub fn check(&self, kernels: &Kernels, text: &str, cut: usize, target: &[u8]) {
        let name = format!("{} {}", self.name, kernels.name);
        let source = (self.source)(text);
        let bytes = &source[..source.len().saturating_sub(cut)];
        let mut out = b"before".to_vec();
        let read = (self.kernel)(kernels, bytes, &mut out);
        // The scalar kernel leaves some of them to the codecs.
        let gets_on = read + LEFT >= bytes.len() || kernels.name == "scalar";
        assert!(read <= bytes.len() && gets_on, "{name} reads {read} of {}", bytes.len());
        let out = out.split_off(6);
        assert!(target.starts_with(&out), "{name} cut by {cut}: {text:?}");
        let front = match (self.source)("a").len() {
            1 => text.get(..read).map(str::to_owned),
            4 => read.is_multiple_of(4).then(|| text.chars().take(read / 4).collect()),
            _ => String::from_utf16(&spelt_units(self, &bytes[..read])).ok(),
        };
        let front = front.unwrap_or_else(|| panic!("{name} ends within a sequence: {text:?}"));
        assert_eq!((self.target)(&front).len(), out.len(), "{name} cut by {cut}: {text:?}");
    }

    /// Asserts that a kernel appends the text of well-formed sequences at the front of a text, all but
    /// a few.
    pub fn check_front(&self, kernels: &Kernels, source: &[u8]) {
        let name = format!("{} {}", self.name, kernels.name);
        let mut out = b"before".to_vec();
        let read = (self.kernel)(kernels, source, &mut out);
        let text = self.front(source);
        let front = self.front(&source[..read]);
        assert_eq!((self.source)(&front), source[..read], "{name}: {}", hex(source));
        assert_eq!(out.split_off(6), (self.target)(&front), "{name}: {}", hex(source));
        let sound = (self.source)(&text).len();
        let gets_on = read + LEFT >= sound || kernels.name == "scalar";
        assert!(gets_on, "{name} reads {read} of {sound}: {}", hex(source));
    }

    /// Returns the well-formed text at the front of a source.
    fn front(&self, source: &[u8]) -> String {
        let little = (self.source)("a")[0] == b'a';
        match (self.source)("a").len() {
            1 => source.utf8_chunks().next().map_or("", |chunk| chunk.valid()).to_owned(),
            2 => {
                let units = spelt_units(self, source);
                char::decode_utf16(units).map_while(Result::ok).collect()
            }
            _ => {
                let order = if little { u32::from_le_bytes } else { u32::from_be_bytes };
                let values = source.as_chunks().0.iter().map(|&unit| order(unit));
                values.map_while(char::from_u32).collect()
            }
        }
    }
}

/// Returns the code units of a source in UTF-16.
fn spelt_units(lane: &DirectLane, bytes: &[u8]) -> Vec<u16> {
    let little = (lane.source)("a")[0] == b'a';
    let unit = |unit: &[u8; 2]| match little {
        true => u16::from_le_bytes(*unit),
        false => u16::from_be_bytes(*unit),
    };
    bytes.as_chunks().0.iter().map(unit).collect()
}

pub fn in_bytes(units: &[u16], little: bool) -> Vec<u8> {
    let bytes = |unit: &u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    units.iter().flat_map(bytes).collect()
}
