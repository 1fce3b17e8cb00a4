//! Comments that turn lints off: the search against a plain definition, in all divisions.

use super::*;

/// The parts of random texts.
const PARTS: [&[u8]; 17] = [
    b"\0",
    b"\n",
    b"\n",
    b"x",
    b"\xE2\x80\x8B",
    b"utf8:allow(nul)",
    b"utf8:allow(nul, invisible)",
    b"utf8:allow-next-line(nul)",
    b"utf8:allow-file(invisible)",
    b"utf8:allow(nil)",
    b"utf8:al",
    b"utf8:allow(nul\n",
    b"utf8:allow(utf8:allow(nul)",
    b"utf8:allow(utf8",
    b"\xFF",
    b"\xED\xA0\x80",
    b"\xC2",
];

/// A part of a text without ill-formed sequences, up to and with a line end.
struct Line<'a> {
    start: usize,
    text: &'a [u8],
    /// The number of line ends before it.
    number: usize,
    /// True if an ill-formed sequence stands before it.
    is_cut: bool,
}

/// Returns the lines of a text, which ill-formed sequences divide, too.
fn lines<'a>(text: &'a [u8], number: &mut usize) -> Vec<Line<'a>> {
    let (mut lines, mut start, mut is_cut) = (Vec::new(), 0, false);
    for chunk in text.utf8_chunks() {
        for line in chunk.valid().split_inclusive('\n') {
            lines.push(Line { start, text: &text[start..][..line.len()], number: *number, is_cut });
            start += line.len();
            *number += usize::from(line.ends_with('\n'));
        }
        if !chunk.invalid().is_empty()
            && (chunk.valid().is_empty() || chunk.valid().ends_with('\n'))
        {
            lines.push(Line { start, text: b"", number: *number, is_cut });
        }
        is_cut |= !chunk.invalid().is_empty();
        start += chunk.invalid().len();
    }
    lines
}

/// Returns the scope of the comment at the start of a text, with the names in it.
fn comment(text: &str) -> Option<(&str, Vec<&str>)> {
    let text = text.strip_prefix("utf8:")?.trim_start_matches([' ', '\t']);
    let (scope, rest) = text.strip_prefix("allow")?.split_once('(')?;
    let scope = scope.trim_end_matches([' ', '\t']);
    let (names, _) = rest.split_once(')')?;
    let is_name = |c: char| c.is_ascii_lowercase() || "-, 8".contains(c);
    let is_comment = ["", "-next-line", "-file"].contains(&scope) && names.chars().all(is_name);
    is_comment.then(|| (scope, names.split(',').map(str::trim).collect()))
}

/// Returns the kinds of the findings of lints with their offsets, by looking at each line.
fn expected_findings(text: &[u8]) -> Vec<(usize, &'static str)> {
    let lines = lines(text, &mut 0);
    let mut comments = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let of_line = std::str::from_utf8(line.text).unwrap();
        for (at, _) in of_line.match_indices("utf8:") {
            comments.extend(comment(&of_line[at..]).map(|found| (place, line.start + at, found)));
        }
    }
    let is_about_file = |place: usize| lines[place].number < 20 && !lines[place].is_cut;
    let mut used = vec![false; comments.len()];
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let characters = std::str::from_utf8(line.text).unwrap().char_indices();
        for (at, lint) in characters.filter_map(|(at, c)| match c {
            '\0' => Some((at, "nul")),
            '\u{200B}' => Some((at, "invisible")),
            _ => None,
        }) {
            let mut is_allowed = false;
            for ((of, _, (scope, names)), used) in comments.iter().zip(&mut used) {
                let is_before = of + 1 == place && lines[*of].text.ends_with(b"\n");
                let covers = match *scope {
                    "" => *of == place,
                    "-next-line" => is_before,
                    _ => is_about_file(*of),
                };
                if covers && names.contains(&lint) {
                    (is_allowed, *used) = (true, true);
                }
            }
            if !is_allowed {
                found.push((line.start + at, lint));
            }
        }
    }
    for ((place, at, (scope, names)), used) in comments.iter().zip(used) {
        if names.contains(&"nil") || !used {
            let is_at_end = *scope == "-file" && is_about_file(*place);
            found.push((if is_at_end { text.len() } else { *at }, "unused-allow"));
        }
    }
    found.sort_by_key(|&(at, _)| at);
    found
}

/// Returns the kinds of the findings of a text with their offsets, read `most` bytes at a time.
fn found(text: &[u8], most: usize, levels: &RuleLevels) -> Vec<(usize, String)> {
    let rows = findings("utf-8", text, most, levels);
    let row = |row: &str| {
        let fields: Vec<_> = row.split('\t').collect();
        (fields[0].parse().unwrap(), fields[2].to_owned())
    };
    let is_lint = |(_, kind): &(usize, String)| LINTS.iter().any(|row| row.id == kind);
    rows.lines().map(row).filter(is_lint).collect()
}

#[test]
fn comments_allow_the_lints_of_their_lines() {
    let levels = deny(&["nul", "invisible"]);
    let mut rng = Rng::new(15);
    for _ in 0..3000 {
        let number = 1 + rng.below(40);
        let text: Vec<u8> = (0..number).flat_map(|_| rng.pick(&PARTS)).copied().collect();
        let expected = expected_findings(&text);
        for most in [1, 2, 3, 7, 16, 1000] {
            let found = found(&text, most, &levels);
            let found: Vec<_> = found.iter().map(|(at, kind)| (*at, &**kind)).collect();
            assert_eq!(found, expected, "{}, {most} bytes at a time", text.escape_ascii());
        }
    }
}

#[test]
fn comments_reach_64_kib() {
    let levels = deny(&["nul"]);
    for (distance, is_allowed) in [(65_536, true), (65_537, false)] {
        let text = format!("\0{}utf8:allow(nul)\n", "x".repeat(distance - 1));
        let kinds = if is_allowed { vec![] } else { vec!["nul", "unused-allow"] };
        for most in [1 << 10, 100_000, 1 << 20] {
            let found: Vec<_> =
                found(text.as_bytes(), most, &levels).into_iter().map(|it| it.1).collect();
            assert_eq!(found, kinds, "{distance} bytes away, {most} bytes at a time");
        }
    }
}

#[test]
fn a_line_has_64_comments_however_it_is_read() {
    let levels = deny(&["nul"]);
    let text = ["\n".repeat(25), "utf8:allow(nul) ".repeat(70), "\n".to_owned()].concat();
    for most in [1, 100, 1000, 1 << 20] {
        assert_eq!(found(text.as_bytes(), most, &levels).len(), 64, "{most} bytes at a time");
    }
}
