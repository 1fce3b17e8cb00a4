//! The table of single-byte code pages.

use super::{PageFamily, PageRow, Prior, Script, Trial};
use crate::codec::Group;

mod dos;
mod ebcdic;
mod eight_bit;
mod seven_bit;

/// Makes a list of [`PageRow`]. A row is a canonical name and fields; those left out have the values
/// of the row that is named first.
macro_rules! page_rows {
    ($usual:expr; $($name:literal { $($field:ident: $value:expr),* $(,)? })*) => {
        &[$(PageRow { name: $name, $($field: $value,)* ..$usual }),*]
    };
}
use page_rows;

/// Every code page, in the order of listings.
pub static PAGES: &[PageRow] = &{
    const LISTS: [&[PageRow]; 5] =
        [COMMON, dos::ROWS, eight_bit::ROWS, ebcdic::ROWS, seven_bit::ROWS];
    const NUMBER: usize = {
        let (mut number, mut list) = (0, 0);
        while list < LISTS.len() {
            number += LISTS[list].len();
            list += 1;
        }
        number
    };
    let mut rows = [PageRow::ASCII; NUMBER];
    let (mut row, mut list, mut at) = (0, 0, 0);
    while row < NUMBER {
        if at == LISTS[list].len() {
            (list, at) = (list + 1, 0);
        } else {
            rows[row] = LISTS[list][at];
            (row, at) = (row + 1, at + 1);
        }
    }
    rows
};

impl PageRow {
    /// Fields of pages that have ASCII in 00..7F.
    const ASCII: PageRow = PageRow {
        name: "",
        labels: &[],
        summary: "",
        group: Group::Page,
        whatwg: None,
        ascii: true,
        family: PageFamily::Other,
        detect: None,
        mojibake: None,
    };
    /// Fields of rare code pages.
    const RARE: PageRow = PageRow { group: Group::RarePage, ..PageRow::ASCII };
    /// Fields of rare code pages of DOS.
    const DOS: PageRow = PageRow { family: PageFamily::Dos, ..PageRow::RARE };
    /// Fields of EBCDIC code pages.
    const EBCDIC: PageRow = PageRow {
        group: Group::Ebcdic,
        ascii: false,
        family: PageFamily::Ebcdic,
        ..PageRow::ASCII
    };
    /// Fields of seven-bit sets other than ASCII.
    const SEVEN_BIT: PageRow = PageRow { group: Group::SevenBit, ascii: false, ..PageRow::ASCII };
}

