//! Code pages, against their publishers' tables.

use crate::common::written;
use std::collections::HashSet;
use std::iter;

use crate::common::inputs::Rng;
use crate::common::log::whole;
use crate::common::{BLIND, TIMID, each, hex, lines, tally};
use crate::legacy::steps;
use encoding_rs::WINDOWS_1252;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use utf8::codec::pages::{PAGES, PageRow};
use utf8::codec::{Escapes, Group, Step};
use utf8::issue::{Issue, Kind};
use utf8::kernel::best;
use utf8::registry::{CODECS, Encoding};

/// Returns the single-byte code pages.
fn pages() -> Vec<&'static Encoding> {
    CODECS.iter().filter(|spec| spec.inner.reach == Some(0)).collect()
}

/// Returns the code point of a byte.
fn point(spec: &Encoding, byte: u8) -> Option<u32> {
    match spec.step(&[byte]) {
        Step::Scalar { value, len: 1 } => Some(value),
        Step::Ill { kind: Kind::Unmapped, len: 1, replacements: 1 } => None,
        step => panic!("{}: {byte:02X}: {step:?}", spec.name),
    }
}

fn points(spec: &Encoding) -> Vec<Option<u32>> {
    (0..=u8::MAX).map(|byte| point(spec, byte)).collect()
}

/// Returns the bytes to which a page and another table assign different code points.
fn differ(spec: &Encoding, theirs: &[Option<u32>]) -> Vec<u8> {
    let ours = points(spec);
    (0..=u8::MAX).filter(|&byte| ours[usize::from(byte)] != theirs[usize::from(byte)]).collect()
}

#[test]
fn each_page_is_an_encoding() {
    let facts = |name, labels, summary| (name, labels, summary);
    let rows: Vec<_> = PAGES.iter().map(|row| facts(row.name, row.labels, row.summary)).collect();
    let listed: Vec<_> =
        pages().iter().map(|spec| facts(spec.name, spec.labels, spec.summary)).collect();
    assert_eq!(listed, rows);
}

#[test]
fn ranks_are_unique_and_without_gaps() {
    let ranks: [fn(&PageRow) -> Option<u8>; 3] = [
        |row| Some(row.detect.filter(|_| !row.family.is_ebcdic())?.rank),
        |row| Some(row.detect.filter(|_| row.family.is_ebcdic())?.rank),
        |row| Some(row.mojibake?.rank),
    ];
    for rank in ranks {
        let mut ranks: Vec<_> = PAGES.iter().filter_map(rank).collect();
        ranks.sort_unstable();
        assert_eq!(ranks, (0..ranks.len() as u8).collect::<Vec<_>>());
    }
}

#[test]
fn pages_are_detected_in_the_order_of_their_ranks() {
    let expected = [
        "windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255",
        "windows-1256 windows-1257 windows-1258 windows-874",
        "iso-8859-1 iso-8859-2 iso-8859-15 iso-8859-9 iso-8859-7 iso-8859-5 iso-8859-8 iso-8859-6",
        "iso-8859-13 iso-8859-4 iso-8859-3 iso-8859-10 iso-8859-14 iso-8859-16",
        "tis-620 iso-8859-11 koi8-r koi8-u ibm866 macintosh x-mac-cyrillic",
        "ibm850 ibm437 ibm852 ibm858 ibm855 ibm737 ibm869 ibm775 ibm857 ibm862 ibm860 ibm861",
        "ibm863 ibm865 ibm-874 ibm1125 x-mac-ce koi8-t ibm1131 kz1048 pt154 x-mac-greek x-mac-turkish",
    ];
    let detected: Vec<_> = utf8::detect::legacy::codecs()
        .filter(|spec| spec.is_page())
        .map(|spec| spec.name)
        .collect();
    assert_eq!(detected.join(" "), expected.join(" "));
}

