//! `utf8 dump-bits --format html`: well-formed pages with every byte.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::common::bin::{Dir, run, skipped, validate};
use crate::common::inputs::{MIXTURES, Rng, dirty};
use crate::common::page::{Element, check, elements};
use crate::common::peer::python;
use crate::common::representatives;

/// Returns the page of some files.
fn page(files: &[(&str, &[u8])], args: &[&str]) -> String {
    let dir = Dir::of(files);
    let mut command = run(&["dump-bits", "--format", "html"]);
    command.args(args).args(files.iter().map(|file| file.0)).current_dir(dir.path(""));
    String::from_utf8(command.assert().code(0).get_output().stdout.clone()).unwrap()
}

/// Parses a page and checks its invariants.
fn checked(page: &str) -> Vec<Element> {
    let elements = elements(page);
    check(&elements);
    elements
}

/// Returns the page of the bytes of hex digits.
fn of_hex(digits: &str, args: &[&str]) -> Vec<Element> {
    let args = [&["dump-bits", "--format", "html", "-xe", digits], args].concat();
    checked(str::from_utf8(&run(&args).assert().code(0).get_output().stdout).unwrap())
}

/// A row: its class, and the texts of its parts.
type Row = (String, Vec<String>);

/// Returns the rows of a page, without the legend.
fn rows(elements: &[Element]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for element in elements.iter().filter(|element| element.within.contains(&"section".into())) {
        if element.name == "details" {
            rows.push((element.attribute("class").to_owned(), Vec::new()));
        } else if element.within.last().is_some_and(|parent| parent == "summary") {
            rows.last_mut().unwrap().1.push(element.text.clone());
        }
    }
    rows
}

fn row(class: &str, parts: &[&str]) -> Row {
    (class.to_owned(), parts.iter().map(|&part| part.to_owned()).collect())
}

/// Returns the explanation of each row.
fn explanations(elements: &[Element]) -> Vec<String> {
    let in_row = |element: &&Element| {
        element.within.last().is_some_and(|parent| parent == "details")
            && element.within.contains(&"section".into())
            && element.name != "summary"
    };
    elements.iter().filter(in_row).map(|element| element.text.clone()).collect()
}

/// Returns the offset and bytes of each row.
fn bytes(rows: &[Row]) -> Vec<(u64, Vec<u8>)> {
    let bytes = |(class, parts): &Row| {
        let hex = &parts[if class == "t" { 1 } else { 2 }];
        let bytes = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        (u64::from_str_radix(&parts[0], 16).unwrap(), bytes)
    };
    rows.iter().map(bytes).collect()
}

#[test]
fn rows_describe_their_sequences() {
    let elements = of_hex("E2 82 AC", &[]);
    let bits = "1110·0010 10·000010 10·101100";
    let expected = ["00000000", bits, "e2 82 ac", "U+20AC", "€", "EURO SIGN"];
    assert_eq!(rows(&elements), [row("", &expected)]);
    assert_eq!(
        explanations(&elements),
        [
            "e2 lead byte of 3, carries 0010\
             82 continuation byte, carries 000010\
             ac continuation byte, carries 101100",
            "0010 000010 101100 = U+20AC = 8364, category Sc: currency symbol",
        ]
    );
    let upper = of_hex("E2 82 AC", &["-u", "--no-names"]);
    assert_eq!(rows(&upper), [row("", &["00000000", bits, "E2 82 AC", "U+20AC", "€"])]);
}

/// Returns the texts that are marked as lead bytes, and as continuation bytes.
fn marked(digits: &str, args: &[&str]) -> [Vec<String>; 2] {
    let elements = of_hex(digits, args);
    ["b", "u"].map(|name| {
        let in_row = |one: &&Element| one.name == name && one.within.contains(&"section".into());
        elements.iter().filter(in_row).map(|one| one.text.clone()).collect()
    })
}

#[test]
fn lead_and_continuation_bytes_are_marked_up() {
    let [lead, continuation] = marked("E2 82 AC 41", &[]);
    assert_eq!(lead, ["1110·0010"]);
    assert_eq!(continuation, ["10·000010", "10·101100"]);
    // Alone, each is marked for its own kind.
    assert_eq!(marked("80 C3", &[]), [["110·00011"], ["10·000000"]]);
    assert_eq!(marked("FF", &[]), [[""; 0], []]);
    // A pair of CESU-8 has two lead bytes.
    let [lead, continuation] = marked("ED A0 BD ED B8 80", &["-f", "cesu-8"]);
    assert_eq!([lead.len(), continuation.len()], [2, 4]);
    assert_eq!(marked("3D D8 00 DE", &["-f", "utf-16le"]), [[""; 0], []]);
}

