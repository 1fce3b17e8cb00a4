//! The table of the multi-byte sets without shifts.

use super::{CharsetRow, SetTrial};
use crate::codec::Group;

impl CharsetRow {
    /// Fields of a set of pairs between 81 and FE, with ASCII.
    const PAIRS: CharsetRow = CharsetRow {
        name: "",
        labels: &[],
        summary: "",
        group: Group::RareEastAsia,
        transparent: false,
        ascii: true,
        is_lead: |byte| matches!(byte, 0x81..=0xFE),
        planes: &[],
        linear: None,
        is_second_choice: |_| false,
        detect: None,
    };
    /// Fields of a set with ASCII in which an accent is a byte before its letter.
    const ACCENTS: CharsetRow = CharsetRow {
        group: Group::FloatingAccents,
        is_lead: |byte| matches!(byte, 0xC1..=0xCF),
        ..CharsetRow::PAIRS
    };
    /// Fields of an Extended Unix Code.
    const EUC: CharsetRow = CharsetRow {
        transparent: true,
        is_lead: |byte| matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE),
        ..CharsetRow::PAIRS
    };
}

/// The multi-byte sets without shifts that the WHATWG Encoding Standard does not have.
pub static CHARSETS: &[CharsetRow] = &[
    CharsetRow {
        name: "cp932",
        labels: &[
            "932",
            "windows-932",
            "win932",
            "x-ms-cp932",
            "japanese-cp932",
            "sjis-open",
            "sjis-win",
        ],
        summary: "Windows' page 932, Shift_JIS with private use: Japanese",
        is_lead: is_lead_of_shift_jis,
        is_second_choice: is_nec_copy,
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "cp936",
        labels: &["936", "ms936", "windows-936", "win936", "x-mswin-936"],
        summary: "Windows' page 936, GBK with private use: simplified Chinese",
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "gb18030-2005",
        labels: &["gb18030:2005"],
        summary: "GB 18030-2005: Chinese, and all of Unicode",
        linear: Some("gb18030-2005-4"),
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "gb18030-2022",
        labels: &["gb18030:2022"],
        summary: "GB 18030-2022: Chinese, and all of Unicode",
        linear: Some("gb18030-2022-4"),
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "cp949",
        labels: &[
            "949",
            "ms949",
            "uhc",
            "x-windows-949",
            "win949",
            "mscp949",
            "korean-cp949",
            "KO16MSWIN949",
            "OSF100203B5",
        ],
        summary: "Windows' page 949, EUC-KR with private use: Korean",
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "cp950",
        labels: &["950", "ms950", "windows-950", "x-windows-950", "win950", "ZHT16MSWIN950"],
        summary: "Windows' page 950, Big5 with private use: traditional Chinese",
        // Box drawings and two ideographs that have other codes, too.
        is_second_choice: |code| matches!(code, 0xA2A4..=0xA2CE),
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "johab",
        labels: &["cp1361", "1361", "ms1361", "mscp1361", "x-johab", "ksc5601-1992"],
        summary: "Johab (KS X 1001, annex 3): Korean by letters",
        detect: Some(SetTrial { languages: &["ko"], leads: [0x84, 0xF9], trails: [0x31, 0xFE] }),
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "euc-tw",
        labels: &["cns11643", "x-euc-tw", "euc-taiwan", "ZHT32EUC", "OSF0005000A"],
        summary: "EUC-TW (CNS 11643, planes 1 to 7 and 15): traditional Chinese",
        planes: &[
            (b"\x8E\xA1", "euc-tw"),
            (b"\x8E\xA2", "cns-2"),
            (b"\x8E\xA3", "cns-3"),
            (b"\x8E\xA4", "cns-4"),
            (b"\x8E\xA5", "cns-5"),
            (b"\x8E\xA6", "cns-6"),
            (b"\x8E\xA7", "cns-7"),
            (b"\x8E\xAF", "cns-15"),
        ],
        is_lead: |byte| matches!(byte, 0x8E | 0xA1..=0xFE),
        detect: Some(SetTrial { languages: &["zh-tw"], leads: [0xA1, 0xFD], trails: [0xA1, 0xFE] }),
        ..CharsetRow::EUC
    },
    CharsetRow {
        name: "eucjp-ms",
        labels: &["eucjp-win"],
        summary: "EUC-JP as TOG and Windows extend it, with private use: Japanese",
        planes: &[(b"\x8F", "eucjp-ms-8f")],
        ..CharsetRow::EUC
    },
    CharsetRow {
        name: "euc-jis-2004",
        labels: &["euc-jisx0213", "jisx0213"],
        summary: "EUC of JIS X 0213:2004: Japanese",
        planes: &[(b"\x8F", "euc-jis-2004-8f")],
        ..CharsetRow::EUC
    },
    CharsetRow {
        name: "shift_jis-2004",
        labels: &["shift_jisx0213", "sjis-2004", "sjisx0213", "japanese-shift-jis-2004"],
        summary: "Shift_JIS of JIS X 0213:2004, with a yen sign at 5C: Japanese",
        ascii: false,
        is_lead: is_lead_of_shift_jis,
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "ibm932",
        labels: &["csibm932"],
        summary: "IBM's page 932, Shift_JIS with private use: Japanese",
        is_lead: is_lead_of_shift_jis,
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "ibm943",
        labels: &["csibm943"],
        summary: "IBM's page 943 with ASCII, as Shift_JIS: Japanese",
        is_lead: is_lead_of_shift_jis,
        is_second_choice: is_nec_copy,
        ..CharsetRow::PAIRS
    },
    CharsetRow {
        name: "t.61",
        labels: &["t.61-8bit", "iso-ir-103", "csiso103t618bit"],
        summary: "CCITT T.61, teletex: Latin",
        ascii: false,
        ..CharsetRow::ACCENTS
    },
    CharsetRow {
        name: "iso-6937",
        labels: &["iso_6937:1992", "iso-ir-156"],
        summary: "ISO 6937:1992: Latin",
        ..CharsetRow::ACCENTS
    },
    CharsetRow {
        name: "iso-6937-2",
        labels: &["iso_6937-2:1983", "iso-ir-90", "csiso90"],
        summary: "ISO 6937-2:1983, with a currency sign at 24: Latin",
        ascii: false,
        ..CharsetRow::ACCENTS
    },
    CharsetRow {
        name: "ansi_x3.110",
        labels: &[
            "ansi_x3.110-1983",
            "csa_t500",
            "csa_t500-1983",
            "naplps",
            "iso-ir-99",
            "csiso99naplps",
        ],
        summary: "ANSI X3.110, videotex: Latin",
        ascii: false,
        ..CharsetRow::ACCENTS
    },
];

fn is_lead_of_shift_jis(byte: u8) -> bool {
    matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
}

find_row! {
    /// Returns the index of the row with this canonical name.
    charset in CHARSETS
}

/// Returns `true` for the codes of NEC's copy of IBM's rows.
fn is_nec_copy(code: u32) -> bool {
    matches!(code, 0xED00..=0xEEFF)
}
