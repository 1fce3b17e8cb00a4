//! Comments in a text that turn lints off: `utf8:allow(ID)` for its line, `utf8:allow-next-line(ID)`
//! for the line below, and `utf8:allow-file(ID)` in the first lines. Blanks may stand after the colon
//! and before the parenthesis.
//!
//! A comment may stand behind the characters that it allows. Matches are held until the comments of
//! their line are known. A comment is a match, too, until it is used.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::LintMatch;
use crate::lint::levels::{LintMask, RuleLevels, lint_mask};
use crate::lint::{Level, Lint};

/// The start of every comment.
const MARK: &[u8] = b"utf8:";

/// The maximum distance between a comment and a character that it allows, in bytes; also the length
/// of the part of a file that may have comments about the file.
const REACH: u64 = 64 << 10;

/// The number of lines that may have comments about the file.
const HEADER_LINES: usize = 20;

/// The maximum length of a comment, in bytes.
const LONGEST: usize = 256;

/// The maximum number of comments that a line may have. Others count as text.
const MOST_IN_LINE: usize = 64;

/// The length in bytes of the longest byte order mark.
const LONGEST_SIGNATURE: u64 = 4;

static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));

/// Returns `true` if a text has the start of a comment.
pub(super) fn may_have_comments(text: &[u8]) -> bool {
    FINDER.find(text).is_some()
}

/// The text that a comment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommentScope {
    Line,
    NextLine,
    File,
}

/// A comment.
#[derive(Debug)]
struct InlineComment {
    /// The offset in the input, in bytes.
    offset: u64,
    /// The group: comments of one line have one, which grows.
    group: u64,
    text: Vec<u8>,
    scope: CommentScope,
    lints: LintMask,
    /// A name in it that is not that of a lint.
    unknown: Option<Vec<u8>>,
    /// The offsets at which it allows matches. The end may come closer while `open`.
    covers: Range<u64>,
    /// The number of line ends that are not found yet, of those that end its text.
    open: usize,
    used: bool,
}

/// A decided match, with its lint and level. Those with [`Level::Allow`] are dropped.
type FoundMatch = (LintMatch, Lint, Level);

/// The comments of a text.
#[derive(Debug, Default)]
pub(super) struct InlineComments {
    /// Those about lines, in the order of their offsets, from the first that is not settled.
    comments: VecDeque<InlineComment>,
    /// Those about the file.
    about_file: VecDeque<InlineComment>,
    /// Those that can allow nothing more, in the order of their offsets.
    settled: VecDeque<InlineComment>,
    /// The matches that wait for comments, in the order of their offsets.
    held: VecDeque<FoundMatch>,
    /// The number of these for which the comments are known.
    resolved: usize,
    /// The number of matches that comments allow.
    pub suppressed: u64,
    /// True if comments that allow nothing are reported.
    reports_unused: bool,
    /// The number of comments of the last line.
    in_line: usize,
    /// The number of lines that started, of those that were looked at.
    group: u64,
    /// The offset up to which the text was searched; `None` before its start.
    searched: Option<u64>,
    /// The unfinished end of the text so far, which may be the start of a comment.
    rest: Vec<u8>,
    /// The start of the last line.
    line_start: u64,
    /// The offset behind the last line end.
    last_line_end: u64,
    /// The number of lines, until the header has ended.
    header: Option<usize>,
    /// The offset behind the header, as far as it is known.
    header_end: u64,
    /// The end of the text, once it has ended.
    end: Option<u64>,
}

impl InlineComments {
    /// Returns the comments of a text.
    pub fn new(levels: &RuleLevels) -> InlineComments {
        let reports_unused = levels.of(Lint::UnusedAllow) != Level::Allow;
        InlineComments { reports_unused, ..InlineComments::default() }
    }

