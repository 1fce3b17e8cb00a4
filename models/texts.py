#!/usr/bin/env python3
"""Extract plain texts from the packages that fetch.sh unpacked: FOLDER/texts/LANGUAGE.txt, one string a line.

The message catalogues are Battle for Wesnoth's (GPL-2+), LibreOffice's (MPL-2.0), VLC's (GPL-2+) and those of
iso-codes (LGPL-2.1+).
"""
import gettext, pathlib, re, sys

# The languages, with the folder names of their catalogues. English is the source of the French strings.
LANGUAGES = {
    "en": "fr", "fr": "fr", "de": "de", "es": "es", "pt": "pt pt_PT pt_BR pt-BR", "it": "it", "nl": "nl",
    "da": "da", "nb": "nb nb_NO", "sv": "sv", "fi": "fi", "is": "is", "ga": "ga", "ca": "ca", "pl": "pl", "cs": "cs",
    "sk": "sk", "hu": "hu", "sl": "sl", "hr": "hr sr@latin", "ro": "ro", "sq": "sq", "et": "et", "lv": "lv", "lt": "lt",
    "eo": "eo", "mt": "mt", "tr": "tr", "el": "el", "ru": "ru", "uk": "uk", "be": "be", "bg": "bg",
    "sr": "sr sr@ijekavian", "mk": "mk", "he": "he", "ar": "ar", "fa": "fa", "th": "th", "vi": "vi", "cy": "cy",
    "br": "br", "af": "af", "ast": "ast", "bs": "bs", "eu": "eu", "gd": "gd", "gl": "gl", "id": "id", "ku": "kmr@latin",
    "nn": "nn", "nso": "nso", "oc": "oc", "om": "om", "rw": "rw", "ss": "ss", "szl": "szl", "tn": "tn", "ts": "ts",
    "uz": "uz", "ve": "ve", "xh": "xh", "zu": "zu", "ka": "ka", "hy": "hy",
    "zh-cn": "zh_CN zh-CN", "zh-tw": "zh_TW zh-TW", "ja": "ja", "ko": "ko",
    # Languages without a model of their own, of which the packages have too little.
    "und-latn": "gug sc kab tl wa fur racv so la ang@latin ms mi tzm sw ia wo haw fy fo ff an ach yo son pap nv nah na kw kl"
    " ki jam io ht ha gv gn frp ee csb ch bi bar ay ak ace sm lg ie co cgg nr st",
    "und-cyrl": "mn tg kk tt ab ky cv mhr kv ce ba",
}
# The most characters of a language that are taken from a package.
MOST = {"wesnoth": 3_000_000, "libreoffice": 500_000, "vlc": 300_000, "iso_": 40_000}
MARKUP = re.compile(r"<[^>]*>|\$\w+|%\w+|[{\[][^}\]]*[}\]]|\\\w|https?:\S+|[~_&#|@^]|\x04.*")


def clean(text):
    """Return a string without markup and placeholders."""
    return " ".join(MARKUP.sub("", text).split())


def catalogues(root, folders, package):
    """Yield the paths of the catalogues of a package."""
    for folder in folders:
        for path in sorted(root.glob(f"**/{folder}/LC_MESSAGES/*.mo")):
            if package in str(path.relative_to(root)):
                yield path


def strings(root, folders, package, english):
    """Yield the lines of the translations, or of the English sources."""
    for path in catalogues(root, folders, package):
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog
        for key, value in catalogue.items():
            key = key[0] if isinstance(key, tuple) else key
            if key and (english or value != key):
                yield from (key if english else value).split("\n")


def text(root, language, folders):
    """Yield the distinct lines of a language, up to the limit for each package."""
    seen = set()
    for package, most in MOST.items():
        size = 0
        for line in strings(root, folders, package, language == "en"):
            line = clean(line)
            if line in seen or (package != "iso_" and len(line) < 12):
                continue
            seen.add(line)
            size += len(line)
            if size > most:
                break
            yield line


def main(folder):
    """Write the texts of all languages."""
    root, texts = folder / "root", folder / "texts"
    texts.mkdir(exist_ok=True)
    for language, folders in LANGUAGES.items():
        lines = list(text(root, language, folders.split()))
        (texts / f"{language}.txt").write_text("\n".join(lines) + "\n")
        print(language, sum(map(len, lines)), file=sys.stderr)


main(pathlib.Path(sys.argv[1]))
