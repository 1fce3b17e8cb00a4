//! The table of single-byte code pages.
//!
//! DOS and EBCDIC tables are those on which CPython and glibc agree. FFFD marks an unmapped byte.

use super::{PageBase, PageFamily, PageRow, Prior, Script, Trial, UNMAPPED};

/// Makes a list of [`PageRow`]. A row is a canonical name and fields; those left out have the values
/// of [`PageRow::ASCII`].
macro_rules! page_rows {
    ($($name:literal { $($field:ident: $value:expr),* $(,)? })*) => {
        [$(PageRow { name: $name, $($field: $value,)* ..PageRow::ASCII }),*]
    };
}

/// Every code page, in the order of listings.
#[rustfmt::skip]
pub static PAGES: &[PageRow] = &page_rows! {
    "us-ascii" {
        labels: &["ascii", "iso646-us", "iso_646.irv:1991", "ansi_x3.4-1968",
                  "ansi_x3.4-1986", "iso-ir-6", "cp367", "ibm367", "csASCII", "646",
                  "20127", "cp20127"],
        summary: "ASCII: 00..7F and nothing else",
        base: PageBase::Ascii,
    }
    "iso-8859-1" {
        labels: &["latin1", "l1", "iso-ir-100", "csISOLatin1", "iso_8859-1:1987", "8859_1",
                  "cp819", "ibm819", "819", "28591", "cp28591"],
        summary: "Latin-1: U+0000..00FF (WHATWG takes this name for windows-1252)",
        base: PageBase::Latin1,
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 10, script: Script::Latin, cost: 1, languages: WESTERN }),
    }
    "iso-8859-2" {
        labels: &["latin2", "l2", "iso-ir-101", "csISOLatin2", "iso_8859-2:1987", "8859_2",
                  "28592"],
        summary: "Latin-2: Central Europe",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_2_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 11, script: Script::Latin, cost: 2, languages: CENTRAL }),
        mojibake: Some(Trial { rank: 6, peers: &["windows-1250"] }),
    }
    "iso-8859-3" {
        labels: &["latin3", "l3", "iso-ir-109", "csISOLatin3", "iso_8859-3:1988", "8859_3",
                  "28593"],
        summary: "Latin-3: Southern Europe, Esperanto",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_3_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 20, script: Script::Latin, cost: 5, languages: &["eo", "mt"] }),
    }
    "iso-8859-4" {
        labels: &["latin4", "l4", "iso-ir-110", "csISOLatin4", "iso_8859-4:1988", "8859_4",
                  "28594"],
        summary: "Latin-4: Northern Europe",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_4_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 19, script: Script::Latin, cost: 4, languages: BALTIC }),
    }
    "iso-8859-5" {
        labels: &["cyrillic", "iso-ir-144", "csISOLatinCyrillic", "iso_8859-5:1988",
                  "8859_5", "28595"],
        summary: "Latin/Cyrillic",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_5_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 15, script: Script::Cyrillic, cost: 2, languages: SLAVIC }),
    }
    "iso-8859-6" {
        labels: &["arabic", "iso-ir-127", "csISOLatinArabic", "iso_8859-6:1987", "8859_6",
                  "ecma-114", "asmo-708", "iso-8859-6-e", "iso-8859-6-i", "csISO88596E",
                  "csISO88596I", "28596"],
        summary: "Latin/Arabic",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_6_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 17, script: Script::Arabic, cost: 1, languages: &[] }),
    }
    "iso-8859-7" {
        labels: &["greek", "greek8", "iso-ir-126", "csISOLatinGreek", "iso_8859-7:1987",
                  "8859_7", "ecma-118", "elot_928", "sun_eu_greek", "28597"],
        summary: "Latin/Greek, with the euro sign of 2003",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_7_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 14, script: Script::Greek, cost: 1, languages: &[] }),
    }
    "iso-8859-8" {
        labels: &["hebrew", "iso-ir-138", "csISOLatinHebrew", "iso_8859-8:1988", "8859_8",
                  "iso-8859-8-e", "iso-8859-8-i", "csISO88598E", "csISO88598I", "visual",
                  "logical", "28598", "38598"],
        summary: "Latin/Hebrew, in either order",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_8_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 16, script: Script::Hebrew, cost: 1, languages: &[] }),
    }
    "iso-8859-9" {
        labels: &["latin5", "l5", "iso-ir-148", "csISOLatin5", "iso_8859-9:1989", "8859_9",
                  "28599"],
        summary: "Latin-5: Turkish (WHATWG takes this name for windows-1254)",
        base: PageBase::Latin1,
        patches: &[TURKISH],
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 13, script: Script::Latin, cost: 3, languages: TURKIC }),
    }
    "iso-8859-10" {
        labels: &["latin6", "l6", "iso-ir-157", "csISOLatin6", "iso_8859-10:1992",
                  "8859_10", "28600"],
        summary: "Latin-6: Nordic",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_10_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 21, script: Script::Latin, cost: 6, languages: NORDIC }),
    }
    "iso-8859-11" {
        labels: &["8859_11", "28601"],
        summary: "Latin/Thai (WHATWG takes this name for windows-874)",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT),
        patches: &[CONTROLS],
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 25, script: Script::Thai, cost: 2, languages: &[] }),
    }
    "iso-8859-13" {
        labels: &["latin7", "l7", "iso-ir-179", "csISO885913", "8859_13", "28603"],
        summary: "Latin-7: Baltic",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_13_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 18, script: Script::Latin, cost: 4, languages: BALTIC }),
    }
    "iso-8859-14" {
        labels: &["latin8", "l8", "iso-ir-199", "csISO885914", "iso_8859-14:1998",
                  "iso-celtic", "8859_14", "28604"],
        summary: "Latin-8: Celtic",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_14_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 22, script: Script::Latin, cost: 6, languages: CELTIC }),
    }
    "iso-8859-15" {
        labels: &["latin9", "l9", "iso-ir-203", "csISOLatin9", "csISO885915", "8859_15",
                  "28605"],
        summary: "Latin-9: Latin-1 with the euro sign and seven letters",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_15_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 12, script: Script::Latin, cost: 3, languages: WESTERN }),
    }
    "iso-8859-16" {
        labels: &["latin10", "l10", "iso-ir-226", "csISO885916", "iso_8859-16:2001",
                  "8859_16", "28606"],
        summary: "Latin-10: South-Eastern Europe",
        base: PageBase::Whatwg(&encoding_rs::ISO_8859_16_INIT),
        family: PageFamily::Iso,
        detect: Some(Prior { rank: 23, script: Script::Latin, cost: 9, languages: &["ro"] }),
    }
    "windows-874" {
        labels: &["cp874", "874", "x-cp874", "ms874", "dos-874"],
        summary: "Windows: Thai",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 9, script: Script::Thai, cost: 0, languages: &[] }),
    }
    "windows-1250" {
        labels: &["cp1250", "1250", "x-cp1250", "ibm-1250", "ms-1250"],
        summary: "Windows: Central Europe; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1250_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 1, script: Script::Latin, cost: 1, languages: CENTRAL }),
        mojibake: Some(Trial { rank: 1, peers: &["iso-8859-2"] }),
    }
    "windows-1251" {
        labels: &["cp1251", "1251", "x-cp1251", "ibm-1251", "ms-1251"],
        summary: "Windows: Cyrillic; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1251_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 2, script: Script::Cyrillic, cost: 0, languages: &[] }),
        mojibake: Some(Trial { rank: 2, peers: &[] }),
    }
    "windows-1252" {
        labels: &["cp1252", "1252", "x-cp1252", "ibm-1252", "ms-1252", "ansi"],
        summary: "Windows: Western Europe; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1252_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 0, script: Script::Latin, cost: 0, languages: WESTERN }),
        mojibake: Some(Trial { rank: 0, peers: &[] }),
    }
    "windows-1253" {
        labels: &["cp1253", "1253", "x-cp1253", "ibm-1253", "ms-1253"],
        summary: "Windows: Greek",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1253_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 3, script: Script::Greek, cost: 0, languages: &[] }),
        mojibake: Some(Trial { rank: 3, peers: &[] }),
    }
    "windows-1254" {
        labels: &["cp1254", "1254", "x-cp1254", "ibm-1254", "ms-1254"],
        summary: "Windows: Turkish; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1254_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 4, script: Script::Latin, cost: 2, languages: TURKIC }),
        mojibake: Some(Trial { rank: 4, peers: &[] }),
    }
    "windows-1255" {
        labels: &["cp1255", "1255", "x-cp1255", "ibm-1255", "ms-1255"],
        summary: "Windows: Hebrew",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1255_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 5, script: Script::Hebrew, cost: 0, languages: &[] }),
    }
    "windows-1256" {
        labels: &["cp1256", "1256", "x-cp1256", "ibm-1256", "ms-1256"],
        summary: "Windows: Arabic; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1256_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 6, script: Script::Arabic, cost: 0, languages: &[] }),
    }
    "windows-1257" {
        labels: &["cp1257", "1257", "x-cp1257", "ibm-1257", "ms-1257"],
        summary: "Windows: Baltic",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1257_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 7, script: Script::Latin, cost: 2, languages: BALTIC }),
        mojibake: Some(Trial { rank: 5, peers: &[] }),
    }
    "windows-1258" {
        labels: &["cp1258", "1258", "x-cp1258", "ibm-1258", "ms-1258"],
        summary: "Windows: Vietnamese; every input is well formed",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_1258_INIT),
        family: PageFamily::Windows,
        detect: Some(Prior { rank: 8, script: Script::Latin, cost: 4, languages: &["vi"] }),
    }
    "koi8-r" {
        labels: &["koi", "koi8", "csKOI8R", "20866", "cp20866", "cp878", "878"],
        summary: "KOI8-R: Russian",
        base: PageBase::Whatwg(&encoding_rs::KOI8_R_INIT),
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 26, script: Script::Cyrillic, cost: 1, languages: &["ru", "uk", "be", "bg"] }),
        mojibake: Some(Trial { rank: 7, peers: &[] }),
    }
    "koi8-u" {
        labels: &["koi8-ru", "csKOI8U", "21866", "cp21866"],
        summary: "KOI8-U: Ukrainian, with the Belarusian letter of the WHATWG",
        base: PageBase::Whatwg(&encoding_rs::KOI8_U_INIT),
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 27, script: Script::Cyrillic, cost: 2, languages: &["uk", "ru", "be"] }),
    }
    "koi8-t" {
        summary: "KOI8-T: Tajik, and Russian",
        base: PageBase::Upper(&KOI8_T),
        family: PageFamily::Koi8,
        detect: Some(Prior { rank: 48, script: Script::Cyrillic, cost: 15, languages: &["und-cyrl"] }),
    }
    "macintosh" {
        labels: &["mac", "x-mac-roman", "macroman", "csMacintosh", "10000"],
        summary: "Mac OS Roman",
        base: PageBase::Whatwg(&encoding_rs::MACINTOSH_INIT),
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 29, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 8, peers: &[] }),
    }
    "x-mac-cyrillic" {
        labels: &["x-mac-ukrainian", "mac-cyrillic", "mac-ukrainian", "10007"],
        summary: "Mac OS Cyrillic, with the Ukrainian letters",
        base: PageBase::Whatwg(&encoding_rs::X_MAC_CYRILLIC_INIT),
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 30, script: Script::Cyrillic, cost: 3, languages: SLAVIC }),
    }
    "x-mac-ce" {
        labels: &["x-mac-centraleurroman", "mac-centraleurope", "mac-latin2", "10029"],
        summary: "Mac OS Central European",
        base: PageBase::Upper(&MAC_CENTRAL_EUROPEAN),
        family: PageFamily::Macintosh,
        detect: Some(Prior { rank: 47, script: Script::Latin, cost: 4, languages: &["pl", "cs", "sk", "hu", "lv", "lt", "et"] }),
    }
    "x-user-defined" {
        summary: "ASCII, and 80..FF as U+F780..F7FF",
        base: PageBase::Whatwg(&encoding_rs::X_USER_DEFINED_INIT),
    }
    "tis-620" {
        labels: &["tis620-0", "tis620.2529-1", "tis620.2533-0", "iso-ir-166", "csTIS620"],
        summary: "TIS-620: Thai, without the controls of ISO-8859-11",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT),
        patches: &[NO_CONTROLS],
        detect: Some(Prior { rank: 24, script: Script::Thai, cost: 1, languages: &[] }),
    }
    "ibm-874" {
        summary: "IBM: Thai; not windows-874",
        base: PageBase::Whatwg(&encoding_rs::WINDOWS_874_INIT),
        patches: &[NO_CONTROLS, IBM_THAI],
        detect: Some(Prior { rank: 45, script: Script::Thai, cost: 6, languages: &[] }),
    }
    "ibm437" {
        labels: &["437", "cp437", "csPC8CodePage437"],
        summary: "DOS: United States",
        base: PageBase::Upper(&IBM437),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 32, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 9, peers: &[] }),
    }
    "ibm737" {
        labels: &["737", "cp737"],
        summary: "DOS: Greek",
        base: PageBase::Upper(&IBM737),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 36, script: Script::Greek, cost: 3, languages: &[] }),
    }
    "ibm775" {
        labels: &["775", "cp775", "csPC775Baltic"],
        summary: "DOS: Baltic",
        base: PageBase::Upper(&IBM775),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 38, script: Script::Latin, cost: 5, languages: BALTIC }),
    }
    "ibm850" {
        labels: &["850", "cp850", "csPC850Multilingual"],
        summary: "DOS: Western Europe",
        base: PageBase::Upper(&IBM850),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 31, script: Script::Latin, cost: 3, languages: WESTERN }),
        mojibake: Some(Trial { rank: 10, peers: &[] }),
    }
    "ibm852" {
        labels: &["852", "cp852", "csPCp852"],
        summary: "DOS: Central Europe",
        base: PageBase::Upper(&IBM852),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 33, script: Script::Latin, cost: 3, languages: CENTRAL }),
    }
    "ibm855" {
        labels: &["855", "cp855", "csIBM855"],
        summary: "DOS: Cyrillic",
        base: PageBase::Upper(&IBM855),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 35, script: Script::Cyrillic, cost: 4, languages: &["ru", "bg", "sr", "mk"] }),
    }
    "ibm857" {
        labels: &["857", "cp857", "csIBM857"],
        summary: "DOS: Turkish",
        base: PageBase::Upper(&IBM857),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 39, script: Script::Latin, cost: 4, languages: TURKIC }),
    }
    "ibm858" {
        labels: &["858", "cp858", "csIBM00858", "ibm00858", "pc-multilingual-850+euro"],
        summary: "DOS: Western Europe, with the euro sign",
        base: PageBase::Upper(&IBM850),
        patches: &[&[(0xD5, 0x20AC)]],
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 34, script: Script::Latin, cost: 4, languages: WESTERN }),
    }
    "ibm860" {
        labels: &["860", "cp860", "csIBM860"],
        summary: "DOS: Portuguese",
        base: PageBase::Upper(&IBM860),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 41, script: Script::Latin, cost: 6, languages: &["pt"] }),
    }
    "ibm861" {
        labels: &["861", "cp861", "csIBM861", "cp-is"],
        summary: "DOS: Icelandic",
        base: PageBase::Upper(&IBM861),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 42, script: Script::Latin, cost: 6, languages: &["is"] }),
    }
    "ibm862" {
        labels: &["862", "cp862", "csPC862LatinHebrew"],
        summary: "DOS: Hebrew",
        base: PageBase::Upper(&IBM862),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 40, script: Script::Hebrew, cost: 3, languages: &[] }),
    }
    "ibm863" {
        labels: &["863", "cp863", "csIBM863"],
        summary: "DOS: French Canada",
        base: PageBase::Upper(&IBM863),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 43, script: Script::Latin, cost: 6, languages: WESTERN }),
    }
    "ibm864" {
        labels: &["864", "cp864", "csIBM864"],
        summary: "DOS: Arabic, presentation forms",
        base: PageBase::Upper(&IBM864),
        patches: &[&[(b'%', 0x066A)]],
        family: PageFamily::Dos,
    }
    "ibm865" {
        labels: &["865", "cp865", "csIBM865"],
        summary: "DOS: Nordic",
        base: PageBase::Upper(&IBM865),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 44, script: Script::Latin, cost: 5, languages: NORDIC }),
    }
    "ibm866" {
        labels: &["866", "cp866", "csIBM866"],
        summary: "DOS: Russian",
        base: PageBase::Whatwg(&encoding_rs::IBM866_INIT),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 28, script: Script::Cyrillic, cost: 2, languages: &["ru", "uk", "be", "bg"] }),
    }
    "ibm869" {
        labels: &["869", "cp869", "csIBM869", "cp-gr"],
        summary: "DOS: Modern Greek",
        base: PageBase::Upper(&IBM869),
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 37, script: Script::Greek, cost: 5, languages: &[] }),
    }
    "ibm1125" {
        labels: &["1125", "cp1125", "cp866u", "ruscii"],
        summary: "DOS: Ukrainian; ibm866 with other letters in F2..F9",
        base: PageBase::Whatwg(&encoding_rs::IBM866_INIT),
        patches: &[RUSCII],
        family: PageFamily::Dos,
        detect: Some(Prior { rank: 46, script: Script::Cyrillic, cost: 3, languages: &["uk", "ru", "be"] }),
    }
    "ibm037" {
        labels: &["37", "037", "cp37", "cp037", "ebcdic-cp-us", "ebcdic-cp-ca",
                  "ebcdic-cp-nl", "ebcdic-cp-wt", "csIBM037"],
        summary: "EBCDIC: United States; 25 is the line feed",
        base: PageBase::Full(&IBM037),
        line_feed: 0x25,
        family: PageFamily::Ebcdic,
    }
    "ibm037-lf" {
        labels: &["cp037-lf"],
        summary: "EBCDIC: United States; 15 is the line feed, 25 U+0085",
        base: PageBase::Full(&IBM037),
        patches: &[SWAPPED],
        line_feed: 0x15,
        family: PageFamily::Ebcdic,
    }
    "ibm1047" {
        labels: &["1047", "cp1047", "csIBM1047"],
        summary: "EBCDIC: Open Systems; 25 is the line feed",
        base: PageBase::Full(&IBM037),
        patches: &[OPEN_SYSTEMS],
        line_feed: 0x25,
        family: PageFamily::Ebcdic,
    }
    "ibm1047-lf" {
        labels: &["cp1047-lf"],
        summary: "EBCDIC: Open Systems; 15 is the line feed, 25 U+0085",
        base: PageBase::Full(&IBM037),
        patches: &[OPEN_SYSTEMS, SWAPPED],
        line_feed: 0x15,
        family: PageFamily::Ebcdic,
    }
};

