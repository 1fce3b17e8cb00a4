//! Which options do the benchmarks share? `--size 256m`, `--runs 7`, and operands.

/// What the command line says.
pub struct Args {
    /// How many bytes each input has.
    pub size: usize,
    /// How often everything is measured.
    pub runs: usize,
    /// What is not an option.
    pub operands: Vec<String>,
}

impl Args {
    /// Read the command line, or say what is wrong with it and leave.
    pub fn parse() -> Args {
        let mut args = Args { size: 256 << 20, runs: 7, operands: Vec::new() };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().as_deref().and_then(size);
            match word.as_str() {
                "--size" => args.size = value().unwrap_or_else(|| wrong(&word)),
                "--runs" => args.runs = value().unwrap_or_else(|| wrong(&word)),
                _ if word.starts_with("--") => wrong(&word),
                _ => args.operands.push(word),
            }
        }
        args
    }
}

/// 1000, 64k, 256m, 1g: more than 0.
fn size(word: &str) -> Option<usize> {
    let shift = match word.chars().last()?.to_ascii_lowercase() {
        'k' => 10,
        'm' => 20,
        'g' => 30,
        _ => 0,
    };
    let digits = if shift > 0 { &word[..word.len() - 1] } else { word };
    digits.parse::<usize>().ok().filter(|&n| n > 0).map(|n| n << shift)
}

fn wrong(word: &str) -> ! {
    eprintln!("{word}: options are --size BYTES (as 64k, 256m, 1g) and --runs NUMBER");
    std::process::exit(2)
}
