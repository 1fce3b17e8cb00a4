//! The help, the man pages and their examples.

use clap::{Arg, Command};

use utf8::cli::{self, TOPICS};

use crate::common::bin::{Dir, emulated, raw, shell_of, skipped};
use crate::{man, readme};

/// Returns the command tree as clap completes it, `utf8` first.
fn commands() -> Vec<Command> {
    let mut command = cli::command().disable_help_subcommand(true);
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    [vec![command], subcommands].concat()
}

/// Returns the name of a command as its man page has it.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Returns the options that the help shows, but `--help` and `--version`.
fn options(command: &Command) -> impl Iterator<Item = &Arg> {
    command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str()))
}

#[test]
fn the_short_help_fits_a_screen() {
    for command in commands() {
        for width in [80, 100] {
            let help = command.clone().term_width(width).render_help().to_string();
            let lines = help.lines().count();
            assert!(lines <= 40, "{}: {lines} lines:\n{help}", command.get_name());
            let widest = help.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{}: {widest} columns", command.get_name());
            let pointer = format!("{} --help", page_name(&command).replacen('-', " ", 1));
            assert!(help.lines().last().unwrap().contains(&pointer), "{help}");
        }
    }
}

#[test]
fn the_long_help_and_the_page_have_every_option() {
    let pages = man::pages();
    for command in commands() {
        let help = command.clone().render_long_help().to_string();
        let name = format!("{}.1", page_name(&command));
        let (_, page) = pages.iter().find(|(file, _)| *file == name).unwrap();
        for long in options(&command).filter_map(Arg::get_long) {
            let names = |line: &str| {
                line.trim_start()
                    .split([' ', '=', '['])
                    .any(|word| word.strip_prefix("--") == Some(long))
            };
            assert!(help.lines().any(names), "{name}: --{long}");
            let escaped = format!("\\-\\-{}\\fR", long.replace('-', "\\-"));
            assert!(page.contains(&escaped), "{name}: --{long}");
        }
    }
}

/// Options that the lists leave out, because another page describes them, are in the text below. One is
/// without effect.
#[test]
fn the_long_help_names_every_other_option() {
    for command in commands() {
        let help = command.clone().render_long_help().to_string();
        let hidden = command.get_arguments().filter(|arg| arg.is_hide_set());
        let walks = ["validate", "detect"].contains(&command.get_name());
        let hidden = hidden.filter(|arg| !(walks && arg.get_id() == "recursive"));
        for long in hidden.filter_map(Arg::get_long) {
            let option = format!("--{long}");
            let is_end = |rest: &str| !rest.starts_with(|c: char| c == '-' || c.is_alphanumeric());
            let mut places = help.match_indices(&option);
            let names = |(at, _): (usize, &str)| is_end(&help[at + option.len()..]);
            assert!(places.any(names), "{}: {option}", command.get_name());
        }
    }
}

#[test]
fn options_have_the_same_words_everywhere() {
    for command in commands() {
        let short = command.clone().term_width(1000).render_help().to_string();
        let long = command.clone().term_width(1000).render_long_help().to_string();
        for arg in options(&command) {
            let help = arg.get_help().unwrap().to_string();
            assert!(long.contains(&help), "{}: {help}", command.get_name());
            assert!(arg.is_hide_short_help_set() || short.contains(&help), "{help}");
            if let Some(long) = arg.get_long_help() {
                assert!(long.to_string().starts_with(&help), "{help}");
            }
        }
    }
}

#[test]
fn apropos_finds_the_pages() {
    let pages = man::pages();
    let name = |page: &str| {
        page.split(".SH NAME\n").nth(1).unwrap().lines().next().unwrap().to_lowercase()
    };
    let names: Vec<_> = pages.iter().map(|(_, page)| name(page)).collect();
    for word in [
        "utf\\-8",
        "mojibake",
        "bom",
        "iconv",
        "hexdump",
        "encoding",
        "code page",
        "lint",
        "detect",
        "repair",
    ] {
        assert!(names.iter().any(|name| name.contains(word)), "{word}: {names:#?}");
    }
}

