//! In-place conversion: whole or not at all, and each file by itself.

use std::fs;
use std::os::unix::fs::symlink;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, ends_with, starts_with};
use utf8::codec::Group;
use utf8::policy::Policy;
use utf8::registry::Encoding;

use crate::common::bin::{Dir, lines, runs, skipped, utf8};
use crate::common::replace::{mode, names, set_mode, stamp, text, without_room};

mod declared;

/// Returns a command for `utf8` in a directory.
fn run(dir: &Dir, args: &[&str]) -> Command {
    let mut command = utf8();
    command.current_dir(dir.path(".")).args(args);
    command
}

fn bytes(dir: &Dir, name: &str) -> Vec<u8> {
    fs::read(dir.path(name)).unwrap()
}

fn bytes_of(dir: &Dir) -> Vec<u8> {
    assert_eq!(bytes(dir, "f"), bytes(dir, "g"));
    bytes(dir, "f")
}

#[test]
fn each_file_is_converted_by_itself() {
    let dir =
        Dir::of(&[("a", b"a"), ("b", "é".as_bytes()), ("empty", b""), ("list", b"b\nempty\n")]);
    let args = ["encode", "-t", "utf-16", "-i", "a", "--files-from", "list"];
    run(&dir, &args).assert().code(0).stdout("").stderr(lines(&[
        "a: converted from utf-8 to utf-16",
        "b: converted from utf-8 to utf-16",
        "empty: converted from utf-8 to utf-16",
    ]));
    // RFC 2781, section 3.3: big-endian, with a byte order mark.
    assert_eq!(bytes(&dir, "a"), b"\xFE\xFF\0a");
    assert_eq!(bytes(&dir, "b"), b"\xFE\xFF\0\xE9");
    run(&dir, &["decode", "-f", "utf-16", "-i", "a", "b", "empty"]).assert().code(0);
    assert_eq!((text(dir.path("a")), text(dir.path("b"))), ("a".into(), "é".into()));
    assert_eq!((bytes(&dir, "empty"), names(&dir).len()), (b"".to_vec(), 4));
}

#[test]
fn a_file_is_converted_and_keeps_what_it_has() {
    let dir = Dir::of(&[("f", b"caf\xE9\n")]);
    set_mode(dir.path("f"), 0o640);
    symlink("f", dir.path("link")).unwrap();
    let args = ["decode", "-f", "windows-1252", "--in-place", "-v", "link"];
    let said = "link: converted from windows-1252 to utf-8, 5 bytes\n";
    run(&dir, &args).assert().code(0).stdout("").stderr(said);
    assert_eq!((text(dir.path("f")), mode(dir.path("f"))), ("café\n".into(), 0o640));
    assert!(fs::symlink_metadata(dir.path("link")).unwrap().is_symlink());
    assert_eq!(names(&dir).len(), 2);
}

#[test]
fn a_file_that_would_be_the_same_is_not_touched() {
    let long = "plain ".repeat(50_000);
    let dir = Dir::of(&[("f", long.as_bytes()), ("empty", b"")]);
    for name in ["f", "empty"] {
        let before = stamp(dir.path(name));
        let args = ["decode", "-f", "latin1", "-i", "--backup", "~", name];
        run(&dir, &args).assert().code(0).stderr("");
        assert_eq!((stamp(dir.path(name)), names(&dir).len()), (before, 2));
    }
    // It needs no room, and may have other links.
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    let case = "a conversion where no file can be made";
    without_room(case, &dir, || {
        if !runs() {
            return skipped(case, "nobody may run the binary");
        }
        run(&dir, &["decode", "-f", "latin1", "-i", "f"]).assert().code(0).stderr("");
    });
}

#[test]
fn output_of_another_length_is_a_change() {
    let long = "plain ".repeat(50_000);
    let more = [long.as_bytes(), b"\xE9"].concat();
    let dir = Dir::of(&[("f", &more)]);
    run(&dir, &["decode", "-f", "latin1", "-i", "f"]).assert().code(0);
    assert_eq!(text(dir.path("f")), long.clone() + "é");
    // The output is a prefix of the input.
    dir.write("f", &more);
    run(&dir, &["decode", "-t", "utf-8", "--on-error", "ignore", "-i", "f"]).assert().code(0);
    assert_eq!(text(dir.path("f")), long);
}

