//! .gitattributes: files in a declared encoding, and files that are marked as binary.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use crate::common::bin::{Dir, skipped, utf8};

/// Writes files, and the directories that they are in.
fn write(dir: &Dir, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        fs::create_dir_all(dir.path(name).parent().unwrap()).unwrap();
        dir.write(name, bytes);
    }
}

/// Returns a command that knows no attributes of the user and the system.
fn validate(dir: &Dir) -> assert_cmd::Command {
    let mut run = dir.validate();
    run.env("HOME", dir.path("home")).env("GIT_ATTR_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME");
    run
}

/// Returns the codec of each file that is checked in `t`, by name; `binary` for those that
/// .gitattributes leaves out.
fn readings(dir: &Dir, args: &[&str]) -> BTreeMap<String, String> {
    let out = validate(dir).args(["-v", "--format=json"]).args(args).arg("t").output().unwrap();
    let out = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
    let checked =
        out[0].lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let checked = checked.filter(|object| object["type"] == "summary").map(|object| {
        (object["path"].as_str().unwrap().into(), object["codec"].as_str().unwrap().into())
    });
    let end = ": skipped: -text or binary in .gitattributes (--binary reads it)";
    let left = out[1].lines().filter_map(|line| line.strip_suffix(end));
    checked.chain(left.map(|name| (name.into(), "binary".into()))).collect()
}

/// Legacy encodings accept nearly all bytes, so that a declaration that is wrong goes unnoticed.
#[test]
fn a_valid_file_that_looks_like_another_encoding_is_noted() {
    let dir = Dir::new();
    write(
        &dir,
        &[
            (
                "t/.gitattributes",
                b"*.txt working-tree-encoding=windows-1252\n\
                                   *.rc working-tree-encoding=UTF-16LE\n",
            ),
            ("t/right.txt", b"L'\xE9t\xE9 \xE0 la plage, c'est l'\xE9t\xE9\n"),
            ("t/wrong.txt", "Größe, Übung, Straße\n".as_bytes()),
            ("t/a.rc", b"ASCII text, 24 bytes ...\n"),
        ],
    );
    let note = |name: &str, set: &str, found: &str| {
        format!(
            "{name}: is valid {set}, but looks like {found} (utf8 validate --show-config {name} \
             shows what is set)\n"
        )
    };
    let text = note("t/wrong.txt", "windows-1252", "utf-8");
    let wide = note("t/a.rc", "utf-16le", "us-ascii");
    dir.write("t/a.rc", b"ASCII text, 26 bytes ....\n");
    let verbose = validate(&dir).args(["-v", "t"]).assert().code(0);
    verbose.stderr(contains(text).and(contains(wide)).and(contains("right.txt: is valid").not()));
    validate(&dir).arg("t").assert().code(0).stderr(contains(
        "total: 2 files are valid in the encodings that are set, but look like others, the first is \
         t/a.rc (utf8 validate --show-config t/a.rc and utf8 detect t/a.rc name them)\n",
    ));
    validate(&dir).args(["-q", "t"]).assert().code(0).stderr("");
    validate(&dir).args(["-f", "windows-1252", "t/wrong.txt"]).assert().code(0).stderr("");
    dir.write("utf8.toml", b"[validate]\nencoding = 'koi8-r'\n");
    let named = validate(&dir).arg("t/wrong.txt").assert().code(0);
    named.stderr(note("t/wrong.txt", "koi8-r", "utf-8"));
    // The lint makes a finding of it.
    let named = ["--deny=wrong-declaration", "t/wrong.txt"];
    validate(&dir).args(named).assert().code(1).stdout(
        "t/wrong.txt:1:1: byte 0x0 (0): koi8-r is set by utf8.toml:2, but the text is utf-8 \
         [wrong-declaration]\n",
    );
    let tree = ["--deny=wrong-declaration", "--no-config", "--format=tsv", "t"];
    let tree = validate(&dir).args(tree).assert().code(1).stderr("");
    tree.stdout(contains("\twrong-declaration\t1\t1\t").and(contains("right.txt").not()));
    let known = ["--warn=wrong-declaration", "--write-baseline=known", "t/wrong.txt"];
    validate(&dir).args(known).assert().code(0);
    let known = ["--deny=wrong-declaration", "--baseline=known", "t/wrong.txt"];
    validate(&dir).args(known).assert().code(0).stdout("");
    let comment = b"# utf8:allow-file(wrong-declaration)\n";
    dir.write("t/wrong.txt", [&comment[..], "Größe, Übung, Straße\n".as_bytes()].concat());
    validate(&dir).args(named).assert().code(0).stdout("");
}

