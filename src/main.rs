//! Hands the arguments to [`utf8::cli::main`].

// Without optimization, the compiler would copy the vectors in these functions by calls of them.
#[cfg(all(target_arch = "x86_64", target_env = "musl", not(debug_assertions)))]
utf8::replace_copies_of_memory!(memcpy memmove);

fn main() -> std::process::ExitCode {
    utf8::cli::main()
}
