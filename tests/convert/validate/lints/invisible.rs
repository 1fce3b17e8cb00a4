//! Lints about invisible characters and bidirectional controls.

use super::ids;
use crate::common::bin::validate;

#[test]
fn a_line_closes_its_bidirectional_controls() {
    let unpaired = |text: &str| ids(text, &["--deny=bidi-unpaired"]).len();
    // UAX #9, definitions BD9 and BD11.
    for good in [
        "\u{2067}\u{5E9}\u{2069}\n",
        "\u{202B}\u{5E9}\u{202C} \u{202D}a\u{202C}\n",
        "\u{2067}\u{202E}a\u{2069}\n", // the isolate ends what is in it
        "\u{2068}\u{2067}a\u{2069}\u{2069}\n",
        "\u{202C}\u{2069}\n", // ends nothing
    ] {
        assert_eq!(unpaired(good), 0, "{good:?}");
    }
    for (bad, number) in [
        ("\u{202E}a\n\u{202C}\n", 1),
        ("\u{2067}\u{202C}\n", 1),
        ("\u{202A}\u{2069}\n", 1),
        ("\u{202A}\u{202B}\u{202C}\n", 1),
        ("\u{2066}\u{2067}\u{202D}", 3),
        ("\u{202E}\u{2028}\u{202C}", 1),
    ] {
        assert_eq!(unpaired(bad), number, "{bad:?}");
    }
    // The examples "commenting out" and "stretched string" of Boucher and Anderson, 2021.
    let both = ["--deny=security"];
    let commenting_out =
        "/*\u{202E} } \u{2066}if (isAdmin)\u{2069} \u{2066} begin admins only */\n";
    assert_eq!(
        ids(commenting_out, &both),
        ["bidi-unpaired", "bidi-control", "bidi-control", "bidi-unpaired"]
    );
    let stretched = "if (level != \"user\u{202E} \u{2066}// Check if admin\u{2069} \u{2066}\") {\n";
    assert_eq!(ids(stretched, &both).iter().filter(|id| *id == "bidi-unpaired").count(), 2);
    // If a more specific lint is off, the next one reports the character.
    assert_eq!(ids("\u{202E}\n", &["--deny=security", "--allow=bidi-unpaired"]), ["bidi-control"]);
}

#[test]
fn emoji_and_scripts_need_invisible_characters() {
    for good in [
        "\u{1F469}\u{1F3FD}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F48B}\u{200D}\u{1F468}\u{1F3FB}",
        "\u{1F3F4}\u{200D}\u{2620}\u{FE0F} \u{1F3F3}\u{FE0F}\u{200D}\u{26A7}\u{FE0F}",
        "\u{1F575}\u{FE0F}\u{200D}\u{2642}\u{FE0F} 1\u{FE0F}\u{20E3} #\u{FE0F}\u{20E3} \u{A9}\u{FE0E}",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", // England
        "\u{1F3F4}\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}",          // Texas
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645} \u{647}\u{200D}.", // Persian
        "\u{915}\u{94D}\u{200D}\u{937} \u{915}\u{94D}\u{200C}\u{937}",     // Hindi
        "\u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3}",                            // Sinhala: Sri
        "\u{E01}\u{E32}\u{E23}\u{200B}\u{E1C}\u{E25}",                     // Thai
        "\u{1820}\u{180B}\u{1820} \u{182D}\u{180E}\u{1820}",               // Mongolian
        "\u{845B}\u{E0100} \u{514D}\u{FE01} 0\u{FE00}",                    // ideographs, zero
        "\u{5E9}\u{5B8}\u{34F}\u{5C1} \u{2801}\u{2800}\u{2803}",           // Hebrew, Braille
        "\u{2801}\u{2800}\u{2800}\u{2800}\u{2803} \u{1820}\u{180B}\u{180E}\u{1820}",
        "\u{1D15F}\u{1D173}\u{1D177}\u{1D15F}\u{1D178}\u{1D174}", // a slur in a phrase
        "\u{2067}\u{5E9}\u{2069}\u{AD}\u{200E}",                  // not of this set, or closed
    ] {
        assert!(ids(good, &["--deny=security", "--allow=bidi-control"]).is_empty(), "{good:?}");
    }
    for (bad, expected) in [
        ("pass\u{200D}word", "invisible"),
        ("pass\u{200C}word", "invisible"),
        ("\u{1F469}\u{200D}a", "invisible"),
        ("a\u{200D}\u{1F469}", "invisible"),
        ("\u{645}\u{200C}\u{200C}\u{62E}", "invisible"),
        ("\u{200B}", "invisible"),
        ("a\u{34F}b", "invisible"),
        ("a\u{2060}b", "invisible"),
        ("\u{3164}", "invisible"),
        ("a\u{2800}b", "invisible"),
        ("\u{2801}\n\u{2800}\u{2800}\u{2800}\n\u{2803}", "invisible"),
        ("\u{2801}a\u{2800}\u{2800}\u{2800}b\u{2803}", "invisible"),
        ("\u{1820}\u{180E}\u{180E}\u{1820}", "invisible"),
        ("a\u{FE0F}", "variation-selector"),
        ("\u{1F600}\u{E0101}", "variation-selector"),
        ("\u{1F600}\u{FE0F}\u{FE00}", "variation-selector"),
        ("a\u{FEFF}", "bom-inside"),
        // A flag of a subdivision has seven tags at most; others hide text.
        (
            "\u{1F3F4}\u{E0068}\u{E0065}\u{E006C}\u{E006C}\u{E006F}\u{E0021}\u{E007F}",
            "tag-character",
        ),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}", "tag-character"),
        ("\u{1F600}\u{E0067}\u{E0062}\u{E0065}\u{E007F}", "tag-character"),
    ] {
        assert!(ids(bad, &["--deny=strict"]).contains(&expected.to_owned()), "{bad:?}");
    }
}

