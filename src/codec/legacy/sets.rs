//! The table of the multi-byte sets.

use std::ops::RangeInclusive;

use encoding_rs::Encoding;

/// A row of [`SETS`].
#[derive(Debug)]
pub struct MultiByteSet {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, matched loosely.
    pub labels: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The table of characters, with its decoder and its encoder.
    pub encoding: &'static Encoding,
    /// Returns `true` for a lead byte.
    pub(super) is_lead: fn(u8) -> bool,
    /// The trail bytes of pairs.
    pub(super) trails: RangeInclusive<u8>,
    /// Returns `true` if this ASCII byte can be a trail byte.
    pub(super) is_ascii_trail: fn(u8) -> bool,
    /// Returns `true` if the bytes are in range, but no character starts with them.
    pub(super) starts_no_character: fn(&[u8]) -> bool,
    /// The sequences of more than two bytes.
    pub long: LongSequences,
    /// True if sequences of four bytes are written, too.
    pub(super) writes_four_bytes: bool,
    /// True if characters are read that are not written.
    pub reads_more: bool,
    /// True if four of the pairs are two code points each: Ê or ê with a macron or a caron.
    pub(super) has_two_code_points: bool,
    /// True if these four pairs are written, too.
    pub(super) joins_marks: bool,
    /// Returns `true` for a code that is never written: the standard excludes it, or its character
    /// has a later code that is written.
    pub(super) is_read_only: fn(u16) -> bool,
    /// True if the pairs of bytes from A1 on are a set of ISO/IEC 2022 in the right half.
    pub(super) has_right_half: bool,
    /// True if the pairs are cells of JIS X 0208, shifted around half-width katakana of one byte.
    pub(super) shifts_jis: bool,
    /// The pointers of the other pairs; `None` if there are no others.
    pub(super) pointers: Option<Pointers>,
    /// The languages that the set was made for. `None`: not a candidate of detection.
    pub detect: Option<&'static [&'static str]>,
    /// The name of a set that decodes all texts in this one to the same text.
    pub superset: Option<&'static str>,
}

/// The sequences of more than two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongSequences {
    /// There are none.
    None,
    /// Four bytes, of which the second and the fourth are digits: GB 18030.
    FourBytes,
    /// Three bytes for JIS X 0212 after the single shift 8F; 8E shifts to half-width katakana.
    SingleShifts,
}

/// The arithmetic of pointers: places in the index of the WHATWG Encoding Standard.
#[derive(Debug)]
pub(super) struct Pointers {
    /// The number of pointers of a lead byte.
    pub row: u32,
    /// The number of byte values before trail bytes below 7F, and of unused ones before the others.
    pub skipped: [u8; 2],
}

