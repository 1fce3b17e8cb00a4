//! Ranges of inputs that are converted.

use predicates::str::contains;

use crate::common::bin::{Dir, Piped, raw, run};

#[test]
fn sequences_of_a_range_are_converted_whole() {
    let text = "aé€😀\u{10FFFF}z";
    let dir = Dir::of(&[("f", text.as_bytes())]);
    let convert = |range: &[&str], target: &str| {
        let mut command = run(&["decode", "-t", target, "f"]);
        let from_file = command.current_dir(dir.path("")).args(range).assert().code(0);
        let from_file = from_file.get_output().stdout.clone();
        let mut command = run(&["decode", "-t", target]);
        let piped = command.args(range).write_stdin(text).assert().code(0);
        assert_eq!(piped.get_output().stdout, from_file, "{range:?}");
        from_file
    };
    // A range from the middle of one euro sign to the middle of the next; only the next starts in
    // it.
    assert_eq!(convert(&["-s", "4", "-n", "4"], "utf-8"), "😀".as_bytes());
    assert_eq!(convert(&["-s", "0x3", "-n", "1"], "utf-16be"), [0x20, 0xAC]);
    assert_eq!(convert(&["-n", "0"], "utf-8"), b"");
    for cut in 0..=text.len() {
        let cut = cut.to_string();
        let (head, tail) = (convert(&["-n", &cut], "utf-16be"), convert(&["-s", &cut], "utf-16be"));
        let whole: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!([head, tail].concat(), whole, "cut at {cut}");
    }
    // Issues outside the range do not count; U+FEFF in the middle is text.
    let out = run(&["decode", "-t", "utf-8", "-s", "1", "-n", "3", "--bom", "remove"]);
    { out }.write_stdin(b"\xFF\xEF\xBB\xBF\xFF".to_vec()).assert().code(0).stdout("\u{FEFF}");
}

/// A stream is read once, so that only its start can tell the encoding.
#[test]
fn detection_needs_the_range_of_a_stream_in_its_first_mib() {
    let text = b"caf\xE9 au lait, cr\xE8me br\xFBl\xE9e\n".repeat(50_000);
    let decode = |skip: &str| {
        let mut command = run(&["decode", "-f", "auto", "-t", "utf-8", "-n", "27", "--skip", skip]);
        command.write_stdin(text.clone()).assert()
    };
    decode("540000").code(0).stdout("café au lait, crème brûlée\n");
    let refused = "utf8: -: --from auto examines the first MiB of a stream, which --skip passes \
                   over (name the encoding)\n";
    decode("1080000").code(2).stdout("").stderr(refused);
}

#[test]
fn a_range_that_is_complete_waits_for_no_more() {
    let mut run = Piped::new(raw().args(["decode", "-t", "utf-8", "-n", "2"]));
    run.write(b"AB");
    // The pipe stays open.
    assert!(run.child.wait().unwrap().success());
    assert_eq!(run.end().1, "AB");
}

#[test]
fn a_bom_outside_the_range_has_no_effect() {
    let dir = Dir::of(&[("f", b"\xEF\xBB\xBFabcdef"), ("w", b"\xFF\xFEa\0b\0c\0")]);
    for (from, file, skip, target, bom, output) in [
        ("utf-8-bom", "f", "4", "utf-8", "add", &b"bcdef"[..]),
        ("utf-8-bom", "f", "8", "utf-16", "keep", b"\0f"),
        ("utf-16", "w", "6", "utf-8", "add", b"c"),
        ("utf-16", "w", "6", "utf-16", "keep", b"\0c"),
    ] {
        let args = ["decode", "-f", from, "-t", target, "--bom", bom, "-s", skip];
        let bytes = std::fs::read(dir.path(file)).unwrap();
        run(&args).write_stdin(bytes).assert().code(0).stdout(output);
        run(&args).arg(dir.path(file)).assert().code(0).stdout(output);
    }
    // Two inputs with a BOM each, to an encoding that writes one.
    let args = ["decode", "-f", "utf-8-bom", "-t", "utf-16"];
    let out = run(&args).args([dir.path("f"), dir.path("f")]).assert().code(0);
    out.stdout(b"\xFE\xFF\0a\0b\0c\0d\0e\0f\0a\0b\0c\0d\0e\0f".to_vec());
}

/// Units are counted from the start of the input. The bytes of the range alone look like the other
/// byte order.
#[test]
fn a_range_that_starts_within_a_unit_is_noted() {
    for (codec, unit, start, next) in
        [("utf-16le", 2, 1, 2), ("utf-16be", 2, 3, 4), ("utf-32le", 4, 2, 4), ("utf-32be", 4, 5, 8)]
    {
        let text = "hello, w\u{F6}rld";
        let bytes = run(&["encode", "-t", codec]).write_stdin(text).output().unwrap().stdout;
        assert_eq!(bytes.len(), 12 * unit);
        let rest = text[next / unit..].to_owned();
        let note =
            format!("byte {start} is within a unit of {unit} bytes: read from byte {next} on");
        let read = |skip: usize| {
            let skip = skip.to_string();
            run(&["decode", "-f", codec, "-s", &skip]).write_stdin(bytes.clone()).assert().success()
        };
        read(start).stdout(rest.clone()).stderr(contains(note));
        read(next).stdout(rest).stderr("");
    }
}

#[test]
fn a_range_behind_the_end_is_not_within_a_code_unit() {
    let run = run(&["decode", "-f", "utf-32le", "-s", "37"]).write_stdin(&b"a\0\0\0"[..]).assert();
    run.success().stdout("").stderr("-: ends before offset 37\n");
}
