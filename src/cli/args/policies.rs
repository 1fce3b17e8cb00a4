//! Parsers of error policies.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use super::labels::suggestion;
use super::{CodecParser, Offering, most_similar, offered};
use crate::cli::help::STOPS;
use crate::cli::prose::any_of;
use crate::policy::{self, POLICIES, Policy, PolicyError, PolicyRow, PolicyUse};
use crate::registry::{CODECS, Encoding};

/// Parses the value of `--on-error`.
pub(in crate::cli) fn policy(work: PolicyUse) -> impl TypedValueParser<Value = Policy> {
    let parse = move |text: String| {
        let text = text.to_ascii_lowercase();
        let names = || policies(work).map(|row| row.name);
        match (text.parse::<Policy>(), most_similar(&text, names())) {
            (Ok(policy), _) if names().all(|name| name != policy.name()) => Err(match work {
                PolicyUse::Conversion => DROPS_NO_LINES.to_owned(),
                PolicyUse::Repair => LACKS_NOTHING.to_owned(),
            }),
            (Ok(policy), _) => Ok(policy),
            (Err(PolicyError::Unknown), Some(name)) => {
                Err(format!("unknown policy; did you mean {name}?"))
            }
            (Err(PolicyError::Unknown), None) => {
                let names = any_of(&policy_names(work));
                Err(format!("unknown policy (expected {names})"))
            }
            (Err(error @ (PolicyError::UnknownPage | PolicyError::UnknownNotation)), _) => {
                let value = text.split_once('=').map_or("", |(_, value)| value);
                Err(format!("{error}{}", suggestion(value)))
            }
            (Err(error), _) => Err(error.to_string()),
        }
    };
    Offering {
        parser: StringValueParser::new().try_map(parse),
        names: move || offered_policies(work),
    }
}

/// The error for a conversion that is to leave out lines.
const DROPS_NO_LINES: &str = "only repair drops lines (utf8 repair -f CODEC --on-error drop-line \
                              FILE | utf8 decode -f CODEC)";

/// The error for a repair that is to replace unencodable characters.
const LACKS_NOTHING: &str = "a repair does not change the encoding (utf8 encode escapes or \
                             transliterates what the target lacks)";

/// Returns the policies for this work.
pub(in crate::cli) fn policies(
    work: PolicyUse,
) -> impl Iterator<Item = &'static PolicyRow> + Clone {
    POLICIES.iter().filter(move |row| row.only_in.is_none_or(|only| only == work))
}

/// Returns the policies; those with a value are hidden, for there are many.
fn offered_policies(work: PolicyUse) -> Vec<PossibleValue> {
    let value = |row: &PolicyRow| {
        let summary = row.ill_formed.unwrap_or(STOPS);
        let with = |value: &Encoding| format!("{}={}", row.name, value.name);
        match row.policy {
            Some(_) => vec![PossibleValue::new(row.name).help(summary)],
            None => CODECS
                .iter()
                .map(with)
                .filter(|text| text.parse::<Policy>().is_ok())
                .map(|text| PossibleValue::new(text).hide(true))
                .collect(),
        }
    };
    policies(work).flat_map(value).collect()
}

/// Returns the help of `--on-error`: the subjects that it treats, and the policies.
pub(in crate::cli) fn on_error_help(subjects: &str, work: PolicyUse) -> String {
    format!("Treat {subjects}: {}", any_of(&policy_names(work)))
}

/// Returns the names of the policies as they are typed.
fn policy_names(work: PolicyUse) -> Vec<String> {
    policies(work).map(PolicyRow::usage).collect()
}

/// Parses the value of `--fallback`, the code page of that policy.
pub(in crate::cli) fn fallback() -> impl TypedValueParser<Value = Policy> {
    let parse = |page: &'static Encoding| policy::fallback(page.name);
    Offering {
        parser: CodecParser.try_map(parse),
        names: || fallback_pages().map(offered).collect(),
    }
}

fn fallback_pages() -> impl Iterator<Item = &'static Encoding> {
    CODECS.iter().filter(|codec| policy::fallback(codec.name).is_ok())
}
