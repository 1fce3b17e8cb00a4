//! `utf8 repair --fix` where settings, baselines and the hints of `utf8 validate` say what is fixed.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use super::fixes::fix;
use crate::common::bin::{Dir, utf8};

#[test]
fn settings_decide_what_is_fixed() {
    let dir = Dir::of(&[
        (
            "utf8.toml",
            b"[validate]\nline-ending = \"lf\"\nbom = \"require\"\nfinal-newline = false\n\
            deny = [\"invisible\"]\n\
            [[override]]\npaths = [\"*.bat\"]\nline-ending = \"crlf\"\nallow = [\"files\"]\n\
            bom = \"any\"\n",
        ),
        ("a", b"\xEF\xBB\xBFa\r\nb\r\nc"),
        ("b", b"a"),
        ("c.bat", b"\xEF\xBB\xBFa\n\rb"),
        ("d", b"a\xE2\x80\x8Bb\n"),
    ]);
    fix(&dir, &["-i", "-q", "--fix", "a", "b", "c.bat", "d"]).assert().code(0);
    let read = |name| fs::read(dir.path(name)).unwrap();
    assert_eq!(read("a"), b"\xEF\xBB\xBFa\nb\nc");
    assert_eq!(read("b"), b"\xEF\xBB\xBFa");
    assert_eq!(read("c.bat"), b"\xEF\xBB\xBFa\r\n\rb");
    assert_eq!(read("d"), b"\xEF\xBB\xBFa\xE2\x80\x8Bb\n");
    fix(&dir, &["-i", "-q", "--fix", "--unsafe-fixes", "d"]).assert().code(0);
    assert_eq!(read("d"), b"\xEF\xBB\xBFab\n");
    // A lint that is named is fixed unless the settings exclude it; they can be left out.
    let excluded = "c.bat: its settings exclude bom: not fixed (--no-config, --no-editorconfig)\n";
    fix(&dir, &["-i", "--fix=bom", "c.bat"]).assert().code(0).stderr(excluded);
    fix(&dir, &["-i", "--fix=bom", "--unsafe-fixes", "a"]).assert().code(0);
    assert_eq!(read("a"), b"\xEF\xBB\xBFa\nb\nc");
    fix(&dir, &["-i", "-q", "--fix", "--no-config", "c.bat"]).assert().code(0);
    assert_eq!(read("c.bat"), b"a\r\n\r\nb\r\n");
    fix(&dir, &["-i", "--no-config", "c.bat"]).assert().code(2).stderr(contains("--fix"));
}

/// Where ill-formed sequences are allowed, they are kept and do not stop the fixes.
#[test]
fn ill_formed_sequences_that_are_allowed_are_kept() {
    let text = b"a\xC0\xAF\xEF\xBB\xBFb\r\n\xFF\xED\xA0\x80c\n\xE2\x82";
    let dir = Dir::of(&[
        ("utf8.toml", b"[validate]\ndeny = [\"files\"]\nallow = [\"ill-formed\"]\n"),
        ("a", text),
        ("b", b"a\xFF\n"),
        ("c", b"\xFF\xFEa\0b\0"),
    ]);
    let total =
        contains("4 files checked").and(contains("1 would change, 2 unchanged, 1 in another"));
    fix(&dir, &["-i", "-r", "--fix", "--check", "."]).assert().code(1).stderr(total);
    let kept = b"a\xC0\xAFb\r\n\xFF\xED\xA0\x80c\r\n\xE2\x82\r\n";
    fix(&dir, &["--fix", "a"]).assert().code(0).stdout(&kept[..]);
    fix(&dir, &["-i", "-r", "--fix", "."]).assert().code(0);
    assert_eq!(fs::read(dir.path("a")).unwrap(), kept);
    // A policy that is named holds.
    fix(&dir, &["-i", "--fix", "--on-error=ignore", "b"]).assert().code(0);
    assert_eq!(fs::read(dir.path("b")).unwrap(), b"a\n");
}

