#!/usr/bin/env python3
"""Make cases for measuring detection, from texts that are no sources of the models.

    python3 models/cases.py texts DIR | cargo run --release --manifest-path models/Cargo.toml -- cases

held DIR:   writes DIR/held/LANGUAGE.txt for the next mode, from the langpacks of Firefox in DIR (*.xpi)
texts DIR:  DIR/held/LANGUAGE.txt in UTF-8, a paragraph a line: excerpts of the paragraphs that an encoding can represent, in
            the encodings in which the language was mostly written
short DIR:  the same, of 2 to 12 characters, and also in encodings in which few texts are
ebcdic DIR: the texts of the mode texts, in the EBCDIC pages of their languages, as iconv writes them
names DIR:  DIR/*/copyright in UTF-8: notices of two lines, in English, each with a name of one of the files
files DIR:  DIR/ENCODING*/FILE, samples of another detector, each whole and in excerpts of up to 24 characters

Each line of the output has four fields, separated by tabs: language and encoding, length in characters (or whole, excerpt),
bytes, and text in UTF-8. The last two are hexadecimal.
"""
import pathlib, random, re, subprocess, sys, zipfile

from tones import apart

NAMES = {"cp932": "cp932", "cp949": "cp949", "macroman": "mac_roman", "maccyrillic": "mac_cyrillic",
         "tis-620": "tis-620", "euc-kr": "cp949", "gb2312": "gb18030", "big5": "cp950"}
SKIPPED = re.compile(r"utf|ascii|iso-2022|euc-tw|johab", re.I)


# Characters whose encoding differs between Python and the WHATWG Encoding Standard.
WHATWG = str.maketrans("〜‖−¢£¬—", "～∥－￠￡￢―")


def emit(name, sort, raw, text):
    """Print a case."""
    if re.search("euc.jp|shift", name, re.I):
        text = text.translate(WHATWG)
    print(name, sort, raw.hex(), text.encode().hex(), sep="\t")


def codec_of(folder):
    """Return the name of Python's codec for a folder of samples."""
    name = folder.name.lower()
    known = re.match(r"(iso-8859-\d+|windows-\d+|[a-z]+\d*-?\w*\d*)", name).group(1)
    return NAMES.get(known, NAMES.get(name, known))


