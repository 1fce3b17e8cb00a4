//! Names of encodings, compared with those of other programs.

use std::collections::HashMap;

use crate::common::hex;
use crate::common::peer::{peer, python};
use utf8::registry::names::{LabelError, NameOwner, OWNERS, resolve};
use utf8::registry::{CODECS, Encoding, loose};

mod java;

/// The lead bytes of the pairs that are compared: marks, private use, and rows that sets share least.
const LEADS: [u8; 15] =
    [0x81, 0x87, 0x89, 0xB0, 0xA1, 0xA2, 0xA3, 0xA6, 0xA8, 0xAD, 0xC6, 0xC9, 0xED, 0xFA, 0xFE];

/// Prints, for each owner and name, the code point of each sequence of the first line, or -1.
const TABLES: &str = r#"
import ctypes, sys

WORD = ctypes.c_size_t
LIBC = ctypes.CDLL(None)
LIBC.iconv_open.restype = LIBC.iconv.restype = ctypes.c_void_p
LIBC.iconv.argtypes = [ctypes.c_void_p] * 5

def glibc(name):
    converter = LIBC.iconv_open(b"UTF-32LE", name.encode())
    source, target = ctypes.create_string_buffer(2), ctypes.create_string_buffer(16)
    at, to, left, room = ctypes.c_void_p(), ctypes.c_void_p(), WORD(), WORD()
    ref = ctypes.byref
    def point(code):
        LIBC.iconv(converter, None, None, None, None)
        ctypes.memmove(source, code, len(code))
        at.value, to.value = ctypes.addressof(source), ctypes.addressof(target)
        left.value, room.value = len(code), 16
        if LIBC.iconv(converter, ref(at), ref(left), ref(to), ref(room)) == WORD(-1).value:
            return -1
        LIBC.iconv(converter, None, None, ref(to), ref(room))
        return int.from_bytes(target.raw[:4], "little") if room.value == 12 and not left.value else -1
    return point

def cpython(name):
    def point(code):
        try:
            text = code.decode(name)
        except UnicodeDecodeError:
            return -1
        return ord(text) if len(text) == 1 else -1
    return point

codes = [bytes.fromhex(code) for code in sys.stdin.readline().split()]
for line in sys.stdin:
    owner, name = line.split()
    point = glibc(name) if owner == "glibc" else cpython(name)
    print(owner, name, *map(point, codes))
"#;

/// The bytes of pages that other programs read otherwise, whatever the name: IBM has 1A, 1C and 7F in
/// another order, and U+05BA has been assigned later.
const OTHER_BYTES: [(&str, &[usize]); 6] = [
    ("ibm-874", &[0x1A, 0x1C, 0x7F]),
    ("ibm1161", &[0x1A, 0x1C, 0x7F]),
    ("ibm856", &[0x1A, 0x1C, 0x7F]),
    ("windows-1255", &[0xCA]),
    // CPython has nothing there.
    ("ibm875", &[0xDC, 0xE1, 0xEC, 0xED, 0xFC, 0xFD]),
    ("tis-620", TIS_620),
];

/// CPython has controls in tis-620.
const TIS_620: &[usize] = &{
    let mut bytes = [0x80; 0x21];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = 0x80 + at;
        at += 1;
    }
    bytes
};

/// For each owner, the number of its names and of those that are known without prefix. The others are
/// of sets that no codec has.
const KNOWN: [(&str, usize, usize); 12] = [
    ("iana", 859, 692),
    ("whatwg", 184, 183),
    ("glibc", 981, 976),
    ("icu", 1116, 707),
    ("java", 747, 607),
    ("python", 352, 347),
    ("windows", 606, 499),
    ("mysql", 42, 38),
    ("oracle", 235, 98),
    ("postgresql", 81, 79),
    ("emacs", 244, 230),
    ("vim", 100, 93),
];

fn owner(prefix: &str) -> &'static NameOwner {
    OWNERS.iter().find(|owner| owner.prefix == prefix).unwrap()
}

