#!/usr/bin/env python3
"""Derive the language models of src/detect/legacy from texts: derive.py FOLDER TARGET reads FOLDER/texts/*.txt.

The texts are translations in Debian's packages of Battle for Wesnoth (GPL-2+), LibreOffice (MPL-2.0), VLC (GPL-2+) and
iso-codes (LGPL-2.1+). The tables are statistics about the texts and contain no part of them.

Costs are negative binary logarithms of probabilities, in sixteenths of a bit. src/detect/legacy/model.rs, which reads the
tables, describes the format. Letters, marks and scripts are those of Unicode 14.0, which Python 3.11 has; other versions of
Python may count a few more letters.
"""
import collections, math, pathlib, struct, sys, unicodedata

from tones import apart

UNIT = 16
(BLANK, DIGIT, STOP, OTHER, APOSTROPHE, OPEN, CLOSE, DASH, SIGN, BOX, FOREIGN, ALIEN, LATIN) = CLASSES = range(13)

# The languages of each script, with the cost in bits that a text is in the language. Chosen by hand from the order of use
# on the web.
LANGUAGES = {
    "latin": {"en": 0, "fr": 1, "de": 1, "es": 1, "pt": 1, "it": 1, "nl": 1.5, "da": 2, "nb": 2, "sv": 2, "fi": 2,
              "is": 3, "ga": 4, "ca": 3, "pl": 1.5, "cs": 2, "sk": 2.5, "hu": 2, "sl": 3, "hr": 2.5, "ro": 2.5,
              "sq": 4, "et": 3, "lv": 3, "lt": 3, "eo": 4, "mt": 7, "tr": 2, "vi": 3, "cy": 4, "br": 5,
              "af": 4, "ast": 5, "bs": 4, "eu": 4, "gd": 5, "gl": 4, "id": 3, "ku": 5, "nn": 4, "nso": 6, "oc": 5, "om": 6,
              "rw": 6, "ss": 6, "szl": 6, "tn": 6, "ts": 6, "uz": 5, "ve": 6, "xh": 6, "zu": 5, "und-latn": 4},
    "cyrillic": {"ru": 0.5, "uk": 2, "be": 3.5, "bg": 2, "sr": 3, "mk": 3.5,
                 "und-cyrl": 8},
    "greek": {"el": 1.5}, "hebrew": {"he": 2, "he-visual": 5}, "arabic": {"ar": 2, "fa": 3}, "thai": {"th": 2},
    "georgian": {"ka": 3}, "armenian": {"hy": 3},
    "cjk": {"zh-cn": 1, "zh-tw": 1.5, "ja": 1, "ko": 1.5},
}
SCRIPTS = list(LANGUAGES)
# The models for all other languages of a script: from many languages, with this many characters of each.
GENERIC = {"und-latn": "latin", "und-cyrl": "cyrillic"}
SHARE = 100_000
# Letters with two encodings, of which old pages have one. `to_table_form()` of src/detect/legacy/pages.rs has the same map.
SAME = str.maketrans("șțیک", "şţيك")

# Marks and signs: class, cost in bits among those of the class, members. Chosen by hand from the order of use in the texts
# and in English, German and French books: quotes and dashes are frequent, mathematical signs are not. The boxes are DOS's. An
# ellipsis follows letters, as a full stop does.
MARKS = [
    (BLANK, 8, "\u00a0"), (APOSTROPHE, 1, "’"), (OPEN, 2, "«“"), (OPEN, 2.5, "„"), (OPEN, 3.5, "‘¿"), (OPEN, 4, "¡"),
    (OPEN, 6, "‹‚"), (CLOSE, 1, "»”"), (CLOSE, 6, "›"), (DASH, 1, "–"), (DASH, 1.5, "—"), (STOP, 5, "…"),
    (DASH, 4, "•·"), (DASH, 6, "―"), (SIGN, 2, "°"), (SIGN, 3, "©§®№µ±×²"), (SIGN, 3.5, "€£™º"), (SIGN, 4, "ª³½"),
    (SIGN, 5, "¼¾¹¢´¥"), (SIGN, 7, "÷¬\u00ad¨¯¸¦"), (SIGN, 8.5, "¶†"), (SIGN, 8, "‡‰ˆ˜¤˝ˇ˘˙˛ƒ‗"),
    (SIGN, 8, "≤≥≠≈∞√∑∂∆∏∫◊"), (SIGN, 9, "ﬁﬂ⁄⌐∙ⁿ≡⌠⌡₧"), (SIGN, 2, "،؛؟"), (SIGN, 4, "\u200c\u200d\u200e\u200f"),
    (STOP, 2, "։՝"), (APOSTROPHE, 2, "՛՜՞"),
    (BOX, 2.5, "─│═║"), (BOX, 4, "┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬█▄▀░▒▓■"), (BOX, 6, "╒╓╕╖╘╙╛╜╞╟╡╢╤╥╧╨╪╫▌▐"),
]
MARK = {character: (kind, cost) for kind, cost, members in MARKS for character in members}

