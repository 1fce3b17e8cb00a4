//! Settings of files: utf8.toml, .editorconfig and the line ends of .gitattributes.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use crate::common::bin::Dir;

/// A directory that is the top of a repository.
fn repository(files: &[(&str, &[u8])]) -> Dir {
    let dir = Dir::new();
    fs::create_dir(dir.path(".git")).unwrap();
    write(&dir, files);
    dir
}

fn write(dir: &Dir, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        fs::create_dir_all(dir.path(name).parent().unwrap()).unwrap();
        dir.write(name, bytes);
    }
}

/// Returns the names and kinds of the findings, one `NAME KIND` a line.
fn found(dir: &Dir, args: &[&str]) -> Vec<String> {
    let run = dir.validate().args(["--format=json"]).args(args).output().unwrap();
    assert_ne!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
    let objects = crate::common::bin::objects(&run.stdout);
    let findings = objects.iter().filter(|object| object["type"] == "finding");
    let text = |object: &serde_json::Value, key: &str| object[key].as_str().unwrap().to_owned();
    findings.map(|object| format!("{} {}", text(object, "path"), text(object, "kind"))).collect()
}

const PROJECT: &[u8] = br#"
[validate]
deny = ["invisible"]
warn = ["nul"]
allow-char = ["U+200B"]
line-ending = "lf"
exclude = ["vendor/", "*.min.js"]

[[override]]
paths = ["testdata/"]
allow = ["ill-formed", "invisible"]
line-ending = "any"
reason = "inputs of tests"

[[override]]
paths = ["*.ini"]
encoding = "windows-1251"
line-ending = "crlf"
"#;

#[test]
fn a_project_has_settings_for_its_files() {
    let dir = repository(&[
        ("utf8.toml", PROJECT),
        ("a.txt", b"a\xE2\x80\x8B\xE2\x81\xA0\r\n"),
        ("sub/b.txt", b"\xFF\n"),
        ("testdata/c.txt", b"\xFF\xE2\x81\xA0\r\n"),
        ("testdata/d.ini", b"\xFF\r\n"),
        ("e.ini", b"\xFF\n"),
        ("vendor/f.txt", b"\xFF"),
        ("g.min.js", b"\xFF"),
    ]);
    let all = ["a.txt invisible", "a.txt crlf", "e.ini lf", "sub/b.txt invalid-fe-ff"];
    assert_eq!(found(&dir, &["."]), all);
    let excluded = "vendor: skipped: excluded by utf8.toml";
    let number = "; skipped: 2 excluded by utf8.toml";
    dir.validate()
        .args(["-v", "."])
        .assert()
        .code(1)
        .stderr(contains(excluded).and(contains(number)));
    dir.validate().arg(".").assert().code(1).stderr(contains(excluded).not().and(contains(number)));
    // Named files have the same settings, and are not left out unless asked.
    let files = ["a.txt", "e.ini", "sub/b.txt", "testdata/c.txt", "g.min.js"];
    let named = [&all[..], &["g.min.js invalid-fe-ff"]].concat();
    assert_eq!(found(&dir, &files), named);
    assert_eq!(found(&dir, &[&["--force-exclude"][..], &files].concat()), all);
    // The command line is stronger; a configuration can be left out.
    assert_eq!(found(&dir, &["--allow=crlf,lf", "a.txt", "e.ini"]), ["a.txt invisible"]);
    assert_eq!(found(&dir, &["-f", "utf-8", "e.ini"]), ["e.ini invalid-fe-ff", "e.ini lf"]);
    assert_eq!(found(&dir, &["--no-config", "a.txt", "e.ini"]), ["e.ini invalid-fe-ff"]);
    // A stream has the settings of its name only.
    let input = b"\xE2\x81\xA0\n";
    dir.validate().write_stdin(&input[..]).assert().code(0).stdout(is_empty());
    dir.validate()
        .args(["--stdin-filename", "sub/x.txt"])
        .write_stdin(&input[..])
        .assert()
        .code(1)
        .stdout("sub/x.txt:1:1: byte 0x0 (0): U+2060 WORD JOINER [invisible]\n");
}

