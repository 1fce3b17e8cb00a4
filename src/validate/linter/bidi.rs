//! Bidirectional controls, and the ends of their effect.

use super::Linter;
use super::classes::LintClass;
use super::queue::MatchState;

impl Linter {
    /// Opens or closes a bidirectional control, as the Bidirectional Algorithm has it (UAX #9,
    /// definitions BD9 and BD11).
    pub(super) fn add_control(&mut self, offset: u64, bytes: &[u8], value: u32) {
        let lints = LintClass::BidiControl.lints();
        let is_isolate = |value: u32| matches!(value, 0x2066..=0x2068);
        match value {
            _ if self.rules.levels.first_of(lints).is_none() => return,
            0x202C | 0x2069 => self.report(offset, bytes, Some(value), &lints[1..]),
            _ => {
                let number = self.queue.push(offset, bytes, Some(value), MatchState::Waiting);
                self.controls.push((number, value));
                return;
            }
        }
        let opened = match value {
            0x202C => {
                self.controls.len().checked_sub(1).filter(|&at| !is_isolate(self.controls[at].1))
            }
            _ => self.controls.iter().rposition(|&(_, value)| is_isolate(value)),
        };
        if let Some(opened) = opened {
            for (number, _) in self.controls.split_off(opened) {
                self.settle(number, &lints[1..]);
            }
        }
    }

    /// Ends the effect of the bidirectional controls that are open.
    pub(super) fn close_controls(&mut self) {
        for (number, _) in std::mem::take(&mut self.controls) {
            self.settle(number, LintClass::BidiControl.lints());
        }
    }
}
