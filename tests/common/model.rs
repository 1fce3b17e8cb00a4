//! Models of the UTF-8 family: each encoding as the set of its well-formed sequences, written as
//! rows of byte ranges in the manner of table 3-7 of the Unicode Standard.

use std::sync::LazyLock;

use utf8::{Issue, Kind};

/// The first and last value of a byte.
pub type Range = (u8, u8);

/// Sequences that count up from a code point as an odometer does.
#[derive(Debug)]
pub struct Row {
    /// The code point of the least sequence.
    pub first: u32,
    /// The range of each byte.
    pub bytes: &'static [Range],
}

const T: Range = (0x80, 0xBF);

const fn row(first: u32, bytes: &'static [Range]) -> Row {
    Row { first, bytes }
}

static NUL: &[Row] = &[row(0, &[(0x00, 0x00)])];
static NUL_IN_TWO: &[Row] = &[row(0, &[(0xC0, 0xC0), (0x80, 0x80)])];
static ASCII: &[Row] = &[row(1, &[(0x01, 0x7F)])];
static TWO: &[Row] = &[row(0x80, &[(0xC2, 0xDF), T])];
static THREE: &[Row] = &[
    row(0x800, &[(0xE0, 0xE0), (0xA0, 0xBF), T]),
    row(0x1000, &[(0xE1, 0xEC), T, T]),
    row(0xD000, &[(0xED, 0xED), (0x80, 0x9F), T]),
    row(0xE000, &[(0xEE, 0xEF), T, T]),
];
static SURROGATES: &[Row] = &[row(0xD800, &[(0xED, 0xED), (0xA0, 0xBF), T])];
static PAIRS: &[Row] =
    &[row(0x1_0000, &[(0xED, 0xED), (0xA0, 0xAF), T, (0xED, 0xED), (0xB0, 0xBF), T])];
static FOUR: &[Row] = &[
    row(0x1_0000, &[(0xF0, 0xF0), (0x90, 0xBF), T, T]),
    row(0x4_0000, &[(0xF1, 0xF3), T, T, T]),
    row(0x10_0000, &[(0xF4, 0xF4), (0x80, 0x8F), T, T]),
];
static ABOVE: &[Row] = &[
    row(0x11_0000, &[(0xF4, 0xF4), (0x90, 0xBF), T, T]),
    row(0x14_0000, &[(0xF5, 0xF7), T, T, T]),
    row(0x20_0000, &[(0xF8, 0xF8), (0x88, 0xBF), T, T, T]),
    row(0x100_0000, &[(0xF9, 0xFB), T, T, T, T]),
    row(0x400_0000, &[(0xFC, 0xFC), (0x84, 0xBF), T, T, T, T]),
    row(0x4000_0000, &[(0xFD, 0xFD), T, T, T, T, T]),
];
/// Forms of two and three bytes as Java reads them, overlong forms and surrogates included.
static TWO_LAX: &[Row] = &[row(0, &[(0xC0, 0xDF), T])];
static THREE_LAX: &[Row] = &[row(0, &[(0xE0, 0xEF), T, T])];
/// Forms of three bytes in OPTU-8: surrogates, but neither U+EF80 to U+EFFF nor U+FFFE and U+FFFF.
static THREE_OPTU: &[Row] = &[
    row(0x800, &[(0xE0, 0xE0), (0xA0, 0xBF), T]),
    row(0x1000, &[(0xE1, 0xED), T, T]),
    row(0xE000, &[(0xEE, 0xEE), (0x80, 0xBD), T]),
    row(0xF000, &[(0xEF, 0xEF), (0x80, 0xBE), T]),
    row(0xFFC0, &[(0xEF, 0xEF), (0xBF, 0xBF), (0x80, 0xBD)]),
];

/// An encoding as its standard describes it.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in `CODECS`.
    pub name: &'static str,
    /// Its well-formed sequences.
    pub rows: Vec<&'static Row>,
    /// The rows by the first byte of their sequences.
    by_lead: Vec<Vec<&'static Row>>,
    /// The first code point of escaped bytes, if all other bytes are escaped.
    pub escapes: Option<u32>,
    /// True if EF BB BF at the very start is not text.
    pub signature: bool,
    /// True if a surrogate pair that is no row is one issue.
    pub pair_is_fault: bool,
}

/// The judgement of the first sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A well-formed sequence: its length and code point.
    Good(usize, u32),
    /// An issue: its kind, length, and number of replacement characters.
    Bad(Kind, usize, u8),
}

