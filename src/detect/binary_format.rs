//! Binary formats, told by the start of a file.

/// The first bytes of files in formats that may have no NUL at their start.
const FORMATS: [&[u8]; 19] = [
    b"\x1F\x8B\x08",       // gzip
    b"\x1F\x9D",           // compress
    b"BZh91AY&SY",         // bzip2
    b"\xFD7zXZ\0",         // xz
    b"\x28\xB5\x2F\xFD",   // Zstandard
    b"\x04\x22\x4D\x18",   // LZ4
    b"7z\xBC\xAF\x27\x1C", // 7-Zip
    b"PK\x03\x04",         // ZIP
    b"PK\x05\x06",         // ZIP, empty
    b"Rar!\x1A\x07",       // RAR
    b"\x89PNG\r\n\x1A\n",  // PNG
    b"\xFF\xD8\xFF",       // JPEG
    b"OggS\0",             // Ogg
    b"fLaC\0",             // FLAC
    b"wOFF\0",             // WOFF
    b"wOFFOTTO",           // WOFF
    b"wOF2\0",             // WOFF 2
    b"\x7FELF",            // ELF
    b"SQLite format 3\0",  // SQLite
];

/// Returns `true` if a file that starts with these bytes is in a known binary format.
pub fn is_binary_format(start: &[u8]) -> bool {
    FORMATS.iter().any(|format| start.starts_with(format))
        || is_pdf(start)
        || is_gif(start)
        || is_raw_netpbm(start)
}

/// Returns `true` for the start of a PDF file: `%PDF-`, the version and a line end. Text may start with
/// `%PDF-`.
fn is_pdf(start: &[u8]) -> bool {
    let [b'%', b'P', b'D', b'F', b'-', version @ ..] = start else { return false };
    matches!(version, [b'0'..=b'9', b'.', b'0'..=b'9', b'\r' | b'\n', ..])
}

/// Returns `true` for the start of a GIF image: the version, and a width and height below 8,192 pixels, whose
/// second bytes are no letters. Text may start with the version.
fn is_gif(start: &[u8]) -> bool {
    let [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', size @ ..] = start else { return false };
    matches!(size, [_, 0..0x20, _, 0..0x20, ..])
}

/// Returns `true` for the start of a raw image of Netpbm: `P4`, `P5` or `P6`, then a line with the width and
/// the height, after lines with comments.
fn is_raw_netpbm(start: &[u8]) -> bool {
    let [b'P', b'4'..=b'6', b'\n', rest @ ..] = start else { return false };
    let mut lines = rest.split(|&byte| byte == b'\n');
    let size = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let numbers = || size.split(|&byte| byte == b' ');
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    numbers().count() == 2 && numbers().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_file_tells_its_format() {
        for format in FORMATS {
            assert!(is_binary_format(&[format, b"text"].concat()), "{format:X?}");
        }
        for (start, is_binary) in [
            (&b"P6\n640 480\n255\n"[..], true),
            (b"P4\n# by hand\n# in two lines\n24 7\n", true),
            (b"P4\n# Title\ntext\n", false),
            (b"P5\n# Title\n", false),
            (b"P1\n24 7\n", false),
            (b"P5\n10\n20\n", false),
            (b"P5\n1 2 3\n", false),
            (b"P6 640 480\n", false),
            (b"%PDF-1.4\n", true),
            (b"%PDF-2.0\r\n", true),
            (b"%PDF-1.4 is a version\n", false),
            (b"GIF89a\x40\x01\xF0\0", true),
            (b"GIF89a is a format", false),
            (b"GIF87a\r\nis a format", false),
            (b"fLaC is a format", false),
        ] {
            assert_eq!(is_binary_format(start), is_binary, "{}", start.escape_ascii());
        }
    }
}
