#!/usr/bin/env python3
"""Measure repair --undo-mojibake beside ftfy on damaged sentences, and print a Markdown table.

    python3 models/mojibake.py DIR [UTF8]

DIR/held/LANGUAGE.txt has texts in UTF-8, a sentence a line, that are no sources of tables or models; UTF8 is the program.
Sentences of each language that are not all ASCII are read in each code page. A line is fixed, left as it is, half repaired
(each character is right or left, and not all are the same), or wrong.
"""
import pathlib, random, re, subprocess, sys

import ftfy
import ftfy.bad_codecs  # registers the codecs with sloppy-, which read every byte

CODECS = {"latin-1": "latin-1", "iso-8859-2": "iso-8859-2", "iso-8859-15": "iso-8859-15", "koi8-r": "koi8-r",
          "macintosh": "mac_roman", "ibm437": "cp437", "ibm850": "cp850"}
CODECS |= {f"windows-{page}": f"sloppy-windows-{page}" for page in (1252, 1250, 1251, 1253, 1254, 1257)}
# Bytes of pages that have no character in the WHATWG Encoding Standard either.
UNMAPPED = {"windows-1253": b"\xAA\xD2\xFF", "windows-1257": b"\xA1\xA5"}
FATES = ["fixed", "half", "left", "wrong"]
SENTENCES = 100


def sentences(folder):
    """Yield the sentences, the same in each run."""
    for path in sorted((folder / "held").glob("*.txt")):
        lines = sorted({line for line in path.read_text().split("\n") if line and not line.isascii()})
        yield from random.Random(1).sample(lines, min(SENTENCES, len(lines)))


def damaged(sentence, page):
    """Return a sentence whose UTF-8 is read in a page, or nothing if it cannot be."""
    raw = sentence.encode()
    return None if set(raw) & set(UNMAPPED.get(page, b"")) else raw.decode(CODECS[page])


def fate(right, wrong, out, page):
    """Return what became of a line."""
    if out in (right, wrong):
        return "fixed" if out == right else "left"
    forms = ({char, damaged(char, page)} for char in right)
    either = (f"(?:{'|'.join(map(re.escape, form))})" for form in forms)
    return "half" if re.fullmatch("".join(either), out) else "wrong"


def utf8(lines, program):
    """Return the repaired lines."""
    run = subprocess.run([program, "repair", "--undo-mojibake"], input="\n".join(lines).encode(), capture_output=True)
    return run.stdout.decode().split("\n")


def main(folder, program="utf8"):
    """Print the percentages of each page."""
    print("|", " | ".join(["", *FATES, *(f"ftfy: {fate}" for fate in FATES)]), "|\n" + "|---" * 9 + "|")
    every = [[], []]
    for page in CODECS:
        pairs = [(right, wrong) for right in sentences(folder) if (wrong := damaged(right, page))]
        outputs = utf8([wrong for _, wrong in pairs], program), [ftfy.fix_encoding(wrong) for _, wrong in pairs]
        fates = [[fate(*pair, out, page) for pair, out in zip(pairs, lines, strict=True)] for lines in outputs]
        row(page, fates)
        every = [sum_ + these for sum_, these in zip(every, fates)]
    row(f"all {len(every[0]):,}", every)


def row(name, fates):
    """Print a row of the table."""
    shares = (100 * these.count(fate) / len(these) for these in fates for fate in FATES)
    print("|", " | ".join([name, *(f"{share:.1f}" for share in shares)]), "|")


main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
