//! Replacement of files: complete or not at all, with the metadata kept.

use std::ffi::CString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, chown, symlink};
use std::path::Path;

use crate::common::bin::{Dir, skipped, words_of};
use crate::common::replace::{
    NOBODY, as_nobody, as_nobody_prepared, change, is_root, mode, names, other, refusal, replace,
    set_mode, text,
};
use utf8::os::replace::{OpenTarget, Replacement};

// Contents and times

#[test]
fn replacement_is_atomic() {
    let dir = Dir::of(&[("f", b"old")]);
    let replacement = Replacement::begin(&dir.path("f")).unwrap();
    let mut file = replacement.file().unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(text(dir.path("f")), "old");
    replacement.commit().unwrap();
    assert_eq!((text(dir.path("f")), names(&dir)), ("new".into(), vec!["f".into()]));
}

#[test]
fn temporary_files_are_private() {
    let dir = Dir::of(&[("f", b"old")]);
    set_mode(dir.path("f"), 0o644);
    let replacement = Replacement::begin(&dir.path("f")).unwrap();
    let temporary = other(&dir, &["f"]);
    let name = temporary.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(".utf8-") && name.ends_with(".tmp"), "{name}");
    assert_eq!(mode(&temporary), 0o600);
    drop(replacement);
}

#[test]
fn an_abandoned_replacement_removes_its_file() {
    let dir = Dir::of(&[("f", b"old")]);
    for target in ["f", "missing"] {
        let replacement = Replacement::begin(&dir.path(target)).unwrap();
        replacement.file().unwrap().write_all(b"new").unwrap();
        drop(replacement);
    }
    assert_eq!((text(dir.path("f")), names(&dir)), ("old".into(), vec!["f".into()]));
}

#[test]
fn a_new_file_has_the_mode_that_new_files_have() {
    let dir = Dir::of(&[("usual", b"")]);
    replace(dir.path("f")).unwrap();
    assert_eq!(text(dir.path("f")), "new");
    assert_eq!(mode(dir.path("f")), mode(dir.path("usual")));
}

#[test]
fn leftover_temporary_files_are_harmless() {
    let dir = Dir::of(&[("f", b"old"), (".utf8-0123456789abcdef.tmp", b"stale")]);
    replace(dir.path("f")).unwrap();
    assert_eq!(text(dir.path("f")), "new");
    assert_eq!(text(dir.path(".utf8-0123456789abcdef.tmp")), "stale");
    assert_eq!(names(&dir).len(), 2);
}

#[test]
fn any_number_can_be_replaced_at_a_time() {
    let dir = Dir::new();
    let targets: Vec<_> = (0..100).map(|number| dir.path(number.to_string())).collect();
    let begun: Vec<_> = targets.iter().map(|path| Replacement::begin(path).unwrap()).collect();
    assert_eq!(names(&dir).len(), 100);
    begun.into_iter().for_each(|replacement| replacement.commit().unwrap());
    assert!(targets.iter().all(|path| path.exists()));
    assert_eq!(names(&dir).len(), 100);
}

// Metadata

#[test]
fn the_mode_is_kept_with_its_set_id_bits() {
    let dir = Dir::of(&[("f", b"old")]);
    for kept in [0o600, 0o644, 0o4751, 0o2755, 0o6711, 0o1666, 0o200, 0o7777] {
        let readable = kept & 0o400 != 0;
        if !readable && !is_root() {
            skipped("a mode that lets nobody read", "only root reads it nevertheless");
            continue;
        }
        set_mode(dir.path("f"), kept);
        replace(dir.path("f")).unwrap();
        assert_eq!(mode(dir.path("f")), kept, "{kept:o}");
    }
}