/// Latin-5 has Turkish letters in place of the Icelandic letters of Latin-1.
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

static TURKISH: &[(u8, u16)] = &[
    (0xD0, 0x011E),
    (0xDD, 0x0130),
    (0xDE, 0x015E),
    (0xF0, 0x011F),
    (0xFD, 0x0131),
    (0xFE, 0x015F),
];

/// The letters of Ukrainian in ibm1125.
static RUSCII: &[(u8, u16)] = &[
    (0xF2, 0x490),
    (0xF3, 0x491),
    (0xF4, 0x404),
    (0xF5, 0x454),
    (0xF6, 0x406),
    (0xF7, 0x456),
    (0xF8, 0x407),
    (0xF9, 0x457),
];

/// C1 controls in place of the marks that Microsoft added to ISO-8859-11.
static CONTROLS: &[(u8, u16)] = &[
    (0x80, 0x80),
    (0x85, 0x85),
    (0x91, 0x91),
    (0x92, 0x92),
    (0x93, 0x93),
    (0x94, 0x94),
    (0x95, 0x95),
    (0x96, 0x96),
    (0x97, 0x97),
];

/// 80..A0 are unmapped: no C1 controls, no no-break space.
static NO_CONTROLS: &[(u8, u16)] = &{
    let mut unmapped = [(0, UNMAPPED); 0x21];
    let mut at = 0;
    while at < unmapped.len() {
        unmapped[at].0 = 0x80 + at as u8;
        at += 1;
    }
    unmapped
};

