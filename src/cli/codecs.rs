//! The list of codecs: `--list-codecs`.

use clap::{Args, ValueEnum};

use super::Status;
use super::args::CodecParser;
use super::session::Session;
use crate::codec::Group;
use crate::registry::{CODECS, Encoding};
use crate::text::json::JsonObject;

#[derive(Args, Debug)]
pub(super) struct ListArgs {
    /// List the encodings, or the one that NAME means
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, value_parser = CodecParser, hide_possible_values = true)]
    pub list_codecs: Option<Option<&'static Encoding>>,

    /// Format of the list
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "list_codecs")]
    format: ListFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    /// a table
    Text,
    /// JSON Lines: an object for each codec
    Json,
}

impl ListArgs {
    /// No list.
    pub const NONE: ListArgs = ListArgs { list_codecs: None, format: ListFormat::Text };

    pub fn run(&self, session: &mut Session) -> anyhow::Result<()> {
        let named = self.list_codecs.flatten();
        let listed =
            || CODECS.iter().filter(move |encoding| named.is_none_or(|named| named == *encoding));
        match self.format {
            ListFormat::Text => text(session.out.buffer(), listed),
            ListFormat::Json => json(session.out.buffer(), listed()),
        }
        Ok(())
    }
}

/// A property of codecs: its letter, its key in JSON, its meaning and its test.
type Property = (char, &'static str, &'static str, fn(&Encoding) -> bool);

#[rustfmt::skip]
const PROPERTIES: [Property; 6] = [
    ('y', "self_synchronising", "synchronises itself: a reader can start anywhere", |encoding| encoding.inner.reach.is_some()),
    ('a', "ascii_transparent", "bytes below 80 are ASCII, never parts of other characters", |encoding| encoding.properties.transparent),
    ('s', "stateful", "stateful: the meaning of bytes depends on earlier bytes", |encoding| encoding.properties.stateful),
    ('u', "all_scalars", "holds every Unicode scalar value", |encoding| encoding.properties.scalars),
    ('l', "lone_surrogates", "holds lone surrogates", |encoding| encoding.properties.surrogates),
    ('w', "writes_all", "writes all characters that it reads", Encoding::writes_all),
];

/// The groups in the order of their listing, with their titles.
pub(super) const GROUPS: [(Group, &str); 11] = [
    (Group::Family, "UTF-8 and its relatives"),
    (Group::Transformation, "Other forms of Unicode"),
    (Group::Units, "Units of 16 and 32 bits"),
    (Group::Page, "Single-byte code pages"),
    (Group::RarePage, "Rare single-byte code pages"),
    (Group::Ebcdic, "EBCDIC"),
    (Group::SevenBit, "Sets of seven bits other than ASCII"),
    (Group::EastAsia, "Sets of East Asia"),
    (Group::RareEastAsia, "Other sets of East Asia"),
    (Group::FloatingAccents, "Sets with accents or vowels before letters"),
    (Group::Notation, "Notations: text that spells code points"),
];

/// Prints the list for a command, or the one codec of it that is named, in the format of the command
/// that is named.
///
/// # Errors
/// The list has no such format.
pub(super) fn list(
    named: Option<&'static Encoding>,
    format: Option<&str>,
) -> anyhow::Result<Status> {
    let format = match format {
        None => ListFormat::Text,
        Some(name) => ListFormat::from_str(name, false).map_err(|_| {
            anyhow::anyhow!("--list-codecs is a table, or JSON with --format json, not {name}")
        })?,
    };
    let list = ListArgs { list_codecs: Some(named), format };
    Session::plain()?.finish(|session| list.run(session))
}

/// Appends a table of codecs by groups: name, properties, summary and aliases.
fn text<L: Iterator<Item = &'static Encoding>>(out: &mut Vec<u8>, listed: impl Fn() -> L) {
    let width = listed().map(|encoding| encoding.name.len()).max().unwrap_or(0);
    let mut line = |text: String| out.extend((text + "\n").bytes());
    for (letter, _, meaning, _) in PROPERTIES {
        line(format!("{letter}  {meaning}"));
    }
    for (group, title) in GROUPS {
        let mut encodings = listed().filter(|encoding| encoding.group == group).peekable();
        if encodings.peek().is_some() {
            line(format!("\n{title}"));
        }
        for encoding in encodings {
            let letters =
                PROPERTIES.map(|(letter, .., has)| if has(encoding) { letter } else { '-' });
            let letters = String::from_iter(letters);
            line(format!("{:width$}  {letters}  {}", encoding.name, encoding.summary));
            if !encoding.labels.is_empty() {
                let indent = width + 2 + letters.len();
                line(format!("{:indent$}  also {}", "", encoding.labels.join(", ")));
            }
        }
    }
}

/// Appends an object for each codec.
fn json(out: &mut Vec<u8>, listed: impl Iterator<Item = &'static Encoding>) {
    for encoding in listed {
        let mut object = JsonObject::new(out, "codec");
        object.string("name", encoding.name.as_bytes());
        object.string("summary", encoding.summary.as_bytes());
        object.strings("labels", encoding.labels);
        let group = GROUPS.iter().find(|(group, _)| *group == encoding.group);
        object.string("group", group.map_or("", |(_, title)| title).as_bytes());
        for (_, word, _, has) in PROPERTIES {
            object.bool(word, has(encoding));
        }
        object.end();
    }
}
