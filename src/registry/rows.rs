//! The table of encodings.

use super::Encoding;
use crate::codec::bocu1::Bocu1;
use crate::codec::family::{self, Family};
use crate::codec::fss::Fss1992;
use crate::codec::iso2022::{SHIFTED_SETS, Shifted, shifted_set};
use crate::codec::iso2022jp::Iso2022Jp;
use crate::codec::legacy::{self, MultiByte, SETS};
use crate::codec::mixed::{MIXED_SETS, MixedEbcdic, MixedSetRow, mixed_set};
use crate::codec::notation::{self, Notation};
use crate::codec::pages::{PAGES, Page};
use crate::codec::positional::Positional;
use crate::codec::scsu::Scsu;
use crate::codec::sets::{CHARSETS, CharsetRow, PlaneSet, charset};
use crate::codec::tscii::Tscii;
use crate::codec::units::{self, Units};
use crate::codec::utf1::Utf1;
use crate::codec::utf7::Utf7;
use crate::codec::{Codec, POINTS, Properties};

/// Every encoding, in the order of listings. The first is the default.
pub static CODECS: &[Encoding] = &{
    let mut all = [UNICODE[0]; UNICODE.len() + PAGES.len() + OTHERS.len()];
    let mut at = 0;
    while at < all.len() {
        let page = at.wrapping_sub(UNICODE.len());
        all[at] = match at {
            _ if at < UNICODE.len() => UNICODE[at],
            _ if page < PAGES.len() => Encoding::of_page(page),
            _ => OTHERS[page - PAGES.len()],
        };
        at += 1;
    }
    all
};

