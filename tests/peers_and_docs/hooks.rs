//! The files by which CI systems run the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::common::bin::{Dir, emulated, raw, skipped};
use crate::common::peer::python;

/// Returns the output of git in a directory; `None` if there is no git.
fn git(dir: &Dir, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.args(["-c", "init.defaultBranch=main"]).args(args).current_dir(dir.path(""));
    let out = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn the_hooks_of_pre_commit_run() {
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    let entries: Vec<_> =
        hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: utf8 ")).collect();
    assert_eq!(entries.len(), 6);
    for entry in entries {
        let (bad, repaired): (&[u8], &[u8]) = match entry.contains("--fix") {
            true => (b"a\r\nb\n", b"a\r\nb\r\n"),
            false => (b"\xC0\xAF\n", b"/\n"),
        };
        let dir = Dir::of(&[("good", b"a\n"), ("bad", bad)]);
        let run = |file: &str| {
            let mut command = raw();
            command.args(entry.split(' ')).arg(file).current_dir(dir.path(""));
            command.output().unwrap().status.code()
        };
        assert_eq!(run("good"), Some(0), "{entry}");
        // pre-commit itself sees that a hook has changed a file.
        let repairs = entry.starts_with("repair");
        assert_eq!(run("bad"), Some(i32::from(!repairs)), "{entry}");
        let left = if repairs { repaired } else { bad };
        assert_eq!(fs::read(dir.path("bad")).unwrap(), left, "{entry}");
    }
}

/// Returns the script of a step of `action.yml`, without its indentation.
fn script(step: &str) -> String {
    let action = include_str!("../../action.yml");
    let step = action.split(&format!("- name: {step}\n")).nth(1).unwrap();
    let lines = step.split("run: |\n").nth(1).unwrap().lines();
    let lines = lines.take_while(|line| line.starts_with("        "));
    lines.map(|line| line[8..].to_owned() + "\n").collect()
}

#[test]
fn the_action_checks_tracked_files_and_takes_inputs_as_data() {
    let case = "the_action_checks_tracked_files_and_takes_inputs_as_data";
    let dir = Dir::of(&[("bad $(touch hit).txt", b"a\xFF"), ("good", b"a\n"), ("new", b"\xFF")]);
    if emulated() || git(&dir, &["init", "-q"]).is_none() {
        return skipped(case, "there is no git, or the binary is emulated");
    }
    git(&dir, &["add", "bad $(touch hit).txt", "good"]).unwrap();
    fs::create_dir_all(dir.path("runner/utf8/bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_utf8"), dir.path("runner/utf8/bin/utf8")).unwrap();
    let run = |paths: &str, options: &str, sarif: &str| {
        let mut command = Command::new("bash");
        command.args(["-c", &script("Check")]).current_dir(dir.path(""));
        let inputs = [("PATHS", paths), ("OPTIONS", options), ("SARIF", sarif)];
        let fixed = [("UTF8_FORMAT", "github"), ("LC_ALL", "C.UTF-8")];
        command.envs(inputs).envs(fixed).env("RUNNER_TEMP", dir.path("runner"));
        let out = command.env_remove("GITHUB_STEP_SUMMARY").output().ok()?;
        Some((out.status.code().unwrap(), String::from_utf8(out.stdout).unwrap()))
    };
    let Some((status, out)) = run(".", "", "out.sarif") else {
        return skipped(case, "there is no bash");
    };
    assert_eq!(status, 1);
    let commands: Vec<_> = out.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 1, "{out}");
    assert!(commands[0].contains("file=bad $(touch hit).txt,line=1,col=2"), "{out}");
    let sarif: serde_json::Value =
        serde_json::from_slice(&fs::read(dir.path("out.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 1);
    for (paths, options) in
        [("good", ""), (".", "--exclude=bad*\n\n"), (".\n", "--exit-zero\n--exclude=$(touch hit)")]
    {
        assert_eq!(run(paths, options, "").unwrap().0, 0, "{paths} {options}");
    }
    assert_eq!(run("$(touch hit); touch hit", "", "").unwrap().0, 2);
    assert!(!dir.path("hit").exists());
}

#[test]
fn the_problem_matcher_reads_the_text() {
    let dir = Dir::of(&[("a:b.txt", b"x\n\xC3\xA9\xC0\xAF\xE9 [x]")]);
    let found = dir.validate().arg("a:b.txt").assert().code(1).get_output().stdout.clone();
    let matcher = include_str!("../../utf8-problem-matcher.json");
    let matcher: serde_json::Value = serde_json::from_str(matcher).unwrap();
    let expression = matcher["problemMatcher"][0]["pattern"][0]["regexp"].as_str().unwrap();
    let program = format!(
        "import re, sys\nfor line in sys.stdin.read().splitlines():\n print(*re.match({expression:?}, line).groups(), sep='|')"
    );
    if let Some(fields) = python(&program, &found) {
        assert_eq!(
            fields,
            "a:b.txt|2|3|overlong 2-byte form C0 AF of U+002F|overlong-2\n\
             a:b.txt|2|5|truncated 3-byte sequence E9: expected 80..BF, found 20 \" \"|truncated-next\n"
        );
    }
}
