//! The next command for a detected encoding, ready to be pasted into a shell.

use std::os::unix::ffi::OsStrExt;

use super::InputArgs;
use super::NamedInput;
use crate::cli::prose::quoted;
use crate::detect::{Answer, DamageKind, Detection, DetectionReason, FoundDamage};
use crate::text::name::InputName;

/// Returns the next command, if there is one.
pub(super) fn command(
    verdict: &Detection,
    args: &InputArgs,
    input: NamedInput<'_>,
    name: &InputName<'_>,
) -> Option<String> {
    let part = args.hex || args.skip.is_some() || args.length.is_some();
    let what = what(verdict).filter(|_| !part)?;
    match input {
        NamedInput::Text(_) => None,
        NamedInput::Stdin => Some(format!("utf8 {what}")),
        NamedInput::File(..) | NamedInput::Opened(..) => Some(with_file(&what, name)),
    }
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
            Some(format!("encode -f {} -t wtf-8", codec.name))
        }
        Answer::Codec(codec) => Some(format!("encode -f {}", codec.name)),
        Answer::Damaged if is_puzzling(verdict) => Some("detect --regions".to_owned()),
        Answer::Damaged => Some(repair(verdict)),
        Answer::Binary | Answer::Unknown => Some("dump-bits --layout bytes --base hex".to_owned()),
        _ => None,
    }
}

/// Returns `true` if other bytes occur that fit no code page.
fn is_puzzling(verdict: &Detection) -> bool {
    let stray = |found: &FoundDamage| found.kind == DamageKind::Stray;
    verdict.evidence.stray_page.is_none() && verdict.evidence.damages.iter().any(stray)
}

/// Returns the repair of the damage, as far as one is lossless.
fn repair(verdict: &Detection) -> String {
    let evidence = &verdict.evidence;
    let has = |damage| evidence.damages.iter().any(|found| found.kind == damage);
    let mut command = "repair".to_owned();
    if has(DamageKind::SurrogatePairs) {
        command += " --join-surrogates";
    }
    if has(DamageKind::OverlongNuls) || has(DamageKind::Overlong) {
        command += " --shorten-overlong";
    }
    if let Some(page) = evidence.stray_page {
        command += &format!(" --on-error fallback={}", page.name);
    }
    command
}

/// Returns the command with its file, whose name may have any bytes.
fn with_file(what: &str, name: &InputName<'_>) -> String {
    let raw = name.raw.as_bytes();
    if name.shown() != raw {
        let name = spelt(raw);
        return format!("printf '{name}\\000' | utf8 {what} -0 --files-from -");
    }
    format!("utf8 {what} {}", quoted(name.raw))
}

/// Escapes a name for the shell's `printf`.
fn spelt(name: &[u8]) -> String {
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'_' | b' ');
    name.iter()
        .map(|&byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("\\{byte:03o}"),
        })
        .collect()
}