    /// Searches the next part of a text for comments. `bytes` continue the text at an offset; those
    /// that were searched before are skipped.
    pub fn search(&mut self, offset: u64, bytes: &[u8], slice: usize) {
        let searched = match self.searched {
            Some(searched) if searched >= offset => searched,
            Some(_) => {
                // An ill-formed sequence stands between.
                self.cut(offset);
                offset
            }
            None => {
                self.header = (offset <= LONGEST_SIGNATURE).then_some(0);
                self.line_start = if self.header.is_some() { 0 } else { offset };
                offset
            }
        };
        let most = slice + REACH as usize + LONGEST;
        let known = searched.saturating_sub(offset) as usize;
        let new = bytes.get(known..bytes.len().min(most)).unwrap_or_default();
        if new.is_empty() {
            return;
        }
        let start = searched - self.rest.len() as u64;
        let text = match self.rest.is_empty() {
            true => new,
            false => {
                self.rest.extend_from_slice(new);
                &std::mem::take(&mut self.rest)
            }
        };
        self.close_lines(searched, new);
        self.search_header(searched, new);
        self.rest = self.find(start, text).to_vec();
        if let Some(last) = memchr::memrchr(b'\n', new) {
            self.last_line_end = searched + last as u64 + 1;
        }
        self.searched = Some(searched + new.len() as u64);
        if self.header.is_some_and(|lines| lines >= HEADER_LINES) || self.searched > Some(REACH) {
            self.header = None;
        }
    }

    /// Finds the line ends that end the text of open comments.
    fn close_lines(&mut self, offset: u64, bytes: &[u8]) {
        let open = self.comments.iter_mut().filter(|comment| comment.open > 0);
        for comment in open {
            comment.close(offset, bytes);
        }
    }

    /// Counts the lines of the header.
    fn search_header(&mut self, offset: u64, bytes: &[u8]) {
        let Some(lines) = &mut self.header else { return };
        let bytes = &bytes[..bytes.len().min(REACH.saturating_sub(offset) as usize)];
        self.header_end = offset + bytes.len() as u64;
        for line_end in memchr::memchr_iter(b'\n', bytes) {
            *lines += 1;
            if *lines == HEADER_LINES {
                self.header_end = offset + line_end as u64;
                break;
            }
        }
    }

