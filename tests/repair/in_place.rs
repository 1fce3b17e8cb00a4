//! In-place repair: whole or not at all, and no change without need.

use std::fs;
use std::os::unix::fs::symlink;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};

use crate::common::bin::{Dir, lines, objects, raw, run, runs, skipped, utf8};
use crate::common::replace::{mode, names, set_mode, stamp, text, without_room};
use utf8::policy::Policy;
use utf8::registry::Encoding;

/// Returns a command for `utf8 repair` in a directory.
fn repair(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).arg("repair").args(args);
    command
}

#[test]
fn a_file_is_repaired_and_keeps_what_it_has() {
    let dir = Dir::of(&[("f", b"a\xFFb")]);
    set_mode(dir.path("f"), 0o640);
    symlink("f", dir.path("link")).unwrap();
    let out = repair(&dir, &["-i", "--on-error", "replace", "link"]).assert().code(0).stdout("");
    out.stderr("utf8: link: repaired, 1 sequence replaced\n");
    assert_eq!(text(dir.path("f")), "a\u{FFFD}b");
    assert_eq!((mode(dir.path("f")), names(&dir).len()), (0o640, 2));
    assert!(fs::symlink_metadata(dir.path("link")).unwrap().is_symlink());
}

#[test]
fn a_byte_order_that_would_be_lost_leaves_the_file() {
    let dir = Dir::of(&[("little", b"\xFF\xFEa\0"), ("big", b"\xFE\xFF\0a")]);
    for check in [&["--check"][..], &[]] {
        let args = [&["-i", "-f", "utf-16", "--bom", "remove", "little", "big"], check].concat();
        let out = repair(&dir, &args).assert().code(2);
        out.stderr(starts_with("utf8: little: the text is utf-16le, but "));
        assert_eq!(fs::read(dir.path("little")).unwrap(), b"\xFF\xFEa\0");
    }
    assert_eq!((fs::read(dir.path("big")).unwrap(), names(&dir).len()), (b"\0a".to_vec(), 2));
}

#[test]
fn without_a_policy_a_fault_leaves_the_file() {
    let dir = Dir::of(&[("bad", b"a\xC0\xAFb\xFF"), ("good", b"a\xC0\xAFb")]);
    let out = repair(&dir, &["-i", "--shorten-overlong", "bad", "good"]).assert().code(1);
    out.stdout("").stderr(starts_with(
        "utf8: bad: byte 4: byte FF starts no sequence [invalid-fe-ff]; unchanged (see utf8 detect --format long bad, or --on-error)\n",
    ));
    let advice = |args: &[&str], advice: &str| {
        let out = repair(&dir, args).assert().code(1);
        out.stderr(ends_with(format!("; unchanged ({advice})\n")));
    };
    advice(&["-i", "bad"], "--shorten-overlong repairs it");
    advice(&["-i", "-f", "cesu-8", "--shorten-overlong", "bad"], "see --on-error");
    dir.write("cut", b"a\xC0b");
    advice(&["-i", "cut"], "see utf8 detect --format long cut, or --on-error");
    assert_eq!(fs::read(dir.path("bad")).unwrap(), b"a\xC0\xAFb\xFF");
    assert_eq!(text(dir.path("good")), "a/b");
}

#[test]
fn a_file_that_would_not_change_is_not_touched() {
    let dir = Dir::of(&[("f", "aé".as_bytes())]);
    let before = stamp(dir.path("f"));
    repair(&dir, &["-i", "--on-error", "replace", "--backup", "~", "f"]).assert().code(0);
    assert_eq!((stamp(dir.path("f")), names(&dir).len()), (before, 1));
}

#[test]
fn a_backup_is_what_the_file_was() {
    let dir = Dir::of(&[("f", b"a\xFF")]);
    set_mode(dir.path("f"), 0o600);
    let args = ["-i", "--on-error=ignore", "--backup", ".orig", "f"];
    repair(&dir, &args).assert().code(0);
    // A second run changes nothing.
    repair(&dir, &args).assert().code(0).stderr("");
    assert_eq!(fs::read(dir.path("f.orig")).unwrap(), b"a\xFF");
    assert_eq!((text(dir.path("f")), mode(dir.path("f.orig"))), ("a".into(), 0o600));
    for suffix in ["", "/x"] {
        repair(&dir, &["-i", "--backup", suffix, "f"]).assert().code(2);
    }
    // In directories, the next run would take a file with another suffix for a text.
    let out = repair(&dir, &["-i", "-r", "--backup", ".save", "."]).assert().code(2);
    out.stderr(
        "utf8: --backup .save: with --recursive, expected .orig, .bak, .old or ~: later runs leave \
         such files as they are\n",
    );
}

