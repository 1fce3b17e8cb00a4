//! Lints: rules about well-formed text, and the levels at which they are reported.

pub mod levels;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; the input still counts as valid.
    Warn,
    /// Reported; the input counts as invalid.
    #[default]
    Deny,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnding {
    /// LINE FEED.
    Lf,
    /// CARRIAGE RETURN and LINE FEED.
    CrLf,
}

/// A group of lints that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintGroup {
    /// Characters that can deceive a reader or a program.
    Security,
    /// Byte order marks, line ends and declared encodings.
    Files,
    /// Characters that a text may have by mistake.
    Text,
    /// Lints that exclude each other.
    Opposed,
}

/// A row of [`LINTS`].
#[derive(Debug)]
pub struct LintRow {
    /// The lint.
    pub lint: Lint,
    /// The name in every report, such as `bidi-control`.
    pub id: &'static str,
    /// The group.
    pub group: LintGroup,
    /// The short name for people.
    pub title: &'static str,
    /// The definition, as a noun phrase.
    pub explanation: &'static str,
    /// The reason to report it, as a sentence.
    pub reason: &'static str,
    /// The message. `{character}` stands for the code point and its name, `{detail}` for a fact
    /// that the lint gives.
    pub message: &'static str,
    /// A text that has a finding.
    pub faulty: &'static str,
    /// A similar text without one.
    pub good: &'static str,
    /// The change that fixes a finding, if a program can make it.
    pub fix: Option<LintFix>,
}

/// A change that fixes a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintFix {
    pub action: FixAction,
    /// True if the text keeps its meaning.
    pub certain: bool,
}

/// The action of a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixAction {
    /// Removes the characters.
    Remove,
    /// Writes SPACE for them.
    Space,
    /// Writes a line end for them.
    LineEnd,
    /// Writes the text that the lint proposes.
    Replace,
    /// Removes the byte order mark of the file.
    RemoveBom,
    /// Adds a byte order mark to the file.
    AddBom,
    /// Writes one kind of line end in the whole file.
    UnifyLineEnds,
}

const fn certain(action: FixAction) -> Option<LintFix> {
    Some(LintFix { action, certain: true })
}

const fn uncertain(action: FixAction) -> Option<LintFix> {
    Some(LintFix { action, certain: false })
}

const CHARACTER: &str = "{character}";