/// The encodings of Unicode.
#[rustfmt::skip]
const UNICODE: &[Encoding] = &[
    Encoding::of::<family::Utf8>(
        "utf-8",
        &["u8", "utf", "csUTF8", "unicode-1-1-utf-8", "unicode-2-0-utf-8", "x-unicode20utf8",
          "utf8mb4", "al32utf8", "65001", "cp65001", "cp_utf8", "ISO-10646/UTF-8", "18N",
          "OSF05010001", "utf8-ucs2", "utf8-ucs4", "mule-utf-8", "x-utf-8j", "ibm1208", "cp1208",
          "windows-65001"],
        "UTF-8 (RFC 3629, Unicode, ISO 10646); a BOM is text",
    ),
    Encoding::of::<Family<{ family::BOM | family::SIGN }>>(
        "utf-8-bom",
        &["utf-8-sig", "utf-8-with-signature"],
        "UTF-8 with a BOM that is not text and can be missing",
    ),
    Encoding::of::<Family<{ family::BOM }>>(
        "utf-8n",
        &["utf-8-nobom"],
        "UTF-8 without BOM; a BOM that is there is not text",
    ),
    Encoding::of::<Family<{ family::LONG | family::LONE }>>(
        "rfc2279",
        &["utf-8-31", "utf8-31bit", "utf-8-1998", "utf8-old", "x-utf-8-6", "fss-utf", "utf-fss",
          "utf-2"],
        "UTF-8 of RFC 2279: 31 bits, up to six bytes",
    ),
    Encoding::of::<family::Cesu8>(
        "cesu-8",
        &["csCESU-8", "oracle-utf8"],
        "CESU-8 (UTR #26): a UTF-16 unit in one to three bytes",
    ),
    Encoding::of::<Family<{ family::SHORT | family::JOIN | family::LONE | family::NUL2 }>>(
        "mutf-8",
        &["modified-utf-8", "java-utf-8", "jni-utf-8", "dex", "cesu-8-nul", "tcl-utf-8"],
        "Modified UTF-8 (Java): CESU-8, but U+0000 as C0 80",
    ),
    Encoding::of::<Family<
        { family::SHORT | family::JOIN | family::LONE | family::NUL2 | family::LAX },
    >>(
        "mutf-8-lax",
        &["modified-utf-8-lax", "java-readutf"],
        "Modified UTF-8 as Java reads it: overlong forms, 00",
    ),
    Encoding::of::<Family<{ family::LONE | family::APART }>>(
        "wtf-8",
        &[],
        "WTF-8: UTF-8 with lone surrogates, but no pair",
    ),
    Encoding::of::<Family<{ family::LONE }>>(
        "generalized-utf-8",
        &["generalised-utf-8"],
        "UTF-8 that admits surrogates, alone and in pairs",
    ),
    Encoding::of::<Family<{ family::ESCAPE }>>(
        "utf-8-surrogateescape",
        &["surrogateescape", "pep383", "utf-8b"],
        "PEP 383: any other byte is U+DC00 + byte; every input is well formed",
    ),
    Encoding::of::<Family<{ family::SHORT | family::JOIN | family::LONE | family::OPTU }>>(
        "optu-8",
        &[],
        "MirBSD OPTU-8: any other byte is U+EF00 + byte",
    ),
    Encoding::of::<Family<{ family::SHORT }>>(
        "utf8mb3",
        &["mysql-utf8", "cp-utf8mb3"],
        "MySQL's utf8mb3: UTF-8 of up to three bytes",
    ),
    Encoding::of::<Positional<Utf1>>(
        "utf-1",
        &["ISO-10646-UTF-1", "csISO10646UTF1", "iso-ir-178"],
        "UTF-1 (ISO-IR-178): 31 bits, controls as single bytes",
    ),
    Encoding::of::<Positional<Fss1992>>(
        "fss-utf-1992",
        &["fss-utf-prosser", "utf-fss-draft"],
        "FSS-UTF as proposed in 1992: 31 bits, no overlong forms",
    ),
    Encoding::of::<Utf7<false>>(
        "utf-7",
        &["csUTF7", "u7", "unicode-1-1-utf-7", "csUnicode11UTF7", "unicode-2-0-utf-7",
          "x-unicode20utf7", "65000", "cp65000", "windows-65000"],
        "UTF-7 (RFC 2152): ASCII, and base64 between + and -",
    ),
    Encoding::of::<Utf7<true>>(
        "utf-7-imap",
        &["imap-utf-7", "mutf-7", "modified-utf-7", "utf-7-imap-mailbox", "imap-mailbox-name",
          "csUTF7IMAP"],
        "Mailbox names of IMAP (RFC 3501), one a line",
    ),
    Encoding::of::<Scsu>(
        "scsu",
        &["csSCSU"],
        "SCSU (UTS #6): compressed by windows of 128 characters",
    ),
    Encoding::of::<Bocu1>(
        "bocu-1",
        &["csBOCU-1"],
        "BOCU-1 (UTN #6): compressed by differences",
    ),
    Encoding::of::<Units<{ units::LITTLE }>>(
        "ucs-2le",
        &[],
        "UCS-2, little-endian: no surrogates; a BOM is text",
    ),
    Encoding::of::<Units<0>>(
        "ucs-2be",
        &["ISO-10646/UCS2", "OSF00010100", "OSF00010101", "OSF00010102"],
        "UCS-2, big-endian: no surrogates; a BOM is text",
    ),
    Encoding::of::<Units<{ units::MARK }>>(
        "ucs-2",
        &["csUnicode", "iso-10646-ucs-2"],
        "UCS-2 with a BOM, big-endian without",
    ),
    Encoding::of::<Units<{ units::PAIRS | units::LITTLE }>>(
        "utf-16le",
        &["csUTF16LE", "UnicodeLittleUnmarked", "unicodeFEFF", "1200", "cp1200", "AL16UTF16LE",
          "x-utf-16le", "windows-1200", "utf16-littleendian"],
        "UTF-16, little-endian (RFC 2781); a BOM is text",
    ),
    Encoding::of::<Units<{ units::PAIRS }>>(
        "utf-16be",
        &["csUTF16BE", "UnicodeBigUnmarked", "unicodeFFFE", "1201", "cp1201", "al16utf16",
          "x-utf-16be", "windows-1201", "utf16-bigendian"],
        "UTF-16, big-endian (RFC 2781); a BOM is text",
    ),
    Encoding::of::<Units<{ units::PAIRS | units::MARK | units::SIGN }>>(
        "utf-16",
        &["csUTF16", "u16", "unicode", "UnicodeBig", "utf-16-bom", "utf-16be-bom",
          "utf-16be-with-signature"],
        "UTF-16 with a BOM, big-endian without",
    ),
    Encoding::of::<Units<{ units::PAIRS | units::MARK | units::SIGN | units::LITTLE }>>(
        "utf-16le-bom",
        &["x-utf-16le-bom", "utf-16le-with-signature"],
        "UTF-16 with a BOM, little-endian without",
    ),
    Encoding::of::<Units<{ units::PAIRS | units::LONE | units::LITTLE }>>(
        "wtf-16le",
        &[],
        "UTF-16, little-endian, that admits lone surrogates",
    ),
    Encoding::of::<Units<{ units::PAIRS | units::LONE }>>(
        "wtf-16be",
        &[],
        "UTF-16, big-endian, that admits lone surrogates",
    ),
    Encoding::of::<Units<{ units::WIDE | units::LITTLE }>>(
        "utf-32le",
        &["csUTF32LE", "12000", "cp12000", "x-utf-32le", "utf32-littleendian", "windows-12000"],
        "UTF-32, little-endian; a BOM is text",
    ),
    Encoding::of::<Units<{ units::WIDE }>>(
        "utf-32be",
        &["csUTF32BE", "12001", "cp12001", "x-utf-32be", "utf32-bigendian", "windows-12001"],
        "UTF-32, big-endian; a BOM is text",
    ),
    Encoding::of::<Units<{ units::WIDE | units::MARK | units::SIGN }>>(
        "utf-32",
        &["csUTF32", "u32", "utf-32-bom", "utf-32be-bom", "x-utf-32be-bom"],
        "UTF-32 with a BOM, big-endian without",
    ),
    Encoding::of::<Units<{ units::WIDE | units::MARK | units::SIGN | units::LITTLE }>>(
        "utf-32le-bom",
        &["x-utf-32le-bom"],
        "UTF-32 with a BOM, little-endian without",
    ),
    Encoding::of::<Units<{ units::WIDE | units::LARGE | units::LONE | units::LITTLE }>>(
        "ucs-4le",
        &[],
        "UCS-4, little-endian: 31 bits, with surrogates",
    ),
    Encoding::of::<Units<{ units::WIDE | units::LARGE | units::LONE }>>(
        "ucs-4be",
        &["ucs-4", "iso-10646-ucs-4", "csUCS4", "10646-1:1993", "10646-1:1993/UCS4", "ISO-10646",
          "ISO-10646/UCS4", "OSF00010104", "OSF00010105", "OSF00010106"],
        "UCS-4, big-endian: 31 bits, with surrogates",
    ),
];

