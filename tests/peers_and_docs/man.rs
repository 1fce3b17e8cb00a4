//! The man pages that the command tree and its prose make.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use roff::{Inline, Roff, bold, italic, roman};
use utf8::cli::{self, HelpSection, TOPICS};

/// Returns every page with its file name.
pub fn pages() -> Vec<(String, String)> {
    // `utf8 help` has no page.
    let mut command = cli::command().disable_help_subcommand(true);
    command.build();
    let subcommands = command.get_subcommands();
    let mut pages: Vec<_> = subcommands.map(|sub| command_page(sub, sub.get_name())).collect();
    pages.push(command_page(&command, "utf8"));
    pages.extend(TOPICS.map(|(topic, about)| topic_page(topic, about)));
    pages
}

/// Returns the name of the page of a command or topic.
fn page_name(command: &str) -> String {
    if command == "utf8" { command.to_owned() } else { format!("utf8-{command}") }
}

/// Returns the page of a command.
fn command_page(command: &Command, name: &str) -> (String, String) {
    let about = command.get_about().unwrap().to_string();
    let mut page = page(&page_name(name), "1", &about);
    let usage = command.clone().render_usage().to_string();
    let usages: Vec<_> = usage.trim_start_matches("Usage: ").lines().map(str::trim).collect();
    section(&mut page, "Synopsis", &usages.join("\n\n"));
    let long = command.get_long_about().unwrap().to_string();
    section(&mut page, "Description", long.split_once("\n\n").unwrap().1);
    subcommands(&mut page, command);
    options(&mut page, command);
    sections(&mut page, name);
    finish(page, &page_name(name), "1")
}

/// Returns the page of a topic, which is no command's.
fn topic_page(topic: &str, about: &str) -> (String, String) {
    let mut page = page(&page_name(topic), "7", about);
    sections(&mut page, topic);
    finish(page, &page_name(topic), "7")
}

/// The date of the manual.
const DATE: &str = "2026-11-28";

/// Starts a page with its title and its NAME.
fn page(name: &str, number: &str, about: &str) -> Roff {
    let version = concat!("utf8 ", env!("CARGO_PKG_VERSION"));
    let mut page = Roff::new();
    page.control("TH", [name, number, DATE, version, "utf8 manual"]);
    // Names of options are not hyphenated, and blanks are not stretched.
    page.control("nh", []).control("ad", ["l"]).control("ss", ["12", "0"]);
    section(&mut page, "Name", &format!("{name} - {about}"));
    page
}

/// Ends a page with the names of the others; returns its file name and its text.
fn finish(mut page: Roff, name: &str, number: &str) -> (String, String) {
    let command = cli::command();
    let commands = command.get_subcommands().map(|sub| page_name(sub.get_name()));
    let ours = std::iter::once("utf8".to_owned()).chain(commands).map(|name| name + "(1)");
    let ours = ours.chain(TOPICS.map(|(topic, _)| format!("{}(7)", page_name(topic))));
    let all = ours.chain(["iconv(1)", "xxd(1)", "utf-8(7)"].map(str::to_owned));
    let this = format!("{name}({number})");
    let others: Vec<_> = all.filter(|other| *other != this).collect();
    section(&mut page, "See also", &others.join(", "));
    (format!("{name}.{number}"), in_ascii(&page.to_roff()))
}

/// Spells characters above ASCII in a way that no locale changes.
fn in_ascii(page: &str) -> String {
    let spell = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => format!("\\[u{:04X}]", u32::from(c)),
    };
    page.chars().map(spell).collect()
}

fn sections(page: &mut Roff, key: &str) {
    for HelpSection { title, body } in cli::sections(key) {
        section(page, title, &body);
    }
}

/// Appends a section with its paragraphs.
fn section(page: &mut Roff, title: &str, body: &str) {
    page.control("SH", [title.to_uppercase().as_str()]);
    let is_verbatim = |paragraph: &str| {
        title == "Examples" || paragraph.lines().all(|line| line.starts_with("  "))
    };
    let verbatims = body.split("\n\n").filter(|paragraph| is_verbatim(paragraph));
    let columns = |line: &str| line.trim_start().chars().count();
    let width = verbatims.flat_map(str::lines).map(columns).max();
    for (at, paragraph) in body.split("\n\n").enumerate() {
        if at > 0 {
            page.control("PP", []);
        }
        let lines: Vec<_> = paragraph.lines().collect();
        if is_verbatim(paragraph) {
            verbatim(page, &lines, width > Some(WIDTH));
        } else if lines[0].contains("  ") {
            table(page, &lines);
        } else {
            for line in lines {
                page.text([roman(line)]);
            }
        }
    }
}