#[test]
fn owner_and_group_are_kept() {
    if !is_root() {
        return skipped("a file of another owner", "only root can keep it so");
    }
    let dir = Dir::of(&[("f", b"old")]);
    chown(dir.path("f"), Some(1234), Some(4321)).unwrap();
    set_mode(dir.path("f"), 0o6755);
    replace(dir.path("f")).unwrap();
    let metadata = fs::metadata(dir.path("f")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
    assert_eq!(mode(dir.path("f")), 0o6755);
}

#[test]
fn files_are_not_replaced_if_the_owner_would_change() {
    let dir = Dir::of(&[("f", b"old")]);
    set_mode(dir.path("."), 0o777);
    set_mode(dir.path("f"), 0o666);
    as_nobody("the owner of another's file", || {
        let error = refusal(&dir, "f");
        assert!(error.starts_with("its owner and group cannot be kept: Operation"), "{error}");
        assert!(error.ends_with(" (write to another file, then cp that over it)"), "{error}");
    });
}

#[test]
fn files_are_not_replaced_if_set_group_id_would_be_lost() {
    let dir = Dir::of(&[("f", b"old")]);
    as_nobody_prepared(
        "the set-id bit of another's group",
        || {
            chown(dir.path("."), None, Some(4321)).unwrap();
            set_mode(dir.path("."), 0o2777);
            chown(dir.path("f"), Some(NOBODY), Some(4321)).unwrap();
            set_mode(dir.path("f"), 0o2755);
        },
        || {
            let error = refusal(&dir, "f");
            assert!(error.starts_with("its mode cannot be kept: Operation not"), "{error}");
        },
    );
}

#[cfg(target_os = "linux")]
mod extended {
    use super::*;
    use crate::common::xattr::{ACCESS, DEFAULT, an_acl, get, taken};

    #[test]
    fn attributes_are_kept() {
        let dir = Dir::of(&[("f", b"old")]);
        let path = dir.path("f");
        let long = vec![b'x'; 1 << 10];
        let attributes: [(&str, &[u8]); 3] =
            [("user.mime_type", b"text/plain"), ("user.empty", b""), ("user.b\x1Bé", &long)];
        for (name, value) in attributes {
            if !taken(&path, name, value) {
                return;
            }
        }
        replace(&path).unwrap();
        for (name, value) in attributes {
            assert_eq!(get(&path, name).as_deref(), Some(value), "{name:?}");
        }
    }

    #[test]
    fn an_acl_is_kept_and_so_is_the_mode_beside_it() {
        let dir = Dir::of(&[("f", b"old")]);
        let path = dir.path("f");
        if !taken(&path, ACCESS, &an_acl()) {
            return;
        }
        set_mode(&path, 0o4750);
        let before = get(&path, ACCESS);
        assert!(before.is_some());
        replace(&path).unwrap();
        assert_eq!(get(&path, ACCESS), before);
        assert_eq!(mode(&path), 0o4750);
    }

    #[test]
    fn a_directory_gives_its_acl_to_new_files_only() {
        let dir = Dir::of(&[("f", b"old")]);
        let (path, new, usual) = (dir.path("f"), dir.path("new"), dir.path("usual"));
        if !taken(&dir.path("."), DEFAULT, &an_acl()) {
            return;
        }
        replace(&path).unwrap();
        assert_eq!(get(&path, ACCESS), None);
        replace(&new).unwrap();
        fs::File::create(&usual).unwrap();
        assert!(get(&usual, ACCESS).is_some());
        assert_eq!(get(&new, ACCESS), get(&usual, ACCESS));
        assert_eq!(mode(&new), mode(&usual));
    }

    #[test]
    fn files_are_not_replaced_if_an_attribute_would_be_lost() {
        let dir = Dir::of(&[("f", b"old")]);
        let path = dir.path("f");
        // cap_net_raw=ep (capability.h, revision 2), which only root may set.
        let capability = b"\x01\0\0\x02\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        if !is_root() {
            return skipped("a file capability", "only root can give it");
        }
        set_mode(dir.path("."), 0o777);
        chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
        if !taken(&path, "security.capability", capability) {
            return;
        }
        as_nobody("a file capability", || {
            let error = refusal(&dir, "f");
            let name = "its extended attribute \"security.capability\" cannot be kept: ";
            assert!(error.starts_with(name), "{error}");
        });
        replace(&path).unwrap();
        assert_eq!(get(&path, "security.capability").as_deref(), Some(&capability[..]));
    }
}

