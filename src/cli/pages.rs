//! What does the help say behind the options? The man pages say the same.

use std::fmt::Write;

use super::repair::MOST;
use crate::codec;
use crate::dump;
use crate::issue::KINDS;
use crate::policy::{self, POLICIES};
use crate::repair::REPAIRS;

/// A section of the help of a command, and of its man page.
#[derive(Debug)]
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Its lines.
    pub body: String,
}

/// The sections behind the options of a command: of `utf8` itself, or of one of its commands.
pub fn sections(command: &str) -> Vec<Section> {
    let section = |title, body: &str| Section { title, body: body.to_owned() };
    match command {
        "validate" => vec![
            section("Findings", FINDINGS),
            section("Formats", FORMAT_NOTES),
            Section { title: "Kinds", body: kinds() },
            section("Codecs", CODECS),
            section("Ranges", RANGES),
            section("Names", NAMES),
            section("Exit status", VALIDATE_STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", VALIDATE_EXAMPLES),
        ],
        "decode" | "encode" => vec![
            section("Defaults", DEFAULTS),
            section("Faults", FAULTS),
            Section { title: "Policies", body: policies() },
            section("Byte order marks", MARKS),
            section("Notations", NOTATIONS),
            section("Codecs", CODECS),
            section("Choices", CHOICES),
            section("Output", OUTPUT),
            section("In place", CONVERTED_IN_PLACE),
            section("Ranges", CONVERTED_RANGES),
            section("Exit status", CONVERT_STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", CONVERT_EXAMPLES),
        ],
        "dump-bits" => vec![
            section("Rows of sequences", SEQUENCES),
            section("Rows of bytes", BYTE_ROWS),
            section("Derivations", DERIVATIONS),
            section("Characters", CHARACTERS),
            Section { title: "Colours", body: colors() },
            section("Formats", DUMP_FORMATS),
            section("Reverse", REVERSE),
            section("Patches", PATCHES),
            section("Ranges", DUMP_RANGES),
            section("Codecs", CODECS),
            section("Exit status", DUMP_STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", DUMP_EXAMPLES),
        ],
        "repair" => vec![
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
            Section { title: "Codecs", body: repair_codecs() },
            section("Ranges", CONVERTED_RANGES),
            section("Exit status", REPAIR_STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", REPAIR_EXAMPLES),
        ],
        "detect" => vec![
            section("Answers", ANSWERS),
            section("Order of evidence", EVIDENCE),
            section("Confidence", CONFIDENCE),
            section("Formats", DETECT_FORMATS),
            section("Expectations", EXPECTATIONS),
            section("Regions", REGIONS),
            section("Samples and ranges", SAMPLES),
            section("Exit status", DETECT_STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", DETECT_EXAMPLES),
        ],
        _ => vec![
            section("Exit status", STATUS),
            section("Environment", ENVIRONMENT),
            section("Examples", EXAMPLES),
        ],
    }
}

/// The sections as the help has them.
pub(super) fn epilogue(command: &str) -> String {
    let mut text = String::new();
    for Section { title, body } in sections(command) {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{title}:");
        for line in body.lines() {
            let _ = writeln!(text, "{}{line}", if line.is_empty() { "" } else { "  " });
        }
    }
    text
}

/// Lines of two columns.
fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.fold(String::new(), |mut text, (name, what)| {
        let _ = writeln!(text, "{name:width$}  {what}");
        text
    })
}

fn kinds() -> String {
    table(KINDS.iter().map(|row| (row.id, row.when))) + KIND_NOTES
}

fn colors() -> String {
    format!("{}{COLOR_NOTES}", table(dump::colors()))
}

fn policies() -> String {
    let ill_formed = POLICIES.iter().map(|row| (row.name, row.ill_formed));
    let lacking = POLICIES.iter().filter(|row| row.lacking != policy::END);
    let lacking = lacking.map(|row| (row.name, row.lacking));
    format!(
        "What stands for a sequence that is ill-formed:\n\n{}\n\
         What stands for a code point that the codec to write lacks (with any other\n\
         policy, the run ends):\n\n{}{POLICY_NOTES}",
        table(ill_formed),
        table(lacking)
    )
}

fn reasons() -> String {
    table(REPAIRS.iter().map(|row| (row.name, row.summary)))
}

/// Codecs, and which of them are written anew.
fn repair_codecs() -> String {
    let anew = codec::CODECS.iter().filter(|spec| spec.anew).map(|spec| spec.name);
    format!("{REPAIR_CODECS}  {}", anew.collect::<Vec<_>>().join(", "))
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

const REPAIR_CODECS: &str = "\
With --from, what is well formed in that codec stays, and what stands for the
rest is written in it. utf8 --list-codecs has all codecs, with their other names.

Text in these is written anew, all of it, for what its bytes mean depends on
those before them; where nothing else is done to it, that counts as no change:

";

const REPAIR_STATUS: &str = "\
0  everything is repaired, or nothing was to be
1  a fault was not cured: with --on-error strict the run ends there, and in place
   the file is left, as is a binary file that was named; or --check or --diff
   found something
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still repaired. 2 outranks 1";

const REPAIR_EXAMPLES: &str = "\
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

const DEFAULTS: &str = "\
decode and encode are one converter, seen from two sides. The side that is not
named, with --from or --to, is utf-8. Where neither is named, decode writes
code-points and encode reads them: text for encode needs a codec to be named,
and so does the repair of UTF-8 by decode (-t utf-8).

Several inputs are joined as cat would join them, each of them decoded on its
own.

With --from auto, each input is read as what utf8 detect says that it is in. A
file is read twice for that; of a stream, the first MiB tells, and ASCII may go
on as UTF-8. An input of which no encoding is 80 % likely, damaged UTF-8 and
what is no text are refused: that is trouble with this input, and the others are
still read.";

const FAULTS: &str = "\
Unless --on-error has another policy, the run ends at the first fault: what is
before it has been written, and a message on standard error says where it is and
what is wrong:

  utf8: a.txt: byte 420: overlong 2-byte form C0 AF of U+002F [overlong-2] (...)
  utf8: a.txt: byte 7: iso-8859-1 cannot hold U+20AC [unencodable] (...)

The number is the offset of its first byte in the input, from 0, also where it
is the codec to write that has no place for a well-formed code point. utf8
validate lists all that is ill-formed, and its manual explains the kinds.";

const POLICY_NOTES: &str = "
With a policy other than strict the run succeeds, and --verbose says how much
was treated. Where U+FFFD is to be written for bytes that are ill-formed and the
codec to write lacks it, it is ?.

ignore may join what was apart: <scr E2 ipt> becomes <script>. surrogateescape
needs a codec that holds lone surrogates (wtf-8, wtf-16le, ucs-4le, json ...), or
utf-8-surrogateescape, which writes the bytes again; a note says so if such
bytes, next to each other, are well formed and will not be read back as escapes.
optu also escapes the bytes of a genuine U+EF80..EFFF. Neither escapes a byte
below 80, which a fault may hold in UTF-16 or a notation: there the run ends.";

const MARKS: &str = "\
A byte order mark is never invented and never swallowed, but where the codec
says so: utf-8-bom, utf-16 and utf-32 write one and do not take one for text;
utf-8n and ucs-2 take it for no text and write none. utf-16 and utf-32 without
one are read as big-endian, and written big-endian. For all others it is U+FEFF,
a character: a UTF-8 file that starts with one becomes UTF-16 with two, unless
it is read as utf-8-bom or with --bom keep.

--bom overrides what the codecs say: also that utf-16 and utf-32 write one,
where --bom keep finds none. Several inputs joined then carry one at most, and
with --bom keep it is that of the first that is not empty.";

const NOTATIONS: &str = "\
code-points  U+20AC U+1F600: U+ and hexadecimal digits, blanks or line breaks
             between. 0x20AC, \\u{20AC} and #8364 are read too. A line break
             follows each U+000A and ends the output.
rust         \\u{20AC}        json     \\u20ac (JavaScript too)
c            \\u20AC          python   \\u20ac, \\U0001f600, \\xe9
html         &#x20AC;        percent  %E2%82%AC (of UTF-8)

They are codecs too: text in UTF-8, as it stands between double quotes, in which
some characters are spelt as escapes. What is not printable ASCII is escaped, and
what has a meaning of its own; --all escapes everything, --minimal only what must
be. A line feed is \\n, but in html. What starts no escape stands for itself when
it is read; an escape that is malformed, or of a value that is no character, is a
fault, and so is a bare % in percent. json reads the escapes of JavaScript too.
u+, js and url are short for code-points, json and percent. utf8 decode -t NOTATION and utf8 encode -f NOTATION undo each other.";

const CHOICES: &str = "\
Where the authorities differ, these codecs follow the WHATWG Encoding Standard,
but iso-8859-1, us-ascii, iso-8859-9, iso-8859-11 and tis-620 are themselves and
not the Windows pages that browsers take them for, and utf-16 without a byte
order mark is big-endian. A character is written only as what is read back as
the same one: no best fit. EBCDIC has U+0085 at 15 and U+000A at 25; ibm037-lf
and ibm1047-lf swap them. --list-codecs has a line on each.";

const OUTPUT: &str = "\
With --output, FILE is replaced in one step once everything is converted: it is
never half written, and after a fault or trouble it is as it was. It may be one
of the inputs. It keeps its mode, owner and attributes; a symbolic link stays
one. Devices and FIFOs are written to as text comes, and - is standard output.

--quiet silences messages, never what is converted. Where the input pauses, all
complete characters are written at once.";

const CONVERTED_IN_PLACE: &str = "\
With --in-place, each file is converted by itself, into its own place: with
--to utf-16, each has its own byte order mark. One that would be the same byte for
byte is not touched. Any other is written beside its place, which it takes in one
step: it is the old file or the new one, whatever goes wrong. It keeps its mode,
owner and attributes; a symbolic link stays one. What has several hard links, is
no regular file or changes meanwhile is left as it is.

After a fault that --on-error does not treat, that file is left as it is, and the
next is converted.

Nothing tells a file that is converted already: a second run may take what the
first has written for text in the old codec, and spoil it. --backup keeps what
was there, and is never overwritten: a file that has a backup of that name already
is left as it is, and the exit status is 2.";

const CONVERTED_RANGES: &str = "\
With --skip and --length, what starts in the range is converted, and all of it:
a range never cuts a sequence, and ranges that tile a file give, together, what
the whole file gives. A codec that does not synchronise itself, such as utf-16,
gbk or a notation, is read from the range's first byte on instead, whatever that
byte is part of. Each input has its own range. With --hex, offsets are those of
the bytes that are spelt.";

const SEQUENCES: &str = "\
Each sequence has a row: its offset, its bits, its bytes, its code point, the
character and its name.

  00000000  110·00010 10·101001                      c2 a9        U+00A9    ©   COPYRIGHT SIGN
  00000002  1110·0010 10·001001 10·100000            e2 89 a0     U+2260    ≠   NOT EQUAL TO

Before the point are the bits that mark what a byte is: 0 for ASCII, 10 for a
continuation byte, and 110, 1110 or 11110 for the lead of two, three or four.
Behind it are the bits that carry the value. In an ASCII locale, the point is a
full stop.

Runs of four characters or more of printable ASCII are folded into rows of up to
16 bytes, without their bits and with the text in double quotes:

  00000000  54 65 78 74                                           \"Text\"

--no-fold gives each its own row. A run waits for its end, so that a slow pipe shows
it late. A sequence that is too long for a row goes on in the next. A row of what is
ill-formed says what is wrong with it and what was expected, as utf8 validate
does:

  00000005  110·00000 10·101111                      c0 af        overlong 2-byte form C0 AF of U+002F [overlong-2]

--only-ill-formed shows such rows alone, with --context N so many rows around
them; -- stands between those that are apart.";

const BYTE_ROWS: &str = "\
With --layout bytes, rows have as many bytes each, as those of xxd: an offset,
cells, and a column of text.

  00000000: 48 65 6c 6c 6f 20 e2.82.ac 20!c0.af 0a  Hello €·· ×·␊

What stands before a cell tells where sequences are: a blank where one begins, a
point where it goes on, an exclamation mark where an ill-formed one begins. In
the text, each character stands below its first byte, a point below each further
byte, and × below the first byte of what is ill-formed (! in an ASCII locale). -g 2 and more put cells together, with what stands before the
first of them; -g 0 puts all of a row together.

-c, -g, --base and --squeeze ask for this layout by themselves, and then in hex,
as xxd has it. What else xxd has: -s, -l, -u, -p and -r, which mean the same here;
xxd -b is --layout bytes.";

const DERIVATIONS: &str = "\
The euro sign is U+20AC, 0010 0000 1010 1100 in binary: 16 bits, so three bytes.
The lead 1110 takes the first four, each continuation byte 10 the next six:

  00000000  1110·0010 10·000010 10·101100            e2 82 ac     U+20AC    €   EURO SIGN

A byte order mark is U+FEFF, 1111 1110 1111 1111:

  00000000  1110·1111 10·111011 10·111111            ef bb bf     U+FEFF    ▯   ZERO WIDTH NO-BREAK SPACE (byte order mark)

In other codecs, where the bits beside the markers are not the value itself, its
derivation follows the name: (0x10000 + 0xF600) for a surrogate
pair, (0x4016 + 1*190^2 + 67*190 + 43) in UTF-1, (row 16, cell 1) in a set of
East Asia.";

const CHARACTERS: &str = "\
What cannot be seen, or could mislead a terminal, has a stand-in: a control its
picture (␊), a blank ␣ (itself in rows of bytes), a mark the circle ◌ that it sits on, and ▯ what is
invisible, unassigned, private, or turns the direction of writing. In an ASCII
locale, a control is ^J and what is not ASCII a full stop. What has no name has a
label: <control-000A>, <surrogate-D800>, <private-use-E000>,
<noncharacter-FFFE>, <reserved-0378>, and <unnamed-2B81E> for one that is newer
than the names here.";

const COLOR_NOTES: &str = "
Of the bits, those that carry the value are bold. No colour tells more than the
rows do without. utf8 dump-bits --legend shows them, and what each byte value can
be in UTF-8.";

const DUMP_FORMATS: &str = "\
text is read back by --reverse.

json has an object for each sequence: type, path (and path_bytes), offset, length,
hex, bits, markers (the number of marker bits of each byte), and role: character,
fault, signature or skip. For a character
there are value, char, name, category and maybe derivation (or values, names and
categories, if it stands for two), for a fault kind, class, message and value, as
utf8 validate has them; signature and skip have no more. A sequence that the range
cuts has cut, with its own sequence_offset and sequence_hex.

html is one page, which needs no network and no script: each row opens to say what
its bits are, and the faults are summed up at the end. It takes 50 to 400 bytes
for a byte.";

const REVERSE: &str = "\
--reverse reads a dump and writes the bytes: of either layout, edited or not, in
any base (--base says which, if it is not hex), and what xxd, xxd -b,
hexdump -C and od -A x -t x1 print; with --plain, hex digits or, with --base bits,
binary ones. Options of layout are taken, and change nothing.

The hex cells rule and all else is comment, the bits beside them, too; with --base
bits, the bits rule. Two blanks end the cells of a row with a colon. Cells of
eight binary digits and nothing else are taken for those of xxd -b where the next
offset, or the width of the text column, says so; where neither does, --base hex
or bits must.

The first row's offset is where the bytes start; what is between two rows that are
apart is filled with zeros, of which a note tells, and * repeats the row before.
A byte that is taken out of a row leaves such a gap, and one that is put in is
trouble, unless the offsets behind it are corrected: to change the length, edit
what --plain writes. An offset that lies before the end of the row above it, and a
line that is no row, are trouble, with the number of the line. Empty lines are
skipped. Nothing is written unless all of it is understood; --output writes to a
file in one step.

Not to be read: the words of xxd -e and the decimal offsets of xxd -d, which look
like the others and give wrong bytes.";

const PATCHES: &str = "\
--patch FILE puts the bytes of a dump into FILE, at their offsets, which are
hexadecimal: what is between rows stays as it is. FILE is replaced in one step, or
not at all; it must be a regular file without other hard links, in a directory
that can be written to. Beyond its end it grows, and a note says so; --verbose says
how many bytes changed. To be able to undo it, dump what is there first.";

const DUMP_RANGES: &str = "\
With --skip and --length, exactly these bytes are shown, at the offsets that they
have in the whole input. Where the range cuts a sequence, its row says which of
its bytes are shown, and is no fault. A codec that does not synchronise itself,
such as utf-16 or gbk, is read from the range's first byte on. With --hex,
offsets are those of the bytes that are spelt.";

const DUMP_STATUS: &str = "\
0  everything is shown, ill-formed or not
2  trouble: usage, or an input that could not be read, or that changed while it
   was read, or a dump that could not be understood";

const DUMP_EXAMPLES: &str = "\
# what is in these bytes? in this file? in its last 100 bytes?
utf8 dump-bits -xe 'E2 82 AC C0 AF'
utf8 dump-bits notes.txt | less
utf8 dump-bits -s -100 notes.txt

# rows as of xxd, that know characters; as of xxd -b
utf8 dump-bits --base hex notes.txt
utf8 dump-bits --layout bytes notes.txt

# only what is wrong, and two rows around it
utf8 dump-bits --only-ill-formed --context 2 notes.txt

# another codec
utf8 dump-bits -f utf-16le wide.txt

# a page to look at
utf8 dump-bits --format html notes.txt > notes.html

# edit the bytes of a file; where their number changes
utf8 dump-bits notes.txt > dump; $EDITOR dump
utf8 dump-bits -r -o notes.txt dump
utf8 dump-bits -p notes.txt > digits; $EDITOR digits
utf8 dump-bits -r -p -o notes.txt digits

# change one byte of it, in its place; and undo that
utf8 dump-bits -s 0xc -l 1 notes.txt > undo
echo '0000000c: 2f' | utf8 dump-bits -r --patch notes.txt
utf8 dump-bits -r --patch notes.txt undo

# which characters are in it, and how often? where are its faults?
utf8 dump-bits --format json notes.txt | jq -r '.name // .kind' | sort | uniq -c
utf8 dump-bits --format json notes.txt | jq -r 'select(.kind) | \"\\(.offset) \\(.message)\"'

# do two files have the same characters?
diff <(utf8 dump-bits --format json a | jq .value) <(utf8 dump-bits --format json b | jq .value)";

const FINDINGS: &str = "\
In text, a finding is a line on standard output:

  notes.txt:12:7: byte 0x1A4 (420): overlong 2-byte form C0 AF of U+002F [overlong-2]

that is NAME:LINE:COLUMN, the offset of its first byte in the whole input (from
0), what is wrong, and its kind. Lines end at LF; a CR before it belongs to the
line. Lines and columns count from 1; this column counts bytes. A summary of
each input with findings follows on standard error, so that a pipe gets findings
alone.

Findings come in order, each as soon as it is certain, and all of them: there is
no limit but that of --max-errors. Memory is bounded whatever the input.";

const FORMAT_NOTES: &str = "\
A TSV line has offset, length, kind, line, column in bytes, the bytes as
\"E2 82\", and the name. There is no header.

A JSON finding has type, path, offset, length, kind, class (the kind's family),
hex, value (what the bytes would spell, or null), line, column_bytes and
column_chars (which counts a fault as one code point for each of its maximal
subparts). A summary has type, path, codec, start and size (of what was
examined, in bytes), valid, findings, stopped, by_kind, lines (the last need not
end), scalars (well-formed code points), bom (null if the start was not
examined), and with --stats by_length. An input that could not be read to its
end has an object of type trouble, with a message, in place of its summary; the
message is on standard error too. A path that is not UTF-8 has U+FFFD for what
is not, and path_bytes has its bytes in base64.";

const KIND_NOTES: &str = "
These are the bytes of UTF-8, or of the codec that is named. The earliest byte
that excludes every well-formed sequence decides the kind, so it also has forms
that are cut short. Noncharacters such as U+FFFE, NUL, controls and a BOM are
well formed.";

const CODECS: &str = "\
utf-8 and its relatives (cesu-8, mutf-8, wtf-8, rfc2279, utf8mb3 ...), utf-16,
utf-32, ucs-2 and ucs-4 in both orders, utf-1, utf-7, the ISO-8859, Windows,
DOS, Mac, KOI8 and EBCDIC pages that are most in use, the sets of East Asia, and
notations such as json: utf8 --list-codecs has them all, with their other names,
what can be relied on in each, and a line on it.

ASCII case, -, _ and blanks in a codec's name do not matter. \"utf8\" is RFC
3629; the utf8 of MySQL is mysql-utf8 and that of Oracle is oracle-utf8.";

const RANGES: &str = "\
With --skip and --length, offsets, lines and columns are still those of the
whole input. A finding belongs to the range that holds its first byte, and is
judged with up to 5 bytes beyond either end: a range never makes a fault by
cutting a sequence, and the findings of ranges that tile a file are, together,
those of the whole file. A codec that does not synchronise itself, such as
utf-16 or gbk, is read from the range's first byte on instead. To judge bytes as
if they were all there is, cut them out: tail -c +OFFSET FILE | head -c BYTES | utf8 validate.";

const NAMES: &str = "\
The name of standard input is -, that of --text is -e. In findings, messages and
lists, control characters, bidirectional controls and what a CI runner would
take for a command are spelt \\xHH or \\u{HHHH}, and a backslash is doubled.
Where the locale is not UTF-8, so are other than ASCII characters, but in lists,
TSV and JSON. With --null, lists have names as they are.";

const STATUS: &str = "\
0  done, or: yes
1  no: something is ill-formed
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1";

const VALIDATE_STATUS: &str = "\
0  everything is well formed
1  something is ill-formed
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1

With --quiet, the run ends with the first fault, and so does what it knows.";

const CONVERT_STATUS: &str = "\
0  everything is converted
1  something is ill-formed, or the codec to write lacks something: the inputs
   behind it are not read, or, in place, that file is left as it is
2  trouble: usage, or an input that could not be read, or that changed while it
   was read (the others are still converted), or an output that could not be
   written; 2 outranks 1";

const ENVIRONMENT: &str = "\
NO_COLOR                no colours, unless --color always
CLICOLOR_FORCE          colours even where standard output is no terminal
LC_ALL, LC_CTYPE, LANG  reports keep to ASCII unless the first that is set says
                        UTF-8
UTF8_KERNEL             the kernel to use; utf8 --version names it and the others";

const EXAMPLES: &str = "\
utf8 validate notes.txt           is it UTF-8, and where is it not?
utf8 validate -xe 'E2 82 AC C0'   the same of some bytes
utf8 decode -e 'naïve'            which code points are these?
utf8 encode -e 'U+20AC' | xxd     and which bytes these?
utf8 encode -t utf-16le a.txt     the same text in another codec
utf8 dump-bits -e 'naïve €'       what is in each of their bytes?
utf8 repair notes.txt             the same text, well formed
utf8 detect notes.txt             which encoding is it in?
utf8 --list-codecs                which codecs are there?";

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
iso-2022-kr, scsu    and others: encodings that can be told but not read here
binary               no text
unknown              nothing carries an answer";

const EVIDENCE: &str = "\
What is further up decides, whatever is below:

1. a signature: UTF-32, UTF-16, UTF-8, UTF-1, SCSU, BOCU-1, UTF-EBCDIC, GB 18030
   or UTF-7. That of UTF-8 only says what the text is meant to be in.
2. All of the input is well-formed UTF-8, and not all of it ASCII: it is utf-8,
   whatever else is in it. Text that was encoded twice is utf-8 still, and is
   noted in --format long.
3. In ASCII: escapes of ISO 2022, the shifts of HZ, and those of UTF-7 if they
   spell text.
4. Where there is a NUL, or UTF-8 is unlikely: UTF-16 and UTF-32 whose code
   units spell text.
5. More than one NUL or control in 64 bytes, or any NUL outside of UTF-8: binary.
6. Most of what is not ASCII is well-formed UTF-8: damaged-utf-8.
7. Code pages and multi-byte sets in which all of the input is well formed, by
   how likely the text would be in some language.

Of UTF-8 there must be most. A single é of ISO 8859-1 among UTF-8 is damage, and
a single pair of such characters that happens to be UTF-8 does not make a text
damaged UTF-8.";

const CONFIDENCE: &str = "\
How likely it is that the answer is right, from 0 to 1, or in percent. 1 is a
proof, and is only told of signatures, of ASCII and of well-formed UTF-8. Code
pages that make the same text of the input share it, for there is nothing to
tell them apart by. Below 0.2, the answer is unknown.";

const DETECT_FORMATS: &str = "\
plain prints the answer alone, as NAME: ANSWER if there may be several inputs;
with --candidates, a line for each: the name, how likely it is, the language.
mime prints what file --mime does: unknown-8bit is the charset of damaged-utf-8
and of unknown.

long and json look at all of the input and count: bytes, ASCII, NULs, other
controls, line ends; the offset and the bytes of what ruled UTF-8 out; what kinds
of damage there are, how often, and where first; the code page that stray bytes
are likely of; whether UTF-8 was encoded twice; and the command that is to be run
next. The others stop once the answer cannot change.

json is an object for each input, with the keys type (encoding), path, encoding,
confidence, reason, signature, size, first_beyond_ascii, fault (offset, kind,
class, hex), damages (damage, number, first), stray_page, twice (page, number,
first), ascii, nuls, controls, line_ends (lf, crlf, cr), candidates (encoding,
confidence, language), command. What is not known is null. An object of type
trouble has path and message.";

const EXPECTATIONS: &str = "\
--expect takes the labels of codecs (utf8 --list-codecs) and the other answers.
utf-8 holds us-ascii, utf-8-bom wants the BOM and utf-8n wants none, utf-16le is
what a BOM or the text says. A code page is as expected if it makes the same text
of the input as the answer. Nothing is guessed for utf-8: only what is well
formed is UTF-8.";

const REGIONS: &str = "\
With --regions, a row for each part of an input that is in another encoding than
the part before: the offsets of its first and its last byte, and the encoding;
with --format json, an object of type region with path, offset, length and
encoding. Each line is judged by itself, and lines of ASCII go with what is
before them. Next to each other, lines of legacy sets are one region, named for
all of it: where two of them meet, that is not told. Behind 256 such regions,
the set is taken that the longest so far was in. Parts of lines of 64 KiB are
judged like lines. What is UTF-16 or UTF-32 by its BOM is one region.";

const SAMPLES: &str = "\
All of the input is looked at: a fault in the last byte rules UTF-8 out. With
--sample, --skip or --length, only that part is, and a character that its end
cuts is no fault. UTF-16 and UTF-32 without a BOM, HZ and UTF-7 are told by the
first 64 KiB, double encoding by 64 KiB from the first character on that is not
ASCII, and the language by 64 windows of 1 KiB.";

const DETECT_STATUS: &str = "\
0  done; with --expect, all is as expected
1  something is not as expected
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1";

const DETECT_EXAMPLES: &str = "\
# which encoding is it, and why? what else can it be?
utf8 detect notes.txt
utf8 detect --format long notes.txt
utf8 detect --candidates 5 notes.txt

# which parts of a log are in something else?
utf8 detect --regions app.log

# is all of this UTF-8?
git ls-files -z | utf8 detect -q --expect utf-8 -0 --files-from - || echo no

# as UTF-8, whatever it is in
utf8 encode -f auto notes.txt
iconv -f \"$(utf8 detect notes.txt)\" -t utf-8 notes.txt";

const CONVERT_EXAMPLES: &str = "\
# which characters are in it? which bytes are these characters?
utf8 decode -e 'naïve €'
utf8 encode -e 'U+20AC U+1F600' | xxd
utf8 encode -f u+ -t windows-1252 -e 'U+20AC' | xxd

# an old file, to UTF-8; in its own place, if all goes well; all of a folder
utf8 decode -f windows-1251 old.txt > new.txt
utf8 decode -f windows-1251 -i old.txt
find . -name '*.txt' -print0 | utf8 decode -f cp1251 -i --backup .orig -0 --files-from -

# to UTF-16 as Windows has it, with a byte order mark; to UTF-8 with one
utf8 encode -t utf-16le --bom add -o wide.txt notes.txt
utf8 encode -t utf-8-bom -o marked.txt notes.txt

# what is not in Latin-1 is spelt out; the stray bytes are Windows-1252
utf8 encode -t latin1 --on-error backslashreplace notes.txt
utf8 decode -t utf-8 --fallback windows-1252 mixed.txt

# escapes for a program, and back
utf8 decode -t json notes.txt | utf8 encode -f json

# bytes that a hexdump shows
utf8 decode -xe 'E2 82 AC F0 9F 98 80'";

const VALIDATE_EXAMPLES: &str = "\
# one file; with the bytes around each fault; some bytes, in hex
utf8 validate notes.txt
utf8 validate --format full notes.txt
utf8 validate -xe 'E2 82 AC C0'

# every file of a repository that git takes for text; every file of a folder
git grep -Ilz '' | utf8 validate -0 --files-from -
find . -type f -print0 | utf8 validate -0 --files-from -

# which files have faults? is this one without?
utf8 validate -l *.txt
utf8 validate -q notes.txt && echo fine

# a log that is still written; the last MiB of a large one
tail -n +1 -f log | utf8 validate
utf8 validate -s -1M big.log

# how many of each kind?
utf8 validate --format tsv notes.txt | cut -f 3 | sort | uniq -c
utf8 validate --format json *.txt | jq -r 'select(.type == \"finding\") | .kind'

# another codec
utf8 validate -f cesu-8 dump.sql";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::VARIABLE;

    #[test]
    fn the_environment_is_complete() {
        assert!(ENVIRONMENT.contains(VARIABLE));
    }
}