# The prior costs in bits of each class, in the order of CLASSES, after symbols of a kind. They count where the texts have few
# pairs. Chosen by hand: round numbers near those of the English text; after signs, boxes and Latin letters, from their use.
EXPECTED = {
    "letter": [2.5, 8, 4, 6, 7, 12, 8, 10, 12, 17, 9, 15, 11],
    "blank": [3, 5, 8, 5, 8, 7, 11, 7, 9, 13, 10, 14, 5],
    "else": [1.5, 4, 4, 4, 7, 7, 7, 8, 8, 14, 11, 14, 6],
    "sign": [1.5, 3, 3, 3, 7, 7, 5, 8, 6, 14, 13, 14, 6],
    "box": [2.5, 6, 7, 6, 9, 9, 9, 9, 9, 0.7, 13, 13, 8],
    "latin": [2.5, 6, 4, 4, 7, 12, 8, 10, 11, 17, 13, 16, 0.7],
}
# The prior costs in bits of all letters of the language together. Without an entry, letters get the rest of the probability.
LETTERS = {"sign": 4.5, "box": 9, "latin": 10}


def bits(probability):
    """Return the cost of a probability, in units."""
    return max(0, min(255, round(-math.log2(probability) * UNIT)))


def ascii_class(character):
    """Return the class of an ASCII character that is no letter."""
    if character.isdigit():
        return DIGIT
    if character in ".,;:!?":
        return STOP
    if character == "'":
        return APOSTROPHE
    return BLANK if character <= " " else OTHER


def read(folder, language):
    """Return the text of a language, normalized and in lower case, as its legacy encodings write it."""
    text = (folder / "texts" / f"{language.removesuffix('-visual')}.txt").read_text()
    if language in GENERIC:
        text = "\n".join([text, *(read(folder, other)[:SHARE] for other in LANGUAGES[GENERIC[language]] if other not in GENERIC)])
    if language == "vi":
        text = apart(text)
    if language.endswith("-visual"):
        text = "\n".join(line[::-1] for line in text.split("\n"))
    return unicodedata.normalize("NFC", text).lower().replace("i̇", "İ") if language != "vi" else text.lower()


def is_letter(character):
    """Return whether a character is a letter or a combining mark."""
    return unicodedata.category(character)[0] in "LM" and character not in MARK


def script_of(character):
    """Return the script of a letter, or None. Combining marks count as Latin, for Vietnamese."""
    name = unicodedata.name(character, "")
    if name.startswith("COMBINING"):
        return "latin"
    for script in SCRIPTS:
        if name.startswith(script.upper()):
            return script
    return None


