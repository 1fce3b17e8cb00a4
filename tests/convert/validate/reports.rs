//! Several reports of one run, and the exit status that hides findings.

use std::fs;
use std::path::Path;

use predicates::str::contains;

use crate::common::bin::{Dir, skipped};

/// A directory with a good and a faulty file.
fn dir() -> Dir {
    Dir::of(&[("bad", b"a\xFF\n"), ("good", b"a\n")])
}

const TEXT: &str = "bad:1:2: byte 0x1 (1): byte FF starts no sequence [invalid-fe-ff]\n";
const TSV: &str = "1\t1\tinvalid-fe-ff\t1\t2\tFF\tbad\n";

#[test]
fn reports_go_to_files_beside_the_text() {
    let dir = dir();
    dir.validate()
        .args(["--format", "tsv=out.tsv", "--format", "JSON=out=2.json", "bad", "good"])
        .assert()
        .code(1)
        .stdout(TEXT);
    assert_eq!(fs::read_to_string(dir.path("out.tsv")).unwrap(), TSV);
    let json = dir.validate().args(["--format", "json", "bad", "good"]).assert().code(1);
    assert_eq!(fs::read(dir.path("out=2.json")).unwrap(), json.get_output().stdout);
}

#[test]
fn options_for_standard_output_leave_files_whole() {
    let dir = Dir::of(&[("bad", b"\xFF\xFF\n"), ("worse", b"\xFE")]);
    let tsv = "0\t1\tinvalid-fe-ff\t1\t1\tFF\tbad\n1\t1\tinvalid-fe-ff\t1\t2\tFF\tbad\n\
               0\t1\tinvalid-fe-ff\t1\t1\tFE\tworse\n";
    for (option, out) in [
        ("-q", &b""[..]),
        ("-c", b"bad:2\nworse:1\n"),
        ("-l", b"bad\nworse\n"),
        ("-L", b""),
        ("--format=lines", b"\xFF\xFF\n\xFE\n"),
    ] {
        let run = dir.validate().args([option, "--format=tsv=out.tsv", "bad", "worse"]).assert();
        run.code(1).stdout(out);
        assert_eq!(fs::read_to_string(dir.path("out.tsv")).unwrap(), tsv, "{option}");
    }
}

#[test]
fn a_quiet_run_writes_the_report_that_names_standard_output() {
    let dir = dir();
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        for (format, report) in
            [("tsv", TSV.as_bytes()), ("text", TEXT.as_bytes()), ("lines", b"a\xFF\n")]
        {
            let format = format!("--format={format}={name}");
            let run = dir.validate().args(["-q", &format, "bad", "good"]).assert();
            run.code(1).stdout(report).stderr("");
        }
    }
    dir.validate().args(["-q", "--format=tsv", "bad"]).assert().code(1).stdout("").stderr("");
}

#[test]
fn the_last_format_of_standard_output_and_the_variable_decide() {
    let dir = dir();
    let run = |args: &[&str], variable: &str| {
        dir.validate().args(args).arg("bad").env("UTF8_FORMAT", variable).assert()
    };
    run(&["--format=json", "--format=tsv"], "").code(1).stdout(TSV);
    run(&[], "TSV").code(1).stdout(TSV);
    run(&["--format=text"], "tsv").code(1).stdout(TEXT);
    run(&["--format=json=out.json"], "tsv").code(1).stdout(TSV);
    run(&["--format=tsv=-"], "").code(1).stdout(TSV);
    run(&["--format=tsv=/dev/stdout"], "").code(1).stdout(TSV);
    run(&["-l"], "tsv").code(1).stdout("bad\n");
    run(&[], "yaml").code(2).stdout("").stderr(contains("UTF8_FORMAT: no format 'yaml'"));
}

#[test]
fn findings_can_leave_the_status_0_but_not_trouble() {
    let dir = dir();
    dir.validate().args(["--exit-zero", "bad"]).assert().code(0).stdout(TEXT);
    dir.validate().args(["--exit-zero", "-q", "bad"]).assert().code(0).stdout("");
    dir.validate().args(["--exit-zero", "bad", "none"]).assert().code(2).stdout(TEXT);
}

#[test]
fn unusable_files_of_reports_are_errors() {
    let dir = dir();
    for (args, message) in [
        (&["--format=lines=out"][..], "--format lines=FILE: goes to standard output only"),
        (&["--format=tsv="], "--format tsv=: needs the name of a file"),
        (&["--format=tsv=out", "--format=json=out"], "out: two reports cannot go to one file"),
        (&["--format=tsv=none/out"], "none/out: its directory does not exist (mkdir -p none)"),
        (&["--format=none=out"], "--format none: expected text, full"),
        (
            &["--format=text", "--format=json=/dev/stdout"],
            "standard output: two reports cannot go to one file",
        ),
        (&["--format=tsv=-", "--format=json"], "standard output: two reports"),
        (&["--format=tsv=-", "--format=tsv=/dev/fd/1"], "standard output: two reports"),
    ] {
        dir.validate().args(args).arg("bad").assert().code(2).stdout("").stderr(contains(message));
        assert!(!dir.path("out").exists(), "{args:?}");
    }
}