#[test]
fn a_file_is_validated_in_its_declared_encoding() {
    let dir = Dir::new();
    let attributes = b"*.reg working-tree-encoding=UTF-16LE-BOM\n\
                       *.txt working-tree-encoding=windows-1252 text eol=crlf\n\
                       utf8.txt working-tree-encoding=UTF-8\n";
    write(
        &dir,
        &[
            ("t/.gitattributes", attributes),
            ("t/a.reg", b"\xFF\xFEa\0\0\xD8"),
            ("t/b.txt", b"\x80 is the euro sign"),
            ("t/utf8.txt", b"\xFF"),
            ("t/lfs.reg", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n"),
        ],
    );
    validate(&dir).arg("t").assert().code(1).stdout(
        "t/a.reg:1:5: byte 0x4 (4): truncated 4-byte sequence 00 D8, found the end of input \
         [truncated-end]\n\
         t/utf8.txt:1:1: byte 0x0 (0): byte FF starts no sequence [invalid-fe-ff]\n",
    );
}

#[test]
fn marked_files_are_skipped() {
    let dir = Dir::new();
    let attributes = b"*.dat binary\n*.raw -text\nkeep.dat text\nagain.dat !text\n";
    write(
        &dir,
        &[
            ("t/.gitattributes", attributes),
            ("t/a.dat", b"\xFF"),
            ("t/b.raw", b"\xFF"),
            ("t/keep.dat", b"\xFF"),
            ("t/again.dat", b"\xFF"),
        ],
    );
    let out = validate(&dir).args(["-v", "t"]).assert().code(1);
    out.stderr(
        contains("t/a.dat: skipped: -text or binary in .gitattributes (--binary reads it)\n")
            .and(contains("; skipped: 2 that .gitattributes marks as binary\n")),
    );
    assert_eq!(readings(&dir, &[]).values().filter(|codec| *codec == "binary").count(), 2);
    assert!(readings(&dir, &["--binary"]).values().all(|codec| codec == "utf-8"));
    let mut run = utf8();
    run.current_dir(dir.path(""))
        .args(["detect", "t"])
        .assert()
        .code(0)
        .stdout("t/.gitattributes: us-ascii\nt/again.dat: unknown\nt/keep.dat: unknown\n");
}

#[test]
fn an_unknown_encoding_is_an_error_of_the_file() {
    let dir = Dir::new();
    write(
        &dir,
        &[("t/.gitattributes", b"\n*.txt working-tree-encoding=x\x1B[2J\n"), ("t/a.txt", b"a\n")],
    );
    let said = "utf8: t/a.txt: t/.gitattributes:2: working-tree-encoding=x\\x1B[2J: unknown \
                encoding (utf8 --list-codecs lists those that are known)\n";
    let out = validate(&dir).arg("t").assert().code(2).stdout("");
    out.stderr(contains(said));
    validate(&dir).args(["-f", "latin1", "t"]).assert().code(0);
}

#[test]
fn an_option_decides_before_attributes() {
    let dir = Dir::new();
    let attributes = b"*.txt working-tree-encoding=utf-16be\n";
    write(&dir, &[("t/.gitattributes", attributes), ("t/a.txt", b"abc"), ("t/b", b"ok")]);
    assert_eq!(readings(&dir, &[])["t/a.txt"], "utf-16be");
    assert_eq!(readings(&dir, &["-f", "cesu-8"])["t/a.txt"], "cesu-8");
    // A file that is named is read as the options say, unless the rules of directories apply.
    validate(&dir).arg("t/a.txt").assert().code(0);
    validate(&dir).args(["--force-exclude", "t/a.txt"]).assert().code(1);
}

#[test]
fn named_files_have_the_attributes_of_their_directories() {
    let dir = Dir::new();
    write(&dir, &[("t/sub/.gitattributes", b"* -text\n")]);
    for name in ["t/a", "t/sub/b", "t/c", "t/sub/d", "e"] {
        write(&dir, &[(name, b"\xFF")]);
    }
    let args = ["-l", "--force-exclude", "t/a", "t/sub/b", "t/c", "t/sub/d", "e"];
    validate(&dir).args(args).assert().code(1).stdout("t/a\nt/c\ne\n");
}

#[test]
fn files_of_attributes_have_a_precedence() {
    let dir = Dir::new();
    write(
        &dir,
        &[
            ("home/.config/git/attributes", b"* working-tree-encoding=cp437\n[attr]mine -text\n"),
            ("t/.git/info/attributes", b"info working-tree-encoding=koi8-r\n"),
            (
                "t/.gitattributes",
                b"top* working-tree-encoding=latin1\ninfo working-tree-encoding=latin2\n\
                  sub/inner working-tree-encoding=latin2\nmacro mine\n[attr]own mine\nown own\n",
            ),
            (
                "t/sub/.gitattributes",
                b"*2 working-tree-encoding=latin5\n[attr]no -text\ninner no !working-tree-encoding\n",
            ),
        ],
    );
    for name in ["a", "top1", "top2", "info", "macro", "own", "sub/top1", "sub/top2", "sub/inner"] {
        write(&dir, &[(&format!("t/{name}"), b"x")]);
    }
    let expected = [
        ("t/.gitattributes", "cp437"),
        ("t/a", "cp437"),
        ("t/info", "koi8-r"),
        ("t/macro", "binary"),
        ("t/own", "binary"),
        ("t/sub/.gitattributes", "cp437"),
        ("t/sub/inner", "utf-8"),
        ("t/sub/top1", "iso-8859-1"),
        ("t/sub/top2", "iso-8859-9"),
        ("t/top1", "iso-8859-1"),
        ("t/top2", "iso-8859-1"),
    ];
    let name = |label: &str| utf8::Encoding::for_label(label).unwrap().name;
    let expected = expected.map(|(path, label)| {
        (path.to_owned(), if label == "binary" { label } else { name(label) }.to_owned())
    });
    // The encoding is declared for all files by the user: those with a mark have it, too.
    let expected: BTreeMap<_, _> = expected
        .into_iter()
        .map(
            |(path, codec)| {
                if codec == "binary" { (path, "cp437".to_owned()) } else { (path, codec) }
            },
        )
        .collect();
    let found = readings(&dir, &[]);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, codec) in &expected {
        assert_eq!(utf8::Encoding::for_label(codec).unwrap().name, found[path], "{path}");
    }
}