class Language:
    """The counts of character pairs of an alphabetic language."""

    def __init__(self, name, script, prior, text):
        self.name, self.script, self.prior = name, script, prior
        text = text.translate(SAME)
        counts = collections.Counter(c for c in text if is_letter(c) and script_of(c) == script and ord(c) > 127)
        total = sum(counts.values()) or 1
        extra = sorted(c for c, n in counts.items() if n / total > 0.0008 or n / len(text) > 0.000015 and n > 2)
        # In English, letters beyond ASCII occur in foreign names only.
        extra = [] if name == "en" else extra
        latin = [chr(c) for c in range(ord("a"), ord("z") + 1)] if script == "latin" else []
        self.letters = latin + extra
        self.index = {c: len(CLASSES) + at for at, c in enumerate(self.letters)}
        self.size = len(CLASSES) + len(self.letters)
        self.unigrams = counts
        self.pairs = self.count(text)

    def symbol(self, character):
        """Return the symbol of a character: the index of a letter, or a class."""
        if character in self.index:
            return self.index[character]
        if character in MARK:
            return MARK[character][0]
        if "a" <= character <= "z":
            return LATIN
        if ord(character) < 128:
            return ascii_class(character)
        return FOREIGN if script_of(character) == self.script and is_letter(character) else ALIEN

    def count(self, text):
        """Return the number of each pair of symbols in a text, as rows by the first symbol."""
        symbols = {c: self.symbol(c) for c in set(text)}
        pairs = collections.Counter(zip(text, text[1:]))
        counts = [[0.0] * self.size for _ in range(self.size)]
        for (a, b), number in pairs.items():
            a, b = symbols[a], symbols[b]
            if ALIEN not in (a, b):
                counts[a][b] += number
        return counts

    def mix_in(self, text, share):
        """Add the pairs of another text, scaled to a share of the pairs of this one."""
        other = self.count(text)
        scale = share * sum(map(sum, self.pairs)) / sum(map(sum, other))
        for mine, theirs in zip(self.pairs, other):
            for b, number in enumerate(theirs):
                mine[b] += scale * number

    def kind(self, a):
        """Return the kind of a symbol: its key in EXPECTED."""
        named = {BLANK: "blank", OPEN: "blank", SIGN: "sign", BOX: "box", LATIN: "latin", FOREIGN: "letter"}
        return named.get(a, "letter" if a >= len(CLASSES) else "else")

    def expected(self, kind, foreign):
        """Return the prior probabilities of all symbols after symbols of a kind. A letter is no less likely than it is in
        a language that does not use it."""
        of_kind = [0.05] * self.size
        for a in range(self.size):
            if self.kind(a) == kind:
                of_kind = [x + y for x, y in zip(of_kind, self.pairs[a])]
        if kind in LETTERS or sum(of_kind) < 1000:
            of_kind = [0.05 + sum(row[b] for row in self.pairs) for b in range(self.size)]
        letters = sum(of_kind[len(CLASSES):])
        fixed = [2.0 ** -cost for cost in EXPECTED[kind]]
        if self.script == "latin":
            fixed[LATIN] = 0
        rest = 2.0 ** -LETTERS[kind] if kind in LETTERS else max(1 - sum(fixed), 0.05)
        least = [fixed[FOREIGN] * 2.0 ** (-foreign[c] / UNIT) if c in foreign else 0 for c in self.letters]
        own = [rest * n / letters for n in of_kind[len(CLASSES):]]
        return fixed + [max(own_share, least_share) for own_share, least_share in zip(own, least)]

    def matrix(self, foreign):
        """Return the costs of all pairs: the counts, smoothed with the prior probabilities."""
        expected = {kind: self.expected(kind, foreign) for kind in EXPECTED}
        out = bytearray()
        for a, row in enumerate(self.pairs):
            prior, total = expected[self.kind(a)], sum(row)
            share = max(0.03, 60 / (total + 60))
            for b, number in enumerate(row):
                seen = number / total if total else 0
                out.append(bits(max((1 - share) * seen + share * prior[b], 1e-9)))
        return bytes(out)


def alphabets(folder):
    """Yield the alphabetic languages. Each has a tenth of English, and Greek half of its own text again without accents."""
    english = read(folder, "en")
    for script, languages in LANGUAGES.items():
        if script == "cjk":
            continue
        for name, prior in languages.items():
            language = Language(name, script, prior, read(folder, name))
            if name != "en":
                language.mix_in(english, 0.1)
            if name == "el":
                language.mix_in(bare(read(folder, name)), 0.5)
            yield language


def bare(text):
    """Return Greek text without accents, as capitals often have none."""
    kept = (c for c in unicodedata.normalize("NFD", text) if c != "\u0301")
    return unicodedata.normalize("NFC", "".join(kept))


def foreign_costs(languages):
    """Return the costs of letters in languages that do not use them: by their frequency in the script, in which each
    language is weighted by its prior."""
    costs = {}
    for script in SCRIPTS:
        total = collections.Counter()
        for language in languages:
            if language.script == script:
                share = 2**language.prior * (sum(language.unigrams.values()) or 1)
                total.update({c: n / share for c, n in language.unigrams.items()})
        number = sum(total.values())
        for character, n in total.items():
            # Foreign words and names are mostly from Western Europe. Chosen by hand: three bits for other letters.
            share = 8 if script == "latin" and character > "ÿ" else 1
            costs[character] = bits((0.9 * n / number + 0.1 / 200) / share)
    return costs


# The classes of characters in East Asian languages.
(C_BLANK, C_LETTER, C_DIGIT, C_ASCII, C_MARK, C_HIRAGANA, C_KATAKANA, C_HALF, C_HAN, C_HANGUL, C_WIDE, C_REST) = range(12)
C_SIZE = 12
SETS = {"zh-cn": "gb2312", "zh-tw": "big5", "ja": "euc_jp", "ko": "euc_kr"}