#[test]
fn the_nearest_file_holds_alone_and_the_search_ends_at_git() {
    let dir = Dir::new();
    write(
        &dir,
        &[
            ("utf8.toml", b"[validate]\ndeny = [\"nul\"]\n"),
            ("a/.utf8.toml", b"[validate]\ndeny = [\"c0-control\"]\n"),
            ("a/f", b"\0\x01\n"),
            ("b/f", b"\0\x01\n"),
            ("c/.git/HEAD", b""),
            ("c/f", b"\0\x01\n"),
        ],
    );
    assert_eq!(found(&dir, &["a/f", "b/f", "c/f"]), ["a/f c0-control", "b/f nul"]);
    let args = ["--config", "a/.utf8.toml", "a/f", "c/f"];
    assert_eq!(found(&dir, &args), ["a/f c0-control", "c/f c0-control"]);
    dir.write("a/utf8.toml", "");
    dir.validate()
        .arg("a/f")
        .assert()
        .code(2)
        .stderr("utf8: a/.utf8.toml: there is utf8.toml beside it: remove one\n");
}

/// As in the core of EditorConfig in Python, 0.17.1.
#[test]
fn sections_of_directories_and_reversed_ranges_match_no_file() {
    let sections = b"root = true\n[src/]\ncharset = latin1\n[f{7..3}.txt]\ncharset = latin1\n\
                     [g{3..7}.txt]\ncharset = latin1\n";
    let bad = b"\xFF\n";
    let dir = Dir::of(&[(".editorconfig", sections), ("f5.txt", bad), ("g5.txt", bad)]);
    std::fs::create_dir(dir.path("src")).unwrap();
    dir.write("src/a.txt", bad);
    let out = dir.validate().args(["-l", "f5.txt", "g5.txt", "src/a.txt"]).assert();
    out.code(1).stdout("f5.txt\nsrc/a.txt\n");
}

#[test]
fn editorconfig_is_weaker_than_utf8_toml_and_stronger_than_gitattributes() {
    let editorconfig = b"root = true\n[*]\ncharset = utf-8\nend_of_line = crlf\n\
        insert_final_newline = true\n[*.{md,txt}]\nend_of_line = unset\n\
        [bom/**]\ncharset = utf-8-bom\n[l1/*]\ncharset = latin1\n";
    let dir = repository(&[
        (".editorconfig", editorconfig),
        (".gitattributes", b"* text=auto eol=lf\n*.md eol=crlf\n"),
        ("a.c", b"a\n"),
        ("a.md", b"a\n"),
        ("a.txt", b"a\r\nb"),
        ("bom/a.c", b"a\r\n"),
        ("l1/a.c", b"\xEF\xBB\xBF\xE9\r\n"),
        ("x/a.c", b"\xEF\xBB\xBFa\r\n"),
    ]);
    let all = [
        "a.c lf",
        "a.md lf",
        "a.txt crlf",
        "a.txt missing-final-newline",
        "bom/a.c missing-bom",
        "x/a.c bom",
    ];
    let own = ["--exclude=.*"];
    assert_eq!(found(&dir, &[&own[..], &["."]].concat()), all);
    let without = ["--no-editorconfig", "--exclude=.*", "--exclude=l1", "."];
    assert_eq!(found(&dir, &without), ["a.md lf", "a.txt crlf", "bom/a.c crlf", "x/a.c crlf"]);
    dir.write(
        "utf8.toml",
        "[validate]\nline-ending = \"any\"\nbom = \"any\"\nfinal-newline = false\n",
    );
    assert!(found(&dir, &[&own[..], &["."]].concat()).is_empty());
}

#[test]
fn the_settings_of_a_file_are_shown_with_their_places() {
    let dir = repository(&[
        ("utf8.toml", PROJECT),
        (".editorconfig", b"root = true\n[*]\ncharset = utf-8\n"),
        ("testdata/a.txt", b""),
    ]);
    let shown = dir
        .validate()
        .args(["--show-config", "testdata/a.txt", "--deny=nul"])
        .assert()
        .code(0)
        .stderr(is_empty());
    let shown = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
    let lines: Vec<_> =
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        [
            "# testdata/a.txt",
            "encoding = \"utf-8\" # .editorconfig:3",
            "line-ending = \"any\" # utf8.toml:12",
            "bom = \"forbid\" # .editorconfig:3",
            "allow-char = [\"U+200B\"] # utf8.toml:5",
            "",
            "# levels",
            "ill-formed = \"allow\" # utf8.toml:11",
            "not-utf-8 = \"allow\" # utf8.toml:11",
            "bidi-unpaired = \"warn\" # default in directories",
            "tag-character = \"warn\" # default in directories",
            "invisible = \"allow\" # utf8.toml:11",
            "nul = \"deny\" # --deny",
            "bom = \"deny\" # .editorconfig:3",
            "crlf = \"allow\" # utf8.toml:12",
            "unused-allow = \"warn\" # default",
        ]
    );
}