impl Model {
    /// Returns the model of a codec of the family.
    pub fn of(name: &str) -> Option<&'static Model> {
        static MODELS: LazyLock<[Model; 12]> = LazyLock::new(Model::all);
        MODELS.iter().find(|model| model.name == name)
    }

    fn all() -> [Model; 12] {
        let strict = [NUL, ASCII, TWO, THREE, FOUR];
        let model = |name, tables: &[&'static [Row]]| {
            let rows: Vec<&Row> = tables.iter().copied().flatten().collect();
            let starting = |lead: u8| {
                let starts = |row: &&Row| row.agrees(&[lead]) == 1;
                rows.iter().copied().filter(starts).collect()
            };
            let by_lead = (0..=u8::MAX).map(starting).collect();
            Model { name, rows, by_lead, escapes: None, signature: false, pair_is_fault: true }
        };
        let joins = [NUL, ASCII, TWO, THREE, FOUR, SURROGATES];
        let optu = [NUL, ASCII, TWO, THREE_OPTU, PAIRS];
        [
            model("utf-8", &strict),
            Model { signature: true, ..model("utf-8-bom", &strict) },
            Model { signature: true, ..model("utf-8n", &strict) },
            Model {
                pair_is_fault: false,
                ..model("rfc2279", &[NUL, ASCII, TWO, THREE, SURROGATES, FOUR, ABOVE])
            },
            model("cesu-8", &[NUL, ASCII, TWO, THREE, PAIRS]),
            model("mutf-8", &[NUL_IN_TWO, ASCII, TWO, THREE, SURROGATES, PAIRS]),
            model("mutf-8-lax", &[NUL, ASCII, TWO_LAX, THREE_LAX, PAIRS]),
            model("wtf-8", &joins),
            Model { pair_is_fault: false, ..model("generalized-utf-8", &joins) },
            Model {
                escapes: Some(0xDC00),
                pair_is_fault: false,
                ..model("utf-8-surrogateescape", &strict)
            },
            Model { escapes: Some(0xEF00), ..model("optu-8", &optu) },
            model("utf8mb3", &[NUL, ASCII, TWO, THREE]),
        ]
    }

    /// Returns `true` if the encoding contains a table.
    fn has(&self, table: &'static [Row]) -> bool {
        self.rows.iter().any(|row| std::ptr::eq(*row, &table[0]))
    }

    /// Returns the length of the longest sequence.
    pub fn longest(&self) -> usize {
        self.rows.iter().map(|row| row.bytes.len()).max().unwrap_or(1)
    }

    /// Returns the number of leading bytes that start a well-formed sequence.
    pub fn reach(&self, bytes: &[u8]) -> usize {
        self.rows_for(bytes).iter().map(|row| row.agrees(bytes)).max().unwrap_or(0)
    }

    /// Returns the rows whose sequences start with the first byte.
    fn rows_for(&self, bytes: &[u8]) -> &[&'static Row] {
        bytes.first().map_or(&[], |&lead| &self.by_lead[usize::from(lead)])
    }

    /// Returns the range of bytes that may follow a prefix, over all rows.
    pub fn expected(&self, bytes: &[u8]) -> Option<Range> {
        let open = |row: &&&Row| row.bytes.len() > bytes.len() && row.agrees(bytes) == bytes.len();
        let next = || self.rows.iter().filter(open).map(|row| row.bytes[bytes.len()]);
        Some((next().map(|range| range.0).min()?, next().map(|range| range.1).max()?))
    }

    /// Judges the first sequence of an input that ends with `bytes`.
    pub fn judge(&self, bytes: &[u8]) -> Verdict {
        let whole = |row: &&&Row| row.agrees(bytes) == row.bytes.len();
        let longest = self.rows_for(bytes).iter().filter(whole).max_by_key(|row| row.bytes.len());
        let pair = self.pair_is_fault && PAIRS[0].agrees(bytes) == 6 && !self.has(PAIRS);
        match longest {
            _ if pair => Verdict::Bad(Kind::SurrogatePair, 6, 6),
            Some(row) => Verdict::Good(row.bytes.len(), row.value(bytes)),
            None => match self.escapes {
                Some(base) => Verdict::Good(1, base + u32::from(bytes[0])),
                None => self.fault(bytes),
            },
        }
    }

    /// Determines the kind: the earliest byte that excludes every well-formed sequence decides.
    fn fault(&self, bytes: &[u8]) -> Verdict {
        let reach = self.reach(bytes);
        if reach >= 3 && PAIRS[0].agrees(bytes) >= 3 {
            return Verdict::Bad(Kind::SurrogateHigh, 3, 1);
        }
        let whole = |kind| Verdict::Bad(kind, reach, 1);
        match bytes.get(reach) {
            None => whole(Kind::TruncatedEnd),
            Some(next) if reach > 0 && !trails(*next) => whole(Kind::TruncatedNext),
            _ => self.excluded(bytes),
        }
    }

    /// Returns the issue whose first or second byte is in no well-formed sequence.
    fn excluded(&self, bytes: &[u8]) -> Verdict {
        let kind = self.named(bytes[0], bytes.get(1).copied().filter(|byte| trails(*byte)));
        let len = group(bytes);
        let surrogate = matches!(kind, Kind::SurrogateHigh | Kind::SurrogateLow);
        let mut one = surrogate && self.has(PAIRS) && len == 3;
        // A character of UTF-8, or the start of one, that a conversion to utf8mb3 would replace.
        one |= self.name == "utf8mb3" && FOUR.iter().any(|row| row.agrees(bytes) == len);
        Verdict::Bad(kind, len, if one { 1 } else { len as u8 })
    }

    fn named(&self, lead: u8, second: Option<u8>) -> Kind {
        let second = second.unwrap_or(0xBF);
        match lead {
            0x00..=0x7F => Kind::RawNul,
            0x80..=0xBF => Kind::LoneContinuation,
            0xC0 if second == 0x80 => Kind::OverlongNul,
            0xC0..=0xC1 => Kind::Overlong2,
            0xE0 => Kind::Overlong3,
            0xED if second < 0xB0 => Kind::SurrogateHigh,
            0xED => Kind::SurrogateLow,
            0xF0..=0xF7 if !self.has(FOUR) => Kind::FourByte,
            0xF0 => Kind::Overlong4,
            0xF4..=0xF7 => Kind::Above10ffff,
            0xF8 if second < 0x88 => Kind::Overlong5,
            0xF8..=0xFB => Kind::FiveByte,
            0xFC if second < 0x84 => Kind::Overlong6,
            0xFC..=0xFD => Kind::SixByte,
            0xFE..=0xFF => Kind::InvalidFeFf,
            _ => unreachable!("{lead:02X} {second:02X} begins a sequence"),
        }
    }

    /// Passes each piece of an input to `piece` with its offset.
    pub fn pieces(&self, bytes: &[u8], mut piece: impl FnMut(usize, Verdict)) {
        let signed = self.signature && bytes.starts_with(b"\xEF\xBB\xBF");
        let mut at = if signed { 3 } else { 0 };
        while at < bytes.len() {
            let verdict = self.judge(&bytes[at..]);
            piece(at, verdict);
            at += match verdict {
                Verdict::Good(len, _) | Verdict::Bad(_, len, _) => len,
            };
        }
    }

    /// Collects the issues of an input.
    pub fn issues(&self, bytes: &[u8], found: &mut Vec<Issue>) {
        found.clear();
        self.pieces(bytes, |at, verdict| {
            if let Verdict::Bad(kind, len, replacements) = verdict {
                found.push(Issue { offset: at as u64, len: len as u8, kind, replacements });
            }
        });
    }
}