#[test]
fn the_names_of_owners_are_known() {
    let known = OWNERS.iter().map(|owner| {
        let known = owner.names().filter(|(name, _)| Encoding::for_label(name).is_some());
        (owner.prefix, owner.names().count(), known.count())
    });
    for (found, expected) in known.zip(KNOWN) {
        let (prefix, number, known) = expected;
        assert!(found.0 == prefix && found.1 == number && found.2 >= known, "{found:?}");
    }
}

/// The names that `iconv -l` prints are those of the list.
#[test]
fn the_list_of_glibc_is_complete() {
    let Some(list) = peer("iconv", &["-l"], b"-") else { return };
    let list = String::from_utf8(list).unwrap();
    let printed = list.split_whitespace().map(|name| name.trim_end_matches(['/', ',']));
    let listed: HashMap<_, _> = owner("glibc").names().map(|(name, _)| (loose(name), ())).collect();
    let missing: Vec<_> = printed.filter(|name| !listed.contains_key(&loose(name))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A prefix changes the meaning of a name or says that no codec has it, or leaves it.
#[test]
fn prefixes_say_whose_meaning_is_meant() {
    for owner in OWNERS {
        for (name, codec) in owner.names() {
            let label = format!("{}:{name}", owner.prefix);
            let found = Encoding::for_label(&label).map(|codec| codec.name);
            let bare = Encoding::for_label(name).map(|codec| codec.name);
            let expected = codec.map_or(bare, |codec| Some(codec).filter(|name| !name.is_empty()));
            assert_eq!(found, expected, "{label}");
            assert!(codec.is_none() || expected.is_none() || expected != bare, "{label}");
        }
    }
}

#[test]
fn names_have_the_meaning_of_their_owners() {
    for (label, name) in [
        ("glibc:koi8-u", "koi8-u-rfc2319"),
        ("iconv:KOI8-U", "koi8-u-rfc2319"),
        ("iana:koi8-u", "koi8-u-rfc2319"),
        ("whatwg:koi8-u", "koi8-u"),
        ("whatwg:koi8-ru", "koi8-u"),
        ("whatwg:latin1", "windows-1252"),
        ("mysql:latin1", "windows-1252"),
        ("MySQL:utf8", "utf8mb3"),
        ("mariadb:utf8", "utf8mb3"),
        ("mssql:1252", "windows-1252"),
        ("pg:tcvn", "windows-1258"),
        ("utf-16-bom", "utf-16"),
        ("utf-16be-bom", "utf-16"),
        ("emacs:utf-16le-with-signature", "utf-16le-bom"),
        ("java:UnicodeLittle", "utf-16le-bom"),
        ("glibc:UNICODELITTLE", "ucs-2le"),
        ("glibc:UNICODEBIG", "ucs-2be"),
        // Without a BOM, both read the order of the machine, and write it with a BOM.
        ("glibc:UTF-16", "utf-16le-bom"),
        ("python:utf_16", "utf-16le-bom"),
        ("python:u32", "utf-32le-bom"),
        // ICU reads pairs of surrogates in UCS-2.
        ("icu:ucs-2", "utf-16"),
        ("icu:cp1200", "utf-16be"),
        ("glibc:EUCJP-OPEN", "eucjp-ms"),
        ("win950", "cp950"),
        ("oracle:utf8", "cesu-8"),
        ("oracle:WE8ISO8859P1", "iso-8859-1"),
        ("postgres:tcvn", "windows-1258"),
        ("java:tis620.2533", "iso-8859-11"),
        ("java:ISO-10646-UCS-2", "utf-16be"),
        // Java reads 15 as U+000A in each EBCDIC page, and in most of them 25, too.
        ("java:IBM1047", "ibm1047-lf"),
        ("python:cp874", "windows-874"),
        ("glibc:macintosh", "macintosh-glibc"),
        ("vim:ansi", "iso-8859-1"),
        ("windows:10007", "ms-mac-cyrillic"),
        ("WE8MSWIN1252", "windows-1252"),
        ("cp28605", "iso-8859-15"),
        ("dec8", "dec-mcs"),
        ("ISO-10646/UTF8/", "utf-8"),
        ("java:gb18030", "gb18030-2022"),
        ("icu:gb18030", "gb18030-2005"),
        ("icu:windows-949", "cp949"),
        ("windows:big5", "cp950"),
        ("iana:cp936", "gbk"),
        ("whatwg:ms932", "shift_jis"),
        ("win932", "cp932"),
    ] {
        assert_eq!(Encoding::for_label(label).map(|codec| codec.name), Some(name), "{label}");
    }
    // PostgreSQL 15 reads other characters: 267 codes of big5, 107 of euc_jp, A8BC of gb18030, and 5C
    // and 7E, for example, of shift_jis_2004.
    let lacking = ["big5", "euc_cn", "euc_jis_2004", "euc_jp", "gb18030", "shift_jis_2004"];
    for label in lacking {
        let found = resolve(&format!("pg:{label}"));
        assert!(matches!(found, Err(LabelError::Lacking(..))), "{label}: {found:?}");
    }
    // MySQL's greek and hebrew are those of 1987 and 1988, FC of cp866 is U+207F, and A1A4 and A1AA of
    // gb2312 are other marks; Java's pages have U+20AC at 80, and U+000A at 15 as well as at 25.
    let of_mysql = ["mysql:greek", "mysql:hebrew", "mysql:cp866", "mariadb:gb2312", "mysql:big5"];
    // glibc's UNICODE has no surrogates. 5C of ICU's ibm-943 is U+00A5, its TIS-620 is windows-874, and
    // CPython's has C1 controls. CPython's johab has 16 more codes for single jamo.
    let of_others =
        ["glibc:unicode", "icu:ibm-943", "icu:tis-620", "python:tis_620", "python:johab"];
    let all = of_mysql.into_iter().chain(of_others);
    for label in all.chain(["jdk:cp874", "jdk:ibm037"]) {
        let found = resolve(label);
        assert!(matches!(found, Err(LabelError::Lacking(..))), "{label}: {found:?}");
    }
    for (label, title) in
        [("mariadb:greek", "MariaDB"), ("mssql:x", "SQL Server"), ("pg:x", "PostgreSQL")]
    {
        let Err(LabelError::Lacking(found, _) | LabelError::Unlisted(found)) = resolve(label)
        else {
            panic!("{label}")
        };
        assert_eq!(found, title);
    }
    for label in ["glibc:x-mac-ce", "nobody:latin1", "java:", ":latin1", "glibc:glibc:latin1", "/"]
    {
        assert!(Encoding::for_label(label).is_none(), "{label}");
    }
}

/// The WHATWG decodes no text under the labels of `replacement`; without prefix they mean sets.
#[test]
fn labels_of_replacement_say_why_they_mean_nothing() {
    let labels = ["csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"];
    for label in labels.into_iter().chain(["replacement"]) {
        let theirs = encoding_rs::Encoding::for_label(label.as_bytes());
        assert_eq!(theirs, Some(encoding_rs::REPLACEMENT), "{label}");
        let prefixed = resolve(&format!("whatwg:{label}"));
        assert!(matches!(prefixed, Err(LabelError::Replacement)), "{label}: {prefixed:?}");
        let bare = resolve(label);
        let is_replacement = matches!(bare, Err(LabelError::Replacement));
        assert!(if label == "replacement" { is_replacement } else { bare.is_ok() }, "{bare:?}");
    }
}

/// All labels of the WHATWG mean what they mean there.
#[test]
fn whatwg_means_the_encodings_of_the_whatwg() {
    for (name, _) in owner("whatwg").names() {
        let theirs = encoding_rs::Encoding::for_label(name.as_bytes()).expect(name);
        let Some(ours) = Encoding::for_label(&format!("whatwg:{name}")) else {
            assert_eq!(theirs, encoding_rs::REPLACEMENT, "{name}");
            continue;
        };
        let same = encoding_rs::Encoding::for_label(ours.name.as_bytes());
        let is_logical = ours.name == "iso-8859-8" && theirs == encoding_rs::ISO_8859_8_I;
        assert!(same == Some(theirs) || is_logical, "{name}: {}", ours.name);
    }
}

/// The pages of glibc and CPython have the same table under each of their names, and refuse the same
/// bytes, controls in the holes of Windows' pages aside.
#[test]
fn prefixed_names_of_pages_mean_the_tables_of_their_owners() {
    let bytes: Vec<_> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let Some((labels, tables)) = tables_of_owners(Encoding::is_page, &bytes) else { return };
    for (points, label) in tables.iter().zip(&labels) {
        let page = Encoding::for_label(label).unwrap();
        let others = OTHER_BYTES.iter().find(|(name, _)| *name == page.name);
        let others = others.map_or(&[][..], |(_, bytes)| bytes);
        for (byte, &theirs) in points.iter().enumerate() {
            let ours = page.code_point(byte as u8);
            let is_fill = theirs.is_none() && ours.is_some_and(|c| (0x80..0xA0).contains(&c));
            let is_same = theirs == ours || is_fill || others.contains(&byte);
            assert!(is_same, "{label}, {byte:02X}: {theirs:?}, {} has {ours:?}", page.name);
        }
    }
}

/// No sequence of a set has a meaning for us and another for glibc or CPython, under any of its names.
#[test]
fn prefixed_names_of_sets_mean_the_tables_of_their_owners() {
    let singles = (0x21..0x7F).chain(0xA1..0xE0).map(|byte| vec![byte]);
    let pairs = LEADS.iter().flat_map(|&lead| (0x40..=0xFE).map(move |trail| vec![lead, trail]));
    let codes: Vec<_> = singles.chain(pairs).collect();
    let is_set = |spec: &Encoding| spec.group.is_east_asian() && !spec.properties.stateful;
    let Some((labels, tables)) = tables_of_owners(is_set, &codes) else { return };
    for (points, label) in tables.iter().zip(&labels) {
        let set = Encoding::for_label(label).unwrap();
        let mut same = 0;
        for (code, theirs) in codes.iter().zip(points) {
            let step = set.step(code);
            if let (Some(theirs), &[ours], true) =
                (theirs, step.values(), step.size() == code.len())
            {
                assert_eq!(*theirs, ours, "{label}, {code:02X?}: {}", set.name);
                same += 1;
            }
        }
        assert!(same > 600, "{label}: {same}");
    }
}

/// For each label, the code points of sequences.
type Tables = (Vec<String>, Vec<Vec<Option<u32>>>);

/// Returns the labels of glibc and CPython that mean encodings of a kind, and their tables.
fn tables_of_owners(is_of_kind: fn(&Encoding) -> bool, codes: &[Vec<u8>]) -> Option<Tables> {
    peer("iconv", &["-l"], b"-")?;
    let labels = ["glibc", "python"]
        .into_iter()
        .flat_map(|prefix| owner(prefix).names().map(move |(name, _)| format!("{prefix}:{name}")));
    let is_known = |label: &String| Encoding::for_label(label).is_some_and(is_of_kind);
    let labels: Vec<_> = labels.filter(is_known).collect();
    let names = labels.iter().map(|label| label.replacen(':', " ", 1));
    let codes = codes.iter().map(|code| hex(code).replace(' ', "")).collect::<Vec<_>>().join(" ");
    let input = [codes].into_iter().chain(names).collect::<Vec<_>>().join("\n");
    let found = python(TABLES, input.as_bytes())?;
    let points = |line: &str| line.split(' ').skip(2).map(|point| point.parse().ok()).collect();
    let tables: Vec<_> = found.lines().map(points).collect();
    assert_eq!(tables.len(), labels.len());
    Some((labels, tables))
}

/// Labels are stated once: none differs from another of its codec by what matching ignores.
#[test]
fn labels_are_found_by_their_index() {
    for row in CODECS {
        for name in row.names() {
            for spelling in [name.to_owned(), name.to_uppercase(), name.replace('-', "_ ")] {
                assert_eq!(Encoding::for_label(&spelling), Some(row), "{spelling}");
            }
        }
    }
}
