//! Whole processes, compared with other programs.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use utf8::kernel;

use crate::args::Args;
use crate::corpus::{CLUSTERS, Corpus, DIRTY, LEGACY, MIXED, RANDOM, SETS, TEXTS, TWICE};
use crate::machine::{self, CpuTime};
use crate::table::{Contender, Table, Unit, alternate, digits, median};

/// Operand that makes this program a peer, which counts ill-formed sequences with std.
pub const COUNT: &str = "count-with-std";

/// Programs that `utf8` is compared with.
const PEERS: &[&str] =
    &["isutf8", "iconv", "uconv", "python3", "rg", "xxd", "uchardet", "file", "cat", "wc", "xargs"];

/// Counts ill-formed sequences block by block. One that spans two blocks may count twice, which is
/// negligible.
pub fn count(path: &str) -> io::Result<usize> {
    let mut file = File::open(path)?;
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

/// Prints the tables of all groups that are wanted.
pub fn print_all(args: &Args) -> io::Result<()> {
    let program = args.operands.first().map_or("../target/release/utf8", String::as_str);
    let fixed = args.operands.get(1).map_or(STATIC, String::as_str);
    if !Path::new(program).is_file() {
        eprintln!("{program}: not found; build it or name another program");
        std::process::exit(2);
    }
    let folder = std::env::temp_dir().join(format!("utf8-benches-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let bench = Bench { builds: builds(program, fixed)?, folder, args };
    let result = bench.print_all();
    fs::remove_dir_all(&bench.folder)?;
    result
}

/// The static build that is measured unless the command line names another.
const STATIC: &str = "../target/x86_64-unknown-linux-musl/release/utf8";

/// A build of `utf8`, with a kernel.
struct Build {
    /// What follows the name of the program in tables.
    label: String,
    path: String,
    /// The value of [`kernel::VARIABLE`], unless it is the best kernel.
    kernel: Option<&'static str>,
}

/// Returns the builds to measure, the default first.
fn builds(program: &str, fixed: &str) -> io::Result<Vec<Build>> {
    let absolute = |path: &str| Ok::<_, io::Error>(fs::canonicalize(path)?.display().to_string());
    let mut builds = Vec::new();
    for (index, kernels) in kernel::available().enumerate() {
        let kernel = (index > 0).then_some(kernels.name);
        builds.push(Build { label: kernels.name.to_owned(), path: absolute(program)?, kernel });
    }
    match Path::new(fixed).is_file() {
        true => {
            builds.push(Build { label: "static".to_owned(), path: absolute(fixed)?, kernel: None })
        }
        false => println!("\n{fixed} is not built: skipped"),
    }
    Ok(builds)
}

/// Stands for the input file in the words of a command.
const FILE: &str = "{file}";

/// A peer: its name in tables, and the words of its command.
type Peer<'a> = (&'a str, &'a [&'a str]);

/// The input of a column.
struct Input {
    column: String,
    bytes: Vec<u8>,
}

/// Returns inputs of this size, a column for each corpus.
fn inputs<'a>(
    corpora: impl IntoIterator<Item = &'a Corpus, IntoIter: 'a>,
    size: usize,
) -> impl Iterator<Item = Input> + 'a {
    let input =
        move |corpus: &Corpus| Input { column: corpus.name.to_owned(), bytes: corpus.bytes(size) };
    corpora.into_iter().map(input)
}

struct Bench<'a> {
    builds: Vec<Build>,
    folder: PathBuf,
    args: &'a Args,
}