/// The characters that IBM added to TIS-620.
static IBM_THAI: &[(u8, u16)] = &[
    (0xA0, 0x0E48),
    (0xDB, 0x0E49),
    (0xDC, 0x0E4A),
    (0xDD, 0x0E4B),
    (0xDE, 0x0E4C),
    (0xFC, 0xA2),
    (0xFD, 0xAC),
    (0xFE, 0xA6),
    (0xFF, 0xA0),
];

/// The six bytes in which code page 1047 differs from 037.
static OPEN_SYSTEMS: &[(u8, u16)] = &[
    (0x5F, b'^' as u16),
    (0xAD, b'[' as u16),
    (0xB0, 0xAC),
    (0xBA, 0xDD),
    (0xBB, 0xA8),
    (0xBD, b']' as u16),
];

/// Line feed and next line (U+0085) exchanged.
static SWAPPED: &[(u8, u16)] = &[(0x15, b'\n' as u16), (0x25, 0x85)];

/// DOS: United States.
static IBM437: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 00E0 00E5 00E7 00EA 00EB 00E8 00EF 00EE 00EC 00C4 00C5
    00C9 00E6 00C6 00F4 00F6 00F2 00FB 00F9 00FF 00D6 00DC 00A2 00A3 00A5 20A7 0192
    00E1 00ED 00F3 00FA 00F1 00D1 00AA 00BA 00BF 2310 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// Mac OS Central European.
