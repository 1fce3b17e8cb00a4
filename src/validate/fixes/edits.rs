//! The edits of a text, in few bytes: an input may need a million.

/// A change of the text at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextEdit {
    /// The offset in the input, in bytes.
    pub offset: u64,
    /// The number of bytes that are replaced; 0 for an insertion.
    pub length: u64,
    pub(super) text: EditText<ProposedRange>,
}

impl TextEdit {
    /// Returns the offset after the bytes that are replaced.
    pub fn end(&self) -> u64 {
        self.offset + self.length
    }
}

/// The text that an edit writes. `T` is what a finding proposes: a string, or its place in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EditText<T> {
    Nothing,
    Space,
    LineEnd,
    Proposed(T),
}

/// The codes of texts in a list.
const NOTHING: u64 = 0;
const SPACE: u64 = 1;
const LINE_END: u64 = 2;
/// The code of an empty proposed text; longer ones add their length in bytes.
const PROPOSED: u64 = 3;

/// A range of [`EditList::bytes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ProposedRange {
    start: usize,
    end: usize,
}

/// Edits in the order of their offsets, which do not overlap.
#[derive(Debug, Default)]
pub(super) struct EditList {
    /// For each edit the number of bytes from the end of the one before, its length and the code of
    /// its text, each as a [varint](put_number), and the bytes of a proposed text.
    bytes: Vec<u8>,
    number: usize,
    /// The last edit if it removes text, so that it can be extended.
    removal: Option<TextEdit>,
    /// The place of the last edit in `bytes`, and the end of the one before it.
    last: EditCursor,
    /// The end of the last edit.
    end: u64,
}

/// A place between the edits of a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditCursor {
    at: usize,
    /// The end of the edit before it.
    end: u64,
}

impl EditList {
    /// Returns the number of edits.
    pub fn len(&self) -> usize {
        self.number
    }

    /// Returns the number of bytes that the edits take.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the end of the last edit, or 0.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Extends the last edit by the removal of the bytes behind it. Returns `false` if there are other
    /// bytes between, or it is no removal.
    pub fn extend_removal(&mut self, offset: u64, length: u64) -> bool {
        let Some(removal) = self.removal.filter(|removal| removal.end() == offset) else {
            return false;
        };
        self.bytes.truncate(self.last.at);
        self.end = self.last.end;
        self.number -= 1;
        self.push(removal.offset, removal.length + length, EditText::Nothing);
        true
    }

    /// Appends an edit, which starts at the end of the last one or behind it.
    pub fn push(&mut self, offset: u64, length: u64, text: EditText<&str>) {
        self.last = EditCursor { at: self.bytes.len(), end: self.end };
        put_number(offset - self.end, &mut self.bytes);
        put_number(length, &mut self.bytes);
        let (code, bytes) = match text {
            EditText::Nothing => (NOTHING, ""),
            EditText::Space => (SPACE, ""),
            EditText::LineEnd => (LINE_END, ""),
            EditText::Proposed(text) => (PROPOSED + text.len() as u64, text),
        };
        put_number(code, &mut self.bytes);
        self.bytes.extend_from_slice(bytes.as_bytes());
        let removal = TextEdit { offset, length, text: EditText::Nothing };
        self.removal = (text == EditText::Nothing).then_some(removal);
        self.end = offset + length;
        self.number += 1;
    }

    /// Returns the edit behind a place, and moves the place behind it.
    pub fn next(&self, cursor: &mut EditCursor) -> Option<TextEdit> {
        if cursor.at == self.bytes.len() {
            return None;
        }
        let offset = cursor.end + take_number(&self.bytes, &mut cursor.at);
        let length = take_number(&self.bytes, &mut cursor.at);
        let text = match take_number(&self.bytes, &mut cursor.at) {
            NOTHING => EditText::Nothing,
            SPACE => EditText::Space,
            LINE_END => EditText::LineEnd,
            code => {
                let start = cursor.at;
                cursor.at += (code - PROPOSED) as usize;
                EditText::Proposed(ProposedRange { start, end: cursor.at })
            }
        };
        cursor.end = offset + length;
        Some(TextEdit { offset, length, text })
    }

    /// Returns a proposed text.
    pub fn proposed(&self, range: ProposedRange) -> &[u8] {
        &self.bytes[range.start..range.end]
    }
}

/// Appends a number, the low seven bits first; the high bit of a byte says that more follow (LEB128).
fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Returns the number at a place, and moves the place behind it.
fn take_number(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u64::from(byte & 0x7F) << shift;
        shift += 7;
        if byte < 0x80 {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_come_back() {
        let long = "語".repeat(100);
        let edits = [
            (0, 0, EditText::Space),
            (0, 3, EditText::Nothing),
            (3, 300, EditText::Proposed(long.as_str())),
            (303, 1, EditText::Proposed("")),
            (u64::MAX - 200, 127, EditText::LineEnd),
            (u64::MAX - 72, 72, EditText::Nothing),
        ];
        let mut list = EditList::default();
        edits.iter().for_each(|&(offset, length, text)| list.push(offset, length, text));
        assert_eq!((list.len(), list.end()), (edits.len(), u64::MAX));
        let mut cursor = EditCursor::default();
        for (offset, length, text) in edits {
            let edit = list.next(&mut cursor).unwrap();
            assert_eq!((edit.offset, edit.length), (offset, length));
            let found = match edit.text {
                EditText::Nothing => EditText::Nothing,
                EditText::Space => EditText::Space,
                EditText::LineEnd => EditText::LineEnd,
                EditText::Proposed(range) => {
                    EditText::Proposed(str::from_utf8(list.proposed(range)).unwrap())
                }
            };
            assert_eq!(found, text);
        }
        assert_eq!(list.next(&mut cursor), None);
    }

    #[test]
    fn removals_of_adjacent_bytes_are_one() {
        let mut list = EditList::default();
        assert!(!list.extend_removal(0, 1));
        list.push(4, 2, EditText::Nothing);
        assert!(list.extend_removal(6, 200) && !list.extend_removal(207, 1));
        list.push(206, 1, EditText::Space);
        assert!(!list.extend_removal(207, 1));
        assert_eq!((list.len(), list.end()), (2, 207));
        let mut cursor = EditCursor::default();
        let first = list.next(&mut cursor).unwrap();
        assert_eq!((first.offset, first.length), (4, 202));
        assert_eq!(list.next(&mut cursor).map(|edit| edit.offset), Some(206));
    }
}
