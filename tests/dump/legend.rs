//! The legend: the role of each byte value.

use utf8::dump::legend;
use utf8::report::ReportStyle;

/// Returns the legend's table of bytes, without colours.
fn table(unicode: bool) -> String {
    let mut out = Vec::new();
    legend::write_table(&mut out, ReportStyle { unicode, ..ReportStyle::default() });
    String::from_utf8(out).unwrap()
}

/// Rows in either style (RFC 3629, section 4).
#[rustfmt::skip]
const ROWS: &[&str] = &[
    "    _0  _1  _2  _3  _4  _5  _6  _7  _8  _9  _A  _B  _C  _D  _E  _F",
    "3_  0   1   2   3   4   5   6   7   8   9   :   ;   <   =   >   ?",
    "4_  @   A   B   C   D   E   F   G   H   I   J   K   L   M   N   O",
    "8_  +00 +01 +02 +03 +04 +05 +06 +07 +08 +09 +0A +0B +0C +0D +0E +0F",
    "B_  +30 +31 +32 +33 +34 +35 +36 +37 +38 +39 +3A +3B +3C +3D +3E +3F",
    "C_  --  --  80  C0  100 140 180 1C0 200 240 280 2C0 300 340 380 3C0",
    "D_  400 440 480 4C0 500 540 580 5C0 600 640 680 6C0 700 740 780 7C0",
    "E_  800*    2000    4000    6000    8000    A000    C000    E000\n        \
             1000    3000    5000    7000    9000    B000    D000*   F000",
    "F_  10000*  80000   100000* --      --      --      --      --\n        \
             40000   C0000   --      --      --      --      --      --",
    "C0..C1 F5..FF  never in UTF-8:\n         C0..C1  all sequences with them would be overlong",
    "F5..F7  all sequences with them would be above U+10FFFF",
    "F8..FF  five- and six-byte forms of RFC 2279, or undefined",
    "E0 is followed by A0..BF: 80..9F would be overlong",
    "ED is followed by 80..9F: A0..BF would be a surrogate",
    "F0 is followed by 90..BF: 80..8F would be overlong",
    "F4 is followed by 80..8F: 90..BF would be above U+10FFFF",
];

#[test]
fn the_table_describes_each_byte() {
    for unicode in [false, true] {
        let table = table(unicode);
        for row in ROWS {
            assert!(table.contains(&format!("{row}\n")), "{row}\n{table}");
        }
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert!(!table.contains(|c: char| c.is_control() && c != '\n'), "{table}");
        let row = match unicode {
            true => "1_  ␐   ␑   ␒   ␓   ␔   ␕   ␖   ␗   ␘   ␙   ␚   ␛   ␜   ␝   ␞   ␟\n2_  ␣   !",
            false => {
                "1_  ^P  ^Q  ^R  ^S  ^T  ^U  ^V  ^W  ^X  ^Y  ^Z  ^[  ^\\  ^]  ^^  ^_\n2_  SP  !"
            }
        };
        assert!(table.contains(row), "{row}\n{table}");
        assert!(unicode || table.is_ascii());
    }
}

#[test]
fn all_colours_and_marks_are_explained() {
    let mut out = Vec::new();
    legend::write(&mut out, ReportStyle { unicode: true, ..ReportStyle::default() });
    let legend = String::from_utf8(out).unwrap();
    let (colors, marks) = legend.split_once("Marks").unwrap();
    for color in ["no colour", "green", "blue", "purple", "red"] {
        assert!(colors.contains(&format!("\n  {color} ")), "{color}: {colors}");
    }
    for mark in ["110·00010", "c3.a9 41", "41!c0.af", "é·", "×", "␊ ␣ ◌ ▯"] {
        assert!(marks.contains(&format!("\n  {mark} ")), "{mark}: {marks}");
    }
}

#[test]
fn colours_change_nothing_else_in_the_table() {
    let mut out = Vec::new();
    legend::write(&mut out, ReportStyle { color: true, ..ReportStyle::default() });
    let colored = String::from_utf8(out).unwrap();
    let plain = colored.split('\x1B').map(|part| match part.strip_prefix('[') {
        Some(part) => part.split_once('m').unwrap().1,
        None => part,
    });
    assert!(plain.collect::<String>().ends_with(&table(false)), "{colored}");
    assert!(colored.contains("\x1B[38;5;161m--\x1B[0m"), "{colored}");
}
