//! Which code pages and sets are candidates, and how common is each?

use super::model::{Model, ModelScript, class};
use crate::codec::Step;
use crate::registry::{CODECS, Encoding};

/// A single-byte code page.
pub(super) struct DetectedPage {
    pub name: &'static str,
    pub script: ModelScript,
    /// What it costs, in bits, that a text is in this page. By hand: from how much each is used
    /// for its script on the web, and before that in files of its systems.
    pub cost: i64,
}

const fn page(name: &'static str, script: ModelScript, cost: i64) -> DetectedPage {
    DetectedPage { name, script, cost }
}

/// The pages. Of those that decode a text alike, the first is the answer.
pub(super) static PAGES: [DetectedPage; 46] = [
    page("windows-1252", ModelScript::Latin, 0),
    page("windows-1250", ModelScript::Latin, 1),
    page("windows-1251", ModelScript::Cyrillic, 0),
    page("windows-1253", ModelScript::Greek, 0),
    page("windows-1254", ModelScript::Latin, 2),
    page("windows-1255", ModelScript::Hebrew, 0),
    page("windows-1256", ModelScript::Arabic, 0),
    page("windows-1257", ModelScript::Latin, 2),
    page("windows-1258", ModelScript::Latin, 4),
    page("windows-874", ModelScript::Thai, 0),
    page("iso-8859-1", ModelScript::Latin, 1),
    page("iso-8859-2", ModelScript::Latin, 2),
    page("iso-8859-15", ModelScript::Latin, 3),
    page("iso-8859-9", ModelScript::Latin, 3),
    page("iso-8859-7", ModelScript::Greek, 1),
    page("iso-8859-5", ModelScript::Cyrillic, 2),
    page("iso-8859-8", ModelScript::Hebrew, 1),
    page("iso-8859-6", ModelScript::Arabic, 1),
    page("iso-8859-13", ModelScript::Latin, 4),
    page("iso-8859-4", ModelScript::Latin, 4),
    page("iso-8859-3", ModelScript::Latin, 5),
    page("iso-8859-10", ModelScript::Latin, 6),
    page("iso-8859-14", ModelScript::Latin, 6),
    page("iso-8859-16", ModelScript::Latin, 9),
    page("tis-620", ModelScript::Thai, 1),
    page("iso-8859-11", ModelScript::Thai, 2),
    page("koi8-r", ModelScript::Cyrillic, 1),
    page("koi8-u", ModelScript::Cyrillic, 2),
    page("ibm866", ModelScript::Cyrillic, 2),
    page("macintosh", ModelScript::Latin, 3),
    page("x-mac-cyrillic", ModelScript::Cyrillic, 3),
    page("ibm850", ModelScript::Latin, 3),
    page("ibm437", ModelScript::Latin, 3),
    page("ibm852", ModelScript::Latin, 3),
    page("ibm858", ModelScript::Latin, 4),
    page("ibm855", ModelScript::Cyrillic, 4),
    page("ibm737", ModelScript::Greek, 3),
    page("ibm869", ModelScript::Greek, 5),
    page("ibm775", ModelScript::Latin, 5),
    page("ibm857", ModelScript::Latin, 4),
    page("ibm862", ModelScript::Hebrew, 3),
    page("ibm860", ModelScript::Latin, 6),
    page("ibm861", ModelScript::Latin, 6),
    page("ibm863", ModelScript::Latin, 6),
    page("ibm865", ModelScript::Latin, 5),
    page("ibm-874", ModelScript::Thai, 6),
];

/// A multi-byte set, and the language that it is made for.
#[derive(Clone, Copy)]
pub(super) struct MultiByteSet {
    pub name: &'static str,
    pub encoding: &'static encoding_rs::Encoding,
    pub languages: &'static [&'static str],
}

/// The multi-byte sets, as the codecs read them: gbk with the sequences of four bytes of GB 18030,
/// and big5 with the Hong Kong supplement, so that all of big5-hkscs is in it.
pub(super) static SETS: [MultiByteSet; 5] = [
    MultiByteSet { name: "gbk", encoding: &encoding_rs::GBK_INIT, languages: &["zh-cn", "zh-tw"] },
    MultiByteSet { name: "big5", encoding: &encoding_rs::BIG5_INIT, languages: &["zh-tw"] },
    MultiByteSet { name: "shift_jis", encoding: &encoding_rs::SHIFT_JIS_INIT, languages: &["ja"] },
    MultiByteSet { name: "euc-jp", encoding: &encoding_rs::EUC_JP_INIT, languages: &["ja"] },
    MultiByteSet { name: "euc-kr", encoding: &encoding_rs::EUC_KR_INIT, languages: &["ko"] },
];

/// The codec of this name.
pub(super) fn spec(name: &str) -> &'static Encoding {
    CODECS.iter().find(|spec| spec.name == name).expect("candidates are codecs")
}

/// Whether a letter is a capital.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterCase {
    None,
    Lower,
    Upper,
}

/// What a byte of a page is, whatever the language.
#[derive(Clone, Copy)]
pub(super) enum Glyph {
    /// A letter beyond ASCII: its place in the tables.
    Letter(usize, LetterCase),
    /// Anything else: class and cost.
    Mark(u8, u16),
}

/// What an alien character costs among such, and a control. By hand: an alien is one of about a
/// hundred that a page has, and controls are hardly ever in text.
const ALIEN: u16 = 7 * 16;
const CONTROL: u16 = 10 * 16;

impl DetectedPage {
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
pub(super) fn case(character: char) -> LetterCase {
    match () {
        () if character.is_uppercase() => LetterCase::Upper,
        () if character.is_lowercase() => LetterCase::Lower,
        () => LetterCase::None,
    }
}
