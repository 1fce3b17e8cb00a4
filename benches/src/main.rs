//! Prints the tables of BENCHMARKS.md from one run.
//!
//! `cargo run --release -- [--size 64m] [--runs 5] [--only GROUP] [UTF8 [STATIC]]`, from this
//! folder. UTF8 is the program to measure, by default `../target/release/utf8`, and STATIC another
//! build of it, by default that for `x86_64-unknown-linux-musl` if it is there. GROUP is validate,
//! list, lint, repair, undo, convert, notations, normalize, output, dump, detect, files, jobs or
//! memory (kernels, in memory). Peers that are not installed are named and skipped.
//!
//! Standard output of the measured processes is `/dev/null`, but for the group output. Files are
//! created in the folder for temporary files (`TMPDIR`) and removed at the end.

mod args;
mod corpus;
mod in_memory;
mod machine;
mod processes;
mod table;

use args::Args;

fn main() -> std::io::Result<()> {
    let args = Args::parse();
    if let Some(name) = &args.kernel {
        in_memory::print_kernel(name, &args);
        return Ok(());
    }
    if let [word, file] = args.operands.as_slice()
        && word == processes::COUNT
    {
        println!("{}", processes::count(file)?);
        return Ok(());
    }
    println!("{}.", machine::description());
    processes::print_all(&args)?;
    in_memory::print_all(&args)?;
    args.check_only();
    Ok(())
}
