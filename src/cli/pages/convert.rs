//! What do the pages of `utf8 decode` and `utf8 encode` say behind the options?

use super::{CODECS, CONVERTED_RANGES, ENVIRONMENT, Section, section, table};
use crate::policy::{self, POLICIES};

/// The sections.
pub(super) fn sections() -> Vec<Section> {
    vec![
        section("Defaults", DEFAULTS),
        section("Faults", FAULTS),
        Section { title: "Policies", body: policies() },
        section("Byte order marks", MARKS),
        section("Notations", NOTATIONS),
        section("Codecs", CODECS),
        section("Choices", CHOICES),
        section("Output", OUTPUT),
        section("In place", IN_PLACE),
        section("Ranges", CONVERTED_RANGES),
        section("Exit status", STATUS),
        section("Environment", ENVIRONMENT),
        section("Examples", EXAMPLES),
    ]
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

const DEFAULTS: &str = "\
decode and encode are one converter, seen from two sides. The side that is not
named, with --from or --to, is utf-8. Where neither is named, decode writes
code-points and encode reads them: text for encode needs a codec to be named,
and so does the repair of UTF-8 by decode (-t utf-8).

Several inputs are joined as cat would join them, each of them decoded on its
own.

With --from auto, each input is read as what utf8 detect says that it is in. A
file is read twice for that; of a stream, the first MiB tells, before which
nothing is written, and ASCII may go on as UTF-8. --verbose says what it was. An input of which no encoding is 80 % likely, damaged UTF-8 and
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

const IN_PLACE: &str = "\
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

const STATUS: &str = "\
0  everything is converted
1  something is ill-formed, or the codec to write lacks something: the inputs
   behind it are not read, or, in place, that file is left as it is
2  trouble: usage, or an input that could not be read, or that changed while it
   was read (the others are still converted), or an output that could not be
   written; 2 outranks 1";

const EXAMPLES: &str = "\
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
