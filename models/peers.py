#!/usr/bin/env python3
"""Measures other detectors on the cases that cases.py prints.

usage: python3 models/peers.py [STEP] < CASES

Prints, for each detector that is installed (chardet, charset-normalizer, uchardet), the columns of
the table of BENCHMARKS.md. An answer is right if it decodes the bytes to the text. STEP takes every
STEP-th case.
"""

import codecs
import os
import shutil
import subprocess
import sys
import tempfile


def detectors():
    """Yields the name of each detector that is installed, and a function from bytes to its answer
    and confidence; the confidence is None if the detector gives none."""
    try:
        import chardet

        def ask_chardet(data):
            found = chardet.detect(data)
            return found["encoding"], found["confidence"]

        yield f"chardet {chardet.__version__}", ask_chardet
    except ImportError:
        pass
    try:
        import charset_normalizer

        def ask_normalizer(data):
            best = charset_normalizer.from_bytes(data).best()
            return (best.encoding if best else None), None

        yield f"charset-normalizer {charset_normalizer.__version__}", ask_normalizer
    except ImportError:
        pass
    if shutil.which("uchardet"):
        path = os.path.join(tempfile.mkdtemp(), "case")

        def ask_uchardet(data):
            with open(path, "wb") as file:
                file.write(data)
            said = subprocess.run(["uchardet", path], capture_output=True, text=True).stdout.strip()
            return said, None

        yield "uchardet", ask_uchardet


# Other codecs of Python that may be meant by a name, as by the labels of the Encoding Standard.
RELATED = {
    "shift_jis": ["cp932"],
    "big5": ["cp950", "big5hkscs"],
    "gb2312": ["gbk", "gb18030"],
    "euc_kr": ["cp949"],
    "iso8859-1": ["cp1252"],
    "iso8859-9": ["cp1254"],
    "iso8859-11": ["cp874"],
    "tis-620": ["cp874"],
    "ascii": ["utf-8", "cp1252"],
}

# Characters that JIS X 0208 and Windows map differently.
VARIANTS = str.maketrans("～∥－￠￡￢—", "〜‖−¢£¬―")


def is_right(name, data, text):
    """Whether the encoding of this name, or one that it may mean, decodes the bytes to the text, with
    or without a BOM."""
    try:
        codecs_meant = [name, *RELATED.get(codecs.lookup(name).name, [])]
    except (LookupError, TypeError, ValueError):
        return False
    for codec in codecs_meant:
        try:
            read = data.decode(codec)
        except (UnicodeError, ValueError):
            continue
        if read.removeprefix("\ufeff").translate(VARIANTS) == text.removeprefix("\ufeff").translate(VARIANTS):
            return True
    return False


def share(part, whole):
    return f"{100 * part / whole:.2f}" if whole else "none"


def main():
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    fields = [line.rstrip("\n").split("\t") for line in list(sys.stdin)[::step]]
    cases = [(bytes.fromhex(data), bytes.fromhex(text).decode("utf-8")) for _, _, data, text, *_ in fields]
    print(f"{len(cases)} texts")
    for detector, ask in detectors():
        right = certain = certain_wrong = right_certain = refused = decoded_wrong = 0
        has_confidence = False
        for data, text in cases:
            name, confidence = ask(data)
            hit = is_right(name, data, text)
            right += hit
            if confidence is not None:
                has_confidence = True
                certain += confidence >= 0.95
                right_certain += hit and confidence >= 0.95
                certain_wrong += confidence >= 0.95 and not hit
                decoded_wrong += confidence >= 0.8 and not hit
                refused += confidence < 0.8
        print(f"{detector}: right {share(right, len(cases))}", end="")
        if has_confidence:
            print(f", at >= 0.95 {share(right_certain, right)}, wrong of >= 0.95 {share(certain_wrong, certain)}", end="")
            print(f", wrong at >= 0.8 {share(decoded_wrong, len(cases))}, below 0.8 {share(refused, len(cases))}", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
