//! Baselines: findings that were written are known, and any file can be read.

use std::ffi::OsStr;
use std::io::BufReader;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use utf8::finding::segments::Segments;
use utf8::kernel::best;
use utf8::output::Output;
use utf8::registry::Encoding;
use utf8::report::baseline::{Baseline, BaselineError, KnownFindings};
use utf8::report::{InputSummary, ReportStyle, ReportedInput, format_by_name};
use utf8::scan::Feed;
use utf8::text::name::InputName;
use utf8::validate::{Check, CheckOptions, CheckReport, FindingList, LintRules};

use super::encoding;
use super::reports::RULES;
use crate::common::inputs::Rng;

pub fn cases() -> usize {
    3
}

/// Checks that the baseline of the findings in the bytes knows all of them. Another one, which is damaged or
/// the bytes themselves, is read or refused wherever the text is cut, and the findings that it does not know
/// are reported.
pub fn check(case: usize, rng: &mut Rng, bytes: &[u8]) {
    let encoding = encoding(rng);
    // Lints cannot read shift states.
    let rules = if encoding.properties.stateful { 0 } else { rng.below(RULES.len()) };
    let segments = rng.pick(&[Segments::Sequence, Segments::Maximal, Segments::Byte]);
    let name = &bytes[..bytes.len().min(rng.below(9))];
    let examined = Examined { encoding, rules: &RULES[rules], segments, name, bytes };
    let (mut written, all) = examined.report(None);
    match case {
        0 => {
            let known = read(rng, &written).expect("a baseline that was written");
            assert_eq!(known.number(), all.findings, "{}", written.escape_ascii());
            let (new, rest) = examined.report(Some(&known));
            assert_eq!((rest.findings, rest.known), (0, all.findings));
            assert!(new.is_empty(), "{}", new.escape_ascii());
            return;
        }
        1 => written = bytes.to_vec(),
        _ => {
            for _ in 0..rng.below(4) {
                let at = rng.below(written.len() + 1);
                let byte = rng.pick(b"0129:af\t\n\r# \xFF");
                match written.get_mut(at) {
                    Some(place) if rng.one_in(2) => *place = byte,
                    _ => written.insert(at, byte),
                }
            }
        }
    }
    let [found, again] = [read(rng, &written), read(rng, &written)];
    assert_eq!(format!("{found:?}"), format!("{again:?}"));
    if let Ok(known) = found {
        let (_, rest) = examined.report(Some(&known));
        assert_eq!(rest.findings + rest.known, all.findings);
        assert!(rest.known <= known.number());
    }
}

/// Reads a baseline in parts.
fn read(rng: &mut Rng, text: &[u8]) -> Result<Baseline, BaselineError> {
    Baseline::read(&mut BufReader::with_capacity(1 + rng.below(64), text))
}

/// An input, and what its findings depend on.
struct Examined<'a> {
    encoding: &'static Encoding,
    rules: &'a Arc<LintRules>,
    segments: Segments,
    name: &'a [u8],
    bytes: &'a [u8],
}

impl Examined<'_> {
    /// Returns the baseline of the findings that are not known, and the summary.
    fn report(&self, known: Option<&Baseline>) -> (Vec<u8>, InputSummary) {
        let name = InputName::new(OsStr::from_bytes(self.name), true);
        let row = format_by_name("baseline".as_ref()).expect("a format");
        let (mut format, mut out) = ((row.open)(ReportStyle::PLAIN), Output::memory());
        let options =
            CheckOptions { segments: self.segments, count: true, comments: true, limit: None };
        let list = FindingList {
            format: format.as_mut(),
            out: &mut out,
            most: None,
            judged: false,
            judge: None,
        };
        let report = CheckReport { name: &name, lists: vec![list], locator: None };
        let mut check = Check::new(self.encoding, 0..u64::MAX, options, Some(report))
            .with_rules(self.rules)
            .with_known(known.map(|known| KnownFindings::new(known, &name)));
        let mut feed = Feed::new(self.encoding.open(0), best(), 0);
        assert!(feed.push(self.bytes, &mut check).unwrap().is_continue());
        assert!(feed.finish(&mut check).unwrap().is_continue());
        let summary = check.end(true).unwrap();
        let encoding = Some(self.encoding);
        let input =
            ReportedInput { name: &name, encoding, summary: Some(&summary), hidden_note: None };
        format.end(out.buffer(), &input);
        (out.buffer().to_vec(), summary)
    }
}