/// Renders a page for a terminal of 80 columns; returns its lines and the warnings of `man`.
/// `None` if there is no `man` that does so.
fn rendered(dir: &Dir, page: &str) -> Option<(usize, String)> {
    dir.write("page.1", page);
    let man = std::process::Command::new("man")
        .args(["--warnings", "-l", "page.1"])
        .current_dir(dir.path(""))
        .envs([("MANWIDTH", "80"), ("LC_ALL", "C.UTF-8")])
        .output()
        .ok()?;
    let lines = String::from_utf8(man.stdout).unwrap().lines().count();
    man.status.success().then(|| (lines, String::from_utf8(man.stderr).unwrap()))
}

#[test]
fn the_pages_are_short_and_in_order() {
    let dir = Dir::new();
    if rendered(&dir, ".TH a 1\n").is_none() {
        return skipped("man pages", "there is no man that takes --warnings and -l");
    }
    for (name, page) in man::pages() {
        let (lines, warnings) = rendered(&dir, &page).unwrap();
        assert!(lines <= 250, "{name}: {lines} lines");
        assert_eq!(warnings, "", "{name}");
    }
}

#[test]
fn mandoc_finds_nothing_wrong_with_the_pages() {
    let dir = Dir::new();
    for (name, page) in man::pages() {
        dir.write(&name, page);
        let mut lint = std::process::Command::new("mandoc");
        let Ok(out) = lint.args(["-T", "lint", "-W", "warning"]).arg(dir.path(&name)).output()
        else {
            return skipped("man pages by mandoc", "it is not installed");
        };
        assert!(out.stdout.is_empty(), "{}", String::from_utf8_lossy(&out.stdout));
    }
}

