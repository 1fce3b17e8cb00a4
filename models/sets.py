#!/usr/bin/env python3
"""Writes the tables of multi-byte sets: `models/sets.py src/codec/sets/tables.bin`.

`encoding_rs` has the tables of the WHATWG Encoding Standard. All others come from glibc, ICU 72 or
CPython, which must be installed; `TABLES` says from which. Where these disagree:

* The pages of Windows are those of Windows, with private use and the bytes that stand alone. ICU has
  them; of cp932, CPython.
* JIS X 0213 is as in the standard of 2004, which CPython follows, but for the em dash. Beside its
  second plane, CPython reads JIS X 0212; that plane is from glibc.
* Johab has ASCII, as in Windows, CPython and Java, not the won sign; glibc and Java agree about the
  rest, with the postal code mark of 2002 in glibc alone.
* GB 18030 is that of 2005, as ICU has it. The edition of 2022 exchanges 18 codes of two bytes for
  private use with those of four bytes for the same characters.
* CNS 11643 is that of glibc, whose planes 1 to 7 and 15 other programs share.
* Of JIS X 0212, the tilde is U+FF5E as in glibc, since U+007E is in ASCII.
* IBM's pages of Shift_JIS exchange 1A, 1C and 7F; here they are ASCII, as on other systems.
* glibc and ICU agree about all EBCDIC sets, except that glibc pads two of them with U+001A.

`src/codec/sets/tables.rs` describes the format.
"""

import ctypes
import sys

# Names of tables, and their sources: a converter, bytes before each sequence, bytes after it.
TABLES = """
cp932=python:cp932 euc-jp=python:euc_jp euc-jp-8f=glibc:EUC-JP,8F eucjp-ms=glibc:EUC-JP-MS
eucjp-ms-8f=glibc:EUC-JP-MS,8F shift_jis-2004=python:shift_jis_2004
euc-jis-2004=python:euc_jis_2004 euc-jisx0213=python:euc_jisx0213
euc-jis-2004-8f=glibc:EUC-JISX0213,8F cp949=icu:windows-949-2000
euc-kr=glibc:EUC-KR johab=glibc:JOHAB cp936=icu:windows-936-2000
gb18030-2005=icu:gb18030 gb18030-2005-4=icu:gb18030,linear gb18030-2022=icu:gb18030
gb18030-2022-4=icu:gb18030,linear euc-cn=python:gb2312
iso-ir-165=glibc:ISO-2022-CN-EXT,1B2429450E cp950=icu:windows-950-2000 euc-tw=glibc:EUC-TW cns-2=glibc:EUC-TW,8EA2 cns-3=glibc:EUC-TW,8EA3
cns-4=glibc:EUC-TW,8EA4 cns-5=glibc:EUC-TW,8EA5 cns-6=glibc:EUC-TW,8EA6 cns-7=glibc:EUC-TW,8EA7
cns-15=glibc:EUC-TW,8EAF ibm930=icu:ibm-930_P120-1999,0E,0F ibm939=icu:ibm-939_P120-1999,0E,0F
ibm1390=icu:ibm-1390_P110-2003,0E,0F ibm1399=icu:ibm-1399_P110-2003,0E,0F
ibm933=icu:ibm-933_P110-1995,0E,0F ibm1364=icu:ibm-1364_P110-2007,0E,0F
ibm935=icu:ibm-935_P110-1999,0E,0F ibm1388=icu:ibm-1388_P103-2001,0E,0F
ibm937=icu:ibm-937_P110-1999,0E,0F ibm1371=icu:ibm-1371_P100-1999,0E,0F
ibm932=glibc:IBM932 ibm943=glibc:IBM943 t.61=glibc:T.61-8BIT iso-6937=glibc:ISO_6937
iso-6937-2=glibc:ISO_6937-2 ansi_x3.110=glibc:ANSI_X3.110
"""

