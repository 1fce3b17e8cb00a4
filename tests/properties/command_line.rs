//! The command line: any arguments, configuration files, and reports of ranges that are merged.

use std::cell::LazyCell;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use tempfile::TempDir;

use super::program::{run, run_words};
use super::{cuts, encoding};
use crate::common::inputs::Rng;

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
pub fn check(_: usize, _: &mut Rng, input: &[u8]) {
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
pub fn check_config(_: usize, rng: &mut Rng, text: &[u8]) {
    let name = rng.pick(&["utf8.toml", ".editorconfig", ".gitattributes", ".gitignore"]);
    in_directory(|dir| {
        fs::create_dir(dir.join(".git")).unwrap();
        fs::write(dir.join(name), text).unwrap();
        fs::write(dir.join("f.txt"), "\u{FEFF}a\u{202E}\r\nb \n").unwrap();
        let shown = run_words(dir, &["validate", "--show-config", "f.txt"], b"");
        let used = run_words(dir, &["validate", "f.txt"], b"");
        // With -q, it would end at the first ill-formed file, which the settings can be.
        let walked = run_words(dir, &["validate", "-r", "."], b"");
        // An error of a file of settings is one of each run that reads it. Only a walk reads the
        // encoding of .gitattributes.
        let [is_shown, is_used, is_walked] =
            [&shown, &used, &walked].map(|run| run.status == Some(2));
        assert!(is_shown || !is_used, "{shown:?} {used:?}");
        assert!(!is_shown || is_used || is_walked, "{shown:?} {walked:?}");
    });
}

/// Checks that the merged reports of ranges are the report of the whole.
pub fn check_merge(_: usize, rng: &mut Rng, bytes: &[u8]) {
    let codec = encoding(rng);
    if codec.reach().is_none() {
        return;
    }
    let segments = rng.pick(&["sequence", "maximal", "byte"]);
    let inner = cuts(rng, bytes.len());
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
        if format == "json" {
            let finding = b"\"type\":\"finding\"";
            let has_findings = whole.stdout.windows(finding.len()).any(|part| part == finding);
            assert_eq!(whole.status, Some(has_findings.into()), "{whole:?}");
        }
        let merged = run_words(dir, &["validate", "--merge", "--format", format, "-"], &reports);
        let place = format!("{} {segments} {format} {cuts:?}: {merged:?}", codec.name);
        assert!(
            merged.stdout == whole.stdout && merged.status == whole.status,
            "{place}: {whole:?}"
        );
    });
}
