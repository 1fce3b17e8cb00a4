"""How does windows-1258 write Vietnamese? With the tones behind the letters that they stand on."""
import unicodedata

TONES = "\u0300\u0301\u0303\u0309\u0323"


def apart(text):
    out = []
    for character in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", character)
        base = "".join(part for part in parts if part not in TONES)
        out.append(unicodedata.normalize("NFC", base) + "".join(part for part in parts if part in TONES))
    return "".join(out)
