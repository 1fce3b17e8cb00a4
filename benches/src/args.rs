//! Command line of the benchmarks.

use std::cell::Cell;

/// A parsed command line.
pub struct Args {
    /// The size of each input, in bytes.
    pub size: usize,
    /// The number of measurements of each contender.
    pub runs: usize,
    /// The group of tables to print; all if it is `None`.
    pub only: Option<String>,
    /// True once a group that is wanted was asked for.
    found: Cell<bool>,
    /// The kernel whose tables in memory this process prints.
    pub kernel: Option<String>,
    /// Arguments that are not options.
    pub operands: Vec<String>,
}

impl Args {
    /// Parses the command line; exits with status 2 if it is wrong.
    pub fn parse() -> Args {
        let mut args = Args {
            size: 64 << 20,
            runs: 5,
            only: None,
            found: Cell::new(false),
            kernel: None,
            operands: Vec::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| usage_error(&word));
            let size = |value: String| parse_size(&value).unwrap_or_else(|| usage_error(&value));
            match word.as_str() {
                "--size" => args.size = size(value()),
                "--runs" => args.runs = size(value()),
                "--only" => args.only = Some(value()),
                "--kernel" => args.kernel = Some(value()),
                _ if word.starts_with("--") => usage_error(&word),
                _ => args.operands.push(word),
            }
        }
        args
    }

    /// Returns `true` if the tables of a group are wanted.
    pub fn wants(&self, group: &str) -> bool {
        let is_wanted = self.only.as_ref().is_none_or(|only| only == group);
        self.found.set(self.found.get() || is_wanted);
        is_wanted
    }

    /// Exits with status 2 if no group has the name that was given.
    pub fn check_only(&self) {
        if let (Some(only), false) = (&self.only, self.found.get()) {
            eprintln!("--only {only}: no such group");
            std::process::exit(2);
        }
    }
}

/// Parses a positive size such as 1000, 64k, 256m or 1g.
fn parse_size(word: &str) -> Option<usize> {
    let shift = match word.chars().last()?.to_ascii_lowercase() {
        'k' => 10,
        'm' => 20,
        'g' => 30,
        _ => 0,
    };
    let digits = if shift > 0 { &word[..word.len() - 1] } else { word };
    digits.parse::<usize>().ok().filter(|&n| n > 0).map(|n| n << shift)
}

/// Prints the usage and exits.
fn usage_error(word: &str) -> ! {
    eprintln!(
        "{word}: the options are --size BYTES (such as 64k, 256m, 1g), --runs NUMBER, --only GROUP"
    );
    std::process::exit(2)
}
