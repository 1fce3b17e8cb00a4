//! The result of detection: answer, confidence, reason and evidence.

use super::Answer;
use super::damage::FoundDamage;
use super::double_encoding::DoubleEncoding;
use super::misreading::Misreading;
use super::mixture::MixtureCounts;
use super::signature::Signature;
use super::tally::ByteTally;
use crate::issue::{Interruption, Issue, Kind};
use crate::registry::Encoding;

/// The encoding of an input, with its probability and the reasons.
///
/// ```
/// use utf8::{Answer, DetectionReason, Encoding, detect};
///
/// let detection = detect(b"\xFF\xFEa\0");
/// assert_eq!(detection.answer.name(), "utf-16");
/// assert_eq!((detection.confidence, detection.reason), (1.0, DetectionReason::Signature));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Detection {
    /// The answer.
    pub answer: Answer,
    /// The probability that the answer is right, 0..=1. It is 0 for [`Answer::Unknown`].
    pub confidence: f64,
    /// The evidence that decided.
    pub reason: DetectionReason,
    /// The possible answers, the likeliest first, and the runner-up however unlikely it is. For
    /// damaged UTF-8, other answers are ranked only on [request](super::EvidenceOptions).
    pub candidates: Vec<RankedAnswer>,
    /// The evidence found, whatever the answer. It covers the whole input only on
    /// [request](super::EvidenceOptions); otherwise it ends at the byte that decided.
    #[doc(hidden)] // for the command line
    pub evidence: Evidence,
}

/// A row of [`REASONS`].
#[derive(Debug)]
#[non_exhaustive]
pub struct DetectionReasonRow {
    /// The name in JSON output.
    pub id: &'static str,
    /// The reason as a clause for people.
    pub description: &'static str,
    /// True if the reason is about the whole input, rather than about each line.
    pub(super) is_of_whole: bool,
}

table! {
    /// The evidence that an answer rests on.
    ///
    /// ```
    /// use utf8::{DetectionReason, detect};
    ///
    /// assert_eq!(detect(b"plain").reason, DetectionReason::Ascii);
    /// assert_eq!(DetectionReason::Ascii.description(), "all bytes are ASCII");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    enum DetectionReason

    /// All reasons.
    static REASONS: DetectionReasonRow []

    /// A signature at the start.
    Signature {
        id: "signature", is_of_whole: true,
        description: "by its signature",
    }
    /// The input is well-formed UTF-8, and not ASCII.
    WellFormed {
        id: "well-formed", is_of_whole: false,
        description: "well-formed UTF-8 beyond ASCII",
    }
    /// The input is ASCII without announcements of another encoding.
    Ascii {
        id: "ascii", is_of_whole: false,
        description: "all bytes are ASCII",
    }
    /// Escape sequences of ISO/IEC 2022.
    Escapes {
        id: "escapes", is_of_whole: true,
        description: "escape sequences announce it",
    }
    /// Printable shifts of UTF-7 or HZ.
    Shifts {
        id: "shifts", is_of_whole: true,
        description: "its shifts decode to text",
    }
    /// The input read as UTF-16 or UTF-32 is text.
    Units {
        id: "units", is_of_whole: true,
        description: "its code units are text",
    }
    /// As [`Units`](DetectionReason::Units), with some lone surrogates.
    Surrogates {
        id: "surrogates", is_of_whole: true,
        description: "its code units are text, with lone surrogates",
    }
    /// The input read as EBCDIC is text.
    Ebcdic {
        id: "ebcdic", is_of_whole: true,
        description: "read as EBCDIC, it is text",
    }
    /// More sequences beyond ASCII are well-formed UTF-8 than text of another encoding has by chance.
    Mostly {
        id: "mostly", is_of_whole: false,
        description: "more of it is UTF-8 than chance explains",
    }
    /// Some runs beyond ASCII are UTF-8, and more than legacy text has by chance.
    Mixed {
        id: "mixed", is_of_whole: false,
        description: "a mixture of UTF-8 and a legacy encoding",
    }
    /// The input starts with the signature of a binary format and is not UTF-8.
    Format {
        id: "format", is_of_whole: true,
        description: "it starts like a file in a binary format",
    }
    /// NULs, or other controls that text does not have.
    Controls {
        id: "controls", is_of_whole: false,
        description: "it has NULs or controls that text lacks",
    }
    /// The text is likely in some language.
    Language {
        id: "language", is_of_whole: false,
        description: "text in the language",
    }
    /// There is no evidence for any encoding.
    Nothing {
        id: "nothing", is_of_whole: false,
        description: "not enough evidence for any encoding",
    }
}

impl DetectionReason {
    /// Returns the name in JSON output.
    ///
    /// ```
    /// use utf8::{DetectionReason, detect};
    ///
    /// assert_eq!(detect("naïve".as_bytes()).reason.id(), "well-formed");
    /// assert_eq!(DetectionReason::Escapes.id(), "escapes");
    /// ```
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns the reason as a clause for people.
    ///
    /// ```
    /// let reason = utf8::detect(b"\xFF\xFEa\0").reason;
    /// assert_eq!(reason.description(), "by its signature");
    /// ```
    pub fn description(self) -> &'static str {
        self.row().description
    }
}