#[test]
fn unreplaceable_files_are_refused_in_advance() {
    let dir = Dir::of(&[("f", b"old")]);
    let check = |path: &Path| OpenTarget::open(path).unwrap().check();
    let vet = |name: &str| check(&dir.path(name)).map_err(|error| error.to_string());
    assert_eq!((vet("f"), vet("new")), (Ok(()), Ok(())));
    assert!(check(Path::new("/dev/null")).is_ok());
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    assert_eq!(vet("f").unwrap_err(), refusal(&dir, "f"));
    assert_eq!(names(&dir), ["f", "g"]);
}

// Links

#[test]
fn a_symbolic_link_stays_and_its_target_is_replaced() {
    let dir = Dir::of(&[("f", b"old")]);
    fs::create_dir(dir.path("d")).unwrap();
    symlink("../f", dir.path("d/up")).unwrap();
    symlink(dir.path("d/up"), dir.path("link")).unwrap();
    replace(dir.path("link")).unwrap();
    assert_eq!(text(dir.path("f")), "new");
    assert_eq!(fs::read_link(dir.path("link")).unwrap(), dir.path("d/up"));
    assert_eq!(fs::read_link(dir.path("d/up")).unwrap(), Path::new("../f"));
    assert_eq!(names(&dir), ["d", "f", "link"]);
}

#[test]
fn a_dangling_link_gets_its_target() {
    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    symlink("d/next", dir.path("link")).unwrap();
    symlink("new", dir.path("d/next")).unwrap();
    replace(dir.path("link")).unwrap();
    assert_eq!(text(dir.path("d/new")), "new");
    assert_eq!(fs::read_link(dir.path("link")).unwrap(), Path::new("d/next"));
    symlink("nowhere/new", dir.path("bad")).unwrap();
    assert!(refusal(&dir, "bad").starts_with("No such file or directory"));
}

#[test]
fn circular_links_are_refused() {
    let dir = Dir::new();
    symlink("b", dir.path("a")).unwrap();
    symlink("a", dir.path("b")).unwrap();
    assert!(refusal(&dir, "a").starts_with(&words_of(libc::ELOOP)));
}

#[test]
fn hard_links_are_not_split() {
    let dir = Dir::of(&[("f", b"old")]);
    fs::hard_link(dir.path("f"), dir.path("g")).unwrap();
    fs::hard_link(dir.path("f"), dir.path("h")).unwrap();
    let what = "has 3 hard links, which would be split";
    let hint = "(write to another file, then cp that over it)";
    assert_eq!(refusal(&dir, "f"), format!("{what} {hint}"));
}

// Targets that are no files, or cannot become files

#[test]
fn a_directory_is_not_replaced() {
    let dir = Dir::new();
    fs::create_dir(dir.path("d")).unwrap();
    symlink("d", dir.path("link")).unwrap();
    for name in ["d", "d/", "d/.", "d/..", "link", "/"] {
        assert_eq!(refusal(&dir, name), "is a directory (name a file)", "{name}");
    }
}

#[test]
fn impossible_file_names_are_refused_in_advance() {
    let dir = Dir::of(&[("f", b"old")]);
    for name in ["new/", "new/.", "new/..", "new/f", "f/", "f/g", "f/.", "nul\0"] {
        Replacement::begin(&dir.path(name)).expect_err(name);
    }
    Replacement::begin(Path::new("")).expect_err("no name at all");
    Replacement::begin(&dir.path("x".repeat(256))).expect_err("too long");
    assert_eq!(names(&dir), ["f"]);
}

#[test]
fn the_longest_name_can_be_replaced() {
    let dir = Dir::new();
    let name = "x".repeat(255);
    replace(dir.path(&name)).unwrap();
    replace(dir.path(&name)).unwrap();
    assert_eq!(text(dir.path(&name)), "new");
}

#[test]
fn a_device_is_written_to() {
    replace("/dev/null").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
#[cfg(target_os = "linux")]
fn errors_of_devices_are_reported() {
    let error = replace("/dev/full").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn a_fifo_is_written_to() {
    let dir = Dir::new();
    let path = dir.path("fifo");
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    // SAFETY: a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let reader = std::thread::spawn({
        let path = path.clone();
        move || text(path)
    });
    replace(&path).unwrap();
    assert_eq!(reader.join().unwrap(), "new");
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
}