#[test]
fn a_fault_has_its_kind_and_what_was_expected() {
    let elements = of_hex("E0 80 AF 41", &[]);
    let fault = "overlong-3 overlong 3-byte form E0 80 AF of U+002F";
    let bits = "1110·0000 10·000000 10·101111";
    assert_eq!(rows(&elements)[0], row("f", &["00000000", bits, "e0 80 af", fault]));
    let explanations = explanations(&elements);
    for expected in [
        "After E0, a byte of A0..BF was expected; found: 80.",
        "It would decode to U+002F SOLIDUS.",
        "Offset: byte 0.",
    ] {
        assert!(explanations.contains(&expected.to_owned()), "{explanations:?}");
    }
}

#[test]
fn truncated_sequences_show_the_next_byte() {
    let found = |digits: &str| explanations(&of_hex(digits, &[])).join("\n");
    assert!(found("E2 82 41").contains("After E2 82, a byte of 80..BF was expected; found: 41."));
    let end = "After E2 82, a byte of 80..BF was expected; found: the end of the input.";
    assert!(found("E2 82").contains(end));
    assert!(!found("C0 AF 41").contains("expected"));
}

#[test]
fn invisible_characters_have_stand_ins() {
    let elements = of_hex("1B E2 80 AE CC 81 20", &["--no-fold"]);
    let stand_ins: Vec<String> = rows(&elements).iter().map(|row| row.1[4].clone()).collect();
    assert_eq!(stand_ins, ["␛", "▯", "◌\u{301}", "␣"]);
    let marked = |element: &&Element| element.is("x") && element.within.contains(&"section".into());
    assert_eq!(elements.iter().filter(marked).count(), 4);
}

#[test]
fn signatures_and_shifts_are_labelled() {
    let signature = rows(&of_hex("EF BB BF 41", &["-f", "utf-8-bom"]));
    assert_eq!(signature[0].0, "g");
    assert_eq!(signature[0].1[3], "signature U+FEFF, the byte order mark");
    let shift = rows(&of_hex("1B 24 42 24 22 1B 28 42", &["-f", "iso-2022-jp"]));
    assert_eq!(shift[0].1[3], "no character control of the encoding");
    assert_eq!(shift[1].1[3..], ["U+3042", "あ", "HIRAGANA LETTER A"]);
}

#[test]
fn a_cut_sequence_is_a_part() {
    let elements = of_hex("E2 82 AC", &["-s", "1"]);
    let part = "part bytes 2..3 of 3 of U+20AC EURO SIGN, from 00000000 on";
    let bits = "10·000010 10·101100";
    assert_eq!(rows(&elements), [row("k", &["00000001", bits, "82 ac", part])]);
    assert!(explanations(&elements)[0].contains("e2 82 ac at 00000000"));
    // An issue before the range is not one of the range.
    let fault = of_hex("F0 9F 98", &["-s", "1"]);
    assert_eq!(rows(&fault)[0].0, "f k");
    assert!(fault.iter().any(|element| element.text == "There are none."));
}

#[test]
fn runs_of_printable_ascii_share_rows() {
    let classes = |text: &str, args: &[&str]| -> Vec<(String, u64, usize)> {
        let page = page(&[("text", text.as_bytes())], args);
        let rows = rows(&checked(&page));
        let bytes = bytes(&rows).into_iter();
        bytes.zip(rows).map(|((at, bytes), row)| (row.0, at, bytes.len())).collect()
    };
    let t = |at, len| ("t".to_owned(), at, len);
    let one = |at| (String::new(), at, 1);
    assert_eq!(classes("abc\n", &[]), [one(0), one(1), one(2), one(3)]);
    assert_eq!(classes("abcd\nab", &[]), [t(0, 4), one(4), one(5), one(6)]);
    // The rest of a run that was long enough stays folded.
    assert_eq!(classes("0123456789abcdef01\n", &[]), [t(0, 16), t(16, 2), one(18)]);
    assert_eq!(classes("abcd", &["--no-fold"]).len(), 4);
    // A gap keeps the four characters apart.
    let near = ["--only-ill-formed", "--context", "2"];
    let apart = page(&[("text", b"\xFFabcdefgh\xFF")], &near);
    assert!(rows(&checked(&apart)).iter().all(|row| row.0 != "t"));
    assert!(apart.contains("<p class=\"o\">4 bytes not shown</p>"));
    let units: Vec<u8> = "abcdefghi".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let rows = rows(&checked(&page(&[("text", &units)], &["-f", "utf-16le"])));
    assert_eq!(rows.iter().map(|row| row.1[2].as_str()).collect::<Vec<_>>(), ["abcdefgh", "i"]);
}