#[test]
fn attributes_above_the_directory_count() {
    let dir = Dir::new();
    let attributes = b"*.a -text\n/sub/x.b -text\n/x.c -text\n";
    write(
        &dir,
        &[
            (".git/HEAD", b""),
            (".gitattributes", attributes),
            ("t/.gitattributes", b"y.a text\n"),
            ("t/sub/x.a", b""),
            ("t/y.a", b""),
            ("t/sub/x.b", b""),
            ("t/x.c", b""),
        ],
    );
    let found = readings(&dir, &[]);
    let left: Vec<_> = found.iter().filter(|(_, codec)| *codec == "binary").collect();
    assert_eq!(left.len(), 1, "{found:?}");
    assert_eq!(left[0].0, "t/sub/x.a");
    symlink("../elsewhere", dir.path("t/sub/.gitattributes")).unwrap();
    dir.write("elsewhere", b"* -text\n");
    assert_eq!(readings(&dir, &[]).len(), found.len());
}

/// A generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn pattern(&mut self) -> String {
        const PARTS: [&str; 34] = [
            "a",
            "b",
            "c",
            "ab",
            "*",
            "*",
            "**",
            "?",
            "[ab]",
            "[!a]",
            "[^b]",
            "[a-c]",
            "[[:alpha:]]",
            "[[:digit:]x]",
            "[]-]",
            "[!]a-]",
            "\\a",
            "\\*",
            "{a,b}",
            "x y",
            ".",
            ".txt",
            ".c",
            "*.txt",
            "[a",
            "d",
            "e",
            "/",
            "/",
            "/",
            "**/",
            "/**",
            "[\\]]",
            "-",
        ];
        let mut pattern: String = (0..=self.below(4)).map(|_| self.of(&PARTS)).collect();
        // The meaning of three asterisks is not defined.
        while pattern.contains("***") {
            pattern = pattern.replace("***", "**");
        }
        match pattern.contains(' ') || self.below(8) == 0 {
            true => format!("\"{}\"", pattern.replace('\\', "\\\\")),
            false => pattern,
        }
    }

    fn line(&mut self) -> String {
        const STATES: [&str; 20] = [
            "text",
            "-text",
            "!text",
            "text=auto",
            "binary",
            "-binary",
            "!binary",
            "m",
            "-m",
            "n",
            "working-tree-encoding=utf-16le",
            "working-tree-encoding=iso-8859-1",
            "working-tree-encoding=UTF-8",
            "!working-tree-encoding",
            "diff",
            "eol=lf",
            "-diff",
            "merge=x",
            "text",
            "-text",
        ];
        let states = |random: &mut Random| {
            (0..=random.below(3)).map(|_| random.of(&STATES)).collect::<Vec<_>>().join(" ")
        };
        match self.below(14) {
            0 => format!("[attr]{} {}", self.of(&["m", "n", "binary", "text"]), states(self)),
            1 => "# comment text".to_owned(),
            2 => format!("!{} -text", self.pattern()),
            3 => format!("{} in/valid -text", self.pattern()),
            4 => format!("  {}\t{} ", self.pattern(), states(self)),
            _ => format!("{} {}", self.pattern(), states(self)),
        }
    }

    fn file(&mut self) -> String {
        (0..self.below(7)).map(|_| self.line() + self.of(&["\n", "\n", "\r\n"])).collect()
    }
}