#[test]
fn a_backup_that_cannot_be_made_leaves_the_file() {
    let dir = Dir::of(&[("f", b"a\xFF")]);
    fs::create_dir(dir.path("f~")).unwrap();
    let out = repair(&dir, &["-i", "--on-error=ignore", "--backup", "~", "f"]).assert().code(2);
    out.stderr(contains("f: f~ exists, so "));
    assert_eq!((fs::read(dir.path("f")).unwrap(), names(&dir).len()), (b"a\xFF".to_vec(), 2));
}

#[test]
fn a_backup_is_never_overwritten() {
    let dir = Dir::of(&[("bk", b"a\xFF"), ("bk.orig", b"b\xFF"), ("c", b"\xFF")]);
    let args = ["-i", "--on-error=replace", "--backup", ".orig", "--format=json"];
    let said = "utf8: bk: bk.orig exists, so this file may be converted already; it is unchanged (utf8 detect bk tells; if it is not converted, choose another --backup suffix)\n";
    let skipped = "bk.orig: has the suffix of backups, .orig: skipped\n";
    let repaired = "utf8: c: repaired, 1 sequence replaced\n";
    let dry = repair(&dir, &args).args(["--check", "bk"]).assert().code(2);
    let dry = dry.stderr(said);
    assert_eq!(objects(&dry.get_output().stdout)[1]["repaired"], false);
    assert_eq!(names(&dir), ["bk", "bk.orig", "c"]);
    let out = repair(&dir, &args).args(["bk", "bk.orig", "c"]).assert().code(2);
    let out = out.stderr([said, skipped, repaired].concat());
    let told = objects(&out.get_output().stdout);
    let repaired: Vec<_> = told.iter().filter(|it| it["type"] == "summary").collect();
    let repaired: Vec<_> = repaired.iter().map(|it| it["repaired"].as_bool()).collect();
    assert_eq!(repaired, [Some(false), Some(true)]);
    assert_eq!(fs::read(dir.path("bk")).unwrap(), b"a\xFF");
    assert_eq!(fs::read(dir.path("bk.orig")).unwrap(), b"b\xFF");
    // A partial repair that is repeated keeps the first backup.
    dir.write("c", b"more \xFF");
    repair(&dir, &args).arg("c").assert().code(2);
    assert_eq!(fs::read(dir.path("c.orig")).unwrap(), b"\xFF");
    assert_eq!(fs::read(dir.path("c")).unwrap(), b"more \xFF");
    symlink("nothing", dir.path("d.orig")).unwrap();
    dir.write("d", b"\xFF");
    repair(&dir, &args).arg("d").assert().code(2).stderr(contains("exists, so this file"));
}

#[test]
fn each_changed_file_is_named() {
    let files: [(&str, &[u8]); 4] = [
        ("overlong", b"\xC0\xAF\r\n"),
        ("stray", b"a\xE9\xE9\n"),
        ("clean", b"x\n"),
        ("nul", b"\0"),
    ];
    let dir = Dir::of(&files);
    let args = ["-i", "--shorten-overlong", "--newlines=lf", "--fallback=latin1"];
    let all = [&args[..], &["overlong", "stray", "clean"]].concat();
    repair(&dir, &all).assert().code(0).stdout("").stderr(lines(&[
        "overlong: repaired, 1 overlong form shortened, 1 line end replaced",
        "stray: repaired, 2 sequences read as iso-8859-1",
    ]));
    repair(&dir, &all).assert().code(0).stderr("");
    dir.write("stray", b"\xFF");
    repair(&dir, &[&all[..], &["-q"]].concat()).assert().code(0).stderr("");
    dir.write("stray", b"\xFF");
    let out = repair(&dir, &[&all[..], &["nul", "-v"]].concat()).assert().code(1);
    out.stderr(ends_with("total: 4 files: 1 repaired; 2 unchanged; 1 binary\n"));
}