/// Ill-formed sequences that the baseline knows are kept, as those that are allowed.
#[test]
fn ill_formed_sequences_of_the_baseline_are_kept() {
    let dir = Dir::of(&[("utf8.toml", b"[validate]\ndeny = [\"crlf\"]\n"), ("a", b"a\xE9\n")]);
    dir.validate().args(["--write-baseline=known", "a"]).assert().code(0);
    dir.write("a", b"a\xE9\nb\r\n");
    let fix = |args: &[&str]| {
        let mut run = fix(&dir, &["--fix", "--baseline=known"]);
        run.args(args).arg("a");
        run.assert()
    };
    fix(&["-i", "--check"]).code(1).stdout("a\n");
    fix(&[]).code(0).stdout(&b"a\xE9\nb\n"[..]);
    dir.write("a", b"a\xE9\nb\xF8\r\n");
    fix(&["-i"]).code(1);
    assert_eq!(fs::read(dir.path("a")).unwrap(), b"a\xE9\nb\xF8\r\n");
}

/// Returns the command that `utf8 validate` suggests for a run with these arguments, if any.
fn suggested(dir: &Dir, args: &[&str]) -> Option<String> {
    let out = utf8().current_dir(dir.path(".")).arg("validate").args(args).assert();
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    let (before, _) = text.split_once(" fixes up to ")?;
    Some(before[before.rfind("utf8 repair")?..].to_owned())
}

