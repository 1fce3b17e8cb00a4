#!/usr/bin/env python3
"""Writes the tables of single-byte code pages: `models/pages.py src/codec/pages/tables.txt`.

The tables of the WHATWG Encoding Standard are in `encoding_rs`. All others come from glibc, ICU or
CPython, which must be installed. Where these disagree, `SOURCES` has the decision:

* glibc has the tables of RFC 1345 for IBM pages; where the tables of IBM, which ICU has, differ,
  those of IBM count (ibm278, ibm285, ibm290, ibm851, ibm868, ibm870, ibm871, ibm875, ibm918,
  ibm1006, ibm1132).
* CPython and ICU agree against glibc in ibm424 and ibm1026, except for later additions in ICU.
* IBM's DOS pages rotate 1A, 1C and 7F; here they are ASCII, as in all other implementations.
"""

import ctypes
import subprocess
import sys

# Pages and their sources. `lf` exchanges U+000A and U+0085 of a page.
SOURCES = """
us-ascii=glibc:ASCII iso-8859-1=glibc:ISO-8859-1 iso-8859-9=glibc:ISO-8859-9
iso-8859-11=glibc:ISO-8859-11 koi8-t=glibc:KOI8-T x-mac-ce=glibc:MAC-CENTRALEUROPE
tis-620=glibc:TIS-620 ibm-874=glibc:IBM9066 ibm437=glibc:IBM437 ibm737=glibc:CP737
ibm775=glibc:IBM775 ibm850=glibc:IBM850 ibm852=glibc:IBM852 ibm855=glibc:IBM855 ibm857=glibc:IBM857
ibm858=glibc:IBM858 ibm860=glibc:IBM860 ibm861=glibc:IBM861 ibm862=glibc:IBM862 ibm863=glibc:IBM863
ibm864=glibc:IBM864 ibm865=glibc:IBM865 ibm869=glibc:IBM869 ibm1125=glibc:CP1125 ibm037=glibc:IBM037
ibm037-lf=lf:ibm037 ibm1047=glibc:IBM1047 ibm1047-lf=lf:ibm1047 ibm720=python:cp720
ibm770=glibc:CP770 ibm771=glibc:CP771 ibm772=glibc:CP772 ibm773=glibc:CP773 ibm774=glibc:CP774
ibm851=icu:ibm-851_P100-1995 ibm856=glibc:IBM856 ibm866nav=glibc:IBM866NAV
ibm868=icu:ibm-868_P100-1995 ibm904=glibc:IBM904 ibm1098=icu:ibm-1098_P100-1995
ibm1131=icu:ibm-1131_P100-1997 mik=glibc:MIK cwi=glibc:CWI viscii=glibc:VISCII tcvn=glibc:TCVN
koi8-ru=glibc:KOI8-RU koi8-u-rfc2319=glibc:KOI8-U macintosh-glibc=glibc:MACINTOSH
gost-koi8=glibc:KOI-8 ecma-cyrillic=glibc:ECMA-CYRILLIC
gost-19768-74=glibc:GOST_19768 kz1048=glibc:RK1048 pt154=glibc:PT154 x-mac-greek=python:mac_greek
x-mac-turkish=python:mac_turkish x-mac-croatian=python:mac_croatian
x-mac-icelandic=python:mac_iceland x-mac-romanian=python:mac_romanian x-mac-arabic=python:mac_arabic
x-mac-farsi=python:mac_farsi mac-is=glibc:MAC-IS mac-sami=glibc:MAC-SAMI mac-uk=glibc:MAC-UK
ms-mac-cyrillic=glibc:MS-MAC-CYRILLIC win-sami-2=glibc:WIN-SAMI-2 iso-ir-197=glibc:ISO-IR-197
iso-ir-209=glibc:ISO-IR-209 iso-8859-9e=glibc:ISO-8859-9E armscii-8=glibc:ARMSCII-8
georgian-academy=glibc:GEORGIAN-ACADEMY georgian-ps=glibc:GEORGIAN-PS isiri-3342=glibc:ISIRI-3342
hp-roman8=glibc:HP-ROMAN8 hp-roman9=glibc:HP-ROMAN9 hp-greek8=glibc:HP-GREEK8
hp-turkish8=glibc:HP-TURKISH8 dec-mcs=glibc:DEC-MCS palmos=python:palmos csn-369103=glibc:CSN_369103
greek-ccitt=glibc:GREEK-CCITT iso-10367-box=glibc:ISO_10367-BOX iec-p27-1=glibc:IEC_P27-1
inis-8=glibc:INIS-8 iso-11548-1=glibc:ISO_11548-1 ibm1004=glibc:CP1004
ibm1006=icu:ibm-1006_P100-1995 ibm1008=glibc:IBM1008 ibm1046=glibc:IBM1046 ibm1124=glibc:IBM1124
ibm1129=glibc:IBM1129 ibm1133=glibc:IBM1133 ibm1161=glibc:IBM1161
ibm1163=glibc:IBM1163 ibm901=glibc:IBM901 ibm902=glibc:IBM902 ibm922=glibc:IBM922
ibm4909=glibc:IBM4909 ibm1276=icu:ibm-1276_P100-1995
jis-x0201=python:shift_jisx0213 ibm038=glibc:IBM038 ibm256=glibc:IBM256 ibm273=glibc:IBM273
ibm274=glibc:IBM274 ibm275=glibc:IBM275 ibm277=glibc:IBM277 ibm278=icu:ibm-278_P100-1995
ibm280=glibc:IBM280 ibm281=glibc:IBM281 ibm284=glibc:IBM284 ibm285=icu:ibm-285_P100-1995
ibm290=icu:ibm-290_P100-1995 ibm297=glibc:IBM297 ibm420=glibc:IBM420 ibm423=glibc:IBM423
ibm424=python:cp424 ibm500=glibc:IBM500 ibm803=glibc:IBM803 ibm838=glibc:IBM9030
ibm870=icu:ibm-870_P100-1995 ibm871=icu:ibm-871_P100-1995 ibm875=icu:ibm-875_P100-1995
ibm880=glibc:IBM880 ibm905=glibc:IBM905 ibm918=icu:ibm-918_P100-1995 ibm1025=glibc:IBM1025
ibm1026=python:cp1026 ibm1097=glibc:IBM1097 ibm1112=glibc:IBM1112 ibm1122=glibc:IBM1122
ibm1123=glibc:IBM1123 ibm1130=glibc:IBM1130 ibm1132=icu:ibm-1132_P100-1998 ibm1137=glibc:IBM1137
ibm1140=glibc:IBM1140 ibm1141=glibc:IBM1141 ibm1142=glibc:IBM1142 ibm1143=glibc:IBM1143
ibm1144=glibc:IBM1144 ibm1145=glibc:IBM1145 ibm1146=glibc:IBM1146 ibm1147=glibc:IBM1147
ibm1148=glibc:IBM1148 ibm1149=glibc:IBM1149 ibm1153=glibc:IBM1153 ibm1154=glibc:IBM1154
ibm1155=glibc:IBM1155 ibm1156=glibc:IBM1156 ibm1157=glibc:IBM1157 ibm1158=glibc:IBM1158
ibm1160=glibc:IBM1160 ibm1164=glibc:IBM1164 ibm1166=glibc:IBM1166 ibm4517=glibc:IBM4517
ibm4899=glibc:IBM4899 ibm4971=glibc:IBM4971 ibm5123=icu:ibm-5123_P100-1999
ibm8482=icu:ibm-8482_P100-1999 ibm12712=glibc:IBM12712 ibm16804=glibc:IBM16804
ebcdic-at-de=glibc:EBCDIC-AT-DE ebcdic-at-de-a=glibc:EBCDIC-AT-DE-A ebcdic-ca-fr=glibc:EBCDIC-CA-FR
ebcdic-dk-no=glibc:EBCDIC-DK-NO ebcdic-dk-no-a=glibc:EBCDIC-DK-NO-A ebcdic-es=glibc:EBCDIC-ES
ebcdic-es-a=glibc:EBCDIC-ES-A ebcdic-es-s=glibc:EBCDIC-ES-S ebcdic-fi-se=glibc:EBCDIC-FI-SE
ebcdic-fi-se-a=glibc:EBCDIC-FI-SE-A ebcdic-fr=glibc:EBCDIC-FR ebcdic-is-friss=glibc:EBCDIC-IS-FRISS
ebcdic-it=glibc:EBCDIC-IT ebcdic-pt=glibc:EBCDIC-PT ebcdic-uk=glibc:EBCDIC-UK
ebcdic-us=glibc:EBCDIC-US iso646-gb=glibc:ISO646-GB iso646-ca=glibc:ISO646-CA
iso646-ca2=glibc:ISO646-CA2 iso646-cn=glibc:ISO646-CN iso646-cu=glibc:ISO646-CU
iso646-de=glibc:ISO646-DE iso646-dk=glibc:ISO646-DK iso646-es=glibc:ISO646-ES
iso646-es2=glibc:ISO646-ES2 iso646-fr=glibc:ISO646-FR iso646-fr1=glibc:ISO646-FR1
iso646-hu=glibc:ISO646-HU iso646-it=glibc:ISO646-IT iso646-jp=glibc:ISO646-JP
iso646-jp-ocr-b=glibc:ISO646-JP-OCR-B iso646-kr=glibc:ISO646-KR iso646-no=glibc:ISO646-NO
iso646-no2=glibc:ISO646-NO2 iso646-pt=glibc:ISO646-PT iso646-pt2=glibc:ISO646-PT2
iso646-se=glibc:ISO646-SE iso646-se2=glibc:ISO646-SE2 iso646-yu=glibc:ISO646-YU
nats-dano=glibc:NATS-DANO nats-sefi=glibc:NATS-SEFI brf=glibc:BRF asmo-449=glibc:ASMO_449
greek7=glibc:GREEK7 greek7-old=glibc:GREEK7-OLD latin-greek=glibc:LATIN-GREEK
latin-greek-1=glibc:LATIN-GREEK-1 iso-5428=glibc:ISO_5428 iso-5427=glibc:ISO_5427
iso-5427-ext=glibc:ISO_5427-EXT inis=glibc:INIS inis-cyrillic=glibc:INIS-CYRILLIC
iso-2033=glibc:ISO_2033
"""