impl Bench<'_> {
    fn print_all(&self) -> io::Result<()> {
        for peer in PEERS.iter().filter(|peer| !installed(peer)) {
            println!("\n{peer} is not installed: skipped");
        }
        type Print<'a> = fn(&Bench<'a>) -> io::Result<()>;
        let groups: &[(&str, &str, Print)] = &[
            ("validate", "Validation", Self::validate),
            ("list", "Ill-formed sequences, counted and listed", Self::list),
            ("lint", "Lints", Self::lint),
            ("repair", "Repair", Self::repair),
            ("undo", "Speed of undoing double encoding", Self::undo),
            ("convert", "Conversion", Self::convert),
            ("notations", "Notations", Self::notations),
            ("normalize", "Normalization", Self::normalize),
            ("output", "Output into a file and a pipe", Self::output),
            ("dump", "Dumps", Self::dump),
            ("detect", "Speed of detection", Self::detect),
            ("files", "Files, start and memory", Self::files),
            ("jobs", "Several threads", Self::jobs),
        ];
        for (_, title, print) in groups.iter().filter(|(group, ..)| self.args.wants(group)) {
            println!("\n### {title}");
            print(self)?;
        }
        Ok(())
    }

    /// Prints a table with a column for each input, and rows for each build of `utf8` with each of
    /// the lists of words and for the peers.
    fn print_table(
        &self,
        unit: Unit,
        inputs: impl IntoIterator<Item = Input>,
        ours: &[&[&str]],
        peers: &[Peer<'_>],
    ) -> io::Result<()> {
        let mut table = Table::new(unit);
        for input in inputs {
            self.measure(&mut table, &input, &Output::Null, ours, peers)?;
        }
        table.print();
        Ok(())
    }

    /// Adds a column to a table.
    fn measure(
        &self,
        table: &mut Table,
        input: &Input,
        output: &Output,
        ours: &[&[&str]],
        peers: &[Peer<'_>],
    ) -> io::Result<()> {
        let path = self.folder.join("input");
        machine::write_cached(&path, &input.bytes)?;
        let file = &*path.to_string_lossy();
        let with_file = |words: &[&str]| -> Vec<String> {
            words.iter().map(|&word| if word == FILE { file } else { word }.to_owned()).collect()
        };
        let mut contenders = Vec::new();
        for words in ours {
            // Options are part of the name; the input, or a list of files, is not.
            let is_option = |word: &&str| *word != FILE && !word.starts_with('/');
            let options: Vec<&str> = words.iter().copied().take_while(is_option).collect();
            for build in &self.builds {
                let mut command = with_file(words);
                command.insert(0, build.path.clone());
                let name = format!("**`{}`**, {}", options.join(" "), build.label);
                contenders.push(Contender::ours(name, move || run(&command, build.kernel, output)));
            }
        }
        for (name, words) in peers.iter().filter(|(_, words)| installed(words[0])) {
            let command = with_file(words);
            contenders.push(Contender::peer(*name, move || run(&command, None, output)));
        }
        let (runs, of) = (self.args.runs, CpuTime::Children);
        table.measure(&input.column, input.bytes.len(), runs, of, &mut contenders);
        Ok(())
    }

    fn validate(&self) -> io::Result<()> {
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs(TEXTS, self.args.size),
            &[&["validate", FILE]],
            &[
                ("isutf8", &["isutf8", FILE]),
                ("iconv to UTF-16", &["iconv", "-f", "UTF-8", "-t", "UTF-16", FILE]),
                ("python3 decode", &["python3", "-c", DECODE, FILE]),
                ("wc -l", &["wc", "-l", FILE]),
                ("cat", &["cat", FILE]),
            ],
        )
    }

    fn list(&self) -> io::Result<()> {
        let this = std::env::current_exe()?.to_string_lossy().into_owned();
        let peers: &[Peer<'_>] = &[
            ("std `utf8_chunks`, counting", &[&this, COUNT, FILE]),
            ("iconv -c to UTF-16", &["iconv", "-c", "-f", "UTF-8", "-t", "UTF-16", FILE]),
            ("python3 decode, replacing", &["python3", "-c", DECODE, FILE, "replace"]),
        ];
        for (ours, peers) in [
            (&["validate", "--count", FILE][..], peers),
            (&["validate", "--format", "tsv", FILE], &peers[..1]),
            (&["validate", "--format", "text", "--max-shown", "none", FILE], &peers[..1]),
            (&["validate", "--format", "json", FILE], &peers[..1]),
        ] {
            let inputs = inputs(DIRTY.iter().chain(LEGACY), self.args.size);
            self.print_table(Unit::GigabytesPerSecond, inputs, &[ours], peers)?;
        }
        Ok(())
    }

    fn lint(&self) -> io::Result<()> {
        const PATTERN: &str =
            r"[\x{200B}\x{202A}-\x{202E}\x{2060}-\x{2069}\x{FEFF}\x{E0000}-\x{E007F}]";
        println!("\nThe peer searches for some of the same characters.");
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs(TEXTS, self.args.size),
            &[&["validate", "--deny", "strict", FILE]],
            &[("rg --count", &["rg", "--count", PATTERN, FILE])],
        )
    }

    fn repair(&self) -> io::Result<()> {
        println!("\n`utf8` and Python replace ill-formed sequences; the other peers drop them.");
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs(TEXTS.iter().chain(DIRTY).chain(LEGACY), self.args.size),
            &[&["repair", FILE]],
            &[
                ("iconv -c", &["iconv", "-c", "-f", "UTF-8", "-t", "UTF-8", FILE]),
                (
                    "uconv --callback skip",
                    &["uconv", "-f", "UTF-8", "-t", "UTF-8", "--callback", "skip", FILE],
                ),
                ("python3 decode, replacing", &["python3", "-c", DECODE, FILE, "replace"]),
            ],
        )
    }

    /// The peer is slow, so the input is small.
    fn undo(&self) -> io::Result<()> {
        const SIZE: usize = 4 << 20;
        let mut peers: Vec<Peer<'_>> = Vec::new();
        match command(&["python3", "-c", "import ftfy"]).status() {
            Ok(status) if status.success() => {
                peers.push(("ftfy", &["python3", "-c", FTFY, FILE]));
            }
            _ => println!("\nftfy is not installed: skipped"),
        }
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs(TWICE, self.args.size.min(SIZE)),
            &[&["repair", "--undo-mojibake", FILE]],
            &peers,
        )
    }

    fn convert(&self) -> io::Result<()> {
        let size = self.args.size;
        for to in ["UTF-16LE", "UTF-32LE"] {
            self.print_conversions("UTF-8", to, inputs(TEXTS, size))?;
        }
        let units = inputs(TEXTS, size / 2).map(|mut input| {
            let text = str::from_utf8(&input.bytes).expect("texts are well formed");
            input.bytes = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            input
        });
        self.print_conversions("UTF-16LE", "UTF-8", units)?;
        for corpus in LEGACY.iter().chain(SETS) {
            let from = if corpus.name == "Latin-1" { "ISO-8859-1" } else { corpus.name };
            self.print_conversions(from, "UTF-8", inputs([corpus], size))?;
        }
        self.print_conversions("UTF-8", "GB18030", inputs(TEXTS, size))?;
        self.print_conversions("GB18030", "UTF-8", self.spelt("gb18030")?)
    }

    fn print_conversions(
        &self,
        from: &str,
        to: &str,
        inputs: impl IntoIterator<Item = Input>,
    ) -> io::Result<()> {
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs,
            &[&["decode", "-f", from, "-t", to, FILE]],
            &[
                ("iconv", &["iconv", "-f", from, "-t", to, FILE]),
                ("uconv", &["uconv", "-f", from, "-t", to, FILE]),
            ],
        )
    }

    /// Returns texts in an encoding or notation, as this program writes it.
    fn spelt(&self, to: &str) -> io::Result<Vec<Input>> {
        let spell = |mut input: Input| {
            let path = self.folder.join("spelt");
            fs::write(&path, &input.bytes)?;
            let spelt = Command::new(&self.builds[0].path)
                .args(["encode", "-t", to])
                .arg(&path)
                .stdin(Stdio::null())
                .output()?;
            assert!(spelt.status.success(), "{to}: {}", spelt.status);
            input.bytes = spelt.stdout;
            Ok(input)
        };
        inputs(TEXTS, self.args.size / 2).map(spell).collect()
    }

    fn notations(&self) -> io::Result<()> {
        let unit = Unit::GigabytesPerSecond;
        let to: &[(&str, Peer<'_>)] = &[
            ("json", ("python3 json.dump", &["python3", "-c", DUMP_JSON, FILE])),
            ("c", ("python3 unicode_escape", &["python3", "-c", DUMP_ESCAPES, FILE])),
            ("html", ("python3 xmlcharrefreplace", &["python3", "-c", DUMP_HTML, FILE])),
            ("code-points", ("cat", &["cat", FILE])),
        ];
        for &(to, peer) in to {
            let ours = &["decode", "-t", to, FILE];
            self.print_table(unit, inputs(TEXTS, self.args.size), &[ours], &[peer])?;
        }
        println!("\nRead, as this program writes them:");
        let from: &[(&str, Peer<'_>)] = &[
            ("json", ("python3 json.loads", &["python3", "-c", LOAD_JSON, FILE])),
            ("html", ("python3 html.unescape", &["python3", "-c", LOAD_HTML, FILE])),
        ];
        for &(from, peer) in from {
            let ours = &["decode", "-f", from, "-t", "utf-8", FILE];
            self.print_table(unit, self.spelt(from)?, &[ours], &[peer])?;
        }
        Ok(())
    }

    fn normalize(&self) -> io::Result<()> {
        println!("\nText that is in form C already:");
        self.print_table(
            Unit::GigabytesPerSecond,
            inputs(TEXTS.iter().chain(CLUSTERS), self.args.size),
            &[&["repair", "--normalize", "nfc", FILE]],
            &[("uconv", &["uconv", "-f", "UTF-8", "-t", "UTF-8", "-x", "any-nfc", FILE])],
        )
    }

    /// Prints tables with a column for each place that output can go to.
    fn output(&self) -> io::Result<()> {
        println!("\n{}, {} MiB:", MIXED.name, self.args.size >> 20);
        let commands: &[(&[&str], Peer<'_>)] = &[
            (
                &["decode", "-f", "UTF-8", "-t", "UTF-16LE", FILE],
                ("iconv", &["iconv", "-f", "UTF-8", "-t", "UTF-16LE", FILE]),
            ),
            (&["repair", FILE], ("iconv -c", &["iconv", "-c", "-f", "UTF-8", "-t", "UTF-8", FILE])),
            (&["dump-bits", "--layout", "bytes", FILE], ("xxd -b", &["xxd", "-b", FILE])),
            (&["dump-bits", "--layout", "bytes", "--base", "hex", FILE], ("xxd", &["xxd", FILE])),
        ];
        let outputs = [
            ("/dev/null", Output::Null),
            ("a file", Output::File(self.folder.join("output"))),
            ("a pipe", Output::Pipe),
        ];
        let bytes = MIXED.bytes(self.args.size);
        for &(ours, peer) in commands {
            let mut table = Table::new(Unit::GigabytesPerSecond);
            for (column, output) in &outputs {
                let input = Input { column: (*column).to_owned(), bytes: bytes.clone() };
                self.measure(&mut table, &input, output, &[ours], &[peer])?;
            }
            table.print();
        }
        Ok(())
    }

    /// Text in code pages is dumped as UTF-8 with dense ill-formed sequences, as binary data is.
    fn dump(&self) -> io::Result<()> {
        let size = self.args.size / 4;
        let corpora = || TEXTS.iter().chain(CLUSTERS).chain(LEGACY).chain(RANDOM);
        let layouts: &[(&[&str], Peer<'_>)] = &[
            (&["dump-bits", "--layout", "bytes", FILE], ("xxd -b", &["xxd", "-b", FILE])),
            (&["dump-bits", "--layout", "bytes", "--base", "hex", FILE], ("xxd", &["xxd", FILE])),
            (&["dump-bits", "--layout", "bytes", "--base", "octal", FILE], ("xxd", &["xxd", FILE])),
            (&["dump-bits", FILE], ("xxd -b", &["xxd", "-b", FILE])),
            (&["dump-bits", "--no-fold", FILE], ("xxd -b", &["xxd", "-b", FILE])),
        ];
        for &(ours, peer) in layouts {
            self.print_table(Unit::GigabytesPerSecond, inputs(corpora(), size), &[ours], &[peer])?;
        }
        println!("\nBytes of rows written for a byte of input:\n");
        println!("| `utf8` |{}", corpora().map(|c| format!(" {} |", c.name)).collect::<String>());
        println!("|---|{}", "---|".repeat(corpora().count()));
        for (ours, _) in layouts {
            print!("| `{}` |", ours[..ours.len() - 1].join(" "));
            for input in inputs(corpora(), size.min(1 << 20)) {
                let path = self.folder.join("input");
                fs::write(&path, &input.bytes)?;
                let written = Command::new(&self.builds[0].path)
                    .args(&ours[..ours.len() - 1])
                    .arg(&path)
                    .output()?;
                let bytes = written.stdout.len() as f64 / input.bytes.len() as f64;
                print!(" {} |", digits(bytes));
            }
            println!();
        }
        Ok(())
    }

    fn detect(&self) -> io::Result<()> {
        println!("\n1 MiB:");
        self.print_table(
            Unit::Milliseconds,
            inputs(TEXTS.iter().chain(DIRTY).chain(LEGACY).chain(SETS), 1 << 20),
            &[&["detect", FILE]],
            &[("uchardet", &["uchardet", FILE]), ("file", &["file", "--mime-encoding", FILE])],
        )
    }

    fn files(&self) -> io::Result<()> {
        let one_byte = [Input { column: "a file of one byte".to_owned(), bytes: b"a".to_vec() }];
        self.print_table(
            Unit::Milliseconds,
            one_byte,
            &[&["validate", FILE], &["detect", FILE]],
            &[
                ("isutf8", &["isutf8", FILE]),
                ("iconv to UTF-16", &["iconv", "-f", "UTF-8", "-t", "UTF-16", FILE]),
                ("python3 decode", &["python3", "-c", DECODE, FILE]),
                ("cat", &["cat", FILE]),
            ],
        )?;
        self.print_small_files()?;
        self.print_memory()
    }

    fn print_small_files(&self) -> io::Result<()> {
        const FILES: usize = 10_000;
        const SIZE: usize = 4096;
        let folder = self.folder.join("small");
        fs::create_dir(&folder)?;
        let bytes = MIXED.bytes(FILES * SIZE);
        let mut paths = Vec::new();
        for (i, piece) in bytes.chunks(SIZE).enumerate() {
            let path = folder.join(format!("{i:05}.txt"));
            // Characters at the ends may be cut.
            fs::write(&path, String::from_utf8_lossy(piece).trim_matches('\u{FFFD}'))?;
            paths.push(path.to_string_lossy().into_owned());
        }
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let [validate, detect] = ["validate", "detect"].map(|word| [&[word], &paths[..]].concat());
        let input = Input {
            column: "10,000 files of 4 KiB in one call".to_owned(),
            bytes: paths.join("\n").into_bytes(),
        };
        self.print_table(
            Unit::Milliseconds,
            [input],
            &[&validate, &detect],
            &[("xargs isutf8", &["xargs", "-a", FILE, "isutf8"])],
        )
    }

    /// Prints the peak of resident memory while a pipe is read to its end.
    fn print_memory(&self) -> io::Result<()> {
        println!("\n{} MiB through a pipe, resident at most:\n", self.args.size >> 20);
        println!("| | MiB |\n|---|---|");
        let bytes = MIXED.bytes(self.args.size);
        let ours: &[&str] = &[&self.builds[0].path, "validate"];
        for (name, words) in [
            ("**`validate`**", ours),
            ("isutf8", &["isutf8"]),
            ("iconv to UTF-16", &["iconv", "-f", "UTF-8", "-t", "UTF-16"]),
        ] {
            if !installed(words[0]) {
                continue;
            }
            let mut child = command(words).stdin(Stdio::piped()).spawn()?;
            let mut pipe = child.stdin.take().expect("standard input is a pipe");
            pipe.write_all(&bytes)?;
            let peak = machine::peak_memory(child.id());
            drop(pipe);
            child.wait()?;
            println!(
                "| {name} | {} |",
                peak.map_or("unknown".to_owned(), |kib| digits(kib as f64 / 1024.0))
            );
        }
        Ok(())
    }

    /// Prints the time of one thread and of all, on files that are large enough for several.
    fn jobs(&self) -> io::Result<()> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let size = self.args.size.max(64 << 20);
        println!("\n{} MiB, `-j1` and `-j{threads}`:\n", size >> 20);
        println!("| | wall, `-j1` | wall, `-j{threads}` | ratio | CPU, `-j{threads}` by `-j1` |");
        println!("|---|---|---|---|---|");
        for (corpus, words) in [
            (&TEXTS[0], &["validate"][..]),
            (&MIXED, &["validate"]),
            (&MIXED, &["validate", "--deny", "strict"]),
            (&MIXED, &["decode", "-t", "utf-16le"]),
            (&MIXED, &["decode", "-t", "json"]),
            (&TEXTS[3], &["decode", "-t", "gb18030"]),
            (&LEGACY[1], &["decode", "-f", "windows-1251"]),
            (&MIXED, &["repair"]),
            (&DIRTY[1], &["repair"]),
        ] {
            let path = self.folder.join("input");
            machine::write_cached(&path, &corpus.bytes(size))?;
            let file = &*path.to_string_lossy();
            let all = format!("-j{threads}");
            let builds = || self.builds.iter().filter(|build| build.kernel.is_none());
            let mut contenders = Vec::new();
            for (build, jobs) in builds().flat_map(|build| [(build, "-j1"), (build, &*all)]) {
                let words = [&[&*build.path], words, &[jobs, file]].concat();
                contenders.push(Contender::ours(jobs, move || run(&words, None, &Output::Null)));
            }
            let times = alternate(self.args.runs, CpuTime::Children, &mut contenders);
            for (build, times) in builds().zip(times.chunks_exact(2)) {
                let [one, all] = [&times[0], &times[1]];
                let (before, now) = (median(one, |time| time.wall), median(all, |time| time.wall));
                println!(
                    "| `{}`, {}, {} | {} ms | {} ms | {} × | {} |",
                    words.join(" "),
                    build.label,
                    corpus.name,
                    digits(before * 1e3),
                    digits(now * 1e3),
                    digits(before / now),
                    digits(median(all, |time| time.cpu) / median(one, |time| time.cpu)),
                );
            }
        }
        Ok(())
    }
}

/// Reads the file named by the first argument as UTF-8; the second argument is the error handler.
const DECODE: &str = "import sys; open(sys.argv[1], 'rb').read().decode('utf-8', *sys.argv[2:])";

/// Writes the file named by the first argument as a JSON string of ASCII.
const DUMP_JSON: &str = "import sys, json
json.dump(open(sys.argv[1], encoding='utf-8').read(), sys.stdout)";

/// Writes the file named by the first argument with escapes like those of C.
const DUMP_ESCAPES: &str = "import sys
text = open(sys.argv[1], encoding='utf-8').read()
sys.stdout.buffer.write(text.encode('unicode_escape'))";

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

/// Returns `true` if the program is installed.
fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    program.contains('/') || std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

/// Where the standard output of a measured process goes.
enum Output {
    Null,
    /// A file that is created, or replaced, in the folder of the inputs.
    File(PathBuf),
    /// A pipe that this process reads to its end.
    Pipe,
}

fn command(words: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command to its end, `utf8` with a kernel. Exit statuses that report ill-formed input are
/// accepted.
fn run(words: &[impl AsRef<OsStr>], kernel: Option<&str>, output: &Output) {
    let mut command = command(words);
    command.envs(kernel.map(|name| (kernel::VARIABLE, name)));
    let status = run_into(&mut command, output);
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let code = status.code();
    assert!(code.is_some_and(|code| code <= 1 || code == 123), "{command:?}: {status}");
}

fn run_into(command: &mut Command, output: &Output) -> io::Result<ExitStatus> {
    match output {
        Output::Null => command.status(),
        Output::File(path) => command.stdout(File::create(path)?).status(),
        Output::Pipe => {
            let mut child = command.stdout(Stdio::piped()).spawn()?;
            let mut pipe = child.stdout.take().expect("standard output is a pipe");
            let mut buffer = vec![0; 1 << 20];
            while pipe.read(&mut buffer)? > 0 {}
            child.wait()
        }
    }
}