#[test]
fn products_of_the_run_are_not_taken_up() {
    let temporary = ".utf8-0123456789abcdef.tmp";
    let dir = Dir::of(&[("f", b"\xFF"), ("~", b"\xFF"), (temporary, b"\xFF")]);
    symlink("f", dir.path("link")).unwrap();
    let args = ["-i", "--on-error=replace", "--backup=~", "f~", "~", temporary, "f", "f", "link"];
    repair(&dir, &args).assert().code(0).stdout("").stderr(lines(&[
        "f~: has the suffix of backups, ~: skipped",
        "utf8: ~: repaired, 1 sequence replaced",
        ".utf8-0123456789abcdef.tmp: is a temporary file of utf8: skipped",
        "utf8: f: repaired, 1 sequence replaced",
        "f: was replaced in this run: skipped",
        "link: was replaced in this run: skipped",
    ]));
    assert_eq!(fs::read(dir.path("f~")).unwrap(), b"\xFF");
    assert_eq!(fs::read(dir.path(temporary)).unwrap(), b"\xFF");
}

#[test]
fn summaries_tell_whether_files_were_repaired() {
    let files: [(&str, &[u8]); 4] =
        [("clean", b"x"), ("cure", b"\xC0\xAF"), ("bad", b"\xC0\xAF\xFF"), ("nul", b"\0")];
    let dir = Dir::of(&[&files[..], &[("linked", b"\xC0\xAF")]].concat());
    fs::hard_link(dir.path("linked"), dir.path("other")).unwrap();
    let args = ["-i", "--shorten-overlong", "--stats", "--explain", "--format=json"];
    let run = repair(&dir, &args).args(["clean", "cure", "bad", "nul", "linked"]).assert().code(2);
    let told = objects(&run.get_output().stdout);
    let sums: Vec<_> = told.iter().filter(|it| it["type"] == "summary").collect();
    let sums: Vec<_> = sums
        .iter()
        .map(|it| (it["path"].as_str().unwrap(), it["changes"].as_u64(), it["repaired"].as_bool()))
        .collect();
    assert_eq!(
        sums,
        [
            ("clean", Some(0), Some(true)),
            ("cure", Some(1), Some(true)),
            ("bad", Some(1), Some(false)),
            ("nul", Some(0), Some(false)),
            ("linked", Some(1), Some(false)),
        ]
    );
    let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    for (name, stats) in [
        ("clean", "1 byte, 1 after 0 changes"),
        ("cure", "2 bytes, 1 after 1 change: 1 shorten-overlong"),
        ("linked", "2 bytes, 1 after 1 change: 1 shorten-overlong"),
    ] {
        assert!(said.contains(&format!("{name}: {stats}\n")), "{said}");
    }
    assert!(said.contains("utf8: linked: has 2 hard links"), "{said}");
}

#[test]
fn check_reports_the_changes_of_a_repair() {
    let dir = Dir::of(&[("f", b"\xFF"), ("clean", b"x")]);
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    fs::hard_link(dir.path("clean"), dir.path("too")).unwrap();
    let args = ["-i", "--on-error=replace", "f", "clean"];
    let said = repair(&dir, &args).assert().code(2).get_output().stderr.clone();
    repair(&dir, &args).arg("--check").assert().code(2).stdout("").stderr(said);
    // Links do not matter if nothing is replaced.
    repair(&dir, &["--check", "f"]).assert().code(1).stdout("f\n").stderr("");
}

#[test]
fn a_file_with_nul_is_taken_for_binary() {
    let dir = Dir::of(&[("b", b"a\xFF\0"), ("list", b"b\n")]);
    let note = "b: contains NUL: skipped as binary (--binary repairs it anyway)\n";
    let args = ["-i", "--on-error=replace", "b"];
    let problem = format!("utf8: {note}");
    repair(&dir, &args).assert().code(1).stderr(problem.clone());
    // The changes are not made.
    repair(&dir, &[&args[..], &["-v"]].concat()).assert().code(1).stderr(problem);
    let listed = ["-i", "--on-error=replace", "--files-from", "list"];
    repair(&dir, &listed).assert().code(0).stderr(note);
    assert_eq!(fs::read(dir.path("b")).unwrap(), b"a\xFF\0");
    // An issue before the range does not count.
    repair(&dir, &["-i", "--files-from", "list"]).assert().code(0).stderr(note);
    repair(&dir, &["-i", "--check", "--files-from", "list"]).assert().code(0).stderr(note);
    repair(&dir, &[&args[..], &["--binary", "-q"]].concat()).assert().code(0).stderr("");
    assert_eq!(text(dir.path("b")), "a\u{FFFD}\0");
}