# Tables of the WHATWG Encoding Standard that others are differences from, as CPython names them.
WHATWG = {
    "ibm866": "cp866", "koi8-r": "koi8_r", "iso-8859-2": "iso8859_2", "iso-8859-5": "iso8859_5",
    "iso-8859-13": "iso8859_13", "iso-8859-15": "iso8859_15", "macintosh": "mac_roman",
}
WORD = ctypes.c_size_t
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.iconv_open.restype = LIBC.iconv.restype = ctypes.c_void_p
LIBC.iconv.argtypes = [ctypes.c_void_p] * 5
LIBC.iconv_close.argtypes = [ctypes.c_void_p]


def iconv(name, byte):
    """Converts a byte with the C library. A converter that composes waits for the end."""
    converter = LIBC.iconv_open(b"UTF-32LE", name.encode())
    assert converter != ctypes.c_void_p(-1).value, name
    source, target = ctypes.create_string_buffer(byte, 1), ctypes.create_string_buffer(16)
    at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
    left, room = WORD(1), WORD(16)
    ref = ctypes.byref
    failed = LIBC.iconv(converter, ref(at), ref(left), ref(to), ref(room)) == WORD(-1).value
    LIBC.iconv(converter, None, None, ref(to), ref(room))
    LIBC.iconv_close(converter)
    return None if failed else target.raw[: 16 - room.value].decode("utf-32-le")


