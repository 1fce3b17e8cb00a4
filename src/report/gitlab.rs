//! The format `gitlab`: the Code Quality report of GitLab, a JSON array.

use super::fingerprint::Fingerprints;
use super::list::RecordList;
use super::{Document, Finding, Format, MORE, ReportedInput, TROUBLE, path_in_repository};
use crate::lint::Level;
use crate::text::json::JsonObject;
use crate::text::name::InputName;

pub(super) struct GitlabReport(Fingerprints);

impl GitlabReport {
    pub fn new() -> GitlabReport {
        GitlabReport(Fingerprints::new())
    }

    /// Returns the document.
    pub fn document(_: &str) -> Box<dyn Document> {
        Box::new(RecordList::new("[\n", ",\n", "\n]\n"))
    }
}

/// Appends an entry. GitLab shows one entry of each fingerprint.
fn entry(
    out: &mut Vec<u8>,
    name: &InputName<'_>,
    [check, severity]: [&str; 2],
    description: &[u8],
    fingerprint: &str,
    line: u64,
) {
    let mut object = JsonObject::nested(out);
    object.string("description", description);
    object.plain("check_name", check.as_bytes());
    object.string("fingerprint", fingerprint.as_bytes());
    object.plain("severity", severity.as_bytes());
    let mut location = JsonObject::nested(object.key("location"));
    location.string("path", path_in_repository(name));
    let mut lines = JsonObject::nested(location.key("lines"));
    lines.number("begin", line);
    lines.close();
    location.close();
    object.end();
}

impl Format for GitlabReport {
    fn finding(&mut self, out: &mut Vec<u8>, finding: &Finding<'_>) {
        let fingerprint = self.0.next(finding);
        let line = finding.position.map_or(1, |position| position.line);
        let severity = if finding.level == Level::Warn { "minor" } else { "major" };
        let check = [finding.id(), severity];
        entry(out, finding.name, check, &finding.message(), &fingerprint, line);
    }

    fn end(&mut self, out: &mut Vec<u8>, input: &ReportedInput<'_>) {
        self.0.clear();
        if let Some(hidden) = input.document_note() {
            let fingerprint = Fingerprints::of_input(input.name, MORE);
            entry(out, input.name, [MORE, "info"], hidden.as_bytes(), &fingerprint, 1);
        }
    }

    fn trouble(&mut self, out: &mut Vec<u8>, name: &InputName<'_>, message: &str) {
        self.0.clear();
        let fingerprint = Fingerprints::of_input(name, TROUBLE);
        entry(out, name, [TROUBLE, "critical"], message.as_bytes(), &fingerprint, 1);
    }
}
