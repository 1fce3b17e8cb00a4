//! Search for characters and line ends that lints report.
//!
//! Some characters are reported or not by their context: by the character after them, or by the
//! rest of the line. Matches are queued in the order of their offsets until those before them are
//! decided.

use std::ops::Range;
use std::sync::Arc;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::codec::family::floor_boundary;
use crate::codec::{BOM, Step};
#[cfg(feature = "cli")]
use crate::finding::locate::Position;
use crate::kernel::{self, Kernels};
use crate::lint::{Level, LineEnding, Lint};
use crate::registry::Encoding;
use crate::sink::AheadWork;
use classes::{LintClass, class_of};
use context::{BRAILLE_SPACE, Neighbours};
use inline::InlineComments;
use line_ends::LineEnds;
use queue::{MatchQueue, MatchState};
use rules::{LintWork, last_two};
use stretches::{StretchLints, TextSlice};
use tags::TagRun;

pub(super) use queue::LintMatch;
pub use rules::LintRules;

mod bidi;
mod classes;
mod context;
pub(crate) mod declaration;
mod inline;
mod interest;
mod line_ends;
mod mojibake;
mod nfc;
mod queue;
mod rules;
mod stretches;
mod tags;

/// The maximum number of matches that wait for the end of a line. If there are more, the line's
/// open controls count as not closed.
const MOST_WAITING: usize = 4096;

/// The number of bytes that are examined at once.
const SLICE: usize = 64 << 10;

/// Finds the matches of lints in a text.
pub(super) struct Linter {
    rules: Arc<LintRules>,
    /// True if line feeds need a look.
    looks_at_line_feeds: bool,
    /// True if the text is UTF-8.
    is_utf8: bool,
    /// True if the text has code units of several bytes, whose order U+FEFF at the start tells.
    has_order: bool,
    /// True if the encoding has U+FEFF.
    can_have_bom: bool,
    encoding: &'static Encoding,
    kernels: &'static Kernels,
    /// The last code points, the last one first.
    before: [Option<u32>; 3],
    queue: MatchQueue,
    /// The comments, if they count.
    inline: Option<InlineComments>,
    /// The offset up to which the text was examined.
    examined: u64,
    /// The numbers of the open controls of the line, with the characters.
    controls: Vec<(usize, u32)>,
    /// The number of a character that waits for the next one, or the numbers of adjacent spaces of
    /// Braille.
    waiting: Range<usize>,
    /// The numbers of adjacent CARRIAGE RETURNs that wait for the next character.
    carriage_returns: Range<usize>,
    /// The tag characters at the end of the text so far.
    tags: Option<TagRun>,
    line_ends: LineEnds,
    /// The searches for stretches of text.
    stretches: StretchLints,
    /// True if the last character is a LINE FEED or CARRIAGE RETURN.
    line_ended: bool,
    /// True if the text has started.
    started: bool,
}

impl Linter {
    /// Returns a search of a text in an encoding.
    ///
    /// `comments` says that comments in the text turn lints off.
    pub fn new(encoding: &'static Encoding, rules: Arc<LintRules>, comments: bool) -> Linter {
        let inline = comments.then(|| InlineComments::new(&rules.levels));
        let stretches = StretchLints::of(encoding, &rules.levels);
        let mut linter = Linter {
            rules,
            looks_at_line_feeds: false,
            stretches,
            is_utf8: false,
            has_order: false,
            can_have_bom: false,
            encoding,
            kernels: kernel::best(),
            before: [None; 3],
            queue: MatchQueue::default(),
            inline,
            examined: 0,
            controls: Vec::new(),
            waiting: 0..0,
            carriage_returns: 0..0,
            tags: None,
            line_ends: LineEnds::default(),
            line_ended: true,
            started: false,
        };
        linter.set_encoding(encoding);
        linter.look_at_line_feeds();
        linter
    }

    /// Sets the encoding of the text, which a BOM told.
    pub fn set_encoding(&mut self, encoding: &'static Encoding) {
        self.encoding = encoding;
        self.is_utf8 = encoding == Encoding::UTF_8;
        self.has_order = !encoding.has_byte_units();
        self.can_have_bom = encoding.can_encode(BOM);
    }

