//! The rules of .gitignore, compared with git itself.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use predicates::str::contains;

use crate::common::bin::{Dir, skipped};

/// The number of sets of rules that are compared.
const ROUNDS: u64 = 100;

/// The parts of patterns.
const PARTS: &[&str] = &[
    "a",
    "b",
    "ab",
    "d",
    "e",
    "x",
    "*",
    "*",
    "**",
    "***",
    "?",
    "/",
    "/",
    "/",
    "**/",
    "/**",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[x-a]",
    "[[:alpha:]]",
    "[[:space:]]",
    "[[:digit:]x]",
    "[[:none:]]",
    "[[:alpha:",
    "[[:]",
    "[]-]",
    "[!]a-]",
    "[a\\]]",
    "[\\]-a]",
    "[/]",
    "[a/]",
    "[!/]",
    "[a",
    "[",
    "]",
    "{a,b}",
    "{",
    "}",
    "\\a",
    "\\*",
    "\\[",
    "\\",
    "\\/",
    ".",
    ".txt",
    "*.txt",
    "!",
    "#",
    " ",
    "\\ ",
    "\t",
    "-",
    "\u{e9}",
    "\0",
];

/// The names of files and directories.
const NAMES: &[&str] = &[
    "a",
    "b",
    "ab",
    "a b",
    "x",
    "d/a",
    "d/b.txt",
    "d/e/a",
    "d/e/ab",
    "d/e/d/a.txt",
    "a.txt",
    "*",
    "{a,b}",
    "{a",
    "]",
    "[",
    "-",
    "!",
    "#",
    "!a",
    " a",
    "a ",
    "\t",
    "\\",
    "\\a",
    "\u{e9}",
    "1",
    "e/d/a",
    "e/ab",
    "e/x/y/a",
    ".txt",
    ".a",
];

/// A generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn line(&mut self) -> String {
        let sign = if self.below(4) == 0 { "!" } else { "" };
        let parts = 1 + self.below(5);
        let part = |random: &mut Random| PARTS[random.below(PARTS.len() as u64) as usize];
        let pattern: String = (0..parts).map(|_| part(self)).collect();
        let end = ["", "", "", "/", " ", "\r"][self.below(6) as usize];
        format!("{sign}{pattern}{end}\n")
    }

    fn rules(&mut self) -> String {
        (0..self.below(7)).map(|_| self.line()).collect()
    }
}

/// Runs git in the directory; `None` if there is none.
fn git(dir: &Dir, args: &[&str]) -> Option<Output> {
    let mut git = Command::new("git");
    git.current_dir(dir.path("t")).args(args).env("HOME", dir.path("")).output().ok()
}

/// Returns the names in a list with NUL.
fn names(output: &[u8]) -> BTreeSet<String> {
    let names = output.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| name.escape_ascii().to_string()).collect()
}

/// Returns the files in `t` that the rules do not exclude.
fn found(dir: &Dir) -> BTreeSet<String> {
    let mut command = dir.raw();
    command.env("HOME", dir.path("")).current_dir(dir.path("t"));
    names(
        &command.args(["-l0", "--no-config", "--exclude=.gitignore", "."]).output().unwrap().stdout,
    )
}

/// Returns the same of git; `None` if there is none.
fn listed_by_git(dir: &Dir) -> Option<BTreeSet<String>> {
    let args = ["ls-files", "-oz", "--exclude-standard", "--", ":!.gitignore", ":!**/.gitignore"];
    Some(names(&git(dir, &args)?.stdout))
}

#[test]
fn git_excludes_the_same_files() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    if git(&dir, &["init", "-q"]).is_none() {
        return skipped("the rules of .gitignore", "there is no git");
    }
    for name in NAMES {
        let path = dir.path("t").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !path.is_dir() {
            fs::write(path, b"\xFF").unwrap();
        }
    }
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..ROUNDS {
        let mut texts = String::new();
        for place in ["t/.gitignore", "t/d/.gitignore", "t/d/e/.gitignore", "t/.git/info/exclude"] {
            let text = random.rules();
            texts += &format!("{place}:\n{text}\n");
            dir.write(place, text);
        }
        assert_eq!(Some(found(&dir)), listed_by_git(&dir), "round {round}\n{texts:?}");
    }
}

