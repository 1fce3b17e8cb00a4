//! Are man/ and completions/ what the command tree says? `UTF8_BLESS=1` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};

use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// A file that must have these contents.
struct Page {
    path: PathBuf,
    contents: Vec<u8>,
}

fn man_page(command: &clap::Command, key: &str) -> Page {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let bare = command.clone().display_name(&name).long_about(description(command));
    let man = Man::new(bare)
        .date("")
        .manual("utf8 manual")
        .source(concat!("utf8 ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page).unwrap();
    man.render_name_section(&mut page).unwrap();
    let usage = command.clone().render_usage().to_string();
    let usages: Vec<_> = usage.trim_start_matches("Usage: ").lines().map(str::trim).collect();
    section("SYNOPSIS", &usages.join("\n\n"), &mut page);
    man.render_description_section(&mut page).unwrap();
    man.render_options_section(&mut page).unwrap();
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page).unwrap();
    }
    for part in utf8::cli::sections(key) {
        section(&part.title.to_uppercase(), &part.body, &mut page);
    }
    section("SEE ALSO", &see_also(&name), &mut page);
    Page { path: Path::new("man").join(format!("{name}.1")), contents: in_ascii(&page) }
}

/// The other pages of ours, and those of others.
fn see_also(name: &str) -> String {
    let command = utf8::cli::command();
    let commands = command.get_subcommands().map(|sub| format!("utf8-{}", sub.get_name()));
    let all = std::iter::once("utf8".to_owned()).chain(commands).filter(|other| other != name);
    let ours: String = all.map(|other| format!("{other}(1), ")).collect();
    ours + "iconv(1), xxd(1), utf-8(7)"
}

/// What is not ASCII, as roff has it whatever the locale is.
fn in_ascii(page: &[u8]) -> Vec<u8> {
    let spell = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => format!("\\[u{:04X}]", u32::from(c)),
    };
    str::from_utf8(page).unwrap().chars().map(spell).collect::<String>().into_bytes()
}

/// Append a section: what is set in columns as a list of terms, what is indented as it is, and
/// other paragraphs filled.
fn section(title: &str, body: &str, page: &mut Vec<u8>) {
    let mut roff = Roff::default();
    roff.control("SH", [title]);
    for paragraph in body.split("\n\n") {
        roff.control("PP", []);
        let columns = |line: &str| line.trim_start().contains("  ");
        let verbatim = title == "EXAMPLES" || paragraph.lines().all(|line| line.starts_with("  "));
        if verbatim {
            roff.control("nf", []);
        }
        for line in paragraph.lines() {
            match line.split_once("  ") {
                Some((term, what)) if !verbatim && columns(line) => {
                    roff.control("TP", []).text([bold(term)]).text([roman(what.trim_start())]);
                }
                _ => {
                    roff.text([roman(if verbatim { line } else { line.trim_start() })]);
                }
            }
        }
        if verbatim {
            roff.control("fi", []);
        }
    }
    roff.to_writer(page).unwrap();
}

/// What the long help says behind the line that is the name section's.
fn description(command: &clap::Command) -> String {
    let long = command.get_long_about().unwrap().to_string();
    long.split_once("\n\n").unwrap().1.to_owned()
}

fn pages() -> Vec<Page> {
    // `utf8 help` has no page of its own.
    let mut command = utf8::cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![man_page(&command, "utf8")];
    for sub in command.get_subcommands() {
        let named = sub.clone().display_name(format!("utf8-{}", sub.get_name()));
        pages.push(man_page(&named, sub.get_name()));
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell] {
        let mut contents = Vec::new();
        clap_complete::generate(shell, &mut utf8::cli::command(), "utf8", &mut contents);
        let path =
            Path::new("completions").join(clap_complete::Generator::file_name(&shell, "utf8"));
        pages.push(Page { path, contents });
    }
    pages
}

#[test]
fn generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("UTF8_BLESS").is_some();
    for Page { path, contents } in pages() {
        let file = root.join(&path);
        if bless {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &contents).unwrap();
        }
        let found = fs::read(&file).unwrap_or_default();
        assert!(
            found == contents,
            "{} is not what the command tree says; UTF8_BLESS=1 cargo test --test generated rewrites it",
            path.display()
        );
    }
}

#[test]
fn nothing_else_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known: Vec<_> = pages().into_iter().map(|page| root.join(page.path)).collect();
    for folder in ["man", "completions"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(known.contains(&path), "{} is of no command", path.display());
        }
    }
}
