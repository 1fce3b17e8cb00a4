//! The command line: any arguments, configuration files, and reports that are read back.

use std::cell::LazyCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::program::{run, run_words};
use super::{cuts, encoding, split};

thread_local! {
    /// The directory in which the runs of a thread are.
    static DIR: LazyCell<TempDir> = LazyCell::new(|| TempDir::new().unwrap());
}

/// Does the work in a directory without files.
fn in_directory(work: impl FnOnce(&Path)) {
    DIR.with(|dir| {
        for entry in fs::read_dir(dir.path()).unwrap() {
            let path = entry.unwrap().path();
            fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).unwrap();
        }
        work(dir.path());
    });
}

/// Runs the program with the words in the first line, each of which a tab ends, on the other lines.
/// No word has a slash, so that no file elsewhere is written to.
pub fn check(input: &[u8]) {
    let (line, text) = match input.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, &b""[..]),
    };
    if line.iter().any(|byte| matches!(byte, b'/' | 0)) || line.windows(2).any(|two| two == b"..") {
        return;
    }
    let words: Vec<_> =
        line.split(|&byte| byte == b'\t').map(|word| OsString::from_vec(word.to_vec())).collect();
    in_directory(|dir| {
        fs::write(dir.join("f"), text).unwrap();
        run(dir, &words, text);
    });
}

/// Checks that the settings of a configuration file, well-formed or not, can be shown and used.
pub fn check_config(input: &[u8]) {
    let (mut rng, text) = split(input);
    let name = rng.pick(&["utf8.toml", ".editorconfig", ".gitattributes", ".gitignore"]);
    in_directory(|dir| {
        fs::create_dir(dir.join(".git")).unwrap();
        fs::write(dir.join(name), text).unwrap();
        fs::write(dir.join("f.txt"), "\u{FEFF}a\u{202E}\r\nb \n").unwrap();
        let shown = run_words(dir, &["validate", "--show-config", "f.txt"], b"");
        let used = run_words(dir, &["validate", "f.txt"], b"");
        // An error of a file of settings is one of each run that reads it.
        assert_eq!(shown.status == Some(2), used.status == Some(2), "{shown:?} {used:?}");
        run_words(dir, &["validate", "-r", "-q", "."], b"");
    });
}

/// The formats of `validate` whose reports are JSON.
const JSON_FORMATS: [&str; 4] = ["sarif", "gitlab", "rdjson", "json"];

/// Checks that a report in JSON is well-formed, and that its findings lie in the input.
pub fn check_reports(input: &[u8]) {
    let (mut rng, bytes) = split(input);
    let (codec, format) = (encoding(&mut rng).name, rng.pick(&JSON_FORMATS));
    let lints = rng.pick(&["ill-formed", "strict", "text"]);
    in_directory(|dir| {
        fs::write(dir.join("f"), bytes).unwrap();
        let words = ["validate", "-f", codec, "--deny", lints, "--format", format, "f"];
        let done = run_words(dir, &words, b"");
        if done.status == Some(2) {
            return assert!(!done.stderr.is_empty(), "{words:?}");
        }
        let report = String::from_utf8(done.stdout).expect("JSON is UTF-8");
        if format != "json" {
            let _: Value =
                serde_json::from_str(&report).unwrap_or_else(|e| panic!("{e}: {report}"));
            return;
        }
        let objects = report.lines().map(|line| serde_json::from_str(line).expect(line));
        let objects: Vec<Value> = objects.collect();
        let findings = objects.iter().filter(|object| object["type"] == "finding");
        let mut last = 0;
        for finding in findings.clone() {
            let place = ["offset", "length"].map(|field| finding[field].as_u64().unwrap());
            assert!(place[0] >= last && place[0] + place[1] <= bytes.len() as u64, "{report}");
            last = place[0];
        }
        let said = done.status != Some(0);
        assert!(findings.count() == 0 || said, "{report}");
    });
}

/// Checks that the merged reports of ranges are the report of the whole.
pub fn check_merge(input: &[u8]) {
    let (mut rng, bytes) = split(input);
    let codec = encoding(&mut rng);
    if codec.reach().is_none() {
        return;
    }
    let segments = rng.pick(&["sequence", "maximal", "byte"]);
    let inner = cuts(&mut rng, bytes.len());
    let cuts = [&[0][..], &inner, &[bytes.len()]].concat();
    let format = rng.pick(&["json", "tsv", "sarif", "gitlab", "junit", "rdjson"]);
    in_directory(|dir| {
        fs::write(dir.join("f"), bytes).unwrap();
        let shared = ["validate", "-f", codec.name, "--segments", segments];
        let mut reports = Vec::new();
        for cut in cuts.windows(2) {
            let [start, length] = [cut[0], cut[1] - cut[0]].map(|number| number.to_string());
            let range = ["--partial", "-s", &start, "-n", &length, "f"];
            let part = run_words(dir, &[&shared[..], &range].concat(), b"");
            assert_ne!(part.status, Some(2), "{part:?}");
            reports.extend(part.stdout);
        }
        let whole = run_words(dir, &[&shared[..], &["--format", format, "f"]].concat(), b"");
        let merged = run_words(dir, &["validate", "--merge", "--format", format, "-"], &reports);
        let place = format!("{} {segments} {format} {cuts:?}: {merged:?}", codec.name);
        assert!(
            merged.stdout == whole.stdout && merged.status == whole.status,
            "{place}: {whole:?}"
        );
    });
}
