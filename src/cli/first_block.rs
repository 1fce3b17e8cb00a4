//! Detection of the encoding of an input's first block, for advice in messages.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;

use super::inputs::NamedInput;
use crate::detect::{Answer, Detection, Detector, EvidenceOptions};
use crate::kernel;
use crate::registry::Encoding;

/// The limit of the block, in bytes.
const BLOCK: usize = 64 << 10;

/// The number of bytes at the end of a full block in which no sequence starts that is examined.
const TAIL: usize = 5;

/// Returns the evidence in the first block; `None` if the input cannot be read twice.
fn detect(input: NamedInput<'_>) -> Option<Detection> {
    let mut block = Vec::new();
    match input {
        NamedInput::Text(text) => block.extend(text.as_bytes().iter().take(BLOCK)),
        NamedInput::File(path, _) | NamedInput::Opened(path, _) => {
            // Opening a FIFO would wait.
            let is_file = std::fs::metadata(path).ok()?.is_file();
            let file = is_file.then(|| File::open(path)).transpose().ok()??;
            file.take(BLOCK as u64).read_to_end(&mut block).ok()?;
        }
        NamedInput::Stdin => return None,
    }
    let examined = if block.len() == BLOCK { BLOCK - TAIL } else { block.len() };
    let options = EvidenceOptions { evidence: true, ..EvidenceOptions::default() };
    let mut detector = Detector::with(kernel::best(), 0..examined as u64, options);
    let _ = detector.push(&block);
    Some(detector.finish())
}

/// Returns the code page of stray bytes among UTF-8.
pub(super) fn stray_page(input: NamedInput<'_>) -> Option<&'static Encoding> {
    detect(input)?.evidence.stray_page
}

/// Returns the codec of the block if it has NULs that are no characters, as UTF-16 has.
pub(super) fn wide_codec(input: NamedInput<'_>) -> Option<&'static Encoding> {
    match detect(input)?.answer {
        Answer::Codec(codec) if codec.inner.unit > 1 => Some(codec),
        _ => None,
    }
}
