//! Limits of memory.

use crate::common::bin::{anonymous, peak};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::Stdio;

use crate::common::bin::{Dir, raw, raw_validate, shell_of};

use crate::common::bin::Piped;

/// The limit of a run's memory in KiB without mapped files, for any input. The allocator of the static
/// build copies a block that grows.
const MOST: u64 = if cfg!(target_env = "musl") { 2560 } else { 1600 };

/// Bytes in `-` after all other inputs, whose finding shows that the rest is done: in every format,
/// as they fill a row.
const MARK: &[u8] = b"\xFF0123456789abcde";

/// Returns text that only the finding of the mark contains.
fn marks(format: &str) -> &'static str {
    match format {
        "json" => "\"path\":\"-\"",
        "tsv" => "\tFF\t-\n",
        _ => "\n-:1:1: ",
    }
}

/// Returns the memory of a run over a file, the most at any read of its output, and the number of lines
/// that it wrote.
fn of_file(dir: &Dir, args: &[&str], format: &str) -> (u64, usize) {
    let mut command = dir.raw();
    command.args(args).args(["--format", format, "f", "-"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(MARK).unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (mut buffer, mut tail, mut lines, mut most) = (vec![0; 1 << 16], vec![b'\n'], 0, 0);
    let marks = marks(format).as_bytes();
    loop {
        let got = stdout.read(&mut buffer).unwrap();
        assert_ne!(got, 0, "the mark was not found");
        most = most.max(anonymous(&child));
        lines += buffer[..got].iter().filter(|&&byte| byte == b'\n').count();
        tail.extend_from_slice(&buffer[got.saturating_sub(1 << 10)..got]);
        tail.drain(..tail.len().saturating_sub(1 << 10));
        if tail.windows(marks.len()).any(|window| window == marks) {
            break;
        }
    }
    // Between two reads it is known less exactly.
    assert!(peak(&child) < 2 * MOST, "{}", peak(&child));
    drop(stdin);
    io::copy(&mut stdout, &mut io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    (most, lines)
}

fn measurable(case: &str) -> bool {
    let emulated = crate::common::bin::emulated();
    if emulated {
        crate::common::bin::skipped(case, "an emulator has memory of its own");
    }
    !emulated
}

#[test]
fn many_faults_take_bounded_memory() {
    if !measurable("the memory of a file of faults") {
        return;
    }
    const LEN: usize = 4 << 20;
    let dir = Dir::new();
    let mut file = File::create(dir.path("f")).unwrap();
    (0..LEN >> 12).for_each(|_| file.write_all(&[0xFF; 1 << 12]).unwrap());
    for (format, most, lines) in [
        ("text", "none", LEN),
        ("full", "none", 3 * LEN),
        ("json", "none", LEN),
        ("tsv", "none", LEN),
        ("text", "flood", 11),
        ("full", "flood", 31),
    ] {
        let limits = if most == "none" { &["--max-shown", "none"][..] } else { &[] };
        let (peak, written) = of_file(&dir, &[&["--mmap", "never"], limits].concat(), format);
        assert!(written >= lines, "{format}: {written} lines");
        assert!(peak < MOST, "{format}: {peak} KiB");
    }
}

#[test]
fn one_endless_line_takes_no_more_memory() {
    if !measurable("the memory of an endless line") {
        return;
    }
    let dir = Dir::new();
    let file = File::create(dir.path("f")).unwrap();
    file.set_len(64 << 20).unwrap();
    (&file).write_all(b"\xC3\xA9\xC0\xAF").unwrap();
    for (format, segments) in [("json", "sequence"), ("full", "byte"), ("tsv", "maximal")] {
        let args = ["-j1", "--mmap", "never", "--stats", "--segments", segments];
        let (peak, _) = of_file(&dir, &args, format);
        assert!(peak < MOST, "{format}: {peak} KiB");
    }
}

#[test]
fn threads_take_bounded_memory() {
    if !measurable("the memory of threads") {
        return;
    }
    let line = "Ein Satz, 日本語の文, ещё одно предложение 😀.\n";
    let lines = (32 << 20) / line.len();
    let dir = Dir::of(&[("f", line.repeat(lines).as_bytes())]);
    for threads in [2, 6] {
        let mut command = raw();
        command.args(["decode", "-t", "utf-32le", &format!("-j{threads}"), "f", "-"]);
        command.current_dir(dir.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut text = child.stdout.take().unwrap().take((4 * line.chars().count() * lines) as u64);
        io::copy(&mut text, &mut io::sink()).unwrap();
        // It waits for its standard input.
        let peak = peak(&child);
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
        assert!(peak < (8 + threads) << 10, "{threads} threads: {peak} KiB");
    }
}

/// Writes blocks and then an issue to a stream; returns the finding and the peak.
fn of_stream(args: &[&str], block: &[u8], blocks: usize) -> (String, u64) {
    let mut run = Piped::new(raw_validate().args(args));
    for _ in 0..blocks {
        run.write(block);
    }
    run.write(MARK);
    let line = run.line();
    let peak = peak(&run.child);
    assert_eq!(run.end().0, Some(1));
    (line, peak)
}

#[test]
fn a_long_stream_takes_no_more_memory() {
    if !measurable("the memory of a long stream") {
        return;
    }
    let block = "Ein Satz, 日本語の文, ещё одно предложение 😀.\n".repeat(20_000);
    let blocks = (256 << 20) / block.len() + 1;
    let (line, peak) = of_stream(&[], block.as_bytes(), blocks);
    let offset = block.len() * blocks;
    assert!(line.contains(&format!("byte 0x{offset:X} ({offset}): ")), "{line}");
    assert!(peak < MOST, "{peak} KiB");
}

#[test]
fn an_endless_line_has_columns_to_its_end() {
    let block = "é".repeat(1 << 19);
    let (line, peak) = of_stream(&["--format", "json"], block.as_bytes(), 64);
    let found: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["offset"], 64 << 20);
    assert_eq!(found["line"], 1);
    assert_eq!(found["column_bytes"], (64 << 20) + 1);
    assert_eq!(found["column_chars"], (32 << 20) + 1);
    if measurable("the memory of an endless line in a stream") {
        assert!(peak < MOST, "{peak} KiB");
    }
}

/// A failed allocation of a thread would abort the process.
#[test]
fn threads_fit_into_a_limited_address_space() {
    if !measurable("threads in a limited address space") {
        return;
    }
    let line = "Ein Satz, 日本語の文, ещё одно предложение 😀.\n";
    let dir = Dir::of(&[("f", line.repeat(50_000).as_bytes())]);
    std::fs::create_dir(dir.path("t")).unwrap();
    (0..20).for_each(|number| dir.write(format!("t/{number}"), line.repeat(60)));
    for command in ["decode -t json --all f", "validate f", "validate t", "repair --check -i -r t"]
    {
        let run = |kib: u64, threads: usize| {
            let script = format!("ulimit -v {kib} && exec \"$@\" {command} -j{threads}");
            let out = shell_of(&script, &raw()).current_dir(dir.path(".")).output().unwrap();
            (out.status.code(), out.stdout)
        };
        let one = run(60_000, 1);
        assert_eq!(one.0, Some(0), "{command}");
        for kib in [60_000, 150_000, 210_000, 300_000, 600_000] {
            for threads in [4, 70] {
                assert!(run(kib, threads) == one, "{command}, -j{threads} in {kib} KiB");
            }
        }
    }
}