/// Files that the examples name.
const FILES: [(&str, &[u8]); 15] = [
    ("notes.txt", "Preis: 3 € und mehr, caf\u{e9} und Cr\u{e8}me.\r\n".as_bytes()),
    ("a.txt", "na\u{ef}ve 😀\n".as_bytes()),
    (
        "title.txt",
        "Ein Titel, der länger als achtzig Bytes ist: und noch viel, viel länger, ja! 🇩🇪🇫🇷\n"
            .as_bytes(),
    ),
    ("old.txt", b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xca\xe0\xea \xe4\xe5\xeb\xe0?\n"),
    ("mixed.log", b"Gr\xc3\xbc\xc3\x9fe, caf\xe9\n"),
    ("app.log", b"Gr\xc3\xbc\xc3\x9fe\nund caf\xe9, cr\xe8me\n"),
    ("wide.txt", b"\xff\xfeh\0i\0\n\0"),
    ("log", b"a line\n"),
    ("big.log", b"a line\n"),
    ("dump.sql", b"\xed\xa0\xbd\xed\xb8\x80\n"),
    ("export.sql", b"\xed\xa0\xbd\xed\xb8\x80 \xc0\x80\n"),
    ("page.html", "the caf\u{c3}\u{a9}\n".as_bytes()),
    ("src/main.c", b"int main() {}\n"),
    ("upload.csv", b"a;b\n"),
    ("big.txt", &[b'\n'; BIG]),
];

/// The size of a file from which an example takes a range in the middle.
const BIG: usize = 3 << 20;

/// Returns a repository with the files that the examples name.
pub fn repository() -> Dir {
    let dir = Dir::of(&FILES);
    run(&dir, "git init -q && git add notes.txt a.txt");
    dir
}

/// Runs an example in a shell; returns whether it ran, rather than lacked a program.
pub fn run(dir: &Dir, example: &str) -> bool {
    let script = example
        .replace("tail -n +1 -f ", "tail -n +1 ") // nothing is added to the log
        .replace("FILE", "notes.txt")
        .replace("URL", "file://$PWD/big.txt")
        .replace("SIZE", &BIG.to_string())
        .replace("ETAG", "1");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_utf8"));
    let path = std::env::var("PATH").unwrap();
    let out = shell_of(&script, &raw())
        .current_dir(dir.path(""))
        .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
        .env("EDITOR", "true")
        .env("HOME", dir.path("home"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&out.stderr);
    // Another program than that of GNU has the name, too.
    if errors.contains("not found") || errors.contains("parallel: invalid option") {
        skipped(example, "a program is not there");
        return false;
    }
    let fine = matches!(out.status.code(), Some(0 | 1));
    // A loss that the policy asked for is reported, and a record, but they are no errors.
    let is_note = |line: &str| {
        [" spelt out", " replaced", " dropped", " recorded"].iter().any(|note| line.contains(note))
    };
    let is_error = |line: &str| line.starts_with("utf8: ") && !is_note(line);
    assert!(fine && !errors.lines().any(is_error), "{example}: {}: {errors}", out.status);
    true
}

/// Returns the commands of a page, by paragraphs: those of its examples, and the verbatim ones of
/// other sections.
fn examples(page: &str) -> Vec<Vec<String>> {
    let mut paragraphs = Vec::new();
    for section in cli::sections(page) {
        let body = match section.title == "Examples" {
            true => section.body,
            false => verbatim(&section.body),
        };
        let is_command = |paragraph: &&str| {
            section.title == "Examples"
                || ["utf8 ", "curl "].iter().any(|program| paragraph.starts_with(program))
        };
        paragraphs.extend(body.split("\n\n").filter(is_command).map(|paragraph| {
            let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
            // An indented line continues the command above.
            lines.collect::<Vec<_>>().join("\n").replace("\n  ", "\u{B}  ")
        }));
    }
    let commands = |paragraph: String| {
        paragraph.lines().map(|command| command.replace('\u{B}', "\n")).collect()
    };
    paragraphs.into_iter().map(commands).collect()
}

/// Returns the verbatim paragraphs of a section, without their indentation.
fn verbatim(body: &str) -> String {
    let lines = body.lines().filter(|line| line.is_empty() || line.starts_with("  "));
    lines.map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned() + "\n").collect()
}

#[test]
fn examples_of_the_help_run() {
    if emulated() {
        return skipped("the examples", "a shell cannot start the emulated binary");
    }
    let commands: Vec<_> = commands().iter().map(|command| command.get_name().to_owned()).collect();
    let mut ran = 0;
    for page in commands.iter().map(String::as_str).chain(TOPICS.map(|(topic, _)| topic)) {
        for paragraph in examples(page) {
            let dir = repository();
            // What follows may need the output of an example that lacks its program.
            ran += paragraph.iter().take_while(|example| run(&dir, example)).count();
        }
    }
    assert!(ran > 70, "{ran}");
}

#[test]
fn configurations_in_the_documents_are_accepted() {
    let description = cli::sections("config").swap_remove(0);
    for settings in [&verbatim(&description.body), readme::blocks("toml")[0]] {
        assert!(settings.contains("line-ending = \"lf\"") && settings.contains("[[override]]"));
        let dir = Dir::of(&[
            ("utf8.toml", settings.as_bytes()),
            ("crlf", b"a\r\n"),
            ("testdata/ill-formed", b"\xFF\n"),
            ("vendor/excluded", b"\xFF"),
        ]);
        let found = dir.validate().args(["--format", "tsv", "."]).assert().code(1).stderr("");
        let found = String::from_utf8(found.get_output().stdout.clone()).unwrap();
        assert!(found.lines().all(|line| line.ends_with("crlf")), "{found}");
    }
}

#[test]
fn the_recipe_for_bytes_without_their_surroundings_counts_from_0() {
    if emulated() {
        return skipped("the recipe", "a shell cannot start the emulated binary");
    }
    let ranges = cli::sections("utf8").into_iter().find(|section| section.title == "Ranges");
    let body = ranges.unwrap().body;
    let recipe = body.lines().find(|line| line.contains("head -c BYTES")).unwrap();
    let recipe = recipe.replace("utf8 validate", r#""$@" validate"#);
    let script =
        format!("FILE=f OFFSET=3; {}", recipe.replace("FILE ", "f ").replace("BYTES", "2"));
    let dir = Dir::of(&[("f", b"\xFFab\xC0\xAFc\xFF")]);
    let out = shell_of(&script, &raw()).current_dir(dir.path("")).output().unwrap();
    let found = String::from_utf8(out.stdout).unwrap();
    assert!(found.starts_with("-:1:1: ") && found.lines().count() == 1, "{script}: {found}");
    assert!(found.ends_with("[overlong-2]\n"), "{found}");
}

#[test]
fn the_short_help_has_the_defaults_of_each_command() {
    for (command, default) in [
        ("decode", "[default: utf-8; without --from, code-points]"),
        ("encode", "[default: utf-8; without --to, code-points]"),
        ("repair", "[default: replace; strict with -i]"),
    ] {
        let out = raw().args([command, "-h"]).output().unwrap();
        let help = String::from_utf8(out.stdout).unwrap();
        let words: Vec<_> = help.split_whitespace().collect();
        assert!(words.join(" ").contains(default), "{command}: {help}");
    }
}