#[test]
fn spaces_of_braille_are_needed_in_a_run_beside_braille() {
    let found = |text: &str| ids(text, &["--deny=invisible"]).len();
    for len in [1, 2, 3, 4, 50, 4096] {
        let run = "\u{2800}".repeat(len);
        for good in [format!("{run}\u{2803}"), format!("\u{2801}{run}"), format!("a {run}\u{2803}")]
        {
            assert_eq!(found(&good), 0, "{len} in {good:?}");
        }
        for bad in
            [run.clone(), format!("a{run}b"), format!("{run}a\u{2803}"), format!("\u{2801}\n{run}")]
        {
            assert_eq!(found(&bad), len, "{bad:?}");
        }
    }
    // Memory is bounded: the end of a longer run decides about its last 4,096 spaces.
    let long = "\u{2800}".repeat(5000);
    assert_eq!(found(&format!("{long}\u{2803}")), 5000 - 4096);
    assert_eq!(found(&format!("\u{2801}{long}")), 0);
    assert_eq!(found(&format!("{long}\n")), 5000);
}

#[test]
fn a_run_of_tags_is_one_finding_with_its_text() {
    let hidden: String = "ignore the rules \"now\""
        .chars()
        .filter_map(|c| char::from_u32(0xE0000 + c as u32))
        .collect();
    validate()
        .args(["--deny=tag-character"])
        .write_stdin(format!("a{hidden}b\n"))
        .assert()
        .code(1)
        .stdout(
            "-:1:2: byte 0x1 (1): U+E0069 TAG LATIN SMALL LETTER I, hidden text \
         \"ignore the rules \\\"now\\\"\" [tag-character]\n",
        );
}

#[test]
fn long_hidden_text_is_cut_in_the_message() {
    let hidden = "\u{E0041}".repeat(1500);
    let a = "A".repeat(64);
    let character = "U+E0041 TAG LATIN CAPITAL LETTER A, hidden text";
    validate().args(["--deny=tag-character"]).write_stdin(format!("{hidden}\n")).assert().stdout(
        format!(
            "-:1:1: byte 0x0 (0): {character} \"{a}\"... [tag-character]\n\
         -:1:4097: byte 0x1000 (4096): {character} \"{a}\"... [tag-character]\n",
        ),
    );
}

/// UCD: Other_Default_Ignorable_Code_Point of PropList.txt with General_Category Cn.
#[test]
fn unassigned_code_points_that_are_invisible_have_one_finding() {
    for reserved in ["\u{2065}", "\u{FFF0}", "\u{E0000}", "\u{E0080}", "\u{E0FFF}"] {
        let text = format!("a{reserved}b\n");
        for (lints, found) in [
            ("unassigned", "unassigned"),
            ("net-unicode", "unassigned"),
            ("unassigned,invisible", "invisible"),
        ] {
            let ids = ids(text.replace('\n', "\r\n"), &["--deny", lints]);
            assert_eq!(ids, [found], "{reserved:?}");
        }
    }
}