    /// Finds the comments in a text. Returns its end if that may be the start of a comment.
    fn find<'a>(&mut self, offset: u64, text: &'a [u8]) -> &'a [u8] {
        let mut passed = 0;
        for at in FINDER.find_iter(text) {
            self.pass_lines(offset + passed as u64, &text[passed..at]);
            passed = at;
            let rest = &text[at..];
            match CommentText::read(&rest[..rest.len().min(LONGEST)]) {
                Ok(found) => self.add(offset + at as u64, rest, &found),
                Err(Unread::NoComment) => {}
                Err(Unread::Unfinished) if rest.len() < LONGEST => return rest,
                Err(Unread::Unfinished) => {}
            }
        }
        self.pass_lines(offset + passed as u64, &text[passed..]);
        &text[text.len() - partial_mark(text)..]
    }

    /// Passes text at an offset, in which lines may end.
    fn pass_lines(&mut self, offset: u64, text: &[u8]) {
        if let Some(last) = memchr::memrchr(b'\n', text) {
            self.start_line(offset + last as u64 + 1);
        }
    }

    /// Starts a line at an offset.
    fn start_line(&mut self, offset: u64) {
        self.line_start = offset;
        self.in_line = 0;
        self.group += 1;
    }

    /// Adds a comment at an offset. `rest` is the text from there.
    fn add(&mut self, offset: u64, rest: &[u8], found: &CommentText<'_>) {
        self.in_line += 1;
        if self.in_line > MOST_IN_LINE {
            return;
        }
        let (lints, unknown) = found.lints();
        let is_in_header = self.header.is_some() && offset < self.header_end;
        let line = self.line_start.max(offset.saturating_sub(REACH))..offset + REACH;
        let (covers, open) = match found.scope {
            CommentScope::Line => (line, 1),
            CommentScope::NextLine => (offset..offset, 2),
            CommentScope::File if is_in_header => (line, 0),
            CommentScope::File => (offset..offset, 0),
        };
        let mut comment = InlineComment {
            offset,
            group: self.group,
            text: found.text.to_vec(),
            scope: found.scope,
            lints,
            unknown,
            covers,
            open,
            used: false,
        };
        comment.close(offset, rest);
        match found.scope {
            CommentScope::File if is_in_header => self.about_file.push_back(comment),
            _ => self.comments.push_back(comment),
        }
    }

    /// Returns `true` if all comments that can allow a match at an offset are known.
    fn knows(&self, offset: u64) -> bool {
        let ahead = self.searched.unwrap_or(0).saturating_sub(offset);
        let is_known = offset < self.last_line_end || ahead > REACH + LONGEST as u64;
        self.end.is_some() || self.header.is_none() && is_known
    }

    /// Returns `true` if a comment allows a match of a lint at an offset, and marks it as used.
    fn allows(&mut self, offset: u64, lint: Lint) -> bool {
        let is_about = |comment: &&mut InlineComment| comment.lints & lint.mask() != 0;
        let near = self.near(offset);
        let about_lines = self.comments.range_mut(near).filter(|it| it.covers.contains(&offset));
        let mut found = false;
        for comment in self.about_file.iter_mut().chain(about_lines).filter(is_about) {
            (comment.used, found) = (true, true);
        }
        found
    }

    /// Returns `true` if a line end at an offset would change what a comment allows.
    fn is_bound(&self, offset: u64) -> bool {
        let about =
            |it: &InlineComment| (it.covers.start.min(it.offset)..it.covers.end).contains(&offset);
        self.about_file.back().is_some_and(|comment| offset < comment.offset)
            || self.comments.range(self.near(offset)).any(about)
    }

    /// Returns the places in `comments` of those that may allow a match at an offset: the comments
    /// of the last two lines before it that have any, and those of the next such line.
    fn near(&self, offset: u64) -> Range<usize> {
        let next = self.comments.partition_point(|comment| comment.offset < offset);
        let group = |at: usize| self.comments.get(at).map_or(self.group, |comment| comment.group);
        let first = next.checked_sub(1).map_or(0, |last| group(last).saturating_sub(1));
        let last = group(next);
        self.comments.partition_point(|comment| comment.group < first)
            ..self.comments.partition_point(|comment| comment.group <= last)
    }

    /// Returns the offset of the first comment, or of a text that may become one, from an offset on.
    pub fn next(&self, offset: u64) -> Option<u64> {
        let next = self.comments.partition_point(|comment| comment.offset < offset);
        let comment = self.comments.get(next).map(|comment| comment.offset);
        comment.or_else(|| self.pending_starts().find(|start| *start >= offset))
    }

    /// Returns the offsets of texts that may become comments, in the unfinished end of the text: of
    /// its start, and of a mark in it that has begun.
    fn pending_starts(&self) -> impl Iterator<Item = u64> {
        let searched = self.searched.unwrap_or(0);
        let inner = partial_mark(&self.rest).min(self.rest.len().saturating_sub(1));
        let lengths = [self.rest.len(), inner].into_iter().filter(|len| *len > 0);
        lengths.map(move |len| searched - len as u64)
    }

    /// Ends the line and the header at an offset, at an ill-formed sequence.
    pub fn cut(&mut self, offset: u64) {
        for comment in self.comments.iter_mut().filter(|comment| comment.open > 0) {
            comment.covers.end = comment.covers.end.min(offset + 1);
            comment.open = 0;
        }
        self.rest.clear();
        self.header = None;
        self.start_line(offset);
        self.last_line_end = offset;
        self.searched = Some(self.searched.map_or(offset, |searched| searched.max(offset)));
    }

    /// Ends the text. Returns the number of comments about the file, each of which is then to be
    /// given as a match at the end.
    pub fn end(&mut self, end: Option<u64>) -> usize {
        let last = self.searched.unwrap_or(0);
        self.cut(end.unwrap_or(last));
        self.end = Some(end.unwrap_or(u64::MAX));
        self.about_file.len()
    }

    /// Takes a decided match, or one for a comment.
    pub fn hold(&mut self, found: FoundMatch) {
        self.held.push_back(found);
    }

    /// Returns the first match that no comment allows. `decided` is the offset up to which all
    /// matches have been given.
    pub fn release(&mut self, decided: u64, levels: &RuleLevels) -> Option<FoundMatch> {
        self.resolve();
        let resolved = self.held.get(self.resolved).map(|(found, ..)| found.offset);
        self.settle(resolved.unwrap_or(decided));
        while self.resolved > 0 {
            let (found, lint, level) = self.held.front()?;
            if *lint == Lint::UnusedAllow && *level != Level::Allow {
                let offset = found.offset;
                if self.awaits(offset) {
                    return None;
                }
                let complaint = self.complaint_at(offset, levels);
                let (found, _, level) = self.held.front_mut()?;
                match complaint {
                    Some((bytes, detail)) => {
                        found.columns = bytes.len() as u64;
                        (found.bytes, found.detail) = (bytes, detail);
                    }
                    None => *level = Level::Allow,
                }
            }
            self.resolved -= 1;
            let found = self.held.pop_front()?;
            if found.2 != Level::Allow {
                return Some(found);
            }
        }
        None
    }

    /// Returns `true` if the comment at an offset, or a text that may become one, is not settled.
    fn awaits(&self, offset: u64) -> bool {
        let is_pending = self.pending_starts().any(|start| start == offset);
        is_pending || self.comments.binary_search_by_key(&offset, |comment| comment.offset).is_ok()
    }

    /// Returns the bytes of the comment at an offset, and the fact for the message about it; `None`
    /// if there is none or it is used. At the end of the text, it is the next one about the file.
    fn complaint_at(&mut self, offset: u64, levels: &RuleLevels) -> Option<(Vec<u8>, Vec<u8>)> {
        if Some(offset) == self.end {
            let comment = self.about_file.pop_front().filter(InlineComment::is_at_fault)?;
            return Some((Vec::new(), comment.complaint(levels)?));
        }
        while self.settled.front().is_some_and(|comment| comment.offset < offset) {
            self.settled.pop_front();
        }
        let comment = self.settled.front().filter(|comment| comment.offset == offset)?;
        let complaint = comment.is_at_fault().then(|| comment.complaint(levels)).flatten()?;
        let comment = self.settled.pop_front()?;
        Some((comment.text, complaint))
    }

    /// Drops the matches that comments allow, as far as comments are known.
    fn resolve(&mut self) {
        while let Some((found, lint, _)) = self.held.get(self.resolved) {
            let (offset, lint) = (found.offset, *lint);
            if lint != Lint::UnusedAllow {
                if !self.knows(offset) {
                    return;
                }
                if self.allows(offset, lint) {
                    self.held[self.resolved].2 = Level::Allow;
                    self.suppressed += 1;
                }
                self.held[self.resolved].0.is_bound = self.is_bound(offset);
            }
            self.resolved += 1;
        }
    }

    /// Decides about the comments that allow nothing at an offset and behind.
    fn settle(&mut self, offset: u64) {
        let is_over = |comment: &InlineComment| match (comment.scope, comment.open) {
            (CommentScope::File, _) => comment.offset < offset,
            // The next line may start late.
            (CommentScope::NextLine, 2) => comment.offset + REACH < offset,
            _ => comment.covers.end <= offset,
        };
        while self.comments.front().is_some_and(is_over)
            && let Some(comment) = self.comments.pop_front()
        {
            if self.reports_unused {
                self.settled.push_back(comment);
            }
        }
    }
}