#[test]
fn a_check_lists_what_would_change() {
    let dir = Dir::of(&[("a b", b"\xFF"), ("clean", b"x"), ("c", b"\xC0\x80")]);
    let out = repair(&dir, &["--check", "a b", "clean", "c"]).assert().code(1);
    out.stdout(lines(&["a b", "c"])).stderr("");
    repair(&dir, &["--check", "-0", "a b"]).assert().code(1).stdout("a b\0");
    repair(&dir, &["--check", "-q", "a b"]).assert().code(1).stdout("");
    repair(&dir, &["--check", "clean"]).assert().code(0).stdout("").stderr("");
    assert_eq!(fs::read(dir.path("a b")).unwrap(), b"\xFF");
}

#[test]
fn only_regular_files_with_one_link_are_repaired_in_place() {
    let dir = Dir::of(&[("f", b"\xFF")]);
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    fs::create_dir(dir.path("d")).unwrap();
    let args = ["-i", "--on-error=replace", "f", "d", "/dev/null", "-", "missing"];
    let out = repair(&dir, &args).assert().code(2);
    out.stderr(
        contains("f: has 2 hard links")
            .and(contains("d: is a directory"))
            .and(contains(
                "/dev/null: not a regular file: cannot be replaced (leave out --in-place)",
            ))
            .and(contains("-: cannot be rewritten in place"))
            .and(contains("missing: No such file")),
    );
    repair(&dir, &["-i"]).assert().code(2);
    repair(&dir, &["-i", "-e", "x"]).assert().code(2);
}

#[test]
fn a_file_without_faults_needs_no_room_beside_it() {
    let dir = Dir::of(&[("f", b"fine")]);
    dir.write("faulty", b"\xFF");
    let case = "a repair where no file can be made";
    without_room(case, &dir, || {
        if !runs() {
            return skipped(case, "nobody may run the binary");
        }
        repair(&dir, &["-i", "f"]).assert().code(0).stderr("");
        let out = repair(&dir, &["-i", "--on-error=replace", "faulty"]).assert().code(2);
        out.stderr(starts_with("utf8: faulty: "));
    });
}

#[test]
fn a_known_binary_format_without_nul_is_binary() {
    let gzip = b"\x1F\x8B\x08\xFF\xFF\xFF";
    let dir = Dir::of(&[("a.gz", gzip), ("list", b"a.gz\n")]);
    let args = ["-i", "--on-error=replace", "--binary", "a.gz"];
    let out = repair(&dir, &["-i", "--on-error=replace", "a.gz"]).assert().code(1).stdout("");
    out.stderr("utf8: a.gz: is binary: skipped (--binary repairs it anyway)\n");
    repair(&dir, &["-i", "--on-error=replace", "--files-from=list"]).assert().code(0);
    assert_eq!(fs::read(dir.path("a.gz")).unwrap(), gzip);
    for policy in ["replace", "strict"] {
        let mut command = utf8();
        command.current_dir(dir.path(".")).args(["decode", "-f", "latin1", "-i", "a.gz"]);
        let out = command.args(["--on-error", policy]).assert().code(1);
        out.stderr("utf8: a.gz: is binary: skipped (--binary converts it anyway)\n");
    }
    assert_eq!(fs::read(dir.path("a.gz")).unwrap(), gzip);
    repair(&dir, &args).assert().code(0).stderr(contains("a.gz: repaired, "));
}

#[test]
fn the_explanation_of_a_binary_file_does_not_depend_on_threads() {
    let mut text = b"hello world\n".repeat(100_000);
    text[784_123] = 0;
    let [one, three] = ["-j1", "-j3"].map(|threads| {
        let dir = Dir::of(&[("f", &text)]);
        let mut repair = run(&["repair", "-i", "--explain", "-f", "latin1", threads, "f"]);
        repair.current_dir(dir.path("")).output().unwrap()
    });
    assert_eq!(three, one);
}