static MAC_CENTRAL_EUROPEAN: [u16; 128] = table(
    "\
    00C4 0100 0101 00C9 0104 00D6 00DC 00E1 0105 010C 00E4 010D 0106 0107 00E9 0179
    017A 010E 00ED 010F 0112 0113 0116 00F3 0117 00F4 00F6 00F5 00FA 011A 011B 00FC
    2020 00B0 0118 00A3 00A7 2022 00B6 00DF 00AE 00A9 2122 0119 00A8 2260 0123 012E
    012F 012A 2264 2265 012B 0136 2202 2211 0142 013B 013C 013D 013E 0139 013A 0145
    0146 0143 00AC 221A 0144 0147 2206 00AB 00BB 2026 00A0 0148 0150 00D5 0151 014C
    2013 2014 201C 201D 2018 2019 00F7 25CA 014D 0154 0155 0158 2039 203A 0159 0156
    0157 0160 201A 201E 0161 015A 015B 00C1 0164 0165 00CD 017D 017E 016A 00D3 00D4
    016B 016E 00DA 016F 0170 0171 0172 0173 00DD 00FD 0137 017B 0141 017C 0122 02C7",
);

/// KOI8-T.
static KOI8_T: [u16; 128] = table(
    "\
    049B 0493 201A 0492 201E 2026 2020 2021 FFFD 2030 04B3 2039 04B2 04B7 04B6 FFFD
    049A 2018 2019 201C 201D 2022 2013 2014 FFFD 2122 FFFD 203A FFFD FFFD FFFD FFFD
    FFFD 04EF 04EE 0451 00A4 04E3 00A6 00A7 FFFD FFFD FFFD 00AB 00AC 00AD 00AE FFFD
    00B0 00B1 00B2 0401 FFFD 04E2 00B6 00B7 FFFD 2116 FFFD 00BB FFFD FFFD FFFD 00A9
    044E 0430 0431 0446 0434 0435 0444 0433 0445 0438 0439 043A 043B 043C 043D 043E
    043F 044F 0440 0441 0442 0443 0436 0432 044C 044B 0437 0448 044D 0449 0447 044A
    042E 0410 0411 0426 0414 0415 0424 0413 0425 0418 0419 041A 041B 041C 041D 041E
    041F 042F 0420 0421 0422 0423 0416 0412 042C 042B 0417 0428 042D 0429 0427 042A",
);