/// A possible answer.
///
/// ```
/// let detection = utf8::detect(b"Gr\xFC\xDFe aus M\xFCnchen");
/// let likeliest = &detection.candidates[0];
/// assert_eq!((likeliest.answer, likeliest.language), (detection.answer, Some("de")));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankedAnswer {
    /// The answer.
    pub answer: Answer,
    /// The language of the text, for legacy encodings: an ISO 639 code, with a suffix where a
    /// language is written in two ways, as in `zh-tw`. `und-latn` and `und-cyrl` stand for other
    /// languages of a script.
    pub language: Option<&'static str>,
    /// The probability, 0..=1.
    pub confidence: f64,
    /// A number that candidates share that decode the input to the same text.
    pub(super) text: usize,
}

/// The evidence found in an input.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Evidence {
    /// The number of bytes examined.
    pub size: u64,
    /// The signature at the start.
    pub signature: Option<&'static Signature>,
    /// The first ill-formed sequence as UTF-8.
    pub first_issue: Option<FirstIssue>,
    /// The offset of the first byte beyond ASCII.
    pub first_non_ascii: Option<u64>,
    /// The damage, if the answer is damaged UTF-8.
    pub damages: Vec<FoundDamage>,
    /// The code page of stray bytes among UTF-8.
    pub stray_page: Option<&'static Encoding>,
    /// The counts for a mixture of UTF-8 and a legacy encoding, if they are the reason.
    pub mixture: Option<MixtureCounts>,
    /// True if the lines of the first 4 KiB from the first byte beyond ASCII on are in several encodings,
    /// on [request](super::EvidenceOptions).
    pub has_several_encodings: bool,
    /// Double encoding in UTF-8.
    pub double_encoding: Option<DoubleEncoding>,
    /// The encoding whose text was misread as a page and encoded as UTF-8.
    pub misreading: Option<Misreading>,
    /// Counts of bytes and line ends, on [request](super::EvidenceOptions).
    pub tally: Option<ByteTally>,
}

#[cfg(feature = "cli")]
impl Evidence {
    /// Returns the page of stray bytes, unless more sequences are cut: the page is no remedy for them,
    /// and a repair would read them in it, too. A mixture that is mostly legacy text has a page without
    /// counts of damage.
    pub(crate) fn fallback_page(&self) -> Option<&'static Encoding> {
        use super::DamageKind;

        let cut = self.count(DamageKind::CutAtLineEnd) + self.count(DamageKind::CutAtEnd);
        let stray = self.count(DamageKind::Stray);
        self.stray_page.filter(|_| self.damages.is_empty() || stray > cut)
    }

    /// Returns `true` if there are overlong forms. A repair would write the characters that they hide.
    pub(crate) fn has_overlong_forms(&self) -> bool {
        self.count(super::DamageKind::Overlong) > 0
    }

    /// Returns the number of sequences of a damage kind.
    pub(crate) fn count(&self, kind: super::DamageKind) -> u64 {
        self.damages.iter().find(|found| found.kind == kind).map_or(0, |found| found.count)
    }
}

/// The first ill-formed sequence of an input as UTF-8.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FirstIssue {
    /// The offset of the first byte.
    pub offset: u64,
    /// The kind of the sequence.
    pub kind: Kind,
    /// The bytes of the sequence, and the next one if it is the cause.
    pub bytes: Vec<u8>,
}

impl FirstIssue {
    pub(super) fn new(issue: &Issue, bytes: &[u8], next: Option<u8>) -> FirstIssue {
        let next = next.filter(|_| issue.kind.is_interrupted_by(Interruption::Byte));
        let bytes = bytes.iter().copied().chain(next).collect();
        FirstIssue { offset: issue.offset, kind: issue.kind, bytes }
    }
}

impl Detection {
    /// Returns the candidates in groups that decode the input to the same text. Nothing tells the
    /// members of a group apart, and they share their confidence.
    ///
    /// ```
    /// let detection = utf8::detect(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!");
    /// let likeliest = detection.texts().next().unwrap();
    /// assert_eq!(likeliest[0].answer.name(), "windows-1251");
    /// assert!(likeliest.iter().all(|it| it.confidence == detection.confidence));
    /// ```
    pub fn texts(&self) -> impl Iterator<Item = &[RankedAnswer]> {
        self.candidates.chunk_by(|a, b| a.text == b.text)
    }

    /// Returns the answer and the candidates that decode the input to the same text, or nothing for
    /// [`Answer::Unknown`].
    ///
    /// ```
    /// // ISO-8859-1 and windows-1252 have the same letters.
    /// let detection = utf8::detect(b"Gr\xFC\xDFe aus M\xFCnchen");
    /// let names: Vec<_> = detection.equivalents().iter().map(|it| it.answer.name()).collect();
    /// assert!(names.contains(&"iso-8859-1") && names.contains(&"windows-1252"));
    /// assert!(utf8::detect(b"\xE9").equivalents().is_empty());
    /// ```
    pub fn equivalents(&self) -> &[RankedAnswer] {
        match self.answer {
            Answer::Unknown => &[],
            _ => self.texts().next().unwrap_or_default(),
        }
    }
}