/// Bytes and their code points as the standards print them; `-` marks an unassigned byte.
#[rustfmt::skip]
static PUBLISHED: &[(&str, &str)] = &[
    ("us-ascii", "00=0000 41=0041 5C=005C 7E=007E 7F=007F 80=- C0=- FF=-"),
    ("iso-8859-1", "80=0080 93=0093 9F=009F A0=00A0 A4=00A4 D0=00D0 E9=00E9 FF=00FF"),
    ("iso-8859-2", "80=0080 A1=0104 A3=0141 A4=00A4 B1=0105 E8=010D FF=02D9"),
    ("iso-8859-3", "A1=0126 A5=- AE=- BE=- C3=- D0=- E3=- F0=- FD=016D"),
    ("iso-8859-4", "A2=0138 BD=014A BF=014B"),
    ("iso-8859-5", "A1=0401 A3=0403 B0=0410 EF=044F F0=2116 FD=00A7"),
    ("iso-8859-6", "A1=- AC=060C C0=- C1=0621 F2=0652 FF=-"),
    ("iso-8859-7", "A4=20AC AA=037A AE=- C1=0391 D2=- FF=-"),
    ("iso-8859-8", "A1=- DF=2017 E0=05D0 FA=05EA FB=- FD=200E FE=200F"),
    ("iso-8859-9", "80=0080 93=0093 A1=00A1 D0=011E DD=0130 DE=015E F0=011F FD=0131 FE=015F FF=00FF"),
    ("iso-8859-10", "A1=0104 BD=2015 FF=0138"),
    ("iso-8859-11", "80=0080 85=0085 93=0093 A0=00A0 A1=0E01 DB=- DE=- DF=0E3F FB=0E5B FC=-"),
    ("iso-8859-13", "A1=201D A4=00A4 A5=201E B4=201C FF=2019"),
    ("iso-8859-14", "A1=1E02 D0=0174 FE=0177"),
    ("iso-8859-15", "A1=00A1 A4=20AC A6=0160 A8=0161 B4=017D B8=017E BC=0152 BD=0153 BE=0178 FF=00FF"),
    ("iso-8859-16", "A4=20AC AA=0218 DE=021A FE=021B"),
    ("windows-874", "80=20AC 81=0081 85=2026 91=2018 A0=00A0 A1=0E01 DB=- FC=-"),
    ("windows-1250", "80=20AC 81=0081 8A=0160 98=0098 9F=017A A3=0141"),
    ("windows-1251", "C0=0410 FF=044F A8=0401 B8=0451 98=0098 88=20AC B9=2116"),
    ("windows-1252", "80=20AC 81=0081 8D=008D 8E=017D 8F=008F 90=0090 9D=009D 9F=0178 E9=00E9"),
    ("windows-1253", "80=20AC 81=0081 A1=0385 AA=- C1=0391 D2=- FF=-"),
    ("windows-1254", "80=20AC 8E=008E D0=011E DD=0130 FE=015F"),
    ("windows-1255", "A4=20AA CA=05BA D9=- DF=- E0=05D0 FB=- FD=200E FF=-"),
    ("windows-1256", "81=067E C7=0627 FF=06D2"),
    ("windows-1257", "81=0081 A1=- A5=- C0=0104 FF=02D9"),
    ("windows-1258", "80=20AC 8A=008A D2=0309 FE=20AB"),
    ("koi8-r", "80=2500 A3=0451 A4=2553 B3=0401 C1=0430 E1=0410 FF=042A"),
    ("koi8-u", "93=2320 A4=0454 A6=0456 A7=0457 AD=0491 AE=045E BD=0490 BE=040E C1=0430"),
    ("koi8-t", "80=049B 88=- 98=- A3=0451 B5=04E2 BF=00A9 C0=044E FF=042A"),
    ("macintosh", "80=00C4 BD=03A9 C6=2206 DB=20AC DE=FB01 F0=F8FF FF=02C7"),
    ("x-mac-cyrillic", "80=0410 A2=0490 B6=0491 DF=044F FF=20AC"),
    ("x-mac-ce", "80=00C4 81=0100 8B=010D C5=0147 CB=0148 E1=0160 FC=0141 FF=02C7"),
    ("x-user-defined", "41=0041 7F=007F 80=F780 FF=F7FF"),
    ("tis-620", "7F=007F 80=- A0=- A1=0E01 DA=0E3A DB=- DF=0E3F FB=0E5B FF=-"),
    ("ibm-874", "80=- A0=0E48 A1=0E01 DB=0E49 DC=0E4A DD=0E4B DE=0E4C FC=00A2 FD=00AC FE=00A6 FF=00A0"),
    ("ibm437", "01=0001 7F=007F 80=00C7 84=00E4 9B=00A2 9F=0192 B0=2591 B5=2561 E1=00DF E6=00B5 FF=00A0"),
    ("ibm737", "80=0391 98=03B1 FF=00A0"),
    ("ibm775", "80=0106 96=00A2 B5=0104"),
    ("ibm850", "9B=00F8 9D=00D8 D5=0131 E1=00DF"),
    ("ibm852", "88=0142 9D=0141 D5=0147"),
    ("ibm855", "80=0452 A0=0430 A1=0410 EF=2116"),
    ("ibm857", "8D=0131 98=0130 D5=- E7=- F2=-"),
    ("ibm858", "9B=00F8 D5=20AC"),
    ("ibm860", "84=00E3 8E=00C3"),
    ("ibm861", "8B=00D0 8C=00F0 8D=00DE 95=00FE"),
    ("ibm862", "80=05D0 9A=05EA E1=00DF"),
    ("ibm863", "84=00C2 8D=2017 8F=00A7"),
    ("ibm864", "24=0024 25=066A 26=0026 80=00B0 9B=- 9C=- 9F=- A6=- A7=- C7=FE8D FF=-"),
    ("ibm865", "9B=00F8 9D=00D8 AF=00A4"),
    ("ibm866", "80=0410 A0=0430 F0=0401 F1=0451 F2=0404 FC=2116"),
    ("ibm869", "80=- 85=- 86=0386 87=- 93=- 94=- 98=038F A4=0391"),
    ("ibm1125", "80=0410 F1=0451 F2=0490 F3=0491 F4=0404 F7=0456 F8=0407 F9=0457 FA=00B7 FC=2116"),
    ("ibm720", "91=0651 AC=0634 F6=0650"),
    ("ibm770", "80=010C 95=00D5 AD=012E"),
    ("ibm771", "80=0410 DC=0104 F5=012F FD=017E"),
    ("ibm772", "80=0410 A4=0434 B0=2591 FC=207F"),
    ("ibm773", "80=0106 B5=2561 DC=0104 FD=017E"),
    ("ibm774", "80=00C7 B5=0104 D1=010D F5=201C"),
    ("ibm851", "80=00C7 86=0386 8B=00EF F7=00B8"),
    ("ibm856", "80=05D0 8E=05DE FA=2022"),
    ("ibm866nav", "FA=040E FB=045E"),
    ("ibm868", "80=06F0 B6=FEB9 FC=FE7D"),
    ("ibm904", "80=00A2 FD=00AC FE=00A6"),
    ("ibm1098", "82=060C B6=FEBF FD=06F9"),
    ("ibm1131", "F8=0406 FC=0490 FE=2219"),
    ("mik", "80=0410 A6=0436 D8=255D"),
    ("cwi", "8D=00CD 9F=E01F FA=2022"),
    ("viscii", "02=1EB2 AD=1EC5 FF=1EEE"),
    ("tcvn", "01=00DA BA=1EB2 FF=1ED0"),
    ("koi8-ru", "93=201C A4=0454 BE=040E"),
    ("koi8-u-rfc2319", "93=2320 A4=0454 AD=0491 AE=255D BE=256C"),
    ("macintosh-glibc", "80=00C4 C6=0394 DB=20AC F0=E01E"),
    ("gost-koi8", "80=- C0=044E C1=0430 E1=0410 FF=-"),
    ("ecma-cyrillic", "A1=0452 B1=0402 BF=040F"),
    ("gost-19768-74", "A1=0401 A2=- D0=0430 F1=0451"),
    ("kz1048", "80=0402 8D=049A D0=0420 FF=044F"),
    ("pt154", "80=0496 9F=04B9 BF=049D"),
    ("x-mac-greek", "81=00B9 C4=03A1 FE=03B0"),
    ("x-mac-turkish", "81=00C5 CB=00C0 DA=011E FE=02DB"),
    ("x-mac-croatian", "A9=0160 DD=203A FE=00E6"),
    ("x-mac-icelandic", "A0=00DD A2=00A2 DD=00F0 F5=0131"),
    ("x-mac-romanian", "A0=2020 AE=0102 DC=2039 E0=2021"),
    ("x-mac-arabic", "81=00A0 B0=0660 D2=0632 FF=06D2"),
    ("x-mac-farsi", "80=00C4 B0=06F0 B5=06F5 B9=06F9"),
    ("mac-is", "C6=0394 DB=00A4 F5=0131"),
    ("mac-sami", "A2=010C BC=0167 FF=01E9"),
    ("mac-uk", "80=0410 A2=0490 BF=045A FF=00A4"),
    ("ms-mac-cyrillic", "80=0410 A2=00A2"),
    ("win-sami-2", "80=20AC 9C=0153 BF=017E"),
    ("iso-ir-197", "82=201A A5=01E4 AB=00AB BF=01EF"),
    ("iso-ir-209", "AB=021E BB=021F"),
    ("iso-8859-9e", "A1=017D BA=01E7 F8=0275"),
    ("armscii-8", "A2=0587 D0=0540 FE=055A"),
    ("georgian-academy", "82=201A C7=10D7 E6=10F6"),
    ("georgian-ps", "C7=10F1 D6=10E3 E4=10F0"),
    ("isiri-3342", "80=0000 C9=062D FF=007F"),
    ("hp-roman8", "A1=00C0 BA=00A4 D0=00C5 FE=00B1"),
    ("hp-roman9", "BA=20A0"),
    ("hp-greek8", "BC=03CA E0=03CD FE=03F3"),
    ("hp-turkish8", "A1=00C7 DF=00E7 FE=00FC"),
    ("dec-mcs", "A8=00A4 DD=0178 FD=00FF"),
    ("palmos", "80=20AC 8E=2663 90=2660"),
    ("csn-369103", "24=00A4 A4=0024"),
    ("greek-ccitt", "24=00A4 61=03B1 7E=00AF"),
    ("iso-10367-box", "C0=2551 CE=25AA DD=2593"),
    ("iec-p27-1", "A0=02C7 CA=232A FF=203E"),
    ("inis-8", "3A=03B1 6C=30EB 7E=03C0"),
    ("iso-11548-1", "00=2800 80=2880 FF=28FF"),
    ("ibm1004", "80=- 9B=203A"),
    ("ibm1006", "A1=06F0 CF=FEB5 FF=FE7D"),
    ("ibm1008", "A1=060C D1=FEB3 FE=FEF3"),
    ("ibm1046", "80=FE88 A7=FE91 FE=FEE9"),
    ("ibm1124", "A3=0490 F3=0491"),
    ("ibm1129", "A4=00A4 A8=0153 DD=01AF FE=20AB"),
    ("ibm1133", "A1=0E81 C7=0EB8 FF=00A0"),
    ("ibm1161", "DE=20AC"),
    ("ibm1163", "A4=20AC A8=0153"),
    ("ibm901", "A1=201D A4=20AC"),
    ("ibm902", "A1=00A1 A4=20AC DE=017D FE=017E"),
    ("ibm922", "A1=00A1 A4=00A4 D0=0160"),
    ("ibm4909", "A1=2018 B4=00B4 DA=03AA FE=03CE"),
    ("ibm1276", "27=2019 C3=02C6 FB=00DF"),
    ("jis-x0201", "A1=FF61 C0=FF80 DF=FF9F"),
    ("ibm037", "15=0085 25=000A 40=0020 4A=00A2 5A=0021 5F=00AC 81=0061 9F=00A4 AD=00DD B0=005E BA=005B BB=005D BD=00A8 C1=0041 F0=0030 FF=009F"),
    ("ibm037-lf", "15=000A 25=0085 5F=00AC C1=0041"),
    ("ibm1047", "15=0085 25=000A 5F=005E 81=0061 AD=005B B0=00AC BA=00DD BB=00A8 BD=005D F0=0030"),
    ("ibm1047-lf", "15=000A 25=0085 5F=005E AD=005B BD=005D"),
    ("ibm038", "15=0085 25=000A 4A=005B 4F=0021 5A=005D 80=- A1=007E"),
    ("ibm256", "15=0085 25=000A 4A=005B B3=20A7 E1=2003"),
    ("ibm273", "15=0085 25=000A 43=007B 9F=00A4 B5=0040 FC=005D"),
    ("ibm274", "15=0085 25=000A 4A=005B 6A=00F9 C0=00E9 E0=00E7"),
    ("ibm275", "15=0085 25=000A 4A=00C9 79=00E3 D0=00E9"),
    ("ibm277", "15=0085 25=000A 47=007D 5A=00A4 7C=00D8 DC=007E"),
    ("ibm278", "25=000A 43=007B 5A=00A4 7B=00C4 8C=00F0 EC=0040"),
    ("ibm280", "15=0085 25=000A 44=007B 7C=00A7 9F=00A4 E0=00E7"),
    ("ibm281", "15=0085 25=000A 4A=00A3 81=0061 A1=203E E0=0024"),
    ("ibm284", "15=0085 25=000A 49=00A6 7B=00D1 9F=00A4 BD=007E"),
    ("ibm285", "25=000A 4A=0024 9F=00A4 B0=00A2 BC=007E"),
    ("ibm290", "15=0085 25=000A 41=FF61 8E=FF7D BF=FF9F E1=-"),
    ("ibm297", "15=0085 25=000A 44=0040 9F=00A4 A0=0060 DD=00A6"),
    ("ibm420", "15=0085 25=000A 42=0651 9E=063A E1=- FE=0669"),
    ("ibm423", "15=0085 25=000A 41=0391 9F=03BC FC=00C7"),
    ("ibm424", "15=0085 25=000A 41=05D0 56=05DE 78=2017 B3=00B7"),
    ("ibm500", "15=0085 25=000A 4A=005B 9F=00A4 B3=00B7 BD=00A8 BF=00D7 E1=00F7"),
    ("ibm803", "15=0085 25=000A 4A=0024 93=05DC 9C=- A9=05EA"),
    ("ibm838", "15=0085 25=000A 42=0E01 9F=0E28 FE=0E4C"),
    ("ibm870", "25=000A 44=0163 9F=00A4 AA=015A FD=0164"),
    ("ibm871", "25=000A 4A=00DE 9F=00A4 A1=00F6 EC=005E"),
    ("ibm875", "15=0085 25=000A 68=03AA CD=03B0 FC=- FE=00BB"),
    ("ibm880", "15=0085 25=000A 42=0452 AB=0441 E1=00A4 FE=0427"),
    ("ibm905", "15=0085 25=000A 47=010B AA=0126 FC=0022"),
    ("ibm918", "25=000A 42=060C 9D=FEB7 FE=FE7D"),
    ("ibm1025", "15=0085 25=000A 43=0453 45=0454 6A=007C E1=00A7"),
    ("ibm1026", "15=0085 25=000A 48=007B 8E=00A6 9F=00A4 FC=0022"),
    ("ibm1097", "15=0085 25=000A 42=060C 9D=FEC1 FE=06F9"),
    ("ibm1112", "15=0085 25=000A 42=0161 8C=0101 9F=00A4 FE=015A"),
    ("ibm1122", "15=0085 25=000A 5A=00A4 8C=0161 AC=0160 AE=017D"),
    ("ibm1123", "15=0085 25=000A 43=0491 62=0490 E1=00A7"),
    ("ibm1130", "15=0085 25=000A 46=0103 9F=00A4 AC=0110 EF=01A0"),
    ("ibm1132", "15=0085 25=000A 42=0E81 8F=0EB3 DE=0EDD"),
    ("ibm1137", "15=0085 25=000A 42=0901 9C=0932 FE=0970"),
    ("ibm1140", "15=0085 25=000A 8C=00F0 9F=20AC B0=005E"),
    ("ibm1141", "15=0085 25=000A 9F=20AC A1=00DF"),
    ("ibm1142", "15=0085 25=000A 5A=20AC 80=0040"),
    ("ibm1143", "15=0085 25=000A 5A=20AC 80=00D8 8C=00F0"),
    ("ibm1144", "15=0085 25=000A 9F=20AC A1=00EC"),
    ("ibm1145", "15=0085 25=000A 9F=20AC BB=0021"),
    ("ibm1146", "15=0085 25=000A 9F=20AC A1=00AF"),
    ("ibm1147", "15=0085 25=000A 9F=20AC A0=0060"),
    ("ibm1148", "15=0085 25=000A 4A=005B 8C=00F0 9F=20AC A1=007E"),
    ("ibm1149", "15=0085 25=000A 8C=0060 9F=20AC"),
    ("ibm1153", "15=0085 25=000A 80=02D8 9F=20AC"),
    ("ibm1154", "15=0085 25=000A 43=0453 E1=20AC"),
    ("ibm1155", "15=0085 25=000A 8C=007D 9F=20AC"),
    ("ibm1156", "15=0085 25=000A 8C=0101 9F=20AC"),
    ("ibm1157", "15=0085 25=000A 5A=20AC 8C=0161"),
    ("ibm1158", "15=0085 25=000A 43=0491 E1=20AC"),
    ("ibm1160", "15=0085 25=000A FE=20AC"),
    ("ibm1164", "15=0085 25=000A 8D=0309 9F=20AC"),
    ("ibm1166", "25=000A 42=04D9 59=04D8 75=04BA"),
    ("ibm4517", "15=0085 25=000A 42=FE7C 7C=00E1 EF=061B"),
    ("ibm4899", "15=0085 25=000A 81=05D1 9C=20AC DD=202C FE=200F"),
    ("ibm4971", "15=0085 25=000A FC=20AC"),
    ("ibm5123", "15=0085 25=000A 42=FF61 78=FF82 E1=20AC"),
    ("ibm8482", "15=0085 25=000A 80=005D E1=20AC"),
    ("ibm12712", "15=0085 25=000A 81=0061 9C=20AC DC=202E FE=200F"),
    ("ibm16804", "15=0085 25=000A 45=200B E1=2007 FA=20AC"),
    ("ebcdic-at-de", "15=0085 25=000A 4A=00C4 80=- A1=00DF E0=00D6"),
    ("ebcdic-at-de-a", "15=0085 25=000A 4A=00F6 6A=00DF 7F=00E4"),
    ("ebcdic-ca-fr", "15=0085 25=000A 42=00E2 72=00CA E0=00B8 FD=00D9"),
    ("ebcdic-dk-no", "15=0085 25=000A 4A=0023 7B=00C6 80=- D0=00E5"),
    ("ebcdic-dk-no-a", "15=0085 25=000A 4A=00F8 6A=00A6 7F=00E6"),
    ("ebcdic-es", "15=0085 25=000A 4A=00A2 5B=20A7 7B=00D1 E0=005C"),
    ("ebcdic-es-a", "15=0085 25=000A 4A=00A2 7B=00D1 7F=00F1"),
    ("ebcdic-es-s", "15=0085 25=000A 4A=00A2 5B=0024 6A=00F1"),
    ("ebcdic-fi-se", "15=0085 25=000A 4A=00A7 7B=00C4 80=- E0=00C9"),
    ("ebcdic-fi-se-a", "15=0085 25=000A 4A=00F6 5A=00E5 5B=00C5 6A=00A6"),
    ("ebcdic-fr", "15=0085 25=000A 4A=00B0 5A=00A7 79=0060 7B=00A3"),
    ("ebcdic-is-friss", "15=0015 25=- 45=00E1 7B=00C6 FF=007F"),
    ("ebcdic-it", "15=0085 25=000A 5A=00E9 7C=00A7 80=- C0=00E0"),
    ("ebcdic-pt", "15=0085 25=000A 6A=00F5 A1=00E7 E0=00C7"),
    ("ebcdic-uk", "15=0085 25=000A 4A=0024 5B=00A3 A1=203E E0=005C"),
    ("ebcdic-us", "15=0085 25=000A 4A=00A2 5B=0024 8F=- A1=007E"),
    ("iso646-gb", "23=00A3 7E=203E"),
    ("iso646-ca", "40=00E0 5E=00EE 60=00F4 7E=00FB"),
    ("iso646-ca2", "5E=00C9"),
    ("iso646-cn", "24=00A5"),
    ("iso646-cu", "24=00A4 7B=00B4 7E=00A8"),
    ("iso646-de", "40=00A7 7B=00E4 7E=00DF"),
    ("iso646-dk", "5B=00C6 7B=00E6 7D=00E5 7E=007E"),
    ("iso646-es", "23=00A3 5D=00BF 7D=00E7"),
    ("iso646-es2", "40=2022 5D=00C7 7D=00E7"),
    ("iso646-fr", "23=00A3 5D=00A7 60=00B5 7E=00A8"),
    ("iso646-fr1", "40=00E0 60=0060"),
    ("iso646-hu", "24=00A4 60=00E1 7E=02DD"),
    ("iso646-it", "5B=00B0 7B=00E0 7E=00EC"),
    ("iso646-jp", "5C=00A5 7E=203E A1=-"),
    ("iso646-jp-ocr-b", "5B=2329 5C=00A5 5D=232A"),
    ("iso646-kr", "5C=20A9"),
    ("iso646-no", "5B=00C6 7E=203E"),
    ("iso646-no2", "23=00A7 7E=007C"),
    ("iso646-pt", "5B=00C3 7B=00E3 7E=00B0"),
    ("iso646-pt2", "23=0023 40=00B4"),
    ("iso646-se", "24=00A4 40=0040 5C=00D6 7C=00F6"),
    ("iso646-se2", "40=00C9 60=00E9 7E=00FC"),
    ("iso646-yu", "40=017D 60=017E 7E=010D"),
    ("nats-dano", "22=00AB 5E=25A0 7E=2013"),
    ("nats-sefi", "40=E018 5B=00C4 7B=00E4 7C=00F6"),
    ("brf", "20=2800 40=2808 5F=2838"),
    ("asmo-449", "24=00A4 55=0635 72=0652"),
    ("greek7", "4B=039A 6C=03BB 7E=203E"),
    ("greek7-old", "40=00B4 5D=1FCE 7D=1FDE"),
    ("latin-greek", "40=0040 61=0391 67=0393"),
    ("latin-greek-1", "21=039E 40=0394 5F=03A3"),
    ("iso-5428", "21=E002 58=03A4 7E=03E1"),
    ("iso-5427", "21=0021 40=044E 5F=044A 7E=0427"),
    ("iso-5427-ext", "40=0491 60=0490 73=046A"),
    ("inis", "21=- 24=0024"),
    ("inis-cyrillic", "2C=221A 36=03BD 3F=207A"),
    ("iso-2033", "3A=2446 3C=2448 3D=2449"),
];

