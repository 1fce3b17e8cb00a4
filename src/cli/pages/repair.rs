//! What does the page of `utf8 repair` say behind the options?

use super::{CONVERTED_RANGES, ENVIRONMENT, Section, section, table};
use crate::cli::repair::MOST;
use crate::policy::POLICIES;
use crate::registry;
use crate::repair::REPAIRS;

/// The sections.
pub(super) fn sections() -> Vec<Section> {
    vec![
        section("Order", ORDER),
        Section { title: "Reasons", body: reasons() },
        Section { title: "Policies", body: stand_ins() },
        section("Mojibake", MOJIBAKE),
        section("Security", SECURITY),
        section("Line ends and truncation", LINE_ENDS),
        section("Normalization", NORMALIZATION),
        section("In place", IN_PLACE),
        section("Records", &RECORDS.replace("{MOST}", &MOST.to_string())),
        section("Diffs", DIFFS),
        Section { title: "Codecs", body: codecs() },
        section("Ranges", CONVERTED_RANGES),
        section("Exit status", STATUS),
        section("Environment", ENVIRONMENT),
        section("Examples", EXAMPLES),
    ]
}

fn reasons() -> String {
    table(REPAIRS.iter().map(|row| (row.name, row.summary)))
}

/// Codecs, and which of them are written anew.
fn codecs() -> String {
    let anew = registry::CODECS.iter().filter(|spec| spec.anew).map(|spec| spec.name);
    format!("{CODECS}  {}", anew.collect::<Vec<_>>().join(", "))
}

fn stand_ins() -> String {
    let rows = table(POLICIES.iter().map(|row| (row.name, row.ill_formed)));
    format!("What stands for a sequence that is ill-formed:\n\n{rows}{STAND_IN_NOTES}")
}

const ORDER: &str = "\
Repairs are made in this order, whatever that of the options is: the byte order
mark, the structure (--shorten-overlong, --join-surrogates), what was encoded
twice (--undo-mojibake), the error policy, line ends, normalization, truncation.

Runs in which nothing is to be repaired are copied byte for byte. Each repair by
itself finds nothing more to do in what it has made. Together they may: an
overlong form of one half of a surrogate pair, once shortened, is joined only in
a second run; a second byte order mark is the first once the first is removed;
what the policy writes is not taken for mojibake, but in a second run it is text
as any other.";

const STAND_IN_NOTES: &str = "
To standard output and with --output, replace is the default. In place there is
none, so that nothing is lost that nobody gave up. What the codec lacks is ?.

fallback=PAGE saves a file in which two encodings are mixed: what is well formed
stays, and each other byte is read in the code page. surrogateescape and optu
need a codec that can hold what they write (wtf-8, for the first). A U+EF80..EFFF
that was there before cannot be told from one of optu's.";

const MOJIBAKE: &str = "\
UTF-8 that was read in a single-byte code page, and encoded as UTF-8 again, is
well formed, and still not what was meant: cafÃ© for café. --undo-mojibake finds
the characters that spell UTF-8 as bytes of the page and writes what they were,
as often as it was done to them.

--undo-mojibake=CODEPAGE is for text of which the page is known: every run that
is UTF-8 in it, from end to end, is undone, and of others the parts that are
odd as they stand. That may be sound text, too: ’é is a letter of Armenian in
macintosh. Look at --diff first, and do without a page where that suffices.

Without a page, the likely ones are tried: windows-1252 (and
Latin-1), 1250, 1251, 1253, 1254, 1257, iso-8859-2, koi8-r, macintosh, ibm437 and
ibm850. Then only that is changed which nobody can have meant, as the characters
and their neighbours show: PELÉ… stays, though it could be an ill-read letter.
A line is judged together, for if one word of it was encoded twice, so were
others, perhaps. What is undone must be in the codec of the text.

--explain names each run that was left: where it is, what it would be and by way
of which page, and why it is left:

  a.txt: byte 3: \"É…\" would be \"Ʌ\" (windows-1252), but is left: it could be
  meant [meant]

The other reasons are ambiguous (another page makes something else of it, which
is as likely), lacking (the codec of the text has no such character) and too-long
(there is no boundary in 65,536 bytes of it).";

const SECURITY: &str = "\
A program that has checked a text may be deceived by its repair. An overlong
form can spell what was looked for in vain: C0 AF shortened is a slash, C0 80 a
NUL. ignore can join what was apart: <scr E2 ipt> becomes <script>. Neither is
ever done unasked. Check a text after its repair, not before.";

const LINE_ENDS: &str = "\
CR LF, LF and a CR alone each end a line. --newlines makes them one. (Between CR
and LF, more than 65,536 bytes that are left out part them.)

--truncate and --truncate-lines count bytes of the codec, after all other
repairs, and cut between two sequences, for fields of fixed size. A byte order
mark counts; the end of a line does not. A character and its combining marks may
be parted, unless --graphemes keeps grapheme clusters whole (UAX #29: emoji with
all that is joined to them, flags, syllables of Hangul, CR LF). A cluster of more
than 64 KiB may be cut.