#[test]
fn attributes_and_exclusions_are_shown() {
    let attributes = b"*.bat eol=crlf\n*.bin -text\n*.rc working-tree-encoding=UTF-16LE\n*.x working-tree-encoding=foo\n";
    let dir = repository(&[(".gitattributes", attributes), ("utf8.toml", PROJECT)]);
    let shown = |files: &[&str]| {
        let options = files.iter().flat_map(|file| ["--show-config", file]);
        let shown = dir.validate().args(options).assert().code(0).stderr(is_empty());
        let shown = String::from_utf8(shown.get_output().stdout.clone()).unwrap();
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let lines: Vec<String> = shown(&["a.bat", "b.bin", "c.rc", "vendor/none"]);
    for line in [
        "line-ending = \"lf\" # utf8.toml:6",
        "binary = true # .gitattributes:2",
        "encoding = \"utf-16le\" # .gitattributes:3",
        "excluded = true # utf8.toml:7",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line}: {lines:#?}");
    }
    let unknown = ".gitattributes:4: working-tree-encoding=foo: unknown encoding";
    dir.validate().args(["--show-config", "d.x"]).assert().code(2).stderr(contains(unknown));
}

#[test]
fn errors_have_a_place_and_are_reported_once() {
    let dir = repository(&[("a/x", b"\xFF\n"), ("a/y", b"\xFF\n"), ("z", b"\xFF\n")]);
    let cases: [(&str, &str); 15] = [
        ("x = 1", "1:1: unknown key 'x'; there are validate, override"),
        ("[validate]\nreason = 1", "2:10: expected a string, found integer"),
        ("[validate]\ndenny = []", "2:1: unknown key 'denny'; did you mean deny?"),
        ("[validate]\ndeny = \"strict\"", "2:8: expected a list: [\"...\"], found string"),
        (
            "[validate]\ndeny = [\"stricd\"]",
            "2:9: 'stricd': no lint has this name; did you mean strict?",
        ),
        (
            "[validate]\n encoding = \"foo\"",
            "2:13: 'foo': unknown encoding (utf8 --list-codecs lists them)",
        ),
        ("[validate]\nline-ending = \"cr\"", "2:15: 'cr': expected lf, crlf or any"),
        ("[validate]\nbom = true", "2:7: expected a string, found boolean"),
        (
            "[validate]\nallow-char = [\"A\"]",
            "2:15: 'A': expected a code point or a range: U+00A0 or U+2010..U+2015",
        ),
        (
            "[validate]\nexclude = [\"./a\"]",
            "2:12: './a': patterns are relative, as in .gitignore: leave out ./",
        ),
        ("[validate]\nexclude = [\"*.dat\", \"!\"]", "2:21: '!': the pattern is empty"),
        (
            "[validate]\nexclude = [\n  \"a\", \"b/ \",\n]",
            "3:8: 'b/ ': the blanks at the end do not count, as in .gitignore: leave them out",
        ),
        ("\n[[override]]\nallow = [\"bom\"]", "2:1: an override needs paths = [\"...\"]"),
        ("[override]\npaths = [\"a\"]", "1:1: expected tables: [[override]], found table"),
        ("[validate", "1:10: unclosed table, expected `]`"),
    ];
    for (text, message) in cases {
        dir.write("a/utf8.toml", text);
        dir.validate()
            .args(["--exclude=*.toml", "."])
            .assert()
            .code(2)
            .stdout("z:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n")
            .stderr(contains(format!("utf8: a/utf8.toml:{message}\n")));
        let run = dir.validate().args(["a/x", "a/y"]).assert().code(2).stdout(is_empty());
        let errors = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert_eq!(errors.matches("a/utf8.toml").count(), 1, "{errors}");
    }
    fs::remove_file(dir.path("a/utf8.toml")).unwrap();
    dir.write("a/.editorconfig", "[*\n");
    dir.validate()
        .arg("a/x")
        .assert()
        .code(2)
        .stderr("utf8: a/.editorconfig:1:1: expected [section] or key = value\n");
    dir.validate()
        .args(["--config", "none.toml", "z"])
        .assert()
        .code(2)
        .stderr(contains("none.toml: no such file"));
}

#[test]
fn configurations_that_are_devices_or_large_or_deep_are_errors() {
    let dir = repository(&[("x", b"a\n")]);
    let made = Command::new("mkfifo").arg(dir.path("utf8.toml")).status();
    if made.is_ok_and(|status| status.success()) {
        dir.validate().arg("x").assert().code(2).stderr("utf8: utf8.toml: is no regular file\n");
        fs::remove_file(dir.path("utf8.toml")).unwrap();
    }
    let fails = |name: &str, text: String, message: &str| {
        dir.write(name, text);
        dir.validate().arg("x").assert().code(2).stdout(is_empty()).stderr(contains(message));
        fs::remove_file(dir.path(name)).unwrap();
    };
    fails("utf8.toml", "#".repeat(300 << 10), "utf8: utf8.toml: is larger than 256 KiB");
    fails("utf8.toml", format!("a = {}", "[".repeat(200 << 10)), "utf8.toml:1:");
    fails("utf8.toml", format!("{}a = 1", "a.".repeat(100 << 10)), "utf8.toml:1:");
    let too_many = "the section has too many alternatives, or is too long";
    fails(".editorconfig", format!("[{}]", "{a,aa}".repeat(30)), too_many);
    fails(".editorconfig", format!("[{}]", "{a,".repeat(10_000)), too_many);
    let sections = "[{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}*]\n".repeat(4500);
    fails(
        ".editorconfig",
        sections,
        ".editorconfig:129:1: the sections have too many alternatives",
    );
    let sections: String = (0..400).map(|number| format!("[*a*{number}*]\n")).collect();
    let message = ".editorconfig:334:1: the sections up to here have more than 1,000 of * and ?";
    fails(".editorconfig", sections, message);
    std::os::unix::fs::symlink("nowhere", dir.path("utf8.toml")).unwrap();
    dir.validate()
        .arg("x")
        .assert()
        .code(2)
        .stderr(contains("utf8.toml: is a symbolic link that leads nowhere"));
    fs::remove_file(dir.path("utf8.toml")).unwrap();
    fs::create_dir(dir.path("d")).unwrap();
    dir.write("d/utf8.toml", "\"\\u001B[2J\" = 1");
    dir.write("d/x", "");
    let run = dir.validate().arg("d/x").assert().code(2);
    assert!(!run.get_output().stderr.contains(&0x1B));
}

#[test]
fn a_named_directory_is_entered_unless_exclusion_is_forced() {
    let project = b"[validate]\nexclude = [\"vendor/\", \"*.min\", \"!vendor/a\"]\n";
    let dir = repository(&[
        ("utf8.toml", project),
        ("vendor/a", b"\xFF\n"),
        ("vendor/b.min", b"\xFF\n"),
        ("vendor/lib/c", b"\xFF\n"),
        ("z", b"\xFF\n"),
    ]);
    let names = |args: &[&str]| {
        let out = dir.validate().arg("-l").args(args).output().unwrap();
        String::from_utf8(out.stdout).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["."]), ["z"]);
    assert_eq!(names(&["vendor"]), ["vendor/a", "vendor/lib/c"]);
    assert_eq!(names(&["vendor/lib"]), ["vendor/lib/c"]);
    for named in ["vendor", "vendor/", "./vendor/lib", "vendor/lib/..", "vendor/a"] {
        assert_eq!(names(&["--force-exclude", named, "z"]), ["z"], "{named}");
    }
    assert_eq!(names(&["--force-exclude", ".", "vendor/lib/../.."]), ["z", "vendor/lib/../../z"]);
    dir.validate().args(["--force-exclude", "vendor"]).assert().code(0).stdout(is_empty());
    for (name, status) in [("vendor/a", 0), ("other", 1)] {
        let mut named = dir.validate();
        named.args(["--force-exclude", "--stdin-filename", name]).write_stdin(b"\xFF".to_vec());
        named.assert().code(status);
    }
    assert_eq!(
        names(&["--force-exclude", "--exclude=vendor", "--no-config", "vendor", "z"]),
        ["z"]
    );
    // Nothing in a directory that is left out is included.
    dir.validate()
        .args(["--show-config", "vendor/a"])
        .assert()
        .code(0)
        .stdout(contains("excluded = true"));
    dir.validate()
        .args(["--show-config", "vendor"])
        .assert()
        .code(2)
        .stderr("utf8: --show-config vendor: is a directory (name a file, which may be missing)\n");
}