#[test]
fn a_fault_skips_only_its_file() {
    let late = [&b"\xC3\xA9".repeat(100_000)[..], b"\xFF"].concat();
    let dir = Dir::of(&[("early", b"\xC3\xA9\xFF"), ("late", &late), ("good", "é".as_bytes())]);
    let args = ["encode", "-t", "latin1", "-i", "--backup", ".orig", "early", "late", "good"];
    run(&dir, &args).assert().code(1).stdout("").stderr(
        starts_with("utf8: early: byte 2: byte FF starts no sequence [invalid-fe-ff]; the file is unchanged (")
            .and(contains("utf8: late: byte 200000: ")),
    );
    assert_eq!((bytes(&dir, "early"), bytes(&dir, "late")), (b"\xC3\xA9\xFF".to_vec(), late));
    assert_eq!((bytes(&dir, "good"), text(dir.path("good.orig"))), (b"\xE9".to_vec(), "é".into()));
    assert_eq!(names(&dir).len(), 4);
    dir.write("lacking", "a€");
    let out = run(&dir, &["encode", "-t", "latin1", "-i", "lacking"]).assert().code(1);
    out.stderr(contains(
        "byte 1: iso-8859-1 cannot hold U+20AC [unencodable]; the file is unchanged",
    ));
    assert_eq!(text(dir.path("lacking")), "a€");
    let args = ["encode", "-t", "latin1", "--on-error", "replace", "-i", "lacking"];
    run(&dir, &args).assert().code(0);
    assert_eq!(text(dir.path("lacking")), "a?");
}

#[test]
fn a_backup_is_what_the_file_was() {
    let dir = Dir::of(&[("f", b"\xE9"), ("g", b"\xE9"), ("g~", b"older")]);
    let args = ["decode", "-f", "latin1", "-i", "--backup", "~", "f", "g"];
    run(&dir, &args).assert().code(2).stderr(contains("g: g~ exists, so "));
    assert_eq!((text(dir.path("f")), bytes(&dir, "f~")), ("é".into(), b"\xE9".to_vec()));
    assert_eq!((bytes(&dir, "g"), text(dir.path("g~"))), (b"\xE9".to_vec(), "older".into()));
    // A second run in spite of that would destroy the text: the backup keeps it.
    run(&dir, &[&args[..], &["--reconvert"]].concat()).assert().code(2);
    assert_eq!((text(dir.path("f")), bytes(&dir, "f~")), ("é".into(), b"\xE9".to_vec()));
}

#[test]
fn only_regular_files_with_one_link_are_converted_in_place() {
    let dir = Dir::of(&[("f", b"\xE9"), ("list", b"d\n")]);
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    fs::create_dir(dir.path("d")).unwrap();
    let args = ["decode", "-f", "latin1", "-i", "f", "d", "/dev/null", "-", "missing"];
    run(&dir, &args).assert().code(2).stderr(
        contains("f: has 2 hard links")
            .and(contains("d: is a directory"))
            .and(contains(
                "/dev/null: not a regular file: cannot be replaced (leave out --in-place)",
            ))
            .and(contains("-: cannot be rewritten in place"))
            .and(contains("missing: No such file")),
    );
    assert_eq!(bytes(&dir, "f"), b"\xE9");
    let listed = ["decode", "-f", "latin1", "-i", "--files-from", "list"];
    run(&dir, &listed).assert().code(0).stderr("d: is a directory, skipped\n");
}

#[test]
fn in_place_excludes_ranges_and_other_outputs() {
    let dir = Dir::of(&[("f", b"a")]);
    run(&dir, &["encode", "-i", "-t", "utf-16le"]).assert().code(2);
    for other in [&["-o", "g"][..], &["-e", "x"], &["-x"], &["-s", "1"], &["-n", "1"]] {
        let args = [&["encode", "-i", "-t", "utf-16le"], other, &["f"]].concat();
        run(&dir, &args).assert().code(2);
    }
    run(&dir, &["encode", "-t", "utf-16le", "--backup", "~", "f"]).assert().code(2);
    assert_eq!((bytes(&dir, "f"), names(&dir).len()), (b"a".to_vec(), 1));
}

#[test]
fn failed_writes_leave_the_file() {
    let dir = Dir::new();
    let old = b"\xE9".repeat(1 << 20);
    dir.write("f", &old);
    let program = run(&dir, &["decode", "-f", "latin1", "-i", "f"]);
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 8; \"$@\"", "sh"]).arg(program.get_program());
    limited.args(program.get_args()).current_dir(dir.path("."));
    let out = Command::from_std(limited).assert().code(2);
    out.stderr(starts_with("utf8: f: File too large"));
    assert_eq!((bytes(&dir, "f") == old, names(&dir).len()), (true, 1));
}