#[test]
fn a_failed_run_keeps_the_old_report() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return skipped("a_failed_run_keeps_the_old_report", "there is no /dev/full");
    };
    let dir = Dir::of(&[("bad", &b"\xFF\n".repeat(200_000)), ("out.tsv", b"old")]);
    let mut run = dir.raw();
    run.args(["validate", "--max-shown=none", "--format=tsv=out.tsv", "bad"]);
    let out = run.stdout(full).output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let errors = String::from_utf8(out.stderr).unwrap();
    assert!(errors.contains("out.tsv: not written: standard output failed"), "{errors}");
    assert!(fs::read(dir.path("out.tsv")).unwrap() == b"old");
}

#[test]
fn reports_in_the_tree_are_left_out() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    dir.write("t/bad", b"\xFF");
    dir.write("t/out.tsv", b"\xFF old");
    let run = dir.validate().args(["--format", "tsv=t/out.tsv", "t"]).assert().code(1);
    run.stderr(contains("1 file checked"));
    let report = fs::read_to_string(dir.path("t/out.tsv")).unwrap();
    assert_eq!(report, "0\t1\tinvalid-fe-ff\t1\t1\tFF\tt/bad\n");
    dir.validate()
        .args(["--format", "tsv=t/out.tsv", "t/out.tsv"])
        .assert()
        .code(2)
        .stderr(contains("is the output, too"));
}

#[test]
fn reports_do_not_depend_on_the_number_of_threads() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    for number in 0..300 {
        let content = b"good\n\xC0\xAF\n".repeat(number % 7);
        dir.write(format!("t/{number}"), content);
    }
    let reports = ["json", "tsv", "full"];
    let run = |jobs: &str| {
        let mut command = dir.validate();
        for format in reports {
            command.arg(format!("--format={format}={format}{jobs}"));
        }
        let run = command.args(["--jobs", jobs, "t"]).assert().code(1);
        let files = reports.map(|format| fs::read(dir.path(format!("{format}{jobs}"))).unwrap());
        (run.get_output().stdout.clone(), files)
    };
    assert!(run("1") == run("8"));
}

#[test]
fn the_error_of_a_report_is_its_own_and_leaves_the_others() {
    if !Path::new("/dev/full").exists() {
        return skipped("the_error_of_a_report", "there is no /dev/full");
    }
    // More than the buffers hold.
    let dir = Dir::of(&[("bad", &b"a\xFF\n".repeat(20_000)), ("other", b"\xFF")]);
    for jobs in ["1", "8"] {
        let run = dir
            .validate()
            .args(["--format=tsv=/dev/full", "--format=json=out.json", "--jobs", jobs])
            .args(["bad", "other", "-q"])
            .assert();
        run.code(2).stderr("utf8: /dev/full: No space left on device (make room and run again)\n");
        assert!(dir.path("out.json").exists(), "{jobs}");
        fs::remove_file(dir.path("out.json")).unwrap();
    }
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for jobs in ["1", "8"] {
        let mut run = dir.raw();
        run.args(["validate", "--format=json", "--format=tsv=out.tsv", "-j", jobs, "bad", "other"]);
        let out = run.stdout(full()).output().unwrap();
        assert_eq!(out.status.code(), Some(2));
        let errors = String::from_utf8(out.stderr).unwrap();
        assert!(
            errors.contains("utf8: out.tsv: not written: standard output failed\n"),
            "{errors}"
        );
        assert!(errors.contains("utf8: standard output: No space left on device"), "{errors}");
        assert!(!errors.contains("bad:") && !dir.path("out.tsv").exists(), "{errors}");
    }
}