/// 19,200 took .2 seconds for one path of 2,500 bytes, and 32,000 took 25.
#[test]
fn patterns_have_a_limited_number_of_wildcards() {
    let dir = Dir::of(&[("a", b"x\n")]);
    for (number, line) in [(50, None), (51, Some(102))] {
        let table = |part: &str| format!("[[override]]\npaths = [\"{part}\"]\n");
        dir.write("utf8.toml", table(&"[!b]*".repeat(100)).repeat(number));
        let out = dir.validate().arg("a").assert();
        match line {
            None => out.code(0),
            Some(line) => {
                let why = "the patterns up to here have more than 10,000 of * ? [ { ,\n";
                out.code(2).stderr(format!("utf8: utf8.toml:{line}:10: {why}"))
            }
        };
    }
}

#[test]
fn a_pattern_ends_in_a_blank_after_a_backslash_only() {
    let dir = repository(&[("a ", b"\xFF\n"), ("a", b"\xFF\n")]);
    let exclude =
        |pattern: &str| dir.write("utf8.toml", format!("[validate]\nexclude = ['{pattern}']\n"));
    exclude("a\\ ");
    assert_eq!(found(&dir, &["."]), ["a invalid-fe-ff"]);
    for pattern in ["a ", "a\t", "a\\\\ ", "a\\  ", "a\\\t", "a\u{A0}"] {
        exclude(pattern);
        dir.validate().arg("a").assert().code(2).stderr(contains("2:12: ").and(contains("blanks")));
    }
}

