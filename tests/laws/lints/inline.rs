//! Comments that turn lints off: the search against a plain definition, in all divisions.

use super::*;

/// The parts of random texts.
const PARTS: [&str; 12] = [
    "\0",
    "\n",
    "\n",
    "x",
    "\u{200B}",
    "utf8:allow(nul)",
    "utf8:allow(nul, invisible)",
    "utf8:allow-next-line(nul)",
    "utf8:allow-file(invisible)",
    "utf8:allow(nil)",
    "utf8:al",
    "utf8:allow(nul\n",
];

/// Returns the lints that a comment at the start of a text names, with the rest of its name.
fn comment(text: &str) -> Option<(&str, Vec<&str>)> {
    let (scope, rest) = text.strip_prefix("utf8:allow")?.split_once('(')?;
    let (names, _) = rest.split_once(')')?;
    let is_name = |c: char| c.is_ascii_lowercase() || "-, ".contains(c);
    let is_comment = ["", "-next-line", "-file"].contains(&scope) && names.chars().all(is_name);
    is_comment.then(|| (scope, names.split(',').map(str::trim).collect()))
}

/// Returns the kinds of the findings of a text with their offsets, by looking at each line.
fn expected_findings(text: &str) -> Vec<(usize, &'static str)> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let line_of = |at: usize| starts.partition_point(|&start| start <= at);
    let comments: Vec<_> = text
        .match_indices("utf8:allow")
        .filter_map(|(at, _)| comment(&text[at..]).map(|found| (at, found)))
        .collect();
    let mut used = vec![false; comments.len()];
    let mut found = Vec::new();
    for (at, lint) in text.char_indices().filter_map(|(at, c)| match c {
        '\0' => Some((at, "nul")),
        '\u{200B}' => Some((at, "invisible")),
        _ => None,
    }) {
        let mut is_allowed = false;
        for (number, (comment, (scope, names))) in comments.iter().enumerate() {
            let covers = match *scope {
                "" => line_of(*comment) == line_of(at),
                "-next-line" => line_of(*comment) + 1 == line_of(at),
                _ => line_of(*comment) <= 20,
            };
            if covers && names.contains(&lint) {
                (is_allowed, used[number]) = (true, true);
            }
        }
        if !is_allowed {
            found.push((at, lint));
        }
    }
    for ((at, (scope, names)), used) in comments.iter().zip(used) {
        let is_unknown = names.contains(&"nil");
        if is_unknown || !used {
            let is_about_file = *scope == "-file" && line_of(*at) <= 20;
            found.push((if is_about_file { text.len() } else { *at }, "unused-allow"));
        }
    }
    found.sort_by_key(|&(at, _)| at);
    found
}

/// Returns the kinds of the findings of a text with their offsets, read `most` bytes at a time.
fn found(text: &str, most: usize, levels: &RuleLevels) -> Vec<(usize, String)> {
    let rows = findings("utf-8", text, most, levels);
    let row = |row: &str| {
        let fields: Vec<_> = row.split('\t').collect();
        (fields[0].parse().unwrap(), fields[2].to_owned())
    };
    rows.lines().map(row).collect()
}

#[test]
fn comments_allow_the_lints_of_their_lines() {
    let levels = deny(&["nul", "invisible"]);
    let mut rng = Rng::new(15);
    for _ in 0..3000 {
        let number = 1 + rng.below(40);
        let text: String = (0..number).map(|_| PARTS[rng.below(PARTS.len())]).collect();
        let expected = expected_findings(&text);
        for most in [1, 2, 3, 7, 16, 1000] {
            let found = found(&text, most, &levels);
            let found: Vec<_> = found.iter().map(|(at, kind)| (*at, &**kind)).collect();
            assert_eq!(found, expected, "{text:?}, {most} bytes at a time");
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
            let found: Vec<_> = found(&text, most, &levels).into_iter().map(|it| it.1).collect();
            assert_eq!(found, kinds, "{distance} bytes away, {most} bytes at a time");
        }
    }
}
