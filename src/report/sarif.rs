//! The format `sarif`: SARIF 2.1.0, a JSON document.

use super::fingerprint::Fingerprints;
use super::{Document, Finding, Format, RULES, ReportedInput, path_in_repository};
use crate::issue::KINDS;
use crate::lint::LINTS;
use crate::text::json::JsonObject;
use crate::text::name::InputName;
use crate::text::write;

/// The maximum number of results: GitHub's limit.
const MOST_RESULTS: u64 = 25_000;

/// The maximum number of notifications.
const MOST_NOTIFICATIONS: u64 = 1000;

/// The byte before a record that is a notification, not a result.
const NOTIFICATION: u8 = b'!';

/// The byte before a notification of an error.
const ERROR: u8 = b'?';

pub(super) struct SarifReport(Fingerprints);

impl SarifReport {
    pub fn new() -> SarifReport {
        SarifReport(Fingerprints::new())
    }
}

/// Appends a text as an object, as most texts in SARIF are.
fn text(object: &mut JsonObject<'_>, key: &str, text: &[u8]) {
    let mut nested = JsonObject::nested(object.key(key));
    nested.string("text", text);
    nested.close();
}

/// Appends an array with the location of a finding or an input.
fn locations(object: &mut JsonObject<'_>, name: &InputName<'_>, finding: Option<&Finding<'_>>) {
    object.objects("locations", &[finding], |location, finding| {
        let mut physical = JsonObject::nested(location.key("physicalLocation"));
        let mut artifact = JsonObject::nested(physical.key("artifactLocation"));
        artifact.plain("uri", &uri(path_in_repository(name)));
        artifact.close();
        if let Some(finding) = finding {
            let mut region = JsonObject::nested(physical.key("region"));
            if let Some(position) = finding.position {
                region.number("startLine", position.line);
                region.number("startColumn", position.column_chars);
                region.number("endColumn", position.column_chars + finding.columns());
            }
            region.number("byteOffset", finding.offset);
            region.number("byteLength", finding.length());
            region.close();
        }
        physical.close();
    });
}

/// Returns a path as a URI reference (RFC 3986): a relative path, or a URI of the scheme `file`.
fn uri(path: &[u8]) -> Vec<u8> {
    let mut uri = if path.starts_with(b"/") { b"file://".to_vec() } else { Vec::new() };
    // Colons are encoded, too: one in the first segment would end a scheme.
    for &byte in path {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(byte),
            _ if byte.is_ascii_alphanumeric() => uri.push(byte),
            _ => {
                uri.push(b'%');
                write::byte2(&mut uri, byte);
            }
        }
    }
    uri
}

/// Appends a notification about an input, or about the run.
fn notification(out: &mut Vec<u8>, name: Option<&InputName<'_>>, level: &str, message: &[u8]) {
    let mut object = JsonObject::nested(out);
    object.plain("level", level.as_bytes());
    text(&mut object, "message", message);
    if let Some(name) = name {
        locations(&mut object, name, None);
    }
    object.close();
}

impl Format for SarifReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let mut result = JsonObject::nested(out);
        result.plain("ruleId", finding.id().as_bytes());
        result.plain("level", finding.level.name().as_bytes());
        text(&mut result, "message", &finding.message());
        locations(&mut result, finding.name, Some(finding));
        let mut fingerprints = JsonObject::nested(result.key("partialFingerprints"));
        fingerprints.plain("utf8/v1", self.0.next(finding).as_bytes());
        fingerprints.close();
        result.end();
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        self.0.clear();
        if let Some(hidden) = input.document_note() {
            out.push(NOTIFICATION);
            notification(out, Some(input.name), "warning", hidden.as_bytes());
            out.push(b'\n');
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        self.0.clear();
        out.push(ERROR);
        notification(out, Some(name), "error", message.as_bytes());
        out.push(b'\n');
    }
}

