//! Headings with the names of inputs.

use crate::text::name::InputName;

/// Writes a heading for each input, in the form of `head`, if there can be several.
#[derive(Debug)]
pub(super) struct InputHeadings {
    several: bool,
    /// True until a heading was written.
    first: bool,
}

impl InputHeadings {
    /// Creates headings that are written only if there can be `several` inputs.
    pub fn new(several: bool) -> InputHeadings {
        InputHeadings { several, first: true }
    }

    /// Appends the heading of the next input.
    pub fn write(&mut self, out: &mut Vec<u8>, name: &InputName<'_>) {
        let first = std::mem::replace(&mut self.first, false);
        if self.several {
            out.extend_from_slice(if first { b"==> " } else { b"\n==> " });
            out.extend_from_slice(name.shown());
            out.extend_from_slice(b" <==\n");
        }
    }
}