def uconv(name, byte):
    command = ["uconv", "-f", name, "-t", "UTF-8", "--from-callback", "stop"]
    result = subprocess.run(command, input=byte, capture_output=True)
    return None if result.returncode else result.stdout.decode()


def python(name, byte):
    return byte.decode(name, "ignore").replace("\ufffe", "") or None


def table(source):
    """Returns the code point of each byte."""
    kind, name = source.split(":")
    read = {"glibc": iconv, "icu": uconv, "python": python}[kind]
    texts = [read(name, bytes([byte])) for byte in range(256)]
    points = [ord(text) if text else None for text in texts]
    if points[0x1A] == 0x1C:
        points[0x1A], points[0x1C], points[0x7F] = 0x1A, 0x1C, 0x7F
    return points


def tables():
    """Returns the tables by name, in order."""
    found = {}
    for line in SOURCES.split("\n"):
        for field in line.split():
            name, source = field.split("=")
            if source.startswith("lf:"):
                swap = {0x0A: 0x85, 0x85: 0x0A}
                found[name] = [swap.get(point, point) for point in found[source[3:]]]
            else:
                found[name] = table(source)
    return found


def runs(points, base):
    """Spells the differences from a base: `80=410..42F,401,-` counts upwards from 80."""
    fields, byte = [], 0
    while byte < 256:
        if points[byte] == base[byte]:
            byte += 1
            continue
        items, start = [], byte
        while byte < 256 and points[byte] != base[byte]:
            first = points[byte]
            byte += 1
            last = first
            while first is not None and byte < 256 and points[byte] == last + 1 != base[byte]:
                last += 1
                byte += 1
            ends = [first] if first is None or last == first else [first, last]
            items.append("..".join("-" if end is None else f"{end:X}" for end in ends))
        fields.append(f"{start:02X}=" + ",".join(items))
    return " ".join(fields)


def main(path):
    ascii_only = [byte if byte < 0x80 else None for byte in range(256)]
    bases = {"-": [None] * 256, "ascii": ascii_only, "latin1": list(range(256))}
    bases |= {name: table(f"python:{codec}") for name, codec in WHATWG.items()}
    lines = []
    for name, points in tables().items():
        spelled = {base: runs(points, bases[base]) for base in bases}
        base = min(spelled, key=lambda base: len(base + spelled[base]))
        lines.append(f"{name} {base} {spelled[base]}".rstrip())
        bases[name] = points
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


main(sys.argv[1])