/// Sequences of the bytes of multi-byte sets, of up to three bytes, and samples of longer ones.
fn sequences_of_sets() -> Vec<Vec<u8>> {
    let bytes = || 0..=u8::MAX;
    let one = bytes().map(|byte| vec![byte]);
    let pairs = bytes().flat_map(|lead| (0x20..=0xFE).map(move |trail| vec![lead, trail]));
    let of_jis = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| vec![0x8F, row, cell]));
    let long = [&b"\x81\x30\x81\x30"[..], b"\x90\x30\x81\x30", b"\xE3\x32\x9A\x35"];
    one.chain(pairs).chain(of_jis).chain(long.map(<[u8]>::to_vec)).collect()
}

/// Encodings read characters that they do not write only where their row says so.
#[test]
fn characters_that_are_read_are_written() {
    let sequences = sequences_of_sets();
    each(CODECS, |spec| {
        let mut values = HashSet::new();
        if spec.is_page() {
            values.extend(points(spec).into_iter().flatten());
        } else if spec.group == Group::EastAsia && !spec.properties.stateful {
            values.extend(sequences.iter().flat_map(|bytes| spec.step(bytes).values().to_vec()));
        } else {
            return;
        }
        // Half of a character of two code points stands alone elsewhere.
        values.retain(|value| ![0x304, 0x30C].contains(value));
        let unwritten = values.into_iter().find(|&value| !spec.can_encode(value));
        assert_eq!(unwritten.is_none(), spec.writes_all(), "{}: {unwritten:X?}", spec.name);
    });
    // The half-width katakana of JIS X 0201, which an escape sequence selects.
    let iso_2022_jp = Encoding::for_label("iso-2022-jp").unwrap();
    assert!((0xFF61..=0xFF9F).all(|value| iso_2022_jp.can_encode(value)));
}

