//! Reports of ranges, and merging: any tiling of any input, merged in any order and in any groups,
//! is the report of the whole.

use std::io::Write;
use std::process::{Output, Stdio};

use predicates::str::contains;

use crate::common::bin::{Dir, objects, raw, skipped, utf8};
use crate::common::inputs::{FRAGMENTS, Rng};

const CODECS: [&str; 24] = [
    "utf-8",
    "utf-8-bom",
    "utf-8n",
    "rfc2279",
    "cesu-8",
    "mutf-8",
    "wtf-8",
    "generalized-utf-8",
    "utf-8-surrogateescape",
    "optu-8",
    "utf8mb3",
    "us-ascii",
    "windows-1252",
    "ibm037",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "utf-32",
    "utf-32le",
    "ucs-2",
    "ucs-2le",
    "wtf-16le",
    "wtf-16be",
    "ucs-4be",
];

/// Runs the binary in a directory, with bytes on standard input.
fn run(dir: &Dir, args: &[&str], input: &[u8]) -> Output {
    let mut command = utf8();
    command.current_dir(dir.path("")).args(args).write_stdin(input).output().unwrap()
}

/// Writes the reports of ranges between cuts, some of them of streams. Returns their names.
fn write_parts(
    dir: &Dir,
    rng: &mut Rng,
    codec: &str,
    segments: &str,
    bytes: &[u8],
    cuts: &[usize],
) -> Vec<String> {
    let of = bytes.len().to_string();
    let mut names = Vec::new();
    for cut in cuts.windows(2) {
        let (start, length) = (cut[0].to_string(), (cut[1] - cut[0]).to_string());
        let mut args = vec!["validate", "--partial", "-f", codec, "--segments", segments];
        args.extend(["-s", &start, "-n", &length]);
        let is_marked = ["utf-16", "utf-32", "ucs-2"].contains(&codec) && cut[0] > 0;
        let from = cut[0].saturating_sub(8);
        let at = from.to_string();
        let out = match rng.one_in(3) && !is_marked {
            true => {
                args.extend(["--at", &at, "--of", &of, "--stdin-filename", "f"]);
                run(dir, &args, &bytes[from..bytes.len().min(cut[1] + 5)])
            }
            false => run(dir, &[&args[..], &["f"]].concat(), b""),
        };
        let said = String::from_utf8_lossy(&out.stderr);
        assert_ne!(out.status.code(), Some(2), "{args:?}: {said}");
        names.push(format!("part-{}", names.len()));
        dir.write(names.last().unwrap(), out.stdout);
    }
    names
}