/// The multi-byte sets of East Asia and the notations.
#[rustfmt::skip]
const OTHERS: &[Encoding] = &[
    Encoding::of_set::<{ legacy::set("gbk") }>(),
    Encoding::of_set::<{ legacy::set("gb18030") }>(),
    Encoding::of_set::<{ legacy::set("big5") }>(),
    Encoding::of_set::<{ legacy::set("big5-hkscs") }>(),
    Encoding::of_set::<{ legacy::set("euc-jp") }>(),
    Encoding::of_set::<{ legacy::set("shift_jis") }>(),
    Encoding::of::<Iso2022Jp>(
        "iso-2022-jp",
        &["csISO2022JP", "50220", "cp50220", "junet", "csCP50220"],
        "ISO-2022-JP: Japanese, shifted by escape sequences",
    ),
    Encoding::of_set::<{ legacy::set("euc-kr") }>(),
    Encoding::of_charset("cp932"),
    Encoding::of_charset("cp936"),
    Encoding::of_charset("cp949"),
    Encoding::of_charset("cp950"),
    Encoding::of_charset("johab"),
    Encoding::of_charset("euc-tw"),
    Encoding::of_charset("eucjp-ms"),
    Encoding::of_charset("euc-jis-2004"),
    Encoding::of_charset("shift_jis-2004"),
    Encoding::of_charset("ibm932"),
    Encoding::of_charset("ibm943"),
    Encoding::of_charset("gb18030-2005"),
    Encoding::of_charset("gb18030-2022"),
    Encoding::of_shifted("iso-2022-jp-1"),
    Encoding::of_shifted("iso-2022-jp-2"),
    Encoding::of_shifted("iso-2022-jp-3"),
    Encoding::of_shifted("iso-2022-jp-2004"),
    Encoding::of_shifted("iso-2022-jp-ext"),
    Encoding::of_shifted("iso-2022-kr"),
    Encoding::of_shifted("iso-2022-cn"),
    Encoding::of_shifted("iso-2022-cn-ext"),
    Encoding::of_shifted("hz-gb-2312"),
    Encoding::of_mixed("ibm930"),
    Encoding::of_mixed("ibm933"),
    Encoding::of_mixed("ibm935"),
    Encoding::of_mixed("ibm937"),
    Encoding::of_mixed("ibm939"),
    Encoding::of_mixed("ibm1364"),
    Encoding::of_mixed("ibm1371"),
    Encoding::of_mixed("ibm1388"),
    Encoding::of_mixed("ibm1390"),
    Encoding::of_mixed("ibm1399"),
    Encoding::of_charset("t.61"),
    Encoding::of_charset("iso-6937"),
    Encoding::of_charset("iso-6937-2"),
    Encoding::of_charset("ansi_x3.110"),
    Encoding::of::<Tscii>(
        "tscii",
        &["csTSCII"],
        "TSCII 1.7: Tamil, vowel signs as they are seen",
    ),
    Encoding::of::<notation::points::CodePoints>(
        POINTS,
        &["u+"],
        "Code points by number, 31 bits: U+20AC, 0x20AC, \\u{20AC}, #8364",
    ),
    Encoding::of::<Notation<notation::rust::RustText>>(
        "rust",
        &["rs"],
        "Rust: the inside of a string, \\u{20AC}",
    ),
    Encoding::of::<Notation<notation::json::JsonText>>(
        "json",
        &["javascript", "js", "ecmascript"],
        "JSON and JavaScript: the inside of a string, \\u20ac, with lone surrogates",
    ),
    Encoding::of::<Notation<notation::c::CText>>(
        "c",
        &["c++", "cpp"],
        "C and C++: the inside of a string, \\u20AC, \\342\\202\\254",
    ),
    Encoding::of::<Notation<notation::python::PythonText>>(
        "python",
        &["py", "python3"],
        "Python: the inside of a string, \\u20ac, \\N{EURO SIGN}, with lone surrogates",
    ),
    Encoding::of::<Notation<notation::html::HtmlText>>(
        "html",
        &["html5"],
        "HTML: text with references, &#x20AC; &euro;",
    ),
    Encoding::of::<Notation<notation::percent::PercentText>>(
        "percent",
        &["percent-encoding", "url", "uri", "iri"],
        "Percent-encoded UTF-8 (RFC 3986): %E2%82%AC; + is itself",
    ),
];