What is behind the cut of --truncate is left out unseen: no fault in it counts, in
place and with --on-error strict neither. Where nothing asks for its length
(--verbose, --format json, --stats, --diff) or for a NUL in it (--in-place), it is
not even read. What is left out of a text, or of a line, is one change.";

const NORMALIZATION: &str = "\
The forms are those of UAX #15. Memory is bounded, for no more than 30 combining
marks follow each other: U+034F, which is invisible, is put in front of the
next, as the Stream-Safe Text Format of UAX #15 has it. Line ends are made
alike before. --net-unicode is RFC 5198.";

const IN_PLACE: &str = "\
With --in-place, a file is first read to see whether anything would change. If
not, it is not touched. If so, the new text is written beside it and takes its
place in one step: it is the old file or the new one, whatever goes wrong. It
keeps its mode, owner and attributes; a symbolic link stays one. What has several
hard links, is no regular file or changes meanwhile is left as it is.

A file with faults that the other options do not cure is left as it is, and so is
one with a NUL in it, unless --binary is given: it is taken for binary, faults or
not. (A NUL is a byte 00, in codecs of which the units are bytes.) Binary files are
only a note if they are from a list, which may well name some.

A backup is never overwritten: with --backup, a file that has one of that name
already is left as it is, and the exit status is 2. If a file cannot be replaced
in the end, its backup is removed.

--check says the same without writing: with --in-place, of a repair in place.";

const RECORDS: &str = "\
With --verbose, a line on standard error says of each change where it was, and
where it is now if that is elsewhere; what was there, what is there and why:

  notes.txt: byte 420 (now 418): C0 AF -> 2F [shorten-overlong]

With --format json, each change is an object with type, path, offset, length and
hex (of what was there), new_offset, new_length and new_hex (of what is), and
reasons; of what is longer than {MOST} bytes, hex has the first {MOST}. A summary
follows for each input, with type, path, codec, size, new_size, changes, repaired
and by_reason. They are on standard output, unless the text is.

Changes are told as they are found. In place, that is before the file is written:
if it is left as it is, for a fault that comes later, a NUL, or because it could
not be replaced, a message says so, and repaired is false in its summary. With
--check and --diff, they are those that a repair would make.

With --explain, a line says of each input what was kept and what the policy did:

  notes.txt: kept 1,204 UTF-8 sequences, read 17 bytes as windows-1252

Those of one byte do not count; in codecs other than UTF-8, bytes do. In JSON, the
summary has kept_sequences or kept_bytes, and on_error_bytes; and each run that
--undo-mojibake has left is an object with type (note), path, offset, text, page,
spells and left (meant, ambiguous, lacking or too-long).";

const DIFFS: &str = "\
--diff shows the lines that would change, - as they are and + as they would be,
with three around them. UTF-8, its relatives and notations such as json are shown
as their bytes stand. Other codecs are decoded, and lines end where U+000A is;
those that are written anew (see CODECS) have no diff. Bytes that are no text are
spelt \\xHH, and so is what could do harm to a terminal. Of lines that are longer
than 64 KiB, the front is shown. On a terminal, what is removed is red and what is
added green (--color).";

const CODECS: &str = "\
With --from, what is well formed in that codec stays, and what stands for the
rest is written in it. utf8 --list-codecs has all codecs, with their other names.

Text in these is written anew, all of it, for what its bytes mean depends on
those before them; where nothing else is done to it, that counts as no change:

";

const STATUS: &str = "\
0  everything is repaired, or nothing was to be
1  a fault was not cured: with --on-error strict the run ends there, and in place
   the file is left, as is a binary file that was named; or --check or --diff
   found something
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still repaired. 2 outranks 1";

const EXAMPLES: &str = "\
# U+FFFD for what is ill-formed, as browsers have it
utf8 repair notes.txt > better.txt

# in its place, with a backup; stray bytes are Windows-1252
utf8 repair -i --backup .orig --on-error fallback=windows-1252 notes.txt

# text that was encoded twice; and what was left of it, and why
utf8 repair --undo-mojibake --explain page.html > better.html

# an export of an old database: pairs as in CESU-8, NUL as C0 80
utf8 repair --join-surrogates --shorten-overlong export.sql > fixed.sql

# LF, no byte order mark: would it change anything? then do it
git ls-files -z | utf8 repair -i --check -0 --files-from - --newlines lf --bom remove | tr '\\0' '\\n'
git ls-files -z | utf8 repair -i -0 --files-from - --newlines lf --bom remove

# at most 80 bytes, and no half character; no half flag or family either
utf8 repair --truncate 80 title.txt
utf8 repair --truncate 80 --graphemes title.txt

# what was changed?
utf8 repair --format json notes.txt 2>changes.jsonl >better.txt";