/// The multi-byte sets. Detection lists those with equal costs in this order.
pub static SETS: [MultiByteSet; 7] = [
    MultiByteSet {
        name: "gbk",
        labels: &[
            "x-gbk",
            "gb2312",
            "gb2312-1980",
            "gb_2312-80",
            "euc-cn",
            "cn-gb",
            "euc-gb2312-cn",
            "csGB2312",
            "iso-ir-58",
            "csISO58GB231280",
            "chinese",
            "chinese-gbk",
            "chinese-iso-8bit",
            "euc-china",
            "ZHS16GBK",
            "ZHS16CGB231280",
            "cn-gb-2312",
            "x-euc-cn",
            "51936",
            "cp51936",
            "csGBK",
            "gb13000",
            "csgb231280",
        ],
        summary: "GBK: simplified Chinese; four bytes of GB 18030 are read",
        encoding: &encoding_rs::GBK_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        trails: 0x40..=0xFE,
        is_ascii_trail: |byte| matches!(byte, 0x40..=0x7E),
        starts_no_character: starts_gap_of_gb_18030,
        long: LongSequences::FourBytes,
        writes_four_bytes: false,
        reads_more: true,
        has_two_code_points: false,
        joins_marks: false,
        is_read_only: |_| false,
        has_right_half: true,
        shifts_jis: false,
        pointers: Some(Pointers { row: 190, skipped: [0x40, 0x41] }),
        detect: Some(&["zh-cn", "zh-tw"]),
        superset: Some("gb18030"),
    },
    MultiByteSet {
        name: "gb18030",
        labels: &[
            "54936",
            "cp54936",
            "chinese-gb18030",
            "ZHS32GB18030",
            "gb18030-2000",
            "windows-54936",
            "csGB18030",
        ],
        summary: "GB 18030 of the WHATWG: Chinese, nearly all of Unicode",
        encoding: &encoding_rs::GB18030_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        trails: 0x40..=0xFE,
        is_ascii_trail: |byte| matches!(byte, 0x40..=0x7E),
        starts_no_character: starts_gap_of_gb_18030,
        long: LongSequences::FourBytes,
        writes_four_bytes: true,
        reads_more: false,
        has_two_code_points: false,
        joins_marks: false,
        is_read_only: |code| code == 0x80,
        has_right_half: true,
        shifts_jis: false,
        pointers: Some(Pointers { row: 190, skipped: [0x40, 0x41] }),
        detect: None,
        superset: None,
    },
    MultiByteSet {
        name: "big5",
        labels: &["big5-eten", "big-five", "cn-big5", "csBig5", "x-x-big5", "chinese-big5"],
        summary: "Big5: traditional Chinese; Hong Kong's set is read",
        encoding: &encoding_rs::BIG5_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        trails: 0x40..=0xFE,
        is_ascii_trail: |byte| matches!(byte, 0x40..=0x7E),
        starts_no_character: |begun| matches!(begun, [0x81..=0x86]),
        long: LongSequences::None,
        writes_four_bytes: false,
        reads_more: true,
        has_two_code_points: true,
        joins_marks: false,
        is_read_only: |code| matches!(code, ..0xA100 | 0xA2A4..=0xA2A7 | 0xA2CC | 0xA2CE),
        has_right_half: false,
        shifts_jis: false,
        pointers: Some(Pointers { row: 157, skipped: [0x40, 0x62] }),
        detect: Some(&["zh-tw"]),
        superset: Some("big5-hkscs"),
    },
    MultiByteSet {
        name: "big5-hkscs",
        labels: &[
            "csBig5HKSCS",
            "hkscs",
            "hkscs-big5",
            "big5-hkscs:2004",
            "big5-hkscs:2008",
            "ZHT16HKSCS31",
            "cn-big5-hkscs",
            "big5hk",
            "chinese-big5-hkscs",
        ],
        summary: "Big5 and Hong Kong's set of 2008: traditional Chinese",
        encoding: &encoding_rs::BIG5_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        trails: 0x40..=0xFE,
        is_ascii_trail: |byte| matches!(byte, 0x40..=0x7E),
        starts_no_character: |begun| matches!(begun, [0x81..=0x86]),
        long: LongSequences::None,
        writes_four_bytes: false,
        reads_more: false,
        has_two_code_points: true,
        joins_marks: true,
        is_read_only: is_read_only_in_big5_hkscs,
        has_right_half: false,
        shifts_jis: false,
        pointers: Some(Pointers { row: 157, skipped: [0x40, 0x62] }),
        detect: None,
        superset: None,
    },
    MultiByteSet {
        name: "shift_jis",
        labels: &[
            "sjis",
            "x-sjis",
            "ms_kanji",
            "csShiftJIS",
            "windows-31j",
            "csWindows31J",
            "ms932",
            "japanese-shift-jis",
            "JA16SJISTILDE",
        ],
        summary: "Shift_JIS as on Windows, with private use: Japanese",
        encoding: &encoding_rs::SHIFT_JIS_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
        trails: 0x40..=0xFC,
        is_ascii_trail: |byte| matches!(byte, 0x40..=0x7E),
        starts_no_character: |begun| matches!(begun, [0x85 | 0x86 | 0xEB | 0xEC | 0xEF]),
        long: LongSequences::None,
        writes_four_bytes: false,
        reads_more: false,
        has_two_code_points: false,
        joins_marks: false,
        is_read_only: |code| matches!(code, 0xED00..=0xEEFF),
        has_right_half: false,
        shifts_jis: true,
        pointers: Some(Pointers { row: 188, skipped: [0x40, 0x41] }),
        detect: Some(&["ja"]),
        superset: None,
    },
    MultiByteSet {
        name: "euc-jp",
        labels: &[
            "x-euc-jp",
            "ujis",
            "csEUCPkdFmtJapanese",
            "51932",
            "cp51932",
            "japanese-iso-8bit",
            "euc-japan",
            "euc-japan-1990",
            "unix-jis",
            "Extended-UNIX-Code-Packed-Format-for-Japanese",
            "JA16EUCTILDE",
            "x-euc",
            "eucjis",
            "iso-2022-jpeuc",
            "csCP51932",
        ],
        summary: "EUC-JP: Japanese, with JIS X 0212",
        encoding: &encoding_rs::EUC_JP_INIT,
        is_lead: |byte| matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE),
        trails: 0xA1..=0xFE,
        is_ascii_trail: |_| false,
        starts_no_character: starts_no_character_of_euc_jp,
        long: LongSequences::SingleShifts,
        writes_four_bytes: false,
        reads_more: false,
        has_two_code_points: false,
        joins_marks: false,
        is_read_only: |_| false,
        has_right_half: true,
        shifts_jis: false,
        pointers: None,
        detect: Some(&["ja"]),
        superset: None,
    },
    MultiByteSet {
        name: "euc-kr",
        labels: &[
            "csEUCKR",
            "korean",
            "ks_c_5601-1987",
            "ks_c_5601-1989",
            "ksc5601",
            "csKSC56011987",
            "iso-ir-149",
            "windows-949",
            "51949",
            "korean-iso-8bit",
            "euc-korea",
            "KO16KSC5601",
            "ksx1001",
            "5601",
            "cp51949",
            "iso-2022-kr-8",
            "iso-2022-kr-8bit",
            "OSF0004000A",
        ],
        summary: "EUC-KR with all Hangul syllables of Windows: Korean",
        encoding: &encoding_rs::EUC_KR_INIT,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        trails: 0x41..=0xFE,
        is_ascii_trail: |byte| byte.is_ascii_alphabetic(),
        starts_no_character: |begun| matches!(begun, [0xC9 | 0xFE]),
        long: LongSequences::None,
        writes_four_bytes: false,
        reads_more: false,
        has_two_code_points: false,
        joins_marks: false,
        is_read_only: |_| false,
        has_right_half: true,
        shifts_jis: false,
        pointers: Some(Pointers { row: 190, skipped: [0x41, 0x41] }),
        detect: Some(&["ko"]),
        superset: None,
    },
];

