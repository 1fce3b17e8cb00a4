//! The edits of a text, in few bytes: an input may need a million.

/// A change of the text at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextEdit {
    /// The offset in the input, in bytes.
    pub offset: u64,
    /// The number of bytes that are replaced; 0 for an insertion.
    pub length: u64,
    pub(super) text: EditText,
}

impl TextEdit {
    /// Returns the offset after the bytes that are replaced.
    pub fn end(&self) -> u64 {
        self.offset + self.length
    }
}

/// The text that an edit writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EditText {
    Nothing,
    Space,
    LineEnd,
    /// A range of [`EditList::bytes`].
    Proposed {
        start: usize,
        end: usize,
    },
}

/// The text of an edit that is added to a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NewText<'a> {
    Nothing,
    Space,
    LineEnd,
    Proposed(&'a str),
}

/// Edits in the order of their offsets, which do not overlap.
#[derive(Debug, Default)]
pub(super) struct EditList {
    /// For each edit the number of bytes from the end of the one before, its length and its text, each
    /// as a [varint](put_number). A text is 0 to 2 for the first variants of [`EditText`], or its length
    /// plus 3 before its bytes.
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
        self.push(removal.offset, removal.length + length, NewText::Nothing);
        true
    }

    /// Appends an edit, which starts at the end of the last one or behind it.
    pub fn push(&mut self, offset: u64, length: u64, text: NewText<'_>) {
        self.last = EditCursor { at: self.bytes.len(), end: self.end };
        put_number(offset - self.end, &mut self.bytes);
        put_number(length, &mut self.bytes);
        match text {
            NewText::Nothing => self.bytes.push(0),
            NewText::Space => self.bytes.push(1),
            NewText::LineEnd => self.bytes.push(2),
            NewText::Proposed(text) => {
                put_number(3 + text.len() as u64, &mut self.bytes);
                self.bytes.extend_from_slice(text.as_bytes());
            }
        }
        let removal = TextEdit { offset, length, text: EditText::Nothing };
        self.removal = (text == NewText::Nothing).then_some(removal);
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
            0 => EditText::Nothing,
            1 => EditText::Space,
            2 => EditText::LineEnd,
            len => {
                let start = cursor.at;
                cursor.at += len as usize - 3;
                EditText::Proposed { start, end: cursor.at }
            }
        };
        cursor.end = offset + length;
        Some(TextEdit { offset, length, text })
    }

    /// Returns a part of the proposed texts.
    pub fn proposed(&self, start: usize, end: usize) -> &[u8] {
        &self.bytes[start..end]
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
            (0, 0, NewText::Space),
            (0, 3, NewText::Nothing),
            (3, 300, NewText::Proposed(&long)),
            (303, 1, NewText::Proposed("")),
            (u64::MAX - 200, 127, NewText::LineEnd),
            (u64::MAX - 72, 72, NewText::Nothing),
        ];
        let mut list = EditList::default();
        edits.iter().for_each(|&(offset, length, text)| list.push(offset, length, text));
        assert_eq!((list.len(), list.end()), (edits.len(), u64::MAX));
        let mut cursor = EditCursor::default();
        for (offset, length, text) in edits {
            let edit = list.next(&mut cursor).unwrap();
            assert_eq!((edit.offset, edit.length), (offset, length));
            let found = match edit.text {
                EditText::Nothing => NewText::Nothing,
                EditText::Space => NewText::Space,
                EditText::LineEnd => NewText::LineEnd,
                EditText::Proposed { start, end } => {
                    NewText::Proposed(str::from_utf8(list.proposed(start, end)).unwrap())
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
        list.push(4, 2, NewText::Nothing);
        assert!(list.extend_removal(6, 200) && !list.extend_removal(207, 1));
        list.push(206, 1, NewText::Space);
        assert!(!list.extend_removal(207, 1));
        assert_eq!((list.len(), list.end()), (2, 207));
        let mut cursor = EditCursor::default();
        let first = list.next(&mut cursor).unwrap();
        assert_eq!((first.offset, first.length), (4, 202));
        assert_eq!(list.next(&mut cursor).map(|edit| edit.offset), Some(206));
    }
}