table! {
    /// A rule about well-formed text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Lint

    /// Every lint, in the order of [`Lint`].
    static LINTS: LintRow [lint]

    BidiUnpaired {
        id: "bidi-unpaired", title: "Bidirectional control that its line does not close",
        explanation: "U+202A, 202B, 202D, 202E or 2066..2068 without the character that ends its effect, in one line",
        reason: "It can show the rest of the line in another order than compilers read it (CVE-2021-42574).",
        message: "{character} is not closed in its line",
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a = b\u{202E} // c\n", good: "\u{2067}a\u{2069} \u{202B}b\u{202C}\n",
    }
    BidiControl {
        id: "bidi-control", title: "Bidirectional control",
        explanation: "U+202A..202E and U+2066..2069",
        reason: "It can show text in another order than programs read it (CVE-2021-42574).",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a \u{202C} c\n", good: "a \u{5D0} c\n",
    }
    TagCharacter {
        id: "tag-character", title: "Tag characters outside of a flag",
        explanation: "U+E0001 and U+E0020..E007F, except in the emoji flag of a region",
        reason: "Tag characters are invisible and can hide text that programs and language models read.",
        message: "{character}{detail}",
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a\u{E0068}\u{E0069}b\n",
        good: "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\n",
    }
    VariationSelector {
        id: "variation-selector", title: "Variation selector without effect",
        explanation: "U+FE00..FE0F, E0100..E01EF or 180B..180F after a character that has no variants",
        reason: "A variation selector is invisible there; a series of them can hide any bytes.",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a\u{FE0F}\n", good: "\u{2764}\u{FE0F} 1\u{FE0F}\u{20E3} \u{845B}\u{E0100}\n",
    }
    Invisible {
        id: "invisible", title: "Invisible character",
        explanation: "a zero-width, filler or annotation character, except in the emoji and scripts that need it",
        reason: "Texts that look the same differ, and words are not found.",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "ad\u{200B}min\n", good: "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\n",
    }
    C0Control {
        id: "c0-control", title: "C0 control or DEL",
        explanation: "U+0001..001F except tabulation and line ends, and U+007F",
        reason: "Controls can move the cursor of a terminal or change its state.",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "\u{1B}[2J\n", good: "a\tb\r\n",
    }
    C1Control {
        id: "c1-control", title: "C1 control",
        explanation: "U+0080..009F except U+0085",
        reason: "It is a control of terminals, or a character of windows-1252 that was read as Latin-1: \
                 utf8 repair --undo-mojibake restores the character.",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a\u{92}s\n", good: "a\u{2019}s\n",
    }
    Nul {
        id: "nul", title: "NUL",
        explanation: "U+0000",
        reason: "It ends a string in C, and databases refuse it.",
        message: CHARACTER,
        group: LintGroup::Security, fix: uncertain(FixAction::Remove),
        faulty: "a\0b\n", good: "a0b\n",
    }
    Bom {
        id: "bom", title: "Byte order mark",
        explanation: "U+FEFF at the start of a file, except in UTF-16 and UTF-32",
        reason: "Scripts, parsers and concatenation stumble over it.",
        message: "byte order mark",
        group: LintGroup::Files, fix: certain(FixAction::RemoveBom),
        faulty: "\u{FEFF}a\n", good: "a\n",
    }
    MixedLineEnding {
        id: "mixed-line-ending", title: "Mixed line ends",
        explanation: "the first line whose end (LF or CR LF) is not that of the first line",
        reason: "Diffs, shells and signatures differ by invisible bytes.",
        message: "line ends with {detail}",
        group: LintGroup::Files, fix: certain(FixAction::UnifyLineEnds),
        faulty: "a\r\nb\n", good: "a\r\nb\r\n",
    }
    LoneCr {
        id: "lone-cr", title: "Carriage return alone",
        explanation: "U+000D without U+000A after it",
        reason: "Some programs end the line there and others do not; a terminal writes over the line.",
        message: "{character} without LINE FEED",
        group: LintGroup::Files, fix: certain(FixAction::LineEnd),
        faulty: "a\rb\n", good: "a\r\nb\r\n",
    }
    LineSeparator {
        id: "line-separator", title: "Unicode line end",
        explanation: "U+0085, U+2028 and U+2029",
        reason: "Some programs end the line there and others do not.",
        message: CHARACTER,
        group: LintGroup::Files, fix: uncertain(FixAction::LineEnd),
        faulty: "a\u{2028}b\n", good: "a\nb\n",
    }
    MissingFinalNewline {
        id: "missing-final-newline", title: "No line end at the end of the file",
        explanation: "a file that ends with neither U+000A nor U+000D",
        reason: "POSIX text files end with one, and files that are joined run together without it.",
        message: "no line end at the end of the file",
        group: LintGroup::Files, fix: certain(FixAction::LineEnd),
        faulty: "a", good: "a\n",
    }
    BomInside {
        id: "bom-inside", title: "Byte order mark inside of a file",
        explanation: "U+FEFF after the start of a file",
        reason: "It is invisible, and a sign that files were joined.",
        message: CHARACTER,
        group: LintGroup::Files, fix: certain(FixAction::Remove),
        faulty: "a\n\u{FEFF}b\n", good: "\u{FEFF}a\n",
    }
    WrongDeclaration {
        id: "wrong-declaration", title: "Declaration of another encoding",
        explanation: "a label in the text, or a setting for the file, of another encoding",
        reason: "Programs that follow the declaration read other characters.",
        message: "{detail}",
        group: LintGroup::Files, fix: None,
        faulty: "# coding: latin-1\nname = 'Zo\u{EB}'\n", good: "# coding: utf-8\nname = 'Zo\u{EB}'\n",
    }
    Noncharacter {
        id: "noncharacter", title: "Noncharacter",
        explanation: "U+FDD0..FDEF and the last two code points of each plane",
        reason: "Noncharacters are for internal use; XML and some protocols refuse them.",
        message: CHARACTER,
        group: LintGroup::Text, fix: uncertain(FixAction::Remove),
        faulty: "\u{FFFF}\n", good: "\u{FDF0}\n",
    }
    PrivateUse {
        id: "private-use", title: "Private-use character",
        explanation: "U+E000..F8FF and planes 15 and 16",
        reason: "It has no meaning without an agreement, and no glyph without a font.",
        message: CHARACTER,
        group: LintGroup::Text, fix: None,
        faulty: "\u{E000}\n", good: "\u{2665}\n",
    }
    ReplacementCharacter {
        id: "replacement-character", title: "Replacement character",
        explanation: "U+FFFD",
        reason: "It stands for text that an earlier conversion lost.",
        message: CHARACTER,
        group: LintGroup::Text, fix: None,
        faulty: "caf\u{FFFD}\n", good: "caf\u{E9}\n",
    }
    Mojibake {
        id: "mojibake", title: "Double encoding",
        explanation: "UTF-8 that was read in a code page and encoded again, or windows-1252 that was \
                      read as ISO-8859-1",
        reason: "It shows other characters than were meant; utf8 repair --undo-mojibake restores them.",
        message: "{detail}",
        group: LintGroup::Text, fix: uncertain(FixAction::Replace),
        faulty: "caf\u{C3}\u{A9}\n", good: "caf\u{E9}\n",
    }
    NotNfc {
        id: "not-nfc", title: "Text that is not in NFC",
        explanation: "a character, with its marks, that normalization form C replaces",
        reason: "Texts that look the same differ, and words are not found.",
        message: "{detail} in NFC",
        group: LintGroup::Text, fix: uncertain(FixAction::Replace),
        faulty: "cafe\u{301}\n", good: "caf\u{E9}\n",
    }
    NotAscii {
        id: "not-ascii", title: "Character beyond ASCII",
        explanation: "U+0080 and above",
        reason: "Some files must be ASCII.",
        message: CHARACTER,
        group: LintGroup::Text, fix: None,
        faulty: "caf\u{E9}\n", good: "cafe\n",
    }
    IrregularWhitespace {
        id: "irregular-whitespace", title: "Irregular white space",
        explanation: "a space other than U+0020, such as U+00A0 or U+3000",
        reason: "It looks like a space but does not separate words for most programs.",
        message: CHARACTER,
        group: LintGroup::Text, fix: uncertain(FixAction::Space),
        faulty: "a\u{A0}b\n", good: "a b\n",
    }
    BidiMark {
        id: "bidi-mark", title: "Bidirectional mark",
        explanation: "U+061C, U+200E and U+200F",
        reason: "It is invisible; texts in one direction do not need it.",
        message: CHARACTER,
        group: LintGroup::Text, fix: uncertain(FixAction::Remove),
        faulty: "a\u{200E}b\n", good: "ab\n",
    }
    SoftHyphen {
        id: "soft-hyphen", title: "Soft hyphen",
        explanation: "U+00AD",
        reason: "It is mostly invisible, and words with it are not found.",
        message: CHARACTER,
        group: LintGroup::Text, fix: uncertain(FixAction::Remove),
        faulty: "hy\u{AD}phen\n", good: "hy-phen\n",
    }
    MissingBom {
        id: "missing-bom", title: "No byte order mark",
        explanation: "a file that does not start with U+FEFF, in an encoding that has it",
        reason: "Some programs of Windows read a file without it in the code page of the system.",
        message: "no byte order mark",
        group: LintGroup::Opposed, fix: certain(FixAction::AddBom),
        faulty: "a\n", good: "\u{FEFF}a\n",
    }
    Crlf {
        id: "crlf", title: "Line end CR LF",
        explanation: "the first line that ends with CR LF",
        reason: "Lines are to end with LF.",
        message: "line ends with CR LF",
        group: LintGroup::Opposed, fix: certain(FixAction::UnifyLineEnds),
        faulty: "a\r\n", good: "a\n",
    }
    Lf {
        id: "lf", title: "Line end LF",
        explanation: "the first line that ends with LF alone",
        reason: "Lines are to end with CR LF.",
        message: "line ends with LF",
        group: LintGroup::Opposed, fix: certain(FixAction::UnifyLineEnds),
        faulty: "a\n", good: "a\r\n",
    }
    UnusedAllow {
        id: "unused-allow", title: "Comment that allows nothing",
        explanation: "a comment utf8:allow(...) without a finding that it allows, or with an unknown name",
        reason: "It may hide a finding of later text, or was meant for another line.",
        message: "{detail}",
        group: LintGroup::Opposed, fix: None,
        faulty: "# utf8:allow(nil)\n", good: "# allow(nil)\n",
    }
    Unassigned {
        id: "unassigned", title: "Unassigned code point",
        explanation: "a code point without a character in this version of Unicode",
        reason: "It is a mistake, or a character of a later version.",
        message: CHARACTER,
        group: LintGroup::Opposed, fix: None,
        faulty: "\u{378}\n", good: "\u{377}\n",
    }
}

