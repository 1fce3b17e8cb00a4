//! Rare code pages of eight bits.

use super::{PageFamily, PageRow, Prior, Script, page_rows};

#[rustfmt::skip]
pub(super) const ROWS: &[PageRow] = page_rows! { PageRow::RARE;
    "viscii" {
        labels: &["csVISCII", "x-viscii", "vietnamese-viscii"],
        summary: "VISCII 1.1: Vietnamese (RFC 1456)",
        ascii: false,
        detect: Some(Prior { rank: 54, script: Script::Latin, cost: 8, languages: &["vi"] }),
    }
    "tcvn" {
        labels: &["tcvn-5712", "tcvn5712-1", "tcvn5712-1:1993", "abc", "vscii", "tcvn3",
                  "x-viet-tcvn5712", "VN8VN3", "vietnamese-tcvn", "vietnamese-vscii"],
        summary: "TCVN 5712: Vietnamese",
        ascii: false,
        detect: Some(Prior { rank: 55, script: Script::Latin, cost: 8, languages: &["vi"] }),
    }
    "koi8-ru" {
        labels: &["cp1167", "ibm1167", "csibm1167"],
        summary: "KOI8-RU: Russian, Ukrainian and Belarusian; ibm1167",
        family: PageFamily::Koi8,
    }
    "koi8-u-rfc2319" {
        summary: "KOI8-U of RFC 2319: Ukrainian, without the Belarusian letter",
        family: PageFamily::Koi8,
    }
    "macintosh-glibc" {
        summary: "Mac OS Roman as glibc has it, with a Greek Delta at C6",
        family: PageFamily::Macintosh,
    }
    "gost-koi8" {
        summary: "KOI-8 of GOST 19768-74: Russian, without box drawing",
        family: PageFamily::Koi8,
    }
    "ecma-cyrillic" {
        labels: &["iso-ir-111", "csiso111ecmacyrillic", "KOI8-E"],
        summary: "ECMA-113 of 1985 (ISO-IR-111): Cyrillic in the order of KOI8",
        family: PageFamily::Koi8,
    }
    "gost-19768-74" {
        labels: &["gost_19768", "iso-ir-153", "st_sev_358-88", "csiso153gost1976874"],
        summary: "GOST 19768-74, as glibc has it (ST SEV 358-88, ISO-IR-153): Cyrillic",
    }
    "kz1048" {
        labels: &["rk1048", "strk1048-2002", "csKZ1048"],
        summary: "STRK1048-2002: Kazakh",
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 50, script: Script::Cyrillic, cost: 9, languages: &["und-cyrl"] }),
    }
    "pt154" {
        labels: &["ptcp154", "csptcp154", "cp154", "cyrillic_asian"],
        summary: "ParaType 154: Cyrillic of Asia",
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 51, script: Script::Cyrillic, cost: 11, languages: &["und-cyrl"] }),
    }
    "x-mac-greek" {
        labels: &["mac_greek", "windows-10006", "10006", "EL8MACGREEK", "macgr", "cp10006"],
        summary: "Mac OS Greek",
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 52, script: Script::Greek, cost: 9, languages: &[] }),
    }
    "x-mac-turkish" {
        labels: &["mac_turkish", "windows-10081", "10081", "TR8MACTURKISH", "mactr", "cp10081"],
        summary: "Mac OS Turkish",
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 53, script: Script::Latin, cost: 9, languages: &["tr"] }),
    }
    "x-mac-croatian" {
        labels: &["mac_croatian", "10082", "EE8MACCROATIAN", "cp10082"],
        summary: "Mac OS Croatian",
        family: PageFamily::Macintosh,
    }
    "x-mac-icelandic" {
        labels: &["mac_iceland", "x-MacIceland", "10079", "IS8MACICELANDIC", "cp10079"],
        summary: "Mac OS Icelandic",
        family: PageFamily::Macintosh,
    }
    "x-mac-romanian" {
        labels: &["mac_romanian", "x-MacRomania", "MacRomania", "10010", "cp10010"],
        summary: "Mac OS Romanian",
        family: PageFamily::Macintosh,
    }
    "x-mac-arabic" {
        labels: &["mac_arabic", "10004", "cp10004"],
        summary: "Mac OS Arabic; signs of 80..FF are those for right to left",
        family: PageFamily::Macintosh,
    }
    "x-mac-farsi" {
        labels: &["mac_farsi"],
        summary: "Mac OS Persian; signs of 80..FF are those for right to left",
        family: PageFamily::Macintosh,
    }
    "mac-is" {
        summary: "Mac OS Icelandic as glibc has it",
        family: PageFamily::Macintosh,
    }
    "mac-sami" {
        summary: "Mac OS Sami",
        family: PageFamily::Macintosh,
    }
    "mac-uk" {
        labels: &["x-MacUkraine", "MacUkraine"],
        summary: "Mac OS Cyrillic as glibc has it",
        family: PageFamily::Macintosh,
    }
    "ms-mac-cyrillic" {
        labels: &["cp10007", "10007", "windows-10007"],
        summary: "Mac OS Cyrillic as Microsoft has it: code page 10007",
        family: PageFamily::Macintosh,
    }
    "win-sami-2" {
        labels: &["ws2"],
        summary: "Windows: Sami",
        family: PageFamily::Windows,
    }
    "iso-ir-197" {
        summary: "ISO-IR-197: Sami",
        family: PageFamily::Iso,
    }
    "iso-ir-209" {
        summary: "ISO-IR-209: Sami",
        family: PageFamily::Iso,
    }
    "iso-8859-9e" {
        labels: &["AZ8ISO8859P9E"],
        summary: "ISO-8859-9 with the letters of Azerbaijani",
        family: PageFamily::Iso,
    }
    "armscii-8" {
        summary: "ARMSCII-8: Armenian",
        detect: Some(Prior { rank: 58, script: Script::Armenian, cost: 5, languages: &[] }),
    }
    "georgian-academy" {
        summary: "Georgian, Academy of Sciences",
        detect: Some(Prior { rank: 57, script: Script::Georgian, cost: 6, languages: &[] }),
    }
    "georgian-ps" {
        summary: "Georgian, Parliament",
        detect: Some(Prior { rank: 56, script: Script::Georgian, cost: 5, languages: &[] }),
    }
    "isiri-3342" {
        summary: "ISIRI 3342: Persian",
    }
    "hp-roman8" {
        labels: &["r8", "roman8", "cshproman8", "osf10010001", "cp1051", "ibm1051", "hp8",
                  "WE8ROMAN8", "x-roman8"],
        summary: "HP Roman-8: Western Europe",
    }
    "hp-roman9" {
        labels: &["r9", "roman9"],
        summary: "HP Roman-9: Roman-8 with U+20A0 at BA, as glibc has it",
    }
    "hp-greek8" {
        labels: &["osf10010004"],
        summary: "HP Greek-8",
    }
    "hp-turkish8" {
        labels: &["turkish8", "osf10010006"],
        summary: "HP Turkish-8",
    }
    "dec-mcs" {
        labels: &["dec", "csdecmcs", "dec8", "WE8DEC"],
        summary: "DEC Multinational: Western Europe",
        family: PageFamily::Iso,
    }
    "palmos" {
        summary: "Palm OS 3.5: Western Europe",
        family: PageFamily::Windows,
    }
    "csn-369103" {
        labels: &["iso-ir-139", "csiso139csn369103"],
        summary: "CSN 36 91 03 (ISO-IR-139): Czech and Slovak",
        ascii: false,
        family: PageFamily::Iso,
    }
    "greek-ccitt" {
        labels: &["csiso150", "iso-ir-150", "csiso150greekccitt"],
        summary: "CCITT Greek (ISO-IR-150)",
        ascii: false,
    }
    "iso-10367-box" {
        labels: &["iso-ir-155", "csiso10367box"],
        summary: "ISO 10367 (ISO-IR-155): box drawing",
    }
    "iec-p27-1" {
        labels: &["iso-ir-143", "csiso143iecp271"],
        summary: "IEC P27-1 (ISO-IR-143): technical signs",
    }
    "inis-8" {
        labels: &["iso-ir-50", "csiso50inis8"],
        summary: "INIS (ISO-IR-50): signs for nuclear science",
        ascii: false,
    }
    "iso-11548-1" {
        labels: &["iso/tr_11548-1", "csISO115481", "ISO_TR_11548-1"],
        summary: "ISO 11548-1: every byte is a Braille pattern",
        ascii: false,
    }
    "ibm1004" {
        labels: &["cp1004", "os2latin1", "1004"],
        summary: "OS/2: Western Europe, as Windows had it before the euro sign",
        family: PageFamily::Windows,
    }
    "ibm1006" {
        labels: &["cp1006", "x-IBM1006", "1006"],
        summary: "AIX: Urdu, presentation forms",
    }
    "ibm1008" {
        labels: &["cp1008", "csibm1008", "1008"],
        summary: "IBM: Arabic, with the shapes of letters",
    }
    "ibm1046" {
        labels: &["1046", "cp1046", "x-IBM1046"],
        summary: "AIX: Arabic, presentation forms",
    }
    "ibm1124" {
        labels: &["cp1124", "csibm1124", "x-IBM1124", "1124"],
        summary: "AIX: Ukrainian; ISO-8859-5 with other letters",
        family: PageFamily::Iso,
    }
    "ibm1129" {
        labels: &["cp1129", "csibm1129", "x-IBM1129", "1129"],
        summary: "AIX: Vietnamese",
        family: PageFamily::Iso,
    }
    "ibm1133" {
        labels: &["cp1133", "csibm1133", "1133"],
        summary: "AIX: Lao",
    }
    "ibm1161" {
        labels: &["cp1161", "csibm1161", "1161"],
        summary: "AIX: Thai, with the euro sign",
    }
    "ibm1163" {
        labels: &["cp1163", "csibm1163", "1163"],
        summary: "AIX: Vietnamese, with the euro sign",
        family: PageFamily::Iso,
    }
    "ibm901" {
        labels: &["cp901", "csibm901", "901"],
        summary: "AIX: Baltic, with the euro sign",
        family: PageFamily::Iso,
    }
    "ibm902" {
        labels: &["cp902", "csibm902", "902"],
        summary: "AIX: Estonian, with the euro sign",
        family: PageFamily::Iso,
    }
    "ibm922" {
        labels: &["cp922", "csibm922", "x-IBM922", "922"],
        summary: "AIX: Estonian",
        family: PageFamily::Iso,
    }
    "ibm4909" {
        labels: &["cp4909", "csibm4909", "4909"],
        summary: "AIX: Greek, with the euro sign",
        family: PageFamily::Iso,
    }
    "ibm1276" {
        labels: &["Adobe-Standard-Encoding", "csAdobeStandardEncoding", "cp1276", "1276"],
        summary: "Adobe Standard Encoding",
        ascii: false,
    }
    "jis-x0201" {
        labels: &["jis0201", "csHalfWidthKatakana", "x0201"],
        summary: "JIS X 0201: Roman letters and half-width Katakana",
        ascii: false,
    }
};
