//! What does the page of `utf8 dump-bits` say behind the options?

use super::{CODECS, ENVIRONMENT, Section, section, table};
use crate::dump;

/// The sections.
pub(super) fn sections() -> Vec<Section> {
    vec![
        section("Rows of sequences", SEQUENCES),
        section("Rows of bytes", BYTE_ROWS),
        section("Derivations", DERIVATIONS),
        section("Characters", CHARACTERS),
        Section { title: "Colours", body: colors() },
        section("Formats", FORMATS),
        section("Reverse", REVERSE),
        section("Patches", PATCHES),
        section("Ranges", RANGES),
        section("Codecs", CODECS),
        section("Exit status", STATUS),
        section("Environment", ENVIRONMENT),
        section("Examples", EXAMPLES),
    ]
}

fn colors() -> String {
    format!("{}{COLOR_NOTES}", table(dump::colors()))
}

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

const FORMATS: &str = "\
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

const RANGES: &str = "\
With --skip and --length, exactly these bytes are shown, at the offsets that they
have in the whole input. Where the range cuts a sequence, its row says which of
its bytes are shown, and is no fault. A codec that does not synchronise itself,
such as utf-16 or gbk, is read from the range's first byte on. With --hex,
offsets are those of the bytes that are spelt.";

const STATUS: &str = "\
0  everything is shown, ill-formed or not
2  trouble: usage, or an input that could not be read, or that changed while it
   was read, or a dump that could not be understood";

const EXAMPLES: &str = "\
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
