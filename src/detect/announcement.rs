//! Which part of text of seven bits may announce that it is more than ASCII?

use super::window::KeptWindow;

/// What an announcement is looked for by.
pub(super) trait AnnouncementTest {
    /// Where the first byte is that may begin one.
    fn find(&self, bytes: &[u8]) -> Option<usize>;

    /// Look at a window that starts with such a byte. Whether that settles it.
    fn judge(&mut self, window: &[u8]) -> bool;
}

/// Looks for announcements in a window from the first byte on that may begin one. If they fill it
/// and settle nothing, the window moves on to the next such byte.
#[derive(Debug, Default)]
pub(super) struct AnnouncementScanner<J> {
    judge: J,
    window: KeptWindow,
    settled: bool,
}

/// A window may end within what announces something. The longest is a line of HZ, which is hardly
/// longer.
const CUT: usize = 256;

impl<J: AnnouncementTest + Clone> AnnouncementScanner<J> {
    /// Whether these bytes change anything.
    pub fn is_idle(&self) -> bool {
        self.settled || self.window.start().is_none()
    }

    /// Go on with text.
    pub fn feed(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !self.settled && !bytes.is_empty() {
            if self.window.start().is_none() {
                let Some(at) = self.judge.find(bytes) else { return };
                offset += at as u64;
                bytes = &bytes[at..];
            }
            let taken = self.window.fill(offset, bytes);
            offset += taken as u64;
            bytes = &bytes[taken..];
            if self.window.is_full() {
                self.settled = self.judge.judge(self.window.bytes());
                self.advance(offset);
            }
        }
    }

    /// Empty the window, but for what its end may cut.
    fn advance(&mut self, end: u64) {
        let window = std::mem::take(&mut self.window);
        let last = &window.bytes()[window.bytes().len() - CUT..];
        if let Some(at) = self.judge.find(last) {
            self.window.fill(end - (CUT - at) as u64, &last[at..]);
        }
    }

    /// The text has ended: what is known.
    pub fn end(&self) -> J {
        let mut judge = self.judge.clone();
        if !self.settled && self.window.start().is_some() {
            judge.judge(self.window.bytes());
        }
        judge
    }
}