/// Describes the records after the first ones, of which there is room for `most`.
fn rest(number: u64, most: u64, records: &str, reason: &str) -> Option<String> {
    let first = format!("the first {most} {records} are in this report{reason}");
    (number > most)
        .then(|| format!("{first}; {} more, of later files too, are left out", number - most))
}

/// The document: a run with the rules, the results, and the notifications after them.
#[derive(Default)]
pub(super) struct SarifDocument {
    results: u64,
    notifications: Vec<u8>,
    notified: u64,
    /// True if an input could not be read.
    failed: bool,
}

impl SarifDocument {
    fn notify(&mut self, notification: &[u8]) {
        self.notified += 1;
        if self.notified <= MOST_NOTIFICATIONS {
            if self.notified > 1 {
                self.notifications.extend_from_slice(b",\n");
            }
            self.notifications.extend_from_slice(notification);
        }
    }

    /// Notifies of records that are left out.
    fn notify_of_rest(&mut self, message: Option<String>) {
        if let Some(message) = message {
            let mut rest = Vec::new();
            notification(&mut rest, None, "warning", message.as_bytes());
            if !self.notifications.is_empty() {
                self.notifications.extend_from_slice(b",\n");
            }
            self.notifications.extend_from_slice(&rest);
        }
    }
}

impl Document for SarifDocument {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let mut document = JsonObject::nested(out);
        document.plain("$schema", b"https://json.schemastore.org/sarif-2.1.0.json");
        document.plain("version", b"2.1.0");
        let out = document.key("runs");
        out.push(b'[');
        let mut run = JsonObject::nested(out);
        let mut tool = JsonObject::nested(run.key("tool"));
        let mut driver = JsonObject::nested(tool.key("driver"));
        driver.plain("name", b"utf8");
        driver.plain("version", env!("CARGO_PKG_VERSION").as_bytes());
        let fault = "utf8 dump-bits --only-ill-formed FILE shows its bits.";
        let kinds = KINDS.iter().map(|row| ([row.id, row.title, row.explanation], fault.into()));
        let lint = |id| format!("utf8 validate --list-lints={id} describes it and how to fix it.");
        let lints = LINTS.iter().map(|row| ([row.id, row.title, row.explanation], lint(row.id)));
        let other = "utf8 detect FILE names the encoding, utf8 repair --diff FILE shows changes.";
        let others = RULES.iter().map(|row| ([row.id, row.title, row.explanation], other.into()));
        let rules: Vec<([&str; 3], String)> = kinds.chain(lints).chain(others).collect();
        driver.objects("rules", &rules, |rule, ([id, title, explanation], help)| {
            let described = format!("{title}: {explanation}.");
            rule.plain("id", id.as_bytes());
            text(rule, "shortDescription", title.as_bytes());
            text(rule, "fullDescription", described.as_bytes());
            text(rule, "help", format!("{described} {help}").as_bytes());
        });
        driver.close();
        tool.close();
        run.plain("columnKind", b"unicodeCodePoints");
        run.key("results").extend_from_slice(b"[\n");
    }

    fn record(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        match record {
            [NOTIFICATION, record @ ..] => self.notify(record),
            [ERROR, record @ ..] => {
                self.failed = true;
                self.notify(record);
            }
            _ => {
                self.results += 1;
                if self.results <= MOST_RESULTS {
                    if self.results > 1 {
                        out.extend_from_slice(b",\n");
                    }
                    out.extend_from_slice(record);
                }
            }
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.notify_of_rest(rest(self.notified, MOST_NOTIFICATIONS, "notifications", ""));
        self.notify_of_rest(self.left_out());
        out.extend_from_slice(b"\n],\"invocations\":[{\"executionSuccessful\":");
        out.extend(format!("{}", !self.failed).bytes());
        out.extend_from_slice(b",\"toolExecutionNotifications\":[\n");
        out.extend_from_slice(&self.notifications);
        out.extend_from_slice(b"\n]}]}]}\n");
    }

    /// Describes the results that the document has no room for.
    fn left_out(&self) -> Option<String> {
        rest(self.results, MOST_RESULTS, "results", ", the limit of GitHub")
    }
}
