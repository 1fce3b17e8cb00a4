//! Which input are these rows of?

use crate::text::name::InputName;

/// Names the inputs, where there are several, as `head` does.
#[derive(Debug)]
pub(super) struct InputHeadings {
    several: bool,
    first: bool,
}

impl InputHeadings {
    pub fn new(several: bool) -> InputHeadings {
        InputHeadings { several, first: true }
    }

    /// Append the heading of the next input.
    pub fn write(&mut self, out: &mut Vec<u8>, name: &InputName<'_>) {
        let first = std::mem::replace(&mut self.first, false);
        if self.several {
            out.extend_from_slice(if first { b"==> " } else { b"\n==> " });
            out.extend_from_slice(name.shown());
            out.extend_from_slice(b" <==\n");
        }
    }
}