impl InlineComment {
    /// Finds the line ends that end its text. `bytes` continue the text at an offset.
    fn close(&mut self, mut offset: u64, mut bytes: &[u8]) {
        while self.open > 0 {
            let Some(at) = memchr::memchr(b'\n', bytes) else { return };
            let end = offset + at as u64 + 1;
            if (self.scope, self.open) == (CommentScope::NextLine, 2) && end > self.offset + REACH {
                (self.covers, self.open) = (end..end, 0);
                return;
            }
            self.covers = match (self.scope, self.open) {
                (CommentScope::NextLine, 2) => end..end + REACH,
                _ => self.covers.start..self.covers.end.min(end),
            };
            self.open -= 1;
            (offset, bytes) = (end, &bytes[at + 1..]);
        }
    }

    /// Returns `true` if the comment allowed nothing, or has a name that is not that of a lint.
    fn is_at_fault(&self) -> bool {
        !self.used || self.unknown.is_some()
    }

    /// Returns `true` for a comment about the file that is not in the header.
    fn is_misplaced(&self) -> bool {
        self.scope == CommentScope::File && self.covers.is_empty()
    }

    /// Returns the fact for the message about a comment that is not used; `None` if the lints that
    /// it names are not searched for.
    fn complaint(&self, levels: &RuleLevels) -> Option<Vec<u8>> {
        let reason: &[u8] = match &self.unknown {
            Some(name) if name == b"ill-formed" => b"ill-formed text is allowed by settings only",
            Some(name) => &[b"'", name.as_slice(), b"' is no lint"].concat(),
            None if self.is_misplaced() => {
                b"is not in the first 20 lines, or follows an ill-formed sequence"
            }
            None if levels.reports_any(self.lints) => b"allows nothing",
            None => return None,
        };
        Some([&self.text, b": ".as_slice(), reason].concat())
    }
}