#[test]
fn inputs_are_sections_and_the_first_is_the_title() {
    let page = page(&[("a.txt", b"x"), ("b.txt", b"\xFF"), ("c.txt", b"")], &[]);
    let elements = checked(&page);
    let texts = |name: &str| -> Vec<&str> {
        let of = elements.iter().filter(|element| element.name == name);
        of.map(|element| element.text.as_str()).collect()
    };
    assert_eq!(texts("h2"), ["a.txt", "b.txt", "c.txt", "Ill-formed sequences"]);
    assert_eq!(texts("h3"), ["b.txt"]);
    assert_eq!(texts("title"), ["a.txt and others: bytes and characters"]);
    assert_eq!(page.matches("Nothing to show.").count(), 1);
    assert_eq!([texts("h1").len(), texts("main").len()], [1, 1]);
}

#[test]
fn without_an_input_there_is_still_a_page() {
    let mut command = run(&["dump-bits", "--format", "html", "missing"]);
    let out = command.current_dir(Dir::new().path("")).assert().code(2).get_output().stdout.clone();
    assert!(rows(&checked(str::from_utf8(&out).unwrap())).is_empty());
}

#[test]
fn the_summary_counts_all_faults_and_links_to_the_first_thousand() {
    let bytes = [&b"\xC0\xAF "[..], &b"\xFF ".repeat(1200), b"\xE2\x82"].concat();
    let page = page(&[("text", &bytes)], &[]);
    let elements = checked(&page);
    let links = |prefix: &str| {
        let of = |element: &&Element| element.attribute("href").starts_with(prefix);
        elements.iter().filter(of).count()
    };
    assert_eq!([links("#f"), links("#faults")], [1001, 1]);
    assert!(page.contains("<p>And 202 more.</p>"));
    let counts: Vec<(&str, u64)> = elements
        .iter()
        .filter(|element| element.name == "tr" && element.within.contains(&"tbody".into()))
        .map(|row| {
            let kind = ["overlong-2", "invalid-fe-ff", "truncated-end"];
            let kind = kind.into_iter().find(|kind| row.text.starts_with(kind)).unwrap();
            (kind, row.text.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap())
        })
        .collect();
    assert_eq!(counts, [("overlong-2", 1), ("invalid-fe-ff", 1200), ("truncated-end", 1)]);
    assert!(page.contains("<td>1202</td>"));
}

/// Returns random bytes, and text with markup in it.
fn samples() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(0x47_4D_4C);
    let markup = b"</style></main><script>alert('1')</script><!-- \"&amp;\" -->]]>##[error]\n::x::";
    let hostile = "\x1B[31m\u{9B}\x7F\u{202E}\u{2066}\u{2028}\0\u{FFFE}\u{10FFFF}\u{E0001}";
    let random = (0..600).map(|_| rng.next() as u8).collect();
    vec![
        Vec::new(),
        [&markup[..], hostile.as_bytes()].concat(),
        random,
        dirty(&mut rng, 800, MIXTURES[4], 5),
        dirty(&mut rng, 800, MIXTURES[7], 5),
    ]
}

/// The page is well formed and has each byte of each file once, at its offset.
#[test]
fn all_bytes_are_there_in_every_codec() {
    let samples = samples();
    let files: Vec<_> =
        ["0", "1", "2", "3", "4"].into_iter().zip(samples.iter().map(|s| &s[..])).collect();
    let expected: Vec<(u64, u8)> =
        samples.iter().flat_map(|s| (0..).zip(s.iter().copied())).collect();
    for spec in representatives() {
        let page = page(&files, &["-f", spec.name]);
        let found = bytes(&rows(&checked(&page)));
        let found = found.into_iter().flat_map(|(offset, bytes)| (offset..).zip(bytes));
        assert!(found.eq(expected.iter().copied()), "{}", spec.name);
    }
}

#[test]
fn faults_are_as_many_as_validate_finds() {
    for sample in samples() {
        let dir = Dir::of(&[("text", &sample)]);
        let mut command = validate();
        let out = command.args(["-c", "text"]).current_dir(dir.path("")).output().unwrap().stdout;
        let count: usize = str::from_utf8(&out).unwrap().trim().parse().unwrap();
        let rows = rows(&checked(&page(&[("text", &sample)], &[])));
        assert_eq!(rows.iter().filter(|row| row.0 == "f").count(), count);
    }
}

