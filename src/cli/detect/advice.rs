//! The next command for a detected encoding, ready to be pasted into a shell.

use super::InputArgs;
use super::NamedInput;
use crate::cli::auto::LEAST_PROBABILITY;
use crate::cli::shell;
use crate::detect::{Answer, DamageKind, Detection, DetectionReason, HANDFUL, Misreading};
use crate::text::name::InputName;

/// Returns the next command, if there is one.
pub(in crate::cli) fn next_command(
    verdict: &Detection,
    args: &InputArgs,
    input: NamedInput<'_>,
    name: &InputName<'_>,
) -> Option<String> {
    if let Some(Misreading { encoding, read_as, .. }) = &verdict.evidence.misreading {
        let [encoding, read_as] = [encoding, read_as].map(|codec| codec.name);
        let bom = if verdict.evidence.signature.is_some() { " --bom remove" } else { "" };
        let what = format!("encode -f utf-8{bom} -t {read_as}");
        let bytes = shell::command(&what, args, input, name)?;
        return Some(format!("{bytes} | utf8 decode -f {encoding}"));
    }
    shell::command(&what(verdict)?, args, input, name)
}

/// Returns the command and its options, without the input.
fn what(verdict: &Detection) -> Option<String> {
    match verdict.answer {
        Answer::Codec(codec) if codec.inner.utf8 => {
            verdict.evidence.double_encoding.as_ref().map(|_| "repair --undo-mojibake".to_owned())
        }
        Answer::Codec(codec) if codec.name == "us-ascii" => None,
        // UTF-8 does not hold lone surrogates.
        Answer::Codec(codec) if verdict.reason == DetectionReason::Surrogates => {
            Some(format!("decode -f {} -t wtf-8", codec.name))
        }
        Answer::Codec(_) if verdict.evidence.has_several_encodings => {
            Some("detect --regions".to_owned())
        }
        // Other readings are as likely as this one.
        Answer::Codec(_) if verdict.confidence < LEAST_PROBABILITY => {
            Some("detect --candidates 5".to_owned())
        }
        Answer::Codec(codec) => {
            let policy = cut_unit(verdict).map_or("", |_| " --on-error replace");
            Some(format!("decode -f {}{policy}", codec.name))
        }
        // The characters that a repair may write are to be looked at.
        Answer::Damaged if verdict.evidence.has_overlong_forms() => {
            Some("repair --diff".to_owned())
        }
        Answer::Damaged if is_puzzling(verdict) => Some("detect --regions".to_owned()),
        Answer::Damaged => Some(repair(verdict)),
        Answer::Binary | Answer::Unknown => Some("dump-bits --layout bytes --base hex".to_owned()),
        _ => None,
    }
}

/// Returns the number of bytes after the last whole code unit of a text in UTF-16 or UTF-32, if there
/// are any.
pub(super) fn cut_unit(verdict: &Detection) -> Option<u64> {
    let Answer::Codec(codec) = verdict.answer else { return None };
    let size = verdict.evidence.tally.as_ref()?.size();
    Some(size % codec.inner.unit as u64).filter(|&rest| rest > 0)
}

/// Returns `true` if other bytes occur that fit no code page, and more than damage leaves.
fn is_puzzling(verdict: &Detection) -> bool {
    let evidence = &verdict.evidence;
    evidence.stray_page.is_none()
        && (evidence.mixture.is_some() || evidence.count(DamageKind::Stray) >= HANDFUL)
}

/// Returns what the repair loses, if the file has cut characters and stray bytes: one option treats
/// both.
pub(super) fn loss(verdict: &Detection) -> Option<String> {
    let evidence = &verdict.evidence;
    let has = |damage| evidence.count(damage) > 0;
    let is_cut = has(DamageKind::CutAtLineEnd) || has(DamageKind::CutAtEnd);
    let stray = evidence.stray_page.filter(|_| has(DamageKind::Stray) && is_cut)?;
    let name = stray.name;
    Some(match evidence.fallback_page() {
        Some(_) => format!("the next command reads cut characters in {name}, too"),
        None => format!(
            "the next command replaces stray bytes, too; to keep them, repair their lines \
             (detect --regions) with --fallback {name} first"
        ),
    })
}

/// Returns `true` for damage that a structural repair cures.
fn is_structural(damage: DamageKind) -> bool {
    matches!(damage, DamageKind::SurrogatePairs | DamageKind::OverlongNuls)
}

/// Returns the repair of the damage: lossless, unless characters were cut or bytes fit no page.
fn repair(verdict: &Detection) -> String {
    let evidence = &verdict.evidence;
    let has = |damage| evidence.count(damage) > 0;
    let mut command = "repair".to_owned();
    if evidence.double_encoding.is_some() {
        command += " --undo-mojibake";
    }
    if has(DamageKind::SurrogatePairs) {
        command += " --join-surrogates";
    }
    if has(DamageKind::OverlongNuls) {
        command += " --shorten-overlong";
    }
    if let Some(page) = evidence.fallback_page() {
        command += &format!(" --fallback {}", page.name);
    } else if evidence.damages.iter().any(|found| !is_structural(found.kind)) {
        // In place, no policy loses bytes by default.
        command += " --on-error replace";
    }
    command
}
