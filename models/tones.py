"""Vietnamese as windows-1258 encodes it: each tone mark after its letter."""
import unicodedata

TONES = "\u0300\u0301\u0303\u0309\u0323"


def apart(text):
    """Return text with the tone marks separated from their letters."""
    out = []
    for character in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", character)
        base = "".join(part for part in parts if part not in TONES)
        out.append(unicodedata.normalize("NFC", base) + "".join(part for part in parts if part in TONES))
    return "".join(out)