/// DOS: Greek.
static IBM737: [u16; 128] = table(
    "\
    0391 0392 0393 0394 0395 0396 0397 0398 0399 039A 039B 039C 039D 039E 039F 03A0
    03A1 03A3 03A4 03A5 03A6 03A7 03A8 03A9 03B1 03B2 03B3 03B4 03B5 03B6 03B7 03B8
    03B9 03BA 03BB 03BC 03BD 03BE 03BF 03C0 03C1 03C3 03C2 03C4 03C5 03C6 03C7 03C8
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03C9 03AC 03AD 03AE 03CA 03AF 03CC 03CD 03CB 03CE 0386 0388 0389 038A 038C 038E
    038F 00B1 2265 2264 03AA 03AB 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: Baltic.
static IBM775: [u16; 128] = table(
    "\
    0106 00FC 00E9 0101 00E4 0123 00E5 0107 0142 0113 0156 0157 012B 0179 00C4 00C5
    00C9 00E6 00C6 014D 00F6 0122 00A2 015A 015B 00D6 00DC 00F8 00A3 00D8 00D7 00A4
    0100 012A 00F3 017B 017C 017A 201D 00A6 00A9 00AE 00AC 00BD 00BC 0141 00AB 00BB
    2591 2592 2593 2502 2524 0104 010C 0118 0116 2563 2551 2557 255D 012E 0160 2510
    2514 2534 252C 251C 2500 253C 0172 016A 255A 2554 2569 2566 2560 2550 256C 017D
    0105 010D 0119 0117 012F 0161 0173 016B 017E 2518 250C 2588 2584 258C 2590 2580
    00D3 00DF 014C 0143 00F5 00D5 00B5 0144 0136 0137 013B 013C 0146 0112 0145 2019
    00AD 00B1 201C 00BE 00B6 00A7 00F7 201E 00B0 2219 00B7 00B9 00B3 00B2 25A0 00A0",
);

/// DOS: Western Europe.
static IBM850: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 00E0 00E5 00E7 00EA 00EB 00E8 00EF 00EE 00EC 00C4 00C5
    00C9 00E6 00C6 00F4 00F6 00F2 00FB 00F9 00FF 00D6 00DC 00F8 00A3 00D8 00D7 0192
    00E1 00ED 00F3 00FA 00F1 00D1 00AA 00BA 00BF 00AE 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 00C1 00C2 00C0 00A9 2563 2551 2557 255D 00A2 00A5 2510
    2514 2534 252C 251C 2500 253C 00E3 00C3 255A 2554 2569 2566 2560 2550 256C 00A4
    00F0 00D0 00CA 00CB 00C8 0131 00CD 00CE 00CF 2518 250C 2588 2584 00A6 00CC 2580
    00D3 00DF 00D4 00D2 00F5 00D5 00B5 00FE 00DE 00DA 00DB 00D9 00FD 00DD 00AF 00B4
    00AD 00B1 2017 00BE 00B6 00A7 00F7 00B8 00B0 00A8 00B7 00B9 00B3 00B2 25A0 00A0",
);

