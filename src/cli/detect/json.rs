//! Verdicts as JSON Lines.

use crate::detect::{ByteTally, Detection, Evidence, FirstIssue, RankedAnswer, Region};
use crate::text::json::JsonObject;
use crate::text::name::InputName;

/// Appends the verdict of an input.
pub(super) fn object(
    out: &mut Vec<u8>,
    name: &InputName<'_>,
    verdict: &Detection,
    most: Option<u16>,
    command: Option<String>,
) {
    let Detection { evidence, candidates, .. } = verdict;
    let mut object = JsonObject::new(out, "encoding");
    object.path(name);
    object.plain("encoding", verdict.answer.name().as_bytes());
    probability(&mut object, verdict.confidence);
    object.plain("reason", verdict.reason.id().as_bytes());
    match evidence.signature {
        Some(signature) => object.plain("signature", signature.form.as_bytes()),
        None => object.null("signature"),
    }
    object.number("size", evidence.size);
    offset(&mut object, "first_beyond_ascii", evidence.first_non_ascii);
    match &evidence.first_issue {
        Some(found) => fault(object.key("fault"), found),
        None => object.null("fault"),
    }
    damages(&mut object, evidence);
    match evidence.stray_page {
        Some(page) => object.plain("stray_page", page.name.as_bytes()),
        None => object.null("stray_page"),
    }
    mixed(&mut object, evidence);
    twice(&mut object, evidence);
    misread(&mut object, evidence);
    if let Some(counted) = &evidence.tally {
        tally(&mut object, counted);
    }
    let most = most.map_or(usize::MAX, usize::from).min(candidates.len());
    list(&mut object, &candidates[..most]);
    match command {
        Some(command) => object.string("command", command.as_bytes()),
        None => object.null("command"),
    }
    object.end();
}

/// Appends a region of an input.
pub(super) fn region(out: &mut Vec<u8>, name: &InputName<'_>, region: &Region) {
    let Region { bytes, answer } = region;
    let mut object = JsonObject::new(out, "region");
    object.path(name);
    object.number("offset", bytes.start);
    object.number("length", bytes.end - bytes.start);
    object.plain("encoding", answer.name().as_bytes());
    object.end();
}

/// Appends the error of an input.
pub(super) fn trouble(out: &mut Vec<u8>, name: &InputName<'_>, what: &str) {
    let mut object = JsonObject::new(out, "trouble");
    object.path(name);
    object.string("message", what.as_bytes());
    object.end();
}

fn probability(object: &mut JsonObject<'_>, confidence: f64) {
    object.key("confidence").extend(format!("{confidence:.4}").bytes());
}

fn offset(object: &mut JsonObject<'_>, key: &str, offset: Option<u64>) {
    match offset {
        Some(offset) => object.number(key, offset),
        None => object.null(key),
    }
}

fn fault(out: &mut Vec<u8>, fault: &FirstIssue) {
    let mut object = JsonObject::nested(out);
    object.number("offset", fault.offset);
    object.kind(fault.kind);
    object.hex("hex", &fault.bytes);
    object.close();
}

fn damages(object: &mut JsonObject<'_>, evidence: &Evidence) {
    object.objects("damages", &evidence.damages, |object, found| {
        object.plain("damage", found.kind.row().id.as_bytes());
        object.number("number", found.count);
        object.number("first", found.first);
    });
}

fn mixed(object: &mut JsonObject<'_>, evidence: &Evidence) {
    let Some(mixed) = &evidence.mixture else { return object.null("mixed") };
    let mut nested = JsonObject::nested(object.key("mixed"));
    nested.number("utf8", mixed.utf8);
    nested.number("runs", mixed.runs);
    nested.close();
}

fn twice(object: &mut JsonObject<'_>, evidence: &Evidence) {
    let Some(twice) = &evidence.double_encoding else { return object.null("twice") };
    let mut nested = JsonObject::nested(object.key("twice"));
    nested.plain("original", twice.original.name.as_bytes());
    nested.plain("page", twice.page.name.as_bytes());
    nested.number("number", twice.places);
    nested.number("first", twice.first);
    nested.close();
}

fn misread(object: &mut JsonObject<'_>, evidence: &Evidence) {
    let Some(misread) = &evidence.misreading else { return object.null("misread") };
    let mut nested = JsonObject::nested(object.key("misread"));
    nested.plain("encoding", misread.encoding.name.as_bytes());
    nested.plain("read_as", misread.read_as.name.as_bytes());
    probability(&mut nested, misread.confidence);
    nested.close();
}

fn tally(object: &mut JsonObject<'_>, tally: &ByteTally) {
    object.number("ascii", tally.ascii());
    object.number("nuls", tally.nuls());
    object.number("controls", tally.controls());
    let mut ends = JsonObject::nested(object.key("line_ends"));
    ends.number("lf", tally.lf());
    ends.number("crlf", tally.crlf());
    ends.number("cr", tally.cr());
    ends.close();
}

fn list(object: &mut JsonObject<'_>, candidates: &[RankedAnswer]) {
    object.objects("candidates", candidates, |object, candidate| {
        object.plain("encoding", candidate.answer.name().as_bytes());
        probability(object, candidate.confidence);
        match candidate.language {
            Some(language) => object.plain("language", language.as_bytes()),
            None => object.null("language"),
        }
    });
}