#[test]
fn classes_have_the_bytes_that_they_have_for_git() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    if git(&dir, &["init", "-q"]).is_none() {
        return skipped("the classes of .gitignore", "there is no git");
    }
    for byte in (1..=255).filter(|byte| *byte != b'/') {
        if !dir.try_write(&[&b"t/x"[..], &[byte]].concat(), b"\xFF") {
            return skipped("the classes of .gitignore", "the file system refuses some names");
        }
    }
    let classes = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit", "none",
    ];
    for class in classes {
        dir.write("t/.gitignore", format!("x[[:{class}:]]\n"));
        assert_eq!(Some(found(&dir)), listed_by_git(&dir), "{class}");
    }
}

#[test]
fn rules_that_a_library_would_refuse_hold() {
    let dir = Dir::new();
    fs::create_dir(dir.path("t")).unwrap();
    for name in ["x.dat", "xay17", "kept"] {
        dir.write(format!("t/{name}"), b"\xFF");
    }
    let check = |rules: String, kept: &[&str]| {
        dir.write("t/.gitignore", format!("/.gitignore\n{rules}"));
        let kept = kept.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(found(&dir), kept, "{} bytes", rules.len());
    };
    check("*x*y17\n".repeat(18_000) + "*.dat\n", &["kept"]);
    check(format!("{}.dat\n", "*".repeat(4000)), &["kept", "xay17"]);
    check("!\n!  \n!/\n".to_owned(), &["kept", "x.dat", "xay17"]);
    check("*.dat\n!\n! \n!/\n".to_owned(), &["kept", "xay17"]);
    dir.write("t/.gitignore", "");
    dir.write("t/.gitattributes", "*.dat binary\n".to_owned() + &"*[0-9] -text\n".repeat(30_000));
    assert_eq!(
        found(&dir),
        [".gitattributes", "kept"].map(str::to_owned).into_iter().skip(1).collect()
    );
}

#[test]
fn rules_beyond_the_limits_are_errors() {
    let dir = Dir::new();
    fs::create_dir_all(dir.path("t/sub")).unwrap();
    dir.write("t/a", b"\xFF");
    dir.write("t/sub/b", b"\xFF");
    let check = |name: &str, text: &str, message: &str| {
        dir.write(format!("t/sub/{name}"), text);
        for (named, said) in [("t", "t/a:1:1"), ("t/sub", "")] {
            let out = dir.validate().arg(named).assert().code(2).stdout(contains(said));
            out.stderr(contains(message));
            let out = dir.validate().arg(named).output().unwrap();
            assert!(!String::from_utf8(out.stdout).unwrap().contains("sub"), "{name} {named}");
        }
        fs::remove_file(dir.path("t/sub").join(name)).unwrap();
    };
    let many = "*x*y*z*1\n".repeat(70_000);
    let hint = "(--no-ignore reads the directory without it)";
    check(
        ".gitignore",
        &many,
        &format!("t/sub: its .gitignore has more than 65,536 patterns {hint}"),
    );
    check(".ignore", &many, "t/sub: its .ignore has more than 65,536 patterns");
    let long = format!("#\n{}\n", "?".repeat(200_000));
    check(
        ".gitignore",
        &long,
        "t/sub: its .gitignore has a pattern of more than 4096 bytes in line 2",
    );
    check(".gitignore", &"#\n".repeat(3 << 20), "t/sub: its .gitignore is larger than 4 MiB");
    let many = "*[0-9] text eol=lf\n".repeat(70_000);
    check(
        ".gitattributes",
        &many,
        "t/sub/.gitattributes: has more than 65,536 patterns; the files in its directory are not read",
    );
    // Macros that lead to others.
    let chain = (0..60_000).map(|number| format!("[attr]m{number} m{}\n", number + 1));
    let chain = format!("b m0\n[attr]m60000 -text\n{}", chain.collect::<String>());
    dir.write("t/sub/.gitattributes", chain);
    dir.validate().args(["-l", "t/sub"]).assert().code(0).stdout("");
}

#[test]
fn a_directory_without_a_repository_in_its_git_is_read() {
    let dir = Dir::of(&[
        ("t/empty/a", &b"\xFF"[..]),
        ("t/nowhere/.git", b"gitdir: nowhere\n"),
        ("t/nowhere/a", b"\xFF"),
        ("t/inner/.git/HEAD", b"ref: refs/heads/main\n"),
        ("t/inner/a", b"\xFF"),
        ("t/linked/.git", b"gitdir: ../inner/.git\n"),
        ("t/linked/a", b"\xFF"),
    ]);
    fs::create_dir(dir.path("t/empty/.git")).unwrap();
    let out = dir.validate().args(["-l", "t"]).assert().code(1);
    out.stdout("t/empty/a\nt/nowhere/a\n");
}
