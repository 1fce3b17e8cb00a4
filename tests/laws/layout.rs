//! The layout of the crate: modules import only modules above them, each type name is used once, and
//! public items have examples.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The top-level modules, foundation first.
const ORDER: [&str; 24] = [
    "issue", "lint", "output", "os", "spool", "kernel", "text", "codec", "sink", "scan",
    "registry", "source", "finding", "report", "mojibake", "validate", "policy", "convert",
    "repair", "detect", "dump", "undump", "api", "cli",
];

/// The directories whose code may be unsafe.
const UNSAFE: [&str; 2] = ["kernel", "os"];

/// A source file: its module path below the crate, its text, and its lines without comments.
struct Module {
    path: PathBuf,
    module: Vec<String>,
    text: String,
    code: Vec<String>,
}

fn modules() -> Vec<Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(module(&root, path));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn module(root: &Path, path: PathBuf) -> Module {
    let below = path.strip_prefix(root).unwrap().with_extension("");
    let module = below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    let text = fs::read_to_string(&path).unwrap();
    // A comment may name a module below; code may not depend on it.
    let code = text.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect();
    Module { path, module, text, code }
}

/// The position of a module in [`ORDER`]; `None` for `lib` and `main`, which stand outside.
fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

/// Returns the top-level modules and items that code names by a path from the crate's root: from
/// `crate`, or from as many `super` as the module is deep.
fn named(code: &str, depth: usize) -> impl Iterator<Item = &str> {
    let starts = ["crate::".to_owned(), "super::".repeat(depth)];
    let mut names = Vec::new();
    for start in &starts {
        for (at, _) in code.match_indices(start.as_str()) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(list) => names.extend(items(list)),
                None => names.push(rest),
            }
        }
    }
    names.into_iter().map(|name| {
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        &name[..end]
    })
}

/// The items of a braced list, nested lists left out.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(list[start..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// Returns the modules below a module that its code names.
fn imported_from_below<'a>(module: &[String], code: &'a str) -> BTreeSet<&'a str> {
    let Some(own) = rank(&module[0]) else { return BTreeSet::new() };
    // `super` once more than the module is deep is the crate's root in its tests.
    let depths = [module.len(), module.len() + 1];
    let names = depths.into_iter().flat_map(|depth| named(code, depth));
    names.filter(|name| rank(name).is_some_and(|other| other > own)).collect()
}

#[test]
fn modules_import_only_modules_above_them() {
    for Module { path, module, code, .. } in modules() {
        let code = code.join("\n");
        let below = imported_from_below(&module, &code);
        assert!(below.is_empty(), "{} imports against the order: {below:?}", path.display());
    }
}

#[test]
fn every_spelling_of_an_import_is_read() {
    let module = ["scan".to_owned(), "feed".to_owned()];
    for code in [
        "use crate::source::Source;",
        "use crate::{\n    codec::Codec,\n    source::{Buffer, Source},\n};",
        "let source = crate::source::open();",
        "use super::super::source;",
    ] {
        assert_eq!(imported_from_below(&module, code), BTreeSet::from(["source"]), "{code}");
    }
    assert!(imported_from_below(&module, "use crate::codec::Codec; use super::Feed;").is_empty());
}

#[test]
fn every_top_level_module_has_its_place() {
    let top: BTreeSet<_> = modules().iter().map(|module| module.module[0].clone()).collect();
    let ranked = ORDER.iter().map(|name| name.to_string());
    let known: BTreeSet<_> = ranked.chain(["lib".into(), "main".into()]).collect();
    assert_eq!(top, known);
}

#[test]
fn the_map_of_the_source_has_every_module_in_order() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md"));
    let text = text.unwrap();
    let (_, map) = text.split_once("| module | contents |").unwrap();
    let (map, _) = map.split_once("\n\n").unwrap();
    let names = map.lines().filter_map(|row| row.strip_prefix("| `")?.split(" | ").next());
    let names: Vec<_> = names.flat_map(|names| names.split(", ")).collect();
    let names: Vec<_> = names.iter().map(|name| name.trim_matches('`')).collect();
    assert_eq!(names, ORDER);
}

#[test]
fn modules_re_export_only_what_is_in_them() {
    for Module { path, code, .. } in modules() {
        for line in code {
            let line = line.trim();
            let exported = line.strip_prefix("pub use ").or(line.strip_prefix("pub(crate) use "));
            let foreign = exported
                .is_some_and(|name| name.starts_with("crate::") || name.starts_with("super::"));
            assert!(!foreign, "{}: {line}", path.display());
        }
    }
}