#[test]
fn pages_with_ascii_have_it_in_its_place() {
    for (spec, row) in pages().into_iter().zip(PAGES) {
        let has_ascii = (0..0x80).all(|byte| point(spec, byte) == Some(byte.into()));
        assert_eq!(has_ascii, row.ascii, "{}", row.name);
    }
}

#[test]
fn no_two_pages_have_one_table() {
    let mut seen = HashSet::new();
    for spec in pages() {
        assert!(seen.insert(points(spec)), "{} has the table of another page", spec.name);
    }
}

#[test]
fn published_places() {
    for (name, places) in PUBLISHED {
        let spec = Encoding::for_label(name).unwrap();
        for place in places.split_whitespace() {
            let (byte, expected) = place.split_once('=').unwrap();
            let byte = u8::from_str_radix(byte, 16).unwrap();
            let expected = u32::from_str_radix(expected, 16).ok();
            assert_eq!(point(spec, byte), expected, "{name}: {byte:02X}");
        }
    }
    let published: Vec<_> = PUBLISHED.iter().map(|row| row.0).collect();
    let listed: Vec<_> = PAGES.iter().map(|row| row.name).collect();
    assert_eq!(published, listed);
}

/// No other page has all published places of a page.
#[test]
fn published_places_tell_pages_apart() {
    let places = |places: &'static str| {
        places.split_whitespace().map(|place| {
            let (byte, expected) = place.split_once('=').unwrap();
            let byte = u8::from_str_radix(byte, 16).unwrap();
            (usize::from(byte), u32::from_str_radix(expected, 16).ok())
        })
    };
    let tables: Vec<_> = pages().into_iter().map(|spec| (spec.name, points(spec))).collect();
    for &(name, published) in PUBLISHED {
        let has_all =
            |table: &[Option<u32>]| places(published).all(|(byte, value)| table[byte] == value);
        let names = tables.iter().filter(|(_, table)| has_all(table)).map(|(name, _)| *name);
        assert_eq!(names.collect::<Vec<_>>(), [name]);
    }
}