#[test]
fn merged_reports_of_any_tiling_are_those_of_the_whole() {
    let dir = Dir::new();
    let mut rng = Rng::new(19);
    for (round, codec) in CODECS.iter().cycle().take(3 * CODECS.len()).enumerate() {
        let segments = ["sequence", "maximal", "byte"][round % 3];
        let number = 1 + rng.below(40);
        let bytes: Vec<u8> = (0..number).flat_map(|_| rng.pick(FRAGMENTS).to_vec()).collect();
        dir.write("f", &bytes);
        let mut cuts: Vec<_> = (0..1 + rng.below(4)).map(|_| rng.below(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut names = write_parts(&dir, &mut rng, codec, segments, &bytes, &cuts);
        for at in (1..names.len()).rev() {
            names.swap(at, rng.below(at + 1));
        }
        let mut names: Vec<_> = names.iter().map(String::as_str).collect();
        if names.len() > 2 {
            let group = names.split_off(rng.below(names.len() - 1));
            let args = [&["validate", "--partial", "--merge"], &group[..]].concat();
            let merged = run(&dir, &args, b"");
            assert_ne!(merged.status.code(), Some(2));
            dir.write("group", merged.stdout);
            names.push("group");
        }
        for format in ["json", "text", "tsv", ["sarif", "gitlab", "junit", "rdjson"][round % 4]] {
            let shared = ["validate", "--format", format];
            let shown: &[&str] = if format == "text" { &["--max-shown", "none"] } else { &[] };
            let whole = [&shared[..], shown, &["-f", codec, "--segments", segments, "f"]].concat();
            let whole = run(&dir, &whole, b"");
            let merged = run(&dir, &[&shared[..], shown, &["--merge"], &names].concat(), b"");
            let place = format!("{codec} {segments} {format} {cuts:?} {}", bytes.escape_ascii());
            let [expected, found] =
                [&whole, &merged].map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
            assert_eq!(found, expected, "{place}");
            assert_eq!(merged.status.code(), whole.status.code(), "{place}");
        }
    }
}

#[test]
fn reports_of_many_files_merge_from_a_stream() {
    let dir = Dir::of(&[("b", b"\xFFb\n"), ("a", b"good\n"), ("c", b""), ("d", b"x\n\xE2\x82")]);
    let whole = run(&dir, &["validate", "--format", "json", "a", "b", "c", "d"], b"");
    let part =
        |files: &[&str]| run(&dir, &[&["validate", "--partial"], files].concat(), b"").stdout;
    let reports = [part(&["d", "c"]), part(&["b", "a"])].concat();
    let merged = run(&dir, &["validate", "--merge", "--format", "json", "-"], &reports);
    assert_eq!(String::from_utf8_lossy(&merged.stdout), String::from_utf8_lossy(&whole.stdout));
    assert_eq!(merged.status.code(), Some(1));
    let merged = run(&dir, &["validate", "--merge"], &part(&["a", "missing"]));
    assert_eq!(merged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&merged.stderr).starts_with("utf8: missing: "));
}

#[test]
fn list_limits_the_findings_of_a_range_and_counts_all() {
    let dir = Dir::of(&[("f", &[b'\xFF'; 100])]);
    let out = run(&dir, &["validate", "--partial", "--list", "3", "f"], b"");
    let found = objects(&out.stdout);
    assert_eq!(found.len(), 5);
    assert_eq!((&found[4]["listed"], &found[4]["findings"]), (&3.into(), &100.into()));
    assert_eq!(found[4]["open_chars"], 100);
    let merged = run(&dir, &["validate", "--merge", "--format", "json"], &out.stdout);
    let merged = objects(&merged.stdout);
    assert_eq!((merged.len(), &merged[3]["findings"]), (4, &100.into()));
}

/// Returns the report of a range of a file of 20 bytes.
fn part(dir: &Dir, start: &str, length: &str) -> Vec<u8> {
    run(dir, &["validate", "--partial", "-s", start, "-n", length, "f"], b"").stdout
}

#[test]
fn reports_that_do_not_make_up_a_whole_are_refused() {
    let dir = Dir::of(&[("f", b"0123456789\n12345678\xFF")]);
    let first = part(&dir, "0", "8");
    let last = part(&dir, "8", "12");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let cut_off = last[..last.len() - 1].to_vec();
    let dead = text(&last).lines().take(2).map(|line| format!("{line}\n")).collect::<String>();
    let stopped = run(&dir, &["validate", "--partial", "-m", "1", "f"], b"").stdout;
    for (reports, reason) in [
        (vec![last.clone()], "f: no report of bytes 0..8"),
        (vec![first.clone()], "f: no report of bytes 8..20"),
        (vec![first.clone(), part(&dir, "9", "11")], "f: no report of bytes 8..9"),
        (vec![first.clone(), part(&dir, "7", "13")], "f: two reports of bytes 7..8"),
        (vec![first.clone(), last.clone(), last.clone()], "f: two reports of bytes 8..20"),
        (vec![first.clone(), cut_off], "ends within a line"),
        (vec![first.clone(), dead.into_bytes()], "from byte 8 has no summary: its run was cut off"),
        (vec![stopped], "the check stopped at a limit of findings: run it again without"),
        (vec![vec![]], "is empty: the run that wrote it was cut off"),
        (
            vec![first.clone(), text(&last).replace("\"stamp\":\"", "\"stamp\":\"1").into_bytes()],
            "f: changed between the ranges",
        ),
        (
            vec![first.clone(), text(&last).replace("utf-8", "utf-8n").into_bytes()],
            "f: one range was read as",
        ),
        (vec![b"{\"type\":\"summary\"}\n".to_vec()], "expected the start of a range"),
        (vec![b"[]\n".to_vec()], "expected an object of a report by --partial"),
        (vec![text(&first).replace("\"version\":1", "\"version\":2").into_bytes()], "version 2"),
        (vec![vec![b'x'; 1100 << 10]], "a line is too long: not a report"),
    ] {
        let out = run(&dir, &["validate", "--merge"], &reports.concat());
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains(reason), "{reason}: {said}");
        assert_eq!((out.status.code(), out.stdout), (Some(2), vec![]), "{reason}");
    }
}

