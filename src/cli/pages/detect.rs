//! What does the page of `utf8 detect` say behind the options?

use super::{ENVIRONMENT, Section, section, table};
use crate::detect::{DAMAGES, NAMES, REASONS};

/// The sections.
pub(super) fn sections() -> Vec<Section> {
    vec![
        Section { title: "Answers", body: answers() },
        section("Order of evidence", EVIDENCE),
        section("Confidence", CONFIDENCE),
        section("Formats", FORMATS),
        Section { title: "Reasons", body: reasons() },
        Section { title: "Damages", body: damages() },
        section("Expectations", EXPECTATIONS),
        section("Regions", REGIONS),
        section("Samples and ranges", SAMPLES),
        section("Exit status", STATUS),
        section("Environment", ENVIRONMENT),
        section("Examples", EXAMPLES),
    ]
}

/// Answers, and those among them that are no codecs.
fn answers() -> String {
    let others = NAMES.iter().filter(|name| !ANSWERS.contains(*name));
    let names: Vec<_> = others.map(|name| format!("  {name}")).collect();
    format!(
        "{ANSWERS}\n\nAnswers for which there is no codec; iconv and uconv read some:\n\n{}",
        names.join("\n")
    )
}

fn reasons() -> String {
    table(REASONS.iter().map(|reason| (reason.id(), reason.said())))
}

fn damages() -> String {
    let said = DAMAGES.map(|damage| (damage.id(), damage.said().concat()));
    table(said.iter().map(|(id, said)| (*id, said.as_str())))
}

const ANSWERS: &str = "\
the name of a codec  utf8 encode -f CODEC reads it (utf8 --list-codecs)
us-ascii             all is ASCII, and nothing announces that it is more
utf-8                all is well-formed UTF-8, and not all is ASCII; with a BOM,
                     too
utf-16, utf-32       a BOM tells the order of bytes; without one, the order is
                     part of the name: utf-16le, utf-32be
damaged-utf-8        UTF-8 but for some sequences: surrogates of three bytes
                     (CESU-8, WTF-8), overlong or too large forms, a cut end, or
                     bytes of a code page; --format long says which
binary               no text: NULs or controls. No other signs are looked for, such
                     as what files of images or archives start with
unknown              nothing carries an answer";

const EVIDENCE: &str = "\
What is further up decides, whatever is below:

1  a signature: UTF-32, UTF-16, UTF-8, UTF-1, SCSU, BOCU-1, UTF-EBCDIC, GB 18030
   or UTF-7. That of UTF-8 only says what the text is meant to be in.
2  All of the input is well-formed UTF-8, and not all of it ASCII: it is utf-8,
   whatever else is in it. Text that was encoded twice is utf-8 still, and is
   noted in --format long.
3  In ASCII: escapes of ISO 2022, the shifts of HZ, and those of UTF-7 if they
   spell text.
4  EBCDIC, whose blanks, letters and digits spell words.
5  Where there are NULs or controls: UTF-16 and UTF-32 whose code units spell
   text; with lone surrogates among them, they are wtf-16le, wtf-16be, ucs-4le or
   ucs-4be. Without a NUL, they come last.
6  More than one NUL or control in 64 bytes, or any NUL outside of UTF-8: binary.
   In well-formed UTF-8, that is not all ASCII, NULs are text.
7  Most of what is not ASCII is well-formed UTF-8: damaged-utf-8. So is text of a
   code page in which runs of UTF-8 are many more than chance makes.
8  Code pages and multi-byte sets in which all of the input is well formed, by
   how likely the text would be in some language.

A single é of ISO 8859-1 among much UTF-8 is damage, and a single pair of such
characters that happens to be UTF-8 does not make a text damaged UTF-8.";

const CONFIDENCE: &str = "\
How likely it is that the text is what this encoding makes of the input, from 0
to 1, or in percent. 1 is a proof, and is only told of signatures, of ASCII and
of well-formed UTF-8. What the text itself declares, as HTML and XML do, is not
asked. Encodings that make the same text of the input stand one behind the other
with the same number, which counts once: nothing tells them apart, and the most
common of them is the answer. Below 0.2, the answer is unknown, and has 0.";