/// Names that the WHATWG gives to other encodings; here they have the meaning of iconv.
static NOT_WHATWG: &[&str] =
    &["us-ascii", "iso-8859-1", "iso-8859-9", "iso-8859-11", "tis-620", "koi8-ru"];

#[test]
fn the_pages_of_the_whatwg() {
    let mut compared = 0;
    for spec in pages().into_iter().filter(|spec| !NOT_WHATWG.contains(&spec.name)) {
        let Some(encoding) = encoding_rs::Encoding::for_label(spec.name.as_bytes()) else {
            continue;
        };
        let theirs: Vec<_> = (0..=u8::MAX)
            .map(|byte| {
                let bytes = [byte];
                let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
                text?.chars().next().map(u32::from)
            })
            .collect();
        assert_eq!(differ(spec, &theirs), Vec::<u8>::new(), "{}", spec.name);
        compared += 1;
    }
    assert_eq!(compared, 28);
}

/// A label that the WHATWG also has means the same page there.
#[test]
fn labels_have_their_whatwg_meanings() {
    for spec in CODECS.iter().filter(|spec| !NOT_WHATWG.contains(&spec.name)) {
        let own = encoding_rs::Encoding::for_label(spec.name.as_bytes());
        for label in spec.labels {
            let Some(theirs) = encoding_rs::Encoding::for_label(label.as_bytes()) else { continue };
            let logical = theirs.name() == "ISO-8859-8-I" && spec.name == "iso-8859-8";
            assert!(own.is_none_or(|own| own == theirs) || logical, "{label} of {}", spec.name);
        }
    }
    assert_eq!(encoding_rs::Encoding::for_label(b"latin1"), Some(WINDOWS_1252));
    assert_eq!(Encoding::for_label("latin1").unwrap().name, "iso-8859-1");
}