/// A word of the shell of POSIX.
#[test]
fn a_hint_can_be_pasted_for_any_name() {
    for (name, word) in [
        ("a b", "'a b'"),
        ("a';echo no;'b", r"'a'\'';echo no;'\''b'"),
        ("line\nend", r#""$(printf 'line\012end')""#),
        ("end\n", r"$'end\012'"),
        ("back\\slash", r"'back\slash'"),
    ] {
        let dir = Dir::of(&[(name, b"a\xFF")]);
        let out = repair(&dir, &["-i", name]).assert().code(1);
        out.stderr(ends_with(format!(
            "; unchanged (see utf8 detect --format long {word}, or --on-error)\n"
        )));
    }
}

#[test]
fn a_file_in_another_encoding_loses_no_text_unless_its_encoding_is_named() {
    let text = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.\n";
    let old = utf8::encode(Encoding::for_label("windows-1251").unwrap(), text, Policy::Strict);
    let dir = Dir::of(&[("old.txt", &old.unwrap())]);
    let before = fs::read(dir.path("old.txt")).unwrap();
    for (policy, done) in [("drop-line", "1 of 1 line dropped"), ("ignore", "left out")] {
        dir.write("old.txt", &before);
        repair(&dir, &["-i", "--on-error", policy, "old.txt"]).assert().code(1).stderr(
            "utf8: old.txt: looks like windows-1251: skipped (utf8 decode -f windows-1251 -i old.txt \
             converts it; -f utf-8 repairs it anyway)\n",
        );
        repair(&dir, &["-i", "-r", "--on-error", policy, "."]).assert().code(1);
        assert_eq!(fs::read(dir.path("old.txt")).unwrap(), before);
        let args = ["-i", "-f", "utf-8", "--on-error", policy, "old.txt"];
        let out = repair(&dir, &args).assert().code(0);
        let advice = "; the old file: looks like windows-1251 (utf8 decode -f windows-1251)\n";
        out.stderr(contains(done).and(ends_with(advice)));
    }
}

/// `decode --from auto` reads this text, of which detect is less than certain: it is not lost, either.
#[test]
fn a_file_that_is_likely_in_another_encoding_loses_no_text() {
    let text = "Name;Straße;Ort;Betrag\r\nMüller;Hauptstraße 5;Köln;12,50 €\r\nGrößer;Gänseweg 7;\
                Düsseldorf;9,99 €\r\nJäger;Schloßallee 1;Nürnberg;100,00 €\r\n";
    let old = utf8::encode(Encoding::for_label("windows-1252").unwrap(), text, Policy::Strict);
    let dir = Dir::of(&[("old.csv", &old.unwrap())]);
    let before = fs::read(dir.path("old.csv")).unwrap();
    let confidence = utf8::detect::detect(&before).confidence;
    assert!((0.8..0.95).contains(&confidence), "{confidence}: another text is needed");
    for policy in ["drop-line", "ignore", "replace"] {
        let out = repair(&dir, &["-i", "--on-error", policy, "old.csv"]).assert().code(1);
        out.stderr(starts_with("utf8: old.csv: looks like windows-1252: skipped (utf8 decode -f "));
        assert_eq!(fs::read(dir.path("old.csv")).unwrap(), before, "{policy}");
    }
}

#[test]
fn a_file_in_another_encoding_is_not_read_in_the_page_of_stray_bytes() {
    let text = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.\n";
    let old = utf8::encode(Encoding::for_label("koi8-r").unwrap(), text, Policy::Strict).unwrap();
    let dir = Dir::of(&[("old.txt", &old), ("page.txt", &old)]);
    let args = ["-i", "--fallback", "windows-1252", "old.txt"];
    repair(&dir, &args).assert().code(1).stderr(
        "utf8: old.txt: looks like koi8-r: skipped (utf8 decode -f koi8-r -i old.txt converts it; \
         -f utf-8 repairs it anyway)\n",
    );
    assert_eq!(fs::read(dir.path("old.txt")).unwrap(), old);
    let named = ["-i", "-f", "utf-8", "--fallback", "windows-1252", "old.txt"];
    repair(&dir, &named).assert().code(0);
    // The letters are the same in both pages.
    repair(&dir, &["-i", "--fallback", "koi8-u", "page.txt"]).assert().code(0);
    assert_eq!(fs::read_to_string(dir.path("page.txt")).unwrap(), text);
}

#[test]
fn an_output_that_replaces_its_input_is_left_as_in_place() {
    let text = "Привет, мир! Это старый файл в старой кодировке, и его надо прочитать правильно.\n";
    let old = utf8::encode(Encoding::for_label("koi8-r").unwrap(), text, Policy::Strict).unwrap();
    let dir = Dir::of(&[("old.txt", &old), ("bad.txt", b"a\xFFb")]);
    symlink("old.txt", dir.path("link")).unwrap();
    for policy in ["replace", "drop-line", "fallback=windows-1252"] {
        for output in ["old.txt", "./old.txt", "link"] {
            let args = ["-o", output, "--on-error", policy, "old.txt"];
            repair(&dir, &args).assert().code(1).stderr(
                "utf8: old.txt: looks like koi8-r: skipped (utf8 decode -f koi8-r -i old.txt \
                 converts it; -f utf-8 repairs it anyway)\n",
            );
            assert_eq!(fs::read(dir.path("old.txt")).unwrap(), old, "{output}");
        }
    }
    // The shell opens the same file as standard input.
    let standard_input = fs::File::open(dir.path("old.txt")).unwrap();
    let mut command = raw();
    command.current_dir(dir.path(".")).args(["repair", "-o", "old.txt"]).stdin(standard_input);
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("skipped (utf8 decode -f koi8-r -i old.txt "), "{message}");
    assert_eq!(fs::read(dir.path("old.txt")).unwrap(), old);
    // Nothing is lost in another file, and damaged UTF-8 is what it was read as.
    repair(&dir, &["-o", "new.txt", "old.txt"]).assert().code(0);
    repair(&dir, &["-o", "bad.txt", "bad.txt"]).assert().code(0);
    assert_eq!(fs::read(dir.path("bad.txt")).unwrap(), "a\u{FFFD}b".as_bytes());
    repair(&dir, &["-f", "utf-8", "-o", "old.txt", "old.txt"]).assert().code(0);
    assert_ne!(fs::read(dir.path("old.txt")).unwrap(), old);
}

