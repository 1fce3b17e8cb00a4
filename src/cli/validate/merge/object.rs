//! Objects of the reports of ranges, read from JSON. A report is untrusted input.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use serde_json::value::RawValue;

use crate::issue::{KINDS, Kind};
use crate::registry::Encoding;

/// The most bytes of an ill-formed sequence that a report can have.
const LONGEST: usize = 64;

/// A line of a report: an object whose values are read on demand.
pub(super) struct JsonLine<'a>(BTreeMap<&'a str, &'a RawValue>);

impl<'a> JsonLine<'a> {
    /// Parses a line.
    pub fn parse(line: &'a [u8]) -> anyhow::Result<JsonLine<'a>> {
        let object = serde_json::from_slice(line).ok();
        object.map(JsonLine).context("expected an object of a report by --partial")
    }

    fn raw(&self, key: &str) -> anyhow::Result<&'a str> {
        let value = self.0.get(key).with_context(|| format!("'{key}' is missing"))?;
        Ok(value.get())
    }

    /// Returns a number.
    pub fn number(&self, key: &str) -> anyhow::Result<u64> {
        let parsed = self.raw(key)?.parse().ok();
        parsed.with_context(|| format!("'{key}' is not a number of 64 bits"))
    }

    /// Returns a number, or `None` for null.
    pub fn number_or_null(&self, key: &str) -> anyhow::Result<Option<u64>> {
        if self.raw(key)? == "null" { Ok(None) } else { self.number(key).map(Some) }
    }

    /// Returns a truth value.
    pub fn bool(&self, key: &str) -> anyhow::Result<bool> {
        match self.raw(key)? {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => bail!("'{key}' is neither true nor false"),
        }
    }

    /// Returns a truth value, or `None` for null.
    pub fn bool_or_null(&self, key: &str) -> anyhow::Result<Option<bool>> {
        if self.raw(key)? == "null" { Ok(None) } else { self.bool(key).map(Some) }
    }

    /// Returns a string.
    pub fn text(&self, key: &str) -> anyhow::Result<String> {
        let text = serde_json::from_str(self.raw(key)?).ok();
        text.with_context(|| format!("'{key}' is not a string"))
    }

    /// Returns a string, or `None` for null.
    pub fn text_or_null(&self, key: &str) -> anyhow::Result<Option<String>> {
        if self.raw(key)? == "null" { Ok(None) } else { self.text(key).map(Some) }
    }

    /// Returns a string without escapes.
    pub fn plain(&self, key: &str) -> anyhow::Result<&'a str> {
        let raw = self.raw(key)?;
        let text = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let text = text.filter(|text| !text.contains('\\'));
        text.with_context(|| format!("'{key}' is not a plain string"))
    }

    /// Returns `true` if the object has a key.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns an encoding, by its name.
    pub fn encoding(&self, key: &str) -> anyhow::Result<&'static Encoding> {
        let name = self.plain(key)?;
        let known = Encoding::for_label(name).filter(|codec| codec.name == name);
        known.with_context(|| format!("'{key}' is no encoding that this version knows"))
    }

    /// Appends bytes that are written as `E2 82 AC`.
    pub fn hex(&self, key: &str, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
        let text = self.plain(key)?;
        ensure!(text.len() <= 3 * LONGEST, "'{key}' has too many bytes");
        for digits in text.split(' ') {
            let byte = u8::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 2);
            bytes.push(byte.with_context(|| format!("'{key}' is not a list of bytes"))?);
        }
        Ok(())
    }

    /// Returns the number of each kind, in the order of their names.
    pub fn kinds(&self, key: &str) -> anyhow::Result<Vec<(Kind, u64)>> {
        let numbers: Option<BTreeMap<&str, u64>> = serde_json::from_str(self.raw(key)?).ok();
        let numbers =
            numbers.with_context(|| format!("'{key}' has something else than numbers"))?;
        numbers.into_iter().map(|(id, number)| Ok((kind_of(id)?, number))).collect()
    }

    /// Returns a list of numbers.
    pub fn numbers<const N: usize>(&self, key: &str) -> anyhow::Result<[u64; N]> {
        let numbers: Option<Vec<u64>> = serde_json::from_str(self.raw(key)?).ok();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.with_context(|| format!("'{key}' is not a list of {N} numbers"))
    }
}

/// Returns the kind with an id.
pub(super) fn kind_of(id: &str) -> anyhow::Result<Kind> {
    let row = KINDS.iter().find(|row| row.id == id);
    Ok(row.context("a kind that this version does not know")?.kind)
}