#[test]
fn in_place_one_side_must_be_named() {
    let dir = Dir::of(&[("f", b"a")]);
    for command in ["decode", "encode"] {
        let out = utf8().current_dir(dir.path(".")).args([command, "-i", "f"]).assert().code(2);
        out.stderr(starts_with(
            "utf8: --in-place needs --from or --to (utf8 decode -f CODEC -i f; ",
        ));
    }
    assert_eq!(fs::read(dir.path("f")).unwrap(), b"a");
}

// Files that are left

#[test]
fn a_file_that_is_converted_already_is_left() {
    let tree: [(&str, &[u8]); 5] = [
        ("old", b"\xEF\xF0\xE8"),
        ("new", "при".as_bytes()),
        ("plain", b"plain"),
        ("empty", b""),
        ("image", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
    ];
    let dir = Dir::of(&tree);
    dir.write("list", "old\nnew\nplain\nempty\nimage\n");
    let args = ["decode", "-f", "cp1251", "-i", "--files-from", "list"];
    let left = [
        "new: already utf-8: unchanged (--reconvert converts it anyway)",
        "image: is binary: skipped (--binary converts it anyway)",
    ];
    run(&dir, &args).assert().code(0).stdout("").stderr(lines(&[
        "old: converted from windows-1251 to utf-8",
        left[1],
        left[0],
    ]));
    assert_eq!((text(dir.path("old")), text(dir.path("new"))), ("при".into(), "при".into()));
    for (name, content) in &tree[2..] {
        assert_eq!(bytes(&dir, name), *content, "{name}");
    }
    // A second run changes nothing.
    run(&dir, &[&args[..], &["-q"]].concat()).assert().code(0).stderr("");
    let total = "total: 2 files are already utf-8: unchanged (--reconvert converts them anyway)\n";
    run(&dir, &args).assert().code(0).stderr(ends_with(total));
    assert_eq!(text(dir.path("old")), "при");
    let out = run(&dir, &[&args[..], &["-v"]].concat()).assert().code(0);
    out.stderr(
        starts_with("old: already utf-8: ")
            .and(ends_with("total: 5 files: 2 unchanged; 2 already converted; 1 binary\n")),
    );
    let args = [&args[..], &["--reconvert", "--binary"]].concat();
    run(&dir, &args).assert().code(0);
    assert_eq!(text(dir.path("new")), "РїСЂРё");
    // 89 is U+2030 in windows-1251.
    assert!(bytes(&dir, "image").starts_with("\u{2030}PNG".as_bytes()));
}

#[test]
fn a_named_binary_file_is_told_by_the_status() {
    let dir = Dir::of(&[("f", b"\xE9\0"), ("wide", b"\xE9\0a\0\n\0")]);
    let out = run(&dir, &["decode", "-f", "latin1", "-i", "f", "wide"]).assert().code(1);
    out.stderr(lines(&[
        "utf8: f: contains NUL: skipped as binary (--binary converts it anyway)",
        "utf8: wide: is utf-16le: skipped (utf8 decode -f utf-16le -i wide converts it to UTF-8)",
    ]));
    let dir = Dir::of(&[("f", b"a\x01\x02\x03 \x05 d\xE9f\x06\n"), ("wide", b"\xE9\0a\0\n\0")]);
    let out = run(&dir, &["decode", "-f", "auto", "-i", "f"]).assert().code(1);
    out.stderr("utf8: f: is binary: skipped (--binary converts it anyway)\n");
    // NUL is usual where units have several bytes.
    run(&dir, &["decode", "-f", "utf-16le", "-i", "wide"]).assert().code(0);
    assert_eq!(text(dir.path("wide")), "éa\n");
    run(&dir, &["encode", "-t", "utf-16le", "-i", "wide"]).assert().code(0);
    assert_eq!(bytes(&dir, "wide"), b"\xE9\0a\0\n\0");
    // It is ASCII as well, which is not to stop the conversion.
    dir.write("ascii", b"a\0\n\0");
    run(&dir, &["decode", "-f", "utf-16le", "-i", "ascii"]).assert().code(0);
    assert_eq!(text(dir.path("ascii")), "a\n");
}

#[test]
fn well_formedness_in_the_target_decides() {
    for (args, old, new) in [
        // U+1F600 is no CESU-8 yet, and then it is.
        (&["encode", "-t", "cesu-8"][..], "😀".as_bytes(), &b"\xED\xA0\xBD\xED\xB8\x80"[..]),
        (&["encode", "-t", "cesu-8"], b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xA0\xBD\xED\xB8\x80"),
        (&["decode", "-f", "cesu-8"], "😀".as_bytes(), "😀".as_bytes()),
        (&["decode", "-f", "mutf-8"], b"\xC3\xA9\xC0\x80", "é\0".as_bytes()),
        // The text is the same, but for what the options change.
        (&["encode", "-t", "utf-8", "--bom=add"], "é".as_bytes(), "\u{FEFF}é".as_bytes()),
        (&["decode", "-f", "utf-8-bom"], "\u{FEFF}é".as_bytes(), "é".as_bytes()),
        (&["encode", "-f", "html"], "é&eacute;".as_bytes(), "éé".as_bytes()),
        // Other targets are not judged.
        (&["encode", "-t", "latin1"], "é".as_bytes(), b"\xE9"),
        (&["decode", "-f", "auto"], "é".as_bytes(), "é".as_bytes()),
    ] {
        let dir = Dir::of(&[("f", old)]);
        run(&dir, args).args(["-i", "f"]).assert().code(0);
        assert_eq!(bytes(&dir, "f"), new, "{args:?}");
    }
}

#[test]
fn a_detected_binary_file_is_skipped() {
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let dir = Dir::of(&[("f", &binary), ("list", b"f\n")]);
    let args = ["decode", "-f", "auto", "-i", "--files-from", "list"];
    let note = "f: contains NUL: skipped as binary (--binary converts it anyway)\n";
    run(&dir, &args).assert().code(0).stderr(note);
    run(&dir, &args).arg("--binary").assert().code(2).stderr(starts_with("utf8: f: is binary"));
}

#[test]
fn a_detected_encoding_admits_changes_of_the_bom() {
    let (plain, signed) = (&b"caf\xC3\xA9"[..], &b"\xEF\xBB\xBFcaf\xC3\xA9"[..]);
    for (before, args, after) in [
        (plain, &["decode", "-f", "auto", "-t", "utf-8-bom"][..], signed),
        (signed, &["decode", "-f", "auto", "-t", "utf-8-bom"], signed),
        (plain, &["decode", "-f", "auto", "--bom", "add"], signed),
        (signed, &["decode", "-f", "auto", "--bom", "add"], signed),
        (signed, &["decode", "-f", "auto", "--bom", "remove"], plain),
        (plain, &["encode", "-f", "utf-8", "-t", "utf-8-bom"], signed),
        (signed, &["encode", "-f", "utf-8", "-t", "utf-8-bom"], signed),
        (signed, &["decode", "-f", "windows-1251"], signed),
    ] {
        let dir = Dir::of(&[("f", before)]);
        run(&dir, args).args(["-i", "f"]).assert().code(0);
        assert_eq!(std::fs::read(dir.path("f")).unwrap(), after, "{args:?}");
    }
}

/// A second run converts nothing again: it leaves the file, or refuses it. Only between two
/// single-byte or multi-byte code pages a second conversion cannot be told.
#[test]
fn a_second_run_changes_nothing() {
    let codecs = [
        "utf-8",
        "utf-8-bom",
        "cesu-8",
        "utf-16le",
        "utf-16be",
        "utf-16",
        "utf-32le",
        "utf-32be",
        "us-ascii",
        "iso-8859-1",
        "windows-1251",
        "gbk",
        "shift_jis",
        "ibm037",
        "utf-7",
        "iso-2022-jp",
    ];
    let texts = [
        "plain words, and more of them\nin two lines\n",
        "Привет, мир!\nКак дела?\n",
        "naïve café\n",
        "日本語のテキスト\n漢字とかな\n",
        "hi\n",
    ];
    let is_page = |name: &str| {
        let codec = Encoding::for_label(name).unwrap();
        !matches!(codec.group, Group::Family) && codec.inner.unit == 1 && !codec.properties.stateful
    };
    let mut changed = 0;
    for (from, to) in codecs.iter().flat_map(|from| codecs.iter().map(move |to| (from, to))) {
        if is_page(from) && is_page(to) {
            continue;
        }
        for text in texts {
            let source = Encoding::for_label(from).unwrap();
            let Ok(old) = utf8::encode(source, text, Policy::Strict) else { continue };
            let dir = Dir::of(&[("f", &old)]);
            let args = ["decode", "-f", from, "-t", to, "-i", "f"];
            let _ = run(&dir, &args).output().unwrap();
            let new = bytes(&dir, "f");
            changed += usize::from(new != old);
            let _ = run(&dir, &args).output().unwrap();
            assert_eq!(
                bytes(&dir, "f").escape_ascii().to_string(),
                new.escape_ascii().to_string(),
                "{from} {to} {text}"
            );
        }
    }
    assert!(changed > 300, "{changed}");
}

#[test]
fn code_units_in_another_byte_order_are_not_converted_unless_it_is_named() {
    let text = "\"Title\" = \"タイトル\";\n\"OK\" = \"はい\";\n".repeat(5);
    let little: Vec<_> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<_> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let dir = Dir::of(&[("little", &little), ("big", &big)]);
    for codec in ["utf-16", "utf-16be"] {
        run(&dir, &["decode", "-f", codec, "-i", "little"]).assert().code(1).stderr(
            "utf8: little: is utf-16le: skipped (--reconvert converts it anyway; --from utf-16le reads its \
             byte order)\n",
        );
        let out = run(&dir, &["decode", "-f", codec, "-t", "utf-8", "little"]).assert().code(0);
        out.stderr("little: looks like utf-16le (-f utf-16le)\n");
        let out = run(&dir, &["decode", "-f", codec, "-t", "utf-8", "big"]).assert().code(0);
        out.stdout(text.clone()).stderr("");
    }
    assert_eq!(fs::read(dir.path("little")).unwrap(), little);
    for (codec, file) in [("utf-16le", "little"), ("utf-16", "big")] {
        run(&dir, &["decode", "-f", codec, "-i", file]).assert().code(0);
        assert_eq!(fs::read_to_string(dir.path(file)).unwrap(), text);
    }
}

#[test]
fn plain_ascii_is_no_text_of_wide_units_or_ebcdic() {
    let dir = Dir::of(&[("plain", b"some plain words\n"), ("page", b"\xEF\xF0\xE8\xE2\xE5\xF2")]);
    let left = "plain: already utf-8: unchanged (--reconvert converts it anyway)\n";
    for codec in ["utf-16le", "utf-16", "utf-32be", "ucs-2", "ibm037"] {
        run(&dir, &["decode", "-f", codec, "-i", "plain"]).assert().code(0).stderr(left);
    }
    let out = run(&dir, &["decode", "-f", "utf-16le", "-i", "page"]).assert().code(1);
    out.stderr(
        "utf8: page: has no NUL, so it is not utf-16le: skipped (--reconvert converts it anyway; \
         utf8 detect page names its encoding)\n",
    );
    assert_eq!(text(dir.path("plain")), "some plain words\n");
    let args = ["decode", "-f", "ibm037", "--reconvert", "-i", "plain"];
    run(&dir, &args).assert().code(0);
    assert_ne!(text(dir.path("plain")), "some plain words\n");
    // A byte order mark, and the pattern of the units, tell what a file is.
    for old in [&b"\xFE\xFF\x4E\x2D"[..], b"\x2D\x4E\x0A\0\x2D\x4E\x0A\0"] {
        let codec = if old[0] == 0xFE { "utf-16" } else { "utf-16le" };
        dir.write("wide", old);
        run(&dir, &["decode", "-f", codec, "-i", "wide"]).assert().code(0);
        assert!(text(dir.path("wide")).contains('中'));
    }
}

#[test]
fn text_with_nul_is_not_converted_twice() {
    let text = "Köln\0Größe und Übermaß\0schöne Straße\0";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let signed = [b"\xFF\xFE", &wide[..]].concat();
    let dir = Dir::of(&[("wide", &wide), ("signed", &signed)]);
    for (codec, name) in [("utf-16le", "wide"), ("utf-16", "signed")] {
        for said in ["converted from", "already utf-8"] {
            let run = run(&dir, &["decode", "-f", codec, "-v", "-i", name]).assert().code(0);
            run.stderr(contains(said));
            assert_eq!(bytes(&dir, name), text.as_bytes(), "{codec}");
        }
    }
}

#[test]
fn text_in_a_legacy_target_is_not_replaced_by_a_second_run() {
    for (target, text, bytes) in [
        ("windows-1252", "caf\u{e9} \u{20ac}\n", &b"caf\xE9 \x80\n"[..]),
        ("koi8-r", "\u{43c}\u{438}\u{440}", b"\xCD\xC9\xD2"),
        ("gbk", "\u{4e2d}\u{6587}", b"\xD6\xD0\xCE\xC4"),
    ] {
        for policy in
            ["replace", "transliterate", "ignore", "backslashreplace", "fallback=windows-1252"]
        {
            let dir = Dir::of(&[("f", text.as_bytes()), ("g", text.as_bytes())]);
            let args = ["encode", "-t", target, "--on-error", policy, "-i", "f", "g"];
            run(&dir, &args).assert().code(0);
            assert_eq!(bytes_of(&dir), bytes, "{target} {policy}");
            let again = run(&dir, &args).assert().code(0);
            again.stderr(format!(
                "total: 2 files are not utf-8, probably {target} already: unchanged (--reconvert \
                 converts them anyway)\n"
            ));
            assert_eq!(bytes_of(&dir), bytes, "{target} {policy}");
        }
    }
    // Stray bytes among more UTF-8 are damage, which the policy treats.
    let dir = Dir::of(&[("f", b"\xC3\xA9\xC3\xA9\xFF"), ("stray", b"a\xFF")]);
    let args = ["encode", "-t", "latin1", "--on-error", "replace", "-i"];
    run(&dir, &args).arg("f").assert().code(0);
    assert_eq!(bytes(&dir, "f"), b"\xE9\xE9?");
    let out = run(&dir, &args).arg("stray").assert().code(0);
    out.stderr(starts_with("stray: not utf-8, probably iso-8859-1 already: unchanged ("));
    run(&dir, &args).args(["--reconvert", "stray"]).assert().code(0);
    assert_eq!(bytes(&dir, "stray"), b"a?");
}

#[test]
fn damaged_text_in_the_target_encoding_is_not_converted() {
    let damaged = ["Die Größe der Füße, 3 €\n".repeat(9).as_bytes(), b"caf\xE9\n"].concat();
    let legacy = b"Die Gr\xF6\xDFe der F\xFC\xDFe, und \xC3\xA9\n";
    let dir = Dir::of(&[("damaged", &damaged), ("legacy", legacy)]);
    let decode = |args: &[&str]| {
        let mut decode = dir.run("decode");
        decode.args(["-f", "windows-1252", "-i"]).args(args);
        decode
    };
    decode(&["-q", "damaged"]).assert().code(1).stderr(starts_with("utf8: damaged: is damaged "));
    decode(&["damaged"]).assert().code(1).stderr(
        "utf8: damaged: is damaged utf-8: skipped (--reconvert converts it anyway; utf8 detect --format \
         long damaged advises a repair)\n",
    );
    assert_eq!(fs::read(dir.path("damaged")).unwrap(), damaged);
    // In a directory, too: no later run converts it.
    for option in ["-q", "-v"] {
        let out = decode(&[option, "-r", "--glob=damaged", "."]).assert().code(1);
        out.stderr(starts_with("utf8: damaged: is damaged utf-8: skipped ("));
    }
    decode(&["-q", "--check", "-r", "--glob=damaged", "."]).assert().code(1).stderr("");
    decode(&["--reconvert", "damaged"]).assert().code(0);
    // More of the bytes are characters of their own than make sequences of UTF-8.
    decode(&["legacy"]).assert().code(0);
    assert_eq!(text(dir.path("legacy")), "Die Größe der Füße, und Ã©\n");
}

#[test]
fn a_change_of_the_byte_order_mark_is_no_conversion() {
    let dir = Dir::of(&[("f", "\u{FEFF}é\n".as_bytes()), ("g", b"\xEF\xBB\xBF\xFF\n")]);
    let said = |args: &[&str], message: &str| {
        run(&dir, args).assert().code(0).stderr(message.to_owned());
    };
    let utf8 = ["decode", "-f", "utf-8", "-i"];
    let with = |args: &[&'static str]| [&utf8[..], args].concat();
    said(&with(&["--bom=remove", "f"]), "f: byte order mark removed\n");
    said(&with(&["--bom=add", "f"]), "f: byte order mark added\n");
    said(
        &with(&["--bom=remove", "--on-error=replace", "g"]),
        "utf8: g: rewritten in utf-8, 1 ill-formed sequence replaced\n",
    );
}