    /// Reports, before the text is examined, that it contradicts a setting. `detail` says which.
    #[cfg(feature = "cli")]
    pub fn contradict(&mut self, detail: Vec<u8>) {
        let lint = Lint::WrongDeclaration;
        let state = MatchState::Found(lint, self.rules.levels.of(lint));
        let number = self.queue.push(0, b"", None, state);
        let found = self.queue.get(number);
        (found.detail, found.position) = (detail, Some(Position::START));
    }

    fn look_at_line_feeds(&mut self) {
        let lints = LintClass::LineFeed.lints();
        self.looks_at_line_feeds =
            self.line_ends.needs_line_feeds() && self.rules.levels.first_of(lints).is_some();
    }

    /// Returns the work that finds text that needs no look.
    pub fn work_ahead(&self) -> Option<Box<dyn AheadWork>> {
        let (rules, line_feeds) = (Arc::clone(&self.rules), self.looks_at_line_feeds);
        let work = LintWork { rules, line_feeds, kernels: self.kernels };
        self.is_utf8.then(|| Box::new(work) as Box<_>)
    }

    /// Examines whole sequences at the front of a run, at an offset in the input. `is_plain` says
    /// that work ahead found that they need no look. Returns their length in bytes.
    pub fn examine(&mut self, offset: u64, bytes: &[u8], is_plain: bool) -> usize {
        if !self.started
            && let Step::Scalar { value, .. } = self.encoding.step(bytes)
        {
            self.start(offset, value == BOM);
        }
        if let Some(inline) = &mut self.inline {
            inline.search(offset, bytes, SLICE);
        }
        let mut at = 0;
        let mut comment = 0;
        while at < SLICE.min(bytes.len()) {
            if at >= comment {
                comment = at.saturating_add(self.pass_comment(offset + at as u64));
            }
            if self.is_utf8 && self.is_idle() {
                let window = window(&bytes[at..bytes.len().min(comment)]);
                let skipped = match is_plain {
                    true => window.len(),
                    false => self.rules.plain_len(
                        self.kernels,
                        window,
                        self.looks_at_line_feeds,
                        Some(self.last_two()),
                    ),
                };
                self.pass(&window[..skipped]);
                at += skipped;
                if skipped == window.len() {
                    continue;
                }
            }
            let rest = &bytes[at..];
            let step = self.encoding.step(rest);
            // A signature has its own call. Other steps are possible only if the bytes change.
            let len = step.size().clamp(1, rest.len());
            let after = &rest[len..];
            if self.is_idle()
                && self.rules.is_certainly_allowed(
                    &step,
                    || Some(self.last_two()),
                    after,
                    self.encoding,
                )
            {
                self.before.rotate_right(1);
                self.before[0] = step.values().first().copied();
                self.line_ended = false;
            } else {
                for &value in step.values() {
                    self.add(offset + at as u64, &rest[..len], value);
                }
            }
            at += len;
        }
        let (is_utf8, encoding) = (self.is_utf8, self.encoding);
        self.stretches.examine(TextSlice { offset, bytes: &bytes[..at], is_utf8, encoding });
        // Spaces of Braille wait for the end of their run, not for a stretch.
        if self.queue.len() - self.waiting.len() + self.stretches.len() > MOST_WAITING {
            self.stretches.give_up();
        }
        self.examined = offset + at as u64;
        at
    }

    /// Returns the last two code points, the last one first.
    fn last_two(&self) -> [Option<u32>; 2] {
        [self.before[0], self.before[1]]
    }