/// As `/dev/stdout`, a link to such a name.
#[test]
#[cfg(target_os = "linux")]
fn output_is_appended_through_a_descriptor() {
    use std::fs::File;
    use std::os::fd::AsRawFd;
    let dir = Dir::of(&[("f", b"old ")]);
    let file = File::open(dir.path("f")).unwrap();
    symlink(format!("/dev/fd/{}", file.as_raw_fd()), dir.path("link")).unwrap();
    let inode = fs::metadata(dir.path("f")).unwrap().ino();
    replace(dir.path("link")).unwrap();
    assert_eq!(text(dir.path("f")), "old new");
    assert_eq!(fs::metadata(dir.path("f")).unwrap().ino(), inode);
}

/// As `-o /proc/self/fd/1` between other commands that write to one file.
#[test]
#[cfg(target_os = "linux")]
fn output_goes_on_where_a_descriptor_is() {
    use std::fs::File;
    use std::os::fd::AsRawFd;
    let dir = Dir::new();
    let mut file = File::create(dir.path("f")).unwrap();
    file.write_all(b"before ").unwrap();
    replace(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
    file.write_all(b" after").unwrap();
    assert_eq!(text(dir.path("f")), "before new after");
}

// Concurrent changes

#[test]
fn a_file_changed_meanwhile_is_left() {
    type Change = (&'static str, fn(&Path));
    let changes: [Change; 5] = [
        ("new content of the same length", |path| fs::write(path, "OLD").unwrap()),
        ("longer", |path| fs::write(path, "older").unwrap()),
        ("another file", |path| {
            fs::write(path.with_extension("x"), "old").unwrap();
            fs::rename(path.with_extension("x"), path).unwrap();
        }),
        ("another mode", |path| set_mode(path, mode(path) ^ 0o11)),
        ("gone", |path| fs::remove_file(path).unwrap()),
    ];
    for (what, how) in changes {
        let dir = Dir::of(&[("f", b"old")]);
        let path = dir.path("f");
        let replacement = Replacement::begin(&path).unwrap();
        change(&path, how);
        let before = fs::read(&path).ok();
        let error = replacement.commit().expect_err(what).to_string();
        assert_eq!(error, "changed during the rewrite; not replaced (run again)", "{what}");
        assert_eq!(fs::read(&path).ok(), before, "{what}");
        assert_eq!(names(&dir).len(), usize::from(before.is_some()), "{what}");
    }
}

#[test]
fn a_file_created_meanwhile_is_left() {
    let dir = Dir::new();
    let replacement = Replacement::begin(&dir.path("f")).unwrap();
    dir.write("f", "theirs");
    let error = replacement.commit().unwrap_err().to_string();
    assert!(error.starts_with("changed during the rewrite"), "{error}");
    assert_eq!((text(dir.path("f")), names(&dir)), ("theirs".into(), vec!["f".into()]));
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    for (link, what) in [("secret", "to a file"), ("nowhere", "to nothing")] {
        let dir = Dir::of(&[("secret", b"secret")]);
        let replacement = Replacement::begin(&dir.path("f")).unwrap();
        symlink(link, dir.path("f")).unwrap();
        replacement.commit().expect_err(what);
        assert_eq!((text(dir.path("secret")), names(&dir).len()), ("secret".into(), 2));
        assert!(fs::symlink_metadata(dir.path("f")).unwrap().is_symlink(), "{what}");
    }
}

#[test]
fn removal_of_the_temporary_file_leaves_the_target() {
    let dir = Dir::of(&[("f", b"old")]);
    let replacement = Replacement::begin(&dir.path("f")).unwrap();
    fs::remove_file(other(&dir, &["f"])).unwrap();
    let error = replacement.commit().unwrap_err().to_string();
    assert!(error.starts_with("cannot be replaced: No such file or directory ("), "{error}");
    assert_eq!((text(dir.path("f")), names(&dir)), ("old".into(), vec!["f".into()]));
}