find_row! {
    /// Returns the index of the set with this canonical name.
    set in SETS
}

/// There is a gap after the Basic Multilingual Plane, and one after U+10FFFF.
fn starts_gap_of_gb_18030(begun: &[u8]) -> bool {
    matches!(begun, [_, b'0'..=b'9', ..])
        && (begun > &b"\x84\x31\xA4\x39"[..] && begun < &b"\x90"[..]
            || begun > &b"\xE3\x32\x9A\x35"[..])
}

fn starts_no_character_of_euc_jp(begun: &[u8]) -> bool {
    match *begun {
        [0x8F, row] => matches!(row, 0xA1 | 0xA3..=0xA5 | 0xA8 | 0xAC..=0xAF | 0xEE..=0xFE),
        [row] => matches!(row, 0xA9..=0xAC | 0xAE | 0xAF | 0xF5..=0xF8 | 0xFD | 0xFE),
        _ => false,
    }
}

/// As in CPython and glibc.
fn is_read_only_in_big5_hkscs(code: u16) -> bool {
    match code {
        0xA27E..=0xA2A7 | 0xA2CC | 0xA2CE => true,
        0xC6CF | 0xC6D3 | 0xC6D5 | 0xC6D7 | 0xC6DF => true,
        _ => matches!(code, 0x8FCC | 0x92C8 | 0x9644 | 0x96ED | 0x9BEC),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn supersets_are_sets_with_the_same_table() {
        for row in &SETS {
            let Some(superset) = row.superset else { continue };
            let superset = &SETS[set(superset)];
            assert_eq!((superset.long, superset.detect), (row.long, None), "{}", row.name);
        }
    }
}