/// The DOS pages equal independent tables, best fits aside.
#[test]
fn the_pages_of_dos() {
    use oem_cp::code_table::DECODING_TABLE_CP_MAP;
    use oem_cp::code_table_type::TableType;

    for (number, table) in &DECODING_TABLE_CP_MAP {
        // The table of page 874 there is the one of Windows.
        let Some(spec) = Encoding::for_label(&format!("ibm{number}")).filter(|_| *number != 874)
        else {
            assert_eq!(*number, 874);
            continue;
        };
        let mut theirs: Vec<_> = (0..0x80).map(Some).collect();
        theirs.extend((0x80..=u8::MAX).map(|byte| match table {
            TableType::Complete(table) => Some(u32::from(table[usize::from(byte) - 0x80])),
            TableType::Incomplete(table) => table[usize::from(byte) - 0x80].map(u32::from),
        }));
        let expected: &[u8] = match number {
            864 => &[0x25, 0x9B, 0x9C, 0x9F],
            869 => &[0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x87, 0x93, 0x94],
            _ => &[],
        };
        let found = differ(spec, &theirs);
        assert_eq!(found, expected, "{number}");
    }
}

/// Differences of EBCDIC pages: 1047 from 037, and the `-lf` variants from their bases.
#[test]
fn the_kin_of_ebcdic() {
    let differ = |one, other| {
        differ(Encoding::for_label(one).unwrap(), &points(Encoding::for_label(other).unwrap()))
    };
    assert_eq!(differ("ibm037", "ibm1047"), [0x5F, 0xAD, 0xB0, 0xBA, 0xBB, 0xBD]);
    assert_eq!(differ("ibm037", "ibm037-lf"), [0x15, 0x25]);
    assert_eq!(differ("ibm1047", "ibm1047-lf"), [0x15, 0x25]);
}