/// The repair that `detect` names for a cut file works in place, too, where no policy is a default.
#[test]
fn the_next_command_for_a_cut_file_works_in_place() {
    let german = "Grüße aus Köln, schöne Wörter ".repeat(3);
    let dir = Dir::of(&[("cut", &[german.as_bytes(), b"\xE2\x82"].concat())]);
    let told = dir.run("detect").args(["--format", "long", "cut"]).output().unwrap().stdout;
    let told = String::from_utf8(told).unwrap();
    let (_, command) = told.trim_end().rsplit_once("next       utf8 ").unwrap();
    let words: Vec<_> = command.split(' ').collect();
    assert_eq!(words, ["repair", "--on-error", "replace", "cut"]);
    dir.run("repair").args(&words[1..]).arg("-i").assert().code(0);
    assert_eq!(text(dir.path("cut")), german + "\u{FFFD}");
}

/// A quiet run says why it has not done its work; a dry run has its status alone.
#[test]
fn quiet_runs_name_files_that_are_left() {
    let old = b"Der Pr\xFCfbericht f\xFCr die \xDCbung ist gepr\xFCft und f\xFCr gut befunden.\n";
    let dir = Dir::of(&[("old", &old[..]), ("bad", b"a\xFFb"), ("nul", b"a\0\xFF")]);
    for (args, said) in [
        (&["-o", "old", "old"][..], "utf8: old: looks like windows-1252: skipped ("),
        (&["-i", "--on-error=replace", "old"], "utf8: old: looks like windows-1252: skipped ("),
        (&["-i", "bad"], "utf8: bad: byte 1: byte FF starts no sequence "),
        (&["--on-error=strict", "bad"], "utf8: bad: byte 1: byte FF starts no sequence "),
        (&["-i", "nul"], "utf8: nul: contains NUL: skipped as binary "),
    ] {
        let out = repair(&dir, &[&["-q"], args].concat()).assert().code(1);
        out.stderr(starts_with(said));
    }
    repair(&dir, &["-q", "-i", "--check", "bad"]).assert().code(1).stderr("");
}

/// --check and --diff are added to a command to see what it would do.
#[test]
fn a_dry_run_makes_no_backup() {
    let dir = Dir::of(&[("f", b"a\xFF\n")]);
    for command in [
        &["repair", "--on-error=replace", "-i"][..],
        &["decode", "-f", "latin1", "-i"],
        &["encode", "-f", "latin1", "-t", "utf-8", "-i"],
    ] {
        for dry in ["--check", "--diff"] {
            let mut run = utf8();
            run.current_dir(dir.path("")).args(command).args(["--backup=~", dry, "f"]);
            run.assert().code(1).stderr("");
            assert_eq!(std::fs::read(dir.path("f")).unwrap(), b"a\xFF\n");
            assert!(!dir.path("f~").exists());
        }
    }
}
