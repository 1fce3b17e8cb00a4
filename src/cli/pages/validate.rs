//! What does the page of `utf8 validate` say behind the options?

use super::{CODECS, ENVIRONMENT, Section, section, table};
use crate::issue::KINDS;

/// The sections.
pub(super) fn sections() -> Vec<Section> {
    vec![
        section("Findings", FINDINGS),
        section("Formats", FORMATS),
        Section { title: "Kinds", body: kinds() },
        section("Codecs", CODECS),
        section("Ranges", RANGES),
        section("Names", NAMES),
        section("Exit status", STATUS),
        section("Environment", ENVIRONMENT),
        section("Examples", EXAMPLES),
    ]
}

fn kinds() -> String {
    table(KINDS.iter().map(|row| (row.id, row.when))) + KIND_NOTES
}

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

const FORMATS: &str = "\
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
0  everything is well formed
1  something is ill-formed
2  trouble: usage, or an input that could not be read, or that changed while it
   was read; the other inputs are still done. 2 outranks 1

With --quiet, the run ends with the first fault, and so does what it knows.";

const EXAMPLES: &str = "\
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