# Codes that the source has otherwise.
CORRECTIONS = {
    "shift_jis-2004": {0x815C: [0x2014]},
    "euc-jis-2004": {0xA1BD: [0x2014]},
    "euc-jisx0213": {0xA1BD: [0x2014]},
    "johab": {0x5C: [0x5C]},
    "ibm932": {code: [code] for code in (0x1A, 0x1C, 0x7F)},
    "ibm943": {code: [code] for code in (0x1A, 0x1C, 0x7F)},
}

# The characters of GB 18030 that moved in 2022: codes of two and four bytes, and code points.
MOVED = """
A6D9:84318236=FE10 A6DA:84318238=FE12 A6DB:84318237=FE11 A6DC:84318239=FE13 A6DD:84318330=FE14
A6DE:84318331=FE15 A6DF:84318332=FE16 A6EC:84318333=FE17 A6ED:84318334=FE18 A6F3:84318335=FE19
FE59:82359037=9FB4 FE61:82359038=9FB5 FE66:82359039=9FB6 FE67:82359130=9FB7 FE6D:82359131=9FB8
FE7E:82359132=9FB9 FE90:82359133=9FBA FEA0:82359134=9FBB
"""

WORD = ctypes.c_size_t
LIBC = ctypes.CDLL(None)
LIBC.iconv_open.restype = LIBC.iconv.restype = ctypes.c_void_p
LIBC.iconv.argtypes = [ctypes.c_void_p] * 5
ICU = ctypes.CDLL("libicuuc.so.72")
ICU.ucnv_open_72.restype = ctypes.c_void_p


def glibc(name):
    """Returns a function that converts bytes with the C library; the result is None for an error."""
    converter = LIBC.iconv_open(b"UTF-32LE", name.encode())
    assert converter != ctypes.c_void_p(-1).value, name
    ref = ctypes.byref

    def convert(data):
        source, target = ctypes.create_string_buffer(data, len(data)), ctypes.create_string_buffer(64)
        at, to = (ctypes.c_void_p(ctypes.addressof(part)) for part in (source, target))
        left, room = WORD(len(data)), WORD(64)
        LIBC.iconv(converter, None, None, None, None)
        failed = LIBC.iconv(converter, ref(at), ref(left), ref(to), ref(room)) == WORD(-1).value
        if failed or left.value:
            return None
        LIBC.iconv(converter, None, None, ref(to), ref(room))
        return target.raw[: 64 - room.value].decode("utf-32-le")

    return convert


def icu(name):
    """Returns a function that converts bytes with ICU."""
    error = ctypes.c_int(0)
    converter = ctypes.c_void_p(ICU.ucnv_open_72(name.encode(), ctypes.byref(error)))
    stop = ctypes.cast(ICU.UCNV_TO_U_CALLBACK_STOP_72, ctypes.c_void_p)
    before = ctypes.byref(ctypes.c_void_p()), ctypes.byref(ctypes.c_void_p())
    ICU.ucnv_setToUCallBack_72(converter, stop, None, *before, ctypes.byref(error))
    assert error.value <= 0, name

    def convert(data):
        error, units = ctypes.c_int(0), ctypes.create_string_buffer(64)
        room = 32
        number = ICU.ucnv_toUChars_72(converter, units, room, data, len(data), ctypes.byref(error))
        return None if error.value > 0 else units.raw[: 2 * number].decode("utf-16-le")

    return convert


def python(name):
    """Returns a function that converts bytes with CPython."""

    def convert(data):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            return None

    return convert


def table(source):
    """Returns the code points of each code: a byte, or two bytes as a number."""
    converter, *frame = source.split(",")
    kind, name = converter.split(":")
    convert = {"glibc": glibc, "icu": icu, "python": python}[kind](name)
    if frame == ["linear"]:
        texts = ((place, convert(four_bytes(place))) for place in range(39420))
        return {place: [ord(text)] for place, text in texts if text is not None}
    before, after = (bytes.fromhex(part) for part in (frame + ["", ""])[:2])
    found = {}
    # After a lead byte there is no code of one byte, and shifts enclose those of two.
    singles = range(0) if before and not after else range(0x100)
    for byte in singles:
        text = convert(bytes([byte]))
        if text is not None and len(text) == 1:
            found[byte] = [ord(text)]
    # After an escape sequence, both bytes are below 80.
    right = 0x8080 if before[:1] == b"\x1B" else 0
    for code in range(0x4040, 0x10000):
        pair = (code ^ right).to_bytes(2, "big")
        if right and not all(0x21 <= byte <= 0x7E for byte in pair):
            continue
        if not before and pair[0] in found:
            continue
        text = convert(before + pair + after)
        if text and len(text) <= 2:
            found[code] = [ord(c) for c in text]
    for code in 0x0E, 0x0F:
        if after:
            found.pop(code, None)
    return found