/// Returns what git says of the attributes of each path, as [`readings`] has it.
fn git_readings(dir: &Dir, names: &[String]) -> BTreeMap<String, String> {
    let mut git = Command::new("git");
    git.current_dir(dir.path("t")).env("HOME", dir.path("home")).env("GIT_ATTR_NOSYSTEM", "1");
    git.env_remove("XDG_CONFIG_HOME").args([
        "check-attr",
        "-z",
        "text",
        "working-tree-encoding",
        "--",
    ]);
    let out = git.args(names).stderr(Stdio::null()).output().unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    let mut fields = out.split('\0');
    let mut readings = BTreeMap::new();
    while let (Some(path), Some(_), Some(text), Some(_), Some(_), Some(encoding)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    {
        let reading = match (encoding, text) {
            ("utf-16le" | "iso-8859-1", _) => encoding,
            ("UTF-8", _) => "utf-8",
            (_, "unset") => "binary",
            _ => "utf-8",
        };
        readings.insert(format!("t/{path}"), reading.to_owned());
    }
    readings
}

#[test]
fn git_finds_the_same_attributes() {
    let dir = Dir::new();
    let init = Command::new("git").args(["init", "-q", "t"]).current_dir(dir.path("")).status();
    if !init.is_ok_and(|status| status.success()) {
        return skipped("the rules of .gitattributes", "there is no git");
    }
    fs::create_dir_all(dir.path("home/.config/git")).unwrap();
    let mut names = Vec::new();
    let folders = ["", "a/", "d/", "d/e/", "a/b/c/"];
    for folder in folders {
        fs::create_dir_all(dir.path("t").join(folder)).unwrap();
    }
    let files = ["a", "b", "ab", "x y", "b.txt", "c.txt", "ab.c", "*", "{a,b}", "]", "-", "1x"];
    for name in folders.iter().flat_map(|folder| files.map(|file| format!("{folder}{file}"))) {
        if !dir.path("t").join(&name).is_dir() {
            dir.write(format!("t/{name}"), b"");
            names.push(name);
        }
    }
    names.sort();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..60 {
        let places = [
            "t/.gitattributes",
            "t/d/.gitattributes",
            "t/d/e/.gitattributes",
            "t/a/b/.gitattributes",
            "t/.git/info/attributes",
            "home/.config/git/attributes",
        ];
        let mut texts = String::new();
        for place in places {
            let text = random.file();
            texts += &format!("{place}:\n{text}\n");
            dir.write(place, text);
        }
        let expected = git_readings(&dir, &names);
        assert_eq!(expected.len(), names.len());
        let mut found = readings(&dir, &["--no-ignore"]);
        found.retain(|name, _| !name.ends_with(".gitattributes"));
        assert_eq!(found, expected, "round {round}\n{texts}");
    }
}

#[test]
fn a_byte_order_mark_at_the_start_is_skipped() {
    let dir = Dir::new();
    let attributes = b"\xEF\xBB\xBFa -text\n";
    write(&dir, &[("t/.gitattributes", attributes), ("t/a", b"\xFF"), ("t/b", b"b")]);
    let readings = readings(&dir, &[]);
    assert_eq!((readings["t/a"].as_str(), readings["t/b"].as_str()), ("binary", "utf-8"));
}

#[test]
fn a_declared_encoding_that_settings_override_is_named() {
    let dir = Dir::of(&[
        ("t/.gitattributes", &b"*.txt working-tree-encoding=ISO-8859-1\n"[..]),
        ("t/a.txt", b"Pr\xFCfung\n"),
    ]);
    dir.validate().arg("t").assert().code(0);
    dir.write("t/.editorconfig", b"root = true\n[*]\ncharset = utf-8\n");
    let out = dir.validate().arg("t").assert().code(1);
    out.stderr(contains(
        "t/a.txt: is iso-8859-1 by .gitattributes, read as utf-8 by t/.editorconfig:3\n",
    ));
}
