//! Scanning of 7-bit text for announcements of an encoding: escape sequences and printable shifts.

use super::window::KeptWindow;

/// A test for announcements of one sort.
pub(super) trait AnnouncementTest {
    /// Returns the index of the first byte that may start an announcement.
    fn find_start(&self, bytes: &[u8]) -> Option<usize>;

    /// Tests a window that starts with such a byte. Returns `true` if the result is final.
    fn test(&mut self, window: &[u8]) -> bool;
}

/// Applies a test to windows of the text. A window starts at the first byte that may start an
/// announcement. If the test of a full window is not final, the next window starts at the next such
/// byte.
#[derive(Debug, Default)]
pub(super) struct AnnouncementScanner<T> {
    test: T,
    window: KeptWindow,
    is_final: bool,
}

/// The overlap of consecutive windows, in bytes, because the end of a window may cut an
/// announcement. The longest is a line of HZ, which is hardly longer.
const OVERLAP: usize = 256;

impl<T: AnnouncementTest + Clone> AnnouncementScanner<T> {
    /// Returns `true` if bytes without the start of an announcement have no effect.
    pub fn is_idle(&self) -> bool {
        self.is_final || self.window.start().is_none()
    }

    /// Adds text.
    pub fn add(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while !self.is_final && !bytes.is_empty() {
            if self.window.start().is_none() {
                let Some(at) = self.test.find_start(bytes) else { return };
                offset += at as u64;
                bytes = &bytes[at..];
            }
            let taken = self.window.fill(offset, bytes);
            offset += taken as u64;
            bytes = &bytes[taken..];
            if self.window.is_full() {
                self.is_final = self.test.test(self.window.bytes());
                self.move_window(offset);
            }
        }
    }

    /// Empties a full window that ends at an offset, except for the overlap.
    fn move_window(&mut self, end: u64) {
        let window = std::mem::take(&mut self.window);
        let last = &window.bytes()[window.bytes().len() - OVERLAP..];
        if let Some(at) = self.test.find_start(last) {
            self.window.fill(end - (OVERLAP - at) as u64, &last[at..]);
        }
    }

    /// Ends the text and returns the test with its result.
    pub fn finish(&self) -> T {
        let mut test = self.test.clone();
        if !self.is_final && self.window.start().is_some() {
            test.test(self.window.bytes());
        }
        test
    }
}