/// Makes git track all files. Returns `false` if it is not installed.
fn track_all(dir: &Dir) -> bool {
    fs::remove_dir(dir.path(".git")).unwrap();
    let git = |args: &[&str]| {
        let run = Command::new("git").arg("-C").arg(dir.path("")).args(args).output();
        run.is_ok_and(|run| run.status.success())
    };
    git(&["init", "-q"]) && git(&["add", "."])
}

#[test]
fn exclusion_holds_for_tracked_files_and_lists() {
    let dir = repository(&[
        ("utf8.toml", b"[validate]\nexclude = [\"gone/**\", \"!gone/kept\"]\n"),
        ("gone/a", b"\xFF\n"),
        ("gone/kept", b"\xFF\n"),
    ]);
    assert_eq!(found(&dir, &["."]), ["gone/kept invalid-fe-ff"]);
    if !track_all(&dir) {
        return crate::common::bin::skipped("exclusion of tracked files", "git is not installed");
    }
    assert_eq!(found(&dir, &["--tracked"]), ["gone/kept invalid-fe-ff"]);
}

/// A configuration in a directory that an outer one excludes has no effect, be it faulty or not.
#[test]
fn a_directory_that_is_excluded_lifts_nothing() {
    let dir = repository(&[
        ("utf8.toml", b"[validate]\nexclude = [\"vendor/\"]\n"),
        ("vendor/lib/utf8.toml", b"[validate]\nwarn = [\"bom\"]\n"),
        ("vendor/lib/a", b"\xFF\n"),
        ("sub/utf8.toml", b"[validate]\nexclude = [\"b\"]\n"),
        ("sub/a", b"\xFF\n"),
        ("sub/b", b"\xFF\n"),
    ]);
    let own = fs::read(dir.path("vendor/lib/utf8.toml")).unwrap();
    for settings in [&own[..], b"x="] {
        dir.write("vendor/lib/utf8.toml", settings);
        let files = ["vendor/lib/a", "sub/a", "sub/b"];
        let absolute = files.map(|name| dir.path(name).to_str().unwrap().to_owned());
        assert_eq!(found(&dir, &["."]), ["sub/a invalid-fe-ff"]);
        assert_eq!(
            found(&dir, &[&["--force-exclude"][..], &files].concat()),
            ["sub/a invalid-fe-ff"]
        );
        let named: Vec<_> =
            ["--force-exclude"].into_iter().chain(absolute.iter().map(|s| &**s)).collect();
        assert_eq!(found(&dir, &named), [format!("{} invalid-fe-ff", absolute[1])]);
    }
    if !track_all(&dir) {
        return crate::common::bin::skipped("exclusion of tracked files", "git is not installed");
    }
    assert_eq!(found(&dir, &["--tracked"]), ["sub/a invalid-fe-ff"]);
}