#[test]
fn decoded_bytes_encode_back() {
    for spec in pages() {
        let mut seen = [false; 256];
        for byte in 0..=u8::MAX {
            let Some(value) = point(spec, byte) else { continue };
            let out = written(spec, Escapes::Usual, [value]).unwrap();
            assert_eq!(out.len(), 1, "{}: {byte:02X}", spec.name);
            assert_eq!(point(spec, out[0]), Some(value), "{}: {byte:02X}", spec.name);
            seen[usize::from(out[0])] = true;
        }
        let twice: Vec<u8> = (0..=u8::MAX)
            .filter(|&byte| point(spec, byte).is_some() && !seen[usize::from(byte)])
            .collect();
        // Thai tone marks, Arabic letters, and signs from right to left have a second place.
        let has_two_directions =
            |name| ["x-mac-arabic", "x-mac-farsi", "isiri-3342"].contains(&name);
        let expected: &[u8] = match spec.name {
            "ibm-874" => &[0xA0, 0xDB, 0xDC, 0xDD, 0xDE],
            "ibm1161" => &[0xA0, 0xDB, 0xDC, 0xDD],
            "ibm838" => &[0x51, 0xCA, 0xE1, 0xFA, 0xFB],
            "ibm1160" => &[0x51, 0xCA, 0xE1, 0xFA],
            "ibm1046" => &[0x80, 0xA1, 0xA2, 0xA5],
            "armscii-8" => &[0xA4, 0xA5, 0xA9, 0xAB, 0xAC],
            "ibm1133" => &[0xDF],
            name if has_two_directions(name) => {
                assert!(twice.iter().all(|byte| *byte >= 0x80), "{name}: {twice:X?}");
                continue;
            }
            _ => &[],
        };
        assert_eq!(twice, expected, "{}", spec.name);
    }
}