/// Appends lines as they are; `wide` ones start further to the left.
fn verbatim(page: &mut Roff, lines: &[&str], wide: bool) {
    if wide {
        page.control("in", ["2n"]);
    }
    page.control("nf", []);
    for line in lines {
        page.text([roman(line.trim_start())]);
    }
    page.control("fi", []);
    if wide {
        page.control("in", []);
    }
}

/// The width of a section on a terminal of 80 columns.
const WIDTH: usize = 80 - 7 - 1;

/// Appends a table without empty lines between its rows.
fn table(page: &mut Roff, lines: &[&str]) {
    page.control("PD", ["0"]);
    rows(page, lines);
    page.control("PD", []);
}

/// Appends the rows of a table: a term and its explanation, which may take more lines.
fn rows(page: &mut Roff, lines: &[&str]) {
    let terms = lines.iter().filter_map(|line| line.find("  ").filter(|&at| at > 0));
    let width = (terms.max().unwrap() + 2).min(MOST_INDENT).to_string();
    for line in lines {
        match line.split_once("  ") {
            Some((term, meaning)) if !term.is_empty() => {
                page.control("TP", [width.as_str()]);
                page.text([bold(term)]).text([roman(meaning.trim_start())]);
            }
            _ => {
                page.text([roman(line.trim_start())]);
            }
        }
    }
}

/// The widest column of terms.
const MOST_INDENT: usize = 19;

/// Appends the commands with what they do.
fn subcommands(page: &mut Roff, command: &Command) {
    if !command.has_subcommands() {
        return;
    }
    let abouts = command.get_subcommands().map(|sub| (sub, sub.get_about().unwrap().to_string()));
    let rows = abouts.map(|(sub, about)| format!("{}(1)  {about}", page_name(sub.get_name())));
    section(page, "Commands", &rows.collect::<Vec<_>>().join("\n"));
}

/// Appends the options under their headings. Those of every command are on the page of `utf8`.
fn options(page: &mut Roff, command: &Command) {
    let is_general = |arg: &Arg| ["help", "version"].contains(&arg.get_id().as_str());
    let is_shown =
        |arg: &&Arg| !arg.is_hide_set() && (command.has_subcommands() || !is_general(arg));
    let args: Vec<_> = command.get_arguments().filter(is_shown).collect();
    let mut headings = vec![None];
    for arg in &args {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    page.control("SH", ["OPTIONS"]);
    for heading in headings {
        heading.map(|heading| page.control("SS", [heading]));
        let mut args: Vec<_> =
            args.iter().filter(|arg| arg.get_help_heading() == heading).collect();
        args.sort_by_key(|arg| arg.get_display_order());
        page.control("PD", ["0"]);
        args.iter().for_each(|arg| option(page, arg));
        page.control("PD", []);
    }
}

/// Appends an option: its names and value, and its help.
fn option(page: &mut Roff, arg: &Arg) {
    page.control("TP", []).text(names(arg));
    page.text([roman(help(arg))]);
    let takes_values = arg.get_action().takes_values();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.display()).collect();
    if takes_values
        && !arg.is_hide_default_value_set()
        && let [default] = &defaults[..]
    {
        page.text([roman(format!("[default: {default}]"))]);
    }
    let values = arg.get_possible_values();
    if takes_values && !arg.is_hide_possible_values_set() && !values.is_empty() {
        let line = |value: &PossibleValue| {
            format!("{}  {}", value.get_name(), value.get_help().unwrap_or_default())
        };
        let lines: Vec<_> = values.iter().map(line).collect();
        page.control("RS", []);
        rows(page, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        page.control("RE", []);
    }
}

/// Returns the names of an option, or the name of an operand.
fn names(arg: &Arg) -> Vec<Inline> {
    let value = arg.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
    if arg.is_positional() {
        return vec![italic(value), roman("...")];
    }
    let shorts = arg.get_short_and_visible_aliases().unwrap_or_default();
    let shorts = shorts.into_iter().map(|short| format!("-{short}"));
    let names: Vec<_> = shorts.chain(arg.get_long().map(|long| format!("--{long}"))).collect();
    let mut inlines = Vec::new();
    for name in names {
        if !inlines.is_empty() {
            inlines.push(roman(", "));
        }
        inlines.push(bold(name));
    }
    let count = arg.get_num_args().unwrap();
    match (count.takes_values(), count.min_values()) {
        (false, _) => (),
        (true, 0) => inlines.extend([roman("[="), italic(value), roman("]")]),
        (true, _) => inlines.extend([roman(" "), italic(value)]),
    }
    inlines
}

/// Returns the help of an option as one paragraph.
fn help(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).unwrap().to_string();
    help.replace("\n\n", ". ").replace('\n', " ")
}
