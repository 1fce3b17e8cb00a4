//! `--no-lines`: findings without line and column numbers.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use predicates::str::starts_with;
use serde_json::Value;

use crate::common::bin::{Dir, objects};

const TEXT: &[u8] = b"caf\xC3\xA9\n\xE2\x82\xAC \xC0\xAF\n";

/// Returns the report of a file in a format.
fn report(format: &str, args: &[&str]) -> String {
    let dir = Dir::of(&[("f", TEXT)]);
    let out = dir.validate().args(["--format", format]).args(args).arg("f").assert().code(1);
    String::from_utf8(out.get_output().stdout.clone()).unwrap()
}

#[test]
fn each_format_leaves_lines_and_columns_out() {
    let with = "f:2:5: byte 0xA (10): overlong 2-byte form C0 AF of U+002F [overlong-2]\n";
    let without = with.replacen("f:2:5:", "f:", 1);
    for format in ["text", "full"] {
        let (full, short) = (report(format, &[]), report(format, &["--no-lines"]));
        assert_eq!(full.strip_prefix(with), short.strip_prefix(&without), "{full}{short}");
        assert!(full.starts_with(with) && short.starts_with(&without), "{short}");
    }
    assert_eq!(report("tsv", &[]), "10\t2\toverlong-2\t2\t5\tC0 AF\tf\n");
    assert_eq!(report("tsv", &["--no-lines"]), "10\t2\toverlong-2\t\t\tC0 AF\tf\n");
    let [mut with, without] =
        [&[][..], &["--no-lines"]].map(|args| objects(report("json", args).as_bytes()));
    for key in ["line", "column_bytes", "column_chars"] {
        assert!(with[0][key].is_u64(), "{key}");
        with[0][key] = Value::Null;
    }
    assert_eq!(with, without);
}

/// To count its lines, 64 GiB would be read.
#[test]
fn a_far_range_is_read_alone() {
    let dir = Dir::new();
    let far = 64 << 30;
    let file = File::create(dir.path("f")).unwrap();
    file.set_len(far + 100).unwrap();
    file.write_all_at(b"\xFF", far + 10).unwrap();
    for (format, shown) in [
        (
            "text",
            "f: byte 0x100000000A (68719476746): byte FF starts no sequence [invalid-fe-ff]\n",
        ),
        ("tsv", "68719476746\t1\tinvalid-fe-ff\t\t\tFF\tf\n"),
    ] {
        let mut command = dir.validate();
        command.args(["--no-lines", "--format", format, "-s", "64G", "-n", "20", "f"]);
        command.timeout(Duration::from_secs(10)).assert().code(1).stdout(shown);
    }
}

/// Holes have no line feeds and are not read to count lines.
#[test]
#[cfg(target_os = "linux")]
fn lines_around_the_hole_of_a_sparse_file_are_counted() {
    use crate::common::bin::{shell, skipped};
    use std::os::unix::fs::MetadataExt;
    let dir = Dir::new();
    // A file with a hole up to an offset; returns the place of its fault.
    let sparse = |name: &str, far: u64| {
        let file = File::create(dir.path(name)).unwrap();
        file.set_len(far + 100).unwrap();
        file.write_all_at(b"a\n", 10).unwrap();
        file.write_all_at(&[b'\n'; 3000], far / 2).unwrap();
        file.write_all_at(b"ab\xFF", far + 10).unwrap();
        let blocks = file.metadata().map(|metadata| metadata.blocks());
        let column = far + 12 - (far / 2 + 3000) + 1;
        blocks.is_ok_and(|blocks| blocks <= 1 << 10).then(|| format!("3002:{column}: "))
    };
    let (Some(place), Some(shared)) = (sparse("f", 64 << 30), sparse("shared", 1 << 30)) else {
        return skipped("lines_around_the_hole_of_a_sparse_file_are_counted", "no sparse files");
    };
    let mut command = dir.validate();
    command.args(["-s", "64G", "-n", "20", "f"]).timeout(Duration::from_secs(20));
    command.assert().code(1).stdout(starts_with(format!("f:{place}")));
    // The position of a descriptor that is shared stays: its hole is read.
    let script = "{ \"$@\" -s 1G -n 20 --max-errors 1 -; cat | wc -c; } < shared";
    let mut shell = shell(script);
    let out = shell.current_dir(dir.path("")).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(said.starts_with(&format!("-:{shared}")), "{said}");
    let left: u64 = said.lines().last().unwrap().trim().parse().unwrap();
    assert!(left <= 100, "{said}");
}

/// The lines before a range are counted in bytes that are read or mapped.
#[test]
fn lines_far_into_a_file_are_counted() {
    let dir = Dir::new();
    let lines = (0..600_000).map(|line| format!("{line:099}\n"));
    dir.write("f", [lines.collect::<String>().as_bytes(), b"ab\xFF"].concat());
    for mmap in ["auto", "always", "never"] {
        let args = ["--mmap", mmap, "-s", "59999940", "f"];
        let found = starts_with("f:600001:3: byte 0x3938702 (60000002): byte FF");
        dir.validate().args(args).assert().code(1).stdout(found);
    }
}