impl Row {
    /// Returns the number of leading bytes that match the row.
    fn agrees(&self, bytes: &[u8]) -> usize {
        let fit = |(range, byte): &(&Range, &u8)| (range.0..=range.1).contains(byte);
        self.bytes.iter().zip(bytes).take_while(fit).count()
    }

    /// Returns the code point: the sequence's position in the row.
    fn value(&self, bytes: &[u8]) -> u32 {
        let digits = self.bytes.iter().zip(bytes);
        let place = digits.fold(0, |place, (range, byte)| {
            place * (u32::from(range.1 - range.0) + 1) + u32::from(byte - range.0)
        });
        self.first + place
    }
}

/// Returns `true` for a continuation byte.
pub fn trails(byte: u8) -> bool {
    (0x80..=0xBF).contains(&byte)
}

/// Returns the length that a lead byte announces.
pub fn announced(lead: u8) -> usize {
    let least = [0xC0, 0xE0, 0xF0, 0xF8, 0xFC];
    let longer = least.iter().filter(|first| lead >= **first).count();
    if lead >= 0xFE { 1 } else { 1 + longer }
}

/// Returns the length of a lead byte with the continuation bytes that it may claim.
pub fn group(bytes: &[u8]) -> usize {
    let claimed = bytes[1..].iter().take(announced(bytes[0]) - 1);
    1 + claimed.take_while(|byte| trails(**byte)).count()
}

/// Returns the value of a complete form, well-formed or not.
pub fn spelt(form: &[u8]) -> Option<u32> {
    let payload = match form[0] {
        lead @ 0xC0..=0xDF => lead - 0xC0,
        lead @ 0xE0..=0xEF => lead - 0xE0,
        lead @ 0xF0..=0xF7 => lead - 0xF0,
        lead @ 0xF8..=0xFB => lead - 0xF8,
        lead @ 0xFC..=0xFD => lead - 0xFC,
        _ => return None,
    };
    if PAIRS[0].agrees(form) == 6 {
        return Some(PAIRS[0].value(form));
    }
    let digits = form[1..].iter().map(|byte| u32::from(byte - 0x80));
    (form.len() == announced(form[0]))
        .then(|| digits.fold(u32::from(payload), |value, digit| value * 64 + digit))
}
