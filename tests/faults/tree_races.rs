//! Repair of a directory in which another process exchanges directories for symbolic links.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::common::bin::{Dir, raw};

/// The number of runs.
const ROUNDS: usize = 150;

/// The files of the directory that is exchanged.
const FILES: [&str; 3] = ["a", "in/f", "z"];

/// The content of files elsewhere.
const THEIRS: &[u8] = b"theirs \xFF";

#[test]
fn a_directory_exchanged_for_a_link_leads_nowhere() {
    let dir = Dir::new();
    for folder in ["t", "t/sub", "t/sub/in", "else", "else/in"] {
        fs::create_dir(dir.path(folder)).unwrap();
    }
    for name in FILES {
        dir.write(format!("else/{name}"), THEIRS);
    }
    dir.write("t/first", b"x");
    let [sub, aside, link] = ["t/sub", "aside", "link"].map(|name| dir.path(name));
    symlink("../else", &link).unwrap();
    let (is_over, at_rest) = (AtomicBool::new(false), Mutex::new(()));
    let mut repaired = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let _at_rest = at_rest.lock().unwrap();
                fs::rename(&sub, &aside).unwrap();
                fs::rename(&link, &sub).unwrap();
                fs::rename(&sub, &link).unwrap();
                fs::rename(&aside, &sub).unwrap();
            }
        });
        for round in 0..ROUNDS {
            {
                let _at_rest = at_rest.lock().unwrap();
                for name in FILES {
                    dir.write(format!("t/sub/{name}"), b"ours \xFF");
                    let _ = fs::remove_file(dir.path(format!("t/sub/{name}.old")));
                }
            }
            let mut command = raw();
            command.current_dir(dir.path("."));
            let args = ["repair", "-q", "-i", "-r", "--on-error=ignore", "--backup=.old", "t"];
            let done = command.args(args).output().unwrap();
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(matches!(done.status.code(), Some(0 | 2)), "{round}: {said}");
            let count = |name: &str| fs::read_dir(dir.path(name)).unwrap().count();
            assert_eq!((count("else"), count("else/in")), (3, 1), "{round}: {said}");
            for name in FILES {
                let now = fs::read(dir.path(format!("else/{name}"))).unwrap();
                assert_eq!(now, THEIRS, "{round}: {said}");
            }
            let _at_rest = at_rest.lock().unwrap();
            let is_ours = |name: &&str| fs::read(sub.join(name)).unwrap() == b"ours ";
            repaired += FILES.iter().filter(|name| is_ours(name)).count();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(repaired > 0, "the directory was never entered");
}
