//! Runs of tag characters.

use super::Linter;
use super::classes::LintClass;
use super::queue::MatchState;
use crate::lint::Lint;

/// The maximum number of tag characters in a match.
const MOST_TAGS: usize = 1024;

/// The maximum number of tag characters that the message shows as text.
const MOST_SHOWN: usize = 64;

/// The character before the tags of a region's flag: BLACK FLAG.
pub(super) const EMOJI_FLAG: u32 = 0x1F3F4;

/// The tag character that ends a flag.
const CANCEL_TAG: u32 = 0xE007F;

/// Adjacent tag characters.
#[derive(Debug)]
pub(super) struct TagRun {
    /// The number of the match.
    number: usize,
    /// True if they follow the character that starts a flag.
    follows_flag: bool,
    /// Their ASCII values; 0 for the last of a flag.
    text: Vec<u8>,
}

impl TagRun {
    /// Returns `true` if the tags spell the identifier of a subdivision (UTS #51, section C.1;
    /// unicode_subdivision_id of UTS #35) after the start of a flag.
    fn is_flag(&self) -> bool {
        let [text @ .., 0] = &self.text[..] else { return false };
        let is_suffix = |rest: &[u8]| {
            matches!(rest.len(), 1..=4)
                && rest.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let is_region = |len: usize, is: fn(&u8) -> bool| {
            text.split_at_checked(len)
                .is_some_and(|(region, rest)| region.iter().all(is) && is_suffix(rest))
        };
        self.follows_flag
            && (is_region(2, u8::is_ascii_lowercase) || is_region(3, u8::is_ascii_digit))
    }
}

impl Linter {
    /// Examines a tag character.
    pub(super) fn add_tag(&mut self, offset: u64, bytes: &[u8], value: u32) {
        if self.rules.levels.first_of(LintClass::Tag.lints()).is_none()
            || self.rules.levels.allows_character(value)
        {
            return;
        }
        let follows_flag = self.before[0] == Some(EMOJI_FLAG);
        let mut run = match self.tags.take() {
            Some(run) => run,
            None => {
                let number = self.queue.push(offset, &[], Some(value), MatchState::Waiting);
                self.queue.get(number).columns = 0;
                TagRun { number, follows_flag, text: Vec::new() }
            }
        };
        let found = self.queue.get(run.number);
        found.bytes.extend_from_slice(bytes);
        found.columns += 1;
        // The tag characters are copies of ASCII. The value of the last of a flag is no character.
        run.text.push(if value == CANCEL_TAG { 0 } else { (value & 0x7F) as u8 });
        let is_full = value == CANCEL_TAG || run.text.len() == MOST_TAGS;
        self.tags = Some(run);
        if is_full {
            self.end_tags();
        }
    }

    /// Decides about adjacent tag characters.
    pub(super) fn end_tags(&mut self) {
        let Some(run) = self.tags.take() else { return };
        if run.is_flag() {
            return self.settle(run.number, &[Lint::NotAscii]);
        }
        let found = self.queue.get(run.number);
        let mut text: Vec<_> = run.text.iter().copied().filter(|byte| *byte >= b' ').collect();
        let cut = if text.len() > MOST_SHOWN { "..." } else { "" };
        text.truncate(MOST_SHOWN);
        if !text.is_empty() {
            let text = String::from_utf8_lossy(&text);
            found.detail = format!(", hidden text {text:?}{cut}").into();
        }
        self.settle(run.number, LintClass::Tag.lints());
    }
}
