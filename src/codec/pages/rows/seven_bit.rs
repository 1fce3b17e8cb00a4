//! Seven-bit sets other than ASCII: most are national variants of ISO 646.

use super::{PageRow, page_rows};

#[rustfmt::skip]
pub(super) const ROWS: &[PageRow] = page_rows! { PageRow::SEVEN_BIT;
    "iso646-gb" {
        labels: &["gb", "uk", "bs_4730", "iso-ir-4", "csiso4unitedkingdom"],
        summary: "ISO 646: United Kingdom (BS 4730)",
    }
    "iso646-ca" {
        labels: &["ca", "csa7-1", "iso-ir-121", "csa_z243.419851", "csiso121canadian1"],
        summary: "ISO 646: Canada, French 1 (CSA Z243.4)",
    }
    "iso646-ca2" {
        labels: &["csa7-2", "iso-ir-122", "csa_z243.419852", "csiso122canadian2"],
        summary: "ISO 646: Canada, French 2 (CSA Z243.4)",
    }
    "iso646-cn" {
        labels: &["cn", "gb_198880", "iso-ir-57", "csiso58gb1988", "csISO57GB1988"],
        summary: "ISO 646: China (GB 1988)",
    }
    "iso646-cu" {
        labels: &["cuba", "nc_nc0010", "iso-ir-151", "csiso151cuba", "nc_nc00-10:81"],
        summary: "ISO 646: Cuba (NC 00-10)",
    }
    "iso646-de" {
        labels: &["de", "din_66003", "iso-ir-21", "csiso21german", "20106", "german",
                  "x-ia5-german", "cp20106"],
        summary: "ISO 646: Germany (DIN 66003)",
    }
    "iso646-dk" {
        labels: &["dk", "ds2089", "csiso646danish"],
        summary: "ISO 646: Denmark (DS 2089)",
    }
    "iso646-es" {
        labels: &["es", "iso-ir-17", "csiso17spanish"],
        summary: "ISO 646: Spain, Olivetti",
    }
    "iso646-es2" {
        labels: &["es2", "iso-ir-85", "csiso85spanish2"],
        summary: "ISO 646: Spain, IBM",
    }
    "iso646-fr" {
        labels: &["fr", "iso-ir-69", "nf_z_62010", "csiso69french"],
        summary: "ISO 646: France (NF Z 62-010 of 1982)",
    }
    "iso646-fr1" {
        labels: &["iso-ir-25", "csiso25french", "nf_z_62010_1973", "nf_z_62-010_(1973)"],
        summary: "ISO 646: France (NF Z 62-010 of 1973)",
    }
    "iso646-hu" {
        labels: &["hu", "iso-ir-86", "msz_7795.3", "csiso86hungarian"],
        summary: "ISO 646: Hungary (MSZ 7795.3)",
    }
    "iso646-it" {
        labels: &["it", "iso-ir-15", "csiso15italian"],
        summary: "ISO 646: Italy, Olivetti",
    }
    "iso646-jp" {
        labels: &["jp", "iso-ir-14", "jis_c62201969ro", "csiso14jisc6220ro"],
        summary: "ISO 646: Japan (JIS C 6220 of 1969)",
    }
    "iso646-jp-ocr-b" {
        labels: &["jp-ocr-b", "iso-ir-92", "jis_c62291984b", "csiso92jisc62991984b"],
        summary: "ISO 646: Japan, OCR-B (JIS C 6229)",
    }
    "iso646-kr" {
        labels: &["ksc5636", "csksc5636"],
        summary: "ISO 646: Korea (KS C 5636)",
    }
    "iso646-no" {
        labels: &["no", "ns_45511", "iso-ir-60", "csiso60norwegian1", "csiso60danishnorwegian",
                  "20108", "cp20108", "norwegian", "x-ia5-norwegian"],
        summary: "ISO 646: Norway 1 (NS 4551-1)",
    }
    "iso646-no2" {
        labels: &["no2", "ns_45512", "iso-ir-61", "csiso61norwegian2"],
        summary: "ISO 646: Norway 2 (NS 4551-2)",
    }
    "iso646-pt" {
        labels: &["pt", "iso-ir-16", "csiso16portugese", "csISO16Portuguese"],
        summary: "ISO 646: Portugal, Olivetti",
    }
    "iso646-pt2" {
        labels: &["pt2", "iso-ir-84", "csiso84portuguese2"],
        summary: "ISO 646: Portugal, IBM",
    }
    "iso646-se" {
        labels: &["fi", "se", "ss636127", "iso-ir-10", "iso646-fi", "sen_850200_b",
                  "csiso10swedish"],
        summary: "ISO 646: Sweden, Finland (SEN 85 02 00 B)",
    }
    "iso646-se2" {
        labels: &["se2", "iso-ir-11", "sen_850200_c", "csiso11swedishfornames", "20107",
                  "cp20107", "swedish", "x-ia5-swedish"],
        summary: "ISO 646: Sweden, for names (SEN 85 02 00 C)",
    }
    "iso646-yu" {
        labels: &["yu", "iso-ir-141", "jus_i.b1.002", "csiso141jusib1002"],
        summary: "ISO 646: Yugoslavia (JUS I.B1.002)",
    }
    "nats-dano" {
        labels: &["csnatsdano", "iso-ir-9-1"],
        summary: "NATS: Denmark, Norway (ISO-IR-9-1)",
    }
    "nats-sefi" {
        labels: &["csnatssefi", "iso-ir-8-1"],
        summary: "NATS: Sweden, Finland (ISO-IR-8-1)",
    }
    "brf" {
        labels: &["csBRF"],
        summary: "Braille ready format: ASCII letters as Braille patterns",
    }
    "asmo-449" {
        labels: &["arabic7", "iso_9036", "iso-ir-89", "csiso89asmo449"],
        summary: "ASMO 449 (ISO-IR-89): Arabic",
    }
    "greek7" {
        labels: &["iso-ir-88", "csiso88greek7"],
        summary: "Greek of seven bits (ISO-IR-88)",
    }
    "greek7-old" {
        labels: &["iso-ir-18", "csiso18greek7old"],
        summary: "Greek of seven bits, older (ISO-IR-18)",
    }
    "latin-greek" {
        labels: &["iso-ir-19", "csiso19latingreek"],
        summary: "Latin and Greek capitals (ISO-IR-19)",
    }
    "latin-greek-1" {
        labels: &["iso-ir-27", "csiso27latingreek1"],
        summary: "Latin and Greek capitals, Honeywell-Bull (ISO-IR-27)",
    }
    "iso-5428" {
        labels: &["iso-ir-55", "iso_5428:1980", "csiso5428greek"],
        summary: "ISO 5428 (ISO-IR-55): Greek for bibliographies",
    }
    "iso-5427" {
        labels: &["koi-7", "iso-ir-37", "csiso5427cyrillic"],
        summary: "ISO 5427 (ISO-IR-37): Cyrillic, KOI-7",
    }
    "iso-5427-ext" {
        labels: &["iso-ir-54", "iso_5427:1981", "csiso5427cyrillic1981", "csISO54271981",
                  "ISO5427Cyrillic1981"],
        summary: "ISO 5427 (ISO-IR-54): Cyrillic for bibliographies",
    }
    "inis" {
        labels: &["iso-ir-49", "csiso49inis"],
        summary: "INIS (ISO-IR-49): a part of ASCII",
    }
    "inis-cyrillic" {
        labels: &["iso-ir-51", "csiso51iniscyrillic"],
        summary: "INIS (ISO-IR-51): Cyrillic",
    }
    "iso-2033" {
        labels: &["e13b", "csiso2033", "iso-ir-98", "iso_2033-1983"],
        summary: "ISO 2033 (ISO-IR-98): E13B, for cheques",
    }
};
