//! Damage: the sorts of ill-formed sequences in text that is almost UTF-8.
#![warn(clippy::wildcard_enum_match_arm)]

use super::high_bytes::ascii_prefix_len;
use super::legacy::{self, LegacyCandidate, LegacySample};
use crate::codec::family::is_lead;
use crate::codec::pages::row;
use crate::issue::{Class, Interruption, Issue, Relative};
use crate::policy;
use crate::registry::Encoding;

/// A row of [`DAMAGES`].
#[derive(Debug)]
#[non_exhaustive]
pub struct DamageRow {
    /// The name in JSON output.
    pub id: &'static str,
    /// The noun for one sequence.
    pub noun: &'static str,
    /// The words that follow the noun or its plural.
    pub detail: &'static str,
}

table! {
    /// The sort of an ill-formed sequence, by its likely cause.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    enum DamageKind

    /// All damage kinds.
    static DAMAGES: DamageRow []

    /// Surrogate pairs of three bytes each, as in CESU-8.
    SurrogatePairs {
        id: "surrogate-pairs", noun: "surrogate pair", detail: " in two sequences each, as in CESU-8",
    }
    /// C0 80, which is U+0000 in Modified UTF-8.
    OverlongNuls { id: "overlong-nuls", noun: "U+0000", detail: " as C0 80, as in Modified UTF-8" }
    /// Lone surrogates of three bytes, as in WTF-8. JavaScript and Windows produce them.
    LoneSurrogates { id: "lone-surrogates", noun: "lone surrogate", detail: ", as in WTF-8" }
    /// Sequences of four to six bytes above U+10FFFF, as in RFC 2279.
    AboveUnicode { id: "large-forms", noun: "sequence", detail: " above U+10FFFF, as in RFC 2279" }
    /// Other overlong forms.
    Overlong { id: "overlong-forms", noun: "overlong sequence", detail: "" }
    /// A sequence cut by the end of the input.
    CutAtEnd { id: "cut-at-end", noun: "sequence", detail: " cut at the end" }
    /// A sequence cut by the end of a line, as tools that count bytes do.
    CutAtLineEnd { id: "cut-at-line-end", noun: "sequence", detail: " cut at the end of a line" }
    /// Continuation bytes at the start of the input: the rest of a sequence.
    CutAtStart {
        id: "cut-at-start", noun: "continuation byte", detail: " at the start, from a cut sequence",
    }
    /// Other bytes: text in a code page, or parts of sequences.
    Stray { id: "stray-bytes", noun: "stray sequence", detail: "" }
}

impl DamageKind {
    /// Returns the damage that an ill-formed sequence is, taken by itself. `next` is the byte after it.
    fn of(issue: &Issue, next: Option<u8>) -> DamageKind {
        let row = issue.kind.row();
        match (row.relative(issue.len), row.interrupted_by) {
            (Some(Relative::Cesu8), _) => DamageKind::SurrogatePairs,
            (Some(Relative::Mutf8), _) => DamageKind::OverlongNuls,
            (Some(Relative::Wtf8), _) => DamageKind::LoneSurrogates,
            (Some(Relative::Rfc2279), _) => DamageKind::AboveUnicode,
            (None, Some(Interruption::EndOfInput)) => DamageKind::CutAtEnd,
            // Of a lead byte alone, the text before it decides: see `is_cut_lead`.
            (None, Some(Interruption::Byte)) => match next {
                Some(b'\n' | b'\r') if issue.len > 1 => DamageKind::CutAtLineEnd,
                _ => DamageKind::Stray,
            },
            (None, None) => match row.class {
                // A sequence has three continuation bytes at most.
                Class::Continuation if issue.offset < 3 => DamageKind::CutAtStart,
                Class::Overlong if issue.len > 1 => DamageKind::Overlong,
                Class::Continuation
                | Class::Overlong
                | Class::Surrogate
                | Class::Range
                | Class::Lead
                | Class::Truncated
                | Class::Legacy
                | Class::Syntax
                | Class::Target
                | Class::Input => DamageKind::Stray,
            },
        }
    }
}

/// The ill-formed sequences of one damage kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundDamage {
    /// The damage.
    pub kind: DamageKind,
    /// The number of sequences.
    pub count: u64,
    /// The offset of the first one, in bytes.
    pub first: u64,
}