#[test]
fn ranges_of_different_versions_are_refused() {
    let dir = Dir::new();
    let part = |start: &str, stamp: &str, input: &[u8]| {
        let args = ["validate", "--partial", "--at", start, "-s", start, "-n", "8", "-f", "koi8-r"];
        let whole = ["--of", "16", "--stdin-filename", "s3://b/k", "--stamp", stamp];
        run(&dir, &[&args[..], &whole].concat(), input).stdout
    };
    let first = part("0", "\"v 1\"", b"0123456789abcdef");
    assert_eq!(objects(&first)[0]["stamp"], "\"v 1\"");
    for (stamp, status, said) in
        [("\"v 1\"", 0, ""), ("v2", 2, "utf8: s3://b/k: changed between the ranges")]
    {
        let last = part("8", stamp, b"89abcdef");
        let out = run(&dir, &["validate", "--merge"], &[first.clone(), last].concat());
        assert!(String::from_utf8_lossy(&out.stderr).starts_with(said));
        assert_eq!(out.status.code(), Some(status), "{stamp}");
    }
    let out = run(&dir, &["validate", "--partial", "--stamp", "v1", "f"], b"");
    assert!(String::from_utf8_lossy(&out.stderr).contains("--stamp is about standard input"));
}

#[test]
fn troubles_tell_the_range_that_was_asked_for() {
    let dir = Dir::new();
    let part = |range: &[&str]| {
        let out = run(&dir, &[&["validate", "--partial", "missing"], range].concat(), b"");
        assert_eq!(out.status.code(), Some(2));
        out.stdout
    };
    let reports = [part(&["-s", "8", "-n", "4"]), part(&["-s", "12"]), part(&["-s", "-3"])];
    let all = [part(&[]), reports.concat()].concat();
    let merged = run(&dir, &["validate", "--partial", "--merge"], &all);
    let mut found: Vec<_> = objects(&merged.stdout)
        .into_iter()
        .map(|it| (it.get("start").map(|it| it.as_u64()), it.get("size").map(|it| it.as_u64())))
        .collect();
    found.sort_unstable();
    let expected = [
        (None, None),
        (Some(None), Some(None)),
        (Some(Some(8)), Some(Some(4))),
        (Some(Some(12)), Some(None)),
    ];
    assert_eq!(found, expected);
    let merged = run(&dir, &["validate", "--merge"], &all);
    assert_eq!(String::from_utf8_lossy(&merged.stderr).lines().count(), 1);
}