def four_bytes(place):
    """Returns the four bytes of a place in GB 18030."""
    digits = place // 12600, place // 1260 % 10, place // 10 % 126, place % 10
    return bytes(digit + first for digit, first in zip(digits, (0x81, 0x30, 0x81, 0x30)))


def move(tables):
    """Exchanges the characters that moved in 2022."""
    pairs, long = tables["gb18030-2022"], tables["gb18030-2022-4"]
    for field in MOVED.split():
        codes, point = field.split("=")
        code, four = (int(code, 16) for code in codes.split(":"))
        a, b, c, d = four.to_bytes(4, "big")
        place = ((a - 0x81) * 10 + b - 0x30) * 1260 + (c - 0x81) * 10 + d - 0x30
        assert long[place] == [int(point, 16)], field
        pairs[code], long[place] = long[place], pairs[code]


def value(points):
    """Joins the code points of a code in a number, plus one; 0 is for none."""
    return sum(point << 21 * place for place, point in enumerate(points)) + 1 if points else 0


def number(value):
    """Spells a number in groups of seven bits, the lowest first."""
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data + bytes([value]))


def signed(value):
    return number(-2 * value - 1 if value < 0 else 2 * value)


LISTED, ASCENDING, UNMAPPED = range(3)


def runs(values):
    """Splits values into runs: a kind and a number of values."""
    pieces, at = [], 0
    while at < len(values):
        end = at + 1
        if values[at] == 0:
            kind = UNMAPPED
            while end < len(values) and values[end] == 0:
                end += 1
        else:
            kind = ASCENDING
            while end < len(values) and values[end] == values[end - 1] + 1:
                end += 1
        if kind == ASCENDING and end - at < 6:
            kind = LISTED
        if kind == LISTED and pieces and pieces[-1][0] == LISTED:
            pieces[-1][1] += end - at
        else:
            pieces.append([kind, end - at])
        at = end
    return pieces


def spell(table, base):
    """Spells the differences from a base."""
    codes = sorted(code for code in table.keys() | base.keys() if table.get(code) != base.get(code))
    data, at, last, place = bytearray(), 0, 0, 0
    while place < len(codes):
        end = place + 1
        while end < len(codes) and codes[end] == codes[end - 1] + 1:
            end += 1
        values = [value(table.get(code)) for code in codes[place:end]]
        first = True
        for kind, count in runs(values):
            data += number(codes[place] - at if first else 0) + number(4 * count + kind)
            first = False
            some, values = values[:count], values[count:]
            if kind == LISTED:
                for point in some:
                    data += signed(point - last - 1)
                    last = point
            elif kind == ASCENDING:
                data += signed(some[0] - last - 1)
                last = some[-1]
        at, place = codes[end - 1] + 1, end
    return bytes(data)


def main(path):
    names, tables, file = [], [], bytearray()
    sources = (field.split("=") for field in TABLES.split())
    found_by_name = {name: table(source) | CORRECTIONS.get(name, {}) for name, source in sources}
    move(found_by_name)
    for name, found in found_by_name.items():
        bodies = [spell(found, base) for base in [{}, *tables]]
        base = min(range(len(bodies)), key=lambda base: len(bodies[base]))
        print(f"{name}: {len(found)} codes, {len(bodies[base])} bytes", *names[base - 1 : base])
        file += number(len(name)) + name.encode() + number(base) + number(len(bodies[base]))
        file += bodies[base]
        names.append(name)
        tables.append(found)
    with open(path, "wb") as target:
        target.write(file)


main(sys.argv[1])