/// The number of ASCII bytes on either side of a run with a stray byte that are kept to find its page.
const CONTEXT: usize = 12;

/// The most bytes of a run before a stray byte that are kept with it.
const RUN: usize = 64;

/// The most bytes that are kept to find the page.
const MOST_STRAY: usize = 4 << 10;

/// The number of stray sequences that may show any page. Fewer may be windows-1252, or mere damage.
pub(crate) const HANDFUL: u64 = 5;

/// The number of stray sequences from which a page needs a confidence above 0.5: so many of a page
/// would show it.
const FEW: u64 = 16;

/// The least fit of a few stray bytes with letters that read well in a page. Bytes that are marks alone
/// fit no language, so only odd words count against them.
const FITTING: f64 = 0.95;

/// The lead bytes of UTF-8 that followed an ASCII letter, a bit for each byte from C0 on.
#[derive(Debug, Default)]
struct LeadsInWords(u64);

impl LeadsInWords {
    /// Adds those of a run of text; `before` is the byte before it.
    fn add(&mut self, mut before: Option<u8>, bytes: &[u8]) {
        for part in bytes.chunks(64) {
            if !part.is_ascii() {
                for &byte in part {
                    let is_in_word = before.is_some_and(|before| before.is_ascii_alphabetic());
                    self.0 |= u64::from(byte >= 0xC0 && is_in_word) << (byte & 0x3F);
                    before = Some(byte);
                }
            }
            before = part.last().copied();
        }
    }

    fn contains(&self, lead: u8) -> bool {
        lead >= 0xC0 && self.0 >> (lead & 0x3F) & 1 == 1
    }
}

/// Counts damage, and keeps some stray bytes with their context.
#[derive(Debug, Default)]
pub(super) struct DamageCounter {
    found: [Option<FoundDamage>; DAMAGES.len()],
    /// The lead bytes in words of the well-formed text so far.
    leads: LeadsInWords,
    /// The runs of bytes beyond ASCII that have stray bytes, and the ASCII next to the runs. Part of
    /// a run may be UTF-8 by chance. Spaces separate the places.
    stray: Vec<u8>,
    /// True if the last run that was kept may go on.
    is_in_run: bool,
    /// The last bytes of the well-formed text before, up to [`CONTEXT`] and [`RUN`].
    before: Vec<u8>,
    /// The number of ASCII bytes that are still to be kept.
    missing: usize,
}

impl DamageCounter {
    /// Adds a run of well-formed sequences.
    pub fn add_run(&mut self, bytes: &[u8]) {
        self.leads.add(self.before.last().copied(), bytes);
        let rest = &bytes[self.keep_run(bytes)..];
        if !self.is_in_run {
            let context = &rest[..rest.len().min(self.missing)];
            let ascii = ascii_prefix_len(context);
            self.stray.extend_from_slice(&context[..ascii]);
            self.missing = if ascii < rest.len() { 0 } else { self.missing - ascii };
        }
        let last = &bytes[bytes.len().saturating_sub(CONTEXT + RUN)..];
        let room = CONTEXT + RUN - last.len();
        self.before.drain(..self.before.len().saturating_sub(room));
        self.before.extend_from_slice(last);
    }

    /// Keeps the rest of an open run, within the limit. Returns its length.
    fn keep_run(&mut self, bytes: &[u8]) -> usize {
        if !self.is_in_run {
            return 0;
        }
        let len = bytes.iter().take_while(|byte| !byte.is_ascii()).count();
        let room = MOST_STRAY.saturating_sub(self.stray.len());
        self.stray.extend_from_slice(&bytes[..len.min(room)]);
        self.is_in_run = len == bytes.len();
        len
    }

    /// Keeps a stray sequence, and what stands before its run.
    fn keep_stray(&mut self, bytes: &[u8]) {
        if self.missing == 0 {
            let is_other = |byte: &u8| !byte.is_ascii();
            let run = self.before.iter().rposition(u8::is_ascii).map_or(0, |at| at + 1);
            let ascii = &self.before[run.saturating_sub(CONTEXT)..run];
            let other = ascii.iter().rposition(is_other).map_or(0, |at| at + 1);
            let start = run - (ascii.len() - other);
            self.stray.push(b' ');
            self.stray.extend_from_slice(&self.before[start..]);
        }
        self.stray.extend_from_slice(bytes);
        self.missing = CONTEXT;
    }

