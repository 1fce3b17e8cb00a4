//! Rare code pages of DOS.

use super::{PageRow, Prior, Script, page_rows};

#[rustfmt::skip]
pub(super) const ROWS: &[PageRow] = page_rows! { PageRow::DOS;
    "ibm720" {
        labels: &["cp720", "windows-720", "dos-720", "720", "AR8ADOS720"],
        summary: "DOS: Arabic",
    }
    "ibm770" {
        labels: &["cp770", "770"],
        summary: "DOS: Estonian, Lithuanian and Latvian",
    }
    "ibm771" {
        labels: &["cp771", "771"],
        summary: "DOS: Lithuanian and Russian (KBL)",
    }
    "ibm772" {
        labels: &["cp772", "772", "LT8PC772"],
        summary: "DOS: Lithuanian and Russian (LST 1284)",
    }
    "ibm773" {
        labels: &["cp773", "773"],
        summary: "DOS: Lithuanian, Latvian and Estonian",
    }
    "ibm774" {
        labels: &["cp774", "774", "LT8PC774"],
        summary: "DOS: Lithuanian (LST 1283)",
    }
    "ibm851" {
        labels: &["851", "cp851", "csibm851", "csPC851", "EL8PC851"],
        summary: "DOS: Greek, before ibm869",
    }
    "ibm856" {
        labels: &["856", "cp856", "csibm856", "x-IBM856"],
        summary: "DOS: Hebrew, with the places of ibm850",
    }
    "ibm866nav" {
        labels: &["866nav", "cp866nav"],
        summary: "DOS: Russian; ibm866 with other signs in F2..FF",
    }
    "ibm868" {
        labels: &["cp-ar", "cp868", "csibm868", "osf10020364", "868"],
        summary: "DOS: Urdu, presentation forms",
    }
    "ibm904" {
        labels: &["904", "cp904", "csibm904", "osf10020388", "csIBBM904"],
        summary: "DOS: Taiwan, single-byte part",
    }
    "ibm1098" {
        labels: &["x-IBM1098", "1098", "cp1098"],
        summary: "DOS: Persian, presentation forms",
    }
    "ibm1131" {
        labels: &["cp1131", "1131"],
        summary: "DOS: Belarusian",
        detect: Some(Prior { rank: 49, script: Script::Cyrillic, cost: 5, languages: &["be"] }),
    }
    "mik" {
        summary: "DOS: Bulgarian",
    }
    "cwi" {
        labels: &["cp-hu", "cwi-2", "HU8CWI2"],
        summary: "DOS: Hungarian; ibm437 with the letters of Hungarian",
    }
};
