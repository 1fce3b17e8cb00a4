//! Baselines: findings of old text are not reported, new ones are.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::common::bin::{Dir, objects, shell};

#[test]
fn known_findings_are_not_reported() {
    let dir = Dir::of(&[("a", b"x\xFF\n\xFF\x01\n"), ("b", b"\xC0\xAF\n"), ("c", b"fine\n")]);
    let lint = ["--deny=c0-control", "--exclude=base"];
    dir.validate()
        .args(lint)
        .args(["--write-baseline", "base", "."])
        .assert()
        .code(0)
        .stdout(is_empty())
        .stderr("utf8: base: 4 findings recorded\n");
    let base = std::fs::read_to_string(dir.path("base")).unwrap();
    let fields: Vec<Vec<_>> = base.lines().map(|line| line.split('\t').collect()).collect();
    let named: Vec<_> = fields.iter().map(|fields| fields[1..].join(" ")).collect();
    assert_eq!(named, ["2 invalid-fe-ff a", "1 c0-control a", "1 overlong-2 b"]);

    dir.validate()
        .args(lint)
        .args(["--baseline", "base", "."])
        .assert()
        .code(0)
        .stdout(is_empty())
        .stderr(contains("nothing new; 4 in the baseline"));
    dir.write("b", b"mended\n");
    dir.validate().args(lint).args(["--baseline", "base", "."]).assert().code(0).stderr(contains(
        "; 3 in the baseline; 1 of the baseline not found in these files (--write-baseline keeps only what it finds)",
    ));
    // A file that cannot be read may have them.
    dir.validate()
        .args(lint)
        .args(["--baseline=base", ".", "missing"])
        .assert()
        .code(2)
        .stderr(contains("not found in these files").not());
    dir.write("b", b"\xC0\xAF\n");
    // Lines may move; one more of a kind in a file is new, and so are those of other files.
    dir.write("a", b"new line\nx\xFF\n\xFF\x01 \xFF\n");
    dir.write("d", b"\xFF\n");
    dir.validate().args(lint).args(["--baseline=base", "./a", "b", "d"]).assert().code(1).stdout(
        "./a:3:4: byte 0xF (15): byte FF starts no sequence [invalid-fe-ff]\n\
         d:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n",
    );
    // Fewer are no error.
    dir.write("a", b"\xFF\n");
    let run = dir.validate().args(["--baseline=base", "--format=json", "a"]).assert().code(0);
    let summary = &objects(&run.get_output().stdout)[0];
    assert_eq!((&summary["known"], &summary["valid"]), (&1.into(), &true.into()));
    dir.validate().args(["-q", "--baseline=base", "a", "b"]).assert().code(0);
    dir.validate().args(["-l", "--baseline=base", "a", "d"]).assert().code(1).stdout("d\n");
}

#[test]
fn new_warnings_are_new() {
    let dir = Dir::of(&[("a", b"x\xFF\n")]);
    dir.validate().args(["--write-baseline=base", "--exclude=base", "."]).assert().code(0);
    dir.write("b", "x \u{202E} y\n");
    let out = dir.validate().args(["--baseline=base", "--exclude=base", "."]).assert().code(0);
    out.stderr(
        contains("no new errors; 1 finding: 1 bidi-unpaired (a warning); 1 in the baseline")
            .and(contains("nothing new").not()),
    );
}

/// The names of a baseline are those that its run was given.
#[test]
fn a_baseline_of_another_directory_is_explained() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path("sub")).unwrap();
    dir.write("sub/a", b"\xFF\n");
    dir.validate().args(["--write-baseline", "base", "sub"]).assert().code(0);
    dir.validate().args(["--baseline", "base", "sub"]).assert().code(0);
    let mut elsewhere = dir.validate();
    elsewhere.current_dir(dir.path("sub")).args(["--baseline", "../base", "."]);
    elsewhere.assert().code(1).stderr(contains(
        "; the baseline matches nothing: its names count from the directory where it was written",
    ));
}

