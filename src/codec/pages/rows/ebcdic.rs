//! EBCDIC code pages.

use super::{BALTIC, CENTRAL, PageRow, Prior, SLAVIC, Script, TURKIC, WESTERN, page_rows};

#[rustfmt::skip]
pub(super) const ROWS: &[PageRow] = page_rows! { PageRow::EBCDIC;
    "ibm037" {
        labels: &["37", "037", "cp37", "cp037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-nl",
                  "ebcdic-cp-wt", "csIBM037", "cp282", "cp1070", "osf10020025", "ibm039",
                  "cpibm37", "cs-ebcdic-cp-wt", "ibm-37", "cs-ebcdic-cp-us", "cs-ebcdic-cp-ca",
                  "cs-ebcdic-cp-nl", "WE8EBCDIC37"],
        summary: "EBCDIC: United States; 25 is the line feed",
        detect: Some(Prior { rank: 0, script: Script::Latin, cost: 0, languages: WESTERN }),
    }
    "ibm037-lf" {
        labels: &["cp037-lf"],
        summary: "EBCDIC: United States; 15 is the line feed, 25 U+0085",
    }
    "ibm1047" {
        labels: &["1047", "cp1047", "csIBM1047", "osf10020417", "WE8EBCDIC1047", "ibm01047"],
        summary: "EBCDIC: Open Systems; 25 is the line feed",
        detect: Some(Prior { rank: 1, script: Script::Latin, cost: 1, languages: WESTERN }),
    }
    "ibm1047-lf" {
        labels: &["cp1047-lf"],
        summary: "EBCDIC: Open Systems; 15 is the line feed, 25 U+0085",
    }
    "ibm038" {
        labels: &["cp038", "csibm038", "ebcdic-int", "cp38", "38"],
        summary: "EBCDIC: international, of IBM 3270",
    }
    "ibm256" {
        labels: &["ebcdic-int1", "cp256", "256"],
        summary: "EBCDIC: international 1",
    }
    "ibm273" {
        labels: &["cp273", "csibm273", "osf10020111", "273", "20273", "D8EBCDIC273", "cp20273"],
        summary: "EBCDIC: Germany, Austria",
        detect: Some(Prior { rank: 5, script: Script::Latin, cost: 3, languages: &["de"] }),
    }
    "ibm274" {
        labels: &["cp274", "csibm274", "ebcdic-be", "274"],
        summary: "EBCDIC: Belgium",
    }
    "ibm275" {
        labels: &["cp275", "csibm275", "ebcdic-br", "275"],
        summary: "EBCDIC: Brazil",
    }
    "ibm277" {
        labels: &["csibm277", "osf10020115", "ebcdic-cp-dk", "ebcdic-cp-no", "277", "cp277",
                  "20277", "DK8EBCDIC277", "cp20277"],
        summary: "EBCDIC: Denmark, Norway",
        detect: Some(Prior { rank: 13, script: Script::Latin, cost: 3, languages: &["da", "nb", "nn"] }),
    }
    "ibm278" {
        labels: &["cp278", "csibm278", "osf10020116", "ebcdic-cp-fi", "ebcdic-cp-se", "278",
                  "ebcdic-sv", "20278", "S8EBCDIC278", "cp20278"],
        summary: "EBCDIC: Finland, Sweden",
        detect: Some(Prior { rank: 15, script: Script::Latin, cost: 3, languages: &["sv", "fi"] }),
    }
    "ibm280" {
        labels: &["cp280", "csibm280", "osf10020118", "ebcdic-cp-it", "280", "20280",
                  "I8EBCDIC280", "cp20280"],
        summary: "EBCDIC: Italy",
        detect: Some(Prior { rank: 11, script: Script::Latin, cost: 3, languages: &["it"] }),
    }
    "ibm281" {
        labels: &["cp281", "csibm281", "ebcdic-jp-e", "281"],
        summary: "EBCDIC: Japan, Latin",
    }
    "ibm284" {
        labels: &["cp284", "cp1079", "csibm284", "osf1002011c", "ebcdic-cp-es", "cpibm284",
                  "284", "20284", "WE8EBCDIC284", "cp20284"],
        summary: "EBCDIC: Spain, Latin America",
        detect: Some(Prior { rank: 9, script: Script::Latin, cost: 3, languages: &["es", "ca", "gl", "eu"] }),
    }
    "ibm285" {
        labels: &["cp285", "csibm285", "osf1002011d", "ebcdic-cp-gb", "ebcdic-gb", "cpibm285",
                  "285", "20285", "WE8EBCDIC285", "cp20285"],
        summary: "EBCDIC: United Kingdom",
        detect: Some(Prior { rank: 17, script: Script::Latin, cost: 3, languages: &["en", "ga", "gd", "cy"] }),
    }
    "ibm290" {
        labels: &["cp290", "csibm290", "osf10020122", "ebcdic-jp-kana", "290", "20290", "cp20290"],
        summary: "EBCDIC: Japan, Katakana",
    }
    "ibm297" {
        labels: &["cp297", "cp1081", "csibm297", "osf10020129", "ebcdic-cp-fr", "297",
                  "cpibm297", "20297", "F8EBCDIC297", "cp20297"],
        summary: "EBCDIC: France",
        detect: Some(Prior { rank: 7, script: Script::Latin, cost: 3, languages: &["fr"] }),
    }
    "ibm420" {
        labels: &["cp420", "csibm420", "osf100201a4", "ebcdic-cp-ar1", "420", "20420", "cp20420"],
        summary: "EBCDIC: Arabic",
        detect: Some(Prior { rank: 43, script: Script::Arabic, cost: 1, languages: &[] }),
    }
    "ibm423" {
        labels: &["cp423", "csibm423", "ebcdic-cp-gr", "20423", "423", "cp20423"],
        summary: "EBCDIC: Greek, before ibm875",
        detect: Some(Prior { rank: 40, script: Script::Greek, cost: 4, languages: &[] }),
    }
    "ibm424" {
        labels: &["cp424", "csibm424", "osf100201a8", "ebcdic-cp-he", "424", "20424",
                  "IW8EBCDIC424", "cp20424"],
        summary: "EBCDIC: Hebrew",
        detect: Some(Prior { rank: 41, script: Script::Hebrew, cost: 1, languages: &[] }),
    }
    "ibm500" {
        labels: &["500", "500v1", "cp500", "cp1084", "csibm500", "osf100201f4", "ebcdic-cp-be",
                  "ebcdic-cp-ch", "ebcdic-cp-bh", "WE8EBCDIC500"],
        summary: "EBCDIC: international",
        detect: Some(Prior { rank: 2, script: Script::Latin, cost: 1, languages: WESTERN }),
    }
    "ibm803" {
        labels: &["cp803", "csibm803", "803"],
        summary: "EBCDIC: Hebrew, older set",
    }
    "ibm838" {
        labels: &["cp9030", "ibm9030", "csibm9030", "IBM-Thai", "838", "cp838", "csIBMThai",
                  "20838", "cp20838"],
        summary: "EBCDIC: Thai",
        detect: Some(Prior { rank: 45, script: Script::Thai, cost: 1, languages: &[] }),
    }
    "ibm870" {
        labels: &["cp870", "csibm870", "osf10020366", "ebcdic-cp-yu", "ebcdic-cp-roece", "870",
                  "EE8EBCDIC870"],
        summary: "EBCDIC: Central Europe",
        detect: Some(Prior { rank: 21, script: Script::Latin, cost: 2, languages: CENTRAL }),
    }
    "ibm871" {
        labels: &["cp871", "csibm871", "osf10020367", "ebcdic-cp-is", "871", "20871",
                  "WE8EBCDIC871", "cp20871"],
        summary: "EBCDIC: Iceland",
        detect: Some(Prior { rank: 19, script: Script::Latin, cost: 4, languages: &["is"] }),
    }
    "ibm875" {
        labels: &["cp875", "osf1002036b", "ebcdic-greek", "x-IBM875", "875", "EL8EBCDIC875"],
        summary: "EBCDIC: Greek",
        detect: Some(Prior { rank: 38, script: Script::Greek, cost: 1, languages: &[] }),
    }
    "ibm880" {
        labels: &["cp880", "csibm880", "osf10020370", "ebcdic-cyrillic", "20880", "880",
                  "cp20880"],
        summary: "EBCDIC: Cyrillic, before ibm1025",
        detect: Some(Prior { rank: 34, script: Script::Cyrillic, cost: 3, languages: SLAVIC }),
    }
    "ibm905" {
        labels: &["cp905", "csibm905", "ebcdic-cp-tr", "20905", "905", "cp20905"],
        summary: "EBCDIC: Turkish, before ibm1026",
        detect: Some(Prior { rank: 25, script: Script::Latin, cost: 6, languages: &["tr", "eo", "mt"] }),
    }
    "ibm918" {
        labels: &["cp918", "csibm918", "osf10020396", "ebcdic-cp-ar2", "918"],
        summary: "EBCDIC: Urdu",
    }
    "ibm1025" {
        labels: &["cp1025", "csibm1025", "x-IBM1025", "1025", "21025", "CL8EBCDIC1025", "cp21025"],
        summary: "EBCDIC: Cyrillic",
        detect: Some(Prior { rank: 32, script: Script::Cyrillic, cost: 1, languages: SLAVIC }),
    }
    "ibm1026" {
        labels: &["1026", "cp1026", "csibm1026", "osf10020402", "TR8EBCDIC1026"],
        summary: "EBCDIC: Turkish",
        detect: Some(Prior { rank: 23, script: Script::Latin, cost: 2, languages: TURKIC }),
    }
    "ibm1097" {
        labels: &["cp1097", "csibm1097", "x-IBM1097", "1097"],
        summary: "EBCDIC: Persian, presentation forms",
    }
    "ibm1112" {
        labels: &["cp1112", "csibm1112", "x-IBM1112", "1112", "BLT8EBCDIC1112"],
        summary: "EBCDIC: Baltic",
        detect: Some(Prior { rank: 26, script: Script::Latin, cost: 3, languages: BALTIC }),
    }
    "ibm1122" {
        labels: &["cp1122", "csibm1122", "x-IBM1122", "1122"],
        summary: "EBCDIC: Estonian",
        detect: Some(Prior { rank: 28, script: Script::Latin, cost: 4, languages: &["et"] }),
    }
    "ibm1123" {
        labels: &["cp1123", "csibm1123", "x-IBM1123", "1123"],
        summary: "EBCDIC: Ukrainian",
        detect: Some(Prior { rank: 35, script: Script::Cyrillic, cost: 3, languages: &["uk", "ru", "be"] }),
    }
    "ibm1130" {
        labels: &["cp1130", "csibm1130", "1130"],
        summary: "EBCDIC: Vietnamese",
        detect: Some(Prior { rank: 30, script: Script::Latin, cost: 4, languages: &["vi"] }),
    }
    "ibm1132" {
        labels: &["cp1132", "csibm1132", "1132"],
        summary: "EBCDIC: Lao",
    }
    "ibm1137" {
        labels: &["cp1137", "csibm1137", "1137"],
        summary: "EBCDIC: Devanagari",
    }
    "ibm1140" {
        labels: &["cp1140", "csibm1140", "1140", "ibm01140", "ebcdic-us-037+euro", "cp01140",
                  "ccsid01140", "ebcdic-us-37+euro", "csIBM01140", "WE8EBCDIC1140"],
        summary: "EBCDIC: ibm037 with the euro sign",
        detect: Some(Prior { rank: 3, script: Script::Latin, cost: 2, languages: WESTERN }),
    }
    "ibm1141" {
        labels: &["cp1141", "csibm1141", "ibm01141", "cp01141", "1141", "ccsid01141",
                  "ebcdic-de-273+euro", "csIBM01141", "D8EBCDIC1141"],
        summary: "EBCDIC: ibm273 with the euro sign",
        detect: Some(Prior { rank: 6, script: Script::Latin, cost: 4, languages: &["de"] }),
    }
    "ibm1142" {
        labels: &["cp1142", "csibm1142", "ibm01142", "cp01142", "ccsid01142",
                  "ebcdic-no-277+euro", "1142", "ebcdic-dk-277+euro", "csIBM01142",
                  "DK8EBCDIC1142"],
        summary: "EBCDIC: ibm277 with the euro sign",
        detect: Some(Prior { rank: 14, script: Script::Latin, cost: 4, languages: &["da", "nb", "nn"] }),
    }
    "ibm1143" {
        labels: &["cp1143", "csibm1143", "ibm01143", "cp01143", "ccsid01143",
                  "ebcdic-se-278+euro", "1143", "ebcdic-fi-278+euro", "csIBM01143",
                  "S8EBCDIC1143"],
        summary: "EBCDIC: ibm278 with the euro sign",
        detect: Some(Prior { rank: 16, script: Script::Latin, cost: 4, languages: &["sv", "fi"] }),
    }
    "ibm1144" {
        labels: &["cp1144", "csibm1144", "ibm01144", "cp01144", "ccsid01144",
                  "ebcdic-it-280+euro", "1144", "csIBM01144", "I8EBCDIC1144"],
        summary: "EBCDIC: ibm280 with the euro sign",
        detect: Some(Prior { rank: 12, script: Script::Latin, cost: 4, languages: &["it"] }),
    }
    "ibm1145" {
        labels: &["cp1145", "csibm1145", "ibm01145", "ccsid01145", "ebcdic-es-284+euro", "1145",
                  "cp01145", "csIBM01145", "WE8EBCDIC1145"],
        summary: "EBCDIC: ibm284 with the euro sign",
        detect: Some(Prior { rank: 10, script: Script::Latin, cost: 4, languages: &["es", "ca", "gl", "eu"] }),
    }
    "ibm1146" {
        labels: &["cp1146", "csibm1146", "ibm01146", "1146", "cp01146", "ccsid01146",
                  "ebcdic-gb-285+euro", "csIBM01146", "WE8EBCDIC1146"],
        summary: "EBCDIC: ibm285 with the euro sign",
        detect: Some(Prior { rank: 18, script: Script::Latin, cost: 4, languages: &["en", "ga", "gd", "cy"] }),
    }
    "ibm1147" {
        labels: &["cp1147", "csibm1147", "ibm01147", "1147", "cp01147", "ccsid01147",
                  "ebcdic-fr-277+euro", "ebcdic-fr-297+euro", "csIBM01147", "F8EBCDIC1147"],
        summary: "EBCDIC: ibm297 with the euro sign",
        detect: Some(Prior { rank: 8, script: Script::Latin, cost: 4, languages: &["fr"] }),
    }
    "ibm1148" {
        labels: &["cp1148", "csibm1148", "ibm01148", "ebcdic-international-500+euro", "1148",
                  "cp01148", "ccsid01148", "csIBM01148", "WE8EBCDIC1148"],
        summary: "EBCDIC: ibm500 with the euro sign",
        detect: Some(Prior { rank: 4, script: Script::Latin, cost: 3, languages: WESTERN }),
    }
    "ibm1149" {
        labels: &["cp1149", "csibm1149", "ibm01149", "ebcdic-s-871+euro", "1149", "ccsid01149",
                  "cp01149", "ebcdic-is-871+euro", "csIBM01149"],
        summary: "EBCDIC: ibm871 with the euro sign",
        detect: Some(Prior { rank: 20, script: Script::Latin, cost: 5, languages: &["is"] }),
    }
    "ibm1153" {
        labels: &["cp1153", "csibm1153", "1153"],
        summary: "EBCDIC: ibm870 with the euro sign",
        detect: Some(Prior { rank: 22, script: Script::Latin, cost: 3, languages: CENTRAL }),
    }
    "ibm1154" {
        labels: &["cp1154", "csibm1154", "1154"],
        summary: "EBCDIC: ibm1025 with the euro sign",
        detect: Some(Prior { rank: 33, script: Script::Cyrillic, cost: 2, languages: SLAVIC }),
    }
    "ibm1155" {
        labels: &["cp1155", "csibm1155", "1155"],
        summary: "EBCDIC: ibm1026 with the euro sign",
        detect: Some(Prior { rank: 24, script: Script::Latin, cost: 3, languages: TURKIC }),
    }
    "ibm1156" {
        labels: &["cp1156", "csibm1156", "1156"],
        summary: "EBCDIC: ibm1112 with the euro sign",
        detect: Some(Prior { rank: 27, script: Script::Latin, cost: 4, languages: BALTIC }),
    }
    "ibm1157" {
        labels: &["cp1157", "csibm1157", "1157"],
        summary: "EBCDIC: ibm1122 with the euro sign",
        detect: Some(Prior { rank: 29, script: Script::Latin, cost: 5, languages: &["et"] }),
    }
    "ibm1158" {
        labels: &["cp1158", "csibm1158", "1158", "CL8EBCDIC1158"],
        summary: "EBCDIC: ibm1123 with the euro sign",
        detect: Some(Prior { rank: 36, script: Script::Cyrillic, cost: 4, languages: &["uk", "ru", "be"] }),
    }
    "ibm1160" {
        labels: &["cp1160", "csibm1160", "1160"],
        summary: "EBCDIC: ibm838 with the euro sign",
        detect: Some(Prior { rank: 46, script: Script::Thai, cost: 2, languages: &[] }),
    }
    "ibm1164" {
        labels: &["cp1164", "csibm1164", "1164"],
        summary: "EBCDIC: ibm1130 with the euro sign",
        detect: Some(Prior { rank: 31, script: Script::Latin, cost: 5, languages: &["vi"] }),
    }
    "ibm1166" {
        labels: &["cp1166", "csibm1166", "x-IBM1166", "1166"],
        summary: "EBCDIC: Kazakh, with the euro sign",
        detect: Some(Prior { rank: 37, script: Script::Cyrillic, cost: 6, languages: &["und-cyrl", "ru"] }),
    }
    "ibm4517" {
        labels: &["cp4517", "csibm4517", "4517"],
        summary: "EBCDIC: Arabic and French",
    }
    "ibm4899" {
        labels: &["cp4899", "csibm4899", "4899"],
        summary: "EBCDIC: ibm803 with the euro and new sheqel signs",
    }
    "ibm4971" {
        labels: &["cp4971", "csibm4971", "4971"],
        summary: "EBCDIC: ibm875 with the euro sign",
        detect: Some(Prior { rank: 39, script: Script::Greek, cost: 2, languages: &[] }),
    }
    "ibm5123" {
        labels: &["cp5123", "5123"],
        summary: "EBCDIC: Japan, Latin, with the euro sign",
    }
    "ibm8482" {
        labels: &["cp8482", "8482"],
        summary: "EBCDIC: ibm290 with the euro sign",
    }
    "ibm12712" {
        labels: &["cp12712", "csibm12712", "12712"],
        summary: "EBCDIC: Hebrew, with the euro and new sheqel signs",
        detect: Some(Prior { rank: 42, script: Script::Hebrew, cost: 2, languages: &[] }),
    }
    "ibm16804" {
        labels: &["cp16804", "csibm16804", "16804"],
        summary: "EBCDIC: ibm420 with the euro sign",
        detect: Some(Prior { rank: 44, script: Script::Arabic, cost: 2, languages: &[] }),
    }
    "ebcdic-at-de" {
        labels: &["csebcdicatde", "csIBMEBCDICATDE"],
        summary: "EBCDIC of IBM 3270: Austria, Germany",
    }
    "ebcdic-at-de-a" {
        labels: &["csebcdicatdea"],
        summary: "EBCDIC of IBM 3270: Austria, Germany, alternate",
    }
    "ebcdic-ca-fr" {
        labels: &["csebcdiccafr"],
        summary: "EBCDIC of IBM 3270: Canada, French",
    }
    "ebcdic-dk-no" {
        labels: &["csebcdicdkno"],
        summary: "EBCDIC of IBM 3270: Denmark, Norway",
    }
    "ebcdic-dk-no-a" {
        labels: &["csebcdicdknoa"],
        summary: "EBCDIC of IBM 3270: Denmark, Norway, alternate",
    }
    "ebcdic-es" {
        labels: &["csebcdices"],
        summary: "EBCDIC of IBM 3270: Spain",
    }
    "ebcdic-es-a" {
        labels: &["csebcdicesa"],
        summary: "EBCDIC of IBM 3270: Spain, alternate",
    }
    "ebcdic-es-s" {
        labels: &["csebcdicess"],
        summary: "EBCDIC of IBM 3270: Spanish-speaking countries",
    }
    "ebcdic-fi-se" {
        labels: &["csebcdicfise"],
        summary: "EBCDIC of IBM 3270: Finland, Sweden",
    }
    "ebcdic-fi-se-a" {
        labels: &["csebcdicfisea"],
        summary: "EBCDIC of IBM 3270: Finland, Sweden, alternate",
    }
    "ebcdic-fr" {
        labels: &["csebcdicfr"],
        summary: "EBCDIC of IBM 3270: France",
    }
    "ebcdic-is-friss" {
        summary: "EBCDIC: Iceland, FRISS",
    }
    "ebcdic-it" {
        labels: &["csebcdicit"],
        summary: "EBCDIC of IBM 3270: Italy",
    }
    "ebcdic-pt" {
        labels: &["csebcdicpt"],
        summary: "EBCDIC of IBM 3270: Portugal",
    }
    "ebcdic-uk" {
        labels: &["csebcdicuk"],
        summary: "EBCDIC of IBM 3270: United Kingdom",
    }
    "ebcdic-us" {
        labels: &["csebcdicus"],
        summary: "EBCDIC of IBM 3270: United States",
    }
};
