//! Hands the arguments to [`utf8::cli::main`].

fn main() -> std::process::ExitCode {
    utf8::cli::main()
}