/// Returns the length of the start of a mark at the end of a text; 0 if there is none.
fn partial_mark(text: &[u8]) -> usize {
    let end = &text[text.len().saturating_sub(MARK.len() - 1)..];
    // The first byte of a mark is in it once, so that only the last one can start the mark.
    let start = end.iter().rposition(|byte| *byte == MARK[0]);
    start.map(|start| &end[start..]).filter(|end| MARK.starts_with(end)).map_or(0, <[u8]>::len)
}

fn skip_blanks(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    &text[text.iter().take_while(is_blank).count()..]
}

/// The text of a comment.
struct CommentText<'a> {
    text: &'a [u8],
    scope: CommentScope,
    /// The names, separated by commas.
    names: &'a [u8],
}

/// The reason why a text is not read as a comment.
enum Unread {
    NoComment,
    /// Its end is not known yet.
    Unfinished,
}

impl<'a> CommentText<'a> {
    /// Reads the comment at the start of a text.
    fn read(text: &'a [u8]) -> Result<CommentText<'a>, Unread> {
        let scopes = [
            (b"allow-next-line".as_slice(), CommentScope::NextLine),
            (b"allow-file", CommentScope::File),
            (b"allow", CommentScope::Line),
        ];
        let rest = skip_blanks(&text[MARK.len()..]);
        for (word, scope) in scopes {
            if rest.len() < word.len() && word.starts_with(rest) {
                return Err(Unread::Unfinished);
            }
            let Some(rest) = rest.strip_prefix(word).map(skip_blanks) else { continue };
            let names = match rest.split_first() {
                None => return Err(Unread::Unfinished),
                Some((b'(', names)) => names,
                Some(_) => continue,
            };
            let is_name =
                |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b',' | b' ');
            let len = names.iter().take_while(|byte| is_name(byte)).count();
            return match names.get(len) {
                None => Err(Unread::Unfinished),
                Some(b')') if len > 0 => {
                    let len_of_all = text.len() - names.len() + len + 1;
                    Ok(CommentText { text: &text[..len_of_all], scope, names: &names[..len] })
                }
                Some(_) => Err(Unread::NoComment),
            };
        }
        Err(Unread::NoComment)
    }

    /// Returns the lints that it names, and the first name that is unknown.
    fn lints(&self) -> (LintMask, Option<Vec<u8>>) {
        let (mut mask, mut unknown) = (0, None);
        for name in self.names.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            let found = std::str::from_utf8(name).map_or(0, lint_mask);
            if found == 0 && unknown.is_none() {
                unknown = Some(name.to_vec());
            }
            mask |= found;
        }
        (mask, unknown)
    }
}