    /// Counts an ill-formed sequence. `next` is the byte after it.
    pub fn add_issue(&mut self, issue: &Issue, bytes: &[u8], next: Option<u8>) {
        let mut kind = DamageKind::of(issue, next);
        let at_start = self.found[DamageKind::CutAtStart as usize].map_or(0, |found| found.count);
        if kind == DamageKind::CutAtStart && issue.offset != at_start {
            kind = DamageKind::Stray;
        }
        // After stray bytes, a lead byte at the end is another stray byte.
        if kind == DamageKind::CutAtEnd
            && issue.len == 1
            && self.found[DamageKind::Stray as usize].is_some()
        {
            kind = DamageKind::Stray;
        }
        if kind == DamageKind::Stray && self.is_cut_lead(bytes, next) {
            kind = DamageKind::CutAtLineEnd;
        }
        if kind == DamageKind::Stray && self.found[DamageKind::Stray as usize].is_none() {
            self.count_start_as_stray();
        }
        let found = &mut self.found[kind as usize];
        found.get_or_insert(FoundDamage { kind, count: 0, first: issue.offset }).count += 1;
        self.is_in_run = kind == DamageKind::Stray && self.stray.len() < MOST_STRAY;
        if self.is_in_run {
            self.keep_stray(bytes);
        }
        self.before.clear();
    }

    /// Returns `true` for a lead byte before a line end that is hardly a letter of a code page. After
    /// an ASCII letter it may be one: a small one (E0 and above in most pages) after any, and a
    /// capital after a capital; but not if a character with this lead byte followed an ASCII letter
    /// before. After another stray byte, it is more of the same.
    fn is_cut_lead(&self, bytes: &[u8], next: Option<u8>) -> bool {
        let &[lead] = bytes else { return false };
        is_lead(lead)
            && matches!(next, Some(b'\n' | b'\r'))
            && match self.before.last() {
                None => false,
                Some(_) if self.leads.contains(lead) => true,
                Some(before) if before.is_ascii_lowercase() => lead < 0xE0,
                Some(before) => !before.is_ascii_uppercase(),
            }
    }

    /// Counts continuation bytes at the start as stray: in text with stray bytes, they are more of
    /// the same.
    fn count_start_as_stray(&mut self) {
        let start = self.found[DamageKind::CutAtStart as usize].take();
        self.found[DamageKind::Stray as usize] =
            start.map(|start| FoundDamage { kind: DamageKind::Stray, ..start });
    }

    /// Returns the damage found, in the order of the enumeration.
    pub fn found(&self) -> Vec<FoundDamage> {
        self.found.iter().flatten().copied().collect()
    }

    /// Returns the code page that the stray bytes are likely in. There is none if they are likelier
    /// in a multi-byte set, or too few to tell: few bytes fit many pages, and are often mere damage.
    pub fn stray_page(&self) -> Option<&'static Encoding> {
        if self.stray.is_empty() {
            return None;
        }
        let mut sample = LegacySample::default();
        sample.add(&self.stray);
        let ranked = legacy::rank(sample);
        let best = ranked.first()?;
        let number = self.found[DamageKind::Stray as usize].map_or(0, |found| found.count);
        let is_common = row(best.codec.name).is_some_and(|row| row.detect.is_some());
        let is_page = is_common && policy::fallback(best.codec.name).is_ok();
        if number >= HANDFUL && best.confidence > 0.5 {
            return is_page.then_some(best.codec);
        }
        let western = ranked.iter().find(|one| one.codec.name == "windows-1252")?;
        let is_western = western.text == best.text && self.reads_well(western);
        (number < FEW && is_western).then_some(western.codec)
    }

    /// Returns `true` if the stray bytes read well in a page.
    fn reads_well(&self, page: &LegacyCandidate) -> bool {
        let mut values = self.stray.iter().filter_map(|&byte| page.codec.code_point(byte));
        let is_letter =
            |value| value >= 0x80 && char::from_u32(value).is_some_and(char::is_alphabetic);
        page.fit >= if values.any(is_letter) { FITTING } else { legacy::LEAST_FIT }
    }
}