def excerpts(text, most=3):
    """Yield excerpts of up to 24 characters that are not all ASCII, spread over a text."""
    text = " ".join(text.split())
    starts = [at for at in range(0, len(text), 24) if not text[at : at + 24].isascii()]
    for at in starts[:: max(1, len(starts) // most)][:most]:
        yield text[at : at + 24]


def files(folder):
    """Print the cases of the samples of another detector."""
    for sub in sorted(folder.iterdir()):
        if SKIPPED.search(sub.name) or not sub.is_dir():
            continue
        codec = codec_of(sub)
        for path in sorted(sub.iterdir()):
            raw = path.read_bytes()
            try:
                text = raw.decode(codec)
            except UnicodeDecodeError as error:
                print(path, error, file=sys.stderr)
                continue
            if text.isascii():
                continue
            emit(sub.name, "whole", raw, text)
            for piece in excerpts(text):
                emit(sub.name, "excerpt", piece.encode(codec), piece)


PAGES = {
    "fr de es-es pt-pt pt-br it nl da nb-no sv-se fi is ca gl eu": "cp1252 iso8859-15 mac_roman cp850 cp437 cp858",
    "af an ast br fur fy-nl gd ia id lij ms nn-no oc rm sc sco son tl trs xh sq ach gn cak ff et lt uz az kab":
        "cp1252 mac_roman cp850",
    "pl cs sk hu sl hr ro bs sq": "cp1250 iso8859-2 cp852 iso8859-16 mac_latin2", "dsb hsb szl": "cp1250 iso8859-2",
    "et lv lt": "cp1257 iso8859-13 iso8859-4 cp775", "tr az": "cp1254 iso8859-9 cp857", "eo": "iso8859-3",
    "ga-ie cy gd": "iso8859-14 cp1252", "el": "cp1253 iso8859-7 cp737 cp869",
    "ru": "cp1251 koi8-r iso8859-5 cp866 cp855 mac_cyrillic", "uk": "cp1251 koi8-u iso8859-5 mac_cyrillic cp1125",
    "be": "cp1251 iso8859-5 cp866 cp1125", "bg sr mk": "cp1251 iso8859-5 cp855 mac_cyrillic", "tg": "koi8_t",
    "he": "cp1255 iso8859-8 cp862", "ar": "cp1256 iso8859-6", "fa": "cp1256", "th": "tis-620 cp874", "vi": "cp1258",
    "zh-cn": "gb18030", "zh-tw": "cp950", "ja": "cp932 euc_jp", "ko": "cp949",
}
UNUSUAL = {"ru bg el": "euc_jp cp932 gb18030 euc_kr", "zh-cn zh-tw ja ko": "utf-16-le utf-16-be"}


# IBM1149 for Icelandic, because glibc exchanges the two letters in IBM871.
EBCDIC = {
    "fr": "IBM297 IBM037 IBM500 IBM1047 IBM1147", "de": "IBM273 IBM037 IBM500 IBM1047 IBM1141",
    "es-es": "IBM284 IBM037 IBM500", "pt-pt pt-br nl": "IBM037 IBM500 IBM1047 IBM1140", "it": "IBM280 IBM037 IBM500",
    "da nb-no": "IBM277 IBM1142", "sv-se fi": "IBM278 IBM1143", "is": "IBM1149", "en-gb": "IBM285 IBM037 IBM500 IBM1047",
    "pl cs sk hu sl hr ro": "IBM870 IBM1153", "tr": "IBM1026 IBM1155", "lv lt": "IBM1112", "et": "IBM1122",
    "ru": "IBM1025 IBM880", "bg sr": "IBM1025", "uk": "IBM1123", "el": "IBM875 IBM423", "he": "IBM424", "ar": "IBM420",
    "th": "IBM838",
}


# Lengths in characters, with the number of excerpts of each.
LENGTHS = [(8, 60), (24, 60), (80, 40), (400, 20), (4000, 6)]
SHORT = [(length, 6) for length in (2, 3, 4, 5, 6, 8, 12)]
TRIES = 40


def is_encodable(line, page):
    """Return whether an encoding can represent a line."""
    try:
        line.encode(page)
    except UnicodeEncodeError:
        return False
    return True


def pieces(text, lengths, draw):
    """Yield excerpts that are not all ASCII, from random places of a text."""
    for length, number in lengths:
        for _ in range(number):
            starts = (draw.randrange(max(1, len(text) - length)) for _ in range(TRIES))
            beyond = (text[at : at + length] for at in starts if not text[at : at + length].isascii())
            if piece := next(beyond, None):
                yield f"{length:04}", piece


def through_iconv(text, page):
    """Return a text in an encoding of iconv."""
    return subprocess.run(["iconv", "-f", "utf-8", "-t", page], input=text.encode(), capture_output=True, check=True).stdout


def ebcdic(folder):
    """Print the cases of the texts in all EBCDIC pages of their languages."""
    draw = random.Random(5)
    for languages, pages in EBCDIC.items():
        for path in (folder / "held" / f"{language}.txt" for language in languages.split()):
            for page in pages.split() if path.exists() else []:
                known = subprocess.run(["iconv", "-c", "-f", page, "-t", "utf-8"], input=bytes(range(64, 255)),
                                       capture_output=True).stdout.decode()
                lines = (line for line in path.read_text().split("\n") if set(line) <= set(known))
                text = " ".join(" ".join(lines).split())
                for length, number in LENGTHS if len(text) > 8000 else []:
                    for _ in range(number // 3):
                        at = draw.randrange(len(text) - length)
                        piece = text[at : at + length]
                        emit(f"{path.stem}-{page}", f"{length:04}", through_iconv(piece, page), piece)


def short(folder):
    """Print cases of a few characters."""
    texts(folder, SHORT, [*PAGES.items(), *UNUSUAL.items()])


def texts(folder, lengths=LENGTHS, encodings=PAGES.items()):
    """Print the cases of the texts in all encodings of their languages."""
    draw = random.Random(1)
    read = 0
    for languages, pages in encodings:
        for path in (folder / "held" / f"{language}.txt" for language in languages.split()):
            if not path.exists():
                print("no", path, file=sys.stderr)
                continue
            lines = [apart(line) if path.stem == "vi" else line for line in path.read_text().split("\n")]
            for page in pages.split():
                text = " ".join(" ".join(line for line in lines if is_encodable(line, page)).split())
                for length, piece in pieces(text, lengths, draw):
                    emit(f"{path.stem}-{page}", length, piece.encode(page), piece)
                    read += 1
    if not read:
        sys.exit(f"no texts in {folder / 'held'}")


MARKUP = re.compile(r"<[^>]*>|\{[^}]*\}|\$\w+|%\d?\$?\w|&\w+;|https?:\S+|\\u[0-9a-fA-F]{4}|\\\w")
MESSAGE = re.compile(r"\s*\.?[\w.\-]+\s*=\s*(.*)")


def messages(archive):
    """Yield the messages of a langpack, without markup and placeholders."""
    for name in sorted(archive.namelist()):
        if name.endswith((".ftl", ".properties")):
            for line in archive.read(name).decode().split("\n"):
                if (found := MESSAGE.match(line)) and not line.startswith(("#", "-")):
                    yield " ".join(MARKUP.sub("", found[1]).split())


def held(folder):
    """Write the distinct messages of the langpacks, a line each."""
    (folder / "held").mkdir(exist_ok=True)
    for path in sorted(folder.glob("**/*.xpi")):
        language = re.search(r"langpack-(.*)@", path.name)[1].lower()
        with zipfile.ZipFile(path) as archive:
            lines = dict.fromkeys(line for line in messages(archive) if len(line) >= 12)
        (folder / "held" / f"{language}.txt").write_text("\n".join(lines) + "\n")


NAME = re.compile(r"\b[A-ZÀ-Ž][\w'’.-]+(?: [A-ZÀ-Žvd][\w'’.-]*){1,3}")


def names(folder):
    """Print notices with the names in copyright files that are not ASCII."""
    draw = random.Random(3)
    found = set()
    for path in folder.glob("*/copyright"):
        found.update(name.strip(" .") for name in NAME.findall(path.read_text(errors="replace")))
    for name in sorted(found):
        if name.isascii() or len(name) > 40 or re.search(r"[\d_ÃÂ\ufffd]", name):
            continue
        text = (f"Copyright (C) {draw.randrange(1992, 2021)} {name} <me@example.org>\n"
                "This program is free software; you can redistribute it and/or modify it\n")
        western = is_encodable(text, "latin-1")
        for page in ["cp1252"] if western else ["cp1250", "iso8859-2"]:
            if is_encodable(text, page):
                emit(f"name-{page}", "name", text.encode(page), text)


MODES = {"files": files, "texts": texts, "short": short, "ebcdic": ebcdic, "held": held, "names": names}
MODES[sys.argv[1]](pathlib.Path(sys.argv[2]))