/// DOS: Central Europe.
static IBM852: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 016F 0107 00E7 0142 00EB 0150 0151 00EE 0179 00C4 0106
    00C9 0139 013A 00F4 00F6 013D 013E 015A 015B 00D6 00DC 0164 0165 0141 00D7 010D
    00E1 00ED 00F3 00FA 0104 0105 017D 017E 0118 0119 00AC 017A 010C 015F 00AB 00BB
    2591 2592 2593 2502 2524 00C1 00C2 011A 015E 2563 2551 2557 255D 017B 017C 2510
    2514 2534 252C 251C 2500 253C 0102 0103 255A 2554 2569 2566 2560 2550 256C 00A4
    0111 0110 010E 00CB 010F 0147 00CD 00CE 011B 2518 250C 2588 2584 0162 016E 2580
    00D3 00DF 00D4 0143 0144 0148 0160 0161 0154 00DA 0155 0170 00FD 00DD 0163 00B4
    00AD 02DD 02DB 02C7 02D8 00A7 00F7 00B8 00B0 00A8 02D9 0171 0158 0159 25A0 00A0",
);

/// DOS: Cyrillic.
static IBM855: [u16; 128] = table(
    "\
    0452 0402 0453 0403 0451 0401 0454 0404 0455 0405 0456 0406 0457 0407 0458 0408
    0459 0409 045A 040A 045B 040B 045C 040C 045E 040E 045F 040F 044E 042E 044A 042A
    0430 0410 0431 0411 0446 0426 0434 0414 0435 0415 0444 0424 0433 0413 00AB 00BB
    2591 2592 2593 2502 2524 0445 0425 0438 0418 2563 2551 2557 255D 0439 0419 2510
    2514 2534 252C 251C 2500 253C 043A 041A 255A 2554 2569 2566 2560 2550 256C 00A4
    043B 041B 043C 041C 043D 041D 043E 041E 043F 2518 250C 2588 2584 041F 044F 2580
    042F 0440 0420 0441 0421 0442 0422 0443 0423 0436 0416 0432 0412 044C 042C 2116
    00AD 044B 042B 0437 0417 0448 0428 044D 042D 0449 0429 0447 0427 00A7 25A0 00A0",
);

