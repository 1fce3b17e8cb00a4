//! Reports of findings that other programs read.

use std::sync::{Arc, LazyLock};

use serde_json::Value;
use utf8::finding::locate::Locator;
use utf8::finding::segments::Segments;
use utf8::kernel::best;
use utf8::lint::Level;
use utf8::lint::levels::RuleLevels;
use utf8::output::Output;
use utf8::report::{FormatRow, ReportStyle, ReportedInput, format_by_name};
use utf8::scan::Feed;
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList, LintRules};

use super::{cuts, encoding};
use crate::common::detect::pieces;
use crate::common::inputs::Rng;

/// The formats whose reports are JSON; the last one has an object in each line.
const JSON_FORMATS: [&str; 4] = ["sarif", "gitlab", "rdjson", "json"];

/// The rules that are errors.
const DENIED: [&str; 3] = ["ill-formed", "strict", "text"];

/// The rules in which they are.
pub static RULES: LazyLock<[Arc<LintRules>; 3]> = LazyLock::new(|| {
    DENIED.map(|name| {
        let mut levels = RuleLevels::default();
        assert!(levels.set(name, Level::Deny));
        Arc::new(levels.into())
    })
});

pub fn cases() -> usize {
    JSON_FORMATS.len()
}

/// Checks that a report in JSON is well-formed, that its findings lie in the input, and that they
/// are counted.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let row = format_by_name(JSON_FORMATS[case].as_ref()).expect("a format");
    let encoding = encoding(rng);
    // Lints cannot read shift states.
    let rules = if encoding.properties.stateful { 0 } else { rng.below(DENIED.len()) };
    let segments = rng.pick(&[Segments::Sequence, Segments::Maximal, Segments::Byte]);
    let options = CheckOptions { segments, count: true, comments: true, limit: None };
    let (name, mut out) = (InputName::new("f".as_ref(), true), Output::memory());
    let mut format = (row.open)(ReportStyle::PLAIN);
    let (writer, out_to) = (format.as_mut(), &mut out);
    let lists =
        vec![FindingList { format: writer, out: out_to, most: None, judged: false, judge: None }];
    let locator = Some(Locator::new(encoding, best(), true, None));
    let report = CheckReport { name: &name, lists, locator };
    let mut check =
        Check::new(encoding, 0..u64::MAX, options, Some(report)).with_rules(&RULES[rules]);
    let mut feed = Feed::new(encoding.open(0), best(), 0);
    let cuts = cuts(rng, bytes.len());
    for part in pieces(bytes, &cuts) {
        assert!(feed.push(part, &mut check).unwrap().is_continue());
    }
    assert!(feed.finish(&mut check).unwrap().is_continue());
    let summary = check.end(true).unwrap();
    let input = ReportedInput {
        name: &name,
        encoding: Some(encoding),
        summary: Some(&summary),
        hidden_note: None,
    };
    format.end(out.buffer(), &input);
    let findings = findings(&whole(row, out.buffer()), row.document.is_some());
    let mut last = 0;
    for place in findings.iter().flatten() {
        assert!(place[0] >= last && place[0] + place[1] <= bytes.len() as u64, "{findings:?}");
        last = place[0];
    }
    if let Some(findings) = findings {
        assert_eq!(findings.len() as u64, summary.findings, "{}", encoding.name);
    }
}

/// Returns the report of records.
fn whole(row: &FormatRow, records: &[u8]) -> String {
    let mut report = Vec::new();
    match row.document {
        Some(open) => {
            let mut document = open("validate");
            document.begin(&mut report);
            let lines = records.split_inclusive(|&byte| byte == b'\n');
            lines.for_each(|line| document.record(&mut report, line.trim_ascii_end()));
            document.end(&mut report);
        }
        None => report.extend_from_slice(records),
    }
    String::from_utf8(report).expect("JSON is UTF-8")
}

/// Reads a report. Returns the offsets and lengths of its findings, if it has them.
fn findings(report: &str, is_document: bool) -> Option<Vec<[u64; 2]>> {
    if is_document {
        let _: Value = serde_json::from_str(report).unwrap_or_else(|e| panic!("{e}: {report}"));
        return None;
    }
    let objects = report.lines().map(|line| serde_json::from_str(line).expect(line));
    let findings = objects.filter(|object: &Value| object["type"] == "finding");
    let place = |finding: Value| ["offset", "length"].map(|field| finding[field].as_u64().unwrap());
    Some(findings.map(place).collect())
}
