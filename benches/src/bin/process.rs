//! Speed of whole processes, compared with other programs.
//!
//! `cargo run --release --bin process -- [--size 256m] [--runs 7] [--only GROUP] [UTF8]`, from this
//! folder. UTF8 is the program to measure, by default `../target/release/utf8`. GROUP is validate,
//! list, repair, undo, convert, spell, read, normalize, lint, dump, detect, files, start or memory.
//! Peers that are not installed are reported and skipped.
//!
//! Standard output is `/dev/null` for all processes. Input files are created in the folder for
//! temporary files (`TMPDIR`) and removed at the end.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use utf8_benches::args::Args;
use utf8_benches::corpus::{Corpus, DIRTY, LEGACY, SETS, TEXTS, TWICE};
use utf8_benches::harness::{Contender, Unit, compare};
use utf8_benches::machine::{self, CpuTime};

/// Operand that makes this program a peer, which counts ill-formed sequences with the standard
/// library.
const COUNT: &str = "count-with-std";

/// Options that count or list ill-formed sequences.
const LISTS: &[&[&str]] = &[
    &["--count"],
    &["--format", "tsv"],
    &["--format", "text", "--max-shown", "none"],
    &["--format", "json"],
];

fn main() -> io::Result<()> {
    let args = Args::parse();
    if let [word, file] = args.operands.as_slice()
        && word == COUNT
    {
        println!("{}", count(File::open(file)?)?);
        return Ok(());
    }
    let program = args.operands.first().map_or("../target/release/utf8", String::as_str);
    if !Path::new(program).is_file() {
        eprintln!("{program}: not found; build it or name another program");
        std::process::exit(2);
    }
    let bench = Bench {
        utf8: fs::canonicalize(program)?.to_string_lossy().into_owned(),
        folder: std::env::temp_dir().join(format!("utf8-benches-{}", std::process::id())),
        args,
    };
    fs::create_dir_all(&bench.folder)?;
    let result = bench.all();
    fs::remove_dir_all(&bench.folder)?;
    result
}

/// Counts ill-formed sequences block by block. One that spans two blocks may count twice, which is
/// negligible.
fn count(mut file: File) -> io::Result<usize> {
    let mut buffer = vec![0; 1 << 20];
    let mut count = 0;
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            return Ok(count);
        }
        let chunks = buffer[..length].utf8_chunks();
        count += chunks.filter(|chunk| !chunk.invalid().is_empty()).count();
    }
}

struct Bench {
    utf8: String,
    folder: PathBuf,
    args: Args,
}

impl Bench {
    fn all(&self) -> io::Result<()> {
        for peer in
            ["isutf8", "iconv", "uconv", "python3", "rg", "xxd", "uchardet", "file", "cat", "xargs"]
        {
            if !installed(peer) {
                println!("{peer} is not installed: skipped");
            }
        }
        let dirty = TEXTS.iter().chain(DIRTY);
        self.each("validate", TEXTS, Bench::validate)?;
        self.each("list", DIRTY.iter().chain(LEGACY), Bench::list_issues)?;
        self.each("repair", dirty.clone(), Bench::repair)?;
        self.each("undo", TWICE, Bench::undo)?;
        self.each("convert", TEXTS, Bench::units)?;
        self.each("convert", LEGACY, Bench::page)?;
        self.each("spell", TEXTS, Bench::spell)?;
        self.each("read", TEXTS, Bench::read)?;
        self.each("read", SETS, Bench::set)?;
        self.each("normalize", TEXTS, Bench::normalize)?;
        self.each("lint", TEXTS, Bench::lint)?;
        // Legacy text read as UTF-8 has dense ill-formed sequences, as binary data has.
        self.each("dump", TEXTS.iter().chain(LEGACY), Bench::dumps)?;
        self.each("detect", dirty.chain(LEGACY).chain(SETS), Bench::detect)?;
        self.each("files", &[()], |bench, ()| bench.small_files())?;
        self.each("start", &[()], |bench, ()| bench.start_up())?;
        self.each("memory", &[()], |bench, ()| bench.memory())
    }

