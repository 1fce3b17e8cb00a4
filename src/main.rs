//! Hands the arguments to [`utf8::cli::main`].

#[cfg(all(target_arch = "x86_64", target_env = "musl"))]
utf8::replace_copies_of_memory!(memcpy memmove);

fn main() -> std::process::ExitCode {
    utf8::cli::main()
}