/// DOS: Turkish.
static IBM857: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 00E0 00E5 00E7 00EA 00EB 00E8 00EF 00EE 0131 00C4 00C5
    00C9 00E6 00C6 00F4 00F6 00F2 00FB 00F9 0130 00D6 00DC 00F8 00A3 00D8 015E 015F
    00E1 00ED 00F3 00FA 00F1 00D1 011E 011F 00BF 00AE 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 00C1 00C2 00C0 00A9 2563 2551 2557 255D 00A2 00A5 2510
    2514 2534 252C 251C 2500 253C 00E3 00C3 255A 2554 2569 2566 2560 2550 256C 00A4
    00BA 00AA 00CA 00CB 00C8 FFFD 00CD 00CE 00CF 2518 250C 2588 2584 00A6 00CC 2580
    00D3 00DF 00D4 00D2 00F5 00D5 00B5 FFFD 00D7 00DA 00DB 00D9 00EC 00FF 00AF 00B4
    00AD 00B1 FFFD 00BE 00B6 00A7 00F7 00B8 00B0 00A8 00B7 00B9 00B3 00B2 25A0 00A0",
);

/// DOS: Portuguese.
static IBM860: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E3 00E0 00C1 00E7 00EA 00CA 00E8 00CD 00D4 00EC 00C3 00C2
    00C9 00C0 00C8 00F4 00F5 00F2 00DA 00F9 00CC 00D5 00DC 00A2 00A3 00D9 20A7 00D3
    00E1 00ED 00F3 00FA 00F1 00D1 00AA 00BA 00BF 00D2 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: Icelandic.
static IBM861: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 00E0 00E5 00E7 00EA 00EB 00E8 00D0 00F0 00DE 00C4 00C5
    00C9 00E6 00C6 00F4 00F6 00FE 00FB 00DD 00FD 00D6 00DC 00F8 00A3 00D8 20A7 0192
    00E1 00ED 00F3 00FA 00C1 00CD 00D3 00DA 00BF 2310 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: Hebrew.