#[test]
fn each_type_name_is_used_once() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    // Outside of Unix, types of the same names stand in for those of `os`.
    let modules = modules().into_iter().filter(|module| !module.path.ends_with("os/portable.rs"));
    for Module { path, code, .. } in modules {
        for line in code {
            // Associated types are indented and say `type`.
            let associated = line.starts_with(' ') && line.trim_start().starts_with("type ");
            if let Some(name) = declared(&line).filter(|_| !associated) {
                places.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
    }
    places.retain(|_, paths| paths.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

/// The name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| word.starts_with("pub") || word.ends_with(')') || *word == "unsafe");
    let keyword = words.next()?;
    if !matches!(keyword, "struct" | "enum" | "trait" | "type" | "union") {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end]).filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[test]
fn unsafe_code_is_in_kernel_and_os_alone() {
    for Module { path, module, code, .. } in modules() {
        let code = code.join(" ");
        let words: Vec<_> = code.split_whitespace().collect();
        let is_unsafe = words.windows(2).any(|pair| {
            pair[0].ends_with("unsafe") && ["{", "fn", "impl", "extern", "trait"].contains(&pair[1])
        });
        assert!(!is_unsafe || UNSAFE.contains(&module[0].as_str()), "{}", path.display());
    }
}

/// Returns the items that the crate exports, each with the top-level module that has it.
fn exported() -> BTreeSet<(String, String)> {
    let crate_root = modules().into_iter().find(|module| module.module == ["lib"]).unwrap();
    let code = crate_root.code.join("\n");
    let mut found = BTreeSet::new();
    for export in code.split("\npub use ").skip(1) {
        let (module, rest) = export.split_once("::").unwrap();
        let names = match rest.strip_prefix('{') {
            Some(list) => items(list),
            None => vec![rest.split(';').next().unwrap()],
        };
        let names = names.into_iter().filter(|name| !name.is_empty());
        found.extend(names.map(|name| (module.to_owned(), name.to_owned())));
    }
    found.retain(|(module, _)| module != "os"); // the binary's
    found
}

/// The name of the public function or constant that a line declares.
fn public_value(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let constant = rest.strip_prefix("const ");
    let function = constant.unwrap_or(rest).strip_prefix("fn ");
    function.or(constant)?.split(['(', '<', ':']).next()
}

/// The type that a line begins to implement, not a trait, without parameters.
fn implemented_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?.strip_suffix(" {")?;
    let of = match rest.strip_prefix('<') {
        Some(parameters) => parameters.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    (!of.contains(" for ")).then(|| of.split('<').next()).flatten()
}

/// Returns the types, functions and constants in a module, and the public methods and constants of types,
/// as `Type::name`, each with the comments and attributes before it.
fn documented(module: &Module) -> Vec<(String, String)> {
    let (mut docs, mut found) = (String::new(), Vec::new());
    let mut implemented = None;
    for line in module.text.lines() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        if code.starts_with("//") || code.starts_with("#[") {
            docs += code;
            continue;
        }
        let docs = std::mem::take(&mut docs);
        match &implemented {
            Some((of, start)) => {
                if code == "}" && indent == *start {
                    implemented = None;
                } else if let Some(name) = public_value(line) {
                    found.push((format!("{of}::{name}"), docs));
                }
            }
            None => {
                implemented = implemented_type(code).map(|of| (of, indent));
                if let Some(name) = declared(line).or_else(|| public_value(line)) {
                    found.push((name.to_owned(), docs));
                }
            }
        }
    }
    found
}

#[test]
fn every_public_item_has_an_example() {
    let mut missing = exported();
    let of_crate = missing.clone();
    let (mut without, mut methods) = (Vec::new(), 0);
    for module in modules() {
        for (name, docs) in documented(&module) {
            let item = name.split("::").next().unwrap();
            let key = (module.module[0].clone(), item.to_owned());
            if !of_crate.contains(&key) || docs.contains("#[doc(hidden)]") {
                continue;
            }
            if !docs.contains("```") {
                without.push(name.clone());
            }
            if name == item {
                missing.remove(&key);
            } else {
                methods += 1;
            }
        }
    }
    assert!(missing.is_empty(), "not found: {missing:?}");
    assert!(methods > 30, "{methods}");
    assert!(without.is_empty(), "no example: {without:#?}");
}
