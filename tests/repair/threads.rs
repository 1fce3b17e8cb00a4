//! Runs over several files with several threads: the same as those with one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::common::bin::{Dir, raw};
use crate::common::each;
use crate::common::inputs::{HOSTILE, Rng, clean};

/// Returns text of some kind.
fn content(rng: &mut Rng) -> Vec<u8> {
    let len = rng.pick(&[0, 10, 1000, 1000, 9000, 200_000]);
    let widths: &[usize] = rng.pick(&[&[1], &[1, 1, 1, 2], &[1, 2, 3, 4]]);
    let mut text = clean(rng, len, widths).into_bytes();
    match rng.below(8) {
        0 => text.splice(0..0, *b"\xEF\xBB\xBF").for_each(drop),
        1 => text.extend_from_slice(rng.pick(HOSTILE)),
        2 => text.splice(0..0, *b"line\r\nother\nlast\r\n").for_each(drop),
        3 => text.extend_from_slice("caf\u{C3}\u{A9} na\u{C3}\u{AF}ve e\u{301}".as_bytes()),
        4 => text.extend_from_slice(b"NUL \0 here"),
        5 => {
            let wide = String::from_utf8(text).unwrap().encode_utf16().collect::<Vec<_>>();
            text = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            text.splice(0..0, *b"\xFF\xFE");
        }
        6 => text.extend_from_slice(b"trailing \t\n\xE9t\xE9 \x93quoted\x94\n"),
        _ => {}
    }
    text
}

/// Returns a directory with files, directories and links.
fn tree(seed: u64) -> Dir {
    let (dir, mut rng) = (Dir::new(), Rng::new(seed));
    for directory in ["t", "t/a", "t/a/deep", "t/z", "u"] {
        fs::create_dir(dir.path(directory)).unwrap();
        for number in 0..8 {
            dir.write(format!("{directory}/f{number}.txt"), content(&mut rng));
        }
    }
    dir.write("t/a/f1.txt.orig", "an old backup");
    dir.write("t/.utf8-0123456789abcdef.tmp", "of an earlier run");
    symlink("a/f0.txt", dir.path("t/link")).unwrap();
    fs::hard_link(dir.path("t/a/f2.txt"), dir.path("t/z/same")).unwrap();
    dir
}

/// Returns all entries below a directory, with the content of files and the targets of links.
fn entries(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            entries(&path, found);
        } else if kind.is_symlink() {
            found.insert(
                path.clone(),
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
            );
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

/// Returns the standard error without the time that a run took.
fn without_time(errors: &[u8]) -> String {
    let errors = String::from_utf8_lossy(errors);
    let line = |line: &str| match line.split_once(" checked in ") {
        Some((files, rest)) => format!("{files} checked{}", rest.split_once(" s").unwrap().1),
        None => line.to_owned(),
    };
    errors.lines().map(line).collect::<Vec<_>>().join("\n")
}

type RunResult = (Option<i32>, String, String, BTreeMap<PathBuf, Vec<u8>>);

/// Runs a command in a new directory, and returns all that it did.
fn result(seed: u64, jobs: &str, args: &[&str]) -> RunResult {
    let dir = tree(seed);
    let out = raw().current_dir(dir.path(".")).args(args).arg(jobs).output().unwrap();
    let mut found = BTreeMap::new();
    entries(&dir.path("."), &mut found);
    let top = dir.path(".");
    let found =
        found.into_iter().map(|(path, bytes)| (path.strip_prefix(&top).unwrap().to_owned(), bytes));
    let output = String::from_utf8_lossy(&out.stdout).into_owned();
    (out.status.code(), output, without_time(&out.stderr), found.collect())
}

/// The commands, and the inputs that each gets.
const COMMANDS: &[&str] = &[
    "repair -i",
    "repair -i -v --on-error replace",
    "repair -i --on-error replace --explain --stats",
    "repair -i --on-error replace --newlines lf --bom remove --backup .orig",
    "repair -i -q --newlines crlf --binary --normalize nfc",
    "repair -i --on-error replace --undo-mojibake -v",
    "repair -i --on-error drop-line --rejects kept",
    "repair -i --fix --on-error replace",
    "repair -i --on-error replace --format json",
    "repair -i --check --bom remove -v",
    "repair -i --check --newlines lf --format json",
    "repair -i --check --newlines lf --on-error replace --format sarif",
    "repair -i --check --newlines lf --on-error replace --format junit=report",
    "repair -i --diff --newlines lf --on-error replace",
    "decode -i -f windows-1252",
    "decode -i -f windows-1252 --backup .orig --stats",
    "decode -i -f auto",
    "decode -i -f utf-16 -v",
    "decode -i -f windows-1252 --on-error replace --explain",
    "decode -i -f windows-1252 --on-error replace --format json",
    "decode -i --check -f windows-1252 --on-error replace",
    "decode -i --check -f windows-1252 --on-error replace --format json",
    "decode -i --diff -f windows-1252 --on-error replace",
    "encode -i -t windows-1252",
    "encode -i -t utf-16le --on-error replace --bom add",
    "encode -i -t gb18030 --on-error ignore -v",
];

const TREES: [&str; 5] = ["-r t", "-r t u", "-r t/a t", "-r t/f0.txt t", "-r t t"];

const NAMES: [&str; 3] = [
    "t/f0.txt t/f0.txt t/f1.txt t/link t/a/f0.txt t/f2.txt t/f0.txt",
    "t/a/f2.txt t/z/same missing t t/f3.txt t/f4.txt t/f4.txt t/f5.txt t/f6.txt t/f7.txt",
    "-v t/.utf8-0123456789abcdef.tmp t/a/f1.txt t/a/f1.txt.orig t/z/f0.txt t/z/f1.txt t/z/f2.txt",
];

#[test]
fn runs_in_place_do_not_depend_on_threads() {
    each(COMMANDS, |command| {
        let mut rng = Rng::new(command.bytes().map(u64::from).sum());
        for (seed, inputs) in (1..).zip([rng.pick(&TREES), rng.pick(&TREES), rng.pick(&NAMES)]) {
            let args: Vec<_> = [command, inputs].iter().flat_map(|args| args.split(' ')).collect();
            let one = result(seed, "-j1", &args);
            let jobs = rng.pick(&["-j2", "-j7"]);
            assert_eq!(result(seed, jobs, &args), one, "{args:?} {jobs}");
        }
    });
}