impl Lint {
    /// The number of lints.
    pub const COUNT: usize = LINTS.len();

    /// Returns the lint that asks for the opposite: a text has a finding of one of both.
    pub fn opposite(self) -> Option<Lint> {
        match self {
            Lint::Bom => Some(Lint::MissingBom),
            Lint::MissingBom => Some(Lint::Bom),
            Lint::Crlf => Some(Lint::Lf),
            Lint::Lf => Some(Lint::Crlf),
            _ => None,
        }
    }
}

impl FixAction {
    /// Returns the description, as a sentence without its subject.
    pub fn description(self) -> &'static str {
        match self {
            FixAction::Remove => "removes it",
            FixAction::Space => "writes a space",
            FixAction::LineEnd => "writes a line end",
            FixAction::Replace => "writes the text that the message names",
            FixAction::RemoveBom => "removes it",
            FixAction::AddBom => "adds a byte order mark",
            FixAction::UnifyLineEnds => "replaces the other line ends",
        }
    }
}

impl LineEnding {
    /// Returns the characters in ASCII.
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            LineEnding::Lf => b"\n",
            LineEnding::CrLf => b"\r\n",
        }
    }
}

impl Level {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warning",
            Level::Deny => "error",
        }
    }
}

impl LintGroup {
    /// Returns the name in every report.
    pub fn id(self) -> &'static str {
        match self {
            LintGroup::Security => "security",
            LintGroup::Files => "files",
            LintGroup::Text => "text",
            LintGroup::Opposed => "opposed",
        }
    }
}
