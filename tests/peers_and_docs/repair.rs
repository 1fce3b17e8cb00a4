//! Repairs of other programs, where they are installed.

use crate::common::inputs::{HOSTILE, MIXTURES, Rng, dirty};
use crate::common::peer::peer;
use crate::common::repair::text;
use utf8::policy::Policy;
use utf8::repair::{NormalizationForm, RepairPlan};

/// Returns hostile fragments and random text with many issues.
fn input() -> Vec<u8> {
    let mut rng = Rng::new(1629);
    let mut bytes = Vec::new();
    for fragment in HOSTILE {
        bytes.extend_from_slice(fragment);
        bytes.extend_from_slice(b" and ");
    }
    for at in 0..400 {
        let rarity = rng.pick(&[1, 2, 5, 50]);
        bytes.extend(dirty(&mut rng, at, MIXTURES[at % MIXTURES.len()], rarity));
    }
    bytes
}

/// Python's error handlers find the same maximal subparts.
#[test]
fn python_has_the_same_error_handlers() {
    let bytes = input();
    let script = |handler: &str, to: &str| {
        format!(
            "import sys; text = sys.stdin.buffer.read().decode('utf-8', '{handler}'); \
             sys.stdout.buffer.write(text.encode('utf-8', '{to}'))"
        )
    };
    for (policy, handler) in [
        (Policy::Replace, "replace"),
        (Policy::Ignore, "ignore"),
        (Policy::BackslashReplace, "backslashreplace"),
    ] {
        let Some(theirs) = peer("python3", &["-c", &script(handler, "strict")], &bytes) else {
            return;
        };
        assert!(theirs == text(&RepairPlan::new(policy), &bytes), "{handler}");
    }
    // WTF-8 has surrogates for escaped bytes, as Python's strings do.
    let script = script("surrogateescape", "surrogatepass");
    let Some(theirs) = peer("python3", &["-c", &script], &bytes) else { return };
    let ours = text(&RepairPlan::new(Policy::SurrogateEscape), &bytes);
    assert!(theirs == ours, "surrogateescape");
}

/// ICU replaces and skips maximal subparts.
#[test]
fn uconv_has_the_same_subparts() {
    let bytes = input();
    for (policy, callback) in [(Policy::Replace, "substitute"), (Policy::Ignore, "skip")] {
        let args = ["-f", "utf-8", "-t", "utf-8", "--from-callback", callback];
        let Some(theirs) = peer("uconv", &args, &bytes) else { return };
        assert!(theirs == text(&RepairPlan::new(policy), &bytes), "{callback}");
    }
}

/// glibc's iconv drops only ill-formed bytes. It keeps more: forms above U+10FFFF.
#[test]
fn iconv_drops_no_more() {
    let bytes = input();
    // Its exit status is 1 if it dropped something.
    let script = "iconv -c -f utf-8 -t utf-8 || test $? = 1";
    let Some(theirs) = peer("sh", &["-c", script], &bytes) else { return };
    let ignore = RepairPlan::new(Policy::Ignore);
    assert!(text(&ignore, &theirs) == text(&ignore, &bytes));
}

/// Each assigned character between others, in the four normalization forms of Python. The forms of
/// assigned characters are stable; characters that Python lacks are skipped.
#[test]
fn python_normalizes_alike() {
    let script = "
import sys, unicodedata
texts = []
for value in range(0xA0, 0x30000):
    if unicodedata.category(chr(value)) not in ('Cn', 'Cs', 'Cc', 'Co'):
        texts += [f'e{chr(value)}\\u0323\\u0301', f'\\u1100{chr(value)}\\u11A8']
for form in ['NFC', 'NFD', 'NFKC', 'NFKD']:
    for text in texts:
        row = text + '\\n' + unicodedata.normalize(form, text) + '\\n'
        sys.stdout.buffer.write(row.encode())
    sys.stdout.buffer.write(b'\\n')
";
    let Some(theirs) = peer("python3", &["-c", script], b"") else { return };
    let theirs = String::from_utf8(theirs).unwrap();
    let forms = [
        NormalizationForm::Nfc,
        NormalizationForm::Nfd,
        NormalizationForm::Nfkc,
        NormalizationForm::Nfkd,
    ];
    let blocks: Vec<_> = theirs.split_terminator("\n\n").collect();
    assert_eq!(blocks.len(), forms.len());
    for (form, block) in forms.into_iter().zip(blocks) {
        let lines: Vec<_> = block.lines().collect();
        let (texts, expected) = (column(&lines, 0), column(&lines, 1));
        let plan = RepairPlan { normalization: Some(form), ..RepairPlan::new(Policy::Strict) };
        assert!(text(&plan, texts.as_bytes()) == expected.as_bytes(), "{form:?}");
    }
}

/// Returns every other line.
fn column(lines: &[&str], first: usize) -> String {
    lines[first..].iter().step_by(2).flat_map(|line| [line, "\n"]).collect()
}
