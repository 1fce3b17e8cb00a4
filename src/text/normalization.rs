//! Characters that normalization form C leaves as they are (UAX #15).

use std::sync::LazyLock;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, decompose_compatible,
};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::kernel::{self, SequenceFilter};

/// The role of a character in normalization form C (UAX #15, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NfcRole {
    /// A starter that composes with nothing before it and does not change alone.
    Plain,
    /// A non-starter of this combining class that does not change alone or compose.
    Mark(u8),
    /// A character that may compose with one before it, or that [is counted](counts_as_mark) as a
    /// mark.
    MayCompose,
    /// A character that never is in the form.
    Changes,
}

impl NfcRole {
    /// The codes of roles other than marks, which have their combining class.
    const PLAIN: u8 = 0;
    const MAY_COMPOSE: u8 = 254;
    const CHANGES: u8 = 255;

    fn of(c: char) -> NfcRole {
        match (is_nfc_quick(std::iter::once(c)), canonical_combining_class(c)) {
            (IsNormalized::No, _) => NfcRole::Changes,
            (IsNormalized::Maybe, _) => NfcRole::MayCompose,
            (IsNormalized::Yes, 0) if counts_as_mark(c) => NfcRole::MayCompose,
            (IsNormalized::Yes, 0) => NfcRole::Plain,
            (IsNormalized::Yes, class) => NfcRole::Mark(class),
        }
    }

    fn code(self) -> u8 {
        match self {
            NfcRole::Plain => NfcRole::PLAIN,
            NfcRole::Mark(class) => class,
            NfcRole::MayCompose => NfcRole::MAY_COMPOSE,
            NfcRole::Changes => NfcRole::CHANGES,
        }
    }

    fn of_code(code: u8) -> NfcRole {
        match code {
            NfcRole::PLAIN => NfcRole::Plain,
            NfcRole::MAY_COMPOSE => NfcRole::MayCompose,
            NfcRole::CHANGES => NfcRole::Changes,
            class => NfcRole::Mark(class),
        }
    }
}

/// The characters that may not be plain.
pub(crate) struct ActiveCharacters {
    /// The code of the role of each code point of the BMP.
    roles: Box<[u8]>,
    /// The sequences of the characters in UTF-8.
    pub filter: SequenceFilter,
}

/// The size of the BMP in code points.
const BMP: u32 = 0x1_0000;

pub(crate) static ACTIVE: LazyLock<ActiveCharacters> = LazyLock::new(|| {
    let mut roles = vec![NfcRole::PLAIN; BMP as usize].into_boxed_slice();
    // Those of Han and Hangul are plain, as are surrogates and private-use characters.
    for value in (0x300..0x3400).chain(0xA000..0xAC00).chain(0xF900..BMP) {
        roles[value as usize] = char::from_u32(value).map_or(NfcRole::Plain, NfcRole::of).code();
    }
    let active = (0..BMP).filter(|&value| roles[value as usize] != NfcRole::PLAIN);
    let ranges = active.map(|value| (value, value)).chain(SUPPLEMENTARY);
    let filter = SequenceFilter::of_ranges(ranges);
    ActiveCharacters { roles, filter }
});

/// Ranges beyond the BMP with characters that are not plain: scripts and compatibility ideographs.
const SUPPLEMENTARY: [(u32, u32); 2] = [(0x1_0000, 0x1_EFFF), (0x2_F800, 0x2_FA1F)];

/// The number of plain characters in a row after which a block of text is examined at once.
const PLAIN_ROW: usize = 16;

/// The largest number of consecutive characters other than plain ones that
/// [`ActiveCharacters::normalized_len`] passes. They and the decomposition of the starter before them
/// have fewer non-starters than the Stream-Safe Text Format allows, 30 (UAX #15, section 13).
const MAX_MARKS: usize = 8;

/// Returns `true` if the compatibility decomposition of a character starts with a non-starter, which
/// the Stream-Safe Text Format counts (UAX #15, section 13). Of starters, these are the half-width
/// voicing marks.
pub(crate) fn counts_as_mark(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    first.is_some_and(|first| canonical_combining_class(first) != 0)
}

