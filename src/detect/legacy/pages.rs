//! Which code pages and sets are candidates, and how common is each?

use encoding_rs::Encoding;

use super::model::{Model, Script, class};
use crate::codec::Step;
use crate::registry::{CODECS, Spec};

/// A single-byte code page.
pub(super) struct Page {
    pub name: &'static str,
    pub script: Script,
    /// What it costs, in bits, that a text is in this page. By hand: from how much each is used
    /// for its script on the web, and before that in files of its systems.
    pub cost: i64,
}

const fn page(name: &'static str, script: Script, cost: i64) -> Page {
    Page { name, script, cost }
}

/// The pages. Of those that decode a text alike, the first is the answer.
pub(super) static PAGES: [Page; 46] = [
    page("windows-1252", Script::Latin, 0),
    page("windows-1250", Script::Latin, 1),
    page("windows-1251", Script::Cyrillic, 0),
    page("windows-1253", Script::Greek, 0),
    page("windows-1254", Script::Latin, 2),
    page("windows-1255", Script::Hebrew, 0),
    page("windows-1256", Script::Arabic, 0),
    page("windows-1257", Script::Latin, 2),
    page("windows-1258", Script::Latin, 4),
    page("windows-874", Script::Thai, 0),
    page("iso-8859-1", Script::Latin, 1),
    page("iso-8859-2", Script::Latin, 2),
    page("iso-8859-15", Script::Latin, 3),
    page("iso-8859-9", Script::Latin, 3),
    page("iso-8859-7", Script::Greek, 1),
    page("iso-8859-5", Script::Cyrillic, 2),
    page("iso-8859-8", Script::Hebrew, 1),
    page("iso-8859-6", Script::Arabic, 1),
    page("iso-8859-13", Script::Latin, 4),
    page("iso-8859-4", Script::Latin, 4),
    page("iso-8859-3", Script::Latin, 5),
    page("iso-8859-10", Script::Latin, 6),
    page("iso-8859-14", Script::Latin, 6),
    page("iso-8859-16", Script::Latin, 9),
    page("tis-620", Script::Thai, 1),
    page("iso-8859-11", Script::Thai, 2),
    page("koi8-r", Script::Cyrillic, 1),
    page("koi8-u", Script::Cyrillic, 2),
    page("ibm866", Script::Cyrillic, 2),
    page("macintosh", Script::Latin, 3),
    page("x-mac-cyrillic", Script::Cyrillic, 3),
    page("ibm850", Script::Latin, 3),
    page("ibm437", Script::Latin, 3),
    page("ibm852", Script::Latin, 3),
    page("ibm858", Script::Latin, 4),
    page("ibm855", Script::Cyrillic, 4),
    page("ibm737", Script::Greek, 3),
    page("ibm869", Script::Greek, 5),
    page("ibm775", Script::Latin, 5),
    page("ibm857", Script::Latin, 4),
    page("ibm862", Script::Hebrew, 3),
    page("ibm860", Script::Latin, 6),
    page("ibm861", Script::Latin, 6),
    page("ibm863", Script::Latin, 6),
    page("ibm865", Script::Latin, 5),
    page("ibm-874", Script::Thai, 6),
];

/// A multi-byte set, and the language that it is made for.
#[derive(Clone, Copy)]
pub(super) struct Set {
    pub name: &'static str,
    pub encoding: &'static Encoding,
    pub languages: &'static [&'static str],
}

/// The multi-byte sets, as the codecs read them: gbk with the sequences of four bytes of GB 18030,
/// and big5 with the Hong Kong supplement, so that all of big5-hkscs is in it.
pub(super) static SETS: [Set; 5] = [
    Set { name: "gbk", encoding: &encoding_rs::GBK_INIT, languages: &["zh-cn", "zh-tw"] },
    Set { name: "big5", encoding: &encoding_rs::BIG5_INIT, languages: &["zh-tw"] },
    Set { name: "shift_jis", encoding: &encoding_rs::SHIFT_JIS_INIT, languages: &["ja"] },
    Set { name: "euc-jp", encoding: &encoding_rs::EUC_JP_INIT, languages: &["ja"] },
    Set { name: "euc-kr", encoding: &encoding_rs::EUC_KR_INIT, languages: &["ko"] },
];

/// The codec of this name.
pub(super) fn spec(name: &str) -> &'static Spec {
    CODECS.iter().find(|spec| spec.name == name).expect("candidates are codecs")
}

/// Whether a letter is a capital.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    None,
    Lower,
    Upper,
}

/// What a byte of a page is, whatever the language.
#[derive(Clone, Copy)]
pub(super) enum Glyph {
    /// A letter beyond ASCII: its place in the tables.
    Letter(usize, Case),
    /// Anything else: class and cost.
    Mark(u8, u16),
}

/// What an alien character costs among such, and a control. By hand: an alien is one of about a
/// hundred that a page has, and controls are hardly ever in text.
const ALIEN: u16 = 7 * 16;
const CONTROL: u16 = 10 * 16;

impl Page {
    /// The code points of some bytes. `None` if one of them has no character.
    pub fn points(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        let spec = spec(self.name);
        let point = |&byte: &u8| match (spec.step)(&[byte]) {
            Step::Scalar { value, .. } => Some(value),
            _ => None,
        };
        bytes.iter().map(point).collect()
    }
}

/// What a code point is.
pub(super) fn glyph(model: &Model, value: u32) -> Glyph {
    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
    let lower = lower(character);
    if let Some(at) = u16::try_from(u32::from(lower)).ok().and_then(|point| model.letter(point)) {
        return Glyph::Letter(at, case(character));
    }
    match u16::try_from(value).ok().and_then(|point| model.mark(point)) {
        Some(mark) => Glyph::Mark(mark.class, mark.cost.into()),
        None if value < 0xA0 => Glyph::Mark(class::ALIEN, CONTROL),
        None => Glyph::Mark(class::ALIEN, ALIEN),
    }
}

/// In lower case, and as the tables have it: they are made with the same pairs, `SAME` of
/// models/derive.py.
fn lower(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ș'), None) => 'ş',
        (Some('ț'), None) => 'ţ',
        (Some('ی'), None) => 'ي',
        (Some('ک'), None) => 'ك',
        (Some(one), None) => one,
        _ => character,
    }
}

/// The case of a letter.
pub(super) fn case(character: char) -> Case {
    match () {
        () if character.is_uppercase() => Case::Upper,
        () if character.is_lowercase() => Case::Lower,
        () => Case::None,
    }
}
