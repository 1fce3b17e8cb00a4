//! The table of the sets, and their escape sequences.

use super::graphic::{Graphic, pairs};
use crate::codec::controls::ESCAPE;

/// A row of [`SHIFTED_SETS`].
#[derive(Debug)]
pub struct ShiftedRow {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, matched loosely.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The escape sequences and their sets, in the order of preference for writing. The first is
    /// the set at the start of a text and, when written, at its end.
    pub(super) designations: &'static [Designation],
    /// True if a text starts with the designation of the second set.
    pub(super) has_header: bool,
    /// The first byte of escape sequences.
    pub(super) introducer: u8,
    /// True if a set has characters of two code points.
    pub(super) joins: bool,
    /// True if the designations of G1 to G3 end with the line.
    pub(super) by_line: bool,
}

/// Compares rows by their places in the table.
impl PartialEq for ShiftedRow {
    fn eq(&self, other: &ShiftedRow) -> bool {
        std::ptr::eq(self, other)
    }
}

/// An escape sequence that makes a set available.
#[derive(Debug)]
pub(super) struct Designation {
    pub escape: &'static [u8],
    pub slot: Slot,
    pub graphic: Graphic,
}

/// The place that an escape sequence gives to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// In use at once.
    G0,
    /// In use after Shift Out.
    G1,
    /// In use for the character after ESC N.
    G2,
    /// In use for the character after ESC O.
    G3,
}
const fn g0(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G0, graphic }
}

const fn g1(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G1, graphic }
}

const fn g2(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G2, graphic }
}

const fn g3(escape: &'static [u8], graphic: Graphic) -> Designation {
    Designation { escape, slot: Slot::G3, graphic }
}

const ASCII: Designation = g0(b"\x1B(B", Graphic::Ascii);
const ROMAN: Designation = g0(b"\x1B(J", Graphic::Roman);
const KATAKANA: Designation = g0(b"\x1B(I", Graphic::Katakana);
const KANJI: Designation = g0(b"\x1B$B", pairs("euc-jp"));
const KANJI_OF_1978: Designation = g0(b"\x1B$@", pairs("euc-jp"));
const MORE_KANJI: Designation = g0(b"\x1B$(D", pairs("euc-jp-8f"));
/// The first plane of JIS X 0213 in the editions of 2000 and 2004.
const PLANE_1: Designation = g0(b"\x1B$(O", pairs("euc-jisx0213"));
const PLANE_1_OF_2004: Designation = g0(b"\x1B$(Q", pairs("euc-jis-2004"));
const PLANE_2: Designation = g0(b"\x1B$(P", pairs("euc-jis-2004-8f"));
/// ASCII where no escape sequence returns to it.
const PLAIN: Designation = g0(b"", Graphic::Ascii);

/// The shifted sets.
#[rustfmt::skip]
pub static SHIFTED_SETS: &[ShiftedRow] = &[
    ShiftedRow {
        name: "iso-2022-jp-1",
        summary: "ISO-2022-JP-1 (RFC 2237): Japanese, with JIS X 0212",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI],
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-2",
        labels: &["csISO2022JP2"],
        summary: "ISO-2022-JP-2 (RFC 1554): Japanese, Chinese, Korean, Greek and Western Europe",
        designations: &[
            ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI,
            g2(b"\x1B.A", Graphic::Latin),
            g2(b"\x1B.F", Graphic::Greek),
            g0(b"\x1B$A", pairs("euc-cn")),
            g0(b"\x1B$(C", pairs("euc-kr")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-3",
        summary: "ISO-2022-JP-3 (JIS X 0213:2000): Japanese",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, PLANE_1, PLANE_2, KATAKANA],
        joins: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-2004",
        summary: "ISO-2022-JP-2004 (JIS X 0213:2004): Japanese",
        designations: &[
            ASCII, ROMAN, KANJI, KANJI_OF_1978, PLANE_1_OF_2004, PLANE_1, PLANE_2, KATAKANA,
        ],
        joins: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-jp-ext",
        summary: "ISO-2022-JP-EXT: Japanese, with JIS X 0212 and half-width katakana",
        designations: &[ASCII, ROMAN, KANJI, KANJI_OF_1978, MORE_KANJI, KATAKANA],
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-kr",
        labels: &[
            "csISO2022KR",
            "50225",
            "cp50225",
            "iso-2022-kr-7",
            "iso-2022-kr-7bit",
            "korean-iso-7bit-lock",
        ],
        summary: "ISO-2022-KR (RFC 1557): Korean",
        designations: &[PLAIN, g1(b"\x1B$)C", pairs("euc-kr"))],
        has_header: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-cn",
        labels: &["csISO2022CN", "chinese-iso-7bit"],
        summary: "ISO-2022-CN (RFC 1922): Chinese, GB 2312 and CNS 11643",
        designations: &[
            PLAIN,
            g1(b"\x1B$)A", pairs("euc-cn")),
            g1(b"\x1B$)G", pairs("euc-tw")),
            g2(b"\x1B$*H", pairs("cns-2")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "iso-2022-cn-ext",
        labels: &["csISO2022CNEXT"],
        summary: "ISO-2022-CN-EXT (RFC 1922): Chinese, with ISO-IR-165 and planes 3 to 7",
        designations: &[
            PLAIN,
            g1(b"\x1B$)A", pairs("euc-cn")),
            g1(b"\x1B$)G", pairs("euc-tw")),
            g1(b"\x1B$)E", pairs("iso-ir-165")),
            g2(b"\x1B$*H", pairs("cns-2")),
            g3(b"\x1B$+I", pairs("cns-3")),
            g3(b"\x1B$+J", pairs("cns-4")),
            g3(b"\x1B$+K", pairs("cns-5")),
            g3(b"\x1B$+L", pairs("cns-6")),
            g3(b"\x1B$+M", pairs("cns-7")),
        ],
        by_line: true,
        ..ShiftedRow::USUAL
    },
    ShiftedRow {
        name: "hz-gb-2312",
        labels: &["hz", "hz-gb", "52936", "cp52936", "chinese-hz"],
        summary: "HZ (RFC 1843): simplified Chinese, GB 2312 between ~{ and ~}",
        designations: &[g0(b"~}", Graphic::Ascii), g0(b"~{", pairs("euc-cn"))],
        introducer: b'~',
        by_line: true,
        ..ShiftedRow::USUAL
    },
];

find_row! {
    /// Returns the index of the row with this canonical name.
    shifted_set in SHIFTED_SETS
}
impl ShiftedRow {
    /// Fields of a set without a header that starts its escape sequences by ESC.
    const USUAL: ShiftedRow = ShiftedRow {
        name: "",
        labels: &[],
        summary: "",
        designations: &[],
        has_header: false,
        introducer: ESCAPE,
        joins: false,
        by_line: false,
    };

    /// Returns the length of the longest sequence in bytes.
    pub const fn widest(&self) -> usize {
        if self.introducer == ESCAPE { 4 } else { 2 }
    }

    pub(super) fn has_shift_out(&self) -> bool {
        self.designations.iter().any(|designation| designation.slot == Slot::G1)
    }
}