#[test]
fn a_report_does_not_replace_a_file_that_is_read_beside_inputs() {
    let bad = b"\xFF\n";
    let dir = Dir::of(&[("bad", bad), ("list", b"bad\n"), ("base", b""), (".gitignore", b"x\n")]);
    let files: [(&str, &[u8]); 3] = [
        ("utf8.toml", b"validate.allow = []\n"),
        (".editorconfig", b"root = true\n"),
        (".gitattributes", b"*.x binary\n"),
    ];
    files.iter().for_each(|(name, text)| dir.write(name, text));
    dir.validate().args(["--write-baseline=base", "bad"]).assert().code(0);
    std::os::unix::fs::symlink("utf8.toml", dir.path("link")).unwrap();
    for (args, purpose) in [
        (&["--format=json=utf8.toml", "."][..], "settings"),
        (&["--format=json=link", "bad"], "settings"),
        (&["--format=json=utf8.toml", "--config=utf8.toml", "bad"], "settings"),
        (&["--format=json=.editorconfig", "."], "settings"),
        (&["--format=json=.gitattributes", "."], "settings"),
        (&["--format=json=.gitignore", "."], "settings"),
        (&["--format=json=list", "--files-from=list"], "a list of names"),
        (&["--format=json=base", "--baseline=base", "bad"], "the baseline"),
        (&["--format=baseline=base", "--baseline=base", "bad"], "the baseline"),
    ] {
        let name = args[0].rsplit('=').next().unwrap();
        let before = fs::read(dir.path(name)).unwrap();
        let said = format!(
            "{name}: not written: this run reads it as {purpose} (write to another file)\n"
        );
        dir.validate().args(args).assert().code(2).stderr(contains(said));
        assert_eq!(fs::read(dir.path(name)).unwrap(), before, "{args:?}");
    }
    for command in ["repair", "decode", "dump-bits"] {
        let said = "list: not written: this run reads it as a list of names";
        let args = ["--files-from=list", "-o", "list"];
        dir.run(command).args(args).assert().code(2).stdout("").stderr(contains(said));
        assert_eq!(fs::read(dir.path("list")).unwrap(), b"bad\n", "{command}");
    }
    let fix = ["--fix=missing-final-newline,crlf"];
    let said = "utf8.toml: not written: this run reads it as settings";
    let run = |args: [&str; 3]| dir.run("repair").args(fix).args(args).assert();
    run(["-o", "utf8.toml", ".gitignore"]).code(2).stderr(contains(said));
    // A file that is itself repaired is replaced.
    run(["-o", "utf8.toml", "utf8.toml"]).code(0);
}

#[test]
fn a_report_leaves_out_its_new_file_where_settings_have_an_error() {
    let dir = Dir::of(&[("a", b"a\n"), ("utf8.toml", b"x = 1\n")]);
    dir.validate().args(["--format=json=report", "."]).assert().code(2);
    let report = fs::read_to_string(dir.path("report")).unwrap();
    assert!(report.contains("\"path\":\"a\"") && !report.contains(".tmp"), "{report}");
}

/// A failure that is longer than the findings that wait for its counts is written as it comes.
#[test]
fn junit_has_every_finding_of_a_long_failure() {
    let dir = Dir::of(&[("bad", &b"\xFF\n".repeat(20_000)), ("nul", &b"\0\n".repeat(20_000))]);
    let junit = |args: &[&str]| {
        let run = dir.validate().args(["--format=junit", "--max-shown=none"]).args(args).assert();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let count = |text: &str, part: &str| text.matches(part).count();
    let report = junit(&["bad", "nul"]);
    assert_eq!(count(&report, "[invalid-fe-ff]"), 20_000);
    assert_eq!(count(&report, "<testsuite name="), 2);
    assert_eq!(count(&report, "tests=\"1\" failures=\"1\" errors=\"0\""), 1);
    assert_eq!(count(&report, "<failure "), 1);
    assert_eq!(count(&report, "</failure></testcase></testsuite>"), 1);
    // Warnings wait for an error, of which there may be none.
    let report = junit(&["--warn=nul", "nul"]);
    let shown = count(&report, "[nul]");
    assert!((1..20_000).contains(&shown), "{shown}");
    let left_out = format!("{} more findings before the first error\n", 20_000 - shown);
    assert!(report.contains(&left_out));
    assert_eq!(count(&report, "<system-out>"), 1);
}

#[test]
fn a_report_does_not_replace_an_input() {
    let dir = Dir::of(&[("notes", b"\xFF\n"), ("list", b"notes\n")]);
    std::os::unix::fs::symlink("notes", dir.path("link")).unwrap();
    let said = "not written: is an input, too (write to another file)";
    for args in [
        &["--format=tsv=notes", "notes"][..],
        &["--format=sarif=link", "notes"],
        &["--format=tsv=./notes", "--files-from=list"],
    ] {
        dir.validate().args(args).assert().code(2).stderr(contains(said));
        assert_eq!(fs::read(dir.path("notes")).unwrap(), b"\xFF\n", "{args:?}");
        assert_eq!(fs::read(dir.path("list")).unwrap(), b"notes\n", "{args:?}");
    }
    dir.validate()
        .args(["--format=tsv=notes", "--format=json=./link", "list"])
        .assert()
        .code(2)
        .stderr(contains("two reports cannot go to one file"));
}
