"""The packages whose code is in a binary of a release, from `cargo metadata`."""

import json
import subprocess

METADATA = ["cargo", "metadata", "--locked", "--format-version", "1"]
# Those that a release is built for.
PLATFORMS = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"]


def read():
    """Returns the id of the root, all packages by id, and the ids that each one of the binary depends on."""
    filters = [word for platform in PLATFORMS for word in ("--filter-platform", platform)]
    data = json.loads(subprocess.check_output(METADATA + filters))
    packages = {package["id"]: package for package in data["packages"]}
    linked = {
        node["id"]: sorted(dep["pkg"] for dep in node["deps"] if is_linked(dep, packages))
        for node in data["resolve"]["nodes"]
    }
    root = data["resolve"]["root"]
    return root, packages, {key: linked[key] for key in reach(linked, root)}


def is_linked(dep, packages):
    """Returns whether a dependency is part of the binary: not of tests or the build; no macro."""
    kinds = [kind for target in packages[dep["pkg"]]["targets"] for kind in target["kind"]]
    return "proc-macro" not in kinds and any(kind["kind"] is None for kind in dep["dep_kinds"])


def reach(linked, root):
    found, open_ = set(), [root]
    while open_:
        key = open_.pop()
        if key not in found:
            found.add(key)
            open_ += linked[key]
    return found