/// Absolute names are none of relative ones, whatever files they lead to.
#[test]
fn a_baseline_with_the_other_form_of_names_is_explained() {
    let dir = Dir::of(&[("sub/a", b"\xFF\n"), ("sub/b", b"\xFF\n"), ("c", b"\xFF\n")]);
    let top = dir.path("").canonicalize().unwrap();
    let absolute = |name: &str| top.join(name).into_os_string().into_string().unwrap();
    let (sub, a, c) = (absolute("sub"), absolute("sub/a"), absolute("c"));
    dir.validate().args(["--write-baseline", "relative", "sub"]).assert().code(0);
    dir.validate().args(["--write-baseline", "absolute", &sub]).assert().code(0);
    let run = |baseline: &str, args: &[&str]| {
        let mut command = dir.validate();
        command.current_dir(&top).args(["--baseline", baseline]).args(args);
        command
    };
    let said = |baseline: &str, args: &[&str]| {
        let status = if args.contains(&"missing") { 2 } else { 1 };
        let run = run(baseline, args).assert().code(status);
        let errors = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        let mut told =
            errors.lines().filter_map(|line| line.split_once("the baseline matches nothing: "));
        let found = told.next().map(|(_, text)| text.to_owned());
        assert_eq!(told.next(), None, "{errors}");
        found
    };
    for (baseline, args, advice) in [
        ("absolute", &["sub"][..], format!("absolute (name {sub}, not sub)")),
        ("absolute", &["."], format!("absolute (name {}, not .)", top.display())),
        ("relative", &[&sub], format!("relative (name sub, not {sub})")),
        ("relative", &[&absolute("")], format!("relative (name ., not {})", absolute(""))),
        // Without a summary, and with files that cannot be read.
        ("absolute", &["c", "sub/a"], format!("absolute (name {c}, not c)")),
        ("absolute", &["--format=json", "sub"], format!("absolute (name {sub}, not sub)")),
        ("relative", &["-l", &a], format!("relative (name sub/a, not {a})")),
        ("absolute", &["sub", "missing"], format!("absolute (name {sub}, not sub)")),
        ("absolute", &["-l", "sub", "missing"], format!("absolute (name {sub}, not sub)")),
    ] {
        assert_eq!(said(baseline, args), Some(format!("its names are {advice}")), "{args:?}");
    }
    // The baseline has nothing of this file, or something was found, or the run is quiet.
    for (baseline, args) in
        [("relative", &["c"][..]), ("relative", &[&c, "sub/a"]), ("absolute", &["-q", "c"])]
    {
        assert_eq!(said(baseline, args), None, "{args:?}");
    }
    let mut elsewhere = run("../relative", &[&c]);
    elsewhere
        .current_dir(top.join("sub"))
        .assert()
        .code(1)
        .stderr(contains("its names are relative (run in the directory where it was written)\n"));
}

#[test]
fn baselines_that_cannot_be_read_are_errors() {
    let dir = Dir::of(&[("a", b"\xFF"), ("bad", b"# comment\n\n1:00\t1\tx\ty\n")]);
    let fails = |args: &[&str], message: &str| {
        dir.validate()
            .args(args)
            .arg("a")
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(message));
    };
    fails(
        &["--baseline=none"],
        "--baseline none: No such file or directory (--write-baseline writes one)",
    );
    fails(&["--baseline=bad"], "--baseline bad:3: expected HASH, NUMBER, KIND and NAME");
    fails(&["--baseline=-"], "--baseline -: name a file (standard input is not read)\n");
    fails(&["--baseline=bad", "--write-baseline=x"], "cannot be used with");
    fails(&["--write-baseline=-"], "goes to a file only");
    fails(&["--write-baseline=x", "--max-errors=1"], "cannot be used with");
    fails(&["--write-baseline=/nonexistent/x"], "/nonexistent/x");
}

#[test]
fn a_file_of_many_different_findings_has_a_baseline() {
    let text: String = (0x10000..0x24000).filter_map(char::from_u32).collect();
    let dir = Dir::of(&[("a", text.as_bytes()), ("b", b"\xFF")]);
    let lint = ["--deny=not-ascii,private-use"];
    dir.validate().args(lint).args(["--write-baseline=base", "a", "b"]).assert().code(0);
    dir.validate()
        .args(lint)
        .args(["--baseline=base", "a", "b"])
        .assert()
        .code(0)
        .stdout(is_empty());
}

#[test]
fn a_file_that_is_no_baseline_is_not_replaced() {
    let dir = Dir::of(&[("a", b"x\xFF\n"), ("old", b"# comment\n\n")]);
    for name in ["a", "./a"] {
        dir.validate()
            .args(["--write-baseline", name, "."])
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains("a: is no baseline (remove it, or write to another file)\n"));
    }
    assert_eq!(std::fs::read(dir.path("a")).unwrap(), b"x\xFF\n");
    for _ in 0..2 {
        dir.validate().args(["--write-baseline", "old", "."]).assert().code(0);
    }
}