    /// Measures the inputs of a group, if it is wanted.
    fn each<'a, T: 'a>(
        &self,
        group: &str,
        inputs: impl IntoIterator<Item = &'a T>,
        measure: impl Fn(&Bench, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        let is_wanted = self.args.only.as_ref().is_none_or(|only| only == group);
        inputs.into_iter().filter(|_| is_wanted).try_for_each(|input| measure(self, input))
    }

    /// Writes a corpus to a file and returns its path.
    fn file(&self, corpus: &Corpus) -> io::Result<String> {
        let path = self.folder.join("input");
        machine::write_cached(&path, &corpus.bytes(self.args.size))?;
        Ok(path.to_string_lossy().into_owned())
    }

    fn compare(&self, title: &str, unit: Unit, commands: &[(&str, Vec<&str>)]) {
        let mut contenders: Vec<_> = commands
            .iter()
            .filter(|(_, words)| installed(words[0]))
            .map(|(name, words)| Contender::new(*name, move || run(words)))
            .collect();
        compare(title, unit, self.args.runs, CpuTime::Children, &mut contenders);
    }

    fn validate(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let commands = [
            ("utf8 validate", vec![&*self.utf8, "validate", &file]),
            ("isutf8", vec!["isutf8", &file]),
            ("iconv to UTF-16", vec!["iconv", "-f", "UTF-8", "-t", "UTF-16", &file]),
            ("python3 decode", vec!["python3", "-c", DECODE, &file]),
            ("cat", vec!["cat", &file]),
        ];
        let title = format!("validate: {}", corpus.name);
        self.compare(&title, Unit::BytesPerSecond(self.args.size), &commands);
        Ok(())
    }

    fn list_issues(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let this = std::env::current_exe()?.to_string_lossy().into_owned();
        let std = ("std utf8_chunks, counting", vec![&*this, COUNT, &file]);
        let title = format!("list ill-formed sequences: {}", corpus.name);
        for options in LISTS {
            let name = format!("utf8 validate {}", options.join(" "));
            let listed = [&[&*self.utf8, "validate"][..], options, &[&*file]].concat();
            let commands = [
                (&*name, listed),
                std.clone(),
                ("iconv -c to UTF-16", vec!["iconv", "-c", "-f", "UTF-8", "-t", "UTF-16", &file]),
                ("python3 decode, replacing", vec!["python3", "-c", DECODE, &file, "replace"]),
            ];
            self.compare(&title, Unit::BytesPerSecond(self.args.size), &commands);
        }
        Ok(())
    }

    fn repair(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let uconv = vec!["uconv", "-f", "UTF-8", "-t", "UTF-8", "--callback", "skip", &file];
        let commands = [
            ("utf8 repair", vec![&*self.utf8, "repair", &file]),
            ("iconv -c", vec!["iconv", "-c", "-f", "UTF-8", "-t", "UTF-8", &file]),
            ("uconv --callback skip", uconv),
            ("python3 decode, replacing", vec!["python3", "-c", DECODE, &file, "replace"]),
        ];
        let title = format!("repair: {}", corpus.name);
        self.compare(&title, Unit::BytesPerSecond(self.args.size), &commands);
        Ok(())
    }

    /// Measures the reversal of double encoding. The peer is slow, so the input is small.
    fn undo(&self, corpus: &Corpus) -> io::Result<()> {
        const MAX_SIZE: usize = 8 << 20;
        let size = self.args.size.min(MAX_SIZE);
        let path = self.folder.join("twice");
        machine::write_cached(&path, &corpus.bytes(size))?;
        let file = path.to_string_lossy();
        let ours = vec![&*self.utf8, "repair", "--undo-mojibake", &file];
        let mut commands = vec![("utf8 repair --undo-mojibake", ours)];
        match command(&["python3", "-c", "import ftfy"]).status() {
            Ok(status) if status.success() => {
                commands.push(("ftfy", vec!["python3", "-c", FTFY, &file]));
            }
            _ => println!("ftfy is not installed: skipped"),
        }
        self.compare(&format!("undo: {}", corpus.name), Unit::BytesPerSecond(size), &commands);
        Ok(())
    }

    /// Measures conversions to UTF-16 and back, and to UTF-32.
    fn units(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let size = self.args.size;
        self.convert(corpus.name, &file, size, "UTF-8", "UTF-16LE");
        self.convert(corpus.name, &file, size, "UTF-8", "UTF-32LE");
        let text = String::from_utf8(fs::read(&file)?).map_err(io::Error::other)?;
        let mut units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        // The size of the other inputs, without half a surrogate pair at the end.
        units.truncate(size & !3);
        if let [.., _, 0xD8..0xDC] = *units {
            units.truncate(units.len() - 2);
        }
        machine::write_cached(Path::new(&file), &units)?;
        self.convert(corpus.name, &file, units.len(), "UTF-16LE", "UTF-8");
        Ok(())
    }

    /// Measures the conversion of a code page.
    fn page(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let codec = if corpus.name == "Latin-1" { "ISO-8859-1" } else { corpus.name };
        self.convert(corpus.name, &file, self.args.size, codec, "UTF-8");
        Ok(())
    }

    fn convert(&self, corpus: &str, file: &str, size: usize, from: &str, to: &str) {
        let commands = [
            ("utf8 encode", vec![&*self.utf8, "encode", "-f", from, "-t", to, file]),
            ("iconv", vec!["iconv", "-f", from, "-t", to, file]),
            ("uconv", vec!["uconv", "-f", from, "-t", to, file]),
        ];
        self.compare(&format!("{from} to {to}: {corpus}"), Unit::BytesPerSecond(size), &commands);
    }

    /// Measures conversions to notations, and to a set with a table.
    fn spell(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        for (to, peer) in [
            ("json", ("python3 json.dumps", vec!["python3", "-c", DUMP_JSON, &*file])),
            ("html", ("python3 xmlcharrefreplace", vec!["python3", "-c", DUMP_HTML, &file])),
            ("gb18030", ("iconv", vec!["iconv", "-f", "UTF-8", "-t", "GB18030", &file])),
            ("code-points", ("cat", vec!["cat", &file])),
        ] {
            let ours = ("utf8 decode", vec![&*self.utf8, "decode", "-t", to, &file]);
            let title = format!("UTF-8 to {to}: {}", corpus.name);
            self.compare(&title, Unit::BytesPerSecond(self.args.size), &[ours, peer]);
        }
        Ok(())
    }

    /// Measures the reverse conversions, of what this program wrote.
    fn read(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let path = self.folder.join("spelt");
        let spelt = path.to_string_lossy();
        for (from, peer) in [
            ("json", vec!["python3", "-c", LOAD_JSON, &*spelt]),
            ("html", vec!["python3", "-c", LOAD_HTML, &spelt]),
            ("gb18030", vec!["iconv", "-f", "GB18030", "-t", "UTF-8", &spelt]),
        ] {
            run(&[&*self.utf8, "encode", "-t", from, "-o", &spelt, &file]);
            let size = fs::metadata(&path)?.len() as usize;
            let ours =
                ("utf8 decode", vec![&*self.utf8, "decode", "-f", from, "-t", "UTF-8", &spelt]);
            let title = format!("{from} to UTF-8: {}", corpus.name);
            self.compare(&title, Unit::BytesPerSecond(size), &[ours, (peer[0], peer.clone())]);
        }
        Ok(())
    }

    /// Measures the conversion of a multi-byte set, up to a character that the end may cut.
    fn set(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        self.convert(corpus.name, &file, self.args.size, corpus.name, "UTF-8");
        Ok(())
    }

    fn normalize(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let commands = [
            (
                "utf8 repair --normalize nfc",
                vec![&*self.utf8, "repair", "--normalize", "nfc", &file],
            ),
            (
                "uconv -x any-nfc",
                vec!["uconv", "-f", "UTF-8", "-t", "UTF-8", "-x", "any-nfc", &file],
            ),
        ];
        let title = format!("form C: {}", corpus.name);
        self.compare(&title, Unit::BytesPerSecond(self.args.size), &commands);
        Ok(())
    }

    /// Measures the lints of `strict` beside a search for some of their characters.
    fn lint(&self, corpus: &Corpus) -> io::Result<()> {
        const PATTERN: &str =
            r"[\x{200B}\x{202A}-\x{202E}\x{2060}-\x{2069}\x{FEFF}\x{E0000}-\x{E007F}]";
        let file = self.file(corpus)?;
        let commands = [
            (
                "utf8 validate --deny strict",
                vec![&*self.utf8, "validate", "--deny", "strict", &file],
            ),
            ("rg --count", vec!["rg", "--count", PATTERN, &file]),
        ];
        let title = format!("lints: {}", corpus.name);
        self.compare(&title, Unit::BytesPerSecond(self.args.size), &commands);
        Ok(())
    }

    fn dumps(&self, corpus: &Corpus) -> io::Result<()> {
        let file = self.file(corpus)?;
        let of_bits = ("xxd -b", vec!["xxd", "-b", &file]);
        for (layout, peer) in [
            (&["--layout", "bytes"][..], of_bits.clone()),
            (&["--layout", "bytes", "--base", "hex"], ("xxd", vec!["xxd", &file])),
            (&["--layout", "bytes", "--base", "octal"], ("xxd", vec!["xxd", &file])),
            (&[], of_bits.clone()),
            (&["--no-fold"], of_bits),
        ] {
            let name = format!("utf8 dump-bits {}", layout.join(" "));
            let ours = [&[&*self.utf8, "dump-bits"], layout, &[&*file]].concat();
            let title = format!("dump: {}", corpus.name);
            self.compare(&title, Unit::BytesPerSecond(self.args.size), &[(&*name, ours), peer]);
        }
        Ok(())
    }

    /// Measures detection of the encoding of 1 MiB.
    fn detect(&self, corpus: &Corpus) -> io::Result<()> {
        const SIZE: usize = 1 << 20;
        let path = self.folder.join("unnamed");
        machine::write_cached(&path, &corpus.bytes(SIZE))?;
        let file = path.to_string_lossy();
        let commands = [
            ("utf8 detect", vec![&*self.utf8, "detect", &file]),
            ("utf8 validate", vec![&*self.utf8, "validate", "-q", &file]),
            ("uchardet", vec!["uchardet", &file]),
            ("file", vec!["file", "--mime-encoding", &file]),
        ];
        self.compare(&format!("detect: 1 MiB of {}", corpus.name), Unit::Milliseconds, &commands);
        Ok(())
    }

    fn small_files(&self) -> io::Result<()> {
        const FILES: usize = 10_000;
        const SIZE: usize = 4096;
        let folder = self.folder.join("small");
        fs::create_dir(&folder)?;
        let bytes = TEXTS[TEXTS.len() - 1].bytes(FILES * SIZE);
        let mut paths = Vec::new();
        for (i, piece) in bytes.chunks(SIZE).enumerate() {
            let path = folder.join(format!("{i:05}.txt"));
            // Characters at the ends may be cut.
            fs::write(&path, String::from_utf8_lossy(piece).trim_matches('\u{FFFD}'))?;
            paths.push(path.to_string_lossy().into_owned());
        }
        let list = self.folder.join("list").to_string_lossy().into_owned();
        fs::write(&list, paths.join("\n"))?;
        let mut ours = vec![&*self.utf8, "validate"];
        ours.extend(paths.iter().map(String::as_str));
        let commands =
            [("utf8 validate", ours), ("xargs isutf8", vec!["xargs", "-a", &list, "isutf8"])];
        self.compare("10,000 files of 4 KiB in one call", Unit::Milliseconds, &commands);
        Ok(())
    }

    fn start_up(&self) -> io::Result<()> {
        let path = self.folder.join("byte");
        fs::write(&path, "a")?;
        let file = path.to_string_lossy();
        let commands = [
            ("utf8 validate", vec![&*self.utf8, "validate", &file]),
            ("utf8 detect", vec![&*self.utf8, "detect", &file]),
            ("isutf8", vec!["isutf8", &file]),
            ("iconv to UTF-16", vec!["iconv", "-f", "UTF-8", "-t", "UTF-16", &file]),
            ("python3 decode", vec!["python3", "-c", DECODE, &file]),
            ("cat", vec!["cat", &file]),
        ];
        self.compare("start-up: a file of one byte", Unit::Milliseconds, &commands);
        Ok(())
    }

    /// Prints the peak resident memory while a pipe is read to its end.
    fn memory(&self) -> io::Result<()> {
        println!("\nmemory: {} MiB through a pipe", self.args.size >> 20);
        let bytes = TEXTS[TEXTS.len() - 1].bytes(self.args.size);
        let ours = [&*self.utf8, "validate"];
        for words in [&ours[..], &["isutf8"], &["iconv", "-f", "UTF-8", "-t", "UTF-16"]] {
            if !installed(words[0]) {
                continue;
            }
            let mut child = command(words).stdin(Stdio::piped()).spawn()?;
            let mut pipe = child.stdin.take().expect("standard input is a pipe");
            pipe.write_all(&bytes)?;
            let peak =
                machine::peak_memory(child.id()).map_or("unknown".into(), |kib| kib.to_string());
            drop(pipe);
            child.wait()?;
            println!("  {:32} {peak:>9} KiB resident at most", name(words[0]));
        }
        Ok(())
    }
}

/// Reads the file named by the first argument as UTF-8; the second argument is the error handler.
const DECODE: &str = "import sys; open(sys.argv[1], 'rb').read().decode('utf-8', *sys.argv[2:])";

/// Writes the file named by the first argument as a JSON string of ASCII.
const DUMP_JSON: &str = "import sys, json
json.dump(open(sys.argv[1], encoding='utf-8').read(), sys.stdout)";

/// Writes the file named by the first argument as HTML in ASCII.
const DUMP_HTML: &str = "import sys, html
text = html.escape(open(sys.argv[1], encoding='utf-8').read())
sys.stdout.buffer.write(text.encode('ascii', 'xmlcharrefreplace'))";

/// Reads the file named by the first argument as the inside of a JSON string.
const LOAD_JSON: &str = "import sys, json
text = json.loads('\"' + open(sys.argv[1], encoding='utf-8').read() + '\"')
sys.stdout.buffer.write(text.encode('utf-8'))";

/// Reads the file named by the first argument as HTML with character references.
const LOAD_HTML: &str = "import sys, html
text = html.unescape(open(sys.argv[1], encoding='utf-8').read())
sys.stdout.buffer.write(text.encode('utf-8'))";

/// Undoes double encoding in the lines of a file with ftfy, without its other repairs.
const FTFY: &str = "import sys, ftfy
for line in open(sys.argv[1], encoding='utf-8', errors='replace'):
    sys.stdout.write(ftfy.fix_encoding(line))";

/// Returns the file name of a program.
fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns `true` if the program is installed.
fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    program.contains('/') || std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command to its end. Exit statuses that report ill-formed input are accepted.
fn run(words: &[&str]) {
    let status = command(words).status().unwrap_or_else(|error| panic!("{}: {error}", words[0]));
    let code = status.code();
    assert!(code.is_some_and(|code| code <= 1 || code == 123), "{}: {status}", words[0]);
}