impl Encoding {
    /// Makes the row of a code page, given by its index in [`PAGES`].
    const fn of_page(row: usize) -> Encoding {
        let page = &PAGES[row];
        Encoding {
            group: page.group,
            properties: Properties { transparent: page.ascii, ..Page::PROPERTIES },
            row,
            ..Encoding::of::<Page>(page.name, page.labels, page.summary)
        }
    }

    /// Makes the row of a multi-byte set, given by its index in [`SETS`].
    const fn of_set<const SET: usize>() -> Encoding {
        let set = &SETS[SET];
        Encoding {
            writes_all: !set.reads_more,
            ..Encoding::of::<MultiByte<SET>>(set.name, set.labels, set.summary)
        }
    }

    /// Makes the row of a mixed EBCDIC set.
    const fn of_mixed(name: &str) -> Encoding {
        let row = mixed_set(name);
        let MixedSetRow { name, labels, summary, .. } = MIXED_SETS[row];
        Encoding { row, ..Encoding::of::<MixedEbcdic>(name, labels, summary) }
    }

    /// Makes the row of a shifted set.
    const fn of_shifted(name: &str) -> Encoding {
        let row = shifted_set(name);
        let set = &SHIFTED_SETS[row];
        let encoding = match set.widest() {
            2 => Encoding::of::<Shifted<2>>(set.name, set.labels, set.summary),
            _ => Encoding::of::<Shifted<4>>(set.name, set.labels, set.summary),
        };
        Encoding { row, ..encoding }
    }

    /// Makes the row of a multi-byte set with tables of its own.
    const fn of_charset(name: &str) -> Encoding {
        let row = charset(name);
        let CharsetRow { name, labels, summary, group, transparent, .. } = CHARSETS[row];
        let encoding = match CHARSETS[row].widest() {
            2 => Encoding::of::<PlaneSet<2>>(name, labels, summary),
            3 => Encoding::of::<PlaneSet<3>>(name, labels, summary),
            _ => Encoding::of::<PlaneSet<4>>(name, labels, summary),
        };
        let scalars = CHARSETS[row].holds_all();
        let properties = Properties { transparent, scalars, ..encoding.properties };
        Encoding { group, properties, row, ..encoding }
    }
}