def cjk_class(character):
    """Return the class of a character in an East Asian language. src/detect/legacy/east_asian.rs has the same."""
    point = ord(character)
    if point < 128:
        return C_BLANK if character <= " " else C_LETTER if character.isalpha() else C_DIGIT if character.isdigit() else C_ASCII
    for kind, first, last in [
        (C_MARK, 0x3000, 0x303F), (C_HIRAGANA, 0x3041, 0x309F), (C_KATAKANA, 0x30A0, 0x30FF), (C_HALF, 0xFF61, 0xFF9F),
        (C_HAN, 0x4E00, 0x9FFF), (C_HANGUL, 0xAC00, 0xD7A3), (C_WIDE, 0xFF10, 0xFF19), (C_WIDE, 0xFF21, 0xFF3A),
        (C_WIDE, 0xFF41, 0xFF5A), (C_MARK, 0xFF01, 0xFF60), (C_MARK, 0x2010, 0x2026), (C_MARK, 0xB7, 0xB7),
    ]:
        if first <= point <= last:
            return kind
    return C_REST


def is_common(character, language):
    """Return whether the multi-byte set of a language has a character, and an ideograph in its first level."""
    try:
        lead = character.encode(SETS[language])
    except UnicodeEncodeError:
        return False
    if cjk_class(character) != C_HAN:
        return len(lead) == 2
    last = {"zh-cn": 0xD7, "zh-tw": 0xC6, "ja": 0xCF, "ko": 0}[language]
    return len(lead) == 2 and lead[0] <= last


class Ideographic:
    """The counts of characters and of class pairs of an East Asian language."""

    def __init__(self, name, prior, text):
        self.name, self.prior = name, prior
        self.counts = collections.Counter(text)
        kinds = {c: cjk_class(c) for c in self.counts}
        self.transitions = [[0.0] * C_SIZE for _ in range(C_SIZE)]
        for (a, b), n in collections.Counter(zip(text, text[1:])).items():
            self.transitions[kinds[a]][kinds[b]] += n

    def matrix(self):
        """Return the costs of all pairs of classes."""
        floors = [0.02, 0.01, 0.01, 0.005, 0.01, 0.001, 0.001, 0.00005, 0.002, 0.0005, 0.0005, 0.0001]
        out = bytearray()
        for a, row in enumerate(self.transitions):
            row = [1000 * x for x in floors] if sum(row) < 100 else row
            if a == C_HALF:
                row[C_HALF] = 5 * sum(row)
            total = sum(row)
            out += bytes(bits(0.95 * n / total + 0.05 * floor) for n, floor in zip(row, floors))
        return bytes(out)

    def costs(self):
        """Return the cost of each code point, among the characters of its class."""
        totals = collections.Counter()
        for character, number in self.counts.items():
            totals[cjk_class(character)] += number
        out = {}
        for point in range(0x80, 0x10000):
            character = chr(point)
            common = is_common(character, self.name)
            number = self.counts.get(character, 0) + (0.3 if common else 0)
            if number:
                kind = cjk_class(character)
                out[point] = min(255, max(1, bits(number / (totals[kind] + 500))))
        return out


def packed(costs):
    """Return costs as pairs of bytes: the difference to the previous code point, and the cost. A difference of 0 advances by
    255 and has no cost."""
    out, last = bytearray(), 0
    for point, cost in sorted(costs.items()):
        while point - last > 255:
            out += bytes((0, 0))
            last += 255
        out += bytes((point - last, cost))
        last = point
    return bytes(out)


def main(folder, target):
    """Write the tables of the texts in a folder."""
    languages = list(alphabets(folder))
    foreign = foreign_costs(languages)
    letters = sorted({c for language in languages for c in language.letters if ord(c) > 127} | set(foreign))
    place = {c: at for at, c in enumerate(letters)}
    out = bytearray(struct.pack("<HHBB", len(letters), len(MARK), len(languages), len(SETS)))
    for character in letters:
        out += struct.pack("<HBB", ord(character), SCRIPTS.index(script_of(character)), foreign.get(character, 0))
    for character, (kind, cost) in sorted(MARK.items()):
        out += struct.pack("<HBB", ord(character), kind, int(cost * UNIT))
    for language in languages:
        name = language.name.encode()
        out += bytes((len(name),)) + name
        extra = [place[c] for c in language.letters if ord(c) > 127]
        out += struct.pack("<BBBB", SCRIPTS.index(language.script), int(language.prior * UNIT), language.size, len(extra))
        out += b"".join(struct.pack("<H", at) for at in extra)
        out += language.matrix(foreign)
    for name, prior in LANGUAGES["cjk"].items():
        language = Ideographic(name, prior, read(folder, name))
        costs = packed(language.costs())
        out += bytes((len(name),)) + name.encode() + struct.pack("<BI", int(prior * UNIT), len(costs))
        out += language.matrix() + costs
    target.write_bytes(out)
    print(len(letters), "letters,", len(out), "bytes, Unicode", unicodedata.unidata_version, file=sys.stderr)


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
