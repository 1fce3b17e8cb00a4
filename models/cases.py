#!/usr/bin/env python3
"""Which cases does the measure have? From texts that the tables are not made from.

files FOLDER:  FOLDER/ENCODING*/FILE, each whole and in excerpts of up to 24 characters
texts FOLDER:  FOLDER/LANGUAGE.txt in UTF-8, cut and encoded into every set that holds the pieces
"""
import pathlib, random, re, sys, unicodedata

NAMES = {"cp932": "cp932", "cp949": "cp949", "macroman": "mac_roman", "maccyrillic": "mac_cyrillic",
         "tis-620": "tis-620", "euc-kr": "cp949", "gb2312": "gb18030", "big5": "cp950"}
SKIPPED = re.compile(r"utf|ascii|iso-2022|euc-tw|johab", re.I)


# Where Python's tables differ from the WHATWG's.
WHATWG = str.maketrans("〜‖−¢£¬—", "～∥－￠￡￢―")


def emit(name, sort, raw, text):
    if re.search("euc.jp|shift", name, re.I):
        text = text.translate(WHATWG)
    print(name, sort, raw.hex(), text.encode().hex(), sep="\t")


def codec_of(folder):
    name = folder.name.lower()
    known = re.match(r"(iso-8859-\d+|windows-\d+|[a-z]+\d*-?\w*\d*)", name).group(1)
    return NAMES.get(known, NAMES.get(name, known))


def excerpts(text, most=3):
    """Runs of up to 24 characters with some beyond ASCII, spread over the text."""
    text = " ".join(text.split())
    starts = [at for at in range(0, len(text), 24) if not text[at : at + 24].isascii()]
    for at in starts[:: max(1, len(starts) // most)][:most]:
        yield text[at : at + 24]


def files(folder):
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
    "latin": "cp1252 iso8859-1 iso8859-15 mac_roman cp850 cp437",
    "fr de es pt it nl da nb sv fi is ca": "cp1252 iso8859-15 mac_roman cp850 cp437 cp858",
    "pl cs sk hu sl hr ro": "cp1250 iso8859-2 cp852 iso8859-16",
    "et lv lt": "cp1257 iso8859-13 iso8859-4 cp775", "tr": "cp1254 iso8859-9 cp857", "eo": "iso8859-3",
    "ga cy": "iso8859-14 cp1252", "el": "cp1253 iso8859-7 cp737 cp869",
    "ru": "cp1251 koi8-r iso8859-5 cp866 cp855 mac_cyrillic", "uk": "cp1251 koi8-u iso8859-5 mac_cyrillic",
    "bg sr mk be": "cp1251 iso8859-5 cp855 mac_cyrillic", "he": "cp1255 iso8859-8 cp862", "ar": "cp1256 iso8859-6",
    "fa": "cp1256", "th": "tis-620 cp874", "vi": "cp1258", "zh-cn": "gb18030", "zh-tw": "cp950",
    "ja": "cp932 euc_jp", "ko": "cp949",
}


def apart(text):
    """Vietnamese as windows-1258 has it: tones behind the letters."""
    out = []
    for character in text:
        parts = unicodedata.normalize("NFD", character)
        tones = "".join(part for part in parts if part in "\u0300\u0301\u0303\u0309\u0323")
        base = "".join(part for part in parts if part not in tones)
        out.append(unicodedata.normalize("NFC", base) + tones)
    return "".join(out)


def texts(folder):
    draw = random.Random(1)
    for languages, pages in PAGES.items():
        for language in languages.split():
            path = folder / f"{language}.txt"
            if not path.exists():
                continue
            text = apart(" ".join(path.read_text().split())) if language == "vi" else " ".join(path.read_text().split())
            for page in pages.split():
                for length, number in [(8, 60), (24, 60), (80, 40), (400, 20), (4000, 6)]:
                    for _ in range(number):
                        for _ in range(40):
                            at = draw.randrange(max(1, len(text) - length))
                            piece = text[at : at + length]
                            raw = piece.encode(page, "ignore")
                            if not raw.isascii():
                                emit(f"{language}-{page}", f"{length:04}", raw, raw.decode(page))
                                break


{"files": files, "texts": texts}[sys.argv[1]](pathlib.Path(sys.argv[2]))
