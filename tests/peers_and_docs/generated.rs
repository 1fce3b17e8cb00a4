//! man/ and the static scripts in completions/ are what the command tree says; `UTF8_BLESS=1`
//! rewrites them. The scripts for bash, zsh and fish ask the binary instead.

use std::fs;
use std::path::{Path, PathBuf};

use clap_complete::Shell;
use utf8::cli::{command, with_topics};

use crate::common::bin::run;
use crate::man;

/// A generated file: its path in the repository, and its contents.
type Generated = (PathBuf, Vec<u8>);

fn generated() -> Vec<Generated> {
    let pages = man::pages().into_iter();
    let pages = pages.map(|(name, page)| (Path::new("man").join(name), page.into_bytes()));
    let shells = [Shell::Elvish, Shell::PowerShell];
    let completions = shells.map(|shell| {
        let mut contents = Vec::new();
        clap_complete::generate(shell, &mut with_topics(command()), "utf8", &mut contents);
        let name = clap_complete::Generator::file_name(&shell, "utf8");
        (Path::new("completions").join(name), contents)
    });
    pages.chain(completions).collect()
}

#[test]
fn generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("UTF8_BLESS").is_some();
    for (path, contents) in generated() {
        let file = root.join(&path);
        if bless {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &contents).unwrap();
        }
        let found = fs::read(&file).unwrap_or_default();
        assert!(
            found == contents,
            "{} is not what the command tree says; UTF8_BLESS=1 cargo test --test peers_and_docs generated rewrites it",
            path.display()
        );
    }
}

/// The static scripts, which ask the binary, and the shells whose they are.
const ASKING: [(&str, &str); 3] = [("utf8.bash", "bash"), ("_utf8", "zsh"), ("utf8.fish", "fish")];

#[test]
fn the_binary_prints_each_file() {
    if std::env::var_os("UTF8_BLESS").is_some() {
        return; // the binary has the files of before
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shells = ASKING.into_iter().chain([("utf8.elv", "elvish"), ("_utf8.ps1", "powershell")]);
    let completions = shells
        .map(|(file, shell)| (Path::new("completions").join(file), format!("completions-{shell}")));
    let pages = man::pages().into_iter().map(|(name, _)| (Path::new("man").join(&name), name));
    let main_page = ("man/utf8.1".into(), "man".to_owned());
    for (file, name) in pages.chain(completions).chain([main_page]) {
        let printed = run(&["--generate", &name]).assert().success().get_output().stdout.clone();
        assert!(printed == fs::read(root.join(file)).unwrap(), "{name}");
    }
}

#[test]
fn other_names_are_usage_errors() {
    for (args, message) in [
        (
            &["--generate", "utf8.2"][..],
            "utf8: --generate utf8.2: unknown value (--help lists all)\n",
        ),
        (&["--generate"], "utf8: --generate: needs a value: --generate <FILE>\n"),
    ] {
        run(args).assert().code(2).stdout("").stderr(message);
    }
}

#[test]
fn no_other_files_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let asking = ASKING.map(|(name, _)| Path::new("completions").join(name));
    let generated = generated().into_iter().map(|(path, _)| path);
    let known: Vec<_> = generated.chain(asking).map(|path| root.join(path)).collect();
    for folder in ["man", "completions"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            assert!(
                known.contains(&path),
                "{} is neither generated nor a script that asks utf8",
                path.display()
            );
        }
    }
}
