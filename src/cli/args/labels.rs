//! Errors for labels that mean no encoding.

use super::{ALIKE, AUTO};
use crate::cli::detect::ANSWERS;
use crate::registry::names::{LabelError, NameOwner, OWNERS};
use crate::registry::{self, CODECS, Encoding};
use crate::report::FORMATS;

/// Returns the error for a label that means no codec.
pub(in crate::cli) fn unknown(label: &str, reason: LabelError) -> String {
    let name = label.split_once(':').map_or(label, |(_, name)| name);
    match reason {
        LabelError::Unlisted(owner) => {
            return format!("{owner} has no encoding of this name{}", suggestion(name));
        }
        LabelError::Lacking(owner, name) => {
            let other = Encoding::for_label(name);
            let other = other.map(|codec| format!("; {name} without prefix is {}", codec.name));
            let other = other.unwrap_or_default();
            return format!("no codec has the table of {owner}{other}");
        }
        LabelError::Replacement => {
            return "the WHATWG Encoding Standard decodes no text in it, since it can hide scripts"
                .to_owned();
        }
        LabelError::Unknown => (),
    }
    if FORMATS.iter().chain(&ANSWERS).any(|row| row.has_name(label.as_ref())) {
        return format!("unknown codec; did you mean --format {label}?");
    }
    if registry::loose(label) == AUTO {
        return "the encoding is not guessed here; utf8 detect names it".to_owned();
    }
    let owned = owned(label);
    match owned.is_empty() {
        true => format!("unknown codec{}", suggestion(label)),
        false => format!("this name needs a prefix: {}", owned.join(", ")),
    }
}

/// Returns the codec that a name means to each implementation, as `glibc:NAME is CODEC`.
fn owned(name: &str) -> Vec<String> {
    let meaning = |owner: &NameOwner| {
        let label = format!("{}:{name}", owner.prefix);
        Encoding::for_label(&label).map(|codec| format!("{label} is {}", codec.name))
    };
    OWNERS.iter().filter_map(meaning).collect()
}

/// Returns the end of an error: the codecs for a language or system, similar names, and the command
/// that lists all.
pub(super) fn suggestion(label: &str) -> String {
    let listed = |title: String, names: Vec<&str>| match names.is_empty() {
        true => String::new(),
        false => format!("; {title}: {}", names.join(", ")),
    };
    let meant = listed(format!("codecs for {label}"), described(label));
    let near = listed("similar names".to_owned(), nearest(label));
    format!("{meant}{near} (utf8 --list-codecs lists all)")
}

/// Returns up to three sets whose summary names the label, such as a language or system.
fn described(label: &str) -> Vec<&'static str> {
    let is_name = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase()) && word.eq_ignore_ascii_case(label)
    };
    let words = |encoding: &Encoding| {
        encoding.summary.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
    };
    let sets =
        CODECS.iter().filter(|encoding| encoding.is_page() || encoding.group.is_east_asian());
    let encodings = sets.filter(|encoding| words(encoding).any(is_name));
    encodings.map(|encoding| encoding.name).take(3).collect()
}

/// The number of bytes of a label from which on it is similar to no name.
const LONG_LABEL: usize = 64;

/// Returns up to three names of codecs that are most similar to a label, the best first.
fn nearest(label: &str) -> Vec<&'static str> {
    if label.len() >= LONG_LABEL {
        return Vec::new();
    }
    let wanted = registry::loose(label);
    let likeness = |name: &str| strsim::jaro_winkler(&registry::loose(name), &wanted);
    // The canonical name is preferred unless an alias is clearly more similar.
    let weight =
        |name: &str, of: &Encoding| likeness(name) + if name == of.name { 0.1 } else { 0.0 };
    let best = |encoding: &Encoding| {
        encoding.names().max_by(|a, b| weight(a, encoding).total_cmp(&weight(b, encoding)))
    };
    let mut names: Vec<&str> = CODECS.iter().filter_map(best).collect();
    names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    names.truncate(3);
    // A short name is the start of many words.
    names.retain(|name| likeness(name) >= ALIKE && 2 * name.len() >= wanted.len());
    names
}