const FORMATS: &str = "\
plain prints the answer alone, as NAME: ANSWER if there may be several inputs;
with --candidates, a line for each: the name, how likely it is, the language.
mime prints what file --mime does: unknown-8bit is the charset of damaged-utf-8
and of unknown.

long and json look at all of the input and count: bytes, ASCII, NULs, other
controls, line ends; the offset and the bytes of what ruled UTF-8 out; what kinds
of damage there are, how often, and where first; the code page that stray bytes
are likely of; of text in two encodings, how many runs of bytes beyond ASCII are
UTF-8, in a sample; whether UTF-8 was encoded twice; and the command that is to be run
next. The others stop where a fault has settled the answer, or a BOM and 64 KiB have.

What is counted is bytes and what they are in ASCII: of UTF-16, it says little.

json is an object for each input, with the keys type (encoding), path, encoding,
confidence, reason, signature, size (of what was examined), first_beyond_ascii,
fault (offset, kind, class, hex), damages (damage, number, first), stray_page,
mixed (utf8, runs), twice (page, number, first), ascii, nuls, controls, line_ends
(lf, crlf, cr), candidates (encoding, confidence, language), command. What is not
known is null. Offsets are those of the whole input. An object of type trouble
has path and message. A path that is not UTF-8 has U+FFFD for what is not, and
path_bytes has its bytes in base64.";

const EXPECTATIONS: &str = "\
--expect takes the labels of codecs (utf8 --list-codecs) and the other answers.
utf-8 holds us-ascii, utf-8-bom wants the BOM and utf-8n wants none, utf-16le is
what a BOM or the text says. A code page is as expected if it makes the same text
of the input as the answer, and so is a set that holds all of it (gb18030 for
gbk). The relatives of UTF-8, such as cesu-8, are never the answer: utf8 validate
-f cesu-8 says whether it is that. Nothing is guessed for utf-8: only what is well
formed is UTF-8.";

const REGIONS: &str = "\
With --regions, a row for each part of an input that is in another encoding than
the part before: the offsets of its first and its last byte, and the encoding;
with --format json, an object of type region with path, offset, length and
encoding. Lines of ASCII go with what is before them, and lines that may be UTF-8
by chance with the legacy set about them, if it holds them. Next to each other,
lines of legacy sets are one region, named for all of it: where two of them meet,
that is not told. After 256 such regions, the set is taken that the longest so far
was in. Parts of lines of 64 KiB are judged like lines. What has no lines of bytes is one region, if the first 64 KiB
tell: UTF-16, UTF-32, ISO 2022, HZ, UTF-7, and what another BOM announces.";

const SAMPLES: &str = "\
All of the input is looked at: a fault in the last byte rules UTF-8 out. With
--sample (the first bytes), --skip or --length, only that part is, and what is
certain is certain of that part. A character of UTF-8 that starts in it belongs
to it whole, and one that started before does not. What takes more than a look at each byte is told by a part:

UTF-16, UTF-32, EBCDIC  without a BOM, by the first 64 KiB
binary                  by the first 64 KiB and by those from the first byte on
                        that is not ASCII; a NUL counts wherever it is
UTF-7, HZ               by the shifts in the first MiB
twice                   by 64 KiB from the first character on that is not ASCII
languages               by 16 windows of 1 KiB that have such characters, spread
                        over all of the input; whether a code page or set can hold
                        the input, by all of it";

const STATUS: &str = "\
0  done; with --expect, all is as expected
1  something is not as expected
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1";

const EXAMPLES: &str = "\
# which encoding is it, and why? what else can it be?
utf8 detect notes.txt
utf8 detect --format long notes.txt
utf8 detect --candidates 5 notes.txt

# which parts of a log are in something else?
utf8 detect --regions app.log

# is all of this UTF-8? which files are not?
git ls-files -z | utf8 detect -q --expect utf-8 -0 --files-from - || echo no
git ls-files -z | utf8 detect -0 --files-from - --expect utf-8 > /dev/null

# each file as UTF-8, with a copy of what it was; those in doubt stay as they are
utf8 decode -f auto -v -i --backup .orig *.txt

# as UTF-8, whatever it is in; most of the names are those of iconv, too
utf8 encode -f auto notes.txt
iconv -f \"$(utf8 detect notes.txt)\" -t utf-8 notes.txt";
