//! Hands the arguments to [`utf8::cli::main`].

// Without optimization, the compiler would copy the vectors in these functions by calls of them.
#[cfg(all(target_arch = "x86_64", target_env = "musl", not(debug_assertions)))]
utf8::replace_copies_of_memory!(memcpy memmove);

/// The allocator of the static build. That of musl returns freed pages to the system at once, and maps
/// them again.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> std::process::ExitCode {
    utf8::cli::main()
}