#[test]
fn the_command_that_validate_suggests_works_as_it_is() {
    let dir = Dir::new();
    for folder in ["t", "t/a b", "u"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    dir.write(
        "t/.editorconfig",
        "root = true\n[*.md]\ninsert_final_newline = true\nend_of_line = lf\n\
         [*.bat]\nend_of_line = crlf\n",
    );
    let clean = [("t/a.bat", &b"a\r\n"[..]), ("t/a.txt", b"\xEF\xBB\xBFa\r\nb"), ("t/a.xml", b"a")];
    clean.iter().for_each(|(name, text)| dir.write(name, text));
    dir.write("t/a b/b.md", "a\r\nb");
    let command = suggested(&dir, &["t"]).unwrap();
    assert_eq!(command, "utf8 repair -i -r --fix t");
    let words = |command: &str| command.split(' ').skip(2).map(str::to_owned).collect::<Vec<_>>();
    fix(&dir, &[]).args(words(&command)).assert().code(0);
    assert_eq!(fs::read(dir.path("t/a b/b.md")).unwrap(), b"a\nb\n");
    for (name, text) in clean {
        assert_eq!(fs::read(dir.path(name)).unwrap(), text, "{name}");
    }
    assert_eq!(suggested(&dir, &["t"]), None);
    // Options that select lints and files are those of the command.
    let cases: [(&[&str], &str); 5] = [
        (&["--deny=files", "t"], "-r --fix=bom,missing-final-newline t"),
        (
            &["--deny=bom", "--glob=*.txt", "--no-editorconfig", "t"],
            "-r --fix=bom --no-editorconfig --glob '*.txt' t",
        ),
        (&["--deny=bom", "t", "u"], "-r --fix=bom t u"),
        (&["--deny=crlf", "-fkoi8-r", "t/a.bat"], "--fix=crlf -f koi8-r t/a.bat"),
        (&["--warn=missing-final-newline", "t/a.txt"], "--fix=missing-final-newline t/a.txt"),
    ];
    dir.write("u/a", "\u{FEFF}a\n");
    for (args, expected) in cases {
        assert_eq!(suggested(&dir, args).as_deref(), Some(&*format!("utf8 repair -i {expected}")));
    }
    // No command fixes lints that exclude each other.
    dir.write("both", b"a\r\nb\n");
    assert_eq!(suggested(&dir, &["--deny=crlf,lf", "both"]), None);
    // The command would leave these files as they are.
    dir.write("t/utf8.toml", "[[override]]\npaths = [\"*.ini\"]\nencoding = \"windows-1251\"\n");
    dir.write("t/a.ini", b"a");
    dir.write("logo.bin", b"\0a");
    dir.write("logo.png", b"\x89PNG\r\n\x1A\n");
    dir.write("bad", b"a\xFF\na");
    for name in ["t/a.ini", "logo.bin", "logo.png", "bad"] {
        assert_eq!(
            suggested(&dir, &["--deny=missing-final-newline,mixed-line-ending", name]),
            None,
            "{name}"
        );
    }
}

#[test]
fn editorconfig_and_attributes_hold() {
    let dir = Dir::new();
    for folder in ["t", "t/.git"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    dir.write(
        "t/.editorconfig",
        "root = true\n[*.md]\nend_of_line = crlf\ninsert_final_newline = true\n",
    );
    dir.write("t/.gitattributes", "*.sh eol=lf\n");
    dir.write("t/a.md", "a\nb");
    dir.write("t/b.sh", "\u{FEFF}a\r\nb");
    fix(&dir, &["-i", "-r", "--fix", "t"]).assert().code(0);
    assert_eq!(fs::read(dir.path("t/a.md")).unwrap(), b"a\r\nb\r\n");
    assert_eq!(fs::read(dir.path("t/b.sh")).unwrap(), b"\xEF\xBB\xBFa\nb");
    // The configuration files themselves are text, too, and are in order.
    fix(&dir, &["-i", "-r", "--fix", "--check", "t"]).assert().code(0).stdout("");
}

#[test]
fn files_that_the_configuration_excludes_are_left() {
    let dir = Dir::new();
    for folder in ["t", "t/testdata"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    dir.write(
        "t/utf8.toml",
        "[validate]\nexclude = [\"testdata/\"]\n\
        [[override]]\npaths = [\"*.ini\"]\nencoding = \"windows-1251\"\n",
    );
    dir.write("t/testdata/a", "a\r\nb\n");
    dir.write("t/b.ini", b"\xEF\xF0\r\n\xE8\n");
    dir.write("t/c", "a\r\nb\n");
    fix(&dir, &["-i", "-r", "--fix", "t"]).assert().code(0).stderr(
        contains(
            "2 files checked", // utf8.toml and c
        )
        .or(contains("1 with a declared encoding")),
    );
    assert_eq!(fs::read(dir.path("t/testdata/a")).unwrap(), b"a\r\nb\n");
    assert_eq!(fs::read(dir.path("t/b.ini")).unwrap(), b"\xEF\xF0\r\n\xE8\n");
    assert_eq!(fs::read(dir.path("t/c")).unwrap(), b"a\r\nb\r\n");
    let refused =
        "t/b.ini: its settings say windows-1251: not repaired (-f windows-1251 repairs it)";
    fix(&dir, &["-i", "--fix", "t/b.ini"]).assert().code(0).stderr(contains(refused));
    fix(&dir, &["--fix", "t/b.ini"]).assert().code(2).stdout("").stderr(contains(refused));
    fix(&dir, &["-i", "--fix", "-fwindows-1251", "t/b.ini"]).assert().code(0);
    assert_eq!(fs::read(dir.path("t/b.ini")).unwrap(), b"\xEF\xF0\r\n\xE8\r\n");
    // An error in the configuration is reported once, and nothing is changed.
    dir.write("t/utf8.toml", "[validate]\nline-end = 1\n");
    dir.write("t/d", "a\r\nb\n");
    let out = fix(&dir, &["-i", "--fix", "t/c", "t/d"]).assert().code(2);
    out.stderr(starts_with("utf8: t/utf8.toml:2:1: ").and(contains("t/c").not()));
    assert_eq!(fs::read(dir.path("t/d")).unwrap(), b"a\r\nb\n");
}

#[test]
fn findings_of_a_baseline_are_left() {
    let dir = Dir::of(&[("a", "a\u{200B}\n".as_bytes())]);
    let validate = |args: &[&str]| {
        let mut command = utf8();
        command.current_dir(dir.path(".")).args(["validate", "--deny=invisible,bom"]).args(args);
        command
    };
    validate(&["--write-baseline=known", "a"]).assert().code(0);
    dir.write("a", "\u{FEFF}a\u{200B}\n\u{200B}\n");
    let hint = contains("utf8 repair -i --fix=bom --baseline known a fixes up to 1 finding");
    validate(&["--baseline=known", "a"]).assert().code(1).stderr(hint);
    let options = ["--fix=invisible,bom", "--unsafe-fixes", "--baseline=known", "a"];
    fix(&dir, &["-i"]).args(options).assert().code(0);
    assert_eq!(fs::read(dir.path("a")).unwrap(), "a\u{200B}\n\n".as_bytes());
    fix(&dir, &["--baseline=known", "a"]).assert().code(2).stderr(contains("--fix"));
}