/// With --force-exclude, what directories leave out is left out where it is named.
#[test]
fn submodules_and_links_that_are_named_are_left_out_by_force() {
    let dir = repository(&[("sub/a", b"\xFF\n"), ("sub/.git/HEAD", b"ref: refs/heads/main\n")]);
    symlink("sub", dir.path("link")).unwrap();
    let faults = |args: &[&str]| found(&dir, args).len();
    for named in ["sub", "link", "./sub"] {
        assert_eq!((faults(&[named]), faults(&["--force-exclude", named])), (1, 0), "{named}");
    }
    assert_eq!(faults(&["--force-exclude", "--submodules", "sub"]), 1);
    dir.write(".git/HEAD", "ref: refs/heads/main\n");
    dir.write("b", b"\xFF\n");
    assert_eq!(faults(&["--force-exclude", "."]), 1);
}

#[test]
fn charsets_of_editorconfig_are_names_of_codecs() {
    let dir = repository(&[
        (".editorconfig", b"root = true\n[*.c]\ncharset = windows-1251\n[*.h]\ncharset = none\n"),
        ("a.c", b"/* \xEF\xF0\xE8 */\n"),
        ("a.h", b"/* \xEF\xF0\xE8 */\n"),
    ]);
    let shown = dir.validate().args(["--show-config", "a.c"]).assert().code(0);
    shown.stdout(contains("encoding = \"windows-1251\"").and(contains(".editorconfig:3")));
    let files: Vec<_> = found(&dir, &["."]).into_iter().map(|line| line[..3].to_owned()).collect();
    assert_eq!(files, ["a.h", "a.h", "a.h"]);
}

#[test]
fn single_settings_lift_the_opposite_lint_and_layers_have_their_order() {
    let dir = repository(&[
        (
            "utf8.toml",
            b"\xEF\xBB\xBF[validate]\ndeny = [\"strict\", \"crlf\"]\nbom = \"forbid\"\n\
              [[override]]\npaths = [\"*.csv\"]\nbom = \"require\"\nfinal-newline = false\n\
              [[override]]\npaths = [\"*.bat\"]\nline-ending = \"crlf\"\n\
              [[override]]\npaths = [\"*.any\"]\nbom = \"any\"\nallow = [\"bom-inside\"]\n\
              [[override]]\npaths = [\"x.any\"]\nwarn = [\"files\"]\nbom = \"forbid\"\n",
        ),
        ("a.csv", b"\xEF\xBB\xBFa"),
        ("b.csv", b"a"),
        ("c.bat", b"a\r\n"),
        ("d.any", b"\xEF\xBB\xBFa\n"),
        ("x.any", b"\xEF\xBB\xBFa"),
        ("y", b"\xEF\xBB\xBFa\r\n"),
    ]);
    let files = ["a.csv", "b.csv", "c.bat", "d.any", "x.any", "y"];
    let expected =
        ["b.csv missing-bom", "x.any bom", "x.any missing-final-newline", "y bom", "y crlf"];
    assert_eq!(found(&dir, &files), expected);
    dir.validate()
        .arg("x.any")
        .assert()
        .code(1)
        .stdout(contains("byte order mark [bom]"))
        .stdout(contains("warning: no line end at the end of the file"));
    dir.validate().args(["--show-config", "y"]).assert().code(0).stdout(contains("utf8.toml:3\n"));
}

#[test]
fn byte_order_marks_and_missing_directories_do_not_hide_settings() {
    let editorconfig = b"\xEF\xBB\xBF[*]\nend_of_line = lf\n".as_slice();
    let dir = repository(&[(".editorconfig", editorconfig), ("x", b"a\r\n")]);
    assert_eq!(found(&dir, &["x"]), ["x crlf"]);
    dir.validate()
        .args(["--stdin-filename", "new/directory/x"])
        .write_stdin("a\r\n")
        .assert()
        .code(1)
        .stdout(contains("[crlf]"));
}

#[test]
fn a_faulty_configuration_is_told_in_spite_of_quiet_and_in_documents() {
    let dir = repository(&[("utf8.toml", b"x = 1"), ("a", b"a\n")]);
    let message = "utf8.toml:1:1: unknown key 'x'";
    dir.validate().args(["-q", "a"]).assert().code(2).stderr(contains(message));
    for target in ["a", "."] {
        let run = dir.validate().args(["--format=junit", target]).assert().code(2);
        let report = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(report.contains("unknown key"), "{report}");
    }
}

#[test]
fn too_many_overrides_are_an_error() {
    let settings = "[[override]]\npaths = [\"a\"]\n".repeat(1001);
    let dir = repository(&[("utf8.toml", settings.as_bytes()), ("f", b"a")]);
    let said = contains("utf8.toml:2001").and(contains("more than 1000 overrides"));
    dir.validate().arg("f").assert().code(2).stdout("").stderr(said);
}