#[test]
fn a_name_is_nothing_but_text() {
    let name = b"x\"><script>alert('1')<&amp;\x1B[31m\xFF\xE2\x80\xAE##[error]\xEF\xBF\xBE.txt";
    let name = &name.map(|byte| if byte == b'/' { b'_' } else { byte })[..];
    let dir = Dir::new();
    if !dir.try_write(name, b"\xFF") {
        return skipped("a hostile name", "the file system takes no such names");
    }
    let mut command = run(&["dump-bits", "--format", "html"]);
    command.arg(OsStr::from_bytes(name)).arg("./").current_dir(dir.path(""));
    let out = command.output().unwrap().stdout;
    let page = str::from_utf8(&out).unwrap();
    let elements = checked(page);
    let shown = "x\"><script>alert('1')<&amp;\\x1B[31m\\xFF\\u{202E}#\\x23[error]\u{FFFD}.txt";
    for element in ["title", "h2", "h3"] {
        let element = elements.iter().find(|one| one.name == element).unwrap();
        assert!(element.text.starts_with(shown), "{}", element.text);
    }
    assert!(!page.contains("##["));
}

#[test]
fn another_reader_finds_the_same_elements() {
    let program = "import sys, xml.etree.ElementTree as t\n\
                   print(sum(1 for e in t.fromstring(sys.stdin.buffer.read() or b'<p/>').iter()))";
    for sample in samples() {
        let page = page(&[("text", &sample)], &[]);
        let Some(count) = python(program, page.as_bytes()) else { return };
        assert_eq!(count.trim(), elements(&page).len().to_string());
    }
}

/// A browser shows as many rows as the page has, and at the width of a phone none scrolls sideways,
/// open ones included.
#[test]
fn a_browser_shows_all_rows_at_the_width_of_a_phone() {
    let script = "<script>const root = document.documentElement;\
        document.querySelectorAll('details').forEach(row => row.open = true);\
        parent.document.title = [document.querySelectorAll('details').length, innerWidth,\
        root.scrollWidth <= root.clientWidth]</script></body>";
    let page = page(&[("text", &samples().concat())], &[]);
    let inner = page.replace("</body>", script).replace('&', "&amp;").replace('"', "&quot;");
    // A browser's window cannot be as narrow as a phone; a frame can.
    let outer = format!("<title></title><iframe width=\"360\" srcdoc=\"{inner}\"></iframe>");
    let dir = Dir::of(&[("page.html", outer.as_bytes())]);
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", dir.path("profile").display()));
    let out = command.arg(dir.path("page.html")).stderr(Stdio::null()).output();
    let Some(out) = out.ok().filter(|out| out.status.success()) else {
        return skipped("a browser", "there is no chromium that runs");
    };
    let dom = String::from_utf8(out.stdout).unwrap();
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    let rows = elements(&page).iter().filter(|element| element.name == "details").count();
    assert_eq!(title.unwrap(), format!("{rows},360,true"));
}

/// Returns the relative luminance of a colour such as `#fff` (Web Content Accessibility Guidelines
/// 2).
fn luminance(color: &str) -> f64 {
    let digits: Vec<u32> = color[1..].chars().map(|c| c.to_digit(16).unwrap()).collect();
    let parts = match digits[..] {
        [r, g, b] => [r * 17, g * 17, b * 17],
        [a, b, c, d, e, f] => [a * 16 + b, c * 16 + d, e * 16 + f],
        _ => panic!("{color}"),
    };
    let linear = |part: u32| match f64::from(part) / 255.0 {
        part if part <= 0.03928 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    };
    parts.into_iter().zip([0.2126, 0.7152, 0.0722]).map(|(part, share)| linear(part) * share).sum()
}

#[test]
fn all_text_is_easy_to_read_in_light_and_dark() {
    let page = page(&[], &["-e", "a"]);
    let schemes: Vec<&str> = page.split(":root {").skip(1).collect();
    assert_eq!(schemes.len(), 2);
    for scheme in schemes {
        let color = |name: &str| {
            let value = scheme.split(&format!("--{name}: ")).nth(1).expect(name);
            luminance(value.split(';').next().unwrap())
        };
        let pairs = ["ground", "raised", "fault-ground"].into_iter().flat_map(|ground| {
            ["text", "faint", "link", "note", "fault"].map(|text| (text, ground))
        });
        for (text, ground) in pairs.chain([("lead", "lead-ground"), ("more", "more-ground")]) {
            let (one, other) = (color(text), color(ground));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast}");
        }
    }
}