#[test]
fn a_stream_without_an_end_that_is_no_report_is_refused() {
    let mut merge = raw();
    merge.args(["validate", "--merge", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = merge.stdout(Stdio::null()).spawn().unwrap();
    let mut stream = child.stdin.take().unwrap();
    stream.write_all(b"{\"type\":\"summary\"}\n").unwrap();
    let out = child.wait_with_output().unwrap();
    drop(stream);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("-: line 1: expected the start"));
}

/// Whatever a report has, there is an answer and no panic.
#[test]
fn hostile_reports_are_refused() {
    let dir = Dir::of(&[("f", b"a\n\xFFb\xE2\x82\n")]);
    let report = run(&dir, &["validate", "--partial", "f"], b"").stdout;
    let report = String::from_utf8(report).unwrap();
    let values = ["18446744073709551615", "-1", "1e9", "null", "\"x\"", "[]", "{\"a\":1}", "true"];
    let mut refused = 0;
    let places = report.match_indices("\":").map(|(at, _)| at + 2).collect::<Vec<_>>();
    for (number, &at) in places.iter().enumerate() {
        let rest = &report[at..];
        let len = match rest.as_bytes()[0] {
            b'"' => rest[1..].find('"').unwrap() + 2,
            b'[' => rest.find(']').unwrap() + 1,
            b'{' => rest.find('}').unwrap() + 1,
            _ => rest.find([',', '}']).unwrap(),
        };
        let value = values[number % values.len()];
        for value in [value, values[(number + 3) % values.len()]] {
            let hostile = [&report[..at], value, &rest[len..]].concat();
            let out = run(&dir, &["validate", "--merge", "--format", "json"], hostile.as_bytes());
            let said = String::from_utf8_lossy(&out.stderr);
            assert!(!said.contains("panicked"), "{hostile}: {said}");
            assert!(out.status.code().is_some(), "{hostile}");
            refused += usize::from(out.status.code() == Some(2));
        }
        for format in ["text", "sarif", "rdjson"] {
            let hostile = [&report[..at], values[0], &rest[len..]].concat();
            let out = run(&dir, &["validate", "--merge", "--format", format], hostile.as_bytes());
            assert!(matches!(out.status.code(), Some(0..=2)), "{format}: {hostile}");
        }
    }
    for (key, value, reason) in [
        ("line", "0", "'line' is 0"),
        ("column_chars", "2000", "'column_chars' is larger than the text before the finding"),
        ("open_bytes", "2000", "'open_bytes' is larger than the range"),
        ("line_ends", "2000", "'line_ends' is larger than the range"),
    ] {
        let (before, rest) = report.split_once(&format!("\"{key}\":")).unwrap();
        let after = &rest[rest.find([',', '}']).unwrap()..];
        let hostile = format!("{before}\"{key}\":{value}{after}");
        let out = run(&dir, &["validate", "--merge"], hostile.as_bytes());
        assert_eq!(out.status.code(), Some(2), "{hostile}");
        assert!(String::from_utf8_lossy(&out.stderr).contains(reason), "{reason}");
    }
    assert!(refused > places.len(), "{refused}");
}

#[test]
fn too_little_of_a_stream_is_trouble() {
    let dir = Dir::new();
    let args = |rest: &[&'static str]| [&["validate", "--partial"], rest].concat();
    for (rest, input, reason) in [
        (
            &["--at", "10", "-s", "12", "-n", "5"][..],
            &b"0123456789"[..],
            "utf8: -: starts at byte 10, but the range needs the bytes from 7\n",
        ),
        (
            &["--at", "0", "-s", "0", "-n", "8"],
            b"0123456\xE2\x82",
            "utf8: -: ends at byte 9, but the range needs the bytes up to 13\n",
        ),
        (
            &["--at", "4", "-s", "9", "--of", "20"],
            b"0123456789",
            "utf8: -: ends at byte 14, but the range needs the bytes up to 20\n",
        ),
        (
            &["-f", "utf-16", "--at", "4", "-s", "8", "--of", "10"],
            b"012345",
            "utf8: -: utf-16 needs the byte order mark: name the byte order\n",
        ),
    ] {
        let out = run(&dir, &args(rest), input);
        assert_eq!(String::from_utf8_lossy(&out.stderr), reason);
        assert_eq!(out.status.code(), Some(2), "{rest:?}");
        assert!(!String::from_utf8_lossy(&out.stdout).contains("finding\""), "{rest:?}");
    }
    let out = run(&dir, &args(&["--at", "1", "f"]), b"");
    assert!(String::from_utf8_lossy(&out.stderr).contains("--at is about standard input"));
}

#[test]
fn ranges_tile_files() {
    let dir = Dir::of(&[("a", b"line\nlonger line\nx"), ("empty", b"")]);
    let mut command = utf8();
    command.current_dir(dir.path("")).args(["validate", "--ranges", "7", "a", "empty"]);
    command.assert().code(0).stdout("a\t0\t7\na\t7\t7\na\t14\t4\nempty\t0\t0\n");
    let lines = ["validate", "--ranges", "7", "--lines", "--format", "json", "a"];
    let found = objects(&run(&dir, &lines, b"").stdout);
    let pairs: Vec<_> =
        found.iter().map(|it| (it["start"].as_u64(), it["length"].as_u64())).collect();
    assert_eq!(pairs, [(Some(0), Some(17)), (Some(17), Some(1))]);
    let of = ["validate", "--ranges", "1M", "--of", "2500000", "--stdin-filename", "s3://b/k"];
    let expected = "s3://b/k\t0\t1048576\ns3://b/k\t1048576\t1048576\ns3://b/k\t2097152\t402848\n";
    assert_eq!(String::from_utf8_lossy(&run(&dir, &of, b"").stdout), expected);
    utf8().args(["validate", "--ranges", "1M"]).assert().code(2).stderr(contains("--of SIZE"));
}

#[test]
fn lints_and_shift_states_have_no_ranges() {
    for (args, reason) in [
        (&["--partial", "--deny", "bom"][..], "lints need the whole text"),
        (&["--partial", "-f", "utf-7"], "--partial cannot divide utf-7"),
        (&["--merge", "--format", "full"], "--merge has no bytes for --format full"),
    ] {
        utf8().arg("validate").args(args).assert().code(2).stderr(contains(reason));
    }
}

/// Runs the recipes of utf8-scale(7) with a program, where it is installed.
#[test]
fn recipes_of_the_manual_page() {
    let text = raw().args(["help", "scale"]).output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    let dir = Dir::new();
    let lines: Vec<u8> = (0..40_000)
        .flat_map(|at| format!("line {at} caf").into_bytes().into_iter().chain(*b"\xE9\n"))
        .collect();
    dir.write("big.txt", &lines);
    let whole = run(&dir, &["validate", "--max-shown", "none", "big.txt"], b"");
    let shell = |script: &str| {
        let program = std::path::PathBuf::from(raw().get_program());
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", program.parent().unwrap().display());
        let mut command = std::process::Command::new("sh");
        command.env("PATH", path).current_dir(dir.path("")).args(["-c", script]);
        command.stdin(Stdio::null()).output().unwrap()
    };
    for (title, program) in [("GNU parallel", "parallel"), ("xargs", "xargs")] {
        let is_installed = shell(&format!("{program} --version")).stdout;
        if !String::from_utf8_lossy(&is_installed).contains("GNU") {
            skipped(title, "is not installed");
            continue;
        }
        let lines = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
        let recipe: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
        let recipe = recipe.join("\n").replace("256M", "100k");
        let recipe = recipe.replace("--merge", "--max-shown none --merge");
        let out = shell(&format!("rm -f *.part; {recipe}"));
        let said = String::from_utf8_lossy(&out.stderr);
        let found = String::from_utf8_lossy(&out.stdout);
        assert_eq!(found, String::from_utf8_lossy(&whole.stdout), "{recipe}: {said}");
    }
}

#[test]
fn the_ranges_of_an_empty_file_merge() {
    let dir = Dir::of(&[("empty", b"")]);
    let partial = ["validate", "--partial", "-s", "0", "-n", "0", "empty"];
    let report = utf8().args(partial).current_dir(dir.path("")).assert().code(0);
    dir.write("report", &report.get_output().stdout);
    let merged = utf8().args(["validate", "--merge", "report"]).current_dir(dir.path("")).assert();
    merged.code(0).stdout("").stderr("");
}

#[test]
fn an_empty_list_of_reports_is_an_error() {
    let merge = ["validate", "--merge", "--files-from", "-"];
    utf8().args(merge).assert().code(2).stdout("").stderr(contains("--merge got no reports"));
}

#[test]
fn a_merge_into_a_closed_pipe_ends_quietly() {
    let dir = Dir::of(&[("faulty", &b"\xFF\n".repeat(50_000))]);
    let partial = ["validate", "--partial", "faulty"];
    let report = utf8().args(partial).current_dir(dir.path("")).assert().code(1);
    let mut merge = raw();
    merge.args(["validate", "--merge", "-"]).stdin(Stdio::piped());
    let mut child = merge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(&report.get_output().stdout).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(out.stderr).unwrap(), "");
    assert_ne!(out.status.code(), Some(2));
}