#[test]
fn a_baseline_may_start_with_a_bom() {
    let dir = Dir::of(&[("a", b"x\xFF\n")]);
    dir.validate().args(["--write-baseline", "old", "a"]).assert().code(0);
    let old = std::fs::read(dir.path("old")).unwrap();
    std::fs::write(dir.path("new"), [b"\xEF\xBB\xBF", &old[..]].concat()).unwrap();
    dir.validate().args(["--baseline", "new", "a"]).assert().code(0).stdout(is_empty());
    // Only at the start of the file.
    std::fs::write(dir.path("odd"), [b"# 1\n\xEF\xBB\xBF", &old[..]].concat()).unwrap();
    let said = contains("--baseline odd:2: expected HASH, NUMBER, KIND and NAME\n");
    dir.validate().args(["--baseline", "odd", "a"]).assert().code(2).stderr(said);
}

/// A stream without an end is read no further than the longest line.
#[test]
fn a_file_that_is_no_baseline_is_told_by_its_first_line() {
    // A good line but for its length.
    let long = format!("1:{:032x}\t1\tinvalid-fe-ff\t{}\n", 0, "a".repeat(64 << 10));
    let dir = Dir::of(&[("a", b"x\xFF\n"), ("long", long.as_bytes())]);
    for name in ["/dev/zero", "long", "a"] {
        let said = format!("--baseline {name}:1: expected HASH, NUMBER, KIND and NAME\n");
        dir.validate().args(["--baseline", name, "a"]).assert().code(2).stderr(contains(said));
    }
}

/// The numbers of equal lines add up, wherever the lines stand.
#[test]
fn lines_of_a_baseline_may_be_in_any_order() {
    let dir = Dir::of(&[("a", b"\xFF \xC0 \xFF \xFF\n")]);
    dir.validate().args(["--write-baseline", "base", "a"]).assert().code(0);
    let base = std::fs::read_to_string(dir.path("base")).unwrap();
    let (three, one) = base.split_once('\n').unwrap();
    let (two, again) = (three.replace("\t3\t", "\t2\t"), three.replace("\t3\t", "\t1\t"));
    dir.write("base", format!("{two}\n# comment\n{one}{again}\n"));
    dir.validate().args(["--baseline", "base", "a"]).assert().code(0).stdout(is_empty());
}

#[test]
fn a_run_that_fails_keeps_the_old_baseline() {
    let dir = Dir::of(&[("a", b"x\xFF\n")]);
    dir.validate().args(["--write-baseline", "base", "a"]).assert().code(0);
    let base = std::fs::read(dir.path("base")).unwrap();
    let out = dir.validate().args(["--write-baseline", "base", "a", "missing"]).assert().code(2);
    out.stdout(is_empty()).stderr(
        "utf8: missing: No such file or directory (check the name)\n\
         utf8: base: not written, because the run failed\n",
    );
    assert_eq!(std::fs::read(dir.path("base")).unwrap(), base);
}

#[test]
fn a_baseline_is_recorded_once_it_is_written() {
    let dir = Dir::of(&[("a", b"x\xFF\n")]);
    let mut limited = shell("ulimit -f 0; exec \"$@\"");
    limited.current_dir(dir.path("")).args(["--write-baseline", "base", "a"]);
    let out = limited.output().unwrap();
    assert_eq!(String::from_utf8(out.stderr).unwrap(), "utf8: base: File too large\n");
    assert_eq!((out.status.code(), dir.path("base").exists()), (Some(2), false));
}

/// Ill-formed text that rules allow is not called valid, whichever scan counts it.
#[test]
fn allowed_sequences_are_counted() {
    let dense = b"\xFF\xC3 caf\xE9\n".repeat(1000);
    let dir = Dir::of(&[("t/dense", &dense[..]), ("t/one", b"caf\xE9\n"), ("good", b"caf\n")]);
    let allowed = |args: &[&str]| dir.validate().arg("--allow=ill-formed").args(args).assert();
    for others in [&[][..], &["--warn=strict"], &["--stats"]] {
        let args = |file| [others, &["--format=json", file][..]].concat();
        for (file, number) in [("t/dense", 3000), ("t/one", 1)] {
            let run = allowed(&args(file)).code(0);
            let summary = &objects(&run.get_output().stdout)[0];
            assert_eq!((&summary["allowed"], &summary["findings"]), (&number.into(), &0.into()));
        }
    }
    let one = "t/one: no findings, 5 bytes; 1 ill-formed but allowed\n";
    allowed(&["-v", "t/one"]).code(0).stdout("").stderr(one);
    allowed(&["t/one"]).code(0).stdout("").stderr("");
    allowed(&["t"]).code(0).stderr(contains(", no findings; 3,001 ill-formed but allowed\n"));
    allowed(&["-v", "good"]).code(0).stderr("good: valid, 4 bytes\n");
    let part = allowed(&["--partial", "t/one"]).code(0);
    dir.write("part", &part.get_output().stdout);
    dir.validate().args(["--merge", "-v", "part"]).assert().code(0).stderr(one);
}