static IBM862: [u16; 128] = table(
    "\
    05D0 05D1 05D2 05D3 05D4 05D5 05D6 05D7 05D8 05D9 05DA 05DB 05DC 05DD 05DE 05DF
    05E0 05E1 05E2 05E3 05E4 05E5 05E6 05E7 05E8 05E9 05EA 00A2 00A3 00A5 20A7 0192
    00E1 00ED 00F3 00FA 00F1 00D1 00AA 00BA 00BF 2310 00AC 00BD 00BC 00A1 00AB 00BB
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: French Canada.
static IBM863: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00C2 00E0 00B6 00E7 00EA 00EB 00E8 00EF 00EE 2017 00C0 00A7
    00C9 00C8 00CA 00F4 00CB 00CF 00FB 00F9 00A4 00D4 00DC 00A2 00A3 00D9 00DB 0192
    00A6 00B4 00F3 00FA 00A8 00B8 00B3 00AF 00CE 2310 00AC 00BD 00BC 00BE 00AB 00BB
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: Arabic presentation forms.
static IBM864: [u16; 128] = table(
    "\
    00B0 00B7 2219 221A 2592 2500 2502 253C 2524 252C 251C 2534 2510 250C 2514 2518
    03B2 221E 03C6 00B1 00BD 00BC 2248 00AB 00BB FEF7 FEF8 FFFD FFFD FEFB FEFC FFFD
    00A0 00AD FE82 00A3 00A4 FE84 FFFD FFFD FE8E FE8F FE95 FE99 060C FE9D FEA1 FEA5
    0660 0661 0662 0663 0664 0665 0666 0667 0668 0669 FED1 061B FEB1 FEB5 FEB9 061F
    00A2 FE80 FE81 FE83 FE85 FECA FE8B FE8D FE91 FE93 FE97 FE9B FE9F FEA3 FEA7 FEA9
    FEAB FEAD FEAF FEB3 FEB7 FEBB FEBF FEC1 FEC5 FECB FECF 00A6 00AC 00F7 00D7 FEC9
    0640 FED3 FED7 FEDB FEDF FEE3 FEE7 FEEB FEED FEEF FEF3 FEBD FECC FECE FECD FEE1
    FE7D 0651 FEE5 FEE9 FEEC FEF0 FEF2 FED0 FED5 FEF5 FEF6 FEDD FED9 FEF1 25A0 FFFD",
);

/// DOS: Nordic.
static IBM865: [u16; 128] = table(
    "\
    00C7 00FC 00E9 00E2 00E4 00E0 00E5 00E7 00EA 00EB 00E8 00EF 00EE 00EC 00C4 00C5
    00C9 00E6 00C6 00F4 00F6 00F2 00FB 00F9 00FF 00D6 00DC 00F8 00A3 00D8 20A7 0192
    00E1 00ED 00F3 00FA 00F1 00D1 00AA 00BA 00BF 2310 00AC 00BD 00BC 00A1 00AB 00A4
    2591 2592 2593 2502 2524 2561 2562 2556 2555 2563 2551 2557 255D 255C 255B 2510
    2514 2534 252C 251C 2500 253C 255E 255F 255A 2554 2569 2566 2560 2550 256C 2567
    2568 2564 2565 2559 2558 2552 2553 256B 256A 2518 250C 2588 2584 258C 2590 2580
    03B1 00DF 0393 03C0 03A3 03C3 00B5 03C4 03A6 0398 03A9 03B4 221E 03C6 03B5 2229
    2261 00B1 2265 2264 2320 2321 00F7 2248 00B0 2219 00B7 221A 207F 00B2 25A0 00A0",
);

/// DOS: Modern Greek.
static IBM869: [u16; 128] = table(
    "\
    FFFD FFFD FFFD FFFD FFFD FFFD 0386 FFFD 00B7 00AC 00A6 2018 2019 0388 2015 0389
    038A 03AA 038C FFFD FFFD 038E 03AB 00A9 038F 00B2 00B3 03AC 00A3 03AD 03AE 03AF
    03CA 0390 03CC 03CD 0391 0392 0393 0394 0395 0396 0397 00BD 0398 0399 00AB 00BB
    2591 2592 2593 2502 2524 039A 039B 039C 039D 2563 2551 2557 255D 039E 039F 2510
    2514 2534 252C 251C 2500 253C 03A0 03A1 255A 2554 2569 2566 2560 2550 256C 03A3
    03A4 03A5 03A6 03A7 03A8 03A9 03B1 03B2 03B3 2518 250C 2588 2584 03B4 03B5 2580
    03B6 03B7 03B8 03B9 03BA 03BB 03BC 03BD 03BE 03BF 03C0 03C1 03C3 03C2 03C4 0384
    00AD 00B1 03C5 03C6 03C7 00A7 03C8 0385 00B0 00A8 03C9 03CB 03B0 03CE 25A0 00A0",
);

/// EBCDIC: United States.
static IBM037: [u16; 256] = table(
    "\
    0000 0001 0002 0003 009C 0009 0086 007F 0097 008D 008E 000B 000C 000D 000E 000F
    0010 0011 0012 0013 009D 0085 0008 0087 0018 0019 0092 008F 001C 001D 001E 001F
    0080 0081 0082 0083 0084 000A 0017 001B 0088 0089 008A 008B 008C 0005 0006 0007
    0090 0091 0016 0093 0094 0095 0096 0004 0098 0099 009A 009B 0014 0015 009E 001A
    0020 00A0 00E2 00E4 00E0 00E1 00E3 00E5 00E7 00F1 00A2 002E 003C 0028 002B 007C
    0026 00E9 00EA 00EB 00E8 00ED 00EE 00EF 00EC 00DF 0021 0024 002A 0029 003B 00AC
    002D 002F 00C2 00C4 00C0 00C1 00C3 00C5 00C7 00D1 00A6 002C 0025 005F 003E 003F
    00F8 00C9 00CA 00CB 00C8 00CD 00CE 00CF 00CC 0060 003A 0023 0040 0027 003D 0022
    00D8 0061 0062 0063 0064 0065 0066 0067 0068 0069 00AB 00BB 00F0 00FD 00FE 00B1
    00B0 006A 006B 006C 006D 006E 006F 0070 0071 0072 00AA 00BA 00E6 00B8 00C6 00A4
    00B5 007E 0073 0074 0075 0076 0077 0078 0079 007A 00A1 00BF 00D0 00DD 00DE 00AE
    005E 00A3 00A5 00B7 00A9 00A7 00B6 00BC 00BD 00BE 005B 005D 00AF 00A8 00B4 00D7
    007B 0041 0042 0043 0044 0045 0046 0047 0048 0049 00AD 00F4 00F6 00F2 00F3 00F5
    007D 004A 004B 004C 004D 004E 004F 0050 0051 0052 00B9 00FB 00FC 00F9 00FA 00FF
    005C 00F7 0053 0054 0055 0056 0057 0058 0059 005A 00B2 00D4 00D6 00D2 00D3 00D5
    0030 0031 0032 0033 0034 0035 0036 0037 0038 0039 00B3 00DB 00DC 00D9 00DA 009F",
);

/// Parses code points of four hexadecimal digits each.
const fn table<const N: usize>(text: &str) -> [u16; N] {
    let text = text.as_bytes();
    let mut points = [0; N];
    let (mut at, mut digits) = (0, 0);
    while at < text.len() {
        if let Some(digit) = (text[at] as char).to_digit(16) {
            points[digits / 4] = points[digits / 4] << 4 | digit as u16;
            digits += 1;
        }
        at += 1;
    }
    assert!(digits == 4 * N);
    points
}