/// A character that is absent is refused, or written as a letter and marks that are canonically
/// equivalent to it.
#[test]
fn absent_code_points_are_unencodable() {
    for spec in pages() {
        let has: HashSet<u32> = points(spec).into_iter().flatten().collect();
        let has_marks = has.iter().any(|&value| is_mark(value));
        for value in (0..0x3_0000).chain([0x10_FFFF, 0x11_0000, u32::MAX]) {
            let mut out = b"before".to_vec();
            let done = spec.writer(Escapes::Usual).put(value, &mut out);
            let bytes = out.strip_prefix(b"before").unwrap();
            let is_present = has.contains(&value);
            assert_eq!(spec.can_encode(value), is_present, "{}: {value:X}", spec.name);
            if is_present || !has_marks || !done {
                assert_eq!(done, is_present, "{}: {value:X}", spec.name);
                let is_held = || {
                    let parts: Vec<_> =
                        char::from_u32(value).into_iter().nfd().map(u32::from).collect();
                    parts.len() > 1
                        && parts.iter().all(|part| has.contains(part))
                        && parts[1..].iter().all(|&part| is_mark(part))
                };
                assert!(done || !has_marks || !is_held(), "{}: {value:X} is absent", spec.name);
                assert_eq!(bytes.len(), usize::from(done), "{}: {value:X}", spec.name);
            } else {
                let (values, faults) = steps(spec, bytes);
                let text = values.iter().map(|&value| char::from_u32(value).unwrap());
                let c = char::from_u32(value).unwrap();
                assert!(text.nfd().eq(iter::once(c).nfd()), "{}: {value:X}", spec.name);
                assert!(!is_mark(values[0]) && values[1..].iter().all(|&value| is_mark(value)));
                assert!(faults.is_empty());
            }
        }
    }
}

fn is_mark(value: u32) -> bool {
    char::from_u32(value).is_some_and(|c| canonical_combining_class(c) != 0)
}

/// As glibc's iconv writes them.
#[test]
fn letters_of_vietnamese_are_written() {
    let text = "Tiếng Việt: ẮẰẲẴẶ Ữ ỹ đ\n";
    for (name, bytes) in [
        (
            "windows-1258",
            "54 69 EA EC 6E 67 20 56 69 EA F2 74 3A 20 C3 EC C3 CC C3 D2 C3 DE C3 F2 20 DD DE 20 79 \
             DE 20 F0 0A",
        ),
        ("tcvn", "54 69 D5 6E 67 20 56 69 D6 74 3A 20 C0 AF BA BF 85 20 06 20 FC 20 AE 0A"),
        ("viscii", "54 69 AA 6E 67 20 56 69 AE 74 3A 20 81 82 02 05 83 20 FF 20 DB 20 F0 0A"),
    ] {
        let spec = Encoding::for_label(name).unwrap();
        let out = written(spec, Escapes::Usual, text.chars().map(u32::from)).unwrap();
        assert_eq!(hex(&out), bytes, "{name}");
    }
}

#[test]
fn holes_are_unmapped_where_they_are() {
    each(&pages(), |spec| {
        let holes: Vec<bool> = points(spec).iter().map(Option::is_none).collect();
        let mut rng = Rng::new(8859);
        for len in (0..2000).step_by(13) {
            let bits = rng.pick(&[0x7F, 0xFF, 0xFF]);
            let bytes: Vec<u8> = (0..len).map(|_| rng.next() as u8 & bits).collect();
            let at = (0..len).filter(|&at| holes[usize::from(bytes[at])]);
            let issue =
                |at| Issue { offset: at as u64, len: 1, kind: Kind::Unmapped, replacements: 1 };
            let expected: Vec<_> = at.map(issue).collect();
            for kernels in [&BLIND, &TIMID, best()] {
                let log = whole(spec, kernels, &bytes);
                assert!(
                    log.issues().eq(expected.iter().copied()),
                    "{}: {}",
                    spec.name,
                    hex(&bytes)
                );
            }
        }
    });
}

#[test]
fn every_byte_is_a_code_point() {
    for spec in pages() {
        let mapped = (0..=u8::MAX).filter(|&byte| point(spec, byte).is_some());
        let bytes: Vec<u8> = mapped.take(5).collect();
        assert_eq!(tally(spec, &bytes, 1..4), [3, 0, 0, 0, 0, 0, 0], "{}", spec.name);
        assert_eq!(spec.announced(b"\xF0"), 1);
    }
}

#[test]
fn the_line_feed_of_a_page_ends_its_lines() {
    for spec in pages() {
        let expected: &[u8] = match spec.name {
            "ibm037-lf" | "ibm1047-lf" => &[0x15],
            "iso-11548-1" => &[],
            "ebcdic-is-friss" => &[0x0A],
            _ if spec.group == Group::Ebcdic => &[0x25],
            _ => &[0x0A],
        };
        let feed = written(spec, Escapes::Usual, [0x0A]);
        assert_eq!(feed.as_deref(), expected.first().map(std::slice::from_ref), "{}", spec.name);
        for byte in 0..=u8::MAX {
            let lines = lines(spec, &[byte, b'a']);
            let feeds = expected.contains(&byte);
            assert_eq!((lines.number, lines.end), (u64::from(feeds), feeds.then_some(1)));
        }
    }
}

#[test]
fn some_pages_accept_every_input() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    let whole: Vec<_> =
        pages().into_iter().filter(|spec| utf8::validate(spec, &all).is_ok()).collect();
    let names: Vec<_> = whole.iter().map(|spec| spec.name).collect();
    for name in ["iso-8859-1", "windows-1252", "windows-1251", "koi8-r", "ibm437", "ibm1047"] {
        assert!(names.contains(&name), "{name}");
    }
    for spec in whole {
        assert!(!spec.summary.starts_with("Windows") || spec.summary.contains("every input"));
    }
}