    /// Returns `true` if no character waits for the text after it.
    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
            && self.carriage_returns.is_empty()
            && self.tags.is_none()
            && self.controls.is_empty()
    }

    /// Passes UTF-8 text that needs no look.
    fn pass(&mut self, bytes: &[u8]) {
        // Only `before[2]` may be wrong. It is used after another character was added, which replaces it.
        let [Some(last), earlier] = last_two(bytes) else { return };
        self.before = match earlier {
            Some(_) => [Some(last), earlier, self.before[0]],
            None => [Some(last), self.before[0], self.before[1]],
        };
        self.line_ended = matches!(last, 0xA | 0xD);
    }

    /// Starts the text at an offset, with U+FEFF or without.
    fn start(&mut self, offset: u64, has_bom: bool) {
        let lacks_bom = !has_bom && self.can_have_bom;
        if !std::mem::replace(&mut self.started, true) && offset == 0 && lacks_bom {
            self.report(offset, &[], None, &[Lint::MissingBom]);
        }
    }

    /// Examines a signature: U+FEFF at the start.
    pub fn add_signature(&mut self, offset: u64, bytes: &[u8]) {
        self.start(offset, true);
        self.add(offset, bytes, BOM);
    }

    /// Passes an ill-formed sequence, which ends the context of characters.
    pub fn interrupt(&mut self, offset: u64) {
        self.start(offset, false);
        self.close();
        self.before = [None; 3];
        self.line_ended = false;
        self.examined = offset;
        if let Some(inline) = &mut self.inline {
            inline.cut(offset);
        }
    }

    /// Ends the input. `end` is its length in bytes, if all of it was examined.
    pub fn end(&mut self, end: Option<u64>) {
        self.close();
        if let Some(end) = end
            && !self.line_ended
        {
            self.report(end, &[], None, &[Lint::MissingFinalNewline]);
        }
        self.examined = u64::MAX;
        let about_file = self.inline.as_mut().map_or(0, |inline| inline.end(end));
        for _ in 0..end.map_or(0, |_| about_file) {
            self.report(end.unwrap_or_default(), &[], None, &[Lint::UnusedAllow]);
        }
    }

    /// Returns the number of places that comments allow.
    pub fn suppressed(&self) -> u64 {
        self.inline.as_ref().map_or(0, |inline| inline.suppressed)
    }

    /// Returns the first line end, if lints about line ends are reported.
    pub fn first_line_end(&self) -> Option<LineEnding> {
        self.line_ends.first()
    }

    /// Queues a comment at an offset, and returns the number of bytes before the next one.
    fn pass_comment(&mut self, offset: u64) -> usize {
        let Some(inline) = &self.inline else { return usize::MAX };
        let (here, next) = (inline.next(offset), inline.next(offset + 1));
        if here == Some(offset) {
            // Its bytes are known when it is settled.
            self.report(offset, &[], None, &[Lint::UnusedAllow]);
        }
        next.map_or(usize::MAX, |next| (next - offset) as usize)
    }

    /// Decides about everything that waits.
    fn close(&mut self) {
        self.decide_waiting(None);
        self.end_tags();
        self.settle_carriage_returns();
        self.close_controls();
        self.stretches.close();
    }

    /// Returns the offset of the first match whose position is not known, or `None` if it is known
    /// for all.
    pub fn offset_to_place(&mut self) -> Option<u64> {
        let own = self.queue.offset_to_place();
        own.into_iter().chain(self.stretches.offset_to_place()).min()
    }

    /// Returns the first match whose position is not known, or `None` if it is known for all.
    pub fn next_to_place(&mut self) -> Option<&mut LintMatch> {
        let own = self.queue.offset_to_place();
        if let Some(found) = self.stretches.next_to_place(own) {
            return Some(found);
        }
        own.and_then(|_| self.queue.place_next())
    }

    /// Returns the first match that no comment allows, with its lint and level, if it is decided and
    /// has its position.
    pub fn next_found(&mut self) -> Option<(LintMatch, Lint, Level)> {
        if self.inline.is_none() {
            return self.next_decided();
        }
        while let Some(found) = self.next_decided() {
            self.inline.as_mut()?.hold(found);
        }
        let waiting = [self.queue.first_undropped(), self.stretches.first_waiting()];
        let decided = waiting.into_iter().flatten().fold(self.examined, u64::min);
        self.inline.as_mut()?.release(decided, &self.rules.levels)
    }

    /// Returns the first match, with its lint and level, if it is decided and has its position.
    fn next_decided(&mut self) -> Option<(LintMatch, Lint, Level)> {
        loop {
            let own = self.queue.first_undropped();
            if let Some(found) = self.stretches.next_found(own) {
                return Some(found);
            }
            own.filter(|&offset| offset < self.stretches.undecided_from())?;
            let (found, lint, level) = self.queue.pop_found()?;
            if !self.stretches.is_covered(found.offset, level) {
                return Some((found, lint, level));
            }
        }
    }

    /// Queues a match of the first of these lints that is reported.
    fn report(&mut self, offset: u64, bytes: &[u8], value: Option<u32>, lints: &[Lint]) {
        if let Some((lint, level)) = self.rules.levels.first_of(lints) {
            self.queue.push(offset, bytes, value, MatchState::Found(lint, level));
        }
    }

    /// Decides about a match: the first of these lints that is reported, or none.
    fn settle(&mut self, number: usize, lints: &[Lint]) {
        let found = self.rules.levels.first_of(lints);
        self.queue.get(number).state =
            found.map_or(MatchState::Dropped, |(lint, level)| MatchState::Found(lint, level));
    }

    /// Examines a character.
    fn add(&mut self, offset: u64, bytes: &[u8], value: u32) {
        self.decide_waiting(Some(value));
        self.end_line(offset, bytes, value);
        if class_of(value) == Some(LintClass::Tag) {
            self.add_tag(offset, bytes, value);
        } else {
            self.end_tags();
            if !self.rules.levels.allows_character(value) {
                self.find(offset, bytes, value);
            }
        }
        self.before = [Some(value), self.before[0], self.before[1]];
        self.line_ended = matches!(value, 0xA | 0xD);
        let next = self.queue.next_number();
        if self.controls.first().is_some_and(|&(first, _)| next - first > MOST_WAITING) {
            self.close_controls();
        }
    }

    /// Decides about the characters that wait for the next one. Spaces of Braille wait for the end of
    /// their run: all are needed if the first or the last is.
    fn decide_waiting(&mut self, after: Option<u32>) {
        if self.waiting.is_empty() {
            return;
        }
        let [Some(value), before @ ..] = self.before else { return };
        let is_needed = Neighbours { before, after }.need(value);
        let is_run = value == BRAILLE_SPACE && after == Some(value);
        if is_run && !is_needed && self.waiting.len() < MOST_WAITING {
            return;
        }
        let lints: &[_] = match is_needed {
            true => &[Lint::NotAscii],
            false => LintClass::Invisible.lints(),
        };
        // In a run that is too long, the end still decides about the last spaces.
        let decided = if is_run && !is_needed { 1 } else { self.waiting.len() };
        for _ in 0..decided {
            self.settle(self.waiting.start, lints);
            self.waiting.start += 1;
        }
    }

    /// Examines a character on its own, and with those before it.
    fn find(&mut self, offset: u64, bytes: &[u8], value: u32) {
        let Some(class) = class_of(value) else { return self.find_other(offset, bytes, value) };
        let lints = class.lints();
        match class {
            LintClass::LineFeed | LintClass::CarriageReturn | LintClass::Tag => {}
            LintClass::BidiControl => self.add_control(offset, bytes, value),
            LintClass::Invisible => {
                let is_run = value == BRAILLE_SPACE && self.before[0] == Some(value);
                if is_run && self.waiting.is_empty() {
                    // The space before it was decided first, so it was needed.
                    self.report(offset, bytes, Some(value), &[Lint::NotAscii]);
                } else if self.rules.levels.first_of(lints).is_some() {
                    let number = self.queue.push(offset, bytes, Some(value), MatchState::Waiting);
                    let first = if is_run { self.waiting.start } else { number };
                    self.waiting = first..number + 1;
                }
            }
            LintClass::Selector => {
                let is_needed = Neighbours { before: self.last_two(), after: None }.need(value);
                let lints = if is_needed { &[Lint::NotAscii] } else { lints };
                self.report(offset, bytes, Some(value), lints);
            }
            LintClass::Bom if offset == 0 && self.has_order => {}
            LintClass::Bom if offset == 0 => {
                self.report(offset, bytes, Some(value), &[Lint::Bom]);
            }
            LintClass::Bom => self.report(offset, bytes, Some(value), &lints[1..]),
            _ => self.report(offset, bytes, Some(value), lints),
        }
    }

    /// Examines a character that is in no class.
    fn find_other(&mut self, offset: u64, bytes: &[u8], value: u32) {
        let lints: &[_] = match value {
            0..0x80 => return,
            _ if self.is_unassigned(value) => &[Lint::Unassigned, Lint::NotAscii],
            _ => &[Lint::NotAscii],
        };
        self.report(offset, bytes, Some(value), lints);
    }

    /// Returns `true` if a code point is unassigned and a lint reports that.
    fn is_unassigned(&self, value: u32) -> bool {
        let category = |c: char| c.general_category() == GeneralCategory::Unassigned;
        self.rules.levels.of(Lint::Unassigned) != Level::Allow
            && char::from_u32(value).is_some_and(category)
    }
}

/// Returns whole sequences at the front of UTF-8 text.
fn window(bytes: &[u8]) -> &[u8] {
    &bytes[..floor_boundary(bytes, SLICE.min(bytes.len()))]
}