/// Returns `true` if a character is a starter that composes with nothing before it, is in the form,
/// and does not count as a mark.
pub(crate) fn is_stable(c: char) -> bool {
    NfcRole::of(c) == NfcRole::Plain
}

/// The end of a text in the form, which decides whether a character composes with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NfcState {
    /// The last starter.
    pub starter: Option<char>,
    /// The combining class of the last character.
    pub class: u8,
}

impl NfcState {
    /// Adds a character. Returns `true` if it changes alone, composes with the text, or is not in its
    /// order.
    #[inline]
    pub fn changes_with(&mut self, c: char, role: NfcRole) -> bool {
        let (class, differs) = match role {
            NfcRole::Plain => (0, false),
            NfcRole::Mark(class) => (class, false),
            NfcRole::MayCompose => {
                let class = canonical_combining_class(c);
                (class, self.composes(c, class))
            }
            NfcRole::Changes => (canonical_combining_class(c), true),
        };
        let changes = differs || class != 0 && class < self.class;
        if class == 0 {
            self.starter = Some(c);
        }
        self.class = class;
        changes
    }

    /// Returns `true` if a character composes with the last starter.
    fn composes(&self, c: char, class: u8) -> bool {
        // Marks between them block the character if they are of its class, or of any for a starter
        // (Unicode, definition D115).
        let is_blocked = self.class != 0 && (self.class == class || class == 0);
        self.starter.is_some_and(|starter| !is_blocked && unites(starter, c))
    }
}

/// Returns `true` if the form of two characters is other text. If one of them has a decomposition,
/// parts of both may compose.
fn unites(starter: char, c: char) -> bool {
    let has_parts = |whole: char| {
        let mut first = None;
        decompose_canonical(whole, |part| first = first.or(Some(part)));
        first != Some(whole)
    };
    match has_parts(starter) || has_parts(c) {
        true => ![starter, c].into_iter().nfc().eq([starter, c]),
        false => compose(starter, c).is_some(),
    }
}

impl ActiveCharacters {
    /// Returns the role of a code point. Surrogates are plain.
    #[inline]
    pub fn role(&self, value: u32) -> NfcRole {
        match self.roles.get(value as usize) {
            Some(&code) => NfcRole::of_code(code),
            None => {
                let has = |&(start, end): &(u32, u32)| (start..=end).contains(&value);
                let c = char::from_u32(value).filter(|_| SUPPLEMENTARY.iter().any(has));
                c.map_or(NfcRole::Plain, NfcRole::of)
            }
        }
    }

    /// Returns `true` if a code point is [plain](NfcRole::Plain).
    #[inline]
    pub fn is_plain(&self, value: u32) -> bool {
        self.role(value) == NfcRole::Plain
    }

    /// Returns the length in bytes of a front that is in the form and ends with a plain character.
    pub fn normalized_len(&self, text: &str) -> usize {
        let kernels = kernel::best();
        let mut len = 0;
        loop {
            len += kernels.skip(&text.as_bytes()[len..], &self.filter);
            let starter = text[..len].chars().next_back();
            match self.normalized_row(&text[len..], NfcState { starter, class: 0 }) {
                FormRow::Open(more) => len += more,
                FormRow::End(more) => return len + more,
            }
        }
    }

    /// Examines characters one by one, until many plain ones follow each other.
    fn normalized_row(&self, text: &str, mut state: NfcState) -> FormRow {
        let mut chars = text.chars();
        let (mut end, mut plain, mut marks) = (0, 0, 0);
        while plain < PLAIN_ROW {
            let Some(c) = chars.next() else { return FormRow::End(end) };
            let role = self.role(c.into());
            if role == NfcRole::Plain {
                state = NfcState { starter: Some(c), class: 0 };
                end = text.len() - chars.as_str().len();
                (plain, marks) = (plain + 1, 0);
                continue;
            }
            let is_first = state.starter.is_none();
            if is_first || marks == MAX_MARKS || state.changes_with(c, role) {
                return FormRow::End(end);
            }
            (plain, marks) = (0, marks + 1);
        }
        FormRow::Open(end)
    }
}

/// The length in bytes of a row of characters in the form, up to a plain one.
enum FormRow {
    /// Text in the form may follow.
    Open(usize),
    /// The text ends, or other text follows.
    End(usize),
}