/// The common code pages, most candidates of detection among them.
#[rustfmt::skip]
const COMMON: &[PageRow] = page_rows! { PageRow::ASCII;
    "us-ascii" {
        labels: &["ascii", "iso646-us", "iso_646.irv:1991", "ansi_x3.4-1968", "ansi_x3.4-1986",
                  "iso-ir-6", "cp367", "ibm367", "csASCII", "646", "20127", "cp20127", "us",
                  "cp891", "cp903", "ibm891", "ibm903", "csibm891", "csibm903", "ansi_x3.4",
                  "osf00010020", "osf1002037b", "osf10020387", "ansi_x3_4_1968",
                  "iso_646.irv_1991", "windows-20127", "US7ASCII", "iso-safe",
                  "iso-646.irv:1983", "ascii7"],
        summary: "ASCII: 00..7F and nothing else",
    }
    "iso-8859-1" {
        labels: &["latin1", "l1", "iso-ir-100", "csISOLatin1", "iso_8859-1:1987", "8859_1", "cp819",
                  "ibm819", "819", "28591", "cp28591", "osf00010001", "8859", "iso8859",
                  "iso_8859_1_1987", "latin", "WE8ISO8859P1", "iso-latin-1"],
        summary: "Latin-1: U+0000..00FF (WHATWG takes this name for windows-1252)",
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 10, script: Script::Latin, cost: 1, languages: WESTERN }),
    }
    "iso-8859-2" {
        labels: &["latin2", "l2", "iso-ir-101", "csISOLatin2", "iso_8859-2:1987", "8859_2",
                  "28592", "cp912", "ibm912", "osf00010002", "iso_8859_2_1987", "912",
                  "windows-28592", "EE8ISO8859P2", "iso-latin-2", "cp28592"],
        summary: "Latin-2: Central Europe",
        whatwg: Some(&encoding_rs::ISO_8859_2_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 11, script: Script::Latin, cost: 2, languages: CENTRAL }),
        mojibake: Some(Trial { rank: 6, peers: &["windows-1250"] }),
    }
    "iso-8859-3" {
        labels: &["latin3", "l3", "iso-ir-109", "csISOLatin3", "iso_8859-3:1988", "8859_3",
                  "28593", "osf00010003", "iso_8859_3_1988", "ibm913", "cp913", "913",
                  "windows-28593", "SE8ISO8859P3", "iso-latin-3", "cp28593"],
        summary: "Latin-3: Southern Europe, Esperanto",
        whatwg: Some(&encoding_rs::ISO_8859_3_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 20, script: Script::Latin, cost: 5, languages: &["eo", "mt"] }),
    }
    "iso-8859-4" {
        labels: &["latin4", "l4", "iso-ir-110", "csISOLatin4", "iso_8859-4:1988", "8859_4",
                  "28594", "osf00010004", "iso_8859_4_1988", "cp914", "ibm914", "914",
                  "windows-28594", "NEE8ISO8859P4", "iso-latin-4", "cp28594"],
        summary: "Latin-4: Northern Europe",
        whatwg: Some(&encoding_rs::ISO_8859_4_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 19, script: Script::Latin, cost: 4, languages: BALTIC }),
    }
    "iso-8859-5" {
        labels: &["cyrillic", "iso-ir-144", "csISOLatinCyrillic", "iso_8859-5:1988", "8859_5",
                  "28595", "cp915", "ibm915", "osf00010005", "iso_8859_5_1988", "915",
                  "windows-28595", "CL8ISO8859P5", "cyrillic-iso-8bit", "cp28595"],
        summary: "Latin/Cyrillic",
        whatwg: Some(&encoding_rs::ISO_8859_5_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 15, script: Script::Cyrillic, cost: 2, languages: SLAVIC }),
    }
    "iso-8859-6" {
        labels: &["arabic", "iso-ir-127", "csISOLatinArabic", "iso_8859-6:1987", "8859_6",
                  "ecma-114", "asmo-708", "iso-8859-6-e", "iso-8859-6-i", "csISO88596E",
                  "csISO88596I", "28596", "cp1089", "ibm1089", "osf00010006", "iso_8859_6_1987",
                  "1089", "windows-28596", "AR8ISO8859P6", "cp28596"],
        summary: "Latin/Arabic",
        whatwg: Some(&encoding_rs::ISO_8859_6_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 17, script: Script::Arabic, cost: 1, languages: &[] }),
    }
    "iso-8859-7" {
        labels: &["greek", "greek8", "iso-ir-126", "csISOLatinGreek", "iso_8859-7:1987",
                  "8859_7", "ecma-118", "elot_928", "sun_eu_greek", "28597", "cp813", "ibm813",
                  "osf00010007", "iso_8859-7:2003", "iso_8859_7_1987", "813", "windows-28597",
                  "EL8ISO8859P7", "greek-iso-8bit", "cp28597"],
        summary: "Latin/Greek, with the euro sign of 2003",
        whatwg: Some(&encoding_rs::ISO_8859_7_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 14, script: Script::Greek, cost: 1, languages: &[] }),
    }
    "iso-8859-8" {
        labels: &["hebrew", "iso-ir-138", "csISOLatinHebrew", "iso_8859-8:1988", "8859_8",
                  "iso-8859-8-e", "iso-8859-8-i", "csISO88598E", "csISO88598I", "visual",
                  "logical", "28598", "38598", "cp916", "ibm916", "osf00010008",
                  "iso_8859_8_1988", "916", "windows-28598", "IW8ISO8859P8", "hebrew-iso-8bit",
                  "cp28598", "cp38598"],
        summary: "Latin/Hebrew, in either order",
        whatwg: Some(&encoding_rs::ISO_8859_8_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 16, script: Script::Hebrew, cost: 1, languages: &[] }),
    }
    "iso-8859-9" {
        labels: &["latin5", "l5", "iso-ir-148", "csISOLatin5", "iso_8859-9:1989", "8859_9",
                  "28599", "cp920", "ibm920", "ts-5881", "ecma-128", "osf00010009",
                  "iso_8859_9_1989", "920", "windows-28599", "WE8ISO8859P9", "iso-latin-5",
                  "cp28599"],
        summary: "Latin-5: Turkish (WHATWG takes this name for windows-1254)",
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 13, script: Script::Latin, cost: 3, languages: TURKIC }),
    }
    "iso-8859-10" {
        labels: &["latin6", "l6", "iso-ir-157", "csISOLatin6", "iso_8859-10:1992", "8859_10",
                  "28600", "osf0001000a", "iso_8859_10_1992", "NE8ISO8859P10", "iso-latin-6",
                  "cp28600"],
        summary: "Latin-6: Nordic",
        whatwg: Some(&encoding_rs::ISO_8859_10_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 21, script: Script::Latin, cost: 6, languages: NORDIC }),
    }
    "iso-8859-11" {
        labels: &["8859_11", "28601", "thai8", "hpthai8", "thai", "iso_8859_11_2001",
                  "x-iso-8859-11", "cp28601"],
        summary: "Latin/Thai (WHATWG takes this name for windows-874)",
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 25, script: Script::Thai, cost: 2, languages: &[] }),
    }
    "iso-8859-13" {
        labels: &["latin7", "l7", "iso-ir-179", "csISO885913", "8859_13", "28603", "cp921",
                  "baltic", "ibm921", "csibm921", "x-IBM921", "921", "windows-28603",
                  "BLT8ISO8859P13", "iso-latin-7", "cp28603"],
        summary: "Latin-7: Baltic",
        whatwg: Some(&encoding_rs::ISO_8859_13_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 18, script: Script::Latin, cost: 4, languages: BALTIC }),
    }
    "iso-8859-14" {
        labels: &["latin8", "l8", "iso-ir-199", "csISO885914", "iso_8859-14:1998", "iso-celtic",
                  "8859_14", "28604", "iso_8859_14_1998", "CEL8ISO8859P14", "iso-latin-8",
                  "cp28604"],
        summary: "Latin-8: Celtic",
        whatwg: Some(&encoding_rs::ISO_8859_14_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 22, script: Script::Latin, cost: 6, languages: CELTIC }),
    }
    "iso-8859-15" {
        labels: &["latin9", "l9", "iso-ir-203", "csISOLatin9", "csISO885915", "8859_15", "28605",
                  "iso_8859-15:1998", "latin0", "iso8859_15_fdis", "cp923", "ibm923",
                  "csISOlatin0", "923", "windows-28605", "WE8ISO8859P15", "iso-latin-9",
                  "cp28605"],
        summary: "Latin-9: Latin-1 with the euro sign and seven letters",
        whatwg: Some(&encoding_rs::ISO_8859_15_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 12, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 11, peers: &[] }),
    }
    "iso-8859-16" {
        labels: &["latin10", "l10", "iso-ir-226", "csISO885916", "iso_8859-16:2001", "8859_16",
                  "28606", "iso_8859_16_2001", "iso-latin-10", "cp28606"],
        summary: "Latin-10: South-Eastern Europe",
        whatwg: Some(&encoding_rs::ISO_8859_16_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 23, script: Script::Latin, cost: 9, languages: &["ro"] }),
    }
    "windows-874" {
        labels: &["cp874", "874", "x-cp874", "ms874", "dos-874", "x-windows-874", "win874",
                  "ibm1162", "cp1162", "csibm11621162", "1162", "cswindows874"],
        summary: "Windows: Thai",
        whatwg: Some(&encoding_rs::WINDOWS_874_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 9, script: Script::Thai, cost: 0, languages: &[] }),
    }
    "windows-1250" {
        labels: &["cp1250", "1250", "x-cp1250", "ibm-1250", "ms-1250", "ms-ee", "cp5346",
                  "win1250", "EE8MSWIN1250", "cswindows1250"],
        summary: "Windows: Central Europe; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1250_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 1, script: Script::Latin, cost: 1, languages: CENTRAL }),
        mojibake: Some(Trial { rank: 1, peers: &["iso-8859-2"] }),
    }
    "windows-1251" {
        labels: &["cp1251", "1251", "x-cp1251", "ibm-1251", "ms-1251", "ms-cyrl", "ansi-1251",
                  "win1251", "win", "CL8MSWIN1251", "ibm5347", "cp5347", "csibm5347", "5347",
                  "cswindows1251"],
        summary: "Windows: Cyrillic; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1251_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 2, script: Script::Cyrillic, cost: 0, languages: &[] }),
        mojibake: Some(Trial { rank: 2, peers: &[] }),
    }
    "windows-1252" {
        labels: &["cp1252", "1252", "x-cp1252", "ibm-1252", "ms-1252", "ansi", "ms-ansi",
                  "cp5348", "win1252", "WE8MSWIN1252", "cswindows1252", "x-ansi"],
        summary: "Windows: Western Europe; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1252_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 0, script: Script::Latin, cost: 0, languages: WESTERN }),
        mojibake: Some(Trial { rank: 0, peers: &[] }),
    }
    "windows-1253" {
        labels: &["cp1253", "1253", "x-cp1253", "ibm-1253", "ms-1253", "ms-greek", "cp5349",
                  "win1253", "EL8MSWIN1253", "cswindows1253"],
        summary: "Windows: Greek",
        whatwg: Some(&encoding_rs::WINDOWS_1253_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 3, script: Script::Greek, cost: 0, languages: &[] }),
        mojibake: Some(Trial { rank: 3, peers: &[] }),
    }
    "windows-1254" {
        labels: &["cp1254", "1254", "x-cp1254", "ibm-1254", "ms-1254", "ms-turk", "cp5350",
                  "win1254", "TR8MSWIN1254", "cswindows1254"],
        summary: "Windows: Turkish; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1254_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 4, script: Script::Latin, cost: 2, languages: TURKIC }),
        mojibake: Some(Trial { rank: 4, peers: &[] }),
    }
    "windows-1255" {
        labels: &["cp1255", "1255", "x-cp1255", "ibm-1255", "ms-1255", "ms-hebr", "win1255",
                  "IW8MSWIN1255", "cswindows1255"],
        summary: "Windows: Hebrew",
        whatwg: Some(&encoding_rs::WINDOWS_1255_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 5, script: Script::Hebrew, cost: 0, languages: &[] }),
    }
    "windows-1256" {
        labels: &["cp1256", "1256", "x-cp1256", "ibm-1256", "ms-1256", "cp9448", "ibm9448",
                  "ms-arab", "csibm9448", "win1256", "AR8MSWIN1256", "cswindows1256"],
        summary: "Windows: Arabic; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1256_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 6, script: Script::Arabic, cost: 0, languages: &[] }),
    }
    "windows-1257" {
        labels: &["cp1257", "1257", "x-cp1257", "ibm-1257", "ms-1257", "winbaltrim", "cp5353",
                  "win1257", "BLT8MSWIN1257", "cswindows1257"],
        summary: "Windows: Baltic",
        whatwg: Some(&encoding_rs::WINDOWS_1257_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 7, script: Script::Latin, cost: 2, languages: BALTIC }),
        mojibake: Some(Trial { rank: 5, peers: &[] }),
    }
    "windows-1258" {
        labels: &["cp1258", "1258", "x-cp1258", "ibm-1258", "ms-1258", "win1258", "VN8MSWIN1258",
                  "cswindows1258"],
        summary: "Windows: Vietnamese; every input is well formed",
        whatwg: Some(&encoding_rs::WINDOWS_1258_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 8, script: Script::Latin, cost: 4, languages: &["vi"] }),
    }
    "koi8-r" {
        labels: &["koi", "koi8", "csKOI8R", "20866", "cp20866", "cp878", "878", "windows-20866",
                  "CL8KOI8R", "cyrillic-koi8"],
        summary: "KOI8-R: Russian",
        whatwg: Some(&encoding_rs::KOI8_R_INIT),
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 26, script: Script::Cyrillic, cost: 1, languages: &["ru", "uk", "be", "bg"] }),
        mojibake: Some(Trial { rank: 7, peers: &[] }),
    }
    "koi8-u" {
        labels: &["csKOI8U", "21866", "cp21866", "windows-21866", "CL8KOI8U"],
        summary: "KOI8-U of the WHATWG: Ukrainian; see koi8-u-rfc2319",
        whatwg: Some(&encoding_rs::KOI8_U_INIT),
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 27, script: Script::Cyrillic, cost: 2, languages: &["uk", "ru", "be"] }),
    }
    "koi8-t" {
        summary: "KOI8-T: Tajik, and Russian",
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 48, script: Script::Cyrillic, cost: 15, languages: &["und-cyrl"] }),
    }
    "macintosh" {
        labels: &["mac", "x-mac-roman", "macroman", "csMacintosh", "10000", "windows-10000",
                  "WE8MACROMAN8", "cp10000"],
        summary: "Mac OS Roman",
        whatwg: Some(&encoding_rs::MACINTOSH_INIT),
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 29, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 8, peers: &[] }),
    }
    "x-mac-cyrillic" {
        labels: &["x-mac-ukrainian", "mac-cyrillic", "mac-ukrainian", "CL8MACCYRILLIC", "maccy"],
        summary: "Mac OS Cyrillic, with the Ukrainian letters",
        whatwg: Some(&encoding_rs::X_MAC_CYRILLIC_INIT),
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 30, script: Script::Cyrillic, cost: 3, languages: SLAVIC }),
    }
    "x-mac-ce" {
        labels: &["x-mac-centraleurroman", "mac-centraleurope", "mac-latin2", "10029", "cp1282",
                  "mac_centeuro", "x-MacCentralEurope", "windows-10029", "macce", "EE8MACCE",
                  "cp10029"],
        summary: "Mac OS Central European",
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 47, script: Script::Latin, cost: 4, languages: &["pl", "cs", "sk", "hu", "lv", "lt", "et"] }),
    }
    "x-user-defined" {
        summary: "ASCII, and 80..FF as U+F780..F7FF",
        whatwg: Some(&encoding_rs::X_USER_DEFINED_INIT),
    }
    "tis-620" {
        labels: &["tis620-0", "tis620.2529-1", "tis620.2533-0", "iso-ir-166", "csTIS620",
                  "tis_620_2529_0", "tis_620_2529_1", "tis620.2533", "TH8TISASCII",
                  "thai-tis620", "th-tis620"],
        summary: "TIS-620: Thai, without the controls of ISO-8859-11",
        detect: Some(Prior { rank: 24, script: Script::Thai, cost: 1, languages: &[] }),
    }
    "ibm-874" {
        labels: &["cp9066", "ibm9066", "csibm9066", "x-IBM874"],
        summary: "IBM: Thai; not windows-874",
        detect: Some(Prior { rank: 45, script: Script::Thai, cost: 6, languages: &[] }),
    }
    "ibm437" {
        labels: &["437", "cp437", "csPC8CodePage437", "osf100201b5", "windows-437", "US8PC437"],
        summary: "DOS: United States",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 32, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 9, peers: &[] }),
    }
    "ibm737" {
        labels: &["737", "cp737", "x-IBM737", "windows-737", "EL8PC737"],
        summary: "DOS: Greek",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 36, script: Script::Greek, cost: 3, languages: &[] }),
    }
    "ibm775" {
        labels: &["775", "cp775", "csPC775Baltic", "windows-775", "BLT8PC775"],
        summary: "DOS: Baltic",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 38, script: Script::Latin, cost: 5, languages: BALTIC }),
    }
    "ibm850" {
        labels: &["850", "cp850", "csPC850Multilingual", "osf10020352", "windows-850", "WE8PC850"],
        summary: "DOS: Western Europe",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 31, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 10, peers: &[] }),
    }
    "ibm852" {
        labels: &["852", "cp852", "csPCp852", "osf10020354", "windows-852", "EE8PC852"],
        summary: "DOS: Central Europe",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 33, script: Script::Latin, cost: 3, languages: CENTRAL }),
    }
    "ibm855" {
        labels: &["855", "cp855", "csIBM855", "osf10020357", "cspcp855", "windows-855",
                  "RU8PC855"],
        summary: "DOS: Cyrillic",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 35, script: Script::Cyrillic, cost: 4, languages: &["ru", "bg", "sr", "mk"] }),
    }
    "ibm857" {
        labels: &["857", "cp857", "csIBM857", "osf10020359", "windows-857", "TR8PC857"],
        summary: "DOS: Turkish",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 39, script: Script::Latin, cost: 4, languages: TURKIC }),
    }
    "ibm858" {
        labels: &["858", "cp858", "csIBM00858", "ibm00858", "pc-multilingual-850+euro",
                  "cspc858multilingual", "csibm858", "cp00858", "ccsid00858", "windows-858",
                  "WE8PC858"],
        summary: "DOS: Western Europe, with the euro sign",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 34, script: Script::Latin, cost: 4, languages: WESTERN }),
    }
    "ibm860" {
        labels: &["860", "cp860", "csIBM860", "WE8PC860"],
        summary: "DOS: Portuguese",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 41, script: Script::Latin, cost: 6, languages: &["pt"] }),
    }
    "ibm861" {
        labels: &["861", "cp861", "csIBM861", "cp-is", "cpibm861", "osf1002035d", "windows-861",
                  "IS8PC861"],
        summary: "DOS: Icelandic",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 42, script: Script::Latin, cost: 6, languages: &["is"] }),
    }
    "ibm862" {
        labels: &["862", "cp862", "csPC862LatinHebrew", "osf1002035e", "csIBM862", "dos-862",
                  "windows-862"],
        summary: "DOS: Hebrew",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 40, script: Script::Hebrew, cost: 3, languages: &[] }),
    }
    "ibm863" {
        labels: &["863", "cp863", "csIBM863", "osf1002035f", "CDN8PC863"],
        summary: "DOS: French Canada",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 43, script: Script::Latin, cost: 6, languages: WESTERN }),
    }
    "ibm864" {
        labels: &["864", "cp864", "csIBM864", "osf10020360"],
        summary: "DOS: Arabic, presentation forms",
        ascii: false,
        family: PageFamily::Dos,
    }
    "ibm865" {
        labels: &["865", "cp865", "csIBM865", "N8PC865"],
        summary: "DOS: Nordic",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 44, script: Script::Latin, cost: 5, languages: NORDIC }),
    }
    "ibm866" {
        labels: &["866", "cp866", "csIBM866", "windows-866", "win866", "alt", "RU8PC866"],
        summary: "DOS: Russian",
        whatwg: Some(&encoding_rs::IBM866_INIT),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 28, script: Script::Cyrillic, cost: 2, languages: &["ru", "uk", "be", "bg"] }),
        mojibake: Some(Trial { rank: 12, peers: &[] }),
    }
    "ibm869" {
        labels: &["869", "cp869", "csIBM869", "cp-gr", "osf10020365", "windows-869", "EL8PC869"],
        summary: "DOS: Modern Greek",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 37, script: Script::Greek, cost: 5, languages: &[] }),
    }
    "ibm1125" {
        labels: &["1125", "cp1125", "cp866u", "ruscii", "ibm848"],
        summary: "DOS: Ukrainian; ibm866 with other letters in F2..F9",
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 46, script: Script::Cyrillic, cost: 3, languages: &["uk", "ru", "be"] }),
    }
};

/// The languages of Western Europe, and others that have no page of their own.
const WESTERN: &[&str] = &[
    "en", "fr", "de", "es", "pt", "it", "nl", "da", "nb", "nn", "sv", "fi", "is", "ga", "ca", "gl",
    "eu", "af", "ast", "br", "cy", "gd", "id", "oc", "sq", "et", "nso", "om", "rw", "ss", "tn",
    "ts", "ve", "xh", "zu", "und-latn",
];
/// Languages of Central Europe.
const CENTRAL: &[&str] = &["pl", "cs", "sk", "hu", "sl", "hr", "bs", "ro", "sq", "szl", "de"];
/// Languages of the Baltic states.
const BALTIC: &[&str] = &["et", "lv", "lt"];
/// Languages of the North.
const NORDIC: &[&str] = &["is", "da", "nb", "nn", "sv", "fi", "et", "lv", "lt"];
/// Celtic languages.
const CELTIC: &[&str] = &["ga", "cy", "gd", "br"];
/// Slavic languages in Cyrillic.
const SLAVIC: &[&str] = &["ru", "uk", "be", "bg", "sr", "mk"];
/// Turkish, and languages with its letters.
const TURKIC: &[&str] = &["tr", "ku", "uz"];
